"""Data frames: results as those of pandas, and inputs from their columns.

A column is a component by its name, `position.x`; a value without components has its name alone.
"""

from __future__ import annotations

from lanewise.core.extras import TABLES, optional
from lanewise.core.record import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Protocol

    from numpy.typing import NDArray

    from lanewise.arrays.results import Result

    class Frame(Protocol):
        """A data frame of pandas, polars or another library: columns with names, chosen by a list of them."""

        @property
        def columns(self) -> Any: ...


V = TypeVar("V")
_NONE: Mapping[str, Any] = {}
_LETTERS = frozenset("xyzwrgbastpquv")
_MOST_NAMED = 4


def inputs_of(
    given: Mapping[str, Any] | Frame | None, others: Callable[[str], Sequence[str] | None] | None = None
) -> Mapping[str, Any]:
    """Inputs by name: a mapping unchanged, or the columns of a data frame by the names in front of their components, such as
    `position.x`; with two levels of columns, by the first.

    `others` gives None for the name of an input, and for another name those that there are. Raises TypeError for what is
    neither, InputError for columns that are not inputs, or not numbers.
    """
    if isinstance(given, dict):
        return given
    if given is None:
        return _NONE
    from collections.abc import Mapping

    if isinstance(given, Mapping):
        return given
    fields = cast("Sequence[str] | None", getattr(getattr(given, "dtype", None), "names", None))
    columns = fields or _columns_of(given, (others("\0") if others is not None else None) or ("position",))
    names: dict[str, list[str | tuple[object, ...]]] = {}
    for column in columns:
        name = str(column[0]) if isinstance(column, tuple) else split_column(column)[0]
        names.setdefault(name, []).append(column)
    if others is not None:
        known = {name: found for name in names if (found := others(name)) is not None}
        if known:
            from lanewise.arrays.unfit import unknown_columns

            unknown = {name: names[name] for name in known}
            owner = getattr(others, "__self__", None)
            uniforms = [str(getattr(one, "name", one)) for one in getattr(owner, "uniforms", None) or ()]
            raise unknown_columns(unknown, next(iter(known.values())), columns, given, uniforms)
    frame = cast("Any", given)
    return {
        name: frame[name] if isinstance(listed[0], tuple) or (fields and listed == [name]) else _numbers(frame, name, listed)
        for name, listed in names.items()
    }


_INSTEAD = {  # of what looks like a data frame and is not one in memory
    "pyarrow": "use its `to_pandas()`",
    "dask": "use its `compute()`",
    "polars": "use its `collect()`",
}


def _columns_of(given: object, names: Sequence[str]) -> Sequence[str | tuple[object, ...]]:
    """The columns of a data frame. Raises TypeError for anything else; `names` are those of the inputs."""
    home = type(given).__module__.partition(".")[0]
    lazy = hasattr(given, "compute") or hasattr(given, "collect") or hasattr(given, "column_names")
    columns = None if lazy else cast("Sequence[str | tuple[object, ...]] | None", getattr(given, "columns", None))
    if columns is None:
        if hasattr(given, "__fspath__") or isinstance(given, str):
            path = f"pandas.read_csv({str(given)!r})"
            read = "a text, expected" if "\n" in str(given) else "a path, expected"
            how = "pandas.read_csv(io.StringIO(text))" if "\n" in str(given) else path
            raise TypeError(f"inputs are {read} values by name or a data frame: `{how}`")
        instead = f": {_INSTEAD[home]}" if home in _INSTEAD else _instead(given, names)
        kind = type(given).__name__
        article = "an" if kind[:1] in "aeioAEIO" or kind == "ndarray" else "a"
        raise TypeError(f"inputs are {article} {kind}, expected values by name or a data frame{instead}")
    return columns


