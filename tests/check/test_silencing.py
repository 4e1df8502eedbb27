"""A comment on its line silences each warning and note of each case of the tests, as the page of its code says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from check.test_edits import of_direct3d9, of_pica200, of_shadercore
from lanewise.api.findings import explained
from lanewise.api.findings import findings as codes
from lanewise.core.diagnostics import ERROR
from lanewise.core.document import as_text
from lanewise.core.ignoring import is_ignored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from check.test_edits import Case
    from edits import Sources
    from lanewise.core.diagnostics import Diagnostic

MARK = "lanewise: ignore["


def silenced(sources: Sources, finding: Diagnostic) -> Sources:
    """The sources with a comment on the line of a finding."""
    changed: list[tuple[str, str]] = []
    for name, text in sources:
        lines = text.split("\n")
        if name == finding.span.file:
            line = lines[finding.span.line - 1]
            more = f"{line} ; a reason. lanewise: ignore[{finding.code}]"
            lines[finding.span.line - 1] = line.replace(MARK, f"{MARK}{finding.code}, ") if MARK in line else more
        changed.append((name, "\n".join(lines)))
    return changed


def places(findings: Sequence[Diagnostic], code: str) -> int:
    """How many warnings and notes of a code are reported."""
    return sum(each.code == code and each.severity != ERROR and not is_ignored(each) for each in findings)


@pytest.mark.parametrize(("cases", "least"), [(of_pica200, 60), (of_shadercore, 10), (of_direct3d9, 8)])
def test_a_comment_silences_each_code(cases: Callable[[], Iterator[Case]], least: int):
    seen = set[str]()
    left: list[str] = []
    for title, found, sources in cases():
        before = found(sources)
        for finding in before:
            if finding.severity == ERROR or not finding.span.line or finding.code in seen:
                continue
            seen.add(finding.code)
            after = found(silenced(sources, finding))
            if places(after, finding.code) >= places(before, finding.code):
                left.append(f"{title}: {finding.code} {finding.message}: {finding.span.text!r}")
            assert f"{MARK}{finding.code}]" in as_text(explained(codes()[finding.code]))
    assert not left, "\n".join(left)
    assert len(seen) >= least, len(seen)


def test_each_page_says_how_to_silence_what_is_about_a_line():
    """Findings of sources, in all languages; those about files, runs and commands have no line for a comment."""
    for code, row in codes().items():
        assert (f"{MARK}{code}]" in as_text(explained(row))) == (code[0] in "PVH"), code
