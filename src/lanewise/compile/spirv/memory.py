"""Loads and stores: components of local variables, attributes, and registers of uniforms."""

from __future__ import annotations

from lanewise.compile.spirv import module as spirv
from lanewise.compile.spirv.binary import Malformed, Unsupported
from lanewise.compile.spirv.values import Content, Known, Opaque, Pointer, Scalar, Value
from lanewise.compile.vector.code import ADD, EQ, MUL, NE, Operate, Ref, Table
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.context import Context, State

_UNIFORMS = frozenset((spirv.UNIFORM_CONSTANT, spirv.UNIFORM, spirv.PUSH_CONSTANT))
_VARIABLES = frozenset((spirv.FUNCTION, spirv.PRIVATE, spirv.OUTPUT, spirv.WORKGROUP))
_MOST_CHOICES = 256
_Row = tuple[float, float, float, float]
_Dimensions = tuple[tuple[int, Scalar], ...]  # length and index of each array around a leaf


def step(context: Context, pointer: Pointer, indexes: list[Scalar], instruction: Instruction) -> Pointer:
    """A pointer that leads further. Raises Malformed."""
    kind = pointer.type
    module = context.module
    for index in indexes:
        value_type = module.type(kind)
        if value_type.kind == "struct":
            number = int(index.value) if isinstance(index, Known) else -1
            if not 0 <= number < len(value_type.members):
                raise Malformed("a member of a struct is not a number that it has", instruction.offset)
            kind = value_type.members[number]
        elif value_type.kind in ("array", "matrix", "vector", "runtimearray"):
            kind = value_type.element
        else:
            raise Malformed(f"{instruction.name} goes into a value of type {value_type.kind}", instruction.offset)
    return pointer._replace(type=kind, steps=pointer.steps + tuple(indexes))


def load(context: Context, state: State, pointer: Pointer, instruction: Instruction) -> Content:
    if pointer.storage == spirv.INPUT:
        variable = context.module.variables[pointer.root[1]]
        built_in = _built_in(context, pointer)
        if built_in is not None:
            name = spirv.BUILT_INS.get(built_in, f"built-in {built_in}")
            message = f"{name} does not exist on the target"
            context.report_first(message, instruction, "pass the value in: in GLSL `in float value;`, or a uniform")
            return context.undefined(pointer.type)
        return pick(context, context.interface.input(variable, pointer.base), pointer.base, pointer.steps)
    if pointer.storage in _UNIFORMS:
        return _Uniforms(context, pointer, instruction).load()
    if pointer.storage in _VARIABLES:
        return pick(context, _content(state, pointer), pointer.base, pointer.steps)
    context.report("S016", f"storage class {pointer.storage} is not supported", instruction, "use uniforms and attributes")
    return context.undefined(pointer.type)


def store(context: Context, state: State, pointer: Pointer, value: Value, instruction: Instruction) -> None:
    if pointer.storage not in _VARIABLES:
        context.report(
            "S003",
            "a store to memory outside of the shader is not available on the target",
            instruction,
            "write to outputs and local variables",
        )
        return
    if len(value) != context.module.size(pointer.type):
        raise Malformed("a value is stored to a place of another size", instruction.offset)
    if pointer.storage == spirv.OUTPUT:
        built_in = _built_in(context, pointer)
        if built_in:
            name = spirv.BUILT_INS.get(built_in, f"built-in {built_in}")
            severity = "warning" if built_in == 1 else "error"
            context.report_first(f"{name} does not exist on the target", instruction, "remove the assignment", severity)
    before = _content(state, pointer)
    after = _replaced(context, before, pointer.base, pointer.steps, value)
    if pointer.storage == spirv.OUTPUT:
        for component, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                context.stored[pointer.root[1], component] = context.emitter.line
    state.memory[pointer.root] = after


def _content(state: State, pointer: Pointer) -> Value:
    found = state.memory.get(pointer.root)
    if found is None:
        raise Malformed(f"variable %{pointer.root[1]} is used outside of its function")
    return found


def _built_in(context: Context, pointer: Pointer) -> int | None:
    module = context.module
    own = module.decoration(pointer.root[1], spirv.BUILT_IN)
    kind = pointer.base
    for index in pointer.steps:
        value_type = module.type(kind)
        if value_type.kind == "struct" and isinstance(index, Known):
            return module.member_decoration(kind, int(index.value), spirv.BUILT_IN)
        kind = value_type.element
    return own


