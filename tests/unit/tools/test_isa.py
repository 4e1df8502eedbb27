"""`lanewise isa`: pages made from the table."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from lanewise.api.findings import findings as codes
from lanewise.core.bits import Field
from lanewise.core.diagrams import bit_diagram
from lanewise.core.document import Fixed, Heading, Items, Paragraph, Table, as_markdown, as_text
from lanewise.core.evidence import CLASSES, MEASURED
from lanewise.pica200.api.services import reference
from lanewise.pica200.isa import facts
from lanewise.pica200.isa.codec import decode, row_of
from lanewise.pica200.isa.table import BY_NAME, FORMATS, OPS, Descriptor
from lanewise.tools import cli
from together import together

CODES = codes()


def isa(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(["isa", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def isa_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, err = isa(capsys, *arguments, "--format", "json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_sets_are_listed(capsys: pytest.CaptureFixture[str]):
    assert "pica200     PICA200 shader unit" in isa(capsys)[1]
    assert isa_json(capsys)["isas"][0]["name"] == "pica200"


def test_overview_has_everything(capsys: pytest.CaptureFixture[str]):
    code, out, _ = isa(capsys, "pica200")
    assert code == 0
    for op in OPS:
        assert re.search(rf"^  0x[0-9A-F]{{2}}.* {op.name}( |$)", out, re.MULTILINE), op.name
    for form in FORMATS:
        assert f"Format {form.name}\n" in out
    for text in ("v0-v15", "c0-c95", "b0-b15", "cmp.x == refx and cmp.y == refy", "512", "4096", "aL"):
        assert text in out
    assert max(map(len, out.splitlines())) <= 110
    assert "\x1b" not in out
    data = isa_json(capsys, "pica200")
    assert [op["name"] for op in data["instructions"]] == [op.name for op in OPS]
    assert data["devices"][0]["code_words"] == 512


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_page_of_each_instruction(capsys: pytest.CaptureFixture[str], op: Any):
    code, out, _ = isa(capsys, "pica200", op.name.upper())
    assert code == 0
    assert out.startswith(f"{op.name}\n")
    data = isa_json(capsys, "pica200", op.name)
    shown = data["example"]
    assert row_of(shown["word"]) is op
    assert f"0x{shown['word']:08X}" in out
    assert (shown["descriptor"] is None) == ("src" not in op.operands)
    assert set(data["diagnostics"]) <= CODES.keys()
    if op.unproven:
        assert op.unproven.split(" ")[0] in out
    assert op.source.split(" ")[0] in out


def test_page_of_mad(capsys: pytest.CaptureFixture[str]):
    _, out, _ = isa(capsys, "pica200", "Mad")
    diagram = """\
   31    29 28   24 23   22 21   17 16   10 9    5 4    0
  +--------+-------+-------+-------+-------+------+------+
  | opcode |  dst  |  idx  |  src1 |  src2 | src3 | desc |
  |  111   |   5   |   2   |   5   |   7   |  5   |  5   |
  +--------+-------+-------+-------+-------+------+------+
