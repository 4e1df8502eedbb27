"""Words that are packed in another way than the unit reads them: what is said, and the words that the fix gives."""

from __future__ import annotations

import pytest

from corpus import rows
from effort import sample
from lanewise.pica200.container.mispacked import mispacked
from lanewise.pica200.container.read import read_shbin

END = 0x88000000
XYZW, THREE = 0x6C36F, 0xD86C36F  # o.xyzw with .xyzw of two and of three operands


def said(words: tuple[int, ...], descriptors: tuple[int, ...], *, geometry: bool = False) -> list[tuple[str, str]]:
    found = mispacked((*words, END), descriptors, "code", "table", reached=range(len(words)), geometry=geometry)
    assert {finding.code for finding in found} <= {"C013"}
    return [(finding.message, finding.fix) for finding in found]


@pytest.mark.parametrize(
    ("words", "descriptors", "message", "fix", "right"),
    [
        (
            (0xE0021000,),
            (XYZW,),
            "mad o0, v1, v4, v0, which reads 3 input registers: hardware reads one",
            "if mad o0, v0, c1, third is meant, write 0xe0008400 + (third << 5)",
            ((0xE0008400,), (THREE,)),
        ),
        (
            (0x24001080,),
            (XYZW,),
            "sge o0, v1, v1, which is always 1",
            "write 0x68001080, its form sgei",
            ((0x68001080,), (XYZW,)),
        ),
        (
            (0x00001280,),  # add o0, v0, c5, the operands not exchanged
            (XYZW,),
            "add o0, v1, v5, which reads 2 input registers",
            "write 0x00025000, the operands exchanged",
            ((0x00025000,), (XYZW,)),
        ),
        ((0x03E21080,), (XYZW,), "", "", None),  # r15 = c1 + v1
        ((0x80001080 & 0x03FFFFFF | 0x0C000000,), (XYZW,), "", "", None),  # dph o0, v1, v1
        (
            (0x48001000, 0x4C021000),
            (XYZW,),
            "word 0x0 writes a0, and no operand is indexed: word 0x1 reads c1 with idx 0",
            "0x4c0a1000 reads c1[a0.x]",
            ((0x48001000, 0x4C0A1000), (XYZW,)),
        ),
        (
            (0x48001001, 0x4C0A1000),
            (XYZW, XYZW & ~0xF | 4),
            "word 0x1 is indexed by a0.x (idx 1), which no word writes; a0.y is",
            "add 1 to it",
            ((0x48001001, 0x4C121000), (XYZW, XYZW & ~0xF | 4)),
        ),
        (
            (0xE0008400,),
            (XYZW,),
            "bits 30 to 23, the selectors of the third operand, are 0: it is read as v0.xxxx",
            "if v0.xyzw is meant, write 0xd86c36f",
            ((0xE0008400,), (THREE,)),
        ),
        (
            (0xE0008421,),
            (*(0x36E,) * 33, THREE),
            "mad with descriptor 1, which has no selectors of a third operand; descriptor 33 has",
            "at 1 the word is 0xe0008401",
            ((0xE0008401,), (0x36E, THREE)),
        ),
        (
            (0x4C000000,),
            (0xF,),
            "write masks only, such as 0xf",
            "0xd86c36f is that mask with .xyzw",
            ((0x4C000000,), (THREE,)),
        ),
        (
            (0x4C000000,),
            (0x1BF,),
            "reads its first operand as -xxwy",
            "its selectors above: 0xd86c36f",
            ((0x4C000000,), (THREE,)),
        ),
        ((0x38000000,), (0x8,), "", "", None),  # rcp o0.x, v0.x
    ],
)
def test_fields_in_other_places(
    words: tuple[int, ...],
    descriptors: tuple[int, ...],
    message: str,
    fix: str,
    right: tuple[tuple[int, ...], tuple[int, ...]] | None,
):
    found = said(words, descriptors)
    assert len(found) == bool(message)
    if message:
        assert message in found[0][0]
        assert fix in found[0][1]
    assert right is None or said(*right) == []


def test_a_geometry_shader_that_is_given_as_a_vertex_shader():
    [(message, fix)] = said((0xAC000000, 0x4C000000, 0xA8000000), (XYZW,))
    assert message == "word 0x0 is setemit, of geometry shaders: in a vertex shader it has no effect"
    assert "--geometry point" in fix
    assert said((0xAC000000, 0x4C000000, 0xA8000000), (XYZW,), geometry=True) == []


def test_programs_of_assemblers_have_no_finding():
    for row in sample([*rows("picasso", "hand"), *rows("nihstro", "hand")], 40):
        shbin = read_shbin(row.data, row.name)[0] if row.data is not None else None
        if shbin is not None:
            found = mispacked(shbin.words, shbin.descriptors, row.name, reached=range(len(shbin.words)), geometry=True)
            assert not [finding for finding in found if "which is always" not in finding.message], row.name
