"""Reads of what nobody has written, and outputs left unwritten: found once each, named with their place."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lanewise as lw
from corpus import REPOSITORY
from effort import examples
from engines.shaders import PLAIN, ZEROS, descriptor, word
from lanewise.pica200.engine.reference import Machine, Reference
from lanewise.pica200.engine.trace import TraceStep, trace_steps
from lanewise.pica200.engine.uninitialised import Watch
from lanewise.pica200.isa.table import FLOAT, TEMPORARY
from lanewise.pica200.sem.components import AL, Component
from lanewise.pica200.sem.flow import Push
from lanewise.pica200.sem.profile import HARDWARE, Profile
from lanewise.tools.cli import main

R, C = TEMPORARY, FLOAT
END = word("end")


def unwritten(words: list[int], *descriptors: int, booleans: Any = (), profile: Profile = HARDWARE) -> list[str]:
    """What is found, which a trace of the same lane finds too."""
    program = Reference(words, [PLAIN, *descriptors], 0, budget=500, profile=profile)
    flags = [number in booleans for number in range(16)]
    machines = [program.start({}, [ZEROS] * 96, [(2, 0, 1, 0)] * 4, flags) for _ in range(2)]
    watch = Watch(program)
    watch.run(0, machines[0])
    found = watch.found
    seen = dict.fromkeys((step.pc, component) for step in trace_steps(program, machines[1]) for component in step.unwritten)
    assert {(read.pc, read.component) for read in found} == set(seen)
    return [f"{read.pc} {read.component}" for read in found]


def test_a_loop_without_a_body_sets_al():
    """It is over at once: no word runs inside it."""
    program = Reference([word("for", dst=0), word("mov", dst=0, src1=C, idx=3), END], [PLAIN], 0)
    watch = Watch(program)
    watch.run(0, program.start({}, [ZEROS] * 96, [(0, 1, 1, 0)] * 4, [False] * 16))
    assert watch.found == ()


def test_components_that_count():
    """Slots that the result does not depend on are fetched for nothing; outputs and inputs do not count."""
    assert unwritten([word("mov", dst=0, src1=R + 1, desc=1), END], descriptor(0b1010)) == ["0 r1.x", "0 r1.z"]
    assert unwritten([word("rcp", dst=0, src1=R + 1), END]) == ["0 r1.x"]
    assert unwritten([word("dp3", dst=0, src1=R, src2=R), END]) == ["0 r0.x", "0 r0.y", "0 r0.z"]
    assert unwritten([word("mov", dst=0, src1=3), word("mov", dst=0, src1=C), END]) == []
    assert unwritten([word("mov", dst=0, src1=R, desc=1), END], descriptor(0)) == []


def test_what_has_been_written_is_known():
    words = [word("mov", dst=R, src1=0, desc=1), word("mov", dst=1, src1=R), word("mov", dst=2, src1=R), END]
    assert unwritten(words, descriptor(0b1100)) == ["1 r0.z", "1 r0.w", "2 r0.z", "2 r0.w"]
    assert unwritten([word("mov", dst=R, src1=R, desc=1), END], descriptor(0b1000)) == ["0 r0.x"]


def test_index_registers_and_flags():
    assert unwritten([word("mov", dst=0, src1=C, idx=1), END]) == ["0 a0.x"]
    words = [word("mova", desc=1), word("mov", dst=0, src1=C, idx=1), word("mov", dst=0, src1=C, idx=2), END]
    assert unwritten(words, descriptor(0b1000)) == ["2 a0.y"]
    assert unwritten([word("mov", dst=0, src1=C, idx=3), END]) == ["0 aL"]
    assert unwritten([word("for", dst=1), word("mov", dst=0, src1=C, idx=3), word("mov", dst=0, src1=C, idx=3), END]) == []
    assert unwritten([word("jmpc", dst=1, condop=2), END]) == ["0 cmp.x"]
    assert unwritten([word("jmpc", dst=1, condop=3), END]) == ["0 cmp.y"]
    assert unwritten([word("jmpc", dst=1, condop=1), END]) == ["0 cmp.x", "0 cmp.y"]
    assert unwritten([word("cmp"), word("jmpc", dst=2), END]) == []
    assert unwritten([word("jmpu", dst=1), END]) == []


def test_each_instruction_and_component_once():
    words = [word("for", dst=1), word("add", dst=R, src1=R, src2=0, desc=1), END]
    assert unwritten(words, descriptor(0b1000)) == ["1 r0.x"]


def test_only_the_way_that_was_taken():
    words = [word("ifu", reg=2, dst=2, num=0), word("mov", dst=R, src1=0), word("mov", dst=0, src1=R), END]
    assert unwritten(words, booleans=(2,)) == []
    assert len(unwritten(words)) == 4


SOURCE = """.out pos position
.out col color
.in a
.in b
.proc main
    add r0.x, r1, a
    mov r2, b
    cmp a, lt, lt, r2
    ifc cmp.x
        mov col, a
    .else
        mov col.xy, a
    .end
    mov pos, r0.x
    end
