"""Movers: functions that load rows of four as components, and store components as rows, for code that calls them.

Instruction selection is most of the time in which a kernel is compiled, and transposes are most of what it selects in a short
one. Kernels that are to be there soon call these functions instead, which a process compiles once, or finds in the cache.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lanewise.llvm import cache as disk
from lanewise.llvm import movement
from lanewise.llvm.target import compile_object, load_object
from lanewise.llvm.text import Text

if TYPE_CHECKING:
    from lanewise.llvm.target import Loaded, Target


class Movers(NamedTuple):
    """The addresses of both functions; 0 where there are none."""

    loader: int
    "Takes the address of the first row; gives the components."
    storer: int
    "Takes the address of the first row, 1 to store past the caches or 0, and the components."


NO_MOVERS = Movers(0, 0)


def has_movers(target: Target) -> bool:
    """Whether code for a target may call movers: where vectors go in registers."""
    return target.family == "x86"


@cache
def movers(target: Target, width: int) -> Movers:
    """The movers of a target, for vectors of `width` lanes. Their code stays in memory until the process ends."""
    name = disk.name("movers", target.key, width)
    code = disk.get(name, disk.MOVERS)
    if code is not None:
        try:
            return _loaded(code, target)
        except RuntimeError:  # other code
            pass
    code = compile_object(_module(target, width), target)
    disk.put(name, code, disk.MOVERS)
    return _loaded(code, target)


def _loaded(code: bytes, target: Target) -> Movers:
    parts = [load_object(code, target, function) for function in Movers._fields]
    _kept.extend(parts)
    return Movers(*[part.address for part in parts])


_kept: list[Loaded] = []


def _module(target: Target, width: int) -> str:
    loading, storing = Text(width, ahead=target.ahead), Text(width)
    kind, found = movement.four(loading), "poison"
    for n, part in enumerate(movement.load_input(loading, movement.Layout(movement.PACKED, 4), "%at", "16", "0")):
        found = loading.new(f"insertvalue {kind} {found}, {loading.f32} {part}, {n}")
    names = ["%x", "%y", "%z", "%w"]
    movement.store_output(storing, names, "%at", "0", storing.new("icmp ne i64 %past, 0"))
    parameters = ", ".join([f"{storing.f32} {name}" for name in names])
    return "\n".join(
        [
            *loading.declared.values(),
            f"define {kind} @loader(ptr %at) nounwind {{",
            *loading.lines,
            f"  ret {kind} {found}\n}}",
            f"define void @storer(ptr %at, i64 %past, {parameters}) nounwind {{",
            *storing.lines,
            f"  ret void\n}}\n{movement.NONTEMPORAL}",
        ]
    )
