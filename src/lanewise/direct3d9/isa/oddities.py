"""Disagreements between tools for Direct3D 9 shaders, with our choice.

The tests try every row.

Sources: Wine 8.0's assembler and disassembler, mojoshader and vkd3d as measured for conformance/direct3d9; Microsoft is its
documentation.
"""

from __future__ import annotations

from lanewise.core.record import Record

WORDS, REFUSED, ILLEGAL, LEGAL, PRINTED = "words", "refused", "illegal", "legal", "printed"


class Oddity(Record):
    """A disagreement with a source that shows it."""

    topic: str
    "The matter as a heading."
    others: str
    "The behaviour of the other tools."
    ours: str
    "The behaviour of lanewise."
    why: str
    "The reason for our behaviour."
    example: str
    "A source that shows it."
    outcome: str
    "`REFUSED` by the assembler, `ILLEGAL` or `LEGAL` for the check, `WORDS`, or `PRINTED` by the disassembler."
    expected: str = ""
    "With `WORDS` those of the last instruction, with `PRINTED` its line; else empty."


_VS, _PS = "vs_2_0\ndcl_position v0\n", "ps_2_0\ndcl t0\ndcl v0\n"
_VS3 = "vs_3_0\ndcl_position v0\ndcl_position o0\n"

ODDITIES = (
    Oddity(
        topic="order of dcl and def",
        others="Wine's assembler writes every dcl before every def, in any order of the text; Microsoft's keeps the order.",
        ours="the order of the text",
        why="The disassembly must assemble to the same words.",
        example="vs_1_1\ndef c9, 1, 0, 0, 1\ndcl_position v0\n",
        outcome=WORDS,
        expected="0000001F 80000000 900F0000",
    ),
    Oddity(
        topic="mask of oFog and oPts",
        others="Wine's assembler writes .xyzw for oFog.x; no known shader from Microsoft's tools has a mask there.",
        ours="the mask of the text",
        why="No source reports that Microsoft's assembler widens a written mask.",
        example="vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oFog.x, v0.x\n",
        outcome=WORDS,
        expected="02000001 C0010001 90000000",
    ),
    Oddity(
        topic="operands of sincos in ps_2_0 and ps_2_x",
        others="Wine's assembler wants one source in every pixel version; Microsoft's reference wants two constants as well in "
        "shader model 2.",
        ours="three sources in shader model 2, one in shader model 3",
        why="The reference is clear, and vertex shaders of shader model 2 have them in Wine, too.",
        example=_PS + "mov r1, t0\nsincos r0.xy, r1.x, c20, c21\n",
        outcome=WORDS,
        expected="04000025 80030000 80000001 A0E40014 A0E40015",
    ),
    Oddity(
        topic="sincos of ps_2_0 with one source",
        others="Wine's assembler takes it.",
        ours="refused",
        why="See above.",
        example=_PS + "mov r1, t0\nsincos r0.xy, r1.x\n",
        outcome=REFUSED,
    ),
    Oddity(
        topic="sources of sgn in vs_3_0",
        others="vkd3d and Wine's disassembler read one source and lose two; Microsoft's reference, its validator and Wine's "
        "assembler have three.",
        ours="three sources",
        why="The words of Wine's assembler have three.",
        example=_VS3 + "mov r1, v0\nsgn r0, r1, r2, r3\n",
        outcome=WORDS,
        expected="04000022 800F0000 80E40001 80E40002 80E40003",
    ),
    Oddity(
        topic="position of the predicate",
        others="mojoshader reads it after the sources; Wine's assembler and its test vectors have it after the destination.",
        ours="after the destination",
        why="Measured words; the page of the driver kit has it at the end.",
        example="vs_2_x\ndcl_position v0\nsetp_gt p0, v0, c0\n(!p0.x) mov r0, v0\n",
        outcome=WORDS,
        expected="13000001 800F0000 BD001000 90E40000",
    ),
    Oddity(
        topic="c2048 in a hardware version",
        others="Wine's assembler writes c0: the number is cut to 11 bits.",
        ours="the register file of c2048, which the check refuses",
        why="The text names a register other than c0.",
        example=_VS3 + "mov r0, c2048\n",
        outcome=WORDS,
        expected="02000001 800F0000 B0E40800",
    ),
    Oddity(
        topic="usage index 16",
        others="Wine's assembler writes index 0.",
        ours="refused",
        why="The word has four bits for it.",
        example="vs_2_0\ndcl_texcoord16 v1\n",
        outcome=REFUSED,
    ),
    Oddity(
        topic="outputs as sources",
        others="Wine's assembler only warns, and writes a token left over from before.",
        ours="the token of the output, which the check refuses",
        why="The words have the register of the text.",
        example=_VS + "mov oPos, v0\nmov oT0, oPos\n",
        outcome=ILLEGAL,
    ),
    Oddity(
        topic="dcl_2d of an input",
        others="Wine's assembler warns and drops the declaration.",
        ours="the words, which the check refuses",
        why="As above.",
        example=_PS + "dcl_2d t1\nmov oC0, c0\n",
        outcome=ILLEGAL,
    ),
    Oddity(
        topic="+ at the first instruction",
        others="Wine's assembler takes it.",
        ours="taken, and the check refuses it",
        why="The bit is there; what it means without an instruction before is for the check.",
        example="ps_1_1\n+mov r0, c0\n",
        outcome=ILLEGAL,
    ),
    Oddity(
        topic="_sat_sat",
        others="Wine's assembler takes it.",
        ours="taken as _sat",
        why="It can mean nothing else.",
        example="ps_2_0\nadd_sat_sat r0, c0, c0\nmov oC0, r0\n",
        outcome=LEGAL,
    ),
    Oddity(
        topic="a comment without an end",
        others="Wine's assembler drops the rest of the text.",
        ours="refused",
        why="Lost text must be reported.",
        example=_VS + "/* not closed\nmov oPos, v0\n",
        outcome=REFUSED,
    ),
    Oddity(
        topic="predicated nop and flow control",
        others="Wine's assembler adds the predicate to nop and puts it before the source of if; neither is checked.",
        ours="the same words; the check refuses the predicate of if and accepts that of nop",
        why="A predicate of if would be a second condition, which the reference does not have.",
        example="vs_2_x\ndcl_position v0\nmov oPos, v0\nsetp_gt p0, v0, c0\n(p0) if b0\nendif\n",
        outcome=ILLEGAL,
    ),
    Oddity(
        topic="modifiers of other versions",
        others="Wine's assembler takes _sat in vs_2_0, _x8 and _x2 in ps_1_1, _pp in ps_1_4, expp in ps_2_0, cmp in ps_1_1 (it "
        "has one table for ps_1_0 to ps_1_3).",
        ours="the words; the check refuses them",
        why="The reference lists the modifiers and instructions of each version.",
        example="ps_1_1\ntex t0\nmul_x8 r0, t0, t0\n",
        outcome=ILLEGAL,
    ),
    Oddity(
        topic="texcrd of a temporary",
        others="Wine's assembler writes mov.",
        ours="the words of texcrd, which the check refuses",
        why="The reference allows only t# as its source; another instruction in place of the text's would go unnoticed.",
        example="ps_1_4\ntexld r0, t0\nphase\ntexcrd r1.rgb, r0\nmov r0, r1\n",
        outcome=ILLEGAL,
    ),
    Oddity(
        topic="structure",
        others="Wine's assembler checks no blocks, labels, nesting, slots, ports, declarations or uninitialised reads.",
        ours="the words; the check finds all of them",
        why="`lanewise check` has rules for them.",
        example=_VS + "mov oPos, v0\nif b0\n",
        outcome=ILLEGAL,
    ),
    Oddity(
        topic="vs_2_a, ps_2_a, ps_2_b and the software versions",
        others="Wine's assembler refuses them.",
        ours="taken; 2_a and 2_b are the token of 2_x",
        why="They are profiles that the reference names.",
        example="ps_2_b\ndcl t0\nmov r0, t0.wzyx\nmov oC0, r0\n",
        outcome=LEGAL,
    ),
    Oddity(
        topic="exponents",
        others="Wine's assembler refuses 1.5e3.",
        ours="taken",
        why="Microsoft's listings have exponents.",
        example="vs_2_0\ndef c4, 1.5e3, 2e-2, -1.0e+1, 0\n",
        outcome=WORDS,
        expected="05000051 A00F0004 44BB8000 3CA3D70A C1200000 00000000",
    ),
    Oddity(
        topic="a minus in an index",
        others="Wine's assembler refuses c[a0.x-2+8]; Microsoft's is not known.",
        ours="taken, where the sum is not negative",
        why="The token has room for it.",
        example=_VS + "mova a0.x, v0.x\nmov oPos, c[a0.x-2+8]\n",
        outcome=WORDS,
        expected="03000001 C00F0000 A0E42006 B0000000",
    ),
    Oddity(
        topic="dcl of vPos and vFace",
        others="Wine's assembler cannot declare them, and takes them undeclared.",
        ours="taken, and required",
        why="The reference requires the declaration.",
        example="ps_3_0\ndcl vFace\nmov r0, c0\ncmp r0, vFace, c1, r0\nmov oC0, r0\n",
        outcome=LEGAL,
    ),
    Oddity(
        topic="mask of a relative destination",
        others="Wine's assembler refuses o[a0.x+1].xy.",
        ours="taken",
        why="The token has a mask.",
        example=_VS3 + "dcl_texcoord o1\nmova a0.x, v0.x\nmov o0, v0\nmov o[a0.x+1].xy, v0\n",
        outcome=WORDS,
        expected="03000001 E0032001 B0000000 90E40000",
    ),
    Oddity(
        topic="_db and _da",
        others="Wine's assembler refuses them.",
        ours="taken as _dz and _dw",
        why="The reference has both spellings.",
        example="ps_1_4\ntexld r0, t1_da.rga\n",
        outcome=WORDS,
        expected="00000042 800F0000 BAF40001",
    ),
    Oddity(
        topic="_pp with _centroid",
        others="Wine's assembler refuses them together in ps_3_0, and takes them in ps_2_x.",
        ours="taken",
        why="They are two bits.",
        example="ps_3_0\ndcl_color1_centroid_pp v6\n",
        outcome=WORDS,
        expected="0200001F 8001000A 906F0006",
    ),
    Oddity(
        topic="a0 without a component",
        others="Wine's assembler takes c[a0] and c[a0.xy].",
        ours="refused",
        why="The reference requires one component, and the text does not name it.",
        example=_VS + "mova a0, v0\nmov oPos, c[a0]\n",
        outcome=REFUSED,
    ),
    Oddity(
        topic="dcl without a usage in a vertex shader",
        others="Wine's assembler refuses it.",
        ours="refused",
        why="It would be the word of dcl_position.",
        example="vs_2_0\ndcl v0\nmov oPos, v0\n",
        outcome=REFUSED,
    ),
    Oddity(
        topic="version of 2_x in listings",
        others="Wine's and vkd3d's disassemblers print vs_2_1 and ps_2_1.",
        ours="vs_2_x is printed, both are read",
        why="The reference has vs_2_x.",
        example="vs_2_1\nnop\n",
        outcome=WORDS,
        expected="00000000",
    ),
    Oddity(
        topic="comparisons",
        others="Wine's disassembler prints setp without its comparison, break_gt as breakc_gt, and never returns from if_gt.",
        ours="if_gt, break_gt and setp_gt",
        why="The reference writes them this way; ifc_gt and breakc_gt are also read.",
        example="vs_2_x\ndcl_position v0\nbreakc_gt v0.x, v0.y\n",
        outcome=PRINTED,
        expected="break_gt v0.x, v0.y",
    ),
    Oddity(
        topic="texldb",
        others="Wine's disassembler prints texld.",
        ours="texldb",
        why="The control bits are those of texldb.",
        example=_PS + "dcl_2d s0\ntexldb r0, t0, s0\n",
        outcome=PRINTED,
        expected="texldb r0, t0, s0",
    ),
    Oddity(
        topic="swizzles",
        others="vkd3d prints all four letters, and aL0.xyzw.",
        ours="none for .xyzw, the last letter once",
        why="Microsoft's listings do so.",
        example="vs_2_0\ndcl_position v0\nmov r0, v0.xyyy\n",
        outcome=PRINTED,
        expected="mov r0, v0.xy",
    ),
)
