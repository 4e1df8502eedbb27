"""What the ShaderCore language offers to editors."""

from __future__ import annotations

from pathlib import Path

import pytest

from damage import analysed, editor_of
from lanewise.core.document import as_markdown
from lanewise.core.editing import edited
from lanewise.core.occurrences import REGISTER, SEMANTIC
from lanewise.tools.cli import main
from together import together

TEXT = """\
.input v0 position
.output o0 position
.const c0 (1.0, 0.5, 0.0, 1.0)
    mul r0.xyz, v0.xyz, c0.x    ; three
    rcp r1.x, -r0.z
    mul o0.xyz, r0.xyz, r1.x
    mov o0.w, c0.x
    end
"""


def page(text: str, name: str, line: int) -> str:
    analysis = analysed("shadercore", text)
    found = next(one for one in analysis.occurrences if one.name == name and one.span.line == line)
    return as_markdown(editor_of("shadercore").describe(analysis, found))


def completed(text: str, line: int, column: int) -> list[str]:
    found = editor_of("shadercore").complete(analysed("shadercore", text), "x", text, line, column)
    assert all(one.span.line == line and one.span.column + one.span.length == column for one in found)
    return [one.text for one in found]


def test_occurrences_cover_the_names_alone():
    analysis = analysed("shadercore", TEXT)
    lines = TEXT.split("\n")
    for one in analysis.occurrences:
        at = one.span.column - 1
        assert lines[one.span.line - 1][at : at + one.span.length] == one.name
    row = [(one.name, one.kind, one.written, one.components) for one in analysis.occurrences if one.span.line == 5]
    assert row[1:] == [("r1", REGISTER, True, "x"), ("r0", REGISTER, False, "z")]
    declared = [(one.name, one.register) for one in analysis.occurrences if one.definition]
    assert declared == [("v0", "v0"), ("position", "v0"), ("o0", "o0"), ("position", "o0"), ("c0", "c0")]
    assert [one.kind for one in analysis.occurrences if one.name == "position"] == [SEMANTIC, SEMANTIC]


def test_words_of_statements():
    analysis = analysed("shadercore", TEXT)
    assert [(one.span.line, one.address, one.words) for one in analysis.placed] == [
        (4, 0, 3),
        (5, 3, 1),
        (6, 4, 3),
        (7, 7, 1),
        (8, 8, 1),
    ]
    (entry,) = analysis.entries
    assert (entry.words, entry.limit, entry.span.line) == (9, 512, 4)
    assert analysis.loaded is not None
    assert len(analysis.loaded.words) == 9
    assert not analysis.findings


def test_a_damaged_statement_keeps_its_words():
    text = TEXT.replace("mul r0.xyz", "mull r0.xyz")
    analysis = analysed("shadercore", text)
    assert [(one.span.line, one.address, one.words, one.damaged) for one in analysis.placed][:2] == [
        (4, 0, 3, True),
        (5, 3, 1, False),
    ]
    assert analysis.loaded is None
    assert [one.code for one in analysis.findings] == ["P201"]
    assert edited(text, analysis.findings[0].edits) == TEXT


def test_warnings_stay_beside_an_error():
    text = "mvo r0.x, v0.x\nmov r1.x, 1\nmov o0.x, r0.x\nmov o0.y, r2.x\nend\n"
    found = {(one.code, one.span.line) for one in analysed("shadercore", text).findings}
    assert found == {("P201", 1), ("V214", 2), ("V210", 4)}, "what the damaged statement writes is known"
    unknown = text.replace("mvo r0.x, v0.x", "mov r9.x, v0.x")
    found = {(one.code, one.span.line) for one in analysed("shadercore", unknown).findings}
    assert found == {("P205", 1), ("V214", 2)}


@together(
    ("before", "after"),
    [
        ("ad r0.x, v0.x, v0.y", None),  # `and` and `add` are as near: what is offered reads
        ("mov r0.x v0.x, ", None),
        ("add r0.x, v0.x v0.y", "add r0.x, v0.x, v0.y"),
        ("sub r0.x, v0.x, v0.y", "add r0.x, v0.x, -v0.y"),
        ("saturate r0.x, v0.x", "mov_sat r0.x, v0.x"),
        ("sgt r0.x, v0.x, v0.y", "slt r0.x, v0.y, v0.x"),
        ("sub r0.x, -v0.x, -v0.y", "add r0.x, -v0.x, v0.y"),  # a sign in front of a sign
        ("mad r0.x, v0.x, v0.y, v0.z", ""),  # two instructions
        ("start: mov r0.x, v0.x", " mov r0.x, v0.x"),
        (".input v1 colour", ".input v1 color"),
        (".inptu v1 color", ".input v1 color"),
    ],
)
def test_edits_of_what_cannot_be_read(before: str, after: str | None):
    text = f"{before}\nmov o0.x, v0.x\nend\n"
    finding = analysed("shadercore", text).findings[0]
    assert finding.code[0] == "P"
    result = edited(text, finding.edits)
    if after is not None:
        assert result.split("\n")[0] == (after or before)
    assert bool(finding.edits) == (result != text)


