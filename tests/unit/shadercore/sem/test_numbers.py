"""`document` is IEEE 754 binary32; each field that can be set changes the word that it names."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable

import numpy as np
import pytest

from lanewise.shadercore.isa.devices import DOCUMENT, PARAMETERS, RTL
from lanewise.shadercore.isa.table import ABS, NEG_ABS, NEGATE, NONE, OPS
from lanewise.shadercore.sem.meaning import meanings, modified
from lanewise.shadercore.sem.numbers import Wave, WaveOps
from shadercore_cases import MEASURED
from together import together

M = WaveOps(DOCUMENT)
SPECIALS = (
    0,
    0x80000000,
    1,
    0x807FFFFF,
    0x00800000,
    0x7F7FFFFF,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0xFFC12345,
    0x3F800000,
    0xBF800001,
)


def bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def number(word: int) -> float:
    return struct.unpack("<f", struct.pack("<I", word))[0]


def samples(count: int = 3000) -> list[tuple[int, int]]:
    rng = random.Random(754)
    pairs = [(a, b) for a in SPECIALS for b in SPECIALS]
    near = [(rng.getrandbits(32), 0) for _ in range(count)]
    return pairs + [(a, (a ^ rng.getrandbits(26)) if rng.random() < 0.5 else rng.getrandbits(32)) for a, _ in near]


def same(found: int, expected: float) -> bool:
    return found == 0x7FC00000 if math.isnan(expected) else found == bits(expected)


@pytest.mark.parametrize("name", ["add", "mul"])
def test_document_arithmetic_is_that_of_numpy(name: str):
    word = meanings(M)[name]
    assert word is not None
    with np.errstate(all="ignore"):
        for a, b in samples():
            x, y = np.uint32(a).view(np.float32), np.uint32(b).view(np.float32)
            expected = x + y if name == "add" else x * y
            assert same(word((a,), (b,))[0], float(expected)), (hex(a), hex(b))


def test_document_functions():
    with np.errstate(all="ignore"):
        for a, _ in samples():
            x = np.uint32(a).view(np.float32)
            assert same(M.rcp((a,))[0], float(np.float32(1) / x)), hex(a)
            if not x < 0 and x != 0:
                exact = 1 / math.sqrt(float(x)) if math.isfinite(x) else (math.nan if math.isnan(x) else 0.0)
                assert abs(M.rsq((a,))[0] - bits(exact)) <= 0 or math.isnan(exact), hex(a)
    assert M.rsq((bits(-1.0),)) == (0x7FC00000,)
    assert M.exp2((bits(3.0), bits(-1.5), bits(200.0))) == (bits(8.0), bits(2**-1.5), 0x7F800000)
    assert M.log2((bits(8.0), bits(3.0), 0, bits(-1.0))) == (bits(3.0), bits(math.log2(3)), 0xFF800000, 0x7FC00000)


def test_document_conversions_are_those_of_numpy():
    with np.errstate(all="ignore"):
        for a, _ in samples():
            x = np.uint32(a).view(np.float32)
            if not np.isnan(x):
                assert M.to_half((a,))[0] == int(x.astype(np.float16).view(np.uint16)), hex(a)
            assert M.from_unsigned((a,))[0] == int(np.float32(np.uint32(a)).view(np.uint32)), hex(a)
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    found = np.array(M.from_half(tuple(range(1 << 16))), np.uint32)
    numbers = ~np.isnan(halves)
    np.testing.assert_array_equal(found[numbers], halves.astype(np.float32).view(np.uint32)[numbers])


@together(
    ("value", "fraction", "to23", "to16", "unorm8"),
    [
        (0.5, 0.5, 0, 0, 128),  # 127.5, of two the even one
        (1.5, 0.5, 2, 2, 255),
        (2.5, 0.5, 2, 2, 255),
        (-0.5, 0.5, 0, 0, 0),
        (-1.5, 0.5, 0x7FFFFE, 0xFFFE, 0),
        (-1e-9, 1.0, 0, 0, 0),
        (1e9, 0.0, 0x3FFFFF, 0x7FFF, 255),
        (-1e9, 0.0, 0x400000, 0x8000, 0),
        (math.inf, math.nan, 0x3FFFFF, 0x7FFF, 255),
        (-math.inf, math.nan, 0x400000, 0x8000, 0),
        (math.nan, math.nan, 0, 0, 0),
        (0.2, 0.2, 0, 0, 51),
    ],
)
def test_document_integers(value: float, fraction: float, to23: int, to16: int, unorm8: int):
    a = (bits(value),)
    assert same(M.fraction(a)[0], fraction)
    assert (M.round23(a), M.round16(a), M.unorm(a, 8)) == ((to23,), (to16,), (unorm8,))


def test_comparisons():
    nan, tiny = 0x7FC00000, 1
    assert M.less((nan, tiny, 0, 0x80000000), (0, 0, tiny, 0)) == (0, 0, 0x3F800000, 0)
    assert M.at_least((nan, 0x80000000), (nan, 0)) == (0, 0x3F800000)
    assert M.sign((tiny, 0x80000001, 0x80000000, nan)) == (0x3F800000, 0xBF800000, 0, nan)
    assert M.min((0, nan, nan), (0x80000000, 5, 0x7FC00001)) == (0x80000000, 5, nan)
    assert M.max((0x80000000, nan, 7), (0, 5, nan)) == (0, 5, 7)


def test_modifiers_and_saturation():
    value = (0x3F800000, 0x80000000, 0xFFC00001, 0x40000000)
    assert modified(M, value, NONE) == value
    assert modified(M, value, NEGATE) == (0xBF800000, 0, 0x7FC00001, 0xC0000000)
    assert modified(M, value, ABS) == (0x3F800000, 0, 0x7FC00001, 0x40000000)
    assert modified(M, value, NEG_ABS) == (0xBF800000, 0x80000000, 0xFFC00001, 0xC0000000)
    assert M.saturate((*value, 0x7FC00000, 0x3F000000, 5)) == (0x3F800000, 0, 0, 0x3F800000, 0x3F800000, 0x3F000000, 5)


def test_every_row_has_a_meaning_or_computes_nothing():
    found = meanings(M)
    assert list(found) == [op.name for op in OPS]
    assert [name for name, function in found.items() if function is None] == ["nop", "unused", "end"]


def test_scaling_without_flushing_goes_through_subnormals():
    assert M.scale((0x00800000, 1), -1) == (0x00400000, 0)
    assert WaveOps(RTL).scale((0x00800000, 0x80000001), -1) == (0, 0x80000000)


# What to change one field of rtl to, with what has to go with it, and a result that has to change.
CHANGES: dict[str, tuple[str, str, Callable[[WaveOps], Wave]]] = {
    "add": ("nearest", "", lambda m: m.add((0x3F800000,), (0xB3800000,))),
    "mul": ("nearest", "", lambda m: m.mul((0x3FC00001,), (0x3FC00001,))),
    "subnormals": ("kept", "add=nearest,mul=nearest", lambda m: m.add((1,), (1,))),
    "rcp": ("exact", "rcp_sigma=fixed", lambda m: m.rcp((0x7F400000,))),
    "rcp_sigma": ("fixed", "", lambda m: m.rcp(tuple(0x3F800001 + 0x71234 * n for n in range(16)))),
    "rsq": ("exact", "rsq_gate=fixed", lambda m: m.rsq((0x3F900000,))),
    "rsq_gate": ("fixed", "", lambda m: m.rsq(tuple(0x3F800001 + 0x71234 * n for n in range(16)))),
    "exp_log": ("exact", "", lambda m: m.exp2((0x3F800000,))),
    "frc": ("exact", "", lambda m: m.fraction((0x3DCCCCCD,))),
    "nan": ("one", "", lambda m: m.mul((0,), (0x7F800000,))),
    "compare": ("ieee", "", lambda m: m.less((0,), (1,))),
    "rnd23": ("signed", "", lambda m: m.round23((0xBF800000,))),
    "rnd16": ("even", "", lambda m: m.round16((0x3F000000,))),
    "unorm": ("nearest", "", lambda m: m.unorm((0x3DCCCCCD,), 8)),
    "half": ("nearest", "", lambda m: m.to_half((0x3F801FFF,))),
    "u32": ("nearest", "", lambda m: m.from_unsigned((0xFFFFFFFF,))),
}


def test_changes_cover_the_fields_about_single_results():
    assert CHANGES.keys() == {parameter.key for parameter in PARAMETERS if parameter.group == "meaning"} - {"stray_special"}


@together("key", CHANGES)
def test_each_field_changes_its_word(key: str):
    value, others, probe = CHANGES[key]
    before = RTL.set(others) if others else RTL
    assert probe(WaveOps(before)) != probe(WaveOps(before.set(f"{key}={value}")))


@together(("name", "a", "b", "result"), MEASURED)
def test_single_results_measured_on_the_hardware(name: str, a: int, b: int, result: int):
    values = ((a,), (b,)) if name == "add" else ((a,),)
    assert WaveOps(RTL).apply(name, *values) == (result,)
