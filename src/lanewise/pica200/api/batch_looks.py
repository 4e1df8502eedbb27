"""What a `Batch` looks for in its first runs: arrays that were exchanged, arrays that nothing can write to any more, and
results that are kept although each run writes into the same arrays."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lanewise.arrays.announcing import variables, warn

if TYPE_CHECKING:
    from collections.abc import Mapping

_RUNS = 8
_SAMPLES = 64  # rows of an array that are compared
# CPython has it; from 3.14 on it borrows some references, and what that changes here was not tried.
_count: Any = getattr(sys, "getrefcount", None) if sys.version_info < (3, 14) else None


def references(inputs: object) -> dict[str, int]:
    """The number of references to each array of inputs, before a batch has some."""
    if type(inputs) is not dict or _count is None:
        return {}
    values = cast("dict[str, Any]", inputs)
    return {name: _count(values[name]) for name in values if type(values[name]) is np.ndarray and values[name].ndim > 1}


class Looks:
    """The first runs of a batch with these inputs and outputs; `before` are the `references` before it was made."""

    def __init__(self, inputs: object, outputs: Mapping[str, Any], before: Mapping[str, int], out: Mapping[str, Any]) -> None:
        self._given = cast("dict[str, Any]", inputs if type(inputs) is dict else {})
        self._arrays = {**self._given}
        arrays = self._arrays
        # One reference is that of the dict, one that of the call of `getrefcount`; the rest are names of the program.
        self._named = [name for name, count in before.items() if count > 2]
        self._own = {name: _count(arrays[name]) - before[name] for name in before}
        self._samples: dict[str, bytes] = {}
        bases = {name: array.base for name, array in outputs.items() if name not in out}
        self._bases = {name: base for name, base in bases.items() if base is not None} if _count is not None else {}
        self._kept: list[dict[str, int]] = []
        self._outputs = outputs
        self._runs = 0
        self._counts: dict[str, int] = {}
        self.changed: bool = True  # uniforms, since the last run

    def look(self) -> bool:
        """Look before a run, and say what is found; whether to look again."""
        self._runs += 1
        self._counts = {name: _count(self._arrays[name]) for name in self._own}
        return not (self._exchanged() or self._unreachable() or self._overwritten()) and self._runs < _RUNS

    def ran(self) -> None:
        """Count the references that the run itself keeps."""
        for name, before in self._counts.items():
            self._own[name] += _count(self._arrays[name]) - before

    def _exchanged(self) -> bool:
        name = next((name for name, array in self._arrays.items() if self._given.get(name) is not array), None)
        if name is not None:
            write = f"write into the first one, `inputs[{name!r}][...] = values`, or make a new batch"
            warn(f"inputs[{name!r}] is another array now, which the batch does not read. Fix: {write}")
        return name is not None

    def _unreachable(self) -> bool:
        """Whether an array had a name when the batch was made, and none now, and nothing has changed since the last run.

        The program has another array of its shape: without one the function that made the batch has ended, as in a benchmark.
        """
        samples, self._samples = self._samples, {name: _sample(self._arrays[name]) for name in self._own}
        again = not self.changed and samples == self._samples
        self.changed = False
        lost = [name for name in self._named if _count(self._arrays[name]) - self._own[name] <= 2]
        if not lost or not again:
            return False
        known = [*self._arrays.values(), *self._outputs.values()]
        other = [each for each in variables() if type(each) is np.ndarray and all(each is not array for array in known)]
        name = next((name for name in lost if any(each.shape == self._arrays[name].shape for each in other)), "")
        if not name:
            return False
        write = f"write into the array that it has, `{name}[...] = values` or `{name} *= 0.9`, or make a new batch"
        warn(
            f"this run has the values of the last one: the program has no name of the array of input {name!r} any more, as "
            f"after `{name} = {name} * 0.9`, and the batch does not read the new one. Fix: {write}"
        )
        return True

    def _overwritten(self) -> bool:
        """Whether more and more of the results are referred to."""
        whole = _count(self._outputs) if self._bases else 0
        self._kept.append({name: _count(self._bases[name]) + whole for name in self._bases})
        grown = [
            name
            for name in self._bases
            if len(self._kept) > 2 and self._kept[-1][name] > self._kept[-2][name] > self._kept[-3][name]
        ]
        if grown:
            warn(
                f"results of earlier runs are kept, and each run overwrites them: they are the same arrays. Fix: keep copies, "
                f"`batch.run()[{grown[0]!r}].copy()`"
            )
        return bool(grown)


def _sample(array: Any) -> bytes:
    return array[:: len(array) // _SAMPLES + 1].tobytes()
