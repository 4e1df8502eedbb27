"""Time: steps of the picked vertex in both directions, data breakpoints, explanations, lanes."""

from __future__ import annotations

import json
import os
import re
import statistics
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

from installed import needs
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import CDPSession

    from browser.studio_page import StudioPage

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


# Ten thousand steps in two loops and a call, with what the rasterizer needs around them.
LONG = """\
.ivec rows
.ivec columns
.fvec projection[4]
.constf c(0.5, 0.25, 0.75, 1.0)
.in position
.out outpos position
.out outclr color
.proc main
    mov r0, position
    mov r1, c
    for rows
        for columns
            call turn
            add r1, c.x, r1
            max r1, c.x, r1
        .end
        mul r3, c.y, r1
    .end
    dp4 outpos.x, projection[0], r0
    dp4 outpos.y, projection[1], r0
    dp4 outpos.z, projection[2], r0
    dp4 outpos.w, projection[3], r0
    mov outclr, r1
    end
.end
.proc turn
    mul r1, c.z, r1
    min r2, c.w, r1
    mov r1, r2
.end
"""
FRAMES = int(os.environ.get("LANEWISE_FRAMES", "60"))
# A drag there and back again, a position in each frame. It is given as the browser gives the events of a pointer: within the
# frame, before the callbacks of animations; the event of a scrolled element comes then too. For each position: milliseconds
# from one frame to the next, those of our scripts, whether what follows the step failed to show it at the end of the frame, and
# how many nodes were added to the page.
SCRUB = """frames => new Promise(finished => {
    const find = selector => document.querySelector(selector), slider = find('.scrubber'), last = Number(slider.max);
    const found = [], {steps} = lanewise.store.value.time, lines = lanewise.store.value.state.files[0].text.split('\\n');
    const shows = count => {
        const step = steps[count - 1], row = find('.time .grid-row.selected');
        const told = find('.where').textContent, done = step === undefined ? '' : `step ${step.number} done`;
        if (!told.startsWith(done) || (step === undefined) !== (row === null)) return false;
        if (step === undefined) return true;
        const [box, pane] = [row, find('.time .grid-scroll')].map(element => element.getBoundingClientRect());
        const line = find('.cm-done'), word = find('.linked-row.done');
        return Number(row.dataset.row) === count - 1 && box.top >= pane.top && box.bottom <= pane.bottom + 1
            && line.textContent.startsWith(lines[step.line - 1]) && Number(word.dataset.address) === step.address;
    };
    const pulse = document.body.appendChild(document.createElement('div'));
    pulse.style.cssText = 'position: fixed; width: 9px; height: 9px; overflow: hidden; contain: strict; opacity: 0';
    pulse.appendChild(document.createElement('div')).style.height = '99px';
    let made = 0;
    const watch = new MutationObserver(changes => {
        for (const change of changes) made += change.addedNodes.length;
    });
    watch.observe(document.body, {childList: true, subtree: true});
    const next = () => { pulse.scrollTop = 1 - pulse.scrollTop; };
    let n = -30, before = 0, at = 0;
    pulse.onscroll = () => {
        if (n > 0) found[n - 1].push(shows(at) ? 0 : 1, made);
        made = 0;
        if (n === frames) {
            watch.disconnect();
            pulse.remove();
            finished(found);
            return;
        }
        const part = Math.max(n, 0) / frames * 2, started = performance.now();
        at = Math.round(last * (part < 1 ? part : 2 - part));
        slider.value = String(at);
        slider.dispatchEvent(new Event('input'));
        const script = performance.now() - started;
        requestAnimationFrame(now => {
            if (n >= 0) found.push([now - before, script]);
            [before, n] = [now, n + 1];
            next();
        });
    };
    next();
})"""


def counters(session: CDPSession) -> dict[str, float]:
    """What the browser has counted of a page."""
    return {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}


