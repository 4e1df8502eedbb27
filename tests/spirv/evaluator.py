"""Vertex shaders in SPIR-V, evaluated in float64 with the error that float24 may have: the outside witness of the compiler for
GLSL.

All vertices are done at once. Control flow is by block: each vertex is in one block, the earliest block (in the order of the
file) that has vertices is done for those, and a phi asks each where it comes from. Pointers are a variable and a path, values
are trees of `Real`, `Whole` and `Truth`. A vertex whose branch is decided by less than the bound is marked (`Outcome.apart`),
and goes on as float64 decides.
"""

from __future__ import annotations

import struct
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from spirv import approximate as ap
from spirv import binary, functions
from spirv.approximate import Real, Truth, Whole
from spirv.operations import EACH, SHAPED, WHOLE, choose, integers, itself, load_exponent, signed, truths
from spirv.trees import Pointer, at, constant_index, flattened, leaves, merged, stored

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from spirv.approximate import Booleans, Floats
    from spirv.binary import Function, Inst, Module
    from spirv.trees import Tree

STEPS = 1 << 16  # blocks that a run may do
_VOID, _BOOL, _INT, _FLOAT, _VECTOR, _MATRIX, _ARRAY, _STRUCT, _POINTER = 19, 20, 21, 22, 23, 24, 28, 30, 32
_INPUT, _UNIFORMS, _OUTPUT = 1, {0, 2, 9}, 3
_POSITION = 0
_SPEC_CONSTANT_OP, _COMPOSITES = 52, {44, 51}


class NotEvaluated(Exception):
    """A module has something that the evaluator does not know."""


class Output(NamedTuple):
    """An output: a row for each vertex, and the bound on the error of each component."""

    value: Floats
    error: Floats


class Outcome(NamedTuple):
    """What a run gives: outputs by name (`gl_Position`, the name in the module, or `location N` in a module without names) and
    vertices in doubt."""

    outputs: dict[str, Output]
    apart: Booleans


class Interface(NamedTuple):
    """The names of inputs, outputs and uniforms, with their types as GLSL writes them (`vec3`, `mat4`, `int`, `bool`,
    `vec4[5]`) and locations (-1: none)."""

    inputs: dict[str, tuple[str, int]]
    outputs: dict[str, tuple[str, int]]
    uniforms: dict[str, tuple[str, int]]


