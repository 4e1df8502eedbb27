"""Compile and run kernels of Direct3D 9 shaders.

A kernel is compiled once per shader, rule and set of inputs, and kept in memory and on disk."""

from __future__ import annotations

import ctypes
import threading
from typing import TYPE_CHECKING

import numpy as np

from lanewise.arrays.memory import address
from lanewise.direct3d9.engine.data import Raw
from lanewise.direct3d9.engine.llvm import waves as generator
from lanewise.direct3d9.engine.llvm.waves import Refused, generate
from lanewise.direct3d9.engine.reference import too_long
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.table import CONSTANT_FILES
from lanewise.direct3d9.sem.tree import expanded
from lanewise.llvm import cache
from lanewise.llvm.loading import load_kernel
from lanewise.llvm.stopping import Stop, awaited
from lanewise.llvm.target import host
from lanewise.shadercore.isa.table import LANES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.direct3d9.engine.data import Data
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.llvm.target import Loaded

MOST_EXPANDED = 4096  # instructions with calls put in place, for which code is made
_MOST_KEPT = 256  # kernels in memory
_LANES_AT_ONCE = 1 << 16
_STEPS = 1 << 16  # instructions, counted once for each wave, of one call of a kernel
_Function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Register = tuple[int, int]


_kernels: dict[str, Loaded | str] = {}
_lock = threading.Lock()


def _name(flow: Flow, rule: Rule, given: Sequence[_Register], outputs: Sequence[_Register], level: str) -> str:
    words = [inst.words for inst in flow.insts]
    meaning = rule.device.values, rule.choices.values
    return cache.name("direct3d9", flow.version.token, words, *meaning, tuple(given), tuple(outputs), host(level).key)


def is_ready(flow: Flow, rule: Rule, data: Data, outputs: Sequence[_Register]) -> bool:
    """Whether there is a kernel in memory already."""
    return _name(flow, rule, sorted(data.inputs), outputs, "native") in _kernels


def _loaded(flow: Flow, rule: Rule, given: Sequence[_Register], outputs: Sequence[_Register], level: str) -> Loaded | str:
    """The kernel, or the reason why the shader is not compiled."""
    name = _name(flow, rule, given, outputs, level)
    found = _kernels.get(name)
    if found is not None:
        return found
    with _lock:
        found = _kernels.get(name)
        if found is not None:
            return found
        target = host(level)
        try:
            loaded = load_kernel(name, lambda: generate(flow, rule, given, outputs, target), target)
        except Refused as refused:
            _kernels[name] = str(refused)
            return str(refused)
        if len(_kernels) >= _MOST_KEPT:
            del _kernels[next(iter(_kernels))]
        _kernels[name] = loaded
        return loaded


def run(flow: Flow, rule: Rule, data: Data, outputs: Sequence[_Register], *, kills: bool, level: str = "native") -> Raw | str:
    """All lanes, or the reason why the shader cannot be compiled. Raises InputError for loops with too many iterations."""
    size = expanded(flow)
    if size > MOST_EXPANDED:
        return f"it has {size} instructions with inlined calls; at most {MOST_EXPANDED} are compiled"
    given = sorted(data.inputs)
    loaded = _loaded(flow, rule, given, outputs, level)
    if isinstance(loaded, str):
        return loaded
    tables = _tables(flow, data)
    found = {key: np.zeros((data.lanes, 4), np.uint32) for key in outputs}
    killed = np.zeros(data.lanes, np.bool_)
    for first in range(0, data.lanes, _LANES_AT_ONCE):
        last = min(first + _LANES_AT_ONCE, data.lanes)
        result = _some(
            loaded,
            tables,
            [data.inputs[key][first:last] for key in given],
            last - first,
            len(outputs),
            data.iterations,
            max(1, size),
        )
        for number, grid in enumerate(found.values()):
            grid[first:last] = result[4 * number : 4 * number + 4, : last - first].T
        killed[first:last] = result[-1, : last - first] != 0
    return Raw(found, killed if kills else None)


def _some(
    code: Loaded,
    tables: Sequence[NDArray[np.uint32]],
    inputs: Sequence[NDArray[np.uint32]],
    lanes: int,
    outputs: int,
    iterations: int,
    size: int,
) -> NDArray[np.uint32]:
    """Rows of outputs, one for each component and one for what is killed, of some lanes. `size` is that of the shader, in
    instructions."""
    waves = -(-lanes // LANES)
    given = np.zeros((4 * len(inputs) or 1, waves * LANES), np.uint32)
    for number, grid in enumerate(inputs):
        given[4 * number : 4 * number + 4, :lanes] = grid.T
    result = np.zeros((4 * outputs + 1, waves * LANES), np.uint32)
    constants, bumps, integers, booleans = tables
    words = np.zeros(generator.ARGUMENTS, np.int64)
    words[generator.LANE_COUNT], words[generator.WAVES], words[generator.ITERATIONS] = lanes, waves, iterations
    words[generator.CONSTANT_ROWS] = len(constants)
    for place, table in (
        (generator.CONSTANTS, constants),
        (generator.BUMPS, bumps),
        (generator.INTEGERS, integers),
        (generator.BOOLEANS, booleans),
        (generator.INPUTS, given),
        (generator.OUTPUTS, result),
    ):
        words[place] = address(table)
    stop = Stop()
    words[generator.STOP] = stop.address
    function = _Function(code.address)
    each = max(1, _STEPS // size)
    words[generator.QUOTA] = each
    while words[generator.DONE] < waves:
        first = int(words[generator.DONE])
        words[generator.FIRST], words[generator.LAST] = first, min(first + each, waves)
        function(address(words))
        if words[generator.DONE] == first and not words[generator.EXHAUSTED]:  # a wave that takes more steps than a call may
            words[generator.LAST], words[generator.QUOTA] = waves, 1 << 62
            awaited(lambda: function(address(words)), stop)
        if words[generator.EXHAUSTED]:
            raise too_long(iterations, None)
    return result


def _tables(flow: Flow, data: Data) -> tuple[NDArray[np.uint32], ...]:
    """c#, the bump matrices, i#, b#: each with a row for every register that the shader names."""
    constants = max(data.constants, default=0)
    bumps = integers = booleans = 0
    for inst in flow.insts:
        bumps = max(bumps, (inst.dest.number if inst.dest else 0) + 16)
        for source in inst.sources:
            if source.file in CONSTANT_FILES:
                constants = max(constants, source.constant + (inst.op.rows or 1))
            integers = max(integers, source.number if source.file == isa.CONSTINT else 0)
            booleans = max(booleans, source.number if source.file == isa.CONSTBOOL else 0)
    flags = np.zeros(booleans + 1, np.uint32)
    for number, value in data.booleans.items():
        if number <= booleans:
            flags[number] = value
    return _rows(constants, data.constants), _rows(bumps, data.bumps), _rows(integers, data.integers), flags


def _rows(last: int, values: Mapping[int, tuple[int, ...]]) -> NDArray[np.uint32]:
    found = np.zeros((last + 1, 4), np.uint32)
    for number, row in values.items():
        if number <= last:
            found[number] = row[:4]
    return found
