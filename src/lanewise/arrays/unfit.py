"""Values that are not numbers in rows, and columns that name no input: what they are, and the fix in Python.

All is of a value that has been refused, so that it may take its time.
"""

from __future__ import annotations

import re
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lanewise.core.diagnostics import ERROR, VERTEX, About, Diagnostic, InputError
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.core.text.numbers import colour_numbers
from lanewise.core.text.suggestions import near

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

RAGGED = "give rows of equal length"
_MOST_LOOKED_AT = 1 << 20  # values of an array of objects
_MOST_LISTED = 12
_MOST_SHOWN = 16  # numbers
_WIDEST = 8  # of two inputs side by side
_NUMBERS = "[1, 2, 3]"
_MOST_MARKS = 8  # texts that stand for missing values
_SECONDS = "(values - values.min()) / numpy.timedelta64(1, 's')"
_MISSING = "give a number there, or leave the row out"
_TEXT = "give numbers in place of texts, such as the code of each: `pandas.factorize(values)[0]`"
_COMMA = "these are decimal commas: read the file with `pandas.read_csv(..., sep=';', decimal=',')`"
_MISSING_IN_FRAME = "give a value, such as `frame.fillna(0)`, or leave such rows out, `frame.dropna()`"
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d*)?")
_LETTERS = "xyzw"
_COLORS = "rgba"


class Unfit(NamedTuple):
    """The predicate of a value that is refused, and the fix."""

    what: str
    fix: str


_TENSORS = (("detach()", ".detach().cpu().numpy()"), ("cpu()", ".cpu().numpy()"), (".get()", ".get()"))  # said by the library
_CONVERT = "convert it: `numpy.asarray(values, float)`"
_CONVERTED = Unfit("is text, expected numbers", _CONVERT)
# How files of arrays and tables are read, by suffix.
_READ = {".npy": "numpy.load", ".csv": "pandas.read_csv", ".parquet": "pandas.read_parquet", ".json": "pandas.read_json"}


def not_numbers(value: object, array: NDArray[Any] | None = None, error: Exception | None = None) -> Unfit:
    """Say why a value is not numbers: its `array`, or None with the `error` for which there is none."""
    container = _container(value)
    if container is not None:
        return container
    if array is None:
        tensor = next((fix for word, fix in _TENSORS if word in str(error)), "")
        if tensor:
            listed = isinstance(value, (list, tuple))
            one = f"`numpy.stack([value{tensor} for value in values])`" if listed else f"`values{tensor}`"
            return Unfit(f"does not become an array of NumPy by itself: {error}", f"give {one}")
        return Unfit(f"is not an array of numbers: {_uneven(value) or str(error).split('. The')[0]}", RAGGED + _evened(value))
    kind = array.dtype.kind
    if kind in "mM":
        return Unfit(f"is dates or times ({array.dtype}), expected numbers", f"convert it, for instance to seconds: {_SECONDS}")
    if kind == "c":
        return Unfit("is complex numbers, expected numbers", "give their real parts: `values.real`")
    if kind == "V":
        return Unfit(f"is records or raw bytes ({array.dtype}), expected numbers", "give an array of float32 or integers")
    if kind == "O":
        return _object(array)
    return _text(array)


