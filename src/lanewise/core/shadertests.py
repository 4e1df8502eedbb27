"""What shader tests need from an instruction set: the tests of a `*.shadertest.toml` file, and the comparison of a run with expected values."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path


class ShaderTest(Record):
    """One test of a file: `line` is that of its header, from 1.

    `failure` runs it with the loaded and linked `programs` and returns what differs, or an empty text. It raises InputError.
    """

    name: str
    line: int
    programs: tuple[Path, ...]
    failure: Callable[[object], str]


class ShaderTests(Record):
    """Shader tests of an instruction set.

    `read(path, text, content)` gives the tests of a parsed file; it raises InputError with everything that is wrong with it. `compare(program,
    shader, values)` is the fixture of the pytest plugin: `kinds` are the types of programs that it takes, `shader` selects one of several, `values`
    are the keyword arguments. It returns what differs, or an empty text, and raises InputError, and TypeError for other arguments.
    """

    kinds: tuple[type, ...]
    read: Callable[[Path, str, Mapping[str, object]], Sequence[ShaderTest]]
    compare: Callable[[object, str | int | None, Mapping[str, object]], str]
