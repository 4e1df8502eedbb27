"""Meanings of instructions that are no expressions: tables of results, and Python functions of an installed distribution.

A table has a result for each value of the upper bits of its source. It is in the text of the operation, so that a process has
it where it has the instruction.

The object of an entry point of the group `lanewise.devices` may be a pair: the text of a device file, and functions by the
names of instructions that the text gives no meaning. A file names no code: what is not installed has no function.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from lanewise.core.diagnostics import visible
from lanewise.core.service import InputFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.shadercore.isa.table import Op

    Function = Callable[..., int]

GROUP = "lanewise.devices"  # of entry points
_MARK, _TABLE = "@", "#"  # before the device and the name, before a table: no expression begins so
_DIGITS = 8  # of a result
MOST_INDEX_BITS = 16  # of a table


def operation_of(device: str, name: str) -> str:
    """The `operation` of an instruction whose meaning is a function of an installed device."""
    return f"{_MARK}{device} {name}"


def table_operation(results: Sequence[int]) -> str:
    """The `operation` of an instruction whose results are a table of patterns, 2 to 2**16 of them: a power of two."""
    return _TABLE + "".join([f"{result:0{_DIGITS}x}" for result in results])


@lru_cache(64)
def table_of(operation: str) -> tuple[int, tuple[int, ...]]:
    """The number of upper bits of the source that are the index of a table, and its results."""
    digits = operation.removeprefix(_TABLE)
    results = tuple([int(digits[at : at + _DIGITS], 16) for at in range(0, len(digits), _DIGITS)])
    return len(results).bit_length() - 1, results


def is_function(op: Op) -> bool:
    return op.operation.startswith(_MARK)


def is_table(op: Op) -> bool:
    return op.operation.startswith(_TABLE)


def rounds_often(op: Op) -> bool:
    """Whether an instruction of a device is an expression with a product and a sum, each of which rounds."""
    return not is_opaque(op) and "*" in op.operation and not {"+", "-"}.isdisjoint(op.operation)


def is_opaque(op: Op) -> bool:
    """Whether nothing is known of the results but that they are the same for the same sources."""
    return op.operation.startswith((_MARK, _TABLE))


def described(op: Op) -> str:
    """`a Python function of the installed device mycore`, `a table of 256 results`."""
    if is_table(op):
        return f"a table of {len(op.operation) // _DIGITS} results"
    device, _, _ = op.operation.removeprefix(_MARK).rpartition(" ")
    return f"a Python function of the installed device {visible(device)}"


def called(operation: str, lanes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The results of a table or function for the patterns of each lane. Raises InputFailure for a function that is not there,
    that fails, or whose result is not a pattern of 32 bits."""
    if operation.startswith(_TABLE):
        bits, results = table_of(operation)
        return tuple([results[source >> 32 - bits] for source, *_ in lanes])
    device, _, name = operation.removeprefix(_MARK).rpartition(" ")
    function = _functions(device).get(name)
    if function is None:
        raise InputFailure(f"no installed device '{visible(device)}' has a function {visible(name)}: install it again")
    found: list[int] = []
    for values in lanes:
        try:
            result = function(*values)
        except (Exception, SystemExit) as error:  # code of others
            raise InputFailure(f"{visible(name)} of the device {visible(device)}: {type(error).__name__}: {error}") from None
        if type(result) is not int or result >> 32:
            what = f"{result!r:.40}, expected a pattern of 32 bits"
            raise InputFailure(f"{visible(name)} of the device {visible(device)} gave {visible(what)}")
        found.append(result)
    return tuple(found)


@lru_cache(16)
def _functions(device: str) -> Mapping[str, Function]:
    """The functions of an installed device; none where it has none."""
    from lanewise.core.entry_points import SafePath, origins

    for origin in origins(GROUP):
        if origin.entry.name == device:
            with SafePath():
                found: object = origin.entry.load()
            return cast("tuple[str, Mapping[str, Function]]", found)[1] if isinstance(found, tuple) else {}
    return {}
