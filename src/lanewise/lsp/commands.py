"""Commands of the server, which show texts made of the open text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lanewise.api.findings import explained, findings
from lanewise.core import files
from lanewise.core.diagnostics import InputError, render
from lanewise.core.document import as_markdown, as_text
from lanewise.core.elsewhere import placed
from lanewise.core.service import Answer, InputFailure, Request, SourceFile, UsageError
from lanewise.lsp.beside import program_of, service
from lanewise.packages import Match, recognise, unknown_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.core.package import Loaded
    from lanewise.lsp.beside import ShaderTestsBeside
    from lanewise.lsp.documents import Documents, View

MARKDOWN, PLAIN, SVG = "markdown", "plaintext", "svg"
GRAPHS = ("svg", "text", "dot")
_VERTICES = 1 << 16


class Shown(NamedTuple):
    """A text for the user, and the language that it is in."""

    title: str
    language: str
    text: str

    def to_json(self) -> dict[str, str]:
        return {"title": self.title, "languageId": self.language, "text": self.text}


class Commands:
    """The commands of the server by name. They raise InputError, InputFailure, UsageError, OSError."""

    documents: Documents
    beside: ShaderTestsBeside

    def __init__(self, documents: Documents, beside: ShaderTestsBeside) -> None:
        self.documents, self.beside = documents, beside
        self.table: Mapping[str, Callable[..., Shown]] = {
            "lanewise.explain": self.explain,
            "lanewise.isa": self.isa,
            "lanewise.disassemble": self.disassemble,
            "lanewise.run": self.run,
            "lanewise.trace": self.trace,
            "lanewise.tests": self.tests,
            "lanewise.graph": self.graph,
            "lanewise.time": self.time,
        }

    def explain(self, code: str) -> Shown:
        """The page of a finding."""
        row = findings().get(code.strip().upper())
        if row is None:
            raise UsageError(f"unknown code {code}")
        return Shown(row.code, MARKDOWN, as_markdown(explained(row)))

    def isa(self, uri: str, name: str) -> Shown:
        """The page of an instruction."""
        package = self._view(uri).match.package
        if package.reference is None:
            raise UsageError(f"{package.title} has no reference")
        page, _ = package.reference().instruction(name)
        return Shown(name, MARKDOWN, as_markdown(page))

    def disassemble(self, uri: str) -> Shown:
        """The program of an open text, or of a binary file, as source."""
        from lanewise.lsp.documents import path_of

        if self.documents.view(uri) is None and self.documents.texts.get(uri) is None and self.documents.disk:
            return disassembly(path_of(uri))
        view = self._view(uri)
        if view.match.compiled:
            language = view.match.package.languages[0].name
            return Shown(f"{_base(view.name)}: disassembly", language, self._program(view).program.text)
        return _listed(self._program(view), view.match, view.request, _base(view.name))

    def run(self, uri: str, entry: str = "") -> Shown:
        """The outputs of the first shader test beside a text, or of zeros."""
        view = self._view(uri)
        self._program(view)
        tests = self.beside.tests(view.path)
        if tests:
            program = program_of(view, tests[0])
            kind, case = service(program), tests[0].test.case
            result = kind.run(kind.chosen(program, case), case)
            return Shown(
                f"{_base(view.name)}, {tests[0].test.name}", PLAIN, f"shader test '{tests[0].test.name}'\n\n{result.table()}\n"
            )
        return self._service(
            view, "run", entry, {"default": "0"}, "all inputs are 0: write a shader test beside the file for values"
        )

    def trace(self, uri: str, entry: str = "", vertex: int = 0) -> Shown:
        """Every step of a vertex or lane, with the values of the first shader test beside a text, or of zeros."""
        if not 0 <= vertex < _VERTICES:
            raise UsageError(f"vertex is {vertex}, expected 0 to {_VERTICES - 1}")
        view = self._view(uri)
        self._program(view)
        for beside in self.beside.tests(view.path)[:1]:
            program = program_of(view, beside)
            kind, case = service(program), beside.test.case
            trace = kind.trace(kind.chosen(program, case), case, vertex) if kind.trace is not None else None
            if trace is not None:
                text = trace.text()
                return Shown(f"{_base(view.name)}, vertex {vertex}", PLAIN, f"shader test '{beside.test.name}'\n\n{text}\n")
        return self._service(view, "trace", entry, {"default": "0", "trace": vertex}, "all inputs are 0")

    def tests(self, uri: str) -> Shown:
        """The results of the shader tests beside a text."""
        view = self._view(uri)
        found = self.beside.tests(view.path)
        lines: list[str] = []
        failed = 0
        for beside in found:
            try:
                text = beside.test.failure(program_of(view, beside))
            except InputError as error:
                text = "\n\n".join([render(placed(finding, self.documents.surface)) for finding in error.diagnostics])
            failed += bool(text)
            lines += [
                f"{'FAILED' if text else 'passed'}  {beside.file.name}: {beside.test.name}",
                *([text, ""] if text else []),
            ]
        head = f"{len(found) - failed} passed, {failed} failed" if found else f"no shader test beside {_base(view.name)}"
        return Shown(f"tests of {_base(view.name)}", PLAIN, "\n".join([head, "", *lines, ""]))

    def graph(self, uri: str, entry: str = "", style: str = "svg") -> Shown:
        """The flow graph."""
        if style not in GRAPHS:
            raise UsageError(f"unknown form of a graph '{style}': use {', '.join(GRAPHS)}")
        shown = self._service(self._view(uri), "graph", entry, {"format": style}, "")
        return shown._replace(language=SVG if style == "svg" else PLAIN)

    def time(self, uri: str) -> Shown:
        """The cycles of a program."""
        return self._service(self._view(uri), "time", "", {}, "")

    def _view(self, uri: str) -> View:
        view = self.documents.view(uri)
        if view is None:
            raise UsageError("the text is not open, or its language is not known")
        return view

    def _program(self, view: View) -> Loaded:
        errors = [finding for finding in view.analysis.findings if finding.is_error]
        if errors or view.analysis.loaded is None:
            raise InputError(errors)
        return view.analysis.loaded

    def _service(self, view: View, name: str, entry: str, values: Mapping[str, Any], note: str) -> Shown:
        """The answer of a service of the program, as text."""
        call = getattr(self._program(view), name)
        if call is None:
            raise UsageError(f"{view.match.package.title} has no `lanewise {name}`")
        command = "run" if name == "trace" else name
        own = self.documents.values(view.path, view.match.package, command)
        request = Request(
            command,
            view.request.sources,
            {**own, **values, **({"entry": entry} if entry else {})},
            language=view.request.language,
            files=view.request.files,
            read_included=view.request.read_included,
        )
        text = text_of(call(request))
        return Shown(f"{_base(view.name)}: {name}", PLAIN, f"{note}\n\n{text}" if note else text)


def text_of(answer: Answer) -> str:
    """An answer as text: its page, its text or what it would write."""
    parts = [render(finding) + "\n" for finding in answer.first]
    if answer.page:
        parts.append(as_text(answer.page))
    elif answer.text:
        parts.append(answer.text)
    parts += [data.decode(errors="replace") for _, data in answer.files]
    return "\n".join([*parts, *[render(finding) for finding in answer.last]])


def disassembly(path: str) -> Shown:
    """A binary file as source. Raises InputError for one that is not a program, OSError."""
    if not path:
        raise UsageError("only files can be disassembled")
    data = files.read(path, "program")
    match = recognise(path, data)
    if match is None:
        raise unknown_file(path, data)
    request = Request("dis", (SourceFile(path, data, path),), {})
    return _listed(match.read(request), match, request, _base(path))


def _listed(loaded: Loaded, match: Match, request: Request, name: str) -> Shown:
    """The sources of a program, one after the other."""
    language = match.language or match.package.languages[0]
    if language.write is None and loaded.disassemble is None:
        raise UsageError(f"{match.package.title} has no disassembler")
    if language.write is not None:
        sources = language.write(loaded, request).sources
    else:
        answer = loaded.disassemble(request) if loaded.disassemble is not None else Answer()
        sources = answer.sources.sources if answer.sources is not None else ()
    if len(sources) == 1:
        return Shown(f"{name}: disassembly", language.name, sources[0].text)
    text = "\n".join([f"; {source.name}\n{source.text}" for source in sources])
    return Shown(f"{name}: disassembly", language.name, text)


def _base(name: str) -> str:
    return Path(name).name or name


__all__ = ["MARKDOWN", "PLAIN", "SVG", "Commands", "InputFailure", "Shown", "disassembly", "text_of"]
