"""Keys of shader tests in another place than where they count, of another instruction set, or cut in two by a dot."""

from __future__ import annotations

import math
import re

from lanewise.core.record import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from lanewise.core.service import Files
    from lanewise.core.shadertests import ShaderTests
    from lanewise.core.tables import TableReader

_TEXTS = ("program", "data", "device", "rule", "profile", "shader", "topology")  # keys of a file that have texts
_SAME = ("device", "rule", "profile")  # the keys of instruction sets that name what computes
_LETTERS = "xyzw"
_COLORS = {"r": "x", "g": "y", "b": "z", "a": "w"}
_NUMBERS = re.compile(r"[-+.\d\s]|words:|mesh:|true|false|nan|inf", re.IGNORECASE)


def values_of_table(
    reader: TableReader,
    table: Mapping[str, object],
    what: str,
    line: int,
    keys: Collection[str],
    files: Files,
    folder: str,
) -> dict[str, object]:
    """The values of a table of a test file, without `keys` of the file and components behind dots, which are reported."""
    kept: dict[str, object] = {}
    line = reader.below(what, line)
    for name, value in table.items():
        file = isinstance(value, str) and files.exists(f"{folder}/{value}")
        wrong, fix = _below(name, value, what, keys, file=file), _dotted(reader, name, value, what)
        wrong = wrong or _beside(name, value, what)
        if wrong is not None:
            reader.report("T002", *wrong, name, line)
        elif fix:
            reader.report("T004", f"{name} is a table, expected numbers", fix, name, line)
        elif what in ("outputs", "registers") and (fix := _anything(reader, name, value)):
            reader.report("T004", f"{name} is not a number in each component", fix, name, line)
        else:
            kept[name] = value
    return kept


def _beside(name: str, value: object, table: str) -> tuple[str, str] | None:
    """What is wrong, and the fix, with a table of a test that is within another one; None for a value."""
    if name not in ("inputs", "uniforms", "outputs", "registers", "initial", "tolerance") or not isinstance(value, dict):
        return None
    return f"{name} is a table of the test, and is within {table} here", f"write [test.{name}] beside [test.{table}]"


def _anything(reader: TableReader, name: str, value: object) -> str:
    """The fix of an expected value that says that any will do, or a range; empty for others."""
    if isinstance(value, str) and value.strip().lower() in _ANY:
        return f"remove the line: outputs without one are not compared, so {name} may be anything"
    if isinstance(value, dict):
        ends = cast("dict[str, object]", value)
        low, high = (next((ends[word] for word in words if word in ends), None) for words in _ENDS)
        if len(ends) == 2 and isinstance(low, (int, float)) and isinstance(high, (int, float)):
            half = f"[test.tolerance] with {name} = {{abs = {(high - low) / 2:g}}}"
            return f"write {name} = {(low + high) / 2:g}, and {half}"
        return ""
    rows = cast("list[object]", value) if isinstance(value, list) else []
    if not any(isinstance(each, list) for each in rows):
        rows = [rows]
    lists = [cast("list[object]", row) for row in rows if isinstance(row, list)]
    kept = [n for n in range(len(lists[0]) if lists else 0) if not any(len(row) > n and _is_any(row[n]) for row in lists)]
    if len(kept) == len(_LETTERS[: len(lists[0]) if lists else 0]) or not lists or len(lists[0]) > len(_LETTERS):
        return ""
    named = f"{name}.{''.join(_LETTERS[n] for n in kept)}"
    values = reader.literal([[row[n] for n in kept if n < len(row)] for row in lists])
    return f'write "{named}" = {values}: components without a name are not compared' if kept else ""


def _is_any(value: object) -> bool:
    return isinstance(value, str) and value.strip().lower() in _ANY


_ANY = ("any", "*", "?", "-", "_", "x", "none", "null", "don't care", "ignore", "")
_ENDS = (("min", "low", "least", "from", "ge", "gt"), ("max", "high", "most", "to", "le", "lt"))


