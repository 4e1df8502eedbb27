"""Meshes for `lanewise run --mesh`: what is read of them, and which input wants what."""

import json
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanewise.arrays.mesh import Mesh, read_mesh, wanted
from lanewise.tools.cli import main
from lanewise.tools.console import DiskFiles, InputFailure

DISK = DiskFiles()

CUBE_CORNER = """v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
vt 0.25 0
vt 1 0
vt 0 1
vn 0 0 -1
vn 0 -1 0
f 1/1/1 3/3/1 2/2/1
f 1/1/2 2/2/2 4/3/2
"""
PLY = """ply
format ascii 1.0
element vertex 3
property float x
property float y
property float z
property uchar red
property uchar green
property uchar blue
element face 1
property list uchar int vertex_indices
end_header
0 0 0 255 0 0
1 0 0 0 51 0
0 1 0 0 0 255
3 0 1 2
"""


@pytest.fixture
def trimesh() -> None:
    pytest.importorskip("trimesh")


def glb() -> bytes:
    """One triangle, put in two places: moved by 10 along x, and turned about z by a right angle with x scaled by 2."""
    positions = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes()
    normals = np.array([[0.6, 0.8, 0]] * 3, "<f4").tobytes()
    indices = np.array([0, 1, 2], "<u4").tobytes()
    binary = positions + normals + indices
    views = [{"buffer": 0, "byteOffset": offset, "byteLength": length} for offset, length in ((0, 36), (36, 36), (72, 12))]
    vector = {"componentType": 5126, "count": 3, "type": "VEC3"}
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"mesh": 0, "name": "a", "translation": [10, 0, 0]},
            {"mesh": 0, "name": "b", "matrix": [0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}, "indices": 2}]}],
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": views,
        "accessors": [
            vector | {"bufferView": 0, "min": [0, 0, 0], "max": [1, 1, 0]},
            vector | {"bufferView": 1},
            {"bufferView": 2, "componentType": 5125, "count": 3, "type": "SCALAR"},
        ],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


def mesh(tmp_path: Path, name: str, content: str | bytes) -> Mesh:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_mesh(str(path), DISK)


def rows(*arrays: Any) -> list[tuple[float, ...]]:
    return sorted(tuple(row) for row in np.round(np.hstack(arrays), 6).tolist())


@pytest.mark.usefixtures("trimesh")
def test_obj_vertices_with_two_normals_are_two(tmp_path: Path):
    found = mesh(tmp_path, "m.obj", CUBE_CORNER)
    assert list(found.arrays) == ["position", "normal", "texcoord"]
    assert rows(found.arrays["position"], found.arrays["normal"], found.arrays["texcoord"]) == sorted(
        [
            (0, 0, 0, 0, 0, -1, 0.25, 0), (0, 1, 0, 0, 0, -1, 0, 1), (1, 0, 0, 0, 0, -1, 1, 0),
            (0, 0, 0, 0, -1, 0, 0.25, 0), (1, 0, 0, 0, -1, 0, 1, 0), (0, 0, 1, 0, -1, 0, 0, 1),
        ]
    )  # fmt: skip


@pytest.mark.usefixtures("trimesh")
def test_ply_colours_are_from_0_to_1(tmp_path: Path):
    found = mesh(tmp_path, "m.ply", PLY)
    assert found.arrays["color"].tolist() == [[1, 0, 0, 1], [0, 0.2, 0, 1], [0, 0, 1, 1]]
    assert found.arrays["normal"].tolist() == [[0, 0, 1]] * 3


@pytest.mark.usefixtures("trimesh")
def test_stl(tmp_path: Path):
    text = "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 5\nvertex 1 0 5\nvertex 0 1 5\nendloop\nendfacet\nendsolid x\n"
    found = mesh(tmp_path, "m.stl", text)
    assert rows(found.arrays["position"], found.arrays["normal"]) == [
        (0, 0, 5, 0, 0, 1),
        (0, 1, 5, 0, 0, 1),
        (1, 0, 5, 0, 0, 1),
    ]


@pytest.mark.usefixtures("trimesh")
def test_meshes_of_a_scene_are_where_the_scene_puts_them(tmp_path: Path):
    found = mesh(tmp_path, "m.glb", glb())
    here = [(10, 0, 0, 0.6, 0.8, 0), (11, 0, 0, 0.6, 0.8, 0), (10, 1, 0, 0.6, 0.8, 0)]
    length = (0.8**2 + 0.3**2) ** 0.5
    x, y = round(-0.8 / length, 6), round(0.3 / length, 6)  # a normal becomes shorter where the surface becomes longer
    there = [(0, 0, 0, x, y, 0), (0, 2, 0, x, y, 0), (-1, 0, 0, x, y, 0)]
    assert np.allclose(rows(found.arrays["position"], found.arrays["normal"]), sorted(here + there), atol=1e-5)


