"""Reference pages of ShaderCore, generated from the table.

Overview, one instruction, the two devices, one word."""

from __future__ import annotations

from lanewise.core.diagrams import bit_diagram
from lanewise.core.document import Fixed, Heading, Items, Paragraph, Table, deeper
from lanewise.core.evidence import CLASSES
from lanewise.core.package import Reference
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.core.topics import on_topic
from lanewise.shadercore.api.services.devices import added_of
from lanewise.shadercore.api.services.machine import machine
from lanewise.shadercore.check.rules import RULES
from lanewise.shadercore.codes import CODES
from lanewise.shadercore.container.header import HEADER_SIZE
from lanewise.shadercore.isa.codec import Dest, Inst, Source, decode, encode
from lanewise.shadercore.isa.paces import ASPECTS, PACE_PARAMETERS, pace_parameters
from lanewise.shadercore.isa.parameters import GROUPS, INSTRUCTIONS, KINDS, PARAMETERS, value_text
from lanewise.shadercore.isa.program import USAGES
from lanewise.shadercore.isa.table import (
    BY_NAME,
    DEST_FILES,
    FILES,
    FORMAT,
    LANES,
    NAME,
    OPS,
    REGISTER_FILES,
    SLOTS,
    SOURCE_FILES,
    TITLE,
    WORD_BITS,
)
from lanewise.shadercore.text.printer import line_of, text_of
from lanewise.shadercore.text.substitutes import substitute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.bits import Field
    from lanewise.core.document import Block
    from lanewise.core.service import Request
    from lanewise.shadercore.isa.parameters import Parameter
    from lanewise.shadercore.isa.table import Op

_PACE_ROWS = tuple([row for row, _, _ in PACE_PARAMETERS.values()])
_MODIFIERS = ("none", "-REG", "abs(REG)", "-abs(REG)")
_GROUP_TITLES = {"time": "Time", "registers": "Registers", "meaning": "Results"}
_NOTES = {
    "shft": "The hardware's unit could also multiply by 4, 8 and 16 and divide by 2, 4, 8 and 16, but no field of the word has "
    "the mode: no instruction selects it (ShaderCore.vhd:834). lanewise has no instructions for these modes.",
    "rcp": "The unit has further modes, 2, 3 and 7, that no opcode selects.",
}


def find_op(text: str) -> Op | None:
    """The row of a name, in any case, or of an opcode from 0 to 31."""
    if text.lower() in BY_NAME:
        return BY_NAME[text.lower()]
    try:
        number = int(text, 0)
    except ValueError:
        return None
    return OPS[number] if 0 <= number < len(OPS) else None


def near_names(text: str) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(text.lower(), list(BY_NAME), 3)


def parameters_of(op: Op) -> list[Parameter]:
    """The device parameters that concern an instruction by itself, but for those of its pace."""
    return [parameter for parameter in PARAMETERS if op.name in parameter.ops]


def syntax(op: Op) -> str:
    return " ".join((op.name, ", ".join(("dest", "a", "b")[: op.dests + op.sources]))).strip()


def example(op: Op) -> tuple[str, int]:
    """A line and its word."""
    if not op.dests:
        inst = Inst(op=op)
    elif op.sources == 1:
        inst = Inst(op=op, dest=Dest(0, 0, 0), a=Source(1, 0, 1))
    else:
        inst = Inst(op=op, dest=Dest(0, 0, 0), a=Source(1, 0, 1), b=Source(2, 4, 3, 1))
    return text_of(inst), encode(inst)


def _latency(op: Op) -> str:
    return str(op.latency) if op.latency else "NotImpl"


def _pipe(name: str) -> tuple[str, str, str, str]:
    """The instructions of a pipe, and their latencies by the specification and in the public hardware."""
    rows = [op for op in OPS if op.pipe == name]
    specified, hardware = dict.fromkeys([_latency(op) for op in rows]), dict.fromkeys([str(op.rtl_latency) for op in rows])
    return name, ", ".join([f"`{op.name}`" for op in rows]), ", ".join(specified), ", ".join(hardware)


# Pages


