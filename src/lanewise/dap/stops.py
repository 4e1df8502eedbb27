"""Messages to a client about stops, results and findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import render
from lanewise.core.elsewhere import placed
from lanewise.dap.context import thread_id
from lanewise.dap.launch import launched
from lanewise.dap.sources import file_source
from lanewise.debugger.forms import shown
from lanewise.debugger.session import BREAKPOINT, DATA, END, ENTRY, FAULT, GOTO, PAUSE, START, STEP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.debugging import Group
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.dap.context import Client, Context
    from lanewise.dap.protocol import Output, Stopped
    from lanewise.debugger.session import Stop

# The reasons of a session as the protocol names them.
_REASONS = {
    STEP: "step",
    BREAKPOINT: "breakpoint",
    DATA: "data breakpoint",
    FAULT: "exception",
    END: "end",
    START: "entry",
    GOTO: "goto",
    PAUSE: "pause",
    ENTRY: "entry",
}
_TEXTS = {START: "the first instruction", ENTRY: "the first instruction", END: "the end"}


def announce(context: Context, stop: Stop, *, all_threads: bool = False) -> None:
    """Tell the client where a thread has stopped and why."""
    context.thread = stop.thread
    context.moved()
    put_out(context)
    known = context.breakpoints.ids
    ids = [known[hit.what] for hit in stop.hits if isinstance(hit.what, int) and hit.what in known]
    reason = ids[0][1] if ids and stop.reason in (BREAKPOINT, DATA) else _REASONS[stop.reason]
    body: Stopped = {"reason": reason, "threadId": thread_id(stop.thread), "allThreadsStopped": all_threads}
    text = "; ".join([hit.text for hit in stop.hits if isinstance(hit.what, str) or stop.reason == DATA])
    if text:
        body["text"] = text
    if stop.reason in _TEXTS:
        body["description"] = f"Paused at {_TEXTS[stop.reason]}"
    if ids:
        body["hitBreakpointIds"] = [identity for identity, _ in ids]
    if stop.reason == END:
        show_results(context, stop.thread)
    context.event("stopped", body)


def put_out(context: Context) -> None:
    """Send the messages of log points."""
    lines, context.session.output[:] = [*context.session.output], []
    for line in lines:
        context.output(line)


def format_of(groups: Sequence[Group], place: str) -> str:
    """The format of the pattern of a place."""
    name = place.rpartition(".")[0] or place
    return next((register.format for group in groups for register in group.registers if register.name == name), "float32")


def show_results(context: Context, thread: int) -> None:
    """Put out the outputs of a thread that has ended, once for each run of it."""
    run = thread, context.runs
    if run not in context.results_shown:
        context.results_shown.add(run)
        context.output(results_text(context, thread), "stdout")


def results_text(context: Context, thread: int) -> str:
    """The outputs of a thread where it is, a line for each."""
    session = context.session
    machine = session.recording(thread).at(session.stop(thread).step)
    groups = machine.groups()
    outputs: dict[str, list[str]] = {}
    for name, place in session.debuggee.results.items():
        outputs.setdefault(name.rpartition(".")[0] or name, []).append(
            shown(machine.read(place), format_of(groups, place), context.form)
        )
    lines = [f"  {name} = {', '.join(values)}" for name, values in outputs.items()]
    return "\n".join([f"{context.title(thread)}, after {session.stop(thread).step} steps:", *(lines or ["  no outputs"])])


def finding_output(finding: Diagnostic, client: Client) -> Output:
    """A finding as output, with its place."""
    body: Output = {"category": "stderr" if finding.is_error else "console", "output": render(placed(finding, launched)) + "\n"}
    if finding.span.file and finding.span.line:
        body["source"], body["line"] = file_source(finding.span.file, client), client.line(finding.span.line)
        body["column"] = client.column(finding.span.column)
    return body
