"""Whatever bytes a ShaderCore file has, reading it gives a program that is written back, or findings with offsets or lines;
commands do not fail on it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import examples
from lanewise.core.diagnostics import has_errors
from lanewise.shadercore.container.header import BINARY, FORMS, WORDS, doubts, form_of, read, write_binary, write_words
from lanewise.shadercore.isa.codec import decode
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.isa.timing import time_program
from lanewise.tools import cli

HEADER = st.binary(min_size=28, max_size=28)
WORDS_OF_CODE = st.binary(max_size=64)


@st.composite
def with_header(draw: st.DrawFn) -> bytes:
    return b"VS" + bytes((draw(st.integers(0, 9)), 0)) + draw(HEADER) + draw(WORDS_OF_CODE)


TEXT = st.text("0123456789abcdefABCDEFxX \n\r,{}/*;@ULu#", max_size=80).map(str.encode)
FILES: st.SearchStrategy[bytes] = st.one_of(st.binary(max_size=80), with_header(), TEXT)


@given(FILES, st.sampled_from(["", *FORMS]))
@examples(150, 3000)
def test_any_bytes(data: bytes, form: str):
    program, found = read(data, "x", form)
    assert (program is None) == has_errors(found)
    lines = data.count(b"\n") + 1
    for finding in found:  # of bytes at an offset, of a text in a line
        assert 0 <= finding.span.offset <= len(data) or 1 <= finding.span.line <= lines
        assert finding.fix
    doubts(data)
    if program is None:
        return
    kind = form or form_of(data)
    if kind == BINARY:
        assert write_binary(program) == data
    elif kind == WORDS:
        assert write_words(program) == data
    for device in (RTL, DOCUMENT):
        timing = time_program([decode(word) for word in program.words], device)
        assert len(timing.issues) + (timing.hangs is not None) <= len(program.words)


@pytest.mark.parametrize("seed", range(8))
def test_commands_take_any_bytes(seed: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    rng = random.Random(seed)
    head = b"VS" + bytes((seed, 0)) + rng.randbytes(28)
    files = (
        rng.randbytes(seed * 8),
        rng.randbytes(seed + 40),
        head + rng.randbytes(8 * seed),
        head + rng.randbytes(8),
        b"0x12 {,;}",
    )
    path = tmp_path / "x.bin"
    for data in files:
        path.write_bytes(data)
        for command in (["dis"], ["dis", "--to", "c"], ["inspect"], ["inspect", "--listing"], ["time"], ["run"]):
            assert cli.main([command[0], str(path), *command[1:], "--from", form_of(data)]) in (0, 1)
            assert "internal error" not in capfd.readouterr().err
