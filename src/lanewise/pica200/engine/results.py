"""`ShaderResult`: the arrays of a run's outputs, by every name of each."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from lanewise.arrays import results
from lanewise.arrays.outputs import Column
from lanewise.arrays.results import renamed
from lanewise.core.later import Later
from lanewise.drawing.drawable import Drawable
from lanewise.pica200.engine.final_registers import REGISTER_FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Protocol

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.arrays.outputs import Arrays
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.engine.reference import Fault
    from lanewise.pica200.engine.uninitialised import UninitialisedRead
    from lanewise.pica200.sem.profile import Profile

    class Wiring(Protocol):
        """Name and place of an output.

        `register` is `o0` to `o15`, `components` letters of xyzw in order.
        """

        @property
        def semantic(self) -> str: ...
        @property
        def register(self) -> str: ...
        @property
        def components(self) -> str: ...
        @property
        def name(self) -> str: ...


# Vertices of the compiled engine that are checked for uninitialised reads, if the program may have any.
WATCHED = 4096
WRITTEN_BITS = (8, 4, 2, 1)  # of the components in a mask


class LaneFault(NamedTuple):
    """A lane that stopped without `end`."""

    lane: int
    fault: Fault


class ShaderResult(results.Result, Drawable):
    """Result of a run of `lanes` vertices: arrays of (vertices, components).

    The keys are semantics or registers. `outputs` are float32, which holds every float24; `bits` the same as float24 words
    (uint32), or as float32 patterns where the profile computes in float32 (`format`); `written` is, for each component, whether
    the shader wrote it (bool). A component that was not written is 0, or that of the vertex before with profiles that keep it.
    `faults` are the lanes that stopped without `end`; their outputs are those at that moment, or zeros if they do not end at
    all (`Fault.endless`). `profile` is the one of the run. `unwritten` are the uninitialised reads, computed on first use:
    `Shader.warnings` reports them as text; `watched` is the number of vertices checked for them, all or the first 4,096.
    `engine` is the one that ran, `reference` or `llvm`. `incomplete` are warnings about indexed arrays that lack values.
    `registers` are r0-r15, v0-v15 as loaded, o0-o15, a0, cmp and aL at the end, which the reference engine works out for either
    engine on first use.
    """

    isa: Literal["pica200"] = "pica200"
    _internal = frozenset(("keep", "numbered"))
    register_formats: Mapping[str, str] = REGISTER_FORMATS
    unit = "vertex"

    watched: int

    def __init__(
        self,
        lanes: int,
        outputs: Arrays,
        bits: Arrays,
        written: Arrays,
        faults: tuple[LaneFault, ...],
        profile: Profile,
        unwritten: Callable[[], tuple[UninitialisedRead, ...]],
        engine: str,
    ) -> None:
        super().__init__(lanes, outputs, bits, engine=engine, variant=profile.describe())
        self._lane_faults = faults
        self._arrays = outputs, bits, written
        self.profile = profile
        self.format = "float32" if profile.rounding == "float32" else "float24"
        self.watched = lanes if engine == "reference" else min(lanes, WATCHED)
        self.incomplete: tuple[Diagnostic, ...] = ()
        self._unwritten = unwritten
        self._found: tuple[UninitialisedRead, ...] | None = None

    @property
    def faults(self) -> tuple[LaneFault, ...]:
        """The lanes that stopped without `end`."""
        return self._lane_faults

    @property
    def written(self) -> Mapping[str, NDArray[np.bool_]]:
        """Whether the shader wrote each component of the outputs."""
        return self._arrays[2]

    @property
    def words(self) -> Mapping[str, NDArray[np.uint32]]:
        """The former name of `bits`."""
        renamed("ShaderResult.words", "ShaderResult.bits")
        return self.bits

    @property
    def unwritten(self) -> tuple[UninitialisedRead, ...]:
        if self._found is None:
            self._found = self._unwritten()
        return self._found

    def keep(self, registers: Callable[[], Mapping[str, NDArray[Any]]]) -> None:
        """Give what `registers` works out on first use."""
        self._make_registers = registers

    def numbered(self, numbers: Sequence[int]) -> ShaderResult:
        """A copy with other numbers of lanes in `unwritten`."""
        unwritten = Later(_numbered, self, numbers)
        found = ShaderResult(self.lanes, *self._arrays, self.faults, self.profile, unwritten, self.engine)
        found.incomplete = self.incomplete
        return found


def _numbered(result: ShaderResult, numbers: Sequence[int]) -> tuple[UninitialisedRead, ...]:
    return tuple([read._replace(lane=numbers[read.lane]) for read in result.unwritten])


@lru_cache(256)
def named_columns(registers: tuple[int, ...], wirings: tuple[Wiring, ...]) -> tuple[Mapping[str, Column], tuple[str, ...]]:
    """The arrays by key, and the keys to list."""
    columns = {f"o{register}": Column(register, (0, 1, 2, 3)) for register in registers}
    for wiring in wirings:
        chosen = Column(int(wiring.register[1:]), tuple(["xyzw".index(letter) for letter in wiring.components]))
        columns[wiring.semantic] = chosen
        if wiring.name:
            columns.setdefault(wiring.name, chosen)
    wired = {int(wiring.register[1:]) for wiring in wirings}
    listed = [*(wiring.semantic for wiring in wirings), *(f"o{register}" for register in registers if register not in wired)]
    return columns, tuple(listed)


@lru_cache(256)
def registers_of(wirings: tuple[Wiring, ...], written: frozenset[int]) -> tuple[int, ...]:
    """The o registers that a result has."""
    return tuple(sorted({int(wiring.register[1:]) for wiring in wirings} | written))


def column_of(key: str, registers: Sequence[int], wirings: Sequence[Wiring]) -> Column | None:
    """The register and components of a key of results with these outputs."""
    return named_columns(tuple(sorted(registers)), tuple(wirings))[0].get(key)
