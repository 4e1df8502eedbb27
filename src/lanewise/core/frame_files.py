"""JSON of data frames in place of a data file: columns by the names of components, where rows by the names of inputs are
expected."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

_LETTERS = frozenset("xyzwrgba")
_SPLIT = {"columns", "data"}  # keys of pandas' orient='split'


def columns_of(content: object) -> list[str]:
    """The columns of a frame as `to_json` and `to_dict` of pandas write it in any orientation; none of another value."""
    if isinstance(content, list):
        first: object = next(iter(cast("list[object]", content)), None)
        return [str(name) for name in cast("dict[object, object]", first)] if isinstance(first, dict) else []
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


def frame_fix(columns: Sequence[str]) -> str:
    """The line of pandas that writes the columns of a frame as a data file."""
    owners = list(dict.fromkeys([name.rpartition(".")[0] for name in columns if _is_component(name)]))
    if owners:
        listed = "".join([f"{owner!r}, " for owner in owners]).removesuffix(" " if len(owners) == 1 else ", ")
        inputs = f"{{name: frame.filter(like=name + '.').values.tolist() for name in ({listed})}}"
    else:
        letters = [name for name in columns if name.lower() in _LETTERS][:4] or list(columns[:4])
        inputs = f"{{'position': frame[{letters!r}].values.tolist()}}"
    return f"write rows by the names of inputs: `json.dump({{'inputs': {inputs}}}, open('data.json', 'w'))`"


__all__ = ["columns_of", "frame_fix"]
