"""Calls with arguments that a function does not have: what is said, and that what is said to do works."""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

import lanewise as lw

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = Path(__file__).parents[3] / "examples"
VERTEX, GEOMETRY = str(EXAMPLES / "subdivide.v.pica"), str(EXAMPLES / "subdivide.g.pica")
SPIRV = EXAMPLES / "glsl/toon.spv"
GIVEN: dict[str, Any] = {"position": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "color": [1, 0.5, 0], "texcoord": [0, 0]}
UNIFORMS: dict[str, Any] = {"projection": np.eye(4)}
BOTH: dict[str, Any] = {"inputs": {"position": GIVEN["position"], "color": [1, 1, 1]}, "indices": [0, 1, 2]}


@pytest.fixture(scope="module")
def shader() -> Any:
    return lw.load(EXAMPLES / "transform.v.pica").vertex


class Bar:
    """A progress bar, whose `update` takes what was done since."""

    n = 0

    def update(self, n: int = 1) -> None:
        self.n += n


def count_done(done: int, _: int) -> None:
    Bar().update(done)


def core(device: Any) -> Any:
    program = lw.load_shadercore(EXAMPLES / "transform.sc")
    return program.run({"position": [1, 2, -4], "color": [1, 1, 1, 1]}, device=device)


def case(**named: Any) -> Any:
    return cast("Any", lw.Case)(inputs=GIVEN, uniforms=UNIFORMS, **named)


