"""Sources of other projects show their shape: what they leave open is filled in, and said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lanewise.core.diagnostics import InputError

from lanewise_studio.attempts import read, tried
from lanewise_studio.evaluation import Evaluation
from lanewise_studio.panes.compiled import compiled
from lanewise_studio.panes.data import data, source
from lanewise_studio.panes.graph import graph
from lanewise_studio.panes.mesh import mesh
from lanewise_studio.program import broken
from lanewise_studio.state import read_state
from lanewise_studio.stop import Stop

_PARTS = """#version 450
layout(location = 0) in vec3 position;
layout(location = 0) out vec3 place;
layout(location = 1) out vec3 turned;
layout(binding = 0) uniform Scene { mat4 model[2]; mat4 projection; mat4 view; };
void main() {
    place = position;
    turned = mat3(model[gl_InstanceIndex]) * position;
    gl_Position = projection * view * model[gl_InstanceIndex] * vec4(position, 1.0);
}
"""
_BONES = """float4x4 bones[64];
float4x4 combined;
struct Out { float4 place : POSITION; };
Out main(float4 position : POSITION, float index : BLENDINDICES)
{ Out o; o.place = mul(mul(position, bones[int(index)]), combined); return o; }
"""
_EFFECT = """#ifdef SM4
#define IMAGE(name) Texture2D<float4> name : register(t0)
#else
#define IMAGE(name) texture2D name; sampler name##Sampler = sampler_state { Texture = (name); };
#endif
IMAGE(picture);
float4x4 transform;
void First(inout float4 position : SV_Position) { position = mul(position, transform); }
void Second(inout float4 position : SV_Position) { position = mul(position, transform) * 2; }
VertexShader Both[2] = { compile vs_2_0 First(), compile vs_2_0 Second() };
technique T { pass { VertexShader = (Both[0]); } }
"""
_FLAT = ".out o0 position\n.proc main\nmov o0, v0\nend\n.end\n"
_PIXELS = ".constf size(0.0078125, 0.00390625, 0.0, 1.0)\n.constf left(-1.0, 0.0, 0.0, 0.0)\n.out o0 position\n.proc main\n" + (
    "mov r0, size\nmul r0.xyz, r0.xyz, v0.xyz\nadd r0.xyz, left.xxx, r0.xyz\nmov o0, r0\nend\n.end\n"
)
_COUNTED = """.gsh variable c48 3
.out outpos position
.alias first c1
.alias second c2
.alias third c3
.entry gmain
.proc gmain
setemit 0
mov outpos, first
emit
setemit 1
mov outpos, second
emit
setemit 2, prim
mov outpos, third
emit
end
.end
"""
_FEEDING = ".fvec projection[4]\n.in inpos v0\n.out outpos position\n.proc main\n" + (
    "".join(f"dp4 outpos.{letter}, projection[{n}], inpos\n" for n, letter in enumerate("xyzw")) + "end\n.end\n"
)


def evaluation(files: dict[str, str], **more: Any) -> Evaluation:
    rows = [{"name": name, "text": text} for name, text in files.items()]
    try:
        return Evaluation(read_state({"files": rows, **more}), {}, Stop())
    except InputError as error:
        if error.diagnostics[0].code == "L900":
            pytest.skip(error.diagnostics[0].message)  # no compiler of GLSL is here
        raise


def visible(found: Evaluation) -> tuple[float, float]:
    """The share of triangles that reach the screen, and how much of its smaller half the shape fills."""
    head: Any
    head, arrays = mesh(found)
    position = np.asarray(arrays["position"], np.float64)
    half = np.abs(position[:, :2] / position[:, 3:]).max()
    return head["visible"] / head["triangles"], float(half)


def test_outputs_and_instances_that_a_source_leaves_open() -> None:
    found = evaluation({"parts.vert": _PARTS})
    pane: Any = source(found)
    assert pane["implied"] == {"semantic": ["*=any"], "define": ["gl_InstanceIndex=0"]}
    assert len(pane["remarks"]) == 2 and "semantic" in pane["remarks"][0]
    assert found.state.options == {}
    share, half = visible(found)
    assert share > 0.4 and 0.3 < half < 1.0
    model = next(row for row in found.controls if row.uniform.name == "model")
    assert np.array_equal(model.value, np.tile(np.eye(4), (2, 1)))
    for target in ("pica200", "shadercore"):
        shown: Any = compiled(found.program.state, {}, target, Stop())
        assert shown["right"]["rows"], shown
    kept = evaluation({"parts.vert": _PARTS}, options=pane["implied"])
    assert source(kept)["implied"] == {} and kept.loaded.words == found.loaded.words


def test_what_no_attempt_helps_has_its_own_errors() -> None:
    text = _PARTS.replace("place = position;", "place = nowhere;")
    state = read_state({"files": [{"name": "parts.vert", "text": text}]})
    with pytest.raises(InputError) as caught:
        read(state, {})
    pane: Any = broken(tried(state, {}), {}, caught.value)
    assert not pane["ok"] and all(row["code"] != "S006" for row in pane["diagnostics"])


def test_bones_that_do_not_fit_and_vectors_on_the_left() -> None:
    found = evaluation({"bones.hlsl": _BONES})
    assert found.remarks == ("bones has 256 registers of 96: it is shown with 20 elements",)
    assert found.transposed
    share, half = visible(found)
    assert share > 0.4 and 0.3 < half < 1.0
    combined = next(row for row in found.controls if row.uniform.name == "combined")
    assert "a column in each register" in combined.help


def test_an_effect_has_its_vertex_shaders_as_entries() -> None:
    found = evaluation({"both.fx": _EFFECT})
    pane: Any = source(found)
    assert (pane["entry"], pane["entries"], pane["implied"]) == ("First", ["First", "Second"], {"define": ["SM4=1"]})
    assert graph(found)["graphs"]
    other = evaluation({"both.fx": _EFFECT}, entry="Second")
    assert other.loaded.words != found.loaded.words


@pytest.mark.parametrize("text", [_FLAT, _PIXELS])
def test_what_no_matrix_moves_fills_the_screen(text: str) -> None:
    found = evaluation({"flat.v.pica": text})
    pane: Any = data(found)
    assert found.is_placed and pane["mesh"]["placed"]
    share, half = visible(found)
    assert share > 0.4 and 0.3 < half < 0.95
    given = evaluation({"flat.v.pica": text}, inputs={"v0": [0, 0, 0, 1]})
    assert not given.is_placed


def test_primitives_with_their_number_in_front() -> None:
    files = {"fed.v.pica": _FEEDING, "counted.g.pica": _COUNTED}
    found = evaluation(files)
    pane: Any = data(found)
    assert pane["primitives"] == {"vertices": 3, "chosen": True, "counted": True}
    assert [row["name"] for row in pane["uniforms"]] == ["projection"]  # the vertices of a primitive are no uniforms
    share, _ = visible(found)
    assert share > 0.4
    larger = evaluation(files, primitive=6)
    assert larger.stream[:7].tolist() == [6, *found.faces.reshape(-1)[:6].tolist()]
    with pytest.raises(InputError, match="primitive is 17"):
        read_state({"files": [{"name": "a", "text": ""}], "primitive": 17})
