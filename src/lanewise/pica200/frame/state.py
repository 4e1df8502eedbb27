"""The state of the GPU that a draw depends on: registers, both shader units, default attributes.

Sources: 3dbrew, GPU/Internal Registers; azahar-emu/azahar a2d16d4, video_core/pica/pica_core.cpp. Open questions are rows of
`isa.facts`: shared_units, half_sent_uniforms, wide_uniforms, fixed_attributes, finalized_lists.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.frame.commands import BYTES, WHOLE
from lanewise.pica200.frame.recording import REGISTERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.frame.recording import Initial

CODE, DESCRIPTORS, UNIFORMS, DEFAULTS = 4096, 128, 96, 16
VERTEX, GEOMETRY = 0x2B0, 0x280  # first register of each unit
_UNIT = 0x30
_GEOSTAGE, _COM_MODE = 0x229, 0x244

# A vector as it was sent: three words of packed float24, four of float32 (w first), or four float24 components, some of them
# unknown. None was never written.
PACKED, WIDE, GIVEN = range(3)
if TYPE_CHECKING:
    Vector = tuple[int, tuple[int | None, ...]]


def unpacked(words: Sequence[int]) -> tuple[int, int, int, int]:
    """x, y, z and w of three words of packed float24. Source: 3dbrew, GPUREG_FIXEDATTRIB_DATAi."""
    first, second, third = words
    return (
        third & 0xFFFFFF,
        third >> 24 | (second & 0xFFFF) << 8,
        second >> 16 | (first & 0xFF) << 16,
        first >> 8,
    )


def packed(vector: Sequence[int]) -> tuple[int, int, int]:
    """The three words of x, y, z and w as float24."""
    x, y, z, w = vector
    return (w << 8 | z >> 16, (z & 0xFFFF) << 16 | y >> 8, (y & 0xFF) << 24 | x)


def components(vector: Vector) -> tuple[int | None, ...]:
    """x, y, z and w of a vector: float24 words, or float32 words of a wide one."""
    kind, words = vector
    if kind == PACKED:
        a, b, c = words
        return unpacked((a or 0, b or 0, c or 0))
    return words[::-1] if kind == WIDE else words


class UnitState(Record):
    """A shader unit at a moment."""

    code: tuple[int, ...]
    "Words, up to the end of what was sent last."
    descriptors: tuple[int, ...]
    "Operand descriptors, up to the last that was sent."
    uniforms: tuple[Vector | None, ...]
    "Float uniforms; None was never written."
    version: int
    "Number that changes with code and descriptors."


class Unit:
    """A shader unit that is being written."""

    code: list[int]
    descriptors: list[int]
    end: int
    descriptor_end: int
    version: int

    def __init__(self) -> None:
        self.code, self.descriptors = [0] * CODE, [0] * DESCRIPTORS
        self.uniforms: list[Vector | None] = [None] * UNIFORMS
        self.end = self.descriptor_end = self.version = 0
        self._code_at = self._descriptor_at = self._uniform_at = 0
        self._wide = False
        self._fifo: list[int] = []
        self._program: tuple[tuple[int, ...], tuple[int, ...]] | None = None
        self._floats: tuple[Vector | None, ...] | None = None

    def at(self) -> UnitState:
        if self._program is None:
            self._program = tuple(self.code[: self.end]), tuple(self.descriptors[: self.descriptor_end])
        if self._floats is None:
            self._floats = tuple(self.uniforms)
        return UnitState(self._program[0], self._program[1], self._floats, self.version)

    def seek_uniform(self, value: int) -> None:
        self._uniform_at, self._wide, self._fifo = value & 0xFF, bool(value >> 31), []

    def seek_code(self, value: int) -> None:
        self._code_at = value & 0xFFF
        if not self._code_at:
            self.end = 0  # another program
            self._program = None

    def seek_descriptors(self, value: int) -> None:
        self._descriptor_at = value & 0xFFF

    def send_uniforms(self, values: Sequence[int]) -> None:
        self._fifo += values
        size, at = (4 if self._wide else 3), 0
        while len(self._fifo) - at >= size:
            words = tuple(self._fifo[at : at + size])
            at += size
            if self._uniform_at < UNIFORMS:
                self.uniforms[self._uniform_at] = (WIDE if self._wide else PACKED, words)
                self._uniform_at += 1
        del self._fifo[:at]
        if at:
            self._floats = None

    def send_code(self, values: Sequence[int]) -> int:
        """Write words; the number of those that do not fit."""
        kept = values[: CODE - self._code_at]
        self.code[self._code_at : self._code_at + len(kept)] = kept
        self._code_at += len(kept)
        self.end = max(self.end, self._code_at)
        self._changed()
        return len(values) - len(kept)

    def send_descriptors(self, values: Sequence[int]) -> int:
        """Write operand descriptors; the number of those that do not fit."""
        kept = values[: max(0, DESCRIPTORS - self._descriptor_at)]
        self.descriptors[self._descriptor_at : self._descriptor_at + len(kept)] = kept
        self._descriptor_at += len(kept)
        self.descriptor_end = max(self.descriptor_end, self._descriptor_at)
        self._changed()
        return len(values) - len(kept)

    def begin(
        self,
        code: Sequence[int] | None,
        descriptors: Sequence[int] | None,
        uniforms: Sequence[Sequence[int | None]] | None,
    ) -> None:
        """The state before the first event."""
        if code:
            self.seek_code(0)
            self.send_code(_trimmed(code))
        if descriptors:
            self.seek_descriptors(0)
            self.send_descriptors(_trimmed(descriptors))
        for number, vector in enumerate((uniforms or ())[:UNIFORMS]):
            self.uniforms[number] = (GIVEN, tuple(vector))

    def _changed(self) -> None:
        self._program = None
        self.version += 1


def _trimmed(words: Sequence[int]) -> Sequence[int]:
    end = len(words)
    while end and not words[end - 1]:
        end -= 1
    return words[:end]


class State:
    """The GPU as a stream writes it."""

    registers: list[int]
    known: bytearray
    vertex: Unit
    geometry: Unit

    def __init__(self, initial: Initial) -> None:
        self.registers = [0] * REGISTERS
        self.known = bytearray(REGISTERS)  # bytes of each register that are known, as a mask
        self.vertex, self.geometry = Unit(), Unit()
        self.defaults: list[Vector | None] = [None] * DEFAULTS
        if initial.registers is not None:
            self.registers[:] = initial.registers
            self.known[:] = bytes([WHOLE]) * REGISTERS
        for number, vector in enumerate((initial.defaults or ())[:DEFAULTS]):
            self.defaults[number] = (GIVEN, tuple(vector))
        self.vertex.begin(initial.code, initial.descriptors, initial.uniforms)
        self.geometry.begin(initial.geometry_code, initial.geometry_descriptors, initial.geometry_uniforms)

    @property
    def shared(self) -> bool:
        """Whether what the vertex unit is sent goes to the geometry unit too. Source: 3dbrew, GPUREG_VSH_COM_MODE; Azahar
        a2d16d4, pica_core.cpp."""
        return not self.registers[_COM_MODE] & 1 and not self.registers[_GEOSTAGE] & 3

    def write(self, register: int, mask: int, values: Sequence[int]) -> int:
        """Write values to one register, one after another; the number of words that do not fit a memory."""
        bits = BYTES[mask]
        self.registers[register] = value = self.registers[register] & ~bits | values[-1] & bits
        self.known[register] |= mask
        if not GEOMETRY <= register < VERTEX + _UNIT:
            return 0
        if register < VERTEX:
            return self._send(register - GEOMETRY, value, values, (self.geometry,))
        shared = self.shared
        number = register - VERTEX
        if shared and number in _COPIED:
            self.registers[GEOMETRY + number] = value
            self.known[GEOMETRY + number] |= self.known[register]
        return self._send(number, value, values, (self.vertex, self.geometry) if shared else (self.vertex,))

    @staticmethod
    def _send(number: int, value: int, values: Sequence[int], units: tuple[Unit, ...]) -> int:
        lost = 0
        if 0x11 <= number <= 0x18:
            for unit in units:
                unit.send_uniforms(values)
        elif 0x1C <= number <= 0x23:
            lost = max([unit.send_code(values) for unit in units])
        elif 0x26 <= number <= 0x2D:
            lost = max([unit.send_descriptors(values) for unit in units])
        elif number == 0x10:
            for unit in units:
                unit.seek_uniform(value)
        elif number == 0x1B:
            for unit in units:
                unit.seek_code(value)
        elif number == 0x25:
            for unit in units:
                unit.seek_descriptors(value)
        return lost


# Registers of the vertex unit that the geometry unit shares: booleans, integers, mask of outputs. Source: Azahar a2d16d4,
# pica_core.cpp.
_COPIED = frozenset([0x00, 0x01, 0x02, 0x03, 0x04, 0x0D])
