"""A profile that notes what it is asked, so that a proof serves all profiles with the same answers."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.pica200.sem.profile import Profile


class Asked:
    """The fields of a profile, as attributes; `asked` has those that have been read, with their values."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.asked: dict[str, str] = {}

    def __getattr__(self, name: str) -> str:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self.asked[name] = getattr(self._profile, name)
        return value

    def unasked(self) -> Profile:
        """The profile, for what depends only on fields that are read besides."""
        return self._profile

    def as_profile(self) -> Profile:
        """This object, for functions that read fields of a profile."""
        return self  # pyright: ignore[reportReturnType]
