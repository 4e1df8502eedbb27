"""Compile a shader in Python, from every language to every target: `compile` and its result, `Compilation`.

compiled = lw.compile("light.vert")
compiled.run({"position": vertices}, {"projection": matrix}).outputs["position"]
compiled.save("light.shbin")
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from lanewise.api.loading import DiskFiles, content_of
from lanewise.api.pairing import match_of, pair_of
from lanewise.compile.frontends import frontends
from lanewise.compile.targets import targets
from lanewise.core import files, writing
from lanewise.core.compiled import CompileReport, CompilerResult
from lanewise.core.diagnostics import InputError
from lanewise.core.objects import Content, checked
from lanewise.core.program import ProgramServices
from lanewise.core.service import FLAG, INTEGER, TEXT, TEXTS, InputFailure, Request, SourceFile, UsageError
from lanewise.core.text.suggestions import near
from lanewise.packages import Match, package_of
from lanewise.pica200.api.file import ShaderFile
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.isa.devices import Device

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from typing import Literal, overload

    from lanewise.api.loading import File
    from lanewise.arrays.frames import Frame
    from lanewise.arrays.results import Result
    from lanewise.compile.frontends import Frontend
    from lanewise.compile.targets import Target
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.package import Loaded, Program
    from lanewise.core.service import Option, Value

    Source = File | Program
    Given = bool | int | str | Sequence[object] | Mapping[str, object]

P_co = TypeVar("P_co", bound="ShaderFile | ShaderCoreProgram", covariant=True)


class Compilation(Content, Generic[P_co]):
    """A compiled program with its report.

    `program` is as `lanewise.load` gives it, with the names of the source: a `ShaderFile` of the PICA200, or a
    `ShaderCoreProgram`. `isa` is its instruction set, `name` that of the source, `diagnostics` are warnings and notes.
    """

    name: str
    isa: str

    def __init__(self, name: str, result: CompilerResult) -> None:
        self.name = name
        self.program: P_co = cast("P_co", result.program)
        self.isa = result.program.isa
        self.diagnostics: tuple[Diagnostic, ...] = result.diagnostics
        self._result = result

    def _content(self) -> Hashable:
        return self.program

    def __repr__(self) -> str:
        return f"<Compilation of {self.name} for {self.isa}: {len(self.program.words)} words>"

    def _repr_html_(self) -> str:
        """What it is and what it costs, for notebooks."""
        from lanewise.core import html

        return html.title(self.name, repr(self)[1:-1]) + html.code(self.report.text())

    def _elsewhere(self, name: str) -> str:
        from lanewise.arrays.elsewhere import of_program

        shared = "program" if self.isa != "pica200" else "program.vertex"
        if name in ("trace", "batch", "inputs", "uniforms"):
            return f"use `{shared}.{name}`"
        own = {"binary": "to_bytes", "shbin": "to_bytes", "bytes": "to_bytes", "source": "text", "asm": "text"}.get(name, name)
        there = "program" in self.__dict__ and hasattr(self.program, own)
        return f"use `program.{own}`" if there else of_program(name, "run(inputs)")

    @cached_property
    def report(self) -> CompileReport:
        """The costs in all and by line of the source, worked out on first use."""
        return self._result.report()

    @checked
    def run(
        self,
        inputs: Mapping[str, object] | Frame | None = None,
        uniforms: Mapping[str, object] | None = None,
        *,
        count: int | None = None,
        engine: str = "auto",
        threads: int = 1,
        defaults: int | None = None,
    ) -> Result:
        """Run the program, on the device that it was compiled for, with inputs and uniforms by the names of the source.

        The arguments are those of `Shader.run` and `ShaderCoreProgram.run`, which have more: `program.vertex.run` and
        `program.run`. Raises as they do.
        """
        found = self._result.run(inputs, uniforms, count=count, engine=engine, threads=threads, defaults=defaults)
        return cast("Result", found)

    @checked
    def files(self, path: str | PathLike[str]) -> dict[str, bytes]:
        """The files that `lanewise compile -o PATH` writes: the program in the form of the suffix, and what is beside it, such
        as the header for C and the interface. Raises ValueError for a suffix that names no form."""
        try:
            return dict(self._result.files(os.fspath(path)))
        except (UsageError, InputFailure) as error:
            raise ValueError(str(error).removeprefix("-o ")) from None

    @checked
    def save(self, path: str | PathLike[str]) -> tuple[str, ...]:
        """Write these files, all or none; return their paths. Raises ValueError for a suffix that names no form, OSError."""
        written = self.files(path)
        writing.write_files([*written.items()])
        return tuple(written)


if TYPE_CHECKING:

    @overload
    def compile(
        source: Source,
        *,
        target: Literal["pica200"],
        language: str = "",
        name: str = "",
        device: str | Device = "",
        progress: Callable[[int, int], None] | None = None,
        **options: Given,
    ) -> Compilation[ShaderFile]: ...
    @overload
    def compile(
        source: Source,
        *,
        target: Literal["shadercore"],
        language: str = "",
        name: str = "",
        device: str | Device = "",
        progress: Callable[[int, int], None] | None = None,
        **options: Given,
    ) -> Compilation[ShaderCoreProgram]: ...
    @overload
    def compile(
        source: Source,
        *,
        target: str = "",
        language: str = "",
        name: str = "",
        device: str | Device = "",
        progress: Callable[[int, int], None] | None = None,
        **options: Given,
    ) -> Compilation[ShaderFile | ShaderCoreProgram]: ...


@checked
def compile(
    source: Source,
    *,
    target: str = "",
    language: str = "",
    name: str = "",
    device: str | Device = "",
    progress: Callable[[int, int], None] | None = None,
    **options: Given,
) -> Compilation[ShaderFile | ShaderCoreProgram]:
    """Compile a shader for another instruction set: GLSL, HLSL, Slang, SPIR-V, effects, Direct3D 9 and functions in SSA form.

    `source` is a path (`FILE:NAME` for one shader of an effect), a text, bytes, an open file, or a shader of Direct3D 9 that
    was loaded. A string with several lines, or with `{` that is not the name of a file, is a text. `target` is `pica200` or
    `shadercore` (default: `pica200`, for Direct3D 9 `shadercore`); `language` is `glsl`, `hlsl`, `slang`, `spirv`, `ssa` or
    `direct3d9` (default: recognised by content and suffix); `name` is that of a text, bytes or an open file in messages.
    `device` is the ShaderCore, as `lanewise.shadercore.device` takes it. `progress` is called with steps done and of all.

    `options` are those of `lanewise compile`, with `_` for `-`: `strict=True`, `entry="main"`; one that may be repeated
    takes a list or a dictionary: `include=["shaders"]`, `define={"BONES": 20}`, `semantic={"tint": "color"}`,
    `bound={"lights": 4}`. `lanewise.toml` is not read.

    Raises InputError with all findings, ValueError for an option, target or language that does not exist or does not fit,
    OSError.
    """
    try:
        loaded, request, chosen = _prepared(source, target, language, name, device, progress, options)
        answer = chosen.compile(loaded, request)
    except (UsageError, InputFailure) as error:
        raise ValueError(str(error)) from None
    except InputError as error:
        if language or [each.code for each in error.diagnostics] != [_SOURCE_OF_HLSL]:
            raise
        return compile(source, target=target, language="hlsl", name=name, device=device, progress=progress, **options)
    if answer.failed or not isinstance(answer.result, CompilerResult):
        raise InputError(answer.first)
    found: Compilation[ShaderFile | ShaderCoreProgram] = Compilation(request.name, answer.result)
    for each in found.diagnostics:
        if each.code == _NO_EFFECT:
            from lanewise.arrays.announcing import warn

            warn(f"{each.code}: {each.message}. Fix: {each.fix}")
    return found


_SOURCE_OF_HLSL = "C313"
_NO_EFFECT = "S015"  # of an option, which the call has and not the source


_TARGETS = {  # what others call them
    **dict.fromkeys(("3ds", "n3ds", "ctr", "pica", "citra", "azahar", "nintendo3ds", "shbin", "picasso", "dmp"), "pica200"),
    **dict.fromkeys(("shader-core", "shader_core", "core", "sc", "rtl", "fpga"), "shadercore"),
}


def _prepared(
    source: Source,
    target: str,
    language: str,
    name: str,
    device: str | Device,
    progress: Callable[[int, int], None] | None,
    options: Mapping[str, Given],
) -> tuple[Loaded, Request, Target]:
    """The shader as its front end reads it, the request to compile it, and the target."""
    if isinstance(target, Device):
        raise TypeError(f"target is a Device, expected {' or '.join([row.name for row in targets()])}: give it as device=")
    target = target or ""
    if target and target not in [row.name for row in targets()]:
        meant = _TARGETS.get(str(target).lower().replace(" ", ""), "")
        fix = f"did you mean {meant}?" if meant else f"use {', '.join([row.name for row in targets()])}"
        raise ValueError(f"unknown target {target!r}: {fix}")
    program = cast("Program", source) if isinstance(source, ProgramServices) else None
    if program is not None:
        file, match = SourceFile(program.name, b"", program.name), Match(package_of(program.isa))
    else:
        if not isinstance(source, (str, PathLike, bytes)) and not hasattr(source, "read"):
            raise TypeError(f"expected a path, a text, bytes, a file or a loaded shader, found {type(source).__name__}")
        given, data, member = _content(cast("File", source), name)
        file = SourceFile(given, data, given, member)
        match = match_of(file, language, target)
    frontend, chosen = pair_of(file, match, target)
    values = _values(options, frontend, chosen, device)
    include = values.get("include", ())
    scope = files.Scope([file.path], include if isinstance(include, tuple) else (), follow=bool(values.get("follow", False)))
    request = Request(
        "compile",
        (file,),
        {**values, "output": f"{file.stem}{chosen.binary}"},
        files=DiskFiles(scope),
        read_included=scope.included,
        progress=progress,
    )
    if program is not None:
        wrap = match.package.wrap
        if wrap is None:
            raise ValueError(f"{match.package.title} programs are read from files: give the path")
        return wrap(program, request), request, chosen
    return match.read(match.with_member(request)), request, chosen


def _content(source: File, name: str) -> tuple[str, bytes, str]:
    """The name of a source, what is in it, and the member that is meant."""
    if isinstance(source, str) and ("\n" in source or ("{" in source and not os.path.exists(source))):  # noqa: PTH110 - a text may be longer than names are
        return name or "<string>", source.encode("utf-8", "surrogatepass"), ""
    return content_of(source, name)


def _values(options: Mapping[str, Given], frontend: Frontend, target: Target, device: str | Device) -> dict[str, Value]:
    """The values of a request. Raises ValueError for an option that neither the front end nor the target has."""
    rows = {option.key: option for owner in (frontend, target) for option in owner.manual("compile").options}
    rows = {key: row for key, row in rows.items() if key not in _OF_FILES}
    given: dict[str, Given] = {**options, **({"device": _text(device)} if device else {})}
    values: dict[str, Value] = {}
    for name, value in given.items():
        key = name.replace("_", "-")
        row = rows.get(key)
        if row is None and key == "device":
            raise ValueError(f"device={device!r}: {target.title} is one device, leave it out")
        if row is None:
            known = sorted([key.replace("-", "_") for key in rows])
            close = [each for each in _CALLED.get(name.lower(), ()) if each in known] or near(name, known)
            path = isinstance(value, str) and "=" not in value
            fix = _of_others(key, frontend, target) or (_MEANT.get(name.lower(), "") if path or not close else "")
            fix = fix or (f"did you mean {' or '.join(close)}?" if close else f"use {', '.join(known)}")
            raise ValueError(f"unknown option {name} for {frontend.title} and {target.title}: {fix}")
        values[key] = _value(row, name, value)
        if row.choices and values[key] not in row.choices and not isinstance(values[key], tuple):
            raise ValueError(f"{name}={value!r}: use {', '.join(row.choices)}")
    return values


def _of_others(key: str, frontend: Frontend, target: Target) -> str:
    """The fix for an option that other sources or another target have; empty for others."""
    if any(option.key == key for row in targets() for option in row.manual("compile").options):
        row = next(row for row in targets() for option in row.manual("compile").options if option.key == key)
        return f"it is of target={row.name!r}, leave it out for {target.name!r}"
    titles = [row.title for row in frontends() if any(option.key == key for option in row.manual("compile").options)]
    return f"it is of {', '.join(dict.fromkeys(titles))}: leave it out for {frontend.title}" if titles else ""


_MEANT = {  # options of other compilers
    **dict.fromkeys(("output", "out", "o", "outfile", "save"), "`compile(...).save(path)` writes the files"),
    **dict.fromkeys(("optimize", "optimise", "opt", "optimization", "o2", "o3"), "programs are always optimised, leave it out"),
    **dict.fromkeys(("stage", "shader_type", "kind"), "vertex shaders are compiled, leave it out"),
}
_CALLED = {  # what options are called elsewhere
    **dict.fromkeys(("d", "defines", "definitions", "macros"), ("define",)),
    **dict.fromkeys(("i", "include_dirs", "include_path", "includes", "path"), ("include",)),
    **dict.fromkeys(("opt", "optimise", "optimisation", "optimization", "optimize", "o1", "o2", "o3", "os"), ("O",)),
    **dict.fromkeys(("outputs", "output", "semantics", "outmap"), ("semantic",)),
    **dict.fromkeys(("compiler", "backend"), ("glsl_compiler",)),
    **dict.fromkeys(("specialization", "constants", "spec_constants"), ("constant",)),
    **dict.fromkeys(("entrypoint", "entry_point", "main", "function"), ("entry",)),
}
# What the files say by their suffixes, or a `Compilation` has.
_OF_FILES = ("to", "report", "stage", "accuracy")


def _text(device: str | Device) -> str:
    if isinstance(device, Device):
        if device.added:
            raise ValueError(f"the device {device.name} adds instructions: give its name or TOML file")
        return device.describe()
    return device


def _value(row: Option, name: str, value: Given) -> Value:
    """A value as the command line would have it. Raises ValueError for one of the wrong kind."""
    if row.kind == FLAG and isinstance(value, bool):
        return value
    if row.kind == INTEGER and isinstance(value, int):
        return value
    if isinstance(value, Mapping) and row.kind not in (FLAG, INTEGER):
        texts = [_pair(key, each) for key, each in value.items()]
        return tuple(texts) if row.kind == TEXTS else ",".join(texts)
    if row.kind == TEXTS and isinstance(value, (str, PathLike)):
        return (_plain(value),)
    if row.kind == TEXTS and hasattr(value, "__iter__") and not isinstance(value, bytes):
        return tuple([_plain(each) for each in cast("Sequence[object]", value)])
    if row.kind not in (FLAG, TEXTS) and isinstance(value, (str, int, PathLike)):
        return "" if value is True else _plain(value)
    expected, such = _KINDS.get(row.kind, _KINDS[TEXT])
    such = f", such as {name}={such.format(row.metavar or 'name')}" if such else ""
    raise ValueError(f"{name} is {value!r}, expected {expected}{such}")


_KINDS = {  # of options: what a value is
    FLAG: ("True or False", ""),
    INTEGER: ("a whole number", ""),
    TEXT: ("a text", ""),
    TEXTS: ("a list of texts", "['{}']"),
}


def _pair(key: str, value: object) -> str:
    """`BONES=20`; the name alone for None."""
    return key if value is None else f"{key}={_plain(value)}"


def _plain(value: object) -> str:
    """A value as the command line has it: `1` for True, `4,0,1` for several numbers."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (list, tuple)):
        return ",".join([_plain(each) for each in cast("list[object]", value)])
    return os.fspath(cast("PathLike[str]", value)) if isinstance(value, PathLike) else str(value)


__all__ = ["Compilation", "compile"]
