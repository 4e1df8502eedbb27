"""A source with the statements of a smaller shader: names, comments and layout stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.editing import restated
from lanewise.direct3d9.check.context import AnalysisContext
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.text.printer import instruction_text, plain_names
from lanewise.direct3d9.text.reader import read_line

if TYPE_CHECKING:
    from lanewise.core.source import Span
    from lanewise.direct3d9.isa.program import Item, Shader
    from lanewise.direct3d9.isa.table import Version
    from lanewise.optimising.optimiser import Optimised


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


def edited_source(text: str, name: str, before: Shader, found: Optimised[Item]) -> str | NotEditable:
    """The source of `before`, the file `name`, as that of the shader that is found."""
    context, version = AnalysisContext(before), before.version
    numbers = {place: n for n, place in enumerate([n for n, item in enumerate(before.items) if isinstance(item, Inst)])}
    left: dict[int, list[Item]] = {}  # by the place of an item that has kept it: those that come before it, and what it is
    carried: list[Item] = []
    for origin, item in zip(found.origins, found.items, strict=True):
        carried.append(item)
        if origin not in found.carried:
            left[origin], carried = carried, []
    if carried:
        return NotEditable("an instruction goes behind the last statement")
    statements: list[tuple[Span, str]] = []
    for place, item in enumerate(before.items):
        new = left.get(place, [])
        if len(new) == 1 and new[0] is item:
            continue
        span = context.alone(numbers[place]) if place in numbers else None
        if span is None or span.file != name:
            line = "" if item.place is None else f" {item.place.line}"
            return NotEditable(f"the statement of line{line} has others beside it, or comes from a macro or another file")
        texts = [span.text[span.column - 1 :][: span.length] if each is item else _text(each, version) for each in new]
        if None in texts:
            return NotEditable("an instruction has no text")
        indent = span.text[: span.column - 1]
        statements.append((span, f"\n{indent}".join([each or "" for each in texts])))
    try:
        return restated(text, statements)
    except ValueError:
        return NotEditable("two statements overlap")


def _text(item: Item, version: Version) -> str | None:
    """The statement of an item; None where no text gives its words."""
    statement = instruction_text(item, plain_names(version)) if isinstance(item, Inst) else None
    return None if statement is None or read_line(statement, version) != item.words else statement
