"""Whatever a ShaderCore program is, its text gives the same words and header; whatever a text is, reading and formatting it
does not fail."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lanewise
from corpus import REPOSITORY
from effort import examples
from lanewise.api.loading import format_source
from lanewise.core.diagnostics import has_errors, text_form
from lanewise.core.record import by_position
from lanewise.shadercore.isa.program import Constant, Program
from lanewise.shadercore.text.comments import split_comment
from lanewise.shadercore.text.pieces import float_bits
from lanewise.shadercore.text.printer import line_of, number_text, print_program
from lanewise.shadercore.text.reader import read_source_text
from shadercore_cases import random_words
from together import together

WORD = st.integers(0, (1 << 64) - 1)
BYTES8 = st.lists(st.integers(0, 255), min_size=8, max_size=8).map(tuple)
FLOAT_BITS = st.lists(st.integers(0, 0xFFFFFFFF), min_size=4, max_size=4).map(tuple)
PROGRAMS = st.builds(
    by_position(Program),
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
@examples(100, 2000)
def test_any_program_prints_and_parses(program: Program):
    assert read(print_program(program))._replace(places=(), declared=()) == program


def test_random_programs_need_no_words():
    """Programs of instructions that sources say come back from text that has no `.word`."""
    rng = random.Random(64)
    for _ in range(100):
        words = random_words(rng, rng.randrange(1, 40))
        text = print_program(Program(words=words))
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


LETTERS = st.sampled_from(
    [
        "mov",
        "add_sat",
        "r0",
        "v8",
        "c255",
        ".x",
        ".xyzw",
        "-",
        "abs(",
        ")",
        "(",
        ",",
        " ",
        "\t",
        "\n",
        "1",
        "-1",
        "NULL",
        "_neg",
        "_",
        "0x",
        ".const",
        ".input",
        ".word",
        ";",
        "//",
        "#",
        "end",
        "0.5",
        "é",
        "²",
        "\0",
        "\r",
        ".",
        "position",
    ]
)


@given(st.one_of(st.lists(LETTERS, max_size=30).map("".join), st.text(max_size=60)))
@examples(150, 3000)
def test_any_text_is_read_or_refused(text: str):
    result = read_source_text(text, "x.sc")
    assert (result.program is None) == has_errors(result.diagnostics)
    for finding in result.diagnostics:
        assert finding.message
        assert finding.fix
        assert finding.span.column <= len(finding.span.text) + 1


# Formatting

SOURCES = sorted(path for folder in ("examples", "tests") for path in (REPOSITORY / folder).rglob("*.sc"))


def comments(text: str) -> list[str]:
    """The comment of each line."""
    return [split_comment(line)[1].strip() for line in text.split("\n")]


def check_format(text: str, indent: int | str = 4) -> None:
    made = format_source("x.sc", text, "shadercore", indent=indent)  # compares the words itself, and raises
    assert format_source("x.sc", made, "shadercore", indent=indent) == made
    if "\0" in text or text_form("x.sc", text):
        assert made == text
        return
    after = [line.rstrip("\r") for line in made.rstrip("\r\n").split("\n")]
    before = [line.rstrip("\r") for line in text.split("\n")]
    while len(before) > 1 and not before[-1].strip():
        before.pop()
    assert [not line.strip() for line in after] == [not line.strip() for line in before]
    assert comments("\n".join(after)) == comments("\n".join(before))


@together("path", SOURCES, ids=lambda path: path.stem)
@together("indent", [4, "tab"])
def test_sources_are_formatted_to_the_same_words(path: Path, indent: int | str):
    check_format(path.read_text(), indent)


def test_the_example_is_formatted():
    text = (REPOSITORY / "examples" / "transform.sc").read_text()
    assert format_source("transform.sc", text) == text


def test_what_formatting_changes():
    text = (
        "  .CONST c0(1,2 ,3,  4) ; k\r\n\t.input  v0\tPOSITION\r\n; lone\r\n\tMOV_SAT r0.x v0.x\r\n\r\n"
        "add r0.xy ,abs( v0.xy ),- c0.x # b\r\n.Word 0x1F // end"
    )
    expected = (
        ".const c0 (1, 2, 3, 4)  ; k\n.input v0 POSITION\n    ; lone\n    mov_sat r0.x, v0.x\n\n"
        "    add r0.xy, abs(v0.xy), -c0.x # b\n    .word 0x1F                   // end\n"
    )
    assert format_source("x.sc", text, "shadercore") == expected.replace("\n", "\r\n")
    assert format_source("x.sc", " add r0.x,v0.x,v0.x\nend", "shadercore", indent="tab") == "\tadd r0.x, v0.x, v0.x\n\tend\n"


def test_instructions_stay_at_the_margin_where_the_first_one_is():
    text = ".input v0 position\nmov   r0.x ,v0.x\n  end ; last\n"
    assert format_source("x.sc", text, "shadercore") == ".input v0 position\nmov r0.x, v0.x\nend   ; last\n"
    program = lanewise.load(REPOSITORY / "examples" / "transform.sc", isa="shadercore")
    assert format_source("x.sc", program.disassemble(), "shadercore") == program.disassemble()


@pytest.mark.parametrize(
    "line", ["mov r0 .x, v0.x", "mov r0.x,, v0.x", ".const c0 (1 2, 3, 4, 5)", "add r0.x ( v0.x", "mov r0.x, v0.x v1.x"]
)
def test_lines_with_errors_keep_their_errors(line: str):
    made = format_source("x.sc", f"{line}\nend\n", "shadercore")
    assert [finding.code for finding in read_source_text(made, "").diagnostics] == [
        finding.code for finding in read_source_text(f"{line}\nend\n", "").diagnostics
    ]


@given(st.one_of(st.lists(LETTERS, max_size=30).map("".join), st.text(max_size=60)), st.sampled_from([4, "tab"]))
@example("\x0b mov\xa0r0.x\x85v0.x ; \u2028 x\n", 4)
@example("mov  r0.x,\t\tabs(  v0.x  )\t; c\n", "tab")
@example("\r\n ; a\r\nend", 4)
@examples(60, 1200)
def test_any_text_is_formatted(text: str, indent: int | str):
    check_format(text, indent)
