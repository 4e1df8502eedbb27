"""Dumps of emulators, `--words`, `--descriptors`, `--entry` and `--data`, in every command that reads programs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY, rows
from effort import sample
from lanewise.core.data import KEYS
from lanewise.core.diagnostics import WARNING, InputError
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.disassembling import disassemble
from lanewise.pica200.container.raw import write_descriptors, write_words
from lanewise.pica200.container.read import read_shbin
from lanewise.tools.cli import main

SOURCE = """.proc helper
    mul r0, c1, v1
.end
.entry start
.out pos position
.out clr color.xyz
.proc start
    mov pos, v0
    call helper
    mov clr.xyz, r0
    end
.end
"""
ENTRY = 1  # of `start`
FRAME: dict[str, object] = {
    "schema": "lanewise/data/1",
    "isa": "pica200",
    "inputs": {"v0": [[1, 2, 3], [4, 5, 6]], "v1": {"bits": ["0x3F0000", "400000", 0x408000]}},
    "uniforms": {"c0": [[9, 9, 9, 9], [0.5, 1, 2, 0]]},
    "outputs": {"o0": "position", "o1.xyz": "color"},
}
POSITION, COLOR = [[1, 2, 3, 1], [4, 5, 6, 1]], [[0.5, 2, 6]] * 2


class Dump:
    """The files of a dump, in a folder."""

    def __init__(self, folder: Path, source: str = SOURCE) -> None:
        self.folder = folder
        shader = lw.assemble(source, name="s.v.pica").programs[0]
        self.words, self.descriptors = shader.words, shader.descriptors
        self.code = self.write("code.bin", write_words(self.words))
        self.desc = self.write("desc.bin", write_descriptors(self.descriptors, pairs=True))
        self.data = self.write("frame.json", json.dumps(FRAME, indent=1).encode())
        self.raw = ("--words", self.code, "--descriptors", self.desc, "--entry", str(ENTRY))

    def write(self, name: str, data: bytes) -> str:
        (self.folder / name).write_bytes(data)
        return str(self.folder / name)


@pytest.fixture
def dump(tmp_path: Path) -> Dump:
    return Dump(tmp_path)


def outputs(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, list[list[float]]]:
    assert main(["run", *arguments, "--format", "json"]) == 0
    return {key: output["values"] for key, output in json.loads(capsys.readouterr().out)["outputs"].items()}


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main([*arguments])
    return code, capsys.readouterr().err


def test_a_dump_runs(capsys: pytest.CaptureFixture[str], dump: Dump):
    assert outputs(capsys, *dump.raw, "--data", dump.data) == {"position": POSITION, "color": COLOR}


@pytest.mark.parametrize("form", ["hex", "json", "pairs", "words"])
def test_forms_of_words(capsys: pytest.CaptureFixture[str], dump: Dump, form: str):
    if form == "hex":
        code = dump.write("code.txt", ("# code\n" + "\n".join(f"{word:08x}" for word in dump.words)).encode())
        desc = dump.write("desc.txt", (", ".join(f"0x{word:X}" for word in dump.descriptors) + " ; table\n").encode())
    elif form == "json":
        code = dump.write("code.json", json.dumps(list(dump.words)).encode())
        desc = dump.write("desc.json", json.dumps([hex(word) for word in dump.descriptors]).encode())
    else:
        code, desc = dump.code, dump.write("d", write_descriptors(dump.descriptors, pairs=form == "pairs"))
    found = outputs(capsys, "--words", code, "--descriptors", desc, "--entry", hex(ENTRY), "--data", dump.data)
    assert found == {"position": POSITION, "color": COLOR}


def test_a_data_file_has_the_program_too(capsys: pytest.CaptureFixture[str], dump: Dump):
    program = {"words": [f"0x{word:08X}" for word in dump.words], "descriptors": "desc.bin", "entry": ENTRY}
    whole = dump.write("whole.json", json.dumps({**FRAME, "program": program}).encode())
    assert outputs(capsys, "--data", whole) == {"position": POSITION, "color": COLOR}
    assert main(["dis", whole]) == 1
    assert f"`lanewise dis --data {whole}`" in capsys.readouterr().err
    for command, text in (("graph", "dp4"), ("check", ""), ("dis", ".out outpos position"), ("inspect", "raw words")):
        assert main([command, "--data", whole]) == 0
        assert (text if command != "graph" else "call") in capsys.readouterr().out
    toml = (
        "isa = 'pica200'\n[program]\nwords = 'code.bin'\ndescriptors = 'desc.bin'\nentry = 1\n[inputs]\nv0 = [1, 2]\nv1 = 1\n"
        "[uniforms]\nc1 = [2, 2, 2, 2]\n"
    )
    assert outputs(capsys, "--data", dump.write("d.toml", toml.encode()))["o0"] == [[1, 2, 0, 1]]


def test_options_go_before_the_data_file(capsys: pytest.CaptureFixture[str], dump: Dump):
    found = outputs(capsys, *dump.raw, "--data", dump.data, "-u", "c1=1,1,1,1", "-i", "v0=7")
    assert found == {"position": [[7, 0, 0, 1]], "color": [[1, 2, 3]]}


def test_every_command_takes_a_dump(capsys: pytest.CaptureFixture[str], dump: Dump):
    assert main(["graph", *dump.raw]) == 0
    assert "starts at 0x1" in capsys.readouterr().out
    assert main(["check", *dump.raw, "--data", dump.data]) == 0
    assert capsys.readouterr().out == ""
    assert main(["inspect", *dump.raw]) == 0
    assert "mul r0, c1, v1" in capsys.readouterr().out
    assert main(["inspect", *dump.raw, "--data", dump.data]) == 0
    assert "starts at    word 0x1" in capsys.readouterr().out
    assert main(["run", *dump.raw, "--data", dump.data, "--trace", "1", "--explain", "color.y"]) == 0
    assert "mul r0, c1, v1" in capsys.readouterr().out


@pytest.mark.parametrize("old", [False, True])
def test_a_disassembly_assembles_to_the_words_without_a_warning(capsys: pytest.CaptureFixture[str], dump: Dump, old: bool):
    arguments = [dump.code, "--words", "--descriptors", dump.desc, "--entry", str(ENTRY)] if old else list(dump.raw)
    assert main(["dis", *arguments]) == 0
    text = capsys.readouterr().out
    assert ".entry" not in text and ".proc main" in text
    made = assemble_sources([("again.v.pica", text)])
    assert made.encoded == (dump.words, dump.descriptors)
    assert [finding for finding in made.diagnostics if finding.severity == WARNING] == []
    assert made.program.interfaces[0].entry == ENTRY


def test_disassemblies_of_the_corpus_have_no_procedure_inside_another():
    for row in sample([*rows("picasso", "hand"), *rows("nihstro", "hand")], 12):
        shbin = read_shbin(row.data, row.name)[0] if row.data is not None else None
        for dvle in shbin.dvles if shbin is not None else ():
            if shbin is None or dvle.main >= len(shbin.words):
                continue
            file = lw.pica200.ShaderFile.from_words(shbin.words, shbin.descriptors, entry=dvle.main)
            container, _ = read_shbin(file.to_bytes(), "x")
            assert container is not None
            made = disassemble(container, "x", quiet=True)
            again = assemble_sources([(s.name, s.text) for s in made.sources], padding="--no-nop" not in made.arguments)
            assert "V025" not in {finding.code for finding in again.diagnostics}, row.name


def test_azahars_dump_is_an_shbin_of_whole_memories(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Its debugger writes 4,096 words of code, as many descriptors in pairs, no labels and no names, but uniforms as constants.

    azahar-emu/azahar, src/video_core/debug_utils/debug_utils.cpp, DumpShader.
    """
    from struct import pack

    shader = lw.assemble(SOURCE, name="s.v.pica").vertex
    code = write_words([*shader.words, *[0] * (4096 - len(shader.words))])
    table = write_descriptors([*shader.descriptors, *[0] * (4096 - len(shader.descriptors))], pairs=True)
    outputs_table = pack("<HHI", 0, 0, 0xF) + pack("<HHI", 2, 1, 0x7)
    constants = b"".join([pack("<HHI12x", 0, n, 0) for n in range(16)])
    constants += b"".join([pack("<HH4B12x", 1, n, 0, 0, 0, 0) for n in range(4)])
    constants += pack("<HH4I", 2, 1, 0x3E0000, 0x3F0000, 0x400000, 0)
    dvlb, dvlp, dvle = 12, 40, 64
    at_table = dvlp + len(code)
    at_outputs = dvlb + dvlp + dvle + len(code) + len(table) - (dvlb + dvlp)
    header = b"DVLB" + pack("<II", 1, dvlb + dvlp)
    program = b"DVLP" + pack("<9I", 0, dvlp + dvle, len(shader.words) and 4096, dvlp + dvle + len(code), 4096, 0, 0, 0, 0)
    entry = b"DVLE" + pack("<HBBII", 0, 0, 0, ENTRY, 0) + pack("<II", 0, 0)
    entry += pack("<10I", at_outputs + len(outputs_table), 21, 0, 0, at_outputs, 2, 0, 0, 0, 0)
    assert at_table and len(header) == dvlb and len(program) == dvlp and len(entry) == dvle
    path = tmp_path / "shader_dump.shbin"
    path.write_bytes(header + program + entry + code + table + outputs_table + constants)
    found = outputs(capsys, str(path), "-i", "v0=1,2,3;4,5,6", "-i", "v1=1,2,3")
    assert found == {"position": POSITION, "color": COLOR}


