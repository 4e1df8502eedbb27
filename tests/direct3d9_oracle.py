"""Independent expectations for the instructions of Direct3D 9: the formulas of reference 4 over float32 patterns.

The arithmetic is NumPy's for IEEE, with zero products for Direct3D 9's own rule, and for `rtl` the words that are checked
against the hardware description by measured vectors (tests/conformance). Nothing here knows `sem.direct3d9`. Arrays are uint32,
one pattern for each lane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.sem.numbers import WaveOps

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bits = np.ndarray[Any, np.dtype[np.uint32]]
Vector = Sequence[Bits]
Sources = Sequence[Vector]
Made = dict[int, Bits]
Formula = Callable[["Ieee", Sources], Made]
NAN, ONE, SIGN, LARGEST = 0x7FC00000, 0x3F800000, 0x80000000, 0x7F7FFFFF
K1 = (-1.0 / 645120, -1.0 / 46080, 1.0 / 384, 1.0 / 3840)
K2 = (-1.0 / 48, -1.0 / 8, 1.0, 0.5)


def bits(value: float) -> int:
    return int(np.float32(value).view(np.uint32))


def number(a: NDArray[np.uint32]) -> NDArray[np.float32]:
    return a.view(np.float32)


def pattern(a: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Patterns with one NaN."""
    found = np.ascontiguousarray(a, np.float32).view(np.uint32).copy()
    found[np.isnan(a)] = NAN
    return found


