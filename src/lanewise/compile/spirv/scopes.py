"""Scopes that a debugger sees at an instruction of a shader: the functions that are active, and the variables of the source
that have a value.

GLSL reaches SPIR-V as variables of functions, which have names of the source; a place of the source is one in front of an
instruction, with what is known there.
"""

from __future__ import annotations

import re

from lanewise.compile.spirv import module as spirv
from lanewise.compile.spirv.memory import pick
from lanewise.compile.spirv.values import Known, Opaque, Pointer
from lanewise.compile.vector.code import Frame, Local
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.context import Context, State
    from lanewise.compile.spirv.module import Function, Module
    from lanewise.compile.spirv.values import Content, Value

_MOST_PARTS = 64  # scalars and vectors of a variable
_ARGUMENT = "param"  # what glslang calls the variables that arguments of calls are put into
_BUILT_IN = "gl_Position"


class _Call(Record):
    """A function that is active: its instance, its arguments by parameter, and the line of the program that calls it."""

    function: Function
    instance: int
    arguments: dict[int, Content]
    called: int


class _Named(Record):
    """A variable of a function, or a parameter."""

    id: int
    "The id of the variable or parameter."
    name: str
    "Its name in the source."
    first: int
    "The first line of the source in which it is used; 0: none."
    last: int
    "The last line of the source in which it is used; 0: none."
    end: int
    "The last line of the block that these are in."


