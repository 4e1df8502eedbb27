"""Queries over the steps of a thread: where a value is written, changes, becomes NaN, or first differs from the run under
another profile, and where an expression becomes true.

    changes r0.x        nan position        differs azahar        differs azahar r0.x        r0.x > 1

A query is about a position, which is after a step. `nearest` finds the next position, or the one before, for which it holds.
"""

from __future__ import annotations

from math import copysign
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.numbers.floats import float24_from_float
from lanewise.debugger.breakpoints import VariableBreakpoint, Written, change_text, written
from lanewise.debugger.expressions import Expression
from lanewise.debugger.reading import is_infinite, is_nan
from lanewise.debugger.stops import wrong
from lanewise.packages import package_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.debugger.breakpoints import DataBreakpoint
    from lanewise.debugger.recording import Recording
    from lanewise.debugger.stopping import Stopping

    Holds = Callable[[int], str]  # a position: what is true there in a sentence; empty where the query does not hold
    Changes = Callable[[int], list[Written]]  # a step: what it writes of the places that a query is about

_PIECE = 256  # positions between two questions whether to go on
_OPERATORS = ("<", ">", "=", "!", "+", "-", "*", "/", ")", ".", "[", "and ", "or ")


class Query(NamedTuple):
    """A query that was read for a thread."""

    text: str
    holds: Holds


class Kind(NamedTuple):
    """A kind of query: what it takes after its name, a line of help, and how it is read for a thread."""

    takes: str
    about: str
    read: Callable[[Stopping, int, str], Holds]


class Found(NamedTuple):
    """A position for which a query holds, and why in a sentence."""

    position: int
    text: str


def query(session: Stopping, thread: int, text: str) -> Query:
    """A query as text, for a thread. Raises InputError, InputFailure, UsageError."""
    word, _, rest = text.strip().partition(" ")
    kind = KINDS.get(word)
    if kind is None or rest.lstrip().startswith(_OPERATORS):
        return Query(text.strip(), _true(session, thread, text.strip()))
    if not kind.takes.startswith("[") and not rest.strip():
        raise wrong("D001", f"'{word}' takes {kind.takes}", f"write {word} {kind.takes}")
    return Query(text.strip(), kind.read(session, thread, rest.strip()))


def nearest(
    recording: Recording,
    holds: Holds,
    position: int,
    *,
    back: bool = False,
    most: int | None = None,
    interrupted: Callable[[], bool] = lambda: False,
) -> Found | None:
    """The nearest position after another one, or before it, for which a query holds; None where there is none up to `most`, or
    where `interrupted` says to give up."""
    number = position - 1 if back else position + 1
    while number >= 0 and (back or (recording.extend(number) and (most is None or number <= most))):
        if number % _PIECE == 0:
            if interrupted():
                return None
            if not back:
                recording.extend(number + _PIECE)
        found = holds(number)
        if found:
            return Found(number, found)
        number += -1 if back else 1
    return None


def _true(session: Stopping, thread: int, text: str) -> Holds:
    """The query for positions at which an expression is true."""
    condition = Expression(text)

    def holds(position: int) -> str:
        return f"{text} is true" if session.holds(thread, condition, position) else ""

    return holds


def _changes(session: Stopping, thread: int, name: str, *, changed: bool) -> Changes:
    """The writes of steps to a register, a component or a variable of the source; of an empty name all writes."""
    recording = session.recording(thread)
    if not name:
        return lambda step: written(recording.step(step))
    watched: DataBreakpoint = session.watched(thread, name, changed=changed)
    if isinstance(watched, VariableBreakpoint):
        return lambda step: session.changes_of(thread, watched, step)
    writers: dict[int, bool] = {}

    def writes(step: int) -> list[Written]:
        address = recording.addresses[step]
        if address not in writers:
            may = recording.machine.may_write(address)
            writers[address] = may is None or not may.isdisjoint(watched.places)
        return watched.wrote(recording.step(step)) if writers[address] else []

    return writes


