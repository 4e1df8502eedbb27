"""What a file of the PICA200 holds, for `lanewise inspect`."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError, to_json
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.service import Answer, UsageError
from lanewise.pica200.api.services.reference import PLAIN_DESCRIPTOR
from lanewise.pica200.api.services.summary import page, plain, summarise
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.text.picasso.listing import listing_lines
from lanewise.pica200.text.picasso.printer import Names, Printer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.pica200.api.services.raw_words import Raw
    from lanewise.pica200.container.shbin import Shbin


def inspected(request: Request, shbin: Shbin, data: bytes | None, name: str = "") -> Answer:
    """The shaders of a file with their interfaces, or its words as a listing. `name` is that of words without a file."""
    listing, maps = request.flag("listing"), request.flag("output-maps")
    if listing and maps:
        raise UsageError("--output-maps goes with the summary of a FILE: leave out --listing")
    size = len(data) if data is not None else 0
    findings = tuple(read_shbin(data, request.name)[1]) if data is not None else ()
    if request.as_json:
        shown = cast("dict[str, object]", plain(summarise(shbin, name or request.name, size)))
        more: dict[str, object] = {"listing": listed(shbin.words, shbin.descriptors)} if listing else {}
        return Answer(data={"file": shown, **more, "diagnostics": [to_json(finding) for finding in findings]})
    if listing:
        return Answer(text="\n".join(listing_lines(shbin.words, shbin.descriptors)) + "\n", first=findings)
    file = summarise(shbin, name or request.name, size)
    drawn = file.output_maps if maps else file.pair
    last = tuple(dict.fromkeys(finding for found in drawn for finding in found.findings))
    return Answer(page=tuple(page(file, drawn)), first=findings, last=last)


def listed_raw(request: Request, raw: Raw) -> Answer:
    """Raw words as a listing. Raises InputError."""
    if request.flag("output-maps"):
        raise UsageError("--output-maps goes with the summary of a FILE: leave out --words, or add --data with outputs")
    words, descriptors, findings = raw.words, raw.descriptors, raw.findings
    if words is None:
        raise InputError(findings)
    table = (PLAIN_DESCRIPTOR,) * 128 if descriptors is None else descriptors
    data = {"listing": listed(words, table), "diagnostics": [to_json(finding) for finding in findings]}
    lines = listing_lines(words, table)
    if descriptors is not None:
        return Answer(data=data, text="\n".join(lines) + "\n", first=tuple(findings))
    remark = "without --descriptors: write masks, swizzles and signs are not known and not shown"
    return Answer(data=data, text="\n".join(lines[: 1 + len(words)]) + "\n", first=tuple(findings), remarks=(remark,))


def listed(words: Sequence[int], descriptors: Sequence[int]) -> list[dict[str, object]]:
    """The words of a program as plain values; `descriptor` is the number of the operand descriptor, or null."""
    printer = Printer(Names(), lambda target: "", lambda address: "")
    return [
        {
            "address": address,
            "word": word,
            "descriptor": operation.descriptor if operation.descriptor >= 0 else None,
            "text": printer.describe(operation) or f".word {word:#010x}",
        }
        for address, (word, operation) in enumerate(zip(words, lift(words, descriptors), strict=True))
    ]
