"""More mistakes of people who build cores: words as other tools write them, and fixes with the lines of the program."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from command_lines import Told

INVERSE = ".input v0 position\n.output o0 position\nmul r0.x, v0.x, v0.y\nrcp r1.x, r0.x\nmov o0.xyzw, r1.x\nend\n"


@pytest.fixture(autouse=True)
def inverse(tmp_path: Path) -> None:
    (tmp_path / "inverse.sc").write_text(INVERSE)


def test_a_fused_multiply_add_and_a_short_table(told: Told):
    core = "[instructions.fma]\nopcode = 32\npipe = 'MUL'\nlatency = 6\nmeaning = 'a * b + c'\n"
    run = ["run", "fma.sc", "--device", "core.toml", "-i"]
    source = ".input v0 position\n.output o0 position\nfma o0.xyzw, v0.x, v0.y, v0.z\nend\n"
    text = told(*run, "position=1.1,1.1,1", core_toml=core, fma_sc=source)[0]
    assert "fma rounds after each operation of a * b + c (meaning of [instructions.fma] in core)" in text
    group = "the group lanewise.devices"
    assert group in text
    assert "rounds" not in told(*run, "position=2,2,1")[0], "no product is rounded"
    assert group in told(*run, "position=1", core_toml=core.replace("meaning =", "function ="))[0]
    table = f"[instructions.rcp]\nexactness = {[0x3F800000] * 512}\n"
    text, _ = told("run", "inverse.sc", "--device", "rom.toml", "-i", "position=1,2", rom_toml=table)
    assert "the table of rcp has 512 results" in text and "1.0 and 1.5 give one result" in text


def test_x7x_is_named_in_all_lines(told: Told):
    head, run = ".input v0 position\n.output o0 position\n", ["run", "a.sc", "-i", "position=3"]
    source = f"{head}mov x7.x, v0.x\nmov o0.xyzw, x7.x\nend\n"
    assert "write x7.y in place of x7.x, which idle write slots clear, here and in line 3" in told(*run, a_sc=source)[0]
    text = told("check", "a.sc")[0]
    assert "clear, here and in line 4" in text and "clear, here and in line 3" in text
    half = told(*run, a_sc=source.replace("o0.xyzw, x7.x", "o0.xyzw, x7.y"))[0]
    assert "write x7.y first: in line 3 in place of x7.x" in half and "read x7.x" not in half
    assert "help" not in told(*run, a_sc=source.replace("x7.x", "x7.y"))[0]


def test_the_fixes_of_a_statement_fit_the_program(told: Told):
    """Registers that the program does not name, and lines that assemble in its place."""
    head = ".input v0 position\n.output o0 position\n.const c0 (2, 3, 4, 5)\n.const c1 (1, 1, 1, 1)\nmov r1.x, v0.x\n"
    for line, lines in (
        ("mad r0.x, v0.y, c0.y, r0.x", ["mul r2.x, v0.y, c0.y", "add r0.x, r2.x, r0.x"]),
        ("mul r0.xy, c0.xy, c1.yx", ["mov r2.xy, c1.yx", "mul r0.xy, c0.xy, r2.xy"]),
        ("mul r0.x, c0.x, abs(c0.y)", ["mov r2.x, c0.y", "mul r0.x, c0.x, abs(r2.x)"]),
        ("mov o0.xyzw, v0.xyz", ["mov o0.xyz, v0.xyz", "mov o0.w, -(-1)"]),
        ("add r0.xyz, v0.xy, r1.x", ["add r0.xy, v0.xy, r1.x", "mov r0.z, 0"]),
        ("swap r0.x, r3.y", ["mov r2.x, r0.x", "mov r0.x, r3.y", "mov r3.y, r2.x"]),
        ("mov r9.xy, v0.xy", []),
        ("mov x9.xy, v0.xy", []),
        ("mov t9.xy, v0.xy", []),
    ):
        text, _ = told("asm", "a.sc", "--check", a_sc=f"{head}mov r0.x, r1.x\n{line}\nend\n")
        assert all(f"`{each}`" in text for each in lines) and (
            lines or f"write r2, which is free, in the place of {line[4:6]}" in text
        ), text
        instead = "\n".join(lines or [line.replace(line[4:6], "r2")])
        assert told("asm", "a.sc", "--check", a_sc=f"{head}mov r0.x, r1.x\n{instead}\nend\n") == ("", 0)


def test_colours_and_the_time_of_a_memory(told: Told):
    Path("mesh.bin").write_bytes(struct.pack("<3f4B", 0, 0, -2, 255, 128, 0, 255))
    argv = ["run", "inverse.sc", "--stream", "position=d3dcolor:mesh.bin:3:4"]
    assert "bytes FF 80 00 FF are blue 255, green 128, red 0, alpha 255: d3dcolor is 0xAARRGGBB" in told(*argv)[0]
    text, _ = told("time", "inverse.sc", "--memory-latency", "20")
    assert "--memory-latency counts with --stream only, such as --stream float3: the types of position" in text
    assert "counts with" not in told("time", "inverse.sc", "--memory-latency", "20", "--stream", "float3")[0]


WRITTEN: tuple[tuple[Callable[[list[int]], str], str], ...] = (
    (lambda words: "\n".join(map(str, words)), "words are decimal numbers"),
    (lambda words: "\n".join([f"{word:064b}" for word in words]), "memory_initialization_radix=2"),
    (
        lambda words: "\n".join([f"{word >> 32:08X}\n{word & 0xFFFFFFFF:08X}" for word in words]),
        "low 32 bits of each word first",
    ),
    (lambda words: f"S0090000742E73726563A7\nS113{words[0]:032X}00\n", "`objcopy -I srec -O binary a.mem program.bin`"),
    (lambda words: f"00000000: {words[0] & 0xFFFF:04x} 2100 ffff ffff  VS!\n", "`xxd -r a.mem program.bin`"),
    (lambda words: f":10000000{words[0]:032X}00\n", "`objcopy -I ihex -O binary a.mem program.bin`"),
)


@pytest.mark.parametrize(("write", "fix"), WRITTEN)
def test_words_as_other_tools_write_them(told: Told, write: Callable[[list[int]], str], fix: str):
    assert told("asm", "inverse.sc", "-o", "a.bin")[1] == 0
    words = list(struct.unpack("<7Q", Path("a.bin").read_bytes()))
    assert fix in told("dis", "a.mem", "--isa", "shadercore", a_mem=write(words))[0]
    text, code = told("dis", "a.mem", "-o", "b.sc", a_mem="".join([f"{word:016X}\n" for word in words]))
    assert (text, code) == ("", 0)
    text, _ = told("run", "a.mem", "-i", "color=1")
    assert "write a register for color, v0=...: this file has no names of inputs" in text


def test_streams_are_as_many_as_inputs(told: Told):
    assert "gives 2 inputs, and the program has 1, position" in told("time", "inverse.sc", "--stream", "float3,float2")[0]
    assert "--stream gives" not in told("time", "inverse.sc", "--stream", "float3")[0]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (("position=float3:mesh.bin:0:4", "color=d3dcolor:mesh.bin"), ("0:4", "d3dcolor:mesh.bin:3:4")),
        (("position=float3:mesh.bin", "color=d3dcolor:mesh.bin:3"), ("0:4", "d3dcolor:mesh.bin:3:4")),
        (("position=float3:mesh.bin:4:0", "color=d3dcolor:mesh.bin:4:3"), ("0:4", "d3dcolor:mesh.bin:3:4")),
        (("position=float3:mesh.bin:0:3", "color=d3dcolor:mesh.bin:3:3"), ("0:4", "d3dcolor:mesh.bin:3:4")),
        (("position=float3:mesh.bin:0:16", "color=d3dcolor:mesh.bin:12:16"), ("0:4", "d3dcolor:mesh.bin:3:4")),
        (("position=float3:mesh.bin:0:4", "color=float4:mesh.bin:3:4"), ("", "d3dcolor:mesh.bin:3:4")),
    ],
)
def test_streams_of_one_buffer(told: Told, given: tuple[str, str], meant: tuple[str, str]):
    Path("mesh.bin").write_bytes(b"".join([struct.pack("<3fI", n, 1, 2, 0xFF8000FF) for n in range(3)]))
    source = INVERSE.replace(".output", ".input v1 color\n.output").replace("mov", "mul r1.x, r1.x, v1.x\nmov")
    argv = ["run", "two.sc", "--stream", given[0], "--stream", given[1]]
    text, _ = told(*argv, two_sc=source)
    assert "B201" in text and "B008" not in text and f"color={meant[1]}" in text and f":{meant[0]}" in text
    right = ["run", "two.sc", "--stream", "position=float3:mesh.bin:0:4", "--stream", f"color={meant[1]}"]
    text, code = told(*right)
    assert code == 0 and "B201" not in text
    once = ["run", "two.sc", "--stream", "position=float3:mesh.bin:0:4", "--stream", "color=float3:mesh.bin:0:4"]
    assert "B201" not in told(*once)[0], "one element is two inputs"
    apart = ["run", "two.sc", "--stream", "position=float3:mesh.bin:0:3", "--stream", "color=float1:mesh.bin:9:1"]
    assert "each other" not in told(*apart)[0], "one array after the other"


@pytest.mark.parametrize(
    ("indices", "fix"),
    [
        (struct.pack(">3H", 0, 1, 2), "if they are big-endian"),
        (bytes((0, 1, 2, 2)), "if they are bytes, write 16-bit indices"),
        (bytes((0, 1, 2)), "if they are bytes, write uint16 ones"),
        (struct.pack("<3H", 1, 2, 3), "if they count from 1, subtract 1"),
        (struct.pack("<3H", 0, 1, 9), "use 0 to 2"),
    ],
)
def test_indices_in_other_forms(told: Told, indices: bytes, fix: str):
    Path("mesh.bin").write_bytes(struct.pack("<9f", *range(9)))
    Path("i.bin").write_bytes(indices)
    text, code = told("run", "inverse.sc", "--stream", "position=float3:mesh.bin", "--indices", "i.bin")
    assert code == 1 and fix in text


@pytest.mark.parametrize(
    ("word", "fix"), [("exact", 'write "ieee"'), ("approx", 'write "rtl"'), ("rcp.mem", "[0x3F800000, ...]")]
)
def test_words_for_exactness(told: Told, word: str, fix: str):
    text, code = told("time", "inverse.sc", "--device", "d.toml", d_toml=f"[instructions.rcp]\nexactness = '{word}'\n")
    assert code == 1 and fix in text


CONFIGURED = (
    ('set = "mul_latency=3"', "in core.toml `[set]`, `mul_latency = 3`"),
    ('device = "rtl,one_register=fixed"', 'in core.toml `base = "rtl"`, `[set]`, `one_register = "fixed"`'),
    ('[device]\nname = "rtl"', 'write `device = "rtl"` above the first [table]'),
    ('[shadercore]\ndevice = "document"', 'at the top of the file: `device = "document"`'),
    ('profile = "rtl"', 'write `device = "rtl"`'),
)


@pytest.mark.parametrize(("text", "fix"), CONFIGURED)
def test_devices_in_a_configuration(told: Told, text: str, fix: str):
    assert fix in told("time", "inverse.sc", lanewise_toml=f"{text}\n")[0]
    lines = fix.split("`")[1::2]
    if "core.toml" in fix:
        Path("core.toml").write_text("\n".join(lines) + "\n")
        lines = ['device = "core.toml"']
    assert told("time", "inverse.sc", lanewise_toml=f"{lines[0]}\n")[1] == 0


TESTED = (
    ('set = "mul_latency=3"', 'write device = "rtl,mul_latency=3"'),
    ('[test.device]\nbase = "document"\nmul_latency = 3', 'write device = "document,mul_latency=3"'),
    ("stride = 16", "write the values of the vertices in [inputs]"),
    ("cycles = [20, 30]", "write cycles = N, as `lanewise time` prints it"),
)


@pytest.mark.parametrize(("text", "fix"), TESTED)
def test_tests_of_devices(told: Told, text: str, fix: str):
    head = 'program = "inverse.sc"\n[inputs]\nposition = [1, 2]\n[[test]]\nname = "a"\n'
    Path("a.shadertest.toml").write_text(f"{head}{text}\n[test.outputs]\nposition = 0.5\n")
    said, code = told("test", "a.shadertest.toml")
    assert code == 1 and fix in said


def test_a_bench_has_several_files(told: Told):
    argv = ("rtl", "inverse.sc", "-i", "position=1,2", "--bench")
    assert "write --bench tb" in told(*argv, "tb.vhd")[0] and told(*argv, "tb")[1] == 0
    assert "add --bench sim" in told(*argv[:-1])[0]
    assert "`lanewise asm FILE -o rom.v` writes" in told("translate", "inverse.sc", "--to", "verilog")[0]


STATEMENTS = (
    ("add o0.xyzw, v0.xyzw v0.xyzw", "add o0.xyzw, v0.xyzw, v0.xyzw"),
    ("/* all */ mov o0.xyzw, v0.xyzw", "mov o0.xyzw, v0.xyzw ; all"),
    ("mov o0.xyzw, abs(-v0.xyzw)", ""),
)


@pytest.mark.parametrize(("line", "instead"), STATEMENTS)
def test_a_statement_that_is_written_anew(told: Told, line: str, instead: str):
    head = ".input v0 position\n.output o0 position\n"
    text, code = told("asm", "a.sc", "--check", a_sc=f"{head}{line}\nend\n")
    assert code == 1 and (f"write `{instead}`" if instead else "write abs(v0.xyzw): a sign inside changes nothing") in text
    instead = instead or "mov o0.xyzw, abs(v0.xyzw)"
    assert told("asm", "a.sc", "--check", a_sc=f"{head}{instead}\nend\n") == ("", 0)
    text, _ = told("asm", "a.sc", "--check", a_sc=f"{head}{instead}\n.end\n")
    assert "write `end`, without the dot" in text and "V202" not in text


def test_outputs_that_the_core_does_not_give(told: Told):
    head = ".input v0 position\n.output o0 position\n.output o2 texcoord\nmov o0.xyzw, v0.xyzw\n"
    for command in (["asm", "a.sc", "--check"], ["run", "a.sc", "-i", "position=1,2,3,4"]):
        text, _ = told(*command, a_sc=f"{head}mov o2.xyzw, v0.xyzw\nend\n")
        assert "V217" in text and "write o2.xy only" in text
        assert "V217" not in told(*command, a_sc=f"{head}mov o2.xy, v0.xy\nend\n")[0]
    assert "V219" in told("run", "a.sc", "-i", "position=1,2,3,4", a_sc=f"{head}end\n")[0]
