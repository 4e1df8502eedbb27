"""Data frames: results and traces as those of pandas, inputs from columns by name, Parquet."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.arrays.frames import inputs_of
from lanewise.arrays.parquet import parquet_bytes, read_parquet
from lanewise.arrays.value_warnings import format_warnings
from lanewise.core.extras import optional
from lanewise.core.service import InputFailure
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

EXAMPLES = REPOSITORY / "examples"
NAMED: dict[str, list[float]] = {
    "position.z": [3, 6],
    "position.y": [2, 5],
    "position.x": [1, 4],
    "texcoord.u": [0.5, 0.25],
    "texcoord.v": [1, 0],
    "color.r": [1, 1],
    "color.g": [0.5, 0.5],
    "color.b": [0.25, 0.25],
}


class Frame:
    """A frame of another library than pandas."""

    def __init__(self, data: Mapping[Any, list[float]]) -> None:
        self.data = data

    @property
    def columns(self) -> list[str]:
        return [*self.data]

    def __getitem__(self, names: Sequence[str]) -> Frame:
        return Frame({name: self.data[name] for name in names})

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array([*self.data.values()]).T


def test_columns_are_inputs_by_name():
    shader = lw.load_pica200(EXAMPLES / "transform.v.pica").vertex
    uniforms = {"projection": np.eye(4)}
    result = shader.run(Frame(NAMED), uniforms)
    assert result.outputs["position"].tolist() == [[1, 2, 3, 1], [4, 5, 6, 1]]
    assert result.outputs["texcoord0"].tolist() == [[0.5, 1], [0.25, 0]]
    assert shader.trace(Frame(NAMED), uniforms, lane=1).outputs is not None
    assert shader.batch(Frame(NAMED), uniforms).run()["color"][0].tolist() == [1, 0.5, 0.25, 1]
    core = lw.load_shadercore(EXAMPLES / "transform.sc")
    there = Frame({key: value for key, value in NAMED.items() if not key.startswith("texcoord")})
    assert core.run(there, {"c0": np.eye(4)}, defaults=0).outputs["position"].shape == (2, 4)
    lit = lw.load_direct3d9(EXAMPLES / "direct3d9/lit.vsa")
    placed = Frame({key: NAMED[key] for key in NAMED if key.startswith("position")})
    given = {"position": [[1, 2, 3], [4, 5, 6]]}
    for one, other in (
        (lit.run(placed, defaults=0), lit.run(given, defaults=0)),
        (lit.compile("document").run(placed, defaults=0), lit.compile("document").run(given, defaults=0)),
    ):
        np.testing.assert_array_equal(one.outputs["position"], other.outputs["position"])
    with pytest.raises(lw.InputError, match=r"unknown input 'height'"):
        shader.run(Frame({**NAMED, "height": [1, 2]}), uniforms)
    with pytest.raises(lw.InputError, match=r"has the columns position\.z, position\.y"):
        shader.run(Frame({key: value for key, value in NAMED.items() if key != "position.x"}), uniforms)
    with pytest.raises(lw.InputError, match=r"unknown input '0'"):
        shader.run(Frame({**NAMED, 0: [1, 2]}), uniforms)
    wrong: Any
    for wrong in ([1.0], Frame(NAMED)):
        with pytest.raises(TypeError, match=r"uniforms are a (list|Frame), expected values by name"):
            shader.run(Frame(NAMED), wrong)
    with pytest.raises(TypeError, match="inputs are a list, expected values by name"):
        inputs_of([1, 2])  # pyright: ignore[reportArgumentType]
    assert inputs_of(Frame({"scale": [1, 2]}))["scale"].tolist() == [[1], [2]]


def test_without_the_libraries_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    for name in ("pandas", "pyarrow", "pyarrow.parquet", "dask", "dask.array"):
        monkeypatch.setitem(sys.modules, name, None)
    shader = lw.load_pica200(EXAMPLES / "transform.v.pica").vertex
    result = shader.run(NAMED and Frame(NAMED), {"projection": np.eye(4)})
    with pytest.raises(ModuleNotFoundError, match=r"^ShaderResult.to_pandas needs pandas, .*'lanewise\[tables\]'"):
        result.to_pandas()
    with pytest.raises(
        ModuleNotFoundError, match=r"^lanewise\.distributed\.map_vertices needs dask.*'lanewise\[distributed\]'"
    ):
        lw.distributed.map_vertices(shader, {})
    with pytest.raises(InputFailure, match=r"^x\.parquet, a Parquet file, needs pyarrow, .*'lanewise\[tables\]'"):
        read_parquet(b"PAR1", "x.parquet")


def test_frames_of_pandas():
    pandas = pytest.importorskip("pandas")
    shader = lw.load_pica200(EXAMPLES / "transform.v.pica").vertex
    result = shader.run(pandas.DataFrame(NAMED), {"projection": np.eye(4)})
    frame = result.to_pandas()
    assert [*frame.columns] == [f"{name}.{letter}" for name in ("position", "color") for letter in "xyzw"] + [
        "texcoord0.x",
        "texcoord0.y",
    ]
    assert (frame.index.name, [*frame["position.y"]]) == ("vertex", [2, 5])
    assert result.to_pandas(bits=True)["position.x"].tolist() == result.bits["position"][:, 0].tolist()
    two = pandas.DataFrame({("position", "y"): [2], ("position", "x"): [1], ("v1", "x"): [0], ("texcoord", "x"): [0]})
    assert shader.run(two, {"projection": np.eye(4)}).outputs["position"].tolist() == [[1, 2, 0, 1]]
    steps = shader.trace(pandas.DataFrame(NAMED), {"projection": np.eye(4)}).to_pandas()
    assert (steps.index.name, [*steps.columns][:4]) == ("step", ["word", "instruction", "file", "line"])
    assert steps["outpos.x"].dropna().tolist() == [1]
    core = lw.load_shadercore(EXAMPLES / "transform.sc").trace({"position": [1, 2, 3]}, defaults=0)
    assert {"word", "r0.x", "position.x"} <= {*core.to_pandas().columns}
    pixels = lw.load_direct3d9(EXAMPLES / "cutout.psa").run(defaults=0, count=2, samplers={0: [1, 1, 1, 0]})
    assert pixels.killed is not None
    assert pixels.to_pandas()["killed"].tolist() == pixels.killed.tolist()


def test_parquet_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    parquet: Any = pytest.importorskip("pyarrow.parquet", exc_type=ImportError)  # or with a NumPy that is too old for it
    arrow: Any = pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "places.parquet").write_bytes(
        parquet_bytes({name: np.array(NAMED[name]) for name in ("position.z", "position.y", "position.x")})
    )
    values = ["-i", "position=places.parquet", "-i", "v1=1,1,1", "-i", "texcoord=places.parquet:position.x,position.y"]
    values += ["-u", "projection=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"]
    assert cli.main(["run", str(EXAMPLES / "transform.v.pica"), *values, "-o", "out.parquet"]) == 0
    table = parquet.read_table("out.parquet").to_pydict()
    assert (table["position.x"], table["position.z"], table["texcoord0.y"]) == ([1, 4], [3, 6], [2, 5])
    again = [f"--input={name}=out.parquet" for name in ("position", "color", "texcoord")]
    assert cli.main(["run", str(EXAMPLES / "transform.v.pica"), *again, values[-2], values[-1], "-o", "again.parquet"]) == 0
    assert parquet.read_table("again.parquet").to_pydict() == table
    assert (
        cli.main(
            ["run", str(EXAMPLES / "transform.sc"), "-i", "position=places.parquet", "--default", "0", "-o", "core.parquet"]
        )
        == 0
    )
    assert parquet.read_table("core.parquet").num_rows == 2
    capsys.readouterr()
    parquet.write_table(arrow.table({"x": ["a"]}), "text.parquet")
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "places.parquet").read_bytes()[:-9])
    for name, message in (
        ("text.parquet", "the column 'x' has string, expected numbers"),
        ("cut.parquet", "is not a valid Parquet file"),
    ):
        assert cli.main(["run", str(EXAMPLES / "transform.sc"), "-i", f"position={name}"]) == 1
        assert message in capsys.readouterr().err


def test_rows_of_frames_go_together_by_place():
    pandas = pytest.importorskip("pandas")
    shader = lw.load_pica200(EXAMPLES / "transform.v.pica").vertex
    points = pandas.DataFrame(np.arange(12.0).reshape(4, 3))
    given: dict[str, Any] = {"color": [1, 1, 1], "texcoord": points[[0, 1]], "position": points}
    for other, codes in ((points, []), (points[::-1], ["B026"]), (points[::-1].reset_index(drop=True), [])):
        found = shader.run({**given, "position": other}, {"projection": np.eye(4)}).warnings
        assert [finding.code for finding in found] == codes


def test_what_values_lose_is_in_the_warnings(capsys: pytest.CaptureFixture[str]):
    shader = lw.load_pica200(EXAMPLES / "transform.v.pica").vertex
    uniforms = {"projection": np.eye(4)}
    given: dict[str, Any] = {"position": [1, 2, 3], "color": [1, 1, 1], "texcoord": [0, 0]}
    wide = np.arange(1_000_000, 1_000_008)[:, None]
    for changed, code, message in (
        ({"texcoord": wide}, "B020", "input 'texcoord' has 7 integers of 8 that float24 rounds, such as 1000001"),
        ({"texcoord": wide.astype(np.float32)}, "B025", "8 different numbers are one as float24, 1000000"),
        ({"texcoord": wide.astype(np.float32)[:2]}, "", ""),
        ({"texcoord": np.full((5, 1), 1_000_001.0)}, "", ""),
        ({"texcoord": np.array([1e6, 1e6, 1_000_001])[:, None]}, "", ""),
        ({"texcoord": np.array([2e7, 2e7 + 2, 2e7 + 4], np.float32)[:, None]}, "", ""),  # what float32 leaves of equal ones
        ({"texcoord": 1767225600.0 + np.arange(3)[:, None]}, "B025", "'texcoord', x: 3 different numbers are one as float24"),
        ({"texcoord": np.array([np.inf, 3e9, 3e9 + 1])[:, None]}, "", ""),
        ({"texcoord": np.array([[1 << 17, -(1 << 30)], [3 << 20, 255]])}, "", ""),
        ({"texcoord": np.array([[(1 << 17) + 1, 0]])}, "B020", "has 1 integer of 2 that float24 rounds, such as 131073"),
        (
            {"position": (13 + np.arange(64) * 1e-6)[:, None]},
            "B025",
            "input 'position', x: 64 different numbers are at most 1 as",
        ),
        ({"position": (13 + np.arange(64) * 1e-4)[:, None]}, "", ""),
        ({"position": np.full((64, 3), 13.3)}, "", ""),
        ({"position": [1e30, 0, 0]}, "B019", "input 'position' has 1e+30, which is stored as infinity"),
        ({"position": [np.inf, -np.inf, np.nan]}, "", ""),
        (
            {"color": np.array([255, 128, 0], np.uint8)},
            "B022",
            "color reaches 255, and the rasterizer clamps colors at 1; input",
        ),
        ({"color": np.array([1, 0, 0], np.uint8)}, "", ""),
    ):
        found = shader.run({**given, **changed}, uniforms).warnings
        assert [finding.code for finding in found] == [code] * bool(code)
        assert all(message in finding.message for finding in found)
    assert shader.run(given, {"projection": 1e30 * np.eye(4)}).warnings[0].message.startswith("uniform 'projection' has 1e+30")
    assert not shader.run({**given, "texcoord": wide}, uniforms, profile="azahar").warnings
    options = ["-i", "position=1e30,0,0", "-i", "color=1", "-i", "texcoord=0", "--default", "0"]
    assert cli.main(["run", str(EXAMPLES / "transform.v.pica"), *options]) == 0
    assert capsys.readouterr().err.count("B019") == 1


def test_a_frame_of_pandas_gives_its_labels_and_what_it_lacks():
    pandas: Any = pytest.importorskip("pandas")
    columns = ("position.x", "position.y", "position.z", "color.x", "texcoord.x")
    frame = pandas.DataFrame({name: [1.0, 2.0, 3.0] for name in columns}, index=[1, 3, 7])
    frame.loc[[3, 7], "position.y"] = None
    shader = lw.load_pica200(EXAMPLES / "transform.v.pica").vertex
    result = shader.run(frame, {"projection": np.eye(4)})
    (found,) = result.warnings
    assert (found.code, found.message) == ("B021", "column 'position.y' has no value in row 1 and 1 more: NaN is stored")
    table = result.to_pandas()
    assert ([*table.index], table.index.name) == ([1, 3, 7], "vertex")
    named = shader.run(frame.rename_axis("point"), {"projection": np.eye(4)}).to_pandas()
    assert (frame["color.x"] + table["color.x"]).tolist() == [2, 4, 6]
    assert (named.index.name, frame.index.name) == ("point", None)
    core = lw.load_shadercore(EXAMPLES / "transform.sc").run(frame[["position.x"]], defaults=0).to_pandas()
    lit = lw.load_direct3d9(EXAMPLES / "direct3d9/lit.vsa").run(frame[["position.x"]], defaults=0).to_pandas()
    assert [*core.index] == [*lit.index] == [1, 3, 7]


def test_a_library_that_cannot_be_imported_is_named_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As pyarrow beside a NumPy that is too old for it."""
    (tmp_path / "ruined.py").write_text("raise ImportError('ruined requires NumPy 9 or newer')\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(ModuleNotFoundError, match="drawing needs ruined, which cannot be imported: ruined requires NumPy 9"):
        optional("ruined", "mesh", "drawing")


def test_whole_floats_that_float24_rounds():
    many = np.arange(169_000.0)[:, None]
    (found,) = format_warnings({"texcoord": many}, {}, "x.v.pica", "float24")
    assert found.code == "B020"
    assert "has 18964 integers of 169000 that float24 rounds, such as 131073" in found.message
    assert "subtract an offset, such as 84499 in their middle" in found.fix
    for others in (many - 84499, np.append(many[:-1], [[np.inf]], 0), many[:131_000] * 8):
        assert not format_warnings({"texcoord": others}, {}, "x.v.pica", "float24")
