"""Remarks beside statements: the address of the word, its operand descriptor, the registers that are live after it."""

from __future__ import annotations

from lanewise.core.editor import Inlay
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.api.editor.liveness import live_after, registers, shown
from lanewise.pica200.isa.codec import decode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.editor import Analysis
    from lanewise.pica200.api.editor.analysing import State

ADDRESS, DESCRIPTOR, LIVE = "address", "descriptor", "live"
KINDS = {
    ADDRESS: "word addresses",
    DESCRIPTOR: "operand descriptor numbers",
    LIVE: "live registers after each instruction",
}


def remarks(analysis: Analysis, state: State, kinds: Sequence[str]) -> list[Inlay]:
    """The remarks of the kinds that are wanted, in the order of the words."""
    found: list[Inlay] = []
    words, descriptors = state.made.encoded
    live: Mapping[int, int] = live_after(state.contexts) if LIVE in kinds else {}
    for place in analysis.placed:
        pc = place.address
        if ADDRESS in kinds:
            found.append(Inlay(place.span, ADDRESS, f"{pc:03x}", f"word {pc:#x} of {len(words)}"))
        if place.damaged or pc >= len(words):
            continue
        inst = decode(words[pc])
        if DESCRIPTOR in kinds and "src" in inst.op.operands:
            number = inst.field("desc")
            value = f": {descriptors[number]:#010x}" if number < len(descriptors) else ""
            found.append(
                Inlay(place.span, DESCRIPTOR, f"desc {number}", f"operand descriptor {number} of {len(descriptors)}{value}")
            )
        if LIVE in kinds and pc in live:
            count, text = registers(live[pc]), shown(live[pc])
            about = f"values in {text} are used later" if count else "no register holds a value that is used later"
            found.append(Inlay(place.span, LIVE, f"{count} live", about))
    return found
