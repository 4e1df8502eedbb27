"""Sources with one operation damaged, as they are while someone types."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import ERROR
from lanewise.core.service import Request, SourceFile
from lanewise.packages import language_of

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from lanewise.core.editor import Analysis, Editor


def editor_of(language: str) -> Editor:
    editor = language_of(language)[1].editor
    assert editor is not None
    return editor()


def analysed(language: str, text: str, **values: str) -> Analysis:
    """The analysis of a text by itself."""
    data = text.encode()
    request = Request("check", (SourceFile("x", data, "x"),), values, language=language)
    return editor_of(language).analyse(request)


def broken(line: str, start: int, end: int, rng: random.Random) -> str:
    """A line with the statement from `start` to `end` damaged."""
    statement = line[start:end]
    head, _, rest = statement.partition(" ")
    at = rng.randrange(len(head))
    match rng.randrange(6):
        case 0:
            new = f"{head[:at]}{head[at + 1 :]} {rest}"
        case 1:
            new = f"{head[:at]}{rng.choice('abcdefghijklmnopqrstuvwxyz_9')}{head[at:]} {rest}"
        case 2:
            new = f"{head} {rest.replace(',', ' ', 1)}"
        case 3:
            parts = rest.split(",")
            parts[rng.randrange(len(parts))] = rng.choice((" zz", " r9_q", " ", " (r0", " 3.5"))
            new = f"{head} {','.join(parts)}"
        case 4:
            new = statement[: rng.randrange(1, len(statement) + 1)]
        case _:
            new = f"{head} {rest}, r1.x"
    return line[:start] + new + line[end:]


def damaged(language: str, text: str, rng: random.Random, count: int) -> Iterator[tuple[str, int, Analysis, Analysis]]:
    """The text with one operation damaged, so often: (text, line, analysis of the whole one, of the damaged one)."""
    whole = analysed(language, text)
    lines = text.split("\n")
    # one statement in a line and one line for a statement, so that nothing else is lost
    counts = Counter(one.span.line for one in whole.placed)
    places = [
        one
        for one in whole.placed
        if counts[one.span.line] == 1 and not lines[one.span.line - 1].split(";")[0].rstrip().endswith(",")
    ]
    for _ in range(count if places else 0):
        place = rng.choice(places).span
        line = lines[place.line - 1]
        new = broken(line, place.column - 1, place.column - 1 + place.length, rng)
        changed = "\n".join([*lines[: place.line - 1], new, *lines[place.line :]])
        found = analysed(language, changed)
        if any(one.code[0] == "P" and one.severity == ERROR and one.span.line == place.line for one in found.findings):
            yield changed, place.line, whole, found


def elsewhere(analysis: Analysis, line: int = -1) -> set[tuple[str, str]]:
    """The findings in other lines: code and message. What is reported once may move to the next place."""
    return {(one.code, one.message) for one in (*analysis.findings, *analysis.ignored) if one.span.line != line}
