"""Requests that look at a stopped thread: frames, registers, expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.debugging import INPUTS, UNIFORMS, Group, Register
from lanewise.core.diagnostics import InputError
from lanewise.dap.arguments import Refusal
from lanewise.dap.containers import Held, expression_of, member, variable_name
from lanewise.dap.context import FrameOf
from lanewise.dap.running import go_until
from lanewise.dap.sources import Place, memory_reference
from lanewise.dap.stops import announce, format_of
from lanewise.debugger.forms import HEX, NUMBER, shown
from lanewise.debugger.forms import text as number_text
from lanewise.debugger.reading import Place as ReadPlace
from lanewise.debugger.reading import Result
from lanewise.debugger.variables import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.source import Span
    from lanewise.dap.arguments import Arguments
    from lanewise.dap.context import Context
    from lanewise.dap.protocol import (
        Completion,
        Completions,
        Evaluation,
        Location,
        Scope,
        Scopes,
        SetVariable,
        StackFrame,
        StackTrace,
        Variable,
        VariableHint,
        Variables,
    )
    from lanewise.debugger.explaining import Explanation
    from lanewise.debugger.session import Position

CHANGED, CALLS = "changed", "calls and loops"
_TITLES = {CHANGED: "Changed by the last step", "flags": "Flags", "address registers": "Address Registers"}
_CHANGEABLE = (INPUTS, UNIFORMS)
_WORDS = ("causes", "explain", "goto", "primitives", "set", "until", "until-back", "help")
_HELP = """NAME, EXPRESSION        a value: position.y, r0.xyz * 2, bones[a0.x].x, isnan(r1)
explain NAME.X          the steps that made a component; each can be clicked
causes NAME.X           the same as a tree: expressions of the source, calls and loops
set NAME = VALUE        give an input or uniform another value and run again
goto N                  go to step N, in either direction
until QUERY             go to the next step where it holds: changes r0.x, nan, differs PROFILE, r0.x > 1
until-back QUERY        the same back
primitives              the steps of a geometry shader's run that send a primitive
primitives N            go to the step that sends primitive N
help                    this text"""


class Steps(NamedTuple):
    """The steps of an explanation that a reference stands for."""

    thread: int
    explanation: Explanation


class Lines(NamedTuple):
    """Names and texts that a reference stands for, such as active calls."""

    rows: tuple[tuple[str, str], ...]


# frames


def _stack_trace(context: Context, arguments: Arguments) -> StackTrace:
    thread = context.thread_of(arguments)
    start, levels = arguments.integer("startFrame", 0), arguments.integer("levels", 0)
    frames = _frames(context, context.session.at(thread))
    chosen = frames[max(start, 0) : max(start, 0) + levels if levels > 0 else None]
    return {"stackFrames": chosen, "totalFrames": len(frames)}


def _frames(context: Context, position: Position) -> list[StackFrame]:
    """The routines, the innermost first, each with the loops that are active in it in front of its caller."""
    found: list[StackFrame] = []
    loops = list(position.loops)
    for above, frame in enumerate(position.frames):
        address, name = frame.address, frame.name
        if above == 0 and position.ended and position.fault is None:
            last = context.session.last_step(position.thread)
            address, name = (last.address if last is not None else address), f"{name}: ended"
        found.append(_frame(context, position.thread, above, address, name, span=frame.span))
        while loops and loops[0].first <= frame.address <= loops[0].last:
            loop = loops.pop(0)
            of = f" of {loop.total}" if loop.total >= 0 else ""
            entry = _frame(
                context, position.thread, above, loop.first, f"loop {loop.name}: iteration {loop.iteration}{of}", loop=True
            )
            found.append(entry)
    return found


def _frame(
    context: Context, thread: int, above: int, address: int, name: str, *, loop: bool = False, span: Span | None = None
) -> StackFrame:
    place = context.sources.of_span(span) if span is not None else context.sources.place(address)
    frame: StackFrame = {
        "id": context.frames.of(FrameOf(thread, above, address, loop)),
        "name": name,
        "line": 0,
        "column": 0,
        "canRestart": not loop,
        "instructionPointerReference": memory_reference(address),
        "presentationHint": "subtle" if loop else "normal",
    }
    if place is not None:
        frame["source"], frame["line"] = place.source, context.client.line(place.line)
        frame["column"] = context.client.column(place.column)
        if place.end > place.column:
            frame["endLine"], frame["endColumn"] = frame["line"], context.client.column(place.end)
    return frame


# scopes and variables


def _scopes(context: Context, arguments: Arguments) -> Scopes:
    frame = context.frame(arguments)
    scopes: list[Scope] = []
    for group in context.session.scopes(frame.thread):
        scope: Scope = {
            "name": _TITLES.get(group.name, group.name[:1].upper() + group.name[1:]),
            "expensive": False,
            "variablesReference": context.references.of(Held(frame.thread, group)),
            "namedVariables": len(group.registers),
        }
        if group.name in (CHANGED, INPUTS):
            scope["presentationHint"] = "locals" if group.name == CHANGED else "arguments"
        scopes.append(scope)
    position = context.session.at(frame.thread)
    rows = [("step", str(position.step)), ("next", position.instruction or "the end")]
    rows += [
        (f"call {number}", f"{each.name}, {context.session.debuggee.what} {each.address}")
        for number, each in enumerate(reversed(position.frames))
    ]
    rows += [
        (f"loop {each.name}", f"iteration {each.iteration} of {each.total if each.total >= 0 else '?'}")
        for each in position.loops
    ]
    lines = context.references.of(Lines(tuple(rows)))
    scopes.append({"name": "Calls and Loops", "expensive": False, "variablesReference": lines, "namedVariables": len(rows)})
    return {"scopes": scopes}


def _variables(context: Context, arguments: Arguments) -> Variables:
    number = arguments.integer("variablesReference")
    thing = context.references.get(number)
    form = form_of(context, arguments)
    if isinstance(thing, Held):
        found = _held(context, thing, form)
    elif isinstance(thing, Steps):
        found = _steps(context, thing)
    elif isinstance(thing, Lines):
        found = [_line(name, text) for name, text in thing.rows]
    else:
        raise Refusal(f"variables: there is no reference {number}: the program has moved since")
    if arguments.text("filter", "named") == "indexed":
        found = []
    start, count = max(arguments.integer("start", 0), 0), arguments.integer("count", 0)
    return {"variables": found[start : start + count if count > 0 else None]}


def _line(name: str, text: str) -> Variable:
    return {"name": name, "value": text, "variablesReference": 0, "presentationHint": {"attributes": ["readOnly"]}}


def form_of(context: Context, arguments: Arguments) -> str:
    """The form of numbers for a request, which may ask for hexadecimal ones."""
    return HEX if arguments.inner("format", {}).flag("hex") else context.form


def _held(context: Context, held: Held, form: str) -> list[Variable]:
    if held.register is None:
        return [_register(context, held, register, form) for register in held.group.registers]
    register = held.register
    return [_component(context, held, register, number, letter, form) for number, letter in enumerate(register.components)]


def _register(context: Context, held: Held, register: Register, form: str) -> Variable:
    """A register with its components as children."""
    inside = context.references.of(Held(held.thread, held.group, register)) if register.components else 0
    variable: Variable = {
        "name": variable_name(register),
        "value": register_text(register, form),
        "variablesReference": inside,
        "evaluateName": register.name,
        "presentationHint": _hint(context, held, register.places),
        "type": _type(register),
    }
    if inside:
        variable["namedVariables"] = len(register.components)
    return variable


def _component(context: Context, held: Held, register: Register, number: int, letter: str, form: str) -> Variable:
    place = f"{register.name}.{letter}"
    return {
        "name": letter,
        "value": texts(register._replace(values=(register.values[number],)), lambda value: shown(value, register.format, form)),
        "variablesReference": 0,
        "evaluateName": place,
        "presentationHint": _hint(context, held, (place,)),
        "type": register.format,
    }


def register_text(register: Register, form: str = NUMBER) -> str:
    """`1, 0.5, 0, 1`."""
    return texts(register, lambda value: shown(value, register.format, form))


def _type(register: Register) -> str:
    return f"{register.format} x {len(register.components)}" if register.components else register.format


def _hint(context: Context, held: Held, places: tuple[str, ...]) -> VariableHint:
    attributes = [] if changeable(context, held) else ["readOnly"]
    if context.breakpoints.watches(places):
        attributes.append("hasDataBreakpoint")
    return {"kind": "data", "attributes": attributes}


def changeable(context: Context, held: Held) -> bool:
    """Whether registers can be given other values. The program itself writes the others."""
    return held.group.name in _CHANGEABLE


def _set_variable(context: Context, arguments: Arguments) -> SetVariable:
    name, value = arguments.text("name"), arguments.text("value")
    number = arguments.integer("variablesReference")
    held = context.references.get(number)
    places = member(held, name)
    if places is None or not isinstance(held, Held):
        raise Refusal(f"setVariable: there is no variable '{name[:60]}' in {number}")
    return _changed(context, held.thread, expression_of(places), value, form_of(context, arguments))


def _set_expression(context: Context, arguments: Arguments) -> SetVariable:
    thread = context.thread_of_frame(arguments)
    return _changed(context, thread, arguments.text("expression"), arguments.text("value"), form_of(context, arguments))


def _changed(context: Context, thread: int, name: str, value: str, form: str) -> SetVariable:
    """Give an input or uniform another value and run again. Raises InputError."""
    session = context.session
    session.selected = thread
    session.set(name, value)
    text = _value_text(context, thread, name, form)

    def again() -> None:
        stop = session.again(thread)
        context.runs += 1
        context.output(f"run again with {name} = {value}: at step {stop.step}")
        announce(context, stop)

    context.after(again)
    return {"value": text}


def _value_text(context: Context, thread: int, name: str, form: str) -> str:
    """The value that a place has after `set`, before the run that uses it."""
    session = context.session
    machine = session.debuggee.machine(thread, {**session.changed, **session.changed_inputs.get(thread, {})})
    places = session.places(thread, name)
    values = [machine.read(place) for place in places]
    format = format_of(machine.groups(), places[0])
    return ", ".join([shown(value, format, form) for value in values])


# expressions


def _evaluate(context: Context, arguments: Arguments) -> Evaluation:
    text = arguments.text("expression").strip()
    where = arguments.text("context", "")
    thread = context.thread_of_frame(arguments)
    if where == "repl":
        word, _, rest = text.partition(" ")
        if word == "help" and not rest:
            return {"result": _HELP, "variablesReference": 0}
        if word == "explain" and rest.strip():
            return _explained(context, thread, rest.strip())
        if word == "causes" and rest.strip():
            return {"result": context.session.causes(thread, rest).text(), "variablesReference": 0}
        if word == "goto" and rest.strip().isdecimal():
            step = int(rest)
            context.after(lambda: announce(context, context.session.goto(thread, step)))
            return {"result": f"step {step}", "variablesReference": 0}
        if word in ("until", "until-back") and rest.strip():
            go_until(context, thread, rest.strip(), back=word == "until-back")
            return {"result": text, "variablesReference": 0}
        if word == "primitives" and not rest.strip():
            sent = [f"primitive {number}: step {step}" for number, step in enumerate(context.session.primitives(thread))]
            return {"result": "\n".join(sent) or f"{context.title(thread)} sends no primitives", "variablesReference": 0}
        if word == "primitives" and rest.strip().isdecimal():
            number = int(rest)
            context.after(lambda: announce(context, context.session.to_primitive(thread, number)))
            return {"result": f"primitive {number}", "variablesReference": 0}
        if word == "set" and "=" in rest:
            name, _, value = rest.partition("=")
            return {
                "result": _changed(context, thread, name.strip(), value.strip(), context.form)["value"],
                "variablesReference": 0,
            }
    if not text:
        raise Refusal("evaluate: the expression is empty: use a name, such as r0.x")
    return _evaluated(context, thread, text, form_of(context, arguments))


def _evaluated(context: Context, thread: int, text: str, form: str) -> Evaluation:
    session = context.session
    try:
        result = session.evaluate(thread, text)
    except InputError:
        outputs = session.result_places(text)
        if not outputs:
            raise
        result = Result((), tuple([ReadPlace(place, session.reader(thread).read(place)) for place in outputs]))
    if not result.places:
        numbers = [str(number).lower() if isinstance(number, bool) else number_text(number) for number in result.numbers]
        return {"result": ", ".join(numbers), "variablesReference": 0}
    groups = session.scopes(thread)
    format = format_of(groups, result.places[0].place)
    answer: Evaluation = {
        "result": ", ".join([shown(each.value, format, form) for each in result.places]),
        "variablesReference": 0,
    }
    register = _register_of(groups, tuple([each.place for each in result.places]))
    if register is not None:
        answer["variablesReference"] = context.references.of(Held(thread, Group(register[0], (register[1],)), register[1]))
        answer["namedVariables"] = len(register[1].components)
    answer["type"] = format if len(result.places) == 1 else f"{format} x {len(result.places)}"
    return answer


def _register_of(groups: Sequence[Group], places: tuple[str, ...]) -> tuple[str, Register] | None:
    """The group and the register of places that are all of its components, in order."""
    for group in groups[1:]:
        for register in group.registers:
            if register.components and register.places == places:
                return group.name, register
    return None


def _explained(context: Context, thread: int, name: str) -> Evaluation:
    """Where a component came from: the steps are put out with their places, and are children of the answer."""
    found = context.session.explain(thread, name)
    for cause in found.causes:
        place = context.sources.place(cause.step.address)
        context.output("\n  ".join([f"step {cause.step.number}: {cause.step.instruction}", *cause.lines]), "console", place)
    lines = found.text().split("\n")
    tail = [line for line in lines[1:] if line.startswith(("given: ", "never written: "))]
    reference = context.references.of(Steps(thread, found)) if found.causes else 0
    return {"result": "\n".join([lines[0], *tail]), "variablesReference": reference}


def _steps(context: Context, steps: Steps) -> list[Variable]:
    found: list[Variable] = []
    for cause in steps.explanation.causes:
        place = context.sources.place(cause.step.address)
        variable: Variable = {
            "name": f"step {cause.step.number}",
            "value": "; ".join([cause.step.instruction, *cause.lines]),
            "variablesReference": 0,
            "presentationHint": {"attributes": ["readOnly"]},
        }
        if place is not None:
            variable["valueLocationReference"] = context.places.of(place)
        found.append(variable)
    return found


def _locations(context: Context, arguments: Arguments) -> Location:
    number = arguments.integer("locationReference")
    place = context.places.get(number)
    if not isinstance(place, Place):
        raise Refusal(f"locations: there is no location {number}: the program has moved since")
    return {"source": place.source, "line": context.client.line(place.line), "column": context.client.column(place.column)}


def _completions(context: Context, arguments: Arguments) -> Completions:
    thread = context.thread_of_frame(arguments)
    text = arguments.text("text")
    end = min(max(arguments.integer("column") - context.client.first_column, 0), len(text))
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] in "_$."):
        start -= 1
    begun = text[start:end]
    head, dot, letters = begun.rpartition(".")
    groups = context.session.scopes(thread)
    targets: list[Completion] = []
    if dot:
        for name, group, register in _named(context, groups):
            if name == head:
                targets += [
                    _completion(letter, start + len(head) + 1, len(letters), f"{group} {name}.{letter}", context)
                    for letter in register.components
                ]
                break
    else:
        names = {name: f"{group} {register.name}" for name, group, register in _named(context, groups)}
        words = dict.fromkeys(_WORDS, "command") if not text[:start].strip() else {}
        functions = dict.fromkeys(("isnan", "isinf", "abs"), "function")
        for name, about in {**names, **functions, **words}.items():
            if name.lower().startswith(begun.lower()):
                targets.append(_completion(name, start, len(begun), about, context))
    return {"targets": targets[:200]}


def _named(context: Context, groups: Sequence[Group]) -> list[tuple[str, str, Register]]:
    """The names of registers: those of the source, and their own."""
    own = [
        (name, group.name, register)
        for group in groups[1:]
        for register in group.registers
        for name in dict.fromkeys([register.label, register.name])
        if name
    ]
    known = {name for name, _, _ in own}
    by_register = {register.name: (group.name, register) for group in groups[1:] for register in group.registers}
    more = [
        (name, *by_register[named.register])
        for name, named in context.session.debuggee.names.items()
        if name not in known and named.register in by_register
    ]
    return own + more


def _completion(label: str, start: int, length: int, about: str, context: Context) -> Completion:
    return {
        "label": label,
        "start": start + context.client.first_column,
        "length": length,
        "detail": about,
        "type": "keyword" if about == "command" else "variable",
    }


HANDLERS: Mapping[str, Callable[[Context, Arguments], object]] = {
    "stackTrace": _stack_trace,
    "scopes": _scopes,
    "variables": _variables,
    "setVariable": _set_variable,
    "setExpression": _set_expression,
    "evaluate": _evaluate,
    "locations": _locations,
    "completions": _completions,
}
