"""The timing of a program with its table and timeline: `ProgramTiming`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.shadercore.isa.floors import Floor, floor_of
from lanewise.shadercore.isa.timing import Timing, time_program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device


_MEANT = {  # what other names mean
    "`total_cycles`": ("cycles", "total", "time", "latency", "clocks", "duration"),
    "`input_stalls` and `output_stalls`": ("stalls", "waits", "stall_cycles"),
    "`svg()`, a picture, or `table()`, a text": ("plot", "draw", "show", "timeline", "report", "print", "to_text"),
    "`issues`": ("instructions", "schedule", "slots", "steps"),
}


class ProgramTiming(Timing):
    """When each instruction of a program issues in a wave, as `Timing`, to look at: `table()`, `svg()`."""

    __slots__ = ()

    @classmethod
    def of(cls, insts: Sequence[Inst], device: Device) -> Self:
        """The timing of instructions on a device."""
        return cls._make(time_program(insts, device))

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            meant = next((text for text, words in _MEANT.items() if name in words), "")
            instead = f": use {meant}" if meant else ""
            raise AttributeError(f"a ProgramTiming has no attribute '{name}'{instead}", name=name, obj=self)

    def __repr__(self) -> str:
        total = self.total_cycles
        cycles = "never ends" if not self.ended else "cycles not defined" if total is None else f"{total} cycles"
        stalls = self.output_stalls + self.input_stalls
        return f"<Timing on {self.device.describe()}: {len(self.issues)} instructions, {cycles}, {stalls} of them stalls>"

    @property
    def floor(self) -> Floor | None:
        """The least cycles of these instructions in any order, with the reasons; None for a program that does not end."""
        return floor_of(self)

    def table(self) -> str:
        """A line for each instruction: slot, cycle of its issue, latency, stalls, text, and what it waited for."""
        from lanewise.core.document import columns
        from lanewise.shadercore.api.services.time import HEAD, rows

        return "\n".join(columns((HEAD, *rows(self))))

    def svg(self, title: str = "") -> str:
        """The timeline of the quads as SVG, as `lanewise time --svg` draws it."""
        from lanewise.shadercore.api.services.timeline import as_svg

        return as_svg(self, title or self.device.describe())

    def _repr_html_(self) -> str:
        from lanewise.core import html
        from lanewise.shadercore.api.services.time import HEAD, rows

        return html.title(repr(self)[1:-1]) + html.table(HEAD, rows(self))
