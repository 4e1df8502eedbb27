"""A machine of Direct3D 9 that records what its instructions compute, for one vertex.

Registers are variables. Within a block, what was stored is used as the value that it is; after a branch or loop that may have
stored it, it is loaded.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.direct3d9.constants import BOOL_SET, Constants, unique
from lanewise.compile.direct3d9.nodes import Nodes, Scalar
from lanewise.compile.direct3d9.options import Refused
from lanewise.compile.vector import code
from lanewise.compile.vector.code import Attribute, Flag, Input, Load, Number, Ref, Row, Store, Table, Truth, Variable
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.interface import inputs
from lanewise.direct3d9.isa.table import EQ, GE, GT, LE, LT, NE
from lanewise.direct3d9.sem.algebra import HALF, ONE, SIGN, ZERO, Algebra, Component
from lanewise.direct3d9.sem.issue import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.compile.direct3d9.options import Options
    from lanewise.compile.vector.code import Statement
    from lanewise.core.source import Span
    from lanewise.direct3d9.isa.constants import Constant
    from lanewise.direct3d9.isa.program import Inst, Shader
    from lanewise.direct3d9.sem.algebra import Sampling
    from lanewise.direct3d9.sem.tree import Flow

Condition = bool | Scalar
Whole = int | Scalar
INPUTS = 16  # v#
BOOLEANS = 15  # b# of the hardware that are for programs; those of other numbers get one that is free
_COMPARED = {
    LT: (code.LT, False),
    GT: (code.LT, True),
    LE: (code.LE, False),
    GE: (code.LE, True),
    EQ: (code.EQ, False),
    NE: (code.NE, False),
}


class Block(NamedTuple):
    """The statements of a block, and the components that it may have stored."""

    body: tuple[Statement, ...]
    stored: frozenset[Component]


class Recorder(Algebra[Scalar, Condition, Whole], State[Scalar, Condition, Whole]):
    """The operations and the state of one vertex, as statements of a vector program.

    `assigned` are the components that were stored on every path, None where no path leads.
    """

    flow: Flow
    options: Options
    constants: Constants
    nodes: Nodes
    inst: int

    def __init__(self, shader: Shader, flow: Flow, named: Sequence[Constant], options: Options) -> None:
        self.flow, self.options = flow, options
        self.constants = Constants(flow, named, options)
        self.inputs: list[Input] = []
        self.flags: list[Flag] = []
        self.booleans: list[int] = []  # the b# of each flag
        self.variables: list[Variable] = []
        self.lines: list[Span] = []
        self.first: list[Statement] = []  # what every block may use: inputs, rows of uniforms, truths
        self.block: list[Statement] = []
        self.assigned: frozenset[Component] | None = frozenset()
        self.stored: set[Component] = set()
        self.ever: set[Component] = set()  # stored anywhere
        self.uninitialised: set[Component] = set()
        self.nodes = Nodes(self._append, self.new)
        self.inst = -1
        self._values = 0
        self._ports = inputs(shader)
        self._registers: dict[tuple[int, int], int] = {}
        self._current: dict[Component, Ref] = {}
        self._leaves: dict[object, int] = {}
        self._counters: dict[Component, Ref] = {}  # aL of the loops around
        self._pending: dict[tuple[int, int], dict[int, Scalar]] = {}
        self._numbers = {id(inst): number for number, inst in enumerate(flow.insts)}
        self._line_of: dict[int, int] = {}

    def new(self) -> int:
        """The number of a value that is not there yet."""
        self._values += 1
        return self._values - 1

    def _append(self, statement: Statement) -> None:
        self.block.append(statement)

    def refused(self, code_: str, message: str, fix: str) -> Refused:
        return Refused(code_, message, fix, self.inst)

    # Operations

    def apply(self, operation: str, *values: Scalar, immediate: int | None = None) -> Scalar:
        nodes = self.nodes
        first = values[0]
        simple = _SIMPLE.get(operation)
        if simple is not None:
            return nodes.operation(simple, *[(value,) for value in values])
        if operation == "xor" and immediate == SIGN:
            return nodes.negate(first)
        if operation == "mask" and immediate == SIGN - 1:
            return first if nodes.is_positive(first) else self._absolute(first)
        if operation == "saturate":
            zero, one = nodes.number(ZERO), nodes.number(ONE)
            return self.min(self.max(first, zero), one)
        if operation == "at_least":
            return nodes.operation(code.LE, (values[1],), (first,))
        if operation == "sign":
            zero = nodes.number(ZERO)
            return self.sub(self.less(zero, first), self.less(first, zero))
        if operation == "fraction":
            return self.sub(first, nodes.operation(code.FLOOR, (first,)))
        if operation == "scale" and immediate == 1:
            return self.add(first, first)
        raise ValueError(f"{operation} is not an operation of the vector program")

    def _absolute(self, a: Scalar) -> Scalar:
        """The greater of a number and its negative; the second operand is what a NaN gives, and 0 of two zeros."""
        bits = self.nodes.bits(a)
        if bits is not None:
            return self.nodes.number(bits & SIGN - 1)
        plain = a._replace(negated=False)
        return self.nodes.operation(code.MAX, (self.nodes.negate(plain),), (plain,))

    def constant(self, bits: int) -> Scalar:
        return self.nodes.number(bits)

    def dot(self, pairs: Iterable[tuple[Scalar, Scalar]]) -> Scalar:
        first, second = zip(*pairs, strict=True)
        return self.nodes.operation(code.DOT, first, second)

    def normal_scale(self, squared: Scalar) -> Scalar:
        """Infinity for a vector of zeros: 0 times infinity is 0 on the hardware, so it stays one."""
        return self.rsq(squared)

    # Truth values

    def truth(self, value: bool) -> Condition:
        return value

    def ordered(self, a: Scalar, b: Scalar, *, or_equal: bool) -> Condition:
        """a >= b, or a < b."""
        return self.nodes.operation(code.LE, (b,), (a,)) if or_equal else self.nodes.operation(code.LT, (a,), (b,))

    def compare(self, op: int, a: Scalar, b: Scalar) -> Condition:
        name, swapped = _COMPARED[op]
        return self.nodes.operation(name, *(((b,), (a,)) if swapped else ((a,), (b,))))

    def invert(self, a: Condition) -> Condition:
        return not a if isinstance(a, bool) else self.nodes.operation(code.NOT, (a,))

    def both(self, a: Condition, b: Condition) -> Condition:
        if isinstance(a, bool):
            return b if a else False
        if isinstance(b, bool):
            return a if b else False
        return self.nodes.operation(code.AND, (a,), (b,))

    def either(self, a: Condition, b: Condition) -> Condition:
        if isinstance(a, bool):
            return True if a else b
        if isinstance(b, bool):
            return True if b else a
        return self.nodes.operation(code.OR, (a,), (b,))

    def select(self, condition: Condition, a: Scalar, b: Scalar) -> Scalar:
        if isinstance(condition, bool):
            return a if condition else b
        return a if a == b else self.nodes.operation(code.SELECT, (condition,), (a,), (b,))

    def truth_select(self, condition: Condition, a: Condition, b: Condition) -> Condition:
        return self.select(condition, self.as_number(a), self.as_number(b))

    def as_number(self, a: Condition) -> Scalar:
        """1.0 where it holds, else 0.0."""
        return a if not isinstance(a, bool) else self.nodes.number(ONE if a else ZERO)

    # Address integers: numbers without a fraction

    def address(self, a: Scalar, how: str) -> Whole:
        """Down, or to nearest with the greater one of two: the sum with a half is exact or cut toward 0, and neither passes a
        whole number."""
        if how not in ("floor", "up"):
            raise ValueError(f"unknown rounding of an address: {how}")
        taken = a if how == "floor" else self.add(a, self.nodes.number(HALF))
        return self.nodes.operation(code.FLOOR, (taken,))

    def integer(self, value: int) -> Whole:
        return value

    def as_scalar(self, a: Whole) -> Scalar:
        """The number that an integer is."""
        return self.nodes.number(_bits(float(a))) if isinstance(a, int) else a

    def integer_add(self, a: Whole, b: Whole) -> Whole:
        return a + b if isinstance(a, int) and isinstance(b, int) else self.add(self.as_scalar(a), self.as_scalar(b))

    def integer_select(self, condition: Condition, a: Whole, b: Whole) -> Whole:
        if isinstance(condition, bool):
            return a if condition else b
        return self.select(condition, self.as_scalar(a), self.as_scalar(b))

    def integer_is(self, a: Whole, value: int) -> Condition:
        return a == value if isinstance(a, int) else self.compare(EQ, a, self.as_scalar(value))

    def look_up(self, rows: Sequence[Scalar], index: Whole, outside: Scalar) -> Scalar:
        if isinstance(index, int):
            return rows[index] if 0 <= index < len(rows) else outside
        found = outside
        for number, row in enumerate(rows):
            found = self.select(self.integer_is(index, number), row, found)
        return found

    # Registers

    def read(self, cell: Component) -> Scalar:
        if cell.file == isa.CONST:
            return self._constant(cell)
        if cell.file == isa.INPUT:
            return self._input(cell)
        return self._variable(cell)

    def write(self, cell: Component, value: Scalar) -> None:
        self._pending.setdefault((cell.file, cell.number), {})[cell.component] = value

    def read_truth(self, cell: Component) -> Condition:
        return self._variable(cell)

    def write_truth(self, cell: Component, value: Condition) -> None:
        self.write(cell, self.as_number(value))

    def read_integer(self, cell: Component) -> Whole:
        if cell.file != isa.LOOP:
            return self._variable(cell)
        counter = self._counters[cell]
        return self.nodes.leaf(counter, ("counter", counter.value))

    def write_integer(self, cell: Component, value: Whole) -> None:
        self.write(cell, self.as_scalar(value))

    def set_counter(self, cell: Component, counter: Ref) -> None:
        """The value that the aL of a loop is in its body."""
        self._counters[cell] = counter

    def read_indexed(self, file: int, base: int, index: Whole, component: int) -> Scalar:
        if isinstance(index, int):
            number = base + index
            if number < 0 or (file != isa.CONST and number >= INPUTS):
                return self.nodes.number(ZERO)
            return self.read(Component(file, number, component))
        if file != isa.CONST:
            return self.look_up(
                [self.read(Component(file, n, component)) for n in range(INPUTS)],
                self.integer_add(index, base),
                self.nodes.number(ZERO),
            )
        table = self.constants.table(base)
        at = self._known_row(index, base, table)
        return self.nodes.leaf(Ref(at, component), ("row", at))

    def _known_row(self, index: Scalar, base: int, table: tuple[int, int] | None) -> int:
        """The value that is the row of a relative address: of a table of numbers, or of a uniform."""
        if table is not None:
            first, end = table
            moved = self.nodes.operand([self.as_scalar(self.integer_add(index, base - first))])[0]
            key = ("table", first, moved)
            if key not in self._leaves:
                rows = tuple(_row(self.flow.constants[n]) for n in range(first, end))
                self._leaves[key] = value = self.new()
                self.block.append(Table(value, rows, moved, self.nodes.line))
            return self._leaves[key]
        place = self.constants.array(base)
        offset = self.nodes.operand([index])[0]
        key = ("row", place, offset)
        if key not in self._leaves:
            self._leaves[key] = value = self.new()
            self.block.append(Row(result=value, uniform=place.uniform, row=place.row, offset=offset, line=self.nodes.line))
        return self._leaves[key]

    def _constant(self, cell: Component) -> Scalar:
        row = self.flow.constants.get(cell.number)
        if row is not None:
            return self.nodes.number(row[cell.component])
        place = self.constants.place(cell.number)
        value = self._leaf(
            place, lambda value: Row(result=value, uniform=place.uniform, row=place.row, offset=None, line=self.nodes.line)
        )
        return self.nodes.leaf(Ref(value, cell.component), ("row", value))

    def _input(self, cell: Component) -> Scalar:
        """Inputs that nothing declares, which a relative address may mean, are what elements are that a vertex does not
        have."""
        if not any(port.number == cell.number for port in self._ports) and cell.number < INPUTS:
            return self.nodes.number(ONE if cell.component == 3 else ZERO)
        value = self._leaf(("input", cell.number), lambda value: Attribute(value, self._input_of(cell.number), self.nodes.line))
        return self.nodes.leaf(Ref(value, cell.component), ("input", value))

    def _input_of(self, number: int) -> int:
        port = next((port for port in self._ports if port.number == number), None)
        if port is None or number >= INPUTS:
            raise self.refused(
                "L302",
                f"unknown register v{number} in {self.flow.version.name}",
                "run `lanewise check`: it lists the registers of the version",
            )
        self.inputs.append(Input(name=port.name, register=number))
        return len(self.inputs) - 1

    def _leaf(self, key: object, make: Callable[[int], Statement]) -> int:
        """A value that every block may use, made where it is first met."""
        if key not in self._leaves:
            self._leaves[key] = value = self.new()
            self.first.append(make(value))
        return self._leaves[key]

    def register(self, file: int, number: int) -> int:
        """The variable that a register is."""
        key = (file, number)
        if key not in self._registers:
            self._registers[key] = len(self.variables)
            name = isa.register_name(self.flow.version, file, number) or f"file{file}_{number}"
            self.variables.append(Variable(name))
        return self._registers[key]

    def _variable(self, cell: Component) -> Scalar:
        if self.assigned is not None and cell not in self.assigned:
            self.uninitialised.add(cell)
        if cell not in self._current:
            value = self.new()
            self.block.append(Load(value, self.register(cell.file, cell.number), self.nodes.line))
            for component in range(4):
                self._current.setdefault(cell._replace(component=component), Ref(value, component))
        return self.nodes.leaf(self._current[cell], (cell.file, cell.number))

    # Statements

    def begin(self, inst: Inst) -> None:
        """The next instruction."""
        self.inst = self._numbers.get(id(inst), -1)
        self.nodes.clear()
        self.nodes.line = self._line(inst)

    def visit(self, inst: Inst) -> None:
        """Of two instructions that a damaged file pairs, the nodes of the first are needed until both are stored."""
        self.inst = self._numbers.get(id(inst), -1)

    def _line(self, inst: Inst) -> int:
        if inst.place is None:
            return -1
        key = id(inst)
        if key not in self._line_of:
            self._line_of[key] = len(self.lines)
            self.lines.append(inst.place)
        return self._line_of[key]

    def flush(self) -> None:
        """Store what the instruction has written."""
        pending, self._pending = self._pending, {}
        stores: list[tuple[tuple[int, int], int, code.Operand]] = []
        for key, values in pending.items():
            parts = sorted(values)
            stores.append((key, sum(1 << part for part in parts), self.nodes.operand([values[part] for part in parts])))
        for (file, number), mask, operand in stores:
            self.block.append(Store(self.register(file, number), mask, operand, self.nodes.line))
            refs = iter(operand)
            for part in range(4):
                if mask >> part & 1:
                    self._store(Component(file, number, part), next(refs))

    def _store(self, cell: Component, ref: Ref) -> None:
        self._current[cell] = ref
        self.stored.add(cell)
        self.ever.add(cell)
        if self.assigned is not None:
            self.assigned |= {cell}

    def truth_of(self, condition: Condition) -> bool | Ref:
        """A condition as a value."""
        return condition if isinstance(condition, bool) else self.nodes.operand([condition])[0]

    def nested(self, walk: Callable[[], None]) -> Block:
        """The block that `walk` records. What it has stored is loaded after it."""
        block, stored, current, leaves = self.block, self.stored, dict(self._current), dict(self._leaves)
        self.block, self.stored = [], set()
        walk()
        found = Block(tuple(self.block), frozenset(self.stored))
        everywhere = {key: value for key, value in self._leaves.items() if key not in leaves and not _is_row(key)}
        self.block, self.stored, self._current, self._leaves = block, stored | self.stored, current, leaves | everywhere
        self.forget(found.stored)
        return found

    def forget(self, cells: Iterable[Component]) -> None:
        """Load these when they are read again."""
        for cell in cells:
            self._current.pop(cell, None)

    def boolean(self, number: int) -> Condition:
        defined = self.flow.booleans.get(number, self.options.booleans.get(number))
        if defined is not None:
            return defined

        def make(value: int) -> Statement:
            self.booleans.append(number)
            self.flags.append(Flag(self.constants.name(BOOL_SET, number), number if number < BOOLEANS else -1))
            return Truth(value, len(self.flags) - 1, self.nodes.line)

        value = self._leaf(("flag", number), make)
        return self.nodes.leaf(Ref(value), ("flag", value))

    def initial(self) -> list[Statement]:
        """Zeros for what may be read, or leave the program, before it is stored."""
        registers: dict[tuple[int, int], int] = {}
        for file, number, component in self.uninitialised:
            registers[file, number] = registers.get((file, number), 0) | 1 << component
        if not registers:
            return []
        zero = self.new()
        found: list[Statement] = [Number(zero, (0.0,))]
        for (file, number), mask in sorted(registers.items()):
            found.append(Store(self.register(file, number), mask, (Ref(zero),) * mask.bit_count()))
        return found

    def named_inputs(self) -> tuple[Input, ...]:
        names = unique(port.name for port in self.inputs)
        return tuple(port._replace(name=name) for port, name in zip(self.inputs, names, strict=True))

    def known(self, truth: Condition) -> bool | None:
        return truth if isinstance(truth, bool) else None

    def sample(self, request: Sampling[Scalar]) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        raise self.refused(
            "L301",
            f"{request.name} samples a texture, which vertex shaders of the hardware cannot",
            "pass the value in as an input",
        )

    def difference(self, value: Scalar, axis: int) -> Scalar:
        raise self.refused("L301", f"{'dsy' if axis else 'dsx'} reads other pixels", "pass the gradient in as an input")


# ShaderCore's operations that are operations of the vector program.
_SIMPLE: Mapping[str, str] = {
    "add": code.ADD,
    "mul": code.MUL,
    "min": code.MIN,
    "max": code.MAX,
    "less": code.LT,
    "rcp": code.RCP,
    "rsq": code.RSQ,
    "exp2": code.EXP2,
    "log2": code.LOG2,
}


def _is_row(key: object) -> bool:
    """Whether a value is that of a relative address, which only its block has."""
    return isinstance(key, tuple) and key[0] in ("row", "table")


def _row(row: Sequence[int]) -> tuple[float, float, float, float]:
    x, y, z, w = struct.unpack("<4f", struct.pack("<4I", *row))
    return x, y, z, w


def _bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]
