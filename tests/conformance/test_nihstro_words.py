"""The nihstro language against nihstro-assemble: its bytes where it is right, its refusals, and what is said where it is
wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from corpus import CONFORMANCE, needs_shared
from lanewise.core.diagnostics import NOTE, Diagnostic
from lanewise.pica200.api.assembling import Assembly, assemble_sources
from lanewise.pica200.api.checking import Reading, check_sources
from lanewise.pica200.container.read import read_shbin
from together import together

LISTS = Path(__file__).parent
pytestmark = needs_shared

# Programs that nihstro refuses and lanewise takes, with the reason.
TAKEN = {
    "alias_temp": "a name for a temporary harms nothing",
    "break_spelling": "the manual has it",
    "descriptors_128": "hardware has 128 descriptors",
    "dph_uniform_second": "the manual has it",
    "jmp_not_bool": "the instruction has that bit",
    "lowercase_al": "the manual has it",
    "mova_with_destination": "the hardware manual writes it so",
    "uniform_second_dst": "the instruction has an inverted form",
    "version_line": "the manual has it",
}
# Programs of `hand` in which nihstro writes what no instruction can do.
IMPOSSIBLE = {"08_dphi": ["P060"], "26_mad_uniform_first": ["V004"], "27_mad_two_uniforms": ["V004", "V002"]}
# Words where ours differ from nihstro's, as address: ours.
WORDS: dict[str, dict[int, int]] = {
    "07_dph": {0: 0x62001000, 1: 0x0E200801},
    "24_setemit_shifts_labels": {3: 0xB4001800},
    "28_mad_relative": {0: 0xF0628E40, 1: 0xD0E32460},
}
DESCRIPTORS = {
    "07_dph": {0: 0x6C308, 1: 0x6D20F},
    "10_mova": {0: 0x20C, 1: 0x161C},
}


class Row(NamedTuple):
    """A program of the corpus and what nihstro made of it."""

    folder: Path
    entry: dict[str, Any]

    @property
    def name(self) -> str:
        return self.entry["name"]

    @property
    def wrong(self) -> bool:
        return "tool_bug" in self.entry

    @property
    def data(self) -> bytes | None:
        return (self.folder / self.entry["shbin"]).read_bytes() if "shbin" in self.entry else None

    def sources(self) -> list[tuple[str, str]]:
        source = next(name for name in self.entry["args"] if name.endswith(".vsh"))
        return [(source, (self.folder / source).read_bytes().decode("latin-1"))]

    @property
    def entry_label(self) -> str:
        arguments: list[str] = self.entry["args"]
        return arguments[arguments.index("-e") + 1] if "-e" in arguments else ""

    @property
    def geometry(self) -> bool:
        return bool({"-g", "--geo_shader"} & {*self.entry["args"]})

    def read(self, path: str) -> str:
        return (self.folder / path).read_text()

    def assemble(self) -> Assembly:
        return assemble_sources(
            self.sources(), entry=self.entry_label, geometry=self.geometry, layout="nihstro", read=self.read
        )

    def findings(self) -> list[Diagnostic]:
        """What `lanewise asm --layout nihstro` says, and what `lanewise check` says more."""
        told = [*self.assemble().diagnostics]
        report = check_sources(self.sources(), Reading(entry=self.entry_label, geometry=self.geometry, read=self.read))
        return [*told, *(finding for finding in report.findings if finding not in told)]


def rows(part: str) -> list[Row]:
    manifest = CONFORMANCE / "nihstro" / part / "manifest.json"
    entries: list[dict[str, Any]] = json.loads(manifest.read_text()) if manifest.is_file() else []
    return [Row(manifest.parent, entry) for entry in entries if entry["name"] != "missing_input"]


HAND, BAD = rows("hand"), rows("bad")


def test_the_corpus_is_whole():
    assert (len(HAND), len(BAD)) == (33, 101)


@together("row", [row for row in HAND if not row.wrong], ids=lambda row: row.name)
def test_same_bytes(row: Row):
    assert row.assemble().data == row.data


@together("row", [row for row in BAD if row.data and not row.wrong], ids=lambda row: row.name)
def test_what_nihstro_takes_is_the_same_or_refused(row: Row):
    result = row.assemble()
    assert result.data in (row.data, None)
    assert row.findings() or row.name == "only_label"


@pytest.mark.parametrize("row", [row for row in HAND if row.wrong and row.name not in IMPOSSIBLE], ids=lambda row: row.name)
def test_where_nihstro_is_wrong_the_words_are_right_and_a_note_says_so(row: Row):
    """Words and descriptors are nihstro's but for those listed, whose values were worked out by hand from the formats."""
    result = row.assemble()
    assert result.data is not None
    shbin, _ = read_shbin(row.data or b"", row.name)
    ours, _ = read_shbin(result.data, row.name)
    assert shbin is not None
    assert ours is not None
    words = tuple(WORDS.get(row.name, {}).get(n, word) for n, word in enumerate(shbin.words))
    assert result.encoded.words == words
    assert result.encoded.descriptors == tuple(
        DESCRIPTORS.get(row.name, {}).get(n, value) for n, value in enumerate(shbin.descriptors)
    )
    told = [d for d in result.diagnostics if d.severity == NOTE and d.code == "P071"] or [
        d for d in result.diagnostics if d.code == "V068"
    ]
    assert told
    assert ours.dvles[0].main == result.program.labels["main"]
    dvle = ours.dvles[0]._replace(main=shbin.dvles[0].main, labels=shbin.dvles[0].labels, constants=shbin.dvles[0].constants)
    assert dvle == shbin.dvles[0]


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_no_instruction_can_do_is_refused(name: str):
    result = next(row for row in HAND if row.name == name).assemble()
    assert [d.code for d in result.diagnostics if d.is_error] == IMPOSSIBLE[name]


