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
