"""Whole programs on the reference engine: operands, indexing, write-back, what is left behind."""

import pytest

from engines.shaders import PLAIN, ZEROS, descriptor, finish, program, run, splat, vector, word
from lanewise.api.findings import findings as codes
from lanewise.core.numbers.floats import NAN, ONE
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.isa.table import FLOAT, OPS, TEMPORARY
from lanewise.pica200.sem.meaning import MEANING

CODES = codes()

R, C = TEMPORARY, FLOAT
END = word("end")
A = vector(1.0, 2.0, 3.0, 4.0)
ONES = splat(ONE)


def test_every_instruction_has_a_meaning_or_a_flow():
    flow = {"break", "nop", "end", "breakc", "call", "callc", "callu", "ifu", "ifc", "for", "emit", "setemit", "jmpc", "jmpu"}
    assert {op.base for op in OPS} == set(MEANING) | flow
    assert all(set(op.writes) <= {"dst", "cmp", "a0"} for op in OPS)


def test_registers_start_at_zero():
    lane = run([word("mov", dst=0, src1=R + 3), word("mov", dst=1, src1=5), END])
    assert lane.outputs == (ZEROS,) * 16
    assert lane.written == (0xF, 0xF) + (0,) * 14
    assert (lane.steps, lane.fault) == (3, None)


def test_a_run_leaves_nothing_for_the_next():
    engine = Reference([word("mov", dst=0, src1=R), word("mov", dst=R, src1=0), END], [PLAIN], 0)
    uniforms = [ZEROS] * 96, [ZEROS] * 4, [False] * 16
    assert engine.run({0: A}, *uniforms) == engine.run({0: A}, *uniforms)
    assert engine.run({0: A}, *uniforms).outputs[0] == ZEROS


def test_changed_uniforms_are_seen():
    engine = Reference([word("mov", dst=0, src1=C), END], [PLAIN], 0)
    floats = [A] * 96
    assert engine.run({}, floats, [ZEROS] * 4, [False] * 16).outputs[0] == A
    floats[0] = ONES
    assert engine.run({}, floats, [ZEROS] * 4, [False] * 16).outputs[0] == ONES


@pytest.mark.parametrize("mask", range(16))
def test_write_mask(mask: int):
    lane = run([word("mov", dst=2), END], descriptors=[descriptor(mask)], inputs={0: A})
    assert lane.outputs[2] == tuple(A[i] if mask & 8 >> i else 0 for i in range(4))
    assert lane.written[2] == mask


def test_masks_of_several_writes_add_up_and_temporaries_keep_the_rest():
    words = [
        word("mov", dst=R, src1=0),
        word("mov", dst=R, src1=1, desc=1),
        word("mov", dst=0, src1=R, desc=1),
        word("mov", dst=0, src1=R, desc=2),
        END,
    ]
    lane = run(words, descriptors=[descriptor(), descriptor(0b1001), descriptor(0b0010)], inputs={0: A, 1: ONES})
    assert lane.outputs[0] == (ONE, 0, A[2], ONE)
    assert lane.written[0] == 0b1011


@pytest.mark.parametrize("selector", [0x1B, 0x00, 0x55, 0xE4, 0xC6])
def test_selector(selector: int):
    lane = run([word("mov"), END], descriptors=[descriptor(selectors=(selector, 0x1B, 0x1B))], inputs={0: A})
    assert lane.outputs[0] == tuple(A[selector >> shift & 3] for shift in (6, 4, 2, 0))


def test_negation_is_per_source():
    words = [word("mad", dst=0, src1=0, src2=1, src3=2), END]
    inputs = {0: splat(vector(2.0)[0]), 1: splat(vector(3.0)[0]), 2: ONES}
    for bits in range(8):
        signs = [-1.0 if bits & 1 << i else 1.0 for i in range(3)]
        lane = run(words, descriptors=[descriptor(negate=[sign < 0 for sign in signs])], inputs=inputs)
        assert lane.outputs[0] == splat(vector(2.0 * signs[0] * 3.0 * signs[1] + signs[2])[0])


