"""The clip volume of the ShaderCore's GPU."""

from __future__ import annotations

from lanewise.drawing.volume import CLOCKWISE, Volume

# FPGAGPUTesting, hdl_src/RenderState/ClipUnitState.vhd: "Default to D3D mode (half CVV cube) near-clipping mode"; guard bands
# for 640x480. hdl_src/InputAssembler.vhd: CM_CullCCW is the first state of culling.
VOLUME = Volume(
    name="ShaderCore",
    nearest=0.0,
    farthest=1.0,
    front=CLOCKWISE,
    turn=False,
    screens=(("screen", 640, 480),),
    colour="color",
    absolute=False,
    wrong_range=(-1.0, 0.0),
    depth_range="move the object away from the viewer, use a matrix for depth from 0 to 1, or set UseOpenGLZNearClip for one "
    "of OpenGL",
    winding="exchange two indices of each triangle, or set the state of culling to none (--cull none)",
    blending="",
)
