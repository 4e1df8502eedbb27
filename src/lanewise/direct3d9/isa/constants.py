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
    """The type of a constant or of a parameter of an effect."""

    kind: int
    "The class of the type: `SCALAR` to `STRUCT`."
    base: int
    "A number into `BASE_NAMES`; in effects also one into their `OBJECT_NAMES`."
    rows: int
    "Rows of the matrix; 1 for scalars and vectors."
    columns: int
    "Columns of the matrix, or components of the vector."
    elements: int
    "Elements of the array; 0 or 1: it is not an array."
    members: tuple[Member, ...] = ()
    "Parts of a struct, in order."

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
    """A constant of a constant table."""

    name: str
    "The name in the shader's source."
    set: int
    "Its register file, a number into `SET_NAMES`."
    register: int
    "The number of its first register."
    registers: int
    "How many registers it has; registers at the end of its type that nothing reads are left out."
    type: Type
    "The type in the shader's source."
    default: tuple[int, ...] = ()
    "Words of its default value, register by register; empty: it has none."

    @property
    def register_name(self) -> str:
        """`c4`, `s0`: the first of its registers."""
        return f"{SET_PREFIXES[self.set] if self.set < len(SET_PREFIXES) else '?'}{self.register}"


class ConstantTable(Record):
    """The contents of the comment CTAB."""

    creator: str
    "The name of the compiler."
    target: str
    "The name of the version, such as vs_2_0."
    version: int
    "The version token of the shader, as the table repeats it."
    flags: int
    "The flags of the compilation (D3DXSHADER)."
    constants: tuple[Constant, ...]
    "The constants in the order of the table."
