"""A debugger's machine that follows a trace, for instruction sets whose engines do not stop between instructions.

    Replay(Whole(program.trace(lane=3)))

A `Stream` makes the steps when they are needed, for programs that can run for long.
"""

from __future__ import annotations

from lanewise.core.cached import cached_property
from lanewise.core.debugging import (
    ADDRESSES,
    FLAGS,
    INFINITY,
    INPUTS,
    NAN,
    OUTPUTS,
    STOPPED,
    TEMPORARIES,
    UNIFORMS,
    UNSET,
    Frame,
    Group,
    Loop,
    Named,
    Register,
)
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.core.debugging import Inlined
    from lanewise.core.streaming import Stream
    from lanewise.core.trace import Given, Step, Value

_INFINITE = (float("inf"), float("-inf"))
_COMPONENTS = "xyzw"
_WHOLE = ("a", "aL", "i", "aL1", "aL2", "aL3")
_TRUTHS = ("b", "p", "killed")


class ReplayState(Record):
    """A position in a trace, what has been written until then, and the calls that are active."""

    position: int
    held: Mapping[str, Value]
    calls: tuple[int, ...]


class Whole:
    """The steps of a trace that is made at once, of a program that cannot be long."""

    def __init__(self, trace: Trace) -> None:
        self.head = trace

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        return self.head.diagnostics

    @property
    def made(self) -> int:
        return len(self.head)

    def step(self, number: int) -> Step | None:
        return self.head.steps[number] if number < len(self.head) else None


class Replay:
    """One thread that follows the steps of a trace."""

    position: int

    def __init__(self, steps: Stream | Whole) -> None:
        self.steps = steps
        self.position = 0
        self._held: dict[str, Value] = {}
        self._calls: tuple[int, ...] = ()

    @property
    def trace(self) -> Trace:
        """The trace as known at the start of the run."""
        return self.steps.head

    def _next(self) -> Step | None:
        """The step in front of which the machine is; None at the end."""
        return self.steps.step(self.position)

    @property
    def address(self) -> int:
        step = self._next()
        if step is not None:
            return step.address
        last = self.steps.step(self.position - 1) if self.position else None
        return last.address + 1 if last is not None else 0

    @property
    def depth(self) -> int:
        return len(self._calls)

    @property
    def finished(self) -> bool:
        return self._next() is None

    @property
    def fault(self) -> Diagnostic | None:
        if not self.finished:
            return None
        return next((each for each in self.steps.diagnostics if each.severity == ERROR), None)

    @property
    def given(self) -> Mapping[str, Given]:
        return self.trace.given

    def advance(self) -> int:
        step = self._next()
        if step is None:
            return STOPPED
        events = UNSET if self._unset(step) else 0
        for write in step.writes:
            for place, value in zip(write.places, write.new, strict=True):
                self._held[place] = value
                if value.number != value.number:
                    events |= NAN
                elif value.number in _INFINITE:
                    events |= INFINITY
        self.position += 1
        following = self._next()
        depth = max(0, len(following.routines) - 1) if following is not None else 0
        if depth > len(self._calls):
            self._calls = (*self._calls, step.address)
        elif depth < len(self._calls):
            self._calls = self._calls[:depth]
        return events

    def step(self) -> Step | None:
        step = self._next()
        if step is None:
            return None
        unset = self._unset(step)
        self.advance()
        return step._replace(unset=unset) if unset else step

    def _unset(self, step: Step) -> tuple[str, ...]:
        """The places that a step reads and that neither were given nor written; other lanes are not followed."""
        read = [place for operand in step.operands for place in operand.places]
        read += [place for asked in step.decisions for place in asked.places]
        return tuple(
            dict.fromkeys(
                [
                    place
                    for place in read
                    if place not in self._held
                    and place not in self.trace.given
                    and "@" not in place
                    and "#" not in place
                    and not place.startswith("SPEC")
                ]
            )
        )

    def keep(self) -> ReplayState:
        return ReplayState(self.position, dict(self._held), self._calls)

    def restore(self, kept: object) -> None:
        assert isinstance(kept, ReplayState)
        self.position, self._held, self._calls = kept.position, dict(kept.held), kept.calls

    def read(self, place: str) -> Value | None:
        found = self._held.get(place)
        if found is None:
            given = self.trace.given.get(place)
            found = given.value if given is not None else None
        return found

    def may_write(self, address: int) -> frozenset[str] | None:
        return None

    def groups(self) -> tuple[Group, ...]:
        """Inputs, uniforms, outputs, and what the trace has written so far."""
        places: dict[str, dict[str, dict[str, None]]] = {
            name: {} for name in (INPUTS, UNIFORMS, OUTPUTS, TEMPORARIES, FLAGS, ADDRESSES)
        }
        outputs = {place.partition(".")[0] for place in self.trace.results.values()}

        def add(group: str, place: str) -> None:
            register, _, letter = place.partition(".")
            places[group].setdefault(register, {})[letter] = None

        for place, given in self.trace.given.items():
            if place[:1].isalpha():
                kinds = {"input": INPUTS, "uniform": UNIFORMS, "constant": UNIFORMS}
                add(kinds.get(given.kind, _kind(place)), place)
        for place in self.trace.results.values():
            add(OUTPUTS, place)
        for place in self._held:
            register = place.partition(".")[0]
            if register not in outputs and not any(register in mine for mine in places.values()):
                add(_kind(place), place)
            elif register not in outputs:
                group = next(name for name, mine in places.items() if register in mine)
                add(group, place)
        return tuple(
            [
                Group(name, tuple([self._register(register, [*letters]) for register, letters in mine.items()]))
                for name, mine in places.items()
                if mine
            ]
        )

    def _register(self, name: str, letters: Sequence[str]) -> Register:
        ordered = "".join([letter for letter in _COMPONENTS if letter in letters])
        places = [f"{name}.{letter}" for letter in ordered] or [name]
        given = next((found.name for place in places if (found := self.trace.given.get(place)) is not None and found.name), "")
        output = next((key.rpartition(".")[0] or key for key, place in self.trace.results.items() if place in places), "")
        file = name.rstrip("0123456789")
        kind = "bool" if file in _TRUTHS else "int" if file in _WHOLE else self.trace.format
        return Register(
            name=name,
            label=given or output or name,
            components=ordered,
            values=tuple([self.read(place) for place in places]),
            format=kind,
        )

    def frames(self) -> tuple[Frame, ...]:
        step = self._next()
        names = step.routines if step is not None else ()
        addresses = [*self._calls, self.address]
        return tuple([Frame(name, address) for name, address in zip(names or ("main",), addresses, strict=False)])[::-1]

    def loops(self) -> tuple[Loop, ...]:
        step = self._next()
        return (
            tuple(
                [Loop(name=name, iteration=iteration, total=count, first=-1, last=-1) for name, iteration, count in step.loops]
            )[::-1]
            if step
            else ()
        )


