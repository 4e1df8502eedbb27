"""Translate a vertex shader to GLSL and write a web page that draws a torus with it. One file, which loads nothing.

    python examples/webgl_page.py toon.html
    python examples/webgl_page.py page.html shader.v.pica weight=color lightVec=0,0,-1,0 "material=1,0,0,0;0,1,0,0"

After the shader: for an input one of position, normal, texcoord, color; for a float uniform numbers, of several registers with
semicolons. Inputs and matrices that are not given are recognised by their names. A uniform with `turning:` before its numbers
is a direction that stays where it is while the torus turns, for shaders without a matrix of the model.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import lanewise as lw
from lanewise.pica200.api.translating import translated
from lanewise.pica200.isa.table import SEMANTICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

TOON = Path(__file__).resolve().parent / "toon.v.pica"
TOON_VALUES = {
    "sun": "turning:0.5,0.57,0.65,4",
    "shade": "0.1,0.05,0.2,0",
    "paint": "0.7,0.4,0.2,0",
    "shine": "0.3,0.3,0.3,0.9",
}
# Parts of names by which inputs and matrices are recognised.
INPUTS = {"normal": ("nrm", "norm"), "texcoord": ("tex", "uv"), "color": ("clr", "col"), "position": ("pos", "vert")}
MATRICES = {"projection": ("proj",), "model": ("model", "view")}

FRAGMENT = """#version 300 es
precision highp float;
in vec4 {color};
out vec4 pixel;

