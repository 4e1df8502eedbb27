"""The moves of `lanewise opt`: each finds edits by which a program has fewer words.

A move is a row of `MOVES`. What it finds is decided by dataflow, quickly; `optimise` proves it, and so do the hints of
`lanewise check`.
"""

from __future__ import annotations

from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Dest, Operation, Source, Target
from lanewise.pica200.isa.table import (
    BY_NAME,
    CALL,
    EMIT,
    END,
    FLOAT,
    JUMP,
    NOP,
    TEMPORARY,
    register_name,
)
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.opt.compared import compared
from lanewise.pica200.opt.constants import packed
from lanewise.pica200.opt.editing import Edit, regions
from lanewise.pica200.opt.operations import (
    Candidate,
    Move,
    by_channel,
    channels_of,
    composed,
    depends,
    encodable,
    reading_instead,
    retargeted,
    sources_of,
    with_sources,
)
from lanewise.pica200.opt.parts import parts
from lanewise.pica200.opt.renamed import renamed
from lanewise.pica200.opt.rewritten import rewritten
from lanewise.pica200.opt.values import Value, bits_of, letters
from lanewise.pica200.sem.influence import written
from lanewise.pica200.sem.meaning import COPY, DOT, DOT_WITH_ONE, PRODUCT, PRODUCT_AND_SUM, SUM
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.opt.values import Ones, Values
    from lanewise.pica200.sem.instruction import ResolvedInst

# Words without an effect


def sent_again(values: Values) -> Iterator[Candidate]:
    """Outputs that have the value already that an instruction writes: that of two emits ago."""
    context = values.context
    if not context.interface.geometry:
        return
    emits = 0
    # By bank, output and channel: what was written, after how many emits.
    last: dict[tuple[int, int, int], tuple[object, int]] = {}
    for pc in sorted(values.places):
        emits += context.kind(pc) == EMIT
        instruction = values.resolved.get(pc)
        if instruction is None or instruction.dest.register >= TEMPORARY:
            continue
        register = instruction.dest.register
        found = by_channel(context.operations[pc], instruction)
        known = [last.get((emits % 2, register, channel)) for channel in found]
        if found and all(
            old is not None and old[0] == what and old[1] < emits for old, what in zip(known, found.values(), strict=True)
        ):
            name = values.output(register)
            yield Candidate(
                "", Finding(message=f"{name} has this value already, from two emits ago", fix="remove it", pc=pc), Edit((pc,))
            )
        else:
            last.update({(emits % 2, register, channel): (what, emits) for channel, what in found.items()})


def unneeded(values: Values) -> Iterator[Candidate]:
    """Instructions none of whose results has an effect."""
    context, demand = values.context, values.demand
    seen = values.observable
    for pc, instruction in values.resolved.items():
        mine = 0
        for target, _ in context.effect(pc).flows:
            mine |= target
        wanted = seen
        for number in values.places[pc]:
            wanted |= demand.after[number, pc]
        if not mine & wanted and written(instruction):
            yield Candidate("", Finding(message="its result has no effect", fix="remove it", pc=pc), Edit((pc,)))


def unreachable(values: Values) -> Iterator[Candidate]:
    """Words that nothing reaches."""
    context = values.context
    reached = {pc for other in (context, *values.others) for pc in other.reached}
    gone = tuple([pc for pc in range(len(context.operations)) if pc not in reached])
    if gone:
        yield Candidate("", Finding(message="it is unreachable", fix="remove it", pc=gone[0]), Edit(gone))


def padding(values: Values) -> Iterator[Candidate]:
    """NOPs that no block needs."""
    context = values.context
    for pc in values.places:
        if context.kind(pc) == NOP:
            yield Candidate("", Finding(message="no block needs this NOP", fix="remove it", pc=pc), Edit((pc,)))


def empty_blocks(values: Values) -> Iterator[Candidate]:
    """Conditionals and calls that do nothing, and jumps to the next word."""
    context = values.context
    for pc in values.places:
        operation = context.operations[pc]
        target = operation.operands[-1] if operation.operands else None
        if not isinstance(target, Target):
            continue
        if operation.op.kind == JUMP and target.address == pc + 1:
            yield Candidate("", Finding(message="it jumps to the next word", fix="remove it", pc=pc), Edit((pc,)))
            continue
        mine = [stretch for owner, stretch, _ in regions(context.operations) if owner == pc]
        words = [at for stretch in mine for at in stretch]
        if mine and all(context.kind(at) == NOP for at in words):
            inside = () if operation.op.kind == CALL else tuple(words)
            yield Candidate("", Finding(message="the block does nothing", fix="remove it", pc=pc), Edit((pc, *inside)))


