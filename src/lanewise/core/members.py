"""Programs by name in files that hold several: `FILE:NAME`, and which name is meant."""

from __future__ import annotations

import os

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

_SHOWN = 12  # names in a message


def split(path: str, exists: Callable[[str], bool], paths: ModuleType = os.path) -> tuple[str, str]:
    """The file and the name of `FILE:NAME`. A file whose own name has a colon comes first, and so does the longest file that
    exists.

    The colon of a drive is part of a path: `C:main.vsa` does not mean a program of a file `C`. `paths` is the module of the
    system, such as `ntpath`.
    """
    if ":" not in path or exists(path):
        return path, ""
    drive = len(paths.splitdrive(path)[0])
    at = path.rfind(":")
    while at > 0:
        if path[at + 1 :] and (path[:at] == "-" or (at >= drive and exists(path[:at]))):
            return path[:at], path[at + 1 :]
        at = path.rfind(":", 0, at)
    return path, ""


def choose(names: Mapping[str, str], wanted: str, file: str, kind: str = "program", option: str = "") -> str:
    """The program that `wanted` means: a name, a number counted from 0 where no name is one, or parts of a name in order, as
    `blur/pixel` for `Blur/P0/pixel`.

    `names` are those that a file has, each with the program that it means, as one may have several; `kind` is the noun for
    what has a name, and `option` the one whose value a name is, with commas between several; without one, names stand behind
    the file. Raises InputError with the names that there are.
    """
    if wanted in names:
        return names[wanted]
    lower = wanted.lower()
    found = [name for name in names if name.lower() == lower]
    counted = not found and "0" not in names  # names may be numbers of their own
    if counted and wanted.isascii() and wanted.isdecimal() and len(wanted) < 8 and int(wanted) < len(names):
        return list(names.values())[int(wanted)]
    found = found or [name for name in names if _has_parts(name.lower().split("/"), list(map(_plain, lower.split("/"))))]
    meant = {names[name] for name in found}
    if len(meant) == 1:
        return meant.pop()
    what = f"'{wanted}' is the name of {len(meant)} {kind}s" if found else f"unknown {kind} '{wanted}'"
    where = f"{option} " if option else f"{'-' if file == '<stdin>' else file}:"
    vertex = "" if option else "; a vertex is given with --trace"
    note = f"{kind}s count from 0, and N/M is {kind} M of frame N{vertex}" if "0/0" in names else ""
    parts = lower.split("/")
    turned = "/".join(reversed(parts))
    if not found and len(parts) > 1 and turned in names:
        raise no_such(what, [], file, note, f"write {where}{turned}: {kind} {parts[0]} of frame {parts[-1]}")
    if not found and len(parts) == 2 and parts[0] in names and parts[1].isalpha():
        raise no_such(what, [], file, "", f"write {where}{parts[0]}: {kind} {parts[0]} has one program")
    meant_by = "" if found else _numbers(names, lower, kind, where, option)
    raise no_such(f"{option}: {what}" if option else what, found or list(names), file, note, meant_by, where)


def _numbers(names: Mapping[str, str], wanted: str, kind: str, where: str, option: str) -> str:
    """The fix for numbers that are written in another way: a range, all, the last, `#2`, `draw2`, one with the file; empty for
    other texts."""
    known = [name for name in names if name.isdecimal()]
    if not known:
        return ""
    if wanted in ("all", "*", "-", ":") and option:
        return f"leave out {option}: without it, all are kept"
    if wanted in ("-1", "last", str(len(known))):
        return f"write {where}{known[-1]} for the last of {len(known)}, as the first is 0"
    frame, slash, rest = wanted.rpartition("/")
    frame += slash
    for between in ("..", ":", "-", "to"):
        first, found, last = rest.strip("[]().").partition(between)
        first, last = first.strip(), last.strip(" .=").removeprefix(frame)
        low, high = f"{frame}{first}", f"{frame}{last}"
        if not found or low not in names or not last.isdecimal() or len(last) > 7 or int(last) <= int(first):
            continue
        listed = [name for n in range(int(first), min(int(last), int(first) + _SHOWN) + 1) if (name := f"{frame}{n}") in names]
        if option:
            cut = "" if high == listed[-1] or high not in names else ",..."
            return f"there are no ranges: write {option} {','.join(listed)}{cut}"
        return f"write {where}{listed[0]}: one {kind} is named, and a command for each of the others"
    number = wanted.rpartition(":")[2].removeprefix(kind).strip(" #_[]()")
    return f"write {where}{number}" if number != wanted and number in names else ""


def _plain(part: str) -> str:
    """A part of a wanted name; a number that is written as 0x12ab is a hash of 16 digits, as in the names of caches."""
    return part[2:].zfill(16) if part.startswith("0x") else part


def _has_parts(parts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether all wanted parts are parts, in this order."""
    rest = iter(parts)
    return all(part in rest for part in wanted)


def no_such(what: str, names: Sequence[str], file: str, note: str = "", meant: str = "", where: str = "") -> InputError:
    """B010: a name that is missing, unknown or unclear, with the names to choose from, or what is `meant`. `where` is what a
    name stands behind, if not the file."""
    listed = ", ".join(names[:_SHOWN]) + (f", ... ({len(names)})" if len(names) > _SHOWN else "")
    where = where or f"{'-' if file == '<stdin>' else file}:"
    fix = f"write {where}{names[0]}; it has {listed}" if names else "the file has no program"
    fix = meant or fix
    notes = (note,) if note else ()
    return InputError([Diagnostic(code="B010", severity=ERROR, message=what, span=Span(file=file), notes=notes, fix=fix)])
