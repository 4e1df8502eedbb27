"""A VHDL testbench for the public hardware description of ShaderCore, as text for one program and one draw.

What the memories around the core have to be is measured (reference 0): read data three clock edges after the address, every stage only
where the port is enabled, and a read in the cycle of a write gets the old word. The names of ports are those of the entities `ShaderCore`, `FloatALU`
and `UNORM8ToFloat` of code-tom-code/FPGAGPUTesting, CPUDrivenGPUTest4; nothing else of that project is here.

The bench loads program, constants and registers by giving the memories their first contents, sets the vertex streams, starts shading, and prints the
cycle of every issue, the stalls, every vertex that leaves the core, and every register at the end. Without a draw it is one wave of 16 vertices with
one stream of one DWORD, which writes v7.x with what v7.x has anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.shadercore.isa.codec import Inst, encode
from lanewise.shadercore.isa.table import LANES, NOP, QUADS, SLOTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ENTITY = "lanewise_bench"
UNITS = LANES // QUADS
FILES = "vorx"  # register types of the register file, by number (reference 1)
STREAM_INPUT = ("v", 7, 0)
_RUN, _WAIT = 30, 31  # states runShader and waitForWritesToComplete
_SET_STREAM, _START = 3, 4  # commands (reference 4)
_LONGEST = 100_000  # clock cycles, of a program that never ends
_BATCH_BITS = 544  # of a word of the FIFO of batches

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

# Inputs of the core that stay as they are; all others that nothing drives are 0.
_ONES = ("VBB_Done", "VBO_Ready", "VERTBATCH_FIFO_almost_empty")

Place = tuple[str, int, int]  # file, number, component
PortWord = tuple[int, int, Place, tuple[int, ...]]  # cycle, quad, register, four lanes


class Stream(NamedTuple):
    """A stream descriptor: the number of the input, DWORDs of an element, whether they are a D3DCOLOR, stride and offset in DWORDs."""

    number: int
    dwords: int
    color: bool
    stride: int
    offset: int


class Draw(NamedTuple):
    """Streams in the order of their descriptors, the memory that they read, and the indices of each wave's vertices, 1 to 16."""

    streams: Sequence[Stream]
    memory: Sequence[int]
    batches: Sequence[Sequence[int]]


