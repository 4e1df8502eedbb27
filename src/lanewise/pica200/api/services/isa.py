"""The reference of the PICA200 for `lanewise isa`: pages and the same as plain data."""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE
from lanewise.core.document import Heading, Paragraph, Table, deeper
from lanewise.core.package import Reference
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.core.topics import on_topic
from lanewise.pica200.api.services import reference
from lanewise.pica200.check.rules import ASSIGNMENT_RULES, GRAPH_RULES, PATH_RULES, PROGRAM_RULES, WORD_RULES
from lanewise.pica200.codes import CODES
from lanewise.pica200.isa.facts import EMULATORS, FACTS
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
from lanewise.pica200.text.picasso.syntax import INSTEAD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.bits import Field
    from lanewise.core.document import Block
    from lanewise.core.service import Request
    from lanewise.pica200.isa.facts import Fact
    from lanewise.pica200.isa.table import Op

    Page = tuple[Sequence[Block], Mapping[str, object]]


def _overview() -> Page:
    return reference.overview(), overview()


def _evidence(topic: str) -> Page:
    facts = on_topic(topic, FACTS, _words_of, [op.name for op in OPS])
    return reference.evidence(facts, topic), {"facts": [reference.fact_data(fact) for fact in facts]}


def _words_of(fact: Fact) -> tuple[str, ...]:
    """The words of a fact in which topics are searched."""
    others = [name for name in EMULATORS if fact.value(name) != fact.default]
    return (*fact.answers, *fact.answers.values(), fact.known, fact.source, *fact.others, *others)


def _instruction(text: str) -> Page:
    op = _op(text)
    return reference.op_page(op), described(op)


def _decode(request: Request) -> Page:
    word = word_of(request.text("decode"), "--decode")
    descriptor = word_of(request.text("descriptor"), "--descriptor") if request.has("descriptor") else None
    return reference.word_page(word, descriptor), decoded(word, descriptor)


def _op(text: str) -> Op:
    """An instruction by its name or opcode. Raises UsageError."""
    op = reference.find_op(text)
    if op is not None:
        return op
    number = reference.parse_number(text)
    if number >= 0:
        raise UsageError(f"opcodes are 0x00 to 0x3F, the upper six bits of a word: for a whole word use --decode {text}")
    near = reference.near_names(text)
    if text.lower() in INSTEAD:
        raise UsageError(f"unknown PICA200 instruction '{text}': {INSTEAD[text.lower()]}")
    hint = f"did you mean {' or '.join(near)}?" if near else f"lanewise isa {PICA200.name} lists them"
    raise UsageError(f"unknown PICA200 instruction '{text}': {hint}")


def word_of(text: str, option: str, bits: int = 32, example: str = "0x4C201000") -> int:
    """A machine word in hexadecimal, with or without 0x. Raises UsageError."""
    digits = text.lower().removeprefix("0x")
    number = int(digits, 16) if digits and all(c in "0123456789abcdef" for c in digits) else -1  # as listings show words
    if not 0 <= number < 1 << bits:
        raise UsageError(f"{option} takes a word of {bits} bits such as {example}, not '{text}'")
    return number


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
        "findings": reference.hazards_of(op),
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


def _document() -> list[Block]:
    """The instruction set, every instruction, the evidence."""
    blocks = [*reference.overview(), Heading(2, "Instructions one by one"), *reference.pages(OPS), Heading(2, "Evidence")]
    return [*blocks, *deeper(reference.evidence()[1:])]


def _rules() -> list[Block]:
    """Every rule of `lanewise check`."""
    found: dict[str, tuple[str, str]] = {}
    for title, listed in (
        ("single words", WORD_RULES),
        ("paths through the program", (*PATH_RULES, *ASSIGNMENT_RULES, *GRAPH_RULES)),
        ("the whole file", PROGRAM_RULES),
    ):
        for rule in listed:
            found.setdefault(rule.code, (rule.severity, title))
    found |= dict.fromkeys(("V105", "V106"), (NOTE, "the assembler")) | {"V107": (NOTE, "comments")}
    rows = tuple(
        (f"[{code}](diagnostics.md#{code.lower()})", CODES[code].title, severity, looks, CODES[code].known or "-")
        for code, (severity, looks) in sorted(found.items())
    )
    return [
        Heading(2, "PICA200"),
        Paragraph(
            "`looks at` is what a rule examines; `evidence`, how well it is known that the hardware minds. The assembler's "
            "own findings about sources are in [diagnostics.md](diagnostics.md) too."
        ),
        Table(("code", "what", "severity", "looks at", "evidence"), rows),
    ]


REFERENCE = Reference(
    overview=_overview, instruction=_instruction, evidence=_evidence, decode=_decode, document=_document, rules=_rules
)
