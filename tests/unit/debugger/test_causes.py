"""A value followed to its causes: the graph against the explanation, across calls and loops, and in a source in GLSL."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from debugger_sessions import CALLS, COUNTS, session
from installed import needs
from lanewise.core.diagnostics import InputError
from lanewise.core.service import Request, SourceFile
from lanewise.core.source import Span
from lanewise.debugger.causes import AGAIN, EXPRESSION, MORE, STEP, UNSET, expression_of, statement
from lanewise.debugger.commands import Commands
from lanewise.debugger.launching import Launch
from lanewise.debugger.session import Session
from lanewise.debugger.shadertests import session_of_test
from lanewise.graph.draw import drawn
from lanewise.packages import recognise
from lanewise.tools.console import DiskFiles

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = Path(__file__).parents[3] / "examples"
PLACED = Path(__file__).parents[2] / "compile" / "spirv" / "placed"
UNSET_READ = """.in value v0
.out outpos position
.proc main
    add r0, value, r5
    mov outpos, r0
    end
.end
"""
CORE = "mul r0.x, v0.x, c0.x\nadd r0.x, r0.x, v0.y\nmov o0.x, r0.x\nend\n"


def toon() -> Session:
    return session_of_test(str(EXAMPLES / "glsl" / "toon.shadertest.toml"), "bands", DiskFiles())


SESSIONS: dict[str, tuple[Callable[[], Session], str]] = {
    "calls": (lambda: session(CALLS, input=("position=1,2,3,1",), uniform=("offset=1,0,0,0",)), "o0.x"),
    "counts": (lambda: session(COUNTS, input=("value=1,2,3,1",), uniform=("rounds=15,0,1",)), "o0.y"),
    "unset": (lambda: session(UNSET_READ, input=("value=1,2,3,1",)), "o0.x"),
    "toon": (lambda: session_of_test(str(EXAMPLES / "toon.shadertest.toml"), "four bands", DiskFiles()), "color.y"),
    "glsl": (toon, "color.y"),
}


@cache
def ended(name: str) -> Session:
    """A session at its end, which no test moves."""
    run = SESSIONS[name][0]()
    run.goto(0, 1000)
    return run


@pytest.mark.parametrize("name", SESSIONS)
def test_the_graph_has_the_steps_and_leaves_of_the_explanation(name: str) -> None:
    place, run = SESSIONS[name][1], ended(name)
    found, graph = run.explain(0, place), run.causes(0, place, 1000)
    assert {step for node in graph.nodes for step in node.steps} == {cause.step.number for cause in found.causes}
    held = {each for node in graph.nodes if not node.steps for each, _ in node.values}
    given = {each.name or name.partition(".")[0] for name, each in found.given if name != "glsl" or each.kind != "constant"}
    assert {each.partition(".")[0].partition("[")[0] for each in held} == {
        each.partition("[")[0] for each in given if not (name == "glsl" and each.startswith("c9"))
    } | {each.partition(".")[0] for each in found.unset}
    root = graph.nodes[-1]
    assert root.steps[-1] == max(cause.step.number for cause in found.causes)
    assert root.values[0][1] == found.value


@pytest.mark.parametrize("name", SESSIONS)
@pytest.mark.parametrize("most", [1, 3, 24])
def test_a_graph_is_small_and_says_what_it_leaves_out(name: str, most: int) -> None:
    place, run = SESSIONS[name][1], ended(name)
    graph, whole = run.causes(0, place, most), run.causes(0, place, 1000)
    more = [node for node in graph.nodes if node.kind == MORE]
    assert len(graph.nodes) - len(more) == min(most, len(whole.nodes))
    assert bool(more) == (len(whole.nodes) > most)
    assert all(0 <= source < len(graph.nodes) for node in graph.nodes for source in node.sources)
    # only what is done again and again leads back
    assert all(
        source < number or AGAIN in (node.kind, graph.nodes[source].kind)
        for number, node in enumerate(graph.nodes)
        for source in node.sources
    )
    assert len(graph.text().split("\n")) >= len(graph.nodes)


def test_what_a_loop_does_again_and_again_is_one_node() -> None:
    graph = ended("counts").causes(0, "o0.y")
    assert [(node.kind, len(node.steps)) for node in graph.nodes if node.steps] == [
        (STEP, 1),
        (AGAIN, 14),
        (STEP, 1),
        (STEP, 1),
        (STEP, 1),
    ]
    again = next(node for node in graph.nodes if node.kind == AGAIN)
    assert again.name == "r0.y = 30" and again.heading == "14 times, steps 2 to 15, test.v.pica:7:9, rounds iteration 14"


def test_a_graph_says_in_which_routine_a_step_is() -> None:
    assert ended("calls").causes(0, "o0.x").text() == "\n".join(
        [
            "position.x = 3 (step 7, test.v.pica:7:5): mov outpos, r0",
            "  r0.x = 3 (step 5, test.v.pica:15:5, in add_offset): add r0, offset, r0",
            "    offset.x = 1 (uniform)",
            "    r0.x = 2 (step 3, test.v.pica:15:5, in add_offset): add r0, offset, r0",
            "      offset.x = 1 (uniform)",
            "      r0.x = 1 (step 0, test.v.pica:5:5): mov r0, position",
            "        position.x = 1 (input)",
        ]
    )


def test_causes_in_glsl_are_expressions_of_the_source_and_no_constants_of_the_machine() -> None:
    graph = ended("glsl").causes(0, "color.y")
    assert [(node.name, node.text) for node in graph.nodes if node.steps] == [
        ("mat3(modelview) * normal = 0, 0, -1", "mat3(modelview) * normal"),
        ("n.xyz = 0, 0, -1", "normalize(mat3(modelview) * normal)"),
        ("dot(n, sun) = -1", "dot(n, sun)"),
        ("light = 0", "max(0.0, dot(n, sun))"),
        ("min(light, 0.99) = 0", "min(light, 0.99)"),
        ("min(light, 0.99) * bands = 0", "min(light, 0.99) * bands"),
        ("floor(min(light, 0.99) * bands) = 0", "floor(min(light, 0.99) * bands)"),
        ("banded() = 0", "floor(min(light, 0.99) * bands) / bands"),
        ("tint.y = 0", "shade + paint * banded(light)"),
        ("color.y = 0", "min(tint, 1.0)"),
    ]
    for node in graph.nodes:
        if node.span is not None:
            assert node.span.text[node.span.column - 1 :][: node.span.length] == node.text
            assert str(node.span) in node.heading
            assert bool(node.register) == (not node.is_named)
    assert {node.kind for node in graph.nodes} == {EXPRESSION, "uniform", "input"}
    assert next(node.where for node in graph.nodes if node.name.startswith("banded")) == "in banded"


HARD = """color.x = -3.98400879 (step 47, hard.vert:33:13): q + vec4(e)
  q.x = -4.79998779 (step 37, hard.vert:30:12): q.yx - m.xy
    n * 2.0 = 1.19999695 (r0.y, step 35, hard.vert:27:19)
      n.xyz = 0, 0.599998474, 0.799995422 (step 5, hard.vert:19:14): normalize(turn * normal.xyz)
        turn * normal.xyz = 0, 0.599998474, 0.799995422 (r0.xyz, step 2, hard.vert:19:24)
