"""Reference pages of Direct3D 9 shaders, generated from the tables."""

from __future__ import annotations

from lanewise.core.document import Fixed, Heading, Items, Paragraph, Table, deeper
from lanewise.core.package import Reference
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.direct3d9.api.services.evidence import choice_page, choices_of, evidence, evidence_on
from lanewise.direct3d9.api.services.evidence import rules as number_rules
from lanewise.direct3d9.check.rules import RULES
from lanewise.direct3d9.codes import CODES
from lanewise.direct3d9.isa.oddities import ODDITIES
from lanewise.direct3d9.isa.operands import MASKED
from lanewise.direct3d9.isa.slots import TABLE, limits
from lanewise.direct3d9.isa.table import (
    BY_NAME,
    BY_VERSION_NAME,
    NAME,
    OPS,
    SAMPLER_TYPES,
    TITLE,
    USAGES,
    VERSIONS,
    has,
    operand_names,
)
from lanewise.direct3d9.text.names import MNEMONICS, mnemonic_of

if TYPE_CHECKING:
    from lanewise.core.document import Block
    from lanewise.direct3d9.isa.table import Op, Version

# Versions with columns of their own; ps_1_0 is as ps_1_1 in what follows, vs_1_0 as vs_1_1.
_COLUMNS = ("vs_1_1", "vs_2_0", "vs_2_x", "vs_3_0", "ps_1_1", "ps_1_2", "ps_1_3", "ps_1_4", "ps_2_0", "ps_2_x", "ps_3_0")
_SLOTS = {"vs_1": "vs1", "vs_2": "vs2", "vs_3": "vs2", "ps_1": "ps1", "ps_2": "ps2", "ps_3": "ps3"}
_OWN = (
    (".dword 0x02000001, 0x800F0000", "raw words: an instruction, part of one, or unknown data"),
    (".dword 0xFFFE0400", "in place of the version: the token of a version that does not exist"),
    (".comment 0x42415443, 0x0000001C", "the words of a comment; its first word is computed"),
    (".end, .end none, .end 0x0001FFFF", "the end token, another one, or none; by default the text ends the shader"),
    (".byte 0x41, 0x42", "up to three bytes after the last word"),
)
_LANGUAGE = (
    "vs_2_0                          // the version comes first; vs.2.0 is the same",
    "#define WORLD c0                // #define, #ifdef, #include and their like",
    "def c4, 1.0, 0.5, 0x7FC00001, 0 // numbers, or the bits of a float",
    "defi i0, 4, 0, 1, 0",
    "dcl_position v0                 ; comments are ; and // and /* */",
    "dcl_texcoord1 v1.xy",
    "m4x4 oPos, v0, WORLD",
    "mova a0.x, v0.w",
    "mad r0.xyz, c[a0.x+8], -v0, c4.y",
    "(!p0.x) mov r0.w, c4            // predicates of vs_2_x and later",
)


def find_op(text: str) -> Op | None:
    """The row of a name, in any case (`texld`, `if_gt`, `m4x4`), or of an opcode."""
    lower = text.lower()
    if lower in BY_NAME:
        return BY_NAME[lower]
    if lower in MNEMONICS:
        return MNEMONICS[lower].op
    try:
        number = int(text, 0)
    except ValueError:
        return None
    return next((op for op in OPS if op.opcode == number), None)


def near_names(text: str) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(text.lower(), list(dict.fromkeys([*BY_NAME, *MNEMONICS])), 3)


def versions_of(op: Op) -> list[Version]:
    """The versions that have an instruction."""
    return [version for version in VERSIONS if has(op, version)]


def slots_of(op: Op, version: Version, name: str = "") -> int | None:
    """The cost of an instruction in a version, None if the version lacks it."""
    key = name or ("texld" if op.name == "tex" and version.order >= (1, 4) else op.name)
    row = TABLE.get(key)
    column = _SLOTS[version.name[:4]]
    return getattr(row, column) if row is not None and has(op, version) else None


def syntax(op: Op, version: Version) -> str:
    """How an instruction is written in a version: `texld dest, src0, src1`."""
    if op.name == "dcl":
        return "dcl_usage dest, dcl_2d s#" if version.kind == "vs" or version.major >= 3 else "dcl dest, dcl_2d s#"
    name = mnemonic_of(op, 1 if op.name in ("ifc", "breakc", "setp") else 0, version) or op.name
    operands = operand_names(op, version)
    if op.role == "definition":
        operands += [f"value{n}" for n in range(op.payload)] if op.payload > 1 else ["value"]
    return f"{name} {', '.join(operands)}".strip()


