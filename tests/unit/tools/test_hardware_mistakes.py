"""Mistakes of people who build cores: what is said, and that what it says to do works."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from command_lines import Told
from lanewise.core.paths import join_command
from lanewise.shadercore.api.services.entity_files import TEMPLATE

INVERSE = ".input v0 position\n.output o0 position\nmul r0.x, v0.x, v0.y\nrcp r1.x, r0.x\nmov o0.xyzw, r1.x\nend\n"
ROOT = ".input v0 position\n.output o0 position\nrsq r1.x, v0.x\nmov o0.xyzw, r1.x\nend\n"


_ORDER = 'order = ["component", "number", "file", "quad"]  #'
_EACH = "it has each field of an address once, the lowest first, one that is a port by itself, too; write"


@pytest.fixture(autouse=True)
def inverse(tmp_path: Path) -> None:
    (tmp_path / "inverse.sc").write_text(INVERSE)


def test_a_run_tells_what_a_device_computes_otherwise(told: Told):
    five = "position=1;4;9;16;25"
    text, _ = told("run", "root.sc", "--input", five, root_sc=ROOT)
    assert "V220" in text and "--set rsq_gate=fixed is a repaired core" in text
    assert "V220" not in told("run", "root.sc", "--input", five, "--set", "rsq_gate=fixed")[0]
    assert "right to 11.5 bits" in text and "--set rsq_gate=fixed,rsq=exact is one with all bits" in text
    seven = ("run", "root.sc", "--input", "position=7", "--bits")
    exact = told(*seven, "--set", "rsq_gate=fixed,rsq=exact")
    assert exact == told(*seven, "--device", "document") != told(*seven, "--set", "rsq_gate=fixed")
    assert "V220" not in told("run", "root.sc", "--input", "position=1;4;9;16")[0], "the first quad is right"
    text, _ = told("run", "exp.sc", "--input", "position=1", exp_sc=ROOT.replace("rsq", "exp"))
    assert "V221" in text and "--device document has it" in text
    assert "V221" not in told("run", "exp.sc", "--input", "position=1", "--device", "document")[0]


@pytest.mark.parametrize("argv", [("time",), ("translate", "--to", "c", "-o", "a.c")])
def test_other_commands_tell_it_too(told: Told, argv: tuple[str, ...]):
    source = ROOT.replace("mov", "exp r2.x, v0.x\nmov")
    text, _ = told(argv[0], "a.sc", *argv[1:], a_sc=source)
    assert "V220" in text and "V221" in text
    assert "warning" not in told(argv[0], "a.sc", *argv[1:], "--device", "document")[0]


def test_bits_that_are_read_as_float32(told: Told):
    head = ".input v0 position\n.output o0 position\n"
    shift = f"{head}bshftr8 r0.x, v0.x\nadd o0.x, r0.x, v0.y\nend\n"
    text, _ = told("asm", "a.sc", "--check", a_sc=shift)
    assert "V241" in text and "write `mul r0.x, v0.x, c0.x` with `.const c0 (0.00390625, 0, 0, 0)`" in text
    mul = shift.replace("bshftr8 r0.x, v0.x", ".const c0 (0.00390625, 0, 0, 0)\nmul r0.x, v0.x, c0.x")
    assert told("asm", "a.sc", "--check", a_sc=mul) == ("", 0)
    text, _ = told("run", "a.sc", "--input", "position=256", a_sc=f"{head}bshftr8 o0.x, v0.x\nend\n")
    assert "position.x has shifted bits of bshftr8 in line 3, such as 0x00438000" in text and "multiply by 0.00390625" in text
    assert "shifted bits" not in told("run", "a.sc", "--input", "position=256", "--bits")[0]
    whole = f"{head}.const c0 (0x00000003, 0x00000004, 0, 0)\nmov r0.x, c0.x\nadd o0.x, r0.x, c0.y\nend\n"
    text, _ = told("asm", "a.sc", "--check", a_sc=whole)
    assert "V241" in text and "write the number 3.0 in .const for the integer 3" in text
    for line in ("and o0.x, r0.x, c0.y", "cnv_u32_to_f o0.x, c0.y"):
        assert told("asm", "a.sc", "--check", a_sc=whole.replace("add o0.x, r0.x, c0.y", line)) == ("", 0)


def test_a_comparison_is_not_a_mask(told: Told):
    source = f"{INVERSE.partition('mul')[0]}slt r0.x, v0.y, v0.x\nand o0.xyzw, v0.xxxx, r0.x\nend\n"
    fix = "mul o0.xyzw, v0.xxxx, r0.x"
    values = ("-i", "position=0.5,0;3,0;2,5", "--device", "document")
    for command in (["asm", "a.sc", "--check"], ["check", "a.sc"], ["run", "a.sc", *values]):
        text, _ = told(*command, a_sc=source)
        assert text.count("V242") == 1 and f"write `{fix}`" in text
    text, code = told("run", "b.sc", *values, b_sc=source.replace("and o0.xyzw, v0.xxxx, r0.x", fix))
    assert code == 0 and "V242" not in text and "1 3 3 3 3 2 0 0 0 0" in text


def test_a_number_is_not_an_integer(told: Told):
    source = f"{INVERSE.partition('mul')[0]}cnv_u32_to_f o0.xyzw, v0.x\nend\n"
    argv = ("--device", "document", "-i")
    text, _ = told("run", "a.sc", *argv, "position=3;4", a_sc=source)
    assert "cnv_u32_to_f in line 3 takes its bits for an integer: 3 is 0x40400000; write mov in its place" in text
    for file, value in (("b.sc", "position=3;4"), ("a.sc", "position=words:3;4"), ("a.sc", "position=1.5")):
        text, code = told("run", file, *argv, value, b_sc=source.replace("cnv_u32_to_f", "mov"))
        assert code == 0 and "for an integer" not in text
        assert "3 3 3 3" in text or "1.5" in value


def test_a_reciprocal_is_not_a_division(told: Told):
    text, code = told("asm", "a.sc", "--check", a_sc=INVERSE.replace("rcp r1.x, r0.x", "rcp r1.x, r0.x, v0.y"))
    assert code == 0 and "write `rcp r1.x, v0.y`, then `mul r1.x, r0.x, r1.x` for r0.x / v0.y" in text
    fixed = INVERSE.replace("rcp r1.x, r0.x", "rcp r1.x, v0.y\nmul r1.x, r0.x, r1.x")
    assert told("asm", "a.sc", "--check", a_sc=fixed) == ("", 0)
    assert told("asm", "a.sc", "--check", a_sc=INVERSE.replace("rcp r1.x, r0.x", "rcp r1.x, r0.x, 0.x")) == ("", 0)
    text, _ = told("asm", "a.sc", "--check", a_sc=INVERSE.replace("rcp r1.x, r0.x", "rcp r0.x, r0.x, v0.y"))
    assert "another register" in text


def test_strides_in_bytes(told: Told):
    vertices = [struct.pack("<3fI", n, 1, 2, 0xFF) for n in range(8)]
    Path("mesh.bin").write_bytes(b"".join(vertices))
    source = ".input v0 position\n.input v1 color\n.output o0 position\nadd o0.xyz, v0.xyz, v1.xyz\nmov o0.w, 0\nend\n"
    bytes_ = ["--stream", "position=float3:mesh.bin:0:16", "--stream", "color=d3dcolor:mesh.bin:12:16"]
    text, _ = told("run", "add.sc", *bytes_, add_sc=source)
    fix = "--stream position=float3:mesh.bin:0:4 --stream color=d3dcolor:mesh.bin:3:4"
    assert f"if they are bytes, write {fix}" in text
    text, code = told("run", "add.sc", *fix.split(" "), "--format", "json")
    assert code == 0 and "B201" not in text and '"lanes": 8' in text
    Path("thin.bin").write_bytes(b"".join(vertices)[:60])
    assert (
        "write --stream position=float3:thin.bin:0:3"
        in told("time", "inverse.sc", "--stream", "position=float3:thin.bin:0:12")[0]
    )
    assert "B201" not in told("time", "inverse.sc", "--stream", "position=float3:mesh.bin:0:8")[0]
    assert "write 16 if 64 are bytes" in told("run", "inverse.sc", "--stream", "position=float3:mesh.bin:0:64")[0]


def test_a_slow_unit_without_an_interval(told: Told):
    text, _ = told("time", "inverse.sc", "--set", "mul_latency=10")
    assert "add --set mul_interval=11" in text
    for settings in ("mul_latency=10,mul_interval=11", "mul_latency=7", "issue_interval=9"):
        assert "without an interval" not in told("time", "inverse.sc", "--set", settings)[0]


@pytest.mark.parametrize(
    ("device", "fix"),
    [
        ("hardware", "write rtl, the public hardware"),
        ("RTL", "write rtl, the public hardware"),
        ("spec", "write document, the device of the specification"),
        ("rtl mul_latency=3", "write settings after a comma: rtl,mul_latency=3"),
        ("mine", "or a TOML file, such as mine.toml"),
        ("mine.yaml", "a device file is TOML, with the suffix .toml"),
        ("rtl,mul_latency", "write FIELD=VALUE, such as mul_latency=5"),
        ("rtl,mul_latency=3ns", "it is a whole number of cycles from 1 to 256"),
    ],
)
def test_devices_by_other_names(told: Told, device: str, fix: str):
    text, code = told("time", "inverse.sc", "--device", device)
    assert code == 2 and fix in text


def test_a_pipe_of_its_own(told: Told):
    row = '[instructions.fma]\nopcode = 32\npipe = "FMA"\nlatency = 6\nmeaning = "a * b + c"\n'
    text, _ = told("asm", "inverse.sc", "--device", "core.toml", core_toml=f'base = "rtl"\n{row}')
    line = text.partition("; or write `")[2].partition("`")[0]
    assert line.startswith("pipes = [")
    assert told("asm", "inverse.sc", "--device", "core.toml", core_toml=f'base = "rtl"\n{line}\n{row}')[1] == 0
    text, _ = told("asm", "inverse.sc", "--device", "core.toml", core_toml=f'base = "rtl"\n{row.replace("FMA", "mul")}')
    assert 'write "MUL"' in text


def test_a_smaller_device(told: Told):
    wide = INVERSE.replace("r1", "r5")
    device = 'base = "rtl"\n[set]\nr_registers = 1\n'
    text, code = told("asm", "wide.sc", "--device", "small.toml", wide_sc=wide, small_toml=device)
    assert code == 1 and text.count("V225") == 1, "a register is reported once"
    assert "use r0 to r0 or x0 to x6; or set r_registers=6 in the device file" in text
    assert told("asm", "wide.sc", "--device", "small.toml", small_toml=device.replace("= 1", "= 6"))[1] == 0
    assert told("asm", "wide.sc", "--device", "small.toml", small_toml=device, wide_sc=wide.replace("r5", "x6"))[1] == 0


def test_fewer_slots_than_words(told: Told):
    small = "base = 'rtl'\n[set]\nslots = 6\n"
    text, code = told("check", "inverse.sc", "--device", "small.toml", small_toml=small)
    assert code == 1 and "help: set slots=7 in the device file" in text and "lanewise opt" not in text
    assert "V225" not in told("check", "inverse.sc", "--device", "small.toml", small_toml=small.replace("6", "7"))[0]
    text, code = told("opt", "inverse.sc", "--device", "small.toml", "-o", "o.sc", small_toml=small)
    assert code == 0 and "the device has 6 slots: set slots=7" in text, "what cannot be shortened is said, not refused"
    twice = INVERSE.replace("mov", "mov o0.xyzw, r1.x\nmov")
    text, code = told("opt", "twice.sc", "--device", "rtl,slots=7", "-o", "o.sc", twice_sc=twice)
    assert code == 0 and "slots: set" not in text and told("asm", "o.sc", "--device", "rtl,slots=7")[1] == 0


def test_a_division_in_the_pipe_of_rcp(told: Told):
    row = "[instructions.div]\nopcode = 32\npipe = 'SPEC'\nlatency = 14\nmeaning = "
    text, code = told("isa", "shadercore", "--device", "div.toml", div_toml=f"base = 'rtl'\n{row}'a / b'\n")
    assert code == 1 and 'write a * rcp(b), and on the base rtl rcp_sigma = "fixed" under [set]' in text
    assert 'and stray_special = "lost" for two sources in SPEC' in text
    settings = "[set]\nrcp_sigma = 'fixed'\nstray_special = 'lost'\n"
    text, code = told("isa", "shadercore", "--device", "div.toml", div_toml=f"base = 'rtl'\n{settings}{row}'a * rcp(b)'\n")
    assert code == 0 and "stray_special=lost, with div" in text


def test_an_output_that_is_not_exported(told: Told):
    source = f"{INVERSE[:-4]}mov o3.xy, v0.xy\nend\n".replace("mul", ".output o3 color\nmul")
    for command in (["check", "three.sc"], ["run", "three.sc", "-i", "position=1,2,3,4"]):
        text, _ = told(*command, three_sc=source)
        assert "write `.output o1 color`, and o1 for o3" in text
    assert "V217" not in told("check", "three.sc", three_sc=source.replace("o3", "o1"))[0]


def test_indices_of_32_bits(told: Told):
    Path("in.bin").write_bytes(struct.pack("<36f", *range(1, 37)))
    Path("three.u32").write_bytes(struct.pack("<3I", 2, 1, 0))
    argv = ("run", "inverse.sc", "--stream", "position=float3:in.bin", "--indices")
    text, code = told(*argv, "three.u32")
    assert code == 1 and "raw 16-bit words are .u16, .bin or .idx: write '<H' of Python's struct" in text
    Path("three.u16").write_bytes(struct.pack("<3H", 2, 1, 0))
    assert told(*argv, "three.u16")[1] == 0


def test_files_for_other_tools(told: Told):
    text, code = told("asm", "inverse.sc", "-o", "rom.hex")
    assert code == 0 and "not Intel HEX" in text and "-o FILE.mif" in text
    assert told("asm", "inverse.sc", "-o", "rom.mif") == ("", 0)


@pytest.mark.parametrize(
    ("argv", "fix"),
    [
        (["time", "inverse.sc", "--memory-latency", "60ns"], "the time times the clock: at 50 MHz 60 ns are 3: cycles from"),
        (["time", "inverse.sc", "--memory-latency", "20 cycles"], "use a whole number, 20: cycles from a request"),
        (["time", "inverse.sc", "--set", "warp_size=32"], "--vertices 32 are two waves"),
        (["time", "inverse.sc", "--mul-latency", "3"], "did you mean --set mul_latency=CYCLES?"),
        (["time", "inverse.sc", "--stream", "vec3"], "did you mean float3?"),
        (["time", "inverse.sc", "--stream", "float3:4"], "write NAME=float3:FILE:OFFSET:STRIDE"),
        (["time", "inverse.sc", "--stream", "a=float3,b=ubyte4"], "for each input: --stream a=float3 --stream b=d3dcolor"),
        (["run", "inverse.sc", "--stream", "a=float3 b=ubyte4"], "input: --stream a=float3:FILE --stream b=d3dcolor:FILE"),
        (
            ["time", "inverse.sc", "--stream", "a=vec3:m:0:4,b=ubyte4:m:3:4"],
            "--stream a=float3:m:0:4 --stream b=d3dcolor:m:3:4",
        ),
        (["run", "inverse.sc", "--stream", "a=float3:m:0:4,b=float3:m"], "--stream a=float3:m:0:4 --stream b=float3:m"),
        (["run", "inverse.sc", "--stream", "float3:m,float3:n:4"], "--stream NAME=float3:m --stream NAME=float3:n:4"),
        (["time", "inverse.sc", "--stream", "float3:m,float3:n:4"], "'float3:m' has no input: write NAME=float3:m"),
        (["run", "inverse.sc", "--stream", "float3:in.bin"], "write --stream position=float3:in.bin"),
        (["run", "inverse.sc", "--stream", "position=float3,in.bin"], "write --stream position=float3:in.bin"),
        (["run", "inverse.sc", "--stream", "position=in.bin"], "write --stream position=float3:in.bin"),
        (["isa", "d3d9"], "did you mean direct3d9?"),
        (["compile", "a.vsa", "--target", "vs_3_0"], "vs_3_0 is a version, which is the first line of assembly"),
        (
            ["compile", "/T", "vs_2_0", "/E", "VSMain", "/DA=1", "a light.fx", "/Fo", "light.scb"],
            f"compile --entry-point VSMain -D A=1 {join_command(['a light.fx'])} -o light.scb --target shadercore",
        ),
        (["time", "inverse.sc", "--vertices", "36x"], "use a whole number: number of vertices"),
        (
            ["rtl", "inverse.sc", "--bench", "b", "--language", "systemverilog"],
            "use vhdl, verilog or cocotb (did you mean verilog?)",
        ),
        (["asm", "inverse.sc", "-o", "a.mem", "--width", "8"], "--width 8: use 64: a row is counted in bits"),
        (["asm", "inverse.sc", "-o", "a.mem", "--depth", "1k"], "use a whole number, 1024"),
        (["asm", "inverse.sc", "-o", "a.mem", "--fill", "nop"], "leave it out for NOP"),
        (["asm", "inverse.sc", "-o", "a.mem", "--endian", "big"], "numbers without an order of bytes in .mem"),
        (["run", "inverse.sc", "--lanes", "4"], "did you mean --count N?"),
        (["time", "inverse.sc", "--set", "one_register:fixed"], "write one_register=fixed"),
        (["asm", "inverse.sc", "--to", "vhd"], "or mif (did you mean vhdl?)"),
        (["asm", "inverse.sc", "--to", "xilinx"], "(did you mean coe, which Vivado reads?)"),
        (["dis", "inverse.sc", "--to", "Vivado"], "(did you mean coe, which Vivado reads?)"),
        (["asm", "inverse.sc", "--to", "intel"], "(did you mean mif, which Quartus reads?)"),
        (["asm", "inverse.sc", "--to", "yosys"], "(did you mean mem, which $readmemh of Verilog reads?)"),
        (["asm", "inverse.sc", "--to", "ghdl"], "(did you mean vhdl?)"),
        (["translate", "inverse.sc", "--to", "quartus"], "`lanewise asm FILE -o rom.mif` writes the words"),
        (["rtl", "inverse.sc", "--bench", "b", "--language", "icarus"], "(did you mean verilog?)"),
        (["check", "inverse.sc", "--format", "gitlab"], "(did you mean sarif?)"),
        (["check", "inverse.sc", "--format", "gcc"], "(did you mean text?)"),
        (["check", "inverse.sc", "--level", "info"], "(did you mean note?)"),
        (["graph", "inverse.sc", "--format", "graphviz"], "(did you mean dot?)"),
        (["graph", "inverse.sc", "--format", "png"], "(did you mean svg?)"),
        (["test", "--format", "xml"], "(did you mean junit?)"),
        (["run", "inverse.sc", "--draw", "a.svg", "--cull", "GL_FRONT"], "(did you mean front?)"),
        (["asm", "inverse.sc", "--to", "vhdl", "-o", "rom.v"], "leave --to out, or write -o rom.vhd"),
        (["run", "inverse.sc", "-i", "position=1", "--profile", "document"], "is for ShaderCore; write --device document"),
        (["run", "inverse.sc", "--vcd", "a.vcd"], "did you mean --trace 0 -o FILE.vcd?"),
        (["run", "inverse.sc", "--cycles"], "`lanewise time FILE` counts cycles"),
        (["run", "inverse.sc", "--vertices", "4"], "--count N is the number of vertices"),
        (["time", "inverse.sc", "--input", "position=1"], "times do not depend on values"),
        (["rtl", "inverse.sc", "--bench", "b", "-o", "b"], "the files go to the folder of --bench"),
        (["rtl", "--template", "core.toml"], "redirect it, `lanewise rtl --template > core.toml`"),
        (["rtl", "inverse.sc", "--bench", "b", "-gCACHE=true"], "given to the simulator, after `ghdl -r`"),
        (["rtl", "inverse.sc", "--bench", "b", "--language", "verilog"], "with --entity FILE: `lanewise rtl --template > core"),
    ],
)
def test_values_of_options(told: Told, argv: list[str], fix: str):
    text, code = told(*argv)
    assert code == 2 and fix in text


@pytest.mark.parametrize(
    ("line", "instead", "fix"),
    [
        ('[start]\nport = "start"\nactive = "high"', '[start]\nport = "start"\nactive = 0', 'write `active = "low"`'),
        ('edge = "rising"', 'edge = "posedge"', 'write `edge = "rising"`'),
        ("period = 10", 'period = "10 ns"', "write `period = 10`"),
        ('port = "done"\n', "", 'done.port is missing: write `port = "NAME"`, the port of your core under [done]'),
        ('entity = "my_core"', 'entity = "work.my_core(rtl)"', 'write `entity = "my_core"`'),
        ('data = "prog_data"', 'data = "u_core/prog_data[63:0]"', 'write `data = "prog_data"`'),
        ('entity = "my_core"', 'module = "my_core"', 'write `entity = "my_core"`'),
        ('entity = "my_core"', 'entity = ["my_core"]', 'write `entity = "my_core"`'),
        ("limit = 100000", "timeout = 1000", "write `limit = 1000`"),
        ("period = 10", "frequency = 50", "write `period = 20`, in ns"),
        ("period = 10", 'period = "100 MHz"', "write `period = 10`"),
        ("period = 10", "period = 10.0", "write `period = 10`"),
        ('port = "rst"\nactive = "high"', 'port = "rst"\npolarity = "negative"', 'write `active = "low"`'),
        ("width = 64", "width = 8", "write `width = 64`"),
        ("width = 64", "width = 63", "write `width = 64`"),
        ("address_width = 9", "depth = 512", "write `address_width = 9`, the bits"),
        ('enable = "prog_we"', 'we = "prog_we"', 'write `enable = "prog_we"`'),
        ('data = "prog_data"', 'wdata = "prog_data"', 'write `data = "prog_data"`'),
        ('files = "vorx"  #', 'files = ["V", "O", "R", "X"]  #', 'write `files = "vorx"`'),
        ("# state = 3", "state = { width = 3 }", "write `state = 3`"),
        ("# mode = { width = 2, value = 1 }", "mode = 2", "write `mode = { width = 2 }`"),
        (_ORDER, 'order = "component number file quads" #', "has 'quads': "),
        (_ORDER, 'order = ["component", "number", "file"]  #', f"lacks quad: {_EACH} `{_ORDER[:-3]}`"),
        (_ORDER, 'order = ["component", "component"]  #', "has component twice: "),
        (_ORDER, 'order = ["chan", "number", "file", "quad"]  #', "has 'chan': "),
    ],
)
def test_descriptions_of_ports(told: Told, line: str, instead: str, fix: str):
    assert line in TEMPLATE
    argv = ["rtl", "inverse.sc", "--bench", "b", "--entity", "core.toml", "--input", "position=2,4"]
    said, code = told(*argv, core_toml=TEMPLATE.replace(line, instead))
    assert code == 1 and fix in said
    if "NAME" not in said:  # the line that is to be written
        key, _, rest = said.rpartition("write `")[2].partition("`")[0].partition(" = ")
        at = len(instead.splitlines()) - 1
        rows = instead.splitlines()
        rows[at] = f"{key} = {rest}{'  #' * rows[at].endswith('#')}"
        assert told(*argv, core_toml=TEMPLATE.replace(line, "\n".join(rows)))[1] == 0


def test_the_overhead_that_is_not_given(told: Told):
    argv = ["rtl", "inverse.sc", "--bench", "b", "--entity", "core.toml", "--input", "position=2,4"]
    text, code = told(*argv, core_toml=TEMPLATE)
    assert code == 0 and "and none besides (overhead under [done])" in text
    assert "add that number to `overhead`" in Path("b/README.md").read_text()


def test_what_a_bench_or_a_memory_does_not_reach(told: Told):
    """An address of too few bits, a depth in other units than rows, and a device that the public core is not."""
    argv = ["rtl", "inverse.sc", "--bench", "b", "--entity", "core.toml", "--input", "position=2,4"]
    text, _ = told(*argv, core_toml=TEMPLATE.replace("address_width = 9", "address_width = 8", 1))
    assert "8 bits, for 256 of the 512 slots of ShaderCore: all take 9 bits, [8:0] in Verilog" in text
    assert "all take 10 bits" in told(*argv, core_toml=TEMPLATE.replace("address_width = 10", "address_width = 9"))[0]
    assert "slots of ShaderCore" not in told(*argv, core_toml=TEMPLATE)[0]
    low = TEMPLATE.replace('port = "rst"', 'port = "rst_n"')
    assert 'write `active = "low"` in [reset]' in told(*argv, core_toml=low)[0]
    assert "active low" not in told(*argv, core_toml=low.replace('active = "high"', 'active = "low"', 1))[0]
    rows = ["asm", "inverse.sc", "-o", "rom.mem", "--width", "32", "--depth"]
    assert "are 256 slots; all 512 of a core are --depth 1024" in told(*rows, "512")[0]
    assert "--depth" not in told(*rows, "1024")[0] + told(*rows, "16")[0]
    assert "takes 2 rows: its lowest 32 bits come first" in told(*rows, "1024")[0]
    assert "the first is in bits 0 to 63" in told("asm", "inverse.sc", "-o", "rom.mem", "--width", "128")[0]
    turned = TEMPLATE.replace('"component", "number", "file", "quad"', '"quad", "file", "number", "component"')
    assert 'write order = ["component", "number", "file", "quad"]' in told(*argv, core_toml=turned)[0]
    bench = ["rtl", "inverse.sc", "--bench", "public", "--input", "position=2,4"]
    assert "leave --device out" in told(*bench, "--device", "document")[0] and "leave" not in told(*bench)[0]
    text, code = told(*argv[:5], "core.v", *argv[6:], core_v="module core(input clk);\nendmodule\n")
    assert code == 1 and "core.v is Verilog; expected an entity" in text


def test_what_is_given_and_never_read(told: Told):
    base = ["run", "inverse.sc", "--input", "position=2,4"]
    assert "v3 is given but never read: the program reads v0" in told(*base, "--input", "v3=1")[0]
    assert "c7 is given but never read" in told(*base, "--uniform", "c7=1")[0]
    assert "x3 is given but never read" in told(*base, "--initial", "x3=1")[0]
    assert "never read" not in told(*base, "--initial", "r0=1", "--initial", "o1=1")[0]
    matrix = ".const c2 (1, 2, 3, 4)\n" + INVERSE.replace("r1.x, r0.x", "r1.x, c2.x")
    assert "never read" not in told("run", "m.sc", *base[2:], "--uniform", "c0=1,2,3,4;1,2,3,4;1,2,3,4", m_sc=matrix)[0]


@pytest.mark.parametrize(
    ("given", "fix", "instead"),
    [
        ("v0.x=2", "give v0 whole", "v0=2"),
        ("position.x=2", "give position whole", "position=2"),
        ("pos=2,4", "use position, the usage of v0", "position=2,4"),
    ],
)
def test_inputs_by_other_names(told: Told, given: str, fix: str, instead: str):
    assert fix in told("run", "inverse.sc", "--input", given)[0]
    assert told("run", "inverse.sc", "--input", instead)[1] == 0
    assert "`--initial r0=...`" in told("run", "inverse.sc", "--input", "r0=2")[0]


def test_types_of_elements_by_other_names(told: Told):
    source = "vs_2_0\ndcl_position v0\nmov oPos, v0\n"
    for name, meant in (("D3DDECLTYPE_FLOAT3", "float3"), ("vec2", "float2"), ("D3DCOLOR", "d3dcolor")):
        argv = ["compile", "a.vsa", "--target", "shadercore", "-o", "a.scb", "--decl"]
        text, code = told(*argv, f"v0={name}", a_vsa=source)
        assert code == 0 or f"write --decl v0={meant}" in text
        assert told(*argv, f"v0={meant}")[1] == 0


def test_the_interface_that_was_left_behind(told: Told):
    source = ".input v0 position\n.output o0 position\nadd o0.xyzw, v0.xyzw, c9.x\nend\n"
    assert told("asm", "c.sc", "-o", "c.scb", c_sc=source)[1] == 0
    text, code = told("run", "c.scb", "--input", "position=1,2,3,4")
    assert code == 1 and "`lanewise compile` writes them to c.json beside it" in text
    assert "copy both" not in told("run", "c.sc", "--input", "position=1,2,3,4")[0]


def test_files_in_the_place_of_a_program(told: Told):
    Path("device.toml").write_text('base = "rtl"\n[set]\nmul_latency = 3\n')
    Path("core.toml").write_text(TEMPLATE)
    assert "`lanewise time PROGRAM --device device.toml`" in told("time", "device.toml")[0]
    assert "`lanewise rtl PROGRAM --entity core.toml --bench sim`" in told("rtl", "core.toml", "--bench", "sim")[0]
    assert told("time", "inverse.sc", "--device", "device.toml")[1] == 0
    data = ["--bench", "b", "--input", "position=1,2,3,4"]
    text, code = told("rtl", "a.vsa", *data, a_vsa="vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    assert code == 2 and "`lanewise compile a.vsa --target shadercore -o program.scb`" in text
    assert told("compile", "a.vsa", "--target", "shadercore", "-o", "program.scb")[1] == 0
    assert told("rtl", "program.scb", *data)[1] == 0
    text, code = told("rtl", "a.psa", *data, a_psa="ps_2_0\nmov oC0, c0\n")
    assert code == 2 and "compile" not in text


def test_languages_that_are_not_compiled(told: Told):
    text, code = told("compile", "a.wgsl", "--target", "shadercore", a_wgsl="@vertex fn main() {}\n")
    assert code == 1 and "a.wgsl is WGSL" in text and "`naga a.wgsl shader.spv`" in text


@pytest.mark.parametrize(
    ("text", "fix", "instead"),
    [
        ('base = "rtl', 'a text, list or table that is not closed (at line 1): write `base = "rtl"`', 'base = "rtl"'),
        ("base: rtl", 'a key with its value after a colon (at line 1): write `base = "rtl"`', 'base = "rtl"'),
        ("base = 1", 'write `base = "rtl"`', 'base = "rtl"'),
        ('inherits = "rtl"', 'write `base = "rtl"`', 'base = "rtl"'),
        ("[settings]\nmul_latency = 3", "write parameters under [set], such as `mul_latency = 3`", "[set]\nmul_latency = 3"),
        ("[latency]\nmul = 3", "write parameters under [set], such as `mul_latency = 3`", "[set]\nmul_latency = 3"),
        ("[set]\nmul.latency = 3", "write `mul_latency = 3`, one name", "[set]\nmul_latency = 3"),
        ("[set]\nmul_latency = 3.0", "it is a whole number: write 3", "[set]\nmul_latency = 3"),
        ("[set]\nrcp_sigma = true", "write one of its texts: fixed or stale", '[set]\nrcp_sigma = "fixed"'),
        ('set = "mul_latency=3"', "write [set], and `mul_latency = 3` in the next line", "[set]\nmul_latency = 3"),
        ("[instructions.mul]\ncycles = 3", "did you mean latency?", "[instructions.mul]\nlatency = 3"),
        ("[instructions.MUL]\nlatency = 3", "write [instructions.mul]", "[instructions.mul]\nlatency = 3"),
        ("[[instructions]]\nlatency = 3", "write [instructions.mul], not [[", "[instructions.mul]\nlatency = 3"),
    ],
)
def test_device_files(told: Told, text: str, fix: str, instead: str):
    said, code = told("time", "inverse.sc", "--device", "d.toml", d_toml=f"{text}\n")
    assert code == 1 and fix in said
    assert told("time", "inverse.sc", "--device", "d.toml", d_toml=f"{instead}\n")[1] == 0


@pytest.mark.parametrize(
    ("meaning", "instead"),
    [
        ("a ** b", "a * a"),
        ("a += b", "a + b"),
        ("a && b", "(a != 0) & (b != 0)"),
        ("a / b", "a * rcp(b)"),
        ("a % b", "a - b * floor(a * rcp(b))"),
        ("(a >> 4) & 0xF", "cnv_u32_to_f(a & 0xF0) * 0.0625"),
    ],
)
def test_meanings_of_instructions(told: Told, meaning: str, instead: str):
    def core(text: str) -> str:
        return f'[set]\nrcp_sigma = "fixed"\n[instructions.f]\nopcode = 32\npipe = "ADD"\nlatency = 4\nmeaning = "{text}"\n'

    said, code = told("asm", "inverse.sc", "--device", "d.toml", d_toml=core(meaning))
    assert code == 1 and instead in said
    assert told("asm", "inverse.sc", "--device", "d.toml", d_toml=core(instead))[1] == 0


def test_a_table_that_does_not_see_the_mantissa(told: Told):
    def table(count: int) -> str:
        return f"[instructions.rcp]\nexactness = [{', '.join(['0x3F800000'] * count)}]\n"

    argv = ["run", "inverse.sc", "--input", "position=2,4", "--device", "t.toml"]
    assert "the sign and 6 of 8 bits of the exponent" in told(*argv, t_toml=table(128))[0]
    for count in (2, 1024):  # by the sign; or some of the mantissa
        assert "bits of the exponent" not in told(*argv, t_toml=table(count))[0]


def test_the_device_of_a_configuration_that_asm_does_not_read(told: Told):
    core = 'base = "rtl"\n[instructions.fma]\nopcode = 32\npipe = "MUL"\nlatency = 6\nmeaning = "a * b + c"\n'
    source = INVERSE.replace("rcp r1.x, r0.x", "fma r1.x, r0.x, r0.x, r0.x\nfoo r2.x")
    files = {"fma_sc": source, "mine_toml": core, "lanewise_toml": 'device = "mine.toml"\n'}
    text, code = told("asm", "fma.sc", "--check", **files)
    assert (code, text.count("--device mine.toml"), text.count("P201")) == (1, 1, 2)
    text, code = told("asm", "fma.sc", "--check", "--device", "mine.toml")
    assert (code, text.count("P201")) == (1, 1)


def test_a_stride_in_bytes_where_the_data_fit(told: Told):
    Path("in.bin").write_bytes(struct.pack("<36f", *range(1, 37)))
    text, code = told("run", "inverse.sc", "--stream", "position=float3:in.bin:0:12")
    assert code == 0 and "note[B201]" in text
    fix = text.partition("if they are bytes, write ")[2].split(" ")[:2]
    text, code = told("run", "inverse.sc", *fix)
    assert code == 0 and "B201" not in text and " 11 " in text


def test_values_of_a_wave_that_is_not_full(told: Told):
    text, _ = told("run", "inverse.sc", "-i", "position=3,1", "-o", "one.npz")
    assert "15 of 16 lanes are empty" in text
    assert "empty" not in told("run", "inverse.sc", "-i", "position=3,1", "-o", "one.npz", "--set", "rcp_sigma=fixed")[0]
    assert "empty" not in told("run", "inverse.sc", "-i", f"position={';'.join(['3,1'] * 16)}", "-o", "one.npz")[0]


SHADER = "vs_2_0\ndcl_position v0\nmov oPos, v0\n"


@pytest.mark.parametrize(
    ("argv", "code", "fix"),
    [
        (["compile", "a.vsa", "--check", "--array", "10=12/3"], 2, "write --array c10=12/3"),
        (["compile", "a.vsa", "--check", "--array", "c10=12x3"], 2, "write --array c10=12/3"),
        (["compile", "a.vsa", "--check", "--array", "c10=c10-c21"], 2, "write --array c10=12"),
        (["compile", "a.vsa", "--check", "--array", "c250=12/3"], 2, "use 6 at most"),
        (["compile", "a.vsa", "--check", "--array", "Bones=12"], 2, "name its first register: --array cN=12"),
        (["compile", "a.vsa", "-o", "a.vso"], 2, "`lanewise asm a.vsa -o a.vso` assembles the shader itself"),
        (["compile", "a.vsa", "-o", "a.cso"], 0, ".cso is an unknown suffix, so the form is that of .scb"),
        (["compile", "a.vsa", "-S", "vert"], 2, "leave it out: every shader is a vertex shader"),
        (["run", "a.vsa", "-i", "position=1", "--device", "rtl"], 0, "the shader itself is run, not a compiled program"),
        (["asm", "a.vsa", "-o", "a.scb"], 2, "`lanewise compile a.vsa --target shadercore` writes .scb"),
        (["asm", "a.vsa", "--target", "shadercore"], 2, "`lanewise compile FILE --target NAME` compiles"),
    ],
)
def test_shaders_of_direct3d_9_for_a_core(told: Told, argv: list[str], code: int, fix: str):
    text, found = told(*argv, a_vsa=SHADER)
    assert (found, fix in text) == (code, True), text


def test_a_compiled_program_without_its_names_and_device(told: Told):
    source = "vs_2_0\ndef c1, 2, 0, 0, 0\ndcl_position v0\nmul oPos, v0, c1.x\n"
    assert told("compile", "a.vsa", "--device", "document", "--set", "mul_latency=2", "-o", "a.scb", a_vsa=source)[1] == 0
    text, _ = told("time", "a.scb")
    options = text.partition("and this is rtl: add ")[2].split(" ")[:4]
    assert options == ["--device", "document", "--set", "mul_latency=2"]
    assert "was compiled for" not in told("time", "a.scb", *options)[0]
    assert "was compiled for" in told("run", "a.scb", "-i", "position=1")[0]
    Path("a.json").rename("b.json")
    assert "a.json is missing" in told("run", "a.scb", "-i", "position=1", "-u", "World=1")[0]


def test_uniforms_that_lack_a_value_have_their_names(told: Told):
    names = {"c0": "World[0]", "c1": "World[1]", "c2": "sun"}
    told("asm", "a.sc", "-o", "a.scb", a_sc=".output o0 position\nmov o0.x, c1.x\nmov o0.y, c2.x\nend\n")
    rest = '"constants": [], "numbers": {}, "inputs": [], "outputs": []'
    head = '"kind": "lanewise-shadercore-interface", "version": 1'
    Path("a.json").write_text(f'{{{head}, {rest}, "names": {json.dumps(names)}}}')
    text, code = told("run", "a.scb")
    assert code == 1
    assert "World (c0-c1)" in text and "--uniform World=...` (uniforms={'World': ...}): 2 rows of one number" in text
    assert "`--uniform sun=...` (uniforms={'sun': ...}): one number" in text
    assert told("run", "a.scb", "-u", "World=1,0,0,0;2,0,0,0", "-u", "sun=1")[1] == 0
    assert "sun is one number in the program" in told("run", "a.scb", "-u", "World=1;2", "-u", "sun=1,2")[0]
    Path("a.json").write_text(Path("a.json").read_text().replace('"c0": "World[0]", ', ""))
    assert "--uniform World[1]=..." in told("run", "a.scb", "-u", "sun=1")[0]
    assert told("run", "a.scb", "-u", "sun=1", "-u", "World[1]=1")[1] == 0


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "fix"),
    [
        ("rom.vhd", 'x"00000001400280DF"', "(others => '0')", 10, 'write address => x"..." from 0 on'),
        ("rom.vhd", '3 => x"00000001400280DF"', "others => (others => '0')", 10, "keep the rows up to that of `end`"),
        ("rom.vhd", "2 => ", "4 => ", 9, 'write address => x"..." from 0 on'),
        ("rom.v", "64'h00000001400280DF", "PROG_END", 11, "write the row as a literal, such as 64'h00000001400280DF"),
        ("rom.v", "64'h00000001400280DF", "64'd5368873183", 0, ""),
        ("rom.mif", "00000001400280DF", "JUNK", 9, "write a row in DATA_RADIX"),
    ],
)
def test_a_rom_that_was_changed_by_hand(told: Told, name: str, old: str, new: str, line: int, fix: str):
    source = INVERSE.replace("o0.xyzw", "o0.x")
    assert told("asm", "four.sc", "-o", name, "--width", "64", four_sc=source)[1] == 0
    text = Path(name).read_text()
    assert old in text
    Path(name).write_text(text.replace(old, new))
    said, code = told("dis", name)
    assert (code, fix in said, f"{name}:{line}:" in said) == (int(bool(fix)), True, bool(fix))
    Path("core.vhd").write_text("library ieee;\nentity core is\nend core;\n")
    assert "this is VHDL, not a program" in told("dis", "core.vhd")[0]


def test_a_matrix_whose_columns_are_given_as_rows(told: Told):
    rows = "\n".join(
        [f"mul r{row}.x, v0.x, c{row}.x\nmul r{row}.y, v0.y, c{row}.y\nmul r{row}.z, v0.z, c{row}.z" for row in range(4)]
    )
    source = f".input v0 position\n.output o0 position\n{rows}\nmov o0.x, r0.x\nmov o0.y, r3.z\nend\n"
    wrong, right = "1,0,0,0;0,1,0,0;0,0,1,0;5,6,7,1", "1,0,0,5;0,1,0,6;0,0,1,7;0,0,0,1"
    text, code = told("run", "m.sc", "-i", "position=1,2,3", "-u", f"c0={wrong}", m_sc=source)
    assert code == 0 and "B023" in text
    fix = text.partition("a row for each register: ")[2].partition("]]")[0] + "]]"
    assert "B023" not in told("run", "m.sc", "-i", "position=1,2,3", "-u", f"c0={fix}")[0]
    assert "B023" not in told("run", "m.sc", "-i", "position=1,2,3", "-u", f"c0={right}")[0]
    columns = source.replace("v0.x,", "v0.w,").replace("v0.y,", "v0.w,").replace("v0.z,", "v0.w,")
    assert "B023" not in told("run", "n.sc", "-i", "position=1,2,3,1", "-u", f"c0={wrong}", n_sc=columns)[0]
    text, code = told("run", "m.sc", "-i", "position=1,2,3", "-u", f"c0={wrong.replace(';', ',')}")
    assert code == 1 and f"separate the rows by semicolons, {wrong}" in text
    text, code = told("run", "m.sc", "-i", "position=1,2,3", "-u", "c0=1,2,3,4,5")
    assert code == 1 and "write 1,2,3,4 for one register, or separate the rows by semicolons, 1,2,3,4;5" in text


@pytest.mark.parametrize(
    ("form", "what", "back"),
    [
        (">36f", "big-endian", ">f4"),
        ("<36d", "doubles", "<f8"),
        ("<36f", "", ""),
    ],
)
def test_memory_that_is_not_float32(told: Told, form: str, what: str, back: str):
    Path("in.bin").write_bytes(struct.pack(form, *range(1, 37)))
    text, code = told("run", "inverse.sc", "--stream", "position=float3:in.bin")
    assert code == 0 and (f"seem to be {what}" in text if what else "B201" not in text)
    if what:
        assert f"numpy.fromfile(FILE, '{back}').astype('<f4').tofile(NEW)" in text
        np.fromfile("in.bin", back).astype("<f4").tofile("new.bin")
        assert "B201" not in told("run", "inverse.sc", "--stream", "position=float3:new.bin")[0]


def test_memory_that_is_text_or_ends_within_a_vertex(told: Told):
    Path("in.bin").write_text("".join([f"{n}.0 2.5 3.25\n" for n in range(12)]))
    assert "seem to be text" in told("run", "inverse.sc", "--stream", "position=float3:in.bin")[0]
    Path("in.bin").write_bytes(struct.pack("<10f", *range(1, 11)))
    assert "1 DWORD after the last whole vertex of 3" in told("run", "inverse.sc", "--stream", "position=float3:in.bin")[0]


def test_a_bench_expects_what_the_device_computes_otherwise(told: Told):
    text, code = told("rtl", "exp.sc", "--bench", "sim", "-i", "position=1", exp_sc=ROOT.replace("rsq", "exp"))
    assert code == 0 and "V221" in text
