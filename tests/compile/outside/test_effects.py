"""Effects as text: the vertex shaders of their techniques, and what a compiler of HLSL takes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from installed import needs
from lanewise.compile.outside.effects import Vertex, has_techniques, vertex_shaders, without_effects
from lanewise.compile.outside.modules import to_spirv
from lanewise.core.diagnostics import InputError
from lanewise.core.service import SourceFile
from lanewise.tools import cli
from together import together

EFFECT = """float4x4 world : WORLD < string UIWidget = "None"; >;
texture Skin < string name = "a.dds"; >;
sampler2D skin = sampler_state {
  Texture = <Skin>;
};
struct Varying { float4 place : POSITION; float4 tint : COLOR0; float2 uv : TEXCOORD0; };
Varying Move(float4 p : POSITION, float4 c : COLOR0, float2 uv : TEXCOORD0)
{ Varying v; v.place = mul(p, world); v.tint = c; v.uv = uv; return v; }
float4 Paint(Varying v) : COLOR { return tex2D(skin, v.uv) * v.tint; }
technique Basic { // technique Old { pass P { VertexShader = compile vs_1_1 Gone(); } }
  pass First { VertexShader = compile vs_3_0 Move(); PixelShader = compile ps_3_0 Paint(); }
}
"""


@together(
    ("text", "found"),
    [
        (EFFECT, [Vertex("Basic", "First", "Move")]),
        ("technique10 A { pass { SetVertexShader(CompileShader(vs_4_0, Main(1, true))); } }", [Vertex("A", "", "Main")]),
        ("technique { pass P { VertexProgram = compile arbvp1 main(); } }", [Vertex("", "P", "main")]),
        ("VertexShader v = compile vs_2_0 F();\ntechnique A { pass P { VertexShader = <v>; } }", [Vertex("A", "P", "F")]),
        ("technique A { pass P { VertexShader = NULL; } }", []),
        (
            "technique A { pass P { pixelshader = compile ps_2_0 F(); } pass Q { vertexshader = compile vs_2_0 G(); } }",
            [Vertex("A", "Q", "G")],
        ),
        ("technique A { pass P { VertexShader = compile vs_2_0 F(); ", [Vertex("A", "P", "F")]),
        (
            "VertexShader All[2] = { compile vs_2_0 F(), compile vs_2_0 G(1) };\n"
            "technique A { pass P { VertexShader = (All[Of[Number]]); } }",
            [Vertex("A", "P", "F"), Vertex("A", "P", "G")],
        ),
        ("float4 technique;", []),
    ],
)
def test_vertex_shaders(text: str, found: list[Vertex]):
    assert vertex_shaders(text) == found
    assert has_techniques(text) == ("technique" in text and "{" in text)


def test_what_only_effects_have_is_left_out():
    plain = without_effects(EFFECT)
    assert plain.count("\n") == EFFECT.count("\n")
    lines = [line.strip() for line in plain.split("\n")]
    assert (lines[0].split(), lines[1]) == (["float4x4", "world", ":", "WORLD", ";"], "")
    assert " ".join(" ".join(lines[2:5]).split()) == "sampler2D skin ;"
    assert lines[6] == EFFECT.split("\n")[6]
    assert not "".join(lines[9:])
    state = "SamplerState s { Filter = MIN; };\nBlendState b { On = 1; };\nfloat x;"
    assert without_effects(state).split() == ["SamplerState", "s", ";", "float", "x;"]
    array = "VertexShader All[2] =\n{ compile ps_2_0 F(),\n compile ps_2_0 G() };\nfloat x;"
    assert without_effects(array).split() == ["float", "x;"] and without_effects(array).count("\n") == 3  # lines stay
    assert without_effects("float4 a; // no technique") == "float4 a; // no technique".replace("// no technique", " " * 15)


def test_a_constant_without_a_value_is_a_uniform():
    given = ["const row_major float4x4 m : register(c0);", "  extern const float a;"]
    text = "\n".join([*given, "const float b = 1;", "const float f(float x) { return x; }"])
    kept = without_effects(text).split("\n")
    assert [" ".join(line.split()) for line in kept[:2]] == ["row_major float4x4 m : register(c0);", "extern float a;"]
    assert kept[2:] == text.split("\n")[2:]


@pytest.mark.parametrize(
    "text", ["technique{", "const const ", "texture a\n", "pass {", "string a <", "= sampler_state {", "< string a = 1;"]
)
def test_hostile_texts_take_no_time(text: str):
    """A quadratic search of so many would take minutes."""
    whole = text * ((1 << 18) // len(text))
    assert vertex_shaders(whole) == []
    without_effects(whole)


def test_effects_without_one_vertex_shader():
    two = EFFECT + "technique More { pass P { VertexShader = compile vs_2_0 Other(); } }"
    with pytest.raises(InputError) as raised:
        to_spirv(SourceFile("a.fx", two.encode(), "a.fx"), "hlsl")
    (finding,) = raised.value.diagnostics
    assert finding.code in ("L907", "L900")
    if finding.code == "L907":
        assert finding.message == "the effect has 2 vertex shaders: Move and Other"


LIVE = [pytest.param("glslc", marks=needs("glslc")), pytest.param("glslang", marks=needs("glslangValidator"))]


@pytest.mark.parametrize("name", LIVE)
def test_an_effect_is_compiled(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.fx"
    path.write_text(EFFECT)
    options = ["--stage", "vector", "--glsl-compiler", name]
    assert cli.main(["compile", str(path), *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "program Move"
    assert {line.split()[2].partition(".")[0] for line in lines if line.startswith("input ")} == {"p", "c", "uv"}
    path.write_text(EFFECT + "technique More { pass P { VertexShader = compile vs_2_0 Other(); } }")
    assert cli.main(["compile", str(path), *options]) == 1
    assert "error[L907]: the effect has 2 vertex shaders: Move and Other" in capsys.readouterr().err
    for entry in ("Move", "Basic", "Basic/First"):
        assert cli.main(["compile", str(path), *options, "--entry-point", entry]) == 0
        assert capsys.readouterr().out.startswith("program Move\n")
    path.write_text("technique A { pass P { PixelShader = compile ps_2_0 F(); } }")
    assert cli.main(["compile", str(path), *options]) == 1
    assert "error[L903]: this is not a vertex shader: no pass of the effect names one" in capsys.readouterr().err
