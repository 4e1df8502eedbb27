"""Direct3D 9 shaders for tests: the corpus of texts and words, and token streams of any kind."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from lanewise.isa.direct3d9 import OPS, VERSIONS

SHARED = Path(__file__).resolve().parents[2] / "shared"
CORPUS = SHARED / "conformance" / "direct3d9.json"
needs_corpus = pytest.mark.skipif(not CORPUS.exists(), reason="the folder ../shared is not there")


@cache
def rows() -> tuple[dict[str, Any], ...]:
    """The corpus: texts of our own with the words or the refusal of Wine's assembler. Empty where it is not there."""
    if not CORPUS.exists():
        return ()
    return tuple(json.loads(CORPUS.read_text(encoding="utf-8"))["rows"])


def words_of(row: dict[str, Any]) -> list[int]:
    return [int(word, 16) for word in row["words"]]


def _instruction(opcode: int, control: int, length: int, flags: int) -> int:
    return opcode | control << 16 | length << 24 | flags << 28


def _operand(file: int, number: int, middle: int, relative: int) -> int:
    return 1 << 31 | (file & 7) << 28 | (file >> 3) << 11 | number | middle << 16 | relative << 13


def _comment(length: int) -> int:
    return 0xFFFE | length << 16


def _stream(version: int, body: list[int]) -> list[int]:
    return [version, *body]


_operands = st.builds(_operand, st.integers(0, 19), st.integers(0, 16), st.integers(0, 0xFFF), st.sampled_from([0, 0, 0, 1]))
tokens = st.one_of(
    st.builds(
        _instruction, st.sampled_from([op.opcode for op in OPS]), st.integers(0, 7), st.integers(0, 6),
        st.sampled_from([0, 0, 0, 1, 4]),
    ),
    _operands,
    _operands,
    st.builds(_comment, st.integers(0, 5)),
    st.integers(0, 0xFFFFFFFF),
    st.just(0xFFFF),
)  # fmt: skip
streams = st.builds(_stream, st.sampled_from([version.token for version in VERSIONS]), st.lists(tokens, max_size=40))
