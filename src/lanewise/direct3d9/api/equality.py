"""Whether two shaders leave the same, for all inputs, constants and textures.

The proof is of one lane, under a number rule (`direct3d9.proof`). What it does not show is searched for a counter-example,
which is replayed on the reference engine, alone in its wave, before it is said.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from lanewise.arrays.lists import table
from lanewise.core.comparison import UNKNOWN, Comparison, Example, Setting
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.nearness import EVERY_NAN, NOT_A_NUMBER, Farthest, distance, drawn
from lanewise.core.nearness import concluded as near_concluded
from lanewise.core.numbers.floats import float32_bits
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.core.text.numbers import float32_text
from lanewise.direct3d9.engine.data import Data, limited
from lanewise.direct3d9.engine.run import run_shader
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.constants import BOOL_SET, FLOAT_SET, INT_SET, SAMPLER_SET
from lanewise.direct3d9.isa.operands import SAMPLED
from lanewise.direct3d9.isa.table import CONSTANT_FILES
from lanewise.direct3d9.proof.equal import straight, unproved
from lanewise.direct3d9.proof.machine import side_of
from lanewise.direct3d9.proof.naming import Moved, matched
from lanewise.proving.conclusion import concluded
from lanewise.proving.naming import FRESH
from lanewise.proving.rounding import Unproved
from lanewise.shadercore.proof.rounding import rounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.core.nearness import Ends, Near
    from lanewise.direct3d9.api.shader import Direct3DShader
    from lanewise.direct3d9.engine.data import Fetch
    from lanewise.direct3d9.proof.machine import Side
    from lanewise.direct3d9.proof.naming import Matching
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.proving.terms import Node

SEARCHES, LANES = 24, 64
_CONSTANTS, _INTEGERS, _BOOLEANS = 256, 16, 16
_ITERATIONS = 2_000
_SPECIAL = (
    0,
    0x80000000,
    0x3F800000,
    0xBF800000,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0x7F7FFFFF,
    0x00800000,
    1,
    0x3F000000,
    0xC0000000,
    0x3F7FFFFF,
    0x40000000,
    0x41200000,
)
_COUNTS = (0, 1, 2, 3, 5, 0xFFFFFFFF)


def compare(
    first: Direct3DShader,
    second: Direct3DShader,
    rule: Rule,
    names: tuple[str, str] = ("the first shader", "the second shader"),
    *,
    integers: Mapping[str, tuple[int, ...]] | None = None,
    booleans: Mapping[str, bool] | None = None,
    near: Near | None = None,
    searches: int = SEARCHES,
    seed: int = 0,
) -> Comparison:
    """Compare two shaders under a number rule. `integers` and `booleans` are i# and b# that the application always sets so,
    `near`: how far apart results may be.

    Raises InputError for a shader whose blocks do not fit together, and for a name that is not i# or b#.
    """
    known = _Known.of(integers or {}, booleans or {})
    shaders = first, second
    matching = matched((first.constants, second.constants), names)
    unmatched = [*_unmatched(shaders, names), *matching.unmatched]
    if unmatched:
        reason = "what only one shader has is equal to nothing in the other"
        return Comparison(UNKNOWN, names, unmatched=unmatched, reason=reason)
    try:
        sides = [side_of(shader.shader, known.within(shader.flow)) for shader in shaders]
    except ValueError as error:
        return Comparison(UNKNOWN, names, reason=str(error))
    arrays = _addressed(sides, matching)
    reason = unproved(sides, rule, matching.moved)
    within = [f"relative addresses of {name} stay within it" for name in arrays]
    if near is not None and reason:
        apart = Nearness(near, Search(shaders, sides, rule, matching), matching, rule)
        proved, where = apart.bound()
        return near_concluded(
            names,
            near,
            proved,
            lambda: None if arrays else apart.farthest(searches, seed),
            used=[*known.premises, *_premises(sides, rule, matching, near=True)],
            searched=f"{0 if arrays else searches * LANES} lanes",
            where=where,
        )
    return concluded(
        reason or None,
        names,
        used=[*known.premises, *_premises(sides, rule, matching), *within],
        search=lambda: None if arrays else Search(shaders, sides, rule, matching).run(searches, seed),
        searched=f"in {0 if arrays else searches} searches of {LANES} lanes",
    )


def _addressed(sides: Sequence[Side], matching: Matching) -> list[str]:
    """The arrays that relative addresses name, where the shaders have them in other registers or beside other definitions."""
    if not matching.moved[1].floats and sides[0].flow.constants == sides[1].flow.constants:
        return []
    found = {
        array.name
        for side, moved in zip(sides, matching.moved, strict=True)
        for inst in side.flow.insts
        for source in inst.sources
        if source.is_relative and source.file in CONSTANT_FILES and (array := moved.array(source.constant)) is not None
    }
    return sorted(found)


class _Known(NamedTuple):
    """The i# and b# that are known, by number."""

    integers: Mapping[int, tuple[int, ...]]
    booleans: Mapping[int, bool]
    premises: Sequence[str]

    @classmethod
    def of(cls, integers: Mapping[str, tuple[int, ...]], booleans: Mapping[str, bool]) -> _Known:
        texts = [f"{name} is {', '.join(map(str, row))}" for name, row in integers.items()]
        texts += [f"{name} is {str(value).lower()}" for name, value in booleans.items()]
        rows = {_number(name, "i"): tuple([n & 0xFFFFFFFF for n in (*row, 0, 0, 0)[:4]]) for name, row in integers.items()}
        return cls(rows, {_number(name, "b"): value for name, value in booleans.items()}, texts)

    def within(self, flow: Flow) -> Flow:
        """A tree with these values, but where the shader has its own."""
        return flow._replace(integers={**self.integers, **flow.integers}, booleans={**self.booleans, **flow.booleans})


