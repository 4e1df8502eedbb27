"""Requests about breakpoints: by line, word, name, component, and by fault."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.debugging import INPUTS, UNIFORMS
from lanewise.core.diagnostics import InputError
from lanewise.core.elsewhere import elsewhere
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.text.suggestions import near
from lanewise.dap.arguments import Arguments, Refusal
from lanewise.dap.containers import expression_of, member
from lanewise.dap.launch import launched
from lanewise.dap.sources import address_of, memory_reference
from lanewise.debugger.breakpoints import FAULT_TITLES, FAULTS, HANG, DataBreakpoint
from lanewise.debugger.session import UNTIL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.dap.context import Context
    from lanewise.dap.protocol import (
        Breakpoint,
        BreakpointLocations,
        Breakpoints,
        DataBreakpointInfo,
        ExceptionFilter,
        ExceptionInfo,
    )
    from lanewise.debugger.session import Session

    Handler = Callable[[Context, Arguments], object]

END, QUERY = "end", "query"
LABELS = {
    "nan": "NaN made",
    "infinity": "Infinity made",
    "unwritten": "Unwritten component read",
    "hazard": "Hazard",
    "hang": "Hang",
    QUERY: "Query",
}
FILTERS: list[ExceptionFilter] = [
    *[
        {"filter": kind, "label": LABELS[kind], "description": f"Stop where {FAULT_TITLES[kind]}", "default": kind == HANG}
        for kind in FAULTS
    ],
    {
        "filter": END,
        "label": "End",
        "description": "Stop where a thread ends, so that its outputs can be looked at",
        "default": True,
    },
    {
        "filter": QUERY,
        "label": "Query",
        "description": "Stop where a query holds: its condition, such as nan r0, changes r0.x or differs azahar",
        "default": False,
        "supportsCondition": True,
        "conditionDescription": "changes r0.x, nan, differs PROFILE, or an expression such as r0.x > 1",
    },
]
# The kinds of breakpoints, as stops name them.
LINE, WORD, NAME, DATA = "breakpoint", "instruction breakpoint", "function breakpoint", "data breakpoint"
EXCEPTION = "exception"


class Made:
    """The breakpoints of one request: their numbers in messages, and those of the session."""

    kind: str
    handler: Handler
    arguments: Arguments

    def __init__(self, book: BreakpointBook, kind: str, handler: Handler, arguments: Arguments) -> None:
        self._book, self.kind, self.handler, self.arguments = book, kind, handler, arguments
        self.ids: list[int] = []
        self.numbers: list[int] = []

    def add(self, number: int) -> int:
        """Take a breakpoint of the session; its number in messages."""
        self.numbers.append(number)
        identity = self._identity()
        self._book.ids[number] = identity, self.kind
        return identity

    def failed(self, message: str) -> Breakpoint:
        """The answer for one that cannot be set."""
        return {"id": self._identity(), "verified": False, "message": message, "reason": "failed"}

    def _identity(self) -> int:
        book = self._book
        identity = book.again.pop(0) if book.again else book.next
        book.next = max(book.next, identity + 1)
        self.ids.append(identity)
        return identity


class BreakpointBook:
    """The breakpoints that a client has set, by request. `ids` are their numbers in messages and their kinds, by their numbers
    in the session.

    `again` are the numbers in messages that are given next, before new ones.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.sets: dict[tuple[str, str], Made] = {}
        self.ids: dict[int, tuple[int, str]] = {}
        self.next = 1
        self.again: list[int] = []

    def watches(self, places: tuple[str, ...]) -> bool:
        """Whether a data breakpoint is on one of some places."""
        return any(
            not set(places).isdisjoint(each.places)
            for each in self._session.breakpoints.values()
            if isinstance(each, DataBreakpoint)
        )

    def begin(self, kind: str, of: str, handler: Handler, arguments: Arguments) -> Made:
        """Forget the breakpoints of the last such request and begin those of this one."""
        before = self.sets.get((kind, of))
        for number in before.numbers if before is not None else ():
            self._session.remove(number)
            del self.ids[number]
        group = self.sets[kind, of] = Made(self, kind, handler, arguments)
        return group


def _set_breakpoints(context: Context, arguments: Arguments) -> Breakpoints:
    source = arguments.inner("source")
    rows = arguments.rows("breakpoints", [])
    if not rows:
        rows = [Arguments(arguments.of, {"line": line}) for line in arguments.integers("lines", [])]
    lines = [context.client.our_line(row.integer("line")) for row in rows]
    name = source.text("path", "") or source.text("name", "the source")
    file = context.sources.file_of(source)
    group = context.breakpoints.begin(LINE, file if file is not None else name, _set_breakpoints, arguments)
    if file is None:
        return {"breakpoints": [group.failed(f"{name[:200]} is not part of the program") for _ in rows]}
    return {"breakpoints": [_at_line(context, group, file, line, row) for line, row in zip(lines, rows, strict=True)]}


