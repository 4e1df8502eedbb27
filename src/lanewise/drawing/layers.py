"""Several draws into one target, in order and with their depth tests: `merged`, `shown`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.text.counting import counted
from lanewise.drawing.placement import ALWAYS, EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, NEVER, Layer
from lanewise.drawing.raster import DIGITS, Nearest, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.drawing.picture import DrawnScene
    from lanewise.drawing.placement import DepthTest

    Array = NDArray[np.float64]

_PASSES: Mapping[str, Callable[[Any, Any], Any]] = {
    NEVER: lambda new, _: np.zeros(len(new), np.bool_),
    ALWAYS: lambda new, _: np.ones(len(new), np.bool_),
    EQUAL: np.equal,
    LESS: np.less,
    LESS_EQUAL: np.less_equal,
    GREATER: np.greater,
    GREATER_EQUAL: np.greater_equal,
}
STRICT = (GREATER, LESS)  # tests that equal depths do not pass
_DOWN, _UP = (GREATER, GREATER_EQUAL), (LESS, LESS_EQUAL)


def merged(drawings: Sequence[DrawnScene], tests: Sequence[DepthTest], triangles: int) -> DrawnScene:
    """The pictures of several draws of one target as one, of `triangles` in all."""
    first = drawings[0]
    ends = np.cumsum([len(drawing.source) for drawing in drawings]).tolist()
    before = np.cumsum([0, *[int(drawing.source.max(initial=-1)) + 1 for drawing in drawings]]).tolist()
    drawn = sum([drawing.drawn for drawing in drawings])
    found = first._replace(
        points=np.concatenate([drawing.points for drawing in drawings]),
        depth=np.concatenate([drawing.depth for drawing in drawings]),
        inverse_w=np.concatenate([drawing.inverse_w for drawing in drawings]),
        colours=np.concatenate([drawing.colours for drawing in drawings]),
        source=np.concatenate([drawing.source + offset for drawing, offset in zip(drawings, before, strict=False)]),
        edges=np.concatenate([drawing.edges for drawing in drawings]),
        drawn=drawn,
        title=f"{drawn} of {counted(triangles, 'triangle')} in {counted(len(drawings), 'draw')}",
        layers=tuple([Layer(end=end, test=test) for end, test in zip(ends, tests, strict=True)]),
    )
    return found if needs_layers(found) else found._replace(depth=ordered(found), strict=tests[0].test in STRICT)


def needs_layers(drawing: DrawnScene) -> bool:
    """Whether one order of all pieces does not give what the depth tests give."""
    tests = [layer.test for layer in drawing.layers]
    return len({test.test for test in tests}) > 1 or not all(test.test in (*_DOWN, *_UP) and test.written for test in tests)


def ordered(drawing: DrawnScene) -> Array:
    """A number for each corner: of two pieces at a pixel, the one with the lesser is shown by the test of its draw."""
    found = np.array(drawing.depth, np.float64)
    begin = 0
    for layer in drawing.layers:
        part = slice(begin, layer.end)
        stored = _stored(drawing.depth[part], layer.test)
        later = np.broadcast_to(-np.arange(begin, layer.end, dtype=np.float64)[:, np.newaxis], stored.shape)
        found[part] = stored if layer.test.test in _UP else -stored if layer.test.test in _DOWN else later
        begin = layer.end
    return found


def _stored(depth: Array, test: DepthTest) -> Array:
    """z / w as it is stored."""
    return np.clip(depth * test.scale + test.offset, 0.0, 1.0)


def shown(drawing: DrawnScene, samples: int) -> Nearest:
    """The piece that is seen at each of `samples` * `samples` points of a pixel, after all draws in their order. The depth
    buffer begins as the first test needs it: with 1 for less, with 0 otherwise."""
    by_test = drawing._replace(depth=ordered(drawing))
    height, width = drawing.height * samples, drawing.width * samples
    piece, weights = np.full((height, width), -1, np.int64), np.zeros((height, width, 3))
    buffer = np.full((height, width), 1.0 if drawing.layers[0].test.test in _UP else 0.0)
    begin = 0
    for layer in drawing.layers:
        found = nearest(by_test._replace(strict=layer.test.test in STRICT), begin, layer.end, samples)
        rows, columns = np.nonzero(found.piece >= 0)
        which, share = found.piece[rows, columns], found.weights[rows, columns]
        flat = share / drawing.inverse_w[which]
        flat /= flat.sum(axis=1, keepdims=True)
        depth: Array = np.asarray(np.einsum("pv,pv->p", flat, _stored(drawing.depth[which], layer.test)), np.float64)
        depth = depth.round(DIGITS)
        passes = _PASSES.get(layer.test.test, np.not_equal)(depth, buffer[rows, columns])
        rows, columns = rows[passes], columns[passes]
        piece[rows, columns], weights[rows, columns] = which[passes], share[passes]
        if layer.test.written:
            buffer[rows, columns] = depth[passes]
        begin = layer.end
    return Nearest(piece, weights)
