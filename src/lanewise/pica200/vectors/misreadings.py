"""Mistakes of shader units that read a part of a job in another way, as jobs that a right one would answer the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.numbers.floats import float24_from_float, float32_bits

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.vectors.model import Job, Lanes, Vector

_SHIFTS = (4, 13, 22)  # of the sign of each operand in a descriptor, which its selectors follow
_MASK, _SELECTORS, _OPERAND = 0xF, 0xFF, 0x1FF
_FLOAT24 = 0xFFFFFF
_NAMES = ("first", "second")


def _described(change: Callable[[int], int]) -> Callable[[Job], Job]:
    return lambda job: job._replace(descriptors=tuple([change(word) for word in job.descriptors]))


def _mirrored_mask(word: int) -> int:
    return word & ~_MASK | sum(8 >> n for n in range(4) if word >> n & 1)


def _mirrored_selectors(word: int) -> int:
    found = word
    for shift in _SHIFTS:
        selectors = word >> shift + 1 & _SELECTORS
        turned = sum((selectors >> 2 * n & 3) << 6 - 2 * n for n in range(4))
        found = found & ~(_SELECTORS << shift + 1) | turned << shift + 1
    return found


def _first_selectors(word: int) -> int:
    """The word with the selectors and the sign of the first operand for the others."""
    first = word >> _SHIFTS[0] & _OPERAND
    return word & _MASK | sum(first << shift for shift in _SHIFTS)


def _off(operand: int, by: int) -> Callable[[int], int]:
    """Reads the sign and the selectors of an operand so many bits off."""
    shift = _SHIFTS[operand]
    return lambda word: word & ~(_OPERAND << shift) | (word >> shift + by & _OPERAND) << shift


def _without_signs(word: int) -> int:
    return word & ~sum(1 << shift for shift in _SHIFTS)


def _without_selectors(word: int) -> int:
    found = word
    for shift in _SHIFTS:
        found = found & ~(_SELECTORS << shift + 1) | 0x1B << shift + 1
    return found


def _reversed(row: Vector) -> Vector:
    return row[3], row[2], row[1], row[0]


def _turned(lanes: Lanes) -> Lanes:
    return tuple([_reversed(row) for row in lanes])


def _converted(job: Job) -> Job:
    """The job with the words of inputs and uniforms as integers that are converted to its number format."""
    words = [word for rows in (*job.inputs.values(), tuple(job.floats.values())) for row in rows for word in row]
    number = float32_bits if max(words, default=0) > _FLOAT24 else float24_from_float

    def row(words: Vector) -> Vector:
        return number(words[0]), number(words[1]), number(words[2]), number(words[3])

    return job._replace(
        inputs={register: tuple(map(row, lanes)) for register, lanes in job.inputs.items()},
        floats={register: row(words) for register, words in job.floats.items()},
    )


FAST = "float32 arithmetic does so where it is compiled with -ffast-math (GCC, Clang), /fp:fast or -Ofast, or where FTZ is set"
HINTS = {"subnormal_arithmetic=flush": FAST, "subnormal_mov=flush": FAST}
_FLUSHED = ("subnormal_arithmetic=flush", "subnormal_mov=flush")
_ALL_FLUSHED = (*_FLUSHED, "subnormal_floor=flush", "subnormal_min=flush", "subnormal_set=flush", "subnormal_litp=flush")
_CLEAR = "clear FTZ and DAZ (FZ on ARM) while shaders run, and build without -ffast-math and -Ofast; or compare with --set "
# What units do, with the fix, and the answers of a profile with which lanewise does so.
HABITS = {
    f"subnormal results are 0{which}: {_CLEAR}{','.join(settings)}": settings
    for which, settings in (
        ("", _FLUSHED),
        (", of mov and all others", _ALL_FLUSHED),
        (", and -0 is +0", (*_FLUSHED, "negative_zero=unseen")),
        (", of mov and all others, and -0 is +0", (*_ALL_FLUSHED, "negative_zero=unseen")),
    )
}
# What is wrong and the fix, with a job whose right outcome is the wrong one of the job.
MISREADINGS: dict[str, Callable[[Job], Job]] = {
    "write masks of operand descriptors are read from the other end: bit 3 is x, bit 0 is w": _described(_mirrored_mask),
    "selectors of operand descriptors are read from the other end: that of x is in the highest two bits": _described(
        _mirrored_selectors
    ),
    "write masks are not applied: write the components whose bit 3 (x) to 0 (w) of the descriptor is set": _described(
        lambda word: word | _MASK
    ),
    "selectors are not applied: each operand has its own in bits 5 to 12, 14 to 21 and 23 to 30 of the descriptor": _described(
        _without_selectors
    ),
    "the first operand's selectors and sign are applied to all: those of the second begin at bit 13, of the third at bit 22": (
        _described(_first_selectors)
    ),
    **{
        f"sign and selectors of the {name} operand are read one bit off, from bit {_SHIFTS[operand] + by} of the descriptor: "
        f"they begin at bit {_SHIFTS[operand]}": _described(_off(operand, by))
        for operand, name in enumerate(_NAMES)
        for by in (1, -1)
    },
    "signs of operands are not applied: they are bits 4, 13 and 22 of the descriptor": _described(_without_signs),
    "inputs are read from w on: rows of a job are x y z w": lambda job: job._replace(
        inputs={register: _turned(lanes) for register, lanes in job.inputs.items()}
    ),
    "uniforms are read from w on: rows of a job are x y z w": lambda job: job._replace(
        floats={register: _reversed(row) for register, row in job.floats.items()}
    ),
    "uniforms are one register off: c0 is register 32 of an operand": lambda job: job._replace(
        floats={register - 1: row for register, row in job.floats.items()}
    ),
    "uniforms are one register off, to the other side: c0 is register 32 of an operand": lambda job: job._replace(
        floats={register + 1: row for register, row in job.floats.items()}
    ),
    "uniforms are 16 registers off: c0 is register 32 of an operand, 16 only in the table of an SHBIN": lambda job: (
        job._replace(floats={register - 16: row for register, row in job.floats.items() if register >= 16})
    ),
    "words of inputs and uniforms are converted as integers: copy their bits, memcpy or std::bit_cast<float>": _converted,
    "inputs have the values of lane 0 in all lanes: each lane has its row": lambda job: job._replace(
        inputs={register: lanes[:1] * len(lanes) for register, lanes in job.inputs.items()}
    ),
    "all uniforms are 0: copy `floats` of the job to the registers": lambda job: job._replace(floats={}),
    "all inputs are 0: copy `inputs` of the job to the registers": lambda job: job._replace(
        inputs={register: ((0, 0, 0, 0),) * len(lanes) for register, lanes in job.inputs.items()}
    ),
    "booleans are inverted: bit 0 of the job's word is b0, 1 is true": lambda job: job._replace(
        booleans=~job.booleans & 0xFFFF
    ),
    "booleans are read from the other end: bit 0 of the job's word is b0": lambda job: job._replace(
        booleans=sum(1 << 15 - n for n in range(16) if job.booleans >> n & 1)
    ),
    "programs start at word 0: start at the entry of the job": lambda job: job._replace(entry=0),
}
