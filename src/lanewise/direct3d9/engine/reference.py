"""The reference engine of Direct3D 9 shaders, on exact integers.

The walker runs waves of 16 lanes, an instruction at a time.

Lanes are cut into waves from the start of the call. Lanes after the last one, which fill the last wave, have inputs of 0 and
compute as the others do, as on ShaderCore; but no branch is taken and no loop goes on for their sake.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.arrays.lists import table
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.source import Span
from lanewise.direct3d9.engine.data import DEFAULTS, Fetch, Raw, patterns, signed
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.algebra import BUMP, KILLED, Component, Sampling
from lanewise.direct3d9.sem.flow import Control, Walker
from lanewise.direct3d9.sem.numbers import Flags, Integers, Waves, waves_of
from lanewise.direct3d9.sem.tree import expanded
from lanewise.shadercore.isa.table import LANES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np

    from lanewise.direct3d9.engine.data import Data
    from lanewise.direct3d9.isa.program import Inst
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.shadercore.sem.numbers import Wave

MOST_EXPANDED = 1 << 18  # instructions with all calls put in place
INPUT_REGISTERS = 16
_QUAD = 4  # pixels: 0 1 above 2 3
_ZEROS = (0,) * LANES
_OFF = (False,) * LANES
_TOLD = 256  # iterations between two reports of progress


class Machine(Control["Wave", Flags, Integers]):
    """A wave of lanes, with the data of a run."""

    flow: Flow
    ops: Waves
    data: Data
    progress: Callable[[int, int], None] | None
    constants: Mapping[int, tuple[int, ...]]
    first: int
    active: tuple[bool, ...]
    iterations: int

    def __init__(self, flow: Flow, ops: Waves, data: Data, progress: Callable[[int, int], None] | None = None) -> None:
        self.flow, self.ops, self.data, self.progress = flow, ops, data, progress
        self.constants = data.constants
        self._constant_waves: dict[Component, Wave] = {}
        self.first, self.active = 0, _OFF
        self.iterations = 0
        self.place: Inst | None = None
        self.values: dict[Component, Wave] = {}
        self.predicates: dict[Component, Flags] = {}
        self.indices: dict[Component, Integers] = {}

    def begin(self, first: int, inputs: Mapping[Component, Wave], active: int) -> None:
        """Take lanes `first` and so on, `active` of them."""
        self.first, self.iterations = first, 0
        self.active = tuple([lane < active for lane in range(LANES)])
        self.values, self.predicates, self.indices = dict(inputs), {}, {}

    # Cells

    def read(self, cell: Component) -> Wave:
        if cell.file == isa.CONST:
            return self._constant(cell)
        found = self.values.get(cell)
        if found is not None:
            return found
        if cell.file == BUMP:
            return (
                self.data.bumps.get(cell.number, DEFAULTS)[cell.component] if cell.number in self.data.bumps else 0,
            ) * LANES
        return (DEFAULTS[cell.component],) * LANES if self._is_input(cell.file) else _ZEROS

    def _constant(self, cell: Component) -> Wave:
        found = self._constant_waves.get(cell)
        if found is None:
            row = self.constants.get(cell.number)
            found = self._constant_waves[cell] = (row[cell.component] if row else 0,) * LANES
        return found

    def _is_input(self, file: int) -> bool:
        pixel = self.flow.version.kind == isa.PIXEL
        return file == isa.INPUT or (pixel and file in (isa.TEXTURE, isa.MISC))

    def write(self, cell: Component, value: Wave) -> None:
        self.values[cell] = value

    def read_truth(self, cell: Component) -> Flags:
        return self.predicates.get(cell, _OFF)

    def write_truth(self, cell: Component, value: Flags) -> None:
        self.predicates[cell] = value

    def read_integer(self, cell: Component) -> Integers:
        return self.indices.get(cell, _ZEROS)

    def write_integer(self, cell: Component, value: Integers) -> None:
        self.indices[cell] = value

    def read_indexed(self, file: int, base: int, index: Integers, component: int) -> Wave:
        if file == isa.CONST:
            rows = [self.constants.get(base + n) if base + n >= 0 else None for n in index]
            return tuple([row[component] if row else 0 for row in rows])
        most = INPUT_REGISTERS
        return tuple(
            [
                self.read(Component(file, base + n, component))[lane] if 0 <= base + n < most else 0
                for lane, n in enumerate(index)
            ]
        )

    # Flow

    def known(self, truth: Flags) -> bool | None:
        return True if all(truth) else None if any(truth) else False

    def any(self, mask: Flags) -> bool:
        """Whether a lane of the caller's is on."""
        return any(on and there for on, there in zip(mask, self.active, strict=True))

    def when(self, mask: Flags, body: Callable[[], None]) -> None:
        if self.any(mask):
            body()

    def repeat(self, register: int, body: Callable[[Flags], None], live_lanes: Callable[[], Flags]) -> None:
        place = self.place
        for _ in range(self._integer(register, 0)):
            if not self.any(live_lanes()):
                return
            self.iterations += 1
            if self.iterations > self.data.iterations:
                raise too_long(self.data.iterations, place)
            if self.progress is not None and not self.iterations % _TOLD:
                self.progress(self.first, self.data.lanes)
            body((True,) * LANES)

    def _integer(self, register: int, component: int) -> int:
        values = self.flow.integers.get(register) or self.data.integers.get(register) or (0,) * 4
        return signed(values, component)

    def boolean(self, number: int) -> Flags:
        defined = self.flow.booleans.get(number)
        return (self.data.booleans.get(number, False) if defined is None else defined,) * LANES

    def loop_value(self, register: int, component: int) -> Integers:
        return (self._integer(register, component),) * LANES

    def visit(self, inst: Inst) -> None:
        self.place = inst

    # Pixels

    def sample(self, request: Sampling[Wave]) -> tuple[Wave, Wave, Wave, Wave]:
        if request.stage not in self.data.samplers:
            inst = self.place
            named = {source.number for each in self.flow.insts for source in each.sources if source.file == isa.SAMPLER}
            lacking = [f"s{stage}" for stage in sorted(named - set(self.data.samplers) - {request.stage})]
            others = (f"also without data: {', '.join(lacking)}",) if lacking else ()
            raise InputError(
                [
                    Diagnostic(
                        code="R307",
                        severity=ERROR,
                        message=f"{request.name} samples s{request.stage}, which has no data",
                        span=(inst.place if inst else None) or Span(file=""),
                        notes=others,
                        fix=f"give `--sampler {request.stage}=FILE.png` (samplers={{{request.stage}: ...}})",
                    )
                ]
            )
        import numpy as np

        sampler = self.data.samplers[request.stage]
        pixels = np.minimum(np.arange(self.first, self.first + LANES), self.data.lanes - 1)
        if callable(sampler):
            given = Fetch(request.name, _rows(request.coordinates), pixels, tuple(map(_rows, request.gradients)))
            grid = _colors(sampler(given), request.stage)
        else:
            grid = _colors(sampler, request.stage)
            if len(grid) > 1:
                if len(grid) < self.data.lanes:
                    raise InputError(
                        [
                            Diagnostic(
                                code="B008",
                                severity=ERROR,
                                message=f"sampler {request.stage} has {len(grid)} rows",
                                span=Span(file=""),
                                notes=(),
                                fix=f"give one for each of the {self.data.lanes} pixels, or one for all",
                            )
                        ]
                    )
                grid = grid[pixels]
        if len(grid) not in (1, LANES):
            raise InputError(
                [
                    Diagnostic(
                        code="B002",
                        severity=ERROR,
                        message=f"sampler {request.stage} gave {len(grid)} rows",
                        span=Span(file=""),
                        notes=(),
                        fix=f"give {LANES}, or one",
                    )
                ]
            )
        columns = np.broadcast_to(grid, (LANES, 4)).T.tolist()
        x, y, z, w = (tuple(column) for column in columns)
        return x, y, z, w

    def difference(self, value: Wave, axis: int) -> Wave:
        """Of the quad's own rows (columns): pixels 1 - 0 and 3 - 2, or 2 - 0 and 3 - 1."""
        step = 1 << axis
        near = [lane - lane % _QUAD + (lane % _QUAD & ~step) for lane in range(LANES)]
        first, second = tuple([value[n] for n in near]), tuple([value[n + step] for n in near])
        return self.ops.sub(second, first)


