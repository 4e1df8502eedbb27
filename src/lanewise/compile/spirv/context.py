"""The context that the parts of the lowering share: the module, the emitter, the values of ids, findings."""

from __future__ import annotations

from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.chains import SOURCE, Chains
from lanewise.compile.spirv.emit import IfNode
from lanewise.compile.spirv.module import INVARIANT, NO_CONTRACTION
from lanewise.compile.spirv.values import Content, Known, Opaque, Pointer, Scalar, Value
from lanewise.compile.vector.code import EQ, MUL, NOT, SELECT, Number, Operate, Ref, Row, Store, Truth
from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.emit import Emitter
    from lanewise.compile.spirv.interface import Interface
    from lanewise.compile.spirv.module import Module, Type
    from lanewise.compile.vector.code import Frame
    from lanewise.core.source import Span

Key = tuple[int, int]  # of a variable: instance of its function, id
MOST_OPERATIONS = 16384
LARGEST = 1 << 17  # whole numbers up to here are exact in every target, and so are their quotients and rests
_LINES_SHOWN = 5
_ASSUMED = 1 << 15  # of integers of which nothing is known


class State:
    """The state at a point of the program: components of variables, values of ids of the current function."""

    def __init__(self, memory: dict[Key, Value], ids: dict[int, Content]) -> None:
        self.memory = memory
        self.ids = ids

    def copy(self) -> State:
        return State(dict(self.memory), dict(self.ids))


_PRODUCTS = ("OpFMul", "OpFDiv", "OpVectorTimesScalar", "OpMatrixTimesScalar", "OpDot", "OpOuterProduct")
_ARITHMETIC = frozenset(
    ("OpFAdd", "OpFSub", *_PRODUCTS, "OpMatrixTimesVector", "OpVectorTimesMatrix", "OpMatrixTimesMatrix"),
)


