"""The editor: what is typed, what is marked, what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from browser.studio_page import StudioPage

LINE = 18  # dp4 r0.z, modelview[2], position


def to_line(studio: StudioPage, line: int) -> None:
    studio.page.evaluate(f"lanewise.actions.reveal('light.v.pica', {line})")
    studio.page.locator(".cm-content").focus()
    studio.page.keyboard.press("End")


def test_a_mistake_is_marked_and_the_last_good_picture_stays(
    studio: StudioPage, record_property: Callable[[str, object], None]
) -> None:
    visible = studio.store("mesh.head.visible")
    words = studio.store("words.rows.length")
    to_line(studio, LINE)
    studio.page.keyboard.type("q")
    seconds = studio.until("document.querySelector('.cm-lintRange-error')", 20)
    record_property("seconds from the key to the squiggle", round(seconds, 3))
    assert studio.page.locator(".cm-lintRange-error").inner_text() == "positionq"
    studio.until("lanewise.store.value.stale")
    studio.settled()
    assert (studio.store("mesh.head.visible"), studio.store("words.rows.length")) == (visible, words)
    expect(studio.page.locator(".stage")).to_have_class("stage stale")
    expect(studio.page.locator(".status")).to_contain_text("1 error")
    studio.page.keyboard.press("Backspace")
    studio.until("!lanewise.store.value.stale && !document.querySelector('.cm-lintRange-error')")
    expect(studio.page.locator(".stage")).to_have_class("stage")


def test_the_fix_of_a_finding_is_a_button(studio: StudioPage) -> None:
    to_line(studio, LINE)
    for _ in range(len("position")):
        studio.page.keyboard.press("Backspace")
    studio.page.keyboard.type("positon")
    studio.until("document.querySelector('.cm-lintRange-error')", 20)
    studio.page.keyboard.press("Escape")
    studio.page.locator(".cm-lintRange-error").hover()
    action = studio.page.locator(".cm-diagnosticAction").first
    expect(action).to_be_visible()
    action.click()
    studio.until("!document.querySelector('.cm-lintRange-error')")
    assert studio.store("state.files[0].text").splitlines()[LINE - 1].strip() == "dp4 r0.z, modelview[2], position"


def test_hover_and_completion_are_those_of_the_language_server(studio: StudioPage) -> None:
    to_line(studio, 30)
    studio.page.locator(".cm-line").filter(has_text="rsq r1.w").locator("span").first.hover()
    expect(studio.page.locator(".cm-tooltip-hover")).to_contain_text("rsq", timeout=20_000)
    to_line(studio, 30)
    studio.page.keyboard.press("Enter")
    studio.page.keyboard.type("mo")
    studio.page.keyboard.press("Control+Space")
    expect(studio.page.locator(".cm-tooltip-autocomplete")).to_contain_text("mov", timeout=20_000)


def test_words_are_beside_their_lines_in_all_panes(studio: StudioPage) -> None:
    rows = studio.store("words.rows")
    row = next(row for row in rows if row["line"] == LINE)
    assert row["bits"] in studio.page.locator(".cm-words").inner_text()
    listed = studio.page.locator(f".listing li[data-line='{LINE}']")
    assert listed.locator(".bits").inner_text() == row["bits"]
    listed.hover()
    expect(studio.page.locator(".cm-linked")).to_contain_text("modelview[2]")
    studio.tab("graph")
    block = studio.page.locator(".drawing .block").first
    block.locator(".row", has_text="rsq").click()
    studio.until("lanewise.store.value.reveal?.line === 30")


def test_a_program_without_mistakes_is_evaluated_as_it_is_typed(studio: StudioPage) -> None:
    before = studio.value("[...lanewise.store.value.mesh.arrays.get('output:color').data.slice(0, 4)]")
    text = studio.store("state.files[0].text")
    assert "mov outclr.xyz, r3" in text
    to_line(studio, next(number for number, line in enumerate(text.splitlines(), 1) if "mov outclr.xyz, r3" in line))
    for _ in range(2):
        studio.page.keyboard.press("Backspace")
    studio.page.keyboard.type("one")
    studio.page.keyboard.press("Escape")
    studio.until("lanewise.store.value.mesh.arrays.get('output:color').data[0] === 1")
    studio.settled()
    assert before[:3] != [1, 1, 1] and studio.value(
        "[...lanewise.store.value.mesh.arrays.get('output:color').data.slice(0, 3)]"
    ) == [1, 1, 1]
