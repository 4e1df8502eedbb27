"""Findings of compiling Direct3D 9 vertex shaders for the PICA200."""

from __future__ import annotations

from lanewise.core.code import rows

ROWS = rows("""
L301 instruction not available on the PICA200
    A vertex shader samples a texture, or the shader is a pixel shader.
    Why: The shader units of the PICA200 run vertex and geometry shaders without textures; pixels are computed by fixed texture
        combiners.
    Fix: Compute the value beforehand and pass it in as an input; set the texture combiners in place of a pixel shader.
    Evidence: 3dbrew, GPU/Shader Instruction Set
L302 register not available on the PICA200
    A shader reads an input beyond v15.
    Why: There are v0 to v15.
    Fix: Run `lanewise check`: it lists the registers of the version.
    Evidence: 3dbrew, GPU/Shader Instruction Set
L303 calls take too many instructions
    With its calls put in place a shader has more than 4,096 instructions.
    Why: Calls of Direct3D 9 are put in place; a program of the PICA200 has at most 512 words in a vertex shader.
    Fix: Use fewer calls: a routine that calls another twice doubles its size.
    Evidence: 3dbrew, GPU/Shader Instruction Set
L304 loop counter unknown
    A shader reads aL, and start or step of the loop are in an i# that has neither a `defi` nor an option.
    Why: The loop register of the compiled program starts and steps by numbers that are part of it.
    Fix: Give all three numbers: `--bound i0=8,0,1`, or `--int i0=4,0,1` where the count is known, too.
    Evidence: D3D, loop
L305 range of a relative address unknown
    A constant is addressed relative to a0 or aL, and neither the constant table nor an option says how many registers the array
        has.
    Why: An array keeps its place and may not share it; a size that is guessed leaves registers out, or takes those of others.
        The help has the most registers that the array can be, and of elements those that one address reads. Arrays that only aL
        addresses are known where count, start and step of the loops are.
    Fix: Give the number of registers: `--array c10=24`, or `--array c10=24/3` where elements have three.
    Evidence: D3D, constant registers
L306 too many constants
    The constants that the application sets are more than the hardware has registers.
    Why: There are c0 to c95; Direct3D 9 has 256. Palettes of matrices are the usual reason.
    Fix: Make the palette smaller, and draw in more parts: `--array c26=48/3` for 16 matrices of three registers.
    Evidence: 3dbrew, GPU/Shader Instruction Set
L307 output left out
    A shader writes an output, or a component of one, that the hardware does not have.
    Why: The rasterizer takes a position, a color, three texture coordinates of two components, one third component of the
        first, a view vector and a quaternion.
    Fix: Remove it, or say what it is: `--output color1=texcoord1`. `--output color1=none` leaves it out without this finding.
    Evidence: 3dbrew, GPU/Internal Registers, GPUREG_SH_OUTMAP_O0
L308 no position
    A vertex shader does not write the position, or not all of its components.
    Why: The rasterizer places vertices by x, y, z and w.
    Fix: Write all four components of oPos, or of the output declared as position.
    Evidence: 3dbrew, GPU/Internal Registers
L309 semantics of outputs conflict
    Two outputs have one semantic, or a semantic is not one of the hardware.
    Why: Each semantic is one output of the program.
    Fix: Give each output its semantic: `--output texcoord3=view`.
    Evidence: 3dbrew, GPU/Internal Registers
L310 option has no effect on the shader
    An option names a register or an output that the shader does not have, or that it defines itself.
    Why: The option changes nothing.
    Fix: Remove it, or correct the name.
""")
