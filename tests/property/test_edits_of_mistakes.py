"""Each edit that a finding offers about a mistake in a correct program: the finding goes, no other comes, and a program with no
other error assembles."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from damage import analysed, broken
from effort import times
from habits import HABITS, NIHSTRO, PICASSO, mistake
from lanewise.core.diagnostics import ERROR, NOTE
from lanewise.core.editing import edited
from lanewise.pica200.api.assembling import assemble_sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {PICASSO: "a.v.pica", NIHSTRO: "a.vsh"}
LONGEST = 60  # lines of a program
PATTERNS = {
    PICASSO: ("examples/**/*.pica", "tests/check/idioms/*.v.pica", "tests/golden/structure.pica"),
    NIHSTRO: ("examples/**/*.vsh", "tests/golden/nihstro_*.vsh"),
    "shadercore": ("examples/**/*.sc",),
    "direct3d9": ("examples/**/*.vsa", "examples/**/*.psa"),
}


def found(language: str, text: str) -> list[Diagnostic]:
    """Errors and warnings about a text."""
    if language in LANGUAGES:
        findings = assemble_sources([(LANGUAGES[language], text)], dialect=language).diagnostics
    else:
        findings = tuple(analysed(language, text).findings)
    return [each for each in findings if each.severity != NOTE]


@cache
def correct(language: str) -> list[str]:
    """Programs without errors."""
    paths = sorted({path for pattern in PATTERNS[language] for path in ROOT.glob(pattern)})
    texts = [path.read_text(encoding="latin-1").replace("\r\n", "\n") for path in paths]
    return [
        text
        for text in texts
        if text.count("\n") < LONGEST and ".include" not in text and not any(each.is_error for each in found(language, text))
    ]


def damaged(language: str, text: str, rng: random.Random) -> str:
    """A text with a mistake: by habit, or by chance."""
    if language in LANGUAGES and rng.random() < 0.7:
        habit = rng.choice([each for each in HABITS if language in each.languages])
        made = mistake(habit, text, language, rng)
        if made is not None:
            return made.text
    lines = text.split("\n")
    places = [n for n, line in enumerate(lines) if line.strip() and line.strip()[0] not in ";/#"]
    at = rng.choice(places)
    line = lines[at]
    start, end = len(line) - len(line.lstrip()), len(line.partition(";")[0].partition("//")[0].rstrip())
    if start < end:
        lines[at] = broken(line, start, end, rng)
    return "\n".join(lines)


def keys(findings: Sequence[Diagnostic], severities: Sequence[str]) -> Counter[tuple[str, str]]:
    return Counter((each.code, each.message) for each in findings if each.severity in severities)


def wrong(language: str, text: str) -> list[str]:
    """What is wrong with the edits of the findings about a text, each done alone."""
    before = found(language, text)
    errors = [each for each in before if each.is_error]
    bad: list[str] = []
    for finding in before:
        level = (ERROR,) if finding.is_error else (ERROR, "warning")
        was = keys(before, level)
        for edits in [finding.edits, *[other.edits for other in finding.alternatives]]:
            if not edits:
                continue
            after = found(language, edited(text, edits))
            now = keys(after, level)
            key = finding.code, finding.message
            alone = errors == [finding]
            new = now - was if alone or not errors else Counter[tuple[str, str]]()
            if finding.code == "V042" and {code for code, _ in new} == {"V110"}:
                continue  # the nearest label may be in front of the call whose end is misspelt
            if now[key] >= was[key] or new:
                place = f"{finding.span.line}: {finding.span.text!r}: {finding.code} {finding.message}: {finding.fix}"
                bad.append(f"{place} -> {[edit.text for edit in edits]}: {dict(new)}")
    return bad


@pytest.mark.parametrize(("language", "share"), [(PICASSO, 0.5), (NIHSTRO, 0.2), ("shadercore", 0.15), ("direct3d9", 0.15)])
def test_edits_of_mistakes(language: str, share: float):
    rng = random.Random(f"edits {language}")
    texts = correct(language)
    assert texts
    bad = [
        each
        for _ in range(round(times(500, 20_000) * share))
        for each in wrong(language, damaged(language, rng.choice(texts), rng))
    ]
    assert not bad, "\n".join(bad[:40])
