"""Programs as C on the compiler of this machine beside the reference engine; campaigns are in `tests/translations.py`."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
import translations
from effort import times
from installed import missing
from lanewise.pica200.api.translating import translated
from translated_files import compare_file
from translations import Shader, build, compare, compare_geometry, compiler, packed, places_of

EXAMPLES = Path(__file__).parents[2] / "examples"
_LANES = 520  # two whole blocks and a part of one
pytestmark = pytest.mark.skipif(not compiler(), reason=missing("gcc", "clang"))


def test_random_programs():
    # 24 is numbered blocks; 9 has a batch whose loop compilers vectorise
    found = compare(1, [*range(1, 1 + times(8, 500)), 9, 24], flags=("-O0",))
    assert not found.differences
    assert found.programs > 6
    assert found.lanes > 75
    assert found.structured > 3
    assert found.structured < found.programs


def test_a_batch_that_differs_is_found(monkeypatch: pytest.MonkeyPatch):
    """The last vertex of a block is left out."""

    def broken(text: str, *arguments: Any) -> ctypes.CDLL:
        return build(text.replace(": first + 256;", ": first + 255;"), *arguments)

    monkeypatch.setattr(translations, "build", broken)
    found = compare(1, [9], flags=("-O0",))
    assert found.differences[0].startswith("program 1 9, batch: vertex 255, o2: ")
    assert len(found.differences) == 1


def test_random_geometry_shaders():
    found = compare_geometry(1, range(times(1, 300)), flags=("-O0",))
    assert not found.differences
    assert found.lanes


@pytest.mark.parametrize("name", ["lighting", "skinning"])
def test_finite_numbers(name: str):
    """Without the tests for infinities the numbers are the same; the text has none."""
    shader = lw.load(EXAMPLES / f"{name}.v.pica").programs[0]
    compared, differences, _ = compare_file(shader, "float", 24, flags=("-O0",), finite=True)
    assert compared > 16
    assert not differences
    text = translated([shader], "c", numbers="float", finite=True).text
    assert "pica_is_nan" not in text
    assert "pica_sum_of_products" not in text
    assert "--finite: only where" in text


def test_what_is_not_finite(tmp_path: Path):
    """0 times an infinity is 0, and a sum of zeros never -0; --finite says that it has neither."""
    source = (
        ".fvec u\n.out o position\n.out t texcoord0\n.proc main\ndp4 o.x, u, v0\nmul o.yzw, u, v0\ndp3 t, u, v0\nend\n.end\n"
    )
    (tmp_path / "zero.v.pica").write_text(source)
    shader = lw.load(tmp_path / "zero.v.pica").programs[0]
    infinity, one, minus_zero = 0x7F800000, 0x3F800000, 0x80000000
    rows = {  # by the uniform and the input: o and t
        ((0, 0, one, one), (infinity, one, one, one)): ((0x40000000, 0, one, one), (one,) * 4),
        ((minus_zero,) * 4, (one,) * 4): ((0, *(minus_zero,) * 3), (0,) * 4),
        ((infinity,) * 4, (one,) * 4): ((infinity,) * 4, (infinity,) * 4),
    }
    found = {}
    for finite in (False, True):
        text = translated([shader], "c", numbers="float", finite=finite, file="zero.v.pica").text
        function = Shader(build(text, tmp_path, ("-O2",), compiler()), "zero", [0], [0, 1])
        for (uniform, given), wanted in rows.items():
            data = b"".join([word.to_bytes(4, "little") for word in uniform]) + bytes(16 * 95 + 32)
            _, outputs = function.run({0: given}, data)
            if not finite:
                assert (outputs[0], outputs[1]) == wanted
            found[finite, uniform] = outputs[0][0], outputs[1][0]
    assert found[True, (minus_zero,) * 4] == (minus_zero, minus_zero)
    assert found[True, (0, 0, one, one)][0] & 0x7FC00000 == 0x7FC00000


@pytest.mark.parametrize("name", ["toon", "lighting"])
def test_a_batch(name: str, tmp_path: Path):
    """Arrays of vertices get the bits that the function for one vertex gives, over blocks with and without infinities."""
    shader = lw.load(EXAMPLES / f"{name}.v.pica").programs[0]
    found = translated([shader], "c", numbers="float", batch=True, file=f"{name}.v.pica")
    (layout,) = found.shaders
    assert (f"int {name}_straight(" in found.text) == (name != "lighting"), "it has a loop"
    library = build(found.text, tmp_path, ("-O1", "-ffp-contract=off"), compiler())
    rng = np.random.default_rng(5)
    given = rng.uniform(-2, 2, (4 * len(layout.inputs), _LANES)).astype(np.float32)
    given[0, 300:303] = np.inf, np.nan, 0
    made = np.full((4 * len(layout.outputs), _LANES), 7, np.float32)
    uniforms = rng.uniform(0, 2, (96, 4)).astype(np.float32)
    uniforms[:4, 0] = 0, 1, 2, 0
    data = packed(uniforms.tobytes() + bytes([2, 0, 1, 0] * 4 + [1] * 16), places_of(layout.uniforms))
    columns, results = [(ctypes.c_void_p * len(rows))(*[row.ctypes.data for row in rows]) for rows in (given, made)]
    count = ctypes.c_size_t(_LANES)
    assert getattr(library, f"{name}_batch")(count, columns, data, results) == 0
    function = Shader(library, name, range(len(layout.inputs)), range(len(layout.outputs)))
    words = given.view(np.uint32).reshape(-1, 4, _LANES)
    for lane in (*range(0, _LANES, 7), 300, 301, 302, _LANES - 1):
        vertex = {register: tuple(map(int, rows[:, lane])) for register, rows in enumerate(words)}
        code, outputs = function.run(vertex, data)
        wanted = np.array([*outputs.values()], np.uint32).view(np.float32).reshape(-1)
        np.testing.assert_array_equal(made[:, lane], wanted)  # NaN is NaN
        assert not code


@pytest.mark.skipif(not shutil.which("gcc"), reason=missing("gcc"))
def test_a_batch_is_vectorised(tmp_path: Path):
    shader = lw.load(EXAMPLES / "transform.v.pica").programs[0]
    text = translated([shader], "c", numbers="float", batch=True, file="transform.v.pica").text
    (tmp_path / "t.c").write_text(text)
    line = text.split("\n").index("        for (size_t n = first; n < end; n++) {") + 1
    flags = ["-O3", "-march=native", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fopt-info-vec"]
    ran = subprocess.run(["gcc", *flags, "-c", "t.c"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert any(row.startswith(f"t.c:{line}:") and "loop vectorized" in row for row in ran.stderr.splitlines()), ran.stderr


@pytest.mark.parametrize("numbers", ["float24", "float"])
def test_examples(numbers: str):
    name = "lighting.v.pica" if numbers == "float24" else "skinning.v.pica"
    compared, differences, structured = compare_file(lw.load(EXAMPLES / name).programs[0], numbers, 8, flags=("-O0",))
    assert compared == 8
    assert not differences
    assert structured
