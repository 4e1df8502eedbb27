"""Rules about whole Direct3D 9 shaders: declarations, slots, blocks, subroutines, predicates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import AnalysisContext, Finding
from lanewise.direct3d9.isa.program import Source
from lanewise.direct3d9.isa.slots import cost, cubes_of
from lanewise.direct3d9.isa.table import (
    ARITHMETIC,
    BEGINS,
    BREAKS,
    CALLS,
    CLOSES,
    DECLARATION,
    DEFINITION,
    FLOW,
    IF_BLOCK,
    INPUT,
    LABEL,
    LOOP,
    LOOP_BLOCK,
    MARK,
    MISC,
    OPENS,
    OPS,
    OUTPUT,
    REP_BLOCK,
    RETURNS,
    SAMPLER,
    SPLITS,
    TEXTURE,
    TEXTURING,
    USAGES,
    limited,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lanewise.direct3d9.isa.program import Dest, Inst
    from lanewise.direct3d9.isa.table import Op

_CLOSERS: Mapping[str, str] = {op.block: op.name for op in OPS if op.part == CLOSES}
_LOOPS = (LOOP_BLOCK, REP_BLOCK)
_MOST_STATIC = 16  # flow instructions in vs_2_0 and vs_2_x
_COUNTED = tuple(op for op in OPS if op.most is not None)
_TYPES = (2, 3, 4)  # of samplers: 2d, cube, volume


# Declarations and definitions


def declarations(context: AnalysisContext) -> Iterator[Finding]:
    """Registers that have to be declared and are not."""
    files = _declared_files(context)
    names = set(context.declared)
    reported: set[tuple[int, int]] = set()
    for at, inst in context.code:
        for operand in inst.operands:
            key = operand.file, operand.number
            if operand.file not in files or key in names or key in reported:
                continue
            if operand.is_relative and any(file == operand.file for file, _ in names):
                continue
            reported.add(key)
            name = context.name(operand)
            bare = operand.file in (TEXTURE, MISC) or (context.model == 2 and context.pixel)
            ending = "_2d" if operand.file == SAMPLER else "" if bare else "_texcoord"
            yield Finding(f"{name} is not declared", f"write dcl{ending} {name} before the first instruction", at)


def _declared_files(context: AnalysisContext) -> tuple[int, ...]:
    if context.vertex:
        return (INPUT, OUTPUT, SAMPLER) if context.model >= 3 else (INPUT,)
    if context.model < 2:
        return ()
    return (INPUT, SAMPLER, MISC) if context.model >= 3 else (INPUT, TEXTURE, SAMPLER)


def malformed_declarations(context: AnalysisContext) -> Iterator[Finding]:
    """Declarations with a usage or a texture type that the register does not have; definitions that are given twice."""
    defined: set[tuple[int, int]] = set()
    for at, inst in enumerate(context.insts):
        if inst.dest is None:
            continue
        if inst.op.role == DECLARATION:
            fault = _declaration_fault(context, inst, inst.dest)
            if fault:
                yield Finding(f"{context.name(inst.dest)} is declared with {fault[0]}", fault[1], at)
        elif inst.op.role == DEFINITION:
            key = inst.dest.file, inst.dest.number
            if key in defined:
                yield Finding(f"{context.name(inst.dest)} is defined twice", "remove one of them", at)
            defined.add(key)


def _declaration_fault(context: AnalysisContext, inst: Inst, dest: Dest) -> tuple[str, str] | None:
    usage = inst.payload[0]
    kind, index, texture = usage & 0xF, usage >> 16 & 0xF, usage >> 27 & 0xF
    if usage & 0x07F0FFF0 or not usage >> 31:
        return "reserved bits", "clear bits 15:4 and 26:20, set bit 31"
    if dest.file == SAMPLER:
        if kind or index:
            return "a usage", "declare a texture type: dcl_2d, dcl_cube or dcl_volume"
        return None if texture in _TYPES else ("an unknown texture type", "write dcl_2d, dcl_cube or dcl_volume")
    if texture:
        return "a texture type", "remove it: texture types are for s#"
    if kind >= len(USAGES):
        return "an unknown usage", "use 0 to 13"
    bare = context.pixel and (context.model == 2 or dest.file == MISC)
    return (
        ("a usage", "write dcl without a usage: ps_2_0, ps_2_x, vPos and vFace have none") if bare and (kind or index) else None
    )


def order(context: AnalysisContext) -> Iterator[Finding]:
    """Declarations and definitions behind the first instruction."""
    started = False
    for at, inst in enumerate(context.insts):
        if inst.op.role in (DECLARATION, DEFINITION):
            if started:
                yield Finding(f"{inst.op.name} follows an instruction", "put declarations and definitions first", at)
        else:
            started = True


# Slots


def slots(context: AnalysisContext) -> Iterator[Finding]:
    """More instruction slots than the version has."""
    limit, version = context.limits, context.version
    if limit.arithmetic is None:
        return
    cubes = cubes_of(context.shader)
    used = {ARITHMETIC: 0, TEXTURING: 0}
    reported = False
    name = version.name
    for at, inst in context.code:
        if inst.op.role == MARK:
            used = {ARITHMETIC: 0, TEXTURING: 0}
            continue
        if inst.coissue and context.model < 2:
            continue
        found = cost(inst, version, cubes)
        used[ARITHMETIC] += found.arithmetic
        used[TEXTURING] += found.texture
        total = used[ARITHMETIC] + used[TEXTURING]
        split = context.pixel and version.order < (2, 1)
        over = (
            (used[ARITHMETIC] > limit.arithmetic or (limit.texture is not None and used[TEXTURING] > limit.texture))
            if split
            else total > limit.arithmetic
        )
        if over and not reported:
            reported = True
            has_text = (
                f"{limit.arithmetic} slots for arithmetic and {limit.texture} for textures"
                if split
                else f"{limit.arithmetic} slots"
            )
            yield Finding(
                f"the shader is too long from here on: {name} has {has_text}", "use fewer instructions, or a later version", at
            )
    yield from _too_many(context)


def _too_many(context: AnalysisContext) -> Iterator[Finding]:
    """More of one instruction than a shader may have."""
    for op in _COUNTED:
        for most in limited(op.most, context.version):
            places = [at for at, inst in context.code if inst.op.opcode == op.opcode]
            if len(places) > most:
                message = f"{op.name} is used {len(places)} times: {context.version.name} allows {most}"
                yield Finding(message, "use cnd, or ps_1_4", places[most])


# Blocks


def blocks(context: AnalysisContext) -> Iterator[Finding]:
    """Blocks that do not match, `break` outside of loops, aL outside of `loop`."""
    stack: list[tuple[Op, int]] = []
    open_now = dict.fromkeys(_CLOSERS, 0)
    elses: set[int] = set()
    routine = False
    for at, inst in context.code:
        op, name = inst.op, inst.op.name
        if op.part == OPENS:
            stack.append((op, at))
            open_now[op.block] += 1
        elif op.part == SPLITS:
            if not stack or stack[-1][0].block != op.block:
                yield Finding(f"{name} without if", "remove it, or open an if", at)
            elif stack[-1][1] in elses:
                yield Finding(f"second {name} in one if", "remove one of them", at)
            else:
                elses.add(stack[-1][1])
        elif op.part == CLOSES:
            if not stack or stack[-1][0].block != op.block:
                expected = f"{stack[-1][0].name} needs {_CLOSERS[stack[-1][0].block]}" if stack else "no block is open"
                yield Finding(
                    f"{name} closes no block: {expected}",
                    "close blocks in the order in which they were opened, last first",
                    at,
                )
            if stack:
                open_now[stack.pop()[0].block] -= 1
        elif op.part == BREAKS:
            if not routine and not any(open_now[block] for block in _LOOPS):
                yield Finding(
                    f"{context.called(inst)} is outside of a loop", "put it between loop and endloop, or rep and endrep", at
                )
        elif op.part == BEGINS:
            yield from _open(stack)
            stack, routine, open_now = [], True, dict.fromkeys(_CLOSERS, 0)
        if not routine and not open_now[LOOP_BLOCK] and _reads_counter(inst):
            yield Finding("aL is read outside of a loop", "read it between loop and endloop", at)
    yield from _open(stack)


def _reads_counter(inst: Inst) -> bool:
    """Whether aL is an address of an instruction."""
    return any(operand.relative is not None and Source(operand.relative).file == LOOP for operand in inst.operands)


def _open(stack: list[tuple[Op, int]]) -> Iterator[Finding]:
    for op, at in stack:
        yield Finding(f"{op.name} is never closed", f"add {_CLOSERS[op.block]}", at)


def nesting(context: AnalysisContext) -> Iterator[Finding]:
    """Blocks nested deeper, or more of them, than the version can."""
    if context.model < 2:
        return
    version = context.version
    deep = version.name == "vs_2_0"
    most_loops, most_ifs = (1, 16) if deep else (4, 24)
    stack: list[str] = []
    loops = ifs = count = 0
    reported: set[str] = set()
    for at, inst in context.code:
        part, block = inst.op.part, inst.op.block
        if part == OPENS:
            stack.append(block)
            loops, ifs = loops + (block in _LOOPS), ifs + (block not in _LOOPS)
            if loops > most_loops and LOOP_BLOCK not in reported:
                reported.add(LOOP_BLOCK)
                yield Finding(f"loops nest {loops} deep: {version.name} allows {most_loops}", "unroll the inner loop", at)
            if ifs > most_ifs and IF_BLOCK not in reported:
                reported.add(IF_BLOCK)
                yield Finding(f"conditions nest {ifs} deep: {version.name} allows {most_ifs}", "combine conditions", at)
        elif part == CLOSES and stack:
            closed = stack.pop()
            loops, ifs = loops - (closed in _LOOPS), ifs - (closed not in _LOOPS)
        count += part in (OPENS, SPLITS, CALLS)
        if (
            context.vertex
            and context.model == 2
            and not version.software
            and count == _MOST_STATIC + 1
            and "count" not in reported
        ):
            reported.add("count")
            yield Finding(
                f"too many static flow instructions: {version.name} allows {_MOST_STATIC}", "use fewer, or vs_3_0", at
            )


# Subroutines


def subroutines(context: AnalysisContext) -> Iterator[Finding]:
    """Labels and calls that do not go together, and calls that nest deeper than the version can."""
    labels: dict[int, int] = {}
    before = ""  # the part of the instruction before
    for at, inst in context.code:
        if inst.op.part == BEGINS and inst.sources and inst.sources[0].file == LABEL:
            number = inst.sources[0].number
            if number in labels:
                yield Finding(f"l{number} is defined twice", "give each subroutine its label", at)
            labels.setdefault(number, at)
            if before != RETURNS:
                yield Finding(
                    f"the code before l{number} does not end with ret",
                    "add ret: execution falls through into the subroutine",
                    at,
                )
        before = inst.op.part if inst.op.role != MARK else before
    if labels and before != RETURNS:
        yield Finding("the last subroutine does not end with ret", "add ret", max(labels.values()))
    yield from _calls(context, labels)


def _calls(context: AnalysisContext, labels: dict[int, int]) -> Iterator[Finding]:
    most = 1 if context.version.name == "vs_2_0" else 4
    depth: dict[int, int] = dict.fromkeys(labels, 0)  # how deep calls are when a subroutine runs
    here = 0
    deep = False
    for at, inst in context.code:
        if inst.op.part == BEGINS and inst.sources:
            here = depth.get(inst.sources[0].number, 0)
        if inst.op.part != CALLS or not inst.sources:
            continue
        number = inst.sources[0].number
        target = labels.get(number)
        if target is None:
            yield Finding(f"unknown label l{number}", f"add label l{number} after the ret of the main program", at)
        elif target < at:
            yield Finding(
                f"l{number} is defined before its call",
                "move the subroutine after all its callers; recursion is not allowed",
                at,
            )
        else:
            depth[number] = max(depth[number], here + 1)
            if here + 1 > most and not deep:
                deep = True
                yield Finding(
                    f"calls nest {here + 1} deep: {context.version.name} allows {most}",
                    "put the subroutine's code in place of the call",
                    at,
                )


# Predicates


def predicates(context: AnalysisContext) -> Iterator[Finding]:
    """Predicates where the version or the instruction has none."""
    for at, inst in enumerate(context.insts):
        if inst.predicate is None:
            continue
        if context.version.order < (2, 1):
            yield Finding(f"{context.version.name} has no predicates", "remove it, or use vs_2_x or ps_2_x", at)
        elif inst.op.role in (FLOW, DECLARATION, DEFINITION):
            yield Finding(f"{context.called(inst)} takes no predicate", "use if p0.x, breakp or callnz", at)