def _at_line(context: Context, group: Made, file: str, line: int, row: Arguments) -> Breakpoint:
    found = context.sources.code(file, line)
    if found is None:
        return {**group.failed("no instruction at or below this line"), "line": context.client.line(line)}
    return {**_at_words(context, group, found[1], row), "line": context.client.line(found[0])}


def _set_function_breakpoints(context: Context, arguments: Arguments) -> Breakpoints:
    rows = arguments.rows("breakpoints")
    names = [row.text("name").strip() for row in rows]
    group = context.breakpoints.begin(NAME, "", _set_function_breakpoints, arguments)
    return {"breakpoints": [_at_name(context, group, name, row) for name, row in zip(names, rows, strict=True)]}


def _at_name(context: Context, group: Made, name: str, row: Arguments) -> Breakpoint:
    labels = context.session.debuggee.labels
    address = labels.get(name)
    if address is None:
        close = near(name, labels)
        hint = (
            f": did you mean {' or '.join(close)}?"
            if close
            else f": there are {', '.join(sorted(labels)[:8])}"
            if labels
            else ""
        )
        return group.failed(f"unknown procedure or label '{name[:60]}'{hint}")
    return _at_words(context, group, [address], row)


def _set_instruction_breakpoints(context: Context, arguments: Arguments) -> Breakpoints:
    rows = arguments.rows("breakpoints")
    wanted = [address_of(row, "instructionReference") + row.integer("offset", 0) for row in rows]
    group = context.breakpoints.begin(WORD, "", _set_instruction_breakpoints, arguments)
    return {"breakpoints": [_at_word(context, group, address, row) for address, row in zip(wanted, rows, strict=True)]}


def _at_word(context: Context, group: Made, address: int, row: Arguments) -> Breakpoint:
    size = len(context.session.source_map)
    if not 0 <= address < size:
        return group.failed(f"there is no {context.session.debuggee.what} {address}: the program has 0 to {size - 1}")
    return _at_words(context, group, [address], row)


def _at_words(context: Context, group: Made, addresses: list[int], row: Arguments) -> Breakpoint:
    """Add a breakpoint at words, with what a request says of it."""
    first = min(addresses)
    place = context.sources.place(first)
    answer: Breakpoint = {"verified": True, "instructionReference": memory_reference(first)}
    if place is not None:
        answer["source"], answer["line"] = place.source, context.client.line(place.line)
    condition, hits, log = [row.text(name, "").strip() for name in ("condition", "hitCondition", "logMessage")]
    try:
        number = context.session.break_words(addresses, condition, hits, log).number
    except InputError as error:
        return {**answer, **group.failed(_sentence(error))}
    return {**answer, "id": group.add(number)}


def _sentence(error: InputError) -> str:
    first = error.diagnostics[0]
    return first.message + (f": {elsewhere(first.fix, launched)}" if first.fix else "")


def _data_breakpoint_info(context: Context, arguments: Arguments) -> DataBreakpointInfo:
    name = arguments.text("name")
    try:
        places = _places(context, arguments, name)
    except InputError as error:
        return {"dataId": None, "description": _sentence(error)}
    if not places:
        return {"dataId": None, "description": f"{name} is not a register or component"}
    register = places[0].rpartition(".")[0] or places[0]
    thread = context.thread_of_frame(arguments)
    kept = [
        each.name for group in context.session.scopes(thread) if group.name in (INPUTS, UNIFORMS) for each in group.registers
    ]
    if register in kept:
        return {"dataId": None, "description": f"no instruction writes {name}, it is an input or uniform"}
    identity = expression_of(places)
    return {"dataId": identity, "description": f"{name} is written", "accessTypes": ["write"], "canPersist": True}


def _places(context: Context, arguments: Arguments, name: str) -> tuple[str, ...]:
    """The places of a variable in a container, or of an expression. Raises InputError."""
    number = arguments.integer("variablesReference", 0)
    if not number:
        return context.session.places(context.thread_of_frame(arguments), name)
    places = member(context.references.get(number), name)
    if places is None:
        raise Refusal(f"dataBreakpointInfo: there is no variable '{name[:60]}' in {number}")
    return places


def _set_data_breakpoints(context: Context, arguments: Arguments) -> Breakpoints:
    rows = arguments.rows("breakpoints")
    identities = [row.text("dataId") for row in rows]
    group = context.breakpoints.begin(DATA, "", _set_data_breakpoints, arguments)
    return {"breakpoints": [_on_data(context, group, name, row) for name, row in zip(identities, rows, strict=True)]}


def _on_data(context: Context, group: Made, name: str, row: Arguments) -> Breakpoint:
    if row.text("accessType", "write") != "write":
        return group.failed("a data breakpoint stops at writes")
    try:
        number = context.session.break_on(name, row.text("condition", ""), row.text("hitCondition", "")).number
    except InputError as error:
        return group.failed(_sentence(error))
    return {"id": group.add(number), "verified": True}


