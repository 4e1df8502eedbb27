"""Memories of programs: rows of every width in every form are read back, by lanewise and by the tools that take them, and what
is none is refused with its place."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from installed import needs
from lanewise.core.source import Span
from lanewise.shadercore.container.forms import TARGETS
from lanewise.shadercore.container.header import FORMS, IMAGES, MARKS, doubts, form_of, read
from lanewise.shadercore.container.memory import MOST_BITS, WIDTHS, Shape, program_memory, write_memory
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.package import SHADERCORE
from lanewise.tools import cli
from together import together

END, MUL, NOP = 0x00000001400280DF, 0x0000000284008003, 0x00000001400280C0
PROGRAM = Program(words=(MUL, 0x0000000080008003, 0, END, MUL, MUL, END))
TEXTS = [target for target in TARGETS if target not in ("bin", "c")]


def image(target: str, width: int = 0, depth: int = 0, fill: int | None = None, program: Program = PROGRAM) -> bytes:
    return write_memory(program_memory(program, target, Shape(width, depth, fill)), target, "rom")


def place_of(text: bytes, span: Span) -> int:
    """Where a finding is, also where its span has a line and a column of the text."""
    return sum(map(len, text.splitlines(keepends=True)[: span.line - 1])) + span.column - 1 if span.line else span.offset


@pytest.mark.parametrize("target", TEXTS)
def test_every_width_is_read_back(target: str):
    """With and without fill, which is left out."""
    for width in WIDTHS:
        for depth, fill in ((0, None), (64, None), (64, 0), (64, 0x1_0000_0002)):
            data = image(target, width, depth, fill)
            assert not doubts(data), (width, depth)
            program, found = read(data, "x")
            assert found == []
            assert program is not None
            assert program == PROGRAM, (width, depth, fill)


def test_the_rows():
    """Halves low half first; two and four words the first lowest (reference 1); the fill to the depth."""
    two = Program(words=(MUL, END))
    assert image("mem", 32, program=two).split() == [b"84008003", b"00000002", b"400280DF", b"00000001"]
    assert image("mem", 128, program=two).split() == [b"00000001400280DF0000000284008003"]
    assert image("mem", 256, 3, 5, two).split() == [
        b"00000000000000050000000000000005" + b"00000001400280DF0000000284008003",
        *[b"0000000000000005" * 4] * 2,
    ]
    assert image("bin", 128, 2, 1, two) == b"".join(word.to_bytes(8, "little") for word in (MUL, END, 1, 1))
    assert b"const uint32_t rom[6] = {\n    0x84008003U,\n" in image("c", 32, 6, program=two)
    mif = image("mif", 128, 4, 0, two).decode()
    assert "DEPTH = 4;\nWIDTH = 128;" in mif
    assert f"  [001..003] : {'0' * 32};\nEND;" in mif
    assert b'others => x"0000000000000000"' in image("vhdl", 64, 4, 0, two)
    assert b"for (n = 2; n < 4; n = n + 1) rows[n] = 64'h00000001400280C0;" in image("verilog", 64, 4, program=two)
    assert b"input wire [8:0] address" in image("verilog", 64, 512, program=two)


@together(
    ("target", "shape", "words"),
    [
        ("mem", Shape(48), "width 48: use 32, 64, 128 or 256"),
        ("c", Shape(128), "C has no integer of 128 bits, use 32 or 64"),
        ("coe", Shape(64, 6), "depth 6: the program has 7 rows of 64 bits"),
        ("coe", Shape(256, 1), "depth 1: the program has 2 rows of 256 bits"),
        ("mem", Shape(32, 15), "use an even number"),
        ("mem", Shape(32, MOST_BITS // 32 + 2), "a memory has at most 32768 rows of 32 bits"),
        ("mem", Shape(64, 9, 1 << 64), "a machine word has 64 bits"),
    ],
)
def test_shapes_that_do_not_fit(target: str, shape: Shape, words: str):
    with pytest.raises(ValueError, match=words):
        program_memory(PROGRAM, target, shape)


def test_what_other_tools_write():
    """Radixes, comments, ranges, several rows of a line, addresses in any order."""
    mif = b"""-- a comment
