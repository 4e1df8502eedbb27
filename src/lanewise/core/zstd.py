"""Decompression of Zstandard frames (RFC 8878), for files that hold them; dictionaries are not supported.

In plain Python: some MiB per second for long matches, less for short ones.
"""

from __future__ import annotations

from lanewise.core.cached import cache
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

MAGIC = b"\x28\xb5\x2f\xfd"
_BLOCK = 1 << 17  # the most bytes of a block
_RAW, _RLE, _COMPRESSED, _REPEATED = range(4)

# Code -> (first value, extra bits), RFC 8878, 3.1.1.3.2.1.1.
_LITERAL_LENGTHS = (
    *[(n, 0) for n in range(16)], (16, 1), (18, 1), (20, 1), (22, 1), (24, 2), (28, 2), (32, 3), (40, 3), (48, 4), (64, 6), *[(1 << n, n) for n in range(7, 17)],
)  # fmt: skip
_MATCH_LENGTHS = (
    *[(n + 3, 0) for n in range(32)], (35, 1), (37, 1), (39, 1), (41, 1), (43, 2), (47, 2), (51, 3), (59, 3), (67, 4), (83, 4), (99, 5), *[((1 << n) + 3, n) for n in range(7, 17)],
)  # fmt: skip
_USUAL = {  # accuracy and probabilities of the predefined tables
    "literals": (6, (4, 3, *[2] * 11, 1, 1, 1, *[2] * 9, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1)),
    "offsets": (5, (1, 1, 1, 1, 1, 1, 2, 2, 2, *[1] * 15, *[-1] * 5)),
    "matches": (6, (1, 4, 3, 2, 2, 2, 2, 2, 2, *[1] * 37, *[-1] * 7)),
}
_ACCURACY = {"literals": 9, "offsets": 8, "matches": 9}
_SYMBOLS = {"literals": 36, "offsets": 32, "matches": 53}


class _Table(Record):
    """A table of a finite-state decoder: symbol, bits and next state of each state."""

    accuracy: int
    symbols: tuple[int, ...]
    bits: tuple[int, ...]
    states: tuple[int, ...]


class _Codes(Record):
    """A Huffman table: symbol and length of the code that `width` bits begin with."""

    width: int
    symbols: tuple[int, ...]
    lengths: tuple[int, ...]


class _Backward:
    """Bits that are read from the end of some bytes; the highest set bit of the last byte marks the end. Beyond the beginning are zeros."""

    def __init__(self, data: bytes) -> None:
        if not data or not data[-1]:
            raise ValueError("a bit stream has no end mark")
        self._value = int.from_bytes(data, "little")
        self.left = self._value.bit_length() - 1

    def read(self, count: int) -> int:
        found = self.peek(count)
        self.left -= count
        return found

    def peek(self, count: int) -> int:
        shift = self.left - count
        if shift >= 0:
            return self._value >> shift & ((1 << count) - 1)
        return (self._value & ((1 << max(self.left, 0)) - 1)) << -shift if self.left > 0 else 0


class _Frame:
    """The state of a frame: what was written, and what blocks take from those before."""

    def __init__(self, limit: int) -> None:
        self.out = bytearray()
        self.limit = limit
        self.offsets = [1, 4, 8]
        self.codes: _Codes | None = None
        self.tables: dict[str, _Table] = {}


def decompress(data: bytes, limit: int) -> bytes:
    """The content of a frame, at most `limit` bytes. Raises ValueError for damaged data, more bytes than that, or a dictionary."""
    if data[:4] != MAGIC:
        raise ValueError("no Zstandard frame")
    try:
        return _frame(data, limit)
    except IndexError:
        raise ValueError("a Zstandard frame is truncated") from None


def _frame(data: bytes, limit: int) -> bytes:
    flags = data[4]
    single = flags >> 5 & 1
    sizes = (single, 2, 4, 8)
    at = 5 + (1 - single)
    if flags & 3:
        raise ValueError("a Zstandard frame needs a dictionary")
    if flags & 8:
        raise ValueError("a Zstandard frame has a reserved bit")
    width = sizes[flags >> 6]
    size = int.from_bytes(_take(data, at, width), "little") + (256 if width == 2 else 0) if width else None
    if size is not None and size > limit:
        raise ValueError(f"a Zstandard frame has {size} bytes, expected at most {limit}")
    at += width
    frame = _Frame(limit)
    last = False
    while not last:
        header = int.from_bytes(_take(data, at, 3), "little")
        last, kind, length = bool(header & 1), header >> 1 & 3, header >> 3
        at += 3
        if kind == _RLE:
            frame.out += _take(data, at, 1) * min(length, limit + 1)
            at += 1
        elif kind == _RAW:
            frame.out += _take(data, at, length)
            at += length
        elif kind == _COMPRESSED and length <= _BLOCK:
            _block(frame, _take(data, at, length))
            at += length
        else:
            raise ValueError("a Zstandard block is malformed")
        if len(frame.out) > limit:
            raise ValueError(f"a Zstandard frame has more than {limit} bytes")
    if size is not None and size != len(frame.out):
        raise ValueError(f"a Zstandard frame has {len(frame.out)} bytes, its header says {size}")
    return bytes(frame.out)


