"""Remarks beside Direct3D 9 statements: word offset, instruction slots, live registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.editor import Inlay
from lanewise.direct3d9.api.editor.analysing import State
from lanewise.direct3d9.check.context import mask_text
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.isa.table import DECLARATION, DEFINITION, register_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.editor import Analysis
    from lanewise.direct3d9.isa.table import Version

ADDRESS, SLOT, LIVE = "address", "slot", "live"
INLAYS = {ADDRESS: "word offset in the token stream", SLOT: "instruction slot", LIVE: "live registers"}


def remarks(analysis: Analysis, kinds: Sequence[str]) -> list[Inlay]:
    """The remarks of the kinds that are wanted, in the order of the statements. After a damaged statement, slots and live
    registers are not known."""
    state = analysis.state
    if not isinstance(state, State):
        return []
    found: list[Inlay] = []
    whole = True
    for one, address in zip(state.statements, state.addresses, strict=True):
        whole = whole and not one.damaged
        if ADDRESS in kinds and address >= 0:
            size = len(one.item.words) if one.item is not None else 0
            found.append(
                Inlay(
                    one.span, ADDRESS, str(address), f"word {address} of the token stream" + (f", {size} words" if size else "")
                )
            )
        item = one.item
        if not isinstance(item, Inst) or item.op.role in (DECLARATION, DEFINITION):
            continue
        number = state.numbers.get(id(item))
        if number is None:
            continue
        if SLOT in kinds and whole:
            slot, size = state.slots[number]
            text = f"slot {slot}" if size < 2 else f"slots {slot}-{slot + size - 1}"
            found.append(
                Inlay(
                    one.span,
                    SLOT,
                    text if size else "no slot",
                    f"{size} slot{'' if size == 1 else 's'} in {state.version.name}",
                )
            )
        if LIVE in kinds and state.live is not None and not state.damage:
            live = state.live[number]
            count = sum(mask.bit_count() for mask in live.values())
            about = f"needed after this: {registers_text(state.version, live)}" if live else "no register is needed after this"
            found.append(Inlay(one.span, LIVE, f"{count} live", about))
    return found


def registers_text(version: Version, live: Mapping[tuple[int, int], int]) -> str:
    """`r0.xy, r3.w`."""
    return ", ".join([f"{register_name(version, *key)}{mask_text(mask)}" for key, mask in sorted(live.items()) if mask])
