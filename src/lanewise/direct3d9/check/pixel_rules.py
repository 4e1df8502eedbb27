"""Rules of ps_1_x: pairs, texture instructions, phases, matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.direct3d9.check.context import AnalysisContext, Finding
from lanewise.direct3d9.isa.program import COISSUE
from lanewise.direct3d9.isa.table import ARITHMETIC, COMPLETES, INPUT, MARK, OPS, PREPARES, TEMP, TEXTURE, TEXTURING, limited

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lanewise.direct3d9.isa.program import Inst
    from lanewise.direct3d9.isa.table import Op

_PADS: Mapping[int, str] = {op.stages: op.name for op in OPS if op.part == PREPARES}
# The first instruction of each matrix that gives its result, for messages.
_ENDS: Mapping[int, str] = {op.stages: op.name for op in reversed(OPS) if op.part == COMPLETES}


def pairs(context: AnalysisContext) -> Iterator[Finding]:
    """`+` where two instructions cannot run together."""
    if not any(inst.token & COISSUE for inst in context.insts):
        return
    before: Inst | None = None
    for at, inst in enumerate(context.insts):
        if inst.coissue:
            fix = _pair_fault(context, before, inst)
            if fix:
                edits = context.without_part(at, "+") if fix.startswith("remove +") else ()
                yield Finding(
                    message=f"{context.called(inst)} cannot be paired with the previous instruction",
                    fix=fix,
                    at=at,
                    edits=edits,
                )
        before = inst


def _pair_fault(context: AnalysisContext, before: Inst | None, inst: Inst) -> str:
    if not context.pixel or context.model >= 2:
        return "remove +: pairs are for ps_1_x"
    if before is None or before.op.role != ARITHMETIC or before.dest is None:
        return "put + before the second of two arithmetic instructions"
    if before.coissue:
        return "remove +: a pair has two instructions"
    if inst.op.role != ARITHMETIC or inst.dest is None:
        return "remove +: only arithmetic instructions form pairs"
    alone = next((op.name for op in (before.op, inst.op) if limited(op.unpaired, context.version)), "")
    if alone:
        return f"remove +: {alone} needs both units"
    one, other = before.dest.mask, inst.dest.mask
    if one & other or 8 not in (one, other):
        return "write .a in one instruction of the pair and components of .rgb in the other"
    return ""


def phases(context: AnalysisContext) -> Iterator[Finding]:
    """Texture instructions after arithmetic, and operations that ps_1_4 allows in only one phase."""
    if not context.pixel or context.model >= 2:
        return
    arithmetic = False
    seen = 0
    for at, inst in context.code:
        op = inst.op
        if op.role == MARK:
            seen += 1
            arithmetic = False
            if seen > 1:
                fix = "remove it: one phase instruction separates the two phases"
                yield Finding(
                    message="second phase instruction in one shader",
                    fix=fix,
                    at=at,
                    related=context.because_of(context.phase, "the first one"),
                    edits=context.without(at),
                )
            continue
        if op.role == TEXTURING and arithmetic and context.has(op):
            yield Finding(
                message=f"{context.called(inst)} follows arithmetic",
                fix="put texture instructions before arithmetic; ps_1_4 allows this in each phase",
                at=at,
            )
        arithmetic = arithmetic or (op.role == ARITHMETIC and op.dest is not None)
        if context.ps14:
            yield from _phase_faults(context, inst, at, first=seen == 0 and context.phase >= 0)


def _phase_faults(context: AnalysisContext, inst: Inst, at: int, *, first: bool) -> Iterator[Finding]:
    if first and any(source.file == INPUT for source in inst.sources):
        yield Finding(
            message="v# is read before phase", fix="read it after phase: colors are available in the second phase only", at=at
        )
    if first and inst.op.role == TEXTURING and any(source.file == TEMP for source in inst.sources):
        yield Finding(
            message=f"{context.called(inst)} reads r# before phase", fix="read t#: coordinates of the first phase are t#", at=at
        )
    if inst.op.first_phase and not first:
        yield Finding(message=f"{inst.op.name} is not in the first phase", fix="put it before phase", at=at)
    kind = inst.op.dest
    if kind is not None and kind.number is not None:
        name = inst.op.name
        if inst.dest is not None and (inst.dest.file, inst.dest.number) != (TEMP, kind.number):
            yield Finding(
                message=f"{name} reads r{kind.number} only",
                fix=f"put the depth in r{kind.number}.r and r{kind.number}.g",
                at=at,
            )
        if first:
            yield Finding(message=f"{name} is in the first phase", fix="move it after phase", at=at)


class _Matrix(NamedTuple):
    """A matrix that has been begun: its stages, how many rows are still to prepare, the stage that is next."""

    stages: int
    left: int
    next: int

    def takes(self, op: Op) -> bool:
        return op.stages == self.stages

    @property
    def fault(self) -> tuple[str, str]:
        return f"{_PADS[self.stages]} is not followed by what it prepares", f"write {_ENDS[self.stages]} for the next stage"


def matrices(context: AnalysisContext) -> Iterator[Finding]:
    """texm3x2pad and texm3x3pad without what they prepare, or stages that do not follow each other."""
    if not context.ps13:
        return
    open_now: _Matrix | None = None
    for at, inst in context.code:
        op, name = inst.op, inst.op.name
        stage = inst.dest.number if inst.dest is not None else 0
        if open_now is not None and not open_now.takes(op):
            if op.role in (TEXTURING, ARITHMETIC):
                yield Finding(message=open_now.fault[0], fix=open_now.fault[1], at=at)
                open_now = None
        elif open_now is not None and stage != open_now.next:
            yield Finding(
                message=f"{name} is for stage {stage}: expected stage {open_now.next}", fix="use consecutive stages", at=at
            )
            open_now = None
            continue
        if op.part == PREPARES:
            left = (open_now.left if open_now is not None else op.stages - 1) - 1
            if left < 0:
                yield Finding(message=f"too many {name}", fix=f"use {op.stages - 1} before {_ENDS[op.stages]}", at=at)
                open_now = None
            else:
                open_now = _Matrix(op.stages, left, stage + 1)
        elif op.part == COMPLETES:
            if open_now is None or open_now.left > 0:
                yield Finding(
                    message=f"{name} lacks its {_PADS[op.stages]}", fix=f"put {op.stages - 1} of them before it", at=at
                )
            open_now = None
        if op.role == TEXTURING and inst.sources and inst.sources[0].file == TEXTURE and inst.sources[0].number >= stage:
            yield Finding(
                message=f"{name} reads t{inst.sources[0].number}, which no earlier stage has written",
                fix="read the result of an earlier stage",
                at=at,
            )
    if open_now is not None:
        yield Finding(message=open_now.fault[0], fix=open_now.fault[1], at=len(context.insts) - 1)