def _instead(given: object, names: Sequence[str]) -> str:
    """The fix for inputs that are neither values by name nor a data frame, of an object that is like one of its own."""
    if hasattr(given, "get_chunk"):  # a reader of pandas with `chunksize`
        return ": it gives frames in turn, `for frame in reader: shader.run(frame, ...)`"
    if hasattr(given, "groups") and hasattr(given, "mean"):
        return ": it gives frames in turn, `for _, frame in groups: shader.run(frame, ...)`"
    if hasattr(given, "outputs") and hasattr(given, "to_pandas"):
        return ": `result.to_pandas()` is one, with the names of outputs"
    if hasattr(given, "__next__"):
        return ": give the frame itself, or `pandas.DataFrame(rows)`"
    pair: tuple[object, ...] = cast("Any", given) if type(given).__name__ == "tuple" else ()
    if pair and len(pair) == 2 and isinstance(pair[0], dict) and isinstance(pair[1], dict):
        return ": inputs and uniforms are two arguments, `run(inputs, uniforms)`"
    if hasattr(given, "iloc") or hasattr(given, "_fields"):
        return ": a row of a frame is `frame.iloc[[0]]`, columns are `frame[names]`"
    first = next(iter(cast("Any", given)), None) if isinstance(given, (list, tuple)) else None
    if isinstance(first, dict):
        return ": `pandas.DataFrame(rows)` makes one of dicts"
    return f", such as {{{', '.join(f'{name!r}: rows' for name in names[:_MOST_NAMED])}}}"


def of_label(inputs: Any, lane: object, file: str) -> None:
    """Warn of a lane that is a label of a data frame, as `idxmax` gives, where the row of that number has another one. Raises
    InputError for a label that is the number of no row."""
    frames = [inputs, *(cast("Mapping[str, Any]", inputs).values() if isinstance(inputs, dict) else ())]
    index: Any = next((each.index for each in frames if hasattr(each, "iloc") and hasattr(each, "index")), None)
    number = int(cast("Any", lane)) if hasattr(lane, "__index__") else -1
    if not hasattr(index, "get_loc") or lane is None or isinstance(lane, (bool, float)):
        return
    if type(lane) is int and number < len(index):
        return
    label = number if number >= 0 else lane
    try:
        row = index.get_loc(label)
    except Exception:  # no label, in errors of pandas too
        return
    if type(row) is not int or row == number:
        return
    fix = f"frame.index.get_loc({label!r})"
    if number < 0 or (number >= len(index) > 1):  # one row may be of all vertices
        from lanewise.arrays.unfit import no_row

        raise no_row(label, row, len(index), f"`lane={fix}`, which is {row}", file)
    from lanewise.arrays.announcing import warn

    found = f"row {number} has the label {index[number]}" if number < len(index) else f"there are {len(index)}"
    fix = f"`lane={fix}`, or `lane=int(...)` for a number of a row"
    warn(f"lane counts rows from 0: {found}, and the label {number} is of row {row}. Fix: {fix}")


def uniforms_of(given: Mapping[str, V] | None) -> Mapping[str, V]:
    """Uniforms by name: a mapping unchanged. Raises TypeError for anything else: a frame does not say which uniform it is."""
    if isinstance(given, dict):
        return given
    if given is None:
        return {}
    from collections.abc import Mapping

    if isinstance(cast("object", given), Mapping):
        return given
    table = ": a data frame gives inputs, which come first, `run(frame, uniforms)`"
    if hasattr(given, "__fspath__") or isinstance(given, str):
        table = f": `json.loads(pathlib.Path({str(given)!r}).read_text())`"
    elif not hasattr(given, "columns"):
        table = ", such as {'projection': value}"
    raise TypeError(f"uniforms are a {type(given).__name__}, expected values by name{table}")


