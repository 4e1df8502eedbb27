"""What a program is given: controls, cameras, meshes; and geometry shaders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lanewise.core.diagnostics import InputError
from lanewise.drawing import camera_matrices as camera
from lanewise.drawing.camera import Camera
from lanewise.drawing.volume import Volume
from lanewise.packages import package_of
from lanewise.pica200.api.scene import VOLUME

from lanewise_studio.asks import Ask, Desk
from lanewise_studio.frames import unpack
from lanewise_studio.meshes import SHAPES, shape
from lanewise_studio.panes.mesh import frustum
from lanewise_studio.stop import Stop
from test_steps import STATES, Asked

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def of_files(*names: str, **more: Any) -> dict[str, Any]:
    return {"files": [{"name": name, "text": (EXAMPLES / name).read_text()} for name in names], **more}


def volumes() -> list[Volume]:
    make = package_of("direct3d9").volume
    found = make() if make is not None else None
    assert isinstance(found, Volume)
    return [VOLUME, found]


@pytest.mark.parametrize("volume", volumes(), ids=lambda volume: volume.name)
def test_a_projection_maps_the_near_and_the_far_plane_to_those_of_the_volume(volume: Volume) -> None:
    eye = Camera(near=0.5, far=8.0, fov=90.0)
    matrix = camera.projection(eye, volume, (400, 240))
    for distance, share in ((0.5, volume.nearest), (8.0, volume.farthest)):
        place = matrix @ np.array([0.0, distance, -distance, 1.0])  # at the upper edge
        assert place[3] == pytest.approx(distance)
        assert place[2] == pytest.approx(share * distance)
        assert place[0 if volume.turn else 1] == pytest.approx(distance)


def test_the_matrix_of_a_turned_screen_is_that_of_citro3d() -> None:
    """Mtx_PerspTilt(fovy, aspect, near, far, isLeftHanded=false), source/maths/mtx_persptilt.c: x and y change places, and y
    its sign."""
    eye = Camera(near=0.01, far=100.0, fov=60.0)
    tangent = np.tan(np.radians(60.0) / 2)
    expected = np.zeros((4, 4))
    expected[0, 1] = 1 / tangent
    expected[1, 0] = -1 / (tangent * 400 / 240)
    expected[2, 2], expected[2, 3] = 0.01 / (0.01 - 100.0), 0.01 * 100.0 / (0.01 - 100.0)
    expected[3, 2] = -1.0
    assert np.allclose(camera.projection(eye, VOLUME, (400, 240)), expected, atol=1e-12)


def test_the_viewer_looks_at_the_target() -> None:
    eye = Camera(yaw=2.0, pitch=-0.7, distance=5.0, target=(1.0, 2.0, 3.0))
    seen = camera.view(eye)
    assert np.allclose(seen @ [1.0, 2.0, 3.0, 1.0], [0.0, 0.0, -5.0, 1.0])
    assert np.allclose(seen[:3, :3] @ seen[:3, :3].T, np.eye(3)) and np.linalg.det(seen[:3, :3]) == pytest.approx(1.0)
    assert np.linalg.det(camera.model(Camera(model=(10.0, 20.0, 30.0)))[:3, :3]) == pytest.approx(1.0)


def test_the_frustum_is_what_the_camera_sees() -> None:
    eye = Camera(model=(20.0, 30.0, 0.0))
    matrix = camera.matrix("modelviewprojection", eye, VOLUME, (400, 240))
    for number, corner in enumerate(frustum(eye, VOLUME, (400, 240))):
        place = matrix @ [*corner, 1.0]
        x, y, z = place[:3] / place[3]
        assert (abs(x), abs(y)) == (pytest.approx(1.0), pytest.approx(1.0))
        assert z == pytest.approx(VOLUME.nearest if number < 4 else VOLUME.farthest)


@pytest.mark.parametrize("row", SHAPES, ids=lambda row: row.name)
def test_meshes_are_closed_to_the_outside_and_have_about_as_many_vertices_as_asked_for(row: Any) -> None:
    for wanted in (0, 3_000):
        mesh = shape(row.name, wanted)
        faces, position, normal = mesh.faces, mesh.arrays["position"].astype(float), mesh.arrays["normal"]
        assert faces is not None and 0 <= faces.min() <= faces.max() < len(position)
        if wanted:
            assert 0.7 * wanted < len(position) < 1.4 * wanted
        corners = position[faces]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert ((across * normal[faces].mean(axis=1)).sum(axis=1) > 0).all()
        assert np.allclose(np.linalg.norm(normal, axis=1), 1.0, atol=1e-5)
        assert all(array.dtype == np.float32 and np.isfinite(array).all() for array in mesh.arrays.values())
        texcoord = mesh.arrays["texcoord"]
        assert texcoord.min() >= 0.0 and texcoord.max() <= 1.0


def test_uniforms_have_the_control_that_their_name_and_size_want() -> None:
    rows = {
        row["name"]: row
        for row in Asked(of_files("lighting.v.pica")).ask("evaluate", state=of_files("lighting.v.pica"), panes=["data"])[
            "uniforms"
        ]
    }
    assert {name: row["kind"] for name, row in rows.items()} == {
        "projection": "matrix",
        "modelview": "matrix",
        "ambient": "colour",
        "direction": "array",
        "light": "array",
        "lights": "integer",
    }
    assert (rows["projection"]["camera"], rows["modelview"]["camera"]) == ("projection", "modelview")
    assert not any(row["given"] for row in rows.values())


def test_lights_and_materials_begin_with_values_that_show_a_shape() -> None:
    """Names as XNA's effects have them: of several lights the others come from the other side, as a direction is to a light or
    from it."""
    toward, bright, dim = [0.3651, 0.5477, 0.7303, 0.0], [0.9, 0.8, 0.6, 1.0], [0.2, 0.2, 0.4, 1.0]
    expected: dict[str, tuple[str, list[float]]] = {
        "DirLight0Direction": ("vector", toward),
        "DirLight1Direction": ("vector", [-number for number in toward]),
        "DirLight0DiffuseColor": ("colour", bright),
        "DirLight1DiffuseColor": ("colour", dim),
        "DiffuseColor": ("colour", bright),
        "EmissiveColor": ("colour", [0.1, 0.1, 0.1, 1.0]),
        "SpecularPower": ("vector", [16.0] * 4),
        "FogScale": ("vector", [1.0] * 4),
    }
    source = "".join(f".fvec {name}\n" for name in expected) + ".in position\n.out o0 position\n.proc main\nmov o0, position\n"
    state = {"files": [{"name": "a.v.pica", "text": source + "end\n.end\n"}], "mesh": {"name": "cube"}}
    rows = Asked(state).ask("evaluate", state=state, panes=["data"])["uniforms"]
    found = {row["name"]: (row["kind"], [round(number, 4) for line in row["value"] for number in line]) for row in rows}
    assert found == {name: (kind, [number + 0.0 for number in value]) for name, (kind, value) in expected.items()}


def test_each_uniform_says_what_it_is() -> None:
    state = of_files("lighting.v.pica", uniforms={"ambient": [1, 0, 0, 1]})
    helps = {row["name"]: row["help"] for row in Asked(state).ask("evaluate", state=state, panes=["data"])["uniforms"]}
    assert (
        helps["projection"] == "4 float vectors in c0 to c3; a matrix, one row in each register; follows the camera: projection"
    )
    assert helps["ambient"] == "float vector in c8; a colour: red, green, blue and alpha from 0 to 1; set on this page"
    assert (
        helps["direction"]
        == "8 float vectors in c9 to c16; an array, one element in each register; a value of the studio, by name and type"
    )
    assert (
        helps["lights"]
        == "integer vector in i0; whole numbers from 0 to 255, for loops; a value of the studio, by name and type"
    )
    state = {
        "files": [
            {
                "name": "a.v.pica",
                "text": (
                    ".bool glossy\n.in position\n.out o position\n.proc main\nifu glossy\nmov o, position\n.else\n"
                    "mov o, position\n.end\nend\n.end\n"
                ),
            }
        ]
    }
    [row] = Asked(state).ask("evaluate", state=state, panes=["data"])["uniforms"]
    assert row["help"].startswith("boolean in b0; true or false; ")


def test_values_of_the_page_go_before_those_of_the_camera() -> None:
    state = {**STATES["picasso"], "uniforms": {"projection": np.eye(4).tolist(), "modelview": {"camera": "view"}}}
    rows = {row["name"]: row for row in Asked(state).ask("evaluate", state=state, panes=["data"])["uniforms"]}
    assert rows["projection"]["value"] == np.eye(4).tolist() and rows["projection"]["camera"] == ""
    assert rows["modelview"]["camera"] == "view" and rows["modelview"]["given"]
    head, _ = Asked(state).ask("evaluate", state=state, panes=["mesh"])
    assert head["frustum"] is None


@pytest.mark.parametrize(
    ("names", "corners"),
    [
        (("particles.v.pica", "particles.g.pica"), 6),
        (("subdivide.v.pica", "subdivide.g.pica"), 12),
        (("transform.v.pica", "shrink.g.pica"), 3),
    ],
)
def test_geometry_shaders_show_what_they_emit(names: tuple[str, ...], corners: int) -> None:
    state = of_files(*names, mesh={"name": "cube"}, uniforms={"rest": [0.25, 0, 0, 0]} if "shrink.g.pica" in names else {})
    asked = Asked(state)
    head, arrays = asked.ask("evaluate", state=state, panes=["mesh"])
    places: Any = arrays["position"]
    runs = 24 if corners == 6 else 12
    assert head["vertices"] == 3 * head["triangles"] == corners * runs and not head["whole"]
    assert "object" not in arrays and np.array_equal(arrays["index"].reshape(-1), np.arange(int(head["vertices"])))
    assert head["visible"] > 0
    time = asked.ask("trace", thread=runs - 1)
    assert time["subject"] == f"run {runs - 1}" and time["complete"] and time["threads"] == runs
    sent = arrays["vertex"].reshape(-1, 3)
    assert (sent == sent[:, :1]).all() and sent[:, 0].tolist() == [run for run in range(runs) for _ in range(corners // 3)]
    picked = asked.ask("pick", triangle=int(head["triangles"]) - 1)
    assert {corner["run"] for corner in picked["corners"]} == {runs - 1}
    picked = asked.ask("pick", triangle=0)
    assert picked["corners"][0]["outputs"]["position"] == places[0].tolist()
    found, path = asked.ask("paths")
    assert found["followed"] > 0 and path["path"].dtype == np.uint16


def test_what_needs_no_data_is_shown_of_a_program_that_does_not_run() -> None:
    """Its words and its graph, with the reason."""
    sent: list[Any] = []
    with pytest.raises(InputError, match="is a geometry shader: it runs on what a vertex shader gives") as raised:
        Desk({}).answer(Ask(1, "evaluate", {"state": of_files("particles.g.pica")}, sent.append, Stop()))
    assert raised.value.diagnostics[0].fix == "open a vertex shader beside it"
    panes = {each["pane"]: each["value"] for each in sent}
    assert [*panes] == ["source", "words", "graph"]
    assert "setemit" in [row["instruction"].split()[0] for row in panes["words"]["rows"]]
    assert len(panes["graph"]["graphs"]) == 1


@pytest.mark.parametrize(("registers", "rows"), [(84, 3), (16, 4)])
def test_bones_are_at_rest(registers: int, rows: int) -> None:
    source = f".fvec bones[{registers}]\n.in position\n.out o0 position\n.proc main\n"
    source += "".join(f"dp4 o0.{'xyz'[n]}, bones[{n}], position\n" for n in range(3)) + "mov o0.w, position.w\nend\n.end\n"
    state = {"files": [{"name": "bones.v.pica", "text": source}], "mesh": {"name": "cube"}}
    _, arrays = Asked(state).ask("evaluate", state=state, panes=["mesh"])
    assert np.allclose(arrays["position"][:, :3], arrays["object"][:, :3], rtol=2**-16)
    (row,) = Asked(state).ask("evaluate", state=state, panes=["data"])["uniforms"]
    assert np.array_equal(row["value"], np.tile(np.eye(4)[:rows], (registers // rows, 1)))


def test_constants_that_an_address_register_chooses_are_an_array() -> None:
    """Of a Direct3D 9 shader without a table of constants: from the base to the next register that is used. Vertices belong to
    the first bone."""
    text = (EXAMPLES / "direct3d9" / "skin.vsa").read_text()
    for source, size in ((text, 72), (text.replace("m4x4 oPos, r1, c0", "m4x4 oPos, r1, c0\nmov oD0, c25"), 15)):
        state = {"files": [{"name": "skin.vsa", "text": source}], "mesh": {"name": "cube"}}
        asked = Asked(state)
        rows = {row["name"]: row for row in asked.ask("evaluate", state=state, panes=["data"])["uniforms"]}
        assert (rows["c10"]["registers"], rows["c10"]["kind"]) == (size, "array")
        assert np.array_equal(rows["c10"]["value"], np.tile(np.eye(4)[:3], (size // 3, 1)))
        head, _ = asked.ask("evaluate", state=state, panes=["mesh"])
        assert head["visible"] > 0


def test_the_graph_is_one_of_each_stage() -> None:
    state = of_files("particles.v.pica", "particles.g.pica", mesh={"name": "cube"})
    first, second = Asked(state).ask("evaluate", state=state, panes=["graph"])["graphs"]
    assert (first["title"], second["title"]) == ("vertex shader", "geometry shader")
    for each, name in ((first, "particles.v.pica"), (second, "particles.g.pica")):
        assert {line["file"] for node in each["nodes"] for line in node["lines"]} == {name}
    assert "setemit" in second["svg"] and "setemit" not in first["svg"]
    alone = of_files("particles.v.pica", mesh={"name": "cube"})
    assert [each["title"] for each in Asked(alone).ask("evaluate", state=alone, panes=["graph"])["graphs"]] == [""]


def leaves(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [leaf for child in node["children"] for leaf in leaves(child)] if node["children"] else [node]


@pytest.mark.parametrize(
    ("names", "takes"), [(("particles.v.pica", "particles.g.pica"), 1), (("subdivide.v.pica", "subdivide.g.pica"), 3)]
)
def test_a_run_of_a_geometry_shader_leads_to_the_steps_of_its_vertices(names: tuple[str, ...], takes: int) -> None:
    state = of_files(*names, mesh={"name": "cube"})
    asked = Asked(state)
    faces = asked.evaluation.faces
    time = asked.ask("trace", thread=3)
    vertices = [source["thread"] for source in time["sources"]]
    assert vertices == ([3] if takes == 1 else faces[3].tolist())
    for vertex in vertices:
        before = asked.ask("trace", thread=vertex, stage="vertex")
        assert before["subject"] == f"vertex {vertex}" and before["complete"] and before["sources"] == []
        assert {step["source"]["file"] for step in before["steps"]} == {names[0]}
        end = asked.ask("step", thread=vertex, position=before["total"], stage="vertex")
        held = {row["name"]: row["values"] for group in end["groups"] for row in group["registers"]}
        expected = asked.ask("pick", vertex=vertex)["values"]["outputs"]["position"]
        assert held["o0"] == expected
    given = [leaf for leaf in leaves(asked.ask("explain", thread=3, place="position.x")["tree"]) if "from" in leaf]
    assert given and {leaf["from"]["thread"] for leaf in given} <= {*vertices}
    for leaf in given:
        origin = asked.ask("explain", **leaf["from"], stage="vertex")
        assert origin["value"]["value"] == leaf["value"] and origin["tree"]["children"]
    found = asked.ask("seek", thread=vertices[0], position=0, query="written o0.y", stage="vertex")
    assert found["found"]
    assert asked.ask("wave", thread=vertices[0], stage="vertex")["one"] == "vertex"
    with pytest.raises(InputError, match="unknown stage 'pixel'"):
        asked.ask("trace", thread=0, stage="pixel")


def test_what_two_geometry_shaders_emit_is_compared_by_corners() -> None:
    state = of_files("particles.v.pica", "particles.g.pica", mesh={"name": "cube"})
    asked = Asked(state)
    sent: list[Any] = []
    for size in ([1, 1, 1, 1], [0.5, 1, 1, 1]):
        asked.desk.answer(Ask(1, "compare", {"other": {**state, "uniforms": {"size": size}}}, sent.append, Stop()))
    same, other = sent[1]["value"], sent[3]["value"]
    assert (same["text"], same["differ"], same["outputs"]) == ("0 of 144 corners differ", 0, [])
    assert other["differ"] == 144 == int(unpack(sent[2])[1]["differs"].sum())
    [row] = other["outputs"]
    assert (row["name"], row["component"], row["vertices"], row["largest"]) == ("position", "x", 144, 0.5)


def test_a_pixel_shader_has_no_triangles_but_results_and_steps() -> None:
    state = {
        "files": [{"name": "tone.psa", "text": "ps_2_0\ndcl t0.xy\nmov r0, t0.xyxy\nmov oC0, r0\n"}],
        "mesh": {"name": "grid"},
    }
    asked = Asked(state)
    head, arrays = asked.ask("evaluate", state=state, panes=["mesh"])
    assert head["reason"] == "a pixel shader has no triangles" and head["vertices"] == len(arrays["output:color"]) > 0
    assert set(arrays) == {"output:color"}
    assert asked.ask("trace", thread=3)["steps"][-1]["instruction"] == "mov oC0, r0"


def test_a_wave_without_a_position_has_results() -> None:
    state = {
        "files": [{"name": "double.sc", "text": ".input v0 color\n.output o0 color\nadd o0.x, v0.x, v0.x\nend\n"}],
        "mesh": {"name": "cube"},
    }
    head, arrays = Asked(state).ask("evaluate", state=state, panes=["mesh"])
    assert head["reason"].startswith("no output is a position") and head["vertices"] == len(arrays["output:color"]) == 24


BARE = """// matrices that are named by their first row, inputs that are read by register
.alias projection c0 // to c3
.alias view c4       // to c6
.alias lamp c8
.alias one c20 as (1.0, 0.0, 0.0, 0.0)
.alias outpos o0 as position
.alias outcol o1 as color