def test_a_second_declaration_says_where_the_first_is():
    text = ".const c0 (1, 2, 3, 4)\n.const c0 (1, 2, 3, 4)\nmov o0.x, c0.x\nend\n"
    (finding,) = [one for one in analysed("shadercore", text).findings if one.code == "P211"]
    assert [(one.span.line, one.span.column) for one in finding.related] == [(1, 8)]
    assert edited(text, finding.edits) == text.replace(".const c0 (1, 2, 3, 4)\n", "\n", 2).replace(
        "\n", ".const c0 (1, 2, 3, 4)\n", 1
    )
    other = text.replace("3, 4)\nmov", "3, 5)\nmov")
    (finding,) = [one for one in analysed("shadercore", other).findings if one.code == "P211"]
    assert not finding.edits, "which of two values is meant is not known"


def test_pages():
    assert "a \\* b" in page(TEXT, "mul", 4) or "a * b" in page(TEXT, "mul", 4)
    text = page(TEXT, "r0", 5)
    assert "written**: line 4" in text
    assert "read**: lines 5 and 6" in text
    assert "live**: in lines 4 to 6" in text
    assert "line 5 waits" in text
    assert "1.0, 0.5, 0.0, 1.0" in page(TEXT, "c0", 4)
    assert "position" in page(TEXT, "v0", 4)
    assert ".const" in page(TEXT, ".const", 3)


def test_completion():
    assert completed(TEXT, 5, 6) == [
        "rcp",
        "rcp_sat",
        "rsq",
        "rsq_sat",
        "rnd_sint23ne",
        "rnd_sint23ne_sat",
        "rnd_sint16ne",
        "rnd_sint16ne_sat",
    ]
    writable = completed(TEXT, 5, 9)
    assert {"r0", "r7", "o0", "x3", "NULL"} <= set(writable)
    assert not {"v0", "c0", "1"} & set(writable)
    assert {"v0", "c0", "-1"} <= set(completed("mov r0.x, ", 1, 11))
    assert completed("mov r0.x, v0.x", 1, 14)[:4] == ["x", "y", "z", "w"]
    assert "v1" in completed(".input ", 1, 8)
    assert "texcoord1" in completed(".input v0 tex", 1, 14)
    assert completed("mov r0.x, v0.x ; m", 1, 19) == []
    assert completed("nop ", 1, 5) == []


def test_signatures():
    editor = editor_of("shadercore")
    found = editor.signature(analysed("shadercore", TEXT), "x", TEXT, 4, 25)
    assert found is not None
    assert (found.label, found.active) == ("mul dest, a, b", 2)
    assert editor.signature(analysed("shadercore", TEXT), "x", TEXT, 8, 8) is None
    constant = editor.signature(analysed("shadercore", TEXT), "x", TEXT, 3, 20)
    assert constant is not None
    assert constant.active == 2


def test_remarks():
    analysis = analysed("shadercore", TEXT)
    editor = editor_of("shadercore")
    shown = {(one.span.line, one.kind): one.text for one in editor.remarks(analysis, list(editor.inlays))}
    assert shown[4, "address"] == "0-2"
    assert shown[4, "timing"] == "@0"
    assert shown[6, "timing"].startswith("@") and "for r1.x" in shown[6, "timing"]
    assert shown[4, "live"] == "3 live"
    assert shown[8, "live"] == "0 live"
    assert {one.kind for one in editor.remarks(analysis, ["live"])} == {"live"}
    document = analysed("shadercore", TEXT, device="document")
    assert {one.span.line: one.text for one in editor.remarks(document, ["timing"])} != {
        line: text for (line, kind), text in shown.items() if kind == "timing"
    }


def test_cycles_after_a_damaged_statement_are_not_shown():
    analysis = analysed("shadercore", TEXT.replace("rcp r1", "rpc r1"))
    lines = [one.span.line for one in editor_of("shadercore").remarks(analysis, ["timing"])]
    assert lines == [4]


@pytest.mark.parametrize("text", ["", "\0", "mov", "a\rb", ".const c0 (", "\n\n", ".input", "; x"])
def test_nothing_is_raised(text: str):
    analysis = analysed("shadercore", text)
    editor = editor_of("shadercore")
    editor.remarks(analysis, list(editor.inlays))
    editor.complete(analysis, "x", text, 9, 99)
    editor.signature(analysis, "x", text, 1, 1)
    assert analysed("shadercore", "end\n", device="nothing").placed


def test_commands_check_what_can_be_read_and_assemble_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "x.sc"
    path.write_text(TEXT.replace("rcp r1.x", "rpc r1.x").replace("mov o0.w, c0.x", "mov o0.w, 1"))
    assert main(["check", str(path)]) == 1
    shown = capsys.readouterr().out
    assert "error[P201]" in shown
    assert "warning[V214]" in shown
    assert main(["asm", str(path)]) == 1
    assert not (tmp_path / "x.scb").exists()
