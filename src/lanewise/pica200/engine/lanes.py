"""Vertices one after another on the reference engine, for runs with NumPy and without: `run_lanes`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lanewise.arrays.lists import table
from lanewise.arrays.outputs import Arrays
from lanewise.core.engines import REFERENCE
from lanewise.pica200.engine.encoding import decoded
from lanewise.pica200.engine.endless import EndlessLanes
from lanewise.pica200.engine.results import WRITTEN_BITS, LaneFault, ShaderResult, named_columns
from lanewise.pica200.engine.uninitialised import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.endless import FlowInputs
    from lanewise.pica200.engine.llvm.spent import Spent
    from lanewise.pica200.engine.reference import Machine, Reference, Words
    from lanewise.pica200.engine.results import Wiring
    from lanewise.pica200.sem.profile import Profile

    Progress = Callable[[int, int], None] | None

_BLOCK = 256  # lanes between two reports of progress
_ZERO: Words = (0, 0, 0, 0)
_FLAGS = tuple([tuple([bool(mask & bit) for bit in WRITTEN_BITS]) for mask in range(16)])


def run_lanes(
    program: Reference,
    inputs: Inputs,
    uniforms: Uniforms,
    wirings: Sequence[Wiring],
    registers: Sequence[int],
    progress: Progress,
    flow_inputs: Callable[[], FlowInputs],
    takes_long: Callable[[int], Mapping[int, Spent]] | None = None,
) -> ShaderResult:
    """Run all lanes; `registers` are the o registers of the result.

    `flow_inputs` finds the inputs that can change the path of a lane. `takes_long` is called with the first lane that takes
    long: it gives the lanes from there on that are known not to end, or raises.
    """
    last: Machine | None = None
    words: dict[int, list[Words]] = {register: [_ZERO] * inputs.lanes for register in registers}
    masks: dict[int, list[int]] = {register: [0] * inputs.lanes for register in registers}
    faults: list[LaneFault] = []
    watch = Watch(program)
    endless = EndlessLanes(flow_inputs if inputs.lanes > 1 else None)
    spent: Mapping[int, Spent] | None = {} if takes_long is None else None
    floats, integers, booleans = uniforms[:3]
    for start in range(0, inputs.lanes, _BLOCK):
        if progress is not None:
            progress(start, inputs.lanes)
        columns = [(number, array[start : start + _BLOCK].tolist()) for number, array in inputs.words.items()]
        for lane in range(start, min(start + _BLOCK, inputs.lanes)):
            vertex = {number: tuple(rows[lane - start]) for number, rows in columns}
            known = endless.find(vertex)
            if known is not None:
                watch.note(lane, known.path, known.fault.step, known.fault)
                faults.append(LaneFault(lane, known.fault))
                continue
            mine = spent.get(lane) if spent else None
            if mine is not None and not mine.repeated:
                faults.append(LaneFault(lane, mine.fault))
                continue
            machine = program.start(vertex, floats, integers, booleans, last)
            path = watch.run(lane, machine, decided=True)
            if path is None and (known := endless.find_undecided(vertex)) is not None:
                watch.note(lane, known.path, known.fault.step, known.fault)
                faults.append(LaneFault(lane, known.fault))
                continue
            if path is None:  # the lane takes long
                if spent is None and takes_long is not None:
                    spent = takes_long(lane)
                    mine = spent.get(lane)
                if mine is not None:
                    faults.append(LaneFault(lane, mine.fault))
                    continue
                path = watch.resume(lane, machine)
            if machine.fault is not None:
                faults.append(LaneFault(lane, machine.fault))
                if machine.fault.endless:
                    endless.add(vertex, machine.fault, path or b"")
                    continue
            last = machine
            done = machine.lane()
            for register in registers:
                words[register][lane] = done.outputs[register]
                masks[register][lane] = done.written[register]
    arrays = word_arrays(words, masks, wirings, program.profile)
    return ShaderResult(inputs.lanes, *arrays, tuple(faults), program.profile, partial(tuple, watch.found), REFERENCE)


def word_arrays(
    words: Mapping[int, Sequence[Words]], masks: Mapping[int, Sequence[int]], wirings: Sequence[Wiring], profile: Profile
) -> tuple[Arrays, Arrays, Arrays]:
    """Outputs, bits and written of a result, under all their keys, from words and masks of what was written, by register."""
    columns, listed = named_columns(tuple(sorted(words)), tuple(wirings))
    return (
        Arrays(columns, listed, partial(_numbers, words, profile)),
        Arrays(columns, listed, partial(_patterns, words)),
        Arrays(columns, listed, partial(_flags, masks)),
    )


def _numbers(words: Mapping[int, Sequence[Words]], profile: Profile, register: int) -> NDArray[np.float32]:
    return decoded(_patterns(words, register), profile)


def _patterns(words: Mapping[int, Sequence[Words]], register: int) -> NDArray[np.uint32]:
    return table(words[register], "u", 4)


def _flags(masks: Mapping[int, Sequence[int]], register: int) -> NDArray[np.bool_]:
    return table([_FLAGS[mask] for mask in masks[register]], "b", 4)
