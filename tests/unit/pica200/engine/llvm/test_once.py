"""Expressions of uniforms are computed before the first vector; one that would have to be flagged is left where it is, with
what reads it."""

from __future__ import annotations

import numpy as np
import pytest

import lanewise as lw

OPERATIONS = (
    "rcp r0, c0.x",
    "rsq r0, c0.x",
    "ex2 r0, c0.x",
    "lg2 r0, c0.x",
    "flr r0, c0",
    "add r0, c0, r1",
    "mul r0, c0, r1",
    "max r0, c0, r1",
)
SOURCE = """.in place v0
.out pos position
.out extra texcoord0
.proc main
    mov r1, c1
    {operation}
    mul r2, c2, r0
    add r3, c3, r2
    mad pos, r3, c4, r2
    add extra, place, r3
    end
.end
"""


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("profile", ["hardware", "azahar"])
def test_chains_of_expressions_of_uniforms(operation: str, profile: str):
    """With numbers that every kernel takes, and with those of which one has to be flagged."""
    shader = lw.assemble(SOURCE.format(operation=operation)).vertex
    place = np.linspace(-2, 3, 40 * 4).reshape(40, 4)
    for number in (0.75, 3.0, 0.0, -2.0, 2.0**-62, 2.0**40, np.inf, np.nan):
        uniforms = {f"c{n}": [number / (n + 1), 1.5 - n, number, 0.5] for n in range(5)}
        found, wanted = (
            shader.run({"place": place}, uniforms, engine=engine, profile=profile) for engine in ("llvm", "reference")
        )
        for name in wanted.bits:
            assert np.array_equal(found.bits[name], wanted.bits[name]), (number, name)
