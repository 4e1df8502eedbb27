"""RCP and RSQ of the public ShaderCore hardware on arrays, as `sem.special` has them. Source: reference 2b."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.shadercore.sem import special as tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIGN, _INFINITY, _QNAN, _FRACTION = 0x80000000, 0x7F800000, 0x7FFFFFFF, 0x7FFFFF
_QUADS, _UNITS = 4, 4


def rcp_start(a: NDArray[np.uint32]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """(first approximation, sigma) of the mantissas of patterns."""
    mantissa = (a & _FRACTION).astype(np.uint64)
    line = (mantissa >> np.uint64(19)).astype(np.intp)
    offsets, slopes = np.array(tables.RCP_OFFSETS, np.uint64), np.array(tables.RCP_SLOPES, np.uint64)
    first = (offsets[line] - ((slopes[line] * (mantissa >> np.uint64(3) & np.uint64(0xFFFF))) >> np.uint64(20))) & np.uint64(
        0xFFFF
    )
    product = (first * ((mantissa | np.uint64(0x800000)) << np.uint64(8))) >> np.uint64(7)
    return first, ~product & np.uint64(0xFFFFFFFF)


def rcp_with(a: NDArray[np.uint32], squared: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The reciprocals when the second term squares these sigmas, which count where the table is needed."""
    first, sigma = rcp_start(a)
    one = ((first << np.uint64(16)) + ((first * sigma) >> np.uint64(24))) & np.uint64(0xFFFFFFFF)
    square = (squared * squared) >> np.uint64(32)
    two = (one + ((one * square) >> np.uint64(48))) & np.uint64(0xFFFFFFFF)
    mantissa = (((two >> np.uint64(1) & np.uint64(0x3FFFFFFF)) + np.uint64(64)) >> np.uint64(7)).astype(np.uint32)
    exponent = a >> 23 & 0xFF
    sign = a & _SIGN
    found = sign | (253 - exponent.astype(np.int32) & 0xFF).astype(np.uint32) << 23 | mantissa & _FRACTION
    early, exact = rcp_early(a)
    return np.where(early, exact, found)


def rcp_early(a: NDArray[np.uint32]) -> tuple[NDArray[np.bool_], NDArray[np.uint32]]:
    """Which need no table, and their reciprocals."""
    sign, exponent, none = a & np.uint32(_SIGN), (a >> 23 & 0xFF).astype(np.int32), a & _FRACTION == 0
    power = (254 - exponent & 0xFF).astype(np.uint32) << 23
    exact = np.where(exponent == 0xFF, np.where(none, np.uint32(0), np.uint32(_QNAN)), power)
    exact = sign | np.where(exponent == 0, np.uint32(_INFINITY), exact)
    return (exponent == 0) | (exponent == 0xFF) | none, exact


def rcp(a: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Each lane with its own sigma."""
    return rcp_with(a, rcp_start(a)[1])


def rcp_wave(a: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Whole waves: the squared sigma is that of the latest quad up to two behind, of those that needed the table."""
    waves = a.reshape(-1, _QUADS, _UNITS)
    early, sigma = rcp_early(waves)[0], rcp_start(waves)[1]
    found = np.empty_like(waves)
    for quad in range(_QUADS):
        last = min(quad + 2, _QUADS - 1)
        squared = sigma[:, 0]
        for other in range(1, last + 1):
            squared = np.where(early[:, other], squared, sigma[:, other])
        found[:, quad] = rcp_with(waves[:, quad], squared)
    return found.reshape(a.shape)


def _rsq_line(a: NDArray[np.uint32]) -> NDArray[np.intp]:
    return (np.where(a >> 23 & 1, np.uint32(0), np.uint32(16)) + (a >> 19 & 0xF)).astype(np.intp)


def _rsq_product(a: NDArray[np.uint32]) -> NDArray[np.uint32]:
    slopes = np.array(tables.RSQ_SLOPES, np.uint64) & np.uint64(0x3FFFF)
    return (((a & 0x7FFFF) * slopes[_rsq_line(a)]) >> np.uint64(18)).astype(np.uint32)


def rsq(a: NDArray[np.uint32], product: NDArray[np.uint32] | None = None) -> NDArray[np.uint32]:
    """1 / sqrt(|a|) with the products of the lanes' lines, or others."""
    exponent, none = (a >> 23 & 0xFF).astype(np.int32), a & _FRACTION == 0
    scale = np.where(none, exponent - 128, exponent - 127)
    made = np.where(scale >= 0, -(scale >> 1) - 1, (-scale >> 1) - (1 - (scale & 1)))
    offsets = np.array(tables.RSQ_OFFSETS, np.uint32) & np.uint32(_FRACTION)
    mantissa = offsets[_rsq_line(a)] - ((_rsq_product(a) if product is None else product) & np.uint32(0x7FFFF))
    mantissa = np.where((exponent & 1 == 1) & none, np.uint32(0), mantissa & np.uint32(_FRACTION))
    found = (made + 127 & 0xFF).astype(np.uint32) << 23 | mantissa
    found = np.where(exponent == 0xFF, np.where(none, np.uint32(0), np.uint32(_QNAN)), found)
    return np.where(exponent == 0, np.uint32(_INFINITY), found)


def rsq_wave(a: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Whole waves: quads 1 to 3 get the product of quad 0 of their unit."""
    waves = a.reshape(-1, _QUADS, _UNITS)
    product = np.broadcast_to(_rsq_product(waves[:, :1]), waves.shape)
    return rsq(waves, product).reshape(a.shape)
