"""The reference pages of the PICA200, made from its table: overview, one instruction, the evidence, one word.

Everything here follows from `isa.table`, `isa.facts`, `sem.influence`, `check.about`, the codes and the picasso reader.
"""

from __future__ import annotations

from lanewise.core.diagrams import bit_diagram
from lanewise.core.document import Fixed, Heading, Items, Paragraph, Table
from lanewise.core.evidence import CLASSES, MEASURED
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.check.about import ABOUT
from lanewise.pica200.codes import CODES
from lanewise.pica200.isa.codec import decode, row_of
from lanewise.pica200.isa.encoder import INVERTED
from lanewise.pica200.isa.facts import CHOICES, EMULATORS, FACTS
from lanewise.pica200.isa.lift import lift_word
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    BY_NAME,
    COMPARISONS,
    COMPONENTS,
    CONDITIONS,
    DEVICES,
    FORMATS,
    INDEX_NAMES,
    LOOP,
    OPS,
    PICA200,
    REGISTER_FILES,
    SEMANTICS,
    UNKNOWN,
    WIDE_SOURCE,
    Descriptor,
    register_name,
)
from lanewise.pica200.sem.influence import descriptor_bits_read, slots_read
from lanewise.pica200.text.picasso.faults import form
from lanewise.pica200.text.picasso.printer import Names, Printer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.bits import Field
    from lanewise.core.document import Block
    from lanewise.core.table import Format
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.isa.facts import Fact
    from lanewise.pica200.isa.table import Op

_OTHER_NAMES = {"loop": "for"}  # 3dbrew's names where picasso's differ
_PARTS = ("first", "second", "third")


class Example(Record):
    """A line of the picasso language with the words it gives; `descriptor` is None where the instruction has none."""

    text: str
    word: int
    descriptor: int | None


# Looking up


def find_op(text: str) -> Op | None:
    """The row of a mnemonic (any case, 3dbrew's names too) or of an opcode 0x00-0x3F, the upper six bits of a word."""
    name = text.lower()
    name = _OTHER_NAMES.get(name, name)
    if name in BY_NAME:
        return BY_NAME[name]
    number = parse_number(text)
    return row_of(number << 26) if 0 <= number < 64 else None


def parse_number(text: str) -> int:
    """A number as C or Python write it, or -1."""
    try:
        return int(text, 0)
    except ValueError:
        return -1


def near_names(text: str) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(text.lower(), [*BY_NAME, *_OTHER_NAMES], 3)


# What the table says about a row


def opcodes(op: Op) -> tuple[int, int]:
    """First and last value of a word's upper six bits that an instruction has."""
    mask, value = op.match
    return value >> 26, (value | ~mask & 0xFFFFFFFF) >> 26


def _opcode_text(op: Op) -> str:
    first, last = opcodes(op)
    return f"0x{first:02X}" if first == last else f"0x{first:02X}-0x{last:02X}"


def syntax(op: Op) -> str:
    """How an instruction is written; a block instruction with the lines that belong to it."""
    line = form(op)
    return line if "block" not in op.operands else f"{line} ... {'' if op.kind == LOOP else '[.else ...] '}.end"


def meaning(op: Op) -> str:
    return op.summary if op.base == op.name else f"{op.summary}: {BY_NAME[op.base].summary}"


def wide_source(op: Op) -> int:
    """The source (1 to 3) that may be a uniform or indexed; 0 if the instruction has no sources."""
    return WIDE_SOURCE.get(op.format.name, 0) if op.source_count else 0


def source_ranges(op: Op) -> list[str]:
    wide = wide_source(op)
    narrow, full = "v0-v15, r0-r15", "v0-v15, r0-r15, c0-c95; float uniforms may be indexed by a0.x, a0.y, aL"
    return [full if n == wide else narrow for n in range(1, op.source_count + 1)]


def written(op: Op) -> str:
    if not op.writes:
        return "no register"
    flags = "cmp.x and cmp.y, " + ("under a mask too (unproven)" if "mask" in op.unproven else "whatever the mask")
    names = {"dst": "dst, under the write mask", "cmp": flags, "a0": "a0.x and a0.y, under the write mask"}
    return "; ".join(names[part] for part in op.writes)


