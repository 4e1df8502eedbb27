"""A self-checking VHDL test bench of a program for a ShaderCore in hardware: `data.vhd`, `bench.vhd` and `README.md`.

The names of ports are those of the entities `ShaderCore`, `FloatALU`, `UNORM8ToFloat` and `VertexStreamCache` of the public hardware description
(code-tom-code/FPGAGPUTesting, CPUDrivenGPUTest4); nothing else of that project is here. What the memories around the core have to be is measured
(reference 0): read data three clock edges after the address, every stage only where the port is enabled, and a read in the cycle of a write gets the
old word.

The bench loads program, constants and registers by giving the memories their first contents, sets the vertex streams, starts shading, and compares
the cycle of every issue, the stalls, every vertex that leaves the core, and every register at the end with what the data expect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.text.counting import counted
from lanewise.shadercore.isa.codec import Inst, encode
from lanewise.shadercore.isa.table import FILES as REGISTER_FILES
from lanewise.shadercore.isa.table import LANES, NOP, QUADS, SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ENTITY, PACKAGE = "lanewise_bench", "lanewise_data"
DATA_FILE, BENCH_FILE, README_FILE = "data.vhd", "bench.vhd", "README.md"
MARK = "written by lanewise rtl"
UNITS = LANES // QUADS
FILES = "vorx"  # register types of the register file, by number (reference 1)
LINE_DWORDS = 8  # of a line of memory; streams begin at one
_REGISTERS = QUADS * 128
_RUN, _WAIT = 30, 31  # states runShader and waitForWritesToComplete
_FIRST_FETCH, _LAST_FETCH = 13, 25  # states of the vertex fetch
_SET_STREAM, _START = 3, 4  # commands (reference 4)
_LONGEST = 100_000  # clock cycles of a wave that never ends
_BATCH_BITS = 544  # of a word of the FIFO of batches
_EXPORTED = 10  # words of a vertex that leaves the core
_SHOWN = 40  # differences that are printed

# Ports of the core: name, whether it is an output, bits; 0 for one that is no vector.
PORTS = (
    ("clk", False, 0),
    ("CMD_IsIdle", True, 0), ("CMD_IsReadyForCommand", True, 0), ("CMD_InCommand", False, 3), ("CMD_LoadProgramAddr", False, 30),
    ("CMD_LoadProgramLen", False, 16), ("CMD_SetConstantIndex", False, 8), ("CMD_SetConstantData", False, 128),
    ("CMD_SetNumVertexStreams", False, 3), ("CMD_SetVertexStreamID", False, 3), ("CMD_SetVertexStreamDWORDCount", False, 3),
    ("CMD_SetVertexStreamIsD3DCOLOR", False, 0), ("CMD_SetVertexStreamShaderRegIndex", False, 3),
    ("CMD_SetVertexStreamDWORDStride", False, 6), ("CMD_SetVertexStreamDWORDOffset", False, 6),
    ("VBB_Done", False, 0), ("VERTBATCH_FIFO_empty", False, 0), ("VERTBATCH_FIFO_almost_empty", False, 0),
    ("VERTBATCH_FIFO_rd_data", False, 544), ("VERTBATCH_FIFO_rd_en", True, 0),
    ("VBO_Pushed", True, 0), ("VBO_NumVertices", True, 5), ("VBO_NumIndices", True, 7), ("VBO_IsIndexedDrawCall", True, 0),
    ("VBO_Ready", False, 0), ("VERTOUT_FIFO_full", False, 0), ("VERTOUT_FIFO_wr_data", True, 320), ("VERTOUT_FIFO_wr_en", True, 0),
    ("INDEXOUT_FIFO_full", False, 0), ("INDEXOUT_FIFO_wr_data", True, 272), ("INDEXOUT_FIFO_wr_en", True, 0),
    ("VSC_ReadEnable", True, 0), ("VSC_ReadStreamIndex", True, 3), ("VSC_ReadDWORDAddr", True, 22), ("VSC_ReadData", False, 32),
    ("VSC_ReadReady", False, 0), ("VSC_SetStreamVBAddress", True, 0), ("VSC_StreamIndex", True, 3), ("VSC_StreamVBAddress", True, 30),
    ("VSC_InvalidateCache", True, 0),
    ("ICache_Clk", True, 0), ("ICache_Enable", True, 0), ("ICache_WriteMode", True, 1), ("ICache_Address", True, 9),
    ("ICache_WriteData", True, 64), ("ICache_ReadData", False, 64),
    ("CB_Enable", True, 0), ("CB_WriteMode", True, 0), ("CB_RegIndex", True, 8), ("CB_RegComponent", True, 2),
    ("CB_ReadOutData", False, 32), ("CB_WriteInData", True, 32),
    ("GPR0_ReadQuadIndex", True, 2), ("GPR0_WriteQuadIndex", True, 2),
    ("GPR0_PortA_en", True, 0), ("GPR0_PortA_regType", True, 2), ("GPR0_PortA_regIdx", True, 3), ("GPR0_PortA_regChan", True, 2),
    ("GPR0_PortA_readOutData", False, 128),
    ("GPR0_PortB_en", True, 0), ("GPR0_PortB_regType", True, 2), ("GPR0_PortB_regIdx", True, 3), ("GPR0_PortB_regChan", True, 2),
    ("GPR0_PortB_readOutData", False, 128),
    ("GPR0_PortW_en", True, 0), ("GPR0_PortW_regType", True, 2), ("GPR0_PortW_regIdx", True, 3), ("GPR0_PortW_regChan", True, 2),
    ("GPR0_PortW_writeInData", True, 128),
    ("FPUALL_IN_MODE", True, 3), ("FPUALL_ISHFT_GO", True, 0), ("FPUALL_IMUL_GO", True, 0), ("FPUALL_IADD_GO", True, 0),
    ("FPUALL_ICMP_GO", True, 0), ("FPUALL_ICNV_GO", True, 0), ("FPUALL_ISPEC_GO", True, 0), ("FPUALL_IBIT_GO", True, 0),
    *((f"FPU{unit}_{port}", port != "OUT_RESULT", 32) for unit in range(UNITS) for port in ("IN_A", "IN_B", "OUT_RESULT")),
    ("UNORM8ToFloat_Enable", True, 0), ("UNORM8ToFloat_ColorIn", True, 32),
    *((f"UNORM8ToFloat_Converted{letter}", False, 32) for letter in "XYZW"),
    ("STAT_CyclesIdle", True, 32), ("STAT_CyclesSpentWorking", True, 32), ("STAT_CyclesExecShaderCode", True, 32),
    ("STAT_CyclesWaitingForOutput", True, 32), ("STAT_CurrentDrawEventID", True, 16),
    ("DBG_CurrentState", True, 6), ("DBG_CurrentFetchWave", True, 4), ("DBG_CurrentDWORD", True, 3), ("DBG_CurrentStreamID", True, 3),
    ("DBG_ActiveLanesBitmask", True, 17), ("DBG_InstructionPointer", True, 9), ("DBG_CurrentlyExecutingInstruction", True, 64),
    ("DBG_CyclesRemainingCurrentInstruction", True, 5), ("DBG_ReadRegisterOutRequest", False, 0),
    ("DBG_ReadRegisterOutDataReady", True, 0), ("DBG_ReadRegisterOutData", True, 128), ("DBG_PortW_MUX", True, 2),
    ("DBG_OStall", True, 0), ("DBG_IStall", True, 0),
)  # fmt: skip
ALU_PORTS = ("ISHFT_GO", "IMUL_GO", "IADD_GO", "ICMP_GO", "ICNV_GO", "ISPEC_GO", "IBIT_GO")
# Ports of the vertex cache that are not of the core: name, whether it is an output, bits.
CACHE_PORTS = (
    ("VertexCache_clk", True, 0), ("VertexCache_addra", True, 10), ("VertexCache_dina", True, 32), ("VertexCache_douta", False, 32),
    ("VertexCache_ena", True, 0), ("VertexCache_wea", True, 1),
    ("VSCReadRequestsFIFO_full", False, 0), ("VSCReadRequestsFIFO_wr_data", True, 30), ("VSCReadRequestsFIFO_wr_en", True, 0),
    ("VSCReadResponsesFIFO_rd_data", False, 256), ("VSCReadResponsesFIFO_empty", False, 0),
    ("VSCReadResponsesFIFO_almost_empty", False, 0), ("VSCReadResponsesFIFO_rd_en", True, 0),
)  # fmt: skip
_SHARED_CACHE_PORTS = (
    "VSC_ReadEnable", "VSC_ReadStreamIndex", "VSC_ReadDWORDAddr", "VSC_ReadData", "VSC_ReadReady", "VSC_SetStreamVBAddress", "VSC_StreamIndex",
    "VSC_StreamVBAddress", "VSC_InvalidateCache",
)  # fmt: skip

# Inputs of the core that stay as they are; all others that nothing drives are 0.
_ONES = ("VBB_Done", "VBO_Ready", "VERTBATCH_FIFO_almost_empty")

Place = tuple[str, int, int]  # file, number, component
PortWord = tuple[int, int, Place, tuple[int, ...]]  # cycle, quad, register, four lanes


class Stream(NamedTuple):
    """A stream descriptor: the number of the input, DWORDs of an element, whether they are a D3DCOLOR, stride and offset in DWORDs.

    `base` is where the memory of the stream begins, in DWORDs: a multiple of those of a line.
    """

    number: int
    dwords: int
    color: bool
    stride: int
    offset: int
    base: int = 0


class Draw(NamedTuple):
    """Streams in the order of their descriptors, the memory that they read, and the indices of each wave's vertices, 1 to 16."""

    streams: Sequence[Stream]
    memory: Sequence[int]
    batches: Sequence[Sequence[int]]


