"""The data pane: controls of uniforms, what they say, and what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from browser.studio_page import StudioPage


def test_each_uniform_says_what_it_is(studio: StudioPage) -> None:
    for row in studio.store("data.uniforms"):
        field = studio.uniform(row["name"])
        expect(field).to_have_attribute("title", row["help"])
        expect(field).to_have_accessible_description(row["help"])
        expect(field).to_have_role("group")
    assert studio.store("data.uniforms")[0]["help"].startswith("4 float vectors in c0 to c3; a matrix")


def test_a_slider_and_the_number_above_it_agree(studio: StudioPage) -> None:
    slider = studio.page.get_by_label("sun y, slider")
    number = studio.page.get_by_label("sun y", exact=True)
    slider.focus()
    slider.press("Home")
    expect(number).to_have_value("-4")
    slider.press("ArrowRight")
    expect(number).to_have_value("-3.99")
    studio.settled()
    assert studio.store("state.uniforms.sun")[0][1] == -3.99
    number.fill("1.5")
    expect(slider).to_have_value("1.5")
    studio.settled()
    assert studio.store("data.uniforms")[2]["value"][0][1] == 1.5
    assert studio.store("data.uniforms")[2]["help"].endswith("set on this page")
