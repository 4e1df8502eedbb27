"""Where the values of a run are from: the lines of data files, other files, the command line."""

from __future__ import annotations

from lanewise.core.diagnostics import Related
from lanewise.core.missing import ZEROS
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.tables import TableReader

    # By kind of value (`core.diagnostics.About`) and name; an empty name is the file to which further ones can be added.
    Origins = MutableMapping[tuple[str, str], "Origin"]


COMMAND_LINE = "<command line>"
_TESTS = ".shadertest.toml"  # files for which no option gives values


class Origin(Record):
    """A place of a value. Lines are looked up when a finding needs them."""

    file: str = ""
    "Empty for the command line."
    option: str = ""
    "The option of the command line, as it was given."
    reader: TableReader | None = None
    "The file with its lines, if it is a table of values."
    table: str = ""
    "The table of the file that has the value, or where it could be added; empty for the whole file."
    name: str = ""
    "The key of the value in it; empty for the table itself."
    line: int = 1
    "The first line at which the table or the name can be."

    @property
    def span(self) -> Span:
        if not self.file:
            return Span(file=COMMAND_LINE, line=1, column=1, length=len(self.option), text=self.option)
        if self.reader is None:
            return Span(file=self.file)
        table = self.reader.span(self.table, self.line)
        named = self.reader.span(self.name, table.line or self.line) if self.name else table
        return named if named.line else table


def placed(findings: Iterable[Diagnostic], origins: Origins) -> list[Diagnostic]:
    """The findings with the places of the values that they are about; others unchanged."""
    return [_placed(finding, origins) for finding in findings]


def _placed(finding: Diagnostic, origins: Origins) -> Diagnostic:
    found: list[tuple[str, Origin]] = []
    for value in finding.about:
        own = origins.get((value.kind, value.name))  # of what is missing: where a part of it is given
        # a name that is not there is a part of one: rows of a dump are given as single registers
        origin = own or origins.get((value.kind, ""))
        if origin is not None and (origin.file or origin.option):
            found.append((value.name, origin))
    if not found:
        return finding
    before = [Related(finding.span, "read here")] if finding.span.line or finding.span.offset >= 0 else []
    spans = {origin.span: name for name, origin in reversed(found)}
    place, *rest = reversed(spans)
    others = [Related(span, f"{spans[span]} is given here") for span in rest]
    fix = _added(finding.fix, *found[0]) if finding.about[0].missing else finding.fix
    return finding._replace(span=place, related=(*finding.related, *before, *others), fix=fix)


def _added(fix: str, name: str, origin: Origin) -> str:
    """The fix for a value that is missing, where the values are from."""
    test = origin.reader is not None and origin.file.lower().endswith(_TESTS)
    value = fix.partition("): ")[2].replace(ZEROS, "or write `defaults = 0` for zeros" if test else ZEROS)
    if not origin.name and not origin.option:
        where = f"to {origin.table}" if origin.table else "here"
        return f"add {name} {where}: {value}" if test and value else f"add {name} {where}, or {fix}"
    return f"give {name} here {value}" if origin.reader is not None and value else fix


def add_table(origins: Origins, kind: str, reader: TableReader, names: Sequence[str], table: str = "", line: int = 1) -> None:
    """Note the names of a table of a file. Those that are noted already stay."""
    for name in (*names, ""):
        origins.setdefault((kind, name), Origin(file=reader.path, reader=reader, table=table, name=name, line=line))
