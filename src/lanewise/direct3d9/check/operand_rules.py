"""Rules about the modifiers, masks and swizzles of one Direct3D 9 instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import CONSTANTS, AnalysisContext, Finding, is_identity, is_replicate, mask_text
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import ALPHA, BIASED, COORDINATE_SWIZZLE, DIVIDED, NO_MODIFIER, NO_SWIZZLE, ONE
from lanewise.direct3d9.isa.program import Dest, Inst, Source
from lanewise.direct3d9.isa.table import (
    ADDR,
    ALL,
    ARITHMETIC,
    CENTROID,
    COLOROUT,
    CONSTBOOL,
    CONSTINT,
    DECLARATION,
    DEFINITION,
    DEPTHOUT,
    FLOW,
    LABEL,
    LOOP,
    PARTIAL,
    PREDICATE,
    RASTOUT,
    SAMPLER,
    SATURATE,
    TEMP,
    TEXTURE,
    TEXTURING,
    limited,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.direct3d9.isa.operands import SourceKind

_X2_TO_D2 = (0, 1, 2, -1)
_NEEDS_ONE = "select one component, such as .x"
_PS_2_0_SWIZZLES = ((0, 1, 2, 3), (1, 2, 0, 3), (2, 0, 1, 3), (3, 2, 1, 0))
_PS_1_4_SELECTORS = ((0, 1, 2, 3), (0, 1, 2, 2), (0, 1, 3, 3))
_COLOUR_MASKS = (0xF, 7, 8)
_ALPHA_MASK = 8
_OLD_MODIFIERS = (isa.BIAS, isa.BIAS_NEGATE, isa.SIGN, isa.SIGN_NEGATE, isa.COMPLEMENT)
_ABS = (isa.ABS, isa.ABS_NEGATE)
_TWICE = (isa.X2, isa.X2_NEGATE)
_FILES_WITHOUT_MODIFIERS = (CONSTINT, SAMPLER, LABEL, LOOP, ADDR)


def result_modifiers(context: AnalysisContext) -> Iterator[Finding]:
    """_sat, _pp, _centroid and shifts where the version or the instruction has none."""
    version = context.version
    for at, inst in context.suspects:
        dest, op = inst.dest, inst.op
        if dest is None:
            continue
        bits = dest.modifiers
        if bits & SATURATE and context.pixel and context.model == 2 and dest.file in (COLOROUT, DEPTHOUT):
            yield Finding(
                message=f"{context.called(inst)} has no _sat where it writes {context.name(dest)}",
                fix="saturate r#, then mov: outputs of shader model 2 take no _sat",
                at=at,
            )
        elif bits & SATURATE and (
            op.dest is None
            or not op.dest.saturates
            or op.sat not in ("", context.version.kind)
            or (context.vertex and context.model < 3)
        ):
            yield Finding(
                message=f"{context.called(inst)} has no _sat in {version.name}",
                fix="remove _sat: only arithmetic of pixel shaders and vs_3_0 saturates",
                at=at,
            )
        if bits & PARTIAL and (context.vertex or context.model < 2):
            yield Finding(
                message=f"{version.name} has no _pp",
                fix="remove _pp: partial precision is for ps_2_0 and later",
                at=at,
                edits=context.without_part(at, "_pp"),
            )
        if bits & CENTROID and not _has_centroid(context, inst):
            yield Finding(
                message=f"{op.name} has no _centroid in {version.name}",
                fix="remove _centroid: it is for dcl in ps_2_0 and later, and for texture lookups in ps_3_0",
                at=at,
                edits=context.without_part(at, "_centroid"),
            )
        if bits & 8:
            yield Finding(message="bit 23 of a destination is set, but it is reserved", fix="clear the bit", at=at)
        if dest.shift:
            if context.vertex or context.model >= 2 or op.role != ARITHMETIC:
                yield Finding(
                    message=f"{op.name} cannot shift its result in {version.name}",
                    fix="remove the shift: _x2 to _d8 are for arithmetic of ps_1_x",
                    at=at,
                )
            elif dest.shift not in (*_X2_TO_D2, *((3, -2, -3) if context.ps14 else ())):
                yield Finding(
                    message=f"shift is not available in {version.name}",
                    fix="use _x2, _x4 or _d2; ps_1_4 also has _x8, _d4 and _d8",
                    at=at,
                )


def _has_centroid(context: AnalysisContext, inst: Inst) -> bool:
    """Declarations from ps_2_0 on have it, and texture lookups of ps_3_0 (D3D, dcl_semantics of ps_3_0)."""
    if context.vertex or context.model < 2:
        return False
    return inst.op.role == DECLARATION or (inst.op.role == TEXTURING and context.model >= 3)


def source_modifiers(context: AnalysisContext) -> Iterator[Finding]:
    """Modifiers of sources where the version, the instruction or the register has none."""
    for at, inst in context.suspects:
        for index, source in enumerate(inst.sources):
            fix = _modifier_fault(context, inst, index, source)
            if fix:
                yield Finding(
                    message=f"{context.called(inst)} cannot read {context.name(source)} with this modifier", fix=fix, at=at
                )
        if inst.predicate is not None and inst.predicate.modifier not in (isa.NONE, isa.NOT):
            yield Finding(message="predicate has a modifier other than !", fix="write (p0) or (!p0)", at=at)


def modified_constants(context: AnalysisContext) -> Iterator[Finding]:
    """Modifiers on constants before ps_1_4, whose results are undefined."""
    if not context.ps13:
        return
    for at, inst in context.suspects:
        for source in inst.sources:
            if source.file in CONSTANTS and source.modifier != isa.NONE:
                name = context.name(source)
                yield Finding(
                    message=f"{context.called(inst)} reads {name} with a modifier: the result is undefined",
                    fix=f"mov {name} to r# first, or define a constant with the wanted value",
                    at=at,
                )


def _modifier_fault(context: AnalysisContext, inst: Inst, index: int, source: Source) -> str:
    """The fix for a source's modifier, empty if it is legal."""
    modifier, kind = source.modifier, inst.op.sources[index]
    if modifier == isa.NONE:
        return ""
    if modifier > isa.NOT:
        return "use modifiers 0 to 13: 14 and 15 are reserved"
    if source.file in (CONSTBOOL, PREDICATE) or modifier == isa.NOT:
        return (
            ""
            if modifier == isa.NOT and source.file in (CONSTBOOL, PREDICATE)
            else "use ! on b# and p0 only, and no other modifier on them"
        )
    if source.file in _FILES_WITHOUT_MODIFIERS and not (source.file == TEXTURE and context.pixel):
        return "remove it: i#, s#, l# and aL take no modifier"
    if modifier in _ABS and context.model < 3:
        return "use the instruction abs: _abs is for shader model 3"
    if modifier in _OLD_MODIFIERS and not (context.pixel and context.model < 2):
        name = context.name(source)
        instead = {
            isa.COMPLEMENT: f"`add r#, c31.x, -{name}` with `def c31, 1, 0, 0, 0`",
            isa.BIAS: f"`add r#, {name}, -c31.x` with `def c31, 0.5, 0, 0, 0`",
            isa.SIGN: f"`mad r#, {name}, c31.x, -c31.y` with `def c31, 2, 1, 0, 0`",
        }.get(modifier, "")
        return (
            f"write {instead} before it, and r# here: _bias, _bx2 and 1- are for ps_1_x"
            if instead
            else ("remove it: _bias, _bx2 and 1- are for ps_1_x")
        )
    if modifier in _TWICE and not context.ps14:
        return "remove it: _x2 is for ps_1_4"
    if context.ps14 and source.file in CONSTANTS:
        return "mov the constant to r# first: constants of ps_1_4 take no modifier"
    if modifier in (isa.DZ, isa.DW):
        return _divisor_fault(context, kind, source)
    if kind.modifiers in (BIASED, DIVIDED):
        if not (context.ps13 and modifier == isa.SIGN):
            return "remove it: texture coordinates take only _bx2 (ps_1_1 to ps_1_3), or _dz and _dw (ps_1_4)"
        if context.version.order < (1, 2) and not inst.op.stages:
            return "remove it: _bx2 is for texm3x2 and texm3x3 instructions in ps_1_1, for more in ps_1_2"
        return "remove it: the coordinates are unsigned" if inst.op.unsigned else ""
    if kind.modifiers == NO_MODIFIER:
        return "negate the vector instead: the matrix of m3x2 to m4x4 takes no modifier"
    return ""


