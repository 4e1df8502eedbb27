"""Tables of text: CSV and other rows of numbers, with a header or without. What spreadsheets of other countries write in them
is an error with the line of Python that converts the file."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.service import InputFailure
from lanewise.core.text.counting import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

TRUTH = {"true": 1.0, "false": 0.0, "on": 1.0, "off": 0.0, "yes": 1.0, "no": 0.0}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")  # byte order marks
_SHORT = 7  # bytes that do not show an encoding
_HEAD = 12  # lines in which a table begins
_MOST_TEXTS = 1000  # cells that are not numbers, of which the signs of numbers are read
# A number as spreadsheets of some countries show it, with signs between thousands or a decimal comma.
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:[,.'’\s]\d{3})+(?:[.,]\d+)?|[-+]?\d+,\d+(?:[eE][-+]?\d+)?")
_WITH_UNIT = re.compile(r"[$€£¥]?\s*(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(?:[a-zA-Zµ%°€$£¥]{1,4})?")
_DATE = re.compile(r"\d{4}-\d\d?-\d|\d\d?[./]\d\d?[./]\d\d|\d\d?:\d\d")
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]{1,8}")
_MISSING = frozenset(("", "na", "n/a", "null", "none", "nil", "-", "--", "?", "missing", "nat"))
_UNIT = re.compile(r"[\[(<{].*[\])>}]|[mckµu]?m|deg|rad|s|%|-|")


class Table(NamedTuple):
    """A table of text: names of the columns, or None without a header; rows of numbers of equal length. `wrong` has by column
    the line and the text of the first cell that is not a number, which is NaN in its row; `convert` is the line of Python that
    reads the file and writes what is read here, empty where none is known."""

    columns: list[str] | None
    rows: list[list[float]]
    wrong: Mapping[int, tuple[int, str]]
    convert: str


def number_of(token: str, *, words: bool = False) -> float | None:
    """A number or truth value of a table or a command line; None for another text. `words`: a whole number, of any base."""
    if words:
        try:
            value = int(token, 0)
        except ValueError:
            return None
        return value if abs(value) < 2**62 else None
    if token.lower() in TRUTH:
        return TRUTH[token.lower()]
    try:
        return None if "_" in token else float(token)
    except ValueError:
        return None


def read_table(data: bytes, path: str) -> Table:
    """Rows of numbers, with a header if the first row has anything else. Empty lines and those that begin with # are left
    out. Raises InputFailure."""
    lines = [
        (number, line)
        for number, line in enumerate(_text(data, path).splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    delimiter = next((mark for mark in "\t;," if lines and mark in lines[0][1]), "")
    if not delimiter and len(lines) > 1 and len(lines[0][1].split()) != len(lines[-1][1].split()):  # a title above a table
        delimiter = next((mark for mark in "\t;," if mark in lines[1][1] and mark in lines[-1][1]), "")
    if not delimiter:
        other = next((mark for mark in "|:" if lines and all(mark in line for _, line in lines[:_HEAD])), "")
        if other:
            call = _conversion(path, other, [], [])
            raise InputFailure(f"{path}: columns are between '{other}', expected commas: convert the file in Python: {call}")
    cells = [_cells(line, delimiter, f"{path}:{number}") for number, line in lines]
    above = _above(cells[:_HEAD])
    if above > 1:
        _refuse(cells, [number for number, _ in lines], above, path, delimiter)
    columns: list[str] | None = None
    rows: list[list[float]] = []
    wrong: dict[int, tuple[int, str]] = {}
    texts: set[str] = set()
    width = len(cells[0]) if cells else 0
    for place, ((number, _), row) in enumerate(zip(lines, cells, strict=True)):
        found = [number_of(cell) for cell in row]
        if place == 0 and None in found:
            columns = row
            continue
        if len(row) != width:
            where = f"{path}:{number}: {counted(len(row), 'column')}, expected {width} as in line {lines[0][0]}"
            after = row[width:] == [""] and place
            few = f": give {width} numbers, or remove the row" if len(row) < width else ": remove what is too much"
            printed = not delimiter and place and columns is not None and len(row) == width + 1 and row[0].isdecimal()
            if printed:
                how = "`frame.to_csv('points.csv', index=False)`"
                raise InputFailure(f"{path} is a frame as pandas prints it, with the numbers of rows: write it with {how}")
            raise InputFailure(where + (": remove what is after the last number of each row" if after else few))
        if None in found:
            for column, value in enumerate(found):
                if value is None:
                    wrong.setdefault(column, (number, row[column][:40]))
                    if len(texts) < _MOST_TEXTS:
                        texts.add(row[column])
        rows.append([math.nan if value is None else value for value in found])
    return Table(columns, rows, wrong, _conversion(path, delimiter, [], texts) if any(map(_GROUPED.fullmatch, texts)) else "")


def how_unlike(text: str, convert: str) -> str:
    """The reason why a cell of a spreadsheet is not a number here, and how to `convert` the file; empty for other texts."""
    if not convert or not _GROUPED.fullmatch(text):
        return ""
    what = "signs between thousands" if "decimal=" not in convert else "a decimal comma, expected a point"
    return f"has {what}: convert the file in Python: {convert}"


def corrected(text: str) -> str:
    """The fix of a cell that is not a number, as an imperative."""
    if text.strip("'\"").lower() in _MISSING or text.startswith("#"):
        return "write a number, or nan, or remove such rows, `frame.dropna()` of pandas"
    if _DATE.match(text):
        return "write a number, such as seconds from the first"
    if text.startswith(("[", "(")):
        return "write each number in a column, such as position.x, position.y and position.z"
    plain = respelt(text)
    number = _WITH_UNIT.fullmatch(text) if not plain else None
    if plain or number is not None:
        return f"write {plain or (number['number'] if number is not None else '')}"
    return "save the values in place of formulas" if text.startswith("=") else "write a number, or remove the row"


def respelt(token: str) -> str:
    """A number that is in percent, a fraction, or hexadecimal, as it is written here; empty for other texts."""
    above, bar, below = token.partition("/")
    number = number_of(token[:-1].strip()) if token[-1:] == "%" else None
    if number is not None:
        return f"{number / 100:g}"
    if bar and above.isdigit() and below.isdigit() and int(below):
        return f"{int(above) / int(below):.6g}"
    return str(int(token, 16)) if _HEXADECIMAL.fullmatch(token) else ""


_FLOAT = 4  # bytes


def _text(data: bytes, path: str) -> str:
    """The text of a file: UTF-8, or UTF-16 with its mark, as "Unicode text" of spreadsheets is. Raises InputFailure."""
    try:
        if data.startswith(_UTF16):
            return data.decode("utf-16")
        if b"\0" not in data[:4096]:
            return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    even, odd = data[:4096:2].count(0), data[1:4096:2].count(0)
    if 0 in (even, odd) and max(even, odd) * 3 > len(data[:4096]) > _SHORT:
        form = "UTF-16LE" if odd else "UTF-16BE"
        raise InputFailure(f"{path} is text in UTF-16, expected UTF-8: `iconv -f {form} -t UTF-8 {path} > {_renamed(path)}`")
    line = data.count(b"\n", 0, _first_wrong(data)) + 1
    if b"\0" not in data and _is_printed(data):
        fix = f"`iconv -f WINDOWS-1252 -t UTF-8 {path} > {_renamed(path)}`, or save it as UTF-8"
        raise InputFailure(f"{path}:{line}: a character is not in UTF-8: {fix}")
    fix = ""
    if len(data) % _FLOAT == 0:  # as `tofile` of NumPy writes them
        folder, slash, name = path.rpartition("/")
        saved = f"{folder}{slash}{name.partition('.')[0]}.npy"
        fix = f"; of raw float32, `numpy.save({saved!r}, numpy.fromfile({path!r}, numpy.float32).reshape(-1, 3))`"
    raise InputFailure(f"{path} is not text: expected .npy, .npz, or a table of numbers, such as CSV{fix}")


def _first_wrong(data: bytes) -> int:
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return error.start
    return 0


def _is_printed(data: bytes) -> bool:
    """Whether bytes are a text of one byte a character, without control characters, and mostly ASCII."""
    head = data[:4096]
    high = sum(byte >= 0x80 for byte in head)
    return all(byte >= 0x20 or byte in b"\t\n\r\f" for byte in head) and high * 4 < len(head)


def _renamed(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}utf8-{name}"


def _cells(line: str, delimiter: str, where: str) -> list[str]:
    if not delimiter:
        return line.split()
    import csv

    try:
        cells = [cell for row in csv.reader([line], delimiter=delimiter) for cell in row]
    except csv.Error as error:
        raise InputFailure(f"{where}: {error}") from None
    return [cell.strip() for cell in cells]


def _above(rows: Sequence[Sequence[str]]) -> int:
    """How many rows without a number are above the first row that is mostly numbers; 0 where there is none."""
    for place, row in enumerate(rows):
        numbers = sum(number_of(cell) is not None or _GROUPED.fullmatch(cell) is not None for cell in row)
        if numbers and 2 * numbers >= len(row):
            return place
        if numbers and len(row) > 1:
            return 0
    return 0


def _refuse(cells: Sequence[list[str]], lines: Sequence[int], above: int, path: str, delimiter: str) -> None:
    """Raise InputFailure for a table with more than a header above its numbers: a title, or units below the names."""
    width = len(cells[above])
    names = next(
        (n for n in range(above) if len(cells[n]) == width and all(cells[n]) and not all(map(_UNIT.fullmatch, cells[n]))), -1
    )
    if names < 0 or not all(all(map(_UNIT.fullmatch, cells[n])) for n in range(names + 1, above)):
        return
    others = [lines[n] for n in range(above) if n != names]
    which, verb, them = ("lines", "have", "them") if len(others) > 1 else ("line", "has", "it")
    texts = {cell for row in cells[above:] for cell in row if number_of(cell) is None}
    call = _conversion(path, delimiter, [line - 1 for line in others], texts)
    raise InputFailure(
        f"{path}:{lines[names]}: the names are {', '.join(cells[names][:6])}, and {which} {' and '.join(map(str, others))} "
        f"{verb} neither names nor numbers: remove {them}, or convert the file: {call}"
    )


def _marks(texts: Iterable[str], delimiter: str) -> tuple[str, str]:
    """The signs of a decimal point and between thousands in texts of numbers; a point and none where they are usual."""
    found = [text for text in texts if _GROUPED.fullmatch(text)]
    both = next((text for text in found if "," in text and "." in text), "")
    if both:
        decimal = max(",.", key=both.rfind)
        return decimal, "." if decimal == "," else ","
    mark = re.search(r"['’\s]", "".join(found))
    if mark:
        return "," if any("," in text for text in found) else ".", mark[0]
    grouped = next((text for text in found if re.fullmatch(r"[-+]?\d{1,3}([,.])\d{3}(?:\1\d{3})+", text)), "")
    if grouped:
        mark = re.search(r"[,.]", grouped)
        return (".", mark[0]) if mark else (".", "")
    commas = [text for text in found if "," in text]
    if commas and delimiter == "," and all(re.fullmatch(r"[-+]?\d{1,3},\d{3}", text) for text in commas):
        return ".", ","  # in quotes in a file of commas, whose country has a decimal point
    return ("," if commas else "."), ""


def _conversion(path: str, delimiter: str, skipped: Sequence[int], texts: Iterable[str]) -> str:
    """The line of Python that writes a table as it is read here."""
    decimal, thousands = _marks(texts, delimiter)
    settings = {"sep": delimiter if delimiter else r"\s+"} if delimiter != "," else {}
    options = [repr(path), *[f"{name}={value!r}" for name, value in settings.items()]]
    if skipped:
        options.append(f"skiprows={list(skipped)}")
    if decimal != ".":
        options.append(f"decimal={decimal!r}")
    if thousands:
        options.append(f"thousands={thousands!r}")
    return f"`pandas.read_csv({', '.join(options)}).to_csv('points.csv', index=False)`"


__all__ = ["TRUTH", "Table", "corrected", "how_unlike", "number_of", "read_table", "respelt"]