def overview() -> list[Block]:
    """Registers, instructions, the word, files, the two devices."""
    return [
        Heading(1, f"{NAME}: {TITLE}"),
        Paragraph(
            f"Words of {WORD_BITS} bits, one format, {SLOTS} slots. An instruction writes one component of one register in "
            f"all {LANES} lanes of a wave; nothing branches. `lanewise isa shadercore OPCODE` explains one instruction, "
            "`--evidence` shows the evidence for the two devices."
        ),
        Heading(2, "Registers"),
        Table(
            ("file", "registers", "read", "written", "as source", "as destination", "holds"),
            tuple(
                (
                    row.name,
                    str(row.size),
                    _yes(row.readable),
                    _yes(row.writable),
                    _number(row.name, SOURCE_FILES),
                    _number(row.name, DEST_FILES),
                    row.holds,
                )
                for row in REGISTER_FILES
            ),
        ),
        Heading(2, "Instructions"),
        Paragraph(
            "The instructions of each pipe, with their latencies in cycles; below they are in the order of their opcodes."
        ),
        Table(
            ("pipe", "instructions", "latency", "rtl"), tuple([_pipe(name) for name in dict.fromkeys([op.pipe for op in OPS])])
        ),
        Table(
            ("opcode", "syntax", "pipe", "latency", "rtl", "meaning"),
            tuple((str(op.opcode), f"`{syntax(op)}`", op.pipe, _latency(op), str(op.rtl_latency), op.summary) for op in OPS),
        ),
        Paragraph(
            "`latency` is the specification's, in cycles; `rtl` that of the public hardware. NotImpl counts as 14 on the "
            "device `document`. On another device `NAME_latency`, `NAME_pipe` and `NAME_interval` set them: `--set "
            "mul_latency=3,mul_pipe=ADD`. Every instruction can be saturated (`add_sat`): results below 0 become 0, those "
            "above 1.0 become 1.0. Every source can have a sign or an absolute value; both change only bit 31, of integers too."
        ),
        Heading(2, "Word"),
        Fixed(bit_diagram([field for field in FORMAT.fields if field.low >= 18])),
        Fixed(bit_diagram([field for field in FORMAT.fields if field.low < 18])),
        Table(("modifier", "source"), tuple((str(n), text) for n, text in enumerate(_MODIFIERS))),
        Paragraph(
            "A source that an instruction does not have is 0.x: file 5. All bits 0 would be r0.x, for which the hardware "
            "waits. The word of all zeros is `nop r0.x, r0.x, r0.x`, which clears r0.x on the hardware."
        ),
        Heading(2, "File"),
        Paragraph(f"A header of {HEADER_SIZE} bytes, little endian, then the words. It does not hold constants."),
        Table(
            ("offset", "bytes", "what"),
            (
                ("0", "2", "the letters VS"),
                ("2", "2", "number of words"),
                ("4", "4", "hash of the Direct3D tokens; 0xFFFFFFFF without them"),
                ("8", "8", "usages of v0 to v7: the usage in bits 0-2, its number in bits 3-4"),
                ("16", "8", "usages of o0 to o7"),
                ("24", "8", "0"),
            ),
        ),
        Table(("usage", "name"), tuple((str(n), name) for n, name in enumerate(USAGES))),
        Heading(2, "Document and rtl"),
        Paragraph(
            "The device `document` follows the specification, `rtl` the public hardware. Each difference is a device "
            "parameter: `--set issue_interval=4` selects another value."
        ),
        *_differences(),
    ]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _number(name: str, files: tuple[str, ...]) -> str:
    return str(files.index(name)) if name in files else ""


def _differences() -> list[Block]:
    blocks: list[Block] = []
    for group in GROUPS:
        rows = tuple(
            (f"`{parameter.key}`", parameter.topic, parameter.describe(parameter.document), parameter.describe(parameter.rtl))
            for parameter in PARAMETERS
            if parameter.group == group and parameter.differs
        )
        blocks += [Heading(3, _GROUP_TITLES[group]), Table(("field", "question", "document", "rtl"), rows)]
    return blocks


def op_page(op: Op) -> list[Block]:
    """One instruction."""
    text, word = example(op)
    points = [
        ("meaning", op.summary),
        ("syntax", f"`{syntax(op)}`"),
        ("opcode", str(op.opcode)),
        ("pipe", op.pipe),
        ("latency", f"{_latency(op)} by the specification, {op.rtl_latency} in the public hardware"),
        ("example", f"`{text}` is 0x{word:016X}"),
        ("device parameters", ", ".join([f"`{row.key}`" for row in pace_parameters(op.name)])),
    ]
    if op.aliases:
        points.insert(2, ("also", ", ".join(op.aliases)))
    blocks: list[Block] = [Heading(1, op.name), Items(tuple(points))]
    if op.name in _NOTES:
        blocks.append(Paragraph(_NOTES[op.name]))
    traits = parameters_of(op)
    if traits:
        blocks.append(
            Table(
                ("field", "document", "rtl"), tuple((f"`{t.key}`", t.describe(t.document), t.describe(t.rtl)) for t in traits)
            )
        )
    return blocks


def pages() -> list[Block]:
    """Every instruction, for the generated page."""
    return [Heading(3, block.text) if isinstance(block, Heading) else block for op in OPS for block in op_page(op)]


