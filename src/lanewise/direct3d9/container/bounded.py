"""Read bytes of files that may be damaged: what lies outside is an error, and the work for one file is bounded."""

from __future__ import annotations

import struct

from lanewise.core.diagnostics import PortableError

LONGEST_NAME = 4096


class Malformed(PortableError):
    """The bytes are not what the format needs: why, and at which offset."""

    message: str
    offset: int

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


class Bytes:
    """Bytes with a place at which reading goes on. `work` is how many items may be read in all, as places may be named again
    and again."""

    data: bytes
    at: int

    def __init__(self, data: bytes, at: int = 0, work: int | None = None) -> None:
        self.data, self.at = data, at
        self._left = 64 * len(data) + 4096 if work is None else work

    def spend(self, items: int) -> None:
        """Count work. Raises Malformed where a file asks for far more than its size gives reason for."""
        self._left -= items
        if self._left < 0:
            raise Malformed("its parts refer to each other too often", self.at)

    def take(self, size: int) -> bytes:
        """The next bytes. Raises Malformed."""
        if size < 0 or self.at + size > len(self.data):
            raise Malformed(f"expected {size} bytes, found {max(0, len(self.data) - self.at)}", self.at)
        self.spend(1 + size // 64)
        found = self.data[self.at : self.at + size]
        self.at += size
        return found

    def word(self) -> int:
        return int(struct.unpack("<I", self.take(4))[0])

    def words(self, count: int) -> tuple[int, ...]:
        if count < 0 or self.at + 4 * count > len(self.data):
            raise Malformed(f"expected {count} words, found {max(0, len(self.data) - self.at) // 4}", self.at)
        self.spend(count)
        found = struct.unpack_from(f"<{count}I", self.data, self.at)
        self.at += 4 * count
        return found

    def byte(self) -> int:
        return self.take(1)[0]

    def count(self, number: int, size: int, what: str) -> int:
        """A number of items of at least `size` bytes, which there must be room for."""
        if number < 0 or number * size > len(self.data) - self.at:
            raise Malformed(f"{number} {what} do not fit into the file", self.at)
        self.spend(number)
        return number

    def number7(self) -> int:
        """A number in groups of seven bits, the lowest first."""
        found = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            found |= (byte & 0x7F) << shift
            if not byte & 0x80:
                return found
        raise Malformed("a number has more than 32 bits", self.at)

    def text7(self) -> str:
        """A text after its length in groups of seven bits."""
        size = self.number7()
        if size > LONGEST_NAME:
            raise Malformed(f"a name has {size} bytes: at most {LONGEST_NAME} are read", self.at)
        return self.take(size).decode("utf-8", "replace")

    def bytes_at(self, at: int) -> Bytes:
        """The same bytes from another place on, with the same bound of work."""
        return _Part(self, at)


class _Part(Bytes):
    """Reading at another place of the same file."""

    def __init__(self, owner: Bytes, at: int) -> None:
        super().__init__(owner.data, at, 0)
        self._owner = owner

    def spend(self, items: int) -> None:
        self._owner.spend(items)
