"""Rules about whole Direct3D 9 shaders.

Declarations, slots, blocks, subroutines, predicates."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import AnalysisContext, Finding, is_dynamic, is_replicate, mask_text
from lanewise.direct3d9.check.register_rules import has_register
from lanewise.direct3d9.check.usages import Usages
from lanewise.direct3d9.isa.operands import CONSTANT
from lanewise.direct3d9.isa.program import NUMBER, RELATIVE, Source, register_file
from lanewise.direct3d9.isa.slots import Cost, cost, cubes_of
from lanewise.direct3d9.isa.table import (
    ARITHMETIC,
    BEGINS,
    BREAKS,
    CALLS,
    CLOSES,
    CONSTINT,
    DECLARATION,
    DEFINITION,
    FLOW,
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
    from collections.abc import Iterator, Mapping, Sequence, Set

    from lanewise.core.diagnostics import Edit
    from lanewise.direct3d9.isa.program import Dest, Inst
    from lanewise.direct3d9.isa.table import Op

_CLOSERS: Mapping[str, str] = {op.block: op.name for op in OPS if op.part == CLOSES}
_RETURN = next(op.name for op in OPS if op.part == RETURNS)
_LOOPS = (LOOP_BLOCK, REP_BLOCK)
_MOST_STATIC = 16  # flow instructions in vs_2_0 and vs_2_x: if with a b#, its else, loop, rep, call, callnz with a b#
_MOST_NESTED = 24  # conditions
_LOOP, _STATIC, _DYNAMIC = "loops", "static conditions", "dynamic conditions"
_COUNTS, _STEPS = range(256), range(-128, 128)
_SINCOS = (  # D3DSINCOSCONST1 and D3DSINCOSCONST2 of d3dx9types.h
    (-1.5500992e-006, -2.1701389e-005, 0.0026041667, 0.00026041668),
    (-0.020833334, -0.12500000, 1.0, 0.50000000),
)
_CLOSE = 1e-4  # relative: a constant that was printed with fewer digits is the same constant
_COUNTED = tuple(op for op in OPS if op.most is not None)
_TYPES = (2, 3, 4)  # of samplers: 2d, cube, volume


# Declarations and definitions


def declarations(context: AnalysisContext) -> Iterator[Finding]:
    """Registers that have to be declared and are not."""
    files = _declared_files(context) if not context.shader.direct3d8 else ()
    names = set(context.declared)
    if files and context.vertex:
        yield from _rows_of_inputs(context, names)
    if not any(_undeclared(word, files, names) for word in context.operands):
        return
    declared_files = {file for file, _ in names}
    alone = context.vertex and context.model < 2 and not names and not context.damage
    usages = Usages(context, direct3d8=alone)
    reported: set[tuple[int, int]] = set()
    for at, inst in context.code:
        for operand in inst.operands:
            key = operand.file, -1 if operand.is_relative else operand.number
            if operand.file not in files or key in names or key in reported:
                continue
            if operand.is_relative and operand.file in declared_files:
                continue
            if not operand.is_relative and not has_register(context, operand):
                continue  # V302
            if context.may_declare(*key):
                continue
            reported.add(key)
            name = context.name(operand)
            bare = operand.file in (TEXTURE, MISC) or (context.model == 2 and context.pixel)
            ending = "_2d" if operand.file == SAMPLER else "" if bare else f"_{usages.of(*key)}"
            if operand.is_relative:
                letter = name.partition("[")[0]
                message, fix = (
                    f"{name} is indexed, but no {letter}# is declared",
                    f"declare each {letter}# that the index can reach, such as dcl{ending} {letter}0",
                )
            else:
                message, fix = f"{name} is not declared", f"write dcl{ending} {name} before the first instruction"
            edits = (
                context.before(0, f"dcl {name}")
                if not ending and not operand.is_relative and context.insts[0].place is not None
                else ()
            )
            yield Finding(
                message=message,
                fix=f"give --direct3d8 if it is a shader of Direct3D 8, which has no dcl; or {fix}" if alone else fix,
                at=at,
                edits=edits,
            )


def _rows_of_inputs(context: AnalysisContext, names: Set[tuple[int, int]]) -> Iterator[Finding]:
    """Matrices in inputs whose rows after the first are not declared: mostly a vector and a matrix that are exchanged."""
    for at, inst in context.code:
        if not inst.op.rows or len(inst.sources) < 2:
            continue
        first, matrix = inst.sources[0], inst.sources[-1]
        if matrix.file != INPUT or matrix.is_relative or (INPUT, matrix.number) not in names:
            continue
        last = matrix.number + inst.op.rows - 1
        if all((INPUT, number) in names for number in range(matrix.number, last + 1)):
            continue
        vector, name = context.name(first), context.name(matrix)
        dest = f"{context.name(inst.dest)}{mask_text(inst.dest.mask)}, " if inst.dest is not None else ""
        yield Finding(
            message=f"{inst.op.name} reads {name} to v{last} as the rows of a matrix, and not all are declared",
            fix=f"write `{inst.op.name} {dest}{name}, {vector}`: the vector is first, then the first row of the matrix",
            at=at,
        )


def _undeclared(word: int, files: Sequence[int], names: Set[tuple[int, int]]) -> bool:
    """Whether an operand is in one of some files, but not one of some registers."""
    file = register_file(word)
    return file in files and (bool(word & RELATIVE) or (file, word & NUMBER) not in names)


def _declared_files(context: AnalysisContext) -> tuple[int, ...]:
    if context.vertex:
        return (INPUT, OUTPUT, SAMPLER) if context.model >= 3 else (INPUT,)
    if context.model < 2:
        return ()
    return (INPUT, SAMPLER, MISC) if context.model >= 3 else (INPUT, TEXTURE, SAMPLER)


def malformed_declarations(context: AnalysisContext) -> Iterator[Finding]:
    """Declarations with a usage or a texture type that the register does not have."""
    for at, inst in context.suspects:
        if inst.dest is None:
            continue
        if inst.op.role == DECLARATION:
            fault = _declaration_fault(context, inst, inst.dest)
            if fault:
                yield Finding(message=f"{context.name(inst.dest)} is declared with {fault[0]}", fix=fault[1], at=at)


def repeated_definitions(context: AnalysisContext) -> Iterator[Finding]:
    """Constants that are defined twice: the last definition holds."""
    defined: dict[tuple[int, int], int] = {}
    for at, inst in context.definitions:
        if inst.dest is None:
            continue
        key = inst.dest.file, inst.dest.number
        if key in defined:
            first = defined[key]
            yield Finding(
                message=f"{context.name(inst.dest)} is defined twice: the last definition holds",
                fix="remove one of them",
                at=at,
                related=context.because_of(first, "this definition has no effect"),
                edits=context.without(first),
            )
        defined[key] = at


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
    """Declarations and definitions after the first instruction."""
    start = context.code[0][0] if context.code else len(context.insts)
    first = True  # one at a time is moved, so that they keep their order
    for at, inst in sorted([*context.declarations, *context.definitions], key=lambda pair: pair[0]):
        if at > start:
            line, target = context.alone(at), context.alone(start)
            edits: tuple[Edit, ...] = ()
            if first and line is not None and target is not None and line.file == target.file and line.line > target.line:
                statement = line.text[line.column - 1 : line.column - 1 + line.length]
                edits = (*context.before(start, statement), *context.without(at))
            yield Finding(
                message=f"{inst.op.name} follows an instruction",
                fix="put declarations and definitions first",
                at=at,
                related=context.because_of(start, "the first instruction"),
                edits=edits,
            )
            first = False


# Slots


def slots(context: AnalysisContext) -> Iterator[Finding]:
    """More instruction slots than the version has."""
    limit, version = context.limits, context.version
    if limit.arithmetic is None or (context.ps14 and context.damage):  # a damaged statement may be what begins the second phase
        return
    cubes = cubes_of(context.shader)
    costs: dict[tuple[int, int, bool], Cost] = {}  # by token, sampler if one is a cube, and whether there is a predicate
    used = {ARITHMETIC: 0, TEXTURING: 0}
    reported = False
    name = version.name
    for at, inst in context.code:
        if inst.op.role == MARK:
            used = {ARITHMETIC: 0, TEXTURING: 0}
            continue
        if inst.coissue and context.model < 2:
            continue
        key = inst.token, inst.sources[1].word if cubes and len(inst.sources) > 1 else 0, inst.predicate is None
        found = costs.get(key)
        if found is None:
            found = costs[key] = cost(inst, version, cubes)
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
                message=f"the shader is too long from here on: {name} has {has_text}",
                fix="use fewer instructions, or a later version",
                at=at,
            )
    yield from _too_many(context)


def _too_many(context: AnalysisContext) -> Iterator[Finding]:
    """More of one instruction than a shader may have."""
    for op in _COUNTED:
        for most in limited(op.most, context.version) if op.opcode in context.ops else ():
            places = [at for at, inst in context.code if inst.op.opcode == op.opcode]
            if len(places) > most:
                message = f"{op.name} is used {len(places)} times: {context.version.name} allows {most}"
                yield Finding(message=message, fix="use fewer, or a later version", at=places[most])


# Blocks


def blocks(context: AnalysisContext) -> Iterator[Finding]:
    """Blocks that do not match, `break` outside of loops, aL outside of `loop`."""
    if not context.flows and not any(word & RELATIVE for word in context.operands):
        return
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
                yield Finding(message=f"{name} without if", fix="remove it, or open an if", at=at)
            elif stack[-1][1] in elses:
                yield Finding(message=f"second {name} in one if", fix="remove one of them", at=at)
            else:
                elses.add(stack[-1][1])
        elif op.part == CLOSES:
            if not stack or stack[-1][0].block != op.block:
                expected = f"{stack[-1][0].name} needs {_CLOSERS[stack[-1][0].block]}" if stack else "no block is open"
                yield Finding(
                    message=f"{name} closes no block: {expected}",
                    fix="close blocks in the order in which they were opened, last first",
                    at=at,
                    related=context.because_of(stack[-1][1], "the block that is open") if stack else (),
                )
            if stack:
                open_now[stack.pop()[0].block] -= 1
        elif op.part == BREAKS:
            if not routine and not any(open_now[block] for block in _LOOPS):
                yield Finding(
                    message=f"{context.called(inst)} is outside of a loop",
                    fix="put it between loop and endloop, or rep and endrep",
                    at=at,
                )
        elif op.part == BEGINS:
            yield from _open(stack)
            stack, routine, open_now = [], True, dict.fromkeys(_CLOSERS, 0)
        if not routine and not open_now[LOOP_BLOCK] and _reads_counter(inst):
            yield Finding(message="aL is read outside of a loop", fix="read it between loop and endloop", at=at)
    yield from _open(stack)


def _reads_counter(inst: Inst) -> bool:
    """Whether aL is an address of an instruction."""
    return any(operand.relative is not None and Source(operand.relative).file == LOOP for operand in inst.operands)


def _open(stack: list[tuple[Op, int]]) -> Iterator[Finding]:
    for op, at in stack:
        yield Finding(message=f"{op.name} is never closed", fix=f"add {_CLOSERS[op.block]}", at=at)


def nesting(context: AnalysisContext) -> Iterator[Finding]:
    """Blocks nested deeper, or more of them, than the version can (D3D, Flow Control Nesting Limits, depth counts per
    instruction)."""
    if context.model < 2 or not context.flows:
        return
    version = context.version
    counted = context.vertex and context.model == 2 and not version.software
    # Static conditions of shader model 2 are limited by the static flow count only.
    most = {
        _LOOP: 1 if version.name == "vs_2_0" else 4,
        _STATIC: _MOST_STATIC if counted else _MOST_NESTED,
        _DYNAMIC: _MOST_NESTED,
    }
    stack: list[str] = []
    depth = dict.fromkeys(most, 0)
    count = 0
    reported: set[str] = set()
    for at, inst in context.code:
        part = inst.op.part
        kind = _LOOP if inst.op.block in _LOOPS else _DYNAMIC if is_dynamic(inst) else _STATIC
        if part == SPLITS:
            kind = stack[-1] if stack else _STATIC
        if part == OPENS:
            stack.append(kind)
            depth[kind] += 1
            if depth[kind] > most[kind] and kind not in reported:
                reported.add(kind)
                fix = "unroll the inner loop" if kind == _LOOP else "combine conditions"
                yield Finding(message=f"{kind} nest {depth[kind]} deep: {version.name} allows {most[kind]}", fix=fix, at=at)
        elif part == CLOSES and stack:
            depth[stack.pop()] -= 1
        elif part == BEGINS:
            stack, depth = [], dict.fromkeys(most, 0)
        count += part in (OPENS, SPLITS, CALLS) and kind != _DYNAMIC
        if counted and count == _MOST_STATIC + 1 and "count" not in reported:
            reported.add("count")
            yield Finding(
                message=f"too many static flow instructions: {version.name} allows {_MOST_STATIC}",
                fix="use fewer, or vs_3_0",
                at=at,
            )


# Subroutines


def subroutines(context: AnalysisContext) -> Iterator[Finding]:
    """Labels and calls that do not go together, and calls that nest deeper than the version can."""
    if not context.flows:
        return
    labels: dict[int, int] = {}
    before = ""  # the part of the instruction before
    for at, inst in context.code:
        if inst.op.part == BEGINS and inst.sources and inst.sources[0].file == LABEL:
            number = inst.sources[0].number
            if number in labels:
                related = context.because_of(labels[number], f"l{number} is defined here too")
                yield Finding(
                    message=f"l{number} is defined twice", fix="give each subroutine its label", at=at, related=related
                )
            labels.setdefault(number, at)
            if before != RETURNS:
                yield Finding(
                    message=f"the code before l{number} does not end with ret",
                    fix="add ret: execution falls through into the subroutine",
                    at=at,
                    edits=context.before(at, _RETURN),
                )
        before = inst.op.part if inst.op.role != MARK else before
    if labels and before != RETURNS:
        edits = context.behind(context.code[-1][0], _RETURN)
        yield Finding(message="the last subroutine does not end with ret", fix="add ret", at=max(labels.values()), edits=edits)
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
            yield Finding(
                message=f"unknown label l{number}", fix=f"add label l{number} after the ret of the main program", at=at
            )
        elif target < at:
            yield Finding(
                message=f"l{number} is defined before its call",
                fix="move the subroutine after all its callers; recursion is not allowed",
                at=at,
            )
        else:
            depth[number] = max(depth[number], here + 1)
            if here + 1 > most and not deep:
                deep = True
                yield Finding(
                    message=f"calls nest {here + 1} deep: {context.version.name} allows {most}",
                    fix="put the subroutine's code in place of the call",
                    at=at,
                )


def returns(context: AnalysisContext) -> Iterator[Finding]:
    """Several ret in one routine: the first ends it."""
    if not context.flows:
        return
    first: int | None = None
    for at, inst in context.code:
        if inst.op.part == BEGINS:
            first = None
        elif inst.op.part == RETURNS:
            if first is not None:
                related = context.because_of(first, "the first one")
                yield Finding(
                    message="second ret in one routine: the first one ends it",
                    fix="use one ret, at the end, and if blocks before it",
                    at=at,
                    related=related,
                )
            first = at if first is None else first


# Constants


def loop_constants(context: AnalysisContext) -> Iterator[Finding]:
    """Values of defi that loop and rep cannot take. Both read the count, so that is checked where neither reads the register,
    too."""
    if not any(inst.dest is not None and inst.dest.file == CONSTINT for _, inst in context.definitions):
        return
    looped: dict[int, Op] = {}  # the instruction that reads an i#; loop before rep, as it reads more
    for _, inst in context.code:
        if inst.op.part == OPENS and inst.op.block in _LOOPS and inst.sources and inst.sources[-1].file == CONSTINT:
            number = inst.sources[-1].number
            if number not in looped or inst.op.block == LOOP_BLOCK:
                looped[number] = inst.op
    for at, inst in context.definitions:
        dest = inst.dest
        if dest is None or dest.file != CONSTINT or len(inst.payload) < 4:
            continue
        count, start, step, unused = (word - (word >> 31 << 32) for word in inst.payload)
        name, op = context.name(dest), looped.get(dest.number)
        if count not in _COUNTS:
            what = f"{op.name} count" if op else "count"
            yield Finding(message=f"{what} {name}.x is {count}: expected 0 to 255", fix="define a count from 0 to 255", at=at)
        if op is None or op.block != LOOP_BLOCK:
            continue
        if start not in _COUNTS:
            yield Finding(
                message=f"loop start {name}.y is {start}: expected 0 to 255", fix="define a start from 0 to 255", at=at
            )
        if step not in _STEPS:
            yield Finding(
                message=f"loop step {name}.z is {step}: expected -128 to 127", fix="define a step from -128 to 127", at=at
            )
        if unused:
            yield Finding(message=f"{name}.w is {unused}: {op.name} requires 0", fix="define 0 as the fourth value", at=at)


def macro_constants(context: AnalysisContext) -> Iterator[Finding]:
    """Constants and predicates of sincos in shader model 2 that its macro cannot use."""
    if context.model != 2 or not any(CONSTANT in op.sources for op in context.ops.values()):
        return
    defined = {(inst.dest.file, inst.dest.number): inst.payload for _, inst in context.definitions if inst.dest is not None}
    for at, inst in context.code:
        places = [n for n, kind in enumerate(inst.op.sources) if kind == CONSTANT and n < len(inst.sources)]
        if not places or not context.has(inst.op):
            continue
        sources = [inst.sources[n] for n in places]
        name = inst.op.name
        if len({(source.file, source.number, source.relative) for source in sources}) < len(sources):
            yield Finding(
                message=f"{name} reads one constant twice",
                fix="give it two different c#: D3DSINCOSCONST1 and D3DSINCOSCONST2",
                at=at,
            )
            continue
        for source, wanted, macro in zip(sources, _SINCOS, ("D3DSINCOSCONST1", "D3DSINCOSCONST2"), strict=False):
            payload = defined.get((source.file, source.number))
            if payload is not None and not source.is_relative and not _same(payload, wanted):
                values = ", ".join(f"{value:.9g}" for value in wanted)
                register = context.name(source)
                yield Finding(
                    message=f"{name} needs {macro} in {register}, which is defined differently",
                    fix=f"write def {register}, {values}",
                    at=at,
                )
        if inst.predicate is not None and not is_replicate(inst.predicate):
            yield Finding(
                message=f"{name} has a predicate without replicate swizzle", fix="write (p0.x), (p0.y), (p0.z) or (p0.w)", at=at
            )


def _same(payload: tuple[int, ...], wanted: tuple[float, ...]) -> bool:
    values = struct.unpack("<4f", struct.pack("<4I", *payload[:4])) if len(payload) >= 4 else ()
    return len(values) == len(wanted) and all(
        abs(value - other) <= _CLOSE * abs(other) for value, other in zip(values, wanted, strict=True)
    )


# Predicates


def predicates(context: AnalysisContext) -> Iterator[Finding]:
    """Predicates where the version or the instruction has none."""
    for at, inst in context.predicated:
        if context.version.order < (2, 1):
            yield Finding(message=f"{context.version.name} has no predicates", fix="remove it, or use vs_2_x or ps_2_x", at=at)
        elif inst.op.role in (FLOW, DECLARATION, DEFINITION):
            yield Finding(message=f"{context.called(inst)} takes no predicate", fix="use if p0.x, breakp or callnz", at=at)
