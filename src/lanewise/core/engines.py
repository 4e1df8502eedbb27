"""The engines by name, and which of them runs something."""

from __future__ import annotations

from typing import NamedTuple

AUTO, REFERENCE, LLVM = ENGINES = ("auto", "reference", "llvm")


class Choice(NamedTuple):
    """The engine for a run, and why."""

    engine: str
    reason: str
