"""Files that are given in place of programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus import REPOSITORY
from lanewise.core.foreign import foreign_kind, foreign_source
from lanewise.packages import recognise
from lanewise.tools import cli
from together import together

GLSL = "#version 330 core\nlayout(location = 0) in vec3 pos;\nvoid main() { gl_Position = vec4(pos, 1.0); }\n"
GLSL_ES = "attribute vec4 pos;\nuniform mat4 m;\nvoid main(void)\n{\n  gl_Position = m * pos;\n}\n"
HLSL = "float4 main(float4 p : POSITION) : COLOR0\n{\n  return p;\n}\n"
EFFECT = "float4x4 m;\ntechnique T\n{\n  pass P { VertexShader = compile vs_2_0 main(); }\n}\n"


@together(
    ("name", "data", "title"),
    [
        ("game.elf", b"\x7fELF\x01\x01\x01\0", "an ELF file"),
        ("game.3dsx", b"3DSX\x20\0\x08\0", "a 3DSX program"),
        ("game.cia", b"\x20\x20" + bytes(40), "a CIA package"),
        ("game.3ds", bytes(0x100) + b"NCSD", "a 3DS ROM"),
        ("game.exe", b"MZ\x90\0\x03\0", "a Windows program"),
        ("x.png", b"\x89PNG\r\n\x1a\n\0\0", "a PNG picture"),
        ("x.bmp", b"BM\x36\0\0\0", "a BMP picture"),
        ("x.zip", b"PK\x03\x04\0", "a ZIP archive"),
        ("x.npy", b"\x93NUMPY\x01\0", "a NumPy array"),
        ("x.npz", b"PK\x03\x04" + bytes(26) + b"position.npy", "arrays by name"),
        ("x.ipynb", b'{"cells": [], "nbformat": 4}', "a notebook"),
        ("x.pkl", b"\x80\x04\x95\x03\0", "a pickle of Python"),
        ("x.h5", b"\x89HDF\r\n", "an HDF5 file"),
        ("x.glb", b"glTF\x02\0\0\0", "a glTF model"),
        ("x.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "an OBJ model"),
        ("a.shadertest.toml", b'[[case]]\nshader = "a.v.pica"\n', "a file of shader tests"),
        ("scene.toml", b"[uniforms]\nm = [1, 2]\n", "a TOML file"),
        ("scene.json", b'{"m": [1]}', "a JSON file"),
        ("data", b'{"schema": "lanewise/data/1"}', "the data of a run"),
        ("dump.json", b'{"isa": "pica200", "program": {"words": [1]}}', "a dump of a program"),
        ("a.glsl", GLSL.encode(), "GLSL"),
        ("a.vsh", GLSL_ES.encode(), "GLSL"),
        ("a.vsh", HLSL.encode(), "HLSL"),
        ("a", EFFECT.encode(), "an effect in HLSL"),
        ("b.hlsl", b"// nothing", "HLSL"),
        ("scene", b'[uniforms]\nm = [1, 2]\nname = "x"\n', "a TOML file"),
        ("run", b"#!/bin/sh\n[a]\nb = 1\n", "a script"),
        ("README.md", b"# A\n```toml\n[uniforms]\nm = 1\n```\n[link]\n", "Markdown"),
        ("glsl.md", b"# A\n```\n" + GLSL.encode() + b"```\n", "Markdown"),
        ("shaders.py", b'SOURCE = """\n' + GLSL.encode() + b'"""\n', "Python"),
        ("draw.h", b"namespace draw {}\n", "C or C++"),
        ("draw.cpp", b'const char *text = R"(\n' + GLSL.encode() + b')";\n', "C or C++"),
        ("a.yaml", b"a: [1]\nb:\n  - uniform vec4 x;\n", "YAML"),
        ("openssl.cnf", b"[ca]\ndefault_ca = CA\n", "a file of settings"),
        ("setup.ini", b"[ca]\ndefault_ca = 1\n", "a file of settings"),
        ("build\\Makefile", b"[x]\nA = 1\n", "a makefile"),
        ("rules.mk", b"all:\n\tend\n", "a makefile"),
        ("CMakeLists.txt", b"project(a)\n", "CMake"),
        ("go.sh", b"A=1\n", "a script of a shell"),
        ("a.c", b"#include <3ds.h>\nint main(void) { }\n", "C or C++"),
    ],
)
def test_kinds(name: str, data: bytes, title: str):
    kind = foreign_kind(name, data)
    assert kind is not None
    assert kind.title == title
    assert kind.fix


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"buy milk\n",
        bytes(64),
        b"BM is a text\n",
        b"MZ too\n",
        b"[a link]\nand text\nx = y\n",
        b"[ca]\nroot = ./ca\n",
        b"[" * 5000,
    ],
)
def test_other_files(data: bytes):
    assert foreign_kind("notes", data) is None


@together(
    "path",
    sorted(
        path
        for folder in ("examples", "tests/golden")
        for path in (REPOSITORY / folder).rglob("*")
        if path.suffix in (".pica", ".vsh", ".gsh", ".sc")
    ),
    ids=lambda path: path.name,
)
def test_sources_of_our_languages_are_not_foreign(path: Path):
    assert foreign_source(path.read_bytes().decode("latin-1")) is None


def test_other_languages_in_comments_are_not_looked_at():
    assert foreign_source("; uniform vec4 x;\n// void main()\n/* #version 330\nvoid main() */\nmain:\nend\n") is None


@pytest.mark.parametrize(
    "text", ["The terms are these:\n  see http://example.org\n", "Terms:\n  see http://example.org\n", "a link:\n  a // b\n"]
)
def test_prose_is_not_a_source(text: str):
    assert recognise("COPYING", text.encode()) is None


@pytest.mark.parametrize("name", ["notes.md", "notes.py", "notes.cnf", "Makefile"])
@pytest.mark.parametrize(
    "text", ["main:\n    mov r0, r1\n    end\n", ".out o position\n.proc main\n    mov o, v0\n    end\n.end\n", GLSL]
)
def test_a_page_that_quotes_a_shader_is_not_formatted(text: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / name
    path.write_text(text)
    assert cli.main(["fmt", str(path)]) == 2
    kind = foreign_kind(name, b"")
    assert kind is not None
    assert f"{name} is {kind.title}, which" in capsys.readouterr().err
    assert path.read_text() == text
    assert cli.main(["check", str(path)]) == 1
    assert f"this is {kind.title}, not a program" in capsys.readouterr().out


@together(
    ("text", "title", "line"),
    [
        ("<!DOCTYPE html>\n<html></html>\n", "a page of the web", 1),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a pointer of Git LFS", 1),
        ("diff --git a/x b/x\n--- a/x\n+++ b/x\n", "a patch", 1),
        (".proc main\n<<<<<<< HEAD\nmov r0, r1\n=======\nmov r0, r2\n>>>>>>> b\n", "a source with a conflict of a merge", 2),
        ("# A shader\n\n```\n.proc main\n```\n", "Markdown", 3),
        ('{\n  "lights": [1]\n}\n', "a JSON file", 1),
        ("o cube\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "an OBJ model", 2),
    ],
)
def test_what_is_saved_as_a_source_is_one_finding(text: str, title: str, line: int):
    from lanewise.core.foreign import saved_as_source
    from lanewise.pica200.api.assembling import assemble_sources

    found = saved_as_source(text)
    assert found is not None and (found[0].title, found[1]) == (title, line)
    for name in ("a.v.pica", "a.vsh"):
        (finding,) = assemble_sources([(name, text)]).diagnostics
        assert finding.message.startswith(f"this is {title}: ") and finding.span.line == line and finding.fix == found[0].fix


def test_blank_lines_are_of_no_kind():
    """However many: every expression for a line was tried from each of them to the last."""
    assert foreign_kind("a.txt", b"\n" * 60_000) is None


def test_a_source_is_a_source():
    from lanewise.core.foreign import saved_as_source

    assert saved_as_source("; {\n.fvec v\n.proc main\n  mov r0, v0\n.end\n") is None
