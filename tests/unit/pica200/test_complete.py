"""Nothing is half there: every row of the table has a meaning, a witness or a mark, and a spelling that reads back.

A new instruction makes these tests fail until it has all of them.
"""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from corpus import SHARED, needs_shared, rows
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.isa.codec import row_of
from lanewise.pica200.isa.encoder import encode_program, form
from lanewise.pica200.isa.facts import FACTS
from lanewise.pica200.isa.program import Condition, Dest, Emission, Operand, Operation, Program, Source, Target
from lanewise.pica200.isa.table import BY_NAME, FLOAT, INTEGER, OPS, UNKNOWN, Op
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.meaning import MEANING
from lanewise.pica200.sem.numbers import Float24
from lanewise.pica200.text.picasso.printer import Names, Printer
from together import together

FLOW: set[str] = set(flow.FLOW)
STILL = {"nop", "emit", "setemit"}  # compute nothing and move no program counter by themselves

# Who has shown what an instruction does, or how it is written, outside of this project. A name is an `op` of the vectors
# that consoles gave (../shared/vectors/pica200_hardware.json); BYTES means that picasso 2.7.1 writes the instruction for
# the programs of ../shared/conformance/picasso, so its encoding is not our own reading.
BYTES = "picasso 2.7.1"
WITNESS = {
    "add": "add",
    "dp3": "dp3",
    "dp4": "dp4",
    "dph": "dph",
    "dphi": "dphi",
    "dst": BYTES,
    "dsti": BYTES,
    "ex2": "ex2",
    "lg2": "lg2",
    "litp": "litp",
    "mul": "mul",
    "sge": "sge",
    "sgei": BYTES,
    "slt": "slt",
    "slti": BYTES,
    "flr": "flr;mul(-1)",
    "max": "max",
    "min": "min",
    "rcp": "rcp",
    "rsq": "rsq",
    "mova": "mova",
    "mov": "mad-encoding mode 0",
    "cmp": "cmp",
    "mad": "mad-encoding mode 1",
    "madi": "mad-encoding mode 3",
    "for": "loop",
    "emit": "gs emit output banking",
    "setemit": "gs winding flag",
    "break": BYTES,
    "breakc": BYTES,
    "nop": BYTES,
    "end": BYTES,
    "call": BYTES,
    "callc": BYTES,
    "callu": BYTES,
    "ifu": BYTES,
    "ifc": BYTES,
    "jmpc": BYTES,
    "jmpu": BYTES,
}


def name_of(op: Op) -> str:
    return op.name


@together("op", OPS, ids=name_of)
def test_every_row_has_a_meaning(op: Op):
    homes = [op.base in MEANING, op.base in FLOW, op.base in STILL]
    assert homes.count(True) == 1


def test_no_meaning_is_without_a_row():
    bases = {op.base for op in OPS} | {UNKNOWN.name}
    assert MEANING.keys() | FLOW | STILL == bases


@together("op", [op for op in OPS if op.base in MEANING], ids=name_of)
def test_a_meaning_writes_what_its_row_says(op: Op):
    m = Float24()
    vector = tuple(m.constant(value) for value in (0.5, 2.0, -1.0, 4.0))
    immediates = (0, 0) if "cmp" in op.operands else ()
    result = MEANING[op.base](m, *[vector] * op.source_count, *immediates)
    assert set(result) == set(op.writes)


def test_flow_rows_write_nothing():
    assert [op.name for op in OPS if op.base not in MEANING and op.writes] == []


@together("op", OPS, ids=name_of)
def test_every_row_has_a_witness_or_a_mark(op: Op):
    assert op.name in WITNESS or op.unproven
    if WITNESS.get(op.name) == BYTES and "src" in op.operands:
        assert op.unproven, "bytes say nothing about what arithmetic gives"


def test_marked_rows_have_facts():
    """What is unproven about a row is explained by a fact that names it."""
    explained = {name for fact in FACTS for name in fact.ops}
    assert {op.name for op in OPS if op.unproven} <= explained


@needs_shared
def test_witnesses_have_spoken():
    entries: list[dict[str, Any]] = json.loads((SHARED / "vectors" / "pica200_hardware.json").read_text())
    measured = {entry["op"] for entry in entries}
    seen: set[str] = set()
    for part in ("hand", "gen"):
        for row in rows("picasso", part):
            shbin, _ = read_shbin(row.data or b"", row.name)
            if shbin is not None:
                seen |= {row_of(word).name for word in shbin.words}
    for name, witness in WITNESS.items():
        assert name in seen, f"picasso writes no {name}"
        assert witness == BYTES or witness in measured, name


# Golden lines

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
# Emitting belongs to geometry shaders, so those lines are in a file of their own.
GOLDEN_LINES = {"emit": "geometry.pica", "setemit": "geometry.pica"}


