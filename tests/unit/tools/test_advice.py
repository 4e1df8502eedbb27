"""No finding advises an option that the command at hand lacks."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from lanewise.core.diagnostics import Diagnostic, render
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.package import PICA200
from lanewise.tools.picasso import HELP

TESTS = Path(__file__).parents[2]
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*\b(?=[` ,;=)]|$)")
# What a finding says of another command names that command: `lanewise asm --dialect nihstro`.
COMMAND = re.compile(r"`?lanewise (asm|check|dis|inspect|run|convert|fmt)\b[^`]*`?")


@cache
def texts() -> list[str]:
    """Every wrong program of the golden files, each case of a file as a program."""
    found: list[str] = []
    for folder in ("golden", "check/rules", "check"):
        for path in sorted((TESTS / folder).glob("*.pica")):
            found += path.read_text().split("; CASE ")
    return found


def advised(findings: list[Diagnostic]) -> set[str]:
    return {
        option for finding in findings for option in OPTION.findall(COMMAND.sub("", " ".join((*finding.notes, finding.fix))))
    }


def test_the_drop_in_advises_its_own_options():
    found = [
        finding
        for name in ("x.v.pica", "x.vsh")
        for text in texts()
        for finding in assemble_sources([(name, text)], compatible=True, dialect="picasso").diagnostics
    ]
    assert len(found) > 100
    assert advised(found) <= set(OPTION.findall(HELP)), [render(finding) for finding in found if advised([finding])]


@pytest.mark.parametrize("command", ["asm", "check", "convert", "inspect", "graph", "run"])
def test_commands_advise_options_that_they_have(command: str):
    found = [finding for text in texts() for finding in assemble_sources([("x.v.pica", text)]).diagnostics]
    taken = {name for option in PICA200.manual(command).options for name in option.names}
    assert "--picasso-compat" in advised(found)
    assert advised(found) <= taken
