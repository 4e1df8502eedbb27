"""Rules of instructions that compute one value for every component."""

from __future__ import annotations

from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.demand import demand
from lanewise.pica200.check.equality import Equality
from lanewise.pica200.isa.program import Source
from lanewise.pica200.isa.table import COMPONENTS, FLOAT, TEMPORARY, register_name
from lanewise.pica200.sem.components import Component, components_written
from lanewise.pica200.sem.influence import written
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator

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
                fix=f"repeat the component (.{first * 2}) if that is intended, or use one instruction for each component",
                pc=pc,
            )


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
