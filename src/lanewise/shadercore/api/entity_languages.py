"""Benches of an entity in VHDL, Verilog and cocotb: the steps of `entity`, each printed by the templates of a language.

Inputs change and outputs are looked at at the edge of the clock that does not count. A bench prints `PASS`, or a line `FAIL`
for each difference, and then ends with an error.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.api import entity_surroundings as surroundings
from lanewise.shadercore.api.entity import Load, Start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.shadercore.api.entity import Entity, Memory, Step

BENCH = "lanewise_bench"
MARK = "written by lanewise rtl"
SHOWN = 40  # differences that are printed


class Language(Record):
    """How a language writes a bench."""

    name: str
    "As `--language` has it."
    file: str
    "The name of the file."
    head: Callable[[Entity, int, Sequence[int]], Iterator[str]]
    "What is before the steps: their number, and the cycles at which instructions issue."
    tail: Callable[[Entity], Iterator[str]]
    "What is after them."
    load: str
    "A step `Load`: its number, memory and kind (the number of the memory), address and row as literals."
    start: str
    "A step `Start`: its number, wave and cycles."
    read: str
    "A step `Read`: as `Load`, and label."
    literal: Callable[[int, int], str]
    "A value of so many bits; 0 bits: a port that is no vector."
    commands: str
    "How to run it, for the README."
    parts: bool = True
    "It can connect other entities to the core."


def bench(language: Language, entity: Entity, steps: Sequence[Step]) -> str:
    """The text of a bench."""
    names = [memory.name for memory in entity.memories]
    issues = next((step.issues for step in steps if isinstance(step, Start)), ())
    lines = [*language.head(entity, len(steps), issues)]
    lines += [_step(language, step, n, names) for n, step in enumerate(steps)]
    lines += language.tail(entity)
    return "\n".join(lines) + "\n"


def _step(language: Language, step: Step, number: int, names: Sequence[str]) -> str:
    if isinstance(step, Start):
        return language.start.format(number=number, wave=step.wave, cycles=step.cycles)
    memory = step.memory
    values = {
        "number": number,
        "kind": names.index(memory.name) + 1,
        "memory": memory.name,
        "address": language.literal(step.address, memory.address_width),
        "row": language.literal(step.row, memory.width),
    }
    return language.load.format(**values) if isinstance(step, Load) else language.read.format(**values, label=step.label)


def _written(entity: Entity) -> list[Memory]:
    return [memory for memory in entity.memories if memory is not entity.results]


# VHDL-2008


def _vhdl_literal(value: int, bits: int) -> str:
    if not bits:
        return f"'{value}'"
    return f'{bits}x"{value:X}"'


def _vhdl_type(bits: int) -> str:
    return f"std_logic_vector({bits - 1} downto 0)" if bits else "std_logic"


def _vhdl_head(entity: Entity, _steps: int, issues: Sequence[int]) -> Iterator[str]:
    idle = entity.idle()
    ports = entity.ports()
    resting, edge = ("0", "falling_edge") if entity.rising else ("1", "rising_edge")
    yield f"-- A bench of the entity {entity.name}, {MARK}. VHDL-2008."
    yield "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all; use std.textio.all;"
    yield f"entity {BENCH} is end entity;"
    yield ""
    yield f"architecture run of {BENCH} is"
    yield f"  signal {entity.clock} : std_logic := '{resting}';"
    yield "  signal bench_done : boolean := false;"
    for name, (_, bits) in {**ports, **entity.signals()}.items():
        first = f" := {_vhdl_literal(idle[name], bits)}" if name in idle else ""
        yield f"  signal {name} : {_vhdl_type(bits)}{first};"
    if issues:
        listed = ", ".join([f"{n} => {cycle}" for n, cycle in enumerate(issues)])
        yield "  type bench_cycles_t is array (natural range <>) of integer;"
        yield f"  constant bench_issues : bench_cycles_t := ({listed});"
    yield "begin"
    half = entity.period // 2
    yield f"  {entity.clock} <= not {entity.clock} after {half} ns when not bench_done else '{resting}';"
    yield f"  bench_core : entity work.{entity.name} port map ("
    yield "    " + ",\n    ".join([f"{name} => {name}" for name in (entity.clock, *ports)]) + ");"
    yield from surroundings.vhdl(entity)
    yield "  bench_driver : process"
    yield "    variable bench_errors, bench_checks, bench_cycles, bench_issued : natural := 0;"
    if issues and entity.issue is not None and entity.issue.bits:
        yield f"    variable bench_before : {_vhdl_type(entity.issue.bits)};"
    yield "    variable bench_text : line;"
    yield "    procedure bench_print(what : string) is"
    yield "    begin"
    yield "      write(bench_text, what); writeline(output, bench_text);"
    yield "    end procedure;"
    yield "    procedure bench_fail(what : string) is"
    yield "    begin"
    yield "      bench_errors := bench_errors + 1;"
    yield f'      if bench_errors <= {SHOWN} then bench_print("FAIL: " & what); end if;'
    yield "    end procedure;"
    yield "    procedure bench_tick(count : natural) is"
    yield "    begin"
    yield f"      for n in 1 to count loop wait until {edge}({entity.clock}); end loop;"
    yield "    end procedure;"
    for memory in _written(entity):
        assert memory.enable is not None
        place, row = _vhdl_type(memory.address_width), _vhdl_type(memory.width)
        yield f"    procedure load_{memory.name}(place : {place}; row : {row}) is"
        yield "    begin"
        yield f"      {memory.address} <= place; {memory.data} <= row; {memory.enable.port} <= '{memory.enable.on}';"
        yield "      bench_tick(1);"
        yield f"      {memory.enable.port} <= '{1 - memory.enable.on}';"
        yield "    end procedure;"
    start, done, issue = entity.start, entity.done, entity.issue
    yield "    procedure compare_number(what : string; found, expected : integer) is"
    yield "    begin"
    yield "      bench_checks := bench_checks + 1;"
    yield "      if found /= expected then"
    yield '        bench_fail(what & ": expected " & integer\'image(expected) & ", found " & integer\'image(found));'
    yield "      end if;"
    yield "    end procedure;"
    yield "    procedure run_wave(wave, expected : integer) is"
    yield '      constant bench_named : string := "wave " & integer\'image(wave) & ": ";'
    yield "    begin"
    yield f"      {start.port} <= '{start.on}'; bench_cycles := 0; bench_issued := 0;"
    if issues and issue is not None and issue.bits:
        yield f"      bench_before := {issue.port};"
    yield f"      while bench_cycles < {entity.limit} loop"
    yield "        bench_tick(1);"
    yield f"        if bench_cycles + 1 = {entity.start_cycles} then {start.port} <= '{1 - start.on}'; end if;"
    if issues and issue is not None:
        if issue.bits:
            yield f"        if {issue.port} /= bench_before and unsigned({issue.port}) /= 0 then"
        else:
            yield f"        if {issue.port} = '1' then"
        yield "          if bench_issued < bench_issues'length then"
        yield '            compare_number(bench_named & "issue of instruction " & integer\'image(bench_issued), bench_cycles,'
        yield "              bench_issues(bench_issued));"
        yield "          end if;"
        yield "          bench_issued := bench_issued + 1;"
        yield "        end if;"
        if issue.bits:
            yield f"        bench_before := {issue.port};"
    yield f"        exit when {done.port} = '{done.on}';"
    yield "        bench_cycles := bench_cycles + 1;"
    yield "      end loop;"
    yield f"      {start.port} <= '{1 - start.on}';"
    yield '      compare_number(bench_named & "cycles", bench_cycles, expected);'
    if issues:
        yield '      compare_number(bench_named & "instructions that issue", bench_issued, bench_issues\'length);'
    yield "    end procedure;"
    results = entity.results
    read = f"place : {_vhdl_type(results.address_width)}; row : {_vhdl_type(results.width)}; label_of : string"
    yield f"    procedure read_{results.name}({read}) is"
    yield "    begin"
    yield f"      {results.address} <= place;"
    if results.enable is not None:
        yield f"      {results.enable.port} <= '{results.enable.on}';"
    yield f"      bench_tick({results.latency});" if results.latency else "      wait for 1 ns;"
    yield "      bench_checks := bench_checks + 1;"
    yield f"      if {results.data} /= row then"
    yield f'        bench_fail(label_of & ": expected " & to_hstring(row) & ", found " & to_hstring({results.data}));'
    yield "      end if;"
    yield "    end procedure;"
    yield "  begin"
    if entity.reset is not None:
        yield f"    {entity.reset.port} <= '{entity.reset.on}'; bench_tick({entity.reset_cycles});"
        yield f"    {entity.reset.port} <= '{1 - entity.reset.on}';"
    for step in entity.setup:
        values = [f"{port} <= {_vhdl_literal(value, ports[port][1])};" for port, value in step.values.items()]
        yield f"    {' '.join([*values, f'bench_tick({step.cycles});'])}"
    yield "    bench_tick(1);"


def _vhdl_tail(entity: Entity) -> Iterator[str]:
    yield "    bench_done <= true;"
    yield '    assert bench_errors = 0 report "FAIL: " & integer\'image(bench_errors) & " differences" severity failure;'
    yield '    bench_print("PASS: " & integer\'image(bench_checks) & " comparisons");'
    yield "    wait;"
    yield "  end process;"
    yield "end architecture;"


# Verilog-2001, for Icarus Verilog and, with --timing, Verilator


def _verilog_literal(value: int, bits: int) -> str:
    return f"{max(bits, 1)}'h{value:x}"


def _verilog_range(bits: int) -> str:
    return f"[{bits - 1}:0] " if bits else ""


def _verilog_head(entity: Entity, steps: int, issues: Sequence[int]) -> Iterator[str]:
    idle = entity.idle()
    ports = entity.ports()
    resting, edge = (0, "negedge") if entity.rising else (1, "posedge")
    yield f"// A bench of the module {entity.name}, {MARK}. Verilog-2001."
    yield "`timescale 1ns/1ps"
    yield f"module {BENCH};"
    yield f"  reg {entity.clock} = {resting};"
    for name, (output, bits) in {**ports, **entity.signals()}.items():
        kind = "wire" if output or entity.driven.get(name) else "reg"
        first = f" = {_verilog_literal(idle[name], bits)}" if name in idle else ""
        yield f"  {kind} {_verilog_range(bits)}{name}{first};"
    widest = max(memory.width for memory in entity.memories)
    yield f"  localparam bench_steps = {steps};"
    yield "  integer bench_errors = 0, bench_checks = 0, bench_cycles = 0, bench_issued = 0, bench_step;"
    if issues:
        yield f"  integer bench_issues [0:{len(issues) - 1}];"
    # a table, as Verilator takes minutes to compile calls of tasks with delays
    yield f"  reg [2:0] bench_kind [0:{steps - 1}];  // 0: a wave; a memory"
    yield f"  reg [31:0] bench_place [0:{steps - 1}];  // the address; the number of the wave"
    yield f"  reg [{widest - 1}:0] bench_row [0:{steps - 1}];  // what is written or expected; the cycles of the wave"
    yield f"  reg [511:0] bench_label [0:{steps - 1}];"
    yield f"  always #{entity.period // 2} {entity.clock} = ~{entity.clock};"
    yield f"  {entity.name} bench_core ("
    yield "    " + ",\n    ".join([f".{name}({name})" for name in (entity.clock, *ports)]) + ");"
    yield from surroundings.verilog(entity)
    yield "  task bench_tick(input integer count);"
    yield f"    repeat (count) @({edge} {entity.clock});"
    yield "  endtask"
    for memory in _written(entity):
        assert memory.enable is not None
        address, row = _verilog_range(memory.address_width), _verilog_range(memory.width)
        yield f"  task load_{memory.name}(input {address}place, input {row}row);"
        yield "    begin"
        yield f"      {memory.address} = place; {memory.data} = row; {memory.enable.port} = {memory.enable.on};"
        yield "      bench_tick(1);"
        yield f"      {memory.enable.port} = {1 - memory.enable.on};"
        yield "    end"
        yield "  endtask"
    start, done, issue = entity.start, entity.done, entity.issue
    yield "  task run_wave(input integer wave, input integer expected);"
    yield "    reg found;"
    if issues and issue is not None and issue.bits:
        yield f"    reg {_verilog_range(issue.bits)}bench_before;"
    yield "    begin"
    yield f"      {start.port} = {start.on}; bench_cycles = 0; bench_issued = 0; found = 0;"
    if issues and issue is not None and issue.bits:
        yield f"      bench_before = {issue.port};"
    yield f"      while (!found && bench_cycles < {entity.limit}) begin"
    yield "        bench_tick(1);"
    yield f"        if (bench_cycles + 1 == {entity.start_cycles}) {start.port} = {1 - start.on};"
    if issues and issue is not None:
        yield (
            f"        if ({issue.port} !== bench_before && {issue.port} != 0) begin"
            if issue.bits
            else f"        if ({issue.port} === 1'b1) begin"
        )
        yield f"          if (bench_issued < {len(issues)} && bench_issues[bench_issued] != bench_cycles) begin"
        yield "            bench_errors = bench_errors + 1;"
        yield f"            if (bench_errors <= {SHOWN})"
        yield '              $display("FAIL: wave %0d: issue of instruction %0d: expected %0d, found %0d", wave, bench_issued,'
        yield "                bench_issues[bench_issued], bench_cycles);"
        yield "          end"
        yield "          bench_issued = bench_issued + 1;"
        yield "        end"
        if issue.bits:
            yield f"        bench_before = {issue.port};"
    yield f"        if ({done.port} === 1'b{done.on}) found = 1;"
    yield "        else bench_cycles = bench_cycles + 1;"
    yield "      end"
    yield f"      {start.port} = {1 - start.on};"
    yield "      bench_checks = bench_checks + 1;"
    yield "      if (bench_cycles != expected) begin"
    yield "        bench_errors = bench_errors + 1;"
    yield f"        if (bench_errors <= {SHOWN})"
    yield '          $display("FAIL: wave %0d: cycles: expected %0d, found %0d", wave, expected, bench_cycles);'
    yield "      end"
    if issues:
        yield f"      bench_checks = bench_checks + {len(issues)} + 1;"
        yield f"      if (bench_issued != {len(issues)}) begin"
        yield "        bench_errors = bench_errors + 1;"
        yield f"        if (bench_errors <= {SHOWN})"
        yield '          $display("FAIL: wave %0d: instructions that issue: expected %0d, found %0d", wave,'
        yield f"            {len(issues)}, bench_issued);"
        yield "      end"
    yield "    end"
    yield "  endtask"
    results = entity.results
    address, row = _verilog_range(results.address_width), _verilog_range(results.width)
    yield f"  task read_{results.name}(input {address}place, input {row}row, input [511:0] label);"
    yield "    begin"
    enable = f" {results.enable.port} = {results.enable.on};" if results.enable is not None else ""
    yield f"      {results.address} = place;{enable}"
    yield f"      bench_tick({results.latency});" if results.latency else "      #1;"
    yield "      bench_checks = bench_checks + 1;"
    yield f"      if ({results.data} !== row) begin"
    yield "        bench_errors = bench_errors + 1;"
    yield f"        if (bench_errors <= {SHOWN})"
    yield f'          $display("FAIL: %0s: expected %h, found %h", label, row, {results.data});'
    yield "      end"
    yield "    end"
    yield "  endtask"
    yield "  initial begin"
    for n, cycle in enumerate(issues):
        yield f"    bench_issues[{n}] = {cycle};"


def _verilog_tail(entity: Entity) -> Iterator[str]:
    yield "  end"
    yield "  initial begin"
    yield '    if ($test$plusargs("vcd")) begin'
    yield '      $dumpfile("run.vcd");'
    yield f"      $dumpvars(0, {BENCH});"
    yield "    end"
    if entity.reset is not None:
        yield f"    {entity.reset.port} = {entity.reset.on}; bench_tick({entity.reset_cycles});"
        yield f"    {entity.reset.port} = {1 - entity.reset.on};"
    ports = entity.ports()
    for step in entity.setup:
        values = [f"{port} = {_verilog_literal(value, ports[port][1])};" for port, value in step.values.items()]
        yield f"    {' '.join([*values, f'bench_tick({step.cycles});'])}"
    yield "    bench_tick(1);"
    yield "    for (bench_step = 0; bench_step < bench_steps; bench_step = bench_step + 1)"
    yield "      case (bench_kind[bench_step])"
    yield "        0: run_wave(bench_place[bench_step], bench_row[bench_step][31:0]);"
    for kind, memory in enumerate(entity.memories, 1):
        place = f"bench_place[bench_step][{memory.address_width - 1}:0]"
        row = f"bench_row[bench_step][{memory.width - 1}:0]"
        if memory is entity.results:
            yield f"        {kind}: read_{memory.name}({place}, {row}, bench_label[bench_step]);"
        else:
            yield f"        {kind}: load_{memory.name}({place}, {row});"
    yield "      endcase"
    yield '    if (bench_errors == 0) $display("PASS: %0d comparisons", bench_checks);'
    yield '    else $display("FAIL: %0d differences", bench_errors);'
    yield "    if (bench_errors != 0) $fatal(1);"
    yield "    $finish;"
    yield "  end"
    yield "endmodule"


# cocotb 2


def _python_literal(value: int, bits: int) -> str:
    return f"0x{value:X}" if bits else str(value)


def _cocotb_head(entity: Entity, _steps: int, issues: Sequence[int]) -> Iterator[str]:
    edge = "FallingEdge" if entity.rising else "RisingEdge"
    yield f'"""A cocotb test of the module {entity.name}, {MARK}.'
    yield ""
    yield "python bench.py SOURCE ... runs it in Icarus Verilog."
    yield '"""'
    yield ""
    yield "import os"
    yield "import sys"
    yield ""
    yield "import cocotb"
    yield "from cocotb.clock import Clock"
    yield f"from cocotb.triggers import {'FallingEdge, RisingEdge' if entity.outside else edge}, Timer"
    yield ""
    yield ""
    yield "@cocotb.test()"
    yield f"async def {BENCH}(dut):"
    yield "    errors = []"
    yield "    checks = 0"
    if issues:
        yield f"    issues = {[*issues]}"
    yield ""
    yield "    async def tick(count):"
    yield "        for _ in range(count):"
    yield f"            await {edge}(dut.{entity.clock})"
    yield ""
    yield "    async def load(memory, address, row):"
    yield "        address_port, data_port, enable, on = memory"
    yield "        address_port.value, data_port.value, enable.value = address, row, on"
    yield "        await tick(1)"
    yield "        enable.value = 1 - on"
    start, done, results, issue = entity.start, entity.done, entity.results, entity.issue
    yield ""
    yield "    async def run_wave(wave, expected):"
    yield "        nonlocal checks"
    yield f"        dut.{start.port}.value = {start.on}"
    yield "        cycles = 0"
    if issues and issue is not None:
        yield "        issued = []"
        yield f"        before = str(dut.{issue.port}.value)"
    yield f"        while cycles < {entity.limit}:"
    yield "            await tick(1)"
    yield f"            if cycles + 1 == {entity.start_cycles}:"
    yield f"                dut.{start.port}.value = {1 - start.on}"
    if issues and issue is not None:
        yield f"            now = str(dut.{issue.port}.value)"
        yield '            if now != before and "1" in now:' if issue.bits else '            if now == "1":'
        yield "                issued.append(cycles)"
        yield "            before = now"
    yield f'            if str(dut.{done.port}.value) == "{done.on}":'
    yield "                break"
    yield "            cycles += 1"
    yield f"        dut.{start.port}.value = {1 - start.on}"
    yield "        checks += 1"
    yield "        if cycles != expected:"
    yield '            errors.append(f"wave {wave}: cycles: expected {expected}, found {cycles}")'
    if issues:
        yield "        checks += len(issues) + 1"
        yield "        for n, (right, found) in enumerate(zip(issues, issued)):"
        yield "            if right != found:"
        yield '                errors.append(f"wave {wave}: issue of instruction {n}: expected {right}, found {found}")'
        yield "        if len(issues) != len(issued):"
        yield '            errors.append(f"wave {wave}: instructions that issue: expected {len(issues)}, found {len(issued)}")'
    yield ""
    yield "    async def read_results(address, row, label):"
    yield "        nonlocal checks"
    if results.outside is None:
        yield f"        dut.{results.address}.value = address"
        if results.enable is not None:
            yield f"        dut.{results.enable.port}.value = {results.enable.on}"
        yield f"        await tick({results.latency})" if results.latency else '        await Timer(1, "ns")'
        yield f"        found = dut.{results.data}.value"
        yield "        if not found.is_resolvable or found.to_unsigned() != row:"
    else:
        yield f"        {results.name}[0].value = address"
        yield f"        await tick({results.latency})"
        yield f'        found = f"{{{results.name}[1].value:x}}"'
        yield "        if int(found, 16) != row:"
    yield '            errors.append(f"{label}: expected {row:x}, found {found}")'
    yield "        checks += 1"
    yield ""
    for name, value in entity.idle().items():
        if name not in entity.signals():
            yield f"    dut.{name}.value = {value}"
    for memory in _written(entity):
        assert memory.enable is not None
        if memory.outside is None:
            ports = f"dut.{memory.address}, dut.{memory.data}, dut.{memory.enable.port}, {memory.enable.on}"
            yield f"    {memory.name} = ({ports})"
    yield from surroundings.cocotb(entity)
    high = "" if entity.rising else ", start_high=False"
    yield f'    cocotb.start_soon(Clock(dut.{entity.clock}, {entity.period}, "ns").start({high[2:]}))'
    if entity.reset is not None:
        yield f"    dut.{entity.reset.port}.value = {entity.reset.on}"
        yield f"    await tick({entity.reset_cycles})"
        yield f"    dut.{entity.reset.port}.value = {1 - entity.reset.on}"
    for step in entity.setup:
        for port, value in step.values.items():
            yield f"    dut.{port}.value = {value}"
        yield f"    await tick({step.cycles})"
    yield "    await tick(1)"