@pytest.mark.usefixtures("trimesh")
@pytest.mark.parametrize("suffix", ["obj", "ply", "stl", "glb"])
@pytest.mark.parametrize(
    "content", [b"", b"garbage\0\1", b"v x y z\nf 1 2 3\n", b"v 1 2 3\nf 1 2 9\n", b"\x89PNG", b"glTF" + b"\xff" * 40]
)
def test_spoilt_meshes_are_refused_in_a_line(suffix: str, content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    with pytest.raises(InputFailure) as error:
        mesh(tmp_path, f"m.{suffix}", content)
    assert f"m.{suffix}" in str(error.value)
    assert "\n" not in str(error.value)
    assert capfd.readouterr().err == ""


TRIANGLE = (
    "ply\nformat ascii 1.0\nelement vertex 3\n{xyz}element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "{rows}3 0 1 2\n"
).format(xyz="".join([f"property float {axis}\n" for axis in "xyz"]), rows="0 0 0\n1 0 0\n0 1 0\n")


@pytest.mark.usefixtures("trimesh")
@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("format", "fmoat", "m.ply:2: unknown line 'fmoat ascii 1.0' in the header: expected format, "),
        ("face 1", "face 5", "m.ply: the header promises 5 rows of 'face', the file has 1; "),
        ("vertex 3", "vertex 9", "m.ply: the header promises 9 rows of 'vertex', the file has 4; "),
        ("0 1 2", "0 1 7", "m.ply:13: a face names vertex 7: there are 3, counted from 0; "),
        ("0 1 2", "0 1 -1", "m.ply:13: a face names vertex -1: there are 3, "),
        ("3 0 1 2", "3 0 1", "m.ply:13: 3 numbers in a row of 'face', expected 4; "),
        ("1 0 0", "1 1e999 0", "m.ply:11: '1e999' is not a finite number; "),
        ("end_header", "comment end", "m.ply:10: unknown line '0 0 0' in the header"),
    ],
)
def test_damaged_ply_files_are_refused_at_their_line(before: str, after: str, message: str, tmp_path: Path):
    assert len(mesh(tmp_path, "good.ply", TRIANGLE).arrays["position"]) == 3
    with pytest.raises(InputFailure) as error:
        mesh(tmp_path, "m.ply", TRIANGLE.replace(before, after))
    assert message in str(error.value)


def binary_ply(values: list[float], corners: list[int]) -> bytes:
    header = TRIANGLE.partition("end_header")[0].replace("ascii", "binary_little_endian") + "end_header\n"
    return header.encode() + struct.pack("<9f", *values) + struct.pack("<B3i", 3, *corners)


@pytest.mark.usefixtures("trimesh")
def test_damaged_binary_ply_files_are_refused(tmp_path: Path):
    values = [0.0, 0, 0, 1, 0, 0, 0, 1, 0]
    assert mesh(tmp_path, "m.ply", binary_ply(values, [0, 1, 2])).arrays["position"].ravel().tolist() == values
    for corner in (7, -1):
        with pytest.raises(InputFailure, match=f"m.ply: a face names vertex {corner}: there are 3, counted from 0"):
            mesh(tmp_path, "m.ply", binary_ply(values, [0, 1, corner]))
    with pytest.raises(InputFailure, match=r"m.ply: the position of vertex 1 is not finite"):
        mesh(tmp_path, "m.ply", binary_ply([*values[:4], float("nan"), *values[5:]], [0, 1, 2]))


@pytest.mark.usefixtures("trimesh")
@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e999"])
def test_numbers_that_are_not_finite_are_refused_at_their_line(number: str, tmp_path: Path):
    stl = "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 {}\nvertex 1 0 5\nvertex 0 1 5\nendloop\nendfacet\nendsolid x\n"
    for name, line, text in (("m.obj", 2, "v 0 0 0\nv 0 {} 0\nv 0 1 0\nf 1 2 3\n"), ("m.stl", 4, stl)):
        mesh(tmp_path, name, text.format("1"))
        with pytest.raises(InputFailure, match=f"{name}:{line}: '{number}' is not a finite number"):
            mesh(tmp_path, name, text.format(number))


@pytest.mark.usefixtures("trimesh")
def test_texts_in_other_encodings(tmp_path: Path):
    assert mesh(tmp_path, "m.obj", b"# caf\xe9\n" + CUBE_CORNER.encode()).arrays["position"].shape == (6, 3)


@pytest.mark.usefixtures("trimesh")
def test_noise_is_not_blamed_on_a_missing_package(tmp_path: Path):
    for suffix in ("obj", "stl"):
        with pytest.raises(InputFailure) as error:
            mesh(tmp_path, f"m.{suffix}", bytes(range(255, 127, -1)) * 20)
        assert "module" not in str(error.value)


