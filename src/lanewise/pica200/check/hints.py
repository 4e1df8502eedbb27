"""Hints of `lanewise check --hints`: instructions and constants that a program can do without.

Each hint has an `Edit` that gives the same outputs, bit for bit. What they need is decided by dataflow over the graph; nothing is guessed.
"""

from __future__ import annotations

from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.graph.dataflow import Step
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.demand import demand
from lanewise.pica200.check.equality import Equality
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.program import Dest, Operation, Source
from lanewise.pica200.isa.table import (
    BY_NAME,
    COMPONENTS,
    EMIT,
    END,
    FLOAT,
    INTEGER,
    SETEMIT,
    TEMPORARY,
    YES,
    register_name,
)
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.sem.components import Component, component_of, slots_used
from lanewise.pica200.sem.influence import written
from lanewise.pica200.sem.meaning import COPY, PRODUCT, PRODUCT_AND_SUM, SUM
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.source import Span
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.sem.instruction import ResolvedInst

_MOST_PLACES = 40_000  # words of a graph, once for each state that reaches them; more would take seconds
_TEMPORARIES = dataflow.bits([Component("r", n, channel) for n in range(FLOAT - TEMPORARY) for channel in range(4)])


class Edit(Record):
    """Words that a program can do without, and operations that take the places of others."""

    removed: tuple[int, ...]
    replaced: tuple[tuple[int, Operation], ...] = ()

    @property
    def words(self) -> tuple[int, ...]:
        return (*self.removed, *[pc for pc, _ in self.replaced])


class Hint(Record):
    """A finding with its code and the edit that it proposes."""

    code: str
    finding: Finding
    edit: Edit


class Value(Record):
    """What a word writes to a temporary: the register and the channels."""

    pc: int
    register: int
    channels: tuple[int, ...]


class _Use(Record):
    """A word that reads a value, with the numbers of the sources by which it does."""

    pc: int
    sources: tuple[int, ...]


