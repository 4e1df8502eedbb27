"""How the optional parts of lanewise are installed: said in one place, as lanewise is not in a package index; and whether NumPy is."""

from __future__ import annotations

from functools import cache

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.source import Span

NOT_INSTALLED = "U006"
# The libraries that arrays and compiled code need: they are dependencies, but lanewise is usable without them (docs/python.md).
LIBRARIES = {"numpy": "NumPy", "llvmlite": "llvmlite"}


def extra(name: str) -> str:
    """The fix for a missing optional part: `in a checkout of lanewise, run `pip install '.[editor]'``."""
    return f"in a checkout of lanewise, run `pip install '.[{name}]'`"


@cache
def numpy_installed() -> bool:
    """Whether arrays are those of NumPy; otherwise values are lists (`arrays.lists`)."""
    from importlib.util import find_spec

    return find_spec("numpy") is not None


def library_missing(what: str, library: str = "numpy") -> Diagnostic:
    """The finding (U006) about something in the singular that needs a library of `LIBRARIES`, which is not installed."""
    message = f"{what} needs {LIBRARIES[library]}, which is not installed"
    return Diagnostic(NOT_INSTALLED, ERROR, message, Span(""), (), f"run `pip install {library}`")


def missing_library(error: Exception, what: str) -> Diagnostic | None:
    """The finding (U006) about an import that failed because a library of `LIBRARIES` is not installed; None for another error."""
    library = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return library_missing(what, library) if library in LIBRARIES else None


def require_numpy(what: str) -> None:
    """Raise InputError (U006) for something that needs NumPy where it is not installed."""
    if not numpy_installed():
        raise InputError([library_missing(what)])


__all__ = ["LIBRARIES", "NOT_INSTALLED", "extra", "library_missing", "missing_library", "numpy_installed", "require_numpy"]
