"""The seven programs of `lanewise bench`, with data.

Instruction mix and counts are those of published emulator measurements."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lanewise.core.record import TYPE_CHECKING, Record, by_position
from lanewise.pica200.api.file import assemble_texts
from lanewise.pica200.engine.float24 import decode_all, encode
from lanewise.pica200.engine.placing import bind_inputs, bind_uniforms
from lanewise.pica200.engine.reference import Reference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.sem.profile import Profile

RING = 1024  # vertices of a batch that is repeated


class BenchCase(Record):
    """A program of `programs`, the integers and booleans that it wants, and what a vertex of it does.

    `executed` is the mean of instructions over random vertices (branchy: 34 to 41), as `words`, `inputs` and `outputs` close to
    or the same as those of the programs that Azahar and Panda3DS were measured with.
    """

    name: str
    words: int
    inputs: int
    outputs: int
    executed: float
    integers: Mapping[str, tuple[int, int, int]]
    booleans: Mapping[str, bool]


_bench_case = by_position(BenchCase)
CASES = (
    #          name                words  in  out  executed  integers                     booleans
    _bench_case("simple_transform",   8,   2,  2,     8,    {},                          {}),
    _bench_case("textured_lit",      34,   3,  3,    34,    {},                          {}),
    _bench_case("fragment_light",    30,   3,  5,    30,    {},                          {}),
    _bench_case("normal_mapping",    64,   4,  6,    50,    {},                          {"tangents": True}),
    _bench_case("light_loop16",      26,   3,  5,   131,    {"lights": (15, 0, 3)},      {}),
    _bench_case("loop16",            13,   2,  2,    73,    {"nlights": (15, 0, 1)},     {}),
    _bench_case("branchy",           46,   2,  3,    36.7,  {},
                {"useA": True, "useB": False, "useC": True, "skip": False}),
)  # fmt: skip


def shader_of(case: BenchCase) -> Shader:
    """The program, assembled."""
    text = (Path(__file__).parent / "programs" / f"{case.name}.v.pica").read_text("utf-8")
    return assemble_texts([(f"{case.name}.v.pica", text)]).vertex


def numbers(rng: np.random.Generator, *shape: int) -> NDArray[np.float32]:
    """float24 numbers from -1 to 1."""
    return decode_all(encode(rng.uniform(-1.0, 1.0, shape)))


def arrays_of(shader: Shader, vertices: int) -> dict[str, NDArray[np.float32]]:
    """Random inputs; the first, a position, has w = 1."""
    rng = np.random.default_rng(0x1234567)
    found = {binding.name: numbers(rng, vertices, 4) for binding in shader.inputs}
    for array in list(found.values())[:1]:
        array[:, 3] = 1.0
    return found


def bound(case: BenchCase, shader: Shader, vertices: int, profile: Profile) -> tuple[Inputs, Uniforms]:
    """Inputs and uniforms in registers. Raises RuntimeError where they do not fit the program."""
    rng = np.random.default_rng(0x7654321)
    given: dict[str, NDArray[np.float32] | tuple[int, int, int] | bool] = {
        uniform.name: numbers(rng, uniform.size, 4) for uniform in shader.uniforms if uniform.register.startswith("c")
    }
    inputs, wrong = bind_inputs(arrays_of(shader, vertices), shader.interface.inputs, vertices, profile)
    interface = shader.interface
    uniforms, more = bind_uniforms(
        {**given, **case.integers, **case.booleans}, interface.uniforms, interface.constants, profile
    )
    if wrong or more:
        raise RuntimeError(f"{case.name}: {[finding.message for finding in (*wrong, *more)]}")
    return inputs, uniforms


def executed(shader: Shader, inputs: Inputs, uniforms: Uniforms, profile: Profile, vertices: int) -> float:
    """The instructions of a vertex, the mean over the first ones."""
    program = Reference(shader.words, shader.descriptors, shader.interface.entry, profile=profile)
    columns = {register: array[:vertices].tolist() for register, array in inputs.words.items()}
    steps = 0
    for lane in range(vertices):
        vertex = {register: tuple(rows[lane]) for register, rows in columns.items()}
        steps += program.run(vertex, *uniforms[:3]).steps
    return steps / vertices
