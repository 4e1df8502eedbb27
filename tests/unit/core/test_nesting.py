"""JSON that nests deeply: an error of Python on every system."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanewise.core.nesting import MOST_LEVELS, json_value, levels

DEEP = 100_000


@pytest.mark.parametrize("text", ["[" * DEEP, '{"a":' * DEEP, "[" * DEEP + "]" * DEEP, ("[" * DEEP).encode()])
def test_deep_values_raise(text: str | bytes):
    with pytest.raises(RecursionError):
        json_value(text)


@pytest.mark.parametrize("system", ["emscripten", "wasi"])
def test_the_limit_is_ours_where_the_reader_has_none(system: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", system)
    most = "[" * MOST_LEVELS + "]" * MOST_LEVELS
    assert json_value(most.encode()) == json_value(most)
    with pytest.raises(RecursionError, match="deeper than 500 levels"):
        json_value(f"[{most}]")
    assert json_value("[" + "[]," * 1000 + "[]]") == [[]] * 1001
    assert json_value('"' + "[" * 1000 + '"') == "[" * 1000


JSON = st.recursive(
    st.none() | st.floats(allow_nan=False) | st.text('[]{}\\"a', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('[{"', max_size=2), inner, max_size=3),
)


@given(JSON)
def test_levels_are_those_of_the_value(value: object):
    import json

    def depth(part: object) -> int:
        if isinstance(part, dict):
            part = [*part.values()]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return 1 + max(map(depth, part), default=0) if isinstance(part, list) else 0  # pyright: ignore[reportUnknownArgumentType]

    assert levels(json.dumps(value)) == depth(value)
    assert levels(json.dumps(value, ensure_ascii=False, indent=1)) == depth(value)


@pytest.mark.parametrize(("text", "deep"), [("", 0), ('[{"a', 2), ("]]]][[", 0), ('"\\', 0), ('"\\"[', 0), ("[\\[", 2)])
def test_levels_of_damaged_texts(text: str, deep: int):
    assert levels(text) == deep