def picked(studio: StudioPage, vertex: int = 5) -> list[Any]:
    studio.page.evaluate(f"lanewise.actions.pick({vertex}, null)")
    studio.until(f"lanewise.store.value.time?.vertex === {vertex}")
    studio.tab("time")
    return studio.store("time.steps")


def margin(studio: StudioPage) -> dict[str, str]:
    lines = studio.page.locator(".cm-line:has(.cm-values)")
    return {line.inner_text().split("\n")[0]: line.locator(".cm-values").inner_text() for line in lines.all()}


def test_the_second_round_of_a_loop_is_two_actions_away(studio: StudioPage) -> None:
    """The first vertex has its steps as soon as the tab is chosen, and a loop runs twice until its count is given."""
    studio.load({"files": [{"name": "lighting.v.pica", "text": (EXAMPLES / "lighting.v.pica").read_text()}]})
    studio.tab("vertices")
    studio.tab("time")
    studio.until("lanewise.store.value.time?.vertex === 0")
    studio.page.locator(".time .grid-scroll").evaluate("grid => { grid.scrollTop = 14 * 24; }")
    studio.page.locator(".time .grid-row").filter(has_text="round 2").first.click()
    studio.until("lanewise.store.value.step > 0")
    # beside the lines that the second round has not reached is what the first has left
    step: int = studio.store("step")
    expect(studio.page.locator(".cm-values.old").first).to_have_text(re.compile("^round 1: "))
    studio.page.evaluate(f"lanewise.actions.seek({step - 1})")
    expect(studio.page.locator(".cm-values.old")).to_have_count(0)
    studio.page.evaluate(f"lanewise.actions.seek({step})")
    step: int = studio.store("step")
    steps = studio.store("time.steps")
    assert steps[step - 1]["address"] in {each["address"] for each in steps[: step - 1]}


def test_the_scrubber_goes_both_ways_and_values_follow(studio: StudioPage) -> None:
    steps = picked(studio)
    slider = studio.page.locator(".scrubber")
    expect(slider).to_have_attribute("max", str(len(steps)))
    slider.focus()
    for count in (1, 2, 3):
        slider.press("ArrowRight")
        assert studio.store("step") == count
    expect(studio.page.locator(".where")).to_have_text(f"step 2 done step 3 next of 0 to {len(steps) - 1}")
    three = studio.page.locator(".registers").inner_text()
    for mark, step in (("done", steps[2]), ("step", steps[3])):
        studio.until(f"document.querySelectorAll('.cm-{mark}').length === 1")
        expect(studio.page.locator(f".cm-{mark}")).to_contain_text(step["instruction"].split(" ")[0])
    expect(studio.page.locator(".linked-row.done")).to_have_attribute("data-address", str(steps[2]["address"]))
    expect(studio.page.locator(".linked-row.current")).to_have_attribute("data-address", str(steps[3]["address"]))
    slider.press("ArrowRight")
    assert studio.page.locator(".registers").inner_text() != three
    slider.press("ArrowLeft")
    assert studio.page.locator(".registers").inner_text() == three
    fresh = studio.page.locator(".registers td.fresh")
    assert fresh.count() == len(steps[2]["writes"][0]["components"])
    expect(studio.page.locator(".cm-values.fresh")).to_have_count(1)
    # the line of the step that comes next, in the editor and in the list of words
    expect(studio.page.locator(".cm-step")).to_contain_text(str(steps[3]["instruction"]).split(" ")[0])
    expect(studio.page.locator(".listing li.current")).to_have_attribute("data-address", str(steps[3]["address"]))
    slider.press("Home")
    assert studio.store("step") == 0
    expect(studio.page.locator(".cm-values")).to_have_count(0)


