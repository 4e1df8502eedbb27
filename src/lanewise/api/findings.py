"""All findings: of the packages, of `core` and of the compiler."""

from __future__ import annotations

from lanewise.compile.codes import ROWS
from lanewise.core.cached import cache
from lanewise.core.code import by_code
from lanewise.core.record import TYPE_CHECKING
from lanewise.packages import codes, packages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.code import Code
    from lanewise.core.document import Block
    from lanewise.core.package import IsaPackage

CLASSES = {
    "P": "Reading sources",
    "V": "Rules of the language and of the hardware",
    "H": "Hints",
    "C": "Files",
    "R": "Running",
    "B": "Binding data",
    "F": "Recorded frames",
    "T": "Shader test files",
    "L": "Compiling",
    "S": "Reading SPIR-V",
    "D": "Debugging",
    "U": "Use of a command",
}


def findings() -> Mapping[str, Code]:
    """All findings by code. Raises ValueError if two tables have one code."""
    return _joined(packages())


@cache
def _joined(_: tuple[IsaPackage, ...]) -> Mapping[str, Code]:
    return by_code(codes().values(), ROWS)


# The letters of findings about a line of a source, which a comment can silence.
_OF_LINES = frozenset("PVH")


def explained(row: Code, level: int = 1, *, silencing: bool = True) -> list[Block]:
    """The page of a code, under a heading of a level; `silencing`: with the comment that silences it on a line."""
    from lanewise.core.document import Heading, Items, Paragraph

    comment = (
        f"Where it is a warning or a note: a comment `lanewise: ignore[{row.code}]` on its line, with the reason before it. "
        f"`--ignore {row.code}`, or `ignore` in lanewise.toml, is for whole files. Errors cannot be silenced."
    )
    points = (
        ("Meaning", row.meaning),
        ("Why it matters", row.why),
        ("How to fix it", row.fix),
        ("How to silence it", comment if silencing and row.code[0] in _OF_LINES else ""),
        ("Evidence", row.evidence),
    )
    return [Heading(level, row.code), Paragraph(row.title), Items(tuple(point for point in points if point[1]))]


def page() -> str:
    """docs/diagnostics.md: every code that lanewise reports."""
    from lanewise.core.document import Heading, Paragraph, Table, as_markdown

    blocks: list[Block] = [
        Heading(1, "Diagnostics"),
        Paragraph(
            "Every finding has a code whose meaning never changes. An error stops the command; a warning does not. With "
            "`--picasso-compat`, some errors are warnings: what picasso accepts is accepted with its bytes."
        ),
        Paragraph(
            "A comment `lanewise: ignore[CODE]` silences a warning or a note on its line, `lanewise check --ignore CODE` in "
            "whole files; errors cannot be silenced. `lanewise check --explain CODE` prints what this page says of a code."
        ),
        Paragraph(
            "In the evidence, `measured`, `inferred` and `unknown` say how well a fact about the hardware is known. Rules "
            "with a number are observations of picasso 2.7.1, E and a number is an entry in the project's list of hardware "
            "errata. This page is generated from the source by `python -m lanewise.tools.pages`."
        ),
    ]
    groups: dict[str, list[Code]] = {}
    for code in sorted(findings()):
        groups.setdefault(code[0], []).append(findings()[code])
    blocks.append(
        Table(
            ("codes", "about", "how many"),
            tuple(
                [
                    (f"{key}...", f"[{title}](#{title.lower().replace(' ', '-')})", str(len(groups[key])))
                    for key, title in CLASSES.items()
                    if key in groups
                ]
            ),
        )
    )
    for letter, title in CLASSES.items():
        rows = groups.pop(letter, [])
        if rows:
            blocks += [
                Heading(2, title),
                Table(("code", "title"), tuple((f"[{r.code}](#{r.code.lower()})", r.title) for r in rows)),
            ]
            for row in rows:
                blocks += explained(row, 3, silencing=False)
    if groups:
        raise ValueError(f"no title for codes that begin with {', '.join(groups)}")
    return as_markdown(blocks, links=True)
