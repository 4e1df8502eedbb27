"""Geometry shaders as SSA: emitted vertices, what is known of them, what goes from run to run."""

from __future__ import annotations

from engines.shaders import descriptor, word
from lanewise.pica200.engine.llvm.plan import Plan, kept_by, plan, plan_geometry
from lanewise.pica200.ir.ssa import FED, Geometry, Unsupported
from lanewise.pica200.sem.components import Component
from lanewise.pica200.sem.profile import HARDWARE

CLEARED = HARDWARE.replace(keep_registers_between_invocations="cleared")


def test_emitted_vertices_are_told_beside_the_values():
    """Settings and what was written are constants where all paths agree; the second vertex is of the other bank."""
    words = [
        word("setemit", vertex=1),
        word("mov", dst=0, src1=0),
        word("emit"),
        word("setemit", vertex=2, primitive=1, winding=1),
        word("emit"),
        word("end"),
    ]
    made = plan_geometry(words, [descriptor(0b1100)], 0, {}, CLEARED, Geometry((0,), range(0)))
    assert isinstance(made, Plan) and made.emission is not None
    assert [(site.setting, site.written) for site in made.emission.sites] == [(1, {0: 0b1100}), (2 + 4 + 8, {0: 0})]
    assert (made.emission.most, made.emission.leaves, made.inputs) == (2, False, {0: (0, 1)})
    assert "emit at 0x2, setting 1: o0 v0.x, v0.y, 0x000000, 0x000000" in str(made.function)


def test_what_goes_from_run_to_run_is_named():
    words = [word("emit"), word("mov", dst=0, src1=0x10), word("end")]
    kept = plan_geometry(words, [descriptor()], 0, {}, HARDWARE, Geometry((0,), range(0)))
    assert isinstance(kept, Plan)  # r0 is never set, so it stays zero
    kept = plan_geometry(
        [*words[:2], word("mov", dst=0x10, src1=0), words[2]], [descriptor()], 0, {}, HARDWARE, Geometry((0,), range(0))
    )
    assert isinstance(kept, Unsupported) and "o0.x may be used before it is written" in kept.reason
    cleared = plan_geometry(words, [descriptor()], 0, {}, CLEARED, Geometry((0,), range(0)))
    assert isinstance(cleared, Plan) and cleared.emission is not None
    assert cleared.emission.leaves  # its setting is what the run before has said


def test_registers_that_are_fed_are_inputs():
    words = [word("mov", dst=0, src1=0x24), word("emit"), word("mov", dst=0, src1=0x20, idx=1), word("emit"), word("end")]
    made = plan_geometry(words, [descriptor()], 0, {}, CLEARED, Geometry((0,), range(4, 6)))
    assert isinstance(made, Plan)
    assert made.inputs == {FED + 4: (0, 1, 2, 3)} and not made.gathers
    words[:0] = [word("mova", src1=0)]
    made = plan_geometry(words, [descriptor()], 0, {}, CLEARED, Geometry((0,), range(4, 6)))
    assert isinstance(made, Plan) and made.gathers
    assert "c4 of the run.x" in str(made.function) and "= fed " in str(made.function)


def test_registers_that_no_vertex_sets_stay_zero_from_vertex_to_vertex():
    rules = HARDWARE.replace(initial_state="kept")
    words = [word("mov", dst=0, src1=0x10), word("end")]
    made = plan(words, [descriptor()], 0, {}, rules)
    assert isinstance(made, Plan)
    assert kept_by(made) == []
    made = plan([words[0], word("mov", dst=0x10, src1=0), words[1]], [descriptor(0b0100)], 0, {}, rules)
    assert isinstance(made, Plan)
    assert kept_by(made) == [Component("r", 0, 1)]
