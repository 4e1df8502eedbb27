"""Constant tables (CTAB) and other comments of Direct3D 9 shaders.

Errors of a table are findings, never exceptions.

A table is the bytes after the letters CTAB, with offsets from there. Time is bounded: types are read once each, and a struct
that contains itself, or more than there can be, is left without members. Source: reference 3.
"""

from __future__ import annotations

import struct

from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.direct3d9.isa.constants import (
    BOOL_SET,
    FLOAT_SET,
    INT_SET,
    SET_NAMES,
    STRUCT,
    Constant,
    ConstantTable,
    Member,
    Type,
)
from lanewise.direct3d9.isa.program import Comment

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.program import Shader

CTAB = "CTAB"
_KINDS = {
    "CTAB": "constant table",
    "PRES": "preshader",
    "FXLC": "preshader code",
    "CLIT": "preshader literals",
    "PRSI": "preshader registers",
    "DBUG": "debug information",
    "TEXT": "text",
}
HEADER, INFO, TYPE, MEMBER = struct.Struct("<7I"), struct.Struct("<I4H2I"), struct.Struct("<6HI"), struct.Struct("<2I")
_MOST_CONSTANTS = 8192 + 2048 * 2 + 16  # every register of a software shader
_MOST_MEMBERS = 20_000  # of all structs together
_MOST_PARTS = 65_536  # of one type, counted with those of its members
_LONGEST_NAME = 4096
_DEEPEST = 32
_MOST = 20  # findings about one table
_BROKEN_TYPE = Type(kind=0, base=0, rows=0, columns=0, elements=1)


class Table(Record):
    """The constants of a comment, None where it is too short to be a table; what is wrong with it."""

    table: ConstantTable | None
    diagnostics: list[Diagnostic]


def fourcc(comment: Comment) -> str:
    """The four letters with which a comment begins, such as `CTAB`; empty where it begins with no letters."""
    if not comment.data:
        return ""
    letters = comment.data[0].to_bytes(4, "little")
    return letters.decode("ascii") if all(65 <= byte <= 90 or 48 <= byte <= 57 for byte in letters) else ""


def kind_of(comment: Comment) -> str:
    """The kind of a comment: `constant table`, `debug information`, `comment`."""
    letters = fourcc(comment)
    return _KINDS.get(letters, f"comment {letters}" if letters else "comment")


def constants_of(shader: Shader) -> Table:
    """The first constant table of a shader; without constants where it has none."""
    at = 1
    for item in shader.items:
        if isinstance(item, Comment) and fourcc(item) == CTAB:
            place = item.place if item.place is not None else Span(file="", offset=4 * at)
            return read_table(item, place)
        at += len(item.words)
    return Table(None, [])


def read_table(comment: Comment, place: Span) -> Table:
    """The table of a comment that begins with CTAB. `place` is that of the comment."""
    reader = _Reader(struct.pack(f"<{len(comment.data) - 1}I", *comment.data[1:]), place)
    return Table(reader.table(), reader.found)


class _Reader:
    """Reads the bytes of one table, and collects what is wrong with them."""

    def __init__(self, data: bytes, place: Span) -> None:
        self.found: list[Diagnostic] = []
        self._data, self._place = data, place
        self._types: dict[int, tuple[Type, int]] = {}  # by offset, with how many parts they have
        self._open: set[int] = set()  # structs that are being read
        self._members = 0

    def report(self, message: str, offset: int) -> None:
        if len(self.found) < _MOST:
            span = self._place
            if span.offset >= 0:
                span = span._replace(offset=span.offset + 8 + min(offset, len(self._data)))
            self.found.append(
                Diagnostic(
                    code="C309",
                    severity=WARNING,
                    message=f"malformed constant table: {message}",
                    span=span,
                    fix="compile it again to have names; the shader itself does not need the table",
                )
            )

    def table(self) -> ConstantTable | None:
        data = self._data
        if len(data) < HEADER.size:
            self.report(f"it has {len(data)} bytes, but a header has {HEADER.size}", 0)
            return None
        size, creator, version, count, start, flags, target = HEADER.unpack_from(data)
        if size != HEADER.size:
            self.report(f"its header gives a size of {size} bytes, not {HEADER.size}", 0)
        room = max(0, len(data) - start) // INFO.size
        if count > room or count > _MOST_CONSTANTS:
            self.report(f"it gives {count} constants, but has room for {room}", 12)
            count = min(count, room, _MOST_CONSTANTS)
        constants = [self._constant(start + n * INFO.size) for n in range(count)]
        return ConstantTable(
            creator=self._string(creator, "its creator"),
            target=self._string(target, "its target"),
            version=version,
            flags=flags,
            constants=tuple(constants),
        )

    def _constant(self, at: int) -> Constant:
        name, register_set, register, count, _, type_at, default_at = INFO.unpack_from(self._data, at)
        if register_set >= len(SET_NAMES):
            self.report(f"a constant is in register set {register_set}, but there are {len(SET_NAMES)}", at + 4)
        default: tuple[int, ...] = ()
        words = {FLOAT_SET: 4 * count, INT_SET: 4 * count, BOOL_SET: count}.get(register_set, 0)
        if default_at and words:
            if default_at + 4 * words > len(self._data):
                self.report("a default value is outside the table", at + 16)
            else:
                default = struct.unpack_from(f"<{words}I", self._data, default_at)
        return Constant(
            name=self._string(name, "a name"),
            set=register_set,
            register=register,
            registers=count,
            type=self._type(type_at, 0)[0],
            default=default,
        )

    def _type(self, at: int, depth: int) -> tuple[Type, int]:
        """The type at an offset, and how many parts it has."""
        known = self._types.get(at)
        if known is not None:
            return known
        if at + TYPE.size > len(self._data):
            self.report("a type is outside the table", at)
            return _BROKEN_TYPE, 1
        kind, base, rows, columns, elements, count, members_at = TYPE.unpack_from(self._data, at)
        result = Type(kind=kind, base=base, rows=rows, columns=columns, elements=max(1, elements))
        parts = 1
        if kind == STRUCT and count:
            self._members += count
            if at in self._open:
                self.report("a struct contains itself", at)
                return result, 1  # not kept: around it the struct is known with its members
            if depth >= _DEEPEST or self._members > _MOST_MEMBERS:
                self.report("its structs are too many or nested too deep", at)
            elif members_at + MEMBER.size * count > len(self._data):
                self.report("the members of a struct are outside the table", at + 12)
            else:
                members, parts = self._struct(at, members_at, count, depth)
                if parts > _MOST_PARTS:
                    self.report(f"a struct has more than {_MOST_PARTS} parts", at)
                    parts = 1
                else:
                    result = result._replace(members=members)
        self._types[at] = result, parts
        return result, parts

    def _struct(self, at: int, members_at: int, count: int, depth: int) -> tuple[tuple[Member, ...], int]:
        self._open.add(at)
        members: list[Member] = []
        parts = 1
        for n in range(count):
            name, type_at = MEMBER.unpack_from(self._data, members_at + n * MEMBER.size)
            member, more = self._type(type_at, depth + 1)
            parts += more
            members.append(Member(self._string(name, "a member's name"), member))
        self._open.discard(at)
        return tuple(members), parts

    def _string(self, at: int, what: str) -> str:
        end = self._data.find(b"\0", at, at + _LONGEST_NAME)
        if at >= len(self._data) or end < 0:
            self.report(f"{what} is outside the table, or not terminated", min(at, len(self._data)))
            return ""
        return self._data[at:end].decode("latin-1")
