"""Cost of a shader: words, descriptors, registers, shortest and longest path."""

from __future__ import annotations

from lanewise.core.document import columns
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.usage import Used
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.program import Dest, Source
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, TEMPORARY, register_name
from lanewise.pica200.sem.flow import CountDown, CounterIsZero, DropOldest, End, Pop, Push

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.ir.graph import Edge

_MOST_STATES = 50_000
_State = tuple[int, tuple[int, ...]]  # (block, counters of the LOOP ring)


class LoopBound(Record):
    """A back edge: the word that decides it, and the most words of one iteration.

    `register` is the integer register that counts the iterations, -1 if none does.
    """

    pc: int
    register: int
    words: int


class Cost(Record):
    """Cost of a shader: resources used, and executed instructions on two paths."""

    name: str
    "Name of the shader."
    stage: str
    "vertex or geometry."
    uses: tuple[Used, ...]
    "Numbers of registers of each kind, with their limits."
    shortest: int | None
    "Instructions of the shortest path; None: END is unreachable."
    longest: int | None
    "Instructions of the longest path: of loops the preset iterations, else one; None: no END or no bound."
    loops: tuple[LoopBound, ...]
    "Loops without a preset number of iterations, with the most that each further one costs."


def cost(context: AnalysisContext) -> Cost:
    """The cost of a shader. Without a graph, paths are not counted."""
    graph = context.graph
    stage = "geometry" if context.interface.geometry else "vertex"
    shortest, longest, loops = (None, None, ()) if not isinstance(graph, Graph) else _paths(context, graph)
    return Cost(name=context.interface.name, stage=stage, uses=_uses(context), shortest=shortest, longest=longest, loops=loops)


def _uses(context: AnalysisContext) -> tuple[Used, ...]:
    numbers: dict[str, set[int]] = {
        name: set() for name in ("inputs", "outputs", "temporaries", "floats", "integers", "booleans")
    }
    numbers["descriptors"] = set()
    for pc in context.reached:
        operation, inst = context.operations[pc], context.insts[pc]
        if operation.descriptor >= 0:
            numbers["descriptors"].add(operation.descriptor)
        for operand in operation.operands:
            if isinstance(operand, Source):
                register = operand.register
                kind = "inputs" if register < TEMPORARY else "temporaries" if register < FLOAT else "floats"
                numbers[kind].add(register)
            elif isinstance(operand, Dest) and "dst" in operation.op.operands:
                numbers["outputs" if operand.register < TEMPORARY else "temporaries"].add(operand.register)
        if "bool" in inst.op.operands:
            numbers["booleans"].add(inst.field("reg"))
        if "int" in inst.op.operands:
            numbers["integers"].add(inst.field("reg") & 3)
    for constant in context.interface.constants:
        kind = "booleans" if constant.register >= BOOLEAN else "integers" if constant.register >= INTEGER else "floats"
        numbers[kind].add(constant.register - {"booleans": BOOLEAN, "integers": INTEGER, "floats": 0}[kind])
    for uniform in context.interface.uniforms:
        if FLOAT <= uniform.first < INTEGER:
            numbers["floats"] |= set(range(uniform.first, uniform.last + 1))
    device = context.device
    limits = {"inputs": 16, "outputs": device.outputs, "temporaries": 16, "floats": 96, "integers": 4, "booleans": 16}
    return (
        Used("words", len(context.words), device.code_words),
        Used("descriptors", len(context.descriptors), device.descriptors),
        *(Used(name, len(numbers[name]), limit) for name, limit in limits.items()),
    )


def _paths(context: AnalysisContext, graph: Graph) -> tuple[int | None, int | None, tuple[LoopBound, ...]]:
    shortest = _along(graph, least=True)
    back = [edge for leaving in graph.edges for edge in leaving if edge.back]
    if shortest is None or not back:
        return shortest, _along(graph, least=False), ()
    presets = {
        constant.register - INTEGER: constant.values[0]
        for constant in context.interface.constants
        if INTEGER <= constant.register < BOOLEAN
    }
    loops = tuple(_loops(graph, back))
    if all(found.register in presets for found in loops):
        return shortest, _with_presets(graph, presets), ()
    if any(found.register < 0 for found in loops):
        return shortest, None, loops
    return shortest, _along(graph, least=False), loops


def _along(graph: Graph, *, least: bool, start: int = 0, goal: int | None = None) -> int | None:
    """The fewest or the most words from a block to END, or to the end of block `goal`, without ever going back."""
    best: dict[int, int] = {start: graph.blocks[start].size}
    ends: list[int] = []
    for number in range(start, len(graph.blocks)):
        if number not in best:
            continue
        if number == goal:
            return best[number]
        for edge in graph.edges[number]:
            if isinstance(edge.target, End):
                ends.append(best[number])
            elif isinstance(edge.target, int) and not edge.back:
                words = best[number] + graph.blocks[edge.target].size
                known = best.get(edge.target)
                best[edge.target] = words if known is None else (min if least else max)(known, words)
    if goal is not None or not ends:
        return None
    return min(ends) if least else max(ends)


