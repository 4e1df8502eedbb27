"""Build functions: nodes at the end of a block, exits when a block is complete.

b = Builder()
block = b.block("number4", "number")       # a block with two parameters
b.at(block)
total = b.op("add", b.parameter(block, 1), b.constant(1.0))
b.jump(block, (b.parameter(block, 0), total))
function = b.function("name", declarations, results)
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.ssa.function import PARAMETER, Block, Branch, Edge, Function, Jump, Return, reached
from lanewise.ssa.nodes import LETTERS, WIDTHS, Node, Ref, type_of
from lanewise.ssa.operations import OPERATIONS, result_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.source import Span
    from lanewise.ssa.function import Declaration, Exit
    from lanewise.ssa.nodes import Immediate


class Builder:
    """A function that grows; `current` is the block that nodes are added to, and `line` where they come from."""

    current: int

    def __init__(self) -> None:
        self.values: list[Node] = []
        self.line = -1
        self.parameters: list[tuple[int, ...]] = []
        self.nodes: list[list[int]] = []
        self.exits: list[Exit | None] = []
        self.current = self.block()

    def block(self, *types: str) -> int:
        """A block with parameters of these types."""
        self.parameters.append(tuple(range(len(self.values), len(self.values) + len(types))))
        self.values += [Node(op=PARAMETER, type=kind, line=self.line) for kind in types]
        self.nodes.append([])
        self.exits.append(None)
        return len(self.nodes) - 1

    def at(self, block: int) -> None:
        """Go on at the end of a block."""
        self.current = block

    def parameter(self, block: int, number: int) -> Ref:
        return Ref(self.parameters[block][number])

    def type_of(self, ref: Ref) -> str:
        return type_of(self.values, ref)

    def op(self, name: str, *sources: Ref, immediates: tuple[Immediate, ...] = ()) -> Ref:
        """The value of an operation. Raises ValueError for sources that it does not take."""
        kind = result_type(OPERATIONS[name], [self.type_of(source) for source in sources], immediates)
        self.nodes[self.current].append(len(self.values))
        self.values.append(Node(op=name, sources=sources, immediates=immediates, type=kind, line=self.line))
        return Ref(len(self.values) - 1)

    def constant(self, *values: float) -> Ref:
        return self.op("const", immediates=values)

    def selected(self, ref: Ref, lanes: Sequence[int]) -> Ref:
        """Lanes of a value."""
        own = ref.lanes or LETTERS[: WIDTHS[self.type_of(Ref(ref.node))]]
        letters = "".join([own[lane] for lane in lanes])
        whole = letters == LETTERS[: WIDTHS[self.type_of(Ref(ref.node))]]
        return Ref(ref.node, ref.modifier, "" if whole else letters)

    def packed(self, refs: Sequence[Ref]) -> Ref:
        """Numbers of one lane side by side: a selection where they are lanes of one value, seen alike."""
        first = refs[0]
        if all(ref[:2] == first[:2] for ref in refs):
            own = [LETTERS.index(ref.lanes or "x") for ref in refs]
            return self.selected(Ref(first.node, first.modifier), own)
        return self.op("pack", *refs)

    def jump(self, block: int, arguments: tuple[Ref, ...] = ()) -> None:
        self.leave(Jump(Edge(block, arguments), self.line))

    def branch(self, question: Ref, yes: int, no: int) -> None:
        """Go on with one of two blocks without parameters."""
        self.leave(Branch(question, Edge(yes), Edge(no), self.line))

    def leave(self, exit: Exit) -> None:
        """Complete the current block."""
        self.exits[self.current] = exit

    def function(
        self,
        name: str,
        declarations: tuple[Declaration, ...] = (),
        results: tuple[str, ...] = (),
        lines: tuple[Span, ...] = (),
    ) -> Function:
        """The function, with the blocks that its entry leads to; those without an exit return nothing."""
        blocks = [
            Block(parameters, tuple(nodes), Return() if exit is None else exit)
            for parameters, nodes, exit in zip(self.parameters, self.nodes, self.exits, strict=True)
        ]
        return reached(
            Function(
                name=name,
                declarations=declarations,
                results=results,
                nodes=tuple(self.values),
                blocks=tuple(blocks),
                lines=lines,
            )
        )