def _cocotb_tail(entity: Entity) -> Iterator[str]:
    yield f"    for error in errors[:{SHOWN}]:"
    yield '        print("FAIL:", error)'
    yield '    assert not errors, f"FAIL: {len(errors)} differences"'
    yield '    print(f"PASS: {checks} comparisons")'
    yield ""
    yield ""
    yield 'if __name__ == "__main__":'
    yield "    from cocotb_tools.check_results import get_results"
    yield "    from cocotb_tools.runner import get_runner"
    yield ""
    yield '    runner = get_runner(os.environ.get("SIM", "icarus"))'
    yield f'    runner.build(sources=sys.argv[1:], hdl_toplevel="{entity.name}", always=True, timescale=("1ns", "1ps"))'
    yield f'    results = runner.test(hdl_toplevel="{entity.name}", test_module="bench")'
    yield "    sys.exit(bool(get_results(results)[1]))"


LANGUAGES = (
    Language(
        name="vhdl",
        file="bench.vhd",
        head=_vhdl_head,
        tail=_vhdl_tail,
        load="    load_{memory}({address}, {row});",
        start="    run_wave({wave}, {cycles});",
        read='    read_{memory}({address}, {row}, "{label}");',
        literal=_vhdl_literal,
        commands=f"""ghdl -i --std=08 bench.vhd YOUR_SOURCES.vhd
ghdl -m --std=08 {BENCH}
ghdl -r --std=08 {BENCH} --wave=run.ghw""",
    ),
    Language(
        name="verilog",
        file="bench.v",
        head=_verilog_head,
        tail=_verilog_tail,
        load="    bench_kind[{number}] = {kind}; bench_place[{number}] = {address}; bench_row[{number}] = {row};  // {memory}",
        start="    bench_kind[{number}] = 0; bench_place[{number}] = {wave}; bench_row[{number}] = {cycles};  // wave, cycles",
        read="    bench_kind[{number}] = {kind}; bench_place[{number}] = {address}; bench_row[{number}] = {row}; "
        'bench_label[{number}] = "{label}";',
        literal=_verilog_literal,
        commands=f"""iverilog -g2005-sv -s {BENCH} -o bench.vvp bench.v YOUR_SOURCES.v
vvp -n bench.vvp  # with +vcd also run.vcd, a waveform

verilator --binary --timing -Wno-fatal --top-module {BENCH} bench.v YOUR_SOURCES.v
obj_dir/V{BENCH}""",
    ),
    Language(
        name="cocotb",
        file="bench.py",
        head=_cocotb_head,
        tail=_cocotb_tail,
        load="    await load({memory}, {address}, {row})",
        start="    await run_wave({wave}, {cycles})",
        read='    await read_{memory}({address}, {row}, "{label}")',
        literal=_python_literal,
        commands="python bench.py YOUR_SOURCES.v",
        parts=False,
    ),
)
