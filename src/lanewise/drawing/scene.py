"""The triangles of a run as a rasterizer gets them: `Scene`."""

from __future__ import annotations

import numpy as np

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.core.source import Span
    from lanewise.drawing.placement import Placement
    from lanewise.drawing.volume import Volume

    Array = NDArray[np.float64]


class Blame(Record):
    """The first instruction to look at for a component of a vertex."""

    instruction: str
    "Its text; empty where no instruction is to blame, as with a component that nothing writes."
    word: int | None
    "Its number in the program; None where no instruction is to blame."
    span: Span | None
    "Place in the source; None where it is not known."
    message: str
    "Sentence on its effect."
    chain: str
    "Output of `--explain`."
    data: Mapping[str, object]
    "The same as plain values."


class Suspect(Record):
    """A change of the data that may be what a scene needs."""

    code: str
    "Key of the change in JSON."
    message: str
    "Defect of the data without it."
    fix: str
    "The change, as an imperative."
    position: Array
    "(triangles, 3, 4) in clip space, with the change."
    least: float = 0.5
    "Share of the triangles that have to be on the screen then, 0 to 1."


class Cause(Record):
    """Something that keeps triangles off the screen whatever the values are: how the stages begin, end, and are wired."""

    code: str
    message: str
    fix: str


class Scene(Record):
    """Triangles after the last shader."""

    position: Array
    "(triangles, 3, 4) in clip space, x to w."
    outputs: Mapping[str, NDArray[np.float32]]
    "(triangles, 3, components) by name, `position` among them."
    vertices: NDArray[np.int64]
    "(triangles, 3) numbers of the vertices, equal for corners that share one."
    volume: Volume
    "Clip volume and conventions of the rasterizer."
    stopped: NDArray[np.int64]
    "Numbers of the vertices that stopped without an end."
    blame: Callable[[int, int, str, int], Blame | None]
    "`(triangle, corner, output, component)`: the instruction behind a component of a corner; None where there is none."
    suspects: Callable[[], Iterable[Suspect]]
    "Changes of the data to try."
    causes: Callable[[], tuple[Cause, ...]] = tuple
    "What keeps triangles off the screen whatever the values are; asked for where none is visible."
    lost: str = ""
    "Why there are no triangles; empty where there are some."
    whole: bool = True
    "Corners are vertices of the input; those of a geometry shader are not."
    runs: NDArray[np.int64] | None = None
    "(triangles,) numbers of the runs that sent them; None where `whole`."
    every: tuple[NDArray[np.int64], Mapping[str, NDArray[np.float32]]] | None = None
    "Numbers of all vertices of the run, those of no triangle too, with their outputs by name; None unless `whole`."
    placement: Placement | None = None
    "Target and viewport that the application sets; None for a viewport that is the whole screen."
    parts: tuple[Scene, ...] = ()
    "Scenes that are drawn into one target in this order, whose triangles this one has; a drawing shows them."

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