# The mistake, what is said, and what one writes then.
CALLS: list[tuple[Callable[[Any], object], str, Callable[[Any], object]]] = [
    (
        lambda s: s.run(GIVEN, UNIFORMS, device="cuda:0"),
        "no argument 'device': programs run on the processor, leave it",
        lambda s: s,
    ),
    (
        lambda _: core({"base": "rtl", "set": {"rcp_sigma": "fixed"}}),
        "expected a text or a Device: write device='rtl,rcp_sigma=fixed'",
        lambda _: core("rtl,rcp_sigma=fixed"),
    ),
    (lambda _: core({"rcp_sigma": "fixed"}), "write device='rtl,rcp_sigma=fixed'", lambda _: core("rtl,rcp_sigma=fixed")),
    (lambda s: s.to("cuda"), "leave `to` out", lambda s: s),
    (lambda s: s(GIVEN, UNIFORMS), r"use `shader.run\(inputs, uniforms\)`", lambda s: s.run(GIVEN, UNIFORMS)),
    (lambda s: s.forward(GIVEN), r"use `shader.run\(inputs, uniforms\)`", lambda s: s.run(GIVEN, UNIFORMS)),
    (lambda _: cast("Any", lw.load(VERTEX))(GIVEN), r"use `file.vertex.run\(", lambda _: lw.load(VERTEX).vertex.run),
    (lambda s: s.run(GIVEN, UNIFORMS, 2), "give 2 by name, count=2", lambda s: s.run(GIVEN, UNIFORMS, count=2)),
    (
        lambda s: s.run(GIVEN, UNIFORMS, progress=Bar().update, engine="reference"),
        r"`lambda done, total: bar.update\(done - bar.n\)`",
        lambda s: s.run(GIVEN, UNIFORMS, progress=count_done, engine="reference"),
    ),
    (
        lambda s: s.run(GIVEN, UNIFORMS, progress=eval("lambda done: None"), engine="reference"),
        r"progress is a lambda, .*: `lambda done, total: print\(done, total\)`$",
        lambda s: s.run(GIVEN, UNIFORMS, progress=eval("lambda done, total: print(done, total)"), engine="reference"),
    ),
    (
        lambda _: lw.load_pica200(VERTEX).optimise(progress=eval("lambda done: None")),
        r"progress is a lambda, .*: `lambda done, total: print\(done, total\)`$",
        lambda _: lw.load_pica200(VERTEX).optimise(progress=print),
    ),
    (
        lambda s: s.run(GIVEN, UNIFORMS, threads="auto"),
        r"`os.cpu_count\(\)`",
        lambda s: s.run(GIVEN, UNIFORMS, threads=os.cpu_count()),
    ),
    (lambda s: s.run(GIVEN, UNIFORMS, count=2.0), "count is 2.0, .*: write 2$", lambda s: s.run(GIVEN, UNIFORMS, count=2)),
    (
        lambda s: s.trace(GIVEN, UNIFORMS, lane=3),
        "there are 3 vertices\n.*\nhelp: use 0 to 2",
        lambda s: s.trace(GIVEN, UNIFORMS, lane=2),
    ),
    (
        lambda s: s.trace(GIVEN, UNIFORMS).explain(0),
        "component is 0, expected a text",
        lambda s: s.trace(GIVEN, UNIFORMS).explain("color.x"),
    ),
    (
        lambda s: [*s.run(GIVEN, UNIFORMS)],
        r"`for name, array in result.outputs.items\(\)`",
        lambda s: [*s.run(GIVEN, UNIFORMS).outputs.items()],
    ),
    (
        lambda s: s.batch(GIVEN, UNIFORMS).run(GIVEN),
        r"Batch.run\(\) takes no arguments: write into the arrays",
        lambda s: s.batch(GIVEN, UNIFORMS).run(),
    ),
    (lambda s: s.equivalent(s) == True, "verdict == 'equal'", lambda s: s.equivalent(s).verdict == "equal"),  # noqa: E712
    (
        lambda _: cast("Any", lw.assemble)(VERTEX, GEOMETRY),
        r"several are a list, `lanewise.assemble\(\['",
        lambda _: lw.assemble([VERTEX, GEOMETRY]),
    ),
    (
        lambda _: lw.load(VERTEX, GEOMETRY),
        r"linked by `lanewise.assemble\(\['",
        lambda _: lw.assemble([VERTEX, GEOMETRY]).pipeline.run(**BOTH, geometry_uniforms=UNIFORMS),
    ),
    (
        lambda _: cast("Any", lw.assemble([VERTEX, GEOMETRY]).pipeline.run)(BOTH["inputs"], UNIFORMS, indices=[0, 1, 2]),
        "takes indices second, and by name once more: give what is second by name too, `uniforms=...`",
        lambda _: lw.assemble([VERTEX, GEOMETRY]).pipeline.run(**BOTH, uniforms=UNIFORMS),
    ),
    (
        lambda s: lw.mismatches(s.run(GIVEN, UNIFORMS), cast("Any", {"color": [1, 0.5, 0, 1]})),
        "expected a program, which is run, found a ShaderResult",
        lambda s: lw.mismatches(s, case(outputs={"color": [1, 0.5, 0, 1]})),
    ),
    (lambda s: s.equivalent(lw.load(VERTEX)), "`other.vertex`", lambda s: s.equivalent(lw.load(VERTEX).vertex)),
    (
        lambda _: cast("Any", lw.pica200.Pipeline)(lw.load_pica200(GEOMETRY).geometry, lw.load_pica200(VERTEX).vertex),
        "the shaders are exchanged: .*\n.*\nhelp: give the vertex shader first",
        lambda _: lw.pica200.Pipeline(lw.load_pica200(VERTEX).vertex, lw.load_pica200(GEOMETRY).geometry),
    ),
    (
        lambda s: cast("Any", lw.mismatches)(case(outputs={"color": [1, 0.5, 0, 1]}), s),
        r"the arguments are exchanged: `lanewise.mismatches\(program, case\)`",
        lambda s: lw.mismatches(s, case(outputs={"color": [1, 0.5, 0, 1]})),
    ),
    (
        lambda s: lw.mismatches(s, cast("Any", {"color": [1, 0.5, 0, 1]})),
        "outputs=case",
        lambda s: lw.mismatches(s, case(outputs={"color": [1, 0.5, 0, 1]})),
    ),
    (lambda _: case(expected={}), r"Case\(\) has no argument 'expected': did you mean outputs", lambda _: case(outputs={})),
    (
        lambda _: cast("Any", lw.compile)(SPIRV, "-O2"),
        "options by name with _ for -: leave '-O2' out",
        lambda _: lw.compile(SPIRV),
    ),
    (
        lambda _: lw.compile(SPIRV, strict="yes"),
        "strict is 'yes', expected True or False$",
        lambda _: lw.compile(SPIRV, strict=True),
    ),
    (lambda _: lw.compile(SPIRV, constant=5), r"such as constant=\['ID=VALUE'\]$", lambda _: lw.compile(SPIRV)),
    (lambda _: lw.compile(SPIRV, outputs={}), "did you mean semantic", lambda _: lw.compile(SPIRV, semantic={})),
    (
        lambda _: lw.compile(EXAMPLES / "glsl/toon.vert", define=["-DFAST=1"]),
        "define '-DFAST=1': expected NAME or NAME=VALUE: write FAST=1",
        lambda _: lw.compile(SPIRV),
    ),
    (
        lambda _: cast("Any", lw.convert)(VERTEX, dialect="nihstro"),
        "did you mean to",
        lambda _: lw.convert(VERTEX, to="nihstro"),
    ),
]