class Scopes:
    """The scopes of an execution."""

    module: Module
    context: Context

    def __init__(self, module: Module, context: Context) -> None:
        self.module, self.context = module, context
        self.calls: list[_Call] = []
        self._kinds: dict[int, dict[int, int]] = {}
        self._variables: dict[int, list[_Named]] = {}
        self._locals: dict[tuple[str, int, Value], tuple[Local, ...]] = {}
        self._depths: dict[str, list[int]] = {}
        self._outputs = [
            number
            for number, variable in module.variables.items()
            if variable.words and variable.words[0] in (spirv.OUTPUT, spirv.PRIVATE)
        ]

    def enter(self, function: Function, instance: int, arguments: list[Content], at: Instruction | None) -> None:
        given = dict(zip(function.parameters, arguments, strict=True))
        called = -1 if at is None else self.context.emitter.line
        self.calls.append(_Call(function, instance, given, called))

    def leave(self) -> None:
        self.calls.pop()

    def of(self, instruction: Instruction, state: State) -> tuple[Frame, ...]:
        """The functions that are active, the innermost first, in front of an instruction."""
        found: list[Frame] = []
        if instruction.line < 0:
            return ()
        line, place = self.module.lines[instruction.line].line, -1
        for number, call in enumerate(reversed(self.calls)):
            seen = self._seen(call, line, state)
            if number == len(self.calls) - 1:
                seen += self._of_module(state, {each.name for each in seen})
            expression = self.module.expressions.get(instruction.line) if not number else None
            found.append(Frame(self._title(call.function), place, tuple(seen), expression))
            place = call.called
            line = self.context.spans[place].line if place >= 0 else 0
        return tuple(found)

    def _title(self, function: Function) -> str:
        return self.module.name_of(function.number).partition("(")[0].lstrip("@") or f"function %{function.number}"

    def _seen(self, call: _Call, line: int, state: State) -> list[Local]:
        """The variables of a function that have a value at a line."""
        found: list[Local] = []
        by_name: dict[str, list[_Named]] = {}
        for each in [each for each in self._of_function(call.function) if line <= each.end or not each.end]:
            by_name.setdefault(each.name, []).append(each)
        for several in by_name.values():
            chosen = several[0] if len(several) == 1 else _meant(several, line)
            if chosen is not None:
                found += self._held(chosen, call, state)
        return found

    def _held(self, named: _Named, call: _Call, state: State) -> tuple[Local, ...]:
        if named.id not in call.arguments:
            key = call.instance, named.id
            element = self.module.type(self._type_of(call.function, named.id)).element
            return (
                ()
                if self.module.type(element).kind == "pointer"
                else self._parts(named.name, element, state.memory.get(key, ()))
            )
        content = call.arguments[named.id]
        if isinstance(content, Pointer):
            value = state.memory.get(content.root)
            if value is None or not all(isinstance(step, Known) for step in content.steps):
                return ()
            return self._parts(named.name, content.type, pick(self.context, value, content.base, content.steps))
        if isinstance(content, Opaque):
            return ()
        return self._parts(named.name, self._type_of(call.function, named.id), content)

    def _type_of(self, function: Function, number: int) -> int:
        return self._types(function)[number]

    def _types(self, function: Function) -> dict[int, int]:
        """The types of the parameters and variables of a function."""
        known = self._kinds.get(function.number)
        if known is not None:
            return known
        signature = self.module.type(function.type)
        found = dict(zip(function.parameters, signature.members, strict=False))
        for block in function.blocks.values():
            found |= {each.result: each.type for each in block.body if each.name == "OpVariable"}
        self._kinds[function.number] = found
        return found

    def _of_module(self, state: State, taken: set[str]) -> list[Local]:
        """Outputs and variables of the module."""
        found: list[Local] = []
        for number in self._outputs:
            value = state.memory.get((0, number), ())
            kind = self.module.type(self.module.variables[number].type).element
            value_type = self.module.type(kind)
            name = self.module.name_of(number)
            if value_type.kind == "struct" and not _is_name(name):  # gl_PerVertex
                at = 0
                for member, inner in enumerate(value_type.members):
                    size = self.module.size(inner)
                    if self.module.member_name(kind, member) == _BUILT_IN:
                        found += self._parts(_BUILT_IN, inner, value[at : at + size])
                    at += size
            elif _is_name(name) and name not in taken:
                found += self._parts(name, kind, value)
        return found

    def _parts(self, name: str, kind: int, value: Value) -> tuple[Local, ...]:
        """The scalars and vectors of a value; none of one that nothing has written."""
        if all(scalar is None for scalar in value):
            return ()
        key = name, kind, value
        found = self._locals.get(key)
        if found is None:
            parts: list[Local] = []
            for suffix, start, count, scalar in self._leaves(kind, "", 0):
                if len(parts) == _MOST_PARTS:
                    break
                components = value[start : start + count]
                parts.append(
                    Local(name + suffix, scalar, tuple([float(c.value) if isinstance(c, Known) else c for c in components]))
                )
            found = self._locals[key] = tuple(parts)
        return found

    def _leaves(self, kind: int, suffix: str, start: int) -> Iterator[tuple[str, int, int, str]]:
        value_type = self.module.type(kind)
        if value_type.kind in ("float", "int", "bool", "vector"):
            scalar = self.module.scalar(kind)
            title = "uint" if scalar.kind == "int" and not scalar.signed else scalar.kind
            yield suffix, start, self.module.size(kind), title
            return
        members = value_type.members if value_type.kind == "struct" else (value_type.element,) * value_type.length
        for number, member in enumerate(members):
            part = f".{self.module.member_name(kind, number) or number}" if value_type.kind == "struct" else f"[{number}]"
            yield from self._leaves(member, suffix + part, start)
            start += self.module.size(member)

    # Names

    def _of_function(self, function: Function) -> list[_Named]:
        """The variables and parameters of a function that have names of the source."""
        found = self._variables.get(function.number)
        if found is None:
            found = self._variables[function.number] = self._read(function)
        return found

    def _read(self, function: Function) -> list[_Named]:
        lines: dict[int, list[int]] = {number: [] for number in self._types(function)}
        file = ""
        for block in function.blocks.values():
            for instruction in (*block.body, block.end):
                if instruction.line < 0:
                    continue
                span = self.module.lines[instruction.line]
                file = file or span.file
                for word in instruction.words:
                    if word in lines and instruction.name != "OpVariable":
                        lines[word].append(span.line)
        depths = self._depth_of_lines(file)
        own = any(re.search(rf"\b{_ARGUMENT}\b", text) for text in self.module.sources.get(file, ()))
        found: list[_Named] = []
        for number, used in lines.items():
            name = self.module.name_of(number)
            if not _is_name(name) or (name == _ARGUMENT and not own) or (not used and number not in function.parameters):
                continue
            first, last = (min(used), max(used)) if used else (0, 0)
            found.append(_Named(id=number, name=name, first=first, last=last, end=_end_of_block(depths, first, last)))
        return found

    def _depth_of_lines(self, file: str) -> list[int]:
        """How many braces are open at the end of each line of a source."""
        found = self._depths.get(file)
        if found is None:
            depth, found = 0, [0]
            for line in self.module.sources.get(file, ()):
                code = line.partition("//")[0]
                depth += code.count("{") - code.count("}")
                found.append(depth)
            self._depths[file] = found
        return found


def _meant(several: list[_Named], line: int) -> _Named | None:
    """Which of several variables of one name a line sees: the innermost that is used around it. None where that is not
    certain."""
    around = [each for each in several if each.first <= line <= each.last]
    if not around:
        return None
    inner = min(around, key=lambda each: each.last - each.first)
    shadowed = any(each.last < line <= each.end and each.first >= inner.first for each in several if each is not inner)
    return None if shadowed else inner


def _end_of_block(depths: list[int], first: int, last: int) -> int:
    """The last line of the block in which a line is."""
    if first >= len(depths):
        return last
    depth = min(depths[first - 1], depths[first]) if first else depths[first]
    return next((line for line in range(last, len(depths)) if line > first and depths[line] < depth), len(depths))


def _is_name(name: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z_]\w*", name))
