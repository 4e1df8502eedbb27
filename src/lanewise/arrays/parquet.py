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


def read_parquet(data: bytes, path: str) -> tuple[list[str], NDArray[Any]]:
    """Names of the columns of a file, and (rows, columns) of float64. Raises InputFailure for a file that is broken, larger
    than 2^27 numbers or has something else than numbers, or without pyarrow."""
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
    names = [str(name) for name in table.column_names]
    columns: list[NDArray[np.float64]] = []
    for name, column in zip(names, table.columns, strict=True):
        array = column.to_numpy()
        if array.dtype.kind not in "biuf":
            raise InputFailure(f"{path}: the column '{name[:40]}' has {column.type}, expected numbers")
        columns.append(array.astype(np.float64))
    if not columns or not len(columns[0]):
        raise InputFailure(f"{path} has no rows of numbers")
    return names, np.stack(columns, axis=1)


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


__all__ = ["parquet_bytes", "read_parquet"]
