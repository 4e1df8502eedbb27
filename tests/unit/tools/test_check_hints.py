"""`lanewise check --hints` beside `lanewise opt`: the same steps, which save the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from corpus import REPOSITORY
from documents import checked
from lanewise.core.service import HINTS
from lanewise.lsp.documents import Documents, Rules
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = {
    "a.vsa": "vs_2_0\ndcl_position v0\ndef c20, 1, 0, 0.5, 2\nmov r0, v0\nrcp r1.x, v0.w\nrcp r2.y, v0.w\n"
    "mul r3.xy, c20.z, c20.w\nmul r4, r1.x, v0\nadd r4, r4, c5\nadd oPos, r0, r4\nmul oT0, v0, r2.y\nmul oT1, v0, r3.x\n",
    "a.sc": ".input v0 position\n.output o0 position\nmul r0.x, v0.x, v0.x\nmov r0.y, r0.x\nadd o0.x, r0.y, v0.y\n"
    "mul r1.x, v0.z, v0.z\nadd o0.y, r1.x, v0.w\nmul r2.x, v0.z, v0.z\nadd o0.z, r2.x, v0.w\nmov o0.w, v0.w\n"
    "mul r7.y, v0.x, v0.y\nend\n",
}
EXAMPLES = ("transform.sc", "cutout.psa", "direct3d9/skin.vsa")


def steps_and_hints(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The document of `opt`, and the hints of `check`."""
    capsys.readouterr()
    assert main(["opt", str(path), "--format", "json"]) == 0
    found: dict[str, Any] = checked(capsys.readouterr().out)
    main(["check", str(path), "--hints", "--format", "json"])
    report: dict[str, Any] = checked(capsys.readouterr().out)
    return found, [each for each in report["diagnostics"] if each["code"].startswith("H")]


def agree(found: dict[str, Any], hints: list[dict[str, Any]]) -> None:
    steps: list[dict[str, Any]] = found["steps"]
    assert sorted([(step["code"], step["reason"]) for step in steps]) == sorted([(h["code"], h["message"]) for h in hints])
    for unit in {"slots", "cycles"} & found.keys():
        assert sum([step["saved"][unit] for step in steps]) == found[unit]["before"] - found[unit]["after"]
    assert all(any(note.startswith("saves ") for note in hint["notes"]) for hint in hints)


@pytest.mark.parametrize("name", SOURCES)
def test_each_step_is_a_hint_with_its_line_and_what_it_saves(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / name
    path.write_text(SOURCES[name])
    found, hints = steps_and_hints(path, capsys)
    agree(found, hints)
    assert len(hints) == 4
    assert all(hint["span"]["line"] > 2 for hint in hints)


@pytest.mark.parametrize("name", EXAMPLES)
def test_hints_are_the_steps_of_opt(name: str, capsys: pytest.CaptureFixture[str]):
    agree(*steps_and_hints(REPOSITORY / "examples" / name, capsys))


def test_a_comment_suppresses_a_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.sc"
    path.write_text(SOURCES["a.sc"].replace("v0.x, v0.y\nend", "v0.x, v0.y ; lanewise: ignore[H102]\nend"))
    assert main(["check", str(path), "--hints"]) == 0
    shown = capsys.readouterr()
    assert "H104" in shown.out
    assert "H102" not in shown.out + shown.err
    main(["check", str(path)])
    assert "H" not in capsys.readouterr().out


@pytest.mark.parametrize("name", SOURCES)
def test_an_editor_that_asks_for_them_has_them(name: str):
    documents = Documents(lambda path: Rules(), disk=False)
    documents.options = {HINTS.key: True}
    uri = f"untitled:{name}"
    documents.put(uri, SOURCES[name], 1, "direct3d9" if name.endswith("vsa") else "shadercore")
    view = documents.analyse(uri)
    assert view is not None
    assert len([finding for finding in view.analysis.findings if finding.code.startswith("H")]) == 4
