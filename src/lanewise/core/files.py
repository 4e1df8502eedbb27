"""The one door for bytes from outside: whatever a user, a folder or another file names is opened here.

Only regular files are opened, and each kind of file has a largest size, so that a pipe, a device, a socket or a file of
gigabytes is a sentence at once. Exceptions are what the user names on purpose: the null device, which is empty, and a
descriptor that this process has already (`/dev/stdin`, `/dev/fd/63` of a shell's `<(command)`), which needs no opening. All
functions raise OSError with one sentence in `strerror`, or ValueError for a name that no file can have. `lanewise.core.writing`
is the door in the other direction.
"""

from __future__ import annotations

import os
import stat
from errno import EFBIG, EINVAL, ENOENT
from itertools import islice

from lanewise.core.record import TYPE_CHECKING, Record, by_position
from lanewise.core.source import decode_text, misplaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from mmap import mmap
    from typing import BinaryIO

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30
_CHUNK = _MIB
_MOST_FOLDERS, _DEEPEST = 100, 2  # in which a missing file is looked for
_SHORTEST_STEM = 4  # letters with which the names of others may begin
_MOST_LISTED = 2000  # files of a folder among which a missing one is looked for
_OF_PROGRAMS = ("", ".shbin", ".scb", ".vso", ".pso", ".pica", ".vsh")  # a file of that name without it is meant
_OF_VALUES = (".toml", ".json", ".h", ".svg", ".png", ".csv", ".obj", ".md")
_HEAD = 4 << 10  # bytes in which a binary has a zero


class Kind(Record):
    """A kind of file."""

    limit: int
    "Most bytes that are read of one."
    title: str
    "Noun phrase for messages, with its article."
    reason: str
    "Why no more bytes are read, as a part of a sentence."
    utf8: bool = False
    "It must be UTF-8; sources may be Latin-1."
    text: int = 0
    "Most bytes of one that is a text, which has no zero byte at its beginning; 0 where `limit` holds for texts too."


_kind = by_position(Kind)
# fmt: off
KINDS = {
    "source":        _kind( 16 * _MIB, "a source",
                          "a listing of the largest program of any instruction set has under 1 MiB"),
    "include":       _kind( 16 * _MIB, "an included file",    "as sources"),
    "list":          _kind(  1 * _MIB, "a list of sources",   "10,000 paths"),
    "program":       _kind(256 * _MIB, "a program",
                          "caches of emulators have some 10 MiB; larger files are searched with inspect --scan",
                          text=16 * _MIB),
    "binary":        _kind(256 * _MIB, "a binary",            "as programs"),
    "scan":          _kind(1 << 62,    "a searched file",     "it is mapped, and its pages leave the memory after the search"),
    "configuration": _kind(  1 * _MIB, "a configuration",
                          "some lines; files of that name in any parent folder are read", utf8=True),
    "profile":       _kind(  1 * _MIB, "a profile",           "some lines", utf8=True),
    "test":          _kind( 16 * _MIB, "a shader test",       "larger values are in data files"),
    "script":        _kind(  1 * _MIB, "a script",            "commands that somebody typed"),
    "table":         _kind( 16 * _MIB, "a TOML file",         "Python reads some MiB of TOML a second"),
    "data":          _kind(  1 * _GIB, "a data file",
                          "vertices of a scene; tables of text need 10 times their size in memory"),
    "frame":         _kind(  1 * _GIB, "a recorded frame",
                          "a console has 128 or 256 MiB of memory, and loads repeat parts of it"),
    "mesh":          _kind(  1 * _GIB, "a mesh",              "scans have some 100 MiB"),
    "picture":       _kind(256 * _MIB, "a picture",           "8192 x 8192 texels without compression"),
    "log":           _kind(256 * _MIB, "an execution log",
                          "a vertex has some MiB; cut out the one that is compared"),
    "vectors":       _kind(256 * _MIB, "a suite of vectors",  "the largest suite has some 10 MiB"),
    "evidence":      _kind( 64 * _MIB, "an evidence file",    "results of a few hundred experiments"),
    "record":        _kind(  1 * _GIB, "a record",            "lines of a campaign of days"),
    "system":        _kind(  1 * _MIB, "a file of the system", "/proc and /sys describe the processor in some KiB"),
}
# fmt: on
STREAM = "program"
_KINDS_OF_SUFFIXES = {
    **dict.fromkeys((".obj", ".ply", ".stl", ".gltf", ".glb", ".off", ".3mf", ".dae"), "mesh"),
    **dict.fromkeys((".png", ".bmp", ".tga", ".jpg", ".jpeg", ".dds", ".gif", ".webp", ".tif", ".tiff"), "picture"),
    ".toml": "table",
    ".log": "log",
}


