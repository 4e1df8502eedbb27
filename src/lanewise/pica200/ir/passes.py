"""Passes over SSA functions: liveness, uniformity, observable subnormals.

Each pass takes a `Function` and returns facts or another function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from lanewise.graph.order import Order, weak_order
from lanewise.graph.regions import Region, regions
from lanewise.pica200.ir.ssa import (
    ENTER,
    INTEGER,
    NUMBER,
    OPERATIONS,
    TRUTH,
    Jump,
    Stop,
    Written,
    arguments,
    kind_of,
    leaves,
    questions,
)
from lanewise.pica200.sem.components import Component

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from lanewise.pica200.ir.ssa import Block, Emit, Function, Node, Value
    from lanewise.pica200.sem.profile import Profile

ENTERS = frozenset(ENTER.values())
LEAVES = frozenset([op for op, (_, count) in OPERATIONS.items() if not count])  # operations without arguments
_OF_THE_LANE = frozenset(("input", "fed"))
# Operations that treat a subnormal argument as zero, so that it cannot be observed; FLR may too.
_FLUSHING = frozenset(("add", "mul", "rcp", "rsq", "exp2", "log2", "flush"))


def successors(function: Function) -> tuple[tuple[int, ...], ...]:
    """The successors of each block, each once."""
    return tuple(
        tuple(dict.fromkeys(end.block for end in leaves(block.exit) if isinstance(end, Jump))) for block in function.blocks
    )


def ending(function: Function) -> tuple[int, ...]:
    """The blocks that may do END."""
    return tuple(n for n, block in enumerate(function.blocks) if Stop() in leaves(block.exit))


def written(function: Function) -> dict[int, Written]:
    """The outputs that some path to END writes."""
    count = len(function.blocks)
    following = successors(function)
    always: list[dict[int, int] | None] = [None] * count
    ever: list[dict[int, int]] = [{} for _ in range(count)]
    always[0] = {}
    waiting = [0]
    while waiting:
        number = waiting.pop()
        known, outputs = always[number] or {}, function.blocks[number].outputs
        surely = {n: known.get(n, 0) | outputs.get(n, 0) for n in {*known, *outputs}}
        maybe = {n: ever[number].get(n, 0) | outputs.get(n, 0) for n in {*ever[number], *outputs}}
        for target in following[number]:
            old, before = always[target], ever[target]
            meet = surely if old is None else {n: mask & surely.get(n, 0) for n, mask in old.items()}
            join = {n: before.get(n, 0) | maybe.get(n, 0) for n in {*before, *maybe}}
            if meet != old or join != before:
                always[target], ever[target] = meet, join
                waiting.append(target)
    found: dict[int, Written] = {}
    for number in ending(function):
        known, outputs = always[number] or {}, function.blocks[number].outputs
        for n in range(16):
            mine = Written(known.get(n, 0) | outputs.get(n, 0), ever[number].get(n, 0) | outputs.get(n, 0))
            other = found.get(n)
            found[n] = mine if other is None else Written(mine.always & other.always, mine.ever | other.ever)
    return {n: masks for n, masks in found.items() if masks.ever}


def with_written(function: Function, outputs: Mapping[int, Written]) -> Function:
    """Add a component `written` for each component that only some paths write."""
    unsure = {n: masks.ever & ~masks.always for n, masks in outputs.items() if masks.ever & ~masks.always}
    if not unsure:
        return function
    blocks: list[Block] = []
    for block in function.blocks:
        true = len(block.nodes)
        marks = {
            Component("written", n, c): true
            for n, mask in unsure.items()
            for c in range(4)
            if mask & block.outputs.get(n, 0) & 8 >> c
        }
        blocks.append(
            block._replace(nodes=(*block.nodes, ("truth", True)), writes={**block.writes, **marks}) if marks else block
        )
    return function._replace(blocks=tuple(blocks))


def copied(function: Function, outputs: Mapping[int, Written]) -> dict[int, int]:
    """The outputs that are copies of an input, component by component, on every path to END."""
    writes: dict[Component, list[Node]] = {}
    for block in function.blocks:
        for component, value in block.writes.items():
            if component.file == "o":
                writes.setdefault(component, []).append(block.nodes[value])
    found: dict[int, int] = {}
    for number, masks in outputs.items():
        nodes = [node for c in range(4) for node in writes.get(Component("o", number, c), ())]
        register = int(nodes[0][1]) if masks.always == 0xF and nodes and nodes[0][0] == "input" else -1
        if nodes == [("input", register, c) for c in range(4)]:
            found[number] = register
    return found


class Live(NamedTuple):
    """Liveness by block: live components at its start and end, needed nodes in order."""

    begin: tuple[frozenset[Component], ...]
    end: tuple[frozenset[Component], ...]
    nodes: tuple[tuple[Value, ...], ...]


def live(function: Function, wanted: Iterable[Component], *, emitted: bool = True, indexed: bool = False) -> Live:
    """Liveness for emitted vertices, unless not `emitted`, and the `wanted` components after END.

    Nothing is live where a lane stops without END. `indexed`: an index that may lead below c0 reads all temporaries, too.
    """
    final = frozenset(wanted)
    count = len(function.blocks)
    begin: list[frozenset[Component]] = [frozenset()] * count
    end: list[frozenset[Component]] = [frozenset()] * count
    nodes: list[tuple[Value, ...]] = [()] * count
    # By block what does not depend on others.
    ends = [leaves(block.exit) for block in function.blocks]
    asked: list[list[Value]] = []
    for block in function.blocks:
        sent = [value for sent in block.emits for value in sent_values(sent)] if emitted else []
        asked.append([*questions(block.exit), *sent, *(block.indexed if indexed else ())])
    before: list[object] = [None] * count  # what the needed nodes of a block were found from
    changed = True
    while changed:
        changed = False
        for number in range(count - 1, -1, -1):
            block = function.blocks[number]
            out: set[Component] = set()
            roots = [*asked[number]]
            for leaf in ends[number]:
                if isinstance(leaf, Jump):
                    mine = begin[leaf.block]
                    roots += [value for component, value in leaf.writes if component in mine]
                    out |= mine.difference([component for component, _ in leaf.writes])
                elif not leaf.code:
                    out |= final
            roots += [value for component, value in block.writes.items() if component in out]
            if before[number] == (roots, out):
                continue
            before[number] = roots, out
            needed, known = reach(block, roots), block.nodes
            entered = {known[value][1] for value in needed if known[value][0] in ENTERS}
            fresh = frozenset(cast("set[Component]", entered) | (out - block.writes.keys()))
            end[number], nodes[number] = frozenset(out), tuple(sorted(needed))
            if fresh != begin[number]:
                begin[number] = fresh
                changed = True
    return Live(tuple(begin), tuple(end), tuple(nodes))


def sent_values(sent: Emit) -> list[Value]:
    """All values of an emitted vertex."""
    vectors = [*sent.outputs.values(), *sent.written.values()]
    return [sent.setting, *(value for vector in vectors for value in vector)]


def _entered(node: Node) -> Component | None:
    component = node[1] if node[0] in ENTERS else None
    return component if isinstance(component, Component) else None


def reach(block: Block, roots: Iterable[Value]) -> set[Value]:
    """The nodes that `roots` depend on, and `roots`."""
    found = set(roots)
    waiting, nodes = list(found), block.nodes
    while waiting:
        node = nodes[waiting.pop()]
        if node[0] not in LEAVES:
            for argument in arguments(node):
                if argument not in found:
                    found.add(argument)
                    waiting.append(argument)
    return found


class Lanes(NamedTuple):
    """Lanes in the blocks: order of emission, divergent regions, varying components."""

    order: Order
    regions: tuple[Region, ...]
    varying: frozenset[Component]

    def apart(self) -> frozenset[int]:
        """The blocks that execute under lane masks."""
        return frozenset(block for region in self.regions for block in region.blocks)


def lanes(function: Function, needs: Live) -> Lanes:
    """Uniformity: a value of uniform ones, in a block that all lanes execute together."""
    following, order = successors(function), weak_order(successors(function))
    varying: set[Component] = set()
    while True:
        splitting: list[int] = []
        differing = [differing_nodes(block, needs.nodes[n], varying) for n, block in enumerate(function.blocks)]
        for number, block in enumerate(function.blocks):
            if any(question in differing[number] for question in questions(block.exit)):
                splitting.append(number)
        apart = regions(following, ending(function), splitting, order)
        masked = {block for region in apart for block in region.blocks}
        before = len(varying)
        for number, block in enumerate(function.blocks):
            for component, value in [
                *block.writes.items(),
                *(w for leaf in leaves(block.exit) if isinstance(leaf, Jump) for w in leaf.writes),
            ]:
                if number in masked or value in differing[number]:
                    varying.add(component)
            # A component written on one side of a divergent question varies afterwards.
            if number in splitting:
                varying.update(
                    component for leaf in leaves(block.exit) if isinstance(leaf, Jump) for component, _ in leaf.writes
                )
        if len(varying) == before:
            return Lanes(order, apart, frozenset(varying))


def differing_nodes(block: Block, needed: Iterable[Value], varying: AbstractSet[Component]) -> set[Value]:
    """The nodes among `needed` that may differ between lanes.

    These are inputs, varying components, and all nodes that depend on them.
    """
    found: set[Value] = set()
    nodes = block.nodes
    for value in needed:
        node = nodes[value]
        op = node[0]
        if op in ENTERS:
            differs = node[1] in varying
        else:
            differs = op in _OF_THE_LANE or (op not in LEAVES and not found.isdisjoint(arguments(node)))
        if differs:
            found.add(value)
    return found


def flushing(profile: Profile) -> frozenset[str]:
    """The operations that treat a subnormal argument as zero, if arithmetic flushes."""
    return _FLUSHING | {"floor"} if profile.subnormal_floor == "flush" else _FLUSHING


def seen_subnormals(function: Function, needs: Live) -> tuple[frozenset[Node], frozenset[Component]]:
    """Leaves and components in which a subnormal can be distinguished from zero.

    Leaves are inputs, uniforms, and gathers by component. They reach an operation that does not flush, an output or an emitted
    vertex, through operations that pass on their arguments. A gather that may lead to a register that is fed counts as any
    other.
    """
    seen_components: set[Component] = set()
    seen_leaves: set[Node] = set()
    hiding = flushing(function.profile)
    while True:
        before = len(seen_components)
        for number, block in enumerate(function.blocks):
            seen: set[Value] = set()
            for component, value in block.writes.items():
                if component in needs.end[number] and (component.file == "o" or component in seen_components):
                    seen.add(value)
            seen.update(value for sent in block.emits for vector in sent.outputs.values() for value in vector)
            for value in reversed(needs.nodes[number]):
                node = block.nodes[value]
                op = node[0]
                if op in LEAVES or op in hiding:
                    continue
                for place, argument in enumerate(arguments(node)):
                    if OPERATIONS[str(block.nodes[argument][0])][0] != NUMBER:
                        continue
                    passed = op == "negate" or (op == "select" and place > 0)
                    if not passed or value in seen:
                        seen.add(argument)
            for value in seen:
                node = block.nodes[value]
                if node[0] == "enter" and isinstance(node[1], Component):
                    seen_components.add(node[1])
                elif node[0] in ("input", "uniform"):
                    seen_leaves.add(node)
                elif node[0] in ("gather", "fed"):
                    seen_leaves.add(("gather", node[2]))
        if len(seen_components) == before:
            return frozenset(seen_leaves), frozenset(seen_components)


def used_leaves(function: Function, needs: Live, op: str) -> tuple[Node, ...]:
    """The needed leaves of one kind, each once, in order."""
    return tuple(
        sorted(
            {
                block.nodes[value]
                for n, block in enumerate(function.blocks)
                for value in needs.nodes[n]
                if block.nodes[value][0] == op
            },
            key=str,
        )
    )


def with_known(function: Function, start: Mapping[Component, Node]) -> Function:
    """Replace components by constants where a block starts with one value of them.

    `start` has the components to replace, with their values at the entry as constant nodes.
    """
    known: list[dict[Component, Node | None] | None] = [None] * len(function.blocks)
    known[0] = dict(start)
    waiting = [0]
    while waiting:
        number = waiting.pop()
        block, mine = function.blocks[number], known[number] or {}
        after = mine | {
            component: _value_of(block.nodes[block.writes[component]], mine) for component in mine if component in block.writes
        }
        for leaf in leaves(block.exit):
            if not isinstance(leaf, Jump):
                continue
            old = known[leaf.block]
            fresh = (
                after
                if old is None
                else {component: node if node == after[component] else None for component, node in old.items()}
            )
            if fresh != old:
                known[leaf.block] = dict(fresh)
                waiting.append(leaf.block)

    entering = {ENTER[kind_of(component)] for component in start}

    def settled(block: Block, mine: Mapping[Component, Node | None]) -> Block:
        constants = cast("Mapping[object, Node | None]", mine)
        nodes = [(constants.get(node[1]) or node) if node[0] in entering else node for node in block.nodes]
        return block._replace(nodes=tuple(nodes))

    return function._replace(blocks=tuple(settled(b, mine or {}) for b, mine in zip(function.blocks, known, strict=True)))


def _value_of(node: Node, known: Mapping[Component, Node | None]) -> Node | None:
    """A node if it is a constant, or the known value of its component, or None."""
    if node[0] in ("const", "truth", "integer"):
        return node
    component = _entered(node)
    return known.get(component) if component is not None else None


def with_leaves(function: Function) -> Function:
    """Replace numbers that a block begins with by the constant, uniform or input that they are on all paths."""
    known: list[dict[Component, Node] | None] = [None] * len(function.blocks)
    known[0] = {}
    waiting = [0]
    while waiting:
        number = waiting.pop()
        block, mine = function.blocks[number], known[number] or {}
        after = dict(mine)
        for component, value in block.writes.items():
            node = _leaf(block.nodes[value], mine)
            if node is not None:
                after[component] = node
            else:
                after.pop(component, None)
        for target in {leaf.block for leaf in leaves(block.exit) if isinstance(leaf, Jump)}:
            old = known[target]
            fresh = after if old is None else {c: node for c, node in old.items() if after.get(c) == node}
            if fresh != old:
                known[target] = dict(fresh)
                waiting.append(target)

    def settled(block: Block, mine: Mapping[Component, Node]) -> Block:
        found = cast("Mapping[object, Node]", mine)
        nodes = [found.get(node[1], node) if node[0] == "enter" else node for node in block.nodes]
        return block._replace(nodes=tuple(nodes))

    return function._replace(
        blocks=tuple(settled(b, mine) if mine else b for b, mine in zip(function.blocks, known, strict=True))
    )


def _leaf(node: Node, known: Mapping[Component, Node]) -> Node | None:
    """A number that is a leaf, or the leaf that a component is known to be."""
    if node[0] in ("const", "uniform", "input"):
        return node
    component = _entered(node) if node[0] == "enter" else None
    return known.get(component) if component is not None else None


_NOTHING: Mapping[str, Node] = {NUMBER: ("const", 0), TRUTH: ("truth", False), INTEGER: ("integer", 0)}


def ever_set(functions: Iterable[Function]) -> frozenset[Component]:
    """The components that can be other than zero or false after runs of `functions`.

    The functions run one after another, starting with all components zero or false.
    """
    moves: list[tuple[Component, Node]] = []
    for block in [block for function in functions for block in function.blocks]:
        edge_writes = [write for leaf in leaves(block.exit) if isinstance(leaf, Jump) for write in leaf.writes]
        moves += [(component, block.nodes[value]) for component, value in [*block.writes.items(), *edge_writes]]
    found: set[Component] = set()
    changed = True
    while changed:
        changed = False
        for component, node in moves:
            source = _entered(node)
            if component not in found and (node != _NOTHING[kind_of(component)] if source is None else source in found):
                found.add(component)
                changed = True
    return frozenset(found)