@cache
def rows_in_golden_file(name: str) -> frozenset[str]:
    text = (GOLDEN / name).read_text(encoding="utf-8")
    assert text.startswith("; RUN: listing"), "the words of each line are expected"
    made = assemble_sources([(name, text)])
    assert made.data is not None
    return frozenset(row_of(word).name for word in made.encoded.words)


@together("op", OPS, ids=name_of)
def test_every_row_has_a_golden_line(op: Op):
    name = GOLDEN_LINES.get(op.name, "instructions.pica")
    assert op.name in rows_in_golden_file(name), f"add a line with {op.name} to tests/golden/{name}, and run pytest --bless"


# Printing and parsing


def registers(rng: random.Random, wide: bool) -> int:
    return rng.randrange(INTEGER if wide else FLOAT)


def source(rng: random.Random, wide: bool) -> Source:
    number = registers(rng, wide)
    relative = rng.choice((0, 0, 1, 2, 3)) if number >= FLOAT else 0
    return Source(number, rng.randrange(256), rng.random() < 0.5, relative)


def condition(rng: random.Random) -> Condition:
    combine = rng.randrange(4)
    return Condition(combine, 1 if combine == 3 else rng.randrange(2), 1 if combine == 2 else rng.randrange(2))


def target(rng: random.Random, op: Op) -> Target:
    """DST with the NUM that the instruction has: a jump on a boolean keeps its inversion there."""
    limit = {"for": 1, "jmpc": 1, "jmpu": 2}.get(op.name, 256)
    return Target(rng.randrange(4096), rng.randrange(limit))


def sample(rng: random.Random, op: Op) -> tuple[Operand, ...]:
    """Operands of every kind that the table has; a new kind has to be added here."""
    operands: list[Operand] = []
    wide = rng.randrange(op.source_count or 1)
    sources = 0
    for kind in op.operands:
        match kind:
            case "dst":
                operands.append(Dest(rng.randrange(FLOAT), rng.randrange(1, 16)))
            case "adr":
                operands.append(Dest(0, rng.choice((8, 4, 12))))
            case "src":
                operands.append(source(rng, sources == wide))
                sources += 1
            case "cmp":
                operands.append(rng.randrange(6))
            case "cond":
                operands.append(condition(rng))
            case "bool":
                operands.append(rng.randrange(16))
            case "int":
                operands.append(rng.randrange(4))
            case "target" | "block":
                operands.append(target(rng, op))
            case "vertex":
                operands.append(Emission(rng.randrange(3), rng.random() < 0.5, rng.random() < 0.5))
            case _:
                raise AssertionError(f"{op.name} has operands of a kind that this test does not know: {kind}")
    return tuple(operands)


def sensible(op: Op, operands: tuple[Operand, ...]) -> bool:
    sources = [operand for operand in operands if isinstance(operand, Source)]
    return not sources or sources_fault(op, sources) is None


@together("op", OPS, ids=name_of)
def test_every_operand_prints_and_parses(op: Op):
    """Operations of each row are printed, assembled, and come back with the same operands and the same row."""
    rng = random.Random(op.name)
    base = BY_NAME[op.base]
    printer = Printer(Names(), lambda target: "", lambda address: "", plain=False)
    done = 0
    for _ in range(2000):
        operands = sample(rng, base)
        sources = [operand for operand in operands if isinstance(operand, Source)]
        if not sensible(base, operands) or form(base, sources) is not op:
            continue
        operation = Operation(op=base, operands=operands)
        encoded, findings = encode_program(Program(operations=(operation,), interfaces=(), labels={}))
        assert not findings
        word = encoded.words[0]
        assert row_of(word) is op
        text = printer.operation(operation._replace(descriptor=0 if sources else -1), word)
        assert not text.startswith(".word"), operation
        made = assemble_sources([("sample.pica", f".proc main\n{text}\n.end")])
        assert made.program.operations[0][:2] == (base, operands), text
        assert made.encoded.words[0] == word, text
        done += 1
        if done == (25 if op.operands else 1):
            return
    raise AssertionError(f"too few samples of {op.name} are sensible")


def test_unknown_words_print_and_parse():
    operation = Operation(op=UNKNOWN, operands=(0x40001234,))
    text = Printer(Names(), lambda target: "", lambda address: "").operation(operation, 0x40001234)
    made = assemble_sources([("sample.pica", f".proc main\n{text}\n.end")])
    assert made.encoded.words == (0x40001234,)


def test_samples_cover_the_registers():
    rng = random.Random(5)
    seen = {registers(rng, True) for _ in range(5000)}
    assert seen == set(range(INTEGER))
    assert {registers(rng, False) for _ in range(2000)} == set(range(FLOAT))
