"""The engines by name, and which of them runs something."""

from __future__ import annotations

from lanewise.core.record import Record

AUTO, REFERENCE, LLVM = ENGINES = ("auto", "reference", "llvm")


class Choice(Record):
    """The engine for a run, and why."""

    engine: str
    reason: str
