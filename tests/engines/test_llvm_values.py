"""The compiled engine on values that speculation cannot do: it does those vectors again exactly, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from engines.both import same
from engines.compiled_runs import GT, NOBODY, X_IS_TRUE, compare, counted, levels, ran, scalars
from engines.kernels import NO_UNIFORMS
from engines.shaders import PLAIN, descriptor, word
from lanewise.core.engines import LLVM, REFERENCE
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.file import read_file
from lanewise.pica200.engine.binding import Column, Columns, Inputs
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.isa.codec import decode, encode
from lanewise.pica200.isa.table import FLOAT, TEMPORARY
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Sequence

R, C = TEMPORARY, FLOAT
END = word("end")


@pytest.fixture(params=levels())
def level(request: pytest.FixtureRequest) -> str:
    return request.param


TINY = 2.0**-70  # a subnormal float24
SEEN = {
    "mov": [word("mov", dst=R, src1=1), word("mov", dst=R + 1, src1=R), word("mov", dst=0, src1=R + 1)],
    "max": [word("max", dst=0, src1=1, src2=NOBODY)],
    "min": [word("min", dst=R, src1=1, src2=NOBODY), word("sge", dst=0, src1=1, src2=NOBODY)],
    "cmp": [compare(GT, 1), word("ifc", dst=3, **X_IS_TRUE), word("mov", dst=1, src1=2), word("mov", dst=0, src1=2)],
    "sge": [word("sge", dst=0, src1=NOBODY, src2=1)],
    "slt": [word("slt", dst=0, src1=NOBODY, src2=1)],
    "litp": [word("litp", dst=0, src1=1)],
    "negated output": [word("mov", dst=0, src1=1, desc=1)],
    "dst": [word("dst", dst=0, src1=1, src2=2)],
}
# Words that flush: nobody can tell a subnormal from zero.
UNSEEN = {
    "add": [word("add", dst=0, src1=1, src2=2)],
    "mul": [word("mul", dst=0, src1=1, src2=2)],
    "mad": [word("mad", dst=0, src1=2, src2=1, src3=2)],
    "dp4": [word("dp4", dst=0, src1=1, src2=2)],
    "ex2": [word("ex2", dst=0, src1=1)],
    "flr": [word("flr", dst=0, src1=1)],
}
DESCRIPTORS = (PLAIN, descriptor(negate=(True, False, False)))


def _of_uniform(words: Sequence[int], row: int = 0, **fields: int) -> list[int]:
    """The program with a uniform in place of v1, which goes through a temporary."""
    # mov keeps subnormals, so the temporary holds what the uniform did.
    return [word("mov", dst=R + 7, src1=C + row, **fields), *[_renamed(w) for w in words]]


def _renamed(value: int) -> int:
    inst = decode(value)
    if "src" not in inst.op.operands:
        return encode(inst.replace(dst=inst.field("dst") + 1)) if inst.has("dst") else value
    return encode(inst.replace(**{f"src{n}": R + 7 for n in (1, 2, 3) if inst.has(f"src{n}") and inst.field(f"src{n}") == 1}))


@pytest.mark.one_of(5)
@pytest.mark.parametrize("name", SEEN)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_subnormal_attribute_that_somebody_sees(name: str, sign: int, level: str):
    words = [*SEEN[name], END]
    data = {1: counted(50) + 1, 2: counted(50) + 2}
    assert ran(words, data, descriptors=DESCRIPTORS, level=level).repeated == 0
    data[1][20] = 0
    data[1][21] = -0.0
    assert ran(words, data, descriptors=DESCRIPTORS, level=level).repeated == 0, "zeros are plain"
    data[1][20] = sign * TINY
    found = ran(words, data, descriptors=DESCRIPTORS, level=level)
    assert found.repeated == 1, "the vector with the subnormal, and no other"
    assert found.ordinary
    data[1][3] = sign * TINY
    assert ran(words, data, descriptors=DESCRIPTORS, level=level).repeated == 2


@pytest.mark.one_of(3)
@pytest.mark.parametrize("name", UNSEEN)
def test_a_subnormal_attribute_that_is_flushed(name: str, level: str):
    data = {1: counted(50) % 5 + 1, 2: counted(50) + 2}
    data[1][20] = TINY
    assert not ran([*UNSEEN[name], END], data, level=level).exact


@pytest.mark.parametrize("rounding", ["zero", "nearest"])
@pytest.mark.parametrize("signs", ["unseen", "ieee"])
def test_flr_of_a_subnormal_is_what_the_profile_says(signs: str, rounding: str, level: str):
    """Flushed it is ordinary; kept, that of a negative one is -1, which only the exact kernel knows."""
    data = {1: counted(50) + 2.5}
    data[1][20:23] = [[-TINY], [TINY], [-0.0]]
    for kept, zero in (("flush", 0.0), ("keep", -1.0)):
        rules = HARDWARE.replace(subnormal_floor=kept, negative_zero=signs, rounding=rounding)
        found = ran([word("flr", dst=0, src1=1), END], data, {}, profile=rules, level=level)
        assert found.exact == (kept == "keep")
        assert found.result.outputs["o0"][20].tolist() == [zero] * 4


def test_how_many_vectors_are_repeated_does_not_depend_on_threads():
    data = {1: counted(500) + 1}
    data[1][[3, 100, 101, 260, 450]] = TINY
    words = [word("mov", dst=0, src1=1), END]
    assert [ran(words, data, threads=threads).repeated for threads in (1, 2, 5)] == [4, 4, 4]


@pytest.mark.one_of(7)
@pytest.mark.parametrize("name", [*SEEN, *UNSEEN])
@pytest.mark.parametrize("indexed", [False, True])
def test_subnormal_uniforms(name: str, indexed: bool, level: str):
    """The call is exact if somebody sees the subnormal; not if all flush it, if nobody reads that uniform, or if it is zero."""
    fields = {"idx": 1} if indexed else {}
    program = (SEEN | UNSEEN)[name]
    words = [
        *([word("mova", src1=4)] if indexed else [word("nop")]),
        *_of_uniform([_shifted(w) for w in program], 3, **fields),
        END,
    ]
    data = {2: counted(40) + 2, 4: counted(40) % 3}
    numbers = {n: [1.5] * 4 for n in range(96)}
    for value in (0.0, -0.0, 1.0):
        assert not ran(words, data, numbers | {3: [value] * 4}, descriptors=DESCRIPTORS, level=level).exact
    tiny = ran(words, data, numbers | {3: [TINY] * 4}, descriptors=DESCRIPTORS, level=level)
    assert tiny.exact == (name in SEEN)
    other = ran(words, data, numbers | {50: [TINY] * 4}, descriptors=DESCRIPTORS, level=level)
    assert other.exact == (name in SEEN and indexed), "an index might lead there"


def _shifted(value: int) -> int:
    """For a program that begins one word later."""
    inst = decode(value)
    return encode(inst.replace(dst=inst.field("dst") + 1)) if "block" in inst.op.operands else value


def test_a_subnormal_constant_of_the_file():
    source = ".constf k(1.5, 0, 1, 2)\n.in value v0\n.out pos position\n.proc main\n    max pos, k, value\n    end\n.end\n"
    data = assemble_sources([("k.v.pica", source)]).data
    assert data is not None
    assert data.count(b"\x00\x80\x3f\x00") == 1  # 1.5 as float24
    shader = read_file(data.replace(b"\x00\x80\x3f\x00", b"\x01\x00\x00\x00"), "k.shbin").vertex
    zeros = {"v0": np.zeros((40, 4), np.float32)}
    found = shader.run(zeros, engine="llvm")
    same(shader.run(zeros, engine="reference"), found)
    assert found.bits["position"][:, 0].tolist() == [1] * 40


@pytest.mark.one_of(3)
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan, 3.0e38, -3.0e38, 2.0**64, 2.0**30])
def test_values_that_are_not_ordinary(bad: float, level: str):
    words = [
        word("mul", dst=R, src1=0, src2=1),
        word("add", dst=0, src1=R, src2=0),
        word("rcp", dst=1, src1=0),
        word("dp4", dst=2, src1=R, src2=1),
        word("sge", dst=3, src1=R, src2=0),
        END,
    ]
    data = {0: counted(40) + 1, 1: counted(40) + 2}
    assert ran(words, data, level=level).repeated == 0
    data[0][17, 2] = bad
    data[1][17, 2] = 0
    assert ran(words, data, level=level).repeated == 1
    uniform = [word("mul", dst=0, src1=C, src2=1), END]
    assert not ran(uniform, {1: data[1]}, {0: [1.0, bad, 0.0, 2.0]}, level=level).ordinary


def test_results_that_overflow_are_done_again(level: str):
    """Ordinary numbers whose product is not: 2^20 squared three times is beyond float24."""
    words = [word("mov", dst=R, src1=0), *[word("mul", dst=R, src1=R, src2=R)] * 3, word("mul", dst=0, src1=R, src2=1), END]
    data = {0: scalars(*[1.5] * 40), 1: scalars(*[0.0] * 40)}
    data[0][20] = 2.0**20
    found = ran(words, data, level=level)
    assert found.repeated == 1
    assert found.result.outputs["o0"][20].tolist() == [0.0] * 4  # inf * 0


@pytest.mark.parametrize("pattern", [0x7F800001, 0xFF800001, 0x7FC12345, 0xFFC00000, 0x7FFFFFFF])
@pytest.mark.parametrize("name", ["add", "mul", "mad", "dp4"])
def test_a_nan_of_float32_keeps_its_pattern(name: str, pattern: int):
    """Also beside 1.0 and 0, which LLVM would leave out, and negated, which it would subtract."""
    nan = np.full((20, 4), pattern, np.uint32).view(np.float32)
    profile = HARDWARE.replace(
        rounding="float32", nan_pattern="kept", negative_zero="ieee", subnormal_arithmetic="keep", subnormal_floor="keep"
    )
    operands = {"src1": 1, "src2": 0, **({"src3": 2} if name == "mad" else {})}
    for first, second in (("src1", "src2"), ("src2", "src1")):
        sources = operands | {"src1": operands[first], "src2": operands[second]}
        for negated in (0, 1):
            words = [
                word("mov", dst=R, src1=sources["src1"], desc=negated),
                word(name, dst=0, **sources),
                word(name, dst=1, **(sources | {"src1": R})),
                word(name, dst=2, **sources, desc=1),
                END,
            ]
            # Of v0 there is x alone: y and z are 0, w is 1.
            data = {0: counted(20)[:, :1] + 1, 1: nan, 2: counted(20)}
            ran(words, data, descriptors=DESCRIPTORS, profile=profile)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("overflow", ["infinity", "largest"])
@pytest.mark.parametrize("signs", ["unseen", "ieee"])
@pytest.mark.parametrize("rounding", ["zero", "nearest"])
def test_exact_sums_and_products_at_the_ends_of_the_range(rounding: str, signs: str, overflow: str, level: str):
    """Where results overflow, are flushed, cancel, or lie in the middle between two numbers, by exact kernels."""
    rng = np.random.default_rng(11)
    rules = HARDWARE.replace(rounding=rounding, negative_zero=signs, overflow=overflow, nan_pattern="kept")
    count = 600
    mantissas = rng.choice([0, 1, 0x8000, 0x7FFF, 0x8001, 0xFFFF, 0xFFFE], (3, count, 4))
    mantissas = np.where(rng.random((3, count, 4)) < 0.5, mantissas, rng.integers(0, 1 << 16, (3, count, 4)))
    first = rng.integers(0, 128, (count, 4))
    # The exponents of products are those of the smallest and of the largest numbers, and some between.
    sums = rng.choice([62, 63, 64, 65, 100, 126, 188, 189, 190, 191, 192], (count, 4))
    second = np.clip(sums - first, 0, 127)
    third = np.clip(first + rng.integers(-18, 19, (count, 4)), 0, 127)
    signs_of = rng.integers(0, 2, (3, count, 4))
    words = (signs_of << 23 | np.stack([first, second, third]) << 16 | mantissas).astype(np.uint32)
    inputs = {n: Column(words[n], raw=True, profile=rules) for n in range(3)}
    program = [
        word("mul", dst=0, src1=0, src2=1),
        word("add", dst=1, src1=0, src2=2),
        word("mad", dst=2, src1=0, src2=1, src3=2),
        word("mov", dst=3, src1=C),
        END,
    ]
    uniforms = NO_UNIFORMS._replace(floats=((0x7F0000,) * 4,) * 96)
    runner = Runner(program, [PLAIN], 0, rules, level)
    bound = Inputs(Columns(inputs, count), count)
    wanted, found = (runner.run(bound, uniforms, (), range(4), 1000, engine=engine) for engine in (REFERENCE, LLVM))
    same(wanted, found)
