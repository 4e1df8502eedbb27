"""Profiles: what each field changes, presets, names and values; and that nothing of it is in two places."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw
from engines.shaders import PLAIN, ZEROS, descriptor, finish, program, run, splat, stopped, word
from lanewise.core.numbers.floats import (
    INFINITY,
    LARGEST,
    LARGEST_SUBNORMAL,
    NAN,
    NEGATIVE_INFINITY,
    ONE,
    SIGN,
    float24_from_float,
)
from lanewise.packages import package_of
from lanewise.pica200.isa.facts import CHOICES, EMULATORS, FACTS
from lanewise.pica200.isa.table import FLOAT, TEMPORARY
from lanewise.pica200.sem.profile import HARDWARE, PRESETS, Profile, find_profile, profiles

Words = tuple[int, int, int, int]
Show = Callable[[Profile], object]

f = float24_from_float
R, C = TEMPORARY, FLOAT
S, END, NOP = LARGEST_SUBNORMAL, word("end"), word("nop")
ULP = 2.0**-16


# What is looked at: each makes a function of a profile, which runs a program under it.


def result(name: str, *operands: int | Words, negate: bool = False, component: int = 0, **fields: int) -> Show:
    """A component that an instruction writes; operands are in v1, v2 and v3."""
    inputs = {n: splat(given) if isinstance(given, int) else given for n, given in enumerate(operands, 1)}
    sources = {f"src{n}": n for n in inputs}
    words = [word(name, dst=R, **sources, **fields), word("mov", src1=R, desc=1), END]
    shown = descriptor(negate=(negate, False, False)), PLAIN
    return lambda profile: run(words, descriptors=shown, inputs=inputs, profile=profile).outputs[0][component]


def flags(name: str, *operands: int, mask: int = 0xF, **fields: int) -> Show:
    """cmp.x and cmp.y after an instruction that sets them."""
    inputs = {n: splat(given) for n, given in enumerate(operands, 1)}
    words = [word(name, **{f"src{n}": n for n in inputs}, **fields), END]
    return lambda profile: stopped(words, descriptors=[descriptor(mask)], inputs=inputs, profile=profile).registers.cmp


def indexed(register: int, offset: float) -> Show:
    """The number that stands in the register that `register[a0.x]` leads to: -n in rn, n in cn."""
    words = [word("mova", src1=1), *(word("mov", dst=R + n, src1=n) for n in range(2, 16))]
    words += [word("mov", src1=register, idx=1), END]
    inputs = {1: splat(f(offset))} | {n: splat(f(-n)) for n in range(2, 16)}
    floats = {n: splat(f(n)) for n in range(96)}
    return lambda profile: float(
        lw.pica200.float24.decode(run(words, inputs=inputs, floats=floats, profile=profile).outputs[0][0])
    )


def indexed_by_al(start: int) -> Show:
    """The same for `c1[aL]` in a loop."""
    words = [word("for", dst=1), word("mov", src1=C + 1, idx=3), END]
    floats = {n: splat(f(n)) for n in range(96)}

    def show(profile: Profile) -> object:
        lane = run(words, integers={0: (0, start, 0, 0)}, floats=floats, profile=profile)
        return float(lw.pica200.float24.decode(lane.outputs[0][0]))

    return show


def path(words: list[int], **integers: Words) -> Show:
    """The addresses in the order they ran; a fault's code behind them."""
    loops = {int(name[1:]): value for name, value in integers.items()}

    def show(profile: Profile) -> object:
        done, machine = finish(words, integers=loops, budget=60, profile=profile)
        return (*done[:-1], machine.fault.code) if machine.fault else tuple(done)

    return show


def al(words: list[int], **integers: Words) -> Show:
    """aL when the program is done."""
    loops = {int(name[1:]): value for name, value in integers.items()}
    return lambda profile: stopped(words, integers=loops, profile=profile).registers.loops.al


SHADER = lw.assemble(".out pos position\n.in given\n.proc main\nmov pos, given\nend\n.end\n").vertex
ADDING = lw.assemble(".out pos position\n.in given\n.proc main\nadd pos, given, given\nend\n.end\n").vertex
SUMMING = lw.assemble(".out pos position\n.in given\n.proc main\nadd r0, given, r0\nmov pos, r0\nend\n.end\n").vertex


