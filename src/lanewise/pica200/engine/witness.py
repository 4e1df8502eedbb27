"""Search for values with which two programs differ: random and boundary values, the same for both.

The compiled engine looks at many vertices where it can, and what it finds the reference engine repeats before it counts. All
NaN are one value, unless their patterns are asked for.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from lanewise.core.engines import LLVM, REFERENCE
from lanewise.core.numbers.floats import float_from_bits, float_from_float24
from lanewise.core.record import Record
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.encoding import decoded
from lanewise.pica200.engine.reference import BUDGET_SPENT, NEVER_ENDS, Reference
from lanewise.pica200.engine.witness_data import Data, data
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, TEMPORARY
from lanewise.pica200.sem.flow import LoopValues
from lanewise.pica200.sem.numbers import number_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.pica200.engine.reference import Machine
    from lanewise.pica200.engine.run import Runner
    from lanewise.pica200.engine.witness_data import Start, Word4
    from lanewise.pica200.proof.code import Code
    from lanewise.pica200.sem.profile import Profile

T = TypeVar("T")

BUDGET = 8_000  # steps of a vertex
_UNCOMPILED = 64  # vertices of a search in programs that cannot be compiled, and of those that compiled code leaves
_MOST_KEPT = 4  # sets of data
_MOST_BEFORE = 256  # vertices before one that differs, where it may depend on what they have left
_ENDLESS = "endless"
_NAN = -1


class Found(Record):
    """A difference."""

    data: Data
    "Data up to the vertex that differs, which is its last."
    output: str
    "Name of the output."
    first: str
    "Value that the first program gives it, as text."
    second: str
    "Value that the second program gives it, as text."
    profile: Profile
    "Rules of the run."


class _Sent(NamedTuple):
    """Outputs of a vertex, as words with whether they were written; `setting` of one that was emitted, as `setemit` has it."""

    values: tuple[tuple[int, bool], ...]
    setting: str = ""


class _Left(NamedTuple):
    """The outputs of a vertex, or the primitives of a geometry shader; `end` is empty or says how it stopped without END."""

    end: str
    sent: tuple[_Sent, ...]


class _Rows(NamedTuple):
    """The results of compiled code: the words of each output (vertices,) and whether they were written.

    `left` are the vertices that it leaves to the reference engine.
    """

    words: tuple[NDArray[np.uint32], ...]
    written: tuple[NDArray[np.bool_], ...]
    left: Sequence[int]


def _kept(known: dict[int, tuple[Data, T]], given: Data, result: Callable[[Data], T]) -> T:
    """The results for the same data, kept or made now. The first few are kept, which are those that are used again."""
    found = known.get(id(given))
    if found is not None:
        return found[1]
    computed = result(given)
    if len(known) < _MOST_KEPT:
        known[id(given)] = given, computed  # the data lives as long as its number is used
    return computed


class Side:
    """One program under a profile, ready to run. What it gives for data is kept, for other programs that it is compared
    with."""

    code: Code
    profile: Profile
    constants: bool
    keeps: bool
    steps: int

    def __init__(
        self,
        code: Code,
        profile: Profile,
        *,
        constants: bool = False,
        nan_patterns: bool = False,
        budget: int = BUDGET,
        quick: bool = False,
    ) -> None:
        """`budget`: steps of a vertex; what takes more is not compared. `quick`: it will not run often."""
        self.code, self.profile, self.constants = code, profile, constants
        self._budget, self._nan_patterns, self._quick = budget, nan_patterns, quick
        self._numbers: Sequence[int] = code.numbers or range(BOOLEAN + 16)
        field = profile.keep_registers_between_invocations if code.geometry else profile.initial_state
        self.keeps = field == "kept"
        self.steps = 0  # that the reference engine has done so far
        self._lanes: dict[int, tuple[Data, list[_Left]]] = {}
        self._rows: dict[int, tuple[Data, _Rows | None]] = {}

    @cached_property
    def _runner(self) -> Runner:
        from lanewise.pica200.engine.run import Runner

        return Runner(self.code.words, self.code.descriptors, self.code.entry, self.profile)

    def lanes(self, given: Data) -> list[_Left]:
        """The outputs of each vertex or run, by the reference engine alone."""
        return _kept(self._lanes, given, self._interpreted)

    def rows(self, given: Data) -> _Rows | None:
        """The wired outputs of vertices, by compiled code; None if there is none."""
        return _kept(self._rows, given, self._compiled)

    def _compiled(self, given: Data) -> _Rows | None:
        import numpy as np

        from lanewise.pica200.engine.llvm import running, tiers

        runner, uniforms, inputs = self._runner, self._uniforms(given), self._inputs(given)
        plan = runner.choose(LLVM, uniforms.booleans, inputs.lanes)[1]
        if plan is None:
            return None
        if self._quick:
            runner.compiled.tier = tiers.QUICK
        table, columns = runner.table(plan, uniforms), runner.columns(inputs)
        done = running.run(runner.compiled, plan, table, columns, inputs.lanes, self._budget)
        words: list[NDArray[np.uint32]] = []
        written: list[NDArray[np.bool_]] = []
        outputs: dict[int, NDArray[np.uint32]] = {}
        for _, register, channel in self.code.outputs:
            array = done.outputs.get(register)
            if register not in outputs:
                outputs[register] = np.zeros((inputs.lanes, 4), np.uint32) if array is None else self._plain(self._words(array))
            words.append(outputs[register][:, channel])
            flags, known = done.flags.get(register), plan.written.get(register)
            if flags is None:
                flags = np.full(inputs.lanes, known.always if known else 0, np.uint8)
            written.append((flags & 8 >> channel) != 0)
        return _Rows(tuple(words), tuple(written), done.left)

    def _words(self, numbers: NDArray[np.float32]) -> NDArray[np.uint32]:
        import numpy as np

        from lanewise.pica200.engine.float24 import encode_all

        return numbers.view(np.uint32) if self.profile.rounding == "float32" else encode_all(numbers)

    def _plain(self, words: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Words with one NaN."""
        if self._nan_patterns:
            return words
        import numpy as np

        magnitude, infinity = self._magnitudes()
        return np.where((words & magnitude) > infinity, np.uint32(infinity + 1), words)

    def _magnitudes(self) -> tuple[int, int]:
        return (0x7FFFFFFF, 0x7F800000) if self.profile.rounding == "float32" else (0x7FFFFF, 0x7F0000)

    def _inputs(self, given: Data) -> Inputs:
        wide = self.profile.rounding == "float32"
        columns: dict[int, Column] = {}
        for register in range(16):
            rows = given.inputs[self._numbers[register] % 16]
            columns[register] = Column(decoded(rows, self.profile) if wide else rows, raw=not wide, profile=self.profile)
        vertices = len(given.inputs[0])
        return Inputs(Columns(columns, vertices), vertices)

    def _uniforms(self, given: Data) -> Uniforms:
        numbers, rule = self._numbers, number_rule(self.profile)
        floats = [given.floats[(numbers[FLOAT + n] - FLOAT) % 96] for n in range(96)]
        integers = [given.integers[(numbers[INTEGER + n] - INTEGER) % 4] for n in range(4)]
        booleans = [given.booleans[(numbers[BOOLEAN + n] - BOOLEAN) % 16] for n in range(16)]
        for first, size in self.code.transposed:
            rows = [(*row,) for row in floats[first - FLOAT : first - FLOAT + size]]
            for n in range(size):
                x, y, z, w = (*[row[n] for row in rows], *rows[n][size:])
                floats[first - FLOAT + n] = (x, y, z, w)
        preset = self.constants or not given.overwritten
        for register, values in self.code.constants.items() if preset else ():
            if FLOAT <= register < INTEGER:
                x, y, z, w = (rule.from_float24(word) for word in values)
                floats[register - FLOAT] = (x, y, z, w)
            elif INTEGER <= register < BOOLEAN:
                x, y, z, w = values
                count = integers[register - INTEGER][0] if register in self.code.counts else x
                integers[register - INTEGER] = (count, y, z, w)
            elif register >= BOOLEAN:
                booleans[register - BOOLEAN] = bool(values[0])
        return Uniforms(floats=tuple(floats), integers=tuple(integers), booleans=tuple(booleans), given=frozenset())

    def _interpreted(self, given: Data) -> list[_Left]:
        code, uniforms = self.code, self._uniforms(given)
        inputs = self._inputs(given)
        engine = Reference(
            code.words, code.descriptors, code.entry, profile=self.profile, budget=self._budget, geometry=code.geometry
        )
        columns = [inputs.words[register].tolist() for register in range(16)]
        found: list[_Left] = []
        previous = self._started(engine, uniforms, given.start) if given.start is not None else None
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
                    sent.append(_Sent(self._wires(emitted.vertex.outputs, emitted.vertex.written), str(emitted.emission)))
            self.steps += machine.steps
            fault, result = machine.fault, machine.lane()
            kind = "" if fault is None else _kind(fault.code)
            if not code.geometry:
                sent = [_Sent(self._wires(result.outputs, result.written))]
            found.append(_Left(kind, () if kind in (_ENDLESS, BUDGET_SPENT) else tuple(sent)))
            if fault is None or not fault.endless:
                previous = machine
        return found

    def _started(self, engine: Reference, uniforms: Uniforms, start: Start) -> Machine:
        """A machine as another program leaves it, of which the next one takes what the profile keeps."""
        canonical = engine.algebra.canonical

        def vectors(rows: Sequence[Word4]) -> list[Word4]:
            return [(canonical(x), canonical(y), canonical(z), canonical(w)) for x, y, z, w in rows]

        machine = engine.start({}, uniforms.floats, uniforms.integers, uniforms.booleans)
        registers = machine.registers
        registers.readable[TEMPORARY:FLOAT] = vectors(start.temporaries)
        registers.outputs = vectors(start.outputs)
        registers.cmp, registers.a0, registers.loops = start.cmp, start.a0, LoopValues(start.al)
        if machine.emitter is not None:
            machine.emitter.emission = start.emission
        return machine

    def _wires(self, outputs: Sequence[Word4], written: Sequence[int]) -> tuple[tuple[int, bool], ...]:
        """The words of the wired outputs, and whether they were written."""
        magnitude, infinity = self._magnitudes()
        values: list[tuple[int, bool]] = []
        for _, register, channel in self.code.outputs:
            word = outputs[register][channel]
            nan = not self._nan_patterns and word & magnitude > infinity
            values.append((_NAN if nan else word, bool(written[register] & 8 >> channel)))
        return tuple(values)


