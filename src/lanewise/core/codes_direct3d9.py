"""Diagnostics of Direct3D 9 shaders: their files, their language, what is legal in each version. The registry is `core.codes`.

`reference` is the project's reference for Direct3D 9. "D3D" is Microsoft's documentation of the assembly languages, "DDK" that of the tokens.
"""

from __future__ import annotations

from lanewise.core.code import Code

CODES_DIRECT3D9 = (
    # Files
    Code("C301", "not a Direct3D 9 shader",
         "The file does not begin with a version token: 0xFFFE and the version for a vertex shader, 0xFFFF for a pixel shader.",
         "The version says what every other word means.",
         "Check that this is the right file; `lanewise inspect --scan FILE` finds shaders inside other files.",
         "DDK, Version Token; reference 3"),
    Code("C302", "version that nobody has defined",
         "The version token has numbers that are no version of Direct3D 9 shaders.",
         "No runtime takes it. The words are read by the rules of the nearest version, and kept as they are.",
         "Check that this is the right file. Versions are vs_1_0 to vs_3_0 and ps_1_0 to ps_3_0, with 2_x, 2_sw and 3_sw.",
         "D3D, shader versions"),
    Code("C303", "shader without an end",
         "The words stop without the end token 0x0000FFFF.",
         "A runtime reads on into whatever follows.",
         "Check that all of the file is there.",
         "DDK, End Token"),
    Code("C304", "words behind the end",
         "Something follows the end token, or the file is no whole number of 32-bit words.",
         "No runtime reads it. It is kept when the file is written again.",
         "Cut the file after the end token, if nothing else is meant to be in it.",
         "DDK, End Token"),
    Code("C305", "unknown instruction in a file",
         "A word where an instruction begins has an opcode that no version has.",
         "Its length has to be guessed (shader model 1) or believed (later), and nobody knows what it does.",
         "Check that this is the right file. The words are kept, and disassembled as .dword.",
         "DDK, Instruction Token; reference 3"),
    Code("C306", "instruction of the wrong length",
         "The words behind an instruction are not the operands that it has: too few, too many, or no operands at all.",
         "The next instruction is found by the length, so a runtime reads operands as instructions or the other way about.",
         "Check that this is the right file. The words are kept, and disassembled as .dword.",
         "DDK, Instruction Token: the length counts relative addresses and predicates; reference 3"),
    Code("C307", "comment longer than the file",
         "A comment says that it is longer than what is left of the file.",
         "Whatever reads the file stops there, or reads beyond it.",
         "Check that all of the file is there.",
         "DDK, Comment Token"),
    Code("C308", "bits that mean nothing",
         "An instruction or operand has bits set that are reserved in its version.",
         "Drivers may refuse it. The bits are kept.",
         "Clear them: bits 29 and 31 of an instruction, bits 15 and 14 of an operand, and the length in shader model 1.",
         "DDK, Instruction Token, Destination and Source Parameter Tokens"),
    Code("C310", "shader of a later Direct3D",
         "The file is a DXBC container, which holds shader model 4 or later.",
         "Direct3D 10 and 11 shaders are another instruction set in another format.",
         "Compile for a Direct3D 9 profile, such as vs_3_0 or ps_3_0. Level 9 profiles (vs_4_0_level_9_3) hold such a shader too: "
         "`lanewise inspect --scan` finds it.",
         "reference 7: FNA 158"),
)  # fmt: skip
