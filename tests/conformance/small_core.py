"""A core of a few lines in Verilog and VHDL, with ports and handshakes of its own, to run benches of `lanewise rtl --entity`.

It executes mov, or, and, bshftl8 and end, a slot each eight cycles, and waits two more: what the device `rtl` does for a
program whose instructions do not wait for each other.
"""

from __future__ import annotations

ENTITY = """entity = "small_core"
[clock]
port = "ck"
period = 8
[reset]
port = "rst_n"
active = "low"
cycles = 2
[program]
enable = "pw"
address = "pa"
address_width = 10
data = "pd"
width = 32
[constants]
enable = "kw"
address = "ka"
address_width = 8
data = "kd"
width = 128
[registers]
enable = "rw_n"
active = "low"
address = "ra"
address_width = 7
data = "rd"
width = 512
[results]
address = "qa"
address_width = 9
data = "qd"
width = 128
order = ["quad", "component", "number", "file"]
latency = 2
[start]
port = "go"
[done]
port = "busy"
active = "low"
overhead = 3
[inputs]
mode = { width = 2, value = 1 }
still = {}
[outputs]
slot = 9
"""

SOURCE = """.input v0 position
.output o0 position
mov r0.x, v0.x
mov o0.x, c1.z
or r1.y, v0.y, v0.x
and r2.w, v0.x, v0.y
bshftl8 x3.z, v0.y
mov o0.w, -1
mov o0.z, v0.w
end
"""

VERILOG = """
module small_core(input wire ck, input wire rst_n, input wire pw, input wire [9:0] pa, input wire [31:0] pd, input wire kw,
  input wire [7:0] ka, input wire [127:0] kd, input wire rw_n, input wire [6:0] ra, input wire [511:0] rd, input wire [8:0] qa,
  output reg [127:0] qd, input wire go, output reg busy, input wire [1:0] mode, input wire still, output reg [8:0] slot);
  reg [31:0] words [0:1023];
  reg [127:0] constants [0:255];
  reg [511:0] registers [0:127];
  reg [127:0] first;
  reg [2:0] phase;
  reg [2:0] waiting;
  reg [63:0] w;
  reg [511:0] a, b, r;
  integer n;
  function [511:0] fetched(input [14:0] source);
    case (source[4:2])
      3'd0: fetched = registers[{2'd2, source[7:5], source[14:13]}];
      3'd1: fetched = registers[{2'd0, source[7:5], source[14:13]}];
      3'd2: fetched = {16{constants[source[12:5]][32 * source[14:13] +: 32]}};
      3'd3: fetched = registers[{2'd3, source[7:5], source[14:13]}];
      3'd4: fetched = registers[{2'd1, source[7:5], source[14:13]}];
      3'd5: fetched = 512'd0;
      3'd6: fetched = {16{32'h3F800000}};
      3'd7: fetched = {16{32'hBF800000}};
    endcase
  endfunction
  always @(posedge ck) begin
    if (pw) words[pa] <= pd;
    if (kw) constants[ka] <= kd;
    if (!rw_n) registers[ra] <= rd;
    first <= registers[qa[8:2]][128 * qa[1:0] +: 128];
    qd <= first;
    if (!rst_n) begin
      busy <= 0; slot <= 0; phase <= 0; waiting <= 0;
    end else if (!busy) begin
      if (go && mode == 1 && !still) begin busy <= 1; slot <= 0; phase <= 0; waiting <= 0; end
    end else if (waiting != 0) begin
      waiting <= waiting - 1;
      if (waiting == 1) busy <= 0;
    end else begin
      phase <= phase + 1;
      if (phase == 0) begin
        w = {words[{slot, 1'b1}], words[{slot, 1'b0}]};
        a = fetched(w[27:13]);
        b = fetched(w[42:28]);
        case (w[4:0])
          5'd26: r = a | b;
          5'd27: r = a & b;
          5'd20: for (n = 0; n < 16; n = n + 1) r[32 * n +: 32] = {a[32 * n +: 24], 8'd0};
          default: r = a;
        endcase
        if (w[4:0] == 31) waiting <= 5;
        else if (w[7:6] != 3) registers[{w[7:6] == 0 ? 2'd2 : w[7:6] == 1 ? 2'd3 : 2'd1, w[10:8], w[12:11]}] <= r;
        slot <= slot + 1;
      end
    end
  end
endmodule
"""