.end
"""


def test_warnings_of_a_run():
    shader = lw.assemble(SOURCE, name="x.v.pica").vertex
    result = shader.run({"a": [[1, 0, 0, 0], [3, 0, 0, 0], [5, 0, 0, 0]], "b": [2, 0, 0, 0]})
    assert [str(read.component) for read in result.unwritten] == ["r1.x"]
    read, left = shader.warnings(result)
    assert (read.code, read.severity, read.span.line) == ("R006", "warning", 6)
    assert read.message == "r1.x is read at word 0x0 before it is written"
    assert (left.code, left.severity, left.span.line) == ("R007", "warning", 2)
    assert left.message == "2 of 3 vertices leave color.zw (o1) unwritten"
    one = shader.run({"a": [[9, 0, 0, 0]], "b": [2, 0, 0, 0]})
    assert shader.warnings(one)[1].message == "the vertex leaves color.zw (o1) unwritten"


EFFECT = """.constf half(0.5, 0.5, 0.5, 0.5)
.out pos position
.out tc texcoord0
.in a
.proc main
    mov r1.xyz, a
    mul r2, half, r1
    mov r3, r2
    mov pos, r3.xyzz
    mov tc.xy, r2
    end
.end
"""


def test_reads_without_effect_are_no_warnings():
    """The reads are in the result; w reaches the result of two instructions and no output."""
    shader = lw.assemble(EFFECT, name="x.v.pica").vertex
    result = shader.run({"a": [1, 2, 3]})
    assert [(read.pc, str(read.component)) for read in result.unwritten] == [(1, "r1.w")]
    assert shader.warnings(result) == []
    shader = lw.assemble(EFFECT.replace("r3.xyzz", "r3"), name="x.v.pica").vertex
    (warning,) = shader.warnings(shader.run({"a": [1, 2, 3]}))
    assert (warning.code, warning.message) == ("R006", "r1.w is read at word 0x1 before it is written")


def test_components_that_a_texture_coordinate_does_not_have():
    """Whether they are written does not matter, unless a geometry shader gets them."""
    source = EFFECT.replace("r3.xyzz", "r1.xyzz").replace("mov tc.xy, r2", "mov tc.xyz, r2.xyww")
    shader = lw.assemble(source, name="x.v.pica").vertex
    result = shader.run({"a": [1, 2, 3]})
    assert shader.warnings(result) == []
    found = [(warning.code, warning.message.partition(" is")[0]) for warning in shader.warnings(result, feeds_geometry=True)]
    assert found == [("R006", "r1.w"), ("R007", "the vertex leaves texcoord0.w (o1) unwritten")]


def test_reads_by_index_may_have_any_effect():
    """A profile that reads temporaries below c0 makes all of them visible."""
    source = EFFECT.replace("mov r3, r2", "mova a0.x, a").replace("mov pos, r3.xyzz", "mov pos, c0[a0.x]")
    shader = lw.assemble(source, name="x.v.pica").vertex
    data = {"a": [-1, 2, 3]}, {"c0": [[0.0] * 4] * 96}
    assert shader.warnings(shader.run(*data)) == []
    seen = shader.run(*data, profile=HARDWARE.replace(index_wrap="registers"))
    assert [warning.code for warning in shader.warnings(seen)] == ["R006"]


def test_every_vertex_is_looked_at():
    """The second and fourth vertex alone skip what writes r0, on a way whose words are all on that of the first."""
    source = """.out pos position
.in a
.proc main
    cmp a, lt, lt, a.yyyy
    ifc cmp.x
        mov r0, a
    .end
    mov pos, r0.x
    end
