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
from lanewise.core.frame_files import ROWS, columns_of, frame_fix
from lanewise.core.origins import add_table
from lanewise.core.record import TYPE_CHECKING, Record, cast
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
# What others call the keys.
_ALIASES = {
    word: key
    for key, words in {
        "inputs": "vertices attributes attrs attribs vertex vertex_input vertex_inputs vertex_attributes vertexattributes in v",
        "uniforms": "floats float_uniforms uniform_floats fvec constants consts vs_uniforms float c",
        "integers": "ints int_uniforms uniform_ints ivec int i",
        "booleans": "bools bool_uniforms uniform_bools bool b",
        "outputs": "semantics output_map output_mapping outmap output_registers out o",
        "initial": "temporaries temps registers r",
        "count": "vertex_count num_vertices vertices_count",
        "program": "code words descriptors opdescs opdesc operand_descriptors program_code swizzle_data entry entry_point "
        "main main_offset geometry",
    }.items()
    for word in words.split()
}
_PROGRAM_ALIASES = {
    **dict.fromkeys(("code", "program_code", "instructions"), "words"),
    **dict.fromkeys(("opdescs", "opdesc", "operand_descriptors", "swizzle_data", "swizzles", "desc"), "descriptors"),
    **dict.fromkeys(("main", "main_offset", "entry_point", "start"), "entry"),
}
_OPTIONS = {"default": "default 0", "defaults": "default 0", "profile": "profile NAME", "set": "set FIELD=VALUE"}
# A value of each table, for messages.
_SAMPLES = {
    "inputs": ("v0", "[1, 2, 3]"),
    "uniforms": ("c0", "[1, 2, 3, 4]"),
    "integers": ("i0", "[3, 0, 1]"),
    "booleans": ("b0", "true"),
    "outputs": ("o0", '"position"'),
}
# Names of rows that have no name of an input or uniform.
_OF_VERTICES = (
    "vertices",
    "verts",
    "vertex",
    "points",
    "rows",
    "data",
    "values",
    "records",
    "mesh",
    "attributes",
    "vertexdata",
)
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
            fix = (
                _of_frame(content)
                or _sorted(reader, content)
                or next((found for key, value in content.items() if (found := _of_list(reader, key, value))), "")
                or f"put them in a table, {reader.pair('uniforms', '{...}')}; --uniforms FILE reads a file of uniforms alone"
            )
            message = f"a data file has tables of values, expected {', '.join(VALUES[:2])} and others, found {listed}"
            reader.report("T002", message, fix, next(iter(content)))
        else:
            reader.known(
                content,
                KEYS,
                "a data file",
                other=lambda key: _of_list(reader, key, content[key]) or _meant(reader, key, content),
            )
        self.isa = _text(reader, content, "isa")
        self.count = whole(
            reader, content.get("count"), "count", "a number of vertices or lanes", "write a whole number, such as 3"
        )
        self.tables = {key: tables_of(reader, content, key) for key in VALUES}
        _check_registers(reader, self.tables)
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
    toml = path.lower().endswith(".toml")
    reader, content = parse(data, path, toml=toml, what="a table of inputs, uniforms, ...", instead=_of_frame)
    found = DataFile(reader, content)
    if reader.findings:
        raise InputError(reader.findings)
    return found


def _of_frame(content: object) -> str:
    """The fix of a data frame in place of a table; empty for another value."""
    columns = columns_of(content)
    return frame_fix(columns, content) if columns else ""


def _of_list(reader: TableReader, key: str, value: object) -> str:
    """The fix of a list of vertices by another name than inputs, or of rows by their own; empty for other values."""
    if columns_of(value) == [ROWS] and key.lower() not in _OF_VERTICES:
        named = [reader.pair(table, f"{{{reader.pair(key, '[...]')}, ...}}") for table in VALUES[:2]]
        return f"for uniforms give the file with `--uniforms {reader.path}`, or write {named[1]}; for inputs write {named[0]}"
    return _of_frame(cast("object", value)) if isinstance(value, list) else ""


_OF_INPUTS = ("pos", "norm", "col", "tex", "uv", "tang", "bone", "weight", "vert")
_OF_UNIFORMS = ("proj", "view", "model", "matri", "mvp", "mtx", "light", "sun", "ambient", "time", "scale", "fog")


def _sorted(reader: TableReader, content: Mapping[str, object]) -> str:
    """The tables in which values at the top of a file belong, where their names say it; empty otherwise."""
    tables: dict[str, list[str]] = {"inputs": [], "uniforms": []}
    for name in content:
        plain = name.lower()
        uniform = any(each in plain for each in _OF_UNIFORMS) or (plain[:1] == "c" and plain[1:].isdecimal())
        if not uniform and not any(each in plain for each in _OF_INPUTS) and not (plain[:1] == "v" and plain[1:].isdecimal()):
            return ""
        tables["uniforms" if uniform else "inputs"].append(name)
    if not all(tables.values()) or len(content) > _MOST_SORTED:
        return ""
    found = [
        reader.pair(table, f"{{{', '.join([reader.pair(name, '...') for name in names])}}}") for table, names in tables.items()
    ]
    return f"write {', and '.join(found)}" if reader.toml else f"write {{{', '.join(found)}}}"


