"""Instruction sets of other distributions: entry points of the group `lanewise.isa`, each an `IsaPackage` under its own name.

`lanewise.packages` looks them up where no package of this distribution knows a file or a name. One that cannot be used is a
finding, U007.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core.code import by_code
from lanewise.core.codes import SHARED
from lanewise.core.diagnostics import WARNING, Diagnostic, visible
from lanewise.core.package import CERTAIN, NO, IsaPackage
from lanewise.core.record import Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from importlib.metadata import EntryPoint

GROUP = "lanewise.isa"
FAILED = "U007"


class Installed(Record):
    """The instruction sets that can be used, and by name the findings about those that cannot."""

    packages: tuple[IsaPackage, ...]
    broken: dict[str, Diagnostic]


class _Origin(Record):
    """Where an instruction set comes from: its entry point, and the name and version of its distribution."""

    entry: EntryPoint
    distribution: str


_origins: dict[str, _Origin] = {}  # by name of the instruction set: those in use, for `failure`


def look_up(shipped: Sequence[IsaPackage]) -> Installed:
    """Import the instruction sets of other distributions. `shipped` are those of this one, whose names are taken."""
    found: list[IsaPackage] = []
    broken: dict[str, Diagnostic] = {}
    with _SafePath():
        for origin in _all_origins():
            name = origin.entry.name
            try:
                package = origin.entry.load()
                reason = _fault(package, name, (*shipped, *found))
            except (Exception, SystemExit) as error:  # code of others
                package, reason = None, _raised(error)
            if package is None or reason:
                broken[name] = _finding(origin, reason)
            else:
                found.append(package)
                _origins[name] = origin
    return Installed(tuple(found), broken)


def failure(error: BaseException) -> Diagnostic | None:
    """The finding about an error that code of another distribution's instruction set has raised; None for any other error."""
    roots = {origin.entry.module.partition(".")[0]: origin for origin in _origins.values()}
    step, blamed = error.__traceback__, None
    while step is not None:
        module = str(step.tb_frame.f_globals.get("__name__", ""))
        blamed = roots.get(module.partition(".")[0], blamed)
        step = step.tb_next
    return None if blamed is None else _finding(blamed, _raised(error))


def finding(name: str, error: BaseException) -> Diagnostic:
    """The finding about an instruction set that is in use."""
    return _finding(_origins[name], _raised(error))


def _raised(error: BaseException) -> str:
    """An error as a reason. A module that lies in the working folder is told apart from one that is missing."""
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        root = error.name.partition(".")[0]
        if Path(f"{root}.py").is_file() or Path(root).is_dir():
            return f"its module '{root}' lies in the working folder, from which nothing is imported"
    return f"{type(error).__name__}: {error}"


def _finding(origin: _Origin, reason: str) -> Diagnostic:
    message = (
        f"the instruction set '{visible(origin.entry.name)}' of {visible(origin.distribution)} cannot be used: "
        f"{visible(reason)}"
    )
    fix = f"report it to the authors of {visible(origin.distribution)}, or uninstall it"
    return Diagnostic(
        code=FAILED, severity=WARNING, message=message, span=Span(file=visible(origin.entry.value)), notes=(), fix=fix
    )


def _all_origins() -> Iterator[_Origin]:
    """Every entry point of the group, by name, but for those of distributions in the working folder: files there are not
    installed."""
    here = _here()
    rows: dict[str, _Origin] = {}
    for distribution in distributions():
        try:
            if os.path.realpath(str(distribution.locate_file(""))) == here:
                continue
            for entry in distribution.entry_points:
                if entry.group == GROUP:
                    rows.setdefault(entry.name, _Origin(entry, f"{distribution.metadata['Name']} {distribution.version}"))
        except Exception:  # metadata that nothing can read has no entry points
            continue
    yield from [rows[name] for name in sorted(rows)]


def _here() -> str:
    """The working folder; empty for one that was removed."""
    try:
        return os.path.realpath(os.curdir)
    except OSError:
        return ""


class _SafePath:
    """While it is entered, nothing is imported from the working folder, which `python -m` puts first."""

    def __enter__(self) -> None:
        self._before = sys.path
        here = _here()
        sys.path = [each for each in sys.path if each and not (here and os.path.realpath(each) == here)]

    def __exit__(self, *_: object) -> None:
        sys.path = self._before


def _fault(package: object, name: str, others: Sequence[IsaPackage]) -> str:
    """Why an object cannot be the instruction set of a name beside others; empty where it can. What it does may raise
    anything."""
    if not isinstance(package, IsaPackage):
        return f"expected an IsaPackage, found {type(package).__name__}"
    if package.name != name:
        return f"it calls itself '{package.name}'"
    taken = {other.name for other in others}
    if name in taken or not name.isidentifier():
        return "its name is taken" if name in taken else "its name is not a word"
    for what, mine, theirs in (
        ("language", package.languages, [row for other in others for row in other.languages]),
        ("container", package.containers, [row for other in others for row in other.containers]),
    ):
        shared = {row.name for row in mine} & {row.name for row in theirs}
        if shared:
            return f"its {what} '{min(shared)}' has the name of another"
    by_code(SHARED, *[other.codes() for other in others], package.codes())  # raises ValueError with the code that is taken
    package.manual("run")
    package.variants()
    answers = [row.recognises("") for row in package.languages] + [row.recognises(b"") for row in package.containers]
    return "" if _are_certainties(answers) else "it recognises an empty file as none of NO, POSSIBLE and CERTAIN"


def _are_certainties(answers: Iterable[object]) -> bool:
    return all(answer in range(NO, CERTAIN + 1) for answer in answers)


__all__ = ["FAILED", "GROUP", "Installed", "failure", "look_up"]
