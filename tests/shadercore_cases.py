"""The vectors of the ShaderCore beside the repository, and random words and programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from corpus import SHARED
from lanewise.shadercore.isa.codec import Dest, Inst, Source, encode
from lanewise.shadercore.isa.table import OPS, SOURCE_FILES

if TYPE_CHECKING:
    import random

_VECTORS = SHARED / "vectors"
needs_vectors = pytest.mark.skipif(
    not (_VECTORS / "shadercore.json").is_file(), reason="the vectors (../shared) are not beside the repository"
)


def single_vectors() -> list[dict[str, Any]]:
    """Single operations, encodings and short programs; none where the vectors are absent."""
    path = _VECTORS / "shadercore.json"
    return json.loads(path.read_text()) if path.is_file() else []


def program_vectors() -> list[dict[str, Any]]:
    """Whole programs with issue cycles, the short ones among the single vectors too: `name`, `words`, `asm`, `expected`."""
    path = _VECTORS / "shadercore_programs.json"
    programs: list[dict[str, Any]] = json.loads(path.read_text())["programs"] if path.is_file() else []
    short = [v for v in single_vectors() if v["op"] == "core_program"]
    return programs + [
        {"name": f"short_{n}", "words": v["inputs"]["words"], "asm": v["inputs"]["asm"], "expected": v["expected"]}
        for n, v in enumerate(short)
    ]


def words_of(vector: dict[str, Any]) -> tuple[int, ...]:
    return tuple(int(word, 16) for word in vector["words"])


def random_inst(rng: random.Random) -> Inst:
    """An instruction of the kind that sources say: registers that there are, no bits set that nothing reads."""

    def source() -> Source:
        file = rng.randrange(8)
        name = SOURCE_FILES[file]
        index = rng.randrange(256 if name == "c" else 8 if name in "rvxo" else 1)
        return Source(file, index, rng.randrange(4), rng.randrange(4))

    file = rng.randrange(4)
    dest = Dest(file, rng.randrange(8), rng.randrange(4), rng.randrange(2))
    return Inst(op=rng.choice(OPS), dest=dest, a=source(), b=source())


def random_words(rng: random.Random, count: int) -> tuple[int, ...]:
    return tuple(encode(random_inst(rng)) for _ in range(count))


# Operation, operands and result, run on the FloatALU of the public hardware description under GHDL: the floor of ADD that
# leaves no mantissa, and the clamp of RND_SINT16NE.
MEASURED = (
    ("add", 0x3F800000, 0xBF7FFFFF, 0x34000000),
    ("add", 0xBF7FFFFF, 0x3F800000, 0x34000000),
    ("add", 0xBF800000, 0x3F7FFFFF, 0xB4000000),
    ("add", 0x3F800000, 0xBF800000, 0x00000000),
    ("add", 0x3F800000, 0xBF7FFFFE, 0x34000000),
    ("add", 0x01000000, 0x80FFFFFF, 0x75800000),
    ("add", 0x80FFFFFF, 0x01000000, 0x75800000),
    ("add", 0x81000000, 0x00FFFFFF, 0xF5800000),
    ("add", 0x0B800000, 0x8B7FFFFF, 0x00000000),
    ("add", 0x0C000000, 0x8BFFFFFF, 0x00800000),
    ("add", 0x0C800000, 0x8C7FFFFF, 0x01000000),
    ("add", 0x7F000000, 0xFEFFFFFF, 0x73800000),
    ("add", 0x4B000000, 0xCAFFFFFF, 0x3F800000),
    ("round16", 0x46FFFDFF, 0, 0x7FFF),
    ("round16", 0x46FFFE00, 0, 0x7FFF),
    ("round16", 0x47000000, 0, 0x7FFF),
    ("round16", 0xC6FFFCFF, 0, 0x8002),
    ("round16", 0xC6FFFD00, 0, 0x8001),
    ("round16", 0xC6FFFDFF, 0, 0x8001),
    ("round16", 0xC6FFFE00, 0, 0x7FFF),
    ("round16", 0xC6FFFEFF, 0, 0x7FFF),
    ("round16", 0xC6FFFF00, 0, 0x7FFF),
    ("round16", 0xC6FFFFFF, 0, 0x7FFF),
    ("round16", 0xC7000000, 0, 0x8000),
    ("round16", 0x7F800000, 0, 0x7FFF),
    ("round16", 0xFF800000, 0, 0x8000),
    ("round16", 0xFFC00000, 0, 0x0000),
)
