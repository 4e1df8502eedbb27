"""Time: steps, registers at them, where values came from, waves and timelines; and what is picked."""

from __future__ import annotations

from typing import Any

import pytest
from corpus import REPOSITORY
from installed import needs
from lanewise.core.diagnostics import InputError
from lanewise.drawing.picture import Look, draw
from lanewise.drawing.raster import nearest

from lanewise_studio.asks import Ask, Desk
from lanewise_studio.examples import EXAMPLES
from lanewise_studio.frames import unpack
from lanewise_studio.stop import Stop

STATES: dict[str, Any] = {example.name: example.plain()["state"] for example in EXAMPLES}
BRANCHING = """\
.constf c(0.0, 1.0, 0.5, 0.0)
.in position
.out outpos position
.out outclr color
.fvec projection[4]
.proc main
    dp4 outpos.x, projection[0], position
    dp4 outpos.y, projection[1], position
    dp4 outpos.z, projection[2], position
    dp4 outpos.w, projection[3], position
    mov r0, c.xxxx
    cmp position.x, gt, gt, r0.x
    ifc cmp.x
        mov outclr, c.yyyy
    .else
        mov outclr, c.zzzz
    .end
    end
.end
"""
SMALL = {"files": [{"name": "branch.v.pica", "text": BRANCHING}], "mesh": {"name": "cube"}}


