"""A case before it has run: what it shows, and its job."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lanewise.core.vectors.model import Job


class Draft(NamedTuple):
    """`hazards` are reasons why an implementation may hang or abort, as far as they do not follow from the words."""

    name: str
    group: str
    ops: tuple[str, ...]
    shows: str
    job: Job
    hazards: tuple[str, ...] = ()
