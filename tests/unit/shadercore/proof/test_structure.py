"""Which registers of two programs are the same, where their inputs are in other places."""

from __future__ import annotations

from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.proof.structure import matched


def program(head: str) -> Program:
    return ShaderCoreProgram.from_source(f"{head}add o0.x, v0.x, v1.w\nend\n").program


def test_an_input_without_a_name_goes_where_none_is():
    """All four components of both, and no others."""
    renamed, reason = matched(program(".input v0 texcoord\n"), program(".input v1 texcoord\n"))
    assert reason == ""
    assert renamed == {(file, a, n): (file, b, n) for file, a, b in (("v", 1, 0), ("v", 0, 1)) for n in range(4)}


def test_an_input_without_a_name_stays_where_none_is_in_its_place():
    renamed, reason = matched(program(".input v1 texcoord\n"), program(".input v1 color\n"))
    assert (renamed, reason) == ({}, "v1 of the second program is color, of which the first has 0")


def test_inputs_without_names_go_to_different_places():
    renamed, reason = matched(
        program(".input v0 texcoord\n.input v1 color\n"), program(".input v2 texcoord\n.input v3 color\n")
    )
    assert reason == ""
    assert {a[1]: b[1] for a, b in renamed.items()} == {2: 0, 3: 1, 0: 2, 1: 3}
