"""Execution of one computing instruction on registers: fetch, meaning, write-back.

`resolve` decides once all that depends on word, descriptor and profile; `execute` then works on values. Every engine uses both.
"""

from __future__ import annotations

from lanewise.core.numbers.binary import GE
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.sem.algebra import B, I, V, each
from lanewise.pica200.sem.meaning import MEANING
from lanewise.pica200.sem.registers import fetch, write

if TYPE_CHECKING:
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.isa.lift import Operands
    from lanewise.pica200.isa.program import Dest, Source
    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.sem.algebra import Algebra
    from lanewise.pica200.sem.meaning import Meaning, Result
    from lanewise.pica200.sem.profile import Profile
    from lanewise.pica200.sem.registers import Registers


class ResolvedInst(Record):
    """An instruction ready to execute."""

    meaning: Meaning
    "Function of its row."
    sources: tuple[Source, ...]
    "Operands with selector and sign."
    dest: Dest
    "Register with write mask."
    immediates: tuple[int, ...]
    "Other operands, such as comparison operators."
    flushes: bool
    "Subnormals of its sources become zero."
    kept: tuple[bool, bool]
    "The flags x and y that keep their value."
    profile: Profile
    "Rules of the run."


def computes(inst: Inst) -> bool:
    """Whether an instruction computes: has operands, and is accepted by `resolve`."""
    return inst.op.base in MEANING


def takes_swapped(op: Op, profile: Profile) -> bool:
    """Whether the meaning of a row takes its sources in the opposite order."""
    return op.name == "dsti" and profile.dsti_operands == "swapped"


def resolve(inst: Inst, operands: Operands, profile: Profile) -> ResolvedInst:
    """Resolve an instruction that computes, under a profile. Raises KeyError for others."""
    base, (sources, dest, immediates) = inst.op.base, operands
    if takes_swapped(inst.op, profile):
        sources = sources[::-1]
    # The other instructions flush in their arithmetic (`subnormal_arithmetic`), or are known to flush nothing.
    flush = {
        "mov": profile.subnormal_mov,
        "min": profile.subnormal_min,
        "sge": profile.subnormal_set,
        "slt": profile.subnormal_set,
        "litp": profile.subnormal_litp,
    }
    kept = (False, False)
    if base == "cmp" and profile.cmp_operators == "unchanged":
        kept = (immediates[0] > GE, immediates[1] > GE)
    elif base == "litp" and profile.litp_mask == "obeyed":
        kept = (not dest.mask & 8, not dest.mask & 1)
    return ResolvedInst(
        meaning=MEANING[base],
        sources=sources,
        dest=dest,
        immediates=immediates,
        flushes=flush.get(base) == "flush",
        kept=kept,
        profile=profile,
    )


def execute(m: Algebra[V, B, I], registers: Registers[V, B, I], instruction: ResolvedInst) -> Result[V, B, I]:
    """Execute an instruction; all sources are read before anything is written.

    Returns the results before the write mask.
    """
    meaning, sources, dest, immediates, flushes, kept, profile = instruction
    vectors = [fetch(m, registers, source, profile) for source in sources]
    if flushes:
        vectors = [each(m.flush, vector) for vector in vectors]
    result = meaning(m, *vectors, *immediates)
    write(registers, dest, result, kept)
    return result
