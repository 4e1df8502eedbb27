"""`--constant ID=VALUE` and `--constant NAME=VALUE`: values of specialization constants, of which a module says the types and
names."""

from __future__ import annotations

from lanewise.compile.spirv.module import SPEC_ID
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import UsageError
from lanewise.core.text.suggestions import near

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.spirv.module import Module

OPTION = "--constant"
_TRUTHS = {"true": 1, "1": 1, "false": 0, "0": 0}


class Specialization(Record):
    """A specialization constant: its SpecId, its name (empty: stripped), and its type as GLSL has it."""

    number: int
    name: str
    kind: str


def specializations(module: Module) -> list[Specialization]:
    """The specialization constants of a module, by number."""
    found: list[Specialization] = []
    for instruction in module.constants:
        number = module.decoration(instruction.result, SPEC_ID)
        if number is not None:
            scalar = module.scalar(instruction.type)
            kind = "uint" if scalar.kind == "int" and not scalar.signed else scalar.kind
            found.append(Specialization(number, module.name_of(instruction.result), kind))
    return sorted(found)


def values_of(module: Module, texts: Sequence[str]) -> Mapping[int, float]:
    """The values that options give to specialization constants, by SpecId. Raises UsageError."""
    known = specializations(module) if texts else []
    found: dict[int, float] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            raise UsageError(f"{OPTION} {text}: write ID=VALUE or NAME=VALUE, such as 0=4")
        constant = next((each for each in known if key in (str(each.number), each.name)), None)
        if constant is None:
            raise UsageError(f"{OPTION} {text}: {_unknown(key, known)}")
        if constant.number in found:
            raise UsageError(f"{OPTION} {text}: {key} is given twice")
        found[constant.number] = _value(text, value, constant.kind)
    return found


def _unknown(key: str, known: Sequence[Specialization]) -> str:
    if not known:
        return "the shader has no specialization constants"
    close = near(key, [each.name for each in known if each.name])
    if close:
        return f"unknown specialization constant '{key}': did you mean {' or '.join(close)}?"
    there = ", ".join([f"{each.number} ({each.name})" if each.name else str(each.number) for each in known])
    return f"unknown specialization constant '{key}': the shader has {there}"


def _value(text: str, value: str, kind: str) -> float:
    try:
        if kind == "bool":
            return _TRUTHS[value.lower()]
        if kind == "float":
            return float(value)
        number = int(value, 0)
    except (KeyError, ValueError):
        wanted = {"bool": "true or false", "float": "a number"}.get(kind, "a whole number")
        raise UsageError(f"{OPTION} {text}: expected {wanted}, as the constant is of type {kind}") from None
    low, high = (0, 0xFFFFFFFF) if kind == "uint" else (-0x80000000, 0x7FFFFFFF)
    if not low <= number <= high:
        raise UsageError(f"{OPTION} {text}: a value of type {kind} is {low} to {high}")
    return number


__all__ = ["Specialization", "specializations", "values_of"]
