"""Traces: what each step says, that it agrees with a run, and where results come from."""

import json
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.pica200.sem.components import Component

LIGHT: dict[str, Any] = {
    "projection": np.eye(4),
    "modelview": np.eye(4),
    "ambient": [0.125, 0.25, 0.5, 1],
    "direction": [[0, 0, 1], [0, 1, 0]],
    "light": [[1, 0, 0, 0], [0, 0.5, 0, 0]],
    "lights": [1, 0, 1],
}
VERTICES = {"position": [[1, 2, 3], [4, 5, 6]], "normal": [[0, 0, 1], [0, 1, 0]]}

SMALL = """.fvec table[4]
.bool fancy
.ivec turns
.constf half(0.5, 0.25, 0.0, 1.0)
.out pos position
.out col color
.in place
.proc main
    mova a0.x, place
    mov r2, half
    add r0.xy, table[a0.x], -r2
    cmp place.x, gt, lt, r0.x
    ifc cmp.x
        mov r1, half.x
    .else
        mov r1, half.y
    .end
    ifu fancy
        add r1, r1, r1
    .end
    mov pos, r0
    mov col.xy, r1
    end
.end
"""
GIVEN = {"table": [[1, 2], [3, 4], [5, 6], [7, 8]], "fancy": True}


def small(place: Any = (1, 0, 0), **uniforms: Any) -> Any:
    return lw.assemble(SMALL).vertex.trace({"place": [place]}, GIVEN | uniforms)


@pytest.mark.parametrize("profile", ["hardware", "azahar", "panda3ds"])
@pytest.mark.parametrize("lane", [0, 1])
def test_a_trace_ends_as_the_run_does(profile: str, lane: int):
    shader = lw.load("examples/lighting.v.pica").vertex
    trace = shader.trace(VERTICES, LIGHT, lane=lane, profile=profile)
    result = shader.run(VERTICES, LIGHT, profile=profile)
    for key in ("o0", "o1"):
        words = trace.outputs.outputs[int(key[1:])]
        assert list(words) == result.bits[key][lane].tolist()
        assert [trace.number(word) for word in words] == result.outputs[key][lane].tolist()
    assert trace.fault is None
    assert trace.steps[-1].ended
    assert [step.number for step in trace.steps] == list(range(len(trace)))
    assert all(a.state.pc == b.pc for a, b in zip(trace.steps, trace.steps[1:], strict=False))


def test_the_state_is_what_the_writes_make_it():
    """Played back from their writes alone, the registers are what each step found."""
    for place in ((1, 0, 0), (0, 0, 0), (3, 1, 1)):
        trace = small(place)
        registers: dict[str, tuple[int, ...]] = {}
        for step in trace.steps:
            for write in step.writes:
                assert write.old == registers.get(write.register, (0,) * len(write.old))
                kept = [n for n in range(len(write.old)) if not write.mask & 8 >> n]
                assert all(write.new[n] == write.old[n] for n in kept)
                registers[write.register] = write.new
            assert registers.get("a0", (0, 0)) == step.a0
            assert registers.get("cmp", (False, False)) == step.cmp
        assert registers["o0"] == trace.outputs.outputs[0]


def test_operands_are_what_was_read_after_indexing_selector_and_sign():
    trace = small((2, 0, 0))
    table, half = trace.steps[2].operands
    assert (table.register, table.used, table.indexed) == ("c2", (0, 1), True)
    assert [trace.number(word) for word in table.words[:2]] == [5, 6]
    assert (half.register, half.source.negate) == ("r2", True)
    assert [trace.number(word) for word in half.words] == [-0.5, -0.25, 0, -1]
    assert "  read   table[2].xy (c2, a0.x: +2 from c0) = 5, 6 [414000 418000]\n" in trace.text()
    assert "  read   -r2.xy = -0.5, -0.25 [be0000 bd0000]\n" in trace.text()


