"""The same program is the same code in every process, whatever order Python's sets have there."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

from effort import times
from lanewise.pica200.engine.differential import data_of
from lanewise.pica200.engine.llvm.compiled import Compiled
from lanewise.pica200.engine.llvm.generate import generate
from lanewise.pica200.engine.llvm.plan import Plan
from lanewise.pica200.engine.llvm.running import columns
from lanewise.pica200.engine.random_programs import case


def digest() -> str:
    """Of the IR of some random programs, speculative and exact."""
    found = blake2b(digest_size=16)
    for number in range(times(8, 20)):
        one = case(8, number)
        inputs, uniforms = data_of(one)
        program = Compiled(one.words, one.descriptors, 0, one.profile)
        plan = program.plan(uniforms.booleans)
        if isinstance(plan, Plan):
            layouts = columns({n: column.numbers for n, column in inputs.words.columns.items()}).layouts
            for exact in (False, True):
                found.update(generate(plan, dict(layouts), program.target, exact=exact).encode())
    return found.hexdigest()


def test_the_code_does_not_depend_on_the_process():
    command = [sys.executable, "-m", "engines.test_reproducible"]
    others = [
        subprocess.run(
            command,
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[1],
            env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")[: times(1, 2)]  # this process has a seed of its own
    ]
    assert {*others} == {digest()}


if __name__ == "__main__":
    print(digest())
