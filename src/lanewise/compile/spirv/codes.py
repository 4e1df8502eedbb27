"""Findings of reading and lowering SPIR-V, from GLSL, HLSL or Slang."""

from __future__ import annotations

from lanewise.core.code import Code

ROWS = (
    Code(
        "S001",
        "invalid SPIR-V module",
        "A file that begins like SPIR-V is cut off, or its instructions contradict each other.",
        "SPIR-V is a binary form that compilers write; the numbers of its instructions must agree.",
        "Compile the shader again, or check the module with `spirv-val`.",
        "SPIR-V specification 1.6, sections 2.2, 2.3 and 2.16",
    ),
    Code(
        "S002",
        "no vertex shader",
        "The module has no entry point of a vertex shader, or not the one that is named, or several.",
        "The target runs vertex shaders.",
        "Compile a vertex shader; name one of several with the option `entry`.",
        "SPIR-V specification 1.6, OpEntryPoint",
    ),
    Code(
        "S003",
        "instruction not available on the target",
        "The shader uses an instruction of SPIR-V that vertex shaders of the target cannot do: textures, images, "
        "derivatives, atomics, discard.",
        "The target computes with numbers only, and has no memory that a shader writes.",
        "Compute the value beforehand and pass it in as an attribute or a uniform.",
        "PICA200: 3dbrew, GPU/Shader Instruction Set",
    ),
    Code(
        "S004",
        "type not available on the target",
        "A value has a type other than 32-bit float, int, uint, bool and what is made of them.",
        "Registers of the target hold float24.",
        "Use float and int.",
        "PICA200: 3dbrew, GPU/Shader Instruction Set",
    ),
    Code(
        "S005",
        "built-in variable not available on the target",
        "The shader reads or writes a built-in variable that the target does not have, such as gl_VertexID.",
        "The target gives a shader the attributes of a vertex and takes its outputs. The size of points and clip distances "
        "do not exist; a write of gl_PointSize has no effect.",
        "Pass the value in as an attribute or a uniform.",
        "PICA200: 3dbrew, GPU/Internal Registers",
    ),
    Code(
        "S006",
        "output without a semantic",
        "An output's name is not that of a semantic, and no option says what it means.",
        "The rasterizer takes outputs by what they mean. Locations match the outputs of one stage to the inputs of the next, "
        "and say nothing of that.",
        "Name the output as a semantic, such as `color` or `out_texcoord0`, or say what it means: `--semantic "
        "NAME=SEMANTIC`; without names in the module, `--semantic LOCATION=SEMANTIC`.",
        "PICA200: 3dbrew, SHBIN, output registers",
    ),
    Code(
        "S007",
        "two outputs have the same semantic",
        "Two outputs of the shader mean the same.",
        "A semantic is given once.",
        "Rename one of them, or say what it means: `--semantic NAME=SEMANTIC`.",
        "PICA200: 3dbrew, SHBIN, output registers",
    ),
    Code(
        "S008",
        "bit operation",
        "An operation works on the bits of an integer or of a float, and has no equivalent in arithmetic.",
        "Integers are numbers in float24 on the target. Shifts by a known number, `&`, `|` and `^` with a known mask, fields "
        "of a known place, and `|` of numbers that a shift keeps apart are done by arithmetic; other bit operations are not "
        "available.",
        "Compute with numbers, or pass the parts in separately.",
        "PICA200: 3dbrew, GPU/Shader Instruction Set",
    ),
    Code(
        "S009",
        "integer may not be exact",
        "An integer may be larger than 131,072 (ShaderCore: 16,777,216; 131,072 where it is divided), by what is known of "
        "its operands. An integer from outside or from a loop is taken to have 16 bits.",
        "Integers are numbers: the 17 significant bits of float24 hold whole numbers up to 2^17 exactly, and the 24 of "
        "ShaderCore's floats those up to 2^24. They do not wrap around.",
        "Use smaller numbers, or floats where it is about magnitude.",
        "PICA200: 3dbrew, GPU/Shader Instruction Set, float24",
    ),
    Code(
        "S010",
        "recursive function",
        "A function calls itself, directly or through others.",
        "Functions are inlined; GLSL and SPIR-V do not allow recursion.",
        "Use a loop.",
        "SPIR-V specification 1.6, section 2.16.1",
    ),
    Code(
        "S011",
        "position not written",
        "The shader never writes gl_Position.",
        "The rasterizer places vertices by it.",
        "Write all four components of gl_Position.",
        "PICA200: 3dbrew, SHBIN, output registers",
    ),
    Code(
        "S012",
        "shader too large",
        "The shader has more operations than any target has room for, after loops are unrolled and functions inlined.",
        "The target holds a few hundred to a few thousand instructions.",
        "Compute less; remove `[[unroll]]`, or index uniforms instead of local arrays in long loops.",
        "PICA200: 4096 instructions at most, 3dbrew, GPU/Internal Registers",
    ),
    Code(
        "S013",
        "names removed from the module",
        "The module has no names of variables: inputs, outputs and uniforms are named by location or number.",
        "Applications find uniforms by name, and outputs get their semantic by name.",
        "Compile without stripping: leave out `-g0` and `--strip-debug`.",
        "SPIR-V specification 1.6, OpName",
    ),
    Code(
        "S014",
        "output wider than its semantic",
        "An output has more components than the rasterizer takes of its semantic.",
        "The further components have no effect.",
        "Remove them, or use another semantic.",
        "PICA200: 3dbrew, SHBIN, output registers",
    ),
    Code(
        "S015",
        "option has no effect",
        "An option names an output that the shader does not write.",
        "The option changes nothing.",
        "Remove it, or correct the name.",
    ),
    Code(
        "S016",
        "construct that is not supported",
        "The shader uses SPIR-V in a way that shaders do not, such as a pointer that a loop changes or a storage buffer.",
        "The front end follows variables by name and does not model addresses.",
        "Rewrite that part of the shader.",
    ),
    Code(
        "S017",
        "name changed",
        "An input or a uniform has another name in the program than in the source.",
        "A program has one list of names for inputs and uniforms, and an input register has one name. In GLSL a member of a "
        "block may be called as an input is, and inputs may share a location by components.",
        "Give each a name of its own, or use the name that the note says.",
        "GLSL specification 4.60, 4.3.9 and 4.4.1",
    ),
)
