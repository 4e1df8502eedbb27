"""`lanewise check --fix` and `--diff`: edits of findings, applied to files."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from documents import checked
from lanewise.core.diagnostics import ERROR, WARNING, Alternative, Diagnostic, Edit
from lanewise.core.service import Report, Request, SourceFile
from lanewise.core.source import Span
from lanewise.tools.check import Checked
from lanewise.tools.check_fix import Fixer
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lanewise.core.package import Loaded

SOURCE = ".input v0 position\n.output o0 position\nmov o0.xyzw, v0.xyzw\nmov NULL, v0.x ; caf\u00e9\n"
FIXED = "mov o0.xyzw, v0.xyzw\n; caf\u00e9\nend"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.sc"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def normal(text: str) -> str:
    """A text without blank lines and blanks at the ends of lines."""
    return "\n".join([line.strip() for line in text.split("\n") if line.strip()])


def test_files_are_fixed(source: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", str(source), "--fix"]) == 0
    out, err = capsys.readouterr()
    assert normal(source.read_text(encoding="utf-8")).endswith(FIXED)
    assert out == "2 fixed\n"
    assert "[V202]" in err
    assert "[V224]" in err
    assert "words" in err
    assert main(["check", str(source)]) == 0
    assert main(["check", str(source), "--diff"]) == 0


def test_a_diff_changes_nothing(source: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", str(source), "--diff"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"--- {source}\n+++ {source} (fixed)\n@@ ")
    assert "\n-mov NULL, v0.x ; caf\u00e9\n" in out
    assert "\n+end\n" in out
    assert source.read_text(encoding="utf-8") == SOURCE


@pytest.mark.parametrize("option", [["--ignore", "V224"], ["--select", "V202"], ["--level", "warning"]])
def test_only_what_is_asked_for_is_fixed(source: Path, option: list[str]):
    assert main(["check", str(source), "--fix", *option]) == 0
    text = source.read_text(encoding="utf-8")
    assert "mov NULL" in text
    assert "end" in text


def test_comments_that_ignore_findings_keep_their_lines(source: Path):
    source.write_text(SOURCE.replace("; caf\u00e9", "; lanewise: ignore[V224]"))
    assert main(["check", str(source), "--fix"]) == 0
    assert "mov NULL" in source.read_text()


def test_the_configuration_counts(source: Path):
    (source.parent / "lanewise.toml").write_text('ignore = ["V224"]\n')
    assert main(["check", str(source), "--fix"]) == 0
    assert "mov NULL" in source.read_text(encoding="utf-8")


def test_json_has_what_was_fixed(source: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", str(source), "--fix", "--format", "json"]) == 0
    document = checked(capsys.readouterr().out)
    assert [finding["code"] for finding in document["fixed"]] == ["V202", "V224"]
    assert document["diagnostics"] == []


def test_sarif_has_fixes(source: Path, capsys: pytest.CaptureFixture[str]):
    main(["check", str(source), "--format", "sarif"])
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    texts = [
        replacement["insertedContent"]["text"]
        for result in results
        for change in result["fixes"][0]["artifactChanges"]
        for replacement in change["replacements"]
    ]
    assert len(texts) == 2
    assert any("end" in text for text in texts)


def test_standard_input_goes_to_standard_output(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SOURCE.encode())))
    assert main(["check", "-", "--stdin-filename", "a.sc", "--fix"]) == 0
    out, err = capsysbinary.readouterr()
    assert normal(out.decode()).endswith(FIXED)
    assert b"2 fixed" in err


def test_standard_input_without_fixes_is_unchanged(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]):
    text = "\ufeff.input v0 position\r\n.output o0 position\r\nmov o0.xyzw, v0.xyzw\r\nend\r\n".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["check", "-", "--stdin-filename", "a.sc", "--fix"]) == 0
    assert capsysbinary.readouterr().out == text


def test_encodings_and_line_ends_stay(source: Path):
    source.write_bytes(b"\xef\xbb\xbf" + SOURCE.replace("\n", "\r\n").encode())
    assert main(["check", str(source), "--fix"]) == 0
    assert source.read_bytes().startswith(b"\xef\xbb\xbf.input v0 position\r\n")
    source.write_bytes(SOURCE.encode("latin-1"))
    assert main(["check", str(source), "--fix"]) == 0
    assert b"; caf\xe9" in source.read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fix", "--diff"], "use one of them"),
        (["--diff", "--format", "json"], "--diff is text"),
        (["--fix", "--format", "sarif", "-"], "both want standard output"),
    ],
)
def test_options_that_do_not_go_together(source: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert main(["check", *options, str(source)]) == 2
    captured = capsys.readouterr()
    assert message in captured.out + captured.err


# The rounds, with findings of our own


def fix(text: str, rules: Callable[[str], list[Diagnostic]]) -> tuple[str, list[str]]:
    """A text with the edits of the findings of a rule, and the messages of those that were applied."""

    def check(request: Request) -> Checked:
        return Checked(Report(tuple(rules(request.sources[0].data.decode()))), None)

    fixer = Fixer()
    fixed = fixer.fix(Request("check", (SourceFile("f", text.encode()),), {}), check, lambda _: True)
    return fixer.source(SourceFile("f", text.encode())).data.decode(), [finding.message for finding in fixed.findings]


def finding(message: str, *edits: Edit, severity: str = WARNING) -> Diagnostic:
    return Diagnostic(code="V001", severity=severity, message=message, span=Span(file="f", line=1, column=1), edits=edits)


def test_edits_that_make_way_for_others_are_applied_in_rounds():
    def countdown(text: str) -> list[Diagnostic]:
        return [finding(text, Edit(Span(file="f", line=1, column=1, length=1), str(int(text) - 1)))] if int(text) else []

    assert fix("3", countdown) == ("0", ["3", "2", "1"])


def test_overlapping_edits_take_turns():
    def vowels(text: str) -> list[Diagnostic]:
        found = [finding("all", Edit(Span(file="f", line=1, column=1, length=2), "x"))] if text == "ae" else []
        return [
            *found,
            *[
                finding(letter, Edit(Span(file="f", line=1, column=text.index(letter) + 1, length=1), ""))
                for letter in "ae"
                if letter in text
            ],
        ]

    assert fix("ae", vowels) == ("x", ["all"])


def test_edits_that_do_not_help_are_not_kept():
    def stays(text: str) -> list[Diagnostic]:
        return [finding("here", Edit(Span(file="f", line=1, column=1, length=0), "x"))]

    assert fix("a", stays) == ("a", [])


def test_edits_that_break_a_program_are_not_kept():
    def breaks(text: str) -> list[Diagnostic]:
        good = [finding("b", Edit(Span(file="f", line=1, column=2, length=1), "B"))] if "b" in text else []
        bad = [finding("a", Edit(Span(file="f", line=1, column=1, length=1), "A"))] if "a" in text else []
        return [*bad, *good, *([finding("broken", severity=ERROR)] if "A" in text else [])]

    assert fix("ab", breaks) == ("aB", ["b"])


def test_warnings_that_errors_have_hidden_are_left(source: Path, capsys: pytest.CaptureFixture[str]):
    text = ".input v0 position\n.output o0 position\nmull r0.x, v0.x, 1.x\nmov o0.x, r0.x\nend\n"
    source.write_text(text)
    main(["check", str(source), "--fix", "--select", "P201,V214"])
    assert source.read_text() == text.replace("mull", "mul"), "not `-(-1)` for 1.x: no finding has named it"
    assert "[V214]" in capsys.readouterr().out
    main(["check", str(source), "--fix", "--select", "V214"])
    assert "-(-1)" in source.read_text()


def test_edits_outside_of_the_text_are_left_out():
    def outside(text: str) -> list[Diagnostic]:
        return [finding("far", Edit(Span(file="f", line=9, column=1, length=1), ""))]

    assert fix("a", outside) == ("a", [])


def test_words_show_what_became_of_a_program(source: Path, capsys: pytest.CaptureFixture[str]):
    main(["check", str(source), "--fix", "--select", "V202"])
    assert f"{source}: 5 words before, 6 after" in capsys.readouterr().err


def test_loaded_programs_without_words_are_not_counted():
    class Broken:
        @property
        def words(self) -> list[int]:
            from lanewise.core.diagnostics import InputError

            raise InputError([finding("x", severity=ERROR)])

    broken: Loaded = Broken()  # pyright: ignore[reportAssignmentType]
    assert Checked(Report(()), broken).words is None


def test_a_finding_that_may_mean_several_things_is_left():
    def several(text: str) -> list[Diagnostic]:
        place = Span(file="f", line=1, column=1, length=1)
        other = Alternative("write B", (Edit(place, "B"),))
        return [finding("here", Edit(place, "A"))._replace(alternatives=(other,))] if text == "a" else []

    assert fix("a", several) == ("a", [])