main:
    mov r1.xyz, v0.xyz
    mov r1.w, one.x
    dp4 r0.x, view[0], r1
    dp4 r0.y, view[1], r1
    dp4 r0.z, view[2], r1
    mov r0.w, one.x
    dp4 outpos.x, projection[0], r0
    dp4 outpos.y, projection[1], r0
    dp4 outpos.z, projection[2], r0
    dp4 outpos.w, projection[3], r0
    dp3 r2.x, lamp.xyz, v2.xyz
    max outcol, r2.xxxx, v1
    end
endmain:
"""


def test_registers_without_names_have_rows_and_a_picture() -> None:
    """As sources of nihstro have them: a matrix is named by its first register, and inputs have no names."""
    evaluation = Asked({"files": [{"name": "bare.vsh", "text": BARE}]}).evaluation
    assert [(row.name, row.binding) for row in evaluation.inputs] == [
        ("v0", "mesh:position"),
        ("v1", "mesh:texcoord"),
        ("v2", "mesh:normal"),
    ]
    assert [(row.uniform.name, row.uniform.registers, row.camera) for row in evaluation.controls] == [
        ("projection", 4, "projection"),
        ("view", 4, "view"),
        ("lamp", 1, ""),
    ]
    assert evaluation.fates.visible > 900
    trace = Asked({"files": [{"name": "bare.vsh", "text": BARE}]}).ask("trace", thread=5)
    assert trace["complete"] and trace["given"]["c6.z"]["value"] != 0


SKY = """#version 330 core
layout (location = 0) in vec3 place;
uniform mat4 projection, view;
void main() { gl_Position = (projection * view * vec4(place, 1.0)).xyww; }
"""


def test_a_sky_is_seen_with_the_depth_of_its_own_language_and_from_inside() -> None:
    state: dict[str, Any] = {"files": [{"name": "sky.vert", "text": SKY}]}
    assert Asked(state).evaluation.fates.visible == 0
    assert Asked({**state, "depth": "opengl"}).evaluation.fates.visible > 900
    inside = {**state, "depth": "opengl", "mesh": {"name": "cube"}, "camera": {"distance": 0}}
    assert Asked({**inside, "cull": "back"}).evaluation.fates.visible == 0
    assert Asked({**inside, "cull": "none"}).evaluation.fates.visible > 0
    with pytest.raises(InputError, match="depth is 'w'"):
        Asked({**state, "depth": "w"})
