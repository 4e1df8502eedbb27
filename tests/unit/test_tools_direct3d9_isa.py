"""`lanewise isa direct3d9`: every row and every open question is shown; what does not exist is refused."""

from __future__ import annotations

import json

import pytest

from lanewise.isa.direct3d9 import BY_NAME, OPS, Op
from lanewise.isa.direct3d9_choices import CHOICES
from lanewise.tools import cli
from lanewise.tools.direct3d9_reference import find_op, versions


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert cli.main(["isa", "direct3d9", *argv]) == 0
    return capsys.readouterr().out


def test_the_overview_has_every_instruction(capsys: pytest.CaptureFixture[str]):
    text = shown(capsys)
    assert all(f"0x{op.opcode:02X}" in text and op.name in text for op in OPS)
    assert [row["name"] for row in json.loads(shown(capsys, "--format", "json"))["instructions"]] == [op.name for op in OPS]


@pytest.mark.parametrize("op", OPS, ids=[op.name for op in OPS])
def test_every_instruction_has_a_page(op: Op, capsys: pytest.CaptureFixture[str]):
    name = op.name
    text = shown(capsys, name.upper())
    assert f"0x{BY_NAME[name].opcode:02X}" in text
    data = json.loads(shown(capsys, hex(BY_NAME[name].opcode), "--format", "json"))
    assert data["name"] == name
    assert data["choices"] == [choice.key for choice in CHOICES if name in choice.ops]


def test_open_questions(capsys: pytest.CaptureFixture[str]):
    text = shown(capsys, "--evidence")
    assert all(choice.key in text for choice in CHOICES)
    assert len(json.loads(shown(capsys, "--evidence", "--format", "json"))["choices"]) == len(CHOICES)
    assert {name for choice in CHOICES for name in choice.ops} <= BY_NAME.keys()


def test_names_of_assembly():
    assert [op.name if (op := find_op(text)) else None for text in ("texldp", "break_ge", "if_lt", "TEXCRD", "0x5E", "none")] == [
        "tex", "breakc", "ifc", "texcoord", "setp", None,
    ]  # fmt: skip
    assert [versions(span) for span in (None, ("1_0", ""), ("1_0", "1_3"), ("1_4", "1_4"))] == [
        "-",
        "1_0 on",
        "1_0 to 1_3",
        "1_4",
    ]


@pytest.mark.parametrize(
    ("argv", "said"), [(["lot"], "did you mean"), (["0x999"], "lists them"), (["--decode", "0x1"], "by itself")]
)
def test_what_is_not_there(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["isa", "direct3d9", *argv]) == 2
    assert said in capsys.readouterr().err
