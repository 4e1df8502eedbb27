"""Checking programs of the PICA200 for `lanewise check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import has_errors
from lanewise.core.service import Report, UsageError
from lanewise.pica200.api.checking import Reading, check_shbin, check_sources, check_words
from lanewise.pica200.api.services.raw_words import read_raw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request


def check_texts(request: Request, sources: Sequence[tuple[str, str]], dialect: str) -> Report:
    """The findings of sources that are linked into one program."""
    reading = Reading(
        request.flag("picasso-compat"), not request.flag("no-nop"), dialect, request.text("entry"), request.flag("geometry"),
        request.read_included, request.flag("hints"),
    )  # fmt: skip
    return check_sources(sources, reading, stats=request.flag("stats"))


def check_binary(request: Request, data: bytes) -> Report:
    """The findings of an SHBIN."""
    return check_shbin(data, request.name, stats=request.flag("stats"), hinted=request.flag("hints"))


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
        hinted=request.flag("hints"),
    )
    remarks = (
        () if descriptors is not None else ("without --descriptors, rules about what instructions read and write are left out",)
    )
    return found._replace(findings=(*findings, *found.findings), remarks=remarks)
