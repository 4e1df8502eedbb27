"""Search for one instruction in place of several: the superoptimiser of `lanewise opt -O3`.

For an instruction and up to four before it that only it needs, every instruction over the operands at hand is tried on random
numbers. One that gives the same numbers is proposed; the proof decides. Numbers are float64 here: they find candidates and
prove nothing.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.finding import Finding
from lanewise.pica200.engine.float24 import decode
from lanewise.pica200.isa.program import Dest, Operation, Source
from lanewise.pica200.isa.table import ARITHMETIC, FLOAT, INTEGER, OPS, TEMPORARY
from lanewise.pica200.opt.editing import Edit
from lanewise.pica200.opt.operations import Candidate, Move, channels_of, encodable, selector_of, sources_of
from lanewise.pica200.sem.influence import slots_read
from lanewise.pica200.sem.meaning import MEANING
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.ir.graph import Block
    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.opt.values import Values

    Numbers = NDArray[np.float64]
    State = dict[tuple[int, int], Numbers]  # by register and index register: components, samples

_SAMPLES = 12
_MOST = 5  # instructions that one takes the place of
_MOST_REGISTERS, _MOST_OF_MAD, _MOST_VECTORS = 14, 5, 40
_MOST_PROPOSED = 2  # for one place
_PLAIN = tuple([op for op in OPS if op.kind == ARITHMETIC and op.base == op.name and op.writes == ("dst",)])


class _Floats:
    """The operations of an algebra on arrays of float64."""

    def constant(self, value: float) -> Numbers:
        return np.array([value])

    def negate(self, a: Numbers) -> Numbers:
        return -a

    def flush(self, a: Numbers) -> Numbers:
        return a

    def add(self, a: Numbers, b: Numbers) -> Numbers:
        return a + b

    def mul(self, a: Numbers, b: Numbers) -> Numbers:
        return a * b

    def mad(self, a: Numbers, b: Numbers, c: Numbers) -> Numbers:
        return a * b + c

    def dot(self, a: Sequence[Numbers], b: Sequence[Numbers]) -> Numbers:
        total = a[0] * b[0]
        for x, y in zip(a[1:], b[1:], strict=True):
            total = total + x * y
        return total

    def max(self, a: Numbers, b: Numbers) -> Numbers:
        return np.where(a > b, a, b)

    def min(self, a: Numbers, b: Numbers) -> Numbers:
        return np.where(a < b, a, b)

    at_least, at_most = max, min

    def floor(self, a: Numbers) -> Numbers:
        return np.floor(a)

    def rcp(self, a: Numbers) -> Numbers:
        return 1 / a

    def rsq(self, a: Numbers) -> Numbers:
        return 1 / np.sqrt(a)

    def exp2(self, a: Numbers) -> Numbers:
        return np.exp2(a)

    def log2(self, a: Numbers) -> Numbers:
        return np.log2(a)

    def compare(self, op: int, a: Numbers, b: Numbers) -> NDArray[np.bool_]:
        return (a == b, a != b, a < b, a <= b, a > b, a >= b)[op] if op < 6 else np.ones_like(a == b)

    def select(self, condition: NDArray[np.bool_], a: Numbers, b: Numbers) -> Numbers:
        return np.where(condition, a, b)


_M = _Floats()


def _result(op: Op, vectors: Sequence[Sequence[Numbers]]) -> Sequence[Numbers]:
    """The four components that an instruction gives."""
    with np.errstate(all="ignore"):
        return MEANING[op.base](_M, *[tuple(vector) for vector in vectors]).get("dst", ())  # pyright: ignore


def searched(values: Values) -> Iterator[Candidate]:
    """One instruction in place of several, over the operands of the file."""
    for block in values.graph.blocks:
        if all(len(values.places[pc]) == 1 for pc in block.addresses):
            yield from _InBlock(values, block).found()


class _InBlock:
    """The search in one block."""

    def __init__(self, values: Values, block: Block) -> None:
        self._values, self._block = values, block
        self._constants = {}
        if values.constants:
            self._constants = {
                constant.register: np.repeat(decode(np.array(constant.values, np.uint32), np.float64)[:, None], _SAMPLES, 1)
                for constant in values.context.interface.constants
                if FLOAT <= constant.register < INTEGER
            }

    def found(self) -> Iterator[Candidate]:
        values = self._values
        for pc in self._block.addresses:
            instruction = values.resolved.get(pc)
            if instruction is None or values.context.row(pc).writes != ("dst",) or not (mask := values.mask(pc)):
                continue
            before: State = {}
            self._run(before, pc, frozenset())
            target = self._step(before, values.context.operations[pc])
            removed: list[int] = []
            for at in range(pc - 1, max(self._block.addresses.start, pc - _MOST) - 1, -1):
                value = values.all.get(at)
                readers = values.readers.get(at, {})
                if value is None or not readers or not {pc, *removed} >= set(readers):
                    continue
                removed.append(at)
                if values.progress is not None:
                    values.progress()
                state: State = {}
                self._run(state, pc, frozenset(removed))
                for operation in self._instructions(state, pc, removed, mask, target):
                    places = values.listed(sorted([*removed, pc]))
                    message = f"one `{operation.op.name}` does what {len(removed) + 1} instructions do, in {places}"
                    fix = f"write it in {values.context.place(pc)}, and remove the others"
                    yield Candidate("", Finding(message=message, fix=fix, pc=pc), Edit(tuple(removed), ((pc, operation),)))

    def _vector(self, state: State, register: int, relative: int) -> Numbers:
        key = register, relative
        if key not in state:
            known = self._constants.get(register) if not relative else None
            seed = np.random.default_rng((register, relative, 17))
            state[key] = seed.normal(0, 2, (4, _SAMPLES)) if known is None else known
        return state[key]

    def _fetched(self, state: State, source: Source) -> Numbers:
        vector = self._vector(state, source.register, source.relative)[list(SLOTS[source.selector])]
        return -vector if source.negate else vector

    def _step(self, state: State, operation: Operation) -> Numbers:
        parts = _result(operation.op, [list(self._fetched(state, source)) for source in sources_of(operation)])
        return np.stack([np.broadcast_to(part, (_SAMPLES,)) for part in parts])

    def _run(self, state: State, end: int, without: frozenset[int]) -> None:
        """The registers before `end`, where some words have been left out."""
        values = self._values
        for pc in range(self._block.addresses.start, end):
            instruction = values.resolved.get(pc)
            if instruction is None or pc in without or values.context.row(pc).writes != ("dst",):
                continue
            dest = instruction.dest
            result = self._step(state, values.context.operations[pc])
            if dest.register >= TEMPORARY:
                new = self._vector(state, dest.register, 0).copy()
                for channel in channels_of(dest.mask):
                    new[channel] = result[channel]
                state[dest.register, 0] = new

    def _instructions(self, state: State, pc: int, removed: Sequence[int], mask: int, target: Numbers) -> Iterator[Operation]:
        """Instructions that write the target, from registers as they are without the removed words."""
        operations = self._values.context.operations
        near = [source for at in (pc, *removed) for source in sources_of(operations[at])]
        nearby = range(max(self._block.addresses.start, pc - 8), min(self._block.addresses.stop, pc + 4))
        wide = [*near, *[source for at in nearby for source in sources_of(operations[at])]]
        dest = operations[pc].operands[0]
        if not isinstance(dest, Dest):
            return
        count = 0
        lanes = channels_of(mask)
        for op in _PLAIN:
            rows = (
                self._componentwise(state, op, near if op.source_count == 3 else wide, lanes, target)
                if _is_lane(op)
                else (self._of_vectors(state, op, wide, lanes, target))
            )
            for sources in rows:
                proposed = encodable(Operation(op=op, operands=(Dest(dest.register, mask), *sources)))
                if proposed is not None:
                    count += 1
                    yield proposed
                    if count == _MOST_PROPOSED:
                        return

    def _componentwise(
        self, state: State, op: Op, near: Sequence[Source], lanes: Sequence[int], target: Numbers
    ) -> Iterator[tuple[Source, ...]]:
        most = _MOST_OF_MAD if op.source_count == 3 else _MOST_REGISTERS
        registers = list(dict.fromkeys([(source.register, source.relative) for source in near]))[:most]
        signed = [(register, relative, sign) for register, relative in registers for sign in (False, True)]
        rows = [self._vector(state, register, relative) * (-1 if sign else 1) for register, relative, sign in signed]
        scalars = np.concatenate(rows) if rows else np.zeros((0, _SAMPLES))
        count, size = op.source_count, len(scalars)
        shaped = [scalars.reshape(*[size if n == axis else 1 for n in range(count)], _SAMPLES) for axis in range(count)]
        result = np.broadcast_to(_result(op, [(part,) * 4 for part in shaped])[0], (size,) * count + (_SAMPLES,))
        common: dict[tuple[int, ...], list[tuple[int, ...]]] | None = None
        for lane in lanes:
            with np.errstate(all="ignore"):
                hits = np.argwhere(np.isclose(result, target[lane], rtol=1e-12, atol=0.0).all(-1))
            mine: dict[tuple[int, ...], tuple[int, ...]] = {}
            for hit in hits.tolist():
                mine.setdefault(tuple([n >> 2 for n in hit]), tuple([n & 3 for n in hit]))
            if common is None:
                common = {key: [channels] for key, channels in mine.items()}
            else:
                common = {key: [*before, mine[key]] for key, before in common.items() if key in mine}
            if not common:
                return
        for key, parts in (common or {}).items():
            by_lane = dict(zip(lanes, parts, strict=True))
            yield tuple(
                [
                    Source(
                        signed[n][0],
                        selector_of([by_lane.get(lane, parts[0])[place] for lane in range(4)]),
                        signed[n][2],
                        signed[n][1],
                    )
                    for place, n in enumerate(key)
                ]
            )

    def _of_vectors(
        self, state: State, op: Op, near: Sequence[Source], lanes: Sequence[int], target: Numbers
    ) -> Iterator[tuple[Source, ...]]:
        if any(not np.array_equal(target[lane], target[lanes[0]]) for lane in lanes):
            return
        sources = list(dict.fromkeys(near))[:_MOST_VECTORS]
        vectors = [list(self._fetched(state, source)) for source in sources]
        for choice in product(range(len(sources)), repeat=op.source_count):
            result = np.broadcast_to(_result(op, [vectors[n] for n in choice])[0], (_SAMPLES,))
            if np.allclose(result, target[lanes[0]], rtol=1e-12, atol=0.0):
                yield tuple([sources[n] for n in choice])


def _is_lane(op: Op) -> bool:
    """Whether each component of the result is made of the same component of the sources."""
    return all(slots_read(op, 8 >> n) == ((n,),) * op.source_count for n in range(4))


SEARCH = Move(name="search", code="", find=searched, title="one instruction in place of several")
