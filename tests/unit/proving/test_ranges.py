"""Ranges of indices: what the number rules give is in them, under every profile; and what proofs know by them."""

from __future__ import annotations

import random

import pytest

import lanewise as lw
from effort import times
from lanewise.core.numbers.binary import LT
from lanewise.pica200.engine.random_programs import EDGES, EDGES_FLOAT32
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.proof.asked import Asked
from lanewise.pica200.proof.terms import Terms
from lanewise.pica200.sem.numbers import Float24, Float32
from lanewise.pica200.sem.profile import HARDWARE, Profile, profiles
from lanewise.proving.ranges import reach, whole_numbers

FIELDS = ("max_zero_neg_inf", "mova_range", "mova_fraction", "negative_zero", "rounding", "overflow", "index_wrap")
PROFILES = tuple(
    dict.fromkeys(
        preset.replace(**{field: answer})
        for preset in profiles.values()
        for field in FIELDS
        for answer in CHOICES[field].answers
    )
)
CONSTANTS = (0.0, 1.0, 2.0, 3.5, -1.0, -2.5, 19.0, 130.0, -200.0, 2.0**40)


def term_of(m: Terms, r: random.Random, depth: int) -> int:
    if not depth or r.random() < 0.1:
        return m.constant(r.choice(CONSTANTS)) if r.random() < 0.5 else m.inputs[0][r.randrange(2)]
    a, b = term_of(m, r, depth - 1), term_of(m, r, depth - 1)
    match r.randrange(10):
        case 0 | 1 | 2:
            return m.max(m.constant(r.choice(CONSTANTS)), a) if r.random() < 0.5 else m.max(a, b)
        case 3 | 4 | 5:
            return m.min(m.constant(r.choice(CONSTANTS)), a) if r.random() < 0.5 else m.min(a, b)
        case 6:
            return m.floor(a)
        case 7:
            return m.flush(a)
        case 8:
            return m.select(m.compare(LT, m.inputs[0][0], m.inputs[0][1]), a, b)
        case _:
            return m.negate(a)


def value_of(m: Terms, rule: Float24 | Float32, term: int, given: dict[int, int]) -> int:
    """What a term is for some inputs, by the number rule itself."""
    op, *arguments = m.nodes[term]
    if op == "const":
        return int(arguments[0]) if m.computing else rule.from_float24(int(arguments[0]))
    if op == "input":
        return given[term]
    if op == "select":
        _, first, second, relation = m.nodes[int(arguments[0])]
        holds = rule.compare(int(relation), given[int(first)], given[int(second)])
        return value_of(m, rule, int(arguments[1] if holds else arguments[2]), given)
    return getattr(rule, str(op))(*[value_of(m, rule, int(each), given) for each in arguments])


@pytest.mark.parametrize("computing", [False, True])
def test_whole_numbers_are_in_their_range(computing: bool):
    r = random.Random(9)
    bounded = 0
    for n in range(times(150, 20_000)):
        profile = PROFILES[n % len(PROFILES)]
        m = Terms(Asked(profile), computing=computing)
        term = term_of(m, r, 4)
        found = whole_numbers(m, term)
        if found is None:
            continue
        bounded += 1
        rule = m.numbers()
        edges = EDGES_FLOAT32 if profile.rounding == "float32" else EDGES
        for _ in range(12):
            given = {part: r.choice(edges) for part in m.inputs[0]}
            number = rule.to_integer(value_of(m, rule, term, given))
            assert number in found, (profile.describe(), m.nodes, term, given)
    assert bounded > 15


def test_ranges_of_indices():
    m = Terms(Asked(HARDWARE))
    x = m.inputs[0][0]
    clamped = m.min(m.constant(2.0), m.max(m.constant(0.0), x))
    whole = m.to_integer(clamped)
    index = m.integer_add(m.integer_and(m.integer_add(whole, m.integer(90)), 127), m.integer(0x20))
    infinite = m.numbers().to_integer(m.numbers().negate(0x7F0000))
    found = reach(m, index)
    assert found is not None
    assert found.whole == whole
    assert {pair for pair in found.indices if pair[0] != infinite} == {(0, 0x7A), (1, 0x7B), (2, 0x7C)}
    assert reach(m, m.integer_add(m.to_integer(m.min(m.constant(2.0), x)), m.integer(1))) is None  # no lower bound
    assert reach(m, m.integer_add(m.to_integer(m.min(m.constant(300.0), m.max(m.constant(0.0), x))), m.integer(1))) is None
    assert reach(m, m.integer_add(whole, m.to_integer(x))) is None  # of two numbers
    wide = m.min(m.constant(20.0), m.max(m.constant(-20.0), x))
    assert whole_numbers(m, wide) is None  # 41 indices
    # What is outside of the float uniforms is another register, as where an index wraps.
    moved = m.integer_add(whole, m.integer(94))
    wrapped = reach(m, m.integer_select(m.integer_within(moved, 0, 95), moved, m.integer(7)))
    assert wrapped is not None
    assert {pair for pair in wrapped.indices if pair[0] != infinite} == {(0, 94), (1, 95), (2, 7)}


