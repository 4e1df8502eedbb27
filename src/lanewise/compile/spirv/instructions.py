"""Instructions other than those of control flow: what each does to what is known."""

from __future__ import annotations

from lanewise.compile.spirv import memory
from lanewise.compile.spirv import module as spirv
from lanewise.compile.spirv.binary import Malformed, Unsupported
from lanewise.compile.spirv.context import Key, State
from lanewise.compile.spirv.functions import FUNCTIONS, NAMES
from lanewise.compile.spirv.joins import Joins
from lanewise.compile.spirv.opcodes import OPCODES
from lanewise.compile.spirv.operations import OPERATIONS
from lanewise.compile.spirv.values import Content, Known, Opaque, Pointer, Value, negated
from lanewise.compile.vector.code import (
    ADD,
    EQ,
    SELECT,
    TRUNC,
    Ref,
)
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.compile.spirv.binary import Instruction

# What instructions are for, in findings.
_NAMED: Mapping[str, str] = {
    "OpImage": "a texture",
    "OpSampledImage": "a texture",
    "OpDPd": "a derivative",
    "OpFwidth": "a derivative",
    "OpAtomic": "an atomic operation",
    "OpGroup": "an operation of several threads",
    "OpEmit": "an output of a geometry shader",
    "OpEndPrimitive": "an output of a geometry shader",
}


