"""Panes about programs: compiled code, the optimiser, comparison with another version, files that keep a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from browser.studio_page import StudioPage


def example(studio: StudioPage, name: str) -> None:
    studio.load(next(each for each in studio.store("hello.examples") if each["name"] == name)["state"])


def test_compiled_code_is_beside_its_source(studio: StudioPage) -> None:
    example(studio, "glsl")
    studio.tab("compiled")
    studio.until("lanewise.store.value.compiled !== null")
    compiled = studio.store("compiled")
    body = studio.page.locator(".compiled")
    expect(body.locator("ol")).to_have_count(1)  # the source is in the editor, and there only
    expect(body.locator("li")).to_have_count(len(compiled["right"]["rows"]))
    line = next(row["line"] for row in compiled["right"]["rows"] if row["line"])
    body.locator(f"li[data-line='{line}']").first.hover()
    expect(studio.page.locator(".cm-linked")).to_have_text(studio.store("state.files[0].text").split("\n")[line - 1])


GLOWING = """#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 glow;
void main() {
    gl_Position = position;
    glow = position * float(LAMPS);
}
"""


def test_options_are_those_of_the_panes_and_of_the_editor(studio: StudioPage) -> None:
    studio.page.evaluate(
        "text => lanewise.actions.load({ files: [{ name: 'glow.vert', text }], mesh: { name: 'cube' } })", GLOWING
    )
    studio.settled()
    assert not studio.store("source.ok")
    studio.page.get_by_role("button", name="Options").click()
    row = studio.page.locator(".options-row")
    typed = row.locator("input")
    typed.fill("-D LAMPS=2")
    typed.press("Enter")
    remarks = studio.page.locator(".remarks")
    expect(remarks).to_contain_text("outputs without a semantic take those that are left")
    expect(studio.page.locator(".cm-lintRange-error")).to_have_count(0)
    remarks.get_by_role("button", name="Keep").click()
    expect(typed).to_have_value("-D LAMPS=2 --semantic *=any")
    expect(remarks).to_be_empty()
    typed.fill("-D LAMPS=2 --semantics glow=color")
    typed.press("Enter")
    expect(row.get_by_role("alert")).to_contain_text("unknown option --semantics: use -D")
    typed.fill("-D LAMPS=2 --semantic glow=color")
    typed.press("Enter")
    expect(row.get_by_role("alert")).to_have_count(0)
    studio.until("lanewise.store.value.mesh !== null && lanewise.store.value.source.ok")
    studio.settled()
    assert studio.store("state.options") == {"define": ["LAMPS=2"], "semantic": ["glow=color"]}
    expect(studio.page.locator(".cm-lintRange-error")).to_have_count(0)
    place, color = (
        np.array(studio.value(f"[...lanewise.store.value.mesh.arrays.get('output:{name}').data]"))
        for name in ("position", "color")
    )
    assert np.array_equal(color, 2 * place)
    example(studio, "glsl")
    expect(row).to_be_hidden()
    expect(typed).to_have_value("")


def test_the_optimiser_shows_its_steps_and_its_source_can_be_used(studio: StudioPage) -> None:
    text = studio.store("state.files[0].text").replace("    mov outclr.xyz, r3\n", "    mov r4, r3\n    mov outclr.xyz, r4\n")
    studio.load({**studio.store("state"), "files": [{"name": "light.v.pica", "text": text}]})
    before = studio.store("words.rows.length")
    colours = "[...lanewise.store.value.mesh.arrays.get('output:color').data]"
    shown = studio.value(colours)
    studio.tab("optimiser")
    studio.page.get_by_role("button", name="Find smaller programs").click()
    studio.until("lanewise.store.value.opt !== null", 300)
    opt = studio.store("opt")
    assert opt["before"] == before > opt["after"]
    expect(studio.page.locator(".optimiser .steps > li")).to_have_count(len(opt["steps"]))
    expect(studio.page.locator(".optimiser .changes .added")).to_have_text(
        [f"+ {text}\n" for sign, text in opt["changes"] if sign == "+"]
    )
    old = studio.store("state.files[0].text")
    studio.page.get_by_role("button", name="Apply").click()
    studio.until(f"lanewise.store.value.words.rows.length === {opt['after']}")
    studio.settled()
    assert studio.value(colours) == shown
    studio.page.get_by_role("button", name="undo").click()
    studio.until(f"lanewise.store.value.words.rows.length === {opt['before']}")
    assert studio.store("state.files[0].text") == old


def test_slots_and_cycles_of_a_smaller_program_are_shown(studio: StudioPage) -> None:
    text = ".input v0 position\n.output o0 position\nmov r0.x, v0.x\nadd o0.x, r0.x, v0.y\nend\n"
    studio.load({"files": [{"name": "a.sc", "text": text}]})
    studio.tab("optimiser")
    studio.page.get_by_role("button", name="Find smaller programs").click()
    studio.until("lanewise.store.value.opt !== null", 300)
    expect(studio.page.locator(".optimiser .sizes")).to_contain_text("3 to 2 slots")
    expect(studio.page.locator(".optimiser .saved").first).to_contain_text("cycles")
    studio.page.get_by_role("button", name="Apply").click()
    studio.until("lanewise.store.value.words.rows.length === 2")


def test_versions_are_compared_and_the_first_step_that_differs_is_opened(studio: StudioPage) -> None:
    studio.tab("compare")
    studio.page.get_by_role("button", name="Keep this version").click()
    studio.page.evaluate(
        "(() => { const { state } = lanewise.store.value; lanewise.actions.change({ files: [{ ...state.files[0], text: "
        "state.files[0].text.replace('max r2.x, zero, r2.x', 'max r2.x, one, r2.x') }] }); })()"
    )
    studio.page.wait_for_timeout(200)
    studio.settled()
    studio.page.get_by_role("button", name="Compare with the kept version").click()
    studio.until("lanewise.store.value.compare !== null && lanewise.store.value.differs !== null")
    expect(studio.page.locator(".because")).to_contain_text("Changed since it was kept: text of")
    compare = studio.store("compare")
    differs = studio.value("[...lanewise.store.value.differs]")
    assert 0 < compare["differ"] == sum(differs)
    studio.page.get_by_role("button", name="Mark them in the mesh view").click()
    expect(studio.page.locator(".legend-entry").last.locator("b")).to_have_text(f"{compare['differ']:,}")
    first = compare["first"]
    assert differs[first["vertex"]] == 1
    studio.page.get_by_role("button", name="Open this step").click()
    studio.until(f"lanewise.store.value.time?.vertex === {first['vertex']}")
    studio.until(f"lanewise.store.value.step === {first['step'] + 1}")
    step = studio.store("time.steps")[first["step"]]
    assert step["instruction"] == first["left"]["text"]
    assert "zero" not in step["instruction"]


def test_profiles_are_compared(studio: StudioPage) -> None:
    studio.tab("compare")
    studio.page.get_by_label("another profile or device").select_option("azahar")
    studio.until("lanewise.store.value.compare !== null")
    compare = studio.store("compare")
    expect(studio.page.locator(".compared")).to_have_text(f"hardware against azahar: {compare['text']}")
    expect(studio.page.locator(".seen")).to_contain_text("It can hardly be seen: on the 400×240 screen")
    expect(studio.page.locator(".because p").first).to_have_text("Why they differ: Rounding of results.")
    assert compare["vertices"] == studio.store("mesh.head.vertices")
    expect(studio.page.get_by_label("another profile or device")).to_have_value("azahar")
    studio.page.evaluate("lanewise.actions.shape({name: 'cube'})")  # what is chosen is compared again
    studio.until("lanewise.store.value.compare?.vertices === 24")
    expect(studio.page.get_by_label("another profile or device")).to_have_value("azahar")


def test_devices_of_shadercore_are_compared(studio: StudioPage) -> None:
    example(studio, "shadercore")
    expect(studio.page.get_by_label("device", exact=True)).to_have_value("rtl")
    studio.tab("compare")
    expect(studio.page.get_by_label("another profile or device").locator("option")).to_have_text(
        ["another device…", "specification (document)"]
    )
    studio.page.get_by_label("another profile or device").select_option("document")
    studio.until("lanewise.store.value.compare !== null && lanewise.store.value.differs !== null")
    compare = studio.store("compare")
    assert 0 < compare["differ"] == sum(studio.value("[...lanewise.store.value.differs]"))
    expect(studio.page.locator(".cycles-of-both")).to_contain_text(
        f"{compare['cycles'][0]} cycles in rtl, {compare['cycles'][1]} in document"
    )
    expect(studio.page.locator(".compared")).to_contain_text("public hardware (rtl) against specification (document)")
    first = compare["first"]
    values = [text.replace("−", "-") for text in studio.page.locator(".compare-result .first b").all_inner_texts()]
    assert [np.float32(value) for value in values] == [np.float32(first[side]["value"]) for side in ("left", "right")]
    studio.page.get_by_role("button", name="Open this step").click()
    studio.until(
        f"lanewise.store.value.time?.vertex === {first['vertex']} && lanewise.store.value.step === {first['step'] + 1}"
    )
    step = studio.store("time.steps")[first["step"]]
    assert (step["instruction"], step["writes"][0]["new"][0]) == (first["left"]["text"], first["left"]["value"])


def test_a_proof_of_equality(studio: StudioPage) -> None:
    studio.tab("compare")
    studio.page.get_by_role("button", name="Keep this version").click()
    studio.page.get_by_role("button", name="Prove or refute").click()
    studio.until("lanewise.store.value.compare?.verdict", 300)
    assert studio.store("compare.verdict.kind") == "equal"
    expect(studio.page.locator(".verdict.equal")).to_be_visible()


def test_a_state_is_saved_and_opened(opened: Callable[..., StudioPage]) -> None:
    studio = opened()
    studio.page.evaluate("lanewise.actions.uniform('sun', [[0, 1, 0, 0]])")
    studio.settled()
    studio.page.keyboard.press("Control+s")
    with studio.page.expect_download() as download:
        studio.page.get_by_role("button", name="Download").click()
    path = download.value.path()
    assert download.value.suggested_filename.endswith(".shadertest.toml")
    other = opened()
    other.page.get_by_label("open a file").set_input_files(
        {"name": download.value.suggested_filename, "mimeType": "text/plain", "buffer": path.read_bytes()}
    )
    other.until("lanewise.store.value.state.uniforms?.sun?.[0]?.[1] === 1")
    other.settled()
    colours = "[...lanewise.store.value.mesh.arrays.get('output:color').data]"
    assert other.value(colours) == studio.value(colours)


def test_a_preset_is_saved_in_the_folder_and_chosen(opened: Callable[..., StudioPage], presets: Path) -> None:
    studio = opened()
    studio.page.evaluate("lanewise.actions.uniform('sun', [[0, 1, 0, 0]])")
    studio.settled()
    studio.page.get_by_role("button", name="Save, share").click()
    dialog = studio.page.get_by_role("dialog")
    dialog.get_by_label("name").fill("noon")
    studio.page.keyboard.press("Enter")
    studio.until("lanewise.store.value.hello.presets.some(preset => preset.name === 'noon.shadertest.toml')")
    expect(dialog.get_by_role("status")).to_contain_text(f"Saved: {presets.resolve()}/noon.shadertest.toml")
    dialog.get_by_role("button", name="Close").click()
    assert "studio: " in (presets / "noon.shadertest.toml").read_text()
    colours = "[...lanewise.store.value.mesh.arrays.get('output:color').data]"
    other = opened()
    choice = other.page.get_by_label("open a preset")
    assert [group.get_attribute("label") for group in choice.locator("optgroup").all()] == [
        "of this program",
        "of other programs",
    ]
    choice.select_option(label="noon")
    other.until("lanewise.store.value.state.uniforms?.sun?.[0]?.[1] === 1")
    other.settled()
    assert other.value(colours) == studio.value(colours)
    choice.select_option(label="toon: four bands")
    other.until("lanewise.store.value.state.files[0].name === 'toon.v.pica' && lanewise.store.value.mesh !== null")
    other.settled()
    row = next(row for row in other.store("data.uniforms") if row["name"] == "sun")
    assert row["value"] == [[0, 0, 1, 4]]
    (presets / "noon.shadertest.toml").unlink()


def test_a_mesh_of_the_disk(studio: StudioPage) -> None:
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n"
    studio.page.get_by_label("mesh file").set_input_files({"name": "one.obj", "mimeType": "text/plain", "buffer": mesh})
    studio.until("lanewise.store.value.mesh?.head.vertices === 3")
    studio.settled()
    assert studio.store("mesh.head.triangles") == 1
    shapes = studio.page.get_by_label("mesh of the picture")
    shapes.select_option("cube")
    studio.until("lanewise.store.value.data.mesh.name === 'cube'")
    shapes.select_option(label="one.obj")
    studio.until("lanewise.store.value.mesh?.head.vertices === 3")
    studio.settled()
    expect(studio.page.locator(".data")).to_contain_text("3 vertices, 1 triangle")
