"""The generated pages under docs/: `python -m lanewise.tools.pages [FOLDER]` writes them, by default into docs/.

The tests compare them with what this module makes, so a change of a table or a code shows up as a change of a page.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import NOTE
from lanewise.core.document import Heading, Items, Paragraph, Table, as_markdown
from lanewise.direct3d9.check.rules import RULES as DIRECT3D9_RULES
from lanewise.packages import codes
from lanewise.pica200.check.rules import GRAPH_RULES, PROGRAM_RULES, WAY_RULES, WORD_RULES, WORLD_RULES
from lanewise.pica200.isa.table import OPS
from lanewise.shadercore.api.services import reference as shadercore_reference
from lanewise.shadercore.check import rules as shadercore_rules
from lanewise.tools import direct3d9_evidence, direct3d9_reference, direct3d9_table, reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.core.code import Code
    from lanewise.core.document import Block

_MADE = "This page is made from the source by `python -m lanewise.tools.pages`."

_CLASSES = {
    "P": "Reading sources",
    "V": "Rules of the language and of the hardware",
    "C": "Files",
    "R": "Running",
    "B": "Binding data",
    "T": "Shader test files",
    "L": "Compiling for ShaderCore",
}


def diagnostics() -> str:
    """docs/diagnostics.md: every code that lanewise reports."""
    blocks: list[Block] = [
        Heading(1, "Diagnostics"),
        Paragraph("Every finding has a code that keeps its meaning for ever. An error stops the command; a warning does not. With "
                  "`--picasso-compat`, some errors are warnings: what picasso takes is taken as it takes it."),
        Paragraph("In the evidence, `measured`, `inferred` and `unknown` say how well a fact about the hardware is known. Rules with a number are "
                  "observations of picasso 2.7.1, E and a number is an entry in the project's list of hardware errata. " + _MADE),
    ]  # fmt: skip
    groups: dict[str, list[Code]] = {}
    for code in sorted(codes()):
        groups.setdefault(code[0], []).append(codes()[code])
    for letter, title in _CLASSES.items():
        rows = groups.pop(letter, [])
        if rows:
            blocks += [
                Heading(2, title),
                Table(("code", "title"), tuple((f"[{r.code}](#{r.code.lower()})", r.title) for r in rows)),
            ]
            for row in rows:
                blocks += explained(row, 3)
    if groups:
        raise ValueError(f"no title for codes that begin with {', '.join(groups)}")
    return as_markdown(blocks)


def explained(row: Code, level: int = 1) -> list[Block]:
    """The page of a code, under a heading of a level."""
    points = (("Meaning", row.meaning), ("Why it matters", row.why), ("How to mend it", row.mend), ("Evidence", row.evidence))
    return [Heading(level, row.code), Paragraph(row.title), Items(tuple(point for point in points if point[1]))]


def rules() -> str:
    """docs/rules.md: every rule of `lanewise check`."""
    found: dict[str, tuple[str, str]] = {}
    for title, listed in (
        ("single words", WORD_RULES),
        ("ways through the program", (*WAY_RULES, *WORLD_RULES, *GRAPH_RULES)),
        ("the whole file", PROGRAM_RULES),
    ):
        for rule in listed:
            found.setdefault(rule.code, (rule.severity, title))
    found |= dict.fromkeys(("V105", "V106"), (NOTE, "the assembler")) | {"V107": (NOTE, "comments")}
    rows = tuple(
        (f"[{code}](diagnostics.md#{code.lower()})", codes()[code].title, severity, looks, codes()[code].known or "-")
        for code, (severity, looks) in sorted(found.items())
    )
    return as_markdown([
        Heading(1, "Rules of lanewise check"),
        Paragraph("What `lanewise check` looks for in a program that has no errors. `looks at` says what a rule goes by; `evidence`, how well it is known "
                  "that the hardware minds. What the assembler says about sources by itself is in [diagnostics.md](diagnostics.md) too. " + _MADE),
        Table(("code", "what", "severity", "looks at", "evidence"), rows),
        Heading(2, "ShaderCore"),
        Paragraph("A rule holds where a device gives the answer that stands here ([shadercore.md](shadercore.md) has them all), or on every device. "
                  "What there is to say of sizes, END and code behind it (V201-V203) is for every device too."),
        Table(("code", "what", "severity", "holds where", "evidence"), tuple(
            (f"[{rule.code}](diagnostics.md#{rule.code.lower()})", codes()[rule.code].title, rule.severity,
             f"{rule.key}={rule.value}" if rule.key else "always", codes()[rule.code].known or "-")
            for rule in shadercore_rules.RULES
        )),
        Heading(2, "Direct3D 9"),
        Paragraph("What is not legal in the version of a shader ([direct3d9.md](direct3d9.md)), in the words of the documentation of its assembly languages."),
        Table(("code", "what", "severity"), tuple(
            (f"[{rule.code}](diagnostics.md#{rule.code.lower()})", codes()[rule.code].title, rule.severity) for rule in DIRECT3D9_RULES
        )),
    ])  # fmt: skip


def pica200() -> str:
    """docs/pica200.md: the instruction set, every instruction, the evidence."""
    blocks = reference.overview()
    blocks.insert(1, Paragraph(_MADE))
    blocks += [Heading(2, "Instructions one by one"), *reference.pages(OPS), Heading(2, "Evidence")]
    blocks += [
        Heading(block.level + 1, block.text) if isinstance(block, Heading) else block for block in reference.evidence()[1:]
    ]
    return as_markdown(blocks)


def shadercore() -> str:
    """docs/shadercore.md: the instruction set, the devices `document` and `rtl`, every instruction, the evidence."""
    blocks = shadercore_reference.overview()
    blocks.insert(1, Paragraph(_MADE))
    blocks += [Heading(2, "Instructions one by one"), *shadercore_reference.pages(), Heading(2, "Evidence")]
    blocks += [
        Heading(block.level + 1, block.text) if isinstance(block, Heading) else block
        for block in shadercore_reference.evidence()[1:]
    ]
    return as_markdown(blocks)


def direct3d9() -> str:
    """docs/direct3d9.md: versions, registers, instructions, the language, where tools disagree, the number rules, what is open."""
    blocks = direct3d9_reference.overview()
    blocks.insert(1, Paragraph(_MADE))
    blocks += [*direct3d9_evidence.rules(), Heading(2, "What is open")]
    blocks += [
        Heading(block.level + 1, block.text) if isinstance(block, Heading) else block
        for block in direct3d9_evidence.evidence()[1:]
    ]
    return as_markdown(blocks)


PAGES: Mapping[str, Callable[[], str]] = {
    "diagnostics.md": diagnostics,
    "direct3d9-table.md": direct3d9_table.page,
    "direct3d9.md": direct3d9,
    "pica200.md": pica200,
    "rules.md": rules,
    "shadercore.md": shadercore,
}


def main(argv: list[str]) -> int:
    """Write the pages into a folder. Exit code 0, or 2 for anything that is no folder's name."""
    from pathlib import Path

    if len(argv) > 1 or (argv and argv[0].startswith("-")):
        print("usage: python -m lanewise.tools.pages [FOLDER]", file=sys.stderr)
        return 2

    folder = Path(argv[0] if argv else "docs")
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8", newline="\n")
        print(folder / name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
