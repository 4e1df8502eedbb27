"""Checking programs of the PICA200 for `lanewise check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import has_errors
from lanewise.core.document import columns
from lanewise.core.service import Report, Stats, UsageError
from lanewise.pica200.api.checking import Reading, check_shbin, check_sources, check_words
from lanewise.pica200.api.services.raw_words import read_raw
from lanewise.pica200.isa.table import INTEGER, register_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.pica200.api import checking
    from lanewise.pica200.check.cost import Cost, Round


def check_texts(request: Request, sources: Sequence[tuple[str, str]], dialect: str) -> Report:
    """The findings of sources that are linked into one program."""
    reading = Reading(
        request.flag("picasso-compat"), not request.flag("no-nop"), dialect, request.text("entry"), request.flag("geometry"),
        request.read_included,
    )  # fmt: skip
    return _report(check_sources(sources, reading, stats=request.flag("stats")))


def check_binary(request: Request, data: bytes) -> Report:
    """The findings of an SHBIN."""
    return _report(check_shbin(data, request.name, stats=request.flag("stats")))


def check_raw(request: Request) -> Report:
    """The findings of raw words, with their descriptors if these are given. Raises UsageError for an entry outside the words."""
    entry = request.text("entry", "0")
    if not entry.isdecimal():
        raise UsageError(f"--entry {entry}: with --words it is a number")
    words, descriptors, findings = read_raw(request)
    if words is None or has_errors(findings):
        return Report(tuple(findings))
    if not 0 <= int(entry) < max(1, len(words)):
        raise UsageError(f"--entry {entry}: {request.text('words')} has {len(words)} words, counted from 0")
    found = check_words(
        words,
        descriptors,
        request.text("words"),
        entry=int(entry),
        geometry=request.flag("geometry"),
        stats=request.flag("stats"),
    )
    remarks = (
        () if descriptors is not None else ("without --descriptors, rules about what instructions read and write are left out",)
    )
    return _report(found._replace(findings=(*findings, *found.findings)))._replace(remarks=remarks)


def _report(report: checking.Report) -> Report:
    return Report(report.findings, report.ignored, tuple([Stats(_data(cost), _text(cost)) for cost in report.costs]))


def _data(cost: Cost) -> dict[str, object]:
    return {
        "shader": cost.name,
        "stage": cost.stage,
        "uses": {use.name: {"used": use.used, "of": use.of} for use in cost.uses},
        "shortest": cost.shortest,
        "longest": cost.longest,
        "rounds": [
            {"address": found.pc, "register": found.register if found.register >= 0 else None, "instructions": found.words}
            for found in cost.rounds
        ],
    }


def _text(cost: Cost) -> str:
    rows = [("", "used", "of", "left"), *((use.name, str(use.used), str(use.of), str(use.of - use.used)) for use in cost.uses)]
    lines = [f"{cost.name} ({cost.stage})", *(f"  {line}" for line in columns(rows)), f"  {_instructions(cost)}"]
    lines += [f"  {_iteration(found)}" for found in cost.rounds]
    return "\n".join(lines) + "\n"


def _instructions(cost: Cost) -> str:
    if cost.shortest is None:
        return "instructions from the entry to end: no path leads there, or the paths are too many"
    if cost.longest is None:
        return f"instructions from the entry to end: at least {cost.shortest}, without a bound"
    least = f"{cost.shortest} to {cost.longest}" if cost.longest != cost.shortest else f"{cost.shortest}"
    return f"instructions from the entry to end: {least}" + (", each loop taken once" if cost.rounds else "")


def _iteration(found: Round) -> str:
    what = f"a further iteration over {register_name(INTEGER + found.register)}" if found.register >= 0 else "each time back"
    return f"{what}, decided at word {found.pc:#x}: at most {found.words} more"
