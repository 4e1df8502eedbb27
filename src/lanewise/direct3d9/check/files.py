"""Which register files each operand of a Direct3D 9 instruction may name, version by version. Source: D3D, instructions and registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.check.subject import CONSTANTS
from lanewise.direct3d9.isa.table import (
    ADDR,
    ATTROUT,
    COLOROUT,
    CONSTBOOL,
    CONSTINT,
    DEPTHOUT,
    INPUT,
    LABEL,
    LOOP,
    MISC,
    PIXEL,
    PREDICATE,
    RASTOUT,
    SAMPLER,
    TEMP,
    TEXCRDOUT,
    TEXTURE,
    TEXTURING,
    VERTEX,
)

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.table import Op, Version

_C = frozenset(CONSTANTS)
_FLOW: dict[str, tuple[frozenset[int], ...]] = {
    "call": (frozenset((LABEL,)),),
    "callnz": (frozenset((LABEL,)), frozenset((CONSTBOOL, PREDICATE))),
    "label": (frozenset((LABEL,)),),
    "loop": (frozenset((LOOP,)), frozenset((CONSTINT,))),
    "rep": (frozenset((CONSTINT,)),),
    "if": (frozenset((CONSTBOOL, PREDICATE)),),
    "breakp": (frozenset((PREDICATE,)),),
}
_SAMPLER, _TEMP, _TEX = frozenset((SAMPLER,)), frozenset((TEMP,)), frozenset((TEXTURE,))
_DEFINED = {"def": _C, "defi": frozenset((CONSTINT,)), "defb": frozenset((CONSTBOOL,))}


def exists(version: Version, file: int) -> bool:
    """Whether a version has registers of a file at all."""
    vertex, order, major = version.kind == VERTEX, version.order, version.major
    if file in (TEMP, INPUT) or file in _C:
        return True
    if file == ADDR:
        return vertex or major < 3
    if file in (RASTOUT, ATTROUT):
        return vertex and major < 3
    if file == TEXCRDOUT:
        return vertex
    if file in (CONSTINT, CONSTBOOL, LABEL):
        return order >= (2, 0) if vertex else order >= (2, 1)
    if file in (COLOROUT, DEPTHOUT):
        return not vertex and major >= 2
    if file == SAMPLER:
        return order >= (3, 0) if vertex else major >= 2
    if file == LOOP:
        return order >= (2, 0) if vertex else major >= 3
    if file == MISC:
        return not vertex and major >= 3
    return file == PREDICATE and order >= (2, 1)


def readable(op: Op, index: int, version: Version) -> frozenset[int]:
    """The files that a source may be in."""
    if op.name in _FLOW:
        return _FLOW[op.name][index]
    if op.role == TEXTURING:
        return _texture_sources(op, index, version)
    if op.name == "sgn" and index:
        return _TEMP
    if op.name == "sincos" and index:
        return _C
    return values(version)


def values(version: Version) -> frozenset[int]:
    """The files that hold what is computed with."""
    if version.kind == VERTEX:
        return _C | {TEMP, INPUT}
    if version.order == (1, 4):
        return _C | {TEMP, INPUT}
    if version.major < 3:
        return _C | {TEMP, INPUT, TEXTURE}
    return _C | {TEMP, INPUT, MISC}


def _texture_sources(op: Op, index: int, version: Version) -> frozenset[int]:
    if version.major < 2:
        if op.name == "texm3x3spec" and index == 1:
            return _C
        return _TEX | _TEMP if version.order == (1, 4) and op.name != "texcoord" else _TEX
    if index == 1:
        return _SAMPLER
    if version.major == 2 and version.kind == PIXEL and index == 0:
        return frozenset((TEMP, TEXTURE))
    return values(version)


def writable(op: Op, version: Version) -> frozenset[int]:
    """The files that a destination may be in; what texkill tests counts as one."""
    vertex, major = version.kind == VERTEX, version.major
    if op.name in _DEFINED:
        return _DEFINED[op.name]
    if op.name == "setp":
        return frozenset((PREDICATE,))
    if op.name == "mova":
        return frozenset((ADDR,))
    if vertex:
        if major >= 3:
            return frozenset((TEMP,)) if op.role == TEXTURING else frozenset((TEMP, TEXCRDOUT))
        address = (ADDR,) if major < 2 and op.name == "mov" else ()
        return frozenset((TEMP, RASTOUT, ATTROUT, TEXCRDOUT, *address))
    if op.name == "texkill":
        return _TEX if version.order < (1, 4) else frozenset((TEMP, INPUT if major >= 3 else TEXTURE))
    if version.order < (1, 4):
        return _TEX if op.role == TEXTURING else frozenset((TEMP, TEXTURE))
    if major < 2:
        return _TEMP
    return _TEMP if op.role == TEXTURING else frozenset((TEMP, COLOROUT, DEPTHOUT))


def declarable(version: Version) -> frozenset[int]:
    """The files that dcl may name."""
    if version.kind == VERTEX:
        return frozenset((INPUT, *((TEXCRDOUT, SAMPLER) if version.major >= 3 else ())))
    return frozenset((INPUT, SAMPLER, MISC) if version.major >= 3 else (INPUT, TEXTURE, SAMPLER))
