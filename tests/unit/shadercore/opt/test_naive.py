"""Five shaders as beginners write them, in `naive`: slots and cycles of a wave before and after `lanewise opt`.

They were written before the optimiser was looked at: what is read is copied first, results are computed in one place and copied
to another, rows follow each other in one register, and values are computed again where they are needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lanewise.shadercore.api.reading import SOURCE, read_program
from lanewise.shadercore.isa.devices import DEVICES
from lanewise.shadercore.isa.floors import floor_of
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.opt.program import optimised_program
from together import together

RTL = DEVICES["rtl"]
NAIVE = Path(__file__).parent / "naive"


class Row(NamedTuple):
    """A shader on the public hardware: slots, cycles of a wave, and its floor: the cycles that its slots take in any order."""

    slots: int
    cycles: int
    floor: int
    slots_after: int
    cycles_after: int
    floor_after: int


TABLE = {
    #            before          after
    "fog":    Row(58, 511, 466,  44, 354, 354),
    "lit":    Row(73, 613, 579,  66, 523, 523),
    "morph":  Row(77, 636, 611,  54, 427, 427),
    "sprite": Row(45, 391, 383,  25, 223, 223),
    "wave":   Row(78, 669, 619,  59, 467, 467),
}  # fmt: skip


@together("name, row", TABLE.items(), ids=TABLE)
def test_fewer_slots_and_cycles(name: str, row: Row):
    program = read_program((NAIVE / f"{name}.sc").read_bytes(), f"{name}.sc", SOURCE).program
    assert program is not None
    found: list[int] = []
    for each in (program, optimised_program(program, RTL).program):
        timing = time_program(each.insts, RTL)
        floor = floor_of(timing)
        assert timing.total_cycles is not None
        assert floor is not None
        found += [len(each.words), timing.total_cycles, floor.cycles]
    assert tuple(found) == row


def test_the_sum_falls_by_fifteen_percent():
    for before, after in (("slots", "slots_after"), ("cycles", "cycles_after")):
        sums = [sum(getattr(row, name) for row in TABLE.values()) for name in (before, after)]
        assert sums[1] <= 0.85 * sums[0]
    assert all(row.slots_after <= row.slots and row.cycles_after <= row.cycles for row in TABLE.values())
