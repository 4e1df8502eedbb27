"""`lanewise isa`: what an instruction set has, an instruction's page, the evidence, the fields of a word."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lanewise.direct3d9.isa import table as direct3d9
from lanewise.direct3d9.isa.choices import CHOICES
from lanewise.pica200.isa.facts import FACTS
from lanewise.pica200.isa.table import (
    COMPARISONS,
    CONDITIONS,
    DEVICES,
    FORMATS,
    INDEX_NAMES,
    OPS,
    PICA200,
    REGISTER_FILES,
    SEMANTICS,
    UNKNOWN,
    Descriptor,
)
from lanewise.shadercore.isa import table as shadercore
from lanewise.shadercore.isa.devices import TRAITS
from lanewise.tools import direct3d9_evidence, direct3d9_reference, reference, shadercore_reference
from lanewise.tools.console import OK, UsageError, add_format, make_parser, use_colour
from lanewise.tools.document import Heading, Table, as_text

if TYPE_CHECKING:
    import argparse

    from lanewise.core.bits import Field
    from lanewise.pica200.isa.table import Op
    from lanewise.tools.document import Block

ISAS = {PICA200.name: PICA200.title, shadercore.NAME: shadercore.TITLE, direct3d9.NAME: direct3d9.TITLE}

_EPILOG = """examples:
  lanewise isa                              the instruction sets
  lanewise isa pica200                      registers, instructions, formats, limits
  lanewise isa pica200 mad                  one instruction, by name (any case)
  lanewise isa pica200 0x13                 or by the upper six bits of its words
  lanewise isa pica200 --evidence           what is measured, inferred, unknown; the fields of profiles
  lanewise isa pica200 --decode 0x4C201000  the fields of a word
  lanewise isa pica200 --decode 0x4C201000 --descriptor 0x36F
  lanewise isa shadercore                   the same for ShaderCore; --evidence compares its two devices
  lanewise isa direct3d9 texld              an instruction of Direct3D 9 shaders, in every version
  lanewise isa direct3d9 --evidence         what is open about them, and how a run answers it