"""
    assert diagram in out
    assert "opcode 0x38-0x3F, format 5" in out
    assert re.search(r"source 2 +v0-v15, r0-r15, c0-c95; float uniforms may be indexed", out)
    assert re.search(r"source [13] +v0-v15, r0-r15\n", out)
    assert re.search(r"example +mad r0\.xyz, v1, c4, r2\.yzwx is 0xF0029240 with descriptor 0x3606C36E", out)
    assert "V031" in out


def test_inverted_forms_have_their_own_wide_source(capsys: pytest.CaptureFixture[str]):
    for name, wide in (("dph", 1), ("dphi", 2), ("sgei", 2), ("mad", 2), ("madi", 3), ("mov", 1), ("cmp", 1), ("nop", 0)):
        assert isa_json(capsys, "pica200", name)["wide_source"] == wide


@pytest.mark.parametrize(
    ("text", "name"), [("0x13", "mov"), ("19", "mov"), ("0x2F", "cmp"), ("0x3a", "mad"), ("0x10", ".word"), ("LOOP", "for")]
)
def test_opcodes_and_other_names(capsys: pytest.CaptureFixture[str], text: str, name: str):
    assert isa_json(capsys, "pica200", text)["name"] == name
    assert isa(capsys, "pica200", text)[1].startswith(f"{name}\n")


def test_ignored_descriptor_bits():
    selector1, selector2, _ = Descriptor.SELECTOR
    third = Descriptor.NEGATE[2].mask | Descriptor.SELECTOR[2].mask
    second = Descriptor.NEGATE[1].mask | selector2.mask
    unused = 1 << 31
    # Worked out by hand from the rules of each instruction.
    assert reference.ignored(BY_NAME["add"])[0] == unused | third
    assert reference.ignored(BY_NAME["mov"])[0] == unused | third | second
    assert reference.ignored(BY_NAME["mad"])[0] == unused
    assert reference.ignored(BY_NAME["rcp"])[0] == unused | third | second | selector1.insert(0x3F)
    assert reference.ignored(BY_NAME["dp3"])[0] == unused | third | selector1.insert(3) | selector2.insert(3)
    both = selector1.insert(0xF) | selector2.insert(0xF)
    assert reference.ignored(BY_NAME["cmp"])[0] == unused | third | Descriptor.MASK.mask | both
    assert reference.ignored(BY_NAME["dst"])[0] == unused | third | selector1.insert(0xC3) | selector2.insert(0xCC)
    assert reference.ignored(BY_NAME["litp"])[0] == unused | third | second | selector1.insert(0x0C)
    assert reference.ignored(BY_NAME["mova"])[0] == unused | third | second | selector1.insert(0x0F) | Descriptor.MASK.insert(3)
    assert reference.ignored(BY_NAME["nop"]) == (0, [])


def test_ignored_descriptor_bits_in_words():
    first = "of the first source"
    assert reference.ignored(BY_NAME["cmp"])[1][:3] == [
        "the write mask",
        f"selector slots 2, 3 {first}",
        "selector slots 2, 3 of the second source",
    ]
    assert reference.ignored(BY_NAME["mova"])[1][0] == "the bits of z and w in the write mask"
    assert reference.ignored(BY_NAME["add"])[1][-1] == "selector slots of components that the write mask leaves out"
    litp = reference.ignored(BY_NAME["litp"])[1]  # its flags come from x and w under every mask
    assert litp[0] == f"selector slot 2 {first}"
    assert litp[-1] == f"selector slot 1 {first} where the write mask leaves that component out"


HAZARDS = """
add V002 V003 V004 V083 V084 V095 V096 · dph V002 V003 V004 V083 V084 V095 V096 V100 V131 · madi V002 V003 V004 V031 V083 V084 \
V095 V096 V100
mova V070 V095 V096 · rcp V083 V084 V095 V096 · dst V002 V003 V004 V083 V084 V095 V096 · cmp V002 V003 V004 V095 V096
break R002 V040 V071 V072 · breakc R002 V040 V071 V072 · nop · end V079 V130
call V040 V075 V076 V081 V093 · callc V040 V075 V076 V081 V093 · callu V022 V040 V075 V076 V081 V093
ifc V040 V074 V080 V081 V092 V093 · ifu V022 V040 V074 V080 V081 V092 V093 · for V017 V040 V073 V092 V093 V101 V103
jmpc V040 V077 V078 V094 · jmpu V040 V077 V078 V094 · emit V082 V088 V099 · setemit V024 V099
"""


@together("line", [part.strip() for line in HAZARDS.strip().splitlines() for part in line.split("·")])
def test_hazards_of_an_instruction(line: str):
    name, *codes = line.split()
    assert reference.hazards_of(BY_NAME[name]) == codes


def test_examples_decode_to_their_operands():
    inst = decode(reference.example(BY_NAME["madi"]).word)
    assert [inst.field(name) for name in ("dst", "src1", "src2", "src3")] == [0x10, 0x01, 0x12, 0x24]
    assert reference.example(BY_NAME["jmpu"]).text == "jmpu b3, there"


def test_decoding_a_word(capsys: pytest.CaptureFixture[str]):
    code, out, _ = isa(capsys, "pica200", "--decode", "0x4C201000")
    assert code == 0
    for line in (
        r"opcode  31-26  0x13 +mov",
        r"dst +25-21  0x1 +o1",
        r"src1 +18-12  0x1 +v1",
        r"idx +20-19  0x0 +not indexed",
        "  mov o1, v1",
    ):
        assert re.search(line, out), line
    assert "give it with --descriptor" in out
    data = isa_json(capsys, "pica200", "--decode", "4c201000", "--descriptor", "0x0000006E")
    assert data["text"] == "mov o1.xyz, v1.xxxw"
    assert {field["name"]: field["value"] for field in data["fields"]} == {
        "desc": 0,
        "unused": 0,
        "src1": 1,
        "idx": 0,
        "dst": 1,
        "opcode": 0x13,
    }
    assert isa_json(capsys, "pica200", "--decode", "0x40000000")["instruction"] == ".word"
    assert isa_json(capsys, "pica200", "--decode", "0xFFFFFFFF")["instruction"] == "mad"


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["pica200", "lop"], 2, "did you mean loop"),
        (["pica200", "zzzz"], 2, "lanewise isa pica200 lists them"),
        (["pica200", "0x40"], 2, "--decode 0x40"),
        (["pica300"], 2, "unknown instruction set 'pica300'"),
        (["pica200", "--decode", "pear"], 2, "a word of 32 bits"),
        (["pica200", "--decode", "0x100000000"], 2, "a word of 32 bits"),
        (["pica200", "--decode", "-1"], 2, "a word of 32 bits"),
        (["pica200", "add", "--evidence"], 2, "mutually exclusive"),
        (["pica200", "--descriptor", "0"], 2, "goes with --decode"),
        (["--evidence"], 2, "name the instruction set"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, text: str):
    found, out, err = isa(capsys, *arguments)
    assert (found, out) == (code, "")
    assert text in err
    assert len(err.splitlines()) == 1


def test_help_has_examples(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stop:
        isa(capsys, "--help-all")
    assert stop.value.code == 0
    assert "lanewise isa pica200 0x13" in capsys.readouterr().out


def test_evidence(capsys: pytest.CaptureFixture[str]):
    code, out, _ = isa(capsys, "pica200", "--evidence")
    assert code == 0
    flat = " ".join(out.split())
    for fact in facts.FACTS:
        assert " ".join(fact.topic.split()) in flat
        assert " ".join(fact.choice.split()) in flat
        for value, meaning in fact.answers.items():
            assert value in flat
            assert " ".join(meaning.split()) in flat
        assert " ".join(fact.source.split()) in flat
    for line in (r"rounding +unknown +zero +float32 +float32 +nearest float32", r"loop_rounds +measured +x\+1 +x\+2 +x\+2"):
        assert re.search(rf"^  {line}$", out, re.MULTILINE), line
    rows = isa_json(capsys, "pica200", "--evidence")["facts"]
    assert [row["key"] for row in rows] == [fact.key for fact in facts.FACTS]
    rounding = next(row for row in rows if row["key"] == "rounding")
    assert rounding["presets"] == {"hardware": "zero", "azahar": "float32", "panda3ds": "float32"}
    assert list(rounding["answers"]) == ["zero", "nearest", "float32"]


def test_evidence_by_topic(capsys: pytest.CaptureFixture[str]):
    keys = {row["key"] for row in isa_json(capsys, "pica200", "--evidence", "rcp")["facts"]}
    assert {fact.key for fact in facts.FACTS if "rcp" in fact.ops} <= keys
    assert {"negative_zero"} <= keys < {fact.key for fact in facts.FACTS}  # its source has rcp(-0)
    code, out, _ = isa(capsys, "pica200", "--evidence", "past_end")
    assert (code, out.count("Source: ")) == (0, 1)
    assert "PC past the last word" in out
    for option in (["pica200", "--evidence="], ["--evidence", "pica200"]):
        assert len(isa_json(capsys, *option)["facts"]) == len(facts.FACTS)
    around = {row["key"]: row["known"] for row in isa_json(capsys, "pica200", "--evidence", "fixed value")["facts"]}
    assert around == {"fixed_attributes": "unknown", "loaded_components": "inferred"}
    code, _, err = isa(capsys, "pica200", "--evidence", "pastend")
    assert code == 2
    assert "did you mean past_end" in err


def test_facts_are_sound():
    keys = [fact.key for fact in facts.FACTS]
    assert len(set(keys)) == len(keys)
    for fact in facts.FACTS:
        assert fact.known in CLASSES
        assert fact.key.isidentifier()
        assert fact.topic
        assert fact.choice
        assert fact.source
        assert set(fact.ops) <= BY_NAME.keys(), fact.key
        assert {fact.azahar, fact.panda3ds} - {""} <= {*fact.answers} - {fact.default}, fact.key
        if fact.known == MEASURED:
            # What is measured has no other answers but those of an emulator that does otherwise.
            assert not fact.others, fact.key
            earlier = {"registers"} if fact.key == "index_wrap" else set[str]()  # Panda3DS before PR 786
            assert {*fact.answers} == {fact.default, fact.azahar or fact.default, fact.panda3ds or fact.default} | earlier, (
                fact.key
            )
    contradictions = " ".join(fact.topic for fact in facts.FACTS)
    for number in range(1, 17):
        assert re.search(rf"\bC{number}\b", contradictions), number


def test_diagram_of_narrow_fields():
    fields = (Field("a", 0, 1), Field("rest", 1, 30, reserved=True), Field("top", 31, 1))
    assert bit_diagram(fields, {"a": 1}) == (
        "   31  30   1  0  ",
        "+-----+------+---+",
        "| top |  -   | a |",
        "|  1  |  30  | 1 |",
        "+-----+------+---+",
    )


def test_diagrams_are_rectangles():
    for form in FORMATS:
        assert len({len(line) for line in bit_diagram(form.fields)}) == 1


def test_documents_print_as_text_and_markdown():
    blocks = [
        Heading(1, "T"),
        Paragraph("a `b*c` d_e"),
        Fixed(("| x |",)),
        Table(("h", "i"), (("1", "`a|b`"),)),
        Items((("n", "v " * 80), ("longer", "w"))),
    ]
    text = as_text(blocks)
    assert text.startswith("T\n=\n\n  a b*c d_e\n\n  | x |\n\n  h  i\n  1  a|b\n\n  n       v v")
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b[1mT\x1b[0m" in as_text(blocks, colour=True)
    marked = as_markdown(blocks)
    assert marked.startswith(
        "# T\n\na `b*c` d_e\n\n```text\n| x |\n```\n\n| h | i |\n| --- | --- |\n| 1 | `a\\|b` |\n\n- **n**: v v"
    )


def test_starts_without_numpy():
    code = "import sys, lanewise.tools.cli as c; c.main(['isa', 'pica200', 'mad']); sys.exit('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout


def test_rewrite_rules_are_listed(capsys: pytest.CaptureFixture[str]):
    code, out, _ = isa(capsys, "--rewrites")
    assert code == 0
    assert "floor of a floor" in out
    code, out, _ = isa(capsys, "--rewrites", "--format", "json")
    found = json.loads(out)
    rows = {row["name"]: row for row in found["rewrites"]}
    assert rows["maximum of a maximum"]["where"] == ["A <= B", "finite(A)"]
    assert rows["maximum of a maximum"]["replacement"] == "max(x, B)"
    assert {row["name"]: row["values"] for row in found["not_rewrites"]}["a maximum has no order"] == {"x": "nan", "y": "1.0"}
    assert isa(capsys, "pica200", "--rewrites")[0] == 2
