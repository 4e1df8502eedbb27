"""JSON of others, with a limit on how deep its values nest."""

from __future__ import annotations

import sys
from itertools import accumulate

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

MOST_LEVELS = 500
# Python's reader of JSON raises RecursionError where values nest too deeply for its stack, except in WebAssembly: there the
# whole interpreter ends (Pyodide 314.0, 100,000 levels: "Maximum call stack size exceeded").
_UNGUARDED = ("emscripten", "wasi")


def levels(text: str) -> int:
    """How deep the lists and objects of a JSON text nest; of a damaged text, at least as deep as a reader comes."""
    import re

    brackets = re.sub(r'"(?:[^"\\]++|\\.)*+"?|[^\[\]{}"]+', "", text, flags=re.DOTALL)
    return max(accumulate((1 if bracket in "[{" else -1 for bracket in brackets), initial=0))


def json_value(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError, and RecursionError for values that nest too deeply."""
    import json

    if sys.platform in _UNGUARDED:
        text = text if isinstance(text, str) else text.decode(json.detect_encoding(text), "surrogatepass")
        if text.count("[") + text.count("{") > MOST_LEVELS and levels(text) > MOST_LEVELS:
            raise RecursionError(f"values nest deeper than {MOST_LEVELS} levels")
    return json.loads(text)


def document_of(content: bytes, kind: str) -> dict[str, object] | None:
    """The JSON table of a kind; None for anything else."""
    try:
        data: object = json_value(content)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and data.get("kind") == kind else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
