"""What is legal in a Direct3D 9 shader: every illegal program of the corpus is found, no legal one is, and rules have a case
for and one against."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given

from direct3d9_cases import coverage, needs_corpus, rows, streams, words_of
from direct3d9_findings import check_direct3d9
from effort import times
from lanewise.core.diagnostics import NOTE
from lanewise.direct3d9.check import context
from lanewise.direct3d9.check.rules import RULES, check
from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.isa.program import Shader, Source, make_dest, make_inst, make_source
from lanewise.direct3d9.isa.table import CONST, INPUT, OPS, OUTPUT, TEMP, TEXTURE, VERSIONS, operand_count
from lanewise.direct3d9.text.reader import read_source_text
from lanewise.tools import cli
from together import together
from work import calls

# The programs of the corpus of which the documentation does not say whether they are legal, and what is said here. Those that
# are reported:
REPORTED = {
    "text_empty_ps_1_1": "V313",  # nothing writes r0, and the documentation says that a pixel shader must
    "bad_block_comment_open": "P311",  # what is behind it would be lost without a word
    "bad_const_number_vs_3_0": "V302",  # c256: no hardware has more than 256, and 256 is all that every card has
    "bad_sat_texld_ps_2_0": "V306",  # _sat is an instruction modifier of arithmetic in the list of instructions
    "bad_dcl_sampler_bare": "V315",  # dcl_samplerType has three types, and none is not among them
    "bad_def_twice": "V340",  # one of the two has no effect: a warning
    "bad_color_not_mov_ps_2_0": "V325",  # Output Color Register: mov only in shader model 2
    "bad_color_gap": "V328",  # Output Color Register: oC0 to oCn-1 must be written too
    "bad_depth_vector": "V330",  # Output Depth Register: a replicate swizzle is required
    "text_underscore_dcl_digits": "V310",  # ps_3_0 Registers: v# has one read port
    "bad_comp_const_ps_1_1": "V353",  # Source Register Modifiers: should not be used on constants
    "text_empty_vs_3_0": "V332",  # dcl_usage output: the position must be declared
}
# The others are silent: usages that are odd but have a name (tessfactor, positiont, fog, depth, sample), spellings (capitals,
# several instructions on a line, zeros before an index, a sign before a number, _sat twice), a predicated nop, a swizzle at a
# sampler in ps_3_0, an offset beyond c255 (a0 may be negative), ps_1_0.

# Programs that the corpus calls legal and that read two c#: the documentation gives one read port to each version, and two
# reads in one instruction to shader model 2, which the corpus took for two registers.
TWO_CONSTANTS = (
    *("op_mad_ps_2_0", "op_mad_ps_3_0", "op_dp2add_ps_2_x", "op_dp2add_ps_3_0", "src_neg_ps_2_0", "dst_sat_ps_2_0"),
    *("dst_pp_ps_2_0", "dst_sat_ps_2_x", "dst_pp_ps_2_x", "dst_pp_ps_3_0", "real_wave_sincos_vs_2_0", "real_normal_map_ps_2_0"),
)

_VS = "vs_2_0\ndcl_position v0\nmov oPos, v0\n"
_VS_2X = "vs_2_x\ndcl_position v0\nmov oPos, v0\n"
_LIT = "vs_2_0\ndcl_position v0\ndcl_normal v1\nm4x4 oPos, v0, c0\n"
_VS_3 = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\n"
_PS_2X = "ps_2_x\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\n"
_PS_3 = "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexld r0, v0, s0\n"
_SINCOS = "def c0, -1.5500992e-006, -2.1701389e-005, 0.0026041667, 0.00026041668\ndef c1, -0.020833334, -0.125, 1, 0.5\n"


def codes(text: str) -> set[str]:
    return {finding.code for finding in check_direct3d9(text.encode(), "x.vsa") if finding.severity != NOTE}


@needs_corpus
def test_illegal_programs_are_found_and_legal_ones_are_not():
    seen = {"legal": 0, "illegal": 0, "unclear": 0}
    for row in rows():
        found = codes(row["text"]) if row["name"] != "bad_no_version" else {"P310"}
        seen[row["expect"]] += 1
        if row["expect"] == "unclear":
            assert found == ({REPORTED[row["name"]]} if row["name"] in REPORTED else set()), row["name"]
        elif row["name"] in TWO_CONSTANTS:
            assert found == {"V310"}, row["name"]
        else:
            assert bool(found) is (row["expect"] == "illegal"), (row["name"], found)
    assert min(seen.values()) > 40


@needs_corpus
def test_words_are_judged_as_the_text_is():
    for row in rows():
        if row["words"] and not row.get("quirk"):
            shader = read_stream(words_of(row)).shader
            assert shader is not None
            text = codes(row["text"])
            if not any(code.startswith("P") for code in text):
                assert {finding.code for finding in check(shader, "x")} == text, row["name"]


# For each rule a program that breaks it, at the line given, and one that is like it and does not.
CASES = [
    ("V301", "vs_2_0\ndcl_position v0\ncmp oPos, v0, v0, v0\n", 3, _VS),
    ("V301", "ps_2_0\ndcl t0\ndsx r0, t0\nmov oC0, r0\n", 3, "ps_2_x\ndcl t0\ndsx r0, t0\nmov oC0, r0\n"),
    ("V302", "vs_2_0\ndcl_position v0\nm4x4 oPos, v0, c253\n", 3, "vs_2_0\ndcl_position v0\nm4x4 oPos, v0, c252\n"),
    ("V302", "ps_2_0\nmov oC0, c32\n", 2, "ps_3_0\nmov oC0, c32\n"),
    ("V303", "vs_2_0\ndcl_position v0\nmov oPos, i0\n", 3, _VS),
    (
        "V303",
        "ps_2_x\ndcl t0\ndcl_2d s0\ntexld r0, t0, c0\nmov oC0, r0\n",
        4,
        "ps_2_x\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n",
    ),
    ("V304", "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov v0, c0\n", 4, _VS),
    (
        "V304",
        "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov a0.x, c0.x\n",
        4,
        "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov a0.x, c0.x\n",
    ),
    (
        "V305",
        "vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nmov oPos, v[a0.x]\n",
        4,
        "vs_3_0\ndcl_position v0\ndcl_position o0\nmova a0.x, v0.x\nmov o0, v[a0.x]\n",
    ),
    ("V306", "vs_2_0\ndcl_position v0\nmov_sat oPos, v0\n", 3, "vs_3_0\ndcl_position v0\ndcl_position o0\nmov_sat o0, v0\n"),
    ("V306", "ps_1_1\ntex t0\nmul_x8 r0, t0, t0\n", 3, "ps_1_4\ntexld r0, t0\nmul_x8 r0, r0, r0\n"),
    ("V306", "ps_1_4\ntexld r0, t0\nmov_pp r0, r0\n", 3, "ps_2_0\nmov_pp r0, c0\nmov oC0, r0\n"),
    ("V307", "ps_2_0\nmov r0, -c0_bx2\nmov oC0, r0\n", 2, "ps_1_1\nmov r0, -c0_bx2\n"),
    ("V307", "vs_2_0\ndcl_position v0\nmov oPos, v0_abs\n", 3, "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0_abs\n"),
    (
        "V308",
        "vs_2_0\ndcl_position v0\nmov oPos, v0\nm3x3 r0, v0, c0\n",
        4,
        "vs_2_0\ndcl_position v0\nmov oPos, v0\nm3x3 r0.xyz, v0, c0\n",
    ),
    ("V308", "ps_1_1\nmov r0, c0\nmov r0.rg, c0\n", 3, "ps_1_4\nmov r0, c0\nmov r0.rg, c0\n"),
    (
        "V308",
        "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oFog, v0\n",
        4,
        "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oFog, v0.x\n",
    ),
    ("V309", "vs_2_0\ndcl_position v0\nrcp oPos, v0\n", 3, "vs_2_0\ndcl_position v0\nrcp oPos, v0.w\n"),
    ("V309", "ps_2_0\nmov r0, c0.yxzw\nmov oC0, r0\n", 2, "ps_2_x\nmov r0, c0.yxzw\nmov oC0, r0\n"),
    ("V310", "vs_1_1\ndcl_position v0\nadd oPos, c0, c1\n", 3, "vs_1_1\ndcl_position v0\nadd oPos, c0, c0.wzyx\n"),
    ("V310", "vs_2_0\ndcl_position v0\nmad oPos, v0, c0, c1\n", 3, "vs_2_0\ndcl_position v0\nmad oPos, v0, c0.x, c0.y\n"),
    ("V310", "ps_3_0\ncmp oC0, c0, c1, c1\n", 2, "ps_1_4\nadd r0, c0, c1\n"),
    ("V310", "vs_2_0\ndcl_position v0\nmad oPos, v0, c0, c[a0.x]\n", 3, "vs_2_sw\ndcl_position v0\nmad oPos, v0, c0, c1\n"),
    (
        "V310",
        "ps_2_0\nmov r0, c0\nadd r0, c0, -c1\nmov oC0, r0\n",
        3,
        "ps_2_0\nmov r1, c0\nsincos r0.xy, r1.x, c0, c1\nmov r0.zw, c0\nmov oC0, r0\n",
    ),
    ("V310", "vs_3_0\ndcl_position o0\nadd o0, c0_abs, c0\n", 3, "vs_3_0\ndcl_position o0\nadd o0, c0_abs, -c0_abs\n"),
    (
        "V311",
        "vs_2_0\ndcl_position v0\nmov r0, v0\nm4x4 r0, r0, c0\nmov oPos, r0\n",
        4,
        "vs_2_0\ndcl_position v0\nmov r1, v0\nm4x4 r0, r1, c0\nmov oPos, r0\n",
    ),
    (
        "V312",
        "vs_2_0\ndcl_position v0\nmov r0.xy, v0\nmov oPos, r0\n",
        4,
        "vs_2_0\ndcl_position v0\nmov r0.xy, v0\nmov oPos, r0.xyxy\n",
    ),
    (
        "V312",
        "vs_2_0\ndcl_position v0\nif b0\nmov r0, v0\nelse\nmov r1, v0\nendif\nmov oPos, r2\n",
        8,
        "vs_2_0\ndcl_position v0\nif b0\nmov r0, v0\nelse\nmov r0, -v0\nendif\nmov oPos, r0\n",
    ),
    ("V312", "vs_2_0\ndcl_position v0\nrep i0\nadd r0, r0, v0\nendrep\nmov oPos, v0\n", None, _VS),
    ("V312", "ps_1_4\ntexld r0, t0\nphase\nmov r0.rgb, r0.a\n", 4, "ps_1_4\ntexld r0, t0\nphase\nmov r0.rgb, r0.r\n"),
    ("V313", "vs_2_0\ndcl_position v0\nmov r0, v0\n", 3, _VS),
    ("V313", "ps_2_0\nmov r0, c0\n", 2, "ps_2_0\nmov oC0, c0\n"),
    ("V314", "vs_2_0\nmov oPos, v0\n", 2, _VS),
    ("V315", "ps_2_0\ndcl_texcoord1 t0\nmov oC0, t0\n", 2, "ps_2_0\ndcl t0\nmov oC0, t0\n"),
    (
        "V316",
        "vs_2_0\ndcl_position v0\nmov oPos, v0\ndef c0, 0, 0, 0, 0\n",
        4,
        "vs_2_0\ndcl_position v0\ndef c0, 0, 0, 0, 0\nmov oPos, v0\n",
    ),
    ("V317", "ps_1_1\ntex t0\n" + "mov r0, t0\n" * 9, 11, "ps_1_1\ntex t0\n" + "mov r0, t0\n" * 8),
    ("V317", "ps_1_4\n" + "mov r0, c0\n" * 9, 10, "ps_1_4\n" + "mov r0, c0\n" * 8 + "phase\n" + "mov r0, c0\n" * 8),
    ("V318", _VS + "if b0\n", 4, _VS + "if b0\nendif\n"),
    (
        "V318",
        "vs_2_x\ndcl_position v0\nmov oPos, v0\nbreak\n",
        4,
        "vs_2_x\ndcl_position v0\nmov oPos, v0\nrep i0\nbreak\nendrep\n",
    ),
    (
        "V318",
        "vs_2_0\ndcl_position v0\nmov oPos, c[aL]\n",
        3,
        "vs_2_0\ndcl_position v0\nloop aL, i0\nmov oPos, c[aL]\nendloop\n",
    ),
    (
        "V319",
        _VS + "rep i0\nrep i1\nendrep\nendrep\n",
        5,
        "vs_2_x\ndcl_position v0\nmov oPos, v0\nrep i0\nrep i1\nendrep\nendrep\n",
    ),
    ("V319", _VS + "if b0\nendif\n" * 17, 36, _VS + "if b0\nendif\n" * 16),
    ("V320", _VS + "call l0\nret\n", 4, _VS + "call l0\nret\nlabel l0\nret\n"),
    ("V320", _VS + "call l0\nlabel l0\nret\n", 5, _VS + "call l0\nret\nlabel l0\nret\n"),
    (
        "V321",
        "vs_2_x\ndcl_position v0\nmov oPos, v0\nsetp_gt p0, v0, c0\n(p0) if b0\nendif\n",
        5,
        "vs_2_x\ndcl_position v0\nsetp_gt p0, v0, c0\n(p0) mov oPos, v0\n",
    ),
    ("V322", "ps_1_1\ntex t0\nmov r0.rgb, t0\n+mov r0.rgb, v0\n", 4, "ps_1_1\ntex t0\nmov r0.rgb, t0\n+mov r0.a, v0\n"),
    ("V323", "ps_1_1\ntex t0\nmov r0, t0\ntex t1\n", 4, "ps_1_1\ntex t0\ntex t1\nmov r0, t0\n"),
    ("V323", "ps_1_4\nmov r0, v0\nphase\nmov r0, r0\n", 2, "ps_1_4\nmov r1, c0\nphase\nmov r0, v0\n"),
    (
        "V324",
        "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3tex t2, t0\nmov r0, t2\n",
        4,
        "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3\n",
    ),
    # Restrictions of single instructions and registers in the documentation.
    (
        "V304",
        "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov r0, v0\nnrm oT0, r0\n",
        5,
        _VS + "mov r0, v0\nnrm r1, r0\nmov oT0, r1\n",
    ),
    ("V304", _VS + "mov r0, v0\ncrs oT0.xyz, r0, c0\n", 5, _VS + "mov r0, v0\ncrs r1.xyz, r0, c0\n"),
    ("V304", _VS_3 + "dcl_texcoord o1\nsincos o1.xy, c0.x\n", 6, _VS_3 + "sincos r0.xy, c0.x\n"),
    ("V304", "ps_2_0\ndcl t0\ndcl_2d s0\ntexld oC0, t0, s0\n", 4, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexld oC0, v0, s0\n"),
    (
        "V304",
        "vs_3_0\ndcl_position o0\ndcl_2d s0\ntexldl o0, c0, s0\n",
        4,
        (
            "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexldl oC0, v0, s0\ntexldd oC1, v0, s0, v0, v0\ntexldp oC2, v0, s0\n"
            "texldb oC3.x, v0, s0\n"
        ),
    ),
    ("V306", "ps_2_0\nmov_sat oC0, c0\n", 2, "ps_2_0\nmov_pp oC0, c0\n"),
    ("V306", "ps_2_x\nmov r0, c0\nmov oC0, r0\nmov_sat oDepth, r0.x\n", 4, "ps_3_0\nmov_sat oC0, c0\n"),
    (
        "V306",
        "ps_3_0\ndcl_texcoord v0\nadd_centroid oC0, v0, c0\n",
        3,
        "ps_3_0\ndcl_texcoord_centroid v0\ndcl_2d s0\ntexld_centroid oC0, v0, s0\n",
    ),
    ("V307", "ps_1_4\nmov r0, -c0\n", 2, "ps_1_4\nmov r0, c0\nmov r0, -r0\n"),
    ("V307", "ps_1_1\ntex t0\ntexbem t1, t0_bx2\nmov r0, t1\n", 3, "ps_1_2\ntex t0\ntexbem t1, t0_bx2\nmov r0, t1\n"),
    (
        "V307",
        "ps_1_2\ntex t0\ntexreg2ar t1, t0_bx2\nmov r0, t1\n",
        3,
        "ps_1_1\ntex t0\ntexm3x2pad t1, t0_bx2\ntexm3x2tex t2, t0_bx2\nmov r0, t2\n",
    ),
    (
        "V308",
        "ps_2_x\ndcl t0\ndcl_2d s0\ntexld r0.xy, t0, s0\nmov oC0, r0.xyxy\n",
        4,
        "ps_2_x\ndcl t0\ndcl_2d s0\ntexldd r0.xy, t0, s0, t0, t0\nmov r0.zw, c0\nmov oC0, r0\n",
    ),
    ("V308", "ps_1_1\nmov r0, c0\ndp3 r0.a, c0, c1\n", 3, "ps_1_1\nmov r0, c0\ndp3 r0.rgb, c0, c1\n"),
    ("V309", "ps_1_1\ntex t0\nmov r0, t0.b\n", 3, "ps_1_1\ntex t0\nmov r0, t0\nmov r0.a, t0.b\n"),
    (
        "V309",
        "ps_2_x\ndcl t0\ndcl_2d s0\ntexld r0, t0.yxzw, s0\nmov oC0, r0\n",
        4,
        "ps_2_x\ndcl t0\ndcl_2d s0\ntexldd r0, t0.yxzw, s0, t0.x, t0.y\nmov oC0, r0\n",
    ),
    (
        "V310",
        "vs_2_0\ndcl_position v0\ndcl_normal v1\nadd oPos, v0, v1\n",
        4,
        "vs_2_0\ndcl_position v0\nadd oPos, v0, -v0.wzyx\n",
    ),
    (
        "V310",
        "vs_3_0\ndcl_position v0\ndcl_normal v1\ndcl_position o0\nadd o0, v0, v1\n",
        5,
        "vs_3_sw\ndcl_position v0\ndcl_normal v1\ndcl_position o0\nadd o0, v0, v1\n",
    ),
    (
        "V310",
        "vs_2_x\ndcl_position v0\ndcl_normal v1\nmov oPos, v0\nif_gt v0.x, v1.x\nendif\n",
        5,
        "vs_2_x\ndcl_position v0\nmov oPos, v0\nif_gt v0.x, v0.y\nendif\n",
    ),
    (
        "V310",
        "ps_2_0\ndcl t0\ndcl t1\nadd r0, t0, t1\nmov oC0, r0\n",
        4,
        "ps_2_0\ndcl t0\ndcl v0\nadd r0, t0, v0\nmov oC0, r0\n",
    ),
    ("V310", "ps_3_0\ndcl_texcoord v0\ndcl_color v1\nadd oC0, v0, v1\n", 4, "ps_3_0\ndcl_texcoord v0\nadd oC0, v0, v0.wzyx\n"),
    ("V311", _VS + "mov r1, v0\nnrm r1, r1\n", 5, _VS + "mov r1, v0\nnrm r2, r1\n"),
    ("V311", _VS + "mov r1, v0\nmov r2, v0\nm3x2 r2.xy, v0, r1\n", 6, _VS + "mov r1, v0\nmov r2, v0\nm3x2 r3.xy, v0, r1\n"),
    (
        "V314",
        _VS.replace("mov oPos, v0", "m4x4 oPos, c0, v0"),
        3,
        _VS.replace("mov oPos, v0", "m4x4 oPos, v0, c0"),
    ),
    (
        "V314",
        "vs_3_0\ndcl_position o0\nmova a0.x, c0.x\nmov o0, v[a0.x]\n",
        4,
        "vs_3_0\ndcl_position o0\ndcl_normal v3\nmova a0.x, c0.x\nmov o0, v[a0.x]\n",
    ),
    (
        "V317",
        "ps_1_4\ntexcrd r1.rgb, t0\nmov r0, c0\nbem r0.rg, r0, r1\nbem r0.rg, r0, r1\nphase\nmov r0, r0\n",
        5,
        "ps_1_4\ntexcrd r1.rgb, t0\nmov r0, c0\nbem r0.rg, r0, r1\nphase\nmov r0, c0\n",
    ),
    ("V319", _VS_2X + "if b0\nendif\n" * 17, 36, _VS_2X + "if_gt c0.x, c1.x\nelse\nendif\n" * 17),
    (
        "V319",
        _VS_2X + "call l0\n" * 17 + "ret\nlabel l0\nret\n",
        20,
        _VS_2X + "setp_gt p0, v0, c0\n" + "callnz l0, p0.x\n" * 17 + "ret\nlabel l0\nret\n",
    ),
    (
        "V319",
        _PS_3 + "mov oC0, r0\n" + "if_gt r0.x, c0.x\n" * 25 + "endif\n" * 25,
        30,
        _PS_3 + "mov oC0, r0\n" + "if_gt r0.x, c0.x\nif b0\n" * 24 + "endif\n" * 48,
    ),
    (
        "V322",
        "ps_1_4\nmov r0, c0\nmov r0.rgb, c0\n+dp4 r0.a, r0, r0\n",
        4,
        "ps_1_4\nmov r0, c0\nmov r0.rgb, c0\n+mul r0.a, r0, r0\n",
    ),
    (
        "V323",
        "ps_1_4\ntexcrd r1.rgb, t0\nmov r0, c0\nphase\nbem r0.rg, r0, r1\n",
        5,
        "ps_1_4\ntexcrd r1.rgb, t0\nmov r0, c0\nbem r0.rg, r0, r1\nphase\nmov r0, c0\n",
    ),
    ("V325", "ps_2_0\ndcl t0\nmul oC0, t0, c0\n", 3, "ps_3_0\ndcl_texcoord v0\nmul oC0, v0, c0\n"),
    ("V325", "ps_2_0\nmov oC0, c0\nadd oDepth, c0.x, c1.x\n", 3, "ps_2_0\nmov oC0, c0\nmov oDepth, c0.x\n"),
    ("V326", "ps_2_0\ndcl t0\nmov oC0, t0.wzyx\n", 3, "ps_3_0\ndcl_texcoord v0\nmov oC0, v0.wzyx\n"),
    ("V326", "ps_2_0\ndcl t0\nmov oC0, -t0\n", 3, "ps_2_0\ndcl t0\nmov oC0, t0\n"),
    ("V326", "ps_2_0\nmov oC0, c0\nmov oDepth, -c0.x\n", 3, "ps_2_0\nmov oC0, c0\nmov oDepth, c0.x\n"),
    ("V327", "ps_2_0\nmov oC0, c0\nmov oC0, c1\n", 3, "ps_3_0\nmov oC0, c0\nmov oC0, c1\n"),
    ("V327", "ps_2_0\nmov oC0, c0\nmov oDepth, c0.x\nmov oDepth, c0.x\n", 4, "ps_2_0\nmov oC0, c0\nmov oC1, c0\n"),
    ("V328", "ps_2_0\nmov oC0, c0\nmov oC2, c0\n", 3, "ps_2_0\nmov oC2, c0\nmov oC1, c0\nmov oC0, c0\n"),
    ("V329", _PS_2X + "if_gt r0.x, c0.x\nmov oC0, r0\nendif\n", 6, _PS_2X + "if b0\nmov oC0, r0\nendif\n"),
    ("V329", _PS_2X + "setp_gt p0, r0, c0\n(p0) mov oC0, r0\n", 6, _PS_3 + "setp_gt p0, r0, c0\n(p0) mov oC0, r0\n"),
    (
        "V329",
        _PS_2X + "mov oC0, r0\nif b0\nmov oDepth, r0.x\nendif\n",
        7,
        _PS_3 + "mov oC0, r0\nif b0\nmov oDepth, r0.x\nendif\n",
    ),
    (
        "V329",
        _PS_2X + "rep i0\nif_gt r0.x, c0.x\nbreak\nendif\nmov oC0, r0\nendrep\n",
        9,
        _PS_2X + "rep i0\nmov oC0, r0\nendrep\n",
    ),
    (
        "V329",
        _PS_2X + "setp_gt p0, r0, c0\ncallnz l0, p0.x\nret\nlabel l0\nmov oC0, r0\nret\n",
        9,
        _PS_2X + "callnz l0, b0\nret\nlabel l0\nmov oC0, r0\nret\n",
    ),
    ("V330", "ps_3_0\nmov oC0, c0\nmov oDepth, c0\n", 3, "ps_3_0\nmov oC0, c0\nmov oDepth, c0.w\n"),
    ("V330", "ps_3_0\nmov oC0, c0\nmov oDepth.x, c0.x\n", 3, "ps_3_0\nmov oC0, c0\nadd oDepth, c0, c1\n"),
    (
        "V331",
        _PS_3 + "mov oC0, r0\nif_gt r0.x, c0.x\nmov oDepth, r0.x\nendif\n",
        7,
        _PS_3 + "mov oC0, r0\nif_gt r0.x, c0.x\nmov oDepth, r0.x\nelse\nmov oDepth, r0.y\nendif\n",
    ),
    (
        "V331",
        _PS_3 + "mov oC0, r0\nsetp_gt p0, r0, c0\n(p0.x) mov oDepth, r0.x\n",
        7,
        _PS_3 + "mov oC0, r0\nsetp_gt p0, r0, c0\n(p0.x) mov oDepth, r0.x\n(!p0.x) mov oDepth, r0.y\n",
    ),
    (
        "V331",
        _PS_3 + "mov oC0, r0\nrep i0\nmov oDepth, r0.x\nendrep\n",
        7,
        _PS_3 + "mov oC0, r0\nmov oDepth, c0.x\nrep i0\nmov oDepth, r0.x\nendrep\n",
    ),
    ("V332", "vs_3_0\ndcl_texcoord o0\nmov o0, c0\n", 0, "vs_3_0\ndcl_position o0\ndcl_position1 o1.xy\nmov o0, c0\n"),
    ("V332", "vs_3_0\ndcl_position o0.xy\nmov o0.xy, c0\n", 2, "vs_2_0\nmov oPos, c0\n"),
    ("V333", "vs_1_1\ndcl_position v0\nmov oPos.xyz, v0\n", 3, "vs_1_1\ndcl_position v0\nmov oPos.xyz, v0\nmov oPos.w, c0.x\n"),
    (
        "V333",
        "vs_3_0\ndcl_position o0\nmov o0.xy, c0\n",
        3,
        "vs_3_0\ndcl_position o0\ndcl_texcoord o1\nloop aL, i0\nmov o[aL], c0\nendloop\n",
    ),
    ("V334", _VS_3 + "dcl_texcoord1 o1.xy\ndcl_texcoord1 o2\n", 6, _VS_3 + "dcl_texcoord1 o1.xy\ndcl_texcoord2 o2\n"),
    ("V334", "ps_3_0\ndcl_texcoord v0.xy\ndcl_texcoord v1\nmov oC0, v1\n", 3, "vs_2_0\ndcl_position v0\nmov oPos, v0\n"),
    ("V335", _VS_3 + "dcl_texcoord1 o1.xy\ndcl_texcoord2 o1.yz\n", 6, _VS_3 + "dcl_texcoord1 o1.xy\ndcl_texcoord2 o1.zw\n"),
    (
        "V335",
        "ps_3_0\ndcl_texcoord v0\ndcl_color v0.w\nmov oC0, v0\n",
        3,
        "ps_3_0\ndcl_texcoord v0.xyz\ndcl_color v0.w\nmov oC0, v0\n",
    ),
    ("V336", _VS_3 + "dcl_psize o1.x\nmov o1.x, c0\n", 5, _VS_3 + "dcl_psize o1\nmov o1, c0.x\n"),
    ("V336", _VS_3 + "dcl_texcoord o1.xy\ndcl_psize o1\n", 6, _VS_3 + "dcl_texcoord o1.xy\ndcl_psize1 o1.z\n"),
    (
        "V337",
        _VS_3 + "".join(f"dcl_texcoord{n} o{n}\n" for n in range(1, 12)),
        15,
        _VS_3 + "dcl_psize o1\n" + "".join(f"dcl_texcoord{n} o{n}\n" for n in range(2, 12)),
    ),
    ("V338", _VS_3 + "dcl_texcoord o1.xy\nmov o1, v0\n", 6, _VS_3 + "dcl_texcoord o1.xy\ndcl_color o1.zw\nmov o1, v0\n"),
    ("V339", "ps_3_0\ndcl vPos\nmov oC0, vPos.x\n", 2, "ps_3_0\ndcl vPos.xy\ndcl vFace\nmov oC0, vPos.x\n"),
    (
        "V340",
        "ps_2_0\ndef c0, 1, 1, 1, 1\ndef c0, 0, 0, 0, 0\nmov oC0, c0\n",
        3,
        "ps_2_0\ndef c0, 1, 1, 1, 1\ndef c1, 0, 0, 0, 0\nmov oC0, c0\n",
    ),
    ("V311", _VS + "mov r1, v0\npow r1, r1.x, r1.y\n", 5, _VS + "mov r1, v0\npow r2, r1.x, r1.y\n"),
    ("V341", _VS + "mov r1, v0\npow oT0.x, r1.x, c0.y\n", 5, _VS + "mov r1, v0\npow r1, r1.x, c0.y\n"),
    (
        "V342",
        _VS.replace("dcl", _SINCOS + "dcl") + "sincos r0.xy, v0.x, c1, c0\n",
        6,
        _VS.replace("dcl", _SINCOS + "dcl") + "sincos r0.xy, v0.x, c0, c1\n",
    ),
    ("V342", _VS + "sincos r0.xy, v0.x, c2, c2\n", 4, _VS + "sincos r0.xy, v0.x, c2, c3\n"),
    (
        "V342",
        _VS_2X + "setp_gt p0, v0, c0\nmov r0, c0\n(p0) sincos r0.xy, v0.x, c2, c3\n",
        6,
        _VS_2X + "setp_gt p0, v0, c0\nmov r0, c0\n(p0.x) sincos r0.xy, v0.x, c2, c3\n",
    ),
    (
        "V343",
        _VS + "mov r0, v0\nsincos r0.x, v0.x, c2, c3\nmov oT0, r0.y\n",
        6,
        _VS + "mov r0, v0\nsincos r0.x, v0.x, c2, c3\nmov oT0, r0.w\n",
    ),
    ("V343", _VS + "sgn r0, v0, r1, r2\nmov oT0, r2\n", 5, _VS + "sgn r0, v0, r1, r2\nmov r2, c0\nmov oT0, r2\n"),
    (
        "V343",
        _VS + "mov r0, v0\nsincos r0.xy, v0.x, c2, c3\nif b0\nmov oT0, r0.z\nendif\n",
        7,
        _VS + "mov r0, v0\nif b0\nsincos r0.xy, v0.x, c2, c3\nendif\nmov oT0, r0.z\n",
    ),
    (
        "V344",
        _VS.replace("dcl", "defi i0, 256, 0, 1, 0\ndcl") + "rep i0\nendrep\n",
        2,
        _VS.replace("dcl", "defi i0, 255, 999, 999, 9\ndcl") + "rep i0\nendrep\n",
    ),
    (
        "V344",
        _VS.replace("dcl", "defi i0, 2, -1, 1, 0\ndcl") + "loop aL, i0\nendloop\n",
        2,
        _VS.replace("dcl", "defi i0, 2, 255, -128, 0\ndcl") + "loop aL, i0\nendloop\n",
    ),
    (
        "V344",
        _VS.replace("dcl", "defi i0, 2, 0, 200, 0\ndcl") + "loop aL, i0\nendloop\n",
        2,
        _VS.replace("dcl", "defi i0, 2, 0, 127, 0\ndcl") + "loop aL, i0\nendloop\n",
    ),
    (
        "V344",
        _VS.replace("dcl", "defi i0, 2, 0, 1, 1\ndcl") + "loop aL, i0\nendloop\n",
        2,
        _VS.replace("dcl", "defi i1, 2, 0, 1, 1\ndcl") + "loop aL, i0\nendloop\n",
    ),
    ("V344", _VS.replace("dcl", "defi i1, 300, 300, 300, 0\ndcl"), 2, _VS.replace("dcl", "defi i1, 255, 0, 1, 0\ndcl")),
    (
        "V345",
        "ps_2_0\ndcl t0\ndcl_2d s0\n"
        + "".join(f"texld r{n + 1}, {f'r{n}' if n else 't0'}, s0\n" for n in range(5))
        + "mov oC0, r5\n",
        8,
        "ps_2_0\ndcl t0\ndcl_2d s0\n"
        + "".join(f"texld r{n + 1}, {f'r{n}' if n else 't0'}, s0\n" for n in range(4))
        + "mov oC0, r4\n",
    ),
    (
        "V345",
        "ps_2_0\ndcl t0\ndcl_2d s0\n" + "texld r0, t0, s0\n" * 5 + "mov oC0, r0\n",
        8,
        "ps_2_0\ndcl t0\ndcl_2d s0\n" + "texld r0, t0, s0\nmul r0, r0, c0\nmov r0, c0\n" * 5 + "mov oC0, r0\n",
    ),
    (
        "V346",
        _PS_3 + "mov oC0, r0\nif_gt r0.x, c0.x\ntexld r1, r0, s0\nendif\n",
        7,
        _PS_3 + "mov oC0, r0\nif_gt r0.x, c0.x\ntexld r1, v0, s0\ntexldl r1, r0, s0\nendif\n",
    ),
    (
        "V346",
        _PS_3 + "mov oC0, r0\nrep i0\ndsx r1, r0\nbreak_gt r0.x, c0.x\nendrep\n",
        7,
        _PS_3 + "mov oC0, r0\nrep i0\nif b0\ndsx r1, r0\nendif\nendrep\n",
    ),
    (
        "V346",
        _PS_3 + "mov oC0, r0\nif_gt r0.x, c0.x\ncall l0\nendif\nret\nlabel l0\ndsy r1, r0\nret\n",
        11,
        _PS_3 + "mov oC0, r0\ncall l0\nret\nlabel l0\ndsy r1, r0\nret\n",
    ),
    (
        "V347",
        _PS_3 + "mov oC0, r0\nsetp_gt p0, r0, c0\n(p0) dsx r1, r0\n",
        7,
        _PS_3 + "mov oC0, r0\nsetp_gt p0, r0, c0\n(p0) dsx r1, v0\n",
    ),
    ("V348", _VS_2X + "if b0\nret\nendif\nret\n", 7, _VS + "call l0\nret\nlabel l0\nret\n"),
    (
        "V349",
        "ps_1_1\ntex t0\ntexbem t1, t0\nadd r0, t1, t0\n",
        4,
        "ps_1_1\ntex t0\ntexbem t1, t0\ntexbem t2, t0\nadd r0, t1, t2\n",
    ),
    (
        "V350",
        "ps_1_4\ntexld r0, t0.xyw\ntexld r1, t0\nadd r0, r0, r1\n",
        3,
        "ps_1_4\ntexld r0, t0.xyw\ntexld r1, t0_dw.xyw\nadd r0, r0, r1\n",
    ),
    (
        "V351",
        "ps_1_4\ntexcrd r3.rgb, t0\nphase\n" + "".join(f"texld r{n}, r3_dz\n" for n in range(3)) + "mov r0, r0\n",
        6,
        "ps_1_4\ntexcrd r3.rgb, t0\nphase\n" + "".join(f"texld r{n}, r3_dz\n" for n in range(2)) + "mov r0, r0\n",
    ),
    ("V353", "ps_1_1\nmov r0, 1-c0\n", 2, "ps_1_1\nmov r0, c0\nmov r0, 1-r0\n"),
    ("V354", f"{_LIT}m4x3 r0.xyz, v1, c0\nmov oD0, r0.xyzz\n", 5, f"{_LIT}m3x3 r0.xyz, v1, c0\nmov oD0, r0.xyzz\n"),
    ("V354", f"{_LIT}dp4 r0, v1, c2\nmov oD0, r0\n", 5, f"{_LIT}dp4 r0, v1, c4\nmov oD0, r0\n"),
    ("V354", f"{_LIT}dp4 r0, c2, v1\nmov oD0, r0\n", 5, f"{_LIT}dp4 r0, c2, v1.xyzz\nmov oD0, r0\n"),
    (
        "V352",
        "vs_2_0\ndcl_position v0\ndcl_normal v0\nmov oPos, v0\n",
        3,
        "vs_2_0\ndcl_position v0\ndcl_normal v1\nmov oPos, v0\n",
    ),
    ("V352", "vs_3_0\ndcl_position v0\ndcl_position v1\ndcl_position o0\nmov o0, v0\n", 3, _VS_3),
    (
        "V352",
        "ps_2_0\ndcl t0\ndcl_2d s0\ndcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0\n",
        4,
        "ps_3_0\ndcl_texcoord v0.xy\ndcl_color v0.zw\nmov oC0, v0\n",
    ),
]


@together(("code", "wrong", "line", "right"), CASES)
def test_a_rule_finds_what_is_wrong_and_nothing_else(code: str, wrong: str, line: int | None, right: str):
    found = check_direct3d9(wrong.encode(), "x.vsa")
    if line is not None:
        assert (code, line) in {(finding.code, finding.span.line) for finding in found}
        assert all(finding.fix for finding in found)
    else:
        assert code not in {finding.code for finding in found}, "a loop may have been through before"
    assert code not in codes(right)


def test_every_rule_has_a_case():
    assert {rule.code for rule in RULES} == {code for code, *_ in CASES}


@pytest.mark.parametrize("version", ["ps_2_0", "ps_2_x"])
def test_what_writes_temporaries_only_is_moved_to_an_output(version: str):
    (found,) = check_direct3d9(f"{version}\ndcl t0\ndcl_2d s0\ntexld oC0, t0, s0\n".encode(), "x.vsa")
    assert found.code == "V304" and found.fix == "write r#, then mov the result"
    (found,) = check_direct3d9(f"{version}\ndcl t0\ndcl_2d s0\ntexld c0, t0, s0\nmov r0, c0\nmov oC0, r0\n".encode(), "x.vsa")
    assert found.code == "V304" and found.fix == "write one of r#", "mov cannot write it either"


def test_the_count_of_a_definition_that_nothing_reads():
    (found,) = check_direct3d9(_VS.replace("dcl", "defi i1, 300, 300, 300, 0\ndcl").encode(), "x.vsa")
    assert found.message == "count i1.x is 300: expected 0 to 255"


def test_a_register_that_does_not_exist_is_one_finding():
    assert codes("vs_2_0\ndcl_position v0\nmov oPos, v0\nmov r0, v16\n") == {"V302"}, "and not to be declared"
    assert codes("ps_2_0\nmov oC0, c0\nmov oC8, c0\n") == {"V302"}, "and asks for no oC1 to oC7"
    assert codes("ps_2_0\ndcl t0\ndcl_2d s0\ntexld oC0, t0, s0\n") == {"V304"}, "and mov is not the only fault"
    assert codes("vs_3_0\ndcl_position o0.xy\nmov o0.xy, c0\n") == {"V332"}, "and its other components are not to be written"
    assert codes("vs_3_0\ndcl_position o0\ndcl_psize o1\ndcl_texcoord o1.xy\nmov o0, c0\n") == {"V336"}, (
        "and does not overlap too"
    )
    (found,) = check_direct3d9(b"vs_3_0\ndcl_position o0\nmova a0.x, c0.x\nmov o0, v[a0.x]\n", "x.vsa")
    assert found.message == "v[...] is indexed, but no v# is declared"
    assert found.fix == "declare each v# that the index can reach, such as dcl_texcoord v0"


def test_numbers_of_microsoft_are_there_where_they_are_known():
    alias = "vs_2_0\ndcl_position v0\nm3x3 r0.xyz, r0, c5\nmov oPos, v0\n"
    notes = {finding.code: finding.notes for finding in check_direct3d9(alias.encode(), "x")}
    assert notes["V311"] == ("Microsoft: X5335",)
    assert notes["V312"] == ("Microsoft: X5036",)


def test_subroutines_and_loops_may_have_written():
    called = "vs_2_0\ndcl_position v0\ncall l0\nmov oPos, r0\nret\nlabel l0\nmov r0, v0\nret\n"
    assert not codes(called)
    later = "vs_2_0\ndcl_position v0\nmov r1, v0\nrep i0\nadd r1, r1, r2\nmov r2, v0\nendrep\nmov oPos, r1\n"
    assert "V312" not in codes(later)


@given(streams)
def test_any_stream_is_checked(words: list[int]):
    shader = read_stream(words).shader
    assert shader is not None
    for finding in check(shader, "x"):
        assert finding.fix


def test_every_instruction_of_every_version_is_checked():
    for stream in coverage()[::7]:  # 7 and 16 variants have no common divisor
        shader = read_stream(stream).shader
        assert shader is not None
        check(shader, "x")


MANY = times(500, 2000)


@pytest.mark.parametrize(
    "body",
    [
        [0x00000028 | 1 << 24, 0xE0E40800] * 4 * MANY,  # if b0 without an end
        [0x0100001B] * 4 * MANY,
        [0x02000001, 0x800F0000, 0x80E40001] * 3 * MANY,
        [word for n in range(MANY) for word in (0x02000001, 0x800F0000 | n, 0x80E40000 | n, 0x01000019, 0xA0E41000 | n)],
        [
            word
            for n in range(MANY)
            for word in (0x0100001E, 0xA0E41000 | n, 0x02000001, 0x800F0000 | n, 0x80E40000, 0x01000028, 0xE0E40800)
        ],
        [0x02000026, 0xF0E40000, 0x00000000, 0x00000027] * 3 * MANY,
    ],
)
def test_no_shader_takes_long(body: list[int]):
    shader = read_stream([0xFFFE0300, *body, 0xFFFF]).shader
    assert isinstance(shader, Shader)
    assert len(check(shader, "x")) <= 201
    calls(lambda: check(shader, "x"), most=100 * len(body))


def _any_shader(rng: random.Random) -> Shader:
    """Some instructions of one row, with few registers, so that many have one form."""
    version = rng.choice(VERSIONS)
    op = rng.choice([op for op in OPS if op.sources])
    has_dest, count = operand_count(op, version)
    files = (TEMP, TEMP, CONST, INPUT, TEXTURE)

    def source() -> Source:
        return make_source(
            rng.choice(files), rng.randrange(3), swizzle=rng.choice((0xE4, 0, 0xFF)), modifier=rng.choice((0, 0, 1))
        )

    insts = [
        make_inst(
            op,
            version,
            make_dest(rng.choice((TEMP, TEMP, OUTPUT)), rng.randrange(2)) if has_dest else None,
            tuple([source() for _ in range(count)]),
        )
        for _ in range(3)
    ]
    return Shader(version=version, items=tuple(insts))


def test_an_instruction_whose_form_has_passed_has_no_findings(monkeypatch: pytest.MonkeyPatch):
    """The rules about single instructions find the same whether or not they have seen other instructions before."""
    rng = random.Random(31)
    shaders = [_any_shader(rng) for _ in range(times(600, 20_000))]
    found = [check(shader, "x") for shader in shaders]

    def unlike(inst: object, model: int) -> tuple[object, ...]:
        return (object(),)

    monkeypatch.setattr(context, "form_of", unlike)  # no two forms are the same
    assert found == [check(shader, "x") for shader in shaders]


def test_the_rules_look_at_new_forms_only():
    """They look at all instructions of the first shader of a version, and at none of the second that has the same forms."""
    shader = read_source_text(
        _VS + "".join(f"mad r{n % 12}, r{n % 11}, c{n % 90}, v0\nmad r{n % 12}, v0, c{n}, r{n % 11}\n" for n in range(99)), "x"
    ).shader
    assert shader is not None
    context.passed_forms.cache_clear()
    assert len(context.AnalysisContext(shader).suspects) == len(shader.insts)
    assert {finding.code for finding in check(shader, "x")} == {"V312"}
    assert not context.AnalysisContext(shader).suspects


def test_the_command_checks_sources_and_words(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    source, right = tmp_path / "x.pica", tmp_path / "right.vsa"  # whatever the suffix
    source.write_text("vs_2_0\nmov oPos, v0\n")
    right.write_text(_VS)
    assert cli.main(["check", str(source)]) == 1
    assert "error[V314]: v0 is not declared" in capsys.readouterr().out
    assert cli.main(["check", str(right)]) == 0
    assert cli.main(["asm", str(source), "-o", str(tmp_path / "x.vso")]) == 0
    capsys.readouterr()
    assert cli.main(["check", str(tmp_path / "x.vso"), "--format", "json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert found["code"] == "V314"
    assert found["span"]["offset"] == 4
    assert found["notes"] == ["mov oPos, v0"]
    assert cli.main(["asm", str(source), "-o", str(tmp_path / "x.hex")]) == 0
    (tmp_path / "x.hex").rename(tmp_path / "x.sc")
    assert cli.main(["check", str(tmp_path / "x.sc")]) == 1, "words in a text are no words of the ShaderCore"
    assert "error[V314]" in capsys.readouterr().out
    assert cli.main(["check", str(source), "--format", "github"]) == 1
    assert "title=V314" in capsys.readouterr().out
    assert cli.main(["check", str(source), "--format", "sarif"]) == 1
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"][0]["ruleId"] == "V314"


def test_a_register_to_read_apart():
    """The fix of V310 has the registers of the statement, and works."""
    head = "vs_1_1\ndcl_position v0\n"
    [finding] = check_direct3d9(f"{head}add r0, c4, c5\nmov oPos, r0\n".encode(), "x.vsa")
    assert finding.fix == "write `mov r1, c5` before it, and r1 in the place of c5"
    assert not codes(f"{head}mov r1, c5\nadd r0, c4, r1\nmov oPos, r0\n")
