"""Vector programs in SSA form: the same bits after lowering, passes, the text and back; and the text as a language."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from compile import vector_shaders as shaders
from compile.spirv.running import SHADERS, program
from compile.vector_builder import Builder as VectorBuilder
from compile.vector_random import Random, words
from effort import sample, times
from lanewise.compile.pica200.numbers import Words
from lanewise.compile.vector import code as v
from lanewise.compile.vector.interpret import interpret
from lanewise.compile.vector.lowering import evaluate, lower
from lanewise.compile.vector.passes import simplified
from lanewise.compile.vector.raising import NotRaisedError, raised
from lanewise.compile.vector.verify import verify as verify_vector
from lanewise.ssa.building import Builder
from lanewise.ssa.function import Declaration, Function, Return
from lanewise.ssa.interpret import run
from lanewise.ssa.meaning import Meaning
from lanewise.ssa.nodes import WIDTHS, Ref
from lanewise.ssa.operations import OPERATIONS
from lanewise.ssa.passes import PASSES, tidied
from lanewise.ssa.reading import read
from lanewise.ssa.text import text_of
from lanewise.ssa.verify import verify
from lanewise.tools.cli import main
from together import together

NUMBERS = Words()
SPIRV = sorted(path.name.split(".")[0] for path in SHADERS.glob("*.O0.spv"))
MODULES = [(name, level) for name in SPIRV if name not in ("refused", "large") for level in ("O0", "O")]


class Data:
    """Random data of a program, and its outputs for them: of the interpreter of vector programs, and of functions."""

    def __init__(self, program: v.Program, seed: int) -> None:
        r = random.Random(seed)
        self.program = program
        self.inputs = [list(map(NUMBERS.canonical, row)) for row in words(r, len(program.inputs))]
        self.rows = [[list(map(NUMBERS.canonical, row)) for row in words(r, u.rows)] for u in program.uniforms]
        self.flags = [r.random() < 0.5 for _ in program.flags]
        self.counts = [r.randint(0, 5) for _ in program.counts]

    def wanted(self, program: v.Program) -> tuple[int, ...] | None:
        """None where a row outside of a uniform is read."""
        try:
            found = interpret(program, NUMBERS, self.inputs, self.rows, self.flags, self.counts)
        except IndexError:
            return None
        return tuple([found[output.name][lane] for output in self.program.outputs for lane in output.lanes])

    def found(self, function: Function) -> tuple[int, ...]:
        p = self.program
        meaning = Meaning(
            NUMBERS,
            {each.name: row[: each.lanes] for each, row in zip(p.inputs, self.inputs, strict=True)},
            {each.name: rows for each, rows in zip(p.uniforms, self.rows, strict=True)},
            {each.name: flag for each, flag in zip(p.flags, self.flags, strict=True)},
            {each.name: count for each, count in zip(p.counts, self.counts, strict=True)},
        )
        return run(function, meaning)


def plain(function: Function) -> Function:
    """Without the places that nodes come from."""
    nodes = tuple([node._replace(line=-1) for node in function.nodes])
    blocks = tuple([block._replace(exit=block.exit._replace(line=-1)) for block in function.blocks])
    return function._replace(nodes=nodes, blocks=blocks, lines=())


def forms(function: Function) -> list[Function]:
    """A function, what each pass makes of it, and what all do, verified and read back."""
    found = [function, *[apply(function) for apply in PASSES.values()], tidied(function, evaluate)]
    for each in found:
        assert verify(each) == []
        assert repr(plain(read(text_of(each)))) == repr(plain(each))
    return found


def same(program: v.Program, seed: int, runs: int) -> int:
    """How many runs give the same bits in all forms."""
    functions = forms(lower(program))
    back = [raised(functions[0]), raised(functions[-1])]
    for each in back:
        verify_vector(each)
    compared = 0
    for n in range(runs):
        data = Data(program, seed + n)
        wanted = data.wanted(program)
        if wanted is not None:
            assert [data.found(each) for each in functions] == [wanted] * len(functions)
            assert [data.wanted(each) for each in back] == [wanted] * len(back)
            compared += 1
    return compared


@pytest.mark.parametrize("make", [*shaders.BY_HAND, shaders.skin], ids=lambda make: make.__name__)
def test_programs_by_hand(make: Callable[[], v.Program]):
    same(make(), 0, 2)


@pytest.mark.parametrize(("name", "level"), sample(MODULES, 4))
def test_programs_of_modules(name: str, level: str):
    same(program(name, level), 0, 2)


@pytest.mark.parametrize("seed", range(times(6, 400)))
def test_random_programs(seed: int):
    same(Random(seed).program(), seed, 3)


def test_random_programs_are_compared():
    assert sum(same(Random(seed).program(), seed, 1) for seed in range(4))


def random_function(seed: int) -> tuple[v.Program, Function]:
    """Blocks without loops in any order, whose values are those of the entry and their own; and what it declares."""
    r, b = random.Random(seed), Builder()
    inputs = (v.Input(name="a"), v.Input(name="b", lanes=2))
    values = [b.op("input", immediates=(each.name,)) for each in inputs] + [b.constant(0.5, -2.0, 3.0), b.constant(1.0)]
    count = r.randint(2, 9)
    blocks = [b.block(*[r.choice(["number", "number3", "truth"]) for _ in range(r.randint(0, 2))]) for _ in range(count)]

    def of(own: Sequence[Ref], kind: str) -> Ref:
        if kind == "truth":
            return b.op("lt", of(own, "number"), of(own, "number"))
        ref = r.choice([each for each in own if b.type_of(each) != "truth"])
        found = b.selected(ref, [r.randrange(WIDTHS[b.type_of(ref)]) for _ in range(WIDTHS[kind])])
        return found._replace(modifier=int(r.random() < 0.3))

    def compute(own: list[Ref]) -> None:
        for _ in range(r.randint(0, 5)):
            op = r.choice(["add", "mul", "mad", "min", "max", "floor", "set_lt", "set_ne", "pack", "dot", "is_one", "select"])
            width = 1 if op in ("pack", "is_one") else r.randint(2, 4) if op == "dot" else r.randint(1, 4)
            taken = OPERATIONS[op].sources.split()
            sources = [
                of(own, ["number", "number2", "number3", "number4"][width - 1]) for _ in taken * (3 if op == "pack" else 1)
            ]
            if op in ("is_one", "select"):
                one = b.op("set_le", of(own, "number"), of(own, "number"))
                sources[0] = b.packed([one._replace(lanes="")] * width)
            own.append(b.op(op, *sources))

    def leave(n: int, own: Sequence[Ref]) -> None:
        """Go on with later blocks, or return."""
        later = blocks[n + 1 :]
        if not later:
            b.leave(Return(tuple([of(own, "number") for _ in range(3)])))
            return
        edges = [
            (target, tuple([of(own, b.values[p].type) for p in b.parameters[target]]))
            for target in r.choices(later, k=r.randint(1, 2))
        ]
        if len(edges) == 1:
            b.jump(*edges[0])
            return
        ends = b.block(), b.block()
        b.branch(of(own, "truth"), *ends)
        for end, edge in zip(ends, edges, strict=True):
            b.at(end)
            b.jump(*edge)

    compute(values)
    leave(-1, values)
    for n, block in enumerate(blocks):
        b.at(block)
        own = [*values, *map(Ref, b.parameters[block])]
        compute(own)
        leave(n, own)
    declared = [Declaration("input", each.name, (("lanes", each.lanes),)) for each in inputs]
    outputs = (v.Output(name="o", semantic="position", variable=0, mask=7),)
    declared.append(Declaration("output", "o", (("semantic", "position"), ("mask", 7))))
    owner = VectorBuilder().program()._replace(inputs=inputs, outputs=outputs)
    return owner, b.function("f", tuple(declared), ("o.x", "o.y", "o.z"))


@pytest.mark.parametrize("chunk", range(4))
def test_random_functions(chunk: int):
    for seed in range(chunk, times(16, 4000), 4):
        owner, function = random_function(seed)
        functions = forms(function)
        programs = [raised(functions[0]), raised(functions[-1]), simplified(raised(functions[-1]), NUMBERS)]
        for n in range(2):
            data = Data(owner, seed + n)
            wanted = data.found(function)
            assert [data.found(each) for each in functions] == [wanted] * len(functions), seed
            assert [data.wanted(each) for each in programs] == [wanted] * len(programs), seed


def test_a_loop_that_counts_is_one_again():
    b = VectorBuilder()
    total = b.output("position", 0.0, 4)
    b.counts.append(v.Count("turns"))
    counter, body = b.loop_over(b.label(), v.CountOf(0))
    with body:
        b.store(total, b.load(total) + counter.xxxx)
    (statement,) = [s for s in simplified(raised(tidied(lower(b.program()))), NUMBERS).body if isinstance(s, v.For)]
    assert (statement.turns, statement.start, statement.step) == (v.CountOf(0), 0, 1)


HEAD = "function f -> o.x\noutput o semantic=position mask=1\ninput a\nuniform u rows=2\n"
NOT_RAISED = {
    "unknown declaration 'texture'": "texture t\nblock 0:\n  %0 = input a\n  return %0.x\n",
    "uniform 'u' is declared twice": "uniform u rows=1\nblock 0:\n  %0 = input a\n  return %0.x\n",
    "input 'b' has lanes=5": "input b lanes=5\nblock 0:\n  %0 = input a\n  return %0.x\n",
    "count 'n' has most=many": "count n most=many\nblock 0:\n  %0 = input a\n  return %0.x\n",
    "the results are not the lanes": "output p\nblock 0:\n  %0 = input a\n  return %0.x\n",
    "a count is read as a number": "count n\nblock 0:\n  %0 = count n\n  return %0\n",
    "the loop of block 1 has another entry": "block 0:\n  %0 = input a\n  %1 = lt %0.x, %0.y\n  branch %1, block 1, block 2\n"
    "block 1:\n  branch %1, block 2, block 3\nblock 2:\n  branch %1, block 1, block 3\nblock 3:\n  return %0.x\n",
    "unknown input 'b'": "block 0:\n  %0 = input b\n  return %0.x\n",
    "uniform 'u' has no row 2": "block 0:\n  %0 = uniform u, 2\n  return %0.x\n",
    "unknown count 'n'": "block 0:\n  %0 = count n\n  return %0\n",
}


@together("message", NOT_RAISED)
def test_what_no_program_is(message: str):
    with pytest.raises(NotRaisedError, match=message):
        raised(read(HEAD + NOT_RAISED[message]))


def test_the_text_is_a_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """The stage `ssa` of a module compiles for both targets, and what it gives is as before."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "triangle.spv").write_bytes((SHADERS.parents[2] / "spirv" / "shaders" / "triangle.O0.spv").read_bytes())
    assert main(["compile", "triangle.spv", "--stage", "ssa", "--no-config"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("function main -> ")
    (tmp_path / "triangle.ssa").write_text(text)
    assert main(["compile", "triangle.ssa", "--stage", "ssa"]) == 0
    assert capsys.readouterr().out.count("\n") == text.count("\n")
    for target in ("pica200", "shadercore"):
        assert main(["compile", "triangle.ssa", "--target", target, "--check"]) == 0
    assert main(["diff", "triangle.ssa", "triangle.spv"]) == 0
    assert "equal" in capsys.readouterr().out


def test_findings_name_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for text, code, place in (
        ("function f -> o.x\nblock 0:\n  return %0\n", "S018", "x.ssa:3"),
        (HEAD + "block 0:\n  %0 = input b\n  return %0.x\n", "S019", "x.ssa:6"),
        (HEAD.replace("position", "nowhere") + "block 0:\n  %0 = input a\n  return %0.x\n", "S006", "x.ssa"),
    ):
        (tmp_path / "x.ssa").write_text(text)
        assert main(["compile", str(tmp_path / "x.ssa"), "--check"]) == 1
        shown = "".join(capsys.readouterr())
        assert f"error[{code}]" in shown
        assert place in shown
