"""Mistakes of students who write programs for a core, and of their teachers: what is said, and that following it works."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

import lanewise as lw
from command_lines import Told
from lanewise.core.diagnostics import InputWarning

SPIRV = Path(__file__).parents[3] / "examples/glsl/toon.spv"
HEAD = ".input v0 position\n.output o0 position\n"


def _program(*lines: str) -> str:
    return HEAD + "\n".join([*lines, "end", ""])


def test_a_mask_is_a_pattern(told: Told):
    text, _ = told("run", "a.sc", "-i", "position=300", a_sc=_program(".const c0 (255.0, 0, 0, 0)", "and o0.x, v0.x, c0.x"))
    assert "V242" in text and "write 0x000000FF for c0.x in .const" in text
    lines = text.partition("in place of this instruction ")[2].split("`")[1::2][:3]
    fixed = _program(".const c0 (0x000000FF, 0, 0, 0)", *lines)
    text, code = told("run", "a.sc", "-i", "position=300", a_sc=fixed)
    assert code == 0 and "V242" not in text and " 44 " in text
    for mask in ("0x7FFFFFFF", "0.5", "-1.0", "0x000000FF"):
        text, _ = told("asm", "a.sc", "--check", a_sc=_program(f".const c0 ({mask}, 0, 0, 0)", "and o0.x, v0.x, c0.x"))
        assert "V242" not in text


@pytest.mark.parametrize(
    ("line", "fix", "value"),
    [
        ("bshftl8 r0.x, v0.x, 1", "add r0.x, v0.x, v0.x", 6),
        ("bshftl8 r0.x, v0.x, 3", "mul r0.x, v0.x, c1.x", 24),
        ("bshftr16 r0.x, v0.x, 1", "mul r0.x, v0.x, c1.x", 1.5),
        ("bshftr8 r0.x, v0.x, 16", "bshftr16 r0.x, v0.x", 0),
    ],
)
def test_a_distance_is_in_the_name(told: Told, line: str, fix: str, value: float):
    constant = ".const c0 (5, 5, 5, 5)"
    text, _ = told("asm", "a.sc", "--check", a_sc=_program(constant, line, "mov o0.x, r0.x"))
    assert f"`{fix}`" in text and "the distance is in the name" in text
    more = [text.partition(", with `")[2].partition("`")[0]] if "c1" in fix else []
    text, code = told(
        "run", "a.sc", "-i", "position=3", "--default", "0", a_sc=_program(constant, *more, fix, "mov o0.x, r0.x")
    )
    assert code == 0 and "P203" not in text and f" {value} " in text


@pytest.mark.parametrize(
    ("value", "used", "instead"),
    [("c0", "GAIN.x", "c0.x"), ("c0.x ; twice", "-GAIN", "-c0.x"), ("2.0", "GAIN", "c1.x"), ("1", "-GAIN", "-1")],
)
def test_a_macro_has_its_register(told: Told, value: str, used: str, instead: str):
    lines = [".const c0 (2, 2, 2, 2)", f"mul o0.x, v0.x, {used}"]
    text, code = told("asm", "a.sc", "--check", a_sc=_program(f"#define GAIN {value}", *lines))
    assert code == 1 and f"help: write {instead}" in text and "`#define GAIN` is not read" in text
    more = [text.partition(", with `")[2].partition("`")[0]] if "c1" in instead else []
    assert told("asm", "a.sc", "--check", a_sc=_program(*more, lines[0], f"mul o0.x, v0.x, {instead}")) == ("", 0)


def test_a_result_that_is_read_too_early(told: Told):
    lines = ["mul o0.x, v0.x, x0.x", "add r1.x, v0.x, v0.y", "rcp x0.x, v0.w"]
    for command in (("check",), ("time",), ("run", "-i", "position=1,2,3,4")):
        text, _ = told(command[0], "a.sc", *command[1:], a_sc=_program(*lines))
        assert "x0.x is read before it is written" in text and "move line 5, which writes x0.x, before line 3" in text
        assert "V210" not in told(command[0], "a.sc", *command[1:], a_sc=_program(lines[2], *lines[:2]))[0]
    text, _ = told("check", "a.sc", a_sc=_program("add r0.x, r0.x, v0.x", "mov o0.xyzw, r0.x"))
    assert "write it first: `mov r0.x, 0`" in text
    text, _ = told("check", "a.sc", a_sc=_program("mov r0.x, v0.x", "mov o0.xyzw, r0.y"))
    assert "write r0.y first, or read r0.x" in text


def test_a_component_that_hangs_the_core(told: Told):
    lines = ["mov x7.x, v0.x", "mov x7.y, v0.y", "mul o0.xyzw, x7.x, x7.y"]
    for command in (("check",), ("run", "-i", "position=1,2")):
        text, code = told(command[0], "a.sc", *command[1:], a_sc=_program(*lines))
        assert code == 1 and "write x7.z in place of x7.x" in text
    assert "terminate" not in told("run", "a.sc", "-i", "position=1,2", a_sc=_program(*lines).replace("x7.x", "x7.z"))[0]


def test_a_table_is_looked_up_by_comparing(told: Told):
    text, code = told("asm", "a.sc", "--check", a_sc=_program("mov o0.x, c[v0.x].x"))
    assert code == 1 and "`sge r0.x, v0.x, c0.x` is 1.0 where the index is c0.x or more" in text
    assert "V215" not in told("asm", "a.sc", "--check", a_sc=_program("sge r0.x, v0.x, c0.x", "mov o0.x, r0.x"))[0]


TEST = """program = "a.sc"
[inputs]
position = [[1, 2, 3, 1]]
[[test]]
name = "a"
[test.inputs]
color = [0, 0.25, 0.75, 1]
[test.outputs]
"color.x" = [0, 0.25, 0.75, 1]
"""
PASSES = "\n".join([HEAD.replace("\n.out", "\n.input v1 color\n.output o1 color\n.out"), "mov o0.xyzw, v0.xyzw"])
CLAMPED = f"{PASSES}\nmov_sat o1.xyzw, v1.xyzw\nend\n"


def _tested(told: Told, text: str, *argv: str) -> str:
    Path("t.shadertest.toml").write_text(text)
    return told("test", "t.shadertest.toml", *argv, a_sc=CLAMPED)[0]


def test_a_list_is_one_vector(told: Told):
    counted = TEST.replace("[test.inputs]", "count = 4\n[test.inputs]")
    text = _tested(told, counted)
    line = text.partition("help: write ")[2].partition(" for x of 4 vertices")[0]
    assert "1 passed" in _tested(told, counted.replace("color = [0, 0.25, 0.75, 1]", line))
    assert "help" not in _tested(told, counted.replace('"color.x" = [0, ', '"color.x" = [5, ')), "the first differs, too"
    text = _tested(told, TEST.replace("[test.outputs]", "count = 4\n[test.outputs]"))
    assert "write it above `[test.inputs]`" in text


def test_the_rows_of_the_inputs_count(told: Told):
    text = _tested(told, TEST.replace("[0, 0.25, 0.75, 1]", "[[0], [1]]", 1).replace("[0, 0.25, 0.75, 1]", "[[0], [1], [2]]"))
    assert "3 vertices expected of color.x, found 2" in text and "give 2 rows, one for each vertex of the inputs" in text


def test_cycles_have_their_device_and_their_cause(told: Told):
    lines = [f"max r0.x, v1.{c}, 0\nmin o1.{c}, r0.x, -(-1)" for c in "xyzw"]
    slow = "\n".join([PASSES, *lines, "end", ""])
    timed = TEST.replace("[test.inputs]", "cycles = 67\n[test.inputs]").replace('"color.x" = [', "color = [")
    assert "1 passed" in _tested(told, timed)
    Path("slow.sc").write_text(slow)
    text = _tested(told, timed, "--program", "slow.sc")
    assert "expected 67, got 99 on rtl, in 13 slots" in text and "`mov_sat` clamps to 0 to 1 in one slot" in text
    text = _tested(told, f'device = "document"\n{timed}')
    assert 'got 33 on document: write cycles = 33 for it, or device = "rtl", which takes 67' in text
    assert "1 passed" in _tested(told, f'device = "document"\n{timed}'.replace("67", "33"))
    text, code = told("test", "t.shadertest.toml", "slow.sc")
    assert code == 2 and "write `lanewise test t.shadertest.toml --program slow.sc`" in text


@pytest.mark.parametrize(
    ("argv", "fix"),
    [
        (["vectors", "pica200", "--profile", "rtl", "-o", "v"], "rtl is a device of ShaderCore, but the input is for PICA200"),
        (["vectors", "shadercore", "--profile", "rtl", "-o", "v"], "write --device rtl"),
        (["run", "a.sc", "--profile", "hardware"], "its option is --device, with document, rtl"),
        (
            ["compile", "a.vert", "--target", "rtl", "-o", "a.scb"],
            "rtl is a device of ShaderCore: write shadercore, and --device rtl",
        ),
        (["compile", "a.vert", "--device", "rtl", "-o", "a.scb"], "compiled for PICA200: add --target shadercore"),
        (["asm", "a.vert", "-o", "a.scb"], "`lanewise compile a.vert --target shadercore -o a.scb` compiles it"),
        (["run", "a.vert", "-i", "p=1", "--device", "rtl"], "`lanewise compile a.vert --target shadercore --device rtl`"),
    ],
)
def test_a_device_of_another_instruction_set(told: Told, argv: list[str], fix: str):
    shader = "#version 330\nin vec3 p;\nvoid main() { gl_Position = vec4(p, 1.0); }\n"
    text, code = told(*argv, a_sc=CLAMPED, a_vert=shader)
    assert (code, fix in text) == (2, True), text


def test_an_optimised_program_is_for_its_device(told: Told):
    lines = [".const c0 (2, 0, 0, 0)", ".const c1 (3, 0, 0, 0)", "mov r0.x, c0.x", "mul o0.xyzw, r0.x, c1.x"]
    source = "\n".join([".output o0 position", *lines, "end", ""])
    text, code = told("opt", "a.sc", "--device", "document", "-o", "b.scb", a_sc=source)
    assert code == 0 and "for document, and not for rtl, the public hardware: mul also reads c0.x instead of c1.x" in text
    assert "constants not in the file: c0 and c1; `-o FILE.sc` keeps them" in text
    text, code = told("opt", "a.sc", "-o", "c.sc")
    assert code == 0 and "public hardware" not in text and "not in the file" not in text
    assert " 6 " in told("run", "c.sc", "--count", "1")[0]


def test_sums_in_another_order(told: Told):
    tree = _program("add r0.x, v0.x, v0.y", "add r1.x, v0.z, v0.w", "add o0.x, r0.x, r1.x")
    chain = _program("add r0.x, v0.x, v0.y", "add r0.x, r0.x, v0.z", "add o0.x, r0.x, v0.w")
    text, code = told("diff", "a.sc", "b.sc", "--device", "document", a_sc=tree, b_sc=chain)
    assert code == 1 and "sums and products in another order have other last digits" in text and "--ulp N compares" in text
    text, code = told("diff", "a.sc", "b.sc", "--device", "document", "--ulp", "8", "--range", "position=0.5..2")
    assert code == 0 and "Proved" in text
    other = tree.replace("r0.x, r1.x", "r0.x, -r1.x")
    assert "other last digits" not in told("diff", "a.sc", "b.sc", "--device", "document", b_sc=other)[0]


def test_a_compiled_program_that_has_lost_its_interface(told: Told):
    told("compile", str(SPIRV), "--target", "shadercore", "-o", "t.scb")
    names = ("modelview", "projection", "edge", "light", "tone")
    Path("t.json").rename("kept.json")
    text, code = told("run", "t.scb", "-i", "v0=1,2,3", "-i", "v1=0,0,1", "-u", "c0=1,0,0,0", "-u", "c1=0,1,0,0")
    assert code == 1 and text.count("error[") == 1 and "copy t.json, which `lanewise compile` wrote beside it" in text
    assert "`;`" not in text
    Path("kept.json").rename("t.json")
    text, _ = told("run", "t.scb", "-i", "v0=1,2,3", "-i", "v1=0,0,1")
    assert "which the compiler has set" not in text and any(name in text for name in names)


def test_w_of_a_position(told: Told):
    source = _program("mul o0.xyz, v0.xyz, v0.w", "mov o0.w, v0.w")
    text, _ = told("run", "a.sc", "-i", "position=1,2,3", a_sc=source)
    assert "set it with `--initial v0=0,0,0,1`" in text
    text, _ = told("run", "a.sc", "-i", "position=1,2,3", "--initial", "v0=0,0,0,1")
    assert "1 2 3 1" in text and "B202" not in text


def test_more_than_the_program_was_compiled_for(told: Told):
    shader = "vs_2_0\ndcl_position v0\nmov r0, v0\nrep i0\nadd r0, r0, c0\nendrep\nmov oPos, r0\n"
    told("compile", "r.vsa", "--bound", "i0=8", "-o", "r.scb", r_vsa=shader)
    data = ("-i", "position=1,2,3,4", "-u", "c0=1,1,1,1", "-u", "i0=9")
    assert "use a count of at most 8, or compile it again with `--bound i0=9`" in told("run", "r.scb", *data)[0]
    told("compile", "r.vsa", "--bound", "i0=9", "-o", "r.scb")
    assert told("run", "r.scb", *data)[1] == 0


@pytest.mark.parametrize(
    ("old", "new", "fix", "back"),
    [
        ("program = ", "shader = ", 'write program = "a.sc"', ("shader", "program")),
        ('program = "a.sc"\n', "", 'write program = "light.v.pica"', ("[inputs]", 'program = "a.sc"\n[inputs]')),
        ('name = "a"', 'name = "a"\ncycles = "<= 67"', "write cycles = 67", ('"<= 67"', "67")),
        ('name = "a"', 'name = "a"\nslots = 9', "remove it: sizes are not tested", ("slots = 9\n", "")),
        ('name = "a"', 'name = "a"\nfeedback = "b"', "write it as a comment", ('feedback = "b"', "# b")),
        ("[test.inputs]", "[inputs]", "write [test.inputs] for the [[test]] above", ('"a"\n[inputs]', '"a"\n[test.inputs]')),
        (
            "[test.outputs]",
            '[test.outputs]\nregisters = { "o1.x" = [[0]] }',
            "write [test.registers] beside [test.outputs]",
            ('registers = { "o1.x" = [[0]] }\n', ""),
        ),
    ],
)
def test_keys_of_a_test_that_are_elsewhere(told: Told, old: str, new: str, fix: str, back: tuple[str, str]):
    right = TEST.replace('"color.x" = [0, 0.25, 0.75, 1]', "color = [0, 0.25, 0.75, 1]")
    wrong = right.replace(old, new, 1)
    text = _tested(told, wrong)
    assert f"help: {fix}" in text and text.count("error[") == 1, text
    assert "1 passed" in _tested(told, wrong.replace(*back))


def test_options_that_are_keys(told: Told):
    Path("solutions").mkdir()
    Path("solutions/b.sc").write_text(CLAMPED)
    assert "did you mean solutions/b.sc?" in told("asm", "solution/b.sc", "--check")[0]
    text, code = told("test", "t.shadertest.toml", "--device", "document")
    assert code == 2 and 'write device = "document" above its first [table]' in text
    assert "did you mean test --points?" in told("grade", ".")[0]


@pytest.mark.parametrize(
    ("file", "fix", "instead"),
    [
        ("[instructions.mul]\nthroughput = 9\n", "did you mean interval?", ("throughput", "interval")),
        (
            '[instructions.sq]\nopcode = 32\nlatency = 4\nmeaning = "a * a"\n',
            'add `pipe = "ADD"`',
            ("latency", 'pipe = "ADD"\nlatency'),
        ),
        (
            '[instructions.sq]\nopcode = 32\npipe = "MUL"\nlatency = 4\nmeaning = "a ^ 2"\n',
            "for a power, a * a",
            ("a ^ 2", "a * a"),
        ),
        ("[set]\nconstant_ports = 2\n", "write constant_ports=two", ("2", '"two"')),
        ("[set]\nslots = 9\n[set]\nmul_latency = 3\n", "put its keys below line 2", ("9\n[set]", "9")),
    ],
)
def test_device_files(told: Told, file: str, fix: str, instead: tuple[str, str]):
    text, code = told("isa", "shadercore", "--device", "c.toml", c_toml=f'base = "rtl"\n{file}')
    assert code == 1 and fix in text, text
    assert told("isa", "shadercore", "--device", "c.toml", c_toml=f'base = "rtl"\n{file}'.replace(*instead))[1] == 0


@pytest.mark.parametrize(
    ("argv", "fix"),
    [
        (["isa", "--device", "core.toml"], "lanewise isa shadercore --device core.toml"),
        (["isa", "shadercore", "core.toml"], "write lanewise isa shadercore --device core.toml"),
        (["isa", "shadercore", "--device-template", "x.toml"], "lanewise isa shadercore --device-template > x.toml"),
        (["isa", "shadercore", "--device", "core"], "write core.toml, which is a file here"),
    ],
)
def test_a_device_that_is_a_file(told: Told, argv: list[str], fix: str):
    text, code = told(*argv, core_toml='base = "rtl"\n')
    assert code == 2 and fix in text, text


_VS = "vs_2_0\ndcl_position v0\n"
_ARRAY = "mova a0.x, v0.x\nmov oPos, c[a0.x+10]\n"
_IF = "if b0\nmov r0, c0\nelse\nmov r0, c1\nendif\nmov oPos, r0\n"


@pytest.mark.parametrize(
    ("lines", "options", "fix", "back", "right"),
    [
        ("def c9, 1, 2, 3\nmov oPos, v0\n", [], "write `def c9, 1, 2, 3, 0`", ("3\n", "3, 0\n"), []),
        ("defi i0, 4\nmov oPos, v0\n", [], "write `defi i0, 4, 0, 0, 0`", ("4\n", "4, 0, 0, 0\n"), []),
        (
            "mov oPos, c[a0.x+10]\n",
            ["--array", "c10=4"],
            "write `mova a0.x, v0.x` before",
            ("mov", "mova a0.x, v0.x\nmov"),
            ["--array", "c10=4"],
        ),
        (_ARRAY, ["--array", "c11=4"], "give --array c10=COUNT", ("", ""), ["--array", "c10=4"]),
        (_IF, ["--bool", "b0=yes"], "write b0=1 for true", ("", ""), ["--bool", "b0=1"]),
        ("texld r0, v0, s0\nmov oPos, r0\n", [], "or pass the value in as an input", ("texld r0, v0, s0", "mov r0, v0"), []),
    ],
)
def test_shaders_of_direct3d_9(told: Told, lines: str, options: list[str], fix: str, back: tuple[str, str], right: list[str]):
    text, code = told("compile", "a.vsa", "-o", "a.scb", *options, a_vsa=_VS + lines)
    assert code and fix in text, text
    assert told("compile", "a.vsa", "-o", "a.scb", *right, a_vsa=_VS + (lines.replace(*back, 1) if back[0] else lines))[1] == 0


MODEL = "v 1 2 3\nv 4 5 6\nf 1 2 1\n"


@pytest.mark.parametrize(
    ("argv", "fix"),
    [
        (["time", "a.sc", "--stream", "position:float3"], "write position=float3, or float3 without a name"),
        (["time", "a.sc", "--vcd", "a.vcd.gz"], "write a.vcd, and then compress it"),
        (["time", "a.sc", "--latency", "mul=3"], "write --set with the instruction, --set mul_latency=3"),
        (["time", "a.sc", "--device", "rtl,document"], "'document' is a device: name one"),
        (["run", "a.sc", "-i", "position=1", "--time"], "`lanewise time FILE` counts cycles"),
        (["run", "a.sc", "--mesh", "a.obj"], "give a table, `-i NAME=FILE.csv`"),
        (["run", "a.sc", "-i", "position=a.obj"], "where there is no --mesh, as a table"),
        (["run", "a.sc", "-i", "position=1", "-i", "color=1", "--trace", "1"], "use 0: there is 1 vertex"),
        (["asm", "a.sc", "--format", "vhdl"], "the suffix of -o is the form of the program, -o FILE.vhd"),
        (["isa", "rtl"], "write lanewise isa shadercore --device rtl"),
    ],
)
def test_options_of_a_core(told: Told, argv: list[str], fix: str):
    Path("a.obj").write_text(MODEL)
    text, code = told(*argv, a_sc=CLAMPED)
    assert code and fix in text, text
    Path("a.csv").write_text("1,2,3\n4,5,6\n")
    assert told("run", "a.sc", "-i", "position=a.csv", "-i", "color=1")[1] == 0


@pytest.mark.parametrize(
    ("expression", "fix"),
    [
        ("program.cycles", "use `time().total_cycles`"),
        ("program.slots", "use `len(program.words)`"),
        ("program.dis", "use `disassemble()`"),
        ("program.write", "or `save(path)`"),
        ("program.time().stalls", "use `input_stalls` and `output_stalls`"),
        ("program.time().plot", "use `svg()`"),
        ("result.cycles", "times are of the program"),
        ("lw.time", "`lanewise.load(path).time()`"),
    ],
)
def test_names_of_a_program_in_python(expression: str, fix: str):
    program = lw.shadercore.ShaderCoreProgram.from_source(CLAMPED)
    result = program.run({"position": [1, 2, 3, 1], "color": [1, 1, 1, 1]})
    with pytest.raises(AttributeError, match=r".") as raised:
        eval(expression, {"program": program, "result": result, "lw": lw})
    assert fix in str(raised.value)
    assert program.time().total_cycles == 67 and len(program.words) == 9


def test_mismatches_are_of_components_only():
    program = lw.shadercore.ShaderCoreProgram.from_source(CLAMPED)
    data = {"position": [1, 2, 3, 1], "color": [1, 1, 1, 1]}
    with pytest.warns(InputWarning, match="cycles: expected 60, got 67 on rtl") as said:
        assert lw.mismatches(program, lw.Case(inputs=data, outputs={"color": [1, 1, 1, 1]}, cycles=60)) == []
    assert said[0].filename == __file__
    assert lw.mismatches(program, lw.Case(inputs=data, outputs={"color": [1, 1, 1, 1]}, cycles=67)) == []


def test_a_result_that_is_lost(told: Told):
    lines = ["add r0.x, v0.x, v0.y", "add r0.x, v0.z, v0.w", "mov o0.xyzw, r0.x"]
    for command in (("check",), ("run", "-i", "position=1,2,3,4")):
        text, _ = told(command[0], "a.sc", *command[1:], a_sc=_program(*lines))
        assert "result of add in r0.x is overwritten before it is read" in text and "read r0.x in add" in text
        fixed = _program(lines[0], "add r0.x, r0.x, v0.z", lines[2])
        assert "V224" not in told(command[0], "a.sc", *command[1:], a_sc=fixed)[0]


def test_two_components_that_change_places(told: Told):
    lines = ["mov r0.xy, v0.xy", "mov r0.x, r0.y", "mov r0.y, r0.x", "mov o0.xy, r0.xy", "mov o0.zw, v0.zw"]
    text, _ = told("check", "a.sc", a_sc=_program(*lines))
    assert "result of mov in r0.x is overwritten" in text and "to exchange r0.x and r0.y, write" in text
    fixed = _program(lines[0], *text.partition("write `")[2].partition("` 1 warning")[0].split("`, `"), *lines[3:])
    text, _ = told("run", "a.sc", "-i", "position=1,2,3,4", a_sc=fixed)
    assert "V224" not in text and text.endswith("0 2 1 3 4")


def test_a_stride_of_0_is_not_packed(told: Told):
    data = struct.pack("<12f", 0, 0, -2, 1, 0, -3, 0, 1, -4, 1, 1, -5)
    source = _program("mov o0.xyz, v0.xyz", "mov o0.w, -(-1)")
    for size, indices, stream, warned in (
        (48, "0,1,2", "position=float3:t.bin:0:0", True),
        (12, "0,1,2", "position=float3:t.bin:0:0", False),
        (48, "0,0,0", "position=float3:t.bin:0:0", False),
        (48, "0,1,2", "position=float3:t.bin:3:0", False),
        (48, "0,1,2", "position=float3:t.bin:0:3", False),
    ):
        Path("t.bin").write_bytes(data[:size])
        text, code = told("run", "a.sc", "--stream", stream, "--indices", indices, a_sc=source)
        assert code == 0 and ("all vertices read the first of 4 positions" in text) == warned
        assert ("write --stream position=float3:t.bin:0:3" in text) == warned


LIGHTS = """vs_2_0
dcl_position v0
dcl_normal v1
def c20, 0, 0, 0, 0
mov oPos, v0
mov r0, c20.x
loop aL, i0
dp3 r1, v1, c[aL+4]
max r1, r1, c20.x
add r0, r0, r1
endloop
mov oD0, r0
"""


def test_rows_behind_those_of_a_compiled_shader(told: Told):
    array = "vs_2_0\ndcl_position v0\ndcl_blendindices v1\nmova a0.x, v1.x\nmov oPos, v0\nmov oD0, c[a0.x+10]\n"
    for source, option, inputs, rows, said, fix in (
        (LIGHTS, ("--int", "i0=3,0,1"), "normal=0,0,1", "c4=0,0,1;0,0,1;0,0,1;0,0,1", "c7 is given", "--int i0=4,0,1"),
        (LIGHTS, ("--int", "i0=3,0,1"), "normal=0,0,1", "c4=0,0,1;0,0,1;0,0,1;0,0,0,1", "", ""),
        (
            array,
            ("--array", "c10=2"),
            "blendindices=0;3",
            "c10=1,0,0,0;2,0,0,0;3,0,0,0;4,0,0,0",
            "c12 to c13 are given",
            "--array c10=4",
        ),
    ):
        run = ("run", "a.scb", "-i", "position=1,2,3,1", "-i", inputs, "-u", rows)
        assert told("compile", "a.vsa", "--target", "shadercore", *option, "-o", "a.scb", a_vsa=source)[1] == 0
        text, _ = told(*run)
        assert ("given but never read" in text) == bool(said) and said in text and fix in text
        if fix:
            assert told("compile", "a.vsa", "--target", "shadercore", *fix.split(), "-o", "a.scb")[1] == 0
            assert "never read" not in told(*run)[0]


TRANSFORM = (Path(__file__).parents[3] / "examples/transform.sc").read_text()


@pytest.mark.parametrize(
    ("old", "new", "position", "said"),
    [
        ("r0.x, c0.w", "r0.x, c1.w", "1,2,-4", "c0.w is 5 and never read, and c1.w is read in line 24 and line 25: write c0.w"),
        ("", "", "1,2,-4", ""),
        (
            "mul o0.",
            "mul_sat o0.",
            "-1,-2,-4;1,2,-4;-1,2,-4",
            "line 31: mul_sat cuts the position to 0 to 1, in 2 of 3 vertices",
        ),
        ("mul o0.", "mul_sat o0.", "1,2,-4", ""),
        ("mul o0.z, r2.x, x0.x", "mov o0.z, r2.x", "1,2,-4", "and z, -8, is not: write mul o0.z, r2.x, x0.x"),
        ("mul o0.z, r2.x, x0.x", "mov o0.z, r2.x", "1,2,-4;1,2,-5;0,0,4.5", ""),
    ],
)
def test_an_instruction_that_was_copied(told: Told, old: str, new: str, position: str, said: str):
    source = TRANSFORM.replace("c0 (1.0, 0.0, 0.0, 0.0)", "c0 (1.0, 0.0, 0.0, 5.0)") if "c0" in old else TRANSFORM
    if said == "" and position.endswith("4.5"):  # the depths are drawn
        source = source.replace("c2 (0.0, 0.0, 1.0, -4.0)", "c2 (0.0, 0.0, 0.1, 0.0)")
    text, code = told("run", "a.sc", "-i", f"position={position}", "-i", "color=1,1,1,1", a_sc=source.replace(old, new))
    assert code == 0 and said in text
    assert bool(said) == any(word in text for word in ("never read", "cuts the position", "and z, "))


@pytest.mark.parametrize("device", ["rtl", "document"])
def test_a_type_without_a_component_that_is_read(told: Told, device: str):
    flat = [struct.pack("<3f4B", x, -x, z, 10, 20, 30, 255) for x, z in ((0, 0.3), (1, 0.4), (2, 0.5))]
    source = ".input v1 color\n" + _program("mov o0.xyz, v0.xyz", "mov o0.w, -(-1)", "mov o0.w, v1.w")
    Path("t.bin").write_bytes(b"".join(flat))
    color = "color=d3dcolor:t.bin:3:4"
    for position, text, warned in (
        ("float2", source, True),
        ("float3", source, False),
        ("float2", source.replace("o0.xyz, v0.xyz", "o0.xy, v0.xy"), False),
    ):
        stream = f"position={position}:t.bin:0:4"
        said, code = told("run", "a.sc", "--stream", stream, "--stream", color, "--device", device, a_sc=text)
        assert code == 0 and ("v0.z: DWORD 2 of each vertex has a number that no stream takes" in said) == warned
        assert ("write --stream position=float3:t.bin:0:4" in said) == warned and "B202" not in said
