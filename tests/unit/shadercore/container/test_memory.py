"""Memory contents: each form of programs and constants, read as the tools that take it read it; C headers, as a C compiler
reads them."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest

from installed import needs
from lanewise.shadercore.container.c_header import Places, c_header
from lanewise.shadercore.container.forms import TARGETS
from lanewise.shadercore.container.memory import Memory, constant_memory, identifier, program_memory, write_memory
from lanewise.shadercore.isa.program import Constant, Program
from lanewise.shadercore.text.reader import read_source_text

END = 0x00000001400280DF
MUL = 0x0000000284008003
NOP = 0x00000001400280C0
CONSTANTS = (Constant(1, (1, 2, 3, 0xFFFFFFFF)), Constant(3, (5, 6, 7, 8)))


def written(program: Program, target: str, name: str) -> str:
    return write_memory(program_memory(program, target), target, name).decode()


def test_texts():
    program = Program(words=(MUL, 2, 3, 4, END))
    assert written(program, "hex", "a") == written(program, "mem", "a")
    assert written(program, "mem", "a").splitlines()[0] == "0000000284008003"
    c = written(program, "c", "1 light").splitlines()
    assert c[2] == "const uint64_t _1_light[5] = {"
    assert c[3] == "    0x0000000284008003ULL,"
    coe = written(program, "coe", "a").splitlines()
    assert coe[:3] == ["memory_initialization_radix=16;", "memory_initialization_vector=", "0000000284008003,"]
    assert coe[-1] == "00000001400280DF;"
    assert set(TARGETS) == {"bin", "hex", "mem", "c", "coe", "vhdl", "verilog", "mif"}


def test_vhdl_rows_have_the_first_word_last():
    """Reference 1: four words a line, the least significant last; the rest of the last row is NOP."""
    text = written(Program(words=(1, 2, 3, 4, 5)), "vhdl", "x__y_")
    rows = [[int(word, 16) for word in re.findall(r'x"(\w{16})"', line)] for line in text.splitlines() if "=>" in line]
    assert rows == [[4, 3, 2, 1], [NOP, NOP, NOP, 5]]
    assert "array (0 to 1) of std_logic_vector(255 downto 0)" in text
    assert "package x_y_rom is" in text


@pytest.mark.parametrize(("name", "made"), [("a-b", "a_b"), ("7", "_7"), ("", "_"), ("é", "_")])
def test_names_that_c_takes(name: str, made: str):
    assert identifier(name) == made


@pytest.mark.parametrize("name", ["signal", "int", "new", "Begin"])
def test_reserved_words_get_a_suffix(name: str):
    c, vhdl = written(Program(words=(1,)), "c", name), written(Program(words=(1,)), "vhdl", name)
    assert f"const uint64_t {name if name in ('signal', 'Begin') else name + '_program'}[1]" in c
    assert f"constant {name if name == 'int' else name + '_program'} :" in vhdl


def read_mif(text: str) -> tuple[int, list[int]]:
    """The width and the contents of a memory initialization file, by the rules of Quartus: lines `address : word;` and
    `[first..last] : word;`."""
    fields = dict(re.findall(r"^(\w+) = (\w+);$", text, re.MULTILINE))
    assert (fields["ADDRESS_RADIX"], fields["DATA_RADIX"]) == ("HEX", "HEX")
    found: dict[int, int] = {}
    content = text.partition("CONTENT BEGIN\n")[2].partition("END;")[0]
    for line in content.splitlines():
        match = re.fullmatch(r"  (?:(\w+)|\[(\w+)\.\.(\w+)\]) : (\w+);", line)
        assert match, line
        first, last = int(match[1] or match[2], 16), int(match[1] or match[3], 16)
        assert len(match[4]) * 4 == int(fields["WIDTH"])
        for address in range(first, last + 1):
            assert address not in found
            found[address] = int(match[4], 16)
    assert sorted(found) == list(range(int(fields["DEPTH"])))
    return int(fields["WIDTH"]), [found[address] for address in sorted(found)]


@pytest.mark.parametrize("count", [1, 5, 511, 512])
def test_mif(count: int):
    rng = random.Random(count)
    words = tuple(rng.getrandbits(64) for _ in range(count))
    assert read_mif(written(Program(words=words), "mif", "a")) == (64, [*words, *[NOP] * (512 - count)])
    values = tuple(rng.getrandbits(32) for _ in range(4))
    width, found = read_mif(
        write_memory(constant_memory(Program(words=(END,), constants=(Constant(9, values),))), "mif", "a").decode()
    )
    assert (width, found) == (32, [*[0] * 36, *values, *[0] * (1024 - 40)])


def test_constants_in_every_form():
    memory = constant_memory(Program(words=(END,), constants=CONSTANTS))
    words = [0, 0, 0, 0, 1, 2, 3, 0xFFFFFFFF, 0, 0, 0, 0, 5, 6, 7, 8]
    assert memory == Memory(rows=tuple(words), width=32, part=32, depth=1024, fill=(0,), whole=False)
    texts = {target: write_memory(memory, target, "k") for target in TARGETS}
    assert texts["bin"] == b"".join(word.to_bytes(4, "little") for word in words)
    assert [int(line, 16) for line in texts["mem"].split()] == words
    assert texts["hex"] == texts["mem"]
    for target, pattern in (("c", rb"0x(\w{8})U,"), ("coe", rb"(\w{8})[,;]"), ("vhdl", rb'=> x"(\w{8})"')):
        assert [int(word, 16) for word in re.findall(pattern, texts[target])] == words, target
    assert b"const uint32_t k[16] = {" in texts["c"]
    assert b"array (0 to 15) of std_logic_vector(31 downto 0)" in texts["vhdl"]
    assert read_mif(texts["mif"].decode()) == (32, [*words, *[0] * 1008])


SOURCE = """.input v0 position
.input v3 texcoord1
.output o0 position
.const c2 (1.0, 0.0, 0.0, 0.0)
mul o0.x, v0.x, c2.x
mul o0.y, v3.x, c5.x
end
"""


def test_a_header_of_a_source():
    program = read_source_text(SOURCE, "x").program
    assert program is not None
    assert c_header(program, "2d light").splitlines() == [
        "/* _2D_LIGHT: a program for ShaderCore. */",
        "#pragma once",
        "",
        "#define _2D_LIGHT_SLOTS 3",
        "",
        "/* Inputs: v# */",
        "#define _2D_LIGHT_INPUT_POSITION 0",
        "#define _2D_LIGHT_INPUT_TEXCOORD1 3",
        "",
        "/* Outputs: o# */",
        "#define _2D_LIGHT_OUTPUT_POSITION 0",
        "",
        "/* Constants that the application sets: the first c#, and how many */",
        "#define _2D_LIGHT_CONSTANT_C5 5",
        "#define _2D_LIGHT_SIZE_C5 1",
        "",
        "/* Constants of the program, which the application sets too: X(c#, bits of x, y, z, w) */",
        "#define _2D_LIGHT_CONSTANTS(X) \\",
        "    X(2, 0x3F800000U, 0x00000000U, 0x00000000U, 0x00000000U)",
    ]
    bare = c_header(program._replace(inputs=(0,) * 8, outputs=(0,) * 8, declared=(), constants=()), "a")
    assert "#define A_INPUT_V0 0\n#define A_INPUT_V3 3\n" in bare
    assert "#define A_CONSTANT_C2 2\n#define A_CONSTANT_C5 5\n" in bare
    assert "CONSTANTS(X)" not in bare


@needs("cc")
def test_a_header_is_c(tmp_path: Path):
    program = read_source_text(SOURCE, "x").program
    assert program is not None
    program = program._replace(constants=CONSTANTS)
    places = Places({"position": 0, "a-b": 1, "a_b": 2}, {"color": 1}, {"mvp": (4, 3), "Mvp": (8, 1)}, {"i0": (9, 2)})
    (tmp_path / "x.h").write_text(c_header(program, "x", places))
    lines = [
        "X_SLOTS",
        "X_INPUT_A_B",
        "X_INPUT_A_B_2",
        "X_OUTPUT_COLOR",
        "X_CONSTANT_MVP",
        "X_SIZE_MVP",
        "X_CONSTANT_MVP_2",
        "X_NUMBER_I0",
        "X_CONSTANT_C2",
    ]
    prints = "".join(f'printf("%d\\n", {name});' for name in lines)
    rows = '#define P(n, x, y, z, w) printf("%d %x %x %x %x\\n", n, x, y, z, w);\n'
    (tmp_path / "x.c").write_text(
        f'#include <stdio.h>\n#include "x.h"\n{rows}int main(void) {{ {prints} X_CONSTANTS(P) return 0; }}\n'
    )
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-std=c99", "-pedantic", "-o", "x", "x.c"], cwd=tmp_path, check=True)
    done = subprocess.run([str(tmp_path / "x")], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["3", "1", "2", "1", "4", "3", "8", "38", "2", "1 1 2 3 ffffffff", "3 5 6 7 8", ""]
