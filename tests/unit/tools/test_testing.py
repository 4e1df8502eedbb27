"""`lanewise test`: shader tests without pytest."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from documents import checked
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path

WRONG = """program = "toon.v.pica"
uniforms = {projection = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], sun = [0, 0, 1, 4], shade = [0, 0, 0], \
paint = [0, 0, 0], shine = [0, 0, 1, 0.75], glossy = false}
inputs = {position = [1, 2, 3], normal = [0, 0, 1]}

[[test]]
name = "wrong"
[test.outputs]
"position.x" = 2

[[test]]
name = "right"
[test.outputs]
"position.x" = 1
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("toon.v.pica", "toon.shadertest.toml"):
        shutil.copy(REPOSITORY / "examples" / name, tmp_path)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "copy.shadertest.toml").write_text(WRONG)
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_tests_of_a_folder(here: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["test"]) == 0
    assert capsys.readouterr().out == (
        "toon.shadertest.toml\n  passed  four bands\n  passed  the highlight of a glossy surface\n"
        "  passed  three bands are not exact\n3 passed\n"
    )


def test_a_test_that_fails_names_the_instruction(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "wrong.shadertest.toml").write_text(WRONG)
    assert main(["test", "wrong.shadertest.toml"]) == 1
    out = capsys.readouterr().out
    assert "  failed  wrong\n" in out
    assert "position.x" in out
    assert "toon.v.pica:22" in out
    assert out.endswith("  passed  right\n1 passed, 1 failed\n")
    assert main(["test", "wrong.shadertest.toml", "--name", "right"]) == 0
    capsys.readouterr()
    for wanted in ("igh", "*ight", "rihgt"):
        assert main(["test", "wrong.shadertest.toml", "--name", wanted]) == 2
        assert f"unknown test '{wanted}': write --name right\n" in capsys.readouterr().err
    assert main(["test", "wrong.shadertest.toml::test_RIGHT[0]"]) == 2
    assert "write `lanewise test wrong.shadertest.toml --name right`\n" in capsys.readouterr().err


def test_json(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "wrong.shadertest.toml").write_text(WRONG)
    (here / "inner" / "bad.shadertest.toml").write_text("[[test]\n")
    (here / "inner" / "gone.shadertest.toml").write_text('program = "gone.pica"\n[[test]]\nname = "gone"\noutputs = {o0 = 1}\n')
    assert main(["test", ".", "--format", "json"]) == 1
    document = checked(capsys.readouterr().out)
    assert (document["passed"], document["failed"], document["error"]) == (4, 1, 2)
    rows = {(row["file"], row["name"]): row for row in document["tests"]}
    failed = rows["wrong.shadertest.toml", "wrong"]
    assert (failed["line"], failed["outcome"]) == (5, "failed")
    assert "position.x" in failed["message"]
    assert rows["inner/bad.shadertest.toml", ""]["outcome"] == "error"
    assert "gone" in rows["inner/gone.shadertest.toml", ""]["message"]
    assert all(row["seconds"] > 0 for row in rows.values() if row["outcome"] in ("passed", "failed"))


@pytest.fixture
def exercise(here: Path) -> Path:
    """A test file of two points and one, and what three students have handed in."""
    (here / "exercise.shadertest.toml").write_text(WRONG.replace('name = "wrong"', 'name = "wrong"\npoints = 2'))
    handed = here / "handed in"
    handed.mkdir()
    text = (here / "toon.v.pica").read_text()
    (handed / "ada.v.pica").write_text(text)
    (handed / "=bob.v.pica").write_text(text.replace("mov outclr.w", "nonsense outclr.w"))
    return handed


def test_one_test_file_and_many_programs(exercise: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["test", "exercise.shadertest.toml", "--program", str(exercise), "--points"]) == 1
    out = capsys.readouterr().out.replace(str(exercise), "handed")
    assert out.count("exercise.shadertest.toml: handed/ada.v.pica\n  failed  wrong\n") == 1
    assert "unknown instruction 'nonsense'" in out
    assert "  error  right\n      the same\n" in out  # a source that cannot be read says so once
    assert out.endswith("0 of 3  handed/=bob.v.pica\n1 of 3  handed/ada.v.pica\n1 passed, 1 failed, 2 errors\n")
    assert main(["test", "exercise.shadertest.toml", "--program", str(exercise), "--points", "--format", "json"]) == 1
    document = checked(capsys.readouterr().out)
    assert [each["points"] for each in document["programs"]] == [0, 1]
    assert {row["program"] for row in document["tests"]} == {str(path) for path in exercise.iterdir()}


