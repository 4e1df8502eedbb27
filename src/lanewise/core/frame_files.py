"""Values of inputs in place of a data file: JSON of data frames, which has columns by the names of components where rows by the
names of inputs are expected; arrays and tables of numbers."""

from __future__ import annotations

import struct
from math import isfinite

from lanewise.core.foreign import GIVE, Foreign
from lanewise.core.record import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

_LETTERS = frozenset("xyzwrgba")
ROWS = "rows"  # of numbers, without names
_TABLES = ("a NumPy array", "a table of values", "a table of numbers")
_RAW = "a file of raw float32"
_HEAD = 1 << 12  # bytes that are looked at
_USUAL = 1e-6, 1e6  # what numbers are between
_SPLIT = {"columns", "data"}  # keys of pandas' orient='split'


def columns_of(content: object) -> list[str]:
    """The columns of a frame as `to_json` and `to_dict` of pandas write it in any orientation; none of another value."""
    if isinstance(content, list):
        first: object = next(iter(cast("list[object]", content)), None)
        if isinstance(first, list):
            return [ROWS]
        record = cast("dict[object, object]", first) if isinstance(first, dict) else {}
        plain = all(value is None or isinstance(value, (int, float, list)) for value in record.values())
        return [str(name) for name in record] if plain else []
    if not isinstance(content, dict):
        return []
    table = cast("dict[str, object]", content)
    if set(table) >= _SPLIT and isinstance(table["columns"], list):
        return [str(name) for name in cast("list[object]", table["columns"])]
    columns = [name for name, value in table.items() if isinstance(value, (list, dict))]
    if len(columns) != len(table) or not columns:
        return []
    return columns if all(map(_is_component, columns)) or {"x", "y"} <= {*columns} <= _LETTERS else []


def _is_component(name: str) -> bool:
    """Whether a column is a component by its name, such as `position.x`."""
    owner, _, letter = name.rpartition(".")
    return bool(owner) and letter.lower() in _LETTERS


def frame_fix(columns: Sequence[str], content: object = None) -> str:
    """The line of pandas that writes the columns of a frame as a data file; for records with vectors the line of Python."""
    first = cast("list[object]", content)[0] if isinstance(content, list) and content else None
    if isinstance(first, dict) and any(isinstance(value, list) for value in cast("dict[str, object]", first).values()):
        inputs = "{name: [row[name] for row in rows] for name in rows[0]}"
        return f"write a list for each input: `json.dump({{'inputs': {inputs}}}, open('data.json', 'w'))`"
    if list(columns) == [ROWS]:
        return "write the rows by the name of their input: `json.dump({'inputs': {'position': rows}}, open('data.json', 'w'))`"
    owners = list(dict.fromkeys([name.rpartition(".")[0] for name in columns if _is_component(name)]))
    if owners:
        listed = "".join([f"{owner!r}, " for owner in owners]).removesuffix(" " if len(owners) == 1 else ", ")
        inputs = f"{{name: frame.filter(like=name + '.').values.tolist() for name in ({listed})}}"
    else:
        letters = [name for name in columns if name.lower() in _LETTERS][:4] or list(columns[:4])
        inputs = f"{{'position': frame[{letters!r}].values.tolist()}}"
    return f"write rows by the names of inputs: `json.dump({{'inputs': {inputs}}}, open('data.json', 'w'))`"


def other_fix(path: str, title: str, fix: str, what: str = "") -> str:
    """The fix for a file of another kind that is given as a table of values; `fix` is that of a file in place of a program."""
    if title == "YAML":
        return f"write it as JSON: `json.dump(yaml.safe_load(open({path!r})), open('data.json', 'w'))`"
    if path.lower().endswith(".npz"):
        return f"give each array to an input: `lanewise run PROGRAM --input position={path}:position`"
    if title == _RAW:
        return fix.replace("data of an input", "a uniform").replace("--input", "--uniform") if "of uniforms" in what else fix
    if "of uniforms" in what and ("give a shader" in fix or "--input" in fix):
        if title in _TABLES:
            return f"give it to one uniform, `--uniform NAME={path}`"
        return 'write a file .toml with lines such as `sun = [0, 0, 1, 4]`, or JSON, {"sun": [0, 0, 1, 4]}'
    return fix


def numbers_in(path: str, data: bytes) -> Foreign | None:
    """The kind of a file of numbers without names: a text of them, or float32 as `tofile` of NumPy writes it."""
    head = data[:_HEAD]
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()[:1] not in ("", "#")]
    if lines and len(_numbers(lines[0])) > 1 and all(map(_numbers, lines[:-1])):
        return Foreign("a table of numbers", GIVE.replace("FILE", path))
    if len(data) % 4 or not all(map(_is_usual, struct.unpack(f"<{len(head) // 4}f", head[: len(head) // 4 * 4]))):
        return None
    saved = f"{path.rpartition('.')[0] or path}.npy"
    columns = next(count for count in (3, 4, 2, 1) if len(data) // 4 % count == 0)
    command = f"`numpy.save({saved!r}, numpy.fromfile({path!r}, numpy.float32).reshape(-1, {columns}))`"
    return Foreign(_RAW, f"save it as an array, {command}, and {GIVE.replace('FILE', saved)}")


def _numbers(line: str) -> list[float]:
    try:
        return [float(word) for word in line.replace(",", " ").replace(";", " ").split()]
    except ValueError:
        return []


def _is_usual(number: float) -> bool:
    return number == 0 or (isfinite(number) and _USUAL[0] < abs(number) < _USUAL[1])


__all__ = ["ROWS", "columns_of", "frame_fix", "numbers_in", "other_fix"]