def read(path: str | os.PathLike[str], kind: str, opened: Callable[[BinaryIO, str], None] | None = None) -> bytes:
    """The bytes of a file of a kind, a key of `KINDS`; `opened` is called with the open file and its path. Raises OSError."""
    name = os.fspath(path)
    with _open(name) as file:
        if opened is not None:
            opened(file, name)
        return _not_emptied(file.fileno(), _bounded(file, KINDS[kind], os.fstat(file.fileno()).st_size))


def _not_emptied(number: int, data: bytes) -> bytes:
    """The bytes of an open file. Raises OSError for none of a file that standard output is redirected to."""
    if data:
        return data
    try:
        read, written = os.fstat(number), os.fstat(1)
    except OSError:  # no standard output
        return data
    if stat.S_ISREG(read.st_mode) and read.st_ino and os.path.samestat(read, written):
        reason = "it is empty, and standard output writes to it: `> FILE` empties FILE first; restore it and write another file"
        raise OSError(EINVAL, reason)
    return data


def head(path: str | os.PathLike[str], size: int) -> bytes:
    """The first bytes of a file, whatever its size. Raises OSError."""
    with _open(os.fspath(path)) as file:
        return file.read(size)


def kind_of(path: str) -> str:
    """The kind of a file that gives values, by its suffix."""
    return _KINDS_OF_SUFFIXES.get(path[path.rfind(".") :].lower(), "data") if "." in path else "data"


def read_text(path: str | os.PathLike[str], kind: str, opened: Callable[[BinaryIO, str], None] | None = None) -> str:
    """The text of a file: UTF-8; other bytes are Latin-1, or an error with its place where the kind must be UTF-8. Raises
    OSError."""
    data = read(path, kind, opened)
    wrong = misplaced(data) if KINDS[kind].utf8 else None
    if wrong is not None:
        raise OSError(EINVAL, str(wrong))
    return decode_text(data)


def read_stream(stream: BinaryIO, kind: str = STREAM) -> bytes:
    """The bytes of an open stream, such as standard input, under the limit of a kind. Raises OSError, also for a device without
    an end."""
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):  # a stream without a file
        found = None
    if found is not None and _is_device(found) and not stream.isatty() and not _is_null(found):
        raise OSError(EINVAL, "it is a device, which may have no end")
    data = _bounded(stream, KINDS[kind], found.st_size if found is not None and stat.S_ISREG(found.st_mode) else 0)
    return data if found is None else _not_emptied(stream.fileno(), data)


def map_file(path: str | os.PathLike[str], opened: Callable[[BinaryIO, str], None] | None = None) -> bytes | mmap:
    """A file of any size for a search, mapped; the bytes of one without a size or a mapping. Raises OSError."""
    from lanewise.core.searching import mapped

    name = os.fspath(path)
    with _open(name) as file:
        if opened is not None:
            opened(file, name)
        try:
            return mapped(file.fileno())
        except (OSError, ValueError):  # empty, a pipe, a file of /proc, or no memory map of that size
            return _bounded(file, KINDS["program"], 0)


def refused(path: str | os.PathLike[str]) -> str:
    """Why a file is not opened, in a sentence; empty for one that is, and for one that does not exist."""
    try:
        return _why_not(os.fspath(path), os.stat(path))
    except (OSError, ValueError):
        return ""


def reason(error: OSError | ValueError) -> str:
    """Why a file is not opened, for messages; of one that does not exist also the name that is meant."""
    text = (error.strerror if isinstance(error, OSError) else "") or str(error)
    if "embedded null" in text:  # Python says it in other words from version to version
        return "a name has no zero byte"
    name: object = error.filename if isinstance(error, FileNotFoundError) else None
    if not isinstance(name, str):
        return text
    near = meant(name)
    if near and near == name and not os.path.isfile(name):  # a file, and what follows its colon
        drive, rest = os.path.splitdrive(name)
        near = drive + rest.partition(":")[0]
    elif near and near == name:  # of a command, which is looked for elsewhere, or whose interpreter is missing
        return text if os.path.dirname(name) else f"{text} (did you mean {os.path.join(os.curdir, name)}?)"
    if near:
        return f"{text} (did you mean {near}?)"
    return f"{text} ({_NO_EXAMPLES})" if _is_example(name) and not os.path.isdir("examples") else text


