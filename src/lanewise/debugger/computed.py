"""The value that an expression of a compiled source had when it was last computed: `computed`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.debugger.causes import expression_of, place_of

if TYPE_CHECKING:
    from lanewise.core.trace import Step, Value
    from lanewise.debugger.values import Values

_MOST_BACK = 256  # steps between the instructions of an expression


class Computed(NamedTuple):
    """An expression, the last step that computed it, and the places that held its components then."""

    text: str
    step: int
    values: tuple[tuple[str, Value], ...]


def computed(session: Values, thread: int, text: str) -> Computed | None:
    """The value that an expression had when it was last computed before the position of a thread; None if it was not, or if the
    source has no such expression."""
    wanted = session.expressions.get(without_spaces(text))
    if wanted is None:
        return None
    recording, position = session.recording(thread), session.stop(thread).step

    def is_wanted(number: int) -> bool:
        expression = expression_of(session, recording.addresses[number])
        return expression is not None and expression.text == wanted

    last = next((number for number in range(min(position, len(recording)) - 1, -1, -1) if is_wanted(number)), None)
    if last is None:
        return None
    steps: list[Step] = []  # those that compute it together, the last one first
    place = place_of(session, recording.step(last))
    calls = [each.call for each in session.debuggee.inlined(recording.addresses[last])]
    for number in range(last, max(-1, last - _MOST_BACK), -1):
        address = recording.addresses[number]
        if any(each.address == address for each in steps):
            break  # the time before
        if is_wanted(number) and [each.call for each in session.debuggee.inlined(address)] == calls:
            step = recording.step(number)
            if place_of(session, step) == place:
                steps.append(step)
    inner: set[str] = set()  # what only the expression itself reads, and what it writes again
    values: dict[str, Value] = {}
    expression = expression_of(session, recording.addresses[last])
    size = expression.size if expression is not None else 0
    for step in steps:
        if size and len(values) >= size:
            break  # what is before is another time, as in a loop without branches
        written = [pair for write in step.writes for pair in zip(write.places, write.new, strict=True)]
        values |= {name: value for name, value in written if name not in inner}
        inner |= {name for name, _ in written} | {source for sources in step.made.values() for source in sources}
    return Computed(wanted, last, tuple([(name, values[name]) for name in sorted(values)]))


def without_spaces(text: str) -> str:
    return "".join(text.split())


__all__ = ["Computed", "computed", "without_spaces"]
