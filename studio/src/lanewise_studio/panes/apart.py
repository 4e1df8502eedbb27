"""The pane of a whole frame under two profiles: how many vertices of each draw differ, and which is the first."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import InputError
from lanewise.core.plain import plain_number
from lanewise.core.service import InputFailure, UsageError
from lanewise.pica200.api.frame_profiles import draw_apart
from lanewise.pica200.sem.profile import find_profile

from lanewise_studio.recorded import MOST_LISTED, frame_of
from lanewise_studio.state import refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.pica200.api.frame_profiles import Apart
    from lanewise.pica200.frame.draws import Draw
    from lanewise.pica200.sem.profile import Profile

    from lanewise_studio.stop import Stop

_BETWEEN = 0.25  # seconds between two parts


def apart(
    message: Mapping[str, object], files: Mapping[str, bytes], stop: Stop, part: Callable[[dict[str, object]], None]
) -> dict[str, object]:
    """The draws of the frame `file` under `profile`, with the setting `set`, and under `against`: rows from number `at` on. All
    but the last go to `part`, which is called now and then. Raises InputError."""
    frame = frame_of(files, str(message.get("file", "")))
    profiles = (
        _profile(str(message.get("profile", "")), str(message.get("set", ""))),
        _profile(str(message.get("against", "")), ""),
    )
    draws = frame.draws[:MOST_LISTED]
    head = {"file": frame.name, "profiles": [profile.describe() for profile in profiles], "total": len(draws)}
    report = stop.progress(f"{profiles[0].describe()} against {profiles[1].describe()}, draw by draw")
    at, rows, sent = 0, list[dict[str, object]](), time.monotonic()
    for draw in draws:
        report(draw.number, len(draws))
        rows.append(_row(draw, frame.name, profiles))
        if time.monotonic() >= sent + _BETWEEN:
            part({**head, "at": at, "draws": rows})
            at, rows, sent = draw.number + 1, [], time.monotonic()
    return {**head, "at": at, "draws": rows}


def _profile(name: str, settings: str) -> Profile:
    try:
        profile = find_profile(name or None)
        return profile.set(settings) if settings else profile
    except ValueError as error:
        raise refused(str(error)) from None


def _row(draw: Draw, name: str, profiles: tuple[Profile, Profile]) -> dict[str, object]:
    try:
        found = draw_apart(draw, f"{name}:{draw.number}", profiles)
    except InputError as error:
        return {"number": draw.number, "refused": error.diagnostics[0].message}
    except (InputFailure, UsageError, ValueError) as error:
        return {"number": draw.number, "refused": str(error)}
    return {"number": draw.number, **_as_row(found)}


def _as_row(found: Apart) -> dict[str, object]:
    return {
        "unit": found.unit,
        "compared": min(found.counts),
        "counts": [*found.counts],
        "differ": len(found.rows),
        "furthest": plain_number(found.furthest),
        "first": found.first._asdict() if found.first is not None else None,
        "stopped": [*found.stopped],
    }


__all__ = ["apart"]
