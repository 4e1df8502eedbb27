"""`lanewise fuzz` in pieces: what differs, what fails, what a record says, wrong usage."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import lanewise as lw
import pieces
from documents import checked
from engines.fuzz_workers import WRONG
from lanewise.core.fuzzing import Compared, Difference, Origin, RandomPrograms, Reduced
from lanewise.distributed import fuzzing
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs of which 3 and 5 differ and become the same, 6 differs otherwise, and 40 cannot be done."""

    def compare(seed: int, number: int, level: str) -> Compared:
        if number == 40:
            raise MemoryError("no room")
        return Compared(
            number=number,
            reason="because of 7 reasons" if number == 1 else "",
            lanes=2,
            ended=2,
            difference=WRONG if number in (3, 5, 6) else None,
        )

    def reduce(seed: int, number: int, level: str, origin: Origin, tick: Callable[[], None]) -> Reduced:
        return Reduced(f"; program {number}\nmov {number % 2}\n", ".v.pica", 1, WRONG)

    def written(seed: int, number: int, difference: Difference, origin: Origin) -> Reduced:
        return Reduced("", "", 0, difference)

    def service(target: str, options: Mapping[str, object] | None = None) -> RandomPrograms:
        return RandomPrograms(compare=compare, reduce=reduce, written=written, budget=0)

    monkeypatch.setattr(fuzzing, "service", service)


