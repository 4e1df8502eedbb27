"""Passes: functions that give the same results, bit for bit, from less.

    tidied(function)                      # all of them, until nothing changes
    PASSES["common"](function)            # one

Each takes a sound function and gives a sound one. They use what the table of operations says and nothing of a target, but
`folded`, which asks the caller what known operations give.
"""

from __future__ import annotations

from collections import Counter

from lanewise.core.record import TYPE_CHECKING
from lanewise.graph.paths import dominators
from lanewise.ssa.function import Block, Branch, Edge, Jump, edges, reached, with_edges, with_refs
from lanewise.ssa.nodes import LETTERS, NONE, TRUTH, WIDTHS, Ref, seen
from lanewise.ssa.operations import COMMUTES, OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.ssa.function import Exit, Function
    from lanewise.ssa.nodes import Node

    # What a node gives for known lanes of its sources, a truth value as 1.0 or 0.0; None where that is the target's.
    Evaluate = Callable[[Node, Sequence[Sequence[float]]], Sequence[float] | None]

_MOST_ROUNDS = 20
# Comparisons whose 1.0 and 0.0 a truth value is taken of.
_COMPARED = {"set_lt": "lt", "set_le": "le", "set_eq": "eq", "set_ne": "ne"}


def substituted(function: Function, instead: Mapping[int, Ref]) -> Function:
    """The function with other values in place of some. What is replaced stays, without a use."""
    if not instead:
        return function

    def resolved(ref: Ref) -> Ref:
        while ref.node in instead:
            ref = seen(ref, instead[ref.node])
        whole = ref.lanes == LETTERS[: WIDTHS[function.nodes[ref.node].type]]
        return Ref(ref.node, ref.modifier) if whole else ref

    def change(sources: tuple[Ref, ...]) -> tuple[Ref, ...]:
        return tuple(map(resolved, sources))

    nodes = tuple([node._replace(sources=change(node.sources)) if node.sources else node for node in function.nodes])
    blocks = tuple([block._replace(exit=with_refs(block.exit, change)) for block in function.blocks])
    return function._replace(nodes=nodes, blocks=blocks)


def without_dead(function: Function) -> Function:
    """Without values and parameters that neither a branch nor a result depends on."""
    function = reached(function)
    live: set[int] = set()
    entering: dict[int, list[Ref]] = {}  # by parameter: what it gets
    waiting = [ref for block in function.blocks for ref in _asked(block.exit)]
    for block in function.blocks:
        for edge in edges(block.exit):
            for parameter, ref in zip(function.blocks[edge.block].parameters, edge.arguments, strict=True):
                entering.setdefault(parameter, []).append(ref)
    while waiting:
        number = waiting.pop().node
        if number not in live:
            live.add(number)
            waiting += entering.get(number, ())
            waiting += function.nodes[number].sources

    def kept(edge: Edge) -> Edge:
        pairs = zip(function.blocks[edge.block].parameters, edge.arguments, strict=True)
        return Edge(edge.block, tuple([ref for parameter, ref in pairs if parameter in live]))

    blocks = [
        Block(
            tuple([n for n in block.parameters if n in live]),
            tuple([n for n in block.nodes if n in live]),
            with_edges(block.exit, kept),
        )
        for block in function.blocks
    ]
    return reached(function._replace(blocks=tuple(blocks)))


def _asked(exit: Exit) -> Iterator[Ref]:
    """The values that an exit reads itself, not for the parameters of blocks."""
    if isinstance(exit, Branch):
        yield exit.question
    elif not isinstance(exit, Jump):
        yield from exit.results


def copied(function: Function) -> Function:
    """With what is the same in place of copies: parameters that always get one value, lanes of a pack, a truth value of 1.0 and
    0.0 that are of a truth value."""
    function = reached(function)
    instead = dict(_same_arguments(function))
    nodes = list(function.nodes)
    for block in function.blocks:
        for number in block.nodes:
            node = nodes[number]
            sources = tuple([_through(nodes, source) for source in node.sources])
            node = nodes[number] = node._replace(sources=sources) if sources != node.sources else node
            if node.op == "pack":
                first = sources[0]
                if all(ref[:2] == first[:2] for ref in sources):
                    instead[number] = Ref(first.node, first.modifier, "".join([ref.lanes or "x" for ref in sources]))
            elif node.op == "is_one" and sources[0].modifier == NONE:
                asked, outer = nodes[sources[0].node], sources[0]
                if asked.op == "one_if":
                    instead[number] = asked.sources[0]
                elif asked.op in _COMPARED:
                    pair = [_through(nodes, seen(outer, inner)) for inner in asked.sources]
                    nodes[number] = node._replace(op=_COMPARED[asked.op], sources=tuple(pair))
    blocks = [
        block._replace(exit=with_refs(block.exit, lambda sources: tuple([_through(nodes, source) for source in sources])))
        for block in function.blocks
    ]
    return without_dead(substituted(function._replace(nodes=tuple(nodes), blocks=tuple(blocks)), instead))


def _same_arguments(function: Function) -> Iterator[tuple[int, Ref]]:
    """The parameters that get one value on each edge but those on which they get themselves, with that value."""
    found: dict[int, set[Ref]] = {}
    for block in function.blocks:
        for edge in edges(block.exit):
            for parameter, ref in zip(function.blocks[edge.block].parameters, edge.arguments, strict=True):
                if ref != Ref(parameter):
                    found.setdefault(parameter, set()).add(ref)
    for parameter, values in found.items():
        if len(values) == 1:
            (value,) = values
            if value.node != parameter:
                yield parameter, value


