"""A source with the instructions of a smaller program: names, comments and layout stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.editing import restated
from lanewise.shadercore.text.printer import line_of
from lanewise.shadercore.text.reader import read_source_text

if TYPE_CHECKING:
    from lanewise.core.source import Span
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.opt.program import OptimisedProgram


def edited_source(text: str, name: str, before: Program, after: OptimisedProgram) -> str | None:
    """The source of `before`, the file `name`, as that of `after`, whose words have kept their order; None where its statements
    cannot be edited. One that gives several words becomes a line for each that is left."""
    words = dict(zip(after.origins, after.program.words, strict=True))
    by_place: dict[Span, list[int]] = {}
    for slot, place in enumerate(before.places):
        by_place.setdefault(place, []).append(slot)
    statements: list[tuple[Span, str]] = []
    for place, slots in by_place.items():
        if all(words.get(slot) == before.words[slot] for slot in slots):
            continue
        if place.file != name or not place.line:
            return None
        indent = place.text[: len(place.text) - len(place.text.lstrip())]
        statements.append((place, f"\n{indent}".join([line_of(words[slot], before.added) for slot in slots if slot in words])))
    try:
        found = restated(text, statements)
    except ValueError:
        return None
    program = read_source_text(found, name, added=before.added).program
    return found if program is not None and program.words == after.program.words else None


__all__ = ["edited_source"]
