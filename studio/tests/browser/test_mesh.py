"""The mesh view: each picture, and the numbers behind it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lanewise as lw
import numpy as np
import pytest
from playwright.sync_api import expect

from lanewise_studio.meshes import shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from browser.studio_page import StudioPage
    from pages import Page


EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SKY = """#version 330 core
layout (location = 0) in vec3 place;
uniform mat4 projection, view;
void main() { gl_Position = (projection * view * vec4(place, 1.0)).xyww; }
"""


def result(studio: StudioPage) -> Any:
    """The run that the page shows, done by the library."""
    text = studio.store("state.files[0].text")
    mesh = shape("torus")
    uniforms = {row["name"]: np.array(row["value"], np.float64) for row in studio.store("data.uniforms")}
    shader = lw.assemble(text).vertex
    return shader.run({"position": mesh.arrays["position"], "normal": mesh.arrays["normal"]}, uniforms), mesh


def array(studio: StudioPage, name: str, dtype: str) -> NDArray[Any]:
    """An array of the page, by its bytes."""
    data = studio.page.evaluate(
        f"(() => {{ const {{ data }} = lanewise.store.value.mesh.arrays.get('{name}'); return [...new "
        f"Uint8Array(data.buffer, data.byteOffset, data.byteLength)] }})()"
    )
    return np.frombuffer(bytes(data), dtype)


def test_the_vertex_buffer_has_the_bytes_of_the_result(studio: StudioPage) -> None:
    studio.settled()
    run, mesh = result(studio)
    studio.page.evaluate(
        "lanewise.view.draw()"
    )  # buffers are filled when a frame is drawn, which may be after the mesh has come
    buffer = studio.page.evaluate(
        """(() => { const { array } = lanewise.view.mesh.geometry.getAttribute('place');
        return [...new Uint8Array(array.buffer, array.byteOffset, array.byteLength)] })()"""
    )
    assert bytes(buffer) == np.ascontiguousarray(run.outputs["position"], "<f4").tobytes()
    assert array(studio, "output:color", "<f4").tobytes() == np.ascontiguousarray(run.outputs["color"], "<f4").tobytes()
    index = studio.page.evaluate("[...lanewise.view.mesh.geometry.index.array]")
    assert index == mesh.faces.reshape(-1).tolist()


def test_a_click_picks_the_vertex_whose_row_trace_and_pixel_agree(studio: StudioPage) -> None:
    run, _ = result(studio)
    flags, fate = array(studio, "flags", "u1"), array(studio, "fate", "u1")
    index = array(studio, "index", "<u4").reshape(-1, 3)
    shown = [int(vertex) for vertex in index[fate == 255].reshape(-1) if flags[vertex] == 0]
    seen = min(shown, key=lambda vertex: run.outputs["position"][vertex][3])  # nothing is in front of the nearest
    x, y = studio.canvas_place(seen)
    studio.page.mouse.click(x, y)
    studio.until("lanewise.store.value.time !== null")
    vertex, triangle = studio.store("vertex"), studio.store("triangle")
    assert vertex == seen, "the nearest corner is where the click was"
    assert vertex in index[triangle] and fate[triangle] == 255
    # the place in the picture is that of the server's own pixels
    box, area = studio.canvas.bounding_box(), studio.value("lanewise.view.area()")
    pixel = array(studio, "screen", "<f4").reshape(-1, 2)[vertex]
    assert box is not None
    assert (x - box["x"] - area["x"], y - box["y"] - area["y"]) == pytest.approx(
        (pixel[0] / 400 * area["width"], pixel[1] / 240 * area["height"]), abs=0.01
    )
    # the row of the table
    row = studio.page.locator(".vertices .grid-row.selected")
    expect(row).to_have_attribute("data-row", str(vertex))
    assert row.locator("span").first.inner_text() == str(vertex)
    # the trace ends with what the run gave
    written: dict[str, float] = {}
    for step in studio.store("time.steps"):
        for write in step["writes"]:
            for letter, value in zip(write["components"], write["new"], strict=True):
                written[f"{write['register']}.{letter}"] = value
    assert [written[f"o0.{letter}"] for letter in "xyzw"] == run.outputs["position"][vertex].tolist()
    expect(studio.page.locator(".mesh-pane .caption")).to_contain_text(f"vertex {vertex} of triangle {triangle}")


def test_picks_are_those_of_the_rasterizer(studio: StudioPage, page: Page) -> None:
    page.ask("evaluate", state=studio.store("state"))
    area = studio.value("lanewise.view.area()")
    compared = 0
    for x in range(20, 400, 27):
        for y in range(15, 240, 21):
            found = studio.value(
                f"lanewise.view.pickAt({area['x']} + {(x + 0.5) / 400} * {area['width']}, {area['y']} + {(y + 0.5) / 240} * "
                f"{area['height']})"
            )
            expected = page.ask("pick", pixel=[x, y]).panes["pick"]["triangle"]
            assert (None if found is None else found["triangle"]) == expected, (x, y)
            compared += expected is not None
    assert compared > 10


def test_the_picture_has_the_colours_of_the_vertices(studio: StudioPage) -> None:
    """Pixels of the canvas beside those of lanewise's own drawing."""
    area = studio.value("lanewise.view.area()")
    run, _ = result(studio)
    color = array(studio, "color", "<f4").reshape(-1, 4)
    assert np.array_equal(color, np.minimum(np.abs(run.outputs["color"]), 1).astype(np.float32))
    pixels = studio.page.evaluate(
        """(() => { const c = lanewise.view.canvas, g = c.getContext('webgl2'); const w = g.drawingBufferWidth, h = \
g.drawingBufferHeight; const p = new Uint8Array(w * h * 4);
        lanewise.view.show(lanewise.store.value.mesh, { space: 'screen', colouring: '', wireframe: false, cull: 'back', raw: \
false, dark: false, vertex: null, triangle: null, differs: null });
        lanewise.view.draw(); g.readPixels(0, 0, w, h, g.RGBA, g.UNSIGNED_BYTE, p); return { w, h, p: [...p] } })()"""
    )
    picture = np.array(pixels["p"], np.uint8).reshape(pixels["h"], pixels["w"], 4)[::-1]
    index, fate = array(studio, "index", "<u4").reshape(-1, 3), array(studio, "fate", "u1")
    screen = array(studio, "screen", "<f4").reshape(-1, 2)
    checked = 0
    for triangle in np.flatnonzero(fate == 255)[::25]:
        middle = screen[index[triangle]].mean(axis=0)
        # the middle of a pixel of the canvas, and what is there with which shares of its corners
        x, y = (
            int(area[key] + at / size * area[side])
            for key, at, size, side in (("x", middle[0], 400, "width"), ("y", middle[1], 240, "height"))
        )
        spots = [
            (x + 0.5 + across, y + 0.5 + down) for across, down in ((0, 0), (-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5))
        ]
        found = studio.value(f"{json.dumps(spots)}.map(([x, y]) => lanewise.view.pickAt(x, y))")
        if None in found:
            continue
        expected = np.array([np.array(each["barycentric"]) @ color[index[each["triangle"]]][:, :3] * 255 for each in found])
        if np.ptp(expected, axis=0).max() > 12:
            continue  # at an edge the picture mixes the colours of what is in front and behind
        assert np.abs(picture[y, x, :3].astype(float) - expected[0]).max() < 6, triangle
        checked += 1
    assert checked >= 5


