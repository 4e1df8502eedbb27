"""Every command with `-o`, every suffix: the file has the form that its suffix says, or the command line is wrong and nothing
is written."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.compile.targets import targets
from lanewise.core.suffixes import KNOWN_SUFFIXES, suffix_of
from lanewise.packages import package_of, packages
from lanewise.tools import convert, dis, draw, graph, translate
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SOURCES = {
    "p.v.pica": ".out o position\n.in a\n.proc main\nmov o, a\nend\n.end\n",
    "p.sc": ".input v0 position\n.output o0 position\n" + "".join(f"mov o0.{c}, v0.{c}\n" for c in "xyzw") + "end\n",
    "p.vsa": "vs_2_0\ndcl_position v0\nmov oPos, v0\n",
}


def begins(*marks: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.startswith(marks)


def holds(*words: bytes) -> Callable[[bytes], bool]:
    return lambda data: all(word in data for word in words)


def is_words(data: bytes) -> bool:
    """Machine words of 8 bytes without a header."""
    return len(data) % 8 == 0 and not data.startswith(b"VS\x05") and b"\0" in data


def is_hex(data: bytes) -> bool:
    return all(set(line) <= set("0123456789abcdefABCDEF") for line in data.decode().split())


SHBIN, HEADED, TOKENS = begins(b"DVLB"), begins(b"VS\x05"), begins(b"\x00\x02\xfe\xff")
PICASSO, NIHSTRO, WAVES, ASSEMBLY = holds(b".proc main"), holds(b"main:"), holds(b"mov o0.x, v0.x"), begins(b"vs_2_0")
SVG, DOT = holds(b"<svg"), holds(b"digraph")
MEMORIES: Mapping[str, Callable[[bytes], bool]] = {
    ".bin": is_words,
    ".hex": is_hex,
    ".mem": is_hex,
    ".c": holds(b"uint64_t"),
    ".h": holds(b"uint64_t"),
    ".vhd": holds(b"constant"),
    ".vhdl": holds(b"constant"),
    ".v": holds(b"endmodule"),
    ".coe": holds(b"memory_initialization_radix"),
    ".mif": holds(b"WIDTH"),
}
ARRAYS: Mapping[str, Callable[[bytes], bool]] = {".hex": is_hex, ".c": holds(b"uint32_t"), ".h": holds(b"uint32_t")}
TEXTS = {".json": begins(b"{"), ".txt": holds(b"mov")}
GRAPHS = {".svg": SVG, ".dot": DOT, ".gv": DOT, ".json": begins(b"{"), ".txt": holds(b"0")}
RESULTS = {".npz": begins(b"PK"), ".csv": holds(b"position.x,"), ".obj": begins(b"v "), ".ply": begins(b"ply")}
RESULTS[".parquet"] = begins(b"PAR1")
RESULTS[".json"] = begins(b"{")
NO_ARROW = find_spec("pyarrow") is None  # it writes Parquet
STEPS = {".json": begins(b"{"), ".txt": holds(b"mov")}
PICA = {".pica": PICASSO, ".vsh": NIHSTRO, ".gsh": NIHSTRO}
SHADER_LANGUAGES = {
    ".c": holds(b"#include <stdint.h>"),
    ".h": holds(b"#include <stdint.h>"),
    ".glsl": holds(b"#version"),
    ".vert": holds(b"#version"),
    ".wgsl": holds(b"fn "),
}
CPLUSPLUS = dict.fromkeys((".cpp", ".cc", ".cxx", ".hpp", ".hh"), holds(b"namespace"))
RUN = "-i", "v0=1,2,3,1;4,5,6,1;7,8,1,1"
REFERENCE = ("--engine", "reference")

# The forms of each command line, by suffix; every other suffix of KNOWN_SUFFIXES is refused.
TABLE: Mapping[str, Mapping[str, Callable[[bytes], bool]]] = {
    "asm p.v.pica": {".shbin": SHBIN, ".bin": SHBIN},
    "asm p.sc": {".scb": HEADED, ".scbin": HEADED, **MEMORIES},
    "asm p.vsa": {".vso": TOKENS, ".pso": TOKENS, ".fxo": TOKENS, ".bin": TOKENS, **ARRAYS},
    "dis p.v.pica.shbin": {**PICA, **TEXTS},
    "dis p.sc.scb": {".sc": WAVES, **MEMORIES, **TEXTS},
    "dis p.vsa.vso": {".vsa": ASSEMBLY, ".psa": ASSEMBLY, ".vso": TOKENS, ".pso": TOKENS, ".bin": TOKENS, **ARRAYS, **TEXTS},
    "convert p.v.pica --to picasso": {**dict.fromkeys(PICA, PICASSO), **TEXTS},
    "convert p.sc --to shadercore": {".sc": WAVES, **TEXTS},
    "opt p.v.pica": {".shbin": SHBIN, ".bin": SHBIN, **dict.fromkeys(PICA, PICASSO)},
    "compile p.vsa --target pica200": {".shbin": SHBIN, ".bin": SHBIN, **PICA},
    "compile p.vsa --target shadercore": {".scb": HEADED, ".scbin": HEADED, ".sc": WAVES, **MEMORIES},
    "translate p.v.pica": {**SHADER_LANGUAGES, **CPLUSPLUS},
    "graph p.v.pica": GRAPHS,
    "graph p.sc": GRAPHS,
    "graph p.vsa": GRAPHS,
    "run p.v.pica": RESULTS,
    "run p.v.pica --indices 0,1,2": RESULTS,
    "run p.sc": RESULTS,
    "run p.vsa": RESULTS,
    "run p.v.pica --trace 0": STEPS,
    "run p.sc --trace 0": {**STEPS, ".vcd": holds(b"$var")},
    "run p.vsa --trace 0": STEPS,
    "vectors pica200": {},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sources, and what they assemble to."""
    folder = tmp_path_factory.mktemp("suffixes")
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
        suffix = {"p.v.pica": ".shbin", "p.sc": ".scb", "p.vsa": ".vso"}[name]
        assert main(["asm", str(folder / name), "-o", str(folder / (name + suffix))]) == 0
    return folder


