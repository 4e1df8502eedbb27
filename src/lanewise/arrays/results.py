"""The result of a run of any instruction set: `Result`."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.lanes} lanes, {', '.join(self.outputs) or 'no outputs'}, {len(self.faults)} faults, {self.engine}>"
