"""Apply the edits that findings offer: `Edit` of `core.diagnostics`."""

from __future__ import annotations

from lanewise.core.diagnostics import Edit
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.source import Span


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text of a file with its edits done. Two at one place are done in the order given. Raises ValueError for edits that
    overlap, or are not in the text."""
    starts = [0]  # of lines as the readers see them: a form feed does not end one
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    pieces: list[tuple[int, int, str]] = []
    for edit in edits:
        place = edit.span
        if not 0 < place.line < len(starts) or place.column < 1:
            raise ValueError(f"{place} is not a place in the text")
        start = starts[place.line - 1] + place.column - 1
        pieces.append((start, start + place.length, edit.text))
    done: list[str] = []
    at = 0
    for start, end, new in sorted(pieces, key=lambda piece: piece[:2]):
        if start < at or end > len(text):
            raise ValueError(f"an edit at character {start} overlaps another, or lies outside the text")
        done += [text[at:start], new]
        at = end
    return "".join([*done, text[at:]])


def chosen(findings: Sequence[Diagnostic], *, likely: bool = False) -> tuple[list[Diagnostic], dict[str, list[Edit]]]:
    """Findings whose edits go together, in their order, and those edits by file: a finding whose edits overlap those of an
    earlier one waits for the next time. Where several can be meant, the likeliest edits are taken only if `likely`."""
    taken: list[Diagnostic] = []
    by_file: dict[str, list[Edit]] = {}
    for finding in findings:
        if not finding.edits or (finding.alternatives and not likely):
            continue
        if any(_overlaps(edit, other) for edit in finding.edits for other in by_file.get(edit.span.file, ())):
            continue
        taken.append(finding)
        for edit in finding.edits:
            by_file.setdefault(edit.span.file, []).append(edit)
    return taken, by_file


def _overlaps(one: Edit, other: Edit) -> bool:
    a, b = one.span, other.span
    if a.line != b.line and a.length and b.length:  # an edit that covers line ends is refused by `edited`
        return False
    return a.line == b.line and a.column < b.column + max(b.length, 1) and b.column < a.column + max(a.length, 1)


def restated(text: str, statements: Iterable[tuple[Span, str]]) -> str:
    """The text of a file with other statements in some places; an empty one goes, with its line where nothing else is on it.
    Raises ValueError as `edited`."""
    edits: list[Edit] = []
    for span, statement in statements:
        begin, end = span.column - 1, span.column - 1 + span.length
        alone = not span.text[:begin].strip() and not span.text[end:].strip()
        edits.append(Edit(span.at(1, len(span.text) + 1), "") if alone and not statement else Edit(span, statement))
    return edited(text, edits)
