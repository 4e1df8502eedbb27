"""Register files of each Direct3D 9 version and of each operand.

Source: D3D, registers; the kinds of `isa.operands`."""

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
    column_of_files,
    exists,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.direct3d9.isa.operands import Files
    from lanewise.direct3d9.isa.table import Op, Version

__all__ = ("declarable", "exists", "readable", "values", "writable")

_NUMBERS: Mapping[str, tuple[int, ...]] = {
    "r": (TEMP,),
    "v": (INPUT,),
    "c": CONSTANTS,
    "a": (ADDR,),
    "t": (TEXTURE,),
    "oPos": (RASTOUT,),
    "oD": (ATTROUT,),
    "oT": (TEXCRDOUT,),
    "o": (OUTPUT,),
    "i": (CONSTINT,),
    "b": (CONSTBOOL,),
    "oC": (COLOROUT,),
    "oDepth": (DEPTHOUT,),
    "s": (SAMPLER,),
    "aL": (LOOP,),
    "vPos": (MISC,),
    "l": (LABEL,),
    "p": (PREDICATE,),
}


@cache
def _numbered(names: str) -> frozenset[int]:
    return frozenset(number for name in names.split() for number in _NUMBERS[name])


@cache
def _files(files: Files, version: Version) -> frozenset[int]:
    return frozenset(file for file in _numbered(files[column_of_files(version)]) if exists(version, file))


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
