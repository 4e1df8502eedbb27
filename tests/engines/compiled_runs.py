"""Both engines on float32 arrays, with what compiled code does not do itself, for tests of the compiled engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engines.both import same
from engines.shaders import PLAIN, word
from lanewise.core.engines import LLVM, REFERENCE
from lanewise.llvm.target import LEVELS, host
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.llvm import running
from lanewise.pica200.engine.llvm.compiled import Compiled
from lanewise.pica200.engine.llvm.running import columns, table_of
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.ir.ssa import Unsupported
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.engine.llvm.running import Done
    from lanewise.pica200.engine.results import ShaderResult
    from lanewise.pica200.sem.profile import Profile

EQ, NE, LT, LE, GT, GE = range(6)
X_IS_TRUE = {"condop": 2, "refx": 1}
NOBODY = 9  # the number of an input that nobody gives: zeros
WIDTH = 16


def levels() -> list[str]:
    """The levels of the processor that this machine has."""
    return [level for level in LEVELS if _there(level)]


def _there(level: str) -> bool:
    try:
        host(level)
    except ValueError:
        return False
    return True


class Ran(NamedTuple):
    """What both engines gave; `left` are the vertices that kernels could not do, `repeated` the vectors that were done again
    exactly, and `ordinary` whether the uniforms let speculative code run at all."""

    result: ShaderResult
    left: Sequence[int]
    repeated: int
    ordinary: bool

    @property
    def exact(self) -> bool:
        return self.repeated > 0 or not self.ordinary


def ran(
    words: Sequence[int],
    inputs: Mapping[int, NDArray[np.float32]],
    floats: Mapping[int, Sequence[float]] | None = None,
    integers: Mapping[int, tuple[int, int, int, int]] | None = None,
    booleans: Sequence[int] = (),
    *,
    descriptors: Sequence[int] = (PLAIN,),
    profile: Profile = HARDWARE,
    budget: int = 10_000,
    level: str = "native",
    threads: int = 1,
) -> Ran:
    """Run float32 arrays on both engines and compare; everything that compiled code does not do itself is told."""
    lanes = max((len(array) for array in inputs.values()), default=WIDTH)
    bound = Inputs(Columns({n: Column(array, raw=False, profile=profile) for n, array in inputs.items()}, lanes), lanes)
    rows = np.zeros((96, 4), np.float32)
    for number, values in (floats or {}).items():
        rows[number] = values
    encoded = Column(rows, raw=False, profile=profile).words
    uniforms = Uniforms(
        floats=tuple((x, y, z, w) for x, y, z, w in encoded.tolist()),
        integers=tuple((integers or {}).get(n, (0, 0, 0, 0)) for n in range(4)),
        booleans=tuple(n in booleans for n in range(16)),
        given=frozenset(),
    )
    runner = Runner(words, descriptors, 0, profile, level)
    wanted = runner.run(bound, uniforms, (), range(16), budget, engine=REFERENCE)
    found = runner.run(bound, uniforms, (), range(16), budget, engine=LLVM, threads=threads)
    assert (wanted.engine, found.engine) == (REFERENCE, LLVM)
    same(wanted, found)
    done, ordinary = _by_kernels(words, descriptors, inputs, uniforms, lanes, profile, budget, level, threads)
    return Ran(found, done.left, done.repeated, ordinary)


def _by_kernels(
    words: Sequence[int],
    descriptors: Sequence[int],
    inputs: Mapping[int, NDArray[np.float32]],
    uniforms: Uniforms,
    lanes: int,
    profile: Profile,
    budget: int,
    level: str,
    threads: int,
) -> tuple[Done, bool]:
    program = Compiled(words, descriptors, 0, profile, level)
    plan = program.plan(uniforms.booleans)
    assert not isinstance(plan, Unsupported)
    table = table_of(plan, uniforms)
    data = columns({n: Column(array, raw=False, profile=profile).numbers for n, array in inputs.items()})
    return running.run(program, plan, table, data, lanes, budget, threads), table.ordinary


def scalars(*numbers: float) -> NDArray[np.float32]:
    """Each number in all components of a vertex."""
    return np.repeat(np.array(numbers, np.float32)[:, None], 4, axis=1)


def counted(lanes: int) -> NDArray[np.float32]:
    return scalars(*range(lanes))


def compare(op: int, source: int, *, swapped: int = NOBODY) -> int:
    """cmp.x and cmp.y: source op 0."""
    return word("cmp", src1=source, src2=swapped, cmpx=op, cmpy=op)
