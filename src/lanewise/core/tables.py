"""Tables that users write as TOML or JSON: read with the line of each key, so that findings have a place."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, visible
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.source import Span, decode_text, misplaced
from lanewise.core.text.problems import Suggestions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from json import JSONDecodeError

# A key of TOML: at the start of a line, after a dot, in an inline table.
_KEY = r"""(?:^\s*\[*\s*|[{,.]\s*)(?:"([^"]*)"|([^\s"=\]\[{},.]+))\s*(?=[=\].])"""
_KINDS = ((type(None), "null"), (list, "a list"), (str, "a text"), (bool, "true or false"), ((int, float), "a number"))
_KEY_OF_JSON = r'"((?:[^"\\]|\\.)*)"\s*:'
_MOST_PLACES = 10_000
_MOST_ITEMS = 4  # of a list in a message
_LONG, _SHOWN = 160, 500  # characters of a line: from where on only a key is marked, and as many as are shown


class TableReader:
    """One file while it is read; findings are collected. `path` is its name in messages."""

    path: str
    text: str
    toml: bool
    suggestions: Suggestions
    lines: list[str]

    def __init__(self, path: str, text: str, *, toml: bool = True) -> None:
        self.path, self.text, self.toml = path, text, toml
        self.findings: list[Diagnostic] = []
        self.suggestions = Suggestions()
        self.lines = text.split("\n")
        self._known: set[Diagnostic] = set()
        self._places: dict[str, list[int]] | None = None

    @property
    def places(self) -> Mapping[str, Sequence[int]]:
        """The lines of each key, and of the name of each table, with and without the table `test`."""
        if self._places is None:
            import re

            self._places = {}
            for number, line in enumerate(self.lines[:_MOST_PLACES], 1):
                found = {quoted or bare for quoted, bare in re.findall(_KEY, line[:1000])} if self.toml else set[str]()
                for key in found | set(re.findall(_KEY_OF_JSON, line[:1000])):
                    self._places.setdefault(key, []).append(number)
        return self._places

    def report(self, code: str, message: str, fix: str, key: str = "", line: int = 0) -> None:
        """Add an error at the line of a key; what is wrong for several tests is reported once."""
        finding = Diagnostic(code=code, severity=ERROR, message=message, span=self.span(key, line), notes=(), fix=fix)
        if finding not in self._known:
            self._known.add(finding)
            self.findings.append(finding)

    def span(self, key: str, line: int = 0) -> Span:
        """The first line that begins with a key or has it as a table's name, from a line on; or that line."""
        least = max(line, 1)
        lines = self.places.get(key, ())
        number = next((n for n in lines if n >= least), lines[-1] if lines else 0) if key else least
        if not 0 < number <= len(self.lines):
            return Span(file=self.path)
        shown = self.lines[number - 1].rstrip("\r")
        inside = -1 if self.toml or not key else shown.find(f'"{key}"')
        alone = inside < 0 or not shown[:inside].strip(" \t{[")
        if key and alone and inside >= 0 and len(shown) > _LONG:
            return Span(file=self.path, line=number, column=inside + 1, length=len(key) + 2, text=shown[:_SHOWN])
        if len(shown) > _SHOWN:
            return Span(file=self.path, line=number, column=1 if alone else inside + 1, length=0, text="")
        if not alone:  # several keys in a line
            return Span(file=self.path, line=number, column=inside + 1, length=len(key) + 2, text=shown)
        return Span(
            file=self.path,
            line=number,
            column=len(shown) - len(shown.lstrip()) + 1,
            length=max(1, len(shown.strip())),
            text=shown,
        )

    def below(self, table: str, line: int) -> int:
        """The line of the first header of a table from a line on; that line where there is none."""
        return next((n for n in self.places.get(table, ()) if n >= line), line)

    def pair(self, key: str, value: str) -> str:
        """A key with its value as the file has it, `count = 3` or `"count": 3`, for messages."""
        return f"{key} = {value}" if self.toml else f'"{key}": {value}'

    def write(self, key: str, value: str) -> str:
        """The fix that is a key with its value."""
        return f"write {self.pair(key, value)}"

    def literal(self, value: object) -> str:
        """A value as the file has it; of a list, the first items."""
        import json

        if isinstance(value, dict):
            items = [self.pair(str(key), self.literal(item)) for key, item in cast("dict[str, object]", value).items()]
            return f"{{{', '.join(items)}}}"
        if isinstance(value, list):
            first = [self.literal(item) for item in cast("list[object]", value)[:_MOST_ITEMS]]
            return f"[{', '.join([*first, *['...'] * (len(cast('list[object]', value)) > _MOST_ITEMS)])}]"
        return json.dumps(value)

    def known(
        self,
        table: Mapping[str, object],
        keys: Sequence[str],
        what: str,
        line: int = 1,
        other: Callable[[str], str] | None = None,
    ) -> None:
        """Report keys that a table does not have; `other` gives the fix of a key that other tables have, or ""."""
        for key in table:
            if key not in keys:
                elsewhere = other(key) if other is not None else ""
                near = self.suggestions.nearest(key, keys)
                fix = elsewhere or (f"did you mean {near}?" if near else f"the keys are {', '.join(keys)}")
                self.report("T002", f"{what} has no key '{key}'", fix, key, line)

    def table(self, value: object, key: str, fix: str, line: int = 1) -> dict[str, object]:
        """A table of the file, or an empty one with a finding."""
        if isinstance(value, dict):
            return cast("dict[str, object]", value)
        kind = next((name for kind, name in _KINDS if isinstance(value, kind)), "a value")
        self.report("T004", f"{key} is {kind}, expected a table of names", fix, key, line)
        return {}


