"""Findings of compiling Direct3D 9 vertex shaders for the PICA200."""

from __future__ import annotations

from lanewise.core.code import Code

ROWS = (
    Code(
        code="L301",
        title="instruction not available on the PICA200",
        meaning="A vertex shader samples a texture, or the shader is a pixel shader.",
        why="The shader units of the PICA200 run vertex and geometry shaders without textures; pixels are computed by fixed "
        "texture combiners.",
        fix="Compute the value beforehand and pass it in as an input; set the texture combiners in place of a pixel shader.",
        evidence="3dbrew, GPU/Shader Instruction Set",
    ),
    Code(
        code="L302",
        title="register not available on the PICA200",
        meaning="A shader reads an input beyond v15.",
        why="There are v0 to v15.",
        fix="Run `lanewise check`: it lists the registers of the version.",
        evidence="3dbrew, GPU/Shader Instruction Set",
    ),
    Code(
        code="L303",
        title="calls take too many instructions",
        meaning="With its calls put in place a shader has more than 4,096 instructions.",
        why="Calls of Direct3D 9 are put in place; a program of the PICA200 has at most 512 words in a vertex shader.",
        fix="Use fewer calls: a routine that calls another twice doubles its size.",
        evidence="3dbrew, GPU/Shader Instruction Set",
    ),
    Code(
        code="L304",
        title="loop counter unknown",
        meaning="A shader reads aL, and start or step of the loop are in an i# that has neither a `defi` nor an option.",
        why="The loop register of the compiled program starts and steps by numbers that are part of it.",
        fix="Give all three numbers: `--bound i0=8,0,1`, or `--int i0=4,0,1` where the count is known, too.",
        evidence="D3D, loop",
    ),
    Code(
        code="L305",
        title="range of a relative address unknown",
        meaning="A constant is addressed relative to a0 or aL, and neither the constant table nor an option says how many "
        "registers the array has.",
        why="An array keeps its place and may not share it; without a size it is taken to reach the next constant with another "
        "use, or c95.",
        fix="Give the number of registers: `--array c10=24`.",
        evidence="D3D, constant registers",
    ),
    Code(
        code="L306",
        title="too many constants",
        meaning="The constants that the application sets are more than the hardware has registers.",
        why="There are c0 to c95; Direct3D 9 has 256. Palettes of matrices are the usual reason.",
        fix="Make the palette smaller, and draw in more parts: `--array c26=48/3` for 16 matrices of three registers.",
        evidence="3dbrew, GPU/Shader Instruction Set",
    ),
    Code(
        code="L307",
        title="output left out",
        meaning="A shader writes an output, or a component of one, that the hardware does not have.",
        why="The rasterizer takes a position, a color, three texture coordinates of two components, one third component of the "
        "first, a view vector and a quaternion.",
        fix="Remove it, or say what it is: `--output color1=texcoord1`. `--output color1=none` leaves it out without this "
        "finding.",
        evidence="3dbrew, GPU/Internal Registers, GPUREG_SH_OUTMAP_O0",
    ),
    Code(
        code="L308",
        title="no position",
        meaning="A vertex shader does not write the position, or not all of its components.",
        why="The rasterizer places vertices by x, y, z and w.",
        fix="Write all four components of oPos, or of the output declared as position.",
        evidence="3dbrew, GPU/Internal Registers",
    ),
    Code(
        code="L309",
        title="semantics of outputs conflict",
        meaning="Two outputs have one semantic, or a semantic is not one of the hardware.",
        why="Each semantic is one output of the program.",
        fix="Give each output its semantic: `--output texcoord3=view`.",
        evidence="3dbrew, GPU/Internal Registers",
    ),
    Code(
        code="L310",
        title="option has no effect on the shader",
        meaning="An option names a register or an output that the shader does not have, or that it defines itself.",
        why="The option changes nothing.",
        fix="Remove it, or correct the name.",
    ),
)
