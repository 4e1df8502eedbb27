"""Arrays of outputs under every name that they have: `Arrays`; those of registers: `Registers`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from lanewise.core.text.suggestions import near

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

LETTERS = "xyzw"  # of components
_ROW = 16  # bytes of a row that is copied as one


class Column(NamedTuple):
    """The o register and components of a key."""

    register: int
    components: tuple[int, ...]


class Registers(dict[str, "NDArray[Any]"]):
    """Arrays by register, which says what another name may mean."""

    def __init__(self, values: Mapping[str, NDArray[Any]], outputs: Iterable[str]) -> None:
        super().__init__(values)
        self._outputs: tuple[str, ...] = tuple(outputs)

    def __reduce__(self) -> tuple[object, ...]:
        return Registers, (dict(self), self._outputs)

    def __missing__(self, key: object) -> NDArray[Any]:
        first = next(iter(self), "r0")
        if not isinstance(key, str):
            raise KeyError(f"registers have names, not {key!r}: such as `registers[{first!r}]`")
        name, _, letter = key.rpartition(".")
        close = [each for each in self if each.lower() == key.lower()]
        if name in self and letter in tuple(LETTERS):
            fix = f"a component is a column, `registers[{name!r}][:, {LETTERS.index(letter)}]`"
        elif key in self._outputs:
            fix = f"it is an output, `outputs[{key!r}]`"
        else:
            fix = f"did you mean {close[0]}?" if close else f"there are {ranges(self)}"
        raise KeyError(f"unknown register '{key}': {fix}")


def ranges(names: Iterable[str]) -> str:
    """Names of registers, those of one letter as the first and the last: `r0-r15, a0`."""
    by_letter: dict[str, list[str]] = {}
    for name in names:
        by_letter.setdefault(name.rstrip("0123456789"), []).append(name)
    return ", ".join([f"{each[0]}-{each[-1]}" if len(each) > 1 else each[0] for each in by_letter.values()])


class Arrays(Mapping[str, "NDArray[Any]"]):
    """Arrays of outputs by semantic (`position`: as many columns as the output has components), then by register.

    Iterates over the semantics and the registers that have none; any output that the shader declares or may write is also
    available by its register (`o0`, four columns) or, where known, its name in the source. Arrays are computed on first use.
    """

    def __init__(self, columns: Mapping[str, Column], listed: Sequence[str], make: Callable[[int], NDArray[Any]]) -> None:
        """`make` gives the (lanes, 4) array of a register."""
        self._columns = columns
        self._listed = tuple(listed)
        self._make = make
        self._built: dict[int, NDArray[Any]] = {}

    def __getitem__(self, key: str) -> NDArray[Any]:
        column = self._columns.get(key) if isinstance(cast("object", key), str) else None
        if column is not None:
            whole = self._register(column.register)
            first, count = column.components[0] if column.components else 0, len(column.components)
            if column.components == tuple(range(first, first + count)):
                return whole[..., first : first + count]
            return whole[..., list(column.components)]
        if not hasattr(key, "lower"):
            name = next(iter(self._listed), "position")
            where = f", `outputs[{name!r}][:, 0]`" if isinstance(key, (tuple, slice)) else ""
            raise KeyError(f"outputs have names, not {key!r}: there are {', '.join(self._listed) or 'none'}{where}")
        name, _, letter = key.rpartition(".")
        if name in self._columns and letter in LETTERS:
            raise KeyError(f"unknown output '{key}': a component is a column, `outputs['{name}'][:, {LETTERS.index(letter)}]`")
        close = near(key, self._columns)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(self._listed) or 'none'}"
        raise KeyError(f"unknown output '{key}': {hint}")

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key in self._columns  # without an array, or a message about another name

    def __eq__(self, other: object) -> bool:
        """Whether it is the same object. Raises TypeError for other arrays by name."""
        if other is not self and isinstance(other, Mapping):
            pair = "numpy.array_equal(first['{0}'], second['{0}'])".format(next(iter(self._listed), "position"))
            raise TypeError(f"outputs are compared array by array: `{pair}`")
        return self is other

    def __hash__(self) -> int:
        return object.__hash__(self)

    if not TYPE_CHECKING:  # for which every attribute would exist

        def __getattr__(self, name):
            columns = self.__dict__.get("_columns", {})
            meant = [name] if name in columns else near(name, columns) if name[:1] != "_" else []
            instead = f": use `outputs['{meant[0]}']`" if meant else ""
            instead = ": these are they, arrays by name" if name == "outputs" else instead
            raise AttributeError(f"outputs have no attribute '{name}'{instead}", name=name, obj=self)

        def __setitem__(self, key, value):
            raise TypeError(f"outputs are what a run gave: copy them, `found = dict(outputs)`, then `found[{key!r}] = values`")

    def _register(self, register: int) -> NDArray[Any]:
        if register not in self._built:
            self._built[register] = self._make(register)
        return self._built[register]

    def __array__(self, dtype: object = None, copy: bool | None = None) -> NDArray[Any]:
        """Refuse to be one array, which would be of the names: libraries ask a mapping that they do not know for it."""
        raise TypeError(
            f"outputs are several arrays: take one of {', '.join(self._listed) or 'none'}, such as "
            "pandas.DataFrame(outputs[name]), or save all by name, numpy.savez(path, **outputs)"
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def columns(self) -> list[tuple[str, Column]]:
        """The keys that are listed, each with its register and components."""
        return [(name, self._columns[name]) for name in self._listed]

    def rows(self, numbers: NDArray[np.int64]) -> Arrays:
        """The same of other rows: arrays of (*numbers.shape, components)."""
        return Arrays(self._columns, self._listed, partial(self._rows, numbers))

    def _rows(self, numbers: NDArray[np.int64], register: int) -> NDArray[Any]:
        return rows_at(self._register(register), numbers)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {self[key]!r}" for key in self._listed) + "}"


def rows_at(array: NDArray[Any], numbers: NDArray[np.int64]) -> NDArray[Any]:
    """`array[numbers]`; of rows of 16 bytes in less than half of the time."""
    if array.ndim != 2 or array.shape[1] * array.itemsize != _ROW or not array.flags.c_contiguous:
        return array[numbers]
    import numpy as np

    return array.view(np.complex128)[:, 0].take(numbers).view(array.dtype).reshape(*numbers.shape, array.shape[1])
