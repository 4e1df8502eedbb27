"""The generation of a package: a hash of the contents of all modules that decide what a kernel computes.

Contents take tens of milliseconds, so they are hashed once. What is remembered is the result, with size, times and inode of
each module and folder: as long as those are equal, so are the contents. Times alone do not do: Nix, Guix and ostree give one to
all files. A look at all of them takes less than a millisecond (bench/test_startup.py): most of it is in the system, so paths
are short, from a folder that is opened once.
"""

from __future__ import annotations

import marshal
import os
import time
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SETTLED = 2.0  # seconds: a module that is changed again so soon may have the same times

# What no engine imports, so that no kernel depends on it (tests/unit/llvm/test_generation.py walks the imports). Anything else
# counts.
APART = frozenset(
    (
        "api",
        "compile",
        "core/vectors",
        "dap",
        "debugger",
        "distributed",
        "highlighting.py",
        "lsp",
        "packages.py",
        "tools",
        "translating",
        "direct3d9/api",
        "direct3d9/check",
        "direct3d9/container",
        "direct3d9/translate",
        "direct3d9/vectors",
        "pica200/api",
        "pica200/check",
        "pica200/container",
        "pica200/opt",
        "pica200/proof",
        "pica200/text",
        "pica200/translate",
        "pica200/vectors",
        "shadercore/api",
        "shadercore/check",
        "shadercore/container",
        "shadercore/proof",
        "shadercore/text",
        "shadercore/translate",
        "shadercore/vectors",
    )
)


class Remembered(NamedTuple):
    """A generation, and what the files were like from which it was made: their paths inside the package, folders included."""

    generation: str
    status: str
    paths: Sequence[str]

    def to_bytes(self) -> bytes:
        return "\n".join([self.generation, self.status, *self.paths]).encode(errors="surrogateescape")

    @classmethod
    def from_bytes(cls, data: bytes) -> Remembered:
        found, status, *paths = data.decode(errors="surrogateescape").split("\n")
        return cls(found, status, paths)

    def holds(self, package: Path) -> bool:
        """Whether the files are as they were."""
        try:
            return _described(_status(package, self.paths)) == self.status
        except OSError:
            return False


def made(package: Path) -> tuple[Remembered, bool]:
    """The generation of the contents, and whether it may be remembered: no file has changed just now. Raises OSError."""
    paths = sorted(_walk(str(package), ""))
    before = _status(package, paths)
    found = blake2b(digest_size=8)
    for path in paths:
        if path.endswith(".py"):
            data = Path(package, path).read_bytes()
            found.update(f"{path} {len(data)}\n".encode(errors="surrogateescape"))
            found.update(data)
    now, after = time.time(), _status(package, paths)
    new = any(abs(now - moment) < SETTLED for status in after for moment in (status.st_ctime, status.st_mtime))
    return Remembered(found.hexdigest(), _described(after), paths), not new and _described(before) == _described(after)


def _walk(folder: str, prefix: str) -> Iterator[str]:
    """The paths of modules and of the folders that have them: an added or removed module changes its folder."""
    yield prefix or "."
    with os.scandir(folder) as entries:
        for entry in entries:
            path = f"{prefix}{entry.name}"
            if path in APART:
                continue
            if entry.name.endswith(".py"):
                yield path
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _walk(entry.path, f"{path}/")


def _status(package: Path, paths: Sequence[str]) -> list[os.stat_result]:
    """Raises OSError."""
    stat = os.stat
    if stat not in os.supports_dir_fd:  # Windows
        return [stat(f"{package}/{path}") for path in paths]
    folder = os.open(package, os.O_RDONLY)
    try:
        return [stat(path, dir_fd=folder) for path in paths]
    finally:
        os.close(folder)


def _described(found: list[os.stat_result]) -> str:
    values = [(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino) for status in found]
    return blake2b(
        marshal.dumps(values, 2), digest_size=16
    ).hexdigest()  # from version 3 on it has references, which depend on more than values
