"""What `lanewise inspect` says about a shader."""

from __future__ import annotations

import pytest

from lanewise.core.document import Heading, Paragraph, Table
from lanewise.direct3d9.api.services.inspect import page, summary
from lanewise.direct3d9.text.reader import read_source_text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n",
            "15 words, 2 instructions, 1 of 64 arithmetic slots, 1 of 32 texture slots.",
        ),
        ("ps_3_0\nmov oC0, c0\n", "5 words, 1 instruction, 1 of 32768 arithmetic slots, 0 texture slots."),
        ("vs_2_0\nmov oPos, c0\n", "5 words, 1 instruction, 1 of 256 instruction slots."),
        ("vs_2_sw\nmov oPos, c0\n", "5 words, 1 instruction, 1 instruction slot."),
    ],
)
def test_counts_have_the_right_number(text: str, says: str):
    shader = read_source_text(text, "x").shader
    assert shader is not None
    (first,) = [block for block in page(shader, summary(shader, "x")) if isinstance(block, Paragraph)]
    assert str(first.text).endswith(f": {says}")


def test_a_heading_is_not_repeated_by_its_table():
    shader = read_source_text("vs_2_0\ndcl_position v0\ndef c0, 1, 1, 1, 1\nadd oPos, v0, c0\n", "x").shader
    assert shader is not None
    blocks = page(shader, summary(shader, "x"))
    titles = [block.text for block in blocks if isinstance(block, Heading)]
    assert {"Declarations", "Definitions"} <= set(titles)
    assert not {title.lower() for title in titles} & {
        name for block in blocks if isinstance(block, Table) for name in block.head
    }
