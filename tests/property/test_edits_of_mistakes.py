"""Each edit that a finding offers about a mistake in a correct program: the finding goes, no other comes, and a program with no
other error assembles."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from damage import analysed, broken
from edits import wrong
from effort import times
from habits import HABITS, NIHSTRO, PICASSO, mistake
from lanewise.core.diagnostics import NOTE
from lanewise.pica200.api.assembling import assemble_sources

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Diagnostic

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = (PICASSO, NIHSTRO)
NAME = "x"  # of a source
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
        findings = assemble_sources([(NAME, text)], dialect=language).diagnostics
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


@pytest.mark.parametrize(("language", "share"), [(PICASSO, 0.5), (NIHSTRO, 0.2), ("shadercore", 0.15), ("direct3d9", 0.15)])
def test_edits_of_mistakes(language: str, share: float):
    rng = random.Random(f"edits {language}")
    texts = correct(language)
    assert texts
    tried = 0
    bad: list[str] = []
    for _ in range(round(times(500, 20_000) * share)):
        count, faults = wrong(
            lambda sources: found(language, sources[0][1]), [(NAME, damaged(language, rng.choice(texts), rng))]
        )
        tried += count
        bad += faults
    assert not bad, f"{len(bad)} of {tried}:\n" + "\n".join(bad[:40])
    assert tried
