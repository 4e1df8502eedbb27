"""Traces for `lanewise run --trace`: one vertex, or run of the geometry shader, step by step."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import to_json
from lanewise.core.service import STDIO, Answer, UsageError, schema_name
from lanewise.pica200.api.shader import BUDGET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Request
    from lanewise.pica200.api.tracing import Trace


def check_trace(request: Request) -> None:
    """Raises UsageError for options of traces that do not go together."""
    if not request.has("trace"):
        if request.has("explain") or request.has("trace-format") or request.has("trace-stage"):
            raise UsageError("--explain, --trace-format and --trace-stage go with --trace N")
    elif request.integer("trace") < 0:
        raise UsageError("--trace takes the number of a vertex or run, counted from 0")
    elif request.has("explain") and request.text("trace-format") == "table":
        raise UsageError("--explain is text or json")
    elif request.text("output").lower().endswith(".npz"):
        raise UsageError("--trace writes text or JSON: .npz is for outputs, without --trace")


def limit(request: Request) -> int | None:
    """The budget that was asked for; None for the default, which is another one in a trace."""
    budget = request.integer("budget", BUDGET)
    return None if budget == BUDGET else budget


def shown(request: Request, findings: Sequence[Diagnostic], trace: Trace) -> Answer:
    """A trace, or what made a component, in the format of the request; `findings` are those before it. Raises InputError.

    JSON has the findings in itself.
    """
    output = request.text("output", STDIO)
    style = request.text("trace-format") or ("json" if output.lower().endswith(".json") else request.text("format", "text"))
    aloud = style != "json" or output != STDIO
    text = _text(trace, style, request.text("explain"), [*findings, *trace.diagnostics])
    files = ((output, f"{text}\n".encode()),)
    if not aloud:
        return Answer(files=files, failed=bool(trace.diagnostics))
    return Answer(first=tuple(findings), last=tuple(trace.diagnostics), files=files, failed=bool(trace.diagnostics))


def _text(trace: Trace, style: str, component: str, findings: Sequence[Diagnostic]) -> str:
    explanation = trace.explain(component) if component else None
    if style == "json":
        head = {"schema": schema_name("explain" if explanation else "trace"), "isa": "pica200"}
        shown = {**head, **(explanation or trace).to_json(), "diagnostics": [to_json(finding) for finding in findings]}
        return json.dumps(shown, allow_nan=False)
    if explanation is not None:
        return explanation.text()
    return trace.table() if style == "table" else trace.text()