def given_number(value: float) -> Show:
    """What becomes of a number on its way in."""
    return lambda profile: SHADER.run({"given": value}, profile=profile).bits["position"][0, 0].item()


def given_word(value: int) -> Show:
    return lambda profile: SHADER.run({"given": lw.Words(splat(value))}, profile=profile).outputs["position"][0, 0].item()


def over_vertices(profile: Profile) -> object:
    """r0 sums up its vertices where it is not cleared."""
    return SUMMING.run({"given": [[1.0], [2.0], [3.0]]}, profile=profile).outputs["position"][:, 0].tolist()


def sum_of_two(profile: Profile) -> object:
    return ADDING.run({"given": 1.0 + 2.0**-20}, profile=profile).outputs["position"][0, 0].item()


def written_of_long(profile: Profile) -> object:
    """o0 and o1 after 512 words that write o0 and another that writes o1, and the fault's code."""
    lane = run(LONG, inputs={1: splat(ONE)}, profile=profile)
    return [lane.outputs[0][0], lane.outputs[1][0], lane.fault.code if lane.fault else ""]


class Row(NamedTuple):
    """With `field` at `value`, `show` gives `changed` instead of `before`; other fields are as in `given` or by default."""

    field: str
    value: str
    show: Show
    before: object
    changed: object
    given: tuple[str, ...] = ()


def loop(*body: int) -> list[int]:
    """A loop over i0 around some words."""
    return [word("for", dst=len(body)), *body, END]


NESTED = [word("for", dst=4, reg=0), NOP, word("for", dst=3, reg=1), NOP, NOP, END]
FIVE_CALLS = program(60, {10 * n: word("call", dst=10 * n + 10, num=2) for n in range(5)} | {1: END, 12: END})
FOUR_TAIL_CALLS = program(60, {10 * n: word("call", dst=10 * n + 10, num=1) for n in range(4)} | {1: END, 11: END})
JUMP_AT_END = program(10, {0: word("ifu", dst=2, num=3), 1: word("jmpu", dst=8), 2: END, 5: END, 8: END})
TWO_IFS = program(10, {0: word("ifu", dst=3, num=2), 1: word("ifu", dst=3), 5: END})
JUMP_ON_AN_END = program(10, {0: word("ifu", dst=5, num=3), 1: word("jmpu", dst=5), 5: END, 8: END})
ROW_OF_HALVES: Words = (f(1.0), 0, f(ULP / 2), f(ULP / 2))
THREE_PARTS: Words = (f(1.0), f(ULP / 2), f(ULP / 2), 0)
PAST_AND_BACK = [word("jmpc", condop=2, refx=1, dst=2), word("jmpu", dst=3), END, word("cmp")]
LONG = [*[word("mov", src1=1)] * 512, word("mov", dst=1, src1=1), END]

