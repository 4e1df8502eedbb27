"""Print ShaderCore programs as source.

It assembles to the same words and the same header."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.numbers import float32_text
from lanewise.shadercore.isa.codec import DISCARD, NOTHING, decode, encode, instruction
from lanewise.shadercore.isa.program import NO_HASH, usage_name, used_inputs, used_outputs
from lanewise.shadercore.isa.table import ABS, COMPONENTS, DEST_FILES, FILES, NEG_ABS, NEGATE, NULL_FILE, SOURCE_FILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.codec import Dest, Inst, Source
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.table import Op

_NUMBERED = "rvcxo"


def print_program(program: Program) -> str:
    """The source of a program. Words that no line encodes become `.word`."""
    insts = program.insts
    head: list[str] = []
    for file, what, usages, used in (
        ("v", "input", program.inputs, used_inputs(insts)),
        ("o", "output", program.outputs, used_outputs(insts)),
    ):
        # a byte 0 is position, and also what a register has that is not used
        head += [
            f".{what} {file}{n} {usage_name(byte)}" for n, byte in enumerate(usages) if byte or (n in used and any(usages))
        ]
    head += [f".const c{number} ({', '.join(map(number_text, values))})" for number, values in program.constants]
    if program.hash != NO_HASH:
        head.append(f".hash 0x{program.hash:08X}")
    if program.padding:
        head.append(f".padding 0x{program.padding:016X}")
    lines = [*head, ""] if head else []
    return "\n".join([*lines, *map(line_of_inst, insts)]) + "\n"


def line_of(word: int, added: Sequence[Op] = ()) -> str:
    """The line that assembles to a word; a `.word` has the nearest instruction in a comment. `added` are instructions of a
    device besides those of the table."""
    return line_of_inst(decode(word, added))


def line_of_inst(inst: Inst) -> str:
    """The line that assembles to the word of an instruction."""
    text = text_of(inst)
    return text if text else f".word 0x{encode(inst):016X}  ; {inst.op.name}, with bits that no line sets"


def text_of(inst: Inst) -> str:
    """An instruction as text; empty if no line gives just this word."""
    op, dest, a, b = inst.op, inst.dest, inst.a, inst.b
    if not all(map(_plain, inst.fields)):
        return ""
    name = op.name + ("_sat" if dest.saturate else "")
    if inst.unused:
        if instruction(op, dest, inst.fields).unused != inst.unused:
            return ""
        if op.sources > 2:
            return f"{name} {', '.join([dest_text(dest), *map(source_text, inst.fields)])}"
    operands = [dest_text(dest), source_text(a), source_text(b)]
    if not op.dests and a == b == NOTHING and dest._replace(saturate=0) == DISCARD:
        return name
    if op.sources == 1 and b == NOTHING:
        operands.pop()
    return f"{name} {', '.join(operands)}"


def dest_text(dest: Dest) -> str:
    if dest.file == NULL_FILE:
        return "NULL" + (str(dest.number) if dest.number else "") + (f".{COMPONENTS[dest.component]}" if dest.component else "")
    return f"{DEST_FILES[dest.file]}{dest.number}.{COMPONENTS[dest.component]}"


def source_text(source: Source) -> str:
    file = SOURCE_FILES[source.file]
    if file in _NUMBERED:
        register = f"{file}{source.number}.{COMPONENTS[source.component]}"
    else:
        register = file + (f".{COMPONENTS[source.component]}" if source.component else "")
    if source.modifier == NEGATE:
        return f"-{register}" if file in _NUMBERED else f"-({register})"
    return {ABS: f"abs({register})", NEG_ABS: f"-abs({register})"}.get(source.modifier, register)


def _plain(source: Source) -> bool:
    """Whether the register's number is one that text can name."""
    return source.number < FILES[SOURCE_FILES[source.file]].size


def number_text(bits: int) -> str:
    """A float32 as the shortest decimal that gives its bits, with a point; infinities and NaN as bits."""
    text = float32_text(bits)
    return text if "." in text or "e" in text or text.startswith("0x") else f"{text}.0"
