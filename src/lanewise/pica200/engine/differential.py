"""Comparison of both engines on the same case, bit for bit."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.core.engines import LLVM, REFERENCE
from lanewise.core.fuzzing import Difference
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.float24 import encode_all
from lanewise.pica200.engine.llvm import tiers
from lanewise.pica200.engine.llvm.running import first_result, needed
from lanewise.pica200.engine.random_programs import BUDGET
from lanewise.pica200.engine.reference import BUDGET_SPENT
from lanewise.pica200.engine.run import Runner

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.pica200.engine.llvm.compiled import Compiled
    from lanewise.pica200.engine.llvm.planned import Plan
    from lanewise.pica200.engine.random_programs import Case
    from lanewise.pica200.engine.results import ShaderResult
    from lanewise.pica200.sem.profile import Profile

# What compiled code may do where the reference engine ends every vertex within BUDGET: its own count of steps is an upper
# bound.
ROOM = 100_000
OUTPUTS = tuple([f"o{register}" for register in range(16)])


class QuickRunner(Runner):
    """A runner that has only quick kernels."""

    tier = tiers.QUICK

    @property
    def compiled(self) -> Compiled:
        if self._compiled is None:
            self._compiled = super().compiled
            self._compiled.tier = self.tier
        return self._compiled

    def first(self, plan: Plan, inputs: Inputs, uniforms: Uniforms, budget: int) -> ShaderResult | None:
        """Result of arrays in place of a kernel that is not there yet; None where they have none, so that a run waits for the
        kernel."""
        if plan.steps > budget:
            return None
        data = needed(plan, self.columns(inputs))
        self.compiled.tier = tiers.FIRST
        try:
            done = first_result(self.compiled, plan, self.table(plan, uniforms), data, inputs.lanes, budget)
        finally:
            self.compiled.tier = self.tier
        return None if done is None else self._result(done, plan, inputs, uniforms, (), range(16), budget)


class BestRunner(QuickRunner):
    """A runner that has only the best kernels."""

    tier = tiers.BEST


class Comparison(NamedTuple):
    """Result of a case: where the engines differ, or None.

    `reason` is why nothing was compiled; `ended` the number of vertices without a fault; `results` a hash of what the reference
    engine gave.
    """

    difference: Difference | None
    reason: str
    ended: int
    results: bytes


def compare(one: Case, level: str = "native", make: type[Runner] = QuickRunner) -> Comparison:
    """Run a case on both engines. An exception of the compiled engine is a difference too.

    `make` makes what runs it: another kind of Runner may watch its kernels. A QuickRunner gives first results too, where arrays
    have them: elsewhere they are those of the kernel.
    """
    runner = make(one.words, one.descriptors, 0, one.profile, level)
    inputs, uniforms = data_of(one)
    wanted = runner.run(inputs, uniforms, (), range(16), BUDGET, engine=REFERENCE)
    grids = _grids_of(wanted, one.profile)
    ended, results = one.lanes - len(wanted.faults), _hash_of(wanted, grids)
    # Where a vertex goes on for longer, what counts is how it stops.
    budget = BUDGET if any(fault.code == BUDGET_SPENT for _, fault in wanted.faults) else ROOM
    try:
        choice, plan = runner.choose(LLVM, uniforms.booleans, inputs.lanes)
        if plan is None:
            return Comparison(None, choice.reason, ended, results)
        found = runner.run(inputs, uniforms, (), range(16), budget, engine=LLVM)
        first = runner.first(plan, inputs, uniforms, budget) if isinstance(runner, QuickRunner) else None
    except Exception as error:
        return Comparison(
            Difference("the compiled engine fails", "no error", f"{type(error).__name__}: {error}", budget), "", ended, results
        )
    for result in (found, first):
        difference = None if result is None else _difference(wanted, grids, result, one.profile, budget)
        if difference is not None:
            return Comparison(difference, "", ended, results)
    return Comparison(None, "", ended, results)


class _Grids(NamedTuple):
    """Words and flags of all outputs: (registers, vertices, 4)."""

    words: NDArray[np.uint32]
    written: NDArray[np.bool_]


def _grids_of(result: ShaderResult, profile: Profile) -> _Grids:
    """The grids of a result. Compiled code gives numbers, and the words are what `encode_all` makes of them."""
    if result.engine == REFERENCE:
        words = np.stack([result.bits[key] for key in OUTPUTS])
    else:
        numbers = np.stack([result.outputs[key] for key in OUTPUTS])
        words = numbers.view(np.uint32) if profile.rounding == "float32" else encode_all(numbers)
    return _Grids(words, np.stack([result.written[key] for key in OUTPUTS]))


def _hash_of(result: ShaderResult, grids: _Grids) -> bytes:
    found = blake2b(digest_size=16)
    for words, written in zip(*grids, strict=True):
        found.update(words)
        found.update(written)
    found.update(str([(lane, fault.code) for lane, fault in result.faults]).encode())
    return found.digest()


def _difference(wanted: ShaderResult, grids: _Grids, found: ShaderResult, profile: Profile, budget: int) -> Difference | None:
    theirs = _grids_of(found, profile)
    if not (np.array_equal(grids.words, theirs.words) and np.array_equal(grids.written, theirs.written)):
        for register, key in enumerate(OUTPUTS):
            for what, one, other in (
                ("", grids.words[register], theirs.words[register]),
                (" written", grids.written[register], theirs.written[register]),
            ):
                if not np.array_equal(one, other):
                    lane = int(np.nonzero((one != other).any(axis=1))[0][0])
                    return Difference(f"{key}{what} of vertex {lane}", _shown(one[lane]), _shown(other[lane]), budget)
    if wanted.faults != found.faults:
        return Difference("faults", str(wanted.faults[:2]), str(found.faults[:2]), budget)
    return None


def _shown(row: np.ndarray[tuple[int], np.dtype[np.uint32 | np.bool_]]) -> str:
    return " ".join(f"{int(value):06X}" for value in row)


def data_of(one: Case) -> tuple[Inputs, Uniforms]:
    """The data of a case as engines take it."""
    wide = one.profile.rounding == "float32"
    columns: dict[int, Column] = {}
    for register, rows in enumerate(one.inputs):
        if rows:
            words = np.array(rows, np.uint32)
            columns[register] = Column(words.view(np.float32) if wide else words, raw=not wide, profile=one.profile)
    return Inputs(Columns(columns, one.lanes), one.lanes), Uniforms(
        floats=one.floats, integers=one.integers, booleans=one.booleans, given=frozenset()
    )
