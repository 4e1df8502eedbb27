"""ShaderCore files: a header and words, or only words, binary or text.

Header (reference 1; DeviceShaderBytecode.h:178-203): the letters VS, the number of words in 16 bits, a hash in 32, eight bytes
for the inputs, eight for the outputs, eight that are not used. All is little endian. The GPU never reads it; drivers do.
"""

from __future__ import annotations

import struct

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, has_errors
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.shadercore.isa.codec import decode
from lanewise.shadercore.isa.program import REGISTERS, Program
from lanewise.shadercore.isa.table import END, FORMAT, SLOTS

if TYPE_CHECKING:
    from collections.abc import Sequence

MAGIC = b"VS"
HEADER_SIZE, WORD_SIZE = 32, 8
_HEADER = "<2sHI8s8sQ"

# What a file can hold, and what can be written of a program.
BINARY, WORDS, HEX, C, COE, MIF, VHDL, VERILOG = "file", "words", "hex", "c", "coe", "mif", "vhdl", "verilog"
FORMS = (BINARY, WORDS, HEX, C, COE, MIF, VHDL, VERILOG)
IMAGES = (HEX, COE, MIF, VHDL, VERILOG)  # which `images` reads

# The texts of memories by words that they have, in small letters.
MARKS = {
    COE: b"memory_initialization_vector",
    MIF: b"address_radix",
    VHDL: b"std_logic_vector",
    VERILOG: b"endmodule",
}
# The suffixes of texts that are nothing else.
TEXTS = {".coe": COE, ".mif": MIF, ".mem": HEX}

_Read = tuple[Program | None, list[Diagnostic]]


def form_of(data: bytes) -> str:
    """The recognised form of a file: `BINARY` by its first bytes, text by its characters, else `WORDS`."""
    if data.startswith(MAGIC) and (len(data) >= HEADER_SIZE or len(data) % WORD_SIZE):
        return BINARY
    if data.strip() and not data.translate(None, _TEXT):
        lower = data.lower()
        mark = next((form for form, mark in MARKS.items() if mark in lower), "")
        return C if b"{" in data else mark or (MIF if b"content" in lower and b"begin" in lower else HEX)  # without radixes
    return WORDS


_TEXT = bytes((9, 10, 12, 13, *range(32, 127)))


def doubts(data: bytes) -> str:
    """The reason why a file is not ShaderCore's; empty if there is none.

    A header must fit the file size, a text must have only words; raw words are a program if none has a bit that means
    nothing and the last one is END. A text of numbers of 32 bits is one if it ends with END: others are words of another
    instruction set.
    """
    if len(data) > _LARGEST:
        return f"{len(data)} bytes are too many for a program"
    form = form_of(data)
    program, found = read(data, "", form)
    if program is None:
        return next(finding.message for finding in found if finding.severity == ERROR)
    last = decode(program.words[-1]).op
    if form != WORDS:
        short = form == HEX and last is not END and all(word >> 32 == 0 for word in program.words)
        return f"its words have 32 bits, and the last one is {last.name}, not end" if short else ""
    for number, word in enumerate(program.words):
        if word >> _USED_BITS:
            order = exchanged(program.words)
            halves = f", but none with {order.what}: {order.text}" if order is not None else ""
            return f"word {number}, 0x{word:016X}, has undefined bits above {_USED_BITS - 1}{halves}"
    return "" if last is END else f"the last word is {last.name}, not end"


_LARGEST = 1 << 19  # a memory as text, as large as they are written
_USED_BITS = next(field.low for field in FORMAT.fields if field.reserved)


