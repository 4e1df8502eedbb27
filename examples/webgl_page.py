"""Translate a vertex shader to GLSL and write a web page that draws a torus with it. One file, which loads nothing.

python examples/webgl_page.py toon.html
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import lanewise as lw
from lanewise.pica200.api.translating import translated

HERE = Path(__file__).resolve().parent

FRAGMENT = """#version 300 es
precision highp float;
in vec4 {color};
out vec4 pixel;

void main() {{
    pixel = {color};
}}
"""

PAGE = """<!DOCTYPE html>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ margin: 2em; font-family: sans-serif; background: #20242b; color: #dde; }}
canvas {{ background: #101318; }}
pre {{ font-size: 12px; }}
</style>
<canvas width="640" height="480"></canvas>
<label><input type="checkbox" checked> glossy</label>
<pre></pre>
<script>
"use strict";
const vertexText = {vertex};
const fragmentText = {fragment};
const registers = {registers};   // the number of each uniform in c or b
const preset = {preset};         // values of the file

const gl = document.querySelector("canvas").getContext("webgl2");
document.querySelector("pre").textContent = vertexText;

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

// A torus: positions and normals of 48 * 24 quads.
const positions = [], normals = [], indices = [];
const around = 48, across = 24;
for (let i = 0; i <= around; i++) {{
    for (let j = 0; j <= across; j++) {{
        const u = 2 * Math.PI * i / around, v = 2 * Math.PI * j / across;
        const ring = 1 + 0.4 * Math.cos(v);
        positions.push(ring * Math.cos(u), ring * Math.sin(u), 0.4 * Math.sin(v), 1);
        normals.push(Math.cos(v) * Math.cos(u), Math.cos(v) * Math.sin(u), Math.sin(v), 0);
        if (i < around && j < across) {{
            const at = i * (across + 1) + j;
            indices.push(at, at + across + 1, at + 1, at + 1, at + across + 1, at + across + 2);
        }}
    }}
}}

function attribute(name, values) {{
    const place = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 4, gl.FLOAT, false, 0, 0);
}}
attribute({position}, positions);
attribute({normal}, normals);
gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(indices), gl.STATIC_DRAW);

const floats = new Float32Array(96 * 4);
function set(name, rows) {{
    floats.set(rows.flat(), registers[name] * 4);
}}
for (const [number, values] of preset) floats.set(values, number * 4);

function draw(time) {{
    // Rows of a matrix, as the PICA200 has them. Its clip space has z from 0 (near) to -w (far).
    const a = time / 2000, near = 1, far = 10, scale = far / (far - near), distance = 4;
    const [s, c] = [Math.sin(a), Math.cos(a)];
    set("projection", [
        [1.5 * c, 0, 1.5 * s, 0],
        [0, 2, 0, 0],
        [-scale * s, 0, scale * c, scale * (near - distance)],
        [s, 0, -c, distance],
    ]);
    const light = [0.5 * c - 0.65 * s, 0.57, 0.5 * s + 0.65 * c];
    set("sun", [[...light.map(x => x / Math.hypot(...light)), 4]]);
    set("shade", [[0.1, 0.05, 0.2, 0]]);
    set("paint", [[0.7, 0.4, 0.2, 0]]);
    set("shine", [[0.3, 0.3, 0.3, 0.9]]);
    gl.uniform4fv(gl.getUniformLocation(program, "c"), floats);
    const glossy = document.querySelector("input").checked ? 1 : 0;
    gl.uniform1ui(gl.getUniformLocation(program, "b"), glossy << registers.glossy);
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.drawElements(gl.TRIANGLES, indices.length, gl.UNSIGNED_SHORT, 0);
    requestAnimationFrame(draw);
}}
requestAnimationFrame(draw);
</script>
"""


def page() -> str:
    """The page as text."""
    shader = lw.load(HERE / "toon.v.pica").vertex
    found = translated([shader], "glsl", numbers="float", file="toon.v.pica")
    (layout,) = found.shaders
    inputs = {binding.register: binding.name for binding in layout.inputs}
    outputs = {binding.register: binding.name for binding in layout.outputs}
    named = {binding.name: int(binding.register[1:]) for binding in layout.uniforms}
    preset = [(int(register[1:]), values) for register, values in shader.constants.items() if register.startswith("c")]
    return PAGE.format(
        title=f"{layout.shader} in WebGL",
        vertex=json.dumps(found.text),
        fragment=json.dumps(FRAGMENT.format(color=outputs["o1"])),
        registers=json.dumps(named),
        preset=json.dumps(preset),
        position=json.dumps(inputs["v0"]),
        normal=json.dumps(inputs["v1"]),
    )


def main() -> None:
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "toon.html")
    path.write_text(page())
    print(f"{path}: open it in a browser")


if __name__ == "__main__":
    main()