def test_frames_while_ten_thousand_steps_are_scrubbed(
    studio: StudioPage, record_property: Callable[[str, object], None]
) -> None:
    """Times are reported; asserted is that each frame shows the step that it is at, and changes texts of what is there."""
    uniforms = {"rows": [19, 0, 1], "columns": [83, 0, 1]}
    studio.load({"files": [{"name": "long.v.pica", "text": LONG}], "uniforms": uniforms, "mesh": {"name": "cube"}})
    studio.page.evaluate("lanewise.actions.pick(5, null)")
    studio.until("lanewise.store.value.time?.complete === true")
    studio.tab("time")
    studio.settled()
    count = studio.value("lanewise.store.value.time.steps.length")
    assert count >= 10_000
    session = studio.page.context.new_cdp_session(studio.page)
    session.send("Performance.enable")
    before = counters(session)
    times, scripts, wrong, made = zip(*studio.page.evaluate(SCRUB, FRAMES), strict=True)
    after = counters(session)
    figures: dict[str, object] = {"steps": count}
    for name, found in (("frame", times), ("script", scripts)):
        slow = sorted(found)[int(len(found) * 0.95)]
        figures[name] = {"median": round(statistics.median(found), 1), "95 %": round(slow, 1), "most": round(max(found), 1)}
    laid = (after["LayoutCount"] - before["LayoutCount"]) / FRAMES
    figures["of a step"] = {"layouts": round(laid, 2), "new nodes": statistics.median(made)}
    print(json.dumps(figures))
    record_property("milliseconds of a frame", figures)
    assert sum(wrong) == 0, f"{sum(wrong)} of {FRAMES} frames did not show their step"
    assert laid < 3 and statistics.median(made) <= 12, figures
    for at in (7_001, 33, count):
        studio.page.evaluate(f"lanewise.actions.seek({at})")
        shown = studio.page.locator("[data-place='r1.x']").text_content()
        held = studio.value(
            "lanewise.store.value.time.steps.slice(0, lanewise.store.value.step).flatMap(step => step.writes)"
            ".findLast(write => write.register === 'r1').new[0]"
        )
        assert float(shown or "nan") == float(f"{held:.5g}")


def test_n_steps_on_and_n_back_is_where_one_was(studio: StudioPage) -> None:
    steps = picked(studio)
    studio.page.keyboard.press("Alt+.")
    start = studio.page.locator(".registers").inner_text()
    for _ in range(len(steps) - 1):
        studio.page.keyboard.press("Alt+.")
    assert studio.store("step") == len(steps)
    for _ in range(len(steps) - 1):
        studio.page.keyboard.press("Alt+,")
    assert studio.store("step") == 1
    assert studio.page.locator(".registers").inner_text() == start


def test_a_breakpoint_on_data_stops_in_both_directions(studio: StudioPage) -> None:
    steps = picked(studio)
    writes = [
        number
        for number, step in enumerate(steps)
        if any(write["register"] == "r1" and "w" in write["components"] for write in step["writes"])
    ]
    assert len(writes) == 2
    condition = studio.page.get_by_label("stop where")
    condition.fill("changes r1.w")
    condition.press("Enter")
    studio.until(f"lanewise.store.value.step === {writes[0] + 1}")
    condition.press("Enter")
    studio.until(f"lanewise.store.value.step === {writes[1] + 1}")
    condition.press("Shift+Enter")
    studio.until(f"lanewise.store.value.step === {writes[0] + 1}")
    condition.fill("r1.w > 1000000")
    condition.press("Enter")
    studio.until("lanewise.store.value.stop?.step === null")
    expect(studio.page.locator(".answer")).not_to_be_empty()
    condition.fill("r1.w >")
    condition.press("Enter")
    studio.settled()
    expect(studio.page.locator(".answer")).not_to_be_empty()
    assert studio.store("step") == writes[0] + 1