def overview() -> list[Block]:
    """Everything on one page."""
    rows = tuple(
        (
            f"`{syntax(op, versions_of(op)[-1]) if versions_of(op) else op.name}`",
            str(op.opcode),
            *(_cell(op, BY_VERSION_NAME[name]) for name in _COLUMNS),
        )
        for op in OPS
        if versions_of(op)
    )
    return [
        Heading(1, f"{NAME}: {TITLE}"),
        Paragraph(
            "Words of 32 bits: a version, instructions followed by their operands, an end. `lanewise asm` assembles a source "
            "whose first statement is a version, whatever the name of the file; `lanewise dis` writes a source that "
            "assembles to the same words; `lanewise check` reports what is not legal "
            "in the version; `lanewise inspect` shows registers, slots and constants, and finds shaders inside other files."
        ),
        Heading(2, "Registers"),
        Paragraph(
            "How many of each kind a version has. Vertex shaders in software (`_sw`) have 8192 constants, and no limit of "
            "slots."
        ),
        Table(("version", "r", "c", "v", "t", "i", "b", "s", "l", "slots"), tuple(_limit_row(version) for version in VERSIONS)),
        Heading(2, "Instructions"),
        Paragraph(
            "The slots that an instruction takes in each version; empty where the version does not have it. A cube map takes "
            "more in shader model 3: texld and texldp 4, texldl 5. A predicate takes one more. In ps_1_2 and ps_1_3, cmp and "
            "dp4 take two. `lanewise isa direct3d9 OPCODE` explains one instruction."
        ),
        Table(("syntax", "opcode", *_COLUMNS), rows),
        Heading(2, "The language"),
        Paragraph(
            "Microsoft's assembly. An instruction ends where its operands do. Numbers of registers may be sums in brackets, "
            "and c4[2] is c6. The assembler does not check legality, so that every file can be disassembled and reassembled."
        ),
        Fixed(_LANGUAGE),
        Items(
            (
                ("results", "_sat, _pp, _centroid, and _x2, _x4, _x8, _d2, _d4, _d8 (ps_1_x), after the instruction's name"),
                ("sources", "-r0, 1-r0, !b0, r0_abs, r0_bias, r0_bx2, r0_x2, r0_dz, r0_dw, with - before all but the last two"),
                ("usages", ", ".join(USAGES)),
                ("textures", ", ".join(f"dcl_{kind}" for kind in SAMPLER_TYPES[2:])),
            )
        ),
        Paragraph("Directives of lanewise carry everything else:"),
        Table(("directive", "what"), tuple((f"`{text}`", what) for text, what in _OWN)),
        Heading(2, "Where tools disagree"),
        Paragraph("Measured with small programs; the tests try every row."),
        Table(("about", "others", "here", "because"), tuple((row.topic, row.others, row.ours, row.why) for row in ODDITIES)),
    ]


def _limit_row(version: Version) -> tuple[str, ...]:
    found = limits(version)
    slots = "any" if found.arithmetic is None else str(found.arithmetic)
    if version.kind == "ps" and found.texture is not None and version.order < (2, 1):
        slots = f"{found.arithmetic} + {found.texture}" + (" in each phase" if version.order == (1, 4) else "")
    counts = (
        found.temps,
        found.constants,
        found.inputs,
        found.textures,
        found.integers,
        found.booleans,
        found.samplers,
        found.labels,
    )
    return version.name, *(str(count or "") for count in counts), slots


def _cell(op: Op, version: Version) -> str:
    found = slots_of(op, version)
    return "" if found is None else str(found)


def op_page(op: Op) -> list[Block]:
    """One instruction."""
    versions = versions_of(op)
    forms = dict.fromkeys(syntax(op, version) for version in versions)
    points = [("meaning", op.summary), ("syntax", ", or ".join(f"`{form}`" for form in forms) or "no version has it")]
    points.append(("versions", ", ".join(version.name for version in versions) or "none"))
    costs = {version.name: slots_of(op, version) for version in versions}
    if costs:
        points.append(("slots", ", ".join(f"{name} {cost}" for name, cost in costs.items())))
    if op.reads:
        names = [f"src{n}" for n in range(len(op.reads))] if len(op.reads) > 1 else ["src"]
        parts = [part.replace(MASKED, " and those written") for part in op.reads]
        points.append(("reads", ", ".join([f"{name}.{part}" for name, part in zip(names, parts, strict=True)])))
    if op.scalar:
        points.append(("reads", "one component of each source"))
    if op.rows:
        points.append(("matrix", f"{op.rows} constants, beginning with the one that is named"))
    points.append(("kind", op.role))
    return [Heading(1, f"{op.name} ({op.opcode})"), Items(tuple(points))]


def op_data(op: Op) -> dict[str, object]:
    """One instruction as plain values."""
    return {
        "name": op.name,
        "opcode": op.opcode,
        "role": op.role,
        "meaning": op.summary,
        "versions": {
            version.name: {"syntax": syntax(op, version), "slots": slots_of(op, version)} for version in versions_of(op)
        },
    }


def data() -> dict[str, object]:
    """The overview as plain values."""
    return {
        "isa": NAME,
        "title": TITLE,
        "versions": [{"name": version.name, "token": version.token, **limits(version)._asdict()} for version in VERSIONS],
        "instructions": [op_data(op) for op in OPS],
        "oddities": [row._asdict() for row in ODDITIES],
    }


def instruction(text: str) -> tuple[list[Block], dict[str, object]]:
    """The page of an instruction, by name or opcode, with what is open about it. Raises UsageError."""
    op = find_op(text)
    if op is None:
        near = near_names(text)
        hint = f"did you mean {' or '.join(near)}?" if near else f"lanewise isa {NAME} lists them"
        raise UsageError(f"unknown Direct3D 9 instruction '{text}': {hint}")
    choices = choices_of(op)
    blocks = op_page(op)
    for choice in choices:
        blocks += choice_page(choice, 2)
    return blocks, {**op_data(op), "choices": [choice.key for choice in choices]}


def _document() -> list[Block]:
    """Versions, registers, instructions, the language, where tools disagree, the number rules, open questions."""
    return [*overview(), *number_rules(), Heading(2, "Open questions"), *deeper(evidence()[1:])]


def _rules() -> list[Block]:
    """Every rule of `lanewise check`."""
    rows = tuple(
        (f"[{rule.code}](diagnostics.md#{rule.code.lower()})", CODES[rule.code].title, rule.severity) for rule in RULES
    )
    return [
        Heading(2, "Direct3D 9"),
        Paragraph(
            "Rules of each shader version ([direct3d9.md](direct3d9.md)), from the documentation of its assembly language."
        ),
        Table(("code", "what", "severity"), rows),
    ]


REFERENCE = Reference(
    overview=lambda: (overview(), data()),
    instruction=instruction,
    evidence=evidence_on,
    decode=None,
    document=_document,
    rules=_rules,
)
