"""A page for each finding, and the table of all."""

from __future__ import annotations

import re
from typing import Any, cast

from lanewise.api.findings import CLASSES, findings
from lanewise.core.document import Table
from lanewise.packages import packages
from lanewise_site import playground
from lanewise_site.examples import ROOT
from lanewise_site.instructions import instructions, slug
from lanewise_site.markup import escape, fence, page, raw, table

_LANGUAGES = {".pica": "pica", ".sc": "shadercore", ".vsa": "direct3d9", ".psa": "direct3d9"}
_LONGEST = 40  # lines of an example
_CODE = re.compile(r"\b([A-Z]\d{3})\b")


def pages() -> dict[str, str]:
    rules = _rules()
    used = _instructions()
    codes = findings()
    found = {f"reference/findings/{code}.md": _finding(code, rules.get(code), used.get(code, [])) for code in codes}
    groups: dict[str, list[tuple[str, ...]]] = {}
    for code in sorted(codes):
        row = codes[code]
        severity = (rules.get(code) or {}).get("severity", "–")
        link = f'<a id="{code.lower()}"></a>[{code}]({code}.md)'
        groups.setdefault(code[0], []).append((link, escape(row.title), row.known or "–", severity))
    found["reference/findings/index.md"] = page(
        "Findings",
        "Every finding has a code whose meaning never changes. `lanewise check --explain CODE` prints the same page. "
        "`known` says how well a fact about the hardware is known ([evidence](../../explain/evidence.md)), `severity` is "
        "that of rules of `lanewise check`.",
        raw('<div class="lw-filter" data-for="lw-findings"></div><div id="lw-findings">'),
        *[
            f"## {title}\n\n{table(('code', 'title', 'known', 'severity'), groups[letter])}"
            for letter, title in CLASSES.items()
            if letter in groups
        ],
        raw("</div>"),
        orphan=False,
    )
    return found


def _rules() -> dict[str, dict[str, str]]:
    """The row of each code in the tables of rules."""
    found: dict[str, dict[str, str]] = {}
    for package in packages():
        section = package.reference().rules if package.reference is not None else None
        for block in section() if section is not None else ():
            if isinstance(block, Table):
                for row in block.rows:
                    match = _CODE.search(row[0])
                    if match:
                        found[match[1]] = {**dict(zip(block.head, row, strict=False)), "isa": package.title}
    return found


def _instructions() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for package in packages():
        if package.reference is None:
            continue
        for row in instructions(package):
            for code in cast("list[Any]", row.get("findings") or []):
                found.setdefault(str(code), []).append((package.name, str(row["name"])))
    return found


def _cases(code: str) -> list[str]:
    """The first cases of the tests of a rule: one that is reported, one that is not."""
    parts: list[str] = []
    for path in sorted((ROOT / "tests" / "check" / "rules").glob(f"{code}.*")):
        if path.suffix not in _LANGUAGES:
            continue
        for kind, title in (("bad", "Reported"), ("good", "Not reported")):
            for case in path.read_text(encoding="utf-8").split("; CASE ")[1:]:
                head, _, text = case.partition("\n")
                words, _, about = head.partition(": ")
                if words.split()[0] == kind and text.count("\n") < _LONGEST:
                    opened = playground.link(f"reference/findings/{code}", {path.name: text})
                    parts += [f"## {title}: {escape(about)}", fence(text, _LANGUAGES[path.suffix]), opened]
                    break
    return parts


def _finding(code: str, rule: dict[str, str] | None, used: list[tuple[str, str]]) -> str:
    row = findings()[code]
    parts = [
        escape(row.meaning),
        "## Why it matters",
        escape(row.why),
        "## How to fix it",
        escape(row.fix),
    ]
    if row.evidence:
        parts += ["## Evidence", escape(row.evidence) + ("" if row.evidence.endswith(".") else ".")]
    if rule:
        about = {"severity": rule.get("severity", ""), "looks at": rule.get("looks at", "")}
        said = "; ".join([f"{name}: {escape(text)}" for name, text in about.items() if text])
        parts += [
            "## Rule",
            (
                f"A rule of `lanewise check` for {escape(rule['isa'])}{'; ' if said else ''}{said}. A comment `lanewise: "
                f"ignore[{code}]` on a line suppresses the finding there."
            ),
        ]
    parts += _cases(code)
    if used:
        parts += ["## Instructions", ", ".join([f"[`{name}`](../{isa}/{slug(name)}.md)" for isa, name in used])]
    return page(f"{code}: {escape(row.title)}", *parts, above="[All findings](index.md)")
