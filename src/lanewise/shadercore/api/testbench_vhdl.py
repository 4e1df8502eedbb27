"""The VHDL of the test bench for a ShaderCore, which is the same for every program; `testbench` writes the data.

The names of ports are those of the public hardware description (code-tom-code/FPGAGPUTesting, CPUDrivenGPUTest4), as
`testbench` says.
"""

from __future__ import annotations

from lanewise.shadercore.isa.table import LANES, QUADS

ENTITY, PACKAGE = "lanewise_bench", "lanewise_data"
DATA_FILE, BENCH_FILE, README_FILE = "data.vhd", "bench.vhd", "README.md"
MARK = "written by lanewise rtl"
UNITS = LANES // QUADS
FILES = "vorx"  # register types of the register file, by number (reference 1)
RUN, WAIT = 30, 31  # states runShader and waitForWritesToComplete
FIRST_FETCH, LAST_FETCH = 13, 25  # states of the vertex fetch
_SET_STREAM, _START = 3, 4  # commands (reference 4)
_LONGEST = 100_000  # clock cycles of a wave that never ends
SHOWN = 40  # differences that are printed

# Ports of the core: name, whether it is an output, bits; 0 for one that is no vector.
PORTS = (
    ("clk", False, 0),
    ("CMD_IsIdle", True, 0),
    ("CMD_IsReadyForCommand", True, 0),
    ("CMD_InCommand", False, 3),
    ("CMD_LoadProgramAddr", False, 30),
    ("CMD_LoadProgramLen", False, 16),
    ("CMD_SetConstantIndex", False, 8),
    ("CMD_SetConstantData", False, 128),
    ("CMD_SetNumVertexStreams", False, 3),
    ("CMD_SetVertexStreamID", False, 3),
    ("CMD_SetVertexStreamDWORDCount", False, 3),
    ("CMD_SetVertexStreamIsD3DCOLOR", False, 0),
    ("CMD_SetVertexStreamShaderRegIndex", False, 3),
    ("CMD_SetVertexStreamDWORDStride", False, 6),
    ("CMD_SetVertexStreamDWORDOffset", False, 6),
    ("VBB_Done", False, 0),
    ("VERTBATCH_FIFO_empty", False, 0),
    ("VERTBATCH_FIFO_almost_empty", False, 0),
    ("VERTBATCH_FIFO_rd_data", False, 544),
    ("VERTBATCH_FIFO_rd_en", True, 0),
    ("VBO_Pushed", True, 0),
    ("VBO_NumVertices", True, 5),
    ("VBO_NumIndices", True, 7),
    ("VBO_IsIndexedDrawCall", True, 0),
    ("VBO_Ready", False, 0),
    ("VERTOUT_FIFO_full", False, 0),
    ("VERTOUT_FIFO_wr_data", True, 320),
    ("VERTOUT_FIFO_wr_en", True, 0),
    ("INDEXOUT_FIFO_full", False, 0),
    ("INDEXOUT_FIFO_wr_data", True, 272),
    ("INDEXOUT_FIFO_wr_en", True, 0),
    ("VSC_ReadEnable", True, 0),
    ("VSC_ReadStreamIndex", True, 3),
    ("VSC_ReadDWORDAddr", True, 22),
    ("VSC_ReadData", False, 32),
    ("VSC_ReadReady", False, 0),
    ("VSC_SetStreamVBAddress", True, 0),
    ("VSC_StreamIndex", True, 3),
    ("VSC_StreamVBAddress", True, 30),
    ("VSC_InvalidateCache", True, 0),
    ("ICache_Clk", True, 0),
    ("ICache_Enable", True, 0),
    ("ICache_WriteMode", True, 1),
    ("ICache_Address", True, 9),
    ("ICache_WriteData", True, 64),
    ("ICache_ReadData", False, 64),
    ("CB_Enable", True, 0),
    ("CB_WriteMode", True, 0),
    ("CB_RegIndex", True, 8),
    ("CB_RegComponent", True, 2),
    ("CB_ReadOutData", False, 32),
    ("CB_WriteInData", True, 32),
    ("GPR0_ReadQuadIndex", True, 2),
    ("GPR0_WriteQuadIndex", True, 2),
    ("GPR0_PortA_en", True, 0),
    ("GPR0_PortA_regType", True, 2),
    ("GPR0_PortA_regIdx", True, 3),
    ("GPR0_PortA_regChan", True, 2),
    ("GPR0_PortA_readOutData", False, 128),
    ("GPR0_PortB_en", True, 0),
    ("GPR0_PortB_regType", True, 2),
    ("GPR0_PortB_regIdx", True, 3),
    ("GPR0_PortB_regChan", True, 2),
    ("GPR0_PortB_readOutData", False, 128),
    ("GPR0_PortW_en", True, 0),
    ("GPR0_PortW_regType", True, 2),
    ("GPR0_PortW_regIdx", True, 3),
    ("GPR0_PortW_regChan", True, 2),
    ("GPR0_PortW_writeInData", True, 128),
    ("FPUALL_IN_MODE", True, 3),
    ("FPUALL_ISHFT_GO", True, 0),
    ("FPUALL_IMUL_GO", True, 0),
    ("FPUALL_IADD_GO", True, 0),
    ("FPUALL_ICMP_GO", True, 0),
    ("FPUALL_ICNV_GO", True, 0),
    ("FPUALL_ISPEC_GO", True, 0),
    ("FPUALL_IBIT_GO", True, 0),
    *((f"FPU{unit}_{port}", port != "OUT_RESULT", 32) for unit in range(UNITS) for port in ("IN_A", "IN_B", "OUT_RESULT")),
    ("UNORM8ToFloat_Enable", True, 0),
    ("UNORM8ToFloat_ColorIn", True, 32),
    *((f"UNORM8ToFloat_Converted{letter}", False, 32) for letter in "XYZW"),
    ("STAT_CyclesIdle", True, 32),
    ("STAT_CyclesSpentWorking", True, 32),
    ("STAT_CyclesExecShaderCode", True, 32),
    ("STAT_CyclesWaitingForOutput", True, 32),
    ("STAT_CurrentDrawEventID", True, 16),
    ("DBG_CurrentState", True, 6),
    ("DBG_CurrentFetchWave", True, 4),
    ("DBG_CurrentDWORD", True, 3),
    ("DBG_CurrentStreamID", True, 3),
    ("DBG_ActiveLanesBitmask", True, 17),
    ("DBG_InstructionPointer", True, 9),
    ("DBG_CurrentlyExecutingInstruction", True, 64),
    ("DBG_CyclesRemainingCurrentInstruction", True, 5),
    ("DBG_ReadRegisterOutRequest", False, 0),
    ("DBG_ReadRegisterOutDataReady", True, 0),
    ("DBG_ReadRegisterOutData", True, 128),
    ("DBG_PortW_MUX", True, 2),
    ("DBG_OStall", True, 0),
    ("DBG_IStall", True, 0),
)
ALU_PORTS = ("ISHFT_GO", "IMUL_GO", "IADD_GO", "ICMP_GO", "ICNV_GO", "ISPEC_GO", "IBIT_GO")
# Ports of the vertex cache that are not of the core: name, whether it is an output, bits.
CACHE_PORTS = (
    ("VertexCache_clk", True, 0),
    ("VertexCache_addra", True, 10),
    ("VertexCache_dina", True, 32),
    ("VertexCache_douta", False, 32),
    ("VertexCache_ena", True, 0),
    ("VertexCache_wea", True, 1),
    ("VSCReadRequestsFIFO_full", False, 0),
    ("VSCReadRequestsFIFO_wr_data", True, 30),
    ("VSCReadRequestsFIFO_wr_en", True, 0),
    ("VSCReadResponsesFIFO_rd_data", False, 256),
    ("VSCReadResponsesFIFO_empty", False, 0),
    ("VSCReadResponsesFIFO_almost_empty", False, 0),
    ("VSCReadResponsesFIFO_rd_en", True, 0),
)
_SHARED_CACHE_PORTS = (
    "VSC_ReadEnable",
    "VSC_ReadStreamIndex",
    "VSC_ReadDWORDAddr",
    "VSC_ReadData",
    "VSC_ReadReady",
    "VSC_SetStreamVBAddress",
    "VSC_StreamIndex",
    "VSC_StreamVBAddress",
    "VSC_InvalidateCache",
)

