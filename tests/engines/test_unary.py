"""RCP, RSQ, EX2, LG2 and FLR of float24 words on the compiled engine: digests of what they give are those of the reference.

One word in 64 of each exponent; in an exhaustive run all 2**24.

What speculative kernels do not flag must be equal to what exact kernels give, and that has the digest. The digests in
unary_digests.json come from `engines.unary`, which `nox -s exhaustive` runs again.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from effort import EXHAUSTIVE
from engines.kernels import LEVELS, NO_UNIFORMS, UNKNOWN, Kernels, need_level
from engines.shaders import descriptor, word
from engines.unary import BLOCK, COUNT, FUNCTIONS, ROUNDINGS, SAMPLE, SAMPLED, digest, function, profile, recorded
from lanewise.core.engines import LLVM
from lanewise.llvm.movement import PACKED, Layout
from lanewise.llvm.target import Target
from lanewise.pica200.engine.binding import Column, Columns, Inputs
from lanewise.pica200.engine.float24 import decode_all, encode_all
from lanewise.pica200.engine.run import Runner

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.llvm.text import Name, Text

PIECE = 1 << 17
# At least so many words are done by speculative code: those from 2**-24 to 2**24, of positive ones alone for roots and
# logarithms. EX2 gives more than 2**24 from 24 on.
ACCEPTED = {"rcp": 80 * BLOCK, "rsq": 80 * BLOCK, "ex2": 130 * BLOCK, "lg2": 80 * BLOCK, "flr": 160 * BLOCK}
RECORDED = recorded()
WORDS = COUNT if EXHAUSTIVE else len(SAMPLE)


@cache
def all_words() -> NDArray[np.uint32]:
    return np.arange(COUNT, dtype=np.uint32) if EXHAUSTIVE else np.array(SAMPLE, np.uint32)


@cache
def all_numbers() -> NDArray[np.float32]:
    return decode_all(all_words())


def kernels(name: str, rounding: str, level: str) -> Kernels:
    words = [word(name, dst=0, src1=0), word("end")]
    return Kernels.of(words, [descriptor(8)], profile(rounding), ((0, Layout(PACKED, 1)),), level)


def swept(name: str, rounding: str, level: str) -> tuple[NDArray[np.uint32], int]:
    """What the exact kernel gives of all words, and how many of them the speculative kernel accepts, after a comparison of the
    two."""
    mine = kernels(name, rounding, level)
    numbers = all_numbers()
    found = np.empty(WORDS, np.uint32)
    exact, speculative = np.empty((2, PIECE, 4), np.float32)
    accepted = 0
    for start in range(0, WORDS, PIECE):
        inputs = {0: numbers[start : start + PIECE, np.newaxis]}
        call = mine.call(inputs, {0: exact}, {}, PIECE)
        mine.exactly(call)
        assert not call.bailed()
        found[start : start + PIECE] = encode_all(exact[:, 0])
        if not mine.compiled.speculates(mine.table):
            continue
        call = mine.call(inputs, {0: speculative}, {}, PIECE)
        flagged = call.run()
        assert not call.bailed()
        assert flagged == len(set(call.flagged.tolist()))
        usual = np.ones(PIECE, np.bool_)
        for first in call.flagged.tolist():
            usual[first : first + min(call.kernel.width, BLOCK)] = False
        accepted += int(usual.sum())
        differing = usual & (exact[:, 0].view(np.uint32) != speculative[:, 0].view(np.uint32))
        assert not differing.any(), described(
            name, rounding, int(all_words()[start + int(differing.argmax())]), speculative[:, 0], int(differing.argmax())
        )
    return found, accepted


def described(name: str, rounding: str, given: int, numbers: NDArray[np.float32], place: int) -> str:
    wanted = function(name, rounding)(given)
    return (
        f"speculative {name}, rounding {rounding}, of {given:06X}: {int(encode_all(numbers)[place]):06X}, but reference "
        f"{wanted:06X}"
    )


def check(name: str, rounding: str, words: NDArray[np.uint32]) -> None:
    """Compare results with the digest; where they differ, say of which words."""
    pieces = (words[start : start + PIECE].astype("<u4").tobytes() for start in range(0, WORDS, PIECE))
    if digest(pieces) == RECORDED[rounding if EXHAUSTIVE else SAMPLED + rounding][name]:
        return
    of = function(name, rounding)
    rng = np.random.default_rng(1)
    sample = np.unique(np.concatenate([rng.integers(0, WORDS, 300_000), np.arange(0, WORDS, 0x1FFF)])).tolist()
    pairs = [(int(all_words()[place]), int(words[place])) for place in sample]
    wrong = [f"{given:06X}: {made:06X}, not {of(given):06X}" for given, made in pairs if made != of(given)]
    raise AssertionError(f"{name}, rounding {rounding}: {len(wrong)} of {len(sample)} words differ: {'; '.join(wrong[:10])}")


# Everything on the native processor; on less of it each function once, in an exhaustive run everything too.
SWEEPS = [
    (rounding, name, level)
    for rounding in ROUNDINGS
    for number, name in enumerate(FUNCTIONS)
    for level in LEVELS
    if EXHAUSTIVE or level == "native" or (rounding, level) == (ROUNDINGS[number % 2], LEVELS[1 + number % 2])
]


@pytest.mark.parametrize(("rounding", "name", "level"), SWEEPS)
def test_kernels_of_all_words(rounding: str, name: str, level: str):
    need_level(level)
    found, accepted = swept(name, rounding, level)
    check(name, rounding, found)
    assert ACCEPTED[name] * WORDS // COUNT <= accepted < WORDS


# Each function in one of the roundings, in an exhaustive run in both.
TURNS = [
    (rounding, name)
    for rounding in ROUNDINGS
    for number, name in enumerate(FUNCTIONS)
    if EXHAUSTIVE or rounding == ROUNDINGS[number % 2]
]


@pytest.mark.parametrize(("rounding", "name"), TURNS)
def test_kernels_that_round_by_themselves(rounding: str, name: str):
    """Of a processor that cannot be told how to round: exact kernels alone."""
    found, accepted = swept(name, rounding, UNKNOWN)
    check(name, rounding, found)
    assert accepted == 0


@pytest.mark.parametrize(("rounding", "name"), TURNS)
def test_runs_of_all_words(rounding: str, name: str):
    """Four words to a vertex: an instruction for each component."""
    words = [word(name, dst=0, src1=0, desc=component) for component in range(4)]
    descriptors = [descriptor(8 >> component, selectors=[0x55 * component] * 3) for component in range(4)]
    rules = profile(rounding)
    runner = Runner([*words, word("end")], descriptors, 0, rules)
    found = np.empty((WORDS // 4, 4), np.uint32)
    piece = min(PIECE, len(found))
    given = all_words().reshape(-1, 4)
    for start in range(0, len(found), piece):
        inputs = Inputs(Columns({0: Column(given[start : start + piece], raw=True, profile=rules)}, piece), piece)
        result = runner.run(inputs, NO_UNIFORMS, (), (0,), 1000, engine=LLVM)
        assert (result.engine, result.faults) == (LLVM, ())
        found[start : start + piece] = result.bits["o0"]
    check(name, rounding, found.reshape(-1))


def test_a_sample_of_words_again_by_the_reference():
    """The digests in the tree are of the reference engine as it is now."""
    for rounding in ROUNDINGS:
        for name in FUNCTIONS:
            of = function(name, rounding)
            given = all_words()[:: 100_003 * WORDS // COUNT]
            words = np.array([of(word) for word in given.tolist()], np.uint32)
            found = np.empty(len(words), np.uint32)
            mine = kernels(name, rounding, "native")
            numbers = np.ascontiguousarray(decode_all(given)[:, np.newaxis])
            output = np.empty((len(words), 4), np.float32)
            mine.exactly(mine.call({0: numbers}, {0: output}, {}, len(words)))
            found[:] = encode_all(output[:, 0])
            assert np.array_equal(found, words), name


@pytest.mark.parametrize("tilt", (-1.0, -0.5, 0.5, 1.0))
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_roots_of_any_estimate(rounding: str, tilt: float, monkeypatch: pytest.MonkeyPatch):
    """Processors may differ in their estimates of roots, which are off by 2**-14 at most: results are right to the last place
    with each."""
    need_level("avx512")

    def estimate(target: Target, text: Text, a: Name) -> Name:
        root = text.fdiv(text.number(1.0), text.unary("sqrt", a))
        return text.fmul(root, text.number(1.0 + tilt * 2.0**-14))

    monkeypatch.setattr(Target, "rsq_estimate", estimate)
    mine = kernels("rsq", rounding, "avx512")
    # Of each mantissa with an even and an odd exponent: 1 to 4.
    numbers = decode_all(np.arange(63 << 16, 65 << 16, dtype=np.uint32))
    assert (numbers.size, numbers[0], numbers[-1]) == (PIECE, 1.0, 4.0 - 2.0**-15)
    exact, speculative = np.empty((2, PIECE, 4), np.float32)
    mine.exactly(mine.call({0: numbers[:, np.newaxis]}, {0: exact}, {}, PIECE))
    assert mine.call({0: numbers[:, np.newaxis]}, {0: speculative}, {}, PIECE).run() == 0
    assert np.array_equal(exact, speculative)
