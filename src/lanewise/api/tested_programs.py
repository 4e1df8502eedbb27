"""The programs of shader tests: files that they name, dumps with their data, sources that are linked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core import files
from lanewise.core.data import read_data_file
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.members import split
from lanewise.core.service import InputFailure, Request, UsageError
from lanewise.core.source import Span
from lanewise.packages import package_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.data import DataFile
    from lanewise.core.package import IsaPackage
    from lanewise.core.service import Value

_DATA = (".json", ".toml")  # suffixes of data files


class Disk:
    """The files that a shader test may name, by their paths."""

    def __init__(self, scope: files.Scope) -> None:
        self._scope = scope

    def read(self, path: str) -> bytes:
        try:
            return self._scope.read(path, files.kind_of(path))
        except (OSError, ValueError) as error:
            raise InputFailure(f"cannot read {path}: {files.reason(error)}") from None

    def exists(self, path: str) -> bool:
        return Path(path).is_file()

    def within(self, path: str) -> Disk:
        return self


def file_of(program: Path) -> Path:
    """The file of `FILE:NAME`."""
    return Path(split(str(program), os.path.exists)[0])


def dump_of(path: Path) -> DataFile | None:
    """A data file that has its program; None for another file. Raises InputError, OSError."""
    if not path.name.lower().endswith(_DATA):
        return None
    file = read_data_file(files.read(path, "data"), str(path))
    return file if file.program is not None else None


def owner_of(dump: DataFile) -> IsaPackage:
    """The instruction set of a dump. Raises InputError."""
    try:
        return package_of(dump.isa)
    except ValueError:
        what = f"unknown instruction set '{dump.isa}'" if dump.isa else "the instruction set of the program is not given"
        raise InputError(
            [
                Diagnostic(
                    code="T003", severity=ERROR, message=what, span=Span(file=dump.path), notes=(), fix='write "isa": "pica200"'
                )
            ]
        ) from None


def linked(
    programs: Sequence[Path], options: Mapping[str, Value] | None = None, sources: Sequence[tuple[str, str]] = ()
) -> object:
    """A program, `FILE:NAME` or a dump, read with `options`, or the program that several sources give; `sources` are names
    and texts of a test file that has them itself. Raises InputError, OSError."""
    from lanewise.api.loading import assemble, load_texts, load_with

    if sources:
        return load_texts(sources, options or {})
    dump = dump_of(programs[0]) if len(programs) == 1 and programs[0].is_file() else None
    if dump is not None:
        try:
            return owner_of(dump).load(Request("run", (), {"data": dump.path}, files=Disk(files.Scope([dump.path])))).program
        except (InputFailure, UsageError) as error:
            raise InputError(
                [
                    Diagnostic(
                        code="T005",
                        severity=ERROR,
                        message=str(error),
                        span=Span(file=dump.path),
                        notes=(),
                        fix="correct its program",
                    )
                ]
            ) from None
    return load_with(str(programs[0]), options or {}) if len(programs) == 1 else assemble(list(programs))


__all__ = ["Disk", "dump_of", "file_of", "linked", "owner_of"]