@pytest.mark.parametrize(
    ("colour", "shown"),
    [
        (".constf paint(0.25, 0.5, 1.0, 1.0)", [0.25, 0.5, 1]),
        (".constf paint(0.0, 0.0, 0.0, 1.0)", [0.72, 0.76, 0.82]),
        ("", [1, 1, 1]),
    ],
)
def test_the_shape_is_seen_where_colours_do_not_show_it(studio: StudioPage, colour: str, shown: list[float]) -> None:
    """One colour, darkened by direction; black is grey; without an output all is white, as the rasterizer has it."""
    caption = studio.page.locator(".mesh-pane .caption")
    what = "all vertices have one colour: shading is added"
    expect(caption).not_to_contain_text(what)
    paint = ".out o1 color\n" if colour else ""
    write = "mov o1, paint\n" if colour else ""
    source = f".fvec projection[4]\n{colour}\n.in position\n.out o0 position\n{paint}.proc main\n"
    source += "".join(f"dp4 o0.{'xyzw'[n]}, projection[{n}], position\n" for n in range(4)) + f"{write}end\n.end\n"
    studio.load({"files": [{"name": "plain.v.pica", "text": source}], "mesh": {"name": "torus"}})
    expect(caption).to_contain_text(what)
    pixels = studio.page.evaluate(
        """(() => { const g = lanewise.view.canvas.getContext('webgl2'); const w = g.drawingBufferWidth, h = \
g.drawingBufferHeight; const p = new Uint8Array(w * h * 4);
        lanewise.view.draw(); g.readPixels(0, 0, w, h, g.RGBA, g.UNSIGNED_BYTE, p); return [...p] })()"""
    )
    picture = np.array(pixels, np.uint8).reshape(-1, 4)[:, :3].astype(float) / 255
    strongest = int(np.argmax(shown))
    lit = picture[picture[:, strongest] > 0.3]
    light = lit[:, strongest] / shown[strongest]
    assert len(np.unique(light.round(2))) > 20 and light.max() <= 1.01
    kept = np.abs(lit - light[:, None] * np.array(shown)).max(axis=1) < 0.02  # without edges
    assert kept.mean() > 0.9


