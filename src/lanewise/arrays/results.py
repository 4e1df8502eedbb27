"""The result of a run of any instruction set: `Result`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core import html

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.core.diagnostics import Diagnostic


class Result:
    """The result of a run of `lanes` vertices, pixels or lanes: arrays of (lanes, components) by name.

    `outputs` are numbers (float32, or integers where an instruction set computes with those), `bits` the same as raw patterns (uint32) of the format that `format`
    names: `float32`, `float24`, `int32`. `faults` are the lanes that stopped, `warnings` findings about the run. `registers` are patterns of all registers at the
    end, by register, worked out on first use. `engine` is the one that ran; `variant` is the profile, device or rule in words. `isa` is the name of the instruction
    set. Instruction sets add what only they have.
    """

    isa = ""
    format = "float32"

    def __init__(
        self,
        lanes: int,
        outputs: Mapping[str, NDArray[Any]],
        bits: Mapping[str, NDArray[Any]],
        *,
        faults: Sequence[Any] = (),
        warnings: Sequence[Diagnostic] = (),
        registers: Callable[[], Mapping[str, NDArray[Any]]] | None = None,
        engine: str = "reference",
        variant: str = "",
    ) -> None:
        self.lanes, self.outputs, self.bits = lanes, outputs, bits
        self.faults, self.warnings = tuple(faults), tuple(warnings)
        self.engine, self.variant = engine, variant
        self._make_registers = registers
        self._registers: Mapping[str, NDArray[Any]] | None = None

    @property
    def registers(self) -> Mapping[str, NDArray[Any]]:
        """Patterns (uint32) of (lanes, components) by register, at the end. Raises ValueError where the engine has none."""
        if self._registers is None:
            if self._make_registers is None:
                raise ValueError(f"{type(self).__name__} has no registers: its engine does not keep them")
            self._registers = self._make_registers()
        return self._registers

    def _repr_html_(self) -> str:
        """The first lanes with their outputs, and the lanes that stopped."""
        names = list(self.outputs)
        shown = min(self.lanes, html.ROWS)
        columns: list[tuple[str, list[object]]] = []
        for name in names:
            array = self.outputs[name][:shown]
            grid = array.reshape(shown, -1)
            letters = "xyzw" if grid.shape[1] <= len("xyzw") and grid.shape[1] > 1 else ""
            for n in range(grid.shape[1]):
                cells: list[object] = [f"{value:.6g}" for value in grid[:, n].tolist()]
                columns.append((f"{name}.{letters[n]}" if letters else name, cells))
        rows = [[lane, *[cells[lane] for _, cells in columns]] for lane in range(shown)]
        more = f"{self.lanes} lanes{f', the first {shown}' if shown < self.lanes else ''}, {self.variant or self.engine}"
        faults = [(fault.lane, fault.fault.code, fault.fault.message) for fault in self.faults[: html.ROWS]]
        left = len(self.faults) - len(faults)
        found = [(finding.code, finding.message) for finding in self.warnings]
        return html.title(f"{type(self).__name__}", more) + html.tables((
            ("Outputs", ["lane", *[name for name, _ in columns]], rows),
            (f"Stopped{f' (and {left} more lanes)' if left else ''}", ["lane", "code", "reason"], faults),
            ("Warnings", ["code", "message"], found),
        ))  # fmt: skip

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.lanes} lanes, {', '.join(self.outputs) or 'no outputs'}, {len(self.faults)} faults, {self.engine}>"