def _numbers(frame: Any, name: str, listed: Sequence[str | tuple[object, ...]]) -> object:
    """Some columns of a frame as an array (rows, components). Raises InputError for other than numbers, and for components that
    are not those from x on."""
    import numpy as np

    from lanewise.arrays.words import places_of

    if isinstance(frame, np.ndarray):  # with fields
        frame = _Fields(frame)
    part = frame[listed]
    array = np.asarray(part)
    # pandas' own types have values that are missing, in whose place an array has NaN
    plain = array.dtype.kind in "biuf" and all(isinstance(kind, np.dtype) for kind in getattr(part, "dtypes", ()))
    if array.dtype.kind == "O" and listed == [name]:
        from lanewise.arrays.parquet import stacked

        vectors = stacked(array[:, 0])
        if vectors is not None:
            return vectors
    if not plain and len(set(listed)) == len(listed):
        array = np.stack([_column(frame, column) for column in listed], axis=-1)
    if listed == [name]:
        return array
    try:
        places = places_of([str(column) for column in listed])
    except ValueError as error:
        from lanewise.arrays.unfit import unfit_columns

        labels = str(getattr(getattr(frame, "index", None), "name", None))
        raise unfit_columns(name, listed, error, labels) from None
    return array if places is None else array[:, places]


class _Fields:
    """A structured array whose fields are chosen as columns of a frame are."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __getitem__(self, listed: Sequence[str]) -> NDArray[Any]:
        import numpy as np

        return np.stack([np.asarray(self._array[name]) for name in listed], axis=-1)


def _column(frame: Any, column: object) -> NDArray[Any]:
    """One column. Raises InputError for one that does not hold numbers."""
    import numpy as np

    found = frame[[column]]
    array = np.asarray(found)[:, 0]
    lacking = np.asarray(found.isna())[:, 0] if hasattr(found, "isna") else np.zeros(len(array), np.bool_)
    if array.dtype.kind in "biuf" and not lacking.any():
        return array
    if lacking.any():
        array = array.astype(object)
        array[lacking] = None
    if array.dtype.kind == "O" and all(type(value) in (int, float, bool) for value in array.tolist()):
        return array.astype(np.float64)  # pandas' own types of numbers, all of which have a value
    from lanewise.arrays.unfit import unfit_column

    kinds = getattr(frame, "dtypes", None)
    alike = [] if kinds is None else [other for other in frame.columns if kinds[other] == kinds[column]]
    texts = [other for other in alike if other != column] if array.dtype.kind in "OUT" else []
    raise unfit_column(column, array, texts if len(texts) == len(frame.columns) - 1 else ())


def split_column(column: object) -> tuple[str, str]:
    """`position` and `x` of `position.x`; the name alone without a component, and what a number is as text."""
    name, point, letter = str(column).rpartition(".")
    return (name, letter) if point and name and letter.lower() in _LETTERS else (str(column), "")


def result_columns(result: Result, *, bits: bool = False) -> dict[str, NDArray[Any]]:
    """The columns of a result by their names: the components of outputs, and which pixels were discarded."""
    columns: dict[str, NDArray[Any]] = {}
    for port in result.ports:
        array = (result.bits if bits else result.outputs)[port.name]
        for place, letter in enumerate(port.components or " "):
            columns[f"{port.name}.{letter}" if port.components else port.name] = array[:, place]
    if result.killed is not None:
        columns["killed"] = result.killed
    return columns


def result_frame(result: Result, *, bits: bool) -> Any:
    """A data frame of a result: a row for each lane, a column for each component."""
    pandas = optional("pandas", TABLES, f"{type(result).__name__}.to_pandas")
    columns: dict[str, object] = {**result_columns(result, bits=bits)}
    if result.faults:
        codes = {found.lane: found.fault.code for found in result.faults}
        columns["fault"] = [codes.get(lane, "") for lane in range(result.lanes)]
    index = pandas.RangeIndex(result.lanes) if result.index is None else result.index
    frame = pandas.DataFrame(columns, index=index)
    return frame.rename_axis(result.unit) if index.nlevels == 1 and index.name is None else frame


__all__ = ["Frame", "inputs_of", "of_label", "result_columns", "result_frame", "split_column"]
