"""Included files: where a name is looked for, and how much one source includes; alike in all languages.

nihstro's and Direct3D 9's readers use it, and `compile.outside.includes` for the compilers of others. Which files may be read
is decided by `files.Scope`: its `included` is the `read` of a command. Depth, number and length are limited, as a file that
includes another one twice, which does the same, is read as often as there are paths to it.
"""

from __future__ import annotations

import os

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from lanewise.core.near_files import NearFiles

MOST_DEEP = 64  # files that are open, each included by the one before
MOST_FILES = 1000
MOST_TEXT = 1 << 24  # characters of all of them
CHECK_NAME = "check the name; it is relative to the including file, or to a folder that `-I` names"


class Found(Record):
    """An included file."""

    path: str
    text: str


class NotIncluded(PortableError):
    """A file that is not read. `looked`: where it was looked for. `limit`: by a limit or because it includes itself, as
    `reason` says in a sentence.

    Otherwise `path` is the one that cannot be read for the `reason`, empty where no file is read; `missing`: there is no such
    file in any of the places.
    """

    reason: str
    path: str
    looked: tuple[str, ...]
    limit: bool
    missing: bool

    def __init__(
        self, reason: str, path: str = "", looked: Sequence[str] = (), *, limit: bool = False, missing: bool = False
    ) -> None:
        super().__init__(f"cannot read {path}: {reason}" if path else reason)
        self.reason, self.path, self.looked, self.limit, self.missing = reason, path, tuple(looked), limit, missing


def places(
    name: str, file: str, folders: Sequence[str] = (), *, angled: bool = False, paths: ModuleType = os.path
) -> list[str]:
    """Where a name that a file includes is looked for, in this order: in the folder of that file, then in the `folders` of -I.

    `angled`: the name is in `<>`, and the folders of -I come first. `/` and `\\` separate folders: sources travel between
    systems. An absolute name has one place.
    """
    name = name.replace("\\", "/")
    own = paths.dirname(file)
    searched = [*folders, own] if angled else [own, *folders]
    return list(dict.fromkeys([paths.normpath(paths.join(folder, name)) for folder in searched]))


class Includes:
    """The files that one source includes. `read` gives the text of a path and raises OSError; without it no file is read.

    `once`: a file that was read is not read, nor counted, again.
    """

    read: Callable[[str], str] | None
    folders: Sequence[str]
    once: bool

    def __init__(self, read: Callable[[str], str] | None, folders: Sequence[str] = (), *, once: bool = False) -> None:
        self.read, self.folders, self.once = read, folders, once
        self._files = self._characters = 0
        self._read: dict[str, Found] = {}
        self._near: NearFiles | None = None

    def find(self, name: str, chain: Sequence[str], *, angled: bool = False) -> Found:
        """The file that the last file of `chain` includes by a name; each of the others includes the next. Raises
        NotIncluded."""
        if self.read is None:
            raise NotIncluded("files are not read here")
        if not name:
            raise NotIncluded("no name")
        self._files += not self.once
        looked = places(name, chain[-1], self.folders, angled=angled)
        absent = ""
        wrong: tuple[str, str] | None = None
        for path in looked:
            if path in self._read:
                return self._read[path]
            if len(chain) > MOST_DEEP:
                raise NotIncluded(f"includes are nested deeper than {MOST_DEEP} files", "", looked, limit=True)
            if not self.once and path in chain:
                circle = " includes ".join((*chain[chain.index(path) :], path))
                raise NotIncluded(f"this file includes itself: {circle}", "", looked, limit=True)
            try:
                text = self.read(path)
            except (FileNotFoundError, NotADirectoryError) as error:
                absent = absent or error.strerror or "no such file"
                continue
            except (OSError, ValueError) as error:
                wrong = wrong or ((error.strerror if isinstance(error, OSError) else "") or str(error), path)
                continue
            self._files += self.once
            self._characters += len(text)
            if self._files > MOST_FILES or self._characters > MOST_TEXT:
                message = f"more than {MOST_FILES:,} files or {MOST_TEXT >> 20} MiB are included"
                raise NotIncluded(message, "", looked, limit=True)
            found = Found(path, text)
            if self.once:
                self._read[path] = found
            return found
        if self._files > MOST_FILES:
            raise NotIncluded(f"more than {MOST_FILES:,} files are included", "", looked, limit=True)
        reason, path = wrong or (absent, looked[0] if len(looked) == 1 else name)
        raise NotIncluded(reason, path, looked, missing=wrong is None)

    def fix(self, error: NotIncluded, name: str, file: str) -> str:
        """The fix for a name in a file of which `find` found no file: the folder or the name of one that is near."""
        if error.limit:
            return "remove one of the includes"
        if not error.missing:
            return "check the name and the file" if error.path else "insert the text instead"
        from lanewise.core.near_files import NearFiles

        if self._near is None and self.read is not None:
            self._near = NearFiles(self.read)
        return (self._near.fix(name, file) if self._near is not None else "") or CHECK_NAME


__all__ = ["CHECK_NAME", "MOST_DEEP", "MOST_FILES", "MOST_TEXT", "Found", "Includes", "NotIncluded", "places"]
