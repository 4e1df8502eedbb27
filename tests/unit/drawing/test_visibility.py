"""Why nothing is visible: each broken scene names its reason, and its working twin names none."""

import json
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY
from drawing_scenes import CORNERS, FACES, PLAIN, SCENES, Broken, Case, moved, perspective
from lanewise.drawing.visibility import NOTHING

EXAMPLES = REPOSITORY / "examples"


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_a_broken_scene_names_its_reason_and_its_twin_none(scene: Broken):
    fine = scene.twin.run().visibility(cull=scene.twin.cull)
    assert fine.visible and fine.reasons == ()
    found = scene.case.run().visibility(cull=scene.case.cull)
    first = found.reasons[0]
    assert (found.visible, first.code) == (0, scene.code)
    assert scene.text in first.message
    if scene.blamed:
        blame = first.blame
        assert blame is not None
        assert scene.blamed in blame.message
        assert blame.chain and blame.data["component"]
        assert scene.blamed in found.text()
    json.dumps(found.to_json(), allow_nan=False)


def test_wrong_data_are_named_where_few_triangles_reach_the_screen_by_accident():
    places = np.linspace(-30, 30, 14)
    centres = np.array([[x, y, 0.0] for x in places for y in places])
    position = (centres[:, np.newaxis] + [[-1, -1, 0], [1, -1, 0], [0, 1, 0]]).reshape(-1, 3).astype(np.float32)
    case = Case(position=position, faces=np.arange(len(position)).reshape(-1, 3))
    model = np.eye(4)
    model[2, 3] = -70.0
    wrong = case._replace(model=model, projection=perspective().T).run().visibility()
    assert 0 < wrong.visible <= 0.05 * wrong.triangles
    assert [reason.code for reason in wrong.reasons] == ["transposed"]
    assert wrong.text().startswith(f"only {wrong.visible} of 196 triangles ")
    assert "likely" in wrong.text()
    assert case._replace(model=model).run().visibility().reasons == ()
    assert case._replace(model=moved(x=-105.0, z=-70.0)).run().visibility().reasons == ()  # few for another cause


def test_shares_of_vertices_and_constant_outputs():
    found = Case(model=moved(z=-100.5)).run().visibility()
    assert found.vertices == 8
    assert 0.0 < found.shares["z > 0"] < 1.0  # the cube is cut by the far plane
    assert found.shares["w <= 0"] == 0.0
    assert found.constant == {"color": pytest.approx((0.9, 0.5, 0.1, 1.0), rel=1e-4)}


def test_culling_is_the_one_that_was_asked_for():
    case = Case(position=CORNERS[4:], faces=np.array([[0, 2, 3]]), model=moved() @ np.diag([-1.0, 1.0, 1.0, 1.0]))
    back, front, none = (case.run().visibility(cull=cull) for cull in ("back", "front", "none"))
    assert sorted([back.visible, front.visible]) == [0, 1]
    assert none.visible == 1
    with pytest.raises(ValueError, match="unknown screen 'tv': use top or bottom"):
        case.run().visibility(screen="tv")


def test_the_result_of_a_vertex_shader_takes_the_vertices_in_turn_or_indices():
    shader = lw.assemble(PLAIN).vertex
    data = {"projection": perspective(), "model": moved()}
    result = shader.run({"inpos": CORNERS, "incolor": 1.0}, data)
    assert result.visibility(FACES) == Case(color=(1.0, 0.0, 0.0, 1.0)).run().visibility()
    assert result.visibility().triangles == 2
    assert result.visibility([], topology="strip").reasons[0].code == NOTHING
    assert result.visibility(topology="strip").triangles == 6


def test_a_vertex_that_stops_is_a_reason():
    source = PLAIN.replace("    mov outclr, incolor\n", "again:\n    mov outclr, incolor\n    jmpc !cmp.x, again\n")
    found = lw.assemble(source).pipeline.run(
        {"inpos": CORNERS, "incolor": 1.0}, FACES, {"projection": perspective(), "model": moved()}, keep_faults=True, budget=100
    )
    assert found.visibility().reasons[0].code == "stopped"


