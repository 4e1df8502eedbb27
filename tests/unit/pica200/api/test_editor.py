"""What editors get of picasso and nihstro sources: names, pages, completion, signatures, remarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lanewise.core.document import as_text
from lanewise.core.occurrences import KINDS
from lanewise.core.service import Request, SourceFile
from lanewise.packages import languages
from lanewise.pica200.api.editor.language import editor_of
from together import together

if TYPE_CHECKING:
    from lanewise.core.editor import Analysis

PICASSO = """; names of all kinds
.fvec proj[4], tint
.ivec count
.bool lit
.constf k(1.0, 0.5, 0.0, 0.0)
.alias ones k.xxxx
.in pos v0
.out outpos position
.out clr color o1
.proc half
	mul r0, k.yyyy, r0
.end
.proc main
	mov r0, pos
	for count
		mova a0.x, r0.x
		add r1.xyz, proj[a0.x+1].xyz, -r0
	.end
	ifu lit
		call half
	.end
	cmp ones, lt, ge, r0
	jmpc !cmp.x, done
	mov r1, tint
done: mov outpos, r0
	mov clr, r1
	end
.end
"""
NIHSTRO = """// names of all kinds
.alias proj c0-c3
.alias bright b0
.alias k c95 as (1.0, 0.5, 0.0, 0.0)
.alias pos v0
.alias outpos o0 as position
main:
    mov r0, pos
    if bright
        call half until half_end
    endif
    jmp done if !cc.x
    mova r0.xy
    add r1, proj[a0], r0
done:
    mov outpos, r0
    end
half:
    mul r0, k.yyyy, r0
    nop
