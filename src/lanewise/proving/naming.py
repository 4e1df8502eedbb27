"""Constants of two programs, matched by name.

Compilers put a uniform where they like, a matrix by its rows or by its columns. A `Key` says what a component of a constant
register is in the source, so that both programs read the same number where their keys are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Place = tuple[int, int]  # a register and a component
Key = tuple[str, int, int]  # the name of a uniform, the row, the component of the row

FRESH = 1 << 12  # is added to registers that only the second program has


class Alone(NamedTuple):
    """Names of uniforms that only one of two programs reads."""

    first: tuple[str, ...]
    second: tuple[str, ...]

    def texts(self, names: tuple[str, str]) -> list[str]:
        """A sentence for each."""
        return [
            f"uniform {uniform} is only in {name}"
            for name, uniforms in zip(names, (self.first, self.second), strict=True)
            for uniform in uniforms
        ]


def key(name: str, index: int, component: int, columns: tuple[int, int] | None = None) -> Key:
    """The key of a component of register `index` of a uniform. `columns` are rows and columns of a matrix whose registers are
    its columns, or of each in an array of such; None: registers are rows."""
    if columns is None:
        return name, index, component
    rows, count = columns
    if component >= rows:
        return name, -1 - index, component  # padding below the column
    element, column = divmod(index, count)
    return name, element * rows + component, column


def renamed(first: Mapping[Place, Key], second: Mapping[Place, Key], read: Iterable[Place]) -> dict[Place, Place]:
    """Places of the first program for those that the second reads; those that are not in the result keep their place.

    Without names in both, that is every one.
    """
    if not first or not second:
        return {}
    back: dict[Key, Place] = {}
    for place, own in first.items():
        back.setdefault(own, place)
    found: dict[Place, Place] = {}
    for place in read:
        own = second.get(place)
        mine = back.get(own) if own is not None else None if place in first else place
        if mine != place:
            found[place] = (place[0] + FRESH, place[1]) if mine is None else mine
    return found


def alone(
    first: Mapping[Place, Key], second: Mapping[Place, Key], read: tuple[Iterable[Place], Iterable[Place]]
) -> Alone | None:
    """The uniforms that only one program reads under their name, where both programs have names; None where not both have such:
    then what one of them reads is a uniform of both, which the other ignores."""
    if not first or not second:
        return None
    own, theirs = ({each[0] for each in keys.values()} for keys in (first, second))
    used = [{keys[place][0] for place in places if place in keys} for keys, places in zip((first, second), read, strict=True)]
    mine, others = used[0] - theirs, used[1] - own
    return Alone(tuple(sorted(mine)), tuple(sorted(others))) if mine and others else None


__all__ = ["FRESH", "Alone", "Key", "Place", "alone", "key", "renamed"]
