"""Passes between building and scheduling code.

Saturation is merged into instructions, outputs get instructions, constants fit the ports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.shadercore.code import CONSTANT, PATTERN, Code, Node, Output, without_dead
from lanewise.shadercore.isa.table import NONE
from lanewise.shadercore.sem.numbers import ONE
from lanewise.shadercore.sem.peephole import MAGNITUDE
from lanewise.ssa.nodes import Ref, uses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.shadercore.isa.devices import Device


def join_saturation(code: Code) -> Code:
    """Merge `_sat` into the instruction that computes a value, where the unsaturated value has no other use."""
    used = uses(code.nodes, code.values)
    stands_for: dict[int, int] = {}
    nodes = list(code.nodes)
    for number in range(len(nodes)):
        node = nodes[number] = _seen(nodes[number], stands_for)
        if node.op != "mov" or not node.saturate or node.sources[0].modifier != NONE:
            continue
        source = node.sources[0].node
        if used[source] == 1 and not nodes[source].is_leaf and not nodes[source].saturate:
            nodes[source] = nodes[source]._replace(saturate=True)
            stands_for[number] = source
    outputs = [o._replace(value=_through(o.value, stands_for)) for o in code.outputs]
    return without_dead(Code(tuple(nodes), tuple(outputs)))


def _through(ref: Ref, stands_for: Mapping[int, int]) -> Ref:
    return Ref(stands_for.get(ref.node, ref.node), ref.modifier)


def _seen(node: Node, stands_for: Mapping[int, int]) -> Node:
    if not node.sources or not any(ref.node in stands_for for ref in node.sources):
        return node
    return node._replace(sources=tuple([_through(ref, stands_for) for ref in node.sources]))


def place_outputs(code: Code) -> Code:
    """Code in which a separate instruction writes each output.

    A value is moved if it goes to two outputs, has a modifier, or is not an instruction.
    """
    nodes = list(code.nodes)
    placed: set[int] = set()
    outputs: list[Output] = []
    for output in code.outputs:
        ref = output.value
        if ref.modifier != NONE or nodes[ref.node].is_leaf or ref.node in placed:
            nodes.append(Node(op="mov", sources=(ref,), line=output.line))
            ref = Ref(len(nodes) - 1)
        placed.add(ref.node)
        outputs.append(output._replace(value=ref))
    return Code(tuple(nodes), tuple(outputs))


def needs_constant(node: Node) -> bool:
    """Whether a leaf is read from a register c#: 0.0 and 1.0 are not, whatever their signs."""
    return node.op == CONSTANT or (node.op == PATTERN and node.number not in (0, ONE))


def fit_constants(code: Code, device: Device) -> Code:
    """Code whose instructions read as many constants as the device can read at once: others are moved to registers first."""
    if device.value("constant_ports") != "one":
        return code
    conflicts: dict[int, set[int]] = {}  # node that needs a constant -> instructions that need another one too
    for number, node in enumerate(code.nodes):
        wanted = {ref.node for ref in node.sources if needs_constant(code.nodes[ref.node])}
        if len(wanted) > 1:
            for leaf in wanted:
                conflicts.setdefault(leaf, set()).add(number)
    moved: dict[int, set[int]] = {}
    while any(conflicts.values()):
        leaf = max(conflicts, key=lambda leaf: (len(conflicts[leaf]), -leaf))
        instructions = conflicts.pop(leaf)
        moved[leaf] = instructions
        for others in conflicts.values():
            others.difference_update(instructions)
    if not moved:
        return code
    return _with_moves(code, moved)


def _with_moves(code: Code, moved: Mapping[int, set[int]]) -> Code:
    """Code in which instructions see a moved copy of a constant. The move is before the first of them."""
    nodes: list[Node] = []
    place: dict[int, int] = {}
    copies: dict[int, int] = {}
    for number, node in enumerate(code.nodes):
        sources: list[Ref] = []
        for ref in node.sources:
            target = place[ref.node]
            if number in moved.get(ref.node, ()):
                if ref.node not in copies:
                    nodes.append(Node(op="mov", sources=(Ref(target),), line=node.line))
                    copies[ref.node] = len(nodes) - 1
                target = copies[ref.node]
            sources.append(Ref(target, ref.modifier))
        place[number] = len(nodes)
        nodes.append(node._replace(sources=tuple(sources)))
    outputs = [o._replace(value=Ref(place[o.value.node], o.value.modifier)) for o in code.outputs]
    return Code(tuple(nodes), tuple(outputs))


def patterns_used(code: Code) -> dict[int, str]:
    """The magnitudes of the patterns that need a place in c#, each with what it is for."""
    return {node.number & MAGNITUDE: node.why for node in code.nodes if node.op == PATTERN and needs_constant(node)}
