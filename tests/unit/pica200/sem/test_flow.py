"""Control flow: the quirks of the three rings, each on the smallest program that shows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.shaders import finish, program, word
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.flow import Ask, CallSlot, ControlState, Edge, Hang, IfSlot, LoopSlot, step
from lanewise.pica200.sem.numbers import Float24
from together import together


def visits(path: list[int], address: int) -> int:
    return path.count(address)


def test_call_comes_back():
    path, machine = finish(program(13, {0: word("call", dst=10, num=2), 1: word("end")}))
    assert path == [0, 10, 11, 1]
    assert machine.state.calls == ()


def test_three_tail_calls_return_in_one_go():
    calls = {0: word("call", dst=10, num=1), 10: word("call", dst=20, num=1), 20: word("call", dst=30, num=1), 1: word("end")}
    path, machine = finish(program(40, calls))
    assert path == [0, 10, 20, 30, 1]
    assert machine.state.calls == ()


def test_the_fourth_call_pop_in_a_row_loses_its_address():
    calls = {
        0: word("call", dst=10, num=1),
        10: word("call", dst=20, num=1),
        20: word("call", dst=30, num=1),
        30: word("call", dst=40, num=1),
        1: word("end"),
        11: word("end"),
    }
    path, machine = finish(program(50, calls))
    assert path == [0, 10, 20, 30, 40, 11]  # word 1 would be right
    assert machine.state.calls == ()


def test_a_fifth_call_drops_the_oldest():
    calls = {10 * n: word("call", dst=10 * n + 10, num=2) for n in range(5)}
    path, machine = finish(program(60, calls | {12: word("end")}))
    assert path == [0, 10, 20, 30, 40, 50, 51, 41, 31, 21, 11, 12]  # from 11 it should go back to word 1
    assert machine.state.calls == ()


def test_four_calls_are_all_kept():
    calls = {10 * n: word("call", dst=10 * n + 10, num=2) for n in range(4)}
    path, _ = finish(program(60, calls | {1: word("end")}))
    assert path == [0, 10, 20, 30, 40, 41, 31, 21, 11, 1]


def test_a_call_that_ends_where_it_stands_does_not_jump():
    path, machine = finish(program(12, {0: word("call", dst=0, num=1), 1: word("end")}))
    assert path == [0, 1]
    assert machine.state.calls == ()


def test_an_empty_procedure_does_not_come_back():
    path, machine = finish(program(12, {0: word("call", dst=10, num=0), 1: word("end")}))
    assert path == [0, 10, 11]
    assert machine.state.calls == (CallSlot(10, 1),)


@pytest.mark.parametrize(("booleans", "expected"), [((3,), [0, 10, 11, 1]), ((), [0, 1])])
def test_callu(booleans: tuple[int, ...], expected: list[int]):
    path, _ = finish(program(13, {0: word("callu", dst=10, num=2, reg=3), 1: word("end")}), booleans=booleans)
    assert path == expected


@pytest.mark.parametrize(("booleans", "expected"), [((15,), [0, 1, 2, 5]), ((0,), [0, 3, 4, 5])])
def test_if_and_else(booleans: tuple[int, ...], expected: list[int]):
    path, machine = finish(program(6, {0: word("ifu", dst=3, num=2, reg=15)}), booleans=booleans)
    assert path == expected
    assert machine.state.ifs == ()


def nine_ifs() -> list[int]:
    """IFs 0-8, one in the other, the body word 9; IF k ends at 26 - 2k with an else part of one word there."""
    return program(29, {k: word("ifu", dst=26 - 2 * k, num=1) for k in range(9)})


def test_a_ninth_if_drops_the_oldest():
    path, machine = finish(nine_ifs())
    assert path == [*range(10), *range(11, 26, 2), 26, 27, 28]  # word 26 is the outermost else part
    assert machine.state.ifs == ()


def test_eight_ifs_are_all_kept():
    path, _ = finish(nine_ifs(), entry=1)
    assert path == [*range(1, 10), *range(11, 26, 2), 26, 27, 28]
    path, _ = finish(program(29, {k: word("ifu", dst=26 - 2 * k, num=1) for k in range(1, 9)} | {0: word("nop")}))
    assert visits(path, 24) == 0  # the outermost of eight


def test_two_ifs_that_end_at_one_address_pop_once():
    path, machine = finish(program(7, {0: word("ifu", dst=3, num=1), 1: word("ifu", dst=3, num=2)}))
    assert path == [0, 1, 2, 5, 6]
    assert machine.state.ifs == (IfSlot(3, 4),)


def test_an_empty_true_branch_is_skipped_at_once():
    path, machine = finish(program(5, {0: word("ifu", dst=1, num=2)}))
    assert path == [0, 3, 4]
    assert machine.state.ifs == ()


def test_an_if_that_is_false_at_the_end_of_a_branch_does_not_jump():
    # The inner IF is word 1, the last of the outer body; its own jump to 4 loses against the outer pop to 3.
    path, machine = finish(program(6, {0: word("ifu", dst=2, num=1), 1: word("ifu", dst=4, num=0, reg=1)}))
    assert path == [0, 1, 3, 4, 5]
    assert machine.state.ifs == ()


@pytest.mark.parametrize(
    ("num", "booleans", "expected"),
    [(0, (2,), [0, 4]), (0, (), [0, 1, 2, 3, 4]), (1, (2,), [0, 1, 2, 3, 4]), (1, (), [0, 4]), (0xFE, (2,), [0, 4])],
)
def test_jmpu_and_its_inversion(num: int, booleans: tuple[int, ...], expected: list[int]):
    path, _ = finish(program(5, {0: word("jmpu", dst=4, num=num, reg=2)}), booleans=booleans)
    assert path == expected


def test_a_jump_at_the_end_of_a_branch_is_not_taken():
    path, _ = finish(program(9, {0: word("ifu", dst=2, num=1), 1: word("jmpu", dst=7)}))
    assert path == [0, 1, 3, 4, 5, 6, 7, 8]


def test_a_jump_at_the_end_of_a_procedure_is_not_taken():
    path, _ = finish(program(9, {0: word("call", dst=4, num=1), 4: word("jmpu", dst=7), 1: word("end")}))
    assert path == [0, 4, 1]


def test_a_jump_at_the_end_of_a_loop_is_not_taken():
    path, _ = finish(program(9, {0: word("for", dst=2), 2: word("jmpu", dst=7)}), integers={0: (1, 0, 0, 0)})
    assert path == [0, 1, 2, 1, 2, 3, 4, 5, 6, 7, 8]


def test_a_jump_into_the_last_word_of_a_branch_pops_there():
    path, machine = finish(program(9, {0: word("ifu", dst=4, num=2), 1: word("jmpu", dst=3)}))
    assert path == [0, 1, 3, 6, 7, 8]
    assert machine.state.ifs == ()


@pytest.mark.parametrize("x", [0, 1, 5, 255])
def test_a_loop_runs_x_plus_one_times(x: int):
    path, machine = finish(program(5, {0: word("for", dst=2, reg=1)}), integers={1: (x, 7, 3, 0)}, budget=5000)
    assert path == [0, *[1, 2] * (x + 1), 3, 4]
    assert machine.registers.loops == (7 + 3 * (x + 1), (), ())  # aL keeps its value and is not cut to a byte


def test_loop_register_uses_two_bits():
    path, _ = finish(program(4, {0: word("for", dst=1, reg=6)}), integers={2: (2, 0, 0, 0)})
    assert visits(path, 1) == 3


def nested() -> list[int]:
    """i0 around i1: words 1 to 4 with the inner body at 3."""
    return program(6, {0: word("for", dst=4, reg=0), 2: word("for", dst=3, reg=1)})


def test_the_inner_loop_gives_al_back():
    path, machine = finish(nested(), integers={0: (1, 5, 2, 0), 1: (2, 10, 3, 0)})
    assert path == [0, *[1, 2, 3, 3, 3, 4] * 2, 5]
    assert machine.registers.loops.al == 9
    assert al_at(nested(), {0: (1, 5, 2, 0), 1: (2, 10, 3, 0)}) == [
        (0, 0),
        *[(1, 5), (2, 5), (3, 10), (3, 13), (3, 16), (4, 5)],
        *[(1, 7), (2, 7), (3, 10), (3, 13), (3, 16), (4, 7)],
        (5, 9),
    ]


def al_at(words: list[int], integers: dict[int, tuple[int, int, int, int]]) -> list[tuple[int, int]]:
    """(address, aL before it ran) of each step."""
    seen: list[tuple[int, int]] = []
    path, _ = finish(words, integers=integers)
    for length in range(len(path)):
        _, machine = finish(words, integers=integers, budget=length)
        seen.append((machine.state.pc, machine.registers.loops.al))
    return seen


def test_two_loops_that_end_at_one_address():
    # The inner loop's exit is the one pop of that step: the outer loop does not come round again.
    words = program(4, {0: word("for", dst=2, reg=0), 1: word("for", dst=2, reg=1)})
    path, machine = finish(words, integers={0: (3, 0, 0, 0), 1: (1, 0, 0, 0)})
    assert path == [0, 1, 2, 2, 3]
    assert machine.state.loops == (LoopSlot(3, 1, 0),)
    assert machine.registers.loops.counters == (3,)


def test_a_fifth_loop_drops_the_oldest_and_the_counters_move():
    words = program(11, {n: word("for", dst=9 - n, reg=n % 4) for n in range(5)})
    integers = {0: (3, 0, 0, 0), 1: (1, 0, 0, 0), 2: (0, 0, 0, 0), 3: (2, 0, 0, 0)}
    path, machine = finish(words, integers=integers)
    # Rounds of the loops 1 to 4: 2, 1, 3, 4; loop 0 (4 rounds) is forgotten.
    assert [visits(path, n) for n in (9, 8, 7, 6, 5)] == [1, 2, 2, 6, 24]
    assert machine.state.loops == ()
    assert machine.registers.loops.counters == machine.registers.loops.saved == ()


def test_four_loops_are_all_kept():
    words = program(9, {n: word("for", dst=7 - n, reg=n) for n in range(4)})
    path, _ = finish(words, integers={0: (1, 0, 0, 0), 1: (0, 0, 0, 0), 2: (2, 0, 0, 0), 3: (1, 0, 0, 0)})
    assert [visits(path, n) for n in (7, 6, 5, 4)] == [2, 2, 6, 12]


def test_an_empty_loop_with_a_count_stays_open():
    # DST is the loop itself: its end is checked on the spot, goes to the start, and is not met again.
    path, machine = finish(program(3, {0: word("for", dst=0)}), integers={0: (2, 4, 1, 0)})
    assert path == [0, 1, 2]
    assert machine.state.loops == (LoopSlot(1, 1, 0),)
    assert machine.registers.loops == (5, (1,), (0,))


def test_an_empty_loop_without_a_count_ends_on_the_spot():
    path, machine = finish(program(3, {0: word("for", dst=0)}), integers={0: (0, 4, 1, 0)})
    assert path == [0, 1, 2]
    assert machine.registers.loops == (5, (), ())


def test_an_if_at_the_end_of_a_loop_is_asked_and_its_jump_lost():
    words = program(9, {0: word("for", dst=2), 2: word("ifu", dst=7, num=1, reg=1)})
    path, machine = finish(words, integers={0: (1, 0, 0, 0)}, booleans=())
    assert path == [0, 1, 2, 1, 2, 3, 4, 5, 6, 7, 8]
    assert machine.state.ifs == ()
    path, machine = finish(words, integers={0: (1, 0, 0, 0)}, booleans=(1,))
    assert path == [0, 1, 2, 1, 2, 3, 4, 5, 6, 8]  # pushed twice, popped once
    assert machine.state.ifs == (IfSlot(7, 8),)


X_SET = {"condop": 2, "refx": 1}  # CMP's x flag is set; it never is in these programs
X_CLEAR = {"condop": 2, "refx": 0}


def test_break_leaves_the_loop_and_al_steps():
    path, machine = finish(program(5, {0: word("for", dst=3), 2: word("break")}), integers={0: (9, 4, 3, 0)})
    assert path == [0, 1, 2, 4]
    assert machine.registers.loops == (7, (), ())


def test_break_in_an_inner_loop_gives_al_back():
    words = program(7, {0: word("for", dst=5), 1: word("for", dst=4, reg=1), 3: word("break")})
    path, machine = finish(words, integers={0: (1, 20, 1, 0), 1: (9, 4, 3, 0)})
    assert path == [0, 1, 2, 3, 5, 1, 2, 3, 5, 6]
    assert machine.registers.loops == (22, (), ())


@pytest.mark.parametrize("name", ["break", "breakc"])
def test_break_without_a_loop_hangs(name: str):
    words = program(3, {1: word(name, **(X_CLEAR if name == "breakc" else {}))})
    path, machine = finish(words)
    assert path == [0, 1]
    assert machine.fault is not None
    assert machine.fault[:1] + machine.fault[2:] == ("R002", 1, 1)


def test_breakc_that_does_not_hold_goes_on_without_a_loop():
    path, machine = finish(program(3, {1: word("breakc", **X_SET)}))
    assert (path, machine.fault) == ([0, 1, 2], None)


def test_breakc_as_the_last_word_of_a_loop():
    holds = program(7, {0: word("for", dst=3), 1: word("for", dst=2, reg=1), 2: word("breakc", **X_CLEAR)})
    integers = {0: (1, 0, 0, 0), 1: (4, 0, 0, 0)}
    path, _ = finish(holds, integers=integers)
    assert path == [0, 1, 2, 3, 1, 2, 3, 4, 5, 6]
    fails = program(7, {0: word("for", dst=3), 1: word("for", dst=2, reg=1), 2: word("breakc", **X_SET)})
    path, _ = finish(fails, integers=integers)
    assert path == [0, *[1, 2, 2, 2, 2, 2, 3] * 2, 4, 5, 6]


def test_breakc_as_the_last_word_of_two_loops_pops_one():
    words = program(4, {0: word("for", dst=2), 1: word("for", dst=2, reg=1), 2: word("breakc", **X_CLEAR)})
    path, machine = finish(words, integers={0: (1, 0, 0, 0), 1: (4, 0, 0, 0)})
    assert path == [0, 1, 2, 3]
    assert machine.state.loops == (LoopSlot(3, 1, 0),)


def test_break_inside_an_if_leaves_its_slot_behind():
    words = program(8, {0: word("for", dst=4), 1: word("ifu", dst=4, num=2), 2: word("break")})
    path, machine = finish(words, integers={0: (3, 0, 0, 0)})
    assert path == [0, 1, 2, 5, 6, 7]
    assert machine.state.ifs == (IfSlot(4, 6),)


def test_break_lets_the_other_rings_pop_but_wins():
    words = program(9, {0: word("for", dst=4), 1: word("ifu", dst=3, num=4), 2: word("break")})
    path, machine = finish(words, integers={0: (3, 0, 0, 0)})
    assert path == [0, 1, 2, 5, 6, 7, 8]
    assert machine.state.ifs == ()


@pytest.mark.parametrize(
    ("loops", "ifs", "calls", "goal"),
    [
        ((LoopSlot(6, 2, 0),), (IfSlot(6, 30),), (CallSlot(6, 40),), 2),
        ((), (IfSlot(6, 30),), (CallSlot(6, 40),), 30),
        ((), (IfSlot(7, 30),), (CallSlot(6, 40),), 40),
        ((LoopSlot(7, 2, 0),), (IfSlot(7, 30),), (CallSlot(7, 40),), 50),
    ],
)
def test_loop_before_if_before_call_before_jump(
    loops: tuple[LoopSlot, ...], ifs: tuple[IfSlot, ...], calls: tuple[CallSlot, ...], goal: int
):
    state = ControlState(5, calls, ifs, loops)
    tree = step(state, decode(word("jmpu", dst=50)))
    assert isinstance(tree, Ask)
    taken = tree.yes
    if isinstance(taken, Ask):
        assert taken.question == flow.CounterIsZero(0)
        exit_edge = taken.yes
        assert isinstance(exit_edge, Edge)
        assert (exit_edge.state.pc, exit_edge.state.loops) == (6, ())  # LOOP's word counts on exit too
        assert (exit_edge.state.ifs, exit_edge.state.calls) == ((), ())
        taken = taken.no
    assert isinstance(taken, Edge)
    assert taken.state.pc == goal
    # Every ring whose top ends here has popped, the winner or not.
    assert taken.state.ifs == tuple(s for s in ifs if s.end != 6)
    assert taken.state.calls == tuple(s for s in calls if s.end != 6)


def test_end_ends_inside_blocks():
    words = [word("for", dst=3), word("ifu", dst=3, num=0), word("call", dst=3, num=2), word("end")]
    path, machine = finish(words, integers={0: (3, 0, 0, 0)})
    assert (path, machine.fault) == ([0, 1, 2, 3], None)


def test_no_word_and_unknown_words_stop():
    assert step(ControlState(3), None) == Hang("R003")
    assert step(ControlState(0), decode(0x10 << 26)) == Hang("R004")


def test_geometry_words_only_go_on():
    for name in ("emit", "setemit", "nop", "add"):
        assert step(ControlState(4), decode(word(name))) == Edge(ControlState(5))


slots = st.integers(0, 12)
states = st.builds(
    ControlState,
    slots,
    st.lists(st.builds(CallSlot, slots, slots), max_size=4).map(tuple),
    st.lists(st.builds(IfSlot, slots, slots), max_size=8).map(tuple),
    st.lists(st.builds(LoopSlot, slots, slots, st.integers(0, 3)), max_size=4).map(tuple),
)


@given(states, st.integers(0x20, 0x2D), st.integers(0, (1 << 26) - 1))
def test_the_tree_is_sound(state: ControlState, opcode: int, rest: int):
    """Rings never outgrow their depth, and on every path the numbers fit the ring that the path leads to."""
    m = Float24()
    integers = [(2, 3, 4, 5)] * 4

    def walk(tree: flow.Tree, values: flow.LoopValues[int]):
        if isinstance(tree, Edge):
            values = flow.perform(m, tree.actions, values, integers)
            assert len(tree.state.calls) <= 4
            assert len(tree.state.ifs) <= 8
            assert len(tree.state.loops) == len(values.counters) == len(values.saved) <= 4
        elif isinstance(tree, Ask):
            values = flow.perform(m, tree.actions, values, integers)
            flow.answer(m, tree.question, (True, False), [False] * 16, values)
            walk(tree.yes, values)
            walk(tree.no, values)

    count = len(state.loops)
    inst = decode(opcode << 26 | rest)
    tree = step(state, inst)
    walk(tree, flow.LoopValues(0, (0,) * count, (0,) * count))
    assert step(state, inst) == tree


@together("combine", range(4))
@together("references", range(4))
@together("flags", range(4))
def test_conditions(combine: int, references: int, flags: int):
    refx, refy, x, y = references >> 1, references & 1, flags >> 1, flags & 1
    expected = [x == refx or y == refy, x == refx and y == refy, x == refx, y == refy][combine]
    question = flow.Flags(combine, refx, refy)
    assert flow.answer(Float24(), question, (bool(x), bool(y)), [], flow.LoopValues(0)) is expected
    tree = step(ControlState(0), decode(word("jmpc", dst=9, condop=combine, refx=refx, refy=refy)))
    assert tree == Ask(question, Edge(ControlState(9)), Edge(ControlState(1)))
