"""Shaders as emulators and games keep them: caches by number and hash, programs inside other files, and the summary of
`check --scan`."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import lanewise as lw
from documents import checked
from lanewise.pica200.container.caches import read_cache
from lanewise.tools import cli
from pica200_caches import COLOUR, EMPTY, POSITION, STATE, opengl, parts_of, vulkan, vulkan_config, vulkan_program

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = """.fvec tint
.in position v0
.in shade v1
.out outpos position
.out outclr color
.proc main
    mov outpos, position
    mul r0, tint, shade
    ifu b2
        add r0, r0, r0
        nop
    .end
    mov outclr, r0
    end
.end
"""
HASH, OTHER, CONFIG = 0x1234567890ABCDEF, 0xFEED, 0xC0FFEE


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = lw.assemble(SOURCE)
    words, descriptors = parts_of(file)
    shifted = [0x88000000, *words]  # the same with `end` before it, for entry 1
    Path("gl.bin").write_bytes(
        opengl(
            [
                (HASH, 0, STATE, words, descriptors),
                (7, 1, {}, (), ()),
                (OTHER, 0, {**STATE, 0x2BA: 1, 0x2B0: 0}, shifted, descriptors),
            ]
        )
    )
    entries = [
        (2, HASH, vulkan_program(words, descriptors)),
        (3, 1, b"SPIR"),
        (1, CONFIG, vulkan_config(HASH, 0, (POSITION, COLOUR))),
        (1, CONFIG + 1, vulkan_config(HASH, 0, (EMPTY, POSITION))),
        (2, OTHER, vulkan_program(shifted, descriptors)),
    ]
    Path("0004_vs.vkch").write_bytes(vulkan(entries))
    Path("p.shbin").write_bytes(file.to_bytes())


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert cli.main([*arguments, "--format", "json"]) == 0, capsys.readouterr().err
    return checked(capsys.readouterr().out)


def outputs(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    values = ["-i", "v0=1,2,3,4", "-i", "v1=.5,.25,1,1", "-u", "c0=1,1,1,.5"]
    found = shown(capsys, "run", *arguments, *values)["outputs"]
    return {name: each["values"] for name, each in found.items()}


def test_entries_run_as_they_did(capsys: pytest.CaptureFixture[str]):
    expected = outputs(capsys, "p.shbin", "-u", "b2=true")
    assert outputs(capsys, "gl.bin:0") == expected
    assert outputs(capsys, "gl.bin", "--program", f"{HASH:X}") == expected
    plain = outputs(capsys, "p.shbin", "-u", "b2=false")
    assert plain != expected
    assert outputs(capsys, f"gl.bin:{OTHER:016x}") == plain  # entry 1, and b2 is false in its state
    assert outputs(capsys, f"gl.bin:0x{OTHER:X}") == plain  # with 0x it may lack its leading zeros
    assert outputs(capsys, f"0004_vs.vkch:{CONFIG:016x}", "-u", "b2=true") == expected
    assert outputs(capsys, f"0004_vs.vkch:0x{HASH:x}/0x{CONFIG:x}", "-u", "b2=true") == expected
    moved = outputs(capsys, f"0004_vs.vkch:{CONFIG + 1:016x}", "-u", "b2=true")
    assert moved == {"position": expected["color"], "o0": expected["position"]}  # o1 is the position in this configuration


def test_inspect_lists_the_entries(capsys: pytest.CaptureFixture[str]):
    cache = shown(capsys, "inspect", "gl.bin")["cache"]
    assert (cache["kind"], cache["version"], cache["others"]) == ("opengl", 1, {"fragment configurations": 1})
    assert [(each["name"], each["entry"], each["booleans"], each["outputs"]) for each in cache["programs"]] == [
        (f"{HASH:016x}", 0, 5, {"o0.xyzw": "position", "o1.xyzw": "color"}),
        (f"{OTHER:016x}", 1, 0, {"o0.xyzw": "position", "o1.xyzw": "color"}),
    ]
    cache = shown(capsys, "inspect", "0004_vs.vkch")["cache"]
    assert (cache["kind"], cache["others"]) == ("vulkan", {"SPIR-V modules": 1})
    assert [(each["name"], each["entry"]) for each in cache["programs"]] == [
        (f"{HASH:016x}/{CONFIG:016x}", 0),
        (f"{HASH:016x}/{CONFIG + 1:016x}", 0),
        (f"{OTHER:016x}", None),
    ]
    assert cli.main(["inspect", "gl.bin"]) == 0
    assert "2 vertex programs, 1 fragment configuration." in " ".join(capsys.readouterr().out.split())
    assert shown(capsys, "inspect", "gl.bin:1")["file"]


@pytest.mark.parametrize("command", ["dis", "graph", "check", "run", "translate"])
def test_other_commands_take_one(command: str, capsys: pytest.CaptureFixture[str]):
    options = {"run": ["--default", "0"], "translate": ["--to", "c"]}.get(command, [])
    assert cli.main([command, "gl.bin", "--program", "1", *options]) == 0
    capsys.readouterr()
    if command != "check":
        assert cli.main([command, "gl.bin", *options]) == 1
        assert "gl.bin:1234567890abcdef; it has 1234567890abcdef, 000000000000feed" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["opt", "gl.bin", "-o", "x.shbin"],
        ["convert", "gl.bin", "--to", "nihstro"],
        ["diff", "gl.bin", "p.shbin"],
        ["diff", "p.shbin", "gl.bin"],
    ],
    ids=" ".join,
)
def test_commands_that_take_two_files_or_write_one_say_so_too(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert cli.main(arguments) == (2 if arguments[0] == "diff" else 1)
    assert "gl.bin:1234567890abcdef; it has 1234567890abcdef, 000000000000feed" in capsys.readouterr().err


def test_a_disassembly_assembles_to_the_same_words(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["dis", "gl.bin:0"]) == 0
    assert lw.assemble(capsys.readouterr().out).words == lw.assemble(SOURCE).words


def test_python_loads_an_entry():
    for name, value in ((f"{OTHER:016x}", False), ("0", True)):
        shader: object = lw.load(f"gl.bin:{name}")
        assert isinstance(shader, lw.pica200.Shader)
        assert shader.constants["b2"] is value
    with pytest.raises(lw.InputError, match=r"gl\.bin:1234567890abcdef; it"):
        lw.load("gl.bin")


def damaged(change: str) -> bytes:
    gl, vk = Path("gl.bin").read_bytes(), Path("0004_vs.vkch").read_bytes()
    return {
        "version": struct.pack("<I", 2) + gl[4:],
        "short": gl[:-1],
        "kind": gl[:38000] + gl[38000:].replace(struct.pack("<IQI", 0, OTHER, 0), struct.pack("<IQI", 1, OTHER, 0)),
        "layout": vulkan([], layout=1),
        "file": vulkan([], file=1),
        "vulkan version": vulkan([], version=1),
        "footer": vk[:-12] + b"\1\2\3\4" + vk[-8:],
        "cut": vk[:-20],
        "compressed": vk[: 1176 + 16] + b"\0" + vk[1176 + 17 :],
    }[change]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("version", "C019"),
        ("short", "C018"),
        ("kind", "C018"),
        ("layout", "C019"),
        ("file", "C019"),
        ("vulkan version", "C019"),
        ("footer", "C018"),
        ("cut", "C018"),
        ("compressed", "C018"),
    ],
)
def test_other_versions_and_damage_are_refused(change: str, code: str, capsys: pytest.CaptureFixture[str]):
    cache, findings = read_cache(damaged(change), "c")
    assert (cache, [finding.code for finding in findings]) == (None, [code])
    Path("c.vkch").write_bytes(damaged(change))
    assert cli.main(["inspect", "c.vkch"]) == 1
    assert f"error[{code}]" in capsys.readouterr().err


def bch(shbin: bytes) -> bytes:
    """A BCH of SPICA's public layout (H3DHeader) whose raw data has a shader: a shader is a whole SHBIN there."""
    header = struct.pack("<4sBBH", b"BCH\0", 0x21, 0x21, 0xABE1)
    return header + struct.pack("<6I", 0x44, 0x100, 0x120, 0x180, 0x180 + len(shbin), 0) + bytes(0x180 - 32) + shbin


