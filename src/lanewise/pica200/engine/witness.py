"""Search for values with which two programs differ: random and boundary values, the same for both.

The compiled engine looks at many vertices where it can, and what it finds the reference engine repeats before it counts. All NaN are
one value, unless their patterns are asked for.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.core.engines import AUTO, LLVM, REFERENCE
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.random_programs import EDGES, EDGES_FLOAT32
from lanewise.pica200.engine.reference import BUDGET_SPENT, NEVER_ENDS, Reference
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER
from lanewise.pica200.sem.numbers import number_rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.engine.reference import Machine
    from lanewise.pica200.proof.code import Code
    from lanewise.pica200.sem.profile import Profile

    Word4 = tuple[int, int, int, int]

BUDGET = 20_000  # steps of a vertex
_UNCOMPILED = 128  # vertices of a search in programs that cannot be compiled
_ENDLESS = "endless"
_NAN = -1


class Data(NamedTuple):
    """Values of registers, by the numbers of the first program; `floats`, `integers` and `booleans` also of registers that it presets.

    Floats are words of the profile's format. `overwritten`: the application has set the constants of the files too.
    """

    inputs: NDArray[np.uint32]  # (16, vertices, 4)
    floats: tuple[Word4, ...]
    integers: tuple[Word4, ...]
    booleans: tuple[bool, ...]
    overwritten: bool

    def of(self, lanes: slice) -> Data:
        return self._replace(inputs=self.inputs[:, lanes])


class Found(NamedTuple):
    """A difference: the data up to the vertex that differs, which is its last, the output, and what each program gives."""

    data: Data
    output: str
    first: str
    second: str
    profile: Profile


def data(seed: str, vertices: int, profile: Profile, *, overwritten: bool, plain: bool = False) -> Data:
    """Random data with boundary values, or `plain` without."""
    rng = random.Random(seed)
    numbers = np.random.default_rng(rng.getrandbits(64))
    wide = profile.rounding == "float32"
    edges = np.array(EDGES_FLOAT32 if wide else EDGES, np.uint32)
    inputs = np.stack([_words(numbers, edges, vertices, 0.0 if plain else rng.random(), wide=wide) for _ in range(16)])
    style = 0.0 if plain else rng.random()
    rows = _words(numbers, edges, 96, style, wide=wide)
    x, y, z, w = (rows[:, c].tolist() for c in range(4))
    integers = tuple([
        (rng.choice((0, 0, 1, 1, 2, 3, 7)), rng.choice((0, 0, 1, 2, 5)), rng.choice((0, 1, 1, 2, 255)), 0) for _ in range(4)
    ])  # fmt: skip
    booleans = tuple([rng.random() < 0.5 for _ in range(16)])
    return Data(inputs, tuple(zip(x, y, z, w, strict=True)), integers, booleans, overwritten)


def _words(
    numbers: np.random.Generator, edges: NDArray[np.uint32], rows: int, style: float, *, wide: bool
) -> NDArray[np.uint32]:
    """(rows, 4) words: ordinary numbers, small integers and boundary values, in shares that `style` chooses."""
    from lanewise.pica200.engine.float24 import encode_all

    plain = numbers.normal(0, 2, (rows, 4)).astype(np.float32)
    whole = numbers.integers(-3, 8, (rows, 4)).astype(np.float32)
    values = np.where(numbers.random((rows, 4)) < (0.2 if style < 0.7 else 0.8), whole, plain)
    words = values.view(np.uint32) if wide else encode_all(values)
    share = 0.0 if style < 0.4 else 0.1 if style < 0.8 else 0.6
    return np.where(numbers.random((rows, 4)) < share, numbers.choice(edges, (rows, 4)), words)


class _Sent(NamedTuple):
    """Outputs of a vertex, as words with whether they were written; `setting` of one that was emitted."""

    values: tuple[tuple[int, bool], ...]
    setting: str = ""


class _Left(NamedTuple):
    """What a vertex leaves, or a run of a geometry shader emits; `end` is empty or says how it stopped without END."""

    end: str
    sent: tuple[_Sent, ...]


class Pair:
    """Two programs under a profile, ready to run."""

    def __init__(
        self,
        first: Code,
        second: Code,
        profile: Profile,
        *,
        constants: bool = False,
        nan_patterns: bool = False,
        budget: int = BUDGET,
    ) -> None:
        """`budget`: steps of a vertex; what takes more is not compared."""
        self.codes = first, second
        self.profile, self._budget = profile, budget
        self._constants, self._nan_patterns = constants, nan_patterns
        self._runners = [Runner(code.words, code.descriptors, code.entry, profile) for code in self.codes]
        self._names = sorted({each.name for each in first.outputs} & {each.name for each in second.outputs})
        self._wired = [{each.name: each for each in code.outputs} for code in self.codes]
        field = profile.keep_registers_between_invocations if first.geometry else profile.initial_state
        self._keeps = field == "kept"

    def differ(
        self, seed: str, vertices: int, *, overwritten: bool = False, plain: bool = False, engine: str = AUTO
    ) -> Found | None:
        """A difference on some data, which the reference engine shows too."""
        given = data(seed, vertices, self.profile, overwritten=overwritten and not self._constants, plain=plain)
        if engine == LLVM and not self._compiles(given):
            given, engine = given.of(slice(0, _UNCOMPILED)), REFERENCE
        return self.on(given, engine)

    def _compiles(self, given: Data) -> bool:
        """Whether both programs can be compiled."""
        lanes = given.inputs.shape[1]
        return all(
            runner.choose(LLVM, self._uniforms(given, n).booleans, lanes)[1] is not None
            for n, runner in enumerate(self._runners)
        )

    def on(self, given: Data, engine: str = AUTO) -> Found | None:
        """A difference on data, which the reference engine shows too."""
        if self.codes[0].geometry:
            return self._on_reference(given)
        lane = self._first(given, engine)
        if lane is None:
            return None
        start = 0 if self._keeps else lane
        alone = self._on_reference(given.of(slice(lane, lane + 1)))
        return alone or (self._on_reference(given.of(slice(start, lane + 1))) if self._keeps and lane < 256 else None)

    def _first(self, given: Data, engine: str) -> int | None:
        """The first vertex that differs."""
        results = [
            runner.run(self._inputs(given, n), self._uniforms(given, n), (), range(16), self._budget, engine=engine)
            for n, runner in enumerate(self._runners)
        ]
        vertices = given.inputs.shape[1]
        differing = np.zeros(vertices, bool)
        for name in self._names:
            wired = [self._wired[n][name] for n in range(2)]
            words = [
                self._plain(result.bits[f"o{each.register}"][:, each.channel])
                for result, each in zip(results, wired, strict=True)
            ]
            written = [
                result.written[f"o{each.register}"][:, each.channel] for result, each in zip(results, wired, strict=True)
            ]
            differing |= (words[0] != words[1]) | (written[0] != written[1])
        faults = [{lane: _kind(fault.code) for lane, fault in result.faults} for result in results]
        for lane in {*faults[0], *faults[1]}:
            differing[lane] |= faults[0].get(lane) != faults[1].get(lane)
        spent = {lane for result in results for lane, fault in result.faults if fault.code == BUDGET_SPENT}
        found = np.nonzero(differing)[0].tolist()
        if self._keeps and spent:
            found = [lane for lane in found if lane < min(spent)]
        return next((lane for lane in found if lane not in spent), None)

    def _plain(self, words: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Words with one NaN."""
        if self._nan_patterns:
            return words
        magnitude, infinity = (0x7FFFFFFF, 0x7F800000) if self.profile.rounding == "float32" else (0x7FFFFF, 0x7F0000)
        return np.where((words & magnitude) > infinity, np.uint32(infinity + 1), words)

    def _inputs(self, given: Data, program: int) -> Inputs:
        wide = self.profile.rounding == "float32"
        numbers = self._numbers(program)
        columns: dict[int, Column] = {}
        for register in range(16):
            rows = given.inputs[numbers[register] % 16]
            columns[register] = Column(rows.view(np.float32) if wide else rows, raw=not wide, profile=self.profile)
        vertices = given.inputs.shape[1]
        return Inputs(Columns(columns, vertices), vertices)

    def _numbers(self, program: int) -> Sequence[int]:
        return self.codes[program].numbers or range(BOOLEAN + 16)

    def _uniforms(self, given: Data, program: int) -> Uniforms:
        code, numbers, rule = self.codes[program], self._numbers(program), number_rule(self.profile)
        floats = [given.floats[(numbers[FLOAT + n] - FLOAT) % 96] for n in range(96)]
        integers = [given.integers[(numbers[INTEGER + n] - INTEGER) % 4] for n in range(4)]
        booleans = [given.booleans[(numbers[BOOLEAN + n] - BOOLEAN) % 16] for n in range(16)]
        for register, values in code.constants.items() if not given.overwritten else ():
            if FLOAT <= register < INTEGER:
                x, y, z, w = (rule.from_float24(word) for word in values)
                floats[register - FLOAT] = (x, y, z, w)
            elif INTEGER <= register < BOOLEAN:
                x, y, z, w = values
                integers[register - INTEGER] = (x, y, z, w)
            elif register >= BOOLEAN:
                booleans[register - BOOLEAN] = bool(values[0])
        return Uniforms(tuple(floats), tuple(integers), tuple(booleans), frozenset())

    # The reference engine, vertex by vertex or run by run

    def _on_reference(self, given: Data) -> Found | None:
        ends = [self._lanes(given, n) for n in range(2)]
        for lane, (mine, other) in enumerate(zip(*ends, strict=True)):
            if BUDGET_SPENT in (mine.end, other.end):
                return None
            if mine == other:
                continue
            output, first, second = self._difference(mine, other)
            return Found(given.of(slice(0, lane + 1)), output, first, second, self.profile)
        return None

    def _lanes(self, given: Data, program: int) -> list[_Left]:
        """What each vertex or run leaves."""
        code, uniforms = self.codes[program], self._uniforms(given, program)
        inputs = self._inputs(given, program)
        engine = Reference(
            code.words, code.descriptors, code.entry, profile=self.profile, budget=self._budget, geometry=code.geometry
        )
        columns = [inputs.words[register].tolist() for register in range(16)]
        found: list[_Left] = []
        previous: Machine | None = None
        for lane in range(inputs.lanes):
            start: dict[int, Word4] = {}
            for register, column in enumerate(columns):
                x, y, z, w = column[lane]
                start[register] = (x, y, z, w)
            machine = engine.start(start, uniforms.floats, uniforms.integers, uniforms.booleans, previous)
            sent: list[_Sent] = []
            while not machine.finished:
                emitted = machine.step().result.get("emit")
                if emitted is not None:
                    sent.append(
                        _Sent(self._wires(emitted.vertex.outputs, emitted.vertex.written, program), str(emitted.emission))
                    )
            fault, result = machine.fault, machine.lane()
            kind = "" if fault is None else _kind(fault.code)
            if not code.geometry:
                sent = [_Sent(self._wires(result.outputs, result.written, program))]
            found.append(_Left(kind, () if kind in (_ENDLESS, BUDGET_SPENT) else tuple(sent)))
            if fault is None or not fault.endless:
                previous = machine
        return found

    def _wires(self, outputs: Sequence[Word4], written: Sequence[int], program: int) -> tuple[tuple[int, bool], ...]:
        """The words of the outputs that both programs have, and whether they were written."""
        values: list[tuple[int, bool]] = []
        for name in self._names:
            _, register, channel = self._wired[program][name]
            values.append((self._one_nan(outputs[register][channel]), bool(written[register] & 8 >> channel)))
        return tuple(values)

    def _one_nan(self, word: int) -> int:
        magnitude, infinity = (0x7FFFFFFF, 0x7F800000) if self.profile.rounding == "float32" else (0x7FFFFF, 0x7F0000)
        return _NAN if not self._nan_patterns and word & magnitude > infinity else word

    def _difference(self, mine: _Left, other: _Left) -> tuple[str, str, str]:
        """The first output that differs, and its two values."""
        if mine.end != other.end:
            return "end", mine.end or "`end`", other.end or "`end`"
        if len(mine.sent) != len(other.sent):
            return "number of emitted vertices", str(len(mine.sent)), str(len(other.sent))
        number = next(n for n, pair in enumerate(zip(mine.sent, other.sent, strict=True)) if pair[0] != pair[1])
        prefix = f"emitted vertex {number}: " if self.codes[0].geometry else ""
        left, right = mine.sent[number], other.sent[number]
        for name, (word, was), (word_, was_) in zip(self._names, left.values, right.values, strict=True):
            if was != was_:
                return prefix + name, "written" if was else "not written", "written" if was_ else "not written"
            if word != word_:
                return prefix + name, self.text(word), self.text(word_)
        return f"{prefix}setting", left.setting, right.setting

    def text(self, word: int) -> str:
        """A word as a number, and in hexadecimal."""
        if word == _NAN:
            return "NaN"
        return (
            f"{self.number(word)} ({word:#010x})"
            if self.profile.rounding == "float32"
            else f"{self.number(word)} ({word:#08x})"
        )

    def number(self, word: int) -> str:
        from lanewise.pica200.engine.float24 import decode_all

        words = np.array([word], np.uint32)
        value = words.view(np.float32) if self.profile.rounding == "float32" else decode_all(words)
        return f"{value[0].item():.9g}"


def _kind(code: str) -> str:
    return _ENDLESS if code in NEVER_ENDS and code != BUDGET_SPENT else code