def _number(name: str, letter: str) -> int:
    digits = name[1:]
    if name[:1].lower() != letter or not (digits.isascii() and digits.isdigit() and len(digits) < 5):
        raise InputError(
            [
                Diagnostic(
                    code="B001",
                    severity=ERROR,
                    message=f"unknown register '{name}'",
                    span=Span(file=""),
                    notes=(),
                    fix=f"use {letter}0, {letter}1 and so on",
                )
            ]
        )
    return int(digits)


def _unmatched(shaders: Sequence[Direct3DShader], names: tuple[str, str]) -> list[str]:
    """The parts that only one of two shaders has, in sentences."""
    one, other = (shader.shader.version for shader in shaders)
    if one.kind != other.kind:
        kinds = ["vertex" if version.kind == isa.VERTEX else "pixel" for version in (one, other)]
        return [f"{names[0]} is a {kinds[0]} shader and {names[1]} a {kinds[1]} shader"]
    if one.kind == isa.PIXEL and (one.major < 2) != (other.major < 2):
        return [f"{names[0]} is {one.name} and {names[1]} is {other.name}: numbers of ps_1 have a limited range"]
    found: list[str] = []
    for name, mine, theirs in zip(names, (shaders[0], shaders[1]), (shaders[1], shaders[0]), strict=True):
        others = {port.name for port in theirs.outputs}
        found += [f"{name} has the output {port.name}" for port in mine.outputs if port.name not in others]
    return found


def _premises(sides: Sequence[Side], rule: Rule, matching: Matching, *, near: bool = False) -> list[str]:
    """The premises of a proof, in sentences."""
    used = [
        f"rule {rule.describe()}; " + (EVERY_NAN if near else "patterns are compared bit by bit, those of NaN too"),
        "inputs and outputs by their usage, stages by their registers",
        *matching.premises,
    ]
    if any(side.flow.constants or side.flow.integers or side.flow.booleans for side in sides):
        used.append("what def, defi and defb define is not overwritten")
    if any(
        (inst.op.sources and SAMPLED in inst.op.sources) or inst.op.role == isa.TEXTURING
        for side in sides
        for inst in side.flow.insts
    ):
        used.append("a texture gives the same for the same coordinates in the same pixel")
    if any(source.is_relative for side in sides for inst in side.flow.insts for source in inst.sources):
        used.append("an index may be any number; what lies outside of the registers is 0")
    used.append("registers that nothing has written are 0")
    return used


class _Difference(NamedTuple):
    """An output, the lane, and what each shader leaves there."""

    name: str
    lane: int
    first: int
    second: int