% of two
lines % WIDTH=64; DEPTH = 16;
Address_radix=DEC; DATA_RADIX=UNS;
content
begin
1 : 5368873183; -- END
[2..15] : 7;
0 : 10804559875;
end;
"""
    mem = b"@0 0000_0002_8400_8003 /* mul\n */ 1400280DF // end\n@2 7 7\n"
    coe = b"""; a memory
Memory_Initialization_Radix = 10; decimal
memory_initialization_vector =
10804559875
5368873183 7, 7;
"""
    binary = f"memory_initialization_radix=2;\nmemory_initialization_vector={MUL:064b},{END:064b};".encode()
    altera = b"WIDTH=32;DEPTH=4;ADDRESS_RADIX=HEX;DATA_RADIX=HEX;CONTENT BEGIN 0: 84008003 2 400280df 1; END;"
    for text, form in ((mif, "mif"), (mem, "hex"), (coe, "coe"), (binary, "coe"), (altera, "mif")):
        assert form_of(text) == form
        program, found = read(text, "x")
        assert found == [], form
        assert program is not None
        assert program.words == (MUL, END), form
    assert read(b"00000001400280DF\n7\n", "x")[0] == Program(words=(END, 7))  # a list of words keeps a single one
    # halves are told from words by their END
    assert read(b"84008003\n2\n400280DF\n1\n", "x")[0] == Program(words=(MUL, END))
    assert read(b"84008003\n2\n", "x")[0] == Program(words=(0x84008003, 2))


HEAD = b"WIDTH=64;DEPTH=4;ADDRESS_RADIX=HEX;DATA_RADIX=HEX;"


@together(
    ("text", "code", "offset", "words"),
    [
        (b"ADDRESS_RADIX=HEX;", "C208", 0, "no CONTENT BEGIN ... END"),
        (HEAD + b"CONTENT BEGIN 0 : 1;", "C208", 50, "no CONTENT BEGIN ... END"),
        (b"WIDTH=9;DEPTH=1;ADDRESS_RADIX=HEX;CONTENT BEGIN 0:1;END;", "C208", 0, "WIDTH = 9"),
        (
            b"WIDTH=64;DEPTH=9999999;ADDRESS_RADIX=HEX;CONTENT BEGIN 0:1;END;",
            "C208",
            9,
            "DEPTH is not a number from 1 to 32768",
        ),
        (b"WIDTH=64;DEPTH=1;ADDRESS_RADIX=ODD;CONTENT BEGIN 0:1;END;", "C208", 17, "ADDRESS_RADIX is not HEX"),
        (HEAD + b"CONTENT BEGIN 0 1; END;", "C204", 64, "'0 1' is not a 64-bit word"),
        (HEAD + b"CONTENT BEGIN 0 : x; END;", "C204", 68, "'x' is not"),
        (HEAD + b"CONTENT BEGIN 0 : 10000000000000000; END;", "C204", 68, "a row has 64 bits"),
        (HEAD + b"CONTENT BEGIN [1..4] : 0; END;", "C208", 64, "addresses 0x1 to 0x4 are not below DEPTH, 0x4"),
        (HEAD + b"CONTENT BEGIN 1 : 0; END;", "C208", 58, "no row at address 0x0"),
        (HEAD + b"CONTENT BEGIN 0 : 1; [0..1] : 2; END;", "C208", 71, "address 0x0 has a row before"),
        (b"memory_initialization_radix=3;\nmemory_initialization_vector=1;", "C208", 0, "is not 2, 10 or 16"),
        (b"memory_initialization_vector", "C208", 0, "no ="),
        (b"memory_initialization_vector=1,g;", "C204", 31, "'g' is not a 64-bit word"),
        (b"@0 1\n@3 2\n", "C204", 5, "'@3' is not the address of row 1"),
        (b"0" * 40, "C204", 0, "a row of 40 hexadecimal digits is not a 64-bit word"),
        (b"std_logic_vector", "C208", 0, "no constant array"),
        (b'std_logic_vector := (\n 1 => x"00");', "C204", 23, "is not a 64-bit word"),
        (b'std_logic_vector := (\n 0 => y"00");', "C204", 23, "is not a 64-bit word"),
        (b"endmodule", "C208", 0, "no rows"),
        (b"rows[1] = 64'h0;\nendmodule", "C208", 0, "row 1 after 0 rows"),
        (b"rows[0] = 64'hx;\nendmodule", "C204", 0, "'64'hx' is not"),
    ],
)
def test_what_is_no_memory(text: bytes, code: str, offset: int, words: str):
    program, found = read(text, "x")
    assert program is None
    assert (found[0].code, place_of(text, found[0].span)) == (code, offset)
    assert words in found[0].message
    assert found[0].fix


def test_no_text_takes_long():
    """Ranges that overlap, comments that never end, and many of them are read in one pass: otherwise this takes minutes."""
    most = HEAD.replace(b"=4", b"=16384")
    for text in (
        most + b"CONTENT BEGIN " + b"[0..3FFF]:0;" * 900 + b"END;",
        b"/*" * 20000,
        b"//\n" * 10000 + b"0\n",
        b"% %" * 9000 + most,
    ):
        read(text, "x")


def test_the_names_of_forms():
    assert set(IMAGES) < set(FORMS)
    assert set(MARKS) == set(IMAGES) - {"hex"}
    (container,) = SHADERCORE.containers
    for form in MARKS:
        assert container.recognises(image(form)), form


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """The suffix decides the form, every command reads it, and what cannot be written is wrong usage."""
    monkeypatch.chdir(tmp_path)
    Path("a.sc").write_text("mul o0.x, v0.x, v0.y\nend\n")
    for name in ("r.mif", "r.coe", "r.mem", "r.hex", "r.vhd", "r.v"):
        assert cli.main(["asm", "a.sc", "-o", name, "--width", "128", "--depth", "16", "--fill", "0"]) == 0
        assert cli.main(["dis", name, "-o", "again.sc"]) == 0, name
        assert Path("again.sc").read_text() == "mul o0.x, v0.x, v0.y\nend\n", name
        assert cli.main(["time", name]) == 0
    assert cli.main(["dis", "r.mif", "--to", "coe", "--width", "32", "-o", "s.coe"]) == 0
    assert len(Path("s.coe").read_text().split()) == 6
    capsys.readouterr()
    for argv, words in (
        (["--width", "48", "-o", "x.mem"], "--width 48: use 32, 64, 128 or 256"),
        (["--width", "0", "-o", "x.mem"], "--width 0: use a number above 0"),
        (["--depth", "1", "-o", "x.mem"], "--depth 1: the program has 2 rows of 64 bits"),
        (["--fill", "nop", "-o", "x.mem"], "--fill nop: leave it out for NOP, or use a number"),
        (["--width", "256", "-o", "x.c"], "C has no integer of 256 bits"),
        (["--depth", "9"], "--depth is for memories: name a form with --to, or a suffix such as .mif with -o"),
    ):
        for command in ("asm", "dis"):
            assert cli.main([command, "a.sc", *argv]) == 2, argv
            assert words in capsys.readouterr().err
    assert not list(tmp_path.glob("x.*"))


READER = """module reader;
  reg [{top}:0] loaded [0:{last}];
  reg [5:0] address;
  reg clk;
  wire [{top}:0] data;
  rom_rom rom(.clk(clk), .address(address[{bits}:0]), .data(data));
  integer n;
  initial begin
    $readmemh("rom.mem", loaded);
    for (n = 0; n <= {last}; n = n + 1) begin
      address = n; clk = 0; #1 clk = 1; #1;
      if (loaded[n] !== data) $display("differ %0d", n);
      $display("%h", data);
    end
  end
endmodule
"""


@needs("iverilog")
def test_verilog_reads_its_forms(tmp_path: Path):
    """$readmemh and the ROM give Icarus Verilog the same rows; 0.1 s."""
    for width in (32, 256):
        depth = 4096 // width
        (tmp_path / "rom.mem").write_bytes(image("mem", width, depth, 0))
        (tmp_path / "rom.v").write_bytes(image("verilog", width, depth, 0))
        bits = (depth - 1).bit_length() - 1
        (tmp_path / "reader.v").write_text(READER.format(top=width - 1, last=depth - 1, bits=bits).replace("[5:0]", "[7:0]"))
        subprocess.run(["iverilog", "-Wall", "-o", "reader", "reader.v", "rom.v"], cwd=tmp_path, check=True)
        done = subprocess.run(["vvp", "-n", "reader"], cwd=tmp_path, check=True, capture_output=True, text=True)
        assert done.stdout.split() == image("mem", width, depth, 0).decode().lower().split()
