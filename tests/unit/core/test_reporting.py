"""Progress of proofs and of runs: counted, ended by an exception, and not left for the next call."""

from __future__ import annotations

import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.core.reporting import counter, reported

EXAMPLES = REPOSITORY / "examples"


class EndedError(Exception):
    """Raised by a callback."""


@pytest.mark.parametrize("name", ["toon.v.pica", "transform.sc", "direct3d9/lit.vsa"])
def test_every_long_call_reports(name: str):
    program = lw.load(EXAMPLES / name, isa=None)
    assert not isinstance(program, lw.Direct3DEffect)
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    assert program.equivalent(program, progress=progress)
    assert told and told[0][0] > 0 and told == sorted(told) and {total for _, total in told} == {0}
    told.clear()
    if isinstance(program, lw.pica200.ShaderFile):
        assert program.vertex.equivalent(program.vertex, progress=progress) and told
        told.clear()
        assert program.optimise(progress=progress) and told == [(n + 1, 0) for n in range(len(told))]
        program = program.vertex
        told.clear()
    program.run(defaults=0, count=33, engine="reference", progress=progress)
    assert told and told[0][0] == 0 and {total for _, total in told} == {33}


def test_an_exception_of_the_callback_ends_the_call():
    program = lw.load(EXAMPLES / "toon.v.pica")

    def stop(*_: int) -> None:
        raise EndedError

    for call in (lambda: program.equivalent(program, progress=stop), lambda: program.optimise(progress=stop)):
        with pytest.raises(EndedError):
            call()
        assert counter() is None


def test_a_call_in_a_callback_has_its_own():
    with reported(lambda done, total: None):
        outer = counter()
        with reported(None):
            assert counter() is None
        assert counter() is outer
