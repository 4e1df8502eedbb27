"""Findings that serve every ISA: data, shader tests, commands.

Codes are stable: a number never gets a second meaning. P parse, V verify, H hint, C container, R run, B binding of data, T
shader tests, L compile, D debugging, U use of a command. A package has its own rows in its `codes.py`, in its own hundred of
each letter: PICA200 the first, ShaderCore 201-299, Direct3D 9 301-399. `lanewise.packages` joins them.
"""

from __future__ import annotations

from lanewise.core.code import rows

SHARED = rows(r"""
P000 line ends or encoding of a source
    The lines end with carriage returns (CR) only, as on Mac OS before 2001; or one is inside a line; or the text is in UTF-16
        or UTF-32.
    Why: Assemblers end a line at LF or at CR LF; most editors also at CR. What an editor shows as a line of its own would be
        part of the line before, such as of a comment. In UTF-16, which `>` writes in PowerShell before version 6, every second
        byte is a zero.
    Fix: Convert the line ends (`tr '\r' '\n' < FILE`, or an editor's command for line ends); save the file as UTF-8, or write
        it with `| Out-File -Encoding utf8 FILE`.
C001 unknown kind of file
    The content is not that of any kind of file that lanewise reads, or not of the kind that its suffix or `--isa` names: an
        SHBIN begins with the four letters DVLB.
    Why: Every reader and loader finds the program through the header of its file.
    Fix: Give a file that an assembler wrote. `lanewise inspect --scan FILE` finds programs inside other files.
    Evidence: 3dbrew SHBIN; libctru shbin.c
# Hints of instruction sets that have no others: the steps of `lanewise opt`
H101 code that no path leads to
    No path from the beginning of the program leads to the instruction.
    Why: It takes room and does nothing.
    Fix: Remove it, or correct the branch that should lead there.
H102 result without a reader
    No path reads the result of the instruction, or some of its components.
    Why: The instruction takes a slot, and its time.
    Fix: Remove it, or write only the components that are read.
H103 result that its readers can have directly
    The result is a copy, a product that is added to, or one of its own operands, and each instruction that reads it can read
        the operands instead.
    Why: One instruction does what two do.
    Fix: Read the operands, or write `mad` in place of the sum, and remove the instruction.
H104 value computed a second time
    A register holds the value already.
    Why: The instruction takes a slot, and its time.
    Fix: Remove it, and read the register that holds the value.
H105 result that is only copied
    The only reader of a result is a copy.
    Why: Instructions write where the copy goes.
    Fix: Write the destination of the copy where the result is computed, and remove the copy.
H106 result of constants
    All operands are constants that the program defines, so the result is one too, under each rule of the proof.
    Why: A constant costs no instruction.
    Fix: Define the constant, and remove the instruction.
H107 order in which instructions wait
    In another order the instructions wait less for each other, with the same results.
    Why: Cycles in which nothing is issued are lost.
    Fix: Write them in the order that `lanewise opt` gives.
H108 instructions that can be issued together
    Two neighbours need different units, and neither needs the result of the other.
    Why: Instructions that are issued together count once.
    Fix: Write the second with `+` in front, as one pair.
H109 vector that copies fill
    Each component of an operand is a copy, or one is a number that changes nothing.
    Why: The copies take slots, and the instruction can read in parts what they read.
    Fix: Write the instruction for each part, and remove the copies.
H110 copy of a part of a vector
    The rest of the vector can be written beside the part that is copied.
    Why: The copy takes a slot.
    Fix: Write the rest where the part is, just before the vector is read, and remove the copy.
H111 parts of a vector that are computed alike
    Two instructions do the same with components of the same registers.
    Why: One instruction computes up to four components.
    Fix: Write one instruction for all of them.
# Binding of data
B001 unknown input, uniform or output
    A value was given, or requested, under a name that the shader does not declare and that is not a register.
    Why: The value would have no effect.
    Fix: Use a declared name, an element as `name[2]`, or a register: v0-v15, c0-c95, i0-i3, b0-b15; for ShaderCore v0-v7,
        c0-c255.
B002 wrong shape
    An array has more dimensions, rows or components than its registers.
    Why: A register holds four components, and each row is stored in one register.
    Fix: Inputs: (vertices, 1 to 4), or one vector for all vertices. Uniforms and constants: (registers, 1 to 4), or one vector
        for one register.
B003 not numeric
    A value is text, complex, a ragged list, or something else that a register cannot hold.
    Why: v and c registers hold numbers, i registers bytes, b registers booleans.
    Fix: Pass integers or floating-point numbers; for b registers true, false, 1 or 0.
B004 input without data
    The program reads an input register that has no data.
    Why: The console reads such a register from its attribute buffers or fixed attributes, and a ShaderCore keeps what the wave
        before had: there is no default value.
    Fix: Pass the input by name or register. `--default 0` (`defaults=0`) makes it zeros.
B005 uniform or constant without a value
    Reachable code reads a uniform or constant, or a component of one, that neither the run nor the file gives a value.
    Why: The register would hold the value left by the previous program.
    Fix: Pass it by name or register, with all components that are used: `c0.w` is the fourth of its row. Those used only under
        a false boolean are not required; of a declared array that is indexed, all values are. `--default 0` (`defaults=0`)
        makes it 0 or false.
B006 register assigned twice
    Two values, or a value and an element of it, are for the same register.
    Why: The register can hold only one of them.
    Fix: Remove one of them.
B007 number out of range
    An integer uniform is not in 0 to 255, or a raw word is wider than its register.
    Why: i registers hold unsigned bytes; v and c registers of the PICA200 hold 24-bit words, those of ShaderCore 32-bit words.
    Fix: Correct the value. Bytes are unsigned, so aL cannot have a step of -1.
B008 vertex counts differ
    Two inputs have different numbers of rows, or an input has fewer rows than the requested number of vertices.
    Why: Every vertex needs all inputs.
    Fix: Give each input one row per vertex, the same of each where rows are filtered, or one vector for all vertices.
B009 shader cannot be run
    A geometry shader was run without a vertex shader.
    Why: Its inputs are whole primitives of vertex shader outputs, and it emits any number of vertices.
    Fix: Run both stages (`lanewise.pica200.Pipeline`; `lanewise run` with `--indices`), or select a vertex shader of the file.
B010 no such shader in the file
    The file has no shader, or several shaders, of the requested kind or name.
    Why: A file may hold several shaders, one per DVLE.
    Fix: Select a shader by name or number.
B011 index out of range
    An index is negative, fractional, or not below the number of vertices; a warning: every second one of a file is 0, as if it
        had 32-bit indices; or a list of triangles has one or two left over.
    Why: The vertex loader would read memory past the arrays; three indices are a triangle, and what is left over is not drawn.
    Fix: Use indices below the number of vertices; in variable mode a count precedes each primitive.
B012 vertices do not fit the geometry shader
    The outputs of a primitive's vertices exceed the input registers or uniforms of the geometry shader, or are fewer than it
        reads.
    Why: In point mode they are stored in v0-v15, in fixed and variable mode in float uniforms, which end at c95.
    Fix: Change the number of vertices per run of the geometry shader, or the outputs of the vertex shader.
B013 index list does not fit the geometry mode
    A geometry shader in variable or fixed mode was given no indices, or a primitive of variable mode has a count of 0. In
        fixed mode the profile `azahar`, or `--set fixed_by_arrays=drawn`, runs a draw without indices.
    Why: These modes draw only by indices; in variable mode a count before each primitive gives its number of vertices.
    Fix: Pass indices: in variable mode 4,0,1,2,3 is a primitive of four vertices.
B014 shader of the wrong stage
    A pipeline was given a geometry shader as its vertex shader, or a vertex shader as its geometry shader; or the geometry
        shader begins where the vertex shader does, and values that this program reads are missing.
    Why: The vertex unit cannot emit, and the geometry unit has no vertex loader.
    Fix: Pass a vertex shader first, then a geometry shader or none; give the geometry shader `.entry NAME`.
B015 attribute buffer cannot be read
    The types, components, stride or offset of a vertex buffer are inconsistent with each other or with its size, or a fixed
        attribute is not a vector.
    Why: The console's vertex loader hangs or draws nothing if stride and attributes disagree.
    Fix: Types are float32, int8, uint8 and int16, with 1 to 4 components; the stride is at least the size of all attributes.
    Evidence: 3dbrew, GPU/Internal Registers, Pitfalls
B016 output does not match the output map
    An output is paired with an output map word of another output, or with none, or a word has no output.
    Why: The first enabled output is paired with GPUREG_SH_OUTMAP_O0, the second with O1, and so on, regardless of their
        numbers; libctru writes the words by register, and merges two stages up to the first output without a property.
    Fix: Use o0, o1, ... without gaps; in a merged geometry shader declare first the outputs of both stages, then its own, then
        a `dummy` output for each property that only the vertex shader has.
    Evidence: measured: 3dbrew, GPU/Pitfalls, Output mapping; read in libctru shbin.c and shaderProgram.c; inferred for both
        stages
B017 conflicting output map
    A component is in the output map twice, because two outputs wire it differently, or the map has more than seven words.
    Why: One of the two words wins; there are registers for seven words, and libctru writes past the end of its array.
    Fix: Wire a property to the same components in both stages, or in only one of them.
    Evidence: libctru shaderProgram.c, shaderProgramMergeOutmaps; Azahar output_vertex.cpp: the later word wins
B018 indexed array of unknown extent
    The program reads registers through an address register, nothing says where the array ends, and registers after its first
        have no value.
    Why: Where the address leads to them, the read gives 0; the console would give the value left by the previous program.
    Fix: Pass a row for each register of the array, and `--default 0` (`defaults=0`) to accept zeros. An array that is declared
        has a known extent: then missing values are B005.
B019 value out of range
    A number for an input or a uniform is larger than the format of the program's numbers: infinity is stored.
    Why: float24 ends at 3.689e19, float32 at 3.403e38.
    Fix: Scale the value, or write inf.
B020 integers are rounded
    An array of integers has some that the format of the program's numbers does not hold.
    Why: float24 has every integer up to 2^17 (131072), float32 up to 2^24; above it only multiples of a power of 2.
    Fix: Subtract an offset, such as the least of them, or give two components: the whole part of a division by a power of 2,
        and its remainder. Words of a result are raw words: `lanewise.Words(values)`.
B021 missing value in a data frame
    A column of a data frame of pandas has no value in some row: NaN is stored. Or a few rows of many have -9999 or another
        usual number for no value, far from all others of the column.
    Why: pandas keeps NaN in the place of None, and every output that depends on it is NaN. -9999 is a number like others.
    Fix: Give a value, `frame.fillna(0)`, or leave such rows out, `frame.dropna()`; for -9999 `frame.replace(-9999, VALUE)`.
B022 bytes as colours
    An input is an array of bytes (uint8), and an output color is above 1; or the rows of a direction, such as a normal, are as
        long as the largest number of a type (127, 255, 32767, 65535), and the program neither scales nor normalizes it. Or a
        color of bytes has 0 and 1 only, as the division `// 255` of whole numbers leaves.
    Why: Numbers are taken by value, 255 is 255.0, and the rasterizer clamps colors at 1.
    Fix: Divide the array by 255, or by the largest number of its type.
B023 matrix with rows and columns exchanged
    A matrix that was given is a transformation only with its rows and columns exchanged: the translation is in its last row, or
        the direction of a projection in its last column; and the program takes dot products of its registers.
    Why: A register holds a row where the program multiplies registers by the vector. OpenGL, GLM and C arrays of HLSL hold
        columns one after the other.
    Fix: Give the transpose, such as `matrix.T`.
B024 computed property of a mesh
    An input takes the normals of a mesh whose file has none: those of the faces around each vertex are computed.
    Why: A program that loads the file has no normals: the console reads what is in its fixed attribute, or the draw hangs.
    Fix: Export the mesh with normals.
B025 different numbers become one
    A component of an input has many numbers close to each other and far from 0, of which the format has few, or another
        whole number in each row, all of which are one there, or an input or uniform is the time since 1970; or an input is of
        float16, whose numbers are far apart there.
    Why: float24 has 17 bits of precision: between 8 and 16 its numbers are 0.00012 apart. Positions of a map lose their shape.
    Fix: Subtract an origin before the run, and add it after, or take `t % period` of a time; give float32 for float16.
B026 rows with other labels
    Data frames for several inputs have the same labels (index) in different orders.
    Why: Rows of inputs go together by their place, as in NumPy; pandas would join them by label.
    Fix: Put one in the order of the other, `other.loc[first.index]`, or give one frame with the columns of both.
B027 series taken for one vector
    A Series of pandas with 2 to 4 numbers, one for each row, is an input: it is one vector for all vertices.
    Why: Four numbers are a vector, as in NumPy; a Series is a column of a frame, which has a number for each vertex.
    Fix: Give the vector, `values.to_numpy()`, or a number for each vertex, `values.to_numpy()[:, None]`.
B028 constant that is given
    A run was given a value for a constant of the source, by its name.
    Why: The run takes the value. Names of constants are in no file, so that a program cannot give one.
    Fix: Declare a uniform in its place, or change the constant.
B029 numbers that no instruction reads
    The fourth column of a matrix that was given has numbers, and points are multiplied with the first three only.
    Why: A point is (x, y, z, 1): the fourth number of a row moves it. A product of three components leaves it out.
    Fix: Write `dp4` where points are multiplied; directions take `dp3`.
B030 matrix that mirrors
    A matrix that was given turns right hands into left ones.
    Why: Each triangle is then the other way round, so that its front is taken for its back, and culled.
    Fix: Mirror the mesh in the program that exports it, which turns the triangles too, or cull the other side.
B031 array in another layout
    The shape or the numbers of an input are those of an array whose rows are components, or that was normalised by columns; or
        a vector has as many numbers as there are vertices, and the program reads fewer. Or a uniform has matrices
        of four rows and three columns, where three rows of four are read.
    Why: A row is a vertex. An array of 3 or 4 rows, or a vector of up to 4 numbers, fits in both readings.
    Fix: Give the array that the message names, such as `values.T`.
B032 source that has changed
    The file that a program was loaded from is another now than it was.
    Why: A program is what the file held when it was loaded: a run does not read it again.
    Fix: Load the file again before the run.
B033 position that is 0 for want of a value
    The position is 0 in every vertex, and a uniform that the program reads was not given: `defaults` made it 0.
    Why: Zeros stand for what is missing, so that a matrix of them puts every vertex on one point without a place.
    Fix: Give the uniform.
B034 row numbers as a component
    The first of four columns of an input counts the rows: 0, 1, 2 and so on; or the last one of a position does.
    Why: Data frames write the numbers of their rows before the columns; a table without names goes by place, and x is that
        number. Points are divided by w.
    Fix: Leave the column out: `index=False` of `to_csv`, `FILE:1,2,3` on the command line, `values[:, 1:]` in NumPy.
B035 words of another format
    Raw words of an input or uniform are numbers as float24 and almost 0 as float32, which the program has; or they are the
        upper 24 bits of whole numbers in float32, where the program has float24; or words of float24 are given by value.
    Why: PICA200 has float24, words of 24 bits; ShaderCore and Direct3D 9 have float32.
    Fix: Write the words of float32, such as 0x3f000000 for 0.5, or numbers; in Python raw words are `lanewise.Words(values)`.
B036 rows of a matrix are one list
    The four rows of a matrix are the same list of Python.
    Why: `[[0] * 4] * 4` is four times one row: what is written into one is in all.
    Fix: Make a list for each row, `[[0] * 4 for _ in range(4)]`, or an array, `numpy.zeros((4, 4))`.
B037 weights in other units
    The weights of a vertex sum up to 100, 255 or another usual largest number, and no constant of the shader scales them. Or
        they sum up to less than 1, or one of them is read by nothing, where a shader moves by bones.
    Why: Weights are parts of 1: the vertex goes as many times too far, or is drawn towards 0, 0, 0.
    Fix: Divide them by their sum, or scale them in the shader; read each of them.
B038 direction of zeros
    A row of a normal is 0, 0, 0 where others are not; or of another direction of which the program takes the length.
    Why: Zeros point nowhere: `rsq` of 0 is infinite, times 0 is 0, and the vertex has no light. `fillna(0)` makes such rows.
    Fix: Give a vector of length 1, or leave such rows out, `frame.dropna()`.
B039 points whose w is 0
    The position of every vertex has w = 0, as an input has in its fourth column.
    Why: w = 1 makes four numbers a point. With w = 0 they are a direction: a translation does not move them, and the division
        by w gives no place on the screen.
    Fix: Give w = 1, or three columns, to which it is added.
B040 uniform that no instruction reads
    A uniform that a source declares was given a value, and no instruction that is reached reads it.
    Why: The value has no effect. Another name may be meant where one is read.
    Fix: Read it, or remove it.
B042 row that may be written from w on
    x of a uniform is 1, its w is a part of 1, and no output depends on w.
    Why: The register GPUREG_VSH_FLOATUNIFORM_DATA takes w first, and C3D_FVec holds w, z, y, x in memory; rows of values are
        x, y, z, w.
    Fix: Write the row in the order x, y, z, w.
B043 faces against their normals
    The faces of a mesh turn clockwise as seen from where its normals point.
    Why: Unity and Direct3D wind the fronts clockwise. citro3d and OpenGL take counterclockwise for the front: the side towards
        the viewer is culled, and the inside of the far side is seen.
    Fix: Exchange two corners of each face in the program that exports the mesh, or cull the other side.
B044 depth of another rasterizer
    A projection gives z from -w or 0 to w, as OpenGL and Direct3D have it, and vertices have positive z.
    Why: The PICA200 clips what is beyond -w <= z <= 0, so that only the nearest part of the scene is left.
    Fix: Make the matrix with `Mtx_PerspTilt`, or write the rows that the message gives.
B045 small numbers lost in a sum
    A sum of a uniform and numbers that differ between the vertices is the same in all of them.
    Why: float24 has 17 bits of precision: beside 100000 numbers below 1 are lost. A time that is never reset grows so large.
    Fix: Keep the uniform small: wrap it in the program, such as `fmodf(time, 6.2831853f)`, before it is sent.
B046 loop index that does not advance
    The integer uniform of a loop has a step of 0, where the loop takes more than one iteration and reads an array by aL.
    Why: x, y and z are the iterations less one, the start of aL and its step. With a step of 0 each iteration reads the same
        element.
    Fix: Give a step, such as 1.
B048 array cut within a wave
    An input is a part of an array that begins within a wave of 16 rows of it, and the device computes `rcp` with a term of
        another lane.
    Why: Waves are cut from the first row that is given. The last bits of a vertex depend on those of its wave: the parts are
        not what a run of the whole gives.
    Fix: Cut arrays at multiples of 16 rows, or give a device with `rcp_sigma=fixed`.
B049 direction of another length
    A uniform that is a direction by its name has another length than 1, and the program has it in products of three
        components only.
    Why: The product of two directions of length 1 is the cosine between them; another length scales the light.
    Fix: Divide the vector by its length.
# Shader test files
T001 invalid TOML or JSON
    A `*.shadertest.toml` file or a data file is not valid TOML or JSON.
    Why: Nothing of it can be used.
    Fix: Correct the line; toml.io and json.org describe the syntax.
T002 unknown key
    A shader test file, a test in it, or a data file has an unknown key.
    Why: A misspelt key would drop a value or an assertion.
    Fix: Use the suggested key. docs/testing.md and docs/data.md list all keys.
T003 missing key
    A shader test file has no program or no test, or a test has no outputs.
    Why: There is nothing to run, or nothing to compare.
    Fix: Add the line shown in the help.
T004 wrong type
    A value in a shader test file or a data file has the wrong type for its key.
    Why: It would be interpreted as something else.
    Fix: Write the value as shown in the help.
T005 no such program
    The program named by a shader test file does not exist, or its instruction set has no shader tests.
    Why: Paths are relative to the folder of the test file.
    Fix: Correct the path, or name a program of another instruction set.
T006 test vectors that cannot be used
    A suite of test vectors, or a project's answers to one, is not in the form that docs/vectors.md describes, or the answers
        are for another suite.
    Why: An answer would be compared with another case than the one that it is for.
    Fix: Write answers with the header of the suite that they are for; `lanewise_vectors.h` does so.
# Debugging
D001 wrong expression
    A condition, a watch or a message of a debugger is not an expression, or names something that the program does not have.
    Why: A breakpoint with it would never stop, or always.
    Fix: Use names, registers, components, numbers, + - * /, comparisons, and, or, not, parentheses, `isnan`, `isinf`, `abs`.
D002 no such place, thread or breakpoint
    A command of a debugger names a line or word without an instruction, a thread that is not debugged, or a breakpoint that was
        not set.
    Why: There is nothing to stop at or to go to.
    Fix: A place is a line (`12`, `FILE:12`) or a word (`@4`). `threads` and `breakpoints` list what there is.
D003 unknown command of the debugger
    A line of a script, or of the command line of the debugger, is not one of its commands, or lacks a value.
    Why: The command does nothing.
    Fix: `help` lists the commands.
# Use of a command. As text these are one line on standard error; JSON has them among its diagnostics.
U001 wrong usage
    The command line has an unknown option or value, options that exclude each other, or an output that would replace an input.
    Why: The command does nothing rather than something else than it was asked for. Its exit code is 2.
    Fix: Follow the message. `--help` after a command lists its options.
U002 file or data that cannot be used
    A file cannot be read or written, or a value of the command line has the wrong form.
    Why: The command needs it for its answer. Its exit code is 1.
    Fix: Correct the path, the permissions or the value that the message names.
U003 interrupted
    Ctrl-C ended the command.
    Why: Its answer is not complete, so none is given. Its exit code is 130.
    Fix: Run the command again.
U004 time limit exceeded
    The command took longer than `--timeout`.
    Why: A program that does not end would run without a limit.
    Fix: Raise `--timeout`, or give it less to do: fewer lanes, a smaller program.
U005 command could not finish
    The input is nested too deeply or needs more memory than there is, or lanewise has an error of its own.
    Why: There is no answer.
    Fix: Split the input. Report an internal error, with the input.
U006 library not installed
    The command or call needs NumPy or llvmlite, and this Python does not have it.
    Why: Meshes, pictures, geometry shaders and compiled code need them. Without them programs run on the reference engine, on
        lists (docs/python.md).
    Fix: Run `pip install numpy llvmlite`.
U007 instruction set of another distribution that cannot be used
    An installed distribution has an instruction set (entry point `lanewise.isa`) that cannot be imported, is not one, takes a
        name or a code that is taken, or raised an error.
    Why: Its files cannot be read; all others can.
    Fix: Report it to its authors, or uninstall it.
U008 binary older than its source
    A source of the same name is beside a binary and was changed after the binary was written; what is assembled from it now
        differs from the binary, or the source has errors.
    Why: The command is about the binary, which is not the program of the source.
    Fix: Assemble the source again, or name it in place of the binary.
""")