def _loops(graph: Graph, back: list[Edge]) -> list[LoopBound]:
    found: dict[int, LoopBound] = {}
    for edge in back:
        counted = any(isinstance(question, CounterIsZero) for question, _ in edge.answers)
        block = graph.blocks[edge.source]
        register = block.state.loops[-1].register if counted and block.state.loops else -1
        words = _along(graph, least=False, start=edge.target, goal=edge.source) if isinstance(edge.target, int) else None
        known = found.get(block.last)
        if known is None or known.words < (words or 0):
            found[block.last] = LoopBound(block.last, register, words or 0)
    return list(found.values())


def _with_presets(graph: Graph, presets: Mapping[int, int]) -> int | None:
    """The most words to END where all loops count down from known numbers; None if that takes too many states or goes in a
    circle."""
    best: dict[_State, int | None] = {}
    under_way: set[_State] = set()
    start: _State = (0, ())
    path = [start]
    while path:
        state = path[-1]
        if state in best:
            path.pop()
            continue
        following = _following(graph, state, presets)
        open_ones = [target for target, _ in following if target is not None and target not in best]
        if state not in under_way:
            under_way.add(state)
            if len(best) + len(under_way) > _MOST_STATES or any(target in under_way for target in open_ones):
                return None
            path += open_ones
            if open_ones:
                continue
        elif open_ones:
            return None
        words = graph.blocks[state[0]].size
        reaching = [0 if target is None else best[target] for target, _ in following]
        known = [count for count in reaching if count is not None]
        best[state] = words + max(known) if known else None
        under_way.discard(state)
        path.pop()
    return best[start]


def _following(graph: Graph, state: _State, presets: Mapping[int, int]) -> list[tuple[_State | None, Edge]]:
    """The states after a block; None is END. Edges that the counters exclude, and hangs, are left out."""
    number, counters = state
    found: list[tuple[_State | None, Edge]] = []
    for edge in graph.edges[number]:
        now = _counted(edge, counters, presets)
        if now is None:
            continue
        if isinstance(edge.target, End):
            found.append((None, edge))
        elif isinstance(edge.target, int):
            found.append(((edge.target, now), edge))
    return found


def _counted(edge: Edge, counters: tuple[int, ...], presets: Mapping[int, int]) -> tuple[int, ...] | None:
    """The counters after an edge; None if they answer one of its questions otherwise. Questions come before the actions that
    matter."""
    for question, answer in edge.answers:
        if (
            isinstance(question, CounterIsZero)
            and question.slot < len(counters)
            and (counters[question.slot] == 0) is not answer
        ):
            return None
    for action in edge.actions:
        match action:
            case Push(_, register):
                counters = (*counters, presets.get(register, 0))
            case DropOldest():
                counters = counters[1:]
            case Pop(slot):
                counters = counters[:slot]
            case CountDown(slot):
                counters = (*counters[:slot], counters[slot] - 1) if slot < len(counters) else counters
            case _:
                pass
    return counters


def described(cost: Cost) -> tuple[dict[str, object], str]:
    """A cost as plain data and as lines of text."""
    return _data(cost), _text(cost)


def _data(cost: Cost) -> dict[str, object]:
    return {
        "shader": cost.name,
        "stage": cost.stage,
        "uses": {use.name: {"used": use.used, "of": use.of} for use in cost.uses},
        "shortest": cost.shortest,
        "longest": cost.longest,
        "rounds": [
            {"address": found.pc, "register": found.register if found.register >= 0 else None, "instructions": found.words}
            for found in cost.loops
        ],
    }


def _text(cost: Cost) -> str:
    rows = [("", "used", "of", "left"), *((use.name, str(use.used), str(use.of), str(use.of - use.used)) for use in cost.uses)]
    lines = [f"{cost.name} ({cost.stage})", *(f"  {line}" for line in columns(rows)), f"  {_instructions(cost)}"]
    lines += [f"  {_iteration(found)}" for found in cost.loops]
    return "\n".join(lines) + "\n"


def _instructions(cost: Cost) -> str:
    if cost.shortest is None:
        return "instructions from the entry to end: no path leads there, or the paths are too many"
    if cost.longest is None:
        return f"instructions from the entry to end: at least {cost.shortest}, without a bound"
    least = f"{cost.shortest} to {cost.longest}" if cost.longest != cost.shortest else f"{cost.shortest}"
    return f"instructions from the entry to end: {least}" + (", each loop taken once" if cost.loops else "")


def _iteration(found: LoopBound) -> str:
    what = f"a further iteration over {register_name(INTEGER + found.register)}" if found.register >= 0 else "each time back"
    return f"{what}, decided at word {found.pc:#x}: at most {found.words} more"
