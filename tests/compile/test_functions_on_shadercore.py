"""The functions of GLSL.std.450 in the numbers of ShaderCore's devices: what a device rounds, and what lacks an instruction
there."""

from __future__ import annotations

import math
import random
import struct

import numpy as np
import pytest

from compile.spirv.functions_of import program
from compile.spirv.test_functions import TRUE, arguments
from compile.vector_on_shadercore import without_neighbours
from effort import times
from lanewise.compile.shadercore.numbers import DeviceNumbers
from lanewise.compile.spirv.accuracy import ROWS, Accuracy
from lanewise.compile.vector.code import Program
from lanewise.compile.vector.interpret import interpret
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from together import together

DEVICES = [DOCUMENT, without_neighbours(RTL)]
NUMBERS = [DeviceNumbers(device) for device in DEVICES]


def evaluate(made: Program, given: tuple[float, ...], numbers: DeviceNumbers) -> float:
    row = [numbers.known(number) for number in given]
    return numbers.value(interpret(made, numbers, [(row + [0] * 4)[:4]])["out"][0])


@together("row", ROWS, ids=lambda row: row.function)
def test_the_stated_errors_hold(row: Accuracy):
    made = program(row.function, 2 if row.function in ("Atan2", "Pow") else 1)
    for given in arguments(row, times(16, 5_000)):
        true = TRUE[row.function](*given)
        for numbers in NUMBERS:
            found = evaluate(made, given, numbers)
            assert abs(found - true) <= row.absolute + row.relative * abs(true), (given, found, true)


@pytest.mark.parametrize("numbers", NUMBERS, ids=["document", "rtl"])
def test_whole_numbers(numbers: DeviceNumbers):
    """Exact near 0 too, where FRC of the public hardware drops bits, and above all that have a fraction."""
    r = random.Random(1)
    edges = [0.0, 0.5, -0.5, 1.0, -1.0, 0.999999, -0.999999, 2.0**-30, 1e9, -1e9, 8388607.5, -8388607.5, 2.75, -2.75]
    for x in [*edges, *(float(np.float32(r.uniform(-1, 1) * 2.0 ** r.randint(-6, 24))) for _ in range(times(300, 100_000)))]:
        word = numbers.known(x)
        x = struct.unpack("<f", struct.pack("<I", word))[0]  # noqa: PLW2901
        assert numbers.value(numbers.floor(word)) == math.floor(x), x
        assert numbers.value(numbers.trunc(word)) == math.trunc(x), x