def evidence(
    parameters: Sequence[Parameter] = PARAMETERS, topic: str = "", paces: Sequence[Parameter] = _PACE_ROWS
) -> list[Block]:
    """Every device parameter with its values and their evidence, those of instructions in a table; on a topic only some."""
    blocks: list[Block] = [
        Heading(1, f"ShaderCore: document and rtl on {topic}" if topic else "ShaderCore: document and rtl"),
        Paragraph(
            f"An answer of `document` is {', '.join(KINDS[:-1])} or {KINDS[-1]}: from the specification, a corrected error "
            f"of it, or our choice where it leaves the question open. An answer of `rtl` is {', '.join(CLASSES[:-1])} or "
            f"{CLASSES[-1]}; measured means run with GHDL."
        ),
    ]
    for group in GROUPS:
        listed = [parameter for parameter in parameters if parameter.group == group]
        if listed:
            blocks.append(Heading(2, _GROUP_TITLES[group]))
        for parameter in listed:
            others = [
                f"{value}: {text}"
                for value, text in parameter.answers.items()
                if value not in (parameter.document, parameter.rtl)
            ]
            points = [
                (
                    "document",
                    (
                        f"`{value_text(parameter.document)}`: {parameter.describe(parameter.document)} ({parameter.kind}: "
                        f"{parameter.reason})"
                    ),
                ),
                (
                    "rtl",
                    (
                        f"`{value_text(parameter.rtl)}`: {parameter.describe(parameter.rtl)} ({parameter.known}: "
                        f"{parameter.source})"
                    ),
                ),
                *(("other", other) for other in others),
            ]
            if not parameter.answers:
                points.append(("values", parameter.values))
            blocks += [Heading(3, parameter.key), Paragraph(parameter.topic), Items(tuple(points))]
    return [*blocks, *_paces(paces)]


def _paces(rows: Sequence[Parameter]) -> list[Block]:
    """The pipe, latency and interval of instructions, with their evidence."""
    if not rows:
        return []
    return [
        Heading(2, "Instructions"),
        Paragraph(
            f"{', '.join(ASPECTS[:-1])} and {ASPECTS[-1]} of an instruction, the same on both devices. An interval is from 4 "
            "to 256 cycles, a latency from 1 to 256."
        ),
        Table(
            ("parameter", "value", "document", "rtl"),
            tuple(
                [
                    (
                        f"`{row.key}`",
                        f"`{value_text(row.rtl)}`: {row.describe(row.rtl)}",
                        f"{row.kind}: {row.reason}",
                        f"{row.known}: {row.source}",
                    )
                    for row in rows
                ]
            ),
        ),
    ]


def word_page(word: int, added: Sequence[Op] = ()) -> list[Block]:
    """The fields of a word."""
    inst = decode(word, added)
    rows = tuple(
        (_bits(field), field.name, f"0x{field.extract(word):X}", field_meaning(inst, field)) for field in FORMAT.fields
    )
    return [Heading(1, f"0x{word:016X}"), Fixed((line_of(word, added),)), Table(("bits", "field", "value", "meaning"), rows)]


def _bits(field: Field) -> str:
    return str(field.low) if field.width == 1 else f"{field.low + field.width - 1}-{field.low}"


def field_meaning(inst: Inst, field: Field) -> str:
    """The meaning of a field's value."""
    first, _, part = field.name.partition("_")
    operand = {"a": inst.a, "b": inst.b}.get(first) if part else None
    match part or field.name:
        case "opcode":
            return inst.op.name
        case "saturate":
            return "the result is cut to 0.0 to 1.0" if inst.dest.saturate else ""
        case "file":
            return SOURCE_FILES[operand.file] if operand else DEST_FILES[inst.dest.file]
        case "number":
            number, name = (
                (operand.number, SOURCE_FILES[operand.file]) if operand else (inst.dest.number, DEST_FILES[inst.dest.file])
            )
            if FILES[name].size == 1:
                return ""
            return f"{name}{number % FILES[name].size}"
        case "component":
            return "xyzw"[operand.component if operand else inst.dest.component]
        case "modifier":
            return _MODIFIERS[operand.modifier] if operand and operand.modifier else ""
        case _:
            return ""


# JSON


def data() -> dict[str, object]:
    """The instruction set as plain values."""
    return {
        "name": NAME,
        "title": TITLE,
        "word_bits": WORD_BITS,
        "slots": SLOTS,
        "lanes": LANES,
        "registers": [row._asdict() for row in REGISTER_FILES],
        "source_files": list(SOURCE_FILES),
        "destination_files": list(DEST_FILES),
        "fields": [{"name": f.name, "low": f.low, "width": f.width, "reserved": f.reserved} for f in FORMAT.fields],
        "instructions": [op_data(op) for op in OPS],
        "usages": list(USAGES),
        "devices": [parameter_data(parameter) for parameter in PARAMETERS],
        "paces": [parameter_data(row) for row in _PACE_ROWS],
    }


