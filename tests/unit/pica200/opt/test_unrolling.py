"""Loops that are unrolled: the outputs stay, and what cannot be unrolled stays a loop."""

from __future__ import annotations

import pytest

from lanewise.api.loading import assemble
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.api.file import Optimisation, ShaderFile

HEAD = """.fvec l[8]
.ivec n, k
.bool flag
.out outpos position
.out outclr color
.in inpos
.in inclr
.proc main
    mov outpos, inpos
    mov r0, inclr
"""
TAIL = """
    mov outclr, r0
    end
.end
"""
ONE = "for n\nmad r0, inclr, l[aL], r0\n.end"


def optimised(code: str, *, more: str = "", **counts: Sequence[int]) -> tuple[ShaderFile, Optimisation]:
    file = assemble(HEAD + code + TAIL + more)
    return file, file.optimise(unroll=True, uniforms=counts)


def names(found: Optimisation) -> list[str]:
    return [operation.op.name for operation in found.file.program.operations]


def same(file: ShaderFile, found: Optimisation, *, flag: bool = True, **counts: Sequence[int]) -> bool:
    inputs = {"inpos": [[1, 2, 3, 1], [-1, 0.5, 7, 2]], "inclr": [[0.1, 0.2, 0.3, 0.4], [5, -6, 7, -8]]}
    uniforms = {"l": [[n + 1, n * 0.5, -n, 1] for n in range(8)], "n": (0, 0, 0), "k": (0, 0, 0), "flag": flag, **counts}
    one, other = (each.vertex.run(inputs=inputs, uniforms=uniforms, engine="reference") for each in (file, found.file))
    return all([*map(tuple, one.bits[name])] == [*map(tuple, other.bits[name])] for name in one.bits)  # lists without NumPy


@pytest.mark.parametrize("values", [(0, 0, 1), (1, 0, 1), (1, 2, 3), (2, 1, 0)])
def test_a_loop(values: tuple[int, ...]):
    file, found = optimised(ONE, n=values)
    assert "for" not in names(found)
    assert found.words[1] <= found.words[0]
    assert same(file, found, n=values)
    step = next(step for step in found.steps if step.move == "unroll")
    assert "loop_rounds" in step.rests_on
    assert step.spans


def test_only_when_asked():
    file = assemble(HEAD + ONE + TAIL)
    assert "for" in names(file.optimise(uniforms={"n": (0, 0, 1)}))


def test_only_where_it_is_shorter():
    body = "\n".join(["mad r0, r0, l[aL], inclr", "mul r0, r0, inpos"] * 3)
    _, found = optimised(f"for n\n{body}\n.end", n=(7, 0, 1))
    assert "for" in names(found)


def test_only_with_known_counts():
    _, found = optimised(ONE)
    assert "for" in names(found)
    text = (HEAD + ONE + TAIL).replace(".ivec n, k", ".consti n(1, 0, 1, 0)")
    assert "for" in names(assemble(text).optimise(unroll=True))
    assert "for" not in names(assemble(text).optimise(unroll=True, constants_known=True))


def test_blocks_in_a_loop():
    code = "for n\nifu flag\nadd r0, l[aL], r0\n.else\nmul r0, l[aL], r0\n.end\n.end"
    file, found = optimised(code, n=(0, 3, 1))
    assert names(found).count("ifu") == 1
    assert "for" not in names(found)
    for flag in (False, True):
        assert same(file, found, flag=flag, n=(0, 3, 1))


def test_nested_loops():
    code = "for n\nadd r0, l[aL], r0\nfor k\nmad r0, inclr, l[aL], r0\n.end\n.end"
    file, found = optimised(code, n=(0, 1, 1), k=(0, 5, 1))
    assert "for" not in names(found)
    assert same(file, found, n=(0, 1, 1), k=(0, 5, 1))


def test_calls_in_a_loop():
    more = ".proc more\nadd r0, r0, inpos\nmul r0, r0, inclr\n.end\n"
    file, found = optimised("for n\ncall more\n.end", more=more, n=(1, 0, 1))
    assert "for" not in names(found)
    assert same(file, found, n=(1, 0, 1))


@pytest.mark.parametrize(
    "code",
    [
        "for n\nadd r0, l[aL], r0\nbreakc cmp.x\n.end",  # how often it runs is not known
        "for n\nadd r0, l[aL], r0\n.end\nadd r0, l[aL], r0",  # aL is read after it
        "for n\ncall more\n.end",  # aL is read in a procedure
    ],
)
def test_what_stays_a_loop(code: str):
    more = ".proc more\nadd r0, l[aL], r0\n.end\n" if "call" in code else ""
    code = code if "cmp" not in code else f"cmp inpos, lt, lt, r0\n{code}"
    file, found = optimised(code, more=more, n=(0, 2, 1))
    assert "for" in names(found)
    assert same(file, found, n=(0, 2, 1))


def test_an_index_past_the_uniforms():
    text = (HEAD + ONE + TAIL).replace("l[8]", "l[8] ").replace("l[aL]", "c95[aL]")
    assert "for" in names(assemble(text).optimise(unroll=True, uniforms={"n": (1, 0, 1)}))


def test_names_and_values():
    file = assemble(HEAD + ONE + TAIL)
    with pytest.raises(ValueError, match="unknown integer register; this file has i0, i1, i2, i3, n, k"):
        file.optimise(uniforms={"l": (1, 0, 1)})
    with pytest.raises(ValueError, match="expected 1 to 4 numbers from 0 to 255"):
        file.optimise(uniforms={"n": (256, 0, 1)})