ROWS = (
    Row("rounding", "nearest", result("add", ONE, f(0.75 * ULP)), ONE, ONE + 1),
    Row("rounding", "float32", sum_of_two, 2.0, 2.0 + 2.0**-19),
    Row("overflow", "largest", result("mul", LARGEST, f(2.0)), INFINITY, LARGEST),
    Row("mad_rounding", "once", result("mad", ONE + 1, ONE + 1, f(-1 - 2 * ULP)), 0, f(ULP * ULP)),
    Row("dot_order", "from-zero", result("dp3", SIGN, ONE), SIGN, 0, ("negative_zero=ieee",)),
    Row("dot_order", "pairs", result("dp4", ROW_OF_HALVES, ONE), ONE, ONE + 1),
    Row("dot_order", "once", result("dp3", THREE_PARTS, ONE), ONE, ONE + 1),
    Row("negative_zero", "ieee", result("mov", 0, negate=True), 0, SIGN),
    Row("zero_reciprocal", "signed", result("rcp", SIGN), INFINITY, NEGATIVE_INFINITY, ("negative_zero=ieee",)),
    Row("nan_pattern", "kept", result("mov", 0xFF1234), NAN, 0xFF1234),
    Row("subnormal_arithmetic", "keep", result("add", S, 0), 0, S),
    Row("subnormal_floor", "keep", result("flr", SIGN | S), 0, f(-1.0)),
    Row("subnormal_mov", "flush", result("mov", S), S, 0),
    Row("subnormal_min", "flush", result("min", S, ONE), S, 0),
    Row("subnormal_set", "flush", result("sge", 0, S), 0, ONE),
    Row("subnormal_litp", "flush", result("litp", S), S, 0),
    Row("max_zero_neg_inf", "-inf", result("max", 0, NEGATIVE_INFINITY), 0, NEGATIVE_INFINITY),
    Row("compare_nan", "none", flags("cmp", NAN, ONE, cmpx=1, cmpy=0), (True, False), (False, False)),
    Row("precision", "float32", result("rcp", 0x3F00B5), 0x3EFE96, 0x3EFE97),
    Row("dsti_operands", "swapped", result("dsti", (0, 0, f(3.0), 0), (0, 0, f(7.0), 0), component=2), f(3.0), f(7.0)),
    Row("litp_nan", "through", result("litp", NAN), 0, NAN),
    Row("litp_flags", "sign", flags("litp", NAN), (False, False), (True, True)),
    Row("litp_mask", "obeyed", flags("litp", ONE, mask=8), (True, True), (True, False)),
    Row("upload", "nearest", given_number(1 + 0.75 * ULP), ONE, ONE + 1),
    Row("upload", "host", given_number(1.5 * 2.0**-63), 0x00C000, 0x008000),
    Row("constant_subnormals", "hidden-bit", given_word(0x008000), 2.0**-63, 1.5 * 2.0**-63, ("rounding=float32",)),
    Row("index_wrap", "registers", indexed(C, -1), 1.0, -15.0),
    Row("al_offset", "any", indexed_by_al(200), 1.0, 73.0),
    Row("index_files", "added", indexed(R + 2, 3), -2.0, -5.0),
    Row("mova_fraction", "floor", indexed(C + 5, -0.5), 5.0, 4.0),
    Row("mova_fraction", "nearest", indexed(C + 5, 1.5), 6.0, 7.0),
    Row("mova_range", "byte", indexed(C + 5, 300.0), 5.0, 49.0),
    Row("cmp_operators", "unchanged", flags("cmp", ONE, ONE, cmpx=6, cmpy=0), (True, True), (False, True)),
    Row("stack_check", "sequence", path(JUMP_ON_AN_END), (0, 1, 5), (0, 1, 8)),
    Row("stack_check", "nested", path(TWO_IFS), (0, 1, 2, 3, 4, 5), (0, 1, 2, 5)),
    Row(
        "stack_depth",
        "unlimited",
        path(FIVE_CALLS),
        (0, 10, 20, 30, 40, 50, 51, 41, 31, 21, 11, 12),
        (0, 10, 20, 30, 40, 50, 51, 41, 31, 21, 11, 1),
    ),
    Row("fourth_return", "kept", path(FOUR_TAIL_CALLS), (0, 10, 20, 30, 40, 11), (0, 10, 20, 30, 40, 1)),
    Row("jump_at_end", "taken", path(JUMP_AT_END), (0, 1, 5), (0, 1, 8)),
    Row("loop_rounds", "x+2", path(loop(NOP), i0=(1, 0, 0, 0)), (0, 1, 1, 2), (0, 1, 1, 1, 2)),
    Row("loop_register", "zeros", path([word("for", dst=1, reg=5), NOP, END], i1=(2, 0, 0, 0)), (0, 1, 1, 1, 2), (0, 1, 2)),
    Row("al_width", "s8", al(loop(NOP), i0=(0, 127, 1, 0)), 128, -128),
    Row("al_width", "s16", al(loop(NOP), i0=(255, 255, 255, 0)), 65535, -1),
    Row("al_break", "none", al(loop(word("break"), NOP), i0=(3, 5, 2, 0)), 7, 5),
    Row("al_last", "none", al(loop(NOP), i0=(3, 5, 2, 0)), 13, 11),
    Row("al_restore", "kept", al(NESTED, i0=(0, 10, 1, 0), i1=(2, 40, 5, 0)), 11, 56),
    Row("al_restore", "start", al(NESTED, i0=(0, 10, 1, 0), i1=(2, 40, 5, 0)), 11, 41),
    Row("empty_break", "nothing", path([word("break"), END]), ("R002",), (0, 1)),
    Row("past_end", "end", path([NOP]), (0, "R003"), (0, 1)),
    Row("past_end", "wrap", path(PAST_AND_BACK), (0, 1, 3, "R003"), (0, 1, 3, 4, 0, 2)),
    Row("code_limit", "dropped", written_of_long, [ONE, ONE, ""], [ONE, 0, "R003"]),
    Row("code_limit", "wrap", written_of_long, [ONE, ONE, ""], [0, ONE, ""]),
    Row("unknown_words", "nothing", path([0x10 << 26, END]), ("R004",), (0, 1)),
    Row("initial_state", "kept", over_vertices, [1.0, 2.0, 3.0], [1.0, 3.0, 6.0]),
)


