"""Every arithmetic instruction of Direct3D 9 under every number rule: expectations from other code, both engines."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

import direct3d9_oracle as oracle
from direct3d9_runs import raw, shader_of
from lanewise.direct3d9.engine.random_programs import pattern
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.numbers import NAMES, rule_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

LANES = 48
_MASKS = {"crs": ".xyz", "m4x3": ".xyz", "m3x3": ".xyz", "m3x2": ".xy", "sincos": ".xy", "sincos in vs_3_0": ".xy"}
_MATRIX_ROWS = {"m4x4": 4, "m4x3": 3, "m3x4": 4, "m3x3": 3, "m3x2": 2}


def grid(seed: str) -> NDArray[np.uint32]:
    rng = random.Random(seed)
    return np.array([[pattern(rng) for _ in range(4)] for _ in range(LANES)], np.uint32)


def source(name: str) -> tuple[str, int]:
    """A shader with one instruction, and how many of v0 to v2 it reads."""
    op = isa.BY_NAME[name.split(maxsplit=1)[0]]
    pixel = op.vs is None
    version = "ps_2_0" if pixel else "vs_1_1" if "1_1" in name else "vs_3_0" if "3_0" in name else "vs_2_0"
    sources = 1 if op.name == "sgn" else 2 if op.rows else isa.operand_count(op, isa.BY_VERSION_NAME[version])[1]
    if name == "sincos":
        sources = 1
    if name == "cnd":
        version = "ps_1_4"
    inputs = [f"{'t' if pixel else 'v'}{n}" for n in range(sources)]
    operands = [*inputs[:1], "c0"] if op.rows else inputs
    operands += {"sgn": ["r1", "r2"], "sincos": ["c20", "c21"]}.get(name, [])
    dcl = "" if pixel else "".join(f"dcl_texcoord{n} v{n}\n" for n in range(sources))
    coefficients = "".join(f"def c{20 + n}, {', '.join(map(repr, row))}\n" for n, row in enumerate((oracle.K1, oracle.K2)))
    head = version + "\n" + (coefficients if name == "sincos" else "") + dcl
    line = f"{op.name} r0{_MASKS.get(name, '')}, {', '.join(operands)}\n"
    if version == "ps_1_4":
        return head + "".join(f"texcrd r{n + 1}, t{n}\n" for n in range(3)) + f"phase\n{op.name} r0, r1, r2, r3\n", sources
    out = "mov oC0, r0\n" if pixel else "dcl_position o0\nmov o0, r0\n" if version == "vs_3_0" else "mov oPos, r0\n"
    return head + line + out, 1 if op.rows else sources


@pytest.mark.one_of(3)  # each rule for a third of the instructions
@pytest.mark.parametrize("rule", NAMES)
@pytest.mark.parametrize("name", oracle.EXPECTED)
def test_an_instruction_gives_what_its_formula_gives(name: str, rule: str):
    text, count = source(name)
    shader = shader_of(text)
    given = [grid(f"{name} {n}") for n in range(count)]
    inputs = {f"texcoord{n}": raw(values) for n, values in enumerate(given)}
    rows = [grid(f"row {n}")[0] for n in range(_MATRIX_ROWS.get(name, 0))]
    constants = {f"c{n}": raw(row) for n, row in enumerate(rows)}
    m = oracle.arithmetic(rule, LANES)
    sources: list[oracle.Vector] = [list(np.ascontiguousarray(values.T)) for values in given]
    sources += [[np.full(LANES, value, np.uint32) for value in row] for row in rows]
    with np.errstate(all="ignore"):
        expected = oracle.EXPECTED[name](m, sources)
    for engine in ("reference", "llvm"):
        result = shader.run(inputs, uniforms=constants, rule=rule_of(rule), engine=engine)
        assert result.engine == engine
        found = next(iter(result.bits.values()))
        for component in range(4):
            want = expected.get(component, np.zeros(LANES, np.uint32))
            bad = np.flatnonzero(found[:, component] != want)
            assert not len(bad), (engine, "xyzw"[component], int(bad[0]), hex(found[bad[0], component]), hex(want[bad[0]]))


def test_every_arithmetic_instruction_is_here():
    there = {name.split()[0] for name in oracle.EXPECTED}
    elsewhere = {"nop", "mova", "setp", "dsx", "dsy", "bem"}  # test_direct3d9_flow, test_direct3d9_pixels
    assert there | elsewhere == {op.name for op in isa.OPS if op.role == isa.ARITHMETIC}


@pytest.mark.parametrize("rule", ["ieee", "d3d9"])
@pytest.mark.parametrize("version", ["vs_3_0", "ps_3_0"])
def test_sincos_of_shader_model_3_is_the_function_on_both_engines(version: str, rule: str):
    """Many angles of every size: NumPy's float64 functions are the witness, and the engines are equal."""
    head = "dcl_texcoord v0\n" + ("dcl_position o0\n" if version == "vs_3_0" else "")
    out = "o0" if version == "vs_3_0" else "oC0"
    shader = shader_of(f"{version}\n{head}mov r0, c0\nsincos r0.xy, v0.x\nmov {out}, r0\n")
    rng = np.random.default_rng(7)
    angles = np.concatenate(
        [
            rng.integers(0, 1 << 32, 1500, np.uint32),
            rng.uniform(-3.15, 3.15, 1500).astype(np.float32).view(np.uint32),
            (np.arange(-200, 200) * (np.pi / 4)).astype(np.float32).view(np.uint32),
        ]
    )
    given = np.zeros((len(angles), 4), np.uint32)
    given[:, 0] = angles
    found = [
        next(iter(shader.run({"texcoord": raw(given)}, rule=rule_of(rule), engine=engine, defaults=0).bits.values()))
        for engine in ("reference", "llvm")
    ]
    np.testing.assert_array_equal(found[0], found[1])
    with np.errstate(all="ignore"):
        wide = angles.view(np.float32).astype(np.float64)
        for component, function in enumerate((np.cos, np.sin)):
            expected = np.ascontiguousarray(function(wide).astype(np.float32)).view(np.uint32)
            np.testing.assert_array_equal(found[0][:, component], np.where(np.isfinite(wide), expected, 0x7FC00000))


def test_sincos_of_shader_model_2_is_its_series_under_every_rule():
    text, _ = source("sincos")
    angle = np.full((1, 4), 0x40400000, np.uint32)  # 3.0, where the series is 1e-3 from the sine
    found = shader_of(text).run({"texcoord0": raw(angle)}, rule=rule_of("ieee")).outputs
    sine = float(next(iter(found.values()))[0, 1])
    assert 2e-4 < abs(sine - np.sin(3.0)) < 2e-3
