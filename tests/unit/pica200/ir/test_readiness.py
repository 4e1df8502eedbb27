from __future__ import annotations

import lanewise as lw
from lanewise.pica200.engine.llvm.plan import Plan
from lanewise.pica200.ir.readiness import ordered
from lanewise.pica200.ir.ssa import arguments

SOURCE = """.in place v0
.in normal v1
.out pos position
.out colour color
.fvec matrix[4]
.proc main
    dp4 pos.x, matrix[0], place
    dp4 pos.y, matrix[1], place
    dp4 pos.z, matrix[2], place
    dp4 pos.w, matrix[3], place
    dp3 r0.x, normal, normal
    rsq r0.x, r0.x
    mul colour, normal, r0.x
    end
.end
"""


def test_values_come_after_their_operands_and_a_root_before_what_does_not_wait_for_it():
    shader = lw.assemble(SOURCE).vertex
    plan = shader.runner(lw.pica200.profiles["hardware"]).compiled.plan([False] * 16)
    assert isinstance(plan, Plan)
    block = plan.function.blocks[0]
    (order,) = ordered(plan.function, plan.needs)
    assert sorted(order) == sorted(plan.needs.nodes[0])
    for number, value in enumerate(order):
        assert not set(arguments(block.nodes[value])) - set(order[:number])
    root = next(place for place, value in enumerate(order) if block.nodes[value][0] == "rsq")
    rest = [value for value in order[root:] if block.nodes[value][0] in ("mul", "add")]
    assert len(rest) > 10  # the matrix, which comes first in the program
