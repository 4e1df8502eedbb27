"""What the instructions of ShaderCore mean: one function for each row of `isa.shadercore`, in the words of a device.

A function gets the sources, with their modifiers applied (`modified`), and gives what is written, before it is saturated. NOP, opcode 14
and END have none: they compute nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from lanewise.shadercore.isa.table import ABS, NEG_ABS, NEGATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

V = TypeVar("V")

_SIGN, _MAGNITUDE = 0x80000000, 0x7FFFFFFF


class Algebra(Protocol[V]):
    """The vocabulary. A value is what a wave has in one component of one register: `rcp` and `rsq` may look at all its lanes."""

    def xor(self, a: V, bits: int) -> V: ...
    def mask(self, a: V, bits: int) -> V: ...
    def set(self, a: V, bits: int) -> V: ...
    def saturate(self, a: V) -> V: ...
    def add(self, a: V, b: V) -> V: ...
    def mul(self, a: V, b: V) -> V: ...
    def min(self, a: V, b: V) -> V: ...
    def max(self, a: V, b: V) -> V: ...
    def less(self, a: V, b: V) -> V: ...
    def at_least(self, a: V, b: V) -> V: ...
    def bit_or(self, a: V, b: V) -> V: ...
    def bit_and(self, a: V, b: V) -> V: ...
    def shift_left(self, a: V, places: int) -> V: ...
    def shift_right(self, a: V, places: int) -> V: ...
    def scale(self, a: V, power: int) -> V: ...
    def sign(self, a: V) -> V: ...
    def fraction(self, a: V) -> V: ...
    def round23(self, a: V) -> V: ...
    def round16(self, a: V) -> V: ...
    def unorm(self, a: V, bits: int) -> V: ...
    def to_half(self, a: V) -> V: ...
    def from_half(self, a: V) -> V: ...
    def from_unsigned(self, a: V) -> V: ...
    def exp2(self, a: V) -> V: ...
    def log2(self, a: V) -> V: ...
    def rcp(self, a: V) -> V: ...
    def rsq(self, a: V) -> V: ...


def modified(m: Algebra[V], value: V, modifier: int) -> V:
    """A source as an instruction sees it: modifiers act on bit 31, whatever the instruction makes of the value (SC:909-958)."""
    if modifier == NEGATE:
        return m.xor(value, _SIGN)
    if modifier == ABS:
        return m.mask(value, _MAGNITUDE)
    return m.set(value, _SIGN) if modifier == NEG_ABS else value


def meanings(m: Algebra[V]) -> Mapping[str, Callable[[V, V], V] | None]:
    """What each instruction writes, of its two sources; None for one that computes nothing. The rows say which sources it has."""
    return {
        "nop": None,
        "mov": lambda a, b: a,
        "add": m.add,
        "mul": m.mul,
        "min": m.min,
        "max": m.max,
        "rcp": lambda a, b: m.rcp(a),
        "frc": lambda a, b: m.fraction(a),
        "exp": lambda a, b: m.exp2(a),
        "log": lambda a, b: m.log2(a),
        "rsq": lambda a, b: m.rsq(a),
        "slt": m.less,
        "sge": m.at_least,
        "sgn": lambda a, b: m.sign(a),
        "unused": None,
        "rnd_sint23ne": lambda a, b: m.round23(a),
        "rnd_sint16ne": lambda a, b: m.round16(a),
        "cnv_unorm16": lambda a, b: m.unorm(a, 16),
        "cnv_unorm8": lambda a, b: m.unorm(a, 8),
        "shft": lambda a, b: m.scale(a, 1),
        "bshftl8": lambda a, b: m.shift_left(a, 8),
        "bshftl16": lambda a, b: m.shift_left(a, 16),
        "bshftl24": lambda a, b: m.shift_left(a, 24),
        "bshftr8": lambda a, b: m.shift_right(a, 8),
        "bshftr16": lambda a, b: m.shift_right(a, 16),
        "bshftr24": lambda a, b: m.shift_right(a, 24),
        "or": m.bit_or,
        "and": m.bit_and,
        "cnv_f_to_half": lambda a, b: m.to_half(a),
        "cnv_half_to_f": lambda a, b: m.from_half(a),
        "cnv_u32_to_f": lambda a, b: m.from_unsigned(a),
        "end": None,
    }
