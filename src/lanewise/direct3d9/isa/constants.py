"""Constants of a constant table: names, types, registers and defaults.

Source: reference 3 (D3DXSHADER_CONSTANTTABLE, D3DXSHADER_CONSTANTINFO, D3DXSHADER_TYPEINFO).
"""

from __future__ import annotations

from lanewise.core.record import Record
from lanewise.direct3d9.isa.table import CONST, CONSTBOOL, CONSTINT, SAMPLER

# Register sets of constants, and the register file of each.
BOOL_SET, INT_SET, FLOAT_SET, SAMPLER_SET = range(4)
SET_NAMES = ("bool", "int4", "float4", "sampler")
SET_FILES = (CONSTBOOL, CONSTINT, CONST, SAMPLER)
SET_PREFIXES = "bics"

SCALAR, VECTOR, ROWS, COLUMNS, OBJECT, STRUCT = range(6)
BASE_NAMES = (
    "void",
    "bool",
    "int",
    "float",
    "string",
    "texture",
    "texture1D",
    "texture2D",
    "texture3D",
    "textureCUBE",
    "sampler",
    "sampler1D",
    "sampler2D",
    "sampler3D",
    "samplerCUBE",
)


class Type(Record):
    """`kind` is one of `SCALAR` to `STRUCT`, `base` a number into `BASE_NAMES`; `elements` is 1 except for arrays."""

    kind: int
    base: int
    rows: int
    columns: int
    elements: int
    members: tuple[Member, ...] = ()

    @property
    def name(self) -> str:
        """`float4x4`, `sampler2D`, `struct`; without the number of elements."""
        if self.kind == STRUCT:
            return "struct"
        base = BASE_NAMES[self.base] if self.base < len(BASE_NAMES) else f"type{self.base}"
        if self.kind == VECTOR:
            return f"{base}{self.columns}"
        if self.kind in (ROWS, COLUMNS):
            return f"{'row_major ' if self.kind == ROWS else ''}{base}{self.rows}x{self.columns}"
        return base


class Member(Record):
    """A part of a struct."""

    name: str
    type: Type


class Constant(Record):
    """A constant: which registers it takes, its type, and the words of its default value, register by register (empty: it has
    none).

    `registers` may be fewer than the type would need: registers at the end that nothing reads are left out.
    """

    name: str
    set: int
    register: int
    registers: int
    type: Type
    default: tuple[int, ...] = ()

    @property
    def register_name(self) -> str:
        """`c4`, `s0`: the first of its registers."""
        return f"{SET_PREFIXES[self.set] if self.set < len(SET_PREFIXES) else '?'}{self.register}"


class ConstantTable(Record):
    """The comment CTAB: creator, target, and the constants in its order."""

    creator: str
    target: str
    version: int
    flags: int
    constants: tuple[Constant, ...]
