"""What all registers hold at the end of a run, as a table and as JSON: `run --registers` of every instruction set."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lanewise.core.document import columns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    Registers = Mapping[str, NDArray[Any]]
    Number = Callable[[str, int], float]


def registers_table(registers: Registers, number: Number, *, lanes: int, bits: bool = False, digits: int = 8) -> str:
    """A line for each lane and register; `number` is the value of a pattern in a register, `bits` asks for patterns of so many `digits`."""
    rows = [["lane", "register", *"xyzw"]]
    for lane in range(lanes):
        for name, grid in registers.items():
            words = [int(word) for word in grid[lane].tolist()]
            cells = [f"0x{word:0{digits}X}" if bits else _text(number(name, word)) for word in words]
            rows.append([str(lane), name, *cells, *[""] * (4 - len(cells))])
    return "\n".join([line.rstrip() for line in columns(rows)])


def registers_json(registers: Registers, number: Number, *, digits: int = 8) -> list[dict[str, object]]:
    """Each register with rows of values and patterns, one for each lane; a value that JSON has no number for is null."""
    return [
        {
            "register": name,
            "values": [[_plain(number(name, int(word))) for word in row] for row in grid.tolist()],
            "bits": [[f"0x{int(word):0{digits}X}" for word in row] for row in grid.tolist()],
        }
        for name, grid in registers.items()
    ]


def _text(number: float) -> str:
    return f"{number:.7g}" if isinstance(number, float) else str(number)


def _plain(number: float) -> float | None:
    return number if math.isfinite(number) else None
