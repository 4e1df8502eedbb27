"""`lanewise opt --each`: many programs, in this process and on workers."""

from __future__ import annotations

import json
import ntpath
import os
from typing import TYPE_CHECKING

import pytest

import lanewise as lw
import pieces
from documents import checked
from lanewise.core.service import UsageError
from lanewise.distributed.optimising import folder_of
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

processes = pytest.mark.skipif(not os.environ.get("LANEWISE_SCALE"), reason="starts worker processes: nox -s scale")

SOURCE = ".out pos position\n.in v\n.proc main\n{code}\n    end\n.end\n"
COPY = "    mov r{n}, v\n    mul pos, v, r{n}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three programs, one of them in a folder below and one of two sources in a list, and a file that is no program."""
    place = tmp_path / "shaders"
    (place / "more").mkdir(parents=True)
    (place / "one.v.pica").write_text(SOURCE.format(code=COPY.format(n=1)))
    (place / "more" / "two.v.pica").write_text(SOURCE.format(code=COPY.format(n=2)))
    (place / "three.v.pica").write_text(SOURCE.format(code="    mov pos, v"))
    (place / "wrong.v.pica").write_text(SOURCE.format(code="    mull pos, v"))
    (place / "readme.txt").write_text("no program\n")
    return place


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def opt(*arguments: str) -> tuple[int, str, str]:
        code = cli.main(["opt", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return opt


def test_each_program_of_a_folder(run: Run, folder: Path, tmp_path: Path):
    out = tmp_path / "out"
    code, text, _ = run("--each", str(folder), "-o", str(out))
    assert code == 1  # one has errors
    assert text.splitlines()[-1] == "4 programs, 1 with errors: 8 words before, 6 after"
    assert "one.v.pica: 3 words before, 2 after (copy)" in text
    assert "wrong.v.pica: unknown" in text
    small = lw.load(str(out / "more" / "two.v.pica.shbin"))
    assert len(small.words) == 2
    assert sorted(path.name for path in out.rglob("*.shbin")) == ["one.v.pica.shbin", "three.v.pica.shbin", "two.v.pica.shbin"]


def test_json_and_the_record(run: Run, folder: Path, tmp_path: Path):
    record = tmp_path / "record"
    (folder / "wrong.v.pica").unlink()
    arguments = ("--each", str(folder), "--format", "json")
    whole = checked(run(*arguments)[1])
    assert [one["name"] for one in whole["files"]] == ["more/two.v.pica", "one.v.pica", "three.v.pica"]
    assert whole["files"][0]["moves"] == {"copy": 1}
    assert (whole["before"], whole["after"], whole["complete"]) == (8, 6, True)
    code, _, _ = run(*arguments, "--record", str(record))
    assert code == 0
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(lines[:2]))  # the campaign, and the first piece
    again = checked(run("--record", str(record), "--resume", "--format", "json")[1])
    assert again == whole


def test_other_programs_than_those_of_the_record(run: Run, folder: Path, tmp_path: Path):
    record = str(tmp_path / "record")
    run("--each", str(folder / "one.v.pica"), "--record", record)
    _, _, err = run("--each", str(folder / "three.v.pica"), "--record", record, "--resume")
    assert "the programs or options are others than those of" in err
    (folder / "one.v.pica").write_text("; changed\n" + SOURCE.format(code=COPY.format(n=1)))
    lines = (tmp_path / "record").read_text().splitlines(keepends=True)
    (tmp_path / "record").write_text(lines[0])
    code, text, err = run("--record", record, "--resume")
    assert (code, text) == (2, "")
    assert "one.v.pica is another file than when the run was started: begin another record" in err


def test_a_record_that_lies_elsewhere_needs_the_programs_again(run: Run, folder: Path, tmp_path: Path):
    (tmp_path / "night").mkdir()
    record = str(tmp_path / "night" / "record")
    _, whole, _ = run("--each", str(folder), "--record", record)
    assert str(tmp_path) not in (tmp_path / "night" / "record").read_text()
    code, _, err = run("--record", record, "--resume")
    assert code == 2
    assert "does not say where its programs are, they are not below its folder: name them again, with --each" in err
    assert run("--each", str(folder), "--record", record, "--resume")[:2] == (1, whole)


@pytest.mark.parametrize(
    ("line", "before", "after", "message"),
    [
        (0, b'"opt"', b'"logging.config:fileConfig"', 'the record of "logging.config:fileConfig": name one that'),
        (0, b"shaders/one", b"../shaders/one", "'programs' is not a list of a list of a path inside and a digest"),
        (0, b"shaders/one", b"/shaders/one", "'programs' is not a list"),
        (0, b"shaders/one", b"C:/shaders/one", "'programs' is not a list"),
        (0, b"shaders/one", b"a\\\\..\\\\one", "'programs' is not a list"),
        (0, b'"last":1', b'"last":2', "the campaign is damaged: it has 1 programs"),
        (0, b'"values":{}', b'"values":{"output":"x"}', "'--output' is not an option with such a value"),
        (0, b'"values":{}', b'"values":{"avoid":"dph"}', "'--avoid' is not an option with such a value"),
        (0, b'"include":[]', b'"include":["/etc"]', "'include' is not a list of paths inside"),
        (0, b'"language":""', b'"language":"x"', "unknown language 'x'"),
        (1, b'"number":0', b'"number":1', "a finding: 'number' is 1, not of the piece"),
        (1, b'"binary":"', b'"binary":"!', "a finding: 'binary' is not bytes in base64"),
        (1, b'"words":{"before":3', b'"words":{"before":"3"', "a finding: 'words' is not counts before and after"),
    ],
)
def test_a_record_that_lies(line: int, before: bytes, after: bytes, message: str, run: Run, folder: Path, tmp_path: Path):
    record = tmp_path / "record"
    run("--each", str(folder / "one.v.pica"), "--record", str(record))
    lines = record.read_bytes().splitlines()
    assert before in lines[line]
    lines[line] = lines[line].replace(before, after)
    record.write_bytes(pieces.resealed(lines))
    code, text, err = run("--record", str(record), "--resume", "-o", str(tmp_path / "out"))
    assert (code, text, err.count("\n")) == (1, "", 1)
    assert message in err
    assert not (tmp_path / "out").exists()


def test_programs_on_two_drives():
    with pytest.raises(UsageError, match="the programs are on several drives, C: and D:: give those of each in a run"):
        folder_of(["C:\\a\\x.v.pica", "D:\\b\\y.v.pica"], ntpath)
    assert folder_of(["C:\\a\\x.v.pica", "C:\\a\\b\\y.v.pica"], ntpath) == "C:\\a"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a.v.pica", "--workers", "2"), "--workers is for many programs: add --each"),
        (("--each", "--source", "a.v.pica"), "--each writes binaries: leave out --source"),
        (("--resume",), "--resume needs --record FILE"),
        (("--each", "-"), "standard input has no path for workers"),
        (("--each",), "name programs or folders"),
    ],
)
def test_wrong_usage(run: Run, arguments: tuple[str, ...], message: str):
    code, _, err = run(*arguments)
    assert code == 2
    assert message in err