class Pair:
    """Two programs with the same outputs under a profile, ready to run."""

    sides: tuple[Side, Side]
    profile: Profile
    keeps: bool
    starts: bool

    def __init__(self, first: Side, second: Side) -> None:
        self.sides = first, second
        self.profile = first.profile
        self._geometry = first.code.geometry
        self.keeps = first.keeps
        self.starts = first.keeps or self._geometry  # whether anything is kept from what ran before
        self._names = [each.name for each in first.code.outputs]

    @property
    def steps(self) -> int:
        """How many steps the reference engine has done."""
        return self.sides[0].steps + self.sides[1].steps

    def differ(
        self,
        seed: str,
        vertices: int,
        *,
        overwritten: bool = False,
        style: float | None = None,
        started: bool = False,
        engine: str = LLVM,
    ) -> Found | None:
        """A difference on some data, which the reference engine shows too."""
        overwritten = overwritten and not self.sides[0].constants
        return self.on(data(seed, vertices, self.profile, overwritten=overwritten, style=style, started=started), engine)

    def on(self, given: Data, engine: str = LLVM) -> Found | None:
        """A difference on data, which the reference engine shows too.

        Of vertices that compiled code leaves to the reference engine, because they do not end or stop at a fault, it does a
        few.
        """
        if self._geometry or engine == REFERENCE:
            return self.replay(given)
        import numpy as np

        rows = [side.rows(given) for side in self.sides]
        first, second = rows
        if first is None or second is None:
            return self.replay(given.of(slice(0, _UNCOMPILED)))
        left = sorted({*first.left, *second.left})
        if left and self.keeps:
            return self.replay(given.of(slice(0, _UNCOMPILED)))
        differing = np.zeros(len(given.inputs[0]), bool)
        for n in range(len(self._names)):
            differing |= (first.words[n] != second.words[n]) | (first.written[n] != second.written[n])
        differing[left] = False
        lane = int(differing.argmax())
        found = None
        if differing[lane]:
            found = self.replay(given.of(slice(lane, lane + 1)))
            if found is None and self.keeps and lane < _MOST_BEFORE:
                found = self.replay(given.of(slice(0, lane + 1)))
        return found or (self.replay(given.of(left[:_UNCOMPILED])) if left else None)

    def replay(self, given: Data) -> Found | None:
        """The first difference on data, by the reference engine alone."""
        ends = [side.lanes(given) for side in self.sides]
        for lane, (mine, other) in enumerate(zip(*ends, strict=True)):
            if BUDGET_SPENT in (mine.end, other.end):
                if self.starts:
                    return None  # what the next one starts with is not known
                continue
            if mine == other:
                continue
            output, first, second = self._difference(mine, other)
            return Found(data=given.of(slice(0, lane + 1)), output=output, first=first, second=second, profile=self.profile)
        return None

    def _difference(self, mine: _Left, other: _Left) -> tuple[str, str, str]:
        """The first output that differs, and its two values."""
        if mine.end != other.end:
            return "end", mine.end or "`end`", other.end or "`end`"
        if len(mine.sent) != len(other.sent):
            return "number of emitted vertices", str(len(mine.sent)), str(len(other.sent))
        number = next(n for n, pair in enumerate(zip(mine.sent, other.sent, strict=True)) if pair[0] != pair[1])
        prefix = f"emitted vertex {number}: " if self._geometry else ""
        left, right = mine.sent[number], other.sent[number]
        for name, (word, was), (word_, was_) in zip(self._names, left.values, right.values, strict=True):
            if was != was_:
                return prefix + name, "written" if was else "not written", "written" if was_ else "not written"
            if word != word_:
                return prefix + name, self.text(word), self.text(word_)
        return f"{prefix}setemit", left.setting, right.setting

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
        return f"{float_from_bits(word) if self.profile.rounding == 'float32' else float_from_float24(word):.9g}"


def _kind(code: str) -> str:
    return _ENDLESS if code in NEVER_ENDS and code != BUDGET_SPENT else code