def ignored(op: Op) -> tuple[int, list[str]]:
    """The descriptor bits that an instruction never looks at, and the same in words. (0, []) if it has no descriptor."""
    if op.kind != ARITHMETIC:
        return 0, []
    looked_at = 0
    for mask in range(16):
        looked_at |= descriptor_bits_read(op, mask)
    said: list[str] = []
    unmasked = "".join(c for i, c in enumerate(COMPONENTS) if not looked_at & Descriptor.MASK.insert(8 >> i))
    if unmasked:
        said.append("the write mask" if unmasked == COMPONENTS else f"the bits of {' and '.join(unmasked)} in the write mask")
    for n in range(3):
        read = slots_read(op)[n] if n < op.source_count else ()
        if not read:
            missing = ", which it does not have" if n >= op.source_count else ""
            said.append(f"sign and selector of the {_PARTS[n]} source{missing}")
        elif len(read) < 4:
            said.append(f"{_slots_text(set(range(4)).difference(read))} of the {_PARTS[n]} source")
    return ~looked_at & 0xFFFFFFFF, said + _ignored_under_masks(op)


def _ignored_under_masks(op: Op) -> list[str]:
    """The slots that an instruction reads only if the write mask enables the component of the same number."""
    sources = range(op.source_count)
    left_out = [
        {
            slot
            for slot in slots_read(op)[n]
            if all((slot in slots_read(op, mask)[n]) == bool(mask & 8 >> slot) for mask in range(16))
        }
        for n in sources
    ]
    if all(left_out[n] == set(slots_read(op)[n]) for n in sources):
        return ["selector slots of components that the write mask leaves out"]
    return [
        f"{_slots_text(left_out[n])} of the {_PARTS[n]} source where the write mask leaves that component out"
        for n in sources
        if left_out[n]
    ]


def _slots_text(slots: set[int]) -> str:
    return f"selector slot{'s' if len(slots) > 1 else ''} {', '.join(map(str, sorted(slots)))}"


def is_open(op: Op) -> bool:
    """Whether something about an instruction's result has not been measured."""
    return bool(op.unproven) or any(fact.known != MEASURED for fact in facts_of(op))


def facts_of(op: Op) -> list[Fact]:
    return [fact for fact in FACTS if op.name in fact.ops]


def hazards_of(op: Op) -> list[str]:
    """Codes of the findings that can be about an instruction."""
    return sorted(code for code, is_about in ABOUT.items() if is_about(op))


# Examples


def example(op: Op) -> Example:
    """A line that assembles to this row. Raises ValueError for a row that no line gives, such as `.word`."""
    text = example_line(op)
    block = "block" in op.operands
    body = [".proc there", "nop", ".end", ".proc main", text, *(("nop", ".end") if block else ()), "there:", "end", ".end"]
    done = assemble_sources([("", "\n".join(body))])
    for word in done.encoded.words:
        if row_of(word) is op:
            if op.kind != ARITHMETIC:
                return Example(text, word, None)
            return Example(text, word, done.encoded.descriptors[decode(word).field("desc")])
    raise ValueError(f"{text!r} gives no {op.name}")


def example_line(op: Op) -> str:
    """One operand of each kind; the wide source is a uniform."""
    wide = wide_source(op)
    narrow = iter(("v1", "r2.yzwx", "r3"))
    parts: list[str] = []
    source = 0
    for kind in op.operands:
        if kind == "src":
            source += 1
            parts.append("-c4.x" if source == wide and op.source_count == 1 else "c4" if source == wide else next(narrow))
        elif kind == "cmp":
            parts.append("lt" if "lt" not in parts else "ge")
        elif kind != "block":
            parts.append(
                {
                    "dst": "r0.xyz",
                    "adr": "a0.x",
                    "cond": "cmp.x && !cmp.y",
                    "bool": "b3",
                    "int": "i1",
                    "target": "there",
                    "vertex": "2, prim",
                    "word": "0x40000000",
                }[kind]
            )
    return f"{op.name} {', '.join(parts)}".strip()


# Pages


