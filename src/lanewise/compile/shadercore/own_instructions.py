"""Instructions that a device adds, in place of several that compute the same: the peephole of the compiler.

A row is made of a device file, not written here: the meaning of an instruction is built as code for the device, with the same
operations, folding and rewrites as the code that is compiled, and is looked for in it. So both sides are the same operations on
the same patterns, each rounded as the device does: `a * b + c` stands for a product and a sum, never for what rounds once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.shadercore.building import Builder
from lanewise.compile.shadercore.code import INPUT, PATTERN, Code, Node, Output, modified, without_dead
from lanewise.compile.shadercore.passes import join_saturation
from lanewise.shadercore.isa.table import ABS, BY_NAME, NEG_ABS, NEGATE, NONE
from lanewise.shadercore.sem.expressions import evaluate, expression
from lanewise.shadercore.sem.functions import is_opaque
from lanewise.shadercore.sem.peephole import modified_bits
from lanewise.ssa.nodes import Ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.table import Op

    Cost = Callable[[Code], tuple[int, int]]

# The results are the same for sources in the other order, NaN too: for the answers of a device, () for every device. The sum of
# the public hardware is the first of two NaN.
EXCHANGED: Mapping[str, tuple[tuple[str, str], ...]] = {"mul": (), "and": (), "or": (), "add": (("add", "nearest"),)}
_SIGNS = (NONE, NEGATE)
_ROUNDING = ("add", "mul")  # to nearest they give one NaN, whatever its sign was


class Pattern(NamedTuple):
    """The meaning of an instruction as code: its inputs are v0.x, v0.y and v0.z, the last node is the result."""

    op: Op
    nodes: tuple[Node, ...]
    exchanged: frozenset[str]
    "Instructions of the device whose sources may be in either order."
    turning: frozenset[str]
    "Instructions of the device to which a negated product is that of a negated factor."


class _Bound(NamedTuple):
    """The sources of an instruction, by their numbers, and the nodes that it stands for, the last among them."""

    sources: Mapping[int, Ref]
    nodes: frozenset[int] = frozenset()


def with_own_instructions(code: Code, device: Device, cost: Cost) -> Code:
    """The code with instructions that the device adds, those that stand for most first, each where the cost falls: slots, then
    cycles."""
    best: tuple[int, int] | None = None
    for pattern in patterns(device):
        changed = _replaced(code, pattern)
        if changed is None:
            continue
        best = cost(code) if best is None else best
        found = cost(changed)
        if found < best:
            code, best = changed, found
    return code


@lru_cache(maxsize=16)
def patterns(device: Device) -> tuple[Pattern, ...]:
    """The instructions that a device adds and whose meaning is code for it, the longest first.

    None for functions and tables, of which nothing is known, and for what no instructions of the table compute.
    """
    exchanged = frozenset([op for op, only in EXCHANGED.items() if all(device.value(key) == value for key, value in only)])
    signed = (device.value("mul"), device.value("nan")) == ("zero", "signed")  # the sign of a NaN is that of the factors
    turning = frozenset(BY_NAME) if signed else frozenset([op for op in _ROUNDING if device.value(op) == "nearest"])
    found: list[Pattern] = []
    for op in device.added:
        if not op.dests or not op.operation or is_opaque(op) or op.name in BY_NAME:
            continue
        builder = Builder(device)
        sources = [builder.input(0, number) for number in range(op.sources)]
        try:
            root = evaluate(builder, expression(op.operation).node, sources)
        except ValueError:
            continue
        code = join_saturation(without_dead(Code(tuple(builder.nodes), (Output(0, 0, root),))))
        result = code.outputs[0].value
        read = {node.component for node in code.nodes if node.op == INPUT}
        is_last = result == Ref(len(code.nodes) - 1) and not code.nodes[result.node].is_leaf
        if is_last and len(read) == op.sources:
            found.append(Pattern(op, code.nodes, exchanged, turning))
    return tuple(sorted(found, key=lambda each: (-sum(not node.is_leaf for node in each.nodes), each.op.opcode)))


def _replaced(code: Code, pattern: Pattern) -> Code | None:
    """The code with an instruction wherever it makes another one superfluous, or where it is one for one; None: nowhere."""
    root = pattern.nodes[-1]
    found: dict[int, _Bound] = {}
    for number, node in enumerate(code.nodes):
        if node.op == root.op and node.saturate >= root.saturate:
            bound = next(_sources(pattern, code, root, number, False, _Bound({})), None)
            if bound is not None:
                found[number] = bound
    while found:
        nodes = list(code.nodes)
        for number, bound in found.items():
            sources = tuple([bound.sources[n] for n in range(pattern.op.sources)])
            saturate = nodes[number].saturate and not root.saturate
            nodes[number] = Node(op=pattern.op.name, sources=sources, saturate=saturate, line=nodes[number].line)
        changed = Code(tuple(nodes), code.outputs)
        read = _read(changed)
        idle = [number for number, bound in found.items() if len(bound.nodes) > 1 and bound.nodes - {number} <= read]
        if not idle:
            return without_dead(changed)
        for number in idle:  # all that it stands for is needed anyway
            del found[number]
    return None


def _read(code: Code) -> set[int]:
    """The nodes that outputs depend on."""
    found: set[int] = set()
    waiting = [ref.node for ref in code.values]
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += [ref.node for ref in code.nodes[number].sources]
    return found


def _sources(pattern: Pattern, code: Code, wanted: Node, number: int, turned: bool, bound: _Bound) -> Iterator[_Bound]:
    """The ways in which the sources of a node are those of one of the pattern; `turned`: of a product with the other sign."""
    sources = list(code.nodes[number].sources)
    if turned:
        sources[0] = modified(sources[0], NEGATE)
    bound = bound._replace(nodes=bound.nodes | {number})
    for order in (sources, sources[::-1]) if wanted.op in pattern.exchanged else (sources,):
        ways = [bound]
        for one, other in zip(wanted.sources, order, strict=True):
            ways = [way for each in ways for way in _fits(pattern, code, wanted.op, one, other, each)]
        yield from ways


def _fits(pattern: Pattern, code: Code, reader: str, wanted: Ref, given: Ref, bound: _Bound) -> Iterator[_Bound]:
    """The ways in which a value of the code is one of the pattern that `reader` reads."""
    node, other = pattern.nodes[wanted.node], code.nodes[given.node]
    if node.op == INPUT:
        source = _seen_through(given, wanted.modifier)
        if source is not None and bound.sources.get(node.component, source) == source:
            yield bound._replace(sources={**bound.sources, node.component: source})
    elif node.op == PATTERN:
        bits = modified_bits(node.number, wanted.modifier)
        if other.op == PATTERN and modified_bits(other.number, given.modifier) == bits:
            yield bound
    elif (other.op, other.saturate) == (node.op, node.saturate):
        signs = wanted.modifier in _SIGNS and given.modifier in _SIGNS
        if wanted.modifier == given.modifier:
            yield from _sources(pattern, code, node, given.node, False, bound)
        elif signs and node.op == "mul" and not node.saturate and reader in pattern.turning:
            yield from _sources(pattern, code, node, given.node, True, bound)


def _seen_through(given: Ref, modifier: int) -> Ref | None:
    """The value that is `given` where it is seen with a modifier."""
    if modifier in _SIGNS:
        return modified(given, modifier)
    return Ref(given.node) if given.modifier == modifier and modifier in (ABS, NEG_ABS) else None


__all__ = ["EXCHANGED", "Pattern", "patterns", "with_own_instructions"]
