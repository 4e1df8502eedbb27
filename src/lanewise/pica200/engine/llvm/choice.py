"""Which number rules a profile has, and why it may have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.engine.llvm.exact import ExactFloat24, ExactFloat32
from lanewise.pica200.engine.llvm.speculative import SpeculativeFloat24, SpeculativeFloat32, SpeculativeNearest

if TYPE_CHECKING:
    from lanewise.pica200.sem.profile import Profile


def speculative(profile: Profile) -> type[SpeculativeFloat24] | type[SpeculativeFloat32]:
    """The rule to try first."""
    return {"nearest": SpeculativeNearest, "float32": SpeculativeFloat32}.get(profile.rounding, SpeculativeFloat24)


def exact(profile: Profile) -> type[ExactFloat24] | type[ExactFloat32]:
    """The rule that leaves nothing out."""
    return ExactFloat32 if profile.rounding == "float32" else ExactFloat24


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