def _container(value: object) -> Unfit | None:
    """The same for a value that NumPy takes for one object; None for others."""
    name, given = type(value).__name__, cast("Any", value)
    if value is None:
        return Unfit("is None, expected numbers", f"leave it out, or give a list, {_NUMBERS}")
    path = str(given) if isinstance(given, str) or hasattr(given, "__fspath__") else ""
    reader = _READ.get(path[path.rfind(".") :].lower()) or ("numpy.load" if path and not isinstance(value, str) else "")
    if reader:
        return Unfit("is a path, expected numbers", f"read the file: `{reader}({path!r})`")
    if isinstance(value, str) and (colour := colour_numbers(value.strip())):
        return Unfit("is text, expected numbers", f"give the numbers of the colour, [{', '.join(colour)}]")
    if isinstance(value, str) and value.lower() in ("identity", "eye", "unit"):
        return Unfit("is text, expected numbers", "give the matrix, `numpy.eye(4)`")
    if isinstance(value, str):
        return Unfit("is text, expected numbers", f"give a list, {_NUMBERS}, or a list of rows")
    if isinstance(value, (bytes, bytearray)):
        return Unfit("is bytes, expected numbers", "say of what: `numpy.frombuffer(values, numpy.float32).reshape(-1, 3)`")
    if isinstance(value, dict):
        rows = "rows of its values: `numpy.stack([*values.values()], axis=-1)`, in the order x, y, z"
        return Unfit("is a dict, expected numbers", f"give {rows}")
    if isinstance(value, (set, frozenset)):
        return Unfit(f"is a {name}, which has no order, expected numbers", f"give a list, {_NUMBERS}")
    if hasattr(value, "read"):
        return Unfit("is an open file, expected numbers", "read it: `numpy.loadtxt(file, delimiter=',')`")
    if hasattr(value, "to_pylist"):
        return Unfit("is an array of Arrow, expected numbers", "give its rows as a list: `values.to_pylist()`")
    if hasattr(value, "groups") and hasattr(value, "mean"):
        return Unfit(f"is a {name}, expected numbers", "give a row for each group, such as `values.mean()`")
    if isinstance(given, (list, tuple)) and given and isinstance(given[0], dict):
        return Unfit("is a list of dicts, expected numbers", "make a table of it: `pandas.DataFrame(values)`")
    if hasattr(value, "compute") and hasattr(value, "dask"):
        return Unfit(f"is a {name} of Dask, expected numbers", "compute it: `numpy.array(values.compute())`")
    if callable(value):
        return Unfit(f"is a {name}, expected numbers", "call it, or give what it makes")
    if hasattr(value, "keys") and not hasattr(value, "iloc"):
        return Unfit("is several arrays by name, expected numbers", "give one of them, such as `values['position']`")
    if hasattr(value, "lanes") and hasattr(value, "outputs"):
        return Unfit(f"is a {name}, expected numbers", "give one of its arrays: `values.outputs['position']`")
    if hasattr(value, "__next__"):
        return Unfit(f"is a {name}, expected numbers", "give its rows as a list: `list(rows)`")
    return None


def _uneven(value: object) -> str:
    """The row of a list that has another length than the first, in words; empty where none has."""
    rows = cast("list[Any]", value) if isinstance(value, (list, tuple)) else []
    lengths = [len(row) if hasattr(row, "__len__") else 0 for row in rows[:_MOST_LOOKED_AT]]
    row = next((number for number, length in enumerate(lengths) if length != lengths[0]), None)
    return "" if row is None else f"row {row} has {counted(lengths[row], 'number')}, row 0 has {lengths[0]}"


def _evened(value: object) -> str:
    """How the first row of another length could be: with zeros, or without numbers; empty for other rows."""
    listed = cast("list[Any]", value) if isinstance(value, (list, tuple)) else []
    rows: list[list[Any]] = [[*row] for row in listed[:_MOST_LOOKED_AT] if isinstance(row, (list, tuple))]
    width = len(rows[0]) if rows else 0
    row: list[Any] = next((row for row in rows if len(row) != width), rows[:0])
    if not row or not 1 <= width <= len(_LETTERS) or not all(isinstance(number, Real) for number in row):
        return ""
    numbers: list[Any] = [*row[:width], *[0.0 if isinstance(row[0], float) else 0] * (width - len(row))]
    return f", such as {numbers} for {row}"


def rows_fix(sizes: Mapping[str, int]) -> str:
    """The fix for inputs with different numbers of rows, which have more than one."""
    few, many = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
    least, most = sizes[few], sizes[many]
    if not least:
        return f"give {few} a row for each vertex, or one row for all"
    if most - least == 1:
        return (
            f"give {few} {most} rows, one for each vertex, or one row for all; of differences, which lack a row, "
            f"`numpy.diff(values, axis=0, prepend=values[:1])`"
        )
    if most % least == 0:
        times = most // least
        return f"give each row of {few} {times} times, `numpy.repeat({few}, {times}, axis=0)`, or one row for all vertices"
    return f"give the same rows of each: apply the filter or index of {few} to all, `{many}[mask]`, or give one row for all"


