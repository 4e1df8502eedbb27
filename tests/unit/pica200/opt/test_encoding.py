"""Operand descriptors: programs that need too many of them, and those that are shared at the end."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.api.loading import assemble
from lanewise.core.diagnostics import InputError
from lanewise.pica200.isa.table import VERTEX
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lanewise.pica200.api.file import ShaderFile


HEAD = ".out p position\n.out c color\n.in v\n.in w\n.proc main\nmov r0, v\nmov r1, w\n"
TAIL = "\nmov p, r0\nmov c, r1\nend\n.end\n"


def lines() -> list[str]:
    """Products and sums of two registers in both orders: each pair needs two descriptors, or one."""
    selectors = random.Random(3).sample(["".join(each) for each in itertools.product("xyzw", repeat=4)], 140)
    pairs = zip(selectors[::2], selectors[1::2], strict=True)
    return [line for a, b in pairs for line in (f"mul r0, r1.{a}, r0.{b}", f"add r1, r0.{b}, r1.{a}")]


def test_more_than_128_descriptors(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code = lines()
    text = HEAD + "\n".join(code) + TAIL
    with pytest.raises(InputError, match="too many operand descriptors"):
        assemble(text)
    source, out = tmp_path / "many.v.pica", tmp_path / "many.shbin"
    source.write_text(text)
    assert cli.main(["opt", str(source), "-o", str(out)]) == 0
    assert "too many operand descriptors" in capsys.readouterr().err
    made = lw.load(str(out))
    assert len(made.vertex.descriptors) <= VERTEX.descriptors
    values = np.array([[0.5, -2, 3, 1], [1.25, 0.75, -0.5, 8]])
    inputs: dict[str, Any] = {"v": values, "w": values[::-1].copy()}
    found = made.vertex.run(inputs=inputs, engine="reference")
    first, second = parts(code)
    middle = first.vertex.run(inputs=inputs, engine="reference").outputs
    wanted = second.vertex.run(inputs={"v": middle["position"], "w": middle["color"]}, engine="reference")
    for name in ("position", "color"):
        assert np.array_equal(found.bits[name], wanted.bits[name])


def parts(code: Sequence[str]) -> tuple[ShaderFile, ShaderFile]:
    """The program in two, the second of which goes on with the outputs of the first."""
    half = len(code) // 2
    return assemble(HEAD + "\n".join(code[:half]) + TAIL), assemble(HEAD + "\n".join(code[half:]) + TAIL)


def test_too_many_that_nothing_shares(tmp_path: Path):
    """Swizzles of one source: no other order."""
    selectors = ["".join(each) for each in itertools.product("xyzw", repeat=4)][:140]
    source = tmp_path / "many.v.pica"
    source.write_text(HEAD + "\n".join([f"dp4 r0, r1.{each}, r0" for each in selectors]) + TAIL)
    assert cli.main(["opt", str(source)]) == 1


def test_sources_are_exchanged_where_that_saves_a_descriptor():
    file = assemble(HEAD + "mul r0, r1.yzwx, r0.wwxy\nmul r1, r0.wwxy, r1.yzwx" + TAIL)
    found = file.optimise()
    assert found.descriptors[1] < found.descriptors[0]
    inputs = {"v": [[1, 2, 3, 4]], "w": [[0.5, 7, -1, 3]]}
    one, other = (each.vertex.run(inputs=inputs).bits for each in (file, found.file))
    assert all((one[name] == other[name]).all() for name in one)
    file = assemble(HEAD + "max r0, r1.yzwx, r0.wwxy\nmax r1, r0.wwxy, r1.yzwx" + TAIL)
    assert file.optimise().descriptors[1] == file.optimise().descriptors[0], "max of a number and NaN depends on the order"
