"""Rules of instructions that compute one value for every component."""

from __future__ import annotations

from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.demand import demand
from lanewise.pica200.check.equality import Equality
from lanewise.pica200.isa.program import Source
from lanewise.pica200.isa.table import ARITHMETIC, COMPONENTS, FLOAT, TEMPORARY, register_name
from lanewise.pica200.sem.components import Component, components_written
from lanewise.pica200.sem.influence import written
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.ir.graph import Graph

_FIRST = frozenset({(0, 0)})


def other_components(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """P061: a result that is used, of a component that the instruction does not read.

    Silent where that component is known to equal the one that is read; where the procedure has written the one that is read and
    none of the others, which cannot be meant then; and for binaries: descriptors are shared, and what a slot has that the
    instruction does not read means nothing there.
    """
    single = [pc for pc in sorted(context.reached) if len(context.sources[pc]) == 1 and pc in graph.at]
    words = {pc: found for pc in single if (found := _in_doubt(context, pc))}
    if not words:
        return
    demanded = demand(context, graph)
    equality = Equality(context, graph)
    for pc in sorted(words):
        instruction = context.resolved(pc)
        if instruction is None:
            continue
        source = instruction.sources[0]._replace(selector=_selector(context, pc))
        results = dict(zip((channel for _, channel in written(instruction)), components_written(instruction), strict=True))
        wrong = ""
        for block in graph.at[pc]:
            state = equality.at(block, pc)
            read = equality.slot(block, pc, source, 0, state)
            for channel in words[pc]:
                used = dataflow.bit(results[channel]) & (demanded.after[block, pc] | context.observable)
                if used and COMPONENTS[channel] not in wrong and equality.slot(block, pc, source, channel, state) != read:
                    wrong += COMPONENTS[channel]
        if wrong and not _alone(context, pc, source, wrong):
            first = COMPONENTS[SLOTS[source.selector][0]]
            register = register_name(source.register)
            result = str(next(iter(results.values()))).partition(".")[0]
            meant = "".join(dict.fromkeys(COMPONENTS[SLOTS[source.selector][COMPONENTS.index(letter)]] for letter in wrong))
            yield Finding(
                message=f"{context.op(pc)} reads only {register}.{first}: the result in {result}.{wrong} is that of "
                f"{register}.{first}, not of {register}.{meant}",
                fix=f"{_each(context, pc, results, source)}; or repeat the component (.{first * 2}) if that is intended",
                pc=pc,
            )


def _each(context: AnalysisContext, pc: int, results: Mapping[int, Component], source: Source) -> str:
    """The fix with one instruction for each component of the result, in the words of the source."""
    span = context.span(pc)
    statement = span.text[span.column - 1 : span.column - 1 + span.length] if span is not None else ""
    name, _, rest = statement.partition(" ")
    operands = rest.split(",")
    if len(operands) == 2:
        (written, _), (read, _) = [_parts(text.strip()) for text in operands]
    else:
        name, written = context.op(pc), str(next(iter(results.values()))).partition(".")[0]
        read = register_name(source.register)
    product = _product(context, pc, source)
    if product and len(operands) == 2:
        count = len(_parts(operands[0].strip())[1]) or len(COMPONENTS)
        return f"write `{name} {operands[0].strip()}, {read}.{product * count}`, which has the product"
    letters = [COMPONENTS[slot] for slot in SLOTS[source.selector]]
    channel, *others = sorted(results)
    first = f"write `{name} {written}.{COMPONENTS[channel]}, {read}.{letters[channel]}`"
    return first + (f", and so for .{', .'.join([COMPONENTS[each] for each in others])}" if others else "")


def _product(context: AnalysisContext, pc: int, source: Source) -> str:
    """The component that a dot product has just been written to, alone; empty without one."""
    for address in range(pc - 1, max(-1, pc - 4), -1):
        written = [each for each in dataflow.components(context.effect(address).writes) if each.file == "r"]
        if context.operations[address].op.kind != ARITHMETIC:
            return ""
        if any(each.number == source.register - TEMPORARY for each in written):
            return COMPONENTS[written[0].channel] if len(written) == 1 and context.op(address)[:2] == "dp" else ""
    return ""


def _parts(operand: str) -> tuple[str, str]:
    """An operand without its components, and these."""
    name, point, letters = operand.rpartition(".")
    return (name, letters) if point and "]" not in letters else (operand, "")


def _alone(context: AnalysisContext, pc: int, source: Source, others: str) -> bool:
    """Whether the procedure around a word has written the component that the word reads, and none of the `others` slots."""
    if not TEMPORARY <= source.register < FLOAT:
        return False
    slots = SLOTS[source.selector]
    number = source.register - TEMPORARY
    own = dataflow.bit(Component("r", number, slots[0]))
    rest = sum({dataflow.bit(Component("r", number, slots[COMPONENTS.index(letter)])) for letter in others})
    around = [each for each in context.program.procedures if each.start <= pc < each.start + each.size]
    start = max([each.start for each in around], default=context.interface.entry)
    before = 0
    for address in range(start, pc):
        before |= context.effect(address).writes
    return bool(before & own) and not before & rest


def _selector(context: AnalysisContext, pc: int) -> int:
    """The selector that the source text has, or one that reads the same component in every slot."""
    operation = context.program.operations[pc] if pc < len(context.program.operations) else None
    if operation is None or operation.span is None or not operation.span.line:
        return 0
    return next((operand.selector for operand in operation.operands if isinstance(operand, Source)), 0)


def _in_doubt(context: AnalysisContext, pc: int) -> tuple[int, ...]:
    """The components of a result that depend only on the first slot of the source, but have another component in their own
    slot."""
    instruction = context.resolved(pc)
    if instruction is None or len(instruction.sources) != 1:
        return ()
    slots = SLOTS[_selector(context, pc)]
    return tuple(
        channel
        for (what, channel), read in written(instruction).items()
        if what == "dst" and read == _FIRST and slots[channel] != slots[0]
    )
