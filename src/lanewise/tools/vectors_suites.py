"""Variants and suites of test vectors, as command lines name them."""

from __future__ import annotations

import sys

from lanewise import __version__
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.core.text.likeness import closest
from lanewise.tools.command import Progress
from lanewise.tools.console import read_bytes

if TYPE_CHECKING:
    from lanewise.core.vectors.model import Suite, Vectors


def variant_named(vectors: Vectors, name: str) -> str:
    """The variant of a name: itself, or that of a file. Raises UsageError, InputFailure."""
    if vectors.of_file is None or not name.endswith(".toml"):
        return name
    try:
        return vectors.of_file(read_bytes(name, kind="profile"), name)
    except ValueError as error:
        raise UsageError(str(error)) from None


_MEANT = {"all": "full", "everything": "full", "complete": "full", "small": "quick", "smoke": "quick", "default": "quick"}


def make_suite(vectors: Vectors, names: tuple[str, ...], seed: int, variant: str) -> Suite:
    """The cases of some suites, made now. Raises UsageError."""
    unknown = [name for name in names if name not in vectors.suites]
    if unknown:
        near = [_MEANT[unknown[0]]] if unknown[0] in _MEANT else closest(unknown[0], list(vectors.suites))
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise UsageError(f"unknown suite '{unknown[0]}': use {', '.join(vectors.suites)}{hint}")
    progress = Progress("cases") if sys.stderr.isatty() else None
    try:
        suite = vectors.make(names, seed, variant, progress)
        return suite._replace(identity=suite.identity._replace(version=__version__))
    except ValueError as error:
        raise UsageError(str(error)) from None
    finally:
        if progress is not None:
            progress.clear()
