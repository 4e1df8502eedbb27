"""The flow graph of a shader as a picture."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.api.labels import labels
from lanewise.pica200.ir.graph import MOST_STATES, unfold
from lanewise.pica200.ir.picture import picture_of
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import GEOMETRY, VERTEX
from lanewise.pica200.sem.flow import code_memory
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.graph.picture import Picture
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.sem.profile import Profile


def flow_picture(
    shader: Shader,
    *,
    booleans: Mapping[int, bool] | None = None,
    limit: int = MOST_STATES,
    profile: Profile = HARDWARE,
    title: str = "",
) -> Picture | BudgetExceeded:
    """What `lanewise.graph` prints of a shader; `booleans`, `limit` and `profile` are as in `ir.graph.unfold`."""
    size = (GEOMETRY if shader.interface.geometry else VERTEX).code_words
    memory = code_memory(shader.words, profile, size)
    insts = [decode(word) for word in memory]
    graph = unfold(insts, shader.interface.entry, booleans=booleans, limit=limit, profile=profile)
    if isinstance(graph, BudgetExceeded):
        return graph
    return picture_of(graph, labels(shader, memory), title, _lines(shader) if shader.program.compiled else {})


def _lines(shader: Shader) -> dict[int, str]:
    """The lines of the source by the addresses of their words."""
    places = [(address, operation.span) for address, operation in enumerate(shader.program.operations)]
    return {
        address: f"{span.file}:{span.line}: {' '.join(span.text.split())}"
        for address, span in places
        if span is not None and span.line
    }