def test_dragging_a_uniform_changes_the_picture_and_ends_with_a_whole_evaluation(studio: StudioPage) -> None:
    uploads = studio.value("lanewise.view.uploads")
    grip = studio.uniform("sun").locator(".grip").first
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    assert box is not None
    studio.page.mouse.move(box["x"] + 4, box["y"] + 8)
    studio.page.mouse.down()
    for distance in range(0, 120, 8):
        studio.page.mouse.move(box["x"] + 4 + distance, box["y"] + 8)
    studio.page.mouse.up()
    studio.settled()
    assert studio.value("lanewise.view.uploads") > uploads
    value = studio.store("state.uniforms.sun")
    assert value[0][0] == pytest.approx(0.3651 + 1.12, abs=1e-3)
    run, _ = result(studio)
    assert array(studio, "output:color", "<f4").tobytes() == np.ascontiguousarray(run.outputs["color"], "<f4").tobytes()


def test_turning_the_object_is_the_camera_of_the_shader(studio: StudioPage) -> None:
    before = studio.value("lanewise.view.project(0)")
    studio.canvas.focus()
    for _ in range(3):
        studio.page.keyboard.press("ArrowRight")
    studio.settled()
    camera = studio.store("state.camera")
    assert camera["yaw"] < 0.6
    assert studio.value("lanewise.view.project(0)") != before
    run, _ = result(studio)
    assert array(studio, "position", "<f4").tobytes() == np.ascontiguousarray(run.outputs["position"], "<f4").tobytes()


@pytest.mark.parametrize("space", ["object", "clip", "screen"])
@pytest.mark.parametrize("colouring", ["", "output:position", "fate", "flags", "path"])
def test_each_space_and_colouring_shows_something(studio: StudioPage, space: str, colouring: str) -> None:
    studio.page.locator(f"button[data-space={space}]").click()
    studio.page.locator("select[aria-label='colours by']").select_option(colouring)
    studio.settled()
    studio.page.wait_for_timeout(60)
    colours = studio.page.evaluate(
        """(() => { const c = lanewise.view.canvas, g = c.getContext('webgl2'), w = g.drawingBufferWidth, h = \
g.drawingBufferHeight, p = new Uint32Array(w * h);
        lanewise.view.draw(); g.readPixels(0, 0, w, h, g.RGBA, g.UNSIGNED_BYTE, new Uint8Array(p.buffer)); return new \
Set(p).size })()"""
    )
    assert colours > 8
    legend = studio.page.locator(".legend-entry")
    if colouring in {"fate", "flags", "path"}:
        counts = [int(text.replace(",", "")) for text in legend.locator("b").all_inner_texts()]
        head = studio.store("mesh.head")
        assert sum(counts) == head["triangles" if colouring == "fate" else "vertices"]
        if colouring == "fate":
            assert counts[0] == head["visible"]
    else:
        assert legend.count() == 0


