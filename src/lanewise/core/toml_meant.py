"""Lines that are not TOML: each as TOML has it, which is tried before it is said.

Rows of a table are what other languages, editors and chats make of a line. A row counts where the statement is TOML once it
is applied, alone or after the rows before it.
"""

from __future__ import annotations

import re
import tomllib

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST_LINES, _MOST_LETTERS = 64, 4000  # of a statement that is tried
_BEGINS = re.compile(r"""\s*(\[\[?\s*[A-Za-z"']|[\w"'][\w."' -]*[=:])""")
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)")
_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]")
_TABLES = ("uniforms", "inputs", "outputs")  # which are no lists
_CLOSING = {"[": "]", "{": "}"}


class Meant(Record):
    """The meaning of a line of a file."""

    line: int
    "Number of the line."
    why: str
    "What is wrong with it: a noun phrase."
    fix: str
    "What to do, as an imperative."


def _closed(line: str) -> str:
    """The text with what closes the strings, lists and tables that begin in it."""
    if line.rstrip()[-1:] in _CLOSING:
        return line
    waiting, quote, closed = list[str](), "", ""
    for letter in line:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in _CLOSING:
            waiting.append(_CLOSING[letter])
        elif waiting and letter in "]}":
            letter = waiting.pop()  # noqa: PLW2901
        closed += letter
    line = closed
    comma = waiting and not quote and line.rstrip().endswith(",")
    return (line.rstrip().removesuffix(",") if comma else line) + quote + "".join(reversed(waiting))


def _header(line: str) -> str:
    """A header with as many brackets after the name as before it."""
    found = re.fullmatch(r"\s*(\[+)\s*([^\[\]=]+?)\s*(\]*)\s*", line)
    return line if found is None else f"{found[1][:2]}{found[2]}{']' * len(found[1][:2])}"


def _computed(found: re.Match[str]) -> str:
    """The value of two numbers with a sign between them."""
    first, second = float(found[1]), float(found[3])
    if found[2] == "/":
        return f"{first / second:.9g}" if second else found[0]
    return f"{first * second if found[2] == '*' else first + second if found[2] == '+' else first - second:.9g}"


def _colour(found: re.Match[str]) -> str:
    """The numbers of a colour as HTML writes it."""
    numbers = [f"{int(found[2][at : at + 2], 16) / 255:.3g}" for at in range(0, len(found[2]), 2)]
    return f"{found[1]}[{', '.join(numbers)}]"


_Change = tuple[str, "Callable[[str], str]"]  # what is wrong, and the lines without it


def _row(why: str, pattern: str, new: str | Callable[[re.Match[str]], str]) -> _Change:
    compiled = re.compile(pattern, re.MULTILINE)
    return why, lambda text: compiled.sub(new, text)


