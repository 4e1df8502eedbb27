"""Mutation of HLSL that knows its structure: most mutants are still shaders, so that they pass the compiler outside and reach
ours. One in ten has its tokens mutated too."""

from __future__ import annotations

import re
import shutil
from functools import cache
from typing import TYPE_CHECKING

from corpus import REPOSITORY
from fuzz.mutation import Seed, mutate_text

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    Edit = Callable[[random.Random, str], str]

# What `.fx` files have around their functions.
_EFFECT = """texture base;
sampler2D bases = sampler_state { Texture = <base>; MinFilter = Linear; };
technique Plain
{
    pass First
    {
        VertexShader = compile vs_2_0 main();
        CullMode = None;
    }
}
"""
_MATRICES = """float4x4 whole : WORLDVIEWPROJECTION;
float4x3 bones[12];
float2 fog = float2(0.5, 2);
int lamps;
bool bright;
float4 glow[4];
static const float tau = 6.25;

struct Given { float4 place : POSITION0; float3 normal : NORMAL; float4 weights : BLENDWEIGHT; int4 joints : BLENDINDICES; };
struct Made { float4 place : POSITION; float4 tint : COLOR0; float2 uv : TEXCOORD0; };

float falling(float far) { return saturate((fog.y - far) / (fog.y - fog.x)); }

Made main(Given given)
{
    Made made = (Made)0;
    float3 moved = 0;
    for (int n = 0; n < 2; n++)
        moved += mul(given.place, bones[given.joints[n]]) * given.weights[n];
    made.place = mul(float4(moved, 1), whole);
    float3 light = 0;
    for (int i = 0; i < lamps; i++)
        light += glow[i].rgb * max(dot(given.normal, glow[i].xyz), 0);
    if (bright)
        light = sqrt(light) + sin(tau * light.x);
    else if (light.x > 0.5)
        light *= 2;
    made.tint = float4(lerp(light, float3(1, 1, 1), falling(made.place.z)), 1);
    made.uv = frac(given.place.xy) * 2 - 1;
    return made;
}
"""
_ALIKE = (
    ("+", "-", "*", "/"),
    ("<", ">", "<=", ">=", "==", "!="),
    ("float4x4", "float3x3", "float4x3", "row_major float4x4"),
    ("float3", "float4", "half3", "float2", "int3"),
    ("float", "half", "int", "bool", "uint"),
    ("normalize", "abs", "frac", "floor", "saturate", "sqrt", "sin", "exp2", "log2", "rcp", "round", "ceil"),
    ("min", "max", "pow", "step", "fmod", "dot", "cross", "reflect", "atan2"),
    ("SV_Position", "POSITION", "POSITION0", "SV_POSITION", "HPOS"),
    ("COLOR", "COLOR0", "COLOR1", "TEXCOORD0", "TEXCOORD1", "TEXCOORD7", "NORMAL", "FOG", "PSIZE", "BLENDINDICES"),
    ("in", "out", "inout", "uniform", "static", "const"),
    ("x", "y", "z", "w", "r", "xyz", "rgb", "xy", "wzyx", "xxxx"),
    ("if (", "[flatten] if (", "[branch] if (", "while ("),
)
_TOKENS = re.compile(r"if \(|(?:row_major )?[A-Za-z_]\w*|\d+(?:\.\d+)?|[<>=!]=|[-+*/<>]")
_STATEMENT = re.compile(r"^    +[\w.\[\]]+ [-+*]?= [^\n{}]*;$", re.MULTILINE)  # no declarations
_AROUND = (
    "-({0})",
    "abs({0})",
    "saturate({0})",
    "({0}) * 2 - 1",
    "rcp({0})",
    "({0}) / ({0})",
    "min({0}, 1)",
    "normalize({0})",
)
_NUMBERS = ("0", "1", "-1", "0.5", "1e30", "1e-30", "3", "255", "65536", "1.0 / 0.0", "2147483647")


