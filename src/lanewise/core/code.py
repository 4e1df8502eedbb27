"""`Code`: a row of a table of findings.

Each package has such a table in its `codes.py`; `core.codes` has the findings that serve all.
"""

from __future__ import annotations

from lanewise.core.evidence import entries
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable


class Code(Record):
    """A finding's documentation."""

    code: str
    "A letter and three digits, such as `P018`; it never changes its meaning."
    title: str
    "The finding in a few words, in lower case without a full stop."
    meaning: str
    "The defect, in sentences."
    why: str
    "Why it matters to the hardware or the tools."
    fix: str
    "The remedy, as an imperative."
    evidence: str = ""
    "Source of the fact; one about the hardware begins with its certainty: `measured`, `inferred` or `unknown`."
    unneeded: bool = False
    "Code at the place of the finding has no effect; editors show it faded."

    @property
    def help(self) -> str:
        """The fix as a finding has it: in lower case, without the full stop."""
        return self.fix[:1].lower() + self.fix[1:].rstrip(".")

    @property
    def known(self) -> str:
        """`measured`, `inferred` or `unknown`; empty for rules of languages and files."""
        first = self.evidence.replace(":", " ").partition(" ")[0]
        return first if first in ("measured", "inferred", "unknown") else ""


_LABELS = ("Why", "Fix", "Evidence")


def rows(text: str) -> tuple[Code, ...]:
    """The findings of a text: `P018 title`, then lines indented by four: the meaning, `Why: `, `Fix: ` and `Evidence: `, and
    `Unneeded.` where the code at the place has no effect. What is indented by eight goes on with the line before; `#` begins a
    comment. Raises KeyError for a finding without one of them, ValueError for one that has two.
    """
    found: list[dict[str, str]] = []
    for head, lines in entries(text):
        code, _, title = head.partition(" ")
        row = {"code": code, "title": title}
        for line in lines:
            label, colon, rest = line.partition(": ")
            if not colon or label not in _LABELS:
                label, rest = "Unneeded" if line == "Unneeded." else "Meaning", line
            if label in row:
                raise ValueError(f"two lines of {code} are its {label.lower()}: {rest}")
            row[label] = rest
        found.append(row)
    return tuple(
        [
            Code(
                code=row["code"],
                title=row["title"],
                meaning=row["Meaning"],
                why=row["Why"],
                fix=row["Fix"],
                evidence=row.get("Evidence", ""),
                unneeded="Unneeded" in row,
            )
            for row in found
        ]
    )


def by_code(*tables: Iterable[Code]) -> dict[str, Code]:
    """All rows by their code. Raises ValueError for a code with two rows."""
    found: dict[str, Code] = {}
    for table in tables:
        for row in table:
            if row.code in found:
                raise ValueError(f"two findings have the code {row.code}")
            found[row.code] = row
    return found
