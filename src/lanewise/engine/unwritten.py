"""Reads of what nobody has written: a lane run with an eye on which components its instructions use before anything sets them.

On a console they hold whatever an earlier program or vertex has left there, so a shader that needs them works by luck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.isa.pica200 import COMPONENTS, FLOAT, TEMPORARY
from lanewise.sem.flow import Flags
from lanewise.sem.influence import written
from lanewise.sem.registers import SLOTS, is_indexed

if TYPE_CHECKING:
    from lanewise.engine.reference import Machine, Reference
    from lanewise.sem.flow import Question
    from lanewise.sem.instruction import Prepared
    from lanewise.sem.profile import Profile

_INDEX = {1: ("a0", 0, 0), 2: ("a0", 0, 1), 3: ("aL", 0, 0)}


class Cell(NamedTuple):
    """One component of a register: `file` is v, o, r, c, a0, cmp or aL; `number` counts within the file, `component` from 0 (x).

    c96 to c127 are the rows of ones that an index past the last uniform reads.
    """

    file: str
    number: int = 0
    component: int = 0

    def __str__(self) -> str:
        if self.file == "aL":
            return "aL"
        number = "" if self.file in ("a0", "cmp") else str(self.number)
        return f"{self.file}{number}.{COMPONENTS[self.component]}"


AL = Cell("aL")


class Unwritten(NamedTuple):
    """The instruction at the word `pc` used a component that nothing had written before."""

    pc: int
    cell: Cell


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


def flags_used(question: Question) -> tuple[Cell, ...]:
    """The flags that a question looks at: `combine` 2 and 3 look at one."""
    if not isinstance(question, Flags):
        return ()
    return tuple(Cell("cmp", 0, n) for n in range(2) if question.combine != 3 - n)


def run_watched(program: Reference, machine: Machine) -> tuple[Unwritten, ...]:
    """Run a lane to its end; what its instructions used before it was written, each instruction and component once.

    An instruction is looked at when it runs for the first time, as what has been written once stays so. Costs about two
    steps more for each word that runs, however often. Temporaries that a profile reads by index are not looked at.
    """
    known: set[Cell] = set()
    found: dict[Unwritten, None] = {}
    seen: set[int] = set()
    while not machine.finished:
        place = program.place(machine.shape)
        step = machine.step()
        if machine.shape.loops:
            known.add(AL)
        if step.pc in seen or machine.fault is not None:
            continue
        seen.add(step.pc)
        if place.prepared is not None:
            found.update(
                {Unwritten(step.pc, cell): None for cell in _reads(place.prepared, program.profile) if cell not in known}
            )
            known.update(cells_written(place.prepared))
        for question, _ in step.answers:
            found.update({Unwritten(step.pc, cell): None for cell in flags_used(question) if cell not in known})
    return tuple(found)


def _reads(instruction: Prepared, profile: Profile) -> list[Cell]:
    """What an instruction uses of all that a program can write itself."""
    cells: list[Cell] = []
    for number, slot in sorted(slots_used(instruction)):
        source = instruction.sources[number]
        if is_indexed(source, profile):
            cells.append(index_cell(source.relative))
        elif TEMPORARY <= source.register < FLOAT:
            cells.append(cell_of(source.register, SLOTS[source.selector][slot]))
    return cells
