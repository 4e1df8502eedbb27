"""Debuggers go both ways: n steps forwards and n back are the same state, and each state is that of the trace."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from effort import EXHAUSTIVE, sample
from lanewise.core.diagnostics import InputError
from lanewise.core.service import InputFailure, Request, SourceFile, UsageError
from lanewise.debugger.launching import Launch
from lanewise.debugger.recording import Recording
from lanewise.debugger.session import Session
from lanewise.packages import recognise
from lanewise.tools.console import DiskFiles, scope_of

if TYPE_CHECKING:
    from lanewise.core.debugging import Group, Machine
    from lanewise.core.trace import Value

EXAMPLES = Path(__file__).parents[2] / "examples"
OURS = sorted(
    [
        *EXAMPLES.glob("*.v.pica"),
        *EXAMPLES.glob("*.sc"),
        *EXAMPLES.glob("*.psa"),
        *EXAMPLES.glob("*.vsh"),
        *EXAMPLES.glob("direct3d9/*.?sa"),
    ]
)
CORPUS = Path(os.environ.get("LANEWISE_CORPUS", "/nowhere"))
STEPS = 20_000 if EXHAUSTIVE else 400
VALUES = {
    "pica200": {"default": "0", "uniform": tuple([f"i{n}=2,1,1" for n in range(4)])},
    "shadercore": {"default": "0"},
    "direct3d9": {
        "default": "0",
        "int": tuple([f"i{n}=3,0,1" for n in range(4)]),
        "bool": ("b0=true",),
        "include": (str(EXAMPLES / "direct3d9" / "common"),),
    },
}


def corpus() -> list[Path]:
    """Sources of the corpus that LANEWISE_CORPUS names; none by default."""
    return (
        sorted([path for path in CORPUS.rglob("*") if path.suffix in (".pica", ".vsh", ".vsa", ".psa", ".sc")])
        if CORPUS.is_dir()
        else []
    )


def launched(path: Path) -> Launch:
    data = path.read_bytes()
    match = recognise(str(path), data)
    assert match is not None
    request = Request(
        "debug",
        (SourceFile(str(path), data, str(path)),),
        VALUES[match.package.name],
        files=DiskFiles(),
        read_included=scope_of([str(path)], {}).included,
    )
    return Launch(match.read(request), request)


def state(machine: Machine) -> tuple[object, ...]:
    """All that can be seen of a machine, NaN as patterns."""

    def bits(group: Group) -> list[object]:
        return [(register.name, [value and value.bits for value in register.values]) for register in group.registers]

    return machine.address, machine.finished, [bits(group) for group in machine.groups()], machine.frames(), machine.loops()


@pytest.mark.parametrize("path", sample(OURS, 6), ids=lambda path: path.name)
def test_steps_forwards_and_back_are_the_same_state(path: Path) -> None:
    both_ways(launched(path))


@pytest.mark.parametrize("path", corpus(), ids=lambda path: path.name)
def test_steps_forwards_and_back_are_the_same_state_in_the_corpus(path: Path) -> None:
    try:
        launch = launched(path)
    except (InputError, InputFailure, UsageError, AssertionError) as error:
        pytest.skip(f"does not run by itself: {str(error)[:80]}")
    both_ways(launch)


def both_ways(launch: Launch) -> None:
    session = Session(launch)
    thread = launch.threads[0]
    recording = session.recording(thread)
    count = 0
    forwards = [state(recording.at(0))]
    while count < STEPS and session.step(thread).reason == "step":
        count += 1
        forwards.append(state(recording.at(count)))
    for position in range(len(forwards) - 1, -1, -1):
        assert session.goto(thread, position).step == position
        assert state(recording.at(position)) == forwards[position], f"at {position}"
    for position in range(0, len(forwards), 7):
        assert state(recording.at(position)) == forwards[position], f"at {position}"


@pytest.mark.parametrize("path", sample(OURS, 4), ids=lambda path: path.name)
def test_steps_are_those_of_the_trace(path: Path) -> None:
    launch = launched(path)
    recording = Recording(launch.debuggee.machine(launch.threads[0], {}))
    assert launch.loaded.trace is not None
    values = {**launch.request.values, "trace": launch.threads[0], "trace-format": "json"}
    answer = launch.loaded.trace(
        Request("run", launch.request.sources, values, files=DiskFiles(), read_included=launch.request.read_included)
    )
    trace: Any = answer.result
    length = len(trace)
    held: dict[str, Value] = {}
    assert recording.extend(length)
    assert not recording.extend(length + 1)
    for number in range(length):
        step = recording.step(number)
        held |= {place: value for write in step.writes for place, value in zip(write.places, write.new, strict=True)}
        now = {place: recording.at(number + 1).read(place) for place in held}
        assert {place: value.bits for place, value in held.items()} == {
            place: value and value.bits for place, value in now.items()
        }
        assert (step.number, step.address) == place_of(trace, number)


def place_of(trace: Any, number: int) -> tuple[int, int]:
    step = trace.steps[number]
    return int(step.number), int(step.address if hasattr(step, "address") else step.pc)
