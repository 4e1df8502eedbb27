"""Mutation of SPIR-V modules by their instructions: a word with a count and an operation, then ids and literals."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from fuzz.mutation import LARGEST, WORDS, Seed, edits, mutate_bytes

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    Instruction = list[int]  # the word with the operation, then operands
    Edit = Callable[[random.Random, list[Instruction], Sequence[Instruction]], None]

_HEADER = 5  # words: magic, version, generator, bound, schema
_BOUND = 3
_OPERATION = 0xFFFF
_LONGEST = 0xFFFF  # words of an instruction
# Operations whose operands are types, constants and decorations: few in a module, and what all others depend on.
_DECLARING = frozenset([5, 11, 14, 15, 16, 17, *range(19, 34), *range(41, 53), 54, 55, 59, 71, 72])
_FLOATS = (0x80000000, 0x00000001, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x4F000000)


def mutate_spirv(rng: random.Random, seed: Seed, seeds: Sequence[Seed]) -> bytes:
    """A module with a few instructions edited, the header and all lengths right; one in four is edited as bytes."""
    header, found = instructions(seed.data)
    if not found or rng.random() < 0.25:
        return mutate_bytes(rng, seed, seeds)
    other = instructions(rng.choice(seeds).data)[1]
    for _ in range(edits(rng)):
        rng.choice(_EDITS)(rng, found, other)
        found = [row[:_LONGEST] for row in found] or [[1]]
    if rng.random() < 0.95:
        header[_BOUND] = min(max(header[_BOUND], 1 + _largest_id(found, header[_BOUND])), 1 << 22)
    else:
        header[rng.randrange(1, _HEADER)] = rng.choice(WORDS)
    words = [*header]
    for row in found:
        words += [row[0] & _OPERATION | len(row) << 16, *row[1:]]
    if rng.random() < 0.03:  # a count that is wrong
        at = rng.randrange(_HEADER, len(words))
        words[at] = words[at] & _OPERATION | rng.randrange(5) << 16
    return struct.pack(f"<{len(words)}I", *[word & 0xFFFFFFFF for word in words])[:LARGEST]


def instructions(data: bytes) -> tuple[list[int], list[Instruction]]:
    """The words of the header, and the instructions up to the first whose length is wrong."""
    words = list(struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4]))
    at, found = _HEADER, list[list[int]]()
    while at < len(words) and 0 < (count := words[at] >> 16) <= len(words) - at:
        found.append([words[at] & _OPERATION, *words[at + 1 : at + count]])
        at += count
    return words[:_HEADER], found


def _largest_id(found: Sequence[Instruction], bound: int) -> int:
    """The largest operand that is an id or may well be one."""
    return max((word for row in found for word in row[1:3] if word < bound + 1000), default=0)


def _ids(found: Sequence[Instruction]) -> list[int]:
    """Words where most operations have their type or their result."""
    return [word for row in found for word in row[1:3]] or [1]


def _one(rng: random.Random, found: Sequence[Instruction]) -> Instruction:
    """An instruction with operands, in half of all cases one that declares something."""
    rows = [row for row in found if len(row) > 1 and (row[0] in _DECLARING) == (rng.random() < 0.5)]
    return rng.choice(rows) if rows else rng.choice(found)


def _operand(rng: random.Random, found: list[Instruction], other: Sequence[Instruction]) -> None:
    """Another id, or another literal."""
    row = _one(rng, found)
    if len(row) > 1:
        at = rng.randrange(1, len(row))
        row[at] = (
            rng.choice(
                [
                    rng.choice(_ids(found)),
                    rng.choice(_ids(found)),
                    row[rng.randrange(1, len(row))],
                    row[at] + rng.choice([-1, 1]),
                    row[at] ^ 1 << rng.randrange(32),
                    rng.randrange(64),
                    rng.choice(WORDS),
                    rng.choice(_FLOATS),
                ]
            )
            & 0xFFFFFFFF
        )


def _same_place(rng: random.Random, found: list[Instruction], other: Sequence[Instruction]) -> None:
    """An operand that another instruction with the same operation has in this place: of the right kind."""
    row = _one(rng, found)
    alike = [each for each in (*found, *other) if each[0] == row[0] and len(each) > 1]
    if alike and len(row) > 1:
        lent = rng.choice(alike)
        at = rng.randrange(1, min(len(row), len(lent)))
        row[at] = lent[at]


def _swapped_ids(rng: random.Random, found: list[Instruction], other: Sequence[Instruction]) -> None:
    """Two ids, in one instruction, from one on, or in the whole module."""
    one, two = rng.choice(_ids(found)), rng.choice(_ids(found))
    changed = {one: two, two: one}
    at = rng.randrange(len(found))
    for row in rng.choice([found[at : at + 1], found[at:], found]):
        row[1:] = [changed.get(word, word) for word in row[1:]]


def _operation(rng: random.Random, found: list[Instruction], other: Sequence[Instruction]) -> None:
    row = rng.choice(found)
    lent = [rng.choice(found)[0], rng.choice(other or found)[0]]
    row[0] = rng.choice([row[0] - 1, row[0] + 1, *lent, rng.randrange(400)]) & _OPERATION


def _length(rng: random.Random, found: list[Instruction], other: Sequence[Instruction]) -> None:
    """Operands more or fewer."""
    row = rng.choice(found)
    how = rng.randrange(3)
    if how == 0:
        del row[max(1, len(row) - rng.choice([1, 1, 2, len(row)])) :]
    elif how == 1:
        row += [rng.choice(_ids(found)) for _ in range(rng.choice([1, 1, 2, 100]))]
    else:
        row += row[1:]


def _order(rng: random.Random, found: list[Instruction], other: Sequence[Instruction]) -> None:
    """Drop, repeat, move or swap instructions, or take some from another module."""
    at, to = rng.randrange(len(found)), rng.randrange(len(found) + 1)
    length = rng.choice([1, 1, 1, 2, 5, 30])
    how = rng.randrange(6)
    if how == 0:
        del found[at : at + length]
    elif how == 1:
        found[to:to] = [[*row] for row in found[at : at + length]]
    elif how == 2:
        part = found[at : at + length]
        del found[at : at + length]
        found[to:to] = part
    elif how == 3:
        to = rng.randrange(len(found))
        found[at], found[to] = found[to], found[at]
    elif how == 4:
        start = rng.randrange(len(other)) if other else 0
        found[to:to] = [[*row] for row in other[start : start + length]]
    else:
        found[at:at] = [[*found[at]] for _ in range(rng.choice([2, 40]))]


_EDITS: tuple[Edit, ...] = (
    _operand,
    _operand,
    _operand,
    _same_place,
    _same_place,
    _swapped_ids,
    _operation,
    _length,
    _order,
    _order,
)

__all__ = ["instructions", "mutate_spirv"]
