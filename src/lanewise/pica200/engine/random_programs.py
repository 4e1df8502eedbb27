"""Random programs with data, generated from the ISA table, to compare engines.

Half of the programs have nested blocks as from a compiler; some have flow instructions anywhere; the others do what compilers
never do: overflow a ring, jump into a loop, enter one twice, end several blocks at one address. Each number of a seed has a
separate case, so any case can be generated again without those before it.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.pica200.engine.reference import BUDGET_SPENT, Reference
from lanewise.pica200.isa.codec import Inst, encode
from lanewise.pica200.isa.facts import CHOICES, RUN_CHOICES
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    BY_NAME,
    F0,
    F2,
    F3,
    FLOAT,
    IDENTITY,
    OPS,
    TEMPORARY,
    UNKNOWN,
    WIDE_SOURCE,
    Descriptor,
)
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import profiles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.pica200.sem.profile import Profile

BUDGET = 64  # executed instructions of a vertex; most programs end before
DESCRIPTORS = 24
INPUTS = 4
Vector = tuple[int, int, int, int]

_COMPUTING = tuple(op for op in OPS if op.kind == ARITHMETIC)
# The instructions that take subnormals for zeros. DST does too, but also hands on components as they are.
_FLUSHING = {name for key in ("subnormal_arithmetic", "subnormal_floor") for name in CHOICES[key].ops}
_NUMERIC = tuple(op for op in _COMPUTING if op.name in _FLUSHING and op.base != "dst")
_USUAL = tuple(BY_NAME[name] for name in ("mov", "add", "mul", "mad", "dp4", "max", "rcp"))
_FREE = tuple(op.name for op in OPS if op.format is F0)
_LEADING = tuple(op.name for op in OPS if op.format in (F2, F3))
# The numbers of uniforms and of attributes: how many of them are subnormals, and how many are of `EDGES`. Subnormals come only
# with ordinary numbers, and are few: where one can be observed the exact kernel computes everything, and the other is not
# tested.
_PLAIN, _TINY, _RARE, _ANY = (0.0, 0.0), (0.2, 0.0), (0.02, 0.0), (0.12, 0.4)
_DATA = ((_PLAIN, _PLAIN), (_TINY, _PLAIN), (_PLAIN, _RARE), (_TINY, _RARE), (_ANY, _ANY))
_DATA_WEIGHTS = (25, 25, 10, 10, 30)
_TRIES = 4  # programs without end that are thrown away before one is taken

# float24 words at which arithmetic changes its rule: zeros, subnormals, the ends of the range, infinities, NaN, and plain
# numbers.
EDGES = (
    0x000000, 0x800000, 0x000001, 0x800001, 0x00FFFF, 0x80FFFF, 0x010000, 0x810000, 0x010001, 0x020000,
    0x3F0000, 0xBF0000, 0x3F0001, 0x3EFFFF, 0x400000, 0xC00000, 0x3E0000, 0x3E8000, 0x408000, 0x460000, 0xC60000,
    0x45FFC0, 0x7EFFFF, 0xFEFFFF, 0x7E0000, 0x7F0000, 0xFF0000, 0x7F8000, 0xFF8000, 0x7F0001, 0x7FFFFF,
    0x5F0000, 0x1F0000, 0x560000, 0xD70000, 0x3F8000, 0x45F000, 0xC5F800,
)  # fmt: skip
# The same of float32: also what has no float24.
EDGES_FLOAT32 = (
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000, 0x80800000, 0x00800001,
    0x3F800000, 0xBF800000, 0x3F800001, 0x3F7FFFFF, 0x40000000, 0xC0000000, 0x3F000000, 0x42FE0000, 0x42FFFFFF,
    0x7F7FFFFF, 0xFF7FFFFF, 0x7F000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFBFFFFF, 0x7FFFFFFF,
    0x4B800000, 0x4F000000, 0xCF000001, 0x5F800000, 0x20000000, 0x1F800000,
)  # fmt: skip


_RULES = tuple((key, answer) for key, fact in RUN_CHOICES.items() if key != "rounding" for answer in fact.answers)


class Case(Record):
    """A program with data. Values are words of the profile's format: float24 words, or float32 patterns."""

    words: tuple[int, ...]
    "Machine words; the first is the entry."
    descriptors: tuple[int, ...]
    "Operand descriptors."
    floats: tuple[Vector, ...]
    "96 c registers."
    integers: tuple[Vector, ...]
    "4 i registers, x to w."
    booleans: tuple[bool, ...]
    "16 b registers."
    inputs: tuple[tuple[tuple[int, ...], ...], ...]
    "Of v0 and so on: rows of 1 to 4 components for each lane, one row for all lanes, or none for a missing input."
    lanes: int
    "Number of vertices."
    profile: Profile
    "Rules of the run."


