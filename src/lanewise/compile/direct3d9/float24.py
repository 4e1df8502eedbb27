"""Direct3D 9 shaders run in the numbers of the PICA200: what a compiled program must give, bit for bit.

The walker and the meanings are those of every other run; only the operations are the hardware's. Where Direct3D 9 leaves a
question open, the profile answers it: the order of sums, the rounding of mad, min and max of NaN, rcp and rsq of 0. What the
hardware has no operation for is defined by those that it has, here.
"""

from __future__ import annotations

import struct
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.direct3d9.lowering import CHOICES
from lanewise.core.numbers.binary import GE, LT
from lanewise.core.numbers.floats import float24_from_float32_bits, float_from_float24
from lanewise.direct3d9.engine.reference import Machine, check_size, wave_inputs
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.algebra import HALF, ONE, SIGN, ZERO, Component
from lanewise.direct3d9.sem.flow import Walker
from lanewise.direct3d9.sem.numbers import NOWHERE, Flags, Integers, Waves, rule_of
from lanewise.pica200.sem.numbers import Float32, number_rule
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.shadercore.isa.table import LANES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.direct3d9.engine.data import Data
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.pica200.sem.numbers import Float24
    from lanewise.pica200.sem.profile import Profile
    from lanewise.shadercore.sem.numbers import Wave

_FARTHEST = 1 << 20  # an address beyond is an index of nothing


class Float24Waves(Waves):
    """The operations on waves of float24 words, by the numbers of a profile."""

    rule: Float24 | Float32

    def __init__(self, profile: Profile = HARDWARE) -> None:
        super().__init__(rule_of("ieee"))
        self.rule = m = number_rule(profile)
        self._one, self._zero = m.constant(1.0), m.constant(0.0)
        self._lanewise: Mapping[str, Callable[..., int]] = {
            "add": m.add,
            "mul": m.mul,
            "min": m.min,
            "max": m.max,
            "rcp": m.rcp,
            "rsq": m.rsq,
            "exp2": m.exp2,
            "log2": m.log2,
            "less": self._less,
            "at_least": self._at_least,
            "fraction": self._fraction,
            "sign": self._sign,
            "saturate": self._saturate,
        }

    def _less(self, a: int, b: int) -> int:
        return self._one if self.rule.compare(LT, a, b) else self._zero

    def _at_least(self, a: int, b: int) -> int:
        return self._one if self.rule.compare(GE, a, b) else self._zero

    def _fraction(self, a: int) -> int:
        return self.rule.add(a, self.rule.negate(self.rule.floor(a)))

    def _sign(self, a: int) -> int:
        return self.rule.add(self._less(self._zero, a), self.rule.negate(self._less(a, self._zero)))

    def _saturate(self, a: int) -> int:
        return self.rule.min(self.rule.max(a, self._zero), self._one)

    def apply(self, operation: str, *values: Wave, immediate: int | None = None) -> Wave:
        m = self.rule
        if operation == "xor" and immediate == SIGN:
            return tuple(map(m.negate, values[0]))
        if operation == "mask" and immediate == SIGN - 1:
            return tuple([m.max(m.negate(a), a) for a in values[0]])
        if operation == "scale" and immediate == 1:
            return self.add(values[0], values[0])
        return tuple(map(self._lanewise[operation], *values))

    def constant(self, bits: int) -> Wave:
        return (self.word(bits),) * self.lanes

    def word(self, bits: int) -> int:
        """A number of the shader: the program has it as float24."""
        return self.rule.from_float24(float24_from_float32_bits(bits))

    def given(self, bits: int) -> int:
        """A number of the application. Emulators that compute in float32 do not round it."""
        return self.rule.canonical(bits) if isinstance(self.rule, Float32) else self.word(bits)

    def value(self, word: int) -> float:
        """The number that a word is."""
        if isinstance(self.rule, Float32):
            return struct.unpack("<f", struct.pack("<I", word))[0]
        return float_from_float24(word)

    def mad(self, a: Wave, b: Wave, c: Wave) -> Wave:
        return tuple(map(self.rule.mad, a, b, c))

    def dot(self, pairs: Iterable[tuple[Wave, Wave]]) -> Wave:
        first, second = zip(*pairs, strict=True)
        return tuple([self.rule.dot(a, b) for a, b in zip(zip(*first, strict=True), zip(*second, strict=True), strict=True)])

    def normal_scale(self, squared: Wave) -> Wave:
        """Infinity for a vector of zeros, as 0 times infinity is 0."""
        return self.rsq(squared)

    def ordered(self, a: Wave, b: Wave, *, or_equal: bool) -> Flags:
        """a >= b, or a < b."""
        compare, op = self.rule.compare, GE if or_equal else LT
        return tuple([compare(op, x, y) for x, y in zip(a, b, strict=True)])

    def address(self, a: Wave, how: str) -> Integers:
        """Down, or to nearest with the greater one of two: the floor of the sum with a half, which is the hardware's."""
        half = self.word(HALF)
        values = [self.value(self.rule.floor(x if how == "floor" else self.rule.add(x, half))) for x in a]
        return tuple([int(x) if abs(x) < _FARTHEST else NOWHERE for x in values])


class Kept(Machine):
    """A wave of lanes whose constants and inputs are float24 words. `outside` are the lanes that a relative address has led out
    of `reach`."""

    def __init__(self, flow: Flow, ops: Float24Waves, data: Data, reach: Mapping[int, tuple[int, int]]) -> None:
        super().__init__(flow, ops, data)
        self.reach = reach
        self.outside: set[int] = set()

    def read(self, cell: Component) -> Wave:
        if self._is_input(cell.file) and cell not in self.values:
            return self.ops.constant(ONE if cell.component == 3 else ZERO)
        return super().read(cell)

    def read_indexed(self, file: int, base: int, index: Integers, component: int) -> Wave:
        if file == isa.CONST and base in self.reach:
            first, end = self.reach[base]
            self.outside.update(self.first + lane for lane, n in enumerate(index) if not first <= base + n < end)
        return super().read_indexed(file, base, index, component)


class Run(NamedTuple):
    """Rows of four float24 words, a row for each lane, by file and number of an output register; lanes that have read what is
    undefined."""

    outputs: dict[tuple[int, int], list[list[int]]]
    outside: frozenset[int]


def run24(
    flow: Flow,
    data: Data,
    outputs: Sequence[tuple[int, int]],
    profile: Profile = HARDWARE,
    reach: Mapping[int, tuple[int, int]] = MappingProxyType({}),
) -> Run:
    """Run a shader in float24; `data` has float32 patterns. `reach`: the constants that a relative address from a c# may mean.
    Raises InputError."""
    check_size(flow)
    ops = Float24Waves(profile)
    words = {
        number: tuple(map(ops.word if number in flow.constants else ops.given, row)) for number, row in data.constants.items()
    }
    machine = Kept(flow, ops, data._replace(constants=words), reach)
    found: dict[tuple[int, int], list[list[int]]] = {key: [] for key in outputs}
    for first in range(0, data.lanes, LANES):
        active = min(LANES, data.lanes - first)
        inputs = {cell: tuple(map(ops.given, wave)) for cell, wave in wave_inputs(data, first, active).items()}
        machine.begin(first, inputs, active)
        Walker(flow, ops, machine, CHOICES).run((True,) * LANES)
        for (file, number), rows in found.items():
            waves = [machine.values.get(Component(file, number, component), (0,) * LANES) for component in range(4)]
            rows.extend([list(row) for row in zip(*waves, strict=True)][:active])
    return Run(found, frozenset(machine.outside))
