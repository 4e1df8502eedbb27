"""What a rule finds, before anybody knows how it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lanewise.core.source import Span


class Finding(NamedTuple):
    """What a rule has found: at the word `pc`, or where `span` says. `fix` is in the user's own terms.

    Of findings of one rule with one place and one `topic` the first counts.
    """

    message: str
    fix: str
    pc: int = -1
    span: Span | None = None
    notes: tuple[str, ...] = ()
    topic: str = ""
