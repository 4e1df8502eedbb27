"""What a run gives: `Result`, with arrays of outputs under every name that they have."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.pica200.engine.float24 import encode_all
from lanewise.pica200.engine.names import near

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Protocol

    from numpy.typing import NDArray

    from lanewise.pica200.engine.reference import Fault
    from lanewise.pica200.engine.unwritten import Unwritten
    from lanewise.pica200.sem.profile import Profile

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


# Vertices of the compiled engine that are looked at for reads of what nobody has written, if the program may do so at all.
WATCHED = 4096
_ROW = 16  # bytes of a row that is copied as one
_WRITTEN_BITS = (8, 4, 2, 1)


class LaneFault(NamedTuple):
    """A lane that stopped without `end`."""

    lane: int
    fault: Fault


class Column(NamedTuple):
    """Which components of which o register stand under a key."""

    register: int
    components: tuple[int, ...]


class Arrays(Mapping[str, "NDArray[Any]"]):
    """Arrays of outputs by semantic (`position`: as many columns as the output has components), then by register.

    Iterates over the semantics and the registers that have none; any output that the shader declares or may write can also be
    had by its register (`o0`, four columns) or, where known, its name in the source. Arrays that have to be made first are made
    when they are asked for.
    """

    def __init__(self, columns: Mapping[str, Column], listed: Sequence[str], make: Callable[[int], NDArray[Any]]) -> None:
        """`make` gives the (lanes, 4) array of a register."""
        self._columns = columns
        self._listed = tuple(listed)
        self._make = make
        self._made: dict[int, NDArray[Any]] = {}

    def __getitem__(self, key: str) -> NDArray[Any]:
        column = self._columns.get(key)
        if column is not None:
            whole = self._register(column.register)
            first, count = column.components[0] if column.components else 0, len(column.components)
            if column.components == tuple(range(first, first + count)):
                return whole[..., first : first + count]
            return whole[..., list(column.components)]
        close = near(key, self._columns)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(self._listed) or 'none'}"
        raise KeyError(f"unknown output '{key}': {hint}")

    def _register(self, register: int) -> NDArray[Any]:
        if register not in self._made:
            self._made[register] = self._make(register)
        return self._made[register]

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def rows(self, numbers: NDArray[np.int64]) -> Arrays:
        """The same of other rows: arrays of (*numbers.shape, components)."""
        return Arrays(self._columns, self._listed, lambda register: rows_at(self._register(register), numbers))

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {self[key]!r}" for key in self._listed) + "}"


class Result:
    """What a run gives for `lanes` vertices: arrays of (vertices, components) by semantic or register.

    `outputs` are float32, which holds every float24; `words` the same as float24 words (uint32), or as float32 patterns where the
    profile computes in float32; `written` says of each component whether the shader wrote it (bool). A component that was not
    written is 0, or what the vertex before has left where the profile says so. `faults` are the lanes that stopped without
    `end`; their outputs are as they stood then. `profile` is the one they ran under. `unwritten` is what vertices used
    before they had written it, found when it is asked for: `Shader.warnings` says that in words; `watched` is how many vertices were
    looked at for it, all of them or the first 4,096. `engine` is the one that ran them, `reference` or `llvm`.
    """

    def __init__(
        self,
        lanes: int,
        outputs: Arrays,
        words: Arrays,
        written: Arrays,
        faults: tuple[LaneFault, ...],
        profile: Profile,
        unwritten: Callable[[], tuple[Unwritten, ...]],
        engine: str,
    ) -> None:
        self.lanes, self.outputs, self.words, self.written = lanes, outputs, words, written
        self.faults, self.profile, self.engine = faults, profile, engine
        self.watched = lanes if engine == "reference" else min(lanes, WATCHED)
        self._unwritten = unwritten
        self._found: tuple[Unwritten, ...] | None = None

    @property
    def unwritten(self) -> tuple[Unwritten, ...]:
        if self._found is None:
            self._found = self._unwritten()
        return self._found

    def numbered(self, numbers: Sequence[int]) -> Result:
        """The same, with lanes called by these numbers in `unwritten`."""
        arrays = self.outputs, self.words, self.written

        def unwritten() -> tuple[Unwritten, ...]:
            return tuple([read._replace(lane=numbers[read.lane]) for read in self.unwritten])

        return Result(self.lanes, *arrays, self.faults, self.profile, unwritten, self.engine)

    def __repr__(self) -> str:
        return f"Result(lanes={self.lanes}, outputs={self.outputs!r}, faults={len(self.faults)}, engine={self.engine!r})"


def rows_at(array: NDArray[Any], numbers: NDArray[np.int64]) -> NDArray[Any]:
    """`array[numbers]`; of rows of 16 bytes in less than half of the time."""
    if array.ndim != 2 or array.shape[1] * array.itemsize != _ROW or not array.flags.c_contiguous:
        return array[numbers]
    return array.view(np.complex128)[:, 0].take(numbers).view(array.dtype).reshape(*numbers.shape, array.shape[1])


def output_arrays(
    numbers: Mapping[int, NDArray[np.float32]],
    masks: Callable[[int], NDArray[np.uint8]],
    wirings: Sequence[Wiring],
    profile: Profile,
) -> tuple[Arrays, Arrays, Arrays]:
    """Outputs, words and written of a result, under all their keys.

    `numbers` are (lanes, 4) by register, as float32 that are float24 or not as the profile has it; `masks` gives for a register the
    masks (lanes,) of what was written, x in bit 3.
    """
    columns, listed = _named(tuple(sorted(numbers)), tuple(wirings))

    def words(register: int) -> NDArray[np.uint32]:
        array = numbers[register]
        return array.view(np.uint32) if profile.rounding == "float32" else encode_all(array)

    return (
        Arrays(columns, listed, numbers.__getitem__),
        Arrays(columns, listed, words),
        Arrays(columns, listed, lambda register: written_flags(masks(register))),
    )


@lru_cache(256)
def _named(registers: tuple[int, ...], wirings: tuple[Wiring, ...]) -> tuple[Mapping[str, Column], tuple[str, ...]]:
    """What stands under which key, and the keys to list."""
    columns = {f"o{register}": Column(register, (0, 1, 2, 3)) for register in registers}
    for wiring in wirings:
        chosen = Column(int(wiring.register[1:]), tuple(["xyzw".index(letter) for letter in wiring.components]))
        columns[wiring.semantic] = chosen
        if wiring.name:
            columns.setdefault(wiring.name, chosen)
    wired = {int(wiring.register[1:]) for wiring in wirings}
    listed = [*(wiring.semantic for wiring in wirings), *(f"o{register}" for register in registers if register not in wired)]
    return columns, tuple(listed)


def column_of(key: str, registers: Sequence[int], wirings: Sequence[Wiring]) -> Column | None:
    """What stands under a key of results with these outputs."""
    return _named(tuple(sorted(registers)), tuple(wirings))[0].get(key)


def written_flags(masks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Truth values for x, y, z, w of masks, in one dimension more."""
    return (masks[..., np.newaxis] & np.array(_WRITTEN_BITS, np.uint8)) != 0


def masks_of(flags: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The masks of truth values for x, y, z, w in the last dimension."""
    return (flags * np.array(_WRITTEN_BITS, np.uint8)).sum(axis=-1, dtype=np.uint8)
