"""The triangles of a recorded draw where its viewport has them: `placed`."""

from __future__ import annotations

import numpy as np

from lanewise.core.record import TYPE_CHECKING
from lanewise.drawing.placement import GREATER, LESS, NEVER, DepthTest, Placement
from lanewise.drawing.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Drawn
    from lanewise.pica200.frame.setup import Setup

_SCREEN = (
    240  # width in memory of what the screens show, which are built in sideways: devkitPro's both_screens, 400 and 320 high
)
_HEIGHTS = (320, 400, 800)
_W_BUFFER = "a w-buffer is drawn as a z-buffer: pieces are compared by z / w, not by (z / w * scale + offset) * w"
_NEVER = ((0, GREATER), (1, LESS))  # depths that are stored are 0 to 1
NOT_SIMULATED = (
    "colours are those of the vertices, or of faces where the vertices have one colour (--color draws that): combiners, "
    "lights, textures, blending and stencil are not simulated"
)


def placement_of(setup: Setup) -> Placement | None:
    """Target, viewport and scissor of a draw; None where target or viewport are not known, or have no area."""
    size, viewport, scissor = setup.size, setup.viewport, setup.rectangle
    if size is None or viewport is None or not (size[0] > 0 and 0 < viewport.width < 1e6 and 0 < viewport.height < 1e6):
        return None
    rectangle = (scissor.x, scissor.y, scissor.width, scissor.height) if scissor is not None else None
    return Placement(
        size=size,
        viewport=(viewport.x, viewport.y, viewport.width, viewport.height),
        scissor=rectangle if setup.scissor == "inside" else None,
        without=rectangle if setup.scissor == "outside" else None,
        turn=size[0] == _SCREEN and size[1] in _HEIGHTS,
        cull=setup.cull or "",
        depth=_depth(setup),
        hidden=_hidden(setup),
    )


def _hidden(setup: Setup) -> str:
    """Why nothing of a draw is seen, whatever its triangles are."""
    if setup.colours_written == "":
        return "the draw stores no colours; set the mask of C3D_DepthTest, and the colour buffer of the target"
    if (setup.clamped, setup.depth_test) in _NEVER:
        return (
            f"the depth range gives all triangles the depth {setup.clamped}, which never passes the depth test "
            f"`{setup.depth_test}`; use C3D_DepthMap(true, -1.0f, 0.0f), or near and far between 0 and 1"
        )
    if setup.depth_test == NEVER:
        return "the depth test never passes; give C3D_DepthTest another function"
    return ""


def _depth(setup: Setup) -> DepthTest | None:
    if setup.depth is None or setup.depth_test is None:
        return None
    return DepthTest(
        scale=setup.depth[0], offset=setup.depth[1], test=setup.depth_test, written=setup.depth_written is not False
    )


def together(draws: Sequence[Drawn], setups: Sequence[Setup]) -> Drawn:
    """Several draws of one target in order."""
    scenes = [_scene(drawn)._replace(placement=placement_of(setup)) for drawn, setup in zip(draws, setups, strict=True)]
    outputs = {
        name: np.concatenate([scene.outputs[name] for scene in scenes])
        for name in scenes[0].outputs
        if all(name in scene.outputs and scene.outputs[name].shape[1:] == scenes[0].outputs[name].shape[1:] for scene in scenes)
    }
    numbers = np.cumsum([0, *[int(scene.vertices.max(initial=-1)) + 1 for scene in scenes]])
    whole = scenes[0]._replace(
        position=np.concatenate([scene.position for scene in scenes]),
        outputs=outputs,
        vertices=np.concatenate([scene.vertices + number for scene, number in zip(scenes, numbers, strict=False)]),
        parts=tuple(scenes),
        runs=None,
        every=None,
    )
    remarks = [
        NOT_SIMULATED,
        "the depth buffer begins with what the first depth test needs: 1 for less, 0 otherwise",
        *([_W_BUFFER] if any(setup.w_buffer for setup in setups) else []),
    ]
    return draws[0]._replace(
        scene=whole,
        first=tuple([finding for drawn in draws for finding in drawn.first]),
        last=tuple([finding for drawn in draws for finding in drawn.last]),
        failed=any(drawn.failed for drawn in draws),
        remarks=tuple(dict.fromkeys([*[remark for drawn in draws for remark in drawn.remarks], *remarks])),
    )


def _scene(drawn: Drawn) -> Scene:
    if not isinstance(drawn.scene, Scene):
        raise TypeError("a draw gave something else than a Scene")
    return drawn.scene


def placed(drawn: Drawn, setup: Setup) -> Drawn:
    """The triangles of a draw in its target, with the faces that it culls, and remarks on what is not simulated."""
    scene = _scene(drawn)
    placement = placement_of(setup)
    remarks = [NOT_SIMULATED]
    if placement is None:
        remarks.append("the viewport is not in the recording, or has no area: the whole screen is taken")
    if setup.w_buffer:
        remarks.append(_W_BUFFER)
    if setup.clamped is not None:
        remarks.append(
            f"the depth range gives all triangles the depth {setup.clamped} (F014): the depth test cannot tell which is nearer"
        )
    return drawn._replace(scene=scene._replace(placement=placement), cull=setup.cull or "", remarks=(*drawn.remarks, *remarks))
