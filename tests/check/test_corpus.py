"""The check over the conformance corpus: nothing about right programs, a list of everything else for a reviewer to read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from corpus import REPOSITORY, Row, name_of, needs_shared, rows
from effort import sample
from lanewise.core.diagnostics import NOTE, WARNING, Diagnostic
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import Reading, check_shbin, check_sources
from lanewise.pica200.api.converting import convert_assembly
from lanewise.pica200.text.dialects import DIALECTS, source_suffixes
from together import together

LISTS = Path(__file__).parent
GENERATED = 4  # programs of random instructions whose findings are compared; all of them in an exhaustive run
EXAMPLES = sorted(path for path in (REPOSITORY / "examples").iterdir() if path.name.endswith(source_suffixes()))
RIGHT = tuple(f"7{n}" for n in range(8))  # numbers of picasso/hand
# Two programs of the corpus that were taken for right and are not. Both findings hold for every reading of the hardware:
# 75 declares the first element of `poly` by .constf, which makes it a constant of its own in c95, so that poly has two elements
# and
#    `poly[2]`, the last one by the comments, reads that constant;
# nihstro 32 writes r4.xyz alone and copies all of r4 to the position.
WRONG_AFTER_ALL = {
    "75_sprite_batch": [("P051", 4), ("V015", 22)],
    "32_aliases": [("V095", 12)],
}
PER_CODE = 3


def place(finding: Diagnostic) -> int:
    return finding.span.line or finding.span.offset


def told(findings: tuple[Diagnostic, ...]) -> list[tuple[str, int]]:
    return [(finding.code, place(finding)) for finding in findings if finding.severity != NOTE]


@together("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_are_right(path: Path):
    assert told(check_sources([(path.name, path.read_text())]).findings) == []


def test_linked_examples_are_right():
    for name in ("subdivide", "particles"):
        files = [REPOSITORY / "examples" / f"{name}.{stage}.pica" for stage in "vg"]
        assert told(check_sources([(path.name, path.read_text()) for path in files]).findings) == []


@needs_shared
@pytest.mark.parametrize("row", [row for row in rows("picasso", "hand") if row.name.startswith(RIGHT)], ids=name_of)
def test_right_programs(row: Row):
    """As source, and as the SHBIN that picasso has made of it."""
    expected = WRONG_AFTER_ALL.get(row.name, [])
    assert told(check_sources(row.sources()).findings) == expected
    assert row.data is not None
    of_the_words = [finding for finding in check_shbin(row.data, row.name).findings if finding.severity != NOTE]
    assert of_the_words == []


@needs_shared
@pytest.mark.parametrize("row", [row for row in rows("nihstro", "hand") if row.name.startswith(("31", "32"))], ids=name_of)
def test_right_programs_of_nihstro(row: Row):
    """As source, and as the SHBIN that nihstro has made of it."""
    source = next(name for name in row.arguments if name.endswith(".vsh"))
    expected = WRONG_AFTER_ALL.get(row.name, [])
    assert told(check_sources([(source, (row.folder / source).read_text())]).findings) == expected
    assert row.data is not None
    found = told(check_shbin(row.data, row.name).findings)
    assert [code for code, _ in found] == [code for code, _ in expected]


def converted(sources: list[tuple[str, str]], to: str) -> list[tuple[str, str]]:
    made = assemble_sources(sources)
    assert made.data is not None
    return [(source.name, source.text) for source in convert_assembly(made, to, "shader").sources]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_what_examples_convert_to_is_right(path: Path):
    for to in DIALECTS:
        sources = converted([(path.name, path.read_text())], to.name)
        assert told(check_sources(sources, Reading(dialect=to.name)).findings) == [], to.name


@needs_shared
@pytest.mark.parametrize("row", [row for row in rows("picasso", "hand") if row.name.startswith(RIGHT)], ids=name_of)
def test_what_right_programs_convert_to_is_right(row: Row):
    """Of 75 too: where its index leads past the array, the other language says which register that is."""
    assert told(check_sources(converted(row.sources(), "nihstro")).findings) == []


@needs_shared
@pytest.mark.parametrize("row", [row for row in rows("nihstro", "hand") if row.name.startswith(("31", "32"))], ids=name_of)
def test_what_right_programs_of_nihstro_convert_to_is_right(row: Row):
    source = next(name for name in row.arguments if name.endswith(".vsh"))
    found = told(check_sources(converted([(source, (row.folder / source).read_text())], "picasso")).findings)
    assert [code for code, _ in found] == [code for code, _ in WRONG_AFTER_ALL.get(row.name, [])]


def listed(findings: tuple[Diagnostic, ...]) -> list[str]:
    """A line for each finding; of many with one code the first and how many more there are. Roundings and paddings are only
    counted."""
    lines: list[str] = []
    by_code: dict[tuple[str, str], list[Diagnostic]] = {}
    for finding in findings:
        by_code.setdefault((finding.code, finding.severity), []).append(finding)
    for (code, severity), found in sorted(by_code.items()):
        shown = 0 if code in ("V105", "V106") else PER_CODE
        lines += [f"    {place(finding)} {severity}[{code}] {finding.message}" for finding in found[:shown]]
        if len(found) > shown:
            lines.append(f"    {'and ' if shown else ''}{len(found) - shown}{' more' if shown else ''} {severity}[{code}]")
    return lines


def counted(row: Row, findings: tuple[Diagnostic, ...]) -> str:
    """One line for a program that is made of random instructions."""
    codes = Counter(finding.code for finding in findings)
    return f"{row.name}{'' if row.padding else ' (no padding)'}: {' '.join(f'{code}x{codes[code]}' for code in sorted(codes))}"


@needs_shared
@pytest.mark.parametrize(
    ("tool", "part"), [("picasso", "hand"), ("picasso", "bad"), ("picasso", "gen"), ("nihstro", "hand"), ("nihstro", "bad")]
)
def test_all_findings(tool: str, part: str, bless: bool):
    """What is said about every program: picasso's as sources, with what picasso takes taken; nihstro's as the SHBINs that it
    makes.

    Of the generated programs every eighth is listed, as they are large, and of these a sample is checked.
    """
    lines: list[str] = []
    chosen = rows(tool, part)
    if part == "gen":
        chosen = chosen[::8] if bless else sample(chosen[::8], GENERATED)
    for row in chosen:
        missing = [name for name in row.files if not (row.folder / name).exists()]
        if missing or row.name == "link_shared_overflow" or (tool == "nihstro" and row.data is None):
            continue
        if tool == "nihstro":
            findings = check_shbin(row.data or b"", row.name).findings
        else:
            findings = check_sources(row.sources(), Reading(compatible=True, padding=row.padding)).findings
        lines += [counted(row, findings)] if part == "gen" else [row.name, *listed(findings)]
        if part == "bad" and tool == "picasso" and not row.name.startswith("cli_"):
            assert findings or row.name == "dir_nodvle_only", row.name
    path = LISTS / f"{tool}_{part}.txt"
    text = "\n".join(lines) + "\n"
    if bless:
        path.write_text(text)
    listing = path.read_text()
    if part == "gen":
        names = {row.name for row in chosen}
        listing = "".join(line for line in listing.splitlines(keepends=True) if line.split(":")[0].split()[0] in names)
    assert listing == text


@needs_shared
def test_the_rules_find_in_a_file_what_they_find_in_its_source():
    """The same words give the same findings of the rules, whether the source is there or the SHBIN."""
    compared = 0
    for row in rows("picasso", "hand"):
        source = check_sources(row.sources(), Reading(compatible=True, padding=row.padding))
        if row.data is None or any(finding.is_error for finding in source.findings):
            continue
        by_rules = {
            "V070",
            "V071",
            "V072",
            "V073",
            "V074",
            "V075",
            "V076",
            "V077",
            "V079",
            "V083",
            "V084",
            "V088",
            "V092",
            "V094",
            "V095",
        }
        codes = [
            sorted(finding.code for finding in findings if finding.code in by_rules and finding.severity == WARNING)
            for findings in (source.findings, check_shbin(row.data, row.name).findings)
        ]
        assert codes[0] == codes[1], row.name
        compared += 1
    assert compared > 60
