"""Emission of statements: known lanes are folded, equal operations are done once, and blocks may be discarded or changed until
they are frozen."""

from __future__ import annotations

import math
import operator
import struct

from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.rewriting import NAMES, Components
from lanewise.compile.spirv.values import Known, Scalar, Value, same, single
from lanewise.compile.vector import code
from lanewise.compile.vector.code import (
    ADD,
    AND,
    DOT,
    EQ,
    EXP2,
    FLOOR,
    LE,
    LOG2,
    LT,
    MAD,
    MAX,
    MIN,
    MUL,
    NE,
    NOT,
    OR,
    RCP,
    RSQ,
    SELECT,
    TRUNC,
    Number,
    Operate,
    Ref,
    Statement,
)
from lanewise.compile.vector.interpret import Floats
from lanewise.core.record import TYPE_CHECKING
from lanewise.rules.matching import rules_for
from lanewise.rules.row import ALLOWED, FRONT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.compile.vector.code import CountOf, Store

_LANES = 4
_COMMUTE = frozenset((ADD, MUL, AND, OR, DOT))


def _truncated(a: float) -> float:
    return float(math.trunc(a)) if math.isfinite(a) else a


def _not(a: float) -> bool:
    return not a


def _both(a: float, b: float) -> bool:
    return bool(a) and bool(b)


def _either(a: float, b: float) -> bool:
    return bool(a) or bool(b)


_NUMBERS = Floats()
_FOLD: Mapping[str, Callable[..., float | int | bool]] = {
    ADD: _NUMBERS.add,
    MUL: _NUMBERS.mul,
    MAD: _NUMBERS.mad,
    MIN: _NUMBERS.min,
    MAX: _NUMBERS.max,
    FLOOR: _NUMBERS.floor,
    TRUNC: _truncated,
    LT: operator.lt,
    LE: operator.le,
    EQ: operator.eq,
    NE: operator.ne,
    AND: _both,
    OR: _either,
    NOT: _not,
    RCP: _NUMBERS.rcp,
    RSQ: _NUMBERS.rsq,
    EXP2: _NUMBERS.exp2,
    LOG2: _NUMBERS.log2,
}


class Body:
    """A block under construction. Items are statements, nodes and splices."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.items: list[Item] = []
        self.known: dict[object, int] = {}  # what has been computed here, by operation and operands


class Splice:
    """A place in a block where statements may be put later, and the line that it comes from."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.items: list[Store] = []


class IfNode:
    condition: Ref
    yes: Body
    no: Body
    line: int

    def __init__(self, condition: Ref, yes: Body, no: Body, line: int) -> None:
        self.condition, self.yes, self.no, self.line = condition, yes, no, line


class ScopeNode:
    label: int
    body: Body
    line: int

    def __init__(self, label: int, body: Body, line: int) -> None:
        self.label, self.body, self.line = label, body, line
        self.left = True  # whether a leave may lead to its end


class LoopNode:
    label: int
    body: Body
    line: int

    def __init__(self, label: int, body: Body, line: int) -> None:
        self.label, self.body, self.line = label, body, line


class ForNode:
    label: int
    turns: int | CountOf
    start: int
    step: int
    counter: int
    body: Body
    line: int
    end: int

    def __init__(self, label: int, turns: int | CountOf, start: int, step: int, counter: int, body: Body, line: int) -> None:
        self.label, self.turns, self.start, self.step, self.counter = label, turns, start, step, counter
        self.body, self.line, self.end = body, line, line


Item = Statement | Splice | IfNode | ScopeNode | LoopNode | ForNode


