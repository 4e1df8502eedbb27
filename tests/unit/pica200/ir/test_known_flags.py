"""Graphs in which known flags are not asked for again."""

from __future__ import annotations

import random
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from effort import examples
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.ir.graph import Graph, unfold
from lanewise.pica200.ir.known_flags import X, Y, satisfying, with_known_flags
from lanewise.pica200.isa.codec import decode, encode
from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.sem.flow import End, Flags, LoopValues, answer
from lanewise.pica200.sem.numbers import Float24
from together import together


def graphs(body: str) -> tuple[Graph, Graph]:
    made = assemble_sources([("x.pica", f".in p\n.ivec n\n.bool b\n.proc main\n{body}\n\tend\n.end\n")])
    assert made.data is not None, made.diagnostics
    insts = [decode(word) for word in made.encoded.words]
    graph = unfold(insts, 0)
    assert isinstance(graph, Graph)
    return graph, with_known_flags(graph, lambda pc: X | Y if insts[pc].op.base in ("cmp", "litp") else 0)


def paths(graph: Graph, most: int = 12) -> set[tuple[int, ...]]:
    """The words run on every way to END that has at most so many blocks."""
    found: set[tuple[int, ...]] = set()
    waiting: list[tuple[int, tuple[int, ...], int]] = [(0, (), 0)]
    while waiting:
        number, before, count = waiting.pop()
        words = (*before, *graph.blocks[number].addresses)
        for edge in graph.edges[number]:
            if edge.target == End():
                found.add(words)
            elif isinstance(edge.target, int) and count < most:
                waiting.append((edge.target, words, count + 1))
    return found


TWICE = "\tcmp p, lt, lt, p\n\tifc cmp.x\n\t\tnop\n\t.end\n\tnop\n\tifc {}cmp.x\n\t\tnop\n\t.end\n"


def test_one_condition_has_two_outcomes():
    plain, known = graphs(TWICE.format(""))
    assert len(paths(plain)) == 4
    assert len(paths(known)) == 2
    assert paths(known) < paths(plain)
    _, other = graphs(TWICE.format("!"))
    assert len(paths(other)) == 2
    assert {len(words) for words in paths(known)} == {5, 7}
    assert {len(words) for words in paths(other)} == {6}


def test_a_flag_that_is_written_again_is_asked_again():
    plain, known = graphs(TWICE.format("").replace("\tnop\n\tifc", "\tcmp p, lt, lt, p\n\tifc"))
    assert paths(plain) == paths(known)


def test_loops_calls_and_booleans_stay():
    body = (
        "\tcmp p, lt, lt, p\n\tfor n\n\t\tifu b\n\t\t\tnop\n\t\t.end\n\t\tbreakc cmp.x && !cmp.y\n\t\tnop\n\t.end\n"
        "\tjmpc cmp.x && !cmp.y, out\n\tnop\nout:\n\tnop"
    )
    plain, known = graphs(body)
    assert paths(known) < paths(plain)

    def broken_then_no_jump(words: tuple[int, ...]) -> bool:
        return (4, 6, 7) in zip(words, words[1:], words[2:], strict=False)

    assert any(map(broken_then_no_jump, paths(plain)))
    assert not any(map(broken_then_no_jump, paths(known)))
    for block in known.blocks:
        for target in known.successors[block.number]:
            assert 0 <= target < len(known.blocks)


@together(("combine", "x", "y"), list(product(range(4), (0, 1), (0, 1))))
def test_what_an_answer_says(combine: int, x: int, y: int):
    """Against what the flow itself answers."""
    question = Flags(combine, x, y)
    for one, other in product((False, True), repeat=2):
        holds = answer(Float24(), question, (one, other), (), LoopValues(0))
        assert bool(satisfying(question) >> 2 * one + other & 1) is holds


def test_a_condition_and_its_opposite():
    """`x && y` and `!x || !y`: one of them holds, which no single flag says."""
    body = "\tcmp p, lt, lt, p\n\tifc cmp.x && cmp.y\n\t\tnop\n\t.end\n\tnop\n\tifc !cmp.x || !cmp.y\n\t\tnop\n\t.end\n"
    plain, known = graphs(body)
    assert len(paths(plain)) == 4
    assert {len(words) for words in paths(known)} == {6}


@examples(24, 400)
@given(st.integers(0, 2**32))
def test_the_interpreter_goes_on_a_way_that_is_left(seed: int):
    """Random programs of comparisons and conditions: the words that the reference runs are a way through the graph with known
    flags."""
    rng = random.Random(seed)
    size = rng.randrange(3, 14)
    words = [_word(rng, size) for _ in range(size)]
    insts = [decode(word) for word in words]
    graph = unfold(insts, 0)
    if not isinstance(graph, Graph):
        return
    known = with_known_flags(graph, lambda pc: X | Y if insts[pc].op.base == "cmp" else 0)
    program = Reference(words, [0x0006CB6F], 0, budget=60)
    values = [rng.choice((0, 0x3F0000, 0xBF0000)) for _ in range(16)]
    vectors = {n: (value, value, value, value) for n, value in enumerate(values)}
    machine = program.start(
        vectors, [(0, 0, 0, 0)] * 96, [(rng.randrange(3), 0, 0, 0)] * 4, [rng.random() < 0.5 for _ in range(16)]
    )
    places = {(0, 0)}  # (block, word within it) where the program may be
    while not machine.finished:
        pc = machine.step().pc
        places = {(n, at) for n, at in places if known.blocks[n].state.pc + at == pc and at < max(known.blocks[n].size, 1)}
        assert places, f"word {pc:#x} cannot be run here"
        following: set[tuple[int, int]] = set()
        for n, at in places:
            if at + 1 < known.blocks[n].size:
                following.add((n, at + 1))
            else:
                following |= {(target, 0) for target in known.successors[n]}
        places = following


def _word(rng: random.Random, size: int) -> int:
    name = rng.choice(["cmp", "cmp", "ifc", "jmpc", "callc", "breakc", "for", "ifu", "nop", "end"])
    op = BY_NAME[name]
    inst = decode(rng.getrandbits(32) & ~op.match[0] | op.match[1])
    if inst.has("num"):
        inst = inst.replace(dst=rng.randrange(size), num=rng.randrange(4))
    if inst.has("desc"):
        inst = inst.replace(desc=0, src1=rng.randrange(16), src2=rng.randrange(16), idx=0)
    return encode(inst)
