"""Outputs as the rasterizer takes them: every semantic, by the output map."""

from __future__ import annotations

import numpy as np

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.outmap import COMPONENTS, PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from lanewise.pica200.isa.outmap import OutputMap

# Components of each semantic that the rasterizer takes.
RASTERIZED = {row.name: len(row.letters) for row in PROPERTIES.values()}


def wired(
    outputs: Mapping[str, NDArray[np.float32]], output_map: OutputMap, shape: tuple[int, ...]
) -> dict[str, NDArray[np.float32]]:
    """Every semantic of outputs of a shape as the rasterizer takes it; what the map wires nothing to is 1.0."""
    found = {name: np.ones((*shape, size), np.float32) for name, size in RASTERIZED.items()}
    for slot in output_map.slots:
        for column in range(4) if slot.register >= 0 else ():
            row, place = COMPONENTS.get(slot.word >> 8 * column & 0xFF, (None, 0))
            if row is not None:
                found[row.name][..., place] = outputs[f"o{slot.register}"][..., column]
    return found
