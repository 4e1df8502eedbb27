"""Contents of a ShaderCore file, for `lanewise inspect`."""

from __future__ import annotations

from lanewise.core.diagnostics import to_json
from lanewise.core.document import Heading, Paragraph, Table, columns
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer
from lanewise.shadercore.isa.codec import register, written
from lanewise.shadercore.isa.program import usage_name, used_inputs, used_outputs
from lanewise.shadercore.isa.table import FILES, NAME, PIPES, SLOTS, SOURCE_FILES
from lanewise.shadercore.text.printer import line_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.document import Block
    from lanewise.core.service import Request
    from lanewise.shadercore.api.reading import Loaded
    from lanewise.shadercore.isa.codec import Inst, Source
    from lanewise.shadercore.isa.program import Program

_FORMS = {
    "file": "a file with a header",
    "words": "words without a header",
    "hex": "words as hexadecimal text",
    "coe": "a memory for Xilinx",
    "mif": "a memory for Intel",
    "vhdl": "a ROM in VHDL",
    "verilog": "a ROM in Verilog",
    "c": "a C array",
    "source": "a source",
}


def inspected(request: Request, program: Program, size: int, loaded: Loaded) -> Answer:
    """The summary of a file of `size` bytes, or its listing."""
    found, listing = tuple(loaded.diagnostics), request.flag("listing")
    if request.as_json:
        more: dict[str, object] = {"listing": listed(program)} if listing else {}
        file = summary(program, request.name, size, loaded.form)
        return Answer(data={"file": file, **more, "diagnostics": [to_json(finding) for finding in found]})
    if listing:
        return Answer(text="\n".join(listing_lines(program)) + "\n", first=found)
    return Answer(page=tuple(page(program, request.name, size, loaded.form)), first=found)


def pipes_of(insts: Sequence[Inst]) -> tuple[str, ...]:
    """The pipes of the table, and those of instructions that a device adds."""
    return tuple(dict.fromkeys([*PIPES, *[inst.op.pipe for inst in insts]]))


def listing_lines(program: Program) -> list[str]:
    """Slot, word and text of each instruction."""
    rows = [
        ("slot", "word", "text"),
        *((str(n), f"{word:016X}", line_of(word, program.added)) for n, word in enumerate(program.words)),
    ]
    return columns(rows)


def listed(program: Program) -> list[dict[str, object]]:
    """The same as plain values. Words are texts, as many JSON readers have no integers of 64 bits."""
    return [{"slot": n, "word": f"0x{word:016X}", "text": line_of(word, program.added)} for n, word in enumerate(program.words)]


def summary(program: Program, name: str, size: int, kind: str) -> dict[str, object]:
    """The contents of a program, as plain values."""
    insts = program.insts
    return {
        "name": name,
        "isa": NAME,
        "form": kind,
        "bytes": size,
        "words": len(program.words),
        "slots": SLOTS,
        "hash": f"0x{program.hash:08X}" if kind in ("file", "source") else None,
        "inputs": _declared("v", program.inputs, used_inputs(insts), kind),
        "outputs": _declared("o", program.outputs, used_outputs(insts), kind),
        "constants": [f"c{n}" for n in sorted(_constants(insts))],
        "registers": [f"{file}{n}" for file, n in sorted(_registers(insts)) if file in "rx"],
        "pipes": {pipe: sum(inst.op.pipe == pipe for inst in insts) for pipe in pipes_of(insts)},
    }


def _declared(file: str, usages: tuple[int, ...], used: set[int], kind: str) -> list[dict[str, object]]:
    """Registers that the program uses, or whose usage byte in the header is not 0. Raw words have no usages."""
    named = kind in ("file", "source")
    return [
        {"register": f"{file}{n}", "usage": usage_name(byte) if named else None, "used": n in used}
        for n, byte in enumerate(usages)
        if byte or n in used
    ]


def _sources(insts: list[Inst]) -> list[Source]:
    return [source for inst in insts for source in inst.operands]


def _constants(insts: list[Inst]) -> set[int]:
    return {source.number for source in _sources(insts) if SOURCE_FILES[source.file] == "c"}


def _registers(insts: list[Inst]) -> set[tuple[str, int]]:
    read = [found[:2] for source in _sources(insts) if (found := register(source)) is not None]
    return {*read, *(found[:2] for inst in insts if inst.op.dests and (found := written(inst.dest)) is not None)}


def page(program: Program, name: str, size: int, kind: str) -> list[Block]:
    """The summary as a page."""
    shown = summary(program, name, size, kind)
    insts = program.insts
    blocks: list[Block] = [
        Heading(1, name),
        Paragraph(
            f"ShaderCore, {_FORMS[kind]}, {size} bytes: {len(program.words)} of {SLOTS} slots."
            + (f" Hash {shown['hash']}." if shown["hash"] else "")
        ),
    ]
    named = kind in ("file", "source")
    for title, file, usages, used in (
        ("Inputs", "v", program.inputs, used_inputs(insts)),
        ("Outputs", "o", program.outputs, used_outputs(insts)),
    ):
        rows = tuple(
            (f"{file}{n}", usage_name(byte) if named else "unknown", "" if n in used else "not used by the program")
            for n, byte in enumerate(usages)
            if byte or n in used
        )
        if rows:
            blocks += [Heading(2, title), Table(("register", "usage", ""), rows)]
    registers = [f"{file}{n}" for file, n in sorted(_registers(insts)) if file in "rx"]
    constants = sorted(_constants(insts))
    blocks += [
        Heading(2, "Registers"),
        Table(
            ("file", "used", "of", "which"),
            (
                ("c", str(len(constants)), str(FILES["c"].size), ", ".join(f"c{n}" for n in constants)),
                ("r, x", str(len(registers)), "16", ", ".join(registers)),
            ),
        ),
        Heading(2, "Instructions"),
        Table(
            ("pipe", "instructions"),
            tuple((pipe, str(count)) for pipe in pipes_of(insts) if (count := sum(inst.op.pipe == pipe for inst in insts))),
        ),
    ]
    return blocks
