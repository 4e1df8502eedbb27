"""The instructions that a finding can be about, by columns of their rows."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.facts import FOUR_PRODUCTS, ZERO_TIMES_INFINITY
from lanewise.pica200.isa.table import ARITHMETIC, BREAK, CALL, CONDITIONAL, EMIT, END, JUMP, LOOP, SETEMIT, VERTEX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.pica200.isa.table import Op

# By code. Findings that are not here are about registers, declarations or whole programs.
ABOUT: Mapping[str, Callable[[Op], bool]] = {
    "R002": lambda op: op.kind == BREAK,
    "V002": lambda op: op.source_count > 1,
    "V003": lambda op: op.source_count > 1,
    "V004": lambda op: op.source_count > 1,
    "V017": lambda op: op.kind == LOOP,
    "V022": lambda op: "bool" in op.operands and op.kind != JUMP,
    "V024": lambda op: op.kind == SETEMIT,
    "V031": lambda op: op.kind == ARITHMETIC and 1 << op.format.field("desc").width < VERTEX.descriptors,
    "V040": lambda op: op.kind in (CALL, JUMP, BREAK) or op.opens_block,
    "V070": lambda op: "a0" in op.writes,
    "V071": lambda op: op.kind == BREAK,
    "V072": lambda op: op.kind == BREAK,
    "V073": lambda op: op.kind == LOOP,
    "V074": lambda op: op.kind == CONDITIONAL,
    "V075": lambda op: op.kind == CALL,
    "V076": lambda op: op.kind == CALL,
    "V077": lambda op: op.kind == JUMP,
    "V078": lambda op: op.kind == JUMP,
    "V079": lambda op: op.kind == END,
    "V080": lambda op: op.kind == CONDITIONAL,
    "V081": lambda op: op.kind in (CALL, CONDITIONAL),
    "V082": lambda op: op.kind == EMIT,
    "V083": lambda op: "dst" in op.writes,
    "V084": lambda op: "dst" in op.writes,
    "V088": lambda op: op.kind == EMIT,
    "V092": lambda op: op.opens_block,
    "V093": lambda op: op.opens_block or op.kind == CALL,
    "V094": lambda op: op.kind == JUMP,
    "V095": lambda op: bool(op.writes),
    "V096": lambda op: bool(op.writes),
    "V099": lambda op: op.kind in (EMIT, SETEMIT),
    "V100": lambda op: op.name in ZERO_TIMES_INFINITY.ops,
    "V101": lambda op: op.kind == LOOP,
    "V103": lambda op: op.kind == LOOP,
    "V129": lambda op: op.name in FOUR_PRODUCTS,
    "V130": lambda op: op.kind == END,
    "V131": lambda op: op.name.startswith("dp"),
}