class _Values(Record):
    """The values of a search."""

    lanes: int
    "How many lanes there are."
    inputs: Mapping[str, NDArray[np.uint32]]
    "Patterns (lanes) by the name of an input's component."
    constants: Mapping[int, tuple[int, ...]]
    "Four patterns by c#."
    integers: Mapping[int, tuple[int, ...]]
    "Four patterns by i#: count, start, step, 0."
    booleans: Mapping[int, bool]
    "Values by b#."
    bumps: Mapping[int, tuple[int, ...]]
    "Four patterns by stage: its bump matrix, and at 16 more its luminance."

    def alone(self, lane: int) -> _Values:
        return self._replace(lanes=1, inputs={name: column[lane : lane + 1] for name, column in self.inputs.items()})


class Nearness(NamedTuple):
    """Two shaders whose results may be some units apart: how far, the shaders, their names, the rule."""

    near: Near
    search: Search
    matching: Matching
    rule: Rule

    def bound(self) -> tuple[int | str, str]:
        """The most units that outputs are apart, and the output; or why there is no bound."""
        found = straight(self.search.sides, self.rule, self.matching.moved)
        if found is None:
            return "there is no bound for branches and loops", ""
        m, pairs = found
        worst, where, output = 0, "", ""
        try:
            bounds = rounded(m, self._ends, self._titled)
            for one, other in pairs:
                output = f"{one.name}: "
                if not m.equal(one.value, other.value, {}):
                    most = bounds.bound(one.value, other.value)
                    worst, where = (most, one.name) if most > worst else (worst, where)
        except Unproved as reason:
            return f"{output}{reason}", ""
        return worst, where

    def farthest(self, searches: int, seed: int) -> tuple[Farthest, Example | None] | None:
        """The greatest distance of a search, as the reference engine gives it for that lane alone, with its values."""
        best: tuple[Farthest, _Values] | None = None
        for number in range(searches):
            rng = random.Random(f"{seed} {number}")
            values = self._drawn(rng, number)
            for each in self.search.differences(values, "auto"):
                found = Farthest(_distance(each), each.name, each.lane)
                if best is None or found.ulp > best[0].ulp:
                    best = found, values.alone(each.lane)
        if best is None:
            return Farthest(0, "", 0), None
        found, values = best
        for each in self.search.differences(values, "reference"):
            if each.name == found.output and _distance(each) == found.ulp:
                return found, self.search.shown(each, values)
        return None

    def _drawn(self, rng: random.Random, number: int) -> _Values:
        """Values at random, in their ranges."""
        values = self.search.drawn(rng, number)
        inputs = {
            name: column if (ends := self._of_input(name)) is None else table([drawn(rng, ends, int) for _ in column], "u")
            for name, column in values.inputs.items()
        }
        constants = {
            n: tuple([drawn(rng, self._of_constant(n, c), lambda bits=bits: bits) for c, bits in enumerate(row)])
            for n, row in values.constants.items()
        }
        return values._replace(inputs=inputs, constants=constants)

    def _ends(self, node: Node) -> tuple[Fraction, Fraction] | None:
        found = self._of_input(str(node[1])) if node[0] == "input" else self._of_constant(int(node[1]), int(node[2]))
        return None if found is None else (Fraction(found[0]), Fraction(found[1]))

    def _of_input(self, name: str) -> Ends | None:
        base, _, letter = name.rpartition(".")
        return self.near.ends((base,), "xyzw".index(letter))

    def _of_constant(self, number: int, component: int) -> Ends | None:
        title = self.search.title(number)
        return self.near.ends([*dict.fromkeys((title, title.partition("[")[0])), f"c{number % FRESH}"], component)

    def _titled(self, node: Node) -> str:
        if node[0] == "input":
            return str(node[1])
        number = int(node[1])
        return f"{self.search.title(number) or f'c{number % FRESH}'}.{'xyzw'[int(node[2])]}"


def _distance(found: _Difference) -> int:
    if isinstance(found.first, bool):
        return NOT_A_NUMBER
    apart = distance(found.first, found.second)
    return NOT_A_NUMBER if apart is None else apart


