"""Single roundings of the compiled engine, on pairs of numbers, beside exact integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from effort import times
from engines.compiled_runs import ran
from engines.kernels import LEVELS, need_level
from engines.lanes import Lanes
from engines.roundings import SMALLEST, beside_powers, numbers, product_pairs, products, sum_pairs, sums, zeros
from engines.shaders import word
from engines.unary import profile
from lanewise.llvm import functions
from lanewise.llvm.target import host
from lanewise.pica200.engine.llvm import tiers
from lanewise.pica200.engine.llvm.kernel import clear_mantissas
from lanewise.pica200.engine.llvm.rules import is_clear

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name, Text

WIDE: dict[str, Callable[[Target, Text, Name, Name], Name]] = {
    **{
        how: lambda target, text, a, b, how=how: target.rounded(text, "add", a, b, how)
        for how in ("zero", "up", "down", "nearest")
    },
    "literal": lambda target, text, a, _: target.rounded(text, "mul", a, text.number(1 + 2.0**-20), "up"),
    "larger": lambda target, text, a, b: target.larger(text, a, b),
    "without_nan": lambda target, text, a, b: target.without_nan(text, text.fdiv(a, b)),
}


@pytest.mark.parametrize("name", WIDE)
def test_embedded_rounding_of_32_lanes_is_that_of_16(name: str):
    need_level("avx512")
    target = host("avx512")
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 4096), np.float32)
    a[::17] = b[::17] = 0
    narrow, wide = (Lanes(target, "nearest", lambda text, x, y: WIDE[name](target, text, x, y), width) for width in (16, 32))
    found = narrow(a, b)
    assert np.array_equal(found.view(np.uint32), wide(a, b).view(np.uint32))
    assert len(np.unique(found)) > 3000


MODE = "nearest-flush"
COUNT = times(1 << 12, 1 << 20)  # pairs of each kind
ROUNDING = ("avx512",)
WITHOUT = ("avx2", "sse")


def described(a: NDArray[np.float32], b: NDArray[np.float32], found: NDArray[np.float32], wanted: NDArray[np.float32]) -> str:
    wrong = np.flatnonzero(found.view(np.uint32) != wanted.view(np.uint32))
    sample = [
        f"{float(a[n]).hex()}, {float(b[n]).hex()}: {float(found[n]).hex()}, not {float(wanted[n]).hex()}" for n in wrong[:5]
    ]
    return f"{len(wrong)} of {len(a)}: {'; '.join(sample)}"


def compared(
    lanes: Lanes,
    of: Callable[..., NDArray[np.float32]],
    a: NDArray[np.float32],
    b: NDArray[np.float32],
    *,
    signed: bool = True,
) -> None:
    """`signed`: the sign of a zero counts."""
    found, wanted = lanes(a, b), of(a, b)
    if not signed:
        found, wanted = found + np.float32(0), wanted + np.float32(0)
    assert np.array_equal(found.view(np.uint32), wanted.view(np.uint32)), described(a, b, found, wanted)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("level", ROUNDING)
def test_sums_to_nearest(level: str, signed: bool):
    need_level(level)
    target = host(level)
    lanes = Lanes(target, MODE, lambda text, a, b: functions.nearest_sum(text, a, b, target, signed=signed))
    for a, b in sum_pairs(np.random.default_rng(1), COUNT):
        compared(lanes, sums, a, b, signed=signed)


@pytest.mark.parametrize("level", ROUNDING)
def test_products_to_nearest(level: str):
    need_level(level)
    target = host(level)
    lanes = Lanes(target, MODE, lambda text, a, b: functions.nearest_product(text, a, b, target))
    for a, b in product_pairs(np.random.default_rng(1), COUNT):
        compared(lanes, products, a, b)
    a, b = beside_powers()
    a, b = a[: len(a) & -16], b[: len(a) & -16]
    for power in (0, -126):
        compared(lanes, products, numbers(a, power), numbers(-b, -1))


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("level", WITHOUT)
def test_sums_to_nearest_by_size(level: str, signed: bool):
    need_level(level)
    target = host(level)
    lanes = Lanes(
        target, MODE, lambda text, a, b: functions.nearest_sum_by_size(text, a, b, has_fma=target.has_fma, signed=signed)
    )
    for a, b in [*sum_pairs(np.random.default_rng(1), COUNT), zeros()]:
        compared(lanes, sums, a, b, signed=signed)


def test_products_to_nearest_without_embedded_rounding():
    """x86 flushes after rounding: products just below the smallest number are seen by what the second result is."""
    need_level("avx2")
    near, rough = (
        Lanes(host("avx2"), MODE, lambda text, a, b, n=n: functions.nearest_product_rounded(text, a, b)[n]) for n in (0, 1)
    )
    a, b = beside_powers()
    a, b = a[: len(a) & -16], b[: len(a) & -16]
    smallest = 0
    pairs = [*product_pairs(np.random.default_rng(1), COUNT), (numbers(a, -126), numbers(b, -1))]
    for a, b in pairs:
        usual = np.abs(rough(a, b)) != np.float32(SMALLEST)
        smallest += len(a) - int(usual.sum())
        found, wanted = near(a, b), products(a, b)
        assert np.array_equal(found[usual].view(np.uint32), wanted[usual].view(np.uint32)), described(a, b, found, wanted)
    assert 0 < smallest < sum(len(a) for a, _ in pairs) // 100


@pytest.mark.parametrize("level", LEVELS)
def test_products_of_programs_beside_the_smallest_number(level: str):
    """Just below 2**-62 they are flushed, also where 24 bits have no number between: there AVX2 leaves the vector to exact
    code."""
    need_level(level)
    a, b = beside_powers()
    near = np.abs(a * b - (1 << 33)) <= times(300, 1 << 14)
    x, y = numbers(a[near], -30), numbers(-b[near], -33)
    below = int((a[near] * b[near] < 1 << 33).sum())
    words = [word("mul", dst=0, src1=0, src2=1), word("mad", dst=1, src1=0, src2=1, src3=0), word("end")]
    found = ran(words, {0: x[:, np.newaxis], 1: y[:, np.newaxis]}, profile=profile("nearest"), level=level)
    assert (found.result.outputs["o0"][:, 0] == 0).sum() == below > 100
    assert bool(found.repeated) == (host(level).level == "avx2")


def test_which_numbers_are_clear():
    mantissas = np.arange(1 << 16, 1 << 17, dtype=np.int64)
    below = mantissas * np.minimum((2**33 - 1) // mantissas, (1 << 17) - 1)
    up = below.astype(np.float32) == np.float32(2**33)
    assert np.array_equal(clear_mantissas(), ~up)
    assert np.array_equal([is_clear(mantissa) for mantissa in mantissas.tolist()], ~up)
    assert up.sum() == 222
    squares = mantissas**2
    assert not ((squares < 2**33) & (squares.astype(np.float32) == np.float32(2**33))).any()


@pytest.mark.parametrize("level", LEVELS)
def test_uniforms_that_are_not_clear(level: str, monkeypatch: pytest.MonkeyPatch):
    """Kernels for uniforms that are clear have no look at products; a batch changes from one kernel to the other and back."""
    need_level(level)
    monkeypatch.setenv("LANEWISE_CPU", {"avx512": "x86-64-v4", "avx2": "x86-64-v3", "sse": "x86-64-v2"}.get(level, ""))
    a, b = beside_powers()
    a, b = a[(near := (a * b < 2**33) & (a * b >= 2**33 - 2**8))], b[near]
    one, other, clear = numbers(b[:1], -33)[0], numbers(b[-1:], -33)[0], np.float32(2.0**-33)
    x = numbers(a, -30)[:, np.newaxis]
    shader = lw.assemble(".fvec u\n.in x\n.out o position\n.proc main\n  mul r0, u, x.x\n  mov o, r0\n  end\n.end\n").vertex
    rules = lw.pica200.profiles["hardware"].replace(rounding="nearest")
    compiled = shader.runner(rules).compiled
    compiled.tier = tiers.BEST
    batch = shader.batch({"x": x}, {"u": [clear] * 4}, profile=rules)
    for row in (
        [clear] * 4,
        [one] + [clear] * 3,
        [clear] * 4,
        [clear, other, clear, clear],
        [other] + [clear] * 3,
        [clear] * 4,
    ):
        batch.uniforms["u"][...] = row
        found = batch.run()["position"]
        wanted = shader.run({"x": x}, {"u": row}, profile=rules, engine="reference").outputs["position"]
        assert np.array_equal(found.view(np.uint32), wanted.view(np.uint32)), row
        doubtful = (x * np.array(row, np.float32) == np.float32(2.0**-62)) & (wanted == 0)
        assert doubtful.any() == (row != [clear] * 4)
    assert len({key[-1] for key in compiled.kernels if not key[2]}) == 3