def _divisor_fault(context: AnalysisContext, kind: SourceKind, source: Source) -> str:
    if not context.ps14 or kind.modifiers != DIVIDED:
        return "remove it: _dz and _dw are for texld and texcrd of ps_1_4"
    if source.modifier == isa.DZ and source.file != TEMP:
        return "use _dz on r#, _dw on t#"
    if source.modifier == isa.DW and source.file != TEXTURE:
        return "use _dz on r#, _dw on t#"
    return ""


def masks(context: AnalysisContext) -> Iterator[Finding]:
    """Write masks that the version, the instruction or the register does not have."""
    for at, inst in context.suspects:
        if inst.dest is None or inst.op.role == DEFINITION or not context.has(inst.op):
            continue
        fix = _mask_fault(context, inst, inst.dest)
        if fix:
            yield Finding(
                message=f"{context.called(inst)} cannot write {context.name(inst.dest)}{mask_text(inst.dest.mask)}",
                fix=fix,
                at=at,
            )


def _mask_fault(context: AnalysisContext, inst: Inst, dest: Dest) -> str:
    mask, op = dest.mask, inst.op
    if not mask:
        return "write at least one component"
    if op.role == DECLARATION:
        return ""
    own = limited(op.masks, context.version)
    if own:
        return "" if mask in own else f"write {_masks_text(own)}"
    if dest.file == ADDR and context.vertex and context.model < 2:
        return "" if mask == 1 else "write a0.x: vs_1_1 has no other address component"
    if dest.file == RASTOUT and dest.number and mask & (mask - 1):
        one_result = op.role == ARITHMETIC and (op.scalar or bool(op.reads))
        one_result = one_result or all(is_replicate(source) for source in inst.sources)
        return "" if one_result else "write .x, or read one component"
    general = limited(op.dest.masks, context.version) if op.dest is not None else ()
    if general:
        return "" if mask in general else f"write {_masks_text(general)}"
    if context.ps13:
        return "" if mask in _COLOUR_MASKS else "use .rgba, .rgb or .a: ps_1_0 to ps_1_3 have no other mask"
    if dest.file == COLOROUT and context.model == 2 and mask != ALL:
        return "write all four components: partial writes of a color need ps_3_0"
    return ""


