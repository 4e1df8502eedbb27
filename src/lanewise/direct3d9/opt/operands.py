"""The operand table of a Direct3D 9 shader for `optimising`: items are those of its stream, comments too.

Components are bits of (file, number, component). What is read at an index is not numbered: c# and v# are not written, and o#
are all written by an index.
"""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import AnalysisContext
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.interface import outputs
from lanewise.direct3d9.isa.program import COISSUE, REGISTER, Comment, Inst, Source, Unknown, make_dest, make_inst, make_source
from lanewise.direct3d9.isa.slots import cost, cubes_of, limits
from lanewise.direct3d9.isa.table import BY_NAME, NEGATE, NONE, components_read, limited
from lanewise.direct3d9.opt.constants import ONE, Constants
from lanewise.direct3d9.opt.layout import shader_layout
from lanewise.direct3d9.text.printer import instruction_text, plain_names
from lanewise.optimising.operands import Facts, Into, Operands

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from lanewise.direct3d9.isa.program import Dest, Item, Shader
    from lanewise.optimising.operands import Layout

_CONSTANTS = (isa.CONST, isa.CONST2, isa.CONST3, isa.CONST4)
_SIGNED = {NONE: NEGATE, isa.ABS: isa.ABS_NEGATE, isa.BIAS: isa.BIAS_NEGATE, isa.SIGN: isa.SIGN_NEGATE, isa.X2: isa.X2_NEGATE}
_NEGATED = _SIGNED | {after: before for before, after in _SIGNED.items()}
# Instructions whose components are computed each from the same component of the sources: they may write fewer of them.
_BY_COMPONENT = frozenset(
    name
    for name, op in isa.BY_NAME.items()
    if op.role == isa.ARITHMETIC and op.sources and op.dest is not None and not op.rows and not op.needs and op.name != "sincos"
)
_SAME = frozenset(("rcp", "rsq", "dp3", "dp4", "exp", "log", "pow", "dp2add"))  # one result in every component written
_SWIZZLE = 0xFF << 16
_SWIZZLES = (  # that every version has
    *[(c, c, c, c) for c in range(4)],
    (0, 1, 2, 3),
    (1, 2, 0, 3),
    (2, 0, 1, 3),
    (3, 2, 1, 0),
)
_OUTPUTS = 12  # o# that an index may write
_ALL_FOUR, _ALPHA = 0xF, 0x8


