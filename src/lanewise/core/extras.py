"""How the optional parts of lanewise are installed, and whether NumPy is."""

from __future__ import annotations

import sys

from lanewise.core.cached import cache
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.engines import LLVM
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span

if TYPE_CHECKING:
    from typing import Any

NOT_INSTALLED = "U006"
# The libraries that arrays and compiled code need: they are dependencies, but lanewise is usable without them (docs/python.md).
LIBRARIES = {"numpy": "NumPy", "llvmlite": "llvmlite"}


def extra(name: str) -> str:
    """The fix for a missing optional part: `run `pip install 'lanewise[editor]'``.

    pip takes the lanewise that is installed, from wherever it came, and adds what is missing.
    """
    return f"run `pip install 'lanewise[{name}]'`"


DISTRIBUTED = "distributed"  # the extra that brings Dask
TABLES = "tables"  # the extra that brings pandas and the reader and writer of Parquet


def optional(module: str, extra_name: str, what: str) -> Any:
    """A module of an optional library. Raises ModuleNotFoundError with the extra that brings it, or with the reason why the one
    that is installed cannot be imported; `what` needs it."""
    from importlib import import_module

    library = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError as error:
        if not isinstance(error, ModuleNotFoundError):  # of another version of NumPy, say
            raise ModuleNotFoundError(f"{what} needs {library}, which cannot be imported: {error}", name=library) from None
        if (error.name or "").partition(".")[0] != library:
            raise
        message = f"{what} needs {library}, which is not installed: {extra(extra_name)}"
        raise ModuleNotFoundError(message, name=error.name) from None


def numpy_installed() -> bool:
    """Whether arrays are those of NumPy; otherwise values are lists (`arrays.lists`)."""
    return _installed("numpy")


@cache
def compiler_lacks() -> str:
    """The library of `LIBRARIES` because of which nothing can be compiled; empty where all are installed."""
    lacking = next((library for library in LIBRARIES if not _installed(library)), "")
    if lacking:
        from lanewise.core import events

        events.info(events.ENGINES, "the reference engine runs all programs: %s is not installed", LIBRARIES[lacking])
    return lacking


@cache
def _installed(library: str) -> bool:
    """As `importlib.util.find_spec`, without what that module imports."""
    if library in sys.modules:
        return bool(sys.modules[library])  # None where an import is forbidden
    return any(finder.find_spec(library, None) is not None for finder in sys.meta_path)


def library_missing(what: str, library: str = "numpy") -> Diagnostic:
    """The finding (U006) about something in the singular that needs a library of `LIBRARIES`, which is not installed."""
    message = f"{what} needs {LIBRARIES[library]}, which is not installed"
    return Diagnostic(
        code=NOT_INSTALLED, severity=ERROR, message=message, span=Span(file=""), notes=(), fix=f"run `pip install {library}`"
    )


def missing_library(error: Exception, what: str) -> Diagnostic | None:
    """The finding (U006) about an import that failed because a library of `LIBRARIES` is not installed; None for another
    error."""
    library = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return library_missing(what, library) if library in LIBRARIES else None


def only_reference(engine: str) -> str:
    """Why there is no compiled engine: a reason for the reference engine; empty where there is one. Raises InputError (U006) if
    it is asked for."""
    lacking = compiler_lacks()
    if lacking and engine == LLVM:
        raise InputError([library_missing("the engine llvm", lacking)])
    return lacking and f"{LIBRARIES[lacking]} is not installed"


def require_numpy(what: str) -> None:
    """Raise InputError (U006) for something that needs NumPy where it is not installed."""
    if not numpy_installed():
        raise InputError([library_missing(what)])


def require_compiler(what: str) -> None:
    """Raise InputError (U006) for something that needs compiled code where a library for it is not installed."""
    if compiler_lacks():
        raise InputError([library_missing(what, compiler_lacks())])


__all__ = [
    "DISTRIBUTED",
    "LIBRARIES",
    "NOT_INSTALLED",
    "TABLES",
    "compiler_lacks",
    "extra",
    "library_missing",
    "missing_library",
    "numpy_installed",
    "only_reference",
    "optional",
    "require_compiler",
    "require_numpy",
]
