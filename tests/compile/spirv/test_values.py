"""What lowered modules compute, beside numbers that NumPy computes from the same formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from compile.spirv.running import ALL, LEVELS, module, program, run, run_program
from lanewise.compile.spirv.lower import lower
from lanewise.compile.vector.code import DOT, CountOf, For, Loop, Operate, Ref, Row
from lanewise.compile.vector.walk import statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Array = NDArray[Any]

pytestmark = pytest.mark.parametrize("level", LEVELS)


def close(found: Mapping[str, Array], expected: Mapping[str, Any]) -> None:
    for name, value in expected.items():
        wanted = np.atleast_1d(np.asarray(value, np.float64))
        np.testing.assert_allclose(found[name][: len(wanted)], wanted, rtol=1e-5, atol=1e-5, err_msg=name)


def numbers(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).uniform(-2, 2, shape)


def embedded(matrix: Array) -> Array:
    """A mat3 as a mat4."""
    found = np.eye(4)
    found[:3, :3] = matrix
    return found


def test_matrices(level: str):
    """A matrix M is uploaded by rows; none here is symmetric."""
    a, n, m, k, tall, wide = (
        numbers(1, 4),
        numbers(2, 3),
        numbers(3, 4, 4),
        numbers(4, 3, 3),
        numbers(5, 3, 4),
        numbers(6, 4, 3),
    )
    for pick in (0, 1, 3):
        found = run("matrices", level, {"a": a, "n": n, "pick": pick}, {"m": m, "k": k, "tall": tall, "wide": wide})
        turned = np.array([n, n[[1, 2, 0]] * 2, n[[2, 0, 1]] - 1]).T
        turned[:, 1] += n
        turned[1, 2] = 4
        close(
            found,
            {
                "position": m @ a,
                "r0": a @ m,
                "r1": [*(m[:3, :3] @ n), m[1, 2]],
                "r2": m[:, 1] + [*k[:, 2], 0],
                "r3": n[0] * m.T @ a,
                "r4": m @ embedded(k) @ a,
                "r5": [*(np.linalg.inv(k) @ n), np.linalg.det(k)],
                "r6": np.linalg.inv(m) @ a,
                "r7": np.outer(a, n) @ n + [*(tall @ a), 0],
                "r8": wide @ n + m[:, pick],
                "r9": [*(turned @ n), np.linalg.det(m) + np.linalg.det(k[:2, :2])],
            },
        )


def looped(a: Array, rows: Array, count: int, most: int, limit: float) -> dict[str, Any]:
    """The shader loops.vert, as Python."""
    counted = np.ones(4) + sum([rows[i] for i in range(count) if rows[i][0] >= 0], np.zeros(4))
    total = np.zeros(3)
    for i in range(1, 4):
        for j in range(2):
            if a[0] > i:
                continue
            total[:2] += a[1], rows[i + j][1]
            if total[0] > limit:
                break
        total[2] += total[0]
    found, last = -1, 0.0
    for i in range(8):
        last = rows[i][2]
        if last > limit:
            found = i
            break
    value, turns = a[0], 0
    while True:
        value, turns = value * 0.5, turns + 1
        if turns > most or not value > limit:
            break
    while value < 1:
        value += 0.75
    backwards = np.zeros(4)
    for i in (6, 4, 2):
        backwards = backwards * 0.5 + rows[i]
    return {
        "known": sum([rows[i] * i for i in range(8)]),
        "counted": counted,
        "nested": [*total, 0],
        "left": [found, last, 0, 1],
        "endless": [value, turns, 0, 0],
        "backwards": backwards,
    }


@pytest.mark.parametrize(("count", "most", "limit"), [(0, 3, 0.5), (5, 2, 1.5), (8, 0, -3.0), (1, 100, 3.0)])
def test_loops(level: str, count: int, most: int, limit: float):
    for seed in range(3):
        a, rows = numbers(seed, 4) * 2, numbers(seed + 10, 8, 4)
        found = run("loops", level, {"a": a}, {"rows": rows, "count": count, "most": most, "limit": limit})
        close(found, looped(a, rows, count, most, limit))


def test_kinds_of_loops(level: str):
    """Known turns and a count of the application are counted loops; a bound that is also compared with is a number."""
    made = program("loops", level)
    assert [count.name for count in made.counts] == ["count"]
    assert "most" in [uniform.name for uniform in made.uniforms]
    turns = [statement.turns for statement in statements(made.body) if isinstance(statement, For)]
    assert CountOf(0) in turns
    assert sorted([each for each in turns if isinstance(each, int)]) == [2, 3, 3, 8, 8]
    assert sum(isinstance(statement, Loop) for statement in statements(made.body)) == 2


def test_arrays(level: str):
    a, bones, weights = numbers(1, 4), numbers(2, 3, 4, 4), numbers(3, 4)
    direction, power, reach = numbers(4, 3, 3), numbers(5, 3), numbers(6, 3, 2, 2)
    corners = np.array([[1, 2, 3], [-1, 0.5, 0.25], [4, 5, 6], [7, -8, 9]])
    uniforms = {"lights.direction": direction, "lights.power": power, "lights.range": reach, "bones": bones, "weights": weights}
    for i in range(3):
        own = np.array([a, a * 2, a + 1])
        own[i, 1] = 9
        changed = a.copy()
        changed[i] = 5
        lit = np.array([*(direction * power[:, None]).sum(0), reach[:, 1, 1].sum()])
        close(
            run("arrays", level, {"a": a, "pick": i + 0.25}, uniforms),
            {
                "local": own[2 - i] + own[0],
                "table": [*corners[i + 1], a[0] * 3],
                "lit": lit + np.array([*reach[i, 0 if i == 0 else 1], power[i], 0]),
                "skinned": bones[i] @ a + weights[i + 1] * (bones[2] @ a),
                "lanes": changed + np.array([a[i], direction[i, i], 0, 0]),
            },
        )


def early(x: float, seen: float) -> tuple[float, float]:
    if x < 0:
        return -x, seen + 1
    for _ in range(4):
        x *= 2
        if x > 5:
            return x + seen, seen
    return x, seen + 10


def test_functions(level: str):
    for seed in range(8):
        a, b = numbers(seed, 4), numbers(seed + 50, 4)
        first, seen = early(a[0], 0)
        second, seen = early(b[0], seen)
        third, seen = early(b[1] * 0.01, seen)
        v = a + np.array([1, 0, 0, 0])
        if a[3] > 0.5:
            r2 = np.ones(4)
        elif b[3] > 0.5:
            r2 = np.array([3, *a[1:]])
        else:
            r2 = a + b
        close(
            run("functions", level, {"a": a, "b": b}, {}),
            {"position": 4 * a + 0.25, "r0": [first, second, third, seen], "r1": np.array([*v[2:], *v[:2]]) + b + v, "r2": r2},
        )


@pytest.mark.parametrize("mode", [0, 1, 2, 5, 7, -1, 3])
def test_choices(level: str, mode: int):
    for seed in range(4):
        only, also, both = bool(seed & 1), bool(seed & 2), np.array([seed % 3 == 0, seed != 3])
        a, b = numbers(seed, 4), numbers(seed + 50, 4)
        a[3] = (1, -2, 0, 5)[seed]
        if seed == 3:
            b[3] = a[3]
        r0 = a + 1 if only else b * 3
        if not only:
            r0[0] = 7
        r2 = {0: a, 1: a + b, 2: a + b, 5: a * b, 7: a * b}.get(mode, np.full(4, 2.0))
        r3 = {1: b, -2: np.full(4, 0.5)}.get(int(a[3]), a)
        r4 = (a < b) + np.where(a > 0.5, b, a)
        if a[0] < b[0] and (a[1] < b[1] or a[2] > b[2]) and a[3] != b[3]:
            r4[3] = 9
        close(
            run("choices", level, {"a": a, "b": b}, {"only": only, "also": also, "mode": mode, "both": both}),
            {"r0": r0, "r1": [also, a[0] if also else b[0], both[0], both[1] and a[0] > 0], "r2": r2, "r3": r3, "r4": r4},
        )


def test_nan(level: str):
    """A comparison with NaN is false, != is true, and isnan finds it."""
    a, b = np.array([np.nan, 1, 2, 0]), np.array([1.0, 2, 3, 4])
    found = run("choices", level, {"a": a, "b": b}, {"only": True, "also": True, "mode": 0, "both": [True, False]})
    assert found["r4"][0] == -5
    assert found["r4"][1] == 1 + 2
    b[:] = np.inf
    a[0] = 0
    assert (
        run("choices", level, {"a": a, "b": b}, {"only": True, "also": True, "mode": 0, "both": [True, False]})["r4"][0] == -5
    )


def test_flags(level: str):
    """A boolean that decides an `if` and nothing else is one of the hardware; others are numbers."""
    made = program("choices", level)
    assert [flag.name for flag in made.flags] == ["only"]
    assert {"also", "both"} <= {uniform.name for uniform in made.uniforms}
    block = program("block", level)
    assert {flag.name for flag in block.flags} <= {"shaded", "shown"}
    assert "count" in [count.name for count in block.counts]


def test_integers(level: str):
    rng = np.random.default_rng(5)
    for _ in range(12):
        a, u, k = rng.integers(-90, 90, 4), rng.integers(0, 1000, 2), int(rng.choice([-7, 3, 5, -2, 64]))
        f = np.array([rng.uniform(-9, 9), rng.uniform(0, 9), 0, 0])
        cut = np.trunc
        close(
            run("integers", level, {"a": a, "u": u, "f": f}, {"k": k}),
            {
                "position": [*a[:3], u[1] & 12],
                "r0": [cut(a[0] / 3), cut(a[1] / 3), a[0] * k, cut(a[0] / k)],
                "r1": [a[0] % 5, a[1] % k, u[0] // 7, u[1] % 10],
                "r2": [cut(f[0]), cut(f[1]), abs(a[0]), np.sign(a[1])],
                "r3": [max(a[0], a[1]), min(a[0], k), np.clip(a[2], -2, 2), a[0] << 2],
                "r4": [a[1] >> 1, u[0] & 7, ~a[0], -a[3] + u[0]],
            },
        )


def test_blocks(level: str):
    """Members of blocks are uniforms by their names; the layout words of matrices say nothing of registers."""
    a, view, model, turn, tint = numbers(1, 4), numbers(2, 4, 4), numbers(3, 4, 4), numbers(4, 2, 3, 3), numbers(5, 4)
    scale, steps = numbers(6, 2), numbers(7, 3)
    for shaded, shown, count in ((True, False, 2), (False, True, 0)):
        uniforms = {
            "view": view,
            "model": model,
            "turn": turn,
            "tint": tint,
            "shaded": shaded,
            "shown": shown,
            "count": count,
            "scale": scale,
            "steps": steps,
        }
        sums = [np.array([*scale, steps[i], turn[i][2, 1]]) for i in range(count)]
        close(
            run("block", level, {"a": a}, uniforms),
            {
                "position": view @ model @ a,
                "r0": tint if shaded else a,
                "r1": [*(turn[1] @ a[:3]), 1.0 if shown else 0.5],
                "r2": sum(sums, np.zeros(4)),
            },
        )


def test_bits(level: str):
    """Operations on bits that are known, or that do not overlap, are arithmetic; of negative numbers too."""
    rng = np.random.default_rng(7)
    for _ in range(12):
        a, u = rng.integers(-4000, 4000, 4), rng.integers(0, 4000, 2)
        fields = [(a[0] >> 2 & 7 ^ 4) - 4, (a[1] & 31 ^ 16) - 16, u[0] >> 1 & 15, u[1] >> 3 & 3]
        close(
            run("bits", level, {"a": a, "u": u}, {}),
            {
                "position": [*(a[:3] & 0x55), a[0] & ~7],
                "r0": [a[0] | 8, a[1] | 0x15, a[2] ^ 3, u[0] ^ 0xF0],
                "r1": [u[0] << 4 | u[1] & 3, u[0] & 0xFFFFFFF0, a[3] | 1, a[0] << 3 ^ 5],
                "r2": fields,
                "r3": (a & [7, 3, 12, 255]) + (a[::-1] | 2),
            },
        )


def test_locations(level: str):
    """Elements, columns and members are at the locations that follow: of inputs and outputs."""
    a, turns, points, last = numbers(1, 4), numbers(2, 2, 2, 2), numbers(3, 3, 3), numbers(4, 4)
    inputs = {"a": a, "last": last}
    inputs |= {f"turns_{i}_{column}": turns[i][:, column] for i in range(2) for column in range(2)}
    inputs |= {f"points_{i}": points[i] for i in range(3)}
    made = program("places", level)
    registers = {each.name: each.register for each in made.inputs}
    assert [registers[name] for name in ("a", "turns_0_0", "turns_1_0", "turns_1_1", "points_0", "points_2", "last")] == [
        0,
        1,
        3,
        4,
        5,
        7,
        8,
    ]
    found = run("places", level, inputs, {})
    by_location = {output.semantic: found[output.name] for output in made.outputs}
    wanted: dict[str, Any] = {
        "position": last,
        "out0": turns[1] @ a[:2],
        "out1": turns[0] @ a[:2],
        "out2": points[2][:2],
        "out3": points[0],
        "out4": points[1],
        "out5": points[2],
        "out6": a,
        "out7": last * 2,
        "out8": points[1][2],
    }
    assert set(by_location) == set(wanted)
    close(by_location, wanted)


def test_products_with_a_matrix_are_dot_products_with_its_rows(level: str):
    """Whichever of the layout words it has: `view` lies by columns in SPIR-V's memory, `model` by rows."""
    made = program("block", level)
    rows = {s.result: s for s in statements(made.body) if isinstance(s, Row) and s.offset is None}
    found = [s.operands for s in statements(made.body) if isinstance(s, Operate) and s.op == DOT and len(s.operands[0]) == 4]
    by_row = {
        (made.uniforms[row.uniform].name, row.row)
        for operands in found
        for operand in operands
        for row in (rows.get(operand[0].value),)
        if row is not None and operand == tuple([Ref(row.result, lane) for lane in range(4)])
    }
    assert by_row == {(name, row) for name in ("view", "model") for row in range(4)}