def read(data: bytes, name: str, form: str = "") -> _Read:
    """The program of a file of some form, by default of what it seems to hold; None with errors, whose places are offsets."""
    form = form or form_of(data)
    if form == HEX:
        form = next((named for suffix, named in TEXTS.items() if name.lower().endswith(suffix)), HEX)
    if form == BINARY:
        program, found = _read_binary(data, name)
    else:
        words, found = _read_image(data, name, form) if form in IMAGES else {WORDS: _read_words, C: _read_c}[form](data, name)
        program = None if has_errors(found) else Program(words=tuple(words))
    order = exchanged(program.words) if program is not None else None
    if order is not None:
        message = f"words have undefined bits; with {order.what}, all are defined and the last one is end"
        fix = order.fix if form == WORDS and order.fix else order.text
        if form == BINARY and order.fix:
            fix = f"write the lowest byte of each word first, from byte {HEADER_SIZE} on: the header is right"
        found.append(_fault("C211", name, 0, message, fix.format(name or "FILE"), WARNING))
    radix = _other_radix(data, program.words) if program is not None and form == HEX else ""
    if radix:
        message = f"words are {radix} numbers: read as hexadecimal digits, they are no program"
        fix = "write 16 hexadecimal digits for each, f'{number:016X}' in Python; or a .coe with memory_initialization_radix"
        found.append(_fault("C211", name, 0, message, fix + f"={_RADIXES[radix]}", WARNING))
    if program is not None and not program.words:
        found.append(_fault("C207", name, 0, "no instructions", "check that this is the right file"))
    if program is not None and len(program.words) > SLOTS:
        found.append(
            _fault(
                "C205",
                name,
                0,
                f"{len(program.words)} words exceed the {SLOTS} slots of a core",
                "check that this is the right file",
            )
        )
    return (None if has_errors(found) else program), found


class Order(Record):
    """An order of the bytes of words: what is exchanged, and the fix of a text, and of a file of bytes where it is another."""

    what: str
    unpacked: str
    text: str
    fix: str = ""


_NUMPY = "exchange the bytes: `numpy.fromfile('{{}}', '>u{0}').astype('<u{0}').tofile('NEW')`"
_ORDERS = (
    Order("their halves exchanged", "", "write the low 32 bits of each word first"),
    Order("their eight bytes reversed", ">Q", "write the highest byte of each word first", _NUMPY.format(8)),
    Order("the bytes of their halves reversed", ">II", "write the highest byte of each half first", _NUMPY.format(4)),
)


def _other_radix(data: bytes, words: Sequence[int]) -> str:
    """The radix in which the words of a list are a program, where they are none in hexadecimal digits; empty for others."""
    if not words or _is_program(words):
        return ""
    from lanewise.shadercore.container.images import radix_of

    radix, other = radix_of(data)
    return radix if other and _is_program(other) else ""


_RADIXES = {"binary": 2, "decimal": 10}


def exchanged(words: Sequence[int]) -> Order | None:
    """The order of bytes in which words are a program, where they are none as they are: high half first, as some tools write
    pairs, or big-endian."""
    if not words or not any(word >> _USED_BITS for word in words) or decode(words[-1]).op is END:
        return None
    return next((order for order in _ORDERS if _is_program([_reordered(word, order) for word in words])), None)


def _reordered(word: int, order: Order) -> int:
    if not order.unpacked:
        return word >> 32 | (word & 0xFFFFFFFF) << 32
    parts = struct.unpack(order.unpacked, struct.pack("<Q", word))
    return parts[0] if len(parts) == 1 else parts[0] | parts[1] << 32


def _is_program(words: Sequence[int]) -> bool:
    return not any(word >> _USED_BITS for word in words) and decode(words[-1]).op is END


def _fault(code: str, name: str, offset: int, message: str, fix: str, severity: str = ERROR) -> Diagnostic:
    return Diagnostic(code=code, severity=severity, message=message, span=Span(file=name, offset=offset), fix=fix)


def _bytes(number: int) -> str:
    return f"{number} byte{'' if number == 1 else 's'}"