@pytest.mark.parametrize(("mistake", "said", "then"), CALLS)
def test_a_call_that_is_refused(
    shader: Any, mistake: Callable[[Any], object], said: str, then: Callable[[Any], object]
) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError, lw.InputError), match=said):
        mistake(shader)
    then(shader)


def test_an_option_without_an_effect() -> None:
    with pytest.warns(lw.InputWarning, match="S015: the shader has no output and no input 'nope'"):
        lw.compile(SPIRV, semantic={"nope": "color"})


BUFFER: dict[str, Any] = {"buffer": bytes(24), "attributes": [("position", "float32", 3)]}
# A function, its arguments, one of them with values of another kind, and what is said; nothing else is looked at.
KINDS: list[tuple[Callable[..., object], dict[str, Any], str, list[Any], str]] = [
    (lw.load, {"path": VERTEX}, "isa", [5, ["pica200"], np.zeros(2)], "expected a text( or None)?$"),
    (lw.load, {"path": VERTEX}, "program", [2.5, [1], {1}], "expected a text or a whole number$"),
    (
        lw.assemble,
        {"source": "end"},
        "include",
        [5, None, [1], {1}, np.zeros(2)],
        "expected a text, a path or a list of texts or paths",
    ),
    (lw.assemble, {"source": "end"}, "dialect", [np.zeros(2)], "an ndarray, expected a text$"),
    (lw.format_source, {"name": "a.v.pica", "text": "end"}, "text", [None, b"end", ["end"]], "expected a text$"),
    (lw.shadercore.device, {}, "named", [None, 5, ["rtl"]], "expected a text or a Device$"),
    (lw.pica200.fetch_vertices, BUFFER, "attributes", [5, [1], "position"], r"\(name, type, components\)"),
    (lw.pica200.fetch_vertices, BUFFER, "stride", ["12", [12]], "expected a whole number(: write 12)?$"),
    (lw.pica200.fetch_vertices, BUFFER, "fixed", [5, "color"], r"expected values by name, such as \{'color': 1\}$"),
]


@pytest.mark.parametrize(("function", "named", "name", "values", "said"), KINDS)
def test_values_of_another_kind(
    function: Callable[..., object], named: dict[str, Any], name: str, values: list[Any], said: str
) -> None:
    for value in values:
        with pytest.raises(TypeError, match=rf"^({name} is|attributes are) .*?{said}"):
            function(**{**named, name: value})


@pytest.mark.parametrize("strange", [count_done, Bar, Bar(), (each for each in "ab"), [np.add], {"position": count_done}])
def test_no_message_has_what_is_no_python(shader: Any, strange: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: shader.run(GIVEN, UNIFORMS, threads=strange),
        lambda: shader.run(GIVEN, UNIFORMS, count=strange),
        lambda: shader.run(GIVEN, UNIFORMS, defaults=strange),
        lambda: shader.run(GIVEN, UNIFORMS, profile=strange),
        lambda: shader.trace(GIVEN, UNIFORMS, lane=strange),
        lambda: shader.run(GIVEN, UNIFORMS, device=strange),
        lambda: core(strange),
        lambda: lw.assemble("end", include=strange),
    ]
    for call in calls:
        with pytest.raises((TypeError, ValueError)) as error:
            call()
        assert "<" not in str(error.value)


def test_fields_of_a_case_are_checked_at_once() -> None:
    with pytest.raises(TypeError, match=r"^outputs is 5, expected values by name"):
        case(outputs=5)
    with pytest.raises(TypeError, match=r"^count is '3', expected a whole number: write 3$"):
        case(outputs={}, count="3")


def test_names_that_are_not_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, note in (("~/a.v.pica", "expanduser"), ("https://example.com/a.v.pica", "urlretrieve"), ("a", "the folder is")):
        with pytest.raises(FileNotFoundError) as error:
            lw.load(name)
        assert note in error.value.__notes__[0]
    with pytest.raises(ValueError, match="the path is empty"):
        lw.load("")


