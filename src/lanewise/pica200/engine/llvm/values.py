"""The values of one block as LLVM IR: the nodes by the operations of a number rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.llvm import movement
from lanewise.pica200.engine.llvm import rules
from lanewise.pica200.engine.llvm.arguments import NUMBERS, ROWS, TABLES
from lanewise.pica200.ir import passes
from lanewise.pica200.ir.ssa import NUMBER, OPERATIONS, TRUTH, kind_of
from lanewise.pica200.isa.table import FLOAT
from lanewise.pica200.sem.components import Component
from lanewise.pica200.sem.numbers import number_rule

if TYPE_CHECKING:
    from lanewise.llvm.text import Name
    from lanewise.pica200.engine.llvm.generate import Generator
    from lanewise.pica200.engine.llvm.rules import Value as Number
    from lanewise.pica200.ir.ssa import Block, Node, Value


class Values:
    """The values of a block: numbers in the form of the rule, truth values and integers as names."""

    frame: Generator
    block: Block
    number: int
    differing: set[Value]

    def __init__(self, frame: Generator, block: Block, number: int) -> None:
        self.frame, self.block, self.number = frame, block, number
        self.differing = passes.differing_nodes(block, frame.plan.needs.nodes[number], frame.plan.lanes.varying)
        self._lowered: dict[Value, Number | Name] = {}
        self._rows: dict[Value, Name] = {}
        self._numbers: dict[Value, Name] = {}  # the same in 32 bits
        self._gathered: dict[tuple[Value, str], list[Name]] = {}  # components, by index and table

        for value in frame.nodes[number]:
            once = frame.once.number(block, value) if frame.once is not None else None
            self._lowered[value] = once or self._make(block.nodes[value], value in self.differing)

    def of(self, value: Value, component: Component | None = None) -> Number | Name:
        """A value as a question, or a component, wants it."""
        lowered = self._lowered[value]
        if (
            component is None
            or isinstance(lowered, rules.Value)
            or component not in self.frame.plan.lanes.varying
            or value in self.differing
        ):
            return lowered
        return self.frame.text.splat("i1" if kind_of(component) == TRUTH else "i32", lowered)

    def truth(self, value: Value) -> Name:
        """The truth value of a question: one for all lanes, or one for each where it differs."""
        lowered = self._lowered[value]
        assert isinstance(lowered, str)
        return lowered

    def truth_of(self, value: Value) -> Name:
        """A truth value for each lane."""
        return self._truth(value, True)

    def integer_of(self, value: Value) -> Name:
        """An integer for each lane."""
        return self._integer(value, True)

    def number_of(self, value: object) -> Number:
        lowered = self._lowered[cast("Value", value)]
        assert isinstance(lowered, rules.Value)
        return lowered

    def _truth(self, value: object, vector: bool) -> Name:
        lowered = self._lowered[cast("Value", value)]
        assert isinstance(lowered, str)
        return self.frame.text.splat("i1", lowered) if vector and value not in self.differing else lowered

    def _integer(self, value: object, vector: bool) -> Name:
        lowered = self._lowered[cast("Value", value)]
        assert isinstance(lowered, str)
        return self.frame.text.splat("i32", lowered) if vector and value not in self.differing else lowered

    def _make(self, node: Node, vector: bool) -> Number | Name:
        op = str(node[0])
        kind = OPERATIONS[op][0]
        if kind == NUMBER:
            return self._number(op, node)
        return self._lower_truth(op, node, vector) if kind == TRUTH else self._lower_integer(op, node, vector)

    def _number(self, op: str, node: Node) -> Number:
        frame, rule = self.frame, self.frame.rule
        if op == "const":
            return rule.const(int(node[1]))
        if op == "enter":
            component = node[1]
            assert isinstance(component, Component)
            name = frame.text.load(frame.text.f32, frame.components[component])
            return rule.entering(name, frame.bounds[self.number].get(component, -70.0))
        if op == "input":
            return self._input(int(node[1]), int(node[2]))
        if op == "uniform":
            place = 4 * int(node[1]) + int(node[2])
            return rule.uniform(lambda table: self._from_table(place, table), clear=frame.shape.has_clear(place))
        if op == "gather":
            return self._gather(int(node[1]), int(node[2]))
        if op == "fed":
            return self._fed(int(node[1]), int(node[2]))
        if op == "select":
            return rule.select(self._truth(node[1], True), self.number_of(node[2]), self.number_of(node[3]))
        if (
            op == "max"
            and ("negate", node[1]) == self.block.nodes[cast("Value", node[2])]
            and not frame.exact
            and not rule.signed
        ):
            return rule.absolute(self.number_of(node[1]))
        return getattr(rule, op)(*[self.number_of(argument) for argument in node[1:]])

    def _input(self, register: int, component: int) -> Number:
        """An input; components that the data lacks are 0, 0, 0, 1, and missing registers are zeros."""
        frame = self.frame
        found = frame.loaded.get((register, component))
        if found is not None:
            return rules.Value(found.plain, found.bound)
        one = component == 3 and register in frame.layouts
        return frame.rule.const(_zero_or_one(frame, one))

    def _from_table(self, place: int, table: str, row: Name = "") -> Name:
        """A number of a table for all lanes; `place` counts numbers, from the start of the table or from a row, which is
        counted in numbers too."""
        text = self.frame.text
        at = text.new(f"getelementptr float, ptr {self.frame.table}, i64 {place + TABLES.index(table) * NUMBERS}")
        if row:
            at = text.new(f"getelementptr float, ptr {at}, i64 {row}")
        return text.splat("float", text.load("float", at, 4))

    def _row(self, index: Value) -> Name:
        """Where the row that an index leads to begins in the table, in numbers, as 64 bits; in a vector if the index
        differs."""
        frame, text = self.frame, self.frame.text
        vector = index in self.differing
        if index not in self._rows:
            kind = text.i32 if vector else "i32"
            row = self._lowered[index]
            low, mask, four = (text.integer(n) if vector else str(n) for n in (FLOAT, ROWS - 1, 4))
            inside = text.new(f"and {kind} {text.new(f'sub {kind} {row}, {low}')}, {mask}")
            if frame.plan.profile.index_wrap == "registers":
                # v and r registers are not in the table.
                outside = text.new(f"icmp slt {kind} {row}, {low}")
                frame.bail(outside if vector else text.splat("i1", outside))
            place = self._numbers[index] = text.new(f"mul {kind} {inside}, {four}")
            self._rows[index] = text.new(f"zext {kind} {place} to {text.i64 if vector else 'i64'}")
        return self._rows[index]

    def _fed(self, index: Value, component: int) -> Number:
        """A number of the registers, some of which each run has its own values of."""
        frame, text = self.frame, self.frame.text
        assert frame.recorder is not None
        place = self._row(index)
        if index not in self.differing:
            place = text.splat("i64", place)
        row = text.long_op("lshr", place, text.long(2))
        raw = frame.recorder.look_up(row, component)
        return frame.rule.load(raw, seen=("gather", component) in frame.plan.seen)

    def _gather(self, index: Value, component: int) -> Number:
        frame, text = self.frame, self.frame.text
        vector = index in self.differing
        row = self._row(index)
        if not vector:
            return frame.rule.uniform(lambda table: self._from_table(component, table, row), clear=frame.shape.has_clear())

        def load(table: str) -> Name:
            start = TABLES.index(table) * NUMBERS
            if frame.target.level != "avx512":
                if (index, table) not in self._gathered:
                    base = text.new(f"getelementptr float, ptr {frame.table}, i64 {start}")
                    self._gathered[index, table] = movement.rows_by_lane(text, base, self._numbers[index])
                return self._gathered[index, table][component]
            start += component
            first = text.new(f"getelementptr float, ptr {frame.table}, i64 {start}")
            return movement.gather(text, text.new(f"getelementptr float, ptr {first}, {text.i64} {row}"))

        return frame.rule.uniform(load, clear=frame.shape.has_clear())

    def _lower_truth(self, op: str, node: Node, vector: bool) -> Name:
        frame, text = self.frame, self.frame.text
        if op == "truth":
            return "true" if node[1] else "false"
        if op == "enter_truth":
            component = node[1]
            assert isinstance(component, Component)
            return text.load(frame.type_of(component), frame.components[component])
        if op == "boolean":
            at = text.new(f"getelementptr i32, ptr {frame.booleans}, i64 {node[1]}")
            return text.new(f"icmp ne i32 {text.load('i32', at)}, 0")
        if op == "within":
            kind = text.i32 if vector else "i32"
            low, span = int(node[2]), int(node[3]) - int(node[2])
            a = self._integer(node[1], vector)
            moved = text.new(f"sub {kind} {a}, {text.integer(low) if vector else low}")
            return text.new(f"icmp ule {kind} {moved}, {text.integer(span) if vector else span}")
        if op in ("compare", "not_negative"):
            if op == "compare":
                found = frame.rule.compare(int(node[3]), self.number_of(node[1]), self.number_of(node[2]))
            else:
                found = frame.rule.not_negative(self.number_of(node[1]))
            return found if vector else text.first("i1", found)
        kind = text.i1 if vector else "i1"
        a = self._truth(node[1], vector)
        if op == "invert":
            return text.new(f"xor {kind} {a}, {'splat (i1 true)' if vector else 'true'}")
        return text.new(f"{'and' if op == 'both' else 'or'} {kind} {a}, {self._truth(node[2], vector)}")

    def _lower_integer(self, op: str, node: Node, vector: bool) -> Name:
        frame, text = self.frame, self.frame.text
        kind = text.i32 if vector else "i32"
        if op == "integer":
            return str(node[1])
        if op == "enter_integer":
            component = node[1]
            assert isinstance(component, Component)
            return text.load(frame.type_of(component), frame.components[component])
        if op == "component":
            at = text.new(f"getelementptr i32, ptr {frame.integers}, i64 {4 * int(node[1]) + int(node[2])}")
            return text.load("i32", at)
        if op == "to_integer":
            found = frame.rule.to_integer(self.number_of(node[1]))
            return found if vector else text.first("i32", found)
        a = self._integer(node[1], vector)
        if op == "integer_add":
            return text.new(f"add {kind} {a}, {self._integer(node[2], vector)}")
        if op == "integer_and":
            return text.new(f"and {kind} {a}, {text.integer(int(node[2])) if vector else node[2]}")
        b, c = self._integer(node[2], vector), self._integer(node[3], vector)
        return text.new(f"select {text.i1 if vector else 'i1'} {self._truth(node[1], vector)}, {kind} {b}, {kind} {c}")


def _zero_or_one(frame: Generator, one: bool) -> int:
    """The word of 1 or 0 in the profile's format."""
    return number_rule(frame.plan.profile).constant(1.0 if one else 0.0)
