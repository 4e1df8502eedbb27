"""The help of commands: options that several instruction sets have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lanewise import packages
from lanewise.core import service
from lanewise.core.service import TEXT, Manual, Option
from lanewise.tools import isa as isa_command
from lanewise.tools import picasso
from lanewise.tools.cli import COMMANDS, GROUPS, main, usage
from lanewise.tools.command_line import ONE, CommandLine, parser

if TYPE_CHECKING:
    from lanewise.core.package import IsaPackage


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("dis", "--from {file,words,hex,c,coe,mif,vhdl,verilog,source}"),
        ("dis", "--to {bin,hex,c,vhdl,verilog,coe,mem,mif}"),
        ("check", "--from {file,words,hex,c,coe,mif,vhdl,verilog,source}"),
        ("run", "--engine {auto,reference,llvm}"),
        ("run", "--indices VALUE"),
    ],
)
def test_help_shows_the_choices_of_a_shared_option(command: str, shown: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as left:
        main([command, "--help-all"])
    assert left.value.code == 0
    assert f"  {shown}" in capsys.readouterr().out


def having(name: str, *choices: str) -> IsaPackage:
    """A package whose every command has the option --fit."""

    def manual(_: str) -> Manual:
        return Manual((Option(names=("--fit",), kind=TEXT, help="how it fits", metavar="", choices=choices),))

    return packages.PACKAGES[0]._replace(name=name, title=name, manual=manual)


@pytest.mark.parametrize(
    ("second", "shown"), [(("loose", "none"), "--fit {tight,loose,none} how it fits"), ((), "--fit FIT how it fits")]
)
def test_a_shared_option_has_the_choices_of_all(monkeypatch: pytest.MonkeyPatch, second: tuple[str, ...], shown: str):
    monkeypatch.setattr(packages, "PACKAGES", (having("one", "tight", "loose"), having("two", *second)))
    built = parser(CommandLine(name="show", about="Show it.", options=(), examples="", files=ONE))
    assert shown in " ".join(built.format_help().split())
    assert built.parse_args(["x", "--fit", "other"]).fit == "other", "its package refuses it, with the choices that it has"


def test_help_says_which_instruction_sets_have_an_option_and_what_it_means_for_each(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["run", "--help-all"])
    out = capsys.readouterr().out
    own, _, shared = out.partition("\nPICA200, ShaderCore and Direct3D 9 options:\n")
    assert "  --set FIELD" not in own
    text = " ".join(shared.partition("\n\n")[0].split())
    assert "PICA200: a field of the profile" in text
    assert "ShaderCore: another value for a device parameter" in text
    assert "--engine {auto,reference,llvm} engine to use; all give" in text


def test_the_help_of_lanewise_has_a_column_of_names():
    """One screen of fifty lines, in groups of what one wants to do."""
    lines = usage().splitlines()
    assert len(lines) <= 50
    table = usage().partition("\n\n")[2].partition("\n\n")[2].partition("\n\n")[0].splitlines()
    titles = [line.removesuffix(":") for line in table if not line.startswith("  ")]
    assert titles == [*GROUPS]
    rows = [line for line in table if line.startswith("  ")]
    assert len(rows) == len(COMMANDS)
    assert {row[14:15] for row in rows} == {" "}
    assert all(row[15:16].isalpha() for row in rows)


PROGRAM = str(Path(__file__).resolve().parents[3] / "examples" / "transform.v.pica")
LONG = "9" * 5000


@pytest.mark.parametrize(
    "argv",
    [
        ["run", PROGRAM, "--threads", LONG],
        ["run", PROGRAM, "--threads", LONG[:4000]],
        ["run", PROGRAM, "--threads", f"-{LONG[:4000]}"],
        ["run", PROGRAM, "--set", LONG],
        ["run", PROGRAM, "--set", f"rounding={LONG}"],
        ["run", PROGRAM, "--timeout", LONG],
        ["run", PROGRAM, f"--timeout={LONG}"],
        ["run", PROGRAM, "--timeout", "'\\\n" * 1000],
        ["run", PROGRAM, "--count", LONG],
        ["run", PROGRAM, "--uniform", LONG],
        ["run", PROGRAM, "--trace", LONG],
        ["bench", "--vertices", LONG],
        ["bench", "--vertices", LONG[:4000]],
        ["check", PROGRAM, "--format", LONG],
        ["check", PROGRAM, "--isa", LONG],
        ["check", PROGRAM, f"--{LONG}"],
        ["asm", PROGRAM, f"--{LONG}"],
        [LONG],
    ],
    ids=lambda argv: " ".join(argv[-2:])[:40],
)
def test_a_long_argument_is_short_in_a_message(argv: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(argv) in (1, 2)
    message = capsys.readouterr().err
    assert "…" in message
    assert len(message) < 600


def test_the_drop_in_shortens_them_too(capsys: pytest.CaptureFixture[str]):
    assert picasso.main([f"--{LONG}"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == f"lanewise-picasso: error: unknown option --{LONG[:57]}…"


def test_a_long_path_is_whole_in_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / ("long" * 30 + ".v.pica")
    path.write_bytes(Path(PROGRAM).read_bytes())
    assert main(["asm", str(path), "-o", str(path)]) == 2
    assert f"{path}: " in capsys.readouterr().err


def test_a_warning_about_the_machine_is_a_remark(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def say(_: list[str]) -> int:
        service.remark("no compiled kernels are kept")
        return 0

    monkeypatch.setattr(isa_command, "main", say)
    assert main(["isa"]) == 0
    assert capsys.readouterr().err == "lanewise isa: no compiled kernels are kept\n"
    with pytest.warns(RuntimeWarning, match="another"):
        service.remark("another")
