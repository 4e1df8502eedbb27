"""Programs by name in files that hold several: `FILE:NAME`, and which name is meant."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SHOWN = 12  # names in a message


def split(path: str, exists: Callable[[str], bool]) -> tuple[str, str]:
    """The file and the name of `FILE:NAME`. A file whose own name has a colon comes first, and so does the longest file that exists."""
    if ":" not in path or exists(path):
        return path, ""
    at = path.rfind(":")
    while at > 0:
        if path[at + 1 :] and (path[:at] == "-" or exists(path[:at])):
            return path[:at], path[at + 1 :]
        at = path.rfind(":", 0, at)
    return path, ""


def choose(names: Sequence[str], wanted: str, file: str) -> str:
    """The one of `names` that `wanted` means: the name, its number counted from 0, or parts of it in order, as `blur/pixel` for `Blur/P0/pixel`.

    Raises InputError with the names that there are.
    """
    for found in ([name for name in names if name == wanted], [name for name in names if name.lower() == wanted.lower()]):
        if len(found) == 1:
            return found[0]
        if found:
            raise no_such(f"{len(found)} programs have the name '{wanted}'", names, file)
    if wanted.isascii() and wanted.isdecimal() and len(wanted) < 8 and int(wanted) < len(names):
        return wanted
    found = [name for name in names if _has_parts(name.lower().split("/"), wanted.lower().split("/"))]
    if len(found) == 1:
        return found[0]
    what = f"'{wanted}' is the name of {len(found)} programs" if found else f"unknown program '{wanted}'"
    raise no_such(what, found or names, file)


def _has_parts(parts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether all wanted parts are parts, in this order."""
    rest = iter(parts)
    return all(part in rest for part in wanted)


def no_such(what: str, names: Sequence[str], file: str) -> InputError:
    """B010: a name that is missing, unknown or unclear, with the names to choose from."""
    listed = ", ".join(names[:_SHOWN]) + (f", ... ({len(names)})" if len(names) > _SHOWN else "")
    fix = f"write {file}:NAME; it has {listed}" if names else "the file has no program"
    return InputError([Diagnostic("B010", ERROR, what, Span(file), fix=fix)])
