"""Devices as files: the template reads back, contradictions are refused with both places, new instructions are everywhere."""

from __future__ import annotations

import json
import pickle
import random
import re
import struct
from typing import TYPE_CHECKING

import numpy as np
import pytest

from damage import editor_of
from lanewise.arrays.words import Words
from lanewise.core.document import as_markdown
from lanewise.core.engines import LLVM, REFERENCE
from lanewise.core.service import InputFailure, Request, SourceFile
from lanewise.shadercore.api.checking import check_shadercore
from lanewise.shadercore.api.program import ShaderCoreProgram, read_shadercore
from lanewise.shadercore.api.services.device_files import read_device, template
from lanewise.shadercore.api.services.devices import in_lanes
from lanewise.shadercore.api.services.entity_files import TEMPLATE as ENTITY
from lanewise.shadercore.isa.codec import decode, encode
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, RTL, tabled_of
from lanewise.shadercore.isa.program import Program, lacking
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.opt.program import optimised_program
from lanewise.shadercore.text.printer import print_program
from lanewise.shadercore.text.reader import read_source_text
from lanewise.tools.cli import main
from lanewise.tools.console import DiskFiles
from together import together

if TYPE_CHECKING:
    from pathlib import Path

    from lanewise.shadercore.isa.devices import Device

FMA = '[instructions.fma]\nopcode = 32\npipe = "MUL"\nlatency = 6\nmeaning = "a * b + c"\n'
BYTES = " + ".join([f"abs(cnv_u32_to_f({part.format('a')}) - cnv_u32_to_f({part.format('b')}))" for part in (
    "{} & 0xFF", "({} >> 8) & 0xFF", "({} >> 16) & 0xFF", "{} >> 24")])  # fmt: skip
SIX = f"""
pipes = ["CMP", "ADD", "MUL", "SPEC", "CNV", "SHFT", "BIT", "FMA"]
[instructions.mul]
latency = 7
[instructions.fma]
opcode = 32
pipe = "FMA"
latency = 6
meaning = "a * b + c"
[instructions.frac]
opcode = 14
pipe = "CNV"
latency = 3
meaning = "a - floor(a)"
[instructions.sad]
opcode = 65
pipe = "BIT"
latency = 4
interval = 12
meaning = "{BYTES}"
summary = "the sum of the differences of four bytes"
[instructions.max3]
opcode = 66
pipe = "CMP"
latency = 2
meaning = "max(max(a, b), c)"
[instructions.pick]
opcode = 67
pipe = "CMP"
latency = 1
meaning = "select(a < b, a ^ b, ~c)"
[instructions.cnv_snorm8]
opcode = 2047
pipe = "CNV"
latency = 3
meaning = "min(max(a, -1), 1) * 127.0"
"""
OWN = """
fma r0.xy, v0.xy, c0.xy, -v0.zw
max3 r1.x, r0.x, r0.y, abs(v0.z)
frac r1.y, v0.y
sad r1.z, v0.x, v0.y
pick r1.w, v0.x, v0.y, r0.x
cnv_snorm8_sat o0.x, r1.w
mov o0.yzw, r1.xyz
pick o1.x, r1.w, v0.z, v0.w
mov o1.yzw, r1.xyz
mul r2.x, v0.x, v0.y
end
"""
# The same with instructions of the table only; `pick` by the comparison that Python makes.
SHIPPED = """
mul r0.xy, v0.xy, c0.xy
add r0.xy, r0.xy, -v0.zw
max r1.x, r0.x, r0.y
max r1.x, r1.x, abs(v0.z)
frc r1.y, v0.y
add r1.y, v0.y, -r1.y
add r1.y, v0.y, -r1.y
mov o0.yz, r1.xy
end
"""


