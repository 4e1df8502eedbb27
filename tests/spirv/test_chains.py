"""A vector times a product of matrices: by one factor after the other, where nothing says precise or invariant."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from installed import needs
from lanewise.compile.outside.modules import to_spirv
from lanewise.compile.spirv.lower import Options, lower
from lanewise.compile.spirv.module import Module, read_module
from lanewise.compile.vector.code import DOT, Operate
from lanewise.compile.vector.split import Invariance
from lanewise.compile.vector.walk import statements
from lanewise.core.service import SourceFile
from lanewise.tools.cli import main
from spirv import shaders

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DECORATE, INVARIANT, NO_CONTRACTION = 71, 18, 42


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main([*arguments])
    return code, capsys.readouterr().out


def dots(data: bytes, *, strict: bool = False) -> int:
    """How many dot products the program of a module has."""
    module = read_module(data, "chains")
    assert isinstance(module, Module)
    program = lower(module, Options(strict=strict, unnamed=True)).program
    assert program is not None
    return sum([isinstance(s, Operate) and s.op == DOT for s in statements(program.body)])


def left_for_vertices(data: bytes) -> int:
    """How many operations depend on a vertex where products of matrices of uniforms are computed first."""
    module = read_module(data, "chains")
    assert isinstance(module, Module)
    program = lower(module, Options(joined=True, unnamed=True)).program
    assert program is not None
    turns = Invariance(program).turns
    return sum([isinstance(s, Operate) and (s.result, 0) not in turns for s in statements(program.body)])


def with_decorations(data: bytes, change: Callable[[tuple[int, ...]], tuple[int, ...]]) -> bytes:
    """A module with each OpDecorate changed; of no words, it is gone."""
    words = struct.unpack(f"<{len(data) // 4}I", data)
    found, at = list(words[:5]), 5
    while at < len(words):
        inst = words[at : at + (words[at] >> 16)]
        at += len(inst)
        found += change(inst) if inst[0] & 0xFFFF == DECORATE else inst
    return struct.pack(f"<{len(found)}I", *found)


@pytest.mark.parametrize("level", shaders.LEVELS)
def test_factors_are_multiplied_in_turn(level: str):
    """4 + 4 + 4 for the position, 4 + 3 for the normal; the transposed ones are sums of columns. In the order of the source two
    products of 16, one of 9 and one of 6 are dot products too."""
    data = shaders.binary("chains", level)
    assert (dots(data), dots(data, strict=True)) == (12 + 7, 16 + 16 + 4 + 3 + 9 + 3 + 6 + 2)


@pytest.mark.parametrize("level", shaders.LEVELS)
def test_what_is_precise_keeps_its_order(level: str):
    """The colour is; the product that it needs serves the position too, which may be reassociated alone."""
    data = shaders.binary("ordered", level)
    free = with_decorations(data, lambda inst: () if inst[2] == NO_CONTRACTION else inst)
    assert (dots(data), dots(free), dots(free, strict=True)) == (24, 16, 24)


def test_what_is_invariant_keeps_its_order():
    """Two programs with one expression give one value, whatever else they need of the product."""
    data = shaders.binary("chains", "O0")
    invariant = with_decorations(data, lambda inst: (*inst, 3 << 16 | DECORATE, inst[1], INVARIANT))
    assert dots(invariant) == dots(data, strict=True)


@needs("glslc")
def test_a_product_that_has_a_column_of_its_factor():
    """The second column of `a * b * turned` is that of `a * b`."""
    turned = "mat4 turned = mat4(s, 0, t, 0, 0, 1, 0, 0, -t, 0, s, 0, 0, 0, 0, 1);"
    code = f"""#version 450