def cgfx(shbin: bytes) -> bytes:
    """A CGFX (GfxHeader) with a DATA section that has the same bytes."""
    return struct.pack("<4sHHIII", b"CGFX", 0xFEFF, 0x14, 0x05000000, 0x9C + len(shbin), 1) + b"DATA" + bytes(0x84) + shbin


@pytest.mark.parametrize("build", [bch, cgfx])
def test_models_have_whole_files(build: Callable[[bytes], bytes], capsys: pytest.CaptureFixture[str]):
    data = build(Path("p.shbin").read_bytes())
    Path("model.bin").write_bytes(data)
    found = shown(capsys, "inspect", "--scan", "model.bin")["found"]
    assert [each["offset"] for each in found] == [data.index(b"DVLB")]


def test_scan_finds_and_extracts_caches(capsys: pytest.CaptureFixture[str]):
    gl, vk = Path("gl.bin").read_bytes(), Path("0004_vs.vkch").read_bytes()
    Path("dump.bin").write_bytes(b"\7" * 100 + vk + b"\7" * 50 + gl[:-1])
    found = shown(capsys, "inspect", "--scan", "dump.bin")
    assert [(each["offset"], each["kind"], len(each["programs"])) for each in found["caches"]] == [
        (100, "vulkan", 3),
        (150 + len(vk), "opengl", 1),
    ]
    assert cli.main(["inspect", "--scan", "dump.bin", "--extract", "out"]) == 0
    capsys.readouterr()
    names = sorted([path.name for path in Path("out").iterdir()])
    assert len(names) == 4
    assert outputs(capsys, f"out/dump_{HASH:016x}.shbin") == outputs(capsys, "gl.bin:0")


