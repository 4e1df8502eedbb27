"""Cases about where blocks and programs end: ends that coincide, flow instructions as last words, jumps across ends, breaks,
programs that stop otherwise."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from lanewise.pica200.isa.codec import decode
from lanewise.pica200.vectors.building import INDEXED_LOOP, C, R
from lanewise.pica200.vectors.draft import (
    EMPTY_LOOP,
    ENDLESS_PROGRAM,
    LEAVES,
    MANY_WORDS,
    NO_DESCRIPTOR,
    UNDOCUMENTED,
    Draft,
)
from lanewise.pica200.vectors.path import BOOLEANS, FACTOR, Path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lanewise.pica200.vectors.data import Numbers

_UNKNOWN = (0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1C, 0x1D, 0x1E, 0x1F)


def ends(numbers: Numbers) -> Iterator[Draft]:
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


def last_words(numbers: Numbers) -> Iterator[Draft]:
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


def jumps(numbers: Numbers) -> Iterator[Draft]:
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


def to_zero(numbers: Numbers) -> Iterator[Draft]:
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


def breaks(numbers: Numbers) -> Iterator[Draft]:
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


def stops(numbers: Numbers) -> Iterator[Draft]:
    """END inside of blocks, programs without END, unknown words, words past the memory of a vertex shader, endless programs,
    the entry."""
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
    path.mov(R + 1, FACTOR)
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
    yield Draft(
        name="entry/2",
        group="flow",
        ops=("end",),
        shows="the program begins at word 2",
        job=path.job({}, path.uniforms(), entry=2),
    )
    path = Path(numbers)
    path.add("mov", src1=C + 1, dst=0)
    path.words[-1] |= 0x7F  # a descriptor that the table does not have
    path.end()
    yield path.draft("descriptor/missing", ("mov",), "the descriptor is not in the table", NO_DESCRIPTOR)
