"""Rules of values: uninitialised reads, dead writes, suspicious constants."""

from __future__ import annotations

from lanewise.core.cached import cached_property, lru_cache
from lanewise.core.diagnostics import NOTE
from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.graph import dataflow as flow
from lanewise.graph.dataflow import EVERYTHING, Step
from lanewise.graph.paths import closure
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.counterexample import decisions, path_to
from lanewise.pica200.check.dataflow import OUTPUTS, REGISTERS
from lanewise.pica200.check.demand import certain, demand
from lanewise.pica200.isa import cures
from lanewise.pica200.isa.facts import ZERO_TIMES_INFINITY
from lanewise.pica200.isa.program import Source
from lanewise.pica200.isa.table import ARITHMETIC, COMPONENTS, FLOAT, INTEGER, LOOP, NOP
from lanewise.pica200.sem.components import slots_used
from lanewise.pica200.sem.influence import factors
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lanewise.core.diagnostics import Edit
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.ir.graph import Edge, Graph
    from lanewise.pica200.sem.components import Component

_AL = 3  # the number of aL as an index register
_HIGHEST_OFFSET = 127
_SMALLEST, _INFINITY = 0x010000, 0x7F0000


def components_text(components: Iterable[Component]) -> str:
    """Components as text, grouped by register: `r1.xyz and r4`; all four have no suffix."""
    letters: dict[str, str] = {}
    for component in components:
        name = str(component).partition(".")[0]
        letters[name] = letters.get(name, "") + ("" if name == "aL" else COMPONENTS[component.channel])
    parts = [f"{name}.{found}" if found not in ("", COMPONENTS) else name for name, found in letters.items()]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _every_write(context: AnalysisContext) -> int:
    found, writes = 0, context.writes
    for pc in context.reached - context.damaged:
        found |= writes[pc]
    return found


