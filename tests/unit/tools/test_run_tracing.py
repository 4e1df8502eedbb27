"""Traces of geometry shaders: what a run was given, what it emitted and sent, and where emitted components came from."""

import json
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY
from engines.shaders import word
from lanewise.pica200.api.file import assemble_texts
from lanewise.pica200.api.run_tracing import Place, Run
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.api.tracing import Trace
from lanewise.pica200.isa.program import Constant
from lanewise.pica200.isa.table import FLOAT

EXAMPLES = REPOSITORY / "examples"

VERTEX = """.entry vmain
.out opos position
.out oclr color
.in position
.in color
.proc vmain
    mov opos, position
    mov oclr, color
    end
.end
"""


def pipeline(body: str, mode: str = "point c0", head: str = "", vertex: str = VERTEX) -> lw.pica200.Pipeline:
    geometry = f".gsh {mode}\n.entry gmain\n{head}\n.out pos position\n.out clr color\n.proc gmain\n{body}\nend\n.end\n"
    return assemble_texts([("a.v.pica", vertex), ("b.g.pica", geometry)]).pipeline


def points(count: int) -> dict[str, Any]:
    """Vertices whose x counts from 1, and whose colour is x / 8."""
    x = np.arange(1, count + 1)[:, np.newaxis]
    return {"position": x, "color": x / 8}


def run_of(trace: Trace) -> Run:
    assert trace.run is not None
    return trace.run


TRIANGLE = """
mov pos, v0
mov clr, v1
setemit 0
emit
mov pos, v2
mov clr, v3
setemit 1
emit
mov pos, v4
mov clr, v5
setemit 2, prim inv
emit
"""


@pytest.mark.parametrize("profile", ["hardware", "azahar", "panda3ds"])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_trace_sends_what_the_run_does(profile: str, number: int):
    example = lw.assemble([str(EXAMPLES / f"subdivide.{stage}.pica") for stage in "vg"]).pipeline
    rng = np.random.default_rng(3)
    inputs = {"position": rng.normal(size=(5, 3)), "color": rng.random((5, 4))}
    indices = [0, 1, 2, 2, 1, 3, 3, 1, 4]
    uniforms = {"projection": np.eye(4) * 2}
    result = example.run(inputs, indices, uniforms, profile=profile, topology="triangles")
    trace = example.trace(inputs, indices, uniforms, profile=profile, number=number)
    run = run_of(trace)
    mine = np.flatnonzero(result.runs == number)
    assert len(run.primitives) == len(mine) == 4
    for sent, row in zip(run.primitives, mine, strict=True):
        assert sent.record.primitive is not None
        for corner, place in enumerate(sent.corners):
            assert place is not None and place.run == number
            words = run.emitted[place.number].record.vertex.outputs
            assert words == sent.record.primitive[corner].outputs
            assert list(words[0]) == result.bits["o0"][row, corner].tolist()
            assert list(words[1]) == result.bits["o1"][row, corner].tolist()
    assert trace.diagnostics == ()


def test_what_a_run_was_given():
    trace = pipeline(TRIANGLE).trace(points(4), [0, 1, 2, 3, 2, 1], number=1)
    run = run_of(trace)
    assert (run.vertices, run.mode, run.b15) == ((3, 2, 1), "point", True)
    assert (trace.source("v2"), trace.source("v3"), trace.source("c0")) == ("opos of vertex 2", "oclr of vertex 2", "")
    assert (run.emission.vertex, run.emission.primitive, run.emission.invert) == (2, True, True)
    text = trace.text()
    assert "  given  v0 = 4, 0, 0, 1 [410000 000000 000000 3f0000], opos of vertex 3\n" in text
    assert "  given  b15 = true, as in every run except the first\n" in text
    assert "  given  setemit as left by an earlier run: slot 2, sends a primitive, winding inverted\n" in text
    first = pipeline(TRIANGLE).trace(points(4), [0, 1, 2, 3, 2, 1])
    assert not run_of(first).b15
    assert "  given  b15 = false\n" in first.text()


def test_what_setemit_and_emit_did():
    trace = pipeline(TRIANGLE).trace(points(3))
    text, table = trace.text(), trace.table()
    assert "  emit   slot 2, sends a primitive, winding inverted\n" in text
    assert "  emit   emit 2 in slot 2: pos (o0) = 3, 0, 0, 1; clr (o1) = 0.375, 0, 0, 1\n" in text
    assert "  emit   sends emits 0, 1, 2; winding inverted: drawn as 1, 0, 2\n" in text
    assert text.endswith("  primitive 0: emits 0, 1, 2; winding inverted: drawn as 1, 0, 2")
    assert "emit 2 in slot 2, sends emits 0, 1, 2; winding inverted: drawn as 1, 0, 2" in table
    assert table.startswith("b.g.pica, run 0: profile hardware")
    other = pipeline(TRIANGLE).trace(points(3), profile=lw.pica200.profiles["hardware"].replace(winding_swap="outer"))
    assert "drawn as 2, 1, 0" in other.table()


