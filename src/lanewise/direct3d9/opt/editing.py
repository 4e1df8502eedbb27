"""A source with the statements of a smaller shader: names, comments and layout stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.editing import restated
from lanewise.direct3d9.check.context import AnalysisContext
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.text.printer import instruction_text, plain_names
from lanewise.direct3d9.text.reader import read_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.source import Span
    from lanewise.direct3d9.isa.program import Shader


class NotEditable(NamedTuple):
    """Why a source cannot be edited."""

    reason: str


def uneditable(name: str, shader: Shader) -> list[int]:
    """The places of instructions that cannot be edited in the file `name`: others are beside them, or they come from a macro
    or another file."""
    context = AnalysisContext(shader)
    places = [place for place, item in enumerate(shader.items) if isinstance(item, Inst)]
    spans = [context.alone(number) for number in range(len(places))]
    return [place for place, span in zip(places, spans, strict=True) if span is None or span.file != name]


def edited_source(text: str, name: str, before: Shader, after: Shader, origins: Sequence[int]) -> str | NotEditable:
    """The source of `before`, the file `name`, as that of `after`, whose items were at `origins`."""
    context = AnalysisContext(before)
    numbers = {place: n for n, place in enumerate([n for n, item in enumerate(before.items) if isinstance(item, Inst)])}
    left = {origin: after.items[n] for n, origin in enumerate(origins)}
    names = plain_names(after.version)
    statements: list[tuple[Span, str]] = []
    for place, item in enumerate(before.items):
        new = left.get(place)
        if new is item:
            continue
        span = context.alone(numbers[place]) if place in numbers else None
        if span is None or span.file != name:
            line = "" if item.place is None else f" {item.place.line}"
            return NotEditable(f"the statement of line{line} has others beside it, or comes from a macro or another file")
        if new is None:
            statements.append((span, ""))
            continue
        statement = instruction_text(new, names) if isinstance(new, Inst) else None
        if statement is None or read_line(statement, after.version) != new.words:
            return NotEditable("an instruction has no text")
        statements.append((span, statement))
    try:
        return restated(text, statements)
    except ValueError:
        return NotEditable("two statements overlap")
