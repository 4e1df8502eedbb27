"""The instruction behind a value that is wrong, found in the chain of steps that made it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.drawing.scene import Blame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.source import Span
    from lanewise.core.trace import Explanation, Trace

_MOST_READ = 4


class Link(Record):
    """A step of a chain."""

    instruction: str
    "Text of the instruction."
    word: int
    "Address of its word or slot."
    span: Span | None
    "Place in the source; None where it is not known."
    made: tuple[float, ...]
    "Values that it gave the places that count."
    read: tuple[float, ...]
    "Values that it read for them."
    operands: tuple[str, ...]
    "Its sources as text, with their values."


class Chain(Record):
    """The steps that made a component."""

    component: str
    "Place at the end."
    value: float
    "Number at the end; NaN where it is not known."
    subject: str
    "Owner of the component (`vertex 3`)."
    links: tuple[Link, ...]
    "Steps in the order of execution."
    given: tuple[str, ...]
    "Kinds of the places at the start that it depends on."
    text: str
    "Output of `--explain`."
    data: Mapping[str, object]
    "The same as plain values."


def blame(chain: Chain) -> Blame:
    """The first instruction that makes the value infinite or NaN of finite ones; otherwise the last that computes it and does
    not only copy it."""
    link = _first_not_finite(chain.links) if not math.isfinite(chain.value) else None
    link = link or _last_computed(chain.links)
    if link is None:
        message = f"{chain.component} is {chain.value:.6g} in {chain.subject}: nothing writes it"
        return Blame(instruction="", word=None, span=None, message=message, chain=chain.text, data=chain.data)
    where = f"{link.span}: " if link.span and link.span.line else f"word {link.word}: "
    sources = " and ".join([operand.partition(" [")[0] for operand in link.operands[:_MOST_READ]])  # without the patterns
    values = ", ".join(f"{number:.6g}" for number in link.made)
    message = f"{where}{link.instruction} gives {values}" + (f" for {sources}" if sources else "")
    if link is not chain.links[-1] or link.made != (chain.value,):
        message += f"; {chain.component} becomes {chain.value:.6g} in {chain.subject}"
    if chain.links and "input" not in chain.given:
        message += "; no input has an effect on it"
    return Blame(
        instruction=link.instruction, word=link.word, span=link.span, message=message, chain=chain.text, data=chain.data
    )


def _first_not_finite(links: Sequence[Link]) -> Link | None:
    wrong = [link for link in links if not all(map(math.isfinite, link.made))]
    return next((link for link in wrong if all(map(math.isfinite, link.read))), wrong[0] if wrong else None)


def _last_computed(links: Sequence[Link]) -> Link | None:
    for link in reversed(links):
        if not (len(link.operands) == 1 and set(link.made) <= set(link.read)):
            return link
    return links[-1] if links else None


def chain_of(trace: Trace, component: str) -> Chain:
    """The chain of a component of a trace. Raises InputError for one that is not there."""
    explanation: Explanation = trace.explain(component)
    trace = explanation.trace  # of more lanes than this one, where they share values
    links: list[Link] = []
    for step, places in explanation.causes:
        sources = {source for place in places for source in step.made.get(place, ())}
        values = tuple(
            [
                float(value.number)
                for write in step.writes
                for place, value in zip(write.places, write.new, strict=True)
                if place in places
            ]
        )
        operands = [operand for operand in step.operands if sources.intersection(operand.places)]
        read = tuple(
            [
                float(value.number)
                for operand in operands
                for place, value in zip(operand.places, operand.values, strict=True)
                if place in sources
            ]
        )
        links.append(
            Link(
                instruction=step.instruction,
                word=step.address,
                span=step.span,
                made=values,
                read=read,
                operands=tuple([trace.operand(operand, [*sources]) for operand in operands]),
            )
        )
    value = trace.last.get(explanation.place)
    given = tuple([trace.given[place].kind for place in explanation.given])
    number = math.nan if value is None else float(value.number)
    return Chain(
        component=component,
        value=number,
        subject=trace.subject,
        links=tuple(links),
        given=given,
        text=explanation.text(),
        data=explanation.to_json(),
    )
