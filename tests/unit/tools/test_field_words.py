"""Words of the field that are not names of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from effort import sample
from lanewise.compile.services import manuals
from lanewise.packages import packages
from lanewise.tools import cli, field_words, fuzz_against
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
    against = {name for action in fuzz_against.parser()._actions for name in action.option_strings}  # pyright: ignore[reportPrivateUsage]: argparse has no other way
    every = set[str]().union(*KNOWN.values(), against)
    for word, meant in field_words.OPTIONS.items():
        for text in meant:
            assert text.split()[0] in every, text
            # No row is dead: some command has what is meant and lacks the word.
            assert any(text.split()[0] in names and f"--{word}" not in names for names in [*KNOWN.values(), against]), (
                word,
                text,
            )
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
        (["frame", "x.ctf:0", "--why"], "unknown option --why: it is an option of `lanewise run`; see lanewise frame --help"),
        (["asm", "x", "--mesh", "y"], "unknown option --mesh: it is an option of `lanewise run` and `lanewise debug`"),
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


@pytest.mark.parametrize(
    ("argv", "text", "fixed"),
    [
        (["translate", "a.v.pica", "--to", "c++"], "--to c++: use c, cpp, glsl or wgsl (did you mean cpp?)", {"c++": "cpp"}),
        (
            ["translate", "a.v.pica", "--to", "hlsl"],
            "--to hlsl: use c, cpp, glsl or wgsl (did you mean glsl?)",
            {"hlsl": "glsl"},
        ),
        (["translate", "a.v.pica", "--to", "GLSL"], "(did you mean glsl?)", {"GLSL": "glsl"}),
        (["run", "a.v.pica", "-i", "p=1", "--isa", "pica"], "(did you mean pica200?)", {"pica": "pica200"}),
        (["run", "a.v.pica", "-i", "p=1", "--format", "js"], "--format js: use ", {"js": "json"}),
        (["run", "a.v.pica", "-i", "p=1", "--engine", "jit"], "for PICA200 use auto, reference or llvm (did", {"jit": "llvm"}),
        (["run", "a.v.pica", "-i", "p=1", "--count", "0x2"], "use a whole number, --count 2: number of", {"0x2": "2"}),
        (["run", "a.v.pica", "-i", "p=1", "--trace", "0.0"], "use a whole number, --trace 0: show every", {"0.0": "0"}),
        (
            ["run", "a.v.pica", "-i", "p=1", "--profile"],
            "option --profile needs a value: --profile NAME|FILE.toml: the rules",
            {},
        ),
        (
            ["run", "a.v.pica", "--trace", "-i", "p=1"],
            "needs a value before -i: --trace 0 (--trace N): ",
            {"-i": "0", "p=1": "-ip=1"},
        ),
        (
            ["fuzz", "--against", "x", "--ulp", "1e-6"],
            "--ulp 1e-6: use a whole number: a relative difference of 1e-6 is 8 places of",
            {},
        ),
        (["run", "a.v.pica", "-i", "p=1", "--threads", "auto"], "a whole number, --threads $(nproc): number", {"auto": "2"}),
        (["run", "a.v.pica", "-i", "p=1", "--threads", "0"], "write --threads $(nproc) for all cores", {"0": "2"}),
        (["run", "a.v.pica", "-i", "p=1", "--head", "5"], "write --count 5 for the first vertices", {"--head": "--count"}),
        (["run", "a.v.pica", "-i", "p=1", "--default"], "needs a value: --default 0: ", {"--default": "--default=0"}),
        (["run", "a.v.pica", "--inputs", "p=1"], 'write --input "p=1"', {"--inputs": "--input"}),
        (["run", "a.v.pica", "--inputs=p=1,2"], 'write --input "p=1,2"', {"--inputs=p=1,2": "--input=p=1,2"}),
        (["run", "a.v.pica", "--inputs", "1,2"], 'write --input "NAME=1,2", with the name', {"--inputs": "-i", "1,2": "p=1,2"}),
        (["run", "a.v.pica", "--inputs", "d.json"], "(did you mean --data FILE?)", {}),
        (["fuzz", "--against", "x", "--timeout", "5s"], "--timeout 5s: use a number, --timeout 5: seconds for an answer", {}),
    ],
)
def test_a_value_that_an_option_does_not_take(
    argv: list[str],
    text: str,
    fixed: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.v.pica").write_text(".in p\n.out o position\n.proc main\n\tmov o, p\n\tend\n.end\n")
    assert cli.main(argv) == 2
    assert text in capsys.readouterr().err
    if fixed:
        assert cli.main([fixed.get(each, each) for each in argv]) == 0, capsys.readouterr().err


def test_each_word_for_a_value_is_for_one_that_exists():
    known = {value for row in interfaces() for option in row.rows for value in option.values}
    manuals = [package.manual(row.name) for row in interfaces() for package in packages()]
    known |= {choice for manual in manuals for option in manual.options for choice in option.choices}
    for word, meant in field_words.VALUES.items():
        assert {each.partition(",")[0] for each in meant} <= known, (word, meant)


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
