"""Expressions of a debugger: names, components, numbers, arithmetic, comparisons, and/or/not. They are read, never evaluated as Python.

    position.y > 0.5 and not isnan(r0.w)
    bones[a0.x].x * 2 - 1

Numbers compare as those of the instruction set do: NaN is neither equal to anything, nor less or more.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.source import Span
from lanewise.core.text.suggestions import near
from lanewise.debugger.variables import LOST, NOT_HERE, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Set

    from lanewise.core.debugging import Named, Register
    from lanewise.core.trace import Value
    from lanewise.debugger.variables import Variables

FILE = "<expression>"
COMPONENTS, _COLOURS = "xyzw", "rgba"
FUNCTIONS = ("isnan", "isinf", "abs")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_$][\w$]*)|(?P<sign><=|>=|==|!=|&&|\|\||[-+*/<>()\[\].,!]))"
)
_COMPARISONS = ("<=", ">=", "==", "!=", "<", ">")
_REGISTER = re.compile(r"([A-Za-z]+)(\d+)")
_DEEPEST = 64
_LONGEST = 64  # characters of a number


class Place(NamedTuple):
    """A place that an expression reads, and its value."""

    place: str
    value: Value | None


class Result(NamedTuple):
    """The value of an expression: a number or truth, or several of a register; `places` are those that it names if it is nothing else."""

    numbers: tuple[float | bool, ...]
    places: tuple[Place, ...] = ()

    @property
    def number(self) -> float | bool:
        return self.numbers[0]

    @property
    def is_true(self) -> bool:
        return len(self.numbers) == 1 and not _is_nan(self.number) and bool(self.number)


class Reader:
    """What the names of an expression mean in a state: `read` gives what a place holds, `names` are those of the source."""

    def __init__(
        self,
        read: Callable[[str], Value | None],
        names: Mapping[str, Named],
        writable: Set[str] = frozenset(),
        variables: Variables | None = None,
    ) -> None:
        """`writable` are places that exist also while they hold nothing; `variables` those of a compiled source, which come before registers."""
        self._registers, self.names, self.writable = read, names, writable
        self.variables: Mapping[str, Register] = variables.by_name if variables is not None else {}
        self.elsewhere = variables.elsewhere if variables is not None else frozenset[str]()
        self._variables = variables

    def read(self, place: str) -> Value | None:
        """What a place holds; None for one that holds nothing."""
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
        close = near(name, [*self.variables, *self.names, *FUNCTIONS])
        return f"did you mean {' or '.join(close)}?" if close else "use a name of the source, or a register such as r0.x"


class Expression:
    """An expression that was read, for any state. `text` is as it was written."""

    def __init__(self, text: str, file: str = FILE) -> None:
        """Raises InputError with the place of what is wrong."""
        self.text = text
        self._node = _Parser(text, file).whole()

    def __repr__(self) -> str:
        return f"<Expression {self.text}>"

    def evaluate(self, reader: Reader) -> Result:
        """The value in a state. Raises InputError for names that there are not."""
        return self._node(reader)

    def holds(self, reader: Reader) -> bool:
        """Whether a condition is true: a number that is not 0; False where it names a place that holds nothing yet, or a variable that is optimised away. Raises InputError for one of several components."""
        try:
            result = self.evaluate(reader)
        except (Lost, NoValue):
            return False
        if len(result.numbers) > 1:
            raise failure(
                self.text,
                0,
                len(self.text),
                "a condition has one value, and this has several",
                "select a component, such as .x",
            )
        return result.is_true


def failure(text: str, start: int, end: int, message: str, fix: str, file: str = FILE) -> InputError:
    """The error of a part of an expression."""
    return InputError([Diagnostic("D001", ERROR, message, Span(file, 1, start + 1, max(1, end - start), text), (), fix)])


class Lost(InputError):
    """A part of an expression names a variable that nothing holds here, or that another part of the program has; `text` stands for its value."""

    def __init__(self, error: InputError, text: str) -> None:
        super().__init__(error.diagnostics)
        self.text = text


class NoValue(InputError):
    """A part of an expression names `places` that exist and hold nothing yet."""

    def __init__(self, error: InputError, places: tuple[str, ...]) -> None:
        super().__init__(error.diagnostics)
        self.places = places


def _places(register: str) -> tuple[str, ...]:
    return (register, *[f"{register}.{letter}" for letter in COMPONENTS])


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


if TYPE_CHECKING:
    _Steps = Sequence[tuple[_Token, int | None]]


def _joined(name: str, steps: _Steps) -> str:
    """A name with its members and indices, as variables have it: `lights[1].colour`."""
    return name + "".join([f".{part.text}" if index is None else f"[{index}]" for part, index in steps])


def _letters_of(text: str) -> str:
    """The components that a part of a name selects; empty for another part."""
    letters = "".join([COMPONENTS[_COLOURS.index(c)] if c in _COLOURS else c for c in text])
    return letters if len(letters) <= 4 and set(letters) <= set(COMPONENTS) else ""


class _Parser:
    def __init__(self, text: str, file: str) -> None:
        self.text, self._file = text, file
        self._tokens = self._read()
        self._next = 0
        self._deep = 0

    def _read(self) -> list[_Token]:
        found: list[_Token] = []
        at, end = 0, len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if match is None:
                start = at + len(self.text[at:]) - len(self.text[at:].lstrip())
                fix = (
                    "use == to compare" if self.text[start] == "=" else "use names, numbers, + - * /, comparisons, and, or, not"
                )
                raise self._failure(start, start + 1, f"unexpected '{self.text[start]}'", fix)
            kind = str(match.lastgroup)
            found.append(_Token(kind, match[kind], match.start(kind), match.end()))
            at = match.end()
        return [*found, _Token("end", "", end, end)]

    def _failure(self, start: int, end: int, message: str, fix: str) -> InputError:
        return failure(self.text, start, end, message, fix, self._file)

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    def _take(self, *texts: str) -> _Token | None:
        token = self._token
        if token.kind in ("sign", "name") and token.text in texts:
            self._next += 1
            return token
        return None

    def _expect(self, text: str) -> _Token:
        token = self._take(text)
        if token is None:
            raise self._unexpected(f"expected '{text}'")
        return token

    def _unexpected(self, fix: str) -> InputError:
        token = self._token
        what = f"unexpected '{token.text}'" if token.text else "the expression ends too early"
        return self._failure(token.start, max(token.end, token.start + 1), what, fix)

    def whole(self) -> Callable[[Reader], Result]:
        node = self._or()
        if self._token.kind != "end":
            raise self._unexpected("join values with an operator, such as and")
        return node

    def _or(self) -> Callable[[Reader], Result]:
        node = self._and()
        while self._take("or", "||"):
            node = _either(node, self._and())
        return node

    def _and(self) -> Callable[[Reader], Result]:
        node = self._not()
        while self._take("and", "&&"):
            node = _both(node, self._not())
        return node

    def _not(self) -> Callable[[Reader], Result]:
        if self._take("not", "!"):
            self._enter()
            inner = self._not()
            self._deep -= 1
            return lambda reader: Result((not inner(reader).is_true,))
        return self._comparison()

    def _enter(self) -> None:
        self._deep += 1
        if self._deep > _DEEPEST:
            raise self._unexpected("use fewer parentheses")

    def _comparison(self) -> Callable[[Reader], Result]:
        node = self._sum()
        sign = self._take(*_COMPARISONS)
        if sign is None:
            return node
        node = self._compared(sign, node, self._sum())
        if self._token.text in _COMPARISONS:
            raise self._unexpected("join comparisons with and")
        return node

    def _sum(self) -> Callable[[Reader], Result]:
        node = self._product()
        while sign := self._take("+", "-"):
            node = self._computed(sign, node, self._product())
        return node

    def _product(self) -> Callable[[Reader], Result]:
        node = self._unary()
        while sign := self._take("*", "/"):
            node = self._computed(sign, node, self._unary())
        return node

    def _unary(self) -> Callable[[Reader], Result]:
        sign = self._take("-", "+")
        if sign is None:
            return self._primary()
        self._enter()
        inner = self._unary()
        self._deep -= 1
        if sign.text == "+":
            return inner
        return lambda reader: Result(tuple([-number for number in inner(reader).numbers]))

    def _primary(self) -> Callable[[Reader], Result]:
        token = self._token
        if token.kind == "number":
            self._next += 1
            if len(token.text) > _LONGEST:
                raise self._failure(token.start, token.end, "the number is too long", f"use {_LONGEST} characters at most")
            number = float(int(token.text, 16)) if token.text[:2].lower() == "0x" else float(token.text)
            return lambda reader: Result((number,))
        if self._take("("):
            self._enter()
            inner = self._or()
            self._deep -= 1
            self._expect(")")
            return lambda reader: Result(inner(reader).numbers)
        if token.kind != "name" or token.text in ("and", "or", "not"):
            raise self._unexpected("expected a name, a number or a parenthesis")
        self._next += 1
        if token.text in ("true", "false"):
            truth = token.text == "true"
            return lambda reader: Result((truth,))
        if token.text in ("nan", "NaN", "inf", "infinity"):
            special = math.nan if token.text.lower() == "nan" else math.inf
            return lambda reader: Result((special,))
        if token.text in FUNCTIONS and self._take("("):
            return self._function(token)
        return self._name(token)

    def _function(self, token: _Token) -> Callable[[Reader], Result]:
        self._enter()
        inner = self._sum()
        self._deep -= 1
        self._expect(")")
        if token.text == "abs":
            return lambda reader: Result(tuple([abs(number) for number in inner(reader).numbers]))
        test: Callable[[float], bool] = _is_nan if token.text == "isnan" else _is_infinite
        return lambda reader: Result((any(test(number) for number in inner(reader).numbers),))

    def _name(self, token: _Token) -> Callable[[Reader], Result]:
        steps: list[tuple[_Token, Callable[[Reader], Result] | None]] = []  # members, and indices
        end = token.end
        while sign := self._take("[", "."):
            if sign.text == "[":
                self._enter()
                steps.append((sign, self._sum()))
                self._deep -= 1
                end = self._expect("]").end
                continue
            part = self._token
            if part.kind != "name":
                raise self._no_component(part)
            steps.append((part, None))
            self._next += 1
            end = part.end

        def read(reader: Reader) -> Result:
            whole = [
                (part, self._index(index(reader), token.start, end) if index is not None else None) for part, index in steps
            ]
            found, letters = self._found(reader, token.text, whole), ""
            if found is None and whole and whole[-1][1] is None:
                letters = _letters_of(whole[-1][0].text)
                found = self._found(reader, token.text, whole[:-1])
                if found is not None and not letters:
                    raise self._no_component(whole[-1][0])
            if found is None:
                name = _joined(token.text, whole)
                for known in (token.text, name):
                    if known in reader.elsewhere and not parts_of(reader.variables, known):
                        error = self._failure(
                            token.start, token.end, f"{known} has no value here", "go to where it is assigned"
                        )
                        raise Lost(error, NOT_HERE)
                inner = next((part for part, index in whole if index is None), None)
                if (
                    inner is not None
                    and reader.register(token.text, None) is not None
                    and not parts_of(reader.variables, token.text)
                ):
                    raise self._no_component(inner)
                # The longest part of it that is an array or struct, whose parts are what can be said.
                owner = next(
                    (n for n in range(len(whole), -1, -1) if parts_of(reader.variables, _joined(token.text, whole[:n]))), -1
                )
                unknown = name if owner >= 0 else token.text
                fix = reader.similar(_joined(token.text, whole[: max(owner, 0)]))
                raise self._failure(token.start, token.end, f"unknown name '{unknown}'", fix)
            register, own = found
            return self._value(reader, register, own, letters, (token.start, end))

        return read

    def _no_component(self, part: _Token) -> InputError:
        return self._failure(part.start, max(part.end, part.start + 1), f"unknown component '{part.text}'", "use x, y, z or w")

    @staticmethod
    def _found(reader: Reader, name: str, steps: _Steps) -> tuple[str, str] | None:
        """The register of a name with its members and indices, and the letters that the name selects; None for an unknown one."""
        if not steps:
            return reader.register(name, None)
        *before, (_, index) = steps
        owner = _joined(name, before)
        if index is not None:
            return (
                reader.register(owner, index)
                if len(steps) == 1 or f"{owner}[{index}]" in reader.variables or owner in reader.names
                else None
            )
        whole = _joined(name, steps)
        return reader.register(whole, None) if whole in reader.variables or whole in reader.names else None

    def _index(self, result: Result, start: int, end: int) -> int:
        number = result.numbers[0]
        if len(result.numbers) != 1 or _is_nan(number) or _is_infinite(number) or number != int(number):
            raise self._failure(start, end, "the index is not a whole number", "use a number, or a0.x")
        return int(number)

    def _value(self, reader: Reader, register: str, own: str, letters: str, at: tuple[int, int]) -> Result:
        variable = reader.variables.get(register)
        if variable is not None:
            return self._variable(variable, letters, at)
        have, empty = reader.letters(register), reader.unwritten(register)
        if own:
            letters = "".join([own[COMPONENTS.index(letter)] for letter in letters]) if letters else own
        wanted = tuple([f"{register}.{letter}" for letter in letters]) or (empty if not have else ())
        lacking = tuple([place for place in wanted if place in empty])
        if lacking and reader.read(register) is None:
            what = ", ".join(lacking) if letters else register
            verb = "have" if letters and len(lacking) > 1 else "has"
            raise NoValue(self._failure(*at, f"{what} {verb} no value yet", "go on until an instruction writes it"), wanted)
        there = [letter for letter in COMPONENTS if letter in have or f"{register}.{letter}" in empty]
        if not there:
            value = reader.read(register)
            if letters:
                raise self._failure(*at, f"{register} has no components", "leave out the part after the dot")
            if value is None:
                raise self._failure(*at, f"unknown register '{register}'", reader.similar(register))
            return Result((value.number,), (Place(register, value),))
        places = [Place(f"{register}.{letter}", reader.read(f"{register}.{letter}")) for letter in letters or have]
        for place, value in places:
            if value is None:
                raise self._failure(*at, f"{place} does not exist", f"the components of {register} are {', '.join(there)}")
        return Result(tuple([value.number for _, value in places if value is not None]), tuple(places))

    def _variable(self, variable: Register, letters: str, at: tuple[int, int]) -> Result:
        name = variable.name
        for letter in letters:
            if letter not in variable.components:
                fix = (
                    f"its components are {', '.join(variable.components)}"
                    if variable.components
                    else "leave out the part after the dot"
                )
                raise self._failure(*at, f"{name}.{letter} does not exist", fix)
        there = dict(zip(variable.components, variable.values, strict=False))
        wanted = letters or variable.components
        places = [Place(f"{name}.{letter}", there[letter]) for letter in wanted] or [Place(name, variable.values[0])]
        lost = [place for place, value in places if value is None]
        if lost:
            what = name if len(lost) == len(places) else ", ".join(lost)
            raise Lost(self._failure(*at, f"{what} is optimised away here", "go to where it has just been computed"), LOST)
        return Result(tuple([self._as(value, variable.format) for _, value in places if value is not None]), tuple(places))

    @staticmethod
    def _as(value: Value, format: str) -> float | bool:
        return bool(value.number) if format == "bool" else value.number

    def _pairs(self, sign: _Token, left: Result, right: Result) -> Sequence[tuple[float, float]]:
        """The components of two values; one number goes with each of several."""
        count = max(len(left.numbers), len(right.numbers))
        a, b = [found.numbers * (count if len(found.numbers) == 1 else 1) for found in (left, right)]
        if len(a) != len(b):
            message = f"{len(a)} and {len(b)} components"
            raise self._failure(sign.start, sign.end, message, "select as many on both sides")
        return [*zip(a, b, strict=True)]

    def _computed(
        self, sign: _Token, left: Callable[[Reader], Result], right: Callable[[Reader], Result]
    ) -> Callable[[Reader], Result]:
        compute = _ARITHMETIC[sign.text]
        return lambda reader: Result(tuple([compute(a, b) for a, b in self._pairs(sign, left(reader), right(reader))]))

    def _compared(
        self, sign: _Token, left: Callable[[Reader], Result], right: Callable[[Reader], Result]
    ) -> Callable[[Reader], Result]:
        def compare(reader: Reader) -> Result:
            a, b = left(reader), right(reader)
            if len(a.numbers) > 1 or len(b.numbers) > 1:
                raise self._failure(sign.start, sign.end, "a comparison takes single values", "select a component, such as .x")
            return Result((_COMPARE[sign.text](a.number, b.number),))

        return compare


def _either(left: Callable[[Reader], Result], right: Callable[[Reader], Result]) -> Callable[[Reader], Result]:
    return lambda reader: Result((left(reader).is_true or right(reader).is_true,))


def _both(left: Callable[[Reader], Result], right: Callable[[Reader], Result]) -> Callable[[Reader], Result]:
    return lambda reader: Result((left(reader).is_true and right(reader).is_true,))


def _is_nan(number: float) -> bool:
    return number != number  # noqa: PLR0124 - the definition


def _is_infinite(number: float) -> bool:
    return number in (math.inf, -math.inf)


def _divided(a: float, b: float) -> float:
    if b:
        return a / b
    return math.nan if not a or _is_nan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


_ARITHMETIC: Mapping[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
}
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
