"""How far the routines are from the true values: what is asked of each, for which inputs, and what was found over all of
them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engines.shadercore_numpy import Arrays
from engines.shadercore_numpy_special import rcp_early, rcp_start, rcp_with
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.sem.routines import Routines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from lanewise.shadercore.isa.devices import Device

_R = Routines["NDArray[np.uint32]"]
RECORD = Path(__file__).parent / "routine_bounds.json"
RELATIVE, LARGER, ABSOLUTE, FACTOR = "relative", "relative or absolute", "absolute", "relative, and MUL's"
DEVICES: Mapping[str, Device] = {
    "document": DOCUMENT,
    "rtl": RTL,
    "rtl, rcp_sigma=fixed, rsq_gate=fixed": RTL.set("rcp_sigma=fixed,rsq_gate=fixed"),
    "rtl, add=nearest, mul=nearest": RTL.set("add=nearest,mul=nearest"),
    "document, exp_log=zero": DOCUMENT.set("exp_log=zero"),
}
EACH = {"rtl": 1}  # of how many mantissas one is tried; of the devices that are not named, of 17
SIGMAS = (0x14356B, 0x3FBF0B4F)
PICKS = 17  # how many results RCP of `rtl` can have at most for one number, over all that other lanes can leave


class Span(NamedTuple):
    """Patterns from `first` up to `end`, each `step`-th, with so many of the results that RCP can have: all, or the extreme
    ones."""

    first: int
    end: int
    step: int = 1
    picks: tuple[int, ...] = (0, PICKS - 1)


def binade(power: int, step: int = 1, sign: int = 0, picks: tuple[int, ...] = (0, PICKS - 1)) -> Span:
    """All mantissas of an exponent."""
    first = sign << 31 | power + 127 << 23
    return Span(first, first + (1 << 23), step, picks)


ALL_PICKS = tuple(range(PICKS))
_ROOTS = (1, 2, 3, 6, 7, 14, 15, 30, 31, 62, 63, 126, 129, 254)  # exponent fields: one of each length and evenness
_RANGE = tuple(binade(power, 4093) for power in range(-126, 128))
_LOGS = (
    *(binade(power) for power in range(-2, 2)),
    *(binade(power, 8) for power in (-4, -3, 2, 3)),
    *(binade(power, 1021) for power in range(-126, 128)),
)
# f = x - floor(x) has 23 places behind the point, all of which are in [1, 2), and in [-2, -1). Below 1 what is cut off counts
# too.
_EXPS = (
    *(binade(power, 1, sign) for power in (-2, -1, 0) for sign in (0, 1)),
    *(binade(power, 61, sign) for power in range(-25, -2) for sign in (0, 1)),
    Span(0x40000000, 0x43000000, 61),
    Span(0xC0000000, 0xC2FC0001, 61),
)
_SMALL = tuple(binade(power, 251, sign) for power in range(-30, -6) for sign in (0, 1))
_ANGLES = (
    *(binade(power) for power in range(-2, 1)),
    Span(0x40000000, 0x40490FDC),
    *(binade(power, 16) for power in range(-6, -2)),
    Span(0xBC000000, 0xC0490FDC, 31),
)


POWER_BOUND = 2.0**-15
# |b log2(a)| is below 128, so that 128 ln(2) times the error of that product, and that of exp2, are the error of |a|**b.
FACTOR_BOUND = (POWER_BOUND - 2.0**-21) / (128 * np.log(2))


class Case(NamedTuple):
    """A routine of one number, the true function, what is asked of it (`bound`) and where."""

    name: str
    routine: Callable[[Routines[NDArray[np.uint32]], NDArray[np.uint32]], NDArray[np.uint32]]
    true: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    kind: str
    bound: float
    spans: tuple[Span, ...]


def _rcp(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / x


def _rsq(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / np.sqrt(np.abs(x))


def _log2(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.log2(np.abs(x))


_COARSE = (binade(0), binade(-1), *(binade(power, 4093) for power in range(-126, 128)))
CASES = (
    Case(
        "rcp",
        _R.rcp,
        _rcp,
        RELATIVE,
        2.0**-22,
        (binade(0, picks=ALL_PICKS), binade(-1), *_RANGE[:-2], Span(0x7E800000, 0x7E800001)),
    ),
    Case(
        "rsq",
        _R.rsq,
        _rsq,
        RELATIVE,
        2.0**-22,
        (binade(0, picks=ALL_PICKS), binade(1, picks=ALL_PICKS), *(binade(field - 127, 8) for field in _ROOTS), *_RANGE),
    ),
    Case("rsq_of_square", _R.rsq_of_square, _rsq, RELATIVE, 2.0**-22, (binade(0, 3), binade(1, 3), *_RANGE)),
    Case("exp2", _R.exp2, np.exp2, RELATIVE, 2.0**-21, _EXPS),
    Case("exp2_coarse", _R.exp2_coarse, np.exp2, RELATIVE, 2.0**-10, _EXPS),
    Case("log2", _R.log2, _log2, LARGER, 2.0**-21, _LOGS),
    Case("log2_coarse", _R.log2_coarse, _log2, LARGER, 2.0**-10, _COARSE),
    Case("log2_relative", _R.log2_relative, _log2, FACTOR, FACTOR_BOUND, _LOGS),
    Case("sine", _R.sine, np.sin, ABSOLUTE, 0.002, (*_ANGLES, *_SMALL)),
    Case("cosine", _R.cosine, np.cos, ABSOLUTE, 0.002, (*_ANGLES, *_SMALL)),
)
BY_NAME = {case.name: case for case in CASES}
# What costs are told of, with how many arguments it has: what gives something else than one number of one number too.
COSTS: Mapping[str, int] = {**dict.fromkeys(BY_NAME, 1), "power": 2, "sincos": 1, "masks": 1, "select": 3}


def sigmas() -> tuple[int, int]:
    """The least and the greatest sigma that RCP can have of any mantissa, which are `SIGMAS`."""
    found = rcp_start(np.arange(1, 1 << 23, dtype=np.uint32))[1]
    return int(found.min()), int(found.max())


class AnySigma(Arrays):
    """A device whose RCP squares sigmas of other lanes, with the result that is `pick` last places above the least one
    possible.

    The second term grows with the sigma that it squares, so that all results lie between those of the extreme sigmas: trying
    each of them is trying whatever other lanes can have. That the greatest is not a carry into the exponent is asserted here.
    """

    def __init__(self, device: Device, pick: int = 0) -> None:
        super().__init__(device)
        self.pick = pick
        self._of: NDArray[np.uint32] | None = None
        self._between: tuple[NDArray[np.uint32], NDArray[np.uint32]] | None = None

    def rcp(self, a: NDArray[np.uint32]) -> NDArray[np.uint32]:
        if self.device.value("rcp_sigma") == "fixed":
            return super().rcp(a)
        if self._between is None or self._of is None or not np.array_equal(self._of, a):
            low, high = (rcp_with(a, np.full(a.shape, sigma, np.uint64)) for sigma in SIGMAS)
            early, _ = rcp_early(a)
            assert bool(np.all(early | (high - low < PICKS)))
            self._of, self._between = a, (low, high)
        low, high = self._between
        return np.minimum(low + np.uint32(self.pick), high)


def errors(m: AnySigma, case: Case, patterns: NDArray[np.uint32]) -> NDArray[np.float64]:
    """With their signs, in the measure of the case."""
    found = case.routine(Routines(m, m.device, m.constant), patterns).view(np.float32).astype(np.float64)
    true = case.true(patterns.view(np.float32).astype(np.float64))
    size = np.abs(true)
    difference = found - true
    if case.kind == ABSOLUTE:
        return difference
    if case.kind == LARGER:
        return difference / np.maximum(size, 1)
    relative = np.where(difference == 0, 0.0, difference / np.where(size > 0, true, 1e-300))
    if case.kind != FACTOR:
        return relative
    # What MUL adds to it: up to 2**-23 toward zero, or 2**-24 either way.
    off = 2.0**-24 if m.device.value("mul") == "zero" else 0.0
    return np.abs(relative - off) + 2.0**-24


class Worst(NamedTuple):
    """The greatest error, and the input and choice of RCP's result that have it."""

    error: float
    pattern: int
    pick: int


def worst_of(device: Device, case: Case, patterns: NDArray[np.uint32], picks: tuple[int, ...]) -> Worst:
    worst = Worst(-1.0, 0, 0)
    m = AnySigma(device)
    for pick in picks if device.value("rcp_sigma") == "stale" else picks[:1]:
        m.pick = pick
        size = np.abs(errors(m, case, patterns))
        size[np.isnan(size)] = np.inf
        place = int(np.argmax(size))
        worst = max(worst, Worst(float(size[place]), int(patterns[place]), pick))
    return worst


def recorded() -> dict[str, dict[str, dict[str, Any]]]:
    """What the exhaustive run found: device, routine, figures."""
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(RECORD.read_text())
    return found
