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
    return Inst(rng.choice(OPS), dest, source(), source())


def random_words(rng: random.Random, count: int) -> tuple[int, ...]:
    return tuple(encode(random_inst(rng)) for _ in range(count))
