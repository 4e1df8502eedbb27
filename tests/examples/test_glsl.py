"""The GLSL of examples/: what its SPIR-V compiles to, its pictures, the rule for make. Its values are in *.shadertest.toml
beside it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lanewise as lw
from installed import PACKAGES, needs
from lanewise.compile.outside.compilers import COMPILERS
from lanewise.tools import cli

GLSL = Path(__file__).resolve().parents[2] / "examples" / "glsl"
NAMES = ("toon", "skinning", "particle")


def test_there_are_examples():
    assert sorted(path.stem for path in GLSL.glob("*.vert")) == sorted(NAMES)
    assert sorted(path.stem for path in GLSL.glob("*.spv")) == sorted(NAMES)
    assert sorted(path.name.partition(".")[0] for path in GLSL.glob("*.shadertest.toml")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_they_compile_without_a_word(name: str):
    file = lw.load(GLSL / f"{name}.spv")
    assert file.diagnostics == ()
    assert file.check() == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_module_is_of_the_source(name: str):
    """A module holds the text that it was compiled from."""
    text = (GLSL / f"{name}.vert").read_text()
    assert text.encode() in (GLSL / f"{name}.spv").read_bytes()


@pytest.mark.skipif(
    not any(row.find(row.programs) for row in COMPILERS),
    reason=f"no compiler of GLSL is installed: apt-get install {PACKAGES['glslangValidator']}",
)
@pytest.mark.parametrize("name", NAMES)
def test_the_source_gives_the_same_program(name: str):
    assert lw.load(GLSL / f"{name}.vert").vertex.outputs == lw.load(GLSL / f"{name}.spv").vertex.outputs


def test_they_are_drawn(tmp_path: Path):
    subprocess.run([sys.executable, str(GLSL / "draw.py"), str(tmp_path)], check=True, capture_output=True)
    for name in NAMES:
        assert (tmp_path / f"{name}.svg").read_text().count("<path") > 20


def test_a_command_draws_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    uniforms = ["-u", "bands=4", "-u", "sun=0,0,1", "-u", "shade=0.1,0,0", "-u", "paint=0.5,1,0", "-u", "glossy=true"]
    scene = ["--mesh", str(GLSL.parent / "tetra.obj"), "--uniforms", str(GLSL / "scene.json")]
    assert cli.main(["run", str(GLSL / "toon.spv"), *scene, *uniforms, "--draw", "toon.svg"]) == 0
    assert "2 of 4 triangles" in Path("toon.svg").read_text()


@needs("make")
def test_the_rule_for_make(tmp_path: Path):
    for name in ("toon.spv", "glsl.mk"):
        shutil.copy(GLSL / name, tmp_path)
    (tmp_path / "shaders").mkdir()
    shutil.copy(GLSL / "toon.vert", tmp_path / "shaders")
    (tmp_path / "Makefile").write_text(
        "SOURCES := shaders\nall: toon.shbin\nshow:\n\t@echo $(GLSL_OFILES) $(GLSL_HFILES)\ninclude glsl.mk\n"
    )
    command = ["make", "-s", f"LANEWISE={sys.executable} -m lanewise"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert lw.load(tmp_path / "toon.shbin").vertex.outputs
    assert "toon_set_glossy" in (tmp_path / "toon.h").read_text()
    shown = subprocess.run([*command, "show"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert shown.stdout.split() == ["toon.shbin.o", "toon_shbin.h", "toon.h"]
    (tmp_path / "Makefile").write_text("include glsl.mk\nSOURCES := shaders\nall:\n")
    early = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert early.returncode
    assert "SOURCES is empty here" in early.stderr