def test_the_usual_queries_lead_to_their_steps(studio: StudioPage) -> None:
    picked(studio)
    usual = studio.page.get_by_label("usual queries")
    assert usual.locator("option").all_inner_texts() == [
        "usual…",
        "NaN is written",
        "an infinity is written",
        "it differs from azahar",
        "it differs from panda3ds",
    ]
    usual.select_option("differs azahar")
    studio.until("lanewise.store.value.stop !== null")
    assert studio.page.get_by_label("stop where").input_value() == "differs azahar"
    step = studio.store("step")
    assert step > 0
    expect(studio.page.locator(".answer")).to_contain_text("under profile azahar")
    usual.select_option("nan")
    studio.until("lanewise.store.value.stop?.step === null")
    expect(studio.page.locator(".answer")).to_have_text("not after this step: nan")
    assert studio.store("step") == step
    studio.page.evaluate("lanewise.actions.explain('o1.x')")
    expect(usual.locator("option").nth(1)).to_have_text("o1.x changes")


def test_an_explanation_is_a_tree_that_leads_to_steps(studio: StudioPage) -> None:
    steps = picked(studio)
    studio.page.evaluate(f"lanewise.actions.seek({len(steps)})")
    studio.page.locator("[data-place='o1.x']").click()
    tree = studio.page.locator("[role=tree]")
    expect(tree).to_contain_text("o1.x")
    root = tree.locator("[role=treeitem]").first
    last = studio.store("explain.tree.step")
    assert any(write["register"] == "o1" for write in steps[last]["writes"])
    root.focus()
    root.press("Enter")
    assert studio.store("step") == last + 1
    # every node is reached with arrows: to the right opens it, downward goes on
    total = len(re.findall('"children"', studio.value("JSON.stringify(lanewise.store.value.explain.tree)")))
    for _ in range(total):
        studio.page.keyboard.press("ArrowRight")
        studio.page.keyboard.press("ArrowDown")
    expect(tree.locator("[role=treeitem]")).to_have_count(total)
    assert studio.value("document.activeElement === [...document.querySelectorAll('[role=treeitem]')].at(-1)")


def test_an_explanation_is_a_small_graph_too(studio: StudioPage) -> None:
    steps = picked(studio)
    studio.page.evaluate(f"lanewise.actions.seek({len(steps)})")
    studio.page.locator("[data-place='o1.x']").click()
    toggle = studio.page.get_by_role("button", name="Graph", exact=True)
    toggle.click()
    expect(studio.page.locator("[role=tree]")).to_be_hidden()
    boxes = studio.page.locator(".explain .block")
    nodes = studio.store("explain.graph.nodes")
    expect(boxes).to_have_count(len(nodes))
    negative = next(number for number, node in enumerate(nodes) if len(node["values"]) == 1 and node["values"][0]["value"] < 0)
    size = -nodes[negative]["values"][0]["value"]
    expect(boxes.nth(negative)).to_contain_text(f"= −{size:.6g} ")  # as in the tree, and in the title all digits
    titled = boxes.nth(negative).locator("title").text_content() or ""
    assert struct.pack("<f", float(titled.partition(" = −")[2])) == struct.pack("<f", size)
    boxes.last.focus()
    boxes.last.press("Enter")
    assert studio.store("step") == nodes[-1]["steps"][-1] + 1
    studio.page.evaluate("lanewise.actions.explain('o1.y')")
    studio.until("lanewise.store.value.explain.place === 'o1.y'")
    expect(toggle).to_have_attribute("aria-pressed", "true")
    toggle.click()
    expect(studio.page.locator("[role=tree]")).to_be_visible()


@needs("glslc")
def test_a_box_points_at_its_expression_in_the_source(studio: StudioPage) -> None:
    name = "toon.vert"
    studio.load({"files": [{"name": name, "text": (EXAMPLES / "glsl" / name).read_text()}], "mesh": {"name": "cube"}})
    steps = picked(studio)
    studio.page.evaluate(f"lanewise.actions.seek({len(steps)})")
    studio.page.evaluate("lanewise.actions.explain(lanewise.store.value.time.results['color.y'])")
    studio.until("lanewise.store.value.explain !== null")
    studio.page.get_by_role("button", name="Graph", exact=True).click()
    nodes = studio.store("explain.graph.nodes")
    shown = [number for number, node in enumerate(nodes) if node["length"]]
    assert "dot(n, sun)" in [nodes[number]["text"] for number in shown]
    boxes, part = studio.page.locator(".explain .block"), studio.page.locator(".source-pane .cm-part")
    for number in shown:
        boxes.nth(number).focus()
        # a mark is in pieces where colours of the language change
        pieces = "[...document.querySelectorAll('.cm-part')].map(each => each.textContent).join('')"
        studio.until(f"{pieces} === {json.dumps(nodes[number]['text'])}")
        expect(part.first).to_be_visible()
    boxes.last.evaluate("element => element.blur()")
    expect(part).to_have_count(0)
    studio.page.get_by_role("button", name="Graph", exact=True).click()
    expect(studio.page.locator("[role=treeitem] .expression").first).to_have_text(nodes[-1]["text"])


