"""The compiled engine beside the reference engine: every execution test of the project runs on both and compares bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.engines import LLVM
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.llvm import tiers
from lanewise.pica200.engine.run import Runner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.engine.llvm.compiled import Compiled
    from lanewise.pica200.engine.reference import Lane
    from lanewise.pica200.engine.results import ShaderResult
    from lanewise.pica200.sem.profile import Profile

Words = tuple[int, int, int, int]

LANES = 17  # a vector and one more


def lacks(compiled: Compiled, *_: object, **__: object) -> bool:
    """In place of `Compiled.lacks`: runs wait for their kernels, unless their tier says otherwise."""
    return compiled.tier == tiers.FIRST


def same(one: ShaderResult, other: ShaderResult) -> None:
    """Two results are equal, bit for bit, faults too."""
    assert one.faults == other.faults
    assert one.lanes == other.lanes
    assert one.unwritten == other.unwritten
    for register in {f"o{n}" for n in range(16)}:
        if register not in one.bits:
            continue
        assert np.array_equal(one.bits[register], other.bits[register]), register
        assert np.array_equal(one.written[register], other.written[register]), register
        # Floats by their bits: NaN is NaN, and -0 is not +0.
        mine, theirs = one.outputs[register], other.outputs[register]
        assert np.array_equal(mine.view(np.uint32), theirs.view(np.uint32)), register


def check_lane(
    lane: Lane,
    words: Sequence[int],
    descriptors: Sequence[int],
    entry: int,
    inputs: Mapping[int, Words],
    floats: Sequence[Words],
    integers: Sequence[Words],
    booleans: Sequence[bool],
    *,
    profile: Profile,
    budget: int,
) -> None:
    """What the reference engine gave for a vertex is what the compiled one gives for many of them, if it can do the program."""
    runner = Runner(words, descriptors, entry, profile)
    if runner.choose(LLVM, booleans, LANES)[1] is None:
        return
    wide = profile.rounding == "float32"
    columns: dict[int, Column] = {}
    for register, vector in inputs.items():
        array = np.array([vector] * LANES, np.uint32)
        columns[register] = Column(array.view(np.float32) if wide else array, raw=not wide, profile=profile)
    uniforms = Uniforms(floats=tuple(floats), integers=tuple(integers), booleans=tuple(booleans), given=frozenset())
    found = runner.run(Inputs(Columns(columns, LANES), LANES), uniforms, (), range(16), budget, engine=LLVM)
    assert [fault for _, fault in found.faults] == ([lane.fault] * LANES if lane.fault else [])
    for register in range(16):
        assert found.bits[f"o{register}"].tolist() == [list(lane.outputs[register])] * LANES, register
        mask = [bool(lane.written[register] & 8 >> component) for component in range(4)]
        assert found.written[f"o{register}"].tolist() == [mask] * LANES, register
