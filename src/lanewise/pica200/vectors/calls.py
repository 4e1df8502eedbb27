"""Cases about calls: how deep, ends that coincide, procedures of odd sizes and places, calls whose slots are lost."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from lanewise.pica200.vectors.building import R
from lanewise.pica200.vectors.draft import FULL_RING, Draft
from lanewise.pica200.vectors.path import BOOLEANS, FACTOR, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.vectors.data import Numbers


def deep(numbers: Numbers) -> Iterator[Draft]:
    """Procedures that call the next, up to and past the depth of the ring."""
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


def _chain(path: Path, names: Sequence[str]) -> tuple[list[int], list[int]]:
    """The program and then procedures, each of which calls the next as its last word: where the calls are, and where the
    procedures start."""
    calls, starts = [path.open(names[0])], list[int]()
    path.mark()
    path.finish()
    for name in (*names[1:], ""):
        starts.append(path.here)
        path.mark()
        if name:
            calls.append(path.open(name))
    return calls, starts


def returns(numbers: Numbers) -> Iterator[Draft]:
    """Calls whose returns come together: `depth` ends at one address."""
    for depth in range(2, 7):
        path = Path(numbers)
        calls, starts = _chain(path, ["call"] * depth)
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


def lost_returns(numbers: Numbers) -> Iterator[Draft]:
    """Returns in a row, whose CALL slots are gone afterwards: the first procedure runs once more, over its end, without a
    call."""
    for depth in (3, 4, 5):
        path = Path(numbers)
        path.flags()
        calls, starts = _chain(path, ["call", "callc", *["call"] * (depth - 2)])
        for level, at in enumerate(calls):
            path.patch(at, dst=starts[level], num=(starts[level + 1] if level + 1 < depth else path.here) - starts[level])
        path.mark()
        over = path.add("jmpc", condop=2, refx=0)
        path.add("cmp", src1=FACTOR, src2=R + 1, cmpx=1, cmpy=1)
        path.add("jmpc", condop=2, refx=0, dst=starts[0])
        path.patch(over, dst=path.mark())
        path.finish()
        shows = f"{depth} returns in a row, then the first procedure once more, without a call"
        yield path.draft(f"call/lost-{depth}", ("call", "callc"), shows, *([FULL_RING] if depth > 4 else []))
