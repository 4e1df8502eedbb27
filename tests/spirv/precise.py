"""Random shaders in GLSL of which some outputs are `precise`, with what may be computed otherwise in all of them."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from spirv.given import shape
from spirv.random_expressions import FLOATS

if TYPE_CHECKING:
    from spirv.given import Shader

POSITION = "gl_Position"
_OUTPUT = re.compile(r"(layout\(location=\d+\) )(out (\w+) (\w+);)")
_PRECISE = re.compile(r"\bprecise (?:out \w+ )?(\w+);")
# What the allowed rules of `rules.table` are for, of numbers `x` and `y`; `s` is positive.
_FORMS = (
    "1.0 / sqrt({s})",
    "sqrt({s}) * sqrt({s})",
    "{s} * inversesqrt({s})",
    "inversesqrt({s}) * inversesqrt({s})",
    "exp2(log2({s}))",
    "exp(log({s}) * 2.0)",
    *(f"pow({{s}}, {power})" for power in (1.0, 2.0, 3.0, 4.0, -1.0, -0.5, 0.5)),
    "3.0 * ({x} * 0.7)",
    "0.3 * (({x} * {y}) * 1.7)",
    "({x} - {x}) + {y}",
    "{x} * 0.0 + {y}",
)


def with_precise(given: Shader, seed: int) -> Shader:
    """A shader with one or several of its outputs `precise`, and with a sum in most of them that may be computed otherwise."""
    random = Random(seed)
    kinds = {match[4]: match[3] for match in _OUTPUT.finditer(given.text)} | {POSITION: "vec4"}
    chosen = set(random.sample(sorted(kinds), random.randint(1, len(kinds) - 1)))
    text = _OUTPUT.sub(lambda match: f"{match[1]}{'precise ' if match[4] in chosen else ''}{match[2]}", given.text)
    if POSITION in chosen:
        text = text.replace("\n", f"\nprecise {POSITION};\n", 1)
    sums = [f"  {name} += {_otherwise(given, kind, random)};\n" for name, kind in kinds.items() if random.random() < 0.8]
    body, brace, rest = text.rpartition("}")
    return given._replace(text=f"{body}{''.join(sums)}{brace}{rest}")


def precise_outputs(text: str) -> set[str]:
    """The semantics of the outputs that are `precise`."""
    return {name.replace(POSITION, "position") for name in _PRECISE.findall(text)}


def _otherwise(given: Shader, kind: str, random: Random) -> str:
    """An expression that the compiler may compute otherwise."""
    numbers = [name if other == "float" else f"{name}.{random.choice('xy')}" for name, other in given.inputs.items()]
    numbers += [
        name if uniform.type == "float" else f"{name}.x"
        for name, uniform in given.uniforms.items()
        if uniform.type in FLOATS and not uniform.elements
    ]
    x, y = random.choice(numbers), random.choice(numbers)
    form = random.choice(_FORMS).format(x=x, y=y, s=f"(abs({x}) + 0.5)")
    lanes = shape(kind)[0]
    if random.random() < 0.5:
        return f"{kind}({form})"
    matrices = [name for name, uniform in given.uniforms.items() if uniform.type == f"mat{lanes}" and not uniform.elements]
    matrices += [f"mat{lanes}({', '.join(random.choices([x, y, '0.5', '-1.25'], k=lanes * lanes))})"]
    first, second, vector = random.choice(matrices), random.choice(matrices), f"{kind}({form})"
    return random.choice([f"({first} * {second}) * {vector}", f"{vector} * ({first} * {second})"])
