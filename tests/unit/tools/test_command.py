"""The help of commands: options that several instruction sets have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lanewise import packages
from lanewise.core.service import TEXT, Manual, Option
from lanewise.tools.cli import main
from lanewise.tools.command import ONE, CommandLine, parser

if TYPE_CHECKING:
    from lanewise.core.package import IsaPackage


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("dis", "--from {file,words,hex,c,source}"),
        ("dis", "--to {bin,hex,c,vhdl,coe,mem}"),
        ("check", "--from {file,words,hex,c,source}"),
        ("run", "--engine {auto,reference,llvm}"),
        ("run", "--indices VALUE"),
    ],
)
def test_help_shows_the_choices_of_a_shared_option(command: str, shown: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    assert f"  {shown}" in capsys.readouterr().out


def having(name: str, *choices: str) -> IsaPackage:
    """A package whose every command has the option --fit."""

    def manual(_: str) -> Manual:
        return Manual((Option(("--fit",), TEXT, "how it fits", "", choices),))

    return packages.PACKAGES[0]._replace(name=name, title=name, manual=manual)


@pytest.mark.parametrize(
    ("second", "shown"), [(("loose", "none"), "--fit {tight,loose,none} how it fits"), ((), "--fit FIT how it fits")]
)
def test_a_shared_option_has_the_choices_of_all(monkeypatch: pytest.MonkeyPatch, second: tuple[str, ...], shown: str):
    monkeypatch.setattr(packages, "PACKAGES", (having("one", "tight", "loose"), having("two", *second)))
    built, _ = parser(CommandLine("show", "Show it.", (), "", files=ONE))
    assert shown in " ".join(built.format_help().split())
    assert built.parse_args(["x", "--fit", "other"]).fit == "other", "its package refuses it, with the choices that it has"