class Instructions(Joins):
    """An execution of instructions."""

    def _step(self, instruction: Instruction, state: State) -> State | None:
        """Do an instruction; what is known after it, None where nothing goes on."""
        context = self.context
        self._come_to(instruction, state)
        name, words, result = instruction.name, instruction.words, instruction.result
        if instruction.type and instruction.type not in self.plain_types:
            self._check_type(instruction)
        if name == "OpVariable":
            self._declare(instruction, state)
        elif name == "OpLoad":
            state.ids[result] = memory.load(context, state, context.pointer(state, words[0]), instruction)
            self.expect_size(instruction, state.ids[result])
        elif name == "OpStore":
            memory.store(context, state, context.pointer(state, words[0]), context.value(state, words[1]), instruction)
        elif name in ("OpAccessChain", "OpInBoundsAccessChain"):
            indexes = [context.value(state, word)[0] for word in words[1:]]
            state.ids[result] = memory.step(context, context.pointer(state, words[0]), indexes, instruction)
        elif name == "OpCopyMemory":
            content = memory.load(context, state, context.pointer(state, words[1]), instruction)
            memory.store(context, state, context.pointer(state, words[0]), self._components(content), instruction)
        elif name == "OpFunctionCall":
            function = self.module.functions.get(words[0])
            if function is None:
                raise Malformed(f"%{words[0]} is not a function", instruction.offset)
            after, content = self.call(function, [context.content(state, word) for word in words[1:]], state, instruction)
            if after is None:
                return None
            after.ids[result] = content
            return after
        elif name == "OpExtInst":
            self._extended(instruction, state)
        elif name in ("OpUndef", "OpCompositeExtract", "OpCompositeInsert", "OpVectorExtractDynamic", "OpVectorInsertDynamic"):
            state.ids[result] = self.part(instruction, state)
        elif name in ("OpNop", "OpLifetimeStart", "OpLifetimeStop", "OpAssumeTrueKHR"):
            pass
        else:
            self._operate(instruction, state)
        return state

    def _check_type(self, instruction: Instruction) -> None:
        """Report a result with numbers of a width that registers do not hold; remember types that are right."""
        kind = self.module.scalar(instruction.type)
        if kind.kind in ("float", "int") and (kind.width > 32 or kind.width < 16):
            name = {"float": "double", "int": f"int{kind.width}" if kind.signed else f"uint{kind.width}"}[kind.kind]
            self.context.report(
                "S004", f"values of type {name} are not available on the target", instruction, "use float and int"
            )
        else:
            self.plain_types.add(instruction.type)

    def _declare(self, instruction: Instruction, state: State) -> None:
        kind = self.module.type(instruction.type)
        key: Key = (self.instance, instruction.result)
        if kind.kind != "pointer":
            raise Malformed("the type of a variable is not a pointer", instruction.offset)
        content = (
            self.context.value(state, instruction.words[1])
            if len(instruction.words) > 1
            else self.context.undefined(kind.element)
        )
        if not isinstance(content, (Pointer, Opaque)) and len(content) != self.module.size(kind.element):
            raise Malformed("a variable has an initial value of another size", instruction.offset)
        state.memory[key] = self._components(content)
        self.variable_types[key] = kind.element
        state.ids[instruction.result] = Pointer(root=key, storage=spirv.FUNCTION, base=kind.element, type=kind.element)

    def expect_size(self, instruction: Instruction, content: Content) -> None:
        """A result has as many components as its type. Raises Malformed."""
        if not isinstance(content, (Pointer, Opaque)) and len(content) != self.module.size(instruction.type):
            raise Malformed(f"{instruction.name} has a result of another size than its type", instruction.offset)

    def part(self, instruction: Instruction, state: State) -> Content:
        context, words = self.context, instruction.words
        if instruction.name == "OpUndef":
            return context.undefined(instruction.type)
        if instruction.name == "OpVectorExtractDynamic":
            index, vector = context.value(state, words[1])[0], context.value(state, words[0])
            if not isinstance(index, Ref):
                number = int(index.value) if index is not None else 0
                return (vector[number] if 0 <= number < len(vector) else None,)
            return context.choose(index, [(scalar,) for scalar in vector])
        if instruction.name == "OpVectorInsertDynamic":
            vector, new, index = (
                context.value(state, words[0]),
                context.value(state, words[1])[0],
                context.value(state, words[2])[0],
            )
            if isinstance(index, Ref):
                context.selects = True
                tests = self.emitter.operate(EQ, (index,) * len(vector), tuple([Known(at) for at in range(len(vector))]))
                return self.emitter.operate(SELECT, tests, (new,) * len(vector), vector)
            return tuple([new if index is not None and index.value == at else scalar for at, scalar in enumerate(vector)])
        inserts = instruction.name == "OpCompositeInsert"
        number = words[1] if inserts else words[0]
        content = context.content(state, number)
        if isinstance(content, (Pointer, Opaque)):
            raise Malformed(f"{instruction.name} takes a part of a value without components", instruction.offset)
        start, size = self._place_of(self._type_of(number, instruction), words[2 if inserts else 1 :], instruction)
        if not inserts:
            return content[start : start + size]
        new = context.value(state, words[0])
        if len(new) != size:
            raise Malformed("a part of another size is inserted", instruction.offset)
        return (*content[:start], *new, *content[start + size :])

    def _type_of(self, number: int, instruction: Instruction) -> int:
        found = self.id_types.get(number)
        if found is None:
            raise Malformed(f"%{number} has no type", instruction.offset)
        return found

    def _place_of(self, kind: int, indexes: tuple[int, ...], instruction: Instruction) -> tuple[int, int]:
        """Where the part of a value is that literal indexes lead to: its first component, and how many it has."""
        start = 0
        for index in indexes:
            value_type = self.module.type(kind)
            members = (
                value_type.members
                if value_type.kind == "struct"
                else (value_type.element,) * value_type.length
                if value_type.kind in ("vector", "matrix", "array")
                else ()
            )
            if index >= len(members):
                raise Malformed(f"{instruction.name} names a part that its operand does not have", instruction.offset)
            start += sum([self.module.size(member) for member in members[:index]])
            kind = members[index]
        return start, self.module.size(kind)

    def _extended(self, instruction: Instruction, state: State) -> None:
        """An instruction of a set: those without meaning for the result are left out."""
        context, words = self.context, instruction.words
        family = self.module.sets.get(words[0], "")
        if family != spirv.GLSL:
            if not family.startswith("NonSemantic.") and not family.endswith("DebugInfo.100"):
                context.report(
                    "S003", f"instructions of {family or 'an unknown set'} are not available on the target", instruction
                )
                state.ids[instruction.result] = context.undefined(instruction.type)
            return
        row = FUNCTIONS.get(words[1])
        if words[1] == 35:
            self._modf(instruction, state)
            return
        if row is None:
            name = NAMES.get(words[1], f"function {words[1]}")
            context.report(
                "S003", f"{name} of GLSL.std.450 is not available on the target", instruction, "compute with float and int"
            )
            state.ids[instruction.result] = context.undefined(instruction.type)
            return
        values = [context.value(state, word) for word in words[2:]]
        if len(values) != row[0]:
            raise Malformed(f"{NAMES[words[1]]} has {len(values)} operands: expected {row[0]}", instruction.offset)
        widths = {len(value) for value in values} - {1}
        if len(widths) > 1:
            raise Malformed(f"operands of {NAMES[words[1]]} have different sizes", instruction.offset)
        state.ids[instruction.result] = row[1](context, instruction, values)
        self.expect_size(instruction, state.ids[instruction.result])

    def _modf(self, instruction: Instruction, state: State) -> None:
        """The fraction of a number; its whole part goes to where a pointer says."""
        context, words = self.context, instruction.words
        if len(words) != 4:
            raise Malformed("Modf has the wrong number of operands", instruction.offset)
        value = context.value(state, words[2])
        whole = self.emitter.operate(TRUNC, value)
        memory.store(context, state, context.pointer(state, words[3]), whole, instruction)
        state.ids[instruction.result] = self.emitter.operate(ADD, value, tuple([negated(scalar) for scalar in whole]))

    def _operate(self, instruction: Instruction, state: State) -> None:
        context = self.context
        if instruction.opcode not in OPCODES:
            raise Unsupported(f"{instruction.name} is unknown", instruction.offset)
        lower = OPERATIONS.get(instruction.name)
        if lower is None:
            what = next((text for start, text in _NAMED.items() if instruction.name.startswith(start)), instruction.name)
            context.report(
                "S003",
                f"{what} is not available on the target",
                instruction,
                "compute it before the draw and pass it in, as an input (in GLSL `in vec4 value;`) or a uniform",
            )
            if instruction.result and instruction.type:
                state.ids[instruction.result] = context.undefined(instruction.type)
            return
        count = 2 if instruction.name == "OpVectorShuffle" else len(instruction.words)
        values = [context.value(state, word) for word in instruction.words[:count]]
        for word in instruction.words[:count]:
            kind = self.id_types.get(word)
            if kind is not None:
                context.kinds[word] = self.module.scalar(kind).kind
        self.check_widths(instruction, values)
        state.ids[instruction.result] = lower(context, instruction, values)
        self.expect_size(instruction, state.ids[instruction.result])

    def check_widths(self, instruction: Instruction, values: list[Value]) -> None:
        """Operands have as many components as the operation needs. Raises Malformed."""
        if instruction.name in (
            "OpCompositeConstruct",
            "OpVectorShuffle",
            "OpBitFieldInsert",
            "OpBitFieldSExtract",
            "OpBitFieldUExtract",
            "OpVectorTimesScalar",
            "OpMatrixTimesScalar",
            "OpMatrixTimesVector",
            "OpVectorTimesMatrix",
            "OpMatrixTimesMatrix",
            "OpOuterProduct",
        ):
            return
        widths = {len(value) for value in (values[1:] if instruction.name == "OpSelect" else values)}
        if instruction.name.startswith("OpShift"):
            widths = {len(value) for value in values}
        if len(widths) > 1 or 0 in widths:
            raise Malformed(f"operands of {instruction.name} have different sizes", instruction.offset)