def too_long(iterations: int, inst: Inst | None) -> InputError:
    """R305: more iterations than the limit."""
    place = (inst.place if inst else None) or Span(file="")
    return InputError(
        [
            Diagnostic(
                code="R305",
                severity=ERROR,
                message=f"loops take more than {iterations} iterations",
                span=place,
                notes=(),
                fix="raise the limit, or lower the counts in i#",
            )
        ]
    )


def _rows(wave: Sequence[Wave]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    import numpy as np

    return np.array(wave, np.uint32).T.copy().view(np.float32)


def _colors(value: object, stage: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    """(rows, 4) patterns of what a sampler is or gives. Raises InputError."""
    found: list[Diagnostic] = []
    grid = patterns(value, f"sampler {stage}", found)
    if grid is not None and grid.shape[1] != 4:
        found.append(
            Diagnostic(
                code="B002",
                severity=ERROR,
                message=f"sampler {stage} gives {grid.shape[1]} components",
                span=Span(file=""),
                notes=(),
                fix="give four: red, green, blue, alpha",
            )
        )
    if grid is None or found:
        raise InputError(found)
    return cast("np.ndarray[tuple[int, int], np.dtype[np.uint32]]", grid)


def check_size(flow: Flow, most: int = MOST_EXPANDED) -> None:
    """Raise InputError for a shader whose calls, put in place, are too many instructions."""
    size = expanded(flow)
    if size > most:
        message = f"with calls inlined the shader has {size} instructions; at most {most} can be run"
        raise InputError(
            [
                Diagnostic(
                    code="R305",
                    severity=ERROR,
                    message=message,
                    span=Span(file=""),
                    notes=(),
                    fix="use fewer calls: a routine that calls another twice doubles its size",
                )
            ]
        )


def run(
    flow: Flow,
    rule: Rule,
    data: Data,
    outputs: Sequence[tuple[int, int]],
    *,
    kills: bool = False,
    progress: Callable[[int, int], None] | None = None,
    kept: dict[Component, list[int]] | None = None,
) -> Raw:
    """All lanes; `outputs` are the registers wanted, by (file, number). Raises InputError for what cannot be run to its end.

    `progress` is called with the number of lanes done and of all, from time to time, also in long loops. `kept` gets every
    component that was written: patterns of floats and integers, 0 and 1 of truth values.
    """
    check_size(flow)
    ops = waves_of(rule)
    machine = Machine(flow, ops, data, progress)
    found: dict[tuple[int, int], list[tuple[int, ...]]] = {key: [] for key in outputs}
    killed: list[bool] = []
    for first in range(0, data.lanes, LANES):
        if progress is not None:
            progress(first, data.lanes)
        active = min(LANES, data.lanes - first)
        machine.begin(first, wave_inputs(data, first, active), active)
        Walker(flow, ops, machine, rule.choices).run((True,) * LANES)
        for (file, number), rows in found.items():
            columns = [machine.values.get(Component(file, number, component), _ZEROS)[:active] for component in range(4)]
            rows.extend(zip(*columns, strict=True))
        if kept is not None:
            _keep(machine, data, first, active, kept)
        killed += machine.read_truth(Component(KILLED, 0, 0))[:active]
    return Raw({key: table(grid, "u", 4) for key, grid in found.items()}, table(killed, "b") if kills else None)


def _keep(machine: Machine, data: Data, first: int, active: int, kept: dict[Component, list[int]]) -> None:
    """Add what a wave has written to `kept`."""
    given = {(file, number) for file, number in data.inputs}
    values = {cell: wave for cell, wave in machine.values.items() if (cell.file, cell.number) not in given}
    truths = {cell: wave for cell, wave in machine.predicates.items() if cell.file == isa.PREDICATE}
    for cell, wave in (*values.items(), *truths.items(), *machine.indices.items()):
        column = kept.setdefault(cell, [0] * data.lanes)
        column[first : first + active] = [int(value) & 0xFFFFFFFF for value in wave[:active]]


def wave_inputs(data: Data, first: int, active: int) -> dict[Component, Wave]:
    found: dict[Component, Wave] = {}
    tail = (0,) * (LANES - active)
    for (file, number), grid in data.inputs.items():
        for component, column in enumerate(zip(*grid[first : first + active].tolist(), strict=True)):
            found[Component(file, number, component)] = (*column, *tail)
    return found
