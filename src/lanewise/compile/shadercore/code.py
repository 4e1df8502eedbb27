"""Straight-line SSA code for ShaderCore, before register allocation.

A value is a `ssa.nodes.Ref`: a node and the modifier with which it is seen, `NONE`, `NEGATE`, `ABS` or `NEG_ABS`, so that signs
and magnitudes cost nothing. A node is a leaf (a component of an input, a constant that the application sets, a pattern of 32
bits), or an instruction.
"""

from __future__ import annotations

from typing import NamedTuple

from lanewise.core.record import Record
from lanewise.shadercore.isa.table import ABS, NEG_ABS, NEGATE, NONE
from lanewise.ssa.nodes import Ref, moved, needed, renumbered

COMPONENTS = "xyzw"
INPUT, CONSTANT, PATTERN = "input", "constant", "pattern"
LEAVES = (INPUT, CONSTANT, PATTERN)


class Node(Record):
    """An instruction or a leaf."""

    op: str
    "The name of the row in `shadercore.isa.table`, or one of `LEAVES`."
    sources: tuple[Ref, ...] = ()
    "The operands; empty for leaves."
    saturate: bool = False
    "The result is saturated."
    number: int = 0
    "The number of the register of a leaf; the bits of a pattern."
    component: int = 0
    "The component of the register of a leaf."
    line: int = -1
    "The index of the source instruction that asked for the node first; -1: none."
    why: str = ""
    "The purpose of a pattern."

    @property
    def is_leaf(self) -> bool:
        return self.op in LEAVES


class Output(NamedTuple):
    """A component of an output register, and the value that it gets."""

    number: int
    component: int
    value: Ref
    line: int = -1


class Code(NamedTuple):
    """Nodes, each after its operands, and outputs."""

    nodes: tuple[Node, ...]
    outputs: tuple[Output, ...]

    def __str__(self) -> str:
        lines = [f"{name(self, Ref(n))} = {show(self, node)}" for n, node in enumerate(self.nodes) if not node.is_leaf]
        return "\n".join([*lines, *(f"o{o.number}.{COMPONENTS[o.component]} = {name(self, o.value)}" for o in self.outputs)])

    @property
    def values(self) -> list[Ref]:
        """The values of the outputs."""
        return [output.value for output in self.outputs]

    @property
    def slots(self) -> int:
        """Instructions, without the moves to outputs and the end."""
        return sum(not node.is_leaf for node in self.nodes)


def name(code: Code, ref: Ref) -> str:
    """A value as text: `%5`, `-v0.x`, `abs(c3.y)`, `0x3F000000`."""
    node = code.nodes[ref.node]
    if node.op == PATTERN:
        text = f"0x{node.number:08X}"
    elif node.is_leaf:
        text = f"{'v' if node.op == INPUT else 'c'}{node.number}.{COMPONENTS[node.component]}"
    else:
        text = f"%{ref.node}"
    return {NEGATE: f"-{text}", ABS: f"abs({text})", NEG_ABS: f"-abs({text})"}.get(ref.modifier, text)


def show(code: Code, node: Node) -> str:
    """A node as text."""
    return f"{node.op}{'_sat' if node.saturate else ''} {', '.join([name(code, source) for source in node.sources])}"


def modified(ref: Ref, modifier: int) -> Ref:
    """The value seen with one more modifier: of two, the later acts on what the earlier gives."""
    if modifier == NONE:
        return ref
    if modifier == NEGATE:
        return Ref(ref.node, ref.modifier ^ NEGATE)
    return Ref(ref.node, modifier)


def without_dead(code: Code) -> Code:
    """The nodes that outputs depend on, renumbered."""
    order = needed(code.nodes, code.values)
    if len(order) == len(code.nodes):
        return code
    nodes, place = renumbered(code.nodes, order, _with_sources)
    values = moved(code.values, place)
    return Code(nodes, tuple([o._replace(value=value) for o, value in zip(code.outputs, values, strict=True)]))


def _with_sources(node: Node, sources: tuple[Ref, ...]) -> Node:
    """An instruction on other sources; leaves have none."""
    if node.is_leaf:
        return node
    return Node(op=node.op, sources=sources, saturate=node.saturate, line=node.line)


assert (NONE, NEGATE, ABS, NEG_ABS) == (0, 1, 2, 3)
