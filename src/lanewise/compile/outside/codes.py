"""Findings about compilers of other projects."""

from __future__ import annotations

from lanewise.core.code import Code

ROWS = (
    Code(
        code="L900",
        title="no compiler for this language",
        meaning="GLSL, HLSL and Slang are compiled to SPIR-V by a compiler of another project, and none that takes the "
        "language is installed.",
        why="lanewise compiles SPIR-V itself; it has no front end for these languages.",
        fix="Install one: `pip install slangpy`, or glslang-tools or glslc of your system; or give a SPIR-V module, which "
        "needs none.",
    ),
    Code(
        code="L901",
        title="error of the compiler of the language",
        meaning="The compiler that turns the source into SPIR-V reports an error. The text is its own.",
        why="The source is not a valid vertex shader of its language.",
        fix="Change the line that is named, or try another compiler with `--glsl-compiler`.",
    ),
    Code(
        code="L902",
        title="warning of the compiler of the language",
        meaning="The compiler that turns the source into SPIR-V reports a warning. The text is its own.",
        why="It compiles the source, but the line may not mean what was intended.",
        fix="Change the line that is named.",
    ),
    Code(
        code="L903",
        title="not a vertex shader",
        meaning="The source is a fragment, geometry, tessellation or compute shader, by its suffix or by the built-in "
        "variables that it uses.",
        why="The PICA200 has no programmable fragment stage, and its geometry shaders are not compiled from GLSL.",
        fix="Give the vertex shader. Fragments are the work of the texture combiners, which an application sets.",
    ),
    Code(
        code="L904",
        title="the compiler of the language fails",
        meaning="The compiler that turns the source into SPIR-V ends without a result and without a message, does not end, or "
        "takes more memory, time or room than it may.",
        why="It has an error, or is not the program that its name says.",
        fix="Use another one with `--glsl-compiler`, and report the source to its project.",
    ),
    Code(
        code="L905",
        title="file is not included",
        meaning="The source includes a file that is not there, or not in its project or the folders of `-I`, or not a regular "
        "file, or too large.",
        why="lanewise reads included files and gives them to the compiler, which gets no folder to search.",
        fix="Name the file as it is from the including one, or its folder with `-I`; `--follow` reads files outside of the "
        "project.",
    ),
)
