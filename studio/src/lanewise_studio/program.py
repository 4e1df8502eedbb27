"""The program of a state: files that are read from memory only."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, cast

from lanewise.compile.outside.effects import vertex_shaders
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, has_errors
from lanewise.core.service import InputFailure, Request, SourceFile, UsageError
from lanewise.core.source import Span, decode_text
from lanewise.direct3d9.package import DIRECT3D9
from lanewise.packages import common_language, recognise, unknown_file

from lanewise_studio.places import finding_json
from lanewise_studio.state import refused
from lanewise_studio.tables import title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.package import IsaPackage, Loaded
    from lanewise.core.service import Value
    from lanewise.packages import Match

    from lanewise_studio.state import State

INCLUDE = re.compile(r"""^\s*[.#]?\s*include\s*["<]([^">]+)[">]""", re.MULTILINE)
_USUAL = {"pica200": "hardware", "shadercore": "rtl", "direct3d9": "ieee"}


class Memory:
    """Files for requests: those of the page, by name. Nothing is read from the disk."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises InputFailure."""
        if path not in self.files:
            raise InputFailure(f"cannot read {path}: the studio reads only files of the page")
        return self.files[path]

    def exists(self, path: str) -> bool:
        return path in self.files

    def within(self, path: str) -> Memory:
        return self

    def included(self, path: str) -> str:
        """The text of a file that a source includes, by its path or its name. Raises OSError."""
        for name in (path, path.replace("\\", "/").rpartition("/")[2]):
            if name in self.files:
                return decode_text(self.files[name])
        raise FileNotFoundError(2, "no file of the page has this name")


class Program:
    """The files of a state as a program of an instruction set."""

    def __init__(self, state: State, more: Mapping[str, bytes]) -> None:
        """`more` are files that are not of the program, such as meshes. Raises InputError, UsageError."""
        self.state = state
        self.memory = Memory({**more, **{file.name: file.content for file in state.files}})
        included = {name.rpartition("/")[2] for file in state.files for name in INCLUDE.findall(file.text)}
        main = [file for file in state.files if file.name not in included] or [*state.files]
        self.sources = tuple([SourceFile(file.name, file.content, file.name) for file in main])
        self.first = ""  # of several vertex shaders, where the state names none
        self.match = self._recognised()
        self.package: IsaPackage = self.match.package

    def _recognised(self) -> Match:
        found: list[Match] = []
        for source in self.sources:
            match = recognise(source.name, source.data)
            if match is None:
                raise unknown_file(source.name, source.data)
            if found and match.package.name != found[0].package.name:
                first = self.sources[0].name
                raise refused(
                    f"{first} is for {found[0].package.title} and {source.name} for {match.package.title}",
                    "look at them one at a time",
                )
            if found and match.compiled:
                message = f"{source.name} is compiled, and only sources in an assembly language are linked"
                raise InputError(
                    [
                        Diagnostic(
                            code="U001",
                            severity=ERROR,
                            message=message,
                            span=Span(file=source.name),
                            notes=(),
                            fix="look at it alone",
                        )
                    ]
                )
            found.append(match)
        return found[0]

    @property
    def name(self) -> str:
        return self.sources[0].name

    @cached_property
    def members(self) -> Sequence[str]:
        """The shaders of an effect by name, those for vertices first; none for other files. Raises InputError."""
        if self.is_hlsl:
            return list(dict.fromkeys([row.entry for row in vertex_shaders(decode_text(self.sources[0].data))]))
        container = self.match.container
        if self.package.name != DIRECT3D9.name or container is None or container.members is None:
            return ()
        memory = Request("run", self.sources, {}, files=self.memory)
        return sorted(container.members(memory), key=lambda name: "vertex" not in name)

    @property
    def is_hlsl(self) -> bool:
        """Whether it is compiled from HLSL: the program that is meant is a function of the source."""
        return self.match.language is not None and self.match.language.name == "hlsl"

    @property
    def is_compiled(self) -> bool:
        """Whether reading it compiles a source of another language."""
        return self.match.language is not None and self.match.language.name in ("glsl", "hlsl", "slang")

    @property
    def entry(self) -> str:
        """The program that is meant: that of the state, or the first of an effect or of a file with several."""
        return self.state.entry or self.first or next(iter(self.members), "")

    @property
    def shader(self) -> str:
        """The name by which the file of the program has it; empty for the only one of a file, as of HLSL."""
        return "" if self.is_hlsl else self.entry

    @cached_property
    def option(self) -> str:
        """The option that chooses rules: `profile`, `device` or `rule`."""
        rows = self.package.variants()
        return rows[0].option.lstrip("-") if rows else ""

    @property
    def variant(self) -> str:
        """The profile, device or rule that is meant: that of the state, or the one that commands use."""
        return self.state.profile or _USUAL.get(self.package.name, "")

    def values(self, command: str) -> dict[str, Value]:
        """The options of a command that the state chooses, as far as the command has them."""
        rows = {option.key for option in self.package.manual(command).options}
        found: dict[str, Value] = {}
        if self.state.profile and self.option in rows:
            found[self.option] = self.state.profile
        if self.state.set and "set" in rows:
            found["set"] = (self.state.set,)
        key = "entry-point" if self.is_hlsl else "program"
        if self.entry and key in rows:
            found[key] = self.entry
        if "include" in rows and self.package.name == DIRECT3D9.name and not self.match.compiled:
            found["include"] = (".",)  # files of the page have no folders: `Memory` finds them by name
        for key, value in self.state.options.items():
            if key in rows and isinstance(value, list):
                found[key] = tuple([str(each) for each in cast("list[object]", value)])
            elif key in rows and isinstance(value, (str, bool)):
                found[key] = value
        return found

    def request(
        self,
        command: str,
        values: Mapping[str, Value] | None = None,
        files: Mapping[str, bytes] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Request:
        """A request for a service of the program."""
        language = common_language(self.package, self.sources) if len(self.sources) > 1 else ""
        memory = Memory({**self.memory.files, **(files or {})})
        return Request(
            command,
            self.sources,
            {**self.values(command), **(values or {})},
            language=language,
            files=memory,
            read_included=memory.included,
            progress=progress,
        )

    def load(self, command: str = "run") -> Loaded:
        """The program, read. Raises InputError, UsageError."""
        request = self.request(command)
        if len(self.sources) > 1:
            return self.package.load(request)
        return self.match.read(request)

    def described(self) -> dict[str, object]:
        """The kind of the program, and the profiles, devices or rules that it can be run with, for the page."""
        rows, isa = self.package.variants(), self.package.name
        return {
            "isa": isa,
            "title": self.package.title,
            "language": self.match.language.name if self.match.language is not None else "",
            "kind": self.match.title,
            "languages": {source.name: _language(source) for source in self.sources},
            "compiled": self.match.compiled,
            "option": self.option,
            "variant": self.variant,
            "variants": [
                {"name": row.name, "summary": row.summary, "evidence": row.evidence, "title": title_of(isa, row.name)}
                for row in rows
            ],
        }

    def errors(self) -> Sequence[Diagnostic]:
        """All findings of a source with errors, as `check` lists them; none where it has no errors of its own."""
        try:
            service = self.load("check").check
            found = service(self.request("check")).findings if service is not None else ()
        except (InputError, UsageError, InputFailure):
            return ()
        return found if has_errors(found) else ()


def _language(source: SourceFile) -> str:
    """The language of a file; empty for a binary, and for languages that are coloured by their own names."""
    match = recognise(source.name, source.data)
    return match.language.name if match is not None and match.language is not None else ""


def broken(state: State, files: Mapping[str, bytes], error: InputError) -> dict[str, object]:
    """The pane of a source that cannot be read with `state`, which may be another than that of the page."""
    try:
        program = Program(state, files)
    except (InputError, UsageError, InputFailure):
        return {"ok": False, "diagnostics": [finding_json(finding) for finding in error.diagnostics]}
    findings = program.errors() or error.diagnostics
    return {"ok": False, **program.described(), "diagnostics": [finding_json(finding) for finding in findings]}


def sentence(error: InputFailure | UsageError, name: str = "") -> InputError:
    """A failure of a service as a finding."""
    return InputError([Diagnostic(code=error.code, severity=ERROR, message=str(error), span=Span(file=name))])


__all__ = ["INCLUDE", "Memory", "Program", "broken", "sentence"]