def pick(context: Context, value: Value, kind: int, steps: tuple[Scalar, ...]) -> Value:
    """The part of a value that indexes lead to."""
    if not steps:
        return value
    parts = _parts(context, value, kind)
    index = steps[0]
    if isinstance(index, Known):
        number = int(index.value)
        if not 0 <= number < len(parts):
            return (None,) * _size_at(context, kind, steps)
        return pick(context, parts[number][1], parts[number][0], steps[1:])
    if index is None:
        return (None,) * _size_at(context, kind, steps)
    if len(parts) > _MOST_CHOICES:
        raise Unsupported(f"an index of {len(parts)} local elements is not known")
    picked = [pick(context, part, inner, steps[1:]) for inner, part in parts]
    if len(picked) > 2 and all(isinstance(scalar, Known) for part in picked for scalar in part):
        return _table(context, picked, index)
    return context.choose(index, picked)


def _row(numbers: Sequence[float]) -> _Row:
    x, y, z, w = (*numbers, 0.0, 0.0, 0.0, 0.0)[:4]
    return x, y, z, w


def _table(context: Context, rows: list[Value], index: Ref) -> Value:
    """Rows of known numbers, four components at a time."""
    found: list[Scalar] = []
    emitter = context.emitter
    for start in range(0, len(rows[0]), 4):
        parts = [[float(s.value) for s in row[start : start + 4] if isinstance(s, Known)] for row in rows]
        table = tuple([_row(part) for part in parts])

        def make(result: int, table: tuple[_Row, ...] = table) -> Table:
            return Table(result, table, index, emitter.line)

        value = emitter.once(("table", table, index), make)
        found += [Ref(value, lane) for lane in range(len(parts[0]))]
    return tuple(found)


def _replaced(context: Context, value: Value, kind: int, steps: tuple[Scalar, ...], new: Value) -> Value:
    """A value with another part at the place that indexes lead to."""
    if not steps:
        return new
    parts = _parts(context, value, kind)
    index = steps[0]
    result: list[Scalar] = []
    if isinstance(index, Ref):
        context.selects = True
    for number, (inner, part) in enumerate(parts):
        if isinstance(index, Ref):
            changed = _replaced(context, part, inner, steps[1:], new)
            result += context.select(context.emitter.scalar(EQ, index, Known(number)), changed, part)
        elif isinstance(index, Known) and index.value == number:
            result += _replaced(context, part, inner, steps[1:], new)
        else:
            result += part
    return tuple(result)


def _parts(context: Context, value: Value, kind: int) -> list[tuple[int, Value]]:
    """The elements or members of a value, each with its type."""
    module = context.module
    value_type = module.type(kind)
    members = value_type.members if value_type.kind == "struct" else (value_type.element,) * value_type.length
    found: list[tuple[int, Value]] = []
    at = 0
    for member in members:
        size = module.size(member)
        found.append((member, value[at : at + size]))
        at += size
    return found


def _size_at(context: Context, kind: int, steps: tuple[Scalar, ...]) -> int:
    module = context.module
    for index in steps:
        value_type = module.type(kind)
        kind = (
            value_type.members[int(index.value)]
            if value_type.kind == "struct" and isinstance(index, Known)
            else value_type.element
        )
    return module.size(kind)


