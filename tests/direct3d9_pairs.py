"""Campaign against wrong answers of `lanewise diff` for Direct3D 9: shaders and mutants of them.

    python -m direct3d9_pairs --pairs 20000 --seed 1 --first 0

Each pair that is called equal runs on 2,048 random and boundary lanes by the compiled engine, and on 64 by the reference
engine. Two thirds of the time are compiling and drawing these lanes, and the search for examples of the other pairs: with
`--compiled 0.1 --searches 0` a tenth of the equal pairs is compiled, the others are unknown, and a pair takes a quarter.
Mutants of `REWRITTEN` are equal by how they are made: of these the share that is called equal is printed. Prints each wrong
answer with the number by which it can be made again; exit code 1 if there is any.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.api import equality
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.engine.random_programs import Options, random_case
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.program import Inst, Shader, make_dest, make_inst, make_source
from lanewise.direct3d9.isa.table import BY_NAME
from lanewise.direct3d9.proof.machine import side_of
from lanewise.direct3d9.sem.numbers import rule_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# A verdict besides those of `diff`: unknown because of an instruction that reads lanes which may be elsewhere.
ACROSS = "looks at other lanes"
SEARCHES = 2
RULES = ("ieee", "ieee", "d3d9", "document", "rtl")
_FLOW = (isa.FLOW, isa.MARK, isa.DECLARATION, isa.DEFINITION)
_COMMUTES = frozenset(("add", "mul", "dp3", "dp4"))
_EXCHANGED = (("add", "mul"), ("min", "max"), ("dp3", "dp4"), ("slt", "sge"), ("exp", "log"), ("rcp", "rsq"), ("mov", "frc"))
_OTHER = {name: other for pair in _EXCHANGED for name, other in (pair, pair[::-1])} | {"cmp": "mad", "mad": "lrp", "lrp": "mad"}


def places(shader: Shader) -> list[int]:
    """The items that compute."""
    return [
        n
        for n, item in enumerate(shader.items)
        if isinstance(item, Inst) and item.op.role not in _FLOW and item.dest is not None
    ]


def changed(shader: Shader, at: int, *items: Inst) -> Shader:
    """The shader with other items in place of one."""
    return shader._replace(items=(*shader.items[:at], *items, *shader.items[at + 1 :]))


def at(shader: Shader, place: int) -> Inst:
    inst = shader.items[place]
    assert isinstance(inst, Inst)
    return inst


# Mutations that may change what a shader leaves: each gives None where it has nothing to change


def deleted(shader: Shader, rng: random.Random) -> Shader | None:
    found = places(shader)
    return changed(shader, rng.choice(found)) if found else None


def swapped(shader: Shader, rng: random.Random) -> Shader | None:
    found = [n for n in places(shader) if n + 1 in places(shader)]
    if not found:
        return None
    n = rng.choice(found)
    one, other = at(shader, n), at(shader, n + 1)
    if one.coissue or other.coissue:
        return None
    return shader._replace(items=(*shader.items[:n], other, one, *shader.items[n + 2 :]))


def source(shader: Shader, rng: random.Random) -> Shader | None:
    """Another register, component or sign of a source."""
    found = [n for n in places(shader) if at(shader, n).sources]
    if not found:
        return None
    n = rng.choice(found)
    inst = at(shader, n)
    which = rng.randrange(len(inst.sources))
    one = inst.sources[which]
    if one.file == isa.SAMPLER:
        return None
    word = one.word ^ rng.choice((1, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24))
    sources = (*inst.sources[:which], one._replace(word=word), *inst.sources[which + 1 :])
    return changed(shader, n, inst._replace(sources=sources))


def mask(shader: Shader, rng: random.Random) -> Shader | None:
    n = rng.choice(places(shader))
    inst = at(shader, n)
    assert inst.dest is not None
    word = inst.dest.word ^ 1 << 16 + rng.randrange(4)
    return changed(shader, n, inst._replace(dest=inst.dest._replace(word=word))) if word >> 16 & 0xF else None


def opcode(shader: Shader, rng: random.Random) -> Shader | None:
    found = [n for n in places(shader) if at(shader, n).op.name in _OTHER]
    if not found:
        return None
    n = rng.choice(found)
    inst = at(shader, n)
    op = BY_NAME[_OTHER[inst.op.name]]
    if len(op.sources) != len(inst.sources):
        return None
    return changed(shader, n, inst._replace(op=op, token=inst.token & ~0xFFFF | op.opcode))


def saturated(shader: Shader, rng: random.Random) -> Shader | None:
    n = rng.choice(places(shader))
    inst = at(shader, n)
    assert inst.dest is not None
    return changed(shader, n, inst._replace(dest=inst.dest._replace(word=inst.dest.word ^ isa.SATURATE << 20)))


def constant(shader: Shader, rng: random.Random) -> Shader | None:
    """Another number of a definition."""
    found = [n for n, item in enumerate(shader.items) if isinstance(item, Inst) and item.op.role == isa.DEFINITION]
    if not found:
        return None
    n = rng.choice(found)
    payload = list(at(shader, n).payload)
    payload[rng.randrange(len(payload))] ^= rng.choice((1, 0x80000000, 0x00400000))
    return changed(shader, n, at(shader, n)._replace(payload=tuple(payload)))


def question(shader: Shader, rng: random.Random) -> Shader | None:
    """Another comparison of a branch or predicate."""
    found = [n for n, item in enumerate(shader.items) if isinstance(item, Inst) and item.op.control == isa.COMPARED]
    if not found:
        return None
    n = rng.choice(found)
    inst = at(shader, n)
    return changed(shader, n, inst._replace(token=inst.token ^ 1 << 16 + rng.randrange(3)))


# Mutations that change nothing


def exchanged(shader: Shader, rng: random.Random) -> Shader | None:
    """The sources of a sum or product in the other order."""
    found = [n for n in places(shader) if at(shader, n).op.name in _COMMUTES]
    if not found:
        return None
    n = rng.choice(found)
    inst = at(shader, n)
    return changed(shader, n, inst._replace(sources=inst.sources[::-1]))


def renamed(shader: Shader, rng: random.Random) -> Shader | None:
    """Two temporaries with each other's numbers."""
    if shader.version.kind == isa.PIXEL and shader.version.major < 2:
        return None  # r0 is the output, and stages have numbers
    one, other = rng.sample(range(6), 2)
    names = {one: other, other: one}

    def word(of: int) -> int:
        file = of >> 28 & 7 | of >> 8 & 0x18
        number = of & 0x7FF
        return of & ~0x7FF | names.get(number, number) if file == isa.TEMP else of

    items = [
        item._replace(
            dest=item.dest._replace(word=word(item.dest.word)) if item.dest is not None else None,
            sources=tuple([each._replace(word=word(each.word)) for each in item.sources]),
        )
        if isinstance(item, Inst) and item.op.role not in (isa.DECLARATION, isa.DEFINITION)
        else item
        for item in shader.items
    ]
    return shader._replace(items=tuple(items))


