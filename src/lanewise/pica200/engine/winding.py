"""The order in which the vertices of a primitive are drawn."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.pica200.sem.profile import Profile


def winding(inverted: bool, profile: Profile) -> tuple[int, int, int]:
    """The order in which the vertices of a primitive are drawn."""
    if not inverted:
        return (0, 1, 2)
    return (1, 0, 2) if profile.winding_swap == "first" else (2, 1, 0)