class Search:
    """The search for values for which two shaders differ."""

    sides: Sequence[Side]

    def __init__(
        self, shaders: Sequence[Direct3DShader], sides: Sequence[Side], rule: Rule, matching: Matching | None = None
    ) -> None:
        self._shaders, self.sides, self._rule = shaders, sides, rule
        self._moved = matching.moved if matching is not None else (Moved(), Moved())
        self._names = sorted({name for side in sides for name in side.inputs.values()})
        self._outputs = sorted(sides[0].outputs.keys() & sides[1].outputs.keys())

    def run(self, searches: int, seed: int) -> Example | None:
        for number in range(searches):
            values = self.drawn(random.Random(f"{seed} {number}"), number)
            found = self.difference(values, "auto")
            if found is None:
                continue
            alone = values.alone(found.lane)
            replayed = self.difference(alone, "reference")
            if replayed is not None:
                return self.shown(replayed, alone)
        return None

    def drawn(self, rng: random.Random, number: int, lanes: int = LANES) -> _Values:
        """Values at random; those of the first searches are small whole numbers, and ordinary ones."""

        def pattern() -> int:
            kind = rng.random()
            if number % 4 == 1 or (number % 4 > 1 and kind < 0.2):
                return float32_bits(float(rng.randrange(-4, 12)))
            if number % 4 == 0 or kind < 0.7:
                return float32_bits(rng.uniform(-4, 4))
            return rng.choice(_SPECIAL) if kind < 0.95 else rng.getrandbits(32)

        return _Values(
            lanes=lanes,
            inputs={name: table([pattern() for _ in range(lanes)], "u") for name in self._names},
            constants={n: (pattern(), pattern(), pattern(), pattern()) for n in self._registers()},
            integers={
                n: (rng.choice(_COUNTS), rng.randrange(8), rng.randrange(-1, 3) & 0xFFFFFFFF, 0) for n in range(_INTEGERS)
            },
            booleans={n: rng.random() < 0.5 for n in range(_BOOLEANS)},
            bumps={n: (pattern(), pattern(), pattern(), pattern()) for n in range(32)},
        )

    def difference(self, values: _Values, engine: str) -> _Difference | None:
        """The first difference; None also where a shader has too many turns."""
        return next(self.differences(values, engine), None)

    def differences(self, values: _Values, engine: str) -> Iterator[_Difference]:
        """All differences, by lane; none where a shader has too many turns."""
        columns: list[dict[str, Sequence[int]]] = []
        killed: list[Sequence[bool]] = []
        for side, moved in zip(self.sides, self._moved, strict=True):
            wanted = sorted({(cell.file, cell.number) for cell in side.outputs.values()})
            try:
                raw, *_ = run_shader(
                    side.flow, self._rule, self._data(side, moved, values), wanted, kills=side.kills, engine=engine
                )
            except InputError:
                return
            grids = {key: grid.tolist() for key, grid in raw.outputs.items()}
            columns.append(
                {name: [row[cell.component] for row in grids[cell.file, cell.number]] for name, cell in side.outputs.items()}
            )
            killed.append([False] * values.lanes if raw.killed is None else [bool(each) for each in raw.killed.tolist()])
        for lane in range(values.lanes):
            if killed[0][lane] != killed[1][lane]:
                yield _Difference("whether the pixel is stopped", lane, killed[0][lane], killed[1][lane])
            for name in () if killed[0][lane] else self._outputs:
                one, other = (int(column[name][lane]) for column in columns)
                if one != other:
                    yield _Difference(name, lane, one, other)

    def _uniform(self, number: int, patterns: Sequence[int]) -> Setting:
        """A c# with its name; those from `FRESH` on are of the second shader only."""
        register = f"c{number % FRESH}" + (" of the second shader" if number >= FRESH else "")
        return _setting(self.title(number) or register, register, patterns)

    def title(self, number: int) -> str:
        """The name of a c# where both shaders have names; empty where it has none."""
        shader, own = self._shaders[number >= FRESH], number % FRESH
        row = next((row for row in shader.constants if row.set == FLOAT_SET and 0 <= own - row.register < row.registers), None)
        if row is None or not all(each.constants for each in self._shaders):
            return ""
        return row.name if row.registers == 1 else f"{row.name}[{own - row.register}]"

    def _registers(self) -> list[int]:
        """The c# of both shaders, as the first calls them."""
        fresh = {place[0] for place in self._moved[1].floats.values() if place[0] >= _CONSTANTS}
        return [*range(_CONSTANTS), *sorted(fresh)]

    def _data(self, side: Side, moved: Moved, values: _Values) -> Data:
        """The values in the registers of a shader."""
        columns: dict[tuple[int, int], list[Sequence[int]]] = {}
        for cell, name in side.inputs.items():
            rows = columns.setdefault((cell.file, cell.number), [[bits] * values.lanes for bits in (0, 0, 0, 0x3F800000)])
            rows[cell.component] = values.inputs[name].tolist()
        inputs = {key: table(list(zip(*rows, strict=True)), "u", 4) for key, rows in columns.items()}
        own = {
            n: tuple([values.constants[place[0]][place[1]] for place in [moved.place(n, c) for c in range(4)]])
            for n in range(_CONSTANTS)
        }
        constants = {**own, **side.flow.constants}
        samplers = {stage: partial(_texture, moved.number(SAMPLER_SET, stage)) for stage in range(16)}
        data = Data(
            lanes=values.lanes,
            inputs=inputs,
            constants=constants,
            integers={n: values.integers[moved.number(INT_SET, n) % _INTEGERS] for n in range(_INTEGERS)},
            booleans={n: values.booleans[moved.number(BOOL_SET, n) % _BOOLEANS] for n in range(_BOOLEANS)},
            bumps=values.bumps,
            samplers=samplers,
            iterations=_ITERATIONS,
        )
        return limited(side.flow, self._rule, data)

    def shown(self, found: _Difference, values: _Values) -> Example:
        """The example with what either shader reads."""
        settings = tuple([_setting(name, name, [int(values.inputs[name][0])]) for name in self._names])
        read = {
            (source.file, source.number): source for side in self.sides for inst in side.flow.insts for source in inst.sources
        }
        relative = any(source.is_relative for source in read.values())
        numbers = sorted(
            {
                moved.place(n, component)[0]
                for side, moved in zip(self.sides, self._moved, strict=True)
                for n in (range(_CONSTANTS) if relative else _constants_read(side))
                if n not in side.flow.constants
                for component in range(4)
            }
        )
        uniforms = [self._uniform(n, values.constants[n]) for n in numbers if n in values.constants]
        for (file, number), _ in sorted(read.items()):
            if file == isa.CONSTINT and number in values.integers:
                row = [each - (1 << 32) if each >> 31 else each for each in values.integers[number][:3]]
                uniforms.append(Setting(f"i{number}", f"i{number}", tuple(map(str, row))))
            if file == isa.CONSTBOOL and number in values.booleans:
                uniforms.append(Setting(f"b{number}", f"b{number}", (str(values.booleans[number]).lower(),)))
        if isinstance(found.first, bool):
            first, second = (str(bool(each)).lower() for each in (found.first, found.second))
        else:
            first, second = (f"{float32_text(bits)} (0x{bits:08x})" for bits in (found.first, found.second))
        return Example(
            vertices=(settings,),
            uniforms=tuple(uniforms),
            output=found.name,
            first=first,
            second=second,
            profile=self._rule.describe(),
        )


def _constants_read(side: Side) -> set[int]:
    """The c# that a shader reads by their numbers."""
    return {
        source.constant + row
        for inst in side.flow.insts
        for source in inst.sources
        if source.file in CONSTANT_FILES
        for row in range(max(1, inst.op.rows))
    }


_MIXED = ((1.0, 0.0, 0.0, 0.125), (0.5, 1.0, 0.0, 0.0), (0.0, -1.0, 1.0, 0.0), (0.0, 0.0, 0.25, 1.0))


def _texture(stage: int, fetch: Fetch) -> NDArray[np.float32]:
    """A texture of which every color depends on all coordinates and the stage."""
    import numpy as np

    given = [fetch.coordinates, *fetch.gradients]
    weighted = [np.nan_to_num(each, nan=0.25, posinf=0.75, neginf=-0.75) * (n + 1) for n, each in enumerate(given)]
    total = np.sum(np.array(weighted), axis=0) @ _MIXED + 0.3 * stage
    return (total - np.floor(total)).astype(np.float32)


def _setting(name: str, register: str, patterns: Sequence[int]) -> Setting:
    return Setting(name, register, tuple(map(float32_text, patterns)), tuple([f"0x{bits:08x}" for bits in patterns]))