def test_a_loop_leads_to_the_field_of_its_count(opened: Callable[..., StudioPage]) -> None:
    studio = opened(width=390, height=844)
    studio.load(
        {
            "files": [{"name": "long.v.pica", "text": LONG}],
            "mesh": {"name": "cube"},
            "uniforms": {"rows": [3, 0, 1], "columns": [2, 0, 1]},
        }
    )
    studio.page.evaluate("lanewise.actions.pick(5, null)")
    studio.until("lanewise.store.value.time?.vertex === 5")
    studio.tab("time")
    loop = studio.page.locator("button.loop")
    studio.page.evaluate("lanewise.actions.seek(0)")
    expect(loop).to_be_hidden()  # none has begun
    for name in ("rows", "columns"):
        steps = studio.store("time.steps")
        begin = next(at for at, step in enumerate(steps) if step["instruction"] == f"for {name}")
        studio.page.evaluate(f"lanewise.actions.seek({begin + 1})")
        expect(loop).to_have_text(re.compile(rf"^loop {name}: \d+ times$"))
    loop.click()
    assert studio.value("document.activeElement.closest('[data-uniform]')?.dataset.uniform") == "columns"
    expect(studio.page.locator("[data-uniform=columns]")).to_be_in_viewport()


def test_an_emitted_vertex_leads_to_the_vertex_shader_before_it(studio: StudioPage) -> None:
    files = [{"name": name, "text": (EXAMPLES / name).read_text()} for name in ("subdivide.v.pica", "subdivide.g.pica")]
    studio.load({"files": files, "mesh": {"name": "cube"}})
    run = studio.value("lanewise.store.value.mesh.arrays.get('vertex').data[40]")
    assert run == 40 // 12
    studio.page.evaluate("lanewise.actions.pick(40, null)")
    studio.until(f"lanewise.store.value.time?.subject === 'run {run}'")
    studio.tab("time")
    sources = studio.store("time.sources")
    stages = studio.page.locator(".stages button")
    expect(stages).to_have_text([source["title"] for source in sources])
    stages.nth(1).click()
    vertex = sources[1]["thread"]
    studio.until(f"lanewise.store.value.time?.subject === 'vertex {vertex}'")
    assert {step["file"] for step in studio.store("time.steps")} == {"subdivide.v.pica"}
    condition = studio.page.get_by_label("stop where")
    condition.fill("changes o0.x")
    condition.press("Enter")
    studio.until("lanewise.store.value.stop?.step > 0")
    expect(stages).to_have_text([f"run {run}"])
    stages.click()
    studio.until(f"lanewise.store.value.time?.subject === 'run {run}'")
    # a value that the run was given leads to the output of the vertex
    studio.page.evaluate("lanewise.actions.seek(lanewise.store.value.time.steps.length)")
    studio.page.locator("[data-place='o0.x']").click()
    leaf = studio.page.locator("[role=treeitem] .node", has_text="of vertex").first
    expect(leaf).to_be_visible()
    leaf.click()
    studio.until("lanewise.store.value.time?.run === 3 && lanewise.store.value.explain?.tree.place === 'o0.x'")
    assert studio.store("step") == len(studio.store("time.steps"))
    expect(studio.page.locator(".cm-done")).to_be_in_viewport()
    # back to the run: its file again, at the line of the step
    stages.click()
    studio.until(f"lanewise.store.value.time?.subject === 'run {run}'")
    studio.page.evaluate("lanewise.actions.seek(80)")
    expect(studio.page.locator(".file-tabs [aria-selected=true]")).to_have_text("subdivide.g.pica")
    expect(studio.page.locator(".cm-done")).to_be_in_viewport()


