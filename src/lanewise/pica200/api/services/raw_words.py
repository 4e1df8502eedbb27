"""Files of raw words, for every command that takes `--words` and `--descriptors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import has_errors
from lanewise.core.service import InputFailure
from lanewise.pica200.container.raw import read_descriptors, read_words

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Request


_MOST_BYTES = 1 << 20  # 64 times what the largest unit holds; each word costs time


class Raw(NamedTuple):
    """The words of a file, None if it has errors; its operand descriptors, None if none were asked for; what was found."""

    words: tuple[int, ...] | None
    descriptors: tuple[int, ...] | None
    findings: list[Diagnostic]


def read_raw(request: Request) -> Raw:
    """The instruction words of one file, and the descriptors of another. Raises InputFailure."""
    if request.sources:
        code, data = request.sources[0].path, request.sources[0].data
    else:
        code = request.text("words")
        data = request.files.read(code)
    if len(data) > _MOST_BYTES:
        raise InputFailure(
            f"{code} has {len(data)} bytes, which are too many for the words of a program: at most {_MOST_BYTES} are read; "
            "`lanewise inspect --scan` finds SHBINs inside other files"
        )
    words, findings = read_words(data, code)
    table: tuple[int, ...] | None = None
    if request.text("descriptors"):
        path = request.text("descriptors")
        table, more = read_descriptors(request.files.read(path), path)
        findings += more
    return Raw(None if has_errors(findings) else words, table, findings)
