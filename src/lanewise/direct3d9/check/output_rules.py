"""Rules about outputs: colors and depth of pixel shaders, declared outputs of vertex shaders.

Sources: D3D, Output Color Register and Output Depth Register; dcl_usage output; ps_3_0 Registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import AnalysisContext, Finding, is_identity, is_replicate, mask_text
from lanewise.direct3d9.check.files import writable
from lanewise.direct3d9.check.register_rules import has_register
from lanewise.direct3d9.isa.operands import MOVED, MUST
from lanewise.direct3d9.isa.table import (
    ALL,
    BEGINS,
    CALLS,
    CLOSES,
    COLOROUT,
    DEPTHOUT,
    IF_BLOCK,
    INPUT,
    MISC,
    NONE,
    NOT,
    OPENS,
    OUTPUT,
    RASTOUT,
    SPLITS,
    USAGES,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.direct3d9.isa.program import Dest, Inst

_POSITION, _POINT_SIZE = USAGES.index("position"), USAGES.index("psize")
_OTHERS = 10  # outputs of vs_3_0 besides position and point size
_SCREEN_MASKS = (1, 2, 3)  # .x, .y, .xy


# Pixel shaders
_RGBA = str.maketrans("xyzw", "rgba")


def _outputs(context: AnalysisContext) -> list[tuple[int, Inst, Dest]]:
    """The instructions that write oC# or oDepth."""
    return context.colors if context.pixel and context.model >= 2 else []


def moved(context: AnalysisContext) -> Iterator[Finding]:
    """Outputs of shader model 2 that another instruction than mov writes."""
    for at, inst, dest in _outputs(context):
        if dest.file not in writable(inst.op, context.version) or inst.op.temporary == MUST:
            continue  # V304
        if context.model == 2 and inst.op.dest != MOVED:
            name = context.name(dest)
            yield Finding(
                message=f"{context.called(inst)} writes {name}: {context.version.name} writes outputs with mov only",
                fix=f"write r#, then mov {name}, r#",
                at=at,
            )


def plain_sources(context: AnalysisContext) -> Iterator[Finding]:
    """Outputs of shader model 2 from a source with a swizzle or a modifier."""
    for at, inst, dest in _outputs(context):
        if context.model != 2 or inst.op.dest != MOVED:
            continue
        name, source = context.name(dest), inst.sources[0]
        if source.modifier != NONE:
            yield Finding(
                message=f"{name} is written from a source with a modifier",
                fix=f"mov the value to r#, then mov {name}, r#",
                at=at,
            )
        if dest.file == COLOROUT and not is_identity(source):
            yield Finding(
                message=f"{name} is written from a source with a swizzle",
                fix=f"mov the components to r#, then mov {name}, r#",
                at=at,
            )


def written_once(context: AnalysisContext) -> Iterator[Finding]:
    """Outputs of shader model 2 that several instructions write."""
    seen: set[tuple[int, int]] = set()
    for at, _, dest in _outputs(context):
        key = dest.file, dest.number
        if context.model == 2 and key in seen:
            name = context.name(dest)
            yield Finding(
                message=f"{name} is written twice: {context.version.name} allows one write",
                fix=f"select the value in r#, then mov {name} once",
                at=at,
            )
        seen.add(key)


def consecutive(context: AnalysisContext) -> Iterator[Finding]:
    """oC# of shader model 2 without those before it."""
    places: dict[int, int] = {}
    for at, _, dest in _outputs(context):
        if dest.file == COLOROUT and has_register(context, dest):
            places.setdefault(dest.number, at)
    for number, at in places.items():
        missing = [n for n in range(number) if n not in places]
        if context.model == 2 and missing:
            names = " and ".join(f"oC{n}" for n in missing)
            yield Finding(
                message=f"oC{number} is written, but {names} {'is' if len(missing) == 1 else 'are'} not",
                fix=f"write {names} too",
                at=at,
            )


