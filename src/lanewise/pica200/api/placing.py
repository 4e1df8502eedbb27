"""The triangles of a recorded draw where its viewport has them: `placed`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.drawing.placement import Placement
from lanewise.drawing.scene import Scene

if TYPE_CHECKING:
    from lanewise.core.service import Drawn
    from lanewise.pica200.frame.setup import Setup

_SCREEN = (
    240  # width in memory of what the screens show, which are built in sideways: devkitPro's both_screens, 400 and 320 high
)
_HEIGHTS = (320, 400, 800)
NOT_SIMULATED = "colours are those of the vertices: combiners, lights, textures, blending and stencil are not simulated"


def placement_of(setup: Setup) -> Placement | None:
    """Target, viewport and scissor of a draw; None where target or viewport are not known, or have no area."""
    size, viewport, scissor = setup.size, setup.viewport, setup.rectangle
    if size is None or viewport is None or not (size[0] > 0 and 0 < viewport.width < 1e6 and 0 < viewport.height < 1e6):
        return None
    inside = setup.scissor == "inside" and scissor is not None
    return Placement(
        size=size,
        viewport=(viewport.x, viewport.y, viewport.width, viewport.height),
        scissor=(scissor.x, scissor.y, scissor.width, scissor.height) if inside and scissor is not None else None,
        turn=size[0] == _SCREEN and size[1] in _HEIGHTS,
    )


def placed(drawn: Drawn, setup: Setup) -> Drawn:
    """The triangles of a draw in its target, with the faces that it culls, and remarks on what is not simulated."""
    scene = drawn.scene
    if not isinstance(scene, Scene):
        raise TypeError("a draw gave something else than a Scene")
    placement = placement_of(setup)
    remarks = [NOT_SIMULATED]
    if placement is None:
        remarks.append("the viewport is not in the recording, or has no area: the whole screen is taken")
    if setup.scissor == "outside":
        remarks.append("the scissor test that leaves out a rectangle is not simulated")
    return drawn._replace(scene=scene._replace(placement=placement), cull=setup.cull or "", remarks=(*drawn.remarks, *remarks))