def case(seed: int, number: int) -> Case:
    """The case of a number; profiles alternate."""
    rng = random.Random(f"{seed} {number}")
    found = _case(rng, number)
    for _ in range(_TRIES - 1):
        if not _endless(found):
            break
        found = _case(rng, number)
    return found


def flow_words(rng: random.Random, *, nested: bool = False) -> list[int]:
    """The words of a program without data; `nested`: with blocks as from a compiler, which end at different addresses."""
    code = _Code(rng)
    if nested:
        _nested(code, apart=True)
        return code.words
    rng.choices(_GENERATORS, _WEIGHTS)[0](code)
    return code.words


def random_word(rng: random.Random, profile: Profile) -> int:
    """A number of the format of a profile, as the data of cases have them: often plain, now and then special."""
    return _word(rng, profile, _ANY if rng.random() < 0.3 else _PLAIN)


def random_descriptor(rng: random.Random) -> int:
    """An operand descriptor."""
    return _descriptor(rng)


def rule_of(number: int) -> dict[str, str]:
    """A field of a profile with a value: in turn all values of all fields but the rounding, which decides on the format of
    data."""
    name, value = _RULES[number % len(_RULES)]
    return {name: value}


def _case(rng: random.Random, number: int) -> Case:
    code = _Code(rng)
    rng.choices(_GENERATORS, _WEIGHTS)[0](code)
    profile = _profile(rng, number)
    lanes = rng.choice((1, 2, 5, 15, 16, 17, 31, 33, 48))
    shared, own = rng.choices(_DATA, _DATA_WEIGHTS)[0] if not code.numeric else rng.choice(((_TINY, _PLAIN), (_TINY, _RARE)))
    pool = [_vector(rng, profile, shared) for _ in range(12)]
    return Case(
        words=tuple(code.words),
        descriptors=tuple(_descriptor(rng) for _ in range(DESCRIPTORS)),
        floats=tuple(rng.choices(pool, k=96)),
        integers=tuple(
            (rng.choice((0, 0, 0, 1, 1, 2, 3, 255)), rng.choice((0, 1, 2, 90, 127, 250)), rng.choice((0, 1, 2, 255)), 0)
            for _ in range(4)
        ),
        booleans=tuple(rng.random() < 0.5 for _ in range(16)),
        inputs=tuple(_input(rng, profile, lanes, own) for _ in range(INPUTS)),
        lanes=lanes,
        profile=profile,
    )


def _endless(one: Case) -> bool:
    """Whether the first vertex spends its budget."""
    program = Reference(one.words, one.descriptors, 0, profile=one.profile, budget=BUDGET)
    fault = program.run(vertex(one, 0), one.floats, one.integers, one.booleans).fault
    return fault is not None and fault.code == BUDGET_SPENT


def vertex(one: Case, lane: int) -> dict[int, Vector]:
    """The inputs of a vertex, whole: missing components are 0, 0, 0, 1."""
    defaults = 0, 0, 0, number_rule(one.profile).constant(1.0)
    found: dict[int, Vector] = {}
    for register, rows in enumerate(one.inputs):
        if rows:
            row = rows[lane if len(rows) > 1 else 0]
            x, y, z, w = (*row, *defaults[len(row) :])
            found[register] = x, y, z, w
    return found


# Data


def base_profile(number: int) -> Profile:
    """The profile of a case without the fields that it sets otherwise, of which none is the rounding."""
    hardware = profiles["hardware"]
    return (
        hardware,
        hardware.replace(rounding="nearest"),
        profiles["azahar"],
        profiles["panda3ds"],
        hardware,
        hardware.replace(rounding="float32", subnormal_arithmetic="keep", subnormal_floor="keep"),
    )[number % 6]


def _profile(rng: random.Random, number: int) -> Profile:
    """The presets and both other roundings in turn, now and then with some fields set otherwise."""
    base = base_profile(number)
    if rng.random() < 0.9:
        base = base.replace(initial_state="zero")
    if rng.random() < 0.6:
        return base
    keys = [key for key in sorted(RUN_CHOICES) if key not in ("rounding", "initial_state")]
    return base.replace(**{key: rng.choice(tuple(CHOICES[key].answers)) for key in rng.sample(keys, 3)})


