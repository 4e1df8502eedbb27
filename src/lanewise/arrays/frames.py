"""Data frames: results as those of pandas, and inputs from their columns.

A column is a component by its name, `position.x`; a value without components has its name alone.
"""

from __future__ import annotations

from lanewise.core.extras import TABLES, optional
from lanewise.core.record import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from lanewise.arrays.results import Result

    class Frame(Protocol):
        """A data frame of pandas, polars or another library: columns with names, chosen by a list of them."""

        @property
        def columns(self) -> Any: ...


V = TypeVar("V")
_NONE: Mapping[str, Any] = {}
_LETTERS = frozenset("xyzwrgbastpquv")


def inputs_of(given: Mapping[str, Any] | Frame | None) -> Mapping[str, Any]:
    """Inputs by name: a mapping unchanged, or the columns of a data frame by the names in front of their components, such as
    `position.x`; with two levels of columns, by the first."""
    if isinstance(given, dict):
        return given
    if given is None:
        return _NONE
    from collections.abc import Mapping

    if isinstance(given, Mapping):
        return given
    columns = cast("Sequence[str | tuple[object, ...]] | None", getattr(given, "columns", None))
    if columns is None:
        raise TypeError(f"inputs are a {type(given).__name__}, expected values by name or a data frame")
    names: dict[str, list[str | tuple[object, ...]]] = {}
    for column in columns:
        name = str(column[0]) if isinstance(column, tuple) else _split(column)[0]
        names.setdefault(name, []).append(column)
    frame = cast("Any", given)
    return {
        name: frame[name] if isinstance(listed[0], tuple) else _columns(frame, name, listed) for name, listed in names.items()
    }


def uniforms_of(given: Mapping[str, V] | None) -> Mapping[str, V]:
    """Uniforms by name: a mapping unchanged. Raises TypeError for anything else: a frame does not say which uniform it is."""
    if isinstance(given, dict):
        return given
    if given is None:
        return {}
    from collections.abc import Mapping

    if isinstance(cast("object", given), Mapping):
        return given
    raise TypeError(f"uniforms are a {type(given).__name__}, expected values by name, such as {{'projection': value}}")


def _columns(frame: Any, name: str, listed: Sequence[object]) -> object:
    """Some columns of a frame; an array of (rows, 1) for a name without components."""
    part = frame[listed]
    if listed != [name]:
        return part
    import numpy as np

    return np.asarray(part)


def _split(column: object) -> tuple[str, str]:
    """`position` and `x` of `position.x`; the name alone without a component, and what a number is as text."""
    name, point, letter = str(column).rpartition(".")
    return (name, letter) if point and name and letter.lower() in _LETTERS else (str(column), "")


def result_frame(result: Result, *, bits: bool) -> Any:
    """A data frame of a result: a row for each lane, a column for each component."""
    pandas = optional("pandas", TABLES, f"{type(result).__name__}.to_pandas")
    columns: dict[str, object] = {}
    for port in result.ports:
        array = (result.bits if bits else result.outputs)[port.name]
        for place, letter in enumerate(port.components or " "):
            columns[f"{port.name}.{letter}" if port.components else port.name] = array[:, place]
    if result.killed is not None:
        columns["killed"] = result.killed
    if result.faults:
        codes = {found.lane: found.fault.code for found in result.faults}
        columns["fault"] = [codes.get(lane, "") for lane in range(result.lanes)]
    return pandas.DataFrame(columns, index=pandas.RangeIndex(result.lanes, name=result.unit))


__all__ = ["Frame", "inputs_of", "result_frame"]
