"""The operand table of a ShaderCore program on a device for `optimising`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from lanewise.optimising.operands import Facts, Into, Operands, layout_of
from lanewise.shadercore.isa.codec import Dest, Inst, Source, encode, register, written
from lanewise.shadercore.isa.table import (
    ABS,
    BY_NAME,
    COMPONENTS,
    DEST_FILES,
    END,
    FILES,
    MINUS_ONE,
    NEG_ABS,
    NEGATE,
    NONE,
    ONE,
    ZERO,
    C,
)
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.proof.terms import Symbols, WaveTerms
from lanewise.shadercore.sem.peephole import LIMITS, PEEPHOLE_RULES, holds, modified_bits
from lanewise.shadercore.sem.steps import X7X, exports
from lanewise.shadercore.text.printer import source_text, text_of
from lanewise.ssa.nodes import Ref

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from lanewise.optimising.operands import Layout
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.sem.steps import Register

MOV = BY_NAME["mov"]
_FILES, _PER_FILE = "rvxo", 32
_AS_SOURCE = {0: 0, 1: 3, 2: 4}  # the files r, x and o as destinations, and as sources
_COMMUTING = frozenset(("mul", "add", "or", "and"))  # the rules know it of some; a proof decides about `add`
_FILE_OF_NODE = 1 << 16
_BITS = {ZERO: 0, ONE: 0x3F800000, MINUS_ONE: 0xBF800000}
_CONSTANTS: Mapping[int | None, Source] = MappingProxyType(
    {
        0x00000000: Source(ZERO, 0, 0),
        0x80000000: Source(ZERO, 0, 0, NEGATE),
        0x3F800000: Source(MINUS_ONE, 0, 0, ABS),  # some devices have no register 1
        0xBF800000: Source(MINUS_ONE, 0, 0),
    }
)
_NEVER = 1 << 30  # cycles of a program that does not end


class ProgramOperands(Operands[Inst]):
    """The table of a program for one device."""

    def __init__(self, insts: Sequence[Inst], device: Device) -> None:
        self.device = device
        self._rules = [row for row in PEEPHOLE_RULES if holds(row, device)]
        self.into: Sequence[Into[Inst]] = (
            Into("copy", self._copied, "remove it, and read its source", self._read_instead),
            Into("peephole", self._simple, "remove it, and read that value", self._read_simple),
            Into("limits", self._limit, "saturate it, and remove the other limit", self._saturated),
        )
        self._needed = 0
        for place in exports(device):
            self._needed |= _bit(place)
        if device.value("between_waves") == "kept":
            self._needed |= _taken(insts)

    def facts(self, item: Inst) -> Facts:
        sources = [_read(source) for source in item.operands]
        place = written(item.dest)
        # a word without an operation may write too; idle slots clear x7.x
        effect = item.op.name == "end" or (place is not None and (not item.op.dests or place == X7X))
        writes = 0 if place is None else _bit(place)
        return Facts(sources=tuple(sources), writes=writes, surely=writes, effect=effect)

    def layout(self, items: Sequence[Inst]) -> Layout:
        return layout_of([{len(items)} if item.op.name == "end" else {n + 1} for n, item in enumerate(items)], self._needed)

    def cost(self, items: Sequence[Inst]) -> tuple[int, ...]:
        """Slots, then cycles of a wave."""
        return len(items), cycles(items, self.device)

    def text(self, item: Inst) -> str:
        return text_of(item) or f".word 0x{encode(item):016X}"

    def value(self, item: Inst) -> Hashable | None:
        if not item.op.dests or not item.op.sources:
            return None
        found = self._simplified(item)
        if isinstance(found, Ref):
            return MOV.name, item.dest.saturate, (found,)
        return item.op.name, item.dest.saturate, tuple(sorted(found)) if item.op.name in _COMMUTING else found

    def known(self, items: Sequence[Inst], item: Inst) -> tuple[Inst, tuple[tuple[int, Inst], ...]] | None:
        place = written(item.dest)
        numbers = all(source.file in _BITS for source in item.operands)
        if item.op is MOV or not item.op.sources or not item.op.dests or place is None or not numbers:
            return None
        end = Inst(op=END)
        wave = Symbols(time_program((item, end), self.device), WaveTerms(self.device), {}, {})
        wave.run()
        source = _CONSTANTS.get(wave.terms.pattern(wave.value(place)))
        return None if source is None else (Inst(op=MOV, dest=item.dest._replace(saturate=0), a=source), ())

    def copy_of(self, first: Inst, second: Inst) -> Inst | None:
        if first.dest.file not in _AS_SOURCE:
            return None
        source = Source(_AS_SOURCE[first.dest.file], first.dest.number, first.dest.component)
        return Inst(op=MOV, dest=second.dest._replace(saturate=0), a=source)

    def moved(self, item: Inst, copy: Inst) -> Inst | None:
        if copy.op is not MOV or copy.a.modifier != NONE or not item.op.dests:
            return None
        dest = Dest(copy.dest.file, copy.dest.number, copy.dest.component, item.dest.saturate | copy.dest.saturate)
        return item._replace(dest=dest)

    def spare(self, items: Sequence[Inst], item: Inst) -> Inst | None:
        if item.dest.file not in _AS_SOURCE:
            return None
        used = {each for inst in items for each in (written(inst.dest), *map(register, inst.operands))}
        places = ((number, c) for number in range(FILES["r"].size) for c in range(len(COMPONENTS)))
        free = next(((number, c) for number, c in places if ("r", number, c) not in used), None)
        source = Source(_AS_SOURCE[item.dest.file], item.dest.number, item.dest.component)
        return None if free is None else Inst(op=MOV, dest=Dest(DEST_FILES.index("r"), *free), a=source)

    def _copied(self, item: Inst) -> str | None:
        if item.op is not MOV or item.dest.saturate or written(item.dest) is None:
            return None
        return f"the source of `{self.text(item)}` is still there wherever the copy is read"

    def _read_instead(self, first: Inst, second: Inst, n: int) -> Inst | None:
        outer = (second.a, second.b)[n]
        found = first.a._replace(modifier=_composed(first.a.modifier, outer.modifier))
        reader = second._replace(a=found) if n == 0 else second._replace(b=found)
        one_port = (
            self.device.value("constant_ports") == "one" and reader.op.sources == 2 and reader.a.file == reader.b.file == C
        )
        return None if one_port and reader.a[1:3] != reader.b[1:3] else reader

    # Peephole rules of the compiler

    def bits(self, ref: Ref) -> int | None:
        """The bits of a source that is 0 or 1: the application sets constants."""
        known = _BITS.get(ref.node // _FILE_OF_NODE)
        return None if known is None else modified_bits(known, ref.modifier)

    def constant(self, bits: int, why: str = "") -> Ref:
        """A source that is 0 or 1."""
        return Ref(next(file for file, known in _BITS.items() if known == bits) * _FILE_OF_NODE)

    def _simplified(self, item: Inst) -> Ref | tuple[Ref, ...]:
        """The sources of an instruction after the rules of its device, or the one value that it is."""
        sources = tuple([_ref(source) for source in item.operands])
        for rule in self._rules:
            found = rule.apply(self, item.op.name, sources) if item.op.name in rule.ops else None
            if isinstance(found, Ref):
                return found
            sources = found or sources
        return sources

    def _simple(self, item: Inst) -> str | None:
        if item.dest.saturate or written(item.dest) is None or not item.op.sources:
            return None
        found = self._simplified(item)
        return f"`{self.text(item)}` is {source_text(_source(found))}" if isinstance(found, Ref) else None

    def _read_simple(self, first: Inst, second: Inst, n: int) -> Inst | None:
        found = self._simplified(first)
        copy = Inst(op=MOV, dest=first.dest, a=_source(found)) if isinstance(found, Ref) else None
        return None if copy is None else self._read_instead(copy, second, n)

    # A value that is limited to 0 and 1

    def _limit(self, item: Inst) -> str | None:
        limited = any(item.op.name == inner and self._has(item, end) for inner, end, _ in LIMITS.values())
        if item.dest.saturate or not limited:
            return None
        return f"`{self.text(item)}` is limited to its other end, which saturation does"

    def _has(self, item: Inst, end: int) -> bool:
        return end in (self.bits(_ref(item.a)), self.bits(_ref(item.b)))

    def _saturated(self, first: Inst, second: Inst, n: int) -> Inst | None:
        inner, end, last = LIMITS.get(second.op.name, ("", 0, 0))
        read, other = (second.a, second.b) if n == 0 else (second.b, second.a)
        limited = first.op.name == inner and self._has(first, end) and self.bits(_ref(other)) == last
        return first._replace(dest=second.dest._replace(saturate=1)) if limited and read.modifier == NONE else None


def _ref(source: Source) -> Ref:
    return Ref(source.file * _FILE_OF_NODE + source.number * len(COMPONENTS) + source.component, source.modifier)


def _source(ref: Ref) -> Source:
    file, rest = divmod(ref.node, _FILE_OF_NODE)
    number, component = divmod(rest, len(COMPONENTS))
    return Source(file, number, component, ref.modifier)


def cycles(insts: Sequence[Inst], device: Device) -> int:
    """The cycles of a wave; very many for a program that does not end."""
    found = time_program(insts, device).total_cycles
    return _NEVER if found is None else found


def _composed(inner: int, outer: int) -> int:
    """The modifier that is one after another."""
    if outer in (ABS, NEG_ABS):
        return outer
    return inner ^ NEGATE if outer == NEGATE else inner


def _bit(place: Register) -> int:
    file, number, component = place
    return 1 << _FILES.index(file) * _PER_FILE + number * len(COMPONENTS) + component


def _read(source: Source) -> int:
    place = register(source)
    return 0 if place is None else _bit(place)


def _taken(insts: Sequence[Inst]) -> int:
    """The registers that a program reads before it writes them, which waves leave to each other."""
    found = before = 0
    for inst in insts:
        for source in inst.operands:
            found |= _read(source) & ~before
        place = written(inst.dest)
        before |= 0 if place is None else _bit(place)
    return found
