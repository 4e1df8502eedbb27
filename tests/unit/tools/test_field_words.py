"""Words of the field that are not names of ours."""

from __future__ import annotations

import pytest

from lanewise.compile.services import manuals
from lanewise.tools import cli, field_words
from lanewise.tools.completions import interfaces

NAMES = {command.name for command in cli.COMMANDS}
KNOWN = {row.name: {name for option in row.rows for name in option.names} for row in interfaces()}


def test_rows_name_commands_and_options_that_exist():
    for word, meant in field_words.COMMANDS.items():
        assert word not in NAMES
        for text in meant:
            command, *rest = text.split()
            assert command in NAMES or text == "--version", text
            assert {each for each in rest if each.startswith("-")} <= KNOWN.get(command, set()), text
    every = set[str]().union(*KNOWN.values())
    for word, meant in field_words.OPTIONS.items():
        for text in meant:
            assert text.split()[0] in every, text
            # No row is dead: some command has what is meant and lacks the word.
            assert any(text.split()[0] in names and f"--{word}" not in names for names in KNOWN.values()), (word, text)
    stages = {*manuals.STAGES, *manuals.SHADERCORE_STAGES}
    assert {text for meant in field_words.STAGES.values() for text in meant} <= stages


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        (["disasm", "x"], "unknown command 'disasm': did you mean dis?"),
        (["assemble", "x"], "did you mean asm?"),
        (["build"], "did you mean asm or compile?"),
        (["Lint"], "did you mean check?"),
        (["explain", "V001"], "did you mean check --explain CODE or isa ISA?"),
        (["link", "a", "b"], "did you mean asm?"),
        (["man", "disasm"], "did you mean dis?"),
        (["asmm"], "did you mean asm?"),
        (["qqqq"], "see lanewise --help"),
        (["check", "x", "--json"], "unknown option --json (did you mean --format json?)"),
        (["check", "x", "--autofix"], "(did you mean --fix?)"),
        (["asm", "x", "--autofix"], "unknown option --autofix (did you mean --to?)"),  # asm has no --fix
        (["run", "x", "--preset", "azahar"], "(did you mean --profile NAME?)"),
        (["compile", "x.vert", "--stage", "vertex"], "the shader is a vertex shader; --stage prints"),
        (["compile", "x.vert", "--stage", "asm"], "did you mean picasso?"),
        (["compile", "x.vert", "--target", "shadercore", "--stage", "asm"], "did you mean program?"),
        (["compile", "x.vert", "--stage", "qqqq"], "use spirv, vector, ssa, picasso"),
    ],
)
def test_suggestions(
    argv: list[str],
    text: str,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    folder = tmp_path_factory.getbasetemp()
    (folder / "x.vert").write_text("#version 450\nvoid main() { gl_Position = vec4(1.0); }\n")
    monkeypatch.chdir(folder)
    assert cli.main(argv) == 2
    err = capsys.readouterr().err
    assert text in err
    assert len(err.splitlines()) == 1
