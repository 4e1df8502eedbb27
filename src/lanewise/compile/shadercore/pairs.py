"""Which instruction sets are compiled for which: a row for each compiler."""

from __future__ import annotations

from lanewise.core.record import Record


class Pair(Record):
    """A compiler, by the names of the packages: programs of `source` become programs of `target`."""

    source: str
    target: str


PAIRS = (Pair("direct3d9", "shadercore"),)


def targets() -> list[str]:
    """The instruction sets that programs are compiled for."""
    return list(dict.fromkeys([pair.target for pair in PAIRS]))


def sources(target: str) -> list[str]:
    """The instruction sets whose programs are compiled for a target."""
    return [pair.source for pair in PAIRS if pair.target == target]
