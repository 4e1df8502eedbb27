"""Queries over steps: where a value changes, is NaN, or first differs from the run under another profile; against a scan of all
steps, and as moves, breakpoints and commands."""

from __future__ import annotations

from functools import cache
from math import isinf, isnan
from typing import TYPE_CHECKING

import pytest

from debugger_sessions import CALLS, COUNTS, session
from lanewise.core.diagnostics import InputError
from lanewise.core.numbers.floats import float24_from_float
from lanewise.core.service import UsageError
from lanewise.debugger.commands import Commands
from lanewise.debugger.queries import KINDS, nearest, query
from lanewise.debugger.shadertests import session_of_test
from lanewise.tools.console import DiskFiles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lanewise.core.trace import Step
    from lanewise.debugger.session import Session

ROUNDS = """.ivec rounds
.constf tenth(0.1, 0.3, 0.7, 1.0)
.in value v0
.out outpos position
.proc main
    mov r0, value
    mov r1, value
    for rounds
        mul r0, tenth, r0
        mov r1, r1
    .end
    cmp r0.x, gt, gt, r1.x
    mov outpos, r0
    end
.end
"""
# value.x is 1 + 2**-10, and value.y its square without the last bit, which float24 has not: the path depends on it.
PARTS = """.constf c(0.0, 1.0, 2.0, 3.0)
.in value v0
.out outpos position
.proc main
    mov r0, value
    mul r1.x, value.x, r0.x
    add r1.x, r1.x, -r0.y
    cmp c.x, ne, ne, r1.x
    ifc cmp.x
        mov r2, c.zzzz
    .else
        mov r2, c.yyyy
        mov r2, c.yyyy
    .end
    mov outpos, r2
    end
.end
"""
MAKES_NAN = """vs_2_0
def c0, 0, 1, 2, -1
dcl_position v0
rcp r0.x, c0.x
mul r1, r0.x, v0
add r2, r1, -r1
mov r3, r2
mov oPos, r3
"""


def rounds() -> Session:
    return session(ROUNDS, input=("value=0.3,1,2,3",), uniform=("rounds=3,0,1",))


def makes_nan() -> Session:
    return session(MAKES_NAN, name="test.vsa", input=("position=0,1,2,3",))


SESSIONS: dict[str, Callable[[], Session]] = {
    "calls": lambda: session(CALLS, input=("position=1,2,3,1",), uniform=("offset=1,0,0,0",)),
    "counts": lambda: session(COUNTS, input=("value=1,2,3,1",), uniform=("rounds=5,0,1",)),
    "rounds": rounds,
    "nan": makes_nan,
}


@cache
def held(name: str) -> Session:
    """A session that no test moves."""
    return SESSIONS[name]()


def writes(step: Step) -> list[tuple[str, float | None, float]]:
    return [
        (place, write.old[n].number if write.old else None, write.new[n].number)
        for write in step.writes
        for n, place in enumerate(write.places)
    ]


# The same as the queries, of a step, without anything of theirs.
NAIVE: dict[str, Callable[[Step], bool]] = {
    "written r0": lambda step: any(place.startswith("r0.") for place, _, _ in writes(step)),
    "written r1.x": lambda step: any(place == "r1.x" for place, _, _ in writes(step)),
    "changes r0": lambda step: any(place.startswith("r0.") and old != new for place, old, new in writes(step)),
    "changes r1.y": lambda step: any(place == "r1.y" and old != new for place, old, new in writes(step)),
    "nan": lambda step: any(isnan(new) for _, _, new in writes(step)),
    "nan r2.x": lambda step: any(place == "r2.x" and isnan(new) for place, _, new in writes(step)),
    "infinity": lambda step: any(isinf(new) for _, _, new in writes(step)),
}


@pytest.mark.parametrize("name", SESSIONS)
@pytest.mark.parametrize("text", NAIVE)
def test_the_nearest_position_is_that_of_a_scan_of_all_steps(name: str, text: str) -> None:
    run, thread = held(name), 0
    recording = run.recording(thread)
    recording.extend(10_000)
    every = [n + 1 for n in range(len(recording)) if NAIVE[text](recording.step(n))]
    holds = query(run, thread, text).holds
    for position in range(len(recording) + 1):
        found = nearest(recording, holds, position)
        assert (found.position if found else None) == next((n for n in every if n > position), None)
        found = nearest(recording, holds, position, back=True)
        assert (found.position if found else None) == next((n for n in reversed(every) if n < position), None)


def test_what_is_scanned_is_there() -> None:
    """That each scan finds something, in one of the programs at least."""
    found: set[str] = set()
    for name in SESSIONS:
        recording = held(name).recording(0)
        recording.extend(10_000)
        found |= {text for text in NAIVE for n in range(len(recording)) if NAIVE[text](recording.step(n))}
    assert found == set(NAIVE)


@pytest.mark.parametrize("name", ["", " r0.y"])
def test_the_first_step_that_differs_is_that_of_two_runs_side_by_side(name: str) -> None:
    one = rounds()
    other = session(ROUNDS, input=("value=0.3,1,2,3",), uniform=("rounds=3,0,1",), profile="azahar")
    recordings = [each.recording(0) for each in (one, other)]
    count = min(recording.extend(1000) or len(recording) for recording in recordings)
    differ = [
        n + 1
        for n in range(count)
        if any(
            a[0] == b[0] and float24_from_float(a[1]) != float24_from_float(b[1]) and (not name or a[0] == "r0.y")
            for a, b in zip(*[[(place, new) for place, _, new in writes(each.step(n))] for each in recordings], strict=True)
        )
    ]
    assert differ
    holds = query(one, 0, f"differs azahar{name}").holds
    assert [n for n in range(count + 1) if holds(n)] == differ
    stop = one.until(0, f"differs azahar{name}")
    assert (stop.step, stop.reason) == (differ[0], "goto")
    assert stop.text.startswith(f"step {differ[0] - 1} writes r0.") and " under profile azahar" in stop.text


