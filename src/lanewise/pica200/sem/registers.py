"""Registers of one lane: source fetch, relative addressing, write-back.

Source: 3dbrew, GPU/Shader Instruction Set, Registers, Operand descriptors, Relative addressing.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Generic
from lanewise.pica200.isa.table import FLOAT, TEMPORARY
from lanewise.pica200.sem.algebra import B, I, Pair, V, Vector, broadcast, each
from lanewise.pica200.sem.flow import LoopValues
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.isa.program import Dest, Source
    from lanewise.pica200.sem.algebra import Algebra
    from lanewise.pica200.sem.meaning import Result
    from lanewise.pica200.sem.profile import Profile

FLOAT_COUNT = 96
_FLOAT_ROWS = 128  # the 7 bits of an indexed float uniform
_OFFSET_LOW, _OFFSET_HIGH = -128, 127
_A0_X, _A0_Y, _AL = 1, 2, 3

# Which component each of the four selector slots names, by selector; slot 0 is in the top two bits.
SLOTS = tuple((s >> 6 & 3, s >> 4 & 3, s >> 2 & 3, s & 3) for s in range(256))


class Registers(Generic[V, B, I]):
    """Registers of one lane.

    When a run starts, all but inputs and uniforms are zero, or have the values of another run. `readable[n]` is source register
    n of the machine words: v 00-0F, r 10-1F, c 20-7F; c95 is followed by 32 rows of ones, which an index past the last uniform
    reads. `written[n]` is the mask of the components of output n written so far, x in bit 3. `loops` holds aL, which
    instructions can read, with the numbers of the LOOP ring; only `sem.flow` changes it.
    """

    __slots__ = ("a0", "cmp", "loops", "outputs", "readable", "written")

    def __init__(
        self,
        m: Algebra[V, B, I],
        inputs: Sequence[Vector[V]],
        floats: Sequence[Vector[V]],
        left: Registers[V, B, I] | None = None,
    ) -> None:
        """`inputs` are the 16 v registers, `floats` the 96 c registers.

        Temporaries, outputs, flags, a0 and aL are as in `left`, which is not changed; its `written` is not taken over.
        """
        zero = broadcast(m.constant(0.0))
        ones = broadcast(m.constant(1.0))
        temporaries = left.readable[TEMPORARY:FLOAT] if left else [zero] * 16
        self.readable: list[Vector[V]] = [*inputs, *temporaries, *floats, *[ones] * (_FLOAT_ROWS - FLOAT_COUNT)]
        self.outputs: list[Vector[V]] = [*left.outputs] if left else [zero] * 16
        self.written: list[int] = [0] * 16
        self.cmp: Pair[B] = left.cmp if left else (m.boolean(False), m.boolean(False))
        self.a0: Pair[I] = left.a0 if left else (m.integer(0), m.integer(0))
        self.loops: LoopValues[I] = LoopValues(left.loops.al if left else m.integer(0))


def fetch(m: Algebra[V, B, I], registers: Registers[V, B, I], source: Source, profile: Profile = HARDWARE) -> Vector[V]:
    """Read a source: the register, or the uniform at an index, then selector, then sign."""
    if source.relative and is_indexed(source, profile):
        vector = m.look_up(registers.readable, indexed_row(m, registers, source, profile))
    else:
        vector = registers.readable[source.register]
    x, y, z, w = SLOTS[source.selector]
    vector = (vector[x], vector[y], vector[z], vector[w])
    return each(m.negate, vector) if source.negate else vector


def is_indexed(source: Source, profile: Profile) -> bool:
    """Whether an index register affects a source: that of a uniform, with some profiles any."""
    return bool(source.relative) and (source.register >= FLOAT or profile.index_files == "added")


def indexed_row(m: Algebra[V, B, I], registers: Registers[V, B, I], source: Source, profile: Profile) -> I:
    """The row of `readable` that an index register leads to.

    Offsets outside -128 to 127 count as 0; the c number plus the offset is taken modulo 128; 96 to 127 are the rows of ones.
    Measured: 3dbrew, and Panda3DS's tests on a console. The choices of a profile: the facts about address registers.
    """
    x, y = registers.a0
    offset = {_A0_X: x, _A0_Y: y, _AL: registers.loops.al}[source.relative]
    if source.relative != _AL or profile.al_offset == "byte":
        offset = m.integer_select(m.integer_within(offset, _OFFSET_LOW, _OFFSET_HIGH), offset, m.integer(0))
    if source.register < FLOAT:
        return m.integer_and(m.integer_add(offset, m.integer(source.register)), _FLOAT_ROWS - 1)
    row = m.integer_and(m.integer_add(offset, m.integer(source.register - FLOAT)), _FLOAT_ROWS - 1)
    row = m.integer_add(row, m.integer(FLOAT))
    if profile.index_wrap == "registers":
        number = m.integer_and(m.integer_add(offset, m.integer(source.register)), 0xFF)
        row = m.integer_select(m.integer_within(number, 0, FLOAT - 1), number, row)
    return row


def write(registers: Registers[V, B, I], dest: Dest, result: Result[V, B, I], kept: tuple[bool, bool] = (False, False)) -> None:
    """Store the results: `dst` and `a0` under the mask, `cmp` except flags that are `kept`."""
    if "dst" in result:
        if dest.register >= TEMPORARY:
            registers.readable[dest.register] = _merged(dest.mask, result["dst"], registers.readable[dest.register])
        else:
            registers.outputs[dest.register] = _merged(dest.mask, result["dst"], registers.outputs[dest.register])
            registers.written[dest.register] |= dest.mask
    if "a0" in result:
        x, y = result["a0"]
        registers.a0 = (x if dest.mask & 8 else registers.a0[0], y if dest.mask & 4 else registers.a0[1])
    if "cmp" in result:
        (x, y), (old_x, old_y), (keep_x, keep_y) = result["cmp"], registers.cmp, kept
        registers.cmp = (old_x if keep_x else x, old_y if keep_y else y)


def _merged(mask: int, new: Vector[V], old: Vector[V]) -> Vector[V]:
    """The components of `new` that the mask enables, the others of `old`."""
    if mask == 0xF:
        return new
    return (
        new[0] if mask & 8 else old[0],
        new[1] if mask & 4 else old[1],
        new[2] if mask & 2 else old[2],
        new[3] if mask & 1 else old[3],
    )
