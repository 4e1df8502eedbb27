"""Terms: the operations of a device on symbols, shared by two programs.

A term is a number; equal terms have one number, so two values have the same patterns for all inputs if their numbers are equal.
Patterns are compared bit by bit, NaN too: the saturation of the hardware, its bit operations and `sign` tell one NaN from
another. Comparisons are a choice between 1.0 and 0.0, and choices are compared in every case of their conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.numbers.floats import float_from_bits
from lanewise.proving.terms import Terms
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.algebra import OPERATIONS, WaveAlgebra
from lanewise.shadercore.sem.numbers import INFINITY, MAGNITUDE, ONE, SIGN, WaveOps
from lanewise.shadercore.sem.peephole import LIMITS
from lanewise.shadercore.sem.steps import Register, Stepper

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from lanewise.proving.terms import Term
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Timing

CONSTANT = "constant"
_LESS, _AT_LEAST = "less", "at_least"  # truths
_ONE_TERM = frozenset(("within", "integer_and"))  # nodes whose first argument alone is a term
_ALL, _TWO = 0xFFFFFFFF, 0x40000000
_IDEMPOTENT = frozenset(("bit_and", "bit_or", "min", "max"))
_MOST_SPLITS, _FEW_SPLITS = 200, 100  # of a comparison of two terms, and of two operands instead of them
_ROUNDED = ("add", "mul")
_SMALLEST = 0x00800000  # normal number
_CHOICES = frozenset(("select", "integer_select"))


class Patterns(Terms):
    """The operations of a device on patterns, and what is known of them where truths are assumed."""

    ops: WaveOps
    stale: frozenset[str]

    leaves: frozenset[str] = frozenset((CONSTANT, "truth", "integer", "uniform", "entering"))
    """Nodes without terms in their arguments."""
    kept: frozenset[str] = frozenset(("quads_from", "installed"))
    """Nodes that are not operations of the device."""
    across: frozenset[str] = frozenset(("quads_from",))
    """Nodes whose result in a lane depends on their operands in others."""
    of_lanes: frozenset[str] = frozenset(("entering",))
    """Leaves that differ from lane to lane."""
    truths: frozenset[str] = frozenset(("invert", "both", "less", "not less", "within"))

    def __init__(self, device: Device) -> None:
        super().__init__()
        self.device = device
        self.ops = WaveOps(device)
        # The sum of the public hardware gives the first of two NaN; every other rule has one.
        sums, products = (device.value(name) == "nearest" for name in ("add", "mul"))
        self._ieee = sums and products
        self._signed = not products and device.value("nan") == "signed"  # the sign of a NaN is that of the factors
        gates = {"rcp": "rcp_sigma", "rsq": "rsq_gate"}
        self.stale = frozenset([name for name, key in gates.items() if device.value(key) == "stale"])
        self._commuting = frozenset(("mul", "bit_or", "bit_and", *(("add",) if sums else ())))
        self._subnormals = device.value("subnormals") == "kept"
        self._raw = device.value("compare") == "raw"

    # Operations

    def constant(self, bits: int) -> Term:
        return self.node(CONSTANT, bits)

    def pattern(self, a: Term) -> int | None:
        """The pattern of a constant."""
        node = self.nodes[a]
        return int(node[1]) if node[0] == CONSTANT else None

    def operation(self, name: str, values: Sequence[Term], immediate: int | None = None) -> Term:
        """An operation of the device."""
        if name in (_LESS, _AT_LEAST):
            return self.select(
                self.ordered(values[0], values[1], or_equal=name == _AT_LEAST), self.constant(ONE), self.constant(0)
            )
        known = [pattern for value in values if (pattern := self.pattern(value)) is not None]
        if name not in self.stale and len(known) == len(values):
            (bits,) = self.ops.apply(name, *[(pattern,) for pattern in known], immediate=immediate)
            return self.constant(bits)
        if immediate is not None and name in ("xor", "mask", "set"):
            kept, turned = (
                (immediate, 0) if name == "mask" else (_ALL, immediate) if name == "xor" else (_ALL & ~immediate, immediate)
            )
            return self._changed(values[0], kept, turned)
        if name == "saturate" and self.nodes[values[0]][0] == "saturate":
            return values[0]
        if name == "saturate":
            values = [self._zero_first(values[0])]
        if name in _IDEMPOTENT and values[0] == values[1]:
            return values[0]
        if name in LIMITS:
            name, values = self._limited(name, values)
        if known and name in ("bit_and", "bit_or"):
            other = values[1] if self.pattern(values[0]) is not None else values[0]
            kept, turned = (known[0], 0) if name == "bit_and" else (_ALL & ~known[0], known[0])
            return self._changed(other, kept, turned)
        if name in _ROUNDED and self._ieee:
            values = [*map(self._same_to_arithmetic, values)]
        if name == "add" and self._ieee:
            values = [*map(self._sign_inside, values)]
        if name == "add" and self._ieee and values[0] == values[1]:
            return self.operation("mul", (values[0], self.constant(_TWO)))
        if name == "add" and self._ieee and SIGN in known:
            other = values[1] if self.pattern(values[0]) is not None else values[0]
            if self._is_rounded(other):
                return other
        if name == "mul":
            return self._product(*values)
        if name in self.stale:
            self.looked(name)
        arguments = sorted(values) if name in self._commuting else values
        return self.node(name if immediate is None else f"{name} {immediate}", *arguments)

    # Each law is shown for numbers by tests/unit/shadercore/proof/test_terms.py.

    def _product(self, a: Term, b: Term) -> Term:
        """A product: signs of factors change places, and two of them nothing; 1 times what arithmetic has rounded is that. A
        sign is that of the product where NaN have it too."""
        (a, negative), (b, other) = sorted((self._split(a), self._split(b)))
        if negative != other and self._signed:
            return self._changed(self.node("mul", a, b), _ALL, SIGN)
        if negative != other:
            a, b = sorted((self._changed(a, _ALL, SIGN), b))
        one = self.constant(ONE)
        if self._ieee and one in (a, b):
            factor = b if a == one else a
            if self._is_rounded(factor):
                return factor
        return self.node("mul", a, b)

    def _sign_inside(self, a: Term) -> Term:
        """A term for sums: a negated product is one of a negated factor, but for the sign of NaN."""
        product, negative = self._split(a)
        op, *factors = self.nodes[product]
        if not negative or op != "mul":
            return a
        one, other = map(int, factors)
        return self._product(self._changed(one, _ALL, SIGN), other)

    def _same_to_arithmetic(self, a: Term) -> Term:
        """A term for operations that round their results, and for comparisons: 1 times a number, and -0 and a number, is
        that number but for the bits of a NaN."""
        op, *arguments = self.nodes[a]
        neutral = {"mul": ONE, "add": SIGN}.get(str(op))
        if neutral is None or not self._ieee:
            return a
        one, other = map(int, arguments)
        return other if self.pattern(one) == neutral else one if self.pattern(other) == neutral else a

    def _is_rounded(self, a: Term) -> bool:
        """Whether a term is what arithmetic has rounded, with its one NaN, or one of several such."""
        op, *arguments = self.nodes[a]
        if op == "select":
            return all(self._is_rounded(int(arm)) for arm in arguments[1:])
        if op == CONSTANT:
            size = int(arguments[0]) & MAGNITUDE
            return not size or _SMALLEST <= size <= INFINITY
        return op in _ROUNDED

    def _limited(self, name: str, values: Sequence[Term]) -> tuple[str, Sequence[Term]]:
        """A value that is limited to 0.0 and 1.0 is saturated."""
        inner, first, second = LIMITS[name]
        for value, end in (values, values[::-1]):
            op, *arguments = self.nodes[value]
            if op == inner and self.pattern(end) == second and first in map(self.pattern, map(int, arguments)):
                return "saturate", (self._zero_first(value),)
        return name, values

    def _zero_first(self, a: Term) -> Term:
        """A value that is saturated: of two zeros its maximum with 0 may be either."""
        op, *arguments = self.nodes[a]
        if op == "max" and self.pattern(int(arguments[1])) == 0:
            return self.node("max", arguments[1], arguments[0])
        return a

    def _split(self, a: Term) -> tuple[Term, bool]:
        """A factor without its sign, and whether it has one; of a constant the sign is known."""
        known, node = self.pattern(a), self.nodes[a]
        if known is not None:
            return self.constant(known & MAGNITUDE), bool(known & SIGN)
        return (int(node[1]), True) if node[0] == f"bits {_ALL} {SIGN}" else (a, False)

    def _changed(self, a: Term, kept: int, turned: int) -> Term:
        """(pattern and kept) xor turned: one node for any number of modifiers in a row."""
        known, node = self.pattern(a), self.nodes[a]
        if known is not None or not kept:
            return self.constant((known or 0) & kept ^ turned)
        if str(node[0]).startswith("bits "):
            before, after = map(int, str(node[0]).split()[1:])
            a, kept, turned = int(node[1]), before & kept, after & kept ^ turned
        return a if (kept, turned) == (_ALL, 0) else self.node(f"bits {kept} {turned}", a)

    def ordered(self, a: Term, b: Term, *, or_equal: bool) -> Term:
        """a >= b, or a < b, as a truth."""
        if not self._raw and self._subnormals:
            a, b = self._same_to_arithmetic(a), self._same_to_arithmetic(b)
        x, y = self.pattern(a), self.pattern(b)
        if x is not None and y is not None:
            found = self.ops.at_least((x,), (y,)) if or_equal else self.ops.less((x,), (y,))
            return self.boolean(bool(found[0]))
        return self.false if a == b and not or_equal else self.node("not less" if or_equal else "less", a, b)

    def looked(self, name: str) -> None:
        """Note an operation that looks at other lanes."""

    # What a walk asks

    def holds(self, a: Term, assumed: Mapping[Term, bool]) -> bool | None:
        found = super().holds(a, assumed)
        node = self.nodes[a]
        if found is not None or node[0] not in ("less", "not less"):
            return found
        x, y = int(node[1]), int(node[2])
        if node[0] == "less":
            return False if self._is_known("not less", x, y, assumed) or self._is_known("less", y, x, assumed) else None
        return True if self._is_known("less", y, x, assumed) else False if self._is_known("less", x, y, assumed) else None

    def _is_known(self, op: str, a: Term, b: Term, assumed: Mapping[Term, bool]) -> bool:
        return assumed.get(self.node(op, a, b)) is True

    def impossible(self, assumed: Mapping[Term, bool]) -> bool:
        low: dict[Term, tuple[float, bool]] = {}  # by term the greatest bound below it, and whether it may be equal
        high: dict[Term, tuple[float, bool]] = {}
        for term, value in assumed.items():
            op, *arguments = self.nodes[term]
            if op not in ("less", "not less", "both"):
                continue
            others = {other: known for other, known in assumed.items() if other != term}
            if self.holds(term, others) is (not value):
                return True
            if value and op != "both":
                self._bound(str(op), [int(argument) for argument in arguments], low, high)
        return any(
            low[term][0] > bound or (low[term][0] == bound and not (equal and low[term][1]))
            for term, (bound, equal) in high.items()
            if term in low
        )

    def _bound(
        self, op: str, terms: Sequence[Term], low: dict[Term, tuple[float, bool]], high: dict[Term, tuple[float, bool]]
    ) -> None:
        """Note what a comparison with a constant that holds says of a term."""
        first, second = terms
        x, y = self.pattern(first), self.pattern(second)
        known = y if x is None else x
        if known is None or known & MAGNITUDE > INFINITY:
            return
        if self._raw and not known & INFINITY:
            known &= SIGN  # subnormals are zeros there
        bound, equal = float_from_bits(known), op == "not less"
        below = (x is None) == (op == "less")  # whether the constant is above the term
        table, term = (high, first if x is None else second) if below else (low, first if x is None else second)
        before = table.get(term)
        if before is None or (bound < before[0] if below else bound > before[0]) or (bound == before[0] and not equal):
            table[term] = bound, equal

    def settled(self, terms: Sequence[Term], assumed: Mapping[Term, bool]) -> Sequence[Term]:
        memo: dict[Term, Term] = {}
        return [self._under(term, assumed, memo) for term in terms]

    def equal(self, a: Term, b: Term, assumed: Mapping[Term, bool]) -> bool:
        """Whether two terms are equal in every case of the conditions of their choices."""
        inner = self._differing(a, b)
        return (
            a == b
            or (inner != (a, b) and self._equal(*inner, assumed, _FEW_SPLITS))
            or self._equal(a, b, assumed, _MOST_SPLITS)
        )

    def _differing(self, a: Term, b: Term) -> tuple[Term, Term]:
        """The operands in which two terms differ only, where it is one of each: those are equal wherever these are. Of choices
        it is the truths that decide them."""
        while True:
            op, *rest = self.nodes[a]
            first, second = self._arguments(a), self._arguments(b)
            different = [n for n, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]]
            same = (
                op == self.nodes[b][0]
                and len(first) == len(second)
                and rest[len(first) :] == [*self.nodes[b][len(first) + 1 :]]
            )
            if len(different) != 1 or not same or op in self.truths or (op in _CHOICES and different != [0]):
                return a, b
            if str(op).partition(" ")[0] in self.across | self.stale:  # what is assumed of this lane need not hold in others
                return a, b
            a, b = first[different[0]], second[different[0]]

    def _equal(self, a: Term, b: Term, assumed: Mapping[Term, bool], left: int) -> bool:
        """Whether two terms are equal in every case, of which no more than `left` are asked."""
        waiting: list[tuple[Term, Term, Mapping[Term, bool]]] = [(a, b, assumed)]
        while waiting:
            x, y, known = waiting.pop()
            memo: dict[Term, Term] = {}
            x, y = self._under(x, known, memo), self._under(y, known, memo)
            if x == y:
                continue
            condition = self._dividing(x, y)
            if condition is None:
                possible, condition = self._within(known)
                if not possible:
                    continue
            left -= 1
            self.effort.left -= len(memo)
            if condition is None or not left or self.effort.left < 0:
                return False
            for value in (False, True):
                more = self.assume(condition, value, known)
                if not self.impossible(more):
                    waiting.append((x, y, more))
        return True

    def _dividing(self, a: Term, b: Term) -> Term | None:
        """A truth that decides a choice in one of two terms only, that of the fewest operations; else one in both."""
        first, second = {*self.reached(a)}, {*self.reached(b)}
        apart = [self.nodes[term] for term in first ^ second]
        truths = [int(node[1]) for node in apart if node[0] in _CHOICES]
        truths += [term for term in first ^ second if self.nodes[term][0] in self.truths]
        found = min([atom for truth in truths for atom in self._atoms(truth)], default=None)
        return next(self._conditions((a, b)), None) if found is None else found

    def _within(self, assumed: Mapping[Term, bool]) -> tuple[bool, Term | None]:
        """Whether comparisons that are assumed may hold together, and a truth that decides choices in their operands."""
        found: dict[Term, bool] = {}
        for term, value in assumed.items():
            others = {other: known for other, known in assumed.items() if other != term}
            settled = self._under(term, others, {})
            known = self.holds(settled, others)
            if (known is not None and known is not value) or found.get(settled, value) is not value:
                return False, None
            condition = next(self._conditions(self._arguments(settled)), None) if known is None else None
            if condition is not None and condition not in assumed:
                return True, condition
            if known is None:
                found[settled] = value
        return not self.impossible({**assumed, **found}), None

    # Terms in terms

    def _arguments(self, a: Term) -> Sequence[Term]:
        op, *arguments = self.nodes[a]
        return [] if op in self.leaves else [int(argument) for argument in (arguments[:1] if op in _ONE_TERM else arguments)]

    def reached(self, a: Term, known: Container[Term] = ()) -> Iterator[Term]:
        """The terms that a term is made of, and itself, but for those that are known, with what they are made of."""
        seen: set[Term] = set()
        waiting = [a]
        while waiting:
            term = waiting.pop()
            if term not in seen and term not in known:
                seen.add(term)
                yield term
                waiting += self._arguments(term)

    def _conditions(self, terms: Sequence[Term]) -> Iterator[Term]:
        """Truths that decide choices in terms, those nearest to the results first."""
        seen: set[Term] = set()
        waiting = [*terms]
        while waiting:
            term = waiting.pop(0)
            if term in seen:
                continue
            seen.add(term)
            op, *arguments = self.nodes[term]
            if op in ("select", "integer_select"):
                yield from self._atoms(int(arguments[0]))
            elif op in self.truths:
                yield from self._atoms(term)
            waiting += self._arguments(term)

    def _atoms(self, truth: Term) -> Iterator[Term]:
        op, *arguments = self.nodes[truth]
        if op in ("invert", "both"):
            for argument in arguments:
                yield from self._atoms(int(argument))
        elif op != "truth":
            yield truth

    def varies(self, a: Term) -> bool:
        """Whether a term may differ from lane to lane."""
        return any(self.nodes[term][0] in self.of_lanes for term in self.reached(a))

    def _under(self, a: Term, assumed: Mapping[Term, bool], memo: dict[Term, Term]) -> Term:
        """A term where some truths are known; terms are made of terms with lower numbers."""
        for term in sorted(self.reached(a, memo)):
            memo[term] = self._made(term, assumed, memo)
        return memo[a]

    def _made(self, term: Term, assumed: Mapping[Term, bool], memo: Mapping[Term, Term]) -> Term:
        op, *rest = self.nodes[term]
        name, arguments = str(op), [memo[argument] for argument in self._arguments(term)]
        if name.partition(" ")[0] in self.across | self.stale:  # in other lanes, what is assumed of this one need not hold
            everywhere = {truth: value for truth, value in assumed.items() if not self.varies(truth)}
            arguments = [*self.settled(self._arguments(term), everywhere)]
        known = self.holds(term, assumed) if name in self.truths else None
        if known is not None:
            return self.boolean(known)
        if not arguments or (name not in _CHOICES and arguments == self._arguments(term)):
            return term
        match name:
            case "select":
                return self.select(arguments[0], arguments[1], arguments[2])
            case "integer_select":
                return self.integer_select(arguments[0], arguments[1], arguments[2])
            case "invert":
                return self.invert(arguments[0])
            case "both":
                return self.both(arguments[0], arguments[1])
            case "less" | "not less":
                settled = self.ordered(arguments[0], arguments[1], or_equal=name == "not less")
                known = self.holds(settled, assumed)
                return settled if known is None else self.boolean(known)
            case "within":
                return self.integer_within(arguments[0], int(rest[1]), int(rest[2]))
            case "integer_add":
                return self.integer_add(arguments[0], arguments[1])
            case "integer_and":
                return self.integer_and(arguments[0], int(rest[1]))
            case _:
                return self._again(name, arguments)

    def _again(self, name: str, arguments: Sequence[Term]) -> Term:
        """An operation on other arguments."""
        word, *numbers = name.split()
        if word == "bits":
            return self._changed(arguments[0], int(numbers[0]), int(numbers[1]))
        if word in self.kept:
            return self.node(name, *arguments)
        return self.operation(word, arguments, int(numbers[0]) if numbers else None)


class WaveTerms(Patterns, WaveAlgebra[int]):
    """The operations of a device on the values of a wave."""

    def constant(self, bits: int, lanes: int = LANES) -> Term:
        return self.node(CONSTANT, bits)

    def one_register(self, lanes: int) -> Term:
        return self.constant(self.ops.one_register(1)[0])

    def quads_from(self, a: Term, b: Term, moved: Sequence[tuple[int, int]]) -> Term:
        return self.node(" ".join(["quads_from", *[f"{quad}:{other}" for quad, other in moved]]), a, b) if moved else a

    def installed(self, operation: str, values: Sequence[Term]) -> Term:
        """A function of which nothing is known but that it gives the same for the same patterns."""
        return self.node(f"installed {operation}", *values)

    def apply(self, operation: str, *values: Term, immediate: int | None = None) -> Term:
        if operation not in OPERATIONS:
            raise ValueError(f"unknown operation {operation!r}")
        return self.operation(operation, values, immediate)


class Symbols(Stepper[int]):
    """A wave of a program on terms: what it leaves in `registers`, and the registers whose earlier values it reads (`taken`),
    the constants that it reads (`read`)."""

    def __init__(
        self, timing: Timing, terms: WaveTerms, constants: Mapping[tuple[int, int], int], renamed: Mapping[Register, Register]
    ) -> None:
        """`constants`: patterns that are known, by (register, component). `renamed`: what registers are called in the other
        program."""
        super().__init__(timing, terms)
        self.terms = terms
        self.taken: set[Register] = set()
        self.read: set[tuple[int, int]] = set()  # constants, as this program calls them
        self._constants, self._renamed = constants, renamed

    def entering(self, place: Register) -> int:
        self.taken.add(place)
        return self.terms.node("entering", *self._renamed.get(place, place))

    def uniform(self, number: int, component: int) -> int:
        self.read.add((number, component))
        known = self._constants.get((number, component))
        if known is not None:
            return self.terms.constant(known)
        _, *place = self._renamed.get(("c", number, component), ("c", number, component))
        return self.terms.node("uniform", *place)
