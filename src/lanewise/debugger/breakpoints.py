"""The breakpoints of a session: `Breakpoint` at words, `DataBreakpoint` on components, and the faults of steps."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.debugging import INFINITY, NAN, UNSET
from lanewise.debugger.expressions import Expression
from lanewise.debugger.reading import failure, is_infinite, is_nan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.core.trace import Step, Value

NAN_MADE, INFINITY_MADE, UNWRITTEN, HAZARD, HANG = FAULTS = ("nan", "infinity", "unwritten", "hazard", "hang")
EVENT_OF = {NAN_MADE: NAN, INFINITY_MADE: INFINITY, UNWRITTEN: UNSET}
FAULT_TITLES = {
    NAN_MADE: "an instruction makes NaN from operands that are none",
    INFINITY_MADE: "an instruction makes an infinity from operands that are none",
    UNWRITTEN: "an instruction reads a component that nothing has written",
    HAZARD: "`lanewise check` has a finding about the instruction",
    HANG: "the thread stops without an end",
}


class HitRule:
    """On which hits a breakpoint stops: `3` or `== 3` is the third, `>= 3`, `> 2`, `< 4`, `<= 3` those, `% 4` each fourth."""

    text: str

    def __init__(self, text: str) -> None:
        """Raises InputError for a rule that cannot be read."""
        self.text = text.strip()
        sign = next((sign for sign in ("==", ">=", "<=", ">", "<", "%") if self.text.startswith(sign)), "")
        number = self.text.removeprefix(sign).strip()
        if not (number.isascii() and number.isdigit()) or len(number) > 9 or (int(number) == 0 and sign in ("", "==", "%")):
            raise failure(
                self.text, 0, len(self.text), f"'{self.text[:40]}' is not a rule for hits", "use 3, >= 3, > 3, < 3 or % 3"
            )
        self._holds, self._number = _HIT_RULES[sign or "=="], int(number)

    def __str__(self) -> str:
        return self.text

    def holds(self, count: int) -> bool:
        return self._holds(count, self._number)


_HIT_RULES: Mapping[str, Callable[[int, int], bool]] = {
    "==": lambda count, number: count == number,
    ">=": lambda count, number: count >= number,
    "<=": lambda count, number: count <= number,
    ">": lambda count, number: count > number,
    "<": lambda count, number: count < number,
    "%": lambda count, number: count % number == 0,
}


def stops_on(hits: int | HitRule, count: int) -> bool:
    """Whether a breakpoint stops on a hit, counted from 1."""
    return hits.holds(count) if isinstance(hits, HitRule) else count == hits


class Breakpoint:
    """A stop at some words. `where` is what was asked for, `addresses` its words, `condition` an expression, `hits` on which
    hit it stops (0: each), or a rule.

    `log` is a message with {expressions}: then nothing stops, and the message is put out.
    """

    number: int
    where: str
    addresses: frozenset[int]
    hits: int | HitRule
    line: int
    file: str
    condition: Expression | None
    log: Message | None

    def __init__(
        self,
        number: int,
        where: str,
        addresses: frozenset[int],
        condition: str = "",
        hits: int | HitRule = 0,
        log: str = "",
        *,
        line: int = 0,
        file: str = "",
    ) -> None:
        """Raises InputError for a condition or message that cannot be read."""
        self.number, self.where, self.addresses, self.hits, self.line, self.file = number, where, addresses, hits, line, file
        self.condition = Expression(condition) if condition.strip() else None
        self.log = Message(log) if log else None
        self.enabled = True

    def __repr__(self) -> str:
        return f"<Breakpoint {self.number} at {self.where}>"

    @property
    def text(self) -> str:
        """`breakpoint 1 at light.v.pica:12 if r0.x > 1, hit 3`."""
        condition = f" if {self.condition.text}" if self.condition is not None else ""
        hits = f", on hit {self.hits}" if self.hits else ""
        log = f', logs "{self.log.text}"' if self.log is not None else ""
        return f"breakpoint {self.number} at {self.where}{condition}{hits}{log}{'' if self.enabled else ', off'}"


class DataBreakpoint:
    """A stop where one of some places is written. `name` is what was asked for; `changed` leaves out writes of the same value.

    `hits` is on which of these writes it stops (0: each), or a rule.
    """

    number: int
    name: str
    places: tuple[str, ...]
    hits: int | HitRule
    changed: bool
    condition: Expression | None

    def __init__(
        self,
        number: int,
        name: str,
        places: tuple[str, ...],
        condition: str = "",
        hits: int | HitRule = 0,
        *,
        changed: bool = False,
    ) -> None:
        """Raises InputError for a condition that cannot be read."""
        self.number, self.name, self.places, self.hits, self.changed = number, name, places, hits, changed
        self.condition = Expression(condition) if condition.strip() else None
        self.enabled = True

    def __repr__(self) -> str:
        return f"<DataBreakpoint {self.number} on {self.name}>"

    @property
    def text(self) -> str:
        condition = f" if {self.condition.text}" if self.condition is not None else ""
        hits = f", on hit {self.hits}" if self.hits else ""
        return f"data breakpoint {self.number} on {self.name}{condition}{hits}{'' if self.enabled else ', off'}"

    def wrote(self, step: Step) -> list[Written]:
        """The values that a step writes to the places."""
        return [
            each
            for each in written(step)
            if each.place in self.places and not (self.changed and each.old is not None and each.old.bits == each.new.bits)
        ]


class VariableBreakpoint(DataBreakpoint):
    """A stop where a variable of the source gets another value, in the function where it was set; `places` are its components
    (`n.x`, `d`)."""

    def __init__(
        self, number: int, name: str, places: tuple[str, ...], function: str, condition: str = "", hits: int | HitRule = 0
    ) -> None:
        """Raises InputError for a condition that cannot be read."""
        super().__init__(number, name, places, condition, hits)
        self.function = function


class QueryBreakpoint:
    """A stop where a query holds: `text` is as `queries.query` reads it, for each thread."""

    number: int
    query: str

    def __init__(self, number: int, query: str) -> None:
        self.number, self.query = number, query
        self.enabled = True

    def __repr__(self) -> str:
        return f"<QueryBreakpoint {self.number} where {self.query}>"

    @property
    def text(self) -> str:
        return f"breakpoint {self.number} where {self.query}{'' if self.enabled else ', off'}"


class Message:
    """A log message: text with expressions in braces."""

    def __init__(self, text: str) -> None:
        """Raises InputError for an expression that cannot be read."""
        self.text = text
        self.parts: list[str | Expression] = []
        rest = text
        while rest:
            before, brace, after = rest.partition("{")
            inside, closed, following = after.partition("}")
            if not closed:
                self.parts.append(rest)
                break
            self.parts += [before, Expression(inside)] if brace else [before]
            rest = following

    def shown(self, evaluate: Callable[[Expression], str]) -> str:
        return "".join([part if isinstance(part, str) else evaluate(part) for part in self.parts])


class Written(NamedTuple):
    """A place that a step wrote, with the value before, if it is known, and after."""

    place: str
    old: Value | None
    new: Value


def change_text(one: Written) -> str:
    """`r0.x = 1, was 0`."""
    before = f", was {one.old.number:.9g}" if one.old is not None else ""
    return f"{one.place} = {one.new.number:.9g}{before}"


def written(step: Step) -> list[Written]:
    """The places that a step wrote."""
    found: list[Written] = []
    for write in step.writes:
        old = write.old or (None,) * len(write.new)
        found += [Written(*each) for each in zip(write.places, old, write.new, strict=True)]
    return found


def faults_of(step: Step, wanted: frozenset[str]) -> list[tuple[str, str]]:
    """The faults of a step among `wanted`, with a sentence for each."""
    found: list[tuple[str, str]] = []
    read = {place: value for operand in step.operands for place, value in zip(operand.places, operand.values, strict=True)}
    for kind, special, what in ((NAN_MADE, is_nan, "NaN"), (INFINITY_MADE, is_infinite, "an infinity")):
        if kind not in wanted:
            continue
        places = [
            each.place
            for each in written(step)
            if special(each.new.number)
            and not any(special(read[source].number) for source in step.made.get(each.place, ()) if source in read)
        ]
        if places:
            found.append((kind, f"{', '.join(places)} becomes {what}: {step.instruction}"))
    if UNWRITTEN in wanted and step.unset:
        found.append((UNWRITTEN, f"{', '.join(step.unset)} is read and has never been written: {step.instruction}"))
    return found


class HitCounts:
    """How often the condition of a breakpoint was true in a thread, counted from its first step: so it is the same in both
    directions."""

    def __init__(self) -> None:
        self._found: list[int] = []
        self._until = 0

    def at(self, position: int, is_hit: Callable[[int], bool], candidates: Callable[[int, int], list[int]]) -> int:
        """The number of hits up to a position, with it."""
        if position >= self._until:
            self._found += [number for number in candidates(self._until, position + 1) if is_hit(number)]
            self._until = position + 1
        return bisect_right(self._found, position)
