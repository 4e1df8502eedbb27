"""Meanings of instructions that a device adds, as expressions: `a * b + c`, `select(a < b, a, c)`, `(a >> 8) & 0xFF`.

An expression is read and checked here and becomes operations of the algebra, so that every engine, the prover and translations
have it; nothing in it is run as code. Sources are `a`, `b` and `c`; `2` and `0.5` are numbers, `0xFF` a pattern. A comparison
is 1.0 or 0.0. Other functions are the instructions by their names, `abs`, `floor`, `saturate` and `select`.
"""

from __future__ import annotations

import struct
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from lanewise.core.diagnostics import PortableError
from lanewise.shadercore.isa.table import BY_NAME, SMALLEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.sem.algebra import Algebra

V = TypeVar("V")

SOURCES = "abc"
_LONGEST, _MOST_NODES, _DEEPEST = 400, 200, 40
_SIGN, _MAGNITUDE, _ONES, _ONE = 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF, 0x3F800000
_NEARLY_TWO = 0x3FFFFFFF  # bits 0 to 29: with those of the pattern shifted by 8, all 32
_PLACES = (8, 16, 24)  # of shifts
_OPERATORS = ("<<", ">>", "<=", ">=", "==", "!=", *"+-*/<>&|^~(),")
# From the loosest to the tightest.
_LEVELS = (("|",), ("^",), ("&",), ("<", ">", "<=", ">=", "==", "!="), ("<<", ">>"), ("+", "-"), ("*", "/"))
_CONSTANTS = ("number", "pattern")
_WORDS = ("abs", "floor", "saturate", "select")


NO_DIVISION = 'there is no division: write a * rcp(b), and on the base rtl rcp_sigma = "fixed" under [set]'


class ExpressionError(PortableError, ValueError):
    """An expression that cannot be a meaning, with the column from 1."""

    def __init__(self, column: int, message: str) -> None:
        super().__init__(f"column {column}: {message}")


class Node(NamedTuple):
    """An operation on other nodes.

    `kind` is one of `OPERATIONS`, `source` with its number, or `number` or `pattern` with its 32 bits. `condition`: the value
    is 1.0 or 0.0.
    """

    kind: str
    number: int | None
    of: tuple[Node, ...] = ()
    condition: bool = False


class Expression(NamedTuple):
    """An expression that has been read: its operations, how many sources it has, and which operations it uses."""

    node: Node
    sources: int
    operations: frozenset[str]


class _Token(NamedTuple):
    text: str
    column: int


@lru_cache(maxsize=256)
def expression(text: str) -> Expression:
    """Read an expression. Raises ExpressionError."""
    if len(text) > _LONGEST:
        raise ExpressionError(1, f"the expression has {len(text)} characters, more than {_LONGEST}")
    parser = _Parser(_tokens(text))
    node = parser.whole()
    read = sorted(_walk(node, "source"))
    if not read:
        raise ExpressionError(1, "the expression reads no source: use a, b and c")
    if read != list(range(len(read))):
        missing = next(n for n in range(read[-1]) if n not in read)
        raise ExpressionError(
            1, f"the expression reads {SOURCES[read[-1]]} but not {SOURCES[missing]}: use a first, then b and c"
        )
    return Expression(node, len(read), frozenset(_kinds(node)))


def evaluate(m: Algebra[V], node: Node, sources: Sequence[V]) -> V:
    """The value of an expression."""
    found: dict[int, V] = {}  # by identity: a part that is used twice is one value
    return _evaluate(m, node, sources, found)


def _evaluate(m: Algebra[V], node: Node, sources: Sequence[V], found: dict[int, V]) -> V:
    if node.kind == "source":
        return sources[node.number or 0]
    if id(node) not in found:
        if node.kind in _CONSTANTS:
            found[id(node)] = m.set(m.mask(sources[0], 0), node.number or 0)
        else:
            values = [_evaluate(m, part, sources, found) for part in node.of]
            found[id(node)] = m.apply(node.kind, *values, immediate=node.number)
    return found[id(node)]


def _walk(node: Node, kind: str) -> set[int]:
    found = {node.number or 0} if node.kind == kind else set[int]()
    return found.union(*[_walk(part, kind) for part in node.of])


def _kinds(node: Node) -> set[str]:
    found = {node.kind} - {"source", *_CONSTANTS}
    return found.union(*[_kinds(part) for part in node.of])


