"""`lanewise isa direct3d9`: every open question is shown, with its instructions; what does not exist is refused."""

from __future__ import annotations

import json

import pytest

from lanewise.direct3d9.isa.choices import CHOICES
from lanewise.direct3d9.isa.table import BY_NAME, OPS, Op
from lanewise.tools import cli


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert cli.main(["isa", "direct3d9", *argv]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("op", OPS, ids=[op.name for op in OPS])
def test_every_instruction_has_a_page(op: Op, capsys: pytest.CaptureFixture[str]):
    name = op.name
    text = shown(capsys, name.upper())
    assert all(choice.key in text for choice in CHOICES if name in choice.ops)
    data = json.loads(shown(capsys, hex(BY_NAME[name].opcode), "--format", "json"))
    assert data["name"] == name
    assert data["choices"] == [choice.key for choice in CHOICES if name in choice.ops]


def test_open_questions(capsys: pytest.CaptureFixture[str]):
    text = shown(capsys, "--evidence")
    assert all(choice.key in text for choice in CHOICES)
    assert len(json.loads(shown(capsys, "--evidence", "--format", "json"))["choices"]) == len(CHOICES)
    assert {name for choice in CHOICES for name in choice.ops} <= BY_NAME.keys()


def test_open_questions_on_a_topic(capsys: pytest.CaptureFixture[str]):
    listed = json.loads(shown(capsys, "--evidence", "pow", "--format", "json"))["choices"]
    assert {choice.key for choice in CHOICES if "pow" in choice.ops} <= {row["key"] for row in listed}
    assert 0 < len(listed) < len(CHOICES)
    assert cli.main(["isa", "direct3d9", "--evidence", "texld"]) == 2
    assert "no row of evidence concerns tex" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "said"), [(["lot"], "did you mean"), (["0x999"], "lists them"), (["--decode", "0x1"], "--listing")]
)
def test_what_is_not_there(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["isa", "direct3d9", *argv]) == 2
    assert said in capsys.readouterr().err