def note_meant(error: FileNotFoundError) -> None:
    """Add a note to an error that names the file that is meant, for Python's own messages."""
    said = reason(error).removeprefix(error.strerror or "").strip()[1:-1]
    name: object = error.filename
    if not said and isinstance(name, str) and not os.path.isabs(name) and os.path.isdir(os.curdir):
        said = f"the folder is {os.getcwd()}"
    if said and said not in getattr(error, "__notes__", ()):
        error.add_note(said)


_NO_EXAMPLES = "the examples are in the repository and the source distribution of lanewise, not in its wheel"


def _is_example(path: str) -> bool:
    """Whether a path is that of an example as the documentation writes it."""
    return path.startswith(("examples/", "examples\\"))


# Backslashes between folders, and what they and a letter are in texts with escapes.
_SLASHES = str.maketrans({"\\": "/", **{chr(code): f"/{letter}" for code, letter in zip(range(7, 14), "abtnvfr", strict=True)}})


def meant(path: str) -> str:
    """The file beside a missing one whose name is most like it, with the `:NAME` of a program in it; empty for none."""
    from lanewise.core.text.likeness import closest
    from lanewise.core.text.problems import Suggestions

    at = path.find(":", len(os.path.splitdrive(path)[0]))
    file, member = (path, "") if at < 0 else (path[:at], path[at:])
    slashed = file.translate(_SLASHES)
    if slashed != file and os.path.isfile(slashed):
        return slashed + member
    folder, base = os.path.split(file)
    try:
        with os.scandir(folder or os.curdir) as entries:
            listed = [entry.name for entry in islice(entries, _MOST_LISTED) if entry.name.isprintable() and entry.is_file()]
    except (OSError, ValueError):
        listed = []
    near = Suggestions().nearest(base, listed)
    if near and not closest(base.partition(".")[0], [near.partition(".")[0]], cutoff=0.0):
        near = ""  # they have their suffix in common
    stem, suffix = os.path.splitext(base)
    longer = [name for name in listed if len(stem) >= _SHORTEST_STEM and name.startswith(stem) and name.endswith(suffix)]
    near = near or (longer[0] if len(longer) == 1 else "")
    if suffix in _OF_PROGRAMS:
        others = [name for name in listed if name.startswith(f"{stem}.") and os.path.splitext(name)[1] not in _OF_VALUES]
        near = others[0] if len(others) == 1 else near
    found = os.path.join(folder, near) if near else _in_folder_like(folder, base) or _elsewhere(folder, base)
    return found + member if found else ""


def _in_folder_like(folder: str, base: str) -> str:
    """The file of a missing one's name in a folder whose name is like that of its own, which does not exist; empty for none."""
    from lanewise.core.text.problems import Suggestions

    if not folder or os.path.isdir(folder):
        return ""
    above, name = os.path.split(folder)
    try:
        with os.scandir(above or os.curdir) as entries:
            listed = [each.name for each in islice(entries, _MOST_LISTED) if each.name.isprintable()]
    except (OSError, ValueError):
        return ""
    near = Suggestions().nearest(name, listed)
    found = os.path.join(above, near, base) if near else ""
    return found if found and os.path.isfile(found) else ""


def _elsewhere(folder: str, base: str) -> str:
    """The only file of the name of a missing one, in this folder or in those in it; empty for none."""
    if os.path.isabs(folder):
        return ""
    if not os.path.splitext(base)[1]:
        return os.path.join(os.curdir, base) if folder not in ("", os.curdir) and os.path.isfile(base) else ""
    folders, found, searched = [""], list[str](), 0
    while folders and searched < _MOST_FOLDERS:
        at, searched = folders.pop(0), searched + 1
        path = os.path.join(at, base)
        if at != folder and os.path.isfile(path):
            found.append(path)
        if at.count(os.sep) < _DEEPEST:
            try:
                with os.scandir(at or os.curdir) as entries:
                    names = [each.name for each in islice(entries, _MOST_LISTED) if each.is_dir(follow_symlinks=False)]
            except OSError:
                names = []
            folders += [os.path.join(at, name) for name in sorted(names) if name.isprintable() and name[0] != "."]
    return found[0] if len(found) == 1 else ""