def overview() -> list[Block]:
    """Registers, formats, instructions, descriptors, devices, operators."""
    return [
        Heading(1, f"{PICA200.name}: {PICA200.title}"),
        Paragraph(
            "Words of 32 bits. Arithmetic works on vectors of four float24 numbers; an operand descriptor beside the code "
            "gives write mask, swizzles and signs. `lanewise isa pica200 OPCODE` explains one instruction, `--evidence` says "
            "how well the behaviour is known."
        ),
        Heading(2, "Registers"),
        Table(("registers", "numbers", "shader", "written by"), tuple(_register_rows())),
        Heading(2, "Instructions"),
        Table(
            ("opcode", "format", "open", "syntax", "meaning"),
            tuple(
                (_opcode_text(op), op.format.name, "yes" if is_open(op) else "", f"`{syntax(op)}`", op.summary)
                for op in _by_opcode()
            ),
        ),
        Paragraph(
            f"Every other word is kept as `.word`: {UNKNOWN.source}. Opcodes are the upper six bits. "
            "`open`: something about the result is not measured; the instruction's page says what."
        ),
        Heading(2, "Formats"),
        *(block for form in FORMATS for block in _format(form)),
        Heading(2, "Operand descriptor"),
        Fixed(bit_diagram(Descriptor.FIELDS)),
        Paragraph(
            "Bit 3 of `mask` is x, bit 0 is w. A selector names a component (0 x, 1 y, 2 z, 3 w) for each of four slots, "
            "slot 0 in its upper two bits: 0x1B is .xyzw. `neg` negates the source."
        ),
        Heading(2, "Relative addressing"),
        Table(("idx", "adds"), tuple((str(n), name or "nothing") for n, name in enumerate(INDEX_NAMES))),
        Heading(2, "Comparison operators of cmp"),
        Table(
            ("value", "operator"),
            tuple((str(n), name if n < 6 else "no name; always true here") for n, name in enumerate(COMPARISONS)),
        ),
        Heading(2, "Conditions"),
        Table(
            ("condop", "name", "holds if"),
            tuple(
                (str(n), name, rule)
                for n, (name, rule) in enumerate(
                    zip(
                        CONDITIONS,
                        ("cmp.x == refx or cmp.y == refy", "cmp.x == refx and cmp.y == refy", "cmp.x == refx", "cmp.y == refy"),
                        strict=True,
                    )
                )
            ),
        ),
        Heading(2, "Devices"),
        Table(
            ("unit", "words", "descriptors", "for mad", "outputs", "CALL", "IF", "LOOP", "source"),
            tuple(
                (
                    d.name,
                    str(d.code_words),
                    str(d.descriptors),
                    str(d.mad_descriptors),
                    str(d.outputs),
                    str(d.call_depth),
                    str(d.if_depth),
                    str(d.loop_depth),
                    d.source,
                )
                for d in DEVICES
            ),
        ),
        Heading(2, "Output properties"),
        Paragraph(", ".join(f"{n} {name}" for n, name in enumerate(SEMANTICS) if not name.isdigit())),
    ]


def _by_opcode() -> list[Op]:
    return sorted(OPS, key=opcodes)


def _register_rows() -> list[tuple[str, str, str, str]]:
    rows: list[tuple[str, str, str, str]] = []
    for letter, first, count, writable, readable, writer in REGISTER_FILES:
        access = "reads and writes" if writable and readable else "writes" if writable else "reads" if readable else "-"
        rows.append((f"{letter}0-{letter}{count - 1}", f"0x{first:02X}-0x{first + count - 1:02X}", access, writer))
    rows.append(("a0.x a0.y", "idx 1, 2", "writes by mova, adds to c", "shader"))
    rows.append(("aL", "idx 3", "adds to c", "for"))
    rows.append(("cmp.x cmp.y", "", "writes by cmp and litp, tests", "shader"))
    return rows


def _format(form: Format) -> list[Block]:
    names = [op.name for op in _by_opcode() if op.format is form]
    return [Heading(3, f"Format {form.name}"), Fixed(bit_diagram(form.fields)), Paragraph(" ".join(names))]


