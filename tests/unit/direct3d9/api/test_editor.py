"""What Direct3D 9 assembly offers to editors."""

from __future__ import annotations

from pathlib import Path

import pytest

from damage import analysed, editor_of
from direct3d9_cases import table
from lanewise.core.document import as_markdown
from lanewise.core.editing import edited
from lanewise.core.occurrences import FILE, LABEL, MACRO, PARAMETER, REGISTER, SAMPLER
from lanewise.core.service import Request, SourceFile
from lanewise.tools.cli import main
from together import together

TEXT = """\
vs_2_0
#define World c0
#define ROW(n) \\
    c[a0.x+n]
def c9, 1, 2, 3, 4
dcl_texcoord1 v1.xy
mova a0.x, v1.x
m4x4 r0, v1, World
add_sat r1.xyz, r0_abs, World[2]
call l0
mov oPos, r1
ret
label l0
add r1.w, ROW(4), -c9.w
ret
"""


def page(text: str, name: str, line: int) -> str:
    analysis = analysed("direct3d9", text)
    found = next(one for one in analysis.occurrences if one.name == name and one.span.line == line)
    return as_markdown(editor_of("direct3d9").describe(analysis, found)).replace("\\", "")


def completed(text: str, line: int, column: int) -> list[str]:
    found = editor_of("direct3d9").complete(analysed("direct3d9", text), "x", text, line, column)
    assert all(one.span.line == line and one.span.column + one.span.length == column for one in found)
    return [one.text for one in found]


def test_occurrences_cover_the_names_alone():
    analysis = analysed("direct3d9", TEXT)
    lines = TEXT.split("\n")
    for one in analysis.occurrences:
        at = one.span.column - 1
        assert lines[one.span.line - 1][at : at + one.span.length] == one.name
    macros = [(one.span.line, one.definition, one.register) for one in analysis.occurrences if one.symbol == "macro World"]
    assert macros == [(2, True, "c0"), (8, False, "c0"), (9, False, "c2")]
    parameters = [(one.span.line, one.span.column, one.definition) for one in analysis.occurrences if one.kind == PARAMETER]
    assert parameters == [(3, 13, True), (4, 12, False)], "the second line of a definition has its own places"
    assert [(one.span.line, one.written) for one in analysis.occurrences if one.symbol == "register r1"] == [
        (9, True),
        (11, False),
        (14, True),
    ]
    (label,) = [one for one in analysis.occurrences if one.kind == LABEL and one.definition]
    assert label.extent is not None
    assert (label.extent.first, label.extent.last) == (13, 15)
    declared = [(one.name, one.kind) for one in analysis.occurrences if one.definition and one.kind not in (MACRO, PARAMETER)]
    assert declared == [("c9", REGISTER), ("texcoord1", "semantic"), ("v1", REGISTER), ("l0", LABEL)]


def test_words_of_statements():
    analysis = analysed("direct3d9", TEXT)
    assert analysis.loaded is not None
    words = list(analysis.loaded.words)
    for one in analysis.placed:
        assert (words[one.address] & 0xFFFF) < 0x100
        following = one.address + one.words
        assert following in {other.address for other in analysis.placed} or words[following] == 0xFFFF
    assert analysis.entries[0].limit == 256


def test_a_damaged_statement_keeps_its_words():
    whole = {one.span.line: one.address for one in analysed("direct3d9", TEXT).placed}
    text = TEXT.replace("add_sat", "ad_sat").replace("dcl_texcoord1", "dcl_texcord1")
    analysis = analysed("direct3d9", text)
    assert {one.span.line: one.address for one in analysis.placed} == whole
    assert [one.span.line for one in analysis.placed if one.damaged] == [6, 9]
    assert analysis.loaded is None


