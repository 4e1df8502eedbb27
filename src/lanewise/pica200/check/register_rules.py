"""Rules of registers that the hardware writes: the counter of loops, and the last boolean of a geometry shader."""

from __future__ import annotations

from itertools import chain

from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Dest, Source
from lanewise.pica200.isa.table import BOOLEAN, BREAK, FLOAT, INDEX_NAMES, RESERVED_BOOLEAN, TEMPORARY, register_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.check.structure import Nest
    from lanewise.pica200.ir.graph import Graph

_OF_RUNS = ("first", "run", "ran", "init", "once", "again", "done", "ready", "setup", "started")
_AL = INDEX_NAMES.index("aL")


def counter_of_another_loop(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V135: aL read beside an inner loop, which counts in it too, or after the last round of a loop.

    A loop that a break may leave looks for something: its counter is meant after it.
    """
    reads = [pc for pc in sorted(graph.at) if pc >= 0 and any(source.relative == _AL for source in context.sources[pc])]
    loops = sorted({nest for nest in chain.from_iterable(context.nests) if nest.loop}) if reads else []
    reported: set[Nest] = set()
    for pc in reads:
        around = [nest for nest in context.nests[pc] if nest.loop]
        if around:
            others = [nest for nest in loops if around[-1].start <= nest.opener < around[-1].end]
        elif any(graph.blocks[number].state.loops for number in graph.at[pc]):  # in a procedure
            continue
        else:
            others = [nest for nest in loops if nest.end <= pc][-1:]
            others = [nest for nest in others if all(context.kind(each) != BREAK for each in range(nest.start, nest.end))]
        if not others or others[0] in reported:
            continue
        other = others[0]
        reported.add(other)
        name = _name(context, next(source.register for source in context.sources[pc] if source.relative == _AL))
        copy, where = spare(context), f"the loop of {context.place(other.opener)}"
        if around:
            message = f"{name}[aL] is read beside {where}, which counts in aL too: what is left of it differs between devices"
            fix = f"count the rounds in {copy}.x by `add`, write `mova a0.x, {copy}.x`, and read {name}[a0.x]"
        else:
            message = f"{name}[aL] is read after {where}: aL is past the last round"
            fix = f"write `mov {copy}, {name}[aL]` inside the loop, and read {copy} here"
        yield Finding(message=message, fix=fix, pc=pc, related=context.related([other.opener], "this loop"))


def _name(context: AnalysisContext, register: int) -> str:
    """An array of float uniforms that begins at a register, or the register."""
    found = [each.name for each in context.interface.uniforms if each.first == register >= FLOAT]
    return found[0] if found else register_name(register)


def spare(context: AnalysisContext) -> str:
    """A temporary that the program does not name; the last one without any."""
    used = {
        operand.register
        for operation in context.operations
        for operand in operation.operands
        if isinstance(operand, Source | Dest)
    }
    free = [register for register in range(FLOAT - 1, TEMPORARY - 1, -1) if register not in used]
    return register_name((free or [FLOAT - 1])[0])


def boolean_of_the_unit(context: AnalysisContext) -> Iterator[Finding]:
    """V133: a name for the boolean of a geometry shader that the unit sets.

    Without a name, or by one that says it, this is known: the first run may prepare what the others need.
    """
    named = [alias.name for alias in context.interface.aliases if alias.register == BOOLEAN + RESERVED_BOOLEAN]
    if not context.interface.geometry or not named or any(word in named[0].lower() for word in _OF_RUNS):
        return
    for pc in sorted(context.reached):
        inst = context.insts[pc]
        if "bool" in inst.op.operands and inst.field("reg") == RESERVED_BOOLEAN:
            yield Finding(
                message=f"{named[0]} is b{RESERVED_BOOLEAN}, which a geometry shader finds set from its second run on",
                fix=f"write `.bool {named[0]}` in place of the alias: it gets one of b0 to b14",
                pc=pc,
            )
            return
