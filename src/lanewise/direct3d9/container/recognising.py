"""Which files are Direct3D 9 shaders, by their first words.

Commands ask this of every file that they open, so a file of another kind is refused before any table is imported.
"""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, POSSIBLE
from lanewise.direct3d9.container.magic import DXBC

_MARKS = (b"\xfe\xff", b"\xff\xff")  # the upper halves of version tokens
_HEAD = 1 << 16  # bytes of a text in which its first word is looked for


def recognises(data: bytes) -> int:
    """CERTAIN where the first word, in binary, hexadecimal or a C array, is a version token.

    A binary whose second word is not an instruction, a comment or an end token is POSSIBLE.
    """
    if data.startswith(DXBC):
        return CERTAIN
    if data[2:4] not in _MARKS and not _may_be_text(data):
        return NO
    from lanewise.direct3d9.container.forms import BINARY, form_of, is_direct3d9_file
    from lanewise.direct3d9.isa.table import BY_OPCODE, COMMENT, END

    if not is_direct3d9_file(data):
        return NO
    if form_of(data) != BINARY or len(data) < 8:
        return CERTAIN
    token = int.from_bytes(data[4:8], "little")
    known = token == END or (not token >> 31 and (token & 0xFFFF == COMMENT or token & 0xFFFF in BY_OPCODE))
    return CERTAIN if known else POSSIBLE


def _may_be_text(data: bytes) -> bool:
    """Whether a text may hold words: an array in braces, or a version token in hexadecimal."""
    if b"\0" in data[:_HEAD]:
        return False
    head = data[:_HEAD].lower()
    return b"{" in head or b"fffe" in head or b"ffff" in head
