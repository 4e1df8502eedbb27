"""Shader tests of the PICA200: the values of a `*.shadertest.toml` file, a run with them, and what differs from the expected outputs."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, cast

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, render
from lanewise.core.shadertests import ShaderTest, ShaderTests
from lanewise.core.source import Span
from lanewise.core.text.problems import Suggestions
from lanewise.pica200.api.expecting import Case, mismatches, report
from lanewise.pica200.api.file import ShaderFile
from lanewise.pica200.api.interface import RunError
from lanewise.pica200.api.pipeline import Pipeline
from lanewise.pica200.api.primitives import PipelineError
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.sem.profile import find_profile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from lanewise.pica200.sem.profile import Profile

# The keys of a file's top level, whose values are for all of its tests, and those of a test.
_COMMON = ("shader", "profile", "tolerance", "inputs", "uniforms", "geometry_uniforms", "indices", "count")
_TOP = ("program", *_COMMON, "test")
_TEST = ("name", *_COMMON, "outputs")
_TABLES = ("inputs", "uniforms", "geometry_uniforms", "outputs")


def compare(program: object, shader: str | int | None, values: Mapping[str, object]) -> str:
    """What differs, or an empty text. Raises InputError, and TypeError for other keys or another program."""
    return _failure(program, shader, Case(**cast("dict[str, Any]", values)))


def _failure(program: object, shader: str | int | None, case: Case) -> str:
    """Run a case: what differs, or why a run ended. Raises InputError."""
    stage = _stage(program, shader)
    try:
        found = mismatches(stage, case)
        return report(stage, case, found) if found else ""
    except (RunError, PipelineError) as error:
        return "\n\n".join([render(finding) for finding in error.diagnostics])


def _stage(program: object, shader: str | int | None) -> Shader | Pipeline:
    """The shader to run, or all stages of a program that has a geometry shader. Raises InputError, TypeError."""
    if isinstance(program, (Shader, Pipeline)):
        return program
    if not isinstance(program, ShaderFile):
        raise TypeError(f"a {type(program).__name__} is not a program of the PICA200")
    if shader is not None:
        return program.shader(shader)
    return program.pipeline if any(found.stage == "geometry" for found in program.programs) else program.vertex


_KEY = re.compile(r"""\s*\[*\s*(?:"([^"]*)"|([^\s"=\].]+))\s*[=\].]""")
_KEY_OF_TEST = re.compile(r"""\s*\[*\s*test\.(?:"([^"]*)"|([^\s"=\].]+))\s*[=\].]""")


class _Reader:
    """One file while it is read; findings are collected."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text
        self.findings: list[Diagnostic] = []
        self.known: set[Diagnostic] = set()
        self.suggestions = Suggestions()
        self.lines = text.split("\n")
        self.places: dict[str, list[int]] = {}  # of each key, and of the name of each table, with and without the table `test`
        for number, line in enumerate(self.lines, 1):
            for found in {match[1] or match[2] for match in (_KEY.match(line), _KEY_OF_TEST.match(line)) if match is not None}:
                self.places.setdefault(found, []).append(number)

    def report(self, code: str, message: str, fix: str, key: str = "", line: int = 0) -> None:
        finding = Diagnostic(code, ERROR, message, self.span(key, line), (), fix)
        if finding not in self.known:  # what is wrong at the top level is wrong for each test
            self.known.add(finding)
            self.findings.append(finding)

    def span(self, key: str, line: int) -> Span:
        """The first line that begins with a key or has it as a table's name, from a line on; or that line."""
        least = max(line, 1)
        number = next((n for n in self.places.get(key, ()) if n >= least), 0) if key else least
        if not 0 < number <= len(self.lines):
            return Span(str(self.path))
        shown = self.lines[number - 1].rstrip("\r")
        return Span(str(self.path), number, len(shown) - len(shown.lstrip()) + 1, max(1, len(shown.strip())), shown)

    def table(self, value: object, key: str, line: int) -> dict[str, object]:
        """A table of the file, or an empty one with a finding."""
        if isinstance(value, dict):
            return cast("dict[str, object]", value)
        header = f"[test.{key}]" if line > 1 else f"[{key}]"
        self.report("T004", f"{key} is not a table", f"write {header} and a line NAME = VALUE for each", key, line)
        return {}


def read(path: Path, text: str, content: Mapping[str, object]) -> list[ShaderTest]:
    """The tests of a file. Raises InputError with everything that is wrong with it."""
    reader = _Reader(path, text)
    tests = list(_tests(reader, content))
    if reader.findings:
        raise InputError(reader.findings)
    return tests


