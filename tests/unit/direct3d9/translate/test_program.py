from __future__ import annotations

import ctypes
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from installed import missing, needs
from lanewise.direct3d9.api.services.translate import subject_of
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.direct3d9.translate.program import Translation, translate
from lanewise.tools.cli import main
from lanewise.translating.support import RefusedError

WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
PIXELS = """ps_2_0
def c0, 0.5, 1, 0, -1
dcl t0.xy
dcl v0
dcl_2d s0
texld r0, t0, s0
mul r0, r0.yxzw, v0
sub r1, r0, c0.x
texkill r1
mov oC0, r0
"""
VERTICES = """vs_3_0
def c5, 0, 0.5, 1, 2
dcl_position v0
dcl_position o0
dcl_texcoord o1
mova a0.x, v0.w
loop aL, i0
  if_lt v0.x, c5.x
    break_gt v0.y, c5.z
  endif
  add r0.xyzw, r0.wxyz, c[a0.x + 4]
endloop
setp_gt p0.xy, v0.xy, c5.x
(p0) mov r0.xy, -r0.yx
call l1
mov o0, r0
mov o1, v0
ret
label l1
if b0
  ret
endif
mul r0.z, r0.z, c5.w
ret
"""


def translated(text: str, to: str = "c", rule: str = "ieee") -> Translation:
    return translate(subject_of(Direct3DShader.from_source(text, "light.psa")), to, rule_of(rule))


@needs("gcc")
def test_textures_are_a_function_of_the_application(tmp_path: Path):
    text = translated(PIXELS).text
    source, built = tmp_path / "light.c", tmp_path / "light.so"
    source.write_text(text)
    subprocess.run(["gcc", *WARNINGS, "-shared", "-fPIC", str(source), "-o", str(built)], check=True)
    asked: list[tuple[int, int, list[int]]] = []
    word = ctypes.POINTER(ctypes.c_uint32)

    def sample(user: object, kind: int, sampler: int, at: object, dx: object, dy: object, color: object) -> None:
        assert isinstance(at, word)
        assert isinstance(color, word)
        asked.append((kind, sampler, at[:2]))
        for n, value in enumerate((0.25, 1.0, 2.0, 4.0)):
            (color[n],) = struct.unpack("<I", struct.pack("<f", value))

    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, word, word, word, word)
    one, half = 0x3F800000, 0x3F000000
    out = (ctypes.c_uint32 * 8)()
    inputs = (ctypes.c_uint32 * 8)(*[one] * 4, half, one, 0, 0)
    ctypes.CDLL(str(built)).light(inputs, (ctypes.c_uint32 * 1)(), out, kind(sample), None)
    assert asked == [(0, 0, [half, one])]
    assert struct.unpack("<4f", bytes(out)[:16]) == (1.0, 0.25, 2.0, 4.0)
    assert out[4] & 1  # 0.25 - 0.5 is negative


@needs("gcc", "g++")
@pytest.mark.parametrize("text", [PIXELS, VERTICES], ids=["pixels", "vertices"])
@pytest.mark.parametrize(("to", "command"), [("c", "gcc"), ("cpp", "g++")])
def test_compiles_without_a_warning(text: str, to: str, command: str, tmp_path: Path):
    source = tmp_path / f"light.{'c' if to == 'c' else 'cc'}"
    source.write_text(translated(text, to, "d3d9").text)
    subprocess.run([command, *WARNINGS, "-fsyntax-only", str(source)], check=True)


@pytest.mark.skipif(not shutil.which("glslangValidator"), reason=missing("glslangValidator"))
@pytest.mark.parametrize(("text", "suffix"), [(PIXELS, "frag"), (VERTICES, "vert")], ids=["pixels", "vertices"])
def test_glsl_is_valid(text: str, suffix: str, tmp_path: Path):
    source = tmp_path / f"light.{suffix}"
    source.write_text(translated(text, "glsl").text)
    subprocess.run(["glslangValidator", str(source)], check=True)


@pytest.mark.parametrize("to", ["glsl", "wgsl"])
def test_values_are_not_called_as_inputs_are(to: str):
    """Pixel shaders have inputs t0 to t7, which are named without a structure."""
    body = "".join(f"texcoord t{n}\n" for n in range(4)) + "lrp r0, v0, v1, t1_bias\nlrp_x2 r0, t1_bx2, t2_bias, t3_bias\n"
    found = translated(f"ps_1_3\n{body}", to)
    values = set(re.findall(r"(?:uint|let|var) (\w+)\b[^=\n]* = ", found.text))
    assert values
    assert not values & {name for name, _, _ in found.inputs}


def test_flow_is_loops_and_branches():
    found = translated(VERTICES)
    assert found.structured
    assert [name for name, _, _ in found.uniforms] == ["c", "i", "b"]
    assert "goto" not in found.text


def test_what_reads_other_pixels_is_refused_with_its_line():
    with pytest.raises(RefusedError, match=r"light.psa:3: dsx reads other pixels"):
        translated("ps_3_0\ndcl_texcoord v0\ndsx r0, v0\nmov oC0, r0\n")
    with pytest.raises(RefusedError, match=r"light.psa:3: rcp reads other lanes on rtl") as caught:
        translated("ps_2_0\ndcl v0\nrcp r0, v0.x\nmov oC0, r0\n", rule="rtl")
    assert caught.value.fix == "use --set rcp_sigma=fixed"
    with pytest.raises(RefusedError, match=r"light.psa:3: sincos of any angle") as caught:
        translated("ps_3_0\ndcl_texcoord v0\nsincos r0.xy, v0.x\nmov oC0, r0.xyxy\n")
    assert caught.value.fix == "use --set sincos=series"


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "light.psa"
    source.write_text(PIXELS)
    assert main(["translate", str(source), "--to", "wgsl"]) == 0
    assert "fn light(at: Inputs) -> Outputs {" in capsys.readouterr().out
    assert main(["translate", str(source), "--to", "c", "--format", "json", "-o", str(tmp_path / "light.c")]) == 0
    assert '"stage": "pixel"' in capsys.readouterr().out


def test_many_constants_that_an_index_may_mean():
    definitions = "".join([f"def c{n}, {n}, 1, 2, 3\n" for n in range(250)])
    text = f"vs_2_x\n{definitions}dcl_position v0\nmova a0.x, v0.x\nif_lt c[a0.x].x, v0.y\nmov oPos, c[a0.x]\nendif\n"
    found = translated(text).text
    assert "d3d_address(in->v0.x, 1u)" in found
    deepest = depth = 0
    for letter in found:
        depth += (letter == "(") - (letter == ")")
        deepest = max(deepest, depth)
    assert deepest < 32