def pattern(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def device_of(text: str, base: str = "rtl") -> Device:
    return in_lanes(read_device(f'base = "{base}"\n{text}'.encode(), "mine.toml"))


@pytest.mark.parametrize("name", DEVICES)
def test_the_template_is_the_device(name: str):
    for device in (DEVICES[name].set("mul_latency=9,mul_pipe=ADD,exp_latency=3,add_interval=30"), DEVICES[name]):
        text = template(device._replace(name=name), "mine")
        assert read_device(text.encode(), "x.toml") == device._replace(name="mine")
    for given in (SIX, TABLED, SMALL):
        whole = device_of(given, name)
        assert read_device(template(whole, "x").encode(), "x.toml") == whole._replace(name="x"), given[:40]
    own = "\n".join(
        [line[2:] for line in text.splitlines() if line.startswith(("# [ins", "# opc", "# pipe", "# lat", "# mean"))]
    )
    assert [op.name for op in read_device(f"{text}{own}".encode(), "x.toml").added] == ["fma"]


@together(
    ("text", "message"),
    [
        ("[instructions.mul]\nlatency = 0", "mul_latency cannot be '0': it is a whole number of cycles from 1 to 256"),
        (
            "[instructions.mul]\nopcode = 3",
            "unknown key 'opcode': it has pipe, latency, interval, exactness: mul is an instruction of the",
        ),
        ("[instructions.mul]\nlatencie = 3", "unknown key 'latencie': did you mean latency?"),
        ("[set]\nmul_latency = 3\n[instructions.mul]\nlatency = 4", "as set.mul_latency and as instructions.mul.latency"),
        ("[instructions.nop]\npipe = 'ADD'", "nop computes nothing and has no pipe"),
        ("[instructions.mul]\npipe = 'FMA'", "instructions.mul: pipe cannot be 'FMA'"),
        ('pipes = ["CMP", "ADD"]', 'pipes = ["CMP", "ADD", "MUL", "SPEC", "CNV", "SHFT", "BIT"]'),
        ('pipes = ["CMP", "ADD", "MUL", "SPEC", "CNV", "SHFT", "BIT", "FMA"]', "pipes names FMA, but no instruction is in it"),
        ('pipes = ["fma"]', "is not a name of upper-case letters"),
        ('pipes = ["FMA", "FMA"]', "pipes: FMA is named twice"),
        ("lanes = 32", "lanes is not a key of a file: both engines, RCP and RSQ of the public hardware"),
        ("[registers]\nr = 16", "registers is not a key of a file: write r_registers, x_registers and c_registers in [set]"),
        ("pipes = 3", "pipes is a list of names"),
        ("[pipes]\nrcp = 9", "latencies are under [set]: write `rcp_latency = 9` there"),
        ("pipe = ['CMP']", "unknown key 'pipe': did you mean pipes?"),
        ('issue_interval = "4"', "issue_interval is a device parameter: write it under [set]"),
        ("mul_latency = 3\nissue_interval = 4", "issue_interval, mul_latency are device parameters: write them under [set]"),
        ("clock_mhz = 50\nissue_interval = 4", "set and instructions; issue_interval is a device parameter: write it"),
        ("clock_mhz = 50\nvolts = 1", "unknown keys 'clock_mhz', 'volts': a device has"),
        ("instructions = 3", "instructions is a table with a table for each instruction"),
        ("[instructions]\nmul = 3", "instructions.mul is not a table"),
        (f"{FMA}[instructions.dot]{FMA.partition(']')[2]}", "instructions.fma and instructions.dot have one opcode, 32"),
        (FMA.replace("32", "3"), "instructions.fma: opcode 3 is that of mul: use 14, or 32 to 2047"),
        (FMA.replace("32", "14") + "[instructions.unused]\nlatency = 2", "instructions.unused and instructions.fma have one"),
        (FMA.replace("32", "2048"), "opcode cannot be 2048"),
        (FMA.replace("32", "true"), "opcode is not a whole number"),
        (FMA.replace("= 6", "= 0"), "instructions.fma: latency cannot be 0"),
        (FMA.replace("MUL", "FMA"), "instructions.fma: pipe cannot be 'FMA': it is CMP or ADD"),
        (FMA.replace("latency = 6\n", ""), "instructions.fma: a new instruction needs latency"),
        (
            "[instructions.mull]\nlatency = 6",
            "a new instruction needs opcode; for the pace of an instruction of the table, did you",
        ),
        (FMA.replace(".fma", ".Fma"), "instructions.Fma: names are in lower case, with _: write [instructions.fma]"),
        (FMA.replace(".fma", ".fma_sat"), "every instruction has a form with _sat"),
        (FMA.replace("a * b", "d * b"), "instructions.fma: meaning, column 1: unknown source 'd': sources are a, b and c"),
        (FMA.replace("a * b + c", "rcp(a)"), "the meaning uses rcp, which reads other lanes on this device (rcp_sigma=stale)"),
        (FMA.replace("a * b + c", "swap_quads(a)"), "unknown function 'swap_quads'"),
        (FMA.replace("a * b + c", "__import__(a)"), "a meaning is computed in each lane from its own values"),
    ],
)
def test_what_is_refused(text: str, message: str):
    with pytest.raises((InputFailure, ValueError)) as caught:
        device_of(text)
    assert message in str(caught.value)


def test_parameters_of_a_new_instruction():
    device = device_of(SIX)
    assert device.describe() == "rtl, mul_latency=7, with frac, fma, sad, max3, pick, cnv_snorm8"
    assert device.pipes[-1] == "FMA"
    changed = device.set("fma_latency=9,fma_pipe=ADD,sad_interval=none,mul_pipe=FMA")
    fma, sad = (next(op for op in device.added if op.name == name) for name in ("fma", "sad"))
    assert (changed.pipe(fma), changed.latency(fma), device.interval(sad), changed.interval(sad)) == ("ADD", 9, 12, 8)
    assert changed.set("fma_latency=6,fma_pipe=FMA,sad_interval=12,mul_pipe=MUL") == device
    for text, message in (
        ("latency_of_fma=3", "did you mean fma_latency?"),
        ("unused_latency=3", "opcode 14 is frac on mine"),
        ("fma_pipe=FMB", "fma_pipe cannot be 'FMB'"),
    ):
        with pytest.raises(ValueError, match=text.partition("=")[0]) as caught:
            device.set(text)
        assert message in str(caught.value)
    with pytest.raises(ValueError, match="the device rtl has no instruction fma, opcode 32"):
        RTL.latency(fma)


@pytest.mark.parametrize("base", DEVICES)
def test_new_instructions_run_on_both_engines(base: str):
    """What they compute is what the same operations as instructions of the table do, or integers of Python."""
    device = device_of(SIX, base)
    own, shipped = (ShaderCoreProgram.from_source(text, device=device) for text in (OWN, SHIPPED))
    rng = random.Random(f"own {base}")
    patterns = [rng.getrandbits(32) if n % 3 else pattern(rng.uniform(-9, 9)) for n in range(384)]
    rows = np.array(patterns, np.uint32).reshape(-1, 4)
    inputs, uniforms = {"v0": Words(rows)}, {"c0": [2.0, -3.0, 0.0, 0.0]}
    reference, compiled = (own.run(inputs, uniforms, device=device, engine=engine).bits for engine in (REFERENCE, LLVM))
    for name, values in reference.items():
        assert values.tolist() == compiled[name].tolist()
    plain = shipped.run(inputs, uniforms, device=device, engine=REFERENCE).bits["o0"]
    found, others = reference["o0"], reference["o1"]
    assert found[:, 1:3].tolist() == plain[:, 1:3].tolist()
    for row, (a, b) in zip(found[:, 3].tolist(), rows[:, :2].tolist(), strict=True):
        wanted = sum(abs((a >> n & 255) - (b >> n & 255)) for n in (0, 8, 16, 24))
        assert row == pattern(wanted)
    picked = {int(value) for value in others[:, 0]}
    assert picked & {int(w) ^ 0xFFFFFFFF for w in rows[:, 3]}


def test_words_of_new_instructions():
    """Every word decodes and encodes; what a line means is what the disassembler prints; other devices see the low opcode."""
    device = device_of(SIX)
    program = read_source_text(OWN, "own.sc", added=device.added).program
    assert program is not None
    text = print_program(program)
    assert "fma r0.y, v0.y, c0.y, -v0.w" in text
    again = read_source_text(text, "own.sc", added=device.added).program
    assert again is not None
    assert again.words == program.words
    assert decode(program.words[0]).op.name == "nop"
    assert "; nop, with bits that no line sets" in print_program(Program(words=program.words))
    rng = random.Random("words")
    for _ in range(200):
        word = rng.getrandbits(64)
        assert encode(decode(word, device.added)) == word
    for op in device.added:
        assert [inst.op for inst in program.insts].count(op) > 0
    found = read_source_text("fma r0.x, v0.x, c0.x\nend\n", "own.sc", added=device.added)
    assert found.diagnostics[0].message == "fma takes a destination and three sources, found 3"
    assert (
        read_source_text("fmaa r0.x, v0.x, c0.x, 0\nend\n", "x.sc", added=device.added).diagnostics[0].fix
        == "did you mean fma?"
    )


def test_rules_see_the_third_source():
    """One port for constants, x7.x that hangs, and registers that were never written."""
    device = device_of(FMA)
    lines = (
        "fma r0.x, v0.x, c0.x, c1.x",
        "fma r0.y, c0.x, v0.x, c0.x",
        "fma o0.x, r0.x, r0.y, r5.x",
        "mov o0.yzw, r0.x",
        "end",
    )
    report = check_shadercore("\n".join(lines).encode(), "x.sc", device)
    assert [(row.code, row.span.line) for row in report.findings] == [("V215", 1), ("V210", 3)]
    assert report.findings[0].message == "fma also reads c0.x instead of c1.x: there is one port for constants"
    report = check_shadercore(b"fma o0.xyzw, 0, 0, x7.x\nend", "x.sc", device)
    assert [row.code for row in report.findings] == ["V212"]


def test_time_follows_the_file():
    """A third source is waited for, the latency is that of the file, and the interval too."""
    device = device_of(SIX)
    text = "mul r1.x, v0.x, v0.x\nfma r0.x, v0.x, v0.x, r1.x\nsad r2.x, v0.x, v0.y\nmov r3.x, r0.x\nend\n"
    program = read_source_text(text, "x.sc", added=device.added).program
    assert program is not None
    issues = time_program(program.insts, device).issues
    assert [issue.latency for issue in issues] == [7, 6, 4, 1, 1]
    assert issues[1].waits_for == (0,)
    assert issues[3].cycle - issues[2].cycle == 12
    assert issues[1].cycle == issues[0].cycle + 7 + device.cycles("read_delay")
    assert time_program(program.insts, device.set("fma_latency=40")).issues[3].waits_for == (1,)


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Assembler, disassembler, checker, differences, translation, optimiser and pages take the file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(SIX)
    (tmp_path / "own.sc").write_text(".input v0 position\n.output o0 position\n.output o1 color\n" + OWN)
    same = (tmp_path / "own.sc").read_text().replace("fma r0.xy, v0.xy, c0.xy,", "mul r0.xy, v0.xy, c0.xy\nadd r0.xy, r0.xy,")
    (tmp_path / "same.sc").write_text(same)
    (tmp_path / "lanewise.toml").write_text('device = "mine.toml"\n')

    def shown(*argv: str) -> str:
        assert main([*argv]) == 0, (argv, capsys.readouterr())
        return capsys.readouterr().out

    shown("asm", "own.sc", "--device", "mine.toml")
    assert "pick o1.x, r1.w, v0.z, v0.w" in shown("dis", "own.scb", "--device", "mine.toml", "-o", "-")
    assert "fma r0.x" in shown("inspect", "own.scb", "--listing", "--device", "mine.toml")
    assert shown("check", "own.sc", "--device", "mine.toml") == shown("check", "own.sc")  # by lanewise.toml
    assert "are equal" in shown("diff", "own.sc", "same.sc", "--device", "mine.toml")
    assert "sc_add(sc_mul(s->v0_x[n], c[0][0])" in shown("translate", "own.sc", "--to", "c", "--device", "mine.toml")
    shown("opt", "own.sc", "--device", "mine.toml", "-o", "small.sc")
    small = (tmp_path / "small.sc").read_text()
    assert "max3 r1.x" in small
    assert "mul" not in small
    page = shown("isa", "shadercore", "--device", "mine.toml")
    assert "fma dest, a, b, c" in page
    assert "the sum of the differences" in shown("isa", "shadercore", "sad", "--device", "mine.toml")
    word = (tmp_path / "own.scb").read_bytes()[32:40][::-1].hex()
    assert "fma r0.x, v0.x, c0.x, -v0.z" in shown("isa", "shadercore", "--decode", word, "--device", "mine.toml")
    data = json.loads(shown("isa", "shadercore", "--set", "mul_latency=3", "--device", "document", "--format", "json"))
    assert [row["latency"] for row in data["instructions"] if row["name"] == "mul"] == [3]
    assert data["parameters"]["issue_interval"] == str(DOCUMENT.cycles("issue_interval"))
    (tmp_path / "all.toml").write_text(shown("isa", "shadercore", "--device-template", "--device", "document"))
    shown("time", "own.sc", "--svg", "own.svg", "--vcd", "own.vcd", "--device", "mine.toml")
    assert ">FMA<" in (tmp_path / "own.svg").read_text()
    assert "fma_starts" in (tmp_path / "own.vcd").read_text()
    assert shown("time", "same.sc", "--device", "mine.toml", "--set", "mul_latency=5")
    assert main(["isa", "shadercore", "madd", "--device", "mine.toml"]) == 2
    assert main(["run", "own.sc", "--no-config", "-i", "v0=1", "--default", "0"]) == 1
    assert "unknown instruction 'fma'" in capsys.readouterr().err


def test_exactness_sets_the_parameters_of_an_instruction():
    text = '[instructions.mul]\nexactness = "ieee"\n[instructions.rcp]\nexactness = "ieee"\nlatency = 9\n'
    mixed = device_of(text)
    values = [mixed.value(key) for key in ("mul", "add", "rcp", "rcp_sigma", "rsq")]
    assert values == ["nearest", "floor", "exact", "fixed", "table"]
    assert device_of('[instructions.frc]\nexactness = "rtl"\n', "document").value("frc") == "fixed"
    for text, reason in (
        ('[instructions.mul]\nexactness = "fast"\n', "instructions.mul.exactness cannot be 'fast': write \"rtl\""),
        ('[instructions.mov]\nexactness = "ieee"\n', "mov gives the same on every device"),
        ('[set]\nmul = "zero"\n[instructions.mul]\nexactness = "ieee"\n', "which sets mul=nearest, but it is zero too"),
        (
            '[instructions.exp]\nexactness = "ieee"\n[instructions.log]\nexactness = "rtl"\n',
            "which sets exp_log=zero, but it is exact too; log shares exp_log with exp",
        ),
    ):
        with pytest.raises(InputFailure, match=reason):
            device_of(text)


SMALL = "[set]\nslots = 50\nr_registers = 2\nx_registers = 0\nc_registers = 16\n"
LIT = """vs_2_0
def c3, 0.5, 2, 0.25, 0
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c8
mul r0, v1, c4
mul r1, r0, c5
add r1, r1, c3.x
mad oD0, r1, c3.y, r0
"""


def test_a_smaller_core(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """The compiler and `opt` use no slot and register that the device lacks; other programs are refused with the place."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(SMALL)
    (tmp_path / "lit.vsa").write_text(LIT)
    (tmp_path / "low.vsa").write_text(LIT.replace("c8", "c20"))
    (tmp_path / "a.sc").write_text(".input v0 position\n.output o0 position\nmov r2.x, v0.x\nmov o0.x, r2.x\nend\n")
    device = ("--device", "s.toml")
    assert main(["compile", "lit.vsa", *device, "-o", "lit.scb"]) == 0
    small = read_device(SMALL.encode(), "s.toml")
    program = read_shadercore((tmp_path / "lit.scb").read_bytes(), "lit.scb").program
    assert len(program.words) <= 50
    assert not lacking(program.insts, small)
    assert lacking(program.insts, small.set("r_registers=1,slots=10,c_registers=8"))
    assert not lacking(optimised_program(program, small).program.insts, small)
    capsys.readouterr()
    for argv, code, words in (
        (["check", "lit.scb", *device], 0, ""),
        (["check", "a.sc", *device], 1, "unknown register r2: the device has r0 to r1"),
        (["run", "a.sc", *device, "-i", "v0=1"], 1, "a.sc:3:1"),
        (["run", "a.sc", "--set", "r_registers=2", "-i", "v0=1"], 1, "error[V225]"),
        (["time", "a.sc", *device], 1, "unknown register r2"),
        (["asm", "a.sc", *device, "-o", "a.scb"], 1, "unknown register r2"),
        (["time", "lit.scb", "--set", "slots=9"], 1, "words, but the device has 9 slots"),
        (["compile", "lit.vsa", "--set", "slots=9", "--check"], 1, "but the device has 9"),
        (["compile", "lit.vsa", "--set", "r_registers=1,x_registers=0", "--check"], 0, ""),
        (["compile", "low.vsa", *device, "--check"], 1, "no free constants in c0 to c15"),
        (["isa", "shadercore", *device], 0, "50 slots"),
        (["time", "a.sc", "--set", "slots=513"], 2, "slots cannot be '513': it is a whole number from 2 to 512"),
    ):
        assert main(argv) == code, argv
        shown = capsys.readouterr()
        assert words in shown.out + shown.err, argv


SEED = [
    pattern(1 / struct.unpack("<f", struct.pack("<I", n << 22 | 1 << 21))[0]) if n & 511 not in (0, 510, 511) else 7 * n
    for n in range(1024)
]  # reciprocals of sign, exponent and a bit of the mantissa
TABLED = f"[instructions.rcp]\nlatency = 9\nexactness = {SEED}\n[instructions.sgn]\nexactness = [0x3F800000, 0xBF800000]\n"
USING = """.input v0 position
.output o0 position
rcp o0.x, v0.x
rcp_sat o0.y, -v0.y
sgn o0.z, v0.z
rcp r0.x, v0.w
mul o0.w, r0.x, v0.w
end
"""


@pytest.mark.parametrize("base", DEVICES)
def test_a_table_of_results_on_both_engines(base: str):
    device = device_of(TABLED, base)
    assert tabled_of(device) == ("rcp", "sgn")
    assert device.describe().endswith("rcp_latency=9, with a table for rcp, with a table for sgn")
    program = ShaderCoreProgram.from_source(USING, device=device)
    rng = random.Random(f"table {base}")
    edges = [0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFFFFFFF, 1, 0x3F800000]
    rows = np.array([*edges, *[rng.getrandbits(32) for _ in range(120)]], np.uint32).reshape(-1, 4)
    found = {
        engine: program.run({"v0": Words(rows)}, {}, device=device, engine=engine).bits["o0"] for engine in (REFERENCE, LLVM)
    }
    np.testing.assert_array_equal(found[REFERENCE], found[LLVM])
    x, y, z, w = found[REFERENCE].T.tolist()
    sources = rows.T.tolist()
    assert x == [SEED[source >> 22] for source in sources[0]]
    assert z == [0xBF800000 if source >> 31 else 0x3F800000 for source in sources[2]]
    shipped = ShaderCoreProgram.from_source(
        ".input v0 position\n.output o0 position\nmov_sat o0.x, v0.x\nmul o0.y, v0.y, v0.z\nend\n"
    )
    first = [SEED[source >> 22] for source in sources[3]]
    second = [SEED[(source ^ 1 << 31) >> 22] for source in sources[1]]
    columns = np.array([second, first, sources[3], first], np.uint32).T
    plain = shipped.run({"v0": Words(np.ascontiguousarray(columns))}, {}, device=device, engine=REFERENCE).bits["o0"]
    assert [y, w] == plain.T.tolist()[:2]
    assert time_program(program.insts, device).issues[1].cycle == device.cycles("special_interval")
    read = pickle.loads(pickle.dumps(program))
    assert read.run({"v0": Words(rows)}, {}, device=device, engine=REFERENCE).bits["o0"].tolist() == found[REFERENCE].tolist()


def test_commands_with_a_table_of_results(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.toml").write_text(TABLED)
    (tmp_path / "a.sc").write_text(USING)
    (tmp_path / "b.sc").write_text(
        USING.replace("rcp r0.x, v0.w\n", "").replace("mul o0.w", "rcp r1.x, v0.w\nmul o0.w").replace("r0.x", "r1.x")
    )
    (tmp_path / "a.vsa").write_text("vs_2_0\ndcl_position v0\nrcp oPos, v0.x\n")
    device = ("--device", "t.toml")
    for argv, code, words in (
        (["isa", "shadercore", "rcp", *device], 0, "one of 1024 results, by the upper 10 bits of a"),
        (["diff", "a.sc", "b.sc", *device], 0, "are equal"),
        (["check", "a.sc", *device], 0, ""),
        (["rtl", "a.sc", "--bench", "sim", *device, "-i", "position=1,2,3,4"], 0, "with a table for rcp"),
        (["translate", "a.sc", "--to", "c", *device], 2, "rcp is a table of 1024 results, which has no translation"),
        (["compile", "a.vsa", *device, "-o", "x.scb"], 2, "t has tables of results for rcp and sgn"),
        (["run", "a.vsa", *device, "-i", "v0=1", "--default", "0"], 2, "t has tables of results for rcp and sgn"),
        (["diff", "a.vsa", "a.sc", *device], 2, "t has tables of results for rcp and sgn"),
    ):
        assert main(argv) == code, argv
        shown = capsys.readouterr()
        assert words in shown.out + shown.err, argv
    for text, reason in (
        ("[instructions.mul]\nexactness = [1, 2]\n", "a table is of one source, and mul has 2"),
        ("[instructions.rcp]\nexactness = [1, 2, 3]\n", "2 to 65536 results, a power of two"),
        ("[instructions.rcp]\nexactness = [1, 2, 3]\n", "found 3: give 512 or more .512 see sign and exponent"),
        (f"[instructions.rcp]\nexactness = {[0] * 600}\n", "found 600: give 512 or 1024"),
        ("[instructions.rcp]\nexactness = []\n", "found 0: give 512 or more"),
        ("[instructions.rcp]\nexactness = [0, -1]\n", "result 1 is not a pattern of 32 bits"),
        ("[instructions.rcp]\nexactness = [0, 1.0]\n", "exactness = .0x00000000, 0x3F800000."),
        ("[instructions.rcp]\nexactness = [true, 1]\n", "result 0 is not a pattern of 32 bits"),
        ("[instructions.rcp]\nexactness = { a = 1 }\n", "it is ieee or rtl, or a table of results"),
    ):
        with pytest.raises(InputFailure, match=reason):
            device_of(text)


def test_editors_know_the_instructions_of_a_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mycore.toml").write_text(FMA)
    text = ".input v0 position\nfma r0.x, v0.x, v0.y, v0.z\nfm\nend\n"
    source = SourceFile("a.sc", text.encode(), "a.sc")
    request = Request("check", (source,), {"device": "mycore.toml"}, files=DiskFiles(), language="shadercore")
    editor = editor_of("shadercore")
    analysis = editor.analyse(request)
    assert "fma" in [one.text for one in editor.complete(analysis, "a.sc", text, 3, 3)]
    found = next(one for one in analysis.occurrences if one.name == "fma")
    assert "`a * b + c`" in as_markdown(editor.describe(analysis, found))
    signature = editor.signature(analysis, "a.sc", text, 2, 12)
    assert signature is not None
    assert signature.label == "fma dest, a, b, c"


def test_devices_entities_and_memories_in_each_others_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sc").write_text("mul o0.x, v0.x, v0.y\nend\n")
    (tmp_path / "entity.toml").write_text(ENTITY)
    (tmp_path / "device.toml").write_text('base = "rtl"\n[instructions.mul]\nlatency = 3\n')
    (tmp_path / "b.mem").write_text("00000001400280DF\n0000000144008O01\n")
    (tmp_path / "c.mif").write_text("WIDTH=16;\nDEPTH=1;\nCONTENT BEGIN\n0 : 1;\nEND;\n")
    (tmp_path / "d.hex").write_text(":080000000320808001400280CC\n:00000001FF\n")
    (tmp_path / "e.mif").write_text("WIDTH=64;\nDEPTH=1;\nCONTENT BEGIN\n0 : 00000001400280DF;\nEND;\n")
    sets = "waves have 16 lanes in four quads, which no parameter changes"
    for command, says in (
        (
            "time a.sc --device entity.toml",
            "entity.toml: this is an entity, which has the ports of a core: give",
        ),
        ("rtl a.sc --bench b --entity device.toml", "device.toml: this is a device, which has pipes and latencies"),
        ("time a.sc --set lanes=32", sets),
        ("time a.sc --set registers=4", "use r_registers, x_registers or c_registers"),
        ("dis b.mem", "C204]: '0000000144008O01' is not a 64-bit word\n  --> b.mem:2:1\n2 | 0000000144008O01"),
        ("dis c.mif", "C208]: WIDTH = 16: its rows do not hold machine words\n  --> c.mif:1:1"),
        ("dis d.hex", "this is an Intel HEX file"),
        ("dis e.mif", "end"),
    ):
        assert main(command.split()) == (0 if says == "end" else 2 if says.startswith(("waves", "use")) else 1), command
        shown = capsys.readouterr()
        assert says in shown.out + shown.err
    for text, says in (
        (
            "[set]\nx7x = 1\n[set]\nx7x = 2",
            "the table [set] is in line 1 too (at line 3): put its keys below line 1",
        ),
        ("base = rtl", 'a text without quotes (at line 1): write `base = "rtl"`'),
        ('{"base": "rtl"}', "this is JSON: write `key = value`"),
        ("[instructions.set]\nslots = 4", "instructions.set is not an instruction: write [set], a table of the file"),
        ("[instructions.mul]\nlatency = 2.5", "instructions.mul.latency cannot be 2.5: it is a whole number"),
        (FMA.replace("opcode = 32\n", ""), "a new instruction needs opcode, 14, or 32 to 2047"),
    ):
        with pytest.raises(InputFailure, match=re.escape(says)):
            read_device(text.encode(), "x.toml")
    for meaning, says in (
        ("sqrt(a)", "unknown function 'sqrt': write rcp(rsq(a))"),
        ("fma(a, b, c)", "unknown function 'fma': write a * b + c, which rounds twice"),
        ("a < 0 ? b : c", "unknown character '?': write select(a < b, c, a)"),
    ):
        with pytest.raises(InputFailure, match=re.escape(says)):
            read_device(FMA.replace("a * b + c", meaning).encode(), "x.toml")


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("[set]\nmul_latency = 3.5\n", "write 4"),
        ('[set]\nmul_latency = "3 cycles"\n', "write mul_latency=3"),
        ("[set]\nrcp_sigma = 1\n", "write rcp_sigma=fixed"),
        ("[set]\nmul = 3\n", "its cycles are mul_latency=3"),
        ("[set]\nlatency = 3\n", "name the instruction: mul_latency"),
        ("[mul]\nlatency = 3\n", "write [instructions.mul]"),
        ("[instructions]\nmul = 3\n", "write [instructions.mul], and `latency = 3` below it"),
        ('[instructions.mul]\npipe = "FPU"\n', '"BIT", "FPU"]` above the first table'),
        (FMA.replace("opcode = 32", 'opcode = "0x20"'), "write `opcode = 0x20` without quotes"),
        (FMA.replace("fma", "Fma-2"), "write [instructions.fma_2]"),
        (FMA.replace("a * b + c", "max(a, b, c)"), "write max(max(a, b), c)"),
        (FMA.replace("a * b + c", "dot(a, b)"), "a source is one component, not a vector"),
    ],
)
def test_fixes(text: str, fix: str):
    with pytest.raises(InputFailure, match="write rtl, the public hardware"):
        read_device(b'base = "rtl.toml"\n', "d.toml")
    with pytest.raises((InputFailure, ValueError)) as caught:
        device_of(text)
    assert fix in str(caught.value)
