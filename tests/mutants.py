"""Mutants of PICA200 programs: one change of a word, an operand descriptor or a constant, or now and then two."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.isa.codec import Inst, decode, encode
from lanewise.pica200.isa.table import BY_NAME, F0, OPS, TEMPORARY, Descriptor
from lanewise.pica200.sem.instruction import computes

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from lanewise.pica200.proof.code import Code

_NOP = BY_NAME["nop"].match[1]
_UNIFORMS = 0x20  # the number of c0 as a source
_PLAIN = ("add", "mul", "dp3", "dp4", "max", "min", "mov", "rcp", "rsq", "ex2", "lg2", "flr", "slt", "sge")


class Mutant(NamedTuple):
    """A changed program, and how it was changed."""

    kind: str
    code: Code


def _computing(rng: random.Random, code: Code) -> int | None:
    found = [n for n, word in enumerate(code.words) if computes(decode(word))]
    return rng.choice(found) if found else None


def _with(code: Code, changes: dict[int, int]) -> Code:
    words = list(code.words)
    for address, word in changes.items():
        words[address] = word
    return code._replace(words=tuple(words))


def _arithmetic(rng: random.Random, code: Code) -> Code | None:
    """Another instruction of the same format."""
    at = _computing(rng, code)
    if at is None:
        return None
    inst = decode(code.words[at])
    alike = [
        op
        for op in OPS
        if op.format.name == inst.op.format.name and op.name != inst.op.name and op.operands == inst.op.operands
    ]
    return (
        _with(code, {at: encode(Inst(rng.choice(alike), inst.values).replace(opcode=rng.choice(alike).opcode))})
        if alike
        else None
    )


def _operand(rng: random.Random, code: Code) -> Code | None:
    """Another register, or two sources exchanged."""
    at = _computing(rng, code)
    if at is None:
        return None
    inst = decode(code.words[at])
    fields = [name for name in ("dst", "src1", "src2", "src3") if inst.has(name)]
    if "src2" in fields and rng.random() < 0.3:
        one, other = inst.field("src1"), inst.field("src2")
        if one < 32 and other < 32:
            return _with(code, {at: encode(inst.replace(src1=other, src2=one))})
    name = rng.choice(fields)
    other = [decode(word).field(name) for word in code.words if decode(word).has(name) and computes(decode(word))]
    value = rng.choice([*other, TEMPORARY + rng.randrange(16)])
    return _with(code, {at: encode(inst.replace(**{name: value}))}) if value < 1 << inst.op.format.field(name).width else None


def _renamed(rng: random.Random, code: Code) -> Code | None:
    """A temporary under another name in a stretch of words: often equal."""
    old, new = TEMPORARY + rng.randrange(16), TEMPORARY + rng.randrange(16)
    first, last = sorted((rng.randrange(len(code.words)), rng.randrange(len(code.words))))
    if rng.random() < 0.5:
        first, last = 0, len(code.words) - 1
    changes: dict[int, int] = {}
    for at in range(first, last + 1):
        inst = decode(code.words[at])
        if computes(inst):
            found = {name: new for name in ("dst", "src1", "src2", "src3") if inst.has(name) and inst.field(name) == old}
            if found:
                changes[at] = encode(inst.replace(**found))
    return _with(code, changes) if changes else None


def _described(rng: random.Random, code: Code, changed: Callable[[int], int]) -> Code | None:
    """Another operand descriptor for a word."""
    at = _computing(rng, code)
    if at is None:
        return None
    inst = decode(code.words[at])
    number = inst.field("desc")
    if number >= len(code.descriptors):
        return None
    return _redescribed(code, at, changed(code.descriptors[number]))


def _redescribed(code: Code, at: int, descriptor: int) -> Code | None:
    """A word with this operand descriptor, in the place of its own where the table is full."""
    inst = decode(code.words[at])
    number = inst.field("desc")
    table = [*code.descriptors]
    if descriptor in table and table.index(descriptor) < 1 << inst.op.format.field("desc").width:
        number = table.index(descriptor)
    elif len(table) < 1 << inst.op.format.field("desc").width:
        number = len(table)
        table.append(descriptor)
    else:
        table[number] = descriptor
    return _with(code._replace(descriptors=tuple(table)), {at: encode(inst.replace(desc=number))})


def _modifier(rng: random.Random, code: Code) -> Code | None:
    """A sign or a selector."""
    source = rng.randrange(3)

    def changed(descriptor: int) -> int:
        if rng.random() < 0.4:
            return descriptor ^ Descriptor.NEGATE[source].mask
        return descriptor ^ (rng.randrange(1, 4) << Descriptor.SELECTOR[source].low + 2 * rng.randrange(4))

    return _described(rng, code, changed)


def _mask(rng: random.Random, code: Code) -> Code | None:
    return _described(rng, code, lambda descriptor: descriptor ^ 1 << rng.randrange(4))


def _relative(rng: random.Random, code: Code) -> Code | None:
    at = _computing(rng, code)
    if at is None:
        return None
    inst = decode(code.words[at])
    indexed = [n for n, word in enumerate(code.words) if computes(decode(word)) and decode(word).field("idx")]
    if indexed and rng.random() < 0.7:
        at = rng.choice(indexed)
        inst = decode(code.words[at])
    return _with(code, {at: encode(inst.replace(idx=rng.randrange(4)))})


def _constant(rng: random.Random, code: Code) -> Code | None:
    """Another value of a constant, or another constant in its place."""
    if not code.constants:
        return None
    constants = dict(code.constants)
    register = rng.choice(sorted(constants))
    values = list(constants[register])
    n = rng.randrange(len(values))
    if len(values) == 4 and register < 0x80:
        values[n] = rng.choice((0, 0x3F0000, 0x3E0000, values[n] ^ 1, values[n] ^ 0x800000, 0x7F8000))
    else:
        values[n] ^= 1
    constants[register] = tuple(values)
    return code._replace(constants=constants)


def _flow(rng: random.Random, code: Code) -> Code | None:
    """A field of a flow instruction."""
    found = [n for n, word in enumerate(code.words) if not computes(decode(word)) and decode(word).op.format is not F0]
    if not found:
        return None
    at = rng.choice(found)
    inst = decode(code.words[at])
    fields = [field for field in inst.op.format.fields if field.name not in ("opcode", "unused")]
    field = rng.choice(fields)
    value = inst.field(field.name)
    value = value + rng.choice((-1, 1)) if field.width > 4 else rng.randrange(1 << field.width)
    return _with(code, {at: encode(inst.replace(**{field.name: value}))}) if 0 <= value < 1 << field.width else None


def _question(rng: random.Random, code: Code) -> Code | None:
    """A block that is entered for the other answer, with another opcode or another condition."""
    found = [n for n, word in enumerate(code.words) if decode(word).has("condop") or decode(word).has("reg")]
    if not found:
        return None
    at = rng.choice(found)
    inst = decode(code.words[at])
    alike = [op for op in OPS if op.format.name == inst.op.format.name and op.name != inst.op.name]
    return _with(code, {at: encode(inst.replace(opcode=rng.choice(alike).opcode))}) if alike else None


def _deleted(rng: random.Random, code: Code) -> Code | None:
    return _with(code, {rng.randrange(len(code.words)): _NOP})


def _swapped(rng: random.Random, code: Code) -> Code | None:
    """Two words that follow each other, exchanged."""
    if len(code.words) < 2:
        return None
    at = rng.randrange(len(code.words) - 1)
    return _with(code, {at: code.words[at + 1], at + 1: code.words[at]})


def _copied(rng: random.Random, code: Code) -> Code | None:
    """A word in the place of another."""
    return _with(code, {rng.randrange(len(code.words)): rng.choice(code.words)})


def _removed(rng: random.Random, code: Code) -> Code | None:
    """A word taken out, with all targets behind it moved; so that blocks have other places."""
    gone = rng.randrange(len(code.words))
    words: list[int] = []
    for at, old in enumerate(code.words):
        if at == gone:
            continue
        word, inst = old, decode(old)
        if not computes(inst) and inst.has("dst"):
            to, num = inst.field("dst"), inst.field("num")
            end = to + num
            moved = to - (to > gone)
            if inst.op.kind != "jump":
                num = max(end - (end > gone) - moved, 0)
            inst = inst.replace(dst=moved, num=num)
            word = encode(inst)
        words.append(word)
    entry = code.entry - (code.entry > gone)
    return code._replace(words=tuple(words), entry=entry) if words else None


def _inserted(rng: random.Random, code: Code) -> Code | None:
    """A NOP, or a copy of a word, put in with all targets behind it moved."""
    place = rng.randrange(len(code.words) + 1)
    return _with_word(code, place, _NOP if rng.random() < 0.5 else rng.choice(code.words))


def _with_word(code: Code, place: int, extra: int) -> Code | None:
    words: list[int] = []
    for at, old in enumerate((*code.words, -1)):
        if at == place:
            words.append(extra)
        if old < 0:
            continue
        word, inst = old, decode(old)
        if not computes(inst) and inst.has("dst"):
            to, num = inst.field("dst"), inst.field("num")
            end = to + num
            moved = to + (to > place)
            if inst.op.kind != "jump":
                num = end + (end > place) - moved
            if moved >= 1 << inst.op.format.field("dst").width or num >= 1 << inst.op.format.field("num").width:
                return None
            word = encode(inst.replace(dst=moved, num=num))
        words.append(word)
    return code._replace(words=tuple(words), entry=code.entry + (code.entry > place))


MUTATIONS: dict[str, Callable[[random.Random, Code], Code | None]] = {
    "arithmetic": _arithmetic,
    "operand": _operand,
    "renamed": _renamed,
    "modifier": _modifier,
    "mask": _mask,
    "relative": _relative,
    "constant": _constant,
    "flow": _flow,
    "question": _question,
    "deleted": _deleted,
    "swapped": _swapped,
    "copied": _copied,
    "removed": _removed,
    "inserted": _inserted,
}


def mutant(rng: random.Random, code: Code) -> Mutant:
    """A program with one or, now and then, two changes."""
    while True:
        kind = rng.choice([*MUTATIONS])
        found = MUTATIONS[kind](rng, code)
        if found is not None and rng.random() < 0.15:
            found = MUTATIONS[rng.choice([*MUTATIONS])](rng, found) or found
        if found is not None and found != code:
            return Mutant(kind, found)


# Mutations that change nothing a vertex shows, where registers begin with zeros

_COMMUTING = ("add", "mul", "dp3", "dp4")


def _exchanged(rng: random.Random, code: Code) -> Code | None:
    """The sources of a sum or product in the other order."""
    found = [
        (at, inst)
        for at, inst in enumerate(map(decode, code.words))
        if inst.op.name in _COMMUTING
        and not inst.field("idx")
        and max(inst.field("src1"), inst.field("src2")) < _UNIFORMS
        and inst.field("desc") < len(code.descriptors)
    ]
    if not found:
        return None
    at, inst = rng.choice(found)
    own = descriptor = code.descriptors[inst.field("desc")]
    for fields in (Descriptor.NEGATE, Descriptor.SELECTOR):
        one, other = fields[0], fields[1]
        first, second = (own & one.mask) >> one.low, (own & other.mask) >> other.low
        descriptor = descriptor & ~one.mask & ~other.mask | second << one.low | first << other.low
    changed = _with(code, {at: encode(inst.replace(src1=inst.field("src2"), src2=inst.field("src1")))})
    return _redescribed(changed, at, descriptor)


def _everywhere(rng: random.Random, code: Code) -> Code | None:
    """Two temporaries with each other's numbers."""
    one, other = (TEMPORARY + n for n in rng.sample(range(16), 2))
    names = {one: other, other: one}
    changes: dict[int, int] = {}
    for at, inst in enumerate(map(decode, code.words)):
        if computes(inst):
            fields = {name: inst.field(name) for name in ("dst", "src1", "src2", "src3") if inst.has(name)}
            changes[at] = encode(inst.replace(**{name: names.get(value, value) for name, value in fields.items()}))
    return _with(code, changes)


