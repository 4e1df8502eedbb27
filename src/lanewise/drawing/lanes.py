"""The triangles of a result whose lanes are vertices: what an instruction set needs to be drawn is a `Volume`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.diagnostics import InputError
from lanewise.core.later import Prepared
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.text.counting import counted
from lanewise.core.text.suggestions import instead
from lanewise.core.trace import Trace
from lanewise.drawing.blame import blame, chain_of
from lanewise.drawing.scene import Blame, Scene

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from lanewise.arrays.results import Port, Result
    from lanewise.drawing.scene import Suspect
    from lanewise.drawing.volume import Volume

LIST, STRIP, FAN = TOPOLOGIES = ("triangles", "strip", "fan")
POSITION = "position"
_LETTERS = "xyzw"


def corners_of(count: int, topology: str) -> NDArray[np.int64]:
    """The vertices of each triangle of a stream of `count` vertices, (triangles, 3). The triangles of a strip have one
    winding."""
    if topology == LIST:
        return np.arange(count - count % 3, dtype=np.int64).reshape(-1, 3)
    last = np.arange(2, max(count, 2), dtype=np.int64)
    if topology == FAN:
        return np.stack([np.zeros_like(last), last - 1, last], axis=1)
    if topology != STRIP:
        raise ValueError(f"unknown topology '{topology}': {instead(str(topology), TOPOLOGIES)}")
    odd = last % 2
    return np.stack([last - 2 + odd, last - 1 - odd, last], axis=1)


def left_over(indices: ArrayLike | None, lanes: int, topology: str) -> str:
    """B011 for a list whose vertices are not all of triangles, such as one of quads; empty for another."""
    shape = np.shape(indices) if indices is not None else (lanes,)
    count = int(np.prod(shape))
    quads = count % 4 == 0 and (count % 3 > 0 or shape[-1:] == (4,))
    if topology != LIST or not shape or (not quads and count % 3 == 0) or (indices is None and count <= 3):
        return ""
    what = "indices" if indices is not None else "vertices"
    listed = f"numpy.reshape({'indices' if indices is not None else f'range({count})'}, (-1, 4))"
    fix = "give three for each triangle, or topology='strip', which joins each with the two before it"
    if quads:
        fix = f"of a quad make two triangles: `indices={listed}[:, [0, 1, 2, 0, 2, 3]]`"
    left = f", {count % 3} left over" if count % 3 else ""
    triangles = counted(count // 3, "triangle")
    return f"B011: {count} {what} are {triangles}{left}: three are a triangle. Fix: {fix}"


def scene_of_lanes(
    result: Result,
    volume: Volume,
    indices: ArrayLike | None = None,
    topology: str = LIST,
    trace: Callable[[int], object] | None = None,
) -> Scene:
    """The scene of a result with a `position` of four components. `trace` gives a `Trace` of a lane.

    Raises ValueError without a position, for indices that are no lanes, and for a topology that does not exist.
    """
    ports = {port.name: port for port in result.ports}
    if POSITION not in ports or result.outputs[POSITION].shape[-1] != 4:
        raise ValueError("no output is a position with x, y, z and w: nothing to draw")
    stream = np.arange(result.lanes, dtype=np.int64) if indices is None else np.asarray(indices).reshape(-1)
    if stream.dtype.kind not in "iu" and stream.size:
        stream = _whole(stream)
    if stream.size and not 0 <= int(stream.min()) <= int(stream.max()) < result.lanes:
        raise ValueError(f"an index is out of range: there are {result.lanes} vertices, counted from 0")
    vertices = stream.astype(np.int64)[corners_of(len(stream), topology)]
    outputs: dict[str, NDArray[Any]] = {port.name: result.outputs[port.name][vertices] for port in result.ports}

    stopped = np.array([fault.lane for fault in result.faults], np.int64)
    lost = "" if len(vertices) else "no vertices are drawn; give the inputs a row for each vertex, or indices"
    numbers = np.unique(stream).astype(np.int64)
    every = numbers, {name: result.outputs[name][numbers] for name in ports}
    return Scene(
        position=outputs[POSITION].astype(np.float64),
        outputs=outputs,
        vertices=vertices,
        volume=volume,
        stopped=stopped,
        blame=Prepared(_blamed, trace, ports, vertices),
        suspects=_no_suspects,
        lost=lost,
        every=every,
    )


def _blamed(
    trace: Callable[[int], object] | None,
    ports: Mapping[str, Port],
    vertices: NDArray[np.int64],
    triangle: int,
    corner: int,
    output: str,
    component: int,
) -> Blame | None:
    """The instruction behind a component of a corner; None without a trace."""
    if trace is None:
        return None
    letter = _LETTERS[component]
    try:
        found = trace(int(vertices[triangle, corner]))
        if not isinstance(found, Trace):
            return None
        name = f"{output}.{letter}"
        return blame(chain_of(found, name if name in found.results else f"{ports[output].register}.{letter}"))
    except (InputError, InputFailure, UsageError):
        return None


def _no_suspects() -> Iterator[Suspect]:
    return iter(())


def _whole(stream: NDArray[Any]) -> NDArray[np.int64]:
    if stream.dtype.kind != "f" or bool(np.any(stream != np.floor(stream))):
        raise ValueError("indices are whole numbers")
    return stream.astype(np.int64)
