"""Modules of a package that are imported when they are used."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from lanewise.core.package import lazy

if TYPE_CHECKING:
    from pathlib import Path


def test_modules_are_imported_when_they_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "lazily").mkdir()
    (tmp_path / "lazily" / "one.py").write_text("ROWS = (1, 2)\ndef add(a, b):\n    return a + b\n", encoding="utf-8")
    (tmp_path / "lazily" / "two.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    one, two = lazy("lazily", "one two")
    add = one.add
    assert "lazily" not in sys.modules
    assert callable(add)
    assert add(3, 4) == 7
    assert one.ROWS == (1, 2)
    assert "lazily.two" not in sys.modules
    with pytest.raises(AttributeError, match="two"):
        assert two.ROWS
    for name in ("lazily", "lazily.one", "lazily.two"):
        sys.modules.pop(name, None)


def test_a_function_that_is_replaced_is_called(monkeypatch: pytest.MonkeyPatch):
    (text,) = lazy("lanewise.core", "source")
    decode = text.decode_text
    monkeypatch.setattr("lanewise.core.source.decode_text", str)
    assert callable(decode)
    assert decode(1) == "1"
