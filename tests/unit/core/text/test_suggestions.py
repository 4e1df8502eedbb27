"""Suggestions for unknown names: few of them, so that reading a source with many mistakes takes time in proportion to its
size."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

import pytest

import lanewise as lw
from effort import times
from lanewise.api.testing import read_tests
from lanewise.core.diagnostics import Diagnostic, InputError
from lanewise.core.text.likeness import closest
from lanewise.core.text.problems import LONGEST_NAME, MOST_COMPARISONS, MOST_SUGGESTIONS, Suggestions
from lanewise.core.text.suggestions import near
from lanewise.direct3d9.text.reader import read_source_text as read_direct3d9
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.shadercore.text.reader import read_source_text as read_shadercore


def lines(pattern: str, count: int) -> str:
    return "".join(pattern.replace("#", str(n)) for n in range(count))


# name of the file: what begins it, a line that declares a name, what comes then, a line with an unknown name, what ends it
SOURCES = {
    "procedures.pica": ("", ".proc sub#\nnop\n.end\n", ".proc main\n", "call sbu#\n", "end\n.end\n"),
    "labels.pica": (".proc main\n", "on#:\nnop\n", "", "jmpc cmp.x, no#\n", "end\n.end\n"),
    "aliases.pica": ("", ".alias name# r0\n", ".proc main\n", "mov r0, nmae#\n", "end\n.end\n"),
    "instructions.pica": (".proc main\n", "", "", "movv# r0, r1\n", "end\n.end\n"),
    "directives.pica": ("", "", "", ".procc# r0\n", ".proc main\nend\n.end\n"),
    "aliases.vsh": ("", ".alias name# c0\n", "main:\n", "mov r0, nmae#\n", "end\n"),
    "labels.vsh": ("main:\n", "on#:\nnop\n", "", "jmp no# if cc.x\n", "end\n"),
    "instructions.vsh": ("main:\n", "", "", "movv# r0, r1\n", "end\n"),
    "instructions.vsa": ("vs_2_0\n", "", "", "movv# r0, r1\n", ""),
    "instructions.sc": ("", "", "", "movv# r0.x, r1.x\n", ""),
}


def found_in(name: str, size: int) -> Sequence[Diagnostic]:
    head, declaring, middle, using, end = SOURCES[name]
    text = head + lines(declaring, size) + middle + lines(using, size) + end
    if name.endswith(".vsa"):
        return read_direct3d9(text, name).diagnostics
    return read_shadercore(text, name).diagnostics if name.endswith(".sc") else assemble_sources([(name, text)]).diagnostics


@pytest.mark.parametrize("source", SOURCES)
def test_suggestions_of_a_run_are_few(source: str, monkeypatch: pytest.MonkeyPatch):
    compared = 0

    def count(name: str, known: Sequence[str], most: int = 3, cutoff: float = 0.6) -> list[str]:
        nonlocal compared
        compared += len(known)
        return []

    monkeypatch.setattr(difflib, "get_close_matches", count)
    for size in (50, times(1_000, 2_000)):
        compared = 0
        found = found_in(source, size)
        assert len(found) >= (size if not source.endswith(".vsa") else min(size, 100)), (
            "unknown names are reported with and without suggestions"
        )
        assert 0 < compared <= MOST_COMPARISONS


@pytest.mark.parametrize("source", SOURCES)
def test_the_first_unknown_names_get_suggestions(source: str):
    suggested = [
        number for number, finding in enumerate(found_in(source, 60)) if finding.fix.startswith(("did you mean", "write `"))
    ]
    assert 0 < len(suggested) <= MOST_SUGGESTIONS
    assert suggested[0] == 0


def test_keys_of_a_shader_test(tmp_path: Path):
    path = tmp_path / "a.shadertest.toml"
    path.write_text(lines("imputs# = 1\n", 60))
    with pytest.raises(InputError) as caught:
        read_tests(path)
    found = [finding for finding in caught.value.diagnostics if finding.code == "T002"]
    assert [finding.span.line for finding in found] == list(range(1, 61))
    assert sum("did you mean" in finding.fix for finding in found) == MOST_SUGGESTIONS


def test_long_names_are_not_compared():
    suggestions = Suggestions()
    assert suggestions.nearest("r" * LONGEST_NAME + "xx", ["r" * LONGEST_NAME]) == ""
    assert suggestions.nearest("name", ["nmae", "n" * 1_000_000]) == "nmae"
    assert near("r" * 1_000_000, ["r" * 999_999]) == []
    assert near("nmae", ["n" * 1_000_000, "name"]) == ["name"]


def test_a_budget_is_of_one_run():
    suggestions = Suggestions()
    assert [suggestions.nearest("nmae", ["name"]) for _ in range(MOST_SUGGESTIONS + 1)] == ["name"] * MOST_SUGGESTIONS + [""]
    assert Suggestions().nearest("nmae", ["name"]) == "name"
    large = [str(n) for n in range(MOST_COMPARISONS // 2 + 1)]
    again = Suggestions()
    again.nearest("x", large)
    assert not again.left(large)


@pytest.mark.parametrize("kind", ["inputs", "uniforms"])
def test_names_of_values(kind: str):
    shader = lw.assemble(".in name\n.fvec nmaee\n.out o position\n.proc main\nadd o, nmaee, name\nend\n.end\n").vertex
    wrong = {f"{'namee' if kind == 'inputs' else 'nmaee'}{n}": [1.0] for n in range(60)}
    with pytest.raises(InputError) as caught:
        shader.run(wrong if kind == "inputs" else {"name": [1.0]}, wrong if kind == "uniforms" else {})
    found = [finding for finding in caught.value.diagnostics if finding.code == "B001"]
    assert len(found) == 60
    assert sum("did you mean" in finding.fix for finding in found) == MOST_SUGGESTIONS


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("colour", ["color", "position"], ["color"]),
        ("positoin", ["color", "position"], ["position"]),
        ("proj", ["projection"], ["projection"]),
        ("texcoord", ["texcoord0"], ["texcoord0"]),
        ("nmae", ["name"], ["name"]),
        ("--camera", ["--sampler"], []),
        ("--autofix", ["--to"], []),
        ("scale", ["color"], []),
        ("normal", ["nrm", "frontal"], []),
    ],
)
def test_names_that_are_far_off_are_not_suggested(word: str, known: list[str], found: list[str]):
    assert closest(word, known, 3, 0.5) == found