def test_an_index_past_the_last_uniform_reads_ones():
    trace = small((100, 0, 0))
    assert trace.steps[2].operands[0].register == "ones"
    explained = trace.explain("position.x").text()
    assert "constant ones" not in explained
    assert "uniform ones.x (past the last uniform) = 1" in explained


def test_a_table_has_a_line_for_each_step():
    lines = small().table().splitlines()
    assert len(lines) == len(small()) + 1
    assert lines[0].split() == ["step", "word", "instruction", "what", "happened", "next", "after", "it", "line"]
    assert "cmp.xy = 0, 1" in lines[4]
    assert "cmp.x? no" in lines[5]
    assert lines[5].split()[-2:] == ["0x6", "13"]
    assert "IF 0x9>0x9" in lines[7]


def test_json_is_complete_and_plain():
    document = json.loads(json.dumps(small().to_json(), allow_nan=False))
    assert document["fault"] is None
    first, _, second, third, branch = document["steps"][:5]
    assert first["instruction"] == "mova a0.x, place"
    assert first["source"]["line"] == 9
    assert first["wrote"] == [{"register": "a0", "mask": "x", "old": [0, 0], "new": [1, 0]}]
    assert second["read"][0]["register"] == "c1"
    assert second["read"][0]["index"] == "a0.x"
    assert second["wrote"][0]["new"]["values"] == [2.5, 3.75, 0, 0]
    assert second["computed"]["dst"]["values"] == [2.5, 3.75, 0, -1]
    assert third["cmp"] == [False, True]
    assert [(a["question"], a["answer"]) for a in branch["answers"]] == [("cmp.x?", False)]
    assert branch["next"] == 6
    assert document["steps"][-1]["next"] is None
    assert {output["name"]: output["mask"] for output in document["outputs"]} == {"pos": "xyzw", "col": "xy"}


def test_explain_follows_indices_and_lists_decisions_apart():
    found = small().explain("position.x").origins
    assert [cause.step.pc for cause in found.causes] == [0, 1, 2, 9]
    assert set(map(str, found.given)) == {"v0.x", "c1.x", "c95.x"}
    assert found.unwritten == ()
    assert [(d.step.pc, d.answer, d.set_by) for d in found.decisions] == [(4, False, (3,)), (7, True, ())]


def test_explain_tells_components_apart():
    trace = lw.assemble(SMALL.replace("mov pos, r0", "mov pos.xy, r0\nmov pos.zw, place")).vertex.trace(
        {"place": [[1, 5]]}, GIVEN
    )
    assert [cause.step.pc for cause in trace.explain("pos.z").origins.causes] == [10]
    assert list(map(str, trace.explain("o0.z").origins.given)) == ["v0.z"]


def test_explain_takes_the_way_that_was_taken():
    text = small((3, 0, 0), fancy=False).explain("color.y").text()
    assert "mov r1, half.y" in text and "half.y (c95) = 0.25" in text
    assert "add r1" not in text
    assert "fancy? no" in text
    assert "constant half.y (c95) = 0.25" in text


def test_explain_al_back_to_its_integers():
    trace = lw.load("examples/lighting.v.pica").vertex.trace(VERTICES, LIGHT)
    found = trace.explain("color.x").origins
    assert {"i0.y", "i0.z"} <= set(map(str, found.given))
    loop = next(cause for cause in found.causes if trace.instruction(cause.step.pc) == "for lights")
    assert loop.components == (Component("aL"),)
    assert "from  uniform lights.y (i0) = 0\n  made  aL = 0" in trace.explain("color.x").text()


def test_explain_what_nobody_wrote():
    explanation = lw.assemble(SMALL).vertex.trace({"place": [[1, 0]]}, GIVEN).explain("color.w")
    assert explanation.origins.causes == ()
    assert "never written: initial value of the register" in explanation.text()
    assert len(explanation.origins.decisions) == 2  # why it never was
    source = ".out pos position\n.in a\n.proc main\nadd r1.x, r0.x, a\nmov pos, r1.x\nend\n.end\n"
    trace = lw.assemble(source).vertex.trace({"a": [[1]]})
    assert trace.explain("pos.x").text().count("never written:\n  r0.x") == 1
    assert trace.steps[0].unwritten == (Component("r", 0, 0),)
    assert "note   r0.x has never been written" in trace.text()


