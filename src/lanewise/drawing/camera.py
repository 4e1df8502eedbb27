"""A camera around an object, and which of its matrices the name of a uniform means."""

from __future__ import annotations

import re

from lanewise.core.record import Record

BINDINGS = ("projection", "view", "model", "modelview", "viewprojection", "modelviewprojection", "normal")
ROWS = (3, 4)  # registers of a matrix
# What the names of matrices look like, in lower case without underscores: the first that fits decides.
MATRICES = (
    (
        "modelviewprojection",
        re.compile(  # `combined`: skygfx, shaders/vs; librw, src/d3d/shaders
            r"combined(mat(rix)?)?|"
            r"m(odel)?v(iew)?p(roj(ection)?)?|w(orld)?v(iew)?p(roj(ection)?)?|mvp|wvp|transform|.*modelviewproj.*|"
            r".*worldviewproj.*"
        ),
    ),
    ("viewprojection", re.compile(r".*viewproj.*|vp")),
    ("normal", re.compile(r".*norm(al)?(mat(rix)?|mtx)?|nrmmtx")),
    ("modelview", re.compile(r".*(modelview|mdlv|mview|worldview|mv)(mat(rix)?|mtx)?")),
    ("projection", re.compile(r".*proj(ection)?(mat(rix)?|mtx)?")),
    ("view", re.compile(r".*(view|camera|cam)(mat(rix)?|mtx)?")),
    ("model", re.compile(r".*(model|world|object)(mat(rix)?|mtx)?")),
)


class Camera(Record):
    """The place of the viewer around a target, and the turn of the object."""

    yaw: float = 0.6
    "Radians around the target, from its front to its right."
    pitch: float = 0.4
    "Radians above it."
    distance: float = 3.2
    "Distance from the target."
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    "Place that is in the middle of the view."
    fov: float = 50.0
    "Height of the view in degrees."
    near: float = 0.1
    "Distance of the near plane."
    far: float = 100.0
    "Distance of the far plane."
    model: tuple[float, float, float] = (0.0, 0.0, 0.0)
    "Turn of the object in degrees about x, then y, then z."


def matrix_named(label: str, register: str, *, alone: bool) -> str:
    """The one of `BINDINGS` that the name of a matrix means, empty for none.

    `register` is its first; `alone`: the program has no other matrix.
    """
    name = label.lower().replace("_", "")
    bound = next((binding for binding, pattern in MATRICES if pattern.fullmatch(name)), "")
    if name == register == "c0":  # no name: by custom the first is the whole way to the screen
        return "modelviewprojection"
    if alone and bound in ("", "projection", "viewprojection"):  # nothing else moves the object in front of the viewer
        return "modelviewprojection"
    return bound


__all__ = ["BINDINGS", "MATRICES", "ROWS", "Camera", "matrix_named"]
