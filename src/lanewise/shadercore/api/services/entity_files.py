"""Entities as TOML files, for `lanewise rtl --entity FILE`: ports and handshakes of a core; `TEMPLATE` is one with comments."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record, cast
from lanewise.core.service import InputFailure
from lanewise.core.settings import read_table
from lanewise.shadercore.api.entity import (
    COMPONENT,
    FILE,
    HIGH,
    LANE,
    LOW,
    NUMBER,
    QUAD,
    ROW_WIDTHS,
    Entity,
    Memory,
    Signal,
)
from lanewise.shadercore.api.services import entity_surroundings as surroundings
from lanewise.shadercore.api.services import entity_values as values
from lanewise.shadercore.container.memory import WIDTHS
from lanewise.shadercore.isa.table import FILES, SLOTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TABLES = ("clock", "reset", "program", "constants", "registers", "results", "start", "done", "issue", "inputs", "outputs")
_KEYS = ("entity", "limit", *_TABLES, "parts", "setup")
_SIGNAL = ("port", "active")
_MEMORY = ("enable", "active", "address", "address_width", "data", "width")
_OF_TABLE = {
    "clock": ("port", "edge", "period"),
    "reset": (*_SIGNAL, "cycles"),
    "program": _MEMORY,
    "constants": _MEMORY,
    "registers": (*_MEMORY, "order", "files"),
    "results": (*_MEMORY, "order", "files", "latency"),
    "start": (*_SIGNAL, "cycles"),
    "done": (*_SIGNAL, "overhead"),
}
_OUTSIDE = ("program", "constants", "registers")  # may be memories outside the core
_OPTIONAL_TABLES = ("reset", "constants", "issue", "inputs", "outputs")
_CONSTANT_WIDTHS = (32, 128)
_BITS_OF = {"slots": 64, "constants": 128}
_FILES = "vorx"  # those that a core has in its register file
_NEGATIVE = ("_n", "resetn", "rstn", "_ni", "_bar", "_low")  # ends of names of signals that are active low
_USUAL_ORDER = (COMPONENT, NUMBER, FILE)
_MOST = 1_000_000  # cycles; bits of a port have their own limit
_MOST_ADDRESS, _MOST_PORT = 32, 1024

TEMPLATE = """\
# The ports and handshakes of a core, for `lanewise rtl FILE --entity core.toml --language vhdl|verilog|cocotb`.
# The bench drives inputs between two active edges of the clock, and looks at outputs there.
entity = "my_core"
limit = 100000  # cycles after which a wave is given up

[clock]
port = "clk"
edge = "rising"  # or falling
period = 10  # ns

[reset]  # leave the table out where there is none
port = "rst"
active = "high"  # or low
cycles = 4

[program]  # a write port: a row of the program memory each cycle with `enable`
enable = "prog_we"
active = "high"
address = "prog_addr"
address_width = 9
data = "prog_data"
width = 64  # 32 (halves of a machine word, low half first), 64, 128 or 256

[constants]  # leave the table out where programs have none; the address is 4 * number + component
enable = "const_we"
active = "high"
address = "const_addr"
address_width = 10
data = "const_data"
width = 32  # or 128: the four components, x lowest; the address is the number

[registers]  # written before each wave
enable = "reg_we"
active = "high"
address = "reg_addr"
address_width = 9
data = "reg_data"
width = 128  # 32: a lane, 128: the four lanes of a quad, 512: all 16; the first is lowest
order = ["component", "number", "file", "quad"]  # fields of the address, the lowest first; lane with width 32
files = "vorx"  # register files by number: v is 0

[results]  # read and compared after each wave; `enable` may be left out
address = "dbg_addr"
address_width = 9
data = "dbg_data"
width = 128
order = ["component", "number", "file", "quad"]
files = "vorx"
latency = 1  # clock edges from an address to its row

[start]
port = "start"
active = "high"
cycles = 1  # for so many clock edges

[done]
port = "done"
active = "high"
overhead = 0  # clock edges from the one that sees the start until the core is done, besides the cycles of `lanewise time`

# [issue]  # compares the cycle of each issue: a port of one bit, or a pointer that changes with each, and is 0 before the first
# port = "slot"
# width = 9
# overhead = 1  # clock edges from the one that sees the start until the first

[inputs]  # other inputs: bits (0: a single one that is no vector), and the value that they keep
# mode = { width = 2, value = 1 }

[outputs]  # other outputs: bits
# state = 3