@pytest.mark.parametrize(
    ("component", "fix"),
    [
        ("positoin.x", "did you mean position.x"),
        ("position", "select a component: position.x, position.y, position.z, position.w"),
        ("color.q", "its components are x, y, z, w"),
        ("", "use position.x or color.x"),
        ("green", "use position.y or color.y"),
        ("color.b", "did you mean color.z"),
    ],
)
def test_explain_of_nothing(component: str, fix: str):
    with pytest.raises(lw.InputError) as error:
        small().explain(component)
    assert [d.code for d in error.value.diagnostics] == ["B001"]
    assert fix in error.value.diagnostics[0].fix


def test_a_vertex_that_is_not_there():
    for lane in (-1, 1):
        with pytest.raises(lw.InputError, match="does not exist"):
            lw.assemble(SMALL).vertex.trace({"place": [[1, 0]]}, GIVEN, lane=lane)
    assert lw.assemble(SMALL).vertex.trace({"place": [1, 0]}, GIVEN, lane=4, count=5).lane == 4


def test_a_fault_ends_the_trace():
    source = ".out pos position\n.in a\n.proc main\nmov pos, a\nagain:\ncmp a, lt, lt, a.yyyy\njmpc cmp.x, again\nend\n.end\n"
    trace = lw.assemble(source, name="x.v.pica").vertex.trace({"a": [[1, 2]]}, budget=10)
    assert len(trace) == 5
    assert trace.fault is not None
    assert (trace.fault.code, trace.fault.step) == ("R010", 5)
    assert trace.diagnostics[0].span.line == 6
    assert trace.text().endswith("at x.v.pica:6:1: cmp a, lt, lt, a.y")
    assert "R010" in trace.table().splitlines()[-1]
    fault: Any = trace.to_json()["fault"]
    assert (fault["word"], fault["source"]["line"]) == (1, 6)


def test_registers_kept_from_vertex_to_vertex_are_there():
    source = ".out pos position\n.in a\n.proc main\nadd r0, a, r0\nmov pos, r0\nend\n.end\n"
    shader = lw.assemble(source).vertex
    data = {"a": [[1.0], [2.0], [4.0]]}
    profile = lw.pica200.profiles["hardware"].replace(initial_state="kept")
    trace = shader.trace(data, lane=2, profile=profile)
    assert trace.number(trace.outputs.outputs[0][0]) == 7
    assert [trace.number(word) for word in trace.steps[0].operands[1].words][:1] == [3]
    assert shader.run(data, profile=profile).outputs["position"][2, 0] == 7


def test_float32_profiles_have_words_of_eight_digits():
    trace = lw.assemble(SMALL).vertex.trace({"place": [[1.1, 0]]}, GIVEN, profile="azahar")
    assert trace.number(trace.given.inputs[0][0]) == np.float32(1.1)
    assert "[3f8ccccd]" in trace.text()


def test_old_names_say_the_new_ones():
    trace = small()
    step = trace.steps[0]
    found = trace.explain("position.y").origins
    with pytest.warns(DeprecationWarning, match="use Trace.labels"):
        assert trace.wording is trace.labels
    with pytest.warns(DeprecationWarning, match="use TraceStep.state"):
        assert step.shape is step.state
    with pytest.warns(DeprecationWarning, match="use Operand.component"):
        assert step.operands[0].cell(0) == step.operands[0].component(0) == Component("v", 0, 0)
    with pytest.warns(DeprecationWarning, match="use Provenance.component"):
        assert found.cell == found.component
    with pytest.warns(DeprecationWarning, match="use Component.channel"):
        assert found.component.component == found.component.channel == 1
