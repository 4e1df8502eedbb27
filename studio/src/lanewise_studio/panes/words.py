"""The pane of machine words: each with its place in the source, and operand descriptors with the words that use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.service import InputFailure, UsageError
from lanewise.pica200.isa.codec import decode

from lanewise_studio.subject import PicaSubject

if TYPE_CHECKING:
    from lanewise.core.debugging import Debuggee

    from lanewise_studio.evaluation import Evaluation

_DIGITS = {"pica200": 8, "shadercore": 16, "direct3d9": 8}


def words(evaluation: Evaluation) -> dict[str, object]:
    """The machine words of the program as plain values."""
    loaded = evaluation.loaded
    digits = _DIGITS[loaded.isa]
    debuggee: Debuggee = evaluation.session.debuggee
    rows: list[dict[str, object]] = []
    for address, word in enumerate(loaded.words):
        place = evaluation.span(address)
        rows.append({
            "address": address,
            "bits": f"{word:0{digits}x}",
            "instruction": debuggee.instruction(address),
            "encoding": debuggee.encoding(address),
            "file": place.file if place is not None else "",
            "line": place.line if place is not None else 0,
            "column": place.column if place is not None else 0,
            "length": place.length if place is not None else 0,
        })  # fmt: skip
    return {
        "what": debuggee.what,
        "digits": digits,
        "rows": rows,
        "descriptors": _descriptors(evaluation),
        "cost": _cost(evaluation),
    }


def _descriptors(evaluation: Evaluation) -> list[dict[str, object]]:
    subject = evaluation.subject
    if not isinstance(subject, PicaSubject):
        return []
    used: dict[int, list[int]] = {}
    for address, word in enumerate(subject.file.words):
        inst = decode(word)
        if inst.has("desc"):
            used.setdefault(inst.field("desc"), []).append(address)
    return [
        {"number": number, "bits": f"{bits:08x}", "words": used.get(number, [])}
        for number, bits in enumerate(subject.shader.descriptors)
    ]


def _cost(evaluation: Evaluation) -> str:
    """The cost of the program in a few lines; empty where none is known."""
    service = evaluation.loaded.check
    if service is None:
        return ""
    try:
        report = service(evaluation.program.request("check", {"stats": True}))
    except (InputFailure, UsageError):
        return ""
    return "\n".join([stats.text for stats in report.stats])


__all__ = ["words"]
