"""Checking programs of the PICA200 for `lanewise check`."""

from __future__ import annotations

from lanewise.core.diagnostics import has_errors
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Report
from lanewise.pica200.api.checking import Reading, check_shbin, check_sources, check_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.pica200.api.services.raw_words import Raw


def check_texts(request: Request, sources: Sequence[tuple[str, str]], dialect: str) -> Report:
    """The findings of sources that are linked into one program."""
    reading = Reading(
        compatible=request.flag("picasso-compat"),
        padding=not request.flag("no-nop"),
        dialect=dialect,
        entry=request.text("entry"),
        geometry=request.flag("geometry"),
        read=request.read_included,
        folders=request.texts("include"),
        hints=request.flag("hints"),
    )
    return check_sources(sources, reading, stats=request.flag("stats"))


def check_binary(request: Request, data: bytes) -> Report:
    """The findings of an SHBIN."""
    return check_shbin(data, request.name, stats=request.flag("stats"), hinted=request.flag("hints"))


def check_raw(request: Request, raw: Raw) -> Report:
    """The findings of raw words, with their descriptors if these are given."""
    if raw.words is None or has_errors(raw.findings):
        return Report(tuple(raw.findings))
    interface = raw.file.program.interfaces[0]
    found = check_words(
        raw.words,
        raw.descriptors,
        raw.name,
        entry=raw.entry,
        geometry=raw.geometry is not None,
        outputs=interface.outputs,
        input_mask=interface.input_mask,
        stats=request.flag("stats"),
        hinted=request.flag("hints"),
    )
    remarks = (
        ()
        if raw.descriptors is not None
        else ("without --descriptors, rules about what instructions read and write are left out",)
    )
    return found._replace(findings=(*raw.findings, *found.findings), remarks=remarks)