VHDL = """
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity small_core is
  port (ck, rst_n, pw : in std_logic; pa : in std_logic_vector(9 downto 0); pd : in std_logic_vector(31 downto 0);
    kw : in std_logic; ka : in std_logic_vector(7 downto 0); kd : in std_logic_vector(127 downto 0); rw_n : in std_logic;
    ra : in std_logic_vector(6 downto 0); rd : in std_logic_vector(511 downto 0); qa : in std_logic_vector(8 downto 0);
    qd : out std_logic_vector(127 downto 0); go : in std_logic; busy : out std_logic := '0';
    mode : in std_logic_vector(1 downto 0); still : in std_logic; slot : out std_logic_vector(8 downto 0));
end entity;
architecture small of small_core is
  type words_t is array (0 to 1023) of std_logic_vector(31 downto 0);
  type constants_t is array (0 to 255) of std_logic_vector(127 downto 0);
  type registers_t is array (0 to 127) of std_logic_vector(511 downto 0);
begin
  process (ck)
    variable words : words_t; variable constants : constants_t; variable registers : registers_t;
    variable first : std_logic_vector(127 downto 0);
    variable at, phase, waiting, low : natural := 0;
    variable running : boolean := false;
    variable w : std_logic_vector(63 downto 0);
    variable a, b, r : std_logic_vector(511 downto 0);
    function all_lanes(word : std_logic_vector(31 downto 0)) return std_logic_vector is
      variable found : std_logic_vector(511 downto 0);
    begin
      for n in 0 to 15 loop found(32 * n + 31 downto 32 * n) := word; end loop;
      return found;
    end function;
    impure function fetched(source : std_logic_vector(14 downto 0)) return std_logic_vector is
      variable place : natural := to_integer(unsigned(source(7 downto 5)) & unsigned(source(14 downto 13)));
      variable part : natural := to_integer(unsigned(source(14 downto 13)));
    begin
      case to_integer(unsigned(source(4 downto 2))) is
        when 0 => return registers(64 + place);
        when 1 => return registers(place);
        when 2 => return all_lanes(constants(to_integer(unsigned(source(12 downto 5))))(32 * part + 31 downto 32 * part));
        when 3 => return registers(96 + place);
        when 4 => return registers(32 + place);
        when 5 => return all_lanes(x"00000000");
        when 6 => return all_lanes(x"3F800000");
        when others => return all_lanes(x"BF800000");
      end case;
    end function;
  begin
    if rising_edge(ck) then
      qd <= first;
      low := 128 * to_integer(unsigned(qa(1 downto 0)));
      first := registers(to_integer(unsigned(qa(8 downto 2))))(low + 127 downto low);
      if pw = '1' then words(to_integer(unsigned(pa))) := pd; end if;
      if kw = '1' then constants(to_integer(unsigned(ka))) := kd; end if;
      if rw_n = '0' then registers(to_integer(unsigned(ra))) := rd; end if;
      if rst_n = '0' then
        running := false;
      elsif not running then
        if go = '1' and mode = "01" and still = '0' then running := true; at := 0; phase := 0; waiting := 0; end if;
      elsif waiting > 0 then
        waiting := waiting - 1;
        running := waiting > 0;
      else
        if phase = 0 then
          w := words(2 * at + 1) & words(2 * at);
          a := fetched(w(27 downto 13)); b := fetched(w(42 downto 28)); r := a;
          case to_integer(unsigned(w(4 downto 0))) is
            when 26 => r := a or b;
            when 27 => r := a and b;
            when 20 => for n in 0 to 15 loop r(32 * n + 31 downto 32 * n) := a(32 * n + 23 downto 32 * n) & x"00"; end loop;
            when others => null;
          end case;
          low := to_integer(unsigned(w(10 downto 8)) & unsigned(w(12 downto 11)));
          if w(4 downto 0) = "11111" then waiting := 5;
          elsif w(7 downto 6) = "00" then registers(64 + low) := r;
          elsif w(7 downto 6) = "01" then registers(96 + low) := r;
          elsif w(7 downto 6) = "10" then registers(32 + low) := r;
          end if;
          at := at + 1;
        end if;
        phase := (phase + 1) mod 8;
      end if;
      if running then busy <= '1'; else busy <= '0'; end if;
      slot <= std_logic_vector(to_unsigned(at, 9));
    end if;
  end process;
end architecture;
"""
