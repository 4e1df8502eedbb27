"""Accuracy of a compiled shader against IEEE 754, by class of input.

The classes are ordinary numbers, subnormals, infinities and NaN.

For ordinary numbers the rounding of the device and its routines differ; for other classes its operations do. The table of
disagreeing classes lists the inputs that a caller must avoid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.compile.shadercore.comparing import run
from lanewise.core.record import Record
from lanewise.direct3d9.engine import reference as direct3d9
from lanewise.direct3d9.engine.data import Data
from lanewise.direct3d9.sem.numbers import rule_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from lanewise.compile.shadercore.direct3d9 import Compiled
    from lanewise.direct3d9.sem.tree import Flow

# What one component in four of the inputs is, by class; the rest are ordinary numbers.
CLASSES: Mapping[str, tuple[int, ...]] = {
    "ordinary": (),
    "zeros": (0x00000000, 0x80000000),
    "subnormal": (0x00000001, 0x80000001, 0x007FFFFF, 0x80400000),
    "largest": (0x7F7FFFFF, 0xFF7FFFFF, 0x7E800000, 0x00800000),
    "infinite": (0x7F800000, 0xFF800000),
    "nan": (0x7FC00000, 0xFFC00000, 0x7FFFFFFF),
}
LANES = 512
_NEAR = 2.0**-12  # more than that apart is another result, not another rounding


class Accuracy(Record):
    """The accuracy for a class of inputs."""

    name: str
    "The class, a key of `CLASSES`."
    compared: int
    "How many components of outputs were compared."
    disagree: int
    "How many are of another kind (finite, infinite, NaN) or more than `_NEAR` apart."
    error: float
    "The greatest relative error of the others, in proportion to 1 below 1."
    worst: int
    "The lane with that error."


def measure(compiled: Compiled, flow: Flow, *, lanes: int = LANES, seed: int = 1, engine: str = "auto") -> list[Accuracy]:
    """The accuracy for each of `CLASSES`; inputs and constants are from -2 to 2. Raises InputError."""
    rng = np.random.default_rng(seed)
    constants = {
        n: tuple(map(int, rng.uniform(-2, 2, 4).astype(np.float32).view(np.uint32)))
        for n in sorted({*compiled.uniforms, *flow.constants})
    }
    options = compiled.options
    bounds = {int(name[1:]): options.bounds[int(name[1:])] for name in compiled.counts if name[0] == "i"}
    values = {n: (min(2, bound.most), bound.start, bound.step) for n, bound in bounds.items()} | dict(options.integers)
    integers = {n: tuple([(value or 0) & 0xFFFFFFFF for value in (*row, 0)]) for n, row in values.items()}
    found: list[Accuracy] = []
    for name, patterns in CLASSES.items():
        inputs = {(place.file, place.number): _values(rng, lanes, patterns) for place in compiled.inputs}
        data = Data(
            lanes=lanes,
            inputs=inputs,
            constants=constants | dict(flow.constants),
            integers=integers,
            booleans=dict(options.booleans),
            bumps={},
            samplers={},
        )
        found.append(_compared(name, compiled, flow, data, engine))
    return found


def _values(rng: np.random.Generator, lanes: int, patterns: tuple[int, ...]) -> NDArray[np.uint32]:
    values = rng.uniform(-2, 2, (lanes, 4)).astype(np.float32).view(np.uint32)
    if patterns:
        chosen = rng.random((lanes, 4)) < 0.25
        values[chosen] = rng.choice(np.array(patterns, np.uint32), int(chosen.sum()))
    return values


def _compared(name: str, compiled: Compiled, flow: Flow, data: Data, engine: str) -> Accuracy:
    found = run(compiled, data, engine=engine)
    registers = sorted({(file, number) for file, number, _ in found})
    exact = direct3d9.run(flow, rule_of("ieee"), data, registers).outputs
    compared = disagree = 0
    error, worst = 0.0, 0
    for (file, number, component), lanes in found.items():
        a = lanes.view(np.float32).astype(np.float64)
        b = np.ascontiguousarray(exact[file, number][:, component]).view(np.float32).astype(np.float64)
        with np.errstate(invalid="ignore", over="ignore"):
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            apart = np.where(same, 0.0, np.abs(a - b) / np.maximum(1.0, np.abs(b)))
        far = ~(apart <= _NEAR)
        compared += len(a)
        disagree += int(far.sum())
        apart = np.where(far, 0.0, apart)
        lane = int(np.argmax(apart))
        if apart[lane] > error:
            error, worst = float(apart[lane]), lane
    return Accuracy(name=name, compared=compared, disagree=disagree, error=error, worst=worst)