def test_json_has_it_all():
    document: Any = json.loads(json.dumps(pipeline(TRIANGLE).trace(points(3)).to_json(), allow_nan=False))
    assert (document["stage"], document["run"], document["fault"]) == ("geometry", 0, None)
    assert document["given"]["vertices"] == [0, 1, 2]
    assert document["given"]["registers"][3]["from"] == {"run": 0, "vertex": 1, "output": "o1", "name": "oclr"}
    assert document["given"]["b15"] is False
    emits = [step["emit"] for step in document["steps"] if step["emit"]]
    assert [(each["number"], each["slot"], each["held"]) for each in emits] == [(0, 0, True), (1, 1, True), (2, 2, True)]
    assert emits[0]["sends"] is None
    assert emits[2]["sends"] == document["primitives"][0]
    assert document["primitives"][0]["drawn"] == [1, 0, 2]
    settings = [step["setemit"] for step in document["steps"] if step["setemit"]]
    assert settings[2] == {"slot": 2, "primitive": True, "inverted": True}


def test_explain_the_last_or_any_emitted_vertex():
    trace = pipeline(TRIANGLE).trace(points(3))
    for component, vertex, value in (
        ("position.x", 2, 3),
        ("position.x@0", 0, 1),
        ("clr.x@1", 1, 0.25),
        ("o1.x @ 2", 2, 0.375),
    ):
        explanation = trace.explain(component)
        assert trace.number(explanation.word) == value
        assert explanation.emitted is not None and explanation.emitted.number == vertex
        (cell,) = explanation.origins.given
        assert trace.source(f"v{cell.number}").endswith(f"of vertex {vertex}")
    text = trace.explain("position.x@1").text()
    assert text.startswith("position.x@1 (o0.x) = 2 [400000], run 0, emit 1 in slot 1\n")
    assert "  from  v2.x (opos of vertex 1) = 2 [400000]\n" in text
    assert text.endswith("given:\n  input v2.x = 2 [400000], opos of vertex 1")
    document: Any = trace.explain("position.x@1").to_json()
    assert document["given"][0]["from"]["vertex"] == 1
    assert (document["value"], document["emit"]["number"]) == (2, 1)


BANKS = """
mov pos, v0
mov clr, v1
setemit 0
emit
mov pos, v0
setemit 1
emit
mov pos, v0
setemit 2, prim
emit
"""


def test_explain_follows_the_banks():
    """What is not written since the EMIT before is what was written two EMITs ago, or a run before."""
    shader = pipeline(BANKS)
    trace = shader.trace(points(2))
    third = trace.explain("color.x@2")
    assert [cause.step.pc for cause in third.origins.causes] == [trace.steps[1].pc]
    assert trace.number(third.word) == 0.125
    second = trace.explain("color.x@1")
    assert second.origins.causes == ()
    assert [str(cell) for cell in second.never_written] == ["o1.x of the other bank"]
    assert "never written: initial value of the register" in second.text()
    assert "  emit   clr.xyzw (o1) was not written in this run and bank: 0, 0, 0, 0\n" in trace.text()
    # Three EMITs: the second run starts in the other bank, so its first and third vertex find what the first run wrote there.
    again = shader.trace(points(2), number=1).explain("color.x@1")
    assert again.never_written == ()
    assert again.trace.number(again.word) == 0.125
    assert "not written here: left by an earlier run" in again.text()
    cleared = shader.trace(
        points(2), number=1, profile=lw.pica200.profiles["hardware"].replace(keep_registers_between_invocations="cleared")
    )
    assert cleared.explain("color.x@1").left_before == ()


def test_a_primitive_of_vertices_of_a_run_before():
    """No EMIT clears the buffer: the second run sends two vertices of the first."""
    body = "ifu b15\nmov pos, v0\nmov clr, v1\nsetemit 2, prim\nemit\n.else\n" + BANKS.replace(", prim", "") + ".end"
    shader = pipeline(body)
    trace = shader.trace(points(2), number=1)
    (sent,) = run_of(trace).primitives
    assert sent.corners == (Place(0, 0), Place(0, 1), Place(1, 0))
    assert "sends emits 0 of run 0, 1 of run 0, 0" in trace.table()
    alone = pipeline("mov pos, v0\nmov clr, v1\nsetemit 2, prim\nemit").trace(points(1))
    assert run_of(alone).primitives[0].corners == (None, None, Place(0, 0))
    assert "sends emits nothing, nothing, 0" in alone.table()


