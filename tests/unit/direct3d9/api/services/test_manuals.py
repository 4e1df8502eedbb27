"""The literal choices of options are those of the tables, which are too much to import for a command line."""

from __future__ import annotations

from lanewise.core.engines import ENGINES
from lanewise.core.service import NOTHING_ADDED, Option
from lanewise.direct3d9.api.disassembling import LOSSLESS, STYLES
from lanewise.direct3d9.api.reading import SOURCE
from lanewise.direct3d9.api.services.loaded import FORM_NAMES
from lanewise.direct3d9.api.services.manuals import manual
from lanewise.direct3d9.container.forms import FORMS, TARGETS
from lanewise.direct3d9.engine.data import MOST_ITERATIONS
from lanewise.direct3d9.isa.choices import CHOICES
from lanewise.direct3d9.options import ASM
from lanewise.direct3d9.sem.numbers import IEEE, NAMES, RULES


def options(command: str) -> dict[str, Option]:
    return {option.key: option for option in (ASM if command == "asm" else manual(command)).options}


def test_choices_are_those_of_the_tables():
    run = options("run")
    assert run["rule"].choices == RULES
    assert options("vectors")["rule"].choices == NAMES
    assert run["engine"].choices == ENGINES
    for command in ("asm", "dis"):
        assert options(command)["to"].choices == TARGETS
    assert options("dis")["style"].choices == STYLES
    for command in ("dis", "check", "inspect"):
        assert {FORM_NAMES.get(name, name) for name in options(command)["from"].choices} == {*FORMS, SOURCE}


def test_defaults_in_help_are_those_of_the_services():
    run = options("run")
    assert f"(default: {IEEE})" in run["rule"].help
    assert f"(default: {MOST_ITERATIONS})" in run["turns"].help
    assert f"{LOSSLESS} (default)" in options("dis")["style"].help


def test_the_help_of_run_names_every_open_question():
    assert all(choice.key in manual("run").values for choice in CHOICES)


def test_a_command_without_additions():
    assert manual("time") is NOTHING_ADDED
