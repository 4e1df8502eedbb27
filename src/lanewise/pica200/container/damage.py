"""One cause for the errors of an SHBIN: a transfer that stopped, or a binary that was saved as text."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.pica200.container.survey import survey

if TYPE_CHECKING:
    from lanewise.pica200.container.survey import Survey

_MOST_BYTES = 1 << 20
_REPLACED = b"\xef\xbf\xbd"  # U+FFFD, which replaces what is not UTF-8
_WIDEST_GAP = 16  # between two sections that follow each other: padding


def cause_of(view: memoryview, found: Survey, name: str) -> list[Diagnostic]:
    """The error that explains all those of a survey; empty if they have no common cause."""
    return _saved_as_text(view, name) or _cut_off(view, found, name)


def _saved_as_text(view: memoryview, name: str) -> list[Diagnostic]:
    data = bytes(view[:_MOST_BYTES])
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return []
    first = next((at for at, byte in enumerate(data) if byte >= 0x80), -1)
    lost = data.count(_REPLACED)
    if first < 0 or len(view) > _MOST_BYTES:
        return []
    message = ""
    if lost > 1:
        message = f"a binary that was saved as text: {counted(lost, 'place has', 'places have')} U+FFFD for bytes that are lost"
    for encoding in ("latin-1", "cp1252") if not lost else ():
        try:
            original = text.encode(encoding)
        except UnicodeEncodeError:
            continue
        if not survey(memoryview(original), name, most_errors=1).errors:
            shown = data[first : first + len(text[len(data[:first].decode())].encode())].hex(" ")
            byte = original[len(data[:first].decode())]
            message = f"a binary that was saved as text: each byte from 0x80 on is UTF-8 of {encoding}, {shown} for {byte:02x}"
            break
    if not message:
        return []
    fix = 'get the original file; read and write binaries in the modes "rb" and "wb", without an editor or a conversion'
    return [Diagnostic(code="C001", severity=ERROR, message=message, span=Span(file=name, offset=first), notes=(), fix=fix)]


def _cut_off(view: memoryview, found: Survey, name: str) -> list[Diagnostic]:
    """The error about several sections outside of the file that follow each other from inside of it on."""
    if len(found.errors) < 2 or any(error.code != "C005" for error in found.errors):
        return []
    size = len(view)
    placed = sorted([extent for extent in found.extents if extent.size], key=lambda extent: extent.offset)
    reached = 0
    for extent in placed:
        if extent.offset < reached or (extent.offset + extent.size > size and extent.offset > reached + _WIDEST_GAP):
            return []
        reached = extent.offset + extent.size
    lacking = [extent.name for extent in placed if extent.offset + extent.size > size]
    message = f"the file is truncated: it ends at {size:#x}, its sections at {reached:#x} or later ({', '.join(lacking[:4])})"
    fix = "get the whole file"
    return [Diagnostic(code="C002", severity=ERROR, message=message, span=Span(file=name, offset=size), notes=(), fix=fix)]
