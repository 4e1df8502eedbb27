"""Random programs on both engines: made from the ISA table, run on edge values, compared bit for bit, and made small where they differ."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.engine.run import LLVM, REFERENCE, Runner
from lanewise.isa.codec import Inst, encode
from lanewise.isa.facts import CHOICES
from lanewise.isa.pica200 import BY_NAME, FLOAT, OPS, TEMPORARY, WIDE_SOURCE
from lanewise.sem.profile import profiles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.isa.model import Op
    from lanewise.sem.profile import Profile

BUDGET = 64  # executed instructions of a lane; longer ones are compared in how they stop
DESCRIPTORS = 24
_COMPUTING = tuple(op for op in OPS if "src" in op.operands)
_NOP, _END = BY_NAME["nop"], BY_NAME["end"]

# float24 words at which arithmetic changes its rule: zeros, subnormals, the ends of the range, infinities, NaN, and plain numbers.
EDGES = (
    0x000000, 0x800000, 0x000001, 0x800001, 0x00FFFF, 0x80FFFF, 0x010000, 0x810000, 0x010001, 0x020000,
    0x3F0000, 0xBF0000, 0x3F0001, 0x3EFFFF, 0x400000, 0xC00000, 0x3E0000, 0x3E8000, 0x408000, 0x460000, 0xC60000,
    0x45FFC0, 0x7EFFFF, 0xFEFFFF, 0x7E0000, 0x7F0000, 0xFF0000, 0x7F8000, 0xFF8000, 0x7F0001, 0x7FFFFF,
    0x5F0000, 0x1F0000, 0x560000, 0xD70000, 0x3F8000, 0x45F000, 0xC5F800,
)  # fmt: skip


class Case(NamedTuple):
    """A program with data: words, descriptors, 96 float uniforms, 4 integer ones, 16 booleans, and the words of v0-v3 for some lanes."""

    words: tuple[int, ...]
    descriptors: tuple[int, ...]
    floats: tuple[tuple[int, int, int, int], ...]
    integers: tuple[tuple[int, int, int, int], ...]
    booleans: tuple[bool, ...]
    inputs: tuple[tuple[tuple[int, int, int, int], ...], ...]
    profile: Profile


class Difference(NamedTuple):
    """Where the engines differ: the lane and the output, or what else, and both answers."""

    where: str
    reference: str
    compiled: str


def cases(seed: int) -> Iterator[Case]:
    """Random programs without end, half of them with blocks that nest as a compiler would have them; profiles take turns."""
    rng = random.Random(seed)
    turn = 0
    while True:
        yield case(rng, turn)
        turn += 1


def case(rng: random.Random, turn: int) -> Case:
    words = _structured(rng) if rng.random() < 0.5 else _loose(rng)
    tame = rng.random() < 0.5
    lanes = rng.choice((1, 5, 16, 17, 33, 48))
    return Case(
        tuple(words),
        tuple(_descriptor(rng) for _ in range(DESCRIPTORS)),
        tuple(_vector(rng, tame) for _ in range(96)),
        tuple(
            (rng.choice((0, 1, 2, 3, 5, 255)), rng.choice((0, 1, 2, 90, 127, 250)), rng.choice((0, 1, 2, 255)), 0)
            for _ in range(4)
        ),
        tuple(rng.random() < 0.5 for _ in range(16)),
        tuple(tuple(_vector(rng, tame) for _ in range(lanes)) for _ in range(4)),
        _profile(rng, turn),
    )


def _profile(rng: random.Random, turn: int) -> Profile:
    """The presets and both other roundings in turn, now and then with some fields set otherwise."""
    hardware = profiles["hardware"]
    base = (
        hardware,
        hardware.replace(rounding="nearest"),
        profiles["azahar"],
        profiles["panda3ds"],
        hardware,
        hardware.replace(rounding="float32", subnormal_arithmetic="keep", subnormal_floor="keep"),
    )[turn % 6]
    if rng.random() < 0.8:
        base = base.replace(initial_state="zero")
    if rng.random() < 0.6:
        return base
    changed = {key: rng.choice(tuple(CHOICES[key].answers)) for key in rng.sample(sorted(CHOICES), 3) if key != "rounding"}
    return base.replace(**changed)


def _word(rng: random.Random, tame: bool) -> int:
    if not tame and rng.random() < 0.4:
        return rng.choice(EDGES)
    if rng.random() < 0.1:
        return rng.choice((0, 0x3F0000, 0x400000))
    return (
        rng.getrandbits(1) << 23
        | rng.randrange(58, 70) << 16
        | rng.choice((rng.getrandbits(16), 0, 0xFFFF, 1 << rng.randrange(16)))
    )


def _vector(rng: random.Random, tame: bool) -> tuple[int, int, int, int]:
    return _word(rng, tame), _word(rng, tame), _word(rng, tame), _word(rng, tame)


def _descriptor(rng: random.Random) -> int:
    mask = rng.choice((0xF, 0xF, 0xF, 8, 0xE, rng.randrange(16)))
    found = mask
    for shift in (4, 13, 22):
        selector = 0x1B if rng.random() < 0.5 else rng.randrange(256)
        found |= (rng.random() < 0.2) << shift | selector << (shift + 1)
    return found


def _source(rng: random.Random, wide: bool) -> int:
    kind = rng.random()
    if kind < 0.35:
        return rng.randrange(4)
    if kind < 0.75 or not wide:
        return TEMPORARY + rng.randrange(4)
    return FLOAT + rng.choice((0, 1, 2, 3, 50, 95))


def _computing(rng: random.Random) -> int:
    op = rng.choice(_COMPUTING)
    fields: dict[str, int] = {"opcode": op.opcode, "desc": rng.randrange(DESCRIPTORS)}
    wide = WIDE_SOURCE[op.format.name]
    for number in range(1, op.source_count + 1):
        fields[f"src{number}"] = _source(rng, number == wide)
    if op.format.has("dst"):
        fields["dst"] = rng.choice((0, 1, 2, *range(TEMPORARY, TEMPORARY + 4), *range(TEMPORARY, TEMPORARY + 4)))
    if rng.random() < 0.25:
        fields["idx"] = rng.randrange(1, 4)
    if op.base == "cmp":
        fields |= {"cmpx": rng.randrange(8), "cmpy": rng.randrange(8)}
    return _encoded(op, fields)


def _encoded(op: Op, fields: dict[str, int]) -> int:
    return encode(Inst(op, tuple(fields.get(field.name, 0) for field in op.format.fields)))


def _flow(rng: random.Random, name: str, to: int, num: int) -> int:
    op = BY_NAME[name]
    fields = {"opcode": op.opcode, "dst": to, "num": num}
    if op.format.has("condop"):
        fields |= {"condop": rng.randrange(4), "refx": rng.randrange(2), "refy": rng.randrange(2)}
    elif op.format.has("reg"):
        fields["reg"] = rng.randrange(4)
    return _encoded(op, fields)


def _loose(rng: random.Random) -> list[int]:
    """Any flow instruction anywhere, leading anywhere near."""
    size = rng.randrange(4, 20)
    words: list[int] = []
    for address in range(size):
        if rng.random() < 0.65:
            words.append(_computing(rng))
            continue
        name = rng.choice(("break", "breakc", "call", "callc", "callu", "ifu", "ifc", "for", "jmpc", "jmpu", "nop", "end"))
        to = min(size, max(0, address + rng.randrange(-3, 6)))
        words.append(
            _flow(rng, name, to, rng.randrange(4))
            if name not in ("break", "nop", "end")
            else _encoded(BY_NAME[name], {"opcode": BY_NAME[name].opcode})
        )
    return [*words, _encoded(_END, {"opcode": _END.opcode})]


def _structured(rng: random.Random) -> list[int]:
    """Blocks in blocks, and procedures behind END that are called."""
    words: list[int] = []
    calls: list[int] = []

    def body(depth: int, looped: bool) -> None:
        for _ in range(rng.randrange(1, 4)):
            kind = rng.random()
            if depth and kind < 0.2:
                branch(depth, looped)
            elif depth and kind < 0.35:
                loop(depth)
            elif kind < 0.42:
                calls.append(len(words))
                words.append(0)
            elif looped and kind < 0.5:
                words.append(_flow(rng, "breakc", 0, 0))
            words.append(_computing(rng))

    def branch(depth: int, looped: bool) -> None:
        at = len(words)
        words.append(0)
        body(depth - 1, looped)
        other = len(words)
        if rng.random() < 0.6:
            body(depth - 1, looped)
        words[at] = _flow(rng, rng.choice(("ifc", "ifc", "ifu")), other, len(words) - other)

    def loop(depth: int) -> None:
        at = len(words)
        words.append(0)
        body(depth - 1, True)
        words[at] = _flow(rng, "for", len(words) - 1, 0)

    body(3, False)
    words.append(_encoded(_END, {"opcode": _END.opcode}))
    if calls:
        start = len(words)
        body_size = rng.randrange(1, 4)
        words.extend(_computing(rng) for _ in range(body_size))
        for at in calls:
            words[at] = _flow(rng, rng.choice(("call", "callc", "callu")), start, body_size)
    return words


def compare(one: Case, level: str = "native", make: type[Runner] = Runner) -> Difference | str | None:
    """Run a case on both engines: where they differ, or nothing. A text is the reason why the program is not compiled.

    `make` makes what runs it: another kind of Runner may watch its kernels.
    """
    runner = make(one.words, one.descriptors, 0, one.profile, level)
    inputs, uniforms = _data(one)
    choice, made = runner.choose(LLVM, uniforms.booleans, inputs.lanes)
    if made is None:
        return choice.reason
    found = runner.run(inputs, uniforms, (), range(16), BUDGET, engine=LLVM)
    wanted = runner.run(inputs, uniforms, (), range(16), BUDGET, engine=REFERENCE)
    for register in range(16):
        key = f"o{register}"
        for what, theirs, ours in (
            ("", wanted.words[key], found.words[key]),
            (" written", wanted.written[key], found.written[key]),
        ):
            if not np.array_equal(theirs, ours):
                lane = int(np.nonzero((theirs != ours).any(axis=1))[0][0])
                return Difference(f"{key}{what} of lane {lane}", _shown(theirs[lane]), _shown(ours[lane]))
    if wanted.faults != found.faults:
        return Difference("faults", str(wanted.faults[:2]), str(found.faults[:2]))
    return None


def _shown(row: np.ndarray[tuple[int], np.dtype[np.uint32]]) -> str:
    return " ".join(f"{int(value):06X}" for value in row)


def _data(one: Case) -> tuple[Inputs, Uniforms]:
    lanes = len(one.inputs[0])
    columns = {
        register: Column(np.array(rows, np.uint32), raw=True, profile=one.profile) for register, rows in enumerate(one.inputs)
    }
    from lanewise.sem.numerics import number_rule

    rule = number_rule(one.profile)
    floats = tuple(_four([rule.from_float24(word) for word in vector]) for vector in one.floats)
    return Inputs(Columns(columns, lanes), lanes), Uniforms(floats, one.integers, one.booleans, frozenset())


def _four(values: Sequence[int]) -> tuple[int, int, int, int]:
    x, y, z, w = values
    return x, y, z, w


def minimised(one: Case, level: str = "native", make: type[Runner] = Runner) -> Case:
    """A smaller case that still differs: fewer lanes, instructions turned into NOP, plainer uniforms."""

    def differs(candidate: Case) -> bool:
        return isinstance(compare(candidate, level, make), Difference)

    for lane in range(len(one.inputs[0])):
        candidate = one._replace(inputs=tuple((rows[lane],) for rows in one.inputs))
        if differs(candidate):
            one = candidate
            break
    nop = _encoded(_NOP, {"opcode": _NOP.opcode})
    for address in range(len(one.words)):
        if one.words[address] != nop:
            candidate = one._replace(words=(*one.words[:address], nop, *one.words[address + 1 :]))
            if differs(candidate):
                one = candidate
    for register in range(96):
        if any(one.floats[register]):
            candidate = one._replace(floats=(*one.floats[:register], (0, 0, 0, 0), *one.floats[register + 1 :]))
            if differs(candidate):
                one = candidate
    for name in one.profile.differences():
        candidate = one._replace(profile=one.profile.replace(**{name: CHOICES[name].default}))
        if differs(candidate):
            one = candidate
    return one
