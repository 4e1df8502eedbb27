"""Requests about a name: definition, references, highlights, rename, calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types as t

from lanewise.core.diagnostics import ERROR, Edit, InputError
from lanewise.core.editing import edited
from lanewise.core.occurrences import GIVEN, LABEL, MACRO, PROCEDURE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.occurrences import Occurrence
    from lanewise.lsp.documents import Documents, View

CALLABLE = (PROCEDURE, MACRO, LABEL)


class Refused(Exception):
    """A request of the editor that cannot be met: a sentence for the user."""


class Site(NamedTuple):
    """An occurrence, and the view that has it."""

    view: View
    occurrence: Occurrence


def sites(documents: Documents, view: View, offset: int) -> tuple[Occurrence, list[Site]] | None:
    """The name at an offset, and all places of what it names, in every program that is open; each place once."""
    start: Occurrence | None = None
    found: list[Site] = []
    seen: set[tuple[str, int, int]] = set()
    for other in documents.about(view):
        here = view.at(offset) if other is view else _same_place(other, view, offset)
        if here is None:
            continue
        start = start or here
        for occurrence in other.analysis.occurrences:
            place = (documents.uri_of(occurrence.span.file or other.name), occurrence.span.line, occurrence.span.column)
            if occurrence.symbol == here.symbol and place not in seen:
                seen.add(place)
                found.append(Site(other, occurrence))
    return (start, found) if start is not None else None


def _same_place(other: View, view: View, offset: int) -> Occurrence | None:
    """The name at a place of an included file, as a program that includes it has it."""
    line, column = view.positions.place(offset)
    for occurrence in other.analysis.occurrences:
        span = occurrence.span
        if span.line == line and span.column <= column <= span.column + span.length and _is_file(span.file, view):
            return occurrence
    return None


def _is_file(file: str, view: View) -> bool:
    from lanewise.lsp.documents import normal

    return bool(view.path) and normal(file) == normal(view.path)


def location(documents: Documents, site: Site) -> t.Location | None:
    span = site.occurrence.span
    places = documents.positions(span.file, site.view)
    if places is None:
        return None
    return t.Location(site.view.uri if span.file == site.view.name else documents.uri_of(span.file), places.range(span))


def definitions(documents: Documents, view: View, offset: int) -> list[t.Location]:
    found = sites(documents, view, offset)
    defined = [site for site in found[1] if site.occurrence.definition] if found is not None else []
    return [place for site in defined if (place := location(documents, site)) is not None]


def references(documents: Documents, view: View, offset: int, *, declared: bool) -> list[t.Location]:
    found = sites(documents, view, offset)
    listed = [site for site in found[1] if declared or not site.occurrence.definition] if found is not None else []
    return [place for site in listed if (place := location(documents, site)) is not None]


def highlights(view: View, offset: int) -> list[t.DocumentHighlight]:
    """The places of a name in its text: where it is written, and where it is read."""
    here = view.at(offset)
    if here is None:
        return []
    kinds = (t.DocumentHighlightKind.Read, t.DocumentHighlightKind.Write)
    return [
        t.DocumentHighlight(view.positions.range(other.span), kinds[other.written or other.definition])
        for other in view.occurrences
        if other.symbol == here.symbol
    ]


# Rename


def renamable(view: View, offset: int) -> t.PrepareRenamePlaceholder:
    """The place and the text of a name that may be renamed. Raises Refused."""
    here = view.at(offset)
    if here is None:
        raise Refused("there is no name here")
    if here.kind not in GIVEN:
        raise Refused(f"{here.name} is a name of the language: only names that the source declares can be renamed")
    return t.PrepareRenamePlaceholder(view.positions.range(here.span), here.name)


def renamed(documents: Documents, view: View, offset: int, name: str) -> dict[str, list[Edit]]:
    """The edits that rename what is at an offset, by file. The program must stay what it is: it is assembled before and after.
    Raises Refused."""
    renamable(view, offset)
    found = sites(documents, view, offset)
    assert found is not None
    here, places = found
    if not any(site.occurrence.definition for site in places):
        raise Refused(f"{here.name} is not declared in a text that is open: open the one that declares it")
    if name == here.name:
        return {}
    if not name.strip() or name != name.strip() or any(character.isspace() for character in name):
        raise Refused(f"'{name}' is not a name: it is empty or has blanks")
    edits: dict[str, list[Edit]] = {}
    for site in places:
        span = site.occurrence.span
        file = view.name if _is_file(span.file, view) or span.file == view.name else span.file
        edits.setdefault(file, []).append(Edit(span, name))
    for program in dict.fromkeys(site.view for site in places):
        _prove(documents, program, edits, here.name, name)
    return edits


def _prove(documents: Documents, view: View, edits: dict[str, list[Edit]], old: str, new: str) -> None:
    """Assemble a program with the edits: its words, its names and its findings must be those of before. Raises Refused."""
    from lanewise.lsp.documents import Documents as Fresh

    trial = Fresh(documents.rules, documents.encoding)
    texts = {documents.uri_of(file): listed for file, listed in edits.items()}
    for text in documents.texts.values():
        trial.put(text.uri, text.text, text.version, text.language_id)
    for uri, listed in texts.items():
        known = documents.texts.get(_key(uri))
        path = next((site for site in edits if documents.uri_of(site) == uri), "")
        try:
            before = known.text if known is not None else documents.text_of(path)
            trial.put(
                uri,
                edited(before, listed),
                known.version if known is not None else None,
                known.language_id if known is not None else "",
            )
        except (OSError, ValueError) as error:
            raise Refused(f"{path} cannot be changed: {error}") from None
    after = trial.analyse(view.uri)
    if after is None:
        raise Refused(f"with the name {new} the text is not a program any more")
    more = [finding for finding in after.analysis.findings if finding.severity == ERROR]
    fewer = [finding for finding in view.analysis.findings if finding.severity == ERROR]
    if len(more) > len(fewer):
        reasons = [finding.message for finding in more if finding.message not in [other.message for other in fewer]]
        raise Refused(f"{old} cannot be renamed to {new}: {reasons[0] if reasons else 'the program would have errors'}")
    if _words(view) != _words(after):
        raise Refused(f"{old} cannot be renamed to {new}: the program would have other words")
    if _meanings(view) != _meanings(after):
        raise Refused(f"{old} cannot be renamed to {new}: that name means something else in the program")


def _key(uri: str) -> str:
    from lanewise.lsp.documents import unquoted

    return unquoted(uri)


def _words(view: View) -> list[int] | None:
    """The machine words; None for a program with errors."""
    try:
        return list(view.analysis.loaded.words) if view.analysis.loaded is not None else None
    except InputError:
        return None


def _meanings(view: View) -> list[tuple[object, ...]]:
    """Which occurrences name one thing, and what each is, without their names and places."""
    numbers: dict[str, int] = {}
    return [
        (
            numbers.setdefault(each.symbol, len(numbers)),
            each.kind,
            each.register,
            each.components,
            each.definition,
            each.written,
        )
        for each in view.analysis.occurrences
    ]


# Calls


def callables(documents: Documents, view: View, offset: int) -> list[t.CallHierarchyItem]:
    """The procedure at an offset: the one that is named, or else the one around it."""
    here = view.at(offset)
    if here is None or here.kind not in CALLABLE:
        line, _ = view.positions.place(offset)
        here = container(view, view.name, line)
        around = item(documents, view, here) if here is not None else None
        return [around] if around is not None else []
    found = sites(documents, view, offset)
    defined = [site for site in found[1] if site.occurrence.definition] if found is not None else []
    return [called for site in defined if (called := item(documents, site.view, site.occurrence)) is not None]


def item(documents: Documents, view: View, occurrence: Occurrence) -> t.CallHierarchyItem | None:
    """The routine that is called, in the file that defines it; `data` names the program."""
    place = location(documents, Site(view, occurrence))
    places = documents.positions(occurrence.span.file, view)
    if place is None or places is None:
        return None
    extent = occurrence.extent
    around = (
        places.rows(extent.first, extent.last) if extent is not None and extent.file == occurrence.span.file else place.range
    )
    return t.CallHierarchyItem(
        name=occurrence.name,
        kind=t.SymbolKind.Function,
        uri=place.uri,
        range=around,
        selection_range=place.range,
        detail=occurrence.kind,
        data={"uri": view.program, "symbol": occurrence.symbol},
    )


def container(view: View, file: str, line: int) -> Occurrence | None:
    """The innermost procedure whose lines have a line; in a language without procedures, the label before it."""
    best: Occurrence | None = None
    label: Occurrence | None = None
    size = 0
    for each in view.analysis.occurrences:
        if each.definition and each.kind == LABEL and each.span.file == file and each.span.line <= line:
            label = each
        extent = each.extent
        if (
            each.definition
            and each.kind in CALLABLE
            and extent is not None
            and extent.file == file
            and extent.first <= line <= extent.last
        ):
            lines = extent.last - extent.first
            if best is None or lines < size:
                best, size = each, lines
    return best or label


def _calls(view: View) -> Iterator[tuple[Occurrence, Occurrence | None]]:
    """Uses of procedures in the instructions of a program, in all its files, each with the procedure that it is in."""
    words = {(placed.span.file, placed.span.line) for placed in view.analysis.placed}
    for each in view.analysis.occurrences:
        if each.kind in CALLABLE and not each.definition:
            around = container(view, each.span.file, each.span.line)
            if around is not None or (each.span.file, each.span.line) in words:
                yield each, around


def _outside(view: View) -> t.CallHierarchyItem:
    """The code of a program that is in no procedure, as a caller."""
    start = view.positions.between(0, 0)
    name = view.name.replace("\\", "/").rpartition("/")[2]
    return t.CallHierarchyItem(
        name=name,
        kind=t.SymbolKind.File,
        uri=view.uri,
        range=view.positions.whole,
        selection_range=start,
        detail="main program",
        data={"uri": view.program, "symbol": ""},
    )


def incoming(documents: Documents, view: View, symbol: str) -> list[t.CallHierarchyIncomingCall]:
    callers: dict[str, tuple[t.CallHierarchyItem, list[t.Range]]] = {}
    for use, around in _calls(view):
        places = documents.positions(use.span.file, view)
        if use.symbol != symbol or places is None:
            continue
        caller = item(documents, view, around) if around is not None else _outside(view)
        if caller is not None:
            callers.setdefault(around.symbol if around is not None else "", (caller, []))[1].append(places.range(use.span))
    return [t.CallHierarchyIncomingCall(caller, ranges) for caller, ranges in callers.values()]


def outgoing(documents: Documents, view: View, symbol: str) -> list[t.CallHierarchyOutgoingCall]:
    defined = {each.symbol: each for each in view.analysis.occurrences if each.definition and each.kind in CALLABLE}
    called: dict[str, tuple[t.CallHierarchyItem, list[t.Range]]] = {}
    for use, around in _calls(view):
        places = documents.positions(use.span.file, view)
        if (around.symbol if around is not None else "") != symbol or use.symbol not in defined or places is None:
            continue
        callee = item(documents, view, defined[use.symbol])
        if callee is not None:
            called.setdefault(use.symbol, (callee, []))[1].append(places.range(use.span))
    return [t.CallHierarchyOutgoingCall(callee, ranges) for callee, ranges in called.values()]


__all__ = [
    "CALLABLE",
    "Refused",
    "Site",
    "callables",
    "container",
    "definitions",
    "highlights",
    "incoming",
    "item",
    "location",
    "outgoing",
    "references",
    "renamable",
    "renamed",
    "sites",
]