# Inputs of the core that stay as they are; all others that nothing drives are 0.
_ONES = ("VBB_Done", "VBO_Ready", "VERTBATCH_FIFO_almost_empty")


def bench() -> str:
    """The test bench, for the data of a package of `data_package`."""
    signals = [*PORTS, *CACHE_PORTS]
    core = ",\n    ".join(f"{name} => {name}" for name, _, _ in PORTS)
    lines = [
        f"-- A test bench of the entity ShaderCore for the program in {DATA_FILE}, {MARK}.",
        (
            "-- TRACE prints issues, writes, vertices and registers; CACHE connects the entity VertexStreamCache, with a "
            "memory that answers"
        ),
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
        (
            "        VSC_ReadData <= VERTICES((base(to_integer(unsigned(VSC_ReadStreamIndex))) + "
            "to_integer(unsigned(VSC_ReadDWORDAddr))) mod VERTICES'length);"
        ),
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
    """A command for each stream and one to start, then what is compared: issues and vertices as they come, all registers when
    the last wave has left."""
    state = "unsigned(DBG_CurrentState)"
    running = f"{state} = {RUN} or {state} = {WAIT}"
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
        f'        if failures <= {SHOWN} then print("FAIL: " & what); end if;',
        "      end if;",
        "    end procedure;",
        "    procedure compare_number(what : string; found, expected : integer) is",
        "    begin",
        (
            '      compare(found = expected, "wave " & integer\'image(waves_done) & ": " & what & ": expected " & '
            "integer'image(expected) & \", found \" & integer'image(found));"
        ),
        "    end procedure;",
        "    procedure compare_words(what : string; found, expected : std_logic_vector) is",
        "    begin",
        "      for n in 0 to found'length / 32 - 1 loop",
        "        compare(found(32 * n + 31 downto 32 * n) = expected(32 * n + 31 downto 32 * n),",
        (
            '          what & " " & integer\'image(n) & ": expected " & to_hstring(expected(32 * n + 31 downto 32 * n)) & ", '
            'found " & to_hstring(found(32 * n + 31 downto 32 * n)));'
        ),
        "      end loop;",
        "    end procedure;",
        "    function register_name(address : natural) return string is",
        '      constant FILES : string(1 to 4) := "vorx";',
        '      constant COMPONENTS : string(1 to 4) := "xyzw";',
        "    begin",
        (
            '      return FILES(address / 32 mod 4 + 1) & integer\'image(address / 4 mod 8) & "." & COMPONENTS(address mod 4 + '
            '1) & ", quad " & integer\'image(address / 128) & ", lane";'
        ),
        "    end function;",
        "  begin",
        "    for n in 1 to 8 loop wait until rising_edge(clk); end loop;",
        "    for n in STREAMS'range loop",
        "      CMD_SetNumVertexStreams <= std_logic_vector(to_unsigned(STREAMS'length mod 8, 3));",
        "      CMD_SetVertexStreamID <= std_logic_vector(to_unsigned(n, 3));",
        "      CMD_SetVertexStreamDWORDCount <= std_logic_vector(to_unsigned(STREAMS(n).dwords, 3));",
        (
            "      if STREAMS(n).color = 1 then CMD_SetVertexStreamIsD3DCOLOR <= '1'; else CMD_SetVertexStreamIsD3DCOLOR <= "
            "'0'; end if;"
        ),
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
        (
            '          compare_number("issue of instruction " & integer\'image(issued), cycle - wave_start, '
            "EXPECTED_ISSUES(issued));"
        ),
        "        end if;",
        "        issued := issued + 1;",
        "      end if;",
        # what the port has had since the last edge
        f"      if TRACE and ({running}) and GPR0_PortW_en = '1' then",
        '        print("write " & integer\'image(cycle - 1) & " " & integer\'image(to_integer(unsigned(GPR0_WriteQuadIndex) '
        "& unsigned(GPR0_PortW_regType) & unsigned(GPR0_PortW_regIdx)"
        ' & unsigned(GPR0_PortW_regChan))) & " " & to_hstring(GPR0_PortW_writeInData));',
        "      end if;",
        "      before := DBG_InstructionPointer;",
        f"      was_running := {running};",
        "      if VERTOUT_FIFO_wr_en = '1' then",
        '        if TRACE then print("vertex " & to_hstring(VERTOUT_FIFO_wr_data)); end if;',
        "        if vertex < EXPECTED_EXPORTS'length then",
        (
            '          compare_words("vertex " & integer\'image(vertex) & ", word", VERTOUT_FIFO_wr_data, '
            "EXPECTED_EXPORTS(vertex));"
        ),
        "        end if;",
        "        vertex := vertex + 1;",
        "      end if;",
        f"      if {state} = {RUN} then",
        "        running := running + 1; started := true;",
        f"      elsif {state} = {WAIT} then",
        "        waiting := waiting + 1;",
        f"      elsif {state} >= {FIRST_FETCH} and {state} <= {LAST_FETCH} then",
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
        (
            '          compare_number("cycles of the fetch", fetching - wave_fetching, EXPECTED_HIT_CYCLES(waves_done) + '
            "EXPECTED_MISSES(waves_done) * (MISS_CYCLES + LATENCY));"
        ),
        "        end if;",
        "        waves_done := waves_done + 1; issued := 0;",
        (
            "        wave_fetching := fetching; wave_o := o_stalls; wave_i := i_stalls; wave_running := running; "
            "wave_waiting := waiting;"
        ),
        "      end if;",
        "    end loop;",
        "    if waves_done < WAVES then",
        '      print("timeout");',
        (
            '      compare(false, "wave " & integer\'image(waves_done) & " did not end in " & integer\'image(LIMIT) & " '
            'cycles a wave");'
        ),
        "    end if;",
        "    if CHECKED then",
        (
            '      compare(vertex = EXPECTED_EXPORTS\'length, "vertices that leave the core: expected " & '
            "integer'image(EXPECTED_EXPORTS'length) & \", found \" & integer'image(vertex));"
        ),
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
        (
            '    if CHECKED then print("PASS: " & integer\'image(WAVES) & " waves, " & integer\'image(vertex) & " vertices, '
            '512 registers of four lanes"); end if;'
        ),
        "    wait;",
        "  end process;",
    ]


__all__ = [
    "ALU_PORTS",
    "BENCH_FILE",
    "CACHE_PORTS",
    "DATA_FILE",
    "ENTITY",
    "FILES",
    "FIRST_FETCH",
    "LAST_FETCH",
    "MARK",
    "PACKAGE",
    "PORTS",
    "README_FILE",
    "RUN",
    "SHOWN",
    "UNITS",
    "WAIT",
    "bench",
]
