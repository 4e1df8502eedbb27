"""Meshes: faces, and normals where the file has none."""

from pathlib import Path

import numpy as np
import pytest

from lanewise.arrays.mesh import read_mesh
from lanewise.core.service import InputFailure
from lanewise.tools import cli
from lanewise.tools.console import DiskFiles

OCTAHEDRON = "".join([f"v {' '.join(map(str, row))}\n" for sign in (1, -1) for row in (sign * np.eye(3, dtype=int)).tolist()])
FACES = [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]]


def test_normals_are_those_of_the_faces_around_a_vertex(tmp_path: Path):
    """Those of an octahedron point away from its middle, each corner of a face alike."""
    path = tmp_path / "octahedron.obj"
    path.write_text(OCTAHEDRON + "".join([f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in FACES]))
    mesh = read_mesh(str(path), DiskFiles())
    np.testing.assert_allclose(mesh.arrays["normal"], mesh.arrays["position"], atol=1e-12)
    assert mesh.faces is not None
    assert mesh.faces.tolist() == FACES


def test_normals_of_the_file_stay(tmp_path: Path):
    path = tmp_path / "a.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 1 0\nf 1//1 2//1 3//1\n")
    assert read_mesh(str(path), DiskFiles()).arrays["normal"].tolist() == [[0, 1, 0]] * 3


@pytest.mark.parametrize("corners", ["0 1 2", "0//0 1//0 2//0", "1/0 2/1 3/2", "3//1 1//1 2//0"])
def test_faces_count_from_1(corners: str, tmp_path: Path):
    """Trimesh takes 0 for the last vertex."""
    path = tmp_path / "a.obj"
    path.write_text(f"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 1 0\nf {corners}\n")
    with pytest.raises(InputFailure, match=r"a.obj:5: a face names 'v[tn]?' 0: OBJ counts from 1, add 1 to "):
        read_mesh(str(path), DiskFiles())


@pytest.mark.parametrize(
    ("corners", "wrong"),
    [("1/2/1 2/2/1 3/2/1", "'vt' 2"), ("1/1 2/1 3/1", "'vt' 1"), ("1//1 2//1 3//1", ""), ("1//2 2//1 3//1", "'vn' 2")],
)
def test_faces_name_what_is_there(corners: str, wrong: str, tmp_path: Path):
    """Trimesh leaves out texture coordinates and normals that no line gives."""
    path = tmp_path / "a.obj"
    path.write_text(f"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 1 0\nf {corners}\n")
    if not wrong:
        assert read_mesh(str(path), DiskFiles()).arrays["normal"].tolist() == [[0, 1, 0]] * 3
        return
    with pytest.raises(InputFailure, match=f"a.obj:5: a face names {wrong}: there "):
        read_mesh(str(path), DiskFiles())


def test_a_run_that_takes_computed_normals_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    mesh, shader = tmp_path / "tri.obj", tmp_path / "s.v.pica"
    shader.write_text(".out p position\n.in pos\n.in normal\n.proc main\n mov p, pos\n mov r0, normal\n end\n.end\n")
    own = ["run", str(shader), "--mesh", str(mesh)]
    for normals, said in (("", True), ("vn 0 0 1\n", False)):
        corners = " ".join([f"{n}//1" if normals else str(n) for n in (1, 2, 3)])
        mesh.write_text(f"v 0 0 0\nv 1 0 0\nv 0 1 0\n{normals}f {corners}\n")
        for options in ([], ["-i", "normal=mesh:normal"]):
            assert cli.main([*own, *options]) == 0
            note = f"note[B024]: the mesh has no normals: those of its faces are computed\n  --> {mesh}\n"
            assert (note in capsys.readouterr().err) is said
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert cli.main([*own, "-i", "normal=0,0,1"]) == 0
    assert not capsys.readouterr().err


MIRROR = "model=1,0,0,0;0,1,0,0;0,0,-1,0;0,0,0,1"
LEFT_HANDED = "model=0,1.5,0,0;-1.5,0,0,0;0,0,0.01,-0.101;0,0,1,0"


@pytest.mark.parametrize(
    ("face", "options", "said"),
    [
        ("1 2 3", [], False),
        ("1 3 2", [], True),
        ("1 3 2", ["--cull", "front", "--default", "0"], False),
        ("1 3 2", ["--uniform", MIRROR], False),
        ("1 3 2", ["--uniform", LEFT_HANDED], False),
    ],
)
def test_faces_that_turn_against_their_normals(
    face: str, options: list[str], said: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    mesh, shader = tmp_path / "tri.obj", tmp_path / "s.v.pica"
    shader.write_text(".fvec model[4]\n.out p position\n.in pos\n.proc main\n mov r0, pos\n add p, model[0], r0\n end\n.end\n")
    mesh.write_text("v 0 0 0\nv 0.5 0 0\nv 0 0.5 0\nvn 0 0 1\nf " + " ".join(f"{n}//1" for n in face.split()) + "\n")
    drawing = ["--draw", str(tmp_path / "a.svg"), *(options or ["--uniform", "model=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"])]
    assert cli.main(["run", str(shader), "--mesh", str(mesh), *drawing]) == 0
    text = capsys.readouterr().err
    assert ("warning[B043]: the faces turn clockwise" in text) is said
    assert ("`--cull front`" in text) is said