@pytest.mark.parametrize(
    ("constants", "lamps", "scale", "bright", "number"), [({}, 3, 0.5, True, 2), ({0: 5, 1: 2.0, 2: 0, 7: 9}, 5, 2.0, False, 9)]
)
def test_specialization_constants(level: str, constants: dict[int, float], lamps: int, scale: float, bright: bool, number: int):
    """Those that are given are in numbers, loops, conditions, lengths of arrays and what is computed of them."""
    made = lower(module("special", level), ALL._replace(constants=constants))
    assert made.program is not None
    a, lights = numbers(1, 4), numbers(2, lamps, 4)
    assert [uniform.rows for uniform in made.program.uniforms] == [lamps]
    close(
        run_program(made.program, {"a": a}, {"lights": lights}),
        {
            "position": a * scale,
            "r0": lights.sum(0) * (1 if bright else -1),
            "r1": [lamps * 2 + number, number, lamps > 2, lamps],
        },
    )


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_counters_that_are_tested_late(level: str, count: int):
    """A `continue` before the test, a test after other statements, and one at the end."""
    for seed in range(8):
        a, rows = numbers(seed, 4), numbers(seed + 20, 8, 4)
        skipped, seen, i = np.zeros(3), 0, 0
        while True:
            seen += 1
            if not (i < 6 and rows[i][0] > a[0]):
                if i >= 3:
                    break
                skipped += rows[i][:3]
            i += 1
        close(
            run("tests", level, {"a": a}, {"rows": rows, "count": count}),
            {"skipped": [*skipped, seen], "late": [*rows[:count, :3].sum(0), count + 1], "body": rows[: max(count, 1)].sum(0)},
        )


def test_slang(level: str):
    """Slang leaves loops through blocks of their own, and has bools in blocks as int."""
    made = program("slang", level)
    assert [(count.name, flag.name) for count, flag in zip(made.counts, made.flags, strict=True)] == [("count", "lit")]
    projection, tints, position, color = numbers(1, 4, 4), numbers(2, 4, 4), numbers(3, 3), numbers(4, 4)
    for count, lit in ((0, True), (3, False)):
        wanted = color * tints[:count].prod(0)
        found = run(
            "slang",
            level,
            {"position": position, "color": color},
            {"projection": projection, "tints.data": tints, "count": count, "lit": lit},
        )
        close(found, {"position": projection @ [*position, 1], "color": [1 if lit else wanted[0], *wanted[1:]]})
