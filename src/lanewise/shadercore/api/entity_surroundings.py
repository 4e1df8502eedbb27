"""Connections of a bench around an entity, in each language: memories outside the core, and other entities.

A memory has a write port of the bench, like one inside the core, whose ports are signals of the bench; it reads and writes at
the edge of the clock that counts. A row comes after `latency` edges with the enable, and a read at the edge of a write gets the
old row.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.shadercore.api.entity import Access, Entity, Memory, Signal


def _stages(memory: Memory) -> list[str]:
    """The registers between a row and the port of its data."""
    assert memory.outside is not None
    return [f"bench_stage{n}" for n in range(1, memory.outside.latency)]


# VHDL


def _vhdl_address(access: Access) -> str:
    return f"to_integer({' & '.join([f'unsigned({port})' for port in reversed(access.address)])})"


def _vhdl_on(entity: Entity, signal: Signal | None) -> str:
    edge = f"{'rising' if entity.rising else 'falling'}_edge({entity.clock})"
    return edge if signal is None else f"{edge} and {signal.port} = '{signal.on}'"


def vhdl(entity: Entity) -> Iterator[str]:
    for memory in entity.outside:
        outside, row = memory.outside, f"std_logic_vector({memory.width - 1} downto 0)"
        assert outside is not None
        assert memory.enable is not None
        yield f"  bench_{memory.name} : block"
        yield f"    type bench_rows_t is array (0 to {(1 << memory.address_width) - 1}) of {row};"
        yield "    signal bench_rows : bench_rows_t := (others => (others => '0'));"
        yield "  begin"
        yield f"    bench_write : process ({entity.clock})"
        yield "    begin"
        yield f"      if {_vhdl_on(entity, None)} then"
        yield f"        if {memory.enable.port} = '1' then bench_rows(to_integer(unsigned({memory.address}))) <= {memory.data};"
        if outside.write is not None:
            enable = outside.write.enable
            on = "else" if enable is None else f"elsif {enable.port} = '{enable.on}' then"
            yield f"        {on} bench_rows({_vhdl_address(outside.write)}) <= {outside.write.data};"
        yield "        end if;"
        yield "      end if;"
        yield "    end process;"
        for n, access in enumerate(outside.reads):
            stages = _stages(memory)
            yield f"    bench_read{n} : process ({entity.clock})"
            if stages:
                yield f"      variable {', '.join(stages)} : {row} := (others => '0');"
            yield "    begin"
            yield f"      if {_vhdl_on(entity, access.enable)} then"
            chain = [f"bench_rows({_vhdl_address(access)})", *stages]
            yield f"        {access.data} <= {chain[-1]};"
            for stage, before in zip(reversed(stages), chain[-2::-1], strict=True):
                yield f"        {stage} := {before};"
            yield "      end if;"
            yield "    end process;"
        if memory is entity.registers:
            yield f"    {entity.results.data} <= bench_rows(to_integer(unsigned({entity.results.address})));"
        yield "  end block;"
    for n, part in enumerate(entity.parts):
        ports = [f"{port} => {name}" for port, name in {**part.inputs, **part.outputs}.items()]
        yield f"  bench_part{n} : entity work.{part.entity} port map ({', '.join(ports)});"


# Verilog


def verilog(entity: Entity) -> Iterator[str]:
    edge = f"{'posedge' if entity.rising else 'negedge'} {entity.clock}"
    for memory in entity.outside:
        outside, rows, row = memory.outside, f"bench_{memory.name}_rows", f"[{memory.width - 1}:0]"
        assert outside is not None
        assert memory.enable is not None
        last = (1 << memory.address_width) - 1
        yield f"  reg {row} {rows} [0:{last}];"
        yield f"  integer bench_{memory.name}_first;"
        yield f"  initial for (bench_{memory.name}_first = 0; bench_{memory.name}_first <= {last}; "
        yield f"    bench_{memory.name}_first = bench_{memory.name}_first + 1) {rows}[bench_{memory.name}_first] = 0;"
        yield f"  always @({edge})"
        yield f"    if ({memory.enable.port}) {rows}[{memory.address}] <= {memory.data};"
        if outside.write is not None:
            on = _verilog_on(outside.write.enable)
            yield f"    else {on}{rows}[{_verilog_address(outside.write)}] <= {outside.write.data};"
        for n, access in enumerate(outside.reads):
            stages = [f"{stage}_{memory.name}{n}" for stage in _stages(memory)]
            if stages:
                yield f"  reg {row} {', '.join(stages)};"
            yield f"  always @({edge}) {_verilog_on(access.enable)}begin"
            chain = [f"{rows}[{_verilog_address(access)}]", *stages]
            for stage, before in zip([*stages, access.data], chain, strict=True):
                yield f"    {stage} <= {before};"
            yield "  end"
        if memory is entity.registers:
            yield f"  assign {entity.results.data} = {rows}[{entity.results.address}];"
    for n, part in enumerate(entity.parts):
        ports = [f".{port}({name})" for port, name in {**part.inputs, **part.outputs}.items()]
        yield f"  {part.entity} bench_part{n} ({', '.join(ports)});"


def _verilog_address(access: Access) -> str:
    return f"{{{', '.join(reversed(access.address))}}}"


def _verilog_on(signal: Signal | None) -> str:
    return "" if signal is None else f"if ({signal.port} == {signal.on}) "


# cocotb


def cocotb(entity: Entity) -> Iterator[str]:
    """Objects with a `value`, as ports have, and a coroutine for each memory."""
    if not entity.outside:
        return
    edge = "RisingEdge" if entity.rising else "FallingEdge"
    yield "    class Signal:"
    yield "        value = 0"
    yield ""
    yield "    def number(*ports):"
    yield '        text = "".join(str(port.value) for port in ports)'
    yield '        return int(text, 2) if set(text) <= {"0", "1"} else 0'
    yield ""
    yield "    async def memory(address_width, latency, held, reads, write, results=None):"
    yield "        rows = [0] * (1 << address_width)"
    yield "        stages = [[0] * latency for _ in reads]"
    yield "        while True:"
    yield f"            await {edge}(dut.{entity.clock})"
    yield "            for stage, (enable, on, address, data) in zip(stages, reads):"
    yield "                if enable is None or number(enable) == on:"
    yield "                    stage.append(rows[number(*address)])"
    yield "                    del stage[0]"
    yield "                    data.value = stage[0]"
    yield "            address, data, enable, _ = held"
    yield "            if enable.value:"
    yield "                rows[address.value] = data.value"
    yield "            elif write and (write[0] is None or number(write[0]) == write[1]):"
    yield "                rows[number(*write[2])] = number(write[3])"
    yield "            if results is not None:"
    yield "                results[1].value = rows[results[0].value]"
    yield ""
    for memory in entity.outside:
        outside = memory.outside
        assert outside is not None
        write = "None" if outside.write is None else _cocotb_access(outside.write)
        reads = "".join([f"{_cocotb_access(access)}, " for access in outside.reads])
        yield f"    {memory.name} = Signal(), Signal(), Signal(), 1"
        results = ""
        if memory is entity.registers:
            yield f"    {entity.results.name} = Signal(), Signal()"
            results = f", {entity.results.name}"
        sizes = f"{memory.address_width}, {outside.latency}"
        yield f"    cocotb.start_soon(memory({sizes}, {memory.name}, ({reads}), {write}{results}))"


def _cocotb_access(access: Access) -> str:
    address = "".join([f"dut.{port}, " for port in reversed(access.address)])
    enable = "None, 1" if access.enable is None else f"dut.{access.enable.port}, {access.enable.on}"
    return f"({enable}, ({address}), dut.{access.data})"