def _through(nodes: Sequence[Node], ref: Ref) -> Ref:
    """A source as lanes of what a pack has, where these are of one value, seen alike."""
    node = nodes[ref.node]
    if node.op != "pack":
        return ref
    picked = [node.sources[LETTERS.index(letter)] for letter in ref.lanes] if ref.lanes else [*node.sources]
    first = picked[0]
    if any(each[:2] != first[:2] for each in picked):
        return ref
    lanes = "".join([each.lanes or "x" for each in picked])
    return _plain(nodes, Ref(first.node, first.modifier ^ ref.modifier, lanes))


def _plain(nodes: Sequence[Node], ref: Ref) -> Ref:
    """A source without lanes where it is the whole value."""
    return Ref(ref.node, ref.modifier) if ref.lanes == LETTERS[: WIDTHS[nodes[ref.node].type]] else ref


def folded(function: Function, evaluate: Evaluate) -> Function:
    """With known numbers in place of operations on known numbers, as `evaluate` gives them."""
    nodes = list(function.nodes)
    for block in function.blocks:
        for number in block.nodes:
            node = nodes[number]
            given = [_known(nodes, source) for source in node.sources]
            lanes = [each for each in given if each is not None]
            found = evaluate(node, lanes) if lanes and len(lanes) == len(given) else None
            if found is not None:
                truth = node.type == TRUTH
                known = (int(found[0]),) if truth else tuple(found)
                nodes[number] = node._replace(op="known" if truth else "const", sources=(), immediates=known)
    return without_dead(function._replace(nodes=tuple(nodes)))


def _known(nodes: Sequence[Node], ref: Ref) -> list[float] | None:
    """The lanes of a source that is known."""
    node = nodes[ref.node]
    if node.op not in ("const", "known"):
        return None
    values = [float(value) for value in node.immediates]
    lanes = [values[LETTERS.index(letter)] for letter in ref.lanes] if ref.lanes else values
    return [-value for value in lanes] if ref.modifier else lanes


def common(function: Function) -> Function:
    """With each value computed once: where a block that dominates has computed it, or this one before."""
    function = reached(function)
    above = dominators(function.flow)
    below: list[list[int]] = [[] for _ in above]
    for block, dominator in enumerate(above):
        if dominator >= 0:
            below[dominator].append(block)
    known: dict[object, int] = {}  # in the blocks that dominate this one
    scopes: list[tuple[int, list[object]]] = []  # those, with what each has added
    instead: dict[int, Ref] = {}
    nodes = list(function.nodes)
    waiting = [0]
    while waiting:
        block = waiting.pop()
        while scopes and scopes[-1][0] != above[block]:
            for key in scopes.pop()[1]:
                del known[key]
        added: list[object] = []
        scopes.append((block, added))
        waiting += below[block]
        for number in function.blocks[block].nodes:
            sources = [Ref(instead[ref.node].node, *ref[1:]) if ref.node in instead else ref for ref in nodes[number].sources]
            node = nodes[number] = nodes[number]._replace(sources=tuple(sources))
            if COMMUTES in OPERATIONS[node.op].laws:
                sources[:2] = sorted(sources[:2])
            key = node.op, tuple(sources), repr(node.immediates)
            if key in known:
                instead[number] = Ref(known[key])
            else:
                known[key] = number
                added.append(key)
    return without_dead(substituted(function._replace(nodes=tuple(nodes)), instead))


def merged(function: Function) -> Function:
    """With fewer blocks: those that are not reached, that only go on, or that only one jump leads to. A branch on a known truth
    value is a jump."""
    blocks = [block._replace(exit=_settled(function, block.exit)) for block in function.blocks]
    blocks = [block._replace(exit=with_edges(block.exit, lambda edge: _passed(blocks, edge))) for block in blocks]
    function = reached(function._replace(blocks=tuple(blocks)))
    entered = Counter(edge.block for block in function.blocks for edge in edges(block.exit))
    instead: dict[int, Ref] = {}
    blocks = list(function.blocks)
    for number in range(len(blocks)):
        while isinstance(leave := blocks[number].exit, Jump):
            target = leave.edge.block
            if target in (0, number) or entered[target] > 1:
                break
            after = blocks[target]
            instead.update(zip(after.parameters, leave.edge.arguments, strict=True))
            blocks[number] = blocks[number]._replace(nodes=(*blocks[number].nodes, *after.nodes), exit=after.exit)
            blocks[target] = Block((), (), Jump(Edge(target)))  # not reached any more
    return without_dead(substituted(function._replace(blocks=tuple(blocks)), instead))


def _settled(function: Function, exit: Exit) -> Exit:
    if isinstance(exit, Branch):
        asked = function.nodes[exit.question.node]
        if asked.op == "known":
            return Jump(exit.yes if asked.immediates[0] else exit.no, exit.line)
    return exit


def _passed(blocks: Sequence[Block], edge: Edge) -> Edge:
    """An edge past blocks that only go on."""
    passed = {edge.block}
    while True:
        block = blocks[edge.block]
        if block.parameters or block.nodes or not isinstance(block.exit, Jump) or block.exit.edge.block in passed:
            return edge
        edge = block.exit.edge
        passed.add(edge.block)


PASSES: Mapping[str, Callable[[Function], Function]] = {
    "dead": without_dead,
    "copies": copied,
    "common": common,
    "blocks": merged,
}


def tidied(function: Function, evaluate: Evaluate | None = None) -> Function:
    """All passes, until nothing changes."""
    for _ in range(_MOST_ROUNDS):
        before = function
        if evaluate is not None:
            function = folded(function, evaluate)
        for apply in (copied, common, merged):
            function = apply(function)
        if function == before:
            break
    return function
