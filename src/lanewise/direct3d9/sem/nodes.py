"""The tree of a shader as nodes with exits, for one lane: calls in place, a loop as a question before each turn.

`sem.flow` walks the tree with masks, for many lanes. One lane is on or off, so `if` is a question, and `break` and `ret` go
somewhere.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.direct3d9.sem.tree import Call, If, Leave, Loop, Step, expanded
from lanewise.graph.flow import Branch, Goto, Node, renumbered, targets
from lanewise.graph.order import reverse_postorder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.isa.program import Inst
    from lanewise.direct3d9.sem.tree import Block, Flow

MOST_EXPANDED = 20_000  # instructions with all calls in place


class Issue(Record):
    """Instructions that are issued together, in `depth` loops that have an aL."""

    insts: tuple[Inst, ...]
    depth: int


class Condition(Record):
    """The question of an `if`, `callnz`, `break` or `ret` with a condition."""

    inst: Inst
    depth: int


class Turns(Record):
    """The question before each turn of a loop: whether there is another. `level` counts the loops around."""

    register: int
    level: int


class Begin(Record):
    """The action before the first turn: no turn is done; aL of `depth` has its start, where that is not -1."""

    register: int
    level: int
    depth: int


class Next(Record):
    """The action after each turn: one more is done; aL takes its step."""

    register: int
    level: int
    depth: int


class End(Record):
    """The end of the shader."""

    code: str = ""


Exit = Goto[Begin | Next] | Branch[Condition | Turns, Begin | Next, End] | End


def nodes_of(flow: Flow) -> tuple[Node[Issue, Condition | Turns, Begin | Next, End], ...]:
    """The nodes of a shader, the entry first; every cycle has an edge to the same or a lower number.

    Raises ValueError for a shader that is too large.
    """
    size = expanded(flow)
    if size > MOST_EXPANDED:
        raise ValueError(f"with calls in place the shader has {size} instructions: at most {MOST_EXPANDED} are taken")
    builder = _Nodes(flow)
    entry = builder.before(builder.block(flow.main.block, _Around(after=End(), breaks=End(), returns=End(), level=0, depth=0)))
    if entry.actions:  # the shader begins with a loop
        builder.nodes.append(Node((), entry))
        entry = Goto(len(builder.nodes) - 1)
    order = reverse_postorder([entry.node], lambda number: targets(builder.nodes[number].exit)[::-1])
    numbers = {number: place for place, number in enumerate(order)}
    return tuple([builder.nodes[number]._replace(exit=renumbered(builder.nodes[number].exit, numbers)) for number in order])


class _Around(Record):
    """The surroundings of a block."""

    after: Exit
    "The exit at its end."
    breaks: Exit
    "The exit at `break`."
    returns: Exit
    "The exit at `ret`."
    level: int
    "How many loops are around it."
    depth: int
    "How many loops with an aL are around it."


class _Nodes:
    """Builds nodes from the last to the first: what a node leads to is there before it."""

    def __init__(self, flow: Flow) -> None:
        self.nodes: list[Node[Issue, Condition | Turns, Begin | Next, End]] = []
        self._flow = flow

    def before(self, exit: Exit, items: Sequence[Issue] = ()) -> Goto[Begin | Next]:
        """The way to some items and what follows them."""
        if not items and isinstance(exit, Goto):
            return exit
        self.nodes.append(Node(tuple(items), exit))
        return Goto(len(self.nodes) - 1)

    def block(self, block: Block, around: _Around) -> Exit:
        """The way into a block."""
        exit, items = around.after, list[Issue]()
        for node in reversed(block):
            if isinstance(node, Step):
                items.insert(0, Issue(node.insts, around.depth))
                continue
            if items:
                exit, items = self.before(exit, items), []
            exit = self._flowing(node, around._replace(after=exit))
        return self.before(exit, items) if items else exit

    def _flowing(self, node: If | Loop | Call | Leave, around: _Around) -> Exit:
        """The way into what decides the flow; what follows is behind it."""
        if isinstance(node, Loop):
            return self._loop(node, around)
        if isinstance(node, Leave):
            leaving = around.returns if node.returns else around.breaks
            return leaving if not node.inst.sources else self._branch(node.inst, leaving, around.after, around)
        if not isinstance(around.after, Goto):  # both ways lead there
            around = around._replace(after=self.before(around.after))
        if isinstance(node, If):
            return self._branch(node.inst, self.block(node.then, around), self.block(node.other, around), around)
        inside = self.block(self._flow.routines[node.label].block, around._replace(returns=around.after))
        return inside if len(node.inst.sources) == 1 else self._branch(node.inst, inside, around.after, around)

    def _branch(self, inst: Inst, yes: Exit, no: Exit, around: _Around) -> Exit:
        return Branch(Condition(inst, around.depth), yes, no)

    def _loop(self, node: Loop, around: _Around) -> Exit:
        after = self.before(around.after)
        where = node.register, around.level, around.depth if node.counts else -1
        head = self.before(End())
        inside = around._replace(
            after=head._replace(actions=(Next(*where),)), breaks=after, level=around.level + 1, depth=around.depth + node.counts
        )
        question: Branch[Condition | Turns, Begin | Next, End] = Branch(
            Turns(node.register, around.level), self.block(node.body, inside), after
        )
        self.nodes[head.node] = Node((), question)
        return head._replace(actions=(Begin(*where),))
