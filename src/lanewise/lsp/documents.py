"""The texts that an editor has open, and what is known of them: `Documents` and `View`. It knows no protocol but places."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast
from urllib.parse import unquote

from pygls.uris import from_fs_path, to_fs_path

from lanewise.api.loading import DiskFiles
from lanewise.core import files
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.editor import Analysis, Entry, Placed
from lanewise.core.package import CERTAIN
from lanewise.core.record import Record
from lanewise.core.service import FLAG, HINTS, TEXT, TEXTS, InputFailure, Report, Request, SourceFile, UsageError
from lanewise.core.source import Span, decode_text
from lanewise.lsp.client import setting
from lanewise.lsp.positions import UTF16, Positions
from lanewise.packages import Match, fault_of, hinted, language_of, languages, recognise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lanewise.core.editor import Editor
    from lanewise.core.elsewhere import Surface
    from lanewise.core.occurrences import Occurrence
    from lanewise.core.package import IsaPackage
    from lanewise.core.service import Value

MOST_SOURCE = 1 << 24  # characters of a text that is analysed


class Rules(NamedTuple):
    """The configuration of a file."""

    reported: Callable[[str], bool] = lambda _: True
    "Whether a code is reported."
    dialect: str = ""
    "Its language; empty to recognise it."
    indent: str = ""
    "Its indentation; empty for the default."
    options: Mapping[str, str] = {}
    "Values of options of the instruction sets."
    unit: tuple[str, ...] = ()
    "Sources of the program that it is declared to be a part of, in their order."


class Text(Record):
    """An open text, or a file that an open text names."""

    uri: str
    "The name in the protocol."
    name: str
    "The name in findings: the path, or else the URI."
    path: str
    "The path of its file; empty for one that was never saved."
    text: str
    "The contents as the editor, or the file, has them."
    version: int | None
    "The number of the editor's version; None for a file that is not open."
    language_id: str
    "The language that the editor gives it; empty: not known."


class View:
    """A text with its analysis. `depends` are the paths of the files that it includes; `failure` is the error of the analysis
    itself, if there was one."""

    uri: str
    name: str
    path: str
    text: str
    version: int | None
    program: str
    match: Match
    request: Request
    analysis: Analysis
    failure: Exception | None
    depends: frozenset[str]
    positions: Positions

    def __init__(
        self,
        text: Text,
        match: Match,
        request: Request,
        analysis: Analysis,
        depends: Iterable[str],
        encoding: str,
        failure: Exception | None = None,
    ) -> None:
        self.uri, self.name, self.path, self.text, self.version = text.uri, text.name, text.path, text.text, text.version
        self.program = text.uri  # the text that is analysed: another one for an included text
        self.match, self.request, self.analysis, self.failure = match, request, analysis, failure
        self.depends = frozenset(depends)
        self.positions = Positions(text.text, encoding)

    @cached_property
    def editor(self) -> Editor | None:
        """The support of the language for editors, if it has any."""
        return editor_of(self.match)

    @property
    def language(self) -> str:
        return self.match.language.name if self.match.language is not None else ""

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """The names of this text, in its order."""
        return [found for found in self.analysis.occurrences if found.span.file == self.name]

    @cached_property
    def placed(self) -> list[Placed]:
        """The statements of this text that have words."""
        return [placed for placed in self.analysis.placed if placed.span.file == self.name]

    def at(self, offset: int) -> Occurrence | None:
        """The name at an offset, or the one that ends there."""
        best: tuple[bool, int] | None = None
        found: Occurrence | None = None
        line, _ = self.positions.place(offset)
        for occurrence in self.occurrences:
            if occurrence.span.line != line:
                continue
            start, end = self.positions.bounds(occurrence.span)
            if start <= offset <= end:
                rank = (offset == end, end - start)
                if best is None or rank < best:
                    best, found = rank, occurrence
        return found


def editor_of(match: Match) -> Editor | None:
    return match.language.editor() if match.language is not None and match.language.editor is not None else None


class Documents:
    """All texts that an editor has open. `texts` and `views` have them by resource, in one spelling (`unquoted`).

    `rules` is the configuration of a path; it raises UsageError. Without a `disk` only open texts are read. `surface` says
    what options of commands are in the editor. `analyse` may run
    on another thread than the other methods: it works on what is there when it starts.
    """

    rules: Callable[[str], Rules]
    encoding: str
    disk: bool
    surface: Surface

    def __init__(
        self, rules: Callable[[str], Rules], encoding: str = UTF16, *, disk: bool = True, surface: Surface = setting
    ) -> None:
        self.rules, self.encoding, self.disk, self.surface = rules, encoding, disk, surface
        self.options: Mapping[str, object] = {}  # of the editor's user: they count where the configuration says nothing
        self.texts: dict[str, Text] = {}
        self.views: dict[str, View] = {}
        self._by_path: dict[str, str] = {}
        self._read: dict[str, tuple[tuple[int, int], View | None]] = {}  # files that are not open, by path

    def put(self, uri: str, text: str, version: int | None, language_id: str = "") -> Text:
        """An opened or changed text."""
        key, path = unquoted(uri), path_of(uri)
        before = self.texts.get(key)
        known = before.language_id if before is not None else ""
        found = self.texts[key] = Text(
            uri=uri, name=path or uri, path=path, text=text, version=version, language_id=language_id or known
        )
        if path:
            self._by_path[normal(path)] = key
        return found

    def close(self, uri: str) -> None:
        text = self.texts.pop(unquoted(uri), None)
        self.views.pop(unquoted(uri), None)
        if text is not None:
            self._by_path.pop(normal(text.path), None)

    def uri_of(self, file: str) -> str:
        """The resource of a file that a finding or an occurrence names."""
        opened = self.texts.get(self._by_path.get(normal(file), unquoted(file)))
        return opened.uri if opened is not None else from_fs_path(os.path.abspath(file)) or file

    def view(self, uri: str) -> View | None:
        """The last view of an open text."""
        return self.views.get(unquoted(uri))

    def match(self, text: Text) -> Match | None:
        """The kind of a text: content that is certain, then the editor's language, then the name, then other content, as
        commands do."""
        data = bytes_of(text.text)
        found = recognise(text.path or text.uri, data)
        dialect = self.rules(text.path).dialect
        if found is not None and found.language is not None and found.language.recognises(text.text) == CERTAIN:
            return found
        named = text.language_id.removeprefix("lanewise-")
        if any(language.name == named for _, language in languages()):
            return Match(*language_of(named))
        if dialect:
            package, language = language_of(dialect)
            if found is None or (found.package.name == package.name and found.language is not None):
                return Match(package, language)
        return found if found is not None and found.language is not None else None

    def analyse(self, uri: str) -> View | None:
        """The view of an open text; None for a text of no language of ours. Raises UsageError for a wrong configuration."""
        text = self.texts.get(unquoted(uri))
        return self.view_of(text) if text is not None else None

    def view_of(self, text: Text) -> View | None:
        """A text with its analysis. Raises UsageError for a wrong configuration."""
        if len(text.text) > MOST_SOURCE:
            return None
        match = self.match(text)
        if match is None:
            return None
        depends: set[str] = set()
        try:
            request = self.request(text, match, depends)
        except InputFailure as error:  # of a source that is linked
            own = SourceFile(text.name, bytes_of(text.text), text.path or text.name)
            return View(text, match, Request("check", (own,), {}), _refused(text, error), depends, self.encoding)
        try:
            return View(text, match, request, analysed(match, request), depends, self.encoding)
        except (UsageError, InputFailure) as error:  # of the options
            return View(text, match, request, _refused(text, error), depends, self.encoding)
        except Exception as error:  # the editor of a language must not raise; a fault in one must not end the server
            message = f"internal error ({type(error).__name__}: {error}): please report it, with the source"
            span = Span(file=text.name, line=1, column=1)
            fault = fault_of(error) or Diagnostic(code="U005", severity=ERROR, message=message, span=span)
            found = Analysis(findings=(fault._replace(span=span),))
            return View(text, match, request, found, depends, self.encoding, error)

    def request(self, text: Text, match: Match, depends: set[str], command: str = "check") -> Request:
        """The request of a command for a text, with the sources that it is linked with. The paths of these and of files that it
        includes are added to `depends`. Raises UsageError, InputFailure for a source that cannot be read."""
        sources = self.linked(text, match, depends)
        values = self.values(text.path, match.package, command)
        include = values.get("include", ()) if "include" in self.options else ()
        scope = files.Scope([text.path or text.name], include if isinstance(include, tuple) else ())

        def included(path: str) -> str:
            depends.add(normal(path))
            return self.text_of(path, scope)

        language = match.language.name if match.language is not None else ""
        return Request(
            command,
            sources,
            values,
            language=language,
            files=DiskFiles() if self.disk else None,
            read_included=included,
        )

    def linked(self, text: Text, match: Match, depends: set[str]) -> tuple[SourceFile, ...]:
        """The sources that a text is linked with, in their order: those that the configuration declares, or else those whose
        names make a pair with its own. Raises UsageError, InputFailure for a declared one that cannot be read."""
        own = SourceFile(text.name, bytes_of(text.text), text.path or text.name)
        if not text.path or match.compiled or match.language is None:
            return (own,)
        declared = self.rules(text.path).unit
        files_of = declared or partners(text.path, match.language.pair)
        found: list[SourceFile] = []
        scope = files.Scope([text.path])
        for path in files_of:
            if normal(path) == normal(text.path):
                found.append(own)
                continue
            try:
                data = self.text_of(path, scope)
            except (OSError, ValueError) as error:
                if not declared:
                    return (own,)
                why = (error.strerror if isinstance(error, OSError) else "") or str(error)
                raise InputFailure(f"cannot read {path}, which the configuration links with this file: {why}") from None
            opened = self.texts.get(self._by_path.get(normal(path), ""))
            found.append(SourceFile(opened.name if opened is not None else path, bytes_of(data), path))
        depends.update(normal(path) for path in files_of if normal(path) != normal(text.path))
        return tuple(found) or (own,)

    def values(self, path: str, package: IsaPackage, command: str) -> dict[str, Value]:
        """The options of an instruction set for a file: those of the configuration, and of the editor's user where it says
        nothing."""
        general = (HINTS,) if command == "check" else ()
        rows = {option.key: option for option in (*package.manual(command).options, *general)}
        variants = {row.option.lstrip("-") for row in package.variants()}
        given = {key: value for key, value in self.rules(path).options.items() if key in variants}
        found: dict[str, Value] = {key: value for key, value in given.items() if key in rows}
        for key, value in self.options.items():
            row = rows.get(key)
            if row is None or (given and key in variants) or not value:
                continue
            if row.kind == TEXT and isinstance(value, str) and (not row.choices or value in row.choices):
                found[key] = value
            elif row.kind == FLAG and value is True:
                found[key] = True
            elif row.kind == TEXTS and isinstance(value, list):
                texts = [str(each) for each in cast("list[object]", value)]
                found[key] = tuple([os.path.join(os.path.dirname(path), each) if key == "include" else each for each in texts])
        return found

    def text_of(self, path: str, scope: files.Scope | None = None) -> str:
        """The text of a file: of its open buffer, or from the disk, where a scope may refuse it. Raises OSError."""
        opened = self.texts.get(self._by_path.get(normal(path), ""))
        if opened is not None:
            return opened.text
        if not self.disk:
            raise FileNotFoundError(2, "no open text has this name")
        return scope.included(path) if scope is not None else files.read_text(path, "include")

    def dependents(self, path: str) -> list[str]:
        """The open texts that include a file or are linked with it, as keys of `views`."""
        name = normal(path) if path else ""
        return [uri for uri, view in list(self.views.items()) if name and name in view.depends]

    def about(self, view: View) -> list[View]:
        """The views that may name what a text declares: its own, and those of the open texts that include it."""
        others = [self.views[uri] for uri in self.dependents(view.path) if uri in self.views]
        return [view, *[other for other in others if other.uri != view.uri]]

    def included(self, text: Text) -> View | None:
        """An open text as a program that includes it reads it; None where none does. Its own analysis says little: it is a part
        of a program."""
        for key in self.dependents(text.path):
            view = self.views[key]
            if key == unquoted(text.uri) or any(normal(source.path) == normal(text.path) for source in view.request.sources):
                continue  # a source of a link has an analysis of all of it
            for name in dict.fromkeys([occurrence.span.file for occurrence in view.analysis.occurrences]):
                if normal(name) == normal(text.path):
                    part = text._replace(name=name)
                    found = View(part, view.match, view.request, view.analysis, view.depends, self.encoding)
                    found.program = view.uri
                    return found
        return None

    def positions(self, file: str, view: View) -> Positions | None:
        """The places of a file that an analysis names; None for one that cannot be read."""
        if file == view.name:
            return view.positions
        try:
            return Positions(self.text_of(file), self.encoding)
        except (OSError, ValueError):
            return None

    def view_of_file(self, path: str) -> View | None:
        """The view of a file, open or not; None for one that is not a source or cannot be read."""
        opened = self._by_path.get(normal(path))
        if opened is not None and opened in self.views:
            return self.views[opened]
        if not self.disk:
            return None
        try:
            state = os.stat(path)
            key = (state.st_mtime_ns, state.st_size)
            known = self._read.get(path)
            if known is None or known[0] != key:
                text = decode_text(files.read(path, "source")) if state.st_size < MOST_SOURCE else ""
                view = None
                if "\0" not in text[:4096]:
                    view = self.view_of(
                        Text(uri=self.uri_of(path), name=path, path=path, text=text, version=None, language_id="")
                    )
                known = self._read[path] = (key, view)
        except (OSError, ValueError, UsageError):
            return None
        return known[1]


def analysed(match: Match, request: Request) -> Analysis:
    """The analysis of a source, by its language's editor or else by what every language has."""
    found = _analysed(match, request)
    if not request.flag(HINTS.key) or found.loaded is None:
        return found
    report = hinted(match.package, found.loaded, request, Report(found.findings, found.ignored))
    return found._replace(findings=report.findings, ignored=report.ignored)