def test_a_geometry_shader_is_blamed_in_the_vertex_that_it_emitted(tmp_path: Path):
    geometry = """
.gsh point c0
.constf k(0.0, 1.0, 0.5, 0.25)
.out outpos position
.out outclr color
.entry gmain
.proc gmain
    setemit 0
    mov outpos.xyz, v0
    mov outpos.w, -k.y
    mov outclr, v1
    emit
    setemit 1
    add r0, k.yxxx, v0
    mov outpos.xyz, r0
    mov outpos.w, -k.y
    mov outclr, v1
    emit
    setemit 2, prim
    add r0, k.xyxx, v0
    mov outpos.xyz, r0
    mov outpos.w, -k.y
    mov outclr, v1
    emit
    end
.end
"""
    vertex = PLAIN.replace("    mov outpos, r1\n", "    mov outpos, inpos\n")
    (tmp_path / "a.v.pica").write_text(vertex)
    (tmp_path / "a.g.pica").write_text(geometry)
    files = lw.assemble([tmp_path / "a.v.pica", tmp_path / "a.g.pica"])
    data = {"projection": perspective(), "model": moved()}
    found = files.pipeline.run({"inpos": CORNERS * 0.5, "incolor": 1.0}, uniforms=data).visibility()
    first = found.reasons[0]
    assert (first.code, first.vertex) == ("behind", None)
    assert first.blame is not None
    assert "mov outpos.w, -" in first.blame.message
    assert "@" in str(first.blame.data["component"])


def test_a_matrix_of_the_geometry_shader_is_a_suspect():
    pipeline = lw.assemble([EXAMPLES / "subdivide.v.pica", EXAMPLES / "subdivide.g.pica"]).pipeline
    given = {"position": [[0.0, 0.0, -5.0], [1.0, 0.0, -5.0], [0.0, 1.0, -5.0]], "color": 1.0}
    right = pipeline.run(given, geometry_uniforms={"projection": perspective()})
    wrong = pipeline.run(given, geometry_uniforms={"projection": perspective().T})
    assert right.visibility().reasons == ()
    assert wrong.visibility().reasons[0].code == "transposed"


def test_triangles_of_almost_no_size_cover_no_pixel():
    assert Case(position=CORNERS * np.float32(1e-3)).run().visibility().reasons[0].code == "small"


def test_depth_from_0_to_w_is_named():
    opengl = perspective()
    opengl[2] = 0.0, 0.0, -1.002, -0.2002
    found = Case(projection=opengl).run().visibility()
    assert found.reasons[0].code == "far"
    assert "OpenGL or Direct3D" in found.reasons[0].fix


DIRECT3D9 = """vs_2_0
dcl_position v0
dcl_color v1
m4x4 oPos, v0, c0
mov oD0, v1
"""


def test_the_results_of_direct3d9_are_drawn_by_its_volume():
    """Depth from 0 to w, clockwise faces in front."""
    shader = lw.Direct3DShader.from_source(DIRECT3D9)
    matrix = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1.01, -1.01], [0, 0, 1, 0]])
    corners = [[-1, -1, 3, 1], [0, 1, 3, 1], [1, -1, 3, 1]]
    result = shader.run({"position": corners, "color": [1, 0, 0, 0]}, uniforms={"c0": matrix})
    assert result.visibility().visible == 1  # blending is off by default: alpha hides nothing
    assert result.visibility([2, 1, 0]).reasons[0].code == "culled"
    assert 'width="1280"' in result.svg()
    behind = shader.run({"position": corners, "color": [1, 0, 0, 0]}, uniforms={"c0": matrix @ np.diag([1, 1, -1, 1])})
    assert behind.visibility().reasons[0].code == "behind"
    with pytest.raises(ValueError, match="an index is out of range: there are 3 vertices"):
        result.visibility([0, 1, 3])
    with pytest.raises(ValueError, match="unknown topology 'list'"):
        result.visibility(topology="list")
    pixel = lw.Direct3DShader.from_source("ps_2_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n").run()
    with pytest.raises(ValueError, match="no output is a position"):
        pixel.svg()


def test_the_results_of_shadercore_are_drawn_by_its_volume():
    program = lw.shadercore.ShaderCoreProgram.from_source(
        ".input v0 position\n.output o0 position\nmov o0.xyzw, v0.xyzw\nend\n"
    )
    result = program.run({"position": [[-0.5, -0.5, 0.5, 1], [0, 0.5, 0.5, 1], [0.5, -0.5, 0.5, 1]]})
    assert result.visibility().visible == 1
    assert (
        program.run({"position": [[-0.5, -0.5, -0.5, 1], [0, 0.5, -0.5, 1], [0.5, -0.5, -0.5, 1]]}).visibility().reasons[0].code
        == "near"
    )
