"""Raw files of 32-bit words, the code or the operand descriptors: little-endian bytes, hexadecimal text, or a JSON array."""

from __future__ import annotations

import struct

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.container.review import oversize

if TYPE_CHECKING:
    from collections.abc import Sequence


def read_words(data: bytes, name: str, what: str = "code") -> tuple[tuple[int, ...] | None, list[Diagnostic]]:
    """Read the words of a file of `code` or `descriptors`, in the form that it has.

    None with an error if its size is not a multiple of 4, or if a text has something else than words.
    """
    if data.startswith(b"DVLB"):
        place, fix = Span(file=name, offset=0), "name it as FILE, without --words and --descriptors"
        return None, [Diagnostic(code="C013", severity=ERROR, message=f"{what}: an SHBIN, not words", span=place, fix=fix)]
    text = _text_of(data)
    if text is not None:
        words, problem = _read_text(text)
        if problem is None and not words and what == "code":
            problem = _not_words("the file has no words")._replace(fix="check that this is the right file")
        if problem is not None:
            return None, [problem._replace(span=problem.span._replace(file=name), message=f"{what}: {problem.message}")]
        return words, list(oversize(what, len(words), name, 0))
    if len(data) % 4:
        rest = len(data) % 4
        return None, [
            Diagnostic(
                code="C013",
                severity=ERROR,
                message=f"{what}: size of {len(data)} bytes is not a multiple of 4: {rest} are left over",
                span=Span(file=name, offset=len(data) - rest),
                fix="check that this is the right file and that it is complete",
            )
        ]
    words = struct.unpack(f"<{len(data) // 4}I", data)
    return words, list(oversize(what, len(words), name, 0))


_HEXADECIMAL = frozenset(b"0123456789abcdefABCDEF")
_DIGITS = frozenset("0123456789abcdef")
_PRINTABLE = frozenset((*range(0x20, 0x7F), *b"\t\r\n"))


def _text_of(data: bytes) -> str | None:
    """The text of a file of hexadecimal words, or of JSON, or without any word; None for binary words."""
    ends = data.lstrip()[:1] + data.rstrip()[-1:]
    if ends == b"[]" or (ends == b"{}" and _PRINTABLE.issuperset(data)):
        return data.decode("utf-8", "replace")
    lines = [line.partition(b"#")[0].partition(b"//")[0].partition(b";")[0] for line in data.split(b"\n")]
    first = b"\n".join(lines).replace(b",", b" ").split()[:1]
    if _PRINTABLE.issuperset(data):
        return b"\n".join(lines).decode()
    words = bool(first) and (first[0].lower().startswith(b"0x") or (len(first[0]) == 8 and _HEXADECIMAL.issuperset(first[0])))
    if words and all(byte in _PRINTABLE for line in lines for byte in line):
        return b"\n".join(lines).decode()
    return None


def _read_text(text: str) -> tuple[tuple[int, ...], Diagnostic | None]:
    if text.lstrip().startswith("["):
        from lanewise.core.data import flat_words
        from lanewise.core.nesting import json_value

        try:
            listed = json_value(text)
        except ValueError as error:
            return (), _not_words(f"invalid JSON array: {error}", getattr(error, "lineno", 0))
        except RecursionError:
            return (), _not_words("invalid JSON array: its values are nested too deeply")
        found = flat_words(listed)
        if isinstance(found, list):
            return tuple(found), None
        number, item = found
        written = f'"{item}"' if isinstance(item, str) else str(item)
        place = next((n for n, line in enumerate(text.split("\n"), 1) if written in line), 0)
        return (), _not_words(f"item {number} of the array is not a 32-bit word: {written[:40]}", place, str(item))
    if text.lstrip().startswith("{"):
        problem = _not_words("a JSON object, not an array of words")
        return (), problem._replace(fix="give a data file that has its program as --data, without --words")
    words: list[int] = []
    marked = "0x" in text.lower()
    for number, line in enumerate(text.split("\n"), 1):
        for token in line.replace(",", " ").split():
            digits = token.lower().removeprefix("0x").replace("_", "")
            if not 0 < len(digits) <= 8 or not _DIGITS.issuperset(digits):
                return (), _not_words(f"'{token[:40]}' is not a 32-bit word in hexadecimal digits", number, token)
            if marked and len(token) > 1 and token.isdecimal() and int(token):
                problem = _not_words(f"'{token}' has no 0x, which other words have", number, token)
                return (), problem._replace(fix=f"write 0x{token}, or {int(token):#x} if it is a decimal number")
            words.append(int(digits, 16))
    return tuple(words), None


def _not_words(message: str, line: int = 0, text: str = "") -> Diagnostic:
    """The error about a text that is not a word."""
    decimal = text.isascii() and text.isdecimal() and len(text) < 20
    return Diagnostic(
        code="C013",
        severity=ERROR,
        message=message,
        span=Span(file="", line=line),
        fix=f"write {int(text):#x} if it is a decimal number"
        if decimal and int(text) < 1 << 32
        else "write words as 0x4C201000, or as little-endian bytes",
    )


def read_descriptors(data: bytes, name: str, *, pairs: bool | None = None) -> tuple[tuple[int, ...] | None, list[Diagnostic]]:
    """Read the operand descriptors of a file.

    Each is one word, or with `pairs` also a second word that is dropped, as in an SHBIN. If `pairs` is None, the file has pairs
    if its number of words is even and every second one is 0. No useful program is misread: a descriptor of 0 enables no
    component and reads .xxxx, and every second one would be 0.
    """
    words, found = read_words(data, name, "descriptors")
    if words is None:
        return None, found
    if pairs is None:
        pairs = len(words) % 2 == 0 and not any(words[1::2])
    if pairs and len(words) % 2:
        rest = 4 * (len(words) - 1)
        return None, [
            Diagnostic(
                code="C013",
                severity=ERROR,
                message=f"descriptors: size of {len(data)} bytes is not a multiple of 8: 4 are left over",
                span=Span(file=name, offset=rest),
                fix="check that this is the right file, or read it as single words",
            )
        ]
    descriptors = words[::2] if pairs else words
    return descriptors, list(oversize("descriptors", len(descriptors), name, 0))


def write_words(words: Sequence[int]) -> bytes:
    """The bytes of raw words. Raises ValueError for one outside 32 bits."""
    try:
        return struct.pack(f"<{len(words)}I", *words)
    except struct.error:
        wrong = next(word for word in words if word < 0 or word >> 32)
        raise ValueError(f"{wrong:#x} is not a 32-bit word") from None


def write_descriptors(descriptors: Sequence[int], *, pairs: bool = False) -> bytes:
    """The bytes of raw descriptors; with `pairs` a 0 word follows each. Raises ValueError."""
    if pairs:
        return write_words([word for descriptor in descriptors for word in (descriptor, 0)])
    return write_words(descriptors)
