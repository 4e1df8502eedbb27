"""JSON of every command: its schema, on examples of every instruction set and on errors of every kind."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

import lanewise as lw
from corpus import REPOSITORY
from documents import check, checked
from effort import sample
from lanewise import packages
from lanewise.tools import cli, run
from lanewise.tools.cli import main
from lanewise.tools.schema import names, schema
from lanewise.tools.timeout import TimeLimitExceeded
from toy_isa.package import TOY, ToyProgram

if TYPE_CHECKING:
    from pathlib import Path

FACTORIAL = (
    ".toy\n set 1\n store r7\nagain:\n load r7\n mul r0\n store r7\n set 1\n store r6\n load r0\n sub r6\n store r0\n"
    " jnz again\n halt\n"
)
DATA = "-i position=1,2,nan -i color=1 -i texcoord=0,0 -u projection=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"
BOTH = "subdivide.v.pica subdivide.g.pica --default 0 --count 3 --indices 0,1,2"
WITH_FILES = ("asm", "dis", "check", "convert", "fmt", "inspect", "run", "graph", "compile", "time", "rtl")

# What each command is run on: its code is 0.
GOOD = f"""
asm transform.v.pica
asm --check transform.sc
asm --check lit.vsa
asm f.toy
dis t.shbin
dis s.shbin
dis t.scb
dis lit.vso
dis f.toyb
check lighting.v.pica --stats
check transform.sc --stats
check lit.vsa --stats
check f.toy --stats
opt transform.v.pica
opt lighting.v.pica --constants-known
convert transform.v.pica --to nihstro
convert f.toy --to toy
fmt --check transform.v.pica
fmt --check lanterns.vsh
fmt --check lit.vsa
inspect transform.v.pica
inspect s.shbin
inspect subdivide.g.pica --listing
inspect transform.sc
inspect t.scb --listing
inspect tone.psa
inspect lit.vso --listing
inspect f.toy
inspect --scan s.shbin
inspect --scan lit.vso --extract found
check skinning.spv --stats
graph skinning.spv
inspect skinning.spv
run skinning.spv --default 0 --trace 0
compile skinning.spv --check
compile skinning.spv --report --check
compile lit.vsa --target pica200 --check --report
run transform.v.pica {DATA}
run transform.v.pica {DATA} --trace 0
run transform.v.pica {DATA} --trace 0 --explain position.x
run lighting.v.pica --default 0 --trace 0
run toon.v.pica --default 0 --trace 0 --explain color.x
run {BOTH}
run {BOTH} --rasterized
run {BOTH} --draw picture.svg --why -o mesh.ply
run lighting.v.pica --mesh tetra.obj --uniforms tetra.json --why --uniform modelview=1,0,0,9;0,1,0,0;0,0,1,-9;0,0,0,1
run lit.vsa --default 0 -i position=1,2,3;1,2,3;1,2,3 --why
run {BOTH} --trace 0 --trace-stage geometry
run {BOTH} --trace 0 --trace-stage geometry --explain position.x@0
run transform.sc --default 0 --count 3 --bits
run transform.sc --default 0 --count 20 --registers
run transform.sc --default 0 --count 3 --trace 1 --registers
run transform.sc --default 0 --trace 0 --explain position.x
run tone.psa --default 0
run lit.vsa --default 0
run spot.vsa --default 0 --registers
run spot.vsa --default 0 --trace 0
run spot.vsa --default 0 --trace 0 --explain color.x
run f.toy -i r0=3,4 --registers
run f.toy -i r0=3 --trace 0
run f.toy -i r0=3 --trace 0 --explain r7
graph lighting.v.pica
graph subdivide.g.pica
graph spot.vsa
graph f.toy
graph transform.sc
graph transform.sc --order --each --device document
cache
compile lit.vsa -o lit.scb
compile skin.vsa --array c10=12/3 -o skin.scb --report
time transform.sc
time t.scb --vertices 40
time transform.sc --vertices 36 --stream float3,d3dcolor --memory-latency 20
rtl transform.sc --default 0 --bench bench
isa
isa pica200
isa shadercore
isa direct3d9
isa toy
isa pica200 cmp
isa shadercore rcp
isa direct3d9 texkill
isa toy mul
isa pica200 --evidence
isa shadercore --evidence
isa direct3d9 --evidence
isa pica200 --decode 0x2007f100
isa shadercore --decode 0x0000060894008003
""".strip().splitlines()

# Input with errors or warnings.
BAD = """
asm bad.v.pica
asm bad.sc
asm bad.vsa
asm bad.toy
check bad.v.pica bad.sc bad.vsa
check bad.toy
check hazards.pica
check hazards.pica --hints
check shadercore_hazards.sc
check direct3d9_hazards.vsa
convert bad.v.pica --to nihstro
inspect bad.v.pica
inspect bad.sc
inspect cut.shbin
graph bad.v.pica
run bad.v.pica
run bad.toy
run transform.v.pica
run transform.sc
run lit.vsa
run loop.toy
run transform.v.pica --default 0 --trace 7
compile bad.vsa
compile transform.sc
time bad.sc
""".strip().splitlines()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Examples, sources with mistakes, and binaries."""
    folder = tmp_path_factory.mktemp("schema")
    for path in [path for name in ("", "direct3d9", "glsl") for path in (REPOSITORY / "examples" / name).iterdir()]:
        if path.is_file():
            shutil.copy(path, folder)
    for name in ("hazards.pica", "shadercore_hazards.sc", "direct3d9_hazards.vsa"):
        shutil.copy(REPOSITORY / "tests" / "golden" / name, folder)
    texts = {
        "f.toy": FACTORIAL,
        "loop.toy": ".toy\n set 1\nagain:\n jnz again\n",
        "bad.toy": ".toy\n lod r1\n",
        "bad.v.pica": ".proc main\n mov r99, r1\n",
        "bad.sc": "mad r0\n",
        "bad.vsa": "vs_2_0\nbad r0\n",
        "words.txt": "float4 main() : SV_Target { return 0; }\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "t.shbin").write_bytes(lw.load(folder / "transform.v.pica").to_bytes())
    (folder / "s.shbin").write_bytes(lw.assemble([folder / "subdivide.v.pica", folder / "subdivide.g.pica"]).to_bytes())
    (folder / "cut.shbin").write_bytes((folder / "s.shbin").read_bytes()[:100])
    lw.load(folder / "transform.sc", isa="shadercore").save(folder / "t.scb")
    return folder


@pytest.fixture
def here(files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(files)
    monkeypatch.setattr(packages, "PACKAGES", (*packages.PACKAGES, TOY))
    for source, output in (("f.toy", "f.toyb"), ("lit.vsa", "lit.vso")):
        if not (files / output).exists():
            assert main(["asm", source, "-o", output]) == 0
    return files


def test_schemas_are_schemas():
    for name in sample(["run", *names()], 1):  # seconds for all of them
        Draft202012Validator.check_schema(schema(name))


def test_every_command_that_prints_json_has_a_schema():
    for command in cli.COMMANDS:
        source = (REPOSITORY / "src" / "lanewise" / "tools" / f"{command.module}.py").read_text()
        if re.search(r"add_format\(|\bFORMATS?\b|\"--format\",", source):
            assert command.name in names(), command.name


@pytest.mark.parametrize("command", GOOD)
def test_documents(command: str, here: Path, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    assert main([*command.split(), "--format", "json"]) == 0, capsys.readouterr().err
    document = checked(capsys.readouterr().out)
    assert len(document) > 3
    assert not any(finding["severity"] == "error" for finding in document["diagnostics"])


@pytest.mark.parametrize("command", BAD)
def test_documents_of_input_with_errors(command: str, here: Path, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    assert main([*command.split(), "--format", "json"]) in (1, 2)
    assert checked(capsys.readouterr().out)["diagnostics"]


@pytest.mark.parametrize("name", WITH_FILES)
@pytest.mark.parametrize(
    ("file", "codes"),
    [
        ("nothing.pica", {"U002"}),
        (".", {"U002"}),
        ("words.txt", {"C001", "C313", "U001"}),
        ("--bogus", {"U001"}),
        ("", {"U001"}),
    ],
)
def test_errors_are_documents(name: str, file: str, codes: set[str], here: Path, capsys: pytest.CaptureFixture[str]):
    if file == "." and name in ("check", "fmt"):
        return  # they take folders
    more = {"convert": ["--to", "picasso"], "compile": ["--check"], "rtl": ["--bench", "bench"]}.get(name, [])
    capsys.readouterr()
    code = main([name, *([file] if file else []), *more, "--format=json"])
    document = checked(capsys.readouterr().out)
    found = {finding["code"] for finding in document["diagnostics"] if finding["severity"] == "error"}
    assert found and found <= codes
    assert set(document) - {"ignored"} == {"schema", "isa", "diagnostics"}
    assert code == (2 if "U001" in found else 1)


def test_a_run_that_is_ended(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    for error, exit_code, code in (
        (KeyboardInterrupt(), 130, "U003"),
        (TimeLimitExceeded(), 1, "U004"),
        (MemoryError(), 1, "U005"),
    ):

        def raises(*_: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(run, "load", raises)
        assert main(["run", "f.toy", "--timeout", "5", "--format", "json"]) == exit_code
        out, err = capsys.readouterr()
        assert [finding["code"] for finding in checked(out)["diagnostics"]] == [code]
        assert err.startswith("lanewise run: error: ")


def test_text_has_no_json(here: Path, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    assert main(["run", "nothing.pica", "--format", "text"]) == 1
    assert main(["run", "nothing.pica", "--", "--format", "json"]) == 1
    assert capsys.readouterr().out == ""


def test_other_formats_of_check_have_errors_too(here: Path, capsys: pytest.CaptureFixture[str]):
    for arguments, code in ((["nothing.pica"], "U002"), (["f.toy", "--bogus"], "U001")):
        capsys.readouterr()
        assert main(["check", *arguments, "--format", "sarif"]) == (1 if code == "U002" else 2)
        (found,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
        assert (found["ruleId"], found["level"]) == (code, "error")
        assert main(["check", *arguments, "--format=github"]) != 0
        assert capsys.readouterr().out.startswith(f"::error title={code}::")


def test_a_trace_that_fails(here: Path, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    assert main(["run", "f.toy", "--trace", "-1", "--trace-format", "json"]) == 2
    assert checked(capsys.readouterr().out)["diagnostics"][0]["code"] == "U001"


def test_results_in_python(here: Path):
    vertex = lw.load("transform.v.pica").vertex.run({"position": [[1, 2, 3], [4, 5, 6]]}, defaults=0)
    wave = lw.load("transform.sc", isa="shadercore").run({"v0": [1, 2, 3, 1]}, defaults=0)
    shader = lw.load("tone.psa", isa="direct3d9")
    pixel, compiled = shader.run(defaults=0), shader.compile().run(defaults=0)
    toy: object = lw.load("f.toy")
    assert isinstance(toy, ToyProgram)
    for result in (vertex, wave, pixel, compiled, toy.run({"r0": [3]})):
        document = result.to_json()
        check({"program": "x", **document})
        assert (document["isa"], document["lanes"]) == (result.isa, result.lanes)


def test_the_command(capsys: pytest.CaptureFixture[str]):
    assert main(["schema"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == names()
    assert main(["schema", "fmt"]) == 0
    assert '"const": "lanewise/fmt/1"' in capsys.readouterr().out
    assert main(["schema", "nothing"]) == 2
    assert "unknown schema 'nothing': use asm, " in capsys.readouterr().err
