"""Findings about values of a run point at the file that has the value."""

import pickle
from pathlib import Path

import pytest

import lanewise as lw
from lanewise.core.diagnostics import ERROR, INPUT, UNIFORM, About, Diagnostic, Related
from lanewise.core.origins import Origin, add_table, placed
from lanewise.core.source import Span
from lanewise.core.tables import parse
from lanewise.tools import run, testing

PICA = ".fvec m[2]\n.in a\n.in b\n.out o position\n.proc main\n add r0, m[1], a\n add o, r0, b\n end\n.end\n"
SC = ".input v0 position\n.input v1 color\n.output o0 position\n add o0.xyzw, v0.xyzw, v1.xyzw\n end\n"
D3D = "vs_2_0\ndcl_position v0\ndcl_color v1\nadd r0, v0, v1\nadd oPos, r0, c4\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("p.v.pica", PICA), ("p.sc", SC), ("p.vsa", D3D)):
        (tmp_path / name).write_text(text)
    return tmp_path


def shown(capfd: pytest.CaptureFixture[str], *argv: str) -> list[str]:
    """The places of errors and notes."""
    assert run.main(list(argv)) == 1
    lines = capfd.readouterr().err.splitlines()
    return [line.strip().removeprefix("--> ") for line in lines if "-->" in line or line.startswith("note: ")]


@pytest.mark.parametrize(
    ("program", "data", "places"),
    [
        ("p.v.pica", '{"inputs": {\n "a": 1,\n "d": 1}}', ["d.json:3:2"]),
        ("p.v.pica", '{"inputs": {\n "a": 1,\n "b": [1,2,3,4,5]}}', ["d.json:3:2"]),
        ("p.v.pica", '{"inputs": {"a": 1, "b": 1},\n "uniforms": {\n "m": 1}}', ["d.json:3:2"]),
        ("p.v.pica", '{"inputs": {"a": 1, "b": 1},\n "booleans": {\n "b0": 3}}', ["d.json:3:2"]),
        (
            "p.v.pica",
            '{"inputs": {\n "a": [[1],[2]],\n "b": [[1],[2],[3]]}}',
            ["d.json:2:2", "note: d.json:3:2: b is given here"],
        ),
        (
            "p.v.pica",
            '{\n"inputs": {"a": 1}, "uniforms": {"m": [[1,2,3,4], [1,2,3,4]]}}',
            ["d.json:2:1", "note: p.v.pica:7:2: read here"],
        ),
        ("p.v.pica", '{"inputs": {"a": 1, "b": 1}}', ["d.json", "note: p.v.pica:6:2: read here"]),
        ("p.sc", '{"inputs": {\n "position": 1,\n "d": 1}}', ["d.json:3:2"]),
        ("p.sc", '{"inputs": {"position": 1, "color": 1},\n "uniforms": {"c256": 1}}', ["d.json:2:15"]),
        ("p.sc", '{"inputs": {"position": 1, "color": 1},\n "initial": {"q0": 1}}', ["d.json:2:14"]),
        (
            "p.sc",
            '{"inputs": {\n "position": [[1],[2]],\n "color": [[1],[2],[3]]}}',
            ["d.json:2:2", "note: d.json:3:2: color is given here"],
        ),
        ("p.vsa", '{"inputs": {\n "position": 1,\n "d": 1}}', ["d.json:3:2"]),
        ("p.vsa", '{"inputs": {"position": 1, "color": 1},\n "integers": {\n "i0": [1,2,3,4,5]}}', ["d.json:3:2"]),
        ("p.vsa", '{"inputs": {"position": 1, "color": 1},\n "uniforms": {\n "c4": [1,2,3,4,5]}}', ["d.json:3:2"]),
    ],
)
def test_a_data_file_is_the_place(program: str, data: str, places: list[str], here: Path, capfd: pytest.CaptureFixture[str]):
    (here / "d.json").write_text(data)
    assert shown(capfd, program, "--data", "d.json") == places