class ShaderOperands(Operands["Item"]):
    """The table for one shader."""

    def __init__(self, shader: Shader) -> None:
        self.shader = shader
        self._context = AnalysisContext(shader)
        self._constants = Constants(shader, self._context)
        self._cubes = cubes_of(shader)
        self._names = plain_names(shader.version)
        self._bits: dict[tuple[int, int], int] = {}
        self._temps = limits(shader.version).temps
        self._old = shader.version.kind == isa.PIXEL and shader.version.major < 2
        self._paired = {id(inst) for inst in _paired(shader.insts)}
        self._facts: dict[Item, Facts] = {}
        self.into: Sequence[Into[Item]] = (
            Into("copy", self._copied, "remove it, and read its source", self._read_instead),
            Into("neutral", self._neutral, "remove it, and read its operand", self._read_operand),
            Into("sum", self._product, "write one `mad`, and remove the mul", self._summed),
            Into("sign", self._flag, "remove it, and read the number that it asks about", self._read_number),
        )

    # What the moves ask

    def facts(self, item: Item) -> Facts:
        found = self._facts.get(item)
        if found is None or (self._old and id(item) in self._paired):
            found = self._facts[item] = self._found(item)
        return found

    def layout(self, items: Sequence[Item]) -> Layout:
        return shader_layout(items, self._leaves())

    def cost(self, items: Sequence[Item]) -> tuple[int, ...]:
        """Slots, instructions, and components that are written."""
        insts = [item for item in items if isinstance(item, Inst) and item.op.role not in (isa.DECLARATION, isa.DEFINITION)]
        slots = sum([cost(inst, self.shader.version, self._cubes).total for inst in insts if not (self._old and inst.coissue)])
        return slots, len(insts), sum([inst.dest.mask.bit_count() for inst in insts if inst.dest is not None])

    def text(self, item: Item) -> str:
        return (instruction_text(item, self._names) or item.op.name) if isinstance(item, Inst) else "comment"

    def narrowed(self, item: Item, live: int) -> Item | None:
        if not isinstance(item, Inst) or item.dest is None or item.op.name not in _BY_COMPONENT:
            return None
        if self._old or item.dest.is_relative:
            return None
        bit = self._bit(item.dest.file, item.dest.number)
        mask = sum([1 << c for c in range(4) if item.dest.mask >> c & 1 and live >> (bit + c) & 1])
        return item._replace(dest=_masked(item.dest, mask)) if mask not in (0, item.dest.mask) else None

    def value(self, item: Item) -> Hashable | None:
        if not isinstance(item, Inst) or item.dest is None or item.predicate is not None or id(item) in self._paired:
            return None
        if item.dest.is_relative or not item.op.sources or item.dest.file == isa.PREDICATE or item.op.needs:
            return None
        # the result, its modifiers and the components that it has
        free = REGISTER | 0xF << 16 if item.op.name in _BY_COMPONENT else REGISTER  # each has the same components as the other
        dest = item.dest.word & ~free
        own = item.dest.number if item.op.role == isa.TEXTURING and self._old else None
        sources = [source.words for source in item.sources]
        ordered = sorted(sources) if item.op.name in ("add", "mul") else sources
        return item.op.opcode, item.token, dest, own, tuple(ordered)

    def copy_of(self, first: Item, second: Item) -> Item | None:
        if not isinstance(first, Inst) or not isinstance(second, Inst) or first.dest is None or second.dest is None:
            return None
        if first.dest.file != isa.TEMP:
            return None
        swizzle = isa.IDENTITY
        if first.op.name in _SAME:
            swizzle = _packed([next(c for c in range(4) if first.dest.mask >> c & 1)] * 4)
        elif second.dest.mask & ~first.dest.mask:
            return None
        source = make_source(isa.TEMP, first.dest.number, swizzle=swizzle)
        dest = _masked(second.dest, second.dest.mask, plain=True)
        return make_inst(BY_NAME["mov"], self.shader.version, dest, (source,), place=second.place)

    def known(self, items: Sequence[Item], item: Item) -> tuple[Item, tuple[tuple[int, Item], ...]] | None:
        if not isinstance(item, Inst) or item.op.role != isa.ARITHMETIC or item.op.name == "mov" or not item.sources:
            return None
        if self._old or item.predicate is not None or item.dest is None or item.dest.is_relative or item.op.needs:
            return None
        return self._constants.computed(items, item)

    def moved(self, item: Item, copy: Item) -> Item | None:
        if not isinstance(item, Inst) or not isinstance(copy, Inst) or not self._plain(copy) or id(item) in self._paired:
            return None
        if item.dest is None or copy.dest is None or item.predicate is not None or item.dest.file != isa.TEMP:
            return None
        source = copy.sources[0]
        if source.modifier != NONE or source.is_relative or copy.dest.is_relative:
            return None
        goes = {c: source.swizzle[c] for c in range(4) if copy.dest.mask >> c & 1}
        mask = sum([1 << c for c, read in goes.items() if item.dest.mask >> read & 1])
        if item.op.name not in _BY_COMPONENT and (mask != item.dest.mask or item.op.role != isa.TEXTURING):
            return None
        moved_item = item._replace(
            dest=_masked(copy.dest, mask)._replace(word=_with_result(copy.dest.word, item.dest.word, mask))
        )
        if all(c == read for c, read in goes.items() if mask >> c & 1) or item.op.name in _SAME:
            return moved_item
        if "*" not in "".join([components_read(item.op, n) for n in range(len(item.sources))]):
            return None
        if any(components_read(item.op, n) != "*" for n in range(len(item.sources))):
            return None
        return moved_item._replace(sources=tuple([_permuted(each, goes) for each in item.sources]))

    def joined(self, first: Item, second: Item) -> Item | None:
        if not self._old or not isinstance(first, Inst) or not isinstance(second, Inst):
            return None
        if first.dest is None or second.dest is None or first.op.role != isa.ARITHMETIC or second.op.role != isa.ARITHMETIC:
            return None
        paired = first.coissue or second.coissue or id(first) in self._paired or id(second) in self._paired
        masks = first.dest.mask, second.dest.mask
        if paired or masks[0] & masks[1] or _ALPHA not in masks:
            return None
        return second._replace(token=second.token | COISSUE)

    def spare(self, items: Sequence[Item], item: Item) -> Item | None:
        if self._old or not isinstance(item, Inst) or item.dest is None or item.dest.file != isa.TEMP:
            return None
        used = {place.number for each in items if isinstance(each, Inst) for place in _places(each) if place.file == isa.TEMP}
        free = next((number for number in range(self._temps) if number not in used), None)
        if free is None or item.dest.is_relative:
            return None
        return self._mov(make_dest(isa.TEMP, free, mask=item.dest.mask), item.dest.number)

    def _mov(self, dest: Dest, number: int) -> Inst:
        return make_inst(BY_NAME["mov"], self.shader.version, dest, (make_source(isa.TEMP, number),))

    def part(self, item: Item, n: int, components: int) -> Item | None:
        if not isinstance(item, Inst) or item.dest is None or item.op.name not in _BY_COMPONENT or self._old:
            return None
        if components_read(item.op, n) != "*" or item.dest.is_relative:
            return None
        source = item.sources[n]
        bit = self._bit(source.file, source.number)
        mask = sum([1 << c for c in range(4) if item.dest.mask >> c & components >> (bit + source.swizzle[c]) & 1])
        return item._replace(dest=_masked(item.dest, mask)) if mask else None

    def merged(self, first: Item, second: Item) -> Item | None:
        if not isinstance(first, Inst) or not isinstance(second, Inst) or first.dest is None or second.dest is None:
            return None
        mask, other = first.dest.mask, second.dest.mask
        if not self._same_work(first, second) or mask & other or _masked(first.dest, other) != second.dest:
            return None
        goes = {c: c for c in range(4) if (mask | other) >> c & 1}
        pairs = zip(first.sources, second.sources, strict=True)
        found = [self._swizzled(a, {c: (a if mask >> c & 1 else b).swizzle[c] for c in goes}) for a, b in pairs]
        sources = tuple([each for each in found if each is not None])
        return first._replace(dest=_masked(first.dest, mask | other), sources=sources) if len(sources) == len(found) else None

    def alike(self, items: Sequence[Item], first: Item, second: Item) -> tuple[Item, Item, Item] | None:
        if not isinstance(first, Inst) or not isinstance(second, Inst) or first.dest is None or second.dest is None:
            return None
        own = [(inst, c) for inst in (first, second) if inst.dest is not None for c in range(4) if inst.dest.mask >> c & 1]
        apart = first.dest.modifiers != second.dest.modifiers or {first.dest.file, second.dest.file} != {isa.TEMP}
        if not self._same_work(first, second) or len(own) > 4 or apart:
            return None
        copy = self.spare(items, first)
        if not isinstance(copy, Inst) or copy.dest is None:
            return None
        for places in sorted(
            permutations(range(4), len(own)), key=lambda each: sum([n != c for n, (_, c) in zip(each, own, strict=True)])
        ):
            sources: list[Source] = []
            for n, source in enumerate(first.sources):
                goes = {c: inst.sources[n].swizzle[read] for c, (inst, read) in zip(places, own, strict=True)}
                found = self._swizzled(source, goes)
                sources += [found] if found is not None else []
            if len(sources) < len(first.sources):
                continue
            mask = sum([1 << c for c in places])
            item = first._replace(dest=_masked(first.dest, mask), sources=tuple(sources))
            word = item.dest.word & ~REGISTER | copy.dest.word & REGISTER if item.dest is not None else 0
            backs: list[Inst] = []
            for inst in (first, second):
                goes = {read: c for c, (each, read) in zip(places, own, strict=True) if each is inst}
                swizzle = _packed([goes.get(c, next(iter(goes.values()))) for c in range(4)])
                source = make_source(isa.TEMP, copy.dest.number, swizzle=swizzle)
                dest = make_dest(isa.TEMP, inst.dest.number if inst.dest else 0, mask=sum([1 << c for c in goes]))
                backs.append(make_inst(BY_NAME["mov"], self.shader.version, dest, (source,)))
            return item._replace(dest=first.dest._replace(word=word)), backs[0], backs[1]
        return None

    def _same_work(self, first: Inst, second: Inst) -> bool:
        """Whether two instructions compute the same of components of the same registers."""
        if first.token != second.token or first.predicate != second.predicate or first.op.name not in _BY_COMPONENT:
            return False
        if self._old or first.dest is None or first.dest.is_relative or any(each.is_relative for each in first.sources):
            return False
        if first.predicate is not None or any(components_read(first.op, n) != "*" for n in range(len(first.sources))):
            return False
        pairs = zip(first.sources, second.sources, strict=True)
        return all(a.word & ~_SWIZZLE == b.word & ~_SWIZZLE and not b.is_relative for a, b in pairs)

    def _swizzled(self, source: Source, goes: dict[int, int]) -> Source | None:
        """A source that reads a component for each place; None where the version has no such swizzle."""
        swizzle = next((s for s in _SWIZZLES if all(s[c] == read for c, read in goes.items())), None)
        if swizzle is None and self.shader.version.kind == isa.PIXEL and self.shader.version.order <= (2, 0):
            return None
        every = swizzle or [goes.get(c, next(iter(goes.values()))) for c in range(4)]
        return source._replace(word=source.word & ~_SWIZZLE | _packed(every) << 16)

    def unfused(self, items: Sequence[Item], item: Item) -> tuple[Item, Item] | None:
        if not isinstance(item, Inst) or item.op.name != "mad" or item.dest is None or item.predicate is not None:
            return None
        copy = self.spare(items, item)
        if not isinstance(copy, Inst) or copy.dest is None:
            return None
        read, version = make_source(isa.TEMP, copy.dest.number), self.shader.version
        return (
            make_inst(BY_NAME["mul"], version, copy.dest, item.sources[:2], place=item.place),
            make_inst(BY_NAME["add"], version, item.dest, (read, item.sources[2]), place=item.place),
        )

    def widened(self, item: Item, other: Item) -> Item | None:
        if not isinstance(item, Inst) or not isinstance(other, Inst) or item.dest is None or other.dest is None:
            return None
        mask = item.dest.mask | other.dest.mask
        return item._replace(dest=_masked(item.dest, mask)) if item.op.name in _BY_COMPONENT else None

    def beside(self, copy: Item, item: Item) -> tuple[Item, Item] | None:
        copy = self._unchanged(copy) or copy
        if not isinstance(item, Inst) or not isinstance(copy, Inst) or not self._plain(copy):
            return None
        if item.dest is None or copy.dest is None or copy.dest.file != isa.TEMP or copy.sources[0].file != isa.TEMP:
            return None
        source, mask = copy.sources[0], item.dest.mask
        same = item.dest.file == isa.TEMP and item.dest.number == copy.dest.number and not mask & copy.dest.mask
        if not same or any(copy.dest.mask >> c & 1 and source.swizzle[c] != c for c in range(4)):
            return None
        rest = self.moved(item, self._mov(make_dest(isa.TEMP, source.number, mask=mask), item.dest.number))
        if rest is None or source.number == copy.dest.number:
            return None
        return rest, self._mov(_masked(copy.dest, mask | copy.dest.mask), source.number)

    # Rules

    def _plain(self, item: Item) -> bool:
        """Whether an item is a mov of numbers without a predicate, a shift or saturation."""
        return (
            isinstance(item, Inst)
            and item.op.name == "mov"
            and item.predicate is None
            and item.dest is not None
            and not item.dest.is_relative
            and not item.dest.modifiers & isa.SATURATE
            and not item.dest.shift
            and not self._old  # ps_1_x: what is written has a limited range, so that a copy may be another number
            and not (item.dest.file == isa.ADDR and self.shader.version.kind == isa.VERTEX)
            and id(item) not in self._paired
        )

    def _copied(self, item: Item) -> str | None:
        if not self._plain(item) or not isinstance(item, Inst) or item.dest is None or item.dest.file != isa.TEMP:
            return None
        return f"the source of `{self.text(item)}` is still there wherever the copy is read"

    def _read_instead(self, first: Item, second: Item, n: int) -> Item | None:
        if not isinstance(first, Inst) or not isinstance(second, Inst) or first.dest is None or id(second) in self._paired:
            return None
        if n >= len(second.sources) or (second.op.rows and n == len(second.sources) - 1):
            return None
        inner, outer = first.sources[0], second.sources[n]
        read = self._context.reads(second, n)
        modifier = _composed(inner.modifier, outer.modifier)
        place = inner.file, inner.number, inner.modifier, inner.is_relative
        inside = place == (first.dest.file, first.dest.number, NONE, False)  # other components are in the same register
        if (read & ~first.dest.mask and not inside) or modifier is None:
            return None
        kept = 0 if not inside else ~first.dest.mask
        swizzle = [
            c if kept >> c & 1 else inner.swizzle[c] for c in outer.swizzle
        ]  # also of components that are not read: ps_2_0 has few swizzles
        word = inner.word & ~(0xFF << 16 | 0xF << 24) | _packed(swizzle) << 16 | modifier << 24
        found = second._replace(
            sources=tuple([Source(word, inner.relative) if k == n else s for k, s in enumerate(second.sources)])
        )
        return self._sized(found)

    def _sized(self, inst: Inst) -> Inst:
        """An instruction with the length of its operands in its token (shader model 2)."""
        if self.shader.version.major < 2:
            return inst
        length = len(inst.words) - 1
        return inst._replace(token=inst.token & ~(0xF << 24) | length << 24)

    def _neutral(self, item: Item) -> str | None:
        return None if self._unchanged(item) is None else f"`{self.text(item)}` gives its operand unchanged"

    def _read_operand(self, first: Item, second: Item, n: int) -> Item | None:
        copy = self._unchanged(first)
        return None if copy is None else self._read_instead(copy, second, n)

    def _unchanged(self, item: Item) -> Inst | None:
        """A mov in place of a product with 1, or a sum with 0."""
        source = self._constants.without(item) if isinstance(item, Inst) and not self._old else None
        if source is None or not isinstance(item, Inst) or item.dest is None:
            return None
        copy = make_inst(BY_NAME["mov"], self.shader.version, item.dest, (source,), predicate=item.predicate, place=item.place)
        return copy if self._plain(copy) and item.dest.file == isa.TEMP else None

    def _flag(self, item: Item) -> str | None:
        if not isinstance(item, Inst) or item.op.name != "cmp" or self._asked(item) is None:
            return None
        return f"`{self.text(item)}` is 1 where a number is above 0, and only that is asked of it"

    def _read_number(self, first: Item, second: Item, n: int) -> Item | None:
        copy = self._asked(first) if isinstance(first, Inst) else None
        return None if copy is None else self._read_instead(copy, second, n)

    def _asked(self, inst: Inst) -> Inst | None:
        """A mov of -s in place of `cmp dest, s, 0, 1`, which is above 0 where that is."""
        sign = _NEGATED.get(inst.sources[0].modifier)
        if self._old or inst.dest is None or inst.dest.file != isa.TEMP or sign is None:
            return None
        if not self._constants.has(inst, 1, 0) or not self._constants.has(inst, 2, ONE):
            return None
        asked = _modified(inst.sources[0], sign)
        copy = make_inst(BY_NAME["mov"], self.shader.version, inst.dest, (asked,), predicate=inst.predicate, place=inst.place)
        return copy if self._plain(copy) else None

    def _product(self, item: Item) -> str | None:
        if not isinstance(item, Inst) or item.op.name != "mul" or item.dest is None or item.dest.file != isa.TEMP:
            return None
        plain = item.predicate is None and not item.dest.modifiers & isa.SATURATE and not item.dest.shift and not self._old
        return f"`{self.text(item)}` is a product that is only added to" if plain else None

    def _summed(self, first: Item, second: Item, n: int) -> Item | None:
        if not isinstance(first, Inst) or not isinstance(second, Inst) or first.dest is None or second.dest is None:
            return None
        if second.op.name not in ("add", "sub") or self._context.reads(second, n) & ~first.dest.mask:
            return None
        outer, other = second.sources[n], second.sources[1 - n]
        if second.op.name == "sub":
            turned = _NEGATED.get((other if n == 0 else outer).modifier)
            if turned is None:
                return None
            if n == 0:
                other = _modified(other, turned)
            else:
                outer = _modified(outer, turned)
        if outer.modifier not in (NONE, NEGATE):
            return None
        factors = [_permuted(each, dict(enumerate(outer.swizzle))) for each in first.sources]
        if outer.modifier == NEGATE:
            sign = _NEGATED.get(factors[0].modifier)
            if sign is None:
                return None
            factors[0] = _modified(factors[0], sign)
        return make_inst(
            BY_NAME["mad"], self.shader.version, second.dest, (*factors, other), predicate=second.predicate, place=second.place
        )

    # Facts

    def _found(self, item: Item) -> Facts:
        if isinstance(item, Comment | Unknown) or item.op.role in (isa.DECLARATION, isa.DEFINITION, isa.MARK):
            return Facts(effect=True)
        sources, others = list[int](), 0
        for n, source in enumerate(item.sources):
            bits, index = self._read(item, n, source)
            sources.append(bits)
            others |= index
        dest, writes = item.dest, 0
        if item.predicate is not None:
            others |= _ALL_FOUR << self._bit(isa.PREDICATE, item.predicate.number)
        surely = 0
        if dest is not None:
            numbers = range(_OUTPUTS) if dest.is_relative else (dest.number,)
            for number in numbers:
                writes |= dest.mask << self._bit(dest.file, number)
            if dest.is_relative:
                others |= self._index(dest.relative)
            elif item.predicate is None:
                surely = writes
            if item.op.dest is not None and not item.op.dest.written:
                return Facts(
                    sources=(), writes=0, surely=0, others=others | _ALL_FOUR << self._bit(dest.file, dest.number), effect=True
                )
            lost = sum(limited(item.op.loses, self.shader.version)) & ~dest.mask
            writes |= lost << self._bit(dest.file, dest.number)
        for source, kind in zip(item.sources, item.op.sources, strict=False):
            if kind.scratch:
                writes |= _ALL_FOUR << self._bit(source.file, source.number)
        if item.op.role == isa.FLOW:
            if item.op.block == isa.LOOP_BLOCK:
                writes |= 1 << self._bit(isa.LOOP, 0)
            return Facts(sources=tuple(sources), writes=writes, surely=0, others=others, effect=True)
        if self._old and item.op.role == isa.TEXTURING and dest is not None:
            others |= _ALL_FOUR << self._bit(dest.file, dest.number)
            return Facts(sources=tuple(sources), writes=writes, surely=0, others=others, effect=True)
        return Facts(sources=tuple(sources), writes=writes, surely=surely, others=others, effect=id(item) in self._paired)

    def _read(self, inst: Inst, n: int, source: Source) -> tuple[int, int]:
        """The components that a source reads, and those of its index."""
        if source.is_relative:
            return 0, self._index(source.relative)
        if source.file in (*_CONSTANTS, isa.CONSTINT, isa.CONSTBOOL, isa.SAMPLER, isa.LABEL):
            return 0, 0
        kinds = inst.op.sources
        if n < len(kinds) and kinds[n].scratch:
            return 0, 0
        mask = self._context.reads(inst, n) if n < len(kinds) else _ALL_FOUR
        if source.modifier in (isa.DZ, isa.DW):
            mask |= 0b1100
        rows = range(inst.op.rows) if inst.op.rows and n == len(inst.sources) - 1 else range(1)
        return sum([mask << self._bit(source.file, source.number + row) for row in rows]), 0

    def _index(self, relative: int | None) -> int:
        if relative is not None and relative >> 28 & 7 != isa.ADDR:
            return 1 << self._bit(isa.LOOP, 0)
        return _ALL_FOUR << self._bit(isa.ADDR, 0)

    def _bit(self, file: int, number: int) -> int:
        return self._bits.setdefault((file, number), 4 * len(self._bits))

    def _leaves(self) -> int:
        """The components of outputs."""
        found = 0
        for port in outputs(self.shader):
            found |= _ALL_FOUR << self._bit(port.file, port.number)
        return found


