"""Five shaders as beginners write them, in `naive`: slots and cycles of a wave before and after `lanewise opt`.

They were written before the optimiser was looked at: what is read is copied first, results are computed in one place and copied
to another, rows follow each other in one register, and values are computed again where they are needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lanewise.shadercore.api.reading import SOURCE, read_program
from lanewise.shadercore.isa.devices import DEVICES
from lanewise.shadercore.opt.operands import cycles
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
    "fog":    Row(58, 511, 466,  44, 362, 354),
    "lit":    Row(73, 613, 579,  66, 536, 523),
    "morph":  Row(77, 636, 611,  54, 427, 427),
    "sprite": Row(45, 391, 383,  25, 223, 223),
    "wave":   Row(78, 669, 619,  59, 487, 467),
}  # fmt: skip


@together("name, row", TABLE.items(), ids=TABLE)
def test_fewer_slots_and_cycles(name: str, row: Row):
    program = read_program((NAIVE / f"{name}.sc").read_bytes(), f"{name}.sc", SOURCE).program
    assert program is not None
    after = optimised_program(program, RTL).program
    found = [number for each in (program, after) for number in (len(each.words), cycles(each.insts, RTL))]
    assert found == [row.slots, row.cycles, row.slots_after, row.cycles_after]
