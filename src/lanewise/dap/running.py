"""Requests that move threads: steps, runs, and jumps, forwards and backwards."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from lanewise.core.diagnostics import InputError
from lanewise.dap.arguments import Refusal
from lanewise.dap.context import thread_id
from lanewise.dap.sources import address_of, memory_reference
from lanewise.dap.stops import announce, put_out, show_results
from lanewise.debugger.breakpoints import HANG
from lanewise.debugger.queries import query
from lanewise.debugger.session import END, ENTRY, FAULT, GOTO, PAUSE, START, Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from lanewise.dap.arguments import Arguments
    from lanewise.dap.context import Context
    from lanewise.dap.protocol import Continued, Empty, GotoTarget, GotoTargets, Thread, Threads

    Move = Callable[[int], Stop]

# Requests that are answered while a thread runs.
DURING_RUNS = frozenset(
    [
        "pause",
        "threads",
        "source",
        "loadedSources",
        "disassemble",
        "breakpointLocations",
        "lanewise/numberForm",
        "setBreakpoints",
        "setFunctionBreakpoints",
        "setInstructionBreakpoints",
        "setDataBreakpoints",
        "setExceptionBreakpoints",
    ]
)


def begin(context: Context) -> None:
    """Begin after the configuration: stop in front of the first instruction, or run."""
    if context.launch.runs:
        context.session.stop_on(())
        context.stop_at_end = False
        _go_on(context, context.thread, single=False)
    elif context.launch.stop_on_entry or context.launch.is_test:
        stop = context.session.stop(context.thread)
        if stop.step == 0:  # from here on a breakpoint at the first instruction has been passed
            stop = context.session.goto(context.thread, 0)
            faults = tuple([hit for hit in stop.hits if isinstance(hit.what, str)])
            stop = stop._replace(reason=FAULT if faults else ENTRY, hits=faults)
        announce(context, stop, all_threads=True)
    else:
        _go_on(context, context.thread, single=False)


def _run(context: Context, thread: int, move: Move, *, goes_on: bool = False) -> Stop:
    """Move a thread, answering messages meanwhile. `goes_on`: the move may be broken off and done again, for other
    breakpoints."""
    context.running, context.pausing, context.changed = True, False, False
    context.session.interrupted = lambda: context.poll(context) or (goes_on and context.changed)
    try:
        while True:
            stop = move(thread)
            if stop.reason != PAUSE or context.pausing or context.left or not goes_on:
                return stop
            context.changed = False
    except InputError as error:  # a condition that cannot be evaluated here
        context.output(f"stopped: {error.diagnostics[0].message}", "important")
        return context.session.stop(thread)._replace(reason=PAUSE)
    finally:
        context.running = False
        context.session.interrupted = None


def _then(context: Context, thread: int, move: Move, *, goes_on: bool = False) -> None:
    """Move a thread after the answer to the request, and tell where it has come."""

    def run() -> None:
        stop = _run(context, thread, move, goes_on=goes_on)
        if not context.left:
            announce(context, stop)

    context.after(run)


def _go_on(context: Context, thread: int, *, single: bool) -> None:
    """Run a thread, and after its end the others, until one stops; the session ends when all have."""
    session = context.session
    others = [] if single else [each.number for each in session.threads if each.number != thread]
    for number in (thread, *others):
        if session.at(number).ended:
            continue
        stop = _run(context, number, session.go_on, goes_on=True)
        put_out(context)
        if context.left:
            return
        if not session.at(number).ended or (context.stop_at_end if stop.reason == END else HANG in session.faults):
            announce(context, stop, all_threads=not single)
            return
    if all(session.at(each.number).ended for each in session.threads):
        finish(context)
    else:
        announce(context, session.stop(thread)._replace(reason=END), all_threads=not single)


def finish(context: Context) -> None:
    """Tell the client what the threads gave, and that the session is over."""
    failed = False
    for thread in context.session.threads:
        fault = context.session.at(thread.number).fault
        failed = failed or fault is not None
        show_results(context, thread.number)
        if fault is not None:
            context.output(f"{fault.message} [{fault.code}]", "stderr")
    context.event("exited", {"exitCode": int(failed)})
    context.terminate()


# requests


def _threads(context: Context, arguments: Arguments) -> Threads:
    threads: list[Thread] = [{"id": thread_id(each.number), "name": each.name} for each in context.session.threads]
    return {"threads": threads}


def _continue(context: Context, arguments: Arguments) -> Continued:
    thread, single = context.thread_of(arguments), arguments.flag("singleThread")
    context.after(lambda: _go_on(context, thread, single=single))
    return {"allThreadsContinued": not single}


def _reverse_continue(context: Context, arguments: Arguments) -> Empty:
    _then(context, context.thread_of(arguments), context.session.go_back, goes_on=True)
    return {}


def _granularity(arguments: Arguments) -> bool:
    """Whether a step is one instruction. Raises Refusal."""
    name = arguments.text("granularity", "statement")
    if name not in ("statement", "line", "instruction"):
        raise Refusal(f"{arguments.of}: granularity is '{name[:60]}', expected statement, line or instruction")
    return name == "instruction"


def _next(context: Context, arguments: Arguments) -> Empty:
    session = context.session
    by_line: Move = session.step_line
    move = session.step_over if _granularity(arguments) else by_line
    _then(context, context.thread_of(arguments), move)
    return {}


def _step_in(context: Context, arguments: Arguments) -> Empty:
    session = context.session
    by_line: Move = lambda thread: session.step_line(thread, over=False)  # noqa: E731
    move = session.step if _granularity(arguments) else by_line
    _then(context, context.thread_of(arguments), move)
    return {}


def _step_out(context: Context, arguments: Arguments) -> Empty:
    _then(context, context.thread_of(arguments), context.session.step_out)
    return {}


def _step_back(context: Context, arguments: Arguments) -> Empty:
    session = context.session
    by_line: Move = lambda thread: session.line_back(thread, over=False)  # noqa: E731
    move = session.back if _granularity(arguments) else by_line
    _then(context, context.thread_of(arguments), move)
    return {}


def _reverse_next(context: Context, arguments: Arguments) -> Empty:
    session = context.session
    by_line: Move = session.line_back
    move = session.over_back if _granularity(arguments) else by_line
    _then(context, context.thread_of(arguments), move)
    return {}


def _reverse_step_out(context: Context, arguments: Arguments) -> Empty:
    _then(context, context.thread_of(arguments), context.session.out_back)
    return {}


def _pause(context: Context, arguments: Arguments) -> Empty:
    context.thread_of(arguments)
    if context.running:
        context.pausing = True
    else:
        thread = context.thread_of(arguments)
        context.after(lambda: announce(context, context.session.stop(thread)._replace(reason=PAUSE, hits=())))
    return {}


def _goto_targets(context: Context, arguments: Arguments) -> GotoTargets:
    file = context.sources.file_of(arguments.inner("source"))
    found = context.sources.code(file, context.client.our_line(arguments.integer("line"))) if file is not None else None
    if found is None:
        return {"targets": []}
    line, addresses = found
    target: GotoTarget = {
        "id": context.targets.of(frozenset(addresses)),
        "label": f"line {line}",
        "line": context.client.line(line),
        "instructionPointerReference": memory_reference(min(addresses)),
    }
    return {"targets": [target]}


def _goto(context: Context, arguments: Arguments) -> Empty:
    thread = context.thread_of(arguments)
    addresses = context.targets.get(arguments.integer("targetId"))
    if not isinstance(addresses, frozenset):
        raise Refusal(f"goto: there is no target {arguments.integer('targetId')}: the program has moved since")
    words = frozenset([address for address in cast("frozenset[object]", addresses) if isinstance(address, int)])
    _then(context, thread, lambda number: _reach(context, number, words))
    return {}


def _reach(context: Context, thread: int, words: frozenset[int]) -> Stop:
    """The next time that a thread comes to one of some words, or else the last time that it did; it stays where that is
    never."""
    session = context.session
    start = session.stop(thread)
    with _undisturbed(context):
        stop = session.run_to(thread, words)
        if stop.reason in (GOTO, PAUSE):
            return stop
        session.goto(thread, start.step)
        stop = session.run_to(thread, words, back=True)
        if stop.reason in (GOTO, PAUSE):
            return stop
    stop = session.goto(thread, start.step)
    context.output(f"{context.title(thread)} does not come to {memory_reference(min(words))}", "important")
    return stop


@contextmanager
def _undisturbed(context: Context) -> Generator[None]:
    """Without stops at breakpoints and faults."""
    session = context.session
    enabled, faults = [each for each in session.breakpoints.values() if each.enabled], set(session.faults)
    for each in enabled:
        each.enabled = False
    session.faults = set()
    try:
        yield
    finally:
        for each in enabled:
            each.enabled = True
        session.faults = faults


def _cursor(context: Context, arguments: Arguments, *, back: bool) -> Empty:
    """Run to a line or a word, in one direction."""
    thread = context.thread_of(arguments)
    if arguments.has("instructionReference"):
        words = frozenset([address_of(arguments, "instructionReference") + arguments.integer("offset", 0)])
    else:
        file = context.sources.file_of(arguments.inner("source"))
        line = arguments.integer("line")
        found = context.sources.code(file, context.client.our_line(line)) if file is not None else None
        if found is None:
            raise Refusal(f"{arguments.of}: there is no instruction at or below line {line}", shown=True)
        words = frozenset(found[1])
    _then(context, thread, lambda number: context.session.run_to(number, words, back=back))
    return {}


def _goto_step(context: Context, arguments: Arguments) -> Empty:
    step = arguments.integer("step")
    if step < 0:
        raise Refusal(f"{arguments.of}: step is {step}, expected 0 or more")
    _then(context, context.thread_of(arguments), lambda thread: context.session.goto(thread, step))
    return {}


def go_until(context: Context, thread: int, text: str, *, back: bool) -> None:
    """Go to where a query holds, after the answer to the request. Raises InputError, InputFailure, UsageError."""
    query(context.session, thread, text)  # one that cannot be read is the answer
    _then(context, thread, lambda number: context.session.until(number, text, back=back))


def _until(context: Context, arguments: Arguments, *, back: bool) -> Empty:
    go_until(context, context.thread_of(arguments), arguments.text("query"), back=back)
    return {}


def _restart_frame(context: Context, arguments: Arguments) -> Empty:
    frame = context.frame(arguments)

    def move(thread: int) -> Stop:
        session = context.session
        routines = len(session.at(thread).frames)
        if frame.above + 1 >= routines:
            return session.goto(thread, 0)
        with _undisturbed(context):
            for _ in range(frame.above + 1):
                stop = session.out_back(thread)
                if stop.reason in (PAUSE, START):
                    return stop
            return session.step(thread)._replace(reason=GOTO)

    _then(context, frame.thread, move)
    return {}


HANDLERS: Mapping[str, Callable[[Context, Arguments], object]] = {
    "threads": _threads,
    "continue": _continue,
    "reverseContinue": _reverse_continue,
    "next": _next,
    "stepIn": _step_in,
    "stepOut": _step_out,
    "stepBack": _step_back,
    "pause": _pause,
    "gotoTargets": _goto_targets,
    "goto": _goto,
    "restartFrame": _restart_frame,
    "lanewise/reverseNext": _reverse_next,
    "lanewise/reverseStepOut": _reverse_step_out,
    "lanewise/runToCursor": lambda context, arguments: _cursor(context, arguments, back=False),
    "lanewise/runToCursorBack": lambda context, arguments: _cursor(context, arguments, back=True),
    "lanewise/goto": _goto_step,
    "lanewise/until": lambda context, arguments: _until(context, arguments, back=False),
    "lanewise/untilBack": lambda context, arguments: _until(context, arguments, back=True),
}


__all__ = ["DURING_RUNS", "HANDLERS", "announce", "begin", "finish", "go_until", "put_out"]