@pytest.mark.parametrize("line", TABLE)
def test_the_suffix_is_the_form(
    line: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(folder)
    command = [
        *line.split(),
        *(RUN if line.startswith("run") else ()),
        *(REFERENCE if line.startswith("run") and "trace" not in line else ()),
    ]
    for suffix in sorted(KNOWN_SUFFIXES):
        path = tmp_path / suffix[1:] / f"out{suffix}"  # compilers write files beside it
        path.parent.mkdir()
        code = main([*command, "-o", str(path)])
        said = capsys.readouterr().err
        if suffix == ".parquet" and suffix in TABLE[line] and NO_ARROW:
            assert (code, path.exists(), "needs pyarrow" in said) == (1, False, True), said
        elif suffix in TABLE[line]:
            assert (code, path.is_file()) == (0, True), (suffix, said)
            assert TABLE[line][suffix](path.read_bytes()), (suffix, path.read_bytes()[:200])
        else:
            assert (code, path.exists()) == (2, False), (suffix, said)
            assert said.startswith(f"lanewise {command[0]}: error: "), suffix
            assert suffix in said or "--to" in said
            assert said.count("\n") == 1


EFFECT = begins(b"\x01\x09\xff\xfe")
SAVED: Mapping[str, Mapping[str, Callable[[bytes], bool]]] = {
    "p.v.pica": {".shbin": SHBIN, ".bin": SHBIN, **PICA},
    "p.sc": {".scb": HEADED, ".scbin": HEADED, **MEMORIES, ".sc": WAVES},
    "p.vsa": {".vso": TOKENS, ".pso": TOKENS, ".fxo": TOKENS, ".bin": TOKENS, ".vsa": ASSEMBLY, ".psa": ASSEMBLY},
    "compiled": {".scb": HEADED, ".scbin": HEADED},
    "effect": dict.fromkeys((".fxb", ".fxo", ".mgfx", ".mgfxo", ".bin"), EFFECT),
}


@pytest.mark.parametrize("name", SAVED)
def test_the_suffix_is_the_form_in_python(name: str, folder: Path, tmp_path: Path):
    made: Mapping[str, Callable[[], Any]] = {
        "compiled": lambda: lw.load(folder / "p.vsa", isa="direct3d9").compile(),
        "effect": lambda: lw.load_effect(REPOSITORY / "examples" / "water.fxb"),
    }
    program = made[name]() if name in made else lw.load(folder / name)
    for suffix in sorted({*KNOWN_SUFFIXES, ".elf"}):
        path = tmp_path / f"out{suffix}"
        if suffix == ".elf" or suffix in SAVED[name]:
            program.save(path)
            assert SAVED[name].get(suffix, bool)(path.read_bytes()), suffix
        else:
            with pytest.raises(ValueError, match=r"\.json is the name of|is not a form of this output: use \."):
                program.save(path)
            assert suffix == ".json" or not path.exists(), suffix


def test_a_shader_of_a_file_has_the_forms_of_the_file(folder: Path):
    shader = lw.load_pica200(folder / "p.v.pica").vertex
    with pytest.raises(ValueError, match=r"x\.frag: \.frag is not a form of this output: use \.shbin, "):
        shader.save("x.frag")


def test_names_without_a_form_are_free(folder: Path, tmp_path: Path):
    for command, names in {
        "asm p.v.pica": ("out", "out.elf", "a.v1"),
        "asm p.sc": ("out", "out.rom"),
        "dis p.sc.scb": ("out", "x.asm"),
    }.items():
        for name in names:
            assert (
                main([*[str(folder / word) if "." in word else word for word in command.split()], "-o", str(tmp_path / name)])
                == 0
            )


def test_an_option_outranks_the_suffix(folder: Path, tmp_path: Path):
    assert main(["asm", str(folder / "p.sc"), "--to", "mem", "-o", str(tmp_path / "rom.hex")]) == 0
    assert main(["dis", str(folder / "p.v.pica.shbin"), "--dialect", "picasso", "-o", str(tmp_path / "p.vsh")]) == 0
    assert PICASSO((tmp_path / "p.vsh").read_bytes())
    assert json.loads(json_of(folder, tmp_path))["schema"].startswith("lanewise/dis")


def json_of(folder: Path, tmp_path: Path) -> str:
    assert main(["dis", str(folder / "p.sc.scb"), "--format", "json", "-o", str(tmp_path / "any")]) == 0
    return (tmp_path / "any").read_text()


def test_every_suffix_of_a_row_is_known():
    """A suffix that one command writes is one that the others refuse."""
    rows = {*graph.SUFFIXES, *translate.LINE.forms, *dis.line().forms, *convert.line().forms, *draw.MESHES} - {""}
    for package in packages():
        for command in ("asm", "dis", "convert", "opt"):
            rows |= set(package.manual(command).forms)
        rows |= {suffix_of(f"a{suffix}") for row in (*package.languages, *package.containers) for suffix in row.suffixes}
    for target in targets():
        rows |= set(target.manual("compile").forms)
        assert set(package_of(target.name).manual("asm").forms) <= set(target.manual("compile").forms)
    assert rows <= KNOWN_SUFFIXES
    assert all(suffix == suffix_of(f"x/a.b{suffix}") for suffix in KNOWN_SUFFIXES)
    assert [suffix_of(path) for path in ("-", "", "a", ".shbin", "a.d/b", "a.mif/")] == [""] * 6


def test_a_form_of_another_target_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A Direct3D 9 shader is compiled for ShaderCore where nothing is said."""
    source = tmp_path / "a.vsa"
    source.write_text("vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    assert main(["compile", str(source), "-o", str(tmp_path / "a.shbin")]) == 2
    assert "is not a form of this output: use .scb" in (error := capsys.readouterr().err)
    assert error.endswith(", by default for Direct3D 9; --target pica200 writes .shbin\n")
    assert main(["compile", str(source), "--target", "pica200", "-o", str(tmp_path / "a.shbin")]) == 0


def test_a_target_that_does_not_take_the_shader_is_not_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The PICA200 has no programs for pixels."""
    source = tmp_path / "a.psa"
    source.write_text("ps_2_0\ndcl v0\nmov oC0, v0\n")
    assert main(["compile", str(source), "-o", str(tmp_path / "a.shbin")]) == 2
    reason = "it cannot be compiled for PICA200: ps_2_0 is a pixel shader: the PICA200 has no programs for pixels\n"
    assert capsys.readouterr().err.endswith(f"; the program is compiled for ShaderCore, by default for Direct3D 9; {reason}")


def test_a_language_against_the_suffix_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    picasso = tmp_path / "a.sc"
    picasso.write_text(".in position v0\n.out outpos position o0\n.proc main\n    mov outpos, position\n    end\n.end\n")
    assert main(["asm", str(picasso), "-o", str(tmp_path / "a.shbin")]) == 0
    assert "a.sc is read as picasso, for its content; --dialect shadercore reads it as ShaderCore" in capsys.readouterr().err
    hlsl = tmp_path / "a.psa"
    hlsl.write_text("float4 main(float4 color : COLOR0) : COLOR0\n{\n    return color.bgra;\n}\n")
    assert main(["compile", str(hlsl), "-o", str(tmp_path / "a.scb")]) == 1
    says = "a.psa is read as HLSL, for its content; its suffix is for Direct3D 9: rename it to .hlsl"
    assert says in capsys.readouterr().err
    hlsl.write_text("ps_2_0\ndcl v0\nmov oC0, v0\n")
    assert main(["compile", str(hlsl), "-o", str(tmp_path / "a.scb")]) == 0
    assert "is read as" not in capsys.readouterr().err
