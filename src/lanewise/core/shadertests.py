"""What shader tests need from an instruction set: how a case runs, which keys it has, and what explains a wrong value."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    from lanewise.core.service import Value


class ShaderTest(Record):
    """One test of a file: `line` is that of its header, from 1; `case` has its values.

    `failure` runs it with the programs, loaded with `options` and linked, and returns what differs, or an empty text. It raises
    InputError.
    """

    name: str
    line: int
    programs: tuple[Path, ...]
    case: Any
    failure: Callable[[object], str]
    options: Mapping[str, Value] = {}


def _run(program: Any, case: Any) -> Any:
    return program.run(case.inputs or {})


def _unchanged(program: Any, case: Any) -> Any:
    return program


class ShaderTests(Record):
    """Shader tests of an instruction set; a case is an `arrays.expecting.Case`.

    `kinds` are the types of programs that it takes, `title` names it in messages. `run(program, case)` gives the `Result`
    (default: `program.run` with the inputs); it raises InputError. `tables` are the tables of values (`core.data.VALUES`) that
    its cases have, `keys` what else, from the fields of a case; `checked(key, value)` is the value of such a key as `run` takes
    it, and raises ValueError with `message: fix` for another one. `chosen` is what a case runs of a program, such as one of
    several shaders.

    `trace(program, case, lane)` is the trace of a lane, or None, and `blame(trace, component)` the instruction that made a
    component of an output with the text of its provenance (default: of a `core.trace.Trace`). `debug(program, case, lane)` is
    its run for a debugger, a `core.debugging.Debuggee`, with the thread that made a lane of its results. `names(program)` are
    further names of outputs with the names that results have. `encode(numbers, format)` makes patterns of numbers (default:
    float32 and whole numbers). `cycles(program, case)` is the time that a run takes. `errors` are the exceptions of `run`,
    other than InputError, that have `diagnostics`. `options` are keys of a file with lists of texts for options of that name,
    with which its program is read; those of `folders` are paths, relative to the file.
    """

    kinds: tuple[type, ...]
    title: str
    run: Callable[[Any, Any], Any] = _run
    tables: tuple[str, ...] = ("inputs", "uniforms")
    keys: tuple[str, ...] = ()
    checked: Callable[[str, object], object] | None = None
    chosen: Callable[[Any, Any], Any] = _unchanged
    trace: Callable[[Any, Any, int], Any] | None = None
    blame: Callable[[Any, str], tuple[str, str]] | None = None
    names: Callable[[Any], Mapping[str, str]] | None = None
    encode: Callable[[Any, str], Any] | None = None
    cycles: Callable[[Any, Any], int | None] | None = None
    errors: tuple[type[Exception], ...] = ()
    options: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    debug: Callable[[Any, Any, int], tuple[Any, int]] | None = None
