"""A core as a bench sees it: ports and handshakes of an entity, and the steps of a bench of it.

    Entity ---+
    words     +-- steps() -> Load, Start, Read ... -- entity_languages.LANGUAGES -> VHDL, Verilog, cocotb
    waves ----+

A bench is a list of steps, the same in every language: write a row of a memory, start a wave, wait for its end and compare the
cycles, read a row and compare it.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.table import FILES, LANES, QUADS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Place = tuple[str, int, int]

HIGH, LOW = "high", "low"
LANE, QUAD, COMPONENT, NUMBER, FILE = FIELDS = ("lane", "quad", "component", "number", "file")
UNITS = LANES // QUADS
ROW_WIDTHS = {32: LANE, 32 * UNITS: QUAD, 32 * LANES: ""}  # of registers: the field of the address that says whose they are
_BITS = {LANE: 4, QUAD: 2, COMPONENT: 2, NUMBER: 3, FILE: 2}


class Signal(Record):
    """A port of one bit."""

    port: str
    active: str = HIGH
    "`HIGH` or `LOW`."

    @property
    def on(self) -> int:
        return int(self.active == HIGH)


class Access(Record):
    """Ports through which a core reads or writes a memory outside it."""

    enable: Signal | None
    "The port that says to read or write; None: each edge does."
    address: tuple[str, ...]
    "The ports of the address, the lowest first."
    data: str
    "The port of the row."


class Outside(Record):
    """A memory outside the core, which the bench is."""

    reads: tuple[Access, ...]
    "How the core reads it."
    write: Access | None
    "How the core writes it; None: it does not."
    latency: int
    "Clock edges with the enable from an address to its row."


class Part(Record):
    """Another entity that the bench connects to the core."""

    entity: str
    "Its name."
    inputs: Mapping[str, str]
    "Its inputs, and what drives them: the clock or an output of the core."
    outputs: Mapping[str, str]
    "Its outputs, and the inputs of the core that they drive."


class Setup(Record):
    """Inputs that are set before the first wave."""

    values: Mapping[str, int]
    "Values by port."
    cycles: int
    "Clock edges until the next step."


class Issue(Record):
    """The port that says when an instruction issues."""

    port: str
    "An output."
    bits: int
    "0: an instruction issues at each edge with 1. Else a pointer: at each edge after which it is another one, except 0."
    overhead: int
    "Clock edges from the start to the issue of the first instruction."


class Memory(Record):
    """Ports through which a bench reads or writes rows."""

    name: str
    "The table of the description: program, constants, registers or results."
    address: str
    "The port of the address."
    address_width: int
    "Its bits."
    data: str
    "The port of a row."
    width: int
    "Its bits."
    enable: Signal | None = None
    "The port that says to write, or to read; None: the address is enough."
    order: tuple[str, ...] = ()
    "Fields of an address of registers, `FIELDS`, the lowest first."
    files: str = ""
    "Register files by their number in an address."
    latency: int = 1
    "Clock edges from an address to its row."
    outside: Outside | None = None
    "How the core uses it where it is outside; the other ports are signals of the bench then."

    def address_of(self, place: Place, part: int) -> int:
        """The address of a register, and of its lane or quad."""
        file, number, component = place
        values = {LANE: part, QUAD: part, COMPONENT: component, NUMBER: number, FILE: self.files.find(file)}
        address = low = 0
        for field in self.order:
            address |= values[field] << low
            low += self.field_bits(field)
        return address

    def field_bits(self, field: str) -> int:
        return max(0, (len(self.files) - 1).bit_length()) if field == FILE else _BITS[field]

    @property
    def needed(self) -> int:
        """Bits that the addresses of registers need."""
        return sum([self.field_bits(field) for field in self.order])

    def rows(self, registers: Mapping[Place, Sequence[int]]) -> Iterator[tuple[int, int, str]]:
        """Address, row and name of registers with their 16 lanes, the first of a row in its low bits."""
        lanes = self.width // 32
        for place, values in registers.items():
            for part in range(LANES // lanes):
                row = sum([values[lanes * part + n] << 32 * n for n in range(lanes)])
                names = f"lane {part}" if lanes == 1 else f"lanes {lanes * part} to {lanes * part + lanes - 1}"
                yield self.address_of(place, part), row, f"{place[0]}{place[1]}.{'xyzw'[place[2]]}, {names}"


class Entity(Record):
    """The ports and handshakes of a core."""

    name: str
    "The entity or module."
    clock: str
    "The port of the clock."
    rising: bool
    "The edge of the clock that counts is the rising one."
    period: int
    "Nanoseconds of a cycle, an even number."
    reset: Signal | None
    "The port of the reset; None: the core needs none."
    reset_cycles: int
    "Clock edges with the reset."
    program: Memory
    "Through which machine words are written."
    constants: Memory | None
    "Through which constants are written; None: programs have none."
    registers: Memory
    "Through which registers are written before a wave."
    results: Memory
    "Through which registers are read after a wave."
    start: Signal
    "The port that starts a wave."
    start_cycles: int
    "Clock edges with the start."
    done: Signal
    "The port that says that the wave has ended."
    overhead: int
    "Clock edges from the start until the core is done, besides the cycles of the wave."
    inputs: Mapping[str, tuple[int, int]]
    "Other inputs: bits and value, which stays."
    outputs: Mapping[str, int]
    "Other outputs, and their bits."
    limit: int
    "Clock edges after which a wave is given up."
    issue: Issue | None = None
    "When instructions issue; None: it is not compared."
    setup: tuple[Setup, ...] = ()
    "What comes after the reset."
    parts: tuple[Part, ...] = ()
    "Other entities."

    @property
    def outside(self) -> tuple[Memory, ...]:
        """The memories that the bench is; `results` is that of the registers."""
        return tuple([memory for memory in self.memories if memory.outside is not None and memory is not self.results])

    @property
    def driven(self) -> dict[str, bool]:
        """Inputs that memories or parts drive, and whether it is a part."""
        found = {access.data: False for memory in self.outside if memory.outside for access in memory.outside.reads}
        return found | {port: True for part in self.parts for port in part.outputs.values()}

    @property
    def memories(self) -> tuple[Memory, ...]:
        found = (self.program, self.constants, self.registers, self.results)
        return tuple([memory for memory in found if memory is not None])

    def ports(self) -> dict[str, tuple[bool, int]]:
        """The ports without the clock: whether it is an output, and its bits, 0 for one that is no vector."""
        found: dict[str, tuple[bool, int]] = {}
        for signal in (self.reset, self.start):
            if signal is not None:
                found[signal.port] = (False, 0)
        found[self.done.port] = (True, 0)
        if self.issue is not None:
            found[self.issue.port] = (True, self.issue.bits)
        for memory in self.memories:
            if memory.outside is None:
                found |= self._ports_of(memory)
        found |= {name: (False, bits) for name, (bits, _) in self.inputs.items()}
        return found | {name: (True, bits) for name, bits in self.outputs.items()}

    def signals(self) -> dict[str, tuple[bool, int]]:
        """Signals between the bench and its memories, as `ports`."""
        found: dict[str, tuple[bool, int]] = {}
        for memory in self.memories:
            if memory.outside is not None:
                found |= self._ports_of(memory)
        return found

    def _ports_of(self, memory: Memory) -> dict[str, tuple[bool, int]]:
        found = {} if memory.enable is None else {memory.enable.port: (False, 0)}
        return {
            **found,
            memory.address: (False, memory.address_width),
            memory.data: (memory is self.results, memory.width),
        }

    def idle(self) -> dict[str, int]:
        """The first values of the inputs and of what the bench drives."""
        ports = {**self.ports(), **self.signals()}
        values = {name: 0 for name, (output, _) in ports.items() if not output}
        values |= {name: value for name, (_, value) in self.inputs.items()}
        for signal in (self.reset, self.start, *(memory.enable for memory in self.memories)):
            if signal is not None:
                values[signal.port] = 1 - signal.on
        return {name: value for name, value in values.items() if name not in self.driven}


class Load(Record):
    """Write a row."""

    memory: Memory
    address: int
    row: int


class Start(Record):
    """Start a wave, wait for its end, and compare the cycles."""

    wave: int
    cycles: int
    "From the edge that sees the start to the one after which the core is done."
    issues: tuple[int, ...] = ()
    "The cycle of each issue, the same in each wave; empty: not compared."


class Read(Record):
    """Read a row and compare it."""

    memory: Memory
    address: int
    row: int
    "The expected row."
    label: str
    "What it is, with the wave."


Step = Load | Start | Read


class Wave(Record):
    """The registers before and after a wave."""

    inputs: Mapping[Place, Sequence[int]]
    "The patterns of 16 lanes that are written before it."
    results: Mapping[Place, Sequence[int]]
    "The patterns of 16 lanes that are compared after it."


class Work(Record):
    """A program with its data."""

    rows: Sequence[int]
    "Rows of the program memory."
    constants: Mapping[tuple[int, int], int]
    "Patterns by (number, component)."
    waves: Sequence[Wave]
    "Their registers."
    cycles: int
    "Of each wave."
    issues: Sequence[int]
    "The cycle of each issue of a wave, from the first."


def steps(entity: Entity, work: Work) -> list[Step]:
    """The steps of a bench."""
    found: list[Step] = [Load(entity.program, address, row) for address, row in enumerate(work.rows)]
    if entity.constants is not None:
        found += [Load(entity.constants, address, row) for address, row in _constant_rows(entity.constants, work.constants)]
    issue = entity.issue
    issues = () if issue is None else tuple([issue.overhead + cycle for cycle in work.issues])
    for n, wave in enumerate(work.waves):
        found += [Load(entity.registers, address, row) for address, row, _ in entity.registers.rows(wave.inputs)]
        found.append(Start(n, work.cycles + entity.overhead, issues))
        found += [Read(entity.results, at, row, f"wave {n}: {name}") for at, row, name in entity.results.rows(wave.results)]
    return found


def _constant_rows(memory: Memory, constants: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Rows of a component, or of the four components of a register."""
    count = memory.width // 32
    rows: dict[int, int] = {}
    for (number, component), value in constants.items():
        index = 4 * number + component
        rows[index // count] = rows.get(index // count, 0) | value << 32 * (index % count)
    return sorted(rows.items())


def places(files: str) -> list[Place]:
    """All registers of some files."""
    return [(file, number, component) for file in files for number in range(FILES[file].size) for component in range(4)]
