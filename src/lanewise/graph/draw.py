"""A picture in any of the formats of `lanewise graph`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer, InputFailure
from lanewise.graph.dot import as_dot
from lanewise.graph.flow import BudgetExceeded
from lanewise.graph.json import plain
from lanewise.graph.svg import as_svg
from lanewise.graph.text import as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.source import Span
    from lanewise.graph.picture import Picture


def drawn(picture: Picture, style: str, hint: str = "", places: Sequence[Span | None] = ()) -> Answer:
    """The picture as `text`, `dot`, `svg` or `json`. Raises InputFailure, with the hint, for one that is too large to draw.

    `places` are those of the addresses of rows: an SVG links instructions to lines of their source.
    """
    if style == "svg":
        text = as_svg(picture, places)
        if isinstance(text, BudgetExceeded):
            raise InputFailure(f"{text.reason}: {hint}--format text has no limit")
        return Answer(text=text)
    if style == "json":
        return Answer(data=plain(picture))
    return Answer(text={"text": as_text, "dot": as_dot}[style](picture))
