"""Wine's assembler, live: the recorded corpus is what it gives, and it gives our words for every instruction that it takes.

Skipped where Wine or mingw is not installed. With Wine 8.0: the corpus is what was recorded, but for three rows that are
left-over memory of its parser; of generated programs it refuses those of the software versions and the legal ones that the
table of oddities names.
"""

from __future__ import annotations

import pytest

import direct3d9_wine
from direct3d9_cases import needs_corpus, rows, with_registers, words_of
from lanewise.direct3d9.text.printer import print_shader

pytestmark = [
    needs_corpus,
    pytest.mark.skipif(not direct3d9_wine.is_there(), reason=f"wine and {direct3d9_wine.COMPILER} are not installed"),
]

Answers = dict[str, list[int] | None]


def generated() -> dict[str, list[int]]:
    """Sources of one instruction each, with the words that they are."""
    return {print_shader(shader): shader.words for shader in with_registers(6)}


@pytest.fixture(scope="module")
def answers() -> Answers:
    """What Wine gives for every source of the corpus and every generated one: it is started once."""
    texts = list(dict.fromkeys([*(row["text"] for row in rows()), *generated()]))
    return dict(zip(texts, direct3d9_wine.assemble(texts), strict=True))


def test_the_corpus_is_what_wine_gives(answers: Answers):
    for row in rows():
        if "left-over" not in (row.get("quirk") or ""):
            assert answers[row["text"]] == (words_of(row) if row["words"] else None), row["name"]


def test_wine_gives_our_words(answers: Answers):
    taken = 0
    for text, stream in generated().items():
        words = answers[text]
        if words is not None:
            assert words == stream, text
            taken += 1
    assert taken > 1500
