"""Reports of `lanewise check` as text, JSON, SARIF and GitHub annotations."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, plain_text, render, to_json, visible
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.where import page_of_finding
from lanewise.tools.console import document, json_bytes, use_colour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TextIO

    from lanewise.core.code import Code
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Report
    from lanewise.core.source import Span

FORMATS = ("text", "json", "sarif", "github")


def written(
    reports: Sequence[Report],
    style: str,
    *,
    stats: bool,
    stream: TextIO,
    isa: str | None = None,
    fixed: Sequence[Diagnostic] | None = None,
    scan: Mapping[str, object] | None = None,
    hidden: Callable[[Diagnostic], bool] = lambda finding: False,
) -> str:
    """The reports in one of `FORMATS`, with line ends. `stream` decides about colour; `isa` is the instruction set of all of
    them; `fixed` are findings that are gone, None without --fix; `scan` is the summary of --scan; `hidden` says which findings
    are only counted in text: the other formats have all."""
    findings = [finding for report in reports for finding in report.findings]
    ignored = [finding for report in reports for finding in report.ignored]
    costs = [cost for report in reports for cost in report.stats] if stats else []
    if style == "sarif":
        import json

        return json.dumps(sarif(findings, ignored), indent=2) + "\n"
    if style == "json":
        more = {"stats": [cost.data for cost in costs]} if stats else {}
        gone = {"fixed": [_finding_json(finding) for finding in fixed]} if fixed is not None else {}
        inside = {"scan": scan} if scan is not None else {}
        shown = {
            "ignored": len(ignored),
            **more,
            **gone,
            **inside,
            "diagnostics": [_finding_json(finding) for finding in findings],
        }
        return json_bytes(document("check", shown, isa)).decode()
    if style == "github":
        return "".join(f"{_annotation(finding)}\n" for finding in findings)
    colour = use_colour(stream)
    counted = [finding for finding in findings if hidden(finding)]
    parts = [render(_with_why(finding), colour=colour) + "\n" for finding in findings if not hidden(finding)]
    if findings or ignored or fixed:
        parts.append(_summary(findings, ignored, len(fixed or ())) + _hidden(counted) + "\n")
    return "".join([*parts, *(visible(cost.text) for cost in costs)])


def known_findings() -> Mapping[str, Code]:
    """All findings by code; a report without findings needs none of them."""
    from lanewise.api.findings import findings

    return findings()


def _with_why(finding: Diagnostic) -> Diagnostic:
    """The finding with its hardware reason, if its evidence is about the hardware."""
    if not known_findings()[finding.code].known or finding.severity == ERROR:
        return finding
    return finding._replace(notes=(*finding.notes, f"why: {_why(finding.code)}"))


def _why(code: str) -> str:
    """The hardware reason of a finding and its evidence, in a line."""
    row = known_findings()[code]
    return f"{row.why.rstrip('.')} ({row.known})" if row.known else row.why


def _summary(findings: Sequence[Diagnostic], ignored: Sequence[Diagnostic], fixed: int) -> str:
    counts = [(sum(finding.severity == severity for finding in findings), severity) for severity in (ERROR, WARNING, NOTE)]
    messages = [f"{count} {severity}{'' if count == 1 else 's'}" for count, severity in counts if count]
    return ", ".join([*messages, *([f"{len(ignored)} ignored"] if ignored else []), *([f"{fixed} fixed"] if fixed else [])])


def _hidden(findings: Sequence[Diagnostic]) -> str:
    """The end of the summary about findings that are only counted: their codes, and how to see them."""
    if not findings:
        return ""
    codes = [finding.code for finding in findings]
    counts = [f"{codes.count(code)} {code}" if codes.count(code) > 1 else code for code in sorted({*codes})]
    return f" ({', '.join(counts)}: --level note shows {'them' if len(codes) > 1 else 'it'})"


def _finding_json(finding: Diagnostic) -> dict[str, object]:
    row = known_findings()[finding.code]
    return {**to_json(finding), "why": row.why, "evidence": row.known or None, "source": row.evidence or None}


# GitHub


def _annotation(finding: Diagnostic) -> str:
    """A workflow command."""
    from lanewise.tools.annotations import workflow_command

    span = finding.span
    place = {"file": span.file} if span.file else {}
    if span.line:
        first = max(1, span.column)
        place |= {"line": str(span.line), "col": str(first), "endColumn": str(first + span.length)}
    kind = {ERROR: "error", WARNING: "warning", NOTE: "notice"}[finding.severity]
    return workflow_command(kind, {**place, "title": finding.code}, plain_text(finding))


# SARIF 2.1.0, as code scanning services read it


def sarif(findings: Sequence[Diagnostic], ignored: Sequence[Diagnostic]) -> dict[str, object]:
    """One run: a rule for each code that occurs; ignored findings are there as suppressed in source."""
    from lanewise import __version__

    codes = sorted({finding.code for finding in (*findings, *ignored)})
    results = [_result(finding, codes, quiet=False) for finding in findings]
    results += [_result(finding, codes, quiet=True) for finding in ignored]
    driver = {"name": "lanewise", "version": __version__, "rules": [_rule(code) for code in codes]}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _rule(code: str) -> dict[str, object]:
    row = known_findings()[code]
    page = page_of_finding(code)
    return {
        "id": code,
        **({"helpUri": page} if page else {}),
        "shortDescription": {"text": row.title},
        "fullDescription": {"text": f"{row.meaning} {row.why}"},
        "help": {"text": row.fix},
        "properties": {"evidence": row.evidence},
    }


def _result(finding: Diagnostic, codes: Sequence[str], *, quiet: bool) -> dict[str, object]:
    text = plain_text(finding)
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.severity,
        "message": {"text": _unlinked(text)},
        "locations": list(_locations(finding.span)),
    }
    related = [
        {"id": number, **place, "message": {"text": _unlinked(other.message)}}
        for number, other in enumerate(finding.related)
        for place in _locations(other.span)
    ]
    if related:
        result["relatedLocations"] = related
    others = [finding._replace(fix=other.fix, edits=other.edits) for other in finding.alternatives]
    fixes = [fix for each in (finding, *others) if (fix := _fix(each)) is not None]
    if fixes:
        result["fixes"] = fixes
    return {**result, "suppressions": [{"kind": "inSource"}]} if quiet else result


def _unlinked(text: str) -> str:
    """A message without links, which SARIF has as `[text](address)`: names of files and programs can have that form."""
    if "](" not in text:
        return text
    for mark in "\\[]":
        text = text.replace(mark, f"\\{mark}")
    return text


def _fix(finding: Diagnostic) -> dict[str, object] | None:
    """The edits of a finding; None for some that regions of lines and columns cannot say without the text."""
    changes: dict[str, list[dict[str, object]]] = {}
    for edit in finding.edits:
        span = edit.span
        end = span.column + span.length
        line_end = len(span.text.rstrip("\r\n")) + 1
        region: dict[str, object] = {"startLine": span.line, "startColumn": span.column, "endColumn": end}
        if span.length and end > line_end:
            if end != line_end + 1:
                return None
            region |= {"endLine": span.line + 1, "endColumn": 1}  # the line with its end
        place = next(iter(_locations(span)), None)
        if place is None:
            return None
        changes.setdefault(span.file, []).append({"deletedRegion": region, "insertedContent": {"text": edit.text}})
    if not changes:
        return None
    artifacts = [{"artifactLocation": _artifact(file), "replacements": replacements} for file, replacements in changes.items()]
    return {"description": {"text": _unlinked(finding.fix or finding.message)}, "artifactChanges": artifacts}


def _locations(span: Span) -> Iterator[dict[str, object]]:
    if not span.file:
        return
    physical: dict[str, object] = {"artifactLocation": _artifact(span.file)}
    if span.offset >= 0:
        physical["region"] = {"byteOffset": span.offset, "byteLength": max(4, span.length)}
    elif span.line:
        column = max(1, span.column)
        physical["region"] = {"startLine": span.line, "startColumn": column, "endColumn": column + span.length}
    yield {"physicalLocation": physical}


def _artifact(file: str) -> dict[str, object]:
    from pathlib import Path
    from urllib.parse import quote

    path = Path(file)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}
