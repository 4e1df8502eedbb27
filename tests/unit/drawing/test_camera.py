"""The camera: which of its matrices a name means, and that it sees a box whole."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from lanewise.drawing.camera import BINDINGS, Camera, matrix_named
from lanewise.drawing.camera_matrices import fitted, matrix
from lanewise.pica200.api.scene import VOLUME
from together import together


@together(
    ("label", "several", "alone"),
    [
        ("projection", "projection", "modelviewprojection"),
        ("Model_View", "modelview", "modelview"),
        ("u_mvp", "", "modelviewprojection"),
        ("WorldViewProj", "modelviewprojection", "modelviewprojection"),
        ("viewProj", "viewprojection", "modelviewprojection"),
        ("normalMatrix", "normal", "normal"),
        ("mdlvMtx", "modelview", "modelview"),
        ("c0", "modelviewprojection", "modelviewprojection"),
        ("c4", "", "modelviewprojection"),
        ("bones", "", "modelviewprojection"),
    ],
)
def test_names_of_matrices(label: str, several: str, alone: str):
    register = label if label.startswith("c") else "c0"
    assert matrix_named(label, register, alone=False) == several
    assert matrix_named(label, register, alone=True) == alone
    assert {several, alone} <= {*BINDINGS, ""}


@pytest.mark.parametrize("size", [0.001, 1.0, 5000.0])
def test_a_fitted_camera_sees_a_box_whole_from_all_sides(size: float):
    low, high = np.array([-1.0, 2.0, 3.0]) * size, np.array([4.0, 2.5, 4.0]) * size
    corners = np.array([[*corner, 1.0] for corner in itertools.product(*zip(low, high, strict=True))])
    for yaw, pitch in itertools.product((0.0, 0.6, 2.0, 4.0), (-1.2, 0.0, 0.4, 1.5)):
        camera = fitted(Camera(yaw=yaw, pitch=pitch), low, high)
        x, y, z, w = matrix("modelviewprojection", camera, VOLUME, (400, 240)) @ corners.T
        assert (abs(x) <= w).all() and (abs(y) <= w).all()
        assert (VOLUME.nearest * w <= z).all() and (z <= VOLUME.farthest * w).all()
        assert abs(np.array([x, y]) / w).max() > 0.3  # and not from afar


def test_a_box_of_nothing_leaves_the_camera():
    for low, high in ((0.0, 0.0), (0.0, np.inf), (np.nan, 1.0)):
        assert fitted(Camera(), np.full(3, low), np.full(3, high)) == Camera()
    with pytest.raises(ValueError, match="unknown matrix"):
        matrix("bones", Camera(), VOLUME, (1, 1))
