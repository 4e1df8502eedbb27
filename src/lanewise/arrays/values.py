"""Values from the command line: numbers in place, `.npy` and `.npz` arrays, tables of text, meshes, JSON and TOML.

Everything that is wrong with a file or a value is an `InputFailure` that names it; no file can make Python run code.
"""

from __future__ import annotations

import io
import math
import re
from shlex import quote
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from lanewise.arrays.lists import asarray
from lanewise.arrays.other_files import other_kind
from lanewise.arrays.rewriting import rewritten
from lanewise.arrays.text_tables import corrected, how_unlike, number_of, read_table
from lanewise.arrays.words import Words, places_of
from lanewise.core.diagnostics import UNIFORM, InputError, PortableError
from lanewise.core.extras import require_numpy
from lanewise.core.origins import Origin, add_table
from lanewise.core.service import InputFailure
from lanewise.core.suffixes import suffix_of
from lanewise.core.tables import parse
from lanewise.core.text.counting import counted
from lanewise.core.text.numbers import colour_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.arrays.mesh import Mesh
    from lanewise.core.origins import Origins
    from lanewise.core.service import Files
    from lanewise.core.tables import TableReader

_SPECIAL = {"nan": math.nan, "infinity": math.inf, "inf": math.inf, "-infinity": -math.inf, "-inf": -math.inf}
PARQUET = ".parquet"
_HEX = frozenset("0123456789abcdef")
_MOST_LOOKED_AT = 1000  # items of a list
_MOST_COMPONENTS = 4
_LONG = 3  # columns of a table with a row for each number
_NEXT = re.compile(r"[,;\s]\s*(?=[A-Za-z_]\w*=)")  # before another NAME=VALUE
_COMPONENTS = frozenset("xyzwrgbastpquv")


def read_value(
    text: str, what: str, files: Files, mesh: Mesh | None = None, *, by_name: str | None = None
) -> NDArray[Any] | Words:
    """Read a value of the command line as an array. Raises InputFailure.

    `what` names the option in messages.

    `1,2,3;4,5,6` are two rows, one row is a vector; else it is FILE or FILE:KEY, where KEY is an array of an `.npz` or
    columns of a table; `mesh:PROPERTY` of the mesh; `words:` before any of them marks raw words. `by_name` is the input or
    uniform that the value is for: columns of a table that have names go to the components of these names, and of a table with
    columns of others too, such as `normal.x`, it takes its own; of an `.npz` of several arrays, that of its name.
    """
    if text.startswith("words:"):
        inner = text.removeprefix("words:")
        inline = _inline(inner, what, words=True)
        value = inline if inline is not None else read_value(inner, what, files, mesh, by_name=by_name)
        return value if isinstance(value, Words) else Words(_whole(value, what))
    if text.startswith("mesh:"):
        if mesh is None:
            raise InputFailure(f"{what}: '{text}' is of a mesh, and none is given: add --mesh FILE")
        return mesh.read(text.removeprefix("mesh:"), what)
    inline = _inline(text, what)
    if inline is not None:
        return inline
    path, key = split_key(text, files)
    if not files.exists(path):
        first, *others = _NEXT.split(f"{what.partition(' ')[2]}={text}")
        if others and what[:2] == "--":
            option = what.partition(" ")[0]
            each = [
                _argument(f"{option} {name}", value) for name, _, value in (part.partition("=") for part in (first, *others))
            ]
            raise InputFailure(f"{what}: '{text}' is several values: write {' '.join(each)}")
        if suffix_of(path)[1:].isalpha():
            try:
                files.read(path)  # names a file that may be meant
            except InputFailure as error:
                raise InputFailure(f"{what}: {error}") from None
        meant = rewritten(text) or _as_words(text) or _in_text(text, files)
        raise InputFailure(
            f"{what}: '{text}' is neither numbers (1,2,3;4,5,6), true or false, nor a file that exists"
            + (f": write {_argument(what, meant)}" if meant else "")
        )
    return read_array(path, files, key, by_name=by_name)


def origin_of(text: str, files: Files, option: str = "") -> Origin:
    """Where a value of the command line is: the file that it names, or the `option` that gives it."""
    path, _ = split_key(text.removeprefix("words:"), files)
    return Origin(file=path) if files.exists(path) else Origin(option=option)


