"""The parts of a text: symbols, folding, selection, semantic tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lanewise.core import occurrences as names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.occurrences import Occurrence
    from lanewise.lsp.documents import View

_SYMBOLS = {
    names.PROCEDURE: t.SymbolKind.Function,
    names.MACRO: t.SymbolKind.Function,
    names.LABEL: t.SymbolKind.Key,
    names.INPUT: t.SymbolKind.Field,
    names.OUTPUT: t.SymbolKind.Property,
    names.UNIFORM: t.SymbolKind.Variable,
    names.CONSTANT: t.SymbolKind.Constant,
    names.ALIAS: t.SymbolKind.Variable,
    names.SAMPLER: t.SymbolKind.Variable,
    names.REGISTER: t.SymbolKind.Variable,
}

_CODE = (names.PROCEDURE, names.LABEL)
_LONGEST = 60  # characters of a detail

# The types of semantic tokens by kinds of names; the names are those of the protocol, which every theme colours.
TOKENS = {
    names.INSTRUCTION: "keyword",
    names.DIRECTIVE: "macro",
    names.REGISTER: "variable",
    names.INPUT: "parameter",
    names.OUTPUT: "property",
    names.UNIFORM: "variable",
    names.CONSTANT: "enumMember",
    names.ALIAS: "variable",
    names.LABEL: "label",
    names.PROCEDURE: "function",
    names.MACRO: "macro",
    names.PARAMETER: "parameter",
    names.FILE: "string",
    names.SEMANTIC: "type",
    names.SAMPLER: "variable",
    names.MODIFIER: "modifier",
}
MODIFIERS = ("declaration", "modification", "readonly", "defaultLibrary")
_READONLY = (names.CONSTANT, names.UNIFORM, names.INPUT)
_BUILT_IN = (names.INSTRUCTION, names.DIRECTIVE, names.REGISTER, names.SEMANTIC)
LEGEND = t.SemanticTokensLegend(token_types=[*dict.fromkeys(TOKENS.values())], token_modifiers=[*MODIFIERS])


def declared(view: View) -> list[Occurrence]:
    """The symbols that a text declares, in its order."""
    return [each for each in view.occurrences if each.definition and each.kind in _SYMBOLS]


def symbols(view: View) -> list[t.DocumentSymbol]:
    """The symbols that a text declares, each inside of the one around it."""
    found: list[t.DocumentSymbol] = []
    open_: list[tuple[int, t.DocumentSymbol]] = []
    rows = sorted(declared(view), key=lambda each: (_first(each), -_last(each), each.span.column))
    for each in rows:
        own = view.positions.range(each.span)
        around = own
        if each.extent is not None and each.extent.file == view.name:
            around = _joined(view.positions.rows(each.extent.first, each.extent.last), own)
        symbol = t.DocumentSymbol(each.name, _SYMBOLS[each.kind], around, own, detail=_detail(view, each), children=[])
        while open_ and open_[-1][0] < each.span.line:
            open_.pop()
        (open_[-1][1].children if open_ and open_[-1][1].children is not None else found).append(symbol)  # pyright: ignore[reportArgumentType, reportUnknownMemberType, reportAttributeAccessIssue]
        if each.extent is not None and each.extent.last > each.extent.first:
            open_.append((each.extent.last, symbol))
    return found


def _detail(view: View, each: Occurrence) -> str:
    """The register that a name stands for; the words of code; else the statement that declares it."""
    if each.register and each.register != each.name:
        return each.register
    if each.kind in _CODE:
        first, last = _first(each), _last(each) if each.extent is not None else view.positions.lines
        placed = [one for one in view.placed if first <= one.span.line <= last]
        if not placed:
            return ""
        address, words = placed[0].address, sum([one.words for one in placed])
        return f"{words} word{'s' * (words > 1)} from {address:#x} on" if each.extent is not None else f"word {address:#x}"
    comment = view.editor.comment if view.editor is not None else ";"
    statement = " ".join(each.span.text.partition(comment)[0].split())
    return statement if len(statement) <= _LONGEST else f"{statement[: _LONGEST - 3]}..."


def _first(each: Occurrence) -> int:
    return each.extent.first if each.extent is not None else each.span.line


def _last(each: Occurrence) -> int:
    return each.extent.last if each.extent is not None else each.span.line


def _joined(one: t.Range, other: t.Range) -> t.Range:
    """The range that has both: editors refuse symbols whose names are outside of them."""
    return t.Range(min(one.start, other.start, key=_order), max(one.end, other.end, key=_order))


def _order(position: t.Position) -> tuple[int, int]:
    return position.line, position.character


def workspace_symbols(views: Iterable[View], query: str) -> list[t.WorkspaceSymbol]:
    """The symbols that texts declare, with the letters of a query in their order."""
    found: list[t.WorkspaceSymbol] = []
    for view in views:
        for each in declared(view):
            if each.kind != names.REGISTER and _has_letters(each.name.lower(), query.lower()):
                place = t.Location(view.uri, view.positions.range(each.span))
                found.append(
                    t.WorkspaceSymbol(place, each.name, _SYMBOLS[each.kind], container_name=view.name.rpartition("/")[2])
                )
    return found


def _has_letters(name: str, query: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in query)


def folds(view: View) -> list[t.FoldingRange]:
    """Procedures and other parts of several lines, indented blocks, comments of several lines."""
    found: dict[tuple[int, int], t.FoldingRange] = {}
    for each in view.occurrences:
        if each.extent is not None and each.extent.file == view.name and each.extent.last > each.extent.first:
            start, end = (
                view.positions.rows(each.extent.first, each.extent.last).start,
                view.positions.rows(each.extent.first, each.extent.last).end,
            )
            found[start.line, end.line] = t.FoldingRange(start.line, end.line, kind=t.FoldingRangeKind.Region)
    lines = [view.positions.line_text(line) for line in range(view.positions.lines)]
    for first, last in _blocks(lines):
        if not any(start == first for start, _ in found):
            found[first, last] = t.FoldingRange(first, last, kind=t.FoldingRangeKind.Region)
    comment = view.editor.comment if view.editor is not None else ";"
    for first, last in _comments(lines, comment):
        found[first, last] = t.FoldingRange(first, last, kind=t.FoldingRangeKind.Comment)
    return [found[key] for key in sorted(found)]


def _blocks(lines: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Lines that are followed by others further in, to the last of these."""
    open_: list[tuple[int, int]] = []
    last = 0
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        depth = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        while open_ and open_[-1][1] >= depth:
            first, _ = open_.pop()
            if last > first:
                yield first, last
        open_.append((number, depth))
        last = number
    for first, _ in reversed(open_):
        if last > first:
            yield first, last


