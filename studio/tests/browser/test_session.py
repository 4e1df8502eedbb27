"""Nothing is lost: reloads, second tabs, examples, and one stack of changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from browser.studio_page import StudioPage


def typed(studio: StudioPage, text: str) -> None:
    studio.page.evaluate("lanewise.actions.reveal(lanewise.store.value.state.files[0].name, 1)")
    studio.page.locator(".cm-content").focus()
    studio.page.keyboard.press("End")
    studio.page.keyboard.type(text)
    studio.page.keyboard.press("Escape")  # no completion is on its way when another file is opened
    studio.until(f"lanewise.store.value.state.files[0].text.includes({text!r})")
    studio.settled()


def test_a_reload_and_a_second_tab_have_what_was_written(studio: StudioPage) -> None:
    typed(studio, " mine")
    studio.page.evaluate("lanewise.actions.uniform('sun', [[0, 1, 0, 0]])")
    studio.page.evaluate("lanewise.actions.camera({ ...lanewise.store.value.state.camera, yaw: 1.5 })")
    studio.page.evaluate("lanewise.actions.pick(7, null)")
    studio.tab("time")
    studio.settled()
    state = studio.store("state")
    studio.page.reload()
    studio.until("lanewise.store.value.time !== null")
    assert studio.store("state") == state and studio.store("vertex") == 7
    expect(studio.page.locator("[data-tab=time]")).to_have_attribute("aria-selected", "true")
    expect(studio.page.locator(".restored")).to_contain_text("Restored")
    second = studio.page.context.new_page()
    second.goto(studio.page.url)
    expect(second.locator(".restored")).to_contain_text("Restored")
    assert second.evaluate("lanewise.store.value.state.files[0].text") == state["files"][0]["text"]
    second.close()
    studio.page.bring_to_front()
    studio.page.get_by_role("button", name="Begin afresh").click()
    studio.until("lanewise.store.value.state.uniforms === undefined")
    studio.page.keyboard.press("Control+z")
    studio.until("lanewise.store.value.state.camera?.yaw === 1.5")
    assert studio.store("state") == state


def test_one_stack_over_text_values_and_examples(studio: StudioPage) -> None:
    before = studio.store("state")
    typed(studio, " mine")
    text = studio.store("state.files")
    studio.page.evaluate("lanewise.actions.uniform('sun', [[0, 1, 0, 0]])")
    studio.settled()
    own = studio.store("state")
    studio.page.locator("select[aria-label='open an example']").select_option(index=3)
    studio.until("lanewise.store.value.state.files[0].name !== 'light.v.pica'")
    studio.page.locator("body").click(position={"x": 1, "y": 1})
    studio.page.keyboard.press("Control+z")
    studio.until("lanewise.store.value.state.files[0].name === 'light.v.pica'")
    assert studio.store("state") == own
    studio.page.keyboard.press("Control+z")
    studio.until("lanewise.store.value.state.uniforms === undefined")
    assert studio.store("state.files") == text
    studio.page.locator(".cm-content").focus()
    studio.page.keyboard.press("Control+z")
    studio.until("!lanewise.store.value.state.files[0].text.includes('mine')")
    assert studio.store("state") == before
    expect(studio.page.locator(".cm-line").first).not_to_contain_text("mine")
    expect(studio.page.get_by_role("button", name="undo")).to_be_disabled()
    studio.page.get_by_role("button", name="redo").click()
    studio.page.keyboard.press("Control+y")
    studio.until("lanewise.store.value.state.uniforms?.sun !== undefined")
    assert studio.store("state") == own


def test_a_file_that_is_opened_while_the_page_connects_is_shown(studio: StudioPage) -> None:
    state = {"files": [{"name": "early.v.pica", "text": studio.store("state.files[0].text")}]}
    studio.page.add_init_script(
        "Object.defineProperty(window, 'lanewise', { configurable: true, set(value) {"
        " Object.defineProperty(window, 'lanewise', { value, writable: true, configurable: true });"
        f" value.actions.load({json.dumps(state)}); }} }})"
    )
    studio.page.reload()
    studio.until("lanewise.store.value.mesh !== null && lanewise.quiet()")
    assert studio.store("state") == state
    studio.until("!!sessionStorage.getItem('lanewise.studio.session')?.includes('early.v.pica')")