@pytest.mark.usefixtures("programs")
def test_what_differs_is_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    arguments = ["fuzz", "--seed", "9", "--programs", "10", "--piece", "5", "--findings", "9", "-o", str(tmp_path)]
    assert cli.main([*arguments, "--format", "json"]) == 1
    data = checked(capsys.readouterr().out)
    assert (data["programs"], data["differences"], data["compiled"]) == (10, 3, 9)
    assert [(one["program"], one.get("same_as")) for one in data["findings"]] == [(3, None), (5, 3), (6, None)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fuzz-9-3.v.pica", "fuzz-9-6.v.pica"]
    assert cli.main(arguments) == 1
    out, err = capsys.readouterr()
    assert "     1  because of N reasons\n" in out
    assert "program 5 differs: o1 of vertex 0, as program 3\n" in out
    assert err.count("program 3: the engines differ, o1 of vertex 0\n") == 1


@pytest.mark.usefixtures("programs")
def test_one_finding_ends_a_run_and_its_piece_names_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    record = tmp_path / "record"
    arguments = ["fuzz", "--record", str(record), "-o", str(tmp_path), "--format", "json"]
    assert cli.main([*arguments, "--seed", "9", "--programs", "30", "--piece", "10"]) == 1
    data = checked(capsys.readouterr().out)
    assert (data["pieces"], data["of"], data["record"]) == (1, 3, str(record))
    assert ["words" in one for one in data["findings"]] == [True, False, False]
    assert cli.main([*arguments, "--resume"]) == 1
    data = checked(capsys.readouterr().out)
    assert (data["pieces"], data["resumed"], data["programs"]) == (3, 1, 30)
    assert len(record.read_text().splitlines()) == 4


@pytest.mark.usefixtures("programs")
def test_a_piece_that_fails_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    arguments = ["fuzz", "--seed", "9", "--first", "20", "--programs", "30", "--piece", "10", "-o", str(tmp_path)]
    assert cli.main(arguments) == 1
    out, err = capsys.readouterr()
    assert (
        "piece 2 (programs 40 to 49) failed 3 times; `lanewise fuzz --seed 9 --first 40 --programs 10` runs it alone:\n" in out
    )
    assert out.count("  this process: MemoryError: no room\n") == 3
    assert "piece 2, programs 40 to 49: failed 3 times\n" in err
    assert cli.main([*arguments, "--format", "json"]) == 1
    (failed,) = checked(capsys.readouterr().out)["failed"]
    assert (failed["piece"], failed["first"], failed["count"], len(failed["why"])) == (2, 40, 10, 3)


def test_the_command_of_a_program():
    assert fuzzing.command("pica200", 7, 20, 5, "native") == "lanewise fuzz --seed 7 --first 20 --programs 5"
    assert (
        fuzzing.command("direct3d9", 7, 20, 1, "avx2")
        == "lanewise fuzz --seed 7 --first 20 --programs 1 --target direct3d9 --level avx2"
    )
    assert fuzzing.command("shadercore", 7, 20, 1, "native") == "lanewise fuzz --seed 27 --programs 1 --target shadercore"


def test_campaigns_of_the_compiler_have_its_devices(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    record = tmp_path / "record"
    arguments = [
        "fuzz",
        "--target",
        "shadercore",
        "--seed",
        "3",
        "--programs",
        "2",
        "--record",
        str(record),
        "-o",
        str(tmp_path),
    ]
    assert cli.main([*arguments, "--device", "rtl", "--set", "issue_interval=4"]) == 0
    assert json.loads(record.read_text().splitlines()[0])["options"]["devices"] == ["rtl, issue_interval=4"]
    assert capsys.readouterr().out.endswith("no difference\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--workers", "0"], "--workers is at least 1"),
        (["--piece", "0"], "--piece is at least 1"),
        (["--resume"], "--resume needs --record FILE"),
        (["--workers", "1", "--scheduler", "x"], "--scheduler and --workers exclude each other"),
        (["--record", "none", "--resume"], "none: No such file or directory"),
        (["--record", "RECORD", "--resume", "--seed", "8"], "--seed is 8, but 9 in"),
        (["--record", "RECORD"], "the file exists: continue it with `--resume`"),
        (["--scheduler", "nonsense"], "scheduler nonsense: missing port number in address 'nonsense': give an address such as"),
    ],
)
@pytest.mark.usefixtures("programs")
def test_wrong_usage(arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    record = str(tmp_path / "record")
    if "RECORD" in arguments:
        cli.main(["fuzz", "--seed", "9", "--programs", "2", "--record", record])
        capsys.readouterr()
    assert cli.main(["fuzz", *[record if argument == "RECORD" else argument for argument in arguments]]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_the_record_of_other_work_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    record = str(tmp_path / "record")
    lw.distributed.sweep("pieces:counts", 3, record=record)
    assert cli.main(["fuzz", "--record", record, "--resume"]) == 1
    assert 'the record of "pieces:counts": name one that `lanewise fuzz --record` has written' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "before", "after", "message"),
    [
        (0, b'"seed":9', b'"seed":"../9"', "the options are damaged: 'seed' is not a whole number"),
        (0, b'"target":"pica200"', b'"target":"x"', "the options are damaged: unknown target 'x'"),
        (0, b'"level":"native"', b'"level":[]', "the options are damaged: 'level' is not a text"),
        (0, b'"level":"native"', b'"level":"x"', "the options are damaged: unknown level 'x'"),
        (0, b'"last":10', b'"last":0', "the campaign is damaged: a campaign has at least 1 item"),
        (1, b'".v.pica"', b'"/../../x.v.pica"', "a finding: 'suffix' is not a suffix"),
        (1, b'"program":3', b'"program":5', "a finding: 'program' is 5, not of the piece"),
        (1, b'"words":1', b'"word":1', "a finding: unknown key"),
        (1, b'"program":3', b'"program":[]', "a finding: 'program' is not a whole number"),
    ],
)
@pytest.mark.usefixtures("programs")
def test_a_record_that_lies(
    line: int, before: bytes, after: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    record, out = tmp_path / "record", tmp_path / "out"
    arguments = ["fuzz", "--record", str(record), "-o", str(out)]
    cli.main([*arguments, "--seed", "9", "--programs", "10", "--piece", "5", "--findings", "9"])
    lines = record.read_bytes().splitlines()
    assert before in lines[line]
    lines[line] = lines[line].replace(before, after)
    record.write_bytes(pieces.resealed(lines))
    capsys.readouterr()
    assert cli.main([*arguments, "--resume"]) == 1
    out_text, err = capsys.readouterr()
    assert (out_text, err.count("\n")) == ("", 1)
    assert message in err


@pytest.mark.usefixtures("programs")
def test_a_line_that_was_cut_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    record = tmp_path / "record"
    cli.main(["fuzz", "--record", str(record), "--seed", "9", "--first", "10", "--programs", "10", "--piece", "5"])
    record.write_bytes(record.read_bytes()[:-3])
    assert cli.main(["fuzz", "--record", str(record), "--resume", "-o", str(tmp_path)]) == 0
    assert f"{record}:3: the last line was cut and is dropped: its piece is done again\n" in capsys.readouterr().err
