"""Scenes of a cube in front of a viewer, each once as it should be and once with a mistake that makes it invisible."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import lanewise as lw

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from lanewise.pica200.api.primitives import Primitives

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
# Counterclockwise from outside.
FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7],
     [1, 7, 3]]
)  # fmt: skip


def perspective(near: float = 0.1, far: float = 100.0) -> NDArray[np.float64]:
    """A projection for the top screen: turned, with depth from -1 to 0. The formula is that of citro3d,
    source/maths/mtx_persptilt.c."""
    matrix = np.zeros((4, 4))
    matrix[0, 1], matrix[1, 0] = 1.5, -0.9
    matrix[2, 2:] = near / (near - far), far * near / (near - far)
    matrix[3, 2] = -1.0
    return matrix


def moved(x: float = 0.0, y: float = 0.0, z: float = -5.0) -> NDArray[np.float64]:
    matrix = np.array([[0.8, 0.0, 0.6, x], [0.0, 1.0, 0.0, y], [-0.6, 0.0, 0.8, z], [0.0, 0.0, 0.0, 1.0]])
    return matrix @ np.array([[1.0, 0, 0, 0], [0, 0.8, -0.6, 0], [0, 0.6, 0.8, 0], [0, 0, 0, 1.0]])


PLAIN = """
.fvec projection[4], model[4]
.constf k(0.0, 1.0, 0.5, -1.0)
.in inpos v0
.in incolor v1
.out outpos position
.out outclr color
.proc main
    dp4 r0.x, model[0], inpos
    dp4 r0.y, model[1], inpos
    dp4 r0.z, model[2], inpos
    dp4 r0.w, model[3], inpos
    dp4 r1.x, projection[0], r0
    dp4 r1.y, projection[1], r0
    dp4 r1.z, projection[2], r0
    dp4 r1.w, projection[3], r0
    mov outpos, r1
    mov outclr, incolor
    end
.end
"""
NO_W = PLAIN.replace("    mov outpos, r1\n", "    mov outpos.xyz, r1\n")
# Two lights: their distance from a corner is in the length of a normal, which is 0 for a corner in the middle.
PUSHED = """
.fvec projection[4], model[4], centre
.constf k(0.0, 1.0, 0.5, -1.0)
.in inpos v0
.in incolor v1
.out outpos position
.out outclr color
.proc main
    add r2, -centre, inpos
    dp3 r3.x, r2, r2
    rsq r3.x, r3.x
    add r3.y, r3.x, -r3.x
    mov r4, inpos
    mad r4.xyz, r3.y, r2, inpos
    dp4 r0.x, model[0], r4
    dp4 r0.y, model[1], r4
    dp4 r0.z, model[2], r4
    dp4 r0.w, model[3], r4
    dp4 outpos.x, projection[0], r0
    dp4 outpos.y, projection[1], r0
    dp4 outpos.z, projection[2], r0
    dp4 outpos.w, projection[3], r0
    mov outclr, incolor
    end
.end
"""
INDEXED = (
    PLAIN.replace("0.5, -1.0)", "0.5, 1.0)")
    .replace("    dp4 r0.x, model[0], inpos", "    mov r5, k\n    dp4 r0.x, model[0], r5")
    .replace("], inpos", "], r5")
)
LIT = PLAIN.replace("model[4]", "model[4], material[4]", 1)
MATERIAL = {"material": [[0.2, 0.2, 0.2, 0.0], [0.4, 0.4, 0.4, 0.0], [0.8, 0.8, 0.8, 0.0], [0.0, 0.0, 0.0, 1.0]]}
WIRED = PLAIN.replace(".out outpos position", ".out outpos view").replace(".out outclr color", ".out outclr position")


class Case(NamedTuple):
    """A scene: its shader, positions, colour, uniforms, and triangles."""

    source: str = PLAIN
    position: NDArray[np.float32] = CORNERS
    color: tuple[float, ...] = (0.9, 0.5, 0.1, 1.0)
    projection: NDArray[np.float64] | None = None
    model: NDArray[np.float64] | None = None
    more: Mapping[str, ArrayLike] | None = None
    faces: NDArray[np.int64] = FACES
    defaults: int | None = None
    cull: str = "back"

    def run(self) -> Primitives:
        uniforms: dict[str, ArrayLike] = {
            "projection": perspective() if self.projection is None else self.projection,
            "model": moved() if self.model is None else self.model,
            **(self.more or {}),
        }
        if self.defaults is not None:
            del uniforms["projection"]
        pipeline = lw.assemble(self.source).pipeline
        return pipeline.run(
            {"inpos": self.position, "incolor": self.color}, self.faces, uniforms, defaults=self.defaults, keep_faults=True
        )


class Broken(NamedTuple):
    """A mistake: the scene without and with it, the code of the first reason, a part of its text, and a part of the blamed
    instruction's line."""

    name: str
    twin: Case
    case: Case
    code: str
    text: str
    blamed: str = ""


