"""Variables of a compiled source: the values that they have where a thread is, from the places where the compiler says they
are."""

from __future__ import annotations

import math
import re
import struct
from typing import TYPE_CHECKING

from lanewise.core.debugging import VARIABLES, Group, Register
from lanewise.core.numbers.floats import float24_from_float
from lanewise.core.trace import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.core.debugging import Inlined, Variable

LOST, NOT_HERE = "optimised away", "no value here"
_INDEXED = re.compile(r"([a-z]+)(\d{1,9})\[(\w+)\](\.\w)")
_LETTERS = "xyzw"
_SIGNS = {"float24": 1 << 23, "float32": 1 << 31}


class Variables:
    """The variables where a thread is. `read` gives what a place holds, `format` is that of registers, `elsewhere` are the
    names of all variables of the program."""

    elsewhere: frozenset[str]

    def __init__(
        self,
        active: Sequence[Inlined],
        read: Callable[[str], Value | None],
        format: str,
        elsewhere: frozenset[str] = frozenset(),
    ) -> None:
        self._read, self._format, self.elsewhere = read, format, elsewhere
        self.groups: list[Group] = []
        self.by_name: dict[str, Register] = {}  # those of the innermost function
        self._places: dict[str, Sequence[str | float | None]] = {}
        for number, each in enumerate(active):
            registers = tuple([self._register(variable) for variable in each.variables])
            if registers:
                self.groups.append(Group(VARIABLES if number == 0 else f"{VARIABLES} of {each.function}", registers))
            if number == 0:
                self.by_name = {register.name: register for register in registers}
                self._places = {
                    register.name: variable.components for register, variable in zip(registers, each.variables, strict=True)
                }

    def value(self, place: str) -> Value | None:
        """The value of a component of a variable (`n.x`, `d`); None for one that is not there."""
        for name, letter in ((place, ""), (place[:-2], place[-1:]) if place[-2:-1] == "." else ("", "")):
            register = self.by_name.get(name)
            if register is not None and (letter in register.components if letter else not register.components):
                return register.values[register.components.index(letter) if letter else 0]
        return None

    def place_of(self, place: str) -> str | None:
        """The register that holds a component of a variable; None where it is a known number, or nothing holds it."""
        name, dot, letter = place.rpartition(".") if place[-2:-1] == "." else (place, "", "")
        found = self._places.get(name, ())
        component = found[_LETTERS.index(letter) if dot else 0] if found else None
        return self._place(component.removeprefix("-")) if isinstance(component, str) else None

    def _register(self, variable: Variable) -> Register:
        letters = _LETTERS[: len(variable.components)] if len(variable.components) > 1 else ""
        kind = {"uint": "int", "float": self._format}.get(variable.kind, variable.kind)
        values = tuple([self._value(component, kind) for component in variable.components])
        # A variable that has the name of a register.
        name = (
            f"${variable.name}"
            if any(self._read(f"{variable.name}{part}") is not None for part in ("", ".x"))
            else variable.name
        )
        return Register(name=name, label=name, components=letters, values=values, format=kind, missing=LOST)

    def _value(self, component: str | float | None, kind: str) -> Value | None:
        if component is None:
            return None
        if not isinstance(component, str):
            return number_as(component, kind)
        negated = component.startswith("-")
        found = self._read(self._place(component.removeprefix("-")))
        if found is None:
            return None
        if kind in _SIGNS:
            return Value(found.bits ^ _SIGNS[kind], -found.number) if negated else found
        return number_as(-found.number if negated else found.number, kind)

    def _place(self, place: str) -> str:
        """The place of a register that an index register chooses: `c5[aL].x`."""
        match = _INDEXED.fullmatch(place)
        if match is None:
            return place
        index = self._read(match[3])
        return f"{match[1]}{int(match[2]) + int(index.number if index is not None else 0)}{match[4]}"


def number_as(number: float, kind: str) -> Value:
    """A number with its pattern in a format: float24, float32, or a whole number."""
    if kind == "float24":
        return Value(float24_from_float(number), number)
    if kind == "float32" or not math.isfinite(number) or number != int(number):
        return Value(struct.unpack("<I", struct.pack("<f", number))[0], number)
    return Value(int(number) & 0xFFFFFFFF, int(number))


def names_of(words: Iterable[Sequence[Inlined]]) -> frozenset[str]:
    """The names of all variables, and of the arrays, matrices and structs that they are parts of."""
    every = {variable.name for active in words for each in active for variable in each.variables}
    found: set[str] = set()
    for name in every:
        found |= {name[:n] for n, c in enumerate(name) if c in "[."}
    return frozenset(every | found)


def texts(register: Register, shown: Callable[[Value | None], str]) -> str:
    """The values of a register as text: `1, 0.5, 0, 1`."""
    if all(value is None for value in register.values):
        return register.missing
    return ", ".join([shown(value) if value is not None else register.missing for value in register.values])


def parts_of(names: Mapping[str, Register], name: str) -> list[str]:
    """The vectors that an array, a matrix or a struct of the source consists of."""
    return [each for each in names if each.startswith((f"{name}[", f"{name}."))]
