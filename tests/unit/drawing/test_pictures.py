"""Drawings: clipping, depth and colours against a second way to compute them, the files, and what they show."""

import io
import re
import sys
import xml.etree.ElementTree as ET
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from drawing_scenes import Case, moved
from lanewise.drawing.clip import clip, distances, facing
from lanewise.drawing.mesh import mesh_bytes
from lanewise.drawing.picture import Look, draw, to_pixels
from lanewise.drawing.png import NoPillow, TooDense, as_png
from lanewise.drawing.raster import grid, nearest
from lanewise.drawing.scene import Scene
from lanewise.drawing.svg import TooManyPolygons, as_svg, edges_of
from lanewise.drawing.volume import CLOCKWISE, Volume
from lanewise.pica200.api.scene import VOLUME

LINEAR: Any = np.linalg
SMALL = VOLUME._replace(screens=(("top", 40, 24),))


def nothing(triangle: int, corner: int, output: str, axis: int) -> None:
    """Blame nothing."""


def scene_of(position: NDArray[Any], color: NDArray[Any] | None = None, volume: Volume = SMALL) -> Scene:
    outputs = {"position": position.astype(np.float32)}
    if color is not None:
        outputs["color"] = color.astype(np.float32)
    numbers = np.arange(position.size // 4).reshape(-1, 3)
    return Scene(
        position=position.astype(np.float64),
        outputs=outputs,
        vertices=numbers,
        volume=volume,
        stopped=np.zeros(0, np.int64),
        blame=nothing,
        suspects=lambda: (),
    )


def random_scene(count: int, seed: int) -> Scene:
    """Triangles around the volume: many are cut by its planes, some reach behind the viewer."""
    rng = np.random.default_rng(seed)
    position = rng.normal(size=(count, 3, 4)) * (1.2, 1.2, 0.6, 0.5) + (0, 0, -0.5, 1.0)
    return scene_of(position, rng.uniform(size=(count, 3, 4)))


def solved(scene: Scene, column: int, row: int) -> tuple[float, int, NDArray[np.float64]]:
    """Depth, triangle and weights at the centre of a pixel, without clipping: the weights that give (x, y, 1) solve a linear
    system."""
    width, height = 40, 24
    right, up = (column + 0.5) / width * 2 - 1, 1 - (row + 0.5) / height * 2
    best = np.inf, -1, np.zeros(3)
    for triangle, corners in enumerate(scene.position):
        weights: NDArray[np.float64] = LINEAR.solve(corners[:, (0, 1, 3)].T, (up, -right, 1.0))
        depth = float(weights @ corners[:, 2])
        if (weights >= 0).all() and -1.0 <= depth <= 0.0 and depth < best[0]:
            best = depth, triangle, weights / weights.sum()
    return best


@pytest.mark.parametrize("seed", range(2))
def test_the_nearest_triangle_and_its_weights_at_each_pixel(seed: int):
    scene = random_scene(12, seed)
    drawing = draw(scene, Look(cull="none", scale=1))
    found = nearest(drawing, 0, len(drawing.points), 1)
    wrong = 0
    for row in range(24):
        for column in range(40):
            _, triangle, weights = solved(scene, column, row)
            piece = found.piece[row, column]
            if (drawing.source[piece] if piece >= 0 else -1) != triangle:
                wrong += 1  # a pixel on an edge may go either way
            elif triangle >= 0:
                color = found.weights[row, column] @ drawing.colours[piece]
                assert color == pytest.approx(weights @ scene.outputs["color"][triangle], abs=1e-5)
    assert wrong <= 3


def test_clipping_keeps_what_is_inside():
    scene = random_scene(300, 7)
    parts = clip(scene.position, distances(VOLUME))
    inside = parts.position @ np.array(distances(VOLUME)).T
    assert inside.min() > -1e-9
    assert np.einsum("pcv,pvk->pck", parts.weights, scene.position[parts.source]) == pytest.approx(parts.position, abs=1e-12)
    whole = (scene.position @ np.array(distances(VOLUME)).T >= 0).all(axis=(1, 2)) & (scene.position[..., 3] > 1e-3).all(axis=1)
    assert set(np.flatnonzero(whole)) <= set(parts.source.tolist())
    square = np.array([[[0.0, 0, -0.5, 1], [4, 0, -0.5, 1], [0, 4, -0.5, 1]]])
    assert facing(clip(square, distances(VOLUME)).position).sum() == pytest.approx(2.0)  # twice the area of the unit square
    assert len(clip(np.zeros((0, 3, 4)), distances(VOLUME)).source) == 0


def test_screens_are_turned_and_other_targets_are_not():
    up = np.array([1.0, 0.0, -0.5, 1.0])
    assert to_pixels(up, (400, 240), turn=True).tolist() == [200, 0]  # x is upward on a screen
    assert to_pixels(np.array([0.0, 1.0, -0.5, 1.0]), (400, 240), turn=True).tolist() == [0, 120]  # y is to the left
    assert to_pixels(up, (400, 240), turn=False).tolist() == [400, 120]
    scene = scene_of(np.array([[[-1.0, -1, -0.5, 1], [1, -1, -0.5, 1], [0, 1, -0.5, 1]]]), volume=VOLUME)
    assert [(d.width, d.height) for d in (draw(scene, Look(screen=s)) for s in ("", "top", "bottom", "64x32"))] == [
        (400, 240),
        (400, 240),
        (320, 240),
        (64, 32),
    ]


def test_culling_follows_the_front_of_the_volume():
    scene = scene_of(np.array([[[-1.0, -1, -0.5, 1], [1, -1, -0.5, 1], [0, 1, -0.5, 1]]]))
    other = scene._replace(volume=SMALL._replace(front=CLOCKWISE))
    drawn = {
        (s.volume.front, cull): draw(s, Look(cull=cull)).drawn for s in (scene, other) for cull in ("none", "back", "front")
    }
    assert list(drawn.values()) == [1, 1, 0, 1, 0, 1]


def test_svg_draws_far_triangles_first_and_divides_smooth_ones():
    near = np.array([[-0.5, -0.5, -0.9, 1], [0.5, -0.5, -0.9, 1], [0, 0.5, -0.9, 1]])
    scene = scene_of(np.array([near, near * (1, 1, 1 / 9, 1)]), np.array([[[1, 0, 0, 1]] * 3, [[0, 0, 1, 1]] * 3]))
    text = as_svg(draw(scene, Look()))
    assert re.findall(r'fill="(#\w+)" stroke="#', text) == ["#0000ff", "#ff0000"]
    smooth = scene_of(np.array([near]), np.array([[[1.0, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]]), volume=VOLUME)
    assert as_svg(draw(smooth, Look())).count("M") > 100
    assert as_svg(draw(smooth, Look(shading="flat"))).count("M") == 1
    assert as_svg(draw(smooth, Look()), wireframe=True).count("M") == 3
    root = ET.fromstring(as_svg(draw(smooth, Look(scale=3))))
    assert (root.get("width"), root.get("viewBox")) == ("1200", "0 0 400 240")


def test_the_clip_view_shows_what_is_outside():
    scene = Case(model=moved(x=2.4)).run().scene()
    drawing = draw(scene, Look(view="clip"))
    assert 0 < drawing.pale < len(drawing.points)
    assert drawing.frame is not None
    assert drawing.width == drawing.height
    assert "opacity" in as_svg(draw(scene, Look(view="clip", shading="flat")))


def test_png_has_the_colours_of_the_corners():
    pytest.importorskip("PIL")
    image: Any = import_module("PIL.Image")
    position = np.array(
        [[[-1.0, -1, -0.5, 1], [1, -1, -0.5, 1], [1, 1, -0.5, 1]], [[-1, -1, -0.5, 1], [1, 1, -0.5, 1], [-1, 1, -0.5, 1]]]
    )
    color = np.array([[[1.0, 0, 0], [0, 1, 0], [0, 0, -2]], [[1, 0, 0], [0, 0, -2], [1, 1, 1]]])  # |c| is taken, at most 1
    scene = scene_of(position, color, volume=VOLUME)
    pixels = np.asarray(image.open(io.BytesIO(as_png(draw(scene, Look(screen="8x8", scale=8))))))
    assert pixels.shape == (64, 64, 3)
    for (row, column), wanted in {
        (63, 0): (255, 0, 0),
        (63, 63): (0, 255, 0),
        (0, 63): (0, 0, 255),
        (0, 0): (255, 255, 255),
    }.items():
        assert np.abs(pixels[row, column].astype(int) - wanted).max() <= 6
    assert as_png(draw(scene, Look(view="clip")), wireframe=True).startswith(b"\x89PNG")


def test_without_pillow_there_is_no_png(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(NoPillow, match="pip install"):
        as_png(draw(Case().run().scene(), Look()))


def test_colours():
    scene = Case(color=(0.5, 0.5, 0.5, 1.0)).run().scene()
    assert len(np.unique(draw(scene, Look()).colours[:, 0], axis=0)) > 1  # a constant colour: by direction
    assert np.ptp(draw(scene, Look(colour="color")).colours) == pytest.approx(0.5, abs=1e-4)
    assert draw(scene, Look(colour="depth")).colours.max() <= 1.0
    stretched = draw(scene, Look(colour="position")).colours
    assert (stretched.min(), stretched.max()) == pytest.approx((0.0, 1.0), abs=0.2)
    with pytest.raises(ValueError, match="unknown colour 'normal': use position, color, face, depth"):
        draw(scene, Look(colour="normal"))


@pytest.mark.parametrize(
    ("look", "message"),
    [
        (Look(view="side"), "unknown view"),
        (Look(shading="phong"), "unknown shading"),
        (Look(cull="all"), "unknown cull"),
        (Look(scale=9), "scale is 9"),
        (Look(screen="0x9"), "unknown screen"),
    ],
)
def test_choices_that_do_not_exist(look: Look, message: str):
    with pytest.raises(ValueError, match=message):
        draw(Case().run().scene(), look)


def grid_of(side: int) -> Scene:
    """A bumpy square of 2 * side * side small triangles."""
    steps = np.linspace(-0.9, 0.9, side + 1)
    x, y = np.meshgrid(steps, steps)
    points = np.stack([x, y, -0.5 + 0.3 * np.sin(5 * x) * np.cos(4 * y), np.ones_like(x)], axis=-1).reshape(-1, 4)
    corner = (np.arange(side)[:, np.newaxis] * (side + 1) + np.arange(side)).reshape(-1)
    faces = np.concatenate(
        [np.stack([corner, corner + 1, corner + side + 2], 1), np.stack([corner, corner + side + 2, corner + side + 1], 1)]
    )
    return scene_of(points[faces], volume=VOLUME)


def test_a_large_mesh_gives_a_file_that_opens():
    scene = grid_of(46)
    drawing = draw(scene, Look())
    assert drawing.drawn == 4_232
    assert len(as_svg(drawing)) < 400_000
    assert len(edges_of(drawing, 0, len(drawing.points))) < 3 * 4_232 / 2 + 500


def test_too_many_polygons_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lanewise.drawing.svg.MOST_POLYGONS", 100)
    with pytest.raises(TooManyPolygons, match="polygons is too large to open"):
        as_svg(draw(grid_of(20), Look()))


def test_triangles_that_cover_each_other_too_often_are_refused():
    whole = np.array([[-1.0, -1, -0.5, 1], [3, -1, -0.5, 1], [-1, 3, -0.5, 1]])
    drawing = draw(scene_of(np.tile(whole, (3000, 1, 1)), volume=VOLUME), Look())
    assert grid(drawing._replace(points=drawing.points[:100]), 4) == 3
    with pytest.raises(TooDense):
        as_png(drawing)
    assert as_png(drawing, wireframe=True)


def test_positions_that_are_not_finite_are_left_out():
    position = np.tile(np.array([[-0.5, -0.5, -0.5, 1], [0.5, -0.5, -0.5, 1], [0, 0.5, -0.5, 1]]), (3, 1, 1))
    position[0, 0, 0], position[1, 1, 3] = np.nan, np.inf
    assert draw(scene_of(position), Look()).drawn == 1
    assert "nan" not in as_svg(draw(scene_of(position), Look(view="clip")))


def test_an_empty_scene_is_an_empty_picture():
    scene = scene_of(np.zeros((0, 3, 4)))
    for view in ("screen", "clip"):
        drawing = draw(scene, Look(view=view))
        assert (drawing.drawn, as_svg(drawing).count("path")) == (0, 0)
    assert mesh_bytes(scene, ".csv")[0].startswith(b"vertex,position.x")
