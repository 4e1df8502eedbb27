"""What objects show in a notebook: whole, escaped and bounded, without scripts."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING, Protocol, cast
from xml.etree import ElementTree

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.core import html

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = REPOSITORY / "examples"
MOST = 100_000
IDENTITY = np.eye(4)
# A name with markup: text of a file must never become markup of a page.
HOSTILE = "<img src=x onerror=alert(1)>"


class Shown(Protocol):
    def _repr_html_(self) -> str: ...


class Page(HTMLParser):
    """The tags and the text of a page; fails where tags do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._open.append(tag)
        assert all(name in ("style", "colspan") for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def page(shown: object) -> Page:
    text = cast("Shown", shown)._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert len(text) < MOST
    found = Page(text)
    assert not {"script", "style", "img", "link", "iframe"} & set(found.tags)
    return found


def transform(lanes: int) -> lw.Result:
    shader = lw.load(EXAMPLES / "transform.v.pica").vertex
    data = np.random.default_rng(1).uniform(-1, 1, (lanes, 3))
    return shader.run({"position": data, "color": [1, 1, 1], "texcoord": [0, 0]}, {"projection": IDENTITY})


def test_a_result_of_a_million_lanes_is_short():
    numbers = np.broadcast_to(np.float32(0.5), (1_000_000, 4))
    found = page(lw.Result(1_000_000, {"position": numbers}, {"position": numbers.view(np.uint32)}))
    assert "1000000 lanes, the first 20" in found.words and "position.x" in found.words
    assert found.tags.count("tr") == 21


def test_a_result_shows_its_numbers_and_its_faults():
    result = transform(2)
    found = page(result)
    assert f"{result.outputs['position'][1, 0]:.6g}" in found.words
    endless = lw.assemble(".out pos position\n.in i\n.proc main\n again:\n mov pos, i\n jmpu b0, again\n end\n.end\n")
    stopped = endless.vertex.run({"i": np.zeros((50, 4))}, {"b0": True}, keep_faults=True)
    words = page(stopped).words
    assert "Stopped (and 30 more lanes)" in words and stopped.faults[0].fault.code in words


@pytest.mark.parametrize("name", ["transform.v.pica", "transform.sc", "direct3d9/lit.vsa"])
def test_programs_show_their_interface(name: str):
    words = page(cast("object", lw.load(EXAMPLES / name))).words
    assert name in words


def test_a_shader_shows_inputs_uniforms_outputs_and_constants():
    words = page(lw.load(EXAMPLES / "toon.v.pica").vertex).words
    for part in ("Inputs", "Uniforms", "Outputs", "Constants", "normal", "glossy", "color"):
        assert part in words


def test_a_compiled_shader_shows_its_program():
    compiled = lw.load(EXAMPLES / "direct3d9" / "lit.vsa", isa="direct3d9").compile()
    assert "mul" in page(compiled).words


def test_traces_unfold():
    shader = lw.load(EXAMPLES / "transform.v.pica").vertex
    trace = shader.trace({"position": [1, 2, 3], "color": [1, 1, 1], "texcoord": [0, 0]}, {"projection": IDENTITY})
    found = page(trace)
    assert found.tags.count("details") == len(trace.steps)
    assert "dp4 outpos.z, projection[2], position" in found.words and "end after" in found.words
    assert "given:" in page(trace.explain("position.x")).words


def test_long_traces_say_what_is_left_out():
    loop = ".out pos position\n.in i\n.proc main\n mov r0, i\n for i0\n  add r0, r0, i\n .end\n mov pos, r0\n end\n.end\n"
    trace = lw.assemble(loop).vertex.trace({"i": [1, 1, 1, 1]}, {"i0": [255, 0, 0]})
    found = page(trace)
    left = len(trace.steps) - found.tags.count("details")
    assert f"… {left} more steps" in found.words


def test_a_geometry_shader_s_run_and_its_primitives():
    pipeline = lw.assemble([EXAMPLES / "particles.v.pica", EXAMPLES / "particles.g.pica"]).pipeline
    inputs = {"position": [[0, 0, 0], [4, 0, 0]], "color": [1, 0.5, 0]}
    uniforms = {"projection": IDENTITY, "size": [0.5, 0.25, 0, 0]}
    trace = pipeline.trace(inputs, indices=[0, 1], uniforms=uniforms, number=1)
    assert page(trace).tags.count("details") == len(trace.steps)
    assert "position" in page(pipeline.run(inputs, indices=[0, 1], uniforms=uniforms)).words


def test_disassemblies_are_escaped(tmp_path: Path):
    path = tmp_path / "program.shbin"
    path.write_bytes(lw.assemble((EXAMPLES / "toon.v.pica").read_text()).to_bytes())
    assert ".proc" in page(lw.disassemble(path)).words
    assert HOSTILE in page(lw.Source("a", f"; {HOSTILE}\n")).words
    assert HOSTILE in page(lw.Disassembly(sources=(lw.Source(HOSTILE, ""),))).words


def test_names_are_escaped(tmp_path: Path):
    path = tmp_path / f"{HOSTILE}.v.pica"
    path.write_bytes((EXAMPLES / "transform.v.pica").read_bytes())
    shader = lw.load(path).vertex
    values = {"position": [1, 2, 3], "color": [1, 1, 1], "texcoord": [0, 0]}
    trace = shader.trace(values, {"projection": IDENTITY})
    for shown in (lw.load(path), shader, trace, trace.explain("position.x")):
        assert HOSTILE in page(shown).words


def test_graphs_are_drawings():
    graph = lw.load(EXAMPLES / "toon.v.pica").vertex.graph()
    svg = graph._repr_svg_()  # pyright: ignore[reportPrivateUsage]
    assert svg is not None and len(svg) < MOST
    assert ElementTree.fromstring(svg).tag.endswith("svg")


def test_a_graph_that_is_too_large_to_draw_is_text(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lanewise.graph.svg.MOST_NODES", 1)
    graph = lw.load(EXAMPLES / "toon.v.pica").vertex.graph()
    assert graph._repr_svg_() is None  # pyright: ignore[reportPrivateUsage]
    assert "ifu glossy" in page(graph).words


def test_a_timing_is_a_line_a_table_and_a_timeline():
    program = lw.load(EXAMPLES / "transform.sc", isa="shadercore")
    timing = program.time()
    assert len(repr(timing)) < 200 and f"{timing.total_cycles} cycles" in repr(timing)
    assert len(timing.table().split("\n")) == 1 + len(timing.issues)
    assert ElementTree.fromstring(timing.svg("<&>")).tag.endswith("svg")
    assert page(timing).tags.count("tr") == 1 + len(timing.issues)


def test_a_table_counts_what_does_not_fit():
    text = html.table(["a"], [[n] for n in range(1000)], most=2000)
    assert len(text) < 2200
    rows = Page(text).tags.count("tr") - 2
    assert f"… {1000 - rows} more" in text