def _open(name: str) -> BinaryIO:
    """An open file. Raises OSError for what is not a regular file."""
    if not name.isprintable() and not os.path.lexists(name):
        from lanewise.core.paths import ESCAPES

        escape = next((character for character in name if character in ESCAPES), "")
    else:
        escape = ""
    if escape:
        shown = f"the name has the character {escape!r}: in Python write / for \\, or r'...'"
        raise OSError(ENOENT, f"No such file or directory ({shown})", name)
    number = _own_descriptor(name)
    if number >= 0 and not stat.S_ISREG(os.fstat(number).st_mode):
        handle = os.dup(number)
        if not _is_device(os.fstat(handle)) or os.isatty(handle) or _is_null(os.fstat(handle)):
            return open(handle, "rb")
        os.close(handle)
        raise OSError(EINVAL, "it is a device, which may have no end")
    wrong = _why_not(name, os.stat(name))
    if wrong:
        raise OSError(EINVAL, wrong, name)
    flags = os.O_RDONLY
    for flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):  # what is there may have changed since
        flags |= getattr(os, flag, 0)
    handle = os.open(name, flags)
    try:
        wrong = _why_not(name, os.fstat(handle))
        if wrong:
            raise OSError(EINVAL, wrong, name)
    except BaseException:
        os.close(handle)
        raise
    return open(handle, "rb")


def _why_not(name: str, found: os.stat_result) -> str:
    mode = found.st_mode
    if stat.S_ISREG(mode) or _is_null(found) or (os.name == "nt" and name.lower() == os.devnull):
        return ""
    if stat.S_ISDIR(mode):
        return "it is a folder, expected a file"
    if stat.S_ISFIFO(mode):
        return "it is a pipe (FIFO), expected a regular file"
    if stat.S_ISSOCK(mode):
        return "it is a socket, expected a regular file"
    return "it is a device, which may have no end" if _is_device(found) else "not a regular file"


def _own_descriptor(name: str) -> int:
    """The number of an open descriptor of this process that a path names; -1 for other paths."""
    if os.name == "nt":
        return -1
    if name == "/dev/stdin":
        return 0
    folder, _, number = name.rpartition("/")
    return int(number) if folder in ("/dev/fd", "/proc/self/fd") and number.isascii() and number.isdigit() else -1


def _is_device(found: os.stat_result) -> bool:
    return stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)


def _is_null(found: os.stat_result) -> bool:
    return os.name != "nt" and stat.S_ISCHR(found.st_mode) and found.st_rdev == os.stat(os.devnull).st_rdev


def _bounded(file: BinaryIO, kind: Kind, size: int) -> bytes:
    """All bytes of a file of about `size` bytes. Raises OSError for one over the limit, which is not read where its size says
    so."""
    limit, title = kind.limit, kind.title
    asked = (_HEAD if size > (kind.text or limit) else size) + 1  # files of /proc have no size, and others grow
    parts = [file.read(asked)] if size <= limit else []
    if parts and kind.text and b"\0" not in parts[0][:_HEAD]:
        limit, title = kind.text, KINDS["source"].title
    total = sum(map(len, parts))
    while size <= limit and total <= limit and len(parts[-1]) == asked:
        asked = size + 1 - total if size >= total else min(_CHUNK, limit + 1 - total)
        parts.append(file.read(asked))
        total += len(parts[-1])
    if size <= limit and total <= limit:
        return parts[0] if len(parts) == 1 else b"".join(parts)
    raise OSError(EFBIG, f"the file is larger than {limit // _MIB} MiB, the limit for {title}")


def walk(
    folder: str,
    *,
    wanted: Callable[[str], bool],
    enters: Callable[[str], bool] | None = None,
    left: Callable[[str, str], None] | None = None,
    deep: bool = True,
) -> Iterator[str]:
    """The paths of the `wanted` regular files below a folder, those of a folder before those of the folders in it, by name.

    Links to folders are not followed, links to files where they end inside `folder`. `enters` says whether a folder is
    searched, all without it; not `deep`: only the folder itself. `left` is called with the path and the reason of what cannot
    be served: wanted files that are pipes, devices, sockets or links that leave the folder or end nowhere, and folders that
    cannot be read.
    """
    top = os.path.realpath(folder)
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        inner: list[str] = []
        try:
            with os.scandir(place) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if left is not None:
                left(place, error.strerror or str(error))
            continue
        for entry in found:
            path = os.path.join(place, entry.name)
            try:
                if entry.is_dir(follow_symlinks=False):
                    if deep and (enters is None or enters(path)):
                        inner.append(path)
                    continue
                if not wanted(path):
                    continue
                if entry.is_symlink() and not _is_below(os.path.realpath(path), top):
                    why = f"it is a link that leaves {folder}: name the file itself"
                else:
                    state = entry.stat()
                    if stat.S_ISDIR(state.st_mode):  # a link
                        continue
                    why = _why_not(path, state)
            except (OSError, ValueError) as error:
                why = (error.strerror if isinstance(error, OSError) else "") or str(error)
            if not why:
                yield path
            elif left is not None:
                left(path, why)
        waiting += reversed(inner)


