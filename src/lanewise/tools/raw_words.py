"""Files of raw words, for every command that takes `--words` and `--descriptors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import has_errors
from lanewise.pica200.container.raw import read_descriptors, read_words
from lanewise.tools.console import read_bytes

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Diagnostic


class Raw(NamedTuple):
    """The words of a file, None if it has errors; its operand descriptors, None if none were asked for; what was found."""

    words: tuple[int, ...] | None
    descriptors: tuple[int, ...] | None
    findings: list[Diagnostic]


def read_raw(code: str, descriptors: str | None) -> Raw:
    """The instruction words of one file, and the descriptors of another. Raises InputFailure."""
    words, findings = read_words(read_bytes(code), code)
    table: tuple[int, ...] | None = None
    if descriptors is not None:
        table, more = read_descriptors(read_bytes(descriptors), descriptors)
        findings += more
    return Raw(None if has_errors(findings) else words, table, findings)