# What is looked for on programs, batches and results, and what is said.
HABITS: list[tuple[Callable[[Any], object], str]] = [
    (lambda s: s["projection"], "values are given to `run`, by name, {'projection': value}"),
    (lambda s: s.__setitem__("projection", 1), "values are given to `run`, by name, {'projection': value}"),
    (lambda s: s.uniforms.__setitem__("projection", 1), "given to `run`, by name, {'projection': value}"),
    (lambda s: s.uniforms.projection, "use `['projection']`"),
    (lambda s: s.uniforms["matrix"], "there are projection"),
    (lambda s: s.set_uniform("projection", 1), "values are given to `shader.run(inputs, uniforms)`"),
    (lambda s: s.source, "use `text`"),
    (lambda _: cast("Any", lw.compile(SPIRV)).to_bytes, "use `program.to_bytes`"),
    (lambda _: cast("Any", lw.compile(SPIRV)).vertex, "use `program.vertex`"),
    (lambda _: lw.disassemble(cast("Any", lw.compile(SPIRV))), "give its `program`"),
    (lambda _: cast("Any", lw.load_shadercore(EXAMPLES / "transform.sc")).uniforms, "by register, {'c0': [1, 0, 0, 0]}"),
    (lambda _: cast("Any", lw.disassemble(lw.load(VERTEX))).text, "`sources[0].text` is the text"),
    (lambda s: s.attributes, "use `inputs` and `uniforms`"),
    (lambda _: cast("Any", lw.load(VERTEX))["main"], "`file.shader('main')`"),
    (lambda s: s.batch(GIVEN, UNIFORMS).inputs, "write into them"),
    (lambda s: s.batch(GIVEN, UNIFORMS).color, "use `outputs['color']`"),
    (lambda s: s.run(GIVEN, UNIFORMS).to_dict(), "use `dict(outputs)`"),
    (lambda _: cast("Any", lw).check, "use `lanewise.load(path).check()`"),
    (lambda s: s.run((GIVEN, UNIFORMS)), "two arguments, `run(inputs, uniforms)`"),
    (lambda s: s.run("a,b\n1,2\n"), "`pandas.read_csv(io.StringIO(text))`"),
    (lambda s: s.run(iter([1])), "give the frame itself"),
]


@pytest.mark.parametrize(("mistake", "said"), HABITS)
def test_what_programs_do_not_have(shader: Any, mistake: Callable[[Any], object], said: str) -> None:
    with pytest.raises((TypeError, AttributeError, KeyError), match=re.escape(said)):
        mistake(shader)


def test_bindings_have_names(shader: Any) -> None:
    assert shader.inputs["color"] == shader.inputs[1]
    assert shader.outputs["texcoord0"] == shader.outputs["outtex"] == shader.outputs[-1]
    assert pickle.loads(pickle.dumps(shader.uniforms))["projection"].size == 4
    assert shader.uniforms == tuple(shader.uniforms)


def test_booleans_of_a_graph_are_given_by_name() -> None:
    toon = lw.load(EXAMPLES / "toon.v.pica").vertex
    assert toon.graph(booleans={"glossy": True}).text() == toon.graph(booleans={0: True}).text() != toon.graph().text()
    for wrong in ("shiny", 99):
        with pytest.raises(ValueError, match=r"^unknown boolean .*: use glossy, or 0 to 15$"):
            toon.graph(booleans={wrong: True})


def test_texts_of_other_languages_name_the_function() -> None:
    for text, said in (
        ((EXAMPLES / "glsl/toon.vert").read_text(), "`lanewise.compile(source, language='glsl').program`"),
        (
            "float4 main(float4 p : POSITION) : SV_Position { return p; }\n\n",
            "`lanewise.compile(source, language='hlsl').program`",
        ),
        ((EXAMPLES / "transform.sc").read_text(), "`lanewise.load(text.encode())`"),
    ):
        with pytest.raises((ValueError, lw.InputError), match=re.escape(said)):
            lw.assemble(text)
    assert lw.load((EXAMPLES / "transform.sc").read_bytes()).isa == "shadercore"


def test_a_case_of_frames_and_arrays(shader: Any) -> None:
    pandas: Any = pytest.importorskip("pandas")
    rows = {
        f"{name}.{letter}": [1.0, 2.0]
        for name in ("position", "color", "texcoord")
        for letter in "xyz"[: 3 - (name == "texcoord")]
    }
    given = lw.Case(inputs=pandas.DataFrame(rows), uniforms=UNIFORMS, outputs={"color": [[1, 1, 1, 1], [2, 2, 2, 1]]})
    assert lw.mismatches(shader, given) == []
    both = lw.Case(
        inputs=BOTH["inputs"], indices=np.array([0, 1, 2]), geometry_uniforms=UNIFORMS, outputs={"color": [1, 1, 1, 1]}
    )
    assert lw.mismatches(lw.assemble([VERTEX, GEOMETRY]), both) == []
