"""Shader tests of every instruction set: files `*.shadertest.toml`."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lanewise.api.cases import RESULTS, file_name, known_keys, services
from lanewise.api.meant_keys import component, elsewhere, lists_of_tables, meant, tolerance_fix, tolerance_keys, values_of_table
from lanewise.api.tested_programs import Disk, dump_of, file_of, linked, owner_of
from lanewise.arrays.data import arrays_of, values_of
from lanewise.arrays.expecting import Case, by_key, tolerance_of
from lanewise.arrays.failures import failure
from lanewise.core import files
from lanewise.core.data import KINDS, VALUES, read_data_file, whole
from lanewise.core.diagnostics import ERROR, INPUT, UNIFORM, Diagnostic, InputError
from lanewise.core.origins import Origin, add_table, placed
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.shadertests import SUFFIX, Beside, ShaderTest
from lanewise.core.source import Span
from lanewise.core.tables import TableReader, parse
from lanewise.packages import Match, recognise, suffixes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.core.origins import Origins
    from lanewise.core.shadertests import ShaderTests

_MOST_POINTS = 1_000_000
_HEADER = re.compile(r"\s*\[\[\s*test\s*\]\]")


def read_tests(path: Path, *, follow: bool = False, programs: tuple[Path, ...] = ()) -> list[ShaderTest]:
    """The tests of a file; `follow`: also with files outside of its project; `programs`: of these in place of its own. Raises
    InputError with everything that is wrong with it, OSError."""
    reader, content = parse(files.read(path, "test"), str(path), toml=True, what="a table with program and tests")
    scope = files.Scope([str(path), *[str(program) for program in programs]], follow=follow)
    tests = list(_File(path, reader, content, _tests_of(path, content, scope, programs), scope, programs).tests())
    if reader.findings:
        raise InputError(reader.findings)
    return tests


def tests_beside(source: Path) -> list[Beside]:
    """The tests of a program, of the files in its folder. A file with errors has none."""
    found: list[Beside] = []
    here = source.resolve()
    try:
        paths = list(files.walk(str(source.parent), wanted=lambda path: path.endswith(SUFFIX), deep=False))
    except (OSError, ValueError):
        return []
    for file in map(Path, paths):
        try:
            tests = read_tests(file)
        except (InputError, InputFailure, UsageError, OSError):
            continue
        found += [Beside(file, test) for test in tests if any(program.resolve() == here for program in test.programs)]
    return found


def _tests_of(path: Path, content: Mapping[str, object], scope: files.Scope, given: Sequence[Path]) -> ShaderTests:
    """The tests of the package that its program, or what is given in its place, belongs to; where the program is missing, the
    first, which reports that."""
    sources = () if given else _sources_of(path, content.get("source"))
    if sources:
        return _tests_for(recognise(sources[0][0], sources[0][1].encode("utf-8", "surrogatepass")), sources[0][0], path)
    value = content.get("program", content.get("data"))
    names = cast("list[object]", value) if isinstance(value, list) else [value]
    own = path.parent / names[0] if names and isinstance(names[0], str) else None
    named = given[0] if given else own
    program = None if named is None else file_of(named)
    if program is not None and not program.is_file() and program.suffix:
        return _tests_for(recognise(str(program), b""), str(program), path)
    if program is None or not program.is_file() or scope.refused(str(program)):
        return services()[0][1]
    dump = dump_of(program)
    match = recognise(str(program), files.read(program, "program")) if dump is None else Match(owner_of(dump))
    return _tests_for(match, str(program), path)


def _tests_for(match: Match | None, program: str, path: Path) -> ShaderTests:
    """The tests of the package of a program; the first where nothing recognises it. Raises InputError for a package without."""
    known = services()  # recognising may have looked up those of other distributions
    if match is None:
        return known[0][1]
    for package, service in known:
        if package.name == match.package.name:
            return service
    able = ", ".join([package.title for package, _ in known])
    message = f"{program} is a {match.title}: shader tests run programs of {able}"
    raise InputError(
        [
            Diagnostic(
                code="T005",
                severity=ERROR,
                message=message,
                span=Span(file=str(path)),
                notes=(),
                fix=f"name a program of {able}",
            )
        ]
    )


def _sources_of(path: Path, value: object) -> tuple[tuple[str, str], ...]:
    """The sources that a test file has itself, named below it; those that are wrong are left out."""
    entries = cast("list[object]", value) if isinstance(value, list) else []
    tables = [cast("dict[str, object]", entry) for entry in entries if isinstance(entry, dict)]
    found = [(table.get("name"), table.get("text")) for table in tables]
    return tuple(
        [
            (f"{path}/{name}", text)
            for name, text in found
            if isinstance(name, str) and isinstance(text, str) and not _wrong_name(name)
        ]
    )


def _wrong_name(name: str) -> bool:
    """Whether a name is not that of a file in a folder."""
    return not name.isprintable() or name in ("", ".", "..") or any(letter in name for letter in "/\\:")


class _File:
    """One test file while it is read."""

    def __init__(
        self,
        path: Path,
        reader: TableReader,
        content: Mapping[str, object],
        tests: ShaderTests,
        scope: files.Scope,
        given: tuple[Path, ...],
    ) -> None:
        self.path, self.reader, self.content, self.kind, self.given = path, reader, content, tests, given
        self.scope, self.disk = scope, Disk(scope)
        self.report = reader.report
        self.folder = str(path.parent)
        own = [key for key in tests.keys if key != "geometry_uniforms"]
        self.tables = (*tests.tables, *(("geometry_uniforms",) if "geometry_uniforms" in tests.keys else ()))
        self.plain = own
        self.common = (*own, "tolerance", *self.tables, "count", "defaults", "data")
        results = [key for key in (*RESULTS, "faults", "registers") if key != "cycles" or tests.cycles is not None]
        self.results = tuple(results)
        entries = content.get("test")
        listed = cast("list[object]", entries) if isinstance(entries, list) else []
        self._listed = [cast("dict[str, object]", each) for each in listed if isinstance(each, dict)]
        named = any("program" in each for each in self._listed)
        # whether the program is named below the first [[test]], whose key it is there
        self.misplaced: bool = named and not given and not {"program", "source"} & content.keys()
        # lists of tables that stand where [[test]] is missing, by their names
        self.meant: dict[str, list[dict[str, object]]] = {} if listed else lists_of_tables(content)
        self.dump = ""  # the data file that is the program
        self.values: list[Mapping[str, object]] = []  # the tables of all tests
        self.options = {key: self._texts(key) for key in tests.options if key in content}

    def _other(self, key: str) -> str:
        """The fix of a key that only the tests of other instruction sets have; empty for any other."""
        if key in self.meant:
            below = dict.fromkeys(name for each in self.meant[key] for name, value in each.items() if isinstance(value, dict))
            return "write [[test]]" + "".join([f", [test.{name}]" for name in below])
        if key in known_keys(self.kind):
            return ""  # of a test, in the file's own table, or the other way round
        if self.given:  # in place of a program whose tests may have it
            own = _tests_of(self.path, self.content, self.scope, ())
            if own is not self.kind and key in known_keys(own) and (key != "cycles" or own.cycles is not None):
                of = f"{self.given[0]} is for {self.kind.title}, and the file's own program for {own.title}"
                return f"{of}: test one for that"
        if key == "cycles":
            titles = [service.title for _, service in services() if service.cycles is not None]
            return f"{key} is for {' and '.join(titles)}, but the program is for {self.kind.title}: remove it"
        return elsewhere(
            key,
            next((each[key] for each in (self.content, *self._listed) if key in each), None),
            self.kind,
            [service for _, service in services()],
        )

    def _misplaced_key(self, finding: Diagnostic) -> Diagnostic:
        """A finding about an unknown name; of one that is a key of a test, with its place as the fix."""
        name = finding.message.partition("'")[2].partition("'")[0]
        if finding.code != "B001" or name not in ("points", *self.common, *self.results):
            fix = component(self.reader, name, self.values) if finding.code == "B001" else ""
            return finding._replace(fix=fix) if fix else finding
        owner, end = ("the file or of a test", "") if name in self.common else ("a test", " of the test")
        fix = (
            f"{name} is a key of {owner}: {self._place(name, finding.span.line) or f'write it above the first `[table]`{end}'}"
        )
        return finding._replace(fix=fix)

    def _place(self, name: str, line: int) -> str:
        """Where a key of the file or of a test belongs that is in another table, in that line or the first one."""
        keys = [*self._keys()]
        found = [number for number, (key, table) in enumerate(keys, 1) if key == name and table.strip("[]") not in ("", "test")]
        at = line if line in found else next(iter(found), 0)
        if not at:
            return ""
        of_a_test = keys[at - 1][1].startswith("[test.")
        tests = [
            number
            for number, (_, table) in enumerate(keys, 1)
            if table == "[[test]]" and _HEADER.match(self.reader.lines[number - 1])
        ]
        start = max([number for number in tests if of_a_test and number < at], default=0)
        if start or name in self.common:
            own = next(
                (number for number in range(start + 1, at) if keys[number - 1] == (name, "[[test]]" if start else "")), 0
            )
            if own:
                return f"change `{self.reader.lines[own - 1].partition('#')[0].strip()}` in line {own}, and take line {at} out"
            first = next(number for number in range(start + 1, at) if keys[number - 1][1] not in ("", "[[test]]"))
            return f"write it above `{keys[first - 1][1]}` in line {first}, below which it is a key of that table"
        return f"write it below `[[test]]` in line {tests[0]}" if tests else ""

    def _keys(self) -> Iterator[tuple[str, str]]:
        """Each key of the file, with the header above it."""
        header = ""
        for line in self.reader.lines:
            header = (
                line.partition("#")[0].strip()
                if line.lstrip().startswith("[") and "=" not in line.partition("#")[0]
                else header
            )
            yield line.partition("=")[0].strip(), header

    def tests(self) -> Iterator[ShaderTest]:
        """Each test; findings go to the reader."""
        headers = [number for number, line in enumerate(self.reader.lines, 1) if _HEADER.match(line)]
        self.reader.known(
            self.content,
            ("program", "source", *self.kind.options, *self.common, "test"),
            "a shader test file",
            other=self._other,
        )
        inside = "source" in self.content and not self.given
        sources = self._sources() if inside else ()
        programs = () if inside else self._programs(self.content.get("program", self._dumped()))
        listed = self.content.get("test")
        if not isinstance(listed, list) or not listed:
            if isinstance(listed, dict) and not self.meant:
                self.report("T003", "test is one table, expected a list of them", "write [[test]] in its place", key="test")
            elif not self.meant:
                self.report("T003", "the file has no tests", "add [[test]] with name and outputs")
            return
        names: set[str] = set()
        widths = _widths(cast("list[object]", listed))
        for number, entry in enumerate(cast("list[object]", listed)):
            line = headers[number] if number < len(headers) else 1
            test = self._table(entry, "test", line)
            own = {key: value for key, value in test.items() if key != "program" or not self.misplaced}
            of_any = (
                () if programs or inside else ("cycles", *[key for _, service in services() for key in known_keys(service)])
            )
            known = ("name", "points", *self.common, "outputs", *self.results, *of_any)
            self.reader.known(own, known, "a test", line, self._other)
            name = test.get("name", f"test {number + 1}")
            wrong = "not a string" if not isinstance(name, str) else "already taken" if name in names else ""
            if wrong:
                self.report("T004", f"the name of test {number + 1} is {wrong}", "give each test its own name", "name", line)
            names.add(str(name))
            if not {"outputs", *self.results} & {*test, *map(meant, test)}:
                fix = "add [test.outputs] with a line for each, such as position = [0, 0, 0, 1]"
                self.report("T003", f"test '{name}' expects no outputs", fix, "", line)
            origins: Origins = {}
            case = self._case(test, line, origins)
            yield ShaderTest(
                name=str(name),
                line=line,
                programs=programs,
                case=case,
                failure=partial(_failure, self.kind, case, origins, self._misplaced_key),
                options=self.options,
                sources=sources,
                points=self._points(test, line),
                remarks=(*(self.kind.remarks(case) if self.kind.remarks is not None else ()), *_left_out(case, widths)),
            )

    def _points(self, test: Mapping[str, object], line: int) -> float:
        value = test.get("points", 1)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _MOST_POINTS:
            fix = "write points = 2, a number from 0 to a million"
            self.report("T004", "points is not a number of points", fix, "points", line)
            return 1
        return value

    def _texts(self, key: str) -> tuple[str, ...]:
        """The texts of an option of the program."""
        value = self.content[key]
        listed = cast("list[object]", value) if isinstance(value, list) else [value]
        if not all(isinstance(text, str) and text for text in listed):
            self.report("T004", f"{key} is not a list of texts", f'write {key} = ["TEXT"]', key)
            return ()
        if key not in self.kind.folders:
            return tuple([str(text) for text in listed])
        folders = tuple([str(self.path.parent / str(text)) for text in listed])
        for folder in folders:
            wrong = self.scope.refused(folder)
            if wrong:
                self.report("T005", f"{key} {folder} is not read: {wrong}", "move the test or the folder", key)
        return folders

    def _table(self, value: object, key: str, line: int) -> dict[str, object]:
        header = f"[test.{key}]" if line > 1 else f"[{key}]"
        return self.reader.table(value, key, f"write {header} and a line NAME = VALUE for each", line)

    def _dumped(self) -> str | None:
        """The data file of all tests, if it has a program."""
        name = self.content.get("data")
        path = self.path.parent / name if isinstance(name, str) else None
        return str(name) if path is not None and self._is_dump(path) else None

    def _is_dump(self, path: Path) -> bool:
        """Whether a file that may be read is a data file that has its program."""
        return path.is_file() and not self.scope.refused(str(path)) and dump_of(path) is not None

    def _sources(self) -> tuple[tuple[str, str], ...]:
        """The sources of the file itself."""
        value = self.content["source"]
        if isinstance(value, str) and "program" not in self.content:
            message = "source is a text: it is a table with a name and the text of a shader"
            self.report("T004", message, f'write program = "{value}"', "source")
            return ()
        entries = cast("list[object]", value) if isinstance(value, list) else [value]
        for entry in entries:
            table = self._table(entry, "source", 1)
            self.reader.known(table, ("name", "text"), "a source")
            name, text = table.get("name"), table.get("text")
            if not isinstance(name, str) or _wrong_name(name):
                self.report("T004", "name is not that of a source", 'write name = "light.v.pica"', "source")
            elif not isinstance(text, str):
                self.report("T004", f"the text of {name} is not a text", "write text = '''...'''", "source")
        if "program" in self.content:
            self.report("T004", "the file has both program and source", "leave one of them out", "program")
        found = _sources_of(self.path, entries)
        if not found and not self.reader.findings:
            self.report("T003", "the file has no source", "add [[source]] with name and text, or program", "source")
        return found

    def _programs(self, value: object) -> tuple[Path, ...]:
        if self.given:
            return self.given
        listed = cast("list[object]", value) if isinstance(value, list) else [value]
        if value is None:
            if self.misplaced:
                fix = "move it above the first `[table]`, below which it is a key of that table"
                self.report("T002", "program is a key of the file, not of a test", fix, "program")
            elif not self._is_below_a_table():
                own = self.path.name.partition(".")[0]
                found = files.walk(self.folder, wanted=lambda name: name.lower().endswith(suffixes()), deep=False)
                beside = sorted([name for name in map(os.path.basename, found) if name.startswith(f"{own}.")])
                named = ((key, text) for key, text in self.content.items() if meant(key) == "program")
                key, given = next(named, ("", beside[0] if beside else "light.v.pica"))
                fix = f'write program = "{given}", relative to this file'
                self.report("T003", "the file names no program", fix, key)
            return ()
        if not listed or not all(isinstance(name, str) for name in listed):
            self.report("T004", "program is neither a text nor a list of texts", 'write program = "light.v.pica"', "program")
            return ()
        found = tuple(self.path.parent / str(name) for name in listed)
        if len(found) == 1 and self._is_dump(found[0]):
            self.dump = str(listed[0])
        for path in found:
            wrong = self.scope.refused(str(file_of(path)))
            if wrong:
                what, _, fix = wrong.partition(": ")
                self.report("T005", f"program {path} is not read: {what}", fix or "move the test or the program", "program")
            elif not file_of(path).is_file():
                self.report("T005", f"program not found: {path}", self._meant(str(listed[found.index(path)])), "program")
        return found

    def _is_below_a_table(self) -> bool:
        """Whether the program is a key of a table of the file, which is reported where the table is read."""
        return any(isinstance(table, dict) and "program" in table for table in self.content.values())

    def _meant(self, given: str) -> str:
        """The fix of a path that does not exist: as it is from here, where the command runs, or a name like it."""
        near = given if Path(given).is_file() else files.meant(str(self.path.parent / given))
        near = os.path.relpath(near, self.path.parent).replace(os.sep, "/") if near else ""
        escaped = any(letter < " " for letter in given)
        fix = "`\\` begins an escape in double quotes" if escaped else "the name is relative to the test file"
        outside = self.scope.refused(str(self.path.parent / near)).partition(": ")[2] if near else ""
        also = f"; as it is outside of the project, also {outside}" if outside else ""
        return f'write "{near}": {fix}{also}' if near else fix

    def _case(self, test: Mapping[str, object], line: int, origins: Origins) -> Case:
        """The values of a test, with those of the file where it has none; in tables the test's entries go before the file's,
        and both before a data file. Their places go to `origins`."""
        for key, kind in KINDS.items():
            for tables, at in ((test, line), (self.content, 1)):
                table = tables.get(key)
                if isinstance(table, dict):
                    add_table(origins, kind, self.reader, tuple(cast("dict[str, object]", table)), key, at)
        both, known = {**self.content, **test}, ("program", *self.common)
        values: dict[str, Any] = {}
        given, count = self._data(both.get("data"), line if "data" in test else 1, origins)
        if self.dump and both.get("data") != self.dump:
            dumped, lanes = self._data(self.dump, 1, origins)
            given = {key: {**dumped.get(key, {}), **given.get(key, {})} for key in VALUES}
            count = lanes if count is None else count
        for kind in (INPUT, UNIFORM):
            origins.setdefault((kind, ""), Origin(file=self.reader.path, reader=self.reader, line=line))
        for key in self.tables:
            values[key] = dict(given.get(key, {}))
            for tables, at in ((self.content, 1), (test, line)):
                if key in tables:
                    table = self._table(tables[key], key, at)
                    table = values_of_table(self.reader, table, key, at, known, self.disk, self.folder)
                    self.values.append(table)
                    values[key] |= arrays_of(self.reader, table, key, self.disk, self.folder, at)
            values[key] = values[key] or None
        for key in ("outputs", "registers"):
            if key in test:
                table = self._table(test[key], key, line)
                table = values_of_table(self.reader, table, key, line, known, self.disk, self.folder)
                values[key] = arrays_of(self.reader, table, key, self.disk, self.folder, line)
        values.setdefault("outputs", {})
        for key in self.plain:
            if both.get(key) is not None:
                values[key] = self._own(key, both[key], line if key in test else 1)
        place = line if "count" in test else 1
        found = whole(self.reader, both.get("count"), "count", "a number of vertices", "write count = 3", place)
        values["count"] = count if found is None else found
        values["tolerance"] = self._tolerance(
            both.get("tolerance", 0), test, {*values["outputs"], *values.get("registers", {})}, line
        )
        if both.get("defaults", 0) != 0 or isinstance(both.get("defaults"), bool):
            self.report(
                "T004",
                "defaults is not 0",
                "write defaults = 0 for zeros, or remove it",
                "defaults",
                line if "defaults" in test else 1,
            )
        values["defaults"] = 0 if "defaults" in both else None
        values["killed"] = self._killed(test.get("killed"), line)
        values["faults"] = self._faults(test.get("faults"), line)
        if "cycles" in test:
            number = next((word for word in re.findall(r"\d+", str(test["cycles"]))), "120")
            number = "N, as `lanewise time` prints it" if str(test["cycles"]).startswith("[") else number
            values["cycles"] = whole(
                self.reader, test["cycles"], "cycles", "a number of cycles", f"write cycles = {number}", line
            )
        return Case(**values)

    def _data(self, value: object, line: int, origins: Origins) -> tuple[Mapping[str, Mapping[str, Any]], int | None]:
        """The tables and the count of a data file."""
        if value is None:
            return {}, None
        if not isinstance(value, str):
            self.report("T004", "data is not the path of a data file", 'write data = "frame.json"', "data", line)
            return {}, None
        path = self.path.parent / value
        try:
            file = read_data_file(self.disk.read(str(path)), str(path))
            file.note(origins)
            found = values_of(file, self.disk)
        except InputFailure as error:
            message, _, fix = (
                str(error).rpartition(": ") if path.is_file() else (f"{path} does not exist", "", self._meant(value))
            )
            self.report("T005", message, fix, "data", line)
            return {}, None
        except InputError as error:
            self.reader.findings += [finding for finding in error.diagnostics if finding not in self.reader.findings]
            return {}, None
        tables = {key: getattr(found, key) for key in VALUES}
        for key, table in tables.items():
            if table and key not in self.tables:
                fix = "leave the table out of the data file"
                self.report("T002", f"{value} has {key}, which {self.kind.title} does not have", fix, "data", line)
        return tables, found.count

    def _own(self, key: str, value: object, line: int) -> object:
        """A value that only some instruction sets have."""
        try:
            return self.kind.checked(key, value) if self.kind.checked is not None else value
        except ValueError as error:
            message, _, fix = str(error).partition(": ")
            self.report("T004", message, fix or f"docs/testing.md describes {key}", key, line)
            return None

    def _tolerance(self, value: Any, test: Mapping[str, object], keys: set[str], line: int) -> Any:
        at = line if "tolerance" in test else 1
        table: Mapping[str, object] = value if by_key(value) else {}
        if fix := tolerance_keys(table) if not set(table) <= keys else "":
            self.report("T004", "tolerance has neither abs nor ulp, nor a key of outputs", fix, "tolerance", at)
            return 0
        for key in table if "tolerance" in test else ():
            if key not in keys:
                fix = f"the test expects {', '.join(sorted(keys)) or 'nothing'}"
                self.report("T002", f"tolerance for '{key}', which the test does not expect", fix, "tolerance", line)
        try:
            for each in table.values() if table else (value,):
                tolerance_of(each)
        except ValueError:
            self.report("T004", "tolerance is not a whole number of steps, 0 or more", tolerance_fix(value), "tolerance", at)
            return 0
        return value

    def _killed(self, value: Any, line: int) -> Any:
        listed: list[Any] = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
        if value is not None and not (listed and all(isinstance(item, bool) for item in listed)):
            self.report(
                "T004", "killed is neither true or false nor a list of them", "write killed = [true, false]", "killed", line
            )
            return None
        return cast("Any", value)

    def _faults(self, value: Any, line: int) -> Any:
        listed: list[Any] = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
        if value is not None and value is not True and not all(isinstance(item, str) for item in listed):
            fix = "write the code that the failure of a test without it names, or remove it"
            self.report("T004", "faults is neither a code nor a list of codes", fix, "faults", line)
            return None
        return cast("Any", value)


def _widths(listed: Sequence[object]) -> dict[str, int]:
    """The most components that the tests of a file expect, by output."""
    found: dict[str, int] = {}
    for entry in listed:
        outputs = cast("dict[str, object]", entry).get("outputs") if isinstance(entry, dict) else None
        for key, value in cast("dict[str, object]", outputs).items() if isinstance(outputs, dict) else ():
            values = cast("list[object]", value) if isinstance(value, list) else [value]
            row = cast("list[object]", values[0]) if values and isinstance(values[0], list) else values
            found[key] = max(found.get(key, 0), len(row))
    return found


# Outputs that have at least so many components in every program.
_USUAL = {"position": 4, "color": 3, "quaternion": 4, "normalquat": 4, "view": 3, "normal": 3}


def _left_out(case: Case, widths: Mapping[str, int]) -> Iterator[str]:
    """Remarks on outputs of which a test expects fewer components than another one of its file, or than such outputs have,
    without naming them."""
    for key, values in case.outputs.items():
        shape: tuple[int, ...] = getattr(getattr(values, "array", values), "shape", ())
        count, letters, most = shape[-1] if shape else 1, "xyzw", max(widths.get(key, 0), _USUAL.get(key, 0))
        if count < most <= len(letters) and "." not in key:
            left = (
                f"{', '.join(letters[count : most - 1])} and {letters[most - 1]} are"
                if most > count + 1
                else f"{letters[count]} is"
            )
            yield f'{key}: {left} not tested: give {most} numbers, or write "{key}.{letters[:count]}" to leave them out'


def _failure(
    tests: ShaderTests, case: Case, origins: Origins, told: Callable[[Diagnostic], Diagnostic], program: object
) -> str:
    try:
        return failure(tests, program, case, file_name(program))
    except InputError as error:
        found = [told(_of_a_test(finding)) for finding in error.diagnostics]
        raise InputError(placed(found, origins)) from None


def _of_a_test(finding: Diagnostic) -> Diagnostic:
    """A finding whose fix names the key of a test in place of the option of a command."""
    fix = finding.fix.replace("`--program 0`", "`shader = 0`") if finding.code == "B010" else finding.fix
    return finding._replace(fix=fix) if fix != finding.fix else finding


__all__ = ["linked", "read_tests", "tests_beside"]