def test_a_dropped_vertex():
    shader = pipeline("mov pos, v0\nmov clr, v1\nsetemit 2, prim\nemit")
    own = shader.geometry
    assert own is not None
    words = [
        word("setemit", vertex=3, primitive=1) if each == word("setemit", vertex=2, primitive=1) else each for each in own.words
    ]
    shader = lw.pica200.Pipeline(shader.vertex, Shader(own.file, own.program, own.interface, words, own.descriptors))
    trace = shader.trace(points(1), profile=lw.pica200.profiles["hardware"].replace(emit_slots="3"))
    assert run_of(trace).primitives == ()
    assert "emit 0 dropped: the profile has no slot 3" in trace.table()


def test_overwritten_uniforms():
    """Variable mode: c0 is the number of vertices; a shorter run leaves the uniforms of a longer one before."""
    shader = pipeline("mov pos, c3\nmov clr, c1\nsetemit 0\nemit", mode="variable c0 1")
    trace = shader.trace(points(4), [3, 0, 1, 2, 2, 3, 0], number=1)
    run = run_of(trace)
    assert run.vertices == (3, 0)
    assert sorted(run.overwritten) == ["c0", "c1", "c2", "c3"]
    assert trace.source("c0") == "the number of vertices"
    assert trace.source("c4") == "opos of vertex 2, stayed from run 0"
    text = trace.text()
    assert "  given  c0 = 2, 2, 2, 2 [400000 400000 400000 400000], the number of vertices, was 3, 3, 3, 3\n" in text
    assert "  given  c1 = 4, 0, 0, 1 [410000 000000 000000 3f0000], opos of vertex 3, was 1, 0, 0, 1\n" in text
    assert "  given  c4 = 3, 0, 0, 1 [408000 000000 000000 3f0000], opos of vertex 2, stayed from run 0\n" in text
    document: Any = trace.to_json()
    registers = {each["register"]: each for each in document["given"]["registers"]}
    assert registers["c0"]["from"] == {"run": 1, "vertex": None, "output": None, "name": None}
    assert registers["c1"]["was"]["values"] == [1, 0, 0, 1]
    assert registers["c4"]["was"] is None
    assert trace.explain("color.x").text().endswith("uniform c1.x = 4 [410000], opos of vertex 3")


def test_fixed_mode_over_a_constant():
    """A uniform that is overwritten is no constant, even with the same value."""
    shader = pipeline("mov pos, c8\nmov clr, c9\nsetemit 0\nemit", mode="fixed c20 c8 1")
    own = shader.geometry
    assert own is not None
    one = 0x3F0000
    interface = own.interface._replace(constants=(Constant(FLOAT + 8, (one, 0, 0, one)), Constant(FLOAT + 30, (one, 0, 0, 0))))
    shader = lw.pica200.Pipeline(shader.vertex, Shader(own.file, own.program, interface, own.words, own.descriptors))
    trace = shader.trace(points(1), [0])
    assert trace.source("c8") == "opos of vertex 0"
    assert "uniform c8.x = 1 [3f0000], opos of vertex 0" in trace.explain("position.x").text()
    assert [trace.is_constant(FLOAT + number) for number in (8, 9, 30)] == [False, False, True]


KEPT = """
ifu b15
mov pos, r3
mov clr, v1
setemit 0
emit
.end
mov r3, v0
"""


def test_registers_of_a_run_before():
    shader = pipeline(KEPT)
    trace = shader.trace(points(2), number=1)
    assert [cell for step in trace.steps for cell in step.unwritten] == []
    explanation = trace.explain("position.x")
    assert list(map(str, explanation.left_before)) == ["r3.x"]
    assert trace.number(explanation.word) == 1
    assert explanation.text().endswith(
        "left by an earlier run:\n  r3.x\n\nconditions on the path:\n  step 0, word 0x3, b.g.pica:8: ifu b15: b15? yes"
    )
    cleared = shader.trace(
        points(2), number=1, profile=lw.pica200.profiles["hardware"].replace(keep_registers_between_invocations="cleared")
    )
    assert [str(cell) for cell in cleared.explain("position.x").never_written] == ["r3.x"]
    assert [str(cell) for step in cleared.steps for cell in step.unwritten] == ["r3.x", "r3.y", "r3.z", "r3.w"]