.end
"""
    shader = lw.assemble(source, name="x.v.pica").vertex
    result = shader.run({"a": [[1, 2], [2, 1], [3, 4], [4, 3]]})
    (read,) = result.unwritten
    assert (read.pc, str(read.component), read.lane, read.lanes) == (3, "r0.x", 1, 2)
    (warning,) = shader.warnings(result)
    assert warning.message.endswith("before it is written, first in vertex 1: in 2 of 4 vertices")
    assert warning.span.line == 8
    kept = shader.run({"a": [[1, 2], [2, 1]]}, profile=HARDWARE.replace(initial_state="kept"))
    assert kept.unwritten == ()


_WAYS = st.lists(st.tuples(*[st.booleans()] * 3), min_size=1, max_size=5)
_KINDS = ["mov", "ifu", "jmpu", "for", "call", "cmp", "jmpc", "indexed"]


def instruction(drawn: tuple[str, int, int, int]) -> int:
    """Something small that writes r0 or r1, reads them, aL or a flag, or goes elsewhere."""
    kind, where, num, register = drawn
    match kind:
        case "mov":
            return word("mov", dst=R + where % 2, src1=[0, R, R + 1][register], desc=num)
        case "indexed":
            return word("mov", dst=R, src1=C, idx=3)
        case "ifu":
            return word("ifu", dst=where, num=num, reg=register)
        case "jmpu":
            return word("jmpu", dst=where, reg=register)
        case "jmpc":
            return word("jmpc", dst=where, condop=3)
        case "call":
            return word("call", dst=where, num=num)
        case "for":
            return word("for", dst=where)
        case _:
            return word("cmp")


_SMALL = st.lists(
    st.tuples(st.sampled_from(_KINDS), st.integers(0, 9), st.integers(0, 2), st.integers(0, 2)).map(instruction),
    min_size=1,
    max_size=10,
)


@pytest.mark.parametrize("state", ["zero", "kept"])
@examples(75, 1500)
@given(_SMALL, _WAYS, st.integers(1, 60))
def test_lanes_are_walked_as_they_went(state: str, words: list[int], lanes: list[tuple[bool, ...]], budget: int):
    """What a watch finds along the ways of all lanes is what looking at each of their steps finds."""
    profile = HARDWARE.replace(initial_state=state)
    program = Reference([*words, END], [PLAIN, descriptor(0b1010), descriptor(0b0101)], 0, budget=budget, profile=profile)
    watch = Watch(program)
    expected: dict[tuple[int, str], list[int]] = {}
    known: frozenset[Component] = frozenset()
    machine: Machine | None = None
    for lane, flags in enumerate(lanes):
        booleans = [*flags, *[False] * 13]
        machines = [program.start({}, [ZEROS] * 96, [(2, 0, 1, 0)] * 4, booleans, machine) for _ in range(2)]
        steps = list(trace_steps(program, machines[0], known))
        if machines[0].fault is not None and machines[0].fault.endless:
            watch.run(lane, machines[1])
            if machines[0].fault.code == "R001":  # not looked at
                continue
        for found in dict.fromkeys((step.pc, str(component)) for step in steps for component in step.unwritten):
            expected.setdefault(found, []).append(lane)
        if machines[1].finished:  # a lane that leaves nothing
            continue
        machine = machines[1]
        watch.run(lane, machine)
        if state == "kept":
            known |= written_in(steps)
            assert known == watch.known
    assert {(pc, str(component)): (lane, count) for pc, component, lane, count in watch.found} == {
        found: (those[0], len(those)) for found, those in expected.items()
    }


def written_in(steps: list[TraceStep]) -> frozenset[Component]:
    """Everything but outputs that steps have written."""
    made = {component for step in steps for component in step.made if component.file != "o"}
    moved = {AL for step in steps if any(isinstance(action, Push) for action in step.actions)}
    return frozenset(made | moved)


def test_vertices_that_stopped_have_no_say():
    source = ".out pos position\n.in a\n.proc main\ncmp a, lt, lt, a.yyyy\nagain:\njmpc cmp.x, again\nmov pos, a\nend\n.end\n"
    shader = lw.assemble(source).vertex
    result = shader.run({"a": [[1, 2], [2, 1]]}, budget=50, keep_faults=True)
    assert [lane for lane, _ in result.faults] == [0]
    assert shader.warnings(result) == []
    result = shader.run({"a": [[1, 2]]}, budget=50, keep_faults=True)
    assert shader.warnings(result) == []


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "x.v.pica"
    path.write_text(SOURCE)
    command = ["run", str(path), "-i", "a=1,0,0,0;3,0,0,0", "-i", "b=2,0,0,0"]
    assert main(command) == 0
    error = capsys.readouterr().err
    assert "warning[R006]: r1.x is read" in error
    assert f"{path}:6:5" in error
    assert "warning[R007]: 1 of 2 vertices leave color.zw (o1) unwritten" in error
    assert main([*command, "--format", "json"]) == 0
    assert [d["code"] for d in json.loads(capsys.readouterr().out)["diagnostics"]] == ["R006", "R007"]


@pytest.mark.parametrize("path", sorted((REPOSITORY / "examples").glob("*.v.pica")), ids=lambda path: path.name)
def test_examples_have_no_warnings(path: Path):
    for file in lw.load(path).programs:
        inputs = {binding.name: [0.5, 1, 2, 1] for binding in file.inputs}
        uniforms: dict[str, Any] = {}
        for uniform in file.uniforms:
            letter = uniform.register[0]
            uniforms[uniform.name] = {"c": [[1, 0, 0, 1]] * uniform.size, "i": [1, 0, 1], "b": [True] * uniform.size}[letter]
        result = file.run(inputs, uniforms)
        assert file.warnings(result) == []


@pytest.mark.parametrize("name", ["particles", "subdivide"])
def test_example_pipelines_have_no_warnings(name: str):
    pipeline = lw.assemble([str(REPOSITORY / "examples" / f"{name}.{stage}.pica") for stage in "vg"]).pipeline
    uniforms = {"projection": [[1, 0, 0, 0]] * 4} | ({"size": [1, 1, 0, 0]} if name == "particles" else {})
    result = pipeline.run({"position": [[0, 0, 0], [1, 2, 3], [4, 5, 6]], "color": [1, 0.5, 0]}, [2, 1, 0, 0, 1, 2], uniforms)
    assert result.notes is not None
    assert result.notes.emitted == {"particles": 24, "subdivide": 14}[name]
    assert pipeline.warnings(result) == []
