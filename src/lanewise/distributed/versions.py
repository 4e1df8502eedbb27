"""Which lanewise a process has: its version and a hash of its source.

Pieces of one campaign must come from one source: a difference between two versions would look like a defect.
"""

from __future__ import annotations

from typing import NamedTuple


class Identity(NamedTuple):
    """A version, and the hash of the contents of all modules: equal on machines with equal files, whenever they were
    installed."""

    version: str
    generation: str

    def __str__(self) -> str:
        return f"{self.version} (source {self.generation})" if self.version else "none"


def identity() -> Identity:
    """The lanewise of this process."""
    return Identity(*probe())


def probe() -> tuple[str, str]:
    """Version and source of the lanewise here, empty texts if there is none.

    It is sent to workers by value, so that any Python answers: it may use nothing of this module.
    """
    from hashlib import blake2b
    from pathlib import Path

    try:
        import lanewise
    except ImportError:
        return "", ""
    kept = "_distributed_identity"
    known: tuple[str, str] | None = lanewise.__dict__.get(kept)
    if known is None:
        package = Path(lanewise.__file__).parent
        found = blake2b(digest_size=8)
        for path in sorted(package.rglob("*.py")):
            data = path.read_bytes()
            found.update(f"{path.relative_to(package).as_posix()} {len(data)}\n".encode())
            found.update(data)
        known = lanewise.__version__, found.hexdigest()
        setattr(lanewise, kept, known)
    return known
