"""JSON documents of commands: checked against their schemas, without a key that those do not name; outputs of a run by
columns."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from jsonschema import Draft202012Validator

from lanewise.tools.schema import schema

if TYPE_CHECKING:
    from collections.abc import Mapping


def checked(text: str) -> dict[str, Any]:
    """A document, which must be as its schema says."""
    document = cast("dict[str, Any]", json.loads(text))
    check(document)
    return document


def check(document: Mapping[str, object]) -> None:
    name = str(document["schema"]).split("/")[1]
    wrong = [f"{error.json_path}: {error.message[-300:]}" for error in _validator(name).iter_errors(cast("Any", document))]  # pyright: ignore[reportUnknownMemberType]
    assert not wrong, "\n".join(wrong)


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(cast("dict[str, Any]", closed(schema(name))))


def closed(part: object) -> object:
    """A schema that takes only the keys that it names, where it does not say that there are others."""
    if isinstance(part, list):
        return [closed(item) for item in cast("list[object]", part)]
    if not isinstance(part, dict):
        return part
    rows = cast("dict[str, object]", part)
    found = {
        key: {name: closed(row) for name, row in cast("dict[str, object]", value).items()}
        if key == "properties"
        else closed(value)
        for key, value in rows.items()
    }
    open_already = "additionalProperties" in found or "unevaluatedProperties" in found
    if found.get("type") == "object" and "properties" in found and not open_already:
        found["unevaluatedProperties"] = False
    return found


def columns(document: dict[str, Any], what: str = "values") -> dict[str, list[Any]]:
    """The `values` or `bits` of each component of a run by its register: `o0.x`."""
    return {
        f"{output['register']}.{letter}": [row[place] for row in output[what]]
        for output in document["outputs"].values()
        for place, letter in enumerate(output["components"])
    }
