"""Files of a command line: folders are searched, `.shlist` files name the sources of one program.

devkitPro's Makefiles build `light.shbin` of the files that `light.shlist` names, separated by blanks or line ends, in its
folder (`$(foreach file,$(shell cat $<),$(dir $<)$(file))` in the Makefile of 3ds-examples/graphics/gpu/geoshader).
"""

from __future__ import annotations

import os

from lanewise.core import files as door
from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.file_list import LIST_SUFFIX, listed
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import STDIO, InputFailure, UsageError
from lanewise.core.source import Span, decode_text
from lanewise.tools.console import read_bytes, reason, remember

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
    """The programs of a command line, what was said about its folders, and the files in them that cannot be read."""

    units: tuple[Unit, ...]
    remarks: tuple[str, ...] = ()
    unread: tuple[Diagnostic, ...] = ()


def units_of(arguments: Iterable[str], suffixes: Sequence[str], configuration: Configuration, *, follow: bool = False) -> Units:
    """The programs of FILE arguments: a file is one, a list is one, a folder has one for each file or list in it.

    Sources that a list names are not programs by themselves. Files with text of another kind, such as GLSL in a `.vsh`, are
    left out. Raises InputFailure, UsageError.
    """
    found: list[Unit] = []
    remarks: list[str] = []
    unread: list[Diagnostic] = []
    for argument in arguments:
        if _is_folder(argument):
            search = _Search(argument, suffixes, configuration, follow=follow)
            found += search.units
            unread += search.unread
            remarks += search.remarks
        elif argument.lower().endswith(LIST_SUFFIX):
            found.append(Unit(argument, listed_files(argument, follow=follow)))
        else:
            found.append(Unit(argument, (argument,)))
    seen: set[tuple[str, ...]] = set()
    kept: list[Unit] = []
    for unit in found:  # a file that is named, and in a folder that is named
        if not (unit.folder and unit.files in seen):
            kept.append(unit)
        seen.add(unit.files)
    return Units(tuple(kept), tuple(remarks), tuple(unread))


def listed_files(path: str, *, follow: bool = False) -> tuple[str, ...]:
    """The files that a list names, those of its project without `follow`. Raises InputFailure, UsageError for an empty one."""
    found = listed(path, read_bytes(path, kind="list"))
    if not found:
        raise UsageError(f"{path} names no file: write the sources of a program, separated by blanks or line ends")
    scope = door.Scope([path], follow=follow)
    for each in found:
        wrong = scope.refused(each) or ("" if os.path.lexists(each) else "No such file or directory")
        if wrong:
            raise InputFailure(f"cannot read {each}, which {path} names: {wrong}")
    return found


def expanded(arguments: Iterable[str], *, follow: bool = False) -> tuple[str, ...]:
    """FILE arguments with the files that lists name in their places. Raises InputFailure, UsageError."""
    found: list[str] = []
    for argument in arguments:
        found += listed_files(argument, follow=follow) if argument.lower().endswith(LIST_SUFFIX) else (argument,)
    return tuple(found)


class _Search:
    """The programs in a folder. `unread` are findings about files that cannot be read: the others are served."""

    def __init__(self, folder: str, suffixes: Sequence[str], configuration: Configuration, *, follow: bool) -> None:
        self._configuration, self._follow = configuration, follow
        self._wanted = (*suffixes, LIST_SUFFIX)
        self.unread: list[Diagnostic] = []
        self._excluded = self._foreign = 0
        self._links: list[str] = []
        paths = list(door.walk(folder, wanted=self._is_wanted, enters=self._is_searched, left=self._leave))
        lists = [unit for path in paths if path.lower().endswith(LIST_SUFFIX) for unit in self._list(path)]
        named = {os.path.normpath(file) for unit in lists for file in unit.files}
        single = [
            Unit(path, (path,), folder=True)
            for path in paths
            if not path.lower().endswith(LIST_SUFFIX) and self._is_ours(path) and os.path.normpath(path) not in named
        ]
        self.units = sorted([*lists, *single])
        count = len({file for unit in self.units for file in unit.files})
        notes = [f"{count} {'file' if count == 1 else 'files'}"]
        notes += [f"{self._excluded} excluded"] * bool(self._excluded)
        notes += [f"{self._foreign} in other languages left out"] * bool(self._foreign)
        self.remarks = [f"{folder}: {', '.join(notes)}", *self._links]

    def _is_wanted(self, path: str) -> bool:
        if not path.lower().endswith(self._wanted):
            return False
        excluded = self._configuration.of(path).excludes(path)
        self._excluded += excluded
        return not excluded

    def _is_searched(self, folder: str) -> bool:
        return is_searched(folder) and not self._configuration.of(folder).excludes_folder(folder)

    def _leave(self, path: str, why: str) -> None:
        if os.path.islink(path):
            self._links.append(f"{path} left out: {why}")
        else:
            self._fail(path, f"cannot read {path}: {why}")

    def _fail(self, path: str, message: str) -> None:
        self.unread.append(Diagnostic(code=InputFailure.code, severity=ERROR, message=message, span=Span(file=path)))

    def _list(self, path: str) -> tuple[Unit, ...]:
        try:
            return (Unit(path, listed_files(path, follow=self._follow), folder=True),)
        except (InputFailure, UsageError) as error:
            self._fail(path, str(error))
            return ()

    def _is_ours(self, path: str) -> bool:
        """Whether a file can be read and has no shader in another language, such as GLSL in a `.vsh`."""
        from lanewise.core.foreign import foreign_source

        try:
            data = door.read(path, door.STREAM, remember)
        except (OSError, ValueError) as error:
            self._fail(path, f"cannot read {path}: {reason(error)}")
            return False
        foreign = b"\0" not in data and foreign_source(decode_text(data)) is not None
        self._foreign += foreign
        return not foreign


def is_searched(folder: str) -> bool:
    """Whether a folder that is found in another is searched: not those of build systems, and not hidden ones."""
    name = os.path.basename(folder)
    return name[0] != "." and name not in SKIPPED


def _is_folder(path: str) -> bool:
    try:
        return path != STDIO and os.path.isdir(path)
    except (OSError, ValueError):  # a name that no file has
        return False


__all__ = ["Unit", "Units", "expanded", "is_searched", "listed_files", "units_of"]
