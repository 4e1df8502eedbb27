"""Diagnostics of compiling shaders for ShaderCore."""

from __future__ import annotations

from lanewise.core.code import rows

ROWS = rows("""
L001 instruction not available on the device
    A shader samples a texture, discards pixels, computes derivatives, or reads a rasterizer value.
    Why: ShaderCore has no texture units and no rasterizer, and each lane is a separate vertex.
    Fix: Compute the value beforehand and pass it in as an input; `lanewise run` executes these instructions on the CPU.
    Evidence: specification, Table of Supported/Unsupported D3D Shader Instructions
L002 registers not available on the device
    A shader has more inputs or outputs than ShaderCore has registers, or constants or uniforms beyond c255.
    Why: There are v0 to v7, o0 to o7 and c0 to c255. o0 to o2 are position, color and texture coordinates, which the hardware
        exports.
    Fix: Pack several values into one register, or remove some.
    Evidence: specification, ShaderCore Registers; reference 4
L003 program too long
    The compiled program has more instructions than the device has slots.
    Why: The device has no flow control: loops are unrolled, calls are inlined, and both arms of a branch are computed.
    Fix: Use the largest array or bound that fits, as named in the message; otherwise compute less, or split the shader.
    Evidence: specification, Instruction Set; ShaderCore.vhd:67
L004 program needs too many registers
    More values are live at once than there are registers, in every schedule that was tried.
    Why: Values are kept in the free components of r, x and output registers; there is no memory to spill to.
    Fix: Compute values closer to where they are used, or split the shader.
L005 relative address without bounds
    A register is addressed relative to an address register, and the range of the index is unknown.
    Why: ShaderCore has no address registers: the compiled program compares the index with each possible register and selects.
    Fix: Give the number of registers: `--array c10=24`, or `--array c10=24/3` if only every third one can start an element.
    Evidence: reference 5
L006 loop without bounds
    The iteration count of a loop is in an i# that has neither a `defi` nor an option, or in a uniform; or the shader reads aL
        and its start or step is unknown.
    Why: Loops are unrolled, so the number of iterations, or an upper bound, and the values of aL must be known.
    Fix: Give the value, `--int i0=4`, or an upper bound, `--bound i0=8`, of a uniform `--bound lights=8`. A shader that reads
        aL needs all three numbers: `--bound i0=8,0,1`.
    Evidence: reference 5
L007 output not exported
    A shader writes an output that the device does not export.
    Why: The public hardware exports o0.xyzw, o1.xyzw and o2.xy, although the specification lists o0 to o7.
    Fix: Remove the output, or pass its value in position, color or the two components of texcoord0: `--output NAME=color` for
        an output of GLSL.
    Evidence: ShaderCore.vhd:1884-1955
L008 no position
    A vertex shader does not write the position, or not all of its components.
    Why: The device places vertices by o0.xyzw; unwritten components keep their value from the previous wave.
    Fix: Write all four components of oPos, or of the output declared as position.
    Evidence: ShaderCore.vhd:1884-1955
L009 no room for constants
    The compiled program needs constants in addition to the shader's own, and no free register is left for them.
    Why: Coefficients, masks and other bit patterns are read from c#: instructions have no immediate operands.
    Fix: Use fewer constants, or smaller arrays.
    Evidence: specification, ShaderCore Registers
L010 option has no effect
    An option names a register or uniform that the shader does not have, or that the shader defines itself.
    Why: The option changes nothing.
    Fix: Remove it, or correct the name.
L011 inputs without a usage
    Several inputs have no usage: the header of the file has one byte for each, and that of position is 0.
    Why: A reader of the file takes each of them for a position.
    Fix: Say what an input is: `--semantic uv=texcoord0`; in HLSL by its semantic. The `.json` beside the file has the names.
    Evidence: specification, file header
L012 colour converted otherwise than by Direct3D 9
    An input is declared as a D3DCOLOR, and the device does not divide its channels by 255.
    Why: The public hardware gives n / 256, and 1.0 for 255: a channel is up to 0.4 % too small.
    Fix: Where that matters, multiply the input by 256 / 255 and limit it to 1, or store colours as float4.
    Evidence: measured: reference 4 (`d3dcolor`)
L013 array ends within an element
    The size of an array is not a multiple of the registers that the shader reads of an element.
    Why: A size counts registers, not elements such as bones: an address of the last element reads beyond the array, which is 0.
    Fix: Give the registers of all elements, with those of one after a slash: `--array c10=12/3` for four bones of three rows.
""")
