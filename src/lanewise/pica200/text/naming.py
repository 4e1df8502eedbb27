"""Recording the names of sources while they are read: `Naming`, which a reader fills where it resolves them. Assembling does
without."""

from __future__ import annotations

from lanewise.core.occurrences import PROCEDURE, Extent, Occurrence
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.text.keeping import Store
from lanewise.pica200.isa.program import Operation
from lanewise.pica200.isa.table import REGISTER_END, register_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.text.keeping import Lines


def moved(operation: Operation, number: int) -> Operation:
    """An instruction in another line."""
    op, operands, descriptor, span, damaged = operation
    span = span.in_line(number) if span is not None else None
    return Operation(op=op, operands=operands, descriptor=descriptor, span=span, damaged=damaged)


STORE = Store(moved)


class Use(Record):
    """A name in the text of an operand."""

    start: int
    "Characters before it in the operand."
    name: str
    "Text as it is written."
    kind: str
    "One of `core.occurrences.KINDS`."
    symbol: str
    "As in `Occurrence`."
    register: str = ""
    "Register that it stands for (`c4`); empty for none."
    components: str = ""
    "Components that are used (`xyz`); empty for a name without a swizzle."


class Naming:
    """The occurrences of the names in the sources of a program, in the order of reading.

    `kinds` says what the names of the file that is read now are: (kind, symbol). `uses` are the names in operands by their
    text, until a declaration may change what they mean. `lines` are the instructions that are kept from former readings, for
    what is read next.
    """

    file: str
    lines: Lines[Operation]

    def __init__(self) -> None:
        self.lines = STORE.beginning()
        self.found: list[Occurrence] = []
        self.kinds: dict[str, tuple[str, str]] = {}
        self.registers: dict[str, str] = {}  # by symbol
        self.extents: dict[str, Extent] = {}  # by symbol
        self.uses: dict[str, tuple[Use, ...]] = {}
        self.file = ""

    def begin(self, name: str) -> None:
        """A file begins: its names are separate."""
        self.file = name
        self.kinds.clear()
        self.uses.clear()

    def local(self, kind: str, name: str) -> str:
        """The symbol of a name that belongs to its file."""
        return f"{kind} {self.file}/{name}"

    def declare(self, name: str, kind: str, symbol: str, register: str = "") -> None:
        """The name means this from here on."""
        self.kinds[name] = (kind, symbol)
        if register:
            self.registers[symbol] = register
        self.uses.clear()

    def note(
        self,
        line: tuple[str, int, str],
        start: int,
        name: str,
        kind: str,
        symbol: str,
        *,
        definition: bool = False,
        written: bool = False,
        register: str = "",
        components: str = "",
    ) -> None:
        """A name in a line, which is (file, number, text); `start` counts from 0."""
        span = Span(file=line[0], line=line[1], column=start + 1, length=len(name), text=line[2])
        self.found.append(
            Occurrence(
                name=name,
                kind=kind,
                span=span,
                symbol=symbol,
                definition=definition,
                written=written,
                register=register,
                components=components,
            )
        )

    def operand(self, line: tuple[str, int, str], start: int, uses: Sequence[Use], written: bool) -> None:
        """The names of an operand that begins at a column: the first one may be written."""
        file, number, text = line
        found = self.found
        for at, name, kind, symbol, register, components in uses:
            span = Span(file=file, line=number, column=start + at + 1, length=len(name), text=text)
            found.append(
                Occurrence(
                    name=name,
                    kind=kind,
                    span=span,
                    symbol=symbol,
                    definition=False,
                    written=written,
                    register=register,
                    components=components,
                )
            )
            written = False

    def defined(self, kind: str, symbol: str) -> bool:
        return any(place.definition and place.symbol == symbol for place in self.found if place.kind == kind)

    def occurrences(self) -> tuple[Occurrence, ...]:
        """All of them; definitions with what they cover, and with the registers that later lines gave them."""
        found: list[Occurrence] = []
        for place in self.found:
            register = place.register or self.registers.get(place.symbol, "") if place.definition else ""
            found.append(
                place._replace(register=register, extent=self.extents.get(place.symbol)) if place.definition else place
            )
        return tuple(found)


def shown_register(number: int, *, written: bool = False) -> str:
    """A register's name; empty for a number that is not a register's."""
    return register_name(number, written=written) if 0 <= number < REGISTER_END else ""


def procedure_symbol(name: str) -> str:
    """The symbol of a procedure, which all files of a program share."""
    return f"{PROCEDURE} {name}"
