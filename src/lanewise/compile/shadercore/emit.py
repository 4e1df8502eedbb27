"""Code with an order and registers, as instructions of ShaderCore."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.shadercore.code import CONSTANT, INPUT, PATTERN
from lanewise.shadercore.isa.codec import Dest, Inst, Source, instruction
from lanewise.shadercore.isa.table import (
    ABS,
    BY_NAME,
    DEST_FILES,
    MINUS_ONE,
    NEG_ABS,
    NEGATE,
    NONE,
    ONE,
    SOURCE_FILES,
    ZERO,
    C,
    V,
)
from lanewise.shadercore.isa.table import END as END_OP
from lanewise.shadercore.sem.numbers import ONE as ONE_BITS
from lanewise.ssa.nodes import Ref

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.shadercore.code import Code
    from lanewise.compile.shadercore.constants import Pool
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.sem.steps import Register

# What a modifier must be where the register holds the other sign.
_OTHER_SIGN = {NONE: NEGATE, NEGATE: NONE, ABS: ABS, NEG_ABS: NEG_ABS}
_OF_MINUS_ONE = {NONE: ABS, NEGATE: NONE, ABS: ABS, NEG_ABS: NONE}


def emit(code: Code, order: Sequence[int], registers: Mapping[int, Register], pool: Pool, device: Device) -> list[Inst]:
    """The instructions, followed by END."""
    found: list[Inst] = []
    rows = BY_NAME | {op.name: op for op in device.added}
    for n in order:
        node = code.nodes[n]
        file, number, component = registers[n]
        sources = [source(code, ref, registers, pool, device) for ref in node.sources]
        dest = Dest(DEST_FILES.index(file), number, component, int(node.saturate))
        found.append(instruction(rows[node.op], dest, sources))
    return [*found, Inst(op=END_OP)]


def source(code: Code, ref: Ref, registers: Mapping[int, Register], pool: Pool, device: Device) -> Source:
    """A value as an operand."""
    node = code.nodes[ref.node]
    if node.op == INPUT:
        return Source(V, node.number, node.component, ref.modifier)
    if node.op == CONSTANT:
        return Source(C, node.number, node.component, ref.modifier)
    if node.op == PATTERN:
        if node.number == 0:
            return Source(ZERO, modifier=ref.modifier if ref.modifier in (NEGATE, NEG_ABS) else NONE)
        if node.number == ONE_BITS:
            if device.value("one_register") == "fixed" and ref.modifier in (NONE, ABS):
                return Source(ONE)
            return Source(MINUS_ONE, modifier=_OF_MINUS_ONE[ref.modifier])
        number, component, negative = pool.places[node.number]
        return Source(C, number, component, _OTHER_SIGN[ref.modifier] if negative else ref.modifier)
    file, number, component = registers[ref.node]
    return Source(SOURCE_FILES.index(file), number, component, ref.modifier)
