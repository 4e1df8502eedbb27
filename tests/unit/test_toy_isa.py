"""A fourth instruction set, defined by one package of at most 600 lines, in every command and in the API."""

from __future__ import annotations

import ast
import io
import json
import re
import sys
from pathlib import Path

import pytest

import lanewise as lw
from corpus import REPOSITORY
from dap_client import Client
from lanewise import packages
from lanewise.tools.cli import main
from toy_isa.package import TOY, ToyProgram

FACTORIAL = """.toy
; r7 = r0!
    set 1
    store r7
again:
    load r7
    mul r0
    store r7
    set 1
    store r6
    load r0
    sub r6
    store r0
    jnz again
    halt
"""


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "PACKAGES", (*packages.PACKAGES, TOY))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "factorial.toy"
    path.write_text(FACTORIAL)
    return path


@pytest.fixture
def binary(source: Path) -> Path:
    assert main(["asm", str(source)]) == 0
    return source.with_suffix(".toyb")


def test_it_is_small():
    text = "".join([path.read_text() for path in (REPOSITORY / "tests" / "toy_isa").glob("*.py")])
    assert len([line for line in text.split("\n") if line]) <= 600


def imported(path: Path) -> set[tuple[str, str]]:
    """The names of lanewise that a module imports with their modules, and the attributes that it reads of such names."""
    tree, names = ast.parse(path.read_text(encoding="utf-8")), set[tuple[str, str]]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lanewise."):
            names |= {(f"{node.module} import ", each.name) for each in node.names}
    known = {name for _, name in names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
            names.add((f"{node.value.id}.", node.attr))
    return names


def test_it_uses_nothing_that_real_instruction_sets_do_not_use():
    """A name counts as used where a module imports it, and where its own module uses it among what all of them share."""
    source = REPOSITORY / "src"
    real = ("pica200", "shadercore", "direct3d9", "graph", "proving", "optimising", "translating")
    paths = [path for name in real for path in (source / "lanewise" / name).rglob("*.py")]
    modules = [".".join(path.relative_to(source).with_suffix("").parts) for path in paths]
    texts = [f"{name} import {path.read_text(encoding='utf-8')}" for name, path in zip(modules, paths, strict=True)]
    toy = {each for path in (REPOSITORY / "tests" / "toy_isa").glob("*.py") for each in imported(path)}
    assert ("lanewise.arrays.results import ", "Result") in toy

    def is_used(place: str, name: str) -> bool:
        return any(place in text and re.search(rf'(?<!def )(?<!class )\b{name}\b(?!")', text) for text in texts)

    assert [row for row in sorted(toy) if not is_used(*row)] == []


def test_asm(binary: Path):
    data = binary.read_bytes()
    assert data[:8] == b"TOY1" + bytes([0x01, 0x50, 0x07, 0x10]) and len(data) == 4 + 2 * 12


def test_asm_of_a_broken_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "broken.toy"
    path.write_text(".toy\n    set 1\n    lod r1\n")
    assert main(["asm", str(path), "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (finding["code"], finding["span"]["line"], finding["message"]) == ("P901", 3, "unknown line 'lod r1'")
    assert not path.with_suffix(".toyb").exists()


def test_dis(binary: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert main(["dis", str(binary)]) == 0
    text = capsys.readouterr().out
    assert text.startswith(".toy\n    set 1\n    store r7\nL2:\n    load r7\n")
    again = tmp_path / "again.toy"
    again.write_text(text)
    assert main(["asm", str(again)]) == 0
    assert again.with_suffix(".toyb").read_bytes() == binary.read_bytes()
    assert main(["dis", "--listing", str(binary)]) == 0
    assert capsys.readouterr().out.startswith("0 5001 set 1\n1 1007 store r7\n")


def test_the_content_decides(binary: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    other = tmp_path / "factorial.shbin"
    other.write_bytes(binary.read_bytes())
    assert main(["inspect", str(other)]) == 0
    assert "Toy program of 12 words." in capsys.readouterr().out


def test_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "unset.toy"
    path.write_text(".toy\n    load r5\n    halt\n")
    assert main(["check", str(path)]) == 1
    out = capsys.readouterr().out
    assert "warning[V901]: r5 is never written" in out and "unset.toy:2:1" in out
    assert main(["check", "--ignore", "V901", "--format", "json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []


def test_check_explains(capsys: pytest.CaptureFixture[str]):
    assert main(["check", "--explain", "V901"]) == 0
    assert "register never written" in capsys.readouterr().out


def test_fmt(source: Path, capsys: pytest.CaptureFixture[str]):
    source.write_text(".toy\n set   1 ; one\nhalt\n")
    assert main(["fmt", "--check", str(source)]) == 1
    assert main(["fmt", str(source)]) == 0
    assert source.read_text() == ".toy\n    set 1 ; one\n    halt\n"
    assert main(["fmt", "--check", str(source)]) == 0


@pytest.mark.parametrize("style", ["text", "dot", "svg", "json"])
def test_graph(style: str, source: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["graph", str(source), "--format", style]) == 0
    out = capsys.readouterr().out
    if style == "json":
        assert [len(block["instructions"]) for block in json.loads(out)["blocks"]] == [2, 9, 1]
    else:
        assert "mul r0" in out
        assert {"text": "acc != 0", "dot": "digraph", "svg": "<svg"}[style] in out


def test_run(source: Path, binary: Path, capsys: pytest.CaptureFixture[str]):
    for path in (source, binary):
        assert main(["run", str(path), "--input", "r0=1,5,6"]) == 0
        assert capsys.readouterr().out.splitlines()[1:] == [
            "lane",
            "   0     0     0     1      1",
            "   1     0     0     1    120",
            "   2     0     0     1    720",
        ]
    assert main(["run", str(source), "-i", "r0=5", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["outputs"]["r7"]["values"] == [[120]]


def test_run_without_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "endless.toy"
    path.write_text(".toy\n    set 1\nagain:\n    jnz again\n")
    for arguments in ([], ["--trace", "0"]):
        assert main(["run", str(path), *arguments]) == 1
        assert "error[R901]: more than 10000 steps" in capsys.readouterr().err


def test_trace(source: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["run", str(source), "--input", "r0=4,2", "--trace", "1", "--trace-format", "table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["0", "0", "set", "1", "acc", "=", "1", "3"] and lines[4].split()[2:] == [
        "mul",
        "r0",
        "acc",
        "=",
        "2",
        "7",
    ]
    assert len(lines) == 22
    assert main(["run", str(source), "--input", "r0=4,2", "--trace", "1"]) == 0
    out = capsys.readouterr().out
    assert f"step 3, word 3, {source}:7:1\n    mul r0\n  read   r0 = 2\n  read   acc = 1\n  wrote  acc = 2, was 1\n" in out
    assert out.endswith("end after 21 steps\n  r4 = 0\n  r5 = 0\n  r6 = 1\n  r7 = 2\n")


def test_explain(source: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["run", str(source), "--input", "r0=2", "--trace", "0", "--explain", "r7"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("r7 = 2, lane 0\n") and "given:\n  input r0 = 2\n" in out
    assert f"conditions on the path:\n  step 10, word 10, {source}:14: jnz L2: acc != 0? yes" in out
    assert main(["run", str(source), "--input", "r0=2", "--trace", "0", "--explain", "r7", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["value"], [given["name"] for given in document["given"]]) == (2, ["r0"])
    assert [step["step"] for step in document["steps"]] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13]
    assert main(["run", str(source), "--trace", "0", "--explain", "r9"]) == 1
    assert main(["run", str(source), "--explain", "r7"]) == 2


def test_isa(capsys: pytest.CaptureFixture[str]):
    assert main(["isa"]) == 0
    assert "Toy, an accumulator machine" in capsys.readouterr().out
    assert main(["isa", "toy", "mul"]) == 0
    assert "acc = acc * REG" in capsys.readouterr().out
    assert main(["isa", "toy", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["instructions"][0] == "load"


def test_what_it_lacks_is_a_sentence(source: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["time", str(source)]) == 2
    assert "Toy has no timing model" in capsys.readouterr().err
    assert main(["isa", "toy", "--evidence"]) == 2
    assert "Toy has no table of evidence" in capsys.readouterr().err


def test_diff(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    other = tmp_path / "other.toy"
    other.write_text(FACTORIAL.replace("    load r7\n    mul r0", "    load r0\n    mul r7"))
    assert main(["diff", str(source), str(other)]) == 0
    assert "arithmetic is modulo 2^32" in capsys.readouterr().out
    other.write_text(FACTORIAL.replace("mul r0", "add r0"))
    assert main(["diff", str(source), str(other)]) == 1
    assert "r7" in capsys.readouterr().out


def test_options_of_others_are_refused(source: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["run", str(source), "--geometry-uniform", "c0=1"]) == 2
    assert "--geometry-uniform is an option for PICA200" in capsys.readouterr().err


def test_convert_to_itself_and_to_others(source: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["convert", str(source), "--to", "toy"]) == 0
    assert "mul r0" in capsys.readouterr().out
    assert main(["convert", str(source), "--to", "nihstro"]) == 2
    assert "is for Toy" in capsys.readouterr().err


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FACTORIAL.encode())))
    assert main(["run", "-", "--input", "r0=3"]) == 0
    assert capsys.readouterr().out.split()[-1] == "6"


def test_api(source: Path, binary: Path):
    for path in (source, binary):
        program: object = lw.load(path)
        assert isinstance(program, ToyProgram)
        assert program.run({"r0": [3, 4]}).outputs["r7"].tolist() == [[6], [24]]
    assert lw.disassemble(binary).sources[0].text.startswith(".toy\n")
    assert lw.format_source("a.toy", ".toy\nhalt\n") == ".toy\n    halt\n"


def test_help_names_it(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["run", "--help-all"])
    assert ended.value.code == 0
    assert "{pica200,shadercore,direct3d9,toy}" in capsys.readouterr().out


def test_check_applies_no_edits_where_findings_have_none(source: Path, capsys: pytest.CaptureFixture[str]):
    source.write_text(".toy\nload r7\nhalt\n")
    assert main(["check", str(source), "--fix"]) == 1
    assert "V901" in capsys.readouterr().out
    assert main(["check", str(source), "--diff"]) == 0
    assert source.read_text() == ".toy\nload r7\nhalt\n"


def test_dap(source: Path):
    client = Client()
    client.request("initialize")
    client.request("launch", program=str(source), inputs={"r0": 5})
    client.move("configurationDone")
    (file,) = client.request("loadedSources")["sources"]
    client.request("setBreakpoints", source=file, breakpoints=[{"line": 8, "condition": "r0 == 3"}])
    client.move("continue", threadId=1)
    frame = client.request("stackTrace", threadId=1)["stackFrames"][0]
    assert (client.stop()["reason"], frame["line"]) == ("breakpoint", 8)
    client.move("stepBack", threadId=1)
    assert client.request("stackTrace", threadId=1)["stackFrames"][0]["line"] == 7


def test_shader_tests(source: Path, capsys: pytest.CaptureFixture[str]):
    tests = source.with_suffix(".shadertest.toml")
    tests.write_text(f'''program = "{source.name}"
[inputs]
r0 = 5
[[test]]
name = "factorial"
outputs = {{r7 = 120}}
[[test]]
name = "wrong"
outputs = {{r7 = 121}}
''')
    assert main(["test", str(tests)]) == 1
    out = capsys.readouterr().out
    assert "passed  factorial" in out
    assert "expected 121" in out


def test_translate(source: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["translate", str(source), "--to", "c"]) == 0
    text = capsys.readouterr().out
    assert "void factorial(uint32_t r[8]) {" in text
    assert "    for (;;) {\n        acc = r[7];\n        acc = acc * r[0];" in text
    assert main(["translate", str(source), "--to", "glsl"]) == 2
    assert "use --to c" in capsys.readouterr().err


def test_opt(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The loop stays, with its jump; a load of what is held, a store of what is there and a dead store go."""
    before, after = tmp_path / "a.toy", tmp_path / "b.toyb"
    before.write_text(".toy\nload r0\nstore r5\nload r5\nstore r2\nL:\nadd r1\nstore r4\nload r4\njnz L\nstore r4\n")
    assert main(["opt", str(before), "-o", str(after), "--report"]) == 0
    out = capsys.readouterr().out
    assert f"{before}: 9 slots before, 5 after" in out
    assert f"{before}:5: nothing reads the result of `store r2`" in out
    assert main(["diff", str(before), str(after)]) == 0
    assert main(["dis", str(after)]) == 0
    assert "jnz L2" in capsys.readouterr().out


def test_hints(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Steps of the optimiser are hints without a line of its own for it."""
    path = tmp_path / "a.toy"
    path.write_text(".toy\nload r0\nstore r5\nload r5\nadd r1\nstore r4\nhalt\n")
    assert main(["check", str(path), "--hints"]) == 0
    out = capsys.readouterr().out
    assert "note[H104]: `store r5` has computed the value of `load r5`" in out
    assert f"{path}:4:1" in out
    assert "saves 1 slot" in out