def test_other_files_and_missing_ones(tmp_path: Path):
    with pytest.raises(InputFailure, match=r"\.obj \.ply \.stl \.glb"):
        mesh(tmp_path, "m.fbx", b"")


def test_a_mesh_and_values_that_are_exchanged(capsys: pytest.CaptureFixture[str]):
    values = ["--mesh", "scene.json", "--uniforms", "m.OBJ"]
    assert main(["run", str(Path(__file__).parents[3] / "examples" / "transform.v.pica"), *values]) == 1
    assert "exchange them, --mesh m.OBJ --uniforms scene.json" in capsys.readouterr().err


@pytest.mark.usefixtures("trimesh")
def test_a_mesh_that_is_not_there(tmp_path: Path):
    with pytest.raises(InputFailure, match="No such file"):
        read_mesh(str(tmp_path / "missing.obj"), DISK)


def test_without_trimesh_the_command_to_install_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(InputFailure, match=r"pip install 'lanewise\[mesh\]'"):
        mesh(tmp_path, "m.obj", CUBE_CORNER)


@pytest.mark.parametrize(
    ("names", "property_"),
    [
        ("position pos inpos in_pos inPosition a_position aPos vertex vPosition POSITION vertexPosition", "position"),
        ("normal nrm innrm inNormal a_normal vNormal norm", "normal"),
        ("texcoord texcoord0 tcoord uv inuv inTexCoord a_texcoord in_tex texCoord0 uv0 intex", "texcoord"),
        ("color colour col clr inclr in_color a_color vColor incolor", "color"),
        ("weight bone tangent texcoord1 uv2 index v input composition", ""),
    ],
)
def test_what_names_of_inputs_want(names: str, property_: str):
    assert {name: wanted(name) for name in names.split()} == dict.fromkeys(names.split(), property_)


def test_each_property_goes_to_one_input():
    arrays = {"position": np.zeros((2, 3)), "texcoord": np.ones((2, 2))}
    assert list(Mesh("m", arrays).bind(["uv", "texcoord", "pos", "normal", "weight"])) == ["uv", "pos"]
    with pytest.raises(InputFailure, match="has no color: it has position, texcoord"):
        Mesh("m", arrays).read("color", "--input a")


def test_a_mesh_that_nothing_is_left_for(trimesh: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "c.obj").write_text(CUBE_CORNER)
    (tmp_path / "s.v.pica").write_text(".out p position\n.in place\n.proc main\nmov p, place\nend\n.end\n")
    argv = ["run", str(tmp_path / "s.v.pica"), "--mesh", str(tmp_path / "c.obj")]
    assert main([*argv, "-i", "place=1"]) == 2
    assert "--mesh has no effect: every input has its data already" in capsys.readouterr().err
    assert main(argv) == 1
    assert "looks like one for position" in capsys.readouterr().err
    assert main([*argv, "-i", "place=mesh:position"]) == 0


TOON = str(Path(__file__).parents[3] / "examples" / "toon.v.pica")


@pytest.fixture
def far_away(tmp_path: Path) -> str:
    """A small mesh, which the usual camera does not see."""
    path = tmp_path / "small.obj"
    path.write_text("v 90 0 0\nv 90.01 0 0\nv 90 0.01 0\nv 90 0 0.01\nvn 0 0 1\nf 1//1 3//1 2//1\nf 1//1 2//1 4//1\n")
    return str(path)


@pytest.mark.parametrize("camera", ["--camera", "--camera=120,-30"])
def test_a_camera_gives_matrices_without_a_value(far_away: str, camera: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", TOON, "--mesh", far_away, camera, "--default", "0", "--format", "json"]) == 0
    values = np.array(json.loads(capsys.readouterr().out)["outputs"]["position"]["values"])
    assert (abs(values[:, :2]) < values[:, 3:]).all() and (values[:, 3] > 0).all()
    assert np.ptp(values[:, 0] / values[:, 3]) > 0.2


def test_a_camera_leaves_what_has_a_value(far_away: str, capsys: pytest.CaptureFixture[str]):
    mine = "1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"
    common = ["debug", TOON, "--mesh", far_away, "--camera=0,0,5", "--default", "0", "--values"]
    assert main([*common, "-u", f"projection={mine}"]) == 2
    assert "--camera has no effect" in capsys.readouterr().err
    assert main(common) == 0
    projection = json.loads(capsys.readouterr().out)["uniforms"]["projection"]
    assert projection[3][3] == pytest.approx(5.0, abs=0.01)  # the distance of the origin, along z
    for wrong in ("34", "a,b", "1,2,0", "nan,0"):
        assert main(["run", TOON, "--mesh", far_away, f"--camera={wrong}", "--default", "0"]) == 2
        assert "expected degrees" in capsys.readouterr().err
