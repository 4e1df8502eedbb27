"""Expressions: what they are, and the places of what is wrong in them."""

from __future__ import annotations

import math

import pytest

from lanewise.core.debugging import Named
from lanewise.core.diagnostics import InputError
from lanewise.core.trace import Value
from lanewise.debugger.expressions import Expression, Reader

HELD = {
    **{f"r0.{c}": n for c, n in zip("xyzw", (1.0, 2.0, math.nan, math.inf), strict=True)},
    **{f"c{k}.{c}": k * 10.0 + n for k in range(4, 7) for n, c in enumerate("xyzw")},
    "a0.x": 1,
    "aL": 2,
    "cmp.x": 1,
    "b3": 0,
}
NAMES = {"bones": Named("c4", 3), "speed": Named("c5", 1, "wwww"), "glossy": Named("b3")}


def read(place: str) -> Value | None:
    number = HELD.get(place)
    return None if number is None else Value(0, number)


def value(text: str) -> float | tuple[float, ...]:
    numbers = Expression(text).evaluate(Reader(read, NAMES)).numbers
    return numbers[0] if len(numbers) == 1 else numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("-2 - -3", 1),
        ("6 / 4", 1.5),
        ("0x10 + .5", 16.5),
        ("1e3", 1000),
        ("r0.x + r0.g", 3),
        ("bones[a0.x].y", 51),
        ("bones.z", 42),
        ("bones[2]", (60, 61, 62, 63)),
        ("bones[1].zx", (52, 50)),
        ("c4[1].x", 50),
        ("bones[0].xy * 2", (80, 82)),
        ("speed.x", 53),
        ("aL * 2", 4),
        ("r0.x < 2 and r0.y >= 2", True),
        ("r0.x == 1 && !(r0.y == 1)", True),
        ("not r0.x or glossy", False),
        ("cmp.x", 1),
        ("b3 || true", True),
        ("isnan(r0.z) and isinf(r0.w) and not isnan(r0.x)", True),
        ("isnan(r0)", True),
        ("r0.z == r0.z", False),
        ("r0.z != r0.z", True),
        ("r0.z < 1 or r0.z > 1 or r0.z == 1", False),
        ("abs(0 - r0.y)", 2),
        ("1 / 0 == inf", True),
        ("isnan(0 / 0)", True),
    ],
)
def test_values(text: str, expected: object) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("r0.x = 1", 6, "unexpected '='"),
        ("r0.x +", 7, "the expression ends too early"),
        ("(r0.x", 6, "the expression ends too early"),
        ("r0.q", 4, "unknown component 'q'"),
        ("boned[0].x", 1, "unknown name 'boned'"),
        ("r99.x", 1, "unknown name 'r99'"),
        ("r0.x r0.y", 6, "unexpected 'r0'"),
        ("r0 < 1", 4, "a comparison takes single values"),
        ("1 < 2 < 3", 7, "unexpected '<'"),
        ("bones[0.5].x", 1, "the index is not a whole number"),
        ("bones[r0.z].x", 1, "the index is not a whole number"),
        ("aL.x", 1, "aL has no components"),
        ("r0.xy + bones.xyz", 7, "2 and 3 components"),
        ("'r0'", 1, "unexpected '''"),
        ("__import__('os')", 12, "unexpected '''"),
        ("r0.x; 1", 5, "unexpected ';'"),
        ("", 1, "the expression ends too early"),
        ("(" * 200 + "1" + ")" * 200, 66, "unexpected '('"),
    ],
)
def test_errors_name_their_place(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        value(text)
    (found,) = caught.value.diagnostics
    assert (found.code, found.span.column, found.message) == ("D001", column, message)
    assert found.fix


def test_unknown_names_have_suggestions() -> None:
    with pytest.raises(InputError, match="did you mean bones"):
        value("bone.x")


def test_a_condition_is_one_value() -> None:
    reader = Reader(read, NAMES)
    assert Expression("r0.x").holds(reader)
    assert not Expression("r0.z").holds(reader), "NaN is not true"
    with pytest.raises(InputError):
        Expression("r0").holds(reader)
