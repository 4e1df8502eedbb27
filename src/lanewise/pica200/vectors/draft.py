"""A case before it has run: what it shows, and its job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.core.vectors.model import MAY_ABORT, MAY_HANG

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.vectors.model import Job

# Reasons why an implementation may hang or abort.
FULL_RING = "a full ring"
EMPTY_LOOP = "break with an empty LOOP stack"
UNDOCUMENTED = "an opcode that nothing documents"
LEAVES = "the program counter leaves the program"
ENDLESS_PROGRAM = "the program does not end"
STOPS = "the program stops before its end"
MANY_WORDS = "more than 512 words"
NO_DESCRIPTOR = "a descriptor that was not uploaded"
SLOT_THREE = "slot 3 of the vertex buffer"
TWO_MOVA = "two mova in a row freeze a console (picasso, Manual)"
HAZARDS: Mapping[str, int] = {
    FULL_RING: MAY_ABORT,
    EMPTY_LOOP: MAY_HANG | MAY_ABORT,
    UNDOCUMENTED: MAY_ABORT,
    LEAVES: MAY_HANG | MAY_ABORT,
    ENDLESS_PROGRAM: MAY_HANG,
    STOPS: MAY_ABORT,
    MANY_WORDS: MAY_ABORT,
    NO_DESCRIPTOR: MAY_ABORT,
    SLOT_THREE: MAY_ABORT,
    TWO_MOVA: MAY_HANG,
}


class Draft(Record):
    """A case before its outcome is known."""

    name: str
    "As in `Case`."
    group: str
    "As in `Case`."
    ops: tuple[str, ...]
    "As in `Case`."
    shows: str
    "As in `Case`."
    job: Job
    "Its number is set when the suite is complete."
    hazards: tuple[str, ...] = ()
    "Keys of `HAZARDS` that do not follow from the words."
