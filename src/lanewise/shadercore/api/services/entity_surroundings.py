"""Surroundings of the core in an entity file: memories outside it, other entities, and what is set before the first wave.

Ports that they use are in the tables `inputs` and `outputs` of the file, with their bits.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.shadercore.api.entity import HIGH, LOW, Access, Issue, Outside, Part, Setup, Signal
from lanewise.shadercore.api.services import entity_values as values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.shadercore.api.entity import Entity, Memory

    Ports = Mapping[str, int]  # their bits

READS, WRITE = "reads", "write"
_BITS = {"inputs": "{ width = BITS }", "outputs": "BITS"}
KEYS = (READS, WRITE, "latency", "width", "order", "files")  # of a memory outside the core
_ACCESS = ("enable", "active", "address", "data")
_PART = ("entity", "inputs", "outputs")
_MOST_EDGES, _MOST_LATENCY, _MOST_TABLES, _MOST_BITS, _MOST_OVERHEAD = 1000, 8, 64, 16, 1_000_000


def outside(place: str, table: Mapping[str, object], width: int, inputs: Ports, outputs: Ports) -> tuple[Outside, int]:
    """A memory that the core reads, and the bits of its addresses."""
    accesses = [_access(place, READS, each, width, inputs, outputs) for each in _tables(f"{place}.{READS}", table[READS])]
    write = None
    if WRITE in table:
        write = _access(place, WRITE, _table(f"{place}.{WRITE}", table[WRITE]), width, outputs, outputs)
    latency = values.whole(f"{place}.latency", table.get("latency", 1), 1, _MOST_LATENCY)
    sizes = {sum(outputs[port] for port in access.address) for access in (*accesses, *([write] if write else []))}
    if len(sizes) != 1 or max(sizes) > _MOST_BITS:
        raise ValueError(f"{place}: addresses have {_list(sizes)} bits: use one size, at most {_MOST_BITS}")
    return Outside(tuple(accesses), write, latency), sizes.pop()


def held(memory: Memory, name: str) -> Memory:
    """The memory with signals of the bench as its ports, to write it, or as `results` to read it."""
    written = name != "results"
    return memory._replace(
        name=name,
        address=f"bench_{name}_address",
        data=f"bench_{name}_row",
        enable=Signal(f"bench_{name}_write") if written else None,
        latency=1,
    )


def _access(memory: str, key: str, table: Mapping[str, object], width: int, data: Ports, outputs: Ports) -> Access:
    place = f"{memory}.{key}"
    values.refuse_unknown(place, table, _ACCESS)
    enable = None
    if "enable" in table:
        active = values.choice(f"{place}.active", table.get("active", HIGH), (HIGH, LOW))
        enable = Signal(_port(f"{place}.enable", table["enable"], outputs, "outputs", 0), active)
    given = table.get("address")
    ports = cast("list[object]", given) if isinstance(given, list) else [given]
    address = tuple([_port(f"{place}.address", port, outputs, "outputs", None) for port in ports])
    if not address or len(address) > len(KEYS):
        raise ValueError(f"{place}.address is a list of outputs, the lowest first")
    kind = "outputs" if data is outputs else "inputs"
    return Access(enable, address, _port(f"{place}.data", table.get("data"), data, kind, width, f"{memory}.width"))


def _port(place: str, value: object, ports: Ports, kind: str, bits: int | None, source: str = "") -> str:
    """A port of a table of the file; `bits` None: any vector. `source` is the key that gives the bits."""
    name = values.name(place, value)
    if name not in ports:
        raise ValueError(f"{place}: {name} is missing in [{kind}]: write `{name} = {_BITS[kind]}` there")
    if ports[name] != bits and (bits is not None or not ports[name]):
        wanted = "at least 1" if bits is None else str(bits)
        table, _, key = source.rpartition(".")
        where = f", as {source} is {bits}: write `{key} = {ports[name]}` in [{table}]" if source else ""
        raise ValueError(f"{place}: {name} has {ports[name]} bits in [{kind}], and needs {wanted}{where}")
    return name


def parts(value: object, clock: str, inputs: Ports, outputs: Ports) -> tuple[Part, ...]:
    """The tables `[[parts]]`."""
    found: list[Part] = []
    for table in _tables("parts", value):
        values.refuse_unknown("parts", table, _PART)
        driving = {**outputs, clock: 0}
        found.append(
            Part(
                values.name("parts.entity", table.get("entity")),
                _connected("parts.inputs", table.get("inputs"), driving, "outputs"),
                _connected("parts.outputs", table.get("outputs"), inputs, "inputs"),
            )
        )
    return tuple(found)


def _connected(place: str, value: object, ports: Ports, kind: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, name in _table(place, value).items():
        port = values.name(f"{place}.{key[: values.LONGEST_NAME]}", name)
        if port not in ports:
            where = f"{place}.{values.name(place, key)}"
            raise ValueError(f"{where}: {port} is missing in [{kind}]: write `{port} = {_BITS[kind]}` there")
        found[values.name(place, key)] = port
    return found


def setup(value: object, inputs: Ports) -> tuple[Setup, ...]:
    """The tables `[[setup]]`: inputs, and `cycles`."""
    found: list[Setup] = []
    for table in _tables("setup", value):
        given: dict[str, int] = {}
        for key, number in table.items():
            if key == "cycles":
                continue
            if key not in inputs:
                name = key[: values.LONGEST_NAME]
                raise ValueError(f"setup: {name} is missing in [inputs]: write `{name} = {_BITS['inputs']}` there")
            given[key] = values.whole(f"setup.{key}", number, 0, (1 << max(1, inputs[key])) - 1)
        found.append(Setup(given, values.whole("setup.cycles", table.get("cycles", 1), 1, _MOST_EDGES)))
    return tuple(found)


def issue(table: Mapping[str, object]) -> Issue:
    """The table `[issue]`."""
    values.refuse_unknown("issue", table, ("port", "width", "overhead"))
    return Issue(
        values.name("issue.port", table.get("port")),
        values.whole("issue.width", table.get("width", 0), 0, _MOST_BITS),
        values.whole("issue.overhead", table.get("overhead", 0), -_MOST_OVERHEAD, _MOST_OVERHEAD),
    )


def refuse_driven(entity: Entity) -> None:
    """Raise ValueError for an input with two drivers."""
    driven = [
        (f"{memory.name}.{READS}", access.data)
        for memory in entity.outside
        if memory.outside is not None
        for access in memory.outside.reads
    ]
    driven += [(f"the part {part.entity}", port) for part in entity.parts for port in part.outputs.values()]
    seen: dict[str, str] = {}
    for place, port in driven:
        if port in seen:
            raise ValueError(f"{seen[port]} and {place} drive one port, {port}: give each its own")
        seen[port] = place
    for port in [port for step in entity.setup for port in step.values]:
        if port in seen:
            raise ValueError(f"setup and {seen[port]} drive one port, {port}: leave it out of setup")


def _tables(place: str, value: object) -> list[dict[str, object]]:
    if not isinstance(value, list) or not value or len(cast("list[object]", value)) > _MOST_TABLES:
        raise ValueError(f"{place} is a list of 1 to {_MOST_TABLES} tables: write [[{place}]] before each")
    return [_table(place, each) for each in cast("list[object]", value)]


def _table(place: str, value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{place} is a table")
    return cast("dict[str, object]", value)


def _list(sizes: set[int]) -> str:
    return " and ".join(map(str, sorted(sizes)))