def unneeded(shader: Shader, rng: random.Random) -> Shader | None:
    """A register that nothing else uses is written."""
    if shader.version.major < 2:
        return None
    n = rng.choice(places(shader))
    inst = at(shader, n)
    if inst.coissue:
        return None
    more = make_inst(BY_NAME["mov"], shader.version, make_dest(isa.TEMP, 11), (make_source(isa.TEMP, rng.randrange(6)),))
    return changed(shader, n, more, inst)


def split(shader: Shader, rng: random.Random) -> Shader | None:
    """A mad in two: both round twice."""
    found = [n for n in places(shader) if at(shader, n).op.name == "mad" and shader.version.major >= 2]
    found = [n for n in found if not any(each.is_relative for each in at(shader, n).sources)]
    if not found:
        return None
    n = rng.choice(found)
    inst = at(shader, n)
    dest = make_dest(isa.TEMP, 11)
    product = make_inst(BY_NAME["mul"], shader.version, dest, inst.sources[:2])
    total = make_inst(
        BY_NAME["add"], shader.version, inst.dest, (make_source(isa.TEMP, 11), inst.sources[2]), predicate=inst.predicate
    )
    return changed(shader, n, product, total)


def subtracted(shader: Shader, rng: random.Random) -> Shader | None:
    """a - b as a + (-b)."""
    found = [n for n in places(shader) if at(shader, n).op.name == "sub" and not at(shader, n).sources[1].modifier]
    if not found:
        return None
    n = rng.choice(found)
    inst = at(shader, n)
    op, (a, b) = BY_NAME["add"], inst.sources
    sources = (a, b._replace(word=b.word | isa.NEGATE << 24))
    return changed(shader, n, inst._replace(op=op, token=inst.token & ~0xFFFF | op.opcode, sources=sources))


def _is_whole(inst: Inst) -> bool:
    """Whether an instruction writes a whole register that it does not read."""
    dest = inst.dest
    whole = dest is not None and dest.mask == 0xF and dest.file in (isa.TEMP, isa.OUTPUT)
    return whole and not any(dest is not None and each.file == dest.file for each in inst.sources)