def _place(array: NDArray[Any], number: int) -> str:
    """`in row 3`: where an element is, by its number from the first on."""
    rows = array.shape[0] if array.ndim else 1
    row = number // max(array.size // max(rows, 1), 1)
    return f"in row {row}" if array.ndim else "there"


def _text(array: NDArray[Any]) -> Unfit:
    texts = array.reshape(-1).tolist()[:_MOST_LOOKED_AT]
    for number, text in enumerate(texts):
        if not _is_number(text):
            return Unfit(
                f"is text, expected numbers: '{str(text)[:40]}' {_place(array, number)} is not a number",
                _COMMA if _has_comma(text) else "give numbers there",
            )
    return _CONVERTED


def _has_comma(text: object) -> bool:
    """Whether a text is a number with a decimal comma; groups of three digits may be thousands."""
    whole, comma, digits = str(text).partition(",")
    thousands = len(digits) == 3 and whole.lstrip("+-") != "0"
    return bool(comma) and not thousands and _is_number(f"{whole}.{digits}")


def _is_number(text: object) -> bool:
    try:
        float(cast("str", text))
    except (TypeError, ValueError):
        return False
    return True


def _object(array: NDArray[Any]) -> Unfit:
    """The same for an array of objects: of the first that is not a number."""
    found = array.reshape(-1).tolist()[:_MOST_LOOKED_AT]
    for number, item in enumerate(found):
        if isinstance(item, (bool, Real)) and type(item).__name__ not in ("Decimal", "Fraction"):
            continue
        place, name = _place(array, number), type(item).__name__
        if item is None or name in ("NAType", "NaTType"):
            return Unfit(f"has no value {place} ({item}), expected numbers", _MISSING)
        if isinstance(item, str):
            return _column_text(array, found)
        if isinstance(item, (list, tuple)) or hasattr(item, "shape"):
            return Unfit(
                f"has a {name} in each row, expected numbers",
                "make one array of them: `numpy.stack(values)`, rows of one length",
            )
        if name in ("datetime", "date", "Timestamp", "timedelta", "Timedelta"):
            return Unfit(f"has dates or times ({name}), expected numbers", f"convert it, for instance to seconds: {_SECONDS}")
        fix = _CONVERT if _is_number(item) else f"give numbers, such as {_NUMBERS}"
        return Unfit(f"has objects of the type {name}, expected numbers", fix)
    if any(isinstance(item, int) and abs(item) >> 63 for item in found):
        return Unfit("has integers of more than 64 bits, expected numbers", _CONVERT)
    return Unfit("is an array of objects, expected numbers", _CONVERT)


def _column_text(array: NDArray[Any], found: Sequence[object]) -> Unfit:
    """The same for a column of texts: the first that is not a number; where most are numbers, what stands for a missing one."""
    texts = {text: number for number, text in reversed([*enumerate(found)]) if isinstance(text, str)}
    strange = sorted([text for text in texts if not _is_number(text)], key=lambda text: texts[text])
    if not strange:
        return _CONVERTED
    text = strange[0]
    what = f"has text {_place(array, texts[text])}, '{text[:40]}', expected numbers"
    if _has_comma(text):
        return Unfit(what, _COMMA)
    if all(each.strip()[:1] in ("[", "(") for each in strange):
        read = "ast.literal_eval(each)" if "," in text else "numpy.fromstring(each.strip('[] '), sep=' ')"
        return Unfit(what, f"read each text as a vector: `[{read} for each in values]`")
    if all(_THOUSANDS.fullmatch(each.strip()) for each in strange):
        return Unfit(what, "these are groups of thousands: read the file with `pandas.read_csv(..., thousands=',')`")
    numbers = any(isinstance(each, Real) and str(each) != "nan" for each in found)
    if (len(strange) < len(texts) or numbers) and len(strange) <= _MOST_MARKS:
        read = f"read the file with `na_values={strange}`"
        table = "pandas.DataFrame(values).apply(pandas.to_numeric, errors='coerce')"
        coerced = table if array.ndim > 1 else "pandas.to_numeric(values, errors='coerce')"
        return Unfit(what, f"{read}, or `{coerced}`: NaN is no value, drop or fill it")
    return Unfit(what, _TEXT)