class _Uniforms:
    """A load of a uniform: what lies where, and the rows of it."""

    def __init__(self, context: Context, pointer: Pointer, instruction: Instruction) -> None:
        self.context = context
        self.module = context.module
        self.pointer = pointer
        self.instruction = instruction
        self.variable = context.module.variables[pointer.root[1]]

    def load(self) -> Content:
        base = self.pointer.base
        kind = self.module.type(self.pointer.type)
        if kind.kind == "pointer":
            self.context.report("S016", "references to buffers are not supported", self.instruction, "use a uniform block")
        if self._opaque(self.pointer.type):
            return Opaque(kind)
        if self.module.decoration(base, spirv.BUFFER_BLOCK) is not None:
            self.context.report("S016", "storage buffers are not supported", self.instruction, "use a uniform block")
            return self.context.undefined(self.pointer.type)
        return self._walk(base, (), (), self.pointer.steps)

    def _opaque(self, kind: int) -> bool:
        value_type = self.module.type(kind)
        return value_type.kind in ("image", "sampler", "sampledimage", "accelerationstructurekhr", "pointer")

    def _walk(self, kind: int, path: tuple[int, ...], around: _Dimensions, steps: tuple[Scalar, ...]) -> Value:
        value_type = self.module.type(kind)
        if value_type.kind == "runtimearray":
            raise Unsupported("an array of uniforms has no length", self.instruction.offset)
        if value_type.kind == "array":
            if steps:
                return self._walk(value_type.element, path, (*around, (value_type.length, steps[0])), steps[1:])
            parts = [
                self._walk(value_type.element, path, (*around, (value_type.length, Known(index))), ())
                for index in range(value_type.length)
            ]
            return tuple([scalar for part in parts for scalar in part])
        if value_type.kind == "struct":
            if steps:
                index = steps[0]
                number = int(index.value) if isinstance(index, Known) else 0
                return self._walk(value_type.members[number], (*path, number), around, steps[1:])
            parts = [self._walk(member, (*path, index), around, ()) for index, member in enumerate(value_type.members)]
            return tuple([scalar for part in parts for scalar in part])
        if self._opaque(kind):
            raise Unsupported("a struct with an image in it is loaded", self.instruction.offset)
        return self._leaf(kind, path, around, steps)

    def _leaf(self, kind: int, path: tuple[int, ...], around: _Dimensions, steps: tuple[Scalar, ...]) -> Value:
        """A scalar, vector or matrix. A matrix lies as citro3d uploads it: a register for each row. Rows of HLSL and Slang are
        the columns of the module."""
        value_type = self.module.type(kind)
        scalar_type = self.module.scalar(kind)
        height = self.module.type(value_type.element).length if value_type.kind == "matrix" else 1
        columns = value_type.length if value_type.kind in ("matrix", "vector") else 1
        turned = value_type.kind == "matrix" and self.module.rows_are_columns
        if turned:
            height, columns = columns, height
        key = (self.variable.result, path)
        interface = self.context.interface
        if scalar_type.kind == "bool" and value_type.kind == "bool" and not around and interface.may_be_flag(key):
            return (interface.flag(self.variable, path),)
        rows = height
        terms: list[tuple[Ref, int]] = []
        row = 0
        for count, index in reversed(around):
            if isinstance(index, Known):
                row += int(index.value) * rows
                if not 0 <= index.value < count:
                    return (None,) * _size_at(self.context, kind, steps)
            elif index is not None:
                terms.append((index, rows))
            rows *= count
        uniform = interface.uniform(self.variable, path, rows, columns, scalar_type)
        constant, offset = self._offset(terms)
        if row + constant < 0 and offset is not None:
            offset = self.context.emitter.ref(self.context.emitter.scalar(ADD, offset, Known(constant)))
            constant = 0
        values = [interface.row(uniform, row + constant + each, offset) for each in range(height)]
        if turned:
            whole = tuple([Ref(value, lane) for value in values for lane in range(columns)])
            if steps and isinstance(steps[0], Ref):
                where = self.context.emitter.scalar(ADD, offset, steps[0]) if offset is not None else steps[0]
                found = interface.row(uniform, row + constant, self.context.emitter.ref(where))
                return pick(self.context, tuple([Ref(found, lane) for lane in range(columns)]), value_type.element, steps[1:])
        elif value_type.kind == "matrix":
            whole = tuple([Ref(values[down], across) for across in range(columns) for down in range(height)])
            if len(steps) == 2 and isinstance(steps[0], Known) and isinstance(steps[1], Ref) and 0 <= steps[0].value < columns:
                where = self.context.emitter.ref(
                    self.context.emitter.scalar(ADD, offset, steps[1]) if offset is not None else steps[1]
                )
                return (Ref(interface.row(uniform, row + constant, where), int(steps[0].value)),)
        else:
            whole = tuple([Ref(values[0], lane) for lane in range(columns)])
        if scalar_type.kind == "bool":
            whole = self.context.emitter.operate(NE, whole, (Known(0.0),) * len(whole))
        return pick(self.context, whole, kind, steps)

    def _offset(self, terms: list[tuple[Ref, int]]) -> tuple[int, Ref | None]:
        """The sum of indexes times how far apart the elements are: a known part, and what is not known."""
        emitter = self.context.emitter
        constant = 0
        total: Scalar = None
        for index, stride in terms:
            rest: Ref = index
            while True:
                definition = emitter.definitions.get(rest.value)
                known = _sum_with_known(definition, rest, emitter.definitions) if isinstance(definition, Operate) else None
                if known is None:
                    break
                rest, more = known
                constant += more * stride
            scaled = rest if stride == 1 else emitter.scalar(MUL, rest, Known(stride))
            total = scaled if total is None else emitter.scalar(ADD, total, scaled)
        return constant, total if isinstance(total, Ref) else None


def _sum_with_known(operation: Operate, ref: Ref, definitions: Mapping[int, object]) -> tuple[Ref, int] | None:
    """Return the lane to which a sum adds a known whole number, and the number."""
    if operation.op != ADD or ref.negated:
        return None
    a, b = [operand[ref.lane] for operand in operation.operands]
    for known, rest in ((a, b), (b, a)):
        number = definitions.get(known.value)
        values: tuple[float, ...] | None = getattr(number, "values", None)
        if values is not None and values[known.lane].is_integer() and not rest.negated:
            return rest, int(-values[known.lane] if known.negated else values[known.lane])
    return None
