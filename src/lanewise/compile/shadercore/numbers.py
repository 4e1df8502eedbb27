"""The number rule of a ShaderCore device for vector programs: what compiled programs compute, for
`compile.vector.interpret`."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from lanewise.compile.shadercore.lowering import pattern
from lanewise.core.numbers.binary import EQ, LT
from lanewise.shadercore.sem.numbers import ONE, SIGN, WaveOps
from lanewise.shadercore.sem.routines import Routines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.devices import Device


class DeviceNumbers:
    """Patterns of one lane by the operations of a device, functions by its routines.

    A reciprocal on hardware whose lanes disturb each other may have other last bits in a wave.
    """

    def __init__(self, device: Device) -> None:
        self._ops = WaveOps(device)
        self._routines = Routines(self._ops, device, lambda bits: (bits,))

    def known(self, value: float) -> int:
        return pattern(value)

    def value(self, a: int) -> float:
        return float(struct.unpack("<f", struct.pack("<I", a))[0])

    def negate(self, a: int) -> int:
        return a ^ SIGN

    def add(self, a: int, b: int) -> int:
        return self._ops.add((a,), (b,))[0]

    def mul(self, a: int, b: int) -> int:
        return self._ops.mul((a,), (b,))[0]

    def mad(self, a: int, b: int, c: int) -> int:
        return self.add(self.mul(a, b), c)

    def dot(self, a: Sequence[int], b: Sequence[int]) -> int:
        """The sum of the products, from the left."""
        total = self.mul(a[0], b[0])
        for x, y in zip(a[1:], b[1:], strict=True):
            total = self.add(total, self.mul(x, y))
        return total

    def min(self, a: int, b: int) -> int:
        return self._ops.min((a,), (b,))[0]

    def max(self, a: int, b: int) -> int:
        return self._ops.max((a,), (b,))[0]

    def floor(self, a: int) -> int:
        return self._routines.floor((a,))[0]

    def trunc(self, a: int) -> int:
        return self._routines.trunc((a,))[0]

    def rcp(self, a: int) -> int:
        return self._routines.rcp((a,))[0]

    def rsq(self, a: int) -> int:
        return self._routines.rsq((a,))[0]

    def exp2(self, a: int) -> int:
        return self._routines.exp2((a,))[0]

    def log2(self, a: int) -> int:
        return self._routines.log2_relative((a,))[0]

    def compare(self, op: int, a: int, b: int) -> bool:
        """`EQ`, `LT` or `LE` of `core.numbers.binary`."""
        if op == LT:
            return self._ops.less((a,), (b,))[0] == ONE
        at_most = self._ops.at_least((b,), (a,))[0] == ONE
        return at_most and (op != EQ or self._ops.at_least((a,), (b,))[0] == ONE)
