"""Functions that a device lacks or computes too coarsely, by the routines that a compiled shader has for them."""

from __future__ import annotations

from abc import ABC
from typing import TYPE_CHECKING, Generic, TypeVar

from lanewise.direct3d9.sem.algebra import LARGEST, ZERO, DeviceOps

if TYPE_CHECKING:
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.sem.routines import Routines

V = TypeVar("V")
B = TypeVar("B")
I = TypeVar("I")  # noqa: E741


class Routined(DeviceOps[V, B, I], ABC, Generic[V, B, I]):
    """Operations of Direct3D 9 that are instructions of a device where it has exact ones, else routines of `shadercore.sem`."""

    device: Device
    routines: Routines[V]

    def rcp(self, a: V) -> V:
        return self.routines.rcp(a)

    def rsq(self, a: V) -> V:
        return self.routines.rsq(a)

    def exp2(self, a: V) -> V:
        return self.routines.exp2(a)

    def log2(self, a: V) -> V:
        return self.routines.log2(a)

    def exp_partial(self, a: V) -> V:
        return self.exp2(a) if self._has("exp_log") else self.routines.exp2_coarse(a)

    def log_partial(self, a: V) -> V:
        return self.log2(a) if self._has("exp_log") else self.routines.log2_coarse(a)

    def power(self, a: V, b: V) -> V:
        return super().power(a, b) if self._has("exp_log") else self.routines.power(a, b)

    def normal_scale(self, squared: V) -> V:
        """MIN makes FLT_MAX of infinity in one instruction, but of a NaN too, so a 1.0 for NaN is added to the pattern: FLT_MAX
        or 1.0 is a NaN.

        Squares are 0, above 0, or NaN; where comparisons are of patterns, a NaN is not told from a number and a choice is
        needed.
        """
        if not self._has("rsq"):
            return self.routines.rsq_of_square(squared)
        if self.device.value("compare") != "ieee":
            return super().normal_scale(squared)
        m, zero = self.ops, self.constant(ZERO)
        is_nan = m.at_least(zero, m.at_least(squared, zero))
        return m.bit_or(m.min(m.rsq(squared), self.constant(LARGEST)), is_nan)

    def _has(self, key: str) -> bool:
        """Whether the device has an instruction that is exact, whose bits are what everything is compared with."""
        return self.device.value(key) == "exact"


__all__ = ["Routined"]
