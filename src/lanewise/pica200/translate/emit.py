"""A program as text: statements of `structure`, expressions of `expressions`, in a language of `languages`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.numbers.binary import dot_in_order
from lanewise.core.record import Record
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.components import flags_used
from lanewise.pica200.sem.flow import LoopValues, answer, perform
from lanewise.pica200.sem.instruction import computes, resolve
from lanewise.pica200.sem.numbers import number_rule, rules_of
from lanewise.pica200.translate import float24, float32
from lanewise.pica200.translate.expressions import AL, BOOLEANS, COMPARISONS, FLAGS, Machine, integers
from lanewise.pica200.translate.functions import Library
from lanewise.pica200.translate.languages import BOOL, I32, NUMBER, VECTOR, bare
from lanewise.pica200.translate.names import Names, identifier, names_of
from lanewise.pica200.translate.structure import Again, Dispatcher, Do, GoTo, If, Leave, Loop, Once, Stop, Word, statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lanewise.pica200.isa.program import Interface, Uniform
    from lanewise.pica200.sem.flow import Action, Question
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Result
    from lanewise.pica200.sem.profile import Profile
    from lanewise.pica200.translate.expressions import Node
    from lanewise.pica200.translate.languages import Language
    from lanewise.pica200.translate.structure import Statement

LETTERS = "xyzw"
# Choices of profiles that a translation has no code for: the field, its other values, and the value to choose instead.
_REFUSED = {
    "index_wrap": "uniforms",
    "index_files": "ignored",
    "mad_rounding": "twice",
}
_EXACT_ONLY = {"precision": "exact"}
_FLOAT_ONLY = {
    "precision": "float32",
    "subnormal_arithmetic": "keep",
    "subnormal_floor": "keep",
    "negative_zero": "ieee",
    "nan_pattern": "kept",
}


# Operations that have a form for vectors.
_WIDE = frozenset(("add", "mul", "mad", "negate", "flush", "larger", "smaller", "floor", "at_least", "at_most"))


class Subject(Record):
    """A shader to translate: what its unit is given, its interface with the names that count, and the text of each word for comments."""

    name: str
    words: Sequence[int]
    descriptors: Sequence[int]
    interface: Interface
    inputs: Sequence[Uniform]
    uniforms: Sequence[Uniform]
    comment: Callable[[int], str]


class RefusedError(Exception):
    """The program or the profile has no translation; the text is the reason."""

    def __init__(self, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.fix = fix


class Part(Record):
    """A shader as text, with what it uses."""

    name: str
    subject: Subject
    names: Names
    lines: tuple[str, ...]
    registers: tuple[int, ...]
    state: tuple[tuple[str, str], ...]
    structured: bool
    words: int
    stops: frozenset[str]


class Translator:
    """The text of shaders in a language under a profile. Raises RefusedError for a profile that has none."""

    def __init__(self, language: Language, profile: Profile) -> None:
        self.language = language
        self.profile = profile
        refuse(profile, exact=language.exact)
        self.rule = number_rule(profile)
        module = float24 if language.exact else float32
        rules = rules_of(
            profile,
            nearest=profile.rounding != "zero",
            largest_on_overflow=language.exact and profile.overflow == "largest",
        )
        chosen = float24.choices(rules, profile.litp_nan, profile.litp_flags, profile.mova_fraction, profile.mova_range)
        self.library = Library(module, chosen)
        # What shaders use, in the order of first use.
        self.functions: dict[str, None] = {}
        self.vectors: dict[str, int] = {}
        self.dots: dict[str, None] = {}
        self.sets: dict[str, None] = {}
        self.swizzles: dict[str, None] = {}
        self.setters: dict[str, None] = {}
        self.constants: dict[float, None] = {}
        self.helpers: dict[str, None] = {}
        self._taken: set[str] = set()

    def named(self, name: str) -> str:
        """The name of a shader as an identifier, each once."""
        return identifier(name, self.language, self._taken)

    def part(self, subject: Subject) -> Part:
        """A shader. Raises RefusedError."""
        return _Writer(self, subject).part()

    # The functions that are used, as text

    def support(self) -> list[str]:
        """Everything that the parts need, each after what it needs."""
        language = self.language
        for name in self.dots:
            self._dot(int(name[3:]))
        for name in self.sets:
            self.functions.setdefault(name.removeprefix("set_"))
        for name in self.vectors:
            if name.startswith("set_"):
                self.functions.setdefault(name.removeprefix("set_"))
                self.sets.setdefault(name)
            else:
                self.functions.setdefault(name)
        used = self.library.used(self.functions)
        blocks: list[list[str]] = []
        if self.sets or "at" in self.helpers or "point" in self.helpers:
            self.constants.update({1.0: None, 0.0: None})
        if self.language.exact:
            declared = [language.declared_constant(value, self.rule.constant(value)) for value in sorted(self.constants)]
            if declared:
                blocks.append(declared)
        for name, values in self.library.tables(used).items():
            blocks.append(
                [language.comment("log2(1 + 2**-k) for k = 1 to 60 in steps of 2**-62"), *language.table(name, values)]
                if name.endswith("HIGH")
                else language.table(name, values)
            )
        blocks.extend([self.library.text(name, language) for name in used])
        for name in self.sets:
            own = name.removeprefix("set_")
            condition = self._comparison(own, "a", "b")
            value = language.choice(condition, self.constant(1.0), self.constant(0.0))
            blocks.append(
                [f"{language.function(name, [('a', NUMBER), ('b', NUMBER)], NUMBER)} {{", f"    return {value};", "}"]
            )
        if language.constructor():
            blocks.append(language.constructor())
        blocks.extend([self._vector(name, count) for name, count in self.vectors.items()])
        blocks.extend([self._dot(int(name[3:])) for name in self.dots])
        if "point" in self.helpers:
            parts = ["a.x", "a.y", "a.z", self.constant(1.0)]
            blocks.append(
                [f"{language.function('point', [('a', VECTOR)], VECTOR)} {{", f"    return {language.construct(parts)};", "}"]
            )
        if "splat" in self.helpers and language.members:
            head = language.function("splat", [("a", NUMBER)], VECTOR)
            blocks.append([f"{head} {{", f"    return {language.construct(['a'] * 4)};", "}"])
        blocks.extend([language.swizzle_function(letters) for letters in self.swizzles])
        blocks.extend([language.setter(letters) for letters in self.setters])
        if "offset" in self.helpers:
            value = language.choice("a < -128 || a > 127", "0", "a")
            blocks.append([
                language.comment("An index register as it counts: values out of range are 0."),
                f"{language.function('offset', [('a', I32)], I32)} {{", f"    return {value};", "}",
            ])  # fmt: skip
        if "at" in self.helpers:
            blocks.append(language.reader(self.constant(1.0)))
        return [line for block in blocks if block for line in ("", *block)]

    def constant(self, value: float) -> str:
        self.constants.setdefault(abs(value) if value == 0 else value)
        return self.language.constant(abs(value) if value == 0 else value)

    def call(self, name: str, *texts: str) -> str:
        """A function of numbers."""
        if name.startswith("set_"):
            self.sets.setdefault(name)
            self.functions.setdefault(name.removeprefix("set_"))
        else:
            if not self.language.exact and name in ("add", "negate"):
                return self._native(name, *texts)
            self.functions.setdefault(name)
        return f"{self.language.prefix}{name}({', '.join(map(bare, texts))})"

    def _native(self, name: str, *texts: str) -> str:
        return f"(-{texts[0]})" if name == "negate" else f"({texts[0]} + {texts[1]})"

    def _comparison(self, name: str, a: str, b: str) -> str:
        signs = {"eq": "==", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
        if self.language.exact or name not in signs:
            self.functions.setdefault(name)
            return f"{self.language.prefix}{name}({bare(a)}, {bare(b)})"
        return f"({a} {signs[name]} {b})"

    comparison = _comparison

    def _vector(self, name: str, count: int) -> list[str]:
        language = self.language
        letters = "abc"[:count]
        parts = [bare(self.call(name, *[f"{letter}.{channel}" for letter in letters])) for channel in LETTERS]
        head = language.function(f"{name}4", [(letter, VECTOR) for letter in letters], VECTOR)
        return [f"{head} {{", f"    return {language.construct(parts)};", "}"]

    def _dot(self, count: int) -> list[str]:
        texts = _Sum(self)
        sides = [[f"{letter}.{channel}" for channel in LETTERS[:count]] for letter in "ab"]
        total = dot_in_order(texts, self.profile.dot_order, *sides)
        head = self.language.function(f"dot{count}", [("a", VECTOR), ("b", VECTOR)], NUMBER)
        return [f"{head} {{", f"    return {bare(total)};", "}"]


class _Sum:
    """The operations of a dot product on texts."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator

    def constant(self, value: float) -> str:
        return self._translator.constant(value)

    def add(self, a: str, b: str) -> str:
        return self._translator.call("add", a, b)

    def mul(self, a: str, b: str) -> str:
        return self._translator.call("mul", a, b)


