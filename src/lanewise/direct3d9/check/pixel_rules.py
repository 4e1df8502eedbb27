"""Rules of ps_1_x: instructions in pairs, the order of texture instructions, phases, matrices that several of them make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.check.subject import Finding, Subject
from lanewise.direct3d9.isa.table import ARITHMETIC, INPUT, TEMP, TEXTURE, TEXTURING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.direct3d9.isa.program import Inst

_PAIRS = {
    "texm3x2pad": (1, ("texm3x2tex", "texm3x2depth")),
    "texm3x3pad": (2, ("texm3x3tex", "texm3x3", "texm3x3spec", "texm3x3vspec")),
}
_ENDS = {end: pad for pad, (_, ends) in _PAIRS.items() for end in ends}


def pairs(subject: Subject) -> Iterator[Finding]:
    """`+` where two instructions cannot run together."""
    before: Inst | None = None
    for at, inst in enumerate(subject.insts):
        if inst.coissue:
            fix = _pair_fault(subject, before, inst)
            if fix:
                yield Finding(f"{subject.called(inst)} cannot run beside the instruction before it", fix, at)
        before = inst


def _pair_fault(subject: Subject, before: Inst | None, inst: Inst) -> str:
    if not subject.pixel or subject.model >= 2:
        return "+ is for ps_1_x"
    if before is None or before.op.role != ARITHMETIC or before.dest is None:
        return "+ stands at the second of two arithmetic instructions"
    if before.coissue:
        return "two instructions make a pair: this is a third"
    if inst.op.role != ARITHMETIC or inst.dest is None:
        return "only arithmetic runs in pairs"
    one, other = before.dest.mask, inst.dest.mask
    if one & other or 8 not in (one, other):
        return "one of a pair writes .a, the other components of .rgb"
    return ""


def phases(subject: Subject) -> Iterator[Finding]:
    """Texture instructions behind arithmetic, and what ps_1_4 has in one of its phases alone."""
    if not subject.pixel or subject.model >= 2:
        return
    arithmetic = False
    seen = 0
    for at, inst in subject.code:
        op = inst.op
        if op.name == "phase":
            seen += 1
            arithmetic = False
            if seen > 1:
                yield Finding("a second phase", "a shader has two phases, and one phase instruction between them", at)
            continue
        if op.role == TEXTURING and arithmetic and subject.has(op):
            yield Finding(
                f"{subject.called(inst)} stands behind arithmetic",
                "put texture instructions first; in ps_1_4 a phase begins anew",
                at,
            )
        arithmetic = arithmetic or (op.role == ARITHMETIC and op.name != "nop")
        if subject.ps14:
            yield from _phase_faults(subject, inst, at, first=seen == 0 and subject.phase >= 0)


def _phase_faults(subject: Subject, inst: Inst, at: int, *, first: bool) -> Iterator[Finding]:
    if first and any(source.file == INPUT for source in inst.sources):
        yield Finding("v# is read before phase", "colours are there in the second phase", at)
    if first and inst.op.role == TEXTURING and any(source.file == TEMP for source in inst.sources):
        yield Finding(f"{subject.called(inst)} reads r# before phase", "in the first phase coordinates are t#", at)
    if inst.op.name == "texdepth":
        if inst.dest is not None and (inst.dest.file, inst.dest.number) != (TEMP, 5):
            yield Finding("texdepth is for r5", "put the depth in r5.r and r5.g", at)
        if first:
            yield Finding("texdepth stands before phase", "put it in the second phase", at)


def matrices(subject: Subject) -> Iterator[Finding]:
    """texm3x2pad and texm3x3pad without what they prepare, or stages that do not follow each other."""
    if not subject.ps13:
        return
    wanted: tuple[str, int, int] | None = None  # what was begun, pads still to come, the stage that is next
    for at, inst in subject.code:
        name = inst.op.name
        stage = inst.dest.number if inst.dest is not None else 0
        if wanted is not None and name not in (wanted[0], *_PAIRS[wanted[0]][1]):
            if inst.op.role in (TEXTURING, ARITHMETIC):
                yield Finding(
                    f"{wanted[0]} is not followed by what it prepares",
                    f"write {_PAIRS[wanted[0]][1][0]} for the next stage",
                    at,
                )
                wanted = None
        elif wanted is not None and stage != wanted[2]:
            yield Finding(f"{name} is for stage {stage}, and stage {wanted[2]} is next", "use stages one after the other", at)
            wanted = None
            continue
        if name in _PAIRS:
            left = (wanted[1] if wanted is not None else _PAIRS[name][0]) - 1
            if left < 0:
                yield Finding(f"one {name} too many", f"{_PAIRS[name][0]} stand before {_PAIRS[name][1][0]}", at)
                wanted = None
            else:
                wanted = name, left, stage + 1
        elif name in _ENDS:
            if wanted is None or wanted[1] > 0:
                yield Finding(f"{name} without its {_ENDS[name]}", f"{_PAIRS[_ENDS[name]][0]} of them stand before it", at)
            wanted = None
        if inst.op.role == TEXTURING and inst.sources and inst.sources[0].file == TEXTURE and inst.sources[0].number >= stage:
            yield Finding(
                f"{name} reads t{inst.sources[0].number}, which is not of an earlier stage",
                "a stage reads what earlier ones gave",
                at,
            )
    if wanted is not None:
        yield Finding(
            f"{wanted[0]} is not followed by what it prepares",
            f"write {_PAIRS[wanted[0]][1][0]} for the next stage",
            len(subject.insts) - 1,
        )
