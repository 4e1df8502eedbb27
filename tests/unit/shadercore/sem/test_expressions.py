"""Expressions as meanings: what they compute on patterns, and what is refused with its column."""

from __future__ import annotations

import struct

import pytest

from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.sem.expressions import ExpressionError, evaluate, expression
from lanewise.shadercore.sem.numbers import WaveOps
from together import together


def pattern(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


@together(
    ("text", "sources", "wanted"),
    [
        ("a * b + c", (2.0, 3.0, 4.0), 10.0),
        ("a + b * c", (2.0, 3.0, 4.0), 14.0),
        ("a - b - c", (2.0, 3.0, 4.0), -5.0),
        ("-(a + b)", (2.0, 3.0), -5.0),
        ("(a + 1) * .5", (2.0,), 1.5),
        ("abs(-a) + 1e2", (2.0,), 102.0),
        ("floor(a)", (-1.5,), -2.0),
        ("saturate(a)", (3.0,), 1.0),
        ("a < b", (1.0, 2.0), 1.0),
        ("a > b", (1.0, 2.0), 0.0),
        ("a <= b", (2.0, 2.0), 1.0),
        ("a == b", (2.0, 2.0), 1.0),
        ("a != b", (2.0, 2.0), 0.0),
        ("a != b", (2.0, 3.0), 1.0),
        ("select(a < b, a, b)", (1.0, 2.0), 1.0),
        ("select(a >= b, a, -b)", (1.0, 2.0), -2.0),
        ("select(a < b & b < c, 1, 0) + a", (1.0, 2.0, 3.0), 2.0),
        ("a & 0xFF", (0x12345678,), 0x78),
        ("a | 0xFF000000", (0x12,), 0xFF000012),
        ("a ^ 0xFF", (0x0F,), 0xF0),
        ("a ^ b", (0x12345678, 0xFFFF0000), 0xEDCB5678),
        ("~a", (0x12345678,), 0xEDCBA987),
        ("a << 8 | b >> 24", (0x12345678, 0xAB000000), 0x345678AB),
        ("cnv_u32_to_f(a >> 16)", (0x00050000,), 5.0),
        ("select(sge(a, b), a, b) | 0x1", (0x3F800000, 0), 0x3F800001),
    ],
)
def test_values(text: str, sources: tuple[float, ...], wanted: float):
    read = expression(text)
    assert read.sources == len(sources)
    values = [((each if isinstance(each, int) else pattern(each)),) * 16 for each in sources]
    for device in (DOCUMENT, RTL):
        found = evaluate(WaveOps(device), read.node, values)
        assert found == ((wanted if isinstance(wanted, int) else pattern(wanted)),) * 16, device.name


@together(
    ("text", "message"),
    [
        ("", "column 1: expected a source, a number or a function, found the end"),
        ("1 + 2", "column 1: the expression reads no source"),
        ("a + c", "reads c but not b: use a first, then b and c"),
        ("a +", "column 4: expected a source"),
        ("a b", "column 3: expected an operator or the end, found 'b'"),
        ("(a", "column 3: expected ')', found the end"),
        ("a / b", "column 3: there is no division: write a * rcp(b)"),
        ("a * 0x2", "column 3: '*' takes numbers: 0x2 is a pattern, 2.8e-45 as a number; write 2"),
        ("0x10 + a", "column 6: '+' takes numbers: 0x10 is a pattern, 2.2e-44 as a number; write 16"),
        ("a & 255", "column 3: '&' takes patterns: write a constant in hexadecimal, such as 0xFF"),
        ("a >> 4", "column 6: a shift is by 8, 16 or 24 places, not '4'"),
        ("a >> b", "a shift is by 8, 16 or 24 places, not 'b'"),
        ("a + 0x123456789", "0x123456789 has more than 32 bits"),
        ("a + 1x", "'1x' is not a number"),
        ("a + 1e99", "'1e99' is not a number"),
        ("a $ b", "column 3: unknown character '$'"),
        ("a[lane ^ 1]", "column 2: unknown character '[': a lane has its own a, b and c only"),
        ("a * lane", "column 5: unknown source 'lane': a lane does not know its number"),
        ("src0 * src1", "column 1: unknown source 'src0': write a, the first source"),
        ("a.x + b", "a source is one number, without components"),
        ("a and b", "found 'and': write &"),
        ("max(a)", "column 1: max takes 2 values, found 1"),
        ("select(a, b, c)", "the first value of select is a comparison"),
        ("maxx(a, b)", "unknown function 'maxx': did you mean max?"),
        ("mov(a)", "unknown function 'mov'"),
        ("é", "unknown character"),
        ("(" * 60 + "a" + ")" * 60, "nested too deeply"),
        ("-" * 60 + "a", "nested too deeply"),
        ("a" + " + a" * 120, "more than"),
        ("a" * 500, "500 characters, more than 400"),
    ],
)
def test_what_is_refused(text: str, message: str):
    with pytest.raises(ExpressionError) as caught:
        expression(text)
    assert message in str(caught.value)
