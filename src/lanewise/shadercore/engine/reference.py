"""The reference engine for ShaderCore, on exact integers.

One core runs a wave of 16 lanes at a time, an instruction at a time.

`shadercore.sem.meaning` defines single lanes, `shadercore.sem.steps` waves. Here are registers that keep
what they hold from wave to wave, lanes that are off, and vertices cut into waves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.shadercore.isa.table import LANES, QUADS
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.fetch import elements_of, idle_lanes
from lanewise.shadercore.sem.numbers import Wave, WaveOps
from lanewise.shadercore.sem.steps import EXPORTS, Hang, Register, Step, Stepper, exports

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Timing

_UNITS = LANES // QUADS

__all__ = ["EXPORTS", "Core", "Hang", "Register", "Step", "checked_lanes", "run_vertices"]


class Core(Stepper[Wave]):
    """A core that runs one program. Registers are kept from wave to wave where the device keeps them."""

    def __init__(
        self,
        insts: Sequence[Inst],
        device: Device,
        constants: Mapping[tuple[int, int], int] | None = None,
        initial: Mapping[Register, Sequence[int]] | None = None,
        timing: Timing | None = None,
    ) -> None:
        """`constants`: patterns by (register, component), 0 where none is given. `initial`: patterns of 16 lanes by register, 0
        by default. `timing`: that of the program, if it is known.

        Raises ValueError for lanes that are not 16, or patterns of more than 32 bits.
        """
        super().__init__(timing or time_program(insts, device), WaveOps(device))
        self._constants = dict(constants or {})
        self._initial = {key: checked_lanes(lanes) for key, lanes in (initial or {}).items()}
        self.registers |= self._initial

    def entering(self, place: Register) -> Wave:
        return (0,) * LANES

    def uniform(self, number: int, component: int) -> Wave:
        return (self._constants.get((number, component), 0),) * LANES

    def begin(self, inputs: Mapping[tuple[int, int], Sequence[int]], active: int = LANES) -> None:
        """Fetch the vertices of a wave: patterns by (input register, component), one for each active lane.

        There may be more, up to the end of the last quad: what the fetch writes to its other lanes (`sem.fetch`). Lanes without
        a pattern keep what their inputs had. Raises ValueError for another number of lanes.
        """
        if not 1 <= active <= LANES:
            raise ValueError(f"a wave has 1 to {LANES} active lanes, not {active}")
        if self.device.value("between_waves") == "zero":
            self.registers: dict[Register, Wave] = dict(self._initial)
        for (number, component), values in inputs.items():
            if not active <= len(values) <= -(-active // _UNITS) * _UNITS:
                raise ValueError(f"v{number}.{'xyzw'[component]} has {len(values)} values for {active} lanes")
            place = ("v", number, component)
            self.registers[place] = checked_lanes([*values, *self.value(place)[len(values) :]])

    def exported(self) -> dict[Register, Wave]:
        """The exported outputs, in order, of all 16 lanes; the caller drops inactive lanes."""
        return {place: self.value(place) for place in exports(self.device)}


def checked_lanes(lanes: Sequence[int]) -> Wave:
    """The value of a register. Raises ValueError for lanes that are not 16, or patterns of more than 32 bits."""
    if len(lanes) != LANES or any(not 0 <= value < 1 << 32 for value in lanes):
        raise ValueError(f"a register has {LANES} lanes of 32 bits")
    return tuple(lanes)


def run_vertices(
    core: Core,
    inputs: Mapping[tuple[int, int], Sequence[int]],
    count: int,
    idle: Mapping[tuple[int, int], Sequence[int]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[Register, list[int]]:
    """The exported patterns of `count` vertices, in order; `inputs` has one pattern for each of them.

    They are cut into waves of 16 from the start, so the result depends only on this call. `idle` is what the fetch writes to
    lanes after the last vertex (default: `sem.fetch.idle_lanes` of the inputs as plain DWORDs). `progress` is called with the
    vertices done and all. Raises Hang; ValueError for fewer than one vertex.
    """
    if count < 1:
        raise ValueError("at least one vertex is required")
    if idle is None:
        idle = idle_lanes(elements_of(inputs), count, core.device)
    found: dict[Register, list[int]] = {place: [] for place in core.exported()}
    for first in range(0, count, LANES):
        active = min(LANES, count - first)
        if progress is not None:
            progress(first, count)
        extra = idle if first + active == count else {}
        core.begin(
            {place: [*values[first : first + active], *extra.get(place, ())] for place, values in inputs.items()}, active
        )
        core.run()
        for place, wave in core.exported().items():
            found[place] += wave[:active]
    return found
