"""Which registers hold values that are still needed, word by word, for hover and remarks."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.demand import demand
from lanewise.pica200.check.value_rules import components_text
from lanewise.pica200.ir.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.check.context import AnalysisContext

_NOT_OUTPUTS = dataflow.REGISTERS & ~dataflow.OUTPUTS


def live_after(contexts: Sequence[AnalysisContext]) -> Mapping[int, int]:
    """By word that can be reached: the components whose values after it have an effect, outputs aside, as bits of
    `dataflow`."""
    found: dict[int, int] = {}
    for context in contexts:
        if isinstance(context.graph, Graph):
            for (_, pc), live in demand(context, context.graph).after.items():
                found[pc] = found.get(pc, 0) | live & _NOT_OUTPUTS
    return found


def shown(live: int) -> str:
    """Live components as text, grouped by register."""
    return components_text(dataflow.components(live)).replace(" and ", ", ")


def registers(live: int) -> int:
    """How many registers the live components are of."""
    return len({(component.file, component.number) for component in dataflow.components(live)})