# Text


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while at < len(text):
        letter = text[at]
        if letter == " ":
            at += 1
            continue
        end = at + 1
        if letter.isascii() and (letter.isalpha() or letter == "_"):
            while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] == "_"):
                end += 1
        elif letter.isascii() and (letter.isdigit() or letter == "."):
            while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] == "."):
                end += 1
        else:
            operator = next((each for each in _OPERATORS if text.startswith(each, at)), "")
            if not operator:
                raise ExpressionError(at + 1, f"unknown character {letter!r}{_CHARACTERS.get(letter, '')}")
            end = at + len(operator)
        found.append(_Token(text[at:end], at + 1))
        at = end
    return [*found, _Token("", len(text) + 1)]


def _immediate(kind: str, of: Node, bits: int) -> Node:
    return Node(kind, bits, (of,))


def _negated(value: Node) -> Node:
    return _immediate("xor", value, _SIGN)


def _add(a: Node, b: Node) -> Node:
    return Node("add", None, (a, b))


def _select(test: Node, yes: Node, no: Node) -> Node:
    """`yes` where the test is 1.0, else `no`: by masks of 32 bits, which is exact for every pattern."""
    some = Node("mul", None, (test, Node("pattern", _NEARLY_TWO)))
    mask = Node("bit_or", None, (some, Node("shift_left", 8, (some,))))
    return Node(
        "bit_or", None, (Node("bit_and", None, (yes, mask)), Node("bit_and", None, (no, _immediate("xor", mask, _ONES))))
    )


