"""Sessions that follow traces: Direct3D 9, ShaderCore and the toy."""

from __future__ import annotations

import pytest

from debugger_sessions import session
from lanewise.core.diagnostics import InputError
from lanewise.core.replaying import Replay
from lanewise.core.service import Request, SourceFile
from lanewise.debugger.launching import Launch
from lanewise.debugger.reading import NoValue
from lanewise.debugger.session import Session
from toy_isa.package import TOY

LOOPS = """vs_2_0
dcl_position v0
mov r0, c0
rep i0
  call l0
  rep i1
    add r1, r0, c0
  endrep
endrep
mov oPos, r0
ret
label l0
  add r0, r0, v0
ret
"""
ENDS_IN_NAN = """ps_2_0
dcl t0
rcp r0, t0.x
add r0, r0, -r0
mov oC0, r0
"""
PROGRAM = "mul r0.x, v0.x, c0.x\nadd r1.x, r0.x, v0.x\nmov o0.x, r1.x\nend\n"


@pytest.mark.parametrize(
    ("text", "name", "input_name", "uniform"),
    [
        (PROGRAM, "a.sc", "v0", "c0"),
        ("vs_2_0\ndcl_position v0\nif b0\nmov r0, c1\nelse\nmov r0, v0\nendif\nmov oPos, r0\n", "a.vsa", "v0", "c1"),
    ],
)
def test_the_zeros_of_a_run_are_shown_and_can_be_set(text: str, name: str, input_name: str, uniform: str) -> None:
    found = session(text, name=name, default="0")
    groups = {group.name: [register.name for register in group.registers] for group in found.scopes(0)}
    assert input_name in groups["inputs"] and uniform in groups["uniforms"]
    for place in (f"{input_name}.x", f"{uniform}.x"):
        found.set(place, "3")
        found.again(0)
        assert found.evaluate(0, place).numbers == (3.0,)


@pytest.fixture
def loops() -> Session:
    counts = ("i0=6,0,0", "i1=10,0,0")
    return session(LOOPS, name="loops.vsa", input=("position=1,1,1,1",), uniform=("c0=0,0,0,0",), int=counts)


def test_routines_and_loops_of_direct3d9(loops: Session) -> None:
    loops.break_at("13", hits=3)
    loops.go_on(0)
    at = loops.at(0)
    assert [frame.name for frame in at.frames] == ["l0", "main"]
    assert loops.debuggee.instruction(at.frames[1].address) == "call l0"
    assert [(loop.name, loop.iteration, loop.total) for loop in at.loops] == [("i0", 3, 6)]
    loops.remove(1)
    loops.step_out(0)
    assert [frame.name for frame in loops.at(0).frames] == ["main"]
    loops.over_back(0)
    assert loops.at(0).instruction == "call l0"
    assert loops.evaluate(0, "r0.x").numbers == (2.0,)


def test_a_trace_is_made_further_when_it_is_needed(loops: Session) -> None:
    recording = loops.recording(0)
    loops.goto(0, 10)
    machine = recording.machine
    assert isinstance(machine, Replay) and machine.steps.made <= 64
    assert loops.go_on(0).reason == "end"
    assert loops.stop(0).step > 64
    assert loops.evaluate(0, "oPos.x").numbers == (6.0,)
    loops.break_on("r0.x")
    loops.go_back(0)
    assert loops.evaluate(0, "r0.x").numbers == (5.0,)


def test_values_of_lanes_are_changed(loops: Session) -> None:
    loops.go_on(0)
    loops.set("position.x", "2")
    loops.set("c0.x", "5")
    loops.again()
    assert loops.evaluate(0, "oPos.xy").numbers == (17.0, 6.0)
    with pytest.raises(InputError):
        loops.set("r0.x", "1")


def test_nan_in_a_pixel_shader() -> None:
    s = session(ENDS_IN_NAN, name="nan.psa", input=("t0=0,0,0,0",))
    s.stop_on(["nan"])
    assert s.go_on(0).hits[0].text.startswith("r0.x, r0.y, r0.z, r0.w becomes NaN")
    assert s.go_on(0).reason == "end"


def test_lanes_of_a_wave_are_threads() -> None:
    s = session(PROGRAM, name="wave.sc", input=("v0=1;2;3",), uniform=("c0=10",))
    assert [thread.name for thread in s.threads] == ["vertex 0", "vertex 1", "vertex 2"]
    s.goto(2, 2)
    assert s.evaluate(2, "r1.x").numbers == (33.0,)
    assert s.at(0).step == 0
    s.set("v0.x", "4")
    s.again(2)
    assert s.evaluate(2, "r1.x").numbers == (44.0,)
    assert [cause.step.number for cause in s.explain(2, "r1.x").causes] == [0, 1]


OLD_OUTPUTS = """vs_1_1
dcl_position v0
dcl_color v1
mov oPos, v0
mov r0.x, v0
mov oD0, v1
mov oT0.xy, r0.x
"""


def test_places_that_nothing_has_written_yet_have_names() -> None:
    s = session(OLD_OUTPUTS, name="old.vsa", input=("position=1,2,3,4", "color=0.5,0.25,0,1"))
    for name in ("oPos", "oD0.x", "oT0.xy", "r0.x"):
        with pytest.raises(NoValue, match="no value yet"):
            s.evaluate(0, name)
    for name in ("r1.x", "r0.y", "oD1", "oFog"):
        with pytest.raises(InputError, match=r"unknown|does not exist"):
            s.evaluate(0, name)
    s.break_at("4", "oD0.x > 0.25")  # nothing yet: not true
    s.break_at("7", "oD0.x > 0.25")
    s.break_on("r0")
    stops = [s.go_on(0) for _ in range(3)]
    assert [(stop.reason, stop.step) for stop in stops] == [("data", 2), ("breakpoint", 3), ("end", 4)]
    assert s.evaluate(0, "oT0").numbers == (1.0, 1.0)
    assert s.evaluate(0, "oD0.yw").numbers == (0.25, 1.0)


def test_the_toy() -> None:
    text = ".toy\nagain:\nadd r0\nstore r4\nload r1\nsub r2\nstore r1\njnz again\nhalt\n"
    request = Request("debug", (SourceFile("a.toy", text.encode(), "a.toy"),), {"input": ("r0=1", "r1=3", "r2=1")})
    s = Session(Launch(TOY.load(request), request))
    s.break_on("r4")
    assert [s.go_on(0).reason for _ in range(2)] == ["data", "data"]
    assert s.go_back(0).reason == "data"
    assert s.at(0).instruction == "store r4"
