"""What a row of the registry of diagnostics says. The tables are `codes_*`, and `codes` joins them."""

from __future__ import annotations

from lanewise.core.record import Record


class Code(Record):
    """`meaning`: what is wrong; `why`: why the hardware or the tools care; `mend`: what to do; `evidence`: where it is known from.

    The evidence of a fact about the hardware begins with how well it is known: `measured`, `inferred` or `unknown`.
    """

    code: str
    title: str
    meaning: str
    why: str
    mend: str
    evidence: str = ""

    @property
    def known(self) -> str:
        """`measured`, `inferred` or `unknown`; empty for rules of languages and files, which are facts of their own."""
        first = self.evidence.replace(":", " ").partition(" ")[0]
        return first if first in ("measured", "inferred", "unknown") else ""
