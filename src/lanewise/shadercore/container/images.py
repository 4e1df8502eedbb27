"""Read the texts of memories that hold a program: $readmemh, .coe, .mif, and the ROMs that `memory` writes.

- $readmemh (IEEE 1364-2005, 17.2.9): numbers between white space, comments, `@` with the address of the next number.
- .coe (Xilinx UG896): a radix of 2, 10 or 16, then the rows with commas or white space between, up to a semicolon.
- .mif (Quartus help, Memory Initialization File): DEPTH, WIDTH, radixes, then `address : rows;` and `[first..last] : rows;`.
- VHDL: the entries of the first constant array. Verilog: assignments of rows, one a line.

Rows are joined to machine words. Equal words after the last END are the fill of the memory, and left out; a list of 64-bit
words keeps a single one, as a program may have it.
"""

from __future__ import annotations

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.container.memory import MOST_BITS, WIDTHS, WORD
from lanewise.shadercore.isa.codec import decode
from lanewise.shadercore.isa.table import END, NOP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_RADIXES = {b"HEX": 16, b"DEC": 10, b"UNS": 10, b"OCT": 8, b"BIN": 2}
_COE_RADIXES = {b"2": 2, b"10": 10, b"16": 16}
_BASES = {b"h": 16, b"d": 10, b"o": 8, b"b": 2}  # of literals in Verilog
_DIGITS = b"0123456789abcdef"
_LISTS = ("hex", "coe")  # forms that have the rows one by one
_MOST_ERRORS = 20  # of one text: one of another kind needs no line for each of its words
_MOST_DIGITS = 256  # of a row of 256 bits in binary
_HEX_DIGITS = 4  # bits of one
_LEAST = WIDTHS[0]


class ImageError(PortableError, ValueError):
    """A text that is not what its form says: an offset, what is wrong there, and the fix; `word`: a single row is wrong.

    `more` are those of other lines.
    """

    offset: int
    message: str
    fix: str
    word: bool

    def __init__(self, offset: int, message: str, fix: str, *, word: bool = False) -> None:
        super().__init__(message)
        self.offset, self.message, self.fix, self.word = offset, message, fix, word
        self.more: list[ImageError] = []


class _Rows(Record):
    """The rows of a text from address 0 on: the value of each, its bits as written, and its offset."""

    values: list[int]
    bits: list[int]
    offsets: list[int]

    def add(self, value: int, bits: int, offset: int) -> None:
        self.values.append(value)
        self.bits.append(bits)
        self.offsets.append(offset)


def read_image(data: bytes, form: str) -> tuple[list[int], list[int]]:
    """The machine words of a text, and the offset of each. Raises ImageError; KeyError for an unknown form."""
    rows = _READERS[form](data)
    width = _width(rows)
    words: list[int] = []
    offsets: list[int] = []
    if width < WORD:
        if len(rows.values) % 2:
            raise ImageError(rows.offsets[-1], "half a machine word at the end", "give two rows of 32 bits for each word")
        pairs = zip(rows.values[::2], rows.values[1::2], rows.offsets[::2], strict=True)
        for low, high, offset in pairs:
            words.append(low | high << width)
            offsets.append(offset)
    else:
        for value, offset in zip(rows.values, rows.offsets, strict=True):
            parts = [value >> low & (1 << WORD) - 1 for low in range(0, width, WORD)]
            words += parts
            offsets += [offset] * len(parts)
    count = _without_fill(words, 2 if width == WORD and form in _LISTS else 1)
    return words[:count], offsets[:count]


def _words(rows: _Rows) -> list[int]:
    """The machine words of rows of 64 bits and more."""
    width = max(rows.bits, default=WORD)
    return [value >> low & (1 << WORD) - 1 for value in rows.values for low in range(0, max(width, WORD), WORD)]


def _width(rows: _Rows) -> int:
    """Bits of a row. Raises ImageError for a row that is wider than the widest memory."""
    widest = max(rows.bits, default=WORD)
    if widest > WORD and widest not in WIDTHS:
        offset = rows.offsets[rows.bits.index(widest)]
        shown = f"a row of {widest} bits" if widest % _HEX_DIGITS else f"a row of {widest // _HEX_DIGITS} hexadecimal digits"
        raise ImageError(
            offset, f"{shown} is not a 64-bit word, nor two or four", "give rows of 32, 64, 128 or 256 bits", word=True
        )
    if widest > _LEAST:
        return max(widest, WORD)
    # words of 64 bits without an upper half have no END: those that have it in pairs are halves
    pairs = [low | high << _LEAST for low, high in zip(rows.values[::2], rows.values[1::2], strict=False)]
    if any(_ends(pair) for pair in pairs):
        return _LEAST
    # high halves first: read as words by themselves they do nothing, and name registers
    highs = rows.values[::2]
    exchanged = (
        len(rows.values) % 2 == 0 and any(word and decode(word).op is NOP for word in highs) and not any(map(_ends, highs))
    )
    return _LEAST if exchanged and _ends(rows.values[-1]) else WORD


