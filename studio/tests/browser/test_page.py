"""The page as a whole: links, keys, what screen readers get, what it asks of whom."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from websockets.exceptions import InvalidStatus

from browser.axe import serious_faults
from lanewise_studio.keys import LaunchFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from browser.studio_page import StudioPage
    from pages import Running

PICTURES = Path(__file__).resolve().parents[3] / "docs" / "pictures"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault(opened: Callable[..., StudioPage], theme: str) -> None:
    studio = opened(theme=theme)
    studio.page.evaluate("lanewise.actions.pick(7, null)")
    studio.until("lanewise.store.value.time !== null")
    faults: list[str] = []
    for tab in ("words", "graph", "optimiser", "vertices", "time", "wave", "compare", "the dialog that saves"):
        if studio.page.locator(f"[data-tab='{tab}']").count():
            studio.tab(tab)
        else:
            studio.page.keyboard.press("Control+s")
            expect(studio.page.get_by_role("dialog")).to_be_visible()
        studio.settled()
        faults += serious_faults(studio.page, tab)
    assert faults == []


def test_everything_is_reached_with_the_keyboard(studio: StudioPage) -> None:
    """F6 goes through the panes, tabs change with arrows, a row of the table is picked with them."""
    visited: list[str] = []
    for _ in range(5):
        studio.page.keyboard.press("F6")
        visited.append(studio.value("document.activeElement.closest('section.pane').getAttribute('aria-label')"))
    assert len(set(visited)) == 5
    studio.page.locator("[data-tab=vertices]").focus()
    studio.page.keyboard.press("ArrowRight")
    expect(studio.page.locator("[data-tab=time]")).to_have_attribute("aria-selected", "true")
    studio.until("lanewise.store.value.vertex === 0")  # the first, until another one is picked
    studio.page.keyboard.press("ArrowLeft")
    studio.page.locator(".vertices [role=grid]").focus()
    studio.page.keyboard.press("ArrowDown")
    studio.page.keyboard.press("ArrowDown")
    studio.until("lanewise.store.value.vertex === 2")
    studio.page.keyboard.press("Enter")
    studio.until("lanewise.store.value.explain?.place === 'position.x'")
    studio.page.keyboard.press("?")
    expect(studio.page.get_by_role("dialog")).to_contain_text("next pane")
    studio.page.keyboard.press("Escape")
    expect(studio.page.get_by_role("dialog")).to_have_count(0)
    splitter = studio.page.get_by_role("separator").first
    before = splitter.get_attribute("aria-valuenow")
    splitter.focus()
    studio.page.keyboard.press("ArrowRight")
    studio.page.keyboard.press("ArrowRight")
    assert splitter.get_attribute("aria-valuenow") != before


def test_a_link_carries_source_and_data(opened: Callable[..., StudioPage]) -> None:
    first = opened()
    first.page.evaluate("lanewise.actions.uniform('sun', [[0, 1, 0, 0]])")
    first.settled()
    first.page.get_by_role("button", name="Save, share").click()
    dialog = first.page.get_by_role("dialog")
    expect(dialog).to_contain_text(
        "It works on this machine only: what a friend needs is the file. It holds sources and values."
    )
    expect(dialog).to_contain_text("lanewise studio light.shadertest.toml")
    dialog.get_by_role("button", name="Copy link").click()
    expect(dialog.get_by_role("status")).to_contain_text("in the address line")
    first.until("location.hash.length > 10")
    second = opened(first.value("location.hash"))
    assert second.store("state") == first.store("state")
    colours = "[...lanewise.store.value.mesh.arrays.get('output:color').data]"
    assert second.value(colours) == first.value(colours)


def test_without_a_server_the_dialog_says_what_needs_it_and_a_link_does_not(studio: StudioPage) -> None:
    studio.page.route_web_socket("**/*", lambda socket: socket.close())  # those that connect from now on
    studio.page.evaluate("lanewise.wire.channel.close()")
    studio.until("!lanewise.store.value.connected")
    studio.page.keyboard.press("Control+s")
    dialog = studio.page.get_by_role("dialog")
    status = dialog.get_by_role("status")
    for name in ("Save", "Download"):
        dialog.get_by_role("button", name=name, exact=True).click()
        expect(status).to_have_text(re.compile("The server is gone, and this needs it: start lanewise studio again"))
        expect(status).to_have_class(re.compile(r"\berror\b"))
        dialog.get_by_role("button", name="Copy link").click()
        expect(status).to_contain_text("in the address line")
        expect(status).not_to_have_class(re.compile(r"\berror\b"))
    assert len(studio.value("location.hash")) > 10


def test_a_damaged_link_is_refused_with_a_sentence(opened: Callable[..., StudioPage]) -> None:
    studio = opened("#damaged")
    expect(studio.page.locator(".note.error")).to_contain_text("damaged")
    assert studio.store("state.files[0].name") == "light.v.pica"


def test_a_state_that_is_too_long_gives_no_link(studio: StudioPage) -> None:
    studio.page.evaluate(
        "(() => { let noise = '', seed = 1; while (noise.length < 90000) { seed = (seed * 1103515245 + 12345) % 2147483648; "
        "noise += seed.toString(36); }"
        " const { state } = lanewise.store.value; lanewise.store.set({ state: { ...state, files: [{ ...state.files[0], text: "
        "state.files[0].text + '; ' + noise }] } }); })()"
    )
    studio.page.keyboard.press("Control+s")
    studio.page.get_by_role("button", name="Copy link").click()
    expect(studio.page.get_by_role("dialog").get_by_role("status")).to_contain_text("32 kB")
    assert studio.value("location.hash") == ""


def test_two_browsers_do_not_see_each_other(opened: Callable[..., StudioPage]) -> None:
    first, second = opened(), opened()
    color = "[...lanewise.store.value.mesh.arrays.get('output:color').data.slice(0, 400)]"
    before = second.value(color)
    first.page.evaluate("lanewise.actions.uniform('ambient', [[0.9, 0.1, 0.1, 1]])")
    first.settled()
    assert first.value(color) != before
    second.page.evaluate("lanewise.actions.change({ mesh: { name: 'cube' } })")
    second.until("lanewise.store.value.data.mesh.name === 'cube'")
    second.settled()
    assert (first.store("data.mesh.name"), second.store("data.mesh.name")) == ("torus", "cube")
    assert second.store("state.uniforms") is None or "ambient" not in second.store("state.uniforms")


@pytest.mark.parametrize("path", ["/room", "/lsp"])
def test_a_page_of_another_origin_gets_no_socket(running: Running, path: str) -> None:
    with pytest.raises(InvalidStatus):
        running.connect(path, origin="http://example.org").__enter__()


def test_without_the_token_there_is_no_page(opened: Callable[..., StudioPage], running: Running) -> None:
    studio = opened()
    browser = studio.page.context.browser
    assert browser is not None
    context = browser.new_context()
    try:
        assert context.request.get(f"{running.origin}/").status == 403
    finally:
        context.close()


def test_the_private_file_lets_a_browser_in_and_leaves_no_key(chromium: Browser, running: Running) -> None:
    """As a browser is started: a file that posts a key. The history has the page alone."""
    running.guard.state = ""
    file = LaunchFile(running.guard.keys, running.origin)
    context = chromium.new_context()
    try:
        page = context.new_page()
        page.goto(file.path.as_uri())
        page.wait_for_url(f"{running.origin}/")
        page.locator("section.pane:visible").first.wait_for()
        assert file.used.is_set()
        assert page.evaluate("history.length") <= 2
        page.go_back()
        page.reload()
        assert "key" not in page.url
    finally:
        context.close()
        file.remove()


def test_damaged_storage_is_a_fresh_start(studio: StudioPage) -> None:
    page = studio.page
    for name in ("look", "splits"):
        page.evaluate(f"localStorage.setItem('lanewise.studio.{name}', '[')")
    page.reload()
    studio.until("lanewise.store.value.mesh !== null")
    assert "begins afresh" in page.locator(".foot").inner_text()
    page.reload()
    studio.until("lanewise.store.value.mesh !== null")
    assert "begins afresh" not in page.locator(".foot").inner_text()


def test_a_browser_that_keeps_nothing_shows_the_page(studio: StudioPage) -> None:
    """Where site data is blocked `localStorage` itself throws."""
    studio.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError'); } })"
    )
    studio.page.reload()
    studio.until("lanewise.store.value.mesh !== null")
    studio.page.locator("button[aria-label^='theme']").click()
    studio.until("lanewise.store.value.theme === 'light'")


def test_the_page_comes_back_when_the_socket_is_lost(studio: StudioPage) -> None:
    studio.page.evaluate("lanewise.wire.channel.close()")
    studio.until("!lanewise.store.value.connected")
    studio.until("lanewise.store.value.connected")
    studio.settled()
    studio.page.evaluate("lanewise.actions.pick(3, null)")
    studio.until("lanewise.store.value.time?.vertex === 3")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 1920])
def test_nothing_is_wider_than_the_window(opened: Callable[..., StudioPage], width: int, theme: str) -> None:
    studio = opened(width=width, height=1080 if width == 1920 else 800, theme=theme)
    assert studio.value("document.documentElement.scrollWidth") <= width
    assert studio.value("document.documentElement.dataset.theme") == theme
    for pane in studio.page.locator("section.pane:visible").all():
        box = pane.bounding_box()
        assert box is not None and box["width"] > 200 and box["height"] > 120 and box["x"] + box["width"] <= width
    studio.page.get_by_role("button", name="theme").click()
    assert studio.value("document.documentElement.dataset.theme") == "light"


def test_each_example_runs(opened: Callable[..., StudioPage]) -> None:
    studio = opened()
    for example in studio.store("hello.examples"):
        studio.load(example["state"])
        assert studio.store("mesh.head.visible") > 0, example["name"]
        assert studio.store("note") is None


@pytest.mark.skipif(
    "LANEWISE_PICTURES" not in os.environ, reason="LANEWISE_PICTURES=1 takes the pictures of docs/pictures again"
)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures(opened: Callable[..., StudioPage], theme: str) -> None:
    from PIL import Image

    studio = opened(width=1600, height=900, theme=theme)
    studio.page.evaluate("lanewise.actions.pick(199, 292)")
    studio.until("lanewise.store.value.time !== null")
    studio.tab("time")
    studio.page.evaluate("lanewise.actions.seek(17)")
    studio.page.locator("[data-place='r1.x']").click()
    studio.until("lanewise.store.value.explain !== null")
    studio.tab("graph")
    studio.page.mouse.move(0, 0)
    studio.settled()
    studio.page.wait_for_timeout(500)
    path = PICTURES / f"studio-{theme}.png"
    studio.page.screenshot(path=path)
    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(240, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)
