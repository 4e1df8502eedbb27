"""The text of a test that fails: each component that differs, and the instruction that made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.arrays.expecting import MOST_SHOWN, Case, Mismatch, differences, number
from lanewise.arrays.relations import explanation, one_vector, rearranged
from lanewise.core.diagnostics import InputError, render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.shadertests import ShaderTests


def failure(tests: ShaderTests, program: Any, case: Case, file: str) -> str:
    """Run a case: what differs, each component with the instruction that made it, and the provenance of the first; empty if
    nothing does. Raises InputError."""
    case = tests.filled(program, case)
    subject = tests.chosen(program, case)
    try:
        result = tests.run(subject, case)
    except InputError as error:
        if isinstance(case.faults, str) and case.faults in {finding.code for finding in error.diagnostics}:
            return ""
        raise
    except tests.errors as error:
        return "\n\n".join([render(finding) for finding in getattr(error, "diagnostics", ())])
    found, lines = differences(result, case, tests, subject, file)
    return "\n".join([*lines, *([report(tests, subject, case, found)] if found else [])])


def report(tests: ShaderTests, program: Any, case: Case, found: Sequence[Mismatch]) -> str:
    """The differences as text: each component with the instruction that made it, and all that made the first of them."""
    lines = [f"{len(found)} component{' differs' if len(found) == 1 else 's differ'}:"]
    traces: dict[int, Any] = {}
    first = ""
    for mismatch in found[:MOST_SHOWN]:
        lines.append(f"  {mismatch}")
        if tests.trace is None:
            continue
        if mismatch.lane not in traces:
            traces[mismatch.lane] = tests.trace(program, case, mismatch.lane)
        if traces[mismatch.lane] is not None:
            component = f"{mismatch.key}.{mismatch.component}" if mismatch.component else mismatch.key
            line, provenance = (tests.blame or blame)(traces[mismatch.lane], component)
            lines += [f"    {line}"] if line else []
            first = first or (
                f"Provenance of {component} of {mismatch.unit} {mismatch.lane}:\n\n{provenance}" if provenance else ""
            )
    if len(found) > MOST_SHOWN:
        lines.append(f"  and {len(found) - MOST_SHOWN} more")
    fix = explanation([(number(each.expected, each.format), number(each.got, each.format)) for each in found if not each.exact])
    fix = one_vector(case.inputs, case.outputs, [each.lane for each in found]) or fix
    fix = fix or rearranged([(each.key, each.component, each.lane, each.expected, each.got) for each in found])
    if fix:
        lines.append(f"help: {fix}")
    return "\n".join([*lines, *(["", first] if first else [])])


def traced(program: Any, lane: int, *data: Any, **arguments: Any) -> Any:
    """The trace of a lane of a program that has traces."""
    method = getattr(program, "trace", None)
    return method(*data, lane=lane, **arguments) if method is not None else None


def blame(trace: Any, component: str) -> tuple[str, str]:
    """The last instruction that made a component, and the text of its provenance, by a `core.trace.Trace`."""
    try:
        explanation = trace.explain(component)
    except InputError:
        return "", ""
    line = f"computed by {trace.place(explanation.causes[-1].step)}" if explanation.causes else "never written"
    return line, explanation.text()
