"""Tables in Parquet files, by pyarrow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.core.extras import TABLES, optional
from lanewise.core.service import InputFailure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_MOST = 1 << 27  # numbers of a table: 1 GiB as float64; the file itself may be much smaller


def read_parquet(data: bytes, path: str) -> tuple[list[str], NDArray[Any], dict[int, tuple[int, str]]]:
    """Names of the columns of a file, (rows, columns) of float64, and what columns hold that are not numbers, by place, with 0
    for a line: NaN is there. A column of lists of 1 to 4 numbers is as many columns, `position.x` and so on.

    Raises InputFailure for a file that is broken or larger than 2^27 numbers, or without pyarrow."""
    arrow = _pyarrow(f"{path}, a Parquet file,")
    try:
        file = arrow.ParquetFile(io.BytesIO(data))
        count = file.metadata.num_rows * max(file.metadata.num_columns, 1)
        if count > _MOST:
            raise InputFailure(f"{path} has {count} numbers, expected at most {_MOST}")
        table = file.read()
    except InputFailure:
        raise
    except Exception as error:  # errors of pyarrow are of many classes
        reason = str(error).partition("\n")[0][:200]
        raise InputFailure(f"{path} is not a valid Parquet file: {reason or type(error).__name__}") from None
    names: list[str] = []
    columns: list[NDArray[np.float64]] = []
    wrong: dict[int, tuple[int, str]] = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        array = column.to_numpy()
        vectors = stacked(array) if array.dtype.kind == "O" else None
        if vectors is not None:
            names += [f"{name}.{letter}" for letter in "xyzw"[: vectors.shape[1]]]
            columns += [*vectors.T]
            continue
        if array.dtype.kind not in "biuf":
            wrong[len(names)] = (0, str(column.type))
            array = np.full(len(array), np.nan)
        names.append(str(name))
        columns.append(array.astype(np.float64))
    if not columns or not len(columns[0]):
        raise InputFailure(f"{path} has no rows of numbers")
    return names, np.stack(columns, axis=1), wrong


def stacked(cells: Any) -> NDArray[np.float64] | None:
    """Cells that are lists of 1 to 4 numbers as (rows, components); None for others, and for lists of different lengths."""
    first = cells[0] if len(cells) else None
    if not isinstance(first, (list, tuple, np.ndarray)):
        return None
    try:
        array = np.array([np.asarray(cell) for cell in cells])
    except ValueError:
        return None
    return array.astype(np.float64) if array.dtype.kind in "biuf" and array.ndim == 2 and 1 <= array.shape[1] <= 4 else None


def parquet_bytes(columns: Mapping[str, NDArray[Any]]) -> bytes:
    """A Parquet file of columns by their names. Raises InputFailure without pyarrow."""
    file = io.BytesIO()
    arrow = _pyarrow("writing Parquet")
    arrow.write_table(optional("pyarrow", TABLES, "").table({name: np.asarray(array) for name, array in columns.items()}), file)
    return file.getvalue()


def _pyarrow(what: str) -> Any:
    try:
        return optional("pyarrow.parquet", TABLES, what)
    except ModuleNotFoundError as error:
        raise InputFailure(str(error)) from None


__all__ = ["parquet_bytes", "read_parquet", "stacked"]
