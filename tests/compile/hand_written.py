"""Vertex shaders with what an expert writes for the same task by hand, in `hand`: `python -m compile.hand_written` prints the
words of both.

By hand a program has the uniforms of the source, and what the application computes of them before a draw where experts do
that: products and inverses of matrices, directions of length 1, reciprocals. It is written in picasso's language for the
instructions that the hardware has, and gives the outputs of the source within the error of its number format.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import lanewise as lw
from lanewise.compile.outside.module import Spirv
from lanewise.compile.outside.modules import to_spirv
from lanewise.compile.pica200.backend import compile_vector
from lanewise.compile.services.pipeline import Joined, Lowered, assembled
from lanewise.compile.spirv.lower import Options, lower
from lanewise.compile.spirv.module import Module, read_module
from lanewise.core.service import Request, SourceFile
from spirv.compiled import Compiled, Refusal, program_of
from spirv.given import Uniform, random_data

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from lanewise.compile.vector.code import Program
    from lanewise.pica200.api.file import ShaderFile

    Array = NDArray[Any]

FOLDER = Path(__file__).parent / "hand"


def _nothing(_: Mapping[str, Array]) -> dict[str, Array]:
    return {}


class Task(NamedTuple):
    """A shader, written twice."""

    name: str
    "The name of the source in GLSL or HLSL, and of the program by hand."
    inputs: Mapping[str, str]
    "The types of inputs."
    uniforms: Mapping[str, Uniform]
    "The types and ranges of uniforms."
    prepared: Callable[[Mapping[str, Array]], dict[str, Array]] = _nothing
    "What the application computes of the uniforms for the program by hand."
    semantics: Mapping[str, str] = {}
    "The semantics of outputs by their names in the module, where these do not say them."
    prefix: str = ""
    "What the module has in front of the names of inputs."

    @property
    def is_prepared(self) -> bool:
        """Whether the application computes something for the program by hand."""
        return self.prepared is not _nothing

    @property
    def source(self) -> Path:
        """The file in GLSL or HLSL."""
        return next(path for path in FOLDER.glob(f"{self.name}.*") if path.suffix != ".pica")

    def module(self) -> bytes:
        """The source as SPIR-V."""
        path = self.source
        language = "glsl" if path.suffix == ".vert" else "hlsl"
        source = SourceFile(path.name, path.read_bytes(), str(path))
        return to_spirv(source, language, entry="" if language == "glsl" else "main").data

    def by_hand(self) -> lw.Shader:
        """The program by hand."""
        return lw.load(FOLDER / f"{self.name}.v.pica").vertex

    def in_source(self, uniforms: Mapping[str, Array]) -> Mapping[str, Array]:
        """Uniforms of the module as the source has them: matrices of HLSL are the other way round in it."""
        if self.source.suffix != ".hlsl":
            return uniforms
        return {name: value.T if self.uniforms[name].type == "mat4" else value for name, value in uniforms.items()}

    def settings(self, uniforms: Mapping[str, Array]) -> dict[str, Any]:
        """The uniforms of the program by hand, of those of the source."""
        found: dict[str, Any] = {}
        uniforms = self.in_source(uniforms)
        for name, value in {**uniforms, **self.prepared(uniforms)}.items():
            whole = name in self.uniforms and self.uniforms[name].type == "int"
            found |= {name: [int(value) - 1, 0, 1], f"{name}$some": value > 0} if whole else {name: value}
        known = {uniform.name for uniform in self.by_hand().uniforms}
        return {name: value for name, value in found.items() if name in known}

    def data(self, count: int, seed: int) -> tuple[dict[str, Array], dict[str, Array]]:
        """Inputs for `count` vertices, and uniforms."""
        inputs, uniforms = random_data(self.inputs, self.uniforms, count, seed, nan=False)
        for name, kind in self.uniforms.items():
            if kind.type == "mat4":  # with an inverse that has no large numbers
                uniforms[name] = np.eye(4) * 2 + uniforms[name] * 0.25
        for name, kind in self.inputs.items():
            if kind == "ivec2":  # the numbers of bones
                inputs[name] = np.random.default_rng(seed).integers(0, 20, (count, 2)).astype(np.float64)
        return inputs, uniforms


def _vector(task: Task, *, joined: bool = False) -> Program:
    """The source of a task as a vector program. Raises Refusal."""
    read = read_module(task.module(), task.name)
    if not isinstance(read, Module):
        raise Refusal(read)
    read.is_glsl = task.source.suffix == ".vert"
    lowered = lower(read, Options(outputs=task.semantics, joined=joined))
    if lowered.program is None:
        raise Refusal(lowered.diagnostics)
    return lowered.program


def compiled(task: Task) -> Compiled:
    """The program that the compiler makes of the source of a task. Raises Refusal."""
    vector = _vector(task)
    made = compile_vector(vector, name=task.name)
    if made.program is None:
        raise Refusal(made.diagnostics)
    return Compiled(program_of(made, task.name), vector, made.counts, len(made.encoded.words), ())


def with_preamble(task: Task) -> ShaderFile:
    """The program whose work on uniforms is done before a draw. Raises Refusal."""
    source = SourceFile(f"{task.name}.vert", b"", f"{task.name}.vert")
    joined = Joined(vector=_vector(task, joined=True), premises=())
    lowered = Lowered(vector=_vector(task), spirv=Spirv(data=b""), diagnostics=(), joined=joined)
    return assembled(lowered, source, Request("compile", (source,), {"preamble": ""})).file


def _rows(matrix: Array) -> Array:
    return matrix.astype(np.float64)


def _placed(given: Mapping[str, Array]) -> dict[str, Array]:
    model = _rows(given["model"])
    turned = np.linalg.inv(model).T[:3]
    return {"whole": given["projection"] @ given["camera"] @ model, "forNormals": np.pad(turned[:, :3], ((0, 0), (0, 1)))}


def _lit(given: Mapping[str, Array]) -> dict[str, Array]:
    return {"whole": given["projection"] @ given["modelView"], "toSun": given["sun"] / np.linalg.norm(given["sun"])}


def _fog(given: Mapping[str, Array]) -> dict[str, Array]:
    scale = 1 / (given["fogEnd"] - given["fogStart"])
    return {"whole": given["projection"] @ given["modelView"], "fogScale": np.reshape(scale, 1)}


def _lamp(given: Mapping[str, Array]) -> dict[str, Array]:
    return {"perRadius": np.reshape(1 / given["radius"], 1)}


_MATRIX = Uniform("mat4")
_LIGHT = Uniform("vec3", low=0.0, high=1.0)
_MESH = {"position": "vec3", "normal": "vec3"}

TASKS = (
    Task("painted", {"position": "vec3", "paint": "vec4", "uv": "vec2"}, {"modelViewProjection": _MATRIX}),
    Task("chain", {"position": "vec3", "uv": "vec2"}, dict.fromkeys(("projection", "camera", "model"), _MATRIX)),
    Task("placed", {**_MESH, "uv": "vec2"}, dict.fromkeys(("projection", "camera", "model"), _MATRIX), _placed),
    Task(
        "lit",
        _MESH,
        {
            **dict.fromkeys(("projection", "modelView"), _MATRIX),
            "sun": Uniform("vec3", low=0.25),
            **dict.fromkeys(("ambient", "diffuse"), _LIGHT),
            "alpha": Uniform("float", low=0.0, high=1.0),
        },
        _lit,
    ),
    Task(
        "skinned",
        {**_MESH, "joints": "ivec2", "weights": "vec2"},
        {"viewProjection": _MATRIX, "bones": Uniform("vec4", elements=60)},
    ),
    Task(
        "fog",
        {"position": "vec3", "paint": "vec4"},
        {
            **dict.fromkeys(("projection", "modelView"), _MATRIX),
            "fogStart": Uniform("float", low=0.5, high=1.0),
            "fogEnd": Uniform("float", low=3.0, high=5.0),
            "fogColor": _LIGHT,
        },
        _fog,
    ),
    Task(
        "textures",
        {"position": "vec3", "uv": "vec2"},
        {**dict.fromkeys(("modelViewProjection", "moved", "projected"), _MATRIX), "scroll": Uniform("vec2")},
    ),
    Task(
        "toon",
        _MESH,
        {
            **dict.fromkeys(("projection", "modelView"), _MATRIX),
            "sun": Uniform("vec3"),
            **dict.fromkeys(("dark", "middle", "bright"), _LIGHT),
        },
    ),
    Task(
        "lamp",
        _MESH,
        {
            **dict.fromkeys(("viewProjection", "model"), _MATRIX),
            "lamp": Uniform("vec3"),
            **dict.fromkeys(("glow", "ambient"), _LIGHT),
            "radius": Uniform("float", low=2.0, high=6.0),
        },
        _lamp,
    ),
    Task(
        "lamps",
        _MESH,
        {
            **dict.fromkeys(("projection", "modelView"), _MATRIX),
            **dict.fromkeys(("direction", "glow"), Uniform("vec4", elements=4)),
            "lamps": Uniform("int", low=0, high=4),
        },
    ),
    Task(
        "shiny",
        {"position": "vec4", "normal": "vec3", "uv": "vec2"},
        {
            **dict.fromkeys(("worldViewProjection", "world"), _MATRIX),
            **dict.fromkeys(("eye", "toLight"), Uniform("vec3")),
            **dict.fromkeys(("diffuse", "specular"), _LIGHT),
            "power": Uniform("float", low=1.0, high=8.0),
            "material": Uniform("vec4", low=0.0, high=1.0),
        },
        semantics={"@entryPointOutput.color": "color", "@entryPointOutput.uv": "texcoord0"},
        prefix="given.",
    ),
    Task(
        "mirror",
        {"position": "vec4", "normal": "vec3"},
        {
            **dict.fromkeys(("worldViewProjection", "world"), _MATRIX),
            "eye": Uniform("vec3", low=6.0, high=8.0),
            "least": Uniform("float", low=0.0, high=1.0),
        },
        semantics={"color": "color", "ray": "texcoord0"},
    ),
)


def main() -> None:
    total = [0, 0]
    print("| task | words | by hand | ratio |\n|---|---|---|---|")
    for task in TASKS:  # as by hand: with a preamble where the application computes something
        words = len(with_preamble(task).words) if task.is_prepared else compiled(task).words, len(task.by_hand().words)
        total = [before + each for before, each in zip(total, words, strict=True)]
        print(f"| {task.name} | {words[0]} | {words[1]} | {words[0] / words[1]:.2f} |")
    print(f"| all | {total[0]} | {total[1]} | {total[0] / total[1]:.3f} |")


if __name__ == "__main__":
    sys.exit(main())