def op_data(op: Op) -> dict[str, object]:
    text, word = example(op)
    return {
        "name": op.name,
        "opcode": op.opcode,
        "aliases": list(op.aliases),
        "pipe": op.pipe,
        "latency": op.latency or None,
        "rtl_latency": op.rtl_latency,
        "sources": op.sources,
        "destinations": op.dests,
        "syntax": syntax(op),
        "meaning": op.summary,
        "example": {"text": text, "word": f"0x{word:016X}"},
        "fields_of_devices": [parameter.key for parameter in (*parameters_of(op), *pace_parameters(op.name))],
    }


def parameter_data(parameter: Parameter) -> dict[str, object]:
    return {
        "field": parameter.key,
        "group": parameter.group,
        "question": parameter.topic,
        "answers": dict(parameter.answers),
        "values": parameter.values,
        "document": {"value": value_text(parameter.document), "kind": parameter.kind, "reason": parameter.reason},
        "rtl": {"value": value_text(parameter.rtl), "known": parameter.known, "source": parameter.source},
    }


def word_data(word: int, added: Sequence[Op] = ()) -> dict[str, object]:
    inst = decode(word, added)
    fields = [
        {"name": f.name, "low": f.low, "width": f.width, "value": f.extract(word), "meaning": field_meaning(inst, f)}
        for f in FORMAT.fields
    ]
    return {"word": f"0x{word:016X}", "instruction": inst.op.name, "fields": fields, "text": line_of(word, added)}


# What `lanewise isa` asks for


def _overview() -> tuple[list[Block], dict[str, object]]:
    return overview(), data()


def _instruction(text: str) -> tuple[list[Block], dict[str, object]]:
    """Raises UsageError for an unknown instruction."""
    op = find_op(text)
    if op is None:
        near = near_names(text)
        written = substitute(text)
        hint = f"did you mean {' or '.join(near)}?" if near else f"lanewise isa {NAME} lists them, 0 to {len(OPS) - 1}"
        raise UsageError(f"unknown ShaderCore instruction '{text}': {written or hint}")
    return op_page(op), op_data(op)


def _evidence(topic: str) -> tuple[list[Block], dict[str, object]]:
    found = on_topic(topic, (*PARAMETERS, *_PACE_ROWS), _words_of, BY_NAME)
    parameters, paces = ([row for row in found if (row.group == INSTRUCTIONS) == own] for own in (False, True))
    data: dict[str, object] = {
        "devices": [parameter_data(parameter) for parameter in parameters],
        "paces": [parameter_data(row) for row in paces],
    }
    return evidence(parameters, topic, paces), data


def _words_of(parameter: Parameter) -> tuple[str, ...]:
    """The words of a device parameter in which topics are searched."""
    of_document = (value_text(parameter.document), parameter.kind, parameter.reason)
    of_rtl = (value_text(parameter.rtl), parameter.known, parameter.source)
    return (*parameter.answers, *parameter.answers.values(), *of_document, *of_rtl)


def _decode(request: Request) -> tuple[list[Block], dict[str, object]]:
    """Raises UsageError for a text that is not a machine word."""
    text = request.text("decode")
    digits = text.lower().removeprefix("0x")
    word = int(digits, 16) if digits and all(c in "0123456789abcdef" for c in digits) else -1  # as listings show words
    if not 0 <= word < 1 << WORD_BITS:
        raise UsageError(f"--decode {text}: expected a word of {WORD_BITS} bits such as 0x00000001400280C0")
    added = added_of(request)
    return word_page(word, added), word_data(word, added)


def _document() -> list[Block]:
    """The instruction set, its devices, every instruction, the evidence."""
    blocks = [*overview(), Heading(2, "Instructions one by one"), *pages(), Heading(2, "Evidence")]
    return [*blocks, *deeper(evidence()[1:])]


def _rules() -> list[Block]:
    """Every rule of `lanewise check`, with the device parameter that it depends on."""
    rows = tuple(
        (
            f"[{rule.code}](diagnostics.md#{rule.code.lower()})",
            CODES[rule.code].title,
            rule.severity,
            f"{rule.key}={rule.value}" if rule.key else "always",
            CODES[rule.code].known or "-",
        )
        for rule in RULES
    )
    return [
        Heading(2, "ShaderCore"),
        Paragraph(
            "A rule holds on devices with the parameter value shown ([shadercore.md](shadercore.md) lists all parameters), "
            "or on every device. The findings about sizes, END and code after it (V201-V203) hold on every device."
        ),
        Table(("code", "what", "severity", "holds where", "evidence"), rows),
    ]


REFERENCE = Reference(
    overview=_overview,
    instruction=_instruction,
    evidence=_evidence,
    decode=_decode,
    document=_document,
    rules=_rules,
    machine=machine,
)