def test_a_dump_of_a_geometry_shader_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    source = """.gsh point c0
.entry main
.out pos position
.proc main
    mov r0, v0
    setemit 0
    mov pos, r0
    emit
    setemit 1
    add pos, v1, r0
    emit
    setemit 2, prim
    add pos, c5, r0
    emit
    end
.end
"""
    shader = lw.assemble(
        [
            str(_file(tmp_path, "p.v.pica", ".entry go\n.out p position\n.proc go\nmov p, v0\nend\n.end\n")),
            str(_file(tmp_path, "p.g.pica", source)),
        ]
    ).only("geometry")
    dump = Dump(tmp_path)
    code = dump.write("g.bin", write_words(shader.words))
    desc = dump.write("gd.bin", write_descriptors(shader.descriptors))
    data = {
        "program": {"words": "g.bin", "descriptors": "gd.bin", "entry": shader.interface.entry, "geometry": "point"},
        "isa": "pica200",
        "inputs": {"v0": [[1, 0], [5, 5]], "v1": [0, 1, 0, 0]},
        "uniforms": {"c5": [1, 1, 0, 0]},
        "outputs": {"o0": "position"},
    }
    path = dump.write("g.json", json.dumps(data).encode())
    assert main(["run", "--data", path, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    values = np.array(found["outputs"]["position"]["values"]).reshape(-1, 4)[:, :2].tolist()
    assert values == [[1, 0], [1, 1], [2, 1], [5, 5], [5, 6], [6, 6]]
    arguments = ["run", "--words", code, "--descriptors", desc, "--entry", str(shader.interface.entry), "--geometry", "point"]
    assert main([*arguments, "-i", "v0=1,2", "-i", "v1=0", "-u", "c5=0,0,0,0", "--trace", "0"]) == 0
    assert "emit" in capsys.readouterr().out


def _file(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_in_python():
    shader = lw.assemble(SOURCE, name="s.v.pica").vertex
    file = lw.pica200.ShaderFile.from_words(
        shader.words, shader.descriptors, entry=ENTRY, outputs={"o0": "position", "o1.xyz": "color"}
    )
    found = file.vertex.run({"v0": [1, 2, 3], "v1": [1, 2, 3]}, {"c1": [0.5, 1, 2, 0]}).outputs
    assert found["position"].tolist() == POSITION[:1] and found["color"].tolist() == COLOR[:1]
    by_register = lw.pica200.ShaderFile.from_words(shader.words, shader.descriptors, entry=ENTRY).vertex.run(
        {"v0": 1, "v1": 1}, {"c1": [1, 0, 0, 0]}
    )
    assert list(by_register.outputs) == ["o0", "o1"]


@pytest.mark.parametrize(
    ("wired", "message"),
    [
        ({"o16": "position"}, "unknown output register 'o16'"),
        ({"o0": "positon"}, "unknown semantic 'positon' of output o0"),
        ({"o0.zx": "position"}, "'.zx' of output 'o0.zx' is not a set of components"),
        ({"o0": "position", "o0.x": "color"}, "components of o0 are given twice, as o0 and as o0.x"),
    ],
)
def test_wrong_outputs(wired: dict[str, str], message: str):
    with pytest.raises(InputError) as caught:
        lw.pica200.ShaderFile.from_words([0x88000000], [], outputs=wired)
    (finding,) = caught.value.diagnostics
    assert finding.message == message and finding.fix


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"entry": 1}, "entry is 1, but there are 1 words"),
        ({"geometry": "line"}, "unknown geometry mode 'line'"),
        ({"words": [1 << 32]}, "not a 32-bit word"),
    ],
)
def test_wrong_arguments(arguments: dict[str, object], message: str):
    with pytest.raises(ValueError, match=message):
        lw.pica200.ShaderFile.from_words(**{"words": [0x88000000], "descriptors": [], **arguments})  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ('{"inputs": {\n', 2, "invalid JSON"),
        ("[]", 0, "invalid JSON: found a list, expected a table"),
        ('{\n"input": {}}', 2, "a data file has no key 'input'"),
        ('{\n"projection": [1, 2, 3]}', 2, "a data file has tables of values, expected inputs, uniforms"),
        (
            '{\n"sun": [[1, 2, 3]]}',
            2,
            'wrong.json`, or write "uniforms": {"sun": [...], ...}; for inputs write "inputs": {"sun"',
        ),
        ('{\n"vertices": [[1, 2, 3]]}', 2, "write the rows by the name of their input"),
        ('{\n\n"inputs": 3}', 3, "inputs is a number, expected a table of names"),
        ('{"count":\n -1}', 1, "count is not a number of vertices or lanes"),
        ('{"schema": "lanewise/run/1"}', 1, "schema is 'lanewise/run/1', expected 'lanewise/data/1'"),
        ('{"outputs": {\n"o0": true}}', 2, "the semantic of o0 is not a text"),
        ('{"program": {"code": []}}', 1, "a program has no key 'code'"),
        ('{"program": {"words": [], "geometry": "lines"}}', 1, "the geometry mode is 'lines'"),
        ('{"inputs": {\n"v0": [[1], [1, 2]]}}', 2, "v0 has rows of different lengths: row 2 has 2 numbers, row 1 has 1 number"),
        ('{"inputs": {\n"v0": {"words": [1]}}}', 2, "v0 is a table with the keys words, expected bits"),
        ('{"inputs": {"v0": {"x": {"0": 1, "1": 2}, "y": {"0": 3, "1": 4}}}}', 1, 'write "v0": [[1, 3], [2, 4]]'),
        ('{"inputs": {"v0": {"x": [1, 2], "y": [3, 4]}}}', 1, "v0 is a table of columns, x, y, expected a list of rows"),
        ('{"inputs": {"v0": [{"x": 1, "y": 3}]}}', 1, "orient='values'"),
        ('{"inputs": {"v0": {\n"bits": ["0xQ"]}}}', 1, "v0: '0xQ' is not a hexadecimal pattern"),
        ('{"inputs": {"v0": "no.npy"}}', 1, "v0: no.npy does not exist"),
    ],
)
def test_a_wrong_data_file_is_findings_with_places(
    capsys: pytest.CaptureFixture[str], dump: Dump, content: str, line: int, message: str
):
    data = dump.write("wrong.json", content.encode())
    code, err = failed(capsys, "run", *dump.raw, "--data", data)
    assert code == 1 and message in err and "help: " in err
    assert f"wrong.json:{line}" in err if line else "wrong.json" in err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("run", "--words", "CODE"), 2, "a run needs operand descriptors: add --descriptors DESC"),
        (("run", "--words", "CODE", "--draw", "a.svg"), 2, "a run needs operand descriptors: add --descriptors DESC"),
        (("run", "--words", "CODE", "--why"), 2, "a run needs operand descriptors: add --descriptors DESC"),
        (("run", "--words", "CODE", "--descriptors", "DESC", "--entry", "99"), 2, "--entry 99: CODE has"),
        (
            ("graph", "--words", "CODE", "--entry", "main"),
            2,
            "--entry main: words have no names: give the number of the first word",
        ),
        (("run",), 2, "name a FILE"),
        (("run", "--data", "DATA"), 2, "name a FILE, or raw words with --words CODE"),
        (("run", "--words", "BAD", "--descriptors", "DESC"), 1, "is not a 32-bit word in hexadecimal digits"),
        (("run", "SOURCE", "--data", "DATA"), 1, "has its own output map"),
        (("graph", "SOURCE", "--data", "DATA"), 2, "--data is for dumps"),
        (("check", "SOURCE", "--data", "DATA"), 2, "--data is for dumps"),
        (("graph", "SOURCE", "--entry", "1"), 2, "--entry goes with --words"),
        (("run", "SOURCE", "--data", "OTHER"), 1, "is for direct3d9, but the program is for pica200"),
        (("run", "--words", "CODE", "--descriptors", "DESC", "--geometry", "lines"), 2, "it is point, variable or fixed"),
    ],
)
def test_wrong_use(capsys: pytest.CaptureFixture[str], dump: Dump, arguments: tuple[str, ...], code: int, message: str):
    files = {
        "CODE": dump.code,
        "DESC": dump.desc,
        "DATA": dump.data,
        "BAD": dump.write("bad.txt", b"0x4C201000 0x123456789\n"),
        "OTHER": dump.write("other.json", b'{"isa": "direct3d9"}'),
        "SOURCE": dump.write("s.v.pica", SOURCE.encode()),
    }
    found, err = failed(capsys, *[files.get(argument, argument) for argument in arguments])
    assert (found, message.replace("CODE", dump.code) in err or message in err) == (code, True), err


