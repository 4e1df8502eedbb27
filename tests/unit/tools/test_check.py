"""`lanewise check` as a user meets it: formats, selection, several files, words, exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import lanewise as lw
from corpus import REPOSITORY
from effort import EXHAUSTIVE, sample
from installed import needs
from lanewise.api.findings import findings as codes
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.container.raw import write_descriptors, write_words
from lanewise.pica200.text.dialects import source_suffixes
from lanewise.tools import cli

CODES = codes()

BAD = """.in p
.out pos position
.fvec idle, c[4]
.proc main
    mova a0.x, p
    mova a0.y, p
    add r0, c[a0.x], p
    mul pos, c[a0.y], r0
    end
.end
"""
GOOD = ".in p\n.out pos position\n.proc main\n    mov pos, p\n    end\n.end\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.v.pica").write_text(BAD)
    (tmp_path / "good.v.pica").write_text(GOOD)
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(["check", *arguments])
    done = capsys.readouterr()
    return code, done.out, done.err


def test_text(here: Path, capsys: pytest.CaptureFixture[str]):
    code, out, err = check(capsys, "bad.v.pica", "good.v.pica", "--level", "note")
    assert (code, err) == (1, "")
    assert out == (
        "note[V097]: uniform 'idle' is never read\n"
        "  --> bad.v.pica:3:7\n"
        "3 | .fvec idle, c[4]\n"
        "  |       ^^^^\n"
        "note: why: It occupies registers, and setting it has no effect (inferred)\n"
        "help: remove it, or begin its name with `_`\n"
        "warning[V070]: consecutive mova hang the GPU\n"
        "  --> bad.v.pica:6:5\n"
        "6 |     mova a0.y, p\n"
        "  |     ^^^^^^^^^^^^\n"
        "note: why: The GPU hangs (measured)\n"
        "note: bad.v.pica:5:5: the previous mova\n"
        "help: put another instruction between them, or write both components with mova a0.xy\n"
        "1 warning, 1 note\n"
    )


def test_notes_are_counted_until_they_are_asked_for(here: Path, capsys: pytest.CaptureFixture[str]):
    """Text has one line for all notes; the other formats have each."""
    code, out, _ = check(capsys, "bad.v.pica")
    assert (code, out.splitlines()[-1]) == (1, "1 warning, 1 note (V097: --level note shows it)")
    assert "note[" not in out
    notes = GOOD.replace("    mov pos", "    mov r0, p\n    mov r1, p\n    mov pos").replace(".proc", ".fvec idle\n.proc")
    (here / "notes.v.pica").write_text(notes)
    assert check(capsys, "notes.v.pica") == (0, "3 notes (2 V096, V097: --level note shows them)\n", "")
    assert check(capsys, "notes.v.pica", "--level", "note")[1].count("note[V0") == 3
    assert check(capsys, "notes.v.pica", "--level", "warning") == (0, "", "")
    _, out, _ = check(capsys, "notes.v.pica", "--select", "V097")
    assert out.startswith("note[V097]") and out.endswith("\n1 note\n")
    (here / "notes.v.pica").write_text(notes.replace("mov pos, p", "add r2, p, p\n    mov pos, r2"))
    _, out, _ = check(capsys, "notes.v.pica", "--hints")
    assert "note[H" in out and "note[V" not in out
    assert len(json.loads(check(capsys, "notes.v.pica", "--format", "json")[1])["diagnostics"]) == 3
    assert len(json.loads(check(capsys, "notes.v.pica", "--format", "sarif")[1])["runs"][0]["results"]) == 3
    assert check(capsys, "notes.v.pica", "--format", "github")[1].count("::notice ") == 3


def test_the_page_of_a_code_says_how_to_silence_it(capsys: pytest.CaptureFixture[str]):
    assert "lanewise: ignore[V070]" in check(capsys, "--explain", "V070")[1]
    assert "ignore[" not in check(capsys, "--explain", "U002")[1]


NIHSTRO = """.alias pos o0 as position
.include "part.inc"
start:
    mova a0.x, v0.x
    mova a0.y, v0.y
    mul r0, c[a0], v0
    mul pos, c[a1], r0
    nop
    end