def test_a_query_about_the_same_profile_names_another() -> None:
    run = rounds()
    with pytest.raises(InputError) as error:
        run.until(0, "differs hardware")
    [finding] = error.value.diagnostics
    assert finding.message == "the run is under profile hardware itself, from which it does not differ"
    assert finding.fix.endswith("compare with another: differs azahar")
    assert "under profile azahar" in run.until(0, "differs azahar").text


def test_where_paths_part_the_step_that_decides_is_found() -> None:
    one = session(PARTS, input=(f"value={1 + 2**-10},{1 + 2**-9},0,0",))
    holds = query(one, 0, "differs azahar").holds
    assert one.recording(0).extend(9)
    assert [holds(n) for n in range(10)] == [
        "",
        "",
        "",  # the products differ in a bit that float24 has not
        f"step 2 writes r1.x = 0, {2**-20:.9g} under profile azahar",
        "step 3 writes cmp.x = 0, 1 under profile azahar; cmp.y = 0, 1 under profile azahar",
        "after step 4 the run under profile azahar goes to word 5",
        *[""] * 4,
    ]


def test_a_query_holds_across_calls_and_in_both_directions() -> None:
    run = SESSIONS["calls"]()
    seen: list[tuple[int, str]] = []
    while (stop := run.until(0, "changes r0.x")).hits[0].text.startswith("step"):
        seen.append((stop.step, stop.hits[0].text))
    assert seen == [
        (1, "step 0 writes r0.x = 1, was 0"),
        (4, "step 3 writes r0.x = 2, was 1"),
        (6, "step 5 writes r0.x = 3, was 2"),
    ]
    assert run.until(0, "changes r0.x", back=True).step == 4
    assert run.until(0, "r0.x == 1", back=True).step == 3


def test_a_breakpoint_stops_where_a_query_holds() -> None:
    run = makes_nan()
    made = run.stop_where("nan")
    assert made.text == "breakpoint 1 where nan"
    stops = [run.go_on(0) for _ in range(3)]
    assert [(stop.reason, stop.step) for stop in stops] == [("data", 2), ("data", 3), ("data", 4)]
    assert stops[0].hits[0].what == 1 and stops[0].text.startswith("step 1 writes r1.x = nan")
    assert [run.go_back(0).step for _ in range(2)] == [3, 2]
    made.enabled = False
    assert run.go_on(0).reason == "end"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("changes", InputError, "'changes' takes NAME"),
        ("differs", InputError, r"'differs' takes PROFILE \[NAME\]"),
        ("changes nothing", InputError, "nothing"),
        ("differs nowhere", UsageError, "unknown profile 'nowhere'"),
        ("r0.x >", InputError, "the expression ends too early"),
    ],
)
def test_a_query_that_cannot_be_read_is_an_error(text: str, error: type[Exception], message: str) -> None:
    run = rounds()
    with pytest.raises(error, match=message):
        run.until(0, text)
    with pytest.raises(error, match=message):
        run.stop_where(text)
    assert not run.breakpoints


def test_commands_go_to_queries_and_say_where_there_is_nothing() -> None:
    commands = Commands(rounds())
    lines = commands.do("until differs azahar").lines
    assert lines[0].startswith("step ") and " under profile azahar" in lines[1]
    assert commands.do("until-back nan").lines[1] == "  not before this step: nan"
    assert commands.do("until differs nowhere").error is not None
    assert commands.do("stop changes r0.x").lines == ("breakpoint 1 where changes r0.x",)
    helped = "\n".join(commands.do("help").lines)
    assert all(name in helped for name in KINDS)


def test_other_values_of_inputs_are_those_of_both_runs() -> None:
    run = rounds()
    commands = Commands(run)
    commands.do("set value = 0, 0, 0, 0")
    commands.do("again")
    assert commands.do("until differs azahar").lines[1] == "  not after this step: differs azahar"


def test_a_shader_test_has_its_other_profile(tmp_path: Path) -> None:
    (tmp_path / "t.v.pica").write_text(ROUNDS)
    (tmp_path / "t.shadertest.toml").write_text(
        'program = "t.v.pica"\n[[test]]\nname = "one"\ninputs = {value = [0.3, 1, 2, 3]}\nintegers = {rounds = [3, 0, 1]}\n'
        "outputs = {position = [0, 0, 0, 0]}\n"
    )
    run = session_of_test(str(tmp_path / "t.shadertest.toml"), "", DiskFiles())
    run.goto(0, 0)
    assert "under profile azahar" in run.until(0, "differs azahar").text


@pytest.mark.parametrize(
    ("name", "text", "values", "other", "told"),
    [
        (
            "a.vsa",
            "vs_2_0\ndcl_position v0\nrsq r0.x, v0.x\nmov oPos, r0.x\n",
            "position=1.1,2,3,1",
            "rtl",
            "step 0 writes r0.x = 0.953462601, 0.953742623 under rtl",
        ),
        (
            "a.sc",
            "rsq x0.x, v0.x\nmov o0.x, x0.x\nend\n",
            "v0=1.1,0,0,0",
            "document",
            "step 0 writes x0.x = 0.953742623, 0.953462601 under document",
        ),
    ],
)
def test_every_instruction_set_has_another_rule_or_device(name: str, text: str, values: str, other: str, told: str) -> None:
    run = session(text, name=name, input=(values,))
    found = run.until(0, f"differs {other}")
    assert (found.step, found.text) == (1, told)
    with pytest.raises(UsageError, match="unknown"):
        run.until(0, "differs nowhere")
