"""The vertices of a recorded draw that differ between two profiles: `draw_apart`."""

from __future__ import annotations

import numpy as np

from lanewise.arrays.expecting import Tolerance, shown, ulps
from lanewise.core.engines import AUTO
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.api.drawn import drawn_file
from lanewise.pica200.engine import float24

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.pica200.api.interface import OutputBinding
    from lanewise.pica200.frame.draws import Draw
    from lanewise.pica200.sem.profile import Profile

_EXACT = Tolerance(0)
VERTEX, CORNER = "vertex", "corner"
_FLOAT24, _FLOAT32 = "float24", "float32"


class First(Record):
    """The first component that differs: of the first row with one, the first output in order."""

    row: int
    "Number of the vertex as `--trace` has it, or of the corner, three a triangle."
    vertex: int | None
    "Number of the vertex in the buffers of the application; None for corners."
    output: str
    "Output and component, such as `position.x`."
    first: str
    "Number with its bits under the first profile."
    second: str
    "Number with its bits under the second profile."


class Apart(Record):
    """How the results of a draw differ between two profiles."""

    number: int
    "Number of the draw in the file."
    unit: str
    "What is compared: `vertex`, or `corner` of the triangles that a geometry shader sends."
    counts: tuple[int, int]
    "Vertices or corners under each profile; those that both have are compared."
    rows: tuple[int, ...]
    "Numbers of the vertices or corners that differ."
    largest: int
    "Most steps of the number format between two components; 0 without a difference, -1 if one is NaN and the other a number."
    furthest: float
    "Greatest difference of two components as numbers; NaN if one is NaN, or they are infinities."
    format: str
    "Number format in which steps are counted: float32 if both profiles compute in it, otherwise float24."
    first: First | None
    "First difference; None without one."
    stopped: tuple[int, int]
    "Vertices and runs that stop without `end` under each profile."


def draw_apart(
    draw: Draw, name: str, profiles: tuple[Profile, Profile], *, tolerance: Tolerance = _EXACT, engine: str = AUTO
) -> Apart:
    """Run a draw on its data under two profiles and compare what its last shader gives, component by component.

    `name` is that of the draw in messages; `tolerance` is how far two components may be apart, as in shader tests. What is not
    in the recording counts as 0 in both runs. A profile that computes in float32 is compared with one that computes in float24
    after rounding toward zero, as in shader tests. Zeros of both signs are equal, and so are two NaN. Raises InputError for a
    draw whose program cannot be read.
    """
    one, other = (_run(draw, name, profile, engine) for profile in profiles)
    form = _FLOAT32 if one.format == other.format == _FLOAT32 else _FLOAT24
    compared = min(one.size, other.size)
    differs = np.zeros(compared, np.bool_)
    largest, furthest = 0, 0.0
    cells: list[tuple[str, NDArray[np.bool_], NDArray[np.uint32], NDArray[np.uint32]]] = []
    for output in [output for output in one.columns if output in other.columns]:
        first, second = (each.patterns(output, form)[:compared] for each in (one, other))
        steps = ulps(first, second, form)
        with np.errstate(invalid="ignore"):
            distance = np.abs(np.subtract(*[each.numbers[output][:compared].astype(np.float64) for each in (one, other)]))
        apart = (steps < 0) | (steps > tolerance.ulp)
        if tolerance.difference:
            apart &= ~(distance <= tolerance.difference)
        if apart.any():
            differs |= apart
            furthest = float(np.maximum(furthest, distance[apart].max()))
            largest = -1 if largest < 0 or bool((steps < 0).any()) else max(largest, int(steps.max()))
            cells.append((output, apart, first, second))
    rows = tuple(np.flatnonzero(differs).tolist())
    return Apart(
        number=draw.number,
        unit=one.unit,
        counts=(one.size, other.size),
        rows=rows,
        largest=largest,
        furthest=furthest,
        format=form,
        first=_first(rows[0], cells, form, one.vertices) if rows else None,
        stopped=(one.stopped, other.stopped),
    )


def _first(
    row: int,
    cells: Sequence[tuple[str, NDArray[np.bool_], NDArray[np.uint32], NDArray[np.uint32]]],
    form: str,
    vertices: Sequence[int] | None,
) -> First:
    output, _, first, second = next(cell for cell in cells if cell[1][row])
    return First(
        row=row,
        vertex=vertices[row] if vertices is not None else None,
        output=output,
        first=shown(int(first[row]), form),
        second=shown(int(second[row]), form),
    )


class _Results(Record):
    """What a run gave."""

    unit: str
    "What a row is."
    size: int
    "Number of rows."
    columns: Mapping[str, NDArray[Any]]
    "Patterns of each component of the outputs, by its name."
    numbers: Mapping[str, NDArray[Any]]
    "The same as float32 numbers."
    format: str
    "Format of the patterns."
    vertices: Sequence[int] | None
    "Number of each vertex in the buffers; None for corners."
    stopped: int
    "Vertices and runs that stopped."

    def patterns(self, output: str, form: str) -> NDArray[np.uint32]:
        """A component in a format."""
        return self.columns[output] if self.format == form else float24.encode(self.numbers[output])


def _run(draw: Draw, name: str, profile: Profile, engine: str) -> _Results:
    file = drawn_file(draw, name)
    data = file.data
    if data is None:
        raise ValueError(f"{name} has no data")
    options: dict[str, Any] = {
        "count": len(data.vertices),
        "profile": profile,
        "engine": engine,
        "defaults": 0,
        "keep_faults": True,
    }
    if not any(shader.stage == "geometry" for shader in file.programs):
        shader = file.vertex
        result = shader.run(data.inputs, data.vertex_uniforms, **options)
        return _Results(
            unit=VERTEX,
            size=result.lanes,
            columns=_columns(shader.outputs, result.bits),
            numbers=_columns(shader.outputs, result.outputs),
            format=result.format,
            vertices=data.vertices,
            stopped=len(result.faults),
        )
    primitives = data.run_on(file.pipeline, **options)
    return _Results(
        unit=CORNER,
        size=3 * primitives.triangles,
        columns=_columns(primitives.bindings, primitives.bits),
        numbers=_columns(primitives.bindings, primitives.outputs),
        format=primitives.format,
        vertices=None,
        stopped=len(primitives.faults),
    )


def _columns(bindings: Sequence[OutputBinding], arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for binding in bindings:
        flat = arrays[binding.register]
        flat = flat.reshape(-1, flat.shape[-1])
        for place, letter in enumerate(binding.components):
            found[f"{binding.semantic}.{'xyzw'[place]}"] = flat[:, "xyzw".index(letter)]
    return found