PUSHED_TWIN = {"centre": [5.0, 5.0, 5.0, 0.0]}

SCENES = (
    Broken(
        "matrix transposed", Case(), Case(projection=perspective().T), "transposed", "projection has rows and columns exchanged"
    ),
    Broken(
        "rows in reverse order",
        Case(),
        Case(projection=perspective()[::-1]),
        "rows-reversed",
        "projection has rows in reverse order",
    ),
    Broken(
        "rows of both matrices in reverse order",
        Case(source=LIT, more=MATERIAL),
        Case(source=LIT, more=MATERIAL, projection=perspective()[::-1], model=moved()[::-1]),
        "rows-reversed",
        "projection and model have rows",
    ),
    Broken(
        "components in reverse order",
        Case(),
        Case(projection=perspective()[:, ::-1], model=moved()[:, ::-1]),
        "components-reversed",
        "projection and model have components",
    ),
    Broken("w dropped", Case(), Case(source=NO_W), "behind", "w is 0 in all corners", "nothing writes it"),
    Broken("beyond the far plane", Case(), Case(model=moved(z=-200.0)), "far", "z > 0", "dp4 r1.z, projection[2], r0 gives"),
    Broken(
        "nearer than the near plane",
        Case(projection=perspective(3.0), model=moved(z=-6.0)),
        Case(projection=perspective(8.0), model=moved(z=-6.0)),
        "near",
        "z < -w",
        "dp4 r1.z, projection[2], r0 gives",
    ),
    Broken(
        "behind the viewer",
        Case(),
        Case(model=moved(z=5.0)),
        "behind",
        "behind the viewer",
        "dp4 r1.w, projection[3], r0 gives",
    ),
    Broken(
        "beside the screen",
        Case(),
        Case(model=moved(x=40.0)),
        "right",
        "right of the right edge",
        "dp4 r1.y, projection[1], r0 gives",
    ),
    Broken(
        "winding",
        Case(position=CORNERS[:4], faces=np.array([[0, 1, 3]]), model=moved() @ np.diag([-1.0, 1, 1, 1])[[2, 1, 0, 3]]),
        Case(position=CORNERS[:4], faces=np.array([[1, 0, 3]]), model=moved() @ np.diag([-1.0, 1, 1, 1])[[2, 1, 0, 3]]),
        "culled",
        "direction that is culled",
    ),
    Broken(
        "rsq of 0",
        Case(source=PUSHED, more=PUSHED_TWIN),
        Case(source=PUSHED, position=CORNERS[:1], more={"centre": [-1.0, -1.0, -1.0, 0.0]}, faces=np.zeros((1, 3), np.int64)),
        "nan",
        "NaN",
        "rsq r3.x, r3 gives inf",
    ),
    Broken("uniform not set", Case(), Case(defaults=0), "behind", "w is 0 in all corners", "projection[3] (c3) = 0, 0, 0, 0"),
    Broken("alpha 0", Case(), Case(color=(0.9, 0.5, 0.1, 0.0)), "transparent", "alpha is 0", "mov outclr, incolor"),
    Broken(
        "everything at one point",
        Case(),
        Case(source=INDEXED),
        "degenerate",
        "all corners are at one point",
        "no input has an effect",
    ),
    Broken("other output wired", Case(), Case(source=WIRED), "wired", "o0 (outpos) has values of a position"),
)