...
  e = 0.815971375 (step 18, hard.vert:22:5): e *= warped(warped(d, k), e + k)
...
    warped() = -1.01997375 (step 17, hard.vert:16:41, in warped): x * y + y
      warped() = 2.3999939 (step 15, hard.vert:16:41, in warped): x * y + y
        k.x = 0.5 (uniform)
        x * y = 1.8999939 (r1.w, step 14, hard.vert:16:41, in warped)
          k.x = 0.5 (uniform)
          d = 3.79998779 (step 13, hard.vert:21:5): d += k > 0.0 ? m.x * k : m.y
...
              m.x = 6 (step 6, hard.vert:19:48): a.zyx * 2.0 + n ...
      y = -0.299995422 (step 16, hard.vert:22:31): e + k"""
LIT = """color.x = 3.16235352 (step 25, hard.hlsl:18:42): c += colors[i].rgb * d
  d = 2.24996948 (step 13, hard.hlsl:15:5): d += lerp(bands, d, 0.25)
    d = 1.19998169 (step 9, hard.hlsl:14:15): saturate(dot(n, lightDir.xyz)) * GAIN
      saturate(dot(n, lightDir.xyz)) = 0.799995422 (r0.x, step 8, hard.hlsl:14:15)
        dot(n, lightDir.xyz) = 0.799995422 (r0.x, step 6, hard.hlsl:14:24)
