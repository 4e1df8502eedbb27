"""A core of a few lines in Verilog and VHDL, with ports and handshakes of its own, to run benches of `lanewise rtl --entity`.

It executes mov, or, and, bshftl8 and end, a slot each eight cycles, and waits two more: what the device `rtl` does for a
program whose instructions do not wait for each other. Its memories are inside; `OUTSIDE_ENTITY` is another one, whose memories
and bitwise OR are outside, and which executes mov, or and end.
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
[issue]
port = "slot"
width = 9
overhead = 1
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

OUTSIDE_ENTITY = """entity = "outside_core"
[clock]
port = "ck"
edge = "falling"
[program]
width = 64
latency = 2
reads = [{ address = "ia", data = "id" }]
[constants]
width = 32
latency = 2
reads = [{ address = ["cc", "cn"], data = "cd" }]
[registers]
width = 512
latency = 2
reads = [{ enable = "fetch", address = "aa", data = "ad" }, { enable = "fetch", address = "ba", data = "bd" }]
write = { enable = "we_n", active = "low", address = "wa", data = "wd" }
[start]
port = "go"
[done]
port = "over"
overhead = 3
[issue]
port = "issued"
overhead = 1
[[setup]]
wake = 1
cycles = 3
[[setup]]
wake = 0
[inputs]
id = { width = 64 }
cd = { width = 32 }
ad = { width = 512 }
bd = { width = 512 }
xy = { width = 512 }
wake = {}
[outputs]
ia = 9
cc = 2
cn = 8
fetch = 0
aa = 7
ba = 7
we_n = 0
wa = 7
wd = 512
x = 512
y = 512
[[parts]]
entity = "either"
inputs = { a = "x", b = "y" }
outputs = { r = "xy" }
"""

# Both in one module, as cocotb has one.
JOINED_ENTITY = (
    OUTSIDE_ENTITY[: OUTSIDE_ENTITY.index("x = 512")]
    .replace("outside_core", "joined_core")
    .replace("xy = { width = 512 }\n", "")
)

OUTSIDE_SOURCE = """.input v0 position
.output o0 position
mov r0.x, v0.x
mov o0.x, c1.z
or r1.y, v0.y, v0.x
mov x3.z, -1
mov o0.w, r1.y
end
"""

OUTSIDE_VERILOG = """
module either(input wire [511:0] a, input wire [511:0] b, output wire [511:0] r);
  assign r = a | b;