def test_the_sign_of_zero_and_the_kinds_of_nan_are_never_seen():
    odd = (0x800000, 0x7F0001, 0xFFFFFF, 0xFF8000)
    words = [word("mov", dst=0), word("mov", dst=1, src1=C), word("mov", dst=2, src1=5, desc=1), END]
    lane = run(words, descriptors=[PLAIN, descriptor(negate=(True, False, False))], inputs={0: odd}, floats={0: odd})
    assert lane.outputs[0] == lane.outputs[1] == (0, NAN, NAN, NAN)
    assert lane.outputs[2] == ZEROS


def test_sources_are_read_before_anything_is_written():
    words = [word("mov", dst=R, src1=0), word("add", dst=R, src1=R, src2=R, desc=1), word("mov", dst=0, src1=R), END]
    lane = run(words, descriptors=[PLAIN, descriptor(selectors=(0x1B, 0xE4, 0x1B))], inputs={0: A})
    assert lane.outputs[0] == splat(vector(5.0)[0])
    # MOVA may be indexed by the register it writes.
    words = [word("mova", src1=0), word("mova", src1=C, idx=1), word("mov", dst=0, src1=C, idx=1), END]
    lane = run(words, inputs={0: vector(3.0)}, floats={3: vector(7.0), 7: A})
    assert lane.outputs[0] == A


def test_mova_respects_its_mask():
    words = [
        word("mova", src1=0),
        word("mova", src1=1, desc=1),
        word("mov", dst=0, src1=C, idx=1),
        word("mov", dst=1, src1=C, idx=2),
        END,
    ]
    floats = {n: vector(float(n)) for n in range(96)}
    lane = run(words, descriptors=[PLAIN, descriptor(0b0100)], inputs={0: vector(5.0, 6.0), 1: vector(7.0, 8.0)}, floats=floats)
    assert (lane.outputs[0], lane.outputs[1]) == (vector(5.0), vector(8.0))


def test_an_index_on_inputs_and_temporaries_is_ignored():
    words = [word("mova", src1=0), word("mov", dst=0, src1=1, idx=1), word("mov", dst=1, src1=R + 1, idx=1), END]
    lane = run(words, inputs={0: vector(1.0), 1: A, 2: ONES})
    assert (lane.outputs[0], lane.outputs[1]) == (A, ZEROS)


@pytest.mark.parametrize(
    ("name", "wide", "narrow"),
    [
        ("add", "src1", "src2"),
        ("max", "src1", "src2"),
        ("sgei", "src2", "src1"),
        ("dphi", "src2", "src1"),
        ("dsti", "src2", "src1"),
    ],
)
def test_the_index_belongs_to_the_wide_source(name: str, wide: str, narrow: str):
    floats = {40: ONES, 41: splat(vector(9.0)[0])}
    plain = run([word(name, **{wide: C + 41, narrow: 1}), END], inputs={1: A}, floats=floats)
    indexed = run(
        [word("mova", src1=0), word(name, **{wide: C + 40, narrow: 1}, idx=2), END],
        inputs={0: vector(0.0, 1.0), 1: A},
        floats=floats,
    )
    assert plain.outputs[0] == indexed.outputs[0]
    other = run([word(name, **{wide: C + 40, narrow: 1}), END], inputs={1: A}, floats=floats)
    assert other.outputs[0] != plain.outputs[0]


@pytest.mark.parametrize(("name", "wide"), [("mad", "src2"), ("madi", "src3")])
def test_the_index_of_mad(name: str, wide: str):
    fields = {"src1": 1, "src2": 1, "src3": 1} | {wide: C + 40}
    floats = {40: ONES, 41: splat(vector(9.0)[0])}
    lane = run([word("mova", src1=0), word(name, **fields, idx=2), END], inputs={0: vector(0.0, 1.0), 1: A}, floats=floats)
    same = run([word(name, **(fields | {wide: C + 41})), END], inputs={1: A}, floats=floats)
    assert lane.outputs[0] == same.outputs[0]
    assert lane.outputs[0] != run([word(name, **fields), END], inputs={1: A}, floats=floats).outputs[0]