Exit codes: 0 found, 2 no such instruction set, instruction or word, or otherwise wrong usage."""


def parser() -> argparse.ArgumentParser:
    made = make_parser("lanewise isa", "Look up an instruction set, an instruction or a word.", _EPILOG)
    made.add_argument("isa", nargs="?", metavar="ISA", help="an instruction set; without it they are listed")
    made.add_argument("opcode", nargs="?", metavar="OPCODE", help="a mnemonic, or an opcode such as 0x13")
    made.add_argument("--evidence", action="store_true", help="how well the behaviour is known, and from where")
    made.add_argument("--decode", metavar="WORD", help="the fields of a word, in hexadecimal")
    made.add_argument("--descriptor", metavar="WORD", help="the operand descriptor of the word that is decoded")
    add_format(made)
    return made


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    if sum((options.opcode is not None, options.evidence, options.decode is not None)) > 1:
        raise UsageError("an OPCODE, --evidence and --decode each ask for something of its own: use one of them")
    if options.descriptor is not None and options.decode is None:
        raise UsageError("--descriptor belongs to --decode WORD")
    if options.isa is None:
        if options.evidence or options.decode is not None:
            raise UsageError(f"name the instruction set: lanewise isa {' or '.join(ISAS)} ...")
        _show(_listed(), {"isas": [{"name": name, "title": title} for name, title in ISAS.items()]}, options.format)
        return OK
    if options.isa.lower() not in ISAS:
        raise UsageError(f"there is no instruction set '{options.isa}': lanewise isa lists them ({', '.join(ISAS)})")
    if options.isa.lower() == shadercore.NAME:
        _shadercore(options)
    elif options.isa.lower() == direct3d9.NAME:
        _direct3d9(options)
    elif options.evidence:
        _show(reference.evidence(), {"facts": [reference.fact_data(fact) for fact in FACTS]}, options.format)
    elif options.decode is not None:
        word = _word(options.decode, "--decode")
        descriptor = None if options.descriptor is None else _word(options.descriptor, "--descriptor")
        _show(reference.word_page(word, descriptor), decoded(word, descriptor), options.format)
    elif options.opcode is not None:
        op = _op(options.opcode)
        _show(reference.op_page(op), described(op), options.format)
    else:
        _show(reference.overview(), overview(), options.format)
    return OK


def _shadercore(options: argparse.Namespace) -> None:
    """What is asked for of ShaderCore. Raises UsageError."""
    if options.descriptor is not None:
        raise UsageError("ShaderCore has no operand descriptors")
    if options.evidence:
        data: dict[str, object] = {"devices": [shadercore_reference.trait_data(trait) for trait in TRAITS]}
        _show(shadercore_reference.evidence(), data, options.format)
    elif options.decode is not None:
        word = _word(options.decode, "--decode", shadercore.WORD_BITS, "0x00000001400280C0")
        _show(shadercore_reference.word_page(word), shadercore_reference.word_data(word), options.format)
    elif options.opcode is not None:
        op = shadercore_reference.find_op(options.opcode)
        if op is None:
            near = shadercore_reference.near_names(options.opcode)
            hint = f"did you mean {' or '.join(near)}?" if near else f"lanewise isa {shadercore.NAME} lists them, 0 to 31"
            raise UsageError(f"{shadercore.NAME} has no instruction '{options.opcode}': {hint}")
        _show(shadercore_reference.op_page(op), shadercore_reference.op_data(op), options.format)
    else:
        _show(shadercore_reference.overview(), shadercore_reference.data(), options.format)


def _direct3d9(options: argparse.Namespace) -> None:
    """What is asked for of Direct3D 9. Raises UsageError."""
    if options.decode is not None or options.descriptor is not None:
        raise UsageError("--decode is for pica200 and shadercore: lanewise inspect FILE --listing shows the words of a shader")
    if options.evidence:
        data: dict[str, object] = {"choices": [direct3d9_evidence.choice_data(choice) for choice in CHOICES]}
        _show(direct3d9_evidence.evidence(), data, options.format)
        return
    if options.opcode is None:
        _show(direct3d9_reference.overview(), direct3d9_reference.data(), options.format)
        return
    op = direct3d9_reference.find_op(options.opcode)
    if op is None:
        near = direct3d9_reference.near_names(options.opcode)
        hint = f"did you mean {' or '.join(near)}?" if near else f"lanewise isa {direct3d9.NAME} lists them"
        raise UsageError(f"{direct3d9.NAME} has no instruction '{options.opcode}': {hint}")
    blocks, described_op = direct3d9_reference.op_page(op), direct3d9_reference.op_data(op)
    for choice in direct3d9_evidence.choices_of(op):
        blocks += direct3d9_evidence.told(choice, 2)
    described_op["choices"] = [choice.key for choice in direct3d9_evidence.choices_of(op)]
    _show(blocks, described_op, options.format)


def _show(blocks: list[Block], data: dict[str, object], style: str) -> None:
    if style == "json":
        import json

        print(json.dumps(data, indent=2))
    else:
        print(as_text(blocks, colour=use_colour(sys.stdout)), end="")


def _listed() -> list[Block]:
    return [Heading(1, "Instruction sets"), Table(("name", "what"), tuple(ISAS.items()))]


def _op(text: str) -> Op:
    op = reference.find_op(text)
    if op is not None:
        return op
    number = reference.parse_number(text)
    if number >= 0:
        raise UsageError(f"opcodes are 0x00 to 0x3F, the upper six bits of a word: for a whole word use --decode {text}")
    near = reference.near_names(text)
    hint = f"did you mean {' or '.join(near)}?" if near else f"lanewise isa {PICA200.name} lists them"
    raise UsageError(f"{PICA200.name} has no instruction '{text}': {hint}")


def _word(text: str, option: str, bits: int = 32, example: str = "0x4C201000") -> int:
    digits = text.lower().removeprefix("0x")
    number = int(digits, 16) if digits and all(c in "0123456789abcdef" for c in digits) else -1  # as listings show words
    if not 0 <= number < 1 << bits:
        raise UsageError(f"{option} takes a word of {bits} bits such as {example}, not '{text}'")
    return number


# JSON


def _fields(fields: tuple[Field, ...]) -> list[dict[str, object]]:
    return [{"name": f.name, "low": f.low, "width": f.width, "reserved": f.reserved} for f in fields]


def overview() -> dict[str, object]:
    """The instruction set as plain values."""
    registers = [
        {
            "letter": letter,
            "first": first,
            "count": count,
            "written_by_shader": writable,
            "read_by_shader": readable,
            "writer": writer,
        }
        for letter, first, count, writable, readable, writer in REGISTER_FILES
    ]
    return {
        "name": PICA200.name,
        "title": PICA200.title,
        "word_bits": PICA200.word_bits,
        "registers": registers,
        "formats": [{"name": form.name, "fields": _fields(form.fields)} for form in FORMATS],
        "descriptor": _fields(Descriptor.FIELDS),
        "instructions": [described(op) for op in OPS],
        "index_registers": list(INDEX_NAMES),
        "comparisons": list(COMPARISONS),
        "conditions": list(CONDITIONS),
        "semantics": list(SEMANTICS),
        "devices": [device._asdict() for device in DEVICES],
    }


def described(op: Op) -> dict[str, object]:
    """An instruction as plain values."""
    mask, value = op.match
    data: dict[str, object] = {
        "name": op.name,
        "base": op.base,
        "format": op.format.name,
        "fields": _fields(op.format.fields),
        "mask": mask,
        "value": value,
        "operands": list(op.operands),
        "syntax": reference.syntax(op),
        "meaning": reference.meaning(op),
        "writes": list(op.writes),
        "wide_source": reference.wide_source(op),
        "ignored_descriptor_bits": reference.ignored(op)[0],
        "source": op.source,
        "unproven": op.unproven,
        "facts": [fact.key for fact in reference.facts_of(op)],
        "diagnostics": reference.hazards_of(op),
    }
    if op is UNKNOWN:
        return data | {"mask": 0, "value": 0}
    return data | {"example": reference.example(op)._asdict()}


def decoded(word: int, descriptor: int | None) -> dict[str, object]:
    """A word as plain values."""
    from lanewise.pica200.isa.codec import decode

    inst = decode(word)
    fields = [
        {"name": f.name, "low": f.low, "width": f.width, "value": value, "meaning": reference.field_meaning(inst, f, value)}
        for f, value in zip(inst.op.format.fields, inst.values, strict=True)
    ]
    text = reference.word_text(word, descriptor)
    return {
        "word": word,
        "descriptor": descriptor,
        "instruction": inst.op.name,
        "format": inst.op.format.name,
        "fields": fields,
        "text": text,
    }
