"""Whatever a ShaderCore program is, its text gives the same words and header; whatever a text is, reading it does not fail."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from effort import examples
from lanewise.core.diagnostics import has_errors
from lanewise.shadercore.isa.program import Constant, Program
from lanewise.shadercore.text.printer import line_of, number_text, print_program
from lanewise.shadercore.text.reader import float_bits, read_source_text
from shadercore_cases import random_words

WORD = st.integers(0, (1 << 64) - 1)
BYTES8 = st.lists(st.integers(0, 255), min_size=8, max_size=8).map(tuple)
FLOAT_BITS = st.lists(st.integers(0, 0xFFFFFFFF), min_size=4, max_size=4).map(tuple)
PROGRAMS = st.builds(
    Program,
    st.lists(WORD, min_size=1, max_size=8).map(tuple),
    BYTES8,
    BYTES8,
    st.integers(0, 0xFFFFFFFF),
    WORD,
    st.dictionaries(st.integers(0, 255), FLOAT_BITS, max_size=3).map(
        lambda rows: tuple(Constant(number, rows[number]) for number in sorted(rows))
    ),
    st.just(()),
    st.just(()),
)


def read(text: str) -> Program:
    result = read_source_text(text, "x.sc")
    assert result.program is not None, result.diagnostics
    return result.program


@given(PROGRAMS)
@examples(200)
def test_any_program_prints_and_parses(program: Program):
    assert read(print_program(program))._replace(places=(), declared=()) == program


def test_random_programs_need_no_words():
    """Programs of instructions that sources say come back from text that has no `.word`."""
    rng = random.Random(64)
    for _ in range(100):
        words = random_words(rng, rng.randrange(1, 40))
        text = print_program(Program(words))
        assert ".word" not in text
        assert read(text).words == words


def test_words_with_one_odd_bit():
    """Each bit of the word set alone, in an instruction with and one without operands."""
    for base in (0, 0x1F, 0x00000001400280C0, 0x0000000284008003):
        words = tuple(base ^ (1 << bit) for bit in range(64))
        assert read("\n".join(map(line_of, words))).words == words


@given(st.integers(0, 0xFFFFFFFF))
def test_numbers_print_and_parse(bits: int):
    assert float_bits(number_text(bits)) == bits


LETTERS = st.sampled_from([
    "mov", "add_sat", "r0", "v8", "c255", ".x", ".xyzw", "-", "abs(", ")", "(", ",", " ", "\t", "\n", "1", "-1", "NULL", "_neg", "_", "0x",
    ".const", ".input", ".word", ";", "//", "#", "end", "0.5", "é", "²", "\0", "\r", ".", "position",
])  # fmt: skip


@given(st.one_of(st.lists(LETTERS, max_size=30).map("".join), st.text(max_size=60)))
@examples(300)
def test_any_text_is_read_or_refused(text: str):
    result = read_source_text(text, "x.sc")
    assert (result.program is None) == has_errors(result.diagnostics)
    for finding in result.diagnostics:
        assert finding.message
        assert finding.fix
        assert finding.span.column <= len(finding.span.text) + 1
