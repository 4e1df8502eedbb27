"""A recorded frame on the page: the strip of draws, a draw in the panes, an edit, and the list of vertices that differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from black_frame import black_frame
from pica200_frames import EMIT, FLOAT, IDENTITY, TRIANGLE, Recorder, assembled, triangle
from playwright.sync_api import expect

from browser.axe import serious_faults

if TYPE_CHECKING:
    from collections.abc import Callable

    from browser.studio_page import StudioPage

BROKEN = 3


def moving() -> Recorder:
    """A draw whose geometry shader moves its triangles by a uniform."""
    moves = EMIT.replace(".in a v0", ".fvec move\n.in a v0").replace("mov o, v0", "add o, move, v0")
    recorder = Recorder().state().write(0x244, 1).program(assembled()).program(assembled(geometry=moves), stage="geometry")
    recorder.attributes((FLOAT, 3), (FLOAT, 4), fixed=2).uniforms(IDENTITY).default(1, 1, 0.5, 0, 1).vertices(TRIANGLE)
    recorder.uniforms([(0.0, 0.5, 0.0, 0.0)], base=0x280).write(0x229, 2).write(0x252, 0).write(0x289, 1).write(0x25E, 0x300)
    return recorder.arrays(3).submit()


def uneven() -> Recorder:
    """A triangle that profiles agree on, one that they do not, and a draw that cannot be run."""
    recorder = triangle().uniforms([(1 / 3, 1 / 3, 1 / 3, 0.0), *IDENTITY[1:]], wide=True)
    recorder.vertices([(0.1, 0.7, -0.9), (0.0, 0.0, -0.5), (0.3, 0.6, -0.7)]).arrays(3).submit()
    return recorder.write(0x2BA, 0x7FFF0100).arrays(3).submit()


def frame(draws: int) -> bytes:
    """Triangles of two sizes, of which one draw cannot be run."""
    recorder = triangle()
    for number in range(1, draws):
        recorder.uniforms([((0.5, 1.0)[number % 2], 0.0, 0.0, 0.0), *IDENTITY[1:]])
        recorder.write(0x2BA, 0x7FFF0100 if number == BROKEN else 0x7FFF0000).arrays(3).submit()
    return recorder.citrace()


def recorded(opened: Callable[..., StudioPage], data: bytes, **look: Any) -> StudioPage:
    """A page on which a frame is opened."""
    studio = opened(**look)
    studio.page.get_by_label("open a file").set_input_files(
        {"name": "a.ctf", "mimeType": "application/octet-stream", "buffer": data}
    )
    at(studio, 0)
    return studio


@pytest.fixture
def film(opened: Callable[..., StudioPage], request: pytest.FixtureRequest) -> StudioPage:
    return recorded(opened, frame(500), **getattr(request, "param", {}))


def at(studio: StudioPage, number: int) -> None:
    """Wait until a draw is shown."""
    studio.until(f"lanewise.store.value.draw !== null && lanewise.store.value.draw.number === {number}")
    studio.settled()


def test_keys_walk_among_draws_and_a_broken_one_hides_no_other(film: StudioPage) -> None:
    strip = film.page.get_by_role("listbox", name="draws")
    film.until("lanewise.store.value.thumbnails.size >= 8")
    assert film.page.locator(".film-card").count() < 20  # of 500
    expect(strip.get_by_role("option", selected=True)).to_have_accessible_name(
        "draw 0, frame 0, 3 vertices, triangles, vertex 58c1b6e6, 1 note"
    )
    for number in range(1, BROKEN + 1):
        film.page.keyboard.press("Alt+PageDown")
        at(film, number)
    expect(film.page.locator(".draw-pane [role=alert]")).to_contain_text("This draw does not run")
    expect(film.page.locator(".foot .status")).to_contain_text("draw 3 does not run")
    strip.focus()
    film.page.keyboard.press("ArrowRight")
    at(film, BROKEN + 1)
    assert film.store("mesh.head.visible") == 1
    film.page.keyboard.press("End")
    at(film, 499)
    expect(strip.get_by_role("option", selected=True)).to_be_in_viewport()


def test_a_draw_runs_again_after_an_edit_and_the_recording_comes_back(film: StudioPage) -> None:
    expect(film.page.locator(".source-badge").first).to_have_text("fed")
    before = film.value("[...lanewise.store.value.mesh.arrays.get('output:position').data]")
    text = film.store("state.files[0].text")
    film.page.evaluate(
        "text => lanewise.actions.change({files: [{...lanewise.store.value.state.files[0], text}]})", text.replace("c0", "c1")
    )
    film.until(
        f"JSON.stringify([...lanewise.store.value.mesh.arrays.get('output:position').data]) !== JSON.stringify({before})"
    )
    film.settled()
    film.until("lanewise.store.value.edited.has(0)")
    film.page.keyboard.press("Alt+PageDown")
    at(film, 1)
    assert "c1, v0" in film.store("state.files[0].text")
    film.page.keyboard.press("Alt+PageUp")
    at(film, 0)
    assert film.store("state.files[0].text") == text.replace("c0", "c1")
    film.tab("draw")
    film.page.get_by_role("button", name="Back to what was recorded").click()
    film.settled()
    assert film.value("[...lanewise.store.value.mesh.arrays.get('output:position').data]") == before


def test_registers_that_changed_are_first_and_a_vertex_that_differs_is_a_key_away(film: StudioPage) -> None:
    for number in (1, 2):
        film.page.keyboard.press("Alt+PageDown")
        at(film, number)
    film.tab("registers")
    first = film.page.locator(".register-topics details").first
    expect(first.locator("summary")).to_contain_text("vertex uniforms1 changed")
    expect(first.locator("tr.changed")).to_contain_text("(1, 0, 0, 0)")
    film.tab("compare")
    film.page.evaluate(
        "lanewise.actions.ask('compare', {other: {...lanewise.store.value.state, draw: {file: 'a.ctf', number: 0}}})"
    )
    listed = film.page.get_by_role("grid", name="vertices that differ")
    expect(listed).to_be_visible()
    listed.focus()
    film.page.keyboard.press("ArrowDown")
    film.page.keyboard.press("ArrowDown")
    film.until("lanewise.store.value.vertex === 1")
    film.until("lanewise.store.value.time !== null")


def test_vertices_of_the_whole_frame_that_differ_are_badges_and_a_list_that_leads_there(
    opened: Callable[..., StudioPage],
) -> None:
    studio = recorded(opened, uneven().citrace())
    studio.tab("compare")
    studio.page.get_by_label("another profile for the whole frame").select_option("azahar")
    studio.until("lanewise.store.value.apart !== null && lanewise.store.value.apart.draws.length === 3")
    expect(studio.page.locator(".film-apart")).to_have_text("hardware against azahar: 1 draw differs")
    expect(studio.page.locator(".film-differ")).to_have_text(["≠2"])
    expect(studio.page.get_by_role("option", name="draw 1,")).to_have_accessible_name(re.compile("2 of 3 vertices differ$"))
    listed = studio.page.get_by_role("grid", name="draws that differ")
    listed.focus()
    studio.page.keyboard.press("ArrowDown")
    at(studio, 1)
    studio.until("lanewise.store.value.vertex === 0 && lanewise.store.value.compare !== null")
    assert [row["vertex"] for row in studio.store("compare.list")] == [0, 2]
    studio.settled()
    assert serious_faults(studio.page, "compare") == []


def test_a_draw_that_is_not_visible_says_why_and_its_picture_has_room(opened: Callable[..., StudioPage]) -> None:
    away = triangle().uniforms([(1.0, 0.0, 0.0, 3.0), *IDENTITY[1:]], wide=True).arrays(3).submit()
    studio = recorded(opened, away.write(0x2BA, 0x7FFF0100).arrays(3).submit().citrace())
    studio.page.keyboard.press("Alt+PageDown")
    at(studio, 1)
    expect(studio.page.locator(".why")).to_contain_text("above the upper edge of the screen")
    reasons = studio.page.locator(".film-reason")
    expect(reasons).to_have_text(["not visibleabove the screen", re.compile("entry point of the vertex shader")])
    marks = studio.page.locator(".film-marks")
    top = "e => { const text = document.createRange(); text.selectNodeContents(e); return text.getBoundingClientRect().top; }"
    for number in (0, 1):
        expect(marks.nth(number + 1)).to_contain_text(re.compile("note|finding"))
        place = marks.nth(number + 1).bounding_box()
        assert place is not None and reasons.nth(number).evaluate(top) >= place["y"] + place["height"] - 3
    picture, controls = studio.canvas.bounding_box(), studio.page.locator(".stage-tools").bounding_box()
    assert studio.value("lanewise.view.area().height") > 80
    assert picture is not None and controls is not None and picture["x"] + picture["width"] <= controls["x"]


def test_a_black_draw_names_the_finding_of_its_recording_that_is_the_cause(opened: Callable[..., StudioPage]) -> None:
    studio = recorded(opened, black_frame())
    studio.page.keyboard.press("Alt+PageDown")
    at(studio, 1)
    cause = studio.page.locator(".why .reason").first
    expect(cause).to_contain_text(re.compile(r"The recording is a likely cause \(F016, under Draw\): each row of c\d+-c\d+ is"))
    expect(cause.locator(".fix")).to_have_text(re.compile("send x, y, z, w in one order"))
    studio.page.evaluate("lanewise.actions.change({ topology: 'strip' })")  # what is edited is no longer the recording
    studio.until("lanewise.store.value.edited.has(1)")
    expect(studio.page.locator(".mesh-pane")).not_to_contain_text("F016")


def test_at_400_percent_the_pane_that_is_chosen_is_not_below_the_strip(opened: Callable[..., StudioPage]) -> None:
    studio = recorded(opened, black_frame(), width=320, height=256)
    expect(studio.page.locator(".note")).to_contain_text("a.ctf opened")
    for pane in ("values", "picture", "picture"):
        studio.page.evaluate("scrollTo(0, 0)")
        studio.page.locator(f"[data-pane={pane}]").click()
        shown = studio.page.locator("section.pane.chosen").bounding_box()
        assert shown is not None and shown["y"] < 20
        expect(studio.page.locator(".note")).to_have_text("")  # what was said of the file does not cover it
    studio.page.set_viewport_size({"width": 390, "height": 844})
    studio.page.evaluate("scrollTo(0, 0)")
    studio.page.locator("[data-pane=values]").click()
    assert studio.value("scrollY") == 0


def test_uniforms_of_both_stages_are_edited(opened: Callable[..., StudioPage]) -> None:
    studio = recorded(opened, moving().citrace())
    studio.tab("data")
    row = studio.uniform("geometry/c0")
    expect(row.locator(".label")).to_have_text("c0geometry")
    expect(studio.uniform("c0").locator(".label")).to_have_text("c0vertex")
    before = studio.value("[...lanewise.store.value.mesh.arrays.get('output:position').data]")
    row.get_by_label("geometry/c0 x", exact=True).fill("0.25")
    studio.until("lanewise.store.value.data.uniforms.at(-1).source === 'page'")
    studio.settled()
    after = studio.value("[...lanewise.store.value.mesh.arrays.get('output:position').data]")
    assert after == [value + (0.25 if place % 4 == 0 else 0) for place, value in enumerate(before)]
    assert studio.store("note.error") is not True
    studio.until("lanewise.store.value.edited.has(0)")


@pytest.mark.parametrize("film", [{"theme": "light"}, {"theme": "dark"}, {"width": 390, "height": 844}], indirect=True)
def test_axe_finds_no_serious_fault(film: StudioPage) -> None:
    film.until("lanewise.store.value.thumbnails.size >= 4")
    faults: list[str] = []
    film.page.keyboard.press("Alt+PageDown")
    at(film, 1)
    for tab in ("draw", "registers"):
        film.tab(tab)
        film.settled()
        faults += serious_faults(film.page, tab)
    assert faults == []
    cells = "[...document.querySelectorAll('.draw-pane td, .register-topics td')]"
    cut = f"{cells}.filter((cell) => cell.getBoundingClientRect().right > innerWidth)"
    assert film.value(f"{cut}.map((cell) => cell.textContent)") == []
    assert film.value("document.querySelector('.filmstrip').getBoundingClientRect().right <= innerWidth")


def test_a_frame_and_its_edits_are_there_after_a_reload_and_in_a_second_tab(opened: Callable[..., StudioPage]) -> None:
    studio = recorded(opened, frame(4))
    studio.page.evaluate("lanewise.actions.draw(2)")
    at(studio, 2)
    studio.page.evaluate("lanewise.actions.change({ topology: 'strip' })")
    studio.until("lanewise.store.value.edited.has(2)")
    studio.page.evaluate("lanewise.actions.draw(1)")
    at(studio, 1)
    studio.page.evaluate("lanewise.actions.change({ topology: 'fan' })")
    studio.until("lanewise.store.value.edited.has(1)")
    studio.page.evaluate("lanewise.actions.pick(1, null)")
    studio.settled()
    state = studio.store("state")
    studio.page.reload()
    at(studio, 1)
    assert studio.store("state") == state and studio.store("vertex") == 1
    assert studio.value("[...lanewise.store.value.edited].sort()") == [1, 2]
    expect(studio.page.locator(".restored")).to_contain_text("with 2 edited draws")
    second = studio.page.context.new_page()
    second.goto(studio.page.url)
    expect(second.locator(".restored")).to_contain_text("with 2 edited draws")
    assert second.evaluate("lanewise.store.value.state.topology") == "fan"
    second.close()
    studio.page.bring_to_front()
    studio.page.get_by_role("button", name="Back to what was recorded").first.click()
    studio.until("lanewise.store.value.state.topology !== 'fan'")
    studio.page.evaluate("lanewise.actions.draw(2)")
    at(studio, 2)
    assert studio.store("state.topology") == "strip"


def test_a_frame_that_the_browser_has_lost_is_said(opened: Callable[..., StudioPage]) -> None:
    studio = recorded(opened, frame(2))
    studio.page.evaluate("lanewise.actions.change({ topology: 'fan' })")
    studio.until("lanewise.store.value.edited.has(0)")
    studio.settled()
    studio.page.evaluate("""async () => {
      const database = await new Promise((done) => {
        const asked = indexedDB.open("lanewise.studio");
        asked.onsuccess = () => done(asked.result);
      });
      const change = database.transaction("bytes", "readwrite");
      change.objectStore("bytes").clear();
      await new Promise((done) => { change.oncomplete = done; });
    }""")
    studio.page.reload()
    expect(studio.page.locator(".note")).to_contain_text("a.ctf of the last visit is not kept by this browser")
    studio.until("lanewise.store.value.mesh !== null && lanewise.store.value.state.draw === undefined")
