"""Expressions as text: which need parentheses, and sums and negations with operators."""

from __future__ import annotations


def is_simple(text: str) -> bool:
    """Whether a text is a name, a member, an element or a call."""
    depth = 0
    for letter in text.replace("->", "."):
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
        elif not depth and not (letter.isalnum() or letter in "_."):
            return False
    return not text.startswith("(")


def bare(text: str) -> str:
    """A text without parentheses around all of it."""
    if not text.startswith("("):
        return text
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return text[1:-1] if place == len(text) - 1 else text
    return text


def negated(text: str) -> str:
    """A negation with an operator of the language."""
    return f"(-{text})"


def added(a: str, b: str) -> str:
    """A sum with operators of the language: a - b is a + -b, also in what it rounds to."""
    first = bare(a) if a.startswith("(-") else a
    return f"({first} - {b[2:-1]})" if b.startswith("(-") and is_simple(b[2:-1]) else f"({first} + {b})"
