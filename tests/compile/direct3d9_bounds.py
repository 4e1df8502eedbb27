"""Direct3D 9 semantics in float64 with running error bounds: what a run in float24 must be near to.

Each operation adds 2^-16 of its result to what its operands bring. A lane that comes near a decision (a comparison, a whole
number, a pole, the ends of the range) is not compared.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, cast

import numpy as np

from lanewise.core.numbers.floats import float_from_float24
from lanewise.direct3d9.engine.reference import Machine, wave_inputs
from lanewise.direct3d9.isa.choices import choices_of
from lanewise.direct3d9.sem.algebra import ONE, SIGN, Component
from lanewise.direct3d9.sem.flow import Walker
from lanewise.direct3d9.sem.numbers import NOWHERE, Waves, rule_of
from lanewise.shadercore.isa.table import LANES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.engine.data import Data
    from lanewise.direct3d9.sem.numbers import Flags, Integers
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.shadercore.sem.numbers import Wave

UNIT = 2.0**-16
_LEAST, _MOST = 2.0**-58, 2.0**58
Bounded = tuple[float, float]  # a number and how far the hardware's may be from it


class BoundedWaves(Waves):
    """The operations on waves of numbers with bounds; `undecided` are lanes that came near a decision."""

    def __init__(self) -> None:
        super().__init__(rule_of("ieee"))
        self.undecided: set[int] = set()

    def constant(self, bits: int) -> Wave:
        return cast("Wave", (self.number(bits),) * LANES)

    def number(self, bits: int) -> Bounded:
        value = struct.unpack("<f", struct.pack("<I", bits))[0]
        return value, abs(value) * UNIT if math.isfinite(value) else 0.0

    def lanewise(self, name: str, *waves: Wave) -> Wave:
        found: list[Bounded] = []
        for lane, operands in enumerate(zip(*waves, strict=True)):
            pairs = [cast("Bounded", (0.0, 0.0) if value == 0 else value) for value in operands]
            found.append(self.bounded(name, lane, pairs))
        return cast("Wave", tuple(found))

    def bounded(self, name: str, lane: int, operands: Sequence[Bounded]) -> Bounded:
        try:
            value, error = evaluated(name, *operands[0], *(operands[1] if len(operands) > 1 else ()))
        except (ValueError, ZeroDivisionError, OverflowError):
            value, error = math.nan, 0.0
        if math.isnan(value) or abs(value) >= _MOST or 0 < abs(value) <= _LEAST:
            self.undecided.add(lane)
            return 0.0, 0.0
        if name in ("rcp", "rsq", "log2") and operands[0][1] * 2 >= abs(operands[0][0]):
            self.undecided.add(lane)
        return value, error + UNIT * abs(value)

    def apply(self, operation: str, *values: Wave, immediate: int | None = None) -> Wave:
        if operation == "xor" and immediate == SIGN:
            return self.lanewise("negate", *values)
        if operation == "mask":
            return self.lanewise("absolute", *values)
        if operation in ("less", "at_least"):
            one, zero = (1.0, 0.0), (0.0, 0.0)
            held = self.ordered(*values, or_equal=operation == "at_least")
            return cast("Wave", tuple([one if on else zero for on in held]))
        if operation == "fraction":
            for lane, (value, error) in enumerate(self.pairs(values[0])):
                if abs(value - round(value)) <= 4 * error:
                    self.undecided.add(lane)
        if operation == "sign":
            zero = cast("Wave", ((0.0, 0.0),) * LANES)
            return self.sub(self.less(zero, values[0]), self.less(values[0], zero))
        if operation == "saturate":
            return self.min(self.max(values[0], self.constant(0)), self.constant(ONE))
        return self.lanewise(operation, *values)

    def pairs(self, wave: Wave) -> list[Bounded]:
        return [cast("Bounded", (0.0, 0.0) if value == 0 else value) for value in wave]

    def ordered(self, a: Wave, b: Wave, *, or_equal: bool) -> Flags:
        found: list[bool] = []
        for lane, ((x, e), (y, f)) in enumerate(zip(self.pairs(a), self.pairs(b), strict=True)):
            if abs(x - y) <= 4 * (e + f) and (e or f):
                self.undecided.add(lane)
            found.append(x >= y if or_equal else x < y)
        return tuple(found)

    def address(self, a: Wave, how: str) -> Integers:
        found: list[int] = []
        for lane, (value, error) in enumerate(self.pairs(a)):
            edge = value if how == "floor" else value + 0.5
            if abs(edge - round(edge)) <= 4 * error and error:
                self.undecided.add(lane)
            found.append(math.floor(edge) if abs(edge) < 1 << 20 else NOWHERE)
        return tuple(found)


def evaluated(name: str, a: float, e: float, b: float = 0.0, f: float = 0.0) -> Bounded:
    """An operation on a (within e) and b (within f), without its own rounding. Raises ValueError, ZeroDivisionError,
    OverflowError."""
    match name:
        case "add":
            return a + b, e + f
        case "mul":
            return a * b, abs(a) * f + abs(b) * e + e * f
        case "min" | "max":
            return (min(a, b) if name == "min" else max(a, b)), max(e, f)
        case "negate":
            return -a, e
        case "absolute":
            return abs(a), e
        case "fraction":
            return a - math.floor(a), e + UNIT * abs(a)
        case "scale":
            return 2 * a, 2 * e
        case "rcp":
            return 1 / a, e / (abs(a) * max(abs(a) - e, abs(a) / 2))
        case "rsq":
            return 1 / math.sqrt(a), e / (a * math.sqrt(a)) if e < a / 2 else math.inf
        case "exp2":
            return 2.0**a, 2.0**a * (2.0**e - 1)
        case "log2":
            return math.log2(a), 2 * e / a
        case _:
            raise NotImplementedError(name)


def run_bounded(
    flow: Flow, data: Data, outputs: Sequence[tuple[int, int]]
) -> tuple[dict[tuple[int, int], list[list[Bounded]]], set[int]]:
    """Numbers with bounds of output registers for the lanes of one wave, and the lanes that are not to be compared."""
    ops = BoundedWaves()
    words = {number: tuple(map(ops.number, row)) for number, row in data.constants.items()}
    machine = Machine(flow, ops, data._replace(constants=cast("dict[int, tuple[int, ...]]", words)))
    inputs = {cell: cast("Wave", tuple(map(ops.number, wave))) for cell, wave in wave_inputs(data, 0, data.lanes).items()}
    machine.begin(0, inputs, data.lanes)
    Walker(flow, ops, machine, choices_of("pica200")).run((True,) * LANES)
    found: dict[tuple[int, int], list[list[Bounded]]] = {}
    for file, number in outputs:
        waves = [ops.pairs(machine.values.get(Component(file, number, part), (0,) * LANES)) for part in range(4)]
        found[file, number] = [list(row) for row in zip(*waves, strict=True)]
    return found, ops.undecided


def outside(
    flow: Flow, data: Data, words: dict[tuple[int, int], list[list[int]]]
) -> tuple[list[tuple[int, tuple[int, int], int]], int]:
    """What is farther from the numbers than four times its bound, (lane, register, component) each, and how many lanes were
    compared."""
    bounded, undecided = run_bounded(flow, data, list(words))
    found = [
        (lane, key, part)
        for key, rows in words.items()
        for lane, row in enumerate(rows)
        if lane not in undecided
        for part, word in enumerate(row)
        if not abs(float_from_float24(word) - bounded[key][lane][part][0]) <= 4 * bounded[key][lane][part][1] + 2.0**-55
    ]
    return found, data.lanes - len([lane for lane in undecided if lane < data.lanes])


def plain_data(data: Data, seed: int) -> Data:
    """The same registers with ordinary numbers, constants of the shader aside."""
    rng = np.random.default_rng(seed)

    def numbers(shape: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
        return rng.uniform(-3, 3, shape).astype(np.float32).view(np.uint32)

    inputs = {key: numbers(grid.shape) for key, grid in data.inputs.items()}
    constants = {number: tuple(map(int, numbers((4,)))) for number in data.constants}
    return data._replace(
        inputs=cast("dict[tuple[int, int], np.ndarray[tuple[int, int], np.dtype[np.uint32]]]", inputs), constants=constants
    )
