"""Tables that users write as TOML or JSON: read with the line of each key, so that findings have a place."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.source import Span, decode_text, misplaced
from lanewise.core.text.problems import Suggestions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# A key of TOML: at the start of a line, after a dot, in an inline table.
_KEY = r"""(?:^\s*\[*\s*|[{,.]\s*)(?:"([^"]*)"|([^\s"=\]\[{},.]+))\s*(?=[=\].])"""
_KEY_OF_JSON = r'"((?:[^"\\]|\\.)*)"\s*:'
_MOST_PLACES = 10_000


class TableReader:
    """One file while it is read; findings are collected. `path` is its name in messages."""

    path: str
    text: str
    suggestions: Suggestions
    lines: list[str]

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
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
                found = {quoted or bare for quoted, bare in re.findall(_KEY, line[:1000])}
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
        number = next((n for n in self.places.get(key, ()) if n >= least), 0) if key else least
        if not 0 < number <= len(self.lines):
            return Span(file=self.path)
        shown = self.lines[number - 1].rstrip("\r")
        if len(shown) > 500:
            return Span(file=self.path, line=number, column=1, length=0, text="")
        return Span(
            file=self.path,
            line=number,
            column=len(shown) - len(shown.lstrip()) + 1,
            length=max(1, len(shown.strip())),
            text=shown,
        )

    def known(self, table: Mapping[str, object], keys: Sequence[str], what: str, line: int = 1) -> None:
        """Report keys that a table does not have."""
        for key in table:
            if key not in keys:
                near = self.suggestions.nearest(key, keys)
                fix = f"did you mean {near}?" if near else f"the keys are {', '.join(keys)}"
                self.report("T002", f"{what} has no key '{key}'", fix, key, line)

    def table(self, value: object, key: str, fix: str, line: int = 1) -> dict[str, object]:
        """A table of the file, or an empty one with a finding."""
        if isinstance(value, dict):
            return cast("dict[str, object]", value)
        self.report("T004", f"{key} is not a table", fix, key, line)
        return {}


def parse(data: bytes, path: str, *, toml: bool, what: str) -> tuple[TableReader, dict[str, object]]:
    """The reader of a file and its table. Raises InputError (T001) for bytes that are not valid TOML or JSON."""
    import json
    import tomllib

    from lanewise.core.nesting import json_value

    text = decode_text(data)
    reader = TableReader(path, text)
    kind = "TOML" if toml else "JSON"
    wrong = misplaced(data)
    if wrong is not None:
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
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        raise InputError([_invalid(reader, kind, str(error))]) from None
    except ValueError:  # Python converts no more than 4,300 digits
        raise InputError([_invalid(reader, kind, "An integer has too many digits")]) from None
    except RecursionError:
        raise InputError([_invalid(reader, kind, "Values are nested too deeply")]) from None
    if not isinstance(content, dict):
        raise InputError(
            [_invalid(reader, kind, f"found {'a list' if isinstance(content, list) else 'one value'}, expected {what}")]
        )
    return reader, cast("dict[str, object]", content)


def _invalid(reader: TableReader, kind: str, message: str) -> Diagnostic:
    import re

    place = re.search(r" \(at line (\d+), column (\d+)\)|: line (\d+) column (\d+) \(char \d+\)", message)
    span = Span(file=reader.path)
    if place:
        line, column = int(place[1] or place[3]), int(place[2] or place[4])
        if line <= len(reader.lines):
            span = Span(file=reader.path, line=line, column=column, length=1, text=reader.lines[line - 1].rstrip("\r")[:1000])
    said = message[: place.start()] if place else message
    fix = f"see {'toml.io' if kind == 'TOML' else 'json.org'} for how tables, texts and lists are written"
    return Diagnostic(
        code="T001", severity=ERROR, message=f"invalid {kind}: {said[:1].lower()}{said[1:]}", span=span, notes=(), fix=fix
    )
