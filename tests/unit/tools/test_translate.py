from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from documents import checked
from installed import needs
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
    used = numbers == "float" and to in ("c", "cpp")  # what is not read is not in their structures
    assert sum(member["size"] for member in shader["uniforms"]) == (7 if used else 96 + 4 + 16)
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


def test_a_geometry_shader_that_is_left_out_is_named(source: Path, capsys: pytest.CaptureFixture[str]):
    geometry = Path(__file__).parents[3] / "examples" / "particles.g.pica"
    linked = ["translate", str(geometry.with_name("particles.v.pica")), str(geometry), "--to"]
    assert cli.main([*linked, "glsl"]) == 0
    remark = "lanewise translate: GLSL ES 3.00 has vertex shaders only: the geometry shader particles.g.pica is left out\n"
    assert capsys.readouterr().err == remark
    assert cli.main([*linked, "c"]) == 0
    assert capsys.readouterr().err == ""


def test_words_of_a_dump(capsys: pytest.CaptureFixture[str]):
    dump = Path(__file__).parents[3] / "examples" / "dump"
    words = ["translate", "--words", str(dump / "code.txt"), "--to", "c"]
    assert cli.main([*words, "--descriptors", str(dump / "descriptors.json")]) == 0
    text = capsys.readouterr().out
    assert "static void code_procedure_0(code_registers *s, const code_inputs *in, const code_uniforms *u) {" in text
    assert "    code_procedure_0(s, in, u); " in text
    assert cli.main(words) == 2
    assert "word 0 uses operand descriptor 0: the program has none: add --descriptors DESC" in capsys.readouterr().err
    assert cli.main(["translate", "--to", "c"]) == 2
    assert "name a FILE" in capsys.readouterr().err


PROCEDURES = """.in position
.in scale
.out outpos position
.bool flag
.ivec count
.proc main
    mov r0, position
    mov r5, scale        ; which nothing reads
    call grow
    for count
        call grow
    .end
    callu flag, grow
    mov outpos, r0
    end
.end
.proc grow
    ifu flag
        add r0, r0, scale
    .else
        mul r0, r0, scale
    .end
    nop
.end
"""


@pytest.mark.parametrize(
    ("file", "name"), [("gamma.v.pica", "gamma_"), ("3d-mesh.v.pica", "x3d_mesh"), ("main.v.pica", "main_")]
)
def test_names_of_functions(source: Path, capsys: pytest.CaptureFixture[str], file: str, name: str):
    """Not those of functions of C, and legal."""
    Path(file).write_text(SOURCE)
    assert cli.main(["translate", file, "--to", "c"]) == 0
    assert f"int {name}(const {name}_inputs *in, " in capsys.readouterr().out


def test_names_that_a_translation_has_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    text = (
        ".in Inputs\n.fvec run, light, light_grow\n.out outpos position\n.proc main\nmul r0, run, Inputs\ncall grow\n"
        "add r0, light, r0\nmov outpos, r0\nend\n.end\n"
    )
    Path("light.v.pica").write_text(text + ".proc grow\nadd r0, light_grow, r0\nnop\n.end\n")
    assert cli.main(["translate", "light.v.pica", "--to", "wgsl"]) == 0
    found = capsys.readouterr().out
    declared = re.findall(r"^(?:fn|const|struct) (\w+)", found, re.M) + re.findall(r"^var<\w+> (\w+)", found, re.M)
    assert len(declared) == len(set(declared))
    assert "fn light_2(vertex: Inputs)" in found
    assert "const run_: i32 = 0;" in found
    assert "given.Inputs_" in found


@pytest.mark.parametrize("to", LANGUAGES)
def test_procedures_are_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], to: str):
    monkeypatch.chdir(tmp_path)
    Path("p.v.pica").write_text(PROCEDURES)
    assert cli.main(["translate", "p.v.pica", "--to", to, "--numbers", "float"]) == 0
    text = capsys.readouterr().out
    head, call = {
        "c": ("static void p_grow(p_registers *s, const p_inputs *in, const p_uniforms *u) {", "p_grow(s, in, u); "),
        "cpp": ("inline void p_grow(Registers &s, const Inputs &in, const Uniforms &u) {", "p_grow(s, in, u); "),
        "glsl": ("void p_grow() {", "p_grow(); "),
        "wgsl": ("fn p_grow() {", "p_grow(); "),
    }[to]
    assert text.count(head) == 1
    assert text.count(call) == 3
    assert text.count("// call grow") == 2
    assert text.count("// add r0, r0, scale") == 1
    assert "r5" not in text


