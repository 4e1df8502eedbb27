"""A plan on NumPy arrays: the first results of a program whose kernel is not there yet.

For ordinary numbers only, as speculative kernels, but all or nothing: where a result is infinite, a NaN or a subnormal, a
vertex stops or takes long, or an operation is not here, there is no result, and a kernel has to be compiled. So no profile's
rules for such numbers are repeated here.

float24 is computed in float64: a product is exact there, and so is a sum, or its error is known; both are then cut to 17 bits,
or rounded to them. Lanes that diverge are gathered for each block, so that no lane computes what it does not execute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from lanewise.arrays.memory import rows_of_four
from lanewise.core.numbers.floats import float_from_bits, float_from_float24
from lanewise.pica200.engine.llvm.arguments import ROWS
from lanewise.pica200.ir.ssa import NUMBER, TRUTH, Fork, Jump, arguments, kind_of
from lanewise.pica200.isa.table import FLOAT
from lanewise.pica200.sem.components import Component
from lanewise.pica200.sem.numbers import number_rule

if TYPE_CHECKING:
    from lanewise.pica200.engine.llvm.kernel import Table
    from lanewise.pica200.engine.llvm.planned import Plan
    from lanewise.pica200.ir.ssa import Exit, Node, Value

Array = NDArray[Any]
Lanes = NDArray[np.intp] | None
"""Numbers of lanes; None: all."""

# An operation on arrays takes as long as so many numbers in it, and a block as so many operations; and the most numbers, these
# included, that take less time than compilation (bench/test_break_even.py).
_CALL, _BLOCK, MOST = 600, 12, 4 << 20
_SMALLEST, _LARGEST = 2.0**-62, 2.0**63
_CUT, _CUT32 = np.int64(-1 << 36), np.uint32(0xFFFFFF80)  # the bits of a float24 in a float64, and in a float32
_PLACES, _ONE, _HALF = np.int64(36), np.int64(1), np.int64((1 << 35) - 1)
_FALSE, _TRUE, _ZERO = np.zeros(1, np.bool_), np.ones(1, np.bool_), np.zeros(1, np.int32)
_ABSENT = frozenset(("exp2", "log2", "fed"))  # operations that are not here


class _UnfitError(Exception):
    """Arrays do not give the result."""


def fits(plan: Plan, vertices: int) -> bool:
    """Whether arrays may give the results of so many vertices, in less time than compilation takes."""
    if plan.emission is not None or (plan.profile.rounding == "float32" and plan.profile.precision != "float32"):
        return False
    if plan.steps * (_CALL + vertices) > MOST:  # without the analyses, which a plan from the cache does not have yet
        return False
    nodes = [block.nodes[value] for block, mine in zip(plan.function.blocks, plan.needs.nodes, strict=True) for value in mine]
    return len(nodes) * (_CALL + vertices) <= MOST and _ABSENT.isdisjoint([str(node[0]) for node in nodes])


def run(
    plan: Plan, table: Table, inputs: Mapping[int, NDArray[np.float32]], vertices: int, budget: int
) -> tuple[dict[int, NDArray[np.float32]], dict[int, NDArray[np.uint8]]] | None:
    """Outputs (vertices, 4) by register, and masks (vertices,) of what was written of those in `Plan.unsure`.

    `inputs` are (vertices or 1, 1 to 4) by v number. None if there is no result.
    """
    if not table.ordinary or not is_usual():
        return None
    try:
        with np.errstate(all="ignore"):
            return _Run(plan, table, inputs, vertices, budget).results()
    except _UnfitError:
        return None


def is_usual() -> bool:
    """Whether this thread rounds to nearest and keeps subnormals, as it does unless a library has told the processor
    otherwise."""
    sums = np.array((1.0, -1.0)) + np.array((0.75 * 2.0**-52, 0.25 * 2.0**-52))
    halves = np.array((2.0**-126, -(2.0**-126)), np.float32) * np.float32(0.5)
    return sums.tolist() == [1.0 + 2.0**-52, -1.0] and halves.tolist() == [2.0**-127, -(2.0**-127)]


class _Float32:
    """Numbers of a block: results are rows of one array, which is looked at when the block is done."""

    kind: type[np.float32 | np.float64] = np.float32
    table = 1  # of `arguments.TABLES`

    def begin(self, operations: int, lanes: int) -> None:
        """Begin a block with room for the results of so many operations."""
        self._rows: Array = np.empty((operations, lanes), self.kind)
        self._used = 0
        self._few: list[Array] = []

    def _room(self, a: Array, b: Array) -> Array:
        """An array for a result: a row, or for one number for all lanes one of its own."""
        if len(a) == 1 and len(b) == 1:
            found = np.empty(1, self.kind)
            self._few.append(found)
            return found
        found = self._rows[self._used]
        self._used += 1
        return found

    def check(self) -> None:
        """Raises _UnfitError if a result of the block is not ordinary."""
        for array in (self._rows[: self._used], np.array(self._few, self.kind)):
            if array.size and not self.are_ordinary(array):
                raise _UnfitError

    def are_ordinary(self, array: Array) -> bool:
        return bool(np.isfinite(array.max()) and np.isfinite(array.min()))

    def constant(self, word: int) -> Array:
        """A word of the profile's format. Raises _UnfitError."""
        found = np.array((self.number_of_word(word),), self.kind)
        if not self.are_ordinary(found):
            raise _UnfitError
        return found

    def number_of_word(self, word: int) -> float:
        return float_from_bits(word)

    def loaded(self, raw: NDArray[np.float32]) -> Array:
        """An input. Raises _UnfitError."""
        found = self.taken(raw)
        if not self.are_ordinary(found):
            raise _UnfitError
        return found

    def taken(self, raw: NDArray[np.float32]) -> Array:
        return raw

    def add(self, a: Array, b: Array) -> Array:
        return np.add(a, b, out=self._room(a, b))

    def mul(self, a: Array, b: Array) -> Array:
        return np.multiply(a, b, out=self._room(a, b))

    def rcp(self, a: Array) -> Array:
        return np.divide(self.kind(1.0), a, out=self._room(a, a))

    def rsq(self, a: Array) -> Array:
        root = np.sqrt(a)
        return np.divide(self.kind(1.0), root, out=self._room(a, a))