def _kind(place: str) -> str:
    """The group of a register that is neither given nor an output, by its file."""
    file = place.partition(".")[0].rstrip("0123456789")
    return FLAGS if file in _TRUTHS else ADDRESSES if file in _WHOLE else TEMPORARIES


class Replayed:
    """A program whose threads follow traces. `steps(thread, changed)` makes the steps of a thread, `texts` are the instructions
    by address.

    `group` is the number of threads that run together, such as the lanes of a wave, `writes` are the places that instructions
    write.
    """

    isa: str
    name: str
    one: str
    threads: Sequence[int]
    group: int

    def __init__(
        self,
        isa: str,
        name: str,
        one: str,
        threads: Sequence[int],
        steps: Callable[[int, Mapping[str, float]], Stream | Whole],
        texts: Callable[[int], str],
        *,
        group: int = 1,
        labels: Mapping[str, int] | None = None,
        writes: Iterable[str] = (),
    ) -> None:
        self._labels, self._writes = dict(labels or {}), frozenset(writes)
        self.isa, self.name, self.one, self.threads, self.group = isa, name, one, threads, group
        self._steps, self._texts = steps, texts

    samples = 16

    @cached_property
    def _first(self) -> Trace:
        return self._steps(self.threads[0], {}).head

    @property
    def what(self) -> str:
        return self._first.what

    @property
    def variant(self) -> str:
        return self._first.variant

    @property
    def format(self) -> str:
        return self._first.format

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        return [each for each in self._first.diagnostics if each.severity != ERROR]

    @property
    def names(self) -> Mapping[str, Named]:
        return self._names

    @property
    def labels(self) -> Mapping[str, int]:
        return self._labels

    @property
    def writable(self) -> frozenset[str]:
        return self._writable

    @cached_property
    def _writable(self) -> frozenset[str]:
        return self._writes.union(self._first.results.values())

    def encoding(self, address: int) -> str:
        return ""

    def inlined(self, address: int) -> Sequence[Inlined]:
        return ()

    @property
    def results(self) -> Mapping[str, str]:
        return self._first.results

    @cached_property
    def _names(self) -> Mapping[str, Named]:
        found: dict[str, Named] = {}
        for place, given in self._first.given.items():
            register = place.partition(".")[0]
            name, bracket, index = given.name.partition("[")
            if not name or given.name == register or not name.replace("_", "a").isalnum():
                continue
            number = int(index.rstrip("]")) if bracket and index.rstrip("]").isdecimal() else 0
            file = register.rstrip("0123456789")
            first = f"{file}{int(register[len(file) :]) - number}" if number and register[len(file) :].isdecimal() else register
            before = found.get(name)
            kind = INPUTS if given.kind == "input" else UNIFORMS
            found[name] = Named(first, max(number + 1, before.size if before is not None else 1), "", kind)
        for name, place in self._first.results.items():
            found.setdefault(name.rpartition(".")[0] or name, Named(place.partition(".")[0], 1, "", OUTPUTS))
        return found

    def title(self, thread: int) -> str:
        return f"{self.one} {thread}"

    def instruction(self, address: int) -> str:
        return self._texts(address)

    def machine(self, thread: int, changed: Mapping[str, float]) -> Replay:
        """A thread in front of its first instruction. Raises InputError for one that does not exist, or a place that cannot be
        changed."""
        if thread not in self.threads:
            message = f"{self.title(thread)} does not exist"
            fix = f"use 0 to {len(self.threads) - 1}" if len(self.threads) > 1 else "use 0"
            raise InputError(
                [Diagnostic(code="B008", severity=ERROR, message=message, span=Span(file=self.name), notes=(), fix=fix)]
            )
        return Replay(self._steps(thread, changed))


def unchangeable(place: str, name: str) -> InputError:
    """The error of a place that is neither an input nor a uniform."""
    return InputError(
        [
            Diagnostic(
                code="B007",
                severity=ERROR,
                message=f"{place} cannot be set",
                span=Span(file=name),
                notes=(),
                fix="only inputs and uniforms can be changed",
            )
        ]
    )
