"""What the assembler has said already: warnings of a run that would only repeat it are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.isa.pica200 import mask_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.source import Span


def never_written(told: Sequence[Diagnostic], declared: Span | None, mask: int, *, whole: bool) -> bool:
    """Whether V083 was told of these components, x in bit 3, of the output that is declared there; `whole`: they are all it declares."""
    start = "'" if whole else f"{mask_text(mask)} of '"
    return any(found.code == "V083" and found.span == declared and found.message.startswith(start) for found in told)


def stale(told: Sequence[Diagnostic], emit: Span, register: int, mask: int) -> bool:
    """Whether V088 was told of these components of an output register at that `emit`."""
    start = f"o{register}.{mask_text(mask)} "
    return any(found.code == "V088" and found.span == emit and found.message.startswith(start) for found in told)
