"""A launch configuration of an editor as a command line of `lanewise debug`, so that both take the same options and report the
same errors."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, cast

from lanewise.core.record import Record
from lanewise.core.shadertests import SUFFIX
from lanewise.core.text.suggestions import near
from lanewise.dap.arguments import Refusal
from lanewise.debugger.forms import FORMS, NUMBER
from lanewise.debugger.session import MOST_THREADS
from lanewise.packages import packages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.dap.arguments import Arguments

# Keys of the protocol and of editors; the rest of a configuration is ours.
_EDITORS = (
    "name",
    "type",
    "request",
    "noDebug",
    "presentation",
    "preLaunchTask",
    "postDebugTask",
    "internalConsoleOptions",
    "debugServer",
    "serverReadyAction",
    "console",
    "suppressMultipleSessionWarning",
    "args",
    "env",
)
# Options of a program that say nothing of its values.
_SETTINGS = ("--isa", "--dialect", "--profile", "--device", "--rule", "--define", "--include")
_OPTIONS = ("data", "mesh", "isa", "dialect", "profile", "device", "rule")
KEYS = (
    "program",
    "test",
    "testName",
    "inputs",
    "uniforms",
    "vertices",
    "entry",
    "defines",
    "include",
    "options",
    "cwd",
    "stopOnEntry",
    "numberForm",
    "camera",
    *_OPTIONS,
)


class Launch(Record):
    """A launch configuration."""

    files: tuple[str, ...]
    "FILEs of `lanewise debug`."
    values: tuple[tuple[str, str | None], ...]
    "Options of `lanewise debug` with their values, in order; None for an option without one."
    cwd: str = ""
    "The folder of the files; empty: that of the adapter."
    stop_on_entry: bool = True
    "The session begins stopped at the first instruction."
    form: str = NUMBER
    "The form of numbers at the start, one of `FORMS`."
    runs: bool = False
    "The program runs to its end without stops."

    @property
    def is_test(self) -> bool:
        """Whether it is a test of a shader test file."""
        return any(name.endswith(SUFFIX) for name in self.files)

    @property
    def has_values(self) -> bool:
        """Whether it says what the program runs on: values, or that they are zeros."""
        return self.is_test or any(name not in _SETTINGS for name, _ in self.values)

    @property
    def zeros(self) -> bool:
        """Whether what has no value is 0."""
        return ("--default", "0") in self.values

    @property
    def command_line(self) -> list[str]:
        """The arguments of `lanewise debug`."""
        return [*self.files, *[name if value is None else f"{name}={value}" for name, value in self.values]]


def read_launch(given: Arguments) -> Launch:
    """Check a launch configuration. Raises Refusal."""
    for key in given.values:
        if key not in KEYS and key not in _EDITORS and not key.startswith("_"):
            close = near(key, KEYS)
            hint = f"did you mean '{close[0]}'?" if close else f"use {', '.join(KEYS)}"
            raise Refusal(f"the launch configuration has the unknown key '{key}': {hint}", shown=True)
    program, test = given.values.get("program"), given.text("test", "")
    files = [program] if isinstance(program, str) else given.texts("program", [])
    if test and files:
        raise Refusal(
            "the launch configuration has 'program' and 'test': leave one out, the test names its program", shown=True
        )
    if not test and given.has("testName"):
        raise Refusal("the launch configuration has 'testName' without 'test': add the file of the test", shown=True)
    if not files and not test:
        raise Refusal(
            'the launch configuration has no program: add "program": "FILE" or "test": "FILE.shadertest.toml"', shown=True
        )
    form = given.text("numberForm", NUMBER)
    if form not in FORMS:
        raise Refusal(f"numberForm is '{form}': use {', '.join(FORMS)}", shown=True)
    return Launch(
        files=tuple([test] if test else files),
        values=tuple(_values(given)),
        cwd=given.text("cwd", ""),
        stop_on_entry=given.flag("stopOnEntry", True),
        form=form,
        runs=given.flag("noDebug"),
    )


_TABLES = {"input": "inputs", "uniform": "uniforms", "define": "defines", "include": "include"}


def launched(key: str, value: str) -> str:
    """An option of `lanewise debug` as a launch configuration has it; empty for options that it does not have."""
    where = "the launch configuration"
    if key in _TABLES:
        return f"`{value}` in `{_TABLES[key]}` of {where}" if value else f"`{_TABLES[key]}` of {where}"
    key = "testName" if key == "test" else key
    if key not in KEYS:
        if key not in _debug_options():
            return ""
        where = f"`options` of {where}"
    return f'`"{key}": {json.dumps(value)}` in {where}' if value else f"`{key}` in {where}"


@cache
def _debug_options() -> frozenset[str]:
    return frozenset({option.key for package in packages() for option in package.manual("debug").options} | {"default"})


def _vertices(given: Arguments) -> Iterator[int]:
    found = tuple(dict.fromkeys(given.integers("vertices")))
    wrong = [number for number in found if number < 0]
    if not found or len(found) > MOST_THREADS or wrong:
        seen = str(wrong[0]) if wrong else f"{len(found)} numbers"
        raise Refusal(f"vertices has {seen}: expected 1 to {MOST_THREADS} numbers of vertices, from 0 on", shown=True)
    yield from found


def _values(given: Arguments) -> Iterator[tuple[str, str | None]]:
    if given.has("vertices"):
        yield "--vertices", ",".join(map(str, _vertices(given)))
    if given.has("testName"):
        yield "--test", given.text("testName")
    for key in _OPTIONS:
        if given.has(key):
            yield f"--{key}", given.text(key)
    if given.values.get("camera") is True:
        yield "--camera", None
    elif given.values.get("camera") not in (None, False):
        yield "--camera", given.text("camera")
    if given.has("entry"):
        yield "--entry", str(given.integer("entry"))
    for key, option in (("inputs", "--input"), ("uniforms", "--uniform")):
        for name, value in given.inner(key, {}).values.items():
            yield option, f"{name}={value_text(value, f'{key}: {name}')}"
    for name, value in given.inner("defines", {}).values.items():
        yield "--define", f"{name}={_scalar(value, f'defines: {name}')}"
    for folder in given.texts("include", []):
        yield "--include", folder
    for name, value in given.inner("options", {}).values.items():
        option = name if name.startswith("-") else f"--{name}"
        for each in cast("list[object]", value) if isinstance(value, list) else [value]:
            if each is True:
                yield option, None
            elif each is not False:
                yield option, _scalar(each, f"options: {name}")


def value_text(value: object, of: str) -> str:
    """A value of JSON as options of `lanewise run` have it: `1,2,3;4,5,6`. Raises Refusal."""
    if not isinstance(value, list):
        return _scalar(value, of)
    items = cast("list[object]", value)
    if not items:
        raise Refusal(f"{of} is an empty list: give its components", shown=True)
    if all(isinstance(item, list) for item in items):
        return ";".join([_row(cast("list[object]", item), of) for item in items])
    return _row(items, of)


def _row(items: list[object], of: str) -> str:
    return ",".join([_scalar(item, of) for item in items])


def _scalar(value: object, of: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return value
    raise Refusal(f"{of} is {json.dumps(value)[:60]}: expected a number, a list of numbers, or a text", shown=True)


__all__ = ["KEYS", "Launch", "launched", "read_launch", "value_text"]
