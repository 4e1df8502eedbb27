"""Test files `*.shadertest.toml`, for the pytest plugin."""

from __future__ import annotations

from lanewise.api.cases import compare, service_of
from lanewise.api.testing import linked, read_tests
from lanewise.core import files
from lanewise.core.diagnostics import InputError
from lanewise.core.files import Scope, head
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.shadertests import SUFFIX
from lanewise.core.tables import parse
from lanewise.packages import recognise
from lanewise.tools.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from lanewise.core.package import IsaPackage
    from lanewise.core.shadertests import ShaderTest


def read(path: Path, *, follow: bool = False, programs: tuple[Path, ...] = ()) -> Sequence[ShaderTest]:
    """The tests of a file, with what the configuration says of programs that are compiled; `follow`: also with files outside of
    its project; `programs`: of these in place of its own. Raises InputError with everything that is wrong with it, OSError,
    UsageError."""
    configuration = Configuration()
    tests = read_tests(path, follow=follow, programs=programs)
    return [_configured(test, configuration, path, follow=follow) for test in tests]


def _configured(test: ShaderTest, configuration: Configuration, path: Path, *, follow: bool) -> ShaderTest:
    """Raises UsageError for a folder of the configuration that is outside of the project."""
    if not test.programs:
        return test
    settings = configuration.of(str(test.programs[0]))
    scope = Scope([str(path)], follow=follow)
    include = settings.compile.get("include", ())
    for folder in include if isinstance(include, tuple) else ():
        wrong = scope.refused(folder)
        if wrong:
            raise UsageError(f"{settings.path}: compile.include {folder}: {wrong}")
    return test._replace(options={**settings.compile, **test.options, **({"follow": True} if follow else {})})


def owner(path: Path) -> tuple[IsaPackage | None, str]:
    """The instruction set of the program that a test file names, with its name; None for a file without one that is read."""
    program = _table(path).get("program")
    first = cast("list[object]", program)[:1] if isinstance(program, list) else [program]
    first = first[0] if first else None
    if not isinstance(first, str) or not (path.parent / first).is_file():
        return None, ""
    return owner_of_program(str(path.parent / first)), first


def owner_of_program(path: str) -> IsaPackage | None:
    """The instruction set of a program; None for a file that is not recognised."""
    match = recognise(path, head(path, _HEAD))
    return None if match is None else match.package


def points_of(path: Path, names: Collection[str]) -> float:
    """The points of the tests of a file that has errors, of `names` or all; 0 for one that is not read."""
    listed = _table(path).get("test")
    entries = cast("list[object]", listed) if isinstance(listed, list) else []
    tables = [cast("dict[str, object]", each) for each in entries if isinstance(each, dict)]
    found = [each.get("points", 1) for each in tables if not names or each.get("name") in names]
    return sum(value for value in found if isinstance(value, (int, float)) and value >= 0)


def _table(path: Path) -> Mapping[str, object]:
    """The table of a test file; an empty one for a file that is not read."""
    try:
        return parse(files.read(path, "test"), str(path), toml=True, what="a table with program and tests")[1]
    except (InputError, InputFailure, OSError):
        return {}


_HEAD = 1 << 16


def failure(test: ShaderTest) -> str:
    """Run a test: what differs, or an empty text. Raises InputError, OSError."""
    return test.failure(linked(test.programs, test.options, test.sources))


__all__ = ["SUFFIX", "compare", "failure", "linked", "read", "service_of"]
