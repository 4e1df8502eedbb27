"""Notes of the reader for editors: the names of a source and where they are.

The language gives no names: registers, instructions and usages have those of the hardware.
"""

from __future__ import annotations

from lanewise.core.occurrences import DIRECTIVE, INSTRUCTION, REGISTER, SEMANTIC, Occurrence
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.keeping import Store
from lanewise.shadercore.isa.table import COMPONENTS
from lanewise.shadercore.text.operands import registers_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.source import Span
    from lanewise.shadercore.text.pieces import Token


class Words(Record):
    """The words of an instruction, and its place."""

    words: tuple[int, ...]
    span: Span


def moved(read: Words, number: int) -> Words:
    """An instruction in another line."""
    return Words(read.words, read.span.in_line(number))


STORE = Store(moved)


class Notes:
    """The occurrences of a source, in the order in which it is read."""

    def __init__(self) -> None:
        self.found: list[Occurrence] = []
        self._lines = STORE.beginning()

    def begin(self, file: str) -> None:
        """A source begins. Nothing in it changes what its instructions give."""
        self._lines = STORE.beginning().after(file)

    def recalled(self, number: int, line: str) -> Words | None:
        """An instruction that a former reading has kept, whose names are noted."""
        kept = self._lines.find(line, number)
        if kept is None:
            return None
        self.found += kept.names
        return kept.read

    def keep(self, line: str, span: Span, words: Sequence[int], first: int) -> None:
        """Keep an instruction that was read without findings; its names are those from `first` on."""
        self._lines.keep(line, span.line, Words(tuple(words), span), self.found[first:])

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
