"""Configuration files, as users meet them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpus import REPOSITORY
from lanewise.tools.cli import main

# V086: an alias of a register; it is a note. P-codes are errors.
NOTED = ".out outpos position\n.proc main\n    mov outpos, v0\n    end\n.end\n"
HEAD = "[tool.lanewise]\n"


@pytest.fixture(autouse=True)
def in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.v.pica").write_text(NOTED)
    return tmp_path


def codes(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["check", *arguments, "--format", "json"]) in (0, 1)
    return [finding["code"] for finding in json.loads(capsys.readouterr().out)["diagnostics"]]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


def test_settings_above_that_have_no_effect_are_named(capsys: pytest.CaptureFixture[str]):
    Path("lanewise.toml").write_text('ignore = ["V086"]\nexclude = ["gen/*"]\n')
    Path("src/lanewise.toml").write_text('indent = "tab"\n')
    for command, path in (("check", "src"), ("fmt", "src/a.v.pica")):
        assert main([command, path]) == 0
        told = capsys.readouterr().err
        assert "ignore and exclude of lanewise.toml have no effect on the files below src, which has" in told
        assert "repeat them in src/lanewise.toml" in told
    for own, lost in (('ignore = ["V086"]\nexclude = ["gen/*"]\n', False), ('exclude = ["gen/*"]\n', True)):
        Path("src/lanewise.toml").write_text(own)
        assert main(["check", "src"]) == 0
        assert ("ignore of lanewise.toml has no effect" in capsys.readouterr().err) is lost


def test_codes_are_ignored_and_selected(capsys: pytest.CaptureFixture[str]):
    before = codes(capsys, "src/a.v.pica")
    assert before
    code = before[0]
    Path("lanewise.toml").write_text(f'ignore = ["{code}"]\n')
    assert code not in codes(capsys, "src/a.v.pica")
    assert code in codes(capsys, "src/a.v.pica", "--select", code)  # the command line outranks the file
    assert code in codes(capsys, "src/a.v.pica", "--no-config")
    Path("lanewise.toml").write_text('select = ["V001"]\n')
    assert codes(capsys, "src/a.v.pica") == []
    Path("lanewise.toml").write_text(f'[per-file-ignores]\n"src/*.pica" = ["{code[:2]}"]\n"b.pica" = ["V"]\n')
    assert code not in codes(capsys, "src/a.v.pica")
    Path("b.v.pica").write_text(NOTED)
    assert code in codes(capsys, "b.v.pica")


def test_errors_are_always_reported(capsys: pytest.CaptureFixture[str]):
    Path("lanewise.toml").write_text('ignore = ["P"]\n')
    Path("src/a.v.pica").write_text(".proc main\nsub r0, r1\n.end\n")
    assert codes(capsys, "src/a.v.pica") == ["P001"]


def test_the_nearest_file_counts(capsys: pytest.CaptureFixture[str]):
    Path("lanewise.toml").write_text('select = ["V001"]\n')
    assert codes(capsys, "src/a.v.pica") == []
    Path("src/pyproject.toml").write_text("[project]\nname = 'lanewise-shaders'\n")  # without a section: it does not count
    assert codes(capsys, "src/a.v.pica") == []
    Path("src/pyproject.toml").write_text(HEAD)
    found = codes(capsys, "src/a.v.pica")
    assert found
    Path("src/lanewise.toml").write_text('select = ["V001"]\n')  # before the pyproject.toml beside it
    assert codes(capsys, "src/a.v.pica") == []
    Path("other.toml").write_text("")
    assert codes(capsys, "src/a.v.pica", "--config", "other.toml") == found


def test_every_file_has_its_own(capsys: pytest.CaptureFixture[str]):
    Path("b.v.pica").write_text(NOTED)
    Path("src/lanewise.toml").write_text('select = ["V001"]\n')
    both = codes(capsys, "src/a.v.pica", "b.v.pica")
    assert both == codes(capsys, "b.v.pica") != []


def test_indentation(capsys: pytest.CaptureFixture[str]):
    Path("lanewise.toml").write_text('indent = "tab"\n')
    assert main(["fmt", "src/a.v.pica"]) == 0
    assert "\n\tmov outpos" in Path("src/a.v.pica").read_text()
    Path("src/lanewise.toml").write_text("indent = 2\n")
    assert main(["fmt", "src/a.v.pica"]) == 0
    assert "\n  mov outpos" in Path("src/a.v.pica").read_text()
    assert main(["fmt", "src/a.v.pica", "--indent", "3"]) == 0
    assert "\n   mov outpos" in Path("src/a.v.pica").read_text()
    assert main(["fmt", "src/a.v.pica", "--no-config"]) == 0
    assert Path("src/a.v.pica").read_text() == NOTED
    capsys.readouterr()


def test_the_dialect_is_for_its_instruction_set_only(capsys: pytest.CaptureFixture[str]):
    Path("x.txt").write_text("main:\nend\n")
    assert "unknown language" in refused(capsys, "fmt", "x.txt")
    Path("lanewise.toml").write_text('dialect = "nihstro"\n')
    assert main(["fmt", "x.txt"]) == 0
    assert Path("x.txt").read_text() == "main:\n    end\n"
    Path("x.sc").write_text("nop\nend\n")
    capsys.readouterr()
    assert codes(capsys, "x.sc") == ["V240", "V218"]
    Path("x.pica").write_text("main:\nnop\nend\n")  # a suffix of another language of the same instruction set
    assert main(["fmt", "x.pica", "x.txt"]) == 0
    assert Path("x.pica").read_text() == "main:\n    nop\n    end\n"
    capsys.readouterr()


def test_options_of_instruction_sets(capsys: pytest.CaptureFixture[str]):
    source = Path("src/a.v.pica")
    source.write_text(".fvec u\n.out o position\n.in v\n.proc main\nmul o, u, v\nend\n.end\n")
    arguments = ["run", str(source), "-i", "v=0,0,0,0", "-u", "u=words:0x7F0000,0x7F0000,0x7F0000,0x7F0000"]

    def run(*more: str) -> str:
        assert main([*arguments, *more]) == 0
        return capsys.readouterr().out

    console, azahar = run(), run("--profile", "azahar")
    Path("lanewise.toml").write_text('profile = "azahar"\n')
    assert run() == azahar
    assert run("--profile", "hardware") == run("--no-config") == console
    Path("x.sc").write_text("nop\nend\n")
    assert main(["time", "x.sc"]) == 0  # which has no --profile
    capsys.readouterr()


def test_a_device_is_not_for_the_number_rules_of_direct3d9(capsys: pytest.CaptureFixture[str]):
    Path("d.vsa").write_text("vs_2_0\ndcl_position v0\nexp r0, v0.x\nmov oPos, r0\n")
    arguments = ["run", "d.vsa", "-i", "position=3,0,0,0", "--bits"]

    def run(*more: str) -> str:
        assert main([*arguments, *more]) == 0
        return capsys.readouterr().out

    ieee, device = run(), run("--device", "rtl")
    assert ieee != device
    Path("lanewise.toml").write_text('device = "rtl"\n')
    assert run() == ieee
    Path("lanewise.toml").write_text('rule = "rtl"\n')
    assert run() == device
    assert run("--rule", "ieee") == ieee
    Path("lanewise.toml").write_text('rule = "ieee"\n')
    assert run("--device", "rtl") == device


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('selct = ["V070"]', "unknown key 'selct': did you mean select?"),
        (
            "colour = 1",
            (
                "unknown key 'colour': use select, ignore, per-file-ignores, exclude, dialect, indent, compile, units, "
                "build, profile, device, rule"
            ),
        ),
        (
            '[tool.lanewise]\nignore = ["V086"]',
            "lanewise.toml:1: [tool.lanewise] is for pyproject.toml: delete this line, the keys of this file are at its top",
        ),
        ('\n[lanewise]\nignore = ["V086"]', "lanewise.toml:2: [lanewise] is for pyproject.toml: delete this line"),
        (
            "[tool.lanewise.compile]\noptimise = true",
            "lanewise.toml:1: [tool.lanewise.compile] is for pyproject.toml: write [compile]",
        ),
        ("compile = 1", "compile is not a table: write [compile] and a line for each setting"),
        ("[compile]\ndefines = []", "unknown key 'compile.defines': did you mean define?"),
        ('[compile]\ndefine = "A"', 'compile.define is not a list of texts: write compile.define = ["A"]'),
        ('[compile]\nsemantics = ["a"]', "compile.semantics is not a table of texts"),
        ("[compile]\noptimise = 1", "compile.optimise is not true or false"),
        ("[compile]\npreamble = 1", "compile.preamble is not true, false or 'float32' or 'exact'"),
        ("[compile]\nentry-point = 1", "compile.entry-point is not a text"),
        ('select = "V070"', 'select is not a list of texts: write select = ["V070"]'),
        ('select = ["V7777"]', "select: unknown code 'V7777'"),
        ('ignore = [""]', "ignore: unknown code ''"),
        ("indent = 0", "indent: unknown indentation '0': use tab, or 1 to 16 blanks"),
        ("indent = true", "indent is not a number of blanks"),
        ('dialect = "glsl"', "dialect is 'glsl': use picasso, nihstro, shadercore, direct3d9"),
        ('profile = "citra"', "profile is 'citra': use hardware, azahar, panda3ds"),
        ('exclude = ["/"]', "exclude: empty pattern '/'"),
        ("per-file-ignores = 1", "per-file-ignores is not a table"),
        ('[per-file-ignores]\n"a" = ["V9999"]', "per-file-ignores: a: unknown code 'V9999'"),
        ("select = [", "is not valid TOML"),
        ("units = 1", "units is not a table: write [units] and a line such as"),
        ("[units]\na = 1", "units.a is not a list of texts: write units.a = [...]"),
        ("[units]\na = []", "units.a: expected different sources, found 0 of 0"),
        ('[units]\na = ["src/a.v.pica", "src/a.v.pica"]', "units.a: expected different sources, found 1 of 2"),
        ('[units]\na = ["src/a.v.pica", "../b.g.pica"]', "units.a: name '../b.g.pica': it leaves the folder; write paths in"),
        ('[units]\na = ["src/a.v.pica", "/etc/passwd"]', "units.a: name '/etc/passwd': it is not relative"),
        ('[units]\na = {sources = ["src/a.v.pica", "b.pica"], out = "x"}', "unknown key 'units.a.out': did you mean output?"),
        ('[units]\na = ["src/a.v.pica", "a\\u001b[2J.pica"]', "units.a: name 'a\\x1b[2J.pica': it has control characters"),
    ],
)
@pytest.mark.parametrize("command", ["check", "fmt"])
def test_wrong_settings(text: str, said: str, command: str, capsys: pytest.CaptureFixture[str]):
    Path("lanewise.toml").write_text(text + "\n")
    err = refused(capsys, command, "src/a.v.pica")
    assert said in err
    assert "lanewise.toml" in err


def test_the_section_is_named(capsys: pytest.CaptureFixture[str]):
    Path("pyproject.toml").write_text(HEAD + "x = 1\n")
    assert "pyproject.toml [tool.lanewise]: unknown key 'x'" in refused(capsys, "check", "src/a.v.pica")
    Path("pyproject.toml").write_text("[tool]\nlanewise = 1\n")
    assert "tool.lanewise is not a table" in refused(capsys, "check", "src/a.v.pica")


@pytest.mark.parametrize("name", ["lanewise.toml", "pyproject.toml"])
def test_what_cannot_be_read_is_not_passed_over(name: str, capsys: pytest.CaptureFixture[str]):
    Path(name).mkdir()
    Path("inner").mkdir()
    Path("inner/a.v.pica").write_text(".out o position\n.proc main\n mov o, v0\n end\n.end\n")
    assert main(["check", "inner/a.v.pica"]) == 2
    assert f"{name}: it is a folder, expected a file" in capsys.readouterr().err
    assert main(["check", "inner/a.v.pica", "--no-config"]) == 0


def test_options_that_name_it(capsys: pytest.CaptureFixture[str]):
    assert "cannot read the configuration no.toml" in refused(capsys, "check", "src/a.v.pica", "--config", "no.toml")
    Path("pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert "has no [tool.lanewise]" in refused(capsys, "check", "src/a.v.pica", "--config", "pyproject.toml")
    assert "leave one out" in refused(capsys, "check", "src/a.v.pica", "--config", "x", "--no-config")


def test_the_example_of_the_docs(capsys: pytest.CaptureFixture[str]):
    page = (REPOSITORY / "docs" / "configuration.md").read_text()
    Path("lanewise.toml").write_text(page.partition("```toml\n")[2].partition("```")[0])
    assert main(["fmt", "src/a.v.pica"]) == 0
    assert "\n\tmov" in Path("src/a.v.pica").read_text()
    found = codes(capsys, "src/a.v.pica")
    assert set(found) <= {code for code in found if code[0] in "VP"} - {"V086"}


def test_asm_reads_none(capsys: pytest.CaptureFixture[str]):
    Path("lanewise.toml").write_text("nonsense = 1\n")
    assert main(["asm", "src/a.v.pica"]) == 0
    capsys.readouterr()


def test_standard_input_has_a_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    import io
    import sys

    def feed(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    Path("src/lanewise.toml").write_text('indent = "tab"\n')
    feed("main:\nend\n")
    assert main(["fmt", "-", "--stdin-filename", "src/x.vsh"]) == 0
    assert capsys.readouterr().out == "main:\n\tend\n"
    assert not Path("src/x.vsh").exists()
    feed(".proc main\nsub r0, r1\n.end\n")
    assert main(["check", "-", "--stdin-filename", "src/x.v.pica"]) == 1
    assert "--> src/x.v.pica:2:1" in capsys.readouterr().out
    assert "give - as FILE too" in refused(capsys, "check", "src/a.v.pica", "--stdin-filename", "x.pica")