def test_findings_stay_beside_an_error():
    text = "vs_2_0\ndcl_position v0\nadd r0, v0 c0\nadd_pp r1, v0, c0\nadd r2, r3, c0\nmov oPos, r0\n"
    found = {(one.code, one.span.line) for one in analysed("direct3d9", text).findings}
    assert found == {("P303", 3), ("V306", 4), ("V312", 5)}, "what the damaged statement writes is known"
    unknown = text.replace("add r0, v0 c0", "ad r0, v0, c0")
    found = {(one.code, one.span.line) for one in analysed("direct3d9", unknown).findings}
    assert found == {("P301", 3), ("V306", 4)}


@together(
    ("before", "after"),
    [
        ("mvo r0, v0", "mov r0, v0"),
        ("mvo_sat r0, c0, c1", ""),  # mov takes two operands
        ("add r0 v0, c0", "add r0, v0, c0"),
        ("mov r0.yx, v0", "mov r0.xy, v0"),
        ("mov r0.zzx, v0", "mov r0.xz, v0"),
        ("mov r0, c[a0.x+2", "mov r0, c[a0.x+2]"),
        ("mov r0, c[a0+2]", "mov r0, c[a0.x+2]"),
        ("dcl_postion v1", "dcl_position v1"),
        ("cl_position v1", "dcl_position v1"),
        ("dcltexcoord v1", "dcl_texcoord v1"),
        ("m4x r0.xyz, v0, c0", "m4x3 r0.xyz, v0, c0"),  # of the four names the one that may write xyz
        ("m4x r0, v0, c0", "m4x4 r0, v0, c0"),
        (".dwrod 0x00000000", ".dword 0x00000000"),
        ("(p0 mov r0, v0", "(p0) mov r0, v0"),
        ("mov r0, NAME.yy", ""),
    ],
)
def test_edits_of_what_cannot_be_read(before: str, after: str):
    text = f"vs_2_x\n{before}\n"
    finding = next((one for one in analysed("direct3d9", text).findings if one.code[0] == "P"), None)
    assert finding is not None
    assert edited(text, finding.edits) == f"vs_2_x\n{after or before}\n"


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        (
            "V316",
            "vs_2_0\ndcl_position v0\nmov oPos, v0\ndef c0, 0, 0, 0, 0\n",
            "vs_2_0\ndcl_position v0\ndef c0, 0, 0, 0, 0\nmov oPos, v0\n\n",
        ),
        (
            "V340",
            "ps_2_0\ndef c0, 1, 1, 1, 1\ndef c0, 0, 0, 0, 0\nmov oC0, c0\n",
            "ps_2_0\n\ndef c0, 0, 0, 0, 0\nmov oC0, c0\n",
        ),
        ("V314", "ps_2_0\n  mov r0, t0\n  mov oC0, r0\n", "ps_2_0\n  dcl t0\n  mov r0, t0\n  mov oC0, r0\n"),
        (
            "V320",
            "vs_2_0\ndcl_position v0\ncall l0\nret\nlabel l0\nmov oPos, v0\n",
            "vs_2_0\ndcl_position v0\ncall l0\nret\nlabel l0\nmov oPos, v0\nret\n",
        ),
        ("V352", "vs_2_0\ndcl_position v0\ndcl_position v0\nmov oPos, v0\n", "vs_2_0\ndcl_position v0\n\nmov oPos, v0\n"),
    ],
)
def test_edits_of_what_is_not_legal(code: str, before: str, after: str):
    finding = next(one for one in analysed("direct3d9", before).findings if one.code == code)
    assert edited(before, finding.edits) == after
    assert code not in {one.code for one in analysed("direct3d9", after).findings}


def test_a_statement_that_a_macro_gives_has_no_edits():
    text = "vs_2_0\n#define BAD mvo\nBAD r0, v0\n"
    (finding,) = [one for one in analysed("direct3d9", text).findings if one.code == "P301"]
    assert not finding.edits


