"""One cause for the errors of an SHBIN: a transfer that stopped, or a binary that was saved as text."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.pica200.container.survey import survey

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.pica200.container.survey import Survey

_MOST_BYTES = 1 << 20
_REPLACED = b"\xef\xbf\xbd"  # U+FFFD, which replaces what is not UTF-8
_WIDEST_GAP = 16  # between two sections that follow each other: padding


def cause_of(view: memoryview, found: Survey, name: str) -> list[Diagnostic]:
    """The error that explains all those of a survey; empty if they have no common cause."""
    return _saved_as_text(view, name) or _encoded(view, name) or _cut_off(view, found, name)


def _encoded(view: memoryview, name: str) -> list[Diagnostic]:
    """The error about an SHBIN in another form, from which it is made again."""
    data = bytes(view[: _MOST_BYTES + 1])
    if len(data) > _MOST_BYTES:
        return []
    for form, decode, fix in _FORMS:
        try:
            original = decode(data)
        except ValueError:
            continue
        if original[:4] == b"DVLB" and original != data and not survey(memoryview(original), name, most_errors=1).errors:
            return [Diagnostic(code="C001", severity=ERROR, message=form, span=Span(file=name, offset=0), notes=(), fix=fix)]
    return []


def _hexadecimal(data: bytes) -> bytes:
    return bytes.fromhex(data.decode("ascii").lower().replace("0x", " ").replace(",", " "))


def _base64(data: bytes) -> bytes:
    import binascii

    return binascii.a2b_base64(data)


# Forms of a binary: what is said, the binary that a file in this form is of, and the fix.
_FORMS: tuple[tuple[str, Callable[[bytes], bytes], str], ...] = (
    (
        "an SHBIN whose words have their bytes in reverse order (big-endian)",
        lambda data: b"".join([data[at : at + 4][::-1] for at in range(0, len(data), 4)]),
        "write words as little-endian: `objcopy -I binary -O binary --reverse-bytes=4 IN OUT` reverses them",
    ),
    ("the hexadecimal digits of an SHBIN", _hexadecimal, "make the binary of them: `xxd -r -p IN OUT`"),
    ("an SHBIN in Base64", _base64, "decode it: `base64 -d IN > OUT`"),
    (
        "an SHBIN in which each byte 0x0A became 0x0D 0x0A: it was written or sent as text",
        lambda data: data.replace(b"\r\n", b"\n"),
        'write it in the mode "wb", and send it as a binary',
    ),
)


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