def _whole(array: NDArray[Any], what: str) -> NDArray[Any]:
    if array.dtype.kind == "f" and array.size:
        numbers = array.reshape(-1).tolist()
        if all(number.is_integer() and abs(number) < 2**53 for number in numbers):
            return asarray([int(number) for number in numbers]).reshape(*array.shape)
    if array.dtype.kind not in "iu" and array.size:
        raise InputFailure(f"{what}: raw words are integers")
    return array


def _inline(text: str, what: str, *, words: bool = False) -> NDArray[Any] | None:
    """Numbers in place: a vector or rows, also in brackets, as Python, JSON, NumPy and MATLAB write them, or in lines; None if
    the text is something else. Raises InputFailure for uneven rows."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        inner = re.sub(r"\]\s*,?\s*\[", ";", text)
        if inner == text.replace("],[", ";") and "," in text:
            inner = inner.replace("\n", " ")  # one list on several lines
        text = re.sub(r"\s*\n\s*", " ", inner) if ";" in inner else inner
        text = text.replace("[", "").replace("]", "").strip()
    text = re.sub(r"[\s;]*\n[\s;]*", ";", text)
    rows: list[list[float]] = []
    for row in text.removesuffix(";").split(";"):
        numbers = (
            [number_of(token, words=words) for token in row.replace(",", " ").split()]
            if "," not in row
            else [number_of(token.strip(), words=words) for token in row.split(",")]
        )
        found = [number for number in numbers if number is not None]
        if not numbers or len(found) != len(numbers):
            return None
        rows.append(found)
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            message = f"{what}: row {number} has {counted(len(row), 'number')}, row 1 has {len(rows[0])}"
            raise InputFailure(f"{message}: {_evened(text, len(rows[0]))}")
    return asarray(rows if len(rows) > 1 else rows[0])


def _evened(text: str, length: int) -> str:
    """The fix of rows of different lengths, which may be numbers with decimal commas."""
    numbers = text.removesuffix(";").split(";")
    if "." not in text and len(numbers) <= _MOST_COMPONENTS and all(number.count(",") <= 1 for number in numbers):
        meant = ",".join([number.strip().replace(",", ".") for number in numbers])
        return f"a comma is between numbers, write {meant} if these are decimal ones"
    return f"`;` begins the next vertex, give {counted(length, 'number')} for each"


def _in_text(text: str, files: Files) -> str:
    """The value of a text that means the identity, or has the name of a file with columns or a scheme; empty for another."""
    if text.lower().partition("(")[0].strip() in ("identity", "eye", "np.eye", "numpy.eye", "mat4", "identity4"):
        return "1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"
    found = re.fullmatch(r"(?:file://|@|\$)?([^\[\](){}?#!, ]+)(?:[\[({?#!: ]+([^\[\](){}]*)[\])}]*)?", text)
    if found is None or not files.exists(found[1]):
        return ""
    columns = re.findall(r"[^\s,'\"]+", found[2] or "")
    return f"{found[1]}:{','.join(columns)}" if columns else found[1]


def _as_words(text: str) -> str:
    """The value of raw words of which some are hexadecimal; empty for another text."""
    tokens = [token.strip() for row in text.split(";") for token in row.split(",")]
    hexadecimal = [is_pattern(token) for token in tokens]
    rest = all(is_word or token.isdecimal() for is_word, token in zip(hexadecimal, tokens, strict=True))
    return f"words:{text}" if any(hexadecimal) and rest else ""


def _argument(what: str, value: str) -> str:
    """The option `what` with a value, in quotes where a shell needs them; the value only where it is not an option's."""
    option, blank, name = what.partition(" ")
    if option[:2] != "--" or not blank:
        return value
    return f'{option} "{name}={value}"' if ";" in value else f"{what}={value}"


def split_key(text: str, files: Files) -> tuple[str, str]:
    """FILE and KEY of `FILE:KEY`; the whole text is a file if there is one of that name. A drive letter is not a file."""
    if files.exists(text):
        return text, ""
    path, colon, key = text.rpartition(":")
    first, _, rest = text.partition(":")
    if first != path and not files.exists(path) and files.exists(first):  # a range of columns
        return first, rest
    return (path, key) if colon and len(path) > 1 else (text, "")


