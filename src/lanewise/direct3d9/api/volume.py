"""The clip volume of Direct3D 9."""

from __future__ import annotations

from lanewise.drawing.volume import CLOCKWISE, Volume

# "Viewports and Clipping" and "Projection Transform" (Direct3D 9 documentation): -w <= x, y <= w, 0 <= z <= w. D3DRS_CULLMODE:
# counterclockwise faces are culled by default, "counter-clockwise" on the screen. D3DRS_ALPHABLENDENABLE is off by default, so
# an alpha of 0 hides nothing by itself.
VOLUME = Volume(
    name="Direct3D 9",
    nearest=0.0,
    farthest=1.0,
    front=CLOCKWISE,
    turn=False,
    screens=(("screen", 640, 480),),
    colour="color",
    absolute=False,
    wrong_range=(-1.0, 0.0),
    depth_range="move the object away from the viewer, or use a matrix for depth from 0 to 1: one for OpenGL gives -1 to 1",
    winding="exchange two indices of each triangle, or draw with D3DCULL_NONE and --cull none",
    blending="",
)