def _take(data: bytes, at: int, size: int) -> bytes:
    """Some bytes. Raises IndexError where there are fewer."""
    if at + size > len(data):
        raise IndexError(at)
    return data[at : at + size]


def _block(frame: _Frame, data: bytes) -> None:
    literals, at = _literals(frame, data)
    count, at = _count(data, at)
    if not count:
        frame.out += literals
        return
    modes = data[at]
    at += 1
    for shift, name in ((6, "literals"), (4, "offsets"), (2, "matches")):
        frame.tables[name], at = _table(frame, name, modes >> shift & 3, data, at)
    _sequences(frame, literals, count, _Backward(data[at:]))


def _count(data: bytes, at: int) -> tuple[int, int]:
    """The number of sequences."""
    first = data[at]
    if first < 128:
        return first, at + 1
    if first < 255:
        return (first - 128 << 8) + data[at + 1], at + 2
    return data[at + 1] + (data[at + 2] << 8) + 0x7F00, at + 3


def _literals(frame: _Frame, data: bytes) -> tuple[bytes, int]:
    """The literals of a block, and where its sequences begin."""
    kind, form = data[0] & 3, data[0] >> 2 & 3
    if kind in (_RAW, _RLE):
        width = (1, 2, 1, 3)[form]
        size = int.from_bytes(_take(data, 0, width), "little") >> (3 if width == 1 else 4)
        if kind == _RLE:
            return _take(data, width, 1) * min(size, _BLOCK), width + 1
        return _take(data, width, size), width + size
    width, bits = ((3, 10), (3, 10), (4, 14), (5, 18))[form]
    sizes = int.from_bytes(_take(data, 0, width), "little") >> 4
    size, length = sizes & ((1 << bits) - 1), sizes >> bits
    if size > _BLOCK:
        raise ValueError("a Zstandard block has too many literals")
    part = _take(data, width, length)
    at = 0
    if kind == _COMPRESSED:
        frame.codes, at = _huffman(part)
    if frame.codes is None:
        raise ValueError("a Zstandard block repeats a table that is not there")
    if form == 0:
        return _decoded(frame.codes, part[at:], size), width + length
    ends = [int.from_bytes(_take(part, at + 2 * n, 2), "little") for n in range(3)]
    at += 6
    found = bytearray()
    for number, own in enumerate((*ends, len(part) - at - sum(ends))):
        many = (size + 3) // 4
        found += _decoded(frame.codes, _take(part, at, max(own, 0)), many if number < 3 else size - 3 * many)
        at += own
    return bytes(found), width + length


def _decoded(codes: _Codes, data: bytes, size: int) -> bytes:
    """So many symbols of a stream."""
    stream = _Backward(data)
    width, symbols, lengths = codes.width, codes.symbols, codes.lengths
    found = bytearray()
    for _ in range(size):
        code = stream.peek(width)
        found.append(symbols[code])
        stream.left -= lengths[code]
    if stream.left:
        raise ValueError("a Zstandard stream has bits left over")
    return bytes(found)


