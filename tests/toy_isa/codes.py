"""Findings of the toy, in the hundred that no other package has."""

from __future__ import annotations

from lanewise.core.code import Code
from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.source import Span


def _code(code: str, title: str, meaning: str, why: str, fix: str) -> Code:
    return Code(code=code, title=title, meaning=meaning, why=why, fix=fix)


ROWS = (
    _code("P901", "unknown line", "No known mnemonic with its operand.", "Each line is a word.", "Use `lanewise isa toy`."),
    _code("C901", "toy file cut short", "Half a word, or no instruction.", "A word has 16 bits.", "Get the whole file."),
    _code("V901", "register never written", "A load of what nothing stores.", "It is 0.", "Store a value first."),
    _code("R901", "program runs too long", "More steps than the limit.", "It may never halt.", "End the loop."),
)


def finding(code: str, message: str, span: Span, fix: str = "", severity: str = ERROR) -> Diagnostic:
    return Diagnostic(code=code, severity=severity, message=message, span=span, fix=fix)
