"""Instruction sets of other distributions: entry points of the group `lanewise.isa`, each an `IsaPackage` under its own name.

`lanewise.packages` looks them up where no package of this distribution knows a file or a name. One that cannot be used is a
finding, U007.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core import events
from lanewise.core.code import by_code
from lanewise.core.codes import SHARED
from lanewise.core.diagnostics import WARNING, Diagnostic, visible
from lanewise.core.entry_points import Origin, SafePath, origins, raised
from lanewise.core.package import CERTAIN, NO, IsaPackage
from lanewise.core.record import Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GROUP = "lanewise.isa"
FAILED = "U007"


class Installed(Record):
    """The instruction sets that can be used, and by name the findings about those that cannot."""

    packages: tuple[IsaPackage, ...]
    broken: dict[str, Diagnostic]


_origins: dict[str, Origin] = {}  # by name of the instruction set: those in use, for `failure`


def look_up(shipped: Sequence[IsaPackage]) -> Installed:
    """Import the instruction sets of other distributions. `shipped` are those of this one, whose names are taken."""
    found: list[IsaPackage] = []
    broken: dict[str, Diagnostic] = {}
    with SafePath():
        for origin in origins(GROUP):
            name = origin.entry.name
            try:
                package = origin.entry.load()
                reason = _fault(package, name, (*shipped, *found))
            except (Exception, SystemExit) as error:  # code of others
                package, reason = None, raised(error)
            if package is None or reason:
                broken[name] = _finding(origin, reason)
                events.warning(events.PLUGINS, "%s", broken[name].message)
            else:
                found.append(package)
                _origins[name] = origin
                events.info(events.PLUGINS, "the instruction set %s of %s is there", name, visible(origin.distribution))
    return Installed(tuple(found), broken)


def failure(error: BaseException) -> Diagnostic | None:
    """The finding about an error that code of another distribution's instruction set has raised; None for any other error."""
    roots = {origin.entry.module.partition(".")[0]: origin for origin in _origins.values()}
    step, blamed = error.__traceback__, None
    while step is not None:
        module = str(step.tb_frame.f_globals.get("__name__", ""))
        blamed = roots.get(module.partition(".")[0], blamed)
        step = step.tb_next
    return None if blamed is None else _finding(blamed, raised(error))


def finding(name: str, error: BaseException) -> Diagnostic:
    """The finding about an instruction set that is in use."""
    return _finding(_origins[name], raised(error))


def _finding(origin: Origin, reason: str) -> Diagnostic:
    message = (
        f"the instruction set '{visible(origin.entry.name)}' of {visible(origin.distribution)} cannot be used: "
        f"{visible(reason)}"
    )
    fix = f"report it to the authors of {visible(origin.distribution)}, or uninstall it"
    return Diagnostic(
        code=FAILED, severity=WARNING, message=message, span=Span(file=visible(origin.entry.value)), notes=(), fix=fix
    )


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
