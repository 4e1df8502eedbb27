"""Findings as text: source lines of any length."""

from __future__ import annotations

from lanewise.core.diagnostics import Diagnostic, Related, render
from lanewise.core.source import Span


def test_a_long_line_is_shown_around_the_place():
    """A file without line ends, such as a minified source, does not fill the terminal."""
    text = "a" * 10_000 + "b" + "c" * 10_000
    lines = render(
        Diagnostic(
            code="V001", severity="error", message="wrong", span=Span(file="x", line=1, column=10_001, length=1, text=text)
        )
    ).split("\n")
    assert len(lines[2]) < 500
    assert lines[2][lines[3].index("^")] == "b"
    assert "…" in lines[2]
    assert (
        len(
            render(
                Diagnostic(
                    code="V001", severity="error", message="wrong", span=Span(file="x", line=1, column=0, length=1, text=text)
                )
            )
        )
        < 500
    )


def test_each_part_of_a_finding_is_one_line():
    text = "a\n::error::b"  # a name with a command of the service that runs lanewise
    shown = render(
        Diagnostic(
            code="B004",
            severity="error",
            message=text,
            span=Span(file=text, line=1, column=1, length=1, text="mov"),
            notes=(text,),
            fix=text,
            related=(Related(Span(file=text, line=2), text),),
        )
    )
    assert [line for line in shown.splitlines() if line.lstrip().startswith("::")] == []