def based_on(row: Row) -> Profile:
    profile = HARDWARE
    for setting in row.given:
        profile = profile.set(setting)
    return profile


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.field}={row.value}")
def test_a_field_changes_a_result(row: Row):
    profile = based_on(row)
    assert row.show(profile) == row.before
    assert row.show(profile.replace(**{row.field: row.value})) == row.changed
    assert row.before != row.changed


def test_every_answer_has_a_result_that_it_changes():
    answers = {(key, answer) for key, fact in CHOICES.items() for answer in fact.answers if answer != fact.default}
    # Vertex shaders alone are run here; what geometry shaders leave open is in tests/engines/test_geometry.py.
    geometry = {(key, answer) for key, answer in answers if CHOICES[key].geometry}
    assert {(row.field, row.value) for row in ROWS} == answers - geometry
    assert {key for key, _ in geometry} == {
        "emit_slots", "winding_swap", "keep_registers_between_invocations", "fixed_by_arrays",
    }  # fmt: skip


# Presets


def test_fields_are_the_choices():
    assert Profile._fields == tuple(CHOICES)
    assert len(CHOICES) < len(FACTS)
    assert PRESETS == ("hardware", *EMULATORS) == tuple(profiles)


def test_presets_are_the_columns_of_the_facts():
    for key, fact in CHOICES.items():
        assert getattr(HARDWARE, key) == fact.default
        assert getattr(profiles["azahar"], key) == (fact.azahar or fact.default)
        assert getattr(profiles["panda3ds"], key) == (fact.panda3ds or fact.default)
    assert len({*profiles.values()}) == 3
    variants = {variant.name: variant.evidence for variant in package_of("pica200").variants()}
    for name, revision in EMULATORS.items():
        assert variants[name].endswith(revision)
    assert lw.pica200.profiles is profiles
    assert lw.pica200.Profile is Profile


def float32(name: str, *operands: float | int, profile: str) -> int:
    """What a preset of an emulator writes, as a float32 pattern; so are operands that are no floats."""
    patterns = [np.float32(given).view(np.uint32).item() if isinstance(given, float) else given for given in operands]
    value = result(name, *patterns)(profiles[profile])
    assert isinstance(value, int)
    return value


INF32, NEG_INF32, NEG_ZERO32 = 0x7F800000, 0xFF800000, 0x80000000


