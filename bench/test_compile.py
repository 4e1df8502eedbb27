"""Compiling Direct3D 9 shaders for ShaderCore: a shader of 100 instructions, in less than 200 ms."""

from __future__ import annotations

from typing import Any

from lanewise.compile.shadercore.direct3d9 import compile_shader
from lanewise.direct3d9.text.reader import read_source_text
from lanewise.shadercore.isa.devices import RTL

MOST_SECONDS = 0.2
_HEAD = (
    "vs_3_0\ndcl_position v0\ndcl_normal v1\ndcl_texcoord v2\ndcl_position o0\ndcl_color o1\ndcl_texcoord o2\nmov r0, v0\n"
    "mov r1, v1\nmov r2, v2\n"
)
_BODY = (
    "mad r{a}, r{b}, c{k}, v1",
    "mul r{a}.xyz, r{b}, c{k}.x",
    "dp3 r{a}.x, r{b}, c{k}",
    "add r{a}, r{b}, -c{k}",
    "max r{a}, r{b}, c{k}",
    "dp4 r{a}.y, r{b}, c{k}",
)
_TAIL = "\nmov o0, r0\nmov o1, r1\nmov o2, r2\n"


def test_a_hundred_instructions(benchmark: Any):
    lines = [_BODY[n % len(_BODY)].format(a=n % 3, b=(n + 1) % 3, k=n % 30) for n in range(94)]
    shader = read_source_text(_HEAD + "\n".join(lines) + _TAIL, "bench").shader
    assert shader is not None and len([inst for inst in shader.insts if inst.op.name != "dcl"]) == 100
    assert benchmark(compile_shader, shader, RTL).compiled is not None
    if benchmark.stats:
        assert benchmark.stats["min"] < MOST_SECONDS
