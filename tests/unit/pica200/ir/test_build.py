"""Programs as SSA: what is one node, what is computed at once, what a block leaves and where it goes."""

from __future__ import annotations

import pytest

import lanewise as lw
from lanewise.pica200.ir import build as building
from lanewise.pica200.ir import passes
from lanewise.pica200.ir.build import build
from lanewise.pica200.ir.ssa import Block, Fork, Function, Jump, Stop, Unsupported, leaves
from lanewise.pica200.sem.components import Component
from lanewise.pica200.sem.profile import HARDWARE


def built(text: str, booleans: dict[int, bool] | None = None) -> Function:
    shader = lw.assemble(text).vertex
    found = build(shader.words, shader.descriptors, shader.interface.entry, booleans=booleans)
    assert isinstance(found, Function)
    return found


def test_equal_requests_are_one_node_and_constants_are_computed():
    found = built(
        """.constf k(0.0, 1.0, 2.0, 4.0)
.out pos position
.proc main
    add r0.xy, r0, r0
    mul r1, v0.xxxx, v0.yyyy
    mul r2, v0.xxxx, v0.yyyy
    add pos, r1, r2
    mov pos.z, r0
    end
.end
"""
    )
    assert str(found).splitlines() == [
        "block 0 at 0x0, 6 instructions",
        "  %0 = mul v0.x, v0.y",
        "  r1.x = %0",
        "  r1.y = %0",
        "  r1.z = %0",
        "  r1.w = %0",
        "  r2.x = %0",
        "  r2.y = %0",
        "  r2.z = %0",
        "  r2.w = %0",
        "  %1 = add %0, %0",
        "  o0.x = %1",
        "  o0.y = %1",
        "  o0.w = %1",
        "  end",
    ]


LOOP = """.out pos position
.ivec n
.proc main
    mov r0, v0
    for n
        add r0, c4[aL], r0
    .end
    mov pos, r0
    end
.end
"""


def test_loops_are_blocks_that_carry_cells():
    found = built(LOOP)
    first, body, last = found.blocks
    assert isinstance(first.exit, Jump)
    assert {str(component) for component, _ in first.exit.writes} == {"aL", "counter0", "saved0"}
    assert isinstance(body.exit, Fork)
    assert [end.block for end in leaves(body.exit) if isinstance(end, Jump)] == [2, 1]
    assert last.exit == Stop()


def test_calls_without_a_question_are_one_block():
    found = built(
        """.out pos position
.proc main
    call twice
    call twice
    mov pos, r0
    end
.end
.proc twice
    add r0, v0, v0
.end
"""
    )
    assert [block.size for block in found.blocks] == [6]


def test_a_known_boolean_leaves_one_way():
    text = """.out pos position
.bool lit
.proc main
    ifu lit
        mov pos, v0
    .else
        mov pos, v1
    .end
    end
.end
"""
    assert len(built(text).blocks) == 4
    assert [len(built(text, {0: value}).blocks) for value in (False, True)] == [1, 1]


def test_what_a_trace_cannot_say_is_a_reason():
    shader = lw.assemble(LOOP.replace("add r0, c4[aL], r0", "mad r0, r0, r0, r0")).vertex
    found = build(shader.words, shader.descriptors, 0, profile=HARDWARE.replace(mad_rounding="once"))
    assert found == Unsupported("mad_rounding is once: product and sum are rounded together")


def test_a_program_with_too_many_blocks_is_left_before_they_are_built(monkeypatch: pytest.MonkeyPatch):
    count = len(built(LOOP).blocks)
    monkeypatch.setattr(building, "MOST_BLOCKS", count)
    assert len(built(LOOP).blocks) == count
    monkeypatch.setattr(building, "MOST_BLOCKS", count - 1)
    made: list[object] = []
    real = building.BlockBuilder.build

    def counted(builder: building.BlockBuilder) -> Block:
        made.append(builder)
        return real(builder)

    monkeypatch.setattr(building.BlockBuilder, "build", counted)
    shader = lw.assemble(LOOP).vertex
    found = build(shader.words, shader.descriptors, 0)
    assert found == Unsupported(f"the program has more than {count - 1} blocks")
    assert len(made) == count - 1


def test_what_is_needed_and_what_differs():
    found = built(LOOP)
    needs = passes.live(found, [Component("o", 0, 0)])
    assert sorted(map(str, needs.begin[1])) == ["aL", "counter0", "r0.x"]
    lanes = passes.lanes(found, needs)
    assert Component("aL") not in lanes.varying
    assert Component("r", 0, 0) in lanes.varying
    assert lanes.regions == ()


def test_lanes_part_at_a_question_about_numbers():
    found = built(
        """.out pos position
.proc main
    mov pos, v1
    cmp v0.xy, lt, lt, v0.zw
    ifc cmp.x
        mov pos.x, v0
    .end
    end
.end
"""
    )
    written = passes.written(found)
    assert written == {0: passes.Written(0xF, 0xF)}
    lanes = passes.lanes(found, passes.live(found, [Component("o", 0, 0)]))
    assert [(region.blocks, region.meet) for region in lanes.regions] == [((1,), 2)]


def test_what_some_paths_write_is_a_cell():
    found = built(
        """.out pos position
.proc main
    mov pos.yzw, v1
    cmp v0.xy, lt, lt, v0.zw
    ifc cmp.x
        mov pos.x, v0
    .end
    end
.end
"""
    )
    known = passes.written(found)
    assert known == {0: passes.Written(0x7, 0xF)}
    marked = passes.with_written(found, known)
    assert [component for block in marked.blocks for component in block.writes if component.file == "written"] == [
        Component("written", 0, 0)
    ]


def test_where_subnormals_are_seen():
    found = built(
        """.out pos position
.out col color
.proc main
    mov r0, v0
    mul pos, r0, v1
    max col, v2, r0.xxxx
    end
.end
"""
    )
    wanted = [Component("o", n, c) for n in range(2) for c in range(4)]
    seen, _ = passes.seen_subnormals(found, passes.live(found, wanted))
    assert seen == {("input", 0, 0)} | {("input", 2, c) for c in range(4)}


def test_whether_flr_sees_subnormals_is_a_matter_of_the_profile():
    source = ".out pos position\n.proc main\n    flr pos, v0\n    end\n.end\n"
    shader = lw.assemble(source).vertex
    wanted = [Component("o", 0, c) for c in range(4)]
    for answer, found in (("flush", frozenset[object]()), ("keep", frozenset(("input", 0, c) for c in range(4)))):
        rules = HARDWARE.replace(subnormal_floor=answer)
        made = build(shader.words, shader.descriptors, shader.interface.entry, profile=rules)
        assert isinstance(made, Function)
        assert passes.seen_subnormals(made, passes.live(made, wanted))[0] == found