@pytest.mark.parametrize("preset", EMULATORS)
def test_what_emulators_share(preset: str):
    assert float32("mul", 0.0, float("inf"), profile=preset) == 0
    assert float32("mul", NEG_ZERO32, 1.0, profile=preset) == NEG_ZERO32
    assert float32("add", INF32, NEG_INF32, profile=preset) == 0xFFC00000
    assert float32("add", 0x7F800001, 1.0, profile=preset) == 0x7FC00001
    assert float32("mul", 1e-39, 1.0, profile=preset) == np.float32(1e-39).view(np.uint32)
    assert float32("mul", 3e38, 10.0, profile=preset) == INF32
    assert float32("mad", 1.0 + 2.0**-23, 1.0 + 2.0**-23, -1.0 - 2.0**-22, profile=preset) == 0
    assert float32("max", 0.0, 0x7FC00000, profile=preset) == 0x7FC00000
    assert float32("max", 0x7FC00000, 0.0, profile=preset) == 0
    assert float32("rsq", -1.0, profile=preset) == 0xFFC00000
    # The square root is rounded before it is divided: with one rounding this would end in 3.
    three = np.float32(3.0)
    assert float32("rsq", 3.0, profile=preset) == (np.float32(1) / np.sqrt(three)).view(np.uint32)
    assert float32("ex2", 0.5, profile=preset) == np.float32(2**0.5).view(np.uint32)
    assert float32("lg2", 10.0, profile=preset) == np.float32(np.log2(10.0)).view(np.uint32)


def test_where_they_differ():
    assert float32("rcp", NEG_ZERO32, profile="azahar") == NEG_INF32
    assert float32("rcp", NEG_ZERO32, profile="panda3ds") == INF32
    assert float32("rsq", NEG_ZERO32, profile="azahar") == NEG_INF32
    assert float32("max", 5.0, NEG_INF32, profile="azahar") == np.float32(5.0).view(np.uint32)
    assert float32("max", 5.0, NEG_INF32, profile="panda3ds") == NEG_INF32


@pytest.mark.parametrize("engine", ["reference", "llvm"])
@pytest.mark.parametrize("preset", EMULATORS)
def test_what_emulators_read_by_an_index(preset: str, engine: str):
    """Both interpreters, built from Azahar a2d16d4 and Panda3DS 4563584, gave these numbers for c40[a0.x], and c1[aL] with aL
    of 200."""
    head, uniforms = ".in given\n.out pos position\n.proc main\n", {f"c{n}": [n] * 4 for n in range(96)}
    by_a0 = lw.assemble(head + "mova a0.x, given\nmov r0, given\nmov pos, c40[a0.x]\nend\n.end\n").vertex
    given = [[offset, 7.0, 7.0, 7.0] for offset in (-42, -70, -41, 60, 87, 128, -129, 500)]
    found = by_a0.run({"given": given}, uniforms, profile=preset, engine=engine).outputs["position"]
    assert found[:, 0].tolist() == [1.0, 1.0, 1.0, 1.0, 1.0, 40.0, 40.0, 40.0]
    by_al = lw.assemble(head + "for i0\nmov pos, c1[aL]\nnop\n.end\nend\n.end\n").vertex
    found = by_al.run({"given": given}, {**uniforms, "i0": [0, 200, 0]}, profile=preset, engine=engine).outputs["position"]
    assert found[:, 0].tolist() == [1.0] * 8


def test_litp_in_panda3ds():
    """Its interpreter of 4563584: NaN and -0 are passed on."""
    nan = 0x7FC00000
    assert float32("litp", nan, profile="panda3ds") == nan
    assert float32("litp", NEG_ZERO32, profile="panda3ds") == NEG_ZERO32
    assert float32("litp", -1.0, profile="panda3ds") == 0
    y = result("litp", nan, component=1)
    assert y(profiles["panda3ds"]) == nan


def test_panda3ds_repeats_a_body_whose_loop_is_forgotten():
    # The last round is no loop any more, so a loop inside of it is the outermost one.
    body = path([word("for", dst=3, reg=0), word("for", dst=2, reg=1), NOP, NOP, END], i0=(0, 0, 0, 0), i1=(0, 0, 0, 0))
    assert body(HARDWARE) == (0, 1, 2, 3, 4)
    assert body(profiles["panda3ds"]) == (0, 1, 2, 2, 3, 1, 2, 2, 3, 4)


def test_panda3ds_ends_a_block_where_a_loop_begins_again():
    # The IF block ends at word 1, where the loop goes back to: its end is compared after the loop has moved the counter.
    words = [word("for", dst=2), word("ifu", dst=1, num=4), NOP, NOP, NOP, END]
    assert path(words, i0=(1, 0, 0, 0))(HARDWARE) == (0, 1, 2, 1, 2, 3, 4, 5)
    assert path(words, i0=(1, 0, 0, 0))(profiles["panda3ds"]) == (0, 1, 2, 5)