def _compared(operator: str, a: Node, b: Node) -> Node:
    if operator in (">", "<="):
        a, b, operator = b, a, {">": "<", "<=": ">="}[operator]
    if operator in ("<", ">="):
        return Node({"<": "less", ">=": "at_least"}[operator], None, (a, b), True)
    equal = Node("bit_and", None, (Node("at_least", None, (a, b)), Node("at_least", None, (b, a))), True)
    return equal if operator == "==" else Node("xor", _ONE, (equal,), True)


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._nodes = 0

    def whole(self) -> Node:
        found = self._binary(0, 0)
        rest = self._tokens[self._at]
        if rest.text:
            point = rest.text[:1] == "."
            hint = _CHARACTERS["."] if point else _WORDED.get(rest.text.lower(), "")
            raise ExpressionError(rest.column, f"expected an operator or the end, found '{rest.text}'{hint}")
        return found

    def _next(self) -> _Token:
        token = self._tokens[self._at]
        self._at += bool(token.text)
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            raise ExpressionError(token.column, f"the expression has more than {_MOST_NODES} parts")
        return token

    def _expect(self, text: str) -> None:
        token = self._next()
        if token.text != text:
            raise ExpressionError(token.column, f"expected '{text}', found {_found(token)}")

    def _binary(self, level: int, depth: int) -> Node:
        if level == len(_LEVELS):
            return self._unary(depth)
        left = self._binary(level + 1, depth)
        while self._tokens[self._at].text in _LEVELS[level]:
            operator = self._next()
            beside = self._tokens[self._at]
            right = self._binary(level + 1, depth)
            left = self._joined(operator, left, right, beside)
        return left

    def _joined(self, operator: _Token, a: Node, b: Node, beside: _Token) -> Node:
        text = operator.text
        if text in ("<<", ">>"):
            if not beside.text.isdigit() or int(beside.text) not in _PLACES or b.kind != "number":
                raise ExpressionError(beside.column, f"a shift is by 8, 16 or 24 places, not {_found(beside)}")
            return Node("shift_left" if text == "<<" else "shift_right", int(beside.text), (a,))
        if text == "/":
            raise ExpressionError(operator.column, NO_DIVISION)
        if text in ("&", "|", "^"):
            return self._bits(text, a, b, operator)
        for side in (a, b):
            if side.kind == "pattern" and 0 < (side.number or 0) < SMALLEST:
                small = struct.unpack("<f", struct.pack("<I", side.number))[0]
                message = (
                    f"'{text}' takes numbers: 0x{side.number:X} is a pattern, {small:.2g} as a number; write {side.number}"
                )
                raise ExpressionError(operator.column, message)
        if text in ("+", "-"):
            return _add(a, b if text == "+" else _negated(b))
        if text == "*":
            return Node("mul", None, (a, b))
        return _compared(text, a, b)

    def _bits(self, text: str, a: Node, b: Node, operator: _Token) -> Node:
        for side in (a, b):
            if side.kind == "number" and text == "^" and side is b:
                raise ExpressionError(operator.column, "'^' is exclusive or of patterns: write a product for a power, a * a")
            if side.kind == "number":
                raise ExpressionError(
                    operator.column, f"'{text}' takes patterns: write a constant in hexadecimal, such as 0xFF"
                )
        for constant, other in ((b, a), (a, b)):
            if constant.kind == "pattern":
                return _immediate({"&": "mask", "|": "set", "^": "xor"}[text], other, constant.number or 0)
        if text != "^":
            both = a.condition and b.condition
            return Node({"&": "bit_and", "|": "bit_or"}[text], None, (a, b), both)
        common = Node("bit_and", None, (a, b))
        return Node("bit_and", None, (Node("bit_or", None, (a, b)), _immediate("xor", common, _ONES)))

    def _unary(self, depth: int) -> Node:
        token = self._next()
        if depth > _DEEPEST:
            raise ExpressionError(token.column, "the expression is nested too deeply")
        if token.text == "-":
            return _negated(self._unary(depth + 1))
        if token.text == "~":
            return _immediate("xor", self._unary(depth + 1), _ONES)
        if token.text == "(":
            found = self._binary(0, depth + 1)
            self._expect(")")
            return found
        if token.text[:1].isdigit() or token.text[:1] == ".":
            return _number(token)
        if token.text in SOURCES and token.text:
            return Node("source", SOURCES.index(token.text))
        if not token.text or not (token.text[0].isalpha() or token.text[0] == "_"):
            hint = {"*": ": write a * a for a square", "&": ": write (a != 0) & (b != 0)"}.get(token.text, "")
            raise ExpressionError(token.column, f"expected a source, a number or a function, found {_found(token)}{hint}")
        if self._tokens[self._at].text != "(":
            raise ExpressionError(token.column, f"unknown source '{token.text}': {_SOURCES.get(token.text.lower(), _THREE)}")
        return self._call(token, depth)

    def _call(self, name: _Token, depth: int) -> Node:
        self._expect("(")
        arguments = [self._binary(0, depth + 1)]
        while self._tokens[self._at].text == ",":
            self._next()
            arguments.append(self._binary(0, depth + 1))
        self._expect(")")
        op = BY_NAME.get(name.text)
        if name.text not in _WORDS and (op is None or not op.operation):
            raise _unknown(name)
        wanted = {"select": 3}.get(name.text, 1) if op is None else op.sources
        if len(arguments) != wanted:
            hint = f": write {name.text}({name.text}(a, b), c)" if (wanted, len(arguments)) == (2, 3) else ""
            raise ExpressionError(
                name.column, f"{name.text} takes {wanted} value{'s' * (wanted > 1)}, found {len(arguments)}{hint}"
            )
        first = arguments[0]
        if op is not None:
            return Node(op.operation, op.immediate or None, tuple(arguments), op.operation in ("less", "at_least"))
        if name.text == "abs":
            return _immediate("mask", first, _MAGNITUDE)
        if name.text == "floor":
            return _add(first, _negated(Node("fraction", None, (first,))))
        if name.text == "saturate":
            return Node("saturate", None, (first,))
        if not first.condition:
            raise ExpressionError(name.column, "the first value of select is a comparison, such as a < b")
        return _select(*arguments)


def _plain(text: str) -> str:
    """A number without the suffix of other languages; examples for what is none."""
    short = text.rstrip("fFhHuUlL")
    return short if short != text and short.replace(".", "", 1).isdigit() else "0.5, 2 or 0x3F800000"


