"""Viewports and scissors of a target: where triangles are, and which are cut off."""

from __future__ import annotations

import numpy as np
import pytest

from lanewise.drawing.clip import clip_regions
from lanewise.drawing.picture import to_pixels
from lanewise.drawing.placement import Placement

CORNERS = np.array([[-1, -1, -0.5, 1], [2, -2, -1, 2], [0, 0.5, -0.25, 0.5]], np.float64)  # NDC (-1, -1), (1, -1), (0, 1)


def test_a_viewport_that_is_the_whole_target_changes_nothing():
    placement = Placement(size=(240, 400), viewport=(0, 0, 240, 400))
    np.testing.assert_allclose(placement.mapped(CORNERS), CORNERS)


def test_the_clip_volume_fills_the_viewport():
    placement = Placement(size=(240, 400), viewport=(20, 40, 100, 200))
    points = to_pixels(placement.mapped(CORNERS), placement.shown, turn=False)
    np.testing.assert_allclose(points, [[20, 400 - 40], [120, 400 - 40], [70, 400 - 240]])


def test_a_screen_is_shown_turned():
    placement = Placement(size=(240, 400), viewport=(0, 0, 240, 400), turn=True)
    assert placement.shown == (400, 240)
    points = to_pixels(placement.mapped(CORNERS), placement.shown, turn=True)
    np.testing.assert_allclose(points, [[400, 240], [400, 0], [0, 120]])


@pytest.mark.parametrize(
    ("viewport", "scissor", "least", "most"),
    [
        ((0, 0, 240, 400), (60, 100, 120, 50), (60, 100), (180, 150)),
        ((-100, 0, 440, 400), None, (0, 0), (240, 400)),  # beyond the target
        ((20, 40, 200, 300), (0, 0, 1000, 60), (20, 40), (220, 60)),
    ],
)
def test_what_is_drawn_is_in_the_scissor_and_in_the_target(
    viewport: tuple[float, float, float, float],
    scissor: tuple[float, float, float, float] | None,
    least: tuple[float, float],
    most: tuple[float, float],
):
    placement = Placement(size=(240, 400), viewport=viewport, scissor=scissor)
    quad = np.array([[[-1, -1, 0, 1], [1, -1, 0, 1], [1, 1, 0, 1]], [[-1, -1, 0, 1], [1, 1, 0, 1], [-1, 1, 0, 1]]], np.float64)
    parts = clip_regions(quad, (), placement.regions)
    points = to_pixels(placement.mapped(parts.position), placement.shown, turn=False).reshape(-1, 2)
    np.testing.assert_allclose(points.min(axis=0), (least[0], 400 - most[1]), atol=1e-9)
    np.testing.assert_allclose(points.max(axis=0), (most[0], 400 - least[1]), atol=1e-9)


@pytest.mark.parametrize(
    ("without", "area"),
    [
        ((60, 100, 120, 50), 240 * 400 - 120 * 50),  # in the middle
        ((-50, -50, 100, 100), 240 * 400 - 50 * 50),  # over a corner
        ((0, 0, 240, 400), 0),
        ((-10, -10, 500, 600), 0),
        ((300, 0, 10, 10), 240 * 400),  # beside the target
        ((100, 100, 0, 0), 240 * 400),
    ],
)
def test_what_a_scissor_leaves_out_is_not_drawn(without: tuple[float, float, float, float], area: float):
    placement = Placement(size=(240, 400), viewport=(-100, -100, 600, 600), without=without)
    quad = np.array([[[-1, -1, 0, 1], [1, -1, 0, 1], [1, 1, 0, 1]], [[-1, -1, 0, 1], [1, 1, 0, 1], [-1, 1, 0, 1]]], np.float64)
    parts = clip_regions(quad, (), placement.regions)
    x, y = np.moveaxis(to_pixels(placement.mapped(parts.position), placement.shown, turn=False), -1, 0)
    sums = x[:, 0] * (y[:, 1] - y[:, 2]) + x[:, 1] * (y[:, 2] - y[:, 0]) + x[:, 2] * (y[:, 0] - y[:, 1])
    assert np.abs(sums).sum() / 2 == pytest.approx(area, abs=1e-6)  # pyright: ignore[reportUnknownMemberType]
    left, bottom, width, height = without
    middles = x.mean(axis=1), 400 - y.mean(axis=1)
    inside = (middles[0] > left) & (middles[0] < left + width) & (middles[1] > bottom) & (middles[1] < bottom + height)
    assert not inside[np.abs(sums) > 1e-6].any()  # edges of the rectangle have no area
