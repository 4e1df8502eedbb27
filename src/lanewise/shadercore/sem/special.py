"""RCP and RSQ of the public ShaderCore hardware: tables and wave effects.

Source: reference 2b.

A value is a float32 pattern. The functions for a wave take the values of its 16 lanes: lane = 4 * quad + unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGN, _INFINITY, _QNAN = 0x80000000, 0x7F800000, 0x7FFFFFFF
_QUADS, _UNITS = 4, 4
_ALL32, _ALL16 = 0xFFFFFFFF, 0xFFFF


def _table(text: str) -> tuple[int, ...]:
    return tuple(int(word, 16) for word in text.split())


RCP_OFFSETS = _table("FFC4 F0BE E363 D76F CCAD C2F0 BA16 B201 AA97 A3C6 9D7A 97A6 923C 8D32 887E 8417")
RCP_SLOPES = _table("F0F1 D62C BFA1 AC77 9C0A 8DDB 8185 76BA 6D3B 64D4 5D5C 56B1 50B6 4B55 4679 4211")
# The first 16 are for odd exponents, the others for even ones.
RSQ_SLOPES = _table(
    "3d25d 37fa8 337fc 2f961 2c254 2919a 2663d 23f6f 21c8e 1fd10 1e083 1c689 1aed2 19917 18522 172c0 "
    "2b3ce 27953 246a5 21a60 1f373 1d100 1b255 196e5 17e3b 167f6 153c6 14168 130a2 12145 11329 10628"
)
RSQ_OFFSETS = _table(
    "7ffffe 785b43 715bf0 6aebf5 64f92e 5f7482 5a514a 5584cd 5105eb 4ccccd 48d2ab 4511a3 418490 3e26eb 3af4ba 37ea74 "
    "3504f3 2f9d54 2aaaab 261d5f 21e89b 1e01b3 1a5fb2 16fb06 13cd3a 10d0c3 0e00d5 0b5948 08d677 067531 0432a5 020c52"
)


def _rcp_early(a: int) -> int | None:
    """The reciprocal of what needs no table: zero and subnormals, infinity, NaN, powers of two."""
    sign, exponent, mantissa = a & _SIGN, a >> 23 & 0xFF, a & 0x7FFFFF
    if exponent == 0:
        return sign | _INFINITY
    if exponent == 0xFF:
        return sign | (_QNAN if mantissa else 0)
    return sign | (254 - exponent & 0xFF) << 23 if not mantissa else None


def _rcp_start(mantissa: int) -> tuple[int, int]:
    """(first approximation, 16 bits; sigma, what is left of 1 after multiplying with it, 32 bits)."""
    line = mantissa >> 19
    first = (RCP_OFFSETS[line] - ((RCP_SLOPES[line] * (mantissa >> 3 & _ALL16)) >> 20)) & _ALL16
    return first, ~((first * ((0x800000 | mantissa) << 8)) >> 7) & _ALL32


def _rcp_finish(a: int, squared: int) -> int:
    """The reciprocal with the sigma that the second term squares."""
    first, sigma = _rcp_start(a & 0x7FFFFF)
    one = ((first << 16) + ((first * sigma) >> 24)) & _ALL32
    two = (one + ((one * ((squared * squared) >> 32)) >> 48)) & _ALL32
    mantissa = ((two >> 1 & 0x3FFFFFFF) + 64) >> 7
    return a & _SIGN | (253 - (a >> 23 & 0xFF) & 0xFF) << 23 | mantissa & 0x7FFFFF


def rcp(a: int) -> int:
    """The reciprocal of a single value in the pipe."""
    early = _rcp_early(a)
    return _rcp_finish(a, _rcp_start(a & 0x7FFFFF)[1]) if early is None else early


def rcp_wave(values: Sequence[int]) -> list[int]:
    """The reciprocals of a wave. The squared sigma is that of the latest quad, at most two quads later, that needed the
    table."""
    results: list[int] = []
    for lane, a in enumerate(values):
        early = _rcp_early(a)
        if early is not None:
            results.append(early)
            continue
        results.append(_rcp_finish(a, _rcp_start(values[_latest(values, lane)] & 0x7FFFFF)[1]))
    return results


def rcp_lanes(values: Sequence[int], lane: int) -> tuple[int, ...]:
    """The lanes of a wave that the reciprocal of a lane is computed from: its own, and the one whose sigma is squared."""
    return (lane,) if _rcp_early(values[lane]) is not None else tuple(dict.fromkeys((lane, _latest(values, lane))))


def _latest(values: Sequence[int], lane: int) -> int:
    """The lane of the latest quad, at most two quads after that of a lane, whose reciprocal needs the table."""
    quad, unit = divmod(lane, _UNITS)
    others = [_UNITS * q + unit for q in range(min(quad + 2, _QUADS - 1) + 1)]
    return next(other for other in reversed(others) if _rcp_early(values[other]) is None)


def _rsq_product(a: int) -> int:
    return ((a & 0x7FFFF) * (RSQ_SLOPES[_rsq_line(a)] & 0x3FFFF)) >> 18


def _rsq_line(a: int) -> int:
    return (0 if a >> 23 & 1 else 16) + (a >> 19 & 0xF)


def rsq(a: int, product: int | None = None) -> int:
    """1 / sqrt(|a|), with the product of its line, or another that the multiplier still has."""
    exponent, mantissa = a >> 23 & 0xFF, a & 0x7FFFFF
    if exponent == 0:
        return _INFINITY
    if exponent == 0xFF:
        return _QNAN if mantissa else 0
    scale = exponent - 127 - (not mantissa)
    result = -(scale // 2) - 1 if scale >= 0 else -scale // 2 - (scale % 2 == 0)
    found = (RSQ_OFFSETS[_rsq_line(a)] & 0x7FFFFF) - ((_rsq_product(a) if product is None else product) & 0x7FFFFF)
    return (result + 127 & 0xFF) << 23 | (0 if exponent & 1 and not mantissa else found & 0x7FFFFF)


def rsq_wave(values: Sequence[int]) -> list[int]:
    """1 / sqrt of a wave. Quads 1 to 3 get the product of quad 0 of their unit."""
    return [rsq(a, _rsq_product(values[lane % _UNITS])) for lane, a in enumerate(values)]


def rsq_lanes(values: Sequence[int], lane: int) -> tuple[int, ...]:
    """The lanes of a wave that 1 / sqrt of a lane is computed from: its own, and the one of quad 0 whose product it gets."""
    exponent, mantissa = values[lane] >> 23 & 0xFF, values[lane] & 0x7FFFFF
    if exponent in (0, 0xFF) or (exponent & 1 and not mantissa):
        return (lane,)
    return tuple(dict.fromkeys((lane, lane % _UNITS)))
