"""Machine code on disk, so that the next process need not compile it again.

A folder of the user's cache directory, with the version of what makes the code in its name; one file for each kernel,
named by the hash of all that the code depends on. Files are written under another name first, so that processes do not see each
other's halves. `LANEWISE_CACHE` names another folder, or `off` for none.

What is loaded is executed, so it has to be the user's: folder and files belong to the user, only the user may write them, they
are no links or devices, and each file begins with a keyed hash of its name and its code. The key is in the folder, in a file
that only the user may read. What is not so is as good as none.
"""

from __future__ import annotations

import errno
import os
import stat
from functools import cache, lru_cache
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING

import llvmlite

from lanewise.core import events
from lanewise.core.service import remark
from lanewise.llvm.generation import Remembered, made

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

VARIABLE = "LANEWISE_CACHE"
# Suffixes: machine code, what a run of it needs to know of the program, what LLVM knows of this processor, the generation of
# a package, and the functions that kernels call.
KERNEL, PLAN, HOST, SOURCES, MOVERS = ".kernel", ".plan", ".host", ".sources", ".movers"
_INDEX = "kernels-index"  # the folder of generations
_KEY = "key"
_KEY_SIZE = 32
_HASH, _NAME = 32, 16  # bytes
_NO_CACHE = f"no compiled kernels are kept: {{}}; delete it, or name another folder in {VARIABLE}"
_REPLACED = "a compiled kernel is ignored and replaced: {}"  # by a new file, which takes its name
_OBSTRUCTED = "a compiled kernel cannot be kept: {}; delete it"
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def folder() -> Path | None:
    """The folder of the cache; None if there is no cache."""
    base = _base()
    return None if isinstance(base, str) else base / f"kernels-{_versions()}"


def missing() -> str:
    """Why there is no cache; empty if there is one."""
    base = _base()
    return base if isinstance(base, str) else ""


def _base() -> Path | str:
    """The folder of all versions, or the reason why there is none."""
    return _base_by(*map(os.environ.get, (VARIABLE, "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", "HOME")))


@lru_cache(16)
def _base_by(variable: str | None, caches: str | None, home: str | None) -> Path | str:
    """As these variables of the environment have it; paths take as long as reading a file."""
    given = variable or ""
    if given.lower() == "off":
        return f"{VARIABLE} is off"
    if given:
        return Path(given)
    try:
        if os.name == "nt":
            return Path(caches or Path.home() / "AppData" / "Local") / "lanewise"
        return Path(caches or Path.home() / ".cache") / "lanewise"
    except RuntimeError:  # HOME is not set, and the user has no entry in the list of users
        return f"this user has no home directory and {VARIABLE} is not set"


@cache
def _versions() -> str:
    """The versions of what makes the code: llvmlite's, and the generation of this package."""
    return f"llvmlite-{llvmlite.__version__}-{generation(Path(__file__).parents[1])}"


def generation(package: Path) -> str:
    """The hash of the contents of all modules of a package that kernels depend on: a stale kernel is a silent wrong answer.

    It is kept in a folder beside those of the kernels, with what the files were like, so that the next process need not read
    them.
    """
    base = _base()
    place = None if isinstance(base, str) else base / _INDEX
    key = name(str(package))
    data = None if place is None else _get(place, key, SOURCES)
    if data is not None:
        known = Remembered.from_bytes(data)
        if known.holds(package):
            return known.generation
    found, settled = made(package)
    if place is not None and settled:
        _put(place, key, SOURCES, found.to_bytes())
    return found.generation


def name(*parts: object) -> str:
    """The name of a kernel: the hash of everything that it depends on, each part with its length."""
    found = blake2b(digest_size=_NAME)
    for part in parts:
        text = repr(part).encode()
        found.update(len(text).to_bytes(8, "little"))
        found.update(text)
    return found.hexdigest()


def get(key: str, suffix: str = KERNEL) -> bytes | None:
    """The code of a kernel, or a plan, if it is there, whole, and of this user."""
    place = folder()
    return None if place is None else _get(place, key, suffix)


def _get(place: Path, key: str, suffix: str) -> bytes | None:
    secret = _secret(place) if _is_ours(place) else None
    data = _read(place / f"{key}{suffix}", stat.S_IWGRP | stat.S_IWOTH, _REPLACED) if secret else None
    if data is None or secret is None:
        return None
    code = data[_HASH:]
    if not compare_digest(_authentication(secret, key + suffix, code), data[:_HASH]):
        events.info(events.CACHE, "ignored, it is damaged or of another key: %s", place / f"{key}{suffix}")
        return None
    events.debug(events.CACHE, "read: %s, %d bytes", place / f"{key}{suffix}", len(code))
    return code


def has(key: str, suffix: str = KERNEL) -> bool:
    """Whether there is such a file; `get` says whether it can be used."""
    place = folder()
    return place is not None and (place / f"{key}{suffix}").exists()


def put(key: str, code: bytes, suffix: str = KERNEL) -> None:
    """Store the code of a kernel, or a plan, if there is room.

    A full or read-only disk is not an error.
    """
    place = folder()
    if place is not None:
        _put(place, key, suffix, code)


def _put(place: Path, key: str, suffix: str, code: bytes) -> None:
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.mkdir(mode=0o700, exist_ok=True)
        secret = (_secret(place) or _new_secret(place)) if _is_ours(place) else None
        if secret:
            _write(place / f"{key}{suffix}", _authentication(secret, key + suffix, code) + code)
            events.debug(events.CACHE, "kept: %s, %d bytes", place / f"{key}{suffix}", len(code))
    except OSError as error:
        events.info(events.CACHE, "not kept: %s", error)