def read_before_written(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V095: a read of a component that is not written on every path to it, and whose value has an effect (`demand`).

    Where one such read follows another, the finding is at the first. Geometry shaders keep their registers from run to run
    (C10): there only components that are never written count. Where a condition after the write decides whether the value has
    an effect, it may hold only where the component is written: that is a note.
    """
    ever = _every_write(context)
    start = ever if context.interface.geometry else 0
    if not _may_read_unwritten(context, graph, dataflow.gathered(graph, context.writes, start, must=True)):
        return
    demanded = demand(context, graph)
    by_address = demanded.by_address()

    def step(item: tuple[int, int]) -> Step:
        effect = context.effect(item[1])
        reads = effect.reads if context.damaged else demanded.at[item]  # what a damaged word makes of them is unknown
        return Step(EVERYTHING, reads | effect.writes)

    never = REGISTERS & ~ever if not context.damaged else 0
    for pc in sorted(graph.at):
        for components in _by_register(by_address[pc] & never) if by_address[pc] & never else ():
            never &= ~dataflow.bits(components)
            text = components_text(components)
            yield Finding(
                message=f"{text} {_is(text)} read here but never written",
                fix=_fix(text),
                pc=pc,
                notes=_half_written(context, text),
                topic=_register(components),
            )
    reported: set[tuple[int, str]] = set()
    perhaps: dict[int, int] = {}  # by word, what some path to it has written
    for block, coming in zip(graph.blocks, dataflow.gathered(graph, context.writes, start, must=False), strict=True):
        some = coming
        for pc in block.addresses:
            perhaps[pc] = perhaps.get(pc, 0) | some
            some |= context.writes[pc]
    guards = _Guards(context, graph)
    values = flow.forward(graph.flow, demanded.nodes, step, {0: start}, must=True)
    for number, (_, pc), sure in flow.before(demanded.nodes, values, step):
        missing = demanded.at[number, pc] & ~sure & ever
        for components in _by_register(missing) if missing else ():
            if (pc, _register(components)) in reported:
                continue
            reported.add((pc, _register(components)))
            sure_ones = [
                each for each in components if not (bit := dataflow.bit(each)) & perhaps[pc] or not guards.may_imply(bit, pc)
            ]
            guarded = not sure_ones
            shown = sure_ones or components
            wanted, text = dataflow.bits(shown), components_text(shown)
            if not wanted & perhaps[pc]:
                yield Finding(
                    message=f"{text} {_is(text)} read before anything has written {_it(text)}",
                    fix=_fix(text),
                    pc=pc,
                    topic=_register(components),
                )
                continue
            notes = decisions(context, graph, _path_without(context, graph, wanted & -wanted, number))
            message = f"{text} {_is(text)} read here but not written on every path"
            yield Finding(
                message=f"{message}, unless a condition ensures it" if guarded else message,
                fix=f"write {text} on the other paths too, if no condition ensures it" if guarded else _fix(text),
                pc=pc,
                span=None,
                notes=notes,
                topic=_register(components),
                severity=NOTE if guarded else "",
            )


def _may_read_unwritten(context: AnalysisContext, graph: Graph, at_entry: Sequence[int]) -> bool:
    """Whether a word reads a component that is not written on every path to it."""
    reads, writes = context.reads, context.writes
    for block, coming in zip(graph.blocks, at_entry, strict=True):
        sure = coming
        for pc in block.addresses:
            if reads[pc] & ~sure:
                return True
            sure |= writes[pc]
    return False


class _Guards:
    """Whether a condition may imply that a component is written where it is read.

    A path on which it is not written has a last decision before the value's effect is inevitable. Where a write can come
    after that decision, and before the read, the path leaves it out and nothing follows that could have told: no condition
    implies the write. Nor does one where no write can come before the read. Otherwise that decision may.
    """

    def __init__(self, context: AnalysisContext, graph: Graph) -> None:
        self._context, self._graph = context, graph
        self._known: dict[tuple[int, int], bool] = {}

    def may_imply(self, component: int, pc: int) -> bool:
        """Whether a condition may imply that the component, a bit of `dataflow`, is written at a word that reads it."""
        key = component, pc
        if key not in self._known:
            self._known[key] = self._may_imply(component, pc)
        return self._known[key]

    @cached_property
    def _certain(self) -> tuple[int, ...]:
        return certain(self._context, self._graph)

    def _may_imply(self, component: int, pc: int) -> bool:
        graph = self._graph
        following, coming = graph.successors, graph.predecessors
        writing = [{at for at in block.addresses if self._context.effect(at).writes & component} for block in graph.blocks]
        reading = {block.number for block in graph.blocks if pc in block.addresses}
        first = {number for number in reading if not any(at < pc for at in writing[number])}
        plain = {number for number, found in enumerate(writing) if not found}
        unwritten = closure([targets if n in plain else () for n, targets in enumerate(following)], [0])
        before = closure([[n for n in sources if n in plain] for sources in coming], first)
        without = unwritten & before  # at the start of these blocks of a path to the read that does not write the component
        if not any(self._certain[number] & component for number in first & without):
            return True
        stopped = [[n for n in sources if n not in reading] for sources in coming]
        avoiding = closure(stopped, graph.flow.exits - reading)
        inevitable = closure(stopped, reading) - avoiding
        writers = closure(stopped, reading) - plain - reading
        able = closure(stopped, writers)
        if 0 in without and 0 not in able:  # nothing can be written before the read is reached for the first time
            return False
        return 0 not in without & inevitable and not without & inevitable & able - reading


def _register(components: Sequence[Component]) -> str:
    return str(components[0]).partition(".")[0]


def _half_written(context: AnalysisContext, text: str) -> tuple[str, ...]:
    """Of an index register that nothing writes: the word that writes the other one alone, as a `mova` of a0 does."""
    if text not in ("a0.x", "a0.y"):
        return ()
    other = "a0.y" if text == "a0.x" else "a0.x"
    for pc in sorted(context.reached - context.damaged):
        if any(str(each) == other for each in dataflow.components(context.writes[pc])):
            return (f"{context.place(pc)} writes {other} only: `mova a0.xy` writes both",)
    return ()


def _fix(text: str) -> str:
    return f"write {text} first, or use other components"


def _by_register(missing: int) -> list[list[Component]]:
    found: dict[str, list[Component]] = {}
    for component in dataflow.components(missing):
        found.setdefault(str(component).partition(".")[0], []).append(component)
    return list(found.values())


def _path_without(context: AnalysisContext, graph: Graph, component: int, goal: int) -> list[Edge] | None:
    """A path to a block on which no word writes a component."""
    writing = {block.number for block in graph.blocks if any(context.effect(pc).writes & component for pc in block.addresses)}
    return path_to(graph, lambda edge: edge.target == goal, writing - {goal})


def _is(text: str) -> str:
    return "are" if _many(text) else "is"


def _it(text: str) -> str:
    return "them" if _many(text) else "it"


def _many(text: str) -> bool:
    return len(text.partition(".")[2]) > 1


def dead_write(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V096: an instruction whose result is not read on any path. Outputs count as read."""
    at_end = REGISTERS if context.interface.geometry else 0
    reads, writes = [*context.reads], context.writes
    kills = [~found for found in writes]
    for pc in context.damaged:
        reads[pc], kills[pc] = REGISTERS, EVERYTHING
    used: set[int] = set()
    unused: dict[int, int] = {}
    needed: dict[int, int] = {}  # what is read later on every path that comes from a word
    for block, leaving in zip(graph.blocks, dataflow.live(graph, reads, kills, at_end), strict=True):
        value = leaving
        for pc in reversed(block.addresses):
            needed[pc] = needed.get(pc, value) & value
            if writes[pc] & (value | OUTPUTS):
                used.add(pc)
            elif context.resolved(pc) is not None:
                unused[pc] = writes[pc]
            value = value & kills[pc] | reads[pc]
    for pc in sorted(unused.keys() - used):
        if unused[pc]:
            text = _text_of(unused[pc])
            message = f"value written to {text} is never read"
            yield Finding(
                message=message,
                fix="remove it, or use its result",
                pc=pc,
                span=None,
                notes=(),
                topic="",
                related=(),
                edits=_removed(context, pc, needed[pc]),
            )
        else:
            yield Finding(message="no effect: the write mask is empty", fix="add a mask, or remove it", pc=pc)


@lru_cache(1 << 12)
def _text_of(found: int) -> str:
    """A set of `dataflow` as text."""
    return components_text(dataflow.components(found))


def _removed(context: AnalysisContext, pc: int, later: int) -> tuple[Edit, ...]:
    """A dead instruction less, where that makes no other one dead or unused and leaves the ends of blocks as they are."""
    span = context.span(pc)
    if span is None or context.damaged or context.effect(pc).reads & ~later or pc - 1 not in context.reached:
        return ()
    around = context.kind(pc - 1) in (ARITHMETIC, NOP) and "a0" not in context.row(pc - 1).writes
    same = context.nests[pc - 1] == context.nests[pc] and pc > context.interface.entry and pc not in context.labelled
    uniforms = {o.register for o in context.operations[pc].operands if isinstance(o, Source) and o.register >= FLOAT}
    once = any(context.uniform_reads.get(register, 0) < 2 for register in uniforms)
    return cures.without(span) if around and same and not once else ()


# Numbers that the file presets


def _presets(context: AnalysisContext) -> Mapping[int, tuple[int, ...]]:
    return {constant.register: constant.values for constant in context.interface.constants}


def nan_constants(context: AnalysisContext) -> Iterator[Finding]:
    """V061: constants of a file with the bits of a NaN; for sources the assembler reports it."""
    for name, word in _odd_words(context):
        if word & 0x7FFFFF > _INFINITY:
            message = f"{name} holds {word:#08x}, the pattern of a NaN"
            yield Finding(message=message, fix="the largest float24 is 3.689e19; infinity is 0x7f0000", topic=name)


def subnormal_constants(context: AnalysisContext) -> Iterator[Finding]:
    """V062: subnormal constants of a file; for sources the assembler reports it."""
    for name, word in _odd_words(context):
        if word & 0x7FFFFF < _SMALLEST:
            message = f"{name} holds {word:#08x}, a subnormal, which arithmetic treats as 0"
            yield Finding(message=message, fix="the smallest normal float24 is 2.168e-19", topic=name)


def _odd_words(context: AnalysisContext) -> Iterator[tuple[str, int]]:
    """Names and words of the NaN and subnormal components of a file's constants; none for sources."""
    for register, values in _presets(context).items() if context.program.encoding is not None else ():
        for component, word in enumerate(values):
            if FLOAT <= register < INTEGER and word & 0x7FFFFF and not _SMALLEST <= word & 0x7FFFFF <= _INFINITY:
                yield f"c{register - FLOAT}.{COMPONENTS[component]}", word


def zero_times_infinity(context: AnalysisContext) -> Iterator[Finding]:
    """V100: an infinite constant as a factor."""
    infinite = {
        (register, component)
        for register, values in _presets(context).items()
        for component, word in enumerate(values)
        if FLOAT <= register < INTEGER and word & 0x7FFFFF == _INFINITY
    }
    for pc in sorted(context.reached) if infinite else ():
        resolved, row = context.resolved(pc), context.row(pc)
        if resolved is None or row.name not in ZERO_TIMES_INFINITY.ops:
            continue
        for number, slot in sorted(slots_used(resolved) & factors(row)):
            source = resolved.sources[number]
            if not source.relative and (source.register, SLOTS[source.selector][slot]) in infinite:
                name = f"c{source.register - FLOAT}.{COMPONENTS[SLOTS[source.selector][slot]]}"
                message = f"{name} is infinite: where the other factor is 0, the product is 0 instead of NaN"
                yield Finding(message=message, fix="use the largest float24, 3.689e19, or select with `cmp`", pc=pc)
                break


def loop_counts(context: AnalysisContext) -> Iterator[Finding]:
    """V101: a loop whose preset count looks like a negative number."""
    presets = _presets(context)
    for pc in sorted(context.reached):
        if context.kind(pc) != LOOP:
            continue
        number = context.insts[pc].field("reg") & 3
        values = presets.get(INTEGER + number)
        if values is not None and values[0] > _HIGHEST_OFFSET:
            message = f"i{number}.x is {values[0]}, so this loop runs {values[0] + 1} iterations: bytes are unsigned"
            yield Finding(message=message, fix=f"write n - 1 for n iterations; {values[0] - 256} may have been intended", pc=pc)


def index_past_array(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V102: aL leads past the indexed array, with the count that the file presets."""
    presets = _presets(context)
    reported: set[int] = set()
    for block in graph.blocks:
        if not block.state.loops:
            continue
        register = INTEGER + block.state.loops[-1].register
        if register not in presets:
            continue
        iterations, start, step = (*presets[register], 0, 0, 0)[:3]
        last = start + iterations * step
        for pc in block.addresses:
            resolved = context.resolved(pc)
            for source in resolved.sources if resolved is not None and pc not in reported else ():
                if source.relative != _AL or source.register < FLOAT or last > _HIGHEST_OFFSET:
                    continue
                found = _past(context, source, last)
                if found:
                    reported.add(pc)
                    yield Finding(
                        message=found,
                        fix=_shorter(context, register, iterations, source.register, start, step),
                        pc=pc,
                    )


def _past(context: AnalysisContext, source: Source, last: int) -> str:
    """The message if the last iteration reads past the array or the registers; otherwise empty."""
    for uniform in context.interface.uniforms:
        if uniform.first <= source.register <= uniform.last and uniform.size > 1:
            offset = source.register - uniform.first + last
            return (
                f"the last iteration reads {uniform.name}[{offset}]: {uniform.name} has {uniform.size} elements"
                if offset >= uniform.size
                else ""
            )
    if source.register + last >= INTEGER:
        return f"the last iteration reads c{source.register - FLOAT + last}: past c95 every component is 1"
    return ""


def _shorter(context: AnalysisContext, register: int, iterations: int, first: int, start: int, step: int) -> str:
    """The fix of V102: a count with which the last iteration stays inside."""
    end = next((each.last for each in context.interface.uniforms if each.first <= first <= each.last), INTEGER - 1)
    kept = [x for x in range(iterations) if first + start + x * step <= end]
    name = next((each.name for each in context.interface.private if each.first == register), f"i{register - INTEGER}")
    runs = f"the loop runs {name}.x + 1 = {iterations + 1} times"
    return f"{runs}: write {kept[-1]} as its x" if kept else f"{runs}: end it earlier"


def wide_al(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V103: aL exceeds 127 while it is an index, with the count that the file presets."""
    presets = _presets(context)
    reported: set[int] = set()
    for block in graph.blocks:
        register = INTEGER + block.state.loops[-1].register if block.state.loops else -1
        if register not in presets:
            continue
        iterations, start, step = (*presets[register], 0, 0, 0)[:3]
        last = start + iterations * step
        for pc in block.addresses if last > _HIGHEST_OFFSET else ():
            resolved = context.resolved(pc)
            if resolved is not None and pc not in reported and any(source.relative == _AL for source in resolved.sources):
                reported.add(pc)
                message = f"aL is {last} in the last iteration: an index above {_HIGHEST_OFFSET} counts as 0"
                yield Finding(message=message, fix="use smaller steps, or a higher base register", pc=pc)