# Inputs that are set before the first wave, for so many clock edges:
# [[setup]]
# mode = 2
# cycles = 4
#
# A memory outside the core, which the bench is: in [program], [constants] or [registers] (there is no [results] then) write
# these instead of its ports. They name ports of [inputs] and [outputs]; those of an address have the lowest first.
# reads = [{ enable = "prog_en", address = ["prog_addr"], data = "prog_row" }]
# write = { enable = "reg_we", address = ["component", "number", "kind", "quad"], data = "reg_row" }
# latency = 3
#
# Another entity that is connected to the core:
# [[parts]]
# entity = "my_alu"
# inputs = { clk = "clk", a = "alu_a", b = "alu_b" }
# outputs = { r = "alu_r" }
"""


class _Use(Record):
    """A port as the file names it."""

    place: str
    "The table and the key."
    port: str
    "The name of the port."
    output: bool
    "Whether the core drives it."
    bits: int
    "Its bits; 0 for a single one."
    shared: bool
    "Memories may share it."


def read_entity(data: bytes, path: str) -> Entity:
    """The entity of a TOML file. Raises InputFailure."""
    table = read_table(
        data,
        path,
        "TOML",
        "an entity, its name, and tables clock, program, registers, results, start and done (`lanewise rtl --template > "
        "core.toml` writes one to fill in)",
    )
    try:
        return _entity(table)
    except ValueError as error:
        raise InputFailure(f"{path}: {error}") from None


def _entity(table: Mapping[str, object]) -> Entity:
    """Raises ValueError."""
    if not {"entity", "clock"} & table.keys() and {"base", "pipes", "set", "instructions"} & table.keys():
        raise ValueError(
            "this is a device, which has pipes and latencies: give it with --device; an entity has the ports of a core, and "
            "`lanewise rtl --template` writes one"
        )
    values.refuse_unknown("", table, _KEYS)
    tables = {name: values.table(table, name) for name in _TABLES}
    held = surroundings.READS in tables["registers"]
    for name in _TABLES:
        if name == "results" and held:
            if name in table:
                raise ValueError("registers.reads and [results] contradict each other: the bench has the registers")
        elif name not in table and name not in _OPTIONAL_TABLES:
            raise ValueError(f"[{name}] is missing: `lanewise rtl --template` writes a whole file")
        elif name in _OF_TABLE:
            outside = name in _OUTSIDE and surroundings.READS in tables[name]
            values.refuse_unknown(name, tables[name], surroundings.KEYS if outside else _OF_TABLE[name])
    inputs = {values.name("inputs", name): _input(f"inputs.{name}", value) for name, value in tables["inputs"].items()}
    outputs = {
        values.name("outputs", name): values.whole(f"outputs.{name}", value, 0, _MOST_PORT)
        for name, value in tables["outputs"].items()
    }
    sizes = {name: bits for name, (bits, _) in inputs.items()}

    def memory(place: str, widths: Sequence[int]) -> Memory:
        return _memory(place, tables[place], widths, sizes, outputs)

    clock, reset, start, done = (tables[name] for name in ("clock", "reset", "start", "done"))
    period = values.whole("clock.period", clock.get("period", 10), 2, _MOST)
    if period % 2:
        raise ValueError(f"clock.period: {period} ns have no half: use an even number")
    entity = Entity(
        name=values.name("entity", table.get("entity")),
        clock=values.name("clock.port", clock.get("port")),
        rising=values.choice("clock.edge", clock.get("edge", "rising"), ("rising", "falling")) == "rising",
        period=period,
        reset=values.signal("reset", reset) if "reset" in table else None,
        reset_cycles=values.whole("reset.cycles", reset.get("cycles", 4), 1, _MOST),
        program=memory("program", WIDTHS),
        constants=memory("constants", _CONSTANT_WIDTHS) if "constants" in table else None,
        registers=(registers := memory("registers", tuple(ROW_WIDTHS))),
        results=surroundings.held(registers, "results") if held else memory("results", tuple(ROW_WIDTHS)),
        start=values.signal("start", start),
        start_cycles=values.whole("start.cycles", start.get("cycles", 1), 1, _MOST),
        done=values.signal("done", done),
        overhead=values.whole("done.overhead", done.get("overhead", 0), -_MOST, _MOST),
        inputs=inputs,
        outputs=outputs,
        limit=values.whole("limit", table.get("limit", 100_000), 1, _MOST),
        issue=surroundings.issue(tables["issue"]) if "issue" in table else None,
        setup=surroundings.setup(table["setup"], sizes) if "setup" in table else (),
        parts=surroundings.parts(table["parts"], str(clock.get("port")), sizes, outputs) if "parts" in table else (),
    )
    _refuse_narrow(entity)
    _refuse_shared(_uses(entity))
    surroundings.refuse_driven(entity)
    if "v" not in entity.registers.files:
        raise ValueError(f'registers.files "{entity.registers.files}" has no v: the inputs of a wave are written there')
    return entity


def _memory(
    place: str, table: Mapping[str, object], widths: Sequence[int], inputs: Mapping[str, int], outputs: Mapping[str, int]
) -> Memory:
    width = values.width(f"{place}.width", table.get("width"), widths)
    ordered = place in ("registers", "results")
    order = _order(place, table.get("order"), ROW_WIDTHS[width]) if ordered else ()
    files = _files(f"{place}.files", table.get("files", _FILES)) if ordered else ""
    if surroundings.READS in table and place in _OUTSIDE:
        outside, size = surroundings.outside(place, table, width, inputs, outputs)
        memory = Memory(
            name=place, address="", address_width=size, data="", width=width, order=order, files=files, outside=outside
        )
        return surroundings.held(memory, place)
    enable = None
    if "enable" in table or place != "results":
        active = values.choice(f"{place}.active", table.get("active", HIGH), (HIGH, LOW))
        enable = Signal(values.name(f"{place}.enable", table.get("enable")), active)
    return Memory(
        name=place,
        address=values.name(f"{place}.address", table.get("address")),
        address_width=values.whole(f"{place}.address_width", table.get("address_width"), 1, _MOST_ADDRESS),
        data=values.name(f"{place}.data", table.get("data")),
        width=width,
        enable=enable,
        order=order,
        files=files,
        latency=values.whole(f"{place}.latency", table.get("latency", 1), 0, _MOST),
    )


def _order(place: str, value: object, part: str) -> tuple[str, ...]:
    needed = {*_USUAL_ORDER, *([part] if part else [])}
    if value is None:
        return (*_USUAL_ORDER, *([part] if part else []))
    found = cast("list[object]", value) if isinstance(value, list) else [*str(value).replace(",", " ").split()]
    for field in found:
        if field in (LANE, QUAD) and field != part:
            held = f"a {part}" if part else "all lanes"
            raise ValueError(f"{place}.order has {field}, but {place}.width is that of rows with {held}")
    if len(found) != len(needed) or needed.symmetric_difference(str(field) for field in found):
        texts = [str(field) for field in found]
        twice = [field for n, field in enumerate(texts) if field in texts[:n]]
        unknown = [field for field in texts if field not in needed]
        lacking = [field for field in (*_USUAL_ORDER, part) if field in needed and field not in texts]
        wrong = (
            f"has {unknown[0][: values.LONGEST_NAME]!r}"
            if unknown
            else f"has {twice[0]} twice"
            if twice
            else f"lacks {' and '.join(lacking)}"
        )
        kept = list(dict.fromkeys(field for field in texts if field in needed))
        line = ", ".join(f'"{field}"' for field in (*kept, *lacking))
        raise ValueError(
            f"{place}.order {wrong}: it has each field of an address once, the lowest first, one that is a port by itself, "
            f"too; write `order = [{line}]`"
        )
    return tuple([str(field) for field in found])


def _files(place: str, value: object) -> str:
    if not isinstance(value, str) or not value or len(set(value)) != len(value) or not set(_FILES).issuperset(value):
        text = "".join(map(str, cast("list[object]", value))) if isinstance(value, list) else str(value)
        meant = "".join(dict.fromkeys(letter for letter in text.lower() if letter in _FILES))
        hint = f'; write `{place.rpartition(".")[2]} = "{meant}"`' if meant else ""
        raise ValueError(
            f"{place} cannot be {text[: values.LONGEST_NAME]!r}: it is some of the letters {_FILES}, each once{hint}"
        )
    return value


def _input(place: str, value: object) -> tuple[int, int]:
    if not isinstance(value, dict):
        name = place.rpartition(".")[2]
        bits = str(value) if isinstance(value, (int, str)) and str(value).isdecimal() else "2"
        raise ValueError(f"{place} is a table: write `{name} = {{ width = {bits} }}`, with `value = 1` if it is not 0")
    table = cast("dict[str, object]", value)
    values.refuse_unknown(place, table, ("width", "value"))
    width = values.whole(f"{place}.width", table.get("width", 0), 0, _MOST_PORT)
    number = table.get("value", 0)
    if isinstance(number, int) and number >> max(width, 1):
        raise ValueError(f"{place}: value {number} does not fit into width {width}")
    return width, values.whole(f"{place}.value", number, 0, (1 << max(width, 1)) - 1)


def _refuse_narrow(entity: Entity) -> None:
    """Raise ValueError for an address that its memory does not fit in, with both places."""
    for memory in (entity.registers, entity.results):
        if memory.needed > memory.address_width:
            raise ValueError(
                f"{memory.name}.address_width is {memory.address_width}, but {memory.name}.order and {memory.name}.files need "
                f"{memory.needed} bits"
            )
    missing = [file for file in entity.results.files if file not in entity.registers.files]
    if missing:
        raise ValueError(
            f'results.files has {missing[0]}, but registers.files "{entity.registers.files}" has not: what it holds at the '
            "start is unknown"
        )
    slots = SLOTS * 64 // entity.program.width
    if entity.program.address_width > (slots - 1).bit_length():
        raise ValueError(
            f"program.address_width is {entity.program.address_width}, but {SLOTS} slots are {slots} rows of program.width "
            f"{entity.program.width}: {(slots - 1).bit_length()} bits"
        )


def doubts(entity: Entity) -> tuple[str, ...]:
    """A remark on each memory whose address does not reach all that a core has, as a width is often written as its highest bit;
    and on signals whose names say that they are active low."""
    signals = [("reset", entity.reset), ("start", entity.start), ("done", entity.done)]
    found = [
        f'{place}.port is {signal.port}, which is active low by its name, but active = "high": write `active = "low"` in '
        f"[{place}] if it is"
        for place, signal in signals
        if signal is not None and signal.active == HIGH and signal.port.lower().endswith(_NEGATIVE)
    ]
    turned = next((each for each in entity.memories if each.order[-1:] == (COMPONENT,) and each.order[0] in (QUAD, LANE)), None)
    if turned is not None:
        fields = ", ".join([f'"{field}"' for field in reversed(turned.order)])
        found.append(
            f"{turned.name}.order begins with the lowest bits: {turned.order[0]} is in the lowest; for "
            f"`{' & '.join(turned.order)}` of VHDL, where {turned.order[0]} is in the highest, write order = [{fields}]"
        )
    for memory, words, unit in ((entity.program, SLOTS, "slots"), (entity.constants, FILES["c"].size, "constants")):
        if memory is None:
            continue
        bits = ((words * _BITS_OF[unit]) // memory.width - 1).bit_length()
        if memory.address_width < bits:
            place = f"{memory.name}.reads.address" if memory.outside is not None else f"{memory.name}.address_width"
            found.append(
                f"{place} has {memory.address_width} bits, for {words >> bits - memory.address_width} of the {words} {unit} of "
                f"ShaderCore: all take {bits} bits, [{bits - 1}:0] in Verilog"
            )
    return tuple(found)


def _uses(entity: Entity) -> list[_Use]:
    """The ports in the order of the file."""

    def use(place: str, port: str, bits: int = 0, *, output: bool = False, shared: bool = False) -> _Use:
        return _Use(place=place, port=port, output=output, bits=bits, shared=shared)

    signals = [("reset.port", entity.reset), ("start.port", entity.start)]
    signals += [(f"{memory.name}.enable", memory.enable) for memory in entity.memories]
    uses = [use("clock.port", entity.clock)]
    uses += [use(place, signal.port) for place, signal in signals if signal is not None]
    uses.append(use("done.port", entity.done.port, output=True))
    if entity.issue is not None:
        uses.append(use("issue.port", entity.issue.port, entity.issue.bits, output=True))
    for memory in entity.memories:
        uses.append(use(f"{memory.name}.address", memory.address, memory.address_width, shared=True))
        uses.append(use(f"{memory.name}.data", memory.data, memory.width, output=memory is entity.results, shared=True))
    uses += [use(f"inputs.{name}", name, bits) for name, (bits, _) in entity.inputs.items()]
    return uses + [use(f"outputs.{name}", name, bits, output=True) for name, bits in entity.outputs.items()]


def _refuse_shared(uses: Sequence[_Use]) -> None:
    """Raise ValueError for two places that name one port and contradict each other."""
    seen: dict[str, _Use] = {}
    for use in uses:
        other = seen.setdefault(use.port.lower(), use)
        if other is use:
            continue
        if use.output != other.output:
            raise ValueError(f"{other.place} and {use.place} are one port, {use.port}, which cannot be input and output")
        if not (use.shared and other.shared):
            raise ValueError(f"{other.place} and {use.place} are one port, {use.port}: give each its own")
        if use.bits != other.bits:
            raise ValueError(f"{other.place} and {use.place} are one port, {use.port}, of {other.bits} and {use.bits} bits")
