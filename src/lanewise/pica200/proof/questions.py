"""The profiles under which programs are compared by default."""

from __future__ import annotations

from lanewise.core.evidence import UNKNOWN
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.sem.profile import profiles

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from lanewise.pica200.sem.profile import Profile


def open_fields(opcodes: AbstractSet[str], *, geometry: bool) -> tuple[str, ...]:
    """The fields of a profile whose answers are unknown and that instructions with these names ask."""
    return tuple([key for key, fact in CHOICES.items() if fact.known == UNKNOWN and fact.concerns(opcodes, geometry=geometry)])


def profiles_asked(
    opcodes: AbstractSet[str], *, geometry: bool, presets: Iterable[Profile] | None = None
) -> tuple[Profile, ...]:
    """The presets, and from each of them every other answer to one unknown field that the instructions ask."""
    found: dict[Profile, None] = dict.fromkeys(profiles.values() if presets is None else presets)
    for preset in [*found]:
        for key in open_fields(opcodes, geometry=geometry):
            found |= {preset.replace(**{key: answer}): None for answer in CHOICES[key].answers}
    return tuple(found)
