"""`lanewise run --trace`: one vertex step by step, or where one component of its outputs came from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lanewise.api.shader import BUDGET
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, STDIO, UsageError, print_findings, write_bytes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.api.loading import ShaderFile
    from lanewise.api.shader import Shader
    from lanewise.api.tracing import Trace
    from lanewise.engine.binding import Words
    from lanewise.sem.profile import Profile

TRACE_FORMATS = ("text", "table", "json")


def add_trace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trace",
        type=int,
        metavar="LANE",
        help="show what the vertex shader does with the vertex of this number, step by step",
    )
    parser.add_argument(
        "--trace-format", choices=TRACE_FORMATS, help="a block for each step (text, default), a line for each (table), or json"
    )
    parser.add_argument(
        "--explain", metavar="OUT.X", help="with --trace: which instructions and values made this component, such as color.x"
    )


def check_trace(options: argparse.Namespace) -> None:
    """Raises UsageError for options of traces that do not go together."""
    if options.trace is None:
        if options.explain or options.trace_format:
            raise UsageError("--explain and --trace-format go with --trace LANE")
    elif options.trace < 0:
        raise UsageError("--trace takes the number of a vertex, counted from 0")
    elif options.explain and options.trace_format == "table":
        raise UsageError("--explain is text or json")
    elif options.output and options.output.lower().endswith(".npz"):
        raise UsageError("--trace writes text or JSON: .npz is for outputs, without --trace")


def show_trace(
    options: argparse.Namespace,
    file: ShaderFile,
    shader: Shader,
    profile: Profile,
    inputs: Mapping[str, NDArray[Any] | Words],
    uniforms: Mapping[str, NDArray[Any] | Words],
) -> int:
    """Trace a vertex and print it, or write it to -o. Raises InputError, InputFailure."""
    style: str = options.trace_format or options.format
    budget = None if options.budget == BUDGET else options.budget
    trace = shader.trace(inputs, uniforms, lane=options.trace, count=options.count, profile=profile, budget=budget)
    findings = trace.diagnostics
    text = _shown(trace, style, options.explain)
    if style != "json":
        print_findings(file.diagnostics)
    write_bytes(options.output or STDIO, f"{text}\n".encode())
    if style != "json":
        print_findings(findings)
    return INPUT_HAS_ERRORS if findings else OK


def _shown(trace: Trace, style: str, component: str | None) -> str:
    if component:
        explanation = trace.explain(component)
        return json.dumps(explanation.to_json(), allow_nan=False) if style == "json" else explanation.text()
    if style == "json":
        return json.dumps(trace.to_json(), allow_nan=False)
    return trace.table() if style == "table" else trace.text()
