"""Symbolic execution of a Direct3D 9 shader: values are ShaderCore code.

Loops are unrolled, calls inlined, and unknown branches become selections. Instructions compute under the rule of the device:
every operation is an instruction of the device or, where the device lacks it, a routine of `shadercore.sem.routines`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.shadercore.building import Builder
from lanewise.compile.shadercore.if_conversion import Index, Predicate, Predicates, float_bits
from lanewise.core.diagnostics import PortableError
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.program import register_file
from lanewise.direct3d9.isa.table import CONSTANT_FILES
from lanewise.direct3d9.sem.algebra import INFINITY, MAGNITUDE, ONE, SIGN, Component
from lanewise.direct3d9.sem.compiled import Routined
from lanewise.direct3d9.sem.flow import Control
from lanewise.shadercore.sem.routines import Routines
from lanewise.ssa.nodes import Ref

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.direct3d9.isa.choices import Choices
    from lanewise.direct3d9.isa.program import Inst
    from lanewise.direct3d9.sem.algebra import Sampling
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.shadercore.isa.devices import Device

MOST_ITERATIONS = 255  # of a loop: i#.x is at most that [D]
MOST_STEPS = 20000  # instructions walked, or made: after that a program is too long whatever its optimiser does
FIRST_NUMBER = 256  # the c# that stand for counts and b# until it is known which are free

# Steps of the public compiler's sequences whose destination is one of their sources, of matrices for each row (reference 5,
# lowering).
STEPS_IN_PLACE: Mapping[str, int] = MappingProxyType(
    {
        "mad": 1,
        "dp3": 1,
        "dp4": 2,
        "dp2add": 1,
        "lrp": 2,
        "m4x4": 2,
        "m4x3": 2,
        "m3x4": 1,
        "m3x3": 1,
        "m3x2": 1,
        "nrm": 3,
        "pow": 2,
    }
)


class Bound(NamedTuple):
    """A count that the application sets: at most `most` iterations; aL starts at `start` and grows by `step`, if they are
    known."""

    most: int
    start: int | None = None
    step: int | None = None


Three = tuple[
    int, int | None, int | None
]  # count, start and step of an i#; the last two are None where only the count is known


class Array(NamedTuple):
    """Constants that a relative address may name: `size` registers from c`first`, every `stride`th of which can be the first of
    an element."""

    first: int
    size: int
    stride: int = 1


class Refused(PortableError):
    """A program that cannot be compiled: the code of a diagnostic, the message, the fix, and the number of the instruction (-1:
    none)."""

    code: str
    message: str
    fix: str
    line: int

    def __init__(self, code: str, message: str, fix: str, line: int = -1) -> None:
        super().__init__(message)
        self.code, self.message, self.fix, self.line = code, message, fix, line


class Given(NamedTuple):
    """Facts about a program that its words do not contain: see `compile.direct3d9.Options`."""

    integers: Mapping[int, Three]
    bounds: Mapping[int, Bound]
    booleans: Mapping[int, bool]
    arrays: tuple[Array, ...]


class Unset(NamedTuple):
    """The aL of a loop whose i# has no known start or step. Adding to it leaves it unknown; a relative address that reads it is
    refused."""

    register: int


Value = Ref
Number = int | Index | Unset


class Tracer(Routined[Ref, Predicate, Number], Control[Ref, Predicate, Number]):
    """The abstract domain of the walker. `inputs` gives the leaf of an input's component, or its default."""

    flow: Flow
    given: Given
    optimise: bool
    builder: Builder
    predicates: Predicates
    device: Device
    steps: int

    def __init__(
        self,
        flow: Flow,
        device: Device,
        given: Given,
        choices: Choices,
        leaf: Callable[[Tracer, int, int, int], Ref | None],
        *,
        optimise: bool = True,
        copies: bool = False,
    ) -> None:
        self._copies = copies
        old = flow.version.kind == isa.PIXEL and flow.version.major < 2
        self._clamps = old and choices.value("ps1_constants") == "clamped"  # the application does so with its own
        self.flow, self.given, self._leaf, self.optimise = flow, given, leaf, optimise
        self.builder = Builder(device, optimise=optimise)
        super().__init__(self.builder)
        self.predicates = Predicates(self.builder)
        self.device: Device = device
        self.routines: Routines[Ref] = Routines(self.builder, device, self.constant)
        self.cells: dict[Component, Ref] = {}
        self.written: dict[Component, int] = {}  # cells, and the instruction that has written them last
        self.counts: dict[int, int] = {}  # i# and -1 - b# that the application sets as numbers -> their order
        self.steps = 0
        self._reads_counter = reads_counter(flow)
        self._within: list[Predicate] = []  # the masks of the blocks that are being walked, each narrower than the one before
        self._inputs = {d.number for d in flow.declared if d.file == isa.INPUT}
        self._inputs |= {s.number for inst in flow.insts for s in inst.sources if s.file == isa.INPUT and not s.is_relative}
        self._predicates: dict[Component, Predicate] = {}
        self._integers: dict[Component, Number] = {}
        self._taken: set[int] = set()
        self.insts: list[Inst] = []
        self._lines: dict[int, int] = {id(inst): number for number, inst in enumerate(flow.insts)}

    def constant(self, bits: int) -> Ref:
        return self.builder.constant(bits, "coefficient")

    # Truth values

    def truth(self, value: bool) -> Predicate:
        return value

    def ordered(self, a: Ref, b: Ref, *, or_equal: bool) -> Predicate:
        return self.predicates.ordered(a, b, or_equal=or_equal)

    def invert(self, a: Predicate) -> Predicate:
        return self.predicates.invert(a)

    def both(self, a: Predicate, b: Predicate) -> Predicate:
        return self.predicates.both(a, b)

    def either(self, a: Predicate, b: Predicate) -> Predicate:
        return self.predicates.either(a, b)

    def select(self, condition: Predicate, a: Ref, b: Ref) -> Ref:
        return self.predicates.select(condition, a, b)

    def truth_select(self, condition: Predicate, a: Predicate, b: Predicate) -> Predicate:
        """Fewer operations than in general if one of the values or the condition is known."""
        if isinstance(condition, bool):
            return a if condition else b
        if isinstance(a, bool):
            return self.either(condition, b) if a else self.both(self.invert(condition), b)
        if isinstance(b, bool):
            return self.either(self.invert(condition), a) if b else self.both(condition, a)
        return self.either(self.both(condition, a), self.both(self.invert(condition), b))

    # Address integers

    def address(self, a: Ref, how: str) -> Number:
        return Index(a, how)

    def integer(self, value: int) -> Number:
        return value

    def integer_add(self, a: Number, b: Number) -> Number:
        if isinstance(a, Unset) or isinstance(b, Unset):
            return a if isinstance(a, Unset) else b
        if isinstance(a, int):
            a, b = b, a
        if not isinstance(b, int):
            raise self.refused("L005", "sum of two address registers", "use one of them")
        return a + b if isinstance(a, int) else a._replace(offset=a.offset + b)

    def integer_select(self, condition: Predicate, a: Number, b: Number) -> Number:
        if isinstance(condition, bool):
            return a if condition else b
        if a == b:
            return a
        how = next((number.how for number in (a, b) if isinstance(number, Index)), "even")
        first, second = (self._as_index(number, how) for number in (a, b))
        if first.how != second.how or first.offset != second.offset:
            raise self.refused("L005", "address register is rounded in two different modes", "write it once")
        return Index(self.select(condition, first.value, second.value), how, first.offset)

    def _set(self, number: Number) -> int | Index:
        """A number that is known, in all lanes or in each."""
        if not isinstance(number, Unset):
            return number
        name = f"i{number.register}"
        known = self.given.integers.get(number.register)
        option, count = ("--bound", self.given.bounds[number.register].most) if known is None else ("--int", known[0])
        raise self.refused(
            "L006", f"start and step of aL in {name} are unknown", f"give all three numbers: {option} {name}={count},START,STEP"
        )

    def _as_index(self, number: Number, how: str) -> Index:
        """A number that is whole already stays itself however it is rounded."""
        number = self._set(number)
        return number if isinstance(number, Index) else Index(self.builder.constant(float_bits(float(number)), "index"), how)

    def integer_is(self, a: Number, value: int) -> Predicate:
        a = self._set(a)
        if isinstance(a, int):
            return a == value
        return self.predicates.is_zero(Index(a.value, a.how, a.offset - value))

    def look_up(self, rows: Sequence[Ref], index: Number, outside: Ref) -> Ref:
        index = self._set(index)
        if isinstance(index, int):
            return rows[index] if 0 <= index < len(rows) else outside
        return self.predicates.look_up(rows, self.predicates.one_hot(index, len(rows)), outside)

    # The state

    def read(self, cell: Component) -> Ref:
        found = self.cells.get(cell)
        if found is None:
            found = self._initial(cell)
        return found

    def source(self, cell: Component) -> Ref:
        found = self.read(cell)
        return self.predicates.where(self._within[-1], found) if self._within else found

    def _initial(self, cell: Component) -> Ref:
        if cell.file == isa.CONST:
            row = self.flow.constants.get(cell.number)
            if row is not None:
                bits = row[cell.component]
                return self.builder.constant(_clamped(bits) if self._clamps else bits, "def")
            self._in_reach(cell.number)
            return self.builder.uniform(cell.number, cell.component)
        found = self._leaf(self, cell.file, cell.number, cell.component)
        return self.builder.constant(0) if found is None else found

    def _in_reach(self, number: int) -> None:
        if number > 255:
            raise self.refused(
                "L002",
                f"c{number} is out of range: the device has c0 to c255",
                "move the constants of the shader to c0 to c255",
            )

    def write(self, cell: Component, value: Ref) -> None:
        result = value.node >= self.builder.mark and not self.builder.nodes[value.node].is_leaf
        if not self.optimise and (value.modifier or not result or value.node in self._taken):
            value = self.builder.op("mov", value)
        self._taken.add(value.node)
        self.cells[cell] = value
        self.written[cell] = self.builder.line
        self._step(0)

    def _step(self, count: int = 1) -> None:
        """Note that the walk has gone on."""
        self.steps += count
        if max(self.steps, len(self.builder.nodes)) > MOST_STEPS:
            raise self.refused(
                "L003",
                f"the program takes more than {MOST_STEPS} instructions after unrolling loops and inlining calls",
                "unroll less: lower the loop counts, or split the program",
            )

    def read_truth(self, cell: Component) -> Predicate:
        return self._predicates.get(cell, False)

    def write_truth(self, cell: Component, value: Predicate) -> None:
        self._predicates[cell] = value

    def read_integer(self, cell: Component) -> Number:
        return self._integers.get(cell, 0)

    def write_integer(self, cell: Component, value: Number) -> None:
        self._integers[cell] = value

    def read_indexed(self, file: int, base: int, index: Number, component: int) -> Ref:
        index = self._set(index)
        if isinstance(index, int):
            number = base + index
            most = 255 if file in CONSTANT_FILES else 15
            return self._row(file, number, component) if 0 <= number <= most else self.builder.constant(0)
        first, count, stride = self._array(file, base)
        # element k of the array is read by addresses for which base + index is first + k
        rows: list[Ref] = []
        hot: list[Predicate] = []
        within = (base - first) % stride
        for k in range(within, count, stride):
            rows.append(self._row(file, first + k, component))
            hot.append(self.integer_is(index, first + k - base))
        return self.predicates.look_up(rows, hot, self.builder.constant(0))

    def _row(self, file: int, number: int, component: int) -> Ref:
        """A register that a relative address means; v# that nothing declares have what elements default to."""
        if file == isa.INPUT and number not in self._inputs:
            return self.builder.constant(ONE if component == 3 else 0, "default")
        return self.read(Component(file, number, component))

    def _array(self, file: int, base: int) -> Array:
        if file not in CONSTANT_FILES:
            return Array(0, 16)
        for array in self.given.arrays:
            if array.first <= base < array.first + array.size:
                return array
        bases = {
            source.constant + row
            for inst in self.flow.insts
            for source in inst.sources
            if source.is_relative and source.file in CONSTANT_FILES
            for row in range(max(1, inst.op.rows))
        }
        rows = next(n for n in range(1, len(bases) + 2) if base + n not in bases)
        elements = f"/{rows} (elements of {rows} registers)" if rows > 1 else ""
        others = [f"c{array.first} to c{array.first + array.size - 1}" for array in self.given.arrays]
        given = f"; {' and '.join(others)}, which are given, do not have it" if others else ""
        raise self.refused(
            "L005",
            f"c{base} is the base of a relative address of unknown range",
            f"give --array c{base}=COUNT{elements}, or keep the constant table (CTAB) that names the array{given}",
        )

    # Flow

    def known(self, truth: Predicate) -> bool | None:
        return truth if isinstance(truth, bool) else None

    def when(self, mask: Predicate, body: Callable[[], None]) -> None:
        if mask is not False:
            self._within.append(mask)
            body()
            self._within.pop()

    def repeat(self, register: int, body: Callable[[Predicate], None], live_lanes: Callable[[], Predicate]) -> None:
        count, bound = self._count(register)
        for turn in range(count):
            if live_lanes() is False:
                return
            self._step()
            number = self.builder.constant(float_bits(float(turn)), "turn")
            body(True if bound is None else self.predicates.ordered(number, bound, or_equal=False))

    def _count(self, register: int) -> tuple[int, Ref | None]:
        """How often a loop is unrolled, and the value that its count is where that is not known."""
        known = self._integer(register)
        if known is not None:
            return max(0, min(known[0] or 0, MOST_ITERATIONS)), None
        bound = self.given.bounds.get(register)
        if bound is None:
            rest = ",START,STEP" if self._reads_counter else ""
            raise self.refused(
                "L006",
                f"the iteration count in i{register} is unknown",
                f"give its value, --int i{register}=COUNT{rest}, or an upper bound, --bound i{register}=COUNT{rest}",
            )
        return bound.most, self._number(register)

    def _integer(self, register: int) -> tuple[int | None, ...] | None:
        row = self.flow.integers.get(register)
        if row is not None:
            return tuple([value - (value >> 31 << 32) for value in row])
        return self.given.integers.get(register)

    def loop_value(self, register: int, component: int) -> Number:
        known = self._integer(register)
        if known is None:
            bound = self.given.bounds.get(register)
            known = (0, 0, 0) if bound is None else tuple(bound)
        value = known[component]
        return Unset(register) if value is None else value

    def boolean(self, number: int) -> Predicate:
        known = self.flow.booleans.get(number, self.given.booleans.get(number))
        return self._number(-1 - number) if known is None else known

    def _number(self, key: int) -> Ref:
        """The node of a count that the application sets, or of a b# (-1 - number) that it sets to 1.0 or 0.0."""
        order = self.counts.setdefault(key, len(self.counts))
        return self.builder.uniform(FIRST_NUMBER + order // 4, order % 4)

    def sample(self, request: Sampling[Ref]) -> tuple[Ref, Ref, Ref, Ref]:
        raise self.refused(
            "L001",
            f"{request.name} samples a texture, which the device does not support",
            "sample it beforehand, and pass the result in as an input",
        )

    def difference(self, value: Ref, axis: int) -> Ref:
        raise self.refused(
            "L001",
            f"{'dsy' if axis else 'dsx'} reads other pixels, which the device does not support",
            "pass the gradient in as an input",
        )

    def visit(self, inst: Inst) -> None:
        self._step()
        self.builder.line = self._lines.get(id(inst), -1)
        self.builder.mark = len(self.builder.nodes)
        self._taken.clear()
        if inst.op.name == "texkill":
            raise self.refused(
                "L001", "texkill discards pixels, which the device does not support", "write the condition to an output instead"
            )
        if self._copies:
            self._copy(inst)

    def _copy(self, inst: Inst) -> None:
        """The moves of the public compiler: all four components of a register that is source and destination of a step
        (CS:301-330)."""
        dest = inst.dest
        groups = STEPS_IN_PLACE.get(inst.op.name, 0) * (inst.op.rows or 1)
        sources = [source for source in inst.sources if not source.is_relative]
        for source in sources[:1] * groups:
            for component in range(4):
                self.builder.op(
                    "mov",
                    self.read(Component(isa.CONST if source.file in CONSTANT_FILES else source.file, source.number, component)),
                )
        if dest is not None and any((source.file, source.number) == (dest.file, dest.number) for source in sources):
            for component in range(4):
                cell = Component(dest.file, dest.number, component)
                self.cells[cell] = self.builder.op("mov", self.read(cell))
        self.builder.mark = len(self.builder.nodes)

    def refused(self, code: str, message: str, fix: str) -> Refused:
        return Refused(code, message, fix, self.builder.line)


def reads_counter(flow: Flow) -> bool:
    """Whether an operand of a shader is relative to aL."""
    relative = [operand.relative for inst in flow.insts for operand in inst.operands if operand.is_relative]
    return any(token is not None and register_file(token) == isa.LOOP for token in relative)


def _clamped(bits: int) -> int:
    """A number between -1 and 1; a NaN stays one."""
    if bits & MAGNITUDE > INFINITY or bits & MAGNITUDE <= ONE:
        return bits
    return bits & SIGN | ONE