class Emitter:
    """Makes values and puts statements at the end of the innermost open block."""

    labels: int
    prologue: Body
    main: Body
    operations: int

    def __init__(self) -> None:
        self._values = 0
        self.labels = 0
        self.variables: list[code.Variable] = []
        self.definitions: dict[int, Statement] = {}
        self.homes: dict[int, int] = {}  # block by value
        self.line = -1
        self.prologue = Body(0)
        self.main = Body(1)
        self._bodies = 1
        self.open: list[Body] = [self.prologue, self.main]
        self._open_numbers = {0, 1}
        self.operations = 0
        self.free = False  # whether GLSL and HLSL let the operations that are emitted be done otherwise
        self.rewritten: dict[tuple[str, int], None] = {}  # where they were: names of rules, with lines
        self._rules, self._view = rules_for(FRONT), Components(self)

    # Blocks

    def body(self) -> Body:
        self._bodies += 1
        return Body(self._bodies)

    def push(self, body: Body) -> None:
        self.open.append(body)
        self._open_numbers.add(body.number)

    def pop(self) -> None:
        self._open_numbers.discard(self.open.pop().number)

    @property
    def current(self) -> Body:
        return self.open[-1]

    def label(self) -> int:
        self.labels += 1
        return self.labels

    def put(self, item: Item) -> None:
        self.current.items.append(item)

    def absorb(self, outer: Body, inner: Body) -> None:
        """Put what is in a block at the end of another, where its values are seen then."""
        outer.items += inner.items
        for item in inner.items:
            result = getattr(item, "result", None)
            if result is not None:
                self.homes[result] = outer.number
        for key, result in inner.known.items():
            outer.known.setdefault(key, result)

    def visible(self, scalar: Scalar) -> bool:
        """Whether a component may be used in the innermost open block."""
        return not isinstance(scalar, Ref) or self.homes[scalar.value] in self._open_numbers

    # Values

    def value(self) -> int:
        self._values += 1
        return self._values

    def define(self, statement: Statement, result: int, body: Body | None = None) -> int:
        """Put a statement that makes a value at the end of a block."""
        body = body or self.current
        body.items.append(statement)
        self.definitions[result] = statement
        self.homes[result] = body.number
        return result

    def once(self, key: object, make: Callable[[int], Statement], *, everywhere: bool = False) -> int:
        """The value that a key names: made here, unless an open block has it; `everywhere`: made before all else."""
        for body in reversed(self.open):
            if key in body.known:
                return body.known[key]
        body = self.prologue if everywhere else self.current
        result = self.value()
        body.known[key] = result
        return self.define(make(result), result, body)

    def variable(self, name: str, lanes: int) -> int:
        self.variables.append(code.Variable(name, lanes, self.line))
        return len(self.variables) - 1

    def load(self, variable: int) -> int:
        result = self.value()
        return self.define(code.Load(result, variable, self.line), result)

    def ref(self, scalar: Scalar) -> Ref:
        """A component as a ref: known numbers are constants, undefined ones are 0."""
        if isinstance(scalar, Ref):
            return scalar
        number = 0.0 if scalar is None else single(float(scalar.value))
        turned = number < 0
        size = abs(number)
        result = self.once(("number", struct.pack("<d", size)), lambda result: Number(result, (size,)), everywhere=True)
        return Ref(result, 0, turned)

    def constant(self, ref: Ref) -> float | None:
        """The number that `ref` has made a constant. Other numbers hold places: a loop may change them in the end."""
        found = self.definitions.get(ref.value)
        if not isinstance(found, Number) or self.homes[ref.value] != self.prologue.number:
            return None
        return -found.values[ref.lane] if ref.negated else found.values[ref.lane]

    def refs(self, value: Sequence[Scalar]) -> tuple[Ref, ...]:
        """Components as an operand; an undefined one is what another is, so that it costs nothing."""
        filler = next((scalar for scalar in value if scalar is not None), None)
        return tuple([self.ref(filler if scalar is None else scalar) for scalar in value])

    # Operations

    def operate(self, op: str, *operands: Value) -> Value:
        """An operation by lane. Lanes whose result is known, or is an operand, cost nothing, and equal lanes are one.

        Raises Malformed.
        """
        if len({len(operand) for operand in operands}) > 1:
            raise Malformed("operands have different sizes")
        if len(operands[0]) > _LANES:  # matrices
            parts = range(0, len(operands[0]), _LANES)
            return tuple(
                [scalar for at in parts for scalar in self.operate(op, *[operand[at : at + _LANES] for operand in operands])]
            )
        if op == MAD and all(_is(scalar, 1) for scalar in operands[1]):
            return self.operate(ADD, operands[0], operands[2])
        if op == MAD and all(_is(scalar, 0) for scalar in operands[2]):
            return self.operate(MUL, operands[0], operands[1])
        results: list[Scalar] = []
        live: dict[tuple[Scalar, ...], int] = {}
        at: list[int] = []
        lanes = [*zip(*operands, strict=True)]
        simple = [self._simplify(op, arguments) for arguments in lanes]
        if None in simple:  # one instruction does these lanes too, and its result is in one place
            simple = [None if _is_operand(known, arguments) else known for known, arguments in zip(simple, lanes, strict=True)]
            if op == ADD and self.free:
                lanes = [*zip(*map(self._as_products, operands), strict=True)]
        for arguments, known in zip(lanes, simple, strict=True):
            results.append(known)
            at.append(-1 if known is not None else live.setdefault(arguments, len(live)))
        if live:
            value = self._emit(op, tuple([self.refs(column) for column in zip(*live, strict=True)]))
            results = [result if lane < 0 else Ref(value, lane) for result, lane in zip(results, at, strict=True)]
        return tuple(results)

    def _as_products(self, operand: Value) -> Value:
        """A vector of zeros and of products of one value with constants, where zeros are products with 0 again.

        A sum multiplies all its lanes at once then, and their results are in one place.
        """
        products = [each for each in operand if not _is(each, 0)]
        first = products[0] if products else None
        if len(products) == len(operand) or not isinstance(first, Ref):
            return operand
        product = self.definitions.get(first.value)
        if not isinstance(product, Operate) or product.op != MUL:
            return operand
        lanes: list[int] = []
        for each in products:
            if not isinstance(each, Ref) or (each.value, each.negated) != (first.value, first.negated):
                return operand
            lanes.append(each.lane)
        for number, factors in zip(product.operands, reversed(product.operands), strict=True):
            constant = all(self.constant(factors[lane]) is not None for lane in lanes)
            if constant and len({number[lane] for lane in lanes}) == 1:
                zero = self.ref(Known(0.0))
                others = tuple([factors[each.lane] if isinstance(each, Ref) else zero for each in operand])
                value = self._emit(MUL, ((number[lanes[0]],) * len(operand), others))
                return tuple([Ref(value, lane, first.negated) for lane in range(len(operand))])
        return operand

    def scalar(self, op: str, *operands: Scalar) -> Scalar:
        return self.operate(op, *[(operand,) for operand in operands])[0]

    def dot(self, a: Value, b: Value) -> Scalar:
        """The sum of the products. Lanes that are known to be 0 are left out: 0 times anything is 0 to the targets."""
        if len(a) != len(b):
            raise Malformed("a product of vectors of different sizes")
        pairs = [(x, y) for x, y in zip(a, b, strict=True) if not (_is(x, 0) or _is(y, 0))]
        if all(isinstance(x, Known) and isinstance(y, Known) for x, y in pairs):
            return Known(float(sum([x.value * y.value for x, y in pairs if isinstance(x, Known) and isinstance(y, Known)])))
        if len(pairs) == 1:
            return self.scalar(MUL, *pairs[0])
        sides: list[Value] = [tuple([x for x, _ in pairs]), tuple([y for _, y in pairs])]
        found = self._rules.found(self._view, DOT, sides, allowed=self.free)
        if found is not None and isinstance(result := found.value(self._view), Ref):
            return result
        return Ref(self._emit(DOT, (self.refs([x for x, _ in pairs]), self.refs([y for _, y in pairs]))), 0)

    def _emit(self, op: str, operands: tuple[tuple[Ref, ...], ...]) -> int:
        ordered = tuple(sorted(operands)) if op in _COMMUTE else operands
        before = self._values
        value = self.once((op, ordered), lambda result: Operate(result, op, operands, self.line))
        self.operations += self._values != before
        return value

    def _simplify(self, op: str, arguments: Sequence[Scalar]) -> Scalar:
        """The result of a lane where it costs nothing; None: it must be computed."""
        if op == SELECT:
            return self._simplify_select(*arguments)
        values = [a.value for a in arguments if isinstance(a, Known)]
        if len(values) == len(arguments):
            try:
                return Known(_FOLD[op](*values))
            except (OverflowError, ValueError):
                return None
        if all(a is None for a in arguments):
            return Known(0.0)
        return self._rewritten(op, arguments)

    def _rewritten(self, op: str, arguments: Sequence[Scalar]) -> Scalar:
        """The component by a rewrite rule; None where none fits."""
        found = self._rules.found(self._view, NAMES.get(op, op), arguments, allowed=self.free)
        if found is None:
            return None
        if found.rule.kind == ALLOWED and not found.rule.precise:
            self.rewritten[found.rule.name, self.line] = None
        result = found.value(self._view)
        return result if result is None or isinstance(result, (Ref, Known)) else None

    def _simplify_select(self, condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
        if isinstance(condition, Known):
            return yes if condition.value else no
        if same(yes, no) or no is None:
            return yes if yes is not None else Known(0.0)
        if yes is None or condition is None:
            return no
        if _is(yes, 1) and _is(no, 0):
            return condition
        if _is(yes, 0) and _is(no, 1):
            return self.scalar(NOT, condition)
        return None


def _is_operand(scalar: Scalar, operands: Sequence[Scalar]) -> bool:
    """Whether a component is an operand, perhaps with its sign turned."""
    return isinstance(scalar, Ref) and (scalar in operands or scalar.turned() in operands)


def _is(scalar: Scalar, number: int) -> bool:
    return isinstance(scalar, Known) and scalar.value == number