def op_page(op: Op) -> list[Block]:
    """All there is to say about one instruction."""
    values = {"opcode": op.opcode} if op is not UNKNOWN else None
    blocks: list[Block] = [
        Heading(1, op.name),
        Paragraph(f"opcode {_opcode_text(op)}, format {op.format.name}" if op is not UNKNOWN else "any word without a row"),
        Fixed(bit_diagram(op.format.fields, values)),
    ]
    if op is UNKNOWN:
        return [
            *blocks,
            Paragraph(
                f"{op.summary}: {op.source}. The source line `.word 0xWORD` keeps it; {CODES['R004'].title} (R004) "
                "is what a run says that reaches it."
            ),
        ]
    points = [("syntax", f"`{syntax(op)}`"), ("meaning", meaning(op)), ("writes", written(op))]
    points += [(f"source {n}", text) for n, text in enumerate(source_ranges(op), 1)]
    if op.base in INVERTED:
        other = INVERTED[op.base] if op.name == op.base else BY_NAME[op.base]
        points.append(
            (
                "other form",
                f"`{other.name}`, whose wide source is source {wide_source(other)}; the assembler picks by the operands",
            )
        )
    mask, words = ignored(op)
    if words:
        points.append(("descriptor", f"bits it ignores, 0x{mask:08X}: bit 31; {'; '.join(words)}"))
    points.append(("evidence", op.source))
    points.append(("unproven", op.unproven or "none noted"))
    shown = example(op)
    points.append(
        (
            "example",
            f"`{shown.text}` is 0x{shown.word:08X}"
            + (f" with descriptor 0x{shown.descriptor:08X}" if shown.descriptor is not None else ""),
        )
    )
    blocks.append(Items(tuple(points)))
    facts = facts_of(op)
    if facts:
        blocks += [
            Heading(2, "How well it is known"),
            Table(("known", "topic", "choice"), tuple((f.known, f.topic, f.choice) for f in facts)),
        ]
    hazards = hazards_of(op)
    if hazards:
        blocks += [Heading(2, "Hazards"), Table(("code", "what"), tuple((code, CODES[code].title) for code in hazards))]
    return blocks


def evidence(facts: Sequence[Fact] = FACTS, topic: str = "") -> list[Block]:
    """The choices with what each preset takes; then all facts, by how well they are known; on a topic only some."""
    rows: list[tuple[str, ...]] = []
    for key, fact in CHOICES.items():
        if fact not in facts:
            continue
        others = " ".join(answer for answer in fact.answers if answer != fact.default)
        differing = (fact.value(name) for name in EMULATORS)
        rows.append((key, fact.known, fact.default, *("" if value == fact.default else value for value in differing), others))
    blocks: list[Block] = [
        Heading(1, f"pica200: evidence on {topic}" if topic else "pica200: evidence"),
        Paragraph(
            "What a run does where the specification is silent or sources disagree. `measured`: a console has shown it. "
            "`inferred`: it follows from what has been shown or stated. `unknown`: nobody knows, and a choice was made."
        ),
    ]
    if rows:
        blocks += [
            Heading(2, "Choices"),
            Paragraph(
                "Fields of a profile: `lanewise run --profile NAME --set FIELD=VALUE`. The preset hardware takes the default, "
                "azahar and panda3ds too where their columns are empty: they do what those emulators' interpreters do, read in "
                f"{' and '.join(EMULATORS.values())}."
            ),
            Table(("field", "known", "default", *EMULATORS, "alternatives"), tuple(rows)),
            Paragraph(
                "`--profile` also takes a TOML file of fields. `lanewise evidence plan` has a program for each open question "
                "(C1 to C16), which would settle it on a console."
            ),
        ]
    for known in CLASSES:
        explained = [_explained(fact) for fact in facts if fact.known == known]
        if explained:
            blocks += [Heading(2, known.capitalize()), Items(tuple(explained))]
    return blocks


def _explained(fact: Fact) -> tuple[str, str]:
    """A fact's topic, and all there is to say about it."""
    answers = [f"`{value}`: {meaning}" for value, meaning in fact.answers.items()] if fact.is_choice else [fact.choice]
    said = [f"{'. '.join(answers)}."]
    if fact.others:
        said.append(f"Also possible: {'; '.join(fact.others)}.")
    said.append(f"Source: {fact.source}.")
    if fact.geometry:
        said.append("Geometry shaders alone can show it.")
    return f"{fact.topic}, {fact.key}" if fact.is_choice else fact.topic, " ".join(said)