def test_programs_of_other_instruction_sets_are_of_other_tests(exercise: Path, capsys: pytest.CaptureFixture[str]):
    shutil.copytree(REPOSITORY / "examples" / "exercises", "all")
    assert main(["test", "all/brightness.shadertest.toml", "--program", "all", "--points"]) == 1
    out, err = capsys.readouterr()
    assert out.endswith("1 of 6  all/brightness.sc\n6 of 6  all/solutions/brightness.sc\n4 passed, 2 failed\n")
    others = "all/facing.vsa, all/solutions/facing.vsa, all/solutions/triple.v.pica, all/triple.v.pica"
    assert f"skipped {others}, for Direct3D 9, " in err
    assert "PICA200: its own program, solutions/brightness.sc, is for ShaderCore" in err
    assert main(["test", "all/brightness.shadertest.toml", "--program", "all/facing.vsa", "--points"]) == 1
    out = capsys.readouterr().out
    assert "all/facing.vsa is for Direct3D 9, and the file's own program for ShaderCore: test one for that" in out
    assert out.endswith("0 of 6  all/facing.vsa\n0 passed, 1 error\n")


def test_a_program_may_lie_outside_of_the_project(exercise: Path, capsys: pytest.CaptureFixture[str]):
    (exercise.parent / "inner" / "lanewise.toml").touch()
    shutil.copy("exercise.shadertest.toml", "inner")
    assert main(["test", "inner", "--name", "right", "--program", str(exercise / "ada.v.pica")]) == 0
    assert main(["test", "inner", "--program", "gone.v.pica"]) == 1
    assert "cannot read gone.v.pica" in capsys.readouterr().err


