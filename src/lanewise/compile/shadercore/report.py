"""Report the costs of a compiled program, by instruction or line of its source, beside other strategies for the same shader."""

from __future__ import annotations

import warnings
from types import MappingProxyType
from typing import TYPE_CHECKING

from lanewise.compile.shadercore.direct3d9 import PUBLIC, TABLE, compile_shader
from lanewise.compile.shadercore.schedule import last_uses
from lanewise.core.record import Record
from lanewise.shadercore.isa.timing import time_program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.shadercore.direct3d9 import Compiled, Options
    from lanewise.compile.shadercore.vector import VectorCompiled
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.shadercore.isa.devices import Device


class Line(Record):
    """The cost of a source instruction."""

    number: int
    "The index of the instruction; -1 for words that belong to none."
    slots: int
    "Words of the program for it."
    cycles: int
    "Cycles until the next instruction issues."
    live: int
    "Values that are live after its last word."
    others: Mapping[str, int]
    "Words of the baselines by strategy."

    @property
    def alive(self) -> int:
        """Deprecated: `live`."""
        warnings.warn("Line.alive is deprecated: use Line.live", DeprecationWarning, stacklevel=2)
        return self.live


class Report(Record):
    """The costs of a program, compared with other strategies."""

    lines: tuple[Line, ...]
    "The instructions in the order of the source; -1 is last."
    slots: Mapping[str, int]
    "Words of the program by strategy."
    cycles: Mapping[str, int | None]
    "Cycles of a wave by strategy; None where the device does not define them."
    registers: Mapping[str, int]
    "Components of registers that are written, by strategy."
    refused: Mapping[str, str]
    "The reason why a strategy does not fit the device."


def baselines(shader: Shader, device: Device, options: Options) -> tuple[list[Compiled], dict[str, str]]:
    """The shader compiled with the other strategies, and the reasons of those that do not fit the device."""
    built: list[Compiled] = []
    refused: dict[str, str] = {}
    for strategy in (TABLE, PUBLIC):
        result = compile_shader(shader, device, options, strategy=strategy)
        if result.compiled is None:
            refused[strategy] = result.diagnostics[0].message
        else:
            built.append(result.compiled)
    return built, refused


def report(
    compiled: Compiled | VectorCompiled, others: Sequence[Compiled] = (), refused: Mapping[str, str] = MappingProxyType({})
) -> Report:
    """The costs of a program, compared with other strategies for the same shader."""
    timing = time_program(compiled.program.insts, compiled.device)
    cycles: dict[int, int] = {}
    for issue, after in zip(timing.issues, [*timing.issues[1:], None], strict=True):
        line = compiled.lines[issue.number]
        cycles[line] = cycles.get(line, 0) + (1 if after is None else after.cycle - issue.cycle)
    slots = _slots(compiled)
    rest = {other.strategy: _slots(other) for other in others}
    live = _live(compiled)
    numbers = sorted({*slots, *(line for counts in rest.values() for line in counts)}, key=lambda n: (n < 0, n))
    lines = [
        Line(
            number=n,
            slots=slots.get(n, 0),
            cycles=cycles.get(n, 0),
            live=live.get(n, 0),
            others={name: counts.get(n, 0) for name, counts in rest.items()},
        )
        for n in numbers
    ]
    every: tuple[Compiled | VectorCompiled, ...] = (compiled, *others)
    return Report(
        lines=tuple(lines),
        slots={one.strategy: one.slots for one in every},
        cycles={one.strategy: time_program(one.program.insts, one.device).total_cycles for one in every},
        registers={one.strategy: len(one.finished.used) for one in every},
        refused=refused,
    )


def _slots(compiled: Compiled | VectorCompiled) -> dict[int, int]:
    found: dict[int, int] = {}
    for line in compiled.lines:
        found[line] = found.get(line, 0) + 1
    return found


def _live(compiled: Compiled | VectorCompiled) -> dict[int, int]:
    """The number of live values after the last instruction of each source line."""
    code, order = compiled.finished.code, compiled.finished.schedule.order
    last = last_uses(code, order)
    outputs = {output.value.node for output in code.outputs}
    found: dict[int, int] = {}
    live: set[int] = set()
    for place, n in enumerate(order):
        live = {node for node in live if last.get(node, -1) > place}
        if n not in outputs and last.get(n, -1) > place:
            live.add(n)
        found[code.nodes[n].line] = len(live)
    return found
