"""Names of sources: every symbol renamed keeps the bytes; any prefix of a source is analysed."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from corpus import CONFORMANCE, REPOSITORY, rows
from effort import EXHAUSTIVE, sample, times
from lanewise.core.diagnostics import Edit
from lanewise.core.editing import edited
from lanewise.core.occurrences import GIVEN, Occurrence
from lanewise.core.service import Request, SourceFile
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.editor.language import editor_of
from lanewise.pica200.text.dialects import dialect_of, dialects, source_suffixes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.editor import Analysis


def included(path: str) -> str:
    return (REPOSITORY / "tests" / "golden" / path).read_text()


def analysed(sources: Sequence[tuple[str, str]], compatible: bool = False) -> Analysis:
    language = dialect_of(sources[0][0]) or dialects()[0]
    files = [SourceFile(name, text.encode(), name) for name, text in sources]
    values: Mapping[str, bool] = {"picasso-compat": True} if compatible else {}
    return editor_of(language.name).analyse(Request("check", files, dict(values), read_included=included))


def ours() -> list[tuple[tuple[str, str], ...]]:
    return [
        ((path.name, path.read_text()),)
        for folder in ("examples", "tests/golden")
        for path in sorted((REPOSITORY / folder).iterdir())
        if path.name.endswith(source_suffixes())
    ]


def corpus() -> list[tuple[tuple[str, str], ...]]:
    found = [*rows("picasso", "hand"), *rows("picasso", "gen"), *rows("nihstro", "hand")]
    given = [
        tuple(row.sources())
        for row in found
        if row.data is not None and all((row.folder / name).exists() for name in row.files)
    ]
    return [sources for sources in given if all(dialect_of(name) is not None for name, _ in sources)]


def fresh(name: str, texts: Sequence[str], choose: random.Random) -> str:
    """A name of the same length that no source has."""
    letters = "abdefghjklmnpqstuwxyz"
    for _ in range(50):
        made = name[0] if name[0] == "_" else choose.choice("hjkqwz")
        made += "".join(choose.choice(letters) for _ in range(len(name) - 1))
        if not any(made in text for text in texts):
            return made
    return ""


def check_renaming(sources: Sequence[tuple[str, str]], choose: random.Random, most: int) -> int:
    """Rename each symbol alone; the bytes have the new name where they had the old one, and are the same elsewhere."""
    analysis = analysed(sources, compatible=True)
    before = assemble_sources(sources, compatible=True, read=included)
    if before.data is None:
        return 0
    by_symbol: dict[str, list[Occurrence]] = {}
    for place in analysis.occurrences:
        assert place.span.text[place.span.column - 1 :][: place.span.length] == place.name, place
        if place.kind in GIVEN:
            by_symbol.setdefault(place.symbol, []).append(place)
    texts = dict(sources)
    done = 0
    for symbol, places in sample(list(by_symbol.items()), most):
        name = places[0].name
        new = fresh(name, list(texts.values()), choose)
        if not new or name == "main":  # where a shader starts, unless it says another
            continue
        if (
            not all(place.definition or place.span.file in texts for place in places)
            or {p.span.file for p in places} - texts.keys()
        ):
            continue
        renamed = {
            file: edited(text, [Edit(place.span, new) for place in places if place.span.file == file])
            for file, text in texts.items()
        }
        after = assemble_sources(list(renamed.items()), compatible=True, read=included)
        told = [str(finding) for finding in after.diagnostics if finding.is_error]
        assert after.data is not None, (symbol, new, told[:2])
        assert after.encoded == before.encoded, (symbol, new)
        stored = name.replace("$", ".").encode()  # picasso writes a point for it
        assert len(name) < 3 or after.data.replace(new.encode(), stored) == before.data, (symbol, new)
        assert len(after.data) == len(before.data), (symbol, new)
        done += 1
    return done


def test_renaming_keeps_the_bytes():
    choose = random.Random(1)
    renamed = [check_renaming(sources, choose, times(5, 1000)) for sources in (*ours(), *sample(corpus(), times(8, 1000)))]
    assert sum(renamed) > (100 if CONFORMANCE.is_dir() else 60)


@pytest.mark.parametrize("language", ["picasso", "nihstro"])
def test_any_prefix_is_analysed(language: str):
    """No text raises, and in an exhaustive run none takes three times as long as the whole, in time of this thread."""
    choose = random.Random(2)
    mine = [s for s in (*ours(), *corpus()) if (dialect_of(s[0][0]) or dialects()[0]).name == language and len(s) == 1]
    total, tried = times(20, 10_000), 0
    while tried < total:
        ((name, text),) = choose.choice(mine)
        start = time.thread_time()
        analysed(((name, text),))
        whole = time.thread_time() - start
        for cut in [choose.randrange(len(text)) for _ in range(min(10, total - tried))]:
            prefix = text[:cut]
            start = time.thread_time()
            analysis = analysed(((name, prefix),))
            spent = time.thread_time() - start
            if EXHAUSTIVE and spent > 3 * whole + 0.02:  # once more: the machine may have been busy
                start = time.thread_time()
                analysed(((name, prefix),))
                spent = min(spent, time.thread_time() - start)
                assert spent <= 3 * whole + 0.02, (name, cut, spent, whole)
            editor = editor_of(language)
            line, column = prefix.count("\n") + 1, len(prefix) - prefix.rfind("\n")
            editor.complete(analysis, name, prefix, line, column)
            editor.signature(analysis, name, prefix, line, column)
            editor.remarks(analysis, list(editor.inlays))
            for place in list(analysis.occurrences)[-2:]:
                editor.describe(analysis, place)
            tried += 1