def conditional(context: AnalysisContext) -> Iterator[Finding]:
    """Outputs of shader model 2 that are written on some paths only."""
    for at, inst, dest in _outputs(context):
        if context.model != 2:
            return
        name, around = context.name(dest), context.around(at)
        if inst.predicate is not None:
            yield Finding(
                message=f"{name} is written under a predicate",
                fix=f"select the value in r#, then mov {name} without a predicate",
                at=at,
            )
        elif around.dynamic or (around.block and dest.file == DEPTHOUT):
            where = "dynamic flow control" if dest.file == COLOROUT else "flow control"
            yield Finding(
                message=f"{name} is written inside {where}", fix=f"write r# there, and mov {name} after the block", at=at
            )


def depth_source(context: AnalysisContext) -> Iterator[Finding]:
    """oDepth from several components, or with a write mask."""
    for at, inst, dest in _outputs(context):
        if dest.file != DEPTHOUT:
            continue
        if dest.mask != ALL:
            mask = mask_text(dest.mask)
            edits = context.without_part(at, mask) or context.without_part(at, mask.translate(_RGBA))
            yield Finding(
                message=f"oDepth has the write mask {mask}", fix="remove the mask: oDepth takes none", at=at, edits=edits
            )
        if inst.op.dest == MOVED and not is_replicate(inst.sources[0]):
            yield Finding(
                message="oDepth is written from a vector", fix="select one component of the source, such as .x", at=at
            )


def depth_on_all_paths(context: AnalysisContext) -> Iterator[Finding]:
    """oDepth of ps_3_0 that some paths write and others do not; subroutines are left out."""
    writes = [at for at, _, dest in _outputs(context) if dest.file == DEPTHOUT]
    if context.model < 3 or not writes or any(inst.op.part in (BEGINS, CALLS) for _, inst in context.code):
        return
    every = False
    predicated: set[tuple[int, bool]] = set()  # the predicate and whether it is inverted
    stack: list[tuple[bool, bool | None, bool]] = []  # before the block, after its first arm, whether it is an if
    for _, inst in context.code:
        part = inst.op.part
        if part == OPENS:
            stack.append((every, None, inst.op.block == IF_BLOCK))
        elif part == SPLITS and stack:
            before, _, block = stack.pop()
            stack.append((before, every, block))
            every = before
        elif part == CLOSES and stack:
            before, first, block = stack.pop()
            every = (every and first) if block and first is not None else before
        elif inst.dest is not None and inst.dest.file == DEPTHOUT:
            if inst.predicate is not None:
                component, inverted = inst.predicate.swizzle[0], inst.predicate.modifier == NOT
                predicated.add((component, inverted))
                every = every or (component, not inverted) in predicated
            else:
                every = True
    if not every:
        yield Finding(
            message="oDepth is written on some paths only",
            fix="write it on all paths: otherwise the depth is undefined",
            at=writes[0],
        )


# Vertex shaders


def _declared_outputs(context: AnalysisContext) -> list[tuple[int, Inst, Dest]]:
    """The declarations of o# in vs_3_0."""
    if not context.vertex or context.model < 3:
        return []
    return [(at, inst, inst.dest) for at, inst in context.declarations if inst.dest is not None and inst.dest.file == OUTPUT]


def _usage(inst: Inst) -> tuple[int, int]:
    """The usage of a declaration and its index."""
    return inst.payload[0] & 0xF, inst.payload[0] >> 16 & 0xF


def _usage_text(usage: tuple[int, int]) -> str:
    kind, index = usage
    return (USAGES[kind] if kind < len(USAGES) else f"usage {kind}") + (str(index) if index else "")


