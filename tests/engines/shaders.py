"""Words of PICA200 programs made by hand, for tests of engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, Unpack

from engines.both import check_lane
from lanewise.core.numbers.floats import float24_from_float
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.isa.codec import Inst, encode
from lanewise.pica200.isa.table import BY_NAME, IDENTITY, Descriptor
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.engine.reference import Lane, Machine
    from lanewise.pica200.sem.profile import Profile

Words = tuple[int, int, int, int]

ALWAYS = 0  # number of the boolean that `run` sets unless told otherwise
ZEROS: Words = (0, 0, 0, 0)


def word(name: str, **fields: int) -> int:
    """The word of an instruction; fields not given are 0."""
    op = BY_NAME[name]
    return encode(Inst(op, (0,) * len(op.format.fields)).replace(opcode=op.opcode, **fields))


def descriptor(
    mask: int = 0xF,
    *,
    selectors: Sequence[int] = (IDENTITY, IDENTITY, IDENTITY),
    negate: Sequence[bool] = (False, False, False),
) -> int:
    """An operand descriptor."""
    value = Descriptor.MASK.insert(mask)
    for field, selector in zip(Descriptor.SELECTOR, selectors, strict=True):
        value |= field.insert(selector)
    for field, bit in zip(Descriptor.NEGATE, negate, strict=True):
        value |= field.insert(bit)
    return value


PLAIN = descriptor()


def vector(*values: float) -> Words:
    """Float24 words of up to four numbers; the rest are 0."""
    x, y, z, w = (*map(float24_from_float, values), *[0] * (4 - len(values)))
    return x, y, z, w


def splat(value: int) -> Words:
    """One float24 word four times."""
    return value, value, value, value


class Setting(TypedDict, total=False):
    """What a program runs with; uniforms not given are 0, `booleans` are the numbers of those that are set."""

    descriptors: Sequence[int]
    inputs: Mapping[int, Words]
    floats: Mapping[int, Words]
    integers: Mapping[int, Words]
    booleans: Sequence[int]
    entry: int
    budget: int
    profile: Profile


def run(words: Sequence[int], **setting: Unpack[Setting]) -> Lane:
    """Run a program, on both engines."""
    return stopped(words, **setting).lane()


def stopped(words: Sequence[int], **setting: Unpack[Setting]) -> Machine:
    """`run`, and the machine as it stopped."""
    uniforms = [ZEROS] * 96
    for number, value in setting.get("floats", {}).items():
        uniforms[number] = value
    loops = [ZEROS] * 4
    for number, value in setting.get("integers", {}).items():
        loops[number] = value
    booleans = [number in setting.get("booleans", (ALWAYS,)) for number in range(16)]
    return on_both(
        words,
        setting.get("descriptors", (PLAIN,)),
        setting.get("entry", 0),
        (setting.get("inputs", {}), uniforms, loops, booleans),
        profile=setting.get("profile", HARDWARE),
        budget=setting.get("budget", 10_000),
    )


def on_both(
    words: Sequence[int],
    descriptors: Sequence[int],
    entry: int,
    data: tuple[Mapping[int, Words], Sequence[Words], Sequence[Words], Sequence[bool]],
    *,
    profile: Profile = HARDWARE,
    budget: int = 1_000_000,
) -> Machine:
    """The machine of the reference engine as it stopped; the compiled engine has given the same. `data` as `Reference.run`
    takes it."""
    machine = Reference(words, descriptors, entry, profile=profile, budget=budget).start(*data)
    machine.run()
    check_lane(machine.lane(), words, descriptors, entry, *data, profile=profile, budget=budget)
    return machine


def finish(
    words: Sequence[int],
    *,
    integers: Mapping[int, Words] | None = None,
    booleans: Sequence[int] = (ALWAYS,),
    entry: int = 0,
    budget: int = 1000,
    profile: Profile = HARDWARE,
) -> tuple[list[int], Machine]:
    """Run a program that is about flow alone: the addresses in the order they ran, and the machine as it stopped."""
    loops = [(integers or {}).get(number, ZEROS) for number in range(4)]
    flags = [number in booleans for number in range(16)]
    nothing: dict[int, Words] = {}
    data = nothing, [ZEROS] * 96, loops, flags
    machine = Reference(words, (PLAIN,), entry, profile=profile, budget=budget).start(*data)
    path: list[int] = []
    while not machine.finished:
        path.append(machine.step().pc)
    check_lane(machine.lane(), words, (PLAIN,), entry, *data, profile=profile, budget=budget)
    return path, machine


def program(size: int, words: Mapping[int, int]) -> list[int]:
    """`size` words: those given, NOP elsewhere, END last."""
    return [words.get(address, word("nop")) for address in range(size - 1)] + [word("end")]
