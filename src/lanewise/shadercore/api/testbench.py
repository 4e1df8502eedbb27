"""A self-checking VHDL test bench of a program for a ShaderCore in hardware: `data.vhd`, `bench.vhd` and `README.md`.

The names of ports are those of the entities `ShaderCore`, `FloatALU`, `UNORM8ToFloat` and `VertexStreamCache` of the public
hardware description (code-tom-code/FPGAGPUTesting, CPUDrivenGPUTest4); nothing else of that project is here. What the memories
around the core have to be is measured (reference 0): read data three clock edges after the address, every stage only where the
port is enabled, and a read in the cycle of a write gets the old word.

The bench loads program, constants and registers by giving the memories their first contents, sets the vertex streams, starts
shading, and compares the cycle of every issue, the stalls, every vertex that leaves the core, and every register at the end
with what the data expect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.record import Record
from lanewise.core.text.counting import counted
from lanewise.shadercore.api.testbench_vhdl import (
    ALU_PORTS,
    BENCH_FILE,
    CACHE_PORTS,
    DATA_FILE,
    ENTITY,
    FILES,
    FIRST_FETCH,
    LAST_FETCH,
    MARK,
    PACKAGE,
    PORTS,
    README_FILE,
    RUN,
    SHOWN,
    UNITS,
    WAIT,
    bench,
)
from lanewise.shadercore.isa.codec import Inst, encode
from lanewise.shadercore.isa.table import FILES as REGISTER_FILES
from lanewise.shadercore.isa.table import LANES, NOP, QUADS, SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LINE_DWORDS = 8  # of a line of memory; streams begin at one
_REGISTERS = QUADS * 128
_BATCH_BITS = 544  # of a word of the FIFO of batches
_EXPORTED = 10  # words of a vertex that leaves the core

Place = tuple[str, int, int]  # file, number, component
PortWord = tuple[int, int, Place, tuple[int, ...]]  # cycle, quad, register, four lanes


class Stream(Record):
    """A stream descriptor of a bench."""

    number: int
    "The number of the input register."
    dwords: int
    "DWORDs of an element."
    color: bool
    "The element is a D3DCOLOR."
    stride: int
    "DWORDs from one vertex to the next."
    offset: int
    "DWORDs before an element."
    base: int = 0
    "The DWORD at which the memory of the stream begins, a multiple of `LINE_DWORDS`."


class Draw(NamedTuple):
    """Streams in the order of their descriptors, the memory that they read, and the indices of each wave's vertices, 1 to
    16."""

    streams: Sequence[Stream]
    memory: Sequence[int]
    batches: Sequence[Sequence[int]]


class Expected(Record):
    """The behaviour that the bench compares with."""

    issues: Sequence[int]
    "The cycle of each issue of a wave, from the first issue."
    o_stalls: int
    "Cycles that a wave waits for the write port."
    i_stalls: int
    "Cycles that a wave waits for sources."
    run_cycles: int
    "Cycles of a wave until END has issued."
    wait_cycles: int
    "Cycles that END waits for writes."
    exports: Sequence[Sequence[int]]
    "Ten words for each vertex, in the order of `sem.steps.EXPORTS`."
    registers: Mapping[Place, Sequence[int]]
    "The patterns of 16 lanes at the end, of all components of registers."
    hit_cycles: Sequence[int] = ()
    "Cycles of the fetch of each wave if the cache has all data; empty: not defined, and not compared."
    misses: Sequence[int] = ()
    "DWORDs of the fetch of each wave that the cache lacks."
    miss_cycles: int = 0
    "Cycles that a miss adds besides the latency of the memory."


class Case(Record):
    """A program with its data."""

    words: Sequence[int]
    "Machine words of 64 bits."
    constants: Mapping[tuple[int, int], int]
    "Patterns by (number, component)."
    registers: Mapping[Place, Sequence[int]]
    "The patterns of 16 lanes before the first wave; registers that are not here are 0."
    draw: Draw
    "The streams, their memory and the vertices of each wave."
    expected: Expected | None = None
    "The behaviour to compare with; None: the bench compares nothing."


class Measured(Record):
    """The results of a run of the bench with TRACE."""

    issue_cycle: list[int]
    "The cycle of each issue of the first wave, from its first issue."
    o_stalls: int
    "Cycles that a wave waits for the write port."
    i_stalls: int
    "Cycles that a wave waits for sources."
    run_cycles: int
    "Cycles of a wave until END has issued."
    wait_cycles: int
    "Cycles that END waits for writes."
    registers: dict[Place, tuple[int, ...]]
    "The patterns of 16 lanes at the end, of all components of registers."
    issues: list[list[int]]
    "The cycles of the issues of every wave, each from the first issue of the wave."
    exports: list[tuple[int, ...]]
    "Ten words for each vertex, in the order of `sem.steps.EXPORTS`."
    writes: list[list[PortWord]]
    "The write port in each cycle of every wave while it runs and waits, cycles from the first issue of the wave."
    fetches: list[int]
    "Cycles of the fetch of every wave."


def files(case: Case, name: str, device: str) -> dict[str, str]:
    """The files of a bench by name; `name` is that of the program, `device` what the expected values are of."""
    return {README_FILE: _readme(case, name, device), DATA_FILE: data_package(case), BENCH_FILE: bench()}


def _readme(case: Case, name: str, device: str) -> str:
    waves, vertices = len(case.draw.batches), sum(map(len, case.draw.batches))
    return f"""# Test bench of {name}

