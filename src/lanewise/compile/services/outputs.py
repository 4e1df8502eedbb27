"""Names of the files that a compiler writes."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import SourceFile

_NAMES = ("S013", "S017")  # a module without names, a name that was changed


def default_output(source: SourceFile, suffix: str, member: str = "") -> str:
    """`light.scb` beside `light.vso`, `water_P0_vertex.scb` for a shader of an effect; standard input goes to standard
    output."""
    return STDIO if source.path == STDIO else stem(source.path) + (f"_{member}" if member else "") + suffix


def stem(path: str) -> str:
    """A path without its last suffix."""
    before, dot, _ = path.rpartition(".")
    return before if dot and before and "/" not in path[len(before) :] else path


def findings_shown(found: Sequence[Diagnostic], *, checked: bool) -> list[Diagnostic]:
    """Return the findings that a compilation reports: without notes, unless the source is `checked`; but names that are not
    those of the source are always reported."""
    from lanewise.core.diagnostics import NOTE, in_order

    return [*in_order(found)] if checked else [each for each in found if each.severity != NOTE or each.code in _NAMES]