def _paired(insts: Sequence[Inst]) -> Iterator[Inst]:
    """The instructions of pairs that are issued together (ps_1_x)."""
    for first, second in pairwise(insts):
        if second.coissue and second.op.role != isa.DECLARATION:
            yield first
            yield second


def _places(inst: Inst) -> Iterator[Dest | Source]:
    """The operands of an instruction; of a matrix each of its rows."""
    if inst.dest is not None:
        yield inst.dest
    for n, source in enumerate(inst.sources):
        rows = inst.op.rows if inst.op.rows and n == len(inst.sources) - 1 else 1
        yield from [source._replace(word=source.word + row) for row in range(rows)]


def _masked(dest: Dest, mask: int, *, plain: bool = False) -> Dest:
    word = dest.word & ~(0xF << 16) | mask << 16
    return dest._replace(word=word & ~(0xFF << 20) if plain else word)


def _with_result(place: int, result: int, mask: int) -> int:
    """The word of a destination: the register of `place`, the modifiers of `result`."""
    kept = 0xFF << 20
    return place & ~(kept | 0xF << 16) | result & kept | mask << 16


def _packed(swizzle: Sequence[int]) -> int:
    return sum([c << 2 * n for n, c in enumerate(swizzle)])


def _permuted(source: Source, goes: dict[int, int]) -> Source:
    """A source whose component for each place is the one that another place has had."""
    old = source.swizzle
    first = next(iter(goes.values()), 0)
    swizzle = [old[goes.get(c, first)] for c in range(4)]
    return source._replace(word=source.word & ~(0xFF << 16) | _packed(swizzle) << 16)


def _modified(source: Source, modifier: int) -> Source:
    return source._replace(word=source.word & ~(0xF << 24) | modifier << 24)


def _composed(inner: int, outer: int) -> int | None:
    """The modifier that is one after another; None for no such."""
    if NONE in (outer, inner):
        return inner or outer
    if outer == NEGATE:
        return _NEGATED.get(inner)
    if inner in (NEGATE, isa.ABS, isa.ABS_NEGATE) and outer in (isa.ABS, isa.ABS_NEGATE):
        return outer
    return None
