"""`lanewise run --draw`, `--why` and meshes from the outside: what they print and write, and their exit codes."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY
from documents import checked
from drawing_scenes import CORNERS, FACES, PLAIN, moved, perspective
from lanewise.arrays.mesh import read_mesh
from lanewise.core.package import IsaPackage
from lanewise.packages import package_of
from lanewise.tools.cli import main
from lanewise.tools.console import DiskFiles

EXAMPLES = REPOSITORY / "examples"
COLORS = np.array([[0.1, 0.2, 0.3, 1.0], [0.9, 0.8, 0.7, 1.0]] * 4, np.float32)


@pytest.fixture
def cube(tmp_path: Path) -> list[str]:
    """The arguments of a cube that is visible: a shader, a mesh, uniforms."""
    shader = (
        PLAIN.replace(".in inpos v0", ".in inpos v0\n.in intex v2")
        .replace("    mov outclr", "    mov outtex.xy, intex\n    mov outclr")
        .replace(".out outclr color", ".out outclr color\n.out outtex texcoord0.xy")
    )
    (tmp_path / "cube.v.pica").write_text(shader)
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in FACES.tolist()]
    (tmp_path / "cube.obj").write_text("\n".join(lines) + "\n")
    (tmp_path / "scene.json").write_text(json.dumps({"projection": perspective().tolist(), "model": moved().tolist()}))
    np.save(tmp_path / "colors.npy", COLORS)
    np.save(tmp_path / "texture.npy", CORNERS[:, :2] / 4 + 0.5)
    return [
        str(tmp_path / "cube.v.pica"),
        "--mesh",
        str(tmp_path / "cube.obj"),
        "--uniforms",
        str(tmp_path / "scene.json"),
        "--input",
        f"incolor={tmp_path / 'colors.npy'}",
        "--input",
        f"intex={tmp_path / 'texture.npy'}",
    ]


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    try:
        code = main(["run", *argv])
    except SystemExit as error:
        code = int(str(error.code))
    out, err = capsys.readouterr()
    return code, out, err


def test_what_is_asked_of_the_position_is_named_so_in_its_chain(cube: list[str], capsys: pytest.CaptureFixture[str]):
    out = run(capsys, *cube, "--uniform", "model=1,0,0,0;0,1,0,0;0,0,1,9;0,0,0,1", "--why", "--explain")[1]
    assert "how it was made:\n  position.w (o0.w) = -" in out


@pytest.mark.parametrize("wrong", ["byte", "short"])
def test_a_type_that_is_too_small_for_an_attribute_is_named(wrong: str, capsys: pytest.CaptureFixture[str]):
    given = [
        str(EXAMPLES / "transform.v.pica"),
        "--buffer",
        str(EXAMPLES / "triangle.bin"),
        "--attribute",
        "color=ubyte*4",
        "--attribute",
        "texcoord=short*2",
        "--uniform",
        "projection=0,0.9,0,0;-0.9,0,0,0;0,0,1,-0.5;0,0,0,1",
        "--why",
    ]
    assert "1 of 1 triangle is visible" in run(capsys, given[0], "--attribute", "position=float*3", *given[1:])[1]
    out = run(capsys, given[0], "--attribute", f"position={wrong}*3", *given[1:])[1]
    assert f"likely  position is read as {wrong}, and its bytes are values of type float" in out


def test_a_single_vertex_is_one_that_is_left_over(cube: list[str], capsys: pytest.CaptureFixture[str]):
    given = [cube[0], *cube[3:5], "--input", "inpos=0,0,0", "--input", "incolor=1", "--input", "intex=0"]
    assert "no primitive is complete: 1 vertex is left over\n" in run(capsys, *given, "--why")[1]


def test_a_drawing_of_a_mesh_takes_its_faces(cube: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    target = str(tmp_path / "cube.svg")
    assert run(capsys, *cube, "--draw", target) == (0, f"{target}: 6 of 12 triangles\n", "")
    text = Path(target).read_text()
    assert text.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="800" height="480"')
    code, _, _ = run(capsys, *cube, "--draw", target, "--screen", "bottom", "--scale", "1", "--cull", "front", "--wireframe")
    assert code == 0
    assert 'width="320" height="240"' in Path(target).read_text()
    assert (
        run(capsys, *cube, "--draw", target, "--indices", "0,1,3", "--cull", "none", "--color", "depth", "--view", "clip")[0]
        == 0
    )


def test_a_drawing_of_nothing_leads_to_the_reasons(cube: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    target = str(tmp_path / "cube.svg")
    far = [*cube, "--uniform", "model=1,0,0,0;0,1,0,0;0,0,1,-500;0,0,0,1", "--draw", target]
    assert run(capsys, *far) == (0, f"{target}: 0 of 12 triangles; --why instead of --draw names the reason\n", "")
    assert run(capsys, *far, "--why")[1].startswith(f"{target}: 0 of 12 triangles\nnothing is visible")


def test_png(cube: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("PIL")
    target = str(tmp_path / "cube.png")
    assert run(capsys, *cube, "--draw", target)[0] == 0
    assert Path(target).read_bytes().startswith(b"\x89PNG")
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    code, _, err = run(capsys, *cube, "--draw", target)
    assert code == 1
    assert "writing PNG needs Pillow: run `pip install 'lanewise[picture]'`, or draw an .svg" in err


def test_why(cube: list[str], capsys: pytest.CaptureFixture[str]):
    code, out, err = run(capsys, *cube, "--why")
    assert (code, err) == (0, "")
    assert out.startswith("6 of 12 triangles are visible\n")
    far = [*cube, "--uniform", "model=1,0,0,0;0,1,0,0;0,0,1,-500;0,0,0,1", "--why"]
    code, out, _ = run(capsys, *far)
    assert code == 0
    assert out.startswith(
        "nothing is visible: 0 of 12 triangles on the screen\n 100.0%  z > 0 in all corners: farther than the far plane\n"
    )
    assert "dp4 r1.z, projection[2], r0 gives" in out
    assert out.count("\n") <= 10
    assert out.endswith("--explain shows how the value was made, and all counts\n")
    code, out, _ = run(capsys, *far, "--explain")
    assert out.startswith(
        "nothing is visible: 0 of 12 triangles on the screen\n\n 100.0%  z > 0 in all corners: farther than the far plane\n"
    )
    assert "how it was made:\n  " in out
    assert "\nvertices (" in out
    code, _, err = run(capsys, *far, "--explain", "position.x")
    assert (code, "--explain position.x goes with --trace: leave out the component with --why" in err) == (2, True)
    code, out, _ = run(capsys, *far, "--format", "json")
    data = checked(out)
    assert (data["schema"], data["isa"], data["diagnostics"]) == ("lanewise/triangles/1", "pica200", [])
    reason = data["visibility"]["reasons"][0]
    assert (reason["code"], reason["share"], reason["blame"]["source"]["line"]) == ("far", 1.0, 17)
    assert reason["blame"]["explanation"]["component"] == "position.z"


def test_an_attribute_of_another_type_is_a_suspect(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """GPU_SHORT where the buffer has floats: the first halves of the bytes."""
    (tmp_path / "cube.v.pica").write_text(PLAIN)
    (tmp_path / "cube.bin").write_bytes((CORNERS[FACES.reshape(-1)] * np.float32(0.7)).tobytes())
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps({"projection": perspective().tolist(), "model": moved().tolist()}))
    rest = ["--buffer", f"{tmp_path / 'cube.bin'}:0:12", "--uniforms", str(scene), "--input", "incolor=1,1,1", "--why"]
    code, out, _ = run(capsys, str(tmp_path / "cube.v.pica"), "--attribute", "inpos=short*3", *rest)
    assert code == 0
    assert (
        " likely  inpos is read as short, and its bytes are values of type float: changed, 100% of the triangles are on the "
        "screen"
    ) in out
    code, out, _ = run(capsys, str(tmp_path / "cube.v.pica"), "--attribute", "inpos=float*3", *rest)
    assert out.startswith("6 of 12 triangles are visible\n")


def test_meshes_are_read_back(cube: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    expected = lw.assemble((tmp_path / "cube.v.pica").read_text()).vertex.run(
        {"inpos": CORNERS, "incolor": COLORS, "intex": CORNERS[:, :2] / 4 + 0.5},
        {"projection": perspective(), "model": moved()},
    )
    position = expected.outputs["position"]
    for suffix in (".obj", ".ply"):
        path = str(tmp_path / f"out{suffix}")
        code, out, err = run(capsys, *cube, "-o", path)
        assert (code, out) == (0, f"{path}: 8 vertices, 12 triangles\n")
        mesh = read_mesh(path, DiskFiles())
        assert mesh.arrays["position"].astype(np.float32).tolist() == position[:, :3].tolist()
        assert mesh.faces is not None
        assert mesh.faces.tolist() == FACES.tolist()
        texcoord = mesh.arrays["texcoord"].astype(np.float32)
        assert texcoord.tolist() == expected.outputs["texcoord0"].tolist()
        if suffix == ".obj":
            assert "OBJ has no place for position.w: x, y and z are not divided by it" in err
        else:
            assert "PLY has color in 8 bits" in err


def test_ply_holds_every_output(cube: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Read by a parser of our own that follows the header."""
    path = tmp_path / "out.ply"
    assert run(capsys, *cube, "-o", str(path))[0] == 0
    header, _, body = path.read_bytes().partition(b"end_header\n")
    kinds = {"float": "<f4", "uchar": "u1"}
    fields = [
        (words[2], kinds[words[1]])
        for line in header.decode().splitlines()
        if (words := line.split())[0] == "property" and words[1] != "list"
    ]
    table = np.frombuffer(body, np.dtype(fields), 8)
    assert table.dtype.names == ("x", "y", "z", "w", "red", "green", "blue", "alpha", "s", "t")
    assert table["w"].min() > 3.0
    channels = np.stack([table[name] for name in ("red", "green", "blue", "alpha")], axis=1)
    assert np.abs(channels / 255 - COLORS).max() < 1 / 255
    assert len(body) == table.nbytes + 12 * 13