class Expected(NamedTuple):
    """What the core has to do: the cycle of each issue of a wave from the first, both stalls and the cycles of running and waiting of a wave, ten words
    for each vertex in the order of `sem.steps.EXPORTS`, all registers at the end; cycles of the fetch of each wave if the cache has all data
    (empty: not defined), its misses, and the cycles of a miss besides the latency of the memory.
    """

    issues: Sequence[int]
    o_stalls: int
    i_stalls: int
    run_cycles: int
    wait_cycles: int
    exports: Sequence[Sequence[int]]
    registers: Mapping[Place, Sequence[int]]
    hit_cycles: Sequence[int] = ()
    misses: Sequence[int] = ()
    miss_cycles: int = 0


class Case(NamedTuple):
    """A program, constants by (number, component), registers of 16 lanes before the first wave (others are 0), and a draw.

    Without `expected` the bench compares nothing.
    """

    words: Sequence[int]
    constants: Mapping[tuple[int, int], int]
    registers: Mapping[Place, Sequence[int]]
    draw: Draw
    expected: Expected | None = None


class Measured(NamedTuple):
    """What a traced run printed: the cycle of each issue of the first wave relative to the first, cycles of both stalls, of running and of waiting,
    registers.

    `issues` has the cycles of the issues of every wave, `exports` ten words for each vertex, in the order of `sem.steps.EXPORTS`, `writes` what the
    write port has in each cycle of every wave while it runs and waits: (cycle from the first issue, quad, register, four lanes); `fetches` are the
    cycles of the fetch of every wave.
    """

    issue_cycle: list[int]
    o_stalls: int
    i_stalls: int
    run_cycles: int
    wait_cycles: int
    registers: dict[Place, tuple[int, ...]]
    issues: list[list[int]]
    exports: list[tuple[int, ...]]
    writes: list[list[PortWord]]
    fetches: list[int]


