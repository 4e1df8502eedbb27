"""The commands that take ShaderCore files: asm, dis, inspect."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from corpus import REPOSITORY
from lanewise.shadercore.container.forms import TARGETS
from lanewise.shadercore.container.header import read
from lanewise.tools import cli

SOURCE = """.input v0 position
.output o0 position
.const c0 (1.0, 2.0, 3.0, 4.0)
    mul r0.xyz, v0.xyz, c0.x
    mov o0.xyz, r0.xyz
    rcp x1.w, abs(r0.x)
    end
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "light.sc").write_text(SOURCE)
    return tmp_path


def test_from_source_to_file_and_back(folder: Path, capfd: pytest.CaptureFixture[str]):
    assert cli.main(["asm", "light.sc"]) == 0
    assert "note[V204]" in capfd.readouterr().err
    data = (folder / "light.scb").read_bytes()
    assert (len(data), data[:4]) == (32 + 8 * 8, b"VS\x08\x00")
    assert cli.main(["dis", "light.scb", "-o", "again.sc"]) == 0
    text = (folder / "again.sc").read_text()
    assert text.startswith("mul r0.x, v0.x, c0.x\n")
    assert cli.main(["asm", "again.sc"]) == 0
    assert (folder / "again.scb").read_bytes() == data


@pytest.mark.parametrize("target", TARGETS)
def test_every_target(folder: Path, target: str):
    """From a source and from a file the same is written; what can be read is read by every command."""
    assert cli.main(["asm", "light.sc", "--to", target, "-o", "one"]) == 0
    assert cli.main(["asm", "light.sc"]) == 0
    assert cli.main(["dis", "light.scb", "--to", target, "-o", "two"]) == 0
    assert (folder / "one").read_bytes() == (folder / "two").read_bytes()
    if target:
        isa = ["--isa", "shadercore"] if target == "bin" else []
        assert cli.main(["dis", "one", *isa, "-o", "again.sc"]) == 0
        assert cli.main(["inspect", "one", *isa]) == 0
        program, _ = read((folder / "light.scb").read_bytes(), "")
        again, _ = read((folder / "one").read_bytes(), "")
        assert program is not None
        assert again is not None
        assert again.words == program.words
        assert cli.main(["asm", "again.sc", "--to", target, "-o", "three"]) == 0
        assert (folder / "three").read_bytes().replace(b"light", b"again") == (folder / "one").read_bytes().replace(
            b"light", b"again"
        )


def test_constants_and_header(folder: Path, capfd: pytest.CaptureFixture[str]):
    """From a source, and from the source again by `lanewise dis`; with the form of the suffix, or of --to."""
    assert cli.main(["asm", "light.sc", "--to", "coe", "--constants", "k.mif", "--header", "light.h"]) == 0
    assert "V204" not in capfd.readouterr().err
    assert (
        cli.main(
            ["dis", "light.sc", "--to", "coe", "-o", "again.coe", "--constants", "k2.mif", "-H", "again.h", "--name", "light"]
        )
        == 0
    )
    assert (folder / "again.coe").read_bytes() == (folder / "light.coe").read_bytes()
    assert (folder / "k2.mif").read_bytes() == (folder / "k.mif").read_bytes()
    assert (folder / "again.h").read_bytes() == (folder / "light.h").read_bytes()
    assert "#define LIGHT_INPUT_POSITION 0" in (folder / "light.h").read_text()
    assert cli.main(["asm", "light.sc", "--to", "mem", "--constants", "k.txt"]) == 0
    assert len((folder / "k.txt").read_text().split()) == 4
    assert cli.main(["asm", "light.sc", "--to", "c", "--constants", "k.c"]) == 0
    assert "const uint32_t light_constants[4] = {" in (folder / "k.c").read_text()
    (folder / "none.sc").write_text("end\n")
    for argv, words in (
        (["asm", "light.sc", "--constants", "k.txt"], "give it a known suffix"),
        (["asm", "none.sc", "--constants", "k.mif"], "the program has no constants"),
        (["dis", "light.sc", "--to", "mem", "--constants", "-"], "several files want standard output"),
        (["dis", "light.sc", "--header", "a.h", "--format", "json"], "leave out --format json"),
        (["asm", "light.sc", "--header", "light.sc"], "would be overwritten"),
    ):
        assert cli.main(argv) == 2, argv
        assert words in capfd.readouterr().err


def test_names_and_default_outputs(folder: Path):
    assert cli.main(["asm", "light.sc", "--to", "vhdl", "--name", "rom"]) == 0
    assert "package rom_rom is" in (folder / "light.vhd").read_text()
    assert cli.main(["asm", "light.sc", "--to", "c"]) == 0
    assert "light[8]" in (folder / "light.c").read_text()


def test_standard_input_and_output(folder: Path):
    command = [sys.executable, "-m", "lanewise"]
    made = subprocess.run(
        [*command, "asm", "-", "--dialect", "shadercore", "--to", "hex"], input=b"end\n", capture_output=True, check=True
    )
    assert made.stdout == b"00000001400280DF\n"
    back = subprocess.run([*command, "dis", "-"], input=made.stdout, capture_output=True, check=True)
    assert back.stdout == b"end\n"
    assert subprocess.run([*command, "dis", "-"], input=b"VS" + bytes(31), capture_output=True, check=False).returncode == 1