class Evaluator:
    """A module, ready to run. Raises ValueError for what is not a module and NotEvaluated for what is not known."""

    def __init__(self, data: bytes) -> None:
        self.module: Module = binary.read(data)
        self.constants: dict[int, Tree] = {}
        for inst in self.module.constants:
            self.constants[inst.result] = self._constant(inst)

    # Types and constants

    def type(self, number: int) -> binary.Type:
        return self.module.types[number]

    def size(self, number: int) -> int:
        """How many elements a composite type has."""
        kind = self.type(number)
        if kind.op == _ARRAY:
            return int(self.constants[kind.words[1]].value[0])
        return len(kind.words) if kind.op == _STRUCT else kind.words[1]

    def element(self, number: int, index: int) -> int:
        kind = self.type(number)
        return kind.words[index] if kind.op == _STRUCT else kind.words[0]

    def zero(self, number: int, doubt: bool = False) -> Tree:
        """A value of a type: zeros, or with `doubt` something that nobody knows."""
        kind = self.type(number)
        unsure = np.full(1, doubt)
        if kind.op == _FLOAT:
            return Real(np.zeros(1), np.where(unsure, np.inf, 0.0))
        if kind.op == _INT:
            return Whole(np.zeros(1, np.int64), unsure)
        if kind.op == _BOOL:
            return Truth(np.zeros(1, np.bool_), unsure)
        return [self.zero(self.element(number, index), doubt) for index in range(self.size(number))]

    def _constant(self, inst: Inst) -> Tree:
        kind = self.type(inst.type)
        if inst.op in {41, 42, 48, 49}:
            return functions.truth(inst.op in {41, 48})
        if inst.op in {43, 50}:
            if kind.op == _FLOAT:
                return ap.real(struct.unpack("<f", struct.pack("<I", inst.words[0]))[0])
            return integers(itself)(Whole(np.array([inst.words[0]], np.int64), np.zeros(1, np.bool_)))
        if inst.op in _COMPOSITES:
            return [self.constants[word] for word in inst.words]
        if inst.op in {1, 46}:
            return self.zero(inst.type, doubt=inst.op == 1)
        if inst.op == _SPEC_CONSTANT_OP:
            return self.operate(binary.Inst(inst.words[0], inst.type, inst.result, inst.words[1:]), self.constants)
        raise NotEvaluated(f"constant of opcode {inst.op}")

    # Interface

    def name(self, number: int) -> str:
        """The name of a variable: that of the module, or its location."""
        name = self.module.names.get(number, "")
        if name:
            return name
        location = self.location(number)
        return f"location {location}" if location >= 0 else f"%{number}"

    def location(self, number: int) -> int:
        return self.module.decorations.get(number, {}).get(binary.LOCATION, (-1,))[0]

    def spelled(self, number: int) -> str:
        """A type as GLSL writes it."""
        kind = self.type(number)
        if kind.op in {_BOOL, _FLOAT}:
            return {_BOOL: "bool", _FLOAT: "float"}[kind.op]
        if kind.op == _INT:
            return "int" if kind.words[1] else "uint"
        if kind.op == _VECTOR:
            of = self.spelled(kind.words[0])
            return f"{'' if of == 'float' else of[0]}vec{kind.words[1]}"
        if kind.op == _MATRIX:
            rows, columns = self.size(kind.words[0]), kind.words[1]
            return f"mat{columns}" if rows == columns else f"mat{columns}x{rows}"
        if kind.op == _ARRAY:
            base, bracket, inner = self.spelled(kind.words[0]).partition("[")
            return f"{base}[{self.size(number)}]{bracket}{inner}"
        return "struct"

    def variables(self, classes: set[int]) -> list[tuple[int, int]]:
        """Variables of storage classes that are not built in: their numbers and types."""
        return [
            (inst.result, self.type(inst.type).words[1])
            for inst in self.module.variables
            if inst.words[0] in classes and binary.BUILT_IN not in self.module.decorations.get(inst.result, {})
        ]

    def members(self, kind: int) -> dict[int, tuple[str, int]]:
        return {
            index: (self.module.member_names.get((kind, index), f"member {index}"), of)
            for index, of in enumerate(self.type(kind).words)
        }

    def is_block(self, kind: int) -> bool:
        return self.type(kind).op == _STRUCT and bool({2, 3} & set(self.module.decorations.get(kind, {})))

    def interface(self) -> Interface:
        def rows(classes: set[int]) -> dict[str, tuple[str, int]]:
            found: dict[str, tuple[str, int]] = {}
            for number, kind in self.variables(classes):
                if self.is_block(kind):
                    if binary.BUILT_IN not in self.module.member_decorations.get((kind, 0), {}):
                        found |= {name: (self.spelled(of), -1) for name, of in self.members(kind).values()}
                else:
                    found[self.name(number)] = (self.spelled(kind), self.location(number))
            return found

        return Interface(rows({_INPUT}), rows({_OUTPUT}), rows(_UNIFORMS))

    def taken(self, kind: int, value: ArrayLike, name: str, vertices: bool) -> Tree:
        """An input (its last axis: components) or a uniform, which is an array in the order of GLSL: matrices as M[row,
        column], arrays element by element.

        A struct is a mapping of its members.
        """
        op = self.type(kind).op
        if op == _STRUCT:
            members = cast("Mapping[str, ArrayLike]", value)
            return [self.taken(of, members[member], member, vertices) for member, of in self.members(kind).values()]
        array = np.asarray(value)
        if op == _BOOL:
            return Truth(np.atleast_1d(array.astype(np.bool_)), np.zeros(1, np.bool_))
        if op == _INT:
            return ap.whole(np.atleast_1d(array.astype(np.int64)), np.zeros(1, np.bool_))
        if op == _FLOAT:
            flat = array.astype(np.float64)
            return ap.given(flat[:, 0] if vertices and flat.ndim > 1 else np.atleast_1d(flat))
        count = self.size(kind)
        if op == _MATRIX:
            return [self.taken(self.element(kind, 0), array[..., column], name, vertices) for column in range(count)]
        if vertices:
            return [self.taken(self.element(kind, index), array[:, index], name, vertices=True) for index in range(count)]
        return [self.taken(self.element(kind, index), array[index], name, vertices=False) for index in range(count)]

    # Runs

    def run(self, inputs: Mapping[str, ArrayLike], uniforms: Mapping[str, ArrayLike], count: int) -> Outcome:
        """All outputs for `count` vertices. Inputs have a row for each; a matrix uniform is `M[row, column]`, so that `M * v`
        is `M @ v`.

        Raises NotEvaluated for what the evaluator does not know, KeyError for a name that has no value.
        """
        with np.errstate(all="ignore"):
            return Run(self, count).go(inputs, uniforms)

    def operate(self, inst: Inst, values: Mapping[int, Tree]) -> Tree:
        """An operation without control flow or memory."""
        op, words = inst.op, inst.words
        if op in EACH:
            return leaves(EACH[op], *(values[word] for word in words))
        if op in SHAPED:
            return SHAPED[op](*(values[word] for word in words))
        if op in {80, 44}:  # CompositeConstruct
            items = [values[word] for word in words]
            if self.type(inst.type).op == _VECTOR:
                return flattened(items)
            return items
        if op in {81, 77}:  # CompositeExtract, VectorExtractDynamic
            found = values[words[0]]
            if op == 77:
                return at(found, constant_index(values[words[1]]))
            for index in words[1:]:
                found = found[index]
            return found
        if op == 82:  # CompositeInsert
            return stored(values[words[1]], words[2:], values[words[0]], np.ones(1, np.bool_), True)
        if op == 78:  # VectorInsertDynamic
            return stored(values[words[0]], (constant_index(values[words[2]]),), values[words[1]], np.ones(1, np.bool_), True)
        if op == 79:  # VectorShuffle
            both = [*values[words[0]], *values[words[1]]]
            return [
                both[index] if index < len(both) else self.zero(self.element(inst.type, 0), doubt=True) for index in words[2:]
            ]
        if op == 169:  # Select
            condition, yes, no = (values[word] for word in words)
            if isinstance(condition, list):
                return leaves(choose, condition, yes, no)
            return leaves(partial(choose, condition), yes, no)
        if op in {154, 155}:  # Any, All
            found = values[words[0]][0]
            for item in values[words[0]][1:]:
                found = truths(np.logical_or if op == 154 else np.logical_and)(found, item)
            return found
        if op in {83, 400}:
            return values[words[0]]
        if op == 1:
            return self.zero(inst.type, doubt=True)
        raise NotEvaluated(f"opcode {op}")

    def extended(self, inst: Inst, values: Mapping[int, Tree]) -> Tree:
        """A function of GLSL.std.450."""
        if self.module.extended.get(inst.words[0]) != "GLSL.std.450":
            return None
        number, words = inst.words[1], inst.words[2:]
        operands = [values[word] for word in words]
        if number in functions.EACH:
            return leaves(functions.EACH[number], *operands)
        if number in WHOLE:
            return leaves(WHOLE[number], *operands)
        if number in functions.NUMBERS:
            return functions.NUMBERS[number](*(item if isinstance(item, list) else [item] for item in operands))
        if number in functions.VECTORS:
            if isinstance(operands[0], list):
                return functions.VECTORS[number](*operands)
            plain = [[item] for item in operands] if number != 72 else [[operands[0]], [operands[1]], operands[2]]
            return functions.VECTORS[number](*plain)[0]
        if number == 33:
            return functions.determinant(operands[0])
        if number == 34:
            return functions.inverse(operands[0])
        if number == 36:  # ModfStruct
            whole = leaves(functions.truncate, operands[0])
            return [leaves(ap.subtract, operands[0], whole), whole]
        if number == 53:  # Ldexp
            return leaves(load_exponent, *operands)
        raise NotEvaluated(f"GLSL.std.450 function {number}")