def test_a_file_with_names_takes_data_by_name(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    data = {
        "inputs": {"position": [[0, 0, 0], [1, 2, 3]], "color": "1,0.5,0", "texcoord": 0},
        "uniforms": {"projection": np.eye(4).tolist()},
    }
    path = _file(tmp_path, "d.json", json.dumps(data))
    found = outputs(capsys, str(REPOSITORY / "examples" / "transform.v.pica"), "--data", str(path))
    assert found["position"] == [[0, 0, 0, 1], [1, 2, 3, 1]] and found["color"][0] == [1, 0.5, 0, 1]


def test_the_schema_has_the_keys_of_data_files():
    schema = json.loads((REPOSITORY / "src" / "lanewise" / "schemas" / "data.json").read_text())
    assert list(schema["properties"]) == list(KEYS)
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(FRAME, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**FRAME, "inputs": {"v0": {"words": [1]}}}, schema)


def test_registers_of_a_dump(capsys: pytest.CaptureFixture[str], dump: Dump):
    assert main(["run", *dump.raw, "--data", dump.data, "--registers"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["0", "r0", "0.5", "2", "6", "0"] in lines and ["1", "v0", "4", "5", "6", "1"] in lines and ["1", "aL", "0"] in lines
    assert main(["run", *dump.raw, "--data", dump.data, "--registers", "--engine", "llvm", "--format", "json"]) == 0
    registers = json.loads(capsys.readouterr().out)["registers"]
    assert registers["a0"] == {"format": "int32", "values": [[0, 0]] * 2, "bits": [[0, 0]] * 2}
    assert registers["o1"]["values"] == [[0.5, 2, 6, 0]] * 2
    assert main(["run", *dump.raw, "--data", dump.data, "--registers", "--engine", "llvm"]) == 0
    assert "the reference engine works the registers out" in capsys.readouterr().err


def test_booleans_of_a_dump_rule_branches_out(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    dump = Dump(
        tmp_path, ".out o position\n.proc main\n    mov o, v0\n    ifu b3\n        mov o, v1\n    .end\n    end\n.end\n"
    )
    raw = ("--words", dump.code, "--descriptors", dump.desc)
    assert main(["graph", *raw]) == 0
    assert "b3?" in capsys.readouterr().out
    known = dump.write("b.json", b'{"booleans": {"b3": false, "b4": true}}')
    assert main(["graph", *raw, "--data", known]) == 0
    out = capsys.readouterr().out
    assert "mov o0, v0" in out and "mov o0, v1" not in out
    assert main(["graph", *raw, "--data", known, "--boolean", "b3=true"]) == 0
    assert "mov o0, v1" in capsys.readouterr().out


def test_inspect_names_the_dump(dump: Dump, capsys: pytest.CaptureFixture[str]):
    program = {"words": list(dump.words), "descriptors": list(dump.descriptors), "entry": ENTRY}
    data = dump.write("whole.json", json.dumps({**FRAME, "program": program}).encode())
    assert main(["inspect", "--data", data]) == 0
    assert capsys.readouterr().out.startswith(f"{data}\n{'=' * len(data)}\n")
    assert main(["inspect", "--data", data, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["file"]["name"] == data


def test_words_are_not_disassembled_without_their_descriptors(dump: Dump, capsys: pytest.CaptureFixture[str]):
    assert main(["dis", "--words", dump.code, "--entry", str(ENTRY)]) == 0
    out, err = capsys.readouterr()
    assert "\t.word 0x" in out
    assert err == "lanewise dis: without --descriptors: instructions with operands are .word; add --descriptors DESC\n"
    assert main(["dis", *dump.raw]) == 0
    assert capsys.readouterr().err == ""


def test_words_that_are_descriptors_or_big_endian_are_said(capsys: pytest.CaptureFixture[str], dump: Dump):
    single = dump.write("single.bin", write_descriptors(dump.descriptors))
    turned = dump.write("turned.bin", b"".join([word.to_bytes(4, "big") for word in dump.words]))
    moved = dump.write("moved.bin", b"\0\0" + write_words(dump.words) + b"\0\0")
    zeros = dump.write("zeros.bin", bytes(16) + write_words(dump.words))
    for command in (["dis"], ["check"], ["run", "--data", dump.data]):
        assert main([*command, "--words", single, "--descriptors", dump.code]) == 1
        text = "".join(capsys.readouterr())
        assert f"error[C013]: code: these words are not a program, and the descriptors of {dump.code} are one" in text
        assert "help: exchange --words and --descriptors" in text
        assert main([*command, "--words", turned, "--descriptors", dump.desc]) == 1
        assert f"in reverse order (big-endian): 0x80100222 is {dump.words[0]:#010x}" in "".join(capsys.readouterr())
        assert main([*command, "--words", moved, "--descriptors", dump.desc]) == 1
        assert f"`tail -c +3 {moved} | head -c {4 * len(dump.words)} > OUT`" in "".join(capsys.readouterr())
        assert main([*command, "--words", dump.code, "--descriptors", dump.code]) == 1
        assert "these words are the descriptors too" in "".join(capsys.readouterr())
        main([*command, "--words", zeros, "--descriptors", dump.desc, "--entry", "1"])
        assert "the first word that is not 0 is 0x4" in "".join(capsys.readouterr())


def test_descriptors_that_cannot_be_read_are_said_by_a_run(capsys: pytest.CaptureFixture[str], dump: Dump):
    table = dump.write("table.json", b"[0x6C36F, 0x36E]")
    assert main(["run", "--words", dump.code, "--descriptors", table, "--data", dump.data]) == 1
    err = capsys.readouterr().err
    assert "JSON has no hexadecimal numbers: 0x6C36F" in err and f"--> {table}:1:2" in err


def test_an_entry_behind_the_word_that_writes_an_output_is_said(capsys: pytest.CaptureFixture[str], dump: Dump):
    main(["run", "--words", dump.code, "--descriptors", dump.desc, "--data", dump.data, "--entry", str(ENTRY + 1)])
    text = "".join(capsys.readouterr())
    assert "(o0) unwritten" in text
    assert "note: word 0x1, which writes it, is in front of word 0x2, at which the program starts" in text
    assert "help: correct --entry, which counts words from 0" in text


def test_an_entry_at_the_end_or_in_bytes_is_said(capsys: pytest.CaptureFixture[str], dump: Dump):
    code = dump.write("five.bin", write_words([*[0x84000000] * 4, 0x88000000, 0x84000000, 0x88000000]))
    raw = ["--words", code, "--descriptors", dump.desc]
    for command in ("dis", "run", "check"):
        main([command, *raw, "--entry", "4"])
        text = "".join(capsys.readouterr())
        assert text.count("warning[C012]: word 0x4, at which the program starts, is `end`: nothing runs") == 1
        assert "a program counter of 4 bytes is word 1" in text
        main([command, *raw, "--entry", "5"])
        assert "C012" not in "".join(capsys.readouterr())
    assert main(["dis", *raw, "--entry", "16"]) == 2
    assert "--entry 16:" in (text := capsys.readouterr().err) and "a program counter of 16 bytes is word 4" in text


@pytest.mark.parametrize(
    ("descriptors", "said"),
    [
        ((0x391C8F, 0x391C8E), True),  # wzyx also for the second operand of mov
        ((0x391C8F, 0x06C36E), False),
        ((0x391C8F, 0x1C8E), True),  # wzyx for all operands
        ((0x6C36F, 0x1C8E), False),  # mov r0, v0.wzyx
        ((0x06C36F, 0x36E), False),
    ],
)
def test_selectors_in_reverse_order_are_said(
    capsys: pytest.CaptureFixture[str], dump: Dump, descriptors: tuple[int, int], said: bool
):
    code = dump.write("code.txt", b"0x22021080 0x4C000000 0x90000001 0x4C210001 0x88000000")
    desc = dump.write("d.json", json.dumps(descriptors).encode())
    for command in (["dis"], ["check"], ["run", "--data", dump.data]):
        main([*command, "--words", code, "--descriptors", desc, "--entry", "1"])
        text = "".join(capsys.readouterr())
        assert text.count("the selectors of operand descriptors may be in reverse order: ") == said
        assert ("xyzw is 0x1B, not 0xE4" in text) == said


@pytest.mark.parametrize(
    ("descriptors", "note"),
    [
        ((0x36E, 0x6C36F), "word 0x1 writes xyz of it, by the mask of descriptor 0, 0x36e"),
        ((0x6C36F, 0x367), "word 0x3 writes yzw of it, by the mask of descriptor 1, 0x367"),
    ],
)
def test_the_mask_that_leaves_a_component_out_is_said(
    capsys: pytest.CaptureFixture[str], dump: Dump, descriptors: tuple[int, int], note: str
):
    code = dump.write("code.txt", b"0x22021080 0x4C000000 0x90000001 0x4C210001 0x88000000")
    desc = dump.write("d.json", json.dumps(descriptors).encode())
    main(["run", "--data", dump.data, "--words", code, "--descriptors", desc, "--entry", "1"])
    text = "".join(capsys.readouterr())
    assert f"note: {note}\nhelp: correct its mask, the lowest 4 bits (x is bit 3" in text


def test_masks_in_place_of_descriptors_have_the_word_to_write(capsys: pytest.CaptureFixture[str], dump: Dump):
    code = dump.write("code.txt", b"0x22021080 0x4C000000 0x90000001 0x4C210001 0x88000000")
    for table, fix in (('["xyzw", "xyz"]', "0x0D86C36F"), ('["0x6C36F", ".xyz"]', "0x0D86C36E")):
        desc = dump.write("d.json", table.encode())
        assert main(["run", "--data", dump.data, "--words", code, "--descriptors", desc, "--entry", "1"]) == 1
        assert f"is {fix}" in "".join(capsys.readouterr())


def test_an_entry_in_a_subroutine_is_said(capsys: pytest.CaptureFixture[str], dump: Dump):
    code = dump.write("code.txt", b"0x22021080 0x4C000000 0x90000001 0x4C210001 0x88000000")
    desc = dump.write("d.json", b"[0x6C36F, 0x36E]".replace(b"0x6C36F", b"443247").replace(b"0x36E", b"878"))
    raw = ("--words", code, "--descriptors", desc)
    for command in (["dis"], ["check"], ["run", "--data", dump.data]):
        main([*command, *raw])
        text = "".join(capsys.readouterr())
        assert text.count("word 0x0, at which the program starts, is in the subroutine that word 0x2 calls") == 1
        assert "help: give the word at which it starts with --entry, such as --entry 1\n" in text
        main([*command, *raw, "--entry", "1"])
        assert "C012" not in "".join(capsys.readouterr())


def test_words_without_an_end_are_said_to_be_cut(capsys: pytest.CaptureFixture[str], dump: Dump):
    short = dump.write("short.bin", write_words(dump.words[:-1]))
    for command in (["dis"], ["check"], ["run", "--data", dump.data]):
        main([*command, "--words", short, "--descriptors", dump.desc])
        captured = capsys.readouterr()
        text = captured.out + captured.err
        assert f"warning[C013]: code: none of the {len(dump.words) - 1} words is `end`: the dump may be cut off" in text
        assert "help: end every path" not in captured.err
        main([*command, "--words", dump.code, "--descriptors", dump.desc])
        assert "C013" not in "".join(capsys.readouterr())


def test_memory_behind_the_words_is_said(capsys: pytest.CaptureFixture[str], dump: Dump):
    for zeros, said in ((3, ""), (507, "the last 507 words, from 0x5 on, are 0, as in memory that nothing was written to")):
        code = dump.write("memory.bin", write_words(dump.words) + bytes(4 * zeros))
        assert main(["dis", "--words", code, *dump.raw[2:]]) == 0
        err = capsys.readouterr().err
        assert (said in err) if said else "C013" not in err


def test_words_and_descriptors_exchanged_in_python(dump: Dump):
    with pytest.raises(lw.InputError, match="help: exchange words and descriptors"):
        lw.pica200.ShaderFile.from_words(dump.descriptors, dump.words)


def test_memory_with_other_words_is_no_mistake(capsys: pytest.CaptureFixture[str], dump: Dump):
    memory = dump.write("memory.bin", write_words([*dump.words, *[0xFFFFFFFF] * 8]))
    assert main(["dis", "--words", memory, "--descriptors", dump.desc, "--entry", str(ENTRY)]) == 0
    assert "error" not in capsys.readouterr().err


def test_a_table_that_is_too_short_names_the_word(capsys: pytest.CaptureFixture[str], dump: Dump):
    short = dump.write("short.bin", write_descriptors(dump.descriptors[:1]))
    assert main(["dis", "--words", dump.code, "--descriptors", short, "--entry", str(ENTRY)]) == 0
    assert "warning[V109]: word 0x3 (mov) uses operand descriptor 1, the table has 1 (0 to 0)" in capsys.readouterr().err
    assert main(["dis", "--words", dump.code, "--descriptors", dump.desc, "--entry", str(ENTRY)]) == 0
    assert "V109" not in capsys.readouterr().err


@pytest.mark.parametrize("options", [(), ("-u", "c0=1,1,1,1")])
def test_rows_past_the_last_register_are_an_error(options: tuple[str, ...], capsys: pytest.CaptureFixture[str], dump: Dump):
    frame = {**FRAME, "uniforms": {"c0": [[0, 0, 0, 0], [1, 1, 1, 1]], "c95": [[1, 1, 1, 1]] * 3}}
    data = dump.write("rows.json", json.dumps(frame, indent=1).encode())
    assert main(["run", *dump.raw, "--data", data, *options]) == 1
    err = capsys.readouterr().err
    assert "error[B002]: uniform 'c95' has 3 rows, which extend past c95" in err
    assert f"--> {data}:" in err


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (lw.assemble(SOURCE).to_bytes(), "an SHBIN, not words"),
        (b"0000: 22021080\n0004: 4C000000\n", "the first column (0000:, 0004:) is not words"),
        (b"static const u32 code[] = {\n 0x22021080,\n};\n", "'static' is not a word"),
    ],
)
def test_files_that_are_not_words(data: bytes, message: str, capsys: pytest.CaptureFixture[str], dump: Dump):
    assert main(["dis", "--words", dump.write("other", data), "--descriptors", dump.desc]) == 1
    assert f"error[C013]: code: {message}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("key", "value", "shown", "fix"),
    [
        (
            "inputs",
            {"v0": {"bits": ["0x3F800000", 0]}},
            '"v0"',
            "0x3f800000 is 1 as float32, as float24 0x3f0000; give that, or numbers\n",
        ),
        ("inputs", {"v0": {"bits": ["0x1000000", 0]}}, '"v0"', "use 0 to 0xFFFFFF for float24 words\n"),
        ("booleans", "0x5", '"booleans"', '"booleans": {"b0": true, "b2": true}, the bits of 5'),
        ("booleans", [True, False], '"booleans"', '"booleans": {"b0": true, "b1": false}, from b0 on'),
        ("outputs", ["position", "color"], '"outputs"', '"outputs": {"o0": "position", "o1": "color"}, from o0 on'),
        ("entry", 1, '"entry"', '"entry": 1}; with --words write `--entry 1` on the command line'),
        ("booleans", 5, '"booleans"', '"booleans": {"b0": true, "b2": true}, the bits of 5'),
        ("booleans", "5", '"booleans"', 'write "booleans": {"b0": true, ...}\n'),
        ("integers", {"i0": "0x00010002"}, '"i0"', 'write "i0": [2, 0, 1], a number for each component'),
        ("integers", {"i0": 0x10003}, '"i0"', "give 3,0,1, in a file [3, 0, 1]\n"),
        ("integers", {"i0": "nothing"}, '"i0"', "a list of rows"),
        ("outputs", {"o1": 2}, '"o1"', 'write "color"\n'),
        (
            "inputs",
            [[[1, 2, 3], [4, 5, 6]], [1, 2, 3]],
            '"inputs"',
            'write "inputs": {"v0": [[1, 2, 3], [4, 5, 6]], "v1": [1, 2, 3]}\n',
        ),
    ],
)
def test_registers_as_emulators_hold_them(
    key: str, value: object, shown: str, fix: str, capsys: pytest.CaptureFixture[str], dump: Dump
):
    text = json.dumps({**{name: FRAME[name] for name in FRAME if name != key}, key: value})
    data = dump.write("registers.json", text.encode())
    assert main(["run", *dump.raw, "--data", data]) in (1, 2)
    err = capsys.readouterr().err
    assert fix in err and f"{data}:1:{text.index(shown) + 1}\n" in err


def test_outputs_with_keys_and_values_exchanged_are_one_error(dump: Dump):
    with pytest.raises(lw.InputError, match=r'write registers as keys: \{"o0": "position", "o1\.xyz": "color"\}') as error:
        lw.pica200.ShaderFile.from_words(dump.words, dump.descriptors, outputs={"position": "o0", "color": "o1.xyz"})
    assert len(error.value.diagnostics) == 1


def test_a_map_of_outputs_points_at_its_file(capsys: pytest.CaptureFixture[str], dump: Dump):
    data = dump.write("outputs.json", json.dumps({**FRAME, "outputs": {"o0": "colour"}}, indent=1).encode())
    assert main(["run", *dump.raw, "--data", data]) == 1
    place = next(line for line in capsys.readouterr().err.splitlines() if "-->" in line)
    assert place.strip().startswith(f"--> {data}:")


@pytest.mark.parametrize(
    ("program", "code", "message"),
    [
        ({"isa": "pica", "program": {"words": [0]}}, 2, "isa: unknown instruction set 'pica': use pica200, "),
        ({"isa": "pica200", "program": {"words": "no.bin"}}, 1, "error[T005]: words: cannot read "),
        ({"isa": "pica200", "program": {"words": [0], "descriptors": "no"}}, 1, "error[T005]: descriptors: cannot read "),
    ],
)
def test_wrong_programs_of_data_files(
    program: dict[str, object], code: int, message: str, capsys: pytest.CaptureFixture[str], dump: Dump
):
    data = dump.write("program.json", json.dumps(program).encode())
    assert main(["run", "--data", data]) == code
    err = capsys.readouterr().err
    assert message in err and data in err


def test_values_without_a_program_say_so(capsys: pytest.CaptureFixture[str], dump: Dump):
    data = dump.write("values.json", b'{"inputs": {"v0": 1}}')
    assert main(["run", "--data", data]) == 2
    assert f"name a FILE, or raw words with --words CODE: {data} has values and no program" in capsys.readouterr().err
    assert main(["run", "a.v.pica", "-i", "v0", "=", "1"]) == 2
    assert "-i v0 = 1: write -i v0=1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["0x3F8000", "0x400000", "0x404000"], "if 1, 2, 3 is meant, write 0x3F0000, 0x400000, 0x408000"),
        (["0xBF8000", 0, 0, "0x3F8000"], "if -1, 0, 0, 1 is meant, write 0xBF0000, 0x000000, 0x000000, 0x3F0000"),
        (["0xBF8000", 0, 0], ""),  # -1.5, 0, 0
        (["0x3F0000", "0x400000", "0x408000"], ""),
        (["0x3E0000", "0x3F8000", 0], ""),  # 0.5, 1.5, 0
    ],
)
def test_the_upper_bits_of_float32_are_not_float24(
    words: list[object], said: str, capsys: pytest.CaptureFixture[str], dump: Dump
):
    data = dump.write("bits.json", json.dumps({**FRAME, "inputs": {"v0": {"bits": words}, "v1": [1, 2, 3]}}).encode())
    assert main(["run", *dump.raw, "--data", data]) == 0
    err = capsys.readouterr().err
    assert ("B035" in err) is bool(said)
    assert said in err
