"""A program with one damaged statement: no finding elsewhere that the whole program does not have, no word at another
address."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY, rows
from effort import sample, times
from lanewise.core.service import Request, SourceFile
from lanewise.pica200.api.checking import examine
from lanewise.pica200.package import PICA200
from lanewise.pica200.text.dialects import dialect_of, source_suffixes

if TYPE_CHECKING:
    from lanewise.pica200.api.checking import Examined

Sources = tuple[tuple[str, str], ...]


def programs() -> list[Sources]:
    """Programs of both languages without errors: ours, and those of the conformance corpus where it is there."""
    ours = [
        ((path.name, path.read_text()),)
        for folder in ("examples", "tests/golden")
        for path in sorted((REPOSITORY / folder).iterdir())
        if path.name.endswith(source_suffixes())
    ]
    corpus: list[Sources] = []
    for tool, part in (("picasso", "hand"), ("picasso", "gen"), ("nihstro", "hand")):
        for row in rows(tool, part):
            sources = tuple(row.sources()) if all((row.folder / name).exists() for name in row.files) else ()
            if sources and row.data is not None and dialect_of(sources[0][0]) is not None:
                corpus.append(sources)
    return [
        sources
        for sources in (*sample(ours, times(8, 100)), *sample(corpus, times(4, 400)))
        if examined(sources).made.data is not None
    ]


def examined(sources: Sources) -> Examined:
    return examine(sources)


def places(found: Examined) -> set[tuple[str, str, int]]:
    """Findings by code and line; notes about nihstro itself come once for a file, at the first place."""
    return {(f.code, f.span.file, f.span.line) for f in found.report.findings if f.code not in ("P070", "P071", "V106")}


def damaged(line: str, how: int) -> str:
    """A statement that cannot be read, made of one that can: a wrong word, operand or count, a letter too many."""
    indent = line[: len(line) - len(line.lstrip())]
    words = line.strip().split(None, 1)
    name, rest = words[0], words[1] if len(words) > 1 else ""
    return (
        indent
        + (
            f"{name}q {rest}",
            f"{name} {rest}, ??",
            f"{name} {rest.replace('r', 'q', 1) if 'r' in rest else '?'}",
            f"zzz {rest}",
            f"{name[0]}{name} {rest}",
        )[how]
    )


def check_one(sources: Sources, before: Examined, choose: random.Random) -> None:
    operations = [o for o in before.made.program.operations if o.span is not None and o.op.name != "nop"]
    spans = [o.span for o in operations if o.span is not None and ":" not in o.span.text.partition(";")[0]]
    if not spans:
        return
    span = choose.choice(spans)
    wrong = damaged(span.text.rstrip("\r"), choose.randrange(5))
    texts: list[tuple[str, str]] = []
    for name, text in sources:
        lines = text.split("\n")
        if name == span.file:
            lines[span.line - 1] = wrong
        texts.append((name, "\n".join(lines)))
    after = examined(tuple(texts))
    shown = f"{span.file}:{span.line}: {wrong}"
    here = (span.file, span.line)
    extra = {place for place in places(after) - places(before) if place[1:] != here}
    errors = {(f.code, f.span.file, f.span.line) for f in after.report.findings if f.is_error}
    assert not extra - errors, f"{shown}: {sorted(extra - errors)}"
    if errors and not (wrong.strip().startswith("zzz") and len(span.text.split(",")) < 2):  # what pads a block may be unknown
        was = [(o.span.file, o.span.line) for o in before.made.program.operations if o.span is not None]
        now = [(o.span.file, o.span.line) for o in after.made.program.operations if o.span is not None]
        assert len(now) == len(was) or after.made.doubt, shown


@pytest.mark.parametrize("seed", range(times(1, 40)))
def test_no_false_alarms(seed: int):
    choose = random.Random(seed)
    for sources in programs():
        check_one(sources, examined(sources), choose)


def test_a_request_is_all_it_takes():
    """The findings of the undamaged part are those that `lanewise check` shows."""
    text = "\n".join(
        [".out pos position", ".in p", ".proc main", "\tmull r0, p, p", "\tmov r1, p", "\tmov pos, p", "\tend", ".end"]
    )
    request = Request("check", (SourceFile("a.v.pica", text.encode(), "a.v.pica"),), {})
    found = PICA200.load(request).check
    assert found is not None
    assert [(finding.code, finding.span.line) for finding in found(request).findings] == [("P001", 4), ("V096", 5)]
