"""Data files of `lanewise run --data`: the values of a run of any instruction set, of the shape `lanewise/data/1`.

    {
        "schema": "lanewise/data/1",
        "inputs": {"position": [[0, 0, 0], [1, 0, 0]], "v1": {"bits": ["0x3F0000"]}, "normal": "normals.npy"},
        "uniforms": {"projection": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]},
        "integers": {"i0": [3, 0, 1]},
        "booleans": {"b3": true},
        "outputs": {"o0": "position", "o1.xyz": "color"}
    }

A dump of an emulator has its program too: `"program": {"words": [...], "descriptors": [...], "entry": 8}`. The same tables are
in shader tests. This module checks the tables; `lanewise.arrays.data` makes arrays of the values.
"""

from __future__ import annotations

from lanewise.core.diagnostics import INITIAL, INPUT, OUTPUT, SAMPLER, UNIFORM, InputError
from lanewise.core.origins import add_table
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.tables import TableReader, parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.origins import Origins
    from lanewise.core.service import Request

SCHEMA = "lanewise/data/1"
# Tables of values by name or register, in the order of the documentation.
VALUES = ("inputs", "uniforms", "integers", "booleans", "samplers", "initial")
KINDS = {  # of the values of tables in findings (`core.diagnostics.About`)
    "inputs": INPUT,
    "uniforms": UNIFORM,
    "geometry_uniforms": UNIFORM,
    "integers": UNIFORM,
    "booleans": UNIFORM,
    "samplers": SAMPLER,
    "initial": INITIAL,
    "outputs": OUTPUT,
    "registers": OUTPUT,
}
KEYS = ("schema", "isa", "program", "count", *VALUES, "outputs")
_PROGRAM = ("words", "descriptors", "entry", "geometry")
GEOMETRY_MODES = ("point", "variable", "fixed")
MOST_FIELD = 255  # of a field of a byte
_GEOMETRY = ("mode", "array_start", "vertex_count")


class Geometry(Record):
    """The mode of a raw geometry shader, as the fields of an SHBIN have it."""

    mode: str = "point"
    array_start: int = 0
    vertex_count: int = 0


class RawProgram(Record):
    """Machine words: each is a path, or a list of integers and hexadecimal texts; None where the file does not say."""

    words: object = None
    descriptors: object = None
    entry: int | None = None
    geometry: Geometry | None = None


class DataFile:
    """A data file whose tables are checked, and whose values are as the file has them.

    `tables` are those of `VALUES`; `outputs` maps output registers to semantics; `folder` is that of the file, to which paths
    in it are relative.
    """

    path: str
    isa: str
    count: int | None
    tables: dict[str, dict[str, object]]
    outputs: dict[str, str]
    program: RawProgram | None

    def __init__(self, reader: TableReader, content: Mapping[str, object]) -> None:
        self.reader = reader
        self.path = reader.path
        schema = content.get("schema", SCHEMA)
        if schema != SCHEMA:
            reader.report("T004", f"schema is {schema!r}, expected {SCHEMA!r}", reader.write("schema", f'"{SCHEMA}"'), "schema")
        if content and not any(key in KEYS or reader.suggestions.nearest(key, KEYS) for key in content):
            listed = ", ".join(list(content)[:4]) + (", ..." if len(content) > 4 else "")
            fix = f"put them in a table, {reader.pair('uniforms', '{...}')}; --uniforms FILE reads a file of uniforms alone"
            message = f"a data file has tables of values, expected {', '.join(VALUES[:2])} and others, found {listed}"
            reader.report("T002", message, fix, next(iter(content)))
        else:
            reader.known(content, KEYS, "a data file")
        self.isa = _text(reader, content, "isa")
        self.count = whole(
            reader, content.get("count"), "count", "a number of vertices or lanes", "write a whole number, such as 3"
        )
        self.tables = {key: tables_of(reader, content, key) for key in VALUES}
        self.outputs = outputs_of(reader, content)
        self.program = _program(reader, content)

    def note(self, origins: Origins) -> None:
        """Note where its values are."""
        for key, table in {**self.tables, "outputs": self.outputs}.items():
            add_table(origins, KINDS[key], self.reader, tuple(table), key)

    @property
    def folder(self) -> str:
        path = self.path.replace("\\", "/")
        return path.rpartition("/")[0]


