"""Rules about instructions and their registers in Direct3D 9 shaders."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import CONSTANTS, AnalysisContext, Finding, is_replicate
from lanewise.direct3d9.check.files import declarable, exists, readable, writable
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import ALPHA, CONSTANT, MOVED, MUST, SHOULD, VALUE
from lanewise.direct3d9.isa.program import Dest, Inst, Source
from lanewise.direct3d9.isa.table import (
    ADDR,
    ATTROUT,
    COLOROUT,
    CONSTBOOL,
    CONSTINT,
    DECLARATION,
    INPUT,
    LABEL,
    LOOP,
    PREDICATE,
    RASTOUT,
    SAMPLER,
    TEMP,
    TEXCRDOUT,
    TEXTURE,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.direct3d9.isa.table import Version

_ABS = (isa.ABS, isa.ABS_NEGATE)
_MOST_KNOWN = 1 << 15


def unknown_instruction(context: AnalysisContext) -> Iterator[Finding]:
    """Instructions that the version does not have."""
    version = context.version
    if version.token not in isa.BY_TOKEN:
        yield Finding(message=f"unknown version {version.name}", fix="use vs_1_0 to vs_3_0 or ps_1_0 to ps_3_0")
    for at, inst in context.suspects:
        if not context.has(inst.op):
            yield Finding(
                message=f"instruction {context.called(inst)} is not available in {version.name}",
                fix=_since(inst, context),
                at=at,
            )
        elif context.shader.direct3d8 and inst.op.role == isa.DECLARATION:
            yield Finding(
                message=f"instruction {context.called(inst)} is not available in Direct3D 8",
                fix="remove it, or check without --direct3d8",
                at=at,
            )
        elif inst.op.control == isa.COMPARED and inst.control not in range(1, 7):
            yield Finding(message=f"{inst.op.name} has the unknown comparison {inst.control}", fix="use 1 to 6", at=at)
        elif inst.op.control == isa.VARIED and context.model >= 2 and inst.control >= len(isa.TEXLDS):
            yield Finding(
                message=f"texld has the unknown control {inst.control}",
                fix=f"use {', '.join(f'{n} for {one.name}' for n, one in enumerate(isa.TEXLDS))}",
                at=at,
            )


def _since(inst: Inst, context: AnalysisContext) -> str:
    own, other = (inst.op.vs, inst.op.ps) if context.vertex else (inst.op.ps, inst.op.vs)
    kind = context.version.kind
    if own is None:
        if other and context.vertex and set(inst.op.sources) == {VALUE}:
            return "write `sge r#, a, c31.x` with `def c31, 0, 0, 0, 0`, then `lrp` with r# and the two values"
        return (
            f"remove it: it is for {'pixel' if context.vertex else 'vertex'} shaders"
            if other
            else "remove it: no version has it"
        )
    return f"use {kind}_{own[0]}" + (f" to {kind}_{own[1]}" if own[1] else " or later")


def registers(context: AnalysisContext) -> Iterator[Finding]:
    """Registers that the version does not have: no such file, or the number is too large."""
    if _all_exist(context):
        return
    reported: set[str] = set()
    for at, inst in enumerate(context.insts):
        rows = inst.op.rows
        for index, operand in enumerate(_operands(inst)):
            name = context.name(operand)
            if not exists(context.version, operand.file):
                if name in reported:
                    continue
                reported.add(name)
                yield Finding(
                    message=f"unknown register '{name}' in {context.version.name}",
                    fix="use a register of the version: lanewise isa direct3d9 lists them",
                    at=at,
                )
                continue
            if operand.is_relative:
                continue
            is_matrix = rows and isinstance(operand, Source) and index == len(_operands(inst)) - 1
            last = operand.number + (rows - 1 if is_matrix else 0)
            if operand.file in CONSTANTS:
                last += isa.constant_base(operand.file)
            limit = limit_of(context, operand.file)
            if limit is not None and last >= limit:
                letters = name.rstrip("0123456789")
                what = f"{name} to {letters}{last}" if is_matrix else name
                if what in reported:
                    continue
                reported.add(what)
                known = f"{letters}0 to {letters}{limit - 1}" if limit > 1 else f"{letters}0"
                yield Finding(
                    message=f"unknown register '{what}': {context.version.name} has {known}", fix=f"use {known}", at=at
                )


def _all_exist(context: AnalysisContext) -> bool:
    """Whether the version has all registers, without a look at each instruction; a matrix has more registers than it names."""
    words = set(context.operands)
    words.update([inst.predicate.word for _, inst in context.predicated if inst.predicate is not None])
    words.update([inst.dest.word for _, inst in (*context.declarations, *context.definitions) if inst.dest is not None])
    known = _known_registers(context.version)
    if any(op.rows for op in context.ops.values()):
        return False
    for word in words - known:
        operand = Source(word)
        limit = limit_of(context, operand.file)
        if not exists(context.version, operand.file) or not (
            operand.is_relative or limit is None or operand.number + isa.constant_base(operand.file) < limit
        ):
            return False
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known.add(word)
    return True


@lru_cache(maxsize=32)
def _known_registers(version: Version) -> set[int]:
    """Words of operands with registers that a version has."""
    return set()


def _operands(inst: Inst) -> list[Source | Dest]:
    return [
        *([inst.dest] if inst.dest is not None else []),
        *([inst.predicate] if inst.predicate is not None else []),
        *inst.sources,
    ]


def limit_of(context: AnalysisContext, file: int) -> int | None:
    """How many registers a file has, None where nothing limits it."""
    limit = context.limits
    if file in CONSTANTS:
        return limit.constants
    if file == ADDR:
        return 1 if context.vertex else limit.textures
    if file == TEXCRDOUT:
        return 12 if context.model >= 3 else 8
    return {
        TEMP: limit.temps,
        INPUT: limit.inputs,
        RASTOUT: 3,
        ATTROUT: 2,
        CONSTINT: limit.integers,
        COLOROUT: 4,
        isa.DEPTHOUT: 1,
        SAMPLER: limit.samplers,
        CONSTBOOL: limit.booleans,
        LOOP: 1,
        isa.MISC: 2,
        LABEL: limit.labels,
        PREDICATE: 1,
    }.get(file)


def has_register(context: AnalysisContext, operand: Source | Dest) -> bool:
    """Whether the version has the register, which an index may change."""
    limit = limit_of(context, operand.file)
    return exists(context.version, operand.file) and (operand.is_relative or limit is None or operand.number < limit)


def readable_sources(context: AnalysisContext) -> Iterator[Finding]:
    """Sources in files that the instruction cannot read."""
    for at, inst in context.suspects:
        if not context.has(inst.op):
            continue
        for index, source in enumerate(inst.sources):
            if exists(context.version, source.file) and source.file not in readable(inst.op, index, context.version):
                yield Finding(
                    message=f"{context.called(inst)} cannot read {context.name(source)} as source {index + 1}",
                    fix=_wanted(inst, index, context),
                    at=at,
                )
        if inst.predicate is not None and inst.predicate.file != PREDICATE:
            yield Finding(message=f"{context.name(inst.predicate)} is not a predicate register", fix="use p0", at=at)


_FILE_TEXTS = {
    TEMP: "r#",
    INPUT: "v#",
    CONSTINT: "i#",
    CONSTBOOL: "b#",
    SAMPLER: "s#",
    LABEL: "l#",
    LOOP: "aL",
    PREDICATE: "p0",
    isa.MISC: "vPos",
    COLOROUT: "oC#",
    isa.DEPTHOUT: "oDepth",
    RASTOUT: "oPos",
    ATTROUT: "oD#",
}


def _texts(files: frozenset[int], context: AnalysisContext) -> str:
    names = {ADDR: "a0" if context.vertex else "t#", TEXCRDOUT: "o#" if context.model >= 3 else "oT#"} | _FILE_TEXTS
    return ", ".join(
        ["c#"] * bool(files & frozenset(CONSTANTS)) + [names[file] for file in sorted(files - frozenset(CONSTANTS))]
    )


def _wanted(inst: Inst, index: int, context: AnalysisContext) -> str:
    return f"read one of {_texts(readable(inst.op, index, context.version), context)}"


def writable_destinations(context: AnalysisContext) -> Iterator[Finding]:
    """Destinations in files that the instruction cannot write."""
    for at, inst in context.suspects:
        if inst.dest is None or not context.has(inst.op) or not exists(context.version, inst.dest.file):
            continue
        if inst.op.role == DECLARATION:
            if inst.dest.file not in declarable(context.version):
                yield Finding(
                    message=f"{context.name(inst.dest)} cannot be declared in {context.version.name}",
                    fix=f"declare one of {_texts(declarable(context.version), context)}",
                    at=at,
                )
        elif inst.op.temporary == MUST and inst.dest.file != TEMP:
            yield Finding(
                message=f"{context.called(inst)} cannot write {context.name(inst.dest)}",
                fix="write r#, then mov the result",
                at=at,
            )
        elif inst.dest.file not in writable(inst.op, context.version):
            fix = f"write one of {_texts(writable(inst.op, context.version), context)}"
            if inst.op.dest == MOVED and inst.dest.file == ADDR and context.vertex:
                fix = "use mova: mov to a0 is for vs_1_1"
            elif (
                writable(inst.op, context.version) == frozenset((TEMP,))
                and inst.op.dest is not None
                and inst.op.dest.written
                and any(inst.dest.file in writable(op, context.version) for op in isa.OPS if op.dest == MOVED)
            ):
                fix = "write r#, then mov the result"
            yield Finding(message=f"{context.called(inst)} cannot write {context.name(inst.dest)}", fix=fix, at=at)


def relative(context: AnalysisContext) -> Iterator[Finding]:
    """Relative addresses of files that cannot be indexed, or by the wrong register."""
    version = context.version
    for at, inst in context.suspects:
        for operand in _operands(inst):
            if not operand.is_relative:
                continue
            name = context.name(operand)
            address = Source(operand.relative) if operand.relative is not None else None
            if not _indexable(context, operand):
                yield Finding(
                    message=f"{name} cannot be indexed in {version.name}",
                    fix="index c# in vertex shaders (vs_3_0: also v# as source and o# as destination), v# by aL in ps_3_0",
                    at=at,
                )
            elif (
                address is not None
                and address.file == ADDR
                and (address.number or not is_replicate(address) or address.modifier)
            ):
                yield Finding(message="address has no single component of a0", fix="write a0.x, a0.y, a0.z or a0.w", at=at)
            elif address is not None and address.file not in ((ADDR, LOOP) if context.vertex else (LOOP,)):
                yield Finding(
                    message=f"{context.name(address)} is not an address register",
                    fix="use a0 or aL" if context.vertex else "use aL",
                    at=at,
                )


def _indexable(context: AnalysisContext, operand: Source | Dest) -> bool:
    if context.pixel:
        return context.model >= 3 and operand.file == INPUT and isinstance(operand, Source)
    if operand.file in CONSTANTS:
        return isinstance(operand, Source)
    return context.model >= 3 and operand.file == (INPUT if isinstance(operand, Source) else TEXCRDOUT)


_LEAST_TEMPORARIES = {True: 2, False: 12}  # ps_1_1 has r0 and r1, other versions more


def _apart(context: AnalysisContext, inst: Inst, file: int) -> str:
    """Fix of an instruction that reads too many registers of a file: a mov of the last one to a free register."""
    used = {
        operand.number
        for other in context.insts
        for operand in (*other.sources, *([other.dest] if other.dest is not None else []))
        if operand.file == TEMP
    }
    free = next(n for n in range(len(used) + 1) if n not in used)
    names = [
        context.name(source)
        for source in inst.sources
        if source.file == file or (file == isa.CONST and source.file in CONSTANTS)
    ]
    if file == TEMP or free >= _LEAST_TEMPORARIES[context.ps13] or "[" in names[-1] or not exists(context.version, TEMP):
        return "mov one of them to r# first"
    return f"write `mov r{free}, {names[-1]}` before it, and r{free} in the place of {names[-1]}"


def ports(context: AnalysisContext) -> Iterator[Finding]:
    """More different registers of a file in one instruction than can be read."""
    allowed = _ports(context)
    for at, inst in context.suspects:
        for file, most in allowed.items():
            different = {
                (source.number, source.file, source.relative, source.is_relative)
                for n, source in enumerate(inst.sources)
                if (source.file == file or (file == isa.CONST and source.file in CONSTANTS))
                and inst.op.sources[n : n + 1] != (CONSTANT,)  # those of sincos are a part of the macro
            }
            if len(different) > most:
                letter = {isa.CONST: "c#", INPUT: "v#", TEMP: "r#", TEXTURE: "t#"}[file]
                yield Finding(
                    message=f"{context.called(inst)} reads {len(different)} different {letter}: {context.version.name} allows "
                    f"{most}",
                    fix=_apart(context, inst, file),
                    at=at,
                )
        constants = [source.modifier in _ABS for source in inst.sources if source.file in CONSTANTS]
        if context.model >= 3 and any(constants) and not all(constants):
            yield Finding(
                message="_abs is on some of the constants only",
                fix="use _abs on all constants of an instruction or on none",
                at=at,
            )


def _ports(context: AnalysisContext) -> dict[int, int]:
    """How many different registers of each file one instruction may read (reference 3)."""
    if context.version.software:
        return {}
    if context.vertex:  # D3D, Input Register: one instruction accesses one v#; vs_1_1 to vs_3_0 Registers: one read port of c#
        return {INPUT: 1, isa.CONST: 1}
    if context.model < 2:
        order = context.version.order
        textures = 1 if order == (1, 4) else 3 if order >= (1, 2) else 2
        return {isa.CONST: 2, TEMP: 3 if context.ps14 else 2, INPUT: 2, TEXTURE: textures}
    # D3D, Input Color Register, Texture Coordinate Register: not more than one in one instruction; ps_3_0 Registers: one read
    # port of v#; ps_2_0 to ps_3_0 Registers: one of c#
    return {INPUT: 1, isa.CONST: 1} | ({TEXTURE: 1} if context.model == 2 else {})


def _numbers(inst: Inst, index: int) -> range:
    """The registers that a source is: several for the matrix of m3x2 to m4x4."""
    first = inst.sources[index].number
    return range(first, first + (inst.op.rows if inst.op.rows and index == len(inst.sources) - 1 else 1))


def advised_destinations(context: AnalysisContext) -> Iterator[Finding]:
    """Destinations that an instruction should not have."""
    for at, inst in context.suspects:
        dest, op = inst.dest, inst.op
        if dest is None or op.temporary != SHOULD or not context.has(op):
            continue
        if dest.file != TEMP:
            yield Finding(
                message=f"{op.name} writes {context.name(dest)}, which is not a temporary register",
                fix="write r#, then mov the result",
                at=at,
            )


def aliases(context: AnalysisContext) -> Iterator[Finding]:
    """Destinations that are also sources of instructions that write before they have read all."""
    for at, inst in context.suspects:
        dest, op = inst.dest, inst.op
        if dest is None or dest.is_relative:
            continue
        same = [
            n
            for n, source in enumerate(inst.sources)
            if source.file == dest.file and not source.is_relative and dest.number in _numbers(inst, n)
        ]
        unwritable = op.temporary == MUST and dest.file != TEMP  # which has a finding
        if not unwritable and any(index in same for index in isa.limited(op.apart, context.version)):
            note = "Microsoft: X5335" if op.rows else ""
            yield Finding(
                message=f"{op.name} writes {context.name(dest)} while it still reads it",
                fix="write to another register, then mov the result",
                at=at,
                note=note,
            )
        scratch = [source.number for source, kind in zip(inst.sources, op.sources, strict=False) if kind.scratch]
        if len(set(scratch)) < len(scratch):
            yield Finding(message=f"{op.name} uses one scratch register twice", fix="give it two different r#", at=at)
        for source, kind in zip(inst.sources, op.sources, strict=False):
            if kind.swizzle == ALPHA and context.ps13 and (source.file, source.number) != (TEMP, 0):
                yield Finding(
                    message=f"{op.name} must test r0.a in ps_1_1 to ps_1_3", fix="mov the tested value to r0.a", at=at
                )
