"""How far apart results may be: `--ulp` and `--range`, and distances of patterns."""

from __future__ import annotations

import math

from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN, Comparison, Ulps
from lanewise.core.numbers.floats import float32_bits, float_from_bits
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random

    from lanewise.core.comparison import Example
    from lanewise.core.service import Request

EVERY = "*"
EVERY_NAN = "all NaN are one value, and so are both zeros"
_MOST = 1 << 31
_COMPONENTS = "xyzw"
_LARGEST = 2.0**100

Ends = tuple[float, float]


class Near(Record):
    """The values of `--ulp` and `--range`."""

    ulp: int
    "How many units in the last place results may be apart."
    ranges: Mapping[str, tuple[Ends, ...]]
    "The ranges of a name: of all its components, or one for each."

    def ends(self, names: Iterable[str], component: int) -> Ends | None:
        """The range of a component of what has several names; None where none is given."""
        for name in (*names, EVERY):
            for key in (f"{name}.{_COMPONENTS[component]}", name):
                found = self.ranges.get(key)
                if found and (len(found) == 1 or component < len(found)):
                    return found[component if len(found) > 1 else 0]
        return None

    def check(self, names: Iterable[str]) -> None:
        """Raise UsageError for a range of what is neither one of the names of inputs and uniforms nor a register."""
        known = {*names, EVERY}
        for key in self.ranges:
            base, dot, letters = key.rpartition(".")
            name = base if dot and letters in _COMPONENTS else key
            bare = name.partition("[")[0]
            register = bare[:1] in "vcVC" and bare[1:].isdecimal()
            if register or not known.isdisjoint((key, name, bare)):
                continue
            from lanewise.core.text.suggestions import near as similar

            listed = [each for each in known if each != EVERY]
            close = similar(bare, listed) or sorted(listed)
            fix = f"did you mean {close[0]}?" if similar(bare, listed) else f"use {', '.join([*close[:8], 'a register'])}"
            raise UsageError(f"--range {key}: unknown input or uniform '{bare}': {fix}")

    @property
    def premises(self) -> list[str]:
        """The ranges, in sentences."""
        texts = [
            f"{'everything else' if name == EVERY else name} is in {', '.join([f'{low:g}..{high:g}' for low, high in ends])}"
            for name, ends in self.ranges.items()
        ]
        return [*texts, "no input is subnormal"] if texts else []


def near(request: Request) -> Near | None:
    """The options of a request; None without `--ulp`. Raises UsageError."""
    ulp = request.whole("ulp")
    if ulp is None:
        return None
    if not 0 <= ulp < _MOST:
        raise UsageError(f"--ulp is 0 to {_MOST - 1}")
    found: dict[str, tuple[Ends, ...]] = {}
    for text in request.texts("range"):
        name, equals, values = text.partition("=")
        if not equals or not name or name in found:
            raise UsageError(f"--range {text}: write NAME=LOW..HIGH, each name once")
        base, dot, letters = name.rpartition(".")
        ends = tuple([_ends(text, part) for part in values.split(",")])
        if not dot or not letters or letters.strip(_COMPONENTS):
            base, letters = name, ""
        if len(ends) not in (1, len(letters) or len(ends)) or len(ends) > len(_COMPONENTS):
            raise UsageError(f"--range {text}: one range, or one for each component")
        if not letters:
            found[base] = ends
        for n, letter in enumerate(letters):
            found[f"{base}.{letter}"] = (ends[n if len(ends) > 1 else 0],)
    return Near(ulp, found)


def _ends(text: str, part: str) -> Ends:
    low, dots, high = part.partition("..")
    try:
        ends = float(low), float(high if dots else low)
    except ValueError:
        raise UsageError(f"--range {text}: '{part}' is not LOW..HIGH, such as -1..1") from None
    if not all(math.isfinite(end) and abs(end) <= _LARGEST for end in ends) or ends[0] > ends[1]:
        raise UsageError(f"--range {text}: the ends are numbers up to 2^100, the lower one first")
    return ends


def distance(a: int, b: int) -> int | None:
    """How many units in the last place two float32 patterns are apart: 0 for two NaN and for zeros; None for a NaN and a
    number."""
    nan = [pattern & 0x7FFFFFFF > 0x7F800000 for pattern in (a, b)]
    if any(nan):
        return 0 if all(nan) else None
    one, other = (-(pattern & 0x7FFFFFFF) if pattern >> 31 else pattern for pattern in (a, b))
    return abs(one - other)


class Farthest(Record):
    """The greatest distance of a search."""

    ulp: int
    "In units in the last place; `NOT_A_NUMBER` for a NaN beside a number."
    output: str
    "The output."
    lane: int
    "The vertex of the search."


NOT_A_NUMBER = 1 << 33


def drawn(rng: Random, ends: Ends | None, other: Callable[[], int]) -> int:
    """A float32 pattern in a range: its ends, small numbers and any, none of them subnormal; of `other` where there is none."""
    if ends is None:
        return other()
    low, high = ends
    kind = rng.random()
    number = low + (high - low) * rng.random() if kind < 0.7 else rng.choice((low, high)) if kind < 0.85 else None
    if number is None:
        number = high * 2.0 ** -rng.uniform(0, 30) if abs(high) > abs(low) else low * 2.0 ** -rng.uniform(0, 30)
    bits = float32_bits(min(max(number, low), high))
    nearest = float_from_bits(bits)
    if nearest < low or nearest > high:  # rounded out of a range whose end is no float32
        bits += 1 if (nearest < low) == (not bits >> 31) else -1
    return bits if bits & 0x7F800000 else bits & 0x80000000


def concluded(
    names: tuple[str, str],
    near: Near,
    proved: int | str,
    search: Callable[[], tuple[Farthest, Example | None] | None],
    *,
    used: Sequence[str],
    searched: str,
    where: str = "",
) -> Comparison:
    """The comparison by what is proved, a bound or why there is none; where that is not enough, by the greatest distance that a
    search finds, which is never called a proof."""
    bound, reason = (proved, "") if isinstance(proved, int) else (None, proved)
    if bound is not None and bound <= near.ulp:
        ulps = Ulps(asked=near.ulp, proved=bound, found=None, output=where if bound else "", reason="")
        return Comparison(EQUAL, names, used=[*used, *near.premises], ulps=ulps)
    found = search()
    farthest, example = found if found is not None else (None, None)
    distance = None if farthest is None or farthest.ulp >= NOT_A_NUMBER else farthest.ulp
    output = farthest.output if farthest is not None and farthest.ulp else ""
    ulps = Ulps(asked=near.ulp, proved=bound, found=distance, output=output, reason=reason)
    if farthest is not None and farthest.ulp > near.ulp:
        return Comparison(DIFFERS, names, example=example, ulps=ulps)
    return Comparison(UNKNOWN, names, reason=f"searched {searched}, not proved", example=example if output else None, ulps=ulps)
