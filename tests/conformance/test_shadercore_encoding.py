"""The words that the public tools' tests and the hardware's programs have for their texts."""

from __future__ import annotations

from typing import Any

from lanewise.shadercore.isa.table import NULL_FILE
from lanewise.shadercore.text.printer import line_of
from lanewise.shadercore.text.reader import read_source_text
from shadercore_cases import needs_vectors, program_vectors, single_vectors, words_of
from together import together

ENCODINGS = [vector for vector in single_vectors() if vector["op"] == "encode"]
PROGRAMS = program_vectors()


def assembled(text: str) -> tuple[int, ...]:
    result = read_source_text(text, "x.sc")
    assert result.program is not None, result.diagnostics
    return result.program.words


@needs_vectors
def test_there_are_vectors():
    assert len(ENCODINGS) == 41
    assert len(PROGRAMS) == 50


@together("vector", ENCODINGS, ids=lambda vector: vector["inputs"])
def test_encodings(vector: dict[str, Any]):
    assert assembled(vector["inputs"]) == (int(vector["expected"], 16),)


@together("vector", PROGRAMS, ids=lambda vector: vector["name"])
def test_programs(vector: dict[str, Any]):
    """Their texts are read as they stand, and as this printer writes their words. Theirs leave out the number of a NULL."""
    words = words_of(vector)
    found = assembled("\n".join(vector["asm"]))
    assert found == tuple(word & ~0x700 if word >> 6 & 3 == NULL_FILE else word for word in words)
    assert assembled("\n".join(map(line_of, words))) == words