class Asked:
    """A desk with a state, without a server."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.desk = Desk({})
        self.state = state
        self.ask("evaluate", state=state, panes=[])

    def ask(self, kind: str, **message: Any) -> Any:
        sent: list[Any] = []
        self.desk.answer(Ask(1, kind, message, sent.append, Stop()))
        if not sent:
            return None
        return unpack(sent[-1]) if isinstance(sent[-1], bytes) else sent[-1]["value"]

    @property
    def evaluation(self) -> Any:
        return self.desk.evaluation(Ask(1, "", {}, lambda _: None, Stop()))


@pytest.mark.parametrize("name", STATES)
def test_steps_and_registers_agree_with_the_result(name: str) -> None:
    asked = Asked(STATES[name])
    time = asked.ask("trace", thread=5)
    assert time["complete"] and time["fault"] is None and len(time["steps"]) == time["total"]
    output = asked.ask("pick", vertex=5)["values"]["outputs"]["position"]
    end = asked.ask("step", thread=5, position=time["total"])
    held = {row["name"]: row for group in end["groups"] for row in group["registers"]}
    for component, number in zip("xyzw", output, strict=True):
        register, _, letter = time["results"][f"position.{component}"].partition(".")
        row = held[register]
        assert row["values"][row["components"].index(letter)] == number
    assert end["ended"]


@pytest.mark.parametrize("name", STATES)
def test_replaying_the_writes_gives_the_registers_of_each_step(name: str) -> None:
    """What the page does with the steps of one message."""
    asked = Asked(STATES[name])
    time = asked.ask("trace", thread=3)
    places: dict[str, int] = {place: row["bits"] for place, row in time["given"].items()}
    for step in time["steps"]:
        for write in step["writes"]:
            letters = [f".{letter}" for letter in write["components"]] or [""]
            places |= {f"{write['register']}{letter}": bits for letter, bits in zip(letters, write["new"]["bits"], strict=True)}
        shown = asked.ask("step", thread=3, position=step["step"] + 1)
        for row in shown["groups"][0]["registers"]:
            for letter, bits in zip(row["components"], row["bits"], strict=True):
                if f"{row['name']}.{letter}" in places:
                    assert bits == places[f"{row['name']}.{letter}"]


def test_a_place_an_expression_a_line_and_a_word_are_found_in_both_directions() -> None:
    asked = Asked(SMALL)
    total = asked.ask("trace", thread=0)["total"]
    for thing in ({"query": "written outclr"}, {"query": "r0.x == 0 and position.w == 1"}, {"line": 11}, {"word": 4}):
        ahead = asked.ask("seek", thread=0, position=0, **thing)
        back = asked.ask("seek", thread=0, position=total, back=True, **thing)
        assert ahead["found"] and back["found"], (thing, ahead, back)
        again = asked.ask("seek", thread=0, position=total, **thing)
        assert not again["found"] and again["position"] == total
    written = asked.ask("seek", thread=0, position=0, query="written outpos.y")["position"]
    assert asked.ask("step", thread=0, position=written)["changed"] == ["o0.y"]


def test_the_first_step_that_differs_under_another_profile_is_found() -> None:
    asked = Asked({**SMALL, "uniforms": {"projection": [[0.3, 0, 0, 0], [0, 0.7, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}})
    found = asked.ask("seek", thread=0, position=0, query="differs azahar")
    assert found["found"] and " under profile azahar" in found["reason"]
    with pytest.raises(InputError, match="under profile hardware itself, from which it does not differ"):
        asked.ask("seek", thread=0, position=0, query="differs hardware")
    for query in ("differs nowhere", "changes", "changes nothing", "nan >"):
        with pytest.raises(InputError):
            asked.ask("seek", thread=0, position=0, query=query)


def test_an_explanation_is_a_tree_down_to_what_was_given() -> None:
    found = Asked(STATES["picasso"]).ask("explain", thread=7, place="color.x")
    kinds: set[str] = set()

    def walk(node: dict[str, Any], depth: int) -> int:
        kinds.add(node["kind"])
        assert node["kind"] == "step" or not node["children"]
        for child in node["children"]:
            assert "step" not in child or child["step"] < node["step"]
        return max([depth, *[walk(child, depth + 1) for child in node["children"]]])

    assert walk(found["tree"], 0) >= 4
    assert {"step", "uniform", "input"} <= kinds
    assert found["tree"]["value"] == found["value"]["value"]
    nodes = found["graph"]["nodes"]
    assert found["graph"]["svg"].count('class="block"') == len(nodes)
    assert nodes[-1]["steps"] == [found["tree"]["step"]]


@needs("glslc")
def test_an_explanation_in_glsl_has_the_expressions_of_the_source() -> None:
    text = (REPOSITORY / "examples" / "glsl" / "toon.vert").read_text()
    found = Asked({"files": [{"name": "toon.vert", "text": text}], "mesh": {"name": "cube"}}).ask(
        "explain", thread=7, place="color.y"
    )
    tree, nodes = found["tree"], found["graph"]["nodes"]
    assert tree["expression"] == nodes[-1]["text"] == "min(tint, 1.0)"
    begin = tree["column"] - 1
    assert text.split("\n")[tree["line"] - 1][begin : begin + tree["length"]] == "min(tint, 1.0)"
    assert {"dot(n, sun)", "shade + paint * banded(light)"} <= {node["text"] for node in nodes if node["length"]}


def test_an_explanation_across_hundreds_of_iterations_ends_where_it_can_go_on() -> None:
    """Each iteration adds to the sum of the one before it."""
    adds = ".ivec count\n.proc main\n    mov r1, c.xxxx\n    for count\n        add r1, c.zzzz, r1\n    .end\n"
    text = BRANCHING.replace(".proc main\n", adds).replace("mov outclr, c.yyyy", "mov outclr, r1")
    asked = Asked(
        {"files": [{"name": "sum.v.pica", "text": text}], "mesh": {"name": "cube"}, "uniforms": {"count": [255, 0, 1]}}
    )
    node = asked.ask("explain", thread=1, place="r1.x")["tree"]
    steps = [node["step"]]
    while "cut" not in node:
        (node,) = [child for child in node["children"] if child["kind"] == "step"]
        steps.append(node["step"])
    assert len(steps) > 100 and node["children"] == []
    further = asked.ask("explain", thread=1, position=node["step"] + 1, place="r1.x")["tree"]
    assert further["step"] == node["step"] and further["children"][-1]["step"] < node["step"]


def test_lanes_that_go_apart_are_marked() -> None:
    asked = Asked(SMALL)
    wave = asked.ask("wave", thread=3)
    assert wave["lanes"] == [*range(16)] and not wave["together"]
    assert set(wave["paths"]) == {0, 1}
    apart = [row for row in wave["rows"] if row["diverges"]]
    assert {row["instruction"].split(",")[0] for row in apart} == {"mov outclr"}
    assert [one + other for one, other in zip(apart[0]["steps"], apart[1]["steps"], strict=True)] == [1] * 16


def test_paths_tell_vertices_apart() -> None:
    asked = Asked(SMALL)
    head, arrays = asked.ask("paths")
    assert head["followed"] == head["of"] == 24 and sum(row["vertices"] for row in head["paths"]) == 24
    for vertex, path in enumerate(arrays["path"].tolist()):
        x = asked.ask("pick", vertex=vertex)["values"]["inputs"]["position"][0]
        assert (x > 0) == (asked.ask("pick", vertex=head["paths"][path]["vertex"])["values"]["inputs"]["position"][0] > 0)


def test_the_timeline_is_that_of_the_device() -> None:
    asked = Asked({**STATES["shadercore"], "profile": "document"})
    found = asked.ask("timeline")
    timing = asked.evaluation.subject.code.time("document")
    assert found["cycles"] == timing.total_cycles and found["svg"].startswith("<svg")
    assert [row["cycle"] for row in found["rows"]] == [issue.cycle for issue in timing.issues]
    assert sum(row["stalls"] for row in found["rows"]) == found["stalls"]
    assert all(bool(row["why"]) == bool(row["stalls"]) for row in found["rows"])
    floor = found["floor"]
    assert floor["cycles"] == timing.floor.cycles <= found["cycles"] and f"{floor['cycles']} " in floor["verdict"]
    assert {bound["name"] for bound in floor["bounds"]} >= {"issue", "chain"}
    memory = Asked({**STATES["shadercore"], "profile": "rtl"}).ask("timeline")["floor"]["memory"]
    assert "DWORDs take" in memory and not floor["memory"]  # the documents leave the fetch open
    assert "ShaderCore" in Asked(SMALL).ask("timeline")["reason"]


@pytest.mark.parametrize("name", ["picasso", "direct3d9"])
def test_a_pixel_and_the_picture_agree(name: str) -> None:
    asked = Asked(STATES[name])
    scene = asked.evaluation.scene
    drawn = draw(scene, Look(scale=1, colour="face"))
    picture = nearest(drawn, 0, len(drawn.source), 1)
    hits = 0
    for y in range(5, picture.piece.shape[0], 37):
        for x in range(3, picture.piece.shape[1], 41):
            piece = int(picture.piece[y, x])
            found = asked.ask("pick", pixel=[x, y])
            assert found["triangle"] == (int(drawn.source[piece]) if piece >= 0 else None)
            hits += piece >= 0
            if piece >= 0 and found["fate"] == "visible":
                assert sum(found["weights"]) == pytest.approx(1.0)
                assert min(found["weights"]) > -1e-6
    assert hits >= 6


def test_an_empty_picture_says_why() -> None:
    asked = Asked({**STATES["picasso"], "camera": {"near": 50.0, "far": 60.0}})
    found = asked.ask("why")
    assert found["visible"] == 0 and found["reasons"][0]["code"] == "near"
    assert found["reasons"][0]["blame"]["source"]["file"] == "light.v.pica"


def test_threads_beyond_what_a_session_holds() -> None:
    asked = Asked({**SMALL, "mesh": {"name": "grid"}})
    for thread in range(70):
        assert asked.ask("step", thread=thread, position=1)["position"] == 1
    with pytest.raises(InputError, match="vertex 9999 does not exist"):
        asked.ask("step", thread=9999, position=1)


@pytest.mark.parametrize("pixel", ["1,2", [1], [1, 2, 3], [1, None], [1e300, 1]])
def test_a_pixel_is_two_numbers(pixel: object) -> None:
    with pytest.raises(InputError, match="a pixel is a list of two numbers"):
        Asked(SMALL).ask("pick", pixel=pixel)
