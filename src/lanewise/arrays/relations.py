"""Causes that explain all differences between expected values and results: a scale, a sign, a tolerance."""

from __future__ import annotations

import math
from typing import Any

from lanewise.core.numbers.floats import float24_from_float, float32_bits
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_ROUNDED = 2**-12  # relative: some steps of float24, which has 16 bits after the point
_WRITTEN = 1e-3  # a value of three digits is so near to the one that it was written for
_LEAST = 2  # differences that a scale or a sign explains; one may be anything
_BYTE = 255.0
_SMALL = 2.0**20
_MOST_REARRANGED = 400  # differences that are looked at


def _near(one: float, other: float, within: float = _ROUNDED) -> bool:
    return math.isclose(one, other, rel_tol=within, abs_tol=1e-9)


def _words(expected: float, got: float) -> bool:
    """Whether what is expected are the bits of a number, as float32, or of that one as float24."""
    if 0x30000000 <= expected <= 0xCFFFFFFF and abs(got) < _SMALL:
        return True
    patterns = (float32_bits(got), float24_from_float(got))
    return expected == round(expected) and bool(got) and any(_near(expected, pattern, 2**-15) for pattern in patterns)


def _bytes(expected: float, got: float) -> bool:
    return expected == round(expected) and 0 <= expected <= _BYTE and abs(expected / _BYTE - got) <= 0.51 / _BYTE


_RELATIONS: tuple[tuple[Callable[[float, float], bool], str], ...] = (  # of (expected, got), and what to do
    (_words, "write {bits = ROWS} in place of ROWS: they are the bits of numbers, which are whole numbers in TOML"),
    (_bytes, "divide them by 255, and add tolerance = {abs = 0.002}: outputs are 0 to 1, these expected values are 0 to 255"),
    (lambda expected, got: _near(expected, -got), "change the signs: all that is expected is the negative of what is computed"),
    (lambda expected, got: _near(expected, 1 - got), "subtract them from 1: that is what is computed"),
    (lambda expected, got: bool(got) and _near(expected, 1 / got), "take their reciprocals: those are computed"),
    (lambda expected, got: got >= 0 and _near(expected, math.sqrt(got)), "take their squares: those are computed"),
)


def explanation(differences: Sequence[tuple[float, float]]) -> str:
    """The fix for differences, as (expected, got), that have one cause; empty for others."""
    pairs = [pair for pair in differences if all(map(math.isfinite, pair))]
    if not pairs or len(pairs) < len(differences):
        return ""
    largest = max([abs(expected - got) for expected, got in pairs])
    if all(_near(expected, got, _WRITTEN) or abs(expected - got) < _WRITTEN for expected, got in pairs):
        size = 10.0 ** math.ceil(math.log10(largest)) if largest else 0.0
        return f"add tolerance = {{abs = {size:g}}}: no difference is larger" if size else ""
    if len(pairs) < _LEAST and not _words(*pairs[0]):
        return ""
    fix = next((text for holds, text in _RELATIONS if all(holds(expected, got) for expected, got in pairs)), "")
    if fix:
        return fix
    scales = [expected / got for expected, got in pairs if got]
    if len(scales) == len(pairs) and scales[0] and all(_near(scale, scales[0]) for scale in scales):
        return f"divide them by {scales[0]:.6g}: each is that many times what is computed"
    return ""


def rearranged(differences: Sequence[tuple[str, str, int, int, int]]) -> str:
    """The fix for differences, as (output, component, lane, expected pattern, computed pattern), of an output whose components
    or rows are expected in another order; empty for others."""
    keys = {key for key, *_ in differences}
    if len(keys) != 1 or len(differences) > _MOST_REARRANGED:
        return ""
    (key,) = keys
    by_lane: dict[int, dict[str, tuple[int, int]]] = {}
    for _, letter, lane, expected, got in differences:
        by_lane.setdefault(lane, {})[letter] = (expected, got)
    letters = sorted({letter for row in by_lane.values() for letter in row})
    order: list[str] = []
    for letter in letters:
        rows = [row for row in by_lane.values() if letter in row]
        order += [other for other in letters if all(other in row and row[other][1] == row[letter][0] for row in rows)][:1]
    if len(letters) > 1 and sorted(order) == letters:
        first = next(n for n, letter in enumerate(letters) if order[n] != letter)
        return f"exchange components of {key}: what is expected of {letters[first]} is computed in {order[first]}"
    lanes = sorted(by_lane)
    found: list[int] = []
    for lane in lanes:
        wanted = {letter: pair[0] for letter, pair in by_lane[lane].items()}
        found += [other for other in lanes if {letter: pair[1] for letter, pair in by_lane[other].items()} == wanted][:1]
    if len(lanes) > 1 and sorted(found) == lanes and found != lanes:
        place = f"row {lanes[0]} is what is computed of lane {found[0]}"
        return f"put the rows of {key} in the order of the inputs: {place}"
    return ""


def one_vector(inputs: Mapping[str, Any] | None, outputs: Mapping[str, Any], lanes: Sequence[int]) -> str:
    """The fix for differences in all lanes but the first, where an input is a list of as many numbers as x of an output has:
    one vector for all lanes is meant as x of each; empty for others."""
    expected = {len(value) for key, value in outputs.items() if key.endswith(".x") and getattr(value, "ndim", 0) == 1}
    for name, value in (inputs or {}).items():
        count = len(value) if getattr(value, "ndim", 0) == 1 else 0
        if count < _LEAST or count not in expected or not 0 < min(lanes, default=0) <= max(lanes, default=0) < count:
            continue
        rows = ", ".join([f"[{number:.9g}]" for number in value.tolist()])
        return f"write {name} = [{rows}] for x of {count} vertices: a list of numbers is one vector, for all of them"
    return ""