def test_csv(cube: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = str(tmp_path / "out.csv")
    code, _, err = run(capsys, *cube, "-o", path)
    assert (code, err) == (0, "")
    first, *rows = Path(path).read_text().splitlines()
    assert first == "position.x,position.y,position.z,position.w,color.x,color.y,color.z,color.w,texcoord0.x,texcoord0.y"
    assert len(rows) == 8
    again = lw.assemble((tmp_path / "cube.v.pica").read_text()).vertex.run(
        {"inpos": CORNERS, "incolor": COLORS, "intex": CORNERS[:, :2] / 4 + 0.5},
        {"projection": perspective(), "model": moved()},
    )
    numbers = np.array([[np.float32(cell) for cell in row.split(",")[:4]] for row in rows])
    assert numbers.tolist() == again.outputs["position"].tolist()


PROGRAMS = {
    "pica200": (
        "p.v.pica",
        (
            ".in a v0\n.out position position\n.out texcoord0 texcoord0\n.proc main\nmov position, a\nmov texcoord0, a\nend\n"
            ".end\n"
        ),
    ),
    "direct3d9": ("p.vsa", "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oT0, v0\n"),
    "shadercore": (
        "p.sc",
        ".input v0 position\n.output o0 position\n" + "".join(f"mov o0.{c}, v0.{c}\n" for c in "xyzw") + "end\n",
    ),
}


@pytest.mark.parametrize("isa", PROGRAMS)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 17])
def test_csv_has_a_row_for_every_vertex(isa: str, count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    name, text = PROGRAMS[isa]
    (tmp_path / name).write_text(text)
    points = ";".join(f"{n},2,3,4" for n in range(count))
    path = tmp_path / "out.csv"
    assert (
        run(capsys, str(tmp_path / name), "-i", f"{'a' if isa == 'pica200' else 'position'}={points}", "-o", str(path))[0] == 0
    )
    first, *rows = path.read_text().splitlines()
    assert [row.split(",")[:4] for row in rows] == [[str(n), "2", "3", "4"] for n in range(count)]
    assert {len(row.split(",")) for row in rows} == {len(first.split(","))}, "a name for each column"


@pytest.mark.parametrize("isa", PROGRAMS)
@pytest.mark.parametrize("suffix", [".obj", ".ply"])
def test_meshes_say_which_vertices_they_leave_out(isa: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    name, text = PROGRAMS[isa]
    (tmp_path / name).write_text(text)
    for points, message in (
        ("1,2,3,1;2,2,3,1;3,3,3,1;4,2,1,1", "vertex 3 is in no whole triangle and left out; .csv has a row for every vertex"),
        ("1,2,3,1;2,2,3,1", "2 vertices (0, 1) are in no whole triangle and left out"),
        ("1,2,3,1;2,2,3,1;3,3,3,1", ""),
    ):
        given = [str(tmp_path / name), "-i", f"{'a' if isa == 'pica200' else 'position'}={points}"]
        code, _, err = run(capsys, *given, "-o", str(tmp_path / f"m{suffix}"))
        assert code == 0
        assert message in err
        assert ("whole triangle" in err) == bool(message)


def test_csv_of_chosen_vertices_keeps_those_that_are_left_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for isa, (name, text) in PROGRAMS.items():
        (tmp_path / name).write_text(text)
        given = [str(tmp_path / name), "-i", f"{'a' if isa == 'pica200' else 'position'}=0,0,0;1,0,0;2,0,0;3,0,0;4,0,0"]
        assert run(capsys, *given, "--indices", "4,1,0,3", "-o", str(tmp_path / "i.csv"))[0] == 0
        rows = (tmp_path / "i.csv").read_text().splitlines()[1:]
        assert sorted(row.split(",")[isa == "pica200"] for row in rows) == ["0", "1", "3", "4"]


def test_csv_of_pixels_says_which_are_killed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "k.psa").write_text("ps_2_0\ndcl t0\ntexkill t0\nmov oC0, t0\n")
    given = [str(tmp_path / "k.psa"), "-i", "t0=1,2,3;-4,5,6", "-o", str(tmp_path / "k.csv")]
    assert run(capsys, *given)[:2] == (0, f"{tmp_path / 'k.csv'}: 2 rows\n")
    assert (tmp_path / "k.csv").read_text() == "color.x,color.y,color.z,color.w,killed\n1,2,3,1,0\n-4,5,6,1,1\n"
    assert json.loads(run(capsys, *given, "--force", "--format", "json")[1])["mesh"]["vertices"] == 2


def test_triangles_of_a_geometry_shader(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    files = [str(EXAMPLES / "particles.v.pica"), str(EXAMPLES / "particles.g.pica")]
    given = [
        "--input=position=-0.5,0,-0.5;0.5,0,-0.5",
        "--input=color=1,0.5,0",
        "--uniform=projection=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1",
        "--geometry-uniform=size=0.2,0.2,0,0",
    ]
    target = str(tmp_path / "p.svg")
    assert run(capsys, *files, *given, "--draw", target, "--cull", "none")[:2] == (0, f"{target}: 4 of 4 triangles\n")
    assert run(capsys, *files, *given, "-o", str(tmp_path / "p.obj"))[:2] == (
        0,
        f"{tmp_path / 'p.obj'}: 12 vertices, 4 triangles\n",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--color", "depth"], "--color goes with --draw FILE"),
        (["--cull", "none"], "--cull goes with --draw FILE or --why"),
        (["--draw", "a.gif"], "--draw a.gif: a drawing is an .svg or a .png, such as a.svg\n"),
        (["--draw", "a.svg", "--trace", "0"], "--trace shows one vertex or run: leave out --draw and --why"),
        (["--draw", "a.svg", "-o", "a.npz"], "-o a.npz: with --draw and --why the output is a mesh"),
        (["--draw", "a.svg", "--color", "colour"], "unknown colour 'colour': use position, color, texcoord0, face, depth"),
        (["--why", "--bits"], "--bits is about the table of results, which --draw, --why and meshes replace"),
        (["--why", "--screen", "left"], "unknown screen 'left': use top or bottom, or a size such as 256x256"),
        (["--draw", "a.svg", "--scale", "0"], "scale is 0, expected 1 to 8"),
    ],
)
def test_options_that_do_not_go_together(cube: list[str], capsys: pytest.CaptureFixture[str], options: list[str], message: str):
    code, _, err = run(capsys, *cube, *options)
    assert code == 2
    assert message in err


def test_a_program_without_a_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "p.psa").write_text("ps_2_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n")
    code, _, err = run(capsys, str(tmp_path / "p.psa"), "--draw", str(tmp_path / "p.svg"))
    assert code == 1
    assert "no output is a position with x, y, z and w: nothing to draw" in err