class Ieee:
    """float32 arithmetic of NumPy. `zero`: 0 times anything is 0."""

    def __init__(self, lanes: int, *, zero: bool = False, second: bool = True) -> None:
        self.lanes, self.zero, self.second = lanes, zero, second

    def k(self, value: float) -> NDArray[np.uint32]:
        return np.full(self.lanes, bits(value), np.uint32)

    def add(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return pattern(number(a) + number(b))

    def mul(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        found = pattern(number(a) * number(b))
        if self.zero:
            found[(number(a) == 0) | (number(b) == 0)] = 0
        return found

    def double(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        found = pattern(number(a) * np.float32(2))
        return np.where(np.isnan(number(a)), a, found)

    def min(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return np.where(number(a) < number(b), a, b) if self.second else self.min_word(a, b)

    def max(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return np.where(number(a) >= number(b), a, b) if self.second else self.max_word(a, b)

    def _chosen(self, a: NDArray[np.uint32], b: NDArray[np.uint32], better: NDArray[np.bool_]) -> NDArray[np.uint32]:
        x, y = np.isnan(number(a)), np.isnan(number(b))
        return np.where(x & ~y, b, np.where(y, a, np.where(better, a, b)))

    def min_word(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        equal = (number(a) == number(b)) & (a >> 31 == 1)
        return self._chosen(a, b, (number(a) < number(b)) | equal)

    def max_word(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        equal = (number(a) == number(b)) & (a >> 31 == 0)
        return self._chosen(a, b, (number(a) > number(b)) | equal)

    def lt(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.bool_]:
        return number(a) < number(b)

    def ge(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.bool_]:
        return number(a) >= number(b)

    def sign(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return pattern(np.where(np.isnan(number(a)), number(a), np.sign(number(a)) + np.float32(0)))

    def frc(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        wide = number(a).astype(np.float64)
        found = pattern((wide - np.floor(wide)).astype(np.float32))
        found[found == SIGN] = 0
        return found

    def rcp(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return pattern(np.float32(1) / number(a))

    def rsq(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return pattern((1 / np.sqrt(number(a).astype(np.float64))).astype(np.float32))

    def exp2(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return pattern(np.exp2(number(a).astype(np.float64)).astype(np.float32))

    def log2(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return pattern(np.log2(number(a).astype(np.float64)).astype(np.float32))

    def saturate(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return np.where(a >> 31 == 1, 0, np.minimum(a, ONE)).astype(np.uint32)


class Rtl(Ieee):
    """The words of the public hardware."""

    def __init__(self, lanes: int) -> None:
        super().__init__(lanes, second=False)
        self.words = WaveOps(RTL)

    def _waves(self, word: str, *values: NDArray[np.uint32]) -> NDArray[np.uint32]:
        function = getattr(self.words, word)
        rows: list[int] = []
        for first in range(0, self.lanes, 16):
            waves = [
                tuple(np.pad(value[first : first + 16], (0, max(0, 16 - (self.lanes - first)))).tolist()) for value in values
            ]
            rows += function(*waves)
        return np.array(rows[: self.lanes], np.uint32)

    def add(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return self._waves("add", a, b)

    def mul(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return self._waves("mul", a, b)

    def double(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return np.array(self.words.scale(tuple(a.tolist()), 1), np.uint32)

    def lt(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.bool_]:
        return self._waves("less", a, b) != 0

    def ge(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.bool_]:
        return self._waves("at_least", a, b) != 0

    def sign(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return self._waves("sign", a)

    def frc(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return self._waves("fraction", a)

    def rcp(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return self._waves("rcp", a)

    def rsq(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return self._waves("rsq", a)

    def exp2(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return np.zeros_like(a)

    def log2(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return np.zeros_like(a)


def arithmetic(rule: str, lanes: int) -> Ieee:
    if rule == "rtl":
        return Rtl(lanes)
    return Ieee(lanes, zero=rule == "d3d9", second=rule != "document")


def _neg(a: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return a ^ np.uint32(SIGN)


def _abs(a: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return a & np.uint32(0x7FFFFFFF)


def _dot(m: Ieee, a: Vector, b: Vector, count: int) -> Bits:
    total = m.mul(a[0], b[0])
    for n in range(1, count):
        total = m.add(total, m.mul(a[n], b[n]))
    return total


def _all(value: Bits) -> Made:
    return dict.fromkeys(range(4), value)


def _each(function: Callable[[Ieee, Vector], Bits]) -> Formula:
    """A formula of single components: of each source one."""
    return lambda m, s: {c: function(m, [source[c] for source in s]) for c in range(4)}


def _scalar(function: Callable[[Ieee, Bits], Bits]) -> Formula:
    """A formula of w alone, since no source has a replicate swizzle."""
    return lambda m, s: _all(function(m, s[0][3]))


def _one(condition: NDArray[np.bool_]) -> Bits:
    return np.where(condition, ONE, 0).astype(np.uint32)


def _chosen(condition: NDArray[np.bool_], a: Bits, b: Bits) -> Bits:
    return np.where(condition, a, b).astype(np.uint32)


def _crs(m: Ieee, s: Sources) -> Made:
    a, b = s
    pairs = ((1, 2), (2, 0), (0, 1))
    return {c: m.add(m.mul(a[p], b[q]), _neg(m.mul(a[q], b[p]))) for c, (p, q) in enumerate(pairs)}


def _nrm(m: Ieee, s: Sources) -> Made:
    total = _dot(m, s[0], s[0], 3)
    zero = m.k(0)
    scale = _chosen(m.ge(total, zero) & m.ge(zero, total), np.full(m.lanes, LARGEST, np.uint32), m.rsq(total))
    return {c: m.mul(s[0][c], scale) for c in range(4)}


def _pow(m: Ieee, a: Bits, b: Bits) -> Bits:
    return m.exp2(m.mul(b, m.log2(_abs(a))))


def _lit(m: Ieee, s: Sources) -> Made:
    a, zero, one, limit = s[0], m.k(0), m.k(1), m.k(127.9961)
    exponent = m.max_word(m.min_word(a[3], limit), _neg(limit))
    lit = m.lt(zero, a[0]) & m.lt(zero, a[1])
    return {0: one, 1: m.max_word(a[0], zero), 2: _chosen(lit, _pow(m, a[1], exponent), zero), 3: one}


def _sincos(m: Ieee, s: Sources) -> Made:
    """Half the angle's series, then the doubled angle."""
    v = s[0][3]
    (k1x, k1y, k1z, k1w), (k2x, k2y, k2z, k2w) = ([m.k(value) for value in row] for row in (K1, K2))
    v2 = m.mul(v, v)

    def horner(*terms: Bits) -> Bits:
        total = terms[0]
        for term in terms[1:]:
            total = m.add(m.mul(v2, total), term)
        return total

    sine = m.mul(v, horner(k1x, k1w, k2x, k2w))
    cosine = horner(k1y, k1z, k2y, k2z)
    return {0: m.add(m.k(1), _neg(m.double(m.mul(sine, sine)))), 1: m.double(m.mul(sine, cosine))}


def _true_sincos(m: Ieee, s: Sources) -> Made:
    """The functions of NumPy in float64, rounded; the series on a device."""
    if isinstance(m, Rtl) or not m.second:
        return _sincos(m, s)
    angle = number(s[0][3]).astype(np.float64)
    return {0: pattern(np.cos(angle).astype(np.float32)), 1: pattern(np.sin(angle).astype(np.float32))}


def _expp_old(m: Ieee, s: Sources) -> Made:
    v = s[0][3]
    floor = m.add(v, _neg(m.frc(v)))
    return {0: m.exp2(floor), 1: m.frc(v), 2: m.exp2(v), 3: m.k(1)}


def _matrix(rows: int, count: int) -> Formula:
    return lambda m, s: {n: _dot(m, s[0], s[1 + n], count) for n in range(rows)}


# What each instruction gives, by component; sources are four components each, of a matrix its rows.
EXPECTED: dict[str, Formula] = {
    "mov": _each(lambda m, p: p[0]),
    "add": _each(lambda m, p: m.add(p[0], p[1])),
    "sub": _each(lambda m, p: m.add(p[0], _neg(p[1]))),
    "mul": _each(lambda m, p: m.mul(p[0], p[1])),
    "mad": _each(lambda m, p: m.add(m.mul(p[0], p[1]), p[2])),
    "lrp": _each(lambda m, p: m.add(m.mul(p[0], m.add(p[1], _neg(p[2]))), p[2])),
    "min": _each(lambda m, p: m.min(p[0], p[1])),
    "max": _each(lambda m, p: m.max(p[0], p[1])),
    "slt": _each(lambda m, p: _one(m.lt(p[0], p[1]))),
    "sge": _each(lambda m, p: _one(m.ge(p[0], p[1]))),
    "abs": _each(lambda m, p: _abs(p[0])),
    "sgn": _each(lambda m, p: m.sign(p[0])),
    "frc": _each(lambda m, p: m.frc(p[0])),
    "cmp": _each(lambda m, p: _chosen(m.ge(p[0], m.k(0)), p[1], p[2])),
    "cnd": _each(lambda m, p: _chosen(m.lt(m.k(0.5), p[0]), p[1], p[2])),
    "dp3": lambda m, s: _all(_dot(m, s[0], s[1], 3)),
    "dp4": lambda m, s: _all(_dot(m, s[0], s[1], 4)),
    "dp2add": lambda m, s: _all(m.add(_dot(m, s[0], s[1], 2), s[2][3])),
    "m4x4": _matrix(4, 4),
    "m4x3": _matrix(3, 4),
    "m3x4": _matrix(4, 3),
    "m3x3": _matrix(3, 3),
    "m3x2": _matrix(2, 3),
    "crs": _crs,
    "dst": lambda m, s: {0: m.k(1), 1: m.mul(s[0][1], s[1][1]), 2: s[0][2], 3: s[1][3]},
    "rcp": _scalar(lambda m, a: m.rcp(a)),
    "rsq": _scalar(lambda m, a: m.rsq(_abs(a))),
    "exp": _scalar(lambda m, a: m.exp2(a)),
    "log": _scalar(lambda m, a: m.log2(_abs(a))),
    "expp": _scalar(lambda m, a: m.exp2(a)),
    "logp": _scalar(lambda m, a: m.log2(_abs(a))),
    "expp in vs_1_1": _expp_old,
    "logp in vs_1_1": _scalar(lambda m, a: m.log2(_abs(a))),
    "pow": lambda m, s: _all(_pow(m, s[0][3], s[1][3])),
    "nrm": _nrm,
    "lit": _lit,
    "sincos": _sincos,
    "sincos in vs_3_0": _true_sincos,
}
