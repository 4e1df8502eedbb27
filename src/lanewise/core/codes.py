"""The registry of diagnostics: every code that lanewise can report, with what it means and how to mend it.

Codes are stable: a number is never given a second meaning. P parse, V verify, C container, R run, B binding of data.
"""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """`meaning`: what is wrong; `why`: why the hardware or the tools care; `mend`: what to do; `evidence`: where it is known from."""

    code: str
    title: str
    meaning: str
    why: str
    mend: str
    evidence: str = ""


_CODES = (
)  # fmt: skip

CODES = {row.code: row for row in _CODES}
