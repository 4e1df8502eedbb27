"""Rules of the flow: what a shader does to the three rings, and whether it comes to an end.

Source of how the rings behave: `sem.flow` (3dbrew, Control Flow). E and a number is an erratum of the project's references.
"""

from __future__ import annotations

from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.graph.dataflow import Step
from lanewise.graph.paths import reaching
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.counterexample import decisions, path_to
from lanewise.pica200.check.dataflow import MOVA
from lanewise.pica200.check.structure import recursive_calls, target_of
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa import cures
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    BREAK,
    CALL,
    CONDITIONAL,
    EMIT,
    END,
    JUMP,
    LAST,
    LOOP,
    NO_OPERATION,
    NOP,
    SETEMIT,
)
from lanewise.pica200.sem.flow import CallSlot, End, Hang, IfSlot, LoopSlot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.diagnostics import Edit
    from lanewise.graph.flow import BudgetExceeded
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.check.structure import Nest
    from lanewise.pica200.ir.graph import Block

PAST_END = "R003"
_STRAIGHT = (ARITHMETIC, NOP, EMIT, SETEMIT)  # kinds of instructions that the next word follows


def adjacent_mova(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V070: a mova that executes right after a mova, adjacent in the text or not."""

    if not any("a0" in inst.op.writes for inst in context.insts):
        return

    def step(pc: int) -> Step:
        return Step(0, MOVA) if "a0" in context.row(pc).writes else Step(0)

    values = dataflow.forward(graph, step, 0, must=False)
    for number, pc, value in dataflow.before(graph, values, step):
        if value & MOVA and "a0" in context.row(pc).writes:
            block = graph.blocks[number]
            before = [pc - 1] if pc > block.state.pc else [graph.blocks[n].last for n in graph.predecessors[number]]
            others = sorted({context.place(other) for other in before if "a0" in context.row(other).writes and other != pc - 1})
            movas = [other for other in before if "a0" in context.row(other).writes]
            related = context.related(movas, "the previous mova")
            notes = (f"the previous mova is in {', '.join(others)}",) if others and not related else ()
            span = context.span(pc)
            edits = cures.before(span, NO_OPERATION.name) if span is not None and pc not in context.labelled else ()
            yield Finding(
                message="consecutive mova hang the GPU",
                fix="put another instruction between them, or write both components with mova a0.xy",
                pc=pc,
                span=None,
                notes=notes,
                topic="",
                related=related,
                edits=edits,
            )


def empty_break(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V071: break with an empty LOOP ring (E9)."""
    fix = "put it between `for` and its `.end`"
    if not any(context.kind(pc) == LOOP for pc in context.reached):  # who has no loop wants to leave the shader
        fix = "leave the shader with `jmpc cmp.x, LABEL`, where LABEL is before `end`; break leaves a `for`"
    for block in graph.blocks:
        for pc in block.addresses if not block.state.loops else ():
            if context.kind(pc) != BREAK:
                continue
            inside = any(nest.loop for nest in context.nests[pc])
            why = "can execute after its loop has ended, which" if inside else "outside a loop"
            notes = decisions(context, graph, path_to(graph, lambda edge, n=block.number: edge.target == n, ()))
            yield Finding(
                message=f"{context.op(pc)} {why} hangs the GPU",
                fix=fix,
                pc=pc,
                span=None,
                notes=notes,
            )


def break_leaves_entries(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V072: break while an IF or CALL entry pushed inside its loop is on its stack."""
    for block in _ended_by(context, graph, BREAK):
        state = block.state
        if not state.loops:
            continue
        loop = state.loops[-1]
        name = context.op(block.last)
        if any(loop.start < slot.back <= loop.end for slot in state.calls):
            message = f"{name} inside a procedure that a loop calls leaves the call's entry on the CALL stack"
            yield Finding(message=message, fix="set a flag in the procedure, and use `breakc` after the call", pc=block.last)
        elif any(loop.start < slot.end <= loop.end and block.last < slot.end for slot in state.ifs):
            message = f"{name} inside a conditional leaves the conditional's entry on the IF stack"
            yield Finding(message=message, fix="use `breakc` with the condition, directly in the loop", pc=block.last)


def _ended_by(context: AnalysisContext, graph: Graph, *kinds: str) -> Iterator[Block]:
    """The blocks whose last word is an instruction of these kinds, which always end a block."""
    return (block for block in graph.blocks if block.size and context.kind(block.last) in kinds)


def deep_loops(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V073: a loop begins while the LOOP ring is full (E13)."""
    limit = context.device.loop_depth
    begun = [
        (block.last, block.state.loops, LoopSlot(inst.field("dst") + 1, block.last + 1, inst.field("reg") & 3))
        for block in _ended_by(context, graph, LOOP)
        for inst in (context.insts[block.last],)
    ]
    message = f"more than {limit} nested loops: the oldest entry of the stack is lost"
    for pc in _overflows(begun, limit):
        yield Finding(message=message, fix="move the inner loop out of the nest", pc=pc)


def deep_conditionals(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V074: a conditional begins while the IF ring is full (E13)."""
    limit = context.device.if_depth
    begun = [
        (block.last, block.state.ifs, IfSlot(inst.field("dst"), inst.field("dst") + inst.field("num")))
        for block in _ended_by(context, graph, CONDITIONAL)
        for inst in (context.insts[block.last],)
    ]
    message = f"more than {limit} nested conditionals: the oldest entry of the stack is lost"
    for pc in _overflows(begun, limit):
        yield Finding(message=message, fix="move the inner part out of the nest", pc=pc)


def deep_calls(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V075: a call while the CALL ring is full (E13)."""
    limit = context.device.call_depth
    begun = [
        (block.last, block.state.calls, CallSlot(inst.field("dst") + inst.field("num"), block.last + 1))
        for block in _ended_by(context, graph, CALL)
        for inst in (context.insts[block.last],)
    ]
    message = f"call nested {limit + 1} deep: the stack holds {limit} return addresses"
    for pc in _overflows(begun, limit):
        yield Finding(message=message, fix="inline one of the procedures", pc=pc)


def _overflows(begun: Sequence[tuple[int, Sequence[object], object]], depth: int) -> list[int]:
    """The words whose new entry drops the oldest of a full ring, from (word, ring before it, its entry).

    Equal entries in a ring were left by a jump or a recursion, which have their own rules. Words nested deeper, inside one that
    is among these, are not reported again.
    """
    full = [(pc, ring, slot) for pc, ring, slot in begun if len(ring) >= depth and len({*ring, slot}) == len(ring) + 1]
    new = {slot for _, _, slot in full}
    return sorted({pc for pc, ring, _ in full if not new & set(ring)})


_LOOP = "write `for count` and `.end` around what is repeated, with `.consti count(x, 0, 1, 0)`: a loop runs x + 1 times"


def recursion(context: AnalysisContext) -> Iterator[Finding]:
    """V076: a call that leads back to its own procedure."""
    for pc in recursive_calls(context.operations, [pc for pc, _ in context.targets]):
        yield Finding(message="recursive call: the hardware has four return addresses", fix=_LOOP, pc=pc)


def jump_across_border(context: AnalysisContext) -> Iterator[Finding]:
    """V077: a jump out of a block or into one."""
    for pc, target in context.targets:
        if context.kind(pc) != JUMP or target.address >= len(context.nests):
            continue
        here, there = (set(_with_entry(context.nests[address])) for address in (pc, target.address))
        for block, verb in [(b, "leaves") for b in here - there] + [(b, "enters") for b in there - here]:
            what, ring = ("loop", "LOOP") if block.loop else ("conditional", "IF")
            fix = "leave it with `breakc`" if block.loop and verb == "leaves" else "jump to a label of the same block"
            effect = f"its entry stays on the {ring} stack" if verb == "leaves" else "the stack has no entry for it"
            yield Finding(message=f"jump {verb} a {what}: {effect}", fix=fix, pc=pc)
            break


def _with_entry(nest: Sequence[Nest]) -> Iterator[Nest]:
    """The blocks that have an entry on a ring while they execute: else parts have none."""
    return (block for block in nest if block.start == block.opener + 1)


def jump_past_end(context: AnalysisContext) -> Iterator[Finding]:
    """V078: a jump, call, conditional or loop that leads past the last word."""
    for pc, target in context.targets:
        kind = context.kind(pc)
        farthest = target.address + (target.num & 0xFF if kind in (CALL, CONDITIONAL) else 0)
        if kind == JUMP and farthest >= len(context.words):
            yield Finding(message="jump past the last word of the program", fix="put an instruction after the label", pc=pc)
        elif farthest > len(context.words):
            yield Finding(
                message=f"body of {context.op(pc)} extends past the last word of the program",
                fix="supply the whole program",
                pc=pc,
            )


def runs_past_end(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V079: a path that leaves the program, or the entry procedure, without END (E11)."""
    fix = "write `end` at the end of the entry procedure"
    after = {
        block.number
        for block, leaving in zip(graph.blocks, graph.edges, strict=True)
        if any(edge.target == Hang(PAST_END) for edge in leaving)
    }
    if not _ends(context.graph):
        if after:
            last = max((graph.blocks[n].last for number in after for n in graph.predecessors[number]), default=-1)
            name = context.interface.name or "the shader"
            message = f"{name} never reaches `end`: execution continues past its last word"
            yield Finding(
                message=message,
                fix=fix,
                pc=last,
                span=None,
                notes=(),
                topic="",
                related=(),
                edits=_end_after(context, last),
            )
        return
    for number in sorted(after):
        for source in graph.predecessors[number]:
            last = graph.blocks[source].last
            target = target_of(context.operations[last]) if context.kind(last) == JUMP else None
            if target is None or target.address != graph.blocks[number].state.pc:
                notes = decisions(context, graph, path_to(graph, lambda edge, n=number: edge.target == n, ()))
                message = "execution continues past the last word: no `end` on this path"
                yield Finding(
                    message=message,
                    fix=fix,
                    pc=last,
                    span=None,
                    notes=notes,
                    topic="",
                    related=(),
                    edits=_end_after(context, last),
                )
    border = context.interface.entry_end
    if not context.interface.entry < border < len(context.words):
        return
    for block in graph.blocks:
        if block.state.calls or border not in block.addresses:
            continue
        before = [border - 1] if border > block.state.pc else [graph.blocks[n].last for n in graph.predecessors[block.number]]
        if border - 1 in before:
            message = "execution continues past the entry procedure: no `end` on this path"
            yield Finding(message=message, fix=fix, pc=border - 1)
            return


def _end_after(context: AnalysisContext, pc: int) -> tuple[Edit, ...]:
    """`end` in the line after a word, where that is in no block; before the `nop`s that old sources have after an `end`."""
    targets = [target_of(operation) for operation in context.operations]
    starts = {context.interface.entry, *[target.address for target in targets if target is not None]}
    while context.kind(pc) == NOP and pc not in starts and context.kind(pc - 1) in _STRAIGHT and context.span(pc):
        pc -= 1
    span = context.span(pc)
    plain = span is not None and pc >= context.interface.entry and not context.nests[pc] and context.kind(pc) in _STRAIGHT
    return cures.after(span, LAST.name) if span is not None and plain and not span.text[: span.column - 1].strip() else ()


def _ends(graph: Graph | BudgetExceeded) -> bool:
    """Whether any path reaches END."""
    return isinstance(graph, Graph) and any(isinstance(edge.target, End) for leaving in graph.edges for edge in leaving)


def never_ends(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V094: words from which no path ends; the finding is at the first of them."""
    stopping = (n for n, leaving in enumerate(graph.edges) if any(not isinstance(p.target, int) for p in leaving))
    lost = set(range(len(graph.blocks))) - reaching(graph.flow, stopping)
    if lost:
        first = min(lost)
        recursive = recursive_calls(context.operations, [pc for pc, _ in context.targets])
        if any(graph.blocks[n].last in recursive for n in lost):
            return  # V076 says why
        notes = decisions(context, graph, path_to(graph, lambda edge: edge.target == first, ()))
        message = "infinite loop: `end` is unreachable from here"
        fix = "give the backward jump a condition that can change"
        yield Finding(message=message, fix=fix, pc=graph.blocks[first].state.pc, span=None, notes=notes)


def end_in_procedure(context: AnalysisContext) -> Iterator[Finding]:
    """V130: `end` in a called procedure, and what follows the call is never reached."""
    for end, words in sorted(context.stopped.items()):
        lost = [pc for pc in sorted(words) if context.kind(pc) not in (NOP, END)]
        if lost:
            related = context.related(lost[:1], "unreachable from here on")
            yield Finding(
                message="`end` in a called procedure stops the shader: what follows the call is never reached",
                fix="remove it: `.end` returns from a procedure",
                pc=end,
                span=None,
                notes=() if related else (f"unreachable from {context.place(lost[0])} on",),
                topic="",
                related=related,
            )


def flow_at_block_end(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V040: a jump or call as the last word of a block or procedure, a break as the last of a loop (E3, E4)."""
    for block in _ended_by(context, graph, JUMP, CALL, BREAK):
        pc, state = block.last, block.state
        name, leaves = context.op(pc), context.kind(pc) == BREAK
        rings = (
            [("loop", state.loops)]
            if leaves
            else [("conditional", state.ifs), ("loop", state.loops), ("procedure", state.calls)]
        )
        for what, ring in rings:
            if ring and ring[-1].end == pc + 1:
                effect = "the loop ends here too" if leaves else "the end of the block takes precedence"
                span = context.span(pc)
                target = target_of(context.operations[pc])
                recursive = leaves or target is None or target.address <= pc < target.address + target.num
                edits = (
                    cures.after(span, NO_OPERATION.name) if span is not None and not (recursive and target is not None) else ()
                )
                message = f"{name} is the last instruction of a {what}: {effect}"
                yield Finding(
                    message=message, fix="put a `nop` after it", pc=pc, span=None, notes=(), topic="", related=(), edits=edits
                )
                break


def ends_together(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V092: active blocks that end at the same address (E5)."""
    for block in graph.blocks:
        state, after = block.state, block.last + 1
        if not block.size or context.kind(block.last) == END:
            continue
        here = [nest for nest in _with_entry(context.nests[block.last]) if nest.end == after]
        loops = min(_ending(state.loops, after), sum(nest.loop for nest in here))
        conditionals = min(_ending(state.ifs, after), sum(not nest.loop for nest in here))
        names = ["loop"] * loops + ["conditional"] * conditionals
        if names and _ending(state.calls, after):
            names.append("procedure")
        if len(names) > 1:
            left = "is left" if names[0] == names[1] else "sets the next PC"
            both = f"two {names[0]}s" if names[0] == names[1] else f"a {names[0]} and a {names[1]}"
            message = f"{both} end at the same address: only one of them {left}"
            yield Finding(message=message, fix="put a `nop` between their ends", pc=block.last)


def _ending(ring: Sequence[CallSlot | IfSlot | LoopSlot], address: int) -> int:
    """The number of newest entries that end at an address."""
    return next((n for n, slot in enumerate(reversed(ring)) if slot.end != address), len(ring))


def empty_blocks(context: AnalysisContext) -> Iterator[Finding]:
    """V093: empty blocks (E6)."""
    for pc in sorted(context.reached):
        kind, target = context.kind(pc), target_of(context.operations[pc])
        if target is None:
            continue
        if kind == CONDITIONAL and target.address == pc + 1:
            yield Finding(message=f"{context.op(pc)} has an empty body", fix="add a `nop`, or invert the condition", pc=pc)
        elif kind == LOOP and target.address == pc:
            yield Finding(message="loop with an empty body: it is never left", fix="add a `nop`, or remove it", pc=pc)
        elif kind == CALL and not target.num & 0xFF:
            yield Finding(message="call of an empty procedure: it never returns", fix="add a `nop` to the procedure", pc=pc)
