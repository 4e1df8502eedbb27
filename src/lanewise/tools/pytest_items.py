"""Collection and run of shader tests, imported by the plugin on demand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

import pytest

from lanewise.core.argument_kinds import raised
from lanewise.core.diagnostics import InputError, render, visible
from lanewise.core.files import Scope, head
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.shadertests import SUFFIX, named
from lanewise.tools.shadertest import compare as run_case
from lanewise.tools.shadertest import failure, linked, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from _pytest._code import ExceptionInfo
    from _pytest._code.code import TerminalRepr

    from lanewise.core.shadertests import ShaderTest


class Failed(Exception):
    """A shader test failed; the text has the differences."""


def messages(error: BaseException) -> str:
    """The text of an exception of a shader run or a test file; empty for other exceptions."""
    if isinstance(error, InputError):
        return "\n\n".join(render(finding) for finding in error.diagnostics)
    return str(error) if isinstance(error, (Failed, OSError, InputFailure, UsageError)) else ""


class ShaderTestFile(pytest.File):
    """A `*.shadertest.toml` file."""

    def collect(self) -> Iterable[ShaderTestItem]:
        wrong = Scope([str(self.path)]).refused(str(self.path)) if self.path.is_symlink() else ""
        if wrong:
            raise self.CollectError(f"cannot read {self.path}: {wrong}")
        try:
            tests = read(self.path)
        except OSError as error:
            raise self.CollectError(visible(f"cannot read {self.path}: {error.strerror or error}")) from None
        except (InputError, InputFailure, UsageError) as error:
            raise self.CollectError(visible(messages(error))) from None
        return [ShaderTestItem.of(self, test) for test in tests]


def has_tests(path: Path) -> bool:
    """Whether a TOML file begins as shader tests do, whatever its name."""
    try:
        beginning = head(path, 1 << 16)
    except OSError:
        return False
    return b"[[test]]" in beginning and (b"program" in beginning or b"source" in beginning)


def not_collected(path: Path) -> str:
    """The message about a file of tests with another name."""
    return visible(f"{path.name} is not collected: shader tests end in {SUFFIX}: rename it to {named(str(path))}", "")


class OtherTestFile(pytest.File):
    """A TOML file that is given to pytest by name, and is none of shader tests by its name."""

    def collect(self) -> Iterable[ShaderTestItem]:
        raise self.CollectError(not_collected(self.path))


class ShaderTestItem(pytest.Item):
    """One test of such a file."""

    test: ShaderTest
    funcargs: ClassVar[dict[str, object]] = {}  # pytest-lsp fails on items without it

    @classmethod
    def of(cls, parent: ShaderTestFile, test: ShaderTest) -> ShaderTestItem:
        item: ShaderTestItem = cls.from_parent(parent, name=visible(test.name, ""))  # pyright: ignore[reportUnknownMemberType]: pytest leaves it open
        item.test = test
        return item

    def runtest(self) -> None:
        text = failure(self.test)
        if text:
            raise Failed(text)

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        return visible(messages(excinfo.value)) or super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.test.line - 1, f"{self.path.name}: {self.name}"


def _not_there(path: str, folder: Path) -> str:
    """The failure for a program that does not exist; paths are relative to the `folder` of the test."""
    given = os.path.relpath(path, folder)
    there = Path(given).resolve()
    shown = os.path.relpath(there, folder).replace(os.sep, "/")
    meant = f": write '{shown}'" if there.is_file() else ""
    return f"{given} does not exist: paths are relative to the folder of the test, {folder}{meant}"


def _misused(program: object, placed: Sequence[object], values: Mapping[str, object]) -> str:
    """The failure for a call that no program can have; empty for others."""
    if placed:
        return "shadertest takes the program by place: give the rest by name, inputs=, uniforms=, outputs="
    if isinstance(program, str) and "\n" in program:
        return "the program is a text, expected a path or a program: `shadertest(lanewise.assemble(text).vertex, ...)`"
    if str(program).endswith(SUFFIX):
        return f"{program} is a file of shader tests: pytest runs it by its name, `pytest {program}`"
    if not {"outputs", "registers", "faults", "killed", "cycles"} & values.keys() and "expected" not in values:
        return "shadertest has nothing to compare: give what is expected, `outputs={'position': rows}`"
    return ""


def compare(folder: Path) -> Callable[..., None]:
    """The value of the fixture `shadertest`; paths are relative to `folder`."""

    def shadertest(
        program: str | PathLike[str] | Sequence[str | PathLike[str]] | object,
        *placed: object,
        shader: str | int | None = None,
        **values: Any,
    ) -> None:
        __tracebackhide__ = True
        wrong = _misused(program, placed, values)
        if wrong:
            pytest.fail(visible(wrong), pytrace=False)
        try:
            listed: Any = [program] if isinstance(program, (str, PathLike)) else program
            shader_file = (
                linked([folder / path for path in cast("Sequence[str]", listed)]) if isinstance(listed, Sequence) else listed
            )
            text = run_case(shader_file, values if shader is None else {**values, "shader": shader})
        except InputError as error:
            text = messages(error)
        except FileNotFoundError as error:
            text = _not_there(str(error.filename), folder)
        except (TypeError, ValueError) as error:
            if not raised(error.__traceback__):
                raise
            text = str(error)
        if text:
            pytest.fail(visible(text), pytrace=False)

    return shadertest
