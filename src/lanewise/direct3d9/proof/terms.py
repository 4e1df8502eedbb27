"""Terms: the operations of Direct3D 9 on symbols, under a number rule.

They are those of a ShaderCore, whose device computes by that rule. `less` and `at_least` are a choice between 1.0 and 0.0, so
that `slt` and `if_lt` ask the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.numbers.trigonometry import cosine, sine
from lanewise.direct3d9.sem.algebra import ZERO, Algebra
from lanewise.direct3d9.sem.compiled import Routined
from lanewise.direct3d9.sem.numbers import index_of
from lanewise.shadercore.proof.terms import Patterns
from lanewise.shadercore.sem.routines import Routines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.proving.terms import Term
    from lanewise.shadercore.isa.devices import Device


class Paths(Patterns):
    """Terms of a shader under a number rule."""

    diverges: bool

    leaves: frozenset[str] = Patterns.leaves | {"phi", "input", "boolean", "count", "bump"}
    kept: frozenset[str] = frozenset(("address", "indexed", "sample", "difference", "sine", "cosine", "look_up", "turn"))
    across: frozenset[str] = frozenset(("difference",))
    of_lanes: frozenset[str] = frozenset(("input", "phi"))
    truths: frozenset[str] = Patterns.truths | {"boolean", "turn"}

    def __init__(self, rule: Rule) -> None:
        super().__init__(rule.device)
        self.rule = rule
        # What looks at other lanes, which may be elsewhere where some lanes branch and others do not.
        self.looks_across: set[str] = set()
        self.diverges = False
        self._tables: dict[tuple[tuple[int, int], ...], int] = {}

    def looked(self, name: str) -> None:
        self.looks_across.add(name)

    def asked(self, a: Term) -> Term:
        """A truth that decides where a lane goes."""
        node = self.nodes[a]
        if node[0] != "turn" and self.varies(a):
            self.diverges = True
        return a

    def difference(self, a: Term, axis: int) -> Term:
        """The difference to another pixel."""
        self.looks_across.add("dsx" if not axis else "dsy")
        return self.node(f"difference {axis}", a)

    def address(self, a: Term, how: str) -> Term:
        known = self.pattern(a)
        if known is None:
            return self.node(f"address {how}", a)
        return self.integer(index_of(known, how, flushes=self.rule.device.value("compare") == "raw"))

    def uniform(self, index: Term, component: int, defined: Mapping[int, Sequence[int]]) -> Term:
        """A component of a constant by its index; `defined` are those that the shader gives values."""
        number = self.known_integer(index)
        if number is None:
            table = tuple(sorted((n, row[component]) for n, row in defined.items()))
            return self.node(f"indexed {component} {self._tables.setdefault(table, len(self._tables))}", index)
        if number in defined:
            return self.constant(defined[number][component])
        return self.node("uniform", number, component) if number >= 0 else self.constant(ZERO)

    def explained(self, a: Term, b: Term) -> str:
        if any(str(self.nodes[term][0]).startswith("indexed") for each in (a, b) for term in self.reached(each)):
            return ": it reads a constant by an index whose range is unknown"
        return ""


class Symbols(Algebra["Term", "Term", "Term"]):
    """The algebra on terms."""

    def __init__(self, m: Paths) -> None:
        self.m = m

    def apply(self, operation: str, *values: Term, immediate: int | None = None) -> Term:
        return self.m.operation(operation, values, immediate)

    def constant(self, bits: int) -> Term:
        return self.m.constant(bits)

    def truth(self, value: bool) -> Term:
        return self.m.boolean(value)

    def ordered(self, a: Term, b: Term, *, or_equal: bool) -> Term:
        return self.m.ordered(a, b, or_equal=or_equal)

    def invert(self, a: Term) -> Term:
        return self.m.invert(a)

    def both(self, a: Term, b: Term) -> Term:
        return self.m.both(a, b)

    def either(self, a: Term, b: Term) -> Term:
        return self.m.either(a, b)

    def select(self, condition: Term, a: Term, b: Term) -> Term:
        return self.m.select(condition, a, b)

    def address(self, a: Term, how: str) -> Term:
        return self.m.address(a, how)

    def integer(self, value: int) -> Term:
        return self.m.integer(value)

    def integer_add(self, a: Term, b: Term) -> Term:
        return self.m.integer_add(a, b)

    def integer_select(self, condition: Term, a: Term, b: Term) -> Term:
        return self.m.integer_select(condition, a, b)

    def integer_is(self, a: Term, value: int) -> Term:
        return self.m.integer_within(a, value, value)

    def look_up(self, rows: Sequence[Term], index: Term, outside: Term) -> Term:
        known = self.m.known_integer(index)
        if known is None:
            return self.m.node("look_up", index, outside, *rows)
        return rows[known] if 0 <= known < len(rows) else outside

    def sine_cosine(self, angle: Term) -> tuple[Term, Term]:
        known = self.m.pattern(angle)
        if known is not None:
            return self.m.constant(sine(known)), self.m.constant(cosine(known))
        return self.m.node("sine", angle), self.m.node("cosine", angle)


class CompiledSymbols(Routined["Term", "Term", "Term"], Symbols):
    """The algebra on terms, with the routines of compiled shaders."""

    device: Device
    m: Paths
    ops: Symbols

    def __init__(self, m: Paths) -> None:
        self.m, self.ops, self.device = m, Symbols(m), m.rule.device
        self.routines: Routines[Term] = Routines(self.ops, m.rule.device, self.constant)


def symbols_of(m: Paths) -> Symbols:
    """The algebra of a rule on terms."""
    return CompiledSymbols(m) if m.rule.choices.value("functions") == "compiled" else Symbols(m)


__all__ = ["Paths", "Symbols", "symbols_of"]
