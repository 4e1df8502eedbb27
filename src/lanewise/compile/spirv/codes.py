"""Findings of reading and lowering SPIR-V, from GLSL, HLSL or Slang."""

from __future__ import annotations

from lanewise.core.code import rows

ROWS = rows("""
S001 invalid SPIR-V module
    A file that begins like SPIR-V is cut off, or its instructions contradict each other.
    Why: SPIR-V is a binary form that compilers write; the numbers of its instructions must agree.
    Fix: Compile the shader again, or check the module with `spirv-val`.
    Evidence: SPIR-V specification 1.6, sections 2.2, 2.3 and 2.16
S002 no vertex shader
    The module has no entry point of a vertex shader, or not the one that is named, or several.
    Why: The target runs vertex shaders.
    Fix: Compile a vertex shader; name one of several with the option `entry`.
    Evidence: SPIR-V specification 1.6, OpEntryPoint
S003 instruction not available on the target
    The shader uses an instruction of SPIR-V that vertex shaders of the target cannot do: textures, images, derivatives,
        atomics, discard.
    Why: The target computes with numbers only, and has no memory that a shader writes.
    Fix: Compute the value beforehand and pass it in as an attribute or a uniform.
    Evidence: PICA200: 3dbrew, GPU/Shader Instruction Set
S004 type not available on the target
    A value has a type other than 32-bit float, int, uint, bool and what is made of them.
    Why: Registers of the target hold float24.
    Fix: Use float and int.
    Evidence: PICA200: 3dbrew, GPU/Shader Instruction Set
S005 built-in variable not available on the target
    The shader reads or writes a built-in variable that the target does not have, such as gl_VertexID.
    Why: The target gives a shader the attributes of a vertex and takes its outputs. The size of points and clip distances do
        not exist; a write of gl_PointSize has no effect.
    Fix: Pass the value in as an attribute or a uniform.
    Evidence: PICA200: 3dbrew, GPU/Internal Registers
S006 output without a semantic
    The names of outputs are not those of semantics, and no option says what they mean; or there are more outputs than
        semantics.
    Why: The rasterizer takes outputs by what they mean. Locations match the outputs of one stage to the inputs of the next, and
        say nothing of that.
    Fix: Name the output as a semantic, such as `color` or `out_texcoord0`, or say what it means: `--semantic NAME=SEMANTIC`;
        without names in the module, `--semantic LOCATION=SEMANTIC`.
    Evidence: PICA200: 3dbrew, SHBIN, output registers
S007 two outputs have the same semantic
    Two outputs of the shader mean the same.
    Why: A semantic is given once.
    Fix: Rename one of them, or say what it means: `--semantic NAME=SEMANTIC`.
    Evidence: PICA200: 3dbrew, SHBIN, output registers
S008 bit operation
    An operation works on the bits of an integer or of a float, and has no equivalent in arithmetic.
    Why: Integers are numbers in float24 on the target. Shifts by a known number, `&`, `|` and `^` with a known mask, fields of
        a known place, and `|` of numbers that a shift keeps apart are done by arithmetic; other bit operations are not
        available.
    Fix: Compute with numbers, or pass the parts in separately.
    Evidence: PICA200: 3dbrew, GPU/Shader Instruction Set
S009 integer may not be exact
    An integer may be larger than 131,072 (ShaderCore: 16,777,216; 131,072 where it is divided), by what is known of its
        operands. An integer from outside or from a loop is taken to have 16 bits.
    Why: Integers are numbers: the 17 significant bits of float24 hold whole numbers up to 2^17 exactly, and the 24 of
        ShaderCore's floats those up to 2^24. They do not wrap around.
    Fix: Use smaller numbers, or floats where it is about magnitude.
    Evidence: PICA200: 3dbrew, GPU/Shader Instruction Set, float24
S010 recursive function
    A function calls itself, directly or through others.
    Why: Functions are inlined; GLSL and SPIR-V do not allow recursion.
    Fix: Use a loop.
    Evidence: SPIR-V specification 1.6, section 2.16.1
S011 position not written
    The shader never writes gl_Position.
    Why: The rasterizer places vertices by it.
    Fix: Write all four components of gl_Position.
    Evidence: PICA200: 3dbrew, SHBIN, output registers
S012 shader too large
    The shader has more operations than any target has room for, after loops are unrolled and functions inlined.
    Why: The target holds a few hundred to a few thousand instructions.
    Fix: Compute less; remove `[[unroll]]`, or index uniforms instead of local arrays in long loops.
    Evidence: PICA200: 4096 instructions at most, 3dbrew, GPU/Internal Registers
S013 names removed from the module
    The module has no names of variables: inputs, outputs and uniforms are named by location or number.
    Why: Applications find uniforms by name, and outputs get their semantic by name.
    Fix: Compile without stripping: leave out `-g0` and `--strip-debug`.
    Evidence: SPIR-V specification 1.6, OpName
S014 output wider than its semantic
    An output has more components than the rasterizer takes of its semantic.
    Why: The further components have no effect.
    Fix: Remove them, or use another semantic.
    Evidence: PICA200: 3dbrew, SHBIN, output registers
S015 option has no effect
    An option names an output that the shader does not write, and an input that it does not read.
    Why: The option changes nothing.
    Fix: Remove it, or correct the name.
S016 construct that is not supported
    The shader uses SPIR-V in a way that shaders do not, such as a pointer that a loop changes or a storage buffer.
    Why: The front end follows variables by name and does not model addresses.
    Fix: Rewrite that part of the shader.
S017 name changed
    An input or a uniform has another name in the program than in the source.
    Why: A program has one list of names for inputs and uniforms, and an input register has one name. In GLSL a member of a
        block may be called as an input is, and inputs may share a location by components.
    Fix: Give each a name of its own, or use the name that the note says.
    Evidence: GLSL specification 4.60, 4.3.9 and 4.4.1
S018 invalid function in SSA form
    A line is not of the text form, or the function breaks a rule: a value is read where no path has computed it, an operation
        takes values of another type, a block is entered with too few values.
    Why: Passes rely on these rules; with them a function means the same wherever it is read.
    Fix: Change the line that is named: docs/ssa.md has the form, the operations and the rules.
S019 function that is not a program of the compilers
    A sound function in SSA form returns other values than the lanes of its outputs, names what it does not declare, or has a
        loop with two entries.
    Why: Targets have structured loops, and inputs, uniforms and outputs that a declaration describes.
    Fix: Declare the name, return the lanes of all outputs in their order, or enter each loop at one block.
S020 output with a semantic that the target does not have
    An output has a semantic of HLSL or Cg, such as COLOR1, FOG or TEXCOORD5, and is left out.
    Why: The rasterizer has position, normalquat, color, three texture coordinates and view. A semantic says what an output
        means, so that another place would be a guess.
    Fix: Remove the output, or say what it is: `--semantic NAME=SEMANTIC`.
    Evidence: PICA200: 3dbrew, SHBIN, output registers
""")
