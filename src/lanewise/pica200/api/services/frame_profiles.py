"""`lanewise frame --against`: the vertices of each draw that differ between two profiles."""

from __future__ import annotations

from lanewise.arrays.expecting import Tolerance
from lanewise.core.diagnostics import InputError
from lanewise.core.document import Heading, Paragraph, Table
from lanewise.core.plain import plain_number
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer, UsageError
from lanewise.core.text.counting import counted
from lanewise.pica200.api.frame_profiles import draw_apart
from lanewise.pica200.api.services.profiles import profile_of
from lanewise.pica200.sem.profile import PRESETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Request
    from lanewise.pica200.api.frame_profiles import Apart
    from lanewise.pica200.api.services.frames import FrameFile
    from lanewise.pica200.frame.draws import Draw


def compared(request: Request, file: FrameFile, draws: Sequence[Draw]) -> Answer:
    """The draws under the profiles of `profile` and `against`. A draw that cannot run is a finding, and the others are
    compared. Raises UsageError, InputFailure."""
    against = request.text("against")
    try:
        profiles = profile_of(request), profile_of(request.with_values({"profile": against, "set": ()}))
    except UsageError as error:
        if against in str(error) and ("/" in against or request.files.exists(against)):
            if against.lower().endswith((".ctf", ".bin")):
                fix = f"two recordings are compared draw by draw: lanewise diff {file.name}:0 {against}:0"
                raise UsageError(f"--against {against}: a profile is named here; {fix}") from None
            other = f"`lanewise fuzz --against {against}` or `lanewise vectors pica200 --supervise {against}`"
            raise UsageError(f"{error}; a program that answers jobs is compared by {other}") from None
        raise
    others = " or ".join([name for name in PRESETS if name != against])
    same = profiles[0] == profiles[1]
    remarks = (f"both profiles are {profiles[0].describe()}: compare with --against {others}",) if same else ()
    tolerance = _tolerance(request.text("tolerance", "0"))
    if tolerance.difference >= _LARGE:
        what = f"--tolerance {request.text('tolerance')} is a difference, as large as colours are"
        remarks = (*remarks, f"warning: {what}: --tolerance 1 is one step of the format")
    found: list[Apart] = []
    findings: list[Diagnostic] = [*file.findings]
    for draw in draws:
        try:
            found.append(draw_apart(draw, f"{file.name}:{draw.number}", profiles, tolerance=tolerance))
        except InputError as error:
            findings += error.diagnostics
    names = [profile.describe() for profile in profiles]
    if request.as_json:
        data: dict[str, object] = {
            "profiles": {
                "frame": file.name,
                "first": names[0],
                "second": names[1],
                "tolerance": {"ulp": tolerance.ulp, "abs": tolerance.difference},
                "draws": [_as_json(each) for each in found],
            }
        }
        return Answer(data=data, last=tuple(findings), schema="frame")
    differ = sum([bool(each.rows) for each in found])
    note = "Vertices are numbered as `--trace` takes them; with a geometry shader, corners of its triangles in order."
    note = f"{'differs' if differ == 1 else 'differ'}. {_within(tolerance)}{note}"
    return Answer(
        page=(
            Heading(1, f"{file.name}: {names[0]} and {names[1]}"),
            Paragraph(f"{differ} of {counted(len(found), 'draw')} {note}"),
            Table(
                ("draw", "compared", "differ", "furthest", "first", "output", names[0], names[1]),
                tuple([_row(each) for each in found]),
            ),
        ),
        last=tuple(findings),
        remarks=remarks,
    )


_LARGE = 0.25  # a difference that hides most faults


def _tolerance(text: str) -> Tolerance:
    """A whole number of steps, or a difference, which has a point. Raises UsageError."""
    try:
        found = Tolerance(int(text)) if text.isdecimal() else Tolerance(0, float(text))
    except ValueError:
        found = Tolerance(-1)
    if not (found.ulp >= 0 and 0 <= found.difference < float("inf")):
        raise UsageError(f"--tolerance {text}: give a number of steps such as 4, or a difference such as 0.001")
    return found


def _within(tolerance: Tolerance) -> str:
    """What the tolerance is, for the text; empty without one."""
    if tolerance.ulp:
        steps = counted(tolerance.ulp, "step")
        return f"Numbers up to {steps} of their format apart are equal; --tolerance {tolerance.ulp}.0 is a difference. "
    return f"Numbers up to {tolerance.difference:g} apart are equal. " if tolerance.difference else ""


def _row(each: Apart) -> tuple[str, ...]:
    counts = each.counts
    units = {"vertex": "vertices", "corner": "corners"}
    compared = f"{min(counts)} {each.unit if min(counts) == 1 else units[each.unit]}" + (
        f" ({counts[0]} and {counts[1]})" if counts[0] != counts[1] else ""
    )
    stopped = f" (stopped: {each.stopped[0]} and {each.stopped[1]})" if any(each.stopped) else ""
    if each.first is None:
        return (str(each.number), compared, f"0{stopped}", "-", "-", "-", "-", "-")
    place = str(each.first.row) + (f" (buffer {each.first.vertex})" if each.first.vertex not in (None, each.first.row) else "")
    values = each.first.output, each.first.first, each.first.second
    return (str(each.number), compared, f"{len(each.rows)}{stopped}", f"{each.furthest:.3g}", place, *values)


def _as_json(each: Apart) -> dict[str, object]:
    first = each.first
    return {
        "number": each.number,
        "unit": each.unit,
        "counts": list(each.counts),
        "differ": len(each.rows),
        "rows": list(each.rows),
        "largest": each.largest,
        "furthest": plain_number(each.furthest),
        "format": each.format,
        "first": first._asdict() if first is not None else None,
        "stopped": list(each.stopped),
    }
