"""A wrong number of operands: the finding names the instruction of the version and shows its operands."""

from __future__ import annotations

import pytest

from lanewise.direct3d9.api.reading import read_shader


@pytest.mark.parametrize(
    ("text", "message", "fix"),
    [
        ("vs_2_0\nmov r0 r1\n", "mov takes 2 operands in vs_2_0, found 1", "add a comma before 'r1'"),
        (
            "vs_2_0\ndef c0, 1, 2, 3\n",
            "def takes 5 operands in vs_2_0, found 4",
            "write `def c0, 1, 2, 3, 0`",
        ),
        ("ps_2_0\ntex r0, t0\n", "tex is texld in ps_2_0 and takes 3 operands, found 2", "write `texld r#, r# or t#, s#`"),
        ("ps_1_1\ntexld r0, t0\n", "texld is tex in ps_1_1 and takes one operand, found 2", "write `tex t#`"),
        ("ps_2_0\ncmp r0, c0\n", "cmp takes 4 operands in ps_2_0, found 2", "write `cmp dest, src0, src1, src2`"),
        ("vs_2_0\nmov r0\n", "mov takes 2 operands in vs_2_0, found 1", "write `mov dest, src`"),
        ("vs_2_x\ncallnz l0\n", "callnz takes 2 operands in vs_2_x, found 1", "write `callnz l#, b# or p0`"),
        ("vs_2_0\nif b0, b1\n", "if takes one operand in vs_2_0, found 2", "write `if b#`"),
    ],
)
def test_a_wrong_number_of_operands_shows_the_right_one(text: str, message: str, fix: str):
    (found,) = read_shader(text.encode(), "x.vsa").diagnostics
    assert (found.code, found.message, found.fix) == ("P303", message, fix)
