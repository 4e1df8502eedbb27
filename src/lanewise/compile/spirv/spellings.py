"""Instructions of SPIR-V that operators and functions of GLSL and HLSL become, and values of their literals."""

from __future__ import annotations

import struct

from lanewise.compile.spirv.syntax import CALL, CAST, NUMBER, UNARY
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.compile.spirv.syntax import Node

# The instructions of an operator.
OPERATORS: Mapping[str, tuple[str, ...]] = {
    "+": ("OpFAdd", "OpIAdd"),
    "-": ("OpFSub", "OpISub"),
    "*": (
        "OpFMul", "OpIMul", "OpVectorTimesScalar", "OpMatrixTimesScalar", "OpVectorTimesMatrix", "OpMatrixTimesVector",
        "OpMatrixTimesMatrix",
    ),
    "/": ("OpFDiv", "OpSDiv", "OpUDiv"),
    "%": ("OpSMod", "OpUMod", "OpSRem", "OpFRem", "OpFMod"),
    "<": ("OpFOrdLessThan", "OpSLessThan", "OpULessThan"),
    ">": ("OpFOrdGreaterThan", "OpSGreaterThan", "OpUGreaterThan"),
    "<=": ("OpFOrdLessThanEqual", "OpSLessThanEqual", "OpULessThanEqual"),
    ">=": ("OpFOrdGreaterThanEqual", "OpSGreaterThanEqual", "OpUGreaterThanEqual"),
    "==": ("OpFOrdEqual", "OpIEqual", "OpLogicalEqual"),
    "!=": ("OpFOrdNotEqual", "OpFUnordNotEqual", "OpINotEqual", "OpLogicalNotEqual"),
    "&&": ("OpLogicalAnd",),
    "||": ("OpLogicalOr",),
    "^^": ("OpLogicalNotEqual",),
    "&": ("OpBitwiseAnd",),
    "|": ("OpBitwiseOr",),
    "^": ("OpBitwiseXor",),
    "<<": ("OpShiftLeftLogical",),
    ">>": ("OpShiftRightLogical", "OpShiftRightArithmetic"),
}  # fmt: skip
UNARIES: Mapping[str, tuple[str, ...]] = {
    "-": ("OpFNegate", "OpSNegate"),
    "!": ("OpLogicalNot",),
    "~": ("OpNot",),
    "++": ("OpFAdd", "OpIAdd"),
    "--": ("OpFSub", "OpISub"),
}
# The instructions of a function; numbers are those of GLSL.std.450.
PRODUCTS = OPERATORS["*"]
FUNCTIONS: Mapping[str, tuple[str | int, ...]] = {
    "round": (1, 2), "roundEven": (2,), "trunc": (3,), "abs": (4, 5), "sign": (6, 7), "floor": (8,), "ceil": (9,),
    "fract": (10,), "frac": (10,), "radians": (11,), "degrees": (12,), "sin": (13,), "cos": (14,), "tan": (15,), "asin": (16,),
    "acos": (17,), "atan": (18, 25), "atan2": (25,), "sinh": (19,), "cosh": (20,), "tanh": (21,), "asinh": (22,),
    "acosh": (23,), "atanh": (24,), "pow": (26,), "exp": (27,), "log": (28,), "exp2": (29,), "log2": (30,), "sqrt": (31,),
    "inversesqrt": (32,), "rsqrt": (32,), "determinant": (33,), "inverse": (34,), "min": (37, 38, 39, 79),
    "max": (40, 41, 42, 80), "clamp": (43, 44, 45, 81), "saturate": (43, 81), "mix": (46, "OpSelect"), "lerp": (46,),
    "step": (48,), "smoothstep": (49,), "fma": (50,), "mad": (50,), "length": (66,), "distance": (67,), "cross": (68,),
    "normalize": (69,), "faceforward": (70,), "reflect": (71,), "refract": (72,), "dot": ("OpDot",),
    "mod": ("OpFMod",), "fmod": ("OpFRem",), "transpose": ("OpTranspose",), "mul": (*PRODUCTS, "OpDot"), "any": ("OpAny",),
    "all": ("OpAll",), "not": ("OpLogicalNot",), "isnan": ("OpIsNan",), "isinf": ("OpIsInf",),
    "lessThan": OPERATORS["<"], "greaterThan": OPERATORS[">"], "lessThanEqual": OPERATORS["<="],
    "greaterThanEqual": OPERATORS[">="], "equal": OPERATORS["=="], "notEqual": OPERATORS["!="],
    "outerProduct": ("OpOuterProduct",),
}  # fmt: skip


def literal_values(node: Node) -> list[float] | None:
    """The components of a literal, or of a vector of literals; None for other expressions."""
    node = node.inner
    if node.kind == NUMBER:
        value = _literal(node.text)
        return None if value is None else [value]
    parts = [literal_values(child) for child in node.children]
    found = [value for part in parts if part is not None for value in part]
    if None in parts or not parts:
        return None
    if node.kind == UNARY and node.text == "-":
        return [-value for value in found]
    return found if node.kind in (CALL, CAST) and _is_vector(node.text) else None


def is_type(name: str) -> bool:
    """Whether a name is that of a type with components."""
    plain = name.rstrip("x1234")
    return plain in (
        "float",
        "half",
        "double",
        "int",
        "uint",
        "bool",
        "vec",
        "ivec",
        "uvec",
        "bvec",
        "dvec",
        "mat",
        "fixed",
        "min16float",
    )


def _is_vector(name: str) -> bool:
    """Whether a name is that of a type of floats, of which a literal keeps its value."""
    return is_type(name) and name.rstrip("x1234") in ("float", "half", "vec", "fixed", "min16float")


def _literal(text: str) -> float | None:
    plain = text.lower()
    try:
        if plain.startswith("0x"):
            return float(int(plain.rstrip("ul"), 16))
        if plain.rstrip("u").isdigit() and plain[0] == "0" and len(plain.rstrip("u")) > 1:
            return float(int(plain.rstrip("u"), 8))
        return float(plain.rstrip("fhlu"))
    except ValueError:
        return None


def single(value: float) -> float:
    """A number as a float of 32 bits."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


__all__ = ["FUNCTIONS", "OPERATORS", "PRODUCTS", "UNARIES", "is_type", "literal_values", "single"]