def test_in_sequence_one_call_returns_at_a_time():
    calls = program(40, {0: word("call", dst=10, num=1), 10: word("call", dst=20, num=1), 1: END, 11: END})
    assert path(calls)(HARDWARE) == (0, 10, 20, 1)
    assert path(calls)(HARDWARE.replace(stack_check="sequence")) == (0, 10, 20, 11)


def test_in_sequence_a_break_goes_behind_the_loop_and_ends_a_block_there():
    words = [word("ifu", dst=4, num=2), word("for", dst=3), word("break"), NOP, END, NOP, END]
    sequence = HARDWARE.replace(stack_check="sequence")
    assert path(words)(HARDWARE) == (0, 1, 2, 4)
    assert path(words)(sequence) == (0, 1, 2, 6)


NESTED_ENDS = HARDWARE.replace(stack_check="nested")


@pytest.mark.parametrize(
    ("words", "hardware", "nested"),
    [
        # Two loops that end at word 3: the outer one's end is found once, when the inner one is over.
        ([word("for", dst=2), word("for", dst=2, reg=1), NOP, END], (0, 1, 2, 2, 3), (0, 1, 2, 2, 1, 2, 2, 3)),
        # A call as the last word of an IF part, and an IF as that of the procedure.
        (
            [word("ifu", dst=2, num=1), word("call", dst=4, num=2), NOP, END, word("ifu", dst=6), NOP],
            (0, 1, 3),
            (0, 1, 4, 5, 3),
        ),
        # A procedure that begins where a block of its caller ends.
        (
            [word("call", dst=2, num=3), END, word("ifu", dst=5), NOP, word("call", dst=5, num=1), NOP, END],
            (0, 2, 3, 4, 5, 1),
            (0, 2, 3, 4, 5, 1),
        ),
        # A break leaves an IF, whose end would otherwise hide that of the IF around the loop.
        (
            [word("ifu", dst=7, num=1), word("for", dst=5), word("ifu", dst=5), word("break"), NOP, NOP, NOP, NOP, END],
            (0, 1, 2, 3, 6, 7, 8),
            (0, 1, 2, 3, 6, 8),
        ),
        # The same, where the IF part ends with the loop: it is left too, and not its ELSE part entered.
        (
            [word("ifu", dst=5, num=1), word("for", dst=4), word("ifu", dst=4), word("break"), NOP, NOP, END],
            (0, 1, 2, 3, 5, 6),
            (0, 1, 2, 3, 6),
        ),
        # A jump to the end of an IF part reaches the ELSE part.
        ([word("ifu", dst=2, num=1), word("jmpu", dst=2), NOP, END], (0, 1, 3), (0, 1, 2, 3)),
    ],
)
def test_where_blocks_of_the_source_end(words: list[int], hardware: tuple[object, ...], nested: tuple[object, ...]):
    assert path(words, i0=(1, 0, 0, 0), i1=(1, 0, 0, 0))(HARDWARE) == hardware
    assert path(words, i0=(1, 0, 0, 0), i1=(1, 0, 0, 0))(NESTED_ENDS) == nested


def test_kept_registers_come_from_the_machine_that_is_given():
    from lanewise.pica200.engine.reference import Reference

    words = [
        word("mov", dst=1, src1=1),
        word("mova", src1=1),
        word("cmp"),
        word("for", dst=4),
        word("mov", dst=R + 1, src1=1),
        END,
    ]
    integers = [(0, 7, 0, 0)] + [ZEROS] * 3
    for name, keeps in (("hardware", False), ("azahar", True)):
        reference = Reference(words, (PLAIN,), 0, profile=profiles[name])
        two = np.float32(2.0).view(np.uint32).item() if keeps else f(2.0)
        before = reference.start({1: splat(two)}, [ZEROS] * 96, integers, [False] * 16)
        before.run()
        machine = reference.start({}, [ZEROS] * 96, integers, [False] * 16, before)
        registers = machine.registers
        assert registers.readable[R + 1] == (splat(two) if keeps else ZEROS)
        assert registers.outputs[1] == (splat(two) if keeps else ZEROS)
        assert registers.cmp == (keeps, keeps)
        assert registers.a0 == ((2, 2) if keeps else (0, 0))
        assert registers.loops == ((7 if keeps else 0), (), ())
        assert registers.written == [0] * 16
        assert registers.readable[1] == ZEROS