def test_lanes_are_side_by_side(studio: StudioPage) -> None:
    picked(studio, 20)
    studio.tab("wave")
    studio.until("lanewise.store.value.waves !== null")
    waves = studio.store("waves")
    assert 20 in waves["lanes"]
    studio.page.get_by_role("button", name="Show every lane").click()
    expect(studio.page.locator(".waves .wave-row")).to_have_count(len(waves["rows"]))
    assert studio.page.locator(".waves rect.busy").count() == sum(count > 0 for row in waves["rows"] for count in row["counts"])
    studio.page.locator(".waves .lane").nth(3).click()
    studio.until(f"lanewise.store.value.vertex === {waves['lanes'][3]}")


_ENTRY_IN_VIEW = """(() => {
    const pane = document.querySelector('.graph');
    const [b, a] = [pane, pane.querySelector(".drawing").shadowRoot.querySelector(".block")].map(e=>e.getBoundingClientRect());
    return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
})()"""


def test_the_time_line_of_shadercore_says_what_is_waited_for(studio: StudioPage) -> None:
    studio.load({"files": [{"name": "transform.sc", "text": (EXAMPLES / "transform.sc").read_text()}], "profile": "rtl"})
    studio.tab("issue")
    studio.until("lanewise.store.value.issue !== null")
    issue = studio.store("issue")
    rows = studio.page.locator(".issue-row")
    expect(rows).to_have_count(len(issue["rows"]))
    stalled = [number for number, row in enumerate(issue["rows"]) if row["stall"] > 0]
    assert stalled
    assert studio.page.locator(".issue rect.stall").count() == len(stalled)
    rows.nth(stalled[0]).hover()
    expect(studio.page.locator(".told")).to_contain_text(re.compile(r"after \d+ cycles of waiting"))
    # places of the picture are cycles
    boxes = studio.value("[...document.querySelectorAll('.issue rect.item')].map(rect => Number(rect.getAttribute('x')))")
    cycles = [row["issue"] for row in issue["rows"]]
    scale = (boxes[-1] - boxes[0]) / (cycles[-1] - cycles[0])
    assert all(abs(x - boxes[0] - (cycle - cycles[0]) * scale) < 1e-6 for x, cycle in zip(boxes, cycles, strict=True))
    floor = issue["floor"]["cycles"]
    line = studio.page.locator(".issue .floor line")
    expect(line).to_have_count(1)
    assert 0 < floor <= issue["cycles"] and float(line.get_attribute("x1") or 0) > max(boxes) * floor / issue["cycles"] * 0.9
    expect(studio.page.locator(".floors summary")).to_contain_text(f"least possible of {floor}")
    studio.page.locator(".floors summary").click()
    expect(studio.page.locator(".floors tbody tr").last).to_contain_text("DWORDs")
    # the sentence and the ruler stay in sight, and a click or Enter holds the sentence
    last = rows.last
    last.click()
    held = f"issued in cycle {cycles[-1]}"
    rows.nth(len(cycles) - 3).hover()
    expect(studio.page.locator(".told")).to_contain_text(held)
    expect(last).to_have_attribute("aria-pressed", "true")
    assert studio.value("document.querySelector('.issue').scrollTop") > 0
    expect(studio.page.locator(".told")).to_be_in_viewport(ratio=1)
    expect(studio.page.locator(".issue .ruler .tick").last).to_be_in_viewport()
    expect(studio.page.locator(".issue > .cost")).to_contain_text(f"issues in cycle {cycles[-1]}")
    expect(studio.page.locator(".issue > .cost")).not_to_contain_text("at least")  # the line of the floor says it
    last.press("Enter")
    expect(last).to_have_attribute("aria-pressed", "false")
    studio.tab("graph")  # it opens on its first block, though it is wider than the pane
    studio.page.wait_for_timeout(100)
    assert studio.page.evaluate(_ENTRY_IN_VIEW)


