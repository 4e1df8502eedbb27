"""The contract of `lanewise fuzz`: random programs by seed and number, compared on its engines and reduced."""

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
    """A program that ran on both engines."""

    number: int
    "Number under its seed, from 0."
    reason: str
    "Why it was not compiled; empty where it was."
    lanes: int
    "Lanes of the run."
    ended: int
    "How many of the lanes reached their end."
    difference: Difference | None
    "Where the engines differ; None where they agree."
    results: bytes = b""
    "Hash of the results of the reference engine."


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
    """Random programs of an instruction set. A seed has any number of them, each with its number."""

    compare: Callable[[int, int, str], Compared]
    "`(seed, number, level)`: run the program on both engines; the level names the vector instructions of the compiled code."
    reduce: Callable[[int, int, str, Origin, Callable[[], None]], Reduced]
    "`(seed, number, level, origin, tick)`: reduce a program that differs; `tick` is called before each attempt."
    written: Callable[[int, int, Difference, Origin], Reduced]
    "`(seed, number, difference, origin)`: the whole program, for one that took its process with it."
    budget: int
    "Steps that a lane of such a program may take in the command that runs it again."
    done: str = "compiled"
    "Participle for a program without a `reason`."
