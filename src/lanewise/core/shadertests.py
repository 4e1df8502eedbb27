"""The contract of shader tests: how a case runs, which keys it has, and what explains a wrong value."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    from lanewise.core.service import Value


SUFFIX = ".shadertest.toml"


def named(path: str) -> str:
    """The name of a test file for one that has another, which no file beside it has: `toon.shadertest.toml` for
    `test_toon.toml`."""
    from pathlib import Path

    own = stem = Path(path).name.partition(".")[0]
    for word in ("shadertests", "shadertest", "tests", "test"):
        for mark in "_-":
            stem = stem.removesuffix(mark + word).removeprefix(word + mark)
    return next((each + SUFFIX for each in (stem, own) if not Path(path).with_name(each + SUFFIX).exists()), own + SUFFIX)


class ShaderTest(Record):
    """One test of a file."""

    name: str
    "Name of the test in reports, as its header has it."
    line: int
    "Line of the header, from 1."
    programs: tuple[Path, ...]
    "Files that are loaded and linked, in order."
    case: Any
    "Values of the test, an `arrays.expecting.Case`."
    failure: Callable[[object], str]
    "Run with the linked programs: what differs, empty for nothing. Raises InputError."
    options: Mapping[str, Value] = {}
    "Values of options with which the programs are loaded, by key."
    sources: tuple[tuple[str, str], ...] = ()
    "Sources that the file itself has, in place of programs: their names, below that of the file, and texts."
    points: float = 1
    "Points of an exercise that the test is worth."
    remarks: tuple[str, ...] = ()
    "Lines on what it does not test although its expectations are written so."


class Beside(Record):
    """A test of a file that has a source as its program."""

    file: Path
    test: ShaderTest


def _run(program: Any, case: Any) -> Any:
    return program.run(case.inputs or {})


def _unchanged(program: Any, case: Any) -> Any:
    return program


def _same_case(program: Any, case: Any) -> Any:
    return case


class ShaderTests(Record):
    """Shader tests of an instruction set; a case is an `arrays.expecting.Case`."""

    kinds: tuple[type, ...]
    "Types of the programs that can be tested."
    title: str
    "Name in messages."
    run: Callable[[Any, Any], Any] = _run
    "`(program, case)`: the `Result`; by default `program.run` with the inputs. Raises InputError."
    tables: tuple[str, ...] = ("inputs", "uniforms")
    "Tables of values that its cases have, of `core.data.VALUES`."
    keys: tuple[str, ...] = ()
    "Fields of a case that its tests may have besides."
    checked: Callable[[str, object], object] | None = None
    "`(key, value)`: a value of one of `keys` as `run` takes it. Raises ValueError with `message: fix`."
    chosen: Callable[[Any, Any], Any] = _unchanged
    "`(program, case)`: the part of a program that the case runs, such as one of several shaders."
    filled: Callable[[Any, Any], Any] = _same_case
    "`(program, case)`: the case with the values that a program with data, such as a recorded draw, has and the case has not."
    trace: Callable[[Any, Any, int], Any] | None = None
    "`(program, case, lane)`: trace of a lane; None where the lane has none."
    blame: Callable[[Any, str], tuple[str, str]] | None = None
    "`(trace, component)`: the instruction that made a component, and its provenance; by default of a `core.trace.Trace`."
    names: Callable[[Any], Mapping[str, str]] | None = None
    "Further names of outputs, each with the name that results have."
    encode: Callable[[Any, str], Any] | None = None
    "`(numbers, format)`: patterns of numbers; by default of float32 and whole numbers."
    exact: Callable[[Any], tuple[Mapping[str, Any], str]] | None = None
    "`(result)`: the patterns of outputs with which expected words are compared, and their format; by default those of `bits`."
    cycles: Callable[[Any, Any], int | None] | None = None
    "`(program, case)`: cycles of a run; None where they are not known."
    device_of_cycles: Callable[[Any, Any, int | None], str] | None = None
    "`(program, case, cycles)`: the device whose cycles they are, and what to do about others, as the end of a message."
    errors: tuple[type[Exception], ...] = ()
    "Exceptions of `run`, other than InputError, that have `diagnostics`."
    options: tuple[str, ...] = ()
    "Keys of a file with lists of texts: options of that name with which its program is read."
    folders: tuple[str, ...] = ()
    "The `options` whose texts are paths, relative to the file."
    remarks: Callable[[Any], list[str]] | None = None
    "`(case)`: what a case does not test although its expectations are written so."
    debug: Callable[[Any, Any, int], tuple[Any, int]] | None = None
    "`(program, case, lane)`: a `core.debugging.Debuggee`, and its thread that computed a lane of the results."
