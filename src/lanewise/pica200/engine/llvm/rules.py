"""Number rules as LLVM IR: the operations on vectors of lanes, shared parts.

There are two kinds for one generator. *Speculative* rules compute the results of ordinary numbers and check for others: an
infinity or NaN that comes in or could result, or an observable subnormal (`speculative`). Then the vector is repeated with the
*exact* rules, which handle all numbers (`exact`). `choice` has the rules of each profile. Their definition is
`core.numbers.binary`; they are compared with `engine.reference`.

A value of the speculative float24 rules is the number times 2**-64 in float32, so that 2**-62, the smallest normal float24, is
2**-126: a processor that flushes float32 subnormals then flushes float24's. The other rules hold the number itself in float32,
which has room for every float24, subnormals too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name, Text
    from lanewise.pica200.sem.profile import Profile

# Bits of float32.
SIGN, MAGNITUDE, INFINITY, NAN, QUIET = 0x80000000, 0x7FFFFFFF, 0x7F800000, 0x7FC00000, 0x00400000
SMALLEST, LARGEST = 2.0**-62, 2.0**64  # the smallest normal float24, and the first number too large for one
UP, DOWN = 2.0**64, 2.0**-64
ORDINARY = 24.0  # speculative values that are looked at must be below 2**24
COMPARISONS = ("oeq", "une", "olt", "ole", "ogt", "oge")


def is_clear(mantissa: int) -> bool:
    """Whether products of such a float24 are never so little below a power of two that 24 bits, to nearest, make it that one.

    `mantissa` is from 2**16 to 2**17 - 1, with its leading 1. Two of them make 2**32 or more, and the power is 2**33, below
    which 24 bits hold multiples of 2**9. The multiple of a mantissa that is next below it is 2**33 % mantissa away. No square
    is so near: 92681**2 is the nearest. 222 of the 65,536 mantissas are not clear.
    """
    return not 0 < 2**33 % mantissa <= 2**8


class Watch(Protocol):
    """Receiver of a rule's flags for numbers that it cannot handle."""

    def flag_below(self, raw: Name) -> None:
        """Check the size of an unconverted number: other than zero and below the rule's `smallest` the vector is not
        ordinary."""
        ...

    def flag_raw(self, raw: Name) -> None:
        """Check the size of an unconverted number: at 2**`ORDINARY` and above the vector is not ordinary, and so it is with a
        NaN."""
        ...

    def flag_number(self, number: Name) -> None:
        """Check the size of a number in the rule's scale.

        At `limit` and above the vector is not ordinary, and so it is with a NaN.
        """
        ...

    def flag_nan(self, number: Name) -> None:
        """With a NaN the vector is not ordinary; other numbers are below 1 in size."""
        ...

    def flag_where(self, condition: Name) -> None: ...

    def bail(self, condition: Name) -> None:
        """Lanes that only the reference engine can do."""
        ...


class Value:
    """A number in every lane: `plain` in the rule's scale, and `unscaled` if that has been needed.

    `bound`: below 2**bound in size, if the vector is ordinary. `clear`: to nearest no product with it is rounded up to the
    smallest normal number (`is_clear`).
    """

    __slots__ = (
        "_make_plain",
        "_make_unscaled",
        "bound",
        "clear",
        "flushed",
        "make_operand",
        "operand_name",
        "plain_name",
        "unscaled_name",
    )

    bound: float
    clear: bool
    flushed: bool
    operand_name: str
    plain_name: Name
    unscaled_name: Name

    def __init__(
        self,
        plain: Name = "",
        bound: float = 0.0,
        unscaled: Name = "",
        make_plain: Callable[[], Name] | None = None,
        make_unscaled: Callable[[], Name] | None = None,
        clear: bool = False,
    ) -> None:
        self.plain_name, self.unscaled_name, self.bound = plain, unscaled, bound
        self._make_plain, self._make_unscaled = make_plain, make_unscaled
        self.clear, self.flushed, self.operand_name = clear, False, ""
        self.make_operand: Callable[[], Name] | None = None

    @property
    def plain(self) -> Name:
        if not self.plain_name and self._make_plain is not None:
            self.plain_name = self._make_plain()
        return self.plain_name

    @property
    def has_unscaled(self) -> bool:
        """Whether the number itself can be had without computing it."""
        return bool(self.unscaled_name) or self._make_unscaled is not None

    def unscaled(self, text: Text) -> Name:
        if not self.unscaled_name:
            make = self._make_unscaled
            self.unscaled_name = make() if make is not None else text.fmul(self.plain, text.number(UP))
        return self.unscaled_name

    def negated(self, text: Text) -> Value:
        """Minus the value, where only signs of zeros can tell how."""
        unscaled = (lambda: text.fneg(self.unscaled(text))) if self.has_unscaled else None
        return Value("", self.bound, "", lambda: text.fneg(self.plain), unscaled, self.clear)


