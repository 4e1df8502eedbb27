"""Running a program over lanes of arrays, and what comes out: `Result`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.engine.float24 import decode
from lanewise.engine.names import near
from lanewise.engine.reference import Reference
from lanewise.engine.unwritten import Watch
from lanewise.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, Protocol

    from numpy.typing import NDArray

    from lanewise.engine.binding import Inputs, Uniforms
    from lanewise.engine.reference import Fault, Machine
    from lanewise.engine.unwritten import Unwritten
    from lanewise.sem.profile import Profile

    class Wiring(Protocol):
        """What an output is called and where it is: `register` is `o0` to `o15`, `components` letters of xyzw in order."""

        @property
        def semantic(self) -> str: ...
        @property
        def register(self) -> str: ...
        @property
        def components(self) -> str: ...
        @property
        def name(self) -> str: ...


_BLOCK = 256  # lanes between two reports of progress
_WRITTEN_BITS = (8, 4, 2, 1)


class LaneFault(NamedTuple):
    """A lane that stopped without `end`."""

    lane: int
    fault: Fault


class Arrays(Mapping[str, "NDArray[Any]"]):
    """Arrays of outputs by semantic (`position`: as many columns as the output has components), then by register.

    Iterates over the semantics and the registers that have none; any output that the shader declares or may write can also be
    had by its register (`o0`, four columns) or, where known, its name in the source.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], listed: Sequence[str]) -> None:
        self._arrays = arrays
        self._listed = tuple(listed)

    def __getitem__(self, key: str) -> NDArray[Any]:
        if key in self._arrays:
            return self._arrays[key]
        close = near(key, self._arrays)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(self._listed) or 'none'}"
        raise KeyError(f"no output '{key}': {hint}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def rows(self, numbers: NDArray[np.int64]) -> Arrays:
        """The same of other rows: arrays of (*numbers.shape, components)."""
        return Arrays({key: array[numbers] for key, array in self._arrays.items()}, self._listed)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {self._arrays[key]!r}" for key in self._listed) + "}"


class Result(NamedTuple):
    """What a run gives for `lanes` vertices: arrays of (vertices, components) by semantic or register.

    `outputs` are float32, which holds every float24; `words` the same as float24 words (uint32), or as float32 patterns where the
    profile computes in float32; `written` says of each component whether the shader wrote it (bool). A component that was not
    written is 0, or what the vertex before has left where the profile says so. `faults` are the lanes that stopped without
    `end`; their outputs are as they stood then. `profile` is the one they ran under. `unwritten` is what vertices used
    before they had written it: `Shader.warnings` says that in words.
    """

    lanes: int
    outputs: Mapping[str, NDArray[np.float32]]
    words: Mapping[str, NDArray[np.uint32]]
    written: Mapping[str, NDArray[np.bool_]]
    faults: tuple[LaneFault, ...]
    profile: Profile = HARDWARE
    unwritten: tuple[Unwritten, ...] = ()


def run_lanes(
    words: Sequence[int],
    descriptors: Sequence[int],
    entry: int,
    inputs: Inputs,
    uniforms: Uniforms,
    wirings: Sequence[Wiring],
    written: Iterable[int],
    budget: int,
    progress: Callable[[int, int], None] | None = None,
    profile: Profile = HARDWARE,
) -> Result:
    """Every lane on the reference engine, from `entry` on, one after another. `written` are the o registers that the code may write."""
    program = Reference(words, descriptors, entry, profile=profile, budget=budget)
    machine: Machine | None = None
    registers = sorted({int(wiring.register[1:]) for wiring in wirings} | set(written))
    values = np.zeros((len(registers), inputs.lanes, 4), np.uint32)
    masks = np.zeros((len(registers), inputs.lanes), np.uint8)
    faults: list[LaneFault] = []
    watch = Watch(program)
    floats, integers, booleans, _ = uniforms
    for start in range(0, inputs.lanes, _BLOCK):
        if progress is not None:
            progress(start, inputs.lanes)
        columns = [(number, array[start : start + _BLOCK].tolist()) for number, array in inputs.words.items()]
        for lane in range(start, min(start + _BLOCK, inputs.lanes)):
            vertex = {number: tuple(rows[lane - start]) for number, rows in columns}
            machine = program.start(vertex, floats, integers, booleans, machine)
            watch.run(lane, machine)
            done = machine.lane()
            for place, register in enumerate(registers):
                values[place, lane] = done.outputs[register]
                masks[place, lane] = done.written[register]
            if done.fault is not None:
                faults.append(LaneFault(lane, done.fault))
    flags = written_flags(masks)
    outputs, kept, known = output_arrays(registers, values, flags, wirings, profile)
    return Result(inputs.lanes, outputs, kept, known, tuple(faults), profile, watch.found)


def written_flags(masks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Truth values for x, y, z, w of masks, in one dimension more."""
    return (masks[..., np.newaxis] & np.array(_WRITTEN_BITS, np.uint8)) != 0


def output_arrays(
    registers: Sequence[int],
    values: NDArray[np.uint32],
    flags: NDArray[np.bool_],
    wirings: Sequence[Wiring],
    profile: Profile,
) -> tuple[Arrays, Arrays, Arrays]:
    """Outputs, words and written of a result, under all their keys; `values` and `flags` are (registers, lanes, 4)."""
    places = {f"o{register}": place for place, register in enumerate(registers)}
    columns: dict[str, tuple[int, list[int]]] = {key: (place, [0, 1, 2, 3]) for key, place in places.items()}
    for wiring in wirings:
        chosen = places[wiring.register], ["xyzw".index(letter) for letter in wiring.components]
        columns[wiring.semantic] = chosen
        if wiring.name:
            columns.setdefault(wiring.name, chosen)
    wired = {wiring.register for wiring in wirings}
    listed = [*(wiring.semantic for wiring in wirings), *(key for key in places if key not in wired)]
    numbers = values.view(np.float32) if profile.rounding == "float32" else decode(values)

    def named(source: NDArray[Any]) -> Arrays:
        return Arrays({key: source[place][:, chosen] for key, (place, chosen) in columns.items()}, listed)

    return named(numbers), named(values), named(flags)
