"""Every rule with a case that it finds and one that it does not, and the 39 mistakes that other tools were tried on, as golden
files.

A file holds cases, each a program behind a line `; CASE bad` or `; CASE good`, options, a colon and what it shows. `bad` may
name the code that must be found; otherwise it is the file's name. `; REPEAT N TEXT` stands for N lines, with `{swizzle}`
another one in each; ` \n ` in TEXT begins another line. `; FILE NAME` begins another source of the link. `pytest --bless`
rewrites what is expected.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from lanewise.core.diagnostics import NOTE, render
from lanewise.pica200.api.checking import Reading, check_sources
from lanewise.pica200.check.rules import ASSIGNMENT_RULES, GRAPH_RULES, PATH_RULES, PROGRAM_RULES, WORD_RULES

HERE = Path(__file__).parent
RULES = sorted((HERE / "rules").glob("*.pica"))
# The other findings that the issue names; the assembler makes them.
OF_THE_ASSEMBLER = [
    "V002",
    "V004",
    "V010",
    "V011",
    "V015",
    "V030",
    "V031",
    "V060",
    "V061",
    "V062",
    "V063",
    "V068",
    "V080",
    "V104",
    "V105",
    "V106",
    "V107",
    "V111",
    "V113",
    "V114",
    "V115",
    "V116",
    "V126",
    "V132",
]
# H007 is about files: `test_hints` has it.
HINTS = [f"H00{n}" for n in (1, 2, 3, 4, 5, 6, 8, 9)]


class Case(NamedTuple):
    """A program of a golden file: whether something is wrong with it, the code to be found, whether it is padded."""

    bad: bool
    code: str
    padding: bool
    title: str
    text: str


def cases_of(path: Path) -> list[Case]:
    found: list[Case] = []
    for part in path.read_text().split("; CASE ")[1:]:
        head, _, text = part.partition("\n")
        words, _, title = head.partition(": ")
        kind, *options = words.split()
        assert kind in ("bad", "good"), head
        code = next((word for word in options if not word.startswith("-")), path.stem)
        found.append(Case(kind == "bad", code, "--no-nop" not in options, title, expanded(text)))
    return found


def expanded(text: str) -> str:
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("; REPEAT "):
            count, _, repeated = line.removeprefix("; REPEAT ").partition(" ")
            for n in range(int(count)):
                swizzle = "".join("xyzw"[n >> shift & 3] for shift in (6, 4, 2, 0))
                lines += repeated.replace("{swizzle}", swizzle).split(" \\n ")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n" if lines else ""


def sources_of(case: Case, name: str) -> list[tuple[str, str]]:
    """The sources of a case: one, or those that `; FILE NAME` begins."""
    first, *more = case.text.split("; FILE ")
    if not more:
        return [(name, first)]
    return [(each.partition("\n")[0], each.partition("\n")[2]) for each in more]


def shown(path: Path) -> str:
    parts: list[str] = []
    for case in cases_of(path):
        report = check_sources(
            sources_of(case, f"{path.stem}.pica"), Reading(padding=case.padding, hints=path.stem.startswith("H"))
        )
        codes = {finding.code for finding in report.findings}
        if case.bad:
            assert case.code in codes, f"{case.title}: {codes}"
        else:
            assert case.code not in codes, case.title
            serious = [finding for finding in report.findings if finding.severity != NOTE]
            assert not serious, f"{case.title}: {serious}"
        parts.append(f"=== {'bad' if case.bad else 'good'}: {case.title}")
        parts += [render(finding) for finding in report.findings]
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("path", [*RULES, HERE / "peers.pica"], ids=lambda path: path.stem)
def test_golden(path: Path, bless: bool):
    expected = path.with_suffix(".expected")
    found = shown(path)
    if bless:
        expected.write_text(found)
    assert expected.read_text() == found


def test_every_rule_has_both_cases():
    codes = {rule.code for rule in (*WORD_RULES, *PATH_RULES, *ASSIGNMENT_RULES, *GRAPH_RULES, *PROGRAM_RULES)} | set(
        OF_THE_ASSEMBLER
    )
    codes |= set(HINTS)
    assert {path.stem for path in RULES} == codes
    for path in RULES:
        assert {case.bad for case in cases_of(path)} == {True, False}, path.name


def test_all_of_the_39_mistakes_are_there():
    titles = [case.title.partition(".")[0] for case in cases_of(HERE / "peers.pica")]
    assert titles == [str(n) for n in range(1, 40)]
    assert all(case.bad for case in cases_of(HERE / "peers.pica"))
