"""Raw files of 32-bit words, the code or the operand descriptors: little-endian bytes, hexadecimal text, or a JSON array."""

from __future__ import annotations

import struct

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.container.meant_words import of_text, of_token
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
        words, problem = _read_text(text, what)
        if problem is None and not words and what == "code":
            problem = _not_words("the file has no words")._replace(fix="check that this is the right file")
            first = data.split(None, 1)[:1]
            if first and len(first[0]) == _WORD and first[0][:1] == b"#" and _HEXADECIMAL.issuperset(first[0][1:]):
                problem = _not_words("the file has no words: # begins a comment", 1)
                problem = problem._replace(fix="write 0x in its place: `sed 's/#/0x/' FILE > words.txt`")
        if problem is not None:
            span, fix = problem.span._replace(file=name), problem.fix.replace("FILE", name)
            return None, [problem._replace(span=span, message=f"{what}: {problem.message}", fix=fix)]
        return words, [*_decimal(text, what, name), *oversize(what, len(words), name, 0)]
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
    if what == "code" and len(words) >= _LEAST_WIDE and not any(words[1::2]) and all(words[::2]):
        problem = _not_words("each word has 8 bytes, of which the upper four are 0")
        fix = f"write words of 4 bytes, uint32_t in C, `struct.pack('<{len(words) // 2}I', *words)` in Python"
        return None, [problem._replace(span=Span(file=name, offset=4), message=f"{what}: {problem.message}", fix=fix)]
    return words, list(oversize(what, len(words), name, 0))


_WORD = 9  # letters of a word and of what is in front of it
_LEAST_WIDE = 6  # words, every second of which is 0
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


_ALL_XYZW = 0x0D86C360  # the descriptor with xyzw for all operands, without a mask