def test_included_files():
    files = {"common.inc": "#define SCALE c7\n"}
    text = '#include "common.inc"\nvs_1_1\ndcl_position v0\nmul oPos, v0, SCALE\n'
    text = "vs_1_1\n" + text.replace("vs_1_1\n", "")
    request = Request(
        "check", (SourceFile("x", text.encode(), "x"),), {}, language="direct3d9", read_included=files.__getitem__
    )
    analysis = editor_of("direct3d9").analyse(request)
    assert [(one.span.file, one.span.line, one.definition) for one in analysis.occurrences if one.kind == FILE] == [
        ("x", 2, False),
        ("common.inc", 1, True),
    ]
    assert [(one.span.file, one.span.line) for one in analysis.occurrences if one.symbol == "macro SCALE"] == [
        ("x", 4),
        ("common.inc", 1),
    ]


def test_pages():
    assert "vs_2_0, 4 slots" in page(TEXT, "m4x4", 8)
    text = page(TEXT, "r0", 8)
    assert "vs_2_0 has r0 to r11" in text
    assert "live**: in lines 8 to 9" in text
    assert "1, 2, 3, 4" in page(TEXT, "c9", 14)
    assert "`dcl_texcoord1 v1.xy` in line 6" in page(TEXT, "v1", 8)
    assert "#define World c0" in page(TEXT, "World", 9)
    assert "read**: lines 8 and 9" in page(TEXT, "World", 9), "m4x4 reads c2 as the third row"
    assert "called**: line 10" in page(TEXT, "l0", 13)
    assert "0xFFFE0200" in page(TEXT, "vs_2_0", 1)
    assert "below 0" in page(TEXT, "_sat", 9)


def test_live_registers_through_blocks():
    text = """\
vs_2_x
dcl_position v0
mov r0, v0
mov r1, v0
rep i0
add r1, r1, r0
if b0
mov r2, r1
else
mov r2, v0
endif
add r1, r2, r1
endrep
mov oPos, r1
"""
    editor = editor_of("direct3d9")
    about = {one.span.line: one.about for one in editor.remarks(analysed("direct3d9", text), ["live"])}
    assert about[3].endswith("r0.xyzw")
    assert about[4].endswith("r0.xyzw, r1.xyzw")
    assert about[8].endswith("r0.xyzw, r1.xyzw, r2.xyzw"), "r0 is read in the next iteration"
    assert about[12].endswith("r0.xyzw, r1.xyzw")
    assert about[13].endswith("r1.xyzw"), "after endrep"
    assert about[14] == "no register is needed after this"


def test_slots_and_words():
    editor = editor_of("direct3d9")
    shown = {(one.span.line, one.kind): one.text for one in editor.remarks(analysed("direct3d9", TEXT), list(editor.inlays))}
    assert shown[8, "slot"] == "slots 1-4"
    assert shown[9, "slot"] == "slot 5"
    assert shown[13, "slot"] == "no slot"
    assert (6, "slot") not in shown
    assert shown[5, "address"] == "1"
    assert shown[6, "address"] == "7"


def test_completion():
    heads = completed(TEXT, 11, 1)
    assert {"mov", "lit", "dcl_position", "def", "World"} <= set(heads)
    assert not {"texld", "if_gt", "dcl_2d"} & set(heads), "vs_2_0 has none of them"
    assert {"texld", "if_gt", "dcl_2d"} <= set(completed("ps_3_0\n", 2, 1))
    assert "mul_sat" in completed("ps_2_0\nmul_\n", 2, 5)
    assert {"oPos", "r0", "oT7", "r11"} <= set(completed(TEXT, 11, 5))
    assert not {"v1", "c9", "r12"} & set(completed(TEXT, 11, 5))
    assert {"v1", "c9", "World"} <= set(completed(TEXT, 11, 11))
    assert completed("vs_2_0\nmov r0, c[a", 2, 12) == ["a0", "aL"]
    assert completed("ps_3_0\ndcl_2d s0\ntexld r0, v0, s", 3, 16)[0] == "s0"
    assert completed("ps_1_4\nmov r0, r1_", 2, 12) == ["r1_bias", "r1_bx2", "r1_x2", "r1_dz", "r1_db", "r1_dw", "r1_da"]
    assert "vs_2_0" in completed("", 1, 1)
    assert "#define" in completed("vs_2_0\n#de", 2, 4)
    assert completed("vs_2_0\n#define World c0\n#ifdef W\n#endif\n", 3, 9) == ["World"]
    assert completed("vs_2_0\nmov r0, v0 // c", 2, 16) == []
    assert completed("vs_2_0\n/*\nm", 3, 2) == []
    assert completed("vs_2_0\nmov r0.", 2, 8)[:4] == ["x", "y", "z", "w"]