def _masks_text(masks: tuple[int, ...]) -> str:
    """`.xyz or .xyzw`; `components of .xyz` where each subset is one of them."""
    if masks == (ALL,):
        return "the whole register, without a mask"
    if masks == tuple(range(1, masks[-1] + 1)):
        return f"components of {mask_text(masks[-1])}"
    return " or ".join(mask_text(mask) for mask in masks)


def swizzles(context: AnalysisContext) -> Iterator[Finding]:
    """Swizzles that the version or the instruction does not have."""
    for at, inst in context.suspects:
        if not context.has(inst.op):
            continue
        for index, source in enumerate(inst.sources):
            fix = _swizzle_fault(context, inst, index, source)
            if fix:
                yield Finding(
                    message=f"{context.called(inst)} cannot read {context.name(source)} with this swizzle", fix=fix, at=at
                )
        if inst.predicate is not None and not (is_identity(inst.predicate) or is_replicate(inst.predicate)):
            yield Finding(message="predicate has a swizzle of several components", fix="write (p0) or (p0.x)", at=at)


def _swizzle_fault(context: AnalysisContext, inst: Inst, index: int, source: Source) -> str:
    op, kind = inst.op, inst.op.sources[index]
    if source.file in (CONSTINT, CONSTBOOL, LABEL, LOOP):
        return "" if is_identity(source) else "remove the swizzle: the register has no components here"
    if source.file == SAMPLER:
        return (
            "" if is_identity(source) or context.model >= 3 else "remove the swizzle: samplers take one in shader model 3 only"
        )
    if kind.swizzle == COORDINATE_SWIZZLE and context.pixel:
        return _coordinate_fault(context, inst, source)
    if op.role == FLOW or (kind.swizzle == ONE and context.model >= 2):
        return "" if is_replicate(source) else _NEEDS_ONE
    if kind.swizzle == ALPHA and context.ps13:
        return "" if source.swizzle == (3, 3, 3, 3) else f"write r0.a: {op.name} tests it in ps_1_1 to ps_1_3"
    if kind.swizzle == NO_SWIZZLE:
        return "" if is_identity(source) else f"remove the swizzle of source {index + 1} of {op.name}"
    if context.ps13 or context.ps14:
        letters = (0, 1, 2, 3) if context.ps14 else (2, 3)
        if context.ps13 and source.swizzle == (2, 2, 2, 2) and inst.dest is not None and inst.dest.mask != _ALPHA_MASK:
            return "use .b in instructions that write .a only"
        if is_identity(source) or source.swizzle in [(n,) * 4 for n in letters]:
            return ""
        return "use no swizzle, .a or .b; in ps_1_4 also .r or .g"
    if context.version.name == "ps_2_0" and not is_replicate(source) and source.swizzle not in _PS_2_0_SWIZZLES:
        return "use one component, .yzxw, .zxyw, .wzyx or no swizzle; ps_2_x has all swizzles"
    return ""


def _coordinate_fault(context: AnalysisContext, inst: Inst, source: Source) -> str:
    if context.ps14:
        return "" if source.swizzle in _PS_1_4_SELECTORS else "use .xyz, .xyw or no swizzle for the coordinates"
    if context.version.order <= (2, 0) and not is_identity(source):
        return "remove the swizzle: coordinates take one from ps_2_x on"
    if context.model == 2 and inst.op.control == isa.VARIED and not is_identity(source):
        return "remove the swizzle, or use texldd: coordinates take one from ps_3_0 on"
    return ""