def fact_data(fact: Fact) -> dict[str, object]:
    """A fact as plain values; `choice` is what the default means, `presets` are empty where there is nothing to choose."""
    return {
        "key": fact.key,
        "topic": fact.topic,
        "known": fact.known,
        "source": fact.source,
        "choice": fact.choice,
        "default": fact.default,
        "answers": dict(fact.answers) if fact.is_choice else {},
        "presets": {name: fact.value(name) for name in ("hardware", *EMULATORS)} if fact.is_choice else {},
        "others": list(fact.others),
        "ops": list(fact.ops),
        "geometry": fact.geometry,
    }


def word_page(word: int, descriptor: int | None) -> list[Block]:
    """The fields of one word, and its text; without a descriptor every mask and selector counts as the plain one."""
    inst = decode(word)
    names = [field.name for field in inst.op.format.fields]
    values = dict(zip(names, inst.values, strict=True))
    rows = [
        (field.name, _bits(field), f"{value:#x}", field_meaning(inst, field, value))
        for field, value in zip(inst.op.format.fields, inst.values, strict=True)
    ]
    blocks: list[Block] = [
        Heading(1, f"0x{word:08X}: {inst.op.name}"),
        Fixed(bit_diagram(inst.op.format.fields, values)),
        Table(("field", "bits", "value", "meaning"), tuple(reversed(rows))),
        Fixed((word_text(word, descriptor),)),
    ]
    if descriptor is None and inst.op.kind == ARITHMETIC:
        blocks.append(
            Paragraph("Write mask, swizzles and signs are in the operand descriptor: give it with --descriptor 0xWORD.")
        )
    if descriptor is not None:
        blocks += [
            Heading(2, f"Descriptor 0x{descriptor:08X}"),
            Fixed(bit_diagram(Descriptor.FIELDS, {f.name: f.extract(descriptor) for f in Descriptor.FIELDS})),
        ]
    return blocks


PLAIN_DESCRIPTOR = 0xF | 0x1B << 5 | 0x1B << 14 | 0x1B << 23  # all components, no swizzles, no signs


def word_text(word: int, descriptor: int | None) -> str:
    """The instruction of a word as a reader's text."""
    operation = lift_word(word, [PLAIN_DESCRIPTOR if descriptor is None else descriptor] * 128)
    return Printer(Names(), lambda target: "", lambda address: "").describe(operation) or f".word 0x{word:08X}"


def _bits(field: Field) -> str:
    return str(field.low) if field.width == 1 else f"{field.low + field.width - 1}-{field.low}"


def field_meaning(inst: Inst, field: Field, value: int) -> str:
    """What a field's value stands for, where that is more than a number."""
    op, name = inst.op, field.name
    if field.reserved:
        return "unused" if not value else "unused, but not 0"
    if name == "opcode":
        return op.name if op is not UNKNOWN else "no known instruction"
    if name.startswith("src"):
        return register_name(value)
    if name == "dst" and "dst" in op.operands:
        return register_name(value, written=True)
    if name == "dst" and "adr" in op.operands:
        return "ignored"
    if name == "dst":
        return f"word {value}"
    if name == "idx":
        return INDEX_NAMES[value] or "not indexed"
    if name in ("cmpx", "cmpy"):
        return COMPARISONS[value] if value < 6 else "no name"
    if name == "condop":
        return CONDITIONS[value]
    if name == "reg":
        return f"{'b' if 'bool' in op.operands else 'i'}{value}"
    if name == "desc":
        return f"operand descriptor {value}"
    return ""


def pages(ops: Sequence[Op]) -> list[Block]:
    """The pages of several instructions as one document, their headings one level lower."""
    blocks: list[Block] = []
    for op in ops:
        blocks += [Heading(min(b.level + 2, 4), b.text) if isinstance(b, Heading) else b for b in op_page(op)]
    return blocks
