"""Shaders inside other files."""

import random
import struct

import pytest

from lanewise.core import searching
from lanewise.pica200.container import scan as scanning
from lanewise.pica200.container.build import build
from lanewise.pica200.container.scan import Found, scan
from lanewise.pica200.container.shbin import Dvle, Shbin, write_shbin
from lanewise.pica200.isa.program import Interface, Program, Uniform
from work import calls

PICASSO = build(
    Program(
        operations=(),
        interfaces=(
            Interface(
                name="main", uniforms=(Uniform(name="fog", first=0x20, last=0x20), Uniform(name="a", first=0x21, last=0x21))
            ),
        ),
        labels={},
    ),
    (0x88000000,),
    (),
)
NIHSTRO = Shbin(words=(0x88000000,), descriptors=(0x36F,), dvles=(Dvle(symbols=b"main\0"),), header=0x1C, layout="nihstro")
ODD = Shbin(words=(0x88000000,), descriptors=(), dvles=(Dvle(symbols=b"main\0"),), layout="dvle0 code")


def test_shaders_are_found_with_their_extent():
    rng = random.Random(3)
    data = b""
    expected: list[Found] = []
    for _ in range(20):
        for shbin in (PICASSO, NIHSTRO, ODD):
            data += rng.randbytes(rng.randrange(50)) + b"\xff"
            written = write_shbin(shbin)
            found = Found(len(data), len(written), shbin)
            expected.append(found)
            data += written + b"\xff"
    results = scan(data, "code.bin")
    assert [(found.offset, found.size) for found in results] == [(found.offset, found.size) for found in expected]
    assert [write_shbin(found.shbin) for found in results] == [write_shbin(found.shbin) for found in expected]
    assert results[0].shbin == PICASSO
    assert write_shbin(PICASSO)[-1] == 0, "the padding is what this test is about"


def test_what_is_no_shader_is_passed_over():
    good = write_shbin(PICASSO)
    assert scan(b"", "") == scan(b"DVLB", "") == scan(b"no shader", "") == []
    assert scan(good[:-4], "") == []
    assert [found.offset for found in scan(b"DVLBDVLB" + good + good[:-4], "")] == [8]


def test_a_shader_in_the_symbols_of_another_is_part_of_it():
    inner = write_shbin(PICASSO)
    outer = write_shbin(Shbin(dvles=(Dvle(symbols=inner),)))
    assert [found.offset for found in scan(outer, "")] == [0]


def test_windows_hide_nothing(monkeypatch: pytest.MonkeyPatch):
    one = write_shbin(PICASSO)
    data = b"".join(b"DVL" * n + one for n in range(12))
    expected = scan(data, "")
    assert len(expected) == 12
    for size in (1, 2, 3, 7, 50, len(one), len(one) + 5):
        monkeypatch.setattr(searching, "_WINDOW", size)
        seen: list[tuple[int, int]] = []
        assert scan(data, "", lambda done, total: seen.append((done, total))) == expected  # noqa: B023
        assert seen == [(at, len(data)) for at in range(0, len(data), size)]


def test_a_magic_without_a_program_is_not_read(monkeypatch: pytest.MonkeyPatch):
    """Nothing is surveyed there: 16 MB of DVLB take seconds, not a minute."""

    def unexpected(*_: object, **__: object):
        raise AssertionError("surveyed")

    monkeypatch.setattr(scanning, "survey", unexpected)
    assert scan(b"DVLB" * 5000, "") == []


def test_bogus_headers_cost_no_more_than_their_bytes():
    """Every DVLB claims objects up to one DVLP at the end of 64 KiB: reading all the offsets of each is quadratic."""
    size = 1 << 16
    blocks = [struct.pack("<4sI", b"DVLB", (size - at - 8) // 4) for at in range(0, size, 8)]
    data = b"".join(blocks[:-1]) + b"no DVLB!DVLP" + bytes(0x60)
    assert data.index(b"DVLP") == size
    assert scan(data, "") == []
    calls(lambda: scan(data, ""), most=40 * len(blocks))
