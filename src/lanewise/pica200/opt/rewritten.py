"""Rewrite rules on instructions: how `rules.matching` looks at components of registers, and what a row makes of instructions.

A value is a component of a register as some word has left it. What that word computes is asked of its meaning, so no mnemonic
is named. Only words of one block are looked at. Facts that rows ask for are taken for granted of temporaries: each step is
proved.
"""

from __future__ import annotations

from lanewise.core.finding import Finding
from lanewise.core.numbers.floats import float_from_float24
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.program import Dest, Operation, Source
from lanewise.pica200.isa.table import ARITHMETIC, BY_NAME, FLOAT, INTEGER, OPS, TEMPORARY
from lanewise.pica200.opt.editing import Edit
from lanewise.pica200.opt.operations import (
    Candidate,
    channels_of,
    depends,
    encodable,
    reading_instead,
    selector_of,
)
from lanewise.pica200.sem.meaning import COPY, MEANING
from lanewise.pica200.sem.registers import SLOTS
from lanewise.rules.expression import KNOWN, NAME, NEGATED, NUMBER, operations_of, written
from lanewise.rules.matching import rules_for
from lanewise.rules.row import OPTIMISER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.opt.values import Values
    from lanewise.rules.expression import Expression
    from lanewise.rules.matching import Match

_LAWS = frozenset(("second", "finite maximum", "two roundings", "scaled once"))
"""Laws that most profiles keep. The proof knows of the others."""
_READ = -1  # where what no word of the block has written comes from


class _Component(Record):
    """A component of a register as the word at `writer` has left it, perhaps with its sign turned."""

    writer: int
    register: int
    channel: int
    negate: bool = False


class _Result(Record):
    """An operation of the algebra on components; its name is empty where that is more than one operation."""

    op: str
    operands: tuple[_Component, ...] = ()


class _Named:
    """The algebra, of which each operation only has its name."""

    def __getattr__(self, op: str) -> Callable[..., _Result]:
        def named(*operands: object) -> _Result:
            components = tuple([each for each in operands if isinstance(each, _Component)])
            return _Result(op if len(components) == len(operands) else "", components)

        return named


def _instructions() -> dict[str, Op]:
    """By name of an operation the instruction that does only that."""
    found: dict[str, Op] = {}
    for op in OPS:
        if op.kind == ARITHMETIC and op.base == op.name and op.writes == ("dst",):
            given = [tuple([_Component(_READ, n, channel) for channel in range(4)]) for n in range(op.source_count)]
            result = MEANING[op.base](_Named(), *given)["dst"][3]  # pyright: ignore
            if isinstance(result, _Result) and result.operands == tuple([vector[3] for vector in given]):
                found.setdefault(result.op, op)
    return found


class _Block:
    """The words of a block as rewrite rules see them: a `View`."""

    def __init__(self, values: Values, words: range) -> None:
        self._values, self._words = values, words
        self._constants: dict[int, Sequence[int]] = {}
        if values.constants:
            constants = values.context.interface.constants
            self._constants = {each.register: each.values for each in constants if FLOAT <= each.register < INTEGER}

    def component(self, pc: int, source: Source, slot: int) -> _Component | None:
        """The component that a slot of a source of a word reads; None where an index chooses it."""
        if source.relative:
            return None
        register, channel = source.register, SLOTS[source.selector][slot]
        return _Component(self.writer(pc, register, channel), register, channel, source.negate)

    def writer(self, pc: int, register: int, channel: int, without: Sequence[int] = ()) -> int:
        """The last word before another in the block that writes a component; `without`: words that go."""
        if TEMPORARY <= register < FLOAT:
            for at in range(pc - 1, self._words.start - 1, -1):
                instruction = self._values.resolved.get(at)
                if instruction is None or at in without:
                    continue
                if instruction.dest.register == register and instruction.dest.mask & 8 >> channel:
                    return at
        return _READ

    def result(self, pc: int, channel: int) -> _Result | _Component | None:
        """The value that a word writes to a channel."""
        instruction = self._values.resolved.get(pc)
        row = self._values.context.row(pc)
        if instruction is None or row.kind != ARITHMETIC or row.writes != ("dst",):
            return None
        vectors: list[tuple[_Component, ...]] = []
        for source in instruction.sources:
            found = [self.component(pc, source, slot) for slot in range(4)]
            vector = tuple([each for each in found if each is not None])
            if len(vector) < 4:
                return None
            vectors.append(vector)
        return MEANING[row.base](_Named(), *vectors)["dst"][channel]  # pyright: ignore

    def head(self, a: _Component) -> str:
        if a.register in self._constants:
            return NUMBER
        found = self.operation(a)
        return "" if found is None else found[0]

    def operation(self, a: _Component) -> tuple[str, Sequence[_Component]] | None:
        if a.negate or a.writer == _READ:
            return None
        found = self.result(a.writer, a.channel)
        if isinstance(found, _Component):
            return self.operation(found)
        return None if found is None or not found.op else (found.op, found.operands)

    def number(self, a: _Component) -> float | None:
        words = self._constants.get(a.register)
        if words is None or a.writer != _READ:
            return None
        number = float_from_float24(words[a.channel])
        return None if number != number else -number if a.negate else number  # noqa: PLR0124

    def negate(self, a: _Component) -> _Component:
        return a._replace(negate=not a.negate)

    def is_negated(self, a: _Component) -> bool:
        return a.negate

    def fact(self, name: str, a: _Component) -> bool:
        return name == "arithmetic" and TEMPORARY <= a.register < FLOAT

    def law(self, name: str) -> bool:
        return name in _LAWS

    def computed(self, op: str, a: float, b: float) -> float | None:
        return None


