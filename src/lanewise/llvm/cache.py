"""Machine code on disk, so that the next process need not compile it again.

A folder of the user's cache directory, with the version of what makes the code in its name; one file for each kernel,
named by the hash of all that the code depends on. Files are written under another name first, so that processes do not see each
other's halves; each begins with the hash of what follows, and one that does not match is as good as none. `LANEWISE_CACHE` names another
folder, or `off` for none.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import llvmlite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

VARIABLE = "LANEWISE_CACHE"
_SUFFIX = ".kernel"
_HASH = 16


def folder() -> Path | None:
    """The folder of the cache; None if there is no cache."""
    given = os.environ.get(VARIABLE, "")
    if given.lower() == "off":
        return None
    if given:
        base = Path(given)
    elif os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "lanewise"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lanewise"
    return base / f"kernels-{_versions()}"


@cache
def _versions() -> str:
    """The versions of what makes the code: llvmlite's, and the generation of this package."""
    return f"llvmlite-{llvmlite.__version__}-{generation(Path(__file__).parents[1])}"


def generation(package: Path) -> str:
    """A hash of the path, size and modification time of all modules of a package.

    It takes a millisecond for 400 modules. All are included: a stale kernel is a silent wrong answer.
    """
    return blake2b("".join(sorted(_modules(str(package), ""))).encode(), digest_size=8).hexdigest()


def _modules(folder: str, prefix: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield f"{prefix}{entry.name} {status.st_size} {status.st_mtime_ns}\n"
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _modules(entry.path, f"{prefix}{entry.name}/")


def name(*parts: object) -> str:
    """The name of a kernel: the hash of everything that it depends on, each part with its length."""
    found = blake2b(digest_size=_HASH)
    for part in parts:
        text = repr(part).encode()
        found.update(len(text).to_bytes(8, "little"))
        found.update(text)
    return found.hexdigest()


def get(key: str) -> bytes | None:
    """The code of a kernel, if it is there and whole."""
    place = folder()
    if place is None:
        return None
    try:
        data = (place / f"{key}{_SUFFIX}").read_bytes()
    except OSError:
        return None
    code = data[_HASH:]
    return code if blake2b(code, digest_size=_HASH).digest() == data[:_HASH] else None


def put(key: str, code: bytes) -> None:
    """Store the code of a kernel if there is room.

    A full or read-only disk is not an error.
    """
    place = folder()
    if place is None:
        return
    try:
        place.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place, prefix=".")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(blake2b(code, digest_size=_HASH).digest() + code)
            Path(temporary).replace(place / f"{key}{_SUFFIX}")
        except OSError:
            Path(temporary).unlink(missing_ok=True)
    except OSError:
        return


def kept() -> Sequence[Path]:
    """The files of all kernels that are kept, of other versions too."""
    place = folder()
    if place is None:
        return []
    return sorted(path for path in place.parent.glob(f"kernels-*/*{_SUFFIX}"))


def clear() -> int:
    """Delete them; gives how many there were."""
    files = kept()
    for path in files:
        path.unlink(missing_ok=True)
    for parent in {path.parent for path in files}:
        try:
            parent.rmdir()
        except OSError:
            continue
    return len(files)