def _read_binary(data: bytes, name: str) -> _Read:
    if len(data) < HEADER_SIZE or not data.startswith(MAGIC):
        what = "does not begin with VS" if not data.startswith(MAGIC) else f"has {_bytes(len(data))}"
        return None, [
            _fault(
                "C201",
                name,
                0,
                f"the file {what}: no header of {HEADER_SIZE} bytes",
                "read words without a header with --from words",
            )
        ]
    _, count, hashed, inputs, outputs, padding = struct.unpack_from(_HEADER, data)
    room = len(data) - HEADER_SIZE
    if room != count * WORD_SIZE:
        return None, [
            _fault(
                "C202",
                name,
                2,
                f"header gives {count} word{'' if count == 1 else 's'} ({count * WORD_SIZE} bytes), but {_bytes(room)} "
                f"follow{'s' if room == 1 else ''} it",
                "check that the file is complete; --from words reads a file without a header",
            )
        ]
    found = [
        _fault(
            "C206",
            name,
            at,
            f"usage byte {byte:#04x} has undefined bits",
            "set bits 5-7 to 0; they are preserved",
            WARNING,
        )
        for at, byte in enumerate((*inputs, *outputs), 8)
        if byte >> 5
    ]
    if padding:
        found.append(
            _fault(
                "C206",
                name,
                24,
                "the eight bytes before the words are not 0",
                "set them to 0; they are preserved, but never read",
                WARNING,
            )
        )
    words: tuple[int, ...] = struct.unpack_from(f"<{count}Q", data, HEADER_SIZE)
    return Program(words=words, inputs=tuple(inputs), outputs=tuple(outputs), hash=hashed, padding=padding), found


def _read_words(data: bytes, name: str) -> tuple[list[int], list[Diagnostic]]:
    rest = len(data) % WORD_SIZE
    if rest:
        return [], [
            _fault(
                "C203",
                name,
                len(data) - rest,
                f"size of {len(data)} bytes is not a multiple of 8: {rest} {'is' if rest == 1 else 'are'} left over",
                "check that this is the right file and that it is complete",
            )
        ]
    return list(struct.unpack(f"<{len(data) // WORD_SIZE}Q", data)), []


def _read_image(data: bytes, name: str, form: str, at: list[int] | None = None) -> tuple[list[int], list[Diagnostic]]:
    """The words of the text of a memory; `at` gets the offset of each."""
    from lanewise.shadercore.container.images import ImageError, read_image

    try:
        words, offsets = read_image(data, form)
    except ImageError as error:
        from lanewise.core.foreign import foreign_kind

        kind = foreign_kind(name if name.lower().endswith(tuple(TEXTS)) else "", data)
        if kind is not None and not kind.source:
            message, place = f"this is {kind.title}, not a program that lanewise reads", _span(data, name, error.offset)
            return [], [_fault("C208", name, 0, message, kind.fix.replace("FILE", name))._replace(span=place)]
        errors = (error, *error.more)
        found = [_fault("C204" if each.word else "C208", name, each.offset, each.message, each.fix) for each in errors]
        return [], [finding._replace(span=_span(data, name, each.offset)) for finding, each in zip(found, errors, strict=True)]
    if at is not None:
        at += offsets
    return words, []


def _span(data: bytes, name: str, offset: int) -> Span:
    """The line and column of an offset in a text."""
    start = data.rfind(b"\n", 0, offset) + 1
    text = data[start:].split(b"\n", 1)[0].decode("latin-1").rstrip()
    column = offset - start + 1
    rest = text[column - 1 :].split(None, 1)
    length = len(rest[0]) if rest else 1
    return Span(file=name, line=data.count(b"\n", 0, offset) + 1, column=column, length=length, text=text)


_MOST = 20  # findings about one file: whoever reads another kind of text needs no line for each of its words


def _no_word(name: str, offset: int, text: bytes, fix: str) -> Diagnostic:
    shown = text[:24].decode("latin-1") + ("..." if len(text) > 24 else "")
    return _fault("C204", name, offset, f"'{''.join(c if c.isprintable() else '?' for c in shown)}' is not a 64-bit word", fix)