def read_array(path: str, files: Files, key: str = "", *, by_name: str | None = None) -> NDArray[Any]:
    """Read the array in a file. Raises InputFailure.

    The suffix decides: `.npy`, `.npz` (`key` names one of its arrays), `.parquet` is a table (the extra
    `tables`), and otherwise it is a table of text.
    """
    suffix = suffix_of(path)
    data = files.read(path)
    other = other_kind(path, data)
    if other:
        raise InputFailure(other)
    if suffix == ".npz" or data.startswith(b"PK\x03\x04"):
        require_numpy(f"{path}, an .npz file,")
        from lanewise.arrays.npz import read_npz

        return read_npz(data, path, key, by_name or "")
    if suffix == ".npy" or data.startswith(b"\x93NUMPY"):
        if key:
            raise InputFailure(f"{path} holds one array without a name: leave out ':{key}'")
        require_numpy(f"{path}, an .npy file,")
        from lanewise.arrays.npz import read_npy

        return read_npy(io.BytesIO(data), len(data), path)
    if suffix == PARQUET or data.startswith(b"PAR1"):
        if not data.startswith(b"PAR1") and _is_text(data):
            raise InputFailure(
                f"{path} is text, expected a Parquet file: if it is a CSV, rename it to {path[: -len(suffix)]}.csv"
            )
        require_numpy(f"{path}, a Parquet file,")
        from lanewise.arrays.parquet import read_parquet

        names, rows, wrong = read_parquet(data, path)
        return _chosen(names, rows, path, key, by_name=by_name, wrong=wrong)
    table = read_table(data, path)
    if not table.rows:
        raise InputFailure(f"{path} has no rows of numbers{' below its header' if table.columns is not None else ''}")
    return _chosen(table.columns, asarray(table.rows), path, key, by_name=by_name, wrong=table.wrong, convert=table.convert)


def _chosen(
    columns: list[str] | None,
    rows: NDArray[Any],
    path: str,
    key: str,
    *,
    by_name: str | None,
    wrong: Mapping[int, tuple[int, str]] = MappingProxyType({}),
    convert: str = "",
) -> NDArray[Any]:
    """The columns of a table that `key` names, or all; those of the value `by_name` where there are. Raises InputFailure."""
    names = columns if columns is not None else [str(n) for n in range(rows.shape[1])]
    own = _own(names, by_name) if columns is not None and by_name and not key else []
    if not key:
        places = own or list(range(len(names)))
        chosen = [names[place] for place in places]
        try:
            if by_name is not None and columns is not None and not any(place in wrong for place in places):
                order = None if own and "." not in chosen[0] and len(own) == 1 else places_of(chosen)
                places = places if order is None else [places[place] for place in order]
        except ValueError as error:
            listed = _example(chosen if own else [name for n, name in enumerate(names) if n not in wrong])
            if columns is not None and columns[0].lstrip().startswith(("//", "%", "!", "--")):
                comment = f"{path}:1: '{columns[0]}' is no name of a column: a comment begins with #, names with nothing"
                raise InputFailure(f"{comment}: write {','.join([columns[0].lstrip('/%!- '), *columns[1:]])}") from None
            raise InputFailure(f"{path} {error}: choose columns, such as {quote(f'{path}:{listed}')}") from None
    else:
        wanted = [name.strip() for name in key.split(",")]
        for name in wanted:
            if name not in names:
                listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
                meant = _meant_columns(wanted, names, by_name or "")
                fix = f": write {quote(path + ':' + ','.join(meant))}" if meant else f": it has {listed}"
                raise InputFailure(f"{path} has no column '{name}'{fix}")
        places = [names.index(name) for name in wanted]
    for place in places:
        if place in wrong:
            line, text = wrong[place]
            if not line:
                raise InputFailure(_of_type(text, path, names[place], [each for n, each in enumerate(names) if n not in wrong]))
            long = _long(path, columns, wrong)
            if long:
                raise InputFailure(
                    f"{path}:{line}: each row is one number, whose component is in column '{names[place]}': {long}"
                )
            if not place and _is_component(text):
                call = f"`pandas.read_csv({path!r}, index_col=0).T.to_csv('points.csv', index=False)`"
                raise InputFailure(f"{path} has its columns as rows, from '{text}' on: exchange them, {call}")
            fix = _not_a_number(text, path, place, names, wrong, convert)
            cell = f"'{text}'" if text else "the empty cell"
            raise InputFailure(f"{path}:{line}: {cell} in column '{names[place]}' {fix}")
    return rows[:, places]


