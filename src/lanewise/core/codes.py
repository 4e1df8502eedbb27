"""The registry of diagnostics: every code that lanewise can report, with what it means and how to mend it.

Codes are stable: a number is never given a second meaning. P parse, V verify, C container, R run, B binding of data.
"""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """`meaning`: what is wrong; `why`: why the hardware or the tools care; `mend`: what to do; `evidence`: where it is known from."""

    code: str
    title: str
    meaning: str
    why: str
    mend: str
    evidence: str = ""


_CODES = (
    # Containers
    Code("C001", "not an SHBIN",
         "The file does not begin with the four letters DVLB.",
         "The console's loader and every tool find the code through the DVLB header.",
         "Give a .shbin file. `lanewise scan FILE` finds shaders inside other files.",
         "3dbrew SHBIN; libctru shbin.c"),
    Code("C002", "SHBIN cut short",
         "The file ends before its first headers do, or its object count is wild.",
         "The offsets of the objects and the DVLP header follow the object count at once; nothing else can be found without them.",
         "Get the whole file, or correct the count at offset 4.",
         "3dbrew SHBIN; libctru shbin.c"),
    Code("C003", "no DVLP",
         "The letters DVLP do not follow the offsets of the objects.",
         "Loaders take the DVLP, which has the code, to lie right after the offset table.",
         "Correct the object count at offset 4, or move the DVLP header there.",
         "3dbrew SHBIN; libctru shbin.c"),
    Code("C004", "no DVLE",
         "An object's offset does not lead to the letters DVLE.",
         "The DVLE header says where a shader starts and what its inputs and outputs are.",
         "Correct the offset in the table after the object count.",
         "3dbrew SHBIN; libctru shbin.c"),
    Code("C005", "section outside the file",
         "An offset and a count describe a part that ends after the file does.",
         "A loader would read memory that is not the file's.",
         "Correct the offset or the count at the place named, or get the whole file.",
         "3dbrew SHBIN"),
    Code("C006", "sections overlap",
         "Two parts of the file claim the same bytes.",
         "No tool writes such files; a change of one part would change the other.",
         "Correct the offset or the count at the place named.",
         "3dbrew SHBIN; the layouts of picasso and nihstro (conformance rules 38, 39 and 1)"),
    Code("C007", "section not at a multiple of 4",
         "Code, descriptors or a table begin at an offset that is no multiple of 4.",
         "Loaders read them as 32-bit words in place.",
         "Assemble the program again.",
         "libctru shbin.c"),
    Code("C008", "entry without a usable name",
         "The name of a label or uniform lies outside the names, has no end, or is no identifier.",
         "Programs look uniforms up by name; text needs a name too, so one is made from the entry's number.",
         "Give the entry a name of letters, digits, `_`, `.` and `$`.",
         "3dbrew SHBIN; libctru shbin.c"),
    Code("C009", "uniform for no registers",
         "The first and last index of a uniform are not in order and in one of the classes v, c, i, b.",
         "The index is all that says where the application's data goes.",
         "Use 0-0xF for inputs, 0x10-0x6F for c, 0x70-0x73 for i, 0x78-0x87 for b.",
         "3dbrew SHBIN; nihstro shader_binary.h"),
    Code("C010", "constant for no register",
         "The type of a constant is not 0, 1 or 2, or its register number is beyond the class.",
         "The loader cannot set it.",
         "Use type 0 (b0-b15), 1 (i0-i3) or 2 (c0-c95).",
         "3dbrew SHBIN; libctru shbin.c"),
    Code("C011", "output for no register",
         "An output has an unknown semantic, a register beyond o15, or a mask that is 0 or has more than four bits.",
         "The loader makes the output map from these fields.",
         "Use semantics 0-9, o0-o15 and a mask of 1 to 0xF, bit 0 for x.",
         "3dbrew SHBIN; libctru shbin.h"),
    Code("C012", "entry outside the code",
         "An object starts at a word that the code does not have.",
         "The shader unit would run whatever is left in its memory there.",
         "Correct the entry. nihstro-assemble writes the offset of the entry label's name there: make that label the first.",
         "3dbrew SHBIN; nihstro src/assembler.cpp"),
    Code("C013", "odd number of bytes",
         "A file of raw words does not have a multiple of 4 bytes.",
         "Instructions and operand descriptors are 32-bit words.",
         "Check that this is the right file and that all of it is there.",
         "3dbrew, Shader Instruction Set"),
    Code("C014", "more than a unit holds",
         "There are more than 4096 instruction words or 128 operand descriptors.",
         "Instructions name descriptors with 7 bits and targets with 12.",
         "Check that this is the right file; split the program if it is.",
         "GBATEK: writable bits of the entry point; 3dbrew, Shader Instruction Set"),
    Code("R001", "step budget spent", "A lane did as many steps as it was allowed and had not reached `end`.",
         "A program that never ends hangs the GPU. The budget is the engine's, not the console's.",
         "Look for a jump back whose condition never changes, or give the engine a larger budget."),
    Code("R002", "break outside a loop", "`break`, or a `breakc` whose condition held, ran while no loop was under way.",
         "The LOOP stack is empty then, and the GPU hangs. A fifth nested loop drops the outermost one, which can lead here too.",
         "Break only inside `for`; nest at most four loops.", "3dbrew, GPU/Shader Instruction Set, Control Flow"),
    Code("R003", "ran past the end of the program", "The next instruction is at an address that the program has no word for.",
         "The GPU runs whatever the code memory holds there, often a part of an earlier program.",
         "Finish every way through the program with `end`; check the targets of jumps, calls and else parts.",
         "what the console does there is unknown (reference C12, C15)"),
    Code("R004", "unknown instruction", "A word was reached that no documented instruction has.",
         "Nobody has documented opcodes 10, 11, 14-17 and 1C-1F, so there is nothing to do for them.",
         "Jump around data words; if a tool wrote the word, report it.", "3dbrew, GPU/Shader Instruction Set, Instructions"),
    Code("R005", "descriptor outside the table", "An instruction names an operand descriptor that the program does not have.",
         "The GPU would use whatever an earlier program left in that entry.",
         "Give the program its whole descriptor table; the instruction's DESC field counts entries from 0."),
)  # fmt: skip

CODES = {row.code: row for row in _CODES}
