"""Expressions as nodes: a tuple of the name of an operation and its arguments, which a printer makes text of."""

from __future__ import annotations

Node = tuple["str | int | float | Node", ...]


def node_of(value: Node | str | float) -> Node:
    """An argument that is a node. Raises TypeError."""
    if not isinstance(value, tuple):
        raise TypeError(f"not a node: {value}")
    return value


def int_of(value: Node | str | float) -> int:
    """An argument that is an integer. Raises TypeError."""
    if not isinstance(value, int):
        raise TypeError(f"not an integer: {value}")
    return value
