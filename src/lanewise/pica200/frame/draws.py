"""The draws of a recording: the command lists are walked, and each draw keeps the state and the memory that it reads."""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.frame.commands import commands, words_of
from lanewise.pica200.frame.recording import MAPPED, REGISTERS, End, Load, Memory, Place, Submit, Write
from lanewise.pica200.frame.state import PACKED, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.frame.recording import Recording, View
    from lanewise.pica200.frame.state import UnitState, Vector

ARRAYS, ELEMENTS, IMMEDIATE = "arrays", "elements", "immediate"
_FINALIZE = 0x10
_DRAW_ARRAYS, _DRAW_ELEMENTS = 0x22E, 0x22F
_FIXED_INDEX, _FIXED_DATA = 0x232, range(0x233, 0x236)
_SIZES, _PLACES, _JUMPS = 0x238, 0x23A, (0x23C, 0x23D)
_NUM_ATTR = 0x242
_IMMEDIATE_MODE = 0xF
# Most jumps after one submit, commands of a file, and draws: far above real frames, so that a file made to do harm ends.
_MOST_JUMPS, _MOST_COMMANDS, _MOST_DRAWS = 4096, 1 << 23, 1 << 16
_MOST_FINDINGS = 50


class Where(Record):
    """The place of a draw: the record of its file that submits its list, the physical address of the list, and the word of the
    list that draws."""

    place: Place
    address: int
    word: int

    def __str__(self) -> str:
        return f"record {self.place.record}, list 0x{self.address:08X}, word {self.word}"


class Draw(Record):
    """A draw with all that it depends on."""

    number: int
    "Number in the file, from 0."
    frame: int
    "Number of its frame, from 0."
    in_frame: int
    "Number in its frame, from 0."
    kind: str
    "arrays, elements or immediate."
    where: Where
    "Place in the file."
    registers: tuple[int, ...]
    "Values of the internal registers."
    known: bytes
    "Bytes of each register that are known, as a mask of 4 bits."
    vertex: UnitState
    "Vertex unit."
    geometry: UnitState
    "Geometry unit."
    defaults: tuple[Vector | None, ...]
    "Default attributes."
    immediate: tuple[tuple[Vector, ...], ...]
    "Vertices of immediate mode, an attribute after another."
    memory: View
    "Memory at that moment."


class Frames(Record):
    """What a recording has."""

    draws: tuple[Draw, ...]
    "Draws in order."
    frames: int
    "Number of frames, of which the last may have no end."
    findings: tuple[Diagnostic, ...]
    "What is wrong with its lists."
    state: State
    "State at the end."


def draws_of(recording: Recording, name: str) -> Frames:
    """The draws of a recording."""
    walk = _Walk(recording, name)
    for event in recording.events:
        match event:
            case Load(address, data, place):
                if not walk.memory.load(address, data):
                    walk.report("more loads than lanewise keeps", place, "split the recording")
                    break
            case Submit(address, size, place):
                walk.list(address, size, place)
            case Write(address, value, place):
                walk.mapped(address, value, place)
            case End():
                walk.end()
    return walk.result()


