"""Sessions: moves in both directions, breakpoints, data breakpoints, faults, values."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from debugger_sessions import CALLS, COUNTS, DIVIDES, session
from lanewise.core.diagnostics import InputError
from lanewise.core.service import Request, SourceFile
from lanewise.dap.launch import Launch as LaunchConfiguration
from lanewise.debugger.launching import Launch
from lanewise.debugger.session import END, Session, Stop
from lanewise.packages import recognise
from lanewise.tools.dap import open_session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def calls() -> Session:
    return session(CALLS, input=("position=1,2,3,1",), uniform=("offset=1,0,0,0",))


def instruction(s: Session, thread: int = 0) -> str:
    return s.at(thread).instruction


def test_steps_go_both_ways(calls: Session) -> None:
    assert calls.at(0).stop == Stop("entry", 0, 0)
    calls.step(0)
    assert instruction(calls) == "call twice"
    calls.step(0)
    assert [(frame.name, calls.debuggee.instruction(frame.address)) for frame in calls.at(0).frames] == [
        ("twice", "call add_offset"),
        ("main", "call twice"),
    ]
    calls.back(0)
    assert [frame.name for frame in calls.at(0).frames] == ["main"]
    assert calls.back(0).step == 0
    assert calls.back(0).reason == "start"


@pytest.mark.parametrize("send", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_session_stays_in_its_process(calls: Session, send: Callable[[Session], object]) -> None:
    calls.step(0)
    with pytest.raises(TypeError, match=r"^a debugger session stays in its process and is not copied: send the program"):
        send(calls)
    assert instruction(calls) == "call twice"


def test_step_over_does_a_whole_call_in_both_directions(calls: Session) -> None:
    calls.step(0)
    calls.step_over(0)
    assert instruction(calls) == "mov outpos, r0"
    assert calls.evaluate(0, "r0.x").numbers == (3.0,)
    calls.over_back(0)
    assert instruction(calls) == "call twice"


def test_step_out_in_both_directions(calls: Session) -> None:
    calls.run_to(0, "test.v.pica:15")
    assert [frame.name for frame in calls.at(0).frames] == ["add_offset", "twice", "main"]
    calls.step_out(0)
    assert [frame.name for frame in calls.at(0).frames] == ["twice", "main"]
    calls.run_to(0, "15")
    calls.out_back(0)
    assert (instruction(calls), str(calls.at(0).span)) == ("call add_offset", "test.v.pica:12:5")


def test_run_to_cursor_backwards(calls: Session) -> None:
    calls.go_on(0)
    assert calls.at(0).ended
    stop = calls.run_to(0, "15", back=True)
    assert (stop.reason, calls.evaluate(0, "r0.x").numbers) == ("goto", (2.0,))
    calls.run_to(0, "15", back=True)
    assert calls.evaluate(0, "r0.x").numbers == (1.0,)
    assert calls.run_to(0, "15", back=True).reason == "start"


def test_breakpoints_have_conditions_and_hit_counts_that_do_not_depend_on_the_direction(calls: Session) -> None:
    calls.break_at("15", "r0.x > 1")
    assert calls.go_on(0).step == 5
    calls.remove(1)
    calls.break_at("15", hits=2)
    assert calls.go_on(0).reason == "end"
    assert calls.go_back(0).step == 5
    assert calls.go_back(0).reason == "start"
    assert calls.go_on(0).step == 5


def test_log_points_do_not_stop(calls: Session) -> None:
    calls.break_at("15", log="r0.x is {r0.x}, twice {r0.x * 2}")
    assert calls.go_on(0).reason == "end"
    assert calls.output == ["r0.x is 1, twice 2", "r0.x is 2, twice 4"]


def test_log_points_put_out_only_the_hits_of_their_rule(calls: Session) -> None:
    calls.break_at("15", hits=">= 2", log="r0.x is {r0.x}")
    assert calls.go_on(0).reason == "end"
    assert calls.output == ["r0.x is 2"]


def test_data_breakpoints_say_who_wrote(calls: Session) -> None:
    calls.goto(0, 6)
    calls.break_on("r0.x")
    stop = calls.go_back(0)
    assert (stop.reason, stop.step) == ("data", 5)
    assert stop.hits[0].text == "step 5 writes r0.x = 3, was 2"
    assert instruction(calls) == "add r0, offset, r0"
    assert calls.go_on(0).step == 6
    assert calls.go_on(0).reason == "end"


def test_a_data_breakpoint_stops_on_one_of_its_hits_in_both_directions(calls: Session) -> None:
    made = calls.break_on("r0.x", hits="2")
    assert made.text == "data breakpoint 1 on r0.x, on hit 2"
    second = calls.go_on(0)
    assert (second.reason, second.hits[0].text) == ("data", f"step {second.step - 1} writes r0.x = 2, was 1")
    assert calls.go_on(0).reason == "end"
    assert calls.go_back(0) == second._replace(step=second.step - 1)
    assert calls.go_back(0).reason == "start"
    calls.remove(1)
    calls.break_on("r0.x", "r0.x > 1", hits="% 2")  # of the writes of 2 and 3
    assert calls.go_on(0).hits[0].text.endswith("writes r0.x = 3, was 2")


def test_faults_stop_at_the_instruction_that_makes_them() -> None:
    s = session(DIVIDES, input=("value=0,1,2,3",))
    s.stop_on(["nan", "infinity", "unwritten"])
    found = [(stop.hits[0].what, instruction(s)) for _ in range(3) if (stop := s.go_on(0)).hits]
    assert found == [
        ("infinity", "rcp r0.x, value"),
        ("nan", "add r1, r0.x, -r0.x"),
        ("unwritten", "mov outpos.x, r5"),
    ]
    assert s.go_on(0).reason == "end"
    assert [s.go_back(0).hits[0].what for _ in range(3)] == ["unwritten", "nan", "infinity"]


def test_nan_that_is_only_copied_is_no_stop() -> None:
    s = session(DIVIDES, input=("value=0,1,2,3",))
    s.stop_on(["nan"])
    assert s.go_on(0).step == 1
    assert s.go_on(0).reason == "end"


def test_hazards_are_the_findings_of_check() -> None:
    s = session(DIVIDES, input=("value=0,1,2,3",))
    s.stop_on(["hazard"])
    stop = s.go_on(0)
    assert stop.hits[0].what == "hazard" and "r5" in stop.hits[0].text


def test_loops_count_their_iterations() -> None:
    s = session(COUNTS, input=("value=1,1,1,1",), uniform=("rounds=3,0,0",))
    s.break_at("7", hits=3)
    s.go_on(0)
    loop = s.at(0).loops[0]
    assert (loop.name, loop.iteration, loop.total) == ("rounds", 3, 4)
    notes = [note for number in range(s.at(0).step) for note in s.recording(0).step(number).notes]
    assert [note for note in notes if note.startswith("runs")] == ["runs 4 times"]


def test_a_hang_stops_where_it_repeats() -> None:
    s = session(
        ".in v v0\n.out o position\n.proc main\nmov o, v\nagain:\njmpu b0, again\nend\n.end\n",
        input=("v=1",),
        uniform=("b0=true",),
    )
    stop = s.go_on(0)
    assert stop.reason == "fault" and stop.hits[0].text.startswith("R010")
    assert s.back(0).step == stop.step - 1
    s.stop_on([])
    assert s.go_on(0).reason == "end"
    assert s.at(0).fault is not None


def test_values_are_changed_and_the_run_repeated_to_the_same_step(calls: Session) -> None:
    calls.goto(0, 6)
    calls.set("offset.x", "10")
    calls.set("position", "5, 0, 0, 1")
    assert calls.evaluate(0, "r0.x").numbers == (3.0,)
    assert calls.again().step == 6
    assert calls.evaluate(0, "r0.x").numbers == (25.0,)
    with pytest.raises(InputError):
        calls.set("r0.x", "1")


def test_explanations_are_of_what_a_place_holds_where_the_thread_is(calls: Session) -> None:
    calls.goto(0, 5)
    assert [cause.step.number for cause in calls.explain(0, "r0.x").causes] == [0, 3]


def test_primitives_of_a_geometry_shader_are_places_to_go_to(calls: Session) -> None:
    vertex = ".in position v0\n.out outpos position\n.proc main\n    mov outpos, position\n    end\n.end\n"
    sends = "    setemit 2, prim\n    emit\n"
    geometry = (
        ".gsh point c0\n.entry expand\n.out outpos position\n.proc expand\n    mov outpos, v0\n    setemit 0\n    emit\n"
        f"{sends * 2}    end\n.end\n"
    )
    sources = tuple([SourceFile(name, text.encode(), name) for name, text in (("a.v.pica", vertex), ("a.g.pica", geometry))])
    request = Request("debug", sources, {"input": ("position=1,2,3,1",), "indices": "all"})
    match = recognise(sources[0].name, sources[0].data)
    assert match is not None
    s = Session(Launch(match.package.load(request), request))
    assert s.primitives(0) == [4, 6]
    for number, step in ((1, 6), (0, 4)):
        assert (s.to_primitive(0, number).step, instruction(s)) == (step, "emit")
    assert "sends a primitive" in s.recording(0).step(4).notes
    with pytest.raises(InputError, match="does not send primitive 2"):
        s.to_primitive(0, 2)
    assert calls.primitives(0) == []
    with pytest.raises(InputError, match="only geometry shaders"):
        calls.to_primitive(0, 0)


def test_a_line_of_several_instructions_is_one_stop_each_time_it_is_come_to() -> None:
    file = str(REPOSITORY / "tests/spirv/lines/scopes.spv")
    found = open_session(LaunchConfiguration(files=(file,), values=(("--default", "0"), ("--uniform", "count=3"))))
    recording = found.recording(0)
    recording.extend(1000)
    lines = [span.line if (span := found.span(address)) is not None else 0 for address in recording.addresses]
    (line, count), *_ = Counter(lines).most_common()
    visits = [
        n
        for n, each in enumerate(lines)
        if each == line and (not n or lines[n - 1] != line or recording.addresses[n - 1] >= recording.addresses[n])
    ]
    assert 1 < len(visits) < count
    found.break_at(str(line))
    assert [found.go_on(0).step for _ in visits] == visits
    assert found.go_on(0).reason == END
    assert [found.go_back(0).step for _ in visits] == visits[::-1]


def test_values_of_a_launch_have_their_place(tmp_path: Path):
    program, data = tmp_path / "a.v.pica", tmp_path / "a.json"
    program.write_text(".out o position\n.in pos\n.proc main\n mov o, pos\n end\n.end\n")
    data.write_text('{"inputs": {\n "pos": [1, 2, 3],\n "other": 1}}')
    with pytest.raises(InputError) as raised:
        open_session(LaunchConfiguration(files=(str(program),), values=(("--data", str(data)),)))
    (found,) = raised.value.diagnostics
    assert (found.code, found.span.file, found.span.line) == ("B001", str(data), 3)
    with pytest.raises(InputError) as raised:
        open_session(LaunchConfiguration(files=(str(program),), values=(("--input", "other=1"), ("--default", "0"))))
    assert raised.value.diagnostics[0].span.file == str(program)
