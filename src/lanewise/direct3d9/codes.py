"""Findings of Direct3D 9: language, legality, files and faults of a run. Rows that serve every ISA are in `core.codes`."""

from __future__ import annotations

from lanewise.core.code import by_code, rows
from lanewise.core.codes import SHARED

ROWS = rows("""
# The language
P301 unknown Direct3D 9 instruction
    A statement does not begin with an instruction of any version.
    Why: A statement is an instruction, a declaration or a directive. Comments begin with `;` or `//`.
    Fix: Use the suggested name. `lanewise isa direct3d9` lists the instructions.
    Evidence: D3D, instructions
P302 invalid directive
    A line begins with a dot but not with a known directive, or the directive is not allowed here.
    Why: `.dword`, `.comment`, `.end` and `.byte` are lanewise extensions for contents that the language cannot express.
    Fix: Use `.dword` for words, `.comment` for the words of a comment, `.end` for the end token, `.byte` for bytes after the
        last word.
    Evidence: lanewise extension
P303 wrong number of operands
    An instruction has too many or too few operands for this version, or a comma is missing between two of them.
    Why: tex has one operand in ps_1_1, two in ps_1_4 (texld) and three later; sincos has two constants only in shader model 2.
    Fix: Write the operands of this version; `lanewise isa direct3d9` lists them.
    Evidence: D3D, instructions; reference 3
P304 invalid operand
    The text is not an operand.
    Why: Operands are registers. Numbers are constants, defined by def, defi and defb.
    Fix: Write a register: r0, -c4.x, c[a0.x+4], 1-t0.
    Evidence: D3D, registers
P305 unknown register
    The name is not a register of this version, or its number does not fit a token.
    Why: a# and t# share their numbers, and so do oT# and o#: the version determines which of them a token means.
    Fix: Use a register of the version. `lanewise check` verifies the number of registers.
    Evidence: D3D, registers; reference 3
P306 invalid swizzle or mask
    The text after the dot of a register is not a swizzle or mask.
    Why: A swizzle has up to four letters; a mask has each letter at most once, in the order xyzw.
    Fix: Use the letters xyzw or rgba.
    Evidence: D3D, modifiers; reference 3
P307 invalid modifier
    An instruction or a register has an unknown modifier, or two incompatible ones.
    Why: A result has four bits for modifiers and four for a shift; a source has one modifier of four bits.
    Fix: Results: _sat, _pp, _centroid, _x2 to _d8. Sources: -, 1-, !, _abs, _bias, _bx2, _x2, _dz, _dw.
    Evidence: D3D, modifiers; reference 3
P308 invalid index
    The text in brackets is not a sum of numbers and one address register.
    Why: A token holds a non-negative number and one register: a0 with a component, or aL.
    Fix: Write c[4], c[a0.x+4] or c[aL+4]. vs_1_1 has only a0.x, pixel shaders only aL.
    Evidence: D3D, relative addressing; reference 3
P309 invalid number
    A value of def, defi, defb or of a directive is not a number, or is too large.
    Why: Each value has 32 bits.
    Fix: Write decimal numbers; 0x and eight digits give the bits of a float.
    Evidence: D3D, def; bit patterns are a lanewise extension
P310 missing or invalid version
    The source does not begin with a version, has a second one, or one that does not exist.
    Why: The version determines the available instructions and registers, and is the first word of the file.
    Fix: Begin with a version such as vs_2_0 or ps.1.4; each file holds one shader. `.dword` with a version token carries a
        version that does not exist.
    Evidence: D3D, vs and ps
P311 unterminated comment
    A comment that begins with `/*` has no `*/`.
    Why: The rest of the file is part of the comment. Wine silently ignores it.
    Fix: Close the comment.
    Evidence: reference: Wine 8.0, conformance row bad_block_comment_open
P312 unsupported preprocessor line
    A line that begins with `#` is unknown or malformed, a file cannot be included, or a macro, also one of `-D`, is invalid.
    Why: Only this part of the C preprocessor is supported: #define, #undef, #if, #ifdef, #ifndef, #elif, #else, #endif,
        #include, #line.
    Fix: Correct the line as the message says, name the folder of an included file with `-I`, or run cpp first: its output is
        accepted too.
    Evidence: D3D, assembler preprocessor; limits of lanewise
P313 unknown declaration
    dcl is not followed by a known usage or texture type.
    Why: A usage connects a register with a vertex buffer, or an output with an input; a texture type describes a sampler.
    Fix: Use the suggested name. An index from 0 to 15 may follow a usage: dcl_texcoord1.
    Evidence: D3D, dcl_usage and dcl_samplerType; Wine reads index 16 as 0, conformance row bad_dcl_index_16
P314 invalid predicate
    The parenthesis before an instruction is not closed, or the version has no predicates.
    Why: Instructions of shader model 1 have no predicate bit.
    Fix: Write (p0), (!p0) or (p0.x) before the instruction, in vs_2_x, ps_2_x or later.
    Evidence: D3D, setp_comp; reference 3
P315 Direct3D 9 source
    A PICA200 command was given a source whose first statement is a version.
    Why: Such a source is Direct3D 9, whatever its name: the suffix .vsh is used for both.
    Fix: Use a command that supports Direct3D 9, or select the language with `--dialect`.
    Evidence: lanewise
# What is legal in a version; the rules are in check.direct3d9
V301 instruction not in the version
    The shader has an instruction of another version or shader kind, unknown words, or an unknown version.
    Why: CreateVertexShader and CreatePixelShader reject the shader.
    Fix: Use an instruction of the version, or a later version. `lanewise isa direct3d9` lists them.
    Evidence: D3D, instructions of each version
V302 register not in the version
    The version does not have this register file, or the register number is too large. A matrix reads several constants.
    Why: Each version has a fixed number of registers of each kind; hardware vertex shaders have c0 to c255.
    Fix: Use a register of the version. The software versions (vs_2_sw, vs_3_sw, ps_2_sw, ps_3_sw) have 8192 constants.
    Evidence: D3D, registers of each version; reference 3, Limits
V303 register cannot be read
    An instruction reads a register of a kind that it cannot read.
    Why: Outputs cannot be read; integers and booleans are for flow control; samplers are for texture instructions.
    Fix: Read a register listed in the help; `mov` the value to it first.
    Evidence: D3D, instructions
V304 register cannot be written
    An instruction writes, defines or declares a register of a kind that it cannot write.
    Why: Constants, inputs and samplers are set by the application; a0 is written by mova (mov in vs_1_1), p0 by setp; crs, nrm
        and sincos write r# only.
    Fix: Write a register listed in the help.
    Evidence: D3D, instructions; crs, nrm, sincos: the destination must be a temporary register
V305 relative addressing not possible
    A register is addressed relative to a0 or aL where the version does not support it.
    Why: Vertex shaders index constants, vs_3_0 also inputs and outputs; ps_3_0 indexes inputs by aL.
    Fix: Name the register, or use a version that supports the index.
    Evidence: D3D, relative addressing; reference 3
V306 result modifier not supported
    _sat, _pp, _centroid or a shift is used where the version or the instruction does not support it.
    Why: Shifts are for ps_1_x, _sat for pixel shaders and vs_3_0 (not for outputs of ps_2_0 and ps_2_x), _pp for ps_2_0 and
        later, _centroid for dcl there.
    Fix: Remove the modifier, or compute its effect explicitly.
    Evidence: D3D, instruction modifiers; Modifiers for ps_2_0 and Above: no _sat on output registers
V307 source modifier not supported
    A source has a modifier (-, 1-, !, _abs, _bias, _bx2, _x2, _dz or _dw) that the version, the instruction or the register
        does not support.
    Why: _bias, _bx2 and 1- are for ps_1_x, _x2, _dz and _dw for ps_1_4, _abs for shader model 3, ! for booleans and predicates.
        Constants of ps_1_4 take none.
    Fix: Remove the modifier, or compute its effect first.
    Evidence: D3D, source register modifiers: constants of ps_1_4, _bx2 of texture instructions; texreg2ar, texreg2gb
V308 invalid write mask
    An instruction writes components that it cannot write, or omits required ones.
    Why: A matrix instruction writes one component per row; ps_1_1 writes .rgb, .a or both (dp3 not .a); before ps_3_0 a colour
        is written whole.
    Fix: Use a write mask listed in the help.
    Evidence: D3D, instructions; Destination Register Write Mask
V309 invalid swizzle
    A source has a swizzle that the version or the instruction does not support.
    Why: rcp, rsq, exp, log, pow, sincos and comparisons read one component; ps_2_0 has few swizzles, ps_1_x fewer; coordinates
        take one in ps_3_0.
    Fix: Use a swizzle listed in the help, or `mov` the components into place first.
    Evidence: D3D, source register swizzling: .b before ps_1_4 with .a only; texld (ps_2_0 and up): no swizzle in ps_2_0 and
        ps_2_x
V310 too many registers read at once
    An instruction reads more different registers of a file than the version has read ports, or mixes constants with and without
        _abs.
    Why: Vertex shaders read one v# and one c# per instruction, and so do pixel shaders from ps_2_0 on, which read one t#;
        ps_1_x reads two or three of each. The two constants of sincos are not counted.
    Fix: `mov` one of them to a temporary first.
    Evidence: D3D, registers of each version: read ports, the different registers of a type that one instruction reads; Input
        Register, Input Color Register, Texture Coordinate Register: one per instruction; 228 public shaders of fxc, vs_2_0 to
        ps_3_0: none reads two c#
V311 destination is also a source
    An instruction that writes before it has read all sources writes a register that it reads, or cnd before ps_1_4 tests a
        register other than r0.a.
    Why: m4x4, pow and similar instructions are sequences: the first instruction changes what the others read.
    Fix: Write to another register, then `mov`.
    Evidence: Microsoft X5335 for m3x2 to m4x4; d3d8to9 issue 55; D3D, m3x2, crs, nrm, sgn, cmp, cnd, pow
V312 uninitialised read
    Components of a temporary, an address register or a predicate are read, and no path to the instruction has written them.
    Why: Their value is undefined. In ps_1_4 the alpha of temporaries is lost at phase.
    Fix: Write them first, or read written components.
    Evidence: Microsoft X5036; d3d8to9 issue 65; reference 4
V313 output never written
    A vertex shader before vs_3_0 does not write oPos, or a pixel shader does not write a colour (oC0, in ps_1_x r0).
    Why: The rasterizer needs these outputs.
    Fix: Write the output.
    Evidence: D3D, vs_1_1 to vs_2_x and pixel shader outputs
V314 register not declared
    An input, output, texture coordinate or sampler is used without dcl.
    Why: The declaration connects the register with vertex data or with the other shader, and describes samplers.
    Fix: Declare it before the first instruction.
    Evidence: D3D, dcl_usage, dcl_samplerType, dcl
V315 invalid declaration or definition
    A register is declared with a usage or texture type that it cannot have.
    Why: Usages are for inputs and outputs, texture types for samplers; in ps_2_0 and ps_2_x, t# and v# have no usage.
    Fix: Write a declaration listed in the help.
    Evidence: D3D, dcl_usage, dcl_samplerType
V316 declaration after an instruction
    dcl, def, defi or defb appears after the first instruction.
    Why: Declarations and definitions hold from the start of the shader.
    Fix: Move them before the first instruction.
    Evidence: D3D, def, dcl_usage
V317 too many instruction slots
    The shader uses more slots than the version has, or ps_1_2 or ps_1_3 has more than three cmp.
    Why: Every device provides this many; instructions such as nrm, pow and m4x4 use several. ps_1_4 has one bem.
    Fix: Use fewer instructions, or a later version. `lanewise inspect` counts slots.
    Evidence: D3D, instruction slots of each version; reference 3
V318 unbalanced blocks
    if, loop or rep is not closed, or closed by the wrong instruction; break is outside a loop; aL is read outside loop.
    Why: There are no jumps: flow control consists of nested blocks.
    Fix: Close blocks in reverse order of opening.
    Evidence: D3D, flow control
V319 blocks nested too deep
    Loops or conditions are nested deeper than the version allows, or there are too many flow instructions.
    Why: vs_2_0 does not allow nested loops. vs_2_0 and vs_2_x allow 16 static flow instructions: if b#, its else, loop, rep,
        call, callnz b#.
    Fix: Unroll a loop, join conditions, or use a later version.
    Evidence: D3D, flow control nesting limits; reference 3
V320 invalid subroutine
    A label is missing, defined twice or before its call, the code before it does not end with ret, or calls are nested too
        deep.
    Why: A subroutine follows all its callers, which excludes recursion.
    Fix: Put subroutines after the ret of the main program, callers before callees.
    Evidence: D3D, call, label, ret
V321 predicate not supported
    The version has no predicates, or the instruction cannot be predicated.
    Why: Predicates exist since vs_2_x and ps_2_x, and mask the writes of arithmetic and texture instructions.
    Fix: Use `if p0.x`, `breakp` or `callnz` for flow control.
    Evidence: D3D, setp_comp, predicate register
V322 invalid pair
    `+` joins two instructions that cannot be co-issued.
    Why: ps_1_x has a colour unit and an alpha unit: one instruction of a pair writes .a, the other components of .rgb. dp4 and
        bem need both units.
    Fix: Remove the +, or use disjoint masks.
    Evidence: D3D, instruction pairing; dp4, bem: cannot be co-issued
V323 invalid order in a ps_1_x shader
    A texture instruction follows arithmetic, or an instruction is in the wrong phase of ps_1_4.
    Why: Texture instructions come first, then arithmetic; ps_1_4 has two such phases, v0 and v1 only in the second, bem only in
        the first.
    Fix: Move the instruction.
    Evidence: D3D, ps_1_4 phase, texture instructions; bem
V324 incomplete texture matrix
    texm3x2pad or texm3x3pad is not followed by the instruction that uses it, or a stage reads one that is not earlier.
    Why: The rows of the matrix are in consecutive stages; the last of them computes the result.
    Fix: Write the instructions for consecutive stages.
    Evidence: D3D, texm3x2pad, texm3x3pad
V325 pixel output not written by mov
    An instruction other than mov writes oC# or oDepth in shader model 2.
    Why: Outputs of ps_2_0 and ps_2_x are the targets of mov only; ps_3_0 writes them with any instruction.
    Fix: Compute the value in r#, then mov it to the output.
    Evidence: D3D, Output Color Register and Output Depth Register, restrictions of shader model 2: mov only
V326 pixel output from a modified source
    In shader model 2, the source of a write to oC# has a swizzle or a modifier, or that of oDepth has a modifier.
    Why: The value is copied as it is.
    Fix: Apply the swizzle or modifier in a mov to r# first.
    Evidence: D3D, Output Color Register and Output Depth Register, restrictions of shader model 2: no source swizzle, no source
        modifier
V327 pixel output written twice
    Two instructions write the same oC# or oDepth in shader model 2.
    Why: A shader of model 2 has at most one write to each output.
    Fix: Select the value in r#, then mov it once.
    Evidence: D3D, Output Color Register and Output Depth Register, restrictions of shader model 2: at most one write
V328 pixel output without those before it
    A shader of model 2 writes oC1, oC2 or oC3 but not all outputs with lower numbers.
    Why: Render targets are used from the first on.
    Fix: Write the missing outputs too.
    Evidence: D3D, Output Color Register, restrictions of shader model 2: to write oC2, also write oC0 and oC1
V329 pixel output written conditionally
    In shader model 2, oC# is written inside dynamic flow control or under a predicate, or oDepth inside any block.
    Why: Static conditions do not matter for oC#. In ps_3_0 both may be written conditionally: the register page forbids and
        allows it, and compilers do it.
    Fix: Write r# in the block, and mov it to the output at the end.
    Evidence: D3D, Output Color Register and Output Depth Register, restrictions of ps_2_x
V330 oDepth from a vector
    oDepth is written with a mask, or from a source that does not select one component.
    Why: oDepth is a scalar.
    Fix: Write `mov oDepth, r0.x`.
    Evidence: D3D, Output Depth Register: a replicate swizzle is required, write masks are not allowed
V331 oDepth not written on all paths
    A ps_3_0 shader writes oDepth on some paths and not on others.
    Why: The depth of the other paths is undefined.
    Fix: Write oDepth on every path.
    Evidence: D3D, Output Depth Register, restrictions of ps_3_0: conditional writes if all paths write it
V332 no position output
    A vs_3_0 shader declares no output as position, or declares it with a write mask.
    Why: The rasterizer needs a position of four components.
    Fix: Add `dcl_position o0`, without a mask.
    Evidence: D3D, dcl_usage output: one output must be declared as position, with all four components
V333 position partly written
    No instruction writes some component of the position.
    Why: All four components have to be written: the fourth divides the others.
    Fix: Write the missing components.
    Evidence: D3D, Position Register; Destination Register Write Mask: oPos requires .xyzw; dcl_usage output
V334 usage declared twice
    Two outputs of vs_3_0, or two inputs of ps_3_0, have the same usage and index.
    Why: Usages link outputs with inputs, so each of them has one place.
    Fix: Use another usage or index.
    Evidence: D3D, dcl_usage output and dcl_semantics: a semantic cannot be used several times
V335 declarations overlap
    Two declarations of an output of vs_3_0 or an input of ps_3_0 have a component in common.
    Why: A register may hold several usages, each in its own components.
    Fix: Give each declaration its own write mask.
    Evidence: D3D, dcl_usage output and dcl_semantics: each declaration of a register has a unique write mask
V336 invalid point size output
    psize is declared with a write mask, or in a register that has another usage too.
    Why: The point size is a scalar with a whole register.
    Fix: Declare psize without a mask for a separate register.
    Evidence: D3D, dcl_usage output: psize cannot have a mask, and its register has no other usage
V337 too many outputs
    A vs_3_0 shader declares more than ten outputs besides position and psize.
    Why: Of the twelve outputs, one is for the position and one is for the point size, used or not.
    Fix: Pack several usages into one register, with write masks.
    Evidence: D3D, dcl_usage output: ten outputs, position, optionally psize
V338 output component not declared
    An instruction writes a component of o# that no declaration of the register includes.
    Why: Without a usage, the component goes nowhere.
    Fix: Declare the component, or leave it out of the write mask.
    Evidence: D3D, dcl_usage output: outputs require declarations with semantics
V339 invalid declaration of vPos
    vPos is declared with z or w.
    Why: vPos has the position on the screen in x and y; z and w are undefined.
    Fix: Write `dcl vPos.xy`, `dcl vPos.x` or `dcl vPos.y`.
    Evidence: D3D, ps_3_0 Registers: exactly one of the masks .x, .y, .xy
V340 constant defined twice
    def, defi or defb defines a register that an earlier one has defined.
    Why: The last definition holds: the earlier ones have no effect.
    Fix: Remove one of them.
    Evidence: D3D, def (ps)
V341 unsuitable destination
    pow writes a register that is not r#.
    Why: pow is a sequence of instructions on many cards.
    Fix: Write to another r#, then mov.
    Evidence: D3D, pow: dst should be a temporary register
V342 invalid constants of sincos
    In shader model 2, sincos has one constant twice, constants with other values than its macro needs, or a predicate of
        several components.
    Why: The macro evaluates polynomials with these coefficients. Constants that the application sets are not checked.
    Fix: Define the two constants with the values in the help; d3dx9 names them D3DSINCOSCONST1 and D3DSINCOSCONST2.
    Evidence: D3D, sincos, vs_2_0 and ps_2_0; D3DSINCOSCONST1 and D3DSINCOSCONST2
V343 undefined value read
    A component is read that the last instruction on it left undefined: a scratch register of sgn, or what sincos of shader
        model 2 does not write of x, y and z.
    Why: Cards differ in what remains there.
    Fix: Write the component again, or use another register for the instruction.
    Evidence: D3D, sgn: src1 and src2 are undefined afterwards; sincos, vs_2_0 and ps_2_0
V344 invalid loop constant
    defi defines a count outside its range, or gives a loop a start or step outside its range or a fourth value other than 0.
    Why: Counts and starts are 0 to 255, steps are -128 to 127; rep uses the count only. Where no loop or rep reads the
        register, only the count is checked.
    Fix: Define values in the range.
    Evidence: D3D, loop and rep: the legal ranges of i#
V345 too many dependent texture reads
    A texture instruction of ps_2_0 is a dependent read of fourth or higher order.
    Why: Each read at an r#, or into an r# that was written before, is one order higher than what it depends on. In ps_2_x the
        limit depends on the card.
    Fix: Use another destination register, or fewer reads that depend on one another.
    Evidence: D3D, texld (ps_2_0 and up): at most third order
V346 gradient inside dynamic flow control
    texld, texldb, texldp, dsx or dsy reads a computed value inside if_comp, if p0, a loop that a comparison may leave, or a
        subroutine called there.
    Why: A gradient is a difference between adjacent pixels, which may have taken another path and not computed the value.
    Fix: Move it out, or use texldd with gradients computed outside, or texldl. Coordinates from v# and t# are allowed.
    Evidence: D3D, Flow Control Limitations: gradients of r# are not permitted inside flow control that could vary across pixels
V347 gradient under a predicate
    texld, texldb, texldp, dsx or dsy with a predicate reads a computed value.
    Why: One page of the reference includes predicates in the restriction on gradients, another excludes them.
    Fix: Compute it without the predicate, then mov with it.
    Evidence: D3D, Flow Control Limitations (included); Output Color Register (excluded)
V348 more than one ret
    The main program or a subroutine has several ret.
    Why: The first one ends the routine: what follows is not part of it.
    Fix: Use one ret, at the end of the routine.
    Evidence: D3D, ret: multiple return statements are not permitted
V349 source of texbem read again
    An instruction reads a t# that texbem or texbeml has read.
    Why: The register holds a perturbation, which only other texbem and texbeml may read.
    Fix: Sample the texture into another stage.
    Evidence: D3D, texbem: other instructions cannot read the register later
V350 coordinates with two selectors
    texld and texcrd of ps_1_4 read a t# both as .xyz and as .xyw.
    Why: A coordinate is interpolated with one selector. Some published shaders mix them.
    Fix: Use the same selector in all reads of the t#.
    Evidence: D3D, texld (ps_1_4) and texcrd: the same .xyz or .xyw for every read of t#
V351 too many divisions by z
    _dz is used more than twice in a ps_1_4 shader.
    Why: The second phase has two such divisions.
    Fix: Use _dw with t#, or divide the coordinates otherwise.
    Evidence: D3D, texld (ps_1_4): _dz at most twice
V352 declaration repeated
    A register has two declarations, or two inputs of a vertex shader have the same usage and index.
    Why: A declaration associates one register with one usage. Outputs of vs_3_0 and inputs of ps_3_0 have their own rules
        (V334, V335).
    Fix: Remove one of the declarations, or use another usage or index.
    Evidence: D3D, dcl_usage input: the association of a usage and index with a register
V353 modifier on a constant
    An instruction of ps_1_0 to ps_1_3 reads c# with a modifier.
    Why: The result is undefined. ps_1_4 does not allow it (V307).
    Fix: mov the constant to r# first, or define a constant with the wanted value.
    Evidence: D3D, Pixel Shader Source Register Modifiers: should not be used on constants
V354 direction that is moved
    An input that is declared as a normal, tangent or binormal is in a dp4, m4x3 or m4x4 with a row of a matrix that also
        transforms the position.
    Why: An input of three components has 1 in its w, so the product adds the translation of the matrix.
    Fix: Use dp3 or m3x3 for directions.
    Evidence: D3D, D3DDECLTYPE: FLOAT3 expands to (x, y, z, 1)
# Files
C301 not a Direct3D 9 shader
    The file does not begin with a version token: 0xFFFE and the version for a vertex shader, 0xFFFF for a pixel shader.
    Why: The version determines the meaning of all other words.
    Fix: Check that this is the right file; `lanewise inspect --scan FILE` finds shaders inside other files.
    Evidence: DDK, Version Token; reference 3
C302 undefined version
    The version token does not match any version of Direct3D 9 shaders.
    Why: No runtime accepts it. The words are decoded by the rules of the nearest version, and preserved.
    Fix: Check that this is the right file. Versions are vs_1_0 to vs_3_0 and ps_1_0 to ps_3_0, with 2_x, 2_sw and 3_sw.
    Evidence: D3D, shader versions
C303 missing end token
    The words stop without the end token 0x0000FFFF.
    Why: A runtime would read on past the end of the shader.
    Fix: Check that the file is complete.
    Evidence: DDK, End Token
C304 data after the end token
    Data follows the end token, or the file size is not a multiple of 4 bytes.
    Why: No runtime reads it. It is preserved when the file is written again.
    Fix: Truncate the file after the end token, unless the data is intended.
    Evidence: DDK, End Token
C305 unknown opcode in a file
    An instruction word has an opcode that is not defined in any version.
    Why: Its length is guessed (shader model 1) or taken from the word (later), and its effect is unknown.
    Fix: Check that this is the right file. The words are preserved, and disassembled as `.dword`.
    Evidence: DDK, Instruction Token; reference 3
C306 wrong instruction length
    The words after an instruction do not match its operands: too few, too many, or not operands at all.
    Why: The length locates the next instruction, so a runtime would decode operands as instructions or vice versa.
    Fix: Check that this is the right file. The words are preserved, and disassembled as `.dword`.
    Evidence: DDK, Instruction Token: the length counts relative addresses and predicates; reference 3
C307 comment extends past the file
    The length of a comment exceeds the rest of the file.
    Why: A reader stops there, or reads past the end of the file.
    Fix: Check that the file is complete.
    Evidence: DDK, Comment Token
C308 reserved bits set
    An instruction or operand has bits set that are reserved in its version.
    Why: Drivers may reject it. The bits are preserved.
    Fix: Clear them: bits 29 and 31 of an instruction, bits 15 and 14 of an operand, and the length in shader model 1.
    Evidence: DDK, Instruction Token, Destination and Source Parameter Tokens
C309 malformed constant table
    The CTAB comment, which names constants, points outside itself, or its types contain each other.
    Why: Tools that set constants by name need it; the shader itself does not.
    Fix: Compile the shader again, or use registers. The comment is preserved.
    Evidence: D3DXSHADER_CONSTANTTABLE; reference 3
C310 shader of a later Direct3D
    The file is a DXBC container, which holds shader model 4 or later.
    Why: Direct3D 10 and 11 shaders use another instruction set and file format.
    Fix: Compile for a Direct3D 9 profile, such as vs_3_0 or ps_3_0. Level 9 profiles (vs_4_0_level_9_3) also contain such a
        shader: `lanewise inspect --scan` finds it.
    Evidence: reference 7: FNA 158
C311 not a 32-bit word
    A text of words, hexadecimal or a C array, contains something that is not a word.
    Why: Each word is up to eight hexadecimal digits.
    Fix: Write one word per line, or 0xFFFE0200 and so on with commas between, in braces.
    Evidence: defined by lanewise
C312 effect file
    The file is a compiled effect with several shaders: of fx_2_0 (.fxb, .fxo), with XNA's header or without, or of MonoGame
        (.mgfxo).
    Why: An effect holds techniques, parameters and several shaders; a run, a compilation and a graph are of one shader.
    Fix: Name the shader: `FILE:NAME`. `lanewise inspect FILE` lists the names.
    Evidence: MojoShader, mojoshader_effects.c; MonoGame, Effect.cs
C313 HLSL source
    The file is a source of HLSL, the high-level shader language.
    Why: Shaders of Direct3D 9 are read as assembly or compiled. `lanewise compile` takes HLSL for other instruction sets.
    Fix: Compile it for a profile of Direct3D 9 first, for example with `fxc /T vs_3_0 /Fo shader.vso FILE`, or use `lanewise
        compile FILE --language hlsl`.
    Evidence: defined by lanewise
C314 malformed effect
    A part of an effect file is outside the file, has a form that does not exist, or is of a version that is unknown.
    Why: The shaders are found through tables of types, techniques and objects, each of which says where the next one is.
    Fix: Check that the file is complete. `lanewise inspect --scan FILE` finds the shaders that are whole.
    Evidence: Wine, d3dx9_36/effect.c; MonoGame, Effect.cs
C315 shader without Direct3D 9 code
    The shader of an effect is GLSL, SPIR-V, DXIL, or DXBC without a level 9 part; or the effect has no shader.
    Why: Effects of MonoGame hold code for the platform that they are built for.
    Fix: Take an effect that is built for Direct3D 9 or XNA, or for DirectX 11 with a level 9 profile such as
        `vs_4_0_level_9_1`.
    Evidence: MonoGame, Shader.cs and ShaderProfile.cs
C316 compressed XNB
    The contents of an XNB file are compressed, with LZX (XNA) or LZ4 (MonoGame).
    Why: lanewise does not unpack them.
    Fix: Unpack the file, for example with `xnbcli unpack`, or build the content without compression.
    Evidence: MonoGame, ContentManager.cs
C317 XNB without an effect
    An XNB file holds something else: a texture, a font, a sound.
    Why: There is no shader in it.
    Fix: Give an XNB that was built from an .fx file.
    Evidence: MonoGame, ContentReader.cs and EffectReader.cs
C318 not a version of Direct3D 8
    `--direct3d8` was given for a shader of a later version than vs_1_1 or ps_1_4.
    Why: Direct3D 8 has vs_1_0, vs_1_1 and ps_1_0 to ps_1_4; later shaders declare their inputs.
    Fix: Leave out `--direct3d8`.
    Evidence: DirectX 8.1 SDK; Wine, d3d8
B301 picture for another kind of texture
    A sampler that the shader declares as a cube map, a volume or a one-dimensional texture was given a picture.
    Why: A picture has two dimensions, so the coordinates would mean something else.
    Fix: Give a color, or in Python a function of the coordinates.
B302 mip level of a picture
    A `texldl`, `texldb` or `texldd` reads a sampler that is a picture.
    Why: A picture has level 0 only: level, bias and gradients have no effect.
    Fix: Give a picture of the level that is meant, or in Python a function, which is given coordinates and gradients.
R301 unbalanced block
    An `else` has no `if`, the end of a block does not match its start, a block is not closed in its routine, or blocks are
        nested too deep.
    Why: It is undefined which instructions belong to the block.
    Fix: Close blocks in reverse order of opening, each in the routine in which it began.
R302 break outside a loop
    A `break`, `breakc` or `breakp` is outside any `loop` or `rep` of its routine.
    Why: There is no loop to leave; a routine cannot end the loop of its caller.
    Fix: Move it into the loop, or return with `ret`.
R303 invalid call target
    A call names an undefined label, or one before the call; or a label is defined twice.
    Why: Calls go forward only, which excludes recursion.
    Fix: Add the label, or move the routine after all its callers.
R304 instruction cannot be executed
    A word is not an instruction of the version, or an instruction uses a register that it cannot read or write.
    Why: Its result is undefined.
    Fix: Run `lanewise check`: it lists the registers that the instruction accepts.
R305 iteration limit exceeded
    The iterations of all loops and calls together exceed the limit, or the steps of a trace, of which 20,000 are kept.
    Why: Every Direct3D 9 shader terminates, but four nested loops of 255 iterations make four thousand million iterations.
    Fix: Raise the limit (`--turns N`), or lower the counts in i#.
R306 loop count out of range
    The i# of a `loop` or `rep` has a count below 0 or above 255.
    Why: Direct3D 9 allows 0 to 255, so the behaviour of hardware is undefined.
    Fix: Change the first component of i#.
    Evidence: inferred: reference 4, loop
R307 sampler without data
    A texture instruction reads a sampler for which the run has no data.
    Why: lanewise does not sample textures: the caller supplies their values.
    Fix: Pass an array of colors for the sampler, or a function of the coordinates: `samplers={0: ...}`.
""")

CODES = by_code(SHARED, ROWS)
