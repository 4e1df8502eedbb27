"""Gathers as each LLVM wants them, with the alignment as an operand or as an attribute; data that are asked for early."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from lanewise.llvm import movement
from lanewise.llvm.text import Text

FORMS = {
    (20, 1, 8): "<16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> %places, i32 immarg 4, <16 x i1> %mask, ",
    (22, 1, 0): "<16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %places, <16 x i1> %mask, ",
}


@pytest.mark.parametrize("version", FORMS)
def test_the_alignment_of_a_gather(monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int]):
    monkeypatch.setattr(llvm, "llvm_version_info", version)
    movement.aligned_by_operand.cache_clear()
    text = Text(16)
    movement.gather(text, "%places", text.i32, "%mask")
    movement.aligned_by_operand.cache_clear()
    assert FORMS[version] in "\n".join(text.lines)


def test_data_are_asked_for_as_far_ahead_as_the_text_says():
    for ahead in (0, 4096):
        text = Text(16, ahead=ahead)
        movement.load_rows(text, movement.Layout(movement.PACKED, 4), "%base", "%stride", "%start")
        asked = [line for line in text.lines if "@llvm.prefetch" in line]
        assert len(asked) == (4 if ahead else 0)  # lines of 64 bytes for 16 rows
        assert [f"i64 {ahead + 64 * n}" in "\n".join(text.lines) for n in range(len(asked))] == [True] * len(asked)
