"""Findings of the PICA200: languages, rules of the hardware, files and faults of a run. Rows that serve every ISA are in
`core.codes`."""

from __future__ import annotations

from lanewise.core.code import by_code, rows
from lanewise.core.codes import SHARED

ROWS = rows(r"""
# Reading sources. "picasso 2.7.1" with a number is a rule observed on that tool's output; the manual is picasso's Manual.md.
P001 unknown instruction
    The first word of the line is not an instruction.
    Why: Inside a procedure every line is an instruction, a directive or a label.
    Fix: Use the name suggested. `lanewise isa pica200` lists the instructions.
    Evidence: picasso manual, Supported Instructions
P002 instruction outside of a procedure
    An instruction appears outside any `.proc`, or inside an array of constants.
    Why: Code outside a procedure cannot be called, so it would never run.
    Fix: Put it between `.proc NAME` and `.end`; close an array with `.end` before the next instruction.
    Evidence: picasso manual, Basic concepts; picasso 2.7.1 takes code inside .constfa
P003 unknown directive
    The line begins with a dot but not with a known directive.
    Why: A misspelt directive would silently drop a declaration.
    Fix: Use the name suggested.
    Evidence: picasso manual, Supported Directives
P004 block never closed
    A procedure, conditional, loop or array has no `.end` in its file.
    Why: The instruction that opens a block stores the address after the block.
    Fix: Add `.end`. Each `.proc`, `ifu`, `ifc`, `for` and `.constfa NAME[]` needs one.
    Evidence: picasso manual, Basic concepts
P005 not a label name
    The text before a colon is not a valid name.
    Why: Jumps refer to labels by name.
    Fix: Use letters, digits, `_` and `$`, not starting with a digit, and no space before the colon.
    Evidence: picasso 2.7.1, rule 2
P006 label without a name
    A colon has no name before it.
    Why: No jump can refer to it, so a name is probably missing.
    Fix: Name the label, or remove the colon.
    Evidence: picasso 2.7.1, rule 2: accepts an empty name
P007 label defined twice
    Two labels of a file have the same name.
    Why: A jump could mean either of them.
    Fix: Rename one. Labels are local to their file, so another file may use the same name.
    Evidence: picasso 2.7.1, rule 2
P008 `#`, `//` and `/*` do not begin comments
    A line begins with `#` but is not a line marker `# LINE "FILE"`, or has a comment of C in it.
    Why: Preprocessors write such markers: they set the line number and file name of later messages. Text after `//` is read.
    Fix: Start comments with `;`. For `#define`, `#include` and `#if`, run the C preprocessor first:
        `cpp FILE | lanewise asm - -o OUT`.
    Evidence: picasso 2.7.1, rule 3
P009 trailing comma
    A list of operands or names ends with a comma.
    Why: It is ignored, so an operand may be missing.
    Fix: Remove the comma, or add the missing operand.
    Evidence: picasso 2.7.1, rule 4
P010 missing operand
    An instruction or directive has fewer operands than it needs.
    Why: Each operand has its own field in the instruction or in the file.
    Fix: Write it as the help line shows.
    Evidence: picasso manual
P011 too many operands
    An instruction or directive has more operands than it takes.
    Why: There is no field for the extra ones.
    Fix: Remove the extra operands, or split the line. Comments begin with `;`.
    Evidence: picasso manual
P012 not a descriptor number
    The text after `@` is not a number from 0 to 127.
    Why: `@N` selects the operand descriptor of an instruction; the field DESC has 7 bits.
    Fix: Write `@0` to `@127` after the last operand, or leave it out and let the assembler choose.
    Evidence: lanewise extension; width of DESC: 3dbrew, Shader Instruction Set
P013 invalid jump or call target
    The target of a call or jump, or the procedure of `.entry`, is not a valid name.
    Why: Targets are procedures and labels.
    Fix: Use letters, digits, `_` and `$`, not starting with a digit. For addresses write `call 0xDST, NUM` or `jmpc COND,
        0xDST`.
    Evidence: picasso 2.7.1, rule 12
P014 not a vertex number
    The vertex number of `setemit`, or the vertex count of `.gsh`, is not a number.
    Why: It is stored in a field of the instruction or of the file header.
    Fix: Write a number: 0, 1 or 2 for `setemit`.
    Evidence: picasso manual, setemit and .gsh
P015 unknown setemit flag
    The flags of `setemit` are `prim` (or `primitive`) and `inv` (or `invert`).
    Why: picasso reports any other word as an error but still writes the file, without the flag.
    Fix: Use `prim` and `inv`, separated by a space.
    Evidence: picasso 2.7.1, rule 20
P016 too many open blocks
    More than 32 blocks are open at once.
    Why: picasso keeps 32; the hardware stacks hold 8 conditionals and 4 loops.
    Fix: Close some blocks, or move code into a procedure.
    Evidence: picasso 2.7.1; depths of the stacks: 3dbrew, Control Flow
P017 four values in parentheses needed
    A constant does not have the form `(x, y, z, w)`.
    Why: A register has four components, and all of them are stored.
    Fix: Write four values in parentheses.
    Evidence: picasso manual, .constf
P018 more than four values
    A constant has a fifth value.
    Why: picasso uses the first four and silently drops the rest.
    Fix: Remove the extra values, or use two constants.
    Evidence: picasso 2.7.1, rule 11
P019 not a number
    A value is not a number, or extra text follows the number.
    Why: picasso reads as far as it can: a word becomes 0, 1.9 as an integer becomes 1, 0x10 as an integer becomes 0.
    Fix: Write a plain number; integers are decimal.
    Evidence: picasso 2.7.1, rule 10
P020 not a component
    A swizzle or mask contains a letter that is not a component.
    Why: Registers have four components.
    Fix: Use the letters xyzw, rgba or stpq.
    Evidence: picasso 2.7.1, rule 7
P021 swizzle too long
    A swizzle has more than four letters.
    Why: The operand descriptor has four slots for a source.
    Fix: Use at most four letters; the last one is repeated.
    Evidence: 3dbrew, Operand descriptors; picasso 2.7.1, rule 7
P022 unclosed bracket
    A `[` has no `]`.
    Why: The text after it could be an index or a size.
    Fix: Add `]`.
P023 trailing text is ignored
    Extra text follows a complete number, bracket or parenthesis.
    Why: picasso stops reading there, so the bytes differ from the text: `mov r0, v12x` reads v12.
    Fix: Remove the text. Comments begin with `;`; commas separate operands.
    Evidence: picasso 2.7.1, rules 5, 10, 11, 20
P024 dot without components
    A register is followed by a dot and no component letters.
    Why: picasso reads it as `.xxxx`, not as the whole register.
    Fix: Write `.x` if that is intended; otherwise remove the dot.
    Evidence: picasso 2.7.1, rule 7
P025 unknown register
    An operand is neither a register nor a name declared earlier in this file, or it is empty.
    Why: Operands are registers; names come from `.alias`, `.fvec`, `.in`, `.out` and the constants.
    Fix: Declare the name above this line, or use the suggested one. Index registers belong in brackets: `c0[a0.x]`.
    Evidence: picasso 2.7.1, rules 4 and 9
P026 no such register
    The register number is above the last register of its kind.
    Why: There are 16 v, o, r and b registers, 96 c and 4 i registers.
    Fix: Use a lower number. picasso rejects v15 by number; `v14[1]` reaches it.
    Evidence: 3dbrew, Registers; picasso 2.7.1, rule 5
P027 upper-case register letter
    A register is written with an upper-case letter.
    Why: picasso accepts it but then ignores the letter: R5, C5 and V5 all mean input 5 or output 5.
    Fix: Use a lower-case letter.
    Evidence: picasso 2.7.1, rule 5
P028 octal register number
    A register number begins with 0 and is therefore read as octal.
    Why: r010 is r8; r08 is r0 followed by garbage.
    Fix: Remove the leading zero.
    Evidence: picasso 2.7.1, rule 5
P029 not an index register
    The text before `+` in brackets is not an index register.
    Why: Only a0.x, a0.y and aL can be added to a register number.
    Fix: Write the index register first, then the offset: `c0[aL+2]`.
    Evidence: 3dbrew, Relative addressing; picasso 2.7.1, rule 6
P030 negative offset
    The offset in brackets is negative.
    Why: The register field of the instruction holds the sum of register and offset; the picasso manual allows a negative
        offset, picasso rejects it.
    Fix: Use a lower base register: c10[-2] is c8.
    Evidence: picasso 2.7.1, rule 6
P031 offset is misread
    The text in brackets is neither a decimal offset nor an index register with an offset.
    Why: picasso reads the leading digits, or 0: [aL-1], [a0.z], [0x10] and [name] all mean offset 0 without an index.
    Fix: Write a decimal offset, INDEX, or INDEX+OFFSET.
    Evidence: picasso 2.7.1, rule 6
P032 not a comparison operator
    An operator of `cmp` is not one of eq, ne, lt, le, gt, ge.
    Why: The fields CMPX and CMPY each hold one of these; the values 6 and 7 have no name.
    Fix: Write `cmp SRC1, OPX, OPY, SRC2`.
    Evidence: 3dbrew, Comparison operator
P033 not a condition
    A condition consists of cmp.x and cmp.y, each optionally preceded by `!`, joined by `&&` or `||`.
    Why: The instruction stores one reference value per flag and one of four combinations.
    Fix: Write `cmp.x`, `!cmp.y`, `cmp.x && !cmp.y` and so on, without a space after `!`.
    Evidence: 3dbrew, Conditions; picasso 2.7.1, rule 17
P034 flag tested twice
    Both parts of a condition test the same flag.
    Why: The instruction stores one reference value for cmp.x and one for cmp.y.
    Fix: Test each flag once.
    Evidence: 3dbrew, Conditions
P040 name already in use
    A declaration reuses a name of this file.
    Why: Later uses could mean either declaration.
    Fix: Choose another name.
    Evidence: picasso manual
P041 name shadows a register
    A declared name is that of a register, and means another one. A warning for a constant named like a register of its file,
        such as `.constf c4(...)`.
    Why: Names are looked up before registers, so the register becomes unreachable: after `.fvec r0`, r0 is a uniform.
    Fix: Choose a name that is not a register.
    Evidence: picasso 2.7.1, rule 9
P042 procedure that cannot be called
    The name of a procedure is not an identifier.
    Why: Call instructions and `.entry` accept only identifiers, so this code cannot be reached by name.
    Fix: Use letters, digits, `_` and `$`, not starting with a digit.
    Evidence: picasso 2.7.1, rule 12
P043 procedure defined twice
    Two procedures of the link have the same name.
    Why: Procedures are shared by all files of a link.
    Fix: Rename one, or keep the shared one in a single `.nodvle` file. A file whose entry is renamed needs `.entry NAME`.
    Evidence: picasso manual, Linking Model
P044 .else without a conditional
    `.else` appears outside any `ifu` or `ifc`.
    Why: It belongs to the innermost conditional.
    Fix: Put it between `ifu` or `ifc` and its `.end`; close inner loops first.
    Evidence: picasso manual, ifu and ifc
P045 second .else
    A conditional has two `.else`.
    Why: The instruction holds one address for the else part.
    Fix: Remove one, or nest a second conditional.
    Evidence: picasso manual, ifu and ifc
P046 .end without a block
    `.end` closes no block.
    Why: An earlier block was probably closed too early, so the nesting differs from what the source suggests.
    Fix: Remove it, or look for a surplus `.end` above.
    Evidence: picasso manual, Basic concepts
P047 invalid alias name
    The first word of `.alias` is not a valid name.
    Why: The name is used where a register is expected.
    Fix: Write `.alias NAME REGISTER`, without a comma, with letters, digits, `_` and `$` in the name.
    Evidence: picasso manual, .alias
P048 invalid size
    The size in brackets is not a number of at least 1.
    Why: Sizes are read in decimal, so 0x10 is 0.
    Fix: Write a decimal size of at least 1.
    Evidence: picasso 2.7.1, rule 10
P049 empty declaration
    `.fvec`, `.ivec` or `.bool` declares no names.
    Why: It has no effect, so a name is probably missing.
    Fix: Write `.fvec NAME, NAME[SIZE]`.
    Evidence: picasso 2.7.1
P050 invalid declaration name
    The name of a uniform, input, output or array is not valid.
    Why: The name is stored in the file, where applications look it up.
    Fix: Use letters, digits, `_` and `$`, not starting with a digit; separate names with commas.
    Evidence: picasso manual, .fvec, .in, .out
P051 invalid constant name
    The name of a constant is missing or is not an identifier.
    Why: The constant occupies a register, but no operand can refer to it.
    Fix: Use letters, digits, `_` and `$`. An element of an array is `.constfa (x, y, z, w)`.
    Evidence: picasso 2.7.1, rule 12
P052 malformed array of constants
    `.constfa` has no brackets, or adds an element while no array is open.
    Why: The brackets open an array; the lines after them add its elements.
    Fix: Write `.constfa NAME[]` or `.constfa NAME[SIZE]`, then lines `.constfa (x, y, z, w)`, then `.end`.
    Evidence: picasso manual, .constfa
P053 not a boolean
    The value of `.setb` is none of true, false, on, off, 1 and 0.
    Why: A boolean register holds one bit.
    Fix: Write true or false.
    Evidence: picasso manual, .setb
P054 quoted text expected
    `.symbol`, or a `.shbin` field that holds bytes, expects text in quotes.
    Why: Quoted text can contain characters that a plain name cannot.
    Fix: Write "text", with \x3b for `;`, \x3a for `:` and \\ for a backslash.
    Evidence: lanewise extension
P055 number does not fit
    A number of `.opdesc`, `.word` or `.shbin` is malformed or too large for its field.
    Why: These directives set fields of the file directly.
    Fix: Write a number that fits, such as 0x1F.
    Evidence: lanewise extension
P056 descriptor pinned twice
    Two `.opdesc` lines set the same operand descriptor.
    Why: The table has one entry for each number.
    Fix: Remove one of the lines.
    Evidence: lanewise extension
P057 field cannot be set
    A `.shbin` line names a field that the file does not have, or a value that the field cannot hold.
    Why: The fields depend on the number of objects and table entries in the file.
    Fix: Use the keys that `lanewise dis` prints; counts are keys too.
    Evidence: lanewise extension
P058 binary file given as a source
    A source file contains a zero byte.
    Why: The file is binary, so none of its lines is read.
    Fix: Give the source. `lanewise dis` converts an SHBIN to source.
    Evidence: lanewise; with --picasso-compat such a file is read
P060 numbers of components differ
    A source has more or fewer components than the destination, or than the instruction takes.
    Why: In nihstro the k-th component of a source goes to the k-th component of the destination. Dot products read three or
        four components, cmp and mova two.
    Fix: Write as many letters as required: `mov r0.xy, v0.zw`, `rcp r0.xy, r1.xx`.
    Evidence: spec 004, Restrictions; conformance nihstro/bad component_count, dot_components, cmp_components
P061 only the first component is computed
    ex2 (exp), lg2 (log), rcp or rsq has several components in its source, and a result of another component than the first is
        used. Silent where the components are known to be equal.
    Why: The hardware reads only the first component and writes the result to all of them, contrary to nihstro's manual.
    Fix: Repeat the component if its result is meant, or write one instruction for each component.
    Evidence: measured: 3ds-gpu-tests fp-tests; 3dbrew, RCP
P062 component not in the alias
    An alias selects components, and the swizzle after it names a component outside that selection or at another position.
    Why: nihstro counts by position but looks up the name: with `.alias p v0.zw`, p.x is the z of v0, and p.y is an error.
    Fix: Write the register with the intended component.
    Evidence: conformance nihstro/bad alias_component_missing, alias_component_positional
P063 include file cannot be read
    The file of `.include` is missing or unreadable, or its name is not in quotes.
    Why: The source continues there. nihstro itself aborts.
    Fix: Correct the name; it is relative to the including file.
    Evidence: conformance nihstro/bad include_missing
P064 recursive include
    A file includes itself, directly or through others, or includes nest too deeply or are too many.
    Why: Reading it would not terminate. nihstro itself crashes.
    Fix: Remove one of the `.include` lines.
    Evidence: conformance nihstro/bad include_self
P065 invalid version
    `.version` is not followed by a number such as 0.1.
    Why: It states the language version of the source; there is only one.
    Fix: Write `.version 0.1`, or remove the line.
    Evidence: reference/nihstro.md
P066 mixed source languages
    A link combines picasso and nihstro sources.
    Why: A link has one label namespace and one register allocation.
    Fix: Convert one source with `lanewise convert`, or use `--dialect` if a suffix is misleading.
P067 invalid register range
    A range such as `c0-c3` mixes register kinds, is reversed, has components, or appears where a single register is expected.
        A warning where a register has an index, `c30[4]`, which is the register c34.
    Why: A range names an array; the file's table stores its first and last register.
    Fix: Write the lower register first: `.alias name c0-c3`.
    Evidence: conformance nihstro/bad alias_range_mixed, alias_range_reversed, alias_constant_range
P070 not accepted by nihstro
    lanewise accepts this line; nihstro-assemble rejects it or stops reading. Reported once per source.
    Why: The source does not assemble with nihstro unchanged.
    Fix: Nothing, if only lanewise assembles the source. Otherwise follow the note.
    Evidence: conformance nihstro/bad; reference/nihstro.md
P071 nihstro output differs
    lanewise encodes the line as the instruction set requires; nihstro-assemble encodes it differently. Reported once per
        source.
    Why: The program that nihstro writes would compute something else, or hang.
    Fix: Nothing, with lanewise. With nihstro, follow the note.
    Evidence: conformance nihstro, field tool_bug
P072 sources of max or min swapped
    The uniform is the second source of max or min, and the sources are swapped, as in nihstro. Reported once per source.
    Why: Only the first source can be a uniform. The result differs if one source is NaN: max and min then return the second.
    Fix: Write the uniform first to make this explicit, or `mov` it to a temporary.
    Evidence: conformance nihstro/hand 05_uniform_second_commutes; measured: 3ds-gpu-tests fp-tests
P073 instruction that the other language lacks
    `lanewise convert` writes a language that has no mnemonic for this instruction, so it becomes a `.word`, which lanewise
        alone reads.
    Why: The words stay the same, but the tool of that language cannot assemble the source.
    Fix: Write it with other instructions before converting, or assemble the result with lanewise.
P074 source in another language
    The source has errors, and it is written in another language than the one that it is read in: nihstro's in a file named
        .pica, picasso's under `--dialect nihstro`, or aemstro's.
    Why: Hardly a line of it means anything in the language that it is read in.
    Fix: Use `--dialect`, or rename the file. lanewise does not read aemstro's language: `lanewise dis` reads the SHBIN that
        aemstro makes.
    Evidence: aemstro_as.py (smealum/aemstro): .const, .uniform, .vsh, result.position
P075 line numbers in a source
    Each line of the source begins with its number.
    Why: The text is from a listing, such as `cat -n` or a web page prints: no line of it can be read.
    Fix: Remove the numbers, or run `lanewise check --fix`.
    Evidence: lanewise
# Rules of the hardware and of the language. E and a number is an entry of the project's list of errata.
V001 not a source register
    A source is neither an input, a temporary nor a float uniform.
    Why: Source fields number v0-v15, r0-r15 and c0-c95; integers and booleans have no number there.
    Fix: Use v, r or c registers. Only `for` reads i registers; `callu`, `ifu` and `jmpu` read b registers.
    Evidence: 3dbrew, Registers, SRC mapping
V002 source field too narrow
    A uniform or an indexed register is used in a 5-bit source field.
    Why: One source of each instruction has a 7-bit field and the index; 5-bit fields reach v0-v15 and r0-r15.
    Fix: Swap the sources if the instruction allows it, or `mov` the uniform to a temporary first.
    Evidence: measured for mad (nihstro PR 47); 3dbrew, Instruction formats
V003 two input registers
    An instruction reads two different input registers.
    Why: The result is wrong. Reading the same input register twice is fine.
    Fix: `mov` one of them to a temporary first.
    Evidence: measured: devkitPro/picasso issue 6 (E2)
V004 two wide sources
    Two sources are uniforms or indexed registers.
    Why: An instruction has one 7-bit source field and one index field.
    Fix: `mov` one of them to a temporary first.
    Evidence: 3dbrew, Instruction formats
V010 output used as a source
    An output register is used as a source.
    Why: Source numbers below 0x10 are inputs, so the instruction reads the input of the same number.
    Fix: Keep the value in a temporary, and write the output from it.
    Evidence: 3dbrew, SRC mapping; picasso 2.7.1, rule 5
V011 register cannot be written
    A destination is neither an output nor a temporary.
    Why: Destination numbers below 0x10 are outputs, so writing v3 writes o3; uniforms have no destination number.
    Fix: Write to o0-o15 or r0-r15.
    Evidence: 3dbrew, DST mapping; picasso 2.7.1, rule 5
V012 sign is ignored
    A minus sign precedes a destination, or the register of `for`, `ifu`, `callu` or `jmpu`.
    Why: Only sources of arithmetic instructions have a negation bit.
    Fix: Remove the sign; negate a source instead.
    Evidence: 3dbrew, Operand descriptors; picasso 2.7.1, rule 8
V013 write mask out of order
    The letters of a write mask are not in the order xyzw.
    Why: A mask is four bits: .zx writes x and z, each from its own component. It does not swap components.
    Fix: Sort the letters; to swap components, swizzle the source.
    Evidence: 3dbrew, Operand descriptors; picasso 2.7.1, rule 8
V014 index register has no effect
    An input or temporary is indexed.
    Why: The hardware adds index registers only to float uniforms; other indexed reads return zero.
    Fix: Move the table to c registers.
    Evidence: inferred: 3dbrew, Relative addressing; no test distinguishes the cases (E14)
V015 index past the end of an array
    A constant index, or the offset besides an index register, is outside the declared size.
    Why: It reads the registers after the array.
    Fix: Use an index below the size, or declare more elements.
    Evidence: picasso 2.7.1, rule 6: no bounds are checked
V016 offset leaves the register file
    Register plus offset is a register of another kind.
    Why: Register numbers continue from one file into the next: r15[1] is c0, o15[1] writes r0.
    Fix: Use an offset that stays inside the file.
    Evidence: picasso 2.7.1, rule 6
V017 no such integer register
    The integer register is one of i4 to i7.
    Why: The hardware has i0-i3. picasso accepts the others; the upper bits of the field are probably ignored.
    Fix: Use i0-i3.
    Evidence: unknown: effect of the upper two bits of the field on hardware
V018 relative addressing not possible
    An index register is used in a destination, an alias or the register of a loop.
    Why: Only the 7-bit source of an instruction has an index field.
    Fix: Use it in a source that may be a uniform.
    Evidence: 3dbrew, Relative addressing; picasso 2.7.1, rule 6
V019 wrong kind of uniform
    The register is not of the expected kind (integer, boolean or float uniform).
    Why: `for` reads i registers; `callu`, `ifu` and `jmpu` read b registers; each preset directive has its own kind.
    Fix: Name a register of that kind.
    Evidence: 3dbrew, Instruction formats, format 3; picasso manual, .setf .seti .setb
V020 swizzle is ignored
    A register that is used as a whole has a swizzle.
    Why: Loops and conditions use the whole register; `.in` declares the whole register.
    Fix: Remove the swizzle; for an input, swizzle where it is read, or with `.alias`.
    Evidence: picasso 2.7.1 ignores it
V021 mova writes only the address register
    The destination of `mova` is not a0.x, a0.y or a0.xy.
    Why: The hardware ignores the destination field of `mova`: the mask selects the part of a0 to write.
    Fix: Write a0.x, a0.y or a0.xy.
    Evidence: 3dbrew, MOVA
V022 condition cannot be inverted
    `!` precedes the register of `callu` or `ifu`.
    Why: Only JMPU has an inverted form (bit 0 of NUM).
    Fix: Use `.else`, or set the opposite value in the application.
    Evidence: 3dbrew, JMPU
V023 number outside its field
    A number is too large for its field.
    Why: DST has 12 bits, NUM 8, vertex counts 8.
    Fix: Use a number that fits.
    Evidence: 3dbrew, Instruction formats; 3dbrew, SHBIN
V024 vertex number out of range
    The vertex number of `setemit` is not 0, 1 or 2.
    Why: The field has two bits, and a primitive has three vertices; 3dbrew describes a buffer of four.
    Fix: Use 0, 1 or 2.
    Evidence: unknown: whether buffer 3 exists (3dbrew says 4, unconfirmed)
V025 procedure inside a block
    A procedure begins while another block is open.
    Why: The outer block runs into the inner procedure's code.
    Fix: Close the other block first.
    Evidence: picasso 2.7.1
V026 no room for a uniform or constant
    No registers are left for a declaration.
    Why: Uniforms are allocated upwards, constants downwards, in 96 float, 4 integer and 16 boolean registers.
    Fix: Declare fewer or smaller ones; combine small constants into components of one register.
    Evidence: 3dbrew, Registers; picasso 2.7.1, rules 30-33
V027 too many names in the table
    A shader has more than 96 inputs and uniforms in its table.
    Why: picasso's table has 96 entries.
    Fix: Begin names that the application does not need with `_`; these are not stored.
    Evidence: picasso 2.7.1, rule 36
V028 conflicting declarations of a shared uniform
    A uniform shared by several files has another kind or size here.
    Why: Vertex shaders of a link share uniform registers by name.
    Fix: Use the same declaration in all files, or another name.
    Evidence: picasso 2.7.1, rule 30
V029 register not available
    The register requested by a declaration is of another kind, out of range, or in use. A warning where a range of nihstro ends
        in the first register of another name: `c0-c4` are five.
    Why: Two names in one register would overwrite each other.
    Fix: Use a free register of the right kind, or leave the register out.
    Evidence: explicit registers are a lanewise extension (requested in devkitPro/picasso issue 36)
V030 too many operand descriptors
    The program needs more than 128 combinations of mask, swizzles and signs.
    Why: Instructions select their descriptor with 7 bits.
    Fix: Use fewer combinations: instructions that agree on the components they use share one.
    Evidence: 3dbrew, Shader Instruction Set (128, also in Ironfall's debug strings)
V031 descriptor out of reach for mad
    Other mad instructions use all descriptors 0-31, or a pinned descriptor is above 31.
    Why: MAD selects its descriptor with 5 bits.
    Fix: Use fewer combinations in mad, or split one into mul and add (rounding is the same).
    Evidence: measured: layout of mad (nihstro PR 47); picasso 2.7.1, rule 28 (E20)
V032 operands do not fit the pinned descriptor
    An instruction with `@N` has a mask, swizzle or sign that differs from descriptor N.
    Why: The descriptor determines what the instruction does, so the text would be wrong.
    Fix: Change the operands, the number or the `.opdesc` line.
    Evidence: lanewise extension
V033 no pinned descriptor fits
    The table is pinned by `.opdesc`, and no entry fits this instruction.
    Why: After the first `.opdesc` nothing is added to the table.
    Fix: Add an `.opdesc` line for it.
    Evidence: lanewise extension
V034 not an input or output register
    `.in` names a register that is not an input, or `.out` one that is not an output.
    Why: picasso accepts v for o and o for v, because the numbers are the same.
    Fix: Use v registers in `.in` and o registers in `.out`.
    Evidence: picasso 2.7.1, rule 5
V035 input already declared
    Two `.in` lines name the same register.
    Why: Both names are stored in the uniform table; the application may bind either.
    Fix: Use another register, or `.alias` for a second name.
    Evidence: picasso 2.7.1, rule 34
V036 no register left
    All input or output registers are declared.
    Why: There are 16 inputs; a vertex shader has 16 outputs, a geometry shader 7.
    Fix: Put two properties into one output register: `.out NAME PROPERTY oN.xy`.
    Evidence: 3dbrew, Registers; picasso 2.7.1, rule 34
V037 unknown output property
    The property of an `.out` line is unknown.
    Why: The property selects the GPU stage that receives the value.
    Fix: Use position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2, view or dummy. With a register, put the
        mask after the register.
    Evidence: picasso manual, .out
V038 register for dummy outputs only
    A property is wired to one of o7-o15.
    Why: The GPU maps seven outputs to its later stages; the others only reach a geometry shader.
    Fix: Use o0-o6; two properties may share a register.
    Evidence: 3dbrew, Registers; picasso 2.7.1 (E15)
V039 property wired twice
    Two outputs are wired to the same property.
    Why: It is unknown which of the two the GPU uses.
    Fix: Wire each property once.
    Evidence: unknown: no test shows which one is used
V040 padding NOP needed
    A block ends where the hardware needs one more instruction: its last instruction is a jump, call or break, or two blocks end
        together and no NOP may be inserted.
    Why: After each instruction the hardware compares the next address with the ends of open blocks, before it executes a jump:
        a jump or call at a block's end has no effect.
    Fix: Insert a `nop` after it, or drop `--no-nop`.
    Evidence: inferred: 3dbrew, Control Flow, without a published test; picasso manual (E3-E6)
V041 program too long
    A vertex shader has more than 512 words, or a geometry shader more than 4,096.
    Why: The units have memory for this many. picasso checks only vertex shaders, is off by one word, and does not count
        padding.
    Fix: Shorten the program, or move work from a vertex to a geometry shader.
    Evidence: measured: writable bits of the entry point (GBATEK); 3dbrew; picasso 2.7.1, rule 21 (E20)
V042 undefined label or procedure
    A jump names a label that its file does not define, or a call a procedure that no file of the link defines.
    Why: The instruction stores the address.
    Fix: Use the suggested name, or define it.
    Evidence: picasso 2.7.1, rules 2 and 46
V043 no shader
    No file of the link defines a shader.
    Why: An application cannot start anything in an SHBIN without an object.
    Fix: Add a file with a procedure that is not `.nodvle`.
    Evidence: picasso 2.7.1, rule 37
V044 undefined entry point
    The entry procedure of the shader does not exist.
    Why: Its address is stored in the object's header.
    Fix: Define `.proc main`, or name another with `.entry`.
    Evidence: picasso manual, .entry
V045 outputs collide
    Two explicit outputs claim the same components.
    Why: A component can have one property. picasso treats o8 as o0, o9 as o1 and so on, and rejects those too.
    Fix: Use other components or another register; without a register there is no such check.
    Evidence: picasso 2.7.1, rule 34
V046 second .gsh overrides the first
    `.gsh` without a mode follows one with a mode.
    Why: picasso then silently shares uniforms with the vertex shaders again.
    Fix: Remove one of them.
    Evidence: picasso 2.7.1
V047 geometry shader declared twice
    `.gsh` with a mode appears in a file that already is a geometry shader.
    Why: The mode determines which uniform registers are free, so it cannot change.
    Fix: Write `.gsh` once, before any `setemit`.
    Evidence: picasso manual, .gsh
V048 .gsh too late
    `.gsh` with a mode follows constants, uniforms or outputs.
    Why: A geometry shader with a mode has its own uniform registers, which begin at the register given to `.gsh`.
    Fix: Move it to the top of the file.
    Evidence: picasso manual, .gsh
V049 unknown geometry mode
    The mode of `.gsh` is not point, variable (subdivision) or fixed (particle).
    Why: The mode determines how vertices reach the shader.
    Fix: Use point, variable or fixed.
    Evidence: picasso manual, .gsh; libctru shaderProgram.c
V050 vertex array overlaps the uniforms
    The array that receives the vertices overlaps the registers left for uniforms.
    Why: Each primitive overwrites the uniforms in it.
    Fix: Start the uniforms after the array.
    Evidence: picasso manual, .gsh; picasso 2.7.1 compares only the first register
V060 NaN stored as infinity
    A constant is NaN.
    Why: picasso's conversion turns it into infinity.
    Fix: Compute NaN in the shader: rsq of -1.
    Evidence: picasso 2.7.1, rule 44
V061 constant stored as NaN
    A constant is between 2^64 and 2^65.
    Why: The conversion truncates it to the pattern of a NaN instead of infinity.
    Fix: The largest float24 is 3.689e19; write inf for infinity.
    Evidence: inferred: the format (exponent 0x7F); picasso 2.7.1, rule 44 (E20)
V062 constant stored as subnormal
    A constant is between 2^-63 and 2^-62.
    Why: The conversion gives a subnormal with another value, which arithmetic treats as 0.
    Fix: Use 0, or at least 2.168e-19.
    Evidence: measured: arithmetic flushes subnormals (3dbrew); picasso 2.7.1, rule 44
V063 integer is not an unsigned byte
    A component of an integer constant is not in 0 to 255.
    Why: Integer registers hold unsigned bytes; the low eight bits are stored, so -1 becomes 255.
    Fix: Write 0 to 255.
    Evidence: picasso 2.7.1, rule 10
V064 too many constants
    A shader has more than 96 constants and presets.
    Why: picasso's table has 96 entries for each shader.
    Fix: Remove some, or set them from the application.
    Evidence: picasso 2.7.1, rule 35
V065 array full
    An array of constants has more elements than its declared size.
    Why: The size determines its registers.
    Fix: Make the array larger, or leave the size out.
    Evidence: picasso manual, .constfa
V066 empty array
    An array of constants has neither a size nor elements.
    Why: It would occupy no register.
    Fix: Add lines `.constfa (x, y, z, w)`.
    Evidence: picasso manual, .constfa
V067 register preset twice
    Two constants or presets set the same register.
    Why: Both are stored in the file; the loader applies the last one.
    Fix: Remove one.
    Evidence: picasso 2.7.1, rule 35; libctru shbin.c
# Hazards: the program is well formed, but hardware does something else with it.
V068 constant out of range
    A constant is too large or too small for float24: infinity or 0 is stored.
    Why: The range of float24 is 2.168e-19 to 3.689e19.
    Fix: Scale the value, or write inf or 0.
    Evidence: observed on picasso 2.7.1, rule 44
V070 consecutive mova
    Two `mova` execute one after the other, whatever lies between them in the text.
    Why: The GPU hangs.
    Fix: Put another instruction between them, or write both components at once: `mova a0.xy`.
    Evidence: measured: picasso manual, Caveats; 3dbrew, Pitfalls; JayFoxRox/3ds-tests mad-encoding (E1)
V071 break outside a loop
    `break` or `breakc` can execute outside any loop.
    Why: The LOOP stack is empty, and the GPU hangs.
    Fix: Put it between `for` and its `.end`.
    Evidence: inferred: 3dbrew, Control Flow, without a published test (E9)
V072 break leaves a stack entry
    `break` or `breakc` executes inside a conditional or procedure that was entered within its loop.
    Why: The entry stays on the IF or CALL stack and takes effect when its address is reached again.
    Fix: Use `breakc` with the condition, directly in the loop.
    Evidence: inferred: 3dbrew, BREAK, without a published test; picasso manual (E10)
V073 loops nested too deep
    More than four loops are active at once, counting those of procedures called from loops.
    Why: The LOOP stack holds four; a fifth entry overwrites the oldest.
    Fix: Move an inner loop out.
    Evidence: inferred: 3dbrew, Control Flow, without a published test (E13)
V074 conditionals nested too deep
    More than eight conditionals are active at once, counting those of procedures called from them.
    Why: The IF stack holds eight; a ninth entry overwrites the oldest.
    Fix: Combine conditions, or move the inner part out.
    Evidence: inferred: 3dbrew, Control Flow, without a published test (E13)
V075 calls nested too deep
    More than four calls are active at once.
    Why: The CALL stack holds four return addresses; a fifth overwrites the oldest.
    Fix: Inline one of the procedures.
    Evidence: inferred: 3dbrew, Control Flow, without a published test (E13)
V076 recursion
    A procedure calls itself, directly or through others.
    Why: The hardware has four return addresses.
    Fix: Use a loop.
    Evidence: inferred: 3dbrew, Control Flow, without a published test (E13)
V077 jump across a block boundary
    A jump leaves or enters a loop or conditional.
    Why: The block's entry on the LOOP or IF stack is left over, or is missing.
    Fix: Jump inside the block; leave a loop with `breakc`.
    Evidence: inferred from the four stacks: 3dbrew, Control Flow
V078 control flow past the end
    A jump targets the word after the last one or beyond, or the body of a call, loop or conditional ends there.
    Why: The unit executes whatever its memory holds there.
    Fix: Put an instruction after the label.
    Evidence: unknown: contents of memory past the program
V079 no end
    Some path, or every path, runs past the last word, or out of the entry procedure, without `end`.
    Why: The unit executes whatever follows.
    Fix: Write `end` at the end of the entry procedure, and on every other path out.
    Evidence: unknown: contents of memory past the program; devkitPro/picasso issue 34 (E11)
V080 empty .else
    There is nothing between `.else` and `.end`.
    Why: The else part has no words (NUM is 0), so `.else` has no effect.
    Fix: Remove it, or add a `nop`.
    Evidence: picasso 2.7.1, rule 23 (E6)
    Unneeded.
V081 block too long
    An else part or a called procedure has more than 255 words.
    Why: NUM has 8 bits. picasso lets the size overflow into the neighbouring bits; the hardware uses the low 8.
    Fix: Split it.
    Evidence: inferred: width of NUM (3dbrew); picasso 2.7.1, rules 18 and 19 (E20)
V082 emit in a vertex shader
    `emit` is used in a shader that is not a geometry shader.
    Why: Only the geometry-capable unit emits vertices.
    Fix: Declare the file with `.gsh`, or remove it.
    Evidence: inferred: 3dbrew, EMIT; no test
V083 output left unwritten
    A vertex shader never writes a declared component of an output, or not on every path to `end`. Only components that a later
        stage takes count: two of a texture coordinate, one of texcoord0w, three of view, four of the other properties; before a
        geometry shader, those that it reads.
    Why: The GPU waits for every wired component, and hangs. A geometry shader reads what an earlier vertex left.
    Fix: Write it on every path before `end`, or leave the component out of the `.out` mask.
    Evidence: measured: 3dbrew, Pitfalls; pocket-stack/pocketjs PR 252 (E7). What is wired: libctru shbin.c. Not for geometry
        shaders: bubble2k16/snes9x_3ds runs some on consoles that leave position.w unwritten (E7b)
V084 output written twice
    Some path through a vertex shader writes a component of an output twice.
    Why: The GPU can hang.
    Fix: Collect the value in a temporary and write the output once.
    Evidence: measured: 3dbrew, Registers and Pitfalls (E7); Team-Yarg/bevy_3ds 31e7ed6 ends a lock-up by removing the second
        writes, jm8/minercat3ds ba0a266 likewise
V085 output not declared
    An output register is written but no `.out` declares it.
    Why: The value is discarded.
    Fix: Declare `.out NAME PROPERTY oN`, or remove the write.
    Evidence: inferred: 3dbrew, output map registers; picasso 2.7.1, rule 40: the output mask comes from .out only
V086 input not declared
    An input register is read but neither `.in` nor `.alias` names it. Reported once for a shader.
    Why: The file's input mask omits it, and applications cannot find it by name. libctru does not read the mask, so the shader
        works. `.alias NAME vN` is devkitPro's own idiom, and is not reported.
    Fix: Declare `.in NAME vN`.
    Evidence: inferred: 3dbrew, input registers; picasso 2.7.1, rule 40: the input mask comes from .in only; libctru has no
        reader of it
V087 no position
    A vertex shader has no position output, or no output at all, and no geometry shader follows it.
    Why: The rasterizer needs a position.
    Fix: Declare `.out NAME position`.
    Evidence: inferred: 3dbrew, output map registers
V088 output not rewritten between emits
    On some path a geometry shader emits a vertex without having written an output since the previous one, and writes that
        output elsewhere on the path. Only components that the property takes count. Reported once for an output, with its other
        emits as related places. Where only the w of the position is old it is a note.
    Why: Two banks of outputs alternate, so the value of two emits ago is sent. For the first vertices it is that of the run
        before.
    Fix: Write every output before every `emit`.
    Evidence: measured: azahar-emu/azahar PR 2338 (E8). Outputs that no path writes do not count: bubble2k16/snes9x_3ds runs
        geometry shaders on consoles that leave position.w unwritten, which is harmless (E7b)
V089 constants are not loaded
    A `.nodvle` file declares constants.
    Why: Constants belong to the table of a shader, and a library has none.
    Fix: Move them to the shader's file, or pass a uniform.
    Evidence: picasso 2.7.1, rule 37
V090 target out of range
    A call or jump targets a word past 4095.
    Why: A target has 12 bits: the remaining bits would change other fields of the instruction, such as the boolean that it
        tests.
    Fix: Move the procedure or label below word 4096.
    Evidence: 3dbrew, Instruction formats 2 and 3; picasso 2.7.1 writes such words; E20
V091 name and stage disagree
    A file named .v.pica makes a geometry shader, or one named .g.pica a vertex shader.
    Why: `setemit` or `.gsh` makes a geometry shader; without them a file is a vertex shader.
    Fix: Rename the file, add `.gsh`, or remove `setemit`.
    Evidence: conformance rules 20 and 37
V092 blocks end together
    Two conditionals, two loops, or a block and the block around it end at the same address.
    Why: Each stack pops one entry per instruction, and only one of them may set the next PC.
    Fix: Put a `nop` between the two ends. lanewise and picasso insert it unless `--no-nop` is given.
    Evidence: inferred: 3dbrew, Control Flow, without a published test; picasso manual (E5)
V093 empty block
    A conditional, a loop or a called procedure has no instructions.
    Why: Block ends are checked after an instruction of the block executes, so an empty loop or call is never left.
    Fix: Add a `nop`, or remove the block.
    Evidence: inferred: 3dbrew, Control Flow, without a published test; picasso 2.7.1, rule 23 (E6)
V094 never ends
    The program can reach a point from which `end` is unreachable.
    Why: The GPU waits for the vertex and hangs.
    Fix: Give the backward jump a condition that can change.
    Evidence: inferred: 3dbrew, Control Flow, without a published test
V095 read before it is written
    Some path uses a component of a temporary, of a0, of the flags or of aL that has not been written on it, and its value can
        have an effect: it reaches an output, a condition or an emitted vertex. In a geometry shader, whose registers persist
        between runs, it is never written. It is a note where another path writes the component and a condition after that
        decides whether the value has an effect: the condition may hold only where it is written.
    Why: The register may hold a value left by an earlier vertex or program, so the shader works only by luck.
    Fix: Write the component first, or narrow the swizzle or the write mask to the intended components.
    Evidence: unknown: contents of a unit's registers at the start of a vertex (`initial_state`)
V096 result never read
    An instruction writes temporaries, a0 or flags, and the value is dead: overwritten or discarded before any read on every
        path. Or its write mask is empty.
    Why: It costs a word and a cycle, and often another register was intended.
    Fix: Remove it, or use its result.
    Evidence: inferred: follows from the control-flow graph
    Unneeded.
V097 uniform never read
    No reachable instruction reads a declared uniform.
    Why: It occupies registers, and setting it has no effect.
    Fix: Remove it, or use it. Names that begin with `_` are not stored in the file and not checked.
    Evidence: inferred: follows from the control-flow graph
    Unneeded.
V098 unreachable code
    These words, or this procedure, are unreachable from the entry of every shader of the file.
    Why: They occupy code memory, which is 512 words for vertex shaders.
    Fix: Remove the code, or fix the jump or call that should reach it.
    Evidence: inferred: follows from the control-flow graph
    Unneeded.
V099 emit before setemit
    Some path reaches an `emit` without a `setemit`.
    Why: The vertex number and flags are then those left by the previous run.
    Fix: Write `setemit` before each `emit`.
    Evidence: inferred: 3dbrew, SETEMIT; registers persist between runs (citra PR 3787)
V100 infinity as a factor
    An infinite constant is multiplied.
    Why: On this hardware 0 times infinity is 0; under IEEE 754 it is NaN.
    Fix: Use the largest float24, 3.689e19, or select with `cmp`.
    Evidence: measured: 3dbrew; aroulin/3ds-gpu-tests fp-tests 20, 21
V101 loop count wraps
    The file presets a loop count to a byte of 128 or more, the encoding of a negative number.
    Why: The bytes of an integer register are unsigned, and the loop runs count + 1 iterations.
    Fix: Write the number of iterations minus one, from 0 to 255.
    Evidence: measured: the loop runs int.x + 1 times (citra PR 2848)
V102 loop runs past an array
    With the preset count, start and step, aL indexes past the end of its array.
    Why: It reads the registers after the array; past c95 every component is 1.
    Fix: Preset a smaller count: x is the number of iterations minus one.
    Evidence: measured: 3dbrew and Panda3DS's console tests, for registers past c95
V103 aL past 127
    With the preset count, start and step, aL exceeds 127 while it is used as an index.
    Why: An index outside -128 to 127 counts as 0.
    Fix: Use smaller steps, or index from a higher register.
    Evidence: inferred: measured for a0 (3dbrew); the width of aL is unknown (C5)
V104 analysis budget exceeded
    The program has too many control states (address and stacks) to analyse each of them.
    Why: Rules that need all paths were not applied; the others were.
    Fix: Use fewer nested blocks, or fewer procedures called from several places.
    Evidence: inferred: a limit of lanewise, not of the hardware
V105 constant rounded
    A constant is not representable in float24; it is rounded toward zero.
    Why: float24 has 16 fraction bits: five decimal digits.
    Fix: Nothing, unless exact equality matters: then write a value that float24 can represent.
    Evidence: measured: the format (3dbrew: 1.0 halved 63 times is 0); picasso 2.7.1, rule 44
V106 padding inserted
    The assembler inserted a NOP before the end of a block.
    Why: Two blocks cannot end at the same address, a block cannot be empty, and a jump or call as the last instruction of a
        block has no effect.
    Fix: Nothing. The padding costs one word.
    Evidence: inferred: 3dbrew, Control Flow, without a published test; picasso manual (E3-E6)
V107 unused ignore comment
    A comment `lanewise: ignore[CODE]` is on a line without such a finding.
    Why: It would hide a later finding with that code.
    Fix: Remove the comment, or correct the code in it. Errors cannot be ignored.
    Unneeded.
V108 unknown instruction word
    A reachable word has an opcode that is not documented.
    Why: The effect of opcodes 10, 11, 14-17 and 1C-1F is undocumented.
    Fix: Jump around data words; if a tool wrote the word, report it.
    Evidence: unknown: 3dbrew, GPU/Shader Instruction Set, Instructions
V109 descriptor missing
    An instruction uses an operand descriptor that the program does not have.
    Why: The GPU uses the entry left by an earlier program.
    Fix: Supply the whole descriptor table; the field DESC counts entries from 0.
    Evidence: inferred: 3dbrew, Operand descriptors
V110 call ends before it starts
    The end label of a call does not come after its target.
    Why: A call runs a number of words from its target onwards; the number must be at least one.
    Fix: Name a label after the target.
    Evidence: conformance nihstro/bad call_backwards
V111 swizzle shorter than its write mask
    A swizzle of two or three letters is read for a component that the write mask names and that the swizzle has no letter for;
        or it is .xyz, for a position, a color or a quaternion that is written whole.
    Why: The last letter is repeated, and letters count from x: in `mov r0.zw, r1.zw`, .zw means .zwww: both become r1.w.
    Fix: Write four letters, each in the place of its component: `mov r0.zw, r1.xyzw`.
    Evidence: picasso 2.7.1, rule 7: the last letter is repeated
V112 geometry shader without an entry
    A geometry shader has no `.entry` and no `main` in its file: it begins at `main` of the vertex shader of its link.
    Why: Procedures are shared by all files of a link. The geometry unit would run the vertex shader, and nothing is drawn.
    Fix: Add `.entry NAME` to its file, where `.proc NAME` is its own procedure.
    Evidence: picasso manual, .entry; picasso 2.7.1, rule 37
V113 array without an index
    An instruction that computes names an array of uniforms without an index, and no instruction reads its other elements;
        or the file reads `NAME[0]` elsewhere, and no instruction reads some other element.
    Why: The name of an array means its first register: `mul r0, projection, v0` is one product, not one by a matrix.
    Fix: Write the index. A product of a matrix and a vector is one dp4 for each row: `dp4 r0.x, projection[0], v0`.
    Evidence: picasso 2.7.1, rule 6; nihstro, ranges in .alias
V114 swizzle of a dot product too short
    A source of dp3, dp4 or dph has a swizzle of two or three letters, fewer than the components that it multiplies.
    Why: The last letter is repeated: `dp4 r0.x, r1.xyz, r2.xyz` adds r1.z * r2.z twice.
    Fix: Use dp3 for three components; for two, make the third component of a source 0.
    Evidence: picasso 2.7.1, rule 7: the last letter is repeated
V115 bits in the place of a number
    A float constant is a hexadecimal number of six or eight digits, which is not read as the bits of a float.
    Why: picasso reads a hexadecimal number as a number: 0x3F800000 is 1065353216, where the bits are those of 1.0.
    Fix: Write a decimal number.
    Evidence: picasso 2.7.1, rule 44: the numbers of C's strtof
V116 statement in a comment
    A `;` directly after a statement is followed by a whole instruction, with operands that are known.
    Why: `;` does not separate statements: it begins a comment, so the second statement is ignored.
    Fix: Write one statement on a line. If it is a comment, put a blank before the `;`.
    Evidence: picasso manual, comments; nihstro manual, comments
# Links: V113 to V119 are for habits of text
V120 component of an output that is not wired
    The shader writes a component by name that the mask of `.out` leaves out, and that the property has.
    Why: What is not wired does not reach the rasterizer, which takes 1.0: a position without its w loses the perspective.
    Fix: Leave the mask of `.out` away, or name the component in it; otherwise remove the write.
    Evidence: measured: Azahar, output_vertex.cpp (`unwired_outputs`)
V121 position without w
    The position is wired without its w, and the shader writes none.
    Why: The rasterizer takes 1.0 for w: nothing is seen in perspective, which is right for drawings in two dimensions.
    Fix: Declare `.out NAME position` and write w, or ignore it.
    Evidence: measured: Azahar, output_vertex.cpp (`unwired_outputs`)
V122 input of a geometry shader never filled
    A geometry shader reads a v register that no vertex of a run fills: in point mode whole vertices follow each other in v0 to
        v15, in the others vertices are float uniforms.
    Why: The register holds what an earlier run or program left.
    Fix: Give the vertex shader as many outputs as the geometry shader takes for each vertex, in the same order.
    Evidence: libctru, source/gpu/shaderProgram.c; picasso manual, .gsh
V123 uniform overwritten by vertices
    A uniform or constant of a geometry shader is in one of the float uniforms that its vertices fill.
    Why: In modes fixed and variable each run begins with vertices in these registers: what was there is lost.
    Fix: Let the declarations begin after the vertices, with the first register of `.gsh`.
    Evidence: libctru, source/gpu/shaderProgram.c; picasso manual, .gsh
V124 procedure for the uniforms of another shader
    A procedure of one file is run by the shader of another file, and reads a uniform or constant that this shader has in
        another register, or not at all.
    Why: Files of a link share procedures, and each has uniforms and constants of its own: an instruction names a register.
    Fix: Declare it at the same register in both files, or give each shader its own procedure.
    Evidence: picasso manual, Linking model; libctru, source/gpu/shbin.c
V125 gap in the mask of an output
    The mask of `.out` leaves out a letter between others that are wired.
    Why: The letters of a mask are the components of the property in turn: `position.xyw` wires w of the register to the z of
        the position, and nothing to its w.
    Fix: Leave the mask away, or name letters that follow each other.
    Evidence: libctru, source/gpu/shbin.c (DVLE_GenerateOutmap)
V126 preset of an allocated uniform
    `.setf`, `.seti` or `.setb` and another line name a register by its number, and a uniform of the file was allocated at
        this register.
    Why: Uniforms are allocated from c0, i0 and b0 on. Both mean one register: what the application sets for the uniform
        replaces the preset, and a read of the register is a read of the uniform.
    Fix: Declare a uniform, `.fvec NAME`, and preset that, `.setf NAME(x, y, z, w)`, or name a constant,
        `.constf NAME(x, y, z, w)`; to preset the uniform that is there, write its name.
    Evidence: picasso 2.7.1, rules 30 and 35
V127 geometry shader before the vertex shader
    The sources of a link begin with the geometry shader, so that it is the first shader of the file (DVLE 0).
    Why: Applications take DVLE 0 as the vertex shader and DVLE 1 as the geometry shader; others have to name them.
    Fix: Name the vertex shader first.
    Evidence: devkitPro/3ds-examples, graphics/gpu/geoshader
V128 no primitive
    A geometry shader emits vertices, and none of its `setemit` has the primitive flag.
    Why: The flag makes a triangle of the three vertices that were set; without it the unit sends nothing.
    Fix: Write `setemit 2, prim` for the last vertex of each triangle; `inv` turns it round.
    Evidence: 3dbrew Shader Instruction Set, SETEMIT
V129 direction that is moved
    An input whose name ends with `normal`, `tangent` or `binormal` is in a `dp4` with a row of a matrix that
        also transforms points.
    Why: An input of three components has 1 in its w, so `dp4` adds the fourth column, the translation.
    Fix: Use `dp3` for directions.
    Evidence: 3dbrew GPU/Internal Registers, GPUREG_ATTRIBBUFFERS_FORMAT; libctru, AttrInfo_AddLoader
V130 end in a called procedure
    A procedure that is called ends with `end`, on each of its paths, and instructions follow the call.
    Why: `end` stops the shader. A procedure returns at its `.end`.
    Fix: Remove it; write `end` in the entry procedure only.
    Evidence: 3dbrew Shader Instruction Set, END and CALL
V131 row of a matrix that is taken twice
    Two components of a product with a matrix take the same row, and nothing reads the row of one of them.
    Why: A product takes row 0 for x, row 1 for y, row 2 for z and row 3 for w.
    Fix: Write the index of the component.
V132 uniform that no file lists
    A uniform whose name begins with `_` has no register of its own choice.
    Why: picasso keeps such names out of the SHBIN: `shaderInstanceGetUniformLocation` gives -1, and no upload reaches the
        register.
    Fix: Leave the `_` out, or give the uniform a register, which the program sets by its number.
    Evidence: picasso 2.7.1 leaves such names out of its tables
V133 boolean of the geometry unit
    A geometry shader tests b15 by a name that does not say what it is.
    Why: The unit sets b15 after each run: only the first run sees the value of the application.
    Fix: Use b0 to b14, as `.bool` does.
    Evidence: inferred: picasso manual; GBATEK; Azahar, video_core/pica/geometry_pipeline.cpp
V134 properties exchanged between stages
    A geometry shader puts two outputs of a vertex into the property of each other.
    Why: Its v0, v1 and so on are the outputs of the vertex shader in the order of their registers; the names and properties of
        the two files do not connect them.
    Fix: Declare the outputs of the vertex shader in the order in which the geometry shader takes them, or name their registers.
    Evidence: picasso manual, .gsh; libctru, source/gpu/shaderProgram.c
V135 counter of another loop
    aL is read in a loop that has an inner loop, or after a loop that no `break` leaves.
    Why: There is one aL, and each loop sets it: what an inner loop leaves in it differs between devices, and after a loop it is
        past the last round.
    Fix: Read what aL selects inside its loop, before another one counts in it, or count in a temporary and use `mova`.
    Evidence: unknown: 3dbrew Shader Instruction Set, LOOP; emulators differ (C5)
# Containers
C002 truncated SHBIN
    The file ends inside its headers or inside sections that follow each other, or its object count is implausible.
    Why: The object offsets and the DVLP header directly follow the object count; without them the rest cannot be located.
    Fix: Get the whole file, or correct the count at offset 4.
    Evidence: 3dbrew SHBIN; libctru shbin.c
C003 no DVLP
    The bytes DVLP do not follow the object offsets.
    Why: Loaders expect the DVLP, which contains the code, directly after the offset table.
    Fix: Correct the object count at offset 4, or move the DVLP header there.
    Evidence: 3dbrew SHBIN; libctru shbin.c
C004 no DVLE
    An object's offset does not point to the bytes DVLE.
    Why: The DVLE header gives the entry point, the inputs and the outputs of a shader.
    Fix: Correct the offset in the table after the object count.
    Evidence: 3dbrew SHBIN; libctru shbin.c
C005 section outside the file
    An offset and a count describe a section that ends past the end of the file.
    Why: A loader would read memory outside the file.
    Fix: Correct the offset or the count at the given position, or get the whole file.
    Evidence: 3dbrew SHBIN
C006 sections overlap
    Two sections of the file share bytes.
    Why: No tool writes such files; changing one section would change the other.
    Fix: Correct the offset or the count at the given position.
    Evidence: 3dbrew SHBIN; the layouts of picasso and nihstro (conformance rules 38, 39 and 1)
C007 misaligned section
    Code, descriptors or a table begin at an offset that is not a multiple of 4.
    Why: Loaders read them as 32-bit words in place.
    Fix: Assemble the program again.
    Evidence: libctru shbin.c
C008 entry without a usable name
    The name of a label or uniform is outside the name table, unterminated, or not an identifier.
    Why: Applications look uniforms up by name; disassembly needs a name too, so it uses one derived from the entry's number.
    Fix: Give the entry a name of letters, digits, `_`, `.` and `$`.
    Evidence: 3dbrew SHBIN; libctru shbin.c
C009 invalid uniform registers
    The first and last register index of a uniform are out of order, or not in one of the classes v, c, i, b.
    Why: Only the index determines where the application's data goes.
    Fix: Use 0-0xF for inputs, 0x10-0x6F for c, 0x70-0x73 for i, 0x78-0x87 for b.
    Evidence: 3dbrew SHBIN; nihstro shader_binary.h
C010 invalid constant register
    The type of a constant is not 0, 1 or 2, or its register number is out of range.
    Why: The loader cannot set it.
    Fix: Use type 0 (b0-b15), 1 (i0-i3) or 2 (c0-c95).
    Evidence: 3dbrew SHBIN; libctru shbin.c
C011 invalid output register
    An output has an unknown semantic, a register above o15, or a mask that is 0 or has more than four bits.
    Why: The loader builds the output map from these fields.
    Fix: Use semantics 0-9, o0-o15 and a mask of 1 to 0xF, bit 0 for x.
    Evidence: 3dbrew SHBIN; libctru shbin.h
C012 entry outside the code
    An object starts at a word outside the code, or a program of raw words at its `end`.
    Why: The shader unit would execute whatever its memory holds there.
    Fix: Correct the entry. nihstro-assemble writes the offset of the entry label's name instead: make that label the first.
    Evidence: 3dbrew SHBIN; nihstro src/assembler.cpp
C013 not raw words
    The size of a file of raw words is not a multiple of 4 bytes, or a text has something else than words.
    Why: Instructions and operand descriptors are 32-bit words: little-endian bytes, hexadecimal digits, or a JSON array.
    Fix: Check that this is the right file and that it is complete.
    Evidence: 3dbrew, Shader Instruction Set
C014 program larger than the unit
    There are more than 4096 instruction words or 128 operand descriptors.
    Why: Instructions select descriptors with 7 bits and targets with 12.
    Fix: Check that this is the right file; split the program if it is.
    Evidence: GBATEK: writable bits of the entry point; 3dbrew, Shader Instruction Set
# Hints: notes of `lanewise check --hints` about what a program can do without. It is proved that the outputs stay the same, bit
# for bit.
C015 not a result file of the evidence kit
    The first line of the file is not that of a file that the kit of `lanewise evidence kit` writes.
    Why: A colour without the program that drew it says nothing.
    Fix: Give `lanewise-evidence.txt` of the SD card.
C016 malformed line of a result file
    A line has an unknown key, a colour is not six hexadecimal digits, a picture has two colours, or the file has no picture.
    Why: A wrong colour would settle a question wrongly.
    Fix: Keep the file as the kit wrote it; delete it on the SD card and run the kit again.
C017 results of another kit
    The kit that wrote the file has other programs than that of this version of lanewise, or a picture that this version does
        not have.
    Why: A colour means what the program of its picture compares with.
    Fix: Import the file with the version of lanewise that wrote the kit.
C018 damaged shader cache
    An entry of a shader cache ends after the file, contradicts its footer, cannot be decompressed, or names a word that its
        program does not have.
    Why: Entries follow each other without a table: what comes after a wrong size cannot be found.
    Fix: Delete the file, and let the emulator write it again. `lanewise inspect --scan FILE` reads the entries before that
        place.
    Evidence: azahar-emu/azahar a2d16d4, gl_shader_disk_cache.cpp and vk_shader_disk_cache.cpp
C019 shader cache of another version
    The file is a shader cache whose version, kind or layout is not the one that lanewise reads.
    Why: Another version may have its fields in other places.
    Fix: Use a cache of vertex shaders that Azahar of 2026 writes: version 1 for OpenGL, 0 for Vulkan.
    Evidence: azahar-emu/azahar a2d16d4, gl_shader_disk_cache.cpp and vk_shader_disk_cache.h
C020 malformed preamble
    The JSON file beside a program has a preamble, which computes registers before a draw, and it is not one of the program.
    Why: A preamble is a function on the uniforms of the shader; any other would give registers that the program does not read.
    Fix: Compile the shader again with `--preamble`, or move the JSON file away and give the registers with `--uniform`.
    Evidence: docs/compiling.md
C021 preamble not at hand
    A program reads registers that its preamble computes before a draw, and neither the preamble nor values for them are given.
    Why: An application calls the function of the C header before it draws; without it the registers hold what was there before.
    Fix: Keep the JSON file that `lanewise compile --preamble` writes beside the program, or give the registers.
    Evidence: docs/compiling.md
C022 bytes in no section
    Bytes that are not 0 follow a section and belong to none: a count may be too small, or an offset wrong.
    Why: Tools write the sections one after the other; a loader does not see what no section has.
    Fix: Correct the count of the section in front of the bytes.
    Evidence: the layouts of picasso and nihstro (conformance rules 38, 39 and 1)
H001 copy of a register
    A `mov` copies a register, and wherever the copy is read the original holds the same value and may be read instead.
    Why: The mov takes a word of code memory, and the copy a register.
    Fix: Remove the mov and read the original. The hint names the instructions that read the copy.
H002 result that is only moved
    A result is written to a temporary whose only reader is a `mov`.
    Why: Instructions write their destination directly; the mov takes a word of code memory.
    Fix: Write the destination of the mov where the result is computed, and remove the mov.
H003 product that is only added to
    The result of a `mul` is read by one `add` only, and the factors hold the same values there.
    Why: One `mad` does both. It rounds the product before the addition, as the two instructions do.
    Fix: Write `mad` in place of the add, and remove the mul.
    Evidence: inferred: mad rounds twice (`mad_rounding`)
H004 instructions that are one
    Instructions do the same with the same registers, each for other components of one destination.
    Why: One instruction computes four components.
    Fix: Write one instruction with all components in its write mask, and a swizzle for each source.
H005 value computed twice
    An instruction computes, or loads, a value that a register holds already.
    Why: The instruction takes a word of code memory.
    Fix: Remove it, and read the register that holds the value.
H006 equal constants
    Two constants of a shader have the same values in all components.
    Why: Each takes one of the 96 float uniforms, and time when the shader is bound.
    Fix: Use one of them for both, or declare it with two aliases.
H007 unused operand descriptors
    The file has operand descriptors that no instruction uses.
    Why: The table of 128 descriptors is sent to the GPU as a whole when the shader is bound.
    Fix: Assemble the source again; if a tool wrote the file, report it.
H008 dp4 with a 1
    An instruction loads 1 into the w of a vector, or copies its x, y and z, only for `dp4`.
    Why: `dph` takes the w of its first source as 1, so the vector needs no copy. Each mov takes a word of code memory.
    Fix: Write `dph` with the original vector as the first source, and remove the mov. One path of the emulator Azahar computes
        `dph` as `dp4`: `lanewise opt --avoid dph` leaves it out.
    Evidence: measured: dph takes w as 1 (aroulin/3ds-gpu-tests, dph-tests); inferred: Azahar's GLSL without accurate
        multiplication writes dot(src1, src2), read in glsl_shader_decompiler.cpp
H009 work that is the same for all vertices
    Instructions compute what depends on uniforms and constants alone, such as a product of two matrices, or the colour of a
        light times that of a material.
    Why: They are words of code memory, and run for each vertex, though they give the same each time.
    Fix: Compute it before the draw, on the CPU, and set the results as uniforms. The CPU's numbers are rounded otherwise than
        those of the hardware, unless `lanewise.pica200.float24` computes them. In GLSL and HLSL: declare a uniform for it.
# Faults at run time
R001 step budget exceeded
    A lane executed its maximum number of steps without reaching `end`.
    Why: A program that does not terminate hangs the GPU. The budget belongs to the engine, not the console. A vertex or run
        that does not end has no outputs and emits nothing here.
    Fix: Look for a backward jump whose condition never changes, or use a larger budget.
R002 break outside a loop
    `break`, or a `breakc` whose condition held, executed outside any loop.
    Why: The LOOP stack is then empty, and the GPU hangs. A fifth nested loop drops the outermost one, which can also lead here.
    Fix: Break only inside `for`; nest at most four loops.
    Evidence: 3dbrew, GPU/Shader Instruction Set, Control Flow
R003 ran past the end of the program
    The next instruction is at an address past the program.
    Why: The GPU executes whatever the code memory holds there, often part of an earlier program.
    Fix: End every path with `end`; check the targets of jumps, calls and else parts.
    Evidence: the console's behaviour is unknown (reference C12, C15)
R004 unknown instruction
    Execution reached a word whose opcode is not documented.
    Why: The effect of opcodes 10, 11, 14-17 and 1C-1F is undocumented, so it cannot be emulated.
    Fix: Jump around data words; if a tool wrote the word, report it.
    Evidence: 3dbrew, GPU/Shader Instruction Set, Instructions
R005 descriptor outside the table
    An instruction uses an operand descriptor that the program does not have.
    Why: The GPU would use the entry left by an earlier program.
    Fix: Supply the whole descriptor table; the field DESC counts entries from 0.
R006 read before it is written
    A vertex, or a run of a geometry shader, used a component of a temporary, of a0, of the flags or of aL before any
        instruction wrote it, and its value can reach an output, a condition or an emitted vertex.
    Why: lanewise starts from zero. On a console the register may hold a value left by an earlier vertex or program, so the
        shader works only by luck.
    Fix: Write the component first, or narrow the swizzle or the write mask to the intended components.
    Evidence: unknown: contents of a unit's registers at the start of a vertex (`initial_state`)
R007 output left unwritten
    A vertex reached `end`, or a geometry shader emitted one, with a declared component of an output unwritten that the property
        takes.
    Why: After a vertex shader the GPU waits for every wired component, and hangs. A geometry shader sends what is in the bank:
        the value of two emits ago, or of an earlier run.
    Fix: Write it on every path, and before every `emit`, which switches the output bank; or leave the component out of the
        `.out` mask.
    Evidence: measured: 3dbrew, Pitfalls; pocket-stack/pocketjs PR 252 (E7); azahar-emu/azahar PR 2338 (E8)
R008 vertices left over
    The vertex list ends before the last primitive, or the last run of the geometry shader, is complete.
    Why: The incomplete primitive is not drawn.
    Fix: Add the missing vertices, or repeat some: a triangle takes three.
R010 endless loop
    Temporaries, flags, address registers and stacks have the values that they had at the same instruction before, so the loop
        never ends.
    Why: The GPU hangs. A vertex or run that does not end has no outputs and emits nothing here.
    Fix: Change what the condition of the jump or loop reads inside the loop, or add an `end`.
R011 too many emitted vertices
    A run of a geometry shader emitted 30,000 vertices, which is 10,000 primitives, without reaching `end`.
    Why: A loop that emits without end hangs the GPU and fills memory here. The limit belongs to the engine, not the console.
    Fix: Bound the loop around `emit`, or divide the work among several runs.
R012 colour out of range
    An output that is wired to the color of the rasterizer reaches more than 4.
    Why: The rasterizer takes min(|c|, 1) before it interpolates, so that everything above 1 is as bright as 1. Colours of 0 to
        255 are white where they are not black.
    Fix: Divide colours of 0 to 255 by 255; scale others.
    Evidence: measured: Azahar, output_vertex.cpp, which quotes a console
R013 index that is cut off
    `mova` takes a value just below a whole number.
    Why: It cuts off, as int() does, where the one of Direct3D rounds: 2.9999 is 2, and another register is read. Bytes that
        are divided by 255 and multiplied again are such values.
    Fix: Add 0.5 before it, or give whole numbers.
    Evidence: inferred: 3dbrew, Instructions, MOVA truncates the fractional part
R014 normal in the place of a quaternion
    The output `normalquat` has the components of a normal, and 1 as its fourth.
    Why: The console turns the z axis by the quaternion: another direction than that of the normal is lit.
    Fix: With the turned normal n of length 1 write (-n.y, n.x, 0, 1 + n.z), divided by its length.
    Evidence: inferred: Azahar, sw_lighting.cpp, ComputeFragmentsColors
R015 index outside an array
    An indexed read of a uniform with several registers is outside of it, and an output depends on it: not by a weight of 0.
    Why: The console reads whatever register is there, or 1 past the last one: neither an error nor the nearest element.
    Fix: Give indices that are inside, take fewer rounds of a loop, or declare all registers that are read.
    Evidence: docs/pica200.md
R016 elements that overlap
    Dot products take three or four registers of a uniform from an index on, and indices are nearer than that.
    Why: An index counts registers, not elements: element 1 of a palette of matrices of three rows begins at register 3.
    Fix: Multiply the number of the element by its registers before `mova`.
    Evidence: docs/pica200.md
# Recorded frames: files, lists, the set-up of draws
F001 damaged recording
    A file of frames is cut, or a part of it does not fit.
    Why: Lists and memory after the damaged place are missing, and draws with them.
    Fix: Record the frame again, or copy the whole file.
    Evidence: citra-emu/citra 902fa4da5 to 8e3c7674d and azahar-emu/azahar a2d16d4, src/core/tracer
F002 command list that cannot be followed
    A list is not in the recording, goes on after its end, jumps without end, or sends more than a memory holds.
    Why: What follows in it is not known here; the GPU reads what is there, and hangs on lists that do not end.
    Fix: Correct the address and the size of the list, and record the memory that lists are in.
    Evidence: inferred: 3dbrew, GPU/Internal Registers, GPU Commands and GPUREG_CMDBUF_JUMP0
F003 state that is not in the recording
    A draw depends on registers that no list of the recording writes.
    Why: They have the values of an earlier frame, which are not known here.
    Fix: Record from the start of the program, or with its state.
    Evidence: inferred: 3dbrew, GPU/Internal Registers: registers keep their values
F004 attribute that is read and not fed
    The vertex shader reads an input register to which no attribute comes: none is permuted there, or it has neither a loader
        nor a default that was written.
    Why: The register has what an earlier vertex left there.
    Fix: Add the attribute to a buffer, set its default, or correct the permutation.
    Evidence: inferred: azahar-emu/azahar a2d16d4, video_core/pica/vertex_loader.cpp: such an attribute keeps an older value
F005 permutation that drops an attribute
    Two attributes of a draw go to one input register.
    Why: Only one of them arrives.
    Fix: Give each attribute its own register in GPUREG_VSH_ATTRIBUTES_PERMUTATION_LOW and HIGH.
    Evidence: inferred: 3dbrew, GPUREG_VSH_ATTRIBUTES_PERMUTATION_LOW
F006 stride that does not fit
    The stride of a buffer is 0, or less than the bytes that its attributes take.
    Why: Vertices are the first one again, or overlap; the console may not draw at all.
    Fix: Give BufInfo_Add the size of a vertex.
    Evidence: measured: 3dbrew, GPU/Pitfalls, on strides (E19)
F007 unaligned vertex data
    An attribute or an index list is at an address that is not a multiple of the size of its elements.
    Why: The loader takes aligned elements; others freeze the console or draw nothing.
    Fix: Align the buffer, its stride and the index list.
    Evidence: measured: 3dbrew, GPU/Pitfalls; JayFoxRox/3ds-tests, attrib-align (E19)
F008 vertices beyond the memory
    A draw takes vertices or indices of which the recording has no memory.
    Why: An index past the buffer reads what is behind it.
    Fix: Correct the index list, the count or the address; or record this memory.
    Evidence: inferred: 3dbrew, GPUREG_NUMVERTICES and GPUREG_INDEXBUFFER_CONFIG: buffers have no size
F009 uniforms that were never written
    A shader reads uniforms that nothing in the recording writes.
    Why: They have the value of an earlier program, or that of the boot.
    Fix: Send them before the draw.
    Evidence: inferred: 3dbrew, GPUREG_VSH_FLOATUNIFORM_CONFIG: uniforms keep their values
F010 entry point beyond the code
    A shader begins at a word that was never sent.
    Why: The unit executes what an earlier program left there.
    Fix: Send the code before the draw, or correct GPUREG_VSH_ENTRYPOINT or GPUREG_GSH_ENTRYPOINT.
    Evidence: inferred: 3dbrew, GPUREG_VSH_ENTRYPOINT
F011 output map that disagrees with the program
    The map enables an output that the program never writes, or has more words than outputs arrive.
    Why: The GPU waits for each enabled output of a vertex shader, and hangs.
    Fix: Take the map of the program that is bound: shaderProgramUse writes both.
    Evidence: measured: 3dbrew, GPU/Pitfalls (E7)
F012 integer of a loop that was never written
    A loop takes its count from an integer register that nothing in the recording writes.
    Why: It runs as often as an earlier program's integer says, up to 256 times.
    Fix: Write GPUREG_VSH_INTUNIFORM_I0 to I3.
    Evidence: inferred: 3dbrew, GPUREG_VSH_INTUNIFORM_I0: integers keep their values
F013 stride of a geometry shader that does not fit
    The registers that a geometry shader takes for a vertex are not the outputs of the vertex shader.
    Why: Outputs of a vertex arrive where it reads those of another.
    Fix: Use shaderProgramSetGsh with the stride of the vertex shader's outputs.
    Evidence: inferred: libctru 516e3a0, shaderProgram.c; azahar-emu/azahar a2d16d4, video_core/pica/geometry_pipeline.cpp
F014 depth range or scissor that leaves nothing
    All depths are the same after clamping, or the scissor rectangle is empty.
    Why: Nothing of the draw passes the tests, or the order of surfaces is lost.
    Fix: Use C3D_DepthMap(true, -1.0f, 0.0f), and a rectangle whose end is after its beginning.
    Evidence: inferred: 3dbrew, GPUREG_DEPTHMAP_SCALE and GPUREG_SCISSORTEST_POS
F015 attribute from a default
    An input of the vertex shader is a default attribute: one value for all vertices.
    Why: A buffer that was meant to feed it does not.
    Fix: Nothing, if it is meant; or add the attribute to a buffer.
    Evidence: inferred: 3dbrew, GPUREG_ATTRIBBUFFERS_FORMAT_HIGH, and GPUREG_FIXEDATTRIB_INDEX
F016 matrix with reversed rows
    The rows of a matrix have their components in the reverse order of the same uniform's in another draw.
    Why: One of the two was sent in the order of memory of C3D_FVec, which is w, z, y, x.
    Fix: Send both in the same order.
    Evidence: inferred: citro3d, include/c3d/types.h, C3D_FVec
F017 viewport without an area
    The width or the height of the viewport is 0, or less.
    Why: All triangles are in one line or point of the target, and no pixel is covered.
    Fix: Set the viewport to the size of the target, in its own orientation: 240 wide for the screens.
    Evidence: inferred: 3dbrew, GPUREG_VIEWPORT_WIDTH and GPUREG_VIEWPORT_HEIGHT
""")

CODES = by_code(SHARED, ROWS)
