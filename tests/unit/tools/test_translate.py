from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from documents import checked
from lanewise.tools import cli

SOURCE = """.fvec projection[4], tint
.constf myconst(0.0, 1.0, -2.0, 0.5)
.alias ones myconst.yyyy
.in position
.in float            ; a word of C
.out outpos position
.out return color
.bool flag
.proc main
    dp4 outpos.x, projection[0], position
    dp4 outpos.y, projection[1], position
    dp4 outpos.z, projection[2], position
    dp4 outpos.w, projection[3], position
    ifu flag
        mul return, tint, float.xxyy
    .else
        mov return, ones
    .end
    end
.end
"""
LANGUAGES = ("c", "cpp", "glsl", "wgsl")


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "light.v.pica"
    path.write_text(SOURCE)
    return path


def test_c(source: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["translate", "light.v.pica", "--to", "c"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("// light.v.pica as float24 code under the profile hardware")
    assert "    out->outpos.x = pica_dot4(u->projection[0], in->position);" in text
    assert "// dp4 outpos.x, projection[0], position" in text
    assert "    if (u->flag) {" in text
    assert "        out->return_ = pica_mul4(u->tint, pica_xxyy(in->float_));" in text
    assert "        out->return_ = pica_yyyy(u->myconst);" in text
    assert "    pica_vec4 projection[4];  // c0 to c3" in text
    assert "    u->myconst.z = 0xC00000u;" in text


@pytest.mark.parametrize("to", LANGUAGES)
@pytest.mark.parametrize("numbers", ["float24", "float"])
def test_json(source: Path, capsys: pytest.CaptureFixture[str], to: str, numbers: str):
    assert cli.main(["translate", "light.v.pica", "--to", to, "--numbers", numbers, "--format", "json"]) == 0
    document = checked(capsys.readouterr().out)
    (shader,) = document["shaders"]
    assert shader["structured"]
    assert [member["register"] for member in shader["inputs"]] == ["v0", "v1"]
    assert [member["register"] for member in shader["outputs"]] == ["o0", "o1"]
    assert sum(member["size"] for member in shader["uniforms"]) == 96 + 4 + 16
    names = [member["name"] for key in ("inputs", "outputs") for member in shader[key]]
    assert all(name in document["text"] for name in names)
    assert document["profile"].startswith("hardware" if numbers == "float24" else "azahar")


def test_a_file_is_written(source: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["translate", "light.v.pica", "--to", "glsl", "-o", "light.vert"]) == 0
    assert Path("light.vert").read_text().startswith("#version 300 es\n")
    assert capsys.readouterr().out == ""


def test_refused(source: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["translate", "light.v.pica"]) == 2
    assert "name a language: --to c, cpp, glsl or wgsl" in capsys.readouterr().err
    assert cli.main(["translate", "light.v.pica", "--to", "c", "--profile", "azahar"]) == 2
    assert "computes in float32, not in float24: use --numbers float" in capsys.readouterr().err
    assert cli.main(["translate", "light.v.pica", "--to", "c", "--set", "mad_rounding=once"]) == 2
    assert "mad_rounding=once has no translation: use --set mad_rounding=twice" in capsys.readouterr().err
    geometry = Path(__file__).parents[3] / "examples" / "shrink.g.pica"
    assert cli.main(["translate", str(geometry), "--to", "glsl"]) == 2
    assert "use --to c or --to cpp" in capsys.readouterr().err


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc")
@pytest.mark.parametrize("numbers", ["float24", "float"])
def test_compilers_have_no_warnings(source: Path, numbers: str):
    for to, command in (("c", ["gcc", "-std=c11", "-x", "c"]), ("cpp", ["g++", "-std=c++17", "-x", "c++"])):
        if not shutil.which(command[0]):
            continue
        assert cli.main(["translate", "light.v.pica", "--to", to, "--numbers", numbers, "-o", "shader.txt"]) == 0
        Path("user.txt").write_text('#include "shader.txt"\n')
        flags = ["-Wall", "-Wextra", "-Wno-unused-function", "-Werror", "-fsyntax-only"]
        done = subprocess.run([*command, *flags, "user.txt"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


RUN = """#include "shrink.hpp"
#include <cstdio>
#include <new>

int main() {
    alignas(shrink::State) unsigned char memory[sizeof(shrink::State)];
    for (unsigned char &byte : memory) byte = 0xFF;
    shrink::State *state = new (memory) shrink::State;  // zeros, whatever was there
    shrink::Inputs in{};
    shrink::Uniforms u{};
    shrink::constants(u);
    int count = 0;
    int code = shrink::run(*state, in, u, [&](const shrink::Outputs *, bool) { count++; });
    std::printf("%d %d %d\\n", code, count, static_cast<int>(state->bank.first.w));
}
"""


@pytest.mark.skipif(not shutil.which("g++"), reason="there is no g++")
def test_a_geometry_shader_in_cpp(tmp_path: Path):
    geometry = Path(__file__).parents[3] / "examples" / "shrink.g.pica"
    assert cli.main(["translate", str(geometry), "--to", "cpp", "-o", str(tmp_path / "shrink.hpp")]) == 0
    text = (tmp_path / "shrink.hpp").read_text()
    assert "    Outputs out{}, bank{};  // EMIT swaps them" in text
    (tmp_path / "main.cpp").write_text(RUN)
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", str(tmp_path / "main.cpp")]
    subprocess.run([*command, "-o", str(tmp_path / "main")], check=True)
    done = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, check=True)
    assert done.stdout == "0 1 0\n"