def read_data_file(data: bytes, path: str) -> DataFile:
    """A JSON or TOML file, by its suffix. Raises InputError with everything that is wrong with its tables."""
    reader, content = parse(data, path, toml=path.lower().endswith(".toml"), what="a table of inputs, uniforms, ...")
    found = DataFile(reader, content)
    if reader.findings:
        raise InputError(reader.findings)
    return found


def data_of(request: Request) -> DataFile | None:
    """The file of `--data`, if there is one. Raises InputFailure, InputError."""
    path = request.text("data")
    if not path:
        return None
    found = read_data_file(request.files.read(path), "<stdin>" if path == "-" else path)
    found.note(request.origins)
    return found


def tables_of(reader: TableReader, content: Mapping[str, object], key: str, line: int = 1) -> dict[str, object]:
    """A table of values by name or register."""
    if key not in content:
        return {}
    value = content[key]
    pattern = "{NAME = VALUE, ...}" if reader.toml else "{NAME: VALUE, ...}"
    if key == "booleans" and isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 16:  # a register
        ones = [f"b{number}" for number in range(16) if value >> number & 1]
        pattern = "{" + ", ".join([f"{name} = true" if reader.toml else f'"{name}": true' for name in ones]) + "}"
        return reader.table(value, key, f"{reader.write(key, pattern)}, the bits of {value}", line)
    return reader.table(value, key, reader.write(key, pattern), line)


def outputs_of(reader: TableReader, content: Mapping[str, object]) -> dict[str, str]:
    """The semantics of output registers."""
    found: dict[str, str] = {}
    for register, semantic in tables_of(reader, content, "outputs").items():
        if isinstance(semantic, str):
            found[register] = semantic
        else:
            reader.report("T004", f"the semantic of {register} is not a text", reader.write(register, '"position"'), register)
    return found


def whole(reader: TableReader, value: object, key: str, what: str, fix: str, line: int = 1) -> int | None:
    """A whole number from 0 on, or None with a finding for anything else but None."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    reader.report("T004", f"{key} is not {what}", fix, key, line)
    return None


def _text(reader: TableReader, content: Mapping[str, object], key: str) -> str:
    value = content.get(key, "")
    if not isinstance(value, str):
        reader.report("T004", f"{key} is not a text", reader.write(key, '"pica200"'), key)
        return ""
    return value


def _program(reader: TableReader, content: Mapping[str, object]) -> RawProgram | None:
    if "program" not in content:
        return None
    table = reader.table(
        content["program"],
        "program",
        reader.write("program", f"{{{', '.join([reader.pair(key, '...') for key in _PROGRAM[:3]])}}}"),
    )
    reader.known(table, _PROGRAM, "a program")
    for key in ("words", "descriptors"):
        if key in table and not isinstance(table[key], (str, list)):
            reader.report(
                "T004", f"{key} is neither a path nor a list of words", reader.write(key, '["0x88000000", ...] or a path'), key
            )
    entry = whole(reader, table.get("entry"), "entry", "the number of a word", reader.write("entry", "0"))
    return RawProgram(table.get("words"), table.get("descriptors"), entry, _geometry(reader, table.get("geometry")))


def _geometry(reader: TableReader, value: object) -> Geometry | None:
    if value is None:
        return None
    table = {"mode": value} if isinstance(value, str) else reader.table(value, "geometry", reader.write("geometry", '"point"'))
    reader.known(table, _GEOMETRY, "geometry")
    mode = table.get("mode", "point")
    if mode not in GEOMETRY_MODES:
        reader.report("T004", f"the geometry mode is {mode!r}", f"use {', '.join(GEOMETRY_MODES)}", "geometry")
        mode = "point"
    start, count = [
        whole(reader, table.get(key), key, "a whole number", reader.write(key, "0")) or 0
        for key in ("array_start", "vertex_count")
    ]
    if start > MOST_FIELD or count > MOST_FIELD:
        reader.report(
            "T004", f"array_start and vertex_count are bytes, found {start} and {count}", "write 0 to 255", "geometry"
        )
        start = count = 0
    return Geometry(str(mode), start, count)


def flat_words(value: Sequence[object]) -> list[int] | tuple[int, object]:
    """Words of a list of integers and hexadecimal texts; the number and the value of the first item that is neither."""
    found: list[int] = []
    for number, item in enumerate(value):
        word = item
        if isinstance(item, str):
            try:
                word = int(item, 16 if not item.lower().startswith("0x") else 0)
            except ValueError:
                return number, item
        if not isinstance(word, int) or isinstance(word, bool) or not 0 <= word < 1 << 32:
            return number, item
        found.append(word)
    return found
