"""Test files `*.shadertest.toml`, for the pytest plugin."""

from __future__ import annotations

from lanewise.api.testing import compare, linked, read_tests, service_of
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lanewise.core.shadertests import ShaderTest

SUFFIX = ".shadertest.toml"


def read(path: Path) -> Sequence[ShaderTest]:
    """The tests of a file. Raises InputError with everything that is wrong with it, OSError."""
    return read_tests(path)


def failure(test: ShaderTest) -> str:
    """Run a test: what differs, or an empty text. Raises InputError, OSError."""
    return test.failure(linked(test.programs, test.options))


__all__ = ["SUFFIX", "compare", "failure", "linked", "read", "service_of"]