def parse(
    data: bytes, path: str, *, toml: bool, what: str, instead: Callable[[object], str] | None = None
) -> tuple[TableReader, dict[str, object]]:
    """The reader of a file and its table. Raises InputError (T001) for bytes that are not valid TOML or JSON.

    `instead` is the fix of a value that is not a table, empty where it has none."""
    import json
    import tomllib

    from lanewise.core.nesting import json_value

    text = decode_text(data)
    reader = TableReader(path, text, toml=toml)
    kind = "TOML" if toml else "JSON"
    wrong = misplaced(data)
    if wrong is not None:
        other = _other(reader, data, what)
        if other is not None:
            raise InputError([other])
        fix = "save the file as UTF-8"
        raise InputError(
            [
                Diagnostic(
                    code="T001",
                    severity=ERROR,
                    message=str(wrong),
                    span=Span(file=path, line=wrong.line, column=wrong.column),
                    notes=(),
                    fix=fix,
                )
            ]
        )
    try:
        content: object = tomllib.loads(text.replace("\r\n", "\n")) if toml else json_value(text)
    except json.JSONDecodeError as error:
        rows = _rows(text) if instead is not None and error.msg == "Extra data" else None
        fix = instead(rows) if instead is not None and rows else ""
        if fix:
            message = "invalid JSON: one object in each line"
            raise InputError([_error(_place(reader, error.lineno, error.colno), message, fix)]) from None
        raise InputError([_other(reader, data, what) or _invalid_json(reader, error)]) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError([_other(reader, data, what) or _invalid(reader, kind, str(error))]) from None
    except ValueError:  # Python converts no more than 4,300 digits
        raise InputError([_invalid(reader, kind, "An integer has too many digits")]) from None
    except RecursionError:
        raise InputError([_invalid(reader, kind, "Values are nested too deeply")]) from None
    if not isinstance(content, dict):
        found = "a list" if isinstance(content, list) else "one value"
        rows = cast("list[object]", content) if isinstance(content, list) else []
        only = "remove the brackets [ and ] around the object" if len(rows) == 1 and isinstance(rows[0], dict) else ""
        fix = (instead(cast("object", content)) if instead is not None else "") or only or 'write {"name": value, ...}'
        raise InputError([_error(Span(file=path), f"invalid {kind}: found {found}, expected {what}", fix)])
    twice = None if toml else _doubled(text)
    if twice is not None:
        key, at = twice
        place = _place(reader, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
        message = f"the key {visible(key, '')} is there twice in one object, of which the last would count"
        raise InputError([_error(place, message, "remove one of them")])
    return reader, cast("dict[str, object]", content)


def _rows(text: str) -> list[object]:
    """The objects of the first lines of JSON Lines; none of another text."""
    from lanewise.core.nesting import json_value

    try:
        return [json_value(line) for line in text.split("\n", 2)[:2]]
    except (ValueError, RecursionError):
        return []


def _other(reader: TableReader, data: bytes, what: str) -> Diagnostic | None:
    """The error about a file of another kind; None where its kind is unknown, or is that of a table."""
    from lanewise.core.foreign import instead

    if data.lstrip()[:1] == b"{" or reader.path.lower().endswith((".json", ".toml")):
        return None
    from lanewise.core.frame_files import numbers_in, other_fix

    found = instead(reader.path, data) or (numbers_in(reader.path, data) if data.strip() else None)
    if found is None:
        return None
    title = "arrays by name" if reader.path.lower().endswith(".npz") else found.title
    return _error(
        Span(file=reader.path), f"this is {title}, expected {what}", other_fix(reader.path, found.title, found.fix, what)
    )


def _doubled(text: str) -> tuple[str, int] | None:
    """The first key of valid JSON that an object has again, and where; None for none."""
    import re

    objects: list[set[str]] = []
    for found in re.finditer(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]', text):
        if found[0] == "{":
            objects.append(set())
        elif found[0] == "}":
            objects.pop()
        elif found[2]:
            if found[1] in objects[-1]:
                return found[1], found.start()
            objects[-1].add(found[1])
    return None


def _invalid(reader: TableReader, kind: str, message: str) -> Diagnostic:
    import re

    place = re.search(r" \(at line (\d+), column (\d+)\)", message)
    span = _place(reader, int(place[1]), int(place[2])) if place else Span(file=reader.path)
    if kind == "TOML" and reader.text.lstrip().startswith("{"):
        return _error(span, "invalid TOML: this is JSON", "give the file a name that ends in .json")
    said = message[: place.start()] if place else message
    if kind == "TOML":
        from lanewise.core.toml_meant import meant

        found = meant(reader.text, message)
        if found is not None:
            row = reader.lines[found.line - 1]
            column = span.column if span.line == found.line else len(row) - len(row.lstrip()) + 1
            return _error(_place(reader, found.line, column), f"invalid TOML: {found.why}", found.fix)
    fix = f"see {'toml.io' if kind == 'TOML' else 'json.org'} for how tables, texts and lists are written"
    return _error(span, f"invalid {kind}: {said[:1].lower()}{said[1:]}", fix)


def _place(reader: TableReader, line: int, column: int) -> Span:
    if line > len(reader.lines):
        return Span(file=reader.path)
    text = reader.lines[line - 1].rstrip("\r")[:1000]
    return Span(file=reader.path, line=line, column=column, length=1, text=text)


def _error(span: Span, message: str, fix: str) -> Diagnostic:
    return Diagnostic(code="T001", severity=ERROR, message=message, span=span, notes=(), fix=fix)


# What other languages write where JSON has something else: how it begins, what is wrong, and the fix.
_HABITS = (
    ("'", "a text in single quotes", "write texts in double quotes, as `json.dump(data, file)` of Python does"),
    ("//", "a comment, which JSON does not have", "remove it, or write the file as TOML, in which comments begin with #"),
    ("/*", "a comment, which JSON does not have", "remove it, or write the file as TOML, in which comments begin with #"),
    ("#", "a comment, which JSON does not have", "remove it, or write the file as TOML, whose name ends in .toml"),
    ("=", "'=', expected ':'", 'write "name": value, or name the file .toml if it is TOML'),
    ("[", "'[', expected a name in double quotes", 'write "name": value, or name the file .toml if it is TOML'),
    ("True", "'True', expected true", "write true"),
    ("False", "'False', expected false", "write false"),
    ("None", "'None', expected a value", "remove the key, or write a number"),
    ("nan", "'nan', expected a number", 'write "NaN"'),
    ("inf", "'inf', expected a number", 'write "Infinity"'),
    ("-inf", "'-inf', expected a number", 'write "-Infinity"'),
    (".", "a number without a digit before the point", "write 0.5 for .5"),
    ("+", "a number with the sign +", "remove the +"),
)


_WORDS_KEYS = ("bits", "words", "descriptors", "code")  # whose values are words: texts in hexadecimal
_SMALL = 1 << 16  # hexadecimal numbers below are numbers, others the words of floats
_MOST_SHOWN = 60  # letters of a list that is written anew


def _of_hexadecimal(text: str, at: int) -> str:
    """The fix of a hexadecimal number in JSON: what to write there, a whole list where it is in one."""
    opening, listed = text.rfind("[", 0, at), False
    start, end = at, at
    while text[end : end + 1].isalnum():
        end += 1
    token = text[at:end]
    if opening >= 0 and not set("]{}").intersection(text[opening:at]):
        closing = text.find("]", at)
        start, end, listed = opening + 1, closing if closing >= 0 else end, True
    items = [item.strip() for item in text[start:end].split(",")]
    before = text[: start - listed].rstrip()
    key = before[:-1].rstrip()[:-1].rpartition('"')[2] if before.endswith(":") else ""
    try:
        numbers = [int(item, 16) if item[:2] in ("0x", "0X") else item for item in items]
    except ValueError:
        return f'write "{token}", in quotes'
    if not key or len(", ".join(items)) > _MOST_SHOWN:
        return f'write "{token}", in quotes, and so for the others{"" if key in _WORDS_KEYS else ", as bits"}'
    hexadecimal = [number for number in numbers if isinstance(number, int)]
    small = key not in _WORDS_KEYS and max(hexadecimal) < _SMALL
    shown = [
        str(number) if small or not isinstance(number, int) else f'"{item}"'
        for item, number in zip(items, numbers, strict=True)
    ]
    value = f"[{', '.join(shown)}]" if listed else shown[0]
    return f'write "{key}": {value}' if small or key in _WORDS_KEYS else f'write "{key}": {{"bits": {value}}}'


def _invalid_json(reader: TableReader, error: JSONDecodeError) -> Diagnostic:
    """The error about a text that is not JSON: of what is there in place of what is expected."""
    text, at, said = error.doc, error.pos, error.msg
    number = text[at - 1 : at] == "0" and text[at : at + 1] in ("x", "X")
    found = text[at - number : at + 24]
    if not text.strip():
        return _error(Span(file=reader.path), "the file is empty", 'write {"name": value, ...}')
    if text.lstrip().startswith("[") and _is_toml(text.lstrip().partition("\n")[0]):
        fix = "name the file .toml, as TOML has such lines"
        return _error(_place(reader, error.lineno, error.colno), "invalid JSON: a line of TOML", fix)
    if said == "Extra data":
        fix = "keep one object in a file" if text[at : at + 1] == "{" else "remove it"
        return _error(_place(reader, error.lineno, error.colno), "invalid JSON: text after the end of the object", fix)
    comma = at if text[at : at + 1] == "," and "trailing" in said else len(text[:at].rstrip()) - 1
    habit = next((row for row in _HABITS if found.startswith(row[0])), None) if "{" in text else None
    if text[comma : comma + 1] == "," and text[comma + 1 :].lstrip()[:1] in ("}", "]") and text[comma + 1 :].strip():
        at, message, fix = comma, "a comma before the end of a list or an object", "remove the comma"
    elif not text[at:].strip():
        message, fix = "the text ends inside a value", "close lists with ] and objects with }"
    elif number and "{" in text:
        message, fix, at = "a hexadecimal number", _of_hexadecimal(text, at - 1), at - 1
    elif habit is not None:
        message, fix = habit[1:]
    elif not text[:at].strip():
        message = f"'{visible(found.split()[0], '')}', expected {{"
        fix = 'write {"name": value, ...}; a file of TOML has a name that ends in .toml'
    elif text[at : at + 1] in ("+", "-", "*", "/") and text[at - 1 : at].isdigit():
        message, fix = "an expression, expected a number", "write its value"
    elif text[at : at + 1] in ("f", "F") and text[at - 1 : at].isdigit() and not text[at + 1 : at + 2].isalnum():
        number_text = text[:at].replace("[", " ").replace(",", " ").replace(":", " ").split()[-1]
        message, fix = f"{number_text}{text[at]}, which is a number of C", f"write {number_text}"
    elif "delimiter" in said:
        mark = "':'" if "':'" in said else "','"
        message, fix = f"'{visible(found[:1], '')}', expected {mark}", f"add {mark} before it"
    elif "property name" in said:
        message, fix = f"'{visible(found.split()[0], '')}', expected a name in double quotes", 'write "name": value'
    else:
        return _error(_place(reader, error.lineno, error.colno), f"invalid JSON: {said[:1].lower()}{said[1:]}", _JSON)
    before = text[:at]
    span = _place(reader, before.count("\n") + 1, at - before.rfind("\n"))
    return _error(span, f"invalid JSON: {message}", fix)


def _is_toml(line: str) -> bool:
    """Whether a line is the name of a table of TOML."""
    name = line.strip().strip("[]")
    return line.strip().endswith("]") and name.replace(".", "").replace("_", "").replace("-", "").isalpha()


_JSON = "see json.org for how objects, texts and lists are written"