def _long(path: str, columns: Sequence[str] | None, wrong: Mapping[int, tuple[int, str]]) -> str:
    """The line of Python that makes a row of each vertex of a table with a row for each number; empty for others."""
    if columns is None or len(columns) != _LONG or len(wrong) != 1 or not all(name and not name.isdigit() for name in columns):
        return ""
    ((place, (_, text)),) = wrong.items()
    if text.rpartition(".")[2].lower() not in _COMPONENTS:
        return ""
    index, value = [name for n, name in enumerate(columns) if n != place]
    pivot = f"pivot(index={index!r}, columns={columns[place]!r}, values={value!r})"
    return f"convert the file in Python: `pandas.read_csv({path!r}).{pivot}.to_csv('points.csv', index=False)`"


def _not_a_number(
    text: str, path: str, place: int, names: Sequence[str], wrong: Mapping[int, tuple[int, str]], convert: str
) -> str:
    """The reason and the fix for a cell that is not a number."""
    unlike = how_unlike(text, convert)
    if unlike:
        return unlike
    others = [name for n, name in enumerate(names) if n not in wrong]
    headed = not all(name.isdigit() for name in names)
    # Without a component that is not a number, the others would be in its place.
    correct = corrected(text)
    if headed and others and _letter(names[place]) not in _COMPONENTS:
        return f"is not a number: {correct}, or choose columns, such as {path}:{_example(others)}"
    return f"is not a number: {correct}"


def _of_type(kind: str, path: str, name: str, others: Sequence[str]) -> str:
    """The message about a column of a Parquet file whose type is not one of numbers."""
    if others:
        fix = f"choose columns, such as {path}:{_example(others)}"
    elif "list" in kind:
        fix = "give 1 to 4 numbers in each row, as many in all"
    else:
        fix = f"convert it: `pandas.read_parquet({path!r}).astype({{{name!r}: float}}).to_parquet('numbers.parquet')`"
    return f"{path}: the column '{name[:40]}' has {kind}, expected numbers: {fix}"


def _is_component(text: str) -> bool:
    """Whether a text is the name of a component, such as `position.x`."""
    owner, point, letter = text.rpartition(".")
    return bool(point and owner) and letter.lower() in _COMPONENTS and number_of(text) is None


def _own(names: Sequence[str], value: str) -> list[int]:
    """The places of the columns of a value: by its name before a component, or by its name alone; with or without the 0 of
    `texcoord0`."""
    known = {value, f"{value}0", value.removesuffix("0")} - {""}
    return [
        n
        for n, name in enumerate(names)
        if (name.rpartition(".")[0] in known and _letter(name) in _COMPONENTS)
        or (name in known and name.lower() not in _COMPONENTS)
    ]


def _meant_columns(wanted: Sequence[str], names: Sequence[str], value: str) -> list[str]:
    """The columns whose names differ from those that are wanted by case, spaces or quotes, or the only ones that end in their
    components; none if one has none."""
    found: list[str] = []
    if len(wanted) == 1:
        ends = [each.strip() for each in re.split(r":|-|\.\.", wanted[0])]
        if len(ends) == 2 and all(end in names for end in ends):
            return [*names[names.index(ends[0]) : names.index(ends[1]) + 1]]
        if len(ends) == 2 and all(end.isdecimal() for end in ends) and int(ends[0]) < int(ends[1]) <= len(names):
            return [*names[int(ends[0]) : int(ends[1])]]
        parts = re.split(r"\s*[;| ]\s*", wanted[0])
        if len(parts) > 1 and all(part in names for part in parts):
            return parts
    if all(name.isdecimal() and int(name) < len(names) for name in wanted):
        return [names[int(name)] for name in wanted]
    for owner in (wanted[0] if len(wanted) == 1 else "", value):  # components behind a name, which is that of the value
        of = {each.rpartition(".")[2].lower(): each for each in names if owner and each.rpartition(".")[0] == owner}
        if of and (owner in wanted or all(name.lower() in of for name in wanted)):
            return [of[name.lower()] for name in wanted] if owner not in wanted else [*of.values()]
    for name in wanted:
        plain = name.strip("'\" ").lower()
        alike = [each for each in names if each.strip("'\" ").lower() == plain]
        ending = [each for each in names if plain in _COMPONENTS and re.split(r"[^a-z]", each.lower())[-1] == plain]
        close = alike or ending
        if len(close) != 1:
            return []
        found += close
    return found


