"""The optimiser behind the back end of the PICA200: what it does not change stays where it was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.compile.pica200 import backend
from lanewise.compile.pica200.backend import compile_vector
from lanewise.compile.pica200.optimised import Shrunk, shrunk
from lanewise.compile.spirv.lower import Options, lower
from lanewise.compile.spirv.module import Module, read_module
from lanewise.core.debugging import Inlined, Variable
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.opt.driver import Options as Moves
from lanewise.pica200.opt.driver import optimise
from lanewise.pica200.opt.proof import StructuralProof
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    import pytest

    from lanewise.compile.pica200.backend import Result
    from lanewise.compile.vector.code import Program
    from lanewise.pica200.isa.encoder import Encoded
    from lanewise.pica200.isa.program import Program as Pica

LINES = Path(__file__).parent.parent / "spirv" / "lines"


def _vector(name: str) -> Program:
    module = read_module((LINES / f"{name}.spv").read_bytes(), name)
    assert isinstance(module, Module)
    program = lower(module, Options(variables=True)).program
    assert program is not None
    return program


def _both(name: str, patch: pytest.MonkeyPatch) -> tuple[Result, Result, Shrunk]:
    """A shader with and without the optimiser."""
    seen: list[Shrunk] = []
    own = backend.shrunk

    def noted(program: Pica, encoded: Encoded, avoid: frozenset[str]) -> Shrunk:
        seen.append(own(program, encoded, avoid))
        return seen[-1]

    def unchanged(program: Pica, encoded: Encoded, _: frozenset[str]) -> Shrunk:
        return Shrunk(program, encoded, tuple(range(len(encoded.words))))

    patch.setattr(backend, "shrunk", noted)
    after = compile_vector(_vector(name), name=name)
    patch.setattr(backend, "shrunk", unchanged)
    return compile_vector(_vector(name), name=name), after, seen[0]


def test_fewer_words_with_the_places_that_they_had(monkeypatch: pytest.MonkeyPatch):
    before, after, made = _both("wave", monkeypatch)
    assert before.program is not None
    assert after.program is not None
    assert len(after.encoded.words) < len(before.encoded.words)
    assert before.counts == after.counts
    assert before.program.interfaces[0]._replace(entry_end=0) == after.program.interfaces[0]._replace(entry_end=0)
    assert [each.span for each in after.program.operations] == [before.program.operations[at].span for at in made.origins]
    # Functions and variables are those of the word; a place is the one it had, or none.
    for found, at in zip(after.program.inlined, made.origins, strict=True):
        for frame, old in zip(found, before.program.inlined[at], strict=True):
            assert (frame.function, frame.call) == (old.function, old.call)
            for variable, same in zip(frame.variables, old.variables, strict=True):
                assert variable.name == same.name
                assert all(mine in (place, None) for mine, place in zip(variable.components, same.components, strict=True))


def test_a_place_that_another_value_is_in_is_gone():
    """The sum is written to the output at once: r1 has it no more. r2 has what it had."""
    text = """.fvec c0
.in a v0
.out pos position
.out clr color
.proc main
    add r1, c0, a
    mul r2, a, a
    mov pos, r1
    mul clr, r2, r2
    end
.end
"""
    assembly = assemble_sources([("sum.v.pica", text)])
    variables = tuple(
        [Variable(name, "float", (place,)) for name, place in (("sum", "r1.x"), ("square", "-r2.y"), ("a", "v0.x"))]
    )
    inlined = tuple([(Inlined("main", None, variables),)] * 5)
    made = shrunk(assembly.program._replace(inlined=inlined), assembly.encoded)
    assert made.origins == (0, 1, 3, 4)
    places = [[variable.components[0] for variable in frames[0].variables] for frames in made.program.inlined]
    assert places[2] == [None, "-r2.y", "v0.x"]


def test_little_is_left_for_lanewise_opt():
    made = compile_vector(_vector("lamp"), name="lamp")
    assert made.program is not None
    again = optimise(
        made.program, StructuralProof(made.program, made.encoded, profiles=(HARDWARE,), quick=True), Moves(share=False)
    )
    assert not again.steps