def lists_of_tables(content: Mapping[str, object]) -> dict[str, list[dict[str, object]]]:
    """The lists of tables of a file that are no sources."""
    lists = {key: cast("list[object]", value) for key, value in content.items() if isinstance(value, list) and key != "source"}
    return {
        key: cast("list[dict[str, object]]", value)
        for key, value in lists.items()
        if value and all(isinstance(each, dict) for each in value)
    }


_ABSOLUTE = frozenset(("rel", "rtol", "atol", "relative", "absolute", "eps", "epsilon", "delta", "tol"))
_STEPS = frozenset(("ulps", "steps", "bits", "lsb"))


def tolerance_keys(value: Mapping[str, object]) -> str:
    """The fix of a table of tolerances whose key is another word for abs or ulp; empty for others."""
    for name, number in value.items():
        meant = "abs" if name.lower() in _ABSOLUTE else "ulp" if name.lower() in _STEPS else ""
        if meant and isinstance(number, (int, float)):
            return f"write tolerance = {{{meant} = {number:g}}}" + (
                ": it is of numbers, not of their size" if name[0] == "r" else ""
            )
    return ""


def tolerance_fix(value: object) -> str:
    """The fix of a tolerance that is neither a number of steps nor a table."""
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        value = int(number) if number.is_integer() else number
        if isinstance(value, int) and value > 0:
            return f"write tolerance = {value}"
    if isinstance(value, float) and 0 < value < math.inf:
        return f"write tolerance = {{abs = {value:g}}}: a number by itself counts steps of the number format"
    return "write tolerance = 2, tolerance = {abs = 0.01}, or [test.tolerance] with a line for each output"


def _below(name: str, value: object, table: str, keys: Collection[str], *, file: bool) -> tuple[str, str] | None:
    """What is wrong, and the fix, with a key of a test file that is in one of its tables of values; None for a value of the
    table. `file`: the text names a file that exists."""
    text = isinstance(value, str) and not _NUMBERS.match(value) and (name == "program" or not file)
    if name not in _TEXTS or name not in keys or not text:
        return None
    message = f"{name} is a key of the file, and is below [{table}] here: a line belongs to the last [table] above it"
    return message, f'move `{name} = "{value}"` above the first [table]'


_KEYS: Mapping[str, tuple[str, ...]] = {
    "name": ("title", "description", "desc", "label", "id", "case"),
    "outputs": (
        "output",
        "expected",
        "expect",
        "expects",
        "out",
        "result",
        "results",
        "assert",
        "asserts",
        "want",
        "should_be",
    ),
    "inputs": ("input", "in", "given", "attributes", "attribute", "vertices_in", "args"),
    "uniforms": ("uniform", "constants", "constant", "consts", "params", "parameters"),
    "tolerance": ("tol", "eps", "epsilon", "precision", "delta", "abs", "rtol", "atol", "error", "ulp", "ulps", "within"),
    "points": ("score", "marks", "weight", "grade", "credits", "mark", "value"),
    "count": ("vertices", "lanes", "number", "n"),
    "device": ("target", "hardware", "core"),
    "program": ("shader", "file", "source_file", "src", "path", "code"),
    "cycles": ("max_cycles", "time", "clocks", "duration"),
}


_SIZES = "remove it: sizes are not tested; `cycles` is the time of a wave, which `lanewise time FILE` prints"
_TEXT = "write it as a comment, # and the text, or in name"
_MEMORY = "write the values of the vertices in [inputs], a row for each: only `lanewise run` reads memory, with --stream"
_NO_KEYS: Mapping[str, str] = {
    **dict.fromkeys(("stream", "streams", "buffer", "buffers", "memory", "stride", "offset"), _MEMORY),
    **dict.fromkeys(("slots", "instructions", "size", "words", "max_slots", "instruction_count", "length"), _SIZES),
    **dict.fromkeys(("feedback", "hint", "message", "comment", "note", "notes", "explanation", "help", "why"), _TEXT),
    **dict.fromkeys(
        ("hidden", "private", "visible", "secret", "public"),
        "remove it: each test is shown; keep those that are not handed out in another file",
    ),
    **dict.fromkeys(("skip", "disabled", "enabled", "xfail", "ignore", "only"), "remove it: `--name NAME` chooses tests"),
    **dict.fromkeys(("engine", "threads", "backend"), "remove it: results are the same with each engine"),
    **dict.fromkeys(("parametrize", "params", "cases", "matrix", "foreach"), "write a [[test]] for each of them"),
    **dict.fromkeys(
        ("setup", "fixture", "fixtures", "common", "default"), "write [inputs] and [uniforms] above the first test"
    ),
    **dict.fromkeys(("timeout", "max_time", "seconds"), "remove it: `cycles` is the time that is tested, of a wave"),
    **dict.fromkeys(("total", "max_points", "out_of"), "remove it: the total is the sum of the points of the tests"),
}