def _letter(name: str) -> str:
    return name.rpartition(".")[2].strip().lower()


def _example(names: Sequence[str]) -> str:
    """Columns for a message: those of one value that are called x to w, or x0 to w0, or else the first."""
    numbered = [name for name in names if name[:-1].lower() in ("x", "y", "z", "w") and name[-1:] == "0"]
    if len(numbered) > 1:
        return ",".join(numbered)
    before = [name[:-1].lower() for name in names if name.lower()[-1:] in ("x", "y", "z", "w")]
    prefix = next((each for each in before if before.count(each) > 1), None)
    first = [name for name in names if name[:-1].lower() == prefix and name.lower()[-1:] in ("x", "y", "z", "w")]
    return ",".join((first or names)[:4])


def _is_text(data: bytes) -> bool:
    """Whether a file has text, as far as its beginning shows."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return bool(data) and b"\0" not in data[:4096]


def read_settings(path: str, files: Files, origins: Origins) -> Mapping[str, NDArray[Any]]:
    """Uniforms of a JSON or TOML file: a table of names with numbers, truth values or lists of them. Their places go to
    `origins`. Raises InputFailure, InputError."""
    data, toml = files.read(path), path.lower().endswith(".toml")
    reader, found = parse(data, "<stdin>" if path == "-" else path, toml=toml, what="a table of uniforms with their values")
    for name in (*found, ""):
        origins.pop((UNIFORM, name), None)
    add_table(origins, UNIFORM, reader, tuple(found))
    settings: dict[str, NDArray[Any]] = {}
    if isinstance(found.get("inputs"), dict) or isinstance(found.get("uniforms"), dict):
        fix = f"give it as `--data {path}`, or keep only the table uniforms without its name"
        reader.report("T004", "a data file is given, expected uniforms with their values", fix)
        raise InputError(reader.findings)
    for name, value in found.items():
        try:
            settings[name] = numbers_of(_setting(specials(value), name), name)
        except InputFailure as error:
            fix = "write a number, a list of numbers, or a list of rows"
            reader.report("T004", str(error), fix_of(reader, name, error) or fix, name)
    if reader.findings:
        raise InputError(reader.findings)
    return settings


def _setting(value: object, name: str) -> object:
    """The same value. Raises NotNumbersError for numbers in a text or by components, with those that are meant; for bits."""
    if isinstance(value, str):
        truth = value.lower() in ("true", "false")
        meant = value.lower() == "true" if truth else None if (found := _inline(value, name)) is None else found.tolist()
        if meant is None and (colour := colour_numbers(value)):
            meant = [float(number) for number in colour]
        if meant is not None:
            raise NotNumbersError(f"{name} is a text, expected a number or a list of numbers", instead=_plainly(meant))
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        if "bits" in table:
            raise NotNumbersError(f"{name} has bits, which a data file has", "give it as `--data`, in the table uniforms")
        if [*table] in [[*letters[: len(table)]] for letters in ("xyzw", "rgba")]:
            raise NotNumbersError(f"{name} is a table, expected a list of numbers", instead=[*table.values()])
    return cast("object", value)


def _plainly(value: object) -> object:
    """Whole numbers without a point, also in lists."""
    if isinstance(value, list):
        return [_plainly(each) for each in cast("list[object]", value)]
    return int(value) if isinstance(value, float) and value.is_integer() else value


ROWS = "write a list of rows, such as [[1, 2, 3], [4, 5, 6]]: `frame.to_json(orient='values')` of pandas"


class NotNumbersError(PortableError, InputFailure):
    """A value that is not numbers. `fix` is what to do, or `instead` the value that is meant."""

    def __init__(self, message: str, fix: str = "", instead: object = None) -> None:
        super().__init__(message)
        self.fix: str = fix
        self.instead: object = instead


def numbers_of(value: object, what: str) -> NDArray[Any]:
    """The array of plain values. Raises NotNumbersError, with `what` they are, for what is not numbers in rows of one
    length."""
    try:
        array = asarray(value)
    except (ValueError, OverflowError):
        array = None
    if array is None or array.dtype.kind not in "biuf":
        text = _first_text(value)
        if text is not None and not isinstance(value, str):
            plain = _plain(value)
            if plain is not None:
                raise NotNumbersError(
                    f"{what} has the text '{text[:40]}' in a list of numbers: numbers have no quotes", instead=plain
                )
            if all(isinstance(item, int) or (isinstance(item, str) and is_pattern(item)) for item in _flat(value)):
                hint = "raw words are given as bits"
                raise NotNumbersError(
                    f"{what} has the text '{text[:40]}' in a list of numbers: {hint}", instead={"bits": value}
                )
            raise NotNumbersError(
                f"{what} has the text '{text[:40]}' in a list of numbers", f"write a number in place of '{text[:40]}'"
            )
        raise NotNumbersError(f"{what} {_unlike(value)}", _fix_of(value))
    return array


def is_pattern(text: str) -> bool:
    """Whether a text is a raw word in hexadecimal digits."""
    digits = text.lower().removeprefix("0x")
    return digits != text.lower() and 0 < len(digits) <= 8 and set(digits) <= _HEX


def _plain(value: object) -> object:
    """The numbers of a value with some of them in quotes, perhaps with the `f` of C; None for a text that is none."""
    if isinstance(value, list):
        items = [_plain(item) for item in cast("list[object]", value)]
        return None if None in items else items
    if not isinstance(value, str):
        return value
    number = number_of(value.removesuffix("f") if value[-2:-1].isdigit() or value[-2:-1] == "." else value)
    return int(number) if number is not None and math.isfinite(number) and number.is_integer() else number


def _fix_of(value: object) -> str:
    if isinstance(value, list):
        if any(isinstance(row, dict) for row in cast("list[object]", value)):
            return ROWS
        if None in _flat(cast("object", value)):
            return 'write a number in place of null; "NaN" for one that is no number, which JSON writers leave out so'
        return "give rows of equal length" if any(isinstance(item, list) for item in cast("list[object]", value)) else ""
    return "write a number, or leave the key out" if value is None else ""


def _flat(value: object) -> list[object]:
    if not isinstance(value, list):
        return [value]
    return [each for item in cast("list[object]", value)[:_MOST_LOOKED_AT] for each in _flat(item)]


def _unlike(value: object) -> str:
    """The reason why a value is not numbers, for messages."""
    if value is None or isinstance(value, (dict, str)):
        kind = "null" if value is None else "a text" if isinstance(value, str) else "a table"
        return f"is {kind}, expected a number, a list of numbers, or a list of rows"
    if isinstance(value, list):
        rows = cast("list[object]", value)
        sizes = [len(cast("list[object]", row)) if isinstance(row, list) else 0 for row in rows]
        place = next((n for n, size in enumerate(sizes) if size != sizes[0]), 0)
        if place:
            named = [counted(size, "number") if size else "a single number" for size in (sizes[place], sizes[0])]
            return f"has rows of different lengths: row {place + 1} has {named[0]}, row 1 has {named[1]}"
    if None in _flat(cast("object", value)):
        return "has null in a list of numbers"
    return "is not a number, a list of numbers, or a list of rows of one length"


def fix_of(reader: TableReader, name: str, error: InputFailure) -> str:
    """The fix of a value of a file that is not numbers, in the file's language; empty for none."""
    if not isinstance(error, NotNumbersError):
        return ""
    return error.fix if error.instead is None else reader.write(name, reader.literal(error.instead))


def _first_text(value: object) -> str | None:
    if isinstance(value, list):
        return next((text for item in cast("list[object]", value) if (text := _first_text(item)) is not None), None)
    return value if isinstance(value, str) else None


def specials(value: object) -> object:
    """The same with numbers for the texts that stand for what JSON cannot write."""
    if isinstance(value, list):
        return [specials(item) for item in cast("list[object]", value)]
    return _SPECIAL.get(value.lower(), value) if isinstance(value, str) else value
