"""Where a value came from: the steps that made it, each of which can be gone to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.record import Record
from lanewise.core.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.debugging import Debuggee
    from lanewise.core.trace import Given, Step, Value
    from lanewise.debugger.recording import Recording

MOST_CAUSES = 1000
WIDTHS = {"float24": 24}


class Cause(NamedTuple):
    """A step, and those of the places it wrote that count. `lines` describe what it read and made."""

    step: Step
    places: tuple[str, ...]
    lines: tuple[str, ...]


class Explanation(Record):
    """The provenance of a value."""

    name: str
    "The place as the user wrote it."
    place: str
    "The name of the register component, such as `r0.x`."
    value: Value | None
    "Its value at the position; None: never set."
    causes: tuple[Cause, ...]
    "The steps that count, in the order of execution."
    given: tuple[tuple[str, Given], ...]
    "Places that had a value at the start and count, with that value."
    unset: tuple[str, ...]
    "Places that count and were never written; empty where not `complete`."
    complete: bool
    "False where there are more than `MOST_CAUSES` steps."

    def text(self) -> str:
        """A line for the value, then the steps, then what was given."""
        own = f" ({self.place})" if self.place != self.name else ""
        shown = f"{self.value.number:.9g}" if self.value is not None else "never set"
        lines = [f"{self.name}{own} = {shown}"]
        if not self.complete:
            lines.append(f"only the last {MOST_CAUSES} steps that count are listed")
        for cause in self.causes:
            lines += [f"step {cause.step.number}: {cause.step.instruction}", *(f"  {line}" for line in cause.lines)]
        lines += [f"given: {line}" for line in _registers(self.given)]
        return "\n".join([*lines, *(f"never written: {place}" for place in self.unset)])


def _registers(given: Sequence[tuple[str, Given]]) -> list[str]:
    """Kind, name and values of each register of which components were given: `uniform sun.xy (c3) = 1, 0.5`."""
    registers: dict[str, list[tuple[str, Given]]] = {}
    for place, found in given:
        register, _, letter = place.rpartition(".")
        registers.setdefault(register or place, []).append((letter if register else "", found))
    lines: list[str] = []
    for register, rows in registers.items():
        letters = "".join([letter for letter, _ in rows])
        which = "" if letters in ("", "xyzw") else f".{letters}"
        first = rows[0][1]
        name = first.name if first.name and first.name not in (register, f"{register}.{rows[0][0]}") else ""
        own = f"{name}{which} ({register})" if name else f"{register}{which}"
        lines.append(f"{first.kind} {own} = {', '.join([f'{found.value.number:.9g}' for _, found in rows])}")
    return lines


def explain(debuggee: Debuggee, recording: Recording, position: int, name: str, place: str) -> Explanation:
    """The steps before a position that made what a place holds there."""
    machine = recording.at(position)
    value, given = machine.read(place), machine.given
    shower = Trace(debuggee.isa, debuggee.name, "", (), format=debuggee.format, width=WIDTHS.get(debuggee.format, 32))
    wanted: dict[str, None] = {place: None}
    causes: list[Cause] = []
    number = position
    may: dict[int, frozenset[str] | None] = {}
    while number > 0 and wanted and len(causes) < MOST_CAUSES:
        number -= 1
        address = recording.addresses[number]
        if address not in may:
            may[address] = machine.may_write(address)
        places = may[address]
        if places is not None and places.isdisjoint(wanted):
            continue
        step = recording.step(number)
        hits = tuple([written for written in step.made if written in wanted])
        if not hits:
            continue
        sources = dict.fromkeys([source for hit in hits for source in step.made[hit]])
        for hit in hits:
            del wanted[hit]
        wanted.update(dict.fromkeys(sources))
        lines = [
            f"from {shower.operand(operand, [*sources])}" for operand in step.operands if sources.keys() & set(operand.places)
        ]
        lines += [f"made {shower.write(write, hits)}" for write in step.writes if set(hits) & set(write.places)]
        causes.append(Cause(step, hits, tuple(lines)))
    complete = number == 0 or not wanted
    found = tuple([(each, given[each]) for each in given if each in wanted])
    unset = tuple([each for each in wanted if each not in given]) if complete else ()
    return Explanation(
        name=name, place=place, value=value, causes=tuple(reversed(causes)), given=found, unset=unset, complete=complete
    )