def _read_text(text: str, what: str) -> tuple[tuple[int, ...], Diagnostic | None]:
    if text.lstrip().startswith("["):
        from lanewise.core.data import flat_words
        from lanewise.core.nesting import json_value

        try:
            listed = json_value(text)
        except ValueError as error:
            return (), _invalid(text, error)
        except RecursionError:
            return (), _not_words("invalid JSON array: its values are nested too deeply")
        found = flat_words(listed)
        if isinstance(found, list):
            return tuple(found), None
        number, item = found
        written = f'"{item}"' if isinstance(item, str) else str(item)
        place = next((n for n, line in enumerate(text.split("\n"), 1) if written in line), 0)
        problem = _not_words(f"item {number} of the array is not a 32-bit word: {written[:40]}", place, str(item))
        unsigned = as_unsigned(item)
        letters = item.strip(" .").lower() if isinstance(item, str) and what != "code" else ""
        mask = sum(8 >> "xyzw".index(letter) for letter in set(letters)) if letters and set(letters) <= set("xyzw") else 0
        if mask and "".join(sorted(letters, key="xyzw".index)) == letters:
            word = f"0x{_ALL_XYZW | mask:08X}"
            return (), problem._replace(fix=f"write words: the mask {letters} with xyzw for all operands is {word}")
        return (), problem._replace(fix=unsigned) if unsigned else problem
    if text.lstrip().startswith("{") and '"' not in text and of_token(text, "{")[0]:
        message, fix = of_token(text, "{")
        return (), _not_words(message, 1, "{")._replace(fix=fix)
    if text.lstrip().startswith("{"):
        problem = _not_words("a JSON object, not an array of words")
        if '"schema"' not in text and '"code"' not in text:
            return (), problem._replace(fix='write the words in order as an array: ["0x6C36F", "0x36E"]')
        return (), problem._replace(fix="give a data file that has its program as --data, without --words")
    words: list[int] = []
    offsets = _offsets(text)
    if offsets:
        problem = _not_words(f"the first column ({offsets}) is not words: it counts the other columns")
        return (), problem._replace(
            span=Span(file="", line=next(n for n, line in enumerate(text.split("\n"), 1) if line.strip())),
            fix="remove the first column: `cut -d: -f2 FILE`"
            if ":" in offsets
            else "remove the first column: `od -A n -t x4 -v FILE` writes words of a binary without it",
        )
    start = next(((n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()), (0, ""))
    if start[1] and _is_hex_dump(start[1]):
        problem = _not_words("a hex dump with addresses (xxd, hexdump -C), not words", start[0])
        command = "xxd -r FILE OUT" if ":" in start[1][:9] else "cut -c 9-60 FILE | xxd -r -p > OUT"
        return (), problem._replace(fix=f"give the file of which it was made, or make that again: `{command}`")
    marked = "0x" in text.lower()
    message, fix = of_text(text, marked) if what == "code" else ("", "")
    if message:
        return (), _not_words(message, start[0])._replace(fix=fix)
    for number, line in enumerate(text.split("\n"), 1):
        for token in line.replace(",", " ").split():
            digits = token.lower().removeprefix("0x").replace("_", "")
            if not 0 < len(digits) <= 8 or not _DIGITS.issuperset(digits):
                problem = _not_words(f"'{token[:40]}' is not a 32-bit word in hexadecimal digits", number, token)
                from lanewise.core.foreign import instead

                kind = instead("", text.encode())
                message, fix = of_token(token if words else text, token)
                if message:
                    return (), _not_words(message, number, token)._replace(fix=fix)
                return (), problem if kind is None else problem._replace(fix=f"give words: this is {kind.title}; {kind.fix}")
            if marked and len(token) > 1 and token.isdecimal() and int(token):
                problem = _not_words(f"'{token}' has no 0x, which other words have", number, token)
                return (), problem._replace(fix=f"write 0x{token}, or {int(token):#x} if it is a decimal number")
            words.append(int(digits, 16))
    return tuple(words), None


def _is_hex_dump(line: str) -> bool:
    """Whether a line begins as those of `xxd` (`00000000: 8010 0222`) or `hexdump -C` (`00000000  80 10 02 22`) do."""
    address, *groups = line.lower().split()[:3]
    digits = address.removesuffix(":")
    if len(digits) != 8 or not _DIGITS.issuperset(digits) or not groups:
        return False
    return digits != address or all(len(group) == 2 and _DIGITS.issuperset(group) for group in groups)


_MOST_SHOWN = 500  # characters of a line in a finding


def _invalid(text: str, error: ValueError) -> Diagnostic:
    """The error about a text that is not JSON, at its place."""
    at = getattr(error, "pos", -1)
    if at < 0:
        return _not_words(f"invalid JSON array: {error}")
    number = text[at - 1 : at] == "0" and text[at : at + 1] in ("x", "X")
    at -= number
    before = text[:at]
    line, column = before.count("\n") + 1, at - before.rfind("\n")
    shown = text.split("\n")[line - 1].rstrip("\r")
    if number:
        digits = text[at + 2 : at + 20]
        token = text[at : at + 2] + digits[: len(digits) - len(digits.lstrip("0123456789abcdefABCDEF"))]
        problem = _not_words(f"invalid JSON array: JSON has no hexadecimal numbers: {token}")
        problem = problem._replace(fix=f'write "{token}", in quotes, and so for the others')
    else:
        token = ""
        problem = _not_words(f"invalid JSON array: {str(getattr(error, 'msg', error)).lower()}")
        if text[at : at + 1] == "'":
            problem = _not_words("invalid JSON array: a text in single quotes, as Python prints lists")
            problem = problem._replace(fix="write JSON, `json.dumps(words)` in Python, or hexadecimal text without quotes")
        elif text[at : at + 1] in ("]", ",") or text[:at].rstrip().endswith(","):
            problem = problem._replace(fix="remove the comma that no word follows")
    place = Span(file="", line=line, column=column, length=max(1, len(token)), text=shown)
    return problem._replace(span=place if len(shown) <= _MOST_SHOWN else Span(file="", line=line, column=column))


def as_unsigned(item: object) -> str:
    """The fix of a word that was printed as a negative number; empty for others."""
    try:
        number = int(item) if isinstance(item, (int, str)) else 0
    except ValueError:
        return ""
    if not -(1 << 31) <= number < 0:
        return ""
    word = number & 0xFFFFFFFF
    return f"write {word} ({word:#x}), its value without sign, and so for the others: `word & 0xFFFFFFFF`"


def _offsets(text: str) -> str:
    """The first numbers of a first column that counts the words or bytes of the others; empty without one."""
    rows = [line.replace(",", " ").split() for line in text.split("\n")]
    rows = [row for row in rows if row]
    if len(rows) < 2 or any(len(row) < 2 for row in rows[:-1]):
        return ""
    for base in (16, 8, 10):
        try:
            found = [int(row[0].removesuffix(":"), base) for row in rows]
        except ValueError:
            continue
        for unit in (4, 1):
            due = [found[0]]
            for row in rows[:-1]:
                due.append(due[-1] + unit * (len(row) - 1))
            # two rows may begin with such words by chance
            if found == due and (found[0] == 0 or len(rows) > 2):
                return ", ".join([row[0] for row in rows[:3]])
    return ""


def _decimal(text: str, what: str, name: str) -> list[Diagnostic]:
    """The warning about numbers which are read as hexadecimal, and look like decimal ones: digits of different counts, without
    leading zeros."""
    tokens = text.replace(",", " ").split()
    if text.lstrip().startswith("[") or not all(token.isdecimal() for token in tokens):
        return []
    first = next((token for token in tokens if len(token) > 2), "")
    if not first or len({len(token) for token in tokens}) == 1 or any(token != "0" and token[0] == "0" for token in tokens):
        return []
    message = (
        f"{what}: read as hexadecimal, and all numbers have decimal digits only, no 0x: {first} is 0x{first}, as a decimal "
        f"number it is {int(first):#x}"
    )
    fix = "write 0x before hexadecimal numbers, decimal numbers as a JSON array: [443247, 878]"
    line = next(n for n, line in enumerate(text.split("\n"), 1) if first in line)
    place = Span(file=name, line=line)
    return [Diagnostic(code="C013", severity=WARNING, message=message, span=place, notes=(), fix=fix)]


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
    decimal = [finding for finding in found if finding.code == "C013"]
    return descriptors, [*decimal, *oversize("descriptors", len(descriptors), name, 0)]


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
