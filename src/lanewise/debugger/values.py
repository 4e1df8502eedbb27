"""`Values`: what names and expressions are worth where a thread is, and other values for what it is given."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lanewise.core.debugging import Group
from lanewise.core.diagnostics import InputError
from lanewise.debugger.breakpoints import written
from lanewise.debugger.causes import MOST_NODES, Causes, causes, expression_of
from lanewise.debugger.computed import computed, without_spaces
from lanewise.debugger.explaining import Explanation, explain
from lanewise.debugger.expressions import Expression
from lanewise.debugger.reading import COMPONENTS, NoValue, Reader, Result
from lanewise.debugger.stops import wrong
from lanewise.debugger.threads import Threads
from lanewise.debugger.variables import Variables, names_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.debugger.breakpoints import Written


class Values(Threads):
    """The values of a run."""

    def _reader(self, thread: int, position: int) -> Reader:
        return Reader(
            self.recording(thread).at(position).read,
            self.debuggee.names,
            self.debuggee.writable,
            self._variables(thread, position),
        )

    def _variables(self, thread: int, position: int) -> Variables:
        """The variables of the source at a position."""
        recording = self.recording(thread)
        machine = recording.at(position)
        active = self.debuggee.inlined(machine.address) if recording.extend(position + 1) else ()
        return Variables(active, recording.at(position).read, self.debuggee.format, self._variable_names)

    @cached_property
    def _variable_names(self) -> frozenset[str]:
        """The names of all variables of the source."""
        return names_of(map(self.debuggee.inlined, range(len(self.source_map))))

    def reader(self, thread: int) -> Reader:
        """The reader of names where a thread is."""
        return self._reader(thread, self.stop(thread).step)

    def evaluate(self, thread: int, text: str) -> Result:
        """The value of an expression where a thread is; of one of a compiled source that cannot be computed from the registers,
        such as a call, when it was last computed. Raises InputError."""
        try:
            return Expression(text).evaluate(self.reader(thread))
        except InputError:
            if without_spaces(text) not in self.expressions:
                raise
            found = computed(self, thread, text)
            if found is None:
                shown = self.expressions[without_spaces(text)]
                raise wrong("D001", f"'{shown}' has no value yet", "go on until an instruction computes it") from None
            return Result(tuple([value.number for _, value in found.values]))

    @cached_property
    def expressions(self) -> Mapping[str, str]:
        """The expressions of a compiled source that instructions compute, by their texts without spaces."""
        found = [expression_of(self, word) for word in range(len(self.source_map))]
        return {without_spaces(each.text): each.text for each in found if each is not None}

    def shown(self, result: Result) -> str:
        """The value of an expression as text."""
        return ", ".join([str(number).lower() if isinstance(number, bool) else f"{number:.9g}" for number in result.numbers])

    def variables_in(self, thread: int, position: int, function: str) -> Variables | None:
        """The variables at a position, where it is in a function (empty: any); None elsewhere."""
        recording = self.recording(thread)
        if not recording.extend(position + 1):
            return None
        active = self.debuggee.inlined(recording.addresses[position])
        if not active or function not in ("", active[0].function):
            return None
        return self._variables(thread, position)

    def function(self, thread: int) -> str:
        """The function of the source in which a thread is; empty where it is in none."""
        active = self.debuggee.inlined(self.at(thread).address)
        return active[0].function if active else ""

    def is_here(self, thread: int, name: str) -> bool:
        """Whether the function in which a thread is has a variable of this name."""
        variables = self.reader(thread).variables
        return name.strip() in variables or name.strip().rpartition(".")[0] in variables

    def variable_places(self, thread: int, name: str) -> tuple[str, ...]:
        """The components of a variable of the source; none for a name that is not one."""
        wanted = name.strip()
        base, dot, letters = (wanted, "", "") if wanted in self._variable_sizes or "." not in wanted else wanted.rpartition(".")
        reader = self.reader(thread)
        if not set(letters) <= set(COMPONENTS) or not (
            base in reader.variables or (base in reader.elsewhere and reader.register(base, None) is None)
        ):
            return ()
        size = self._variable_sizes.get(base, 0)
        whole = COMPONENTS[:size] if size > 1 else ""
        if not set(letters) <= set(whole):
            return ()
        return tuple([f"{base}.{letter}" for letter in letters or whole]) or (() if dot else (base,))

    @cached_property
    def _variable_sizes(self) -> Mapping[str, int]:
        """The number of components of all variables of the source by name."""
        found: dict[str, int] = {}
        for word in range(len(self.source_map)):
            for each in self.debuggee.inlined(word):
                found |= {variable.name: len(variable.components) for variable in each.variables}
        return found

    def places(self, thread: int, name: str, *, written: bool = True) -> tuple[str, ...]:
        """The places of a name, a register or a component (`position.y`, `r0`, `bones[2].xy`). Raises InputError.

        A name that an input and an output share is the output where it is about what is `written`, else the input.
        """
        wanted = name.strip()
        variable = self.variable_places(thread, wanted) if written else ()
        if variable:
            return variable
        if written:
            named = self.result_places(wanted)
            if named:
                return tuple(named)
        try:
            found = self.evaluate(thread, wanted).places
        except NoValue as error:
            if written:
                return error.places
            raise
        if not found:
            raise wrong("D001", f"'{wanted}' is not a register or component", "use a name such as position.y or r0")
        whole = [place.partition(".")[0] for place, _ in found] if "." not in wanted else []
        more = (
            [place for register in dict.fromkeys(whole) for place in self.reader(thread).unwritten(register)] if written else []
        )
        return (*[place for place, _ in found], *more)

    def result_places(self, name: str) -> list[str]:
        """The places of an output or a component of one, by its name or that of its register; they may hold nothing yet."""
        return [
            place
            for key, place in self.debuggee.results.items()
            if name in (key, place, key.rpartition(".")[0], place.rpartition(".")[0])
        ]

    def scopes(self, thread: int) -> tuple[Group, ...]:
        """The registers where a thread is: those that the last step has changed, the variables of a compiled source, then by
        kind."""
        position = self.stop(thread).step
        groups = (*self._variables(thread, position).groups, *self.recording(thread).at(position).groups())
        step = self.last_step(thread)
        names = {write.register for write in step.writes} if step is not None else set[str]()
        changed = {register.name: register for group in groups for register in group.registers if register.name in names}
        return (Group("changed", tuple(changed.values())), *groups)

    def touched(self, thread: int) -> tuple[Group, ...]:
        """The registers that the last step has changed, those that it read besides, and those that the next step reads: what to
        show where not all fit. Each is in the first of these groups only."""
        position = self.stop(thread).step
        groups = self.recording(thread).at(position).groups()
        registers = {register.name: register for group in groups for register in group.registers}
        changed = self.scopes(thread)[0]
        seen = {register.name for register in changed.registers}
        found = [changed]
        for name, step in (("read by it", self.last_step(thread)), ("read next", self.next_step(thread))):
            places = [
                place for part in ((*step.operands, *step.decisions) if step is not None else ()) for place in part.places
            ]
            names = dict.fromkeys([place.partition(".")[0] for place in places])
            found.append(Group(name, tuple([registers[each] for each in names if each in registers and each not in seen])))
            seen |= set(names)
        return tuple(found)

    def changes(self, thread: int) -> Sequence[Written]:
        """The places that the last step has written."""
        step = self.last_step(thread)
        return written(step) if step is not None else ()

    def explain(self, thread: int, name: str) -> Explanation:
        """Which steps have made a component that is held where a thread is, or that the next step is the first to write. Raises
        InputError."""
        try:
            places = self.places(thread, name)
        except InputError:
            last = computed(self, thread, name)
            if last is None or len(last.values) != 1:
                raise
            return explain(self.debuggee, self.recording(thread), last.step + 1, last.text, last.values[0][0])
        if len(places) > 1:
            parts = ", ".join([f"{name.strip()}.{letter}" for letter in COMPONENTS[: len(places)]])
            raise wrong("D001", f"'{name.strip()}' has several components", f"select one: {parts}")
        recording, position = self.recording(thread), self.stop(thread).step
        variables = self._variables(thread, position)
        if self.is_here(thread, name):
            held = variables.place_of(next(iter(places)))
            if held is None:
                raise wrong(
                    "D001",
                    f"'{name.strip()}' is not in a register here",
                    "explain it where an instruction has just computed it",
                )
            places = (held,)
        found = explain(self.debuggee, recording, position, name.strip(), next(iter(places)))
        following = self.next_step(thread) if not found.causes else None
        if following is not None and found.place in following.made:
            return explain(self.debuggee, recording, position + 1, name.strip(), found.place)
        return found

    def causes(self, thread: int, name: str, most: int = MOST_NODES) -> Causes:
        """The same as a graph of `most` nodes, the nearest ones. Raises InputError."""
        return causes(self, thread, self.explain(thread, name), most)

    def set(self, name: str, text: str) -> None:
        """Give an input of the selected thread, or a uniform of all, another value: an expression for each component. `again`
        uses it. Raises InputError."""
        thread = self.selected
        places = self.places(thread, name, written=False)
        numbers = [float(number) for part in text.split(",") for number in self.evaluate(thread, part).numbers]
        if len(numbers) not in (1, len(places)):
            raise wrong(
                "D001", f"{name} has {len(places)} components, given {len(numbers)} values", "give one value, or one for each"
            )
        values = dict(zip(places, numbers * (len(places) if len(numbers) == 1 else 1), strict=True))
        machine = self.recording(thread).at(0)
        kinds = {given.kind for place in places if (given := machine.given.get(place)) is not None}
        mine = self.changed_inputs.setdefault(thread, {}) if kinds == {"input"} else self.changed
        before = dict(mine)
        mine.update(values)
        try:
            self.debuggee.machine(thread, self._changes(thread))
        except InputError:
            mine.clear()
            mine.update(before)
            raise


__all__ = ["Values"]