_CHARACTERS = {
    **dict.fromkeys("?:", ": write select(a < b, c, a)"),
    "=": ": write the result only, such as a + b",
    ";": ": a meaning is one expression, without `;`",
    "%": ": write a - b * floor(a * rcp(b))",
    "!": ": write a == 0",
    ".": ": a source is one number, without components, and gets them one after the other: write a for a.x",
    **dict.fromkeys("[]", ": a lane has its own a, b and c only: no index reaches other lanes, memory or a table"),
    **dict.fromkeys("{}", ": write parentheses"),
    **dict.fromkeys("\"'", ": a meaning is an expression, without quotes inside"),
    **dict.fromkeys("\t\n\r", ": write the expression in one line, with blanks"),
    "×": ": write a * b",
    "·": ": write a * b",
    "−": ": write - of the keyboard",
    "²": ": write a * a",
    "÷": f": {NO_DIVISION}",
    "√": ": write rcp(rsq(a))",
    "≤": ": write <=",
    "≥": ": write >=",
}
_THREE = "sources are a, b and c"
_LANES = ("lane", "laneid", "lane_id", "tid", "wave", "quad", "id", "vertex", "index")
_SOURCES = {
    **dict.fromkeys(_LANES, "a lane does not know its number: give it as the source b"),
    **dict.fromkeys(("src0", "s0", "x", "rs1", "op1", "src", "in", "r0", "v0"), "write a, the first source"),
    **dict.fromkeys(("src1", "s1", "y", "rs2", "op2", "r1", "v1"), "write b, the second source"),
    **dict.fromkeys(("src2", "s2", "z", "rs3", "op3", "r2", "v2"), "write c, the third source"),
    **dict.fromkeys(("dst", "dest", "rd", "result", "acc"), "the result is not a source: give its register as c too"),
    **dict.fromkeys(("true", "one"), "write 1"),
    **dict.fromkeys(("false", "zero"), "write 0"),
    "pi": "write 3.1415927",
}
_WORDED = {
    **{word: f": write {mark}" for word, mark in (("and", "&"), ("or", "|"), ("xor", "^"), ("eq", "=="), ("ne", "!="))},
    **{word: f": write {mark}" for word, mark in (("lt", "<"), ("gt", ">"), ("le", "<="), ("ge", ">="), ("shl", "<< 8"))},
    "mod": _CHARACTERS["%"],
    "if": ": write select(a < b, c, a)",
}
# Functions of other languages.
_ELSEWHERE = {
    "sqrt": "rcp(rsq(a))",
    "pow": "exp(log(a) * b)",
    "div": "a * rcp(b)",
    "sub": "a - b",
    "clamp": "min(max(a, b), c)",
    "lerp": "a + (b - a) * c",
    "mix": "a + (b - a) * c",
    "ceil": "-floor(-a)",
    "sign": "sgn(a)",
    "mad": "a * b + c",
    "fma": "a * b + c, which rounds twice (only a function of an installed device rounds once)",
    **dict.fromkeys(("frac", "fract"), "frc(a)"),
    **dict.fromkeys(("sat", "clamp01"), "saturate(a)"),
    **dict.fromkeys(("exp2", "pow2"), "exp(a)"),
    "log2": "log(a)",
    **dict.fromkeys(("rsqrt", "inversesqrt"), "rsq(a)"),
    **dict.fromkeys(("recip", "reciprocal", "inv"), "rcp(a)"),
}


_VECTORS = ("dot", "dp2", "dp3", "dp4", "cross", "length", "normalize", "distance", "reflect")


def _found(token: _Token) -> str:
    return f"'{token.text}'" if token.text else "the end"


def _unknown(name: _Token) -> ExpressionError:
    names = [*_WORDS, *[each for each, op in BY_NAME.items() if op.operation and each == op.name]]
    near = get_close_matches(name.text.lower(), names, 1, 0.7)
    instead = _ELSEWHERE.get(name.text.lower())
    if name.text.lower() in _VECTORS:
        instead = "a * b, and add the products with add: a source is one component, not a vector"
    hint = f"write {instead}" if instead else f"did you mean {near[0]}?" if near else f"use {', '.join(names)}"
    return ExpressionError(
        name.column, f"unknown function '{name.text}': {hint}; a meaning is computed in each lane from its own values"
    )


def _number(token: _Token) -> Node:
    text = token.text.lower()
    try:
        if text.startswith("0x"):
            bits = int(text, 16)
            if bits >> 32:
                raise ExpressionError(token.column, f"{token.text} has more than 32 bits")
            return Node("pattern", bits)
        return Node("number", struct.unpack("<I", struct.pack("<f", float(text)))[0])
    except (ValueError, OverflowError) as error:
        if isinstance(error, ExpressionError):
            raise
        raise ExpressionError(token.column, f"'{token.text}' is not a number: write {_plain(token.text)}") from None
