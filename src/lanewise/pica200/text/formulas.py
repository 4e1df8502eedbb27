"""Formulas as languages with operators write them, in the place of operands: `2 * r1 + dot(n, light[0])`.

Asked only about statements that cannot be read.
"""

from __future__ import annotations

import re

from lanewise.core.record import Record

_MOST = 60  # parts of a formula that is looked at
_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+(?!\w)|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[fF]?(?![\w.])"
    r"|(?P<name>[A-Za-z_$][\w$]*(?:\[[^\[\]]*\])?(?:\.[A-Za-z]\w*)?)|(?P<sign>[-+*/(),{}]))",
    re.ASCII,
)


class Formula(Record):
    """A node: its kind, and what it is made of."""

    kind: str
    "`name`, `number`, `call`, or a sign: `+`, `-`, `*`, `/`; `-` with one part is a negation."
    text: str
    "Of a name or number as it is written; the function of a call, in lower case; empty for values in brackets."
    parts: tuple[Formula, ...] = ()
    "Operands, from the left."


class _NotAFormula(Exception):
    """The text is something else."""


def split(text: str) -> list[str]:
    """The texts between commas that are in no brackets."""
    found, depth, at = list[str](), 0, 0
    for i, each in enumerate(text):
        depth += (each in "([{") - (each in ")]}")
        if each == "," and depth <= 0:
            found.append(text[at:i].strip())
            at = i + 1
    return [*found, text[at:].strip()]


def formula(text: str) -> Formula | None:
    """The formula that a text is; None for another text."""
    text = re.sub(r"\|([^|]+)\|", r"abs(\1)", text)
    tokens, at = list[tuple[str, str]](), 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if found is None or len(tokens) >= _MOST:
            return None
        tokens.append((found.lastgroup or "", found[found.lastgroup or 0]))
        at = found.end()
    tokens.append(("", ""))
    try:
        node = _sum(tokens)
    except _NotAFormula:
        return None
    return node if tokens[0] == ("", "") else None


def _sum(tokens: list[tuple[str, str]]) -> Formula:
    node = _product(tokens)
    while tokens[0] in (("sign", "+"), ("sign", "-")):
        _, sign = tokens.pop(0)
        node = Formula(sign, "", (node, _product(tokens)))
    return node


def _product(tokens: list[tuple[str, str]]) -> Formula:
    node = _signed(tokens)
    while tokens[0] in (("sign", "*"), ("sign", "/")):
        _, sign = tokens.pop(0)
        node = Formula(sign, "", (node, _signed(tokens)))
    return node


def _signed(tokens: list[tuple[str, str]]) -> Formula:
    kind, text = tokens.pop(0)
    if kind == "number":
        return Formula(kind, str(int(text, 16)) if text[:2].lower() == "0x" else text)
    if kind == "name":
        if tokens[0] != ("sign", "("):
            return Formula(kind, text)
        tokens.pop(0)
        return Formula("call", text.lower(), _listed(tokens, ")"))
    if text == "-":
        part = _signed(tokens)
        if part.kind == "number":
            return Formula("number", part.text[1:] if part.text[0] == "-" else f"-{part.text}")
        return part.parts[0] if part.kind == "-" and len(part.parts) == 1 else Formula("-", "", (part,))
    if text == "+":
        return _signed(tokens)
    if text in ("(", "{"):
        parts = _listed(tokens, ")" if text == "(" else "}")
        return parts[0] if len(parts) == 1 else Formula("call", "", parts)
    raise _NotAFormula


def _listed(tokens: list[tuple[str, str]], end: str) -> tuple[Formula, ...]:
    """Formulas with commas between them, up to a bracket."""
    found = [_sum(tokens)]
    while tokens[0] == ("sign", ","):
        tokens.pop(0)
        found.append(_sum(tokens))
    if tokens.pop(0) != ("sign", end):
        raise _NotAFormula
    return tuple(found)