def _word(rng: random.Random, profile: Profile, share: tuple[float, float]) -> int:
    wide, (tiny, edges) = profile.rounding == "float32", share
    if rng.random() < edges:
        return rng.choice(EDGES_FLOAT32 if wide else EDGES)
    if rng.random() < 0.1:
        return number_rule(profile).constant(rng.choice((0.0, 1.0, 2.0)))
    bits = 23 if wide else 16
    mantissa = rng.choice((rng.getrandbits(bits), 0, (1 << bits) - 1, 1 << rng.randrange(bits)))
    exponent = rng.randrange(-5, 7) + (127 if wide else 63)
    if rng.random() < tiny:
        exponent, mantissa = 0, mantissa or 1
    return rng.getrandbits(1) << (31 if wide else 23) | exponent << bits | mantissa


def _vector(rng: random.Random, profile: Profile, share: tuple[float, float]) -> Vector:
    return _word(rng, profile, share), _word(rng, profile, share), _word(rng, profile, share), _word(rng, profile, share)


def _input(rng: random.Random, profile: Profile, lanes: int, share: tuple[float, float]) -> tuple[tuple[int, ...], ...]:
    kind = rng.random()
    if kind < 0.05:
        return ()
    components = 4 if kind < 0.7 else rng.randrange(1, 5)
    return tuple(_vector(rng, profile, share)[:components] for _ in range(1 if 0.6 < kind < 0.7 else lanes))


def _descriptor(rng: random.Random) -> int:
    found = Descriptor.MASK.insert(rng.choice((0xF, 0xF, 0xF, 8, 0xE, rng.randrange(16))))
    for selector, negate in zip(Descriptor.SELECTOR, Descriptor.NEGATE, strict=True):
        found |= selector.insert(IDENTITY if rng.random() < 0.5 else rng.randrange(256))
        found |= negate.insert(rng.random() < 0.2)
    return found


# Code


