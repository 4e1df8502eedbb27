"""The presets `azahar` and `panda3ds` against what those emulators' interpreters gave for two programs, bit for bit.

The file of outputs describes its own format, and the generator of the vertices behind the first sixteen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from corpus import CONFORMANCE
from effort import times
from lanewise.core.engines import LLVM
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.reference import Machine, Reference
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.sem.numbers import Float32
from lanewise.pica200.sem.profile import profiles

RECORDED = CONFORMANCE / "bench" / "emulators.json"
CASES: list[dict[str, Any]] = json.loads(RECORDED.read_text())["cases"] if RECORDED.is_file() else []
needs_recorded = pytest.mark.skipif(not CASES, reason="../shared/conformance/bench/emulators.json is not beside the repository")

Words = tuple[int, int, int, int]


FIRST_SEED = 5  # the two cases are the sixth and seventh of those that the generator was made for


def generator(case: int) -> Iterator[int]:
    """float24 words: xorshift32 numbers in [-1, 1), cut, what is below 2^-62 a zero with a sign."""
    state = 0x1234567 + 0x1111 * (FIRST_SEED + case)
    while True:
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        value = (state >> 8) / 2**23 - 1.0
        numerator, denominator = abs(value).as_integer_ratio()
        exponent = numerator.bit_length() - denominator.bit_length() + 63
        mantissa = (numerator << 17 >> numerator.bit_length()) & 0xFFFF
        yield (value < 0) << 23 | (exponent << 16 | mantissa if value else 0)


def four(words: Iterator[int]) -> Words:
    return next(words), next(words), next(words), next(words)


def number(words: list[list[str]]) -> list[Words]:
    return [(int(x, 16), int(y, 16), int(z, 16), int(w, 16)) for x, y, z, w in words]


def vertices(case: int) -> Iterator[tuple[Words, Words]]:
    words = generator(case)
    for _ in range(96):
        four(words)
    while True:
        x, y, z, _ = four(words)
        yield (x, y, z, 0x3F0000), four(words)


def outputs(index: int, preset: str, count: int) -> list[list[Words]]:
    """The outputs of the first vertices of a case; registers are kept from one vertex to the next.

    They are those of compiled code, and the reference engine gives the same for the first of them.
    """
    case, profile = CASES[index], profiles[preset]
    rule = Float32(profile)

    def as_float32(vector: Words) -> Words:
        x, y, z, w = map(rule.from_float24, vector)
        return x, y, z, w

    words = [int(word, 16) for word in case["instructions"]]
    descriptors = [int(word, 16) for word in case["opdescs"]]
    program = Reference(words, descriptors, case["entry_point"], profile=profile)
    floats = [as_float32(vector) for vector in number(case["float_uniforms_f24"])]
    integers = [(x, y, z, w) for x, y, z, w in case["int_uniforms_xyzw"]]
    booleans = [bool(case["bool_uniforms_bits"] >> n & 1) for n in range(16)]
    machine: Machine | None = None
    found: list[list[Words]] = []
    for _, vertex in zip(range(min(count, times(64, count))), vertices(index), strict=False):
        inputs = {n: as_float32(vector) for n, vector in enumerate(vertex)}
        machine = program.start(inputs, floats, integers, booleans, machine)
        machine.run()
        assert machine.fault is None
        found.append([machine.lane().outputs[register] for register in case["output_registers_in_order"]])
    compiled = Runner(words, descriptors, case["entry_point"], profile)
    data = np.array(
        [[as_float32(vector) for vector in vertex] for _, vertex in zip(range(count), vertices(index), strict=False)], np.uint32
    )
    columns = {n: Column(data[:, n].view(np.float32), raw=False, profile=profile) for n in range(data.shape[1])}
    uniforms = Uniforms(floats=tuple(floats), integers=tuple(integers), booleans=tuple(booleans), given=frozenset())
    done = compiled.run(Inputs(Columns(columns, count), count), uniforms, (), range(16), 1000, engine=LLVM)
    assert done.engine == LLVM
    rows = [[tuple(row) for row in done.bits[f"o{register}"].tolist()] for register in case["output_registers_in_order"]]
    made = [list(registers) for registers in zip(*rows, strict=True)]
    assert made[: len(found)] == found
    return made


@needs_recorded
@pytest.mark.parametrize("index", range(len(CASES)), ids=[case["name"] for case in CASES])
def test_the_generator_gives_the_vertices_listed(index: int):
    listed = [tuple(number(vertex)) for vertex in CASES[index]["vertices_first16_f24"]]
    assert [vertex for _, vertex in zip(listed, vertices(index), strict=False)] == listed
    uniforms = generator(index)
    assert sum(four(uniforms) != words for words in number(CASES[index]["float_uniforms_f24"])) <= 1  # one is the constant


@needs_recorded
@pytest.mark.parametrize("preset", ["azahar", "panda3ds"])
@pytest.mark.parametrize("index", range(len(CASES)), ids=[case["name"] for case in CASES])
def test_every_bit(index: int, preset: str):
    case = CASES[index]
    found = outputs(index, preset, case["num_vertices_in_ring"])
    listed = [number(vertex) for vertex in case[f"{preset}_outputs_first16_f32_interp"]]
    assert found[: len(listed)] == listed
    sum_of_all = 1469598103934665603
    for vertex in found:
        for register in vertex:
            for word in register:
                sum_of_all = (sum_of_all ^ word) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
    assert f"{sum_of_all:016x}" == case[f"{preset}_fnv1a64_interp"]


@needs_recorded
def test_the_loop_tells_the_presets_apart():
    loop = [case["name"] for case in CASES].index("c2_loop16")
    assert outputs(loop, "azahar", 4) != outputs(loop, "panda3ds", 4)
