"""Operations in which the meaning of instructions is written.

A semantics function computes only with these operations, so one function serves an interpreter on numbers, a tracer on symbols
and a code generator. `V` is a value (one component of a vector), `B` a truth value, `I` an integer; their types belong to the
implementation. The number rule of the implementation (`sem.numbers`) under a profile (`sem.profile`) decides what an operation
does with infinities, NaN, subnormals and rounding, never the caller.

Python's `if` must not test a `V`, `B` or `I`: use `select`, `integer_select` or the flow questions.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

V = TypeVar("V")
B = TypeVar("B")
I = TypeVar("I")  # noqa: E741
T = TypeVar("T")

Vector = tuple[V, V, V, V]
Pair = tuple[V, V]


if TYPE_CHECKING:

    class Algebra(Protocol[V, B, I]):
        """The operations on values, truth values and integers.

        `op` of `compare` and the arguments typed `int`, `float` and `bool` are known when a machine word is decoded.
        """

        def constant(self, value: float) -> V:
            """A finite number of the semantics. Raises ValueError unless the format holds it exactly."""
            ...

        def negate(self, a: V) -> V: ...

        def flush(self, a: V) -> V:
            """`a`, or a zero where `a` is subnormal."""
            ...

        def add(self, a: V, b: V) -> V: ...
        def mul(self, a: V, b: V) -> V: ...

        def mad(self, a: V, b: V, c: V) -> V:
            """`a * b + c`; whether the product is rounded is the profile's choice."""
            ...

        def dot(self, a: Sequence[V], b: Sequence[V]) -> V:
            """Dot product of three or four components, summed in the profile's order."""
            ...

        def max(self, a: V, b: V) -> V:
            """`a > b ? a : b`: a NaN in `b` is the result, one in `a` is not.

            A profile may favour an infinite `b`.
            """
            ...

        def min(self, a: V, b: V) -> V:
            """`a < b ? a : b`."""
            ...

        def at_least(self, a: V, low: V) -> V:
            """`a > low ? a : low`, as LITP clamps; the profile chooses the result for a NaN."""
            ...

        def at_most(self, a: V, high: V) -> V:
            """`a < high ? a : high`, likewise."""
            ...

        def floor(self, a: V) -> V: ...
        def rcp(self, a: V) -> V: ...
        def rsq(self, a: V) -> V: ...
        def exp2(self, a: V) -> V: ...
        def log2(self, a: V) -> V: ...

        def compare(self, op: int, a: V, b: V) -> B:
            """`a op b` for an `op` of 0 to 7, the encoding of CMP.

            0 to 5 are those of `core.numbers.binary`; 6 and 7 are true for any values.
            """
            ...

        def not_negative(self, a: V) -> B:
            """`a >= 0`, as LITP sets its flags; the profile decides for NaN and -0."""
            ...

        def select(self, condition: B, a: V, b: V) -> V:
            """`a` where the condition holds, else `b`; both are already computed."""
            ...

        def to_integer(self, a: V) -> I:
            """The signed 32-bit integer that MOVA converts a value to.

            The profile chooses the result for fractions and large values.
            """
            ...

        def boolean(self, value: bool) -> B: ...
        def invert(self, a: B) -> B: ...
        def both(self, a: B, b: B) -> B: ...
        def either(self, a: B, b: B) -> B: ...

        def integer(self, value: int) -> I: ...
        def integer_add(self, a: I, b: I) -> I: ...
        def integer_and(self, a: I, mask: int) -> I: ...

        def integer_within(self, a: I, low: int, high: int) -> B:
            """`low <= a <= high`."""
            ...

        def integer_select(self, condition: B, a: I, b: I) -> I: ...

        def look_up(self, rows: Sequence[Vector[V]], index: I) -> Vector[V]:
            """`rows[index]`; the caller guarantees that the index is in range."""
            ...


def each(function: Callable[[V], T], a: Vector[V]) -> Vector[T]:
    """Apply a function of one component to a vector."""
    return function(a[0]), function(a[1]), function(a[2]), function(a[3])


def each2(function: Callable[[V, V], T], a: Vector[V], b: Vector[V]) -> Vector[T]:
    """Apply a function of two components to two vectors."""
    return function(a[0], b[0]), function(a[1], b[1]), function(a[2], b[2]), function(a[3], b[3])


def broadcast(a: V) -> Vector[V]:
    """The value in every component."""
    return a, a, a, a
