"""Text of pages."""

from __future__ import annotations

from lanewise.core.document import wrap


def test_names_are_not_broken_at_hyphens():
    text = "a.v.pica and shaders/fresnel-test/source/vshader-with-a-long-name.v.pica --constants-known are equal"
    assert [line for line in wrap(text, 60) if line.endswith("-")] == []
    assert " ".join(wrap(text, 60)) == text
