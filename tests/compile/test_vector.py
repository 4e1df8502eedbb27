"""Programs of components: their rules, their text, their interpreter."""

from __future__ import annotations

import math

import pytest
from tests.compile import vector_shaders as shaders
from tests.compile.vector_builder import Builder
from tests.compile.vector_random import Random

from lanewise.compile.vector import code as v
from lanewise.compile.vector.code import Ref
from lanewise.compile.vector.interpret import Floats, interpret
from lanewise.compile.vector.text import text_of
from lanewise.compile.vector.verify import verify


def program(*body: v.Statement, variables: int = 1) -> v.Program:
    outputs = (v.Output("p", "position", 0),)
    return v.Program(
        "bad", (v.Input("a"),), outputs, (v.Uniform("u", 3),), (), (v.Count("n"),), (v.Variable("x"),) * variables, body
    )


@pytest.mark.parametrize("make", [*shaders.BY_HAND, shaders.skin], ids=lambda make: make.__name__)
def test_programs_of_the_builder_are_sound(make: object):
    verify(make())  # type: ignore[operator]


@pytest.mark.parametrize("seed", range(20))
def test_random_programs_are_sound(seed: int):
    verify(Random(seed).program())


TWO = v.Number(1, (1.0, 2.0))
BROKEN = {
    "reads value 1, which is not defined before": (v.Store(0, 1, (Ref(1),)),),
    "reads lane 2 of value 1, which has 2": (TWO, v.Store(0, 1, (Ref(1, 2),))),
    "value 1 is defined twice": (TWO, TWO),
    "which is not visible here": (v.Number(0, (1.0,)), v.If(Ref(0), (TWO,)), v.Store(0, 1, (Ref(1),))),
    "unknown variable 7": (TWO, v.Store(7, 1, (Ref(1),))),
    "unknown input 4": (v.Attribute(1, 4),),
    "unknown uniform 4": (v.Row(1, 4),),
    "unknown row of uniform 'u' 3": (v.Row(1, 0, 3),),
    "unknown flag 0": (v.Truth(1, 0),),
    "unknown count 1": (v.For(1, v.CountOf(1), 0, 1, 5, ()),),
    "table without rows": (TWO, v.Table(2, (), Ref(1))),
    "unknown operation 'tan'": (TWO, v.Operate(2, "tan", ((Ref(1),),))),
    "add has 1 operands, expected 2": (TWO, v.Operate(2, v.ADD, ((Ref(1),),))),
    "operands of 1, 2 lanes": (TWO, v.Operate(2, v.ADD, ((Ref(1),), (Ref(1), Ref(1))))),
    "one width of 2 to 4": (TWO, v.Operate(2, v.DOT, ((Ref(1),), (Ref(1),)))),
    "a store of 1 lanes to variable 0 of 4 has the mask 0x3": (TWO, v.Store(0, 3, (Ref(1),))),
    "label 3 is left where it is not around": (v.Scope(2, ()), v.Leave(3)),
    "label 3 is within itself": (v.Scope(3, (v.Scope(3, ()),)),),
    "expected 1 to 4": (v.Number(1, (1.0,) * 5),),
}


@pytest.mark.parametrize("message", BROKEN)
def test_a_broken_rule_is_named(message: str):
    with pytest.raises(ValueError, match="vector program 'bad': ") as caught:
        verify(program(*BROKEN[message]))
    assert message in str(caught.value)


def test_masks_of_outputs_fit_their_variables():
    broken = program()._replace(outputs=(v.Output("p", "position", 0),), variables=(v.Variable("x", 2),))
    with pytest.raises(ValueError, match="output 'p' has the mask 0xf, and its variable 2 lanes"):
        verify(broken)


def test_text_has_every_statement():
    b = Builder("shown")
    b.flags.append(v.Flag("on", 3))
    b.counts.append(v.Count("n", 1, 9))
    position, rows = b.input("pos", 3), b.uniform("rows", 4)
    x = b.variable(2, "x")
    b.store(x, -position.yx)
    truth = b.new()
    b.add(v.Truth(truth, 0))
    counter, loop = b.loop_over(b.label(), v.CountOf(0), 1, 2)
    with loop:
        b.store(x, b.row(rows, 1, counter).xy + b.load(x), "yx")
        with b.block(lambda body: v.If(Ref(truth), body)):
            b.leave(1)
        with b.otherwise(), b.scope(2):
            b.leave(2)
    with b.loop(3):
        b.leave(3)
    b.output("position", b.vec(b.load(x), position.x, 2.5))
    assert text_of(b.program()) == """\
program shown
input 0 pos.xyz
uniform 0 rows[4].xyzw
flag 0 on at b3
count 0 n up to 9 at i1
variable 0 x.xy
variable 1 position.xyzw
output out_position = variable 1.xyzw as position
%1 = input pos
x.xy = -%1.yx
%2 = flag on
for 1: %3 = 1, step 2, n times
    %4 = rows[%3.x + 1]
    %5 = x
    %6 = add %4.xy, %5.xy
    x.xy = %6.yx
    if %2.x
        leave 1
    else
        scope 2
            leave 2
loop 3
    leave 3
%7 = x
%8 = (2.5)
position.xyzw = (%7.x, %7.y, %1.x, %8.x)
"""  # fmt: skip


def test_the_interpreter_runs_loops_conditionals_and_leaves():
    b = Builder()
    b.counts.append(v.Count("n"))
    total = b.variable(1)
    b.store(total, 0.0)
    counter, loop = b.loop_over(1, v.CountOf(0), 1, 2)
    with loop:
        with b.when(counter > 6.0):
            b.leave(1)
        b.store(total, b.load(total) + counter)
    b.output("position", b.load(total))
    found = {n: interpret(b.program(), Floats(), (), (), (), (n,))["out_position"][0] for n in (0, 1, 3, 9)}
    assert found == {0: 0.0, 1: 1.0, 3: 9.0, 9: 9.0}


def test_the_interpreter_gives_what_comparisons_of_nan_are():
    b = Builder()
    a, c = b.input("a", 1), b.input("c", 1)
    b.output("position", b.vec(a < c, a <= c, b.op(v.EQ, a, c), b.op(v.NE, a, c)))
    b.output("color", b.vec(b.op(v.MAX, a, c), b.op(v.MIN, a, c), b.op(v.TRUNC, a), b.op(v.FLOOR, a)))

    def run(a: float, c: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
        found = interpret(b.program(), Floats(), ((a,), (c,)))
        return found["out_position"], found["out_color"]

    assert run(math.nan, 1.0)[0] == (0, 0, 0, 1)
    assert run(math.nan, 1.0)[1][:2] == (1.0, 1.0)
    assert run(1.0, 1.0)[0] == (0, 1, 1, 0)
    assert run(-1.5, 3.0) == ((1, 1, 0, 1), (3.0, -1.5, -1.0, -2.0))


def test_programs_that_do_not_end_are_given_up():
    b = Builder()
    with b.loop(1):
        b.value(1.0)
    with pytest.raises(RuntimeError, match="does not come to its end"):
        interpret(b.program(), Floats(), ())