half_end:
"""
TEXTS = {"picasso": ("names.v.pica", PICASSO), "nihstro": ("names.vsh", NIHSTRO)}


def analysed(language: str, text: str = "") -> Analysis:
    name, usual = TEXTS[language]
    return editor_of(language).analyse(Request("check", (SourceFile(name, (text or usual).encode(), name),), {}))


def shown(analysis: Analysis, name: str) -> list[tuple[str, int, bool, bool, str, str]]:
    return [
        (o.kind, o.span.line, o.definition, o.written, o.register, o.components) for o in analysis.occurrences if o.name == name
    ]


def test_each_language_has_an_editor():
    found = {language.name for package, language in languages() if package.name == "pica200" and language.editor is not None}
    assert found == {"picasso", "nihstro"}


@pytest.mark.parametrize("language", TEXTS)
def test_every_occurrence_covers_its_name(language: str):
    analysis = analysed(language)
    assert analysis.loaded is not None
    assert not [finding for finding in analysis.findings if finding.is_error]
    for place in analysis.occurrences:
        assert place.kind in KINDS
        assert place.span.text[place.span.column - 1 :][: place.span.length] == place.name
    definitions = [(place.kind, place.name) for place in analysis.occurrences if place.definition]
    assert len(definitions) == len(set(definitions))


def test_names_of_picasso():
    analysis = analysed("picasso")
    assert shown(analysis, "proj") == [("uniform", 2, True, False, "c0", ""), ("uniform", 17, False, False, "c1", "xyz")]
    assert shown(analysis, "k")[0] == ("constant", 5, True, False, "c95", "")
    assert shown(analysis, "ones") == [("alias", 6, True, False, "c95", ""), ("alias", 22, False, False, "c95", "")]
    assert shown(analysis, "outpos") == [("output", 8, True, False, "o0", ""), ("output", 25, False, True, "o0", "")]
    assert shown(analysis, "half") == [("procedure", 10, True, False, "", ""), ("procedure", 20, False, False, "", "")]
    assert shown(analysis, "done") == [("label", 23, False, False, "", ""), ("label", 25, True, False, "", "")]
    assert shown(analysis, "a0") == [("register", 16, False, True, "a0", "x"), ("register", 17, False, False, "a0", "x")]
    assert shown(analysis, "position") == [("semantic", 8, False, False, "", "")]
    extent = next(o.extent for o in analysis.occurrences if o.name == "main" and o.definition)
    assert extent is not None
    assert (extent.first, extent.last) == (13, 28)
    (entry,) = analysis.entries
    assert (entry.name, entry.span.line, entry.span.column, entry.words, entry.limit) == ("", 13, 7, len(analysis.placed), 512)


def test_names_of_nihstro():
    analysis = analysed("nihstro")
    assert shown(analysis, "proj") == [("uniform", 2, True, False, "c0", ""), ("uniform", 14, False, False, "c0", "")]
    assert shown(analysis, "bright") == [("uniform", 3, True, False, "b0", ""), ("uniform", 9, False, False, "b0", "")]
    assert shown(analysis, "k") == [("constant", 4, True, False, "c95", ""), ("constant", 19, False, False, "c95", "yyyy")]
    assert shown(analysis, "half") == [("label", 10, False, False, "", ""), ("label", 18, True, False, "", "")]
    assert shown(analysis, "half_end") == [("label", 10, False, False, "", ""), ("label", 21, True, False, "", "")]
    assert shown(analysis, "outpos") == [("output", 6, True, False, "o0", ""), ("output", 16, False, True, "o0", "")]


def test_a_damaged_statement_keeps_addresses_and_names():
    whole = analysed("picasso")
    damaged = analysed("picasso", PICASSO.replace("mov r0, pos", "movv r0, pos"))
    assert damaged.loaded is None
    assert [p.address for p in damaged.placed] == [p.address for p in whole.placed]
    assert [p.span.line for p in damaged.placed if p.damaged] == [14]
    assert shown(damaged, "pos") == shown(whole, "pos")


def test_a_directive_before_a_label_or_a_wrong_word_does_not_move_them():
    text = ".proc main\n\t.alias far r0.x\nnear: nop\n\t.alias more r1\n\tmovv r0, r1\n\tend\n.end\n"
    analysis = analysed("picasso", text)
    assert [(o.span.line, o.span.column) for o in analysis.occurrences if o.name == "near"] == [(3, 1)]
    assert [(f.span.line, f.span.column) for f in analysis.findings if f.code == "P001"] == [(5, 2)]


def test_the_value_of_setb_may_be_a_name_too():
    analysis = analysed("picasso", ".bool on\n.setb on on\n.proc main\n\tifu on\n\t\tnop\n\t.end\n\tend\n.end\n")
    assert [(o.kind, o.span.line) for o in analysis.occurrences if o.name == "on"] == [
        ("uniform", 1),
        ("uniform", 2),
        ("modifier", 2),
        ("uniform", 4),
    ]


def test_an_operand_with_more_after_its_register_has_a_page():
    analysis = analysed("picasso", ".proc main\n\tmov r0, r1 // copy\n\tend\n.end\n")
    (place,) = [o for o in analysis.occurrences if o.name == "r1"]
    assert place.span.length == 2
    assert "temporary register" in as_text(editor_of("picasso").describe(analysis, place))


def test_pages():
    editor, analysis = editor_of("picasso"), analysed("picasso")

    def page(name: str) -> str:
        return as_text(editor.describe(analysis, next(o for o in analysis.occurrences if o.name == name)))

    assert "dst = src1 * src2" in page("mul")
    assert "word 0x0: 0x" in page("mul")
    assert "How well it is known" in page("mul")
    assert "4 registers" in page("proj")
    assert "(1.0, 0.5, 0.0, 0.0)" in page("k")
    assert "position, components xyzw" in page("outpos")
    assert "live" in page("r0")
    assert "from 0x0 on" in page("half")
    assert ".fvec NAME[SIZE]" in page(".fvec")
    for place in analysis.occurrences:
        assert editor.describe(analysis, place)


def test_a_missing_operand_is_after_the_last():
    for line in ("\tmov r0", "\tmov r0  ", "\tmov r0 ; copy"):
        analysis = analysed("picasso", f".proc main\n{line}\n\tend\n.end\n")
        assert [(f.code, f.span.column, f.span.length) for f in analysis.findings if f.is_error] == [("P010", 8, 1)]


def test_a_declaration_is_not_a_use_and_names_are_one_register():
    def page(language: str, name: str, text: str = "") -> str:
        analysis = analysed(language, text)
        return as_text(editor_of(language).describe(analysis, next(o for o in analysis.occurrences if o.name == name)))

    raw = " ".join(page("nihstro", "o0").split())
    assert "names outpos" in raw
    assert "written line 16" in raw
    assert "read line 14" in " ".join(page("nihstro", "c0").split())
    constant = " ".join(page("picasso", "k").split())
    assert "names ones" in constant
    assert "read lines 11 and 22" in constant, "not line 6, which names it"
    long = page("picasso", "r0", ".proc main\n" + "\tmov r0, v0\n\tnop\n" * 30 + "\tend\n.end\n")
    assert "18, 20 and 20 more" in long


def complete(language: str, line: str) -> dict[str, tuple[str, str, int, int]]:
    text = TEXTS[language][1] + line
    found = editor_of(language).complete(analysed(language), TEXTS[language][0], text, text.count("\n") + 1, len(line) + 1)
    return {c.text: (c.kind, c.snippet, c.span.column, c.span.length) for c in found}


@together(
    ("language", "line", "there", "missing"),
    [
        ("picasso", "\tmo", "mov", "r0"),
        ("picasso", ".f", ".fvec", "r0"),
        ("picasso", "\tmov ", "outpos", "proj"),
        ("picasso", "\tmov r0, ", "proj", "outpos"),
        ("picasso", "\tadd r0, proj, ", "pos", "tint"),
        ("picasso", "\tadd r0, v1, ", "v1", "pos"),
        ("picasso", "\tmad r0, r1, proj, ", "r2", "tint"),
        ("picasso", "\tcallu ", "lit", "count"),
        ("picasso", "\tfor ", "count", "lit"),
        ("picasso", "\tcall ", "half", "done"),
        ("picasso", "\tjmpc cmp.x, ", "done", "half"),
        ("picasso", "\tadd r0, proj[", "a0.x", "proj"),
        ("picasso", "\tmov r0.", "xyz", "r0"),
        ("picasso", "\tcmp r0, ", "lt", "r0"),
        ("picasso", ".out x ", "texcoord0", "r0"),
        ("nihstro", "    jmp ", "done", "r0"),
        ("nihstro", "    call half until ", "half_end", "r0"),
        ("nihstro", "    if ", "bright", "r0"),
        ("nihstro", "    add r0, proj[", "lcnt", "proj"),
        ("nihstro", ".alias x o1 as ", "color", "r0"),
    ],
)
def test_completion(language: str, line: str, there: str, missing: str):
    found = complete(language, line)
    assert there in found
    assert missing not in found


def test_completion_replaces_what_is_typed():
    assert complete("picasso", "\tmo")["mov"] == ("instruction", "mov ${1:DST}, ${2:SRC}", 2, 2)
    assert complete("picasso", "\tmov r0, -po")["pos"] == ("input", "", 11, 2)
    assert complete("nihstro", "    i")["if"][1] == "if ${1:COND}\n\t$0\nendif"
    assert not complete("picasso", "; mo")


@pytest.mark.parametrize(
    ("language", "line", "label", "active"),
    [
        ("picasso", "\tmad r0, r1, ", "mad DST, SRC1, SRC2, SRC3", 2),
        ("picasso", "\tcmp ", "cmp SRC1, OP1, OP2, SRC2", 0),
        ("picasso", ".out a ", ".out NAME PROPERTY[.mask] [REGISTER[.mask]]", 1),
        ("nihstro", "    call a until ", "call LABEL until LABEL if COND", 2),
        ("nihstro", "    cmp r0.xy, r1.xy, ", "cmp SRC1, SRC2, OP1, OP2", 2),
    ],
)
def test_signatures(language: str, line: str, label: str, active: int):
    text = TEXTS[language][1] + line
    found = editor_of(language).signature(analysed(language), "", text, text.count("\n") + 1, len(line) + 1)
    assert found is not None
    assert (found.label, found.active) == (label, active)
    assert all(name in label for name, _ in found.parts)


def test_remarks():
    editor, analysis = editor_of("picasso"), analysed("picasso")
    found = editor.remarks(analysis, ["address", "descriptor", "live"])
    assert [remark.text for remark in found if remark.span.line == 11] == ["000", "desc 0", "2 live"]
    assert {remark.kind for remark in editor.remarks(analysis, ["live"])} == {"live"}
    assert set(editor.inlays) == {"address", "descriptor", "live"}
