"""Decode words to Direct3D 9 shaders without loss: `decode(words).words == words`.

From shader model 2 on an instruction has its length; before, the table has it. An instruction that is not in the table or has
another length is kept as `Unknown`. Source: reference 3 (the token format of the driver kit, and measurements).
"""

from __future__ import annotations

from functools import lru_cache

from lanewise.core.diagnostics import NOTE, WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.direct3d9.isa.program import Comment, Dest, Inst, Shader, Source, Unknown
from lanewise.direct3d9.isa.table import BY_OPCODE, BY_TOKEN, COMMENT, DECLARATION, END, PIXEL, VERTEX, Version, operand_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeVar

    from lanewise.direct3d9.isa.program import Item
    from lanewise.direct3d9.isa.table import Op

    _Record = TypeVar("_Record", bound=tuple[object, ...])

_VERTEX_MARK, _PIXEL_MARK = 0xFFFE, 0xFFFF
_PARAMETER, _PREDICATED, _RELATIVE = 1 << 31, 1 << 28, 1 << 13
_OPERAND_RESERVED = 0xC000  # bits 15:14 of every operand
_MOST = 40  # findings about one stream
if TYPE_CHECKING:

    def _new(kind: type[_Record], values: tuple[object, ...]) -> _Record:
        """A record of all its fields in order, without the call of its class."""
        ...

else:
    _new = tuple.__new__
_MOST_KEPT = 1 << 15  # operands and tokens that are kept


class Decoded(Record):
    """The shader of a stream, and what was found, with places as offsets of bytes."""

    shader: Shader
    diagnostics: list[Diagnostic]


def version_of(token: int) -> Version | None:
    """The version that a token names, defined or not; None for any other word."""
    known = BY_TOKEN.get(token)
    if known is not None or token >> 16 not in (_VERTEX_MARK, _PIXEL_MARK):
        return known
    return Version(VERTEX if token >> 16 == _VERTEX_MARK else PIXEL, token >> 8 & 0xFF, token & 0xFF)


def decode(words: Sequence[int], name: str = "") -> Decoded:
    """The shader that words are; `name` is for messages. Raises ValueError if the first is not a version token.

    Time is in proportion to the length.
    """
    version = version_of(words[0]) if len(words) else None
    if version is None:
        raise ValueError("the words do not begin with a version token")
    reader = _Reader(name, words, version)
    if version.token not in BY_TOKEN:
        reader.report(
            "C302", 0, f"unknown version {version.name}", "check that this is the right file; the words are preserved"
        )
    items, at = reader.items()
    end: int | None = None
    tail: tuple[int, ...] = ()
    if at < len(words):
        end, tail = words[at], tuple(words[at + 1 :])
        if end != END:
            reader.report("C308", at, f"end token is 0x{end:08X}, not 0x0000FFFF", "set its upper half to 0; it is preserved")
    else:
        reader.report("C303", at, "missing end token 0x0000FFFF", "check that the file is complete")
    if tail:
        reader.report(
            "C304", at + 1, f"{len(tail)} words after the end", "remove them, or leave them: they are preserved, but never read"
        )
    return Decoded(Shader(version=version, items=tuple(items), end=end, tail=tail), reader.result())


class Shape(Record):
    """The operands of an instruction in a version."""

    op: Op
    "The row of the instruction."
    before: int
    "Words before the destination."
    dest: bool
    "It has a destination."
    sources: int
    "How many sources it has."
    behind: int
    "Words after the sources."


@lru_cache(maxsize=32)
def shapes(version: Version) -> Mapping[int, Shape]:
    """The operand layouts of a version, by opcode. An opcode of any version is read in each."""
    found: dict[int, Shape] = {}
    for code, op in BY_OPCODE.items():
        dest, sources = operand_count(op, version)
        lead = op.payload if op.role == DECLARATION else 0
        found[code] = Shape(op=op, before=lead, dest=dest, sources=sources, behind=op.payload - lead)
    return found


