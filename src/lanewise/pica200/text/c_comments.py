"""Comments of C, `/* ... */`, in languages whose comments end with the line: a finding for each, and the text without them."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic, Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

_BEGIN, _END = "/*", "*/"


def without_comments(file: str, text: str, marks: Sequence[str]) -> tuple[str, list[Diagnostic]]:
    """A text with blanks in the place of its comments of C, and what is to be said of them.

    `marks` begin comments of the language, the usual one first.
    """
    lines, found = text.split("\n"), list[Diagnostic]()
    number, ending = 0, True
    while number < len(lines):
        line = lines[number]
        at = line.find(_BEGIN)
        if at < 0 or '"' in line[:at] or any(0 <= line.find(mark) <= at for mark in marks):
            number += 1
            continue
        last, end = number, line.find(_END, at + 2)
        while ending and end < 0 and last + 1 < len(lines):
            last += 1
            end = lines[last].find(_END)
        if end < 0:  # it has no end, nor has a later one: of the line alone
            ending = False
            last, end = number, len(line.rstrip("\r"))
        else:
            end += 2
        found.append(_finding(file, lines, (number, at), (last, end), marks[0]))
        for n in range(number, last + 1):
            begin, stop = at if n == number else 0, end if n == last else len(lines[n])
            lines[n] = lines[n][:begin] + " " * (stop - begin) + lines[n][stop:]
        number = last  # there may be another one
    return "\n".join(lines), found


def _finding(file: str, lines: Sequence[str], begin: tuple[int, int], end: tuple[int, int], mark: str) -> Diagnostic:
    (first, at), (last, stop) = begin, end
    edits: list[Edit] = []
    for n in range(first, last + 1):
        line = lines[n].rstrip("\r")
        start, close = at if n == first else len(line) - len(line.lstrip()), stop if n == last else len(line)
        content = line[start:close].removeprefix(_BEGIN).removesuffix(_END).strip()
        after = line[close:].strip()
        place = Span(file=file, line=n + 1, column=start + 1, length=close - start, text=line)
        if not after:
            edits.append(Edit(place, f"{mark} {content}".rstrip()))
        elif first == last:
            edits.append(Edit(place, ""))
        else:
            edits.append(Edit(place, f"{mark} {content}\n"))
    written = edits[0].text
    fix = f"write `{written}`" if written else "remove it"
    if last > first:
        more = f", and put what follows `{_END}` in another line" if lines[last][stop:].strip() else ""
        fix = f"begin each line, {first + 1} to {last + 1}, with `{mark}`{more}"
    place = Span(file=file, line=first + 1, column=at + 1, length=2, text=lines[first].rstrip("\r"))
    return Diagnostic(
        code="P008",
        severity=ERROR,
        message=f"'{_BEGIN}' does not begin a comment: comments begin with `{mark}` and end with the line",
        span=place,
        fix=fix,
        edits=tuple(edits),
    )
