"""A reader of SPIR-V binaries for the evaluator: types, constants, names, functions cut into blocks.

It is written from the specification (Khronos, SPIR-V Specification, sections 2.3 and 3) and shares nothing with the compiler's
reader.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

MAGIC = 0x07230203

# Opcodes that this module reads itself; the evaluator has its own table.
_ENTRY_POINT, _EXT_INST_IMPORT = 15, 11
_NAME, _MEMBER_NAME, _DECORATE, _MEMBER_DECORATE = 5, 6, 71, 72
_TYPES = range(19, 40)
_FUNCTION, _PARAMETER, _FUNCTION_END, _LABEL, _VARIABLE = 54, 55, 56, 248, 59
_CONSTANTS = {1, 41, 42, 43, 44, 46, 48, 49, 50, 51, 52}  # OpUndef may be at module scope too
_SKIPPED = {0, 2, 3, 4, 7, 8, 10, 14, 16, 17, 246, 247, 317, 330, 331, 332, 5632, 5633}
# Instructions within functions that have no result; those of lines and those that mark structure are skipped too.
_NO_RESULT = {0, 8, 62, 63, 246, 247, 249, 250, 251, 252, 253, 254, 255, 317}
_LINE, _NO_LINE = 8, 317
LOCATION, BUILT_IN = 30, 11
VERTEX = 0


class Inst(NamedTuple):
    """An instruction of a function: its opcode, the type and number of its result (0: none), its other words, its line of the
    source (0: none)."""

    op: int
    type: int
    result: int
    words: tuple[int, ...]
    line: int = 0


class Type(NamedTuple):
    """A type: its opcode and its words behind the result."""

    op: int
    words: tuple[int, ...]


class Function(NamedTuple):
    parameters: tuple[int, ...]
    blocks: dict[int, tuple[Inst, ...]]
    order: tuple[int, ...]


class Module(NamedTuple):
    types: dict[int, Type]
    constants: tuple[Inst, ...]
    variables: tuple[Inst, ...]
    functions: dict[int, Function]
    names: dict[int, str]
    member_names: dict[tuple[int, int], str]
    decorations: dict[int, dict[int, tuple[int, ...]]]
    member_decorations: dict[tuple[int, int], dict[int, tuple[int, ...]]]
    extended: dict[int, str]
    entry: int


def text_of(words: tuple[int, ...]) -> tuple[str, int]:
    """The string at the beginning of the words, and how many it takes."""
    data = struct.pack(f"<{len(words)}I", *words)
    end = data.index(b"\0")
    return data[:end].decode("utf-8", "replace"), end // 4 + 1


def read(data: bytes) -> Module:
    """The module of a binary with a vertex entry point. Raises ValueError for anything else."""
    order = "<" if data[:4] == struct.pack("<I", MAGIC) else ">"
    words = struct.unpack(f"{order}{len(data) // 4}I", data[: len(data) // 4 * 4])
    if not words or words[0] != MAGIC:
        raise ValueError("not a SPIR-V binary")
    module = Module({}, (), (), {}, {}, {}, {}, {}, {}, 0)
    constants: list[Inst] = []
    variables: list[Inst] = []
    entry = 0
    parameters: list[int] = []
    blocks: dict[int, list[Inst]] = {}
    function, block = 0, 0
    place, line = 5, 0
    while place < len(words):
        size, op = words[place] >> 16, words[place] & 0xFFFF
        if not size:
            raise ValueError(f"an instruction of no words at word {place}")
        rest = words[place + 1 : place + size]
        place += size
        if op in {_LINE, _NO_LINE}:
            line = rest[1] if op == _LINE else 0
        if function:
            if op == _FUNCTION_END:
                module.functions[function] = Function(
                    tuple(parameters), {k: tuple(v) for k, v in blocks.items()}, tuple(blocks)
                )
                function, block, parameters, blocks = 0, 0, [], {}
            elif op == _PARAMETER:
                parameters.append(rest[1])
            elif op == _LABEL:
                block = rest[0]
                blocks[block] = []
            elif op in _NO_RESULT:
                if op not in _SKIPPED:
                    blocks[block].append(Inst(op, 0, 0, rest, line))
            else:
                blocks[block].append(Inst(op, rest[0], rest[1], rest[2:], line))
        elif op in _SKIPPED:
            pass
        elif op == _NAME:
            module.names[rest[0]] = text_of(rest[1:])[0]
        elif op == _MEMBER_NAME:
            module.member_names[rest[0], rest[1]] = text_of(rest[2:])[0]
        elif op == _DECORATE:
            module.decorations.setdefault(rest[0], {})[rest[1]] = rest[2:]
        elif op == _MEMBER_DECORATE:
            module.member_decorations.setdefault((rest[0], rest[1]), {})[rest[2]] = rest[3:]
        elif op == _ENTRY_POINT:
            if rest[0] == VERTEX:
                entry = rest[1]
        elif op == _EXT_INST_IMPORT:
            module.extended[rest[0]] = text_of(rest[1:])[0]
        elif op in _TYPES:
            module.types[rest[0]] = Type(op, rest[1:])
        elif op in _CONSTANTS:
            constants.append(Inst(op, rest[0], rest[1], rest[2:], line))
        elif op == _VARIABLE:
            variables.append(Inst(op, rest[0], rest[1], rest[2:], line))
        elif op == _FUNCTION:
            function = rest[1]
        elif op == 12:  # OpExtInst at module scope: debug information
            pass
        else:
            raise ValueError(f"opcode {op} outside of a function")
    if not entry:
        raise ValueError("no vertex entry point")
    return module._replace(constants=tuple(constants), variables=tuple(variables), entry=entry)