def constant_fix(numbers: Sequence[float]) -> str:
    """The fix for more numbers of a constant than a register has: rows of four."""
    width = 3 if len(numbers) % 4 and not len(numbers) % 3 else 4
    texts = [f"{number:.9g}" for number in numbers[:_MOST_SHOWN]]
    rows = ";".join([",".join(texts[at : at + width]) for at in range(0, len(texts), width)])
    more = "" if len(numbers) <= _MOST_SHOWN else ";..."
    array = f"; in NumPy `numpy.reshape(values, (-1, {width}))`" if not len(numbers) % width else ""
    one = "" if array else f"write {','.join(texts[:4])} for one register, or "
    return f"{one}separate the rows by semicolons, {rows}{more}{array}"


def shape_fix(shape: Sequence[int], most: int = 4, value: object = None) -> str:
    """The fix for an array of vertices of another shape than (vertices, 1 to 4), of a `value`, such as a Series of pandas."""
    if len(shape) == 1 and hasattr(value, "iloc"):
        name, point, letter = str(getattr(value, "name", "")).rpartition(".")
        columns = [f"{name}.{each}" for each in _LETTERS[:3]] if point and letter in _LETTERS else ["x", "y", "z"]
        return f"give all columns of the input, `frame[{columns}]`, or for x only `values.to_numpy()[:, None]`"
    one = f"`values[:, :{most}]` in NumPy"
    width = next((width for width in (3, 4, 2) if len(shape) == 1 and shape[0] > most and shape[0] % width == 0), 0)
    if width:
        letters = ", ".join(_LETTERS[:width])
        rows = {3: ("[[1, 2, 3], [4, 5, 6]]", "1,2,3;4,5,6"), 2: ("[[1, 2], [3, 4]]", "1,2;3,4")}.get(
            width, ("a list of rows", "rows")
        )
        return (
            f"write a row for each vertex, {rows[0]} in a file, {rows[1]} on the command line; in NumPy "
            f"`numpy.reshape(values, (-1, {width}))` of {letters} in turn, `numpy.reshape(values, (-1, 1))` of one number each"
        )
    if len(shape) == 1 and shape[0] > most:
        return (
            "remove numbers, or write one number a vertex in a row of its own: [[1], [2], [3]] in a file, 1;2;3 on the command "
            "line, `numpy.reshape(values, (-1, 1))` in NumPy"
        )
    if 0 in shape:
        return "give at least one number; (0, 3) is three components of no vertex"
    if len(shape) == 2 and shape[0] <= most < shape[1]:
        turned = "where each column is a vertex, give its numbers as a row, `values.T` in NumPy"
        return turned if shape[1] > _WIDEST else f"{turned}; otherwise keep {most} numbers of each row, {one}"
    if len(shape) == 2 and shape[1] <= _WIDEST:
        return f"give each input its columns, such as `values[:, :3]` for one and `values[:, 3:{shape[1]}]` for another"
    if len(shape) == 2:
        return f"keep 1 to {most} numbers of each row, {one}"
    if len(shape) == 3 and shape[2] <= most:
        return f"give one row for each vertex, in one list: `values.reshape(-1, {shape[2]})` in NumPy"
    return "give one row for each vertex"


def columns_fix(columns: Sequence[object], what: str = "") -> str:
    """The fix for columns that are not x, y, z, w from the first on, of `what`, such as "input 'normal'"."""
    names = [str(column) for column in columns]
    parts = [name.rpartition(".") for name in names]
    letters = [letter.strip().lower() for _, _, letter in parts]
    twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
    if twice is not None:
        return f"leave out the second column {twice}: `frame.loc[:, ~frame.columns.duplicated()]`"
    for known in (_LETTERS, _COLORS):
        strange = [name for name, letter in zip(names, letters, strict=True) if letter not in known]
        inside = len(names) - len(strange)
        if inside and strange and letters[:inside] == [*known[:inside]]:
            return f"leave out {', '.join(strange[:_MOST_LISTED])}: a register has the components {', '.join(known)}"
        if inside and not strange:
            if len(set(letters)) < len(letters):
                first = next(n for n, letter in enumerate(letters) if letter in letters[:n])
                own = what.partition("'")[2].partition("'")[0]
                mine = [name for name, (prefix, _, _) in zip(names, parts, strict=True) if prefix == own] or names[:first]
                whole = len({prefix for prefix, _, _ in parts}) > 1 and what
                choose = f"choose those of one input: `frame[{mine}]`"
                return f"give the frame in place of inputs by name, `run(frame, uniforms)`, or {choose}" if whole else choose
            lacking = [letter for letter in known[: max(map(known.index, letters))] if letter not in letters]
            prefix = "".join(parts[0][:2])
            listed = ", ".join(f"{prefix}{letter}" for letter in lacking)
            return f"add {listed}, or give an array without names"
    return "name the columns x, y, z, w, choose some of them in that order, or give an array without names"


