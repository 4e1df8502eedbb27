"""The triangles of a run as a rasterizer gets them: `Scene`."""

from __future__ import annotations

import numpy as np

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.core.source import Span
    from lanewise.drawing.volume import Volume

    Array = NDArray[np.float64]


class Blame(Record):
    """The first instruction to look at for a component of a vertex: its place, its text, what it did, and what led to it.

    `word` is its number in the program; None where no instruction is to blame, as with a component that nothing writes. `chain`
    is what `--explain` shows, `data` the same as plain values.
    """

    instruction: str
    word: int | None
    span: Span | None
    message: str
    chain: str
    data: Mapping[str, object]


class Suspect(Record):
    """A change of the data that may be what a scene needs: its name, what is wrong without it, the fix, and the positions with
    it.

    `least` is the share of the triangles that have to be on the screen then.
    """

    code: str
    message: str
    fix: str
    position: Array
    least: float = 0.5


class Scene(Record):
    """Triangles after the last shader.

    `position` is (triangles, 3, 4) in clip space; `outputs` are (triangles, 3, components) by name, `position` among them.
    `vertices` (triangles, 3) are the numbers of the vertices, equal for corners that share one. `used` are those numbers, each
    once, in order. `stopped` are the vertices that stopped without an end. `every` are the numbers of all vertices of the run,
    those of no triangle too, in order, with their outputs, (vertices, components); None where corners are no vertices of the
    input. `blame(triangle, corner, output, component)` looks for the instruction behind a component of a corner; `suspects`
    tries changes of the data. `lost` says why there are no triangles, if there are none. `whole` is false for corners that are
    no vertices of the input (a geometry shader's); `runs` (triangles,) are then the runs that sent them.
    """

    position: Array
    outputs: Mapping[str, NDArray[np.float32]]
    vertices: NDArray[np.int64]
    volume: Volume
    stopped: NDArray[np.int64]
    blame: Callable[[int, int, str, int], Blame | None]
    suspects: Callable[[], Iterable[Suspect]]
    lost: str = ""
    whole: bool = True
    runs: NDArray[np.int64] | None = None
    every: tuple[NDArray[np.int64], Mapping[str, NDArray[np.float32]]] | None = None

    @property
    def triangles(self) -> int:
        return len(self.position)

    def rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the vertices that occur, each once, and for each a place among the corners (triangle * 3 + corner)."""
        numbers, first = np.unique(self.vertices.reshape(-1), return_index=True)
        return numbers, first

    def loose(self) -> NDArray[np.int64]:
        """The numbers of the vertices that are in no triangle."""
        return self.vertices[:0].reshape(-1) if self.every is None else np.setdiff1d(self.every[0], self.vertices)


def colours_of(scene: Scene, name: str) -> NDArray[Any]:
    """The output `name` as red, green, blue and alpha of each corner, (triangles, 3, 4), 0 to 1; see `as_colours`."""
    return as_colours(np.asarray(scene.outputs[name], np.float64), name, scene.volume)


def as_colours(array: NDArray[Any], name: str, volume: Volume) -> NDArray[Any]:
    """The values of an output `name`, (..., components), as red, green, blue and alpha, (..., 4) of the same type, 0 to 1.

    The vertex colour is clamped as the rasterizer does it; another output is stretched from its least to its greatest value,
    where it leaves 0 to 1. What is not finite is 0.
    """
    count = min(array.shape[-1], 4)
    found = np.zeros((*array.shape[:-1], 4), array.dtype)
    found[..., 3] = 1.0
    array = np.where(np.isfinite(array), array, 0.0)[..., :count]
    if name == volume.colour:
        found[..., :count] = np.minimum(np.abs(array), 1.0) if volume.absolute else np.clip(array, 0.0, 1.0)
        return found
    count = min(count, 3)
    array = array[..., :count]
    if array.size and (array.min() < 0.0 or array.max() > 1.0):
        flat = array.reshape(-1, count)
        low, high = flat.min(axis=0), flat.max(axis=0)
        array = (array - low) / np.where(high > low, high - low, 1.0)
    found[..., :count] = array
    return found
