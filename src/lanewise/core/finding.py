"""Findings of rules, independent of their presentation."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Edit, Related
    from lanewise.core.source import Span


class Finding(Record):
    """A finding of a rule at the word `pc` or at `span`; `fix` is in user's terms.

    Of findings of one rule with the same place and `topic`, only the first counts. `related` and `edits` are those of a
    `Diagnostic`.
    """

    message: str
    fix: str
    pc: int = -1
    span: Span | None = None
    notes: tuple[str, ...] = ()
    topic: str = ""
    related: tuple[Related, ...] = ()
    edits: tuple[Edit, ...] = ()
