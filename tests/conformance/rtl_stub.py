"""A core without arithmetic, to elaborate and run test benches where there is no hardware description."""

from __future__ import annotations

from lanewise.shadercore.api.testbench import ALU_PORTS, PORTS


def _type(bits: int) -> str:
    return f"std_logic_vector({bits - 1} downto 0)" if bits else "std_logic"


def stub() -> str:
    """A core and an ALU with the same ports that compute nothing: the core reads its stream, spends three cycles in state
    runShader, waits for one, writes o0.x of quad 1, exports a vertex and is done. With them the bench can be elaborated and run
    where there is no hardware description."""
    ports = "; ".join(f"{name} : {'out' if out else 'in'} {_type(bits)}" for name, out, bits in PORTS)
    alu = "; ".join(
        [
            *(f"{port} : in std_logic" for port in ("clk", *ALU_PORTS)),
            *(f"{port} : in {_type(32)}" for port in ("IN_A", "IN_B")),
            f"IN_MODE : in {_type(3)}",
            f"OUT_RESULT : out {_type(32)}",
        ]
    )
    outputs = "; ".join(f"Float{letter}Out : out {_type(32)}" for letter in "XYZW")
    colors = f"clk : in std_logic; Enable : in std_logic; D3DColorIn : in {_type(32)}; {outputs}"
    head = "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;"
    return (
        "\n".join(
            [
                head,
                f"entity FloatALU is port ({alu}); end entity;",
                "architecture stub of FloatALU is begin OUT_RESULT <= (others => '0'); end architecture;",
                head,
                f"entity UNORM8ToFloat is port ({colors}); end entity;",
                (
                    "architecture stub of UNORM8ToFloat is begin FloatXOut <= D3DColorIn; FloatYOut <= D3DColorIn; FloatZOut "
                    "<= D3DColorIn; FloatWOut <= D3DColorIn;"
                ),
                "end architecture;",
                head,
                f"entity ShaderCore is port ({ports}); end entity;",
                "architecture stub of ShaderCore is",
                "  signal step : natural := 0;",
                "begin",
                "  process (clk) begin",
                "    if rising_edge(clk) then",
                (
                    "      GPR0_PortW_en <= '0'; VERTOUT_FIFO_wr_en <= '0'; VBO_Pushed <= '0'; VERTBATCH_FIFO_rd_en <= '0'; "
                    "DBG_OStall <= '0'; DBG_IStall <= '0';"
                ),
                "      DBG_CurrentState <= std_logic_vector(to_unsigned(0, 6));",
                '      if CMD_InCommand = "100" then step <= 1; end if;',
                "      if step > 0 then step <= step + 1; end if;",
                "      if step < 40 then DBG_InstructionPointer <= (others => '0'); end if;",
                "      case step is",
                "        when 5 => VSC_ReadEnable <= '1'; VSC_ReadDWORDAddr <= std_logic_vector(to_unsigned(3, 22));",
                (
                    "        when 8 => VSC_ReadEnable <= '0'; ICache_Enable <= '1'; ICache_Address <= "
                    "std_logic_vector(to_unsigned(1, 9));"
                ),
                "        when 39 => DBG_CurrentState <= std_logic_vector(to_unsigned(30, 6));",
                (
                    "        when 40 => DBG_CurrentState <= std_logic_vector(to_unsigned(30, 6)); DBG_InstructionPointer <= "
                    "std_logic_vector(to_unsigned(1, 9));"
                ),
                "          DBG_OStall <= '1';",
                "        when 41 => DBG_CurrentState <= std_logic_vector(to_unsigned(30, 6));",
                (
                    "        when 42 => DBG_CurrentState <= std_logic_vector(to_unsigned(31, 6)); DBG_InstructionPointer <= "
                    "std_logic_vector(to_unsigned(2, 9));"
                ),
                (
                    '          GPR0_PortW_en <= \'1\'; GPR0_WriteQuadIndex <= "01"; GPR0_PortW_regType <= "01"; '
                    'GPR0_PortW_regIdx <= "000";'
                ),
                (
                    '          GPR0_PortW_regChan <= "00"; GPR0_PortW_writeInData <= ICache_ReadData & VSC_ReadData & '
                    "VERTBATCH_FIFO_rd_data(287 downto 256);"
                ),
                (
                    "        when 43 => VERTBATCH_FIFO_rd_en <= '1'; VERTOUT_FIFO_wr_en <= '1'; VERTOUT_FIFO_wr_data <= (63 "
                    "downto 32 => '1', others => '0');"
                ),
                "        when 44 => VBO_Pushed <= '1';",
                "        when others => null;",
                "      end case;",
                "    end if;",
                "  end process;",
                "end architecture;",
            ]
        )
        + "\n"
    )
