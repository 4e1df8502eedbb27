"""Node labels: questions, actions and rings of a graph as text."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.sem.flow import (
    Boolean,
    CountDown,
    CounterIsZero,
    DropOldest,
    End,
    Flags,
    Hang,
    Pop,
    Push,
    RestoreAl,
    StartAl,
    StepAl,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.pica200.sem.flow import Action, ControlState, Question


def _nameless(address: int) -> str:
    return ""


class Labels(Record):
    """The names that this layer cannot know."""

    instruction: Callable[[int], str]
    "Text of the instruction at an address."
    boolean: Callable[[int], str] = "b{}".format
    "Name of a boolean uniform, by number."
    integer: Callable[[int], str] = "i{}".format
    "Name of an integer uniform, by number."
    place: Callable[[int], str] = _nameless
    "Name of an address; empty for none."
    hang: Callable[[str], str] = str
    "Meaning of a hang's code."


def rings(state: ControlState, labels: Labels) -> Iterator[str]:
    """The slots of the rings, a line for each, the newest of each ring last."""
    for end, back in state.calls:
        yield f"in a call: at {end:#x} back to {back:#x}"
    for end, jump in state.ifs:
        yield f"in a true branch: at {end:#x} " + ("it ends" if jump == end else f"on to {jump:#x}")
    for slot, (end, start, register) in enumerate(state.loops):
        which = f" ({counter_name(slot)})" if slot else ""
        yield f"in a loop over {labels.integer(register)}, {start:#x} to {end - 1:#x}{which}"


def counter_name(slot: int) -> str:
    """The name of a slot's loop counter, which holds the iterations left."""
    return f"rounds{slot + 1}" if slot else "rounds"


def question_text(question: Question, labels: Labels) -> str:
    match question:
        case Boolean(number):
            return f"{labels.boolean(number)}?"
        case CounterIsZero(slot):
            return f"{counter_name(slot)} == 0?"
        case Flags(combine, x, y):
            left, right = "cmp.x" if x else "!cmp.x", "cmp.y" if y else "!cmp.y"
            return (f"{left} || {right}?", f"{left} && {right}?", f"{left}?", f"{right}?")[combine]


def action_text(action: Action, labels: Labels) -> str:
    match action:
        case Push(slot, register):
            return f"{counter_name(slot)} = {labels.integer(register)}.x"
        case DropOldest():
            return "forget the oldest loop"
        case Pop(slot):
            return f"drop {counter_name(slot)}"
        case StartAl(register):
            return f"aL = {labels.integer(register)}.y"
        case StepAl(register):
            return f"aL += {labels.integer(register)}.z"
        case RestoreAl(slot):
            return f"aL as before {counter_name(slot)}"
        case CountDown(slot):
            return f"{counter_name(slot)} -= 1"


def actions_text(actions: Sequence[Action], labels: Labels) -> str:
    return ", ".join(action_text(action, labels) for action in actions)


def stop_text(stop: End | Hang, labels: Labels) -> str:
    return "end" if isinstance(stop, End) else f"hang {stop.code}: {labels.hang(stop.code)}".removesuffix(f": {stop.code}")