void main() {{
    pixel = vec4({color}.rgb, 1.0);
}}
"""

PAGE = """<!DOCTYPE html>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ margin: 2em; font-family: sans-serif; background: #20242b; color: #dde; }}
canvas {{ background: #101318; display: block; }}
pre {{ font-size: 12px; }}
</style>
<canvas width="640" height="480"></canvas>
<form></form>
<pre></pre>
<script>
"use strict";
const vertexText = {vertex};
const fragmentText = {fragment};
const inputs = {inputs};       // what each input gets
const registers = {registers};   // the number of each uniform in c
const values = {values};         // numbers of uniforms from a register on
const turning = {turning};       // directions, which the torus turns under
const matrices = {matrices};     // the registers of the matrices
const switches = {switches};     // the bits of boolean uniforms

const canvas = document.querySelector("canvas"), form = document.querySelector("form");
const gl = canvas.getContext("webgl2");
document.querySelector("pre").textContent = vertexText;
for (const name of Object.keys(switches)) {{
    const label = document.createElement("label"), box = document.createElement("input");
    Object.assign(box, {{type: "checkbox", checked: true, name}});
    label.append(box, " " + name);
    form.append(label);
}}

function compiled(kind, text) {{
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    return shader;
}}

const program = gl.createProgram();
gl.attachShader(program, compiled(gl.VERTEX_SHADER, vertexText));
gl.attachShader(program, compiled(gl.FRAGMENT_SHADER, fragmentText));
gl.linkProgram(program);
if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
gl.useProgram(program);

// A torus: 96 * 48 quads.
const mesh = {{position: [], normal: [], texcoord: [], color: []}}, indices = [];
const around = 96, across = 48;
for (let i = 0; i <= around; i++) {{
    for (let j = 0; j <= across; j++) {{
        const u = 2 * Math.PI * i / around, v = 2 * Math.PI * j / across;
        const ring = 1 + 0.4 * Math.cos(v);
        mesh.position.push(ring * Math.cos(u), ring * Math.sin(u), 0.4 * Math.sin(v), 1);
        mesh.normal.push(Math.cos(v) * Math.cos(u), Math.cos(v) * Math.sin(u), Math.sin(v), 0);
        mesh.texcoord.push(i / around, j / across, 0, 1);
        mesh.color.push(1, 1, 1, 1);
        if (i < around && j < across) {{
            const at = i * (across + 1) + j;
            indices.push(at, at + across + 1, at + 1, at + 1, at + across + 1, at + across + 2);
        }}
    }}
}}

for (const [name, what] of Object.entries(inputs)) {{
    const place = gl.getAttribLocation(program, name);
    if (place < 0) continue;  // the shader does not read it
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(mesh[what]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 4, gl.FLOAT, false, 0, 0);
}}
gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(indices), gl.STATIC_DRAW);

const floats = new Float32Array(96 * 4);
for (const [number, numbers] of values) floats.set(numbers, number * 4);
gl.enable(gl.DEPTH_TEST);

function draw(time) {{
    // Rows of matrices, as the PICA200 has them. Its clip space has z from 0 (near) to -w (far).
    const a = time / 2000, near = 1, far = 10, scale = far / (far - near), distance = 4;
    const [s, c] = [Math.sin(a), Math.cos(a)];
    const projection = [[1.5, 0, 0, 0], [0, 2, 0, 0], [0, 0, scale, scale * near], [0, 0, -1, 0]];
    const model = [[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, -distance], [0, 0, 0, 1]];
    const column = n => model.map(row => row[n]);
    const both = projection.map(row => [0, 1, 2, 3].map(n => column(n).reduce((sum, x, k) => sum + row[k] * x, 0)));
    if ("projection" in matrices) floats.set(("model" in matrices ? projection : both).flat(), matrices.projection * 4);
    if ("model" in matrices) floats.set(model.flat(), matrices.model * 4);
    for (const [number, [x, y, z, w]] of turning) {{
        const length = Math.hypot(x, y, z), own = [c * x - s * z, y, s * x + c * z];
        floats.set([...own.map(each => each / length), w], number * 4);
    }}
    gl.uniform4fv(gl.getUniformLocation(program, "c"), floats);
    let bits = 0;
    for (const [name, bit] of Object.entries(switches)) bits |= form.elements[name].checked << bit;
    gl.uniform1ui(gl.getUniformLocation(program, "b"), bits);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.drawElements(gl.TRIANGLES, indices.length, gl.UNSIGNED_SHORT, 0);
    requestAnimationFrame(draw);
}}
requestAnimationFrame(draw);
</script>
"""


def page(file: Path, given: Mapping[str, str]) -> str:
    """The page as text; `given` are the values of inputs and uniforms by their names. Raises SystemExit for a name that the
    shader lacks."""
    shader = lw.load(file).vertex
    found = translated([shader], "glsl", numbers="float", file=file.name)
    (layout,) = found.shaders
    uniforms = {binding.name: int(binding.register[1:]) for binding in layout.uniforms if binding.register.startswith("c")}
    matrices = recognised(
        MATRICES, (binding.name for binding in layout.uniforms if binding.size > 2 and binding.name not in given)
    )
    names = [binding.name for binding in layout.inputs]
    inputs = {name: what for what, name in recognised(INPUTS, names).items()}
    values: list[tuple[int, object]] = [
        (int(register[1:]), numbers) for register, numbers in shader.constants.items() if register.startswith("c")
    ]
    turning: list[tuple[int, object]] = []
    for name, text in given.items():
        if name in names:
            inputs[name] = text
        elif name in uniforms:
            kind, _, numbers = text.rpartition(":")
            (turning if kind else values).append(
                (uniforms[name], [float(each) for each in numbers.replace(";", ",").split(",")])
            )
        else:
            sys.exit(f"{file.name} has no '{name}': it has {', '.join([*names, *uniforms])}")
    outputs = {SEMANTICS[output.semantic]: f"o{output.register}" for output in shader.interface.outputs}
    color = outputs.get("color") or outputs.get("texcoord0") or sys.exit(f"{file.name} has neither a color nor a texcoord0")
    (color_name,) = [binding.name for binding in layout.outputs if binding.register == color]
    return PAGE.format(
        title=f"{file.name} in WebGL",
        vertex=json.dumps(found.text),
        fragment=json.dumps(FRAGMENT.format(color=color_name)),
        inputs=json.dumps(inputs),
        registers=json.dumps(uniforms),
        values=json.dumps(values),
        turning=json.dumps(turning),
        matrices=json.dumps({what: uniforms[name] for what, name in matrices.items()}),
        switches=json.dumps(
            {
                binding.name: int(binding.register[1:])
                for binding in layout.uniforms
                if binding.register.startswith("b") and binding.size == 1
            }
        ),
    )


def recognised(kinds: Mapping[str, Sequence[str]], names: Iterable[str]) -> dict[str, str]:
    """By kind the first name that has a part of its."""
    found: dict[str, str] = {}
    for name in names:
        for kind, parts in kinds.items():
            if any(part in name.lower() for part in parts):
                found.setdefault(kind, name)
                break
    return found


def main() -> None:
    arguments = sys.argv[1:]
    path = Path(arguments[0] if arguments else "toon.html")
    file = Path(arguments[1]) if len(arguments) > 1 else TOON
    given = dict(argument.split("=", 1) for argument in arguments[2:] if "=" in argument)
    try:
        path.write_text(page(file, given if file != TOON else {**TOON_VALUES, **given}))
    except (OSError, ValueError, lw.InputError) as error:
        sys.exit(str(error))
    print(f"{path}: open it in a browser")


if __name__ == "__main__":
    main()
