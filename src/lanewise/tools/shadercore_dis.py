"""`lanewise dis` and `lanewise inspect` for ShaderCore files."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import to_json
from lanewise.core.document import Heading, Paragraph, Table, as_text, columns
from lanewise.shadercore.container.header import form_of
from lanewise.shadercore.isa.program import usage_name, used_inputs, used_outputs
from lanewise.shadercore.isa.table import FILES, PIPES, SLOTS, SOURCE_FILES, register, written
from lanewise.shadercore.text.printer import line_of, print_program
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, STDIO, print_findings, refuse_overwriting, use_colour, write_bytes
from lanewise.tools.options import stem_of
from lanewise.tools.shadercore_files import converted, load_bytes

if TYPE_CHECKING:
    from lanewise.core.document import Block
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.table import Inst, Source

_FORMS = {
    "file": "a file with a header",
    "words": "words alone",
    "hex": "words as hexadecimal text",
    "c": "a C array",
    "source": "a source",
}


def disassemble(
    data: bytes,
    path: str,
    form: str | None,
    *,
    output: str | None,
    listing: bool,
    target: str | None,
    name: str | None,
    style: str,
) -> int:
    """The source of a file, its listing, or its words in another form. The exit code."""
    loaded = load_bytes(data, path, form)
    print_findings(loaded.diagnostics)
    program = loaded.program
    if program is None:
        return INPUT_HAS_ERRORS
    refuse_overwriting([path], [output or STDIO])
    if target is not None:
        made = converted(program, target, name or stem_of(path))
    elif listing:
        made = ("\n".join(listing_lines(program)) + "\n").encode()
    elif style == "json":
        made = (
            json.dumps({"sources": [{"name": f"{stem_of(path)}.sc", "text": print_program(program)}]}, indent=2) + "\n"
        ).encode()
    else:
        made = print_program(program).encode()
    write_bytes(output or STDIO, made)
    return OK


def inspect(data: bytes, path: str, form: str | None, *, listing: bool, style: str) -> int:
    """What a file holds. The exit code."""
    loaded = load_bytes(data, path, form)
    program = loaded.program
    if program is None:
        print_findings(loaded.diagnostics, style, sys.stdout if style == "json" else None)
        return INPUT_HAS_ERRORS
    name = "<stdin>" if path == STDIO else path
    kind = "source" if loaded.source else form or form_of(data)
    if style == "json":
        more: dict[str, object] = {"listing": listed(program)} if listing else {}
        shown = {
            "file": summary(program, name, len(data), kind),
            **more,
            "diagnostics": [to_json(d) for d in loaded.diagnostics],
        }
        print(json.dumps(shown, indent=2))
        return OK
    print_findings(loaded.diagnostics)
    if listing:
        print("\n".join(listing_lines(program)))
    else:
        print(as_text(page(program, name, len(data), kind), colour=use_colour(sys.stdout)), end="")
    return OK


def listing_lines(program: Program) -> list[str]:
    """Slot, word and text of each instruction."""
    rows = [("slot", "word", "text"), *((str(n), f"{word:016X}", line_of(word)) for n, word in enumerate(program.words))]
    return columns(rows)


def listed(program: Program) -> list[dict[str, object]]:
    """The same as plain values. Words are texts: JSON readers may know no integers of 64 bits."""
    return [{"slot": n, "word": f"0x{word:016X}", "text": line_of(word)} for n, word in enumerate(program.words)]


def summary(program: Program, name: str, size: int, kind: str) -> dict[str, object]:
    """What a program is, as plain values."""
    insts = program.insts
    return {
        "name": name,
        "isa": "shadercore",
        "form": kind,
        "bytes": size,
        "words": len(program.words),
        "slots": SLOTS,
        "hash": f"0x{program.hash:08X}" if kind in ("file", "source") else None,
        "inputs": _declared("v", program.inputs, used_inputs(insts), kind),
        "outputs": _declared("o", program.outputs, used_outputs(insts), kind),
        "constants": [f"c{n}" for n in sorted(_constants(insts))],
        "registers": [f"{file}{n}" for file, n in sorted(_registers(insts)) if file in "rx"],
        "pipes": {pipe: sum(inst.op.pipe == pipe for inst in insts) for pipe in PIPES},
    }


def _declared(file: str, usages: tuple[int, ...], used: set[int], kind: str) -> list[dict[str, object]]:
    """Registers that the program uses, or of which the header says something other than 0. Words alone say no usage."""
    told = kind in ("file", "source")
    return [
        {"register": f"{file}{n}", "usage": usage_name(byte) if told else None, "used": n in used}
        for n, byte in enumerate(usages)
        if byte or n in used
    ]


def _sources(insts: list[Inst]) -> list[Source]:
    return [source for inst in insts for source in (inst.a, inst.b)[: inst.op.sources]]


def _constants(insts: list[Inst]) -> set[int]:
    return {source.number for source in _sources(insts) if SOURCE_FILES[source.file] == "c"}


def _registers(insts: list[Inst]) -> set[tuple[str, int]]:
    read = [found[:2] for source in _sources(insts) if (found := register(source)) is not None]
    return {*read, *(found[:2] for inst in insts if inst.op.dests and (found := written(inst.dest)) is not None)}


def page(program: Program, name: str, size: int, kind: str) -> list[Block]:
    shown = summary(program, name, size, kind)
    insts = program.insts
    blocks: list[Block] = [
        Heading(1, name),
        Paragraph(f"ShaderCore, {_FORMS[kind]}, {size} bytes: {len(program.words)} of {SLOTS} slots."
                  + (f" Hash {shown['hash']}." if shown["hash"] else "")),
    ]  # fmt: skip
    told = kind in ("file", "source")
    for title, file, usages, used in (
        ("Inputs", "v", program.inputs, used_inputs(insts)),
        ("Outputs", "o", program.outputs, used_outputs(insts)),
    ):
        rows = tuple(
            (f"{file}{n}", usage_name(byte) if told else "not said", "" if n in used else "not used by the program")
            for n, byte in enumerate(usages)
            if byte or n in used
        )
        if rows:
            blocks += [Heading(2, title), Table(("register", "usage", ""), rows)]
    registers = [f"{file}{n}" for file, n in sorted(_registers(insts)) if file in "rx"]
    constants = sorted(_constants(insts))
    blocks += [
        Heading(2, "Registers"),
        Table(("file", "used", "of", "which"), (
            ("c", str(len(constants)), str(FILES["c"].size), ", ".join(f"c{n}" for n in constants)),
            ("r, x", str(len(registers)), "16", ", ".join(registers)),
        )),
        Heading(2, "Instructions"),
        Table(("pipe", "instructions"), tuple((pipe, str(count)) for pipe in PIPES if (count := sum(inst.op.pipe == pipe for inst in insts)))),
    ]  # fmt: skip
    return blocks