# H001, H005: values that another register has


def copies(values: Values) -> Iterator[Candidate]:
    """H001: a mov whose source is there where its result is read."""
    found: list[tuple[Value, Source]] = []
    for pc, value in values.all.items():
        source = values.resolved[pc].sources[0]
        if values.context.op(pc) == COPY:
            found.append((value, source))
    for (value, source), replaced in zip(found, _replaced(values, found), strict=True):
        if replaced:
            text, name = _copied(values, value, source)
            many = len(replaced) > 1
            message = f"{text} is a copy of {name}, which holds the same value wherever the copy is read"
            places = values.listed([at for at, _ in replaced])
            fix = f"remove it, and read {name} in {places}, the only {'readers' if many else 'reader'} of the copy"
            yield Candidate("H001", Finding(message=message, fix=fix, pc=value.pc), Edit((value.pc,), replaced))


def copies_in_dots(values: Values) -> Iterator[Candidate]:
    """H008: a copy of three components, read by dp4 with a 1 as the last one: dph reads the original."""
    ones = values.ones()
    found: list[tuple[Value, Source]] = []
    for pc, value in values.all.items():
        source = values.resolved[pc].sources[0]
        if values.context.op(pc) == COPY and any(values.context.op(reader) == DOT for reader in values.readers[pc]):
            found.append((value, source))
    uses = values.uses([(value, depends(value, source)) for value, source in found], ones)
    for (value, source), readers in zip(found, uses, strict=True):
        replaced: list[tuple[int, Operation]] = []
        dots = False
        for use in readers or ():
            operation = values.context.operations[use.pc]
            reading = with_sources(operation, {n: composed(sources_of(operation)[n], source) for n in use.sources})
            if values.context.op(use.pc) == DOT and len(use.sources) == 1 and (use.pc, use.sources[0]) in ones.last:
                vector = sources_of(reading)[use.sources[0]]
                other = sources_of(reading)[1 - use.sources[0]]
                reading = reading._replace(op=BY_NAME[DOT_WITH_ONE], operands=(reading.operands[0], vector, other))
                dots = True
            changed = encodable(reading)
            if changed is None:
                replaced.clear()
                break
            replaced.append((use.pc, changed))
        if replaced and dots:
            text, name = _copied(values, value, source)
            message = f"{text} is a copy of {name}, and w is 1 in the vectors that `dp4` reads with it"
            fix = f"remove it, and read {name} by `dph` in {values.listed([at for at, _ in replaced])}"
            yield Candidate("H008", Finding(message=message, fix=fix, pc=value.pc), Edit((value.pc,), tuple(replaced)))


def computed_twice(values: Values) -> Iterator[Candidate]:
    """H005: an instruction whose result is in a register already."""
    found: list[tuple[Value, Source]] = []
    for pc, registers in values.equal().items():
        value = values.all[pc]
        if value.register in registers:
            name = f"{register_name(value.register)}{letters(value.channels)}"
            yield Candidate("H005", Finding(message=f"{name} holds this value already", fix="remove it", pc=pc), Edit((pc,)))
        else:
            found += [(value, Source(register)) for register in sorted(registers)]
    done: set[int] = set()
    for (value, source), replaced in zip(found, _replaced(values, found), strict=True):
        if replaced and value.pc not in done:
            done.add(value.pc)
            name = register_name(source.register)
            message = f"{name}{letters(value.channels)} holds this value already, wherever the result is read"
            fix = f"remove it, and read {name} in {values.listed([at for at, _ in replaced])}"
            yield Candidate("H005", Finding(message=message, fix=fix, pc=value.pc), Edit((value.pc,), replaced))