def test_an_empty_picture_says_why(studio: StudioPage) -> None:
    state = studio.store("state")
    identity = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 5], [0, 0, 0, 1]]
    studio.load({**state, "uniforms": {**state.get("uniforms", {}), "modelview": identity}})
    expect(studio.page.locator(".why")).to_contain_text("Nothing is visible")
    expect(studio.page.locator(".reason").first).to_contain_text("fix:")
    link = studio.page.locator(".reason .link").first
    line = int(link.inner_text().removeprefix("line "))
    link.click()
    studio.until(f"lanewise.store.value.reveal?.line === {line}")
    assert "outpos" in studio.store("state.files[0].text").splitlines()[line - 1]
    studio.page.locator(".why").get_by_role("button", name="close").click()
    expect(studio.page.locator(".why")).to_have_count(0)
    studio.page.get_by_role("button", name="Why is nothing visible?").click()
    expect(studio.page.locator(".why")).to_be_visible()
    picture, card = studio.canvas.bounding_box(), studio.page.locator(".why").bounding_box()
    assert picture is not None and card is not None and card["y"] >= picture["y"] + picture["height"]


def test_a_picture_of_nearly_nothing_says_why_and_a_fix_is_a_button(studio: StudioPage) -> None:
    state = studio.store("state")
    studio.load({"files": [{"name": "transform.sc", "text": (EXAMPLES / "transform.sc").read_text()}]})
    expect(studio.page.locator(".why h2")).to_have_text("Only 4 of 2,254 triangles are visible")
    expect(studio.page.locator(".why")).to_contain_text("are behind the viewer")
    studio.load({**state, "mesh": {"name": "grid"}, "cull": "front"})
    expect(studio.page.locator(".why")).to_contain_text("and cull nothing here")
    expect(studio.page.locator(".vertices .grid-row .flagged").first).to_have_text("culled")
    studio.page.get_by_role("button", name="Cull nothing").click()
    studio.until("lanewise.store.value.mesh?.head.visible > 0")
    assert studio.store("state.cull") == "none"


def test_frames_a_second_to_the_filled_buffer(studio: StudioPage, record_property: Callable[[str, object], None]) -> None:
    """Counted, and reported; asserted only so far that each frame is of the newest value.

    A value every 16 ms, as a pointer gives them. To the buffer: the page is hidden, so that no software draws it meanwhile.
    """
    measured: dict[str, float] = {}
    for detail in (10_000, 100_000):
        studio.load({**studio.store("state"), "mesh": {"name": "torus", "detail": detail}})
        vertices = studio.store("mesh.head.vertices")
        for blind in (True, False):
            measured[f"{vertices} vertices, {'to the buffer' if blind else 'drawn by SwiftShader'}"] = studio.page.evaluate(
                """async blind => { const { view, actions, store } = lanewise; view.blind = blind; \
document.body.style.visibility = blind ? 'hidden' : ''; const from = view.uploads, start = performance.now(); let k = 0;
                await new Promise(done => { const step = () => { if (performance.now() - start > 3000) { done(); return; } k \
+= 1; actions.uniform('sun', [[Math.sin(k / 10), 0.5, 0.7, 0]]); setTimeout(step, 16); }; step(); });
                const frames = view.uploads - from; view.blind = false; document.body.style.visibility = ''; return frames * \
1000 / (performance.now() - start) }""",
                blind,
            )
        studio.settled()
    print(json.dumps({name: round(rate, 1) for name, rate in measured.items()}))
    record_property("frames a second", measured)
    sun = next(row for row in studio.store("data.uniforms") if row["name"] == "sun")
    assert sun["value"] == pytest.approx(np.array(studio.store("state.uniforms.sun")), abs=1e-12)
    run_color = array(studio, "color", "<f4").reshape(-1, 4)
    assert np.isfinite(run_color).all()


