"""The stages behind a vertex shader: how its vertices reach a geometry shader, what that emits, how primitives are put together.

Sources: libctru, shader/shaderProgram.c (the registers of each mode); Azahar, video_core/pica/geometry_pipeline.cpp and
primitive_assembly.cpp; picasso's Manual, `.gsh`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.engine.results import output_arrays, written_flags
from lanewise.isa.pica200 import RESERVED_BOOLEAN
from lanewise.sem.numerics import number_rule
from lanewise.sem.registers import FLOAT_COUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.engine.binding import Uniforms
    from lanewise.engine.reference import Fault, Machine, Reference, Words
    from lanewise.engine.results import Arrays, Wiring
    from lanewise.sem.emission import Vertex
    from lanewise.sem.profile import Profile

    Vertices = Sequence[Sequence[Words]]

POINT, VARIABLE, FIXED = range(3)
LIST, STRIP, FAN, GEOMETRY = TOPOLOGIES = ("triangles", "strip", "fan", "geometry")


class Feed(NamedTuple):
    """What one run of a geometry shader is given: v registers, and c registers that are overwritten."""

    inputs: Mapping[int, Words]
    floats: Mapping[int, Words]


class Chunks(NamedTuple):
    """An index list cut into the vertices of each run. `left_over` are vertices at the end that are too few for one."""

    vertices: tuple[tuple[int, ...], ...]
    left_over: int


def chunks_of(indices: Sequence[int], size: int) -> Chunks:
    """`size` indices for each run (point and fixed mode)."""
    whole = len(indices) - len(indices) % size
    cut = tuple(tuple(indices[start : start + size]) for start in range(0, whole, size))
    return Chunks(cut, len(indices) - whole)


def counted_chunks(indices: Sequence[int]) -> Chunks | int:
    """The runs of a list in which a count stands before the indices of each (variable mode).

    A count of 0, which nobody has tried, gives its place in the list instead.
    """
    cut: list[tuple[int, ...]] = []
    place = 0
    while place < len(indices):
        count = indices[place]
        if count <= 0:
            return place
        if place + 1 + count > len(indices):
            break
        cut.append(tuple(indices[place + 1 : place + 1 + count]))
        place += 1 + count
    return Chunks(tuple(cut), max(0, len(indices) - place - 1))


def point_feed(vertices: Vertices) -> Feed:
    """The outputs of the vertices one after another in v0, v1, ..."""
    return Feed(dict(enumerate(vector for vertex in vertices for vector in vertex)), {})


def fixed_feed(vertices: Vertices, start: int) -> Feed:
    """The same in the float uniforms from `start` on."""
    return Feed({}, {start + n: vector for n, vector in enumerate(vector for vertex in vertices for vector in vertex)})


def variable_feed(vertices: Vertices, whole: int, profile: Profile) -> Feed:
    """The number of vertices in c0; from c1 on all outputs of the first `whole` vertices, then one output of each other."""
    count = number_rule(profile).constant(float(len(vertices)))
    vectors = [vector for n, vertex in enumerate(vertices) for vector in (vertex if n < whole else vertex[:1])]
    return Feed({}, {0: (count, count, count, count)} | dict(enumerate(vectors, 1)))


def float_count(mode: int, vertices: int, outputs: int, whole: int) -> int:
    """How many float uniforms a run with so many vertices takes, that with the count included."""
    if mode == POINT:
        return 0
    return vertices * outputs if mode == FIXED else 1 + min(vertices, whole) * outputs + max(0, vertices - whole)


class RunFault(NamedTuple):
    """A run of the geometry shader that stopped without `end`. What it had emitted before is there."""

    run: int
    fault: Fault


class Emissions(NamedTuple):
    """What the runs have sent: primitives of three vertices, whether the winding flag was set, and of which run each is."""

    primitives: tuple[tuple[Vertex[int], Vertex[int], Vertex[int]], ...]
    inverted: tuple[bool, ...]
    runs: tuple[int, ...]
    faults: tuple[RunFault, ...]


def run_geometry(
    program: Reference,
    feeds: Iterator[Feed],
    total: int,
    uniforms: Uniforms,
    progress: Callable[[int, int], None] | None = None,
) -> Emissions:
    """All runs, in order, on one unit: overwritten uniforms stay, and b15 is true from the second run on.

    Source of b15: Azahar geometry_pipeline.cpp:381-385; picasso's Manual.
    """
    floats, booleans = list(uniforms.floats), list(uniforms.booleans)
    primitives: list[tuple[Vertex[int], Vertex[int], Vertex[int]]] = []
    inverted: list[bool] = []
    runs: list[int] = []
    faults: list[RunFault] = []
    machine: Machine | None = None
    for number, feed in enumerate(feeds):
        if progress is not None and number % 64 == 0:
            progress(number, total)
        for register, vector in feed.floats.items():
            floats[register] = vector
        machine = program.start(feed.inputs, floats, uniforms.integers, booleans, machine)
        while not machine.finished:
            emitted = machine.step().result.get("emit")
            if emitted is not None and emitted.primitive is not None:
                primitives.append(emitted.primitive)
                inverted.append(emitted.emission.invert)
                runs.append(number)
        if machine.fault is not None:
            faults.append(RunFault(number, machine.fault))
        booleans[RESERVED_BOOLEAN] = True
    return Emissions(tuple(primitives), tuple(inverted), tuple(runs), tuple(faults))


class Triangles(NamedTuple):
    """Primitives as numbers of vertices in a stream, (primitives, 3), and how many vertices at the end are too few for one."""

    corners: NDArray[np.int64]
    left_over: int


def assemble(count: int, topology: str, swapped: Sequence[tuple[int, int, int]] = ()) -> Triangles:
    """The primitives of a stream of `count` vertices, 0, 1, 2, ...

    `swapped` says for each three vertices in which order they go to the rasterizer; with `geometry` alone it is looked at,
    as the winding flag is (citra PR 2865, compared with a console). A strip's next triangle begins with its two newest vertices, so
    that all have one winding; Azahar primitive_assembly.cpp keeps them so.
    """
    found: list[tuple[int, int, int]] = []
    if topology in (LIST, GEOMETRY):
        for number in range(count // 3):
            first, second, third = swapped[number] if topology == GEOMETRY and swapped else (0, 1, 2)
            found.append((3 * number + first, 3 * number + second, 3 * number + third))
        return Triangles(np.array(found, np.int64).reshape(-1, 3), count % 3)
    held, place = [0, 0], 0
    for vertex in range(count):
        if vertex >= 2:
            found.append((held[0], held[1], vertex))
        held[place] = vertex
        place = 1 if topology == FAN else 1 - place
    return Triangles(np.array(found, np.int64).reshape(-1, 3), count if count < 3 else 0)


def winding(inverted: Sequence[bool], profile: Profile) -> list[tuple[int, int, int]]:
    """The order of the vertices of each primitive, for `assemble`."""
    turned = (1, 0, 2) if profile.winding_swap == "first" else (2, 1, 0)
    return [turned if invert else (0, 1, 2) for invert in inverted]


def emitted_arrays(
    emissions: Emissions, registers: Sequence[int], wirings: Sequence[Wiring], profile: Profile
) -> tuple[Arrays, Arrays, Arrays]:
    """Outputs, words and written of all vertices in the order in which they were sent, three for each primitive."""
    stream = [vertex for primitive in emissions.primitives for vertex in primitive]
    values = np.zeros((len(registers), len(stream), 4), np.uint32)
    masks = np.zeros((len(registers), len(stream)), np.uint8)
    for number, vertex in enumerate(stream):
        for place, register in enumerate(registers):
            values[place, number] = vertex.outputs[register]
            masks[place, number] = vertex.written[register]
    return output_arrays(registers, values, written_flags(masks), wirings, profile)


def uniforms_taken(mode: int, start: int, most: int) -> range:
    """The numbers of the c registers that feeds overwrite, where the largest takes `most` of them."""
    first = start if mode == FIXED else 0
    return range(first, min(first + most, FLOAT_COUNT))
