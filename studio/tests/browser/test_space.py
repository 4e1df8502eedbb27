"""Panes earn their space, and their controls are reached: by a screen reader, a finger, and the tab key."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from browser.studio_page import StudioPage

TREE = Path(__file__).with_name("tree.txt")
BUDGET = 1_250_000  # bytes of what is loaded first, as it is
_FLOATS = """#version 450
layout(location = 0) in vec3 position;
layout(location = 0) out vec4 color;
uniform float size;
uniform vec2 shift;
uniform mat4 mvp;
void main() {
    color = vec4(size);
    gl_Position = mvp * vec4(position.xy + shift, position.z, 1.0);
}
"""
_NUMBERS = "         " + ", ".join(["0x00000000"] * 8)
_COMMENTED = "\n".join(
    ["vs_2_0", f".comment {_NUMBERS.strip()},", *[f"{_NUMBERS},"] * 8, _NUMBERS, "dcl_position v0", "mov oPos, v0", ""]
)
_QUIET = ("generic", "none", "InlineTextBox", "StaticText", "LineBreak", "ListMarker", "paragraph", "Abbr", "code", "strong")
_DATA = ("gridcell", "cell")  # values: others on another mesh


def _lines(nodes: Mapping[str, Mapping[str, Any]], key: str, depth: int) -> Iterator[str]:
    """Roles and names below a node, as a screen reader goes through them."""
    node = nodes[key]
    role, name = node["role"]["value"], node.get("name", {}).get("value", "")
    shown = not node.get("ignored") and role not in (*_QUIET, *_DATA)
    if shown:
        states = {row["name"]: row["value"].get("value") for row in node.get("properties", ())}
        marks = [
            mark for mark in ("selected", "checked", "expanded", "pressed", "disabled") if states.get(mark) in (True, "true")
        ]
        yield "  " * depth + " ".join([role, *([repr(name)] if name else []), *marks])
    for child in node.get("childIds", ()):
        if child in nodes and role not in ("slider", "spinbutton", "textbox", "combobox", "MenuListPopup", "image", "img"):
            yield from _lines(nodes, child, depth + shown)


def tree(studio: StudioPage) -> str:
    """The accessibility tree of the page as text, without the text of the editor."""
    session = studio.page.context.new_cdp_session(studio.page)
    found: Any = session.send("Accessibility.getFullAXTree")
    nodes = {node["nodeId"]: node for node in found["nodes"]}
    session.detach()
    return "\n".join(_lines(nodes, found["nodes"][0]["nodeId"], 0)) + "\n"


def test_the_accessibility_tree_is_the_recorded_one(studio: StudioPage) -> None:
    """`LANEWISE_TREE=1` records it again."""
    studio.settled()
    studio.page.evaluate("document.activeElement?.blur()")
    found = tree(studio)
    if os.environ.get("LANEWISE_TREE"):
        TREE.write_text(found, encoding="utf-8")
    assert found == TREE.read_text(encoding="utf-8")


def test_nothing_hides_what_has_the_focus(opened: Callable[..., StudioPage]) -> None:
    """WCAG 2.2, 2.4.11, in a wide window and in a narrow one, whose bar is at the bottom."""
    for width, height, least in ((1280, 800, 16), (390, 600, 6)):
        studio = opened(width=width, height=height)
        studio.settled()
        hidden: list[str] = []
        seen: set[str] = set()
        for _ in range(90):
            studio.page.keyboard.press("Tab")
            found = studio.page.evaluate(
                """() => {
                    const e = document.activeElement, r = e.getBoundingClientRect();
                    const name = `${e.tagName} ${e.getAttribute('aria-label') ?? e.id ?? ''} ${e.textContent.slice(0, 20)}`;
                    if (e === document.body) return [name, true];
                    const at = (x, y) => {
                        const top = document.elementFromPoint(x, y);
                        return top !== null && (e.contains(top) || top.contains(e));
                    };
                    const xs = [r.left + 2, r.left + r.width / 2, r.right - 2];
                    return [name, xs.some((x) => [r.top + 2, r.top + r.height / 2, r.bottom - 2].some((y) => at(x, y)))];
                }"""
            )
            if not found[1]:
                hidden.append(f"{width}: {found[0]}")
            seen.add(found[0])
            if found[0].startswith("DIV source of"):  # the editor takes the tab key: Escape first
                studio.page.keyboard.press("Escape")
        assert hidden == []
        assert len(seen) >= least


def test_columns_are_sorted_and_choices_made_with_the_keyboard(studio: StudioPage) -> None:
    """What is drawn again, a head of the table or a control of the data, keeps the focus."""
    studio.settled()
    focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    studio.page.locator(".vertices [role=grid]").focus()
    studio.page.keyboard.press("Tab")
    for _ in range(2):
        studio.page.keyboard.press("ArrowRight")
    studio.page.keyboard.press("Enter")
    head = studio.page.locator("[aria-sort]")
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(head).to_contain_text("position.x")
    assert studio.value(focused).startswith("position.x")
    numbers = [
        float(row.inner_text().replace("−", "-")) for row in studio.page.locator(".vertices .grid-row span:nth-child(3)").all()
    ]
    assert len(numbers) > 3
    assert numbers == sorted(numbers)
    choice = studio.page.get_by_label("source of projection")
    choice.focus()
    choice.select_option("viewprojection")
    studio.until("lanewise.store.value.data.uniforms[0].camera === 'viewprojection'")
    studio.settled()
    assert studio.value(focused) == "source of projection"


def test_a_float_has_one_slider_and_numbers_of_comments_are_folded(studio: StudioPage) -> None:
    studio.load({"files": [{"name": "floats.vert", "text": _FLOATS}]})
    expect(studio.uniform("size").locator("input[type=range]")).to_have_count(1)
    expect(studio.uniform("shift").locator("input[type=range]")).to_have_count(2)
    studio.uniform("size").locator("input[type=text]").fill("0.5")
    studio.settled()
    assert studio.store("state.uniforms.size") == [[0.5, 1, 1, 1]]
    studio.load({"files": [{"name": "commented.vsa", "text": _COMMENTED}]})
    fold = studio.page.locator(".cm-foldPlaceholder")
    expect(fold).to_have_text("10 lines of numbers")
    fold.click()
    expect(fold).to_have_count(0)


def test_lanes_that_are_alike_are_one_sentence(studio: StudioPage) -> None:
    studio.page.evaluate("lanewise.actions.pick(3, null)")
    studio.settled()
    studio.tab("wave")
    expect(studio.page.locator(".waves")).to_contain_text("All 16 alike")
    expect(studio.page.locator(".waves svg")).to_have_count(0)
    studio.page.get_by_role("button", name="Show every lane").click()
    expect(studio.page.locator(".waves svg")).to_have_count(1)


def test_a_long_press_leads_to_the_steps(studio: StudioPage) -> None:
    studio.settled()
    flags, index = (
        studio.value("lanewise.store.value.mesh.arrays.get('fate').data"),
        "lanewise.store.value.mesh.arrays.get('index')",
    )
    triangle = flags.index(255, len(flags) // 2)
    x, y = studio.canvas_place(studio.value(f"{index}.data[{3 * triangle}]"))
    studio.canvas.evaluate(
        """(canvas, [x, y]) => {
            canvas.setPointerCapture = () => undefined;
            const touch = { pointerId: 1, pointerType: 'touch', isPrimary: true, clientX: x, clientY: y };
            canvas.dispatchEvent(new PointerEvent('pointerdown', touch));
        }""",
        [x, y],
    )
    studio.until("lanewise.store.value.time !== null")
    expect(studio.page.locator("[data-tab=time]")).to_have_attribute("aria-selected", "true")


def test_a_page_of_no_more_than_its_budget_that_moves_only_where_motion_is_wanted(studio: StudioPage) -> None:
    sizes = studio.value("performance.getEntriesByType('resource').map((entry) => entry.decodedBodySize)")
    assert 0 < sum(sizes) <= BUDGET
    studio.page.emulate_media(reduced_motion="reduce")
    moving = "[...document.querySelectorAll('*')].filter((e) => getComputedStyle(e).animationName !== 'none').length"
    studio.page.evaluate("lanewise.store.set({ data: null, source: null })")
    assert studio.page.locator(".data .loading").count() == 1
    assert studio.value(moving) == 0
    studio.page.emulate_media(reduced_motion="no-preference")
    assert studio.value(moving) > 0