def test_scan_says_what_is_wrong_with_a_cache(capsys: pytest.CaptureFixture[str]):
    """Another version and a cut file are named, not a file without programs or the whole of it."""
    gl = Path("gl.bin").read_bytes()
    Path("next.bin").write_bytes(b"\2" + gl[1:])
    assert cli.main(["inspect", "--scan", "next.bin"]) == 1
    assert "transferable OpenGL cache of Azahar: version 2" in capsys.readouterr().err
    Path("cut.bin").write_bytes(gl[:-1])
    assert cli.main(["inspect", "--scan", "cut.bin"]) == 0
    assert "entry 2, at 0x983C, is cut: 1 byte is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "cut", "message"),
    [
        ("gl.bin", 1, "entry 2, at 0x983C, is cut: 1 byte is missing at the end of the file"),
        ("gl.bin", 35776, "entry 2, at 0x983C, is cut: 35776 bytes are missing"),
        ("gl.bin", 8 + 32768 + 3072 + 5, "entry 2, at 0x983C, is cut inside its head: at least 5 bytes are missing"),
        ("0004_vs.vkch", 20, "entry 5, at "),
    ],
)
def test_check_scan_names_a_cut_entry(name: str, cut: int, message: str, capsys: pytest.CaptureFixture[str]):
    """The programs before the cut are checked; the finding about the file counts none of them."""
    data = Path(name).read_bytes()
    Path("cut.bin").write_bytes(data[:-cut])
    assert cli.main(["check", "--scan", "cut.bin", "--format", "json"]) == 1
    document = checked(capsys.readouterr().out)
    (found,) = [each for each in document["diagnostics"] if each["code"] == "C018"]
    assert message in found["message"]
    (row,) = [each for each in document["scan"]["findings"] if each["code"] == "C018"]
    assert (row["severity"], row["findings"], row["programs"]) == ("warning", 1, 0)
    assert row["first"] == f"cut.bin@0x{found['span']['offset']:X}"
    assert document["scan"]["programs"] == sum(
        1 for _ in shown(capsys, "inspect", "--scan", "cut.bin")["caches"][0]["programs"]
    )
    cli.main(["check", "--scan", "cut.bin"])
    assert found["message"] in capsys.readouterr().out
    assert cli.main(["check", "--scan", "cut.bin", "--ignore", "C018"]) == cli.main(["check", "--scan", name])