def test_the_camera_fits_a_mesh_of_any_size_and_place(studio: StudioPage) -> None:
    """A tetrahedron of 0.1 at (5, 5, 5) fills a third of the lower side of the canvas at once, and again after F."""
    corners = "v 5 5 5\nv 5.1 5 5\nv 5.05 5.1 5\nv 5.05 5.05 5.1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
    studio.page.evaluate("text => { lanewise.actions.ask('upload', { name: 'small.obj', data: btoa(text) }) }", corners)
    studio.until("lanewise.store.value.state.camera?.target[0] > 5")
    studio.settled()

    def share() -> float:
        places = np.array([studio.canvas_place(vertex) for vertex in range(studio.store("mesh.head.vertices"))])
        box = studio.canvas.bounding_box()
        assert box is not None
        return float(np.ptp(places, axis=0).max() / min(box["width"], box["height"]))

    assert 0.3 < share() < 1
    assert studio.page.get_by_role("button", name="undo").is_enabled()  # of the mesh, not of the camera
    studio.page.evaluate("lanewise.actions.camera({ ...lanewise.store.value.state.camera, distance: 20 })")
    studio.settled()
    assert share() < 0.3
    studio.canvas.focus()
    studio.page.keyboard.press("f")
    studio.settled()
    assert 0.3 < share() < 1


def test_another_mesh_is_fitted_by_a_camera_that_was_moved(studio: StudioPage) -> None:
    moved = {
        "yaw": 0.2,
        "pitch": 0.3,
        "distance": 0.8,
        "target": [2, 0, 0],
        "fov": 50,
        "near": 0.1,
        "far": 100,
        "model": [0, 0, 0],
    }
    studio.page.evaluate("camera => lanewise.actions.camera(camera)", moved)
    studio.settled()
    studio.page.get_by_label("mesh of the picture").select_option("cube")
    studio.until("lanewise.store.value.data.mesh.name === 'cube'")
    studio.settled()
    camera = studio.store("state.camera")
    assert (camera["yaw"], camera["target"]) == (0.2, [0, 0, 0])
    box = studio.canvas.bounding_box()
    assert box is not None
    for vertex in range(24):
        x, y = studio.value(f"lanewise.view.project({vertex})")
        assert 0 < x < box["width"]
        assert 0 < y < box["height"]
    undo = studio.page.get_by_role("button", name="undo")
    undo.click()
    note = studio.page.locator(".note.near")
    expect(note).to_have_text("undone: mesh Cube")
    below, button = note.bounding_box(), undo.bounding_box()
    assert below is not None and button is not None
    assert 0 < below["y"] - button["y"] < 60
    studio.settled()
    assert studio.store("state.camera") == moved


def test_a_program_for_another_range_of_depth_and_a_camera_inside_are_a_click_away(opened: Callable[..., StudioPage]) -> None:
    studio = opened()
    studio.page.get_by_label("open a file").set_input_files(
        {"name": "sky.vert", "mimeType": "text/plain", "buffer": SKY.encode()}
    )
    studio.until("lanewise.store.value.mesh?.head.visible === 0")
    studio.page.get_by_role("button", name="Draw with the depth of OpenGL").click()
    studio.until("lanewise.store.value.mesh?.head.visible > 900")
    expect(studio.page.locator(".why")).to_have_count(0)
    studio.page.get_by_label("mesh of the picture").select_option("cube")
    studio.until("lanewise.store.value.state.mesh?.name === 'cube'")
    studio.settled()
    studio.page.evaluate("lanewise.actions.change({ depth: '' })")
    studio.until("lanewise.store.value.mesh?.head.visible === 0")
    studio.page.get_by_role("button", name="Camera inside").click()
    studio.page.get_by_role("button", name="Draw with the depth of OpenGL").click()
    studio.until("lanewise.store.value.mesh?.head.visible > 0")
