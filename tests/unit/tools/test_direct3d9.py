"""Direct3D 9 shaders on the command line: assembled, disassembled, inspected, found inside other files."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from corpus import REPOSITORY
from direct3d9_cases import table
from lanewise.direct3d9.text.reader import read_source_text
from lanewise.tools import cli

SOURCE = """vs_2_0
def c5, 1, 2, 3e-10, 0x7FC00001
dcl_position v0
mova a0.x, v0.x
m4x4 oPos, v0, c0
mov r0, c[a0.x+12]
mul r0, c11_abs, r0
mov oT0, -c5.x
"""
CONSTANTS = [("World", 2, 0, 4, 0), ("Bones", 2, 10, 20, 16), ("xyz", 2, 4, 1, 16), ("Diffuse", 3, 0, 1, 32)]


def words(text: str = SOURCE, *, named: bool = False) -> list[int]:
    shader = read_source_text(text, "x").shader
    assert shader is not None
    return [shader.words[0], *(table(CONSTANTS) if named else []), *shader.words[1:]]


def packed(found: list[int]) -> bytes:
    return struct.pack(f"<{len(found)}I", *found)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "light.v.pica"  # the first statement counts, not the suffix
    path.write_text(SOURCE)
    return path


@pytest.fixture
def named(tmp_path: Path) -> Path:
    path = tmp_path / "named.bin"
    path.write_bytes(packed(words(named=True)))
    return path


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = cli.main(list(argv))
    out, err = capsys.readouterr()
    return code, out, err


def test_a_source_with_a_version_is_assembled_whatever_its_suffix(capsys: pytest.CaptureFixture[str], source: Path):
    assert run(capsys, "asm", str(source))[0] == 0
    assert source.with_name("light.v.vso").read_bytes() == packed(words())
    pixel = source.with_name("a.txt")
    pixel.write_text("// x\nps.1.4\ntexld r0, t0\n")
    assert run(capsys, "asm", str(pixel))[0] == 0
    assert source.with_name("a.pso").read_bytes() == packed(words("ps_1_4\ntexld r0, t0\n"))


@pytest.mark.parametrize("target", ["bin", "hex", "c"])
def test_every_form_is_read_back(capsys: pytest.CaptureFixture[str], source: Path, target: str):
    made = source.with_name(f"made.{target}")
    assert run(capsys, "asm", str(source), "--to", target, "-o", str(made))[0] == 0
    back = source.with_name("back.bin")
    assert run(capsys, "dis", str(made), "--to", "bin", "-o", str(back)) == (0, "", "")
    assert back.read_bytes() == packed(words())


def test_arrays_of_bytes_are_read(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "shader.h"
    numbers = ", ".join(str(byte) for byte in packed(words()))
    path.write_text(f"// made by fxc /Fh {{ 1 }}\nconst BYTE g_vs20[] =\n{{\n{numbers}\n}};\n")
    code, out, _ = run(capsys, "dis", str(path))
    assert code == 0
    assert out.startswith("vs_2_0\n")


def test_words_that_are_none_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "shader.hex"
    path.write_text("FFFE0200\n0000FFFF  // end\n0000FFFX\n")
    code, out, err = run(capsys, "dis", str(path))
    assert (code, out) == (1, "")
    assert "error[C311]" in err


def test_standard_input_and_output(source: Path):
    command = [sys.executable, "-m", "lanewise", "asm", "-", "-o", "-"]
    made = subprocess.run(command, input=SOURCE.encode(), capture_output=True, check=True)
    assert made.stdout == packed(words())
    again = [*command[:-3], "--dialect", "direct3d9", "--to", "hex", "-", "-o", "-"]
    assert subprocess.run(again, input=SOURCE.encode(), capture_output=True, check=True).stdout.startswith(b"FFFE0200\n")


def test_mistakes_have_places(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "bad.vsa"
    path.write_text("vs_2_0\nmvo r0, c0\nmov r0, r1, r2\n")
    code, _, err = run(capsys, "asm", str(path))
    assert code == 1
    assert "bad.vsa:2:1" in err
    assert "did you mean mov?" in err
    code, out, _ = run(capsys, "asm", str(path), "--check", "--format", "json")
    assert code == 1
    assert [d["code"] for d in json.loads(out)["diagnostics"]] == ["P301", "P303"]


def test_includes_are_relative_to_their_file(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    (tmp_path / "lib.inc").write_text("#define WORLD c12\n")
    path = tmp_path / "main.vsa"
    path.write_text('vs_2_0\n#include "lib.inc"\nmov r0, WORLD\n')
    assert run(capsys, "asm", str(path), "-o", str(tmp_path / "m.vso"))[0] == 0
    assert (tmp_path / "m.vso").read_bytes() == packed(words("vs_2_0\nmov r0, c12\n"))


@pytest.mark.parametrize(
    "argv",
    [
        ["--to", "exe"],
        ["--format", "xml"],
        ["--dialect", "picasso"],
        ["--frob"],
        ["--format", "json", "-o", "-"],
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], source: Path, argv: list[str]):
    code, _, err = run(capsys, "asm", str(source), *argv)
    assert code in ((1, 2) if argv[-1] == "picasso" else (2,))
    assert err.count("\n") >= 1


def test_help_is_there(capsys: pytest.CaptureFixture[str], source: Path):
    assert "--to KIND" in run(capsys, "asm", str(source), "--help")[1]


@pytest.mark.parametrize("more", [[], ["--symbols"]])
def test_what_is_printed_assembles_to_the_same_bytes(capsys: pytest.CaptureFixture[str], named: Path, more: list[str]):
    text, back = named.with_suffix(".vsa"), named.with_suffix(".vso")
    assert run(capsys, "dis", str(named), *more, "-o", str(text)) == (0, "", "")
    assert run(capsys, "asm", str(text), "-o", str(back)) == (0, "", "")
    assert back.read_bytes() == named.read_bytes()


def test_symbols_are_the_names_of_the_table(capsys: pytest.CaptureFixture[str], named: Path):
    out = run(capsys, "dis", str(named), "--symbols")[1]
    assert "    m4x4 oPos, v0, World\n" in out
    assert "    mov r0, Bones[a0.x+2]\n" in out
    assert "    mul r0, Bones[1]_abs, r0\n" in out
    assert "#define const_xyz c4\n" in out, "xyz would be components"


def test_the_listing_of_microsoft(capsys: pytest.CaptureFixture[str], named: Path):
    code, out, err = run(capsys, "dis", str(named), "--style", "microsoft")
    assert code == 0
    assert "//   World        c0       4\n" in out
    assert "//   float4x4 World;\n" in out
    assert "    def c5, 1, 2, 2.99999997e-010, 1.#QNAN\n" in out
    assert out.endswith("\n// approximately 8 instruction slots used\n")
    assert "left out: 1 comment" in err
    plain = named.with_name("plain.vso")
    plain.write_bytes(packed(words("ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n")))
    code, out, err = run(capsys, "dis", str(plain), "--style", "microsoft")
    assert (code, err) == (0, "")
    assert "used (1 texture, 1 arithmetic)" in out


def test_dis_as_json_says_what_is_lost(capsys: pytest.CaptureFixture[str], named: Path):
    shown = json.loads(run(capsys, "dis", str(named), "--style", "microsoft", "--format", "json")[1])
    assert shown["version"] == "vs_2_0"
    assert len(shown["lost"]) == 2


def test_a_listing_has_the_machine_words(capsys: pytest.CaptureFixture[str], named: Path):
    code, out, _ = run(capsys, "dis", str(named), "--listing")
    lines = out.splitlines()
    assert (code, lines[0].split(), lines[1].split()) == (0, ["offset", "words", "text"], ["0x0000", "FFFE0200", "vs_2_0"])
    offset, _, rest = lines[-1].partition("  ")
    assert int(offset, 16) == named.stat().st_size - 4 * 4
    assert " ".join(rest.split()) == "02000001 E00F0000 A1000005 mov oT0, -c5.x"
    effect = REPOSITORY / "examples" / "water.fxb"
    assert run(capsys, "dis", f"{effect}:Water/P0/pixel", "--listing")[1].endswith("mov oC0, r0\n")
    code, _, error = run(capsys, "dis", str(effect), "--listing")
    assert code == 1 and "Water/P0/pixel" in error


def test_options_of_other_files_are_refused(capsys: pytest.CaptureFixture[str], named: Path, tmp_path: Path):
    other = tmp_path / "x.bin"
    other.write_bytes(b"DVLB")
    assert run(capsys, "dis", str(other), "--symbols")[0] == 2
    assert run(capsys, "dis", str(named), "--to", "vhdl")[0] == 2
    assert run(capsys, "dis", str(named), "--listing", "--style", "microsoft")[0] == 2
    assert run(capsys, "inspect", str(named), "--output-maps")[0] == 2


def test_shaders_of_later_direct3d_are_named(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "x.dxbc"
    path.write_bytes(b"DXBC" + bytes(28))
    for command in ("dis", "inspect"):
        code, _, err = run(capsys, command, str(path))
        assert code == 1
        assert "error[C310]" in err


HLSL = "float4x4 World;\nfloat4 main(float4 p : POSITION) : POSITION\n{\n  return mul(World, p);\n}\n"


@pytest.mark.parametrize(
    ("name", "content", "code", "says"),
    [
        ("fx.fxb", b"\x01\x09\xff\xfe" + bytes(4), "C314", "malformed effect"),
        ("xna.fxb", b"\xcf\x0b\xf0\xbc" + bytes(60), "C314", "malformed effect"),
        ("mono.mgfxo", b"MGFX" + bytes(60), "C314", "version 0 of MGFX is unknown"),
        ("light.txt", HLSL.encode(), "C313", "this is HLSL"),
        ("light.fxh", b"// an effect\nfloat4 c : register(c0);\ntechnique A { pass P { } }\n", "C313", "this is HLSL"),
    ],
)
def test_effects_and_hlsl_are_named(
    name: str, content: bytes, code: str, says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    path = tmp_path / name
    path.write_bytes(content)
    for command in ("dis", "check", "inspect", "run", "compile"):
        status, out, err = run(capsys, command, str(path))
        assert status == 1
        assert f"error[{code}]" in out + err, command
        assert says in out + err
    status, _, err = run(capsys, "asm", str(path))
    assert status == 2
    assert says in err


@pytest.mark.parametrize(
    "text",
    [
        "vs_2_0\n// float4 main(float4 p : POSITION) { }\ndcl_position v0\nmov oPos, v0\n",
        (
            "// float4x4 World; : register(c0) {\nconst DWORD code[] = { 0xFFFE0200, 0x02000001, 0xC00F0000, 0xA0E40000, "
            "0x0000FFFF };\n"
        ),
        "; float4 x : COLOR { }\n.in p v0\n.out o position\n.proc main\nmov o, p\nend\n.end\n",
    ],
)
def test_a_shader_that_quotes_hlsl_is_a_shader(text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / ("x.v.pica" if ".proc" in text else "x.txt")
    path.write_text(text)
    assert "C313" not in "".join(map(str, run(capsys, "check", str(path))))


def test_what_a_shader_holds(capsys: pytest.CaptureFixture[str], named: Path):
    code, out, err = run(capsys, "inspect", str(named))
    assert (code, err) == (0, "")
    assert "8 of 256 instruction slots" in out
    assert "float4x4" in out
    shown = json.loads(run(capsys, "inspect", str(named), "--format", "json")[1])["file"]
    assert shown["version"] == "vs_2_0"
    assert [constant["name"] for constant in shown["constants"]] == ["World", "Bones", "xyz", "Diffuse"]
    assert shown["registers"]["c"] == ["c[...]", "c0", "c1", "c2", "c3", "c5", "c11"]
    listing = json.loads(run(capsys, "inspect", str(named), "--listing", "--format", "json")[1])["listing"]
    assert listing[-1]["text"] == "mov oT0, -c5.x"


def test_a_scan_writes_each_stream_once(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    one, two = packed(words(named=True)), packed(words("ps_2_0\nmov oC0, c0\n"))
    path = tmp_path / "game.fxb"
    later = b"DXBC" + bytes(16) + struct.pack("<4I", 1, 44, 1, 36) + b"SHDR" + bytes(4)
    path.write_bytes(b"abcd" + one + b"efgh" + two + one + later)
    folder = tmp_path / "out"
    code, out, _ = run(capsys, "inspect", "--scan", str(path), "--extract", str(folder))
    assert code == 0
    assert (
        f"1 DXBC container, the first at 0x{8 + 2 * len(one) + len(two):X}: code for Direct3D 10 and later is not read" in out
    )
    index = json.loads((folder / "game_direct3d9.json").read_text())
    assert [(s["version"], s["offsets"], s["constants"][:1]) for s in index["shaders"]] == [
        ("vs_2_0", [4, 8 + len(one) + len(two)], ["World"]),
        ("ps_2_0", [8 + len(one)], []),
    ]
    assert [(folder / s["file"]).read_bytes() for s in index["shaders"]] == [one, two]
    assert len(list(folder.iterdir())) == 3
    shown = json.loads(run(capsys, "inspect", "--scan", str(path), "--format", "json")[1])
    assert len(shown["direct3d9"]) == 2
    assert shown["dxbc"] == [12 - 4 + 2 * len(one) + len(two)]


def test_what_a_container_of_a_later_direct3d_holds_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    one = packed(words())
    level9 = struct.pack("<4I", 16 + len(one), 0xFFFE0200, len(one), 16) + one
    chunk = b"Aon9" + struct.pack("<I", len(level9)) + level9
    path = tmp_path / "effect.bin"
    path.write_bytes(b"abc" + b"DXBC" + bytes(16) + struct.pack("<4I", 1, 36 + len(chunk), 1, 36) + chunk)
    code, out, _ = run(capsys, "inspect", "--scan", str(path))
    assert code == 0
    assert f"0x{3 + 36 + 8 + 16:X} " in out
    assert "1 DXBC container, the first at 0x3: 1 of them with a Direct3D 9 shader, listed above" in out
    shown = json.loads(run(capsys, "inspect", "--scan", str(path), "--format", "json")[1])
    assert (shown["dxbc"], shown["dxbc_with_direct3d9"]) == ([3], [3])
    path.write_bytes(b"DXBC" + bytes(16) + struct.pack("<4I", 1, 44, 1, 36) + b"SHDR" + bytes(4))
    code, _, err = run(capsys, "inspect", "--scan", str(path))
    assert code == 1
    assert "It has 1 DXBC container without a Direct3D 9 shader" in err


def test_commands_that_direct3d9_lacks_say_so(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    source, binary = tmp_path / "light.vsh", tmp_path / "light.vso"
    source.write_text(SOURCE)
    binary.write_bytes(packed(words()))
    for path in (source, binary):
        code, _, err = run(capsys, "time", str(path))
        assert code == 2
        assert "Direct3D 9 has no" in err


def test_sources_are_formatted(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "light.vsh"
    path.write_bytes(b"vs_2_0\r\nif b0\r\nmov  r0 ,c[ 4 ] ; c\r\nendif\r\n")
    assert run(capsys, "fmt", str(path))[0] == 0
    assert path.read_bytes() == b"vs_2_0\r\nif b0\r\n    mov r0, c[4] ; c\r\nendif\r\n"
    assert run(capsys, "fmt", "--check", str(path)) == (0, "", "")


def test_the_graph_of_a_source_and_of_a_binary(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    source, binary, drawing = tmp_path / "light.vsh", tmp_path / "light.vso", tmp_path / "light.svg"
    source.write_text("vs_2_0\nif !b0\nmov r0, c0\nendif\nmov oPos, r0\n")
    assert run(capsys, "asm", str(source), "-o", str(binary))[0] == 0
    code, text, _ = run(capsys, "graph", str(source))
    assert code == 0 and text.startswith(
        "3 blocks, 3 instructions\n\nblock 0: main, line 2\n      1  if !b0\n  !b0\n    true -> 1\n"
    )
    code, text, _ = run(capsys, "graph", str(binary), "--bool", "b0=true")
    assert code == 0 and "block 0: main, word 1\n" in text and "  b0 = true -> 1\n" in text
    assert run(capsys, "graph", str(binary), "-o", str(drawing))[0] == 0
    assert drawing.read_text().startswith("<svg")
    shown = json.loads(run(capsys, "graph", str(source), "--format", "json")[1])
    assert shown["blocks"][0]["next"][0] == {"block": 1, "back": False, "condition": "!b0", "answer": True}
    code, text, err = run(capsys, "graph", str(source), "--bool", "x=1")
    assert code == 1 and "unknown boolean 'x'" in text + err


def test_the_instruction_set_may_be_named(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "odd.bin"
    path.write_bytes(packed([0xFFFE0707, 0x0000FFFF]))  # a version that nobody has defined
    code, out, _ = run(capsys, "check", str(path), "--isa", "direct3d9")
    assert code == 1
    assert "error[V301]: unknown version vs_7_7" in out
    assert run(capsys, "dis", str(path), "--isa", "direct3d9")[1] == ".dword 0xFFFE0707  // vs_7_7, which does not exist\n"
    path.with_suffix(".vso").write_bytes(packed(words()))
    code, _, err = run(capsys, "time", str(path.with_suffix(".vso")))
    assert code == 2
    assert "Direct3D 9 has no timing model: `lanewise check --stats` counts its instructions; --target" in err


@pytest.fixture
def included(tmp_path: Path) -> list[str]:
    """A source that needs two macros and a folder, and the options that give them."""
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "registers.vsh").write_text("#define OFFSET c4\n")
    path = tmp_path / "macros.vsa"
    path.write_text(
        'vs_1_1\n#include "registers.vsh"\ndcl_position v0\n#ifdef SCALE\nmul r0, v0, SCALE\n#endif\nadd oPos, r0, OFFSET\n'
    )
    return [str(path), "-D", "SCALE=c5", "-DUNUSED", "-I", str(tmp_path), "-I", str(tmp_path / "inc")]


def test_macros_and_folders_of_the_command_line(capsys: pytest.CaptureFixture[str], included: list[str], tmp_path: Path):
    output = tmp_path / "out.vso"
    assert run(capsys, "asm", *included, "-o", str(output)) == (0, "", "")
    plain = "vs_1_1\ndcl_position v0\nmul r0, v0, c5\nadd oPos, r0, c4\n"
    assert output.read_bytes() == packed(words(plain))
    code, text, _ = run(capsys, "dis", *included)
    assert code == 0 and "mul r0, v0, c5" in text
    assert run(capsys, "check", *included)[0] == 0
    assert "mul" in run(capsys, "inspect", *included)[1]
    code, text, _ = run(capsys, "run", *included, "-i", "v0=1,2,3,4", "-c", "c4=1,1,1,1;2,2,2,2")
    assert code == 0 and text.split("\n")[2].split() == ["0", "3", "5", "7", "9"]
    assert run(capsys, "compile", *included, "-o", str(tmp_path / "out.scb"))[0] == 0
    assert run(capsys, "asm", included[0], "-o", str(output))[0] == 1


def test_a_file_that_is_not_found_names_the_folders(capsys: pytest.CaptureFixture[str], included: list[str], tmp_path: Path):
    code, _, errors = run(capsys, "check", included[0], "-I", str(tmp_path / "none"), "-D", "=1")
    shown = errors + _
    assert code == 1
    assert f"looked for {tmp_path}/registers.vsh" in shown and f"looked for {tmp_path}/none/registers.vsh" in shown
    assert "--> <command line>" in shown and "'=1' is not a macro name" in shown
