"""A value followed to its causes, across calls and loops, as a small graph: `Causes`.

A node is a step of the thread, with the components of it that count; for a source in GLSL, HLSL or Slang the expression that
instructions compute, or the statement where that is not certain. An operand that the compiler has computed is a node too. What
is done again and again in a loop is one node, besides its last two times. Leaves are what the run was given. Nodes beyond a
limit are one node that says how many they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.debugging import Folded
from lanewise.core.record import Record
from lanewise.debugger.forms import text as in_nine_digits
from lanewise.debugger.variables import number_as
from lanewise.graph.picture import Goto, Node, Picture, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from lanewise.core.debugging import Expression, Inlined, Machine
    from lanewise.core.source import Span
    from lanewise.core.trace import Given, Step, Value
    from lanewise.debugger.explaining import Cause as Made
    from lanewise.debugger.explaining import Explanation
    from lanewise.debugger.values import Values

MOST_NODES = 24
_LETTERS = "xyzw"
_SHOWN_AGAIN = 2  # the last times of an instruction that are nodes themselves, where there are more than one before
STEP, EXPRESSION, AGAIN, UNSET, MORE, CONSTANT = "step", "expression", "again", "unset", "more", "constant"


class Cause(Record):
    """A node of the graph."""

    kind: str
    "`step`, `expression`, `again` (earlier times of one), `unset`, `more`, or the kind of what was given, such as `input`."
    text: str
    "The instruction, the expression or statement of the source, or the name of what was given."
    values: tuple[tuple[str, Value | None], ...]
    "The places that count, by their names in the source, with their values there; `text` stands for that of an expression."
    place: str
    "The first of these places, as the instruction set calls it: `explain` and `causes` take it in front of the next step."
    steps: tuple[int, ...]
    "The numbers of the steps, ascending; none for what was given."
    register: str
    "The places that count, for a value without a name in the source: `r0.xy`; empty where it has one."
    address: int
    "The address of the last of them; -1 for none."
    span: Span | None
    "Its place in the source."
    where: str
    "Routines and iterations of loops that it is in; empty for the outermost routine."
    sources: tuple[int, ...]
    "The numbers of the nodes that it was computed from."

    @property
    def name(self) -> str:
        """The values as text: `light = 0.5, r1.xy = 2, 3`."""
        return self.named(in_nine_digits)

    def named(self, spelled: Callable[[float], str]) -> str:
        """The values as text, where `spelled` writes a number."""
        if not self.is_named or self.kind == CONSTANT:
            return f"{self.text} = {self.numbers(spelled)}"
        groups: dict[str, list[tuple[str, str]]] = {}
        for name, value in self.values:
            base, dot, letter = name.rpartition(".")
            shown = _shown(value, spelled)
            groups.setdefault(f"{base}{dot}" if dot and letter in _LETTERS else name, []).append((letter if dot else "", shown))
        texts: list[str] = []
        for base, found in groups.items():
            parts = sorted(dict(found).items(), key=lambda part: _LETTERS.find(part[0]))
            letters = "".join([letter for letter, _ in parts]) if base.endswith(".") else ""
            texts.append(f"{base}{letters} = {', '.join([shown for _, shown in parts])}")
        return "; ".join(texts)

    def numbers(self, spelled: Callable[[float], str]) -> str:
        """The values as text, without names."""
        return ", ".join([_shown(value, spelled) for _, value in self.values])

    @property
    def heading(self) -> str:
        """Where it is: `step 18, light.vert:32, in main`."""
        if self.address < 0:
            return "" if self.kind == MORE else "never written" if self.kind == UNSET else self.kind
        times = f"{len(self.steps)} times, steps {self.steps[0]} to {self.steps[-1]}"
        steps = times if self.kind == AGAIN else f"step {self.steps[-1]}"
        place = "" if self.is_named else self.register
        return ", ".join(filter(None, [place, steps, str(self.span) if self.span is not None else "", self.where]))

    @property
    def is_named(self) -> bool:
        """Whether the values have names of their own, or there are none; else they are those of the expression."""
        return all(name != self.text for name, _ in self.values) or self.address < 0


class Causes(Record):
    """A graph of causes. The node of the value is the last; a node comes after those that it was computed from, but for what is
    done again and again."""

    name: str
    "The place as the user wrote it."
    nodes: tuple[Cause, ...]

    def picture(self, title: str = "", spelled: Callable[[float], str] = in_nine_digits) -> Picture:
        """The graph for the printers of `lanewise.graph`; `spelled` writes a number."""
        leaving: list[list[Goto]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            for source in node.sources:
                leaving[source].append(Goto(target=number))
        nodes = tuple(
            [
                Node(
                    heading=node.heading,
                    rows=(Row(address=node.address, text=node.text),) if node.address >= 0 else (),
                    leaving=tuple(edges),
                    name=(node.named(spelled) if node.is_named else f"= {node.numbers(spelled)}") or node.text,
                )
                for node, edges in zip(self.nodes, leaving, strict=True)
            ]
        )
        return Picture(nodes, title=title or f"causes of {self.name}", entry=None, noun="cause", decimal=True)

    def text(self) -> str:
        """A tree, from the value to what it depends on; what was there already is not unfolded again."""
        return "\n".join(self._lines(len(self.nodes) - 1, 0, set()))

    def _lines(self, number: int, depth: int, seen: set[int]) -> Iterator[str]:
        pending = [(number, depth)]
        while pending:
            at, deep = pending.pop()
            node = self.nodes[at]
            heading = f" ({node.heading})" if node.heading else ""
            again = " ..." if at in seen and node.sources else ""
            text = "" if not node.is_named else f": {node.text}" if node.address >= 0 else "" if node.values else node.text
            yield f"{'  ' * deep}{node.name}{heading}{text}{again}"
            if at not in seen:
                seen.add(at)
                pending += [(source, deep + 1) for source in reversed(node.sources)]

    def to_json(self) -> dict[str, object]:
        """The graph as plain values."""
        return {"name": self.name, "nodes": [_plain(node) for node in self.nodes]}


def _shown(value: Value | None, spelled: Callable[[float], str]) -> str:
    return spelled(value.number) if value is not None else "?"


def _plain(node: Cause) -> dict[str, object]:
    from lanewise.core.plain import plain_number

    return {
        "kind": node.kind,
        "text": node.text,
        "heading": node.heading,
        "values": [
            {"name": name, "value": None if value is None else plain_number(value.number), "bits": value and value.bits}
            for name, value in node.values
        ],
        "place": node.place,
        "steps": [*node.steps],
        "address": node.address,
        "file": node.span.file if node.span is not None else "",
        "line": node.span.line if node.span is not None else 0,
        "column": node.span.column if node.span is not None else 0,
        "length": node.span.length if node.span is not None and node.span.column else 0,
        "where": node.where,
        "sources": [*node.sources],
    }


def causes(session: Values, thread: int, found: Explanation, most: int = MOST_NODES) -> Causes:
    """The graph of an explanation."""
    return _Builder(session, thread, found).graph(most)


def expression_of(session: Values, address: int) -> Expression | None:
    """The expression of the source that an instruction computes, where that is known."""
    active = session.debuggee.inlined(address)
    return active[0].expression if active else None


def place_of(session: Values, step: Step) -> Span | None:
    """The place of a step; that of its expression where it is known."""
    own = step.span
    is_part = own is not None and own.column and expression_of(session, step.address) is not None
    return own if is_part else session.span(step.address)


class _Builder:
    def __init__(self, session: Values, thread: int, found: Explanation) -> None:
        self._session, self._thread, self._found = session, thread, found
        self._made = found.causes
        self._given: Mapping[str, Given] = dict(found.given)
        self._writers: dict[str, list[int]] = {}  # causes that made a place, in order
        for number, cause in enumerate(self._made):
            for place in cause.places:
                self._writers.setdefault(place, []).append(number)
        self._folded: set[Hashable] = set()
        self._keys = self._grouped()
        self._members: dict[Hashable, list[int]] = {}
        for number, key in enumerate(self._keys):
            self._members.setdefault(key, []).append(number)
        self._held: dict[Hashable, dict[tuple[int, str], None]] = {}  # the places of groups that others read, by cause

    def graph(self, most: int) -> Causes:
        root = self._key_of(self._found.place, len(self._made))
        if isinstance(root, int):
            self._held.setdefault(self._keys[root], {})[root, self._found.place] = None
            root = self._keys[root]
        else:
            root = self._leaf(self._found.place)
        # The nearest first, until there are too many.
        order: dict[Hashable, list[Hashable]] = {}
        pending: list[Hashable] = [root]
        hidden: dict[Hashable, None] = {}
        for key in pending:
            if key in order:
                continue
            if len(order) >= most:
                hidden[key] = None
                continue
            order[key] = self._sources(key)
            pending += order[key]
        keys = sorted(order, key=self._last)
        numbers = {key: number + bool(hidden) for number, key in enumerate(keys)}
        nodes = [self._node(key, [*dict.fromkeys([numbers.get(source, 0) for source in order[key]])]) for key in keys]
        return Causes(name=self._found.name, nodes=(*([self._more(hidden)] if hidden else []), *nodes))

    def _key_of(self, place: str, before: int) -> Hashable:
        """The number of the cause that made what a place holds in front of a cause; the place where none did."""
        return next((number for number in reversed(self._writers.get(place, ())) if number < before), place)

    def _last(self, key: Hashable) -> tuple[int, int]:
        """The order of nodes: what was given first, the value last."""
        return (1, self._members[key][-1]) if key in self._members else (0, 0)

    def _sources(self, key: Hashable) -> list[Hashable]:
        """The groups and leaves that a group reads."""
        found: dict[Hashable, None] = {}
        for number in reversed(self._members.get(key, ())):
            cause = self._made[number]
            for place in cause.places:
                for source in cause.step.made.get(place, ()):
                    maker = self._key_of(source, number)
                    if isinstance(maker, int):
                        group = self._keys[maker]
                        if group != key:
                            self._held.setdefault(group, {})[maker, source] = None
                            found[group] = None
                    elif not (self._is_expression(cause) and self._kind(source) == "constant"):
                        found[self._leaf(source)] = None
        expression = self._expression(self._made[self._members[key][-1]]) if key in self._members else None
        for folded in expression.folded if expression is not None else ():
            found[CONSTANT, folded] = None
        return [*found]

    def _leaf(self, place: str) -> Hashable:
        """The node of the register of a place that no step has made."""
        leaf = self._kind(place), place.partition(".")[0]
        self._held.setdefault(leaf, {})[-1, place] = None
        return leaf

    def _kind(self, place: str) -> str:
        given = self._given.get(place)
        return UNSET if given is None else given.kind

    # Groups

    def _grouped(self) -> list[Hashable]:
        """The group of each cause: its statement in this call and iteration, or itself; earlier times of one are one."""
        bases = [self._base(cause) for cause in self._made]
        keys = [(base, self._turn(cause)) for base, cause in zip(bases, self._made, strict=True)]
        turns: dict[Hashable, list[Hashable]] = {}
        for base, key in zip(bases, keys, strict=True):
            mine = turns.setdefault(base, [])
            if key not in mine[-1:]:
                mine.append(key)
        folded: set[Hashable] = {key for mine in turns.values() if len(mine) > _SHOWN_AGAIN + 1 for key in mine[:-_SHOWN_AGAIN]}
        found: list[Hashable] = [(AGAIN, base) if key in folded else key for base, key in zip(bases, keys, strict=True)]
        self._folded = {mine for mine, key in zip(found, keys, strict=True) if key in folded}
        return found

    def _base(self, cause: Made) -> Hashable:
        address = cause.step.address
        if not self._is_expression(cause):
            return address
        span = self._span(cause)
        assert span is not None
        calls = [(each.function, each.call) for each in self._inlined(cause)]
        return (span.file, span.line, span.column, span.length, self._expression(cause), *calls)

    def _span(self, cause: Made) -> Span | None:
        return place_of(self._session, cause.step)

    def _expression(self, cause: Made) -> Expression | None:
        return expression_of(self._session, cause.step.address)

    def _turn(self, cause: Made) -> Hashable:
        """The difference between two times of the same statement or instruction: the iterations of its loops, or the step."""
        if not self._is_expression(cause):
            return cause.step.number
        return tuple([(loop.first, loop.iteration) for loop in self._at(cause).loops()])

    def _at(self, cause: Made) -> Machine:
        return self._session.recording(self._thread).at(cause.step.number)

    def _where(self, cause: Made) -> str:
        """The routine, unless it is the outermost, and the iterations of loops."""
        machine = self._at(cause)
        names = [each.function for each in self._inlined(cause)] or [frame.name for frame in machine.frames()]
        loops = [f"{loop.name} iteration {loop.iteration}" for loop in reversed(machine.loops())]
        own = [f"in {name}" for name in names[:1] if name != names[-1]]  # HLSL has a `main` that calls the one of the source
        return ", ".join([*own, *loops])

    def _is_expression(self, cause: Made) -> bool:
        """Whether an instruction is of a compiled source whose text is known."""
        span = self._session.span(cause.step.address)
        return span is not None and bool(span.text.strip()) and bool(self._inlined(cause))

    def _inlined(self, cause: Made) -> Sequence[Inlined]:
        return self._session.debuggee.inlined(cause.step.address)

    # Nodes

    def _node(self, key: Hashable, sources: list[int]) -> Cause:
        held = self._held.get(key, {})
        members = self._members.get(key)
        if members is None and isinstance(key, tuple) and isinstance(key[1], Folded):
            folded = key[1]
            values = tuple([(folded.text, number_as(number, self._session.debuggee.format)) for number in folded.numbers])
            return _leaf_node(CONSTANT, folded.text, values, "")
        if members is None:
            places = [place for _, place in held]
            kind, register = self._kind(places[0]), places[0].partition(".")[0]
            given = self._given.get(places[0])
            named = given.name if given is not None and given.name else register
            values = tuple(
                [
                    (f"{named}{place.removeprefix(register)}", self._given[place].value if place in self._given else None)
                    for place in places
                ]
            )
            return _leaf_node(kind, named, values, places[0])
        last = self._made[members[-1]]
        span = self._span(last) or last.step.span
        is_expression = self._is_expression(last)
        again = key in self._folded
        newest = max([number for number, _ in held], default=members[-1])
        shown = [(number, place) for number, place in held if not again or number == newest]
        names = [self._named(number, place) for number, place in shown]
        expression = self._expression(last)
        text = statement(span) if is_expression and span is not None else last.step.instruction
        register = ""
        if expression is not None:
            text = expression.text
            if names and names == [place for _, place in shown]:
                shown.sort(key=lambda each: each[1])
                register = _together([place for _, place in shown])
                names = [text] * len(shown)
        return Cause(
            kind=AGAIN if again else EXPRESSION if is_expression else STEP,
            text=text,
            values=tuple([(name, self._value(number, place)) for name, (number, place) in zip(names, shown, strict=True)]),
            place=shown[0][1] if shown else "",
            steps=tuple(sorted({self._made[number].step.number for number in members})),
            register=register,
            address=last.step.address,
            span=span,
            where=self._where(last),
            sources=tuple(sources),
        )

    def _more(self, hidden: Mapping[Hashable, None]) -> Cause:
        """The node for what is beyond the limit; its step is the nearest."""
        steps = sorted({self._made[number].step.number for key in hidden for number in self._members.get(key, ())})
        count = len(hidden)
        return _leaf_node(MORE, f"{count} more, which explain lists", (), "")._replace(steps=tuple(steps[-1:]))

    def _value(self, number: int, place: str) -> Value | None:
        step = self._made[number].step
        pairs = [pair for write in step.writes for pair in zip(write.places, write.new, strict=True)]
        return next((value for name, value in reversed(pairs) if name == place), None)

    def _is_return(self, number: int) -> bool:
        expression = self._expression(self._made[number])
        if expression is not None:
            return expression.is_result
        span = self._session.span(self._made[number].step.address)
        return span is not None and statement(span).startswith("return")

    def _named(self, number: int, place: str) -> str:
        """The variable of the source that a step gives its value, or the output; else the place."""
        debuggee, step = self._session.debuggee, self._made[number].step
        results = {where: name for name, where in reversed([*debuggee.results.items()])}
        if place == self._found.place and place in results and number == self._key_of(place, len(self._made)):
            return results[place]
        recording = self._session.recording(self._thread)
        after = step.number + 1
        here = debuggee.inlined(step.address)
        if here and self._is_return(number):
            return f"{here[0].function}()"
        active = debuggee.inlined(recording.addresses[after]) if recording.extend(after + 1) else ()
        own = [frame for frame in active if here and frame.function == here[0].function]  # rather than a parameter of a call
        for variable in [each for frame in (*own, *active[:1]) for each in frame.variables]:
            if place in variable.components:
                letter = "xyzw"[variable.components.index(place)] if len(variable.components) > 1 else ""
                return f"{variable.name}.{letter}" if letter else variable.name
        return results.get(place, place)


def _leaf_node(kind: str, text: str, values: tuple[tuple[str, Value | None], ...], place: str) -> Cause:
    """A node that no step of the thread is."""
    return Cause(
        kind=kind,
        text=text,
        values=values,
        place=place,
        steps=(),
        register="",
        address=-1,
        span=None,
        where="",
        sources=(),
    )


def _together(places: Sequence[str]) -> str:
    """Places in short: `r0.xy`."""
    letters: dict[str, list[str]] = {}
    for place in places:
        register, _, letter = place.partition(".")
        letters.setdefault(register, []).append(letter)
    return ", ".join(
        [f"{register}.{''.join(sorted(each, key=_LETTERS.find))}".rstrip(".") for register, each in letters.items()]
    )


def statement(span: Span) -> str:
    """The text of the source at a place: from its column on where that is known, without what only ends it."""
    text = span.text[span.column - 1 :] if span.column > 1 else span.text
    return text.partition("//")[0].strip().rstrip(";{").strip() or span.text.strip()


__all__ = ["MOST_NODES", "Cause", "Causes", "causes", "expression_of", "place_of", "statement"]
