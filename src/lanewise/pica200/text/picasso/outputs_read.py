"""An output that is read: the temporary in its place, in all lines of the procedure, and the `mov` that writes the output.

Asked only about sources with errors.
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.text.picasso.operands import in_order

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.text.picasso.reader import Reader

_MOST_LISTED = 4  # lines in a message


def kept_in_a_temporary(reader: Reader, finding: Diagnostic) -> Diagnostic:
    """The finding about an output that is read, with the lines to write where one procedure writes and reads it."""
    span, lines = finding.span, reader.text.split("\n")
    name = re.split(r"[.\[]", span.text[span.column - 1 : span.column - 1 + span.length].lstrip("-"), maxsplit=1)[0].strip()
    first = next((n for n in range(span.line - 1, 0, -1) if _word(lines[n - 1]) == ".proc"), 0)
    last = next((n for n in range(span.line + 1, len(lines) + 1) if _word(lines[n - 1]) == ".proc"), len(lines) + 1)
    uses = re.compile(rf"(?<![\w.$]){re.escape(name)}(?![\w$])")
    places = [n for n in range(first + 1, last) if uses.search(lines[n - 1].partition(";")[0])]
    written = [
        found for n in places if (found := re.match(rf"\s*[a-z]\w*\s+{re.escape(name)}(\.\w+)?\s*,", lines[n - 1], re.I))
    ]
    ends = [n for n in range(first + 1, last) if _word(lines[n - 1]) in ("end", "emit")]
    taken = {int(each) for each in re.findall(r"\br(\d{1,2})\b", reader.text)}
    free = next((number for number in range(15, -1, -1) if number not in taken), -1)
    left = _left(lines[first : last - 1], first + 1, reader.text, span.line)
    if first and written and left is not None:
        number, at = left
        early, late = [n for n in places if n < at], [found for n, found in zip(places, written, strict=False) if n >= at]
        if (
            len(written) == len(places)
            and len(uses.findall("\n".join([lines[n - 1].partition(";")[0] for n in places if n >= at]))) == len(late)
            and _letters(late) >= _letters(written[: len(early)])
        ):
            fix = f"write r{number}, which line {at} reads and no line writes, for {name} in {_listed(early)}"
            return finding._replace(fix=fix, edits=tuple(_replaced(reader, early, uses, name, f"r{number}")))
    if not first or not written or len(ends) != 1 or free < 0 or ends[0] < places[-1]:
        return finding
    letters = "".join(sorted(_letters(written)))
    whole = any(found[1] is None for found in written) or not set(letters) <= set("xyzw") or len(set(letters)) == len("xyzw")
    copy = f"mov {name}{'' if whole else '.' + in_order(letters)}, r{free}"
    edits = _replaced(reader, places, uses, name, f"r{free}")
    line = lines[ends[0] - 1].rstrip("\r")
    lead = line[: len(line) - len(line.lstrip())]
    edits.append(Edit(Span(file=reader.file, line=ends[0], column=len(lead) + 1, length=0, text=line), f"{copy}\n{lead}"))
    fix = f"write r{free} for {name} in {_listed(places)}, and `{copy}` before the `{_word(line)}` in line {ends[0]}"
    return finding._replace(fix=fix, edits=tuple(edits))


def _left(lines: list[str], number: int, text: str, read: int) -> tuple[int, int] | None:
    """The one temporary that lines, counted from `number`, read behind the line `read` and no line of a file writes, and the
    first line that does."""
    written = {int(each) for each in re.findall(r"^\s*(?:\w+:)?\s*(?!cmp\b)[a-z]\w*\s+r(\d{1,2})\b", text, re.I | re.M)}
    found = {
        int(each): n
        for n, line in reversed([*enumerate(lines, number)])
        for each in re.findall(r"\br(\d{1,2})\b", line.partition(";")[0])
        if int(each) not in written
    }
    return next(iter(found.items())) if len(found) == 1 and min(found.values()) > read else None


def _letters(written: list[re.Match[str]]) -> set[str]:
    """The components that lines write."""
    return set("".join([(found[1] or ".xyzw")[1:] for found in written]))


def _replaced(reader: Reader, places: list[int], uses: re.Pattern[str], name: str, new: str) -> list[Edit]:
    """The edits that write another name in lines."""
    edits: list[Edit] = []
    lines = reader.text.split("\n")
    for n in places:
        line = lines[n - 1].rstrip("\r")
        span = Span(file=reader.file, line=n, length=len(name), text=line)
        edits += [Edit(span._replace(column=at.start() + 1), new) for at in uses.finditer(line.partition(";")[0])]
    return edits


def _listed(places: list[int]) -> str:
    """Lines in words."""
    numbers = [str(n) for n in places]
    if len(numbers) > _MOST_LISTED:
        return f"lines {numbers[0]} to {numbers[-1]}"
    return f"lines {', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else f"line {numbers[0]}"


def _word(line: str) -> str:
    """The first word of a line, in lower case; empty for a comment."""
    return (line.partition(";")[0].split(None, 1) or [""])[0].lower()


__all__ = ["kept_in_a_temporary"]