def test_tables_for_other_programs(exercise: Path, capsys: pytest.CaptureFixture[str]):
    import csv
    from xml.etree import ElementTree

    arguments = ["test", "exercise.shadertest.toml", "--program", "handed in/ada.v.pica"]
    arguments += ["--program", "handed in/=bob.v.pica", "--format"]
    assert main([*arguments, "csv"]) == 1
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines(keepends=True)))
    assert [(row["test"], row["outcome"], row["points"], row["of"]) for row in rows[:2]] == [
        ("wrong", "failed", "0", "2"),
        ("right", "passed", "1", "1"),
    ]
    assert main([*arguments, "junit"]) == 1
    suites = ElementTree.fromstring(capsys.readouterr().out)
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors")) == ("4", "1", "2")
    failure = suites.find("testsuite/testcase/failure")
    assert failure is not None
    assert "position.x" in (failure.text or "")
    assert main([*arguments, "github"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("::error file=exercise.shadertest.toml,line=5,title=handed in/ada.v.pica%3A wrong::")
    assert lines[-1] == "1 passed, 1 failed, 2 errors"


def test_a_cell_is_no_formula(exercise: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(exercise)
    assert main(["test", "../exercise.shadertest.toml", "--program", "=bob.v.pica", "--format", "csv"]) == 1
    assert ",'=bob.v.pica," in capsys.readouterr().out


def test_points_are_a_number(here: Path, capsys: pytest.CaptureFixture[str]):
    for value in ("-1", "true", '"two"', "nan"):
        (here / "wrong.shadertest.toml").write_text(WRONG.replace('name = "wrong"', f'name = "wrong"\npoints = {value}'))
        assert main(["test", "wrong.shadertest.toml"]) == 1
        assert "T004" in (out := capsys.readouterr().out)
        assert "points is not a number of points" in out


def test_list(here: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["test", "--list", "toon.shadertest.toml"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["15", "four", "bands"]
    assert main(["test", "--list", "--format", "json"]) == 0
    assert [row["outcome"] for row in checked(capsys.readouterr().out)["tests"]] == ["listed"] * 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gone.shadertest.toml"], "cannot read gone.shadertest.toml"),
        (["toon.v.pica"], "not a file of shader tests"),
        (
            ["toon.v.pica", "--program", "handed/anna.v.pica", "--points"],
            "`lanewise test toon.shadertest.toml --program toon.v.pica --points`",
        ),
        (["inner"], "no shader tests in inner"),
        (["handed"], "it has programs: `lanewise test toon.shadertest.toml --program handed` tests each of them"),
        (["handed/anna.v.pica"], "`lanewise test toon.shadertest.toml --program handed/anna.v.pica` tests it"),
        (["--format", "csv", "grades.csv"], "`lanewise test ... --format csv > grades.csv`"),
        (["toon.shadertest.toml", "all.xml", "--format", "junit"], "`lanewise test ... --format junit > all.xml`"),
        (["--name", "none"], "unknown test 'none'"),
        (["other"], "no shader tests in other: rename other/"),
        (["other/toon.test.toml"], ".shadertest.toml: rename it to toon.shadertest.toml"),
        (["other/test_other.toml"], ".shadertest.toml: rename it to other.shadertest.toml"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "other").mkdir(exist_ok=True)
    (here / "handed").mkdir()
    (here / "handed" / "anna.v.pica").write_text((here / "toon.v.pica").read_text())
    for name in ("toon.test.toml", "test_other.toml"):
        (here / "other" / name).write_text('program = "../toon.v.pica"\n[[test]]\n')
    assert main(["test", *arguments]) in (1, 2)
    assert message in capsys.readouterr().err


def test_a_program_is_named_from_the_test_file(here: Path, capsys: pytest.CaptureFixture[str]):
    """The path that works where the command runs is written as it is from there."""
    (here / "tests").mkdir()
    (here / "lanewise.toml").write_text("")
    text = (here / "toon.shadertest.toml").read_text()
    moved = here / "tests" / "toon.shadertest.toml"
    moved.write_text(text)
    assert main(["test", "tests/toon.shadertest.toml"]) == 1
    assert 'help: write "../toon.v.pica": the name is relative to the test file' in capsys.readouterr().out
    moved.write_text(text.replace('"toon.v.pica"', r'"..\toon.v.pica"'))
    assert main(["test", "tests/toon.shadertest.toml"]) == 1
    assert 'help: write "../toon.v.pica": `\\` begins an escape in double quotes' in capsys.readouterr().out
    moved.write_text(text.replace('"toon.v.pica"', '"../toon.v.pica"'))
    assert main(["test", "tests/toon.shadertest.toml"]) == 0


def test_fixes_of_keys_are_followed(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "hang.v.pica").write_text(
        ".in a\n.out p position\n.proc main\nagain:\ncmp a, eq, eq, a\njmpc cmp.x, again\nmov p, a\nend\n.end\n"
    )
    file = here / "hang.shadertest.toml"
    text = 'program = "hang.v.pica"\n[[test]]\nname = "hangs"\ninputs = { a = [1, 2, 3] }\n'
    for wrong, fixed in (
        ("faults = true", 'faults = "R010"'),
        ('faults = "R010"\ntolerance = 1e-5', "tolerance = {abs = 1e-05}"),
    ):
        file.write_text(text + wrong)
        assert main(["test", "hang.shadertest.toml"]) == 1
        assert f"write {fixed}" in capsys.readouterr().out
        file.write_text(text + (fixed if "faults" in fixed else f'faults = "R010"\n{fixed}'))
        assert main(["test", "hang.shadertest.toml"]) == 0


RUN = """program = "toon.v.pica"
[[test]]
name = "a"
defaults = 0
[test.outputs]
position = 0
"""


@pytest.mark.parametrize(
    ("wrong", "said", "fixed"),
    [
        (("[test.outputs]", "[test.expected]"), "write outputs in its place", RUN),
        (("program =", "shader ="), 'write program = "toon.v.pica", relative to this file', RUN),
        (("defaults = 0", 'defaults = 0\ntolerance = "1e-3"'), "write tolerance = {abs = 0.001}", RUN),
        (("defaults = 0", "defaults = 0\ntolerance = {rtol = 0.01}"), "write tolerance = {abs = 0.01}", RUN),
        (("defaults = 0", "defaults = 0\ntolerance = {ulps = 2}"), "write tolerance = {ulp = 2}", RUN),
        (("defaults = 0", "defaults = 0\ntol = 2"), "write tolerance in its place", RUN),
    ],
)
def test_keys_that_others_call_otherwise(
    wrong: tuple[str, str], said: str, fixed: str, here: Path, capsys: pytest.CaptureFixture[str]
):
    file = here / "a.shadertest.toml"
    file.write_text(RUN.replace(*wrong))
    assert main(["test", file.name]) == 1
    out = capsys.readouterr().out
    assert f"help: {said}" in out and out.count("error[") == 1, out
    file.write_text(
        fixed.replace("defaults = 0", f"defaults = 0\n{said[6:]}") if said.startswith("write tolerance =") else fixed
    )
    assert main(["test", file.name]) == 0


def test_a_program_is_no_test(here: Path, capsys: pytest.CaptureFixture[str]):
    """Its tests are beside it, or are to be written."""
    assert main(["test", "toon.v.pica"]) == 2
    assert "write `lanewise test toon.shadertest.toml --program toon.v.pica`" in capsys.readouterr().err
    assert main(["test", "toon.shadertest.toml", "--program", "toon.v.pica"]) == 0
    (here / "other.v.pica").write_text((here / "toon.v.pica").read_text())
    assert main(["test", "other.v.pica"]) == 2
    assert 'write other.shadertest.toml with program = "other.v.pica" and [[test]]' in capsys.readouterr().err
