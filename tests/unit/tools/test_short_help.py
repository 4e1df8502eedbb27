"""The help of a command on one screen, and the whole one."""

from __future__ import annotations

import re

import pytest

from corpus import REPOSITORY
from lanewise.packages import packages
from lanewise.tools import cli
from lanewise.tools.short_help import WIDTH

EXAMPLES = REPOSITORY / "examples"
FILES = {"pica200": "toon.v.pica", "shadercore": "transform.sc", "direct3d9": "direct3d9/lit.vsa"}
MOST = {"run": 60, "compile": 40, "debug": 55}  # lines; other commands 45
# Commands whose help is that of argparse: they have no FILE of an instruction set.
PLAIN = {
    "isa",
    "vectors",
    "evidence",
    "fuzz",
    "bench",
    "lsp",
    "dap",
    "cache",
    "schema",
    "completions",
    "man",
    "frame",
    "studio",
}
SHORT = [command.name for command in cli.COMMANDS if command.name not in PLAIN]


def helped(*arguments: str) -> int:
    try:
        return cli.main([*arguments])
    except SystemExit as left:
        assert isinstance(left.code, int)
        return left.code


@pytest.mark.parametrize("command", SHORT)
def test_it_fits(command: str, capsys: pytest.CaptureFixture[str]):
    for file in ("", *FILES.values(), "glsl/toon.vert"):
        assert helped(command, *([str(EXAMPLES / file)] if file else []), "--help") == 0
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) <= MOST.get(command, 45), file
        assert max(map(len, lines)) <= WIDTH, file
        assert lines[0].startswith(f"usage: lanewise {command} ")
        assert "examples:" in lines
        assert lines[-1].startswith("Exit codes: ")


@pytest.mark.parametrize("command", [name for name in SHORT if name != "compile"])
def test_every_option_of_a_file_is_named(command: str, capsys: pytest.CaptureFixture[str]):
    for package in packages():
        assert helped(command, str(EXAMPLES / FILES[package.name]), "--help") == 0
        named = set(re.findall(r"--?[a-zA-Z][a-zA-Z0-9-]*", capsys.readouterr().out))
        for option in package.manual(command).options:
            assert option.names[-1] in named or option.names[0] in named, (package.name, option.names)


def test_the_options_of_other_instruction_sets_are_not_shown(capsys: pytest.CaptureFixture[str]):
    assert helped("run", str(EXAMPLES / "transform.sc"), "--help") == 0
    shown = capsys.readouterr().out
    assert "ShaderCore options:" in shown and "--stream NAME=TYPE" in shown
    assert "--mesh" not in shown and "--sampler" not in shown
    assert helped("run", "--help", "gone.v.pica") == 0
    shown = capsys.readouterr().out
    assert "--stream" not in shown and "lanewise run FILE --help" in shown and "lanewise run --help-all" in shown
    assert helped("build", "--help") == 0
    assert "FILE --help" not in capsys.readouterr().out  # no instruction set adds options
    assert helped("compile", str(EXAMPLES / "glsl" / "toon.vert"), "--target", "shadercore", "--help") == 0
    shown = capsys.readouterr().out
    assert "ShaderCore options:" in shown and "GLSL options:" in shown and "PICA200 options:" not in shown


@pytest.mark.parametrize("command", [command.name for command in cli.COMMANDS])
def test_all_of_it(command: str, capsys: pytest.CaptureFixture[str]):
    assert helped(command, "--help-all") == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: lanewise {command}")
    if command == "run":
        assert "--stream" in shown and "--mesh" in shown and "--sampler" in shown