def position_declared(context: AnalysisContext) -> Iterator[Finding]:
    """vs_3_0 without an output for the position, or one with fewer than four components."""
    if not context.vertex or context.model < 3:
        return
    found = [(at, dest) for at, inst, dest in _declared_outputs(context) if _usage(inst) == (_POSITION, 0)]
    for at, dest in found:
        if dest.mask != ALL:
            yield Finding(
                message=f"position is declared with the mask {mask_text(dest.mask)}",
                fix="remove the mask: the position has four components",
                at=at,
            )
    if not found:
        yield Finding(message="no output is declared as position", fix="add dcl_position o0, and write the position to o0")


def position_written(context: AnalysisContext) -> Iterator[Finding]:
    """A position of which some components are never written."""
    if not context.vertex:
        return
    registers = {(RASTOUT, 0)}
    if context.model >= 3:
        declared = [dest for _, inst, dest in _declared_outputs(context) if _usage(inst) == (_POSITION, 0)]
        registers = {(OUTPUT, dest.number) for dest in declared if dest.mask == ALL}  # others: V332
    written: dict[tuple[int, int], int] = {}
    last: dict[tuple[int, int], int] = {}
    for at, _, dest, file in context.targets:
        if file not in (RASTOUT, OUTPUT):
            continue
        if dest.is_relative:
            return  # it may write any output
        key = file, dest.number
        written[key] = written.get(key, 0) | dest.mask
        last[key] = at
    for key in sorted(registers):
        mask = written.get(key, 0)
        if context.model < 3 and not mask:
            continue  # V313
        if mask != ALL:
            name = "oPos" if key[0] == RASTOUT else f"o{key[1]}"
            missing = mask_text(ALL & ~mask)
            yield Finding(
                message=f"{name}{missing} is never written: the position has four components",
                fix=f"write {name}{missing}",
                at=last.get(key, -1),
            )


def repeated_usages(context: AnalysisContext) -> Iterator[Finding]:
    """Two outputs of vs_3_0, or two inputs of ps_3_0, with one usage and index."""
    if context.model < 3:
        return
    seen: dict[tuple[int, int], tuple[str, int]] = {}
    for at, inst, dest in _linked(context):
        usage, name = _usage(inst), context.name(dest)
        if usage in seen:
            other, first = seen[usage]
            yield Finding(
                message=f"{_usage_text(usage)} is declared twice: for {other} and for {name}",
                fix="use another usage or index",
                at=at,
                related=context.because_of(first, f"{_usage_text(usage)} is declared here too"),
            )
        seen.setdefault(usage, (name, at))


def overlapping_declarations(context: AnalysisContext) -> Iterator[Finding]:
    """Declarations of o# (vs_3_0) or v# (ps_3_0) that share components."""
    masks: dict[int, int] = {}
    firsts: dict[tuple[int, int], int] = {}  # by register and component
    sizes = {dest.number for _, inst, dest in _declared_outputs(context) if _usage(inst) == (_POINT_SIZE, 0)}  # V336
    for at, _, dest in _linked(context):
        common = masks.get(dest.number, 0) & dest.mask
        if common and dest.number not in sizes:
            first = next(firsts[dest.number, n] for n in range(4) if common >> n & 1)
            yield Finding(
                message=f"{context.name(dest)}{mask_text(common)} is declared twice",
                fix="give each declaration of a register its own components",
                at=at,
                related=context.because_of(first, f"{context.name(dest)} is declared here too"),
            )
        for n in range(4):
            if dest.mask >> n & 1:
                firsts.setdefault((dest.number, n), at)
        masks[dest.number] = masks.get(dest.number, 0) | dest.mask


def _linked(context: AnalysisContext) -> Iterator[tuple[int, Inst, Dest]]:
    """The declarations that link the outputs of vs_3_0 with the inputs of ps_3_0."""
    if context.model < 3:
        return
    file = OUTPUT if context.vertex else INPUT
    for at, inst in context.declarations:
        if inst.dest is not None and inst.dest.file == file:
            yield at, inst, inst.dest