def test_al_indexes_and_stays_readable_after_the_loop():
    # Sum c10, c12, c14 in a loop; afterwards aL is 6.
    words = [
        word("for", dst=1, reg=1),
        word("add", dst=R, src1=C + 10, src2=R, idx=3),
        word("mov", dst=0, src1=R),
        word("mov", dst=1, src1=C + 10, idx=3),
        END,
    ]
    floats = {n: splat(vector(float(n))[0]) for n in range(96)}
    lane = run(words, floats=floats, integers={1: (2, 0, 2, 99)})
    assert lane.outputs[0] == splat(vector(36.0)[0])
    assert lane.outputs[1] == floats[16]


def test_al_beyond_a_byte_counts_as_no_offset():
    words = [word("for", dst=1), word("nop"), word("mov", dst=0, src1=C + 10, idx=3), END]
    floats = {n: splat(vector(float(n))[0]) for n in range(96)}
    assert run(words, floats=floats, integers={0: (0, 100, 27, 0)}).outputs[0] == floats[(10 + 127) & 0x7F]
    assert run(words, floats=floats, integers={0: (0, 100, 29, 0)}).outputs[0] == floats[10]


def test_mad_rounds_twice_and_dot_products_sum_left_to_right():
    # (1 + 2**-9)**2 = 1 + 2**-8 + 2**-18: the last term is cut from the product, and would be kept in a fused sum.
    x = ONE + (1 << 7)
    lane = run([word("mad", src1=0, src2=1, src3=2), END], inputs={0: splat(x), 1: splat(x), 2: splat(vector(-1.0)[0])})
    assert lane.outputs[0] == splat(vector(2.0**-8)[0])
    # What is added to 2**20 is lost, what comes after -2**20 is not.
    big = 2.0**20
    lane = run([word("dp4", src1=0, src2=1), END], inputs={0: vector(big, -big, 0.0625, 0.0625), 1: ONES})
    assert lane.outputs[0] == splat(vector(0.125)[0])
    lane = run([word("dp4", src1=0, src2=1), END], inputs={0: vector(0.0625, big, -big, 0.0625), 1: ONES})
    assert lane.outputs[0] == splat(vector(0.0625)[0])
    lane = run([word("dp3", src1=0, src2=1), END], inputs={0: vector(1.0, 2.0, 3.0, 99.0), 1: ONES})
    assert lane.outputs[0] == splat(vector(6.0)[0])


def test_dst_and_dsti():
    inputs = {0: vector(9.0, 2.0, 3.0, 5.0), 1: vector(8.0, 4.0, 6.0, 7.0)}
    for name in ("dst", "dsti"):
        assert run([word(name, src1=0, src2=1), END], inputs=inputs).outputs[0] == vector(1.0, 8.0, 3.0, 7.0)


def test_mov_keeps_subnormals_and_arithmetic_flushes_them():
    small = splat(0x00FFFF)
    inputs = {0: small, 1: ONES}
    for name in ("mov", "max"):
        assert run([word(name, src1=0, **({"src2": 5} if name == "max" else {})), END], inputs=inputs).outputs[0] == small
    assert run([word("min", src1=0, src2=1), END], inputs=inputs).outputs[0] == small
    assert run([word("sge", src1=5, src2=0), END], inputs=inputs).outputs[0] == ZEROS
    for name in ("add", "mul"):
        assert run([word(name, src1=0, src2=5), END], inputs=inputs).outputs[0] == ZEROS
    assert run([word("flr", src1=0), END], inputs=inputs).outputs[0] == ZEROS


def test_litp_writes_flags_whatever_the_mask():
    words = [
        word("litp", dst=0, src1=0, desc=1),
        word("jmpc", dst=3, condop=1, refx=1, refy=0),
        END,
        word("mov", dst=1, src1=0),
        END,
    ]
    lane = run(words, descriptors=[PLAIN, descriptor(0b0100)], inputs={0: vector(0.0, -500.0, 1.0, -1.0)})
    assert lane.outputs[0] == vector(0.0, -127.99609375)
    assert lane.written[0] == 0b0100
    assert lane.written[1] == 0xF