@processes
def test_two_worker_processes(run: Run, folder: Path, tmp_path: Path):
    (folder / "wrong.v.pica").unlink()
    here = checked(run("--each", str(folder), "--format", "json", "-O3")[1])
    there = checked(run("--each", str(folder), "--format", "json", "-O3", "--workers", "2", "--record", str(tmp_path / "r"))[1])
    assert there == here
    workers = [json.loads(line)["worker"] for line in (tmp_path / "r").read_text().splitlines()[1:]]
    assert len(workers) == 3
    assert all(worker.startswith("tcp://") for worker in workers)


def test_direct3d9_shaders(run: Run, tmp_path: Path):
    (tmp_path / "a.vsa").write_text("vs_2_0\ndcl_position v0\nmov r0, v0\nmov oPos, r0\n")
    code, out, _ = run("--each", str(tmp_path / "a.vsa"), "-o", str(tmp_path / "out"), "--record", str(tmp_path / "a.record"))
    assert (code, out) == (0, "a.vsa: 2 slots before, 1 after (into)\n1 program: 2 slots before, 1 after\n")
    assert (tmp_path / "out" / "a.vsa.vso").read_bytes()[:2] == b"\0\2"
    again = run("--record", str(tmp_path / "a.record"), "--resume", "-o", str(tmp_path / "out"), "--force")
    assert again[:2] == (0, out)
