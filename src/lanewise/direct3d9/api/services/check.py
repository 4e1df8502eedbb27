"""`lanewise check` for Direct3D 9 shaders: findings, slots and registers."""

from __future__ import annotations

from lanewise.core.diagnostics import has_errors, in_order
from lanewise.core.document import columns
from lanewise.core.ignoring import is_ignored
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Report, Stats
from lanewise.direct3d9.api.checking import check_reading
from lanewise.direct3d9.check.cost import cost

if TYPE_CHECKING:
    from lanewise.direct3d9.api.reading import Reading
    from lanewise.direct3d9.check.cost import SlotCost


def check(reading: Reading, name: str, *, stats: bool) -> Report:
    """The findings about a file that was read, by place. `stats` asks for its cost, which a file with errors does not have."""
    findings = in_order(check_reading(reading, name))
    ignored = tuple([finding for finding in findings if is_ignored(finding)])
    shown = tuple([finding for finding in findings if not is_ignored(finding)])
    if not stats or reading.shader is None or has_errors(reading.diagnostics):
        return Report(shown, ignored)
    return Report(shown, ignored, (stats_of(cost(reading.shader, name)),))


def stats_of(cost: SlotCost) -> Stats:
    """The cost of a shader as plain values and as a table."""
    rows = [("", "used", "of", "left")]
    rows += [
        (use.name, str(use.used), *(("no limit", "") if use.of is None else (str(use.of), str(use.of - use.used))))
        for use in cost.uses
    ]
    text = "\n".join([f"{cost.name} ({cost.version})", *(f"  {line}".rstrip() for line in columns(rows))]) + "\n"
    uses = {use.name: {"used": use.used, "of": use.of} for use in cost.uses}
    return Stats({"shader": cost.name, "version": cost.version, "uses": uses}, text)
