"""Findings of rules, independent of their presentation."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Edit, Related
    from lanewise.core.source import Span


class Finding(Record):
    """A finding of a rule, at a word or at a place of the source."""

    message: str
    "As in `Diagnostic`."
    fix: str
    "As in `Diagnostic`."
    pc: int = -1
    "Address of the word; -1 where `span` is the place."
    span: Span | None = None
    "Place of the finding; None where `pc` is the place."
    notes: tuple[str, ...] = ()
    "As in `Diagnostic`."
    topic: str = ""
    "Of findings of one rule with the same place and topic, only the first counts."
    related: tuple[Related, ...] = ()
    "As in `Diagnostic`."
    edits: tuple[Edit, ...] = ()
    "As in `Diagnostic`."
    severity: str = ""
    "Severity where it is not that of the rule; empty for the rule's."