def columns_of(value: object) -> Sequence[object]:
    """The names of the columns of a data frame or a structured array."""
    array = cast("Any", value)
    return [*(array.columns if hasattr(value, "columns") else array.dtype.names)]


_SWAPPED = "exchange the levels: `frame = frame.swaplevel(axis=1)`"
_NUMBERED = re.compile(r"(.+\.[A-Za-z])\.[0-9]+")
_UNDERSCORED = re.compile(r"(.+?)[_\- ]?([xyzwrgba])", re.IGNORECASE)
_INDEXED = re.compile(r"(.+?)[_.\- ]?\[?([0-3])\]?")


def _long(frame: Any, names: Sequence[str]) -> Diagnostic | None:
    """The finding about a frame that has a row for each number, whose component a column names; None for another one."""
    columns = [str(column) for column in frame.columns]
    for channel in columns:
        texts = [each for each in frame[channel].unique().tolist()[: 4 * _MOST_LISTED] if each is not None]
        if not texts or not all(isinstance(each, str) and "." in each and _names_one(each, names) for each in texts):
            continue
        rest = [column for column in columns if column != channel]
        value = next((column for column in reversed(rest) if frame[column].dtype.kind in "fiu"), "")
        labels = [column for column in rest if column != value]
        if value:
            table = f"frame.assign(vertex=frame.groupby('{channel}').cumcount())" if not labels else "frame"
            index = repr(labels if len(labels) > 1 else (labels or ["vertex"])[0])
            fix = f"give a row for each vertex: `{table}.pivot(index={index}, columns='{channel}', values='{value}')`"
            return _finding(f"each row of the frame is one number, whose component is in the column '{channel}'", fix)
    return None


