"""Expressions as text of a language: calls of functions, operators, choices; an instruction set adds its registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.translating.languages import U32
from lanewise.translating.nodes import int_of, node_of
from lanewise.translating.operators import bare

if TYPE_CHECKING:
    from typing import Protocol

    from lanewise.translating.languages import Language
    from lanewise.translating.nodes import Node

    class Functions(Protocol):
        """The functions of numbers that an instruction set gives, as text."""

        def call(self, name: str, *texts: str) -> str:
            """A function with its arguments."""
            ...

        def comparison(self, name: str, a: str, b: str) -> str:
            """A function or an operator that gives a truth."""
            ...


BITS = {"bit_and": "&", "bit_or": "|", "bit_xor": "^", "shift_left": "<<", "shift_right": ">>"}


class Printer:
    """Nodes as text: numbers (`scalar`), truths, integers. What is not known here is a function of numbers.

    Numbers that are patterns may be a `word` of 32 bits, and have the operators of `BITS`.
    """

    def __init__(self, functions: Functions, language: Language) -> None:
        self._functions = functions
        self._syntax = language

    def scalar(self, node: Node) -> str:
        op, *arguments = node
        if op == "select":
            condition, yes, no = map(node_of, arguments)
            return f"({self._syntax.choice(self.truth(condition), self.scalar(yes), self.scalar(no))})"
        if op == "word":
            return self._syntax.literal(int_of(arguments[0]), U32)
        if op in BITS:
            a, b = map(node_of, arguments)
            return f"({self.scalar(a)} {BITS[str(op)]} {self.scalar(b)})"
        return self._functions.call(str(op), *[self.scalar(node_of(each)) for each in arguments])

    def truth(self, node: Node) -> str:
        op, *arguments = node
        match op:
            case "boolean":
                return "true" if arguments[0] else "false"
            case "not":
                return self.inverted(self.truth(node_of(arguments[0])))
            case "both" | "either":
                sign = "&&" if op == "both" else "||"
                return f"({self.truth(node_of(arguments[0]))} {sign} {self.truth(node_of(arguments[1]))})"
            case "within":
                value, low, high = self.integer(node_of(arguments[0])), int_of(arguments[1]), int_of(arguments[2])
                if low == high:
                    return f"({value} == {low})"
                return f"({value} >= {low} && {value} <= {high})"
            case _:
                return self._functions.comparison(
                    str(op), self.scalar(node_of(arguments[0])), self.scalar(node_of(arguments[1]))
                )

    def inverted(self, text: str) -> str:
        """A truth that holds where another does not."""
        if text.startswith("!"):
            return text[1:]
        left, equal, right = text.partition(" == ")
        if equal and right[:-1].isdigit():
            return f"{left} != {right}"
        return f"!{text}"

    def integer(self, node: Node) -> str:
        op, *arguments = node
        match op:
            case "integer":
                return str(arguments[0])
            case "integer_add":
                a, b = map(node_of, arguments)
                if b[0] == "integer" and int_of(b[1]) < 0:
                    return f"({self.integer(a)} - {-int_of(b[1])})"
                return f"({self.integer(a)} + {self.integer(b)})"
            case "integer_and":
                return f"({self.integer(node_of(arguments[0]))} & {int_of(arguments[1])})"
            case "integer_select":
                condition, yes, no = map(node_of, arguments)
                return f"({self._syntax.choice(self.truth(condition), self.integer(yes), self.integer(no))})"
            case _:
                raise TypeError(f"not an integer: {bare(str(node))}")
