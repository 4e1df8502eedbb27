"""The comment that suppresses a finding, as an edit."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic
from lanewise.core.editing import edited
from lanewise.core.ignoring import ignoring, is_ignored
from lanewise.core.source import Span


def finding(line: str, severity: str = WARNING) -> Diagnostic:
    return Diagnostic(code="V070", severity=severity, message="m", span=Span(file="f", line=1, column=1, length=3, text=line))


@pytest.mark.parametrize(
    ("line", "comment", "wanted"),
    [
        ("mov r0, r1", ";", "mov r0, r1 ; lanewise: ignore[V070]"),
        ("mov r0, r1  \r", "//", "mov r0, r1 // lanewise: ignore[V070]  \r"),
        ("mov r0 ; why", ";", "mov r0 ; why ; lanewise: ignore[V070]"),
        ("mov r0 ; lanewise: ignore[V096]", ";", "mov r0 ; lanewise: ignore[V096, V070]"),
        ("mov r0 ; lanewise: ignore[]", ";", "mov r0 ; lanewise: ignore[V070]"),
    ],
)
def test_the_comment_suppresses_the_finding(line: str, comment: str, wanted: str):
    edit = ignoring(finding(line), comment)
    assert edit is not None
    assert edited(line, [edit]) == wanted
    assert is_ignored(finding(wanted))


@pytest.mark.parametrize(
    "found",
    [
        finding("x", ERROR),
        finding("x ; lanewise: ignore"),
        Diagnostic(code="V070", severity=WARNING, message="m", span=Span(file="f", offset=4)),
    ],
)
def test_other_findings_have_no_comment(found: Diagnostic):
    assert ignoring(found) is None
