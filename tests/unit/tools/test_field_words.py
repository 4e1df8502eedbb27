"""Words of the field that are not names of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from effort import sample
from lanewise.compile.services import manuals
from lanewise.tools import cli, field_words
from lanewise.tools.interfaces import interfaces
from together import together

if TYPE_CHECKING:
    from pathlib import Path

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
        (["make"], "did you mean build?"),
        (["Lint"], "did you mean check?"),
        (["explain", "V001"], "did you mean check --explain CODE or isa ISA?"),
        (["link", "a", "b"], "did you mean asm?"),
        (["man", "disasm"], "did you mean dis?"),
        (["asmm"], "did you mean asm?"),
        (["qqqq"], "see lanewise --help"),
        ([__file__, "-o", "a.shbin"], f"the command is missing: lanewise asm {__file__} -o a.shbin"),
        (["check", "x", "-o", "y"], "unknown option -o: the command prints its answer, redirect it: > FILE"),
        (["check", "x", "--json"], "unknown option --json (did you mean --format json?)"),
        (["check", "x", "--autofix"], "(did you mean --fix?)"),
        (["asm", "x", "--autofix"], "unknown option --autofix; see lanewise asm --help"),  # asm has no --fix
        (["asm", "x", "--incdir", "y"], "unknown option --incdir (did you mean -I DIR?)"),
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


@together("word", sorted(field_words.COMMANDS))
def test_each_word_for_a_command(word: str, capsys: pytest.CaptureFixture[str]):
    assert cli.main([word, "x"]) == 2
    err = capsys.readouterr().err
    assert f"'{word}': did you mean {' or '.join(field_words.COMMANDS[word])}?" in err


@together("name", sorted(KNOWN))
def test_each_word_for_an_option(name: str, capsys: pytest.CaptureFixture[str]):
    """Each command that has what is meant and lacks the word names it, once the files that it needs are there."""
    known = KNOWN[name]
    needed = {"diff": ["x", "x"], "evidence": ["plan"]}.get(name, ["x"])
    words = [word for word in field_words.OPTIONS if not any(option.startswith(f"--{word}") for option in known)]
    for word in sample(words, 25):
        fitting = [text for text in field_words.OPTIONS[word] if text.split()[0] in known]
        if not fitting:
            continue
        said: list[str] = []
        for files in (needed, []):  # some take no file
            assert cli.main([name, *files, f"--{word}"]) == 2
            said.append(capsys.readouterr().err)
        assert any(f"unknown option --{word} (did you mean {' or '.join(fitting)}?)" in err for err in said), said


def test_what_is_meant_works_when_followed(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    source = tmp_path / "a.v.pica"
    source.write_text(".in p\n.out o position\n.proc main\n\tmov o, p\n\tend\n.end\n")
    assert cli.main(["check", "--explain", "V070"]) == 0  # explain
    assert cli.main(["isa", "pica200"]) == 0
    assert cli.main(["asm", str(source), "-o", str(tmp_path / "a.shbin")]) == 0  # assemble, build, link
    assert cli.main(["dis", str(tmp_path / "a.shbin")]) == 0  # disasm
    assert cli.main(["check", str(source)]) == 0  # lint
    capsys.readouterr()
