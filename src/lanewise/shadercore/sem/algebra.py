"""Operations of ShaderCore semantics: `OPERATIONS` and `Algebra`.

A row of `isa.table` names the operation that computes the instruction; with the modifiers of sources and results these are all
there are. An engine has a method for each (`Implementation`). A class that treats all operations alike, such as a code builder,
is an `Algebra` with one method, `apply`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from lanewise.shadercore.isa.table import OPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

V = TypeVar("V")


class Operation(NamedTuple):
    """How many values an operation takes, and whether it takes a number besides, which is known when code is written."""

    values: int
    immediate: bool = False


# On the patterns of sources (`xor`, `mask`, `set`) and results: part of an instruction.
MODIFIERS: Mapping[str, Operation] = MappingProxyType(
    {"xor": Operation(1, True), "mask": Operation(1, True), "set": Operation(1, True), "saturate": Operation(1)}
)
OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {**MODIFIERS, **{op.operation: Operation(op.sources, bool(op.immediate)) for op in OPS if op.operation}}
)
# The instruction that computes an operation with a number, None where it takes none.
INSTRUCTIONS: Mapping[tuple[str, int | None], str] = MappingProxyType(
    {(op.operation, op.immediate or None): op.name for op in OPS if op.operation}
)


class Algebra(ABC, Generic[V]):
    """Computes operations by their names; the methods besides are those that semantics and routines call.

    A value is what a wave has in one component of one register: `rcp` and `rsq` may look at all its lanes.
    """

    @abstractmethod
    def apply(self, operation: str, *values: V, immediate: int | None = None) -> V:
        """The value of one of `OPERATIONS`. Raises ValueError for one that cannot be computed here."""

    def xor(self, a: V, bits: int) -> V:
        return self.apply("xor", a, immediate=bits)

    def mask(self, a: V, bits: int) -> V:
        return self.apply("mask", a, immediate=bits)

    def set(self, a: V, bits: int) -> V:
        return self.apply("set", a, immediate=bits)

    def saturate(self, a: V) -> V:
        return self.apply("saturate", a)

    def add(self, a: V, b: V) -> V:
        return self.apply("add", a, b)

    def mul(self, a: V, b: V) -> V:
        return self.apply("mul", a, b)

    def min(self, a: V, b: V) -> V:
        return self.apply("min", a, b)

    def max(self, a: V, b: V) -> V:
        return self.apply("max", a, b)

    def less(self, a: V, b: V) -> V:
        """1.0 where a < b, else 0.0."""
        return self.apply("less", a, b)

    def at_least(self, a: V, b: V) -> V:
        """1.0 where a >= b, else 0.0."""
        return self.apply("at_least", a, b)

    def bit_or(self, a: V, b: V) -> V:
        return self.apply("bit_or", a, b)

    def bit_and(self, a: V, b: V) -> V:
        return self.apply("bit_and", a, b)

    def shift_left(self, a: V, places: int) -> V:
        """The 32 bits, shifted by 8, 16 or 24 places."""
        return self.apply("shift_left", a, immediate=places)

    def shift_right(self, a: V, places: int) -> V:
        """The 32 bits, shifted by 8, 16 or 24 places; zeros shifted in."""
        return self.apply("shift_right", a, immediate=places)

    def scale(self, a: V, power: int) -> V:
        """`a * 2**power`; instruction words have the power 1."""
        return self.apply("scale", a, immediate=power)

    def unorm(self, a: V, bits: int) -> V:
        return self.apply("unorm", a, immediate=bits)

    def sign(self, a: V) -> V:
        return self.apply("sign", a)

    def fraction(self, a: V) -> V:
        return self.apply("fraction", a)

    def from_unsigned(self, a: V) -> V:
        """The number that the 32 bits are as an integer."""
        return self.apply("from_unsigned", a)

    def rcp(self, a: V) -> V:
        return self.apply("rcp", a)

    def rsq(self, a: V) -> V:
        return self.apply("rsq", a)

    def exp2(self, a: V) -> V:
        return self.apply("exp2", a)

    def log2(self, a: V) -> V:
        return self.apply("log2", a)


class Implementation(Algebra[V]):
    """An algebra with a method for each operation, named like the operation."""

    def apply(self, operation: str, *values: V, immediate: int | None = None) -> V:
        method = getattr(type(self), operation, None) if operation in OPERATIONS else None
        if method is None or method is getattr(Algebra, operation, None):
            raise ValueError(f"{type(self).__name__} does not implement the operation {operation!r}")
        return method(self, *values) if immediate is None else method(self, *values, immediate)


class WaveAlgebra(Implementation[V]):
    """An engine's operations, and what a wave needs besides."""

    def installed(self, operation: str, values: Sequence[V]) -> V:
        """The result of an instruction whose meaning is a table or a function of an installed device, in each lane."""
        raise ValueError(f"{type(self).__name__} does not call functions of installed devices")

    @abstractmethod
    def constant(self, bits: int, lanes: int) -> V:
        """A pattern in every lane."""

    @abstractmethod
    def one_register(self, lanes: int) -> V:
        """The value of the register 1."""

    @abstractmethod
    def quads_from(self, a: V, b: V, moved: Sequence[tuple[int, int]]) -> V:
        """`a`, but in each quad of a pair (quad, other) what quad `other` of `b` has."""