def test_vertices_by_their_number():
    shader = pipeline(TRIANGLE)
    trace = shader.trace(points(4), [3, 1, 2], stage="vertex", number=1)
    assert (trace.subject, trace.run) == ("vertex 1", None)
    assert trace.number(trace.outputs.outputs[0][0]) == 2
    alone = lw.pica200.Pipeline(shader.vertex).trace(points(3), [2, 1, 0], number=2)
    assert alone.number(alone.outputs.outputs[0][0]) == 3
    with pytest.raises(lw.InputError, match="vertex 0 does not run") as error:
        shader.trace(points(4), [3, 1, 2], stage="vertex", number=0)
    assert error.value.diagnostics[0].fix == "use one of the vertices that run: 3, 1, 2"


def test_vertices_before_in_the_order_of_the_indices():
    vertex = VERTEX.replace("mov opos, position", "add r0, position, r0\nmov opos, r0")
    shader = pipeline(TRIANGLE, vertex=vertex)
    kept = lw.pica200.profiles["hardware"].replace(initial_state="kept")
    indices = [3, 1, 2]
    trace = shader.trace(points(4), indices, stage="vertex", number=2, profile=kept)
    assert trace.number(trace.outputs.outputs[0][0]) == 4 + 2 + 3
    assert list(map(str, trace.explain("position.x").left_before)) == ["r0.x"]
    assert "left by an earlier vertex:\n  r0.x" in trace.explain("position.x").text()
    assert trace.steps[0].unwritten == ()
    run = shader.trace(points(4), indices, profile=kept)
    assert [run.number(words[0]) for words in run.given.inputs[0:6:2]] == [4, 6, 9]


def test_nothing_to_trace():
    shader = pipeline(TRIANGLE)
    for number in (-1, 1):
        with pytest.raises(lw.InputError, match=r"run -?[01] of the geometry shader does not exist") as error:
            shader.trace(points(3), number=number)
        assert [d.code for d in error.value.diagnostics] == ["B008"]
    with pytest.raises(lw.InputError, match="run 0 of the geometry shader does not exist"):
        shader.trace(points(2))
    with pytest.raises(lw.InputError, match="has no geometry shader"):
        lw.pica200.Pipeline(shader.vertex).trace(points(3), stage="geometry")
    with pytest.raises(ValueError, match="use vertex or geometry"):
        shader.trace(points(3), stage="pixel")
    with pytest.raises(lw.InputError, match="B011"):
        shader.trace(points(2), [0, 1, 2])


@pytest.mark.parametrize(
    ("component", "said"),
    [
        ("position.x@3", "run 0 emits 3 vertices, counted from 0"),
        ("position.x@", "run 0 emits 3 vertices"),
        ("position.x@-1", "run 0 emits 3 vertices"),
        ("position@1", "select a component: position.x"),
        ("texcoord0.x@1", "use position.x or color.x"),
        ("colour.x@1", "did you mean color.x?"),
    ],
)
def test_explain_of_nothing(component: str, said: str):
    with pytest.raises(lw.InputError, match="B001") as error:
        pipeline(TRIANGLE).trace(points(3)).explain(component)
    assert said in error.value.diagnostics[0].fix


def test_explain_where_nothing_is_emitted():
    with pytest.raises(lw.InputError, match="run 0 emits no vertex"):
        pipeline("mov pos, v0\nmov clr, v1").trace(points(1)).explain("position.x")
    with pytest.raises(lw.InputError, match="refers to an emitted vertex") as error:
        pipeline(TRIANGLE).trace(points(3), stage="vertex").explain("position.x@0")
    assert error.value.diagnostics[0].fix.startswith("use position.x:")


def test_faults_of_a_run_and_of_its_vertices():
    body = "mov pos, v0\nmov clr, v1\nsetemit 0\nagain:\nemit\njmpu b0, again"
    trace = pipeline(body).trace(points(1), budget=30, geometry_uniforms={"b0": True})
    assert trace.fault is not None and trace.fault.code == "R010"
    assert len(trace) == 7
    assert trace.diagnostics[0].message.startswith("run 0 stopped")
    assert trace.text().splitlines()[-1].lstrip().startswith("emit ")
    vertex = VERTEX.replace("mov oclr", "mov r0, color\ncmp position, gt, gt, r0\nagain:\njmpc cmp.x, again\nmov oclr")
    broken = pipeline("mov pos, v0\nmov clr, v1\nsetemit 0\nemit", vertex=vertex)
    data = {"position": [[1], [0]], "color": [0.5, 0, 0, 0]}
    trace = broken.trace(data, number=0, budget=50)
    assert trace.fault is None
    assert [(d.code, d.span.file) for d in trace.diagnostics] == [("R010", "a.v.pica")]
    assert broken.trace(data, number=1, budget=50).diagnostics == ()
