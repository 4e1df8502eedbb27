"""Edits of findings, each done alone: the finding goes, and no other of its level comes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from effort import sample
from lanewise.core.diagnostics import ERROR, NOTE, WARNING
from lanewise.core.editing import edited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.diagnostics import Diagnostic, Edit

    Sources = Sequence[tuple[str, str]]  # names and texts
    Finder = Callable[[Sources], Sequence[Diagnostic]]

MOST = 10
LEVELS = (ERROR, WARNING, NOTE)
# What may be said for the first time once a finding is gone, because more of the program runs then.
UNCOVERED = {
    "V040": ("V094",),  # a jump that the end of its block outdid is taken: it may be that of an endless loop
    "V070": ("V083",),  # what is behind a hang runs, and may leave outputs unwritten
    "V216": ("V240",),  # a nop that writes nothing has no effect but its cycles
    "V223": ("V240",),
    "V224": ("V223",),  # an instruction less is a cycle less: the next one may wait for the result of the one before
}


def keys(findings: Sequence[Diagnostic], severities: Sequence[str]) -> Counter[tuple[str, str]]:
    return Counter((each.code, each.message) for each in findings if each.severity in severities)


def after(sources: Sources, edits: Sequence[Edit]) -> list[tuple[str, str]]:
    """The sources with edits done."""
    assert {edit.span.file for edit in edits} <= {name for name, _ in sources}
    return [(name, edited(text, [edit for edit in edits if edit.span.file == name])) for name, text in sources]


def wrong(found: Finder, sources: Sources) -> tuple[int, list[str]]:
    """How many edits the findings about sources offer, and what is wrong with them, or in a default run with `MOST` of them.

    An error with others hides what is only said of programs that can be read: new findings count where it is alone.
    """
    before = found(sources)
    errors = [each for each in before if each.is_error]
    offered = [(each, edits) for each in before for edits in (each.edits, *[o.edits for o in each.alternatives]) if edits]
    bad: list[str] = []
    for finding, edits in sample(offered, MOST) if offered else ():
        level = LEVELS[: LEVELS.index(finding.severity) + 1]
        was, now = keys(before, level), keys(found(after(sources, edits)), level)
        key = finding.code, finding.message
        new = now - was if errors in ([], [finding]) else Counter[tuple[str, str]]()
        if now[key] >= was[key] or any(code not in UNCOVERED.get(finding.code, ()) for code, _ in new):
            place = f"{finding.span.line}: {finding.span.text!r}: {finding.code} {finding.message}: {finding.fix}"
            bad.append(f"{place} -> {[edit.text for edit in edits]}: {dict(new)}")
    return len(offered), bad