def componentwise(shader: Shader, rng: random.Random) -> Shader | None:
    """An instruction on components in two."""
    names = ("add", "mul", "mov", "min", "max", "mad", "slt", "sge", "cmp")
    found = [n for n in places(shader) if at(shader, n).op.name in names and not at(shader, n).coissue]
    found = [n for n in found if _is_whole(at(shader, n))]
    if not found:
        return None
    n = rng.choice(found)
    inst = at(shader, n)
    assert inst.dest is not None
    low, high = (inst.dest._replace(word=inst.dest.word & ~(0xF << 16) | part << 16) for part in (0x3, 0xC))
    return changed(shader, n, inst._replace(dest=high), inst._replace(dest=low))


CHANGED: tuple[Callable[[Shader, random.Random], Shader | None], ...] = (
    deleted,
    swapped,
    source,
    mask,
    opcode,
    saturated,
    constant,
    question,
)
REWRITTEN: tuple[Callable[[Shader, random.Random], Shader | None], ...] = (
    exchanged,
    renamed,
    unneeded,
    split,
    subtracted,
    componentwise,
)


def pair(seed: int, number: int) -> tuple[str, Shader, Shader] | None:
    """Pair `number`: the kind of mutation, and both shaders; None where the mutation has nothing to change."""
    rng = random.Random(f"{seed} {number}")
    shader = random_case(rng, Options(size=rng.choice((3, 6, 12)))).shader
    mutation = rng.choice((*CHANGED, *REWRITTEN))
    try:
        other = mutation(shader, rng)
    except (IndexError, ValueError):
        return None
    return None if other is None else (mutation.__name__, shader, other)


def judged(number: int, first: Shader, second: Shader, *, compiled: float = 1.0, searches: int = SEARCHES) -> tuple[str, str]:
    """The verdict of `compare`, and what is wrong with it; empty if nothing is. The share `compiled` of the numbers also runs
    compiled."""
    rule = rule_of(RULES[number % len(RULES)])
    try:
        shaders = tuple([Direct3DShader("shader", each) for each in (first, second)])
        found = equality.compare(shaders[0], shaders[1], rule, searches=searches)
        if not found:
            return ACROSS if ACROSS in found.reason else found.verdict, ""
        sides = [side_of(shader.shader, shader.flow) for shader in shaders]
    except InputError:
        return "refused", ""
    search = equality.Search(shaders, sides, rule)
    many = random.Random(number).random() < compiled
    for engine, lanes, count in (("llvm", 512, 4 if many else 0), ("reference", 16, 4)):
        for seed in range(count):
            difference = search.difference(search.drawn(random.Random(seed), seed, lanes), engine)
            if difference is not None:
                return found.verdict, f"{difference}, {engine}, data {seed}, rule {rule.name}"
    return found.verdict, ""


def campaign(
    seed: int, numbers: Sequence[int], *, compiled: float = 1.0, searches: int = SEARCHES
) -> Iterator[tuple[int, str, str, str]]:
    """Number, kind, verdict and what is wrong of each pair."""
    for number in numbers:
        made = pair(seed, number)
        if made is not None:
            kind, first, second = made
            yield number, kind, *judged(number, first, second, compiled=compiled, searches=searches)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--compiled", type=float, default=1.0, help="the share of equal pairs that the compiled engine runs")
    parser.add_argument("--searches", type=int, default=SEARCHES, help="searches for an example where there is no proof")
    options = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    wrong = 0
    numbers = range(options.first, options.first + options.pairs)
    for number, kind, verdict, fault in campaign(options.seed, numbers, compiled=options.compiled, searches=options.searches):
        counts[kind, verdict] += 1
        if fault:
            wrong += 1
            print(f"WRONG: --seed {options.seed} --first {number} --pairs 1: {kind}: {fault}", flush=True)
    for kind in sorted({kind for kind, _ in counts}):
        print(f"{kind:14}" + "  ".join(f"{verdict} {count}" for (of, verdict), count in sorted(counts.items()) if of == kind))
    rewritten = {mutation.__name__ for mutation in REWRITTEN}
    asked = sum(count for (kind, verdict), count in counts.items() if kind in rewritten and verdict != "refused")
    equal = sum(count for (kind, verdict), count in counts.items() if kind in rewritten and verdict == "equal")
    across = sum(count for (kind, verdict), count in counts.items() if kind in rewritten and verdict == ACROSS)
    print(f"{sum(counts.values())} pairs, {wrong} wrong; of {asked} rewritten {equal} equal, {across} {ACROSS}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