class _Dests(dict[int, "Dest | None"]):
    """The destinations that are one word without an address and without reserved bits, by their words; None for any other word.

    They are kept: there are few different ones.
    """

    def __missing__(self, word: int) -> Dest | None:
        if not word & _PARAMETER or word & (_RELATIVE | _OPERAND_RESERVED):
            return None
        if len(self) >= _MOST_KEPT:
            self.clear()
        found = self[word] = Dest(word, None)
        return found


class _Sources(dict[int, "Source | None"]):
    """Sources, in the same way."""

    def __missing__(self, word: int) -> Source | None:
        if not word & _PARAMETER or word & (_RELATIVE | _OPERAND_RESERVED):
            return None
        if len(self) >= _MOST_KEPT:
            self.clear()
        found = self[word] = Source(word, None)
        return found


_DESTS, _SOURCES = _Dests(), _Sources()


class _Tokens(dict[int, "Shape | None"]):
    """The layouts of a version by whole tokens, where all is ordinary: no predicate, no reserved bits, as many words as there
    must be."""

    def __init__(self, version: Version) -> None:
        super().__init__()
        self._shapes, self._counted = shapes(version), version.major >= 2

    def __missing__(self, token: int) -> Shape | None:
        shape = self._shapes.get(token & 0xFFFF)
        if shape is None:
            return None
        size = shape.before + shape.dest + shape.sources + shape.behind
        if self._counted and (token & (0x20000000 | _PARAMETER | _PREDICATED) or token >> 24 & 0xF != size):
            return None
        if not self._counted and token & (0x2F000000 | _PARAMETER):
            return None
        if len(self) >= _MOST_KEPT:
            self.clear()
        self[token] = shape
        return shape


@lru_cache(maxsize=32)
def _tokens(version: Version) -> _Tokens:
    return _Tokens(version)


