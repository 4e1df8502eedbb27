"""Gathers as each LLVM wants them: with the alignment as an operand, or as an attribute."""

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
