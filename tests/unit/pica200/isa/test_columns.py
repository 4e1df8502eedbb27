"""Columns of the table that nothing else would contradict, each against what the semantics do: a wrong cell of any row
fails."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from lanewise.core.numbers.floats import INFINITY, NAN, ZERO
from lanewise.pica200.isa.codec import Inst
from lanewise.pica200.isa.program import Source
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    BREAK,
    BUT_NAN,
    BY_NAME,
    CALL,
    CONDITIONAL,
    EMIT,
    END,
    FLOAT,
    JUMP,
    LOOP,
    MIRRORED,
    NO,
    NOP,
    OPS,
    PICA200,
    SETEMIT,
    TEMPORARY,
    YES,
    Op,
    check,
)
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.sem.emission import Emitter, emit
from lanewise.pica200.sem.flow import Ask, ControlState, Edge, Hang, LoopSlot, Tree, step
from lanewise.pica200.sem.flow import End as Ended
from lanewise.pica200.sem.influence import slots_read
from lanewise.pica200.sem.instruction import computes
from lanewise.pica200.sem.meaning import MEANING
from lanewise.pica200.sem.numbers import Float24
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.sem.registers import Registers
from together import together

Words = tuple[int, int, int, int]

PAIRS = [op for op in OPS if op.source_count > 1]
MIRROR = (0, 1, 4, 5, 2, 3)  # the comparison that says the same with its operands exchanged


def name_of(op: Op) -> str:
    return op.name


# Kinds


def following(tree: Tree) -> Iterator[Edge | Ended | Hang]:
    if isinstance(tree, Ask):
        yield from following(tree.yes)
        yield from following(tree.no)
    else:
        yield tree


def kind_by_flow(inst: Inst) -> str:
    """The kind of an instruction in a loop, told from where it leads and what it leaves on the rings; nothing if it just goes
    on."""
    here = ControlState(5, loops=(LoopSlot(0x30, 2, 0),))
    found: set[str] = set()
    for leaf in following(step(here, inst)):
        if isinstance(leaf, Ended):
            found.add(END)
        elif isinstance(leaf, Edge):
            pc, calls, ifs, loops = leaf.state
            found |= {CALL} if calls else set()
            found |= {CONDITIONAL} if ifs else set()
            found |= {LOOP} if len(loops) > 1 else set()
            found |= {BREAK} if not loops else set()
            found |= {JUMP} if pc == 0x20 and not calls else set()
    if CONDITIONAL in found:
        found.discard(JUMP)  # over its first part
    return found.pop() if len(found) == 1 else " ".join(sorted(found))


@together("op", OPS, ids=name_of)
def test_kinds_are_what_the_semantics_do(op: Op):
    inst = Inst(op, (0,) * len(op.format.fields))
    for field, value in (("dst", 0x20), ("num", 4)):
        if "src" not in op.operands and op.format.has(field):
            inst = inst.replace(**{field: value})
    m = Float24()
    registers = Registers(m, [(0, 0, 0, 0)] * 16, [(0, 0, 0, 0)] * 96)
    emitted = emit(Emitter(m, HARDWARE), inst, registers)
    kind = (
        ARITHMETIC
        if computes(inst)
        else kind_by_flow(inst) or {"emit": EMIT, "setemit": SETEMIT}.get(next(iter(emitted), ""), NOP)
    )
    assert op.kind == kind


@together(
    "wrong",
    [
        BY_NAME["add"]._replace(kind=NOP),
        BY_NAME["for"]._replace(kind=CONDITIONAL),
        BY_NAME["ifc"]._replace(kind=LOOP),
        BY_NAME["jmpc"]._replace(kind=CONDITIONAL),
        BY_NAME["nop"]._replace(kind=CALL),
        BY_NAME["emit"]._replace(kind=SETEMIT),
        BY_NAME["add"]._replace(picasso_merge=""),
        BY_NAME["rcp"]._replace(commutes=YES),
        BY_NAME["dp3"]._replace(widths=(3,)),
        BY_NAME["add"]._replace(base="sub"),
    ],
    ids=lambda op: f"{op.name} {op.kind}",
)
def test_a_row_that_contradicts_itself_is_refused(wrong: Op):
    rows = tuple(wrong if op.name == wrong.name else op for op in OPS)
    with pytest.raises(ValueError, match=wrong.name):
        check(PICA200._replace(ops=rows))


# Components that count


@together("op", [op for op in OPS if op.source_count], ids=name_of)
def test_widths_are_the_components_that_count_under_any_write_mask(op: Op):
    first, *others = [slots_read(op, mask) for mask in range(1, 16)]
    alike = all(other == first for other in others) and any(len(slots) > 1 for slots in first)
    assert op.widths == (tuple([len(slots) for slots in first]) if alike else ())
    assert all(slots == tuple(range(len(slots))) for slots in first if alike)


# Exchanging sources


def words(rng: random.Random, odd: tuple[int, ...]) -> Words:
    def word() -> int:
        plain = rng.getrandbits(1) << 23 | rng.randrange(60, 67) << 16 | rng.getrandbits(16)
        return rng.choice((plain, plain, plain, *odd))

    return word(), word(), word(), word()


def exchange_matters(op: Op, odd: tuple[int, ...], mirror: tuple[int, ...] = (0, 1, 2, 3, 4, 5)) -> bool:
    """Whether exchanging sources 1 and 2 changes a result for some numbers; comparison n becomes `mirror[n]`."""
    m, rng = Float24(), random.Random(op.name)
    for _ in range(400):
        first, second, *rest = [words(rng, odd) for _ in range(op.source_count)]
        operators = tuple(rng.randrange(6) for _ in range(op.operands.count("cmp")))
        mirrored = tuple(mirror[operator] for operator in operators)
        if MEANING[op.base](m, first, second, *rest, *operators) != MEANING[op.base](m, second, first, *rest, *mirrored):
            return True
    return False


@together("op", PAIRS, ids=name_of)
def test_sources_commute_where_the_row_says_so(op: Op):
    numbers = (ZERO, INFINITY, INFINITY | 1 << 23)
    if not exchange_matters(op, (*numbers, NAN)):
        found = YES
    elif not exchange_matters(op, numbers):
        found = BUT_NAN
    elif "cmp" in op.operands and not exchange_matters(op, (*numbers, NAN), MIRROR):
        found = MIRRORED
    else:
        found = NO
    assert op.commutes == found


@together("op", [op for op in PAIRS if op.base == op.name], ids=name_of)
def test_the_fix_exchanges_sources_that_commute(op: Op):
    """A uniform in each place that is too narrow for it: the fix is to exchange the sources if that helps, and only then."""
    for place in range(op.source_count):
        sources = [Source(TEMPORARY + n) for n in range(op.source_count)]
        sources[place] = Source(FLOAT)
        fault = sources_fault(op, sources)
        if fault is None:
            continue
        sources[0], sources[1] = sources[1], sources[0]
        helps = op.commutes != NO and sources_fault(op, sources) is None
        assert fault.code == "V002"
        assert fault.fix.startswith("exchange") == helps, fault.fix
        assert ("mirror" in fault.fix, "NaN" in fault.fix) == (op.commutes == MIRRORED, op.commutes == BUT_NAN)


def test_fixes_name_what_is_exchanged():
    """The first place that a uniform cannot have, by instruction; the others are told to use a mov."""
    fixes: dict[str, str] = {}
    for op in PAIRS:
        for place in range(op.source_count):
            sources = [Source(FLOAT if n == place else TEMPORARY) for n in range(op.source_count)]
            fault = sources_fault(BY_NAME[op.base], sources)
            if fault is not None and fault.fix.startswith("exchange"):
                fixes[op.base] = fault.fix.partition(" (")[0].partition(",")[0]
    two = "exchange the sources"
    expected = {
        **dict.fromkeys(("add", "mul", "dp3", "dp4", "max", "min"), two),
        "cmp": "exchange the sources and mirror the operators",
        "mad": "exchange the first two sources",
    }
    assert {name: fixes.get(name, "") for name in expected} == expected
    assert not fixes.keys() & {"dph", "dst", "sge", "slt"}
