"""`lanewise diff` of what two compilers made of one shader: constants by name, matrices by rows or columns, literals."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from direct3d9_cases import table
from documents import checked
from lanewise.core.nearness import distance
from lanewise.tools import cli

ROWS = struct.pack("<6HI", 2, 3, 4, 4, 1, 0, 0) + struct.pack("<6HI", 1, 3, 1, 4, 1, 0, 0)
# One shader, as two compilers have it: the matrix by columns and by rows, constants and numbers elsewhere.
COLUMNS_TEXT = """def c9, 0, 1, 0.5, 2
dcl_position v0
dcl_color v1
m4x4 oPos, v0, c0
dp4 r0.x, v0, c5
max r0.x, r0.x, c9.x
min oD0.w, r0.x, c9.y
mul oD0.xyz, v1, c4
"""
ROWS_TEXT = """def c0, 1, 0, 0, 0
dcl_color v0
dcl_position v1
mul r0, v1.x, c10
mad r0, v1.y, c11, r0
mad r0, v1.z, c12, r0
mad oPos, v1.w, c13, r0
mul oD0.xyz, v0, c21
dp4 r0.x, v1, c20
max r0.x, r0.x, c0.y
min oD0.w, r0.x, c0.x
"""


def source(text: str, names: list[int]) -> str:
    """A source with a constant table, as a compiler writes it."""
    words = ", ".join(f"{word:#x}" for word in names[1:])
    return f"vs_2_0\n.comment {words}\n{text}"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    columns = table([("World", 2, 0, 4, 0), ("paint", 2, 4, 1, 16), ("fog", 2, 5, 1, 16)])
    rows = table([("World", 2, 10, 4, 0), ("paint", 2, 21, 1, 16), ("fog", 2, 20, 1, 16)], ROWS)
    Path("one.vsa").write_text(source(COLUMNS_TEXT, columns))
    Path("two.vsa").write_text(source(ROWS_TEXT, rows))


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    code = cli.main(["diff", *argv, "--format", "json"])
    return code, checked(capsys.readouterr().out)


def compiled(name: str) -> None:
    assert cli.main(["compile", f"{name}.vsa", "--target", "shadercore", "-o", f"{name}.scb"]) == 0


def test_shaders_of_two_compilers(capsys: pytest.CaptureFixture[str]):
    code, found = run(capsys, "one.vsa", "two.vsa")
    assert (code, found["verdict"]) == (0, "equal"), found["reason"]
    assert "constants and textures by their names, matrices by their rows and columns" in str(found["used"])
    Path("two.vsa").write_text(Path("two.vsa").read_text().replace("v1.y, c11", "v1.y, c12"))
    code, found = run(capsys, "one.vsa", "two.vsa")
    assert code == 1
    assert {"World[0]", "paint", "fog"} <= {each["name"] for each in found["example"]["uniforms"]}


def test_what_only_one_shader_has_is_named(capsys: pytest.CaptureFixture[str]):
    names = table([("World", 2, 10, 4, 0), ("tint", 2, 21, 1, 16), ("fog", 2, 20, 1, 16)], ROWS)
    Path("two.vsa").write_text(source(ROWS_TEXT, names))
    code, found = run(capsys, "one.vsa", "two.vsa")
    assert (code, found["unmatched"]) == (3, ["uniform paint is only in one.vsa", "uniform tint is only in two.vsa"])


def test_programs_that_two_shaders_compile_to(capsys: pytest.CaptureFixture[str]):
    compiled("one")
    compiled("two")
    capsys.readouterr()
    for pair in (("one.scb", "two.scb"), ("one.vsa", "two.scb"), ("two.vsa", "one.scb")):
        code, found = run(capsys, *pair, "--device", "document")
        assert (code, found["verdict"]) == (0, "equal"), (pair, found["reason"])
        assert "uniforms by their names, matrices by their rows and columns" in str(found["used"])
    interface = json.loads(Path("two.json").read_text())
    interface["names"] = {row: text.replace("fog", "mist") for row, text in interface["names"].items()}
    Path("two.json").write_text(json.dumps(interface))
    assert run(capsys, "one.scb", "two.scb", "--device", "document")[0] == 3, "fog is only in one, mist only in two"


def test_a_program_without_interface_has_the_numbers_of_the_shader(capsys: pytest.CaptureFixture[str]):
    """As the public compiler writes it."""
    compiled("one")
    Path("one.json").unlink()
    capsys.readouterr()
    code, found = run(capsys, "one.vsa", "one.scb", "--device", "document")
    assert (code, found["verdict"]) == (0, "equal")
    assert "numbers that the shader defines, in one.scb too: c9" in str(found["used"])


def test_relative_addresses_of_an_array_elsewhere(capsys: pytest.CaptureFixture[str]):
    body = "def c{d}, 4, 0, 0, 0\ndcl_position v0\ndcl_blendindices v1\nmul r0.x, v1.x, c{d}.x\nmova a0.x, r0.x\n"
    body += "".join([f"dp4 oPos.{'xyzw'[n]}, v0, c{{{n}}}[a0.x]\n" for n in range(4)])
    for name, first, number in (("one", 8, 2), ("two", 40, 0)):
        text = body.format(first, first + 1, first + 2, first + 3, d=number)
        Path(f"{name}.vsa").write_text(source(text, table([("Bones", 2, first, 40, 0)])))
    code, found = run(capsys, "one.vsa", "two.vsa")
    assert (code, found["verdict"]) == (0, "equal"), found["reason"]
    assert "relative addresses of Bones stay within it" in str(found["used"])


def test_how_far_results_are_apart(capsys: pytest.CaptureFixture[str]):
    """A bound is said to be one only where it is proved; what a search found is unknown, and differs where it is more."""
    head = "vs_2_0\ndcl_position v0\ndcl_color v1\nmov oPos, v0\n"
    Path("one.vsa").write_text(head + "add r0, v0, c0\nadd oD0, r0, v1\n")
    Path("two.vsa").write_text(head + "add r0, c0, v1\nadd oD0, r0, v0\n")
    ranges = "--range", "position=0.5..2", "--range", "color.xyzw=0..1,0..1,1..2,3", "--range", "c0=0..1"
    assert run(capsys, "one.vsa", "two.vsa")[0] == 1
    for pair in (("one.vsa", "two.vsa"), ("one.scb", "two.scb")):
        if pair[0] == "one.scb":
            compiled("one")
            compiled("two")
            capsys.readouterr()
        options = ("--device", "document", "--waves", "4") if pair[1] == "two.scb" else ("--searches", "3")
        code, found = run(capsys, *pair, *options, "--ulp", "4", *ranges)
        assert (code, found["verdict"]) == (0, "equal"), found
        assert found["ulp"] == {"asked": 4, "proved": 4, "found": None, "output": found["ulp"]["output"], "reason": ""}
        assert "position is in 0.5..2" in str(found["used"])
        code, found = run(capsys, *pair, *options, "--ulp", "3", *ranges)
        apart = found["ulp"]
        assert (code, found["verdict"], apart["proved"]) == (3, "unknown", 4)
        assert 0 < apart["found"] <= 3
        assert found["example"] is not None
        code, found = run(capsys, *pair, *options, "--ulp", "3", "--range", "*=-1..1")
        assert (code, found["verdict"]) == (1, "differs")
    assert cli.main(["diff", "one.vsa", "two.vsa", "--range", "c0=0..1"]) == 2
    assert cli.main(["diff", "one.vsa", "two.vsa", "--ulp", "1", "--range", "c0=2..1"]) == 2
    assert "the lower one first" in capsys.readouterr().err


def test_the_distance_that_is_found_is_that_of_its_values(capsys: pytest.CaptureFixture[str]):
    Path("one.sc").write_text("add r0.x, v0.x, c0.x\nadd o0.x, r0.x, v1.x\nend\n")
    Path("two.sc").write_text("add r0.x, v1.x, c0.x\nadd o0.x, r0.x, v0.x\nend\n")
    code, found = run(capsys, "one.sc", "two.sc", "--ulp", "0", "--range", "*=0.5..1")
    example = found["example"]
    assert code == 1
    values = {each["register"]: f"words:{each['bits'][0]}" for each in (*example["vertices"][-1], *example["uniforms"])}
    words: list[int] = []
    for name in ("one.sc", "two.sc"):
        given = ["--input", f"v0={values['v0']}", "--input", f"v1={values['v1']}", "--uniform", f"c0={values['c0']}"]
        assert cli.main(["run", name, *given, "--bits", "--format", "json", "--default", "0"]) == 0
        document = json.loads(capsys.readouterr().out)
        words.append(document["outputs"]["o0"]["bits"][0][0])
    assert distance(*words) == found["ulp"]["found"]
