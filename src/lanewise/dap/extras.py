"""Requests that the protocol does not have, named `lanewise/...`: docs/debugging.md describes them. Those that move threads are
in `running`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.debugging import INFINITY, NAN, UNSET
from lanewise.dap.arguments import Refusal
from lanewise.dap.context import thread_id
from lanewise.dap.stops import announce
from lanewise.debugger.forms import FORMS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.dap.arguments import Arguments
    from lanewise.dap.context import Context
    from lanewise.dap.protocol import Json, Thread

_MOST_MARKS = 1000
_KINDS = {NAN: "nan", INFINITY: "infinity", UNSET: "unwritten"}


def _add_thread(context: Context, arguments: Arguments) -> Thread:
    number = arguments.integer("vertex")
    if all(thread.number != number for thread in context.session.threads):
        context.session.add_thread(number)
        context.after(lambda: _begun(context, number))
    return {"id": thread_id(number), "name": context.title(number)}


def _begun(context: Context, thread: int) -> None:
    context.event("thread", {"reason": "started", "threadId": thread_id(thread)})
    announce(context, context.session.stop(thread))


def _timeline(context: Context, arguments: Arguments) -> Json:
    """Where a thread is among its steps, and what is known of them: the breakpoints and faults on the way."""
    thread = context.thread_of(arguments)
    session = context.session
    recording = session.recording(thread)
    words = {address: each for each in session.breakpoints.values() for address in getattr(each, "addresses", ())}
    marks: list[Json] = []
    for step, (address, events) in enumerate(zip(recording.addresses, recording.events, strict=True)):
        kinds = ["breakpoint"] if address in words else []
        kinds += [name for bit, name in _KINDS.items() if events & bit]
        for kind in kinds:
            if len(marks) < _MOST_MARKS:
                place = context.sources.place(address)
                line: Json = {} if place is None else {"line": context.client.line(place.line)}
                marks.append({"step": step, "kind": kind, "text": session.debuggee.instruction(address), **line})
    return {"step": session.stop(thread).step, "steps": len(recording), "complete": recording.ended, "marks": marks}


def _causes(context: Context, arguments: Arguments) -> Json:
    return context.session.causes(context.thread_of(arguments), arguments.text("name")).to_json()


def _number_form(context: Context, arguments: Arguments) -> Json:
    form = arguments.text("form")
    if form not in FORMS:
        raise Refusal(f"{arguments.of}: form is '{form[:60]}': use {', '.join(FORMS)}")
    context.form = form
    if context.client.invalidates:
        context.after(lambda: context.event("invalidated", {"areas": ["variables"]}))
    return {"form": form}


HANDLERS: Mapping[str, Callable[[Context, Arguments], object]] = {
    "lanewise/addThread": _add_thread,
    "lanewise/timeline": _timeline,
    "lanewise/causes": _causes,
    "lanewise/numberForm": _number_form,
}
