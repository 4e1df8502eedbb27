"""Text forms of Direct3D 9 shaders: hexadecimal words and C arrays.

In C, 0x numbers of up to eight digits between the first braces, with or without U; comments are left out. fxc writes such
arrays of bytes or words (`const BYTE g_vs[] = { 0, 2, 254, 255, ...`), which are read too.
"""

from __future__ import annotations

import re
import struct

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.direct3d9.container.stream import Read, foreign, is_direct3d9, read_stream, write_stream
from lanewise.direct3d9.isa.table import BY_TOKEN

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.program import Shader

BINARY, HEX, C = "bin", "hex", "c"
FORMS = TARGETS = (BINARY, HEX, C)
_TEXT = frozenset((9, 10, 12, 13, *range(32, 127)))
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_HEX = re.compile(rb"(?:0[xX])?([0-9A-Fa-f]{1,8})")
_NUMBER = re.compile(rb"(0[xX][0-9A-Fa-f]{1,8}|[0-9]{1,10})[uUlL]*")
_MOST = 20  # findings about one file


def form_of(data: bytes) -> str:
    """The recognised form of a file: text by its characters, else words."""
    if is_direct3d9(data) or not data.strip() or not _TEXT.issuperset(data):
        return BINARY
    return C if b"{" in data else HEX


def is_direct3d9_file(data: bytes) -> bool:
    """Whether a file shows by itself that it is a Direct3D 9 shader: its first word, binary or in a text, is a version
    token."""
    form = form_of(data)
    if form == BINARY:
        return is_direct3d9(data)
    words = (_hex_words if form == HEX else _c_words)(data[:65536], "", first=True)[0]
    return bool(words) and words[0] in BY_TOKEN


def read_file(data: bytes, name: str, form: str = "") -> Read:
    """The shader of a file of some form, by default of what it seems to hold."""
    known = foreign(data, name) if not form and not is_direct3d9_file(data) else None
    if known is not None:
        return Read(None, [known])
    form = form or form_of(data)
    if form == BINARY:
        return read_stream(data, name)
    words, found = (_hex_words if form == HEX else _c_words)(data, name)
    if found:
        return Read(None, found[:_MOST])
    return read_stream(struct.pack(f"<{len(words)}I", *words), name)


def write_form(shader: Shader, target: str, name: str) -> bytes:
    """A shader as one of `TARGETS`; `name` is that of the array. Texts have whole words only: trailing bytes are left out."""
    if target == BINARY:
        return write_stream(shader)
    words = shader.words
    if target == HEX:
        return "".join(f"{word:08X}\n" for word in words).encode()
    letters = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
    title = letters if letters and not letters[0].isdigit() else f"_{letters}"
    rows = [", ".join(f"0x{word:08X}" for word in words[n : n + 8]) for n in range(0, len(words), 8)]
    lines = ["#include <stdint.h>", "", f"const uint32_t {title}[{len(words)}] = {{", *(f"    {row}," for row in rows), "};"]
    return ("\n".join(lines) + "\n").encode()


def _no_word(name: str, offset: int, text: bytes, fix: str) -> Diagnostic:
    shown = "".join(c if c.isprintable() else "?" for c in text[:24].decode("latin-1"))
    return Diagnostic(
        code="C311", severity=ERROR, message=f"'{shown}' is not a 32-bit word", span=Span(file=name, offset=offset), fix=fix
    )


def _hex_words(data: bytes, name: str, *, first: bool = False) -> tuple[list[int], list[Diagnostic]]:
    """A word a line, with 0x or not; comments begin with //, # or ;. `first`: the first of them is enough."""
    words: list[int] = []
    found: list[Diagnostic] = []
    start = 0
    for line in data.split(b"\n"):
        text = line
        for mark in (b"//", b"#", b";"):
            text = text.partition(mark)[0]
        word = text.strip()
        if word:
            match = _HEX.fullmatch(word)
            if match is not None:
                words.append(int(match.group(1), 16))
            else:
                found.append(_no_word(name, start + text.index(word), word, "write one word of 8 hexadecimal digits per line"))
            if first:
                break
        start += len(line) + 1
    if found and not words:  # another kind of text: that its other lines are no words either says nothing more
        return [], [
            found[0]._replace(
                fix="write one word of 8 hexadecimal digits per line; begin a source with a version, such as vs_2_0"
            )
        ]
    return words, found


def _c_words(data: bytes, name: str, *, first: bool = False) -> tuple[list[int], list[Diagnostic]]:
    """The numbers between the first braces. Bytes are put together where no number is larger and the first four are a
    version."""
    text = _COMMENT.sub(lambda match: b" " * len(match.group()), data)
    opening = text.find(b"{")
    closing = text.find(b"}", opening)
    if opening < 0 or (closing < 0 and not first):
        return [], [_no_word(name, max(opening, 0), data.strip()[:24], "give a C array of 32-bit words between { and }")]
    numbers: list[int] = []
    found: list[Diagnostic] = []
    at = opening + 1
    parts = text[at : closing if closing >= 0 else len(text)].split(b",")
    for n, part in enumerate(parts):
        word = part.strip()
        match = _NUMBER.fullmatch(word)
        if match is not None and int(match.group(1), 0 if word[:2].lower() == b"0x" else 10) <= 0xFFFFFFFF:
            numbers.append(int(match.group(1), 0 if word[:2].lower() == b"0x" else 10))
        elif word or n + 1 < len(parts):
            found.append(
                _no_word(
                    name, at + (part.index(word) if word else 0), word, "write words such as 0xFFFE0200, with commas between"
                )
            )
        at += len(part) + 1
        if first and len(numbers) == 4:
            break
    if len(numbers) >= 4 and max(numbers) <= 0xFF and int.from_bytes(bytes(numbers[:4]), "little") in BY_TOKEN:
        whole = bytes(numbers[: len(numbers) // 4 * 4])
        return list(struct.unpack(f"<{len(whole) // 4}I", whole)), found
    return numbers, found