def test_a_value_of_the_table_leads_to_where_it_comes_from_at_once(studio: StudioPage) -> None:
    studio.tab("vertices")
    value = studio.page.locator("[aria-label=vertices] [role=row][data-row='2'] .leads").first
    expect(value).to_have_attribute("title", re.compile(r"^−?\d.*: click to see where position.x of vertex 2 comes from$"))
    value.click()
    studio.until("lanewise.store.value.time?.vertex === 2")
    studio.until("lanewise.store.value.explain?.place === 'position.x'")
    expect(studio.page.locator("[data-tab=time]")).to_have_attribute("aria-selected", "true")
    line = studio.page.locator(".explain [role=treeitem] button").first
    expect(line).to_have_text(f"line {studio.store('explain.tree.line')}")
    line.click()
    assert studio.store("reveal.line") == studio.store("explain.tree.line")
    written = studio.store("time.steps")[studio.store("explain.tree.step")]["instruction"]
    expect(studio.page.locator(".cm-linked")).to_contain_text(written.split(" ")[0])
    assert studio.store("step") == len(studio.store("time.steps"))
    # in the whole cell, with the gaps beside it, a click is for the value, and the other columns are for the row
    studio.tab("vertices")
    row = studio.page.locator("[aria-label=vertices] [role=row][data-row='3']")
    for side in (0, 1):
        studio.tab("vertices")
        cell = row.locator(".leads").first.bounding_box()
        assert cell is not None
        studio.page.mouse.click(cell["x"] + (1, cell["width"] - 8)[side], cell["y"] + 1)
        studio.until("lanewise.store.value.time?.vertex === 3 && lanewise.store.value.explain?.place === 'position.x'")
        studio.page.evaluate("lanewise.store.set({ explain: null, cameFrom: null })")
    studio.tab("vertices")
    row.locator("span").first.click()
    studio.settled()
    assert studio.store("explain") is None and studio.store("vertex") == 3
    expect(studio.page.locator("[data-tab=vertices]")).to_have_attribute("aria-selected", "true")
    # the other components are a letter away, and the table too
    studio.page.locator("[aria-label=vertices] [role=row][data-row='2'] .leads").first.click()
    studio.until("lanewise.store.value.explain?.place === 'position.x'")
    studio.page.get_by_role("group", name="components of position").get_by_role("button", name="position.w").click()
    studio.until("lanewise.store.value.explain?.place === 'position.w'")
    studio.page.get_by_role("button", name="back to the table").press("Escape")
    expect(studio.page.locator("[data-tab=vertices]")).to_have_attribute("aria-selected", "true")
    assert studio.store("cameFrom") is None
    studio.tab("time")
    studio.page.locator(".explain-head button[title=close]").click()
    expect(studio.page.locator(".explain")).to_be_hidden()


def test_values_beside_the_source_do_not_cover_it(studio: StudioPage) -> None:
    picked(studio)
    studio.page.keyboard.press("Alt+.")
    studio.page.evaluate("lanewise.actions.seek(lanewise.store.value.time.steps.length)")
    studio.settled()
    covered = studio.page.evaluate(
        """() => [...document.querySelectorAll(".cm-values")].filter((value) => {
          const code = document.createRange();
          code.setStart(value.closest(".cm-line"), 0);
          code.setEndBefore(value);
          const scroller = value.closest(".cm-scroller").getBoundingClientRect();
          return code.getBoundingClientRect().right < scroller.right - 90
            && value.getBoundingClientRect().left < code.getBoundingClientRect().right - 1;
        }).map((value) => value.textContent)"""
    )
    assert studio.page.locator(".cm-values").count() > 3 and covered == []
