"""Containers of variables, and the places of what is in them."""

from __future__ import annotations

from typing import NamedTuple

from lanewise.core.debugging import Group, Register


class Held(NamedTuple):
    """Registers of a thread that a reference stands for: a group, or one register with its components."""

    thread: int
    group: Group
    register: Register | None = None


def variable_name(register: Register) -> str:
    """`position (o0)`: what the source calls a register, and its own name."""
    return f"{register.label} ({register.name})" if register.label and register.label != register.name else register.name


def member(held: object, name: str) -> tuple[str, ...] | None:
    """The places of a variable of a container; None for one that there is not."""
    if not isinstance(held, Held):
        return None
    if held.register is not None:
        return (f"{held.register.name}.{name}",) if name and name in held.register.components else None
    for register in held.group.registers:
        if name in (variable_name(register), register.name):
            return register.places
    return None


def expression_of(places: tuple[str, ...]) -> str:
    """An expression for the places of one register: `r0.xy`."""
    register, dot, _ = places[0].rpartition(".")
    return f"{register}.{''.join([place.rpartition('.')[2] for place in places])}" if dot else places[0]
