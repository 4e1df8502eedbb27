"""What the pytest plugin collects and runs; imported only where there is something to collect or to run."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lanewise.core.diagnostics import InputError, render
from lanewise.tools.shadertest import failure, linked, read, service_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from _pytest._code import ExceptionInfo
    from _pytest._code.code import TerminalRepr

    from lanewise.core.shadertests import ShaderTest
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.api.shader import Shader


class Failed(Exception):
    """What comes out is not what was expected; the text is for people."""


def messages(error: BaseException) -> str:
    """What a run of a shader or the reading of a test file has raised, in words; nothing for other exceptions."""
    if isinstance(error, InputError):
        return "\n\n".join(render(finding) for finding in error.diagnostics)
    return str(error) if isinstance(error, (Failed, OSError)) else ""


class ShaderTestFile(pytest.File):
    """A `*.shadertest.toml` file."""

    def collect(self) -> Iterable[ShaderTestItem]:
        try:
            tests = read(self.path)
        except (InputError, OSError) as error:
            raise self.CollectError(messages(error)) from None
        return [ShaderTestItem.of(self, test) for test in tests]


class ShaderTestItem(pytest.Item):
    """One test of such a file."""

    test: ShaderTest

    @classmethod
    def of(cls, parent: ShaderTestFile, test: ShaderTest) -> ShaderTestItem:
        item: ShaderTestItem = cls.from_parent(parent, name=test.name)  # pyright: ignore[reportUnknownMemberType]: pytest leaves it open
        item.test = test
        return item

    def runtest(self) -> None:
        text = failure(self.test)
        if text:
            raise Failed(text)

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        return messages(excinfo.value) or super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.test.line - 1, f"{self.path.name}: {self.name}"


def compare(folder: Path) -> Callable[..., None]:
    """The value of the fixture `shadertest`; paths are relative to `folder`."""

    def shadertest(
        program: str | PathLike[str] | Sequence[str | PathLike[str]] | Shader | Pipeline,
        *,
        shader: str | int | None = None,
        **values: Any,
    ) -> None:
        __tracebackhide__ = True
        try:
            listed = [program] if isinstance(program, (str, PathLike)) else program
            made = linked([folder / path for path in listed]) if isinstance(listed, Sequence) else listed
            text = service_of(made).compare(made, shader, values)
        except InputError as error:
            text = messages(error)
        if text:
            pytest.fail(text, pytrace=False)

    return shadertest