def refuse(profile: Profile, *, exact: bool) -> None:
    """Raise RefusedError for a profile that the number mode does not have."""
    if exact == (profile.rounding == "float32"):
        mode, other = ("float24", "float") if exact else ("float", "float24")
        raise RefusedError(
            f"profile '{profile.describe()}' computes in {'float32' if exact else 'float24'}, not in {mode}",
            f"use --numbers {other}, or a profile whose rounding is {'zero or nearest' if exact else 'float32'}",
        )
    for field, value in {**_REFUSED, **(_EXACT_ONLY if exact else _FLOAT_ONLY)}.items():
        found = getattr(profile, field)
        if found != value:
            raise RefusedError(f"{field}={found} has no translation", f"use --set {field}={value}")
    if profile.dot_order == "once":
        raise RefusedError("dot_order=once has no translation", "use --set dot_order=left")


class _Writer:
    """The body of one shader."""

    def __init__(self, translator: Translator, subject: Subject) -> None:
        self._t = translator
        self._l = translator.language
        self._profile = translator.profile
        self._subject = subject
        self._machine = Machine(self._profile)
        self._geometry = subject.interface.geometry
        size = flow.memory_size(geometry=self._geometry)
        self._insts = [decode(word) for word in flow.code_memory(subject.words, self._profile, size)]
        found = statements(self._insts, subject.interface.entry, self._profile)
        if isinstance(found, BudgetExceeded):
            raise RefusedError(f"{subject.name}: {found.reason}")
        self._statements = found
        self._addresses = _addresses(found)
        self._resolved: dict[int, ResolvedInst] = {}
        for address in self._addresses:
            self._resolve(address)
        self._names = self._named()
        self._name = translator.named(subject.name)
        self._registers: set[int] = set()
        self._state: dict[str, str] = {}  # names of variables with their types
        self._stops: set[str] = set()
        self._reads_al = any(
            source.relative == 3 for inst in self._resolved.values() for source in inst.sources if source.register >= FLOAT
        )
        self._restores = _restores(found)
        self._flags = {f"cmp_{LETTERS[each.channel]}" for question in _questions(found) for each in flags_used(question)}
        self._lines: list[str] = []
        self._words = 0

    def _resolve(self, address: int) -> None:
        inst = self._insts[address]
        if computes(inst) and address not in self._resolved:
            number = inst.field("desc")
            if number >= len(self._subject.descriptors):
                raise RefusedError(
                    f"{self._subject.name}: word {address} has operand descriptor {number}, of {len(self._subject.descriptors)}"
                )
            self._resolved[address] = resolve(inst, operands(inst, self._subject.descriptors[number]), self._profile)

    def _named(self) -> Names:
        read = {source.register for inst in self._resolved.values() for source in inst.sources if source.register < TEMPORARY}
        written = {
            inst.dest.register
            for inst in self._resolved.values()
            if inst.dest.register < TEMPORARY and "dst" in self._machine.result(inst)
        }
        subject = self._subject
        used = {source.register for inst in self._resolved.values() for source in inst.sources if source.register >= FLOAT}
        used |= {constant.register for constant in subject.interface.constants}
        used |= _uniforms_asked(self._statements)
        return names_of(subject.interface, subject.inputs, subject.uniforms, read, written, frozenset(used), self._l)

    def part(self) -> Part:
        self._block(self._statements, 1)
        return Part(
            self._name,
            self._subject,
            self._names,
            tuple(self._lines),
            tuple(sorted(self._registers)),
            tuple(self._state.items()),
            not any(isinstance(each, Dispatcher) for each in self._statements),
            self._words,
            frozenset(self._stops),
        )

    # Statements

    def _line(self, depth: int, text: str, comment: str = "") -> None:
        line = "    " * depth + text
        self._lines.append(f"{line:<56}  {self._l.comment(comment)}" if comment else line)

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
                condition = self._question(question)
                if not yes:
                    condition, yes, no = self._inverted(condition), no, ()
                self._line(depth, f"if ({bare(condition)}) {{")
                self._block(yes, depth + 1)
                if no:
                    self._line(depth, "} else {")
                    self._block(no, depth + 1)
                self._line(depth, "}")
            case Loop(body):
                self._line(depth, "for (;;) {" if self._l.row.name != "wgsl" else "loop {")
                self._block(body, depth + 1)
                self._line(depth, "}")
            case Once(body):
                self._line(depth, "do {" if self._l.row.name != "wgsl" else "loop {")
                self._block(body, depth + 1)
                if self._l.row.name != "wgsl":
                    self._line(depth, "} while (false);")
                else:
                    if not (body and isinstance(body[-1], Leave)):
                        self._line(depth + 1, "break;")
                    self._line(depth, "}")
            case Leave():
                self._line(depth, "break;")
            case Again():
                self._line(depth, "continue;")
            case Stop(code):
                self._stop(code, depth)
            case Dispatcher(blocks):
                self._dispatcher(blocks, depth)
            case GoTo(block):
                self._line(depth, f"block = {block};")

    def _stop(self, code: str, depth: int) -> None:
        self._stops.add(code)
        result = f" {int(code[1:]) if code else 0}" if self._l.members else ""
        self._line(depth, f"return{result};")

    def _dispatcher(self, blocks: Sequence[Sequence[Statement]], depth: int) -> None:
        wgsl = self._l.row.name == "wgsl"
        self._state["block"] = I32
        self._line(depth, "loop {" if wgsl else "for (;;) {")
        self._line(depth + 1, "switch (block) {")
        for number, body in enumerate(blocks):
            last = number == len(blocks) - 1
            label = f"case {number}" if not last else "default"
            self._line(depth + 1, f"{label}: {{" if wgsl else f"{label}:")
            self._block(body, depth + 2)
            if wgsl:
                self._line(depth + 1, "}")
            elif not (body and isinstance(body[-1], Stop)):
                self._line(depth + 2, "break;")
        self._line(depth + 1, "}")
        self._line(depth, "}")

    def _question(self, question: Question) -> str:
        values = self._loop_values(8)
        node = answer(self._machine.algebra, question, FLAGS, BOOLEANS, values)
        return self._truth(node)

    def _loop_values(self, slots: int) -> LoopValues[Node]:
        counters: tuple[Node, ...] = tuple([("counter", n) for n in range(slots)])
        saved: tuple[Node, ...] = tuple([("saved", n) for n in range(slots)])
        return LoopValues(AL, counters, saved)

    def _action(self, action: Action, depth: int) -> None:
        slots = action.slot if isinstance(action, flow.Push) else 8
        before = self._loop_values(slots)
        after = perform(self._machine.algebra, [action], before, integers(), self._profile)
        for n, node in enumerate(after.counters):
            if n >= slots or node != before.counters[n]:
                self._set_integer(f"n{n}", node, depth)
        if not self._reads_al:
            return
        for n, node in enumerate(after.saved if self._restores else ()):
            if n >= slots or node != before.saved[n]:
                self._set_integer(f"saved{n}", node, depth)
        if after.al != before.al:
            self._set_integer("aL", after.al, depth)

    def _set_integer(self, name: str, node: Node, depth: int) -> None:
        self._state[name] = I32
        self._line(depth, f"{self._v(name)} = {bare(self._integer(node))};")

    def _v(self, name: str) -> str:
        """A variable; those that a geometry shader keeps from run to run are in its state."""
        kept = self._geometry and name not in {"block", "next"} and not name.startswith(("n", "saved"))
        return self._l.state(name) if kept else name

    def _word(self, address: int, depth: int) -> None:
        inst = self._insts[address]
        comment = self._subject.comment(address)
        self._words += 1
        if self._geometry:
            emitted = self._machine.emitted(inst)
            if emitted:
                self._emission(emitted, depth, comment)
                return
        resolved = self._resolved.get(address)
        if resolved is None:
            return
        result = self._machine.result(resolved)
        lines: list[str] = []
        if "cmp" in result:
            for name, node, kept in zip(("cmp_x", "cmp_y"), result["cmp"], resolved.kept, strict=True):
                if not kept and name in self._flags:
                    self._state[name] = BOOL
                    lines.append(f"{self._v(name)} = {bare(self._truth(node))};")
        if "a0" in result:
            lines += self._indices(resolved, result["a0"])
        if "dst" in result and resolved.dest.mask:
            lines += self._destination(resolved, result["dst"])
        for n, line in enumerate(lines):
            self._line(depth, line, comment if not n else "")

    def _indices(self, resolved: ResolvedInst, nodes: tuple[Node, Node]) -> list[str]:
        texts = [
            (name, self._integer(node))
            for name, node, bit in zip(("a0_x", "a0_y"), nodes, (8, 4), strict=True)
            if resolved.dest.mask & bit
        ]
        for name, _ in texts:
            self._state[name] = I32
        if len(texts) == 2 and texts[0][0] in texts[1][1]:
            texts = texts[::-1]
            if texts[0][0] in texts[1][1]:
                self._state["next"] = I32
                return [
                    f"{self._v('next')} = {bare(texts[0][1])};",
                    f"{self._v(texts[1][0])} = {bare(texts[1][1])};",
                    f"{self._v(texts[0][0])} = {self._v('next')};",
                ]
        return [f"{self._v(name)} = {bare(text)};" for name, text in texts]

    def _destination(self, resolved: ResolvedInst, nodes: Sequence[Node]) -> list[str]:
        dest = resolved.dest
        if dest.register >= TEMPORARY:
            target = self._temporary(dest.register - TEMPORARY)
        else:
            target = self._out(dest.register)
        channels = [n for n in range(4) if dest.mask & 8 >> n]
        letters = "".join([LETTERS[n] for n in channels])
        if len(channels) == 1:
            return [f"{target}.{letters} = {bare(self._scalar(nodes[channels[0]]))};"]
        value = self._vector([nodes[n] if n in channels else None for n in range(4)])
        if len(channels) == 4:
            return [f"{target} = {bare(value)};"]
        self._t.setters.setdefault(letters)
        return [self._l.assign(target, letters, bare(value))]

    # Expressions

    def _temporary(self, number: int) -> str:
        self._registers.add(number)
        return self._v(f"r{number}")

    def _out(self, register: int) -> str:
        member, _ = self._names.of(self._names.outputs, register)
        return self._l.state(f"out.{member.name}") if self._geometry else self._l.output(member.name)

    def _register(self, file: str, number: int) -> str:
        if file == "r":
            return self._temporary(number)
        if file == "v":
            member, _ = self._names.of(self._names.inputs, number)
            return self._l.input(member.name)
        member, place = self._names.of(self._names.uniforms, number + FLOAT)
        return self._l.uniform(member.name, place, member.size, number)

    def _at(self, row: Node) -> str:
        """The uniform at a row; the function cuts it to 7 bits."""
        self._t.helpers.setdefault("at")
        inner = _inside(row)
        return self._l.at(bare(self._integer(inner)))

    def _scalar(self, node: Node) -> str:
        op, *arguments = node
        match op:
            case "component":
                file, number, channel = arguments
                return f"{self._register(str(file), _int(number))}.{LETTERS[_int(channel)]}"
            case "uniform":
                return f"{self._at(_node(arguments[0]))}.{LETTERS[_int(arguments[1])]}"
            case "constant":
                return self._t.constant(float(str(arguments[0])))
            case "dot3" | "dot4":
                return self._dot(str(op), [_node(each) for each in arguments])
            case "select":
                name, nodes = self._as_set(node)
                if name:
                    return self._t.call(name, *map(self._scalar, nodes))
                condition, yes, no = map(_node, arguments)
                return f"({self._l.choice(self._truth(condition), self._scalar(yes), self._scalar(no))})"
            case _:
                return self._t.call(str(op), *[self._scalar(_node(each)) for each in arguments])

    def _as_set(self, node: Node) -> tuple[str, list[Node]]:
        """The comparison whose truth as a number a node is; an empty name for others."""
        condition = _node(node[1])
        if condition[0] in COMPARISONS and node[2] == ("constant", 1.0) and node[3] == ("constant", 0.0):
            return f"set_{condition[0]}", [_node(condition[1]), _node(condition[2])]
        return "", []

    def _dot(self, name: str, nodes: Sequence[Node]) -> str:
        count = len(nodes) // 2
        sides = [self._vector([*nodes[start : start + count], *[None] * (4 - count)]) for start in (0, count)]
        self._t.dots.setdefault(name)
        return f"{self._l.prefix}{name}({', '.join(map(bare, sides))})"

    def _vector(self, nodes: Sequence[Node | None]) -> str:
        """Four components as one expression; what those that are None have does not count."""
        known = [node for node in nodes if node is not None]
        first = known[0]
        op = first[0]
        if op in ("component", "uniform") and all(node[:-1] == first[:-1] for node in known):
            whole = self._whole(first)
            # One component of a register is in all places, others stay in theirs.
            spare = LETTERS[_int(first[-1])] if all(node == first for node in known) and len(known) > 1 else ""
            letters = "".join(
                [LETTERS[_int(node[-1])] if node is not None else spare or LETTERS[place] for place, node in enumerate(nodes)]
            )
            if letters == LETTERS:
                return whole
            self._t.swizzles.setdefault(letters)
            return self._l.swizzle(whole, letters)
        if all(node == first for node in known):
            return self._splat(self._scalar(first))
        if (
            nodes[3] == ("constant", 1.0)
            and op in ("component", "uniform")
            and all(node is not None and _channel(node) == n and node[:-1] == first[:-1] for n, node in enumerate(nodes[:3]))
        ):
            self._t.helpers.setdefault("point")
            self._t.constant(1.0)
            return f"{self._l.prefix}point({self._whole(first)})"
        if op == "select" and all(node[0] == op and self._as_set(node)[0] == self._as_set(first)[0] for node in known):
            name = self._as_set(first)[0]
            if name:
                return self._wide(name, [None if node is None else self._as_set(node)[1] for node in nodes])
        if op in _WIDE and all(node[0] == op for node in known):
            rows = [None if node is None else [_node(each) for each in node[1:]] for node in nodes]
            return self._wide(str(op), rows)
        return self._construct([bare(self._scalar(known[-1] if node is None else node)) for node in nodes])

    def _whole(self, node: Node) -> str:
        """The register of a component."""
        if node[0] == "uniform":
            return self._at(_node(node[1]))
        return self._register(str(node[1]), _int(node[2]))

    def _wide(self, name: str, rows: Sequence[Sequence[Node] | None]) -> str:
        count = max(len(row) for row in rows if row is not None)
        sides = [self._vector([None if row is None else row[n] for row in rows]) for n in range(count)]
        if not self._l.exact and self._l.operators and name in ("add", "negate"):
            return f"(-{sides[0]})" if name == "negate" else f"({sides[0]} + {sides[1]})"
        self._t.vectors.setdefault(name, len(sides))
        return f"{self._l.prefix}{name}4({', '.join(map(bare, sides))})"

    def _construct(self, parts: Sequence[str]) -> str:
        return self._l.construct(parts)

    def _splat(self, text: str) -> str:
        self._t.helpers.setdefault("splat")
        return self._l.splat(bare(text))

    def _truth(self, node: Node) -> str:
        op, *arguments = node
        match op:
            case "boolean":
                return "true" if arguments[0] else "false"
            case "flag":
                name = ("cmp_x", "cmp_y")[_int(arguments[0])]
                self._state[name] = BOOL
                return self._v(name)
            case "condition":
                number = _int(arguments[0])
                member, _ = self._names.of(self._names.uniforms, BOOLEAN + number)
                return self._l.boolean(member.name, number)
            case "not":
                return self._inverted(self._truth(_node(arguments[0])))
            case "both" | "either":
                sign = "&&" if op == "both" else "||"
                return f"({self._truth(_node(arguments[0]))} {sign} {self._truth(_node(arguments[1]))})"
            case "within":
                value, low, high = self._integer(_node(arguments[0])), _int(arguments[1]), _int(arguments[2])
                if low == high:
                    return f"({value} == {low})"
                return f"({value} >= {low} && {value} <= {high})"
            case "not_negative":
                return self._t.call("not_negative", self._scalar(_node(arguments[0])))
            case _:
                return self._t.comparison(str(op), self._scalar(_node(arguments[0])), self._scalar(_node(arguments[1])))

    def _inverted(self, text: str) -> str:
        return text[1:] if text.startswith("!") else f"!{text}"

    def _integer(self, node: Node) -> str:
        op, *arguments = node
        match op:
            case "integer":
                return str(arguments[0])
            case "index":
                name = ("a0_x", "a0_y", "aL")[_int(arguments[0])]
                self._state[name] = I32
                return self._v(name)
            case "counter" | "saved":
                name = f"{'n' if op == 'counter' else 'saved'}{arguments[0]}"
                self._state[name] = I32
                return self._v(name)
            case "byte":
                number, channel = _int(arguments[0]), _int(arguments[1])
                member, _ = self._names.of(self._names.uniforms, INTEGER + number)
                return self._l.integer(member.name, number, channel)
            case "to_integer":
                return self._t.call("to_integer", self._scalar(_node(arguments[0])))
            case "row":
                register = _int(arguments[0])
                member, place = self._names.of(self._names.uniforms, FLOAT + register)
                if member.size == 1 and place == 0 and self._l.members:
                    return str(register)
                name = self._l.first(member.name, member.first - FLOAT)
                if self._l.members:
                    return str(register)
                return f"{name} + {place}" if place else name
            case "offset":
                self._t.helpers.setdefault("offset")
                return f"{self._l.prefix}offset({bare(self._integer(_node(arguments[0])))})"
            case "integer_add":
                a, b = map(_node, arguments)
                if b[0] == "integer" and _int(b[1]) < 0:
                    return f"({self._integer(a)} - {-_int(b[1])})"
                return f"({self._integer(a)} + {self._integer(b)})"
            case "integer_and":
                return f"({self._integer(_node(arguments[0]))} & {_int(arguments[1])})"
            case "integer_select":
                condition, yes, no = map(_node, arguments)
                return f"({self._l.choice(self._truth(condition), self._integer(yes), self._integer(no))})"
            case _:
                raise TypeError(f"not an integer: {node}")

    # Geometry

    def _emission(self, result: Result[Node, Node, Node], depth: int, comment: str) -> None:
        if "setemit" in result:
            emission = result["setemit"]
            settings = (
                ("vertex", str(emission.vertex)),
                ("primitive", _bool(emission.primitive)),
                ("invert", _bool(emission.invert)),
            )
            for n, (name, value) in enumerate(settings):
                self._line(depth, f"{self._v(name)} = {value};", comment if not n else "")
            return
        self._line(depth, self._l.emit(self._name), comment)


