"""A graph in words: blocks as cards of lines, questions, actions and rings as a person would say them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.ir.graph import Branch, Goto
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

    from lanewise.pica200.ir.graph import Block, Way
    from lanewise.pica200.sem.flow import Action, Question, Shape


class Wording(NamedTuple):
    """What this layer cannot know: the text of the instruction at an address, the names of boolean and integer uniforms by
    number, the name of an address (or nothing), and what a hang's code means."""

    instruction: Callable[[int], str]
    boolean: Callable[[int], str] = "b{}".format
    integer: Callable[[int], str] = "i{}".format
    place: Callable[[int], str] = lambda address: ""
    hang: Callable[[str], str] = lambda code: code


class Card(NamedTuple):
    """All lines about a block.

    `heading` says which words they are, `place` the name of the first; `rings` what is under way, a line for each slot;
    `words` are addresses with their instructions; `outcome` is what comes after: questions, answers, actions. An answer's
    line begins with two blanks for each question before it.
    """

    number: int
    heading: str
    place: str
    rings: tuple[str, ...]
    words: tuple[tuple[int, str], ...]
    outcome: tuple[str, ...]


def card(block: Block, wording: Wording, *, goals: bool = False) -> Card:
    """The card of a block. With `goals` the outcome also says which blocks come next."""
    addresses = block.addresses
    if not addresses:
        heading = f"{block.shape.pc:#x}: no word is there"
    elif len(addresses) == 1:
        heading = f"word {addresses[0]:#x}"
    else:
        heading = f"words {addresses[0]:#x} to {addresses[-1]:#x}"
    return Card(
        block.number,
        heading,
        wording.place(block.shape.pc),
        tuple(rings(block.shape, wording)),
        tuple((address, wording.instruction(address)) for address in addresses),
        tuple(_outcome(block.way, wording, goals)),
    )


def rings(shape: Shape, wording: Wording) -> Iterator[str]:
    """What is under way, the newest of each ring last."""
    for end, back in shape.calls:
        yield f"in a call: at {end:#x} back to {back:#x}"
    for end, jump in shape.ifs:
        yield f"in a true branch: at {end:#x} " + ("it ends" if jump == end else f"on to {jump:#x}")
    for slot, (end, start, register) in enumerate(shape.loops):
        which = f" ({rounds(slot)})" if slot else ""
        yield f"in a loop over {wording.integer(register)}, {start:#x} to {end - 1:#x}{which}"


def rounds(slot: int) -> str:
    """The name of the counter of a slot of the LOOP ring: how many more rounds there will be."""
    return f"rounds{slot + 1}" if slot else "rounds"


def question_text(question: Question, wording: Wording) -> str:
    match question:
        case Boolean(number):
            return f"{wording.boolean(number)}?"
        case CounterIsZero(slot):
            return f"{rounds(slot)} == 0?"
        case Flags(combine, x, y):
            left, right = "cmp.x" if x else "!cmp.x", "cmp.y" if y else "!cmp.y"
            return (f"{left} || {right}?", f"{left} && {right}?", f"{left}?", f"{right}?")[combine]


def action_text(action: Action, wording: Wording) -> str:
    match action:
        case Push(slot, register):
            return f"{rounds(slot)} = {wording.integer(register)}.x"
        case DropOldest():
            return "forget the oldest loop"
        case Pop(slot):
            return f"drop {rounds(slot)}"
        case StartAl(register):
            return f"aL = {wording.integer(register)}.y"
        case StepAl(register):
            return f"aL += {wording.integer(register)}.z"
        case RestoreAl(slot):
            return f"aL as before {rounds(slot)}"
        case CountDown(slot):
            return f"{rounds(slot)} -= 1"


def actions_text(actions: Sequence[Action], wording: Wording) -> str:
    return ", ".join(action_text(action, wording) for action in actions)


def answer_text(answers: Sequence[tuple[Question, bool]]) -> str:
    """The answers of a passage: `true`, or `true, false` where a question follows a question."""
    return ", ".join("true" if answer else "false" for _, answer in answers)


def stop_text(stop: End | Hang, wording: Wording) -> str:
    return "end" if isinstance(stop, End) else f"hang {stop.code}: {wording.hang(stop.code)}".removesuffix(f": {stop.code}")


def _outcome(way: Way, wording: Wording, goals: bool) -> Iterator[str]:
    match way:
        case Goto(block, actions):
            text = [*([actions_text(actions, wording)] if actions else []), *([f"-> {block}"] if goals else [])]
            if text:
                yield " ".join(text)
        case Branch(question, yes, no, actions):
            if actions:
                yield actions_text(actions, wording)
            yield question_text(question, wording)
            for answer, side in (("true", yes), ("false", no)):
                lines = list(_outcome(side, wording, goals))
                if len(lines) == 1:
                    yield f"  {answer}{'' if lines[0].startswith('->') else ':'} {lines[0]}"
                elif lines:
                    yield f"  {answer}:"
                    yield from (f"    {line}" for line in lines)
        case stop:
            if goals:
                yield f"-> {stop_text(stop, wording)}"
