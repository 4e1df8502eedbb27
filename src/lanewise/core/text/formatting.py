"""Layout of source lines: indentation by blocks, comments in columns.

The dialects parse the lines. Comments, blank lines and the order of lines are kept. Formatting a formatted source changes nothing.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

INDENT = "    "
_TAB = 4  # what a tab is worth where the column of a comment is measured


class Line(Record):
    """A line of a source: its code without indentation, its comment with the sign that begins it; both may be empty.

    `closes`: how many blocks end before it; `opens`: whether one starts after it. `flat`: it is at the left margin; `verbatim`: it is
    unchanged, code and comment together in `code`. `base` is the indentation outside of all blocks, `column` the comment's original
    column.
    """

    code: str = ""
    comment: str = ""
    closes: int = 0
    opens: bool = False
    flat: bool = False
    verbatim: bool = False
    base: int = 0
    column: int = 0


def arrange(lines: Sequence[Line]) -> list[str]:
    """The text of each line, without line ends; blank lines at the end are left out."""
    levels = _levels(lines)
    texts = [
        line.code if line.verbatim or not line.code else INDENT * level + line.code
        for line, level in zip(lines, levels, strict=True)
    ]
    found: list[str] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].code and lines[end].comment:
            end += 1
        if end > at:  # a run of lines with trailing comments: in one column, the original one if there is room
            widths = [column_of(text, len(text)) for text in texts[at:end]]
            column = max(1 + max(widths), min(line.column for line in lines[at:end]))
            found += [texts[at + n] + " " * (column - width) + lines[at + n].comment for n, width in enumerate(widths)]
            at = end
            continue
        found.append(texts[at] or (INDENT * levels[at] + lines[at].comment if lines[at].comment else ""))
        at += 1
    while found and not found[-1]:
        found.pop()
    return found


def _levels(lines: Sequence[Line]) -> list[int]:
    """How far each line is indented. A comment on its own goes with the code that follows; before an end, with the block."""
    levels = [0] * len(lines)
    depth = 0
    for n, line in enumerate(lines):
        if line.code:
            depth = max(0, depth - line.closes)
            levels[n] = 0 if line.flat else line.base + depth
            depth += line.opens
    following = 0
    for n in range(len(lines) - 1, -1, -1):
        line = lines[n]
        if line.code:
            following = levels[n] + (1 if line.closes else 0)
        elif line.comment:
            levels[n] = following
    return levels


def column_of(text: str, at: int) -> int:
    """The column of a character where tabs are as wide as an indentation."""
    return len(text[:at].expandtabs(_TAB))


def collapse(text: str) -> str:
    """Runs of blanks and tabs as one blank, none at the ends."""
    return " ".join([part for part in text.replace("\t", " ").split(" ") if part])


def listed(text: str) -> str:
    """A list with a blank after each comma and none before it."""
    return ", ".join([collapse(part) for part in text.split(",")]).rstrip(" ")
