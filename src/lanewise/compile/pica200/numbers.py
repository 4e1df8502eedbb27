"""The number rule of the PICA200 for vector programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.numbers.binary import LT
from lanewise.core.numbers.floats import float24_from_float, float_from_float24
from lanewise.pica200.sem.numbers import Float24
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from lanewise.pica200.sem.profile import Profile


class Words(Float24):
    """float24 words, each operation rounded as the hardware does: what `compile.vector.interpret` takes."""

    def __init__(self, profile: Profile = HARDWARE) -> None:
        super().__init__(profile)

    def known(self, value: float) -> int:
        """A number of the program as the file's constant."""
        return self.canonical(float24_from_float(value))

    def trunc(self, a: int) -> int:
        """Toward zero, by FLOR: the hardware has no operation for it."""
        return self.negate(self.floor(self.negate(a))) if self.compare(LT, a, self.known(0.0)) else self.floor(a)

    def value(self, a: int) -> float:
        return float_from_float24(a)
