"""The components that a program can write, and which of them an instruction uses and writes: what dataflow counts in."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.isa.table import COMPONENTS, FLOAT, TEMPORARY
from lanewise.pica200.sem.flow import Flags
from lanewise.pica200.sem.influence import written
from lanewise.pica200.sem.registers import SLOTS, is_indexed

if TYPE_CHECKING:
    from lanewise.pica200.sem.flow import Question
    from lanewise.pica200.sem.instruction import Prepared
    from lanewise.pica200.sem.profile import Profile

_INDEX = {1: ("a0", 0, 0), 2: ("a0", 0, 1), 3: ("aL", 0, 0)}


class Cell(NamedTuple):
    """One component of a register: `file` is v, o, r, c, a0, cmp or aL; `number` counts within the file, `component` from 0 (x).

    c96 to c127 are the rows of ones that an index past the last uniform reads. The file `bank` are the outputs of a geometry shader that
    the next EMIT will bring back.
    """

    file: str
    number: int = 0
    component: int = 0

    def __str__(self) -> str:
        if self.file == "aL":
            return "aL"
        if self.file == "bank":
            return f"o{self.number}.{COMPONENTS[self.component]} of the other bank"
        number = "" if self.file in ("a0", "cmp") else str(self.number)
        return f"{self.file}{number}.{COMPONENTS[self.component]}"


AL = Cell("aL")


def cell_of(row: int, component: int) -> Cell:
    """The component of a row of `Registers.readable`."""
    file, first = ("v", 0) if row < TEMPORARY else ("r", TEMPORARY) if row < FLOAT else ("c", FLOAT)
    return Cell(file, row - first, component)


def index_cell(relative: int) -> Cell:
    """What a relative operand is indexed by, from the 1 to 3 of its word."""
    return Cell(*_INDEX[relative])


def cells_written(instruction: Prepared) -> tuple[Cell, ...]:
    """Every component that an instruction writes."""
    register = instruction.dest.register
    file, number = ("r", register - TEMPORARY) if register >= TEMPORARY else ("o", register)
    return tuple(
        Cell(file, number, component) if what == "dst" else Cell(what, 0, component) for what, component in written(instruction)
    )


def slots_used(instruction: Prepared) -> frozenset[tuple[int, int]]:
    """(number of the source, slot) of all that an instruction's results are made of; others are fetched for nothing."""
    return frozenset[tuple[int, int]]().union(*written(instruction).values())


@cache
def flags_used(question: Question) -> tuple[Cell, ...]:
    """The flags that a question looks at: `combine` 2 and 3 look at one."""
    if not isinstance(question, Flags):
        return ()
    return tuple(Cell("cmp", 0, n) for n in range(2) if question.combine != 3 - n)


def cells_read(instruction: Prepared, profile: Profile) -> tuple[Cell, ...]:
    """What an instruction uses of all that a program can write itself. Temporaries that a profile reads by index are left out."""
    cells: dict[Cell, None] = {}
    for number, slot in sorted(slots_used(instruction)):
        source = instruction.sources[number]
        if is_indexed(source, profile):
            cells[index_cell(source.relative)] = None
        elif TEMPORARY <= source.register < FLOAT:
            cells[cell_of(source.register, SLOTS[source.selector][slot])] = None
    return tuple(cells)