def test_tables_and_settings_are_places_and_options_take_that_of_a_data_file(here: Path, capfd: pytest.CaptureFixture[str]):
    (here / "t.csv").write_text("1,2,3,4,5\n")
    (here / "u.toml").write_text("# rows\nm = [[1], [2], [3]]\n")
    (here / "d.json").write_text('{"inputs": {"a": [1,2,3,4,5], "b": 1}}')
    given = ("p.v.pica", "-i", "b=1", "--uniforms", "u.toml")
    assert shown(capfd, *given, "-i", "a=t.csv") == ["t.csv", "u.toml:2:1"]
    assert shown(capfd, *given, "--data", "d.json", "-i", "a=1,2,3,4,5") == ["<command line>:1:1", "u.toml:2:1"]
    assert shown(capfd, *given, "-i", "a=1", "-u", "m=1") == ["<command line>:1:1"]


def test_numbers_that_become_infinity_are_said(here: Path, capfd: pytest.CaptureFixture[str]):
    (here / "d.json").write_text('{"inputs": {\n "a": [1, 1e30]},\n "uniforms": {"m": [[0, 0, 0, 0], [0, 0, 0, 0]]}}')
    assert run.main(["p.v.pica", "--data", "d.json", "-i", "b=3.689e19"]) == 0
    err = capfd.readouterr().err
    assert "warning[B019]: input 'a' has 1e+30, which is stored as infinity\n  --> d.json:2:2" in err
    assert err.count("B019") == 1
    assert run.main(["p.v.pica", "--data", "d.json", "-i", "b=3.69e19", "-i", "a=inf", "--profile", "azahar"]) == 0
    assert "B019" not in capfd.readouterr().err


def test_a_shader_test_is_the_place(here: Path, capfd: pytest.CaptureFixture[str]):
    (here / "t.shadertest.toml").write_text(
        'program = "p.v.pica"\nuniforms.m = [[0, 0, 0, 0], [0, 0, 0, 0]]\ninputs.b = 1\n'
        '[[test]]\nname = "1"\ninputs = { a = [1, 2, 3, 4, 5] }\noutputs = { position = 1 }\n'
        '[[test]]\nname = "2"\ninputs = { a = 1 }\noutputs = { position = [1, 2, 3, 4, 5] }\n'
        '[[test]]\nname = "3"\noutputs = { position = 1 }\n'
        '[[test]]\nname = "4"\ninputs.c = 1\ninputs.a = 1\noutputs = { position = 1 }\n'
    )
    assert testing.main(["t.shadertest.toml"]) == 1
    out = capfd.readouterr().out
    places = [line.strip().removeprefix("--> ") for line in out.splitlines() if "-->" in line]
    assert places == [f"t.shadertest.toml:{line}:1" for line in (6, 11, 3, 17)]
    assert "error[B002]: 5 numbers in a row expected of position, which has 4 components" in out


def test_python_says_which_values_without_a_place(here: Path):
    shader = lw.load("p.v.pica")
    assert isinstance(shader, lw.pica200.ShaderFile)
    with pytest.raises(lw.InputError) as caught:
        shader.vertex.run({"d": 1.0, "a": [1.0] * 5})
    assert [finding.about for finding in caught.value.diagnostics] == [(About(INPUT, "d"),), (About(INPUT, "a"),)]
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.diagnostics == caught.value.diagnostics


def test_only_findings_about_values_are_placed():
    data = b'{"inputs": {\n "a": 1},\n "uniforms": {"a": 2}}'
    reader, _ = parse(data, "d.json", toml=False, what="values")
    origins = {(INPUT, "a"): Origin()}
    add_table(origins, INPUT, reader, ("a",), "inputs")
    add_table(origins, UNIFORM, reader, ("a",), "uniforms")
    code = Span(file="p", line=4)
    finding = Diagnostic(code="B002", severity=ERROR, message="a", span=code)
    own = finding._replace(about=(About(INPUT, "a"),))
    assert placed([finding, own], origins) == [finding, own]  # the command line gives the input
    (other,) = placed([finding._replace(about=(About(UNIFORM, "a"),))], origins)
    assert (other.span.file, other.span.line, other.related) == ("d.json", 3, (Related(code, "read here"),))
    assert placed([finding._replace(about=(About(UNIFORM, "c7"),))], origins)[0].span.line == 3  # a row of another