def _about(
    session: Stopping, thread: int, name: str, wanted: Callable[[Written], bool] | None = None, *, changed: bool = False
) -> Holds:
    """The query for steps that write something wanted."""
    changes = _changes(session, thread, name, changed=changed)

    def holds(position: int) -> str:
        found = [each for each in changes(position - 1) if wanted is None or wanted(each)] if position > 0 else []
        return f"step {position - 1} writes {', '.join(map(change_text, found))}" if found else ""

    return holds


def _differs(session: Stopping, thread: int, rest: str) -> Holds:
    """The query for steps that write other numbers than the same step under another profile, device or rule, and for the step
    after which the two take different paths. Where the formats differ, numbers are compared in float24, the narrower one."""
    variant, _, name = rest.partition(" ")
    debuggee = session.under(variant)
    under = debuggee.variant
    if under == session.debuggee.variant:
        others = [each.name for each in package_of(session.launch.loaded.isa).variants() if each.name != variant]
        fix = f"start the run under another, or compare with another: differs {others[0]}" if others else ""
        raise wrong("D001", f"the run is under {under} itself, from which it does not differ", fix)
    same = _same if debuggee.format == session.debuggee.format else _same_in_float24
    mine, theirs = session.recording(thread), session.recording_under(thread, variant)
    changes = _changes(session, thread, name.strip(), changed=False)
    alike = [0]  # so many steps are on the same path

    def same_path(count: int) -> bool:
        while alike[0] < count:
            if not theirs.extend(alike[0] + 1) or theirs.addresses[alike[0]] != mine.addresses[alike[0]]:
                return False
            alike[0] += 1
        return True

    def holds(position: int) -> str:
        if position == 0 or not same_path(position):
            return ""  # after the paths have parted, no step is the same
        before = position - 1
        values = changes(before)
        other = {each.place: each.new for each in written(theirs.step(before))} if values else {}
        found = [
            f"{each.place} = {each.new.number:.9g}, {other[each.place].number:.9g} under {under}"
            for each in values
            if each.place in other and not same(each.new.number, other[each.place].number)
        ]
        if found:
            return f"step {before} writes {'; '.join(found)}"
        if same_path(position + 1) if mine.extend(position + 1) else not theirs.extend(position + 1):
            return ""
        where = f"goes to {session.debuggee.what} {theirs.addresses[position]}" if theirs.extend(position + 1) else "ends"
        return f"after step {before} the run under {under} {where}"

    return holds


def _same(one: float, other: float) -> bool:
    """Whether two numbers are equal: zeros of both signs are two, all NaN are one."""
    return (is_nan(one) and is_nan(other)) or (one == other and copysign(1.0, one) == copysign(1.0, other))


def _same_in_float24(one: float, other: float) -> bool:
    return _same(one, other) or float24_from_float(one) == float24_from_float(other)


def _written(session: Stopping, thread: int, name: str) -> Holds:
    return _about(session, thread, name)


def _changed(session: Stopping, thread: int, name: str) -> Holds:
    return _about(session, thread, name, changed=True)


def _nan(session: Stopping, thread: int, name: str) -> Holds:
    return _about(session, thread, name, lambda each: is_nan(each.new.number))


def _infinite(session: Stopping, thread: int, name: str) -> Holds:
    return _about(session, thread, name, lambda each: is_infinite(each.new.number))


KINDS: Mapping[str, Kind] = {
    "written": Kind("NAME", "a step writes it", _written),
    "changes": Kind("NAME", "a step gives it another value", _changed),
    "nan": Kind("[NAME]", "a step writes NaN, anywhere or there", _nan),
    "infinity": Kind("[NAME]", "a step writes an infinity, anywhere or there", _infinite),
    "differs": Kind("PROFILE [NAME]", "a step writes other numbers than under another profile, device or rule", _differs),
}


__all__ = ["KINDS", "Found", "Kind", "Query", "nearest", "query"]
