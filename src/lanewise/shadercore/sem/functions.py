"""Meanings of instructions that are Python functions of an installed distribution.

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
_MARK = "@"  # before the device and the name: no expression begins so


def operation_of(device: str, name: str) -> str:
    """The `operation` of an instruction whose meaning is a function of an installed device."""
    return f"{_MARK}{device} {name}"


def is_function(op: Op) -> bool:
    return op.operation.startswith(_MARK)


def described(op: Op) -> str:
    """`a Python function of the installed device mycore`."""
    device, _, _ = op.operation.removeprefix(_MARK).rpartition(" ")
    return f"a Python function of the installed device {visible(device)}"


def called(operation: str, lanes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The results of a function for the patterns of each lane. Raises InputFailure for one that is not there, that fails, or
    whose result is not a pattern of 32 bits."""
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