def _inner(statement: Statement) -> Sequence[Sequence[Statement]]:
    """The statements inside a statement."""
    match statement:
        case If(_, yes, no):
            return yes, no
        case Loop(body) | Once(body):
            return (body,)
        case Dispatcher(blocks):
            return blocks
        case _:
            return ()


def _every(body: Iterable[Statement]) -> Iterator[Statement]:
    """All statements, with those inside others."""
    for statement in body:
        yield statement
        for inner in _inner(statement):
            yield from _every(inner)


def _addresses(body: Iterable[Statement]) -> set[int]:
    return {statement.address for statement in _every(body) if isinstance(statement, Word)}


def _questions(body: Iterable[Statement]) -> list[Question]:
    return [statement.question for statement in _every(body) if isinstance(statement, If)]


def _actions(body: Iterable[Statement]) -> list[Action]:
    return [action for statement in _every(body) if isinstance(statement, Do) for action in statement.actions]


def _uniforms_asked(body: Sequence[Statement]) -> set[int]:
    """The boolean and integer uniforms that the flow reads."""
    found = {BOOLEAN + question.number for question in _booleans(body)}
    return found | {
        INTEGER + action.register for action in _actions(body) if isinstance(action, flow.Push | flow.StartAl | flow.StepAl)
    }


