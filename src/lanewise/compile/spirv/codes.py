"""Findings of reading and lowering SPIR-V, from GLSL, HLSL or Slang."""

from __future__ import annotations

from lanewise.core.code import Code

ROWS = (
    Code(
        code="S001",
        title="invalid SPIR-V module",
        meaning="A file that begins like SPIR-V is cut off, or its instructions contradict each other.",
        why="SPIR-V is a binary form that compilers write; the numbers of its instructions must agree.",
        fix="Compile the shader again, or check the module with `spirv-val`.",
        evidence="SPIR-V specification 1.6, sections 2.2, 2.3 and 2.16",
    ),
    Code(
        code="S002",
        title="no vertex shader",
        meaning="The module has no entry point of a vertex shader, or not the one that is named, or several.",
        why="The target runs vertex shaders.",
        fix="Compile a vertex shader; name one of several with the option `entry`.",
        evidence="SPIR-V specification 1.6, OpEntryPoint",
    ),
    Code(
        code="S003",
        title="instruction not available on the target",
        meaning="The shader uses an instruction of SPIR-V that vertex shaders of the target cannot do: textures, images, "
        "derivatives, atomics, discard.",
        why="The target computes with numbers only, and has no memory that a shader writes.",
        fix="Compute the value beforehand and pass it in as an attribute or a uniform.",
        evidence="PICA200: 3dbrew, GPU/Shader Instruction Set",
    ),
    Code(
        code="S004",
        title="type not available on the target",
        meaning="A value has a type other than 32-bit float, int, uint, bool and what is made of them.",
        why="Registers of the target hold float24.",
        fix="Use float and int.",
        evidence="PICA200: 3dbrew, GPU/Shader Instruction Set",
    ),
    Code(
        code="S005",
        title="built-in variable not available on the target",
        meaning="The shader reads or writes a built-in variable that the target does not have, such as gl_VertexID.",
        why="The target gives a shader the attributes of a vertex and takes its outputs. The size of points and clip distances "
        "do not exist; a write of gl_PointSize has no effect.",
        fix="Pass the value in as an attribute or a uniform.",
        evidence="PICA200: 3dbrew, GPU/Internal Registers",
    ),
    Code(
        code="S006",
        title="output without a semantic",
        meaning="An output's name is not that of a semantic, and no option says what it means.",
        why="The rasterizer takes outputs by what they mean. Locations match the outputs of one stage to the inputs of the "
        "next, and say nothing of that.",
        fix="Name the output as a semantic, such as `color` or `out_texcoord0`, or say what it means: `--semantic "
        "NAME=SEMANTIC`; without names in the module, `--semantic LOCATION=SEMANTIC`.",
        evidence="PICA200: 3dbrew, SHBIN, output registers",
    ),
    Code(
        code="S007",
        title="two outputs have the same semantic",
        meaning="Two outputs of the shader mean the same.",
        why="A semantic is given once.",
        fix="Rename one of them, or say what it means: `--semantic NAME=SEMANTIC`.",
        evidence="PICA200: 3dbrew, SHBIN, output registers",
    ),
    Code(
        code="S008",
        title="bit operation",
        meaning="An operation works on the bits of an integer or of a float, and has no equivalent in arithmetic.",
        why="Integers are numbers in float24 on the target. Shifts by a known number, `&`, `|` and `^` with a known mask, "
        "fields of a known place, and `|` of numbers that a shift keeps apart are done by arithmetic; other bit operations "
        "are not available.",
        fix="Compute with numbers, or pass the parts in separately.",
        evidence="PICA200: 3dbrew, GPU/Shader Instruction Set",
    ),
    Code(
        code="S009",
        title="integer may not be exact",
        meaning="An integer may be larger than 131,072 (ShaderCore: 16,777,216; 131,072 where it is divided), by what is known "
        "of its operands. An integer from outside or from a loop is taken to have 16 bits.",
        why="Integers are numbers: the 17 significant bits of float24 hold whole numbers up to 2^17 exactly, and the 24 of "
        "ShaderCore's floats those up to 2^24. They do not wrap around.",
        fix="Use smaller numbers, or floats where it is about magnitude.",
        evidence="PICA200: 3dbrew, GPU/Shader Instruction Set, float24",
    ),
    Code(
        code="S010",
        title="recursive function",
        meaning="A function calls itself, directly or through others.",
        why="Functions are inlined; GLSL and SPIR-V do not allow recursion.",
        fix="Use a loop.",
        evidence="SPIR-V specification 1.6, section 2.16.1",
    ),
    Code(
        code="S011",
        title="position not written",
        meaning="The shader never writes gl_Position.",
        why="The rasterizer places vertices by it.",
        fix="Write all four components of gl_Position.",
        evidence="PICA200: 3dbrew, SHBIN, output registers",
    ),
    Code(
        code="S012",
        title="shader too large",
        meaning="The shader has more operations than any target has room for, after loops are unrolled and functions inlined.",
        why="The target holds a few hundred to a few thousand instructions.",
        fix="Compute less; remove `[[unroll]]`, or index uniforms instead of local arrays in long loops.",
        evidence="PICA200: 4096 instructions at most, 3dbrew, GPU/Internal Registers",
    ),
    Code(
        code="S013",
        title="names removed from the module",
        meaning="The module has no names of variables: inputs, outputs and uniforms are named by location or number.",
        why="Applications find uniforms by name, and outputs get their semantic by name.",
        fix="Compile without stripping: leave out `-g0` and `--strip-debug`.",
        evidence="SPIR-V specification 1.6, OpName",
    ),
    Code(
        code="S014",
        title="output wider than its semantic",
        meaning="An output has more components than the rasterizer takes of its semantic.",
        why="The further components have no effect.",
        fix="Remove them, or use another semantic.",
        evidence="PICA200: 3dbrew, SHBIN, output registers",
    ),
    Code(
        code="S015",
        title="option has no effect",
        meaning="An option names an output that the shader does not write.",
        why="The option changes nothing.",
        fix="Remove it, or correct the name.",
    ),
    Code(
        code="S016",
        title="construct that is not supported",
        meaning="The shader uses SPIR-V in a way that shaders do not, such as a pointer that a loop changes or a storage "
        "buffer.",
        why="The front end follows variables by name and does not model addresses.",
        fix="Rewrite that part of the shader.",
    ),
    Code(
        code="S017",
        title="name changed",
        meaning="An input or a uniform has another name in the program than in the source.",
        why="A program has one list of names for inputs and uniforms, and an input register has one name. In GLSL a member "
        "of a block may be called as an input is, and inputs may share a location by components.",
        fix="Give each a name of its own, or use the name that the note says.",
        evidence="GLSL specification 4.60, 4.3.9 and 4.4.1",
    ),
    Code(
        code="S018",
        title="invalid function in SSA form",
        meaning="A line is not of the text form, or the function breaks a rule: a value is read where no path has computed it, "
        "an operation takes values of another type, a block is entered with too few values.",
        why="Passes rely on these rules; with them a function means the same wherever it is read.",
        fix="Change the line that is named: docs/ssa.md has the form, the operations and the rules.",
    ),
    Code(
        code="S019",
        title="function that is not a program of the compilers",
        meaning="A sound function in SSA form returns other values than the lanes of its outputs, names what it does not "
        "declare, or has a loop with two entries.",
        why="Targets have structured loops, and inputs, uniforms and outputs that a declaration describes.",
        fix="Declare the name, return the lanes of all outputs in their order, or enter each loop at one block.",
    ),
)
