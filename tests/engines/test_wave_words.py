"""Every word of ShaderCore on the compiled engine, on both devices and on those with one field set otherwise: the reference's
bits."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from effort import times
from engines.kernels import LEVELS, need_level
from engines.wave_words import TWO, WORDS, apply, as_array, devices, edges, kernel, random_patterns
from lanewise.llvm.routines import Routines
from lanewise.llvm.target import host
from lanewise.llvm.text import Text
from lanewise.shadercore.engine.llvm.ops import VectorOps
from lanewise.shadercore.isa.devices import DOCUMENT, PARAMETERS, RTL, Device
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem import numbers as reference
from lanewise.shadercore.sem.algebra import OPERATIONS
from shadercore_cases import MEASURED

if TYPE_CHECKING:
    from collections.abc import Sequence

DEVICES = devices()


def check(device: Device, name: str, a: Sequence[int], b: Sequence[int], level: str = "native") -> None:
    """Compare a word over waves of these values with the reference."""
    rest = -len(a) % LANES
    a, b = [*a, *[a[0]] * rest], [*b, *[b[0]] * rest]
    found = kernel(device, name, level)(as_array(a), as_array(b)).tolist()
    words = reference.WaveOps(device)
    wanted: list[int] = []
    for start in range(0, len(a), LANES):
        wanted += apply(words, name, tuple(a[start : start + LANES]), tuple(b[start : start + LANES]))
    wrong = [
        f"{x:08X}, {y:08X}: {mine:08X}, not {theirs:08X} (lane {n % LANES})"
        for n, (x, y, mine, theirs) in enumerate(zip(a, b, found, wanted, strict=True))
        if mine != theirs
    ]
    assert not wrong, f"{len(wrong)} of {len(a)}: {'; '.join(wrong[:5])}"


def data(name: str, count: int) -> tuple[list[int], list[int]]:
    """Edge patterns with each other and in any order in a wave, and random ones; of two values also near ones, which cancel."""
    rng = random.Random(name)
    near = edges()
    if name in TWO:
        some = rng.sample(near, 60 if count > 100 else 16)
        pairs = [(a, b) for a in some for b in some]
        more = random_patterns(rng, count)
        pairs += zip(more, random_patterns(rng, count), strict=True)
        pairs += [(a, a ^ rng.getrandbits(rng.randrange(27)) ^ rng.getrandbits(1) << 31) for a in more]
        powers = [rng.randrange(1, 255) << 23 | rng.getrandbits(1) << 31 for _ in range(count // 4)]
        pairs += [(a, (a ^ 1 << 31) - 1) for a in powers] + [
            ((a ^ 1 << 31) - 1, a) for a in powers
        ]  # and the number just below it
        return [a for a, _ in pairs], [b for _, b in pairs]
    values = [*near, *rng.sample(near, len(near)), *random_patterns(rng, count)]
    return values, values


@pytest.mark.one_of(3)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("device", [DOCUMENT, RTL], ids=lambda device: device.name)
@pytest.mark.parametrize("name", WORDS)
def test_word(name: str, device: Device, level: str):
    need_level(level)
    check(device, name, *data(name, times(1000, 3000)), level)


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
def test_fields_set_otherwise(device: Device):
    for name in WORDS:
        check(device, name, *data(name, times(30, 300)))


def test_all_answers_about_single_results_are_among_the_devices():
    found = {
        (key, value)
        for device in DEVICES.values()
        for key, value in zip([parameter.key for parameter in PARAMETERS], device.values, strict=True)
    }
    assert {
        (parameter.key, value) for parameter in PARAMETERS if parameter.group == "meaning" for value in parameter.answers
    } <= found


def test_waves_of_few_reciprocals_that_need_the_table():
    """Which quad's sigma is there depends on which lanes need the table: all 2**4 ways of a unit, in each of them."""
    rng = random.Random(16)
    early = (0, 0x80000000, 0x7F800000, 0x7FC00000, 0x3F800000, 0x00000001)
    values: list[int] = []
    for _ in range(40):
        for ways in range(16):
            turned = [ways >> quad & 1 for quad in range(4)]
            values += [
                0x3F800001 + rng.getrandbits(22) if turned[(lane // 4 + lane) % 4] else rng.choice(early)
                for lane in range(LANES)
            ]
    check(RTL, "rcp", values, values)
    check(RTL, "rsq", values, values)


def test_all_float16():
    halves = list(range(1 << 16))
    for device in (DOCUMENT, RTL):
        check(device, "from_half", halves, halves)


def test_every_word_of_the_vocabulary_is_here():
    assert OPERATIONS.keys() == {word for word, _ in WORDS.values()}


def test_a_wave_has_16_lanes():
    with pytest.raises(ValueError, match="16 lanes"):
        VectorOps(Text(8), RTL, Routines(host()))


def test_a_routine_is_made_once_and_calls_nothing_else():
    text = Text(LANES)
    routines = Routines(host(), "mine")
    words = VectorOps(text, RTL, routines)
    a = words.rcp(words.rcp("%x"))
    words.add(a, words.add(a, "%y"))
    ir = routines.module(text.declared)
    assert ir.count("define internal") == 2
    assert all(line.startswith("declare <16 x i32> @llvm.") for line in ir.splitlines() if line.startswith("declare"))
    assert "".join(text.lines).count("call <16 x i32> @mine.rcp_table.1(") == 2


def test_single_results_measured_on_the_hardware():
    for name in ("add", "round16"):
        rows = [row for row in MEASURED if row[0] == name]
        unused = [0] * (-len(rows) % LANES)
        a, b = as_array([row[1] for row in rows] + unused), as_array([row[2] for row in rows] + unused)
        assert kernel(RTL, name)(a, b).tolist()[: len(rows)] == [row[3] for row in rows]
