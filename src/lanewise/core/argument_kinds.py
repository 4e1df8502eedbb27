"""Values of arguments of another kind than a function takes, by its annotations: looked for when a call has failed."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType
    from typing import Any

_LONGEST = 60  # of a value that is shown
_MOST_LOOKED_AT = 100  # elements of a list
_SUCH = {
    "booleans": "{0: True}",
    "changes": "{'issue_interval': 4}",
    "fixed": "{'color': 1}",
    "inputs": "{'position': rows}",
    "outputs": "{'position': [0, 0, 0, 1]}",
    "pipes": "{'mul': 'ALU'}",
    "uniforms": "{'projection': value}",
}


def _is_list(value: object) -> bool:
    return hasattr(value, "__getitem__") and not isinstance(value, (str, bytes)) and not hasattr(value, "keys")


def _is_flag(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")


def _is_whole(value: object) -> bool:
    return hasattr(value, "__index__") and not getattr(value, "ndim", 0)


# What an annotation names, how a value of it is known, and what it is called. Other names fit everything.
_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "None": (lambda value: value is None, ""),
    "str": (lambda value: isinstance(value, str), "a text"),
    "bool": (_is_flag, "True or False"),
    "int": (_is_whole, "a whole number"),
    "float": (lambda value: isinstance(value, float) or _is_whole(value), "a number"),
    "bytes": (lambda value: isinstance(value, bytes), "bytes"),
    "bytearray": (lambda value: isinstance(value, bytearray), ""),
    "memoryview": (lambda value: isinstance(value, memoryview), ""),
    "PathLike": (lambda value: hasattr(value, "__fspath__"), "a path"),
    "Mapping": (lambda value: hasattr(value, "keys") and not hasattr(value, "iloc"), "values by name"),
    "Values": (lambda value: hasattr(value, "keys"), "values by name"),
    "Flow": (lambda value: hasattr(value, "successors"), "a graph, such as `lanewise.pica200.unfold(insts, entry)`"),
    "Sequence": (_is_list, "a list"),
    "Callable": (callable, "a function"),
    "Attribute": (lambda value: isinstance(value, (list, tuple)), "(name, type, components)"),
    **{
        name: (lambda value, name=name: type(value).__name__ == name, f"a {name}")
        for name in ("Device", "Profile", "Rule", "Stream", "Shader")
    },
}
_SHOWN = frozenset(("str", "bytes", "int", "float", "bool", "list", "tuple", "dict", "set", "NoneType"))
_OF_LISTS = {
    "a Stream": "Streams",
    "(name, type, components)": "(name, type, components)",
    "a text": "texts",
    "a path": "paths",
    "a whole number": "whole numbers",
    "a number": "numbers",
}


def explained(function: Callable[..., object], values: Sequence[object], named: Mapping[str, object], error: Exception) -> str:
    """The message about the arguments of a call that failed with an error of Python or another library; empty for an error
    that says it itself, and where each value is of a kind that the function takes."""
    if type(error).__module__.startswith("lanewise") or raised(error.__traceback__):
        return ""
    return misfit(function, values, named)


def misfit(function: Callable[..., object], values: Sequence[object], named: Mapping[str, object]) -> str:
    """The message for the first argument whose value is of another kind than its annotation; empty without one."""
    from inspect import signature

    parameters = signature(function).parameters
    for name, value in {**dict(zip(parameters, values, strict=False)), **named}.items():
        note = parameters[name].annotation if name in parameters else None
        if isinstance(note, str) and (expected := _expected(value, note)):
            such = f", such as {_SUCH[name]}" if name in _SUCH else _device(value) if name == "device" else ""
            if name == "outputs" and hasattr(value, "lanes"):
                such = ": give its arrays, `dict(result.outputs)`"
            elif "a whole number" in expected and isinstance(value, str) and value.strip().lstrip("+-").isdecimal():
                such = f": write {int(value)}"
            if values and hasattr(values[0], "_setting") and isinstance(value, dict):
                such = f": use `{cast('Any', values[0])._setting(value)}`"
            return f"{name} is {shown(cast('object', value))}, expected {expected}{such}"
        if isinstance(note, str) and note.startswith(("Mapping[str", "Values")) and isinstance(value, dict):
            key: object = next((key for key in cast("dict[object, object]", value) if not isinstance(key, str)), "")
            if key != "":
                return f"{name} has the name {key!r}, expected a text: give names or registers, such as 'v0' or 'c0'"
    return ""


def _device(value: object) -> str:
    """The fix of a device that is given as the table of its file; empty for other values."""
    if not isinstance(value, dict):
        return ""
    table = cast("dict[str, object]", value)
    fields = table.get("set", {key: each for key, each in table.items() if key != "base"})
    settings = cast("dict[str, object]", fields) if isinstance(fields, dict) else {}
    if any(not isinstance(each, (str, int, float)) for each in settings.values()):
        return ""
    return f": write device={','.join([str(table.get('base', 'rtl')), *[f'{key}={each}' for key, each in settings.items()]])!r}"


def _expected(value: object, note: str) -> str:
    """The kind that a value should be of; empty for one that fits, and for an annotation of which nothing is known."""
    words: list[str] = []
    parts = _parts(note)
    if any(part.partition("[")[0] not in _KINDS for part in parts):
        return ""
    for part in parts:
        kind, _, inner = part.partition("[")
        fits, word = _KINDS[kind]
        elements = _parts(inner.rpartition("]")[0]) if word == "a list" else []
        known = bool(elements) and all(each.partition("[")[0] in _KINDS for each in elements)
        if fits(value) and not (known and _strange(value, elements)):
            return ""
        many = (
            " or ".join(dict.fromkeys([_OF_LISTS.get(_KINDS[each.partition("[")[0]][1], "") for each in elements]))
            if known
            else ""
        )
        words.append(f"{word} of {many}" if many else word)
    said = [*dict.fromkeys(word for word in words if word)]
    return " or ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def _strange(value: object, elements: Sequence[str]) -> bool:
    """Whether a list has an element of another kind."""
    if not isinstance(value, (list, tuple)):
        return hasattr(value, "dtype")
    listed = cast("Sequence[object]", value)[:_MOST_LOOKED_AT]
    return any(not any(_KINDS[each.partition("[")[0]][0](one) for each in elements) for one in listed)


def _parts(note: str) -> list[str]:
    """The members of a union at the top of an annotation."""
    found, depth = [""], 0
    for letter in note:
        depth += (letter == "[") - (letter == "]")
        if letter in "|," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [each.strip() for each in found if each.strip() not in ("", "...")]


def shown(value: object) -> str:
    """A value in a message: short ones as Python has them, others by their type."""
    kind = type(value).__name__
    text = repr(value) if kind in _SHOWN else ""
    if text and len(text) <= _LONGEST and (kind in ("str", "bytes") or "<" not in text):  # of no function, generator or class
        return text
    if hasattr(value, "__fspath__"):
        return f"the path {str(value)!r}"
    return f"a{'n' if kind[0].lower() in 'aeio' or kind == 'ndarray' else ''} {kind}"


def raised(at: TracebackType | None) -> bool:
    """Whether a `raise` of lanewise made an error."""
    from opcode import opmap  # `dis` takes longer to import

    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is None or not str(at.tb_frame.f_globals.get("__name__", "")).startswith("lanewise"):
        return False
    if at.tb_frame.f_code.co_name == "_explain":  # of an inner call, whose names are not those of the outer
        return False
    return at.tb_frame.f_code.co_code[at.tb_lasti] == opmap.get("RAISE_VARARGS")


__all__ = ["explained", "misfit", "raised", "shown"]