def rewritten(values: Values) -> Iterator[Candidate]:
    """Instructions that rows of `rules.table` say are another one, or an operand."""
    rules, instructions = rules_for(OPTIMISER), _instructions()
    for block in values.graph.blocks:
        view = _Block(values, block.addresses)
        for pc in block.addresses:
            channels = channels_of(values.mask(pc)) if pc in values.resolved and len(values.places[pc]) == 1 else []
            matches: dict[int, Match[_Component]] = {}
            for channel in channels:
                result = view.result(pc, channel)
                if not isinstance(result, _Result):
                    break
                found = rules.found(view, result.op, result.operands)
                if found is None:
                    break
                matches[channel] = found
            if channels and len(matches) == len(channels) and len({match.rule.name for match in matches.values()}) == 1:
                yield from _candidates(values, view, pc, matches, instructions)


def _candidates(
    values: Values, view: _Block, pc: int, matches: Mapping[int, Match[_Component]], instructions: Mapping[str, Op]
) -> Iterator[Candidate]:
    """Edits by a row that fits all channels of a word with an effect."""
    rule = next(iter(matches.values())).rule
    replacement = rule.replacement
    operations = operations_of(replacement)
    op = instructions.get(replacement.kind) if operations else BY_NAME[COPY]
    parts = replacement.arguments if operations else (replacement,)
    removed = _only_for(values, view, pc, {each.writer for match in matches.values() for each in _operands(match, parts)})
    sources = [_source(view, pc, matches, part, removed) for part in parts]
    found = [source for source in sources if source is not None]
    if op is None or operations > 1 or len(found) < len(sources):
        return
    text = f"`{written(rule.pattern)}` is `{written(replacement)}` here ({rule.name})"
    value = values.all.get(pc)
    if not operations and value is not None and not removed:
        uses = values.uses([(value, depends(value, found[0]))])[0]
        replaced = reading_instead(values, uses, found[0])
        if replaced:
            fix = f"remove it, and read {values.name(found[0])} in {values.listed([at for at, _ in replaced])}"
            yield Candidate("", Finding(message=text, fix=fix, pc=pc), Edit((pc,), replaced))
            return
    dest = values.context.operations[pc].operands[0]
    if not removed or not isinstance(dest, Dest):
        return
    shorter = encodable(Operation(op=op, operands=(dest._replace(mask=values.mask(pc)), *found)))
    if shorter is not None:
        fix = f"write `{op.name}` in {values.context.place(pc)}, and remove the {'one' if len(removed) == 1 else 'ones'} in "
        fix += values.listed(removed)
        edit = Edit(tuple(removed), ((pc, shorter._replace(span=values.context.operations[pc].span)),))
        yield Candidate("", Finding(message=text, fix=fix, pc=pc), edit)


def _named(part: Expression) -> Expression:
    """An operand of a replacement without its sign."""
    return part.arguments[0] if part.kind == NEGATED else part


def _operands(match: Match[_Component], parts: Sequence[Expression]) -> list[_Component]:
    """The operands of a replacement."""
    names = [_named(part).text for part in parts]
    return [match.values[name] for name in names if name in match.values]


def _source(
    view: _Block, pc: int, matches: Mapping[int, Match[_Component]], part: Expression, without: Sequence[int]
) -> Source | None:
    """The source that reads an operand of the replacement in every channel, after some words are gone; None where it is not in
    one register any more."""
    turned, name = part.kind == NEGATED, _named(part)
    if name.kind not in (NAME, KNOWN):
        return None
    components = {channel: match.values[name.text] for channel, match in matches.items()}
    first = next(iter(components.values()))
    for each in components.values():
        if (each.register, each.negate) != (first.register, first.negate):
            return None
        if view.writer(pc, each.register, each.channel, without) != each.writer:
            return None
    selector = selector_of([components.get(channel, first).channel for channel in range(4)])
    return Source(first.register, selector, first.negate != turned)


def _only_for(values: Values, view: _Block, pc: int, needed: AbstractSet[int]) -> list[int]:
    """The words before another whose results nothing but it reads, besides those that are needed."""
    removed: list[int] = []
    waiting = [] if values.kept else [pc]  # a geometry shader may read them in its next run
    while waiting:
        word = waiting.pop()
        for source in values.resolved[word].sources:
            for slot in range(4):
                component = view.component(word, source, slot)
                at = _READ if component is None else component.writer
                readers = values.readers.get(at, {})
                if at in values.all and at not in needed and at not in removed and {*readers} <= {pc, *removed}:
                    removed.append(at)
                    waiting.append(at)
    return sorted(removed)


__all__ = ["rewritten"]
