"""Expressions of a debugger: names, components, numbers, arithmetic, comparisons, and/or/not. They are read, never evaluated as
Python.

    position.y > 0.5 and not isnan(r0.w)
    bones[a0.x].x * 2 - 1

Numbers compare as those of the instruction set do: NaN is neither equal to anything, nor less or more.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from lanewise.debugger.reading import (
    FILE,
    FUNCTIONS,
    Lost,
    Mention,
    NoValue,
    Result,
    Step,
    failure,
    is_infinite,
    is_nan,
    no_component,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.diagnostics import InputError
    from lanewise.debugger.reading import Reader

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_$][\w$]*)|(?P<sign><=|>=|==|"
    r"!=|&&|\|\||[-+*/<>()\[\].,!]))"
)
_COMPARISONS = ("<=", ">=", "==", "!=", "<", ">")
_DEEPEST = 64
_LONGEST = 64  # characters of a number


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
        """Whether a condition is true: a number that is not 0; False where it names a place that holds nothing yet, or a
        variable that is optimised away. Raises InputError for one of several components."""
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


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


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
        test: Callable[[float], bool] = is_nan if token.text == "isnan" else is_infinite
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
                raise no_component(self.text, part.start, part.end, part.text, self._file)
            steps.append((part, None))
            self._next += 1
            end = part.end

        def step(reader: Reader, part: _Token, index: Callable[[Reader], Result] | None) -> Step:
            if index is None:
                return Step(part.text, 0, part.start, part.end)
            return Step("", self._index(index(reader), token.start, end), part.start, part.end)

        def read(reader: Reader) -> Result:
            whole = tuple([step(reader, part, index) for part, index in steps])
            return Mention(text=self.text, file=self._file, name=token.text, steps=whole, start=token.start, end=end).result(
                reader
            )

        return read

    def _index(self, result: Result, start: int, end: int) -> int:
        number = result.numbers[0]
        if len(result.numbers) != 1 or is_nan(number) or is_infinite(number) or number != int(number):
            raise self._failure(start, end, "the index is not a whole number", "use a number, or a0.x")
        return int(number)

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


def _divided(a: float, b: float) -> float:
    if b:
        return a / b
    return math.nan if not a or is_nan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


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