_MOST_SORTED = 8


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
    name, sample = _SAMPLES.get(key, ("NAME", "VALUE"))
    pattern = f"{{{reader.pair(name, sample)}, ...}}"
    columns = columns_of(value) if key == "inputs" else []
    if columns:
        records = "rows without names" if columns == [ROWS] else "records"
        kind = f"is a list of {records}" if isinstance(value, list) else f"has columns, {', '.join(columns[:4])}"
        fix = frame_fix(columns, cast("object", value))
        listed = cast("list[object]", value) if isinstance(value, list) else []
        if any(isinstance(row, list) and any(isinstance(item, list) for item in cast("list[object]", row)) for row in listed):
            fix = reader.write(key, reader.literal({f"v{number}": rows for number, rows in enumerate(listed)}))
        reader.report("T004", f"inputs {kind}, expected rows by name", fix, key, line)
        return {}
    if key == "booleans" and isinstance(value, str) and value[:2].lower() == "0x":
        value = _word(value)
    if key == "booleans" and isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 16:  # a register
        ones = [f"b{number}" for number in range(16) if value >> number & 1]
        pattern = "{" + ", ".join([f"{name} = true" if reader.toml else f'"{name}": true' for name in ones]) + "}"
        return reader.table(value, key, f"{reader.write(key, pattern)}, the bits of {value}", line)
    rows = _items(value)
    letter = {"booleans": "b", "outputs": "o"}.get(key, "")
    kinds = (bool,) if letter == "b" else (str,)
    if letter and rows and all(isinstance(row, kinds) for row in rows):
        named = {f"{letter}{number}": row for number, row in enumerate(rows)}
        return reader.table(value, key, f"{reader.write(key, reader.literal(named))}, from {letter}0 on", line)
    if key in _LISTED and rows and all(isinstance(row, list) for row in rows):
        fix = reader.write(key, f"{{{reader.pair(_LISTED[key], reader.literal(rows))}}}")
        return reader.table(value, key, f"{fix}: rows fill the registers from {_LISTED[key]} on", line)
    return reader.table(value, key, reader.write(key, pattern), line)


def _word(text: str) -> object:
    """The number of a hexadecimal text; the text for another one."""
    try:
        return int(text, 16)
    except ValueError:
        return text


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


_LISTED = {"uniforms": "c0", "integers": "i0"}  # tables whose registers are listed from the first on
_OF_KIND = {"integers": "i", "booleans": "b", "uniforms": "c"}  # letters of registers


def _check_registers(reader: TableReader, tables: Mapping[str, Mapping[str, object]]) -> None:
    """Report registers of another kind than their table, and those that two tables have."""
    seen: dict[str, str] = {}
    for kind, letter in _OF_KIND.items():
        for name in tables[kind]:
            other = next((each for each, first in _OF_KIND.items() if name[:1].lower() == first and name[1:].isdecimal()), kind)
            if kind != "uniforms" and name.isdecimal():
                value = reader.literal(tables[kind][name])
                reader.report("T002", f"{kind} has no key '{name}'", reader.write(f"{letter}{name}", value), name)
            elif kind not in ("uniforms", other):  # uniforms may have registers of each kind
                reader.report("T002", f"{kind} has no key '{name}'", f"write it in the table {other}", name)
            elif name in seen:
                reader.report("T002", f"{name} is in {seen[name]} and in {kind}, of which one would count", "remove one", name)
            else:
                seen[name] = kind


def _meant(reader: TableReader, key: str, content: Mapping[str, object]) -> str:
    """The fix of a key that data files do not have, but others do; empty for another."""
    word = key.lower()
    if word in _OPTIONS:
        return f"leave it out, and give `--{_OPTIONS[word]}` on the command line"
    meant = _ALIASES.get(word, "")
    if meant == "program":
        entry = str(content[key]) if isinstance(content[key], int) and _PROGRAM_ALIASES.get(word, word) == "entry" else ""
        parts = [reader.pair("words", "[...]"), reader.pair("descriptors", "[...]"), reader.pair("entry", entry or "0")]
        program = reader.pair("program", f"{{{', '.join(parts)}}}")
        option = f"; with --words write `--entry {entry}` on the command line" if entry else ""
        return f"write the program in a table of its own: {program}{option}"
    return f"did you mean {meant}?" if meant else ""


def outputs_of(reader: TableReader, content: Mapping[str, object]) -> dict[str, str]:
    """The semantics of output registers."""
    found: dict[str, str] = {}
    for register, semantic in tables_of(reader, content, "outputs").items():
        if isinstance(semantic, str) or type(semantic) is int:  # a number is one to its instruction set
            found[register] = str(semantic)
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
    names = _PROGRAM_ALIASES
    reader.known(table, _PROGRAM, "a program", other=lambda key: f"did you mean {names[key]}?" if key in names else "")
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
