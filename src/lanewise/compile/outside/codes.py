"""Findings about compilers of other projects."""

from __future__ import annotations

from lanewise.core.code import rows

ROWS = rows("""
L900 no compiler for this language
    GLSL, HLSL and Slang are compiled to SPIR-V by a compiler of another project, and none that takes the language is installed.
    Why: lanewise compiles SPIR-V itself; it has no front end for these languages.
    Fix: Install one: `pip install 'lanewise[glsl]'`, or glslang-tools or glslc of your system; or give a SPIR-V module, which
        needs none.
L901 error of the compiler of the language
    The compiler that turns the source into SPIR-V reports an error. The text is its own.
    Why: The source is not a valid vertex shader of its language.
    Fix: Change the line that is named, or try another compiler with `--glsl-compiler`.
L902 warning of the compiler of the language
    The compiler that turns the source into SPIR-V reports a warning. The text is its own.
    Why: It compiles the source, but the line may not mean what was intended.
    Fix: Change the line that is named.
L903 not a vertex shader
    The source is a fragment, geometry, tessellation or compute shader, by its suffix or by the built-in variables that it uses.
    Why: The PICA200 has no programmable fragment stage, and its geometry shaders are not compiled from GLSL.
    Fix: Give the vertex shader. Fragments are the work of the texture combiners, which an application sets.
L904 the compiler of the language fails
    The compiler that turns the source into SPIR-V ends without a result and without a message, does not end, or takes more
        memory, time or room than it may.
    Why: It has an error, or is not the program that its name says.
    Fix: Use another one with `--glsl-compiler`, and report the source to its project.
L905 file is not included
    The source includes a file that is not there, or not in its project or the folders of `-I`, or not a regular file, or too
        large.
    Why: lanewise reads included files and gives them to the compiler, which gets no folder to search.
    Fix: Name the file as it is from the including one, or its folder with `-I`; `--follow` reads files outside of the project.
L906 built-in variable of fixed functions
    A shader in GLSL 1.x uses a built-in variable of lights, materials, fog or clip planes, which OpenGL set.
    Why: gl_Vertex, gl_Normal, gl_Color, gl_MultiTexCoord0 and the matrices become inputs and uniforms, gl_FrontColor and
        gl_TexCoord outputs. Nothing sets the others.
    Fix: Declare a uniform in its place, or write another output, as the message says.
    Evidence: GLSL specification 1.20, 7.1 to 7.6
L907 unknown or ambiguous vertex shader
    A source or the passes of an effect have several vertex shaders, and no option says which one to compile; or the option
        names one that GLSL does not have.
    Why: A program has one vertex shader; in GLSL it is the function main.
    Fix: Name it: `--entry-point NAME`, with a function, a technique, or a technique and pass such as `Water/P0`.
""")