...
      GAIN = 1.5 (constant)
    lerp(bands, d, 0.25) = 1.04998779 (r0.y, step 12, hard.hlsl:15:10)
...
  c.x = 0.912391663 (step 21, hard.hlsl:17:16): ambient + e * half_lambert(d)
...
    half_lambert() = 1.62498474 (step 20, hard.hlsl:8:38, in half_lambert): x * 0.5 + 0.5"""
UNIT = ("1,0,0,0", "0,1,0,0", "0,0,1,0")
VALUES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "glsl": (
        ("a=1,2,3,1", "normal=0,0.6,0.8"),
        ("light=0,0,1,0", "k=0.5", "rows[0]=1,1,0,0", *[f"turn[{n}]={row}" for n, row in enumerate(UNIT)]),
    ),
    "hlsl": (
        ("pos=1,2,3,1", "normal=0,0.6,0.8", "uv=0.25,0.5"),
        (
            "lightDir=0,0,1,0",
            "ambient=0.1,0.1,0.1",
            "bands=1",
            "colors[0]=1,0,0,0",
            *[f"world[{n}]={row}" for n, row in enumerate(UNIT)],
        ),
    ),
}


def hard(language: str, name: str, command: str = "debug") -> Session:
    """A session of a shader of `tests/compile/spirv/placed`, or of its module; it was read for a command."""
    inputs, uniforms = VALUES[language]
    path = PLACED / name
    source = SourceFile(name, path.read_bytes(), str(path))
    values: dict[str, Any] = {"default": "0", "input": inputs, "uniform": uniforms}
    match = recognise(name, source.data)
    assert match is not None
    loaded = match.read(Request(command, (source,), values))
    return Session(Launch(loaded, Request("debug", (source,), values), ()))


@pytest.mark.parametrize(
    ("language", "name", "command", "text"),
    [
        ("glsl", "hard.glsl.spv", "debug", HARD),
        ("glsl", "hard.glsl.spv", "run", HARD),  # the same program, of which the debugger knows more
        ("hlsl", "hard.hlsl.spv", "debug", LIT),
        pytest.param("hlsl", "hard.hlsl", "debug", LIT, marks=needs("glslangValidator")),
    ],
)
def test_expressions_of_hard_sources(language: str, name: str, command: str, text: str) -> None:
    run = hard(language, name, command)
    run.goto(0, 1000)
    lines = iter(run.causes(0, "color.x", 100).text().split("\n"))
    for line in text.split("\n"):
        assert line == "..." or any(line == each for each in lines), line  # in this order


def test_an_expression_of_the_source_has_the_value_that_it_had_when_it_was_computed() -> None:
    run = toon()
    with pytest.raises(InputError, match="unexpected"):
        run.evaluate(0, "dot(n, shade)")
    run.goto(0, 0)
    with pytest.raises(InputError, match=r"'dot\(n, sun\)' has no value yet"):
        run.evaluate(0, "dot( n,sun )")
    run.goto(0, 1000)
    values = {
        "dot( n,sun )": (-1,),
        "normalize(mat3(modelview) * normal)": (0, 0, -1),  # three instructions, of which one has the result
        "mat3(modelview) * normal": (0, 0, -1),  # three instructions with a component each
        "max(0.0, dot(n, sun))": (0,),
    }
    assert {text: run.evaluate(0, text).numbers for text in values} == values
    assert run.causes(0, "dot(n, sun)").text().split("\n")[0] == "dot(n, sun) = -1 (r0.x, step 6, toon.vert:26:28)"
    with pytest.raises(InputError):
        run.causes(0, "mat3(modelview) * normal")  # it has several components
    assert run.causes(0, "paint.y").text() == "paint.y = 1 (uniform)"  # a name is what it was


def test_an_expression_in_a_loop_has_its_last_value() -> None:
    run = hard("glsl", "hard.glsl.spv")
    run.goto(0, 1000)
    (last,) = run.evaluate(0, "dot(rows[i], a)").numbers
    recording = run.recording(0)
    steps = [number for number, address in enumerate(recording.addresses) if "dot(rows[i], a)" in text_at(run, address)]
    assert len(steps) > 4  # four times
    run.goto(0, steps[0] + 1)
    (first,) = run.evaluate(0, "dot(rows[i], a)").numbers
    assert (first, last) == (3, 0)  # the first row is not zero


def text_at(run: Session, address: int) -> str:
    expression = expression_of(run, address)
    return expression.text if expression is not None else ""


def test_hlsl_is_stepped_and_stopped_by_its_lines_and_variables() -> None:
    run = hard("hlsl", "hard.hlsl.spv")
    words = run.addresses("hard.hlsl:15")
    assert {span.line for word in words if (span := run.source_map[word]) is not None} == {15}
    recording = run.recording(0)
    recording.extend(1000)
    run.goto(0, next(step for step, address in enumerate(recording.addresses) if address in words))
    variables = next(group for group in run.scopes(0) if group.name == "variables")
    (d,) = [each for each in variables.registers if each.name == "d"]
    assert d.values[0] is not None and abs(d.values[0].number - 1.2) < 1e-4
    assert [each.name for each in variables.registers][:3] == ["input.pos", "input.normal", "input.uv"]
    lines = [run.source_map[address] for address in recording.addresses]
    assert {8, 13, 14, 15, 16, 17, 18, 19, 21, 22} <= {span.line for span in lines if span is not None}


@pytest.mark.parametrize(
    ("line", "column", "text"),
    [
        ("    float d = dot(n, sun);  // the angle", 0, "float d = dot(n, sun)"),
        ("    float d = dot(n, sun);", 15, "dot(n, sun)"),  # debug information with columns
        ("    if (light > 0.9) {", 0, "if (light > 0.9)"),
        ("    // only a comment", 0, "// only a comment"),
    ],
)
def test_a_statement_is_the_text_of_the_source(line: str, column: int, text: str) -> None:
    assert statement(Span(file="a.vert", line=1, column=column, text=line)) == text


def test_what_nothing_has_written_is_a_leaf() -> None:
    leaf = next(node for node in ended("unset").causes(0, "o0.x").nodes if node.kind in (UNSET, "register"))
    assert leaf.place == "r5.x"


@pytest.mark.parametrize(
    ("place", "text"),
    [("v0.x", "position.x = 1 (input)"), ("offset.x", "offset.x = 1 (uniform)"), ("o0.x", "o0.x = ? (never written)")],
)
def test_a_place_that_no_step_has_made_is_one_node(place: str, text: str) -> None:
    run = SESSIONS["calls"][0]()
    assert run.causes(0, place).text() == text
    assert len(run.causes(0, place).picture().nodes) == 1


def test_a_graph_is_drawn_printed_and_plain() -> None:
    run = ended("glsl")
    graph = run.causes(0, "color.y")
    for style in ("text", "dot", "svg"):
        text = str(drawn(graph.picture(), style, places=run.source_map).text)
        assert "normalize(mat3" in text.replace("&amp;", "&")
    assert "= -1" in [node.name for node in graph.picture().nodes]  # `dot(n, sun)` is in its row
    last = json.loads(json.dumps(graph.to_json()))["nodes"][-1]
    assert (last["text"], last["line"], last["column"], last["length"]) == (graph.nodes[-1].text, 32, 18, 14)
    commands = Commands(run)
    assert commands.do("causes color.y").lines == tuple(graph.text().split("\n"))
    assert commands.do("why color").error is not None
    with pytest.raises(InputError):
        run.causes(0, "nothing.x")


def test_shadercore_has_causes_too() -> None:
    run = session(CORE, name="test.sc", input=("v0=2,3,0,0",), uniform=("c0=4,0,0,0",))
    run.goto(0, 1000)
    assert [node.text for node in run.causes(0, "o0.x").nodes if node.steps] == [
        "mul r0.x, v0.x, c0.x",
        "add r0.x, r0.x, v0.y",
        "mov o0.x, r0.x",
    ]
