"""Files of another kind, and readers that go away: one finding with a cure, and never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from corpus import REPOSITORY
from lanewise.tools.cli import main

EXAMPLES = REPOSITORY / "examples"
BUFFERED = {
    key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"
}  # what a command leaves is written when it ends


@pytest.mark.parametrize("command", [["--help"], ["--version"], ["compile", "--help"], ["isa", "direct3d9"]])
def test_a_reader_that_goes_away_is_no_error(command: list[str]):
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read(); from lanewise.tools.cli import main; sys.exit(main())", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=BUFFERED,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.close()  # and only now it begins
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize(
    "command", [["--version"], ["compile", "--help"], ["run", "--help"], ["asm", "--help"], ["isa", "direct3d9"]]
)
def test_a_full_disk_is_an_error_of_one_line(command: list[str]):
    code = "import sys; from lanewise.tools.cli import main; sys.exit(main())"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", code, *command], stdout=full, stderr=subprocess.PIPE, text=True, env=BUFFERED, check=False
        )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr


def test_time_says_what_a_direct3d9_shader_needs(capsys: pytest.CaptureFixture[str]):
    assert main(["time", str(EXAMPLES / "direct3d9" / "lit.vsa")]) == 2
    err = capsys.readouterr().err
    assert (
        "`lanewise check --stats` counts its instructions; --target shadercore times what `lanewise compile` makes of it" in err
    )
    assert main(["time", str(EXAMPLES / "toon.v.pica")]) == 2
    assert "; the same shader in GLSL or HLSL is timed by --target shadercore" in capsys.readouterr().err


def test_the_output_says_the_language_of_a_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Directives of picasso in a source for ShaderCore are findings with their lines, if the output is for ShaderCore."""
    source, output = tmp_path / "a.sc", tmp_path / "a.scb"
    source.write_text(".in position v0\n.out place position o0\n.proc main\n    mov o0.x, v0.x\n    end\n.end\n")
    assert main(["asm", str(source), "-o", str(output)]) == 1
    err = capsys.readouterr().err
    assert f"unknown directive '.in'\n  --> {source}:1:1\n" in err and "help: write .input v0 position" in err
    assert "help: remove it: a program begins with its first instruction" in err
    assert main(["asm", str(source), "-o", str(tmp_path / "a.shbin"), "--check"]) == 0


def test_a_pixel_shader_in_hlsl_is_named_whatever_the_output_is_called(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "a.hlsl"
    source.write_text("float4 main(float4 c : COLOR0)\n    : SV_Target\n{\n    return c;\n}\n")
    for name in ("a.shbin", "a.scb"):
        assert main(["compile", str(source), "-o", str(tmp_path / name)]) == 1
        err = capsys.readouterr().err
        assert "error[L903]: this is not a vertex shader: main returns SV_Target, the colour of a pixel" in err
        assert f"--> {source}:2:7" in err


def test_a_direct3d9_source_without_version_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "light.vsa"
    source.write_text("mov oPos, v0\n")
    assert main(["asm", str(source)]) == 1
    assert "'mov' precedes the version" in capsys.readouterr().err


def test_asm_names_every_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "light.txt"
    source.write_text("mov r0.x, 1\n")
    assert main(["asm", str(source)]) == 2
    assert "picasso, nihstro, shadercore, direct3d9" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["asm", "a.sc"], ["dis", "a.sc"], ["compile", "b.vsa"], ["asm", "b.vsa"]])
