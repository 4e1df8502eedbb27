"""Programs as C on the compiler of this machine beside the reference engine; campaigns are in `tests/translations.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

import lanewise as lw
from effort import times
from installed import missing
from lanewise.pica200.api.translating import translated
from translated_files import compare_file
from translations import Shader, build, compare, compare_geometry, compiler

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.skipif(not compiler(), reason=missing("gcc", "clang"))


def test_random_programs():
    found = compare(1, [*range(1, 1 + times(8, 500)), 24], flags=("-O0",))  # 24 is numbered blocks
    assert not found.differences
    assert found.programs > 6
    assert found.lanes > 75
    assert found.structured > 3
    assert found.structured < found.programs


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


@pytest.mark.parametrize("numbers", ["float24", "float"])
def test_examples(numbers: str):
    name = "lighting.v.pica" if numbers == "float24" else "skinning.v.pica"
    compared, differences, structured = compare_file(lw.load(EXAMPLES / name).programs[0], numbers, 8, flags=("-O0",))
    assert compared == 8
    assert not differences
    assert structured
