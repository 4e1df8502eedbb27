"""`Code`: a row of a table of findings.

Each package has such a table in its `codes.py`; `core.codes` has the findings that serve all.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable


class Code(Record):
    """A finding's documentation.

    `meaning`: what is wrong; `why`: why it matters to the hardware or the tools; `fix`: what to do; `evidence`: the source of
    the fact. The evidence of a fact about the hardware starts with its certainty: `measured`, `inferred` or `unknown`.
    `unneeded`: what is at the place of the finding has no effect, and editors show it faded.
    """

    code: str
    title: str
    meaning: str
    why: str
    fix: str
    evidence: str = ""
    unneeded: bool = False

    @property
    def help(self) -> str:
        """The fix as a finding has it: in lower case, without the full stop."""
        return self.fix[:1].lower() + self.fix[1:].rstrip(".")

    @property
    def known(self) -> str:
        """`measured`, `inferred` or `unknown`; empty for rules of languages and files."""
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
