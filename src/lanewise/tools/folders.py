"""Files of a command line: folders are searched; lists, units of the configuration and names of files say which sources are one
program.

devkitPro's Makefiles build `light.shbin` of the files that `light.shlist` names, separated by blanks or line ends, in its
folder (`$(foreach file,$(shell cat $<),$(dir $<)$(file))` in the Makefile of 3ds-examples/graphics/gpu/geoshader), and of
`light.v.pica` and `light.g.pica` where both exist (`%.v.pica %.g.pica` there).
"""

from __future__ import annotations

import os

from lanewise.core import files as door
from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.file_list import LIST_SUFFIX, line_of, listed
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import STDIO, InputFailure, UsageError
from lanewise.core.source import Span, decode_text
from lanewise.packages import languages
from lanewise.tools.console import print_remark, read_bytes, reason, remember

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.tools.configuration import Configuration

# Folders of build systems and package managers, which hold copies; hidden folders are left out too.
SKIPPED = frozenset(
    ("build", "_build", "CMakeFiles", "dist", "node_modules", "site-packages", "venv", "buck-out", "__pycache__")
)


class Unit(Record):
    """The sources of one program: a file, those of a list, those that the configuration declares, or a pair in a folder."""

    name: str
    "Argument or file that stands for it."
    files: tuple[str, ...]
    "Paths in the order in which they are linked."
    folder: bool = False
    "It was found in a folder."

    @property
    def linked(self) -> bool:
        """Whether the sources are linked, which a list of one source is too."""
        return self.name.lower().endswith(LIST_SUFFIX) or len(self.files) > 1


class Units(Record):
    """The programs of a command line, what was said about its folders, and the files in them that cannot be read."""

    units: tuple[Unit, ...]
    remarks: tuple[str, ...] = ()
    unread: tuple[Diagnostic, ...] = ()


def units_of(
    arguments: Iterable[str],
    suffixes: Sequence[str],
    configuration: Configuration,
    *,
    follow: bool = False,
    linked: bool = True,
) -> Units:
    """The programs of FILE arguments: a file is one, a list is one, a folder has one for each file or list in it.

    Sources that a list names are not programs by themselves. With `linked`, nor are those of a unit of the configuration, and
    those whose names make a pair (`Language.pair`) where both are named, or in a folder. Files with text of another kind, such
    as GLSL in a `.vsh`, are left out. Raises InputFailure, UsageError.
    """
    found: list[Unit] = []
    remarks: list[str] = []
    unread: list[Diagnostic] = []
    for argument in arguments:
        if _is_folder(argument):
            search = _Search(argument, suffixes, configuration, follow=follow, linked=linked)
            found += search.units
            unread += search.unread
            remarks += search.remarks
        elif argument.lower().endswith(LIST_SUFFIX):
            found.append(Unit(argument, listed_files(argument, follow=follow)))
        elif linked and (declared := declared_units(argument, configuration)):
            remarks += [remark_on(argument, unit) for unit in declared if unit.name not in {other.name for other in found}]
            found += declared
        else:
            found.append(Unit(argument, (argument,)))
    pairs = pairs_of([unit.name for unit in found if not unit.folder and not unit.linked]) if linked else []
    partners = {path for pair in pairs for path in pair[1:]}
    linking = {pair[0]: pair for pair in pairs}
    found = [
        unit if unit.folder else unit._replace(files=linking.get(unit.name, unit.files))
        for unit in found
        if unit.folder or unit.name not in partners
    ]
    seen: set[tuple[str, ...]] = set()
    kept: list[Unit] = []
    for unit in found:  # a file that is named, and in a folder that is named; two files of a unit
        key = tuple([os.path.normpath(file) for file in unit.files])
        if key not in seen or not (unit.folder or unit.linked):
            kept.append(unit)
        seen.add(key)
    return Units(tuple(kept), tuple(remarks), tuple(unread))


def declared_units(argument: str, configuration: Configuration) -> list[Unit]:
    """The units of the configuration that have a file, with paths as its own is written. Raises UsageError, InputFailure for a
    source that does not exist."""
    found: list[Unit] = []
    for unit in configuration.of(argument).units_with(argument):
        paths = tuple([_as_written(file, argument) for file in unit.files])
        for path in paths:
            wrong = door.refused(path) or ("" if os.path.lexists(path) else "No such file or directory")
            if wrong:
                raise InputFailure(f"cannot read {path}, which unit {unit.name} of {unit.path} names: {wrong}")
        found.append(Unit(f"{unit.path}:{unit.name}", paths))
    return found


def _as_written(path: str, argument: str) -> str:
    """A path, absolute or relative as an argument is; the argument itself where both are one file."""
    if os.path.normcase(os.path.abspath(path)) == os.path.normcase(os.path.abspath(argument)):
        return argument
    if os.path.isabs(argument):
        return os.path.abspath(path)
    try:
        return os.path.relpath(path)
    except ValueError:  # another drive
        return path


def pairs_of(paths: Iterable[str]) -> list[tuple[str, ...]]:
    """The sources among some files whose names make a pair, in the order in which they are linked."""
    known = {os.path.normpath(path): path for path in paths}
    found: list[tuple[str, ...]] = []
    for suffixes in [language.pair for _, language in languages() if language.pair]:
        for name in [name for name in known if name.endswith(suffixes[0])]:
            files = [name[: -len(suffixes[0])] + suffix for suffix in suffixes]
            if all(file in known for file in files):
                found.append(tuple([known[file] for file in files]))
    return found