@pytest.mark.parametrize(
    ("words", "code", "pc", "step"),
    [
        (program(3, {1: word("jmpu", dst=1)}), "R010", 1, 3),
        ([word("nop"), word("break")], "R002", 1, 1),
        ([word("nop"), word("nop")], "R003", 2, 2),
        ([word("jmpu", dst=4000), END], "R003", 4000, 1),
        ([word("nop"), 0x40000000, END], "R004", 1, 1),
        ([word("mov", desc=2), END], "R005", 0, 0),
        ([word("mad", desc=31), END], "R005", 0, 0),
        ([word("cmp", desc=127), END], "R005", 0, 0),
        ([], "R003", 0, 0),
    ],
)
def test_faults(words: list[int], code: str, pc: int, step: int):
    lane = run(words, descriptors=[PLAIN, PLAIN], budget=50)
    assert lane.fault is not None
    assert (lane.fault.code, lane.fault.pc, lane.fault.step, lane.steps) == (code, pc, step, step)
    assert lane.fault.message.startswith(f"{CODES[code].title} at word {pc}: ")


def test_the_budget_message_names_the_rings():
    words = program(
        6, {0: word("call", dst=1, num=4), 1: word("ifu", dst=5, num=3), 2: word("for", dst=3), 3: word("jmpu", dst=2)}
    )
    lane = run(words, integers={0: (255, 0, 0, 0)}, budget=9)
    assert lane.fault is not None
    assert "CALL until 5 then 1" in lane.fault.message
    assert "IF until 5 then 8" in lane.fault.message
    assert "LOOP of i0 from 3 until 4" in lane.fault.message


def test_the_budget_is_just_enough():
    words = program(5, {})
    assert run(words, budget=5).fault is None
    assert run(words, budget=4).fault is not None


def test_outputs_survive_a_fault():
    lane = run([word("mov", dst=3), word("break")], inputs={0: A})
    assert lane.outputs[3] == A
    assert lane.written[3] == 0xF
    assert lane.fault is not None


def test_wrong_sizes_are_refused():
    engine = Reference([END], [PLAIN], 0)
    good = ([ZEROS] * 96, [ZEROS] * 4, [False] * 16)
    for bad in (([ZEROS] * 95, *good[1:]), (good[0], [ZEROS] * 3, good[2]), (*good[:2], [False] * 15)):
        with pytest.raises(ValueError, match="96 float, 4 integer and 16 boolean"):
            engine.run({}, *bad)
    with pytest.raises(ValueError, match="bytes"):
        engine.run({}, good[0], [(256, 0, 0, 0)] * 4, good[2])
    with pytest.raises(ValueError, match="v0 to v15"):
        engine.run({16: ZEROS}, *good)
    with pytest.raises(ValueError, match="float24"):
        engine.run({0: splat(1 << 24)}, *good)


def test_steps_say_what_was_written():
    engine = Reference([word("mov", dst=R), word("cmp", cmpx=0, cmpy=1), word("mova"), word("nop"), END], [PLAIN], 0)
    machine = engine.start({0: A}, [ZEROS] * 96, [ZEROS] * 4, [False] * 16)
    steps = [machine.step() for _ in range(5)]
    assert [s.pc for s in steps] == [0, 1, 2, 3, 4]
    assert [dict(s.result) for s in steps] == [{"dst": A}, {"cmp": (True, False)}, {"a0": (1, 2)}, {}, {}]
    assert [s.inst.op.name for s in steps if s.inst] == ["mov", "cmp", "mova", "nop", "end"]
    assert machine.finished
    with pytest.raises(ValueError, match="finished"):
        machine.step()


def test_the_rules_of_flow_reach_the_engine():
    path, machine = finish(program(4, {1: word("jmpu", dst=3)}))
    assert (path, machine.steps) == ([0, 1, 3], 3)