def test_signatures():
    editor = editor_of("direct3d9")
    found = editor.signature(analysed("direct3d9", TEXT), "x", TEXT, 9, 25)
    assert found is not None
    assert (found.label, found.active) == ("add_sat dest, src0, src1", 2)
    assert "oPos" in found.parts[0][1]
    nested = editor.signature(analysed("direct3d9", TEXT), "x", TEXT, 14, 17)
    assert nested is not None
    assert nested.active == 1, "a comma of a macro's arguments is not one of the instruction"
    assert editor.signature(analysed("direct3d9", TEXT), "x", TEXT, 12, 4) is None


def test_samplers():
    text = "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n"
    found = [(one.span.line, one.definition) for one in analysed("direct3d9", text).occurrences if one.kind == SAMPLER]
    assert found == [(3, True), (4, False)]


def test_the_lines_of_an_editor_are_those_of_the_text():
    text = 'vs_1_1\n#line 90 "other.hlsl"\nmvo r0, v0\n'
    (finding,) = [one for one in analysed("direct3d9", text).findings if one.code == "P301"]
    assert (finding.span.file, finding.span.line) == ("x", 3)


@together("text", ["", "\0", "mov", "vs_9_9", "vs_2_0\nmov", "vs_2_0\n#if\n", "vs_2_0 /*", "vs_2_0\nendif\nif b0", ".dword"])
def test_nothing_is_raised(text: str):
    analysis = analysed("direct3d9", text)
    editor = editor_of("direct3d9")
    editor.remarks(analysis, list(editor.inlays))
    editor.complete(analysis, "x", text, 9, 99)
    editor.signature(analysis, "x", text, 1, 1)
    for one in analysis.occurrences:
        editor.describe(analysis, one)


def test_commands_check_what_can_be_read_and_assemble_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "x.vsa"
    path.write_text("vs_2_0\ndcl_position v0\nmvo r0, v0\nadd_pp r1, v0, c0\nmov oPos, r1\n")
    assert main(["check", str(path)]) == 1
    shown = capsys.readouterr().out
    assert "error[P301]" in shown
    assert "error[V306]" in shown
    assert main(["asm", str(path)]) == 1
    assert "V306" not in capsys.readouterr().err, "asm does not run the rules"
    assert not (tmp_path / "x.vso").exists()


def test_names_of_a_constant_table():
    words = table([("World", 2, 0, 4, 0), ("Light", 2, 4, 1, 16)])[1:]
    comment = ", ".join([f"0x{word:08X}" for word in words])
    text = f"vs_2_0\n.comment {comment}\ndcl_position v0\nm4x4 oPos, v0, c0\nmov oD0, c4\nmov oT0, c2\n"
    assert "name**: Light" in page(text, "c4", 5)
    assert "name**: World[2]" in page(text, "c2", 6)
    found = editor_of("direct3d9").complete(analysed("direct3d9", text), "x", text, 5, 11)
    assert {one.text: one.detail for one in found if one.text in ("c3", "c4")} == {"c3": "World[3]", "c4": "Light"}
