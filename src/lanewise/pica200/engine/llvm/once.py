"""Numbers that depend on uniforms and constants only: computed once a call, before the first vector, and kept in memory.

A kernel reads them as it reads uniforms. Expressions that might have to be flagged are left to the vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.llvm.text import Text
from lanewise.pica200.engine.llvm import rules
from lanewise.pica200.engine.llvm.arguments import NUMBERS, TABLES
from lanewise.pica200.engine.llvm.shape import BLOCK
from lanewise.pica200.ir.ssa import arguments

if TYPE_CHECKING:
    from lanewise.llvm.text import Name
    from lanewise.pica200.engine.llvm.frame import Frame
    from lanewise.pica200.engine.llvm.rules import Rule
    from lanewise.pica200.ir.ssa import Block, Node, Value

_OPERATIONS = frozenset(
    ("negate", "flush", "floor", "rcp", "rsq", "exp2", "log2", "add", "mul", "max", "min", "at_least", "at_most")
)
_MEMORY = "%once"

# An operation with the numbers of its arguments among all expressions, or a leaf.
_Key = tuple[object, ...]


class _FlagError(Exception):
    """An expression may have to be flagged."""


class _Refusing:
    """A stand-in for a kernel's flags, which a rule gets: it raises when a flag is asked for."""

    def flag_below(self, raw: Name) -> None:
        raise _FlagError

    def flag_raw(self, raw: Name) -> None:
        raise _FlagError

    def flag_number(self, number: Name) -> None:
        raise _FlagError

    def flag_nan(self, number: Name) -> None:
        raise _FlagError

    def flag_where(self, condition: Name) -> None:
        raise _FlagError

    def bail(self, condition: Name) -> None:
        raise _FlagError


class Once:
    """The part of a generator that runs before the first vector."""

    def __init__(self, frame: Frame, rule: type[Rule]) -> None:
        self._frame = frame
        self._text = Text(BLOCK, rounds=frame.target.rounds, stem="once")
        self._rule = rule(self._text, frame.plan.function.profile, frame.target, _Refusing())
        self._rule.uniforms = frame.rule.uniforms
        self._numbers: dict[_Key, int] = {}  # of expressions
        self._values: list[rules.Value | None] = []
        self._places: dict[tuple[int, bool], int] = {}  # in memory, by expression and form

    def number(self, block: Block, value: Value) -> rules.Value | None:
        """The number as code of vectors reads it; None if it is not one of uniforms only, or a leaf."""
        if str(block.nodes[value][0]) not in _OPERATIONS:
            return None
        number = self._number(block, value)
        found = None if number is None else self._values[number]
        if number is None or found is None:
            return None
        scaled = self._rule.scaled
        unscaled = (lambda: self._load(number, True)) if scaled else None
        return rules.Value("", found.bound, "", lambda: self._load(number, False), unscaled, found.clear)

    def lines(self) -> list[str]:
        """The code, which comes before the loop over vectors."""
        return self._text.lines

    @property
    def declared(self) -> dict[str, str]:
        return self._text.declared

    def heads(self) -> list[str]:
        """Its variables."""
        if not self._places:
            return self._text.heads
        # The address is stored so that LLVM leaves the numbers in memory, where an operand of an instruction can be.
        return [
            *self._text.heads,
            f"  {_MEMORY} = alloca [{len(self._places)} x float], align 64",
            f"  {_MEMORY}.place = alloca ptr",
            f"  store volatile ptr {_MEMORY}, ptr {_MEMORY}.place",
        ]

    def _number(self, block: Block, value: Value) -> int | None:
        """The number of an expression, which is computed if it is new."""
        node = block.nodes[value]
        op = str(node[0])
        if op in ("const", "uniform"):
            return self._known(node, node, ())
        if op not in _OPERATIONS:
            return None
        given: list[int] = []
        for argument in arguments(node):
            number = self._number(block, argument)
            if number is None or self._values[number] is None:
                return None
            given.append(number)
        return self._known((op, *given), node, given)

    def _known(self, key: _Key, node: Node, given: list[int] | tuple[()]) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._values)
            try:
                self._values.append(self._made(node, [value for n in given if (value := self._values[n]) is not None]))
            except _FlagError:  # what is there already stays, as names of it may be kept
                self._values.append(None)
        return number

    def _made(self, node: Node, given: list[rules.Value]) -> rules.Value:
        op = str(node[0])
        if op == "const":
            return self._rule.const(int(node[1]))
        if op == "uniform":
            place = 4 * int(node[1]) + int(node[2])
            return self._rule.uniform(lambda table: self._from_table(place, table), clear=self._frame.shape.has_clear(place))
        return getattr(self._rule, op)(*given)

    def _from_table(self, place: int, table: str) -> Name:
        text = self._text
        at = text.new(f"getelementptr float, ptr {self._frame.table}, i64 {place + TABLES.index(table) * NUMBERS}")
        return text.splat("float", text.load("float", at, 4))

    def _load(self, number: int, unscaled: bool) -> Name:
        """Read a number in the code of vectors."""
        place = self._places.get((number, unscaled))
        if place is None:
            place = self._places[number, unscaled] = len(self._places)
            value, text = self._values[number], self._text
            assert value is not None
            name = value.unscaled(text) if unscaled else value.plain
            at = text.new(f"getelementptr float, ptr {_MEMORY}, i64 {place}")
            text.store("float", text.first("float", name), at, 4)
        text = self._frame.text
        at = text.new(f"getelementptr float, ptr {_MEMORY}, i64 {place}")
        return text.splat("float", text.load("float", at, 4))
