"""A program as text: statements of `structure`, expressions of `expressions`, in a language of `languages`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.record import Record
from lanewise.pica200.isa.table import TEMPORARY
from lanewise.pica200.translate.computed import Computed, Subject, channels_of, flags_of, indices_of
from lanewise.pica200.translate.expressions import reads
from lanewise.pica200.translate.infinities import components_of, tests_of
from lanewise.pica200.translate.names import Names, names_of
from lanewise.pica200.translate.nodes import Invoke
from lanewise.pica200.translate.printing import LETTERS, CarefulPrinter, PlainPrinter, Printer, Variables
from lanewise.translating.languages import BOOL, I32
from lanewise.translating.operators import bare
from lanewise.translating.structure import Do, If, Stop, Word, every
from lanewise.translating.writing import Writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.sem.flow import Action, Question
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Result
    from lanewise.pica200.translate.infinities import Component, Tests
    from lanewise.pica200.translate.support import Support
    from lanewise.translating.nodes import Node
    from lanewise.translating.structure import Routine, Statement

_NEEDS = ("s", "in", "u", "out", "send")


class Body(Record):
    """A function as text, without its head."""

    name: str
    "Name in the language."
    address: int
    "First address."
    lines: tuple[str, ...]
    "Statements, indented by blocks."
    local: tuple[tuple[str, str], ...]
    "Its variables, each with its type."
    needs: tuple[str, ...]
    "Parameters: of `s`, the variables that functions share, `in`, `u`, `out` and `send`."


class Part(Record):
    """A shader as text, with all that it uses."""

    name: str
    "As in `Subject`."
    subject: Subject
    "The shader."
    names: Names
    "Members of its structures."
    main: Body
    "Function that starts at the entry."
    infinities: Body | None
    "Function that does a vertex again in which a product is NaN; none where each product is tested."
    procedures: tuple[Body, ...]
    "Functions that it calls."
    registers: tuple[tuple[str, str], ...]
    "Variables of the program, each with its type."
    shared: bool
    "The functions share `registers`, in a structure."
    structured: bool
    "Its flow is loops and branches, not numbered blocks."
    words: int
    "Number of words that are translated."
    straight: Body | None = None
    "Function without loops that says whether a vertex has to be done again, for the inner loop of a batch."

    @property
    def lines(self) -> list[str]:
        """The lines of all functions."""
        return [line for body in (*self.procedures, self.main) for line in body.lines]


def part_of(support: Support, subject: Subject) -> Part:
    """A shader as text. Raises RefusedError."""
    return _Writer(support, subject).part()


class _Writer(Writer):
    """The functions of one shader."""

    def __init__(self, support: Support, subject: Subject) -> None:
        super().__init__(support.language)
        self._support = support
        self._language = support.language
        self._subject = subject
        self._computed = Computed(subject, support.profile)
        self._geometry = subject.interface.geometry
        self._names = self._named()
        # In languages without structures the names of registers are those of variables too.
        self._members = set[str]() if self._language.members else {member.name for group in self._names for member in group}
        self._name = support.named(subject.name, self._members)
        self._here: frozenset[str] = frozenset()  # what something reads of the variables that a function sets
        self._variables = Variables(self._language, shared=self._geometry or len(self._computed.routines) > 1)
        self._printer = Printer(support, self._names, self._variables, geometry=self._geometry)
        self._done: list[Body] = []
        self._commented = -1, ""  # the last word, with its comment
        self._words = 0
        self._tests: Tests | None = None
        self._straight = False  # whether tests only say that a vertex has to be done again
        self._untested: list[Component] = []  # the components that are tested before the next statement that is not a word

    def _named(self) -> Names:
        subject, computed = self._subject, self._computed
        inputs = [register for register in computed.read() if register < TEMPORARY]
        # An index of a vertex reaches any float uniform, and a geometry shader gets vertices in them.
        whole = not self._support.tests or self._geometry or computed.indexes()
        return names_of(
            subject.interface,
            subject.inputs,
            subject.uniforms,
            inputs,
            computed.outputs(),
            frozenset(computed.uniforms()),
            self._language,
            whole=whole,
        )

    # Functions

    def part(self) -> Part:
        routines = self._computed.routines
        live = self._computed.live()
        tests = None
        if self._support.tests and not self._support.finite:
            tests = tests_of(self._computed, from_zero=self._support.profile.dot_order == "from-zero")
        if tests:
            self._printer = CarefulPrinter(self._support, self._names, self._variables, geometry=False)
        for number, routine in enumerate(routines):
            main = number == len(routines) - 1
            name = self._name if main else self._procedure_name(routine)
            self._done.append(self._body(name, routine, live[number], main=main))
        words, infinities = self._words, None
        if tests:
            infinities = self._done.pop()
            self._tests, self._printer = tests, PlainPrinter(self._support, self._names, self._variables, geometry=False)
            self._done.append(self._body(self._name, routines[-1], live[-1], main=True))
        straight = None
        if self._support.batch and (tests or self._support.finite) and _is_straight(routines):
            self._straight = True
            straight = self._body(f"{self._name}_straight", routines[-1], live[-1], main=True)
            if any(self._language.at("").rstrip(")") in line for line in straight.lines):
                straight = None  # an index of a vertex
        return Part(
            name=self._name,
            subject=self._subject,
            names=self._names,
            main=self._done[-1],
            infinities=infinities,
            procedures=tuple(self._done[:-1]),
            registers=tuple(sorted(self._variables.registers.items(), key=lambda each: _order(each[0]))),
            shared=self._variables.shared,
            structured=all(routine.structured for routine in routines),
            words=words,
            straight=straight,
        )

    def _procedure_name(self, routine: Routine) -> str:
        label = self._subject.label(routine.address) or f"procedure_{routine.address}"
        return self._support.named(f"{self._name}_{label}", self._members)

    def _body(self, name: str, routine: Routine, live: frozenset[str], *, main: bool) -> Body:
        self.lines, self._commented = [], (-1, "")
        self._variables.begin()
        self._here, self.result = live, main and self._language.members
        self.block(routine.body, 1)
        if not routine.body or not isinstance(routine.body[-1], Stop):
            self._ending(1)
        needs = tuple([need for need in _NEEDS if need in self._variables.needs])
        return Body(
            name=name, address=routine.address, lines=tuple(self.lines), local=tuple(self._variables.local.items()), needs=needs
        )

    # Tests for NaN

    def _ending(self, depth: int) -> None:
        """Lines before an end of the program."""
        if self._tests:
            self._untested += self._tests.ends
        if self._untested:
            self._test(depth)

    def _statement(self, statement: Statement, depth: int) -> None:
        if isinstance(statement, Stop):
            self._ending(depth)
        elif self._untested and not isinstance(statement, Word):
            self._test(depth)
        super()._statement(statement, depth)

    def _test(self, depth: int) -> None:
        """Lines that test components, two by two."""
        names = [self._component(each) for each in dict.fromkeys(self._untested)]
        self._untested = []
        tests = [self._language.has_nan(a, b) for a, b in zip(names[::2], [*names[1::2], names[-1]], strict=False)]
        if self._straight:
            self.line(depth, f"again |= {' | '.join(tests)};")
            return
        for first in range(0, len(tests), 2):
            self.line(depth, f"if ({' | '.join(tests[first : first + 2])}) {{")
            self.line(depth + 1, f"return {self._language.infinities(self._name)}(in, u, out);")
            self.line(depth, "}")
        self._variables.needs |= {"in", "u", "out"}

    def _component(self, component: Component) -> str:
        file, number, channel = component
        register = self._printer.temporary(number) if file == "r" else self._printer.output(number)
        return f"{register}.{LETTERS[channel]}"

    # Statements

    def block(self, body: Sequence[Statement], depth: int) -> None:
        super().block(body, depth)
        if self._untested and depth > 1:
            self._test(depth)

    def truth(self, question: object) -> str:
        return self._printer.truth(self._computed.asked(cast("Question", question)))

    def inverted(self, text: str) -> str:
        return self._printer.inverted(text)

    def numbered(self) -> None:
        self._variables.of("block", I32)

    def action(self, action: object, depth: int) -> None:
        if isinstance(action, Invoke):
            self._call(action, depth)
        for name, node in self._computed.changes(cast("Action | Invoke", action)):
            if name in self._here:
                self.line(depth, f"{self._variables.of(name, I32)} = {bare(self._printer.integer(node))};")

    def _call(self, action: Invoke, depth: int) -> None:
        body = self._done[action.procedure]
        for need in body.needs:
            self._variables.needing(need, "")
        self.line(depth, f"{body.name}({', '.join(self._language.passed(body.needs))});", self._subject.comment(action.address))

    def word(self, address: int, depth: int) -> None:
        comment = self._subject.comment(address)
        if (address - 1, comment) == self._commented:  # such as words of one line of GLSL
            self._commented, comment = (address, comment), ""
        else:
            self._commented = address, comment
        self._words += 1
        if address not in self._computed.results:
            self._emission(self._computed.emitted(address), depth, comment)
            return
        inst, result = self._computed.results[address]
        if isinstance(self._printer, PlainPrinter):
            self._printer.from_zero = bool(self._tests and address in self._tests.zeros)
        if any(component in self._untested for component in components_of(inst)):
            self._test(depth)
        lines = [
            f"{self._variables.of(name, BOOL)} = {bare(self._printer.truth(node))};"
            for name, node in flags_of(inst, result)
            if name in self._here
        ]
        lines += self._set_indices([each for each in indices_of(inst, result) if each[0] in self._here])
        if "dst" in result and inst.dest.mask:
            lines += self._destination(inst, result["dst"])
        for n, line in enumerate(lines):
            self.line(depth, line, comment if not n else "")
        if self._tests:
            self._untested += self._tests.after.get(address, ())

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
        channels = channels_of(inst)
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
                self.line(depth, f"{needing('s', self._language.state(name))} = {value};", comment if not n else "")
            return
        self.line(depth, needing("s", needing("send", self._language.emit(self._name))), comment)


def _is_straight(routines: Sequence[Routine]) -> bool:
    """Whether a program has neither calls nor loops, and ends at its end."""
    found = [*every(routines[0].body)]
    calls = any(isinstance(action, Invoke) for each in found if isinstance(each, Do) for action in each.actions)
    return len(routines) == 1 and not calls and all(isinstance(each, (Word, If, Do)) for each in found)


def _order(name: str) -> tuple[int, int, str]:
    """Where a variable is declared: registers by their numbers before the others."""
    number = name[1:] if name.startswith("r") else ""
    return (0, int(number), "") if number else (1, 0, name)


def _bool(value: bool) -> str:
    return "true" if value else "false"