def unknown_columns(
    unknown: Mapping[str, Sequence[object]],
    names: Sequence[str],
    columns: Sequence[object],
    frame: object = None,
    uniforms: Sequence[str] = (),
) -> InputError:
    """The error for columns of a data frame by the input that they name, which is unknown; `names` are the inputs there are,
    `columns` all of the frame, `uniforms` those that are not columns."""
    findings: list[Diagnostic] = []
    rows = [str(label) for label in getattr(frame, "index", ())[:_MOST_LISTED]] if hasattr(frame, "pivot") else []
    if rows and all("." in label and _names_one(label, names) for label in rows):
        return InputError(
            [_finding("the rows of the frame are components, and its columns the vertices", "turn it: `frame.T`")]
        )
    if hasattr(frame, "pivot") and not isinstance(columns[0], tuple) and (long := _long(frame, names)) is not None:
        return InputError([long])
    if all(isinstance(column, tuple) and str(cast("Any", column)[1:2][0]) in names for column in columns):
        listed = [*dict.fromkeys(str(cast("Any", column)[0]) for column in columns)]
        return InputError([_finding(f"{_inputs(listed)}: the first level of the columns names inputs", _SWAPPED)])
    left = [str(column) for listed in unknown.values() for column in listed]

    def take(fits: Callable[[str], bool]) -> list[str]:
        taken = [name for name in left if fits(name)]
        left[:] = [name for name in left if name not in taken]
        return taken

    for name in take(lambda name: name in uniforms):
        each = f"shader.run(rows.drop(columns='{name}'), {{**uniforms, '{name}': value}})"
        fix = f"run the rows of each value: `for value, rows in frame.groupby('{name}'): {each}`"
        findings.append(_finding(f"column '{name}' is a uniform, which has one value for all rows", fix))
    parts_of = take(lambda name: name.rpartition(".")[0] in uniforms)
    if parts_of:
        name = parts_of[0].rpartition(".")[0]
        fix = (
            f"give it in uniforms, {{'{name}': [...]}}, and `frame.drop(columns={parts_of})`, or make it an input of the shader"
        )
        findings.append(_finding(f"columns {', '.join(parts_of)} are a uniform, which has one value for all rows", fix))
    again = take(lambda name: _NUMBERED.fullmatch(name) is not None)
    if again:
        first = again[0].rpartition(".")[0]
        findings.append(
            _finding(
                f"{_inputs(again)}: the column {first} is there twice, and pandas numbers the second",
                f"leave it out: `frame.drop(columns={again})`",
            )
        )
    blank = take(lambda name: name != name.strip() and _names_one(name.strip(), names))
    if blank:
        first = "begins" if blank[0][0].isspace() else "ends"
        some = "names of columns begin" if first == "begins" else "names of columns end"
        findings.append(
            _finding(
                f"{len(blank)} {some} with a blank, such as '{blank[0][:40]}'"
                if len(blank) > 1
                else f"the name of the column '{blank[0][:40]}' {first} with a blank",
                "remove it: `frame.rename(columns=str.strip)`, or read the file with `skipinitialspace=True`",
            )
        )
    lower = {name.lower(): name for name in names}
    parts = {name: _UNDERSCORED.fullmatch(name) for name in left}
    renamed = {
        name: f"{lower[part[1].lower()]}.{part[2].lower()}" for name, part in parts.items() if part and part[1].lower() in lower
    }
    cased = {name: name.lower() for name in left if name != name.lower() and _names_one(name.lower(), names) and "." in name}
    if len(cased) > 1 and take(lambda name: name in cased):
        fix = "rename them: `frame.rename(columns=str.lower)`"
        findings.append(_finding(f"{_inputs([*cased])}: names have small letters", fix))
    everyone = [str(column) for column in columns if not isinstance(column, tuple)]
    numbered = {name: part for name in everyone if (part := _INDEXED.fullmatch(name)) and part[1].lower() in lower}
    if len(numbered) > 1 and any(name in numbered for name in left):
        first = min(int(part[2]) for part in numbered.values())
        first = 0 if any(int(part[2]) - first >= len(_LETTERS) for part in numbered.values()) else first
        renamed |= {name: f"{lower[part[1].lower()]}.{_LETTERS[int(part[2]) - first]}" for name, part in numbered.items()}
    if take(lambda name: name in renamed):
        findings.append(
            _finding(
                f"{_inputs([*renamed])}: a column is an input, a dot and a component",
                f"rename {'it' if len(renamed) == 1 else 'them'}: `frame.rename(columns={_some(renamed)})`",
            )
        )
    bare = [name for name in left if len(name) == 1]
    likely = all(name.lower() in (*_LETTERS, *_COLORS) for name in bare)  # not a, b, c
    letters = take(lambda name: likely and name.lower() in (*_LETTERS, *_COLORS))
    if letters and names:
        there = {str(column).rpartition(".")[0] for column in columns}
        free = next((name for name in names if name not in there), names[0])
        findings.append(
            _finding(
                f"{_inputs(letters)}: a column is an input, a dot and a component",
                f"rename {'it' if len(letters) == 1 else 'them'}: "
                f"`frame.rename(columns={_some({name: f'{free}.{name.lower()}' for name in letters})})`",
            )
        )
    close = {name: near(name.partition(".")[0], names) for name in left}
    for meant in dict.fromkeys(tuple(found) for found in close.values() if found):
        listed = take(lambda name, meant=meant: tuple(close[name]) == meant)
        given = dict.fromkeys(name.partition(".")[0] for name in listed)
        fix = f"did you mean {' or '.join(meant)}?"
        whole = {name: f"{meant[0]}.{name.rpartition('.')[2]}" for name in listed}
        if len(meant) == 1 and not {*whole.values()} & {*map(str, columns)} and all("." in name for name in listed):
            fix += f" Rename: `frame.rename(columns={_some(whole)})`"
        findings.append(_finding(_inputs([*given]), fix))
    each = len(left) // max(len(names), 1)
    if left and len(left) == len(columns) == each * len(names) and 1 < each <= len(_LETTERS):
        whole = [f"{name}.{letter}" for name in names for letter in _LETTERS[:each]]
        fix = f"a column is an input, a dot and a component: `frame.columns = {whole}`"
        findings.append(_finding(_inputs(left), fix if len(whole) <= _MOST_LISTED else fix.partition(":")[0]))
    elif left:
        known = [str(column) for column in columns if not any(column in listed for listed in unknown.values())]
        fix = f"choose the columns of inputs: `frame[{known}]`" if 0 < len(known) <= _MOST_LISTED else f"use {', '.join(names)}"
        findings.append(_finding(_inputs(left), fix))
    return InputError(findings)


