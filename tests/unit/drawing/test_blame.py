"""The instruction to blame, from the chain of a trace of any instruction set."""

from typing import Any

import numpy as np

from lanewise.arrays.results import Port, Result
from lanewise.core.trace import Given, Operand, Step, Trace, Value, Write
from lanewise.drawing.lanes import scene_of_lanes
from lanewise.drawing.visibility import visibility
from lanewise.pica200.api.scene import VOLUME


def value(number: float) -> Value:
    return Value(int(np.float32(number).view(np.uint32)), number)


def step(number: int, text: str, register: str, made: float, read: dict[str, float]) -> Step:
    operands = tuple([Operand(register=place, values=(value(found),), places=(place,)) for place, found in read.items()])
    return Step(
        number=number,
        address=4 * number,
        instruction=text,
        operands=operands,
        writes=(Write(register=register, new=(value(made),)),),
        made={register: tuple(read)},
    )


def traced(*steps: Step) -> Trace:
    given = {"in": Given("input", value(0.0)), "c": Given("uniform", value(2.0))}
    return Trace("toy", "push.toy", "lane 0", steps, given=given, results={"position.x": "out", "position.w": "w"})


def reason(position: list[float], trace: Trace) -> Any:
    rows = np.array([position] * 3, np.float32)
    result = Result(3, {"position": rows}, {"position": rows.view(np.uint32)}, ports=(Port("position", "o0", "xyzw"),))
    return visibility(scene_of_lanes(result, VOLUME, trace=lambda _: trace)).reasons[0]


def test_the_first_step_that_is_not_finite_is_to_blame():
    steps = (
        step(0, "mul a, in, c", "a", 0.0, {"in": 0.0, "c": 2.0}),
        step(1, "rcp b, a", "b", np.inf, {"a": 0.0}),
        step(2, "add out, b, c", "out", np.inf, {"b": np.inf, "c": 2.0}),
    )
    found = reason([np.inf, 0.0, 0.0, 1.0], traced(*steps))
    assert found.code == "infinite"
    assert found.blame.message == "word 4: rcp b, a gives inf for a = 0; position.x becomes inf in lane 0"


def test_copies_are_passed_over():
    steps = (step(0, "add a, c, c", "a", -4.0, {"c": -2.0}), step(1, "mov w, a", "w", -4.0, {"a": -4.0}))
    found = reason([0.0, 0.0, 0.0, -4.0], traced(*steps))
    assert found.code == "behind"
    assert (
        found.blame.message
        == "word 0: add a, c, c gives -4 for c = -2; position.w becomes -4 in lane 0; no input has an effect on it"
    )
    assert found.blame.data["component"] == "position.w"


def test_a_component_that_nothing_writes():
    found = reason([0.0, 0.0, 0.0, 0.0], traced())
    assert (found.code, found.blame.word) == ("behind", None)
    assert "nothing writes it" in found.blame.message


def test_without_a_trace_nothing_is_to_blame():
    rows = np.array([[0.0, 0.0, 0.0, -1.0]] * 3, np.float32)
    result = Result(3, {"position": rows}, {"position": rows.view(np.uint32)}, ports=(Port("position", "o0", "xyzw"),))
    assert visibility(scene_of_lanes(result, VOLUME)).reasons[0].blame is None