def test_a_folder_that_is_not_there_does_not_become_a_file(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("a.sc").write_text("end\n")
    Path("b.vsa").write_text("vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    assert main([*command, "-o", "made/"]) == 1
    assert "cannot write made/: it is a folder, expected a file" in capsys.readouterr().err
    assert not Path("made").exists()


@pytest.mark.parametrize("command", ["dis", "check", "inspect"])
def test_raw_words_of_a_file_that_is_no_program(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "disk.img"
    path.write_bytes(bytes((1 << 20) + 4))
    assert main([command, "--words", str(path)]) == 1
    assert "has 1048580 bytes, which are too many for the words of a program" in capsys.readouterr().err


def test_help_of_a_command_is_that_of_the_command(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as by_option:
        main(["graph", "--help"])
    wanted = capsys.readouterr().out
    with pytest.raises(SystemExit) as by_word:
        main(["help", "graph"])
    assert (capsys.readouterr().out, by_word.value.code) == (wanted, by_option.value.code)
    assert main(["help"]) == 0
    assert capsys.readouterr().out.startswith("usage: lanewise COMMAND")
    assert main(["help", "grahp"]) == 2
    assert "command 'grahp': did you mean graph?" in capsys.readouterr().err


def test_graph_gives_the_findings_of_a_broken_source_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "broken.v.pica"
    source.write_text(".proc main\n    mul r0, r1\n.end\n")
    assert main(["graph", str(source), "--format", "json"]) == 1
    out, err = capsys.readouterr()
    assert [finding["span"]["line"] for finding in json.loads(out)["diagnostics"]] == [2]
    assert not err
    assert main(["graph", str(source)]) == 1
    assert capsys.readouterr().err.startswith("error[")


@pytest.mark.parametrize(
    ("mnemonic", "hint"),
    [
        ("mad", "; for the instruction write `lanewise isa pica200 mad` or `lanewise isa direct3d9 mad`"),
        ("texld", "; for the instruction write `lanewise isa direct3d9 texld`"),
        ("glsl", "use pica200, shadercore, direct3d9"),
    ],
)
def test_an_instruction_without_its_set_is_found(mnemonic: str, hint: str, capsys: pytest.CaptureFixture[str]):
    assert main(["isa", mnemonic]) == 2
    assert capsys.readouterr().err.rstrip().endswith(hint)


@pytest.mark.parametrize(("isa", "title"), [("pica200", "PICA200"), ("shadercore", "ShaderCore"), ("direct3d9", "Direct3D 9")])
def test_an_unknown_instruction_is_reported_in_the_same_words(isa: str, title: str, capsys: pytest.CaptureFixture[str]):
    assert main(["isa", isa, "qqq"]) == 2
    assert f"unknown {title} instruction 'qqq': " in capsys.readouterr().err


def test_the_beginning_of_codes_lists_them(capsys: pytest.CaptureFixture[str]):
    assert main(["check", "--explain", "v07"]) == 0
    out = capsys.readouterr().out
    assert "V070  consecutive mova" in out
    assert "V079" in out
    assert "V080" not in out


def test_a_mistyped_code(capsys: pytest.CaptureFixture[str]):
    assert main(["check", "--explain", "V77"]) == 2
    assert "unknown code V77: did you mean " in capsys.readouterr().err


@pytest.mark.parametrize(("data", "reason"), [(b"", "the file is empty"), (b"\x01\x02", "it has 2 bytes, a version token 4")])
def test_a_file_shorter_than_a_version(data: bytes, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "light.vso"
    path.write_bytes(data)
    assert main(["dis", str(path)]) == 1
    assert f"not a Direct3D 9 shader: {reason}\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "takes"),
    [
        ("mov r0 r1", "mov takes 2 operands in vs_2_0, found 1"),
        ("mov r0, r1, r2, r3", "mov takes 2 operands in vs_2_0, found 4"),
        ("add r0, r1", "add takes 3 operands in vs_2_0, found 2"),
        ("if b0, b1", "if takes one operand in vs_2_0, found 2"),
        ("mov", "mov takes 2 operands in vs_2_0, found 0"),
    ],
)
def test_direct3d9_operands_are_counted(line: str, takes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "light.vsa"
    source.write_text(f"vs_2_0\n{line}\nmov oPos, c0\n")
    assert main(["asm", str(source), "--check"]) == 1
    assert f"error[P303]: {takes}\n" in capsys.readouterr().err


GLSL = "#version 330 core\nuniform mat4 m;\nvoid main() { gl_Position = m[0]; }\n"


@pytest.mark.parametrize("name", ["a.vsh", "a.v.pica", "a.glsl"])
@pytest.mark.parametrize("command", ["asm", "check", "run", "fmt"])
def test_glsl_is_one_finding(
    name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("lanewise.compile.outside.compilers.COMPILERS", ())
    source = tmp_path / name
    source.write_text(GLSL)
    assert main([command, str(source)]) in (1, 2)
    out, err = capsys.readouterr()
    assert (out + err).count("GLSL") == (2 if command == "fmt" else 1)
    assert (out + err).count("error") <= 2  # the finding, and how many there are
    said = {"asm": "--target pica200` compiles it", "fmt": "does not format GLSL"}
    assert said.get(command, "needs a compiler to SPIR-V, and none is installed") in out + err
    assert source.read_text() == GLSL


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "x.shadertest.toml"], "this is a file of shader tests, not a program that lanewise reads"),
        (["run", "x.shadertest.toml"], "run it with `lanewise test x.shadertest.toml`"),
        (["graph", "game.3dsx"], "this is a 3DSX program"),
        (["dis", "game.3dsx"], "`lanewise inspect --scan game.3dsx --extract DIR`"),
        (["dis", "words.txt"], "words of the PICA200 are given by --words words.txt --descriptors DESC"),
        (["dis", "inside.bin"], "unknown kind of file, with programs inside"),
        (["check", "inside.bin"], "help: lanewise inspect --scan inside.bin, and --extract DIR writes them"),
        (["inspect", "regs.h"], "this is a C header of `lanewise asm -H`, which has the numbers of registers only"),
        (["check", "x.png"], "this is a PNG picture"),
        (["fmt", "x.shadertest.toml"], "x.shadertest.toml is a file of shader tests"),
        (["compile", "x.png"], "x.png is a PNG picture, not a shader that is compiled"),
        (["compile", "a.v.pica"], "is for PICA200 already: it needs no compiler: `lanewise asm a.v.pica` assembles it"),
        (["compile", "x.text"], "unknown kind of file"),
        (["compile", "x.text"], "name its language with --language: direct3d9, spirv, glsl"),
        (["fmt", "a.fx"], "a.fx is HLSL, which `lanewise fmt` does not format; compile a vertex shader"),
        (["dis", "a.v.pica"], "a.v.pica is a picasso source, not a binary: `lanewise asm` assembles it"),
        (["dis", "b.vsh"], "b.vsh is a nihstro source, not a binary"),
    ],
)
def test_other_files_are_named(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("x.shadertest.toml").write_text('[[case]]\nshader = "a.v.pica"\n')
    Path("game.3dsx").write_bytes(b"3DSX\x20\0\x08\0")
    Path("x.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    Path("x.text").write_text("neither\n")
    Path("a.glsl").write_text(GLSL)
    Path("a.fx").write_text("float4 main(float4 p : POSITION) : COLOR0\n{\n  return p;\n}\n")
    Path("a.v.pica").write_text(".proc main\nend\n.end\n")
    Path("b.vsh").write_text("main:\n  end\n")
    Path("words.txt").write_text("# of a dump\n0x22021080\n0x4C000000\n0x88000000\n")
    assert main(["asm", "a.v.pica", "-o", "a.shbin"]) == 0
    Path("inside.bin").write_bytes(bytes(37) + Path("a.shbin").read_bytes())
    Path("regs.h").write_text("// Generated by lanewise\n#define A 0x20\n")
    assert main(arguments) in (1, 2)
    out, err = capsys.readouterr()
    assert said in out + err


@pytest.mark.parametrize(
    ("mnemonic", "fix"),
    [("sub", "use `add` with a negated source"), ("NRM", "dp3 r1, r0, r0, then rsq"), ("madd", "did you mean mad")],
)
def test_an_instruction_that_the_pica200_lacks(mnemonic: str, fix: str, capsys: pytest.CaptureFixture[str]):
    assert main(["isa", "pica200", mnemonic]) == 2
    assert fix in capsys.readouterr().err


def test_a_suggestion_names_an_instruction_once(capsys: pytest.CaptureFixture[str]):
    assert main(["isa", "direct3d9", "dph"]) == 2
    assert "did you mean dp4 or dp3?" in capsys.readouterr().err
