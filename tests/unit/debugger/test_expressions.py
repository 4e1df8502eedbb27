"""Expressions: what they are, and the places of what is wrong in them."""

from __future__ import annotations

import math

import pytest

from lanewise.core.debugging import Inlined, Named, Variable
from lanewise.core.diagnostics import InputError
from lanewise.core.trace import Value
from lanewise.debugger.expressions import Expression
from lanewise.debugger.reading import Reader
from lanewise.debugger.variables import Variables, names_of
from together import together

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


@together(
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


@together(
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


@together(
    ("text", "expected"),
    [
        ("light.colour.x", 0.5),
        ("light.colour.rg", (0.5, 0.25)),
        ("light.colour", (0.5, 0.25, 1.0)),
        ("lights[1].range * 2", 8.0),
        ("lights[a0.x].range", 4.0),
        ("lights[0].rows[1].y", 41.0),
        ("light.x", 7.0),  # a member that is named as a component is
        ("sun.direction.z", 52),
        ("sun.planes[1].x", 60),
    ],
)
def test_members_of_structs(text: str, expected: float | tuple[float, ...]):
    """Of variables, which have a name for each member, and of uniforms."""
    assert _members(text) == expected


@pytest.mark.parametrize(
    ("text", "message", "fix"),
    [
        ("light", "unknown name 'light'", "light.colour"),
        ("light.color.x", "unknown name 'light.color.x'", "light.colour"),
        ("light.colour.q", "unknown component 'q'", "use x, y, z or w"),
        ("lights[7].range", "unknown name 'lights[7].range'", "lights[0]"),
        ("r0.colour", "unknown component 'colour'", "use x, y, z or w"),
        ("gone.colour.x", "gone has no value here", "go to where it is assigned"),
    ],
)
def test_members_that_there_are_not(text: str, message: str, fix: str):
    with pytest.raises(InputError) as error:
        _members(text)
    (finding,) = error.value.diagnostics
    assert finding.message == message
    assert fix in finding.fix


def _members(text: str) -> float | tuple[float, ...]:
    rows = {"light.colour": (0.5, 0.25, 1.0), "light.x": (7.0,), "lights[0].rows[1]": (40.0, 41.0), "lights[1].range": (4.0,)}
    variables = tuple([Variable(name, "float", parts) for name, parts in rows.items()])
    every = names_of([[Inlined("main", None, (*variables, Variable("gone.colour", "float", (None,))))]])
    names = {**NAMES, "sun.direction": Named("c5", 3), "sun.planes": Named("c5", 2)}
    reader = Reader(read, names, variables=Variables([Inlined("main", None, variables)], read, "float24", every))
    numbers = Expression(text).evaluate(reader).numbers
    return numbers[0] if len(numbers) == 1 else numbers