"""


def test_nihstro_sources(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    (here / "part.inc").write_text(".alias c c0-c3\n.alias third c4 as (0.33333333, 0, 0, 0)  // lanewise: ignore[V105]\n")
    (here / "a.vsh").write_text(NIHSTRO)
    code, out, err = check(capsys, "a.vsh", "-e", "start", "--level", "warning")
    assert (code, err) == (1, "")
    assert out == (
        "warning[V070]: consecutive mova hang the GPU\n"
        "  --> a.vsh:5:5\n"
        "5 |     mova a0.y, v0.y\n"
        "  |     ^^^^^^^^^^^^^^^\n"
        "note: why: The GPU hangs (measured)\n"
        "note: a.vsh:4:5: the previous mova\n"
        "help: put another instruction between them, or write both components with one `mova`\n"
        "1 warning, 1 ignored\n"
    )
    assert check(capsys, "a.vsh")[0] == 1  # there is no main
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NIHSTRO.encode())))
    code, out, _ = check(capsys, "-", "--dialect", "nihstro", "--entry", "start", "--format", "json")
    assert (code, "V070" in out) == (1, True)
    (here / "g.vsh").write_text("main:\n    setemitraw 0, prim\n    emit\n    nop\n    end\n")
    assert "V082" in check(capsys, "g.vsh")[1]
    assert "V082" not in check(capsys, "g.vsh", "-g")[1]
    file = lw.assemble("a.vsh", entry="start")
    assert [finding.code for finding in file.check() if finding.severity == "warning"] == ["V070"]
    assert next(finding for finding in file.check() if finding.code == "V070").fix.endswith("both components with one `mova`")


def test_exit_codes(here: Path, capsys: pytest.CaptureFixture[str]):
    assert check(capsys, "good.v.pica") == (0, "", "")
    assert check(capsys, "bad.v.pica", "--ignore", "V070")[0] == 0  # notes alone
    assert check(capsys, "absent.v.pica")[0] == 1
    (here / "wrong.v.pica").write_text("mull\n")
    assert check(capsys, "wrong.v.pica", "--ignore", "P", "--level", "error")[0] == 1
    for arguments in (
        (),
        ("a.pica", "--words", "b"),
        ("bad.v.pica", "--entry", "1"),
        ("bad.v.pica", "-g"),
        ("--words", "x", "--entry", "main"),
        ("bad.v.pica", "--select", "W1"),
        ("--explain", "V999"),
        ("--explain", "V070", "bad.v.pica"),
    ):
        code, out, err = check(capsys, *arguments)
        assert (code, out) == (2, ""), arguments
        assert err.startswith("lanewise check: error: ")


def test_selection(here: Path, capsys: pytest.CaptureFixture[str]):
    def codes(*arguments: str) -> list[str]:
        return [
            found["code"] for found in json.loads(check(capsys, "bad.v.pica", "--format", "json", *arguments)[1])["diagnostics"]
        ]

    assert codes() == ["V097", "V070"]
    assert codes("--select", "V07") == ["V070"]
    assert codes("--select", "v070,V097") == ["V097", "V070"]
    assert codes("--ignore", "V09", "--ignore", "V1") == ["V070"]
    assert codes("--level", "warning") == ["V070"]
    assert codes("--level", "error") == []


def test_json(here: Path, capsys: pytest.CaptureFixture[str]):
    quiet = BAD.replace("mova a0.y, p", "mova a0.y, p ; lanewise: ignore[V070]")
    (here / "bad.v.pica").write_text(quiet)
    code, out, _ = check(capsys, "bad.v.pica", "--format", "json", "--stats")
    shown = json.loads(out)
    assert code == 0
    assert shown["ignored"] == 1
    (found,) = shown["diagnostics"]
    assert found["span"] == {"file": "bad.v.pica", "line": 3, "column": 7, "length": 4, "text": ".fvec idle, c[4]"}
    assert (found["why"], found["evidence"]) == (CODES["V097"].why, "inferred")
    (stats,) = shown["stats"]
    assert (stats["shortest"], stats["longest"], stats["rounds"]) == (5, 5, [])
    assert stats["uses"]["floats"] == {"used": 5, "of": 96}


def test_sarif(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "b d.v.pica").write_text(BAD.replace("mova a0.y, p", "mova a0.y, p ; lanewise: ignore[V070]"))
    log = json.loads(check(capsys, "bad.v.pica", "b d.v.pica", "--format", "sarif")[1])
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["V070", "V097"]
    assert rules[0]["properties"]["evidence"].startswith("measured")
    results: list[dict[str, Any]] = run["results"]
    assert [(result["ruleId"], rules[result["ruleIndex"]]["id"], result["level"]) for result in results] == [
        ("V097", "V097", "note"),
        ("V070", "V070", "warning"),
        ("V097", "V097", "note"),
        ("V070", "V070", "warning"),
    ]
    assert ["suppressions" in result for result in results] == [False, False, False, True]
    place = results[1]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "bad.v.pica"}, "region": {"startLine": 6, "startColumn": 5, "endColumn": 17}}
    assert results[2]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "b%20d.v.pica"
    log = json.loads(check(capsys, str(here / "bad.v.pica"), "--format", "sarif")[1])
    assert log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///")


def test_github(here: Path, capsys: pytest.CaptureFixture[str]):
    out = check(capsys, "bad.v.pica", "--format", "github", "--level", "warning")[1]
    assert out == (
        "::warning file=bad.v.pica,line=6,col=5,endColumn=17,title=V070::consecutive mova hang the GPU%0A"
        "help: put another instruction between them, or write both components with mova a0.xy\n"
    )


def test_stats(here: Path, capsys: pytest.CaptureFixture[str]):
    out = check(capsys, "good.v.pica", "--stats")[1]
    assert out.splitlines()[0] == "good.v.pica (vertex)"
    assert out.splitlines()[2].split() == ["words", "2", "512", "510"]
    assert out.splitlines()[-1] == "  instructions from the entry to end: 2"
    loop = (
        ".ivec n\n.in p\n.out pos position\n.proc main\n mov r0, p\n for n\n add r0, p, r0\n .end\n mov pos, r0\n end\n.end\n"
    )
    (here / "loop.v.pica").write_text(loop)
    assert check(capsys, "loop.v.pica", "--stats")[1].splitlines()[-2:] == [
        "  instructions from the entry to end: 5, each loop taken once",
        "  a further iteration over i0, decided at word 0x2: at most 1 more",
    ]


def test_shbin_words_and_standard_input(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    made = assemble_sources([("bad.v.pica", BAD)])
    assert made.data is not None
    (here / "bad.shbin").write_bytes(made.data)
    (here / "code.bin").write_bytes(write_words(made.encoded.words))
    (here / "desc.bin").write_bytes(write_descriptors(made.encoded.descriptors))
    code, out, _ = check(capsys, "bad.shbin", "--level", "warning")
    assert code == 1
    assert "note: word 0x1: mova a0.y, v0\n" in out
    code, out, _ = check(capsys, "--words", "code.bin", "--descriptors", "desc.bin")
    assert code == 1
    assert "  --> code.bin:0x4\n" in out
    code, out, err = check(capsys, "--words", "code.bin", "--entry", "2", "--level", "note")
    assert code == 0
    assert "note: word 0x0: mova a0, v0\n" in out
    assert err.startswith("without --descriptors")
    assert check(capsys, "--words", "code.bin", "--entry", "5")[0] == 2
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BAD.encode())))
    code, out, _ = check(capsys, "-")
    assert "  --> <stdin>:6:5\n" in out


def test_linked_files(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "main.v.pica").write_text(GOOD.replace("mov pos, p", "mov r0, p\n    call helper\n    mov pos, r0"))
    (here / "lib.pica").write_text(".nodvle\n.proc helper\n    add r0, r0, r0\n.end\n")
    assert check(capsys, "main.v.pica", "lib.pica")[0] == 1  # two programs, the first without its helper
    assert check(capsys, "lib.pica") == (0, "", "")
    assert check(capsys, "main.v.pica", "lib.pica", "--link") == (0, "", "")
    (here / "x.shbin").write_bytes(b"DVLB")
    assert check(capsys, "main.v.pica", "x.shbin", "--link")[0] == 2


@pytest.mark.parametrize("code", sample([*CODES], 40))
def test_every_code_has_a_page(code: str, capsys: pytest.CaptureFixture[str]):
    exit_code, out, _ = check(capsys, "--explain", code.lower())
    assert exit_code == 0
    assert out.startswith(f"{code}\n====\n")
    assert "How to fix it" in out


def test_the_hook_runs_the_command():
    text = (REPOSITORY / ".pre-commit-hooks.yaml").read_text()
    entry = next(line.partition(": ")[2] for line in text.splitlines() if "entry:" in line)
    program, command, *options = entry.split()
    assert (program, command) == ("lanewise", "check")
    files = next(line.partition(": ")[2] for line in text.splitlines() if "files:" in line)
    assert all(re.search(files, f"shader{suffix}") for suffix in (*source_suffixes(), ".shbin"))
    assert cli.main([command, *options, str(REPOSITORY / "examples" / "toon.v.pica")]) == 0


@pytest.mark.skipif(not EXHAUSTIVE, reason="a second: nox -s exhaustive")
@needs("bash")
def test_the_steps_of_the_action_run(tmp_path: Path):
    """The shell scripts of action.yml, with a stand-in for pip and the environment that the server gives."""
    text = (REPOSITORY / "action.yml").read_text("utf-8")
    scripts = [textwrap.dedent(each) for each in re.findall(r"      run: \|\n((?:        .*\n)+)", text)]
    assert len(scripts) == text.count("run: |") == 5
    assert "${{" not in "".join(scripts)  # names of branches and files are not parts of a script
    (tmp_path / "source").mkdir()
    for name in ("toon.v.pica", "toon.shadertest.toml", "transform.sc"):
        shutil.copy(REPOSITORY / "examples" / name, tmp_path / "source")
    for name, line in {
        "lanewise": f'"{sys.executable}" -m lanewise "$@"',
        "python": f'"{sys.executable}" "$@"',
        "pip": ":",
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    given = {
        "PACKAGE": "x",
        "FOLDER": "source",
        "LEVEL": "warning",
        "LOG": "lanewise.sarif",
        "PYTHONPATH": str(REPOSITORY / "src"),
    }
    given |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    environment = {**os.environ, **given, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    for script in scripts:
        done = subprocess.run(
            ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, script + done.stdout + done.stderr
    assert "| source/toon.v.pica | vertex | 21 |" in (tmp_path / "summary.md").read_text()
    assert json.loads((tmp_path / "lanewise.sarif").read_text())["version"] == "2.1.0"


def test_checking_needs_no_numpy(here: Path):
    code = (
        "import sys; from lanewise.tools import cli; cli.main(['check', 'bad.v.pica', '--stats']); assert 'numpy' not in "
        "sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout


def test_files_that_cannot_be_read_do_not_hide_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.v.pica").write_text("mull\n")
    assert cli.main(["check", "nofile.v.pica", "bad.v.pica", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(each["code"], each["span"]["file"]) for each in found] == [("U002", "nofile.v.pica"), ("P001", "bad.v.pica")]
    assert cli.main(["check", "nofile.v.pica", "bad.v.pica"]) == 1
    assert "unknown instruction" in capsys.readouterr().out
