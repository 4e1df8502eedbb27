"""How far the functions of GLSL are from their true values in float24, as data; tests measure each row.

A result is within `absolute` + `relative` * |true value| for arguments in the range. The argument is taken as exact: what its
own error brings comes on top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.document import Block

_INF = float("inf")


class Accuracy(Record):
    """A function over a range."""

    function: str
    "The name of the instruction in GLSL.std.450."
    glsl: str
    "The name of the function in a source of GLSL."
    low: float
    "The least first argument, or the least of both where there are two."
    high: float
    "The greatest first argument, or the greatest of both where there are two."
    absolute: float
    "The absolute part of the largest error."
    relative: float
    "The part of the largest error in proportion to the true value."
    how: str
    "The way in which it is computed."


ROWS = (
    Accuracy(
        function="Sin",
        glsl="sin",
        low=-64,
        high=64,
        absolute=2**-13,
        relative=0,
        how="whole turns taken off in two steps, folded to a quarter turn, polynomial of degree 7",
    ),
    Accuracy(function="Cos", glsl="cos", low=-64, high=64, absolute=2**-13, relative=0, how="as sin"),
    Accuracy(
        function="Tan",
        glsl="tan",
        low=-1.25,
        high=1.25,
        absolute=2**-13,
        relative=2**-13,
        how="sin times the reciprocal of cos; undefined where cos is within its error of 0",
    ),
    Accuracy(function="Asin", glsl="asin", low=-1, high=1, absolute=2**-13, relative=0, how="half of pi less acos"),
    Accuracy(
        function="Acos",
        glsl="acos",
        low=-1,
        high=1,
        absolute=2**-13,
        relative=0,
        how="square root of 1 - |x| times a polynomial of degree 3",
    ),
    Accuracy(
        function="Atan",
        glsl="atan(x)",
        low=-_INF,
        high=_INF,
        absolute=2**-14,
        relative=2**-15,
        how="polynomial of degree 9 of |x| or of its reciprocal",
    ),
    Accuracy(
        function="Atan2",
        glsl="atan(y, x)",
        low=-10,
        high=10,
        absolute=2**-14,
        relative=2**-14,
        how="polynomial of degree 9 of the lesser by the greater; 0 at the origin",
    ),
    Accuracy(function="Sinh", glsl="sinh", low=-8, high=8, absolute=2**-15, relative=2**-12, how="from exp and its reciprocal"),
    Accuracy(function="Cosh", glsl="cosh", low=-8, high=8, absolute=0, relative=2**-12, how="from exp and its reciprocal"),
    Accuracy(function="Tanh", glsl="tanh", low=-_INF, high=_INF, absolute=2**-14, relative=0, how="1 - 2 / (exp(2 x) + 1)"),
    Accuracy(
        function="Asinh", glsl="asinh", low=-100, high=100, absolute=2**-13, relative=2**-14, how="log(|x| + sqrt(x * x + 1))"
    ),
    Accuracy(
        function="Acosh",
        glsl="acosh",
        low=1,
        high=100,
        absolute=2**-14,
        relative=2**-14,
        how="log(x + sqrt((x - 1) * (x + 1)))",
    ),
    Accuracy(
        function="Atanh", glsl="atanh", low=-0.99, high=0.99, absolute=2**-13, relative=0, how="half of log((1 + x) / (1 - x))"
    ),
    Accuracy(
        function="Exp",
        glsl="exp",
        low=-8,
        high=8,
        absolute=0,
        relative=2**-12,
        how="exp2 of x times log2(e): the relative error grows with |x|",
    ),
    Accuracy(function="Log", glsl="log", low=2**-20, high=2**20, absolute=2**-16, relative=2**-15, how="log2 times log(2)"),
    Accuracy(function="Exp2", glsl="exp2", low=-60, high=60, absolute=0, relative=2**-15.5, how="an instruction"),
    Accuracy(function="Log2", glsl="log2", low=2**-20, high=2**20, absolute=0, relative=2**-15.5, how="an instruction"),
    Accuracy(
        function="Sqrt",
        glsl="sqrt",
        low=2**-20,
        high=2**20,
        absolute=0,
        relative=2**-15,
        how="reciprocal of the reciprocal square root",
    ),
    Accuracy(
        function="InverseSqrt", glsl="inversesqrt", low=2**-20, high=2**20, absolute=0, relative=2**-15.5, how="an instruction"
    ),
    Accuracy(
        function="Pow",
        glsl="pow",
        low=2**-6,
        high=4,
        absolute=0,
        relative=2**-11,
        how="exp2(y * log2(x)); products for the known whole powers 1 to 6, 8 and 16, which take negative numbers too",
    ),
    Accuracy(function="Radians", glsl="radians", low=-360, high=360, absolute=0, relative=2**-14, how="a product"),
    Accuracy(function="Degrees", glsl="degrees", low=-7, high=7, absolute=0, relative=2**-14, how="a product"),
)
# Functions that are exact, or whose error is that of the few operations that they are made of.
PLAIN: Mapping[str, str] = {
    "x / y": "x times the reciprocal of y: 2 roundings",
    "abs, sign, floor, ceil, trunc": "exact",
    "round, roundEven": "exact up to 2^15",
    "fract": "exact",
    "mod": "x - y * floor(x / y), with an estimate of the quotient that is one too small set right",
    "min, max, clamp, step": "exact; of NaN, min and max give either operand, and step is 0",
    "mix": "x + a * (y - x)",
    "smoothstep": "as GLSL defines it, by the reciprocal of the width",
    "fma": "a product, rounded, and a sum, rounded",
    "length, distance": "square root of a dot product",
    "normalize": "times the reciprocal square root of a dot product",
    "cross, reflect, refract, faceforward": "as GLSL defines them",
    "determinant, inverse": "by cofactors and one reciprocal",
    "ldexp": "times exp2 of the exponent",
    "modf": "exact",
}


def page() -> str:
    """docs/glsl-functions.md: the functions of GLSL and their errors."""
    from lanewise.core.document import Heading, Paragraph, Table, as_markdown

    blocks: list[Block] = [
        Heading(1, "Functions of GLSL in float24"),
        Paragraph(
            "For writers of shaders who need to know how exact a function is on the PICA200. A result is within the absolute "
            "error plus the relative error times the true value, for exact arguments in the range. Tests measure each row in "
            "exact float24. This page is generated from the source by `python -m lanewise.tools.pages`."
        ),
        Heading(2, "Functions with a stated error"),
        Table(
            ("function", "range", "absolute", "relative", "made of"),
            tuple(
                [
                    (
                        f"`{row.glsl}`",
                        f"{_number(row.low)} to {_number(row.high)}",
                        _power(row.absolute),
                        _power(row.relative),
                        row.how,
                    )
                    for row in ROWS
                ]
            ),
        ),
        Heading(2, "Other functions"),
        Paragraph("Each operation of these is rounded toward zero, an error of at most 2^-16 of its result."),
        Table(("function", "error"), tuple([(f"`{name}`", how) for name, how in PLAIN.items()])),
        Heading(2, "Integers"),
        Paragraph(
            "Integers are whole numbers in float24, exact up to 2^17, and so are their quotients and rests; they do not wrap "
            "around. Shifts by known numbers, `&`, `|` and `^` with a known mask, `bitfieldExtract` of a known place, and "
            "`|` of numbers that a shift keeps apart are done by arithmetic, of negative numbers too; other bit operations "
            "are refused (S008)."
        ),
    ]
    return as_markdown(blocks, links=True)


def _number(value: float) -> str:
    from math import frexp, isinf

    if isinf(value):
        return "infinity" if value > 0 else "-infinity"
    fraction, exponent = frexp(value)
    return f"2^{exponent - 1}" if fraction == 0.5 and abs(exponent) > 7 else f"{value:g}"


def _power(error: float) -> str:
    from math import log2

    return f"2^{log2(error):g}" if error else ""