def _copied(values: Values, value: Value, source: Source) -> tuple[str, str]:
    """A copy and its source, with components where they are not all, or not in their places."""
    read = [SLOTS[source.selector][channel] for channel in value.channels]
    plain = list(value.channels) == read
    suffix = "" if plain and len(read) == 4 else letters(read) if len(read) < 4 else "." + "".join(["xyzw"[n] for n in read])
    return f"{register_name(value.register)}{letters(value.channels)}", f"{values.name(source)}{suffix}"


def _replaced(values: Values, wanted: Sequence[tuple[Value, Source]]) -> list[tuple[tuple[int, Operation], ...]]:
    """For each value, its readers that read a source instead; none if one of them cannot."""
    candidates = [(value, depends(value, source)) for value, source in wanted]
    return [reading_instead(values, uses, source) for (_, source), uses in zip(wanted, values.uses(candidates), strict=True)]


# H002: results that are only moved


def results_moved(values: Values) -> Iterator[Candidate]:
    """H002: a mov of what could be written to its destination at once."""
    for pc in sorted(values.resolved):
        instruction = values.resolved[pc]
        source, dest = instruction.sources[0], instruction.dest
        if values.context.op(pc) != COPY or not TEMPORARY <= source.register < FLOAT or source.negate or source.relative:
            continue
        slots = {channel: SLOTS[source.selector][channel] for channel in channels_of(dest.mask)}
        makers = _makers(values, pc, source.register, set(slots.values()))
        if not makers:
            continue
        replaced: list[tuple[int, Operation]] = []
        for maker in makers:
            value = values.all.get(maker)
            if value is None or not values.only_reader(value, pc):
                break
            moved = retargeted(values.context.operations[maker], values.resolved[maker], dest.register, slots)
            if moved is None:
                break
            replaced.append((maker, moved))
        else:
            name = values.written_name(dest.register)
            message = f"{register_name(source.register)} is only moved to {name}"
            fix = f"write {name} in {values.listed(makers)}, and remove the mov"
            yield Candidate("H002", Finding(message=message, fix=fix, pc=pc), Edit((pc,), tuple(replaced)))


def _makers(values: Values, pc: int, register: int, channels: set[int]) -> tuple[int, ...]:
    """The words before `pc` in its block that write the channels, if nothing between them reads, writes or sends the
    destination of the mov."""
    context, dest = values.context, values.resolved[pc].dest
    is_output = dest.register < TEMPORARY
    found: set[tuple[int, ...]] = set()
    for number in values.places[pc]:
        block = values.graph.blocks[number]
        missing, makers = set(channels), set[int]()
        taken = False  # whether a word between reads or writes the destination
        for at in range(pc - 1, block.addresses.start - 1, -1):
            if is_output and context.kind(at) in (EMIT, END):
                return ()
            instruction = values.resolved.get(at)
            if instruction is None:
                continue
            here = _written_channels(instruction) if instruction.dest.register == register else set[int]()
            if here & missing:
                if taken:
                    return ()
                makers.add(at)
                missing -= here
                if not missing:
                    break
                continue
            touched = instruction.dest.register == dest.register and bool(
                _written_channels(instruction) & set(channels_of(dest.mask))
            )
            read = (
                not is_output
                and dest.register != register
                and any(other.register == dest.register for other in instruction.sources)
            )
            taken = taken or touched or read
        if missing:
            return ()
        found.add(tuple(sorted(makers)))
    return found.pop() if len(found) == 1 else ()


# H003: mul, then add


def sums_of_products(values: Values) -> Iterator[Candidate]:
    """H003: a product that is only added to something."""
    context = values.context
    products = [value for pc, value in values.all.items() if context.op(pc) == PRODUCT]
    found = values.uses([(value, context.effect(value.pc).reads) for value in products])
    for value, uses in zip(products, found, strict=True):
        pc, factors = value.pc, values.resolved[value.pc].sources
        if not uses or len(uses) != 1 or context.op(uses[0].pc) != SUM or len(uses[0].sources) != 1:
            continue
        at, place = uses[0].pc, uses[0].sources[0]
        operation = context.operations[at]
        dest = next(operand for operand in operation.operands if isinstance(operand, Dest))
        terms = sources_of(operation)
        first, second = (composed(terms[place], factor) for factor in factors)
        second = second._replace(negate=factors[1].negate)  # the sign of the product is the first factor's
        other = terms[1 - place]
        mad = encodable(operation._replace(op=BY_NAME[PRODUCT_AND_SUM], operands=(dest, first, second, other), descriptor=-1))
        if mad is not None:
            message = f"{register_name(value.register)} is a product that is only added to in {context.place(at)}"
            fix = f"write one `mad` in {context.place(at)}, and remove the mul"
            yield Candidate("H003", Finding(message=message, fix=fix, pc=pc), Edit((pc,), ((at, mad),)))


