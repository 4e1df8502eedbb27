"""Findings that serve every ISA: data, shader tests, commands.

Codes are stable: a number never gets a second meaning. P parse, V verify, H hint, C container, R run, B binding of data, T
shader tests, L compile, D debugging, U use of a command. A package has its own rows in its `codes.py`, in its own hundred of
each letter: PICA200 the first, ShaderCore 201-299, Direct3D 9 301-399. `lanewise.packages` joins them.
"""

from __future__ import annotations

from lanewise.core.code import Code

SHARED = (
    Code(
        code="P000",
        title="line ends or encoding of a source",
        meaning="The lines end with carriage returns (CR) only, as on Mac OS before 2001; or one is inside a line; or the text "
        "is in UTF-16 or UTF-32.",
        why="Assemblers end a line at LF or at CR LF; most editors also at CR. What an editor shows as a line of its own would "
        "be part of the line before, such as of a comment. In UTF-16, which `>` writes in PowerShell before version 6, every "
        "second byte is a zero.",
        fix="Convert the line ends (`tr '\\r' '\\n' < FILE`, or an editor's command for line ends); save the file as UTF-8, or "
        "write it with `| Out-File -Encoding utf8 FILE`.",
    ),
    Code(
        code="C001",
        title="unknown kind of file",
        meaning="The content is not that of any kind of file that lanewise reads, or not of the kind that its suffix or "
        "`--isa` names: an SHBIN begins with the four letters DVLB.",
        why="Every reader and loader finds the program through the header of its file.",
        fix="Give a file that an assembler wrote. `lanewise inspect --scan FILE` finds programs inside other files.",
        evidence="3dbrew SHBIN; libctru shbin.c",
    ),
    # Binding of data
    Code(
        code="B001",
        title="unknown input, uniform or output",
        meaning="A value was given, or requested, under a name that the shader does not declare and that is not a register.",
        why="The value would have no effect.",
        fix="Use a declared name, an element as `name[2]`, or a register: v0-v15, c0-c95, i0-i3, b0-b15; for ShaderCore v0-v7, "
        "c0-c255.",
    ),
    Code(
        code="B002",
        title="wrong shape",
        meaning="An array has more dimensions, rows or components than its registers.",
        why="A register holds four components, and each row is stored in one register.",
        fix="Inputs: (vertices, 1 to 4), or one vector for all vertices. Uniforms and constants: (registers, 1 to 4), or one "
        "vector for one register.",
    ),
    Code(
        code="B003",
        title="not numeric",
        meaning="A value is text, complex, a ragged list, or something else that a register cannot hold.",
        why="v and c registers hold numbers, i registers bytes, b registers booleans.",
        fix="Pass integers or floating-point numbers; for b registers true, false, 1 or 0.",
    ),
    Code(
        code="B004",
        title="input without data",
        meaning="The program reads an input register that has no data.",
        why="The console reads such a register from its attribute buffers or fixed attributes, and a ShaderCore keeps what the "
        "wave before had: there is no default value.",
        fix="Pass the input by name or register. `--default 0` (`defaults=0`) makes it zeros.",
    ),
    Code(
        code="B005",
        title="uniform or constant without a value",
        meaning="Reachable code reads a uniform or constant, or a component of one, that neither the run nor the file gives a "
        "value.",
        why="The register would hold the value left by the previous program.",
        fix="Pass it by name or register, with all components that are used: `c0.w` is the fourth of its row. Those used only "
        "under a false boolean are not required; of a declared array that is indexed, all values are. "
        "`--default 0` (`defaults=0`) makes it 0 or false.",
    ),
    Code(
        code="B006",
        title="register assigned twice",
        meaning="Two values, or a value and an element of it, are for the same register.",
        why="The register can hold only one of them.",
        fix="Remove one of them.",
    ),
    Code(
        code="B007",
        title="number out of range",
        meaning="An integer uniform is not in 0 to 255, or a raw word is wider than its register.",
        why="i registers hold unsigned bytes; v and c registers of the PICA200 hold 24-bit words, those of ShaderCore 32-bit "
        "words.",
        fix="Correct the value. Bytes are unsigned, so aL cannot have a step of -1.",
    ),
    Code(
        code="B008",
        title="vertex counts differ",
        meaning="Two inputs have different numbers of rows, or an input has fewer rows than the requested number of vertices.",
        why="Every vertex needs all inputs.",
        fix="Give each input one row per vertex, or one vector for all vertices.",
    ),
    Code(
        code="B009",
        title="shader cannot be run",
        meaning="A geometry shader was run without a vertex shader.",
        why="Its inputs are whole primitives of vertex shader outputs, and it emits any number of vertices.",
        fix="Run both stages (`lanewise.pica200.Pipeline`; `lanewise run` with `--indices`), or select a vertex shader of the "
        "file.",
    ),
    Code(
        code="B010",
        title="no such shader in the file",
        meaning="The file has no shader, or several shaders, of the requested kind or name.",
        why="A file may hold several shaders, one per DVLE.",
        fix="Select a shader by name or number.",
    ),
    Code(
        code="B011",
        title="index out of range",
        meaning="An index is negative, fractional, or not below the number of vertices.",
        why="The vertex loader would read memory past the arrays.",
        fix="Use indices below the number of vertices; in variable mode a count precedes each primitive.",
    ),
    Code(
        code="B012",
        title="vertices do not fit the geometry shader",
        meaning="The outputs of a primitive's vertices exceed the input registers or uniforms of the geometry shader, or are "
        "fewer than it reads.",
        why="In point mode they are stored in v0-v15, in fixed and variable mode in float uniforms, which end at c95.",
        fix="Change the number of vertices per run of the geometry shader, or the outputs of the vertex shader.",
    ),
    Code(
        code="B013",
        title="index list does not fit the geometry mode",
        meaning="A geometry shader in variable or fixed mode was given no indices, or a primitive of variable mode has a count "
        "of 0.",
        why="These modes draw only by indices; in variable mode a count before each primitive gives its number of vertices.",
        fix="Pass indices: in variable mode 4,0,1,2,3 is a primitive of four vertices.",
    ),
    Code(
        code="B014",
        title="shader of the wrong stage",
        meaning="A pipeline was given a geometry shader as its vertex shader, or a vertex shader as its geometry shader.",
        why="The vertex unit cannot emit, and the geometry unit has no vertex loader.",
        fix="Pass a vertex shader first, then a geometry shader or none.",
    ),
    Code(
        code="B015",
        title="attribute buffer cannot be read",
        meaning="The types, components, stride or offset of a vertex buffer are inconsistent with each other or with its size, "
        "or a fixed attribute is not a vector.",
        why="The console's vertex loader hangs or draws nothing if stride and attributes disagree.",
        fix="Types are float32, int8, uint8 and int16, with 1 to 4 components; the stride is at least the size of all "
        "attributes.",
        evidence="3dbrew, GPU/Internal Registers, Pitfalls",
    ),
    Code(
        code="B016",
        title="output does not match the output map",
        meaning="An output is paired with an output map word of another output, or with none, or a word has no output.",
        why="The first enabled output is paired with GPUREG_SH_OUTMAP_O0, the second with O1, and so on, regardless of their "
        "numbers; libctru writes the words by register, and merges two stages up to the first output without a property.",
        fix="Use o0, o1, ... without gaps; in a merged geometry shader declare first the outputs of both stages, then its own, "
        "then a `dummy` output for each property that only the vertex shader has.",
        evidence="measured: 3dbrew, GPU/Pitfalls, Output mapping; read in libctru shbin.c and shaderProgram.c; inferred for "
        "both stages",
    ),
    Code(
        code="B017",
        title="conflicting output map",
        meaning="A component is in the output map twice, because two outputs wire it differently, or the map has more than "
        "seven words.",
        why="One of the two words wins; there are registers for seven words, and libctru writes past the end of its array.",
        fix="Wire a property to the same components in both stages, or in only one of them.",
        evidence="libctru shaderProgram.c, shaderProgramMergeOutmaps; Azahar output_vertex.cpp: the later word wins",
    ),
    Code(
        code="B018",
        title="indexed array of unknown extent",
        meaning="The program reads registers through an address register, nothing says where the array ends, and registers "
        "after its first have no value.",
        why="Where the address leads to them, the read gives 0; the console would give the value left by the previous program.",
        fix="Pass a row for each register of the array, and `--default 0` (`defaults=0`) to accept zeros. An array that is "
        "declared has a known extent: then missing values are B005.",
    ),
    # Shader test files
    Code(
        code="T001",
        title="invalid TOML or JSON",
        meaning="A `*.shadertest.toml` file or a data file is not valid TOML or JSON.",
        why="Nothing of it can be used.",
        fix="Correct the line; toml.io and json.org describe the syntax.",
    ),
    Code(
        code="T002",
        title="unknown key",
        meaning="A shader test file, a test in it, or a data file has an unknown key.",
        why="A misspelt key would drop a value or an assertion.",
        fix="Use the suggested key. docs/testing.md and docs/data.md list all keys.",
    ),
    Code(
        code="T003",
        title="missing key",
        meaning="A shader test file has no program or no test, or a test has no outputs.",
        why="There is nothing to run, or nothing to compare.",
        fix="Add the line shown in the help.",
    ),
    Code(
        code="T004",
        title="wrong type",
        meaning="A value in a shader test file or a data file has the wrong type for its key.",
        why="It would be interpreted as something else.",
        fix="Write the value as shown in the help.",
    ),
    Code(
        code="T005",
        title="no such program",
        meaning="The program named by a shader test file does not exist, or its instruction set has no shader tests.",
        why="Paths are relative to the folder of the test file.",
        fix="Correct the path, or name a program of another instruction set.",
    ),
    Code(
        code="T006",
        title="test vectors that cannot be used",
        meaning="A suite of test vectors, or a project's answers to one, is not in the form that docs/vectors.md describes, or "
        "the answers are for another suite.",
        why="An answer would be compared with another case than the one that it is for.",
        fix="Write answers with the header of the suite that they are for; `lanewise_vectors.h` does so.",
    ),
    # Debugging
    Code(
        code="D001",
        title="wrong expression",
        meaning="A condition, a watch or a message of a debugger is not an expression, or names something that the program "
        "does not have.",
        why="A breakpoint with it would never stop, or always.",
        fix="Use names, registers, components, numbers, + - * /, comparisons, and, or, not, parentheses, `isnan`, `isinf`, "
        "`abs`.",
    ),
    Code(
        code="D002",
        title="no such place, thread or breakpoint",
        meaning="A command of a debugger names a line or word without an instruction, a thread that is not debugged, or a "
        "breakpoint that was not set.",
        why="There is nothing to stop at or to go to.",
        fix="A place is a line (`12`, `FILE:12`) or a word (`@4`). `threads` and `breakpoints` list what there is.",
    ),
    Code(
        code="D003",
        title="unknown command of the debugger",
        meaning="A line of a script, or of the command line of the debugger, is not one of its commands, or lacks a value.",
        why="The command does nothing.",
        fix="`help` lists the commands.",
    ),
    # Use of a command. As text these are one line on standard error; JSON has them among its diagnostics.
    Code(
        code="U001",
        title="wrong usage",
        meaning="The command line has an unknown option or value, options that exclude each other, or an output that would "
        "replace an input.",
        why="The command does nothing rather than something else than it was asked for. Its exit code is 2.",
        fix="Follow the message. `--help` after a command lists its options.",
    ),
    Code(
        code="U002",
        title="file or data that cannot be used",
        meaning="A file cannot be read or written, or a value of the command line has the wrong form.",
        why="The command needs it for its answer. Its exit code is 1.",
        fix="Correct the path, the permissions or the value that the message names.",
    ),
    Code(
        code="U003",
        title="interrupted",
        meaning="Ctrl-C ended the command.",
        why="Its answer is not complete, so none is given. Its exit code is 130.",
        fix="Run the command again.",
    ),
    Code(
        code="U004",
        title="time limit exceeded",
        meaning="The command took longer than `--timeout`.",
        why="A program that does not end would run without a limit.",
        fix="Raise `--timeout`, or give it less to do: fewer lanes, a smaller program.",
    ),
    Code(
        code="U005",
        title="command could not finish",
        meaning="The input is nested too deeply or needs more memory than there is, or lanewise has an error of its own.",
        why="There is no answer.",
        fix="Split the input. Report an internal error, with the input.",
    ),
    Code(
        code="U006",
        title="library not installed",
        meaning="The command or call needs NumPy or llvmlite, and this Python does not have it.",
        why="Meshes, pictures, geometry shaders and compiled code need them. Without them programs run on the reference "
        "engine, on lists (docs/python.md).",
        fix="Run `pip install numpy llvmlite`.",
    ),
    Code(
        code="U007",
        title="instruction set of another distribution that cannot be used",
        meaning="An installed distribution has an instruction set (entry point `lanewise.isa`) that cannot be imported, is not "
        "one, takes a name or a code that is taken, or raised an error.",
        why="Its files cannot be read; all others can.",
        fix="Report it to its authors, or uninstall it.",
    ),
)