# Names and values


def test_replace_and_set():
    assert HARDWARE.replace(rounding="nearest", al_width="s8").differences() == {"rounding": "nearest", "al_width": "s8"}
    assert HARDWARE.set(" rounding = nearest ") == HARDWARE.replace(rounding="nearest")
    assert HARDWARE.set("max_zero_neg_inf=-inf").max_zero_neg_inf == "-inf"
    assert hash(HARDWARE.set("rounding=zero")) == hash(HARDWARE)


def test_profiles_say_what_they_are():
    assert HARDWARE.describe() == "hardware"
    assert profiles["azahar"].set("rounding=nearest").describe() == "azahar, rounding=nearest"
    assert HARDWARE.set("al_last=none").describe() == "hardware, al_last=none"


def test_a_profile_is_found_by_name():
    assert find_profile("azahar") is profiles["azahar"]
    assert find_profile(None) is HARDWARE
    mine = HARDWARE.replace(al_width="s8")
    assert find_profile(mine) is mine


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("roundng=zero", "unknown profile field 'roundng': did you mean rounding?"),
        ("qqqq=1", "unknown profile field 'qqqq': lanewise isa pica200 --evidence lists them"),
        ("rounding=up", "rounding cannot be 'up': use zero, nearest or float32"),
        ("rounding=", "rounding cannot be '': use zero, nearest or float32"),
        ("emit_slots=5", "emit_slots cannot be '5': use 4 or 3"),
        ("rounding", "a setting is FIELD=VALUE, such as rounding=nearest, not 'rounding'"),
    ],
)
def test_settings_that_do_not_exist(setting: str, message: str):
    with pytest.raises(ValueError) as wrong:
        HARDWARE.set(setting)
    assert str(wrong.value) == message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("azhar", "unknown profile 'azhar': did you mean azahar?"),
        ("citra-emu", "unknown profile 'citra-emu': use azahar, the profile of its successor Azahar"),
        ("citra", "unknown profile 'citra': use azahar, the profile of its successor Azahar"),
        ("qqqq", "unknown profile 'qqqq': use hardware, azahar, panda3ds"),
        (
            {"rounding": "zero"},
            "a profile is not a dict: use `lanewise.pica200.profiles['hardware'].replace(rounding='zero')`",
        ),
    ],
)
def test_profiles_that_do_not_exist(name: str, message: str):
    with pytest.raises(ValueError) as wrong:
        SHADER.run({"given": 1.0}, profile=name)
    assert str(wrong.value) == message


# Numbers in and out


def test_float32_goes_in_and_out_exactly():
    value = np.array([[1.0 + 2.0**-23, 1e-40, np.inf, -0.0]], np.float32)
    done = SHADER.run({"given": value}, profile="azahar")
    assert done.bits["position"].tolist() == value.view(np.uint32).tolist()
    assert done.outputs["position"].tobytes() == value.tobytes()
    assert done.profile is profiles["azahar"]


def test_constants_and_words_become_float32():
    text = ".constf k(0.5, -2.25, 0.0, 1.0)\n.out pos position\n.in given\n.proc main\nadd pos, k, given\nend\n.end\n"
    done = lw.assemble(text).vertex.run({"given": lw.Words([ONE, ONE, 0x7F1234, SIGN])}, profile="panda3ds")
    assert done.outputs["position"][0, :2].tolist() == [1.5, -1.25]
    assert done.bits["position"][0, 2] == 0x7FC91A00 | 1 << 22


def test_missing_components_are_the_same_in_float32():
    assert SHADER.run({"given": [[2.0]]}, profile="azahar").outputs["position"].tolist() == [[2.0, 0.0, 0.0, 1.0]]