# H008: dp4 with a 1


def dots_with_one(values: Values) -> Iterator[Candidate]:
    """H008: a 1 that is only the last component of vectors in dp4, which dph has by itself."""
    ones = values.ones()
    for pc, value in values.all.items():
        if value.register not in ones.registers or values.kept & bits_of(value):
            continue
        replaced: list[tuple[int, Operation]] = []
        for reader, sources in values.readers[pc].items():
            dot = _dot_with_one(values, ones, reader, sources, value) if len(sources) == 1 else None
            if dot is None:
                replaced.clear()
                break
            replaced.append((reader, dot))
        if replaced:
            replaced.sort(key=lambda pair: pair[0])
            name = f"{register_name(value.register)}{letters(value.channels)}"
            message = f"{name} is 1, and only the w of {'vectors' if len(replaced) > 1 else 'a vector'} in `dp4`"
            fix = f"write `dph` in {values.listed([at for at, _ in replaced])}, which takes w as 1, and remove this instruction"
            yield Candidate("H008", Finding(message=message, fix=fix, pc=pc), Edit((pc,), tuple(replaced)))


def _dot_with_one(values: Values, ones: Ones, pc: int, sources: Sequence[int], value: Value) -> Operation | None:
    """A dp4 that reads a value as the w of a source only, as dph; None where the source is not 1 there, or dph cannot have the
    operands."""
    instruction, operation = values.resolved[pc], values.context.operations[pc]
    if values.context.op(pc) != DOT:
        return None
    place = sources[0]
    vector, other = instruction.sources[place], instruction.sources[1 - place]
    slots = SLOTS[vector.selector]
    read = [n for n, channel in enumerate(slots) if channel in value.channels]
    if read != [3] or vector.negate or (pc, place) not in ones.last:
        return None
    dot = operation._replace(op=BY_NAME[DOT_WITH_ONE], operands=(operation.operands[0], vector, other), descriptor=-1)
    return dot if sources_fault(dot.op, sources_of(dot)) is None else None


def _written_channels(instruction: ResolvedInst) -> set[int]:
    return {channel for what, channel in written(instruction) if what == "dst"}


MOVES = (
    Move(name="unreachable", code="", find=unreachable, title="unreachable words"),
    Move(name="dead", code="", find=unneeded, title="results without an effect"),
    Move(name="again", code="", find=sent_again, title="outputs that hold the value already"),
    Move(name="block", code="", find=empty_blocks, title="blocks that do nothing", rests_on=("stack_check",)),
    Move(name="padding", code="", find=padding, title="NOPs that no block needs", rests_on=("stack_check",)),
    Move(name="one", code="H008", find=dots_with_one, title="dp4 with a 1, by dph", in_place=True),
    Move(name="copy", code="H001", find=copies, title="copies of registers", rests_on=("subnormal_mov",), in_place=True),
    Move(name="one copy", code="H008", find=copies_in_dots, title="copies read by dp4 with a 1", in_place=True),
    Move(name="result", code="H002", find=results_moved, title="results that are only moved"),
    Move(
        name="sum",
        code="H003",
        find=sums_of_products,
        title="products that are only added to",
        rests_on=("mad_rounding",),
        in_place=True,
    ),
    Move(name="rule", code="", find=rewritten, title="instructions that a rewrite rule makes less", rests_on=("mad_rounding",)),
    Move(name="parts", code="H004", find=parts, title="instructions that are one"),
    Move(name="renamed", code="", find=renamed, title="instructions that are one in other registers", by_hand=True),
    Move(name="twice", code="H005", find=computed_twice, title="values computed twice", in_place=True),
    Move(name="compared", code="", find=compared, title="comparisons that are one", by_hand=True),
    Move(name="constants", code="", find=packed, title="constants in fewer registers"),
)


__all__ = ["MOVES"]
