"""The values of the inputs and uniforms of a run as the tables of a data file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lanewise.core.debugging import INPUTS, UNIFORMS
from lanewise.core.plain import plain_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.debugging import Machine, Register
    from lanewise.debugger.session import Session

_COMPONENTS = "xyzw"
_TABLES = {"int": "integers", "bool": "booleans"}  # by the format of a uniform; all others are `uniforms`

Tables = dict[str, dict[str, object]]


def given_values(session: Session) -> Tables:
    """The inputs of the selected thread and the uniforms, by name, as `core.data` has them; what the program itself defines is
    left out."""
    found: Tables = {INPUTS: {}, UNIFORMS: {}}
    rows: dict[tuple[str, str], list[object]] = {}
    for kind, register in _given(session.recording(session.selected).at(0)):
        table = INPUTS if kind == "input" else _TABLES.get(register.format, UNIFORMS)
        rows.setdefault((table, _name(register)), []).append(_row(register))
    for (table, name), values in rows.items():
        found.setdefault(table, {})[name] = values if len(values) > 1 else values[0]
    return found


def zeros(session: Session) -> list[str]:
    """The names of the inputs and uniforms that are 0 in all components."""
    found: dict[str, bool] = {}
    for _, register in _given(session.recording(session.selected).at(0)):
        name = _name(register)
        found[name] = found.get(name, True) and all(value is None or value.number == 0 for value in register.values)
    return [name for name, is_zero in found.items() if is_zero]


def _given(machine: Machine) -> Iterator[tuple[str, Register]]:
    """The registers that a run is given, each with its kind."""
    for group in machine.groups():
        for register in group.registers:
            kinds = {given.kind for place in register.places if (given := machine.given.get(place)) is not None}
            for kind in kinds & {"input", "uniform"}:
                yield kind, register


def _name(register: Register) -> str:
    """`bones` of `bones[3]`."""
    label = register.label or register.name
    name, bracket, index = label.rpartition("[")
    return name if bracket and index.rstrip("]").isdecimal() else label


def _row(register: Register) -> object:
    """The components from x to the last that has a value; of a register without components its value."""
    numbers = {
        letter: _plain(value.number)
        for letter, value in zip(register.components or "x", register.values, strict=True)
        if value is not None
    }
    if register.format == "bool":
        return bool(numbers.get("x"))
    if not register.components:
        return numbers.get("x", 0)
    last = max([_COMPONENTS.index(letter) for letter in numbers], default=-1)
    return [numbers.get(letter, 0) for letter in _COMPONENTS[: last + 1]]


def _plain(number: float) -> float | str:
    """1 for 1.0."""
    whole = math.isfinite(number) and number == int(number) and (number != 0 or math.copysign(1, number) > 0)
    return int(number) if whole else plain_number(number)


__all__ = ["given_values", "zeros"]
