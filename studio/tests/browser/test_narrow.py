"""One pane at a time: phones, and windows that are zoomed to 200 and 400 %."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from browser.axe import serious_faults
from browser.reflow import unreachable

if TYPE_CHECKING:
    from collections.abc import Callable

    from browser.studio_page import StudioPage

PANES = {
    "source": (),
    "data": (),
    "program": ("words", "graph", "optimiser"),
    "picture": (),
    "values": ("vertices", "time", "wave", "compare"),
}


def test_every_control_is_reached_at_320_pixels(opened: Callable[..., StudioPage]) -> None:
    studio = opened(width=320, height=640)
    studio.page.evaluate("lanewise.actions.pick(7, null); lanewise.actions.seek(9)")
    studio.settled()
    faults: list[str] = []
    for pane, tabs in PANES.items():
        studio.page.locator(f"[data-pane={pane}]").click()
        expect(studio.page.locator("section.pane:visible")).to_have_count(1)
        for tab in tabs or ("",):
            if tab:
                studio.tab(tab)
                studio.settled()
            if tab == "time":
                studio.page.evaluate("lanewise.actions.explain('r0.x')")
                studio.settled()
            faults += [f"{pane} {tab}: {fault}" for fault in unreachable(studio.page)]
    assert faults == []
    menu = studio.page.get_by_role("button", name="Menu")
    expect(studio.page.get_by_role("button", name="Save, share")).to_be_hidden()
    menu.click()
    assert unreachable(studio.page) == []
    studio.page.get_by_role("button", name="theme").click()
    assert studio.value("document.documentElement.dataset.theme") == "light"
    studio.page.keyboard.press("?")
    expect(studio.page.get_by_role("dialog")).to_be_visible()
    assert unreachable(studio.page) == []
    assert serious_faults(studio.page, "narrow") == []
    studio.page.keyboard.press("Escape")
    studio.page.set_viewport_size({"width": 320, "height": 256})  # 1280x1024 at 400 %: the page scrolls, and the bar stays
    assert studio.value("document.documentElement.scrollHeight") > 256
    for pane in PANES:
        studio.page.locator(f"[data-pane={pane}]").click()
        assert unreachable(studio.page) == [], pane
        expect(studio.page.locator(".pane-bar")).to_be_in_viewport()
    for width, shown in ((640, 1), (900, len(PANES))):
        studio.page.set_viewport_size({"width": width, "height": 500})
        expect(studio.page.locator("section.pane:visible")).to_have_count(shown)
        assert studio.value("document.documentElement.scrollWidth") <= width


def test_values_of_the_first_difference_are_in_view_at_390_pixels(opened: Callable[..., StudioPage]) -> None:
    studio = opened(width=390, height=844)
    studio.tab("compare")
    studio.page.get_by_label("another profile or device").select_option("azahar")
    studio.until("lanewise.store.value.compare?.first != null")
    values = studio.page.locator(".first b")
    expect(values).to_have_count(2)
    for value in values.all():
        box = value.bounding_box()
        assert box is not None and box["x"] + box["width"] < 380
    assert studio.value("document.querySelector('.compare').scrollWidth <= document.querySelector('.compare').clientWidth")


def test_what_leads_to_a_pane_shows_it_and_two_fingers_zoom(opened: Callable[..., StudioPage]) -> None:
    """A row of the words leads to its line, F6 goes through the panes, and the choice is kept."""
    studio = opened(width=390, height=844)
    studio.page.locator("[data-pane=program]").click()
    studio.page.locator(".listing .linked-row").nth(4).click()
    expect(studio.page.locator(".source-pane")).to_be_visible()
    visited: list[str] = []
    for _ in PANES:
        studio.page.keyboard.press("F6")
        visited.append(studio.page.locator("section.pane:visible").get_attribute("aria-label") or "")
    assert len(set(visited)) == len(PANES)
    studio.page.locator("[data-pane=picture]").click()
    studio.page.evaluate("lanewise.store.set({space: 'object'})")
    before = studio.value("lanewise.view.orbits.object.distance")
    studio.canvas.evaluate(
        """canvas => {
            canvas.setPointerCapture = () => undefined;
            const event = (type, id, x, y) => new PointerEvent(type, { pointerId: id, clientX: x, clientY: y });
            const send = (...what) => canvas.dispatchEvent(event(...what));
            const { left, top } = canvas.getBoundingClientRect();
            send('pointerdown', 1, left + 100, top + 100); send('pointerdown', 2, left + 200, top + 100);
            send('pointermove', 2, left + 300, top + 100);
            send('pointerup', 1, left + 100, top + 100); send('pointerup', 2, left + 300, top + 100);
        }"""
    )
    assert abs(studio.value("lanewise.view.orbits.object.distance") / before - 0.5) < 0.02
    assert studio.store("vertex") is None
    studio.page.reload()
    studio.until("lanewise.store.value.mesh !== null")
    expect(studio.page.locator("[data-pane=picture]")).to_have_attribute("aria-selected", "true")
