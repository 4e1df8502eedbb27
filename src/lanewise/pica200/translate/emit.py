"""A program as text: statements of `structure`, expressions of `expressions`, in a language of `languages`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.flow import answer, perform
from lanewise.pica200.sem.instruction import computes, resolve
from lanewise.pica200.translate.expressions import BOOLEANS, FLAGS, Machine, integers, loop_values, reads
from lanewise.pica200.translate.languages import BOOL, I32, bare
from lanewise.pica200.translate.names import Names, names_of
from lanewise.pica200.translate.nodes import Invoke
from lanewise.pica200.translate.printing import LETTERS, Printer, Variables, is_local
from lanewise.pica200.translate.structure import Again, Dispatcher, Do, GoTo, If, Leave, Loop, Once, Stop, Word, statements
from lanewise.pica200.translate.support import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lanewise.pica200.isa.program import Interface, Uniform
    from lanewise.pica200.sem.flow import Action, Question
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Result
    from lanewise.pica200.translate.expressions import Node
    from lanewise.pica200.translate.structure import Routine, Statement
    from lanewise.pica200.translate.support import Support

_NEEDS = ("s", "in", "u", "out", "send")


class Subject(Record):
    """A shader to translate: what its unit is given, its interface with the names that count, and the file's names.

    `comment` gives the text of a word, `label` the name of an address, or an empty text.
    """

    name: str
    words: Sequence[int]
    descriptors: Sequence[int]
    interface: Interface
    inputs: Sequence[Uniform]
    uniforms: Sequence[Uniform]
    comment: Callable[[int], str]
    label: Callable[[int], str]


class Body(Record):
    """A function as text, without its head.

    `local` are its variables with their types; `needs` says which it takes of `s`, the variables that functions share, `in`, `u`, `out` and
    `send`.
    """

    name: str
    address: int
    lines: tuple[str, ...]
    local: tuple[tuple[str, str], ...]
    needs: tuple[str, ...]


class Part(Record):
    """A shader as text, with what it uses. `registers` are the variables of the program with their types; its functions share them if `shared`."""

    name: str
    subject: Subject
    names: Names
    main: Body
    procedures: tuple[Body, ...]
    registers: tuple[tuple[str, str], ...]
    shared: bool
    structured: bool
    words: int

    @property
    def lines(self) -> list[str]:
        """The lines of all functions."""
        return [line for body in (*self.procedures, self.main) for line in body.lines]


def part_of(support: Support, subject: Subject) -> Part:
    """A shader as text. Raises RefusedError."""
    return _Writer(support, subject).part()


class _Effect(Record):
    """A variable that is set, or an empty name for what counts by itself, and the variables that are read for it."""

    sets: str
    reads: tuple[str, ...]


class _Writer:
    """The functions of one shader."""

    def __init__(self, support: Support, subject: Subject) -> None:
        self._support = support
        self._language = support.language
        self._profile = support.profile
        self._subject = subject
        self._machine = Machine(self._profile)
        self._geometry = subject.interface.geometry
        size = flow.memory_size(geometry=self._geometry)
        self._insts = [decode(word) for word in flow.code_memory(subject.words, self._profile, size)]
        reads_al = any(computes(inst) and inst.has("idx") and inst.field("idx") == 3 for inst in self._insts)
        found = statements(self._insts, subject.interface.entry, self._profile, reads_al=reads_al)
        if isinstance(found, BudgetExceeded):
            raise RefusedError(f"{subject.name}: {found.reason}")
        self._routines = [routine._replace(body=self._without_nops(routine.body)) for routine in found.routines]
        self._every = [[*_every(routine.body)] for routine in self._routines]
        self._results = self._computed()
        self._names = self._named()
        # In languages without structures the names of registers are those of variables too.
        self._members = set[str]() if self._language.members else {member.name for group in self._names for member in group}
        self._name = support.named(subject.name, self._members)
        self._here: frozenset[str] = frozenset()  # what something reads of the variables that a function sets
        self._result = False  # whether the function gives the number of a fault
        self._variables = Variables(self._language, shared=self._geometry or len(self._routines) > 1)
        self._printer = Printer(support, self._names, self._variables, geometry=self._geometry)
        self._done: list[Body] = []
        self._lines: list[str] = []
        self._commented = -1, ""  # the last word, with its comment
        self._words = 0

    def _without_nops(self, body: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements without the words that only move the program counter, and without branches over nothing."""
        found: list[Statement] = []
        for statement in body:
            match statement:
                case Word(address) if not computes(self._insts[address]) and not self._emitted(address):
                    pass
                case If(question, yes, no):
                    one, other = self._without_nops(yes), self._without_nops(no)
                    if one or other:
                        found.append(If(question, one, other))
                case Loop(inner):
                    found.append(Loop(self._without_nops(inner)))
                case Once(inner):
                    found.append(Once(self._without_nops(inner)))
                case Dispatcher(blocks):
                    found.append(Dispatcher(tuple([self._without_nops(block) for block in blocks])))
                case _:
                    found.append(statement)
        return tuple(found)

    def _emitted(self, address: int) -> Result[Node, Node, Node]:
        """What SETEMIT and EMIT of a geometry shader give; nothing for other words."""
        return self._machine.emitted(self._insts[address]) if self._geometry else {}

    def _computed(self) -> dict[int, tuple[ResolvedInst, Result[Node, Node, Node]]]:
        """By address the instructions with results."""
        found: dict[int, tuple[ResolvedInst, Result[Node, Node, Node]]] = {}
        for address in sorted({each.address for body in self._every for each in body if isinstance(each, Word)}):
            inst = self._insts[address]
            if computes(inst) and not self._emitted(address):
                number = inst.field("desc")
                if number >= len(self._subject.descriptors):
                    count = len(self._subject.descriptors)
                    has = f"the program has 0 to {count - 1}" if count else "the program has none"
                    raise RefusedError(
                        f"{self._subject.name}: word {address} uses operand descriptor {number}: {has}",
                        "" if count else "add --descriptors DESC",
                    )
                resolved = resolve(inst, operands(inst, self._subject.descriptors[number]), self._profile)
                found[address] = resolved, self._machine.result(resolved)
        return found

    def _named(self) -> Names:
        insts = [inst for inst, _ in self._results.values()]
        sources = {source.register for inst in insts for source in inst.sources}
        written = {
            inst.dest.register for inst, result in self._results.values() if inst.dest.register < TEMPORARY and "dst" in result
        }
        subject = self._subject
        used = {register for register in sources if register >= FLOAT}
        used |= {constant.register for constant in subject.interface.constants}
        used |= _uniforms_asked([each for body in self._every for each in body])
        read = [register for register in sources if register < TEMPORARY]
        return names_of(subject.interface, subject.inputs, subject.uniforms, read, written, frozenset(used), self._language)

    # Variables that something reads

    def _live(self) -> list[frozenset[str]]:
        """By function the variables that are read for what the shader gives or how it flows."""
        by_name: dict[str, set[str]] = {}
        for number in range(len(self._routines)):
            for name, read in self._effects(number):
                by_name.setdefault(name, set()).update(read)
        wanted: set[str] = set()
        waiting = [""]
        while waiting:
            found = by_name.get(waiting.pop(), set[str]()) - wanted
            wanted |= found
            waiting += found
        every = [name.partition("@") for name in wanted]
        return [
            frozenset([name for name, _, owner in every if owner in ("", str(number))]) for number in range(len(self._routines))
        ]

    def _effects(self, number: int) -> Iterator[_Effect]:
        """What the statements of a function set; its own variables have its number in their names."""

        def own(name: str) -> str:
            return f"{name}@{number}" if is_local(name) else name

        def effect(name: str, *nodes: Node) -> _Effect:
            return _Effect(own(name) if name else "", tuple([own(read) for node in nodes for read in reads(node)]))

        for statement in self._every[number]:
            match statement:
                case Word(address) if address in self._results:
                    inst, result = self._results[address]
                    for name, node in (*_flags(inst, result), *_indices(inst, result)):
                        yield effect(name, node)
                    if "dst" in result:
                        name = f"r{inst.dest.register - TEMPORARY}" if inst.dest.register >= TEMPORARY else ""
                        yield effect(name, *[result["dst"][channel] for channel in _channels(inst)])
                case If(question, _, _):
                    yield effect("", self._asked(question))
                case Do(actions):
                    for action in actions:
                        for name, node in self._changes(action):
                            yield effect(name, node)
                case _:
                    pass

    def _asked(self, question: Question) -> Node:
        return answer(self._machine.algebra, question, FLAGS, BOOLEANS, loop_values(8))

    def _changes(self, action: Action | Invoke) -> list[tuple[str, Node]]:
        """The variables that an action sets, with their values."""
        if isinstance(action, Invoke):
            return []
        slots = action.slot if isinstance(action, flow.Push) else 8
        before = loop_values(slots)
        after = perform(self._machine.algebra, [action], before, integers(), self._profile)
        found = [(f"n{n}", node) for n, node in enumerate(after.counters) if n >= slots or node != before.counters[n]]
        found += [(f"saved{n}", node) for n, node in enumerate(after.saved) if n >= slots or node != before.saved[n]]
        return [*found, ("aL", after.al)] if after.al != before.al else found

    # Functions

    def part(self) -> Part:
        live = self._live()
        for number, routine in enumerate(self._routines):
            main = number == len(self._routines) - 1
            name = self._name if main else self._procedure_name(routine)
            self._done.append(self._body(name, routine, live[number], main=main))
        return Part(
            self._name,
            self._subject,
            self._names,
            self._done[-1],
            tuple(self._done[:-1]),
            tuple(sorted(self._variables.registers.items(), key=lambda each: _order(each[0]))),
            self._variables.shared,
            all(routine.structured for routine in self._routines),
            self._words,
        )

    def _procedure_name(self, routine: Routine) -> str:
        label = self._subject.label(routine.address) or f"procedure_{routine.address}"
        return self._support.named(f"{self._name}_{label}", self._members)

    def _body(self, name: str, routine: Routine, live: frozenset[str], *, main: bool) -> Body:
        self._lines, self._commented = [], (-1, "")
        self._variables.begin()
        self._here, self._result = live, main and self._language.members
        self._block(routine.body, 1)
        needs = tuple([need for need in _NEEDS if need in self._variables.needs])
        return Body(name, routine.address, tuple(self._lines), tuple(self._variables.local.items()), needs)

    # Statements

    def _line(self, depth: int, text: str, comment: str = "") -> None:
        line = "    " * depth + text
        self._lines.append(f"{line:<56}  {self._language.comment(comment)}" if comment else line)

    def _block(self, body: Sequence[Statement], depth: int) -> None:
        for statement in body:
            self._statement(statement, depth)

    def _statement(self, statement: Statement, depth: int) -> None:
        match statement:
            case Word(address):
                self._word(address, depth)
            case Do(actions):
                for action in actions:
                    self._action(action, depth)
            case If(question, yes, no):
                self._if(question, yes, no, depth)
            case Loop(body):
                self._line(depth, self._language.loop)
                self._block(body, depth + 1)
                self._line(depth, "}")
            case Once(body):
                self._line(depth, self._language.once)
                self._block(body, depth + 1)
                if self._language.breaks_once and not (body and isinstance(body[-1], Leave)):
                    self._line(depth + 1, "break;")
                self._line(depth, self._language.once_end)
            case Leave():
                self._line(depth, "break;")
            case Again():
                self._line(depth, "continue;")
            case Stop(code):
                self._line(depth, f"return {int(code[1:]) if code else 0};" if self._result else "return;")
            case Dispatcher(blocks):
                self._dispatcher(blocks, depth)
            case GoTo(block):
                self._line(depth, f"block = {block};")

    def _if(self, question: Question, yes: Sequence[Statement], no: Sequence[Statement], depth: int, word: str = "if") -> None:
        condition = self._printer.truth(self._asked(question))
        match yes, no:
            case (GoTo(one),), (GoTo(other),):
                self._line(depth, f"block = {self._language.choice(condition, str(one), str(other))};")
                return
            case _:
                pass
        if not yes:
            condition, yes, no = self._printer.inverted(condition), no, ()
        conditions = [condition]
        while len(yes) == 1 and not no and isinstance(yes[0], If) and not (yes[0].yes and yes[0].no):
            inner = self._printer.truth(self._asked(yes[0].question))
            conditions.append(inner if yes[0].yes else self._printer.inverted(inner))
            yes = yes[0].yes or yes[0].no
        self._line(depth, f"{word} ({' && '.join(conditions) if len(conditions) > 1 else bare(condition)}) {{")
        self._block(yes, depth + 1)
        match no:
            case ():
                self._line(depth, "}")
            case (If(other, inner_yes, inner_no),):
                self._if(other, inner_yes, inner_no, depth, "} else if")
            case _:
                self._line(depth, "} else {")
                self._block(no, depth + 1)
                self._line(depth, "}")

    def _dispatcher(self, blocks: Sequence[Sequence[Statement]], depth: int) -> None:
        ends = self._language.cases_end
        self._variables.of("block", I32)
        self._line(depth, self._language.loop)
        self._line(depth + 1, "switch (block) {")
        for number, body in enumerate(blocks):
            last = number == len(blocks) - 1
            label = f"case {number}" if not last else "default"
            self._line(depth + 1, f"{label}: {{" if ends else f"{label}:")
            self._block(body, depth + 2)
            if ends:
                self._line(depth + 1, "}")
            elif not (body and isinstance(body[-1], Stop)):
                self._line(depth + 2, "break;")
        self._line(depth + 1, "}")
        self._line(depth, "}")

    def _action(self, action: Action | Invoke, depth: int) -> None:
        if isinstance(action, Invoke):
            self._call(action, depth)
        for name, node in self._changes(action):
            if name in self._here:
                self._line(depth, f"{self._variables.of(name, I32)} = {bare(self._printer.integer(node))};")

    def _call(self, action: Invoke, depth: int) -> None:
        body = self._done[action.procedure]
        for need in body.needs:
            self._variables.needing(need, "")
        self._line(
            depth, f"{body.name}({', '.join(self._language.passed(body.needs))});", self._subject.comment(action.address)
        )

    def _word(self, address: int, depth: int) -> None:
        comment = self._subject.comment(address)
        if (address - 1, comment) == self._commented:  # such as words of one line of GLSL
            self._commented, comment = (address, comment), ""
        else:
            self._commented = address, comment
        self._words += 1
        if address not in self._results:
            self._emission(self._emitted(address), depth, comment)
            return
        inst, result = self._results[address]
        lines = [
            f"{self._variables.of(name, BOOL)} = {bare(self._printer.truth(node))};"
            for name, node in _flags(inst, result)
            if name in self._here
        ]
        lines += self._set_indices([each for each in _indices(inst, result) if each[0] in self._here])
        if "dst" in result and inst.dest.mask:
            lines += self._destination(inst, result["dst"])
        for n, line in enumerate(lines):
            self._line(depth, line, comment if not n else "")

    def _set_indices(self, found: Sequence[tuple[str, Node]]) -> list[str]:
        texts = [(self._variables.of(name, I32), self._printer.integer(node), tuple(reads(node))) for name, node in found]
        if len(texts) == 2 and found[0][0] in texts[1][2]:  # the second reads what the first sets
            texts.reverse()
            if found[1][0] in texts[1][2]:
                later = self._variables.of("next", I32)
                (one, text, _), (other, its, _) = texts
                return [f"{later} = {bare(its)};", f"{one} = {bare(text)};", f"{other} = {later};"]
        return [f"{name} = {bare(text)};" for name, text, _ in texts]

    def _destination(self, inst: ResolvedInst, nodes: Sequence[Node]) -> list[str]:
        register = inst.dest.register
        if register >= TEMPORARY and f"r{register - TEMPORARY}" not in self._here:
            return []
        target = self._printer.temporary(register - TEMPORARY) if register >= TEMPORARY else self._printer.output(register)
        channels = _channels(inst)
        letters = "".join([LETTERS[n] for n in channels])
        if len(channels) == 1:
            return [f"{target}.{letters} = {bare(self._printer.scalar(nodes[channels[0]]))};"]
        value = self._printer.vector([nodes[n] if n in channels else None for n in range(4)])
        if len(channels) == 4:
            return [f"{target} = {bare(value)};"]
        self._support.setters.setdefault(letters)
        return [self._language.assign(target, letters, bare(value))]

    def _emission(self, result: Result[Node, Node, Node], depth: int, comment: str) -> None:
        needing = self._variables.needing
        if "setemit" in result:
            emission = result["setemit"]
            settings = (
                ("vertex", str(emission.vertex)),
                ("primitive", _bool(emission.primitive)),
                ("invert", _bool(emission.invert)),
            )
            for n, (name, value) in enumerate(settings):
                self._line(depth, f"{needing('s', self._language.state(name))} = {value};", comment if not n else "")
            return
        self._line(depth, needing("s", needing("send", self._language.emit(self._name))), comment)