class _Code:
    """A program being generated."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.words: list[int] = []
        self.numeric = rng.random() < 0.2  # uniforms are only for arithmetic, which treats their subnormals as zeros
        self.condition: dict[str, int] | None = None  # what most questions ask, so that one answer serves for all

    @property
    def here(self) -> int:
        return len(self.words)

    def add(self, name: str, **fields: int) -> int:
        """A word, and its address; fields not given are 0."""
        op = BY_NAME[name]
        fields["opcode"] = op.opcode
        self.words.append(encode(Inst(op, tuple(fields.get(field.name, 0) for field in op.format.fields))))
        return self.here - 1

    def lead(self, name: str, to: int = 0, num: int = 0, at: int | None = None) -> int:
        """A flow instruction, or another in place of the word `at`."""
        rng, fields = self.rng, {"dst": to, "num": num}
        if BY_NAME[name].format.has("condop"):
            usual = self.condition if rng.random() < 0.9 else None
            fields |= usual or _condition(rng)
        elif BY_NAME[name].format.has("reg"):
            fields["reg"] = rng.randrange(16 if rng.random() < 0.05 else 4)
        address = self.add(name, **fields)
        if at is None:
            return address
        self.words[at] = self.words.pop()
        return at

    def compute(self, count: int = 1) -> None:
        for _ in range(count):
            op = self.rng.choice(_USUAL if self.rng.random() < 0.25 else _COMPUTING)
            self._operands(op.name)

    def _operands(self, name: str) -> None:
        rng, op = self.rng, BY_NAME[name]
        fields = {"desc": rng.randrange(DESCRIPTORS)}
        if op.format.field("desc").width > 5 and rng.random() < 0.005:
            fields["desc"] = DESCRIPTORS  # past the table
        wide = WIDE_SOURCE[op.format.name]
        for number in range(1, op.source_count + 1):
            fields[f"src{number}"] = self._source(wide=number == wide and (not self.numeric or op in _NUMERIC))
        if op.format.has("dst"):
            fields["dst"] = rng.choice((0, 1, 2, rng.randrange(16), *(2 * tuple(range(TEMPORARY, TEMPORARY + 4)))))
        if rng.random() < (0.5 if fields[f"src{wide}"] >= FLOAT else 0.1):
            fields["idx"] = rng.randrange(1, 4)
        if "cmp" in op.operands:
            fields |= {"cmpx": rng.randrange(8), "cmpy": rng.randrange(8)}
        self.add(name, **fields)

    def _source(self, *, wide: bool) -> int:
        rng, kind = self.rng, self.rng.random()
        if wide and kind < (0.6 if self.numeric else 0.3):
            return FLOAT + rng.choice((0, 1, 2, 3, 50, 95))
        return rng.randrange(INPUTS + 1) if rng.random() < 0.4 else TEMPORARY + rng.randrange(4)

    def ask(self, likely: float = 0.7) -> None:
        """Add, often, a CMP of values that differ between vertices: lanes diverge."""
        rng = self.rng
        if rng.random() < likely:
            orders = rng.choice(((2, 5), (3, 4), (rng.randrange(8), rng.randrange(8))))
            first = rng.choice(
                (rng.randrange(INPUTS), TEMPORARY + rng.randrange(4), FLOAT + rng.randrange(4))[: 3 - self.numeric]
            )
            self.add(
                "cmp",
                src1=first,
                src2=rng.randrange(INPUTS),
                cmpx=orders[0],
                cmpy=rng.choice(orders),
                desc=rng.randrange(DESCRIPTORS),
                idx=rng.randrange(4) if rng.random() < 0.1 else 0,
            )

    def begin(self) -> None:
        """Often temporaries that differ between vertices."""
        if self.rng.random() < 0.7:
            for number in range(self.rng.randrange(1, 5)):
                self.add("mov", dst=TEMPORARY + number, src1=number % INPUTS, desc=self.rng.randrange(DESCRIPTORS))

    def finish(self) -> None:
        """Often outputs that show the temporaries; END."""
        if self.rng.random() < 0.8:
            for number in range(self.rng.randrange(1, 5)):
                self.add("mov", dst=3 + number, src1=TEMPORARY + number, desc=self.rng.randrange(DESCRIPTORS))
        self.add("end")

    def index(self) -> None:
        """Add an instruction that reads c[aL], into a temporary or an output."""
        rng = self.rng
        self.add(
            rng.choice(("add", "dp4") if self.numeric else ("mov", "add", "dp4", "max")),
            dst=rng.choice((0, 1, TEMPORARY, TEMPORARY + 1)),
            src1=FLOAT + rng.randrange(4),
            src2=TEMPORARY + rng.randrange(4),
            idx=3,
            desc=rng.randrange(DESCRIPTORS),
        )


def _condition(rng: random.Random) -> dict[str, int]:
    return {"condop": rng.randrange(4), "refx": rng.randrange(2), "refy": rng.randrange(2)}


def _nested(code: _Code, *, apart: bool = False) -> None:
    """Nested blocks, and procedures after END that call later ones, sometimes earlier ones.

    `apart`: a NOP ends each block and procedure, as picasso pads them, and no break leaves an IF.
    """
    rng = code.rng
    calls: list[tuple[int, int]] = []  # address, and the lowest procedure that it may call
    procedures = rng.randrange(4)

    def body(depth: int, inside: str, lowest: int) -> None:
        for _ in range(rng.randrange(1, 4)):
            kind = rng.random()
            if depth and kind < 0.25:
                branch(depth, inside, lowest)
            elif depth and kind < 0.4:
                loop(depth, lowest)
            elif lowest < procedures and kind < 0.5:
                code.ask()
                calls.append((code.add("nop"), lowest))
            elif inside and kind < 0.6 and not (apart and inside == "branch"):
                code.ask()
                code.lead("breakc")
            elif inside and kind < 0.7:
                code.index()
            if rng.random() < 0.6:  # without, blocks end together
                code.compute()
        if apart:
            code.add("nop")

    def branch(depth: int, inside: str, lowest: int) -> None:
        code.ask()
        at = code.add("nop")
        within = "branch" if apart and inside else inside
        body(depth - 1, within, lowest)
        other = code.here
        if rng.random() < 0.6:
            body(depth - 1, within, lowest)
        code.lead(rng.choice(("ifc", "ifc", "ifu")), other, code.here - other, at)

    def loop(depth: int, lowest: int) -> None:
        at = code.add("nop")
        body(depth - 1, "loop", lowest)
        code.lead("for", max(code.here - 1, at + 1), 0, at)
        if rng.random() < 0.3:
            code.index()

    code.begin()
    body(3, "", 0)
    code.finish()
    starts: list[tuple[int, int]] = []
    for number in range(procedures):
        start = code.here
        body(rng.randrange(2), "", 0 if rng.random() < 0.1 else number + 1)
        if code.here == start:
            code.compute()
        starts.append((start, code.here - start))
    for at, lowest in calls:
        start, size = starts[rng.randrange(lowest, procedures)]
        code.lead(rng.choice(("call", "callc", "callc", "callu")), start, size, at)


def _loose(code: _Code) -> None:
    """Any flow instruction anywhere, with targets nearby, and sometimes an unknown word."""
    rng, size = code.rng, code.rng.randrange(4, 20)
    code.begin()
    first = code.here
    while code.here < first + size:
        if rng.random() < 0.6:
            code.compute()
            continue
        name = rng.choice(_LEADING if rng.random() < 0.8 else _FREE)
        if name in _FREE:
            code.add(name)
            continue
        code.ask()
        code.lead(name, min(first + size, max(first, code.here + rng.randrange(-3, 6))), rng.randrange(4))
    if rng.random() < 0.03:
        code.words[rng.randrange(code.here)] = encode(Inst(UNKNOWN, (rng.getrandbits(26), rng.choice((0x10, 0x14, 0x1C)))))
    code.finish()


def _many_calls(code: _Code) -> None:
    """Procedures that call each other until the CALL ring overflows, for some vertices; some return together."""
    rng, depth = code.rng, code.rng.randrange(4, 8)
    code.condition = _condition(rng)
    code.begin()
    code.ask(0.9)
    calls = [code.add("nop")]
    code.compute()
    code.finish()
    places: list[tuple[int, int]] = []
    together = rng.random() < 0.4
    for level in range(depth):
        start = code.here
        code.compute(rng.randrange(2))
        if level + 1 < depth:
            code.ask(0.15)
            calls.append(code.add("nop"))
        if not together or level + 1 == depth:
            code.compute()
        places.append((start, code.here - start))
    for level, at in enumerate(calls):
        code.lead("call" if level == 0 or rng.random() < 0.5 else "callc", *places[level], at)


def _many_branches(code: _Code) -> None:
    """More IFs in each other than the ring holds, with else parts."""
    rng = code.rng

    def nest(depth: int) -> None:
        code.ask(0.07)
        at = code.add("nop")
        code.compute(rng.randrange(2))
        if depth:
            nest(depth - 1)
        code.compute(code.here == at + 1 or rng.randrange(2))
        other = code.here
        code.compute(rng.randrange(2))
        code.lead("ifc" if rng.random() < 0.95 else "ifu", other, code.here - other, at)

    code.condition = _condition(rng)
    code.begin()
    code.ask(0.9)
    nest(rng.randrange(7, 11))
    code.compute()
    code.finish()


def _many_loops(code: _Code) -> None:
    """More LOOPs in each other than the ring holds, left by BREAK, BREAKC and jumps."""
    rng = code.rng

    def nest(depth: int) -> None:
        at = code.add("nop")
        if depth:
            nest(depth - 1)
        code.index()
        if rng.random() < 0.5:
            code.ask()
            code.lead("breakc")
        code.compute(rng.randrange(2))
        code.lead("for", code.here - 1, 0, at)

    code.begin()
    skip = -1
    if rng.random() < 0.7:
        code.ask(0.9)
        skip = code.add("nop")
    first = code.here
    nest(rng.randrange(3, 6))
    code.index()
    if skip >= 0:
        code.lead(rng.choice(("jmpc", "ifc")), rng.randrange(first, code.here), 0, skip)
    if rng.random() < 0.3:
        code.add("break")
    code.finish()


def _odd_loop(code: _Code) -> None:
    """A loop that some vertices jump into, leave by a jump, or enter again before it is over; then c[aL]."""
    rng = code.rng
    code.begin()
    code.ask(0.9)
    before = code.add("nop")
    code.compute(rng.randrange(2))
    at = code.add("nop")
    code.index()
    code.compute(rng.randrange(2))
    code.ask(0.9)
    within = code.add("nop")
    code.compute(rng.randrange(1, 3))
    last = code.here - 1
    code.ask()
    behind = code.add("nop")
    code.index()
    end = code.here
    code.finish()
    code.lead("for", last, 0, at)
    for place in (before, within, behind):
        kind = rng.random()
        if kind < 0.5:
            code.lead(
                rng.choice(("jmpc", "jmpc", "jmpu")), rng.choice((at, at, rng.randrange(at, end))), rng.randrange(2), place
            )
        elif kind < 0.7:
            code.lead(rng.choice(("breakc", "break")) if place == within else "breakc", 0, 0, place)
        elif kind < 0.8:
            code.lead(rng.choice(("callc", "ifc")), rng.randrange(at, end), rng.randrange(1, 4), place)


_GENERATORS: tuple[Callable[[_Code], None], ...] = (_nested, _loose, _many_calls, _many_branches, _many_loops, _odd_loop)
_WEIGHTS: Sequence[int] = (42, 20, 8, 6, 9, 15)