class _Cut(_Float32):
    """float24, cut toward zero."""

    kind = np.float64
    table = 2

    def are_ordinary(self, array: Array) -> bool:
        """Return whether all are; a result of 2**-62 may have been less before it was rounded."""
        if not (array.max() < _LARGEST and array.min() > -_LARGEST):
            return False
        small = (array <= _SMALLEST) & (array >= -_SMALLEST)
        return np.count_nonzero(small) == array.size - np.count_nonzero(array)

    def number_of_word(self, word: int) -> float:
        return float_from_float24(word)

    def taken(self, raw: NDArray[np.float32]) -> Array:
        """Return the numbers cut to float24, in either rounding."""
        return (raw.view(np.uint32) & _CUT32).view(np.float32).astype(np.float64)

    def add(self, a: Array, b: Array) -> Array:
        found = np.add(a, b, out=self._room(a, b))
        # Its error (Knuth): where the exact sum is smaller in size, so is the last number before it.
        of_b = found - a
        error = found - of_b
        np.subtract(a, error, out=error)
        np.subtract(b, of_b, out=of_b)
        error += of_b
        error *= found
        bits = found.view(np.int64)
        bits -= error < 0.0
        bits &= _CUT
        return found

    def mul(self, a: Array, b: Array) -> Array:
        return self._rounded(super().mul(a, b))

    # No quotient and no root of 17 bits is so near to a number of 18 bits that float64 would be on its other side: 2**-35 and
    # 2**-37 of it are the least (tests/engines/test_first.py).

    def rcp(self, a: Array) -> Array:
        return self._rounded(super().rcp(a))

    def rsq(self, a: Array) -> Array:
        return self._rounded(super().rsq(a))

    def _rounded(self, number: Array) -> Array:
        """A number in place, as a float24."""
        bits = number.view(np.int64)
        bits &= _CUT
        return number


class _Nearest(_Cut):
    """float24, to nearest."""

    def add(self, a: Array, b: Array) -> Array:
        """Return the sum, of which float64 loses what is too far below the 17 bits to decide how they are rounded."""
        return self._rounded(np.add(a, b, out=self._room(a, b)))

    def _rounded(self, number: Array) -> Array:
        bits = number.view(np.int64)
        more = bits >> _PLACES
        more &= _ONE
        more += _HALF
        bits += more
        bits &= _CUT
        return number


NUMBERS: Mapping[str, type[_Float32]] = {"zero": _Cut, "nearest": _Nearest, "float32": _Float32}