def _set_exception_breakpoints(context: Context, arguments: Arguments) -> Breakpoints:
    options = [(row.text("filterId"), row.text("condition", "")) for row in arguments.rows("filterOptions", [])]
    asked = [*[(kind, "") for kind in arguments.texts("filters")], *options]
    kinds = [kind for kind, _ in asked]
    context.stop_at_end = END in kinds
    context.session.stop_on([kind for kind in kinds if kind in FAULTS])
    queries = iter(_set_queries(context, arguments)["breakpoints"])
    return {"breakpoints": [next(queries) if kind == QUERY else _on_fault(kind) for kind in kinds]}


def _on_fault(kind: str) -> Breakpoint:
    known = [each["filter"] for each in FILTERS]
    if kind in known:
        return {"verified": True}
    return {"verified": False, "message": f"unknown filter '{kind[:60]}': use {', '.join(known)}"}


def _set_queries(context: Context, arguments: Arguments) -> Breakpoints:
    """The breakpoints of the filter whose condition is a query."""
    rows = arguments.rows("filterOptions", [])
    group = context.breakpoints.begin(EXCEPTION, "", _set_queries, arguments)
    texts = [
        *["" for kind in arguments.texts("filters") if kind == QUERY],
        *[row.text("condition", "") for row in rows if row.text("filterId") == QUERY],
    ]
    return {"breakpoints": [_on_query(context, group, text) for text in texts]}


def _on_query(context: Context, group: Made, text: str) -> Breakpoint:
    if not text.strip():
        return group.failed("a query is the condition of this filter, such as nan, changes r0.x or differs azahar")
    try:
        return {"id": group.add(context.session.stop_where(text).number), "verified": True}
    except InputError as error:
        return group.failed(_sentence(error))
    except (InputFailure, UsageError) as error:
        return group.failed(str(error))


def _breakpoint_locations(context: Context, arguments: Arguments) -> BreakpointLocations:
    file = context.sources.file_of(arguments.inner("source"))
    first = context.client.our_line(arguments.integer("line"))
    last = context.client.our_line(arguments.integer("endLine", context.client.line(first)))
    lines = context.sources.lines.get(file, {}) if file is not None else {}
    places = [(number, context.sources.place(lines[number][0])) for number in sorted(lines) if first <= number <= last]
    return {
        "breakpoints": [
            {"line": context.client.line(number), "column": context.client.column(place.column)}
            for number, place in places
            if place is not None
        ]
    }


def _fault(context: Context, what: int | str) -> str:
    """The kind of fault that a hit is about; empty for a breakpoint that is not of a filter."""
    if isinstance(what, str):
        return what
    return QUERY if context.breakpoints.ids.get(what, (0, ""))[1] == EXCEPTION else ""


def _exception_info(context: Context, arguments: Arguments) -> ExceptionInfo:
    thread = context.thread_of(arguments)
    position = context.session.at(thread)
    hits = [(_fault(context, hit.what), hit.text) for hit in position.stop.hits if hit.what != UNTIL]
    kinds = [kind for kind, _ in hits if kind]
    if not kinds:
        raise Refusal(f"exceptionInfo: {context.title(thread)} did not stop at a fault")
    texts = [text for kind, text in hits if kind]
    fault = position.fault
    details = "; ".join(texts) + (f"; {elsewhere(fault.fix, launched)}" if fault is not None and fault.fix else "")
    title = LABELS.get(kinds[0], kinds[0])
    return {
        "exceptionId": title,
        "description": "; ".join(texts),
        "breakMode": "always",
        "details": {"message": details, "typeName": kinds[0]},
    }


def take_over(context: Context, before: Context) -> None:
    """Set the breakpoints of a session in the one that takes its place, and report what has become of them."""
    context.stop_at_end = before.stop_at_end
    context.session.stop_on(before.session.faults)
    context.breakpoints.next = before.breakpoints.next
    for group in before.breakpoints.sets.values():
        context.breakpoints.again = [*group.ids]
        for breakpoint in cast("Breakpoints", group.handler(context, group.arguments))["breakpoints"]:
            context.event("breakpoint", {"reason": "changed", "breakpoint": breakpoint})


HANDLERS: Mapping[str, Callable[[Context, Arguments], object]] = {
    "setBreakpoints": _set_breakpoints,
    "setFunctionBreakpoints": _set_function_breakpoints,
    "setInstructionBreakpoints": _set_instruction_breakpoints,
    "setDataBreakpoints": _set_data_breakpoints,
    "dataBreakpointInfo": _data_breakpoint_info,
    "setExceptionBreakpoints": _set_exception_breakpoints,
    "breakpointLocations": _breakpoint_locations,
    "exceptionInfo": _exception_info,
}
