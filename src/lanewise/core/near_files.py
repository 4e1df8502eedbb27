"""Files near one that names a file that does not exist: in folders below it, and beside it."""

from __future__ import annotations

import os
from itertools import count, islice
from pathlib import Path, PurePath

from lanewise.core import files
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.suggestions import near

if TYPE_CHECKING:
    from collections.abc import Callable

_FOLDERS = 32  # that are listed
_FILES = 1000


class NearFiles:
    """Files that an include may have meant. `read` gives the text of a path, or raises OSError: such a file is not named."""

    def __init__(self, read: Callable[[str], str]) -> None:
        self._read = read
        self._listed: dict[Path, list[Path]] = {}

    def fix(self, name: str, file: str) -> str:
        """The fix for a name in a file, of which there is no file; empty where none is near."""
        parts = PurePath(name.replace("\\", "/")).parts
        own = Path(file).parent
        listed = self._near(own)
        for path in listed:
            folder = Path(*path.parts[: -len(parts)])
            if path.parts[-len(parts) :] == parts and folder != own and self._reads(path):
                return f"it is in {folder}: add `-I {folder}`"
        by_name = {path.name: path for path in reversed(listed)}
        for each in near(PurePath(name).name, by_name):
            if self._reads(by_name[each]):
                return f'did you mean "{PurePath(os.path.relpath(by_name[each], own)).as_posix()}"?'
        return ""

    def _reads(self, path: Path) -> bool:
        try:
            self._read(str(path))
        except (OSError, ValueError):
            return False
        return True

    def _near(self, folder: Path) -> list[Path]:
        """The files in a folder and two levels below it, then those in the folder above it and one level below that."""
        if folder in self._listed:
            return self._listed[folder]
        above = folder.parent if folder.parts and folder.name != os.pardir else folder / os.pardir
        found = [*_below(folder, 2), *_below(above, 1)]
        self._listed[folder] = list(dict.fromkeys(found))
        return self._listed[folder]


def _below(top: Path, levels: int) -> list[Path]:
    """The files in a folder and so many levels below it, at most `_FILES`."""
    entered = count()

    def enters(path: str) -> bool:
        folder = Path(path)
        return len(folder.parts) - len(top.parts) <= levels and folder.name[:1] != "." and next(entered) < _FOLDERS

    return [Path(path) for path in islice(files.walk(str(top), wanted=lambda _: True, enters=enters), _FILES)]