@cache
def hlsl() -> list[Seed]:
    """Vertex shaders in HLSL, and as effects."""
    folder = REPOSITORY / "tests" / "compile" / "hand"
    texts = [_MATRICES, *[path.read_text() for path in sorted(folder.glob("*.hlsl"))]]
    return [Seed(name, text.encode()) for text in texts for name, text in (("a.hlsl", text), ("a.fx", text + _EFFECT))]


def is_compiled() -> bool:
    """Whether a compiler for HLSL is installed."""
    return any(shutil.which(name) for name in ("glslc", "glslangValidator"))


def mutate_hlsl(rng: random.Random, seed: Seed, seeds: Sequence[Seed]) -> bytes:
    """A shader with a few edits."""
    text = seed.data.decode("utf-8", "replace")
    for _ in range(rng.choice((1, 1, 2, 3))):
        text = rng.choice(_EDITS)(rng, text)
    data = text.encode()
    return mutate_text(rng, Seed(seed.name, data), seeds) if rng.random() < 1 / 10 else data


def _alike(rng: random.Random, text: str) -> str:
    """A token in place of one of its kind."""
    places = [(place, row) for place in _TOKENS.finditer(text) for row in _ALIKE if place[0] in row]
    if not places:
        return text
    place, row = rng.choice(places)
    return text[: place.start()] + rng.choice(row) + text[place.end() :]


def _number(rng: random.Random, text: str) -> str:
    places = list(re.finditer(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", text))
    if not places:
        return text
    place = rng.choice(places)
    return text[: place.start()] + rng.choice(_NUMBERS) + text[place.end() :]


def _statement(rng: random.Random, text: str) -> str:
    """Drop, repeat or move a statement, or put it in a condition, a loop or a block."""
    places = list(_STATEMENT.finditer(text))
    if not places:
        return text
    one = rng.choice(places)
    line = one[0].strip()
    around = rng.choice(
        (
            "",
            "{0} {0}",
            "if ({1} > 0.25) {{ {0} }}",
            "for (int turn = 0; turn < {2}; turn++) {{ {0} }}",
            "{{ {0} }}",
            "if ({1} < 1) {{ {0} }} else {{ {0} {0} }}",
            "[unroll] for (int turn = 0; turn < {2}; turn++) {{ if ({1} > turn) break; {0} }}",
        )
    )
    value = rng.choice(re.findall(r"\b[a-z]\w*(?:\.[xyzw])", text) or ["1"])
    return text[: one.start()] + around.format(line, value, rng.randrange(6)) + text[one.end() :]


def _value(rng: random.Random, text: str) -> str:
    """A value around the one that is assigned."""
    places = list(re.finditer(r"(?<=[^<>=!] = )([^;{}=]+)(?=;)", text))
    if not places:
        return text
    one = rng.choice(places)
    form = rng.choice(_AROUND)
    return text[: one.start()] + form.format(one[0]) + text[one.end() :]


def _uniform(rng: random.Random, text: str) -> str:
    """A uniform more, or in a buffer, or with a register."""
    form = rng.choice(
        (
            "float4 more{2}[{0}];\n",
            "cbuffer More{2} : register(b{1}) {{ float4 more{2}; float3x3 turned{2}; float loose{2}; }};\n",
            "float4 more{2} : register(c{0});\n",
            "bool more{2} = true;\n",
            "struct More{2} {{ float3 here; float there; }};\nMore{2} more{2}[{1} + 1];\n",
            "#define More{2} {0}\n",
        )
    )
    return form.format(rng.choice((1, 4, 20, 95, 200)), rng.randrange(4), rng.randrange(1000)) + text


_EDITS: tuple[Edit, ...] = (_alike, _alike, _alike, _number, _statement, _statement, _value, _value, _uniform)

__all__ = ["hlsl", "is_compiled", "mutate_hlsl"]
