"""SHBINs in another form, and headers that are elsewhere: one error each with the fix."""

from __future__ import annotations

import base64
import struct

import pytest

import lanewise as lw
from lanewise.pica200.container.read import read_shbin

SOURCE = ".in p\n.out o position\n.fvec c[10]\n.proc main\n\tadd r0, c[1], p\n\tmov o, r0\n\tend\n.end\n"
SHBIN = lw.assemble(SOURCE).to_bytes()


def with_word(at: int, value: int) -> bytes:
    return SHBIN[:at] + struct.pack("<I", value) + SHBIN[at + 4 :]


def reversed_words(data: bytes) -> bytes:
    return b"".join([data[at : at + 4][::-1] for at in range(0, len(data), 4)])


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (reversed_words(SHBIN), "reverse order (big-endian)"),
        (SHBIN.hex().encode(), "the hexadecimal digits of an SHBIN"),
        (SHBIN.hex(" ", 4).encode(), "the hexadecimal digits of an SHBIN"),
        (base64.b64encode(SHBIN), "an SHBIN in Base64"),
        (base64.encodebytes(SHBIN), "an SHBIN in Base64"),
    ],
)
def test_another_form(form: bytes, said: str):
    found, (finding,) = read_shbin(form, "x.shbin")
    assert found is None
    assert (finding.code, said in finding.message) == ("C001", True), finding


def test_line_ends_that_were_converted():
    word = SHBIN.index(b"DVLE") + 0x0C  # the mask of inputs
    original = SHBIN[:word] + struct.pack("<I", 0x0A) + SHBIN[word + 4 :]
    assert read_shbin(original, "x.shbin")[0] is not None
    found, findings = read_shbin(original.replace(b"\n", b"\r\n"), "x.shbin")
    assert found is None
    assert [finding.code for finding in findings] == ["C001"]
    assert "each byte 0x0A became 0x0D 0x0A" in findings[0].message


@pytest.mark.parametrize("count", [0, 2, 5])
def test_an_object_count_has_the_right_one(count: int):
    _, (finding,) = read_shbin(with_word(4, count), "x.shbin")
    assert (finding.code, finding.fix) == ("C003", "write 1 as the object count at 0x4: DVLP is at 0xc")


@pytest.mark.parametrize("offset", [0, 12, 0x30])
def test_an_offset_of_an_object_has_the_right_one(offset: int):
    _, (finding,) = read_shbin(with_word(8, offset), "x.shbin")
    assert (finding.code, finding.fix) == (
        "C004",
        f"correct the offset of object 0 at 0x8: DVLE is at {SHBIN.index(b'DVLE'):#x}",
    )


DVLP = SHBIN.index(b"DVLP")
DVLE = SHBIN.index(b"DVLE")


def turned(offset: int) -> int:
    return int.from_bytes(SHBIN[offset : offset + 4], "big")


def word_at(offset: int) -> int:
    return int.from_bytes(SHBIN[offset : offset + 4], "little")


@pytest.mark.parametrize(
    ("offset", "value", "fix"),
    [
        (DVLP + 0x14, 8 * word_at(DVLP + 0x14), "it counts entries of 8 bytes, not bytes"),
        (DVLP + 0x0C, 4 * word_at(DVLP + 0x0C), "it counts entries of 4 bytes, not bytes"),
        (DVLE + 0x2C, 8 * word_at(DVLE + 0x2C), "it counts entries of 8 bytes, not bytes"),
        (DVLP + 0x14, turned(DVLP + 0x14), "its bytes are in reverse order"),
        (DVLP + 0x10, turned(DVLP + 0x10), "little-endian: no other section has"),
        (DVLE + 0x38, DVLE + word_at(DVLE + 0x38), f"from the header at {DVLE:#x}: no other section has"),
        (DVLE + 0x30, word_at(DVLE + 0x30) + 4, "no other section has the 16 bytes at"),
        (DVLP + 0x10, word_at(DVLP + 0x10) - 4, "no other section has the"),
        (DVLP + 0x0C, word_at(DVLP + 0x0C) + 1, "so many are in front of the next section"),
    ],
)
def test_an_offset_or_a_count_of_a_section_has_the_right_one(offset: int, value: int, fix: str):
    found, (finding, *_) = read_shbin(with_word(offset, value), "x.shbin")
    assert found is None
    assert finding.code in ("C005", "C006")
    assert fix in finding.fix
    right = finding.fix.split()[1].rstrip(",")
    assert int(right, 0) == word_at(offset)
    assert f"at {offset:#x}" in finding.fix


@pytest.mark.parametrize("offset", [DVLP + 0x0C, DVLP + 0x14, DVLE + 0x34])
def test_a_count_that_is_too_small_has_the_right_one(offset: int):
    found, findings = read_shbin(with_word(offset, word_at(offset) - 1), "x.shbin")
    assert found is not None
    assert [finding.code for finding in findings] == ["C022"]
    fix = next(each for each in findings[0].fix.split(" or ") if each.endswith(f"at {offset:#x}"))
    assert int(fix.split()[1]) == word_at(offset)


UNIFORMS = lw.assemble(
    ".in p\n.out o position\n.fvec m[4], k\n.proc main\nadd r0, m[1], p\nmul o, k, r0\nend\n.end\n"
).to_bytes()


def with_indices(by: int) -> bytes:
    """The file with the indices of float uniforms that much off."""
    start = UNIFORMS.index(b"DVLE")
    table, count = (int.from_bytes(UNIFORMS[start + at : start + at + 4], "little") for at in (0x30, 0x34))
    data = bytearray(UNIFORMS)
    for place in range(start + table, start + table + 8 * count, 8):
        for half in (place + 4, place + 6):
            index = int.from_bytes(data[half : half + 2], "little")
            data[half : half + 2] = (index + by * (index >= 0x10)).to_bytes(2, "little")
    return bytes(data)


@pytest.mark.parametrize(
    ("by", "fix"), [(0, ""), (-0x10, "write indices that are 0x10 higher"), (0x10, "write indices that are 0x10 lower")]
)
def test_indices_of_uniforms_as_registers_are_numbered_elsewhere(by: int, fix: str):
    found, findings = read_shbin(with_indices(by), "x.shbin")
    assert found is not None
    assert [finding.code for finding in findings] == (["C009"] if fix else [])
    assert not fix or (findings[0].fix.startswith(fix) and "uniform 'm' of object 0" in findings[0].message)