def repeated_declarations(context: AnalysisContext) -> Iterator[Finding]:
    """Registers with two declarations where one is enough, and two inputs of a vertex shader with one usage."""
    linked = {at for at, _, _ in _linked(context)}
    registers: dict[tuple[int, int], int] = {}
    usages: dict[tuple[int, int], tuple[str, int]] = {}
    for at, inst in context.declarations:
        dest = inst.dest
        if dest is None or at in linked:
            continue
        key, name = (dest.file, dest.number), context.name(dest)
        if key in registers:
            first = registers[key]
            edits = context.without(at) if context.insts[first].words == inst.words else ()
            yield Finding(
                message=f"{name} is declared twice",
                fix="remove one of the declarations",
                at=at,
                related=context.because_of(first, f"{name} is declared here too"),
                edits=edits,
            )
        elif context.vertex and dest.file == INPUT and _usage(inst) in usages:
            usage = _usage(inst)
            other, first = usages[usage]
            yield Finding(
                message=f"{_usage_text(usage)} is declared twice: for {other} and for {name}",
                fix="use one register, or another index",
                at=at,
                related=context.because_of(first, f"{_usage_text(usage)} is declared here too"),
            )
        registers.setdefault(key, at)
        if context.vertex and dest.file == INPUT:
            usages.setdefault(_usage(inst), (name, at))


def point_size(context: AnalysisContext) -> Iterator[Finding]:
    """A point size with a mask, or in a register with something else."""
    declared = _declared_outputs(context)
    for at, inst, dest in declared:
        if _usage(inst) != (_POINT_SIZE, 0):
            continue
        if dest.mask != ALL:
            yield Finding(
                message=f"psize is declared with the mask {mask_text(dest.mask)}",
                fix="remove the mask: psize takes a whole register",
                at=at,
            )
        if sum(other.number == dest.number for _, _, other in declared) > 1:
            yield Finding(
                message=f"psize shares {context.name(dest)} with another usage",
                fix="declare psize for a register of its own",
                at=at,
            )


def too_many_outputs(context: AnalysisContext) -> Iterator[Finding]:
    """More outputs of vs_3_0 than ten besides position and point size."""
    special = ((_POSITION, 0), (_POINT_SIZE, 0))
    seen: set[int] = set()
    reserved = {dest.number for _, inst, dest in _declared_outputs(context) if _usage(inst) in special}
    for at, _, dest in _declared_outputs(context):
        if dest.number in reserved or dest.number in seen:
            continue
        seen.add(dest.number)
        if len(seen) == _OTHERS + 1:
            yield Finding(
                message=f"too many outputs: {context.version.name} has {_OTHERS} besides position and psize",
                fix="pack several usages into one register",
                at=at,
            )


def undeclared_components(context: AnalysisContext) -> Iterator[Finding]:
    """Components of o# (vs_3_0) that are written and not declared."""
    masks: dict[int, int] = {}
    for _, _, dest in _declared_outputs(context):
        masks[dest.number] = masks.get(dest.number, 0) | dest.mask
    reported: set[tuple[int, int]] = set()
    for at, _, dest, file in context.targets if masks else ():
        if file != OUTPUT or dest.is_relative or dest.number not in masks:
            continue
        missing = dest.mask & ~masks[dest.number]
        if missing and (dest.number, missing) not in reported:
            reported.add((dest.number, missing))
            name = context.name(dest)
            text = f"{name}{mask_text(missing)}"
            yield Finding(
                message=f"{text} is written, but the declaration of {name} leaves it out", fix=f"declare {text} too", at=at
            )


def screen_position(context: AnalysisContext) -> Iterator[Finding]:
    """vPos declared with other components than x and y."""
    for at, inst in context.declarations:
        dest = inst.dest
        if dest is None or (dest.file, dest.number) != (MISC, 0) or not context.pixel:
            continue
        if dest.mask not in _SCREEN_MASKS:
            yield Finding(
                message="vPos is declared with other components than x and y",
                fix="write dcl vPos.xy, dcl vPos.x or dcl vPos.y",
                at=at,
            )
