"""Layout of source lines: indentation by blocks, comments in columns.

The languages parse the lines. Comments, blank lines and the order of lines are kept. Formatting a formatted source changes
nothing.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_TAB = 4  # what a tab is worth where the column of a comment is measured
_WIDEST = 16
DEEPEST = 15  # levels of blocks that are indented, as Wine's disassembler does: each line of deep nesting would be longer
_BLANKS = " \t"


class Indent(Record):
    """How far a block is indented, and whether columns made by hand are kept.

    `columns`: two blanks or more, and tabs, between the words of a line and before its comment are kept, and comments on their
    own far to the right. Otherwise one blank separates words, and the comments of adjacent lines are in one column.
    """

    unit: str = "    "
    columns: bool = False


BLANKS = Indent()
TAB = Indent("\t", columns=True)


def indent_named(text: str) -> Indent:
    """The indentation of an option or a setting: `tab`, which keeps columns made by hand, or a number of blanks. Raises
    ValueError."""
    if text == "tab":
        return TAB
    if text.isascii() and text.isdecimal() and 1 <= int(text[:4]) <= _WIDEST:
        return Indent(" " * int(text))
    raise ValueError(f"unknown indentation '{text}': use tab, or 1 to {_WIDEST} blanks")


class Line(Record):
    """A line of a source. Code and comment may be empty."""

    code: str = ""
    "Text without indentation and comment; with the comment in a `verbatim` line."
    comment: str = ""
    "Text from the sign that begins the comment."
    closes: int = 0
    "Number of blocks that end before the line."
    opens: bool = False
    "A block begins after the line."
    flat: bool = False
    "The line is at the left margin."
    verbatim: bool = False
    "The line is unchanged."
    base: int = 0
    "Levels of indentation outside of all blocks."
    column: int = 0
    "Original column of the comment."
    written: str = ""
    "The line before formatting."


def format_text(text: str, read_line: Callable[[str], Line], indent: Indent = BLANKS) -> str:
    """A source with its lines arranged; `read_line` parses a line without its end, and is called for each in order.

    Each line keeps its end, LF or CR LF. A text with a byte 0 comes back unchanged.
    """
    if "\0" in text:
        return text
    lines = [line.rstrip("\r") for line in text.split("\n")]
    return with_ends(arrange([read_line(line)._replace(written=line) for line in lines], indent), text)


def with_ends(lines: Iterable[str], text: str) -> str:
    """Lines with the ends that the lines of a text have; a last one without an end gets that of the first."""
    ends = ["\r\n" if line.endswith("\r") else "\n" for line in text.split("\n")]
    ends[-1] = ends[0]
    return "".join([line + end for line, end in zip(lines, ends, strict=False)])


def arrange(lines: Sequence[Line], indent: Indent = BLANKS) -> list[str]:
    """The text of each line, without line ends; blank lines at the end are left out."""
    levels = _levels(lines)
    if indent.columns:
        lines = [line if line.verbatim else line._replace(code=_with_columns(line.code, line.written)) for line in lines]
    texts = [
        line.code if line.verbatim or not line.code else indent.unit * level + line.code
        for line, level in zip(lines, levels, strict=True)
    ]
    kept = _hanging(lines, levels) if indent.columns else {}
    found: list[str] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].code and lines[end].comment:
            end += 1
        if end > at and indent.columns:
            found += [texts[n] + _gap(lines[n]) + lines[n].comment for n in range(at, end)]
            at = end
            continue
        if end > at:  # a run of lines with trailing comments: in one column, the original one if there is room
            widths = [column_of(text, len(text)) for text in texts[at:end]]
            column = max(1 + max(widths), min(line.column for line in lines[at:end]))
            found += [texts[at + n] + " " * (column - width) + lines[at + n].comment for n, width in enumerate(widths)]
            at = end
            continue
        found.append(texts[at] or (kept.get(at) or indent.unit * levels[at] + lines[at].comment if lines[at].comment else ""))
        at += 1
    while found and not found[-1]:
        found.pop()
    return found


def _with_columns(code: str, written: str) -> str:
    """The code with the blanks of the line as it was written where they are a column: more than one blank, or a tab."""
    original = written.lstrip(_BLANKS)
    parts: list[str] = []
    end = at = 0  # of what is copied from the code, and of its counterpart
    for n, character in enumerate(code):
        if character in _BLANKS:
            continue
        start = at
        while at < len(original) and original[at] in _BLANKS:
            at += 1
        if original[at : at + 1].lower() != character.lower():
            return code  # they differ in more than blanks and case
        blanks = original[start:at]
        parts += [blanks if n and (len(blanks) > 1 or "\t" in blanks) else code[end:n], character]
        end, at = n + 1, at + 1
    return "".join(parts)


def _hanging(lines: Sequence[Line], levels: Sequence[int]) -> dict[int, str]:
    """Lines of comments in a column of their own: two levels or more to the right of where they and the code that follows would
    be."""
    found: dict[int, str] = {}
    following = 0
    for n in range(len(lines) - 1, -1, -1):
        line = lines[n]
        if line.code:
            following = _margin(line)
        elif line.comment and _margin(line) >= max(following, levels[n] * _TAB) + 2 * _TAB:
            found[n] = line.written.rstrip()
    return found


def _margin(line: Line) -> int:
    """The column in which a line began."""
    return column_of(line.written, len(line.written) - len(line.written.lstrip(_BLANKS)))


def _gap(line: Line) -> str:
    """The blanks before the comment of a line as it was written; at least one."""
    before = line.written.rstrip().removesuffix(line.comment)
    return before[len(before.rstrip(_BLANKS)) :] or " "


def _levels(lines: Sequence[Line]) -> list[int]:
    """How far each line is indented. A comment on its own goes with the code that follows; before an end, with the block."""
    levels = [0] * len(lines)
    depth = 0
    for n, line in enumerate(lines):
        if line.code:
            depth = max(0, depth - line.closes)
            levels[n] = 0 if line.flat else line.base + min(depth, DEEPEST)
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
