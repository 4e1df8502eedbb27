"""What `lanewise fuzz` asks of an instruction set: random programs by seed and number, compared on its engines and reduced."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable


class Difference(Record):
    """Where the engines differ, both answers, and how many steps a lane could take."""

    where: str
    reference: str
    compiled: str
    budget: int


class Compared(Record):
    """A program that ran on both engines: the `reason` why it was not compiled, its lanes, how many of them ended, where the
    engines differ.

    `results` is a hash of what the reference engine gave.
    """

    number: int
    reason: str
    lanes: int
    ended: int
    difference: Difference | None
    results: bytes = b""


def digest_of(found: Compared) -> int:
    """The part of one program in the digest of many, which is the sum of them modulo 2**128: equal for equal results, in any
    order."""
    from hashlib import blake2b

    text = f"{found.number} {found.lanes} {found.ended} {found.difference.where if found.difference else ''} "
    return int.from_bytes(blake2b(text.encode() + found.results, digest_size=16).digest())


class Reduced(Record):
    """A program that differs, as small as it could be made: a source with its data in comments, and how many machine words it
    has."""

    source: str
    suffix: str
    words: int
    difference: Difference


class Origin(Record):
    """Where a program comes from: the stem of its file and the command that finds it again."""

    stem: str
    command: str


class RandomPrograms(Record):
    """Random programs of an instruction set. A seed has any number of them, each with its number.

    `compare(seed, number, level)` runs one on both engines; `reduce(seed, number, level, origin, tick)` reduces one that
    differs and calls `tick` before each attempt; `written(seed, number, difference, origin)` is the whole program, for one that
    took its process with it. `budget` is how many steps a lane of such a program may take in the command that runs it again.
    `done` is what is said of a program without a reason.
    """

    compare: Callable[[int, int, str], Compared]
    reduce: Callable[[int, int, str, Origin, Callable[[], None]], Reduced]
    written: Callable[[int, int, Difference, Origin], Reduced]
    budget: int
    done: str = "compiled"
