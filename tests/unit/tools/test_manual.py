"""Help, manual pages and completions are written from the same rows."""

from __future__ import annotations

import subprocess

import pytest

from installed import needs
from lanewise.tools import cli
from lanewise.tools.interfaces import interfaces
from lanewise.tools.manual import manuals, page, page_of, parsers

MANUALS = manuals()


def plain(text: str) -> str:
    return text.replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")


def test_every_command_has_a_manual_and_a_completion():
    names = [command.name for command in cli.COMMANDS]
    assert [manual.name for manual in MANUALS] == names
    assert [interface.name for interface in interfaces()] == [*names, "help"]
    whole = plain(page(MANUALS))
    for command in cli.COMMANDS:
        assert f"lanewise-{command.name} (1)\n{command.help}" in whole
        assert f"  {command.name:<13}{command.help}" in cli.usage()


def test_every_option_is_in_help_manual_and_completion():
    completed = {interface.name: interface for interface in interfaces()}
    for manual, (name, _, built) in zip(MANUALS, parsers(), strict=True):
        shown, written = " ".join(built.format_help().split()), plain(page_of(manual))
        options = [row for _, rows in manual.groups for row in rows if row.names[0].startswith("-")]
        assert sorted([row.names for row in completed[name].rows]) == sorted([row.names for row in options])
        for row in options:
            for option in row.names:
                assert f"\\fB{option}\\fR" in written
                assert option in shown
            assert row.help in written
            assert "".join(row.help.split()) in "".join(shown.split())


def test_the_command(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["man", "run"]) == 0
    assert capsys.readouterr().out == page_of(next(manual for manual in MANUALS if manual.name == "run"))
    assert cli.main(["man", "walk"]) == 2
    assert "unknown command 'walk'" in capsys.readouterr().err


@needs("groff")
def test_groff_has_no_complaints():
    text = "".join([page(MANUALS), *[page_of(manual) for manual in MANUALS]])
    done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z"], input=text, text=True, capture_output=True, check=True)
    assert done.stderr == ""
