"""Tables whose columns have names: DataFrames, structured arrays, CSV."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.arrays.values import read_value
from lanewise.arrays.words import places_of
from lanewise.core.service import InputFailure
from lanewise.tools.cli import main
from lanewise.tools.console import DiskFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PICA = ".in a v0\n.out o position\n.proc main\nadd o, c4, a\nend\n.end\n"
RUNS: dict[str, Callable[[], Callable[..., Any]]] = {
    "pica200": lambda: lw.assemble(PICA).vertex.run,
    "direct3d9": lambda: lw.Direct3DShader.from_source("vs_2_0\ndcl_position v0\nmov r0, v0\nadd oPos, r0, c4\n").run,
    "shadercore": lambda: (
        lw.shadercore.ShaderCoreProgram.from_source("".join([f"add o0.{c}, v0.{c}, c4.{c}\n" for c in "xyzw"]) + "end\n").run
    ),
}


class Frame:
    """What a DataFrame has for us."""

    def __init__(self, columns: Sequence[object], rows: Sequence[Sequence[float]]) -> None:
        self.columns, self._rows = columns, np.array(rows, float)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self._rows


@pytest.mark.parametrize("isa", RUNS)
def test_columns_go_to_the_components_of_their_names(isa: str):
    run, zeros = RUNS[isa](), {"c4": [0, 0, 0, 0]}
    named = np.array([(4, 3, 2, 1)], [("w", "f4"), ("z", "f4"), ("y", "f4"), ("x", "f4")])
    for table in (
        Frame(["z", "y", "x", "w"], [[3, 2, 1, 4]]),
        Frame(["p.b", "p.g", "p.r", "p.a"], [[3, 2, 1, 4]]),
        Frame([0, 1, 2, 3], [[1, 2, 3, 4]]),
        named,
    ):
        assert run({"v0": table}, zeros).outputs["position" if isa != "shadercore" else "o0"].tolist() == [[1, 2, 3, 4]]
        assert run({"v0": [0, 0, 0, 0]}, {"c4": table}).outputs["position" if isa != "shadercore" else "o0"].tolist() == [
            [1, 2, 3, 4]
        ]
    for columns in (["x", "z"], ["x", "x"], ["u", "z"], ["time", "x"], ["x", "g"]):
        with pytest.raises(
            lw.InputError, match=f"has the columns {', '.join(columns)}, expected x, y, z, w or r, g, b, a"
        ) as error:
            run({"v0": Frame(columns, [[1, 2]])}, zeros)
        assert [finding.code for finding in error.value.diagnostics] == ["B002"]


def test_columns_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    Path("p.v.pica").write_text(PICA)
    given = ["run", "p.v.pica", "-u", "c4=0,0,0,0", "-o", "o.csv", "--force", "-i"]
    for text, key in (("z,y,x\n3,2,1\n", ""), ("1,2,3\n", ""), ("c,b,a\n3,2,1\n", ":a,b,c"), ("q.z;q.y;q.x\n3;2;1\n", "")):
        Path("t.csv").write_text(text)
        assert main([*given, f"a=t.csv{key}"]) == 0
        assert Path("o.csv").read_text().splitlines() == ["position.x,position.y,position.z,position.w", "1,2,3,1"]
    capsys.readouterr()
    Path("t.csv").write_text("c,b,a\n3,2,1\n")
    assert main([*given, "a=t.csv"]) == 1
    assert (
        "t.csv has the columns c, b, a, expected x, y, z, w or r, g, b, a from the first on: choose columns, such as "
        "t.csv:c,b,a"
    ) in capsys.readouterr().err


def test_a_value_takes_its_own_columns_of_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    names = ("position.x", "position.y", "position.z", "normal.z", "normal.x", "normal.y", "texcoord0.u", "weight", "name")
    Path("t.csv").write_text(",".join(names) + "\n1,2,3,6,4,5,7,8,left\n")
    for name, row in (("position", [1, 2, 3]), ("normal", [4, 5, 6]), ("texcoord", [7]), ("weight", [8])):
        value = read_value("t.csv", "-i", DiskFiles(), by_name=name)
        assert isinstance(value, np.ndarray)
        assert value.tolist() == [row]
    Path("t.csv").write_text("normal.x,normal.y,position.y,position.z,position.x\n1,2,3,4,5\n")
    with pytest.raises(InputFailure, match=r"choose columns, such as t\.csv:normal\.x,normal\.y$"):
        read_value("t.csv", "-i", DiskFiles(), by_name="v7")
    Path("t.csv").write_text("normal.x,normal.y,position.y,position.z\n1,2,3,4\n")
    with pytest.raises(
        InputFailure, match=r"has the columns position\.y, position\.z, expected .* t\.csv:position\.y,position\.z$"
    ):
        read_value("t.csv", "-i", DiskFiles(), by_name="position")
    Path("t.csv").write_text("x;y;z\n0,5;1;2\n")
    with pytest.raises(
        InputFailure,
        match=r"decimal comma, .*: `pandas\.read_csv\('t\.csv', sep=';', decimal=','\)\.to_csv\(.*\)`$",
    ):
        read_value("t.csv", "-i", DiskFiles(), by_name="position")
    Path("t.parquet").write_text("x,y\n1,2\n")
    with pytest.raises(InputFailure, match=r"t\.parquet is text, .* rename it to t\.csv$"):
        read_value("t.parquet", "-i", DiskFiles(), by_name="position")


def test_outputs_are_not_one_array():
    outputs = lw.assemble(PICA).vertex.run({"v0": 1}, {"c4": [0, 0, 0, 0]}).outputs
    with pytest.raises(TypeError, match="outputs are several arrays: take one of position"):
        np.asarray(outputs)


def test_places():
    assert places_of(["y", "x"]) == [1, 0]
    assert places_of([1, 0]) is None