def test_inspect(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["inspect", "light.sc", "--format", "json", "--listing"]) == 0
    shown = json.loads(capsys.readouterr().out)
    file = shown["file"]
    assert (file["isa"], file["form"], file["words"]) == ("shadercore", "source", 8)
    assert file["inputs"] == [{"register": "v0", "usage": "position", "used": True}]
    assert file["constants"] == ["c0"]
    assert file["registers"] == ["r0", "x1"]
    assert file["pipes"]["MUL"] == 3
    assert shown["listing"][0] == {"slot": 0, "word": "0x0000000080008003", "text": "mul r0.x, v0.x, c0.x"}
    assert cli.main(["inspect", "light.sc"]) == 0
    text = capsys.readouterr().out
    assert "8 of 512 slots" in text
    assert "position" in text
    assert cli.main(["inspect", "light.sc", "--listing"]) == 0
    assert "0     0000000080008003  mul r0.x, v0.x, c0.x" in capsys.readouterr().out


def test_words_say_no_usage(folder: Path, capsys: pytest.CaptureFixture[str]):
    cli.main(["asm", "light.sc", "--to", "hex"])
    capsys.readouterr()
    assert cli.main(["inspect", "light.hex"]) == 0
    text = capsys.readouterr().out
    assert "unknown" in text
    assert "Hash" not in text


def test_mistakes_are_findings(folder: Path, capfd: pytest.CaptureFixture[str]):
    (folder / "bad.sc").write_text("mov r9.x, 0\n")
    assert cli.main(["asm", "bad.sc", "--check", "--format", "json"]) == 1
    found = json.loads(capfd.readouterr().out)["diagnostics"]
    assert [d["code"] for d in found] == ["P205"]
    assert not (folder / "bad.scb").exists()
    assert cli.main(["inspect", "bad.sc", "--format", "json"]) == 1
    (folder / "short.scb").write_bytes(b"VS\x02\x00" + bytes(28) + bytes(8))
    capfd.readouterr()
    assert cli.main(["dis", "short.scb", "--isa", "shadercore"]) == 1
    assert "short.scb:0x2" in capfd.readouterr().err


def test_check_writes_nothing_and_says_nothing_of_constants(folder: Path, capfd: pytest.CaptureFixture[str]):
    assert cli.main(["asm", "light.sc", "--check"]) == 0
    assert capfd.readouterr() == ("", "")
    assert not (folder / "light.scb").exists()


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["asm", "light.sc", "--to", "elf"], "--to elf: use bin, hex"),
        (["asm", "light.sc", "light.sc"], "programs are not linked"),
        (["asm", "--dialect", "shadercore"], "name a source file"),
        (["asm", "light.sc", "--words", "x"], "--words is an option for PICA200"),
        (["asm", "light.sc", "--format", "xml"], "use text or json"),
        (["asm", "light.sc", "-o", "-", "--format", "json"], "both want standard output"),
        (["asm", "light.sc", "-o", "light.sc"], "is not a form of this output: use .scb"),
        (["dis", "light.sc", "--to", "c", "--listing"], "leave out --listing"),
        (["dis", "light.sc", "--dialect", "picasso"], "for ShaderCore use shadercore"),
        (["dis", "light.sc", "--words", "--from", "hex"], "--words is an option for PICA200"),
        (["dis", "light.sc", "--isa", "pica200", "--to", "c"], "--to is an option for ShaderCore"),
        (["dis", "light.sc", "--isa", "pica200", "--from", "c"], "--from is an option for ShaderCore"),
        (["inspect", "light.sc", "--output-maps"], "--output-maps is an option for PICA200, but the input is for ShaderCore"),
        (
            ["inspect", "--words", "light.sc", "--isa", "shadercore"],
            "--words is an option for PICA200, but the input is for ShaderCore",
        ),
    ],
)
def test_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str], argv: list[str], words: str):
    assert cli.main(argv) == 2
    assert words in capsys.readouterr().err


def test_help(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["asm", "--dialect", "shadercore", "--help"]) == 0
    assert "lanewise asm light.sc --to vhdl" in capsys.readouterr().out


def test_a_source_named_as_output_does_not_choose_the_language(folder: Path):
    (folder / "a.v.pica").write_text(".proc main\nend\n.end\n.out p position\n")
    assert cli.main(["asm", "a.v.pica", "-o", "out.sc"]) == 2
    assert cli.main(["asm", "a.v.pica", "-o", "out.dat"]) == 0
    assert (folder / "out.dat").read_bytes().startswith(b"DVLB")


def test_start_up_needs_little(folder: Path):
    """As for the other assembler: no typing, re, dataclasses, argparse on the way."""
    code = (
        "import sys; from lanewise.tools.cli import main; main(['asm', 'light.sc']); "
        "print(sorted({'numpy', 'llvmlite', 'typing', 're', 'dataclasses', 'argparse'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert done.stdout.strip() == "[]"


def test_the_example_assembles_without_a_word(capfd: pytest.CaptureFixture[str]):
    assert cli.main(["asm", str(REPOSITORY / "examples" / "transform.sc"), "--check"]) == 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["convert", "p.scb", "--to", "picasso"], "p.scb is for ShaderCore, and picasso is a language of PICA200"),
        (["convert", "p.bin", "--to", "picasso"], "p.bin is for ShaderCore"),
        (["asm", "p.scb"], "p.scb is a ShaderCore file, not a source: `lanewise dis` turns it into one"),
    ],
)
def test_commands_for_the_pica200_alone_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], argv: list[str], told: str
):
    monkeypatch.chdir(tmp_path)
    Path("p.sc").write_text("mov o0.x, v0.x\nend\n")
    assert cli.main(["asm", "p.sc"]) == 0
    assert cli.main(["asm", "p.sc", "--to", "bin"]) == 0
    assert cli.main(argv) == 2
    assert told in capsys.readouterr().err
