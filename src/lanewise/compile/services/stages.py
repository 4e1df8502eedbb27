"""Stages of front ends as text: the SPIR-V module, an instruction a line; the vector program; its function in SSA form."""

from __future__ import annotations

from lanewise.compile.spirv.binary import Malformed, read_instructions, string, string_words
from lanewise.compile.spirv.opcodes import OPCODES
from lanewise.compile.vector import text as vector
from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.vector.code import Program


def spirv_text(data: bytes, name: str) -> str:
    """The instructions of a module: results, types and ids with a %, other operands as numbers. Raises InputError."""
    try:
        header, instructions = read_instructions(data)
    except Malformed as error:
        raise InputError([error.diagnostic(name)]) from None
    major, minor = header.version
    lines = [f"; SPIR-V {major}.{minor}, generator 0x{header.generator:08X}, bound {header.bound}"]
    return "\n".join([*lines, *map(_line, instructions)]) + "\n"


def _line(inst: Instruction) -> str:
    result = f"%{inst.result} = " if inst.result else ""
    kind = [f"%{inst.type}"] if inst.type else []
    return " ".join([f"{result:>10}{inst.name}", *kind, *_operands(inst)])


def _operands(inst: Instruction) -> Iterator[str]:
    row, words = OPCODES.get(inst.opcode), inst.words
    letters, last = [letter for letter in (row.operands if row is not None else ".") if letter not in "?*"], "."
    while words:
        letter = letters.pop(0) if letters else last
        last = letter
        if letter == "s":
            yield '"' + string(words).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r") + '"'
            words = words[len(string_words(words)) :]
            continue
        yield f"%{words[0]}" if letter == "i" else str(words[0])
        words = words[1:]


def ssa_text(program: Program) -> str:
    """The function of a vector program in SSA form, after its passes."""
    from lanewise.compile.vector.lowering import evaluate, lower
    from lanewise.ssa.passes import tidied
    from lanewise.ssa.text import text_of

    return text_of(tidied(lower(program), evaluate))


# Stages that every front end has and no target decides.
VECTOR_STAGES: Mapping[str, Callable[[Program], str]] = {"vector": vector.text_of, "ssa": ssa_text}
