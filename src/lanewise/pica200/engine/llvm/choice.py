"""Choice of a profile's number rules, with the reason if there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.engine.llvm.exact import ExactFloat24, ExactFloat32
from lanewise.pica200.engine.llvm.speculative import SpeculativeFloat24, SpeculativeFloat32, SpeculativeNearest
from lanewise.pica200.sem.numbers import known_rounding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.pica200.sem.profile import Profile


# By rounding of a profile: the rule to try first, and the rule that leaves nothing out.
RULES: Mapping[str, tuple[type[SpeculativeFloat24] | type[SpeculativeFloat32], type[ExactFloat24] | type[ExactFloat32]]] = {
    "zero": (SpeculativeFloat24, ExactFloat24),
    "nearest": (SpeculativeNearest, ExactFloat24),
    "float32": (SpeculativeFloat32, ExactFloat32),
}


def speculative(profile: Profile) -> type[SpeculativeFloat24] | type[SpeculativeFloat32]:
    """The rule to try first. Raises ValueError for an unknown rounding."""
    return known_rounding(profile, RULES)[0]


def exact(profile: Profile) -> type[ExactFloat24] | type[ExactFloat32]:
    """The rule that leaves nothing out. Raises ValueError for an unknown rounding."""
    return known_rounding(profile, RULES)[1]


def unsupported(profile: Profile) -> str:
    """Why no rule here can do a profile; empty if they can."""
    if profile.rounding == "float32":
        if profile.subnormal_arithmetic == "flush" or "flush" in (profile.subnormal_mov, profile.subnormal_min):
            return "subnormals of float32 are flushed (subnormal_arithmetic, subnormal_mov or subnormal_min is flush)"
        if "flush" in (profile.subnormal_set, profile.subnormal_litp, profile.subnormal_floor):
            return "subnormals of float32 are flushed (subnormal_set, subnormal_litp or subnormal_floor is flush)"
        return ""
    if profile.subnormal_arithmetic == "keep":
        return "subnormals of float24 are kept in arithmetic (subnormal_arithmetic is keep)"
    if profile.precision == "float32":
        return "special functions are rounded twice, as float32 and as float24 (precision is float32)"
    return ""