def test_direct3d9(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "v.vsa").write_text("vs_2_0\ndcl_position v0\nm4x4 oPos, v0, c0\n")
    target = str(tmp_path / "v.svg")
    given = [
        str(tmp_path / "v.vsa"),
        "-i",
        "position=-1,-1,3;1,-1,3;-1,1,3;1,1,3",
        "-u",
        "c0=1,0,0,0;0,1,0,0;0,0,1.01,-1.01;0,0,1,0",
    ]
    assert run(capsys, *given, "--draw", target, "--topology", "strip", "--cull", "front")[:2] == (
        0,
        f"{target}: 2 of 2 triangles\n",
    )
    assert run(capsys, *given, "--draw", target, "--indices", "0,2,1")[:2] == (0, f"{target}: 1 of 1 triangle\n")
    assert run(capsys, *given, "--draw", target, "--indices", "0,2,9")[2].endswith(
        "an index is out of range: there are 4 vertices, counted from 0\n"
    )
    code, _, err = run(capsys, *given, "--indices", "0,2,1")
    assert (code, "--indices goes with --draw FILE, --why or -o of a mesh" in err) == (2, True)


def test_direct3d9_names_the_instruction(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "v.vsa").write_text("vs_2_0\ndcl_position v0\nm4x4 r0, v0, c0\nmov oPos, r0\n")
    given = [str(tmp_path / "v.vsa"), "-i", "position=-1,-1,3;0,1,3;1,-1,3", "-u", "c0=1,0,0,0;0,1,0,0;0,0,1,0;0,0,-1,0"]
    out = run(capsys, *given, "--why")[1]
    assert (
        "v.vsa:3:1: m4x4 r0, v0, c0 gives -3 for position (v0) = -1, -1, 3, 1 and c3 = 0, 0, -1, 0; position.w becomes -3 in "
        "lane 0\n"
    ) in out