def radix_of(data: bytes) -> tuple[str, list[int]]:
    """The radix in which a list of words may be written in place of hexadecimal digits, and the words; empty where none may."""
    tokens = data.split()
    if not tokens or not all(token.isdigit() for token in tokens):
        return "", []
    if all(len(token) in (_LEAST, WORD) and not token.strip(b"01") for token in tokens):
        return "binary", [int(token, 2) for token in tokens]
    return "decimal", [int(token) for token in tokens if len(token) <= _MOST_DECIMALS]


_MOST_DECIMALS = 20  # of 64 bits


def _ends(word: int) -> bool:
    return decode(word).op is END


def _without_fill(words: list[int], least: int) -> int:
    """The number of words before equal ones, at least so many, after the last END."""
    for last in range(len(words) - 1, -1, -1):
        if _ends(words[last]):
            alike = len(set(words[last + 1 :])) == 1 and len(words) - last > least
            return last + 1 if alike else len(words)
    return len(words)


def _number(digits: bytes, radix: int) -> int | None:
    lower = digits.lower()
    allowed = _DIGITS[:radix]
    if not 0 < len(lower) <= _MOST_DIGITS or any(c not in allowed for c in lower):
        return None
    return int(lower, radix)


def _bits(digits: bytes, radix: int, value: int) -> int:
    """Bits of a row as written: those of its digits, or those that its value needs."""
    if radix == 16:
        return max(_LEAST, _HEX_DIGITS * len(digits))
    needed = len(digits) if radix == 2 else value.bit_length()
    return next((width for width in WIDTHS if needed <= width), needed)


def _row(rows: _Rows, digits: bytes, radix: int, offset: int) -> None:
    """Raises ImageError for what is not a number of the radix."""
    value = _number(digits, radix)
    if value is None:
        raise ImageError(offset, _not_a_word(digits), f"write rows as digits of radix {radix}", word=True)
    rows.add(value, _bits(digits, radix, value), offset)


def _not_a_word(text: bytes) -> str:
    shown = text[:24].decode("latin-1") + ("..." if len(text) > 24 else "")
    return f"'{''.join([c if c.isprintable() else '?' for c in shown])}' is not a 64-bit word"


def _tokens(text: bytes, start: int) -> Iterator[tuple[int, bytes]]:
    """Words between white space, with their offsets."""
    at = 0
    for token in text.split():
        at = text.index(token, at)
        yield start + at, token
        at += len(token)


def _blank(text: bytes, comments: tuple[tuple[bytes, bytes], ...]) -> bytes:
    """The text with blanks for comments, each of a beginning and an end, so that offsets stay."""
    out = bytearray(text)
    at = 0
    places = {opening: text.find(opening) for opening, _ in comments}
    while True:
        for opening, place in places.items():
            if 0 <= place < at:
                places[opening] = text.find(opening, at)
        begins = [(places[opening], opening, closing) for opening, closing in comments if places[opening] >= 0]
        if not begins:
            return bytes(out)
        first, opening, closing = min(begins)
        end = text.find(closing, first + len(opening))
        at = len(text) if end < 0 else end + (0 if closing == b"\n" else len(closing))
        out[first:at] = bytes([c if c == 10 else 32 for c in text[first:at]])


def _read_mem(data: bytes) -> _Rows:
    """Words between white space, 0x or not; comments begin with //, # or ;. `@` has the address of the next row."""
    text = _blank(data, ((b"//", b"\n"), (b"/*", b"*/"), (b"#", b"\n"), (b";", b"\n")))
    rows = _Rows([], [], [])
    errors: list[ImageError] = []
    start = 0
    for line in text.split(b"\n"):
        try:
            _mem_line(rows, line, start)
        except ImageError as error:
            errors.append(error)
        start += len(line) + 1
    if errors:
        first = errors[0]
        if rows.values:
            first.more = errors[1:_MOST_ERRORS]
        else:  # another kind of text: that its other lines are no words either says nothing more
            first.fix += "; for a source use a name that ends in .sc, or --from source"
        raise first
    return rows


