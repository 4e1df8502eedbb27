"""Command lines of authors of homebrew with one mistake each: what is said, and that the command works once it is followed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corpus import REPOSITORY
from lanewise.tools.cli import main

EXAMPLES = REPOSITORY / "examples"
TRIPLE = "run triple.v.pica --input"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("lighting.v.pica", "toon.v.pica", "tetra.json", "tetra.obj", "exercises/solutions/triple.v.pica"):
        shutil.copy(EXAMPLES / name, ".")
    return tmp_path


def arguments(line: str) -> list[str]:
    """The arguments of a command line: words, or what is between double quotes."""
    parts = line.split('"')
    return [each for n, part in enumerate(parts) for each in (part.split() if n % 2 == 0 else [part])]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        (
            "run lighting.v.pica --mesh tetra.obj --uniform tetra.json",
            "the file has the values of several: --uniforms tetra.json",
            "run lighting.v.pica --mesh tetra.obj --uniforms tetra.json",
        ),
        (f"{TRIPLE} position=1 2 3", '--input "position=1,2,3"', f'{TRIPLE} "position=1,2,3"'),
        (f"{TRIPLE} position=1,2,3 4,5,6", '--input "position=1,2,3;4,5,6"', f'{TRIPLE} "position=1,2,3;4,5,6"'),
        ("run --input position=1 2 -3 triple.v.pica", '--input "position=1,2,-3"', f'{TRIPLE} "position=1,2,-3"'),
        (f"{TRIPLE} position=1,2,3 -o a.shbin", "`lanewise asm triple.v.pica -o a.shbin` ", "asm triple.v.pica -o a.shbin"),
        (f"{TRIPLE} position=1,2,3 -o a.h", "`lanewise asm triple.v.pica -H a.h` writes", "asm triple.v.pica -H a.h"),
        (f"{TRIPLE} position=1,2,3 -o a.svg", "--draw a.svg draws a picture", f"{TRIPLE} position=1,2,3 --draw a.svg"),
        (f"{TRIPLE} position:1,2,3", "write position=1,2,3", f"{TRIPLE} position=1,2,3"),
        ("run triple.v.pica --position 1,2,3", 'write --input "position=1,2,3"', f'{TRIPLE} "position=1,2,3"'),
        (
            "run lighting.v.pica --mesh tetra.obj --default 0 --uniform light1=1,1,1",
            "did you mean light[1]?",
            "run lighting.v.pica --mesh tetra.obj --default 0 --uniform light[1]=1,1,1",
        ),
        (
            "run lighting.v.pica --mesh tetra.obj --uniforms tetra.json --draw a.svg --wireframe on",
            "--wireframe has no value: remove on after it",
            "run lighting.v.pica --mesh tetra.obj --uniforms tetra.json --draw a.svg --wireframe",
        ),
        (f"{TRIPLE} vertices=1,2,3", "did you mean position?", f"{TRIPLE} position=1,2,3"),
        ("asm toon.v.pica -o toon.v.pica", "use .shbin, .bin, such as toon.shbin", "asm toon.v.pica -o toon.shbin"),
        ("opt toon.v.pica -o toon.v.pica", "such as toon.new.v.pica", "opt toon.v.pica -o toon.new.v.pica"),
    ],
)
def test_a_mistake_and_its_fix(line: str, said: str, right: str, capsys: pytest.CaptureFixture[str]):
    assert main(arguments(line)) in (1, 2)
    assert said in capsys.readouterr().err
    assert main(arguments(right)) == 0, capsys.readouterr().err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("old", "new"), [("[0.1, 0.1, 0.1]", '"#202020"'), ("[0.1, 0.1", "[0.1f, 0.1")])
def test_values_as_other_files_have_them(old: str, new: str, capsys: pytest.CaptureFixture[str]):
    text = Path("tetra.json").read_text()
    command = ["run", "lighting.v.pica", "--mesh", "tetra.obj", "--uniforms", "tetra.json"]
    Path("tetra.json").write_text(text.replace(old, new))
    assert main(command) == 1
    fix = capsys.readouterr().err.rpartition("help: write ")[2].strip()
    Path("tetra.json").write_text(text.replace(old, fix.rpartition(": ")[2] if fix[0] == '"' else f"[{fix}, 0.1"))
    assert main(command) == 0


SUN, PAINT = "[1, 0, 0]", "[[1, 0, 0], [0, 1, 0], [0.3, 0, 1]]"


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        ("", "add m to uniforms: 4 rows of 4 numbers; or write `defaults = 0` for zeros", ""),
        (f"m = {PAINT}", "give m here 4 rows of 4 numbers, ", "m = "),
        (f"m = [{SUN}, {SUN}]", "no value for uniform m", "defaults = 0"),
    ],
)
def test_a_shader_test_without_a_value(line: str, said: str, right: str, capsys: pytest.CaptureFixture[str]):
    rows = "".join([f" dp4 o.{c}, m[{n}], p\n" for n, c in enumerate("xyzw")])
    Path("m.v.pica").write_text(f".fvec m[4]\n.out o position\n.in p\n.proc main\n{rows} end\n.end\n")
    test = Path("m.shadertest.toml")
    text = f'program = "m.v.pica"\nHERE\n[uniforms]\n{line}\n[[test]]\ninputs.p = [0, 0, 0]\noutputs = {{ "position.x" = 0 }}\n'
    test.write_text(text.replace("HERE", ""))
    assert main(["test", str(test)]) == 1
    shown = capsys.readouterr().out
    assert said in shown
    if right == "m = ":  # the rows that are said, of the numbers that are given
        right += shown.partition("4 numbers, ")[2].splitlines()[0]
        assert right == "m = [[1, 0, 0, 0], [0, 1, 0, 0], [0.3, 0, 1, 0], [0, 0, 0, 1]]"
        text = text.replace(line, right)
    test.write_text(text.replace("HERE", "defaults = 0" if right[:1] != "m" else ""))
    assert main(["test", str(test)]) == 0


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("argument", "said", "right"),
    [
        ("\u2013\u2013count", "begins with U+2013 (en dash), not with a hyphen: write --count", "--count"),
        ("\u2014count", "write --count", "--count"),
        ("\u2212i", "write -i", "-i"),
        (
            "\u201cposition=1,2,3\u201d",
            'a shell does not take for quotes: write "position=1,2,3"',
            "",
        ),
        ("'position=1,2,3'", 'cmd.exe has only double ones: write "position=1,2,3"', ""),
        ("/i", "'/i' is not an option: write -i", "-i"),
        ("*.v.pica ", "is not expanded by this shell", ""),
        ("position=1,2,3", 'position=1,2,3 is not a file: write --input "position=1,2,3"', ""),
        ("-i=position=1,2,3", "-i=position=1,2,3: write -i position=1,2,3", ""),
    ],
)
def test_arguments_as_documents_and_other_shells_have_them(
    argument: str, said: str, right: str, capsys: pytest.CaptureFixture[str]
):
    value = {"--count": "2", "-i": "position=1,2,3"}.get(right)
    argv = (
        [argument, value] if value else ["-i", argument] if "position" in argument and argument[0] not in "-p" else [argument]
    )
    assert main(["run", "triple.v.pica", *argv]) in (1, 2)
    assert said in capsys.readouterr().err
    fixed = [right, value] if value else []
    data = [] if right == "-i" else ["-i", "position=1,2,3"]
    assert main(["run", "triple.v.pica", *fixed, *data]) == 0


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("line", ['program = "toon"', 'program = "toon.shbin"', 'source = "toon.v.pica"'])
def test_a_shader_test_of_another_file(line: str, capsys: pytest.CaptureFixture[str]):
    text = (EXAMPLES / "toon.shadertest.toml").read_text()
    test = Path("t.shadertest.toml")
    test.write_text(text.replace('program = "toon.v.pica"', line))
    assert main(["test", str(test)]) == 1
    named = capsys.readouterr().out.partition("help: write ")[2].partition("\n")[0].partition(": ")[0]
    test.write_text(text.replace('program = "toon.v.pica"', f"program = {named.removeprefix('program = ')}"))
    assert main(["test", str(test)]) == 0


@pytest.mark.usefixtures("here")
def test_a_source_and_its_output_that_are_exchanged(capsys: pytest.CaptureFixture[str]):
    assert main(["asm", "toon.v.pica", "-o", "toon.shbin"]) == 0
    assert main(["asm", "-o", "toon.v.pica", "toon.shbin"]) == 2
    assert "exchange them, `lanewise asm toon.v.pica -o toon.shbin`" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_a_shader_test_of_several_shaders(capsys: pytest.CaptureFixture[str]):
    Path("black.v.pica").write_text((EXAMPLES / "black.v.pica").read_text().replace(".proc main", ".entry flat\n.proc flat"))
    assert main(["asm", "toon.v.pica", "black.v.pica", "-o", "both.shbin"]) == 0
    test = Path("t.shadertest.toml")
    text = (EXAMPLES / "toon.shadertest.toml").read_text().replace("toon.v.pica", "both.shbin")
    test.write_text(text)
    assert main(["test", str(test)]) == 1
    assert "by name or number, `shader = 0`: 0 dvle0 (vertex)" in capsys.readouterr().out
    test.write_text("shader = 0\n" + text)
    assert main(["test", str(test)]) == 0
    assert main(["run", "both.shbin", "--count", "1", "--default", "0"]) == 1
    assert "`--program 0`: 0 dvle0" in capsys.readouterr().err
    assert main(["run", "both.shbin", "--count", "1", "--default", "0", "--program", "0"]) == 0


@pytest.mark.usefixtures("here")
def test_a_shader_test_in_a_folder_of_its_own(capsys: pytest.CaptureFixture[str]):
    """One cause, one finding: where the program is a key of a table, and where it is outside of the test's project."""
    Path("tests").mkdir()
    test = Path("tests/t.shadertest.toml")
    text = (EXAMPLES / "toon.shadertest.toml").read_text()
    line = 'program = "toon.v.pica"'
    test.write_text(text.replace(line, "").replace("glossy = false", f"glossy = false\n{line}"))
    assert main(["test", "tests"]) == 1
    told = capsys.readouterr().out
    assert told.count("error[") == 1
    assert "above the first [table]" in told
    test.write_text(text)
    assert main(["test", "tests"]) == 1
    told = capsys.readouterr().out
    folder = told.rpartition("an empty lanewise.toml into ")[2].partition("\n")[0]
    assert 'help: write "../toon.v.pica"' in told
    test.write_text(text.replace("toon.v.pica", "../toon.v.pica"))
    assert main(["test", "tests"]) == 1
    assert capsys.readouterr().out.rpartition("an empty lanewise.toml into ")[2].partition("\n")[0] == folder
    (Path(folder) / "lanewise.toml").write_text("")
    assert main(["test", "tests"]) == 0
    test.write_text(text.replace("toon.v.pica", "../toon.v.pica").replace("\ncolor = ", "\nfragColor = "))
    assert main(["test", "tests"]) == 1
    assert "help: did you mean color?" in capsys.readouterr().out
