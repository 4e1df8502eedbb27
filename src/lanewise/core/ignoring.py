"""Comments that suppress findings: `lanewise: ignore[V012]` on the finding's line.

They are comments of any language.
"""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, NOTE, Diagnostic, Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

_WORD = "lanewise:"


def _comment(line: str) -> re.Match[str] | None:
    """The comment of a line that suppresses findings."""
    if _WORD not in line:  # most lines
        return None
    import re

    return re.search(r"(?:;|//|#).*?(?P<all>lanewise:\s*ignore\s*(?:\[(?P<codes>[^\]]*)\])?)", line)


def ignored_codes(line: str) -> tuple[str, ...] | None:
    """The codes, or prefixes of codes, that a line's comment names.

    `("",)` for all codes; None without such a comment.
    """
    found = _comment(line)
    if found is None:
        return None
    listed = found["codes"]
    return ("",) if listed is None else tuple(code.strip().upper() for code in listed.split(",") if code.strip())


def is_ignored(finding: Diagnostic) -> bool:
    """Whether a comment on the line of a finding suppresses it. Errors are never ignored."""
    if finding.severity == ERROR or not finding.span.line:
        return False
    codes = ignored_codes(finding.span.text)
    return codes is not None and finding.code.startswith(codes)


def ignoring(finding: Diagnostic, comment: str = ";") -> Edit | None:
    """The edit that adds a finding's code to the comment of its line, or such a comment, which `comment` starts; None for an
    error, and for a finding without a line."""
    span = finding.span
    if finding.severity == ERROR or not span.line or is_ignored(finding):
        return None
    line = span.text.rstrip()
    found = _comment(line)
    if found is None:
        return Edit(
            Span(file=span.file, line=span.line, column=len(line) + 1, length=0, text=span.text),
            f" {comment} lanewise: ignore[{finding.code}]",
        )
    listed = found["codes"] or ""
    text = f"{listed.rstrip()}, {finding.code}" if listed.strip() else finding.code
    return Edit(Span(file=span.file, line=span.line, column=found.start("codes") + 1, length=len(listed), text=span.text), text)


def _without(line: str, match: re.Match[str], codes: Sequence[str], span: Span) -> tuple[Edit, ...]:
    """The comment with fewer codes; without any, less what it says, or less the comment where it says nothing else."""
    if codes:
        return (Edit(span, f"lanewise: ignore[{', '.join(codes)}]"),)
    start, end = match.start(), match.end("all")
    if line[start : match.start("all")].strip(";/# \t") or line[end:].strip():
        return (Edit(span, ""),)
    start = len(line[:start].rstrip())
    return (Edit(span.at(start + 1, len(line.rstrip("\r")) - start), ""),)


def unused_comments(
    findings: Iterable[Diagnostic], sources: Sequence[tuple[str, str]], unasked: tuple[str, ...] = ()
) -> list[Diagnostic]:
    """A note for each comment, and each code in it, that suppresses nothing.

    `findings` are all findings, ignored ones too. `unasked` are beginnings of codes that were not looked for.
    """
    found: list[Diagnostic] = []
    needed: dict[str, list[str]] = {}
    for finding in findings:
        if is_ignored(finding):
            needed.setdefault(finding.span.text.rstrip(), []).append(finding.code)
    for name, text in sources:
        if _WORD not in text:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            match = _comment(line)
            if match is None:
                continue
            here = needed.get(line.rstrip(), [])
            listed = [code for code in ignored_codes(line) or () if not (unasked and code.startswith(unasked))]
            unused = [code for code in listed if not any(known.startswith(code) for known in here)]
            if unused:
                what = f"no finding of {', '.join(unused)} is here" if unused != [""] else "nothing is found here"
                span = Span(
                    file=name, line=number, column=match.start("all") + 1, length=len(match["all"]), text=line.rstrip("\r")
                )
                edits = _without(
                    line, match, codes=[code for code in ignored_codes(line) or () if code not in unused], span=span
                )
                found.append(
                    Diagnostic(
                        code="V107",
                        severity=NOTE,
                        message=f"{what} to ignore",
                        span=span,
                        notes=(),
                        fix="remove the comment, or correct its code",
                        related=(),
                        edits=edits,
                    )
                )
    return found