class Rule(ABC):
    """Base of all rules. `mode` is the processor's mode while the kernel runs (`target.MODES`)."""

    text: Text
    profile: Profile
    target: Target
    watch: Watch
    signed: bool

    mode = "nearest"
    exact = False
    limit: float = 2.0**ORDINARY  # of what is flagged, in the rule's scale
    smallest: float = 0.0  # inputs below it are subnormals; 0 where that does not matter
    scaled = False
    masks: tuple[int, ...] = ()  # those that it uses most often

    uniforms = ORDINARY  # uniforms are below 2**uniforms

    def __init__(self, text: Text, profile: Profile, target: Target, watch: Watch) -> None:
        self.text, self.profile, self.target, self.watch = text, profile, target, watch
        self.signed = profile.negative_zero == "ieee"

    @abstractmethod
    def const(self, word: int) -> Value:
        """A word of the profile's format."""

    @abstractmethod
    def load(self, raw: Name, *, seen: bool) -> Value:
        """Load an input, unconverted float32. `seen`: its subnormals can be observed."""

    @abstractmethod
    def store(self, value: Value) -> Name:
        """An output as float32."""

    def copied(self, raw: Name, *, seen: bool) -> Name:
        """An input, unconverted float32, as an output; only of speculative rules."""
        raise NotImplementedError

    @abstractmethod
    def add(self, a: Value, b: Value) -> Value: ...

    @abstractmethod
    def mul(self, a: Value, b: Value) -> Value: ...

    @abstractmethod
    def floor(self, a: Value) -> Value: ...

    @abstractmethod
    def rcp(self, a: Value) -> Value: ...

    @abstractmethod
    def rsq(self, a: Value) -> Value: ...

    @abstractmethod
    def exp2(self, a: Value) -> Value: ...

    @abstractmethod
    def log2(self, a: Value) -> Value: ...

    def uniform(self, load: Callable[[str], Name], *, clear: bool) -> Value:
        """A uniform; `load` gives it from one of `values.TABLES`."""
        return Value(
            "",
            self.uniforms,
            "",
            lambda: load("scaled" if self.scaled else "exact"),
            lambda: load("flushed" if self.scaled else "exact"),
            clear,
        )

    def entering(self, name: Name, bound: float) -> Value:
        """The value of a component at the start of a block."""
        return Value(name, bound)

    def negate(self, a: Value) -> Value:
        return a.negated(self.text)

    def flush(self, a: Value) -> Value:
        return a

    def max(self, a: Value, b: Value) -> Value:
        return self._pick("ogt", a, b)

    def min(self, a: Value, b: Value) -> Value:
        return self._pick("olt", a, b)

    def at_least(self, a: Value, low: Value) -> Value:
        return self._pick("uge" if self.profile.litp_nan == "through" else "ogt", a, low)

    def at_most(self, a: Value, high: Value) -> Value:
        return self._pick("ule" if self.profile.litp_nan == "through" else "olt", a, high)

    def absolute(self, a: Value) -> Value:
        """The number without its sign; only of speculative rules."""
        return Value(self.text.masked(a.plain, MAGNITUDE), a.bound)

    def _pick(self, how: str, a: Value, b: Value) -> Value:
        return self.select(self.text.fcmp(how, a.plain, b.plain), a, b)

    def select(self, condition: Name, a: Value, b: Value) -> Value:
        return Value(self.text.select(condition, a.plain, b.plain), max(a.bound, b.bound), clear=a.clear and b.clear)

    def compare(self, op: int, a: Value, b: Value) -> Name:
        how = COMPARISONS[op]
        if how == "une" and self.profile.compare_nan == "none":
            how = "one"
        return self.text.fcmp(how, a.plain, b.plain)

    def not_negative(self, a: Value) -> Name:
        if self.profile.litp_flags == "sign":
            return self.text.icmp("sge", self.text.bits(self.canonical_zero(a.plain)), self.text.integer(0))
        return self.text.fcmp("oge", a.plain, self.text.number(0.0))

    def canonical_zero(self, name: Name) -> Name:
        """The number, with a zero's sign only if zeros have signs."""
        return name if self.signed else self.text.fadd(name, self.text.number(0.0))

    def to_integer(self, a: Value) -> Name:
        text, number = self.text, a.unscaled(self.text) if self.scaled else a.plain
        how = self.profile.mova_fraction
        if how != "zero":
            number = text.unary("floor" if how == "floor" else "roundeven", number)
        found = text.to_integer(number, by_instruction=self.target.family == "aarch64")
        if self.profile.mova_range == "byte":
            found = text.isub(text.iand(text.iadd(found, text.integer(128)), text.integer(255)), text.integer(128))
        return found

    # What speculative rules do besides

    def checked(self, value: Value, limit: float = ORDINARY) -> Value:
        """The value, ordinary: below 2**`limit`, or the vector is flagged."""
        return value