def _comments(lines: Sequence[str], comment: str) -> Iterable[tuple[int, int]]:
    first = -1
    for number, line in enumerate([*lines, ""]):
        if line.lstrip().startswith((comment, "//", ";")):
            first = number if first < 0 else first
        elif first >= 0:
            if number - 1 > first:
                yield first, number - 1
            first = -1


def selection(view: View, offset: int) -> t.SelectionRange:
    """The name at an offset, its operand, its statement, its procedure, the text: each around the one before."""
    bounds: list[tuple[int, int]] = []
    here = view.at(offset)
    if here is not None:
        bounds.append(view.positions.bounds(here.span))
        bounds.append(_operand(view.text, *bounds[0]))
    bounds += [view.positions.bounds(placed.span) for placed in view.placed]
    line, _ = view.positions.place(offset)
    start = view.positions.offset(line, 1)
    text = view.text[start : view.positions.offset(line + 1, 1)].rstrip("\r\n")
    bounds.append((start + len(text) - len(text.lstrip()), start + len(text.rstrip())))
    for each in view.occurrences:
        if each.extent is not None and each.extent.file == view.name:
            first = view.positions.offset(each.extent.first, 1)
            bounds.append((first, len(view.text[: view.positions.offset(each.extent.last + 1, 1)].rstrip("\r\n"))))
    kept = sorted({(a, b) for a, b in bounds if a <= offset <= b}, key=lambda pair: (pair[1] - pair[0], -pair[0]))
    result = t.SelectionRange(view.positions.whole)
    before = (0, len(view.text))
    for start, end in reversed(kept):
        if before[0] <= start and end <= before[1] and (start, end) != before:
            result, before = t.SelectionRange(view.positions.between(start, end), result), (start, end)
    return result


def _operand(text: str, start: int, end: int) -> tuple[int, int]:
    """A name with its sign, index and components: to the next comma, blank or end of line."""
    stops = ",\r\n;"
    left = max([text.rfind(stop, 0, start) for stop in (*stops, " ", "\t")]) + 1
    ends = [at for stop in stops if (at := text.find(stop, end)) >= 0]
    piece = text[end : min(ends, default=len(text))]
    return left, end + len(piece.rstrip())


def tokens(view: View, first: int = 0, last: int | None = None) -> t.SemanticTokens:
    """The names of the lines from `first` to `last`, of the protocol, as numbers: lines and columns from the name before,
    length, type, modifiers."""
    types = LEGEND.token_types
    places: dict[tuple[int, int], tuple[int, int, int]] = {}
    for each in view.occurrences:
        place = view.positions.range(each.span)
        if place.start.line != place.end.line or place.start.line < first or (last is not None and place.start.line > last):
            continue
        flags = (each.definition, each.written, each.kind in _READONLY, each.kind in _BUILT_IN)
        bits = sum(flag << number for number, flag in enumerate(flags))
        length = place.end.character - place.start.character
        places.setdefault((place.start.line, place.start.character), (length, types.index(TOKENS[each.kind]), bits))
    data: list[int] = []
    line = column = end = 0
    for (row, start), (length, kind, bits) in sorted(places.items()):
        if length <= 0 or (row == line and start < end):  # editors take no tokens that overlap
            continue
        data += [row - line, start - column if row == line else start, length, kind, bits]
        line, column, end = row, start, start + length
    return t.SemanticTokens(data)


__all__ = ["LEGEND", "MODIFIERS", "TOKENS", "declared", "folds", "selection", "symbols", "tokens", "workspace_symbols"]
