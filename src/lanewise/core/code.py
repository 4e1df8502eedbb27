"""A row of a table of findings: `Code`. Each package has such a table in its `codes.py`, `core.codes` has those of all."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable


class Code(Record):
    """`meaning`: what is wrong; `why`: why the hardware or the tools care; `fix`: what to do; `evidence`: where it is known from.

    The evidence of a fact about the hardware begins with how well it is known: `measured`, `inferred` or `unknown`.
    """

    code: str
    title: str
    meaning: str
    why: str
    fix: str
    evidence: str = ""

    @property
    def known(self) -> str:
        """`measured`, `inferred` or `unknown`; empty for rules of languages and files, which are facts of their own."""
        first = self.evidence.replace(":", " ").partition(" ")[0]
        return first if first in ("measured", "inferred", "unknown") else ""


def by_code(*tables: Iterable[Code]) -> dict[str, Code]:
    """All rows by their code. Raises ValueError for a code with two rows."""
    found: dict[str, Code] = {}
    for table in tables:
        for row in table:
            if row.code in found:
                raise ValueError(f"two findings have the code {row.code}")
            found[row.code] = row
    return found
