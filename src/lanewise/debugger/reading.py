"""Names of an expression in a state: registers, names of the source, variables of a compiled one."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.core.text.suggestions import near
from lanewise.debugger.variables import LOST, NOT_HERE, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Set

    from lanewise.core.debugging import Named, Register
    from lanewise.core.trace import Value
    from lanewise.debugger.variables import Variables

FILE = "<expression>"
COMPONENTS, _COLOURS = "xyzw", "rgba"
FUNCTIONS = ("isnan", "isinf", "abs")
_REGISTER = re.compile(r"([A-Za-z]+)(\d{1,9})")


class Place(NamedTuple):
    """A place that an expression reads, and its value."""

    place: str
    value: Value | None


class Result(NamedTuple):
    """The value of an expression: a number or truth, or several of a register; `places` are those that it names if it is
    nothing else."""

    numbers: tuple[float | bool, ...]
    places: tuple[Place, ...] = ()

    @property
    def number(self) -> float | bool:
        return self.numbers[0]

    @property
    def is_true(self) -> bool:
        return len(self.numbers) == 1 and not is_nan(self.number) and bool(self.number)


class Reader:
    """The meaning of names of an expression in a state: `read` gives what a place holds, `names` are those of the source."""

    names: Mapping[str, Named]
    writable: Set[str]
    elsewhere: frozenset[str]

    def __init__(
        self,
        read: Callable[[str], Value | None],
        names: Mapping[str, Named],
        writable: Set[str] = frozenset(),
        variables: Variables | None = None,
    ) -> None:
        """`writable` are places that exist also while they hold nothing; `variables` those of a compiled source, which come
        before registers."""
        self._registers, self.names, self.writable = read, names, writable
        self.variables: Mapping[str, Register] = variables.by_name if variables is not None else {}
        self.elsewhere = variables.elsewhere if variables is not None else frozenset[str]()
        self._variables = variables

    def read(self, place: str) -> Value | None:
        """The value of a place; None for one that holds nothing."""
        found = self._variables.value(place) if self._variables is not None else None
        return found if found is not None else self._registers(place)

    def register(self, name: str, index: int | None) -> tuple[str, str] | None:
        """The register of a name and the letters that the name selects; None for an unknown one."""
        variable = name if index is None else f"{name}[{index}]"
        if variable in self.variables:
            return variable, ""
        if parts_of(self.variables, variable):
            return None
        named = self.names.get(name)
        if named is None:
            found = _REGISTER.fullmatch(name) if index is not None else None
            if index is None:
                return (name, "") if self._known(name) else None
            return self.register(f"{found[1]}{int(found[2]) + index}", None) if found is not None else None
        if index is None:
            return named.register, named.components
        first = _REGISTER.fullmatch(named.register)
        return (f"{first[1]}{int(first[2]) + index}", named.components) if first is not None else None

    def letters(self, register: str) -> str:
        """The components of a register; empty for one value."""
        return "".join([letter for letter in COMPONENTS if self.read(f"{register}.{letter}") is not None])

    def unwritten(self, register: str) -> tuple[str, ...]:
        """The places of a register that exist and hold nothing."""
        return tuple([place for place in _places(register) if place in self.writable and self.read(place) is None])

    def _known(self, register: str) -> bool:
        return any(self.read(place) is not None or place in self.writable for place in _places(register))

    def similar(self, name: str) -> str:
        parts = parts_of(self.variables, name)
        if parts:
            return f"use one of its parts: {', '.join(parts[:4])}"
        plain = name.lstrip("$%")
        close = [plain] if plain != name and self._known(plain) else near(plain, [*self.variables, *self.names, *FUNCTIONS])
        return f"did you mean {' or '.join(close)}?" if close else "use a name of the source, or a register such as r0.x"


def failure(text: str, start: int, end: int, message: str, fix: str, file: str = FILE) -> InputError:
    """The error of a part of an expression."""
    return InputError(
        [
            Diagnostic(
                code="D001",
                severity=ERROR,
                message=message,
                span=Span(file=file, line=1, column=start + 1, length=max(1, end - start), text=text),
                notes=(),
                fix=fix,
            )
        ]
    )


def no_component(text: str, start: int, end: int, part: str, file: str = FILE) -> InputError:
    """The error of a part of an expression that is not a component."""
    return failure(text, start, max(end, start + 1), f"unknown component '{part}'", "use x, y, z or w", file)


class Lost(InputError):
    """A part of an expression names a variable that nothing holds here, or that another part of the program has; `text` stands
    for its value."""

    def __init__(self, error: InputError, text: str) -> None:
        super().__init__(error.diagnostics)
        self.text = text


class NoValue(InputError):
    """A part of an expression names `places` that exist and hold nothing yet."""

    def __init__(self, error: InputError, places: tuple[str, ...]) -> None:
        super().__init__(error.diagnostics)
        self.places = places


class Step(NamedTuple):
    """A member after a name, or the number in brackets, whose `member` is empty; where it is in the expression."""

    member: str
    number: int
    start: int
    end: int


class Mention(Record):
    """A name with its members and indices in an expression, such as `lights[1].colour.x`."""

    text: str
    "The whole expression."
    file: str
    "The name of the expression in diagnostics."
    name: str
    "The name without its members and indices."
    steps: tuple[Step, ...]
    "The members and indices, from left to right."
    start: int
    "The first character of the mention in `text`, from 0."
    end: int
    "The character after the mention in `text`."

    def result(self, reader: Reader) -> Result:
        """Its value in a state. Raises InputError."""
        count, letters = len(self.steps), ""
        found = self._register(reader, count)
        if found is None and count and self.steps[-1].member:
            letters = _letters_of(self.steps[-1].member)
            found = self._register(reader, count - 1)
            if found is not None and not letters:
                raise self._no_component(self.steps[-1])
        if found is None:
            raise self._unknown(reader)
        register, own = found
        return self._value(reader, register, own, letters)

    def _part(self, count: int) -> str:
        """The name with so many of its members and indices, as variables have it."""
        return self.name + "".join([f".{step.member}" if step.member else f"[{step.number}]" for step in self.steps[:count]])

    def _register(self, reader: Reader, count: int) -> tuple[str, str] | None:
        """The register of the name with so many of its members and indices, and the letters that it selects; None for an
        unknown one."""
        if not count:
            return reader.register(self.name, None)
        owner, whole, step = self._part(count - 1), self._part(count), self.steps[count - 1]
        known = whole in reader.variables
        if step.member:
            return reader.register(whole, None) if known or whole in reader.names else None
        return reader.register(owner, step.number) if known or count == 1 or owner in reader.names else None

    def _unknown(self, reader: Reader) -> InputError:
        """Why the name means nothing in a state."""
        variables, whole = reader.variables, self._part(len(self.steps))
        for known in (self.name, whole):
            if known in reader.elsewhere and not parts_of(variables, known):
                return Lost(self._of_name(f"{known} has no value here", "go to where it is assigned"), NOT_HERE)
        member = next((step for step in self.steps if step.member), None)
        if member is not None and reader.register(self.name, None) is not None and not parts_of(variables, self.name):
            return self._no_component(member)
        # The longest part of it that is an array or struct, whose parts are what can be said.
        counts = range(len(self.steps), -1, -1)
        owner = next((part for part in map(self._part, counts) if parts_of(variables, part)), "")
        return self._of_name(f"unknown name '{whole if owner else self.name}'", reader.similar(owner or self.name))

    def _no_component(self, step: Step) -> InputError:
        return no_component(self.text, step.start, step.end, step.member, self.file)

    def _of_name(self, message: str, fix: str) -> InputError:
        """The error of the name without its members and indices."""
        return failure(self.text, self.start, self.start + len(self.name), message, fix, self.file)

    def _failure(self, message: str, fix: str) -> InputError:
        return failure(self.text, self.start, self.end, message, fix, self.file)

    def _value(self, reader: Reader, register: str, own: str, letters: str) -> Result:
        variable = reader.variables.get(register)
        if variable is not None:
            return self._variable(variable, letters)
        have, empty = reader.letters(register), reader.unwritten(register)
        if own:
            letters = "".join([own[COMPONENTS.index(letter)] for letter in letters]) if letters else own
        wanted = tuple([f"{register}.{letter}" for letter in letters]) or (empty if not have else ())
        lacking = tuple([place for place in wanted if place in empty])
        if lacking and reader.read(register) is None:
            what = ", ".join(lacking) if letters else register
            verb = "have" if letters and len(lacking) > 1 else "has"
            raise NoValue(self._failure(f"{what} {verb} no value yet", "go on until an instruction writes it"), wanted)
        there = [letter for letter in COMPONENTS if letter in have or f"{register}.{letter}" in empty]
        if not there:
            value = reader.read(register)
            if letters:
                raise self._failure(f"{register} has no components", "leave out the part after the dot")
            if value is None:
                raise self._failure(f"unknown register '{register}'", reader.similar(register))
            return Result((value.number,), (Place(register, value),))
        places = [Place(f"{register}.{letter}", reader.read(f"{register}.{letter}")) for letter in letters or have]
        for place, value in places:
            if value is None:
                raise self._failure(f"{place} does not exist", f"the components of {register} are {', '.join(there)}")
        return Result(tuple([value.number for _, value in places if value is not None]), tuple(places))

    def _variable(self, variable: Register, letters: str) -> Result:
        name = variable.name
        for letter in letters:
            if letter not in variable.components:
                fix = (
                    f"its components are {', '.join(variable.components)}"
                    if variable.components
                    else "leave out the part after the dot"
                )
                raise self._failure(f"{name}.{letter} does not exist", fix)
        there = dict(zip(variable.components, variable.values, strict=False))
        wanted = letters or variable.components
        places = [Place(f"{name}.{letter}", there[letter]) for letter in wanted] or [Place(name, variable.values[0])]
        lost = [place for place, value in places if value is None]
        if lost:
            what = name if len(lost) == len(places) else ", ".join(lost)
            raise Lost(self._failure(f"{what} is optimised away here", "go to where it has just been computed"), LOST)
        return Result(tuple([self._as(value, variable.format) for _, value in places if value is not None]), tuple(places))

    @staticmethod
    def _as(value: Value, format: str) -> float | bool:
        return bool(value.number) if format == "bool" else value.number


def _places(register: str) -> tuple[str, ...]:
    return (register, *[f"{register}.{letter}" for letter in COMPONENTS])


def _letters_of(text: str) -> str:
    """The components that a part of a name selects; empty for another part."""
    letters = "".join([COMPONENTS[_COLOURS.index(c)] if c in _COLOURS else c for c in text])
    return letters if len(letters) <= 4 and set(letters) <= set(COMPONENTS) else ""


def is_nan(number: float | bool) -> bool:
    return number != number  # noqa: PLR0124 - the definition


def is_infinite(number: float) -> bool:
    return number in (math.inf, -math.inf)
