"""Inputs, outputs and uniforms: their names, how they lie in registers, and what they are used for."""

from __future__ import annotations

from lanewise.compile.spirv import module as spirv
from lanewise.compile.spirv.binary import Malformed, Unsupported
from lanewise.compile.spirv.semantics import usage_of
from lanewise.compile.spirv.values import Scalar, Value
from lanewise.compile.vector.code import Attribute, Count, Flag, Input, Ref, Row, Truth, Uniform
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.emit import Emitter
    from lanewise.compile.spirv.module import Module, Type

Path = tuple[int, ...]
_MOST_REGISTERS = 1024  # of an input: no target has as many


class OutputPlace(Record):
    """An output, or a part of one with a meaning of its own."""

    name: str
    "The name of the variable or member; empty: stripped."
    variable: int
    "The id of the variable."
    start: int
    "The number of its first component in the variable."
    lanes: int
    "How many components it has."
    built_in: int | None = None
    "A key of `BUILT_INS`; None: it is not built in."
    location: int | None = None
    "The location; None without one."
    semantic: str = ""
    "The semantic that HLSL and Slang keep; empty without one."
    row: int = 0
    "How many registers of the semantic are before it: those of a matrix or an array have numbers that follow."
    line: int = -1
    "The place of the variable, an index of `Module.lines`; -1: none."


class Renamed(Record):
    """An input or uniform that has another name than in the source."""

    kind: str
    "`input` or `uniform`."
    name: str
    "The name in the source."
    made: str
    "The name in the program: that of the input in whose register it is, or a new one."
    lanes: str
    "Its components in the register of the input `made`; empty: its name was taken."
    block: str
    "The block of a uniform; empty: it is in none."
    line: int
    "The place of the variable, an index of `Module.lines`; -1: none."