class Hints:
    """The hints about one shader."""

    def __init__(self, context: AnalysisContext, graph: Graph) -> None:
        self._context, self._graph = context, graph
        self._places: dict[int, list[int]] = {}  # the blocks of each word
        for block in graph.blocks:
            for pc in block.addresses:
                self._places.setdefault(pc, []).append(block.number)
        self._resolved = {pc: instruction for pc in self._places if (instruction := context.resolved(pc)) is not None}
        # A geometry shader keeps its registers from run to run: what is live at its start is live at its end.
        self._kept = demand(context, graph).live[0] if context.interface.geometry else 0
        self._values = {pc: value for pc in sorted(self._resolved) if (value := self._value(pc)) is not None}
        self._readers = self._reading_words()

    def all(self) -> Iterator[Hint]:
        copies = list(self.copies())
        yield from copies
        removed = {pc for hint in copies for pc in hint.edit.removed}
        yield from [hint for hint in self.computed_twice() if removed.isdisjoint(hint.edit.removed)]
        yield from self.outputs_through_temporaries()
        yield from self.sums_of_products()
        yield from self.parts()

    # H001, H005: values that another register has

    def copies(self) -> Iterator[Hint]:
        """H001: a mov whose source is there where its result is read."""
        found: list[tuple[Value, Source]] = []
        for pc, value in self._values.items():
            source = self._resolved[pc].sources[0]
            if self._context.op(pc) == COPY and not source.relative and source.register != value.register:
                found.append((value, source))
        for (value, source), replaced in zip(found, self._replaced(found), strict=True):
            if replaced:
                text, name = self._copied(value, source)
                many = len(replaced) > 1
                message = f"{text} is a copy of {name}, which holds the same value wherever the copy is read"
                places = self._listed([at for at, _ in replaced])
                fix = f"remove it, and read {name} in {places}, the only {'readers' if many else 'reader'} of the copy"
                yield Hint("H001", Finding(message, fix, value.pc), Edit((value.pc,), replaced))

    def computed_twice(self) -> Iterator[Hint]:
        """H005: an instruction whose result is in a register already."""
        found: list[tuple[Value, Source]] = []
        for pc, registers in self._equal().items():
            value = self._values[pc]
            if value.register in registers:
                name = f"{register_name(value.register)}{_letters(value.channels)}"
                yield Hint("H005", Finding(f"{name} holds this value already", "remove it", pc), Edit((pc,)))
            else:
                found += [(value, Source(register)) for register in sorted(registers)]
        done: set[int] = set()
        for (value, source), replaced in zip(found, self._replaced(found), strict=True):
            if replaced and value.pc not in done:
                done.add(value.pc)
                name = register_name(source.register)
                message = f"{name}{_letters(value.channels)} holds this value already, wherever the result is read"
                fix = f"remove it, and read {name} in {self._listed([at for at, _ in replaced])}"
                yield Hint("H005", Finding(message, fix, value.pc), Edit((value.pc,), replaced))

    def _copied(self, value: Value, source: Source) -> tuple[str, str]:
        """A copy and its source, with components where they are not all, or not in their places."""
        read = [SLOTS[source.selector][channel] for channel in value.channels]
        plain = list(value.channels) == read
        letters = "" if plain and len(read) == 4 else "." + "".join([COMPONENTS[n] for n in read])
        return f"{register_name(value.register)}{_letters(value.channels)}", f"{self._name(source)}{letters}"

    def _equal(self) -> dict[int, set[int]]:
        """The registers that hold the value of a word before it, on all paths; words without one are left out."""
        equality = Equality(self._context, self._graph)
        found: dict[int, set[int]] = {}
        for pc, before, after in equality.steps():
            value = self._values.get(pc)
            if value is None or (pc in found and not found[pc]):
                continue
            base = 4 * (value.register - TEMPORARY)
            same = {
                TEMPORARY + n
                for n in range(FLOAT - TEMPORARY)
                if all(before[4 * n + channel] == after[base + channel] for channel in value.channels)
            }
            found[pc] = found[pc] & same if pc in found else same
        return {pc: registers for pc, registers in found.items() if registers}

    def _replaced(self, wanted: Sequence[tuple[Value, Source]]) -> list[tuple[tuple[int, Operation], ...]]:
        """For each value, its readers that read a source instead; none if one of them cannot."""
        candidates: list[tuple[Value, int]] = []
        for value, source in wanted:
            read = {component_of(source.register, SLOTS[source.selector][channel]) for channel in value.channels}
            candidates.append((value, dataflow.bits(tuple(read)) if TEMPORARY <= source.register < FLOAT else 0))
        return [
            self._reading_instead(uses, source)
            for (_, source), uses in zip(wanted, self._uses(candidates), strict=True)
        ]  # fmt: skip

    def _reading_instead(self, uses: Sequence[_Use] | None, source: Source) -> tuple[tuple[int, Operation], ...]:
        found: list[tuple[int, Operation]] = []
        for use in uses or ():
            operation = self._context.operations[use.pc]
            operands = list(operation.operands)
            places = [place for place, operand in enumerate(operands) if isinstance(operand, Source)]
            for number in use.sources:
                operand = operands[places[number]]
                if isinstance(operand, Source):
                    operands[places[number]] = _composed(operand, source)
            changed = _encodable(operation._replace(operands=tuple(operands), descriptor=-1))
            if changed is None:
                return ()
            found.append((use.pc, changed))
        return tuple(found)

    # H002: outputs

    def outputs_through_temporaries(self) -> Iterator[Hint]:
        """H002: a mov to an output of what could be written there at once."""
        for pc in sorted(self._resolved):
            instruction = self._resolved[pc]
            source, dest = instruction.sources[0], instruction.dest
            if self._context.op(pc) != COPY or dest.register >= TEMPORARY or not TEMPORARY <= source.register < FLOAT:
                continue
            channels = _channels(dest.mask)
            if source.negate or source.relative or any(SLOTS[source.selector][n] != n for n in channels):
                continue
            makers = self._makers(pc, source.register, channels)
            if not makers:
                continue
            values = [self._values.get(maker) for maker in makers]
            fits = all(
                value is not None and set(value.channels) <= set(channels) and self._only_reader(value, pc) for value in values
            )
            if fits:
                replaced = [(maker, _with_dest(self._context.operations[maker], dest.register)) for maker in makers]
                name = self._output(dest.register)
                message = f"{register_name(source.register)} is only moved to {name}"
                fix = f"write {name} in {self._listed(makers)}, and remove the mov"
                yield Hint("H002", Finding(message, fix, pc), Edit((pc,), tuple(replaced)))

    def _makers(self, pc: int, register: int, channels: Sequence[int]) -> tuple[int, ...]:
        """The words before `pc` in its block that write the channels, if nothing between them writes or sends the output."""
        output = self._resolved[pc].dest.register
        found: set[tuple[int, ...]] = set()
        for number in self._places[pc]:
            block = self._graph.blocks[number]
            missing, makers = set(channels), set[int]()
            for at in range(pc - 1, block.addresses.start - 1, -1):
                if self._context.kind(at) in (EMIT, SETEMIT, END):
                    return ()
                instruction = self._resolved.get(at)
                if instruction is None:
                    continue
                if instruction.dest.register == output and any(what == "dst" for what, _ in written(instruction)):
                    return ()
                here = _written_channels(instruction) if instruction.dest.register == register else set[int]()
                if here & missing:
                    makers.add(at)
                    missing -= here
                if not missing:
                    break
            if missing:
                return ()
            found.add(tuple(sorted(makers)))
        return found.pop() if len(found) == 1 else ()

    def _only_reader(self, value: Value, pc: int) -> bool:
        return not self._kept & _bits(value) and [*self._readers.get(value.pc, {})] == [pc]

    # H003: mul, then add

    def sums_of_products(self) -> Iterator[Hint]:
        """H003: a product that is only added to something."""
        products = [
            value
            for pc, value in self._values.items()
            if self._context.op(pc) == PRODUCT
            and not any(factor.relative or factor.register == value.register for factor in self._resolved[pc].sources)
        ]
        found = self._uses([(value, self._context.effect(value.pc).reads) for value in products])
        for value, uses in zip(products, found, strict=True):
            pc, factors = value.pc, self._resolved[value.pc].sources
            if not uses or len(uses) != 1 or self._context.op(uses[0].pc) != SUM or len(uses[0].sources) != 1:
                continue
            at, place = uses[0].pc, uses[0].sources[0]
            operation = self._context.operations[at]
            dest = next(operand for operand in operation.operands if isinstance(operand, Dest))
            terms = _sources(operation)
            first, second = (_composed(terms[place], factor) for factor in factors)
            second = second._replace(negate=factors[1].negate)  # the sign of the product is the first factor's
            other = terms[1 - place]
            made = _encodable(
                operation._replace(op=BY_NAME[PRODUCT_AND_SUM], operands=(dest, first, second, other), descriptor=-1)
            )
            if made is not None:
                message = f"{register_name(value.register)} is a product that is only added to in {self._context.place(at)}"
                fix = f"write one `mad` in {self._context.place(at)}, and remove the mul"
                yield Hint("H003", Finding(message, fix, pc), Edit((pc,), ((at, made),)))

    # H004: parts of a vector

    def parts(self) -> Iterator[Hint]:
        """H004: adjacent instructions that do the same in different components."""
        starts = {block.addresses.start for block in self._graph.blocks}
        done: set[int] = set()
        for pc in sorted(self._resolved):
            if pc in done:
                continue
            run = [pc]
            while run[-1] + 1 in self._resolved and run[-1] + 1 not in starts and self._joins(run, run[-1] + 1):
                run.append(run[-1] + 1)
            if len(run) == 1:
                continue
            done.update(run)
            joined = self._joined(run)
            if sources_fault(joined.op, _sources(joined)) is not None:
                continue
            dest = self._resolved[pc].dest
            mask = _letters(sorted({n for at in run for n in _channels(self._resolved[at].dest.mask)}))
            name = register_name(dest.register) if dest.register >= TEMPORARY else self._output(dest.register)
            message = f"{len(run)} instructions compute components of {name} from the same registers"
            fix = f"write one `{joined.op.name}` to {name}{mask}, with the components of its sources in that order"
            yield Hint("H004", Finding(message, fix, pc), Edit(tuple(run[1:]), ((pc, joined),)))

    def _joins(self, run: Sequence[int], pc: int) -> bool:
        first, other = self._resolved[run[0]], self._resolved[pc]
        same = (
            self._context.op(run[0]) == self._context.op(pc)
            and first.dest.register == other.dest.register
            and len(first.sources) == len(other.sources)
            and all(
                (a.register, a.negate, a.relative) == (b.register, b.negate, b.relative)
                for a, b in zip(first.sources, other.sources, strict=True)
            )
        )
        if not same or not _componentwise(first) or not _componentwise(other):
            return False
        mask = 0
        for at in run:
            mask |= self._resolved[at].dest.mask
        read = {
            SLOTS[other.sources[n].selector][slot]
            for n, slot in slots_used(other)
            if other.sources[n].register == other.dest.register
        }
        reads_before = read & set(_channels(mask)) if other.dest.register >= TEMPORARY else set[int]()
        return bool(mask) and bool(other.dest.mask) and not mask & other.dest.mask and not reads_before

    def _joined(self, run: Sequence[int]) -> Operation:
        """One operation that does what a run of them does."""
        operation = self._context.operations[run[0]]
        mask, owners = 0, dict[int, int]()
        for at in run:
            mask |= self._resolved[at].dest.mask
            owners.update(dict.fromkeys(_channels(self._resolved[at].dest.mask), at))
        operands = list(operation.operands)
        number = -1
        for place, operand in enumerate(operands):
            if isinstance(operand, Dest):
                operands[place] = operand._replace(mask=mask)
            if isinstance(operand, Source):
                number += 1
                channels = [
                    SLOTS[_sources(self._context.operations[owners.get(n, run[0])])[number].selector][n] for n in range(4)
                ]
                operands[place] = operand._replace(selector=_selector(channels))
        return operation._replace(operands=tuple(operands), descriptor=-1)

    # Where values are read

    def _value(self, pc: int) -> Value | None:
        """What a word writes to a temporary, if that is all that it does."""
        instruction = self._resolved[pc]
        found = written(instruction)
        register = instruction.dest.register
        if not found or not TEMPORARY <= register < FLOAT or any(what != "dst" for what, _ in found):
            return None
        return Value(pc, register, tuple(sorted(channel for _, channel in found)))

    def _reading_words(self) -> dict[int, dict[int, tuple[int, ...]]]:
        """By the word that writes a value, the words that may read it with the numbers of the sources by which they do.

        One solution for all values: the set has a bit for each value and channel.
        """
        context, graph = self._context, self._graph
        owners = list(self._values)
        own, of_component = _numbered([self._values[pc] for pc in owners])

        def step(pc: int) -> Step:
            gone = sum([of_component.get(component, 0) for component in _each(context.effect(pc).writes & _TEMPORARIES)])
            return Step(~gone, sum([own[n] for n in positions.get(pc, ())]))

        positions: dict[int, list[int]] = {pc: [n] for n, pc in enumerate(owners)}
        found: dict[int, dict[int, tuple[int, ...]]] = {pc: {} for pc in owners}
        for _, pc, perhaps in dataflow.before(graph, dataflow.forward(graph, step, 0, must=False), step):
            reads = context.effect(pc).reads & _TEMPORARIES
            for component in _each(reads) if perhaps else ():
                for bit in _each(perhaps & of_component.get(component, 0)):
                    owner = owners[(bit.bit_length() - 1) // 4]
                    if pc not in found[owner]:
                        found[owner][pc] = _reading(self._resolved[pc], self._values[owner].register)
        return found

    def _uses(self, candidates: Sequence[tuple[Value, int]]) -> list[list[_Use] | None]:
        """For each value, the words that read it, if they read nothing else by the same source, and no component of a set has changed there.

        None where one of them does not fit, and where the value may outlive the run.
        """
        context, graph = self._context, self._graph
        own, of_component = _numbered([value for value, _ in candidates])
        depending: dict[int, int] = {}
        written_by: dict[int, list[int]] = {}
        for n, (value, depends) in enumerate(candidates):
            written_by.setdefault(value.pc, []).append(n)
            for component in _each(depends):
                depending[component] = depending.get(component, 0) | own[n]

        def step(pc: int) -> Step:
            gone = 0
            for component in _each(context.effect(pc).writes & _TEMPORARIES):
                gone |= of_component.get(component, 0) | depending.get(component, 0)
            return Step(~gone, sum([own[n] for n in written_by.get(pc, ())]))

        wanted: dict[int, list[int]] = {}  # by reader, the candidates
        for n, (value, _) in enumerate(candidates):
            for reader in self._readers[value.pc]:
                wanted.setdefault(reader, []).append(n)
        everywhere: dict[tuple[int, int], int] = {}  # by candidate and reader, the channels that are sure in every state
        for _, pc, sure in dataflow.before(graph, dataflow.forward(graph, step, 0, must=True), step) if candidates else ():
            for n in wanted.get(pc, ()):
                everywhere[n, pc] = everywhere.get((n, pc), 0xF) & sure >> 4 * n
        return [
            None if depends & _bits(value) or self._kept & _bits(value) else self._fitting(n, value, everywhere)
            for n, (value, depends) in enumerate(candidates)
        ]

    def _fitting(self, n: int, value: Value, everywhere: dict[tuple[int, int], int]) -> list[_Use] | None:
        uses: list[_Use] = []
        for pc, sources in sorted(self._readers[value.pc].items()):
            instruction = self._resolved[pc]
            needed = {
                SLOTS[instruction.sources[number].selector][slot]
                for number, slot in slots_used(instruction)
                if number in sources
            }  # fmt: skip
            if not needed <= set(value.channels) or any(not everywhere[n, pc] >> channel & 1 for channel in needed):
                return None
            uses.append(_Use(pc, sources))
        return uses

    # Names

    def _listed(self, words: Sequence[int]) -> str:
        """Words by their places: `line 12`, `lines 12, 13 and 15`."""
        places = [self._context.place(pc) for pc in words]
        kind = places[0].partition(" ")[0]
        numbers = list(dict.fromkeys([place.partition(" ")[2] for place in places]))
        if len(numbers) == 1:
            return places[0]
        return f"{kind}s {', '.join(numbers[:-1])} and {numbers[-1]}"

    def _name(self, source: Source) -> str:
        name = register_name(source.register)
        interface = self._context.interface
        for uniform in (*interface.inputs, *interface.uniforms, *interface.private):
            if uniform.first <= source.register <= uniform.last:
                name = uniform.name if uniform.size == 1 else f"{uniform.name}[{source.register - uniform.first}]"
                break
        return f"-{name}" if source.negate else name

    def _output(self, register: int) -> str:
        names = [output.name for output in self._context.interface.outputs if output.register == register and output.name]
        return names[0] if names else f"o{register}"


def hints_of(contexts: Sequence[AnalysisContext]) -> list[Hint]:
    """The hints about the shaders of a program. A hint about words that several shaders share fits all of them."""
    found: dict[tuple[str, Edit], Hint] = {}
    counts: dict[tuple[str, Edit], int] = {}
    for context in contexts:
        graph = context.graph
        if not isinstance(graph, Graph) or sum([block.size for block in graph.blocks]) > _MOST_PLACES:
            continue
        for hint in Hints(context, graph).all():
            found.setdefault((hint.code, hint.edit), hint)
            counts[hint.code, hint.edit] = counts.get((hint.code, hint.edit), 0) + 1
    fitting = [
        hint
        for key, hint in found.items()
        if counts[key] == sum(any(pc in context.reached for pc in hint.edit.words) for context in contexts)
    ]
    return [*fitting, *equal_constants(contexts), *unused_descriptors(contexts)]


def equal_constants(contexts: Sequence[AnalysisContext]) -> Iterator[Hint]:
    """H006: constants of a shader with the same values. Those of arrays, which an index may choose from, do not count."""
    for context in contexts:
        names: dict[int, tuple[str, Span | None]] = {}
        several: set[int] = set()
        for uniform in (*context.interface.private, *context.interface.uniforms):
            names.setdefault(uniform.first, (uniform.name, uniform.span))
            several.update(range(uniform.first, uniform.last + 1) if uniform.size > 1 else ())
        first: dict[tuple[int, ...], int] = {}
        for constant in context.interface.constants:
            register = constant.register
            if not FLOAT <= register < INTEGER or register in several or register not in names:
                continue
            if constant.values not in first:
                first[constant.values] = register
                continue
            (name, span), (other, _) = names[register], names[first[constant.values]]
            message = f"the constants {other} and {name} have the same values"
            yield Hint("H006", Finding(message, f"use {other} for both", context.interface.entry, span, topic=name), Edit(()))


def unused_descriptors(contexts: Sequence[AnalysisContext]) -> Iterator[Hint]:
    """H007: operand descriptors of a file that none of its words uses."""
    if not contexts or contexts[0].program.encoding is None:
        return
    context = contexts[0]
    used = {inst.field("desc") for inst in context.insts if "src" in inst.op.operands}
    unused = [n for n in range(len(context.descriptors)) if n not in used]
    if unused:
        many = len(unused) > 1
        message = f"{len(unused)} of {len(context.descriptors)} operand descriptors {'are' if many else 'is'} not used by any instruction"
        yield Hint(
            "H007", Finding(message, "assemble the source again, or ignore it: they take room in the table of 128"), Edit(())
        )


def _bits(value: Value) -> int:
    """The components of a value, as bits of `dataflow`."""
    return dataflow.bits([Component("r", value.register - TEMPORARY, channel) for channel in value.channels])


def _numbered(values: Sequence[Value]) -> tuple[list[int], dict[int, int]]:
    """Bits 4n to 4n + 3 for the channels of value n: those of each value, and those of all values by the component that they are in."""
    own: list[int] = []
    of_component: dict[int, int] = {}
    for n, value in enumerate(values):
        own.append(0)
        for channel in value.channels:
            bit = 1 << 4 * n + channel
            own[n] |= bit
            component = dataflow.bit(Component("r", value.register - TEMPORARY, channel))
            of_component[component] = of_component.get(component, 0) | bit
    return own, of_component


def _each(bits: int) -> Iterator[int]:
    """The bits of a set, one by one."""
    while bits:
        low = bits & -bits
        yield low
        bits ^= low


def _sources(operation: Operation) -> tuple[Source, ...]:
    return tuple([operand for operand in operation.operands if isinstance(operand, Source)])


def _encodable(operation: Operation) -> Operation | None:
    """An operation, its first two sources exchanged where only that can be encoded; None for one that cannot."""
    sources = _sources(operation)
    if sources_fault(operation.op, sources) is None:
        return operation
    places = [n for n, operand in enumerate(operation.operands) if isinstance(operand, Source)]
    if operation.op.commutes != YES or len(sources) < 2:
        return None
    operands = list(operation.operands)
    operands[places[0]], operands[places[1]] = operands[places[1]], operands[places[0]]
    exchanged = operation._replace(operands=tuple(operands))
    return exchanged if sources_fault(operation.op, _sources(exchanged)) is None else None


def _composed(outer: Source, inner: Source) -> Source:
    """A source that reads by `outer` what `inner` has put into its register."""
    channels = [SLOTS[inner.selector][channel] for channel in SLOTS[outer.selector]]
    return Source(inner.register, _selector(channels), outer.negate != inner.negate, inner.relative)


def _selector(channels: Sequence[int]) -> int:
    return channels[0] << 6 | channels[1] << 4 | channels[2] << 2 | channels[3]


def _with_dest(operation: Operation, register: int) -> Operation:
    operands = tuple(
        [operand._replace(register=register) if isinstance(operand, Dest) else operand for operand in operation.operands]
    )
    return operation._replace(operands=operands, descriptor=-1)


def _channels(mask: int) -> list[int]:
    return [n for n in range(4) if mask >> (3 - n) & 1]


def _letters(channels: Sequence[int]) -> str:
    """The channels as a suffix: `.xy`; none for all four."""
    return "" if len(channels) == 4 else "." + "".join([COMPONENTS[n] for n in channels])


def _written_channels(instruction: ResolvedInst) -> set[int]:
    return {channel for what, channel in written(instruction) if what == "dst"}


def _reading(instruction: ResolvedInst, register: int) -> tuple[int, ...]:
    """The sources of an instruction that are a register, and that have an effect."""
    used = {number for number, _ in slots_used(instruction)}
    return tuple([n for n, source in enumerate(instruction.sources) if n in used and source.register == register])


def _componentwise(instruction: ResolvedInst) -> bool:
    """Whether each component of the result depends on the same component of the selected sources only, in the same manner."""
    every = written(instruction._replace(dest=instruction.dest._replace(mask=0xF)))
    return len(every) == 4 and all(
        what == "dst" and {slot for _, slot in slots} == {channel} for (what, channel), slots in every.items()
    )


__all__ = ["Edit", "Hint", "Hints", "hints_of"]
