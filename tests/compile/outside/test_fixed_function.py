"""Built-in variables of GLSL 1.x: inputs, uniforms and outputs in their place, or one message."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from installed import needs
from lanewise.compile.outside.fixed_function import BUILTINS, MARK, Refused, as_written, shown, without_builtins
from lanewise.tools import cli
from together import together

OLD = """#version 120
/* gl_FogCoord is not read */ uniform float k;
void main() {
  gl_FrontColor = gl_Color * k;
  gl_TexCoord[1] = gl_TextureMatrix[1] * gl_MultiTexCoord0;
  gl_Position = ftransform();
}
"""


def test_declarations_are_in_a_line_of_the_source():
    (given,) = without_builtins([OLD])
    assert given.count("\n") == OLD.count("\n")
    line = given.split("\n")[1]
    assert line.startswith("/* gl_FogCoord is not read */ ") or line.endswith("uniform float k;")
    for name in (
        "Vertex",
        "Color",
        "MultiTexCoord0",
        "ModelViewProjectionMatrix",
        "TextureMatrix[2]",
        "FrontColor",
        "TexCoord[2]",
    ):
        assert f" {MARK}{name};" in line, name
    assert f" {MARK}FogCoord;" not in line
    assert f"{MARK}Position" not in given


@together(
    ("text", "at"),
    [
        ("void f(gl_Vertex) {}", 0),
        ("#version 110\n#extension A : enable\n  void f(gl_Vertex) {}", 37),
        ("#ifdef A\nfloat a;\n#endif\nvoid f(gl_Vertex) {}", 25),
        ("/* a\n b */ void f(gl_Vertex) {}", 11),
    ],
)
def test_declarations_are_in_front_of_the_code(text: str, at: int):
    (given,) = without_builtins([text])
    assert given[at:].startswith(f"in vec4 {MARK}Vertex;"), given


def test_included_files_have_them_too():
    main, inner = without_builtins(["void main() {}", "vec4 p() { return gl_Vertex; } // gl_Normal"])
    assert main == f"in vec4 {MARK}Vertex; void main() {{}}"
    assert inner.startswith(f"vec4 p() {{ return {MARK}Vertex; }}")
    assert without_builtins(["in vec4 gl_vertex;", "gl_Position"]) == ["in vec4 gl_vertex;", "gl_Position"]


def test_others_are_refused_together():
    text = "void main() {\n  gl_FrontColor = gl_LightSource[0].diffuse;\n  gl_FogFragCoord = 1.0;\n}\n"
    with pytest.raises(Refused) as raised:
        without_builtins([text])
    assert raised.value.line == 2
    assert list(raised.value.names) == ["gl_FogFragCoord", "gl_LightSource"]


def test_names():
    assert shown(f"{MARK}Vertex") == "position"
    assert shown("Vertex") == "Vertex"
    assert shown(f"entry.{MARK}FrontColor") == "entry.color"
    assert shown(f"entry.{MARK}TexCoord1") == "entry.texcoord1"
    assert shown(f"{MARK}Other") == f"{MARK}Other"
    assert as_written(f"'{MARK}Vertex' : odd") == "'gl_Vertex' : odd"
    for way in ("in", "uniform", "out"):
        names = [row.shown for row in BUILTINS.values() if row.declaration.startswith(way)]
        assert len(names) == len(set(names))


LIVE = [pytest.param("glslc", marks=needs("glslc")), pytest.param("glslang", marks=needs("glslangValidator"))]


@pytest.mark.parametrize("name", LIVE)
def test_a_shader_of_glsl_1(name: str, tmp_path: Path):
    (tmp_path / "a.vert").write_text(OLD)
    assert cli.main(["compile", str(tmp_path / "a.vert"), "-o", str(tmp_path / "a.shbin"), "--glsl-compiler", name]) == 0
    shader = lw.load(tmp_path / "a.shbin").vertex
    identity = np.eye(4)
    found = shader.run(
        {"position": [[1, 2, 3, 1]], "color": [[1, 2, 3, 4]], "texcoord0": [[5, 6, 7, 8]]},
        {"modelViewProjection": identity * 2, "textureMatrix": np.vstack([identity * 9, identity]), "k": 0.5},
    ).outputs
    assert found["position"].tolist() == [[2, 4, 6, 2]]
    assert found["color"].tolist() == [[0.5, 1, 1.5, 2]]
    assert found["texcoord1"].tolist()[0][:2] == [5, 6]


@needs("glslc")
def test_messages_have_the_names_of_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "a.vert"
    source.write_text("void main() {\n  gl_FrontColor = gl_Vertex.foo;\n  gl_Position = ftransform();\n}\n")
    assert cli.main(["compile", str(source), "--stage", "vector", "--glsl-compiler", "glslc"]) == 1
    text = capsys.readouterr().err
    assert MARK not in text
    assert "a.vert:2" in text
    source.write_text("void main() {\n  gl_FrontColor = gl_FrontMaterial.diffuse;\n}\n")
    assert cli.main(["compile", str(source), "--stage", "vector"]) == 1
    text = capsys.readouterr().err
    assert text.count("error[") == 1
    assert "error[L906]: gl_FrontMaterial is not available" in text
    assert "a.vert:2" in text