class _Run:
    """A run. Values are arrays with an element for each lane of the block, or one for all; none is changed later."""

    def __init__(self, plan: Plan, table: Table, inputs: Mapping[int, NDArray[np.float32]], vertices: int, budget: int) -> None:
        self.profile = plan.profile
        self.numbers = NUMBERS[plan.profile.rounding]()
        self.signed = plan.profile.negative_zero == "ieee"
        self._plan, self._table, self._inputs, self._vertices = plan, table, inputs, vertices
        self._left, self._work = budget, MOST
        self._uniforms = self.numbers.taken(table.floats[self.numbers.table])
        self._loaded: dict[tuple[int, int], Array] = {}  # of all lanes
        self._state = {component: self._nothing(component) for component in plan.needs.begin[0]}

    def _nothing(self, component: Component) -> Array:
        kind = kind_of(component)
        return np.zeros(1, self.numbers.kind) if kind == NUMBER else _FALSE if kind == TRUTH else _ZERO

    def results(self) -> tuple[dict[int, NDArray[np.float32]], dict[int, NDArray[np.uint8]]]:
        plan = self._plan
        place = {block: n for n, block in enumerate(plan.lanes.order.blocks)}
        waiting: dict[int, list[Lanes]] = {0: [None]}
        while waiting:
            number = min(waiting, key=place.__getitem__)
            parts = waiting.pop(number)
            lanes = parts[0] if len(parts) == 1 else np.concatenate([part for part in parts if part is not None])
            if lanes is not None and len(lanes) == self._vertices:
                lanes = None
            # More than the steps of any lane, where lanes diverge.
            self._left -= plan.function.blocks[number].size
            self._work -= (_BLOCK + len(plan.needs.nodes[number])) * (_CALL + (self._vertices if lanes is None else len(lanes)))
            if self._left < 0 or self._work < 0:
                raise _UnfitError
            for target, part in self._block(number, lanes):
                waiting.setdefault(target, []).append(part)
        outputs: dict[int, NDArray[np.float32]] = {}
        for register in plan.outputs:
            rows = outputs[register] = rows_of_four(self._vertices)
            for channel in range(4):
                found = self._state[Component("o", register, channel)]
                rows[:, channel] = found if self.signed else found + self.numbers.kind(0.0)
        flags: dict[int, NDArray[np.uint8]] = {}
        for register, mask in plan.unsure.items():
            masks = flags[register] = np.full(self._vertices, plan.written[register].always, np.uint8)
            for channel in range(4):
                if mask & 8 >> channel:
                    masks |= self._state[Component("written", register, channel)] * np.uint8(8 >> channel)
        return outputs, flags

    def _block(self, number: int, lanes: Lanes) -> list[tuple[int, Lanes]]:
        """Execute a block for some lanes: the blocks where they go on."""
        plan, block = self._plan, self._plan.function.blocks[number]
        values: dict[Value, Array] = {}
        needed = plan.needs.nodes[number]
        checked = sum([block.nodes[value][0] in _CHECKED for value in needed])
        self.numbers.begin(checked, self._vertices if lanes is None else len(lanes))
        for value in needed:
            node = block.nodes[value]
            op = str(node[0])
            leaf = _LEAVES.get(op)
            if leaf is not None:
                values[value] = leaf(self, node, lanes)
            else:
                values[value] = _OPERATIONS[op](self, node, [values[argument] for argument in arguments(node)])
        self.numbers.check()
        for component, value in block.writes.items():
            if component in plan.needs.end[number]:
                self._write(component, values[value], lanes)
        found: list[tuple[int, Lanes]] = []

        def send(exit: Exit, lanes: Lanes, places: Lanes) -> None:
            """`places` are those of the lanes in the block."""
            if isinstance(exit, Fork):
                holds = values[exit.question]
                if len(holds) == 1:
                    send(exit.yes if holds[0] else exit.no, lanes, places)
                    return
                holds = holds if places is None else holds[places]
                for way, part in ((exit.yes, np.flatnonzero(holds)), (exit.no, np.flatnonzero(~holds))):
                    if len(part):
                        send(way, part if lanes is None else lanes[part], part if places is None else places[part])
            elif isinstance(exit, Jump):
                for component, value in exit.writes:
                    if component in plan.needs.begin[exit.block]:
                        array = values[value]
                        self._write(component, array if len(array) == 1 or places is None else array[places], lanes)
                found.append((exit.block, lanes))
            elif exit.code:
                raise _UnfitError

        send(block.exit, lanes, None)
        return found

    def _write(self, component: Component, value: Array, lanes: Lanes) -> None:
        if lanes is None:
            self._state[component] = value
            return
        before = self._state.get(component)
        if before is None:
            before = self._nothing(component)
        after = np.repeat(before, self._vertices) if len(before) == 1 else before.copy()
        after[lanes] = value
        self._state[component] = after

    # Leaves

    def constant(self, node: Node, lanes: Lanes) -> Array:
        return self.numbers.constant(int(node[1]))

    def entering(self, node: Node, lanes: Lanes) -> Array:
        found = self._state[cast("Component", node[1])]
        return found if lanes is None or len(found) == 1 else found[lanes]

    def input(self, node: Node, lanes: Lanes) -> Array:
        """A component of an input; those that the data lacks are 0, 0, 0, 1, and missing registers zeros, as in `values`."""
        register, component = int(node[1]), int(node[2])
        given = self._inputs.get(register)
        if given is None or component >= given.shape[1]:
            one = component == 3 and given is not None
            return self.numbers.constant(number_rule(self.profile).constant(1.0 if one else 0.0))
        found = self._loaded.get((register, component))
        if found is None:
            found = self._loaded[register, component] = self.numbers.loaded(given[:, component])
        return found if lanes is None or len(found) == 1 else found[lanes]

    def uniform(self, node: Node, lanes: Lanes) -> Array:
        component = int(node[2])
        return self._uniforms[int(node[1]), component : component + 1]

    def boolean(self, node: Node, lanes: Lanes) -> Array:
        number = int(node[1])
        return self._table.booleans[number : number + 1] != 0

    def component(self, node: Node, lanes: Lanes) -> Array:
        place = 4 * int(node[1]) + int(node[2])
        return self._table.integers[place : place + 1]

    # Operations that a profile has a say in

    def gather(self, node: Node, given: Sequence[Array]) -> Array:
        (index,) = given
        if self.profile.index_wrap == "registers" and (index < FLOAT).any():
            raise _UnfitError
        return self._uniforms[(index - np.int32(FLOAT)) & np.int32(ROWS - 1), int(node[2])]

    def at_least(self, node: Node, given: Sequence[Array]) -> Array:
        a, low = given
        return np.where(a >= low if self.profile.litp_nan == "through" else a > low, a, low)

    def at_most(self, node: Node, given: Sequence[Array]) -> Array:
        a, high = given
        return np.where(a <= high if self.profile.litp_nan == "through" else a < high, a, high)

    def not_negative(self, node: Node, given: Sequence[Array]) -> Array:
        (a,) = given
        if self.profile.litp_flags == "sign":
            return ~np.signbit(a if self.signed else a + self.numbers.kind(0.0))
        return a >= 0.0

    def to_integer(self, node: Node, given: Sequence[Array]) -> Array:
        how = _WHOLE.get(self.profile.mova_fraction, np.rint)
        found = np.clip(how(given[0].astype(np.float64)), -(2.0**31), 2.0**31 - 1).astype(np.int32)
        if self.profile.mova_range == "byte":
            found = (found + np.int32(128) & np.int32(255)) - np.int32(128)
        return found


