"""Quoted texts: bytes that a line of a source holds without meaning anything there, and texts of TOML."""

from __future__ import annotations

from lanewise.core.text.problems import Problem

_PLAIN = {chr(code) for code in range(0x20, 0x7F)} - set('"\\;:')


def quote(data: bytes) -> str:
    """Bytes as a quoted text without special characters, such as `;` and `:`."""
    return '"' + "".join(chr(b) if chr(b) in _PLAIN else f"\\x{b:02x}" for b in data) + '"'


def unquote(text: str) -> bytes:
    """The bytes of a quoted text. Raises Problem."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise Problem("P054", "a quoted text is needed", 'write "text"; \\x3b and \\x3a stand for ; and :')
    out = bytearray()
    at, last = 1, len(text) - 1
    while at < last:
        if text[at] == "\\" and at + 1 < last:
            digits = text[at + 2 : at + 4]
            if (
                text[at + 1] == "x"
                and at + 3 < last
                and len(digits) == 2
                and all(c in "0123456789abcdefABCDEF" for c in digits)
            ):
                out.append(int(digits, 16))
                at += 4
                continue
            at += 1
        out += text[at].encode()
        at += 1
    return bytes(out)


def toml_text(text: str, *, lines: bool = False) -> str:
    """A text as TOML has it; with `lines` over several lines where they can be read as they are."""
    if lines and "'''" not in text and all(letter.isprintable() or letter in "\n\t" for letter in text):
        return f"'''\n{text}'''"
    return '"' + "".join([_in_toml(letter) for letter in text]) + '"'


def _in_toml(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    if letter.isprintable():
        return letter
    code = ord(letter)
    return "\ufffd" if 0xD800 <= code < 0xE000 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
