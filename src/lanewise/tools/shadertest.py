"""Test files `*.shadertest.toml`, for the pytest plugin."""

from __future__ import annotations

from lanewise.api.testing import compare, linked, read_tests, service_of
from lanewise.core.record import TYPE_CHECKING
from lanewise.tools.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lanewise.core.shadertests import ShaderTest

SUFFIX = ".shadertest.toml"


def read(path: Path) -> Sequence[ShaderTest]:
    """The tests of a file, with what the configuration says of programs that are compiled. Raises InputError with everything that is wrong with it, OSError, UsageError."""
    configuration = Configuration()
    return [
        test._replace(options={**configuration.of(str(test.programs[0])).compile, **test.options}) if test.programs else test
        for test in read_tests(path)
    ]


def failure(test: ShaderTest) -> str:
    """Run a test: what differs, or an empty text. Raises InputError, OSError."""
    return test.failure(linked(test.programs, test.options))


__all__ = ["SUFFIX", "compare", "failure", "linked", "read", "service_of"]