def _hex(digits: bytes) -> int | None:
    if not 0 < len(digits) <= 16 or any(c not in b"0123456789abcdefABCDEF" for c in digits):
        return None
    return int(digits, 16)


def _read_c(data: bytes, name: str, at: list[int] | None = None) -> tuple[list[int], list[Diagnostic]]:
    """The numbers between the first braces of a C source, 0x and hexadecimal, with or without ULL; comments are left out.

    `at` gets the offset of each number.
    """
    text = _without_comments(data)
    first = text.find(b"{")
    last = text.find(b"}", first)
    if first < 0 or last < 0:
        return [], [
            _fault(
                "C208",
                name,
                max(first, 0),
                "no array between { and }",
                "give a C array of 64-bit words in hexadecimal",
            )
        ]
    words: list[int] = []
    found: list[Diagnostic] = []
    start = first + 1
    parts = text[start:last].split(b",")
    for n, part in enumerate(parts):
        word = part.strip()
        digits = word.lower().rstrip(b"ul")
        number = _hex(digits[2:]) if digits.startswith(b"0x") else None
        if number is not None:
            words.append(number)
            if at is not None:
                at.append(start + part.index(word))
        elif word or n + 1 < len(parts):  # a comma may stand behind the last
            found.append(
                _no_word(
                    name,
                    start + (part.index(word) if word else 0),
                    word,
                    "write words as 0x and up to 16 hexadecimal digits, with commas between",
                )
            )
        start += len(part) + 1
    return words, found[:_MOST]


def places(data: bytes, name: str, form: str = "") -> tuple[Span, ...]:
    """The place of each word that `read` reads: an offset, in texts line and column."""
    form = form or form_of(data)
    if form in (BINARY, WORDS):
        first = HEADER_SIZE if form == BINARY else 0
        return tuple(
            [Span(file=name, offset=at, length=WORD_SIZE) for at in range(first, len(data) - WORD_SIZE + 1, WORD_SIZE)]
        )
    offsets: list[int] = []
    if form in IMAGES:
        _read_image(data, name, form, offsets)
    else:
        _read_c(data, name, offsets)
    found: list[Span] = []
    line, start = 1, 0  # of the line in which the last word stood
    for offset in offsets:
        line += data.count(b"\n", start, offset)
        start = max(start, data.rfind(b"\n", 0, offset) + 1)
        text = data[start:].split(b"\n", 1)[0].decode("latin-1").rstrip()
        column = offset - start + 1
        length = len(text[column - 1 :].replace(",", " ").split(None, 1)[0])
        found.append(Span(file=name, line=line, column=column, length=length, text=text))
    return tuple(found)


def _without_comments(data: bytes) -> bytes:
    """The text with blanks for comments, so that offsets stay."""
    out = bytearray(data)
    at = 0
    while at < len(out):
        two = bytes(out[at : at + 2])
        if two not in (b"//", b"/*"):
            at += 1
            continue
        end = out.find(b"\n", at) if two == b"//" else out.find(b"*/", at + 2) + 2
        end = len(out) if end < at + 2 else end
        out[at:end] = b" " * (end - at)
        at = end
    return bytes(out)


def write_binary(program: Program) -> bytes:
    """The file with its header. Raises ValueError for more words than 16 bits count, or bytes and words that do not fit."""
    if len(program.inputs) != REGISTERS or len(program.outputs) != REGISTERS:
        raise ValueError(f"a header has {REGISTERS} inputs and {REGISTERS} outputs")
    try:
        head = struct.pack(
            _HEADER, MAGIC, len(program.words), program.hash, bytes(program.inputs), bytes(program.outputs), program.padding
        )
    except struct.error as error:
        raise ValueError(f"the header cannot hold this program: {error}") from None
    return head + write_words(program)


def write_words(program: Program) -> bytes:
    """Only the words, 8 bytes each."""
    return struct.pack(f"<{len(program.words)}Q", *program.words)