def test_what_follows_a_cache_inside_other_bytes_is_a_note(capsys: pytest.CaptureFixture[str]):
    Path("dump.bin").write_bytes(b"\7" * 100 + Path("gl.bin").read_bytes() + b"\7" * 50)
    (found,) = shown(capsys, "inspect", "--scan", "dump.bin")["diagnostics"]
    assert (found["code"], found["severity"]) == ("C018", "note")
    assert "unknown kind" in found["message"]


def test_check_scan_sums_up(capsys: pytest.CaptureFixture[str]):
    endless = lw.assemble(
        ".out outpos position\n.proc main\nagain:\n    mov outpos, v0\n    jmpc cmp.x, again\n    nop\n    end\n.end\n"
    ).to_bytes()
    Path("game.bin").write_bytes(
        b"x" * 33 + Path("p.shbin").read_bytes() + endless + Path("gl.bin").read_bytes() + Path("p.shbin").read_bytes()
    )
    assert cli.main(["check", "--scan", "game.bin"]) == 1
    text = capsys.readouterr().out
    assert text.startswith("4 different programs in 1 file, ")
    code = cli.main(["check", "--scan", "game.bin", "--format", "json"])
    document = checked(capsys.readouterr().out)
    assert document["scan"]["programs"] == 4
    rows = {row["code"]: row for row in document["scan"]["findings"]}
    assert sum(row["findings"] for row in rows.values()) == len(document["diagnostics"]) > 0
    assert code == 1
    assert any(row["severity"] != "note" for row in rows.values())
    for row in rows.values():
        assert row["code"] in text
        assert row["first"].startswith("game.bin@0x")
    first = next(iter(rows))
    cli.main(["check", "--scan", "game.bin", "--select", first])
    assert f"[{first}]" in capsys.readouterr().out
    cli.main(["check", "--scan", "game.bin", "--format", "sarif"])
    assert json.loads(capsys.readouterr().out)["runs"]


def test_a_program_that_cannot_be_made_does_not_keep_the_others(capsys: pytest.CaptureFixture[str]):
    words, descriptors = parts_of(lw.assemble(SOURCE))
    Path("odd.bin").write_bytes(
        opengl([(HASH, 0, {**STATE, 0x2BA: 0x7FFF0999}, words, descriptors), (OTHER, 0, STATE, words, descriptors)])
    )
    for arguments in (("odd.bin",), ("--scan", "odd.bin")):
        assert cli.main(["check", *arguments, "--format", "json"]) == 1
        document = checked(capsys.readouterr().out)
        assert [each["message"] for each in document["diagnostics"] if each["code"] == "C018"] == [
            f"the entry point of {HASH:016x} is word 2457, and it has {len(words)} words"
        ]
    assert document["scan"]["programs"] == 1
    extracted = shown(capsys, "inspect", "--scan", "odd.bin", "--extract", "out")
    assert [each["file"] is None for each in extracted["caches"][0]["programs"]] == [True, False]


def test_check_scan_refuses(capsys: pytest.CaptureFixture[str]):
    Path("p.v.pica").write_text(SOURCE)
    Path("none.bin").write_bytes(bytes(range(256)))
    assert cli.main(["check", "--scan", "p.v.pica"]) == 2
    assert cli.main(["check", "p.v.pica", "--program", "0"]) == 2
    assert "--program is for shader caches" in capsys.readouterr().err
    assert cli.main(["dis", "p.shbin", "--program", "0"]) == 2
    assert cli.main(["check", "--scan", "none.bin"]) == 1
    assert "no program found in none.bin" in capsys.readouterr().err
    assert cli.main(["check", "--scan", "--fix", "none.bin"]) == 2
    assert cli.main(["check", "--scan"]) == 2