Files {MARK}: a program for ShaderCore with its data, and what the device `{device}` expects, to be run with GHDL against a \
hardware description.

- `{DATA_FILE}`: {counted(len(case.words), "slot")}, constants, registers before the first wave, \
{counted(vertices, "vertex", "vertices")} in {counted(waves, "wave")}, expected values.
- `{BENCH_FILE}`: the bench. It connects the entities ShaderCore, FloatALU and UNORM8ToFloat with memories of its own.

## Run it

RTL is the folder of your sources, such as CPUDrivenGPUTest4/CPUDrivenGPUTest4.srcs/sources_1/new of \
code-tom-code/FPGAGPUTesting:

```sh
ghdl -i --std=08 -frelaxed -Wno-binding {DATA_FILE} {BENCH_FILE} \\
  $RTL/PacketType.vhd $RTL/FloatALU_Types.vhd $RTL/FloatALU.vhd $RTL/FloatALU/FloatALU_CMP.vhd $RTL/FloatALU/FloatALU_CNV.vhd \\
  $RTL/FloatALU/FloatALU_RSQ.vhd $RTL/FloatALU/FloatALU_SHFT.vhd $RTL/FloatALU/FloatCommon.vhd $RTL/UNORM8ToFloat.vhd \\
  $RTL/VertexPipeline/ShaderCore.vhd $RTL/VertexPipeline/VertexStreamCache.vhd
ghdl -m --std=08 -frelaxed -Wno-binding {ENTITY}
ghdl -r --std=08 -frelaxed -Wno-binding {ENTITY} --ieee-asserts=disable
```

The last command prints `PASS`, or a line `FAIL` for each difference (the first {SHOWN}) and ends with an error. Options after \
the name of the bench:

- `-gCACHE=true -gLATENCY=20`: with the entity VertexStreamCache and a memory that answers 20 cycles after a request; cycles \
of the fetch are compared too.
- `-gTRACE=true`: print issues, every cycle of the write port, vertices and registers.
- `-gLIMIT=1000000`: so many cycles for a wave before the run is given up.
- `--wave=run.ghw`: a waveform for GTKWave.

## What is compared

For each wave: the cycle of each issue, counted from the first, stalls for the write port and for sources, cycles until END \
has issued and that it
waits for writes. For each vertex: the ten words that leave the core (o0.xyzw, o2.xy, o1.xyzw). At the end: all registers, 16 \
lanes each.

