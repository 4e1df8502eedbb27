"""Programs of components: their rules, their text, their interpreter."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from compile import vector_shaders as shaders
from compile.vector_builder import Builder, Value
from compile.vector_random import Random, words
from effort import times
from lanewise.compile.pica200.numbers import Words
from lanewise.compile.shadercore.numbers import DeviceNumbers
from lanewise.compile.vector import code as v
from lanewise.compile.vector import interpret as interpreting
from lanewise.compile.vector.code import Ref
from lanewise.compile.vector.interpret import Floats, interpret
from lanewise.compile.vector.passes import simplified
from lanewise.compile.vector.sums import parted
from lanewise.compile.vector.text import text_of
from lanewise.compile.vector.verify import verify
from lanewise.compile.vector.walk import statements
from lanewise.shadercore.isa.devices import DOCUMENT
from together import together

NUMBERS = Words()


def program(*body: v.Statement, variables: int = 1) -> v.Program:
    outputs = (v.Output(name="p", semantic="position", variable=0),)
    return v.Program(
        name="bad",
        inputs=(v.Input(name="a"),),
        outputs=outputs,
        uniforms=(v.Uniform(name="u", rows=3),),
        flags=(),
        counts=(v.Count("n"),),
        variables=(v.Variable("x"),) * variables,
        body=body,
    )


@pytest.mark.parametrize("make", [*shaders.BY_HAND, shaders.skin], ids=lambda make: make.__name__)
def test_programs_of_the_builder_are_sound(make: Callable[[], v.Program]):
    verify(make())


@together("seed", range(20))
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
    "unknown uniform 4": (v.Row(result=1, uniform=4),),
    "unknown row of uniform 'u' 3": (v.Row(result=1, uniform=0, row=3),),
    "unknown flag 0": (v.Truth(1, 0),),
    "unknown count 1": (v.For(label=1, turns=v.CountOf(1), start=0, step=1, counter=5, body=()),),
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


@together("message", BROKEN)
def test_a_broken_rule_is_named(message: str):
    with pytest.raises(ValueError, match="vector program 'bad': ") as caught:
        verify(program(*BROKEN[message]))
    assert message in str(caught.value)


def test_masks_of_outputs_fit_their_variables():
    broken = program()._replace(outputs=(v.Output(name="p", semantic="position", variable=0),), variables=(v.Variable("x", 2),))
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
    assert (
        text_of(b.program())
        == """\
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
"""
    )


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


def test_programs_that_do_not_end_are_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(interpreting, "_MOST_STEPS", 1000)
    b = Builder()
    with b.loop(1):
        b.value(1.0)
    with pytest.raises(RuntimeError, match="does not come to its end"):
        interpret(b.program(), Floats(), ())


# Passes


def same(before: v.Program, after: v.Program, seed: int) -> None:
    """Both give the same words."""
    r = random.Random(seed)
    numbers = Words()
    for _ in range(4):
        inputs = [[numbers.canonical(word) for word in row] for row in words(r, len(before.inputs))]
        rows = [[[numbers.canonical(word) for word in row] for row in words(r, u.rows)] for u in before.uniforms]
        flags = [r.random() < 0.5 for _ in before.flags]
        counts = [r.choice((0, 1, 4)) for _ in before.counts]
        found, wanted = (interpret(each, numbers, inputs, rows, flags, counts) for each in (after, before))
        for output in before.outputs:
            lanes = [n for n in range(4) if output.mask >> n & 1]
            assert [found[output.name][n] for n in lanes] == [wanted[output.name][n] for n in lanes], text_of(after)


@together("seed", range(times(40, 3000)))
def test_passes_keep_the_outputs(seed: int):
    before = Random(seed).program()
    after = simplified(before, Words())
    verify(after)
    same(before, after, seed)


def statements_of(program: v.Program) -> list[str]:
    return [s.op if isinstance(s, v.Operate) else type(s).__name__ for s in statements(program.body)]


def simple(b: Builder) -> list[str]:
    before = b.program()
    after = simplified(before, Words())
    verify(after)
    same(before, after, 1)
    return statements_of(after)


def test_what_is_known_is_computed():
    b = Builder()
    a = b.input("a", 1)
    two = b.value(1.0) + 1.0
    b.output("position", b.vec(a * two, b.op(v.RSQ, b.value(0.25)), two, b.dot(b.value([1.0, 2.0]), b.value([3.0, 4.0]))))
    assert [name for name in simple(b) if name not in ("Number", "Attribute")] == [v.MUL, "Store"]


def test_what_must_be_rounded_is_left_to_the_target():
    """No test on a console shows how it rounds: only exact results are the same under every rule."""
    b = Builder()
    a = b.input("a", 1)
    third = b.op(v.RCP, b.value(3.0))
    tiny = b.value(1.0) + 1e-9
    b.output("position", b.vec(a * third, b.op(v.EXP2, b.value(0.5)), tiny, b.dot(b.value([0.1, 2.0]), b.value([0.1, 4.0]))))
    found = [name for name in simple(b) if name not in ("Number", "Attribute", "Store")]
    assert found == [v.RCP, v.ADD, v.MUL, v.EXP2, v.DOT]


def test_nothing_is_computed_twice_and_unneeded_things_not_at_all():
    b = Builder()
    a = b.input("a")
    b.op(v.RCP, a.w)
    unused = b.variable()
    b.store(unused, a * 3.0)
    b.output("position", b.vec((a.x + a.y), (a.y + a.x), 0.0, 1.0))
    assert [name for name in simple(b) if name != "Number"] == ["Attribute", v.ADD, "Store"]


def test_neutral_operations_stay_where_they_change_subnormals():
    b = Builder()
    a = b.input("a", 2)
    b.output("position", b.vec(a * 1.0, (a * a) * 1.0))
    assert [name for name in simple(b) if name not in ("Number", "Attribute")] == [v.MUL, v.MUL, "Store"]


def test_a_sum_of_a_product_that_nothing_else_reads_is_mad():
    b = Builder()
    a = b.input("a")
    both = a * a.yzwx
    b.output("position", a - a * 0.5)
    b.output("color", both + a + both)
    assert [name for name in simple(b) if name not in ("Number", "Attribute", "Store")] == [v.MUL, v.MAD, v.ADD, v.ADD]


def test_products_and_sums_in_place_of_mad():
    b = Builder()
    a = b.input("a")
    with b.when(a.x > 0.0):
        b.output("position", b.op(v.MAD, a, a.wzyx, a))
    program = b.program()
    made = parted(program)
    verify(made)
    assert [s.op for s in statements(made.body) if isinstance(s, v.Operate)] == [v.LT, v.MUL, v.ADD]
    given = [[NUMBERS.known(float(n)) for n in (3, 5, -7, 11)]]
    assert interpret(made, NUMBERS, given) == interpret(program, NUMBERS, given)


def test_loads_are_what_was_stored():
    b = Builder()
    a, x = b.input("a"), b.variable()
    b.store(x, a)
    b.store(x, b.load(x).w, "y")
    b.output("position", b.load(x))
    assert simple(b) == ["Attribute", "Store"]


def test_arms_know_their_condition():
    b = Builder()
    a, x = b.input("a"), b.variable()
    positive = a.x > 0.0
    with b.when(b.op(v.AND, positive, a.y > 0.0)):
        with b.when(positive):
            b.store(x, a)
        with b.otherwise():
            b.store(x, 5.0)
    b.output("position", b.load(x))
    assert simple(b).count("If") == 1


def test_an_early_return_is_the_other_arm():
    b = Builder()
    a, x = b.input("a"), b.variable()
    out = b.output("position")
    with b.scope(1):
        with b.when(a.x > 0.0):
            b.store(out, a)
            b.leave(1)
        b.store(x, a * 2.0)
        b.store(out, b.load(x))
    found = simple(b)
    assert "Scope" not in found
    assert "Leave" not in found


def test_neighbouring_conditionals_on_one_condition_are_one():
    b = Builder()
    a, x, y = b.input("a"), b.variable(), b.variable()
    condition = a.x > 0.0
    for variable in (x, y):
        b.store(variable, a)
    for variable in (x, y):
        with b.when(condition):
            b.store(variable, a * float(variable + 2))
    b.output("position", b.load(x))
    b.output("color", b.load(y))
    assert simple(b).count("If") == 1


def test_an_early_return_from_a_loop_stays_one():
    b = Builder()
    a, x = b.input("a"), b.variable(1)
    out = b.output("position", 0.0)
    b.store(x, 0.0)
    with b.scope(1):
        counter, loop = b.loop_over(2, 3)
        with loop:
            b.store(x, b.load(x) + counter)
            with b.when(b.load(x) > a.x):
                b.store(out, b.load(x))
                b.leave(1)
        b.store(out, 9.0)
    assert simple(b).count("Leave") == 1


def test_a_choice_of_two_numbers_needs_no_conditional():
    b = Builder()
    a, x = b.input("a"), b.variable()
    first = a.x < a.y
    b.store(x, 3.0)
    with b.when(a.z <= a.w):
        b.store(x, [1.0, 0.0, -2.0], "xyz")
    with b.otherwise():
        b.store(x, [0.0, 1.0, 0.0], "xyz")
    b.output("color", b.load(x))
    b.output(
        "position",
        b.op(v.SELECT, b.vec(first, first, first, first), b.value([1.0, 0.0, 2.0, 5.0]), b.value([0.0, 1.0, 0.0, 7.0])),
    )
    found = [name for name in simple(b) if name not in ("Number", "Attribute", "Store")]
    assert sorted(found) == sorted([v.LT, v.NOT, v.MUL, v.MAD, v.LE, v.NOT, v.MAD])


SPECIAL = [NUMBERS.known(x) for x in (0.0, -0.0, 1.0, -1.0, 2.5, math.inf, -math.inf, math.nan)]
# (condition on x and y, what is chosen where it holds, else): with one operation, or not for all bits.
CHOICES: list[tuple[str, Callable[[Value, Value], tuple[Value, Value, Value]], bool]] = [
    ("x < y ? x : y", lambda x, y: (x < y, x, y), True),
    ("x < y ? y : x", lambda x, y: (x < y, y, x), True),
    ("x > y ? x : y", lambda x, y: (x > y, x, y), True),
    ("x < 1 ? 1 : x", lambda x, y: (x < 1.0, x.b.value(1.0), x), True),
    ("x <= 1 ? x : 1", lambda x, y: (x <= 1.0, x, x.b.value(1.0)), True),
    ("x >= -1 ? x : -1", lambda x, y: (x >= -1.0, x, x.b.value(-1.0)), True),
    ("!(x < y) ? x : y", lambda x, y: (x.b.op(v.NOT, x < y), x, y), True),
    ("x < 0 ? -x : x", lambda x, y: (x < 0.0, -x, x), True),
    ("x > 0 ? x : -x", lambda x, y: (x > 0.0, x, -x), True),
    ("x > 0 ? -x : x", lambda x, y: (x > 0.0, -x, x), True),
    ("x < 0 ? 0 : x", lambda x, y: (x < 0.0, x.b.value(0.0), x), True),
    ("x <= y ? x : y", lambda x, y: (x <= y, x, y), False),
    ("x <= 0 ? 0 : x", lambda x, y: (x <= 0.0, x.b.value(0.0), x), False),
    ("x <= 0 ? -x : x", lambda x, y: (x <= 0.0, -x, x), False),
    ("x < y ? -x : y", lambda x, y: (x < y, -x, y), False),
    ("x == y ? x : 2", lambda x, y: (x.b.op(v.EQ, x, y), x, x.b.value(2.0)), False),
]
EAGER: list[tuple[str, Callable[[Value, Value], tuple[Value, Value, Value]], bool]] = [
    ("x == y ? 3 : 2", lambda x, y: (x.b.op(v.EQ, x, y), x.b.value(3.0), x.b.value(2.0)), True),
    ("x != y ? 3 : 2", lambda x, y: (x.b.op(v.NE, x, y), x.b.value(3.0), x.b.value(2.0)), True),
    ("x < y && y < 1 ? 0 : 2", lambda x, y: (x.b.op(v.AND, x < y, y < 1.0), x.b.value(0.0), x.b.value(2.0)), True),
    ("x < y ? -(x * y) : x * y", lambda x, y: (x < y, -(x * y), x * y), True),
    ("x == y ? x * y : -(x * y)", lambda x, y: (x.b.op(v.EQ, x, y), x * y, -(x * y)), True),
    ("x < y ? -x : x", lambda x, y: (x < y, -x, x), False),  # of a subnormal number, a product with 1 is 0
]


@together(
    ("make", "free", "eager"),
    [
        *[pytest.param(make, free, eager, id=f"{name} {eager}") for name, make, free in CHOICES for eager in (False, True)],
        *[pytest.param(make, free, True, id=name) for name, make, free in EAGER],
    ],
)
@together("branches", [False, True])
def test_choices_without_a_conditional(
    make: Callable[[Value, Value], tuple[Value, Value, Value]], free: bool, eager: bool, branches: bool
):
    """For all bits, those of NaN and of both zeros too."""
    b = Builder()
    a = b.input("a")
    condition, yes, no = make(a.x, a.y)
    out = b.variable(1)
    if branches:
        b.store(out, no)
        with b.when(condition):
            b.store(out, yes)
    else:
        b.store(out, b.op(v.SELECT, condition, yes, no))
    b.output("position", b.load(out))
    program = b.program()
    made = simplified(program, NUMBERS, eager=eager)
    found = [s.op if isinstance(s, v.Operate) else type(s).__name__ for s in statements(made.body)]
    assert (v.SELECT not in found and "If" not in found) == free
    for x in SPECIAL:
        for y in SPECIAL:
            assert interpret(made, NUMBERS, [[x, y, 0, 0]]) == interpret(program, NUMBERS, [[x, y, 0, 0]])


def lower(x: Value, *bounds: float) -> Value:
    for bound in bounds:
        x = x.b.op(v.MIN, x, bound)
    return x


def upper(x: Value, *bounds: float) -> Value:
    for bound in bounds:
        x = x.b.op(v.MAX, x, bound)
    return x


REWRITTEN: list[tuple[str, Callable[[Value, Value], Value], list[str]]] = [
    ("max(max(x, 0), 0)", lambda x, y: upper(x, 0.0, 0.0), [v.MAX]),
    ("min(max(min(x, 1), 0), 1)", lambda x, y: lower(upper(lower(x, 1.0), 0.0), 1.0), [v.MIN, v.MAX]),
    ("min(1, max(0, min(1, x)))", lambda x, y: x.b.op(v.MIN, 1.0, x.b.op(v.MAX, 0.0, x.b.op(v.MIN, 1.0, x))), [v.MIN, v.MAX]),
    ("step * step", lambda x, y: (x < y) * (x < y), [v.LT]),
    ("clamp(step)", lambda x, y: lower(upper(x < y, 0.0), 1.0), [v.LT]),
    ("max(0, x * x)", lambda x, y: x.b.op(v.MAX, 0.0, x * x), [v.MUL]),
    ("max(x * x, 0)", lambda x, y: upper(x * x, 0.0), [v.MUL, v.MAX]),  # 0 where x is NaN
    ("2 * (2 * x)", lambda x, y: x * 2.0 * 2.0, [v.MUL]),
    ("x / 2 * 2", lambda x, y: x * 0.5 * 2.0, [v.MUL, v.MUL]),  # 0 where half of x is subnormal
]


@together(("make", "left"), [pytest.param(make, left, id=name) for name, make, left in REWRITTEN])
def test_rewrite_rules_leave_fewer_operations(make: Callable[[Value, Value], Value], left: list[str]):
    b = Builder()
    a = b.input("a")
    b.output("position", make(a.x, a.y))
    program = b.program()
    after = simplified(program, NUMBERS)
    assert [s.op for s in statements(after.body) if isinstance(s, v.Operate)] == left
    for x in SPECIAL:
        assert interpret(after, NUMBERS, [[x, SPECIAL[0], 0, 0]]) == interpret(program, NUMBERS, [[x, SPECIAL[0], 0, 0]])


def test_a_choice_that_would_round_stays_one():
    b = Builder()
    a, x = b.input("a"), b.variable(1)
    with b.when(a.x < a.y):
        b.store(x, 100000.0)
    with b.otherwise():
        b.store(x, 0.1)
    b.output("position", b.load(x))
    assert "If" in simple(b)


def test_the_sign_of_a_product_is_taken_by_a_known_factor_only():
    """0 times infinity is +0 with every sign, where there is a -0: the sum with -0 would tell."""
    b = Builder()
    a = b.input("a")
    b.output("position", a - a.yzwx * a.zwxy)
    b.output("color", a - a.yzwx * 0.5)
    assert [name for name in simple(b) if name in v.OPERATIONS] == [v.MUL, v.ADD, v.MAD]


def test_a_known_zero_keeps_its_sign():
    """-0 + -0 is -0, and 0 + -0 is 0."""
    b = Builder()
    a = b.input("a", 1)
    zero = b.op(v.TRUNC, b.value(-0.5))
    chosen = b.op(v.SELECT, a < b.value(1.0), b.value(1.0), -b.value(0.0))
    b.output("position", b.vec(zero + a, -b.value(0.0) + a, chosen, 0.0))
    before = b.program()
    numbers = DeviceNumbers(DOCUMENT)
    after = simplified(before, numbers)
    for word in (0x80000000, 0, 0x40000000):
        found, wanted = (interpret(each, numbers, [(word,)])["out_position"] for each in (after, before))
        assert [f"{x:#x}" for x in found] == [f"{x:#x}" for x in wanted]
