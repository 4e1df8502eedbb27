"""The reference pages of Direct3D 9 shaders, made from its tables: overview, one instruction, what is open and how it is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.isa.direct3d9 import BY_NAME, COMPARISONS, NAME, OPS, TITLE, USAGES, VERSIONS, operand_count
from lanewise.isa.direct3d9_choices import CHOICES
from lanewise.isa.facts import CLASSES
from lanewise.sem.direct3d9_rules import D3D9, IEEE, NAMES
from lanewise.tools.document import Heading, Items, Paragraph, Table

if TYPE_CHECKING:
    from lanewise.isa.direct3d9 import Op, Version
    from lanewise.isa.direct3d9_choices import Choice
    from lanewise.tools.document import Block

# Of a mnemonic, another that assembly uses for the same opcode.
_SAME = {"texld": "tex", "texldp": "tex", "texldb": "tex", "texcrd": "texcoord", "ifp": "if", "callnzp": "callnz"} | {
    f"{name}_{how}": op for name, op in (("if", "ifc"), ("break", "breakc"), ("setp", "setp")) for how in COMPARISONS if how
}


def find_op(text: str) -> Op | None:
    """The row of a mnemonic, in any case, or of an opcode."""
    name = text.lower()
    if _SAME.get(name, name) in BY_NAME:
        return BY_NAME[_SAME.get(name, name)]
    try:
        number = int(text, 0)
    except ValueError:
        return None
    return next((op for op in OPS if op.opcode == number), None)


def near_names(text: str) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(text.lower(), [*BY_NAME, *_SAME], 3)


def versions(span: tuple[str, str] | None) -> str:
    """`1_0 to 1_4`, `2_x on`, `-`."""
    if span is None:
        return "-"
    first, last = span
    return f"{first} on" if not last else first if first == last else f"{first} to {last}"


def syntax(op: Op) -> str:
    """`mad dest, a, b, c` as the last version writes it that has it."""
    version = _latest(op)
    has_dest, sources = operand_count(op, version) if version else (op.dest, op.sources)
    names = ["dest"] * has_dest + list("abcd"[:sources])
    return " ".join((op.name, ", ".join(names))).strip()


def _latest(op: Op) -> Version | None:
    from lanewise.isa.direct3d9 import has

    return next((version for version in reversed(VERSIONS) if not version.software and has(op, version)), None)


def choices_of(op: Op) -> list[Choice]:
    """The open questions that concern an instruction."""
    return [choice for choice in CHOICES if op.name in choice.ops]


def overview() -> list[Block]:
    """Versions, instructions, number rules."""
    listed = ", ".join(version.name for version in VERSIONS)
    return [
        Heading(1, f"{NAME}: {TITLE}"),
        Paragraph(f"Streams of 32-bit words. Versions: {listed}. `lanewise isa {NAME} OPCODE` explains one instruction, `--evidence` what "
                  "hardware and documentation disagree about, and how a run answers it."),
        Heading(2, "Instructions"),
        Table(("opcode", "syntax", "vs", "ps", "role"), tuple(
            (f"0x{op.opcode:02X}", f"`{syntax(op)}`", versions(op.vs), versions(op.ps), op.role) for op in OPS
        )),
        Paragraph("`vs` and `ps` are the versions that have it by Microsoft's documentation. Usages of `dcl`: " + ", ".join(USAGES) + "."),
        Heading(2, "Number rules"),
        Items((
            (IEEE, "IEEE 754 binary32, to nearest with ties to even; subnormal numbers are numbers; one NaN, 0x7FC00000."),
            (D3D9, "The same with 0 times anything 0."),
            *((name, "The ShaderCore of that name: each instruction in its words (`lanewise isa shadercore --evidence`).") for name in NAMES[2:]),
        )),
    ]  # fmt: skip


def op_page(op: Op) -> list[Block]:
    """One instruction."""
    points = [
        ("versions", f"vs {versions(op.vs)}; ps {versions(op.ps)}"),
        ("opcode", f"0x{op.opcode:02X} ({op.opcode})"),
        ("role", op.role),
    ]
    if op.reads:
        points.append(("reads", ", ".join(op.reads)))
    if op.scalar:
        points.append(("reads", "one component of each source"))
    if op.rows:
        points.append(("rows", f"{op.rows} registers from the second source on"))
    blocks: list[Block] = [Heading(1, syntax(op)), Items(tuple(points))]
    for choice in choices_of(op):
        blocks += _told(choice, 2)
    return blocks


def evidence() -> list[Block]:
    """Every open question: the answers, which one a run takes, how well that is known."""
    blocks: list[Block] = [
        Heading(1, "Direct3D 9: what is open"),
        Paragraph(f"Where documentation and cards disagree, or say nothing, a run has a choice: `--set KEY=ANSWER`. The default answer is "
                  f"{', '.join(CLASSES[:-1])} or {CLASSES[-1]}; [D] is Microsoft's reference, [W] what the tests of Wine found on real cards."),
    ]  # fmt: skip
    for choice in CHOICES:
        blocks += _told(choice, 2)
    return blocks


def _told(choice: Choice, level: int) -> list[Block]:
    others = {rule: answer for rule, answer in choice.rules.items() if answer != choice.default}
    points = [
        (f"`{value}`", told + (", the default" if value == choice.default else "")) for value, told in choice.answers.items()
    ]
    points += [(rule, f"takes `{answer}`") for rule, answer in others.items()]
    points.append(("evidence", f"{choice.known}: {choice.source}"))
    return [Heading(level, choice.key), Paragraph(choice.topic), Items(tuple(points))]


def choice_data(choice: Choice) -> dict[str, object]:
    return {"key": choice.key, "topic": choice.topic, "answers": dict(choice.answers), "default": choice.default,
            "rules": dict(choice.rules), "known": choice.known, "source": choice.source, "ops": list(choice.ops)}  # fmt: skip


def op_data(op: Op) -> dict[str, object]:
    return {"name": op.name, "opcode": op.opcode, "syntax": syntax(op), "vs": versions(op.vs), "ps": versions(op.ps), "role": op.role,
            "scalar": op.scalar, "reads": list(op.reads), "rows": op.rows, "choices": [choice.key for choice in choices_of(op)]}  # fmt: skip


def data() -> dict[str, object]:
    return {"name": NAME, "title": TITLE, "versions": [version.name for version in VERSIONS], "instructions": [op_data(op) for op in OPS],
            "rules": list(NAMES)}  # fmt: skip
