"""What is true of a function as a whole: which values are live, which are uniform, where a subnormal can be observed.

Each pass takes a `Function` and returns facts or another function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.graph.order import Order, weak_order
from lanewise.graph.regions import Region, regions
from lanewise.pica200.ir.ssa import INTEGER, NUMBER, TRUTH, WORDS, Cell, Jump, Stop, arguments, leaves, questions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from lanewise.pica200.ir.ssa import Block, Emit, Function, Node, Value
    from lanewise.pica200.sem.profile import Profile

_ENTERS = ("enter", "enter_truth", "enter_integer")
# Words that take a subnormal argument for zero, so that nobody can tell whether it has been one before; FLR may too.
_FLUSHING = frozenset(("add", "mul", "rcp", "rsq", "exp2", "log2", "flush"))


def successors(function: Function) -> tuple[tuple[int, ...], ...]:
    """By block: the blocks that may come next, each once."""
    return tuple(
        tuple(dict.fromkeys(end.block for end in leaves(block.exit) if isinstance(end, Jump))) for block in function.blocks
    )


def ending(function: Function) -> tuple[int, ...]:
    """The blocks that may do END."""
    return tuple(n for n, block in enumerate(function.blocks) if Stop() in leaves(block.exit))


class Written(NamedTuple):
    """Of an output, as masks with x in bit 3: what every path to END writes, and what some path does."""

    always: int
    ever: int


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
    """The same with a cell `written` for each component that only some paths write."""
    unsure = {n: masks.ever & ~masks.always for n, masks in outputs.items() if masks.ever & ~masks.always}
    if not unsure:
        return function
    blocks: list[Block] = []
    for block in function.blocks:
        true = len(block.nodes)
        marks = {
            Cell("written", n, c): true
            for n, mask in unsure.items()
            for c in range(4)
            if mask & block.outputs.get(n, 0) & 8 >> c
        }
        blocks.append(
            block._replace(nodes=(*block.nodes, ("truth", True)), writes={**block.writes, **marks}) if marks else block
        )
    return function._replace(blocks=tuple(blocks))


class Live(NamedTuple):
    """By block: the cells whose value counts when it begins, those that count when it ends, and the nodes that it needs, in order."""

    begin: tuple[frozenset[Cell], ...]
    end: tuple[frozenset[Cell], ...]
    nodes: tuple[tuple[Value, ...], ...]


def live(function: Function, wanted: Iterable[Cell]) -> Live:
    """What is needed for emitted vertices and the `wanted` cells after END; a lane that stops in another way leaves nothing that counts."""
    final = frozenset(wanted)
    count = len(function.blocks)
    begin: list[frozenset[Cell]] = [frozenset()] * count
    end: list[frozenset[Cell]] = [frozenset()] * count
    nodes: list[tuple[Value, ...]] = [()] * count
    changed = True
    while changed:
        changed = False
        for number in range(count - 1, -1, -1):
            block = function.blocks[number]
            out: set[Cell] = set()
            roots = questions(block.exit)
            for leaf in leaves(block.exit):
                if isinstance(leaf, Jump):
                    mine = begin[leaf.block]
                    roots += [value for cell, value in leaf.writes if cell in mine]
                    out |= mine - {cell for cell, _ in leaf.writes}
                elif not leaf.code:
                    out |= final
            roots += [value for cell, value in block.writes.items() if cell in out]
            roots += [value for sent in block.emits for value in sent_values(sent)]
            needed = reach(block, roots)
            entered = {cell for value in needed if (cell := _entered(block.nodes[value])) is not None}
            fresh = frozenset(entered | (out - block.writes.keys()))
            end[number], nodes[number] = frozenset(out), tuple(sorted(needed))
            if fresh != begin[number]:
                begin[number] = fresh
                changed = True
    return Live(tuple(begin), tuple(end), tuple(nodes))


def sent_values(sent: Emit) -> list[Value]:
    """All values of an emitted vertex."""
    vectors = [*sent.outputs.values(), *sent.written.values()]
    return [sent.setting, *(value for vector in vectors for value in vector)]


def _entered(node: Node) -> Cell | None:
    cell = node[1] if node[0] in _ENTERS else None
    return cell if isinstance(cell, Cell) else None


def reach(block: Block, roots: Iterable[Value]) -> set[Value]:
    """The nodes that these are made of, and they themselves."""
    waiting = list(roots)
    found = set(waiting)
    while waiting:
        for argument in arguments(block.nodes[waiting.pop()]):
            if argument not in found:
                found.add(argument)
                waiting.append(argument)
    return found


class Lanes(NamedTuple):
    """How lanes go through the blocks: the order of emission, where they are apart, and which cells differ between lanes."""

    order: Order
    regions: tuple[Region, ...]
    varying: frozenset[Cell]

    def apart(self) -> frozenset[int]:
        """The blocks that lanes run by their masks."""
        return frozenset(block for region in self.regions for block in region.blocks)


def lanes(function: Function, needs: Live) -> Lanes:
    """Who is uniform: a value made of uniform ones, in a block that all lanes run together."""
    following, order = successors(function), weak_order(successors(function))
    varying: set[Cell] = set()
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
            for cell, value in [
                *block.writes.items(),
                *(w for leaf in leaves(block.exit) if isinstance(leaf, Jump) for w in leaf.writes),
            ]:
                if number in masked or value in differing[number]:
                    varying.add(cell)
            # What is written on one side of a question that splits differs afterwards.
            if number in splitting:
                varying.update(cell for leaf in leaves(block.exit) if isinstance(leaf, Jump) for cell, _ in leaf.writes)
        if len(varying) == before:
            return Lanes(order, apart, frozenset(varying))


def differing_nodes(block: Block, needed: Iterable[Value], varying: AbstractSet[Cell]) -> set[Value]:
    """The nodes among those `needed` that may differ between lanes: every number, and what is made of numbers that differ."""
    found: set[Value] = set()
    for value in needed:
        node = block.nodes[value]
        word = str(node[0])
        if (
            word in ("input", "fed")
            or ((cell := _entered(node)) is not None and cell in varying)
            or any(a in found for a in arguments(node))
        ):
            found.add(value)
    return found


def flushing(profile: Profile) -> frozenset[str]:
    """The words that take a subnormal argument for zero under a profile whose arithmetic flushes."""
    return _FLUSHING | {"floor"} if profile.subnormal_floor == "flush" else _FLUSHING


def seen_subnormals(function: Function, needs: Live) -> tuple[frozenset[Node], frozenset[Cell]]:
    """The leaves (inputs, uniforms, gathers by component) of which somebody could tell a subnormal from zero, and such cells.

    They reach a word that does not flush, an output or an emitted vertex, by words that pass on what they are given. A gather that may lead to
    a register that is fed counts as any other.
    """
    seen_cells: set[Cell] = set()
    seen_leaves: set[Node] = set()
    hiding = flushing(function.profile)
    while True:
        before = len(seen_cells)
        for number, block in enumerate(function.blocks):
            seen: set[Value] = set()
            for cell, value in block.writes.items():
                if cell in needs.end[number] and (cell.file == "o" or cell in seen_cells):
                    seen.add(value)
            seen.update(value for sent in block.emits for vector in sent.outputs.values() for value in vector)
            for value in reversed(needs.nodes[number]):
                node = block.nodes[value]
                word = str(node[0])
                for place, argument in enumerate(arguments(node)):
                    if WORDS[str(block.nodes[argument][0])][0] != NUMBER or word in hiding:
                        continue
                    passed = word == "negate" or (word == "select" and place > 0)
                    if not passed or value in seen:
                        seen.add(argument)
            for value in seen:
                node = block.nodes[value]
                if node[0] == "enter" and isinstance(node[1], Cell):
                    seen_cells.add(node[1])
                elif node[0] in ("input", "uniform"):
                    seen_leaves.add(node)
                elif node[0] in ("gather", "fed"):
                    seen_leaves.add(("gather", node[2]))
        if len(seen_cells) == before:
            return frozenset(seen_leaves), frozenset(seen_cells)


def used_leaves(function: Function, needs: Live, word: str) -> tuple[Node, ...]:
    """The leaves of a kind that the program needs, each once, in order."""
    return tuple(
        sorted(
            {
                block.nodes[value]
                for n, block in enumerate(function.blocks)
                for value in needs.nodes[n]
                if block.nodes[value][0] == word
            },
            key=str,
        )
    )


def with_known(function: Function, start: Mapping[Cell, Node]) -> Function:
    """The same with constants for those of the cells in `start` that have one value whenever a block begins. Theirs at the very
    beginning is a constant node."""
    known: list[dict[Cell, Node | None] | None] = [None] * len(function.blocks)
    known[0] = dict(start)
    waiting = [0]
    while waiting:
        number = waiting.pop()
        block, mine = function.blocks[number], known[number] or {}
        after = mine | {cell: _value_of(block.nodes[block.writes[cell]], mine) for cell in mine if cell in block.writes}
        for leaf in leaves(block.exit):
            if not isinstance(leaf, Jump):
                continue
            old = known[leaf.block]
            fresh = after if old is None else {cell: node if node == after[cell] else None for cell, node in old.items()}
            if fresh != old:
                known[leaf.block] = dict(fresh)
                waiting.append(leaf.block)

    def settled(block: Block, mine: Mapping[Cell, Node | None]) -> Block:
        nodes = list(block.nodes)
        for value, node in enumerate(nodes):
            cell = _entered(node)
            if cell is not None and (constant := mine.get(cell)) is not None:
                nodes[value] = constant
        return block._replace(nodes=tuple(nodes))

    return function._replace(blocks=tuple(settled(b, mine or {}) for b, mine in zip(function.blocks, known, strict=True)))


def _value_of(node: Node, known: Mapping[Cell, Node | None]) -> Node | None:
    """The constant that a node is, or None."""
    if node[0] in ("const", "truth", "integer"):
        return node
    cell = _entered(node)
    return known.get(cell) if cell is not None else None


_NOTHING: Mapping[str, Node] = {NUMBER: ("const", 0), TRUTH: ("truth", False), INTEGER: ("integer", 0)}


def ever_set(functions: Iterable[Function]) -> frozenset[Cell]:
    """The cells that can hold something else than zero or false after runs of these, one after another, if none does before the first."""
    moves: list[tuple[Cell, Node]] = []
    for block in [block for function in functions for block in function.blocks]:
        ways = [write for leaf in leaves(block.exit) if isinstance(leaf, Jump) for write in leaf.writes]
        moves += [(cell, block.nodes[value]) for cell, value in [*block.writes.items(), *ways]]
    found: set[Cell] = set()
    changed = True
    while changed:
        changed = False
        for cell, node in moves:
            source = _entered(node)
            if cell not in found and (node != _NOTHING[cell.kind] if source is None else source in found):
                found.add(cell)
                changed = True
    return frozenset(found)
