"""Files of a command line: folders are searched, `.shlist` files name the sources of one program.

devkitPro's Makefiles build `light.shbin` of the files that `light.shlist` names, separated by blanks or line ends, in its folder
(`$(foreach file,$(shell cat $<),$(dir $<)$(file))` in the Makefile of 3ds-examples/graphics/gpu/geoshader).
"""

from __future__ import annotations

import os

from lanewise.core.file_list import LIST_SUFFIX, listed
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import STDIO, InputFailure, UsageError
from lanewise.core.source import decode_text
from lanewise.tools.console import read_bytes, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lanewise.tools.configuration import Configuration

# Folders of build systems and package managers, which hold copies; hidden folders are left out too.
SKIPPED = frozenset(
    ("build", "_build", "CMakeFiles", "dist", "node_modules", "site-packages", "venv", "buck-out", "__pycache__")
)


class Unit(Record):
    """The files of one program. `name` is the argument or file that stands for it; `folder`: it was found in a folder."""

    name: str
    files: tuple[str, ...]
    folder: bool = False

    @property
    def linked(self) -> bool:
        return self.name.lower().endswith(LIST_SUFFIX)


class Units(Record):
    """The programs of a command line, and what was said about its folders."""

    units: tuple[Unit, ...]
    remarks: tuple[str, ...] = ()


def units_of(arguments: Iterable[str], suffixes: Sequence[str], configuration: Configuration) -> Units:
    """The programs of FILE arguments: a file is one, a list is one, a folder has one for each file or list in it.

    Sources that a list names are not programs by themselves. Files with text of another kind, such as GLSL in a `.vsh`, are left out.
    Raises InputFailure, UsageError.
    """
    found: list[Unit] = []
    remarks: list[str] = []
    for argument in arguments:
        if _is_folder(argument):
            units, skipped = _in_folder(argument, suffixes, configuration)
            found += units
            count = len({file for unit in units for file in unit.files})
            remarks.append(f"{argument}: {count} {'file' if count == 1 else 'files'}{skipped}")
        elif argument.lower().endswith(LIST_SUFFIX):
            found.append(Unit(argument, listed_files(argument)))
        else:
            found.append(Unit(argument, (argument,)))
    seen: set[tuple[str, ...]] = set()
    kept: list[Unit] = []
    for unit in found:  # a file that is named, and in a folder that is named
        if not (unit.folder and unit.files in seen):
            kept.append(unit)
        seen.add(unit.files)
    return Units(tuple(kept), tuple(remarks))


def listed_files(path: str) -> tuple[str, ...]:
    """The files that a list names. Raises InputFailure, UsageError for an empty one."""
    found = listed(path, read_bytes(path))
    if not found:
        raise UsageError(f"{path} names no file: write the sources of a program, separated by blanks or line ends")
    return found


def expanded(arguments: Iterable[str]) -> tuple[str, ...]:
    """FILE arguments with the files that lists name in their places. Raises InputFailure, UsageError."""
    found: list[str] = []
    for argument in arguments:
        found += listed_files(argument) if argument.lower().endswith(LIST_SUFFIX) else (argument,)
    return tuple(found)


def _in_folder(folder: str, suffixes: Sequence[str], configuration: Configuration) -> tuple[list[Unit], str]:
    files: list[str] = []
    excluded = foreign = 0
    wanted = (*suffixes, LIST_SUFFIX)
    for path, kept in _walk(folder, configuration):
        if not path.lower().endswith(wanted):
            continue
        if not kept:
            excluded += 1
        elif path.lower().endswith(LIST_SUFFIX) or not _is_foreign(path):
            files.append(path)
        else:
            foreign += 1
    lists = [Unit(path, listed_files(path), folder=True) for path in files if path.lower().endswith(LIST_SUFFIX)]
    named = {os.path.normpath(file) for unit in lists for file in unit.files}
    single = [
        Unit(path, (path,), folder=True)
        for path in files
        if not path.lower().endswith(LIST_SUFFIX) and os.path.normpath(path) not in named
    ]
    notes = [f"{excluded} excluded"] * bool(excluded) + [f"{foreign} in other languages left out"] * bool(foreign)
    return sorted([*lists, *single]), "".join([f", {note}" for note in notes])


def _walk(folder: str, configuration: Configuration) -> Iterator[tuple[str, bool]]:
    """The files below a folder, and whether `exclude` keeps them."""
    from pathlib import Path

    def failed(error: OSError) -> None:
        raise InputFailure(f"cannot read {error.filename}: {reason(error)}")

    for name, folders, names in os.walk(folder, onerror=failed):
        place = Path(name)
        folders[:] = [each for each in sorted(folders) if _searched(str(place / each), configuration)]
        settings = configuration.of(str(place / "x"))
        for each in sorted(names):
            path = str(place / each)
            yield path, not settings.excludes(path)


def _searched(folder: str, configuration: Configuration) -> bool:
    name = os.path.basename(folder)
    return name[0] != "." and name not in SKIPPED and not configuration.of(folder).excludes_folder(folder)


def _is_folder(path: str) -> bool:
    try:
        return path != STDIO and os.path.isdir(path)
    except (OSError, ValueError):  # a name that no file has
        return False


def _is_foreign(path: str) -> bool:
    """Whether a file with a suffix of ours holds a shader in another language, such as GLSL in a `.vsh`."""
    from lanewise.core.foreign import foreign_source

    data = read_bytes(path)
    return b"\0" not in data and foreign_source(decode_text(data)) is not None


__all__ = ["Unit", "Units", "expanded", "listed_files", "units_of"]
