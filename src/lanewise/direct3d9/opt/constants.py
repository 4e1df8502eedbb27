"""The constants that a shader defines: results of them alone, and factors and terms that change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.engine import reference
from lanewise.direct3d9.engine.data import Data
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.program import Inst, make_constant, make_inst
from lanewise.direct3d9.isa.table import BY_NAME, NONE
from lanewise.direct3d9.sem.algebra import Component
from lanewise.direct3d9.sem.numbers import D3D9, IEEE, rule_of
from lanewise.direct3d9.sem.tree import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.check.context import AnalysisContext
    from lanewise.direct3d9.isa.program import Item, Shader, Source

ONE, _ZEROS = 0x3F800000, (0, 1 << 31)
_NOT_FINITE = 0xFF << 23
_NEUTRAL = {"mul": (ONE,), "add": _ZEROS, "sub": _ZEROS}


class Constants:
    """The constants of `def`, which no application changes."""

    def __init__(self, shader: Shader, context: AnalysisContext) -> None:
        self._shader, self._context = shader, context
        self._rules = [rule_of(name) for name in (IEEE, D3D9)]

    def defined(self, items: Sequence[Item]) -> dict[int, int]:
        """The places of definitions by the number of the register; none of one that is defined twice."""
        found: dict[int, int] = {}
        twice: set[int] = set()
        for place, item in enumerate(items):
            if isinstance(item, Inst) and item.op.name == "def" and item.dest is not None:
                twice.update({item.dest.number} & found.keys())
                found[item.dest.number] = place
        return {number: place for number, place in found.items() if number not in twice}

    def without(self, inst: Inst) -> Source | None:
        """The operand that an instruction gives unchanged, as the other is 1 or 0; None for other instructions."""
        if inst.op.name not in _NEUTRAL:
            return None
        defined = self.defined(self._shader.items)
        for n in (1,) if inst.op.name == "sub" else (0, 1):
            if self._all_in(inst, n, _NEUTRAL[inst.op.name], defined):
                return inst.sources[1 - n]
        return None

    def has(self, inst: Inst, n: int, pattern: int) -> bool:
        """Whether a source has one pattern in all components that are read."""
        return self._all_in(inst, n, (pattern,), self.defined(self._shader.items))

    def _all_in(self, inst: Inst, n: int, patterns: Sequence[int], defined: dict[int, int]) -> bool:
        source = inst.sources[n]
        item = self._shader.items[defined[source.number]] if self._is_defined(source, defined) else None
        if not isinstance(item, Inst) or source.modifier != NONE:
            return False
        read = self._context.reads(inst, n)
        return all(item.payload[c] in patterns for c in range(4) if read >> c & 1)

    def computed(self, items: Sequence[Item], inst: Inst) -> tuple[Inst, tuple[tuple[int, Item], ...]] | None:
        """A mov of a constant with the result of an instruction of constants, and the definition that has to have it."""
        defined = self.defined(items)
        if inst.dest is None or not all(self._is_defined(source, defined) for source in inst.sources):
            return None
        values = self._values(items, inst)
        if values is None:
            return None
        for number, place in defined.items():
            item = items[place]
            assert isinstance(item, Inst)
            free = [c for c in range(4) if not self._read(items, number) >> c & 1]
            payload, goes = [*item.payload], dict[int, int]()
            for component, value in values.items():
                at = next((c for c in range(4) if c not in free and payload[c] == value), None)
                if at is None and free:
                    at = free.pop()
                    payload[at] = value
                if at is None:
                    break
                goes[component] = at
            if len(goes) == len(values):
                first = next(iter(goes.values()))
                swizzle = sum([goes.get(c, first) << 2 * c for c in range(4)])
                copy = make_inst(
                    BY_NAME["mov"],
                    self._shader.version,
                    inst.dest._replace(word=inst.dest.word & ~(isa.SATURATE << 20 | 0xF << 24)),
                    (make_constant(number, swizzle=swizzle),),
                    place=inst.place,
                )
                changed = tuple(payload) != item.payload[:4]
                return copy, (((place, item._replace(payload=tuple(payload))),) if changed else ())
        return None

    def _is_defined(self, source: Source, defined: dict[int, int]) -> bool:
        return source.file == isa.CONST and not source.is_relative and source.number in defined

    def _read(self, items: Sequence[Item], number: int) -> int:
        """The components of a constant that are read, as bits."""
        found = 0
        for item in [each for each in items if isinstance(each, Inst)]:
            for n, source in enumerate(item.sources):
                if source.file != isa.CONST:
                    continue
                rows = item.op.rows if item.op.rows and n == len(item.sources) - 1 else 1
                if source.is_relative or rows > 1 or item.op.needs:
                    return 0xF
                found |= self._context.reads(item, n) if source.number == number and n < len(item.op.sources) else 0
        return found

    def _values(self, items: Sequence[Item], inst: Inst) -> dict[int, int] | None:
        """The patterns by component, where they are numbers that are the same under all rules."""
        assert inst.dest is not None
        kept = [item for item in items if isinstance(item, Inst) and item.op.name == "def"]
        flow, _ = resolve(self._shader._replace(items=(*kept, inst)))
        if flow is None:
            return None
        found: set[tuple[tuple[int, int], ...]] = set()
        for rule in self._rules:
            ran: dict[Component, list[int]] = {}
            data = Data(lanes=1, inputs={}, constants=flow.constants, integers={}, booleans={}, bumps={}, samplers={})
            reference.run(flow, rule, data, (), kept=ran)
            found.add(
                tuple(
                    [(c, ran[Component(inst.dest.file, inst.dest.number, c)][0]) for c in range(4) if inst.dest.mask >> c & 1]
                )
            )
        values = dict(found.pop())
        finite = all(value & _NOT_FINITE != _NOT_FINITE for value in values.values())
        return values if not found and finite else None


__all__ = ["ONE", "Constants"]