_WHOLE: Mapping[str, Callable[[Array], Array]] = {"zero": np.trunc, "floor": np.floor}
_COMPARISONS = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)  # as `rules.COMPARISONS`
_CHECKED = frozenset(("add", "mul", "rcp", "rsq"))
_LEAVES: Mapping[str, Callable[[_Run, Node, Lanes], Array]] = {
    "const": _Run.constant,
    "enter": _Run.entering,
    "enter_truth": _Run.entering,
    "enter_integer": _Run.entering,
    "input": _Run.input,
    "uniform": _Run.uniform,
    "boolean": _Run.boolean,
    "component": _Run.component,
    "truth": lambda run, node, lanes: _TRUE if node[1] else _FALSE,
    "integer": lambda run, node, lanes: np.array((int(node[1]),), np.int32),
}
_OPERATIONS: Mapping[str, Callable[[_Run, Node, Sequence[Array]], Array]] = {
    "gather": _Run.gather,
    "negate": lambda run, node, given: -given[0],
    "flush": lambda run, node, given: given[0],
    "floor": lambda run, node, given: np.floor(given[0]),
    "rcp": lambda run, node, given: run.numbers.rcp(given[0]),
    "rsq": lambda run, node, given: run.numbers.rsq(given[0]),
    "add": lambda run, node, given: run.numbers.add(given[0], given[1]),
    "mul": lambda run, node, given: run.numbers.mul(given[0], given[1]),
    "max": lambda run, node, given: np.where(given[0] > given[1], given[0], given[1]),
    "min": lambda run, node, given: np.where(given[0] < given[1], given[0], given[1]),
    "at_least": _Run.at_least,
    "at_most": _Run.at_most,
    "select": lambda run, node, given: np.where(given[0], given[1], given[2]),
    "compare": lambda run, node, given: _COMPARISONS[int(node[3])](given[0], given[1]),
    "not_negative": _Run.not_negative,
    "invert": lambda run, node, given: ~given[0],
    "both": lambda run, node, given: given[0] & given[1],
    "either": lambda run, node, given: given[0] | given[1],
    "within": lambda run, node, given: (given[0] >= int(node[2])) & (given[0] <= int(node[3])),
    "to_integer": _Run.to_integer,
    "integer_add": lambda run, node, given: given[0] + given[1],
    "integer_and": lambda run, node, given: given[0] & np.int32(int(node[2])),
    "integer_select": lambda run, node, given: np.where(given[0], given[1], given[2]),
}