def _analysed(match: Match, request: Request) -> Analysis:
    editor = editor_of(match)
    if editor is not None:
        return editor.analyse(request)
    try:
        loaded = match.read(request)
        report = loaded.check(request) if loaded.check is not None else Report(())
    except InputError as error:
        return Analysis(findings=tuple(error.diagnostics))
    try:
        spans = [(span, address) for address, span in enumerate(loaded.source_map) if span is not None and span.line]
    except InputError:
        return Analysis(findings=report.findings, ignored=report.ignored)
    first = Span(file=request.sources[0].name, line=1, column=0)
    return Analysis(
        findings=report.findings,
        ignored=report.ignored,
        occurrences=(),
        placed=tuple([Placed(span, address) for span, address in spans]),
        entries=(Entry(name="", span=first, words=len(loaded.words)),) if match.compiled else (),
        loaded=loaded,
    )


def _refused(text: Text, error: UsageError | InputFailure) -> Analysis:
    """The analysis of a text whose request cannot be served: the reason."""
    place = Span(file=text.name, line=1, column=0)
    return Analysis(findings=(Diagnostic(code=error.code, severity=ERROR, message=str(error), span=place),))


def bytes_of(text: str) -> bytes:
    """The bytes of a text, each character of which stays one: a byte order mark and halves of characters would not."""
    return text.replace("\ufeff", " ", 1).encode(errors="replace")


def partners(path: str, suffixes: tuple[str, ...]) -> tuple[str, ...]:
    """The files whose names make a pair with one, itself among them; none where its name does not."""
    own = next((suffix for suffix in suffixes if path.endswith(suffix)), "")
    return tuple([path[: -len(own)] + suffix for suffix in suffixes]) if own else ()


def unquoted(uri: str) -> str:
    """A resource in one spelling: editors escape characters as they like, such as `file:///c%3A/x`."""
    return unquote(uri)


def path_of(uri: str) -> str:
    """The path of a resource; empty for one that is not a file."""
    return (to_fs_path(uri) or "") if uri.startswith("file:") else ""


def normal(path: str) -> str:
    return os.path.normcase(os.path.abspath(path))


__all__ = ["Documents", "Rules", "Text", "View", "analysed", "bytes_of", "editor_of", "normal", "path_of", "unquoted"]
