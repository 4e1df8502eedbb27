"""Test files `*.shadertest.toml`, for the pytest plugin."""

from __future__ import annotations

from lanewise.api.testing import compare, linked, read_tests, service_of
from lanewise.core.files import Scope
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.core.shadertests import SUFFIX
from lanewise.tools.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

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


def failure(test: ShaderTest) -> str:
    """Run a test: what differs, or an empty text. Raises InputError, OSError."""
    return test.failure(linked(test.programs, test.options, test.sources))


__all__ = ["SUFFIX", "compare", "failure", "linked", "read", "service_of"]