def test_ranges_of_many_terms_that_share_operands():
    m = Terms(Asked(HARDWARE))
    a, b = (m.min(m.constant(2.0), m.max(m.constant(0.0), part)) for part in m.inputs[0][:2])
    for _ in range(40):
        a, b = m.max(a, b), m.min(a, b)
    found = whole_numbers(m, a)
    assert found is not None
    assert {0, 1, 2} <= {*found} <= {0, 1, 2, m.numbers().to_integer(m.numbers().negate(0x7F0000))}


def _shader(first: int, clamp: str = "", values: str = "1.0, 2.0, 3.0, 4.0") -> lw.pica200.Shader:
    """A table of three rows in registers of its own, read by an index that is held within it, or not."""
    rows = "\n".join([f".setf c{first + n}({values if n == 1 else f'{n}.0, 0.5, 0.0, 1.0'})" for n in range(3)])
    clamp = clamp or "max r0.x, bounds.x, a.x\n    min r0.x, bounds.y, r0.x"
    return lw.assemble(f""".constf bounds(0.0, 2.0, 0.0, 1.0)
{rows}
.in a v0
.out pos position
.proc main
    {clamp}
    mova a0.x, r0.x
    mov pos, c{first}[a0.x]
    end
.end
""").vertex


@pytest.mark.parametrize("other", [70, 40])
def test_tables_in_other_registers(other: int):
    """Equal while the index stays in the table, and only where its rows are equal and known."""
    table = _shader(70)
    assert table.equivalent(_shader(other), constants_known=True).verdict == "equal"
    assert table.equivalent(_shader(other, values="1.0, 2.0, 3.0, 4.5"), constants_known=True).verdict == "differs"
    if other != 70:
        assert table.equivalent(_shader(other)).verdict != "equal"
        free = "mov r0.x, a.x\n    nop"
        assert _shader(70, free).equivalent(_shader(other, free), constants_known=True).verdict != "equal"


def test_an_index_that_may_leave_its_table_at_minus_infinity():
    """Where max(0, -inf) is -inf the index is 0 or wraps, as the profile says: of both programs alike."""
    profile: Profile = HARDWARE.replace(max_zero_neg_inf="-inf")
    assert _shader(70).equivalent(_shader(40), profile=profile, constants_known=True).verdict == "equal"


def _summing(row: str, step: int) -> lw.pica200.Shader:
    """A loop whose count the application sets; the file has its start and step."""
    return lw.assemble(f""".fvec rows[4]
.ivec n
.seti i0(0, 0, {step}, 0)
.in a v0
.out pos position
.proc main
    mov r0, a
    for n
        add r0, {row}, r0
    .end
    mov pos, r0
    end
.end
""").vertex


def test_a_count_with_a_name_is_the_applications():
    """Its preset is not one turn, also where constants are known; start and step are."""
    table = _summing("rows[aL]", 1)
    assert table.equivalent(_summing("rows[aL]", 1), constants_known=True, profile="hardware").verdict == "equal"
    found = table.equivalent(_summing("rows[0]", 1), constants_known=True, profile="hardware")
    assert found.verdict == "differs"
    assert found.example is not None
    (count,) = [setting for setting in found.example.uniforms if setting.register == "i0"]
    assert len(count.values) == 1
    assert int(count.values[0]) > 0
    assert table.equivalent(_summing("rows[aL]", 0), constants_known=True, profile="hardware").verdict == "differs"
    assert (
        _summing("rows[aL]", 0).equivalent(_summing("rows[0]", 1), constants_known=True, profile="hardware").verdict == "equal"
    )
