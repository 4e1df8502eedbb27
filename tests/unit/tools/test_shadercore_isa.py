"""`lanewise isa shadercore`: every row and every difference is shown; what does not exist is refused."""

from __future__ import annotations

import json

import pytest

from lanewise.core.document import as_text
from lanewise.shadercore.api.services.reference import example, overview, parameters_of
from lanewise.shadercore.isa.codec import decode
from lanewise.shadercore.isa.devices import PARAMETERS
from lanewise.shadercore.isa.table import OPS, Op
from lanewise.shadercore.text.reader import read_source_text
from lanewise.tools import cli


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert cli.main(["isa", *argv]) == 0
    return capsys.readouterr().out


def test_it_is_listed(capsys: pytest.CaptureFixture[str]):
    assert "shadercore" in shown(capsys)
    assert [isa["name"] for isa in json.loads(shown(capsys, "--format", "json"))["isas"]] == [
        "pica200",
        "shadercore",
        "direct3d9",
    ]


def test_overview_has_every_row_and_every_difference(capsys: pytest.CaptureFixture[str]):
    text = shown(capsys, "shadercore")
    assert text == as_text(overview())
    words = text.split()
    for op in OPS:
        assert op.name in words
    for parameter in PARAMETERS:
        named = parameter.differs or parameter.key in {*[op.name for op in OPS], "slots"}  # a word of the page, too
        assert (parameter.key in words) == named, parameter.key
    data = json.loads(shown(capsys, "ShaderCore", "--format", "json"))
    assert [row["name"] for row in data["instructions"]] == [op.name for op in OPS]
    assert sum(field["width"] for field in data["fields"]) == 64


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_instruction_has_a_page_with_an_example_that_is_true(op: Op, capsys: pytest.CaptureFixture[str]):
    for name in (op.name.upper(), str(op.opcode), *op.aliases):
        assert shown(capsys, "shadercore", name).startswith(f"{op.name}\n==")
    text, word = example(op)
    assert decode(word).op is op
    result = read_source_text(text, "")
    assert result.program is not None
    assert result.program.words == (word,)


def test_the_modes_that_no_word_selects_are_told(capsys: pytest.CaptureFixture[str]):
    assert "no instruction selects it" in shown(capsys, "shadercore", "shft").replace("\n  ", " ")


def test_evidence(capsys: pytest.CaptureFixture[str]):
    text = shown(capsys, "shadercore", "--evidence")
    for parameter in PARAMETERS:
        assert f"\n{parameter.key}\n" in text
    rows = json.loads(shown(capsys, "shadercore", "--evidence", "--format", "json"))["devices"]
    assert {row["field"] for row in rows} == {parameter.key for parameter in PARAMETERS}
    assert [row["field"] for row in rows if row["rtl"]["known"] != "measured"] == ["memory_latency"]  # that of a board
    assert {row["document"]["kind"] for row in rows} == {"stated", "corrected", "chosen"}


def test_evidence_by_topic(capsys: pytest.CaptureFixture[str]):
    text = shown(capsys, "shadercore", "--evidence", "rcp")
    listed = [parameter.key for parameter in PARAMETERS if f"\n{parameter.key}\n" in text]
    assert {"rcp", "rcp_sigma"} <= set(listed) < {parameter.key for parameter in PARAMETERS}
    assert "\nRegisters\n" not in text


def test_every_difference_of_results_is_on_the_page_of_an_instruction():
    listed = {parameter.key for op in OPS for parameter in parameters_of(op)}
    assert {parameter.key for parameter in PARAMETERS if parameter.group == "meaning"} <= listed


def test_words(capsys: pytest.CaptureFixture[str]):
    assert "add r7.w, -abs(c255.w), -1" in shown(capsys, "shadercore", "--decode", "0x00000001CFFD7F02")
    for word in (0, (1 << 64) - 1, 0x00000000FFFFFFFF):
        data = json.loads(shown(capsys, "shadercore", "--decode", f"{word:x}", "--format", "json"))
        assert sum(field["value"] << field["low"] for field in data["fields"]) == word
        assert data["word"] == f"0x{word:016X}"


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["shadercore", "addd"], "did you mean add"),
        (["shadercore", "32"], "lists them, 0 to 31"),
        (["shadercore", "--decode", "0x10000000000000000"], "a word of 64 bits"),
        (["shadercore", "--decode", "0", "--descriptor", "0"], "--descriptor is an option for PICA200"),
        (["--evidence"], "pica200 or shadercore"),
    ],
)
def test_wrong_usage(argv: list[str], words: str, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["isa", *argv]) == 2
    assert words in capsys.readouterr().err
