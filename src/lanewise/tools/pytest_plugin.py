"""The pytest plugin: `*.shadertest.toml` files and the fixture `shadertest`.

pytest imports this in every run, so everything else is imported when there is such a file or test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lanewise.tools.pytest_items import OtherTestFile, ShaderTestFile

_SUFFIX = ".shadertest.toml"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ShaderTestFile | OtherTestFile | None:
    if not file_path.name.endswith(_SUFFIX):
        given = parent.session.isinitpath(file_path)
        if file_path.suffix != ".toml" or not (given or "test" in file_path.stem.lower()):
            return None
        from lanewise.tools.pytest_items import OtherTestFile, has_tests, not_collected

        if not has_tests(file_path):
            return None
        if not given:
            parent.warn(pytest.PytestCollectionWarning(not_collected(file_path)))
            return None
        return OtherTestFile.from_parent(parent, path=file_path)  # pyright: ignore[reportUnknownMemberType]: as below
    from lanewise.core.diagnostics import visible
    from lanewise.tools.pytest_items import ShaderTestFile

    if not file_path.name.isprintable():  # pytest shows names as they are
        named = visible(f"{parent.nodeid}/{file_path.name}".lstrip("./"), "")
        return ShaderTestFile.from_parent(parent, path=file_path, nodeid=named)  # pyright: ignore[reportUnknownMemberType]
    return ShaderTestFile.from_parent(parent, path=file_path)  # pyright: ignore[reportUnknownMemberType]: pytest leaves it open


@pytest.fixture
def shadertest(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Run a shader and compare its outputs: `shadertest("light.v.pica", outputs={"color": [1, 0, 0, 1]}, inputs={...})`.

    The program is a path relative to the test's file, a list of paths to be linked, or a program of `lanewise.load`, a
    `lanewise.pica200.Shader` or a `Pipeline`. The other arguments are the fields of `lanewise.Case` that the instruction set
    has: outputs, inputs, uniforms, tolerance, count, registers, faults and others (docs/testing.md). The failure names the
    instruction that wrote each differing component.
    """
    from lanewise.tools.pytest_items import compare

    return compare(request.path.parent)
