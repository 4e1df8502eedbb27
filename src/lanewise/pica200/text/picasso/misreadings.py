"""Operands that are written as in other languages: what to say instead of that a letter is not a component.

Asked only about operands that cannot be read.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.numbers import read_float
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.table import FLOAT, INTEGER
from lanewise.pica200.text.picasso.syntax import ABSOLUTE, INDEX_REGISTERS, INSTEAD, SATURATION, Quirk

if TYPE_CHECKING:
    from lanewise.pica200.text.picasso.operands import Alias


def misread(text: str) -> Problem | None:
    """The problem with an operand that is a number, has two indices, a function or a sign that the language lacks."""
    plain = text.lstrip("+- ")
    value = number_of(text[1:] if text[:1] in ("#", "$") else text)
    if value:
        fix = f"declare a constant, `.constf NAME({value}, {value}, {value}, {value})`, and write NAME"
        return Problem("P025", f"'{text}' is a number: operands are registers", fix, 0, len(text))
    name, bracket, rest = plain.partition("[")
    if bracket:
        inside, _, after = rest.partition("]")
        if "." in name:
            base, _, letters = name.partition(".")
            fix = f"write the index before the components: {base}[{inside}].{letters}"
            return Problem("P020", f"'{text}' has its index after its components", fix, 0, len(text))
        if after.lstrip().startswith("["):
            second = after.lstrip()[1:].partition("]")[0]
            return Problem("P031", f"'{text}' has two indices", added(name, inside, second), 0, len(text))
    if plain.startswith("|") and plain.endswith("|"):
        return Problem("P025", f"'{text}': operands have no absolute value", _absolute(plain.strip("| ")), 0, len(text))
    if plain.endswith(")") and "(" in plain:
        function, _, inside = plain.partition("(")
        if not function:
            return Problem(
                "P025", f"'{text}' is in parentheses", f"write {text[: len(text) - len(plain)]}{inside[:-1]}", 0, len(text)
            )
        name = function.strip().lower()
        fix = (
            _absolute(inside[:-1].strip())
            if name in ("abs", "fabs")
            else INSTEAD.get(name) or (SATURATION if name in ("saturate", "clamp") else "use an instruction that computes it")
        )
        return Problem("P025", f"'{text}': operands have no functions", fix, 0, len(text))
    if text.startswith("+"):
        return Problem("P025", f"'{text}' begins with a plus", f"write {plain}", 0, len(text))
    if "//" not in plain and any(mark in plain for mark in "+-*/"):
        return Problem("P025", f"'{text}' is an expression", "use an instruction that computes it", 0, len(text))
    return None


def _absolute(operand: str) -> str:
    return f"use `max` with the negated source: max r0, {operand}, -{operand.lstrip('-')}" if operand.isalnum() else ABSOLUTE


def number_of(text: str) -> str:
    """The number that an operand is, as a constant has it; empty for other operands."""
    plain = text.lstrip("+- ")
    _, length = read_float(plain) if plain[:1].isdigit() or plain[:1] == "." else (0.0, 0)
    if not length or plain[length:] not in ("", "f", "F"):
        return ""
    return text.replace(" ", "").lstrip("+")[: len(text) - len(plain[length:])].rstrip("fF")


def past_the_end(text: str, name: str, alias: Alias, offset: int) -> Quirk:
    """The finding about the first offset past the end of an array, with the size that all offsets of the file need."""
    import re

    code = re.sub(r";[^\n]*", "", text)
    offsets = [int(each) for each in re.findall(rf"(?<![\w.$]){re.escape(name)}\s*\[\s*(\d{{1,4}})\s*\]", code, re.ASCII)]
    size = max([offset, *[each for each in offsets if alias.register < FLOAT or alias.register + each < INTEGER]]) + 1
    message = f"{name}[{offset}] is past the end of {name}"
    if alias.register >= FLOAT and alias.register + offset < INTEGER:
        many = "s" if alias.size > 1 else ""
        message += f", which has {alias.size} register{many}: it means c{alias.register + offset - FLOAT}"
    fix = f"declare {name}[{size}]"
    if alias.size > 1:
        fix = f"use {name}[0] to {name}[{alias.size - 1}], or {fix}"
    elif offset < len("xyzw") and len({*offsets}) == 1:
        fix = f"write {name}.{'xyzw'[offset]} for its component {offset}, or {fix}"
    return Quirk(code="V015", message=message, fix=fix)


def added(name: str, first: str, second: str) -> str:
    """The fix for an operand with two indices: their sum."""
    first, second = first.strip(), second.strip()
    if first.lower() not in INDEX_REGISTERS:
        first, second = second, first
    if first.lower() in INDEX_REGISTERS and second.isdigit():
        return f"add them: {name}[{first}+{second}]" if int(second) else f"write {name}[{first}]"
    if first.isdigit() and second.isdigit():
        return f"add them: {name}[{int(first) + int(second)}]"
    return "add them: NAME[INDEX+OFFSET]"
