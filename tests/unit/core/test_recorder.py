"""A run of a machine with scalar registers as a trace."""

from __future__ import annotations

from lanewise.core.recorder import Recorder
from lanewise.core.source import Span


def recorded() -> Recorder:
    """acc = a; acc = acc + b; is acc 0?"""
    recorder = Recorder({"a": 2, "b": 3, "c": 0}, ["a"], [Span(file="m.toy", line=1), Span(file="m.toy", line=2)])
    recorder.step(0, "load a", ["a"], {"acc": 2})
    recorder.step(1, "add b", ["b", "acc"], {"acc": 5})
    recorder.step(2, "jnz 0", ["acc"], asked="acc != 0?", answer="yes")
    recorder.step(3, "store c", ["acc"], {"c": 5})
    return recorder


def test_operands_have_the_values_before_the_step():
    trace = recorded().trace("m", "m.toy", "lane 0", ["c"])
    assert trace.text() == (
        "m.toy, lane 0\n\n"
        "step 0, word 0, m.toy:1\n    load a\n  read   a = 2\n  wrote  acc = 2\n\n"
        "step 1, word 1, m.toy:2\n    add b\n  read   b = 3\n  read   acc = 2\n  wrote  acc = 5, was 2\n\n"
        "step 2, word 2\n    jnz 0\n  flow   acc != 0? yes\n\n"
        "step 3, word 3\n    store c\n  read   acc = 5\n  wrote  c = 5, was 0\n\n"
        "end after 4 steps\n  c = 5"
    )


def test_values_are_followed_back():
    explanation = recorded().trace("m", "m.toy", "lane 0", ["c"]).explain("c")
    assert [cause.step.address for cause in explanation.causes] == [0, 1, 3]
    assert explanation.given == ("a", "b") and explanation.unset == ()
    assert explanation.text().endswith(
        "given:\n  input a = 2\n  register b = 3\n\nconditions on the path:\n  step 2, word 2: jnz 0: acc != 0? yes"
    )
