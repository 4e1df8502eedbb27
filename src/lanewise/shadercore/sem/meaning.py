"""Semantics of ShaderCore instructions.

The row of `isa.table` names the operation, which is applied to the modified sources.

An instruction writes the value of `meanings`, saturated if its word has the bit. NOP, opcode 14 and END compute nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from lanewise.shadercore.isa.table import ABS, NEG_ABS, NEGATE, OPS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.shadercore.isa.table import Op
    from lanewise.shadercore.sem.algebra import Algebra, WaveAlgebra

V = TypeVar("V")

_SIGN, _MAGNITUDE = 0x80000000, 0x7FFFFFFF


def modified(m: Algebra[V], value: V, modifier: int) -> V:
    """A source as an instruction sees it: modifiers act on bit 31, whatever the instruction makes of the value (SC:909-958)."""
    if modifier == NEGATE:
        return m.xor(value, _SIGN)
    if modifier == ABS:
        return m.mask(value, _MAGNITUDE)
    return m.set(value, _SIGN) if modifier == NEG_ABS else value


def meanings(m: Algebra[V]) -> Mapping[str, Callable[[V, V], V] | None]:
    """The function of each instruction of the table on its two sources; None for one that computes nothing. The rows have its
    number of sources."""
    return {op.name: _meaning(m, op) for op in OPS}


def added_meaning(m: WaveAlgebra[V], op: Op) -> Callable[[Sequence[V]], V]:
    """The function of an instruction that a device adds, on its sources."""
    from lanewise.shadercore.sem.expressions import evaluate, expression
    from lanewise.shadercore.sem.functions import is_opaque

    if is_opaque(op):
        return lambda sources: m.installed(op.operation, sources[: op.sources])
    node = expression(op.operation).node
    return lambda sources: evaluate(m, node, sources)


def _meaning(m: Algebra[V], op: Op) -> Callable[[V, V], V] | None:
    if not op.dests:
        return None
    if not op.operation:
        return lambda a, b: a
    immediate = op.immediate or None
    return lambda a, b: m.apply(op.operation, *(a, b)[: op.sources], immediate=immediate)
