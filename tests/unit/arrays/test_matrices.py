"""Matrices with rows and columns exchanged are recognised, and others are not."""

from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.arrays.matrices import is_transformation, is_transposed, rows_of
from lanewise.tools import cli

TURN = np.array([[0.8, 0, -0.6, 0], [0.36, 0.8, 0.48, -0.4], [0.48, -0.6, 0.64, -2], [0, 0, 0, 1]])
LENS = np.array([[0, 1.5, 0, 0], [-0.9, 0, 0, 0], [0, 0, -0.001, -0.1], [0, 0, -1, 0]])
SHADER = """.fvec m[4]
.in pos
.out o position
.proc main
    dp4 r0.x, m[0], pos
    dp4 r0.y, m[1], pos
    dp4 r0.z, m[2], pos
    dp4 r0.w, m[3], pos
    mov o, r0
    end
.end
"""
BY_COLUMNS = """.fvec m[4]
.in pos
.out o position
.proc main
    mul r0, m[0], pos.x
    mad r0, pos.y, m[1], r0
    mad r0, pos.z, m[2], r0
    add o, m[3], r0
    end
.end
"""


@pytest.mark.parametrize("matrix", [TURN, LENS, LENS @ TURN], ids=["affine", "projection", "both"])
def test_a_transformation_is_not_its_transpose(matrix: np.ndarray):
    assert is_transformation(matrix.tolist())
    assert not is_transposed(matrix.tolist())
    assert is_transposed(matrix.T.tolist())


@pytest.mark.parametrize(
    "matrix",
    [
        np.eye(4),
        np.diag([2, 3, 4, 1]),
        np.zeros((4, 4)),
        np.ones((4, 4)),
        np.arange(16.0).reshape(4, 4),
        np.full((4, 4), np.nan),
        np.full((4, 4), np.inf),
        [[0.9, 0.6, 0.3, 1], [0, 0, 0.5, 1], [1, 1, 1, 1], [0, 1, 0, 1]],  # colours
        TURN[:3, :3].tolist(),
        "text",
    ],
)
def test_other_values_are_not_transposed_matrices(matrix: object):
    rows = rows_of(matrix)
    assert rows is None or not is_transposed(rows)


def test_a_run_warns_where_the_shader_takes_rows():
    shader, other = (lw.assemble(text).vertex for text in (SHADER, BY_COLUMNS))
    given = {"pos": [1, 2, 3]}
    (found,) = shader.run(given, {"m": TURN.T}).warnings
    assert found.code == "B023"
    assert found.message == (
        "uniform 'm' has rows and columns exchanged: the last row is [0, -0.4, -2, 1], the last column [0, 0, 0, 1]"
    )
    assert found.fix.endswith(": [[0.8, 0, -0.6, 0], [0.36, 0.8, 0.48, -0.4], [0.48, -0.6, 0.64, -2], [0, 0, 0, 1]]")
    assert not shader.run(given, {"m": TURN}).warnings
    assert not other.run(given, {"m": TURN.T}).warnings
    direct3d = lw.load(b"vs_2_0\ndcl_position v0\nm4x4 oPos, v0, c0\n", isa="direct3d9")
    assert [each.code for each in direct3d.run({"position": [1, 2, 3]}, {"c0": LENS.T}).warnings] == ["B023"]
    assert not direct3d.run({"position": [1, 2, 3]}, {"c0": LENS}).warnings


def test_the_fix_is_taken_by_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = str(tmp_path / "m.v.pica")
    Path(path).write_text(SHADER)
    columns = ";".join([",".join(map(str, row)) for row in TURN.T.tolist()])
    assert cli.main(["run", path, "-i", "pos=1,2,3", "-u", f"m={columns}"]) == 0
    err = capsys.readouterr().err
    assert f"1 | --uniform m={columns}\n" in err
    fix = err.partition("for each register: ")[2].strip()
    assert cli.main(["run", path, "-i", "pos=1,2,3", "-u", f"m={fix}"]) == 0
    assert not capsys.readouterr().err