class Measured(NamedTuple):
    """What a run printed: the cycle of each issue of the first wave relative to the first, cycles of both stalls, of running and of waiting, registers.

    `issues` has the cycles of the issues of every wave, `exports` ten words for each vertex, in the order of `sem.steps.EXPORTS`, `writes` what the
    write port has in each cycle of every wave while it runs and waits: (cycle from the first issue, quad, register, four lanes).
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


def bench(
    words: Sequence[int],
    constants: Mapping[tuple[int, int], int],
    registers: Mapping[Place, Sequence[int]],
    draw: Draw | None = None,
) -> str:
    """The testbench for a program. `constants` by (number, component), `registers` 16 lanes each; all others are 0."""
    if draw is None:
        fetched = registers.get(STREAM_INPUT, (0,) * LANES)
        draw = Draw((Stream(STREAM_INPUT[1], 1, False, 1, 0),), fetched, (range(LANES),))
    nop = encode(Inst(NOP))
    program = [(n, f"{word:016X}") for n, word in enumerate(words)]
    cells = [(number * 4 + component, f"{value:08X}") for (number, component), value in sorted(constants.items())]
    memory = [(n, f"{value:08X}") for n, value in enumerate(draw.memory)]
    batches = [(n, _batch(indices)) for n, indices in enumerate(draw.batches)]
    lines = [
        "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all; use std.textio.all;",
        f"entity {ENTITY} is end entity;",
        f"architecture run of {ENTITY} is",
        *_memory_type("rom_t", SLOTS, 64), *_memory_type("cb_t", 1024, 32), *_memory_type("gpr_t", 512, 128), *_memory_type("vb_t", len(memory), 32),
        *_memory_type("batch_t", len(batches) + 1, _BATCH_BITS),
        f"  constant PROGRAM_WORDS : rom_t := {_contents(program, f'{nop:016X}')};",
        f"  constant CONSTANTS : cb_t := {_contents(cells, '0' * 8)};",
        f"  constant VERTICES : vb_t := {_contents(memory, '0' * 8)};",
        f"  constant BATCHES : batch_t := {_contents(batches, _batch(()))};",
        "  signal batch : natural := 0;",
        f"  constant FIRST_REGISTERS : gpr_t := {_contents(_register_rows(registers), '0' * 32)};",
        "  signal registers : gpr_t := FIRST_REGISTERS;",
        "  signal done : boolean := false;",
        *(f"  signal {name} : {_type(bits)} := {_initial(name, bits)};" for name, _, bits in PORTS),
        "begin",
        "  clk <= not clk after 5 ns when not done else '0';",
        "  core : entity work.ShaderCore port map (" + ", ".join(f"{name} => {name}" for name, _, _ in PORTS) + ");",
        *(line for unit in range(UNITS) for line in _alu(unit)),
        *_colors(),
        *_memories(),
        *_stream(len(memory), len(batches)),
        *_driver(draw),
        "end architecture;",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _memory_type(name: str, size: int, bits: int) -> list[str]:
    return [f"  type {name} is array (0 to {size - 1}) of std_logic_vector({bits - 1} downto 0);"]


def _type(bits: int) -> str:
    return f"std_logic_vector({bits - 1} downto 0)" if bits else "std_logic"


def _initial(name: str, bits: int) -> str:
    """The first value of a signal."""
    if name == "VERTBATCH_FIFO_rd_data":
        return "BATCHES(0)"
    if bits:
        return "(others => '0')"
    return "'1'" if name in _ONES else "'0'"


def _batch(indices: Sequence[int]) -> str:
    """A batch: indices in the low 256 bits, and how many there are in the five above."""
    value = sum(index << 16 * n for n, index in enumerate(indices)) | len(indices) << 16 * LANES
    return f"{value:0{_BATCH_BITS // 4}X}"


def _contents(rows: Sequence[tuple[int, str]], rest: str) -> str:
    """An aggregate: hexadecimal words by address, and what all other addresses hold."""
    named = [f'{address} => x"{word}"' for address, word in rows]
    return "(" + ", ".join([*named, f'others => x"{rest}"']) + ")"


def _register_rows(registers: Mapping[Place, Sequence[int]]) -> list[tuple[int, str]]:
    """Addresses are quad, file, number, component; a word has the four lanes of a quad, the first of them lowest."""
    rows: list[tuple[int, str]] = []
    for place, lanes in registers.items():
        for quad in range(QUADS):
            word = sum(lanes[UNITS * quad + unit] << 32 * unit for unit in range(UNITS))
            rows.append((address_of(quad, place), f"{word:032X}"))
    return sorted(rows)


def address_of(quad: int, place: Place) -> int:
    file, number, component = place
    return quad << 7 | FILES.index(file) << 5 | number << 2 | component


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

    lines = pipeline(
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


def _stream(memory: int, batches: int) -> list[str]:
    """The vertex stream cache: an answer a cycle after the request, which is kept up until then; and the batches of vertices."""
    return [
        "  stream : process (clk)",
        "  begin",
        "    if rising_edge(clk) then",
        "      VSC_ReadReady <= VSC_ReadEnable and not VSC_ReadReady;",
        f"      VSC_ReadData <= VERTICES(to_integer(unsigned(VSC_ReadDWORDAddr)) mod {memory});",
        "      if VERTBATCH_FIFO_rd_en = '1' then",
        "        batch <= batch + 1; VERTBATCH_FIFO_rd_data <= BATCHES(batch + 1);",
        f"        if batch + 1 = {batches} then VERTBATCH_FIFO_empty <= '1'; end if;",
        "      end if;",
        "    end if;",
        "  end process;",
    ]


def _bits(value: int, bits: int) -> str:
    return f'"{value:0{bits}b}"'


def _driver(draw: Draw) -> list[str]:
    """A command for each stream and one to start, then lines for issues and vertices, and all registers when the last wave has left the core."""
    return [
        "  driver : process",
        "    variable text : line;",
        "    variable cycle, o_stalls, i_stalls, running, waiting : natural := 0;",
        "    variable started, was_running : boolean := false;",
        "    variable waves : natural := 0;",
        f"    variable before : {_type(9)} := (others => '0');",
        "    procedure print(what : string) is",
        "    begin",
        "      write(text, what); writeline(output, text);",
        "    end procedure;",
        "  begin",
        "    for n in 1 to 4 loop wait until rising_edge(clk); end loop;",
        f"    CMD_SetNumVertexStreams <= {_bits(len(draw.streams) % 8, 3)};",
        *(line for number, stream in enumerate(draw.streams) for line in _set_stream(number, stream)),
        f'    CMD_InCommand <= "{_START:03b}"; wait until rising_edge(clk);',
        '    CMD_InCommand <= "000";',
        f"    while waves < {len(draw.batches)} and cycle < {_LONGEST} loop",
        "      wait until rising_edge(clk);",
        "      cycle := cycle + 1;",
        # the pointer moves on in the cycle behind an issue
        f"      if unsigned(DBG_CurrentState) = {_RUN} or unsigned(DBG_CurrentState) = {_WAIT} then",
        "        if was_running and DBG_InstructionPointer /= before then",
        '          print("issue " & integer\'image(cycle - 1));',
        "        end if;",
        # what the port has had since the last edge
        "        if GPR0_PortW_en = '1' then",
        '          print("write " & integer\'image(cycle - 1) & " " & integer\'image(to_integer(unsigned(GPR0_WriteQuadIndex) & '
        'unsigned(GPR0_PortW_regType) & unsigned(GPR0_PortW_regIdx) & unsigned(GPR0_PortW_regChan))) & " " & to_hstring(GPR0_PortW_writeInData));',
        "        end if;",
        "      end if;",
        "      before := DBG_InstructionPointer;",
        f"      was_running := unsigned(DBG_CurrentState) = {_RUN} or unsigned(DBG_CurrentState) = {_WAIT};",
        "      if VERTOUT_FIFO_wr_en = '1' then",
        '        print("vertex " & to_hstring(VERTOUT_FIFO_wr_data));',
        "      end if;",
        f"      if unsigned(DBG_CurrentState) = {_RUN} then",
        "        running := running + 1; started := true;",
        f"      elsif unsigned(DBG_CurrentState) = {_WAIT} then",
        "        waiting := waiting + 1;",
        "      end if;",
        "      if started and DBG_OStall = '1' then o_stalls := o_stalls + 1; end if;",
        "      if started and DBG_IStall = '1' then i_stalls := i_stalls + 1; end if;",
        "      if VBO_Pushed = '1' then",
        '        waves := waves + 1; print("wave");',
        "      end if;",
        "    end loop;",
        f'    if waves < {len(draw.batches)} then print("timeout"); end if;',
        '    print("cycles " & integer\'image(running) & " " & integer\'image(waiting));',
        '    print("stalls " & integer\'image(o_stalls) & " " & integer\'image(i_stalls));',
        "    for n in registers'range loop",
        '      print("register " & integer\'image(n) & " " & to_hstring(registers(n)));',
        "    end loop;",
        "    done <= true;",
        "    wait;",
        "  end process;",
    ]


def _set_stream(number: int, stream: Stream) -> list[str]:
    return [
        f"    CMD_SetVertexStreamID <= {_bits(number, 3)}; CMD_SetVertexStreamDWORDCount <= {_bits(stream.dwords, 3)};",
        f"    CMD_SetVertexStreamIsD3DCOLOR <= '{stream.color:d}'; CMD_SetVertexStreamShaderRegIndex <= {_bits(stream.number, 3)};",
        f"    CMD_SetVertexStreamDWORDStride <= {_bits(stream.stride, 6)}; CMD_SetVertexStreamDWORDOffset <= {_bits(stream.offset, 6)};",
        f'    CMD_InCommand <= "{_SET_STREAM:03b}"; wait until rising_edge(clk);',
        '    CMD_InCommand <= "000"; for n in 1 to 4 loop wait until rising_edge(clk); end loop;',
    ]


def parse(text: str) -> Measured:
    """What a run of the bench printed. Raises ValueError for a program that did not end."""
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
    exports = [tuple(int(line[1], 16) >> 32 * n & 0xFFFFFFFF for n in range(10)) for line in lines if line[0] == "vertex"]
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
        issues[0], int(stalls[1]), int(stalls[2]), int(cycles[1]), int(cycles[2]), registers, issues, exports, writes
    )


def _port_word(address: int, data: int) -> tuple[int, Place, tuple[int, ...]]:
    place = (FILES[address >> 5 & 3], address >> 2 & 7, address & 3)
    return address >> 7, place, tuple(data >> 32 * unit & 0xFFFFFFFF for unit in range(UNITS))


def stub() -> str:
    """A core and an ALU with the same ports that compute nothing: the core reads its stream, spends three cycles in state runShader, waits for one,
    writes o0.x of quad 1, exports a vertex and is done. With them the bench can be elaborated and run where there is no hardware description."""
    ports = "; ".join(f"{name} : {'out' if out else 'in'} {_type(bits)}" for name, out, bits in PORTS)
    alu = "; ".join([*(f"{port} : in std_logic" for port in ("clk", *ALU_PORTS)), *(f"{port} : in {_type(32)}" for port in ("IN_A", "IN_B")),
                     f"IN_MODE : in {_type(3)}", f"OUT_RESULT : out {_type(32)}"])  # fmt: skip
    outputs = "; ".join(f"Float{letter}Out : out {_type(32)}" for letter in "XYZW")
    colors = f"clk : in std_logic; Enable : in std_logic; D3DColorIn : in {_type(32)}; {outputs}"
    head = "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;"
    return "\n".join([
        head, f"entity FloatALU is port ({alu}); end entity;",
        "architecture stub of FloatALU is begin OUT_RESULT <= (others => '0'); end architecture;",
        head, f"entity UNORM8ToFloat is port ({colors}); end entity;",
        "architecture stub of UNORM8ToFloat is begin FloatXOut <= D3DColorIn; FloatYOut <= D3DColorIn; FloatZOut <= D3DColorIn; FloatWOut <= D3DColorIn;",
        "end architecture;",
        head, f"entity ShaderCore is port ({ports}); end entity;",
        "architecture stub of ShaderCore is",
        "  signal step : natural := 0;",
        "begin",
        "  process (clk) begin",
        "    if rising_edge(clk) then",
        "      GPR0_PortW_en <= '0'; VERTOUT_FIFO_wr_en <= '0'; VBO_Pushed <= '0'; VERTBATCH_FIFO_rd_en <= '0'; DBG_OStall <= '0'; DBG_IStall <= '0';",
        "      DBG_CurrentState <= std_logic_vector(to_unsigned(0, 6));",
        '      if CMD_InCommand = "100" then step <= 1; end if;',
        "      if step > 0 then step <= step + 1; end if;",
        "      if step < 40 then DBG_InstructionPointer <= (others => '0'); end if;",
        "      case step is",
        "        when 5 => VSC_ReadEnable <= '1'; VSC_ReadDWORDAddr <= std_logic_vector(to_unsigned(3, 22));",
        "        when 8 => VSC_ReadEnable <= '0'; ICache_Enable <= '1'; ICache_Address <= std_logic_vector(to_unsigned(1, 9));",
        "        when 39 => DBG_CurrentState <= std_logic_vector(to_unsigned(30, 6));",
        "        when 40 => DBG_CurrentState <= std_logic_vector(to_unsigned(30, 6)); DBG_InstructionPointer <= std_logic_vector(to_unsigned(1, 9));",
        "          DBG_OStall <= '1';",
        "        when 41 => DBG_CurrentState <= std_logic_vector(to_unsigned(30, 6));",
        "        when 42 => DBG_CurrentState <= std_logic_vector(to_unsigned(31, 6)); DBG_InstructionPointer <= std_logic_vector(to_unsigned(2, 9));",
        "          GPR0_PortW_en <= '1'; GPR0_WriteQuadIndex <= \"01\"; GPR0_PortW_regType <= \"01\"; GPR0_PortW_regIdx <= \"000\";",
        "          GPR0_PortW_regChan <= \"00\"; GPR0_PortW_writeInData <= ICache_ReadData & VSC_ReadData & VERTBATCH_FIFO_rd_data(287 downto 256);",
        "        when 43 => VERTBATCH_FIFO_rd_en <= '1'; VERTOUT_FIFO_wr_en <= '1'; VERTOUT_FIFO_wr_data <= (63 downto 32 => '1', others => '0');",
        "        when 44 => VBO_Pushed <= '1';",
        "        when others => null;",
        "      end case;",
        "    end if;",
        "  end process;",
        "end architecture;",
    ]) + "\n"  # fmt: skip