def files(case: Case, name: str, device: str) -> dict[str, str]:
    """The files of a bench by name; `name` is that of the program, `device` what the expected values are of."""
    return {README_FILE: _readme(case, name, device), DATA_FILE: data_package(case), BENCH_FILE: bench()}


def _readme(case: Case, name: str, device: str) -> str:
    waves, vertices = len(case.draw.batches), sum(map(len, case.draw.batches))
    return f"""# Test bench of {name}

Files {MARK}: a program for ShaderCore with its data, and what the device `{device}` expects, to be run with GHDL against a hardware description.

- `{DATA_FILE}`: {counted(len(case.words), "slot")}, constants, registers before the first wave, {counted(vertices, "vertex", "vertices")} in {counted(waves, "wave")}, expected values.
- `{BENCH_FILE}`: the bench. It connects the entities ShaderCore, FloatALU and UNORM8ToFloat with memories of its own.

## Run it

RTL is the folder of your sources, such as CPUDrivenGPUTest4/CPUDrivenGPUTest4.srcs/sources_1/new of code-tom-code/FPGAGPUTesting:

```sh
ghdl -i --std=08 -frelaxed -Wno-binding {DATA_FILE} {BENCH_FILE} \\
  $RTL/PacketType.vhd $RTL/FloatALU_Types.vhd $RTL/FloatALU.vhd $RTL/FloatALU/FloatALU_CMP.vhd $RTL/FloatALU/FloatALU_CNV.vhd \\
  $RTL/FloatALU/FloatALU_RSQ.vhd $RTL/FloatALU/FloatALU_SHFT.vhd $RTL/FloatALU/FloatCommon.vhd $RTL/UNORM8ToFloat.vhd \\
  $RTL/VertexPipeline/ShaderCore.vhd $RTL/VertexPipeline/VertexStreamCache.vhd
ghdl -m --std=08 -frelaxed -Wno-binding {ENTITY}
ghdl -r --std=08 -frelaxed -Wno-binding {ENTITY} --ieee-asserts=disable
```

The last command prints `PASS`, or a line `FAIL` for each difference (the first {_SHOWN}) and ends with an error. Options after the name of the bench:

- `-gCACHE=true -gLATENCY=20`: with the entity VertexStreamCache and a memory that answers 20 cycles after a request; cycles of the fetch are compared too.
- `-gTRACE=true`: print issues, every cycle of the write port, vertices and registers.
- `-gLIMIT=1000000`: so many cycles for a wave before the run is given up.
- `--wave=run.ghw`: a waveform for GTKWave.

## What is compared

For each wave: the cycle of each issue, counted from the first, stalls for the write port and for sources, cycles until END has issued and that it
waits for writes. For each vertex: the ten words that leave the core (o0.xyzw, o2.xy, o1.xyzw). At the end: all registers, 16 lanes each.

Cycles are found by the ports DBG_CurrentState ({_RUN}: running, {_WAIT}: waiting for writes, {_FIRST_FETCH} to {_LAST_FETCH}: fetching), DBG_InstructionPointer, DBG_OStall and DBG_IStall.
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
        *(f"  type words{bits} is array (natural range <>) of std_logic_vector({bits - 1} downto 0);" for bits in (32, 64, 128, 320, _BATCH_BITS)),
        "  type naturals is array (natural range <>) of natural;",
        "  type stream_t is record number, dwords, color, stride, offset, address : natural; end record;  -- address in bytes",
        "  type streams_t is array (natural range <>) of stream_t;",
        *_words("PROGRAM_WORDS", 64, SLOTS, enumerate(case.words), encode(Inst(NOP))),
        *_words("CONSTANTS", 32, 4 * REGISTER_FILES["c"].size, sorted(cells)),
        *_words("FIRST_REGISTERS", 128, _REGISTERS, _register_rows(case.registers)),
        *_words("VERTICES", 32, len(memory), enumerate(memory)),
        *_streams(draw.streams),
        f"  constant WAVES : natural := {len(draw.batches)};",
        *_words("BATCHES", _BATCH_BITS, len(draw.batches) + 1, ((n, _batch(indices)) for n, indices in enumerate(draw.batches))),
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
    ]  # fmt: skip
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


# The bench, which is the same for every program


def bench() -> str:
    """The test bench, for the data of a package of `data_package`."""
    signals = [*PORTS, *CACHE_PORTS]
    core = ",\n    ".join(f"{name} => {name}" for name, _, _ in PORTS)
    lines = [
        f"-- A test bench of the entity ShaderCore for the program in {DATA_FILE}, {MARK}.",
        "-- TRACE prints issues, writes, vertices and registers; CACHE connects the entity VertexStreamCache, with a memory that answers",
        "-- LATENCY cycles after a request, and compares the cycles of the fetch too.",
        "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all; use std.textio.all;",
        f"use work.{PACKAGE}.all;",
        f"entity {ENTITY} is",
        f"  generic (TRACE, CACHE : boolean := false; LATENCY : positive := 20; LIMIT : natural := {_LONGEST});",
        "end entity;",
        "",
        f"architecture run of {ENTITY} is",
        f"  component VertexStreamCache port (\n    {_cache_ports()});",
        "  end component;",
        "  signal batch : natural := 0;",
        "  signal registers : words128(FIRST_REGISTERS'range) := FIRST_REGISTERS;",
        "  signal done : boolean := false;",
        *(f"  signal {name} : {_type(bits)} := {_initial(name, bits)};" for name, _, bits in signals),
        "begin",
        "  clk <= not clk after 5 ns when not done else '0';",
        "",
        f"  core : entity work.ShaderCore port map (\n    {core});",
        *(line for unit in range(UNITS) for line in _alu(unit)),
        *_colors(),
        *_memories(),
        *_batches(),
        *_cache(),
        *_driver(),
        "end architecture;",
    ]
    return "\n".join(lines) + "\n"


def _cache_ports() -> str:
    """The ports of the vertex cache: those that it shares with the core have the other direction there."""
    shared = [(name, not out, bits) for name, out, bits in PORTS if name in _SHARED_CACHE_PORTS]
    ports = [("clk", False, 0), *shared, *CACHE_PORTS]
    return ";\n    ".join(f"{name} : {'out' if out else 'in'} {_type(bits)}" for name, out, bits in ports)


def _type(bits: int) -> str:
    return f"std_logic_vector({bits - 1} downto 0)" if bits else "std_logic"


def _initial(name: str, bits: int) -> str:
    """The first value of a signal."""
    if name == "VERTBATCH_FIFO_rd_data":
        return "BATCHES(0)"
    if bits:
        return "(others => '0')"
    return "'1'" if name in _ONES or name == "VSCReadResponsesFIFO_empty" else "'0'"


def _alu(unit: int) -> list[str]:
    go = ", ".join(f"{port} => FPUALL_{port}" for port in ALU_PORTS)
    inputs = f"IN_A => FPU{unit}_IN_A, IN_B => FPU{unit}_IN_B, IN_MODE => FPUALL_IN_MODE, OUT_RESULT => FPU{unit}_OUT_RESULT"
    return [f"  alu{unit} : entity work.FloatALU port map (clk => clk, {inputs}, {go});"]


def _colors() -> list[str]:
    outputs = ", ".join(f"Float{letter}Out => UNORM8ToFloat_Converted{letter}" for letter in "XYZW")
    inputs = "clk => clk, Enable => UNORM8ToFloat_Enable, D3DColorIn => UNORM8ToFloat_ColorIn"
    return [f"  colors : entity work.UNORM8ToFloat port map ({inputs}, {outputs});"]


def _memories() -> list[str]:
    def pipeline(label: str, enable: str, kind: str, read: str, out: str) -> list[str]:
        return [
            f"  {label} : process (clk)",
            f"    variable first, second : {kind} := (others => '0');",
            "  begin",
            f"    if rising_edge(clk) and {enable} = '1' then",
            f"      {out} <= second; second := first; first := {read};",
            "    end if;",
            "  end process;",
        ]

    def address(port: str, quad: str) -> str:
        return f"to_integer(unsigned({quad}) & unsigned({port}_regType) & unsigned({port}_regIdx) & unsigned({port}_regChan))"

    lines = [""]
    lines += pipeline(
        "icache", "ICache_Enable", _type(64), "PROGRAM_WORDS(to_integer(unsigned(ICache_Address)))", "ICache_ReadData"
    )
    constant = "CONSTANTS(to_integer(unsigned(CB_RegIndex) & unsigned(CB_RegComponent)))"
    lines += pipeline("constant_memory", "CB_Enable", _type(32), constant, "CB_ReadOutData")
    for port in ("GPR0_PortA", "GPR0_PortB"):
        read = f"registers({address(port, 'GPR0_ReadQuadIndex')})"
        lines += pipeline(f"read_{port[-1].lower()}", f"{port}_en", _type(128), read, f"{port}_readOutData")
    return [
        *lines,
        "  write_port : process (clk)",
        "  begin",
        "    if rising_edge(clk) and GPR0_PortW_en = '1' then",
        f"      registers({address('GPR0_PortW', 'GPR0_WriteQuadIndex')}) <= GPR0_PortW_writeInData;",
        "    end if;",
        "  end process;",
    ]


def _batches() -> list[str]:
    """The FIFO of vertex batches, whose first word falls through."""
    return [
        "",
        "  batch_fifo : process (clk)",
        "  begin",
        "    if rising_edge(clk) and VERTBATCH_FIFO_rd_en = '1' then",
        "      batch <= batch + 1; VERTBATCH_FIFO_rd_data <= BATCHES(batch + 1);",
        "      if batch + 1 = WAVES then VERTBATCH_FIFO_empty <= '1'; end if;",
        "    end if;",
        "  end process;",
    ]


def _cache() -> list[str]:
    """The vertex cache: that of the hardware, or an answer a cycle after the request, which is kept up until then."""
    ports = ", ".join(
        f"\n      {name} => {name}" for name in ("clk", *_SHARED_CACHE_PORTS, *(name for name, _, _ in CACHE_PORTS))
    )
    return [
        "",
        "  without_cache : if not CACHE generate",
        "    stream : process (clk)",
        "      variable base : naturals(0 to 7) := (others => 0);",
        "    begin",
        "      if rising_edge(clk) then",
        "        if VSC_SetStreamVBAddress = '1' then",
        "          base(to_integer(unsigned(VSC_StreamIndex))) := to_integer(unsigned(VSC_StreamVBAddress)) / 4;",
        "        end if;",
        "        VSC_ReadReady <= VSC_ReadEnable and not VSC_ReadReady;",
        "        VSC_ReadData <= VERTICES((base(to_integer(unsigned(VSC_ReadStreamIndex))) + to_integer(unsigned(VSC_ReadDWORDAddr))) mod VERTICES'length);",
        "      end if;",
        "    end process;",
        "  end generate;",
        "",
        "  with_cache : if CACHE generate",
        "    type lines_t is array (0 to 1023) of std_logic_vector(31 downto 0);",
        "    signal lines : lines_t := (others => (others => '0'));",
        "  begin",
        f"    vertex_cache : VertexStreamCache port map ({ports});",
        # one edge from address to data, and a write keeps what is read
        "    cache_memory : process (clk)",
        "    begin",
        "      if rising_edge(clk) and VertexCache_ena = '1' then",
        '        if VertexCache_wea = "1" then',
        "          lines(to_integer(unsigned(VertexCache_addra))) <= VertexCache_dina;",
        "        else",
        "          VertexCache_douta <= lines(to_integer(unsigned(VertexCache_addra)));",
        "        end if;",
        "      end if;",
        "    end process;",
        "    memory : process (clk)",
        "      variable count, first : natural := 0;",
        "    begin",
        "      if rising_edge(clk) then",
        "        if VSCReadResponsesFIFO_rd_en = '1' then VSCReadResponsesFIFO_empty <= '1'; end if;",
        "        if VSCReadRequestsFIFO_wr_en = '1' then",
        "          count := LATENCY; first := to_integer(unsigned(VSCReadRequestsFIFO_wr_data(29 downto 5))) * 8;",
        "        elsif count > 0 then",
        "          count := count - 1;",
        "          if count = 0 then",
        "            for n in 0 to 7 loop",
        "              VSCReadResponsesFIFO_rd_data(32 * n + 31 downto 32 * n) <= VERTICES((first + n) mod VERTICES'length);",
        "            end loop;",
        "            VSCReadResponsesFIFO_empty <= '0';",
        "          end if;",
        "        end if;",
        "      end if;",
        "    end process;",
        "  end generate;",
    ]


def _driver() -> list[str]:
    """A command for each stream and one to start, then what is compared: issues and vertices as they come, all registers when the last wave has left."""
    state = "unsigned(DBG_CurrentState)"
    running = f"{state} = {_RUN} or {state} = {_WAIT}"
    return [
        "",
        "  driver : process",
        "    variable text : line;",
        "    variable cycle, wave_start, fetching, o_stalls, i_stalls, running, waiting : natural := 0;",
        "    variable wave_fetching, wave_o, wave_i, wave_running, wave_waiting : natural := 0;",
        "    variable started, was_running : boolean := false;",
        "    variable waves_done, issued, vertex, failures : natural := 0;",
        f"    variable before : {_type(9)} := (others => '0');",
        "    procedure print(what : string) is",
        "    begin",
        "      write(text, what); writeline(output, text);",
        "    end procedure;",
        "    procedure compare(good : boolean; what : string) is",
        "    begin",
        "      if CHECKED and not good then",
        "        failures := failures + 1;",
        f'        if failures <= {_SHOWN} then print("FAIL: " & what); end if;',
        "      end if;",
        "    end procedure;",
        "    procedure compare_number(what : string; found, expected : integer) is",
        "    begin",
        '      compare(found = expected, "wave " & integer\'image(waves_done) & ": " & what & ": expected " & integer\'image(expected) & ", found " & integer\'image(found));',
        "    end procedure;",
        "    procedure compare_words(what : string; found, expected : std_logic_vector) is",
        "    begin",
        "      for n in 0 to found'length / 32 - 1 loop",
        "        compare(found(32 * n + 31 downto 32 * n) = expected(32 * n + 31 downto 32 * n),",
        '          what & " " & integer\'image(n) & ": expected " & to_hstring(expected(32 * n + 31 downto 32 * n)) & ", found " & to_hstring(found(32 * n + 31 downto 32 * n)));',
        "      end loop;",
        "    end procedure;",
        "    function register_name(address : natural) return string is",
        '      constant FILES : string(1 to 4) := "vorx";',
        '      constant COMPONENTS : string(1 to 4) := "xyzw";',
        "    begin",
        '      return FILES(address / 32 mod 4 + 1) & integer\'image(address / 4 mod 8) & "." & COMPONENTS(address mod 4 + 1) & ", quad " & integer\'image(address / 128) & ", lane";',
        "    end function;",
        "  begin",
        "    for n in 1 to 8 loop wait until rising_edge(clk); end loop;",
        "    for n in STREAMS'range loop",
        "      CMD_SetNumVertexStreams <= std_logic_vector(to_unsigned(STREAMS'length mod 8, 3));",
        "      CMD_SetVertexStreamID <= std_logic_vector(to_unsigned(n, 3));",
        "      CMD_SetVertexStreamDWORDCount <= std_logic_vector(to_unsigned(STREAMS(n).dwords, 3));",
        "      if STREAMS(n).color = 1 then CMD_SetVertexStreamIsD3DCOLOR <= '1'; else CMD_SetVertexStreamIsD3DCOLOR <= '0'; end if;",
        "      CMD_SetVertexStreamShaderRegIndex <= std_logic_vector(to_unsigned(STREAMS(n).number, 3));",
        "      CMD_SetVertexStreamDWORDStride <= std_logic_vector(to_unsigned(STREAMS(n).stride, 6));",
        "      CMD_SetVertexStreamDWORDOffset <= std_logic_vector(to_unsigned(STREAMS(n).offset, 6));",
        "      CMD_LoadProgramAddr <= std_logic_vector(to_unsigned(STREAMS(n).address, 30));",
        f'      CMD_InCommand <= "{_SET_STREAM:03b}"; wait until rising_edge(clk);',
        '      CMD_InCommand <= "000"; for n in 1 to 4 loop wait until rising_edge(clk); end loop;',
        "    end loop;",
        "    CMD_LoadProgramAddr <= (others => '0');  -- the slot of the first instruction",
        f'    CMD_InCommand <= "{_START:03b}"; wait until rising_edge(clk);',
        '    CMD_InCommand <= "000";',
        "    while waves_done < WAVES and cycle < LIMIT * WAVES loop",
        "      wait until rising_edge(clk);",
        "      cycle := cycle + 1;",
        # the pointer moves on in the cycle after an issue
        f"      if ({running}) and was_running and DBG_InstructionPointer /= before then",
        "        if issued = 0 then wave_start := cycle; end if;",
        '        if TRACE then print("issue " & integer\'image(cycle - 1)); end if;',
        "        if issued < EXPECTED_ISSUES'length then",
        '          compare_number("issue of instruction " & integer\'image(issued), cycle - wave_start, EXPECTED_ISSUES(issued));',
        "        end if;",
        "        issued := issued + 1;",
        "      end if;",
        # what the port has had since the last edge
        f"      if TRACE and ({running}) and GPR0_PortW_en = '1' then",
        '        print("write " & integer\'image(cycle - 1) & " " & integer\'image(to_integer(unsigned(GPR0_WriteQuadIndex) & unsigned(GPR0_PortW_regType) & unsigned(GPR0_PortW_regIdx)'
        ' & unsigned(GPR0_PortW_regChan))) & " " & to_hstring(GPR0_PortW_writeInData));',
        "      end if;",
        "      before := DBG_InstructionPointer;",
        f"      was_running := {running};",
        "      if VERTOUT_FIFO_wr_en = '1' then",
        '        if TRACE then print("vertex " & to_hstring(VERTOUT_FIFO_wr_data)); end if;',
        "        if vertex < EXPECTED_EXPORTS'length then",
        '          compare_words("vertex " & integer\'image(vertex) & ", word", VERTOUT_FIFO_wr_data, EXPECTED_EXPORTS(vertex));',
        "        end if;",
        "        vertex := vertex + 1;",
        "      end if;",
        f"      if {state} = {_RUN} then",
        "        running := running + 1; started := true;",
        f"      elsif {state} = {_WAIT} then",
        "        waiting := waiting + 1;",
        f"      elsif {state} >= {_FIRST_FETCH} and {state} <= {_LAST_FETCH} then",
        "        fetching := fetching + 1;",
        "      end if;",
        "      if started and DBG_OStall = '1' then o_stalls := o_stalls + 1; end if;",
        "      if started and DBG_IStall = '1' then i_stalls := i_stalls + 1; end if;",
        "      if VBO_Pushed = '1' then",
        '        if TRACE then print("fetch " & integer\'image(fetching - wave_fetching)); print("wave"); end if;',
        '        compare_number("instructions that issue", issued, EXPECTED_ISSUES\'length);',
        '        compare_number("stalls for the write port", o_stalls - wave_o, EXPECTED_O_STALLS);',
        '        compare_number("stalls for sources", i_stalls - wave_i, EXPECTED_I_STALLS);',
        '        compare_number("cycles until end has issued", running - wave_running, EXPECTED_RUN);',
        '        compare_number("cycles that end waits", waiting - wave_waiting, EXPECTED_WAIT);',
        "        if CACHE and FETCH_CHECKED then",
        '          compare_number("cycles of the fetch", fetching - wave_fetching, EXPECTED_HIT_CYCLES(waves_done) + EXPECTED_MISSES(waves_done) * (MISS_CYCLES + LATENCY));',
        "        end if;",
        "        waves_done := waves_done + 1; issued := 0;",
        "        wave_fetching := fetching; wave_o := o_stalls; wave_i := i_stalls; wave_running := running; wave_waiting := waiting;",
        "      end if;",
        "    end loop;",
        "    if waves_done < WAVES then",
        '      print("timeout");',
        '      compare(false, "wave " & integer\'image(waves_done) & " did not end in " & integer\'image(LIMIT) & " cycles a wave");',
        "    end if;",
        "    if CHECKED then",
        "      compare(vertex = EXPECTED_EXPORTS'length, \"vertices that leave the core: expected \" & integer'image(EXPECTED_EXPORTS'length) & \", found \" & integer'image(vertex));",
        "    end if;",
        "    if TRACE then",
        '      print("cycles " & integer\'image(running) & " " & integer\'image(waiting));',
        '      print("stalls " & integer\'image(o_stalls) & " " & integer\'image(i_stalls));',
        "    end if;",
        "    for n in registers'range loop",
        '      if TRACE then print("register " & integer\'image(n) & " " & to_hstring(registers(n))); end if;',
        "      if CHECKED then compare_words(register_name(n), registers(n), EXPECTED_REGISTERS(n)); end if;",
        "    end loop;",
        "    done <= true;",
        '    assert failures = 0 report "FAIL: " & integer\'image(failures) & " differences" severity failure;',
        '    if CHECKED then print("PASS: " & integer\'image(WAVES) & " waves, " & integer\'image(vertex) & " vertices, 512 registers of four lanes"); end if;',
        "    wait;",
        "  end process;",
    ]


def parse(text: str) -> Measured:
    """What a traced run of the bench printed. Raises ValueError for a program that did not end."""
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
        issues[0], int(stalls[1]), int(stalls[2]), int(cycles[1]), int(cycles[2]), registers, issues, exports, writes, fetches
    )


def _port_word(address: int, data: int) -> tuple[int, Place, tuple[int, ...]]:
    place = (FILES[address >> 5 & 3], address >> 2 & 7, address & 3)
    return address >> 7, place, tuple(data >> 32 * unit & 0xFFFFFFFF for unit in range(UNITS))