def _channels(inst: ResolvedInst) -> list[int]:
    return [n for n in range(4) if inst.dest.mask & 8 >> n]


def _flags(inst: ResolvedInst, result: Result[Node, Node, Node]) -> list[tuple[str, Node]]:
    """The flags that an instruction sets, with their values."""
    if "cmp" not in result:
        return []
    rows = zip(("cmp_x", "cmp_y"), result["cmp"], inst.kept, strict=True)
    return [(name, node) for name, node, kept in rows if not kept]


def _indices(inst: ResolvedInst, result: Result[Node, Node, Node]) -> list[tuple[str, Node]]:
    """The index registers that an instruction sets, with their values."""
    if "a0" not in result:
        return []
    rows = zip(("a0_x", "a0_y"), result["a0"], (8, 4), strict=True)
    return [(name, node) for name, node, bit in rows if inst.dest.mask & bit]


def _order(name: str) -> tuple[int, int, str]:
    """Where a variable is declared: registers by their numbers before the others."""
    number = name[1:] if name.startswith("r") else ""
    return (0, int(number), "") if number else (1, 0, name)


def _every(body: Iterable[Statement]) -> Iterator[Statement]:
    """All statements, with those inside others."""
    for statement in body:
        yield statement
        match statement:
            case If(_, yes, no):
                yield from _every(yes)
                yield from _every(no)
            case Loop(inner) | Once(inner):
                yield from _every(inner)
            case Dispatcher(blocks):
                for block in blocks:
                    yield from _every(block)
            case _:
                pass


def _uniforms_asked(every: Sequence[Statement]) -> set[int]:
    """The boolean and integer uniforms that the flow reads."""
    found: set[int] = set()
    for statement in every:
        match statement:
            case If(flow.Boolean() as question, _, _):
                found.add(BOOLEAN + question.number)
            case Do(actions):
                found |= {
                    INTEGER + action.register
                    for action in actions
                    if isinstance(action, flow.Push | flow.StartAl | flow.StepAl)
                }
            case _:
                pass
    return found


def _bool(value: bool) -> str:
    return "true" if value else "false"