Cycles are found by the ports DBG_CurrentState ({RUN}: running, {WAIT}: waiting for writes, {FIRST_FETCH} to {LAST_FETCH}: \
fetching), DBG_InstructionPointer, DBG_OStall and DBG_IStall.
A core with other ports needs another instance `core` in `{BENCH_FILE}`.
"""


# Data of a program


def data_package(case: Case) -> str:
    """The package with the program, its data and what is expected."""
    draw, expected = case.draw, case.expected
    cells = [(number * 4 + component, value) for (number, component), value in case.constants.items()]
    memory = [*draw.memory, *[0] * (-len(draw.memory) % LINE_DWORDS or LINE_DWORDS * (not draw.memory))]
    exports = [sum(word << 32 * n for n, word in enumerate(words)) for words in expected.exports] if expected else []
    lines = [
        f"-- The program and its data, {MARK}.",
        "library ieee; use ieee.std_logic_1164.all;",
        f"package {PACKAGE} is",
        *(
            f"  type words{bits} is array (natural range <>) of std_logic_vector({bits - 1} downto 0);"
            for bits in (32, 64, 128, 320, _BATCH_BITS)
        ),
        "  type naturals is array (natural range <>) of natural;",
        "  type stream_t is record number, dwords, color, stride, offset, address : natural; end record;  -- address in bytes",
        "  type streams_t is array (natural range <>) of stream_t;",
        *_words("PROGRAM_WORDS", 64, SLOTS, enumerate(case.words), encode(Inst(op=NOP))),
        *_words("CONSTANTS", 32, 4 * REGISTER_FILES["c"].size, sorted(cells)),
        *_words("FIRST_REGISTERS", 128, _REGISTERS, _register_rows(case.registers)),
        *_words("VERTICES", 32, len(memory), enumerate(memory)),
        *_streams(draw.streams),
        f"  constant WAVES : natural := {len(draw.batches)};",
        *_words(
            "BATCHES", _BATCH_BITS, len(draw.batches) + 1, ((n, _batch(indices)) for n, indices in enumerate(draw.batches))
        ),
        "  -- Expected; cycles are those of a wave.",
        f"  constant CHECKED : boolean := {'true' if expected else 'false'};",
        *_naturals("EXPECTED_ISSUES", expected.issues if expected else ()),
        *(
            f"  constant EXPECTED_{name} : natural := {value};"
            for name, value in zip(
                ("O_STALLS", "I_STALLS", "RUN", "WAIT"), expected[1:5] if expected else (0,) * 4, strict=True
            )
        ),
        *_words("EXPECTED_EXPORTS", 32 * _EXPORTED, max(1, len(exports)), enumerate(exports)),
        *_words("EXPECTED_REGISTERS", 128, _REGISTERS, _register_rows(expected.registers if expected else {})),
        f"  constant FETCH_CHECKED : boolean := {'true' if expected and expected.hit_cycles else 'false'};",
        *_naturals("EXPECTED_HIT_CYCLES", expected.hit_cycles if expected else ()),
        *_naturals("EXPECTED_MISSES", expected.misses if expected else ()),
        f"  constant MISS_CYCLES : natural := {expected.miss_cycles if expected else 0};",
        f"end package {PACKAGE};",
    ]
    return "\n".join(lines) + "\n"


def _words(name: str, bits: int, size: int, rows: Iterable[tuple[int, int]], rest: int = 0) -> list[str]:
    """A constant array: words by address, and what all other addresses hold."""
    lines = [f'    {address} => x"{word:0{bits // 4}X}",' for address, word in rows if word != rest]
    return [f"  constant {name} : words{bits}(0 to {size - 1}) := (", *lines, f'    others => x"{rest:0{bits // 4}X}");']


def _naturals(name: str, values: Sequence[int]) -> list[str]:
    listed = ", ".join(f"{n} => {value}" for n, value in enumerate(values or (0,)))
    return [f"  constant {name} : naturals(0 to {max(0, len(values) - 1)}) := ({listed});"]


def _streams(streams: Sequence[Stream]) -> list[str]:
    rows = [
        f"    {n} => ({s.number}, {s.dwords}, {int(s.color)}, {s.stride}, {s.offset}, {4 * s.base})"
        for n, s in enumerate(streams)
    ]
    return [f"  constant STREAMS : streams_t(0 to {len(streams) - 1}) := (", ",\n".join(rows) + ");"]


def _batch(indices: Sequence[int]) -> int:
    """A batch: indices in the low 256 bits, and how many there are in the five above."""
    return sum(index << 16 * n for n, index in enumerate(indices)) | len(indices) << 16 * LANES


def _register_rows(registers: Mapping[Place, Sequence[int]]) -> list[tuple[int, int]]:
    """Addresses are quad, file, number, component; a word has the four lanes of a quad, the first of them lowest."""
    return sorted(
        (address_of(quad, place), sum(lanes[UNITS * quad + unit] << 32 * unit for unit in range(UNITS)))
        for place, lanes in registers.items()
        for quad in range(QUADS)
    )


def address_of(quad: int, place: Place) -> int:
    file, number, component = place
    return quad << 7 | FILES.index(file) << 5 | number << 2 | component


def parse(text: str) -> Measured:
    """Read the text that a traced run of the bench printed. Raises ValueError for a program that did not end."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if ["timeout"] in lines:
        raise ValueError("the program did not end")
    waves: list[list[int]] = [[]]
    written: list[list[PortWord]] = [[]]
    for line in lines:
        if line[0] == "issue":
            waves[-1].append(int(line[1]))
        elif line[0] == "write":
            written[-1].append((int(line[1]), *_port_word(int(line[2]), int(line[3], 16))))
        elif line[0] == "wave":
            waves.append([])
            written.append([])
    issues = [[issue - wave[0] for issue in wave] for wave in waves if wave]
    writes = [
        [(cycle - wave[0], quad, place, data) for cycle, quad, place, data in rows]
        for wave, rows in zip(waves, written, strict=True)
        if wave
    ]
    exports = [
        tuple(int(line[1], 16) >> 32 * n & 0xFFFFFFFF for n in range(_EXPORTED)) for line in lines if line[0] == "vertex"
    ]
    fetches = [int(line[1]) for line in lines if line[0] == "fetch"]
    (cycles,) = [line for line in lines if line[0] == "cycles"]
    (stalls,) = [line for line in lines if line[0] == "stalls"]
    cells = {int(line[1]): int(line[2], 16) for line in lines if line[0] == "register"}
    registers: dict[Place, tuple[int, ...]] = {}
    for file in FILES:
        for number in range(8):
            for component in range(4):
                place = (file, number, component)
                words = [cells[address_of(quad, place)] for quad in range(QUADS)]
                registers[place] = tuple(word >> 32 * unit & 0xFFFFFFFF for word in words for unit in range(UNITS))
    return Measured(
        issue_cycle=issues[0],
        o_stalls=int(stalls[1]),
        i_stalls=int(stalls[2]),
        run_cycles=int(cycles[1]),
        wait_cycles=int(cycles[2]),
        registers=registers,
        issues=issues,
        exports=exports,
        writes=writes,
        fetches=fetches,
    )


def _port_word(address: int, data: int) -> tuple[int, Place, tuple[int, ...]]:
    place = (FILES[address >> 5 & 3], address >> 2 & 7, address & 3)
    return address >> 7, place, tuple(data >> 32 * unit & 0xFFFFFFFF for unit in range(UNITS))


__all__ = [
    "ALU_PORTS",
    "BENCH_FILE",
    "CACHE_PORTS",
    "DATA_FILE",
    "ENTITY",
    "FILES",
    "LINE_DWORDS",
    "MARK",
    "PACKAGE",
    "PORTS",
    "README_FILE",
    "UNITS",
    "Case",
    "Draw",
    "Expected",
    "Measured",
    "Place",
    "PortWord",
    "Stream",
    "address_of",
    "bench",
    "data_package",
    "files",
    "parse",
]