def _huffman(data: bytes) -> tuple[_Codes, int]:
    """A Huffman table and where its description ends."""
    header = data[0]
    if header < 128:
        weights, end = _weights(_take(data, 1, header)), 1 + header
    else:
        count = header - 127
        end = 1 + (count + 1) // 2
        packed = _take(data, 1, end - 1)
        weights = [packed[n // 2] >> (0 if n % 2 else 4) & 15 for n in range(count)]
    total = sum([1 << weight - 1 for weight in weights if weight])
    width = total.bit_length()
    rest = (1 << width) - total
    if not total or rest & (rest - 1) or width > 11:
        raise ValueError("a Huffman table of a Zstandard block is malformed")
    weights.append(rest.bit_length())
    symbols: list[int] = []
    lengths: list[int] = []
    for weight in range(1, width + 1):
        for symbol, own in enumerate(weights):
            if own == weight:
                symbols += [symbol] * (1 << weight - 1)
                lengths += [width + 1 - weight] * (1 << weight - 1)
    return _Codes(width, tuple(symbols), tuple(lengths)), end


def _weights(data: bytes) -> list[int]:
    """Weights by two states that take turns."""
    table, at = _described(data, 0, 6, 256)
    stream = _Backward(data[at:])
    states = [stream.read(table.accuracy), stream.read(table.accuracy)]
    found: list[int] = []
    turn = 0
    while len(found) < 256:
        state = states[turn]
        found.append(table.symbols[state])
        states[turn] = table.states[state] + stream.read(table.bits[state])
        turn ^= 1
        if stream.left < 0:
            found.append(table.symbols[states[turn]])
            return found
    raise ValueError("a Huffman table of a Zstandard block is too long")


def _table(frame: _Frame, name: str, mode: int, data: bytes, at: int) -> tuple[_Table, int]:
    if mode == 0:
        return _usual(name), at
    if mode == 1:
        if data[at] >= _SYMBOLS[name]:
            raise ValueError("a symbol of a Zstandard table is out of range")
        return _Table(0, (data[at],), (0,), (0,)), at + 1
    if mode == 2:
        return _described(data, at, _ACCURACY[name], _SYMBOLS[name])
    if name not in frame.tables:
        raise ValueError("a Zstandard block repeats a table that is not there")
    return frame.tables[name], at


@cache
def _usual(name: str) -> _Table:
    return _built(*_USUAL[name])


def _described(data: bytes, start: int, most: int, symbols: int) -> tuple[_Table, int]:
    """A table by its description, and where that ends."""
    value, at = int.from_bytes(data[start:], "little"), 4
    accuracy = (value & 15) + 5
    if accuracy > most:
        raise ValueError("a table of a Zstandard block is too accurate")
    left = 1 << accuracy
    found: list[int] = []
    while left > 0:
        if len(found) > symbols or at > 8 * (len(data) - start):
            raise ValueError("a table of a Zstandard block is malformed")
        bits = (left + 1).bit_length()
        number = value >> at & ((1 << bits) - 1)
        low = (1 << bits - 1) - 1
        threshold = (1 << bits) - 1 - (left + 1)
        if number & low < threshold:
            number &= low
            at += bits - 1
        else:
            number -= threshold if number > low else 0
            at += bits
        left -= abs(number - 1)
        found.append(number - 1)
        if number == 1:
            again = 3
            while again == 3:
                again = value >> at & 3
                at += 2
                found += [0] * again
    if left or len(found) > symbols:
        raise ValueError("a table of a Zstandard block is malformed")
    return _built(accuracy, tuple(found)), start + (at + 7) // 8


def _built(accuracy: int, probabilities: Sequence[int]) -> _Table:
    """The table of probabilities, -1 for less than one (RFC 8878, 4.1.1)."""
    size = 1 << accuracy
    symbols = [0] * size
    high = size
    for symbol, share in enumerate(probabilities):
        if share == -1:
            high -= 1
            symbols[high] = symbol
    place, step = 0, (size >> 1) + (size >> 3) + 3
    for symbol, share in enumerate(probabilities):
        for _ in range(max(share, 0)):
            symbols[place] = symbol
            place = (place + step) & (size - 1)
            while place >= high:
                place = (place + step) & (size - 1)
    following = [max(share, 1) for share in probabilities]
    bits: list[int] = []
    states: list[int] = []
    for symbol in symbols:
        own = following[symbol]
        following[symbol] += 1
        bits.append(accuracy - (own.bit_length() - 1))
        states.append((own << bits[-1]) - size)
    return _Table(accuracy, tuple(symbols), tuple(bits), tuple(states))


def _sequences(frame: _Frame, literals: bytes, count: int, stream: _Backward) -> None:
    """Copy literals and matches."""
    of_literals, of_offsets, of_matches = frame.tables["literals"], frame.tables["offsets"], frame.tables["matches"]
    literal, offset, match = (
        stream.read(of_literals.accuracy),
        stream.read(of_offsets.accuracy),
        stream.read(of_matches.accuracy),
    )
    out, done = frame.out, 0
    for number in range(count):
        code = of_offsets.symbols[offset]
        distance = (1 << code) + stream.read(code)
        first, extra = _MATCH_LENGTHS[of_matches.symbols[match]]
        length = first + stream.read(extra)
        first, extra = _LITERAL_LENGTHS[of_literals.symbols[literal]]
        plain = first + stream.read(extra)
        if number + 1 < count:
            literal = of_literals.states[literal] + stream.read(of_literals.bits[literal])
            match = of_matches.states[match] + stream.read(of_matches.bits[match])
            offset = of_offsets.states[offset] + stream.read(of_offsets.bits[offset])
        if stream.left < 0:
            raise ValueError("the sequences of a Zstandard block are truncated")
        out += literals[done : done + plain]
        done += plain
        back = _offset(frame.offsets, distance, plain)
        if len(out) + length > frame.limit:
            raise ValueError(f"a Zstandard frame has more than {frame.limit} bytes")
        if not 0 < back <= len(out) or done > len(literals):
            raise ValueError("a match of a Zstandard block is out of range")
        start = len(out) - back
        whole, rest = divmod(length, back)
        out += out[start:] * whole + out[start : start + rest] if whole else out[start : start + rest]
    out += literals[done:]


def _offset(repeated: list[int], value: int, plain: int) -> int:
    """The distance of a match, new or one of the last three, which are kept in order of use."""
    if value > 3:
        repeated[:] = [value - 3, repeated[0], repeated[1]]
        return value - 3
    place = value - 1 + (plain == 0)
    found = repeated[place] if place < 3 else repeated[0] - 1
    if place:
        repeated[:] = [found, repeated[0], repeated[2 if place == 1 else 1]]
    return found
