"""The result of a run of a ShaderCore program: `WaveResult`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from lanewise.arrays.results import Result, renamed
from lanewise.core.engines import REFERENCE
from lanewise.drawing.drawable import Drawable
from lanewise.shadercore.api.volume import VOLUME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.arrays.outputs import Arrays
    from lanewise.arrays.results import Port
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.drawing.volume import Volume
    from lanewise.shadercore.isa.devices import Device


class WaveResult(Result, Drawable):
    """The result of a run over `lanes` vertices.

    `outputs` are arrays of float32 (vertices, components), by what an output is (`position`) or by register (`o0`): the
    components that leave the core, four, or of o2 on the public hardware two. `bits` are the same as patterns, uint32. `device`
    is the one that it ran on, `warnings` what there was to say. `zeroed` are the inputs that the program reads and that
    `defaults` made 0.
    """

    isa: Literal["shadercore"] = "shadercore"
    volume: Volume | None = VOLUME
    unit = "vertex"

    device: Device

    def __init__(
        self,
        lanes: int,
        outputs: Arrays,
        bits: Arrays,
        device: Device,
        warnings: Sequence[Diagnostic],
        zeroed: Sequence[str] = (),
        *,
        ports: Sequence[Port] | None = None,
        registers: Callable[[], Mapping[str, NDArray[np.uint32]]] | None = None,
        engine: str = REFERENCE,
    ) -> None:
        super().__init__(
            lanes, outputs, bits, warnings=warnings, registers=registers, engine=engine, variant=device.describe(), ports=ports
        )
        self.device = device
        self.zeroed: tuple[str, ...] = tuple(zeroed)

    @property
    def vertices(self) -> int:
        """The former name of `lanes`."""
        renamed("WaveResult.vertices", "WaveResult.lanes")
        return self.lanes