def _reordered(rng: random.Random, code: Code) -> Code | None:
    """Two words without a part in each other, exchanged; no flow leads between them."""
    insts = [*map(decode, code.words)]
    targets = {code.entry}
    for inst in insts:
        if not computes(inst) and inst.has("dst"):
            targets |= {inst.field("dst"), inst.field("dst") + inst.field("num")}
    plain = [inst.op.name in _PLAIN and not (inst.has("idx") and inst.field("idx")) for inst in insts]
    found = [
        at
        for at in range(len(insts) - 1)
        if plain[at] and plain[at + 1] and at + 1 not in targets and _apart(insts[at], insts[at + 1])
    ]
    at = rng.choice(found) if found else -1
    return _with(code, {at: code.words[at + 1], at + 1: code.words[at]}) if found else None


def _apart(one: Inst, other: Inst) -> bool:
    """Whether neither instruction writes a register that the other reads or writes."""
    return all(
        a.field("dst") != b.field("dst")
        and a.field("dst")
        not in [b.field(name) for name in ("src1", "src2", "src3") if b.has(name) and a.field("dst") >= TEMPORARY]
        for a, b in ((one, other), (other, one))
    )


def _padded(rng: random.Random, code: Code) -> Code | None:
    """A NOP between two words that compute."""
    insts = [*map(decode, code.words)]
    found = [at for at in range(1, len(insts)) if computes(insts[at - 1]) and computes(insts[at])]
    return _with_word(code, rng.choice(found), _NOP) if found else None


REWRITTEN: dict[str, Callable[[random.Random, Code], Code | None]] = {
    "exchanged": _exchanged,
    "renamed everywhere": _everywhere,
    "reordered": _reordered,
    "padded": _padded,
}


def rewritten(rng: random.Random, code: Code) -> Mutant | None:
    """A program that is written otherwise; None where it has nothing for the rewriting that was drawn."""
    kind = rng.choice([*REWRITTEN])
    found = REWRITTEN[kind](rng, code)
    return None if found is None or found == code else Mutant(kind, found)
