"""ShaderCore's operations as expressions: the algebra whose values are nodes that a language prints.

The functions of `words` have the names of the nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.shadercore.sem.algebra import WaveAlgebra
from lanewise.translating.nodes import Node, int_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.shadercore.isa.devices import Device

_NAMES = {
    "min": "smaller",
    "max": "larger",
    "sign": "sign_of",
    "xor": "bit_xor",
    "mask": "bit_and",
    "set": "bit_or",
    "scale": "twice",  # instruction words have the power 1
}
_FOLDED = {"bit_xor": int.__xor__, "bit_and": int.__and__, "bit_or": int.__or__}
ONE = 0x3F800000
# Operations that a device may compute from other lanes too, and the parameter that says so.
ACROSS = {"rcp": "rcp_sigma", "rsq": "rsq_gate"}


def reads_others(device: Device, operation: str) -> bool:
    """Whether an operation of a device looks at other lanes."""
    return operation in ACROSS and device.value(operation) == "table" and device.value(ACROSS[operation]) == "stale"


class Expressions(WaveAlgebra[Node]):
    """The operations in one lane, each a node."""

    def __init__(self, device: Device) -> None:
        self._powers = device.value("exp_log") == "exact"
        self._one = device.choose("one_register", {"fixed": ONE, "zero": 0})

    def apply(self, operation: str, *values: Node, immediate: int | None = None) -> Node:
        if operation in ("exp2", "log2") and not self._powers:
            return ("word", 0)
        name = _NAMES.get(operation, operation)
        words = values if immediate is None or name == "twice" else (*values, ("word", immediate))
        if name in _FOLDED and all(each[0] == "word" for each in words):
            return ("word", _FOLDED[name](int_of(words[0][1]), int_of(words[1][1])))
        return (name, *words)

    def constant(self, bits: int, lanes: int) -> Node:
        return ("word", bits)

    def one_register(self, lanes: int) -> Node:
        return ("word", self._one)

    def quads_from(self, a: Node, b: Node, moved: Sequence[tuple[int, int]]) -> Node:
        for quad, other in moved:
            a = ("quad", a, b, quad, other)
        return a


class WaveExpressions(Expressions):
    """The operations in each of 16 lanes. `array` makes an array of the wave of a value, for what reads other lanes."""

    def __init__(self, device: Device, array: Callable[[Node], Node]) -> None:
        super().__init__(device)
        self._device, self._array = device, array

    def apply(self, operation: str, *values: Node, immediate: int | None = None) -> Node:
        if reads_others(self._device, operation):
            return (f"{operation}_lane", self._array(values[0]))
        return super().apply(operation, *values, immediate=immediate)