def remark_on(argument: str, unit: Unit) -> str:
    """A line about a unit that an argument stands for."""
    others = [file for file in unit.files if file != argument]
    path, _, name = unit.name.rpartition(":")
    return f"{argument}: linked with {', '.join(others)}, unit {name} of {path}"


def listed_files(path: str, *, follow: bool = False) -> tuple[str, ...]:
    """The files that a list names, those of its project without `follow`. Raises InputFailure, UsageError for an empty one."""
    data = read_bytes(path, kind="list")
    found = listed(path, data)
    if not found:
        raise UsageError(f"{path} names no file: write the sources of a program, separated by blanks or line ends")
    scope = door.Scope([path], follow=follow)
    for number, each in enumerate(found):
        wrong = scope.refused(each) or ("" if os.path.lexists(each) else "No such file or directory")
        if wrong:
            fix = _from_here(each, path) or _separated(each) or _near(each, path)
            raise InputFailure(f"{path}:{line_of(data, number)}: cannot read {each}: {wrong}{fix}")
    return found


def _from_here(file: str, path: str) -> str:
    """The fix for a file of a list that is named from the folder of the command; empty for another."""
    folder = os.path.dirname(path)
    here = os.path.relpath(file, folder) if folder else file
    if not folder or not os.path.lexists(here):
        return ""
    return f"; paths are relative to the list: write {os.path.relpath(here, folder).replace(os.sep, '/')}"


def _separated(file: str) -> str:
    """The fix for a name with a comma or a semicolon behind it; empty for another."""
    plain = file.rstrip(",;")
    name = os.path.basename(plain)
    return f"; names are separated by blanks or line ends: write {name}" if plain != file and os.path.lexists(plain) else ""


def _near(file: str, path: str) -> str:
    """The file that is meant by one that a list names; empty for none."""
    found = door.meant(file)
    name = found.removeprefix(f"{os.path.dirname(path)}{os.sep}") if os.path.dirname(path) else found
    return f" (did you mean {name}?)" if found else ""


def expanded(arguments: Sequence[str], configuration: Configuration | None = None, *, follow: bool = False) -> tuple[str, ...]:
    """FILE arguments with the files that lists name in their places. The only argument stands for the unit of the configuration
    that has it; several are linked as they are named. Raises InputFailure, UsageError."""
    if configuration is not None and len(arguments) == 1 and not arguments[0].lower().endswith(LIST_SUFFIX):
        declared = declared_units(arguments[0], configuration)
        if len(declared) > 1:
            names = " and ".join([unit.name.rpartition(":")[2] for unit in declared])
            raise UsageError(f"{arguments[0]} is in the units {names}: name the sources of one, or use --no-config")
        if declared:
            print_remark(remark_on(arguments[0], declared[0]))
            return declared[0].files
    found: list[str] = []
    for argument in arguments:
        found += listed_files(argument, follow=follow) if argument.lower().endswith(LIST_SUFFIX) else (argument,)
    return tuple(found)


class _Search:
    """The programs in a folder. `unread` are findings about files that cannot be read: the others are served."""

    def __init__(
        self, folder: str, suffixes: Sequence[str], configuration: Configuration, *, follow: bool, linked: bool
    ) -> None:
        self._configuration, self._follow, self._linked = configuration, follow, linked
        self._wanted = (*suffixes, LIST_SUFFIX)
        self.unread: list[Diagnostic] = []
        self._excluded = self._foreign = 0
        self._links: list[str] = []
        paths = list(door.walk(folder, wanted=self._is_wanted, enters=self._is_searched, left=self._leave))
        lists = [unit for path in paths if path.lower().endswith(LIST_SUFFIX) for unit in self._list(path)]
        named = {os.path.normpath(file) for unit in lists for file in unit.files}
        single = [
            path
            for path in paths
            if not path.lower().endswith(LIST_SUFFIX) and self._is_ours(path) and os.path.normpath(path) not in named
        ]
        units = self._link(single) if linked else []
        named = {os.path.normpath(file) for unit in units for file in unit.files}
        single = [path for path in single if os.path.normpath(path) not in named]
        self.units = sorted([*lists, *units, *[Unit(path, (path,), folder=True) for path in single]])
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

    def _link(self, paths: Sequence[str]) -> list[Unit]:
        """The units of the configuration that have some of the files, and the pairs of the others."""
        found: dict[tuple[str, ...], Unit] = {}
        named: set[str] = set()
        known = {os.path.normpath(path): path for path in paths}
        for path in paths:
            try:
                declared = declared_units(path, self._configuration)
            except InputFailure as error:
                self._fail(path, str(error))
                named.add(os.path.normpath(path))
                continue
            for unit in declared:
                files = tuple(map(os.path.normpath, unit.files))
                written = tuple([known.get(name, file) for name, file in zip(files, unit.files, strict=True)])
                found.setdefault(files, unit._replace(files=written, folder=True))
                named.update(files)
        pairs = pairs_of([path for name, path in known.items() if name not in named])
        return [*found.values(), *[Unit(files[0], files, folder=True) for files in pairs]]

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


__all__ = ["Unit", "Units", "declared_units", "expanded", "is_searched", "listed_files", "units_of"]