def _mem_line(rows: _Rows, line: bytes, start: int) -> None:
    """The rows of a line without comments. Raises ImageError."""
    for offset, token in _tokens(line, start):
        if token.startswith(b"@"):
            if _number(token[1:], 16) != len(rows.values):
                raise ImageError(
                    offset,
                    f"'{token[:24].decode('latin-1')}' is not the address of row {len(rows.values)}",
                    "give the rows of all addresses from 0 on",
                    word=True,
                )
            continue
        digits = token.removeprefix(b"0x").removeprefix(b"0X").replace(b"_", b"")
        if _number(digits, 16) is None or len(digits) > WIDTHS[-1] // _HEX_DIGITS:
            word = line.strip()
            raise ImageError(
                start + line.index(word), _not_a_word(word), "write one word of 16 hexadecimal digits per line", word=True
            )
        _row(rows, digits, 16, offset)


def _read_coe(data: bytes) -> _Rows:
    text = _after_statements(data)
    lower = text.lower()
    at = lower.find(b"memory_initialization_vector")
    if at < 0:
        raise ImageError(0, "no memory_initialization_vector", "give a .coe file of a memory")
    fields = _fields(lower[:at], 0)
    name = b"memory_initialization_radix"
    radix = _COE_RADIXES.get(fields.get(name, (b"16", 0))[0])
    if radix is None:
        raise ImageError(fields[name][1], "memory_initialization_radix is not 2, 10 or 16", "give one of them")
    first = text.find(b"=", at) + 1
    if not first:
        raise ImageError(at, "no = after memory_initialization_vector", "write the rows after it")
    last = text.find(b";", first)
    rows = _Rows([], [], [])
    for offset, token in _tokens(text[first : len(text) if last < 0 else last].replace(b",", b" "), first):
        _row(rows, token, radix, offset)
    return rows


def _after_statements(data: bytes) -> bytes:
    """A .coe text without comments: lines that begin with a semicolon, and what follows one on its line."""
    lines: list[bytes] = []
    for line in data.split(b"\n"):
        at = line.find(b";")
        kept = line if at < 0 else line[: at + 1] if line[:at].strip() else b""
        lines.append(kept + b" " * (len(line) - len(kept)))
    return b"\n".join(lines)


def _fields(text: bytes, start: int) -> dict[bytes, tuple[bytes, int]]:
    """The values of statements `KEY = VALUE;`, and the offset of each."""
    found: dict[bytes, tuple[bytes, int]] = {}
    for statement in text.split(b";"):
        key, _, value = statement.partition(b"=")
        if key.strip():
            found[key.strip()] = (value.strip(), start + len(key) - len(key.lstrip()))
        start += len(statement) + 1
    return found