class _Walk:
    def __init__(self, recording: Recording, name: str) -> None:
        self.state, self.memory = State(recording.initial), Memory()
        self.name = name
        self.draws: list[Draw] = []
        self.findings: list[Diagnostic] = []
        self._reported: set[str] = set()
        self.frame = self.in_frame = self.commands = 0
        self._fifo: list[int] = []
        self._vertex: list[Vector] = []  # attributes of the vertex that immediate mode is given
        self._vertices: list[tuple[Vector, ...]] = []
        self._where = Where(Place(0, 0), 0, 0)
        self._defaults: tuple[Vector | None, ...] | None = None

    def result(self) -> Frames:
        self._flush()
        frames = self.frame + (1 if self.in_frame or not self.frame else 0)
        return Frames(tuple(self.draws), frames, tuple(self.findings), self.state)

    def report(self, message: str, place: Place, fix: str) -> None:
        if len(self.findings) < _MOST_FINDINGS and message not in self._reported:
            self._reported.add(message)
            self.findings.append(
                Diagnostic(
                    code="F002",
                    severity=WARNING,
                    message=message,
                    span=Span(file=self.name, offset=place.offset),
                    notes=(f"record {place.record} of the file",),
                    fix=fix,
                )
            )

    def end(self) -> None:
        self._flush()
        self.frame, self.in_frame = self.frame + 1, 0

    def mapped(self, address: int, value: int, place: Place) -> None:
        """A write of the processor to a register."""
        number = address - MAPPED >> 2
        if address & 3 or not 0 <= number < REGISTERS:
            return  # LCD, memory fill, transfer: nothing that a draw reads
        if number in _JUMPS and not value & 1:
            return
        target = self._walk((value, number | 15 << 16), address, place)  # as a list of one command
        if target is not None:
            self.list(*target, place)

    def list(self, address: int, size: int, place: Place) -> None:
        """Walk a list, and those that it jumps to."""
        jumps = 0
        while True:
            data = self.memory.at().read(address, size)
            if data is None:
                known = self.memory.at().known(address, size)
                self.report(
                    f"the command list of {size} bytes at 0x{address:08X} is not in the recording"
                    + (f" after {known} bytes" if known else ""),
                    place,
                    "record the memory that lists are in",
                )
                data = self.memory.at().read(address, known) or memoryview(b"")
            target = self._walk(words_of(data), address, place)
            if target is None:
                break
            jumps += 1
            if jumps > _MOST_JUMPS:
                self.report(
                    f"the lists from 0x{address:08X} on jump more than {_MOST_JUMPS} times: they do not end",
                    place,
                    "correct the address of GPUREG_CMDBUF_ADDR0 or 1",
                )
                break
            address, size = target
        self._flush()

    def _target(self, jump: int) -> tuple[int, int]:
        """Address and size of the list that a register jumps to."""
        channel = jump - _JUMPS[0]
        registers = self.state.registers
        return (registers[_PLACES + channel] & 0x0FFFFFFF) << 3 & 0xFFFFFFFF, (registers[_SIZES + channel] & 0xFFFFF) << 3

    def _walk(self, words: Sequence[int], address: int, place: Place) -> tuple[int, int] | None:
        """The commands of a list; the list that it goes on with, if there is one."""
        write = self.state.write
        for word, register, mask, values, consecutive, cut in commands(words):
            self.commands += 1
            if self.commands > _MOST_COMMANDS:
                self.report(f"the lists have more than {_MOST_COMMANDS} commands", place, "split the recording")
                return None
            if cut:
                self.report(
                    f"the command at word {word} of the list at 0x{address:08X} goes on after its end",
                    place,
                    "correct the size of the list, or the number of values in the header",
                )
            parts = [(register + n, (value,)) for n, value in enumerate(values)] if consecutive else [(register, values)]
            for number, some in parts:
                if number >= REGISTERS:
                    continue
                if self._vertices and not _FIXED_INDEX <= number < _FIXED_DATA.stop:
                    self._flush()
                if 0x22E <= number <= 0x23D or number == _FINALIZE:
                    if number in _JUMPS:
                        return self._target(number)
                    self._where = Where(place, address, word)
                    write(number, mask, some)
                    if number in _FIXED_DATA:
                        self._fixed(some)
                    elif number == _FIXED_INDEX:
                        self._flush()
                        self._fifo, self._vertex = [], []
                    elif number in (_DRAW_ARRAYS, _DRAW_ELEMENTS):
                        for _ in some:
                            self._draw(ARRAYS if number == _DRAW_ARRAYS else ELEMENTS, ())
                    elif number == _FINALIZE:
                        return None  # an interrupt of the end, at which the GPU stops: Azahar a2d16d4, irq_autostop
                    continue
                lost = write(number, mask, some)
                if lost:
                    self.report(
                        f"{lost} words sent to register 0x{number:03X} do not fit the memory (word {word} of the list at "
                        f"0x{address:08X})",
                        place,
                        "send at most 4096 instructions and 128 operand descriptors",
                    )
        return None

    def _fixed(self, values: Sequence[int]) -> None:
        """Words for default attributes, or for vertices of immediate mode."""
        self._fifo += values
        while len(self._fifo) >= 3:
            vector: Vector = (PACKED, tuple(self._fifo[:3]))
            del self._fifo[:3]
            index = self.state.registers[_FIXED_INDEX] & 0xF
            if index != _IMMEDIATE_MODE:
                self.state.defaults[index] = vector
                self._defaults = None
                self.state.registers[_FIXED_INDEX] = index + 1
                continue
            self._vertex.append(vector)
            if len(self._vertex) > self.state.registers[_NUM_ATTR] & 0xF:
                self._vertices.append(tuple(self._vertex))
                self._vertex = []

    def _flush(self) -> None:
        """The vertices of immediate mode so far are a draw."""
        if self._vertices:
            vertices, self._vertices = tuple(self._vertices), []
            self._draw(IMMEDIATE, vertices)

    def _draw(self, kind: str, immediate: tuple[tuple[Vector, ...], ...]) -> None:
        state = self.state
        if len(self.draws) >= _MOST_DRAWS:
            if len(self.draws) == _MOST_DRAWS:
                self.report(f"more than {_MOST_DRAWS} draws", self._where.place, "split the recording")
            return
        if self._defaults is None:
            self._defaults = tuple(state.defaults)
        self.draws.append(
            Draw(
                number=len(self.draws),
                frame=self.frame,
                in_frame=self.in_frame,
                kind=kind,
                where=self._where,
                registers=tuple(state.registers),
                known=bytes(state.known),
                vertex=state.vertex.at(),
                geometry=state.geometry.at(),
                defaults=self._defaults,
                immediate=immediate,
                memory=self.memory.at(),
            )
        )
        self.in_frame += 1