@needs("gcc")
@pytest.mark.parametrize("numbers", ["float24", "float"])
def test_compilers_have_no_warnings(source: Path, numbers: str):
    Path("p.v.pica").write_text(PROCEDURES)
    for to, command in (("c", ["gcc", "-std=c11", "-x", "c"]), ("cpp", ["g++", "-std=c++17", "-x", "c++"])):
        if not shutil.which(command[0]):
            continue
        for name in ("light", "p"):
            assert cli.main(["translate", f"{name}.v.pica", "--to", to, "--numbers", numbers, "-o", f"{name}.txt"]) == 0
        # Two files of C have the same functions.
        alone = [Path(f"{name}.txt").read_text() for name in ("light", "p")]  # not as a header: the text is the file itself
        units = alone if to == "c" else [*alone, '#include "light.txt"\n#include "p.txt"\n']
        for unit in units:
            flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-"]
            done = subprocess.run([*command, *flags], input=unit, capture_output=True, text=True, check=False)
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


@needs("g++")
def test_a_geometry_shader_in_cpp(tmp_path: Path):
    geometry = Path(__file__).parents[3] / "examples" / "shrink.g.pica"
    assert cli.main(["translate", str(geometry), "--to", "cpp", "-o", str(tmp_path / "shrink.hpp")]) == 0
    text = (tmp_path / "shrink.hpp").read_text()
    assert "    Outputs out{}, bank{};  // EMIT swaps them" in text
    (tmp_path / "main.cpp").write_text(f'#include "shrink.hpp"\n{RUN}')  # twice is once
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", str(tmp_path / "main.cpp")]
    subprocess.run([*command, "-o", str(tmp_path / "main")], check=True)
    done = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, check=True)
    assert done.stdout == "0 1 0\n"


@needs("gcc")
def test_the_program_of_the_documentation(tmp_path: Path):
    root = Path(__file__).parents[3]
    program, _ = re.findall(r"```c\n(.*?)```", (root / "docs" / "translating.md").read_text(), re.S)
    toon = str(root / "examples" / "toon.v.pica")
    assert cli.main(["translate", toon, "--to", "c", "--numbers", "float", "-o", str(tmp_path / "toon.c")]) == 0
    (tmp_path / "main.c").write_text(program)
    command = [
        "gcc",
        "-ffp-contract=off",
        "-Wall",
        "-Wextra",
        "-Werror",
        str(tmp_path / "main.c"),
        "-lm",
        "-o",
        str(tmp_path / "main"),
    ]
    subprocess.run(command, check=True)
    assert subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, check=True).stdout == "0: 1 2 3 1\n"


def test_what_differs_from_the_hardware_is_in_the_head(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Fields of the profile that an instruction of the program asks for, with how well the hardware is known."""
    source = tmp_path / "a.v.pica"
    source.write_text(".out pos position\n.in place\n.proc main\n    mov pos, place\n    end\n.end\n")

    def head(*options: str) -> str:
        assert cli.main(["translate", str(source), "--to", "c", *options]) == 0
        return capsys.readouterr().out.partition("#include")[0]

    assert "What differs" not in head()
    assert "//   negative_zero=ieee: Sign of zero (C3); hardware: unseen, inferred\n" in head("--numbers", "float")
    assert "dot_order" not in head("--numbers", "float")
    source.write_text(source.read_text().replace("mov pos, place", "dp4 pos, place, place"))
    assert "//   dot_order=from-zero: Order of additions in dot products (C11); hardware: left, unknown\n" in head(
        "--numbers", "float"
    )
    assert "//   rounding=nearest: Rounding of results (C2); hardware: zero, unknown\n" in head("--set", "rounding=nearest")
