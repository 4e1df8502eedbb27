"""`Result.registers`: what all registers hold after each vertex."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike

import lanewise as lw

SOURCE = """.in pos v3
.out outpos position
.constf k(1.0, 2.0, 0.0, 0.0)
.seti i0(2, 5, 3, 0)
.proc main
    mov r7, pos
    mova a0.xy, pos
    cmp k.xy, gt, lt, pos.xy
    for i0
        add r2, k.x, r2
    .end
    mov outpos, r2
    end
.end
"""


def floats(patterns: ArrayLike) -> list[list[float]]:
    return lw.pica200.float24.decode(patterns).tolist()


@pytest.mark.parametrize("engine", ["reference", "llvm"])
def test_registers_at_the_end(engine: str):
    shader = lw.assemble(SOURCE, name="r.v.pica").vertex
    result = shader.run({"pos": [[0, 4, 5, 6], [-3, 1, 0, 0]]}, engine=engine)
    assert result.engine == engine
    registers = result.registers
    assert list(registers) == [*(f"{file}{n}" for file in "rvo" for n in range(16)), "a0", "cmp", "aL"]
    assert floats(registers["r7"]) == floats(registers["v3"]) == [[0, 4, 5, 6], [-3, 1, 0, 0]]
    assert floats(registers["r2"]) == floats(registers["o0"]) == [[3, 3, 3, 3]] * 2
    assert np.array_equal(registers["o0"], result.bits["position"])
    assert registers["a0"].view(np.int32).tolist() == [[0, 4], [-3, 1]]
    assert registers["cmp"].tolist() == [[1, 1], [1, 0]]
    assert registers["aL"].tolist() == [[14], [14]]  # 5 and three steps of 3
    assert result.register_formats["a0"] == "int32" and result.format == "float24"


def test_registers_stay_from_vertex_to_vertex_where_the_profile_says_so():
    source = ".out o position\n.proc main\n    add r1, v0, r1\n    mov o, r1\n    end\n.end\n"
    shader = lw.assemble(source, name="k.v.pica").vertex
    kept = lw.pica200.profiles["hardware"].replace(initial_state="kept")
    result = shader.run({"v0": [[1], [2], [3]]}, profile=kept)
    assert (
        [row[0] for row in floats(result.registers["r1"])]
        == [row[0] for row in result.outputs["position"].tolist()]
        == [1, 3, 6]
    )


def test_a_vertex_that_does_not_end_has_zeros_and_one_that_stops_has_what_it_had():
    source = (
        ".out o position\n.constf k(1.0, 1.0, 1.0, 1.0)\n.proc main\nagain:\n    mov r3, v0\n    cmp k.xx, eq, eq, r3.xx\n"
        "    jmpc cmp.x, again\n    jmpc !cmp.x, 0x40\n    end\n.end\n"
    )
    shader = lw.assemble(source, name="e.v.pica").vertex
    result = shader.run({"v0": [[1], [2]]}, keep_faults=True)
    stopped = [fault.lane for fault in result.faults]
    assert 0 in stopped
    assert floats(result.registers["r3"])[0] == [0, 0, 0, 0] and floats(result.registers["r3"])[1] == [2, 0, 0, 1]