def _booleans(body: Iterable[Statement]) -> list[flow.Boolean]:
    return [each.question for each in _every(body) if isinstance(each, If) and isinstance(each.question, flow.Boolean)]


def _restores(body: Iterable[Statement]) -> bool:
    """Whether aL gets a value that a loop has saved."""
    return any(isinstance(action, flow.RestoreAl) for action in _actions(body))


def _inside(row: Node) -> Node:
    """What the index of a uniform is before it is cut to 7 bits, with the number of the register it starts from as `row`."""
    while row[0] == "integer_add" and _node(row[2])[0] == "integer" and _node(row[1])[0] == "integer_add":
        inner = _node(row[1])
        other = _node(inner[2])
        if other[0] != "integer" or _int(other[1]) + _int(_node(row[2])[1]) != 0:
            break
        row = _node(inner[1])
    if row[0] == "integer_and":
        row = _node(row[1])
    base: Node = ("row", 0)
    if row[0] == "integer_add" and _node(row[2])[0] == "integer":
        base, row = ("row", _int(_node(row[2])[1])), _node(row[1])
    if row[0] == "integer_select":
        condition = _node(row[1])
        if condition[0] == "within" and condition[1] == row[2] and row[3] == ("integer", 0):
            row = ("offset", row[2])
    return ("integer_add", base, row)


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _channel(node: Node) -> int:
    if node[0] == "negate" and isinstance(node[1], tuple):
        return _channel(node[1])
    return _int(node[-1]) if node[0] in ("component", "uniform") else -1


def _node(value: Node | str | float) -> Node:
    if not isinstance(value, tuple):
        raise TypeError(f"not a node: {value}")
    return value


def _int(value: Node | str | float) -> int:
    if not isinstance(value, int):
        raise TypeError(f"not an integer: {value}")
    return value