def _tests(reader: _Reader, content: Mapping[str, object]) -> Iterator[ShaderTest]:
    headers = [number for number, line in enumerate(reader.text.split("\n"), 1) if re.match(r"\s*\[\[\s*test\s*\]\]", line)]
    _known(reader, content, _TOP, 1, "a shader test file")
    programs = _programs(reader, content.get("program"))
    listed = content.get("test")
    if not isinstance(listed, list) or not listed:
        reader.report("T003", "the file has no tests", "add [[test]] with name and outputs")
        return
    names: set[str] = set()
    for number, entry in enumerate(cast("list[object]", listed)):
        line = headers[number] if number < len(headers) else 1
        test = reader.table(entry, "test", line)
        _known(reader, test, _TEST, line, "a test")
        name = test.get("name", f"test {number + 1}")
        wrong = "not a string" if not isinstance(name, str) else "already taken" if name in names else ""
        if wrong:
            reader.report("T004", f"the name of test {number + 1} is {wrong}", "give each test its own name", "name", line)
        names.add(str(name))
        if "outputs" not in test:
            reader.report(
                "T003",
                f"test '{name}' expects no outputs",
                "add [test.outputs] with a line for each, such as position = [0, 0, 0, 1]",
                "",
                line,
            )
        shader = test.get("shader", content.get("shader"))
        if shader is not None and (not isinstance(shader, (str, int)) or isinstance(shader, bool)):
            reader.report(
                "T004",
                "shader is neither a name nor a number",
                "name one of the program's shaders, or its number",
                "shader",
                line,
            )
            shader = None
        case = _case(reader, content, test, line)
        yield ShaderTest(str(name), line, programs, partial(_failure, shader=shader, case=case))


def _programs(reader: _Reader, value: object) -> tuple[Path, ...]:
    listed = cast("list[object]", value) if isinstance(value, list) else [value]
    if value is None:
        reader.report("T003", "the file names no program", 'write program = "light.v.pica", relative to this file')
        return ()
    if not listed or not all(isinstance(name, str) for name in listed):
        reader.report("T004", "program is neither a text nor a list of texts", 'write program = "light.v.pica"', "program")
        return ()
    found = tuple(reader.path.parent / str(name) for name in listed)
    for path in found:
        if not path.is_file():
            reader.report("T005", f"program not found: {path}", "the name is relative to the test file", "program")
    return found


def _known(reader: _Reader, table: Mapping[str, object], keys: Sequence[str], line: int, what: str) -> None:
    for key in table:
        if key not in keys:
            near = reader.suggestions.nearest(key, keys)
            reader.report(
                "T002",
                f"{what} has no key '{key}'",
                f"did you mean {near}?" if near else f"the keys are {', '.join(keys)}",
                key,
                line,
            )


def _case(reader: _Reader, content: Mapping[str, object], test: Mapping[str, object], line: int) -> Case:
    """The values of a test, with those of the file where it has none; in tables the test's entries go before the file's."""
    tables: dict[str, dict[str, object]] = {}
    for key in _TABLES:
        tables[key] = {
            **(reader.table(content[key], key, 1) if key in content and key in _TOP else {}),
            **(reader.table(test[key], key, line) if key in test else {}),
        }
    both = {**content, **test}
    tolerances = test.get("tolerance")
    for key in cast("dict[str, object]", tolerances) if isinstance(tolerances, dict) else ():
        if key not in tables["outputs"]:
            fix = f"the test expects {', '.join(tables['outputs']) or 'nothing'}"
            reader.report("T002", f"tolerance for '{key}', which the test does not expect", fix, "tolerance", line)

    def at(key: str) -> int:
        return line if key in test else 1

    count = both.get("count")
    if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 0):
        reader.report("T004", "count is not a number of vertices", "write count = 3", "count", at("count"))
        count = None
    indices = both.get("indices")
    if indices is not None and not isinstance(indices, list):
        reader.report("T004", "indices is not a list", "write indices = [0, 1, 2]", "indices", at("indices"))
        indices = None
    return Case(
        cast("dict[str, list[float]]", tables["outputs"]),
        cast("dict[str, list[float]]", tables["inputs"]),
        cast("dict[str, list[float]]", tables["uniforms"]),
        _tolerance(reader, both.get("tolerance", 0), at("tolerance")),
        _profile(reader, both.get("profile"), at("profile")),
        count,
        cast("list[int] | None", indices),
        cast("dict[str, list[float]]", tables["geometry_uniforms"]) or None,
    )


def _tolerance(reader: _Reader, value: object, line: int) -> int | dict[str, int]:
    def steps(number: object) -> bool:
        return isinstance(number, int) and not isinstance(number, bool) and number >= 0

    if steps(value):
        return cast("int", value)
    if isinstance(value, dict) and all(map(steps, cast("dict[str, object]", value).values())):
        return cast("dict[str, int]", value)
    fix = "write tolerance = 2, or [test.tolerance] with a line for each output"
    reader.report("T004", "tolerance is not a whole number of float24 steps, 0 or more", fix, "tolerance", line)
    return 0


def _profile(reader: _Reader, value: object, line: int) -> Profile | None:
    if value is None:
        return None
    try:
        if isinstance(value, str):
            return find_profile(value)
        if isinstance(value, dict):
            fields = {key: str(field) for key, field in cast("dict[str, object]", value).items()}
            return find_profile(fields.pop("preset", None)).replace(**fields)
    except ValueError as error:
        reader.report(
            "T004",
            str(error).partition(":")[0],
            str(error).partition(": ")[2] or "see lanewise isa pica200 --evidence",
            "profile",
            line,
        )
        return None
    reader.report(
        "T004",
        "profile is neither a name nor a table",
        'write profile = "hardware", or [profile] with preset and fields',
        "profile",
        line,
    )
    return None


SHADER_TESTS = ShaderTests((ShaderFile, Shader, Pipeline), read, compare)
