"""JSON of data frames in place of a data file: columns by the names of components, where rows by the names of inputs are
expected."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

_LETTERS = frozenset("xyzwrgba")
ROWS = "rows"  # of numbers, without names
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
    if "of uniforms" in what and ("give a shader" in fix or "--input" in fix):
        if title in ("a NumPy array", "a table of values"):
            return f"give it to one uniform, `--uniform NAME={path}`"
        return 'write a file .toml with lines such as `sun = [0, 0, 1, 4]`, or JSON, {"sun": [0, 0, 1, 4]}'
    return fix


__all__ = ["ROWS", "columns_of", "frame_fix", "other_fix"]
