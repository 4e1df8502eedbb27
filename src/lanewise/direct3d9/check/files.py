"""Which register files a Direct3D 9 version has, and which of them an operand may name. Source: D3D, registers; the kinds of `isa.operands`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import CONSTANTS
from lanewise.direct3d9.isa.operands import DECLARED, VALUE
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
    OUTPUT,
    PREDICATE,
    RASTOUT,
    SAMPLER,
    TEMP,
    TEXCRDOUT,
    TEXTURE,
    VERTEX,
    column_of_files,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.direct3d9.isa.operands import Files
    from lanewise.direct3d9.isa.table import Op, Version

_C = frozenset(CONSTANTS)
_NUMBERS: Mapping[str, tuple[int, ...]] = {
    "r": (TEMP,), "v": (INPUT,), "c": CONSTANTS, "a": (ADDR,), "t": (TEXTURE,), "oPos": (RASTOUT,), "oD": (ATTROUT,), "oT": (TEXCRDOUT,),
    "o": (OUTPUT,), "i": (CONSTINT,), "b": (CONSTBOOL,), "oC": (COLOROUT,), "oDepth": (DEPTHOUT,), "s": (SAMPLER,), "aL": (LOOP,),
    "vPos": (MISC,), "l": (LABEL,), "p": (PREDICATE,),
}  # fmt: skip


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


@cache
def _numbered(names: str) -> frozenset[int]:
    return frozenset(number for name in names.split() for number in _NUMBERS[name])


def _files(files: Files, version: Version) -> frozenset[int]:
    return _numbered(files[column_of_files(version)])


def readable(op: Op, index: int, version: Version) -> frozenset[int]:
    """The files that a source may be in."""
    return _files(op.sources[index].files, version)


def values(version: Version) -> frozenset[int]:
    """The files that hold what is computed with."""
    return _files(VALUE.files, version)


def writable(op: Op, version: Version) -> frozenset[int]:
    """The files that a destination may be in; the register that texkill tests is one."""
    return _files(op.dest.files, version) if op.dest is not None else frozenset()


def declarable(version: Version) -> frozenset[int]:
    """The files that dcl may name."""
    return _files(DECLARED.files, version)
