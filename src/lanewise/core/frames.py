"""Traces as data frames of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lanewise.core.extras import TABLES, optional

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def trace_frame(document: Mapping[str, object], what: str) -> Any:
    """A data frame of a trace in JSON: a row for each step, a column for each component that a step writes, NaN where another
    does."""
    pandas = optional("pandas", TABLES, what)
    heads = ("word", "instruction", "file", "line")
    rows: list[dict[str, object]] = []
    places: dict[str, None] = {}
    for step in cast("Sequence[Mapping[str, Any]]", document["steps"]):
        source = cast("Mapping[str, Any]", step["source"] or {})
        row: dict[str, object] = {"word": step["word"], "instruction": step["instruction"]}
        row |= {"file": source.get("file", ""), "line": source.get("line", 0)}
        for write in cast("Iterable[Mapping[str, Any]]", step["writes"] if "writes" in step else step["wrote"]):
            row |= _written(write)
        rows.append(row)
        places |= dict.fromkeys([key for key in row if key not in heads])
    return pandas.DataFrame(rows, columns=[*heads, *places]).rename_axis(index="step")


def _written(write: Mapping[str, Any]) -> dict[str, object]:
    """The numbers of a write by component."""
    name, values = write["name"] or write["register"], [float(value) for value in write["new"]["values"]]
    if "mask" in write:  # all four values, of which these were written
        return {f"{name}.{letter}": values["xyzw".index(letter)] for letter in write["mask"]}
    letters: str = write["components"]
    return {f"{name}.{letter}" if letters else name: value for letter, value in zip(letters or " ", values, strict=True)}


__all__ = ["trace_frame"]
