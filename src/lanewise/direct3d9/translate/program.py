"""Direct3D 9 shaders as text: one lane, a vertex or a pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.record import Record
from lanewise.direct3d9.isa import interface
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.algebra import Component
from lanewise.direct3d9.sem.nodes import nodes_of
from lanewise.direct3d9.translate import words
from lanewise.direct3d9.translate.expressions import Computing
from lanewise.direct3d9.translate.lane import CONSTANTS, LETTERS, Computed, Lane, Sample, Write, register
from lanewise.direct3d9.translate.languages import LANGUAGES
from lanewise.graph.flow import Node as FlowNode
from lanewise.shadercore.translate.words import choices
from lanewise.translating import printing
from lanewise.translating.frames import FRAMES, Array, Field, Preset, Shader
from lanewise.translating.functions import Library
from lanewise.translating.languages import BOOL, I32, U32, VECTOR
from lanewise.translating.names import identifier
from lanewise.translating.nodes import int_of, node_of
from lanewise.translating.operators import bare
from lanewise.translating.structure import Do, If, every, routine
from lanewise.translating.support import Functions, RefusedError
from lanewise.translating.writing import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.direct3d9.isa.program import Inst
    from lanewise.direct3d9.isa.program import Shader as Tokens
    from lanewise.direct3d9.sem.nodes import Begin, Condition, Issue, Next, Turns
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.direct3d9.translate.languages import ShaderC
    from lanewise.translating.frames import Frame
    from lanewise.translating.nodes import Node
    from lanewise.translating.structure import Routine

INTEGERS, BOOLEANS, BUMPS = 16, 16, 32


class Subject(Record):
    """A shader to translate; `comment` gives the text of an instruction."""

    name: str
    shader: Tokens
    flow: Flow
    comment: Callable[[Inst], str]


class Translation(Record):
    """A shader in another language."""

    text: str
    "The whole file."
    name: str
    "The identifier of the shader."
    structured: bool
    "Control flow is written with statements of the language."
    inputs: tuple[tuple[str, str, int], ...]
    "Inputs by name, register and number of registers."
    uniforms: tuple[tuple[str, str, int], ...]
    "Arrays of uniforms by name, first register and number of registers."
    outputs: tuple[tuple[str, str, int], ...]
    "Outputs by name, register and number of registers."


def translate(subject: Subject, to: str, rule: Rule, title: Sequence[str] = ()) -> Translation:
    """A shader in a language under a number rule. Raises RefusedError."""
    return _Program(subject, LANGUAGES[to](), rule).translation(title)


class _Program(Writer):
    """The statements of a shader, its file, and what it takes."""

    def __init__(self, subject: Subject, language: ShaderC, rule: Rule) -> None:
        super().__init__(language)
        self.language, self._subject = language, subject
        self._lane = Lane(subject.shader, subject.flow, rule, subject.name)
        try:
            nodes = nodes_of(subject.flow)
        except ValueError as error:
            raise RefusedError(f"{subject.name}: {error}") from None
        issues: list[Issue] = []
        numbered: dict[int, FlowNode[int, object, object, object]] = {}
        for number, (items, exit) in enumerate(nodes):
            numbered[number] = FlowNode(tuple(range(len(issues), len(issues) + len(items))), exit)
            issues += items
        self._issues = issues
        self._routine: Routine = routine(0, numbered)
        self._computed = [self._lane.computed(issue) for issue in issues]
        self.frame: Frame = FRAMES[language.row.name](language)
        self.functions = Functions(Library(words, {**choices(rule.device)}), language)
        self._ports = interface.outputs(subject.shader)
        self._kills = interface.kills(subject.shader)
        self._outputs = {(port.file, port.number) for port in self._ports}
        flow = subject.flow
        self._by_name = {
            f"{register(flow, file, number)}_{LETTERS[c]}": f"{register(flow, file, number)}.{LETTERS[c]}"
            for file, number in sorted(self._outputs)
            for c in range(4)
        }
        self._used: dict[str, str] = {}  # variables with their types
        self._texels = 0
        self._live = self._needed()

    def translation(self, title: Sequence[str]) -> Translation:
        lane, flow, language = self._lane, self._subject.flow, self.language
        name = identifier(self._subject.name, language, {"run"}, language.functions)
        self.block(self._routine.body, 1)
        begun: list[str] = []
        for variable, value in lane.begun.items():
            if variable in self._used or variable in self._by_name:
                printer = _Printer(self, Computed(Computing(), (), ()), frozenset())
                begun.append(f"    {self.variable(variable, U32)} = {bare(printer.scalar(value))};")
        given = [(register(flow, *place), place) for place in sorted(lane.inputs)]
        ports = {(port.file, port.number): port for port in interface.inputs(self._subject.shader)}
        written = [(register(flow, *place), place) for place in sorted(self._outputs)]
        out = {(port.file, port.number): port for port in self._ports}
        arrays = [
            array
            for array in (
                Array("c", U32, lane.most, ""),
                Array("i", I32, INTEGERS, ""),
                Array("b", BOOL, BOOLEANS, "" if language.members else "b0 is bit 0"),
                Array("bump", U32, BUMPS, "matrices of stages; from 16 on scale and offset of their luminance"),
            )
            if array.name in lane.arrays
        ]
        position = next((n for n, place in written if out[place].usage == "position" and flow.version.kind == isa.VERTEX), "")
        texels = [(f"texel{n}", VECTOR) for n in range(self._texels)]
        texels += [(each, VECTOR) for each in ("at", "dx", "dy") if self._texels]
        shader = Shader(
            name=name,
            inputs=tuple([Field(n, ports[place].name if ports[place].name != n else "") for n, place in given]),
            outputs=tuple([Field(n, out[place].name if out[place].name != n else "") for n, place in written]),
            arrays=tuple(arrays),
            presets=tuple(self._presets({array.name for array in arrays})),
            variables=(*sorted(self._used.items()), *texels),
            functions=tuple(self.functions.text()),
            lines=(*begun, *self.lines),
            position=position,
            samples=bool(self._texels),
            fragment=flow.version.kind == isa.PIXEL,
            kills=self._kills,
        )
        text = ["#version 300 es"] if language.row.name == "glsl" else []
        text += [*[language.comment(line) for line in title], *self.frame.file(shader)]
        return Translation(
            text="\n".join(text) + "\n",
            name=name,
            structured=self._routine.structured,
            inputs=tuple([(n, n, 1) for n, _ in given]),
            uniforms=tuple([(array.name, f"{array.name}0", array.size) for array in arrays]),
            outputs=tuple([(n, n, 1) for n, _ in written]),
        )

    @property
    def most(self) -> int:
        """The size of the array of constants."""
        return self._lane.most

    def _presets(self, arrays: set[str]) -> Iterator[Preset]:
        """The constants that the shader defines, for whoever reads the structure: the shader has them in its text."""
        if "c" in arrays:
            for number, values in sorted(self._subject.flow.constants.items()):
                if number < CONSTANTS:
                    yield Preset("c", number, tuple([self.language.literal(bits, U32) for bits in values]))

    # Variables that something reads

    def _needed(self) -> frozenset[str]:
        reads: dict[str, set[str]] = {}
        wanted = {self._lane.name(Component(file, number, c)) for file, number in self._outputs for c in range(4)}
        wanted |= {"killed"}
        lane = self._lane
        for statement in every(self._routine.body):
            if isinstance(statement, If):
                wanted |= set(_reads(lane.asked(cast("Condition | Turns", statement.question))))
            elif isinstance(statement, Do):
                for action in statement.actions:
                    self._note(lane.performed(cast("Begin | Next", action)), reads)
        for computed in self._computed:
            self._note(computed, reads)
            for sample in computed.samples:
                wanted |= set(_reads(computed, _arguments(sample)))
        live: set[str] = set()
        waiting = [*wanted]
        while waiting:
            name = waiting.pop()
            if name not in live:
                live.add(name)
                waiting += reads.get(name, ())
        return frozenset(live)

    def _note(self, computed: Computed, reads: dict[str, set[str]]) -> None:
        for write in computed.writes:
            reads.setdefault(write.name, set()).update(_reads(computed, [write.value]))

    # Statements

    def word(self, address: int, depth: int) -> None:
        comment = "; ".join([self._subject.comment(inst) for inst in self._issues[address].insts])
        self._compute(self._computed[address], depth, comment)

    def action(self, action: object, depth: int) -> None:
        self._compute(self._lane.performed(cast("Begin | Next", action)), depth, "")

    def truth(self, question: object) -> str:
        computed = self._lane.asked(cast("Condition | Turns", question))
        return _Printer(self, computed, frozenset()).truth(computed.writes[0].value)

    def inverted(self, text: str) -> str:
        return text[1:] if text.startswith("!") else f"!{text}"

    def numbered(self) -> None:
        self._used["block"] = I32

    def variable(self, name: str, kind: str) -> str:
        if name == "killed":
            return self.frame.killed()
        if name in self._by_name:
            return self.frame.output(self._by_name[name])
        self._used.setdefault(name, kind)
        return name

    def _compute(self, computed: Computed, depth: int, comment: str) -> None:
        """The lines of instructions: values that are read several times, samples, and what is written."""
        writes = [write for write in computed.writes if write.name in self._live]
        definitions = computed.computing.definitions
        named = _shared(computed, writes)
        # A variable that is written before a later value reads it: that value is computed before.
        early: dict[int, Node] = {}
        for number, write in enumerate(writes):
            before = {other.name for other in writes[:number]}
            if before & set(_reads(computed, [write.value], stop=named)):
                value = write.value
                if value[0] != "temporary":
                    value = computed.computing.again(write.kind, value)
                early[number] = value
                named |= {int_of(value[1])}
        printer = _Printer(self, computed, named)
        wanted = _reached(computed, [write.value for write in writes] + [*early.values()])
        inner = depth + bool(named & wanted)
        body: list[str] = []
        waiting = [*computed.samples]
        for number in range(len(definitions) + 1):
            while waiting and waiting[0].made <= number:
                body += self._sample(waiting.pop(0), computed, printer)
            if number in named and number in wanted:
                kind, _ = definitions[number]
                body.append(self.language.variable(kind, f"value{number}", bare(printer.defined(number))))
        for number, write in enumerate(writes):
            value = early.get(number, write.value)
            body.append(f"{self.variable(write.name, write.kind)} = {bare(printer.of(write.kind, value))};")
        if inner > depth:
            self.line(depth, "{", comment)
            comment = ""
        for text in body:
            self.line(inner, text, comment)
            comment = ""
        if inner > depth:
            self.line(depth, "}")

    def _sample(self, sample: Sample, computed: Computed, printer: _Printer) -> list[str]:
        number = computed.samples.index(sample)
        self._texels = max(self._texels, number + 1)
        lines: list[str] = []
        for name, values in zip(("at", "dx", "dy"), (sample.at, *sample.gradients), strict=False):
            lines += [
                f"{name}.{letter} = {bare(printer.scalar(value))};" for letter, value in zip(LETTERS, values, strict=True)
            ]
        numbers = [self.language.literal(each, U32) for each in (sample.kind, sample.sampler)]
        vectors = [self.frame.argument(name) for name in ("at", "dx", "dy")]
        return [*lines, self.frame.sample(f"texel{number}", [*numbers, *vectors])]


def _arguments(sample: Sample) -> list[Node]:
    return [*sample.at, *[value for gradient in sample.gradients for value in gradient]]


def _reached(computed: Computed, values: Sequence[Node]) -> set[int]:
    """The definitions that values, and samples, are made of."""
    found: set[int] = set()
    waiting = [*values, *[value for sample in computed.samples for value in _arguments(sample)]]
    while waiting:
        node = waiting.pop()
        if node[0] == "temporary":
            number = int_of(node[1])
            if number not in found:
                found.add(number)
                waiting += _nodes(computed.computing.definitions[number].node)
    return found


def _nodes(node: Node) -> list[Node]:
    return [argument for argument in node if isinstance(argument, tuple)]


def _shared(computed: Computed, writes: Sequence[Write]) -> frozenset[int]:
    """The definitions that are read more than once."""
    values = [write.value for write in writes]
    counts: dict[int, int] = {}
    every_value = [*values, *[value for sample in computed.samples for value in _arguments(sample)]]
    for number in _reached(computed, values):
        node = computed.computing.definitions[number].node
        # an index is printed more than once
        every_value += _nodes(node) * (2 if node[0] == "indexed" else 1)
    for node in every_value:
        if node[0] == "temporary":
            counts[int_of(node[1])] = counts.get(int_of(node[1]), 0) + 1
    return frozenset([number for number, count in counts.items() if count > 1])


def _reads(computed: Computed, values: Sequence[Node] | None = None, stop: frozenset[int] = frozenset()) -> Iterator[str]:
    """The variables that values read, but for those of some definitions."""
    waiting = [write.value for write in computed.writes] if values is None else [*values]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node[0] == "variable":
            yield str(node[1])
        elif node[0] == "temporary":
            number = int_of(node[1])
            if number not in seen and number not in stop:
                seen.add(number)
                waiting += _nodes(computed.computing.definitions[number].node)
        else:
            waiting += _nodes(node)


class _Printer(printing.Printer):
    """Values of some instructions as text; definitions that are `named` have variables, others are in place."""

    def __init__(self, program: _Program, computed: Computed, named: frozenset[int]) -> None:
        super().__init__(program.functions, program.language)
        self._program, self._computed, self._named = program, computed, named
        self._frame = program.frame

    def of(self, kind: str, node: Node) -> str:
        return self.scalar(node) if kind == U32 else self.truth(node) if kind == BOOL else self.integer(node)

    def defined(self, number: int) -> str:
        kind, node = self._computed.computing.definitions[number]
        return self.of(kind, node_of(node[1]) if node[0] == "same" else node)

    def _held(self, node: Node) -> str | None:
        """A leaf of any type; None for other nodes."""
        match node[0]:
            case "temporary":
                number = int_of(node[1])
                return f"value{number}" if number in self._named else self.defined(number)
            case "variable":
                return self._program.variable(str(node[1]), str(node[2]))
            case _:
                return None

    def scalar(self, node: Node) -> str:
        held = self._held(node)
        if held is not None:
            return held
        match node[0]:
            case "input":
                return self._frame.input(f"{node[1]}.{LETTERS[int_of(node[2])]}")
            case "texel":
                return f"texel{node[1]}.{LETTERS[int_of(node[2])]}"
            case "uniform" | "bump":
                array = "c" if node[0] == "uniform" else "bump"
                return self._frame.uniform(f"{array}[{int_of(node[1])}].{LETTERS[int_of(node[2])]}")
            case "indexed":
                return self._indexed(node)
            case "address":
                raise TypeError("an address is an integer")
            case _:
                return super().scalar(node)

    def _indexed(self, node: Node) -> str:
        index, most = self.integer(node_of(node[1])), self._program.most
        inside = f"({bare(index)} >= 0 && {bare(index)} < {most})"
        place = bare(index)
        if not self._syntax.members:  # a choice may compute both sides
            place = f"clamp({bare(index)}, 0, {most - 1})"
        found = self._frame.uniform(f"c[{place}].{LETTERS[int_of(node[2])]}")
        return f"({self._syntax.choice(inside, found, self._syntax.literal(0, U32))})"

    def truth(self, node: Node) -> str:
        held = self._held(node)
        if held is not None:
            return held
        if node[0] == "condition":
            return self._frame.truth("b", int_of(node[1]))
        if node[0] == "below":
            return f"({self.integer(node_of(node[1]))} < {self.integer(node_of(node[2]))})"
        return super().truth(node)

    def inverted(self, text: str) -> str:
        return text[1:] if text.startswith("!") else f"!{text}"

    def integer(self, node: Node) -> str:
        held = self._held(node)
        if held is not None:
            return held
        match node[0]:
            case "count":
                return self._frame.uniform(f"i[{int_of(node[1])}].{LETTERS[int_of(node[2])]}")
            case "address":
                return self._functions.call("address", self.scalar(node_of(node[1])), self.scalar(node_of(node[2])))
            case "plus":
                return self._functions.call("plus", *[self.integer(node_of(each)) for each in node[1:]])
            case _:
                return super().integer(node)
