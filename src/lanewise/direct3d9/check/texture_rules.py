"""Rules about texture instructions: dependent reads, gradients, coordinates of ps_1_x.

Sources: D3D, texld (ps_2_0 and up); Flow Control Limitations, Interaction of Per-Pixel Flow Control With Screen Gradients;
texbem; texcrd; texld (ps_1_4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import AnalysisContext, Finding
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import DIVIDED
from lanewise.direct3d9.isa.table import ALL, BUMP, QUAD, TEMP, TEXTURE, TEXTURING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.direct3d9.isa.program import Inst, Source

_MOST_ORDER = 3  # of a dependent texture read in ps_2_0
_MOST_DIVISIONS = 2  # _dz in a shader of ps_1_4


def dependent_reads(context: AnalysisContext) -> Iterator[Finding]:
    """Texture instructions of ps_2_0 that depend on results of too many others.

    The order of a read is one more than the highest order in the registers that it reads or writes again; a read at a t# into a
    register that was not written before has order 0. ps_2_0 has no flow control.
    """
    if context.version.order != (2, 0) or not context.pixel:
        return
    if sum([inst.op.role == TEXTURING for _, inst in context.code]) <= _MOST_ORDER:
        return
    orders: dict[int, int] = {}  # the highest order that the contents of each r# depend on
    for at, inst in context.code:
        dest = inst.dest
        if (
            dest is None
            or dest.file != TEMP
            or not context.has(inst.op)
            or (inst.op.dest is not None and not inst.op.dest.written)
        ):
            continue
        read = [orders.get(source.number, 0) for source in inst.sources if source.file == TEMP]
        if inst.op.role == TEXTURING:
            again = [orders[dest.number]] if dest.number in orders else []
            order = max(read + again) + 1 if read or again else 0
            if order > _MOST_ORDER:
                yield Finding(
                    message=f"{context.called(inst)} is a dependent texture read of order {order}: ps_2_0 allows {_MOST_ORDER}",
                    fix="use another destination register, or fewer texture reads that depend on one another",
                    at=at,
                )
                order = _MOST_ORDER
            orders[dest.number] = order
        else:
            kept = [orders.get(dest.number, 0)] if dest.mask != ALL else []
            orders[dest.number] = max([*read, *kept], default=0)


def _gradients(context: AnalysisContext) -> Iterator[tuple[int, Inst]]:
    """The instructions that need gradients of a computed value, which the pixels beside this one may not have computed."""
    if not context.pixel or context.version.order < (2, 1):
        return
    for at, inst in context.code:
        if inst.op.needs == QUAD and context.has(inst.op) and inst.sources and inst.sources[0].file == TEMP:
            yield at, inst


def gradients(context: AnalysisContext) -> Iterator[Finding]:
    """Gradients of computed values inside dynamic flow control."""
    for at, inst in _gradients(context) if context.flows else ():
        if context.around(at).dynamic:
            name, source = context.called(inst), context.name(inst.sources[0])
            yield Finding(
                message=f"{name} needs the gradient of {source} inside dynamic flow control", fix=_gradient_fix(inst), at=at
            )


def predicated_gradients(context: AnalysisContext) -> Iterator[Finding]:
    """Gradients of computed values under a predicate."""
    for at, inst in _gradients(context) if context.predicated else ():
        if inst.predicate is not None and not context.around(at).dynamic:
            name, source = context.called(inst), context.name(inst.sources[0])
            yield Finding(message=f"{name} needs the gradient of {source} under a predicate", fix=_gradient_fix(inst), at=at)


def _gradient_fix(inst: Inst) -> str:
    if inst.op.role == TEXTURING:
        return "move it out, or use texldd with gradients from outside, or texldl"
    return "move it out, before the condition"


def bump_sources(context: AnalysisContext) -> Iterator[Finding]:
    """Registers that are read again after texbem or texbeml has read them."""
    if not context.ps13:
        return
    taken: dict[int, str] = {}
    for at, inst in context.code:
        op = inst.op
        bump = op.needs == BUMP
        for source in inst.sources:
            if source.file == TEXTURE and source.number in taken and not bump:
                yield Finding(
                    message=f"{op.name} reads t{source.number}, which {taken[source.number]} has read",
                    fix="read it with texbem or texbeml only",
                    at=at,
                )
        if inst.dest is not None and inst.dest.file == TEXTURE:
            taken.pop(inst.dest.number, None)
        if bump and inst.sources and inst.sources[0].file == TEXTURE:
            taken[inst.sources[0].number] = op.name


def _coordinates(context: AnalysisContext) -> Iterator[tuple[int, Source]]:
    """The coordinates that texld and texcrd of ps_1_4 read."""
    if not context.ps14:
        return
    for at, inst in context.code:
        for source, kind in zip(inst.sources, inst.op.sources, strict=False):
            if kind.modifiers == DIVIDED:
                yield at, source


def selectors(context: AnalysisContext) -> Iterator[Finding]:
    """Coordinates of ps_1_4 that are read with different selectors."""
    seen: dict[int, bool] = {}
    for at, source in _coordinates(context):
        if source.file == TEXTURE and seen.setdefault(source.number, _reads_w(source)) != _reads_w(source):
            yield Finding(
                message=f"t{source.number} is read with .xyz and with .xyw",
                fix="use the same selector in all texld and texcrd",
                at=at,
            )


def divisions(context: AnalysisContext) -> Iterator[Finding]:
    """_dz in more instructions of ps_1_4 than a shader may have."""
    places = [at for at, source in _coordinates(context) if source.modifier == isa.DZ]
    if len(places) > _MOST_DIVISIONS:
        yield Finding(
            message=f"_dz is used {len(places)} times: ps_1_4 allows {_MOST_DIVISIONS}",
            fix="use _dw with t#, or one texcrd for several reads",
            at=places[_MOST_DIVISIONS],
        )


def _reads_w(source: Source) -> bool:
    """Whether the third coordinate is w (.xyw), not z (.xyz, no selector)."""
    return source.swizzle[2] == 3
