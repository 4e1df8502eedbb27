"""The rules of functions that no text can break."""

from __future__ import annotations

from lanewise.ssa.function import Block, Function, Jump, Return
from lanewise.ssa.function import Edge as To
from lanewise.ssa.nodes import Node, Ref
from lanewise.ssa.verify import verify
from together import together

ONE = Node(op="const", immediates=(1.0,))


def function(*nodes: Node, blocks: tuple[Block, ...] = (), results: int = 0) -> Function:
    entry = Block((), tuple(range(len(nodes))), Return())
    return Function(name="f", declarations=(), results=("r",) * results, nodes=nodes, blocks=blocks or (entry,))


BROKEN = {
    "there is no block": function()._replace(blocks=()),
    "block 0, %7: unknown node": function(blocks=(Block((), (7,), Return()),)),
    "the node is in a block twice": function(ONE, blocks=(Block((), (0, 0), Return()),)),
    "unknown block 4": function(blocks=(Block((), (), Jump(To(4))),)),
    "%0 is not defined": function(ONE, blocks=(Block((), (), Return((Ref(0),))),), results=1),
    "%1 is read before it is defined": function(Node(op="rcp", sources=(Ref(1),)), ONE),
    "'const' of type 'number' is not a parameter": function(
        ONE, blocks=(Block((), (), Return()), Block((0,), (), Return()))
    ),
    "a parameter among the nodes": function(Node(op="parameter")),
    "const gives a number, but is marked as number2": function(ONE._replace(type="number2")),
    "%0 has the modifier 2": function(ONE, Node(op="rcp", sources=(Ref(0, 2),))),
}  # fmt: skip


@together("message", BROKEN)
def test_a_broken_rule_is_found(message: str):
    found = list(map(str, verify(BROKEN[message])))
    assert any(message in each for each in found), found


def test_a_sound_function_has_no_problem():
    assert not verify(function(ONE, Node(op="rcp", sources=(Ref(0),))))