def test_constants_out_of_range_are_infinite_or_zero():
    result = next(row for row in HAND if row.name.startswith("17_")).assemble()
    values = [constant.values for constant in result.program.interfaces[0].constants]
    assert values[:2] == [(0x7F0000, 0xFF0000, 0x7F0000, 0x7F0000), (0, 0x800000, 0, 0)]


@together("row", [row for row in BAD if not row.data], ids=lambda row: row.name)
def test_refused_with_place_and_cure(row: Row):
    result = row.assemble()
    if row.name in TAKEN:
        assert result.data is not None
        assert result.diagnostics
        assert all(d.severity == NOTE for d in result.diagnostics)
        return
    assert result.data is None
    errors = [d for d in result.diagnostics if d.is_error]
    assert len(errors) == 1
    assert errors[0].fix
    assert errors[0].message
    assert errors[0].span.column
    # nihstro names the line that it has read, unless it notices at the end.
    named = row.entry["stderr"].split(":")
    if len(named) > 1 and named[1].isdigit() and not any(word in row.entry["stderr"] for word in ("closed", "entry point")):
        assert errors[0].span.line == int(named[1])


def test_findings_of_all_programs(bless: bool):
    """Every finding, with nihstro's own words and what the corpus says of them, for a reviewer to read."""
    lines: list[str] = []
    for row in (*HAND, *BAD):
        result = row.assemble()
        lines.append(f"{row.folder.name}/{row.name}{'' if result.data else ' (refused)'}")
        by_code: dict[str, list[str]] = {}
        for d in row.findings():
            by_code.setdefault(d.code, []).append(f"    {d.span.line}:{d.span.column} {d.severity}[{d.code}] {d.message}")
        for code, told in by_code.items():
            shown = 3 if code == "V096" else len(told)
            lines += told[:shown]
            if len(told) > shown:
                lines.append(f"    and {len(told) - shown} more [{code}]")
        said = row.entry["stderr"].strip().splitlines()
        lines.append(f"    nihstro: {said[0] if said else 'accepts it silently' if row.data else 'crashes'}")
        lines += [f"    {key}: {row.entry[key]}" for key in ("tool_bug", "hardware") if key in row.entry]
    text = "\n".join(lines) + "\n"
    path = LISTS / "nihstro_programs.txt"
    if bless:
        path.write_text(text)
    assert path.read_text() == text


@pytest.mark.parametrize("name", ["31_lighting", "32_aliases"])
def test_right_programs_have_no_finding(name: str):
    assert next(row for row in HAND if row.name == name).assemble().diagnostics == ()
