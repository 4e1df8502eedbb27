"""The whole path through the playground: what is typed, run, looked at and shared, with no request to another machine."""

from __future__ import annotations

import base64
import json
import os
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from lanewise.tools.cli import main
from playwright.sync_api import expect

from answers import Desk
from browser.axe import serious_faults
from browser.reflow import unreachable
from bundle import examples
from warm import answered

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Route

    from browser.studio_page import StudioPage

MEMORY = re.compile(r"/memory\.packed\?\w{12}$")  # of one build
BUILT = Path(__file__).resolve().parents[2] / "playground" / "built"
PICTURES = Path(__file__).resolve().parents[3] / "docs" / "pictures"


def to_line(page: StudioPage, file: str, line: int) -> None:
    page.page.evaluate(f"lanewise.actions.reveal('{file}', {line})")
    page.page.locator(".cm-content").focus()
    page.page.keyboard.press("End")


def line_of(page: StudioPage, text: str) -> int:
    source: str = page.store("state.files[0].text")
    return next(number for number, line in enumerate(source.split("\n"), 1) if text in line)


def native(tmp_path: Path, state: dict[str, Any], capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    """What `lanewise run` of this machine gives for a state."""
    source, data = state["files"]
    for file in (source, data):
        (tmp_path / file["name"]).write_text(file["text"], encoding="utf-8")
    assert (
        main(["run", str(tmp_path / source["name"]), "--data", str(tmp_path / data["name"]), "--format", "json", *options]) == 0
    )
    return json.loads(capsys.readouterr().out)


def same_bits(page: StudioPage, run: dict[str, Any]) -> None:
    """Compare the table of the page with a run of the command, bit for bit."""
    assert page.store("mesh.head.vertices") == run["lanes"]
    for name, output in run["outputs"].items():
        shown = page.value(f"lanewise.store.value.mesh.arrays.get('output:{name}').data")
        bits = page.value(f"new Uint32Array(lanewise.store.value.mesh.arrays.get('output:{name}').data.buffer)")
        values = np.array(output["values"], np.float32)
        assert len(shown) == values.size
        assert bits == values.reshape(-1).view(np.uint32).tolist(), name


@pytest.mark.parametrize("row", examples(), ids=lambda row: row["name"])
def test_each_example_gives_the_bits_of_the_command(
    opened: Callable[..., StudioPage], row: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = opened()
    page.load(row["state"])
    same_bits(page, native(tmp_path, row["state"], capsys))


@pytest.mark.parametrize("row", examples(), ids=lambda row: row["name"])
def test_what_was_recorded_is_what_is_answered(row: dict[str, Any]) -> None:
    recorded = json.loads((BUILT / "recorded" / f"{row['name']}.json").read_text(encoding="utf-8"))
    answers = json.loads(json.dumps(answered(Desk(examples()), row["state"])))
    assert [message["pane"] for message in recorded[:4]] == ["source", "words", "graph", "run"]
    assert [(one["pane"], one["value"]) for one in recorded] == [(one["pane"], one["value"]) for one in answers]


def test_values_are_there_before_python(playground: StudioPage) -> None:
    """They are said to be recorded, what is picked meanwhile waits, and Python's are the same."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    tab = playground.page.context.new_page()
    tab.route(MEMORY, hold)
    tab.goto(playground.page.url.partition("#")[0])
    expect(tab.locator(".waiting")).to_contain_text("These values were computed when this page was built.")
    expect(tab.locator(".vertices .grid-row[data-row='1']")).to_contain_text("0.2958")
    tab.locator(".vertices .grid-row[data-row='1'] > *").first.click()
    tab.locator("[data-tab=time]").click()
    expect(tab.locator(".time")).to_contain_text("No vertex picked")
    held[0].continue_()
    expect(tab.locator(".time")).to_contain_text("of 0 to 20")
    expect(tab.locator(".waiting")).to_be_hidden()
    assert tab.evaluate("JSON.stringify([...lanewise.store.value.mesh.arrays.get('output:color').data])") == (
        playground.page.evaluate("JSON.stringify([...lanewise.store.value.mesh.arrays.get('output:color').data])")
    )


def test_a_folder_that_is_not_whole_is_said(playground: StudioPage) -> None:
    tab = playground.page.context.new_page()
    tab.route(MEMORY, lambda route: route.fulfill(status=404))
    tab.goto(playground.page.url.partition("#")[0])
    expect(tab.locator(".waiting .failed")).to_contain_text(
        "The playground cannot start: pyodide/memory.packed cannot be loaded: 404"
    )


def test_a_mistake_is_marked_and_its_fix_is_a_button(playground: StudioPage) -> None:
    line = line_of(playground, "mov r3, paint")
    to_line(playground, "toon.v.pica", line)
    playground.page.keyboard.type("e")
    playground.until("document.querySelector('.cm-lintRange-error')")
    assert playground.page.locator(".cm-lintRange-error").inner_text() == "painte"
    expect(playground.page.locator(".status")).to_contain_text("1 error")
    assert playground.store("words.rows.length") == 21  # the last good program stays
    finding = playground.page.locator(".finding.severity-error")
    expect(finding).to_contain_text("painte")
    finding.get_by_role("button", name="Fix").click()
    playground.until("!document.querySelector('.cm-lintRange-error') && !lanewise.store.value.stale")
    assert playground.store("state.files[0].text").split("\n")[line - 1].strip() == "mov r3, paint"


def test_what_is_typed_is_run(playground: StudioPage, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sources and data are texts: both are edited, and the values are those of the command after each."""
    to_line(playground, "toon.v.pica", line_of(playground, "flr r1, r1"))
    playground.page.keyboard.type(" ; bands\n    add r1, ones, r1")
    playground.until("lanewise.store.value.words.rows.length === 22")
    playground.settled()
    same_bits(playground, native(tmp_path, playground.store("state"), capsys))
    playground.page.get_by_role("tab", name="toon.toml").click()
    text: str = playground.store("state.files[1].text")
    to_line(playground, "toon.toml", next(n for n, line in enumerate(text.split("\n"), 1) if line.startswith("shade")))
    playground.page.keyboard.type("\npaints = [1, 1, 1]")
    playground.until("document.querySelector('.cm-lintRange-error, .run .empty')")
    for _ in range(len("\npaints = [1, 1, 1]")):
        playground.page.keyboard.press("Backspace")
    playground.until("lanewise.store.value.mesh.head.vertices === 64")
    playground.page.locator("select[aria-label=profile]").select_option("azahar")
    playground.until("lanewise.store.value.state.profile === 'azahar'")
    playground.settled()
    same_bits(playground, native(tmp_path, playground.store("state"), capsys, "--profile", "azahar"))


def test_new_data_for_a_program_of_ones_own(playground: StudioPage) -> None:
    """A program over the data of an example has findings, and runs with data of its shape after one click."""
    lines = [".in place", ".in tint", ".out outpos position", ".out outcolor color", ".proc main", "mov outpos, place"]
    source = "\n".join([*lines, "mov outcolor, tint", "end", ".end", ""])
    own = "lanewise.actions.change({files: [{name: 'own.v.pica', text}, lanewise.store.value.state.files[1]]})"
    playground.page.evaluate(f"text => {own}", source)
    playground.until("lanewise.store.value.source.diagnostics.some(one => one.code === 'B001')")
    playground.page.get_by_role("button", name="New data").click()
    playground.until("lanewise.store.value.mesh !== null && lanewise.store.value.mesh.head.vertices === 4")
    playground.settled()
    assert [file["name"] for file in playground.store("state.files")] == ["own.v.pica", "data.toml"]
    assert playground.store("source.diagnostics") == []


def test_a_vertex_is_traced_and_explained(playground: StudioPage) -> None:
    playground.page.locator(".vertices .grid-row[data-row='2'] > *").first.click()  # its number; a value leads to its causes
    playground.until("lanewise.store.value.time?.vertex === 2")
    playground.tab("time")
    steps: int = playground.store("time.steps.length")
    assert steps == 21
    playground.page.keyboard.press("Alt+.")
    playground.page.keyboard.press("Alt+.")
    playground.until("lanewise.store.value.step === 2")
    playground.page.locator(".scrubber").focus()
    playground.page.keyboard.press("End")
    playground.until(f"lanewise.store.value.step === {steps}")
    expect(playground.page.locator(".cm-done")).to_have_text(re.compile("end"))
    playground.page.locator(".condition[aria-label='stop where']").fill("changes r3.x")
    playground.page.keyboard.press("Shift+Enter")
    playground.until("lanewise.store.value.stop?.step !== null && lanewise.store.value.stop")
    playground.page.locator("[data-place='r3.x']").click()
    playground.until("lanewise.store.value.explain !== null")
    expect(playground.page.locator(".explain .tree")).to_contain_text("r3.x")
    assert playground.page.locator(".explain [role=treeitem]").count() > 3


def test_a_value_of_the_table_leads_to_its_causes(playground: StudioPage) -> None:
    playground.page.locator(".vertices .grid-row[data-row='4']").get_by_title(re.compile("where color.y ")).click()
    playground.until("lanewise.store.value.explain !== null")
    assert playground.store("vertex") == 4
    expect(playground.page.locator("[data-tab=time]")).to_have_attribute("aria-selected", "true")
    assert playground.store("explain.place") == "color.y"
    expect(playground.page.locator(".explain [role=treeitem]").first).to_contain_text("o1.y")
    playground.page.get_by_role("button", name="back to the table").click()
    expect(playground.page.locator("[data-tab=vertices]")).to_have_attribute("aria-selected", "true")


def test_the_optimised_source_gives_the_same_values(playground: StudioPage) -> None:
    before = playground.value("[...lanewise.store.value.mesh.arrays.get('output:color').data]")
    playground.tab("optimiser")
    playground.page.get_by_role("button", name="Find smaller programs").click()
    playground.until("lanewise.store.value.opt !== null")
    expect(playground.page.locator(".optimiser .sizes")).to_contain_text("21 to 19 words")
    playground.page.get_by_role("button", name="Apply").click()
    playground.until("lanewise.store.value.words.rows.length === 19")
    playground.settled()
    assert playground.value("[...lanewise.store.value.mesh.arrays.get('output:color').data]") == before


def test_conversion_reference_and_binary(playground: StudioPage, tmp_path: Path) -> None:
    playground.tab("convert")
    with playground.page.expect_download() as download:
        playground.page.get_by_role("button", name="Save the binary").click()
    saved = tmp_path / "toon.shbin"
    download.value.save_as(saved)
    assert saved.read_bytes()[:4] == b"DVLB"
    words = playground.store("words.rows")
    colours = playground.value("[...lanewise.store.value.mesh.arrays.get('output:color').data]")
    playground.page.get_by_role("button", name="Convert to nihstro").click()
    expect(playground.page.locator(".converted")).to_contain_text(".alias projection c0-c3")
    playground.page.get_by_role("button", name="Go on with this source").click()
    playground.until("lanewise.store.value.source?.language === 'nihstro'")
    playground.settled()
    assert playground.value("[...lanewise.store.value.mesh.arrays.get('output:color').data]") == colours
    playground.page.locator("input[aria-label='open a file']").set_input_files(str(saved))
    playground.until("lanewise.store.value.state.files[0].name.endsWith('.pica') && lanewise.store.value.source?.ok")
    playground.settled()
    assert [row["bits"] for row in playground.store("words.rows")] == [row["bits"] for row in words]
    playground.tab("reference")
    search = playground.page.locator(".reference input")
    for name, text in (("mad", "dst = src1 * src2 + src3"), ("V012", "sign is ignored"), ("nothing", "no page of 'nothing'")):
        search.fill(name)
        search.press("Enter")
        expect(playground.page.locator(".reference")).to_contain_text(text)


def test_the_address_carries_source_and_data(opened: Callable[..., StudioPage]) -> None:
    first = opened()
    to_line(first, "toon.v.pica", 1)
    first.page.keyboard.type(" Changed.")
    first.settled()
    first.page.get_by_role("button", name="Copy link").click()
    expect(first.page.locator(".foot .note")).to_contain_text("in the address line")
    second = opened(first.value("location.hash"))
    assert second.store("state") == first.store("state") and "Changed." in second.store("state.files[0].text")
    assert second.value("[...lanewise.store.value.mesh.arrays.get('output:color').data]") == first.value(
        "[...lanewise.store.value.mesh.arrays.get('output:color').data]"
    )
    second.page.evaluate("location.hash = 'damaged'")
    expect(second.page.locator(".foot .note.error")).to_contain_text("damaged")


def test_nothing_is_lost(playground: StudioPage) -> None:
    """A reload has the edit, the vertex and the tabs, and one stack undoes texts and examples."""
    to_line(playground, "toon.v.pica", 1)
    playground.page.keyboard.type(" Mine.")
    playground.page.evaluate("lanewise.actions.pick(3)")
    playground.tab("time")
    playground.settled()
    state = playground.store("state")
    playground.page.reload()
    playground.until("lanewise.store.value.time?.vertex === 3")
    assert playground.store("state") == state
    expect(playground.page.locator("[data-tab=time]")).to_have_attribute("aria-selected", "true")
    playground.page.locator("select[aria-label='open an example']").select_option("lit")
    playground.until("lanewise.store.value.state.files[0].name === 'lit.vsa'")
    playground.page.locator("h1").first.click()
    playground.page.keyboard.press("Control+z")
    playground.until("lanewise.store.value.state.files[0].name === 'toon.v.pica'")
    assert playground.store("state") == state
    second = playground.page.context.new_page()
    second.goto(playground.page.url.partition("#")[0])
    expect(second.locator(".restored")).to_contain_text("Restored")
    assert " Mine." in second.evaluate("lanewise.store.value.state.files[0].text")


def test_a_link_that_is_made_to_do_harm_ends_in_a_sentence(opened: Callable[..., StudioPage]) -> None:
    state = json.dumps({"files": [{"name": "", "text": ""}] * 150_000}, separators=(",", ":")).encode()
    packer = zlib.compressobj(9, wbits=-15)
    link = base64.urlsafe_b64encode(packer.compress(state) + packer.flush()).decode().rstrip("=")
    tab = opened(f"#{link}")
    expect(tab.page.locator(".foot .note.error")).to_contain_text("150000 files: at most 64 are opened")
    assert tab.store("state.files.length") == 2


def test_work_is_cancelled_and_the_page_goes_on(playground: StudioPage) -> None:
    """Cancelling ends the worker; another one starts and has the same program."""
    playground.page.evaluate("lanewise.actions.ask('opt'); lanewise.actions.cancel()")
    playground.until("lanewise.store.value.connected")
    playground.settled()
    playground.page.evaluate("lanewise.actions.pick(3)")
    playground.until("lanewise.store.value.time?.vertex === 3")


def test_everything_is_reached_with_the_keyboard(playground: StudioPage) -> None:
    visited: list[str] = []
    for _ in range(4):
        playground.page.keyboard.press("F6")
        visited.append(playground.value("document.activeElement.closest('section.pane').getAttribute('aria-label')"))
    assert len(set(visited)) == 4
    playground.page.locator("[data-tab=words]").focus()
    for name in ("graph", "optimiser", "convert", "reference"):
        playground.page.keyboard.press("ArrowRight")
        expect(playground.page.locator(f"[data-tab={name}]")).to_have_attribute("aria-selected", "true")
    playground.page.locator(".vertices [role=grid]").focus()
    playground.page.keyboard.press("ArrowDown")
    playground.until("lanewise.store.value.vertex === 0")
    playground.page.keyboard.press("?")
    expect(playground.page.get_by_role("dialog")).to_contain_text("next pane")
    playground.page.keyboard.press("Escape")
    playground.page.get_by_role("button", name="Limits").click()
    expect(playground.page.get_by_role("dialog")).to_contain_text("lanewise compile")


def test_every_control_is_reached_at_320_pixels(opened: Callable[..., StudioPage]) -> None:
    page = opened(width=320, height=640)
    page.page.evaluate("lanewise.actions.pick(7); lanewise.actions.ask('convert', { to: 'nihstro' })")
    page.settled()
    panes = {"source": (), "findings": (), "program": ("words", "graph", "optimiser", "convert", "reference")}
    for pane, tabs in {**panes, "values": ("vertices", "time")}.items():
        page.page.locator(f"[data-pane={pane}]").click()
        expect(page.page.locator("section.pane:visible")).to_have_count(1)
        for tab in tabs or ("",):
            if tab:
                page.tab(tab)
            assert unreachable(page.page) == [], f"{pane} {tab}"
    page.page.get_by_role("button", name="Menu").click()
    assert unreachable(page.page) == []
    page.page.get_by_role("button", name="Limits").click()
    assert unreachable(page.page) == []
    page.page.keyboard.press("Escape")
    page.page.set_viewport_size({"width": 320, "height": 256})
    expect(page.page.locator(".pane-bar")).to_be_in_viewport()
    assert unreachable(page.page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault(opened: Callable[..., StudioPage], theme: str) -> None:
    page = opened(theme=theme)
    page.page.evaluate("lanewise.actions.pick(7)")
    page.until("lanewise.store.value.time !== null")
    page.page.evaluate(
        "lanewise.actions.ask('convert', { to: 'nihstro' }); lanewise.actions.ask('reference', { isa: 'pica200', name: 'mad' })"
    )
    page.settled()
    faults: list[str] = []
    for tab in ("words", "graph", "optimiser", "convert", "reference", "vertices", "time"):
        page.tab(tab)
        page.settled()
        faults += serious_faults(page.page, tab)
    assert faults == []


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080)])
def test_nothing_is_wider_than_the_window(opened: Callable[..., StudioPage], width: int, height: int) -> None:
    page = opened(width=width, height=height, theme="dark")
    assert page.value("document.documentElement.scrollWidth") <= width
    assert page.value("document.documentElement.dataset.theme") == "dark"
    for pane in page.page.locator("section.pane").all():
        box = pane.bounding_box()
        assert box is not None and box["width"] > 200 and box["height"] > 120 and box["x"] + box["width"] <= width
    page.page.get_by_role("button", name=re.compile("^theme")).click()
    assert page.value("document.documentElement.dataset.theme") == "light"


@pytest.mark.skipif(
    "LANEWISE_PICTURES" not in os.environ, reason="LANEWISE_PICTURES=1 takes the pictures of docs/pictures again"
)
@pytest.mark.parametrize(("theme", "name"), [("light", "playground"), ("dark", "playground-dark")])
def test_picture(opened: Callable[..., StudioPage], theme: str, name: str) -> None:
    from PIL import Image

    page = opened(width=1440, height=810, theme=theme)
    page.page.evaluate("lanewise.actions.pick(9)")
    page.until("lanewise.store.value.time !== null")
    page.tab("time")
    page.page.evaluate("lanewise.actions.seek(15)")
    page.page.locator("[data-place='r1.x']").click()
    page.until("lanewise.store.value.explain !== null")
    page.tab("graph")
    page.page.mouse.move(0, 0)
    page.settled()
    page.page.wait_for_timeout(500)
    path = PICTURES / f"{name}.png"
    page.page.screenshot(path=path)
    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(240, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)
