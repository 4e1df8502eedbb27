"""Rewrite rules: how much longer a program is compiled because they are asked, and what they take of one with 480 operations.

Ratios of processor time in one run: with the rules to without them, on programs for which there are few to use.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from lanewise.compile.pica200.backend import compile_vector
from lanewise.compile.pica200.numbers import Words
from lanewise.compile.pica200.preamble import with_preamble
from lanewise.compile.vector import code as v
from lanewise.compile.vector.passes import simplified
from lanewise.rules.matching import Matcher

if TYPE_CHECKING:
    from collections.abc import Callable


MOST_TIMES = 1.2
MOST_SECONDS = 1.0
_OPS = (v.MUL, v.ADD, v.MAX, v.MUL, v.MIN, v.ADD)


def _program(operations: int, uniforms: int) -> v.Program:
    """Operations on vectors, of which every third reads what two before have computed. `uniforms`: so many of them read nothing
    that depends on a vertex."""
    rows = [v.Row(result=n, uniform=n, row=0) for n in range(12)]
    early, late = list(range(12)), [12, 13, 0, 1]
    body: list[v.Statement] = [*rows, v.Attribute(12, 0), v.Attribute(13, 1), v.Number(14, (0.5, 2.0, 0.25, 3.0))]
    for n in range(operations):
        if n < uniforms:
            mine, op, operands = early, _OPS[n % len(_OPS)], (early[-1], n * 7 % 12)
        elif n == uniforms:
            mine, op, operands = late, v.ADD, (early[-1], late[0])
        else:
            mine, op = late, _OPS[n % len(_OPS)]
            operands = late[-1], 14 if n % 5 == 0 else late[-3] if n % 3 == 0 else n * 5 % 12
        body.append(v.Operate(15 + n, op, tuple([tuple([v.Ref(each, lane) for lane in range(4)]) for each in operands])))
        mine.append(15 + n)
    stores = [v.Store(n, 0xF, tuple([v.Ref(late[-1 - n], lane) for lane in range(4)])) for n in range(2)]
    names = "position", "color"
    return v.Program(
        name="bench",
        inputs=(v.Input(name="place"), v.Input(name="colour")),
        outputs=tuple([v.Output(name=name, semantic=name, variable=n, mask=0xF) for n, name in enumerate(names)]),
        uniforms=tuple([v.Uniform(name=f"u{n}", rows=1) for n in range(12)]),
        flags=(),
        counts=(),
        variables=tuple([v.Variable(name, 4) for name in names]),
        body=(*body, *stores),
    )


def _seconds(*alternatives: Callable[[], object], repeat: int = 3) -> list[float]:
    """The least processor time of each; they are run in turns."""
    best = [float("inf")] * len(alternatives)
    for _ in range(repeat):
        for n, run in enumerate(alternatives):
            start = time.process_time()
            run()
            best[n] = min(best[n], time.process_time() - start)
    return best


def _nothing(*_: object, **__: object) -> None:
    return None


def _without_rules(run: Callable[[], object]) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Matcher, "found", _nothing)
        return run()


def test_times_that_compiling_takes(judged: bool):
    program = _program(90, 0)
    with_rules, without = _seconds(
        lambda: compile_vector(program), lambda: _without_rules(lambda: compile_vector(program)), repeat=5
    )
    print(f"\n90 operations are compiled in {with_rules / without:.2f} times the time without rules")
    assert not judged or with_rules < MOST_TIMES * without


def test_seconds_of_a_long_program(judged: bool):
    program = _program(480, 0)
    with_rules, without = _seconds(
        lambda: simplified(program, Words()), lambda: _without_rules(lambda: simplified(program, Words()))
    )
    print(f"\n480 operations are simplified in {with_rules:.2f} s, {without:.2f} s without rules")
    assert not judged or with_rules - without < MOST_SECONDS


@pytest.mark.parametrize("uniforms", [440, 100])
def test_seconds_of_a_long_preamble(uniforms: int, judged: bool):
    program = _program(480, uniforms)
    found, plain = _seconds(lambda: with_preamble([program, program], name="bench"), lambda: compile_vector(program))
    print(f"\n480 operations, {uniforms} on uniforms: {found:.2f} s with a preamble, {plain:.2f} s without")
    assert not judged or found - plain < MOST_SECONDS