class Run:
    """One run: the storage of variables and the vertices in doubt."""

    def __init__(self, evaluator: Evaluator, count: int) -> None:
        self.evaluator = evaluator
        self.module = evaluator.module
        self.count = count
        self.apart = np.zeros(count, np.bool_)
        self.steps = 0
        self.globals: dict[int, Tree] = dict(evaluator.constants)

    def go(self, inputs: Mapping[str, ArrayLike], uniforms: Mapping[str, ArrayLike]) -> Outcome:
        own = self.evaluator
        given = {number: (kind, inputs, True) for number, kind in own.variables({_INPUT})}
        given |= {number: (kind, uniforms, False) for number, kind in own.variables(_UNIFORMS)}
        for inst in self.module.variables:
            kind = own.type(inst.type).words[1]
            value = own.zero(kind, doubt=True)
            if len(inst.words) > 1:
                value = self.globals[inst.words[1]]
            if inst.result in given:
                value = self._given(*given[inst.result], own.name(inst.result))
            self.globals[inst.result] = Pointer([value], ())
        self.call(self.module.functions[self.module.entry], (), np.ones(self.count, np.bool_))
        return Outcome(self._outputs(), self.apart)

    def _given(self, kind: int, values: Mapping[str, ArrayLike], vertices: bool, name: str) -> Tree:
        own = self.evaluator
        if own.is_block(kind):
            return [own.taken(of, values[member], member, vertices) for member, of in own.members(kind).values()]
        return own.taken(kind, values[name], name, vertices)

    def _outputs(self) -> dict[str, Output]:
        own = self.evaluator
        found: dict[str, Output] = {}
        for inst in self.module.variables:
            if inst.words[0] != _OUTPUT:
                continue
            kind = own.type(inst.type).words[1]
            value = self.globals[inst.result].cell[0]
            if self.module.decorations.get(inst.result, {}).get(binary.BUILT_IN, (-1,))[0] == _POSITION:
                found["gl_Position"] = self._output(value)
            elif binary.BUILT_IN in self.module.decorations.get(inst.result, {}):
                continue
            elif own.type(kind).op == _STRUCT:
                for index, item in enumerate(value):
                    if self.module.member_decorations.get((kind, index), {}).get(binary.BUILT_IN, (-1,))[0] == _POSITION:
                        found["gl_Position"] = self._output(item)
            else:
                found[own.name(inst.result)] = self._output(value)
        return found

    def _output(self, value: Tree) -> Output:
        flat = [
            leaf if isinstance(leaf, Real) else ap.to_real(Whole(leaf[0].astype(np.int64), leaf.doubt))
            for leaf in flattened(value)
        ]
        columns = [(np.broadcast_to(item.value, self.count), np.broadcast_to(item.error, self.count)) for item in flat]
        return Output(np.stack([value for value, _ in columns], 1), np.stack([error for _, error in columns], 1))

    def call(self, function: Function, arguments: Sequence[Tree], mask: Booleans) -> Tree:
        """Do a function for the vertices of the mask. What it returns is of use for those only."""
        values: dict[int, Tree] = dict(self.globals)
        values |= dict(zip(function.parameters, arguments, strict=True))
        numbers = {block: number for number, block in enumerate(function.order)}
        place = np.where(mask, 0, len(numbers)).astype(np.int32)
        before = np.full(self.count, -1, np.int32)
        returned: Tree = None
        while True:
            here = int(place.min())
            if here == len(numbers):
                return returned
            self.steps += 1
            if self.steps > STEPS:
                raise NotEvaluated(f"more than {STEPS} blocks")
            active = place == here
            whole = bool(active.all())
            insts = function.blocks[function.order[here]]
            phis = [inst for inst in insts if inst.op == 245]
            picked = [self._phi(inst, values, before, numbers) for inst in phis]
            for inst, value in zip(phis, picked, strict=True):
                values[inst.result] = value if whole else merged(active, value, values.get(inst.result))
            for inst in insts[len(phis) : -1]:
                self._do(inst, values, active, whole)
            last = insts[-1]
            before[active] = here
            if last.op == 254:
                value = values[last.words[0]]
                returned = merged(active, value, returned)
            if last.op in {253, 254}:
                place[active] = len(numbers)
            elif last.op == 249:
                place[active] = numbers[last.words[0]]
            elif last.op == 250:
                condition: Truth = values[last.words[0]]
                self.apart |= active & condition.doubt
                target = np.where(condition.value, numbers[last.words[1]], numbers[last.words[2]])
                place[active] = np.broadcast_to(target, self.count)[active]
            elif last.op == 251:
                chosen: Whole = values[last.words[0]]
                self.apart |= active & chosen.doubt
                target = np.full(self.count, numbers[last.words[1]])
                for literal, block in zip(last.words[2::2], last.words[3::2], strict=True):
                    target[np.broadcast_to(chosen.value, self.count) == signed(np.array([literal], np.int64))[0]] = numbers[
                        block
                    ]
                place[active] = target[active]
            elif last.op == 255:  # nothing comes here
                place[active] = len(numbers)
            else:
                raise NotEvaluated(f"a block ends with opcode {last.op}")

    def _phi(self, inst: Inst, values: Mapping[int, Tree], before: Any, numbers: Mapping[int, int]) -> Tree:
        found: Tree = None
        for value, block in zip(inst.words[::2], inst.words[1::2], strict=True):
            if block in numbers and value in values:
                found = values[value] if found is None else merged(before == numbers[block], values[value], found)
        return found

    def _do(self, inst: Inst, values: dict[int, Tree], active: Booleans, whole: bool) -> None:
        op, words = inst.op, inst.words
        if op == 62:  # Store
            pointer: Pointer = values[words[0]]
            pointer.cell[0] = stored(pointer.cell[0], pointer.path, values[words[1]], active, whole)
            return
        if op == 63:  # CopyMemory
            source, pointer = values[words[1]], values[words[0]]
            pointer.cell[0] = stored(pointer.cell[0], pointer.path, self._load(source), active, whole)
            return
        if op == 59:
            kind = self.evaluator.type(inst.type).words[1]
            start = values[words[1]] if len(words) > 1 else self.evaluator.zero(kind, doubt=True)
            values[inst.result] = Pointer([start], ())
            return
        if op in {65, 66}:  # AccessChain
            base: Pointer = values[words[0]]
            value = Pointer(base.cell, (*base.path, *(constant_index(values[word]) for word in words[1:])))
        elif op == 61:
            value = self._load(values[words[0]])
        elif op == 57:
            value = self.call(self.module.functions[words[0]], [values[word] for word in words[1:]], active)
        elif op == 12 and self.module.extended.get(words[0]) == "GLSL.std.450" and words[1] == 35:  # Modf
            operand, pointer = values[words[2]], values[words[3]]
            cut = leaves(functions.truncate, operand)
            pointer.cell[0] = stored(pointer.cell[0], pointer.path, cut, active, whole)
            value = leaves(ap.subtract, operand, cut)
        elif op == 12:
            value = self.evaluator.extended(inst, values)
        else:
            value = self.evaluator.operate(inst, values)
        if value is not None:
            values[inst.result] = value if whole else merged(active, value, values.get(inst.result))

    @staticmethod
    def _load(pointer: Pointer) -> Tree:
        found = pointer.cell[0]
        for index in pointer.path:
            found = at(found, index)
        return found
