"""Findings of ShaderCore: language, rules of the devices, files. Rows that serve every ISA are in `core.codes`."""

from __future__ import annotations

from lanewise.core.code import by_code, rows
from lanewise.core.codes import SHARED

ROWS = rows("""
# The language
P201 unknown ShaderCore instruction
    The first word of a line is not a ShaderCore instruction.
    Why: A line is an instruction, a directive or a comment. There are no labels, because there are no jumps.
    Fix: Use the suggested name. `lanewise isa shadercore` lists the instructions.
    Evidence: specification, Instruction Set
P202 unknown ShaderCore directive
    A line begins with a dot but not with a known directive.
    Why: A misspelt directive would silently drop a declaration.
    Fix: Use .input, .output, .const, .word, .hash or .padding.
    Evidence: defined by lanewise
P203 wrong number of operands
    A ShaderCore instruction has too many or too few operands.
    Why: An instruction has one destination and two sources. Operands that an instruction does not use may be omitted, or all
        three written.
    Fix: Write the operands as shown in the message.
    Evidence: specification, Instruction Set: Source Args, Dest Args
P204 invalid operand
    The text is not an operand, has two modifiers, or is a destination with a modifier.
    Why: A source has one two-bit modifier; a destination can only be saturated, by a suffix of the instruction.
    Fix: Use REG.x, -REG.x, abs(REG.x) or -abs(REG.x), and the suffix `_sat` on the instruction.
    Evidence: specification, Instruction Modifiers
P205 unknown register
    There is no register with that name.
    Why: The register files end at r7, v7, c255, x7 and o7. Instructions have no immediate operands: only 0, 1 and -1 can be
        read without a register.
    Fix: Use an existing register; declare other numbers with `.const`.
    Evidence: specification, ShaderCore Registers
P206 components missing or wrong
    A register has no component, or one that is not x, y, z or w.
    Why: Instructions are scalar: each operand names one component of a register. A line with several components expands to one
        instruction each.
    Fix: Write r0.x, or r0.xyzw for all four.
    Evidence: reference 1: one component in each operand field
P207 register cannot be used here
    NULL is used as a source, or an input or constant as a destination.
    Why: There is no encoding for it: destinations are r, x, o and NULL, and sources are all but NULL.
    Fix: Write to r, x or o; read 0 if no value is needed.
    Evidence: specification, ShaderCore Registers
P208 numbers of components differ
    A source has neither one component nor the same number as the destination.
    Why: A line with several components expands to one instruction each, so a source needs one component for each, or one for
        all.
    Fix: Write one component, or as many as the destination has.
    Evidence: defined by lanewise
P209 shorthand overwrites what it reads
    A line with several components writes a component twice, or writes one that it reads for a later component.
    Why: It expands to consecutive instructions, so a later one would read the new value.
    Fix: Write to another register, or write the instructions separately in an order that works.
    Evidence: defined by lanewise
P210 malformed declaration
    A `.input`, `.output` or `.const` is incomplete.
    Why: The header describes each input and output in one byte; applications set constants by register.
    Fix: Write `.input v0 position`, `.output o0 position` or `.const c0 (1.0, 2.0, 3.0, 4.0)`.
    Evidence: DeviceShaderBytecode.h:178-203 (reference 1)
P211 declared twice
    A register, or a field of the header, is declared twice.
    Why: One of the declarations would be lost.
    Fix: Remove one of them.
    Evidence: defined by lanewise
P212 not a number
    The text is not a number, or has more digits than there are bits.
    Why: Constants are float32 numbers; words and header fields are bit patterns.
    Fix: Write a decimal number, or 0x and hexadecimal digits.
    Evidence: defined by lanewise
P213 line and listed word differ
    The comment of a line is a word, as in listings, and differs from the word that the line encodes to.
    Why: Listings of the public tools cannot distinguish some registers; or the line was changed and its comment was not.
    Fix: Remove the comment if the line is right; use `.word` if the comment is right.
    Evidence: DriverShaderCompiler.cpp:79-84 (reference 1)
P214 no instructions
    A ShaderCore source has no instructions.
    Why: Even an empty program ends with END.
    Fix: Write `end`.
    Evidence: specification, Instruction Set
P215 instruction in a comment
    The comment after an instruction is an instruction itself, as in `mul r0.x, v0.x, v0.y; rcp r0.x, r0.x`.
    Why: `;` begins a comment, and does not separate statements as in C: what follows it is not assembled.
    Fix: Write one instruction a line.
    Evidence: defined by lanewise
# Rules of the hardware
V201 program too long
    A ShaderCore program has more than 512 instructions.
    Why: The instruction memory has 512 slots, and the instruction pointer nine bits.
    Fix: Shorten the program. The vector shorthand takes one slot per component.
    Evidence: ShaderCore.vhd:67; the public driver takes 511 (reference 1)
V202 no end
    A ShaderCore program has no END.
    Why: The core continues into slots left by an earlier program, and wraps around after the last slot.
    Fix: Write `end` after the last instruction.
    Evidence: specification, Instruction Set: END must always be the last instruction
V203 code after end
    A ShaderCore program has instructions after its first END.
    Why: There are no jumps, so they never execute; they occupy slots.
    Fix: Remove them, or the END before them.
    Evidence: specification, Instruction Set: END must always be the last instruction
    Unneeded.
V204 constants are not in the file
    A ShaderCore source declares constants, but its output file cannot store them.
    Why: Neither the header nor the words have room for constants: the application sets them with commands.
    Fix: Set them from the application. `lanewise inspect` and `lanewise dis` of the file cannot show them.
    Evidence: DeviceShaderBytecode.h:178-203; PacketType.vhd:74-81 (reference 1 and 4)
# Hazards: the program is well formed, but a device does something else with it
V210 read before it is written
    An instruction reads a component of r, x or o that no earlier instruction has written.
    Why: Registers are not cleared between waves: the value is left by the previous wave or program.
    Fix: Write the component first.
    Evidence: measured: reference 4; the specification does not define the initial register contents (`between_waves`)
V211 input not declared
    An instruction reads an input without an `.input`, or one whose header byte is 0 like that of another input.
    Why: A driver binds vertex streams by the header. A byte of 0 means position, but is also the value of an unset byte.
    Fix: Declare the input with `.input`, or set its byte in the header.
    Evidence: inferred: DeviceShaderBytecode.h:178-203 (reference 1)
V212 x7.x as a source
    An instruction names x7.x as a source, possibly in an unused field.
    Why: Idle write slots have x7.x as their destination, so the hazard logic waits for it indefinitely: the core hangs.
    Fix: Use another register. x7.y, x7.z and x7.w are not affected. Unused fields should hold the register 0.
    Evidence: measured: reference 3 (`x7x`)
V213 x7.x as a destination
    An instruction writes x7.x.
    Why: Idle write slots continuously clear lanes 0-3 of x7.x, and an instruction that reads it never issues.
    Fix: Use another register, or NULL.
    Evidence: measured: reference 3 and 2b (`x7x`)
V214 register 1 reads as 0.0
    An instruction reads the register 1.
    Why: The hardware's input multiplexer does not implement it and returns 0.0, or -0.0 when negated.
    Fix: Write -(-1) or abs(-1) for 1.0, and -1 for -1.0.
    Evidence: measured: reference 2 (`one_register`)
V215 two constants in one instruction
    An instruction reads two different constants, or two components of one constant.
    Why: The constant memory has one read port: both sources get the value of the first.
    Fix: Copy one of them to a register with `mov` first.
    Evidence: measured: reference 3 (`constant_ports`)
V216 NOP or END with a destination
    A NOP, an END or opcode 14 has a destination other than NULL.
    Why: The hardware writes 0.0 to it. A word of zeros is such a NOP: it writes r0.x.
    Fix: Remove the destination, or use `mov` to make the write explicit.
    Evidence: measured: reference 2 (`nop_dest`)
V217 output not exported
    An instruction writes an output component that is neither exported nor read, or such an output is declared.
    Why: o0.xyzw, o2.xy and o1.xyzw are exported, in this order; the other outputs are temporaries.
    Fix: Write one of the exported components, or remove the instruction.
    Evidence: measured: reference 4 (`exports`)
V218 no output
    The program writes no exported output.
    Why: The exported values are the previous contents of the registers.
    Fix: Write the position to o0.
    Evidence: specification, ShaderCore Registers: Output Reg
V219 declared output left unwritten
    A source declares an output but does not write one of its exported components.
    Why: The component is exported anyway, with the previous contents of the register.
    Fix: Write all components, or remove the declaration.
    Evidence: inferred: reference 4 (`between_waves`, `exports`)
V220 rsq is wrong beyond the first quad
    The operand of rsq may differ from lane to lane.
    Why: Lanes 4-15 use the product computed by lanes 0-3: errors are a few percent, and up to 100.
    Fix: Compute the root differently, for example by Newton iteration from an estimate. For a constant operand, rsq is accurate
        to 11.5 bits in all lanes.
    Evidence: measured: reference 2b; ALU:566 (`rsq_gate`)
V221 exp and log give 0.0
    An instruction is exp or log.
    Why: The hardware has no such pipe. It starts a reciprocal whose result is discarded, and writes 0.0.
    Fix: Compute it with other instructions; reference 7 has building blocks.
    Evidence: measured: reference 2 (`exp_log`)
V222 stray SPEC result
    A NOP, END, opcode 14, exp or log writes a register in the cycle in which the unclaimed result of an earlier rcp, rsq, exp
        or log arrives.
    Why: That result is written to the destination, in some of the lanes.
    Fix: Use NULL as the destination, or move the instruction: it collides 15 and 16 cycles after the earlier one.
    Evidence: measured: reference 2b, effect 1 (`stray_special`)
V223 stall for an unused operand
    An unused source field names a recently written register.
    Why: The hazard logic checks both source fields of every instruction, so it stalls needlessly. A field of zeros is r0.x.
    Fix: Set the field to the register 0, as `lanewise asm` does.
    Evidence: measured: reference 1 and 3 (`hazard_fields`)
V224 result is discarded
    An instruction computes a result and has NULL as its destination, or a later one overwrites the result before it is read.
    Why: It takes cycles and changes no register that counts.
    Fix: Remove it, or read the result in the later instruction: `add r0.x, r0.x, v0.z`.
    Evidence: specification, ShaderCore Registers: NULL
    Unneeded.
V225 beyond the sizes of the device
    The program has more slots than the device, or names a register that it lacks.
    Why: A device file may have fewer slots and registers than the word can name (`slots`, `r_registers`, `x_registers`,
        `c_registers`).
    Fix: Use another register, or shorten the program.
    Evidence: the device file
V240 nop that costs cycles
    A program has NOPs, and takes fewer cycles without them.
    Why: An instruction waits for its sources by itself (`read_delay`, `write_port`): a NOP takes the cycles of an issue.
    Fix: Remove it, or put an instruction there that does something.
    Evidence: specification, Instruction Set; the timing model of the device
V241 integer read as a float32
    An instruction that computes with float32 numbers reads the result of rnd_sint16ne, rnd_sint23ne, cnv_unorm8, cnv_unorm16,
        cnv_f_to_half or of a shift to the right, or a constant that has the bits of a small integer.
    Why: There is an integer, or a float16, in the low bits: as a float32 it is a subnormal number, which counts as 0, or
        a NaN where it is negative.
    Fix: Convert it first with cnv_u32_to_f or cnv_half_to_f; round with frc and add, which give a float32; divide with mul;
        write constants as numbers, 3.0.
    Evidence: specification, Instruction Set; reference 2
V242 number as a mask
    An instruction `and` reads the result of slt or sge, or a whole number in a constant, and a number: an input, a constant
        with a value, or what add, mul, rcp, frc and others give.
    Why: slt and sge give 1.0 or 0.0, and 1.0 has the bits 0x3F800000: `and` keeps these bits of the number, not all. 255.0 has
        the bits 0x437F0000, and the number is a float32 as well.
    Fix: After slt and sge write mul for a number or 0; `and` and `or` of two comparisons are right. For bits write the pattern,
        0x000000FF, in .const, and make an integer of the number with rnd_sint16ne.
    Evidence: specification, Instruction Set
# Containers
C201 no ShaderCore header
    A file that should have a header does not begin with VS, or is shorter than 32 bytes.
    Why: The header contains the number of words and the meaning of inputs and outputs.
    Fix: Check that this is the right file; read words without a header with `--from words`.
    Evidence: DeviceShaderBytecode.h:178-203 (reference 1)
C202 word count disagrees with the file size
    The word count in the header of a ShaderCore file does not match the number of bytes after it.
    Why: A driver would upload too little, or memory past the file.
    Fix: Check that the file is complete, or assemble the program again.
    Evidence: DeviceShaderBytecode.h:178-203 (reference 1)
C203 size is not a multiple of 8
    The size of a file of raw ShaderCore words is not a multiple of 8 bytes.
    Why: Instructions are 64-bit words.
    Fix: Check that this is the right file and that it is complete.
    Evidence: reference 1
C204 not a 64-bit word
    A text of ShaderCore words, or a memory file, contains something other than numbers of up to 64 bits, or rows of 2 or 4.
    Why: One missing word shifts all words after it.
    Fix: Write one word per line, the elements of a C array as 0x and hexadecimal digits, or rows in the radix of the file.
    Evidence: defined by lanewise
C205 more words than slots
    A ShaderCore file has more than 512 words.
    Why: The instruction memory has 512 slots.
    Fix: Check that this is the right file.
    Evidence: ShaderCore.vhd:67 (reference 1)
C206 unknown header bits
    Bits 5-7 of a usage byte, or the last eight bytes of the header, are not 0.
    Why: Their meaning is not documented. They are preserved.
    Fix: Nothing, unless the file should not have any: then it is damaged.
    Evidence: DeviceShaderBytecode.h:178-203 (reference 1)
C207 no instruction
    A ShaderCore file has no words.
    Why: Even an empty program ends with END.
    Fix: Check that this is the right file.
    Evidence: specification, Instruction Set
C208 no array or memory
    A C source contains no braces with words between them, or the file of a memory lacks a part: rows, width, a row in between.
    Why: The words of a program are read from the first array of the file, or from the rows of a memory in their order.
    Fix: Give a file as `--to c`, `coe`, `mif`, `mem`, `vhdl` or `verilog` writes it.
    Evidence: defined by lanewise
C209 malformed program interface
    The JSON interface file of a program has missing or invalid parts.
    Why: A compiled program needs constants that are stored only in this file: without them it computes something else.
    Fix: Compile the shader again; or move the file away, and pass all constants explicitly.
    Evidence: defined by lanewise
C210 interface of another program
    The JSON interface next to a program was written for another program: the words differ from those that were compiled.
    Why: The constants of another program would give plausible but wrong results, so they are not used.
    Fix: Compile the shader again, or rename the program and its interface.
    Evidence: defined by lanewise
C211 words in another order or radix
    Words are no program that ends, but are one with their halves exchanged, their bytes reversed, or read in another radix.
    Why: A word of 64 bits is stored lowest byte first. Other tools may write the high half, or the highest byte, first.
    Fix: Exchange the halves or bytes of each word, or write it in hexadecimal digits.
    Evidence: defined by lanewise
# Running
R201 program does not terminate
    An instruction never issues on the device, or there is no END.
    Why: The core waits indefinitely, or continues into slots left by an earlier program.
    Fix: Use a register other than x7.x, or write `end`; `lanewise check` shows the place.
    Evidence: reference 3 (`x7x`)
# Binding of data
B201 vertex stream cannot be read
    The type, stride, offset or base of a vertex stream does not fit the hardware's descriptor, or the stream's data.
    Why: A descriptor has 6 bits each for stride and offset, in DWORDs of 4 bytes, and there are eight of them.
    Fix: Types are float1 to float4 and d3dcolor; stride and offset 0 to 63. A base of any size moves the whole stream.
    Evidence: ShaderCore.vhd:24-30,1262-1273 (reference 4)
B202 input without data
    A program reads an input register that has neither a value nor a stream.
    Why: On hardware the register keeps its value from the previous wave; a run starts with 0, or with the given initial
        registers.
    Fix: Pass the input by usage or by register.
    Evidence: reference 4 (`between_waves`)
B203 value other than the compiled one
    A run of a compiled shader gives an i# or b# another value than it was compiled for, or a count above its bound.
    Why: Known values, bounds, and start and step of aL are part of the compiled program, which would compute something other
        than the shader.
    Fix: Give the same value, or compile the shader again. An i# is count, start and step; a start or step that is not given is
        0.
    Evidence: defined by lanewise
""")

CODES = by_code(SHARED, ROWS)