class Interface:
    """The inputs, outputs, uniforms, flags and counts of the program. `numbers`: keys of flags and counts that are needed as
    numbers."""

    def __init__(self, module: Module, emitter: Emitter, numbers: frozenset[tuple[int, Path]]) -> None:
        self._module = module
        self._emitter = emitter
        self._numbers = numbers
        self.inputs: list[Input] = []
        self.uniforms: list[Uniform] = []
        self.flags: list[Flag] = []
        self.counts: list[Count] = []
        self.uniform_types: list[Type] = []  # of the components
        self.uniform_keys: list[tuple[int, Path]] = []
        self.flag_keys: list[tuple[int, Path]] = []
        self.count_keys: list[tuple[int, Path]] = []
        self._input_values: dict[int, Value] = {}
        self._inputs_at: dict[int, int] = {}  # by location
        self._by_key: dict[tuple[int, Path], int] = {}
        self._names: set[str] = set()
        self.renamed: list[Renamed] = []

    # Inputs

    def input(self, variable: Instruction, kind: int) -> Value:
        """All components of an input. A matrix or array has a register for each column or element."""
        found = self._input_values.get(variable.result)
        if found is None:
            location = self._module.decoration(variable.result, spirv.LOCATION)
            name = self._module.name_of(variable.result).rpartition(".")[2] or (
                f"v{location}" if location is not None else f"v_{variable.result}"
            )
            registers = self._locations(kind)
            if registers > _MOST_REGISTERS:
                raise Unsupported(
                    f"input '{name}' has {registers} registers: expected at most {_MOST_REGISTERS}", variable.offset
                )
            found = tuple(
                self._input_of(
                    name,
                    kind,
                    -1 if location is None else location,
                    self._module.decoration(variable.result, spirv.COMPONENT) or 0,
                    variable.line,
                    self._said(variable.result),
                    _element(name),
                )
            )
            self._input_values[variable.result] = found
        return found

    def _input_of(
        self, name: str, kind: int, location: int, component: int, line: int, semantic: str, further: int = 0
    ) -> list[Scalar]:
        """The components of an input. `further`: how many registers of its semantic are before it."""
        value_type = self._module.type(kind)
        if value_type.kind in ("matrix", "array"):
            parts: list[Scalar] = []
            size = self._locations(value_type.element)
            for index in range(value_type.length):
                own = location + index * size if location >= 0 else -1
                more = further + index * size
                parts += self._input_of(f"{name}_{index}", value_type.element, own, component, line, semantic, more)
            return parts
        if value_type.kind == "struct":
            parts = []
            for index, member in enumerate(value_type.members):
                own = self._module.member_decoration(kind, index, spirv.LOCATION)
                location = location if own is None else own
                named = self._module.member_name(kind, index) or f"{name}_{index}"
                said = self._semantic(self._module.member_decorations.get((kind, index), {})) or semantic
                parts += self._input_of(named, member, location, 0, line, said)
                location += self._locations(member) if location >= 0 else 0
            return parts
        lanes = self._module.size(kind)
        value = self._attribute(name, location, component, lanes, line, usage_of(semantic, further))
        return [Ref(value, component + lane) for lane in range(lanes)]

    def _locations(self, kind: int) -> int:
        """How many locations a type takes: one for each vector (SPIR-V 1.6 for Vulkan, 15.1.4)."""
        value_type = self._module.type(kind)
        if value_type.kind in ("matrix", "array"):
            return value_type.length * self._locations(value_type.element)
        return sum([self._locations(member) for member in value_type.members]) if value_type.kind == "struct" else 1

    def _attribute(self, name: str, location: int, component: int, lanes: int, line: int, semantic: str) -> int:
        """The value of a register, which inputs may share by components. Raises Malformed."""
        if component + lanes > 4:
            raise Malformed(
                f"input '{name}' has components {component} to {component + lanes - 1} of its location: expected 0 to 3"
            )
        number = self._inputs_at.get(location)
        if number is not None:
            old = self.inputs[number]
            self.inputs[number] = old._replace(lanes=max(old.lanes, component + lanes))
            self.renamed.append(
                Renamed(
                    kind="input", name=name, made=old.name, lanes="xyzw"[component : component + lanes], block="", line=line
                )
            )
        else:
            number = len(self.inputs)
            if location >= 0:
                self._inputs_at[location] = number
            self.inputs.append(
                Input(
                    name=self._unique("input", name, line),
                    register=location,
                    lanes=component + lanes,
                    line=line,
                    semantic=semantic,
                )
            )
        return self._emitter.once(("input", number), lambda result: Attribute(result, number), everywhere=True)

    # Uniforms

    def uniform_name(self, variable: Instruction, path: Path) -> str:
        """The name of a uniform: that of the variable and its members, without that of a block."""
        module = self._module
        kind = module.type(variable.type).element
        block = self._is_block(variable)
        names = [] if block else [module.name_of(variable.result) or self._numbered(variable)]
        inner = kind
        for member in path:
            while module.type(inner).kind in ("array", "runtimearray"):
                inner = module.type(inner).element
            names.append(
                module.member_name(inner, member)
                or (f"{self._numbered(variable)}_{member}" if block and not names else f"m{member}")
            )
            inner = module.type(inner).members[member]
        return ".".join(names)

    def _is_block(self, variable: Instruction) -> bool:
        module = self._module
        inner = module.type(variable.type).element
        while module.type(inner).kind in ("array", "runtimearray"):
            inner = module.type(inner).element
        return any(module.decoration(inner, which) is not None for which in (spirv.BLOCK, spirv.BUFFER_BLOCK))

    def _numbered(self, variable: Instruction) -> str:
        for which, letter in ((spirv.LOCATION, "u"), (33, "b")):
            number = self._module.decoration(variable.result, which)
            if number is not None:
                return f"{letter}{number}"
        return f"u_{variable.result}"

    def uniform(self, variable: Instruction, path: Path, rows: int, columns: int, kind: Type) -> int:
        """The index of the uniform that holds a leaf of a variable."""
        key = (variable.result, path)
        found = self._by_key.get(key)
        if found is None:
            found = self._by_key[key] = len(self.uniforms)
            name = self._unique("uniform", self.uniform_name(variable, path), variable.line, self._block_of(variable))
            self.uniforms.append(Uniform(name=name, rows=rows, columns=columns, register=-1, line=variable.line))
            self.uniform_types.append(kind)
            self.uniform_keys.append(key)
        return found

    def _block_of(self, variable: Instruction) -> str:
        """Return the name of the block of a uniform; empty for a loose one."""
        names = (self._module.name_of(variable.result), self._module.name_of(self._module.type(variable.type).element))
        return next(filter(None, names), "") if self._is_block(variable) else ""

    def _unique(self, kind: str, name: str, line: int, block: str = "") -> str:
        """A name that nothing else has."""
        unique, number = name, 1
        while unique in self._names:
            number += 1
            unique = f"{name}_{number}"
        self._names.add(unique)
        if unique != name:
            self.renamed.append(Renamed(kind=kind, name=name, made=unique, lanes="", block=block, line=line))
        return unique

    def row(self, uniform: int, row: int, offset: Ref | None = None) -> int:
        line = self._emitter.line
        return self._emitter.once(
            ("row", uniform, row, offset),
            lambda result: Row(result=result, uniform=uniform, row=row, offset=offset, line=line),
            everywhere=offset is None,
        )

    def may_be_flag(self, key: tuple[int, Path]) -> bool:
        return key not in self._numbers

    def flag(self, variable: Instruction, path: Path) -> Ref:
        """The truth of a boolean of the application."""
        key = (variable.result, path)
        if key not in self.flag_keys:
            self.flag_keys.append(key)
            # A uniform that is a flag after all gives up its name.
            uniform = self._by_key.get(key)
            name = (
                self.uniforms[uniform].name
                if uniform is not None
                else self._unique("uniform", self.uniform_name(variable, path), variable.line, self._block_of(variable))
            )
            self.flags.append(Flag(name, -1, variable.line))
        number = self.flag_keys.index(key)
        return Ref(
            self._emitter.once(("flag", number), lambda result: Truth(result, number, self._emitter.line), everywhere=True)
        )

    def count(self, uniform: int) -> int:
        """The index of the count that a uniform is."""
        key = self.uniform_keys[uniform]
        if key not in self.count_keys:
            self.count_keys.append(key)
            self.counts.append(Count(self.uniforms[uniform].name, line=self.uniforms[uniform].line))
        return self.count_keys.index(key)

    # Outputs

    def outputs(self, variables: Mapping[int, Instruction]) -> list[OutputPlace]:
        """All outputs of the module, blocks by their members, arrays by their elements."""
        module = self._module
        found: list[OutputPlace] = []
        for number, variable in variables.items():
            kind = module.type(variable.type).element
            place = OutputPlace(
                name=module.name_of(number),
                variable=number,
                start=0,
                lanes=0,
                built_in=module.decoration(number, spirv.BUILT_IN),
                location=module.decoration(number, spirv.LOCATION),
                semantic=self._said(number),
                row=_element(module.name_of(number)),
                line=variable.line,
            )
            self._add_output(found, place, kind)
        return found

    def _add_output(self, found: list[OutputPlace], place: OutputPlace, kind: int) -> None:
        module = self._module
        value_type = module.type(kind)
        if value_type.kind == "struct":
            at, location = place.start, place.location
            for index, member in enumerate(value_type.members):
                decorations = module.member_decorations.get((kind, index), {})
                own = module.member_decoration(kind, index, spirv.LOCATION)
                location = location if own is None else own
                inner = place._replace(
                    name=module.member_name(kind, index) or f"{place.name}_{index}",
                    start=at,
                    location=location,
                    built_in=module.member_decoration(kind, index, spirv.BUILT_IN),
                    semantic=self._semantic(decorations) or place.semantic,
                )
                self._add_output(found, inner, member)
                at += module.size(member)
                location = None if location is None else location + self._locations(member)
        elif value_type.kind in ("array", "matrix") and place.built_in is None:
            size, step = module.size(value_type.element), self._locations(value_type.element)
            for index in range(value_type.length):
                location = None if place.location is None else place.location + index * step
                inner = place._replace(
                    name=f"{place.name}{index}",
                    start=place.start + index * size,
                    location=location,
                    row=place.row + index * step,
                )
                self._add_output(found, inner, value_type.element)
        else:
            found.append(place._replace(lanes=module.size(kind)))

    def _said(self, variable: int) -> str:
        """The semantic of a variable. Slang splits structs of outputs into variables such as `made.uv`, and leaves the semantic
        at the member: that of the only one with the name counts."""
        module = self._module
        own = self._semantic(module.decorations.get(variable, {}))
        _, dot, member = module.name_of(variable).rpartition(".")
        if own or not dot:
            return own
        rows = module.member_decorations.items()
        found = {self._semantic(row) for (kind, n), row in rows if module.member_name(kind, n) == member} - {""}
        return found.pop() if len(found) == 1 else ""

    @staticmethod
    def _semantic(decorations: Mapping[int, tuple[int, ...]]) -> str:
        from lanewise.compile.spirv.binary import string

        words = decorations.get(spirv.USER_SEMANTIC)
        return string(words) if words else ""


def _element(name: str) -> int:
    """The number of an element of an array that glslang has split, each with the semantic of the whole: `offset[2]`."""
    number = name[name.rfind("[") + 1 : -1] if name.endswith("]") else ""
    return int(number) if number.isdecimal() and len(number) < 4 else 0
