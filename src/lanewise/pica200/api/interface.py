"""What a shader takes and gives, the budget of a run and its error."""

from __future__ import annotations

from lanewise.core.diagnostics import PortableError, render
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.engine.results import ShaderResult

BUDGET = 1_000_000  # steps of a vertex


class Binding(Record):
    """An input or a uniform: its name, its first register (`v0`, `c4`, `i0`, `b3`) and how many registers it has."""

    name: str
    register: str
    size: int


class OutputBinding(Record):
    """An output: the key of its array in a result, its register (`o0`) and its components (`xyz`). `name` is the source's, or
    empty."""

    semantic: str
    register: str
    components: str
    name: str


class RunError(PortableError):
    """Lanes stopped without `end`. `result` has what the other lanes gave, and all faults; `diagnostics` say them in words."""

    result: ShaderResult
    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, result: ShaderResult, diagnostics: Sequence[Diagnostic]) -> None:
        self.result = result
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(d) for d in self.diagnostics))


def counted(number: int) -> str:
    """How many there are of what is counted from 0."""
    return f"there are {number}, 0 to {number - 1}" if number > 1 else "there is one, number 0"