def _names_one(column: str, names: Sequence[str]) -> bool:
    """Whether a column is of one of these inputs."""
    return (column.rpartition(".")[0] or column) in names


def _some(names: Mapping[str, str]) -> str:
    shown = dict([*names.items()][:_MOST_LISTED])
    return str(shown) if len(shown) == len(names) else f"{str(shown)[:-1]}, ...}}"


def _inputs(names: Sequence[str]) -> str:
    listed = ", ".join(f"'{name[:40]}'" for name in names[:_MOST_LISTED]) + (", ..." if len(names) > _MOST_LISTED else "")
    return f"unknown input{'s' if len(names) > 1 else ''} {listed}"


def no_row(label: object, row: int, rows: int, fix: str, file: str) -> InputError:
    """The error for a label of a data frame in place of a row, of which there are fewer."""
    shown = repr(label) if isinstance(label, str) else label
    message = f"lane={shown}: lane counts rows from 0: there are {rows}, and {shown} is the label of row {row}"
    return InputError([_finding(message, fix, "B008")._replace(span=Span(file=file), about=(About(VERTEX, ""),))])


def _finding(message: str, fix: str, code: str = "B001") -> Diagnostic:
    return Diagnostic(code=code, severity=ERROR, message=message, span=Span(file=""), notes=(), fix=fix)


def unfit_column(column: object, array: NDArray[Any], others: Sequence[object] = ()) -> InputError:
    """The error for a column of a data frame that does not hold numbers; `others` are of the same type."""
    found = not_numbers(array, array)
    name = ".".join(map(str, cast("tuple[object, ...]", column))) if isinstance(column, tuple) else str(column)
    if found == _CONVERTED or (found.fix == _CONVERT and others):
        fix = f"convert it: `frame['{name}'] = frame['{name}'].astype(float)`"
        fix = "convert them: `frame = frame.astype(float)`" if others else fix
        more = f", {counted(len(others), 'other column')} too" if others else ""
        return InputError([_finding(f"column '{name}' {found.what}{more}", fix, "B003")])
    if found.fix == _MISSING:
        found = found._replace(fix=_MISSING_IN_FRAME)
    fix = found.fix.replace(_CONVERT, f"convert it: `frame['{name}'] = frame['{name}'].astype(float)`")
    fix = fix.replace("`values.", f"`frame['{name}'].")
    fix = fix.replace(" in values]", f" in frame['{name}']]")
    fix = fix.replace("(values)", f"(frame['{name}'])").replace("(values,", f"(frame['{name}'],")
    fix = fix.replace("(values - values.min())", f"(frame['{name}'] - frame['{name}'].min())")
    return InputError([_finding(f"column '{name}' {found.what}", fix, "B003")])


def unfit_columns(name: str, columns: Sequence[object], error: ValueError, labels: str = "") -> InputError:
    """The error for columns of a data frame that are not the components of an input from x on; `labels` is the name of its
    index."""
    if labels.rpartition(".")[0] == name:
        return InputError([_finding(f"input '{name}' {error}: {labels} is the index", "`frame = frame.reset_index()`", "B002")])
    return InputError([_finding(f"input '{name}' {error}", columns_fix(columns), "B002")])


__all__ = [
    "RAGGED",
    "Unfit",
    "columns_fix",
    "columns_of",
    "constant_fix",
    "no_row",
    "not_numbers",
    "rows_fix",
    "shape_fix",
    "unfit_column",
    "unfit_columns",
    "unknown_columns",
]
