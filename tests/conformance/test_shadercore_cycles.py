"""Issue cycles, stalls and waits of every whole program that was run on the public hardware description."""

from __future__ import annotations

from typing import Any

from effort import EXHAUSTIVE
from lanewise.shadercore.isa.codec import decode
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.isa.timing import time_program, time_waves
from lanewise.shadercore.opt.operands import cycles
from lanewise.shadercore.opt.program import optimised_program
from shadercore_cases import needs_vectors, program_vectors, words_of
from together import together

PROGRAMS = program_vectors()


@needs_vectors
def test_there_are_vectors():
    assert len(PROGRAMS) == 50
    assert max(len(vector["words"]) for vector in PROGRAMS) == 82


@together("vector", PROGRAMS, ids=lambda vector: vector["name"])
def test_program(vector: dict[str, Any]):
    timing = time_program([decode(word) for word in words_of(vector)], RTL)
    expected = vector["expected"]
    assert [issue.cycle for issue in timing.issues] == expected["issue_cycle"]
    assert (timing.output_stalls, timing.input_stalls) == (expected["o_stalls"], expected["i_stalls"])
    assert (timing.run_cycles, timing.drain_cycles) == (expected["runShader_cycles"], expected["waitForWrites_cycles"])


@needs_vectors
def test_the_repositorys_own_program():
    """Reference 3: 667 cycles, 2 O-stalls and 9 I-stalls."""
    (vector,) = [vector for vector in PROGRAMS if vector["name"] == "repo_test_program_82"]
    timing = time_program([decode(word) for word in words_of(vector)], RTL)
    assert (timing.run_cycles, timing.output_stalls, timing.input_stalls, timing.drain_cycles) == (667, 2, 9, 1)
    assert time_waves(timing, 15).export == 11 * 15 + 1


@needs_vectors
def test_optimised_programs_take_no_more():
    """The repository's own program in 73 slots and 588 cycles, 82 and 668 before; an exhaustive run has all programs."""
    own = "repo_test_program_82"
    found: dict[str, tuple[int, int]] = {}
    for vector in [vector for vector in PROGRAMS if EXHAUSTIVE or vector["name"] == own]:
        program = Program(words=tuple(words_of(vector)))
        before, after = time_program(program.insts, RTL), optimised_program(program, RTL).program
        found[vector["name"]] = len(after.words), cycles(after.insts, RTL)
        assert len(after.words) <= len(program.words)
        assert before.total_cycles is not None
        assert found[vector["name"]][1] <= before.total_cycles
    assert found[own] == (73, 588)
