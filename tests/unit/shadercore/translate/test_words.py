"""The functions of translated programs in Python, beside the operations of the devices."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from effort import times
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.sem.numbers import WaveOps
from lanewise.shadercore.sem.special import rcp_wave, rsq_wave
from lanewise.shadercore.translate import words
from lanewise.shadercore.vectors.suite import random_word

if TYPE_CHECKING:
    from lanewise.shadercore.isa.devices import Device

DEVICES = (DOCUMENT, RTL.set("rcp_sigma=fixed,rsq_gate=fixed"), DOCUMENT.set("subnormals=flushed"))
TWO = {"smaller": "min", "larger": "max", **{name: name for name in ("add", "mul", "less", "at_least")}}
ONE = {
    "sign_of": "sign",
    **{
        name: name
        for name in ("fraction", "round23", "round16", "to_half", "from_half", "from_unsigned", "rcp", "rsq", "saturate")
    },
}
POWERS = ("exp2", "log2")  # which the hardware does not have
NEAR = (0x46FFFE00, 0x46FFFFFF, 0x47000000, 0xC7000000, 0x477FE000, 0x477FE001, 0x3F7FFFFF, 0x3F800001, 0x33000000, 0xB3000000)


@pytest.mark.parametrize("device", DEVICES, ids=lambda device: device.describe())
def test_operations(device: Device, monkeypatch: pytest.MonkeyPatch):
    for name, value in words.choices(device).items():
        monkeypatch.setattr(words, name, value)
    ops, rng, count = WaveOps(device), random.Random(1), times(60, 20_000)
    given = [*NEAR, *[random_word(rng) for _ in range(count)], *[rng.getrandbits(32) for _ in range(count)]]
    other = [word ^ rng.choice((0, 1, 0x80000000, 0x80000001)) if rng.random() < 0.3 else random_word(rng) for word in given]
    for mine, its in TWO.items():
        found = [getattr(words, mine)(a, b) for a, b in zip(given, other, strict=True)]
        assert found == [*ops.apply(its, tuple(given), tuple(other))], mine
    for mine, its in ONE.items():
        assert [getattr(words, mine)(a) for a in given] == [*ops.apply(its, tuple(given))], mine
    for bits in (8, 16):
        assert [words.unorm(a, bits) for a in given] == [*ops.unorm(tuple(given), bits)]
    assert [words.twice(a) for a in given] == [*ops.scale(tuple(given), 1)]
    if device.value("exp_log") == "exact":
        for name in POWERS:
            assert [getattr(words, name)(a) for a in given] == [*ops.apply(name, tuple(given))], name


def test_powers_that_round_close_to_a_middle():
    """Logarithms next to 0 and powers next to 1 need most digits of their sums."""
    ops = WaveOps(DOCUMENT)
    near = tuple([0x3F800000 + n for n in range(-12, 13)])
    assert [words.log2(a) for a in near] == [*ops.log2(near)]
    small = tuple([sign | exponent << 23 | 0x2AAAAB for sign in (0, 0x80000000) for exponent in range(98, 106)])
    assert [words.exp2(a) for a in small] == [*ops.exp2(small)]


def test_a_reciprocal_with_what_another_lane_left():
    rng = random.Random(2)
    wave = [random_word(rng) for _ in range(16)]
    tabled = [lane for lane in range(16) if words.rcp_tabled(wave[lane])]
    latest = {lane: max(other for other in tabled if other % 4 == lane % 4 and other // 4 <= lane // 4 + 2) for lane in tabled}
    found = rcp_wave(wave)
    assert [words.rcp_with(wave[lane], wave[latest[lane]]) for lane in tabled] == [found[lane] for lane in tabled]
    assert [words.rsq_with(wave[lane], wave[lane % 4]) for lane in range(16)] == rsq_wave(wave)