class Context:
    chains: Chains
    selects: bool

    def __init__(
        self,
        module: Module,
        emitter: Emitter,
        interface: Interface,
        exact: int = LARGEST,
        order: str = SOURCE,
        free: bool = False,
    ) -> None:
        """`exact`: whole numbers of the target are exact up to here. `order`: that of products of matrices
        (`chains`). `free`: operations may be done otherwise where the source does not say `precise`."""
        self.module = module
        self.emitter = emitter
        self.interface = interface
        self.exact = exact
        self.chains = Chains(module, emitter, order)
        self._free = free and not module.says(INVARIANT)
        self._precise = self._free and module.says(NO_CONTRACTION)  # somewhere
        self.globals: dict[int, Content] = {}
        self.diagnostics: dict[tuple[str, str, Span], Diagnostic] = {}
        self.uses: dict[str, list[int]] = {}  # lines of built-in variables that do not exist, by message
        self.ranges: dict[tuple[int, int], tuple[int, int]] = {}
        self.selects = False  # whether an index of something that is not a uniform was not known
        self.places: dict[
            tuple[int, tuple[Frame, ...]], int
        ] = {}  # of lines of the module, with what is seen there, in the program
        self.first: dict[int, int] = {}  # the first of them by line
        self.spans: list[Span] = []
        self.stored: dict[tuple[int, int], int] = {}  # by output and component: the place of the last store to it
        self.scopes: list[tuple[Frame, ...]] = []
        self.kinds: dict[int, str] = {}  # of the components of ids

    @property
    def free(self) -> bool:
        """Whether all arithmetic of the module may be done otherwise."""
        return self._free and not self._precise

    # Places and findings

    def at(self, instruction: Instruction, scope: tuple[Frame, ...] = ()) -> None:
        """Attribute the code that is emitted from now on to an instruction, in front of which a debugger sees a scope."""
        self.emitter.line = self.place(instruction.line, scope)
        self.emitter.free = self._free and self._may_differ(instruction)

    def _may_differ(self, instruction: Instruction) -> bool:
        """Whether the result of an instruction is arithmetic that nothing says `precise` of. Calls of functions have no such
        mark: they are free in modules that have none."""
        if instruction.name == "OpExtInst":
            return not self._precise
        return instruction.name in _ARITHMETIC and self.module.decoration(instruction.result, NO_CONTRACTION) is None

    def place(self, line: int, scope: tuple[Frame, ...] = ()) -> int:
        """The index in the program of a line of the module with a scope; -1 for no line."""
        if line < 0:
            return -1
        found = self.places.get((line, scope))
        if found is None:
            found = self.places[line, scope] = len(self.spans)
            self.first.setdefault(line, found)
            self.spans.append(self.module.lines[line])
            self.scopes.append(scope)
        return found

    def report(
        self,
        code: str,
        message: str,
        instruction: Instruction,
        fix: str = "",
        severity: str = ERROR,
        notes: tuple[str, ...] = (),
    ) -> None:
        """Keep a finding; what is lowered twice has it once."""
        span = self.module.place(instruction)
        self.diagnostics.setdefault(
            (code, message, span), Diagnostic(code=code, severity=severity, message=message, span=span, notes=notes, fix=fix)
        )

    def report_first(self, message: str, instruction: Instruction, fix: str, severity: str = ERROR) -> None:
        """Keep S005 once for a built-in variable: where it is used first, with the lines in which it is used again."""
        line = self.module.place(instruction).line
        key = next((key for key in self.diagnostics if key[:2] == ("S005", message)), None)
        if key is None:
            self.uses[message] = [line]
            self.report("S005", message, instruction, fix, severity)
        elif line not in (lines := self.uses[message]):
            lines.append(line)
            again = ", ".join(map(str, lines[1 : 1 + _LINES_SHOWN]))
            more = " and more" if len(lines) > 1 + _LINES_SHOWN else ""
            note = f"it is used again in line{'s' * (len(lines) > 2)} {again}{more}"
            self.diagnostics[key] = self.diagnostics[key]._replace(notes=(note,))

    # Ids

    def content(self, state: State, number: int) -> Content:
        found = state.ids.get(number)
        if found is None:
            found = self.globals.get(number)
        if found is None:
            raise Malformed(f"%{number} is used before it is defined")
        return found

    def value(self, state: State, number: int) -> Value:
        found = self.content(state, number)
        if isinstance(found, (Pointer, Opaque)):
            raise Malformed(f"%{number} is not a value of components")
        return found

    def pointer(self, state: State, number: int) -> Pointer:
        found = self.content(state, number)
        if not isinstance(found, Pointer):
            raise Malformed(f"%{number} is not a pointer")
        return found

    def undefined(self, kind: int) -> Content:
        """A value of a type of which nothing is known."""
        value_type = self.module.type(kind)
        if value_type.kind in ("void", "function", "pointer", "image", "sampler", "sampledimage"):
            return Opaque(value_type)
        return (None,) * self.module.size(kind)

    # Selections

    def select(self, condition: Scalar, yes: Value, no: Value) -> Value:
        return self.emitter.operate(SELECT, (condition,) * len(yes), yes, no)

    def choose(self, index: Ref, choices: list[Value]) -> Value:
        """The choice of a number: whatever the index is if it is outside."""
        self.selects = True
        result = choices[0]
        for number, choice in enumerate(choices[1:], 1):
            result = self.select(self.emitter.scalar(EQ, index, Known(number)), choice, result)
        return result

    # Flags

    def flag_of(self, a: Scalar, b: Scalar, instruction: Instruction) -> Scalar:
        """The truth that `number != 0` or `number == 0` is where the number is a boolean of the application in a block; None
        otherwise."""
        value, zero = (b, a) if isinstance(a, Known) else (a, b)
        if not isinstance(zero, Known) or zero.value != 0 or not isinstance(value, Ref):
            return None
        definition = self.emitter.definitions.get(value.value)
        if not isinstance(definition, Row) or definition.offset is not None:
            return None
        uniform, kind = self.interface.uniforms[definition.uniform], self.interface.uniform_types[definition.uniform]
        key = self.interface.uniform_keys[definition.uniform]
        signed = self.module.bools_are_signed
        if (uniform.rows, uniform.columns, kind.kind, kind.signed) != (1, 1, "int", signed) or not self.interface.may_be_flag(
            key
        ):
            return None
        flag = self.interface.flag(self.module.variables[key[0]], key[1])
        return flag if instruction.name == "OpINotEqual" else self.emitter.scalar(NOT, flag)

    def is_flag(self, scalar: Scalar) -> bool:
        return isinstance(scalar, Ref) and (
            isinstance(definition := self.emitter.definitions.get(scalar.value), Truth)
            or (isinstance(definition, Operate) and definition.op == NOT)
        )

    def select_by_flag(self, flag: Scalar, yes: Value, no: Value) -> Value:
        """A choice by a boolean of the application: a branch, which costs the hardware nothing to decide."""
        emitter = self.emitter
        arms = [emitter.body(), emitter.body()]
        definition = emitter.definitions.get(flag.value) if isinstance(flag, Ref) else None
        if isinstance(definition, Operate) and isinstance(flag, Ref):
            emitter.put(IfNode(definition.operands[0][flag.lane], arms[1], arms[0], emitter.line))
        else:
            emitter.put(IfNode(emitter.ref(flag), arms[0], arms[1], emitter.line))
        found: list[Scalar] = []
        for start in range(0, len(yes), 4):
            lanes = len(yes[start : start + 4])
            variable = emitter.variable("", lanes)
            for arm, value in zip(arms, (yes, no), strict=True):
                arm.items.append(Store(variable, (1 << lanes) - 1, emitter.refs(value[start : start + 4]), emitter.line))
            loaded = emitter.load(variable)
            found += [Ref(loaded, lane) for lane in range(lanes)]
        return tuple(found)

    # Ranges of integers

    def range_of(self, scalar: Scalar, kind: Type) -> tuple[int, int]:
        if isinstance(scalar, Known):
            return (int(scalar.value), int(scalar.value))
        if scalar is None:
            return (0, 0)
        found = self.ranges.get((scalar.value, scalar.lane))
        if found is None:
            return (-_ASSUMED, _ASSUMED) if kind.signed else (0, 2 * _ASSUMED)
        return (-found[1], -found[0]) if scalar.negated else found

    def set_range(self, scalar: Scalar, low: int, high: int) -> None:
        if isinstance(scalar, Ref):
            bounds = (-high, -low) if scalar.negated else (low, high)
            old = self.ranges.get((scalar.value, scalar.lane))
            self.ranges[scalar.value, scalar.lane] = bounds if old is None else (max(old[0], bounds[0]), min(old[1], bounds[1]))

    def multiple_of(self, scalar: Scalar) -> int:
        """A power of two of which a whole number is a multiple, by the product that it is."""
        definition = self.emitter.definitions.get(scalar.value) if isinstance(scalar, Ref) else None
        if not isinstance(scalar, Ref) or not isinstance(definition, Operate) or definition.op != MUL:
            return 1
        numbers = [self.emitter.definitions.get(operand[scalar.lane].value) for operand in definition.operands]
        factors = [
            abs(number.values[operand[scalar.lane].lane])
            for number, operand in zip(numbers, definition.operands, strict=True)
            if isinstance(number, Number)
        ]
        whole = [int(factor) for factor in factors if factor.is_integer() and factor]
        return max([factor & -factor for factor in whole], default=1)
