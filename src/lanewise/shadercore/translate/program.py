"""ShaderCore programs as text: a wave of 16 lanes, or one lane where no lane needs another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.shadercore.isa.table import COMPONENTS, LANES
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.steps import exports
from lanewise.shadercore.translate import words
from lanewise.shadercore.translate.languages import LANGUAGES
from lanewise.shadercore.translate.statements import Assign, Statements, Subject, needed, registers_of
from lanewise.shadercore.translate.waves import ACROSS, Wave, presets, wave_file
from lanewise.translating import printing
from lanewise.translating.frames import FRAMES, Array, Field, Preset, Shader
from lanewise.translating.functions import Library
from lanewise.translating.languages import U32
from lanewise.translating.names import identifier
from lanewise.translating.nodes import int_of, node_of
from lanewise.translating.operators import bare
from lanewise.translating.support import Functions, RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Timing
    from lanewise.shadercore.sem.steps import Register
    from lanewise.shadercore.translate.languages import ShaderC
    from lanewise.translating.frames import Frame
    from lanewise.translating.nodes import Node

CONSTANTS = 256
_COMMENT = 56  # the column of comments


class Translation(Record):
    """A program in another language."""

    text: str
    "The whole file."
    name: str
    "The identifier of the program: of its function, or the namespace."
    inputs: tuple[str, ...]
    "The v registers that it reads, in order."
    outputs: tuple[str, ...]
    "The o registers that it writes and that leave the core, in order."
    lanes: int
    "The lanes that one call runs: 1 or 16."


def translate(subject: Subject, to: str, device: Device, *, lanes: int = 0, title: Sequence[str] = ()) -> Translation:
    """A program in a language, as a device runs it; `lanes` is 1, 16, or 0: 16 where the language has it. Raises
    RefusedError."""
    language = LANGUAGES[to]()
    wave = language.row.is_library and lanes != 1
    if lanes == LANES and not wave:
        raise RefusedError(f"{language.row.title} runs one lane, not {LANES}", "use --to c or cpp, or --lanes 1")
    timing = time_program(subject.insts, device)
    name = identifier(subject.name, language, set(), language.functions)
    functions = Functions(Library(words, words.choices(device)), language)
    found = Statements(timing, subject, wave=wave).found()
    print_program = _waves if wave else _lane
    return print_program(language, subject, name, timing, found, functions, title)


def _names(places: set[Register], file: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([f"{letter}{number}" for letter, number, _ in sorted(places) if letter == file]))


def _name(place: Register) -> str:
    return f"{place[0]}{place[1]}_{COMPONENTS[place[2]]}"


def _commented(language: ShaderC, line: str, comment: str) -> str:
    return f"{line:<{_COMMENT}}  {language.comment(comment)}" if comment else line


# One lane


class _LanePrinter(printing.Printer):
    def __init__(self, functions: Functions, language: ShaderC, frame: Frame) -> None:
        super().__init__(functions, language)
        self._frame = frame

    def scalar(self, node: Node) -> str:
        if node[0] == "register":
            place = _place(node)
            return self._frame.input(f"v{place[1]}.{COMPONENTS[place[2]]}") if place[0] == "v" else _name(place)
        if node[0] == "uniform":
            return self._frame.uniform(f"c[{int_of(node[1])}].{COMPONENTS[int_of(node[2])]}")
        return super().scalar(node)


def _place(node: Node) -> Register:
    return str(node[1]), int_of(node[2]), int_of(node[3])


def _lane(
    language: ShaderC,
    subject: Subject,
    name: str,
    timing: Timing,
    found: Sequence[Assign],
    functions: Functions,
    title: Sequence[str],
) -> Translation:
    frame = FRAMES[language.row.name](language)
    printer = _LanePrinter(functions, language, frame)
    leaving = exports(timing.device)
    statements = needed(found, set(leaving))
    set_places = {target for target, _, _ in statements if not isinstance(target, str)}
    read = {place for statement in statements for place in registers_of(statement.value)}
    lines = [
        _commented(language, f"    {_name(target)} = {bare(printer.scalar(value))};", subject.comments[number])
        for target, value, number in statements
        if not isinstance(target, str)
    ]
    lines += [
        f"    {frame.output(f'{place[0]}{place[1]}.{COMPONENTS[place[2]]}')} = {_name(place)};"
        for place in leaving
        if place in set_places
    ]
    inputs, outputs = _names(read, "v"), _names(set_places & set(leaving), "o")
    shader = Shader(
        name=name,
        inputs=tuple([Field(each, subject.notes.get(each, "")) for each in inputs]),
        outputs=tuple([Field(each, subject.notes.get(each, "")) for each in outputs]),
        arrays=(Array("c", U32, CONSTANTS, ""),),
        presets=tuple(
            [
                Preset("c", number, tuple([language.literal(bits, U32) for bits in values]))
                for number, values in subject.constants
            ]
        ),
        variables=tuple([(_name(place), U32) for place in sorted(set_places | {each for each in read if each[0] != "v"})]),
        functions=tuple(functions.text()),
        lines=tuple(lines),
        position="o0" if "o0" in outputs else "",
    )
    text = ["#version 300 es"] if language.row.name == "glsl" else []
    text += [*[language.comment(line) for line in title], *frame.file(shader)]
    return Translation(text="\n".join(text) + "\n", name=name, inputs=inputs, outputs=outputs, lanes=1)


# A wave


class _WavePrinter(printing.Printer):
    """Nodes of a lane of a wave: registers are arrays. `lane` is the index as text."""

    def __init__(self, functions: Functions, language: ShaderC) -> None:
        super().__init__(functions, language)
        self._state = language.state
        self.across: dict[str, None] = {}
        self.lane = "n"

    def scalar(self, node: Node) -> str:
        match node[0]:
            case "register":
                return f"{self._state(_name(_place(node)))}[{self.lane}]"
            case "uniform":
                return f"c[{int_of(node[1])}][{int_of(node[2])}]"
            case "wave":
                return f"{node[1]}[{self.lane}]"
            case "rcp_lane" | "rsq_lane":
                name = str(node[0])
                self.across.setdefault(name)
                for used in ACROSS[name][1]:
                    self._functions.call(used)
                return f"{self._syntax.prefix}{name}({node_of(node[1])[1]}, {self.lane})"
            case "quad":
                return self._quad(node)
            case _:
                return super().scalar(node)

    def _quad(self, node: Node) -> str:
        """A value, but in a quad what another quad of a second value has."""
        value, other, quad, source = node_of(node[1]), node_of(node[2]), int_of(node[3]), int_of(node[4])
        here = self.scalar(value)
        around, self.lane = self.lane, f"{4 * source}u + n % 4u"
        there = self.scalar(other)
        self.lane = around
        return f"(n / 4u == {quad}u ? {there} : {here})"


def _waves(
    language: ShaderC,
    subject: Subject,
    name: str,
    timing: Timing,
    found: Sequence[Assign],
    functions: Functions,
    title: Sequence[str],
) -> Translation:
    printer = _WavePrinter(functions, language)
    places = {place for statement in found for place in registers_of(statement.value)}
    places |= {target for target, _, _ in found if not isinstance(target, str)}
    leaving = {place for place in exports(timing.device) if place in places}
    lines: list[str] = []
    for target, value, number in found:
        to = target if isinstance(target, str) else language.state(_name(target))
        lines.append(
            _commented(language, f"    {language.counted('n', str(LANES))} {{", subject.comments[number] if number >= 0 else "")
        )
        lines += [f"        {to}[n] = {bare(printer.scalar(value))};", "    }"]
    zero = timing.device.value("between_waves") == "zero"
    wave = Wave(
        name=name,
        registers=tuple([(_name(place), subject.notes.get(f"{place[0]}{place[1]}", "")) for place in sorted(places)]),
        cleared=tuple([_name(place) for place in sorted(places) if zero and place[0] != "v"]),
        arrays=tuple([target for target, _, _ in found if isinstance(target, str)]),
        presets=presets(subject.constants, language),
        functions=tuple(functions.text()),
        across=tuple(printer.across),
        lines=tuple(lines),
    )
    text = [*[language.comment(line) for line in title], *wave_file(language, wave)]
    return Translation(
        text="\n".join(text) + "\n", name=name, inputs=_names(places, "v"), outputs=_names(leaving, "o"), lanes=LANES
    )
