"""Several draws into one target: what is seen at a pixel, by the tests of their depths."""

from __future__ import annotations

import numpy as np
import pytest

from lanewise.drawing.layers import needs_layers, shown
from lanewise.drawing.picture import Look, draw
from lanewise.drawing.placement import DepthTest, Placement
from lanewise.drawing.raster import nearest
from lanewise.drawing.scene import Scene
from lanewise.drawing.svg import as_svg
from lanewise.pica200.api.scene import VOLUME
from together import together

NEAR, FAR, MIDDLE = -0.9, -0.1, -0.5  # z / w


def _nobody(triangle: int, corner: int, output: str, component: int) -> None:
    """No instruction is behind a value of these scenes."""


def _scene(depths: list[float], test: str, *, written: bool = True, scale: float = -1.0, cull: str = "none") -> Scene:
    """Triangles over all of a target, with a depth each, all of one draw."""
    position = np.array([[[-3, -3, z, 1], [3, -3, z, 1], [0, 6, z, 1]] for z in depths], np.float64)
    return Scene(
        position=position,
        outputs={"position": position.astype(np.float32)},
        vertices=np.arange(3 * len(depths)).reshape(-1, 3),
        volume=VOLUME,
        stopped=np.zeros(0, np.int64),
        blame=_nobody,
        suspects=lambda: (),
        placement=Placement(
            size=(8, 8),
            viewport=(0, 0, 8, 8),
            cull=cull,
            depth=DepthTest(scale=scale, offset=0.0 if scale < 0 else 1.0, test=test, written=written),
        ),
    )


def _target(*parts: Scene) -> Scene:
    position = np.concatenate([part.position for part in parts])
    return parts[0]._replace(position=position, vertices=np.arange(position.size // 4).reshape(-1, 3), parts=parts)


def _seen(*parts: Scene) -> int:
    """The number of the triangle, of all draws, in the middle; -1 for none."""
    drawing = draw(_target(*parts), Look(scale=1))
    found = shown(drawing, 1) if needs_layers(drawing) else nearest(drawing, 0, len(drawing.source), 1)
    by_layers = shown(drawing._replace(depth=_depths(parts)), 1)
    assert (drawing.source[by_layers.piece] == drawing.source[found.piece]).all()
    piece = int(found.piece[4, 4])
    return -1 if piece < 0 else int(drawing.source[piece])


def _depths(parts: tuple[Scene, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """z / w of all pieces, where nothing is culled."""
    bare = [part._replace(placement=part.placement._replace(depth=None)) for part in parts if part.placement is not None]
    return np.concatenate([draw(part, Look(scale=1, cull="none")).depth for part in bare])


@together(
    ("first", "second", "test", "seen"),
    [
        (NEAR, FAR, "greater", 0),
        (FAR, NEAR, "greater", 1),
        (NEAR, FAR, "less", 1),
        (FAR, NEAR, "less", 0),
        (NEAR, FAR, "always", 1),
        (NEAR, FAR, "never", -1),
        (MIDDLE, MIDDLE, "greater or equal", 1),
        (MIDDLE, MIDDLE, "greater", 0),
        (MIDDLE, MIDDLE, "less", 0),
        (MIDDLE, MIDDLE, "less or equal", 1),
        (NEAR, FAR, "not equal", 1),
        (NEAR, FAR, "equal", -1),
    ],
)
def test_two_draws_with_one_test(first: float, second: float, test: str, seen: int):
    assert _seen(_scene([first], test), _scene([second], test)) == seen


def test_a_depth_that_is_not_stored_hides_nothing():
    assert _seen(_scene([NEAR], "greater", written=False), _scene([FAR], "greater")) == 1
    assert _seen(_scene([NEAR], "greater"), _scene([FAR], "greater", written=False)) == 0


def test_triangles_of_one_depth_are_equal_at_each_pixel():
    """Sums of shares of a depth are not all the same number."""
    first = _scene([-0.3], "greater or equal")
    second = _scene([-0.3], "greater or equal")
    position = second.position * np.array([0.61, 0.43, 1.0, 1.0])
    drawing = draw(_target(first, second._replace(position=position)), Look(scale=1))
    covered = nearest(draw(second._replace(position=position), Look(scale=1)), 0, 99, 4).piece >= 0
    assert covered.any()
    seen = nearest(drawing, 0, len(drawing.source), 4).piece
    assert set(drawing.source[seen[covered]].tolist()) == {1}


def test_each_draw_has_its_own_test():
    world = _scene([FAR, NEAR, MIDDLE], "greater")
    assert _seen(world) == 1
    assert _seen(world, _scene([FAR], "always")) == 3
    assert _seen(world, _scene([FAR, MIDDLE], "greater")) == 1
    assert _seen(_scene([FAR], "always"), world) == 2


def test_what_is_equal_passes_where_the_depth_is_stored():
    assert _seen(_scene([MIDDLE], "greater"), _scene([NEAR], "equal"), _scene([MIDDLE], "equal", written=False)) == 2


@pytest.mark.parametrize(("test", "seen"), [("greater", 1), ("less", 0), ("always", 2)])
def test_one_draw_alone_follows_its_test(test: str, seen: int):
    for look, expected in ((Look(scale=1), seen), (Look(screen="top", scale=1), 1)):
        drawing = draw(_scene([FAR, NEAR, MIDDLE], test), look)
        piece = int(nearest(drawing, 0, len(drawing.source), 1).piece[4, 4])
        assert int(drawing.source[piece]) == expected


@pytest.mark.parametrize(("test", "seen"), [("greater", 0), ("greater or equal", 1)])
def test_of_one_depth_the_test_says_which_is_seen(test: str, seen: int):
    drawing = draw(_scene([MIDDLE, MIDDLE], test), Look(scale=1))
    piece = nearest(drawing, 0, len(drawing.source), 1).piece
    assert set(drawing.source[piece[piece >= 0]].tolist()) == {seen}
    colours = np.where(drawing.source[:, np.newaxis, np.newaxis] == 0, 0.0, 1.0) * np.ones((1, 3, 4))
    text = as_svg(drawing._replace(colours=colours))
    assert text.rindex("#ffffff" if seen else "#000000") > text.rindex("#000000" if seen else "#ffffff")


def test_a_draw_culls_as_it_says():
    one = _scene([FAR], "greater", cull="front")
    assert draw(_target(one, _scene([MIDDLE], "greater")), Look(scale=1)).drawn == 1


def test_a_target_has_its_own_view():
    with pytest.raises(ValueError, match="--screen"):
        draw(_target(_scene([FAR], "less")), Look(screen="top"))
    with pytest.raises(ValueError, match="no known viewport"):
        draw(_target(_scene([FAR], "less")._replace(placement=None)), Look())
