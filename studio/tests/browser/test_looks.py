"""Rows that stay one row, texts that are whole, and nothing over anything else."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from browser.studio_page import StudioPage

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
# How many rows the children of an element take, and which of them leave it.
_ROWS = """selector => {
    const box = document.querySelector(selector), around = box.getBoundingClientRect(), tops = [];
    const isSeen = child => child.checkVisibility({ visibilityProperty: true }) && child.offsetWidth > 1;
    const seen = [...box.children].filter(isSeen);
    for (const child of seen) {
        const { top, bottom } = child.getBoundingClientRect();
        const middle = (top + bottom) / 2;
        if (!tops.some(other => Math.abs(other - middle) < 8)) tops.push(middle);
    }
    const out = seen.filter(child => child.getBoundingClientRect().right > Math.min(around.right, innerWidth) + 1);
    return [tops.length, out.map(child => child.textContent)];
}"""
_NAN = """.fvec projection[4]
.constf c(0.0, 1.0, -1.0, 0.5)
.in position
.out outpos position
.proc main
    dp4 outpos.x, projection[0], position
    dp4 outpos.y, projection[1], position
    dp4 outpos.z, projection[2], position
    rsq r1.y, c.z
    mov outpos.w, r1.y
    end
.end
"""


def _example(studio: StudioPage, name: str) -> None:
    studio.load({"files": [{"name": name, "text": (EXAMPLES / name).read_text(encoding="utf-8")}]})


# Texts of rows that are not chosen and are cut, though the one before them leaves room.
_CUT_WITH_ROOM = """grid => {
    const natural = cell => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect();
    };
    return [...grid.querySelectorAll('.grid-row:not(.selected)')].flatMap(row => {
        const [before, last] = [...row.children].slice(-2);
        const room = row.getBoundingClientRect().right - 10 - natural(before).right - 10;
        const isCut = last.scrollWidth > last.clientWidth || before.scrollWidth > before.clientWidth;
        return isCut && natural(last).width < room - 1 ? [last.textContent] : [];
    });
}"""


def test_controls_are_one_row_where_there_is_room(opened: Callable[..., StudioPage]) -> None:
    studio = opened()
    _example(studio, "lighting.v.pica")
    studio.page.evaluate("lanewise.actions.pick(7, null); lanewise.actions.seek(17)")
    studio.tab("time")
    studio.settled()
    for width in (1280, 1600, 1920):
        studio.page.set_viewport_size({"width": width, "height": 800})
        for bar in (".top", ".mesh-tools", ".stage-tools", ".time .bar"):
            assert studio.page.evaluate(_ROWS, bar) == [1, []], (width, bar)
        writes = studio.page.locator(".time .grid-scroll")
        assert writes.evaluate("grid => grid.scrollWidth <= grid.clientWidth"), width
        chosen = writes.locator(".grid-row.selected > span").last  # whole, in its own row
        assert chosen.evaluate("cell => [cell.scrollWidth <= cell.clientWidth, cell.offsetHeight]") == [True, 24], width
        assert writes.evaluate(_CUT_WITH_ROOM) == [], width
    data = base64.b64encode((EXAMPLES / "water.fxb").read_bytes()).decode()
    studio.load({"files": [{"name": "water.fxb", "text": "", "data": data}]})
    studio.page.set_viewport_size({"width": 1280, "height": 800})
    expect(studio.page.locator(".top").get_by_label("program")).to_be_visible()
    assert studio.page.evaluate(_ROWS, ".top") == [1, []]
    slider = studio.page.locator(".data .field", has=studio.page.get_by_label("distance"))
    assert slider.evaluate("field => field.offsetHeight") < 40  # its number is beside it


def test_steps_on_a_phone_are_read_without_scrolling_sideways(opened: Callable[..., StudioPage]) -> None:
    studio = opened(width=390, height=844)
    _example(studio, "lighting.v.pica")
    studio.page.evaluate("lanewise.actions.pick(7, null); lanewise.actions.seek(17)")
    studio.tab("time")
    studio.settled()
    grid = studio.page.locator(".time .grid-scroll")
    assert grid.evaluate("grid => grid.scrollWidth <= grid.clientWidth")
    chosen = grid.locator(".grid-row.selected")
    instruction, writes = chosen.locator("span").nth(2), chosen.locator("span").nth(3)
    expect(writes).to_have_text("r2 = all 0.0")
    above, below = instruction.bounding_box(), writes.bounding_box()
    assert above is not None and below is not None and below["y"] >= above["y"] + above["height"] - 1
    pane, foot = studio.page.locator(".time").bounding_box(), studio.page.locator(".registers").bounding_box()
    assert pane is not None and foot is not None and foot["y"] + foot["height"] > pane["y"] + pane["height"] - 4
    grid.focus()
    for _ in range(3):
        studio.page.keyboard.press("ArrowDown")
    assert studio.store("step") == 20
    expect(chosen).to_be_in_viewport()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_value_covers_no_line(opened: Callable[..., StudioPage], width: int) -> None:
    studio = opened(width=width)
    long = "mov r1.xyz, position.xyz ; " + "x" * 12
    text = _NAN.replace("    rsq", "".join(f"    {long}{'x' * more}\n" for more in range(24)) + "    rsq")
    studio.page.evaluate("text => lanewise.actions.load({files: [{name: 'long.v.pica', text}]})", text)
    studio.until("lanewise.store.value.words !== null && lanewise.store.value.mesh !== null")
    studio.page.evaluate("lanewise.actions.pick(0, null)")
    studio.until("lanewise.store.value.time?.steps.length > 24")
    studio.page.evaluate("lanewise.actions.seek(26)")
    studio.settled()
    covered = studio.page.evaluate(
        """() => [...document.querySelectorAll('.cm-values')].filter((value) => {
            const code = document.createRange(), box = value.getBoundingClientRect();
            code.setStart(value.closest('.cm-line'), 0);
            code.setEndBefore(value);
            const isUnder = (rect) => rect.right > box.left + 1 && rect.bottom > box.top + 4 && rect.top < box.bottom - 4;
            return [...code.getClientRects()].some(isUnder);
        }).map((value) => value.closest('.cm-line').textContent)"""
    )
    assert studio.page.locator(".cm-values").count() > 10 and covered == []


def test_a_position_that_is_nan_names_its_line_once(studio: StudioPage) -> None:
    studio.page.evaluate("text => lanewise.actions.load({files: [{name: 'nan.v.pica', text}]})", _NAN)
    card = studio.page.locator(".why")
    expect(card).to_contain_text("line 9 rsq r1.y, c.z gives NaN")
    expect(card.locator(".attempts")).to_have_count(0)  # no camera changes it


def test_what_is_on_its_way_is_not_called_empty(studio: StudioPage) -> None:
    studio.page.evaluate("lanewise.store.set({ compiled: null, mesh: null, stale: false })")
    expect(studio.page.locator(".compiled")).to_have_text("Compiled code…")
    expect(studio.page.locator(".vertices")).to_have_text("Vertices…")
    studio.page.evaluate("lanewise.store.set({ source: { ...lanewise.store.value.source, ok: false } })")
    expect(studio.page.locator(".compiled")).to_contain_text("as soon as the source has no errors")
    expect(studio.page.locator(".vertices")).to_contain_text("No vertices yet")


def test_an_optimiser_without_a_find_says_what_it_tried(studio: StudioPage) -> None:
    _example(studio, "transform.v.pica")
    studio.tab("optimiser")
    studio.page.get_by_role("button", name="Find smaller programs").click()
    studio.until("lanewise.store.value.opt !== null")
    report = studio.page.locator(".report")
    expect(report).to_contain_text("no program with these outputs has fewer than 4 words")
    expect(report).not_to_contain_text("--report")
    expect(report).not_to_contain_text("before")


def test_an_error_is_named_at_the_foot_and_leads_to_its_line(studio: StudioPage) -> None:
    text = (EXAMPLES / "toon.v.pica").read_text(encoding="utf-8")
    studio.load({"files": [{"name": "toon.v.pica", "text": text}]})
    fault = studio.page.locator(".foot .fault")
    expect(fault).to_be_hidden()
    wrong = text.replace("dp4", "dp9", 1)
    studio.page.evaluate("text => lanewise.actions.change({ files: [{ name: 'toon.v.pica', text }] })", wrong)
    line = wrong[: wrong.index("dp9")].count("\n") + 1
    expect(fault).to_have_text(f"line {line}: unknown instruction 'dp9'")
    fault.click()
    expect(studio.page.locator(".cm-activeLine")).to_contain_text("dp9")


def test_long_names_and_lists_leave_their_controls_in_view(opened: Callable[..., StudioPage]) -> None:
    studio = opened(width=390, height=844)
    name = f"a-{'very-' * 16}long-name.v.pica"
    studio.load({"files": [{"name": name, "text": (EXAMPLES / "toon.v.pica").read_text(encoding="utf-8")}]})
    tab, options = studio.page.get_by_role("tab", name=name).bounding_box(), studio.page.get_by_role("button", name="Options")
    box = options.bounding_box()
    assert tab is not None and box is not None and tab["x"] + tab["width"] <= box["x"] < 390 - box["width"]
    studio.page.set_viewport_size({"width": 390, "height": 500})
    studio.page.keyboard.press("Escape")
    studio.page.evaluate("document.activeElement?.blur()")
    studio.page.keyboard.press("?")
    expect(studio.page.get_by_role("heading", name="Keys")).to_be_in_viewport()


def test_lines_and_their_numbers_are_side_by_side_after_each_change_of_width(studio: StudioPage) -> None:
    _example(studio, "lighting.v.pica")
    for width in (1280, 1920, 1280, 600):
        studio.page.set_viewport_size({"width": width, "height": 800})
        studio.until(
            """(() => {
                const tops = selector => [...document.querySelectorAll(selector)].map(each => each.getBoundingClientRect().top);
                const numbers = tops('.cm-lineNumbers .cm-gutterElement').slice(1), lines = tops('.cm-line');
                const isBeside = (top, at) => numbers[at] === undefined || Math.abs(top - numbers[at]) < 3;
                return lines.length > 9 && lines.every(isBeside);
            })()"""
        )


def test_graphs_have_the_colours_of_the_page_and_begin_at_their_result(studio: StudioPage) -> None:
    _example(studio, "lighting.v.pica")
    studio.tab("graph")
    studio.page.evaluate("lanewise.store.set({ theme: 'dark' })")  # the system's is light
    box, pane = studio.page.locator(".graph .box").first, studio.page.locator(".graph")
    fill, ground = (each.evaluate(f"e => getComputedStyle(e).{name}") for each, name in ((box, "fill"), (pane, "color")))
    expect(box).to_be_visible()
    assert fill not in {"rgb(255, 255, 255)", ground}
    studio.page.evaluate("lanewise.actions.pick(7, null)")
    studio.tab("time")
    studio.until("lanewise.store.value.time?.steps.length > 20")
    studio.page.evaluate("lanewise.actions.seek(25); lanewise.actions.explain('o1.x')")
    studio.until("lanewise.store.value.explain !== null")
    studio.page.get_by_role("button", name="Graph", exact=True).click()
    expect(studio.page.locator(".explain .block").last).to_be_in_viewport()
