"""Disagreements between tools for Direct3D 9 shaders, with our choice.

The tests try every row.

Sources: Wine 8.0's assembler and disassembler, mojoshader and vkd3d as measured for conformance/direct3d9; Microsoft is its
documentation.
"""

from __future__ import annotations

from lanewise.core.record import Record

WORDS, REFUSED, ILLEGAL, LEGAL, PRINTED = "words", "refused", "illegal", "legal", "printed"


class Oddity(Record):
    """`example` is a source. `outcome`: `REFUSED` by the assembler, `ILLEGAL` or `LEGAL` for the check, `WORDS` with the words
    of the last instruction, or `PRINTED` with the line that the disassembler gives for it; `expected` has those words or that
    line.
    """

    topic: str
    others: str
    ours: str
    why: str
    example: str
    outcome: str
    expected: str = ""


_VS, _PS = "vs_2_0\ndcl_position v0\n", "ps_2_0\ndcl t0\ndcl v0\n"
_VS3 = "vs_3_0\ndcl_position v0\ndcl_position o0\n"

ODDITIES = (
    Oddity(
        "order of dcl and def",
        "Wine's assembler writes every dcl before every def, in any order of the text; Microsoft's keeps the order.",
        "the order of the text",
        "The disassembly must assemble to the same words.",
        "vs_1_1\ndef c9, 1, 0, 0, 1\ndcl_position v0\n",
        WORDS,
        "0000001F 80000000 900F0000",
    ),
    Oddity(
        "mask of oFog and oPts",
        "Wine's assembler writes .xyzw for oFog.x; no known shader from Microsoft's tools has a mask there.",
        "the mask of the text",
        "No source reports that Microsoft's assembler widens a written mask.",
        "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oFog.x, v0.x\n",
        WORDS,
        "02000001 C0010001 90000000",
    ),
    Oddity(
        "operands of sincos in ps_2_0 and ps_2_x",
        "Wine's assembler wants one source in every pixel version; Microsoft's reference wants two constants as well in "
        "shader model 2.",
        "three sources in shader model 2, one in shader model 3",
        "The reference is clear, and vertex shaders of shader model 2 have them in Wine, too.",
        _PS + "mov r1, t0\nsincos r0.xy, r1.x, c20, c21\n",
        WORDS,
        "04000025 80030000 80000001 A0E40014 A0E40015",
    ),
    Oddity(
        "sincos of ps_2_0 with one source",
        "Wine's assembler takes it.",
        "refused",
        "See above.",
        _PS + "mov r1, t0\nsincos r0.xy, r1.x\n",
        REFUSED,
    ),
    Oddity(
        "sources of sgn in vs_3_0",
        "vkd3d and Wine's disassembler read one source and lose two; Microsoft's reference, its validator and Wine's "
        "assembler have three.",
        "three sources",
        "The words of Wine's assembler have three.",
        _VS3 + "mov r1, v0\nsgn r0, r1, r2, r3\n",
        WORDS,
        "04000022 800F0000 80E40001 80E40002 80E40003",
    ),
    Oddity(
        "position of the predicate",
        "mojoshader reads it after the sources; Wine's assembler and its test vectors have it after the destination.",
        "after the destination",
        "Measured words; the page of the driver kit has it at the end.",
        "vs_2_x\ndcl_position v0\nsetp_gt p0, v0, c0\n(!p0.x) mov r0, v0\n",
        WORDS,
        "13000001 800F0000 BD001000 90E40000",
    ),
    Oddity(
        "c2048 in a hardware version",
        "Wine's assembler writes c0: the number is cut to 11 bits.",
        "the register file of c2048, which the check refuses",
        "The text names a register other than c0.",
        _VS3 + "mov r0, c2048\n",
        WORDS,
        "02000001 800F0000 B0E40800",
    ),
    Oddity(
        "usage index 16",
        "Wine's assembler writes index 0.",
        "refused",
        "The word has four bits for it.",
        "vs_2_0\ndcl_texcoord16 v1\n",
        REFUSED,
    ),
    Oddity(
        "outputs as sources",
        "Wine's assembler only warns, and writes a token left over from before.",
        "the token of the output, which the check refuses",
        "The words have the register of the text.",
        _VS + "mov oPos, v0\nmov oT0, oPos\n",
        ILLEGAL,
    ),
    Oddity(
        "dcl_2d of an input",
        "Wine's assembler warns and drops the declaration.",
        "the words, which the check refuses",
        "As above.",
        _PS + "dcl_2d t1\nmov oC0, c0\n",
        ILLEGAL,
    ),
    Oddity(
        "+ at the first instruction",
        "Wine's assembler takes it.",
        "taken, and the check refuses it",
        "The bit is there; what it means without an instruction before is for the check.",
        "ps_1_1\n+mov r0, c0\n",
        ILLEGAL,
    ),
    Oddity(
        "_sat_sat",
        "Wine's assembler takes it.",
        "taken as _sat",
        "It can mean nothing else.",
        "ps_2_0\nadd_sat_sat r0, c0, c0\nmov oC0, r0\n",
        LEGAL,
    ),
    Oddity(
        "a comment without an end",
        "Wine's assembler drops the rest of the text.",
        "refused",
        "Lost text must be reported.",
        _VS + "/* not closed\nmov oPos, v0\n",
        REFUSED,
    ),
    Oddity(
        "predicated nop and flow control",
        "Wine's assembler adds the predicate to nop and puts it before the source of if; neither is checked.",
        "the same words; the check refuses the predicate of if and accepts that of nop",
        "A predicate of if would be a second condition, which the reference does not have.",
        "vs_2_x\ndcl_position v0\nmov oPos, v0\nsetp_gt p0, v0, c0\n(p0) if b0\nendif\n",
        ILLEGAL,
    ),
    Oddity(
        "modifiers of other versions",
        "Wine's assembler takes _sat in vs_2_0, _x8 and _x2 in ps_1_1, _pp in ps_1_4, expp in ps_2_0, cmp in ps_1_1 (it has "
        "one table for ps_1_0 to ps_1_3).",
        "the words; the check refuses them",
        "The reference lists the modifiers and instructions of each version.",
        "ps_1_1\ntex t0\nmul_x8 r0, t0, t0\n",
        ILLEGAL,
    ),
    Oddity(
        "texcrd of a temporary",
        "Wine's assembler writes mov.",
        "the words of texcrd, which the check refuses",
        "The reference allows only t# as its source; another instruction in place of the text's would go unnoticed.",
        "ps_1_4\ntexld r0, t0\nphase\ntexcrd r1.rgb, r0\nmov r0, r1\n",
        ILLEGAL,
    ),
    Oddity(
        "structure",
        "Wine's assembler checks no blocks, labels, nesting, slots, ports, declarations or uninitialised reads.",
        "the words; the check finds all of them",
        "`lanewise check` has rules for them.",
        _VS + "mov oPos, v0\nif b0\n",
        ILLEGAL,
    ),
    Oddity(
        "vs_2_a, ps_2_a, ps_2_b and the software versions",
        "Wine's assembler refuses them.",
        "taken; 2_a and 2_b are the token of 2_x",
        "They are profiles that the reference names.",
        "ps_2_b\ndcl t0\nmov r0, t0.wzyx\nmov oC0, r0\n",
        LEGAL,
    ),
    Oddity(
        "exponents",
        "Wine's assembler refuses 1.5e3.",
        "taken",
        "Microsoft's listings have exponents.",
        "vs_2_0\ndef c4, 1.5e3, 2e-2, -1.0e+1, 0\n",
        WORDS,
        "05000051 A00F0004 44BB8000 3CA3D70A C1200000 00000000",
    ),
    Oddity(
        "a minus in an index",
        "Wine's assembler refuses c[a0.x-2+8]; Microsoft's is not known.",
        "taken, where the sum is not negative",
        "The token has room for it.",
        _VS + "mova a0.x, v0.x\nmov oPos, c[a0.x-2+8]\n",
        WORDS,
        "03000001 C00F0000 A0E42006 B0000000",
    ),
    Oddity(
        "dcl of vPos and vFace",
        "Wine's assembler cannot declare them, and takes them undeclared.",
        "taken, and required",
        "The reference requires the declaration.",
        "ps_3_0\ndcl vFace\nmov r0, c0\ncmp r0, vFace, c1, r0\nmov oC0, r0\n",
        LEGAL,
    ),
    Oddity(
        "mask of a relative destination",
        "Wine's assembler refuses o[a0.x+1].xy.",
        "taken",
        "The token has a mask.",
        _VS3 + "dcl_texcoord o1\nmova a0.x, v0.x\nmov o0, v0\nmov o[a0.x+1].xy, v0\n",
        WORDS,
        "03000001 E0032001 B0000000 90E40000",
    ),
    Oddity(
        "_db and _da",
        "Wine's assembler refuses them.",
        "taken as _dz and _dw",
        "The reference has both spellings.",
        "ps_1_4\ntexld r0, t1_da.rga\n",
        WORDS,
        "00000042 800F0000 BAF40001",
    ),
    Oddity(
        "_pp with _centroid",
        "Wine's assembler refuses them together in ps_3_0, and takes them in ps_2_x.",
        "taken",
        "They are two bits.",
        "ps_3_0\ndcl_color1_centroid_pp v6\n",
        WORDS,
        "0200001F 8001000A 906F0006",
    ),
    Oddity(
        "a0 without a component",
        "Wine's assembler takes c[a0] and c[a0.xy].",
        "refused",
        "The reference requires one component, and the text does not name it.",
        _VS + "mova a0, v0\nmov oPos, c[a0]\n",
        REFUSED,
    ),
    Oddity(
        "dcl without a usage in a vertex shader",
        "Wine's assembler refuses it.",
        "refused",
        "It would be the word of dcl_position.",
        "vs_2_0\ndcl v0\nmov oPos, v0\n",
        REFUSED,
    ),
    Oddity(
        "version of 2_x in listings",
        "Wine's and vkd3d's disassemblers print vs_2_1 and ps_2_1.",
        "vs_2_x is printed, both are read",
        "The reference has vs_2_x.",
        "vs_2_1\nnop\n",
        WORDS,
        "00000000",
    ),
    Oddity(
        "comparisons",
        "Wine's disassembler prints setp without its comparison, break_gt as breakc_gt, and never returns from if_gt.",
        "if_gt, break_gt and setp_gt",
        "The reference writes them this way; ifc_gt and breakc_gt are also read.",
        "vs_2_x\ndcl_position v0\nbreakc_gt v0.x, v0.y\n",
        PRINTED,
        "break_gt v0.x, v0.y",
    ),
    Oddity(
        "texldb",
        "Wine's disassembler prints texld.",
        "texldb",
        "The control bits are those of texldb.",
        _PS + "dcl_2d s0\ntexldb r0, t0, s0\n",
        PRINTED,
        "texldb r0, t0, s0",
    ),
    Oddity(
        "swizzles",
        "vkd3d prints all four letters, and aL0.xyzw.",
        "none for .xyzw, the last letter once",
        "Microsoft's listings do so.",
        "vs_2_0\ndcl_position v0\nmov r0, v0.xyyy\n",
        PRINTED,
        "mov r0, v0.xy",
    ),
)
