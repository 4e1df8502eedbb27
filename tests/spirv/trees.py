"""Values of SPIR-V as trees, whose leaves are numbers and truths of all vertices, and pointers to places in them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from spirv.approximate import Real, Truth, Whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spirv.approximate import Booleans

Leaf = Real | Whole | Truth
Tree = Any  # a leaf, or a list of trees; a Pointer for parameters of functions


class Pointer(NamedTuple):
    """A place in a variable: the path has an index for each level, a number or one that each vertex has its own of."""

    cell: list[Tree]
    path: tuple[int | Whole, ...]


def leaves(function: Callable[..., Leaf], *trees: Tree) -> Tree:
    """The function on each leaf of trees of one shape."""
    if isinstance(trees[0], list):
        return [leaves(function, *items) for items in zip(*trees, strict=True)]
    return function(*trees)


def flattened(tree: Tree) -> list[Leaf]:
    """The leaves of a tree from left to right."""
    if isinstance(tree, list):
        return [leaf for item in cast("list[Tree]", tree) for leaf in flattened(item)]
    return [tree]


def merged(mask: Booleans, new: Tree, old: Tree) -> Tree:
    """The new tree where the mask is set."""
    if old is None:
        return new
    if isinstance(new, list):
        return [merged(mask, a, b) for a, b in zip(cast("list[Tree]", new), old, strict=True)]
    if isinstance(new, Pointer):
        pairs = zip(new.path, old.path, strict=True)
        return Pointer(new.cell, tuple(a if isinstance(a, int) else merged(mask, a, _whole(b)) for a, b in pairs))
    return type(new)(*(np.where(mask, a, b) for a, b in zip(new, old, strict=True)))


def at(items: Sequence[Tree], index: int | Whole) -> Tree:
    """The element of an index, which may differ from vertex to vertex; nothing is known of an element that is outside."""
    if isinstance(index, int):
        inside = 0 <= index < len(items)
        return items[index] if inside else leaves(partial(spoiled, where=np.ones(1, np.bool_)), items[-1])
    found = items[-1]
    for number, item in enumerate(items[:-1]):
        found = merged(index.value == number, item, found)
    outside = index.doubt | (index.value < 0) | (index.value >= len(items))
    return leaves(partial(spoiled, where=outside), found) if outside.any() else found


def spoiled(leaf: Leaf, where: Booleans) -> Leaf:
    """A leaf of which nothing is known where the mask is set."""
    if isinstance(leaf, Real):
        return Real(leaf.value + np.zeros(where.shape), np.where(where, np.inf, leaf.error))
    return type(leaf)(leaf[0], leaf.doubt | where)  # type: ignore[arg-type]


def stored(tree: Tree, path: tuple[int | Whole, ...], value: Tree, mask: Booleans, whole: bool) -> Tree:
    """The tree with the value at the place of a path, where the mask is set; `whole`: it is set for all vertices."""
    if not path:
        return value if whole else merged(mask, value, tree)
    index, rest = path[0], path[1:]
    if isinstance(index, int):
        return [stored(item, rest, value, mask, whole) if number == index else item for number, item in enumerate(tree)]
    made = [stored(item, rest, value, mask & (index.value == number), False) for number, item in enumerate(tree)]
    doubt = mask & index.doubt
    return leaves(partial(spoiled, where=doubt), made) if doubt.any() else made


def _whole(index: int | Whole) -> Whole:
    return index if isinstance(index, Whole) else Whole(np.array([index], np.int64), np.zeros(1, np.bool_))


def constant_index(index: Whole) -> int | Whole:
    return int(index.value[0]) if index.value.shape == (1,) and not index.doubt.any() else index