def _read_mif(data: bytes) -> _Rows:
    text = _blank(data, ((b"%", b"%"), (b"--", b"\n")))
    upper = text.upper()
    content = upper.find(b"CONTENT")
    begin = upper.find(b"BEGIN", content)
    end = upper.find(b"END", begin)
    if min(content, begin, end) < 0:
        raise ImageError(max(content, 0), "no CONTENT BEGIN ... END", "give a complete .mif file")
    fields = _fields(upper[:content], 0)
    width, depth = (_limit(fields, key, most) for key, most in ((b"WIDTH", WIDTHS[-1]), (b"DEPTH", MOST_BITS // _LEAST)))
    if width not in WIDTHS:
        raise ImageError(
            fields[b"WIDTH"][1], f"WIDTH = {width}: its rows do not hold machine words", "give rows of 32, 64, 128 or 256 bits"
        )
    radixes = [_radix(fields, key) for key in (b"ADDRESS_RADIX", b"DATA_RADIX")]
    found: dict[int, tuple[int, int]] = {}
    start = begin + len(b"BEGIN")
    for statement in text[start:end].split(b";"):
        if statement.strip():
            _mif_rows(found, statement, start, radixes, (width, depth))
        start += len(statement) + 1
    rows = _Rows([], [], [])
    for address in range(len(found)):
        if address not in found:
            raise ImageError(begin, f"no row at address {address:#x}", "give the rows of all addresses from 0 on")
        value, offset = found[address]
        rows.add(value, width, offset)
    return rows


def _limit(fields: Mapping[bytes, tuple[bytes, int]], key: bytes, most: int) -> int:
    text, offset = fields.get(key, (b"", 0))
    value = _number(text, 10)
    if value is None or not 0 < value <= most:
        raise ImageError(offset, f"{key.decode()} is not a number from 1 to {most}", f"write {key.decode()} = and a number")
    return value


def _radix(fields: Mapping[bytes, tuple[bytes, int]], key: bytes) -> int:
    text, offset = fields.get(key, (b"HEX", 0))
    if text not in _RADIXES:
        raise ImageError(offset, f"{key.decode()} is not HEX, DEC, UNS, OCT or BIN", "give one of them")
    return _RADIXES[text]


def _mif_rows(
    found: dict[int, tuple[int, int]], statement: bytes, start: int, radixes: list[int], size: tuple[int, int]
) -> None:
    """The rows of `address : row row ...` or `[first..last] : row ...`; those of a range repeat. Raises ImageError."""
    place, colon, values = statement.partition(b":")
    key = place.strip()
    offset = start + len(place) - len(place.lstrip())
    ranged = key.startswith(b"[") and key.endswith(b"]")
    ends = [_number(part.strip(), radixes[0]) for part in (key[1:-1].split(b"..") if ranged else [key])]
    listed = list(_tokens(values, start + len(place) + 1))
    if not colon or not listed or None in ends or len(ends) != 1 + ranged:
        raise ImageError(offset, _not_a_word(statement.strip()), "write an address, a colon, rows and a semicolon", word=True)
    first = ends[0] or 0
    last = (ends[1] or 0) if ranged else first + len(listed) - 1
    width, depth = size
    if not first <= last < depth:
        raise ImageError(
            offset, f"addresses {first:#x} to {last:#x} are not below DEPTH, {depth:#x}", "write smaller addresses"
        )
    for n, address in enumerate(range(first, last + 1)):
        at, digits = listed[n % len(listed)]
        value = _number(digits, radixes[1])
        if value is None or value >> width:
            raise ImageError(at, f"{_not_a_word(digits)}: a row has {width} bits", "write a row in DATA_RADIX", word=True)
        if address in found:
            raise ImageError(offset, f"address {address:#x} has a row before", "give each address once")
        found[address] = (value, at)


def _read_vhdl(data: bytes) -> _Rows:
    text = _blank(data, ((b"--", b"\n"),))
    first = text.find(b"(", text.find(b":="))
    last = text.find(b");", first)
    if text.find(b":=") < 0 or min(first, last) < 0:
        raise ImageError(0, "no constant array", "give a package as --to vhdl writes it")
    rows = _Rows([], [], [])
    start = first + 1
    for entry in text[first + 1 : last].split(b","):
        place, arrow, value = entry.partition(b"=>")
        key = place.strip()
        offset = start + len(place) - len(place.lstrip())
        if arrow and key.lower() == b"others" and not any(map(_ends, _words(rows))):
            raise ImageError(
                offset,
                "no row of `end` before others",
                "keep the rows up to that of `end`; or change the source, and assemble it with --depth and --fill 0",
            )
        if arrow and key.lower() != b"others":
            literals = [part.strip() for part in value.split(b"&")]
            if _number(key, 10) != len(rows.values) or any(
                part[:2].lower() != b'x"' or part[-1:] != b'"' or len(part) < 4 for part in literals
            ):
                raise ImageError(offset, _not_a_word(entry.strip()), 'write address => x"..." from 0 on', word=True)
            _row(rows, b"".join([part[2:-1] for part in literals]), 16, offset)
        elif entry.strip() and not arrow:
            raise ImageError(offset, _not_a_word(entry.strip()), 'write address => x"..." from 0 on', word=True)
        start += len(entry) + 1
    return rows


def _read_verilog(data: bytes) -> _Rows:
    text = _blank(data, ((b"//", b"\n"), (b"/*", b"*/")))
    rows = _Rows([], [], [])
    start = 0
    for line in text.split(b"\n"):
        place, equals, value = line.partition(b"=")
        key = place.strip()
        number = _number(key.partition(b"[")[2][:-1], 10) if key.endswith(b"]") and b" " not in key else None
        literal = value.strip().rstrip(b"; ")
        form = literal.partition(b"'")[2].lower().removeprefix(b"s")
        radix, digits = _BASES.get(form[:1], 0), form[1:].strip().replace(b"_", b"")
        if equals and number is not None:
            offset = start + len(place) - len(place.lstrip())
            if number != len(rows.values):
                raise ImageError(offset, f"row {number} after {len(rows.values)} rows", "give the rows from 0 on")
            if not radix or _number(digits, radix) is None:
                raise ImageError(
                    offset, _not_a_word(literal), "write the row as a literal, such as 64'h00000001400280DF", word=True
                )
            _row(rows, digits, radix, offset)
        start += len(line) + 1
    if not rows.values:
        raise ImageError(0, "no rows", "give a module as --to verilog writes it")
    return rows


_READERS: dict[str, Callable[[bytes], _Rows]] = {
    "hex": _read_mem,
    "coe": _read_coe,
    "mif": _read_mif,
    "vhdl": _read_vhdl,
    "verilog": _read_verilog,
}