MARKERS = ("lanewise.toml", ".git")


def project_of(path: str) -> str:
    """The folder of the project of a file: the nearest at or above it with a `lanewise.toml` or `.git`, or else its own folder.

    The home folder and those above it are not projects: what they hold is private.
    """
    own = folder = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    home = os.path.realpath(os.path.expanduser("~"))
    while os.path.dirname(folder) != folder and not _is_below(home, folder):
        if any(os.path.lexists(os.path.join(folder, marker)) for marker in MARKERS):
            return folder
        folder = os.path.dirname(folder)
    return own


class Scope:
    """The files that a file may name: files in its project and in the folders of `-I`, links resolved; all with `follow`.

    `paths` are the files of the user, whose projects count; `opened` is called with each file that is read. Text that comes
    without a file (`-`, a name such as `<string>`) belongs to the current folder.
    """

    paths: tuple[str, ...] | tuple[str]
    folders: tuple[str, ...]
    follow: bool
    opened: Callable[[BinaryIO, str], None] | None

    def __init__(
        self,
        paths: Iterable[str],
        folders: Iterable[str] = (),
        *,
        follow: bool = False,
        opened: Callable[[BinaryIO, str], None] | None = None,
    ) -> None:
        self.paths, self.folders = tuple(dict.fromkeys(paths)) or ("-",), tuple(folders)
        self.follow, self.opened = follow, opened
        self._roots: tuple[str, ...] | None = None

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders, without links."""
        if self._roots is None:
            projects = [project_of(path) for path in self.paths]
            self._roots = tuple(dict.fromkeys([*projects, *[os.path.realpath(folder) for folder in self.folders]]))
        return self._roots

    def refused(self, path: str) -> str:
        """Why a file that another one names is not read, in a sentence; empty for one that is."""
        try:
            place = os.path.realpath(path)
        except ValueError as error:  # a name that no file has, such as one with a zero byte
            return reason(error)
        if self.follow or any(_is_below(place, root) for root in self.roots):
            return ""
        try:
            above = os.path.commonpath((self.roots[0], os.path.dirname(place)))
        except ValueError:  # another drive
            above = ""
        shared = f"put an empty lanewise.toml into {above}" if above.strip(os.sep) else "put a lanewise.toml above both"
        return f"it is outside of the project {self.roots[0]}: use --follow, or {shared}"

    def read(self, path: str, kind: str) -> bytes:
        """The bytes of a file that another one names. Raises OSError."""
        wrong = self.refused(path)
        if wrong:
            raise OSError(EINVAL, wrong)
        return read(path, kind, self.opened)

    def included(self, path: str) -> str:
        """The text of a file that a source includes. Raises OSError."""
        return decode_text(self.read(path, "include"))


def _is_below(path: str, folder: str) -> bool:
    """Whether a path without links is a folder or in it."""
    path, folder = os.path.normcase(path), os.path.normcase(folder)
    return path == folder or path.startswith(folder if folder.endswith(os.sep) else folder + os.sep)


def inside(folder: str, name: str) -> str:
    """The path of a file in a folder by a name that came from outside, such as a record's or a container's, with `/` between
    folders.

    Raises ValueError for a name that leaves the folder (`..`, absolute, with a drive or a host, through a link), or that is a
    device on Windows.
    """
    from lanewise.core.paths import is_device

    parts = name.split("/")
    wrong = (
        "it is empty"
        if not name
        else "it has control characters"
        if any(letter < " " or letter == "\x7f" for letter in name)
        else "it is not relative"
        if name.startswith(("/", "\\")) or ":" in parts[0]
        else "it has a backslash"
        if "\\" in name
        else "it has a colon"
        if ":" in name
        else "it leaves the folder"
        if any(part in ("", ".", "..") for part in parts)
        else "a part ends with a dot or a blank"
        if any(part.endswith((".", " ")) for part in parts)
        else "it names a device of Windows"
        if any(map(is_device, parts))
        else ""
    )
    path = os.path.join(folder, *parts)
    if not wrong and not _is_below(os.path.realpath(path), os.path.realpath(folder)):
        wrong = "a link leaves the folder"
    if wrong:
        raise ValueError(f"name {name!r}: {wrong}")
    return path


__all__ = [
    "KINDS",
    "MARKERS",
    "Kind",
    "Scope",
    "head",
    "inside",
    "kind_of",
    "map_file",
    "note_meant",
    "project_of",
    "read",
    "read_stream",
    "read_text",
    "refused",
    "walk",
]
