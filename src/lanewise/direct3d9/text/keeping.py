"""Instructions of Direct3D 9 sources, kept from one reading to the next: most lines stay while a text is edited."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.program import Inst
    from lanewise.direct3d9.isa.table import Version
    from lanewise.direct3d9.text.lexer import Lexer, Line, Token
    from lanewise.direct3d9.text.notes import Noted

MOST_KEPT = 1 << 16  # lines


class Kept(Record):
    """A line with one instruction as it was read last, without macros and findings."""

    number: int
    "Number of the line."
    column: int
    "Column of its first token."
    tokens: int
    "Tokens of the line: those outside of comments."
    inst: Inst
    "The instruction, with its place."
    names: tuple[Noted, ...]
    "Names in the line."


class Store:
    """Instructions by file, version and text of the line: what they give depends on nothing else without macros. They
    are kept by the number of the line too, as lines may have the same text."""

    def __init__(self) -> None:
        self.lines: dict[tuple[str, Version, str], Kept] = {}
        self._placed: dict[tuple[str, Version, int], tuple[str, Kept]] = {}
        self._tokens: dict[tuple[str, int], tuple[str, list[Token]]] = {}

    def tokens(self, lexer: Lexer, line: Line) -> list[Token]:
        """The tokens of a line outside of comments, which are not changed."""
        file, number, text = line
        known = self._tokens.get((file, number))
        if known is not None and known[0] == text and lexer.opened is None:
            return known[1]
        begins_inside = lexer.opened is not None
        found = lexer.tokens(line)
        if not begins_inside and lexer.opened is None:
            if len(self._tokens) >= MOST_KEPT:
                self._tokens.clear()
            self._tokens[file, number] = text, found
        return found

    def find(self, version: Version, start: Token) -> Kept | None:
        """The line that begins with a token, if it was read before, in its present place."""
        file, number, text = start.line
        placed = self._placed.get((file, version, number))
        if placed is not None and placed[0] == text:
            return placed[1]
        found = self.lines.get((file, version, text))
        if found is None:
            return None
        _, column, tokens, inst, names = found
        place = inst.place._replace(line=number) if inst.place is not None else None
        moved = Kept(
            number=number,
            column=column,
            tokens=tokens,
            inst=inst._replace(place=place),
            names=tuple([name.moved(number) for name in names]),
        )
        self._placed[file, version, number] = text, moved
        return moved

    def keep(self, version: Version, start: Token, tokens: int, inst: Inst, names: list[Noted]) -> None:
        if len(self.lines) >= MOST_KEPT:
            self.lines.clear()
        if len(self._placed) >= MOST_KEPT:
            self._placed.clear()
        file, number, text = start.line
        kept = Kept(number=number, column=start.column, tokens=tokens, inst=inst, names=tuple(names))
        self.lines[file, version, text] = kept
        self._placed[file, version, number] = text, kept


STORE = Store()
