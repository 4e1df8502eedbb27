"""The profile that a request names."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.pica200.sem.profile import Profile


def profile_of(request: Request) -> Profile:
    """The profile of `--profile` with the fields of `--set`. Raises UsageError."""
    from lanewise.pica200.sem.profile import find_profile

    try:
        profile = find_profile(request.text("profile") or None)
        for setting in request.texts("set"):
            profile = profile.set(setting)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return profile