_KEY = r"""^([ \t]*[\w."'-]+?)[ \t]*"""
_NUMBER = r"([-+]?\d+(?:\.\d+)?)"
_WORDS = "set|let|var|const|export|def|uniform|in|float|vec[234]|mat[34]|float[234]|int|bool"
_VECTORS = r"(?:[iu]?vec|float|mat|half|np\.array|numpy\.array|np\.float32|array|list|tuple)[234]?(?:x[234])?"
_COMMENT = "a comment that does not begin with #"
_COLON = "a key with its value after a colon"
_QUOTES = "typographic quotes"
_LOGICAL = "true or false in another spelling"
_PARENTHESES = "a list in parentheses"
_ROWS: tuple[_Change, ...] = (
    _row(_QUOTES, "[\u201c\u201d\u201e\u201f\u00ab\u00bb]", '"'),
    _row(_QUOTES, "[\u2018\u2019\u201a\u201b`]", "'"),
    _row("a blank that is not a space", "[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff]", " "),
    _row("a dash for a minus", "[\u2010-\u2015\u2212]", "-"),
    _row("a line of a code block", r"^[ \t]*```.*$", ""),
    _row(_COMMENT, r"^[ \t]*(//|;|--|/\*|%|!|REM\b).*$", ""),
    _row(_COMMENT, r"[ \t]+(//|;|--|/\*)[ \t].*$", ""),
    _row("a semicolon at the end", r"[ \t]*;[ \t]*$", ""),
    _row("a comma at the end", r"^([^=\n]*=.*?)[ \t]*,[ \t]*$", r"\1"),
    _row("a keyword of another language", rf"^[ \t]*(?:(?:{_WORDS})[ \t]+)+(?=[\w.]+\s*[=:])", ""),
    _row("a table of YAML", r"^[ \t]*([A-Za-z_][\w.-]*):[ \t]*$", r"[\1]"),
    _row(_COLON, _KEY + r"(?::=|:)[ \t]*(?=\S)", r"\1 = "),
    _row(_COLON, r"""([{,]\s*["']?\w+["']?)\s*:""", r"\1 ="),
    _row("two signs for =", _KEY + r"(?:==|=>|\+=)[ \t]*", r"\1 = "),
    _row("no = after the key", r"""^([ \t]*[A-Za-z_][\w.]*)[ \t]+(?=[-+.\d"'\[{]|true\b|false\b)""", r"\1 = "),
    _row(_LOGICAL, r"(?<=[=,\[])[ \t]*(?:True|TRUE|yes|Yes|on|On|ON)[ \t]*(?=[,\]}]|$)", " true"),
    _row(_LOGICAL, r"(?<=[=,\[])[ \t]*(?:False|FALSE|no|No|off|Off|OFF)[ \t]*(?=[,\]}]|$)", " false"),
    _row("NaN in another spelling", r"(?<=[=,\[])[ \t]*[-+]?(?:NaN|NAN|Nan)(?=[ \t]*(?:[,\]}]|$))", " nan"),
    _row("infinity in another spelling", r"(?<=[=,\[])[ \t]*([-+]?)(?:Infinity|infinity|Inf|INF|INFINITY)\b", r" \1inf"),
    _row("a key without a value", r"^[^=\n]*=[ \t]*(?:None|null|nil|NULL|undefined)?[ \t]*$", ""),
    _row("a colour of HTML", r"^([^=\n]*=[ \t]*)[\"']?#((?:[0-9A-Fa-f]{2}){3,4})[\"']?[ \t]*$", _colour),
    _row("a decimal comma", r"^([^=\n]*=[ \t]*[-+]?\d+),(\d+)[ \t]*$", r"\1.\2"),
    _row("an expression", rf"(?<![\w.]){_NUMBER}[ \t]*([*/+-])[ \t]*{_NUMBER}(?![\w.])", _computed),
    _row("a number without a digit before the point", r"(?<![\w.])\.(?=\d)", "0."),
    _row("a number without a digit after the point", r"(?<=\d)\.(?![\d\w.])", ".0"),
    _row("a number with a suffix", r"(?<![\w\"'])([-+]?\d+\.?\d*(?:[eE][-+]?\d+)?)[fFhH]\b", r"\1"),
    _row("a number with zeros before it", r"(?<![\w.\"'#])0+(?=[1-9])", ""),
    _row("a vector of another language", rf"\b{_VECTORS}[ \t]*(?=[(\[])", ""),
    _row(_PARENTHESES, r"\([ \t]*(\[.*\])[ \t]*\)", r"\1"),
    _row(_PARENTHESES, r"\(([^()]*)\)", r"[\1]"),
    _row(_PARENTHESES, r"\(([^()]*)\)", r"[\1]"),
    _row("a list in braces", r"\{([^{}=:]*)\}", r"[\1]"),
    _row("a semicolon in a list", r"(?<=[\d\]\"'])[ \t]*;[ \t]*(?=[-+.\d\[\"'])", ", "),
    _row("no comma between two values", r"""(?<=[\d\]"'])[ \t]+(?=[-+.\d\["'])""", ", "),
    _row("no comma between two values", r"""(?<=[\d\]"'])[ \t]*$(?=\n[ \t]*[-+.\d\["'])""", ","),
    _row("a list without brackets", rf"^([^=\n]*=[ \t]*)({_NUMBER}(?:[ \t]*,[ \t]*{_NUMBER})+)[ \t]*$", r"\1[\2]"),
    _row("two commas", r",(\s*,)+", ","),
    _row("a comma before the end of a table", r",\s*\}", " }"),
    _row("a table in braces on several lines", r"\s*\n\s*", " "),
    _row("quotes in a text", r"""^([^=\n]*=[ \t]*)"([^'\n]*"[^'\n]*)"[ \t]*$""", r"\1'\2'"),
    _row("a backslash", r"\\", "/"),
    ("brackets that are not closed", _header),
    ("a text, list or table that is not closed", _closed),
)
_LAST: tuple[_Change, ...] = (  # which would make TOML of anything
    _row("a text without quotes", r"""^([^=\n]*=[ \t]*)["']?([A-Za-z./~][^"\n\[\](){}]*?)["']?[ \t]*$""", r'\1"\2"'),
    _row("a key with other letters than A to Z, 0 to 9, _ and -", r"^[ \t]*([^\"'=\[#\n]*[^\"'=\[#\s])[ \t]*=", r'"\1" ='),
)


def meant(text: str, message: str) -> Meant | None:
    """The meaning where an error of `tomllib` says that a text is not TOML; None where it is unknown."""
    place = _PLACE.search(message)
    rows = text.splitlines()
    at = min(int(place[1]), len(rows)) - 1 if place is not None else len(rows) - 1
    if at < 0:
        return None
    if message.startswith("Cannot "):
        return _again(rows, at, message)
    for first, statement in _statements(rows, at):
        for why, changed in _changed("\n".join(statement)):
            if _is_toml(changed):
                lines = changed.split("\n")
                number = next((n for n, (old, new) in enumerate(zip(statement, lines, strict=False)) if old != new), 0)
                fix = f"write `{lines[number].strip()}`" if lines[number].strip() else "remove the line"
                return Meant(line=first + number + 1, why=why, fix=fix + " on one line" * (len(lines) < len(statement)))
    return None


