"""Expressions as text of a language: names of registers, calls of functions, operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER
from lanewise.pica200.translate.expressions import COMPARISONS, is_local, variable
from lanewise.pica200.translate.support import PLAIN, PLAIN_DOT, SUM_OF_PRODUCTS, plain_product
from lanewise.translating import printing
from lanewise.translating.languages import BOOL, I32, VECTOR
from lanewise.translating.nodes import int_of, node_of
from lanewise.translating.operators import added, bare, negated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.translate.languages import PicaC
    from lanewise.pica200.translate.names import Names
    from lanewise.pica200.translate.support import Support
    from lanewise.translating.nodes import Node

LETTERS = "xyzw"
# Operations that have a form for vectors.
_WIDE = frozenset(("add", "mul", "mad", "negate", "flush", "larger", "smaller", "floor", "at_least", "at_most"))


class Variables:
    """The variables of a shader by their names in it: those of one function, and those that its functions share.

    `shared`: these are members of a structure or outside of functions, because there are procedures, or a geometry shader keeps
    them.
    """

    def __init__(self, language: PicaC, *, shared: bool) -> None:
        self._language = language
        self.shared = shared
        self.registers: dict[str, str] = {}
        self.local: dict[str, str] = {}
        self.needs: set[str] = set()

    def begin(self) -> None:
        """Begin another function."""
        self.local, self.needs = {}, set()

    def of(self, name: str, kind: str) -> str:
        if is_local(name):
            self.local.setdefault(name, kind)
            return name
        self.registers.setdefault(name, kind)
        if not self.shared:
            return name
        self.needs.add("s")
        return self._language.state(name)

    def needing(self, argument: str, text: str) -> str:
        """A text that needs an argument of the function: `s`, `in`, `u`, `out` or `send`."""
        self.needs.add(argument)
        return text


class Printer(printing.Printer):
    """Nodes as text."""

    dot = "dot"  # the function of dot products, without the number of its terms

    def __init__(self, support: Support, names: Names, variables: Variables, *, geometry: bool) -> None:
        super().__init__(support, support.language)
        self._support = support
        self._language = support.language
        self._names = names
        self._variables = variables
        self._geometry = geometry

    def output(self, register: int) -> str:
        member, _ = self._names.of(self._names.outputs, register)
        if self._geometry:
            return self._variables.needing("s", self._language.state(f"out.{member.name}"))
        return self._variables.needing("out", self._language.output(member.name))

    def temporary(self, number: int) -> str:
        return self._variables.of(f"r{number}", VECTOR)

    def _register(self, file: str, number: int) -> str:
        if file == "r":
            return self.temporary(number)
        if file == "v":
            member, _ = self._names.of(self._names.inputs, number)
            return self._variables.needing("in", self._language.input(member.name))
        member, place = self._names.of(self._names.uniforms, number + FLOAT)
        return self._variables.needing("u", self._language.uniform(member.name, place, member.size, number))

    def _at(self, row: Node) -> str:
        """The uniform at a row; the function cuts it to 7 bits."""
        self._support.helpers.setdefault("at")
        return self._variables.needing("u", self._language.at(bare(self.integer(_inside(row)))))

    def scalar(self, node: Node) -> str:
        op, *arguments = node
        match op:
            case "component":
                file, number, channel = arguments
                return f"{self._register(str(file), int_of(number))}.{LETTERS[int_of(channel)]}"
            case "uniform":
                return f"{self._at(node_of(arguments[0]))}.{LETTERS[int_of(arguments[1])]}"
            case "constant":
                return self._support.constant(float(str(arguments[0])))
            case "dot3" | "dot4":
                return self._dot(str(op), [node_of(each) for each in arguments])
            case "select" if self._as_set(node)[0]:
                name, nodes = self._as_set(node)
                return self._support.call(name, *map(self.scalar, nodes))
            case _:
                return super().scalar(node)

    def _as_set(self, node: Node) -> tuple[str, list[Node]]:
        """The comparison whose truth as a number a node is; an empty name for others."""
        condition = node_of(node[1])
        if condition[0] in COMPARISONS and node[2] == ("constant", 1.0) and node[3] == ("constant", 0.0):
            return f"set_{condition[0]}", [node_of(condition[1]), node_of(condition[2])]
        return "", []

    def _dot(self, name: str, nodes: Sequence[Node]) -> str:
        count = len(nodes) // 2
        sides = [self.vector([*nodes[start : start + count], *[None] * (4 - count)]) for start in (0, count)]
        return self._support.dot(f"{self.dot}{name[3:]}", *sides)

    def vector(self, nodes: Sequence[Node | None]) -> str:
        """Four components as one expression; what those that are None have does not count."""
        known = [node for node in nodes if node is not None]
        first = known[0]
        op = first[0]
        if op in ("component", "uniform") and all(node[:-1] == first[:-1] for node in known):
            whole = self._whole(first)
            # One component of a register is in all places, others stay in theirs.
            spare = LETTERS[int_of(first[-1])] if all(node == first for node in known) and len(known) > 1 else ""
            letters = "".join(
                [LETTERS[int_of(node[-1])] if node is not None else spare or LETTERS[place] for place, node in enumerate(nodes)]
            )
            if letters == LETTERS:
                return whole
            self._support.swizzles.setdefault(letters)
            return self._language.swizzle(whole, letters)
        if all(node == first for node in known):
            return self._splat(self.scalar(first))
        if (
            nodes[3] == ("constant", 1.0)
            and op in ("component", "uniform")
            and all(node is not None and _channel(node) == n and node[:-1] == first[:-1] for n, node in enumerate(nodes[:3]))
        ):
            self._support.helpers.setdefault("point")
            self._support.constant(1.0)
            return f"{self._language.prefix}point({self._whole(first)})"
        if op == "select" and all(node[0] == op and self._as_set(node)[0] == self._as_set(first)[0] for node in known):
            name = self._as_set(first)[0]
            if name:
                return self._wide(name, [None if node is None else self._as_set(node)[1] for node in nodes])
        if op in _WIDE and all(node[0] == op for node in known):
            rows = [None if node is None else [node_of(each) for each in node[1:]] for node in nodes]
            return self._wide(str(op), rows)
        self._support.helpers.setdefault("vector")
        return self._language.construct([bare(self.scalar(known[-1] if node is None else node)) for node in nodes])

    def _whole(self, node: Node) -> str:
        """The register of a component."""
        if node[0] == "uniform":
            return self._at(node_of(node[1]))
        return self._register(str(node[1]), int_of(node[2]))

    def _wide(self, name: str, rows: Sequence[Sequence[Node] | None]) -> str:
        count = max(len(row) for row in rows if row is not None)
        sides = [self.vector([None if row is None else row[n] for row in rows]) for n in range(count)]
        if not self._language.exact and self._language.operators and name in ("add", "negate"):
            return negated(sides[0]) if name == "negate" else added(sides[0], sides[1])
        self._support.vectors.setdefault(name, len(sides))
        return f"{self._language.prefix}{name}4({', '.join(map(bare, sides))})"

    def _splat(self, text: str) -> str:
        self._support.helpers.setdefault("splat")
        return self._language.splat(bare(text))

    def truth(self, node: Node) -> str:
        op, *arguments = node
        match op:
            case "flag":
                return self._variables.of(variable(op, int_of(arguments[0])), BOOL)
            case "condition":
                number = int_of(arguments[0])
                member, _ = self._names.of(self._names.uniforms, BOOLEAN + number)
                return self._variables.needing("u", self._language.boolean(member.name, number))
            case "not_negative":
                return self._support.call("not_negative", self.scalar(node_of(arguments[0])))
            case _:
                return super().truth(node)

    def integer(self, node: Node) -> str:
        op, *arguments = node
        match op:
            case "index" | "counter" | "saved":
                return self._variables.of(variable(op, int_of(arguments[0])), I32)
            case "byte":
                number, channel = int_of(arguments[0]), int_of(arguments[1])
                member, _ = self._names.of(self._names.uniforms, INTEGER + number)
                return self._variables.needing("u", self._language.integer(member.name, number, channel))
            case "to_integer":
                return self._support.call("to_integer", self.scalar(node_of(arguments[0])))
            case "row":
                register = int_of(arguments[0])
                member, place = self._names.of(self._names.uniforms, FLOAT + register)
                if member.size == 1 and place == 0 and self._language.members:
                    return str(register)
                name = self._language.first(member.name, member.first - FLOAT)
                if self._language.members:
                    return str(register)
                return f"{name} + {place}" if place else name
            case "offset":
                self._support.helpers.setdefault("offset")
                return f"{self._language.prefix}offset({bare(self.integer(node_of(arguments[0])))})"
            case "integer_add" if arguments[0] == ("row", 0) and self._language.members:
                return self.integer(node_of(arguments[1]))
            case _:
                return super().integer(node)


class CarefulPrinter(Printer):
    """Nodes as text of what is done where a product is NaN."""

    dot = SUM_OF_PRODUCTS


class PlainPrinter(Printer):
    """Nodes as text with the products of the language. `from_zero`: dot products are not -0."""

    dot = PLAIN_DOT
    from_zero = False

    def scalar(self, node: Node) -> str:
        if node[0] in ("mul", "mad"):
            return plain_product(*[self.scalar(node_of(each)) for each in node[1:]])
        return super().scalar(node)

    def _dot(self, name: str, nodes: Sequence[Node]) -> str:
        text = super()._dot(name, nodes)
        return added(self._support.constant(0.0), text) if self.from_zero else text

    def _wide(self, name: str, rows: Sequence[Sequence[Node] | None]) -> str:
        return super()._wide(PLAIN.get(name, name), rows)


def _inside(row: Node) -> Node:
    """Return the index of a uniform before it is cut to 7 bits, with the number of the register it starts from as `row`."""
    while row[0] == "integer_add" and node_of(row[2])[0] == "integer" and node_of(row[1])[0] == "integer_add":
        inner = node_of(row[1])
        other = node_of(inner[2])
        if other[0] != "integer" or int_of(other[1]) + int_of(node_of(row[2])[1]) != 0:
            break
        row = node_of(inner[1])
    if row[0] == "integer_and":
        row = node_of(row[1])
    base: Node = ("row", 0)
    if row[0] == "integer_add" and node_of(row[2])[0] == "integer":
        base, row = ("row", int_of(node_of(row[2])[1])), node_of(row[1])
    if row[0] == "integer_select":
        condition = node_of(row[1])
        if condition[0] == "within" and condition[1] == row[2] and row[3] == ("integer", 0):
            row = ("offset", row[2])
    return ("integer_add", base, row)


def _channel(node: Node) -> int:
    if node[0] == "negate" and isinstance(node[1], tuple):
        return _channel(node[1])
    return int_of(node[-1]) if node[0] in ("component", "uniform") else -1