class _Reader:
    """Goes through the words of one stream once, and collects what is wrong with them."""

    def __init__(self, name: str, words: Sequence[int], version: Version) -> None:
        self.name, self.words, self.version = name, words, version
        self._found: list[Diagnostic] = []
        self._more = 0

    def report(self, code: str, at: int, message: str, fix: str) -> None:
        """A finding about the word with this number."""
        if len(self._found) >= _MOST:
            self._more += 1
            return
        self._found.append(
            Diagnostic(code=code, severity=WARNING, message=message, span=Span(file=self.name, offset=4 * at), fix=fix)
        )

    def result(self) -> list[Diagnostic]:
        if self._more:
            self._found.append(
                Diagnostic(
                    code="C305",
                    severity=NOTE,
                    message=f"{self._more} more findings of this kind are not shown",
                    span=Span(file=self.name),
                    fix="check whether this is a shader",
                )
            )
        return self._found

    def items(self) -> tuple[list[Item], int]:
        """The items between the version and the end; the number of the end token, or the number of words."""
        words, name = self.words, self.name
        counted = self.version.major >= 2
        known, ordinary = shapes(self.version), _tokens(self.version)
        dests, sources = _DESTS, _SOURCES
        count = len(words)
        result: list[Item] = []
        at = 1
        while at < count:
            token = words[at]
            code = token & 0xFFFF
            if code == END:
                break
            place = _new(Span, (name, 0, 0, 1, "", 4 * at))
            shape = ordinary[token]
            if shape is not None:
                op, before, has_dest, wanted, behind = shape
                first = at + 1 + before + has_dest
                last = first + wanted
                stop = last + behind
                dest = dests[words[first - 1]] if has_dest and stop <= count else None
                if stop <= count and (dest is not None or not has_dest):
                    found = tuple([sources[word] for word in words[first:last]])
                    if None not in found:
                        payload = tuple(words[at + 1 : at + 1 + before] if before else words[last:stop])
                        result.append(_new(Inst, (op, token, dest, None, found, payload, place)))
                        at = stop
                        continue
            if code == COMMENT:
                stop = at + 1 + (token >> 16 & 0x7FFF)
                if stop > count:
                    self.report(
                        "C307",
                        at,
                        f"comment of {stop - at - 1} words, but {count - at - 1} are left",
                        "check that the file is complete",
                    )
                    item: Item = Unknown(token, tuple(words[at + 1 :]), place)
                else:
                    if token & _PARAMETER:
                        self.report("C308", at, "bit 31 of a comment is set", "clear it; it is preserved")
                    item = Comment(token, tuple(words[at + 1 : stop]), place)
                at = stop
            else:
                shape = known.get(code)
                inst: Inst | None = None
                if shape is not None and not token & _PARAMETER:
                    stop = at + 1 + (token >> 24 & 0xF) if counted else 0
                    if stop <= count:
                        inst = self._inst(shape, token, at, stop, place)
                if inst is not None:
                    item = inst
                    at += self._length
                else:
                    item = self._unknown(shape, token, at, place)
                    at += len(item.data) + 1
            result.append(item)
        return result, min(at, count)

    _length = 0  # words of the instruction that was read last

    def _inst(self, shape: Shape, token: int, start: int, stop: int, place: Span) -> Inst | None:
        """The instruction at a word, None where the words are not its operands. `stop`: the end by its length, 0 in shader
        model 1."""
        words = self.words
        op, before, has_dest, wanted, behind = shape
        limit = stop or len(words)
        at = start + 1 + before
        bits = 0
        dest: Dest | None = None
        predicate: Source | None = None
        sources: tuple[Source, ...] = ()
        if has_dest:
            if at >= limit:
                return None
            word = words[at]
            if not word & _PARAMETER:
                return None
            bits = word
            at += 1
            if stop and word & _RELATIVE:
                if at >= limit or not words[at] & _PARAMETER:
                    return None
                dest = Dest(word, words[at])
                at += 1
            else:
                dest = Dest(word, None)
        if token & _PREDICATED and stop:
            if at >= limit or not words[at] & _PARAMETER:
                return None
            predicate = Source(words[at], None)
            at += 1
        if wanted:
            found: list[Source] = []
            for _ in range(wanted):
                if at >= limit:
                    return None
                word = words[at]
                if not word & _PARAMETER:
                    return None
                bits |= word
                at += 1
                if stop and word & _RELATIVE:
                    if at >= limit or not words[at] & _PARAMETER:
                        return None
                    found.append(Source(word, words[at]))
                    at += 1
                else:
                    found.append(Source(word, None))
            sources = tuple(found)
        if at + behind > limit or (stop and at + behind != stop):
            return None
        payload: tuple[int, ...] = ()
        if before:
            payload = tuple(words[start + 1 : start + 1 + before])
        elif behind:
            payload = tuple(words[at : at + behind])
            at += behind
        if token & (0x20000000 if stop else 0x2F000000) or bits & _OPERAND_RESERVED:
            self.report(
                "C308",
                start,
                f"{op.name} has bits set that are reserved in {self.version.name}",
                "clear them; they are preserved",
            )
        self._length = at - start
        return Inst(op=op, token=token, dest=dest, predicate=predicate, sources=sources, payload=payload, place=place)

    def _unknown(self, shape: Shape | None, token: int, at: int, place: Span) -> Unknown:
        words = self.words
        count = len(words)
        if self.version.major >= 2:
            stop = min(at + 1 + (token >> 24 & 0xF), count)
        else:  # operands are what has bit 31
            stop = at + 1
            while stop < count and words[stop] & _PARAMETER:
                stop += 1
        if shape is None or token & _PARAMETER:
            self.report(
                "C305",
                at,
                f"0x{token:08X} is not an instruction",
                "check the file; the words are preserved, and disassembled as .dword",
            )
        else:
            self.report(
                "C306",
                at,
                f"words after {shape.op.name} are not its operands in {self.version.name}",
                "check the file; the words are preserved, and disassembled as .dword",
            )
        return Unknown(token, tuple(words[at + 1 : stop]), place)
