"""A SPIR-V module as a compiler gives it: `Spirv`, for what needs no compiler."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.compile.outside.includes import Copy
    from lanewise.core.diagnostics import Diagnostic


class Spirv(Record):
    """A module."""

    data: bytes
    "The bytes of the module, in either byte order."
    compiler: str = ""
    "The compiler with its path; empty for a module that was given."
    diagnostics: tuple[Diagnostic, ...] = ()
    "The warnings of the compiler."
    written: tuple[str, ...] = ()
    "The names that the source may have in the module, the first of them that of the file."
    included: Mapping[str, Copy] = {}
    "The included files by the names that they may have in the module."


__all__ = ["Spirv"]
