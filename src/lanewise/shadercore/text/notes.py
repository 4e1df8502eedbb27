"""Notes of the reader for editors: the names of a source and where they are.

The language gives no names: registers, instructions and usages have those of the hardware.
"""

from __future__ import annotations

from lanewise.core.occurrences import DIRECTIVE, INSTRUCTION, REGISTER, SEMANTIC, Occurrence
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.table import COMPONENTS
from lanewise.shadercore.text.operands import registers_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.source import Span
    from lanewise.shadercore.text.reader import Token


MOST_KEPT = 1 << 16  # lines


class Kept(Record):
    """An instruction as it was read last without findings: its words, its place and the names in it."""

    words: tuple[int, ...]
    span: Span
    names: tuple[Occurrence, ...]


class Store:
    """Instructions of all sources, by the name of the source and the text of the line: what they give depends on nothing else,
    and most lines stay while a text is edited."""

    def __init__(self) -> None:
        self.lines: dict[tuple[str, str], Kept] = {}
        self._placed: dict[tuple[str, int], Kept] = {}  # by the number of the line: lines may have the same text

    def find(self, file: str, number: int, line: str) -> Kept | None:
        """A line that was read before, in its present place."""
        placed = self._placed.get((file, number))
        if placed is not None and placed.span.text == line:
            return placed
        found = self.lines.get((file, line))
        if found is None:
            return None
        names = tuple([name._replace(span=name.span._replace(line=number)) for name in found.names])
        moved = self._placed[file, number] = Kept(found.words, found.span._replace(line=number), names)
        return moved

    def keep(self, file: str, line: str, kept: Kept) -> None:
        if len(self.lines) >= MOST_KEPT:
            self.lines.clear()
        if len(self._placed) >= MOST_KEPT:
            self._placed.clear()
        self.lines[file, line] = self._placed[file, kept.span.line] = kept


STORE = Store()


class Notes:
    """The occurrences of a source, in the order in which it is read."""

    def __init__(self) -> None:
        self.found: list[Occurrence] = []
        self._store = STORE

    def recalled(self, file: str, number: int, line: str) -> Kept | None:
        """An instruction that a former reading has kept, whose names are noted."""
        kept = self._store.find(file, number, line)
        if kept is not None:
            self.found += kept.names
        return kept

    def keep(self, line: str, span: Span, words: Sequence[int], first: int) -> None:
        """Keep an instruction that was read without findings; its names are those from `first` on."""
        self._store.keep(span.file, line, Kept(tuple(words), span, tuple(self.found[first:])))

    def instruction(self, span: Span, name: str) -> None:
        self.found.append(Occurrence(name=_text(span), kind=INSTRUCTION, span=span, symbol=f"instruction {name}"))

    def directive(self, span: Span, name: str) -> None:
        self.found.append(Occurrence(name=_text(span), kind=DIRECTIVE, span=span, symbol=f"directive {name}"))

    def declaration(self, span: Span, file: str, number: int, usage: Span | None = None, what: str = "") -> None:
        """A register of `.input`, `.output` or `.const`, and its usage."""
        register = f"{file}{number}"
        self.found.append(
            Occurrence(
                name=_text(span), kind=REGISTER, span=span, symbol=f"register {register}", definition=True, register=register
            )
        )
        if usage is not None:
            symbol = f"{what} {_text(usage).lower()}"
            self.found.append(
                Occurrence(name=_text(usage), kind=SEMANTIC, span=usage, symbol=symbol, definition=True, register=register)
            )

    def operands(self, line: Span, operands: Sequence[Token], written: Sequence[int]) -> None:
        """The registers of an instruction, the first of which it writes if it has `written` components; a source of several has
        as many."""
        for number, operand in enumerate(operands):
            self._registers(line, operand, written=number == 0 and bool(written))

    def damaged(self, line: Span, operands: Sequence[Token]) -> None:
        """The registers of an instruction that cannot be read, as far as they can be told."""
        known = {(one.span.line, one.span.column) for one in self.found[-8:]}
        for number, operand in enumerate(operands):
            if (line.line, operand.column) not in known:
                self._registers(line, operand, written=number == 0, known=known)

    def _registers(
        self, line: Span, operand: Token, *, written: bool, known: Sequence[object] | set[tuple[int, int]] = ()
    ) -> None:
        for file, number, start, components in registers_in(operand.text):
            register = f"{file}{number}"
            span = line.at(operand.column + start, len(register))
            if (line.line, span.column) not in known:
                letters = components if all(letter in COMPONENTS for letter in components) else ""
                self.found.append(
                    Occurrence(
                        name=_text(span),
                        kind=REGISTER,
                        span=span,
                        symbol=f"register {register}",
                        written=written,
                        register=register,
                        components=letters,
                    )
                )


def _text(span: Span) -> str:
    return span.text[span.column - 1 : span.column - 1 + span.length]