endmodule
module outside_core(input wire ck, output reg [8:0] ia, input wire [63:0] id, output reg [1:0] cc, output reg [7:0] cn,
  input wire [31:0] cd, output reg fetch, output reg [6:0] aa, output reg [6:0] ba, input wire [511:0] ad,
  input wire [511:0] bd, output reg we_n, output reg [6:0] wa, output reg [511:0] wd, output reg [511:0] x,
  output reg [511:0] y, input wire [511:0] xy, input wire go, output reg over, output reg issued, input wire wake);
  reg awake = 0, running = 0;
  reg [2:0] phase, waiting;
  reg [8:0] slot;
  reg [63:0] w;
  function [6:0] place(input [14:0] source);
    place = {source[4:2] == 0 ? 2'd2 : source[4:2] == 1 ? 2'd0 : source[4:2] == 3 ? 2'd3 : 2'd1, source[7:5], source[14:13]};
  endfunction
  always @(negedge ck) begin
    over <= 0; issued <= 0; we_n <= 1;
    if (wake) awake <= 1;
    if (!running) begin
      if (go && awake) begin running <= 1; slot <= 0; phase <= 0; waiting <= 0; end
    end else if (waiting != 0) begin
      waiting <= waiting - 1;
      if (waiting == 1) begin running <= 0; over <= 1; end
    end else begin
      phase <= phase + 1;
      case (phase)
        0: begin ia <= slot; issued <= 1; slot <= slot + 1; end
        3: begin
          w <= id; aa <= place(id[27:13]); ba <= place(id[42:28]); cc <= id[27:26]; cn <= id[25:18]; fetch <= 1;
          if (id[4:0] == 31) waiting <= 2;
        end
        6: begin
          x <= w[17:15] == 2 ? {16{cd}} : w[17:15] == 7 ? {16{32'hBF800000}} : ad; y <= w[4:0] == 26 ? bd : 0; fetch <= 0;
        end
        7: begin
          wa <= {w[7:6] == 0 ? 2'd2 : w[7:6] == 1 ? 2'd3 : 2'd1, w[10:8], w[12:11]}; wd <= xy; we_n <= 0;
        end
      endcase
    end
  end
endmodule
module joined_core(input wire ck, output wire [8:0] ia, input wire [63:0] id, output wire [1:0] cc, output wire [7:0] cn,
  input wire [31:0] cd, output wire fetch, output wire [6:0] aa, output wire [6:0] ba, input wire [511:0] ad,
  input wire [511:0] bd, output wire we_n, output wire [6:0] wa, output wire [511:0] wd, input wire go, output wire over,
  output wire issued, input wire wake);
  wire [511:0] x, y, xy;
  either alu (.a(x), .b(y), .r(xy));
  outside_core core (ck, ia, id, cc, cn, cd, fetch, aa, ba, ad, bd, we_n, wa, wd, x, y, xy, go, over, issued, wake);
endmodule
"""

OUTSIDE_VHDL = """
library ieee; use ieee.std_logic_1164.all;
entity either is
  port (a, b : in std_logic_vector(511 downto 0); r : out std_logic_vector(511 downto 0));
end entity;
architecture small of either is begin r <= a or b; end architecture;
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity outside_core is
  port (ck : in std_logic; ia : out std_logic_vector(8 downto 0); id : in std_logic_vector(63 downto 0);
    cc : out std_logic_vector(1 downto 0); cn : out std_logic_vector(7 downto 0); cd : in std_logic_vector(31 downto 0);
    fetch : out std_logic := '0'; aa, ba : out std_logic_vector(6 downto 0); ad, bd : in std_logic_vector(511 downto 0);
    we_n : out std_logic := '1'; wa : out std_logic_vector(6 downto 0); wd, x, y : out std_logic_vector(511 downto 0);
    xy : in std_logic_vector(511 downto 0); go : in std_logic; over, issued : out std_logic := '0'; wake : in std_logic);
end entity;
architecture small of outside_core is
begin
  process (ck)
    variable awake, running : boolean := false;
    variable phase, waiting, slot : natural := 0;
    variable w : std_logic_vector(63 downto 0);
    function place(source : std_logic_vector(14 downto 0)) return std_logic_vector is
      variable rest : std_logic_vector(4 downto 0) := source(7 downto 5) & source(14 downto 13);
    begin
      case to_integer(unsigned(source(4 downto 2))) is
        when 0 => return "10" & rest;
        when 1 => return "00" & rest;
        when 3 => return "11" & rest;
        when others => return "01" & rest;
      end case;
    end function;
    function all_lanes(word : std_logic_vector(31 downto 0)) return std_logic_vector is
      variable found : std_logic_vector(511 downto 0);
    begin
      for n in 0 to 15 loop found(32 * n + 31 downto 32 * n) := word; end loop;
      return found;
    end function;
  begin
    if falling_edge(ck) then
      over <= '0'; issued <= '0'; we_n <= '1';
      if not running then
        if go = '1' and awake then running := true; slot := 0; phase := 0; waiting := 0; end if;
      elsif waiting > 0 then
        waiting := waiting - 1;
        if waiting = 0 then running := false; over <= '1'; end if;
      else
        case phase is
          when 0 => ia <= std_logic_vector(to_unsigned(slot, 9)); issued <= '1'; slot := slot + 1;
          when 3 =>
            w := id; aa <= place(w(27 downto 13)); ba <= place(w(42 downto 28)); cc <= w(27 downto 26);
            cn <= w(25 downto 18); fetch <= '1';
            if w(4 downto 0) = "11111" then waiting := 2; end if;
          when 6 =>
            fetch <= '0'; x <= ad; y <= (others => '0');
            if w(17 downto 15) = "010" then x <= all_lanes(cd); end if;
            if w(17 downto 15) = "111" then x <= all_lanes(x"BF800000"); end if;
            if w(4 downto 0) = "11010" then y <= bd; end if;
          when 7 =>
            wd <= xy; we_n <= '0'; wa <= "10" & w(10 downto 8) & w(12 downto 11);
            if w(7 downto 6) = "01" then wa(6 downto 5) <= "11"; elsif w(7 downto 6) = "10" then wa(6 downto 5) <= "01"; end if;
          when others => null;
        end case;
        phase := (phase + 1) mod 8;
      end if;
      if wake = '1' then awake := true; end if;
    end if;
  end process;
end architecture;
"""