def test_shadercore(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "v.sc").write_text(".input v0 position\n.output o0 position\nmov o0.xyzw, v0.xyzw\nend\n")
    target = str(tmp_path / "v.svg")
    given = [str(tmp_path / "v.sc"), "-i", "position=-0.5,-0.5,0.5,1;0,0.5,0.5,1;0.5,-0.5,0.5,1;0.9,0.5,0.5,1"]
    assert run(capsys, *given, "--draw", target, "--indices", "0,1,2,2,1,3")[:2] == (0, f"{target}: 2 of 2 triangles\n")
    assert run(capsys, *given, "--why", "--topology", "strip", "--cull", "none")[1].startswith("2 of 2 triangles are visible\n")
    code, _, err = run(capsys, *given, "--topology", "strip")
    assert (code, "--topology goes with --draw FILE, --why or -o of a mesh" in err) == (2, True)


def test_shadercore_names_the_instruction(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "v.sc").write_text(
        ".input v0 position\n.output o0 position\n.const c0 (1.0, 1.0, 1.0, -1.0)\nmul o0.xyzw, v0.xyzw, c0.xyzw\nend\n"
    )
    given = [str(tmp_path / "v.sc"), "-i", "position=-0.5,-0.5,0.5,1;0,0.5,0.5,1;0.5,-0.5,0.5,1"]
    assert "v.sc:4:1: mul o0.w, v0.w, c0.w gives -1 for position.w (v0) = 1 and c0.w = -1\n" in run(capsys, *given, "--why")[1]


def test_an_instruction_set_without_triangles(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    def flat(name: str) -> IsaPackage:
        return package_of(name)._replace(volume=None)

    monkeypatch.setattr("lanewise.tools.run.package_of", flat)
    (tmp_path / "v.vsa").write_text("vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    code, _, err = run(capsys, str(tmp_path / "v.vsa"), "-i", "position=1,2,3", "--why")
    assert code == 2
    assert "Direct3D 9 has no triangles to draw or to write as a mesh" in err


def test_a_drawing_goes_to_standard_output(cube: list[str], capsys: pytest.CaptureFixture[str]):
    code, out, _ = run(capsys, *cube, "--draw", "-", "--why")
    assert code == 0
    assert out.startswith("<svg ")
    assert out.endswith("</svg>\n")


@pytest.mark.parametrize(("name", "shown"), [("color", "color.x"), ("color.y", "color.y")])
def test_why_takes_no_output(name: str, shown: str, cube: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["run", *cube, "--why", name]) == 2
    assert f"for one value use --trace N --explain {shown} in its place" in capsys.readouterr().err
