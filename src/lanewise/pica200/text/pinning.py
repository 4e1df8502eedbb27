"""What `.opdesc` takes, in each dialect: the fix of one with a single number."""

from __future__ import annotations

from lanewise.pica200.isa.table import VERTEX

LONE = ".opdesc takes the number of a descriptor, 0 to 127, and its word"


def completed(given: int) -> str:
    """The line to write for an `.opdesc` with one number, which is the descriptor's if it may be, else the word."""
    return f"write .opdesc {given} 0x0000036F" if given < VERTEX.descriptors else f"write .opdesc 0 {given:#010x}"