def meant(key: str) -> str:
    """The key of a test that has another name elsewhere; empty for others."""
    return next((name for name, words in _KEYS.items() if key.lower() in words), "")


def elsewhere(key: str, value: object, kind: ShaderTests, services: Sequence[ShaderTests]) -> str:
    """The fix of a key that only the tests of other instruction sets have; empty for any other."""
    titles = [service.title for service in services if key in (*service.tables, *service.keys)]
    if not titles:
        if key in ("set", "settings") and "device" in kind.keys and isinstance(value, str):
            return f'write device = "rtl,{value}"'
        if key.lower() in _NO_KEYS:
            return _NO_KEYS[key.lower()]
        named = meant(key)
        if key.lower() in ("description", "desc") and isinstance(value, str):
            return f"write it as the name, or as a comment, `# {value[:40]}`"
        return f"write {named} in its place" if named in (*kind.tables, *kind.keys, *_KEYS) else ""
    of = f"{key} is for {' and '.join(titles)}, but the program is for {kind.title}: "
    own = next((each for each in _SAME if each in kind.keys), "")
    if key not in _SAME or not own or not isinstance(value, str) or kind.checked is None:
        return f"{of}remove it"
    try:
        kind.checked(own, value)
    except ValueError:
        return f"{of}remove it"
    return f'{of}write {own} = "{value}"'


def _dotted(reader: TableReader, name: str, value: object, table: str) -> str:
    """The fix of components behind a dot, which TOML reads as a table in a table; empty for other values."""
    if not reader.toml or not isinstance(value, dict) or not value:
        return ""
    components = cast("dict[str, object]", value)
    form = re.compile(rf"\s*{re.escape(name)}\s*\.")
    components = {"".join([_COLORS.get(letter, letter) for letter in key]): each for key, each in components.items()}
    if not all(set(key) <= set(_LETTERS) for key in components) or not any(map(form.match, reader.lines)):
        return ""
    if table in ("outputs", "registers"):
        lines = [f'"{name}.{key}" = {reader.literal(each)}' for key, each in components.items()]
        return f"write {' and '.join(lines)}, in quotes: without them a dot makes a table in a table"
    return _whole(reader, name, components)


def component(reader: TableReader, name: str, tables: Sequence[Mapping[str, object]]) -> str:
    """The fix of an input or uniform `position.x`, of which a value is given whole; empty for other names."""
    whole, dot, letters = name.rpartition(".")
    given = next((table[name] for table in tables if name in table), None)
    if not dot or not letters or not set(letters) <= set(_LETTERS) or isinstance(given, (dict, str)) or given is None:
        return ""
    return _whole(reader, whole, {letters: given})


def _whole(reader: TableReader, name: str, components: Mapping[str, object]) -> str:
    """The fix that gives a value whole: components that are not given are 0."""
    found: dict[str, object] = {}
    for letters, value in components.items():
        values = cast("list[object]", value) if isinstance(value, list) else [value]
        if len(values) != len(letters) or any(isinstance(each, list) for each in values):
            return f"write {name} = [x, y, z, w], or a row of components for each vertex"
        found.update(zip(letters, values, strict=True))
    last = max(map(_LETTERS.index, found))
    row = [found.get(letter, 0) for letter in _LETTERS[: last + 1]]
    return f"write {name} = {reader.literal(row)}: a value is given whole"
