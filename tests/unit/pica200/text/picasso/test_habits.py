"""Mistakes that are often made: the finding names the cause, and its edit gives a source that assembles."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import ERROR, NOTE, Diagnostic
from lanewise.core.editing import chosen, edited
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import check_sources
from together import together

HEAD = ".fvec table[2], bones[30]\n.bool lit\n.out outpos position\n.in inpos\n.in idx\n"
PROC = ".proc main\n"


def errors(*texts: str) -> list[Diagnostic]:
    found = assemble_sources([(f"{n}.pica", text) for n, text in enumerate(texts)]).diagnostics
    return [each for each in found if each.severity == ERROR]


def repaired(*texts: str) -> list[str]:
    """Sources after the edits of their errors, in at most three rounds."""
    sources = list(texts)
    for _ in range(3):
        _, by_file = chosen(errors(*sources))
        sources = [edited(text, by_file.get(f"{n}.pica", ())) for n, text in enumerate(sources)]
    return sources


def main(body: str) -> str:
    return f"{HEAD}{PROC}{body}\n\tend\n.end\n"


@together(
    ("line", "code", "fix", "after"),
    [
        ("\tmov a0.x, idx.x", "P025", "mova a0.x, idx.x", "\tmova a0.x, idx.x"),
        ("\tmov a1, idx.x", "P025", "mova a0.y, idx.x", "\tmova a0.y, idx.x"),
        ("\tadd a0.x, idx.x, r0", "P025", "then `mova a0.x, TEMPORARY.x`", ""),
        ("\tmov aL, idx.x", "P025", "use `for`", ""),
        ("\tifc lit\n\tnop\n\t.end", "P033", "write `ifu lit`", "\tifu lit\n\tnop\n\t.end"),
        ("\tifc b3\n\tnop\n\t.end", "P033", "write `ifu b3`", "\tifu b3\n\tnop\n\t.end"),
        ("\tifc !lit\n\tnop\n\t.end", "P033", "then `.else`, and the code after it", "\tifu lit\n\t.else\n\tnop\n\t.end"),
        ("l:\tjmpc !lit, l", "P033", "write `jmpu !lit`", "l:\tjmpu !lit, l"),
        ("\tifu cmp.x\n\tnop\n\t.end", "V019", "ifc, callc and jmpc", "\tifc cmp.x\n\tnop\n\t.end"),
        ("\t// text", "P008", "begin comments with `;`", "\t; text"),
        ("\t// here: text, more", "P008", "begin comments with `;`", "\t; here: text, more"),
        ("\tadd r0, inpos, inpos   # twice", "P008", "begin comments with `;`", "\tadd r0, inpos, inpos   ; twice"),
        ("\tend # a", "P008", "begin comments with `;`", "\tend ; a"),
        ("\tmov r0, inpos -- a", "P008", "begin comments with `;`", "\tmov r0, inpos ; a"),
        ("\tnop // a, b", "P008", "begin comments with `;`", "\tnop ; a, b"),
        ("\tmov r0, inpos.xyz // a", "P008", "begin comments with `;`", "\tmov r0, inpos.xyz ; a"),
        ("\tmova idx.xy", "P010", "write `mova a0.xy, idx.xy`", "\tmova a0.xy, idx.xy"),
        ("\tmova idx.y", "P010", "write `mova a0.x, idx.y`", "\tmova a0.x, idx.y"),
        (
            "\tmul outpos, r0, r0\n\tadd outpos.xyz, r1, outpos",
            "V010",
            "write r15 for outpos in lines 7 and 8, and `mov outpos, r15` before the `end` in line 9",
            "\tmul r15, r0, r0\n\tadd r15.xyz, r1, r15\n\tmov outpos, r15",
        ),
        (
            "\tmov outpos.x, r15\n\tmov outpos.y, -outpos.x",
            "V010",
            "write r14 for outpos in lines 7 and 8, and `mov outpos.xy, r14` before",
            "\tmov r14.x, r15\n\tmov r14.y, -r14.x\n\tmov outpos.xy, r14",
        ),
        (
            "\tmov outpos, inpos\n\tadd outpos.xyz, inpos, outpos\n\tmov outpos, r3",
            "V010",
            "write r3, which line 9 reads and no line writes, for outpos in lines 7 and 8",
            "\tmov r3, inpos\n\tadd r3.xyz, inpos, r3\n\tmov outpos, r3",
        ),
        (
            "\tmov outpos, inpos\n\tadd outpos.xyz, inpos, outpos\n\tmov outpos.x, r3",
            "V010",
            "write r15 for outpos in lines 7, 8 and 9, and `mov outpos, r15` before",
            "\tmov r15, inpos\n\tadd r15.xyz, inpos, r15\n\tmov r15.x, r3\n\tmov outpos, r15",
        ),
        ("\tmov r0, outpos", "V010", "keep the value in a temporary", ""),
        ("\tadd r0, r1, table", "V002", "exchange the sources: `add r0, table, r1`", "\tadd r0, table, r1"),
        ("\tcmp r1, lt, ge, table", "V002", "sources: `cmp table, gt, le, r1`", "\tcmp table, gt, le, r1"),
        ("\tcmp r1.x, table.x", "P010", "write `cmp table.x, gt, gt, r1.x`", "\tcmp table.x, gt, gt, r1.x"),
        ("\tfor aL\n\tnop\n\t.end", "P025", "write `for i0`", ""),
        ("\tlit r0, r1", "P001", "use `max` with 0 for diffuse light", ""),
        ("\tmov r0, inpos /* a */", "P008", "write `; a`", "\tmov r0, inpos ; a"),
        ("\tmov r0, /* a */ inpos", "P008", "remove it", "\tmov r0,  inpos"),
        ("\t/* a\n b\n*/", "P008", "begin each line, ", "\t; a\n ; b\n;"),
        ("\t/* a\n b */ mov r0, inpos", "P008", "put what follows `*/` in another line", "\t; a\n ; b\n mov r0, inpos"),
        ("\tmov r0, bones[r1.x]", "P031", "`mova a0.x, r1.x`", "\tmova a0.x, r1.x\n\tmov r0, bones[a0.x]"),
        ("\tmov r0, bones[idx+3]", "P029", "`mova a0.x, idx.x`", "\tmova a0.x, idx.x\n\tmov r0, bones[a0.x+3]"),
        ("\tmova a0.y, idx\n\tmov r0, bones[a0.z]", "P031", "with `mova` first", "\tmova a0.y, idx\n\tmov r0, bones[a0.y]"),
        (
            "\tmova a0.x, idx\n\tmov r0, bones[r1.y]",
            "P031",
            "first: `nop`, as two `mova` in a row hang the GPU, and `mova a0.x",
            "",
        ),
        ("\tmova a0.x, idx\n\tnop\n\tmov r0, bones[r1.y]", "P031", "first: `mova a0.x, r1.y`", ""),
        (
            "\tmova a0.xy, r1\n\tmov r0, bones[r1.y+2]",
            "P029",
            "write [a0.y+2]: line 7 puts r1.y there",
            "\tmova a0.xy, r1\n\tmov r0, bones[a0.y+2]",
        ),
        (
            "\tmova a0.y, r1.x\n\tmov r2, inpos\n\tmova a0.x, r2.x\n\tmov r0, bones[r1.x]",
            "P031",
            "write [a0.y]: line 7 puts",
            "\tmova a0.y, r1.x\n\tmov r2, inpos\n\tmova a0.x, r2.x\n\tmov r0, bones[a0.y]",
        ),
        ("\tmova a0.x, r1.x\n\tmov r1, inpos\n\tmov r0, bones[r1.x]", "P031", "first: `mova a0.x, r1.x`", ""),
        ("\tmova a0.x, r1.x\n\tnop\n\tmova a0.x, idx\n\tnop\n\tmov r0, bones[r1.x]", "P031", "`mova a0.x, r1.x`", ""),
    ],
)
def test_a_habit_of_another_language(line: str, code: str, fix: str, after: str):
    (finding,) = errors(main(line))
    assert finding.code == code
    assert fix in finding.fix
    assert bool(finding.edits) == bool(after)
    if after:
        assert repaired(main(line)) == [main(after)]
        assert not errors(main(after))


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("mul r0, r1, 0.5", "mul r0, const0_5, r1"),
        ("mul r0, 0.5, r1", "mul r0, const0_5, r1"),
        ("mul r0, table, 0.5", "mov r15, const0_5\n\tmul r0, table, r15"),
        ("mad r0, r1, r2, -1.5", "mad r0, r1, r2, constm1_5"),
        ("cmp r0, lt, gt, 1", "cmp const1, gt, lt, r0"),
        ("mul r0, r15, 0.5 ; r14", "mul r0, const0_5, r15 ; r14"),
    ],
)
def test_numbers_become_constants_where_the_instruction_can_read_them(line: str, after: str):
    (finding,) = errors(main(f"\t{line}"))
    assert finding.code == "P025" and ".constf const" in finding.fix
    (text,) = repaired(main(f"\t{line}"))
    assert f"\t{after}\n" in text
    assert not errors(text)


def test_several_numbers_are_declared_once_each():
    text = main("\tmad r0, 0.5, r1, 2.0\n\tmul r2, r1, 0.5\n\tmad r2, 0.5, r1, 2.0\n\tmad r2, 0.25, r1, 2.0")
    (fixed,) = repaired(text)
    assert not errors(fixed)
    assert fixed.count(".constf const0_5__2_0(0.5, 2.0, 0.0, 0.0)") == fixed.count(".constf const0_25(") == 1


@pytest.mark.parametrize(
    ("text", "place", "after"),
    [
        (f"{PROC}\tifu b0\n\t\tnop\n\tmov r0, r1\n\tend\n.end\n", "ifu b0", "\t\tnop\n\t.end\n\tmov"),
        (f"{PROC}\tfor i0\n\t\tifu b0\n\t\t\tnop\n\t.end\n\tend\n.end\n", "ifu b0", "\t\t\tnop\n\t\t.end\n\t.end"),
        (f"{PROC}\tifu b0\n\t\tnop\n\tend\n.end\n.proc a\n\tnop\n.end\n", "ifu b0", "nop\n\t.end\n\tend"),
        (f"{PROC}\tnop\n\tend\n\n.proc a\n\tnop\n.end\n", ".proc main", "end\n\n.end\n.proc a"),
        (f"{PROC}\tnop\n\tend", ".proc main", "\tend\n.end"),
        (f"{PROC}\tifu b0\n\t\tnop\n;\t.end\n\tend\n.end\n", "ifu b0", "\t\tnop\n\t.end\n\tend\n.end"),
        (f"{PROC}\tifu b0\n\t\tnop\n\t; .end\n\tend\n.end\n", "ifu b0", "\t\tnop\n\t.end\n\tend\n.end"),
        (f"{PROC}for i0\nnop\nend\n.end\n", ".proc main", ""),  # which of them is not to be seen
    ],
)
def test_the_block_without_an_end(text: str, place: str, after: str):
    (finding,) = errors(text)
    span = finding.span
    assert finding.code == "P004"
    assert span.text[span.column - 1 : span.column - 1 + span.length] == place
    assert bool(finding.edits) == bool(after)
    if after:
        (fixed,) = repaired(text)
        assert after in fixed
        assert not errors(fixed)


VERTEX = f"{HEAD}{PROC}\tmov outpos, inpos\n\tend\n.end\n"
GEOMETRY = ".gsh point c0\n.out outpos position\n.proc main\n\tsetemit 0\n\tmov outpos, v0\n\temit\n\tend\n.end\n"


def test_a_file_of_procedures_is_no_second_shader():
    calling, shared = VERTEX.replace("\tend\n", "\tcall turn\n\tend\n"), ".proc turn\n\tmov r0, v0\n.end\n"
    for pair in ((calling, shared), (calling, f".nodvle\n{shared}"), (calling.replace(".out", ";"), shared)):
        made = assemble_sources([(f"{n}.pica", text) for n, text in enumerate(pair)]).diagnostics
        told = [(each.span.file, each.fix) for each in made if each.code == "V087"]
        assert told == ([("1.pica", "begin a file of shared procedures with `.nodvle`")] if pair == (calling, shared) else [])


def test_a_file_of_procedures_is_checked_as_one():
    """Alone it is told so, and as a second shader nothing follows from that."""
    shared = ".proc turn\n\tmov r0, v0\n.end\n"
    (finding,) = check_sources([("a.pica", shared)]).findings
    assert (finding.code, finding.fix) == ("V044", "begin a file of shared procedures with `.nodvle`")
    fixed = edited(shared, finding.edits)
    assert fixed == f".nodvle\n{shared}"
    linked = [("v.pica", VERTEX.replace("\tend\n", "\tcall turn\n\tend\n"))]
    for text, codes in ((shared, {"V087"}), (fixed, set[str]())):
        found = check_sources([*linked, ("a.pica", text)]).findings
        assert {each.code for each in found if each.severity != NOTE} == codes


def test_the_entry_of_a_second_file_is_named():
    (finding,) = errors(VERTEX, GEOMETRY)
    assert finding.code == "P043" and "add `.entry gmain`" in finding.fix
    (finding,) = errors(VERTEX, f".entry main\n{GEOMETRY}")
    assert finding.fix == "rename one, this one with the `.entry main` of line 1"
    _, fixed = repaired(VERTEX, GEOMETRY)
    assert ".entry gmain\n.proc gmain\n" in fixed
    program = assemble_sources([("v.pica", VERTEX), ("g.pica", fixed)]).program
    assert [interface.entry for interface in program.interfaces] == [0, 2]


def test_a_geometry_shader_does_not_begin_at_the_entry_of_the_vertex_shader():
    lent = GEOMETRY.replace("main", "points")
    (finding,) = errors(VERTEX, lent)
    assert finding.code == "V112" and finding.span.file == "1.pica"
    assert "`.entry points`" in finding.fix and "`.proc points`" in finding.fix
    _, fixed = repaired(VERTEX, lent)
    assert ".entry points\n.proc points\n" in fixed and not errors(VERTEX, fixed)
    sources = [("0.pica", VERTEX), ("1.pica", lent)]
    assert not [each for each in assemble_sources(sources, compatible=True).diagnostics if each.severity == ERROR]


def test_a_source_without_an_entry_of_its_own_says_the_two_lines():
    """Alone, a geometry source that would begin at the vertex shader's `main` is V044; procedures that nothing calls may be
    meant, one with `main` in its name first."""
    (finding,) = errors(GEOMETRY.replace("main", "points"))
    assert finding.code == "V044" and finding.fix == "add `.entry points`, the name of its own procedure: `.proc points`"
    (fixed,) = repaired(GEOMETRY.replace("main", "points"))
    assert ".entry points\n.proc points\n" in fixed and not errors(fixed)
    several = ".gsh point c0\n.proc corner\nnop\n.end\n.proc idle\nnop\n.end\n.proc gmain\ncall corner\nend\n.end\n"
    (finding,) = errors(several)
    assert [finding.fix, *[other.fix for other in finding.alternatives]] == [
        f"add `.entry {name}`, the name of its own procedure: `.proc {name}`" for name in ("gmain", "idle")
    ]
    assert [edit.text for other in finding.alternatives for edit in other.edits] == [".entry idle\n"]
    (named,) = errors(several.replace(".gsh", ".entry gmian\n.gsh"))
    assert named.code == "V044" and named.fix == "name another with .entry gmain" and not named.alternatives


@pytest.mark.parametrize(
    "texts",
    [
        (GEOMETRY,),
        (VERTEX, GEOMETRY.replace(".proc main", ".entry gmain\n.proc gmain")),
        (VERTEX.replace(".proc main", ".entry vmain\n.proc vmain"), GEOMETRY),
        (VERTEX, ".nodvle\n.proc helper\n\tnop\n.end\n"),
    ],
)
def test_entries_that_are_named_or_their_own(texts: tuple[str, ...]):
    assert not errors(*texts)


@pytest.mark.parametrize("name", ["3.5", "(r0", "a b"])
def test_an_entry_is_not_a_procedure_whose_name_is_none(name: str):
    found = errors(f".out o position\n.proc {name}\n\tmov o, v0\n\tend\n.end\n")
    assert [each.fix for each in found if each.code == "V044"] == ["add .proc main"]


def test_a_colon_after_a_directive():
    source = f"{HEAD}.proc main:\n\tmov outpos, inpos\n\tend\n.end\n"
    (finding,) = errors(source)
    assert (finding.code, finding.message, finding.fix) == (
        "P005",
        "colon after .proc, which is not a label",
        "remove the colon",
    )
    assert (finding.span.line, finding.span.column) == (6, 11)
    assert repaired(source) == [source.replace("main:", "main")]


CPP = "`cpp 0.pica | lanewise asm - -o 0.shbin`"


def test_lines_of_the_c_preprocessor_are_not_comments():
    """Nor are they reported again where the names that they define are read."""
    text = main("\tmov r0, table[ROW]\n\tmov r1, LIGHT")
    (row,) = errors("#define ROW 1\n" + text.replace("LIGHT", "r0"))
    (light,) = errors("#define LIGHT 1.0\n" + text.replace("[ROW]", "[1]"))
    (included,) = errors('#include "lights.h"\n#ifdef ROW\n#endif\n' + text.replace("[ROW]", "[1]"))
    for found, word in ((row, "define"), (light, "define"), (included, "include")):
        assert (found.code, found.edits) == ("P008", ())
        assert found.message == f"#{word} is a line of the C preprocessor, which has not run"
        assert CPP in found.fix
    assert row.fix.startswith("write 1 in place of ROW, or run it first")
    assert light.fix.startswith("write `.constf LIGHT(1.0, 1.0, 1.0, 1.0)` in its place, or run it first")
    assert errors(".constf LIGHT(1.0, 1.0, 1.0, 1.0)\n" + text.replace("[ROW]", "[1]")) == []
    (constant,) = errors("#define HALF 0.5\n.constf c(HALF, 1, 1, 1)\n" + main("\tmov r0, c"))
    assert constant.fix.startswith("write 0.5 in place of HALF")
    (alias,) = errors("#define HALF c5\n" + main("\tmov r0, HALF"))
    assert alias.fix == "write `.alias HALF c5`"
    (link,) = errors('.include "fade.pica"\n' + main("\tcall fade"))
    assert "begin fade.pica with `.nodvle`, remove this line, and write `lanewise asm 0.pica fade.pica -o" in link.fix
    (comment,) = errors("# if this is a comment\n" + text.replace("LIGHT", "r0").replace("[ROW]", "[1]"))
    assert comment.edits[0].text == ";"


def test_what_the_c_preprocessor_writes_is_read():
    assert errors('# 0 "<built-in>"\n# 1 "a.pica" 2\n' + main("\tnop")) == []


def test_the_reason_of_a_fix_is_said():
    (dash,) = errors(main("\tmov r0, \u2013inpos"))
    assert dash.fix == "write `mov r0, -inpos`: '\u2013' is U+2013 (en dash), not a minus"
    (comma,) = errors(main("\tmov r0\u201a inpos"))
    assert comma.fix.endswith("is U+201A (single low-9 quotation mark), not a comma")
    (loop,) = errors(main("\tfor 4\n\tnop\n\t.end"))
    assert loop.fix == "declare `.consti count(3, 0, 1, 0)`, and write `for count`: a loop runs x + 1 times"


def test_decimal_commas():
    (finding,) = errors(".constf tint(0,875, -0,625, 0,25, 1,0)\n" + main("\tmov r0, inpos"))
    assert finding.code == "P018"
    assert finding.fix == "write (0.875, -0.625, 0.25, 1.0): decimals have a point, values a comma between them"
    (five,) = errors(".constf tint(1, 2, 3, 4, 5)\n" + main("\tmov r0, inpos"))
    assert five.fix == "write (x, y, z, w)"


def test_a_geometry_shader_that_is_linked_first_is_a_note():
    vertex = ("a.v.pica", ".out pos position\n.in p\n.entry vmain\n.proc vmain\n\tmov pos, p\n\tend\n.end\n")
    geometry = ("a.g.pica", ".gsh point c0\n.out o position\n.entry gmain\n.proc gmain\n\tmov o, v0\n\tend\n.end\n")
    (note,) = assemble_sources([geometry, vertex]).diagnostics
    assert (note.code, note.severity, note.span.file) == ("V127", "note", "a.g.pica")
    assert note.message == "DVLE 0 is the geometry shader, a.g.pica: the vertex shader is DVLE 1"
    assert assemble_sources([geometry, vertex], compatible=True).diagnostics == ()
    for sources in ([vertex, geometry], [geometry], [vertex]):
        assert assemble_sources(sources).diagnostics == ()


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("point", "point c0"),
        ("variable", "variable c48 3"),
        ("fixed", "fixed c4 c0 4"),
        ("fixed c0 4 c16", "fixed c16 c0 4"),
        ("fixed 16 0 4", "fixed c16 c0 4"),
        ("fixed c0 c16 4", "fixed c16 c0 4"),
        ("points", "point c0"),
        ("variable 3 c8", "variable c8 3"),
        ("c8 3", "variable c8 3"),
        ("point c8 3", "point c8"),
    ],
)
def test_the_line_of_a_geometry_shaders_mode(line: str, meant: str):
    body = ".out outpos position\n.proc main\n\tsetemit 0\n\tmov outpos, v0\n\temit\n\tend\n.end\n"
    (finding,) = errors(f".gsh {line}\n{body}")
    assert finding.fix.startswith(f"write `.gsh {meant}`: ")
    assert not errors(f".gsh {meant}\n{body}")


@together(
    ("old", "new", "fix"),
    [
        (".fvec table[2], bones[30]", ".fmat table, bones", "write `.fvec table[4], bones[4]`"),
        (".fvec table[2], bones[30]", ".fvec table [2], bones [30]", "write `.fvec table[2], bones[30]`"),
        (".fvec table[2], bones[30]", ".fvec table[2]; bones[30]", "write a comma for the `;` in line 1"),
        (".fvec table[2], bones[30]", '.include "names.inc"', "use the C preprocessor: `#include`"),
        (".in inpos", ".in inpos[3]", "write `.in inpos`"),
        ("mov r0, table", "MOV R0, TABLE", "write `mov r0, table`"),
        (".in inpos\n", "", "declare it with `.in inpos`, an attribute"),
    ],
)
def test_a_cause_is_one_finding(old: str, new: str, fix: str):
    """Names that a declaration with an error is about are not reported where they are read, and others once."""
    text = main("\tmov r0, table\n\tmov r1, bones[1]\n\tmov r2, inpos\n\tmov r3, inpos")
    found = errors(text.replace(old, new))
    assert fix in found[-1].fix
    assert len({each.span.line for each in found}) == 1, found


WHOLE = """.fvec projection[4]
.out outpos position
.out outclr color
.in position
.in color
.proc main
    dp4 outpos.x, projection[0], position
    dp4 outpos.y, projection[1], position
    dp4 outpos.z, projection[2], position
    dp4 outpos.w, projection[3], position
    mov outclr, color
    end
.end
"""


@pytest.mark.parametrize(
    "line", [".fvec projection[4]", ".out outpos position", ".out outclr color", ".in position", ".in color"]
)
def test_a_declaration_that_is_missing(line: str):
    """One finding for all uses, with the line to write, whatever names are similar."""
    text = WHOLE.replace(f"{line}\n", "")
    (finding,) = errors(text)
    assert finding.fix.startswith(f"declare it with `{line}`")
    assert errors(f"{line}\n{text}") == []


def test_a_destination_is_an_output():
    (finding,) = errors(WHOLE.replace("mov outclr", "mov gl_Color"))
    assert finding.fix == "did you mean outclr?"
    (finding,) = errors(WHOLE.replace("mov outclr", "texture outclr"))
    assert finding.fix.startswith("compute without it: shaders of the PICA200 do not read textures")
