"""The profile that a request names."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.pica200.sem.profile import Profile


def profile_of(request: Request, default: str | None = None) -> Profile:
    """The profile of `--profile`, a preset or a TOML file, otherwise the default, with the fields of `--set`. Raises
    UsageError, InputFailure."""
    from lanewise.pica200.sem.profile import find_profile, is_profile_file, read_profile

    try:
        name = request.text("profile")
        profile = read_profile(request.files.read(name), name) if is_profile_file(name) else find_profile(name or default)
        for setting in request.texts("set"):
            profile = profile.set(setting)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return profile
