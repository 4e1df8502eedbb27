"""`lanewise fmt` as a user meets it."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from corpus import REPOSITORY
from lanewise.api.loading import format_source
from lanewise.packages import packages
from lanewise.pica200.api import formatting
from lanewise.pica200.text.dialects import source_suffixes
from lanewise.tools import cli

MESSY = ".proc main\nMOV r0,r1;c\n.end\n"
NEAT = ".proc main\n    mov r0, r1 ;c\n.end\n"
MESSY_VSH = "main:\nMOV r0,r1//c\n"
NEAT_VSH = "main:\n    mov r0, r1 //c\n"


@pytest.fixture(autouse=True)
def in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.pica").write_text(MESSY)
    (tmp_path / "b.vsh").write_text(MESSY_VSH)
    (tmp_path / "neat.pica").write_text(NEAT)
    return tmp_path


def run(*arguments: str) -> int:
    return cli.main(list(arguments))


def test_files_are_formatted_in_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run("fmt", "a.pica", "b.vsh", "neat.pica") == 0
    assert (tmp_path / "a.pica").read_text() == NEAT
    assert (tmp_path / "b.vsh").read_text() == NEAT_VSH
    assert capsys.readouterr().err.splitlines() == ["formatted a.pica", "formatted b.vsh"]
    assert run("fmt", "a.pica", "b.vsh", "neat.pica") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("name", "neat"), [("a.pica", NEAT), ("b.vsh", NEAT_VSH)])
def test_a_redirected_output_stays_empty_and_a_copy_is_said(
    name: str, neat: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    before = Path(name).read_bytes()
    with Path("copy").open("w") as file, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", file)
        assert run("fmt", name) == 0
    command = capsys.readouterr().err.partition("for a formatted copy write `lanewise ")[2].partition("`")[0].split()
    assert command[4:] == ["<", name, ">", "COPY"]
    with Path("copy").open("w") as file, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", file)
        patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(before)))
        assert run(*command[:4]) == 0
    assert Path("copy").read_text() == neat


def test_check_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run("fmt", "--check", "a.pica", "neat.pica") == 1
    assert capsys.readouterr().err == "would format a.pica\n"
    assert (tmp_path / "a.pica").read_text() == MESSY
    assert run("fmt", "--check", "neat.pica") == 0


def test_diff_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run("fmt", "--diff", "a.pica") == 0
    assert capsys.readouterr().out.splitlines()[3:] == [
        " .proc main",
        "-MOV r0,r1;c",
        "+    mov r0, r1 ;c",
        " .end",
    ]
    assert (tmp_path / "a.pica").read_text() == MESSY
    assert run("fmt", "--diff", "--check", "a.pica") == 1


def test_json(capsys: pytest.CaptureFixture[str]):
    assert run("fmt", "--check", "--format", "json", "a.pica", "neat.pica") == 1
    assert json.loads(capsys.readouterr().out) == {
        "schema": "lanewise/fmt/1",
        "isa": "pica200",
        "files": [{"file": "a.pica", "changed": True}, {"file": "neat.pica", "changed": False}],
        "diagnostics": [],
    }


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MESSY_VSH.encode())))
    assert run("fmt", "-", "--dialect", "nihstro") == 0
    assert capfdbinary.readouterr().out == NEAT_VSH.encode()


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbf; \xc3\xa4\n", b"; caf\xe9\n", b"; \xc3\xa4\r\n\r\n.alias a r0\r\n"],
    ids=["byte order mark", "Latin-1", "CR LF"],
)
def test_encodings_and_line_ends_stay(data: bytes, tmp_path: Path):
    (tmp_path / "x.pica").write_bytes(b".alias  k r1\r\n" * (b"\r" in data) + data.replace(b"alias a", b"alias  a"))
    assert run("fmt", "x.pica") == 0
    assert (tmp_path / "x.pica").read_bytes() == b".alias k r1\r\n" * (b"\r" in data) + data


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["fmt", "-"], 2, "unknown language of <stdin>"),
        (["fmt", "notes.txt"], 2, "unknown language of notes.txt"),
        (["fmt", "missing.pica"], 1, "cannot read missing.pica"),
        (["fmt", "a.pica", "--diff", "--format", "json"], 2, "--diff is text"),
        (["fmt", "-", "--dialect", "picasso", "--format", "json"], 2, "both want standard output"),
    ],
)
def test_exit_codes(
    arguments: list[str],
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    (tmp_path / "notes.txt").write_text("buy milk\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"buy milk\n")))
    assert run(*arguments) == code
    assert said in capsys.readouterr().err


def test_a_difference_has_no_control_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.pica").write_text(".proc main\nnop ; \x1b[31mred\x07\n.end\n")
    assert run("fmt", "--diff", "a.pica") == 0
    out = capsys.readouterr().out
    assert "-nop ; \\x1b[31mred\\x07\n+    nop ; \\x1b[31mred\\x07\n" in out


COLUMNS = """\
; Outputs
.out outpos\tposition\t; clip space
.proc main
\t; a comment
\tmov\tr0.xyz,\tinpos\t\t; in columns
\tadd\tr0,\tr0,   r1
\tdp4 outpos.x, projection[0], r0
\t\t\t\t; far to the right
\tend
.end
"""


def test_tabs_and_columns_made_by_hand_are_kept(tmp_path: Path):
    source = tmp_path / "columns.pica"
    source.write_text(COLUMNS)
    assert run("fmt", "--indent", "tab", "--check", "columns.pica") == 0
    assert run("fmt", "columns.pica") == 0
    assert "    mov r0.xyz, inpos       ; in columns\n    add r0, r0, r1\n" in source.read_text()
    source.write_text(".proc main\n  mov r0,r1;c\n    add   R0  ,r1,\tr2 \n\t.end\n")
    assert run("fmt", "--indent", "tab", "columns.pica") == 0
    assert source.read_text() == ".proc main\n\tmov r0, r1 ;c\n\tadd   R0  , r1,\tr2\n.end\n"


@pytest.mark.parametrize("dialect", ["nihstro", "picasso"])
def test_another_width(dialect: str):
    start = ".proc main" if dialect == "picasso" else "main:"
    assert format_source("x", f"{start}\nnop\n", dialect, indent=2) == f"{start}\n  nop\n"
    assert format_source("x", f"{start}\nnop\n", dialect, indent="tab") == f"{start}\n\tnop\n"


@pytest.mark.parametrize("width", ["0", "17", "tabs", "-1", "", "99999"])
def test_wrong_indentation(width: str, capsys: pytest.CaptureFixture[str]):
    assert run("fmt", f"--indent={width}", "a.pica") == 2
    assert f"--indent: unknown indentation '{width}': use tab, or 1 to 16 blanks" in capsys.readouterr().err
    with pytest.raises(ValueError, match="unknown indentation"):
        format_source("a.pica", MESSY, indent=width)


def test_another_program_is_never_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def wrong(*_: object) -> str:
        return ".proc main\nend\n.end\n"

    monkeypatch.setattr(formatting, "format_text", wrong)
    assert run("fmt", "a.pica") == 1
    assert (tmp_path / "a.pica").read_text() == MESSY


def test_wrong_dialect():
    with pytest.raises(ValueError, match="unknown dialect 'glsl': use picasso, nihstro"):
        format_source("x", "", "glsl")


def test_the_hook_calls_a_command_for_every_suffix():
    hook = (REPOSITORY / ".pre-commit-hooks.yaml").read_text()
    fields = dict(re.findall(r"^[- ] (\w+): (.*)$", hook.partition("- id: fmt\n")[2], re.MULTILINE))
    program, command = fields["entry"].split()
    assert program == "lanewise"
    assert command in {known.name for known in cli.COMMANDS}
    assert all(re.search(fields["files"], f"shader{suffix}") for suffix in source_suffixes())
    checked = re.search(r"files: (.*)", hook.partition("- id: check\n")[2].partition("- id:")[0])
    rows = [row for package in packages() for row in (*package.languages, *package.containers)]
    assert checked is not None
    assert all(re.search(checked[1], f"shader{suffix}") for row in rows for suffix in row.suffixes)
    assert not re.search(fields["files"], "shader.shbin")


@pytest.mark.parametrize(
    ("name", "head", "opens", "closes"),
    [
        ("a.pica", ".proc main\n", "ifu b0\n", ".end\n"),
        ("a.vsh", "main:\n", "if b0\n", "endif\n"),
        ("a.vsa", "vs_3_0\n", "if b0\n", "endif\n"),
    ],
)
def test_blocks_far_inside_others_stay_in_a_column(name: str, head: str, opens: str, closes: str):
    """Otherwise a small source with many open blocks gives gigabytes."""
    text = format_source(name, head + 3000 * opens + 3000 * closes)
    assert text == format_source(name, text)
    margins = [len(line) - len(line.lstrip()) for line in text.splitlines()]
    assert max(margins) <= 4 * 17
    assert len(set(margins)) > 15
