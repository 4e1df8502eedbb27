"""The graph of flow: each quirk of the rings on the smallest program, the interpreter's paths, what holds for any words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import name_of, needs_shared, rows
from effort import examples, sample
from engines.shaders import PLAIN, ZEROS, program, vector, word
from lanewise.graph.flow import Branch, BudgetExceeded, Goto
from lanewise.pica200.api.file import read_file
from lanewise.pica200.engine.random_programs import case
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.ir.graph import Block, Graph, reached, unfold
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.flow import Boolean, CallSlot, ControlState, CounterIsZero, End, Hang, IfSlot, LoopSlot
from lanewise.pica200.sem.profile import HARDWARE
from together import together

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engines.shaders import Words
    from lanewise.pica200.ir.graph import Edge
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.profile import Profile

X_SET = {"condop": 2, "refx": 1}
X_CLEAR = {"condop": 2, "refx": 0}
NONE, ALL = (), tuple(range(16))


def graph_of(words: Sequence[int], entry: int = 0, *, limit: int = 20_000, booleans: Mapping[int, bool] | None = None) -> Graph:
    graph = unfold([decode(value) for value in words], entry, limit=limit, booleans=booleans)
    assert isinstance(graph, Graph), graph
    return graph


def shown(graph: Graph) -> str:
    """A part for each block: its words, and where each way leads (T yes, F no; `end`, or a hang's code)."""
    lines: list[str] = []
    for block, leaving in zip(graph.blocks, graph.edges, strict=True):
        first, last = block.state.pc, block.state.pc + block.size - 1
        words = "-" if not block.size else f"{first}" if first == last else f"{first}-{last}"
        lines.append(f"{words}: " + " ".join(arrow(edge) for edge in leaving))
    return " / ".join(lines)


def arrow(edge: Edge) -> str:
    answers = "".join("T" if answer else "F" for _, answer in edge.answers)
    match edge.target:
        case int(number):
            return f"{answers}>{number}"
        case Hang(code):
            return f"{answers}!{code}"
        case End():
            return f"{answers}end"


def in_step(
    words: Sequence[int],
    graph: Graph,
    booleans: Sequence[int],
    integers: Mapping[int, Words],
    descriptors: Sequence[int] = (PLAIN,),
    inputs: Mapping[int, Words] | None = None,
    profile: Profile = HARDWARE,
) -> str:
    """Run a program beside its graph: they agree at each step. How the run stopped."""
    engine = Reference(words, descriptors, graph.entry.state.pc, budget=150, profile=profile)
    flags = [number in booleans for number in range(16)]
    loops = [integers.get(number, ZEROS) for number in range(4)]
    machine = engine.start(inputs or {}, [vector(0.5, -2.0, 3.0, 1.0)] * 96, loops, flags)
    m = engine.algebra
    block, values = graph.entry, machine.registers.loops
    while True:
        for address in block.addresses or (block.state.pc,):
            assert not machine.finished
            assert machine.state == block.state._replace(pc=address)
            assert machine.registers.loops == values
            machine.step()
            if machine.fault and machine.fault.code in ("R001", "R010", "R005"):  # it goes on; a descriptor: no matters of flow
                return machine.fault.code
        way = block.terminator
        while isinstance(way, Branch):
            values = flow.perform(m, way.actions, values, loops, profile)
            way = way.yes if flow.answer(m, way.question, machine.registers.cmp, flags, values) else way.no
        match way:
            case Goto(target, actions):
                values = flow.perform(m, actions, values, loops, profile)
                block = graph.blocks[target]
            case End():
                assert machine.finished and machine.fault is None
                return "end"
            case Hang(code):
                assert machine.fault is not None
                assert (machine.fault.code, machine.fault.pc) == (code, block.last)
                return code


NINE_IFS = program(29, {k: word("ifu", dst=26 - 2 * k, num=1, reg=k) for k in range(9)})
FIVE_LOOPS = program(11, {n: word("for", dst=9 - n, reg=n % 4) for n in range(5)})
FOUR_CALLS = program(
    50,
    {
        0: word("call", dst=10, num=1),
        10: word("call", dst=20, num=1),
        20: word("call", dst=30, num=1),
        30: word("call", dst=40, num=1),
        1: word("end"),
        11: word("end"),
    },
)
FIVE_CALLS = program(60, {10 * n: word("call", dst=10 * n + 10, num=2) for n in range(5)} | {12: word("end")})

# name: words, what `shown` gives
PROGRAMS: dict[str, tuple[list[int], str]] = {
    "straight": (program(3, {}), "0-2: end"),
    "call": (program(13, {0: word("call", dst=10, num=2), 1: word("end")}), "0: >1 / 10-11: >2 / 1: end"),
    "three tail calls": (
        program(
            40,
            {
                0: word("call", dst=10, num=1),
                10: word("call", dst=20, num=1),
                20: word("call", dst=30, num=1),
                1: word("end"),
            },
        ),
        "0: >1 / 10: >2 / 20: >3 / 30: >4 / 1: end",
    ),
    # the fourth pop comes too late to lead to word 1
    "four CALL pops": (FOUR_CALLS, "0: >1 / 10: >2 / 20: >3 / 30: >4 / 40: >5 / 11: end"),
    # the way back to word 1 is forgotten
    "CALL ring overflow": (
        FIVE_CALLS,
        "0: >1 / 10: >2 / 20: >3 / 30: >4 / 40: >5 / 50-51: >6 / 41: >7 / 31: >8 / 21: >9 / 11-12: end",
    ),
    "empty procedure": (program(12, {0: word("call", dst=10, num=0), 1: word("end")}), "0: >1 / 10-11: end"),
    "if and else": (program(6, {0: word("ifu", dst=3, num=2)}), "0: T>1 F>2 / 1-2: >3 / 3-4: >3 / 5: end"),
    "two ifs that end at one address": (
        program(7, {0: word("ifu", dst=3, num=1), 1: word("ifu", dst=3, num=2)}),
        "0: T>1 F>5 / 1: T>2 F>3 / 2: >4 / 3-4: >4 / 5-6: end / 3-6: end",
    ),
    "empty true branch": (program(5, {0: word("ifu", dst=1, num=2)}), "0: T>2 F>1 / 1-2: >2 / 3-4: end"),
    "jump at the end of a branch": (
        program(9, {0: word("ifu", dst=2, num=1), 1: word("jmpu", dst=7)}),
        "0: T>1 F>2 / 1: T>3 F>3 / 2: >3 / 3-8: end",
    ),
    "jump at the end of a procedure": (
        program(9, {0: word("call", dst=4, num=1), 4: word("jmpu", dst=7), 1: word("end")}),
        "0: >1 / 4: T>2 F>2 / 1: end",
    ),
    "jump at the end of a loop": (
        program(9, {0: word("for", dst=2), 2: word("jmpu", dst=7)}),
        "0: >1 / 1-2: TT>2 TF>1 FT>2 FF>1 / 3-8: end",
    ),
    "loop": (program(5, {0: word("for", dst=2)}), "0: >1 / 1-2: T>2 F>1 / 3-4: end"),
    "two loops that end at one address": (
        program(4, {0: word("for", dst=2), 1: word("for", dst=2, reg=1)}),
        "0: >1 / 1: >2 / 2: T>3 F>2 / 3: end",
    ),
    "LOOP ring overflow": (
        FIVE_LOOPS,
        (
            "0: >1 / 1: >2 / 2: >3 / 3: >4 / 4: >5 / 5: T>6 F>5 / 6: T>7 F>12 / 7: T>8 F>11 / 8: T>9 F>10 / 9-10: end / 2: "
            ">11 / 3: >12 / 4: >5"
        ),
    ),
    "empty loop": (program(3, {0: word("for", dst=0)}), "0: T>1 F>2 / 1-2: end / 1-2: end"),
    "IF as the last word of a loop": (
        program(5, {0: word("for", dst=2), 2: word("ifu", dst=3, num=1)}),
        "0: >1 / 1-2: TT>2 TF>1 FT>2 FF>1 / 3-4: end",
    ),
    "IFC as the last word of a loop": (
        program(5, {0: word("for", dst=2), 2: word("ifc", dst=3, num=1, **X_CLEAR)}),
        "0: >1 / 1-2: TT>2 TF>1 FT>2 FF>1 / 3-4: end",
    ),
    "BREAKC as the last word": (
        program(5, {0: word("for", dst=2), 2: word("breakc", **X_CLEAR)}),
        "0: >1 / 1-2: T>2 FT>2 FF>1 / 3-4: end",
    ),
    "BREAKC as the last word of two loops": (
        program(4, {0: word("for", dst=2), 1: word("for", dst=2, reg=1), 2: word("breakc", **X_CLEAR)}),
        "0: >1 / 1: >2 / 2: T>3 FT>3 FF>2 / 3: end",
    ),
    "BREAK in an IF": (
        program(8, {0: word("for", dst=4), 1: word("ifu", dst=4, num=2), 2: word("break")}),
        "0: >1 / 1: T>2 F>4 / 2: >3 / 5-7: end / 4: T>5 F>1 / 5-7: end",
    ),
    "BREAK without a loop": (program(3, {1: word("break")}), "0-1: !R002"),
    "BREAKC without a loop": (program(3, {1: word("breakc", **X_SET)}), "0-1: T!R002 F>1 / 2: end"),
    "past the end": ([word("nop"), word("nop")], "0-1: >1 / -: !R003"),
    "far past the end": ([word("jmpu", dst=4000), word("end")], "0: T>1 F>2 / -: !R003 / 1: end"),
    "nothing at all": ([], "-: !R003"),
    "unknown word": ([word("nop"), 0x40000000, word("end")], "0-1: !R004"),
    "for ever": ([word("nop"), word("jmpu", dst=0), word("jmpu", dst=0, num=1)], "0-1: T>0 F>1 / 2: T>2 F>0 / -: !R003"),
    "END in blocks": (
        [word("for", dst=3), word("ifu", dst=3, num=0), word("call", dst=3, num=2), word("end")],
        "0: >1 / 1: T>2 F>4 / 2: >3 / 3: end / 3: end",
    ),
}


@together("name", PROGRAMS)
def test_the_blocks_of_small_programs(name: str):
    words, expected = PROGRAMS[name]
    assert shown(graph_of(words)) == expected


SETTINGS: list[tuple[tuple[int, ...], dict[int, Words]]] = [
    (NONE, {}),
    (ALL, {}),
    (NONE, {0: (2, 5, 3, 0), 1: (1, 7, 200, 0), 2: (0, 1, 1, 0), 3: (3, 0, 255, 0)}),
    (ALL, {0: (1, 250, 3, 0), 1: (2, 7, 1, 0), 2: (1, 9, 0, 0), 3: (0, 0, 1, 0)}),
    ((0, 2, 5, 7, 11), {0: (3, 0, 1, 0), 1: (1, 0, 1, 0), 2: (2, 0, 1, 0), 3: (1, 1, 1, 0)}),
]


@together("name", PROGRAMS)
def test_the_interpreter_walks_small_programs_through_their_graph(name: str):
    words = PROGRAMS[name][0]
    graph = graph_of(words)
    for booleans, integers in SETTINGS:
        in_step(words, graph, booleans, integers)


def test_a_ninth_if_drops_the_oldest():
    graph = graph_of(NINE_IFS)
    deepest = next(block for block in graph.blocks if block.state.pc == 9)
    assert deepest.state.ifs == tuple(IfSlot(26 - 2 * k, 27 - 2 * k) for k in range(1, 9))
    assert in_step(NINE_IFS, graph, ALL, {}) == "end"
    # Word 25 is the last of the outermost body: it goes on at 27, but at 26 where the outermost slot is forgotten.
    assert graph.following(25) == (26, 27)


def test_true_branches_that_never_end_pile_up_to_the_depth_of_the_ring():
    graph = graph_of(program(9, {0: word("for", dst=2), 2: word("ifu", dst=7, num=1, reg=1)}))
    assert [len(graph.blocks[number].state.ifs) for number in graph.at[1]] == list(range(9))


def test_shapes_and_actions():
    graph = graph_of(
        program(7, {0: word("for", dst=4, reg=2), 1: word("for", dst=3, reg=1), 2: word("callu", dst=5, num=1, reg=9)})
    )
    outer, inner = LoopSlot(5, 1, 2), LoopSlot(4, 2, 1)
    assert graph.entry == Block(0, ControlState(0), 1, Goto(1, (flow.Push(0, 2), flow.StartAl(2))))
    assert graph.blocks[1] == Block(1, ControlState(1, loops=(outer,)), 1, Goto(2, (flow.Push(1, 1), flow.StartAl(1))))
    assert graph.blocks[2] == Block(2, ControlState(2, loops=(outer, inner)), 1, Branch(Boolean(9), Goto(3), Goto(4)))
    assert graph.blocks[3] == Block(3, ControlState(5, (CallSlot(6, 3),), (), (outer, inner)), 1, Goto(4))
    leave, again = graph.edges[4]
    assert leave == (4, 5, ((CounterIsZero(1), True),), (flow.StepAl(1), flow.RestoreAl(1), flow.Pop(1)))
    assert again == (4, 2, ((CounterIsZero(1), False),), (flow.StepAl(1), flow.CountDown(1)))
    assert (leave.back, again.back) == (False, True)


def test_actions_before_a_question_are_on_both_ways():
    graph = graph_of(PROGRAMS["empty loop"][0])
    way = graph.entry.terminator
    assert isinstance(way, Branch)
    start = (flow.Push(0, 0), flow.StartAl(0))
    assert way.actions == start
    assert [edge.actions[:2] for edge in graph.edges[0]] == [start, start]


BRANCHES = program(8, {0: word("ifu", dst=3, num=2), 5: word("jmpu", dst=0, reg=1)})  # 0 (1-2 | 3-4) 5, and from 5 back to 0


def test_successors_predecessors_and_addresses():
    graph = graph_of(BRANCHES)
    assert shown(graph) == "0: T>1 F>2 / 1-2: >3 / 3-4: >3 / 5: T>0 F>4 / 6-7: end"
    assert graph.successors == ((1, 2), (3,), (3,), (0, 4), ())
    assert graph.predecessors == ((3,), (0,), (0,), (1, 2), (3,))
    assert graph.at == {0: (0,), 1: (1,), 2: (1,), 3: (2,), 4: (2,), 5: (3,), 6: (4,), 7: (4,)}
    assert [graph.following(address) for address in range(9)] == [(1, 3), (2,), (5,), (4,), (5,), (0, 6), (7,), (), ()]


def test_following_sees_all_callers_and_the_end_of_the_words():
    words = [word("call", dst=3, num=1), word("call", dst=3, num=1), word("jmpu", dst=4), word("nop")]
    graph = graph_of(words)
    assert len(graph.at[3]) == 3
    assert graph.following(3) == (1, 2, 4)


def test_walk():
    graph = graph_of(BRANCHES)
    assert [edge.target for edge in graph.walk([True, True, False, False])] == [1, 3, 0, 2, 3, 4, End()]
    assert [edge.target for edge in graph.walk([True])] == [1, 3]
    assert next(graph.walk([False])).answers == ((Boolean(0), False),)
    endless = graph_of([word("jmpu", dst=0), word("end")]).walk(iter(lambda: True, False))
    assert [next(endless).target for _ in range(5)] == [0] * 5


def test_walk_gives_passages():
    for words, _ in PROGRAMS.values():
        graph = graph_of(words)
        for answers in ([True] * 30, [False] * 30, [True, False] * 15):
            for edge, _ in zip(graph.walk(answers), range(60), strict=False):
                assert edge in graph.edges[edge.source]


def test_known_booleans_rule_branches_out():
    assert shown(graph_of(BRANCHES, booleans={1: False})) == "0: T>1 F>2 / 1-2: >3 / 3-4: >3 / 5-7: end"
    assert shown(graph_of(BRANCHES, booleans={0: True, 1: False})) == "0: >1 / 1-2: >2 / 5-7: end"
    assert shown(graph_of(BRANCHES, booleans={0: False, 1: True})) == "0: >1 / 3-5: >0"
    assert shown(graph_of(BRANCHES, booleans={2: True})) == shown(graph_of(BRANCHES))


def test_an_action_before_a_question_that_is_ruled_out_is_kept(monkeypatch: pytest.MonkeyPatch):
    """No instruction of the table asks a boolean after an action: the rule of flow is another one here."""

    def step(state: ControlState, *_: object) -> flow.Tree:
        second = flow.Ask(Boolean(4), End(), Hang("R002"))
        ask = flow.Ask(Boolean(3), flow.Edge(ControlState(1), (flow.StepAl(1),)), second, (flow.StartAl(0),))
        return ask if state.pc == 0 else End()

    monkeypatch.setattr(flow, "step", step)
    words = [word("nop")] * 2
    yes, no = graph_of(words, booleans={3: True}), graph_of(words, booleans={3: False})
    assert yes.entry.terminator == Goto(1, (flow.StartAl(0), flow.StepAl(1)))
    assert no.entry.terminator == Branch(Boolean(4), End(), Hang("R002"), (flow.StartAl(0),))


def test_the_profile_says_how_flow_goes():
    """Each of these reads a quirk in another way: the graph follows, and the interpreter through it."""
    for name, rules in (
        ("four CALL pops", {"fourth_return": "kept"}),
        ("CALL ring overflow", {"stack_depth": "unlimited"}),
        ("jump at the end of a loop", {"jump_at_end": "taken"}),
        ("loop", {"loop_rounds": "x+2"}),
        ("BREAK without a loop", {"empty_break": "nothing"}),
        ("past the end", {"past_end": "wrap"}),
        ("past the end", {"past_end": "end"}),
        ("two ifs that end at one address", {"stack_check": "sequence"}),
        ("unknown word", {"unknown_words": "nothing"}),
    ):
        words, usual = PROGRAMS[name]
        profile = HARDWARE.replace(**rules)
        graph = unfold([decode(value) for value in words], 0, profile=profile)
        assert isinstance(graph, Graph)
        assert shown(graph) != usual or name == "loop"
        assert graph != graph_of(words)
        for booleans, integers in SETTINGS:
            in_step(words, graph, booleans, integers, profile=profile)


def test_it_gives_up_with_a_reason():
    insts = [decode(value) for value in PROGRAMS["LOOP ring overflow"][0]]
    states = sum(block.size for block in graph_of(PROGRAMS["LOOP ring overflow"][0]).blocks)
    assert isinstance(unfold(insts, 0, limit=states), Graph)
    exceeded = unfold(insts, 0, limit=states - 1)
    assert isinstance(exceeded, BudgetExceeded)
    assert exceeded.reason.startswith(f"the program has more than {states - 1} states of address and rings; word 0x")


@pytest.mark.parametrize("fields", [{"name": "call", "dst": 0, "num": 9}, {"name": "ifu", "dst": 5}, {"name": "for", "dst": 7}])
def test_it_gives_up_on_rings_that_grow_for_ever(fields: dict[str, Any]):
    words = [word(**fields), word("nop"), word("jmpu", dst=0)]
    profile = HARDWARE.replace(stack_depth="unlimited")
    exceeded = unfold([decode(value) for value in words], 0, profile=profile)
    assert isinstance(exceeded, BudgetExceeded)
    assert "a ring has more than 200 slots" in exceeded.reason
    assert isinstance(unfold([decode(value) for value in words], 0), Graph)


def test_an_entry_inside_or_outside():
    assert shown(graph_of(BRANCHES, 5)) == "5: T>1 F>4 / 0: T>2 F>3 / 1-2: >0 / 3-4: >0 / 6-7: end"
    assert shown(graph_of(BRANCHES, 4)) == "4: >1 / 5: T>2 F>5 / 0: T>3 F>4 / 1-2: >1 / 3: >0 / 6-7: end"
    assert shown(graph_of(BRANCHES, 100)) == "-: !R003"


# The corpus

CORPUS = [
    row
    for tool in ("picasso", "nihstro")
    for part in ("hand", "gen", "bad")
    for row in rows(tool, part)
    if row.data is not None
]
CORPUS_SETTINGS = [SETTINGS[0], SETTINGS[3], SETTINGS[4]]


@needs_shared
def test_the_interpreter_walks_the_programs_of_the_corpus_through_their_graphs():
    inputs = {n: vector(n - 3.5, 1.0, -0.25 * n, 2.0) for n in range(16)}
    too_large: set[str] = set()
    outcomes: dict[str, int] = {}
    seen: set[str] = set()
    chosen = sample(CORPUS, 50)
    for row in chosen:
        assert row.data is not None
        for shader in read_file(row.data, row.name).programs:
            insts = [decode(value) for value in shader.words]
            graph = unfold(insts, shader.interface.entry)
            if isinstance(graph, BudgetExceeded):
                too_large.add(name_of(row))
            for booleans, integers in CORPUS_SETTINGS:
                ways = [graph]
                if isinstance(graph, BudgetExceeded) or booleans == ALL:
                    ways.append(
                        unfold(insts, shader.interface.entry, booleans={n: n in booleans for n in range(16)}, limit=2000)
                    )
                for one in ways:
                    if isinstance(one, Graph):
                        outcome = in_step(shader.words, one, booleans, integers, descriptors=shader.descriptors, inputs=inputs)
                        outcomes[outcome] = outcomes.get(outcome, 0) + 1
            if isinstance(graph, Graph):
                actions = (action for leaving in graph.edges for edge in leaving for action in edge.actions)
                seen.update(type(action).__name__ for action in actions)
    assert too_large == {
        f"gen/{n}" for n in ("038", "046", "055", "064", "065", "131", "150", "170", "184", "210", "251", "273", "277", "278")
    } & {*map(name_of, chosen)}
    assert too_large
    assert seen == {"Push", "Pop", "StartAl", "StepAl", "RestoreAl", "CountDown", "DropOldest"}
    assert {"end", "R001", "R003"} <= outcomes.keys() <= {"end", "R001", "R002", "R003", "R010"}
    assert outcomes["end"] > 2 * len(chosen)


# Any words

targets = st.integers(0, 14)
nums = st.integers(0, 6)
flow_words = st.one_of(
    st.builds(word, st.sampled_from(["call", "ifu", "jmpu", "callu"]), dst=targets, num=nums),
    st.builds(
        word, st.sampled_from(["callc", "ifc", "jmpc"]), dst=targets, num=nums, condop=st.integers(0, 3), refx=st.integers(0, 1)
    ),
    st.builds(word, st.just("breakc"), condop=st.integers(0, 3), refx=st.integers(0, 1)),
    st.builds(word, st.just("for"), dst=targets, reg=st.integers(0, 3)),
    st.sampled_from([word("nop"), word("break"), word("end"), word("cmp"), word("mova")]),
)
images = st.lists(st.one_of(flow_words, flow_words, flow_words, st.integers(0, (1 << 32) - 1)), max_size=14)


@examples(150, 3000)
@given(images, st.integers(0, 15))
def test_any_words_give_a_graph_or_a_reason(words: list[int], entry: int):
    insts = [decode(value) for value in words]
    graph = unfold(insts, entry, limit=400)
    assert graph == unfold(insts, entry, limit=400)
    if isinstance(graph, BudgetExceeded):
        assert "more than 400" in graph.reason
        return
    states = [block.state._replace(pc=address) for block in graph.blocks for address in block.addresses or [block.state.pc]]
    assert len(states) == len(set(states)) <= 400
    assert set(states) == closure(insts, ControlState(entry))
    reached = {0}
    for number, leaving in enumerate(graph.edges):
        assert graph.blocks[number].number == number
        for edge in leaving:
            assert edge.source == number
            if isinstance(edge.target, int):
                reached.add(edge.target)
                if not edge.back:
                    assert edge.target > number
    assert reached == set(range(len(graph.blocks)))


@examples(48, 2000)
@given(images, st.integers(0, 15), st.sampled_from(SETTINGS))
def test_the_interpreter_walks_any_words_through_their_graph(
    words: list[int], entry: int, given_values: tuple[tuple[int, ...], dict[int, Words]]
):
    booleans, integers = given_values
    for known in (None, {number: number in booleans for number in range(16)}):
        graph = unfold([decode(value) for value in words], entry, limit=2000, booleans=known)
        if isinstance(graph, Graph):
            in_step(words, graph, booleans, integers)


def closure(insts: Sequence[Inst], start: ControlState) -> set[ControlState]:
    """Every state that can be reached, without a thought for blocks."""
    found, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        inst = insts[state.pc] if 0 <= state.pc < len(insts) else None
        for following in ends(flow.step(state, inst)):
            if following not in found:
                found.add(following)
                waiting.append(following)
    return found


def ends(tree: flow.Tree) -> Iterator[ControlState]:
    if isinstance(tree, flow.Edge):
        yield tree.state
    elif isinstance(tree, flow.Ask):
        yield from ends(tree.yes)
        yield from ends(tree.no)


def test_blocks_are_as_long_as_they_can_be():
    """A block ends only where a word asks, acts or jumps, where rings change, or where another way comes in."""
    for words, _ in PROGRAMS.values():
        graph = graph_of(words)
        for block in graph.blocks:
            way = block.terminator
            if isinstance(way, Goto) and not way.actions and block.size:
                target = graph.blocks[way.node]
                straight = target.state == block.state._replace(pc=block.last + 1) and target.size > 0
                entered = sum(edge.target == way.node for leaving in graph.edges for edge in leaving) + (way.node == 0)
                assert not straight or entered > 1


def test_graphs_of_one_program_share_what_follows_each_state(monkeypatch: pytest.MonkeyPatch):
    """Each state is stepped once, whatever booleans are known; the graphs are those that are built without the others."""
    words = [word("ifu", dst=3, num=1), *[word("nop")] * 4, word("jmpu", dst=8, reg=1), *[word("nop")] * 2, word("end")]
    insts = [decode(one) for one in words]
    settings: list[dict[int, bool]] = [{}, {0: False, 1: False}, {0: True, 1: False}, {0: False, 1: True}, {0: True, 1: True}]
    apart = [unfold(insts, 0, booleans=setting) for setting in settings]
    stepped: list[ControlState] = []

    def step(state: ControlState, *rest: Any, original: Any = flow.step) -> Any:
        stepped.append(state)
        return original(state, *rest)

    monkeypatch.setattr(flow, "step", step)
    steps: dict[ControlState, flow.Tree] = {}
    assert [unfold(insts, 0, booleans=setting, steps=steps) for setting in settings] == apart
    assert len(stepped) == len(set(stepped)) == len(steps)


def test_reached_words_are_those_of_the_graph():
    for number in range(40):
        one = case(5, number)
        insts = [decode(word) for word in flow.code_memory(one.words, one.profile, flow.memory_size(geometry=False))]
        for booleans in ({}, {0: False, 7: True}):
            graph = unfold(insts, 0, booleans=booleans, profile=one.profile)
            found = reached(insts, 0, booleans=booleans, profile=one.profile)
            assert found == (graph.at.keys() if isinstance(graph, Graph) else graph)
