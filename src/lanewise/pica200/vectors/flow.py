"""Cases about control flow: every instruction in every condition, nesting, full rings, ends that coincide, odd jumps.

`Path` marks where a program has been: each mark turns the components of r0 and adds a uniform of its own, in whole numbers that are exact in every
format, so the number and the order of marks show and rounding does not.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

from lanewise.pica200.engine.random_programs import flow_words
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import EMIT, IDENTITY, NOP, TARGET_MAX
from lanewise.pica200.vectors.building import INDEXED_LOOP, C, Code, R, descriptor
from lanewise.pica200.vectors.draft import (
    EMPTY_LOOP,
    ENDLESS_PROGRAM,
    FULL_RING,
    LEAVES,
    MANY_WORDS,
    NO_DESCRIPTOR,
    UNDOCUMENTED,
    Draft,
)
from lanewise.pica200.vectors.running import FLAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lanewise.core.vectors.model import Vector
    from lanewise.pica200.vectors.data import Numbers

MARKS = 7
_FACTOR = C + 20
_TURNED = 0x6C  # yzwx
_UNKNOWN = (0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1C, 0x1D, 0x1E, 0x1F)


def _uniforms_of(word: int) -> list[int]:
    inst = decode(word)
    names = ("src1", "src2", "src3")[: inst.op.source_count]
    return [inst.field(name) for name in names if inst.field(name) >= C]


class Path(Code):
    """A program whose path shows in o0."""

    def __init__(self, numbers: Numbers) -> None:
        super().__init__()
        self.numbers = numbers
        self.marks = 0
        self.mov(R + 1, _FACTOR)

    def flags(self) -> None:
        """cmp.x is true, cmp.y is false."""
        self.add("cmp", src1=_FACTOR, src2=R + 1, cmpx=0, cmpy=1)

    def mark(self) -> int:
        """A step that shows."""
        self.marks = self.marks % MARKS + 1
        return self.add("add", descriptor(selectors=(IDENTITY, _TURNED)), dst=R, src1=C + self.marks, src2=R)

    def finish(self) -> None:
        self.mov(0, R)
        self.end()

    def draft(
        self,
        name: str,
        ops: tuple[str, ...],
        shows: str,
        *hazards: str,
        integers: Mapping[int, Vector] | None = None,
        booleans: int = 0,
    ) -> Draft:
        job = self.job({}, self.uniforms(), integers, booleans)
        job = job._replace(state=tuple([number for number in job.state if number >= FLAGS]))
        return Draft(name, "flow", ops, shows, job, hazards)

    def uniforms(self) -> dict[int, Vector]:
        read = {row - C for word in self.words for row in _uniforms_of(word)}
        if any(inst.op.format.has("idx") and inst.field("idx") for inst in map(decode, self.words)):
            read |= {*range(1, MARKS + 1)}
        found = {n: self.numbers.vector(n, n * n, 10 - n, 1) for n in range(1, MARKS + 1) if n in read}
        return found | {_FACTOR - C: self.numbers.vector(3, 1, 2, 5)}

    # Blocks: the instruction first, its end when its body is there.

    def open(self, name: str, *, taken: bool = True, register: int = 0) -> int:
        """An IF, LOOP or CALL; conditions hold if `taken`, with the flags of `flags` and booleans of register 1 set."""
        if name == "for":
            return self.add("for", reg=register)
        if name in ("ifu", "callu", "jmpu"):
            return self.add(name, reg=1 if taken else 2)
        if name in ("ifc", "callc", "jmpc", "breakc"):
            return self.add(name, condop=2, refx=int(taken))
        return self.add(name)

    def close(self, at: int, *, num: int = 0) -> None:
        """The block that begins at `at` ends here."""
        if decode(self.words[at]).op.name == "for":
            self.patch(at, dst=self.here - 1)
        else:
            self.patch(at, dst=self.here, num=num)


BOOLEANS = 0b10  # b1 is set


def flow(numbers: Numbers, seed: int, *, full: bool) -> Iterator[Draft]:
    for part in (
        _conditions,
        _booleans,
        _branches,
        _nesting,
        _returns,
        _lost_returns,
        _loops,
        _ends,
        _last_words,
        _jumps,
        _to_zero,
        _breaks,
        _stops,
    ):
        yield from part(numbers)
    yield from _random_flow(numbers, seed, 4000 if full else 400)


def _conditions(numbers: Numbers) -> Iterator[Draft]:
    """Every test of the flags with all values of the flags, a lane for each."""
    rows = tuple([numbers.vector(x, y, 0, 0) for x in (0, 1) for y in (0, 1)])
    for name, combine, x, y in product(("ifc", "jmpc", "callc", "breakc"), range(4), (0, 1), (0, 1)):
        path = Path(numbers)
        path.mov(R + 2, C + 30)
        path.add("cmp", src1=0, src2=R + 2, cmpx=0, cmpy=0)
        loop = path.open("for") if name == "breakc" else -1
        at = path.add(name, condop=combine, refx=x, refy=y)
        path.mark()
        path.mark()
        if name == "callc":
            path.patch(at, dst=path.here + 2, num=2)
        elif name != "breakc":
            path.close(at)
        path.mark()
        if loop >= 0:
            path.close(loop)
        path.finish()
        if name == "callc":  # the procedure after the end
            path.words = [*path.words[: path.here - 2], *path.words[path.here - 2 :]]
            path.mark()
            path.mark()
            path.patch(at, dst=path.here - 2, num=2)
        floats = path.uniforms() | {30: numbers.vector(0, 0, 0, 0)}
        job = path.job({0: rows}, floats, {0: (1, 0, 0, 0)})
        yield Draft(
            f"{name}/test-{combine}{x}{y}",
            "flow",
            (name,),
            f"test {('or', 'and', 'x', 'y')[combine]}, references {x} and {y}",
            job,
        )


def _booleans(numbers: Numbers) -> Iterator[Draft]:
    """Every boolean uniform in both values; NUM bit 0 of JMPU."""
    for name, register in product(("ifu", "callu", "jmpu"), range(16)):
        for booleans in (1 << register, 0xFFFF ^ 1 << register) if register in (0, 7, 8, 15) else (1 << register,):
            for num in (0, 1) if name == "jmpu" and register in (0, 7, 15) else (0,):
                path = Path(numbers)
                at = path.add(name, reg=register)
                path.mark()
                path.mark()
                path.close(at, num=num)
                path.mark()
                path.finish()
                if name == "callu":
                    path.mark()
                    path.patch(at, dst=path.here - 1, num=1)
                state = "set" if booleans == 1 << register else "clear"
                yield path.draft(
                    f"{name}/b{register}-{state}{num}", (name,), f"b{register} {state}, NUM {num}", booleans=booleans
                )


def _branches(numbers: Numbers) -> Iterator[Draft]:
    """IF with and without ELSE, of all lengths that count."""
    for name, taken, then, other in product(("ifc", "ifu"), (True, False), (1, 2), (0, 1, 2)):
        path = Path(numbers)
        path.flags()
        at = path.open(name, taken=taken)
        for _ in range(then):
            path.mark()
        path.close(at, num=other)
        for _ in range(other):
            path.mark()
        path.mark()
        path.finish()
        yield path.draft(
            f"{name}/branch-{taken:d}{then}{other}",
            (name,),
            f"true part of {then} words, false part of {other}",
            booleans=BOOLEANS,
        )
    for name in ("ifc", "ifu"):  # a true part without a word
        for taken in (True, False):
            path = Path(numbers)
            path.flags()
            at = path.open(name, taken=taken)
            path.close(at, num=1)
            path.mark()
            path.mark()
            path.finish()
            yield path.draft(f"{name}/empty-{taken:d}", (name,), "a true part without words", booleans=BOOLEANS)


def _nesting(numbers: Numbers) -> Iterator[Draft]:
    """Blocks in each other up to and past the depth of their ring."""
    for name, depth, gap in product(("ifc", "ifu", "for"), range(2, 12), (0, 1)):
        if name == "for" and depth > 6:
            continue
        path = Path(numbers)
        path.flags()
        opened: list[int] = []
        for level in range(depth):
            opened.append(path.open(name, register=level % 4))
            path.mark()
        for at in reversed(opened):
            path.mark() if gap or path.here == at + 1 else None
            other = int(gap and name != "for")
            path.close(at, num=other)
            if other:
                path.mark()
        path.mark()
        path.finish()
        full = depth > (4 if name == "for" else 8)
        shows = f"{depth} nested, {'ends apart' if gap else 'one end'}" + (", more than the ring holds" if full else "")
        integers = {n: (1, 2 * n, n + 1, 0) for n in range(4)}
        yield path.draft(
            f"{name}/nested-{depth}-{gap}",
            (name,),
            shows,
            *([FULL_RING] if full else []),
            integers=integers,
            booleans=BOOLEANS,
        )
    for name, depth, tail in product(("call", "callc", "callu"), range(2, 8), (0, 1)):
        yield _calls(numbers, name, depth, tail)


def _calls(numbers: Numbers, name: str, depth: int, tail: int) -> Draft:
    """Procedures that call the next; with `tail` a word follows each call, else all return at one address."""
    path = Path(numbers)
    path.flags()
    calls = [path.open(name)]
    path.mark()
    path.finish()
    for level in range(depth):
        start = path.here
        path.mark()
        if level + 1 < depth:
            calls.append(path.open(name))
        if tail or level + 1 == depth:
            path.mark()
        path.patch(calls[level], dst=start, num=path.here - start)
    shows = f"{depth} procedures deep, " + ("a word after each call" if tail else "each call is the last word of its procedure")
    return path.draft(f"{name}/deep-{depth}-{tail}", (name,), shows, *([FULL_RING] if depth > 4 else []), booleans=BOOLEANS)


def _returns(numbers: Numbers) -> Iterator[Draft]:
    """Calls whose returns come together: `depth` ends at one address."""
    for depth in range(2, 7):
        path = Path(numbers)
        calls = [path.open("call")]
        path.mark()
        path.finish()
        starts: list[int] = []
        for level in range(depth):
            starts.append(path.here)
            path.mark()
            if level + 1 < depth:
                calls.append(path.open("call"))
        end = path.here
        path.mark()
        path.finish()
        for at, start in zip(calls, starts, strict=True):  # all procedures end at one address
            path.patch(at, dst=start, num=end - start)
        shows = f"{depth} procedures that end at one address"
        yield path.draft(f"call/together-{depth}", ("call",), shows, *([FULL_RING] if depth > 4 else []))
    for num in (0, 1, 255):
        path = Path(numbers)
        at = path.open("call")
        path.mark()
        path.mark()
        path.finish()
        path.patch(at, dst=path.here, num=num)
        path.mark()
        path.mark()
        path.finish()
        yield path.draft(f"call/size-{num}", ("call",), f"a procedure of {num} words")
    path = Path(numbers)  # the end of the procedure is the word after the call
    path.mark()
    at = path.open("call")
    path.mark()
    path.finish()
    path.patch(at, dst=at - 1, num=1)
    yield path.draft("call/backwards", ("call",), "a procedure before its call")
    path = Path(numbers)
    at = path.open("call")
    path.mark()
    path.finish()
    path.patch(at, dst=at + 1, num=1)
    yield path.draft("call/next", ("call",), "a procedure that is the next word")


def _lost_returns(numbers: Numbers) -> Iterator[Draft]:
    """Returns in a row, whose CALL slots are gone afterwards: the first procedure runs once more, over its end, without a call."""
    for depth in (3, 4, 5):
        path = Path(numbers)
        path.flags()
        calls = [path.open("call")]
        path.mark()
        path.finish()
        starts: list[int] = []
        for level in range(depth):
            starts.append(path.here)
            path.mark()
            if level + 1 < depth:
                calls.append(path.open("callc" if level == 0 else "call"))
        for level, at in enumerate(calls):
            path.patch(at, dst=starts[level], num=(starts[level + 1] if level + 1 < depth else path.here) - starts[level])
        path.mark()
        over = path.add("jmpc", condop=2, refx=0)
        path.add("cmp", src1=_FACTOR, src2=R + 1, cmpx=1, cmpy=1)
        path.add("jmpc", condop=2, refx=0, dst=starts[0])
        path.patch(over, dst=path.mark())
        path.finish()
        shows = f"{depth} returns in a row, then the first procedure once more, without a call"
        yield path.draft(f"call/lost-{depth}", ("call", "callc"), shows, *([FULL_RING] if depth > 4 else []))


def _loops(numbers: Numbers) -> Iterator[Draft]:
    """Counts, registers, what aL is after a loop, an end before the beginning."""
    for count, start, step in ((0, 0, 0), (1, 3, 5), (2, 1, 1), (5, 0, 7), (20, 2, 3), (255, 0, 1)):
        path = Path(numbers)
        at = path.open("for", register=3)
        path.add("add", dst=R, src1=C + 1, src2=R)
        path.close(at)
        path.mov(1, C + 1, idx=INDEXED_LOOP)
        path.finish()
        yield path.draft(
            f"for/count-{count}-{start}-{step}",
            ("for",),
            f"{count + 1} iterations of one word",
            integers={3: (count, start, step, 7)},
        )
    for register in range(16):
        path = Path(numbers)
        at = path.open("for", register=register)
        path.mark()
        path.close(at)
        path.finish()
        integers = {n: (n, n, 1, 0) for n in range(4)}
        yield path.draft(f"for/i{register}", ("for",), f"integer register field {register}", integers=integers)
    for inner, outer in product(((0, 4, 1, 0), (1, 2, 3, 0)), ((1, 1, 2, 0), (2, 0, 1, 0))):
        for where in range(3):
            path = Path(numbers)
            one = path.open("for", register=0)
            path.mark()
            two = path.open("for", register=1)
            path.add("add", dst=R, src1=C + 1, src2=R, idx=INDEXED_LOOP)
            path.add("nop")
            path.close(two)
            if where:
                path.add("add", dst=R, src1=C + 2, src2=R, idx=INDEXED_LOOP)
            if where > 1:
                three = path.open("for", register=2)
                path.mark()
                path.close(three)
            path.add("nop")
            path.close(one)
            path.mov(1, C + 1, idx=INDEXED_LOOP)
            path.finish()
            integers = {0: outer, 1: inner, 2: (1, 3, 1, 0)}
            yield path.draft(f"for/al-{inner[0]}{outer[0]}{where}", ("for",), "aL in and after nested loops", integers=integers)
    for back in (0, 1, 2):
        path = Path(numbers)
        path.mark()
        path.mark()
        at = path.open("for")
        path.mark()
        path.finish()
        path.patch(at, dst=at - back)
        yield path.draft(f"for/back-{back}", ("for",), "DST is not after the loop", integers={0: (1, 0, 1, 0)})


def _ends(numbers: Numbers) -> Iterator[Draft]:
    """Blocks that end together, two and three of any kind."""
    kinds = ("ifc", "for", "call")
    for shape in (*product(kinds, repeat=2), *product(kinds, repeat=3)):
        for other in (0, 1):
            path = Path(numbers)
            path.flags()
            opened: list[tuple[str, int]] = []
            for level, name in enumerate(shape):
                opened.append((name, path.open(name, register=level)))
                if name == "call":  # the procedure is what follows; its return is here once more
                    path.patch(opened[-1][1], dst=path.here)
                path.mark()
            path.mark()
            for name, at in opened:
                if name == "call":
                    path.patch(at, num=path.here - at - 1)
                else:
                    path.close(at, num=other if name == "ifc" else 0)
            path.mark()
            path.mark()
            path.finish()
            shows = f"{', '.join(shape)} that end at one address" + (", with an else part" if other else "")
            integers = dict.fromkeys(range(4), (1, 0, 1, 0))
            yield path.draft(f"ends/{'-'.join(shape)}-{other}", tuple(dict.fromkeys(shape)), shows, integers=integers)


def _last_words(numbers: Numbers) -> Iterator[Draft]:
    """Flow instructions as the last word of a block."""
    last = ("jmpc", "jmpu", "call", "callc", "breakc", "ifc", "ifu", "for", "nop", "break")
    for outer, name, taken in product(("ifc", "for", "call"), last, (True, False)):
        if name in ("call", "for", "nop", "break") and not taken:
            continue
        path = Path(numbers)
        path.flags()
        around = path.open("for", register=1) if name in ("breakc", "break") and outer != "for" else -1
        path.mark()
        at = path.open(outer, register=2)
        if outer == "call":
            path.patch(at, dst=path.here)
        path.mark()
        inner = path.open(name, taken=taken, register=3)
        if outer == "call":
            path.patch(at, num=path.here - at - 1)
        else:
            path.close(at)
        path.mark()
        path.mark()
        if decode(path.words[inner]).op.format.has("dst"):
            path.patch(inner, dst=path.here - 1, num=1 if name in ("call", "callc", "ifc", "ifu") else 0)
        path.mark()
        if around >= 0:
            path.add("nop")
            path.close(around)
        path.finish()
        shows = f"{name}, {'taken' if taken else 'not taken'}, as the last word of {outer}"
        integers = dict.fromkeys(range(4), (1, 0, 1, 0))
        yield path.draft(f"last/{outer}-{name}-{taken:d}", (outer, name), shows, integers=integers, booleans=BOOLEANS)


def _jumps(numbers: Numbers) -> Iterator[Draft]:
    """Jumps into, out of and to the ends of blocks."""
    for outer, name, place in product(("ifc", "for", "call"), ("jmpc", "jmpu"), ("out", "end", "inside", "into", "back")):
        path = Path(numbers)
        path.flags()
        before = path.open(name) if place == "into" else -1
        at = path.open(outer, register=1)
        if outer == "call":
            path.patch(at, dst=path.here)
        start = path.mark()
        within = path.open(name, taken=place != "back") if before < 0 else path.mark()
        path.mark()
        last = path.mark()
        if outer == "call":
            path.patch(at, num=path.here - at - 1)
        else:
            path.close(at)
        end = path.here
        path.mark()
        path.mark()
        path.finish()
        targets = {"out": end + 1, "end": end, "inside": last, "into": last - 1, "back": start}
        path.patch(before if before >= 0 else within, dst=targets[place])
        shows = f"{name} {place} of {outer}" if place == "out" else f"{name}: {place}, {outer}"
        yield path.draft(f"jump/{outer}-{name}-{place}", (name, outer), shows, integers={1: (2, 0, 1, 0)}, booleans=BOOLEANS)


def _to_zero(numbers: Numbers) -> Iterator[Draft]:
    """Every instruction that goes to another address, with the first word as its goal."""
    for name in ("jmpc", "jmpu", "ifc", "ifu", "call", "callc", "callu"):
        path = Path(numbers)
        path.mark()
        again = path.open("jmpc")
        path.flags()
        at = path.open(name, taken=name not in ("ifc", "ifu"))  # a condition that does not hold leads past the true part
        path.patch(at, dst=0, **({"num": 99} if "call" in name else {}))
        path.mark()
        path.patch(again, dst=path.mark())
        path.finish()
        yield path.draft(f"jump/zero-{name}", (name,), f"{name} to word 0", booleans=BOOLEANS)


def _breaks(numbers: Numbers) -> Iterator[Draft]:
    """BREAK and BREAKC in loops, in IF and CALL inside of loops, and without a loop."""
    for name, inside, gap in product(("break", "breakc"), ("", "ifc", "call", "for"), (0, 1)):
        path = Path(numbers)
        path.flags()
        outer = path.open("for", register=0)
        path.mark()
        loop = path.open("for", register=1)
        path.mark()
        block = path.open(inside, register=2) if inside else -1
        if inside == "call":
            path.patch(block, dst=path.here)
        path.mark() if inside else None
        path.open(name)
        path.mark()
        if inside == "call":
            path.patch(block, num=path.here - block - 1)
        elif inside:
            path.close(block)
        if gap:
            path.mark()
        path.close(loop)
        path.add("add", dst=R, src1=C + 2, src2=R, idx=INDEXED_LOOP)
        path.add("nop")
        path.close(outer)
        path.mov(1, C + 2, idx=INDEXED_LOOP)
        path.finish()
        shows = f"{name} in a loop" + (f", inside {inside}" if inside else "")
        integers = {0: (1, 1, 1, 0), 1: (2, 2, 1, 0), 2: (1, 3, 1, 0)}
        yield path.draft(f"{name}/in-{inside or 'loop'}-{gap}", (name, *([inside] if inside else [])), shows, integers=integers)
    for name, taken in (("break", True), ("breakc", True), ("breakc", False)):
        path = Path(numbers)
        path.flags()
        path.mark()
        path.open(name, taken=taken)
        path.mark()
        path.finish()
        yield path.draft(f"{name}/empty-{taken:d}", (name,), "without a loop", *([EMPTY_LOOP] if taken else []))
    for name in ("break", "breakc"):  # a word that ends an IF and a CALL as it leaves the loop
        path = Path(numbers)
        path.flags()
        loop = path.open("for")
        block = path.open("ifc")
        path.mark()
        path.open(name)
        path.close(block, num=1)
        path.mark()
        path.mark()
        path.close(loop)
        path.mark()
        path.finish()
        yield path.draft(
            f"{name}/last-of-ifc", (name, "ifc"), "the last word of a true part in a loop", integers={0: (2, 0, 1, 0)}
        )


def _stops(numbers: Numbers) -> Iterator[Draft]:
    """END inside of blocks, programs without END, unknown words, words past the memory of a vertex shader, endless programs, the entry."""
    for outer in ("ifc", "for", "call"):
        path = Path(numbers)
        path.flags()
        at = path.open(outer)
        if outer == "call":
            path.patch(at, dst=path.here, num=3)
        path.mark()
        path.mov(0, R)
        path.end()
        path.mark() if outer != "call" else None
        path.close(at) if outer != "call" else None
        path.mark()
        path.finish()
        yield path.draft(f"end/in-{outer}", ("end", outer), f"end inside {outer}", integers={0: (1, 0, 1, 0)})
    for opcode in _UNKNOWN:
        path = Path(numbers)
        path.mark()
        path.unknown(opcode)
        path.mark()
        path.finish()
        yield path.draft(f"unknown/{opcode:02x}", (".word",), f"opcode {opcode:#x}", UNDOCUMENTED)
    makers: tuple[tuple[str, Callable[[Path], None]], ...] = (
        ("falls", lambda path: None),
        ("jumps", lambda path: path.patch(path.open("jmpc"), dst=path.here + 1)),
    )
    for name, make in makers:
        path = Path(numbers)
        path.flags()
        path.mark()
        path.mov(0, R)
        make(path)
        yield path.draft(f"past-end/{name}", (".word",), "no word follows, and no end was reached", LEAVES)
    path = Path(numbers)  # where the first word is next, the second time reaches the end
    path.words.clear()
    path.mark()
    path.mov(R + 1, _FACTOR)
    at = path.open("ifc")
    path.mark()
    path.finish()
    path.close(at)
    path.flags()
    yield path.draft(
        "past-end/again",
        (".word",),
        "no word follows but the first, which leads to the end",
        LEAVES,
    )
    path = Path(numbers)
    path.flags()
    at = path.mark()
    path.patch(path.open("jmpc"), dst=at)
    path.finish()
    yield path.draft("endless/jump", ("jmpc",), "a jump back that is always taken", ENDLESS_PROGRAM)
    path = Path(numbers)
    at = path.open("for")
    path.mark()
    path.patch(at, dst=at)
    path.finish()
    yield path.draft("for/ends-at-itself", ("for",), "DST is the loop instruction", integers={0: (2, 0, 1, 0)})
    for count in (510, 512, 513, 520):
        path = Path(numbers)
        path.mark()
        while path.here < count - 3:
            path.add("nop")
        path.mark()
        path.finish()
        yield path.draft(f"size/{count}", ("nop",), f"a program of {count} words", *([MANY_WORDS] if count > 512 else []))
    path = Path(numbers)
    path.words.clear()
    path.mov(0, C + 1)
    path.end()
    path.mov(0, C + 2)
    path.end()
    yield Draft("entry/2", "flow", ("end",), "the program begins at word 2", path.job({}, path.uniforms(), entry=2))
    path = Path(numbers)
    path.add("mov", src1=C + 1, dst=0)
    path.words[-1] |= 0x7F  # a descriptor that the table does not have
    path.end()
    yield path.draft("descriptor/missing", ("mov",), "the descriptor is not in the table", NO_DESCRIPTOR)


def _random_flow(numbers: Numbers, seed: int, count: int) -> Iterator[Draft]:
    """Random programs of flow instructions, whose path shows; those that spend their budget are left out by the suite."""
    for number in range(count):
        rng = Random(f"flow {seed} {number}")
        path = Path(numbers)
        path.flags()
        lead = path.here
        kinds = flow_words(rng)
        for word in kinds:
            inst = decode(word)
            if inst.op.name == "cmp":
                path.add("cmp", src1=C + rng.randrange(1, 8), src2=R, cmpx=rng.randrange(8), cmpy=rng.randrange(8))
            elif inst.op.source_count and inst.field("idx") == INDEXED_LOOP:
                path.add("add", dst=R, src1=C + 1, src2=R, idx=INDEXED_LOOP)
            elif inst.op.source_count or inst.op.kind in (NOP, EMIT):
                path.mark()
            else:
                path.words.append(word)
                if inst.op.format.has("dst"):
                    path.patch(path.here - 1, dst=min(inst.field("dst") + lead, TARGET_MAX))
        path.finish()
        integers = {n: (rng.choice((0, 1, 1, 2)), rng.randrange(4), rng.randrange(3), 0) for n in range(4)}
        names = sorted({decode(word).op.name for word in kinds if not decode(word).op.source_count} - {"nop", "end"})
        yield path.draft(f"random-flow/{number}", tuple(names), "random flow", integers=integers, booleans=rng.getrandbits(16))
