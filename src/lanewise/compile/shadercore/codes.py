"""Diagnostics of compiling shaders for ShaderCore."""

from __future__ import annotations

from lanewise.core.code import Code

ROWS = (
    Code(
        code="L001",
        title="instruction not available on the device",
        meaning="A shader samples a texture, discards pixels, computes derivatives, or reads a rasterizer value.",
        why="ShaderCore has no texture units and no rasterizer, and each lane is a separate vertex.",
        fix="Compute the value beforehand and pass it in as an input; `lanewise run` executes these instructions on the CPU.",
        evidence="specification, Table of Supported/Unsupported D3D Shader Instructions",
    ),
    Code(
        code="L002",
        title="registers not available on the device",
        meaning="A shader has more inputs or outputs than ShaderCore has registers, or constants or uniforms beyond c255.",
        why="There are v0 to v7, o0 to o7 and c0 to c255. o0 to o2 are position, color and texture coordinates, which the "
        "hardware exports.",
        fix="Pack several values into one register, or remove some.",
        evidence="specification, ShaderCore Registers; reference 4",
    ),
    Code(
        code="L003",
        title="program too long",
        meaning="The compiled program has more instructions than the device has slots.",
        why="The device has no flow control: loops are unrolled, calls are inlined, and both arms of a branch are computed.",
        fix="Use the largest array or bound that fits, as named in the message; otherwise compute less, or split the shader.",
        evidence="specification, Instruction Set; ShaderCore.vhd:67",
    ),
    Code(
        code="L004",
        title="program needs too many registers",
        meaning="More values are live at once than there are registers, in every schedule that was tried.",
        why="Values are kept in the free components of r, x and output registers; there is no memory to spill to.",
        fix="Compute values closer to where they are used, or split the shader.",
    ),
    Code(
        code="L005",
        title="relative address without bounds",
        meaning="A register is addressed relative to an address register, and the range of the index is unknown.",
        why="ShaderCore has no address registers: the compiled program compares the index with each possible register and "
        "selects.",
        fix="Give the number of registers: `--array c10=24`, or `--array c10=24/3` if only every third one can start an "
        "element.",
        evidence="reference 5",
    ),
    Code(
        code="L006",
        title="loop without bounds",
        meaning="The iteration count of a loop is in an i# that has neither a `defi` nor an option, or in a uniform; or the "
        "shader reads aL and its start or step is unknown.",
        why="Loops are unrolled, so the number of iterations, or an upper bound, and the values of aL must be known.",
        fix="Give the value, `--int i0=4`, or an upper bound, `--bound i0=8`, of a uniform `--bound lights=8`. A shader that "
        "reads aL needs all three numbers: `--bound i0=8,0,1`.",
        evidence="reference 5",
    ),
    Code(
        code="L007",
        title="output not exported",
        meaning="A shader writes an output that the device does not export.",
        why="The public hardware exports o0.xyzw, o1.xyzw and o2.xy, although the specification lists o0 to o7.",
        fix="Remove the output, or pass its value in position, color or the two components of texcoord0: `--output NAME=color` "
        "for an output of GLSL.",
        evidence="ShaderCore.vhd:1884-1955",
    ),
    Code(
        code="L008",
        title="no position",
        meaning="A vertex shader does not write the position, or not all of its components.",
        why="The device places vertices by o0.xyzw; unwritten components keep their value from the previous wave.",
        fix="Write all four components of oPos, or of the output declared as position.",
        evidence="ShaderCore.vhd:1884-1955",
    ),
    Code(
        code="L009",
        title="no room for constants",
        meaning="The compiled program needs constants in addition to the shader's own, and no free register is left for them.",
        why="Coefficients, masks and other bit patterns are read from c#: instructions have no immediate operands.",
        fix="Use fewer constants, or smaller arrays.",
        evidence="specification, ShaderCore Registers",
    ),
    Code(
        code="L010",
        title="option has no effect",
        meaning="An option names a register or uniform that the shader does not have, or that the shader defines itself.",
        why="The option changes nothing.",
        fix="Remove it, or correct the name.",
    ),
    Code(
        code="L012",
        title="colour converted otherwise than by Direct3D 9",
        meaning="An input is declared as a D3DCOLOR, and the device does not divide its channels by 255.",
        why="The public hardware gives n / 256, and 1.0 for 255: a channel is up to 0.4 % too small.",
        fix="Where that matters, multiply the input by 256 / 255 and limit it to 1, or store colours as float4.",
        evidence="measured: reference 4 (`d3dcolor`)",
    ),
)
