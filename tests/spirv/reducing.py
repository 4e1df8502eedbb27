"""Reduce a source that shows a fault: fewer lines and blocks, then smaller expressions. What is not GLSL any more is refused by
the compiler outside, as not faulty."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

TRIALS = 500
_OPERATORS = tuple(
    f" {item} " for item in ("+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "^^", "?", ":")
)


def reduced(text: str, faulty: Callable[[str], bool], trials: int = TRIALS) -> str:
    """The text with as little as removing parts finds, while the fault stays; `trials` bounds the calls of `faulty`."""
    left = trials

    def still(lines: Sequence[str]) -> bool:
        nonlocal left
        left -= 1
        return left >= 0 and faulty("\n".join(lines) + "\n")

    lines, before = text.splitlines(), None
    while lines != before and left > 0:
        before = lines
        lines = _fewer(lines, still)
        lines = _simpler(lines, still)
    return "\n".join(lines) + "\n"


def _fewer(lines: list[str], still: Callable[[Sequence[str]], bool]) -> list[str]:
    start = len(lines) - 1
    while start > 0:
        for candidate in _without(lines, start):
            if still(candidate):
                lines = candidate
                break
        start = min(start, len(lines)) - 1
    return lines


def _without(lines: list[str], start: int) -> Iterator[list[str]]:
    """Without the block that a line opens, without its head and its end only, without the line."""
    end = block_end(lines, start)
    if end > start:
        yield [*lines[:start], *lines[end + 1 :]]
        yield [*lines[:start], *lines[start + 1 : end], *lines[end + 1 :]]
    else:
        yield [*lines[:start], *lines[start + 1 :]]


def block_end(lines: Sequence[str], start: int) -> int:
    """The line that ends the block of a line; the line itself, if it opens none."""
    depth = 0
    for number in range(start, len(lines)):
        depth += lines[number].count("{") - lines[number].count("}")
        if depth <= 0:
            return number
    return start


def _simpler(lines: list[str], still: Callable[[Sequence[str]], bool]) -> list[str]:
    for number in range(len(lines) - 1, 0, -1):
        changed = True
        while changed:
            changed = False
            for line in parts(lines[number]):
                if still([*lines[:number], line, *lines[number + 1 :]]):
                    lines = [*lines[:number], line, *lines[number + 1 :]]
                    changed = True
                    break
    return lines


def parts(line: str) -> Iterator[str]:
    """The line with a call or a group replaced by one of its operands, the outer ones first."""
    for start, character in enumerate(line):
        if character != "(":
            continue
        end = _closing(line, start)
        name = start
        while name and (line[name - 1].isalnum() or line[name - 1] == "_"):
            name -= 1
        if end < 0 or line[name:start] in {"layout", "main"} or line[:start].endswith("for "):
            continue
        if line[:start].endswith(("if ", "while ", "switch ")):
            inner = line[start + 1 : end]
            yield from (line[: start + 1] + operand + line[end:] for operand in _operands(inner) if operand != inner)
            continue
        for operand in _operands(line[start + 1 : end]):
            if operand:
                yield line[:name] + operand + line[end + 1 :]


def _closing(line: str, start: int) -> int:
    depth = 0
    for place in range(start, len(line)):
        depth += (line[place] in "([") - (line[place] in ")]")
        if not depth:
            return place
    return -1


def _operands(inner: str) -> list[str]:
    """What commas and operators separate, outside of parentheses."""
    found: list[str] = []
    depth, place, last = 0, 0, 0
    while place < len(inner):
        depth += (inner[place] in "([") - (inner[place] in ")]")
        if not depth:
            mark = "," if inner[place] == "," else next((item for item in _OPERATORS if inner.startswith(item, place)), "")
            if mark:
                found.append(inner[last:place].strip())
                last = place + len(mark)
                place = last
                continue
        place += 1
    return [*found, inner[last:].strip()]
