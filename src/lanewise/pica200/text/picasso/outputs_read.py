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
    if not first or not written or len(ends) != 1 or free < 0 or ends[0] < places[-1]:
        return finding
    letters = "".join([(found[1] or ".xyzw")[1:] for found in written])
    whole = any(found[1] is None for found in written) or not set(letters) <= set("xyzw") or len(set(letters)) == len("xyzw")
    copy = f"mov {name}{'' if whole else '.' + in_order(letters)}, r{free}"
    edits: list[Edit] = []
    for n in places:
        line = lines[n - 1].rstrip("\r")
        span = Span(file=reader.file, line=n, length=len(name), text=line)
        edits += [Edit(span._replace(column=at.start() + 1), f"r{free}") for at in uses.finditer(line.partition(";")[0])]
    line = lines[ends[0] - 1].rstrip("\r")
    lead = line[: len(line) - len(line.lstrip())]
    edits.append(Edit(Span(file=reader.file, line=ends[0], column=len(lead) + 1, length=0, text=line), f"{copy}\n{lead}"))
    numbers = [str(n) for n in places]
    listed = f"lines {', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else f"line {numbers[0]}"
    if len(numbers) > _MOST_LISTED:
        listed = f"lines {numbers[0]} to {numbers[-1]}"
    fix = f"write r{free} for {name} in {listed}, and `{copy}` before the `{_word(line)}` in line {ends[0]}"
    return finding._replace(fix=fix, edits=tuple(edits))


def _word(line: str) -> str:
    """The first word of a line, in lower case; empty for a comment."""
    return (line.partition(";")[0].split(None, 1) or [""])[0].lower()


__all__ = ["kept_in_a_temporary"]
