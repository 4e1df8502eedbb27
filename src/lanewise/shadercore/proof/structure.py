"""The structure of two programs: whether they compute what leaves the core by the same operations.

Programs are straight lines, so a proof is one walk over each. Registers keep their values from wave to wave on some devices;
there, what a program reads before it writes it must be left the same, too: then earlier waves make no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.record import Record
from lanewise.core.reporting import counter
from lanewise.shadercore.isa.program import usage_name
from lanewise.shadercore.isa.table import COMPONENTS
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.proof.terms import Symbols, WaveTerms
from lanewise.shadercore.sem.steps import Register, exports

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.timing import Timing


class Side(NamedTuple):
    """One of the programs: its time, its constants where they are known, and what its registers are called in the first
    program."""

    program: Program
    timing: Timing
    constants: Mapping[tuple[int, int], int]
    renamed: Mapping[Register, Register]

    @property
    def presets(self) -> dict[tuple[int, int], int]:
        """The constants that come with the program, by (register, component)."""
        return {(row.number, component): bits for row in self.program.constants for component, bits in enumerate(row.values)}


class Structure(Record):
    """The result of a walk over two programs."""

    reason: str
    "Why they are not shown to be equal; empty where they are."
    inputs: frozenset[tuple[int, int]]
    "Components of inputs that either reads, as the first calls them."
    constants: frozenset[tuple[int, int]]
    "Components of constants that either reads, as the first calls them."
    read: tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]
    "Constants that each program reads, as it calls them."


def side_of(program: Program, device: Device, renamed: Mapping[Register, Register], *, constants_known: bool) -> Side:
    """A program with what a proof needs of it."""
    side = Side(program, time_program(program.insts, device), {}, renamed)
    return side._replace(constants=side.presets) if constants_known else side


def matched(first: Program, second: Program) -> tuple[dict[Register, Register], str]:
    """The registers of the second program by those of the first, and the ones that cannot be matched. Outputs leave the core by
    their numbers."""
    for number, (a, b) in enumerate(zip(first.outputs, second.outputs, strict=True)):
        if a != b and any(first.outputs) and any(second.outputs):
            return {}, f"o{number} is {usage_name(a)} in the first program and {usage_name(b)} in the second"
    if not any(first.inputs) or not any(second.inputs) or first.inputs == second.inputs:
        return {}, ""
    renamed: dict[Register, Register] = {}
    for number, usage in enumerate(second.inputs):
        own = [n for n, byte in enumerate(first.inputs) if byte == usage]
        if usage and len(own) != 1:
            return {}, f"v{number} of the second program is {usage_name(usage)}, of which the first has {len(own)}"
        if own and usage:
            renamed |= {("v", number, c): ("v", own[0], c) for c in range(4)}
    # byte 0 is position and also what is not said: it stays where it is, unless another input is there
    taken = {place[1] for place in renamed.values()}
    for number, usage in enumerate(second.inputs):
        if not usage and number in taken:
            free = next((n for n, byte in enumerate(first.inputs) if not byte and n not in taken), None)
            if free is None:
                return {}, f"v{number} of the second program has no place in the first"
            renamed |= {("v", number, c): ("v", free, c) for c in range(4)}
            taken.add(free)
    return renamed, ""


def walked(sides: Sequence[Side], device: Device) -> tuple[WaveTerms, Symbols, Symbols]:
    """Both programs, which end, after a walk on the same terms."""
    terms = WaveTerms(device)
    one, other = (Symbols(side.timing, terms, side.constants, side.renamed) for side in sides)
    one.run()
    other.run()
    return terms, one, other


def structure(sides: Sequence[Side], device: Device) -> Structure:
    """Walk over both programs, which end."""
    terms, one, other = walked(sides, device)
    reason = _unproved(terms, one, other, sides[1].renamed)
    taken = one.taken | {sides[1].renamed.get(place, place) for place in other.taken}
    theirs = sides[1].renamed
    constants = one.read | {theirs.get(("c", *place), ("c", *place))[1:] for place in other.read}
    inputs = frozenset(place[1:] for place in taken if place[0] == "v")
    return Structure(
        reason=reason, inputs=inputs, constants=frozenset(constants), read=(frozenset(one.read), frozenset(other.read))
    )


def _unproved(terms: WaveTerms, one: Symbols, other: Symbols, renamed: Mapping[Register, Register]) -> str:
    back = {mine: theirs for theirs, mine in renamed.items()}
    told = counter()
    for place in exports(terms.device):
        if told is not None:
            told.add(1)
        if not terms.equal(one.value(place), other.value(place), {}):
            return f"{name(place)} is computed by other operations"
    if terms.device.value("between_waves") == "kept":
        for place in sorted(one.taken | {renamed.get(place, place) for place in other.taken}):
            if not terms.equal(one.value(place), other.value(back.get(place, place)), {}):
                return f"a later wave may read {name(place)}, which is left otherwise"
    return ""


def name(place: Register) -> str:
    file, number, component = place
    return f"{file}{number}.{COMPONENTS[component]}"
