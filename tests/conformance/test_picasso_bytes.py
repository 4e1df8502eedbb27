"""Byte identity with picasso 2.7.1, and refusal of what it refuses. Source of the bytes: conformance/README.md."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corpus import REPOSITORY, Row, name_of, needs_shared, rows
from effort import sample
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.text.picasso.header import c_header
from lanewise.tools import picasso
from together import together

ACCEPTED = [row for part in ("hand", "gen", "bad") for row in rows("picasso", part) if row.data is not None]
REFUSED = [row for row in rows("picasso", "bad") if row.data is None and row.name != "link_shared_overflow"]
# Those that people wrote and a part of the others are assembled with --picasso-compat, and by test_refused_by_default without.
GENERATED = [row for row in ACCEPTED if name_of(row).startswith("gen/")]
WRITTEN = [row for row in ACCEPTED if row not in GENERATED]
# Wrong command lines, not wrong programs: tested with the command itself.
COMMAND_LINES = ("cli_no_output", "cli_unknown_option", "cli_unwritable", "link_missing_file")
LISTS = Path(__file__).parent

pytestmark = needs_shared


def test_the_corpus_is_whole():
    assert len(ACCEPTED) == 460
    assert len(REFUSED) == 176


@together("row", [*WRITTEN, *sample(GENERATED, 40)], ids=name_of)
def test_same_bytes(row: Row):
    result = assemble_sources(row.sources(), compatible=True, padding=row.padding)
    assert result.data == row.data
    if row.header is not None:
        assert c_header(result.module) == row.header


@together("row", [row for row in REFUSED if row.name not in COMMAND_LINES], ids=name_of)
@together("compatible", [False, True])
def test_refused_with_place_and_cure(row: Row, compatible: bool):
    result = assemble_sources(row.sources(), compatible=compatible, padding=row.padding)
    assert result.data is None
    errors = [d for d in result.diagnostics if d.is_error]
    assert errors
    for error in errors:
        assert error.span.file in row.files
        assert error.fix
    # The first error stands in the line that picasso names, unless picasso only noticed at the end of a file.
    line = int(row.stderr.split(":")[1]) if row.stderr.count(":") > 1 and row.stderr.split(":")[1].isdigit() else 0
    if (
        compatible
        and line
        and not any(word in row.stderr for word in ("undefined", "unclosed", "entrypoint", "no DVLEs", "bogus"))
    ):
        assert line in [error.span.line for error in errors] or line == 1


def test_refused_by_default(bless: bool):
    """A checked-in list names every program that picasso takes and lanewise refuses without --picasso-compat; the others
    agree."""
    path = LISTS / "refused_by_default.txt"
    # Of those that a program wrote, the ones that are on the list and a part of the others.
    listed = {line.split()[0] for line in path.read_text().splitlines()}
    others = [name_of(row) for row in GENERATED if name_of(row) not in listed]
    left_out = set[str]() if bless else set(others) - set(sample(others, 80))
    refused: list[str] = []
    for row in ACCEPTED:
        if name_of(row) in left_out:
            continue
        result = assemble_sources(row.sources(), padding=row.padding)
        if result.data is None:
            refused.append(f"{name_of(row)} {' '.join(sorted({each.code for each in result.diagnostics if each.is_error}))}")
        else:
            assert result.data == row.data, row.name
    text = "\n".join(refused) + "\n"
    assert f"{len(refused)} programs of this corpus" in (REPOSITORY / "README.md").read_text()
    if bless:
        path.write_text(text)
    assert path.read_text() == text


def test_findings_of_bad_programs(bless: bool):
    """What the assembler says of each program of `bad`, with picasso's own words beside it, for a reviewer to read.

    It says nothing of programs that only the hardware minds: those are for `lanewise check` (tests/check/picasso_bad.txt).
    """
    lines: list[str] = []
    for row in rows("picasso", "bad"):
        if row.name in COMMAND_LINES or row.name == "link_shared_overflow":
            continue
        result = assemble_sources(row.sources(), compatible=True, padding=row.padding)
        assert row.data is not None or any(d.is_error for d in result.diagnostics), row.name
        lines.append(row.name)
        lines += [f"    {d.span.line}:{d.span.column} {d.severity}[{d.code}] {d.message}" for d in result.diagnostics]
        lines.append(f"    picasso: {row.stderr.strip().splitlines()[0] if row.stderr.strip() else 'accepts it silently'}")
    text = "\n".join(lines) + "\n"
    path = LISTS / "bad_programs.txt"
    if bless:
        path.write_text(text)
    assert path.read_text() == text


@pytest.mark.parametrize(
    "name", ["hand/02_passthrough", "hand/21_nop_rules_off", "hand/47_link_shared", "hand/48_link_vs_gs", "bad/swz_mask_order"]
)
def test_the_drop_in_command(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    row = next(row for row in ACCEPTED if name_of(row) == name)
    for file in row.files:
        shutil.copy(row.folder / file, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert picasso.main(list(row.arguments)) == 0
    assert (tmp_path / f"{row.name}.shbin").read_bytes() == row.data
    if row.header is not None:
        assert (tmp_path / f"{row.name}.h").read_text() == row.header


@pytest.mark.parametrize("name", COMMAND_LINES)
def test_wrong_command_lines(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    row = next(row for row in REFUSED if row.name == name)
    for file in row.files:
        if (row.folder / file).exists():
            shutil.copy(row.folder / file, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert picasso.main(list(row.arguments)) == 1
    assert "error" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.shbin"))