in vec3 place;
uniform mat4 a, b;
uniform float s, t;
void main() {{ {turned} gl_Position = a * b * turned * vec4(place, 1.0); }}
"""
    data = to_spirv(SourceFile("turned.vert", code.encode(), "turned.vert"), "glsl").data
    assert dots(data) == 4 + 4 + 2


# What is computed of a place, with the operations that a vertex needs.
JOINED = (
    ("gl_Position = a * (b * p);", 4),
    ("gl_Position = p * a * b;", 4),
    ("gl_Position = a * b * (a * p);", 4),
    ("vec4 q = b * p; gl_Position = a * q; color = q;", 8),
    ("vec4 q = b * p; gl_Position = a * q; color = -q.zzzz;", 5),
    ("gl_Position = a * vec4((b * p).xyz, 1.0);", 4),
    ("gl_Position = a * vec4((b * vec4(p.xyz, 2.0)).xyz, 1.0);", 7),
    ("gl_Position = a * vec4(-(b * p).xy, 0.0, 1.0);", 4),
    ("gl_Position = a * (bones[int(p.x)] * p);", 10),  # and the index
    ("precise vec4 q = a * (b * p); gl_Position = q;", 8),
)


@needs("glslc")
def test_matrices_of_uniforms_are_joined():
    """Down to the attribute, whoever reads the vector between; not those that a vertex chooses, nor what is precise."""
    head = "#version 450\nin vec3 place;\nuniform mat4 a, b, bones[4];\nout vec4 color;\n"
    for text, wanted in JOINED:
        code = f"{head}void main() {{ vec4 p = vec4(place, 1.0); color = p; {text} }}"
        source = SourceFile("joined.vert", code.encode(), "joined.vert")
        assert left_for_vertices(to_spirv(source, "glsl").data) == wanted, text
    assert left_for_vertices(shaders.binary("chains", "O0")) == 4 + 3 + 3 + 2


@needs("glslc")
def test_a_product_that_a_preamble_computes_is_a_remark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Of uniforms only, where it was taken apart."""
    monkeypatch.chdir(tmp_path)
    remark = "a product of matrices is the same for all vertices (remark.vert:4): --preamble"
    for text, options, wanted in (
        ("a * b * p", [], True),
        ("a * b * p", ["--strict"], False),
        ("a * b * p", ["--preamble"], False),
        ("a * (b * p)", [], False),
        ("a * bones[int(p.x)] * p", [], False),
        ("mat4(p, p, p, p) * b * p", [], False),
    ):
        head = "#version 450\nin vec4 p;\nuniform mat4 a, b, bones[4];\n"
        (tmp_path / "remark.vert").write_text(f"{head}void main() {{ gl_Position = {text}; }}\n", encoding="utf-8")
        assert main(["compile", "remark.vert", "--check", *options]) == 0
        assert (remark in capsys.readouterr().err) == wanted, (text, options)


def test_the_premise_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """With its lines; in the order of the source nothing is said, and the programs of both orders are not equal."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chains.spv").write_bytes(shaders.binary("chains", "O0"))
    for target, suffix, more in (("pica200", "shbin", []), ("shadercore", "sc", ["--target", "shadercore"])):
        files = [f"free.{suffix}", f"strict.{suffix}"]
        assert ran(capsys, "compile", "chains.spv", *more, "-o", files[0])[0] == 0
        assert ran(capsys, "compile", "chains.spv", *more, "--strict", "-o", files[1])[0] == 0
        code, out = ran(capsys, "diff", "chains.spv", files[0])
        assert (code, "reassociated: (A * B) * v is A * (B * v)" in out) == (0, True), target
        code, out = ran(capsys, "diff", "chains.spv", files[1], "--strict")
        assert (code, "reassociated" in out) == (0, False), target
        assert ran(capsys, "diff", "chains.spv", files[1])[0] != 0, target


def test_a_project_keeps_the_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """`[compile] strict = true` is `--strict`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chains.spv").write_bytes(shaders.binary("chains", "O0"))
    sizes: list[int] = []
    for text in ("", "[compile]\nstrict = true\n"):
        (tmp_path / "lanewise.toml").write_text(text, encoding="utf-8")
        assert ran(capsys, "compile", "chains.spv", "-o", "chains.shbin")[0] == 0
        sizes.append((tmp_path / "chains.shbin").stat().st_size)
    assert sizes[0] < sizes[1]
