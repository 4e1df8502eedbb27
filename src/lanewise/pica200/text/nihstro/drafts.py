"""Sources to try for a program, with its descriptor table only where the sharing of this language needs too many
descriptors."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Disassembly, Source
from lanewise.pica200.text.dialect import Draft
from lanewise.pica200.text.nihstro.printer import OURS
from lanewise.pica200.text.nihstro.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.pica200.isa.program import Program


def drafts(program: Program, stem: str) -> Iterator[Draft]:
    for pinned in (False, True):
        written = Writer(program, pinned=pinned).write()
        plain = not any(OURS in text for _, text in written.sources)
        names = " ".join([stem + suffix for suffix, _ in written.sources])
        # Also where the suffix says it: a file may be renamed.
        flag = "-g " if written.sources and all(interface.geometry for interface in program.interfaces) else ""
        usual, doubted = [
            Disassembly(
                sources=tuple(
                    [
                        Source(stem + suffix, f"// {has}: lanewise asm {flag}-o {stem}.shbin {names}\n\n{text}")
                        for suffix, text in written.sources
                    ]
                ),
                plain=plain,
                arguments=(),
                lost=written.lost,
            )
            for has in (
                "assemble with nihstro-assemble or lanewise" if plain else "has forms that only lanewise reads",
                "assemble with lanewise, as nihstro-assemble writes another program"
                if plain
                else "has forms that only lanewise reads",
            )
        ]
        yield Draft(usual, doubted=doubted)