def refusal() -> str:
    """Why the folder of this version is not used, if it is there and not safe; empty otherwise."""
    place = folder()
    try:
        return _doubt(place, place.lstat(), stat.S_ISDIR, stat.S_IWGRP | stat.S_IWOTH) if place is not None else ""
    except OSError:
        return ""


def _authentication(secret: bytes, name: str, code: bytes) -> bytes:
    """The keyed hash of a file's name and contents."""
    return blake2b(name.encode() + b"\n" + code, key=secret, digest_size=_HASH).digest()


def _is_ours(place: Path) -> bool:
    """Whether the folder is there, and safe."""
    try:
        return not _warned(_doubt(place, place.lstat(), stat.S_ISDIR, stat.S_IWGRP | stat.S_IWOTH))
    except OSError:
        return False


def _doubt(path: Path, status: os.stat_result, kind: Callable[[int], bool], forbidden: int) -> str:
    """Return why a file or folder is unsafe, empty if it is not; `forbidden` are the permissions that it may not have."""
    if not kind(status.st_mode):
        return f"{path} is a link or a special file"
    if os.name == "nt":  # folders of a user are that user's there, and modes say nothing
        return ""
    if status.st_uid != os.geteuid():
        return f"{path} belongs to another user ({status.st_uid})"
    if status.st_mode & forbidden:
        what = "written" if forbidden == stat.S_IWGRP | stat.S_IWOTH else "read"
        return f"{path} can be {what} by other users (mode {stat.S_IMODE(status.st_mode):03o})"
    return ""


_said: list[str] = []


def _warned(doubt: str, message: str = _NO_CACHE) -> bool:
    """Whether there is a doubt; each is logged once, and the first one is a warning."""
    if doubt and doubt not in _said:
        _said.append(doubt)
        events.warning(events.CACHE, "%s", message.format(doubt))
        if len(_said) == 1:
            remark(message.format(doubt))
    return bool(doubt)


def _read(path: Path, forbidden: int, message: str = _NO_CACHE) -> bytes | None:
    """The contents of a regular file of this user; None if there is none. `message` is the warning about another one."""
    try:
        handle = os.open(path, _OPEN)
    except OSError as error:
        if error.errno == errno.ELOOP:
            _warned(f"{path} is a link or a special file", message)
        return None
    try:
        status = os.fstat(handle)
        if message == _REPLACED and stat.S_ISDIR(status.st_mode):
            message = _OBSTRUCTED
        return None if _warned(_doubt(path, status, stat.S_ISREG, forbidden), message) else _all_of(handle, status.st_size)
    except OSError:
        return None
    finally:
        os.close(handle)


def _all_of(handle: int, size: int) -> bytes:
    """Up to `size` bytes of a file. Raises OSError."""
    found = os.read(handle, size)
    while len(found) < size and (more := os.read(handle, size - len(found))):
        found += more
    return found


def _secret(place: Path) -> bytes | None:
    """The key of the folder; None if there is none."""
    found = _read(place / _KEY, 0o077)
    return found if found is not None and len(found) == _KEY_SIZE else None


def _new_secret(place: Path) -> bytes | None:
    """A new key, or that of another process which was faster; None for a key that is not safe. Raises OSError."""
    path = place / _KEY
    if path.is_symlink() or (path.exists() and path.stat().st_size == _KEY_SIZE):
        return _secret(place)
    _write(path, os.urandom(_KEY_SIZE), instead=path.exists())
    return _secret(place)


def _write(path: Path, data: bytes, *, instead: bool = True) -> None:
    """A file that only this user may read, whole at once; `instead` of one that is there, or only if there is none. Raises
    OSError."""
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if instead:
            Path(temporary).replace(path)
        else:
            _link(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _link(temporary: str, path: Path) -> None:
    """Give a file another name unless that is taken."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        Path(temporary).replace(path)


def kept() -> Sequence[Path]:
    """The files of all kernels that are kept, of other versions too."""
    return [path for path in _files() if path.name.endswith(KERNEL)]


def plans() -> Sequence[Path]:
    """The files of all plans that are kept, of other versions too."""
    return [path for path in _files() if path.name.endswith(PLAN)]


def unfinished() -> Sequence[Path]:
    """Files that processes are writing, or were writing when they were killed."""
    return [path for path in _files() if path.name.startswith(".")]


def _files() -> list[Path]:
    """All files of this user's folders of all versions."""
    place = folder()
    if place is None:
        return []
    return sorted([path for own in place.parent.glob("kernels-*") for path in _inside(own)])


def _inside(path: Path) -> list[Path]:
    """The files of a folder, if it is one and this user's."""
    try:
        status = path.lstat()
        own = stat.S_ISDIR(status.st_mode) and (os.name == "nt" or status.st_uid == os.geteuid())
        return list(path.iterdir()) if own else []
    except OSError:
        return []


def clear() -> int:
    """Delete them, plans, unfinished files and keys; gives how many kernels and unfinished files there were."""
    files = [*kept(), *unfinished()]
    others = [path for path in _files() if path.name == _KEY or path.suffix in (PLAN, HOST, SOURCES, MOVERS)]
    for path in [*files, *others]:
        path.unlink(missing_ok=True)
    for parent in {path.parent for path in [*files, *others]}:
        try:
            parent.rmdir()
        except OSError:
            continue
    return len(files)