def _name(text: str) -> str:
    """The name in a header without its quotes and blanks."""
    return re.sub(r"[\s\"']", "", text)


def _again(rows: list[str], at: int, message: str) -> Meant | None:
    """The fault of a key or a table that is there a second time."""
    row = rows[at].strip()
    found = _HEADER.match(row)
    if found is not None:
        several, name = len(found[1]) > 1, _name(found[2])
        headers = [(n, len(each[1]), _name(each[2])) for n in range(at) if (each := _HEADER.match(rows[n]))]
        known = "." not in name and name not in _TABLES
        same = next((n for n, count, other in headers if other == name and (count > 1) != several), -1)
        if same >= 0 and several:
            why = f"[{name}] is one table, and line {at + 1} has one more"
            fix = f"write [[{name}]] here too" if known else f"put its keys below line {same + 1}"
            return Meant(line=(same if known else at) + 1, why=why, fix=fix)
        if same >= 0:
            why = f"[[{name}]] of line {same + 1} is a list of tables"
            fix = (
                f"write [[{name}]] here too"
                if known
                else f"write [{name}] in line {same + 1}, and below it the keys of line {at + 1}"
            )
            return Meant(line=at + 1, why=why, fix=fix)
        part = next((n for n, _, other in headers if other.startswith(f"{name}.")), -1)
        if several and part >= 0:
            why = f"[{_name(rows[part].strip(' []'))}] is of one table, and line {at + 1} begins a list of them"
            return Meant(line=part + 1, why=why, fix=f"write [[{name}]] in the line before it, or move it below line {at + 1}")
        key = re.compile(rf"\s*{re.escape(name)}\s*[=.]")
        dotted = next((n for n in range(headers[0][0] if headers else at) if key.match(rows[n])), -1)
        if several and dotted >= 0 and "." not in name:
            why = f"{name} has a value here, and line {at + 1} begins a list of tables"
            own = rows[dotted].partition("=")[0].strip()
            inside = own.partition(".")[2] or "its keys"
            return Meant(line=dotted + 1, why=why, fix=f"write [[{name}]], and below it {inside}")
        before = max((n for n, count, other in headers if other == name and count == 1), default=-1)
        if before < 0:
            last = name.rpartition(".")[2]
            before = next((n for n in range(at - 1, -1, -1) if re.match(rf"\s*{re.escape(last)}\s*[=.]", rows[n])), -1)
            why = f"{last} is in line {before + 1} too"
            return Meant(line=at + 1, why=why, fix="put its keys into one of them") if before >= 0 else None
        lists = [other for n, count, other in headers if n > before and count > 1]
        below = f"put its keys below line {before + 1}"
        fix = f"{below}, or write [[{name}]] each time for a list of tables" if known else below
        parent = name.rpartition(".")[0]
        if lists and not parent:
            fix = f"write [{lists[-1]}.{name}] for the [[{lists[-1]}]] above, or {below}"
        return Meant(line=at + 1, why=f"the table [{name}] is in line {before + 1} too", fix=fix)
    key = row.partition("=")[0].strip()
    before = next((n for n in range(at - 1, -1, -1) if rows[n].partition("=")[0].strip() == key), -1)
    if "overwrite" not in message or not key or before < 0 or any(rows[n].lstrip()[:1] == "[" for n in range(before, at)):
        return None
    return Meant(line=at + 1, why=f"the key {key} is in line {before + 1} too", fix="remove one of them")


def _statements(rows: list[str], at: int) -> Iterator[tuple[int, list[str]]]:
    """The lines that may be the statement with an error, with the number of the first: its line, the lines to it from where a
    statement begins, these with those that follow to the next statement, and the statement before."""
    first = at
    while first > max(0, at - _MOST_LINES) and not _BEGINS.match(rows[first]):
        first -= 1
    before = max(first - 1, 0)
    while before > max(0, at - _MOST_LINES) and not _BEGINS.match(rows[before]):
        before -= 1
    last = at + 1
    while last < min(len(rows), at + _MOST_LINES) and not _BEGINS.match(rows[last]):
        last += 1
    end = last
    while end < min(len(rows), at + _MOST_LINES) and rows[end - 1].strip() not in ("}", "]"):
        end += 1
    for begin, stop in dict.fromkeys([(at, at + 1), (first, last), (before, first), (before, at + 1), (first, end)]):
        lines = rows[begin:stop]
        while lines and not lines[-1].strip():
            lines.pop()
        if lines and sum(map(len, lines)) <= _MOST_LETTERS and not _is_toml("\n".join(lines)):
            yield begin, lines


def _changed(statement: str) -> Iterator[tuple[str, str]]:
    """The statement with one row of the table applied, then with those rows together that change something."""
    text, first = statement, ""
    for rows in (_ROWS, _LAST):
        for why, change in rows:
            changed = change(statement)
            if changed != statement:
                yield why, changed
        for why, change in rows:
            changed = change(text)
            if changed != text:
                text, first = changed, first or why
                yield first, text


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


__all__ = ["Meant", "meant"]
