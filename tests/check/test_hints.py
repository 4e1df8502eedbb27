"""Hints of `lanewise check --hints`: what each proposes gives the same outputs, bit for bit, in every shader that it is found
in."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

import lanewise as lw
from check.test_goldens import HERE, cases_of
from corpus import REPOSITORY
from effort import times
from lanewise.core.diagnostics import has_errors
from lanewise.core.engines import REFERENCE
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import Reading, check_shbin, check_sources
from lanewise.pica200.check.rules import contexts_of
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.geometry import point_feed, run_geometry
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.encoder import Encoded, encode_program
from lanewise.pica200.isa.program import Interface, Operation, Program
from lanewise.pica200.isa.table import BY_NAME, FLOAT, INTEGER
from lanewise.pica200.opt.hints import hints_of
from lanewise.pica200.opt.uniform_work import uniform_work
from lanewise.pica200.opt.values import Values
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.opt.editing import Edit

BUDGET = 4_000
NOP = Operation(op=BY_NAME["nop"])
# Zeros, infinities, NaN, a subnormal, the smallest and the largest number, and numbers around 1.
SPECIAL = (0x000000, 0x800000, 0x7F0000, 0xFF0000, 0x7F8000, 0x000001, 0x010000, 0x7EFFFF)
Words = tuple[int, int, int, int]


class Found(NamedTuple):
    """The codes of hints whose edits were compared, and how many words they remove."""

    codes: tuple[str, ...]
    words: int


def number(rng: random.Random) -> int:
    if rng.random() < 0.2:
        return rng.choice(SPECIAL)
    return rng.getrandbits(1) << 23 | rng.randrange(0x3C, 0x43) << 16 | rng.getrandbits(16)


def vector(rng: random.Random) -> Words:
    return (number(rng), number(rng), number(rng), number(rng))


def edited(operations: Sequence[Operation], edit: Edit) -> Encoded:
    """A program after an edit; NOPs keep the addresses of what follows."""
    changed = list(operations)
    for pc, operation in (*edit.replaced, *[(pc, NOP) for pc in edit.removed]):
        changed[pc] = operation
    free = tuple([operation._replace(descriptor=-1) for operation in changed])
    encoded, findings = encode_program(Program(operations=free, interfaces=(Interface(name="main"),), labels={}))
    assert not has_errors(findings)
    return encoded


def uniforms_of(context: AnalysisContext, rng: random.Random) -> Uniforms:
    floats, integers = [vector(rng) for _ in range(96)], [(rng.randrange(4), 0, 1, 0) for _ in range(4)]
    for constant in context.interface.constants:
        if FLOAT <= constant.register < INTEGER:
            a, b, c, d = constant.values
            floats[constant.register - FLOAT] = (a, b, c, d)
    return Uniforms(
        floats=tuple(floats),
        integers=tuple(integers),
        booleans=tuple([rng.random() < 0.5 for _ in range(16)]),
        given=frozenset(),
    )


def results(encoded: Encoded, context: AnalysisContext, seed: int) -> list[object]:
    """The outputs of a shader on random data: of 16 vertices, or of three runs of a geometry shader."""
    rng = random.Random(seed)
    entry = context.interface.entry
    uniforms = uniforms_of(context, rng)
    if context.interface.geometry:
        feeds = [point_feed([[vector(rng) for _ in range(8)] for _ in range(2)]) for _ in range(3)]
        program = Reference(*encoded, entry, profile=HARDWARE, budget=BUDGET, geometry=True)
        sent = run_geometry(program, iter(feeds), len(feeds), uniforms, {})
        return [(vertex.outputs, vertex.written) for primitive in sent.primitives for vertex in primitive]
    rows = {v: np.array([vector(rng) for _ in range(16)], np.uint32) for v in range(16)}
    inputs = Inputs(Columns({v: Column(words, raw=True, profile=HARDWARE) for v, words in rows.items()}, 16), 16)
    found = Runner(*encoded, entry, HARDWARE).run(inputs, uniforms, (), range(16), BUDGET, engine=REFERENCE)
    return [(found.bits[f"o{n}"].tolist(), found.written[f"o{n}"].tolist()) for n in range(16)]


def compare(program: Program, encoded: Encoded, seed: int = 1) -> Found:
    """Compare every edit of every hint with the program itself."""
    contexts = contexts_of(program, *encoded)
    before: dict[int, list[object]] = {}
    codes: list[str] = []
    words = 0
    for hint in hints_of(contexts):
        for n, context in enumerate(contexts):
            if any(pc in context.reached for pc in hint.edit.words):
                if n not in before:
                    before[n] = results(encoded, context, seed)
                after = results(edited(context.operations, hint.edit), context, seed)
                assert after == before[n], (hint.code, hint.finding.message, hint.finding.fix)
                codes.append(hint.code)
                words += len(hint.edit.removed)
    return Found(tuple(codes), words)


@pytest.mark.parametrize("path", sorted((HERE / "rules").glob("H*.pica")), ids=lambda path: path.stem)
def test_goldens(path: Path):
    for case in cases_of(path):
        made = assemble_sources([("a.v.pica", case.text)])
        found = compare(made.program, made.encoded)
        assert (path.stem in found.codes) == (case.bad and path.stem not in ("H006", "H009"))


@pytest.mark.parametrize("path", sorted((REPOSITORY / "examples").glob("*.pica")), ids=lambda path: path.name)
def test_examples(path: Path):
    made = assemble_sources([(path.name, path.read_text())])
    compare(made.program, made.encoded)


# Random programs with few registers, so that most copies and products have something in their way.


def source_of(rng: random.Random, *, wide: bool) -> str:
    uniforms = ["c0", "c1", "k", "ones"] if wide else list[str]()
    register = rng.choice(["r0", "r1", "r2", "r3", "v0", *uniforms])
    return rng.choice(["", "", "", "-"]) + register + rng.choice(["", "", "", ".x", ".wzyx", ".yyww", ".xyz", ".xxy"])


def statement(rng: random.Random) -> str:
    register = rng.choice(["r0", "r1", "r2", "r3", "r0", "r1", "r2", "r3", "o0", "o1"])
    dest = register + rng.choice(["", "", ".x", ".y", ".z", ".w", ".xy", ".zw", ".xyz"])
    op = rng.choice(["mov"] * 6 + ["mul"] * 4 + ["add"] * 4 + ["dp4", "max", "rcp", "cmp", "mad"])
    a, b, c = source_of(rng, wide=True), source_of(rng, wide=False), source_of(rng, wide=False)
    operands = {"mov": f"{dest}, {a}", "rcp": f"{dest}, {a}", "cmp": f"{a}, lt, gt, {b}", "mad": f"{dest}, {b}, {a}, {c}"}
    return f"{op} {operands.get(op, f'{dest}, {a}, {b}')}"


def body(rng: random.Random, depth: int) -> list[str]:
    lines: list[str] = []
    for _ in range(rng.randrange(2, 7)):
        kind = rng.random()
        if depth and kind < 0.18:
            lines += [f"ifc cmp.{rng.choice('xy')}" if kind < 0.12 else "for i0", *body(rng, depth - 1)]
            lines += [".else", *body(rng, depth - 1)] if kind < 0.06 else []
            lines += ["nop", ".end"]
        else:
            lines += ["call sub", "nop"] if kind > 0.96 else [statement(rng)]
    return lines


def random_source(rng: random.Random) -> str:
    head = [
        ".fvec c0u, c1u",
        ".ivec i0u",
        ".constf k(1.5, -2, 0.25, 3)",
        ".constf ones(1, 1, 1, 1)",
        ".out p position",
        ".out q color",
        ".in v",
    ]
    last = [f"mov o0, r{rng.randrange(4)}", f"mov o1, r{rng.randrange(4)}", "end", ".end"]
    return "\n".join([*head, ".proc sub", statement(rng), statement(rng), ".end", ".proc main", *body(rng, 2), *last, ""])


def test_random_programs():
    """In nox -s exhaustive, thousands of them: an edit that loses a value on some path is found by a few hundred."""
    compared: list[str] = []
    for seed in range(times(25, 3_000)):
        made = assemble_sources([("a.v.pica", random_source(random.Random(seed)))])
        if made.data is not None:
            compared += compare(made.program, made.encoded, seed).codes
    assert {"H001", "H002"} <= set(compared)


def test_words_that_depend_on_uniforms_alone():
    """In random programs each of them writes the same in all vertices, whatever path those take."""
    found = 0
    for seed in range(times(40, 2_000)):
        made = assemble_sources([("a.v.pica", random_source(random.Random(seed)))])
        context = contexts_of(made.program, *made.encoded)[0] if made.data is not None else None
        if context is None or not isinstance(context.graph, Graph):
            continue
        work = uniform_work(Values(context, context.graph))
        if not work.words:
            continue
        shader = lw.load(made.data, isa="pica200").vertex if made.data is not None else None
        assert shader is not None
        rng = random.Random(seed)
        inputs = {"v": [[rng.uniform(-4, 4) for _ in range(4)] for _ in range(6)]}
        uniforms = {
            "c0u": [rng.uniform(-4, 4) for _ in range(4)],
            "c1u": [rng.uniform(-4, 4) for _ in range(4)],
            "i0u": (1, 0, 1),
        }
        written: dict[int, set[object]] = {}
        for lane in range(6):
            for step in shader.trace(inputs, uniforms, lane=lane, defaults=0).steps:
                if step.pc in work.words:
                    written.setdefault(step.pc, set()).add(
                        tuple([tuple(write.new[n] for n in range(4) if write.mask & 8 >> n) for write in step.writes])
                    )
        assert all(len(values) == 1 for values in written.values()), seed
        found += len(written)
    assert found > 5


def test_a_value_that_a_geometry_shader_keeps_is_not_a_copy():
    """Registers stay from run to run: what is read at the start was written at the end of the run before."""
    text = ".gsh point c0\n.entry gmain\n.out o position\n.in a\n.proc gmain\n{first}\nsetemit 0\nemit\n{last}\nend\n.end\n"
    reads = text.format(first="mov o, r1", last="mov r1, v0")
    made = assemble_sources([("a.g.pica", reads)])
    assert made.data is not None
    assert compare(made.program, made.encoded).codes == ()
    writes = text.format(first="mov r1, v0\nadd o, r1, r1", last="nop")
    made = assemble_sources([("a.g.pica", writes)])
    assert "H001" in compare(made.program, made.encoded).codes


def test_they_are_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "a.v.pica"
    source.write_text(cases_of(HERE / "rules" / "H001.pica")[0].text)
    assert main(["check", str(source)]) == 0
    assert "H001" not in capsys.readouterr().out
    assert main(["check", "--hints", str(source)]) == 0  # notes are never an exit code
    assert "note[H001]" in capsys.readouterr().out
    assert main(["check", "--select", "H001", str(source)]) == 2
    assert "hints are looked for with --hints" in capsys.readouterr().err


def test_comments_about_hints():
    text = cases_of(HERE / "rules" / "H001.pica")[0].text
    quiet = text.replace("mov r0, inpos", "mov r0, inpos ; lanewise: ignore[H001]")
    assert quiet != text
    report = check_sources([("a.pica", quiet)], Reading(hints=True))
    assert [finding.code for finding in report.ignored] == ["H001"]
    assert not report.findings
    assert not check_sources([("a.pica", quiet)]).findings  # they were not looked for, so the comment may be needed


def test_unused_descriptors():
    made = assemble_sources([("a.v.pica", cases_of(HERE / "rules" / "H001.pica")[0].text)])
    assert made.data is not None
    shbin, _ = read_shbin(made.data, "a.shbin")
    assert shbin is not None
    larger = write_shbin(shbin._replace(descriptors=(*shbin.descriptors, 0x1234, 0x5678)))
    for data, wanted in (
        (made.data, []),
        (larger, [f"2 of {len(shbin.descriptors) + 2} operand descriptors are not used by any instruction"]),
    ):
        report = check_shbin(data, "a.shbin", hinted=True)
        assert [finding.message for finding in report.findings if finding.code == "H007"] == wanted
