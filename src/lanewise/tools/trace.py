"""`lanewise run --trace`: one vertex, or run of the geometry shader, step by step, or where one component of its outputs came from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import to_json
from lanewise.pica200.api.interface import BUDGET
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, STDIO, UsageError, print_findings, write_bytes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.tracing import Trace

TRACE_FORMATS = ("text", "table", "json")


def add_trace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trace",
        type=int,
        metavar="N",
        help="show what the vertex shader does with vertex N, step by step; with --indices, what the geometry shader does in run N",
    )
    parser.add_argument(
        "--trace-stage", choices=("vertex", "geometry"), help="with --trace: which shader (default: the last one that runs)"
    )
    parser.add_argument(
        "--trace-format",
        choices=TRACE_FORMATS,
        help="a block for each step (text, default), a line for each (table), or json (default for -o FILE.json)",
    )
    parser.add_argument(
        "--explain",
        metavar="OUT.X",
        help="with --trace: which instructions and values made this component, such as color.x; color.x@2 in the "
        "vertex of the EMIT number 2 of a geometry shader (default: the last)",
    )


def check_trace(options: argparse.Namespace) -> None:
    """Raises UsageError for options of traces that do not go together."""
    if options.trace is None:
        if options.explain or options.trace_format or options.trace_stage:
            raise UsageError("--explain, --trace-format and --trace-stage go with --trace N")
    elif options.trace < 0:
        raise UsageError("--trace takes the number of a vertex or run, counted from 0")
    elif options.explain and options.trace_format == "table":
        raise UsageError("--explain is text or json")
    elif options.output and options.output.lower().endswith(".npz"):
        raise UsageError("--trace writes text or JSON: .npz is for outputs, without --trace")


def limit(options: argparse.Namespace) -> int | None:
    """The budget that was asked for; None for the default, which is another one in a trace."""
    return None if options.budget == BUDGET else options.budget


def show_trace(options: argparse.Namespace, said: Sequence[Diagnostic], trace: Trace) -> int:
    """Print a trace, or write it to -o; `said` is what there was to say before. Raises InputError, InputFailure.

    Findings are in the JSON; people are told too, unless it is what they asked to see.
    """
    written_as_json = (options.output or "").lower().endswith(".json")
    style: str = options.trace_format or ("json" if written_as_json else options.format)
    target = options.output or STDIO
    aloud = style != "json" or target != STDIO
    findings = trace.diagnostics
    text = _shown(trace, style, options.explain, [*said, *findings])
    if aloud:
        print_findings(said)
    write_bytes(target, f"{text}\n".encode())
    if aloud:
        print_findings(findings)
    return INPUT_HAS_ERRORS if findings else OK


def _shown(trace: Trace, style: str, component: str | None, findings: Sequence[Diagnostic]) -> str:
    explanation = trace.explain(component) if component else None
    if style == "json":
        document = (explanation or trace).to_json()
        return json.dumps({**document, "diagnostics": [to_json(finding) for finding in findings]}, allow_nan=False)
    if explanation is not None:
        return explanation.text()
    return trace.table() if style == "table" else trace.text()
