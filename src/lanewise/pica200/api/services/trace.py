"""Options of `lanewise run --trace` that only the PICA200 has."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.pica200.api.shader import BUDGET

if TYPE_CHECKING:
    from lanewise.core.service import Request


def check_trace(request: Request) -> None:
    """Raises UsageError for options of traces that do not go together."""
    if request.has("trace-stage") and not request.has("trace"):
        raise UsageError("--trace-stage goes with --trace N")


def limit(request: Request) -> int | None:
    """The budget that was asked for; None for the default, which is another one in a trace."""
    budget = request.integer("budget", BUDGET)
    return None if budget == BUDGET else budget
